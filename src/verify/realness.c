/* realness.c: where a formula is real.
 *
 * What is asked for holds wherever the formula is real, and makes it real. An order whose sides need not be real is asked under it, for
 * an order says nothing of other numbers: log x <= x − 1 where x > 0. With less a proof would leave out points at which the statement
 * may be false, such as x = −1 of √x·√x >= 0. */
#include "expr/build.h"
#include "verify/conditions.h"
#include "verify/internal.h"
#include "verify/normal.h"
#include "verify/prove.h"
#include "verify/span.h"
#include "verify/sums.h"

#define MORE 8 /* conditions that an order is asked under at most, beside those that are given */

/* Real wherever it has a value at all. */
static bool is_real_where_defined(const expr_node *e) {
    switch (e->op) {
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_ATAN2:
    case EXPR_SIGN:
    case EXPR_FLOOR:
    case EXPR_CI:
    case EXPR_SI: return true;
    default: return expr_is_real(e);
    }
}

/* Is u its own conjugate, as z·conj z is? What fails here settles nothing, unless memory is short or the user interrupts. */
static bool is_own_conjugate(expr_builder *b, expr_node *u) {
    sums_form f;
    expr_node *gap = expr_b_sub(b, u, expr_b_1(b, EXPR_CONJ, u)), *written = NULL;
    if (gap && !(b->st = expr_expand_sums(&written, gap, b->err))) gap = expr_b_keep(b, written);
    bool is_read = gap && !b->st && !(b->st = ver_sums_decide(&f, gap, NULL, b->err));
    if (b->st && !ph_is_fatal(b->st)) b->st = PH_OK;
    if (!is_read) return false;
    bool yes = f.form.answer == NORMAL_ZERO;
    ver_normal_clear(&f.form);
    return yes;
}

/* Real, and not 0: by its bounds, as log 2 and 2 + sin x. */
static bool is_beside_zero(const expr_node *e) {
    ver_ends none = {.n = 0};
    ver_span s;
    if (!expr_is_real(e)) return false;
    ver_span_init(&s);
    bool yes = expr_is_positive(e) || (ver_span_of(&s, e, &none) && (arf_sgn(s.lo) > 0 || arf_sgn(s.hi) < 0));
    ver_span_clear(&s);
    return yes;
}

/* Is f real, and not 0 where g is not real? x is not in x·log x, for log 0 is undefined, and √0 is real. */
static bool leaves_real(const expr_node *f, const expr_node *g) {
    bool own = (g->op == EXPR_LOG || g->op == EXPR_SQRT) && expr_same(f, g->arg[0]);
    return is_beside_zero(f) || (own && expr_is_real(f));
}

/* What is real exactly when u is: u without a sign, a real summand, a real denominator, a factor or a numerator that is not 0. */
static expr_node *real_with(expr_node *u) {
    for (;;) {
        expr_node *x = u->nargs ? u->arg[0] : NULL, *y = u->nargs > 1 ? u->arg[1] : NULL;
        bool sum = u->op == EXPR_ADD || u->op == EXPR_SUB, product = u->op == EXPR_MUL;
        if (u->op == EXPR_NEG || u->op == EXPR_CONJ) u = x;
        else if (sum && is_real_where_defined(y)) u = x;
        else if (sum && is_real_where_defined(x)) u = y;
        else if (u->op == EXPR_DIV && is_real_where_defined(y)) u = x;
        else if (product && leaves_real(y, x)) u = x;
        else if ((product || u->op == EXPR_DIV) && leaves_real(x, y)) u = y;
        else return u;
    }
}

/* Do orders say where u is real? Of roots, logarithms and inverse functions of what they say it of; of rational powers of real numbers: (−1)^(2/3)
 * is not real, but that power of another number may be. */
static bool is_told(expr_node *u) {
    u = real_with(u);
    if (is_real_where_defined(u)) return true;
    switch (u->op) {
    case EXPR_SQRT:
    case EXPR_LOG:
    case EXPR_ASIN:
    case EXPR_ACOS: return is_told(u->arg[0]);
    case EXPR_POW:
        return u->arg[1]->op == EXPR_RAT && u->arg[1]->den != 1 && is_real_where_defined(u->arg[0]);
    default: return false;
    }
}

static ph_status ask(expr_set *out, expr_builder *b, expr_op op, expr_node *l, expr_node *r,
                     const ver_scope *s) {
    expr_node *c = expr_b_2(b, op, l, r);
    return b->st || !c ? b->st : ver_condition_over(out, c, s, b->err);
}

/* Of what is_told. */
static ph_status ask_orders(expr_set *out, expr_builder *b, expr_node *u, const ver_scope *s) {
    u = real_with(u);
    if (is_real_where_defined(u)) return PH_OK;
    expr_node *v = u->arg[0], *zero = expr_b_rat(b, 0, 1), *one = expr_b_rat(b, 1, 1);
    ph_status st = ask_orders(out, b, v, s);
    if (!st && (u->op == EXPR_ASIN || u->op == EXPR_ACOS)) {
        st = ask(out, b, EXPR_GE, v, expr_b_neg(b, one), s);
        return st ? st : ask(out, b, EXPR_LE, v, one, s);
    }
    if (st) return st;
    bool above = u->op == EXPR_LOG || (u->op == EXPR_POW && u->arg[1]->num < 0);
    return ask(out, b, above ? EXPR_GT : EXPR_GE, v, zero, s);
}

