/* identity.c: further ways to show that e is 0 where its normal form alone does not. Each is an equivalence or a sufficient
 * condition, for all values of the symbols at which e is defined:
 *
 *   sums         as differences of functions of their bounds (summation.c): then they are atoms.
 *   signs        u = |x − a| and the like are told apart by x > a, x < a and x = a: three cases that leave nothing out, each with
 *                a positive symbol (or 0) in place of x − a.
 *   squares      l = r when r >= 0, l² = r² and l >= 0: of l = a·√u with a >= 0 that follows from a²·u = r² >= 0.
 *   logarithms   Σ c_k·log B_k + r with B_k > 0, r real and c_k in Z is real, and its exponential Π B_k^c_k·e^r; a real number is 0
 *                when its exponential is 1. With rational c_k, a multiple is.
 *   exponentials l = r when log l = log r, with A for the log of e^A and sums for products: e^(log u) is u for every u that is not 0.
 *   angles       D = Σ c_k·atan u_k + r, real, with e^(2imD) = 1: mD is a multiple of π everywhere. D is continuous on a connected domain
 *                (all real symbols, some of them positive), so constant: 0 when a ball at one point lies within (−π/m, π/m).
 *   residues     floors in whole symbols, one residue after the other (by_residues.c).
 *   ranges       f(u) = A for an inverse function f, or floor, when A lies in the range of f and goes back to u (by_ranges.c). */
#include "verify/identity_ways.h"

#include <stdio.h>
#include <string.h>

#include "verify/ball.h"
#include "verify/meter.h"
#include "verify/trial.h"

#define MAX_LOGS 12

bool ver_has_op(const expr_node *e, expr_op op) {
    if (e->op == op) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_has_op(e->arg[i], op)) return true;
    return false;
}

bool ver_is_fresh(const expr_node *e) {
    if (e->op == EXPR_SYM && e->name[0] == '\'') return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_is_fresh(e->arg[i])) return true;
    return false;
}

bool ver_follows_zero(const ver_question *q, sums_form *f, expr_node *e) {
    if (q->b->st || !e) return false;
    ph_err unheard = {0};
    ph_status st = ver_sums_decide_within(f, e, NULL, q->depth + 1, &unheard);
    if (ph_is_fatal(st)) q->b->st = ph_fail(q->b->err, st, "%s", unheard.text);
    if (st) return false;
    if (f->form.answer == NORMAL_ZERO) return true;
    ver_normal_clear(&f->form);
    return false;
}

void ver_note_condition(const ver_question *q, expr_node *condition) {
    if (condition && !q->b->st) q->b->st = expr_set_append(&q->out->form.conditions, condition, q->b->err);
}

void ver_take_proof(const ver_question *q, sums_form *f) {
    sums_form *o = q->out;
    if (f->form.terms > o->form.terms) o->form.terms = f->form.terms;
    o->form.exponentials |= f->form.exponentials;
    o->form.algebraic = true;
    o->by_summand |= f->by_summand;
    if (!o->induction[0]) memcpy(o->induction, f->induction, sizeof o->induction);
    for (int i = 0; i < f->form.conditions.n; i++) ver_note_condition(q, f->form.conditions.item[i]);
    ver_normal_clear(&f->form);
}

/* Of a formula without symbols: is its ball real, and positive if that is asked? */
static bool constant_is(const expr_node *e, bool positive) {
    uint64_t seed = 0;
    acb_t v;
    acb_init(v);
    bool yes = expr_is_constant(e) && !ver_ball(v, e, ver_point_atom, &seed, 128, NULL) && acb_is_finite(v) &&
               acb_is_real(v) && (!positive || arb_is_positive(acb_realref(v)));
    acb_clear(v);
    return yes;
}

static bool constant_is_positive(const expr_node *e) { return constant_is(e, true); }
static bool is_real(const expr_node *e) { return expr_is_real(e) || constant_is(e, false); }

/* ---- squares ------------------------------------------------------------------------------------------- */

static expr_node *squared(expr_builder *b, expr_node *u) {
    return expr_b_2(b, EXPR_POW, u, expr_b_rat(b, 2, 1));
}

