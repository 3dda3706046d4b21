/* prove.c: statements and witnesses. */
#include "verify/prove.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/apart.h"
#include "verify/ball.h"
#include "verify/cases.h"
#include "verify/check.h"
#include "verify/conditions.h"
#include "verify/given.h"
#include "verify/internal.h"
#include "verify/kept.h"
#include "verify/meter.h"
#include "verify/normal_internal.h"
#include "verify/order.h"
#include "verify/positive.h"
#include "verify/sums.h"
#include "verify/told.h"
#include "verify/trust.h"
#include "verify/under.h"

#define FIRST_LOOK 1 /* points tried before the normal form: most false statements end here */
#define SECOND_LOOK                                                                                          \
    10 /* points that follow, where f64 looks first: a bare statement has its witness at any of them */
#define LOOK_WORK      1e6 /* parts of a formula that f64 evaluates */
#define FOOLED         8 /* every so many points a ball is asked whatever f64 sees: it may be fooled at all of them */
#define INTEGRAL_LOOKS 8 /* points tried of a statement with an integral */
#define SEARCH         400 /* points tried for a witness after a nonzero normal form, fewer for a long formula */
#define SEARCH_WORK    2000000 /* parts of the formula, over all points */
#define MAX_SIZE       2000000 /* parts of a statement */
#define MAX_PREC       2048
#define MAX_CASES      64 /* branches of piecewise formulas */

/* ---- one point ----------------------------------------------------------------------------------------- */

typedef enum { POINT_OUTSIDE, POINT_AGREES, POINT_WITNESS } point_answer;

static ph_status sides(acb_t l, acb_t r, const expr_node *s, uint64_t seed, slong prec, ph_err *err) {
    ph_status st = ver_kept_ball(l, s->arg[0], seed, prec, err);
    return st ? st : ver_kept_ball(r, s->arg[1], seed, prec, err);
}

/* Is the statement true at the point? Precision doubles until the balls decide; an equality is never decided to hold. */
static ph_status truth_at(ver_truth *out, bool *finite, const expr_node *s, uint64_t seed, slong max_prec,
                          ph_err *err) {
    acb_t l, r;
    acb_init(l);
    acb_init(r);
    ph_status st = PH_OK;
    *out = VER_UNDECIDED;
    *finite = false;
    for (slong prec = max_prec < 128     ? max_prec
                      : s->op == EXPR_EQ ? 128
                                         : 64;
         prec <= max_prec && *out == VER_UNDECIDED && !st; prec *= 2) {
        st = sides(l, r, s, seed, prec, err);
        if (st) break;
        *finite = acb_is_finite(l) && acb_is_finite(r);
        *out = ver_ball_compare(s->op, l, r);
        if (*finite && *out == VER_UNDECIDED && (s->op == EXPR_EQ || s->op == EXPR_NE) && prec >= 128) break;
    }
    acb_clear(l);
    acb_clear(r);
    if (ph_is_open(st)) { /* not a point of the domain, or too dear there */
        *finite = false;
        st = PH_OK;
    }
    return st;
}

/* Does f64 look? Balls give up on long sums in time, f64 does not. */
static bool is_cheap(const expr_node *s) { return ver_work_of(s, LOOK_WORK) < LOOK_WORK; }

/* The sides of a cheap statement in f64 at the point; *known: both have a value. */
static ph_status in_doubles(bool *known, double _Complex v[2], const expr_node *s, uint64_t seed,
                            ph_err *err) {
    ph_err why;
    ph_status st = PH_OK;
    *known = true;
    for (int i = 0; i < 2 && *known && !st; i++) st = ver_kept_double(&v[i], s->arg[i], seed, &why);
    for (int i = 0; i < 2 && !st; i++) *known = *known && isfinite(__real__ v[i]) && isfinite(__imag__ v[i]);
    *known = *known && !st;
    return ph_is_fatal(st) ? ph_fail(err, st, "%s", why.text) : PH_OK;
}