/* im u = 0 where no order says it. */
static ph_status is_real(expr_set *out, expr_node *u, const ver_scope *s, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    ph_status st = PH_OK;
    if (is_real_where_defined(u) || is_own_conjugate(&b, u)) return expr_b_end(&b, NULL, NULL);
    if (is_told(u)) st = ask_orders(out, &b, u, s);
    else st = ask(out, &b, EXPR_EQ, expr_b_1(&b, EXPR_IM, real_with(u)), expr_b_rat(&b, 0, 1), s);
    ph_status end = expr_b_end(&b, NULL, NULL);
    return st ? st : end;
}

/* i and −i are poles of atan: 1 + u² != 0. */
static ph_status is_off_poles(expr_set *out, expr_node *u, const ver_scope *s, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    if (expr_is_real(u)) return PH_OK;
    expr_node *square = expr_b_2(&b, EXPR_POW, u, expr_b_rat(&b, 2, 1));
    ph_status st =
        ask(out, &b, EXPR_NE, expr_b_add(&b, expr_b_rat(&b, 1, 1), square), expr_b_rat(&b, 0, 1), s);
    ph_status end = expr_b_end(&b, NULL, NULL);
    return st ? st : end;
}

ph_status ver_wants_real(expr_set *out, expr_node *e, const ver_scope *s, ph_err *err) {
    bool order = e->op >= EXPR_LT && e->op <= EXPR_GE;
    ph_status st = PH_OK;
    if (e->op == EXPR_ATAN) return is_off_poles(out, e->arg[0], s, err);
    if (!order && (!is_real_where_defined(e) || expr_is_real(e))) return PH_OK;
    for (uint32_t i = 0; i < e->nargs && !st; i++) st = is_real(out, e->arg[i], s, err);
    return st;
}

/* ---- orders, where their sides are real ----------------------------------------------------------------- */

/* Of an order or a part of it, but for what an index runs through. */
static ph_status real_parts(expr_set *out, expr_node *e, ph_err *err) {
    ph_status st = PH_OK;
    if (expr_body(e)) return PH_OK;
    for (uint32_t i = 0; i < e->nargs && !st; i++) st = real_parts(out, e->arg[i], err);
    return st ? st : ver_wants_real(out, e, NULL, err);
}

/* u > v, where c is u >= v. */
static bool says_more(const expr_node *k, const expr_node *c) {
    return k->op == EXPR_GT && c->op == EXPR_GE && expr_same(k->arg[0], c->arg[0]) &&
           expr_same(k->arg[1], c->arg[1]);
}

/* Is it given, or more than it given or asked for? */
static bool is_said(const expr_node *c, expr_node *const *given, int n, const expr_set *asked) {
    for (int i = 0; i < n; i++)
        if (expr_same(given[i], c) || says_more(given[i], c)) return true;
    for (int i = 0; i < asked->n; i++)
        if (says_more(asked->item[i], c)) return true;
    return false;
}

/* The conditions that are given, in `claim`, and what is asked for besides. How many these are together; 0: there is nothing to add, or no order says
 * where the sides are real. */
static int join(expr_node **claim, const ver_assume *a, const expr_set *asked) {
    int n = 0, given = a ? a->nwhere : 0;
    for (; n < given; n++) claim[n] = a->where[n];
    for (int i = 0; i < asked->n; i++) {
        expr_node *c = asked->item[i];
        if (c->op == EXPR_EQ) return 0;
        if (is_said(c, claim, given, asked)) continue;
        if (n == given + MORE) return 0;
        claim[n++] = c;
    }
    return n > given ? n : 0;
}

ph_status ver_prove_where_real(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_status st = ver_prove(out, s, a, err);
    if (st || !ver_is_open(out) || s->op == EXPR_EQ || s->op == EXPR_NE) return st;
    ph_err unheard = {0};
    expr_set asked = {0};
    ver_verdict v;
    size_t room = (size_t)(a ? a->nwhere : 0) + MORE;
    expr_node **claim = ph_alloc(room * sizeof *claim);
    if (!claim) return ph_fail_nomem(err, room * sizeof *claim);
    ver_init(&v);
    ph_status end = real_parts(&asked, s, &unheard);
    int n = end ? 0 : join(claim, a, &asked);
    if (n) st = ver_prove(&v, s, &(ver_assume){claim, n}, err);
    if (!st) ver_take_decided(out, &v);
    ver_clear(&v);
    expr_set_clear(&asked);
    ph_free(claim);
    return st || !ph_is_fatal(end) ? st : ph_fail(err, end, "%s", unheard.text);
}
