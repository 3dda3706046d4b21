/* conditions.c: what the parts of a formula ask for, under the sums that they stand in. */
#include "verify/conditions.h"

#include <stdio.h>

#include "verify/normal.h"

/* ---- certain for every value of the indices ------------------------------------------------------------ */

/* A builder of attempts: what fails here settles nothing, unless memory is short or the user interrupts. */
static expr_node *attempt(expr_builder *b, expr_node *e) {
    if (b->st && !ph_is_fatal(b->st)) b->st = PH_OK;
    return e;
}

static expr_node *put(expr_builder *b, expr_node *e, expr_node *from, expr_node *to) {
    if (b->st || !e || !to) return NULL;
    return attempt(b, expr_b_replace(b, e, from, to));
}

/* u with each index written by a natural number K that no user can name: lo − 1 + K, or from the other end hi + 1 − K. */
static expr_node *from_end(expr_builder *b, expr_node *u, const ver_scope *s, bool top) {
    char name[80];
    int depth = 0;
    for (; s && u && !b->st; s = s->outer, depth++) {
        expr_node *K;
        if (!expr_has(u, s->index)) continue;
        snprintf(name, sizeof name, "%.60s'%d", s->index->name, depth);
        if ((b->st = expr_sym(&K, name, EXPR_NATURAL, b->err))) return NULL;
        K = expr_b_keep(b, K);
        expr_node *one = expr_b_rat(b, 1, 1);
        u = put(b, u, s->index,
                top ? expr_b_sub(b, expr_b_add(b, s->hi, one), K)
                    : expr_b_add(b, expr_b_sub(b, s->lo, one), K));
    }
    return u && !b->st ? attempt(b, expr_b_linear(b, u)) : NULL;
}

/* A lower bound of a linear form Σ c·n + d with c > 0 in natural and positive symbols; *strict: never attained. */
static bool least(int64_t *low, bool *strict, const expr_node *e) {
    int64_t a, c = 1;
    bool s = false;
    const expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_RAT: return e->den == 1 && (*low = e->num, *strict = false, true);
    case EXPR_ADD:
        return least(low, strict, u) && least(&a, &s, v) && !__builtin_add_overflow(*low, a, low) &&
               (*strict |= s, true);
    case EXPR_SUB:
        return v->op == EXPR_RAT && v->den == 1 && least(low, strict, u) &&
               !__builtin_sub_overflow(*low, v->num, low);
    case EXPR_MUL:
        if (u->op != EXPR_RAT || u->den != 1 || u->num <= 0) return false;
        c = u->num;
        e = v;
        break;
    default: break;
    }
    if (e->op == EXPR_SYM && e->kind == EXPR_NATURAL) return *low = c, *strict = false, true;
    return expr_is_positive(e) ? (*low = 0, *strict = true, true) : false;
}

static bool is_above(const expr_node *u, bool zero_too) {
    int64_t low;
    bool strict;
    if (expr_is_positive(u) || (zero_too && expr_is_nonnegative(u))) return true;
    return least(&low, &strict, u) && (low > 0 || (low == 0 && (strict || zero_too)));
}

/* a·k + d with rational a and d is 0 at no integer k, or at one outside the bounds. */
static bool misses_zero(expr_builder *b, expr_node *u, const ver_scope *s) {
    expr_set atoms;
    if (b->st || (b->st = expr_symbols(&atoms, u, b->err))) return false;
    bool alone = atoms.n == 1 && expr_same(atoms.item[0], s->index);
    expr_set_clear(&atoms);
    expr_node *at0 = alone ? put(b, u, s->index, expr_b_rat(b, 0, 1)) : NULL,
              *at1 = alone ? put(b, u, s->index, expr_b_rat(b, 1, 1)) : NULL, *slope, *line, *root;
    if (!at0 || !at1 || !(slope = attempt(b, expr_b_sub(b, at1, at0))) || slope->op != EXPR_RAT ||
        slope->num == 0)
        return false;
    line = expr_b_linear(b, expr_b_sub(b, u, expr_b_add(b, expr_b_mul(b, slope, s->index), at0)));
    if (!line || !expr_is_rat(line, 0, 1) || at0->op != EXPR_RAT) return attempt(b, NULL), false;
    root = expr_b_neg(b, expr_b_div(b, at0, slope));
    if (!root || root->op != EXPR_RAT) return attempt(b, NULL), false;
    if (root->den != 1) return true;
    return (s->lo->op == EXPR_RAT && s->lo->den == 1 && root->num < s->lo->num) ||
           (s->hi->op == EXPR_RAT && s->hi->den == 1 && root->num > s->hi->num);
}

