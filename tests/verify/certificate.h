/* certificate.h: verdicts whose files for Coq are looked at. */
#ifndef PH_TESTS_CERTIFICATE_H
#define PH_TESTS_CERTIFICATE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"
#include "verify/coq.h"
#include "verify/prove.h"

/* Under a condition, unless that is NULL. */
static inline ver_verdict judge_where(const char *text, const char *where) {
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula(text), *given = where ? formula(where) : NULL;
    if (ver_prove(&v, s, &(ver_assume){&given, where != NULL}, &err)) fail_msg("%s: %s", text, err.text);
    expr_drop(s);
    expr_drop(given);
    return v;
}

static inline ver_verdict judge(const char *text) { return judge_where(text, NULL); }

/* The text from the lemma on; to be freed. */
static inline char *lemma(const char *whole) {
    const char *from = strstr(whole, "Lemma statement");
    assert_non_null(from);
    return ph_strdup(from);
}

static inline bool written_anew(void) {
    const char *golden = getenv("GOLDEN");
    return golden && !strcmp(golden, "write");
}

static inline char *read_whole(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *s = calloc(1, 1 << 20);
    size_t n = fread(s, 1, (1 << 20) - 1, f);
    s[n] = 0;
    fclose(f);
    return s;
}

#endif
