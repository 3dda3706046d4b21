/* shape.c: formulas in one shape: what the laws of encodings look at. */
#include "verify/shape.h"

#include <string.h>

#include "expr/build.h"
#include "verify/ball.h"

#define PRECISION 128

/* ---- sums of symbols with whole coefficients ----------------------------------------------------------- */

#define MAX_ATOMS 32

typedef struct {
    expr_node *atom[MAX_ATOMS];
    int64_t times[MAX_ATOMS], constant;
    int n;
} whole_sum;

static bool joins_atom(whole_sum *s, expr_node *e, int sign) {
    int i = 0;
    while (i < s->n && !expr_same(s->atom[i], e)) i++;
    if (i == MAX_ATOMS) return false;
    if (i == s->n) s->atom[s->n] = e, s->times[s->n++] = 0;
    s->times[i] += sign; /* at most EXPR_MAX_SIZE of them */
    return true;
}

/* sign·e joins s; false: it is no such sum, or beyond 64 bits. */
static bool joins(whole_sum *s, expr_node *e, int sign) {
    switch (e->op) {
    case EXPR_SYM:
    case EXPR_AT: return joins_atom(s, e, sign);
    case EXPR_RAT:
        if (e->den != 1 || e->num == INT64_MIN) return false;
        return !__builtin_add_overflow(s->constant, sign * e->num, &s->constant) && s->constant != INT64_MIN;
    case EXPR_NEG: return joins(s, e->arg[0], -sign);
    case EXPR_ADD: return joins(s, e->arg[0], sign) && joins(s, e->arg[1], sign);
    case EXPR_SUB: return joins(s, e->arg[0], sign) && joins(s, e->arg[1], -sign);
    default: return false;
    }
}

static const expr_node *named(const expr_node *atom) { return atom->op == EXPR_AT ? atom->arg[0] : atom; }

/* By name; a symbol before its members, these by their index. */
static bool stands_before(const expr_node *a, const expr_node *b) {
    int by_name = strcmp(named(a)->name, named(b)->name);
    if (by_name || a->op != b->op) return by_name ? by_name < 0 : a->op == EXPR_SYM;
    if (a->op == EXPR_SYM) return false;
    const expr_node *i = a->arg[1], *k = b->arg[1];
    return i->op == EXPR_RAT && k->op == EXPR_RAT ? i->num < k->num : i->hash < k->hash;
}

/* The sum that e is, atoms in order, none of them 0 times. */
static bool is_whole_sum(whole_sum *s, expr_node *e) {
    int n = 0;
    *s = (whole_sum){.n = 0};
    if (!joins(s, e, 1)) return false;
    for (int i = 0; i < s->n; i++) {
        expr_node *a = s->atom[i];
        int64_t times = s->times[i];
        int k = n;
        if (!times) continue;
        for (; k > 0 && stands_before(a, s->atom[k - 1]); k--)
            s->atom[k] = s->atom[k - 1], s->times[k] = s->times[k - 1];
        s->atom[k] = a;
        s->times[k] = times;
        n++;
    }
    s->n = n;
    return true;
}

/* out + times·e; e NULL: 1, out NULL: nothing yet. */
static expr_node *term(expr_builder *b, expr_node *out, int64_t times, expr_node *e) {
    int64_t m = times < 0 ? -times : times;
    if (!times) return out;
    expr_node *t = e && m == 1 ? e : expr_b_rat(b, m, 1);
    if (e && m != 1) t = expr_b_2(b, EXPR_MUL, t, e);
    if (!out) return times > 0 ? t : expr_b_1(b, EXPR_NEG, t);
    return expr_b_2(b, times > 0 ? EXPR_ADD : EXPR_SUB, out, t);
}

static expr_node *written(expr_builder *b, const whole_sum *s) {
    expr_node *out = NULL;
    for (int i = 0; i < s->n; i++) out = term(b, out, s->times[i], s->atom[i]);
    out = term(b, out, s->constant, NULL);
    return out || b->st ? out : expr_b_rat(b, 0, 1);
}

/* ---- constants ----------------------------------------------------------------------------------------- */

static bool no_atoms(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)ctx, (void)v, (void)atom, (void)prec;
    return false;
}

/* x op y of formulas without symbols. */
static ver_truth decided(expr_builder *b, expr_op op, const expr_node *x, const expr_node *y) {
    ver_truth t = VER_UNDECIDED;
    ph_err why;
    acb_t u, v;
    if (!expr_is_constant(x) || !expr_is_constant(y)) return t;
    acb_init(u);
    acb_init(v);
    ph_status st = ver_ball(u, x, no_atoms, NULL, PRECISION, &why);
    if (!st) st = ver_ball(v, y, no_atoms, NULL, PRECISION, &why);
    if (!st && acb_is_finite(u) && acb_is_finite(v)) t = ver_ball_compare(op, u, v);
    if (ph_is_fatal(st)) b->st = ph_fail(b->err, st, "%s", why.text);
    acb_clear(u);
    acb_clear(v);
    return t;
}

/* ---- the shape ----------------------------------------------------------------------------------------- */

