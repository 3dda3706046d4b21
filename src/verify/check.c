/* check.c: a proof is tried where it could fail.
 *
 * f64 costs a tenth of a ball and is asked first. It decides nothing: where it sees the sides apart, balls judge, with more and more
 * bits. What f64 cannot tell apart (a difference of 10^-12) is left to the balls near 1.
 */
#include "verify/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verify/cases.h"
#include "verify/internal.h"
#include "verify/normal.h"
#include "verify/conditions.h"
#include "verify/given.h"
#include "verify/meet.h"
#include "verify/meter.h"
#include "verify/sample.h"
#include "verify/settle.h"

#define ROUNDS     2     /* points of each scale */
#define MORE       60    /* rounds until a point meets the conditions */
#define WORK       10000 /* parts of the formula that f64 evaluates, over all points */
#define MOST_WORK  1e7   /* of one evaluation; beyond, only balls look, and they give up in time */
#define NEAR_BALLS 1     /* points near 1 where balls look whatever f64 says */
#define DOUBTS     3     /* suspicions that balls follow up */
#define CONFIRMED  60    /* points of f64 that are put to balls */
#define MAX_PREC   1024
#define SEEN       6    /* symbols whose values are remembered at a point */
#define FINE_BITS  30   /* of two sides that balls cannot tell apart: enough */
#define APART      1e-9 /* of the larger side: below that f64 suspects nothing */

typedef struct {
    const expr_node *s;
    expr_steps steps;      /* of both sides */
    expr_node **condition; /* values that equations give, assumptions, conditions */
    int n;
    bool solved; /* there are such values */
    bool left;   /* and equations besides, which gave none */
    ver_sampler at;
    int nseen; /* values of symbols at this point, in f64 */
    struct {
        const expr_node *atom;
        double _Complex v;
    } seen[SEEN];
} trial;

/* ---- balls --------------------------------------------------------------------------------------------- */

static bool fine(const acb_t z) { return acb_is_exact(z) || acb_rel_accuracy_bits(z) >= FINE_BITS; }

static ph_status truth(ver_truth *out, bool *finite, const expr_node *s, const expr_steps *steps,
                       ver_sampler *at, slong from, slong to, ph_err *err) {
    acb_t l, r;
    acb_init(l);
    acb_init(r);
    ph_err why;
    ph_status st = PH_OK;
    *out = VER_UNDECIDED;
    *finite = false;
    for (slong prec = from; prec <= to && *out == VER_UNDECIDED && !st; prec *= 2) {
        st = ver_sample_sides(l, r, s, steps, at, prec, &why);
        if (st) break;
        *finite = acb_is_finite(l) && acb_is_finite(r);
        *out = ver_ball_compare(s->op, l, r);
        if (s->op <= EXPR_NE && *finite && fine(l) && fine(r)) break; /* equal as far as the eye sees */
    }
    acb_clear(l);
    acb_clear(r);
    if (ph_is_fatal(st)) return ph_fail(err, st, "%s", why.text);
    if (st) *finite = false;
    return PH_OK; /* not a point of the domain, or too dear there */
}

/* What equations give symbols are values that these may have. */
static bool values_are_allowed(trial *t) {
    acb_t v;
    bool all = true;
    acb_init(v);
    for (int i = 0; i < t->at.n && all; i++) {
        t->at.nesting = 0;
        all = !t->at.hint[i].equals ||
              (ver_sample_ball(&t->at, v, t->at.hint[i].atom, 128) && acb_is_finite(v));
    }
    acb_clear(v);
    return all;
}

static ph_status conditions_hold(bool *out, trial *t, ph_err *err) {
    ver_truth is = values_are_allowed(t) ? VER_TRUE : VER_UNDECIDED;
    bool finite;
    for (int i = 0; i < t->n && is == VER_TRUE; i++) {
        if (ver_sampler_grants(&t->at, t->condition[i])) continue;
        ph_status st = truth(&is, &finite, t->condition[i], NULL, &t->at, 64, 256, err);
        if (st) return st;
        bool chosen =
            (t->solved && t->condition[i]->op == EXPR_EQ) || ver_sampler_solved(&t->at, t->condition[i]);
        if (chosen && finite && is == VER_UNDECIDED) is = VER_TRUE; /* as the values were chosen */
    }
    *out = is == VER_TRUE;
    return PH_OK;
}

