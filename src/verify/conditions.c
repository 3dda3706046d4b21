/* conditions.c: what the parts of a formula ask for, under the sums that they stand in. */
#include "verify/conditions.h"

#include <stdio.h>

#include "verify/normal.h"

/* ---- certain for every value of the indices ------------------------------------------------------------ */

/* A builder of attempts: what fails here settles nothing, unless memory is short or the user interrupts. */
static exp_node *attempt(exp_builder *b, exp_node *e) {
    if (b->st && !ph_is_fatal(b->st)) b->st = PH_OK;
    return e;
}

static exp_node *put(exp_builder *b, exp_node *e, exp_node *from, exp_node *to) {
    exp_node *r;
    if (b->st || !e || !to) return NULL;
    b->st = exp_replace(&r, e, from, to, b->err);
    return attempt(b, b->st ? NULL : exp_b_keep(b, r));
}

/* u with each index written by a natural number K that no user can name: lo − 1 + K, or from the other end hi + 1 − K. */
static exp_node *from_end(exp_builder *b, exp_node *u, const ver_scope *s, bool top) {
    char name[80];
    int depth = 0;
    for (; s && u && !b->st; s = s->outer, depth++) {
        exp_node *K;
        if (!exp_has(u, s->index)) continue;
        snprintf(name, sizeof name, "%.60s'%d", s->index->name, depth);
        if ((b->st = exp_sym(&K, name, EXP_NATURAL, b->err))) return NULL;
        K = exp_b_keep(b, K);
        exp_node *one = exp_b_rat(b, 1, 1);
        u = put(b, u, s->index,
                top ? exp_b_sub(b, exp_b_add(b, s->hi, one), K) : exp_b_add(b, exp_b_sub(b, s->lo, one), K));
    }
    return u && !b->st ? attempt(b, exp_b_linear(b, u)) : NULL;
}

/* A lower bound of a linear form Σ c·n + d with c > 0 in natural and positive symbols; *strict: never attained. */
static bool least(int64_t *low, bool *strict, const exp_node *e) {
    int64_t a, c = 1;
    bool s = false;
    const exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT: return e->den == 1 && (*low = e->num, *strict = false, true);
    case EXP_ADD:
        return least(low, strict, u) && least(&a, &s, v) && !__builtin_add_overflow(*low, a, low) &&
               (*strict |= s, true);
    case EXP_SUB:
        return v->op == EXP_RAT && v->den == 1 && least(low, strict, u) &&
               !__builtin_sub_overflow(*low, v->num, low);
    case EXP_MUL:
        if (u->op != EXP_RAT || u->den != 1 || u->num <= 0) return false;
        c = u->num;
        e = v;
        break;
    default: break;
    }
    if (e->op == EXP_SYM && e->kind == EXP_NATURAL) return *low = c, *strict = false, true;
    return exp_is_positive(e) ? (*low = 0, *strict = true, true) : false;
}

static bool is_above(const exp_node *u, bool zero_too) {
    int64_t low;
    bool strict;
    if (exp_is_positive(u) || (zero_too && exp_is_nonnegative(u))) return true;
    return least(&low, &strict, u) && (low > 0 || (low == 0 && (strict || zero_too)));
}

/* a·k + d with rational a and d is 0 at no integer k, or at one outside the bounds. */
static bool misses_zero(exp_builder *b, exp_node *u, const ver_scope *s) {
    exp_set atoms;
    if (b->st || (b->st = exp_symbols(&atoms, u, b->err))) return false;
    bool alone = atoms.n == 1 && exp_same(atoms.item[0], s->index);
    exp_set_clear(&atoms);
    exp_node *at0 = alone ? put(b, u, s->index, exp_b_rat(b, 0, 1)) : NULL,
             *at1 = alone ? put(b, u, s->index, exp_b_rat(b, 1, 1)) : NULL, *slope, *line, *root;
    if (!at0 || !at1 || !(slope = attempt(b, exp_b_sub(b, at1, at0))) || slope->op != EXP_RAT ||
        slope->num == 0)
        return false;
    line = exp_b_linear(b, exp_b_sub(b, u, exp_b_add(b, exp_b_mul(b, slope, s->index), at0)));
    if (!line || !exp_is_rat(line, 0, 1) || at0->op != EXP_RAT) return attempt(b, NULL), false;
    root = exp_b_neg(b, exp_b_div(b, at0, slope));
    if (!root || root->op != EXP_RAT) return attempt(b, NULL), false;
    if (root->den != 1) return true;
    return (s->lo->op == EXP_RAT && s->lo->den == 1 && root->num < s->lo->num) ||
           (s->hi->op == EXP_RAT && s->hi->den == 1 && root->num > s->hi->num);
}

