/* describe.c: a descriptor in words: the arguments and the help of its functions. */
#include <string.h>

#include "encoding/encoding.h"

/* One after another. */
#define PUT(t, ...) put_all(t, (const char *const[]){__VA_ARGS__, NULL})
static void put_all(ph_text *t, const char *const *part) {
    for (; *part; part++) ph_puts(t, *part);
}

/* The first of some words with spaces between, in quotes; returns the next. */
static const char *put_quoted(ph_text *t, const char *w) {
    size_t n = strcspn(w, " ");
    ph_puts(t, "\"");
    ph_put(t, w, n);
    ph_puts(t, "\"");
    return w + n + (w[n] != 0);
}

static void put_default(ph_text *t, const enc_param *p) {
    if (p->how != ENC_OPTIONAL || p->type == ENC_CHOICE || p->type == ENC_ARRAY || p->type == ENC_POSITIONS)
        return;
    if (p->type == ENC_FLAG) ph_puts(t, p->otherwise != 0 ? " = true" : " = false");
    else if (p->type == ENC_WORD) {
        const char *w = p->words;
        for (int k = 0; k < (int)p->otherwise; k++) w += strcspn(w, " ") + 1;
        ph_puts(t, " = ");
        put_quoted(t, w);
    } else ph_putf(t, " = %.15g", p->otherwise);
}

void enc_put_args(ph_text *t, const enc_function *f) {
    bool named = false, required = false, any = false;
    for (const enc_param *p = f->params; p->name; p++)
        named |= p->how != ENC_POSITIONAL, required |= p->how == ENC_NAMED, any |= p->how == ENC_POSITIONAL;
    for (const enc_param *p = f->params; p->name && p->how == ENC_POSITIONAL; p++)
        PUT(t, p > f->params ? ", " : "", p->name);
    if (named) ph_puts(t, !any ? "{" : required ? ", {" : " [, {");
    const char *comma = "";
    for (int optional = 0; optional < 2; optional++)
        for (const enc_param *p = f->params; p->name; p++) {
            if (p->how == ENC_POSITIONAL || (p->how != ENC_NAMED) != optional) continue;
            PUT(t, comma, p->name, optional ? "" : "=");
            comma = ", ";
        }
    if (named) ph_puts(t, required || !any ? "}" : "}]");
}

static void put_words(ph_text *t, const char *words) {
    for (const char *w = words; *w;) {
        if (w > words) ph_puts(t, " or ");
        w = put_quoted(t, w);
    }
    ph_puts(t, "; ");
}

static void put_param(ph_text *t, const char *indent, const enc_param *p, bool with_default) {
    PUT(t, "\n", indent, p->name);
    if (with_default) put_default(t, p);
    ph_puts(t, ": ");
    if (p->words && p->help[0] != '"') put_words(t, p->words);
    if (p->unit) PUT(t, p->unit, "; ");
    PUT(t, p->help, ".");
}

/* Was this field explained for an earlier choice? */
static bool explained(const enc_choice *all, const enc_choice *c, const enc_param *p) {
    for (const enc_choice *k = all; k < c; k++)
        for (const enc_param *q = k->params; q && q->name; q++)
            if (strcmp(p->name, q->name) == 0 && strcmp(p->help, q->help) == 0) return true;
    return false;
}

/* kind = "yarn", factor, train, fast = 32: what it is. Then its fields, each once. */
static void put_choices(ph_text *t, const enc_choice *all) {
    for (const enc_choice *c = all; c && c->name; c++) {
        PUT(t, "\n  kind = \"", c->name, "\"");
        for (const enc_param *p = c->params; p && p->name; p++) {
            PUT(t, ", ", p->name);
            put_default(t, p);
        }
        PUT(t, ": ", c->help, ".");
        for (const enc_param *p = c->params; p && p->name; p++)
            if (!explained(all, c, p)) put_param(t, "    ", p, false);
    }
}

/* What is said of the encoding as a whole, with its first function. */
static void put_claims(ph_text *t, const enc_encoding *e) {
    const char *comma = "\nClaims: ";
    PUT(t, "\nLayout: ", e->layout);
    for (int k = 0; enc_law_text(k); k++)
        if (e->laws >> k & 1) {
            PUT(t, comma, enc_law_text(k));
            comma = ", ";
        }
    if (e->laws && e->claims.en) PUT(t, " (", e->claims.en, ")");
}

void enc_put_help(ph_text *t, const enc_encoding *e, const enc_function *f) {
    ph_puts(t, f->summary);
    if (f->notes) PUT(t, "\n", f->notes);
    for (const enc_param *p = f->params; p->name; p++) {
        put_param(t, "", p, true);
        put_choices(t, p->choices);
    }
    if (f == e->functions) put_claims(t, e);
    PUT(t, "\nSource: ", e->citation);
}
