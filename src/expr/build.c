/* build.c: the builder that owns what it makes. */
#include "expr/build.h"

exp_node *exp_b_keep(exp_builder *b, exp_node *owned) {
    if (!owned) return NULL;
    if (b->n == b->cap) {
        size_t cap = b->cap ? 2 * b->cap : 32;
        exp_node **own = ph_realloc(b->own, cap * sizeof *own);
        if (!own) {
            exp_drop(owned);
            b->st = ph_fail_nomem(b->err, cap * sizeof *own);
            return NULL;
        }
        b->own = own;
        b->cap = cap;
    }
    return b->own[b->n++] = owned;
}

exp_node *exp_b_op(exp_builder *b, exp_op op, int n, exp_node *const *args) {
    if (b->st) return NULL;
    for (int i = 0; i < n; i++)
        if (!args[i]) return NULL;
    exp_node *e;
    b->st = exp_make(&e, op, n, args, b->err);
    return exp_b_keep(b, e);
}

exp_node *exp_b_rat(exp_builder *b, int64_t num, int64_t den) {
    if (b->st) return NULL;
    exp_node *e;
    b->st = exp_rat(&e, num, den, b->err);
    return exp_b_keep(b, e);
}

exp_node *exp_b_1(exp_builder *b, exp_op op, exp_node *x) { return exp_b_op(b, op, 1, &x); }

exp_node *exp_b_2(exp_builder *b, exp_op op, exp_node *x, exp_node *y) {
    return exp_b_op(b, op, 2, (exp_node *[]){x, y});
}

static bool is(const exp_node *x, int64_t v) { return x && exp_is_rat(x, v, 1); }

exp_node *exp_b_add(exp_builder *b, exp_node *x, exp_node *y) {
    if (is(x, 0)) return y;
    if (is(y, 0)) return x;
    return exp_b_2(b, EXP_ADD, x, y);
}

exp_node *exp_b_neg(exp_builder *b, exp_node *x) {
    if (x && x->op == EXP_NEG) return x->arg[0];
    return exp_b_1(b, EXP_NEG, x);
}

exp_node *exp_b_sub(exp_builder *b, exp_node *x, exp_node *y) {
    if (is(y, 0)) return x;
    if (is(x, 0)) return exp_b_neg(b, y);
    return exp_b_2(b, EXP_SUB, x, y);
}

exp_node *exp_b_mul(exp_builder *b, exp_node *x, exp_node *y) {
    if (is(x, 0) || is(y, 1)) return x;
    if (is(y, 0) || is(x, 1)) return y;
    if (is(x, -1)) return exp_b_neg(b, y);
    if (is(y, -1)) return exp_b_neg(b, x);
    return exp_b_2(b, EXP_MUL, x, y);
}

exp_node *exp_b_div(exp_builder *b, exp_node *x, exp_node *y) {
    if (is(x, 0) && !is(y, 0)) return x;
    if (is(y, 1)) return x;
    return exp_b_2(b, EXP_DIV, x, y);
}

exp_node *exp_b_pow(exp_builder *b, exp_node *x, exp_node *y) {
    if (is(y, 1)) return x;
    return exp_b_2(b, EXP_POW, x, y);
}

exp_node *exp_b_rewrite(exp_builder *b, exp_node *e, uint32_t first, exp_rewrite_fn *f, void *ctx) {
    if (b->st || !e->nargs) return b->st ? NULL : e;
    exp_node *small[8], **arg = small;
    if (e->nargs > 8 && !(arg = ph_alloc(e->nargs * sizeof *arg))) {
        b->st = ph_fail_nomem(b->err, e->nargs * sizeof *arg);
        return NULL;
    }
    bool changed = false;
    for (uint32_t i = 0; i < e->nargs; i++) {
        arg[i] = i < first ? e->arg[i] : f(b, e->arg[i], ctx);
        changed = changed || arg[i] != e->arg[i];
    }
    exp_node *r = changed ? exp_b_op(b, e->op, (int)e->nargs, arg) : e;
    if (arg != small) ph_free(arg);
    return r;
}

ph_status exp_b_end(exp_builder *b, exp_node **out, exp_node *result) {
    if (out) *out = b->st == PH_OK && result ? exp_ref(result) : NULL;
    while (b->n) exp_drop(b->own[--b->n]);
    ph_free(b->own);
    b->own = NULL;
    b->cap = 0;
    return b->st;
}
