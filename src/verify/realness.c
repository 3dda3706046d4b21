/* realness.c: orders are asked where their sides are real: log x <= x − 1 where x > 0, for an order says nothing of other numbers.
 *
 * What is asked for holds wherever the side is real, and makes it real: with less a proof would leave out points at which the statement may be
 * false, such as x = −1 of √x·√x >= 0. So a function is looked into only where its values tell that its argument is real, a sum where one
 * of its terms alone may not be, a product where the other factor is not 0.
 */
#include "expr/build.h"
#include "verify/internal.h"
#include "verify/prove.h"

#define MORE 8 /* conditions that are added at most */

typedef struct {
    expr_builder *b;
    expr_node **claim;
    int n, given;
} asked;

/* u op bound, unless it is there, with < beside <= as well. */
static bool ask(asked *a, expr_op op, expr_node *u, expr_node *bound) {
    expr_node *c = expr_b_2(a->b, op, u, bound);
    for (int i = 0; i < a->n && c; i++) {
        const expr_node *k = a->claim[i];
        if (!expr_same(k->arg[0], u) || !expr_same(k->arg[1], bound)) continue;
        if (k->op == op || (k->op == EXPR_GT && op == EXPR_GE)) return true;
        if (i < a->given || k->op != EXPR_GE || op != EXPR_GT) continue;
        a->claim[i] = c;
        return true;
    }
    if (!c || a->n == a->given + MORE) return false;
    a->claim[a->n++] = c;
    return true;
}

static bool ask_above(asked *a, expr_node *u, bool zero_too) {
    if (expr_is_positive(u) || (zero_too && expr_is_nonnegative(u))) return true;
    return ask(a, zero_too ? EXPR_GE : EXPR_GT, u, expr_b_rat(a->b, 0, 1));
}

static bool ask_real(asked *a, expr_node *e);

/* Each of them has to be real. */
static bool ask_parts(asked *a, const expr_node *e) {
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!ask_real(a, e->arg[i])) return false;
    return true;
}

/* Is the real f nowhere 0 where e, a factor beside it, is not real? x is not in x·log x, for log 0 is undefined. */
static bool never_cancels(const expr_node *f, const expr_node *e) {
    if (f->op == EXPR_RAT) return f->num != 0;
    return expr_is_positive(f) || ((e->op == EXPR_LOG || e->op == EXPR_SQRT) && expr_same(f, e->arg[0]));
}

/* Of u and v one is real: u + v, u·v, u/v are real where the other is, too. */
static bool ask_one(asked *a, const expr_node *e) {
    bool first = expr_is_real(e->arg[1]);
    expr_node *open = e->arg[!first], *other = e->arg[first];
    if (!expr_is_real(other)) return false;
    bool product = e->op == EXPR_MUL || (e->op == EXPR_DIV && !first); /* what is divided by is not 0 */
    return (!product || never_cancels(other, open)) && ask_real(a, open);
}

/* Asks for what makes e real; false: that is not told. */
static bool ask_real(asked *a, expr_node *e) {
    if (expr_is_real(e)) return true;
    expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: return ask_one(a, e);
    case EXPR_NEG:
    case EXPR_CONJ:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_ATAN2:
    case EXPR_SIGN:
    case EXPR_FLOOR: return ask_parts(a, e);
    case EXPR_POW: /* (−1)^(2/3) is not real, but the power of another number may be */
        return v->op == EXPR_RAT && v->den > 1 && expr_is_real(u) && ask_above(a, u, v->num > 0);
    case EXPR_SQRT: return ask_real(a, u) && ask_above(a, u, true);
    case EXPR_LOG: return ask_real(a, u) && ask_above(a, u, false);
    case EXPR_ASIN:
    case EXPR_ACOS:
        return ask_real(a, u) && ask(a, EXPR_GE, u, expr_b_rat(a->b, -1, 1)) &&
               ask(a, EXPR_LE, u, expr_b_rat(a->b, 1, 1));
    default: return false;
    }
}

/* claim: room for the n conditions that are given and for MORE. How many there are then; 0: there is nothing to add, or what is real cannot be
 * told so. */
static int add_conditions(expr_node **claim, expr_builder *b, const expr_node *s, const ver_assume *a) {
    const int given = a ? a->nwhere : 0;
    asked all = {b, claim, given, given};
    for (int i = 0; i < given; i++) claim[i] = a->where[i];
    return ask_parts(&all, s) && all.n > given && !b->st ? all.n : 0;
}

ph_status ver_prove_where_real(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_status st = ver_prove(out, s, a, err);
    if (st || !ver_is_open(out) || s->op == EXPR_EQ || s->op == EXPR_NE) return st;
    ph_err unheard = {0};
    expr_builder b = EXPR_BUILDER(&unheard);
    size_t room = (size_t)(a ? a->nwhere : 0) + MORE;
    expr_node **claim = ph_alloc(room * sizeof *claim);
    if (!claim) return ph_fail_nomem(err, room * sizeof *claim);
    ver_verdict v;
    ver_init(&v);
    int n = add_conditions(claim, &b, s, a);
    if (n) st = ver_prove(&v, s, &(ver_assume){claim, n}, err);
    if (!st) ver_take_decided(out, &v);
    ver_clear(&v);
    ph_status end = expr_b_end(&b, NULL, NULL);
    ph_free(claim);
    return st || !ph_is_fatal(end) ? st : ph_fail(err, end, "%s", unheard.text);
}
