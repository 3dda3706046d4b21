/* formula.c: the exact formula of one entry of what an encoding computes: its definition, run on symbols. */
#include <string.h>

#include "encoding/define.h"
#include "encoding/symbolic.h"

typedef struct {
    const enc_encoding *e;
    enc_symbolic s;
    enc_value v[ENC_MAXPAR];
    enc_def d;
    int64_t heads; /* of relative scores */
} asked;

static int parameter(const enc_encoding *e, const char *name) {
    const enc_param *p = e->functions->params;
    int k = 0;
    while (p[k].name && strcmp(p[k].name, name) != 0) k++;
    return p[k].name ? k : -1;
}

/* Parameter k, an array (..., rows, d), becomes one row of the symbols name[0 .. d-1]. */
static void set_row(asked *a, int k, const char *name) {
    const arr *x = a->v[k].array;
    int64_t d = x->shape[x->ndim - 1];
    a->v[k].value = enc_symbols(&a->s, name, d, 2, (int64_t[]){1, d});
}

/* Positions on several axes, an array (A, T), become (A, 1). */
static void set_axes(asked *a) {
    int k = parameter(a->e, "positions");
    if (k < 0 || a->e->functions->params[k].type != ENC_ARRAY) return;
    int64_t axes = a->v[k].array->shape[0];
    a->v[k].value = enc_symbols(&a->s, "m", axes, 2, (int64_t[]){axes, 1});
}

static op_val *one(asked *a, const char *name) { return enc_symbols(&a->s, name, 0, 1, (int64_t[]){1}); }

static void set_symbols(asked *a) {
    a->d.query = one(a, a->e->kind == ENC_ADDITIVE ? "t" : "m");
    switch (a->e->kind) {
    case ENC_ADDITIVE: return;
    case ENC_BIAS: a->d.key = one(a, "n"); return;
    case ENC_ROTATION:
    case ENC_FACTOR:
        set_row(a, 0, "x");
        set_axes(a);
        return;
    case ENC_CONTEXTUAL: a->d.place = enc_symbols(&a->s, "p", 0, 2, (int64_t[]){1, 1}); /* fall through */
    case ENC_RELATIVE:
        a->d.key = one(a, "n");
        set_row(a, 0, "q");
        set_row(a, 1, "k");
        return;
    }
}

/* Which entry is asked for: a column of a row, or a head of (..., H, 1, 1) or (1, 1); without heads all are alike. */
static ph_status entry_of(int64_t *at, const asked *a, const op_spec *y, int64_t j, ph_err *err) {
    bool columns = a->e->kind == ENC_ADDITIVE || a->e->kind == ENC_ROTATION || a->e->kind == ENC_FACTOR;
    int64_t n = columns ? y->shape[y->ndim - 1] : y->ndim > 2 ? y->shape[y->ndim - 3] : 1;
    int64_t all = a->heads > n ? a->heads : n;
    *at = n == 1 ? 0 : j;
    if (j >= 0 && j < all) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %s %lld asked for; there %s %lld", a->e->name,
                   columns ? "column" : "head", (long long)j + 1, all == 1 ? "is" : "are", (long long)all);
}

/* The last dimension but two that any array of a relative form has. */
static int64_t heads_of(const asked *a) {
    int64_t heads = 1;
    const enc_param *p = a->e->functions->params;
    for (int k = 0; (a->e->kind == ENC_RELATIVE || a->e->kind == ENC_CONTEXTUAL) && p[k].name; k++) {
        const arr *x = a->v[k].array;
        if (x && x->ndim > 2 && x->shape[x->ndim - 3] > heads) heads = x->shape[x->ndim - 3];
    }
    return heads;
}

ph_status enc_formula(expr_node **out, const enc_encoding *e, enc_call *c, int64_t j, ph_err *err) {
    op_val *y[ENC_MAXOUT] = {NULL};
    asked a = {.e = e};
    int64_t at = 0;
    *out = NULL;
    ph_status st = enc_check(c, err);
    if (st != PH_OK) return st;
    enc_symbolic_begin(&a.s, err);
    memcpy(a.v, c->v, sizeof a.v);
    a.d.c = &a.s.c;
    a.d.v = a.v;
    a.heads = heads_of(&a);
    set_symbols(&a);
    e->functions->define(&a.d, y);
    if (y[0] && a.s.c.st == PH_OK) a.s.c.st = entry_of(&at, &a, op_spec_of(&a.s.c, y[0]), j, &a.s.c.err);
    return enc_symbolic_end(&a.s, out, enc_symbolic_entry(&a.s, y[0], at));
}