/* Does f64 see the cheap inequality hold, with the sides apart? It decides nothing: such a point is not worth a ball, which costs ten times
 * as much, since it would hardly be a witness. */
static ph_status looks_true(bool *out, const expr_node *s, uint64_t seed, ph_err *err) {
    double _Complex v[2];
    ph_status st = in_doubles(out, v, s, seed, err);
    *out = *out && ver_doubles_hold(s->op, v[0], v[1]);
    return st;
}

static ph_status look(point_answer *out, const expr_node *s, uint64_t seed, slong prec, const ver_assume *a,
                      ph_err *err) {
    ver_truth t;
    bool finite;
    *out = POINT_OUTSIDE;
    for (int i = 0; a && i < a->nwhere; i++) {
        ph_status st = truth_at(&t, &finite, a->where[i], seed, 256, err);
        if (st || t != VER_TRUE) return st;
    }
    ph_status st = truth_at(&t, &finite, s, seed, prec, err);
    if (!st && finite) *out = t == VER_FALSE ? POINT_WITNESS : POINT_AGREES;
    return st;
}

/* How many of n points are tried: fewer of what takes long, two of long sums. */
static int affordable(int n, const expr_node *s) {
    double work = n > 8 ? ver_work_of(s, SEARCH_WORK) : 0;
    if ((double)n * work <= SEARCH_WORK) return n;
    return work >= SEARCH_WORK ? 2 : 8 + (int)(SEARCH_WORK / work);
}

bool ver_looks_at_points = true;

/* Tries the points seed_from … seed_from+n−1. */
ph_status ver_search(ver_verdict *out, bool *found, const ver_asked *q, uint64_t from, int n, long prec,
                     ph_err *err) {
    const expr_node *s = q->s;
    *found = false;
    if (expr_is_constant(s)) n = from ? 0 : 1; /* one point is all */
    n = ver_looks_at_points ? affordable(n, s) : 0;
    const bool f64 = n > 1 && s->op > EXPR_NE && is_cheap(s); /* looks at inequalities first */
    for (int i = 0; i < n && !*found; i++) {
        point_answer p;
        if (ph_interrupted()) return ph_fail_interrupted(err);
        if (ver_meter_is_empty()) break;
        bool plain = false;
        ph_status st = f64 && i % FOOLED ? looks_true(&plain, s, from + (uint64_t)i, err) : PH_OK;
        if (!st && !plain) st = look(&p, s, from + (uint64_t)i, prec, q->a, err);
        if (st) return st;
        if (plain || p != POINT_WITNESS) continue;
        *found = true;
        return ver_refute_at(out, q, from + (uint64_t)i, err);
    }
    return PH_OK;
}

/* ---- words --------------------------------------------------------------------------------------------- */

ph_status ver_say_unknown(ver_verdict *out, ver_reason reason, const char *text, ph_err *err) {
    out->strength = VER_UNKNOWN;
    out->reason = reason;
    return ver_set(&out->reason_text, err, "%s", text);
}

/* What the normal form could not do, as a verdict. Other failures stay failures. */
static ph_status give_up(ver_verdict *out, ph_status st, const ph_err *why, ph_err *err) {
    ver_reason reason = st == PH_EDOMAIN    ? VER_DOMAIN
                        : st == PH_EOUTSIDE ? VER_OUTSIDE_THEORY
                                            : VER_OUT_OF_BUDGET;
    return ph_is_open(st) ? ver_say_unknown(out, reason, why->text, err) : ph_fail(err, st, "%s", why->text);
}

/* ---- equalities ---------------------------------------------------------------------------------------- */

