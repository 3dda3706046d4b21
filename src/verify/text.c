/* text.c: a verdict as one line for a person, as JSON, and as text for LaTeX. The line's words are in words.c. */
#include "base/text.h"
#include "verify/coq.h"
#include "verify/told.h"
#include "verify/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ph_text t;
    ver_lang lang;
} text;

static void put(text *t, const char *s) { ph_puts(&t->t, s); }

/* ---- numbers ------------------------------------------------------------------------------------------- */

#define NUMBER 40
/* Two digits for a reader, and as many more as it takes to tell a from b when they differ. */
static void pair_text(char a[NUMBER], char b[NUMBER], double x, double y) {
    if (isnan(x)) x = NAN; /* not "-nan" */
    for (int digits = 2; digits <= 17; digits++) {
        snprintf(a, NUMBER, "%.*g", digits, x);
        snprintf(b, NUMBER, "%.*g", digits, y);
        if (x == y || strcmp(a, b) != 0) return;
    }
}

/* Of a certificate the value is an upper bound: its digits are rounded up, if the bound leaves room for that. */
static void figures_text(char a[NUMBER], char b[NUMBER], const ver_verdict *v) {
    pair_text(a, b, v->value, v->bound);
    if (v->strength != VER_CERTIFIED || !(v->value > 0) || !(v->value < v->bound)) return;
    for (int digits = 2; digits <= 17; digits++) {
        double unit = pow(10, floor(log10(v->value)) + 1 - digits);
        snprintf(a, NUMBER, "%.*g", digits, ceil(v->value / unit) * unit);
        if (strtod(a, NULL) >= v->value && strtod(a, NULL) <= v->bound) return;
    }
}

/* What the size of a verdict counts; a certificate with deviations has looked at points. */
static ver_word_id counted(const ver_verdict *v) {
    if (v->strength == VER_PROVED) return VER_W_TERM;
    if (v->strength == VER_CERTIFIED) return v->has_value ? VER_W_POINT : VER_W_BOX;
    return v->unit ? VER_W_POINT : VER_W_SAMPLE;
}

/* ---- one line ------------------------------------------------------------------------------------------ */

static void say(text *t, ver_word_id id) { put(t, ver_word(t->lang, id)); }

/* The words for data, or NULL: there is none. To be freed. */
static char *worded(text *t, ph_status (*words)(char **, const ver_verdict *, ver_lang, ph_err *),
                    const ver_verdict *v) {
    char *s = NULL;
    if (words(&s, v, t->lang, NULL)) t->t.failed = true;
    return s;
}

static void put_count(text *t, const ver_verdict *v) {
    ph_putf(&t->t, "%lld", (long long)v->size);
    say(t, counted(v) + (v->size != 1));
}

static void put_figures(text *t, const ver_verdict *v) {
    char a[NUMBER], b[NUMBER];
    bool finite = isfinite(v->value) || v->strength >= VER_MEASURED;
    figures_text(a, b, v);
    say(t, !finite ? VER_W_DEVIATION : v->uneven ? VER_W_WORST : VER_W_MAX);
    put(t, a);
    if (finite) put(t, v->strength >= VER_MEASURED ? " ≤ " : " > ");
    else say(t, VER_W_NOT_WITHIN);
    put(t, b);
    if (v->unit) ph_putf(&t->t, " %s", v->unit);
}

/* " (512 samples, seed 7)": what a measurement ran over. */
static void put_extent(text *t, const ver_verdict *v) {
    char *conditions = worded(t, ver_conditions, v);
    if (v->size || conditions) say(t, VER_W_OPEN);
    if (v->size) put_count(t, v);
    if (v->size && conditions) say(t, VER_W_COMMA);
    if (conditions) put(t, conditions);
    if (v->size || conditions) say(t, VER_W_CLOSE);
    ph_free(conditions);
}

static void put_refuted(text *t, const ver_verdict *v) {
    char *witness = worded(t, ver_witness, v);
    say(t, witness ? VER_W_WITNESS : VER_W_COLON);
    if (witness) put(t, witness);
    if (witness && v->has_value) say(t, VER_W_COLON);
    if (v->has_value) put_figures(t, v);
    if (!witness && !v->has_value) say(t, VER_W_NO_WITNESS);
    ph_free(witness);
    put_extent(t, v);
}

static void put_holds_for(text *t, const ver_verdict *v) {
    char *conditions = worded(t, ver_conditions, v);
    if (conditions) say(t, VER_W_HOLDS_FOR), put(t, conditions);
    ph_free(conditions);
}

static void put_unknown(text *t, const ver_verdict *v) {
    if (v->reason) say(t, VER_W_COLON), say(t, VER_W_OUTSIDE + (v->reason - VER_OUTSIDE_THEORY));
    char *reason = worded(t, ver_reason_words, v);
    if (reason) say(t, VER_W_COLON), put(t, reason);
    ph_free(reason);
}

