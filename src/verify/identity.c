/* identity.c: further ways to show that e is 0 where its normal form alone does not. Each is an equivalence or a sufficient
 * condition, for all values of the symbols at which e is defined:
 *
 *   sums         as differences of functions of their bounds (summation.c): then they are atoms.
 *   signs        u = |x − a| and the like are told apart by x > a, x < a and x = a: three cases that leave nothing out, each with
 *                a positive symbol (or 0) in place of x − a.
 *   squares      l = r when r >= 0, l² = r² and l >= 0: of l = a·√u with a >= 0 that follows from a²·u = r² >= 0.
 *   logarithms   Σ c_k·log B_k + r with B_k > 0, r real and c_k in Z is real, and its exponential Π B_k^c_k·e^r; a real number is 0
 *                when its exponential is 1. With rational c_k, a multiple is.
 *   angles       D = Σ c_k·atan u_k + r, real, with e^(2imD) = 1: mD is a multiple of π everywhere. D is continuous on a connected domain
 *                (all real symbols, some of them positive), so constant: 0 when a ball at one point lies within (−π/m, π/m). */
#include "verify/identity.h"

#include <stdio.h>
#include <string.h>

#include "verify/ball.h"
#include "verify/meter.h"
#include "verify/summation.h"
#include "verify/trial.h"

#define MAX_LOGS 12

typedef struct {
    sums_form *out;
    exp_node *e;
    const ver_assume *where;
    int depth;
    exp_builder *b;
} question;

static bool has_op(const exp_node *e, exp_op op) {
    if (e->op == op) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_op(e->arg[i], op)) return true;
    return false;
}

/* Is e 0? With the conditions of the proof; undecided is no failure. */
static bool is_zero(const question *q, sums_form *f, exp_node *e) {
    if (q->b->st || !e) return false;
    ph_err unheard = {0};
    ph_status st = ver_sums_decide_within(f, e, NULL, q->depth + 1, &unheard);
    if (ph_is_fatal(st)) q->b->st = ph_fail(q->b->err, st, "%s", unheard.text);
    if (st) return false;
    if (f->form.answer == NORMAL_ZERO) return true;
    ver_normal_clear(&f->form);
    return false;
}

static void note(const question *q, exp_node *condition) {
    if (condition && !q->b->st) q->b->st = exp_set_append(&q->out->form.conditions, condition, q->b->err);
}

/* The proof f of something that has e = 0 as its consequence becomes the proof of e = 0. */
static void take(const question *q, sums_form *f) {
    sums_form *o = q->out;
    if (f->form.terms > o->form.terms) o->form.terms = f->form.terms;
    o->form.exponentials |= f->form.exponentials;
    o->form.algebraic = true;
    o->by_summand |= f->by_summand;
    if (!o->induction[0]) memcpy(o->induction, f->induction, sizeof o->induction);
    for (int i = 0; i < f->form.conditions.n; i++) note(q, f->form.conditions.item[i]);
    ver_normal_clear(&f->form);
}

static bool is_constant(const exp_node *e) {
    if (e->op == EXP_SYM || e->op == EXP_AT || e->op == EXP_SUM) return false;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!is_constant(e->arg[i])) return false;
    return true;
}

/* Of a formula without symbols: is its ball real, and positive if that is asked? */
static bool constant_is(const exp_node *e, bool positive) {
    uint64_t seed = 0;
    acb_t v;
    acb_init(v);
    bool yes = is_constant(e) && !ver_ball(v, e, ver_point_atom, &seed, 128, NULL) && acb_is_finite(v) &&
               acb_is_real(v) && (!positive || arb_is_positive(acb_realref(v)));
    acb_clear(v);
    return yes;
}

static bool constant_is_positive(const exp_node *e) { return constant_is(e, true); }
static bool is_real(const exp_node *e) { return exp_is_real(e) || constant_is(e, false); }

/* ---- squares ------------------------------------------------------------------------------------------- */

static exp_node *squared(exp_builder *b, exp_node *u) { return exp_b_2(b, EXP_POW, u, exp_b_rat(b, 2, 1)); }

