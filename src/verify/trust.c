/* trust.c: strengths for evidence. No other file sets `proved` or `certified`; a house test reads them all. */
#include "verify/trust.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "verify/check.h"
#include "verify/conditions.h"
#include "verify/implied.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/order.h"
#include "verify/subject.h"
#include "verify/told.h"
#include "verify/turns.h"

#define MAX_IMPLIED                                                                                          \
    60 /* parts of a condition that is asked for whether it is implied: of a longer one it is seldom seen, and dear */
#define MAX_KNOWN 24    /* formulas that are not 0, by which another is not */
#define SHARE     0.5   /* of the meter, after which none is asked for */
#define ALWAYS    0.002 /* of the meter, for one that is implied by nothing */
#define FOLLOWS   0.02  /* of the meter, for one of them: what is told may be more than need be */

/* ---- proofs -------------------------------------------------------------------------------------------- */

static ph_status not_evidence(const char *what, ph_err *err) {
    return ph_fail(err, PH_EBUG, "a verdict was asked for without evidence: %s", what);
}

static ph_status contradicted(const ver_claim *c, const char *at, ph_err *err) {
    char *text = NULL;
    ph_status st = expr_text(&text, c->statement, 160, err);
    if (!st)
        st =
            ph_fail(err, PH_EBUG, "a proof of %s is contradicted by a ball%s%s", text, *at ? " at " : "", at);
    ph_free(text);
    return st;
}

/* Why no point can meet the conditions; NULL in *why: no reason is seen. */
static ph_status why_vacuous(char **why, const ver_claim *c, const expr_set *conditions, ph_err *err) {
    bool contradictory = false;
    ph_status st = ver_check_vacuous(why, c->statement, c->assume, conditions, err);
    if (!st && !*why) st = ver_order_contradictory(&contradictory, c->assume, conditions, err);
    if (!st && contradictory) st = ver_set(why, err, "the conditions contradict each other");
    return st;
}

/* What is assumed can be met, but not where the statement is defined. */
static ph_status why_beside(char **why, const ver_claim *c, ph_err *err) {
    expr_set none = {0};
    char *own = NULL;
    ph_status st = c->assume && c->assume->nwhere ? why_vacuous(&own, c, &none, err) : PH_OK;
    if (!st && !own && c->assume && c->assume->nwhere)
        st = ver_set(why, err, "at no point that meets the conditions is the statement defined");
    ph_free(own);
    return st;
}

/* Why nothing is proved where no point was found that meets the conditions; NULL in *why: no reason is seen, and there may be points of an equation
 * that nobody can solve. */
static ph_status why_unmet(char **why, const ver_claim *c, const expr_set *conditions, bool unsolved,
                           ph_err *err) {
    ph_status st = why_vacuous(why, c, conditions, err);
    if (!st && *why && conditions->n) st = why_beside(why, c, err);
    if (st || *why || unsolved) return st;
    return ver_set(why, err, "no point was found that meets the conditions");
}

ph_status ver_trust_nothing(ver_verdict *out, const ver_claim *c, ph_err *err) {
    expr_set none = {0};
    char *why = NULL;
    if (out->strength != VER_UNKNOWN || out->reason == VER_DOMAIN || !c->assume || !c->assume->nwhere)
        return PH_OK;
    ph_status st = why_vacuous(&why, c, &none, err);
    if (!st && why) st = ver_say_unknown(out, VER_DOMAIN, why, err);
    ph_free(why);
    return st;
}

