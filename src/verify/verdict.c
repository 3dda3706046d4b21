/* verdict.c: the life of a verdict, and the rule by which a measurement is accepted. */
#include "verify/words.h"

#include "verify/subject.h"
#include "verify/told.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define N_STRENGTHS (VER_PROVED + 1)

void ver_init(ver_verdict *v) { *v = (ver_verdict){0}; }

void ver_clear(ver_verdict *v) {
    ph_free(v->statement);
    ph_free(v->witness);
    ph_free(v->method);
    ph_free(v->why);
    ph_free(v->reason_text);
    ver_told_drop(v->told);
    ver_subject_drop(v->subject);
    ver_init(v);
}

void ver_decide(ver_verdict *v, ver_strength s) {
    v->strength = s;
    v->reason = VER_NO_REASON;
    ph_free(v->reason_text);
    v->reason_text = NULL;
}

bool ver_is_open(const ver_verdict *v) {
    return v->strength == VER_UNKNOWN && v->reason == VER_OUTSIDE_THEORY;
}

void ver_take_decided(ver_verdict *out, ver_verdict *v) {
    if (v->strength == VER_UNKNOWN) return;
    ph_free(v->statement);
    v->statement = out->statement;
    v->bare = out->bare;
    out->statement = NULL;
    ver_clear(out);
    *out = *v;
    ver_init(v);
}

ph_status ver_set(char **field, ph_err *err, const char *fmt, ...) {
    char brief[256]; /* most are */
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(brief, sizeof brief, fmt, ap);
    va_end(ap);
    if (n < 0) return ph_fail(err, PH_EARG, "verdict: text cannot be formatted");
    char *text = ph_alloc((size_t)n + 1);
    if (!text) return ph_fail_nomem(err, (size_t)n + 1);
    if ((size_t)n < sizeof brief) memcpy(text, brief, (size_t)n + 1);
    else {
        va_start(ap, fmt);
        vsnprintf(text, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    ph_free(*field);
    *field = text;
    return PH_OK;
}

const char *ver_strength_name(ver_strength s) {
    return ver_word(VER_EN, VER_W_UNKNOWN + ((size_t)s < N_STRENGTHS ? s : VER_UNKNOWN));
}

const char *ver_reason_name(ver_reason r) {
    bool known = r >= VER_OUTSIDE_THEORY && r <= VER_NEEDS_DATA;
    return known ? ver_word(VER_EN, VER_W_OUTSIDE + (r - VER_OUTSIDE_THEORY)) : "";
}

bool ver_lang_parse(ver_lang *out, const char *name) {
    *out = strcmp(name, "zh") == 0 ? VER_ZH : VER_EN;
    return *out == VER_ZH || strcmp(name, "en") == 0;
}

bool ver_strength_parse(ver_strength *out, const char *name) {
    for (int i = 0; i < N_STRENGTHS; i++)
        if (strcmp(ver_strength_name(i), name) == 0) {
            *out = i;
            return true;
        }
    return false;
}

bool ver_holds(const ver_verdict *v) { return v->strength >= VER_MEASURED; }

bool ver_accepts(double value, double bound) {
    return isfinite(value) && isfinite(bound) && fabs(value) <= bound;
}