/* Is the difference of one case 0? The normal form joins the evidence; when it is not 0, *out is judged. */
static ph_status decide_zero(ver_verdict *out, ver_zeros *z, const ver_asked *q, expr_node *difference,
                             ph_err *err) {
    sums_form f;
    ph_err why = {0};
    bool found;
    expr_node *written = NULL;
    ph_status st = expr_expand_sums(&written, difference, &why);
    if (!st) st = ver_sums_decide(&f, written, q->a, &why);
    expr_drop(written);
    if (st) {
        ph_status given = give_up(out, st, &why, err);
        if (given || out->reason == VER_DOMAIN) return given; /* what cannot be proved may still be refuted */
        st = ver_search(out, &found, q, 0, SEARCH, MAX_PREC, err);
        if (!st && found) out->reason = VER_NO_REASON;
        return st;
    }
    PH_TRY(ver_zeros_add(z, &f, err));
    if (f.form.answer == NORMAL_ZERO) goto done;
    PH_TRY(ver_search(out, &found, q, 0, SEARCH, MAX_PREC, err));
    if (!found)
        st = ver_say_unknown(out, VER_OUTSIDE_THEORY,
                             f.form.opaque
                                 ? f.form.reason
                                 : "the normal form is not zero, yet no rational point shows a difference",
                             err);
done:
    ver_normal_clear(&f.form);
    return st;
}

/* Splits cases: the statement must hold with each branch in place, whatever its condition: sufficient, and exact. *going: every case
 * so far is zero. */
static ph_status prove_cases(bool *going, ver_verdict *out, ver_zeros *z, const ver_asked *q,
                             expr_node *difference, int *budget, ph_err *err) {
    expr_node *p = ver_find_case(difference);
    if (!p) {
        ph_status st = decide_zero(out, z, q, difference, err);
        *going = !st && out->strength == VER_UNKNOWN && !out->reason && z->zeros && !z->others;
        return st;
    }
    *going = true;
    for (uint32_t i = 1; i <= p->nargs && *going; i += 2) {
        uint32_t k = i < p->nargs ? i : p->nargs - 1;
        if (--*budget < 0)
            return *going = false, ver_say_unknown(out, VER_OUT_OF_BUDGET, "too many cases", err);
        expr_node *one = NULL;
        expr_builder b = EXPR_BUILDER(err);
        ph_status st = expr_b_end(&b, &one, ver_take_case(&b, difference, p, p->arg[k]));
        if (!st) st = prove_cases(going, out, z, q, one, budget, err);
        expr_drop(one);
        if (st) return st;
        if (!*going && out->strength == VER_UNKNOWN && out->reason == VER_OUTSIDE_THEORY)
            return ver_say_unknown(out, VER_OUTSIDE_THEORY,
                                   "a case of piecewise holds only under its condition", err);
    }
    return PH_OK;
}

/* Parts that a case is chosen in, or may be, when something is known of a symbol. */
static bool has_choice(const expr_node *e, bool known) {
    if (e->op == EXPR_PIECE || (known && (e->op == EXPR_MIN || e->op == EXPR_MAX || e->op == EXPR_ABS)))
        return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_choice(e->arg[i], known)) return true;
    return false;
}

/* left − right; sums over piecewise parts are written out first, so that each index is in a case of its own. */
static ph_status settled_difference(expr_node **out, const expr_node *s, const ver_assume *a, ph_err *err) {
    expr_node *written = NULL;
    expr_builder b = EXPR_BUILDER(err);
    expr_node *d = expr_b_2(&b, EXPR_SUB, s->arg[0], s->arg[1]);
    ph_err why;
    if (d && has_choice(d, a && a->nwhere) && expr_expand_sums(&written, d, &why) == PH_OK) {
        ver_ends ends;
        ver_ends_assume(&ends, &b, a);
        expr_node *settled = ver_tidy(&b, expr_b_keep(&b, written), NULL);
        settled = settled ? ver_settle_cases(&b, settled, &ends) : NULL;
        ver_ends_clear(&ends);
        if (b.st && !ph_is_fatal(b.st))
            b.st = PH_OK; /* log(0), say, under conditions that contradict each other */
        else d = settled;
    }
    return expr_b_end(&b, out, d);
}