static bool is(const expr_node *e, int64_t x) { return expr_is_rat(e, x, 1); }

static expr_node *greater_or_lesser(expr_builder *b, expr_node *e) {
    expr_node *x = e->arg[0], *y = e->arg[1];
    if (decided(b, EXPR_GE, x, y) == VER_TRUE) return e->op == EXPR_MAX ? x : y;
    if (decided(b, EXPR_GE, y, x) == VER_TRUE) return e->op == EXPR_MAX ? y : x;
    return e;
}

/* e whose arguments are in shape. */
static expr_node *without_idle(expr_builder *b, expr_node *e) {
    if (!e || !e->nargs || e->op == EXPR_AT) return e;
    expr_node *x = e->arg[0], *y = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_MUL:
        if (is(x, 0) || is(y, 0)) return expr_b_rat(b, 0, 1);
        return is(x, 1) ? y : is(y, 1) ? x : e;
    case EXPR_ADD: return is(x, 0) ? y : is(y, 0) ? x : e;
    case EXPR_SUB: return is(y, 0) ? x : is(x, 0) ? expr_b_1(b, EXPR_NEG, y) : e;
    case EXPR_DIV: return is(x, 0) || is(y, 1) ? x : e;
    case EXPR_POW: return is(y, 0) && expr_is_constant(x) ? expr_b_rat(b, 1, 1) : is(y, 1) ? x : e;
    case EXPR_MIN:
    case EXPR_MAX: return greater_or_lesser(b, e);
    case EXPR_SIN:
    case EXPR_TANH: return is(x, 0) ? x : e;
    case EXPR_COS:
    case EXPR_EXP: return is(x, 0) ? expr_b_rat(b, 1, 1) : e;
    default: return e;
    }
}

static expr_node *shape(expr_builder *b, expr_node *e, void *none);

/* |x|; NULL without a failure: it is like any other function. */
static expr_node *shape_of_abs(expr_builder *b, expr_node *x) {
    whole_sum s;
    if (x->op == EXPR_MUL && x->arg[0]->op == EXPR_RAT) { /* |c·u| = |c|·|u| */
        expr_node *c = x->arg[0]->num < 0 ? expr_b_1(b, EXPR_NEG, x->arg[0]) : x->arg[0];
        expr_node *u = expr_b_1(b, EXPR_ABS, x->arg[1]);
        return without_idle(b, expr_b_2(b, EXPR_MUL, c, u ? shape(b, u, NULL) : NULL));
    }
    if (!is_whole_sum(&s, x)) return NULL;
    if ((s.n ? s.times[0] : s.constant) < 0) {
        for (int i = 0; i < s.n; i++) s.times[i] = -s.times[i];
        s.constant = -s.constant;
    }
    x = written(b, &s);
    return s.n ? expr_b_1(b, EXPR_ABS, x) : x;
}

static expr_node *shape_of_cases(expr_builder *b, expr_node *e) {
    expr_node **kept = ph_alloc(e->nargs * sizeof *kept), *out;
    int n = 0;
    bool more = true;
    if (!kept) return b->st = ph_fail_nomem(b->err, e->nargs * sizeof *kept), NULL;
    for (uint32_t i = 0; i + 1 < e->nargs && more && !b->st; i += 2) {
        expr_node *c = shape(b, e->arg[i], NULL);
        ver_truth t = c && expr_is_statement(c) ? decided(b, c->op, c->arg[0], c->arg[1]) : VER_UNDECIDED;
        if (t == VER_FALSE) continue;
        if (t == VER_UNDECIDED) kept[n++] = c;
        kept[n++] = shape(b, e->arg[i + 1], NULL);
        more = t != VER_TRUE;
    }
    if (more) kept[n++] = shape(b, e->arg[e->nargs - 1], NULL);
    out = n == 1 ? kept[0] : expr_b_op(b, EXPR_PIECE, n, kept);
    ph_free(kept);
    return b->st ? NULL : out;
}

static expr_node *shape(expr_builder *b, expr_node *e, void *none) {
    whole_sum s;
    expr_node *special = NULL;
    if (b->st || !e->nargs || e->op == EXPR_AT) return b->st ? NULL : e;
    if (is_whole_sum(&s, e)) return written(b, &s);
    if (expr_is_statement(e)) {
        expr_node *gap = expr_b_2(b, EXPR_SUB, e->arg[0], e->arg[1]);
        if (gap && is_whole_sum(&s, gap)) return expr_b_2(b, e->op, written(b, &s), expr_b_rat(b, 0, 1));
        return expr_b_rewrite(b, e, 0, shape, none);
    }
    if (e->op == EXPR_ABS) special = shape_of_abs(b, e->arg[0]);
    if (e->op == EXPR_PIECE) special = shape_of_cases(b, e);
    if (special || b->st) return special;
    return without_idle(b, expr_b_rewrite(b, e, e->op == EXPR_SUM ? 1 : 0, shape, none));
}

ph_status ver_shape(expr_node **out, expr_node *e, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, shape(&b, e, NULL));
}
