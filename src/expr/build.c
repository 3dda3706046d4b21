/* build.c: the builder that owns what it makes. */
#include "expr/build.h"

#include "base/list.h"

/* Blocks of one small size: a list that grows is copied, and for each of its larger pieces malloc goes through all small ones that are
 * free. */
#define BLOCK 62

struct expr_owned {
    struct expr_owned *before;
    size_t n;
    expr_node *node[BLOCK];
};

expr_node *expr_b_keep(expr_builder *b, expr_node *owned) {
    if (!owned) return NULL;
    if (!b->own || b->own->n == BLOCK) {
        struct expr_owned *more = ph_alloc(sizeof *more);
        if (!more) {
            expr_drop(owned);
            b->st = ph_fail_nomem(b->err, sizeof *more);
            return NULL;
        }
        more->before = b->own;
        more->n = 0;
        b->own = more;
    }
    return b->own->node[b->own->n++] = owned;
}

expr_node *expr_b_op(expr_builder *b, expr_op op, int n, expr_node *const *args) {
    if (b->st) return NULL;
    for (int i = 0; i < n; i++)
        if (!args[i]) return NULL;
    expr_node *e;
    b->st = expr_make(&e, op, n, args, b->err);
    return expr_b_keep(b, e);
}

expr_node *expr_b_rat(expr_builder *b, int64_t num, int64_t den) {
    if (b->st) return NULL;
    expr_node *e;
    b->st = expr_rat(&e, num, den, b->err);
    return expr_b_keep(b, e);
}

expr_node *expr_b_1(expr_builder *b, expr_op op, expr_node *x) { return expr_b_op(b, op, 1, &x); }

expr_node *expr_b_2(expr_builder *b, expr_op op, expr_node *x, expr_node *y) {
    return expr_b_op(b, op, 2, (expr_node *[]){x, y});
}

static bool is(const expr_node *x, int64_t v) { return x && expr_is_rat(x, v, 1); }

expr_node *expr_b_add(expr_builder *b, expr_node *x, expr_node *y) {
    if (is(x, 0)) return y;
    if (is(y, 0)) return x;
    return expr_b_2(b, EXPR_ADD, x, y);
}

expr_node *expr_b_neg(expr_builder *b, expr_node *x) {
    if (x && x->op == EXPR_NEG) return x->arg[0];
    return expr_b_1(b, EXPR_NEG, x);
}

expr_node *expr_b_sub(expr_builder *b, expr_node *x, expr_node *y) {
    if (is(y, 0)) return x;
    if (is(x, 0)) return expr_b_neg(b, y);
    return expr_b_2(b, EXPR_SUB, x, y);
}

expr_node *expr_b_mul(expr_builder *b, expr_node *x, expr_node *y) {
    if (is(x, 0) || is(y, 1)) return x;
    if (is(y, 0) || is(x, 1)) return y;
    if (is(x, -1)) return expr_b_neg(b, y);
    if (is(y, -1)) return expr_b_neg(b, x);
    return expr_b_2(b, EXPR_MUL, x, y);
}

expr_node *expr_b_div(expr_builder *b, expr_node *x, expr_node *y) {
    if (is(x, 0) && !is(y, 0)) return x;
    if (is(y, 1)) return x;
    return expr_b_2(b, EXPR_DIV, x, y);
}

expr_node *expr_b_pow(expr_builder *b, expr_node *x, expr_node *y) {
    if (is(y, 1)) return x;
    return expr_b_2(b, EXPR_POW, x, y);
}

expr_node *expr_b_rewrite(expr_builder *b, expr_node *e, uint32_t first, expr_rewrite_fn *f, void *ctx) {
    if (b->st || !e->nargs) return b->st ? NULL : e;
    if (first == 0 && e->op == EXPR_INTEGRAL) first = 1; /* the variable is a name, no part */
    expr_node *small[8], **arg = small;
    if (e->nargs > 8 && !(arg = ph_alloc(e->nargs * sizeof *arg))) {
        b->st = ph_fail_nomem(b->err, e->nargs * sizeof *arg);
        return NULL;
    }
    bool changed = false;
    for (uint32_t i = 0; i < e->nargs; i++) {
        arg[i] = i < first ? e->arg[i] : f(b, e->arg[i], ctx);
        changed = changed || arg[i] != e->arg[i];
    }
    expr_node *r = changed ? expr_b_op(b, e->op, (int)e->nargs, arg) : e;
    if (arg != small) ph_free(arg);
    return r;
}

typedef struct {
    const expr_node *from;
    expr_node *to;
} exchange;

static expr_node *exchanged(expr_builder *b, expr_node *e, void *ctx) {
    const exchange *x = ctx;
    return expr_same(e, x->from) ? x->to : expr_b_rewrite(b, e, 0, exchanged, ctx);
}

expr_node *expr_b_exchange(expr_builder *b, expr_node *e, const expr_node *from, expr_node *to) {
    return e && from && to ? exchanged(b, e, &(exchange){from, to}) : NULL;
}

ph_status expr_b_end(expr_builder *b, expr_node **out, expr_node *result) {
    if (out) *out = b->st == PH_OK && result ? expr_ref(result) : NULL;
    while (b->own) {
        struct expr_owned *last = b->own;
        while (last->n) expr_drop(last->node[--last->n]);
        b->own = last->before;
        ph_free(last);
    }
    return b->st;
}