/* The difference with what comes out of its roots, √(s²r) = |s|·√r, where something is known of s; NULL in *out where nothing is. */
static ph_status settled_roots(expr_node **out, expr_node *difference, const ver_assume *a, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    ver_ends ends;
    ver_ends_assume(&ends, &b, a);
    expr_node *taken = ver_take_roots(&b, difference), *settled = ver_settle_cases(&b, taken, &ends);
    ver_ends_clear(&ends);
    ph_status st = expr_b_end(&b, out, settled && !expr_same(settled, taken) ? settled : NULL);
    return ph_is_fatal(st) ? st : PH_OK; /* what grows too long, or cannot be written, settles nothing */
}

/* Does f64 see both sides of a cheap statement finite and together at the first point? It costs a tenth of a ball, and decides nothing: what
 * it cannot tell apart is left to the normal form. */
static ph_status looks_equal(bool *out, const expr_node *s, ph_err *err) {
    double _Complex v[2];
    ph_status st = in_doubles(out, v, s, 0, err);
    *out = *out && ver_doubles_agree(v[0], v[1]);
    return st;
}

/* Looks on, at a cheap statement, where the first point shows no difference, as exp(30) + 1 hides there what shows where the exponent is
 * small: a ball is asked only where f64 sees the sides apart. A bare verdict tells no witness, so any will do; the normal form costs more than
 * all of this. */
static ph_status look_again(ver_verdict *out, bool *found, const ver_asked *q, ph_err *err) {
    ph_status st = PH_OK;
    for (uint64_t seed = 1; seed <= SECOND_LOOK && !*found && !st; seed++) {
        double _Complex v[2];
        bool known;
        st = in_doubles(&known, v, q->s, seed, err);
        if (!st && known && !ver_doubles_agree(v[0], v[1])) st = ver_search(out, found, q, seed, 1, 64, err);
    }
    return st;
}

ph_status ver_gather_zeros(bool *all, ver_verdict *out, ver_zeros *z, const ver_asked *q, ph_err *err) {
    bool found = false, equal = false, cheap = is_cheap(q->s);
    *all = false;
    ph_status st = cheap ? looks_equal(&equal, q->s, err) : PH_OK;
    if (!st && !equal) st = ver_search(out, &found, q, 0, FIRST_LOOK, 64, err);
    if (!st && !found && cheap && out->bare) st = look_again(out, &found, q, err);
    if (st || found) return st;
    expr_node *difference, *other = NULL;
    int budget = MAX_CASES;
    st = settled_difference(&difference, q->s, q->a, err);
    if (!st) st = prove_cases(all, out, z, q, difference, &budget, err);
    /* Of positive symbols the normal form knows more, and is asked later. */
    if (!st && ver_is_open(out) && q->a && q->a->nwhere && !ver_says_positive(q->a) &&
        ver_has_root(difference))
        st = settled_roots(&other, difference, q->a, err);
    if (!st && other) {
        ver_zeros_clear(z);
        out->reason = VER_NO_REASON;
        budget = MAX_CASES;
        st = prove_cases(all, out, z, q, other, &budget, err);
    }
    expr_drop(difference);
    expr_drop(other);
    return st;
}

static ph_status prove_equal(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    bool all;
    ver_zeros z = {0};
    ph_status st = ver_gather_zeros(&all, out, &z, &(ver_asked){s, a, NULL}, err);
    if (!st && all) st = ver_trust_zeros(out, &(ver_claim){s, a}, &z, err);
    ver_zeros_clear(&z);
    return st;
}

/* ---- the doors ----------------------------------------------------------------------------------------- */