/* Tries the claim. *stands: nothing speaks against `proved`; else *out is unknown already, with the reason. */
static ph_status try_claim(bool *stands, bool *unmet, ver_verdict *out, const ver_claim *c,
                           const expr_set *conditions, ph_err *err) {
    ver_check seen;
    char *vacuous = NULL;
    ph_status st = ver_check_statement(&seen, c->statement, c->assume, conditions, err);
    *stands = *unmet = false;
    if (st) return st;
    if (seen.against) st = contradicted(c, seen.against, err);
    else if (!seen.met) st = why_unmet(&vacuous, c, conditions, seen.unsolved, err);
    if (!st && vacuous) st = ver_say_unknown(out, VER_DOMAIN, vacuous, err);
    else if (!st && seen.costly && !seen.defined)
        st = ver_say_unknown(out, VER_OUT_OF_BUDGET, "the work that one statement may cost is done", err);
    else if (!st && seen.met && !seen.defined)
        st = ver_say_unknown(out, VER_DOMAIN,
                             "at no point that was tried are both sides seen to have a value", err);
    else *stands = !st;
    *unmet = !seen.met;
    ph_free(vacuous);
    ph_free(seen.against);
    return st;
}

static bool is_assumed(const expr_node *condition, const ver_assume *a) {
    for (int i = 0; i < a->nwhere; i++)
        if (expr_same(condition, a->where[i])) return true;
    return false;
}

/* Is it proved of order, under what is assumed alone, with that share of the meter? */
static ph_status follows(bool *yes, expr_node *s, const ver_assume *a, double share, ph_err *err) {
    ver_verdict v;
    expr_set given = {0};
    ver_init(&v);
    v.bare = true; /* a refusal needs no witness from afar */
    ph_status st = PH_OK;
    for (int i = 0; a && i < a->nwhere && !st; i++) st = expr_set_append(&given, a->where[i], err);
    const double before = ver_meter_lower(share);
    if (!st) st = ver_prove_order(&v, s, a, err);
    ver_meter_restore(before);
    *yes = !st && v.strength == VER_PROVED && v.subject && v.subject->conditions.n == given.n;
    ver_clear(&v);
    expr_set_clear(&given);
    return ph_is_fatal(st) ? st : PH_OK;
}

/* e^(2πi·q) != 1: by −1 < q < 0, or 0 < q < 1. */
static ph_status avoids_whole_turns(bool *yes, const expr_node *s, const ver_assume *a, ph_err *err) {
    ph_err why = {0};
    expr_builder b = EXPR_BUILDER(&why);
    expr_node *q = ver_turns_of(&b, s);
    ph_status st = PH_OK;
    *yes = false;
    for (int lo = -1; lo <= 0 && q && !*yes && !st; lo++) {
        expr_node *above = expr_b_2(&b, EXPR_GT, q, expr_b_rat(&b, lo, 1)),
                  *below = expr_b_2(&b, EXPR_LT, q, expr_b_rat(&b, lo + 1, 1));
        st = above && below ? follows(yes, above, a, FOLLOWS, err) : b.st;
        if (!st && *yes) st = follows(yes, below, a, FOLLOWS, err);
    }
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (st || !ph_is_fatal(end)) return ph_is_open(st) ? PH_OK : st;
    return ph_fail(err, end, "%s", why.text);
}

static int functions_in(const expr_node *e, int most) {
    int n = e->nargs == 1 && e->op != EXPR_NEG;
    for (uint32_t i = 0; i < e->nargs && n < most; i++) n += functions_in(e->arg[i], most - n);
    return n;
}

/* A sum with a function in it, or a function of a function, such as 2 + cos x and cos(atan x), may be 0 nowhere; others are, somewhere. */
static bool may_never_vanish(const expr_node *u) {
    bool sum = u->op == EXPR_ADD || u->op == EXPR_SUB;
    return (sum || u->nargs == 1) && functions_in(u, 2) >= (sum ? 1 : 2);
}