/* l², for a product of what is certainly >= 0, and of square roots, counted in *roots, of what need not be; NULL: no such product. */
static exp_node *square_of(exp_builder *b, exp_node *l, int *roots) {
    if (l->op == EXP_MUL || l->op == EXP_DIV) {
        exp_node *u = square_of(b, l->arg[0], roots), *v = u ? square_of(b, l->arg[1], roots) : NULL;
        return v ? exp_b_2(b, l->op, u, v) : NULL;
    }
    if (l->op == EXP_SQRT) {
        *roots += !exp_is_nonnegative(l->arg[0]);
        return l->arg[0];
    }
    if (l->op == EXP_ABS)
        return exp_is_real(l->arg[0]) ? squared(b, l->arg[0])
                                      : exp_b_2(b, EXP_MUL, l->arg[0], exp_b_1(b, EXP_CONJ, l->arg[0]));
    return exp_is_nonnegative(l) || constant_is_positive(l) ? squared(b, l) : NULL;
}

static bool equal_by_squares(const question *q, exp_node *l, exp_node *r) {
    int left = 0, right = 0;
    exp_node *x = l ? square_of(q->b, l, &left) : NULL, *y = x && r ? square_of(q->b, r, &right) : NULL;
    if (!y || left + right > 1) return false;
    sums_form f;
    if (!is_zero(q, &f, exp_b_2(q->b, EXP_SUB, x, y))) return false;
    take(q, &f);
    return true;
}

/* The terms of a sum, with the first root among them apart from the others: *root = sign·(others). */
static void isolate(exp_builder *b, exp_node *e, bool minus, exp_node **root, bool *root_minus,
                    exp_node **others) {
    if (e->op == EXP_ADD || e->op == EXP_SUB) {
        isolate(b, e->arg[0], minus, root, root_minus, others);
        isolate(b, e->arg[1], minus != (e->op == EXP_SUB), root, root_minus, others);
    } else if (e->op == EXP_NEG) isolate(b, e->arg[0], !minus, root, root_minus, others);
    else if (!*root && (has_op(e, EXP_SQRT) || has_op(e, EXP_ABS))) *root = e, *root_minus = minus;
    else if (*others) *others = minus ? exp_b_sub(b, *others, e) : exp_b_add(b, *others, e);
}

static bool by_squares(const question *q) {
    if (q->e->op != EXP_SUB || (!has_op(q->e, EXP_SQRT) && !has_op(q->e, EXP_ABS))) return false;
    if (equal_by_squares(q, q->e->arg[0], q->e->arg[1])) return true;
    exp_node *root = NULL, *others = exp_b_rat(q->b, 0, 1);
    bool minus = false;
    isolate(q->b, q->e, false, &root, &minus, &others);
    return root && others && equal_by_squares(q, root, minus ? others : exp_b_neg(q->b, others));
}

/* ---- linear forms in certain functions ------------------------------------------------------------------ */

typedef struct {
    exp_node *f[MAX_LOGS];
    exp_node *coef[MAX_LOGS]; /* rational */
    int n;
    exp_node *rest;
    bool logs; /* of logarithms of what is positive; else of angles */
} linear;

static bool is_angle(const exp_node *e) {
    if (e->op == EXP_ATAN2) return exp_is_real(e->arg[0]) && exp_is_positive(e->arg[1]);
    if (e->op == EXP_ATAN) return exp_is_real(e->arg[0]);
    return (e->op == EXP_ASIN || e->op == EXP_ACOS) && constant_is(e, false);
}