/* z < w, of complex numbers that are not known to be real, here or in a condition of piecewise: it says nothing. */
static bool orders_complex(const expr_node *s) {
    bool order = s->op == EXPR_LT || s->op == EXPR_LE || s->op == EXPR_GT || s->op == EXPR_GE;
    for (uint32_t i = 0; i < s->nargs; i++) {
        if (order && !expr_is_real(s->arg[i]) && expr_has_complex(s->arg[i])) return true;
        if (orders_complex(s->arg[i])) return true;
    }
    return false;
}

/* One name, one symbol, in the statement and in what is assumed. */
static ph_status names_agree(expr_node *s, const ver_assume *a, ph_err *err) {
    int n = a ? a->nwhere : 0;
    expr_node **all = ph_alloc((size_t)(n + 1) * sizeof *all);
    if (!all) return ph_fail_nomem(err, (size_t)(n + 1) * sizeof *all);
    all[0] = s;
    for (int i = 0; i < n; i++) all[i + 1] = a->where[i];
    ph_status st = expr_names_agree(all, n + 1, err);
    ph_free(all);
    return st;
}

static ph_status begin(ver_verdict *out, bool bare, expr_node *s, const ver_assume *a, ph_err *err) {
    ver_init(out);
    out->bare = bare;
    if (!expr_is_statement(s))
        return ph_fail(err, PH_EARG, "prove: a formula says nothing; wanted a statement such as eq(a, b)");
    ph_status st = names_agree(s, a, err);
    if (st || bare) return st;
    static const char *const sign[] = {"=", "!=", "<", "<=", ">", ">="};
    char *l = NULL, *r = NULL;
    PH_TRY(expr_text(&l, s->arg[0], 400, err));
    PH_TRY(expr_text(&r, s->arg[1], 400, err));
    st = ver_set(&out->statement, err, "%s %s %s", l, sign[s->op - EXPR_EQ], r);
done:
    ph_free(l);
    ph_free(r);
    return st;
}

ph_status ver_meter_end(ver_verdict *out, ph_status st, ph_err *err) {
    bool spent = !st && ver_meter_is_empty() && out->strength == VER_UNKNOWN && out->reason != VER_DOMAIN;
    ver_meter_close();
    return spent
               ? ver_say_unknown(out, VER_OUT_OF_BUDGET, "the work that one statement may cost is done", err)
               : st;
}

/* What the normal form and the rules do not look into: the variable of an integral is none of the statement's symbols. A point
 * may refute it. */
static ph_status of_integrals(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    bool found;
    ph_status st = ver_search(out, &found, &(ver_asked){s, a, NULL}, 0, INTEGRAL_LOOKS, MAX_PREC, err);
    return st || found ? st
                       : ver_say_unknown(out, VER_OUTSIDE_THEORY,
                                         "no exact argument for an integral; certify it on a box", err);
}

static bool has_integral(const expr_node *e) {
    if (e->op == EXPR_INTEGRAL) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_integral(e->arg[i])) return true;
    return false;
}

static ph_status decide(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err);

/* What is left open of real symbols, of positive ones: normal forms of those know more. */
static ph_status prove_of_positive(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_err unheard = {0};
    expr_builder b = EXPR_BUILDER(&unheard);
    expr_node **claim = ph_alloc((size_t)(a->nwhere + 1) * sizeof *claim);
    if (!claim) return ph_fail_nomem(err, sizeof *claim);
    ver_verdict v;
    ver_init(&v);
    v.bare = out->bare;
    int n;
    ver_as_positive(claim, &n, &b, s, a);
    ph_status st = n < 0 ? PH_OK : decide(&v, claim[0], &(ver_assume){claim + 1, n}, err);
    if (!st) ver_take_decided(out, &v);
    ver_clear(&v);
    ph_status end = expr_b_end(&b, NULL, NULL);
    ph_free(claim);
    return st || !ph_is_fatal(end) ? st : ph_fail(err, end, "%s", unheard.text);
}