/* A condition that needs nothing: x - x + 1 != 0, and between constants re(1) != 0. */
static ph_status holds_anyway(bool *yes, const expr_node *c, ph_err *err) {
    ph_err why = {0};
    expr_builder b = EXPR_BUILDER(&why);
    acb_t l, r;
    acb_init(l);
    acb_init(r);
    uint64_t seed = 0;
    *yes = false;
    ph_status st = PH_OK;
    if (!ver_decided(yes, &b, c) && expr_is_constant(c)) {
        st = ver_ball(l, c->arg[0], ver_point_atom, &seed, 128, &why);
        if (!st) st = ver_ball(r, c->arg[1], ver_point_atom, &seed, 128, &why);
        *yes = !st && ver_ball_compare(c->op, l, r) == VER_TRUE;
    }
    acb_clear(l);
    acb_clear(r);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (!ph_is_fatal(st)) st = end;
    return ph_is_fatal(st) ? ph_fail(err, st, "%s", why.text) : PH_OK;
}

/* Does what the user assumed imply the condition? As it stands there, or by a proof that needs nothing but what is known: that, and the conditions before
 * it. Where nothing is assumed, this asks only for what takes an argument of its own. */
static ph_status is_implied(bool *yes, expr_node *condition, const ver_assume *a, const ver_assume *known,
                            ph_err *err) {
    *yes = a && is_assumed(condition, a);
    if (*yes || condition->op == EXPR_EQ) return PH_OK;
    if (condition->size > MAX_IMPLIED || ver_meter_is_beyond(SHARE)) return PH_OK;
    ph_status plain = holds_anyway(yes, condition, err);
    if (plain || *yes) return plain;
    if (a && a->nwhere) return follows(yes, condition, known, FOLLOWS, err);
    if (condition->op != EXPR_NE) return PH_OK;
    ph_status st = avoids_whole_turns(yes, condition, a, err);
    return st || *yes || !may_never_vanish(condition->arg[0]) ? st
                                                              : follows(yes, condition, known, ALWAYS, err);
}

/* u of a condition u != 0, u > 0, … that says of u that it is not 0; NULL: it does not say so of a formula. */
static expr_node *nonzero_of(const expr_node *c) {
    bool says = c->op == EXPR_NE || c->op == EXPR_LT || c->op == EXPR_GT;
    return says && expr_is_rat(c->arg[1], 0, 1) ? c->arg[0] : NULL;
}

/* Is the condition u != 0 one that others, which are told, imply by what u is made of? */
static bool is_nonzero_anyway(expr_builder *b, const expr_node *condition, const expr_set *told,
                              const ver_assume *a) {
    expr_node *known[MAX_KNOWN], *u = condition->op == EXPR_NE ? nonzero_of(condition) : NULL;
    int n = 0;
    if (!u) return false;
    for (int i = 0; i < told->n && n < MAX_KNOWN; i++)
        if (told->item[i] != condition && (known[n] = nonzero_of(told->item[i])) &&
            known[n]->size <= MAX_IMPLIED)
            n++;
    for (int i = 0; a && i < a->nwhere && n < MAX_KNOWN; i++)
        if ((known[n] = nonzero_of(a->where[i])) && known[n]->size <= MAX_IMPLIED) n++;
    return ver_nonzero_by(b, u, known, n);
}

/* Is the condition of order one that another, which is kept, implies? Of two that say the same, the shorter is kept. */
static bool is_ordered_anyway(expr_builder *b, const expr_set *conditions, const bool *kept, int at) {
    const expr_node *c = conditions->item[at];
    for (int i = 0; i < conditions->n && !b->st; i++) {
        const expr_node *k = conditions->item[i];
        if (i == at || !kept[i] || k->size > MAX_IMPLIED || !ver_order_by(b, c, k)) continue;
        bool first = k->size < c->size || (k->size == c->size && i < at);
        if (first || !ver_order_by(b, k, c)) return true;
    }
    return false;
}

/* Of two of one length u > 0 comes before u != 0, which it implies. */
static bool comes_later(const expr_node *c, const expr_node *d) {
    return c->size != d->size ? c->size > d->size : c->op == EXPR_NE && d->op != EXPR_NE;
}

