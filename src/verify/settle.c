/* settle.c: facts, cases, and the order in which arguments are tried. */
#include "verify/settle.h"

#include <stdio.h>

#include "verify/cases.h"
#include "verify/linear_facts.h"
#include "verify/meter.h"
#include "verify/reading.h"
#include "verify/span.h"

#define MAX_READINGS    12   /* each makes the units of some variables finer */
#define MAX_SIZE        2000 /* parts of a goal */
#define SPARE           40   /* goals for each argument of the statement itself, whatever was used before */
#define MAX_DENOMINATOR 1000
#define READING         500 /* units of the meter for one reading */

/* ---- facts --------------------------------------------------------------------------------------------- */

bool ver_goal_add(ver_goal *g, expr_node *u, bool strict) {
    if (!u || g->nfacts == SETTLE_FACTS) return false;
    g->fact[g->nfacts++] = (ver_fact){.u = u, .strict = strict};
    return true;
}

/* The least number by which Σ c·u + c, as expr_b_linear writes it, has whole coefficients; 0: it is large. */
static int64_t common_denominator(const expr_node *u) {
    if (u->op == EXPR_RAT) return u->den <= MAX_DENOMINATOR ? u->den : 0;
    if (u->op == EXPR_MUL && u->arg[0]->op == EXPR_RAT) return common_denominator(u->arg[0]);
    if (u->op != EXPR_ADD && u->op != EXPR_SUB) return 1;
    int64_t l = common_denominator(u->arg[0]), r = common_denominator(u->arg[1]);
    if (!l || !r) return 0;
    int64_t m = l / (int64_t)n_gcd((ulong)l, (ulong)r) * r;
    return m <= MAX_DENOMINATOR ? m : 0;
}

expr_node *ver_whole_multiple(expr_builder *b, expr_node *u) {
    if (expr_is_whole(u) || !(u = ver_without_denominators(b, u)) || expr_is_whole(u)) return u;
    expr_node *form = expr_b_linear(b, u);
    int64_t m = form ? common_denominator(form) : 0;
    expr_node *times = m > 1 ? expr_b_linear(b, expr_b_mul(b, expr_b_rat(b, m, 1), form)) : NULL;
    return times && expr_is_whole(times) ? times : NULL;
}

/* Between integers u > 0 is u >= 1. */
static bool add_fact(ver_goal *g, expr_node *u, bool strict) {
    expr_node *times = u && strict ? ver_whole_multiple(g->b, u) : NULL;
    if (times) return ver_goal_add(g, expr_b_sub(g->b, times, expr_b_rat(g->b, 1, 1)), false);
    return ver_goal_add(g, u, strict);
}

/* From |v| <= r follow v <= r and −v <= r. */
static bool assume_within(ver_goal *g, expr_node *l, expr_node *r, bool strict) {
    if (l->op != EXPR_ABS || !expr_is_real(l->arg[0])) return true;
    return add_fact(g, expr_b_sub(g->b, r, l->arg[0]), strict) &&
           add_fact(g, expr_b_add(g->b, r, l->arg[0]), strict);
}

bool ver_goal_assume(ver_goal *g, const expr_node *s) {
    expr_node *l = s->arg[0], *r = s->arg[1];
    if (!expr_is_real(l) || !expr_is_real(r)) return true; /* says nothing of order */
    if (s->op == EXPR_LE || s->op == EXPR_LT) assume_within(g, l, r, s->op == EXPR_LT);
    if (s->op == EXPR_GE || s->op == EXPR_GT) assume_within(g, r, l, s->op == EXPR_GT);
    switch (s->op) {
    case EXPR_LE:
    case EXPR_LT: return add_fact(g, expr_b_sub(g->b, r, l), s->op == EXPR_LT);
    case EXPR_GE:
    case EXPR_GT: return add_fact(g, expr_b_sub(g->b, l, r), s->op == EXPR_GT);
    case EXPR_EQ:
        return add_fact(g, expr_b_sub(g->b, l, r), false) && add_fact(g, expr_b_sub(g->b, r, l), false);
    default: return true;
    }
}