static ph_status words_of(char **out, trial *t, ph_err *err) {
    expr_set atoms = {0};
    char *name = NULL, *value = NULL, *text = NULL, *longer = NULL;
    acb_t v;
    acb_init(v);
    ph_status st = PH_OK;
    PH_TRY(expr_symbols(&atoms, t->s, err));
    PH_TRY(ver_set(&text, err, "%s", ""));
    for (int i = 0; i < atoms.n; i++) {
        t->at.nesting = 0;
        if (!ver_sample_ball(&t->at, v, atoms.item[i], 128)) continue;
        PH_TRY(expr_text(&name, atoms.item[i], 40, err));
        value = ver_acb_text(v, 12);
        PH_TRY(ver_set(&longer, err, "%s%s%s = %s", text, *text ? ", " : "", name, value ? value : "?"));
        ph_free(text);
        text = longer;
        longer = NULL;
        ph_free(name);
        ph_free(value);
        name = value = NULL;
    }
    *out = text;
    text = NULL;
done:
    acb_clear(v);
    ph_free(text);
    ph_free(name);
    ph_free(value);
    expr_set_clear(&atoms);
    return st;
}

/* Balls judge the statement at the point, once they see that its conditions hold. */
static ph_status judge(ver_check *out, trial *t, slong from, slong to, bool *finite, ph_err *err) {
    bool held;
    ver_truth is;
    ph_status st = conditions_hold(&held, t, err);
    if (st || !held) return st;
    st = truth(&is, finite, t->s, &t->steps, &t->at, from, to, err);
    if (!st && *finite && is == VER_FALSE) st = words_of(&out->against, t, err);
    return st;
}

/* ---- f64 ----------------------------------------------------------------------------------------------- */

typedef enum { OUTSIDE, UNDEFINED, FINE, DOUBTFUL } look_answer;

static bool finite_double(double _Complex z) { return isfinite(__real__ z) && isfinite(__imag__ z); }

static bool apart(double _Complex l, double _Complex r) {
    double x = fabs(__real__ l - __real__ r), y = fabs(__imag__ l - __imag__ r);
    double a = fabs(__real__ l) + fabs(__imag__ l), b = fabs(__real__ r) + fabs(__imag__ r);
    return x + y > APART * (a > b ? a : b);
}

bool ver_doubles_agree(double _Complex l, double _Complex r) {
    return finite_double(l) && finite_double(r) && !apart(l, r);
}

static bool violates(expr_op op, double _Complex l, double _Complex r) {
    double x = __real__ l, y = __real__ r;
    switch (op) {
    case EXPR_EQ: return apart(l, r);
    case EXPR_NE: return !apart(l, r);
    case EXPR_LT: return x >= y;
    case EXPR_LE: return x > y;
    case EXPR_GT: return x <= y;
    default: return x < y;
    }
}

bool ver_doubles_hold(expr_op op, double _Complex l, double _Complex r) {
    return finite_double(l) && finite_double(r) && __imag__ l == 0 && __imag__ r == 0 && apart(l, r) &&
           !violates(op, l, r);
}

/* A symbol stands in a formula many times: the first ones are asked for once a point. */
static bool remembered(void *ctx, const expr_node *atom, double _Complex *v) {
    trial *t = ctx;
    for (int i = 0; i < t->nseen; i++)
        if (t->seen[i].atom == atom) return *v = t->seen[i].v, true;
    if (!ver_sample_double(&t->at, atom, v)) return false;
    if (atom->op == EXPR_SYM && t->nseen < SEEN) { /* members of families are made for the moment */
        t->seen[t->nseen].atom = atom;
        t->seen[t->nseen++].v = *v;
    }
    return true;
}

static ph_status value(double _Complex *out, const expr_node *e, trial *t, ph_err *err) {
    ph_err why;
    t->at.nesting = 0;
    ph_status st = expr_eval_point(out, e, remembered, t, &why);
    if (ph_is_fatal(st)) return ph_fail(err, st, "%s", why.text);
    if (st) __real__ *out = NAN;
    return PH_OK;
}

/* Both sides of the statement. */
static ph_status sides(double _Complex *l, double _Complex *r, trial *t, ph_err *err) {
    ph_err why;
    if (!t->steps.n) {
        ph_status st = value(l, t->s->arg[0], t, err);
        return st ? st : value(r, t->s->arg[1], t, err);
    }
    t->at.nesting = 0;
    ph_status st = expr_steps_eval(l, r, &t->steps, ver_sample_double, &t->at, &why);
    if (ph_is_fatal(st)) return ph_fail(err, st, "%s", why.text);
    if (st) __real__ *l = NAN;
    return PH_OK;
}

