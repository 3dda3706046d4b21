/* said.h: what a verdict says of where it holds, and where it fails, in English; good until the next call. */
#ifndef TEST_SAID_H
#define TEST_SAID_H

#include <stdio.h>

#include "verify/told.h"

static inline const char *said(ph_status (*words)(char **, const ver_verdict *, ver_lang, ph_err *),
                               const ver_verdict *v) {
    static char buf[16000];
    char *text = NULL;
    if (words(&text, v, VER_EN, NULL)) return "memory is refused";
    snprintf(buf, sizeof buf, "%s", text ? text : "");
    ph_free(text);
    return buf;
}

#endif