ph_status ver_goal_subst(ver_goal *g, expr_node **u, expr_node *from, expr_node *to) {
    expr_node *v;
    for (int i = -1; i < g->nfacts; i++) {
        expr_node **at = i < 0 ? u : &g->fact[i].u;
        ph_status st = expr_subst(&v, *at, from, to, g->b->err);
        if (st) return st;
        if (!(*at = expr_b_keep(g->b, v))) return g->b->st;
    }
    return PH_OK;
}

/* The coefficient of x in a formula built by + − and products with constants; NULL: another formula. */
static expr_node *coefficient_of(expr_builder *b, expr_node *u, const expr_node *x) {
    if (expr_same(u, x)) return expr_b_rat(b, 1, 1);
    if (!expr_has(u, x)) return expr_b_rat(b, 0, 1);
    expr_node *l, *r;
    switch (u->op) {
    case EXPR_NEG: return (l = coefficient_of(b, u->arg[0], x)) ? expr_b_neg(b, l) : NULL;
    case EXPR_ADD:
    case EXPR_SUB:
        l = coefficient_of(b, u->arg[0], x);
        r = l ? coefficient_of(b, u->arg[1], x) : NULL;
        return !r ? NULL : u->op == EXPR_ADD ? expr_b_add(b, l, r) : expr_b_sub(b, l, r);
    case EXPR_MUL:
        if (u->arg[0]->op == EXPR_RAT)
            return (r = coefficient_of(b, u->arg[1], x)) ? expr_b_mul(b, u->arg[0], r) : NULL;
        if (u->arg[1]->op == EXPR_RAT)
            return (l = coefficient_of(b, u->arg[0], x)) ? expr_b_mul(b, l, u->arg[1]) : NULL;
        return NULL;
    case EXPR_DIV:
        if (u->arg[1]->op != EXPR_RAT) return NULL;
        return (l = coefficient_of(b, u->arg[0], x)) ? expr_b_div(b, l, u->arg[1]) : NULL;
    default: return NULL;
    }
}

bool ver_linear_in(expr_builder *b, expr_node *u, expr_node *x, expr_node **coefficient, expr_node **rest) {
    expr_node *c = coefficient_of(b, u, x), *r = NULL;
    if (!c) return false;
    c = expr_b_linear(b, c);
    if (!c || c->op != EXPR_RAT || expr_subst(&r, u, x, expr_b_rat(b, 0, 1), b->err)) return false;
    r = expr_b_keep(b, r);
    *coefficient = c;
    *rest = r ? expr_b_linear(b, r) : NULL;
    return *rest != NULL;
}

/* Does a fact bound the symbol x itself from below by what is >= 0 (strict: keep it above 0)? */
static bool bounded_below(const ver_goal *g, expr_node *x, bool strict) {
    for (int i = 0; i < g->nfacts; i++) {
        expr_node *c, *r;
        if (!ver_linear_in(g->b, g->fact[i].u, x, &c, &r) || c->num <= 0) continue;
        expr_node *end = expr_b_neg(g->b, r); /* c·x >= end */
        if (end && (expr_is_positive(end) || (expr_is_nonnegative(end) && (!strict || g->fact[i].strict))))
            return true;
    }
    return false;
}

