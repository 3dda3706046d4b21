/* by_induction.c: D(N) = 0 for a natural N in the bounds of sums, when D(1) = 0 and D(N + 1) − D(N) = 0: of a sum the step leaves the terms
 * that it gains. D must be defined for every N >= 1 once it is for one: no condition under which it, or the step, is defined may
 * mention N. The sums that stay in the step are first taken as sums, then as numbers of which nothing is known. */
#include <stdio.h>

#include "verify/cases.h"
#include "verify/conditions.h"
#include "verify/identity_ways.h"

#define MAX_DEPTH   1 /* questions within questions */
#define MAX_SYMBOLS 2
#define MAX_GAIN    4 /* terms that a step gains at an end */
#define MAX_SUMS    12

/* ---- the step ------------------------------------------------------------------------------------------ */

typedef struct {
    expr_builder *b;
    expr_node *n;
    int depth; /* of sums */
    bool failed;
} walk;

/* Indices named by how deep their sum stands, so that sums of one depth have one index. */
static expr_node *by_depth(expr_builder *b, expr_node *e, void *ctx) {
    walk *w = ctx;
    if (!e || e->op != EXPR_SUM)
        return e ? expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, by_depth, w) : NULL;
    char name[16];
    expr_node *own;
    snprintf(name, sizeof name, "'d%d", w->depth);
    if (b->st || (b->st = expr_sym(&own, name, EXPR_INTEGER, b->err)) || !(own = expr_b_keep(b, own)))
        return NULL;
    w->depth++;
    expr_node *body = by_depth(b, e->arg[3], w);
    w->depth--;
    body = expr_b_try_subst(b, body, e->arg[0], own);
    return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){own, e->arg[1], e->arg[2], body});
}

static expr_node *successor(walk *w) { return expr_b_add(w->b, w->n, expr_b_rat(w->b, 1, 1)); }

/* What the bound gains when N does by one. */
static bool gain(walk *w, expr_node *bound, int64_t *k) {
    expr_node *next = expr_b_try_subst(w->b, bound, w->n, successor(w));
    next = next ? expr_b_linear(w->b, expr_b_sub(w->b, next, bound)) : NULL;
    if (!next || next->op != EXPR_RAT || next->den != 1) return false;
    *k = next->num;
    return true;
}

static expr_node *next_of(expr_builder *b, expr_node *e, void *ctx) {
    walk *w = ctx;
    int64_t up, down;
    if (!e || w->failed || b->st) return NULL;
    if (expr_same(e, w->n)) return successor(w);
    if (e->op != EXPR_SUM) return expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, next_of, w);
    expr_node *i = e->arg[0], *lo = e->arg[1], *hi = e->arg[2], *body = next_of(b, e->arg[3], w);
    if (!body || !gain(w, hi, &up) || !gain(w, lo, &down) || up < 0 || down > 0 || up > MAX_GAIN ||
        down < -MAX_GAIN)
        return w->failed = true, NULL;
    expr_node *all = expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){i, lo, hi, body});
    for (int64_t k = 1; k <= up; k++)
        all = expr_b_add(
            b, all, expr_b_try_subst(b, body, i, expr_b_linear(b, expr_b_add(b, hi, expr_b_rat(b, k, 1)))));
    for (int64_t k = 1; k <= -down; k++)
        all = expr_b_add(
            b, all, expr_b_try_subst(b, body, i, expr_b_linear(b, expr_b_sub(b, lo, expr_b_rat(b, k, 1)))));
    return all;
}

/* Without the sums that have no term: hi = lo − 1. */
static expr_node *without_empty(expr_builder *b, expr_node *e, void *none) {
    e = e ? expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, without_empty, none) : NULL;
    if (!e || e->op != EXPR_SUM) return e;
    expr_node *gap = expr_b_linear(b, expr_b_sub(b, e->arg[2], e->arg[1]));
    return gap && expr_is_rat(gap, -1, 1) ? expr_b_rat(b, 0, 1) : e;
}

/* ---- what may stand in the way -------------------------------------------------------------------------- */

static bool mentions(const expr_set *conditions, const expr_node *n) {
    for (int i = 0; i < conditions->n; i++)
        if (expr_has(conditions->item[i], n)) return true;
    return false;
}

