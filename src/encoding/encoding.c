/* encoding.c: what all encodings share: the kinds and laws in words, defaults, the checks of a call, exact numbers. */
#include "encoding/encoding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *enc_kind_text(enc_kind k) {
    static const char *const text[] = {"additive vectors",         "score bias",
                                       "rotation of q and k",      "factor of q",
                                       "relative keys and values", "contextual"};
    return text[k];
}

const char *enc_law_text(int number) {
    static const char *const text[] = {"relative", "even",         "bounded",
                                       "decaying", "norm-keeping", "shift-linear"};
    return number >= 0 && number < ENC_NLAWS ? text[number] : NULL;
}

const enc_encoding *enc_find(const char *name) {
    for (const enc_encoding *const *e = enc_registry; *e; e++)
        if (strcmp((*e)->name, name) == 0) return *e;
    return NULL;
}

/* ---- a call -------------------------------------------------------------------------------------------- */

void enc_defaults(enc_value *v, const enc_param *params) {
    for (int k = 0; params && params[k].name; k++) {
        v[k] = (enc_value){.num = params[k].otherwise};
        if (params[k].type != ENC_NUM) v[k].whole = (int64_t)params[k].otherwise;
    }
}

void enc_begin(enc_call *c, const enc_function *fn) {
    c->fn = fn;
    enc_defaults(c->v, fn->params);
}

enc_value *enc_set(enc_call *c, const char *name) {
    for (int k = 0; c->fn->params[k].name; k++)
        if (strcmp(c->fn->params[k].name, name) == 0) {
            c->v[k].given = true;
            return &c->v[k];
        }
    return NULL;
}

/* ---- checks -------------------------------------------------------------------------------------------- */

char *enc_num_text(char *buf, size_t cap, double x) {
    if (x == floor(x) && fabs(x) <= 0x1p53) snprintf(buf, cap, "%.0f", x);
    else arr_num_text(buf, cap, x);
    return buf;
}

static ph_status out_of_range(const char *who, const enc_param *p, double seen, const char *wanted,
                              ph_err *err) {
    char a[40], b[40], c[40];
    enc_num_text(a, sizeof a, seen);
    if (p->lo > 0 && p->lo <= 1e-100 && seen <= 0)
        return ph_fail(err, PH_EARG, "%s: %s is %s; wanted %s above 0: %s", who, p->name, a, wanted, p->help);
    if (p->hi >= 1e15 && seen < p->lo)
        return ph_fail(err, PH_EARG, "%s: %s is %s; wanted %s of at least %s: %s", who, p->name, a, wanted,
                       enc_num_text(b, sizeof b, p->lo), p->help);
    return ph_fail(err, PH_EARG, "%s: %s is %s; wanted %s from %s to %s: %s", who, p->name, a, wanted,
                   enc_num_text(b, sizeof b, p->lo), enc_num_text(c, sizeof c, p->hi), p->help);
}

/* "a", "b" or "c" */
static void quote_words(char *buf, size_t cap, const char *words) {
    size_t at = 0;
    buf[0] = 0;
    while (*words && at + 4 < cap) {
        size_t n = strcspn(words, " ");
        bool last = words[n] == 0;
        at += (size_t)snprintf(buf + at, cap - at, "%s\"%.*s\"",
                               at == 0 ? ""
                               : last  ? " or "
                                       : ", ",
                               (int)n, words);
        words += n + !last;
    }
}

static ph_status check_word(enc_value *v, const enc_param *p, const char *who, ph_err *err) {
    char wanted[200];
    if (!v->word) return PH_OK; /* a default, or a number set by C */
    const char *w = p->words;
    for (int64_t k = 0; *w; k++) {
        size_t n = strcspn(w, " ");
        if (strlen(v->word) == n && memcmp(v->word, w, n) == 0) {
            v->whole = k;
            return PH_OK;
        }
        w += n + (w[n] != 0);
    }
    quote_words(wanted, sizeof wanted, p->words);
    return ph_fail(err, PH_EARG, "%s: %s is \"%.40s\"; wanted %s: %s", who, p->name, v->word, wanted,
                   p->help);
}