static bool ask(void *ctx, expr_node *u, bool strict) {
    const ver_goal *g = ctx;
    ver_sign s = VER_SIGN_OPEN;
    if (u->op == EXPR_SYM || u->op == EXPR_AT) return bounded_below(g, u, strict);
    if (u->size > 400 || ver_settle_within(&s, g, u, strict)) return false;
    return s >= (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* n/d has the sign of n where d > 0 is seen, else that of n·d. */
static void clear_denominator(reading *x, ring_frac *f) {
    ver_sign s[READ_GENS + 1] = {VER_SIGN_OPEN};
    for (slong g = 1; g < x->ngens; g++) s[x->r.nvars - 1 - g] = x->gen[g].sign;
    if (ver_poly_visible(f->d, s, x->r.ctx) != VER_SIGN_POSITIVE) fmpz_mpoly_mul(f->n, f->n, f->d, x->r.ctx);
}

/* What is assumed may hold at an angle of π alone, which no tangent reaches; what always holds does so beside it, too. */
static ph_status add_read_fact(reading *x, const ver_fact *fact) {
    ring_frac f;
    ver_ring_frac_init(&f, &x->r);
    ph_status st = ver_read(&f, x, fact->u);
    if (!st) st = ver_ring_cancel(&f, &x->r);
    if (!st && fmpz_mpoly_degree_si(f.n, x->r.nvars - 1, x->r.ctx) <= 0) { /* real: free of I */
        bool kept = fact->strict || fact->always || ver_reading_reaches_pi(x, &f);
        clear_denominator(x, &f);
        if (kept) ver_reading_fact(x, f.n, fact->strict);
    }
    ver_ring_frac_clear(&f, &x->r);
    return ph_is_fatal(st) ? st : PH_OK;
}

/* Natural symbols are >= 1. */
static ph_status add_kinds(reading *x, expr_builder *b) {
    ph_status st = PH_OK;
    for (slong g = 1, n = x->ngens; g < n && !st; g++) {
        const expr_node *s = x->gen[g].node;
        if (x->gen[g].kind != READ_SYMBOL) continue;
        if (s->op == EXPR_AT) s = s->arg[0];
        if (s->kind != EXPR_NATURAL) continue;
        expr_node *f = expr_b_sub(b, x->gen[g].node, expr_b_rat(b, 1, 1));
        st = f ? add_read_fact(x, &(ver_fact){.u = f, .always = true}) : b->st;
    }
    return st;
}

static ph_status read_all(ring_frac *f, reading *x, const ver_goal *g, expr_node *u, bool tangents) {
    ph_status st = ver_read(f, x, u);
    if (!st) st = ver_ring_cancel(f, &x->r);
    for (int i = 0; i < g->nfacts && !st; i++) st = add_read_fact(x, &g->fact[i]);
    if (!st) st = add_kinds(x, g->b);
    if (!st) st = ver_reading_powers(x, tangents);
    return st;
}

ph_status ver_by_reading(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict,
                         bool tangents) {
    reading *x = ph_alloc(sizeof *x);
    if (!x) return ph_fail_nomem(g->b->err, sizeof *x);
    ph_status st = ver_reading_init(x, g->b, ask, (void *)g, &g->left->roots);
    for (int i = 0; i < MAX_READINGS && (!ph_is_fatal(st)); i++) {
        ring_frac f;
        if (!ver_meter_spend(READING)) break;
        ver_ring_frac_init(&f, &x->r);
        st = read_all(&f, x, g, u, tangents);
        bool real = !st && !x->again && fmpz_mpoly_degree_si(f.n, x->r.nvars - 1, x->r.ctx) <= 0 &&
                    fmpz_mpoly_degree_si(f.d, x->r.nvars - 1, x->r.ctx) <= 0;
        if (real) st = ver_linear_facts(out, method, x, &f, strict);
        if (real && !st && (*out == VER_SIGN_OPEN || (strict && *out != VER_SIGN_POSITIVE))) {
            ver_sign more = VER_SIGN_OPEN;
            const char *how;
            st = ver_reading_sign(&more, &how, x, &f, strict);
            if (more > *out) *out = more, *method = how;
        }
        ver_ring_frac_clear(&f, &x->r);
        if (!x->again) break;
        st = ver_reading_again(x);
    }
    ver_reading_clear(x);
    ph_free(x);
    return ph_is_fatal(st) ? st : PH_OK;
}

static bool has_op(const expr_node *e, expr_op op) {
    if (e->op == op) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_op(e->arg[i], op)) return true;
    return false;
}

/* log A >= B by A >= e^B: of k·u with whole multiples of logarithms. */
static ph_status by_exponential(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                bool strict) {
    expr_builder *b = g->b;
    if (!has_op(u, EXPR_LOG)) return PH_OK;
    for (int k = 1; k <= 2 && *out == VER_SIGN_OPEN; k++) {
        expr_node *e = expr_b_1(b, EXPR_EXP, expr_b_mul(b, expr_b_rat(b, k, 1), u));
        expr_node *v = expr_b_sub(b, e, expr_b_rat(b, 1, 1));
        if (!v) return b->st;
        ph_status st = ver_by_reading(out, method, g, v, strict, true);
        if (st) return st;
    }
    *method = "logarithms removed by exp, then polynomials";
    return PH_OK;
}

/* ---- cases --------------------------------------------------------------------------------------------- */

/* The first part, innermost first and not within a sum, that is one formula or another. */
static expr_node *find_case(expr_node *e) {
    if (e->op == EXPR_SUM || expr_is_statement(e)) return NULL;
    for (uint32_t i = 0; i < e->nargs; i++) {
        expr_node *p = e->op == EXPR_AT ? NULL : find_case(e->arg[i]);
        if (p) return p;
    }
    bool switches = e->op == EXPR_MIN || e->op == EXPR_MAX || e->op == EXPR_SIGN || e->op == EXPR_FLOOR ||
                    e->op == EXPR_PIECE || e->op == EXPR_ABS;
    return switches && (e->op == EXPR_PIECE || expr_is_real(e->arg[0])) ? e : NULL;
}

/* u and the facts with `part` replaced, under one fact more (NULL: none) and another. */
static ph_status one_case(ver_sign *worst, const ver_goal *g, expr_node *u, expr_node *part, expr_node *by,
                          expr_node *fact, bool open, expr_node *fact2, bool open2, bool strict) {
    ver_goal h = *g;
    ver_sign s = VER_SIGN_OPEN;
    if (*worst == VER_SIGN_OPEN) return PH_OK;
    u = ver_take_case(g->b, u, part, by);
    for (int i = 0; i < h.nfacts; i++) h.fact[i].u = ver_take_case(g->b, h.fact[i].u, part, by);
    for (int i = 0; i < h.nfacts; i++)
        if (!h.fact[i].u) return g->b->st;
    if (!u) return g->b->st;
    if (fact) ver_goal_add(&h, fact, open);
    if (fact2) ver_goal_add(&h, fact2, open2);
    ph_status st = ver_settle_within(&s, &h, u, strict);
    if (s < *worst) *worst = s;
    return st;
}

/* A condition of piecewise as facts of a goal; where: as it stands, or its negation. */
static bool assume_condition(ver_goal *g, const expr_node *c, bool holds) {
    static const expr_op not [] = {EXPR_NE, EXPR_EQ, EXPR_GE, EXPR_GT, EXPR_LE, EXPR_LT};
    expr_node n = *c;
    if (holds) return ver_goal_assume(g, c);
    expr_node *s = expr_b_2(g->b, not [n.op - EXPR_EQ], c -> arg[0], c -> arg[1]);
    return s && ver_goal_assume(g, s);
}

static ph_status piece_cases(ver_sign *worst, const ver_goal *g, expr_node *u, expr_node *p, bool strict) {
    ver_goal h = *g, not = *g;
    ph_status st = PH_OK;
    if (!expr_is_statement(p->arg[0]) || !assume_condition(&h, p->arg[0], true) ||
        !assume_condition(&not, p->arg[0], false))
        return *worst = VER_SIGN_OPEN, g->b->st;
    expr_node *rest =
        p->nargs <= 3 ? p->arg[p->nargs - 1] : expr_b_op(g->b, EXPR_PIECE, (int)p->nargs - 2, p->arg + 2);
    if (!rest) return g->b->st;
    st = one_case(worst, &h, u, p, p->arg[1], NULL, false, NULL, false, strict);
    return st ? st : one_case(worst, &not, u, p, rest, NULL, false, NULL, false, strict);
}

/* floor(v) is an integer n with n <= v < n + 1. */
static ph_status floor_case(ver_sign *worst, const ver_goal *g, expr_node *u, expr_node *p, bool strict) {
    char name[32];
    expr_node *n = NULL, *v = p->arg[0];
    snprintf(name, sizeof name, "floor %d", g->depth);
    ph_status st = expr_sym(&n, name, EXPR_INTEGER, g->b->err);
    if (st || !(n = expr_b_keep(g->b, n))) return st ? st : g->b->st;
    expr_node *above = expr_b_sub(g->b, expr_b_add(g->b, n, expr_b_rat(g->b, 1, 1)), v);
    ver_goal h = *g;
    if (!above || !add_fact(&h, above, true)) return *worst = VER_SIGN_OPEN, g->b->st;
    return one_case(worst, &h, u, p, n, expr_b_sub(g->b, v, n), false, NULL, false, strict);
}

static ph_status by_cases(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *p, bool strict) {
    expr_builder *b = g->b;
    expr_node *v = p->arg[0], *w = p->nargs > 1 ? p->arg[1] : NULL;
    expr_node *minus = p->op == EXPR_ABS || p->op == EXPR_SIGN ? expr_b_neg(b, v) : NULL;
    ver_sign worst = VER_SIGN_POSITIVE;
    ph_status st = PH_OK;
    switch (p->op) {
    case EXPR_ABS:
        PH_TRY(one_case(&worst, g, u, p, v, v, false, NULL, false, strict));
        PH_TRY(one_case(&worst, g, u, p, minus, minus, false, NULL, false, strict));
        break;
    case EXPR_SIGN:
        PH_TRY(one_case(&worst, g, u, p, expr_b_rat(b, 1, 1), v, true, NULL, false, strict));
        PH_TRY(one_case(&worst, g, u, p, expr_b_rat(b, -1, 1), minus, true, NULL, false, strict));
        PH_TRY(one_case(&worst, g, u, p, expr_b_rat(b, 0, 1), v, false, minus, false, strict));
        break;
    case EXPR_MIN:
    case EXPR_MAX: {
        expr_node *first = p->op == EXPR_MAX ? expr_b_sub(b, v, w) : expr_b_sub(b, w, v);
        PH_TRY(one_case(&worst, g, u, p, v, first, false, NULL, false, strict));
        PH_TRY(one_case(&worst, g, u, p, w, expr_b_neg(b, first), false, NULL, false, strict));
        break;
    }
    case EXPR_FLOOR: PH_TRY(floor_case(&worst, g, u, p, strict)); break;
    default: PH_TRY(piece_cases(&worst, g, u, p, strict)); break;
    }
    *out = worst;
done:
    return st ? st : b->st;
}

/* ---- the order ----------------------------------------------------------------------------------------- */

/* a − b >= 0 with a >= 0 when a² − b² >= 0, for a with a root in it. */
static ph_status by_squares(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                            bool strict) {
    *method = "squares of both sides";
    if (u->op != EXPR_SUB || !expr_is_real(u->arg[1]) || !expr_is_nonnegative(u->arg[0]) ||
        !has_op(u->arg[0], EXPR_SQRT))
        return PH_OK;
    expr_node *two = expr_b_rat(g->b, 2, 1), *a = expr_b_pow(g->b, u->arg[0], two),
              *c = expr_b_pow(g->b, u->arg[1], two);
    expr_node *v = expr_b_sub(g->b, a, c);
    return v ? ver_settle_within(out, g, v, strict) : g->b->st;
}

/* e^a − b >= 0 when a >= log b, for b > 0. */
static ph_status by_logarithms(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                               bool strict) {
    *method = "logarithms of both sides";
    if (u->op != EXPR_SUB || u->arg[0]->op != EXPR_EXP || !expr_is_real(u->arg[0]->arg[0]) ||
        !expr_is_positive(u->arg[1]))
        return PH_OK;
    expr_node *v = expr_b_sub(g->b, u->arg[0]->arg[0], expr_b_1(g->b, EXPR_LOG, u->arg[1]));
    return v ? ver_settle_within(out, g, v, strict) : g->b->st;
}

/* c·f(a) as c, f and a, for a function f that rises wherever it is real. */
static bool rising_part(const expr_node *e, int64_t *num, int64_t *den, expr_op *f, expr_node **a) {
    *num = *den = 1;
    if (e->op == EXPR_NEG) *num = -1, e = e->arg[0];
    if (e->op == EXPR_MUL && e->arg[0]->op == EXPR_RAT) {
        if (e->arg[0]->num == 0 || e->arg[0]->num < -INT64_MAX) return false;
        *num *= e->arg[0]->num, *den = e->arg[0]->den, e = e->arg[1];
    }
    *f = e->op;
    if (*f != EXPR_SQRT && *f != EXPR_LOG && *f != EXPR_EXP && *f != EXPR_TANH && *f != EXPR_ATAN &&
        *f != EXPR_SINH)
        return false;
    *a = e->arg[0];
    return expr_is_real(*a);
}

/* c·f(a) − c·f(b) >= 0 when a >= b, for c > 0; when b >= a for c < 0. */
static ph_status by_rising(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    ver_sign defined = VER_SIGN_POSITIVE;
    int64_t num, den, num2, den2;
    expr_op f, f2;
    expr_node *a, *b;
    *method = "a function that rises";
    if (u->op != EXPR_SUB || !rising_part(u->arg[0], &num, &den, &f, &a) ||
        !rising_part(u->arg[1], &num2, &den2, &f2, &b) || f != f2 || num != num2 || den != den2)
        return PH_OK;
    expr_node *more = num > 0 ? a : b, *less = num > 0 ? b : a;
    if (f == EXPR_SQRT || f == EXPR_LOG) {
        ph_status st = ver_settle_within(&defined, g, less, f == EXPR_LOG);
        if (st || defined < (f == EXPR_LOG ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE)) return st;
    }
    expr_node *v = expr_b_sub(g->b, more, less);
    return v ? ver_settle_within(out, g, v, strict) : g->b->st;
}

static bool enough(ver_sign s, bool strict) {
    return s >= (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE);
}

/* The ends of the parts, whatever they have to do with each other but for terms that cancel: of pi - (atan(x) + pi), of -atan(x). */
static ph_status spans(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    ver_ends ends;
    ver_span s;
    *method = "bounds of the parts";
    ver_ends_init(&ends, g);
    ver_span_init(&s);
    for (int k = 0; k < 2 && u && !g->b->st && !enough(*out, strict); k++) {
        if (ver_span_of(&s, u, &ends) && arf_sgn(s.lo) >= 0)
            *out = arf_sgn(s.lo) > 0 ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
        u = u->op == EXPR_ADD || u->op == EXPR_SUB ? expr_b_linear(g->b, u) : NULL;
    }
    ver_span_clear(&s);
    ver_ends_clear(&ends);
    return g->b->st;
}

typedef ph_status argument(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict);

static ph_status cases(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    expr_node *p = find_case(u);
    *method = "cases, then polynomials and signs of derivatives";
    return p ? by_cases(out, g, u, p, strict) : PH_OK;
}

static ph_status polynomials(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                             bool strict) {
    return ver_by_reading(out, method, g, u, strict, false);
}

static ph_status tangents(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    return ver_by_reading(out, method, g, u, strict, true);
}

static argument *const arguments[] = {
    spans,          ver_by_waves,  by_rising,        ver_by_inverse, cases,          polynomials,
    by_exponential, ver_by_terms,  ver_by_integers,  ver_by_slope,   tangents,       ver_by_tangents,
    by_squares,     by_logarithms, ver_by_quotients, ver_by_factors, ver_by_end_term};

ph_status ver_settle(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    *out = ver_visible(u);
    *method = "signs visible in the formula";
    if (g->depth > SETTLE_DEPTH || u->size > MAX_SIZE || --g->left->goals < 0 || ver_meter_is_empty())
        return PH_OK;
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments && !enough(*out, strict); i++) {
        ver_sign s = VER_SIGN_OPEN;
        const char *how = "";
        if (ph_interrupted()) return ph_fail_interrupted(g->b->err);
        if (g->depth == 0 && g->left->goals < SPARE) g->left->goals = SPARE;
        ph_status st = arguments[i](&s, &how, g, u, strict);
        if (ph_is_fatal(st) || g->b->st) return st ? st : g->b->st;
        if (s > *out) *out = s, *method = how;
    }
    return PH_OK;
}

ph_status ver_settle_within(ver_sign *out, const ver_goal *g, expr_node *u, bool strict) {
    const char *method;
    ver_goal h = *g;
    h.depth++;
    *out = VER_SIGN_OPEN;
    ph_status st = ver_settle(out, &method, &h, u, strict);
    return ph_is_fatal(st) ? st : g->b->st;
}
