/* shared.h: one session for all tests of a program: s, from open_once to close_once. */
#ifndef PH_TEST_SHARED_H
#define PH_TEST_SHARED_H

#include "drive.h"

static ses *s;

static int open_once(void **state) {
    (void)state;
    s = open_session(false, 0);
    return 0;
}

static int close_once(void **state) {
    (void)state;
    ses_close(s);
    json_decref(events);
    return 0;
}

#endif