/* An equation that its normal form leaves open: by both orders; where something is >= 0, sqrt(x*y) = sqrt(x)*sqrt(y) where x >= 0 and y >= 0; or
 * a witness where conditions point. */
static ph_status prove_equal_otherwise(ver_verdict *out, const ver_claim *c, ph_err *err) {
    bool all = false;
    ver_zeros z = {0};
    ph_status st = ver_prove_both_orders(out, c, err);
    if (!st && ver_is_open(out)) st = ver_gather_by_signs(&all, &z, c, err);
    if (!st && all) st = ver_trust_zeros(out, c, &z, err);
    ver_zeros_clear(&z);
    if (!st && ver_is_open(out))
        st = ver_search_met(out, &all, &(ver_asked){c->statement, c->assume, NULL}, err);
    return st;
}

static ph_status decide(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_status st = ver_prove_under(out, s, a, err);
    if (!st && out->strength == VER_UNKNOWN)
        st = s->op == EXPR_EQ ? prove_equal(out, s, a, err) : ver_prove_order(out, s, a, err);
    if (!st && ver_is_open(out) && a && a->nwhere) st = prove_of_positive(out, s, a, err);
    if (!st && ver_is_open(out) && s->op == EXPR_EQ) st = prove_equal_otherwise(out, &(ver_claim){s, a}, err);
    return st ? st : ver_trust_nothing(out, &(ver_claim){s, a}, err);
}

/* What is decided is the statement with every name either bound or free. */
static ph_status decide_apart(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    ver_apart p;
    ph_err why = {0};
    ph_status st = ver_apart_make(&p, s, a, &why);
    if (st) st = give_up(out, st, &why, err);
    else if (p.n == 0) st = decide(out, s, a, err);
    else {
        st = decide(out, p.statement, &p.assume, err);
        if (!st) st = ver_apart_tell(out, &p, s, a, err);
    }
    ver_apart_clear(&p);
    return st;
}

static ph_status prove(ver_verdict *out, bool bare, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_status st = begin(out, bare, s, a, err);
    if (st) return st;
    if (s->size > MAX_SIZE)
        return ver_say_unknown(out, VER_OUT_OF_BUDGET, "a statement of more than 2000000 parts", err);
    bool disordered = orders_complex(s);
    for (int i = 0; a && i < a->nwhere; i++) disordered |= orders_complex(a->where[i]);
    if (disordered) return ver_say_unknown(out, VER_DOMAIN, "complex numbers have no order", err);
    bool integral = has_integral(s);
    for (int i = 0; a && i < a->nwhere; i++) integral |= has_integral(a->where[i]);
    if (integral) return of_integrals(out, s, a, err);
    return decide_apart(out, s, a, err);
}

static ph_status metered(ver_verdict *out, bool bare, expr_node *s, const ver_assume *a, ph_err *err) {
    double start = ph_clock();
    ver_meter_open(1);
    ph_status st = ver_meter_end(out, prove(out, bare, s, a, err), err);
    out->time = ph_clock() - start;
    return st;
}

ph_status ver_prove(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    return metered(out, false, s, a, err);
}

ph_status ver_prove_bare(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    return metered(out, true, s, a, err);
}

ph_status ver_counterexample(ver_verdict *out, expr_node *s, const ver_assume *a, int tries, ph_err *err) {
    double start = ph_clock();
    bool found;
    ph_status st;
    PH_TRY(begin(out, false, s, a, err));
    PH_TRY(ver_search(out, &found, &(ver_asked){s, a, NULL}, 0, tries > 0 ? tries : SEARCH, MAX_PREC, err));
    if (!found) PH_TRY(ver_search_met(out, &found, &(ver_asked){s, a, NULL}, err));
    if (!found)
        PH_TRY(ver_say_unknown(out, VER_OUT_OF_BUDGET, "no counterexample among the points tried", err));
    out->size = tries > 0 ? tries : SEARCH;
done:
    out->time = ph_clock() - start;
    return st;
}