/* The shortest first, in their order. */
static void by_length(int *order, const expr_set *s) {
    for (int i = 0; i < s->n; i++) {
        int k = i;
        for (; k > 0 && comes_later(s->item[order[k - 1]], s->item[i]); k--) order[k] = order[k - 1];
        order[k] = i;
    }
}

/* The conditions that the user has not assumed already, and that none of the others implies: those a reader is told. Whoever states the verdict elsewhere
 * gets them all. */
static ph_status not_implied(expr_set *out, const expr_set *conditions, const ver_assume *a, ph_err *err) {
    int n = conditions->n, assumed = a ? a->nwhere : 0, *order = ph_alloc((size_t)(n + 1) * sizeof *order);
    bool *kept = ph_calloc((size_t)n + 1, sizeof *kept);
    expr_node **list = ph_alloc((size_t)(assumed + n + 1) * sizeof *list);
    ver_assume known = {list, assumed};
    ph_err why = {0};
    expr_builder b = EXPR_BUILDER(&why);
    expr_set told = {0};
    ph_status st = order && kept && list ? PH_OK : ph_fail_nomem(err, (size_t)(n + 1) * sizeof *order);
    if (!st) by_length(order, conditions);
    for (int i = 0; i < assumed && !st; i++) list[i] = a->where[i];
    for (int k = 0; k < n && !st; k++) {
        expr_node *c = conditions->item[order[k]];
        bool implied;
        st = is_implied(&implied, c, a, &known, err);
        kept[order[k]] = !st && !implied && (c->size > MAX_IMPLIED || !is_nonzero_anyway(&b, c, &told, a));
        list[known.nwhere++] = c; /* it is told, or follows from those before it */
        if (kept[order[k]]) st = expr_set_append(&told, c, err);
    }
    for (int i = 0; i < n && !st; i++)
        if (kept[i] && conditions->item[i]->size <= MAX_IMPLIED)
            kept[i] = !is_ordered_anyway(&b, conditions, kept, i);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (ph_is_fatal(end)) st = ph_fail(err, end, "%s", why.text);
    for (int i = 0; i < n && !st; i++)
        if (kept[i]) st = expr_set_append(out, conditions->item[i], err);
    expr_set_clear(&told);
    ph_free(list);
    ph_free(order);
    ph_free(kept);
    return st;
}

static ph_status say_proved(ver_verdict *out, const ver_claim *c, const expr_set *conditions, bool unmet,
                            const char *method, ph_err *err) {
    ver_decide(out, VER_PROVED);
    const ver_assume *a = c->assume;
    ph_status st = ver_set(&out->method, err, "%s", method);
    expr_set told = {0};
    if (!st) st = not_implied(&told, conditions, a, err);
    if (!st) st = ver_tell_conditions(out, c->statement, &told, a, unmet, err);
    expr_set_clear(&told);
    return st ? st
              : ver_subject_set(out, c->statement, a ? a->where : NULL, a ? a->nwhere : 0, conditions, err);
}

/* Under the conditions of the proof, and those under which the statement is defined as it was given: what a proof cancelled, or put
 * into cases, may be undefined all the same. */
static ph_status grant(ver_verdict *out, const ver_claim *c, const expr_set *proofs, const char *method,
                       ph_err *err) {
    bool stands = false, unmet;
    expr_set conditions = {0};
    ph_status st;
    PH_TRY(ver_conditions_of(&conditions, c->statement, err));
    for (int i = 0; i < proofs->n; i++) PH_TRY(expr_set_append(&conditions, proofs->item[i], err));
    PH_TRY(try_claim(&stands, &unmet, out, c, &conditions, err));
    if (stands) st = say_proved(out, c, &conditions, unmet, method, err);
done:
    expr_set_clear(&conditions);
    return st;
}