/* Does c hold at every value of the indices? True only when that is certain. */
static bool is_certain(exp_builder *b, const exp_node *c, const ver_scope *s) {
    const exp_node *sum, *counted;
    if (ver_condition_counts(c, &sum, &counted))
        return is_certain(b, counted, &(ver_scope){sum->arg[0], sum->arg[1], sum->arg[2], s});
    if (c->op != EXP_NE && c->op != EXP_GT && c->op != EXP_GE) return false;
    exp_node *u = attempt(b, exp_b_linear(b, exp_b_sub(b, c->arg[0], c->arg[1])));
    if (!u) return false;
    if (c->op == EXP_NE && s && misses_zero(b, u, s)) return true;
    for (int top = 0; top < 2; top++) {
        exp_node *v = from_end(b, u, s, top);
        if (v && is_above(v, c->op == EXP_GE)) return true;
        if (c->op != EXP_NE || !v) continue;
        exp_node *minus = attempt(b, exp_b_linear(b, exp_b_neg(b, v)));
        if (minus && is_above(minus, false)) return true;
    }
    return false;
}

/* ---- conditions over indices --------------------------------------------------------------------------- */

exp_node *ver_tidy(exp_builder *b, exp_node *e, void *none) {
    e = exp_b_rewrite(b, e, e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0, ver_tidy, none);
    return e && (e->op == EXP_ADD || e->op == EXP_SUB || e->op == EXP_NEG) ? exp_b_linear(b, e) : e;
}

static exp_node *counting(exp_builder *b, exp_node *condition, const ver_scope *s) {
    exp_node *zero = exp_b_rat(b, 0, 1), *c = ver_tidy(b, condition, NULL),
             *fails = exp_b_op(b, EXP_PIECE, 3, (exp_node *[]){c, zero, exp_b_rat(b, 1, 1)});
    return exp_b_2(b, EXP_EQ, exp_b_op(b, EXP_SUM, 4, (exp_node *[]){s->index, s->lo, s->hi, fails}), zero);
}

ph_status ver_condition_over(exp_set *out, exp_node *c, const ver_scope *s, ph_err *err) {
    exp_builder b = EXP_BUILDER(err);
    bool certain = is_certain(&b, c, s);
    for (; s && !certain && !b.st; s = s->outer)
        if (exp_has(c, s->index)) c = counting(&b, c, s);
    if (c && !certain && !b.st) b.st = exp_set_append(out, c, err);
    return exp_b_end(&b, NULL, NULL);
}

bool ver_condition_counts(const exp_node *c, const exp_node **sum, const exp_node **counted) {
    if (c->op != EXP_EQ || c->arg[0]->op != EXP_SUM || !exp_is_rat(c->arg[1], 0, 1)) return false;
    const exp_node *piece = c->arg[0]->arg[3];
    *sum = c->arg[0];
    if (piece->op != EXP_PIECE || piece->nargs != 3) return false;
    *counted = piece->arg[0];
    return exp_is_rat(piece->arg[1], 0, 1) && exp_is_rat(piece->arg[2], 1, 1);
}

/* ---- a formula as it is written ------------------------------------------------------------------------ */

/* hi >= lo − 1: a sum that runs backwards is undefined. */
static ph_status runs_forward(exp_set *out, exp_node *e, const ver_scope *s, ph_err *err) {
    exp_builder b = EXP_BUILDER(err);
    exp_node *c = NULL;
    ph_status st = exp_b_end(
        &b, &c,
        exp_b_2(&b, EXP_GE, e->arg[2], exp_b_linear(&b, exp_b_sub(&b, e->arg[1], exp_b_rat(&b, 1, 1)))));
    if (!st) st = ver_condition_over(out, c, s, err);
    exp_drop(c);
    return st;
}

static ph_status walk(exp_set *out, exp_node *e, const ver_scope *s, ph_err *err) {
    exp_set own = {0};
    ph_status st = PH_OK;
    ver_scope inner = {e->nargs ? e->arg[0] : NULL, NULL, NULL, s};
    if (e->op == EXP_SUM) {
        inner.lo = e->arg[1], inner.hi = e->arg[2];
        PH_TRY(runs_forward(out, e, s, err));
    }
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (!e->arg[i]->nargs) continue;
        PH_TRY(walk(out, e->arg[i], e->op == EXP_SUM && i == 3 ? &inner : s, err));
    }
    PH_TRY(ver_normal_condition(&own, e, err));
    for (int i = 0; i < own.n; i++) PH_TRY(ver_condition_over(out, own.item[i], s, err));
done:
    exp_set_clear(&own);
    return st;
}

ph_status ver_conditions_of(exp_set *out, exp_node *e, ph_err *err) { return walk(out, e, NULL, err); }
