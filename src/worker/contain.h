/* contain.h: a process that may compute and answer, and nothing else: the kernel refuses the rest, whatever code runs in it. */
#ifndef PH_WRK_CONTAIN_H
#define PH_WRK_CONTAIN_H

#include "base/base.h"

/* For the calling process, which must have no other thread, until it ends: no file can be opened, no process or thread started, no
 * socket made, no signal sent but to itself, no memory made executable; of its descriptors only `keep` is left, to write to; its
 * environment is empty. What is already loaded stays. EUNABLE when this system lacks a part of that; the parts it has are then in
 * force. Not to be undone. */
PH_MUST ph_status wrk_contain(int keep, ph_err *err);

/* What wrk_contain would lack here: "Landlock", "Landlock and seccomp"; NULL: nothing. Found out once. */
const char *wrk_containment_lacks(void);

#endif