ph_status ver_text(char **out, const ver_verdict *v, ver_lang lang, bool with_time, ph_err *err) {
    text t = {.lang = lang};
    say(&t, VER_W_UNKNOWN + v->strength);
    switch (v->strength) {
    case VER_UNKNOWN: put_unknown(&t, v); break;
    case VER_REFUTED: put_refuted(&t, v); break;
    case VER_MEASURED:
        if (v->has_value) say(&t, VER_W_COLON), put_figures(&t, v);
        put_extent(&t, v);
        break;
    case VER_CERTIFIED:
    case VER_PROVED:
        put_holds_for(&t, v);
        if (v->has_value) say(&t, VER_W_COLON), put_figures(&t, v);
        if (v->size) say(&t, VER_W_SEMICOLON), put_count(&t, v);
        if (ver_rechecked(v)) say(&t, VER_W_SEMICOLON), say(&t, VER_W_RECHECKED);
        break;
    }
    if (with_time) ph_putf(&t.t, " [%.3g s]", v->time);
    return ph_text_take(out, NULL, &t.t, err);
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static void put_json_string(text *t, const char *key, const char *value) {
    if (!value) return;
    ph_putf(&t->t, ",\"%s\":", key);
    ph_put_json(&t->t, value, strlen(value));
}

static void put_json_number(text *t, const char *key, double x) {
    const char *quote = isfinite(x) ? "" : "\"";
    ph_putf(&t->t, ",\"%s\":%s", key, quote);
    if (isfinite(x)) {
        char digits[NUMBER];
        for (int p = 1; p <= 17; p++) {
            snprintf(digits, sizeof digits, "%.*g", p, x);
            if (strtod(digits, NULL) == x) break;
        }
        put(t, digits);
    } else put(t, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    put(t, quote);
}

ph_status ver_json(char **out, const ver_verdict *v, bool with_time, ph_err *err) {
    text t = {0};
    ph_putf(&t.t, "{\"strength\":\"%s\"", ver_strength_name(v->strength));
    put_json_string(&t, "statement", v->statement);
    char *conditions = worded(&t, ver_conditions, v), *witness = worded(&t, ver_witness, v),
         *reason = worded(&t, ver_reason_words, v);
    put_json_string(&t, "conditions", conditions);
    put_json_string(&t, "witness", witness);
    ph_free(conditions);
    ph_free(witness);
    put_json_string(&t, "method", v->method);
    put_json_string(&t, "why", v->why);
    if (v->reason) put_json_string(&t, "reason", ver_reason_name(v->reason));
    put_json_string(&t, "reason_text", reason);
    ph_free(reason);
    if (v->has_value) {
        put_json_number(&t, "value", v->value);
        put_json_number(&t, "bound", v->bound);
        put_json_string(&t, "unit", v->unit);
    }
    if (v->size) ph_putf(&t.t, ",\"size\":%lld", (long long)v->size);
    if (ver_rechecked(v)) put(&t, ",\"rechecked\":true");
    if (with_time) put_json_number(&t, "time", v->time);
    put(&t, "}");
    return ph_text_take(out, NULL, &t.t, err);
}

/* ---- LaTeX --------------------------------------------------------------------------------------------- */

/* "2.2e-15" -> "2.2\times10^{-15}", inside mathematics. */
static void put_tex_number(text *t, const char *digits) {
    const char *e = strchr(digits, 'e');
    if (!e) {
        put(t, strcmp(digits, "inf") == 0 ? "\\infty" : strstr(digits, "nan") ? "\\mathrm{NaN}" : digits);
        return;
    }
    ph_put(&t->t, digits, (size_t)(e - digits));
    ph_putf(&t->t, "\\times10^{%d}", atoi(e + 1));
}

static void put_tex(text *t, const char *s) {
    static const char special[] = "#$%&_{}";
    for (; *s; s++) {
        if (strchr(special, *s)) ph_putf(&t->t, "\\%c", *s);
        else if (*s == '\\') put(t, "\\textbackslash{}");
        else if (*s == '^') put(t, "\\textasciicircum{}");
        else if (*s == '~') put(t, "\\textasciitilde{}");
        else if (*s == '<') put(t, "$<$");
        else if (*s == '>') put(t, "$>$");
        else if (strncmp(s, "≤", 3) == 0) put(t, "$\\le$"), s += 2;
        else ph_put(&t->t, s, 1);
    }
}

static void put_tex_figures(text *t, const ver_verdict *v) {
    char a[NUMBER], b[NUMBER];
    figures_text(a, b, v);
    ph_putf(&t->t, "%s deviation $", v->uneven ? "worst" : "max");
    put_tex_number(t, a);
    put(t, v->strength >= VER_MEASURED ? "\\le" : isfinite(v->value) ? ">" : "\\not\\le ");
    put_tex_number(t, b);
    put(t, "$");
    if (v->unit) ph_putf(&t->t, " %s", v->unit);
}

/* The same line as ver_text, its figures set as mathematics. */
ph_status ver_latex(char **out, const ver_verdict *v, ph_err *err) {
    text t = {0};
    if (!v->has_value) {
        char *line = NULL;
        ph_status st = ver_text(&line, v, VER_EN, false, err);
        if (st == PH_OK) put_tex(&t, line);
        ph_free(line);
        return st == PH_OK ? ph_text_take(out, NULL, &t.t, err) : st;
    }
    put(&t, ver_strength_name(v->strength));
    put(&t, ": ");
    char *witness = v->strength == VER_REFUTED ? worded(&t, ver_witness, v) : NULL;
    if (witness) put_tex(&t, witness), put(&t, ": ");
    ph_free(witness);
    put_tex_figures(&t, v);
    text extent = {0};
    put_extent(&extent, v);
    if (extent.t.s) put_tex(&t, extent.t.s);
    t.t.failed |= extent.t.failed;
    ph_text_drop(&extent.t);
    return ph_text_take(out, NULL, &t.t, err);
}