/* Is e defined for every n, once it is for one? What it asks for becomes a condition of the proof. */
static bool always_defined(const ver_question *q, expr_node *e, const expr_node *n) {
    expr_set conditions = {0};
    ph_err unheard;
    ph_status st = ver_conditions_of(&conditions, e, &unheard);
    if (ph_is_fatal(st)) q->b->st = ph_fail(q->b->err, st, "%s", unheard.text);
    bool yes = !st && !mentions(&conditions, n);
    for (int i = 0; i < conditions.n && yes; i++) {
        yes = !ver_is_fresh(conditions.item[i]);
        if (yes) ver_note_condition(q, conditions.item[i]);
    }
    expr_set_clear(&conditions);
    return yes;
}

static expr_node *first_sum(expr_node *e) {
    if (e->op == EXPR_SUM) return e;
    for (uint32_t i = 0; i < e->nargs; i++) {
        expr_node *s = first_sum(e->arg[i]);
        if (s) return s;
    }
    return NULL;
}

/* e with numbers of which nothing is known in place of its sums; NULL: too many. */
static expr_node *with_numbers(expr_builder *b, expr_node *e) {
    expr_node *s;
    for (int k = 0; e && (s = first_sum(e)); k++) {
        char name[16];
        expr_node *v;
        snprintf(name, sizeof name, "'s%d", k);
        if (k == MAX_SUMS || b->st ||
            (b->st = expr_sym(&v, name, expr_is_real(s) ? EXPR_REAL : EXPR_COMPLEX, b->err)))
            return NULL;
        v = expr_b_keep(b, v);
        e = v ? ver_take_case(b, e, s, v) : NULL;
    }
    return e;
}

/* e = 0, under no condition that mentions n. */
static bool is_zero(const ver_question *q, expr_node *e, const expr_node *n) {
    sums_form f;
    expr_set open = {0}; /* without what holds for every n */
    if (!e || !ver_follows_zero(q, &f, e)) return false;
    for (int i = 0; i < f.form.conditions.n && !q->b->st; i++)
        q->b->st = ver_condition_over(&open, f.form.conditions.item[i], NULL, q->b->err);
    bool yes = !q->b->st && !(n && mentions(&open, n));
    expr_set_clear(&f.form.conditions);
    f.form.conditions = open;
    if (yes) ver_take_proof(q, &f);
    else ver_normal_clear(&f.form);
    return yes;
}

static bool induct(const ver_question *q, expr_node *e, expr_node *n) {
    expr_builder *b = q->b;
    walk w = {.b = b, .n = n};
    expr_node *first = expr_b_try_subst(b, e, n, expr_b_rat(b, 1, 1)), *written = NULL;
    if (!first || !always_defined(q, q->e, n) || expr_expand_sums(&written, first, NULL) ||
        !(written = expr_b_keep(b, written)))
        return false;
    if (!is_zero(q, written, NULL)) return false;
    expr_node *next = next_of(b, e, &w),
              *step = next && !w.failed ? without_empty(b, expr_b_sub(b, next, e), NULL) : NULL;
    step = step ? ver_tidy(b, by_depth(b, step, &(walk){.b = b}), NULL) : NULL;
    if (!step || !always_defined(q, step, n)) return false;
    if (is_zero(q, step, n) || is_zero(q, with_numbers(b, step), n))
        return snprintf(q->out->induction, sizeof q->out->induction, "%s", n->name), true;
    return false;
}

/* Natural symbols in the bounds of sums. */
static void find_lengths(expr_set *out, expr_node *e) {
    for (uint32_t i = 1; e->op == EXPR_SUM && i <= 2; i++) {
        expr_set atoms;
        if (expr_symbols(&atoms, e->arg[i], NULL)) return;
        for (int k = 0; k < atoms.n; k++)
            if (atoms.item[k]->op == EXPR_SYM && atoms.item[k]->kind == EXPR_NATURAL &&
                expr_set_append(out, atoms.item[k], NULL))
                break;
        expr_set_clear(&atoms);
    }
    for (uint32_t i = 0; i < e->nargs; i++) find_lengths(out, e->arg[i]);
}

bool ver_by_induction(const ver_question *q) {
    expr_builder *b = q->b;
    expr_set lengths = {0};
    bool proved = false;
    if (q->depth > MAX_DEPTH || !ver_has_op(q->e, EXPR_SUM)) return false;
    expr_node *e = by_depth(b, q->e, &(walk){.b = b});
    if (e) find_lengths(&lengths, e);
    for (int i = 0; i < lengths.n && i < MAX_SYMBOLS && !proved && !b->st; i++) {
        expr_node *n = expr_b_keep(b, expr_ref(lengths.item[i]));
        proved = n && !expr_has_family(e, n) && induct(q, e, n);
        if (!proved) expr_set_clear(&q->out->form.conditions);
    }
    expr_set_clear(&lengths);
    return proved && !b->st;
}