/* l², for a product of what is certainly >= 0, and of square roots, counted in *roots, of what need not be; NULL: no such product. */
static expr_node *square_of(expr_builder *b, expr_node *l, int *roots) {
    if (l->op == EXPR_MUL || l->op == EXPR_DIV) {
        expr_node *u = square_of(b, l->arg[0], roots), *v = u ? square_of(b, l->arg[1], roots) : NULL;
        return v ? expr_b_2(b, l->op, u, v) : NULL;
    }
    if (l->op == EXPR_SQRT) {
        *roots += !expr_is_nonnegative(l->arg[0]);
        return l->arg[0];
    }
    if (l->op == EXPR_ABS)
        return expr_is_real(l->arg[0]) ? squared(b, l->arg[0])
                                       : expr_b_2(b, EXPR_MUL, l->arg[0], expr_b_1(b, EXPR_CONJ, l->arg[0]));
    return expr_is_nonnegative(l) || constant_is_positive(l) ? squared(b, l) : NULL;
}

static bool equal_by_squares(const ver_question *q, expr_node *l, expr_node *r) {
    int left = 0, right = 0;
    expr_node *x = l ? square_of(q->b, l, &left) : NULL, *y = x && r ? square_of(q->b, r, &right) : NULL;
    if (!y || left + right > 1) return false;
    sums_form f;
    if (!ver_follows_zero(q, &f, expr_b_2(q->b, EXPR_SUB, x, y))) return false;
    ver_take_proof(q, &f);
    return true;
}

/* The terms of a sum, with the first root among them apart from the others: *root = sign·(others). */
static void isolate(expr_builder *b, expr_node *e, bool minus, expr_node **root, bool *root_minus,
                    expr_node **others) {
    if (e->op == EXPR_ADD || e->op == EXPR_SUB) {
        isolate(b, e->arg[0], minus, root, root_minus, others);
        isolate(b, e->arg[1], minus != (e->op == EXPR_SUB), root, root_minus, others);
    } else if (e->op == EXPR_NEG) isolate(b, e->arg[0], !minus, root, root_minus, others);
    else if (!*root && (ver_has_op(e, EXPR_SQRT) || ver_has_op(e, EXPR_ABS))) *root = e, *root_minus = minus;
    else if (*others) *others = minus ? expr_b_sub(b, *others, e) : expr_b_add(b, *others, e);
}

static bool by_squares(const ver_question *q) {
    if (q->e->op != EXPR_SUB || (!ver_has_op(q->e, EXPR_SQRT) && !ver_has_op(q->e, EXPR_ABS))) return false;
    if (equal_by_squares(q, q->e->arg[0], q->e->arg[1])) return true;
    expr_node *root = NULL, *others = expr_b_rat(q->b, 0, 1);
    bool minus = false;
    isolate(q->b, q->e, false, &root, &minus, &others);
    return root && others && equal_by_squares(q, root, minus ? others : expr_b_neg(q->b, others));
}

/* ---- linear forms in certain functions ------------------------------------------------------------------ */

typedef struct {
    expr_node *f[MAX_LOGS];
    expr_node *coef[MAX_LOGS]; /* rational */
    int n;
    expr_node *rest;
    bool logs; /* of logarithms of what is positive; else of angles */
} linear;

static bool is_angle(const expr_node *e) {
    if (e->op == EXPR_ATAN2) return expr_is_real(e->arg[0]) && expr_is_positive(e->arg[1]);
    if (e->op == EXPR_ATAN) return expr_is_real(e->arg[0]);
    return (e->op == EXPR_ASIN || e->op == EXPR_ACOS) && constant_is(e, false);
}

static bool gather(expr_builder *b, linear *l, expr_node *e, expr_node *coef) {
    if (b->st || !e || !coef || coef->op != EXPR_RAT) return false;
    switch (e->op) {
    case EXPR_NEG: return gather(b, l, e->arg[0], expr_b_neg(b, coef));
    case EXPR_ADD:
    case EXPR_SUB:
        return gather(b, l, e->arg[0], coef) &&
               gather(b, l, e->arg[1], e->op == EXPR_ADD ? coef : expr_b_neg(b, coef));
    case EXPR_MUL:
        if (e->arg[0]->op == EXPR_RAT) return gather(b, l, e->arg[1], expr_b_mul(b, coef, e->arg[0]));
        if (e->arg[1]->op == EXPR_RAT) return gather(b, l, e->arg[0], expr_b_mul(b, coef, e->arg[1]));
        break;
    case EXPR_DIV:
        if (e->arg[1]->op == EXPR_RAT) return gather(b, l, e->arg[0], expr_b_div(b, coef, e->arg[1]));
        break;
    default: break;
    }
    bool one = l->logs ? e->op == EXPR_LOG && expr_is_positive(e->arg[0]) : is_angle(e);
    if (!one) {
        l->rest = expr_b_add(b, l->rest, expr_b_mul(b, coef, e));
        return is_real(e);
    }
    if (l->n == MAX_LOGS) return false;
    l->f[l->n] = e;
    l->coef[l->n++] = coef;
    return true;
}