ph_status ver_zeros_add(ver_zeros *z, const sums_form *f, ph_err *err) {
    if (f->form.answer != NORMAL_ZERO) return z->others++, PH_OK;
    z->zeros++;
    if (f->form.terms > z->terms) z->terms = f->form.terms;
    z->exponentials |= f->form.exponentials;
    z->algebraic |= f->form.algebraic;
    z->by_summand |= f->by_summand;
    if (f->induction[0]) memcpy(z->induction, f->induction, sizeof z->induction);
    ph_status st = PH_OK;
    for (int i = 0; i < f->form.conditions.n && !st; i++)
        st = expr_set_append(&z->conditions, f->form.conditions.item[i], err);
    return st;
}

void ver_zeros_clear(ver_zeros *z) {
    expr_set_clear(&z->conditions);
    *z = (ver_zeros){0};
}

static const char *ring_of(const ver_zeros *z) {
    if (z->exponentials)
        return z->algebraic ? "normal form over Q(roots)[z,1/z], z = exp(i angle)"
                            : "normal form over Q[z,1/z], z = exp(i angle)";
    return z->algebraic ? "normal form over Q with roots adjoined" : "normal form of a fraction over Q";
}

ph_status ver_trust_zeros(ver_verdict *out, const ver_claim *c, const ver_zeros *z, ph_err *err) {
    char method[200];
    if (c->statement->op != EXPR_EQ || !z->zeros || z->others)
        return not_evidence("a difference whose normal form is not zero", err);
    snprintf(method, sizeof method, "%s%s%s", ring_of(z),
             z->induction[0] ? "; induction over "
             : z->by_summand ? "; for all lengths by the general summand"
                             : "",
             z->induction);
    out->size = z->terms;
    return grant(out, c, &z->conditions, method, err);
}

ph_status ver_trust_sign(ver_verdict *out, const ver_claim *c, ver_sign sign, const char *method,
                         ph_err *err) {
    expr_op op = c->statement->op;
    bool strict = op == EXPR_LT || op == EXPR_GT || op == EXPR_NE, weak = op == EXPR_LE || op == EXPR_GE;
    if (!(strict && sign == VER_SIGN_POSITIVE) && !(weak && sign != VER_SIGN_OPEN))
        return not_evidence("a sign that does not decide the inequality", err);
    expr_set none = {0};
    return grant(out, c, &none, method, err);
}

ph_status ver_trust_both_signs(ver_verdict *out, const ver_claim *c, const ver_sign sign[2],
                               const char *const method[2], ph_err *err) {
    const expr_node *s = c->statement;
    if (s->op != EXPR_EQ || !expr_is_real(s->arg[0]) || !expr_is_real(s->arg[1]) ||
        sign[0] != VER_SIGN_NONNEGATIVE || sign[1] != VER_SIGN_NONNEGATIVE)
        return not_evidence("signs that do not decide the equation", err);
    expr_set none = {0};
    char text[300];
    bool one = strcmp(method[0], method[1]) == 0;
    snprintf(text, sizeof text, "both orders: %s%s%s", method[0], one ? "" : "; ", one ? "" : method[1]);
    return grant(out, c, &none, text, err);
}

/* A rational number other than 0, whatever the natural symbols in it are. */
static bool is_nonzero_rational(const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT: return e->num != 0;
    case EXPR_SYM: return e->kind == EXPR_NATURAL;
    case EXPR_NEG: return is_nonzero_rational(e->arg[0]);
    case EXPR_MUL:
    case EXPR_DIV: return is_nonzero_rational(e->arg[0]) && is_nonzero_rational(e->arg[1]);
    default: return false;
    }
}

ph_status ver_trust_irrational(ver_verdict *out, const ver_claim *c, ph_err *err) {
    const expr_node *s = c->statement;
    expr_set none = {0};
    if (s->op != EXPR_NE || s->arg[0]->op != EXPR_SIN || !expr_is_rat(s->arg[1], 0, 1)) return PH_OK;
    if (!is_nonzero_rational(s->arg[0]->arg[0])) return PH_OK;
    return grant(out, c, &none, "a multiple of pi that is rational is 0", err);
}

