/* one.h: a session in a process of its own, opened for each case and closed behind it. */
#ifndef PH_TEST_ONE_H
#define PH_TEST_ONE_H

#include "session/drive.h"

static ses *s;

static int open_one(void **state) {
    (void)state;
    s = open_session(true, 0);
    return 0;
}
static int close_one(void **state) {
    (void)state;
    close_session(s);
    return 0;
}

#endif
