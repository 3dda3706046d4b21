/* members.c: which members of a family are the same: a[n] may be a[1], and a[2] lives in Σ a[i]. What changes, derives by or
 * takes the mean of one member asks here first. */
#include <string.h>

#include "expr/build.h"

typedef enum { SAME, OTHER, EITHER } coincidence;

bool expr_uses_bound(const expr_node *e, const expr_bound *b) {
    for (; b; b = b->up)
        if (expr_has(e, b->sym)) return true;
    return false;
}

static bool is_free(const expr_node *e, const expr_bound *b) {
    if (e->op == EXPR_SYM) return !expr_uses_bound(e, b);
    expr_bound in = {e->nargs ? e->arg[0] : NULL, b};
    uint32_t body = expr_body(e);
    for (uint32_t i = body ? 1 : 0; i < e->nargs; i++)
        if (is_free(e->arg[i], body && i == body ? &in : b)) return true;
    return false;
}

bool expr_is_constant(const expr_node *e) { return !is_free(e, NULL); }

/* x[i] and x[k]: told by i − k. */
static coincidence compare(expr_builder *b, expr_node *i, expr_node *k) {
    expr_node *gap = expr_b_linear(b, expr_b_sub(b, i, k)), *back = expr_b_linear(b, expr_b_sub(b, k, i));
    if (!gap || !back) return EITHER;
    if (gap->op == EXPR_RAT) return gap->num ? OTHER : SAME;
    bool apart = expr_is_positive(gap) || expr_is_positive(back);
    for (int64_t q = 1; q <= 8 && !apart && !b->st; q++) /* 0/q is an integer, (2n + 1)/2 is none */
        apart = expr_b_never_integer(b, expr_b_div(b, gap, expr_b_rat(b, q, 1)));
    return apart && !b->st ? OTHER : EITHER;
}

bool expr_has_family(const expr_node *e, const expr_node *family) {
    if (e->op == EXPR_AT && expr_same(e->arg[0], family)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (expr_has_family(e->arg[i], family)) return true;
    return false;
}

typedef struct {
    expr_node *member;
    const expr_bound *up;
} walk;

static expr_node *apart(expr_builder *b, expr_node *e, void *ctx);

/* Σ over members of the family: written out where the bounds are numbers. */
static expr_node *apart_sum(expr_builder *b, expr_node *e, const walk *w) {
    expr_node *written;
    if (expr_has_family(e->arg[3], w->member->arg[0])) {
        if ((b->st = expr_expand_sums(&written, e, b->err))) return NULL;
        if (!(written = expr_b_keep(b, written))) return NULL;
        if (written->op != EXPR_SUM) return apart(b, written, (void *)w);
        e = written;
    }
    expr_bound in = {e->arg[0], w->up};
    walk inner = {w->member, &in};
    return expr_b_op(b, EXPR_SUM, 4,
                     (expr_node *[]){e->arg[0], apart(b, e->arg[1], (void *)w),
                                     apart(b, e->arg[2], (void *)w), apart(b, e->arg[3], &inner)});
}

static expr_node *apart(expr_builder *b, expr_node *e, void *ctx) {
    const walk *w = ctx;
    if (b->st || !e) return NULL;
    if (e->op == EXPR_SUM) return apart_sum(b, e, w);
    if (e->op != EXPR_AT) return expr_b_rewrite(b, e, 0, apart, ctx);
    e = expr_b_rewrite(b, e, 1, apart, ctx);
    if (!e || !expr_same(e->arg[0], w->member->arg[0])) return e;
    coincidence c = expr_uses_bound(e->arg[1], w->up) ? EITHER : compare(b, e->arg[1], w->member->arg[1]);
    if (c == SAME) return w->member;
    if (c == OTHER || b->st) return e;
    char *x = NULL, *y = NULL;
    if (!expr_text(&x, e, 60, NULL) && !expr_text(&y, w->member, 60, NULL))
        b->st = ph_fail(
            b->err, PH_EOUTSIDE,
            "%s and %s may be the same member; write the sum or the cases out with numbers as indices", x, y);
    else b->st = ph_fail_nomem(b->err, 60);
    ph_free(x);
    ph_free(y);
    return NULL;
}

ph_status expr_members_apart(expr_node **out, expr_node *e, expr_node *member, ph_err *err) {
    *out = NULL;
    expr_builder b = EXPR_BUILDER(err);
    if (member->op != EXPR_AT) return expr_b_end(&b, out, e);
    return expr_b_end(&b, out, apart(&b, e, &(walk){member, NULL}));
}