ph_status ver_trust_turns(ver_verdict *out, const ver_claim *c, ph_err *err) {
    bool yes = false;
    expr_set none = {0};
    ph_status st =
        c->statement->op == EXPR_NE ? avoids_whole_turns(&yes, c->statement, c->assume, err) : PH_OK;
    return st || !yes ? st : grant(out, c, &none, "e^(2 pi i q) is 1 at whole q alone", err);
}

ph_status ver_trust_parts(ver_verdict *out, const ver_verdict *const *part, int n, ph_err *err) {
    ver_strength weakest = VER_PROVED;
    int64_t size = 0;
    double time = 0;
    if (n < 1) return not_evidence("no part", err);
    for (int i = 0; i < n; i++) {
        if (!ver_holds(part[i])) return not_evidence("a part that does not hold", err);
        if (part[i]->strength < weakest) weakest = part[i]->strength;
        if (part[i]->size > size) size = part[i]->size;
        time += part[i]->time;
    }
    out->strength = weakest;
    out->size = size;
    out->time = time;
    ph_status st = PH_OK;
    for (int i = 0; i < n && !st; i++) st = ver_subject_join(out, part[i], i == 0, err);
    return st;
}

#define SAID 6 /* parts whose statements are written out */

/* "a = b; c > 0; and 3 more": what was judged is what its parts judged, never words of a law. */
static ph_status state_parts(ver_verdict *all, const ver_verdict *const *part, int n, ph_err *err) {
    ph_text t = {0};
    for (int i = 0; i < n && i < SAID; i++) {
        const char *s = part[i]->statement ? part[i]->statement : "a statement without words";
        bool again = false;
        for (int k = 0; k < i; k++) again |= part[k]->statement && strcmp(part[k]->statement, s) == 0;
        if (!again) ph_putf(&t, "%s%s", t.n ? "; " : "", s);
    }
    if (n > SAID) ph_putf(&t, "; and %d more", n - SAID);
    ph_free(all->statement);
    return ph_text_take(&all->statement, NULL, &t, err);
}

ph_status ver_follow(ver_verdict *all, const ver_verdict *const *part, int n, ph_err *err) {
    ph_status st = ver_trust_parts(all, part, n, err);
    if (!st) st = state_parts(all, part, n, err);
    return st ? st : ver_set(&all->method, err, "%s", part[0]->method ? part[0]->method : "");
}

/* ---- certificates -------------------------------------------------------------------------------------- */

ph_status ver_trust_cover(ver_verdict *out, const ver_cover *c, ph_err *err) {
    if (c->settled < 1 || c->waiting || c->undecided) return not_evidence("a box that is not covered", err);
    ver_decide(out, VER_CERTIFIED);
    out->size = c->settled;
    return PH_OK;
}

/* z has the accuracy asked for: relative, or for what may be 0 absolute. */
bool ver_is_accurate(const acb_t z, slong bits) {
    if (!acb_is_finite(z)) return false;
    if (acb_is_real(z)) return arb_rel_accuracy_bits(acb_realref(z)) >= bits || arb_is_exact(acb_realref(z));
    return acb_rel_accuracy_bits(z) >= bits || acb_is_exact(z);
}

bool ver_is_small(const acb_t z, slong bits) {
    mag_t m;
    mag_init(m);
    acb_get_mag(m, z);
    bool small = acb_is_finite(z) && mag_cmp_2exp_si(m, -bits) < 0;
    mag_clear(m);
    return small;
}

ph_status ver_trust_value(ver_verdict *out, const acb_t z, slong bits, ph_err *err) {
    if (!ver_is_accurate(z, bits - 4) && !ver_is_small(z, bits))
        return not_evidence("a value of too few digits", err);
    ver_decide(out, VER_CERTIFIED);
    return PH_OK;
}
