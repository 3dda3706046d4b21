/* contain.h: a process that may compute and answer, and nothing else: the kernel refuses the rest, whatever code runs in it. */
#ifndef PH_WRK_CONTAIN_H
#define PH_WRK_CONTAIN_H

#include "base/base.h"

/* For the calling process, which must have no other thread, until it ends: no file can be opened, no process or thread started, no
 * socket made, no signal sent but to itself, no memory made executable; of its descriptors only the n in `keep` are left, to read
 * and write; its environment is empty. What is already loaded stays. EUNABLE when this system lacks a part of that; the parts it has are then in
 * force. Not to be undone. */
PH_MUST ph_status wrk_contain(const int *keep, int n, ph_err *err);

/* For what a stranger's lesson runs in, until it ends: of all files only those beneath `folder` can be opened, to be read; no other program
 * runs, there is no network, and the environment is empty. Copies of the process may be made, which are as confined; descriptors that
 * are open stay open. Errors as above. */
PH_MUST ph_status wrk_confine(const char *folder, ph_err *err);

/* Closes every descriptor but the n in `keep`. The standard ones lead nowhere then: a library that writes to them must not write
 * into another. */
bool wrk_close_others(const int *keep, int n);

/* What wrk_contain would lack here: "Landlock", "Landlock and seccomp"; NULL: nothing. Found out once. */
const char *wrk_containment_lacks(void);

#endif