static ph_status look(look_answer *out, trial *t, ph_err *err) {
    double _Complex l = 1, r = 1;
    ph_status st = PH_OK;
    *out = OUTSIDE;
    t->nseen = 0;
    for (int i = 0; i < t->at.n; i++) {
        t->at.nesting = 0;
        if (t->at.hint[i].equals && (!remembered(t, t->at.hint[i].atom, &l) || !finite_double(l)))
            return PH_OK;
    }
    for (int i = 0; i < t->n; i++) {
        if (ver_sampler_grants(&t->at, t->condition[i])) continue;
        PH_TRY(value(&l, t->condition[i]->arg[0], t, err));
        PH_TRY(value(&r, t->condition[i]->arg[1], t, err));
        if (!finite_double(l) || !finite_double(r) || violates(t->condition[i]->op, l, r)) return PH_OK;
    }
    PH_TRY(sides(&l, &r, t, err));
    *out = !finite_double(l) || !finite_double(r) ? UNDEFINED : violates(t->s->op, l, r) ? DOUBTFUL : FINE;
done:
    return st;
}

/* ---- all points ---------------------------------------------------------------------------------------- */

static ph_status balls_near(ver_check *out, trial *t, ph_err *err) {
    ph_status st = PH_OK;
    t->at.scale = VER_NEAR;
    for (int k = 0; k < 4 * NEAR_BALLS && !st && out->defined < NEAR_BALLS && !out->against; k++) {
        bool finite = false;
        t->at.seed = 1000 + (uint64_t)k;
        st = judge(out, t, 64, 64, &finite, err);
        out->met += finite;
        out->defined += finite;
    }
    return st;
}

/* f64 takes noise for a difference, and what is too small for it for 0: until a point is certain, balls have to see that the conditions hold. */
static ph_status confirm(look_answer *seen, int *asked, trial *t, ph_err *err) {
    bool held = false;
    ph_status st = (*asked)++ < CONFIRMED ? conditions_hold(&held, t, err) : PH_OK;
    if (!held) *seen = OUTSIDE;
    return st;
}

typedef struct {
    ver_check *out;
    trial *t;
} meeting;

static ph_status look_here(bool *wanted, void *ctx, ph_err *err) {
    const meeting *m = ctx;
    bool held, finite = false;
    ph_status st = conditions_hold(&held, m->t, err);
    if (!st && held) st = judge(m->out, m->t, 128, MAX_PREC, &finite, err);
    m->out->met += !st && held;
    m->out->defined += finite;
    *wanted = !st && held && finite;
    return st;
}

/* Points of every scale miss what the conditions let in: one is looked for. */
static ph_status find_one(ver_check *out, trial *t, ph_err *err) {
    bool empty;
    const expr_node *sum, *counted;
    for (int i = 0; i < t->n; i++)
        out->unsolved |=
            t->condition[i]->op == EXPR_EQ && !ver_condition_counts(t->condition[i], &sum, &counted) &&
            !ver_sampler_grants(&t->at, t->condition[i]) && !ver_sampler_solved(&t->at, t->condition[i]);
    ph_status st = ver_meet(&empty, &t->at, t->condition, t->n, look_here, &(meeting){out, t}, err);
    if (empty || (t->solved && !t->left)) out->unsolved = false;
    return st;
}

static ph_status run(ver_check *out, trial *t, ph_err *err) {
    double work = ver_work_of(t->s, MOST_WORK);
    int doubts = work > WORK / 10 ? 1 : DOUBTS,
        most = work * ROUNDS * VER_SCALES > WORK ? (int)(WORK / work) : ROUNDS * VER_SCALES;
    int confirmed = 0;
    if (most < 2) most = 2;
    ph_status st = balls_near(out, t, err);
    out->costly = work >= MOST_WORK;
    if (out->costly) return st;
    for (int k = 0; k < MORE * VER_SCALES && !st && !out->against; k++) {
        look_answer seen;
        bool finite;
        if (k >= most && (out->met || t->n == 0)) break;
        if (ph_interrupted()) return ph_fail_interrupted(err);
        t->at.seed = (uint64_t)(k / VER_SCALES);
        t->at.scale = (ver_scale)(k % VER_SCALES);
        st = look(&seen, t, err);
        if (!st && seen != OUTSIDE && t->n && !(out->met && out->defined))
            st = confirm(&seen, &confirmed, t, err);
        out->met += !st && seen != OUTSIDE;
        out->defined += !st && seen >= FINE;
        if (!st && seen == DOUBTFUL && doubts-- > 0) st = judge(out, t, 128, MAX_PREC, &finite, err);
    }
    return st;
}