static ph_status check_array(const enc_value *v, const enc_param *p, const char *who, ph_err *err) {
    char shape[200];
    const arr *a = v->array;
    if (!a) return PH_OK;
    if (a->dtype == ARR_BOOL || a->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "%s: %s is %s; wanted f64 or f32", who, p->name,
                       arr_dtype_name(a->dtype));
    if (p->type != ENC_POSITIONS) return PH_OK;
    if (a->ndim != 1)
        return ph_fail(err, PH_EARG, "%s: %s has shape %s; wanted one dimension (T), a position for each row",
                       who, p->name, arr_shape_text(shape, sizeof shape, a));
    for (int64_t k = 0; k < a->shape[0]; k++) {
        double t = arr_get_num(a, arr_at(a, &k));
        if (isfinite(t)) continue;
        arr_num_text(shape, sizeof shape, t);
        return ph_fail(err, PH_EARG, "%s: entry %lld of %s is %s; wanted finite positions", who,
                       (long long)k + 1, p->name, shape);
    }
    return PH_OK;
}

static ph_status check_all(enc_value *v, const enc_param *params, const char *who, ph_err *err);

static ph_status check_one(enc_value *v, const enc_param *p, const char *who, ph_err *err) {
    char fields[160];
    if (v->unknown) return PH_OK;
    if (!v->given) {
        if (p->how == ENC_OPTIONAL || p->how == ENC_DERIVED) return PH_OK;
        return ph_fail(err, PH_EARG, "%s: no %s given; wanted %s", who, p->name, p->help);
    }
    switch (p->type) {
    case ENC_INT:
        if (v->whole < p->lo || v->whole > p->hi)
            return out_of_range(who, p, (double)v->whole, "an integer", err);
        return PH_OK;
    case ENC_NUM:
        if (!(v->num >= p->lo && v->num <= p->hi)) return out_of_range(who, p, v->num, "a number", err);
        return PH_OK;
    case ENC_FLAG: return PH_OK;
    case ENC_WORD: return check_word(v, p, who, err);
    case ENC_POSITIONS:
        if (!v->array && v->whole < 0) return out_of_range(who, p, (double)v->whole, "a count", err);
        return check_array(v, p, who, err);
    case ENC_ARRAY: return check_array(v, p, who, err);
    case ENC_CHOICE:
        snprintf(fields, sizeof fields, "%s: %s \"%s\"", who, p->name, p->choices[v->whole].name);
        return check_all(v->fields, p->choices[v->whole].params, fields, err);
    }
    return PH_OK;
}

static ph_status check_all(enc_value *v, const enc_param *params, const char *who, ph_err *err) {
    ph_status st = PH_OK;
    for (int k = 0; st == PH_OK && params && params[k].name; k++) st = check_one(&v[k], &params[k], who, err);
    return st;
}

static bool all_known(const enc_value *v, const enc_param *params) {
    bool known = true;
    for (int k = 0; known && params && params[k].name; k++)
        known =
            !v[k].unknown && (!v[k].fields || all_known(v[k].fields, params[k].choices[v[k].whole].params));
    return known;
}

ph_status enc_check(enc_call *c, ph_err *err) {
    ph_status st = check_all(c->v, c->fn->params, c->fn->name, err);
    return st == PH_OK && c->fn->check && all_known(c->v, c->fn->params) ? c->fn->check(c->v, err) : st;
}

ph_status enc_run(arr *out, enc_call *c, ph_err *err) {
    for (int k = 0; k < c->fn->n_out; k++) out[k] = ARR_NONE;
    ph_status st = enc_check(c, err);
    if (st == PH_OK) st = c->fn->run(out, c->v, err);
    if (st != PH_OK)
        for (int k = 0; k < c->fn->n_out; k++) arr_drop(&out[k]);
    return st;
}