static bool gather(exp_builder *b, linear *l, exp_node *e, exp_node *coef) {
    if (b->st || !e || !coef || coef->op != EXP_RAT) return false;
    switch (e->op) {
    case EXP_NEG: return gather(b, l, e->arg[0], exp_b_neg(b, coef));
    case EXP_ADD:
    case EXP_SUB:
        return gather(b, l, e->arg[0], coef) &&
               gather(b, l, e->arg[1], e->op == EXP_ADD ? coef : exp_b_neg(b, coef));
    case EXP_MUL:
        if (e->arg[0]->op == EXP_RAT) return gather(b, l, e->arg[1], exp_b_mul(b, coef, e->arg[0]));
        if (e->arg[1]->op == EXP_RAT) return gather(b, l, e->arg[0], exp_b_mul(b, coef, e->arg[1]));
        break;
    case EXP_DIV:
        if (e->arg[1]->op == EXP_RAT) return gather(b, l, e->arg[0], exp_b_div(b, coef, e->arg[1]));
        break;
    default: break;
    }
    bool one = l->logs ? e->op == EXP_LOG && exp_is_positive(e->arg[0]) : is_angle(e);
    if (!one) {
        l->rest = exp_b_add(b, l->rest, exp_b_mul(b, coef, e));
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
        *m = *m / (int64_t)n_gcd((ulong)*m, (ulong)d) * d;
        if (*m > 1000 || l->coef[i]->num > 1000 || l->coef[i]->num < -1000) return false;
    }
    return l->n > 0;
}

static bool by_logarithms(const question *q) {
    exp_builder *b = q->b;
    linear l = {.rest = exp_b_rat(b, 0, 1), .logs = true};
    int64_t m;
    if (!has_op(q->e, EXP_LOG) || !gather(b, &l, q->e, exp_b_rat(b, 1, 1)) || !common_denominator(&l, &m))
        return false;
    exp_node *times = exp_b_rat(b, m, 1), *down = exp_b_rat(b, 1, 1);
    exp_node *up = exp_is_rat(l.rest, 0, 1) ? down : exp_b_1(b, EXP_EXP, exp_b_mul(b, times, l.rest));
    for (int i = 0; i < l.n && !b->st; i++) {
        exp_node *k = exp_b_mul(b, times, l.coef[i]);
        if (!k) break;
        if (k->num > 0) up = exp_b_mul(b, up, exp_b_pow(b, l.f[i]->arg[0], k));
        else if (k->num < 0) down = exp_b_mul(b, down, exp_b_pow(b, l.f[i]->arg[0], exp_b_neg(b, k)));
    }
    sums_form f;
    if (!is_zero(q, &f, exp_b_2(b, EXP_SUB, up, down))) return false;
    take(q, &f);
    return true;
}

/* ---- angles -------------------------------------------------------------------------------------------- */

/* Defined and continuous for all values of its symbols, which are real or positive: seen in the formula. */
static bool continuous(const exp_node *e) {
    switch (e->op) {
    case EXP_SYM: return e->kind == EXP_REAL || e->kind == EXP_POSITIVE;
    case EXP_RAT:
    case EXP_PI: return true;
    case EXP_DIV:
        if (!exp_is_positive(e->arg[1]) && !constant_is_positive(e->arg[1])) return false;
        break;
    case EXP_POW:
        if (!exp_is_positive(e->arg[0]) &&
            !(e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1 && e->arg[1]->num > 0))
            return false;
        break;
    case EXP_LOG:
        if (!exp_is_positive(e->arg[0])) return false;
        break;
    case EXP_SQRT:
        if (!exp_is_nonnegative(e->arg[0])) return false;
        break;
    case EXP_ASIN:
    case EXP_ACOS: return constant_is(e, false);
    case EXP_ATAN2:
        if (!exp_is_positive(e->arg[1])) return false;
        break;
    case EXP_NEG:
    case EXP_ADD:
    case EXP_SUB:
    case EXP_MUL:
    case EXP_MIN:
    case EXP_MAX:
    case EXP_SIN:
    case EXP_COS:
    case EXP_EXP:
    case EXP_SINH:
    case EXP_COSH:
    case EXP_TANH:
    case EXP_ATAN:
    case EXP_ABS: break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!is_real(e->arg[i]) || !continuous(e->arg[i])) return false;
    return true;
}