static ph_status gather(expr_node ***list, int *n, const ver_assume *a, const expr_set *conditions,
                        ph_err *err) {
    int na = a ? a->nwhere : 0, nc = conditions ? conditions->n : 0;
    *n = 0;
    *list = ph_alloc((size_t)(na + nc + 1) * sizeof **list);
    if (!*list) return ph_fail_nomem(err, (size_t)(na + nc + 1) * sizeof **list);
    for (int i = 0; i < na; i++) (*list)[(*n)++] = a->where[i];
    for (int i = 0; i < nc; i++) (*list)[(*n)++] = conditions->item[i];
    return PH_OK;
}

/* Where an equation names no symbol's value, points that meet it are not found by chance: x = value, before all else. */
static ph_status solve_equations(trial *t, expr_builder *b, const ver_assume *a, ph_err *err) {
    ver_given g;
    expr_node *value[VER_GIVEN];
    bool some = false;
    for (int i = 0; a && i < a->nwhere; i++) some |= a->where[i]->op == EXPR_EQ;
    if (!some || !ver_given_solve(&g, b, a, 0))
        return PH_OK; /* what has two values the sampler gives by turns */
    for (int i = 0; i < g.n; i++)
        if (!(value[i] = expr_b_2(b, EXPR_EQ, g.x[i], g.value[i]))) return PH_OK;
    expr_node **all = ph_realloc(t->condition, (size_t)(t->n + g.n) * sizeof *all);
    if (!all) return ph_fail_nomem(err, (size_t)(t->n + g.n) * sizeof *all);
    memmove(all + g.n, all, (size_t)t->n * sizeof *all);
    memcpy(all, value, (size_t)g.n * sizeof *all);
    t->condition = all;
    t->n += g.n;
    t->solved = true;
    for (int i = 0; i < g.nrest; i++) t->left |= g.rest[i]->op == EXPR_EQ;
    return PH_OK;
}

ph_status ver_check_statement(ver_check *out, const expr_node *s, const ver_assume *a,
                              const expr_set *conditions, ph_err *err) {
    trial t = {.s = s};
    ph_err unheard = {0};
    expr_builder b = EXPR_BUILDER(&unheard);
    *out = (ver_check){0};
    ph_status st = gather(&t.condition, &t.n, a, conditions, err);
    if (!st) st = solve_equations(&t, &b, a, err);
    if (!st) st = expr_steps_of(&t.steps, s->arg[0], s->arg[1], err);
    if (!st) {
        ver_sampler_init(&t.at, s, t.condition, t.n);
        st = run(out, &t, err);
        if (!st && !out->met) st = find_one(out, &t, err);
        ver_sampler_clear(&t.at);
    }
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (!st && ph_is_fatal(end)) st = ph_fail(err, end, "%s", unheard.text);
    ph_free(t.condition);
    expr_steps_clear(&t.steps);
    if (st) ph_free(out->against), out->against = NULL;
    return st;
}

/* ---- conditions that no point meets -------------------------------------------------------------------- */

/* x != x, x < x: the sides are one; x^2 > x^2 + 1, −k > 0: seen from the bounds of the difference. */
static ph_status denies_itself(bool *out, const expr_node *c, ph_err *err) {
    *out = false;
    expr_builder b = EXPR_BUILDER(err);
    ver_ends none = {.n = 0};
    if (c->op == EXPR_NE || c->op == EXPR_LT || c->op == EXPR_GT)
        *out = expr_same(c->arg[0], c->arg[1]) || ver_normal_equal(&b, c->arg[0], c->arg[1]);
    expr_node *form =
        *out || b.st ? NULL : ver_settle_cases(&b, expr_b_keep(&b, expr_ref((expr_node *)c)), &none);
    if (form) *out = ver_span_decides(form, &none) == VER_NEVER;
    return expr_b_end(&b, NULL, NULL);
}

static ph_status is_false(bool *out, const expr_node *c, ver_sampler *at, ph_err *err) {
    expr_set atoms = {0};
    ver_truth is;
    bool finite;
    ph_status st;
    PH_TRY(denies_itself(out, c, err));
    if (!*out) PH_TRY(expr_symbols(&atoms, c, err));
    if (!*out && atoms.n == 0) {
        st = truth(&is, &finite, c, NULL, at, 64, 256, err);
        *out = is == VER_FALSE;
    }
done:
    expr_set_clear(&atoms);
    return st;
}