/* Does c hold at every value of the indices? True only when that is certain. */
static bool is_certain(expr_builder *b, const expr_node *c, const ver_scope *s) {
    const expr_node *sum, *counted;
    if (ver_condition_counts(c, &sum, &counted))
        return is_certain(b, counted, &(ver_scope){sum->arg[0], sum->arg[1], sum->arg[2], s});
    if (c->op == EXPR_EQ) return false;
    bool less = c->op == EXPR_LT || c->op == EXPR_LE, weak = c->op == EXPR_GE || c->op == EXPR_LE;
    expr_node *u = attempt(b, expr_b_linear(b, expr_b_sub(b, c->arg[less], c->arg[!less])));
    if (!u) return false;
    if (c->op == EXPR_NE && s && misses_zero(b, u, s)) return true;
    for (int top = 0; top < 2; top++) {
        expr_node *v = from_end(b, u, s, top);
        if (v && is_above(v, weak)) return true;
        if (c->op != EXPR_NE || !v) continue;
        expr_node *minus = attempt(b, expr_b_linear(b, expr_b_neg(b, v)));
        if (minus && is_above(minus, false)) return true;
    }
    return false;
}

/* ---- conditions over indices --------------------------------------------------------------------------- */

expr_node *ver_tidy(expr_builder *b, expr_node *e, void *none) {
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, ver_tidy, none);
    return e && (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_NEG) ? expr_b_linear(b, e) : e;
}

static expr_node *counting(expr_builder *b, expr_node *condition, const ver_scope *s) {
    expr_node *zero = expr_b_rat(b, 0, 1), *c = ver_tidy(b, condition, NULL),
              *fails = expr_b_op(b, EXPR_PIECE, 3, (expr_node *[]){c, zero, expr_b_rat(b, 1, 1)});
    return expr_b_2(b, EXPR_EQ, expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){s->index, s->lo, s->hi, fails}),
                    zero);
}

ph_status ver_condition_over(expr_set *out, expr_node *c, const ver_scope *s, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    bool certain = is_certain(&b, c, s);
    for (; s && !certain && !b.st; s = s->outer)
        if (expr_has(c, s->index)) c = counting(&b, c, s);
    if (c && !certain && !b.st) b.st = expr_set_append(out, c, err);
    return expr_b_end(&b, NULL, NULL);
}

bool ver_condition_counts(const expr_node *c, const expr_node **sum, const expr_node **counted) {
    if (c->op != EXPR_EQ || c->arg[0]->op != EXPR_SUM || !expr_is_rat(c->arg[1], 0, 1)) return false;
    const expr_node *piece = c->arg[0]->arg[3];
    *sum = c->arg[0];
    if (piece->op != EXPR_PIECE || piece->nargs != 3) return false;
    *counted = piece->arg[0];
    return expr_is_rat(piece->arg[1], 0, 1) && expr_is_rat(piece->arg[2], 1, 1);
}

/* ---- a formula as it is written ------------------------------------------------------------------------ */

/* Between whole numbers alone is a sum defined: floor(u) = u of a bound u that is not whole by how it is built. */
static ph_status is_whole(expr_set *out, expr_node *u, const ver_scope *s, ph_err *err) {
    if (expr_is_whole(u)) return PH_OK;
    expr_builder b = EXPR_BUILDER(err);
    expr_node *c = NULL;
    ph_status st = expr_b_end(&b, &c, expr_b_2(&b, EXPR_EQ, expr_b_1(&b, EXPR_FLOOR, u), u));
    if (!st) st = ver_condition_over(out, c, s, err);
    expr_drop(c);
    return st;
}

/* hi >= lo − 1: a sum that runs backwards is undefined. */
static ph_status runs_forward(expr_set *out, expr_node *e, const ver_scope *s, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    expr_node *c = NULL;
    ph_status st = expr_b_end(
        &b, &c,
        expr_b_2(&b, EXPR_GE, e->arg[2], expr_b_linear(&b, expr_b_sub(&b, e->arg[1], expr_b_rat(&b, 1, 1)))));
    if (!st) st = ver_condition_over(out, c, s, err);
    expr_drop(c);
    return st;
}

static ph_status walk(expr_set *out, expr_node *e, const ver_scope *s, ph_err *err) {
    expr_set own = {0};
    ph_status st = PH_OK;
    ver_scope inner = {e->nargs ? e->arg[0] : NULL, NULL, NULL, s};
    if (e->op == EXPR_SUM) {
        inner.lo = e->arg[1], inner.hi = e->arg[2];
        PH_TRY(runs_forward(out, e, s, err));
        PH_TRY(is_whole(out, e->arg[1], s, err));
        PH_TRY(is_whole(out, e->arg[2], s, err));
    }
    if (e->op == EXPR_AT) PH_TRY(is_whole(out, e->arg[1], s, err));
    for (uint32_t i = 0; i < e->nargs; i++) {
        if (!e->arg[i]->nargs) continue;
        PH_TRY(walk(out, e->arg[i], e->op == EXPR_SUM && i == 3 ? &inner : s, err));
    }
    PH_TRY(ver_wants_real(out, e, s, err));
    PH_TRY(ver_normal_condition(&own, e, err));
    for (int i = 0; i < own.n; i++) PH_TRY(ver_condition_over(out, own.item[i], s, err));
done:
    expr_set_clear(&own);
    return st;
}

/* That the sides of an order are real is part of what its proof shows. */
ph_status ver_conditions_of(expr_set *out, expr_node *e, ph_err *err) {
    if (!expr_is_statement(e)) return walk(out, e, NULL, err);
    ph_status st = walk(out, e->arg[0], NULL, err);
    return st ? st : walk(out, e->arg[1], NULL, err);
}