static bool common_denominator(const linear *l, int64_t *m) {
    *m = 1;
    for (int i = 0; i < l->n; i++) {
        int64_t d = l->coef[i]->den;
        if (d > 1000 || l->coef[i]->num > 1000 || l->coef[i]->num < -1000) return false;
        *m = *m / (int64_t)n_gcd((ulong)*m, (ulong)d) * d;
        if (*m > 1000) return false;
    }
    return l->n > 0;
}

static bool by_logarithms(const ver_question *q) {
    expr_builder *b = q->b;
    linear l = {.rest = expr_b_rat(b, 0, 1), .logs = true};
    int64_t m;
    if (!ver_has_op(q->e, EXPR_LOG) || !gather(b, &l, q->e, expr_b_rat(b, 1, 1)) ||
        !common_denominator(&l, &m))
        return false;
    expr_node *times = expr_b_rat(b, m, 1), *down = expr_b_rat(b, 1, 1);
    expr_node *up = expr_is_rat(l.rest, 0, 1) ? down : expr_b_1(b, EXPR_EXP, expr_b_mul(b, times, l.rest));
    for (int i = 0; i < l.n && !b->st; i++) {
        expr_node *k = expr_b_mul(b, times, l.coef[i]);
        if (!k) break;
        if (k->num > 0) up = expr_b_mul(b, up, expr_b_pow(b, l.f[i]->arg[0], k));
        else if (k->num < 0) down = expr_b_mul(b, down, expr_b_pow(b, l.f[i]->arg[0], expr_b_neg(b, k)));
    }
    sums_form f;
    if (!ver_follows_zero(q, &f, expr_b_2(b, EXPR_SUB, up, down))) return false;
    ver_take_proof(q, &f);
    return true;
}

/* ---- exponentials -------------------------------------------------------------------------------------- */

/* A formula whose exponential is e: A of e^A, sums of those of factors, log u of what is left. */
static expr_node *logarithm_of(expr_builder *b, expr_node *e) {
    bool power = e->op == EXPR_POW && e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1;
    switch (e->op) {
    case EXPR_EXP: return e->arg[0];
    case EXPR_MUL: return expr_b_add(b, logarithm_of(b, e->arg[0]), logarithm_of(b, e->arg[1]));
    case EXPR_DIV: return expr_b_sub(b, logarithm_of(b, e->arg[0]), logarithm_of(b, e->arg[1]));
    default: return power ? expr_b_mul(b, e->arg[1], logarithm_of(b, e->arg[0])) : expr_b_1(b, EXPR_LOG, e);
    }
}

/* Is there e^A with a sum in A? */
static bool has_product(const expr_node *e) {
    if (e->op == EXPR_EXP && ver_has_op(e, EXPR_SUM)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_product(e->arg[i])) return true;
    return false;
}

static bool by_exponentials(const ver_question *q) {
    sums_form f;
    if (q->e->op != EXPR_SUB || !has_product(q->e) || expr_is_rat(q->e->arg[0], 0, 1) ||
        expr_is_rat(q->e->arg[1], 0, 1))
        return false;
    expr_node *l = logarithm_of(q->b, q->e->arg[0]), *r = logarithm_of(q->b, q->e->arg[1]);
    if (!l || !r || !ver_follows_zero(q, &f, expr_b_sub(q->b, l, r))) return false;
    ver_take_proof(q, &f);
    return true;
}

/* ---- angles -------------------------------------------------------------------------------------------- */

/* Defined and continuous for all values of its symbols, which are real or positive: seen in the formula. */
static bool continuous(const expr_node *e) {
    switch (e->op) {
    case EXPR_SYM: return e->kind == EXPR_REAL || e->kind == EXPR_POSITIVE;
    case EXPR_RAT:
    case EXPR_PI: return true;
    case EXPR_DIV:
        if (!expr_is_positive(e->arg[1]) && !constant_is_positive(e->arg[1])) return false;
        break;
    case EXPR_POW:
        if (!expr_is_positive(e->arg[0]) &&
            !(e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && e->arg[1]->num > 0))
            return false;
        break;
    case EXPR_LOG:
        if (!expr_is_positive(e->arg[0])) return false;
        break;
    case EXPR_SQRT:
        if (!expr_is_nonnegative(e->arg[0])) return false;
        break;
    case EXPR_ASIN:
    case EXPR_ACOS: return constant_is(e, false);
    case EXPR_ATAN2:
        if (!expr_is_positive(e->arg[1])) return false;
        break;
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH:
    case EXPR_ATAN:
    case EXPR_ABS: break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!is_real(e->arg[i]) || !continuous(e->arg[i])) return false;
    return true;
}

