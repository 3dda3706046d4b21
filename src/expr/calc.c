/* calc.c: one thing put for another in a formula, and for an index each of its values: sums written out. */
#include "expr/build.h"

/* ---- substitution -------------------------------------------------------------------------------------- */

typedef struct {
    expr_node *from, *to;
} subst_ctx;

static expr_node *subst(expr_builder *b, expr_node *e, void *ctx) {
    subst_ctx *s = ctx;
    if (b->st) return NULL;
    if (expr_same(e, s->from)) return s->to;
    uint32_t body = expr_body(e);
    if (!body) return expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, subst, ctx);
    bool own = s->from->op == EXPR_AT ? expr_has(s->from, e->arg[0]) /* a[i] within Σ_i is another */
                                      : expr_same(e->arg[0], s->from);
    if (!own && expr_has(s->to, e->arg[0]) && expr_has(e->arg[body], s->from)) {
        b->st = ph_fail(
            b->err, PH_EARG,
            e->op == EXPR_SUM
                ? "substitution: the index '%s' of a sum would capture the one that is put in"
                : "substitution: the variable '%s' of an integral would capture the one that is put in",
            e->arg[0]->name);
        return NULL;
    }
    expr_node *arg[4] = {e->arg[0]};
    for (uint32_t i = 1; i < e->nargs; i++) arg[i] = own && i == body ? e->arg[i] : subst(b, e->arg[i], ctx);
    return expr_b_op(b, e->op, (int)e->nargs, arg);
}

ph_status expr_replace(expr_node **out, expr_node *e, expr_node *from, expr_node *to, ph_err *err) {
    *out = NULL;
    if (from->op != EXPR_SYM && from->op != EXPR_AT)
        return ph_fail(err, PH_EARG, "substitution: only a symbol can be replaced");
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, subst(&b, e, &(subst_ctx){from, to}));
}

ph_status expr_subst(expr_node **out, expr_node *e, expr_node *from, expr_node *to, ph_err *err) {
    *out = NULL;
    if (from->op == EXPR_SYM || from->op == EXPR_AT) {
        ph_status st = expr_names_agree((expr_node *[]){e, from}, 2, err);
        expr_node *ready = NULL;
        if (!st && from->op == EXPR_SYM && expr_has_family(e, from))
            st = ph_fail(err, PH_EARG,
                         "substitution: '%s' is a family here; put values for its members, %s[1] and so on",
                         from->name, from->name);
        if (!st) st = expr_members_apart(&ready, e, from, err);
        if (!st) st = expr_replace(out, ready, from, to, err);
        expr_drop(ready);
        return st;
    }
    return expr_replace(out, e, from, to, err);
}

expr_node *expr_b_replace(expr_builder *b, expr_node *e, expr_node *from, expr_node *to) {
    expr_node *r;
    if (b->st || !e || !from || !to) return NULL;
    b->st = expr_replace(&r, e, from, to, b->err);
    return expr_b_keep(b, r);
}

expr_node *expr_b_subst(expr_builder *b, expr_node *e, expr_node *from, expr_node *to) {
    expr_node *r;
    if (b->st || !e || !from || !to) return NULL;
    b->st = expr_subst(&r, e, from, to, b->err);
    return expr_b_keep(b, r);
}

expr_node *expr_b_try_subst(expr_builder *b, expr_node *e, expr_node *from, expr_node *to) {
    expr_node *r;
    ph_err unheard;
    if (b->st || !e || !from || !to) return NULL;
    ph_status st = expr_subst(&r, e, from, to, &unheard);
    if (ph_is_fatal(st)) b->st = ph_fail(b->err, st, "%s", unheard.text);
    return st ? NULL : expr_b_keep(b, r);
}

/* ---- sums with integer bounds -------------------------------------------------------------------------- */

/* A balanced tree keeps n terms log n deep. */
static expr_node *add_range(expr_builder *b, expr_node *body, expr_node *index, int64_t lo, int64_t hi) {
    if (b->st) return NULL;
    if (ph_interrupted()) {
        b->st = ph_fail_interrupted(b->err);
        return NULL;
    }
    if (lo == hi) return subst(b, body, &(subst_ctx){index, expr_b_rat(b, lo, 1)});
    int64_t mid = lo + (hi - lo) / 2;
    expr_node *left = add_range(b, body, index, lo, mid);
    return expr_b_2(b, EXPR_ADD, left, add_range(b, body, index, mid + 1, hi));
}

static expr_node *expand(expr_builder *b, expr_node *e, void *ctx) {
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, expand, ctx);
    if (!e || e->op != EXPR_SUM || e->arg[1]->op != EXPR_RAT || e->arg[2]->op != EXPR_RAT) return e;
    int64_t lo = e->arg[1]->num, hi = e->arg[2]->num, n; /* integers: no sum has other rationals there */
    if (hi < lo && lo - hi == 1) return expr_b_rat(b, 0, 1);
    if (hi < lo) {
        b->st = ph_fail(b->err, PH_EDOMAIN,
                        "sum: undefined: the upper bound %lld is more than one below the lower bound %lld",
                        (long long)hi, (long long)lo);
        return NULL;
    }
    if (__builtin_sub_overflow(hi, lo, &n) || n >= EXPR_MAX_SIZE / (int64_t)e->arg[3]->size) {
        b->st = ph_fail(b->err, PH_EBUDGET, "sum: written out it has more than %d parts", EXPR_MAX_SIZE);
        return NULL;
    }
    return add_range(b, e->arg[3], e->arg[0], lo, hi);
}

ph_status expr_expand_sums(expr_node **out, expr_node *e, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, expand(&b, e, NULL));
}