/* |m·e| < π at a point */
static bool within_pi(const exp_node *e, int64_t m) {
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

static bool by_angles(const question *q) {
    exp_builder *b = q->b;
    linear l = {.rest = exp_b_rat(b, 0, 1)};
    int64_t m;
    bool any =
        has_op(q->e, EXP_ATAN) || has_op(q->e, EXP_ATAN2) || has_op(q->e, EXP_ASIN) || has_op(q->e, EXP_ACOS);
    if (!any) return false;
    if (!continuous(q->e) || !gather(b, &l, q->e, exp_b_rat(b, 1, 1)) || !common_denominator(&l, &m))
        return false;
    if (!within_pi(q->e, m)) return false;
    exp_node *angle = exp_b_mul(b, exp_b_rat(b, 2 * m, 1), q->e);
    exp_node *turn = exp_b_1(b, EXP_EXP, exp_b_mul(b, exp_b_op(b, EXP_I, 0, NULL), angle));
    sums_form f;
    if (!is_zero(q, &f, exp_b_2(b, EXP_SUB, turn, exp_b_rat(b, 1, 1)))) return false;
    take(q, &f);
    return true;
}

/* ---- signs --------------------------------------------------------------------------------------------- */

/* g = c·x + h with a real symbol x, a rational c != 0 and h free of x; or g = x, an integer. */
typedef struct {
    exp_node *g, *x, *c, *h;
} split;

static bool solve(exp_builder *b, split *s, exp_node *g) {
    exp_set atoms;
    bool found = false;
    if (b->st || (b->st = exp_symbols(&atoms, g, b->err))) return false;
    for (int i = 0; i < atoms.n && !found && !b->st; i++) {
        exp_node *x = atoms.item[i], *h = NULL, *d = NULL;
        if (x->op != EXP_SYM || x->kind != EXP_REAL) continue;
        if ((b->st = exp_subst(&h, g, x, exp_b_rat(b, 0, 1), b->err))) break;
        if (!(h = exp_b_keep(b, h))) break;
        if (exp_diff(&d, g, x, b->err)) continue;
        d = exp_b_keep(b, d);
        if (d) d = exp_b_linear(b, d);
        if (!d || d->op != EXP_RAT || d->num == 0) continue;
        *s = (split){g, exp_b_keep(b, exp_ref(x)), d, h};
        found = ver_normal_equal(b, g, exp_b_add(b, exp_b_mul(b, d, x), h));
    }
    exp_set_clear(&atoms);
    return found && !b->st;
}

/* A factor of g whose sign is open and that is linear in a symbol. */
static bool solve_factor(exp_builder *b, split *s, exp_node *g) {
    if (b->st || !g || !exp_is_real(g) || exp_is_nonnegative(g)) return false;
    if (g->op == EXP_MUL || g->op == EXP_DIV)
        return solve_factor(b, s, g->arg[0]) || solve_factor(b, s, g->arg[1]);
    if (g->op == EXP_NEG || g->op == EXP_POW) return solve_factor(b, s, g->arg[0]);
    if (g->op == EXP_SYM && g->kind == EXP_INTEGER) {
        *s = (split){g, g, exp_b_rat(b, 1, 1), exp_b_rat(b, 0, 1)};
        return !b->st;
    }
    exp_node *form = g->op == EXP_ADD || g->op == EXP_SUB ? exp_b_linear(b, g) : g;
    if (form && form->op == EXP_MUL) return solve_factor(b, s, form);
    return form && solve(b, s, form);
}

/* The innermost function with a kink whose sign can be told apart. */
static bool find_kink(exp_builder *b, split *s, exp_node *e) {
    for (uint32_t i = 0; i < e->nargs; i++)
        if (find_kink(b, s, e->arg[i])) return true;
    if (e->op == EXP_ABS || e->op == EXP_SIGN) return solve_factor(b, s, e->arg[0]);
    return (e->op == EXP_MIN || e->op == EXP_MAX) && solve_factor(b, s, exp_b_sub(b, e->arg[0], e->arg[1]));
}

/* A condition of one case, said in the symbols of the whole again. */
static void note_back(const question *q, exp_node *condition, exp_node *fresh, exp_node *value) {
    exp_node *c = NULL;
    if (q->b->st) return;
    q->b->st = exp_subst(&c, condition, fresh, value, q->b->err);
    if ((c = exp_b_keep(q->b, c)) && c->op == EXP_NE) note(q, c);
    else if (c) q->b->st = ph_fail(q->b->err, PH_EOUTSIDE, "a case with a condition of its own");
}

/* e with g = sign·t, t positive or 0: is it 0? */
static bool one_case(const question *q, const split *s, exp_node *t, int sign) {
    exp_builder *b = q->b;
    sums_form f;
    exp_node *g = sign ? exp_b_mul(b, exp_b_rat(b, sign, 1), t) : exp_b_rat(b, 0, 1), *e = NULL;
    exp_node *x = exp_b_div(b, exp_b_sub(b, g, s->h), s->c);
    if (!x) return false;
    ph_err unheard = {0};
    ph_status st = exp_subst(&e, q->e, s->x, x, &unheard);
    if (st == PH_EDOMAIN && sign == 0) { /* not defined there */
        note(q, exp_b_2(b, EXP_NE, s->g, exp_b_rat(b, 0, 1)));
        return !b->st;
    }
    if (st || !(e = exp_b_keep(b, e)) || !is_zero(q, &f, e)) return false;
    exp_set conditions = f.form.conditions;
    f.form.conditions = (exp_set){0};
    take(q, &f);
    for (int i = 0; i < conditions.n; i++)
        note_back(q, conditions.item[i], t, exp_b_mul(b, exp_b_rat(b, sign ? sign : 1, 1), s->g));
    exp_set_clear(&conditions);
    return !b->st;
}

static bool by_signs(const question *q) {
    exp_builder *b = q->b;
    split s;
    char name[16];
    exp_node *t;
    if (has_op(q->e, EXP_SUM) || !find_kink(b, &s, q->e)) return false;
    snprintf(name, sizeof name, "'s%d", q->depth);
    if (b->st || (b->st = exp_sym(&t, name, s.x->kind == EXP_INTEGER ? EXP_NATURAL : EXP_POSITIVE, b->err)))
        return false;
    t = exp_b_keep(b, t);
    return t && one_case(q, &s, t, 1) && one_case(q, &s, t, -1) && one_case(q, &s, t, 0);
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static bool is_fresh(const exp_node *e) {
    if (e->op == EXP_SYM && e->name[0] == '\'') return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (is_fresh(e->arg[i])) return true;
    return false;
}

static bool by_sums(const question *q) {
    exp_set conditions = {0};
    sums_form f;
    exp_node *e = has_op(q->e, EXP_SUM) ? ver_without_sums(q->b, q->e, &conditions) : NULL;
    bool proved = e && !has_op(e, EXP_SUM) && is_zero(q, &f, e);
    if (proved) {
        for (int i = 0; i < f.form.conditions.n; i++)
            if (!is_fresh(f.form.conditions.item[i])) note(q, f.form.conditions.item[i]);
        exp_set_clear(&f.form.conditions);
        take(q, &f);
        q->out->by_summand = true;
        for (int i = 0; i < conditions.n; i++) note(q, conditions.item[i]);
        /* a condition of the way must not hide where e is not 0 */
        proved = !conditions.n || !(ver_fails_somewhere(q->e, q->where, 40, 128) ||
                                    ver_fails_among_small_integers(q->e, q->where));
    }
    exp_set_clear(&conditions);
    return proved && !q->b->st;
}

/* ---- the door ------------------------------------------------------------------------------------------ */

ph_status ver_identity(sums_form *out, bool *proved, exp_node *e, const ver_assume *where, int depth,
                       ph_err *err) {
    typedef bool way(const question *);
    static way *const ways[] = {by_sums, by_squares, by_logarithms, by_angles, by_signs};
    *proved = false;
    if (depth > VER_IDENTITY_DEPTH || e->size > 20000 || ver_fails_somewhere(e, where, 6, 64)) return PH_OK;
    ph_status st = PH_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !*proved && !st && !ver_meter_is_empty(); i++) {
        sums_form f = {0};
        ph_err unheard = {0};
        exp_builder b = EXP_BUILDER(&unheard);
        *proved = ways[i](&(question){&f, e, where, depth, &b});
        st = exp_b_end(&b, NULL, NULL);
        if (st) *proved = false;
        if (ph_is_fatal(st)) (void)ph_fail(err, st, "%s", unheard.text);
        else st = PH_OK;
        if (*proved) *out = f;
        else ver_normal_clear(&f.form);
    }
    return st;
}