/* |m·e| < π at a point */
static bool within_pi(const expr_node *e, int64_t m) {
    uint64_t seed = 0;
    acb_t v;
    arb_t pi;
    acb_init(v);
    arb_init(pi);
    arb_const_pi(pi, 128);
    bool yes = !ver_ball(v, e, ver_point_atom, &seed, 128, NULL) && acb_is_finite(v) && acb_is_real(v);
    if (yes) {
        arb_abs(acb_realref(v), acb_realref(v));
        arb_mul_si(acb_realref(v), acb_realref(v), (slong)m, 128);
        yes = arb_lt(acb_realref(v), pi);
    }
    acb_clear(v);
    arb_clear(pi);
    return yes;
}

static bool by_angles(const ver_question *q) {
    expr_builder *b = q->b;
    linear l = {.rest = expr_b_rat(b, 0, 1)};
    int64_t m;
    bool any = ver_has_op(q->e, EXPR_ATAN) || ver_has_op(q->e, EXPR_ATAN2) || ver_has_op(q->e, EXPR_ASIN) ||
               ver_has_op(q->e, EXPR_ACOS);
    if (!any) return false;
    if (!continuous(q->e) || !gather(b, &l, q->e, expr_b_rat(b, 1, 1)) || !common_denominator(&l, &m))
        return false;
    if (!within_pi(q->e, m)) return false;
    expr_node *angle = expr_b_mul(b, expr_b_rat(b, 2 * m, 1), q->e);
    expr_node *turn = expr_b_1(b, EXPR_EXP, expr_b_mul(b, expr_b_op(b, EXPR_I, 0, NULL), angle));
    sums_form f;
    if (!ver_follows_zero(q, &f, expr_b_2(b, EXPR_SUB, turn, expr_b_rat(b, 1, 1)))) return false;
    ver_take_proof(q, &f);
    return true;
}

/* ---- signs --------------------------------------------------------------------------------------------- */

/* g = c·x + h with a real symbol x, a rational c != 0 and h free of x; or g = x, an integer. */
typedef struct {
    expr_node *g, *x, *c, *h;
} split;

static bool solve(expr_builder *b, split *s, expr_node *g) {
    expr_set atoms;
    bool found = false;
    if (b->st || (b->st = expr_symbols(&atoms, g, b->err))) return false;
    for (int i = 0; i < atoms.n && !found && !b->st; i++) {
        expr_node *x = atoms.item[i], *h = NULL, *d = NULL;
        if (x->op != EXPR_SYM || x->kind != EXPR_REAL) continue;
        if ((b->st = expr_subst(&h, g, x, expr_b_rat(b, 0, 1), b->err))) break;
        if (!(h = expr_b_keep(b, h))) break;
        if (expr_diff(&d, g, x, b->err)) continue;
        d = expr_b_keep(b, d);
        if (d) d = expr_b_linear(b, d);
        if (!d || d->op != EXPR_RAT || d->num == 0) continue;
        *s = (split){g, expr_b_keep(b, expr_ref(x)), d, h};
        found = ver_normal_equal(b, g, expr_b_add(b, expr_b_mul(b, d, x), h));
    }
    expr_set_clear(&atoms);
    return found && !b->st;
}

/* A factor of g whose sign is open and that is linear in a symbol. */
static bool solve_factor(expr_builder *b, split *s, expr_node *g) {
    if (b->st || !g || !expr_is_real(g) || expr_is_nonnegative(g)) return false;
    if (g->op == EXPR_MUL || g->op == EXPR_DIV)
        return solve_factor(b, s, g->arg[0]) || solve_factor(b, s, g->arg[1]);
    if (g->op == EXPR_NEG || g->op == EXPR_POW) return solve_factor(b, s, g->arg[0]);
    if (g->op == EXPR_SYM && g->kind == EXPR_INTEGER) {
        *s = (split){g, g, expr_b_rat(b, 1, 1), expr_b_rat(b, 0, 1)};
        return !b->st;
    }
    expr_node *form = g->op == EXPR_ADD || g->op == EXPR_SUB ? expr_b_linear(b, g) : g;
    if (form && form->op == EXPR_MUL) return solve_factor(b, s, form);
    return form && solve(b, s, form);
}

