/* members.c: which members of a family are the same: a[n] may be a[1], and a[2] lives in Σ a[i]. What changes, derives by or
 * takes the mean of one member asks here first. */
#include <string.h>

#include "expr/build.h"

typedef enum { SAME, OTHER, EITHER } coincidence;

bool exp_uses_bound(const exp_node *e, const exp_bound *b) {
    for (; b; b = b->up)
        if (exp_has(e, b->sym)) return true;
    return false;
}

/* x[i] and x[k]: told by i − k. */
static coincidence compare(exp_builder *b, exp_node *i, exp_node *k) {
    exp_node *gap = exp_b_linear(b, exp_b_sub(b, i, k)), *back = exp_b_linear(b, exp_b_sub(b, k, i));
    if (!gap || !back) return EITHER;
    if (gap->op == EXP_RAT) return gap->num ? OTHER : SAME;
    bool apart = exp_is_positive(gap) || exp_is_positive(back);
    for (int64_t q = 1; q <= 8 && !apart && !b->st; q++) /* 0/q is an integer, (2n + 1)/2 is none */
        apart = exp_b_never_integer(b, exp_b_div(b, gap, exp_b_rat(b, q, 1)));
    return apart && !b->st ? OTHER : EITHER;
}

bool exp_has_family(const exp_node *e, const exp_node *family) {
    if (e->op == EXP_AT && exp_same(e->arg[0], family)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (exp_has_family(e->arg[i], family)) return true;
    return false;
}

typedef struct {
    exp_node *member;
    const exp_bound *up;
} walk;

static exp_node *apart(exp_builder *b, exp_node *e, void *ctx);

/* Σ over members of the family: written out where the bounds are numbers. */
static exp_node *apart_sum(exp_builder *b, exp_node *e, const walk *w) {
    exp_node *written;
    if (exp_has_family(e->arg[3], w->member->arg[0])) {
        if ((b->st = exp_expand_sums(&written, e, b->err))) return NULL;
        if (!(written = exp_b_keep(b, written))) return NULL;
        if (written->op != EXP_SUM) return apart(b, written, (void *)w);
        e = written;
    }
    exp_bound in = {e->arg[0], w->up};
    walk inner = {w->member, &in};
    return exp_b_op(b, EXP_SUM, 4,
                    (exp_node *[]){e->arg[0], apart(b, e->arg[1], (void *)w), apart(b, e->arg[2], (void *)w),
                                   apart(b, e->arg[3], &inner)});
}

static exp_node *apart(exp_builder *b, exp_node *e, void *ctx) {
    const walk *w = ctx;
    if (b->st || !e) return NULL;
    if (e->op == EXP_SUM) return apart_sum(b, e, w);
    if (e->op != EXP_AT) return exp_b_rewrite(b, e, 0, apart, ctx);
    e = exp_b_rewrite(b, e, 1, apart, ctx);
    if (!e || !exp_same(e->arg[0], w->member->arg[0])) return e;
    coincidence c = exp_uses_bound(e->arg[1], w->up) ? EITHER : compare(b, e->arg[1], w->member->arg[1]);
    if (c == SAME) return w->member;
    if (c == OTHER || b->st) return e;
    char *x = NULL, *y = NULL;
    if (!exp_text(&x, e, 60, NULL) && !exp_text(&y, w->member, 60, NULL))
        b->st = ph_fail(
            b->err, PH_EOUTSIDE,
            "%s and %s may be the same member; write the sum or the cases out with numbers as indices", x, y);
    else b->st = ph_fail_nomem(b->err, 60);
    ph_free(x);
    ph_free(y);
    return NULL;
}

ph_status exp_members_apart(exp_node **out, exp_node *e, exp_node *member, ph_err *err) {
    *out = NULL;
    exp_builder b = EXP_BUILDER(err);
    if (member->op != EXP_AT) return exp_b_end(&b, out, e);
    return exp_b_end(&b, out, apart(&b, e, &(walk){member, NULL}));
}