/* A symbol that the equation fixes, as a formula of the others; NULL: none. *never: a whole number that is none. */
static expr_node *solved(expr_node **by, bool *never, expr_builder *b, const expr_node *equation) {
    expr_set set = {0};
    expr_node *e = expr_b_sub(b, equation->arg[0], equation->arg[1]), *x = NULL, *c, *r;
    if (!e || b->st || (b->st = expr_symbols(&set, e, b->err))) return NULL;
    for (int i = 0; i < set.n && !x && !b->st; i++) {
        expr_node *s = expr_b_keep(b, expr_ref(set.item[i]));
        if (!s || s->op != EXPR_SYM || !ver_linear_in(b, e, s, &c, &r) || c->num == 0 || expr_has(r, s))
            continue;
        *by = expr_b_linear(b, expr_b_neg(b, expr_b_div(b, r, c)));
        if (*by) x = s;
    }
    expr_set_clear(&set);
    *never = x && (x->kind == EXPR_INTEGER || x->kind == EXPR_NATURAL) && expr_b_never_integer(b, *by);
    return b->st ? NULL : x;
}

/* The conditions with what the equations among them fix put in; *never: they cannot hold. */
static ph_status put_equations(expr_node **list, bool *never, expr_builder *b, int n) {
    const expr_node *sum, *counted;
    for (int i = 0; i < n && !*never && !b->st; i++) {
        expr_node *by = NULL, *e = list[i]->op == EXPR_EQ
                                       ? expr_b_linear(b, expr_b_sub(b, list[i]->arg[0], list[i]->arg[1]))
                                       : NULL;
        if (!e || ver_condition_counts(list[i], &sum, &counted)) continue;
        *never = e->op == EXPR_RAT && e->num != 0;
        expr_node *x = *never ? NULL : solved(&by, never, b, list[i]);
        for (int k = 0; k < n && x && !*never && !b->st; k++) {
            expr_node *put = NULL;
            ph_err why;
            ph_status st = k == i ? PH_EOUTSIDE : expr_subst(&put, list[k], x, by, &why);
            if (ph_is_fatal(st)) return ph_fail(b->err, st, "%s", why.text);
            if (!st && expr_b_keep(b, put)) list[k] = put;
        }
    }
    return b->st;
}

/* Do the equations among the conditions leave no point for the others? */
static ph_status equations_deny(bool *out, expr_node *const *condition, int n, ver_sampler *at, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    bool some = false;
    for (int i = 0; i < n; i++) some |= condition[i]->op == EXPR_EQ;
    *out = false;
    expr_node **list = some ? ph_alloc((size_t)n * sizeof *list) : NULL;
    if (!some) return PH_OK;
    if (!list) return ph_fail_nomem(err, (size_t)n * sizeof *list);
    memcpy(list, condition, (size_t)n * sizeof *list);
    ph_status st = put_equations(list, out, &b, n);
    for (int i = 0; i < n && !st && !*out; i++)
        if (list[i] != condition[i]) st = is_false(out, list[i], at, err);
    ph_free(list);
    if (ph_is_open(b.st)) b.st = PH_OK; /* what cannot be put in settles nothing */
    ph_status end = expr_b_end(&b, NULL, NULL);
    return ph_is_fatal(st) ? st : end;
}

ph_status ver_check_vacuous(char **which, const expr_node *s, const ver_assume *a, const expr_set *conditions,
                            ph_err *err) {
    expr_node **list;
    int n;
    ver_sampler at;
    *which = NULL;
    ph_status st = gather(&list, &n, a, conditions, err);
    if (st) return st;
    ver_sampler_init(&at, s, list, n);
    bool none = ver_sampler_is_empty(&at);
    if (none) st = ver_set(which, err, "%s", "the conditions contradict each other");
    for (int i = 0; i < n && !st && !none; i++) {
        char *text = NULL;
        st = is_false(&none, list[i], &at, err);
        if (!st && none) st = expr_text(&text, list[i], 60, err);
        if (text) st = ver_set(which, err, "no point meets the condition %s", text);
        ph_free(text);
    }
    if (!st && !none) st = equations_deny(&none, list, n, &at, err);
    if (!st && none && !*which) st = ver_set(which, err, "%s", "the conditions contradict each other");
    ver_sampler_clear(&at);
    ph_free(list);
    return st;
}