/* The innermost function with a kink whose sign can be told apart. */
static bool find_kink(expr_builder *b, split *s, expr_node *e) {
    for (uint32_t i = 0; i < e->nargs; i++)
        if (find_kink(b, s, e->arg[i])) return true;
    if (e->op == EXPR_ABS || e->op == EXPR_SIGN) return solve_factor(b, s, e->arg[0]);
    return (e->op == EXPR_MIN || e->op == EXPR_MAX) &&
           solve_factor(b, s, expr_b_sub(b, e->arg[0], e->arg[1]));
}

/* A condition of one case, said in the symbols of the whole again. */
static void note_back(const ver_question *q, expr_node *condition, expr_node *fresh, expr_node *value) {
    expr_node *c = NULL;
    if (q->b->st) return;
    q->b->st = expr_subst(&c, condition, fresh, value, q->b->err);
    if ((c = expr_b_keep(q->b, c)) && c->op == EXPR_NE) ver_note_condition(q, c);
    else if (c) q->b->st = ph_fail(q->b->err, PH_EOUTSIDE, "a case with a condition of its own");
}

/* e with g = sign·t, t positive or 0: is it 0? */
static bool one_case(const ver_question *q, const split *s, expr_node *t, int sign) {
    expr_builder *b = q->b;
    sums_form f;
    expr_node *g = sign ? expr_b_mul(b, expr_b_rat(b, sign, 1), t) : expr_b_rat(b, 0, 1), *e = NULL;
    expr_node *x = expr_b_div(b, expr_b_sub(b, g, s->h), s->c);
    if (!x) return false;
    ph_err unheard = {0};
    ph_status st = expr_subst(&e, q->e, s->x, x, &unheard);
    if (st == PH_EDOMAIN && sign == 0) { /* not defined there */
        ver_note_condition(q, expr_b_2(b, EXPR_NE, s->g, expr_b_rat(b, 0, 1)));
        return !b->st;
    }
    if (st || !(e = expr_b_keep(b, e)) || !ver_follows_zero(q, &f, e)) return false;
    expr_set conditions = f.form.conditions;
    f.form.conditions = (expr_set){0};
    ver_take_proof(q, &f);
    for (int i = 0; i < conditions.n; i++)
        note_back(q, conditions.item[i], t, expr_b_mul(b, expr_b_rat(b, sign ? sign : 1, 1), s->g));
    expr_set_clear(&conditions);
    return !b->st;
}

static bool by_signs(const ver_question *q) {
    expr_builder *b = q->b;
    split s;
    char name[16];
    expr_node *t;
    if (ver_has_op(q->e, EXPR_SUM) || !find_kink(b, &s, q->e)) return false;
    snprintf(name, sizeof name, "'s%d", q->depth);
    if (b->st ||
        (b->st = expr_sym(&t, name, s.x->kind == EXPR_INTEGER ? EXPR_NATURAL : EXPR_POSITIVE, b->err)))
        return false;
    t = expr_b_keep(b, t);
    return t && one_case(q, &s, t, 1) && one_case(q, &s, t, -1) && one_case(q, &s, t, 0);
}

/* ---- the door ------------------------------------------------------------------------------------------ */

ph_status ver_identity(sums_form *out, bool *proved, expr_node *e, const ver_assume *where, int depth,
                       ph_err *err) {
    typedef bool way(const ver_question *);
    static way *const ways[] = {ver_by_sums,   by_squares, by_logarithms,   by_exponentials, by_angles,
                                ver_by_ranges, by_signs,   ver_by_residues, ver_by_induction};
    *proved = false;
    if (depth > VER_IDENTITY_DEPTH || e->size > 20000 || ver_fails_somewhere(e, where, 6, 64)) return PH_OK;
    ph_status st = PH_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !*proved && !st && !ver_meter_is_empty(); i++) {
        sums_form f = {0};
        ph_err unheard = {0};
        expr_builder b = EXPR_BUILDER(&unheard);
        *proved = ways[i](&(ver_question){&f, e, where, depth, &b});
        st = expr_b_end(&b, NULL, NULL);
        if (st) *proved = false;
        if (ph_is_fatal(st)) (void)ph_fail(err, st, "%s", unheard.text);
        else st = PH_OK;
        if (*proved) *out = f;
        else ver_normal_clear(&f.form);
    }
    return st;
}
