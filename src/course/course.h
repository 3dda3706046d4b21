/* course.h: the course as Lua modules for the session: "phasor.course" and its parts, "phasor.ledger", and
 * "phasor.lessons", the lessons that travel inside the binary as texts.
 */
#ifndef PH_COURSE_H
#define PH_COURSE_H

#include "session/session.h"

/* For ses_options.modules. Built at the first call and kept for the life of the process; NULL when there is
 * no memory. */
const ses_module *course_modules(void);

#endif
