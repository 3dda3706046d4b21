/* coq_sums.c: the certificate of an equation with sums. The difference of its sides is Σ c_k·S_k + r; of the sums with the same bounds the
 * first is written with the others, S_1 = Σ R_k·S_k + F(hi): by its general summand when F is 0, else by induction over the upper bound,
 * F(lo - 1) = 0 and F(v - 1) + f(v) = F(v). What is left is an equation in sums that are named. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/coq_internal.h"
#include "verify/normal.h"

#define MAX_SUMS   16
#define MAX_OTHERS 3 /* sums that one is written with */
#define MAX_BESIDE 2 /* with a closed form beside them: zsum_closed2 is coq.v's last */

typedef struct {
    expr_node *coef, *sum;
} item;

typedef struct {
    item t[MAX_SUMS];
    int n;
    expr_node *rest;
} linear;

bool ver_coq_has_sum(const expr_node *e) {
    if (e->op == EXPR_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_coq_has_sum(e->arg[i])) return true;
    return false;
}

/* ---- the linear form ----------------------------------------------------------------------------------- */

static void add_sum(coq_writer *c, linear *l, expr_node *e, expr_node *coef) {
    for (int i = 0; i < l->n; i++)
        if (expr_same(l->t[i].sum, e)) {
            l->t[i].coef = expr_b_add(&c->b, l->t[i].coef, coef);
            return;
        }
    if (ver_coq_has_sum(e->arg[3])) ver_coq_refuse(c, "a sum of sums");
    else if (l->n == MAX_SUMS) ver_coq_refuse(c, "more than %d sums", MAX_SUMS);
    else l->t[l->n++] = (item){coef, e};
}

static void gather(coq_writer *c, linear *l, expr_node *e, expr_node *coef) {
    expr_builder *b = &c->b;
    if (b->st || !e || !coef) return;
    expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    if (!ver_coq_has_sum(e)) {
        l->rest = expr_b_add(b, l->rest, expr_b_mul(b, coef, e));
    } else if (e->op == EXPR_SUM) add_sum(c, l, e, coef);
    else if (e->op == EXPR_NEG) gather(c, l, u, expr_b_neg(b, coef));
    else if (e->op == EXPR_ADD || e->op == EXPR_SUB) {
        gather(c, l, u, coef);
        gather(c, l, v, e->op == EXPR_ADD ? coef : expr_b_neg(b, coef));
    } else if (e->op == EXPR_MUL && !ver_coq_has_sum(u)) gather(c, l, v, expr_b_mul(b, coef, u));
    else if (e->op == EXPR_MUL && !ver_coq_has_sum(v)) gather(c, l, u, expr_b_mul(b, coef, v));
    else if (e->op == EXPR_DIV && !ver_coq_has_sum(v)) gather(c, l, u, expr_b_div(b, coef, v));
    else ver_coq_refuse(c, "a sum inside a product of sums or a function");
}

/* y − x when it is a whole constant. */
static bool gap(coq_writer *c, expr_node *x, expr_node *y, int64_t *d) {
    expr_node *e = expr_b_linear(&c->b, expr_b_sub(&c->b, y, x));
    if (!e || e->op != EXPR_RAT || e->den != 1) return false;
    *d = e->num;
    return true;
}

/* A sum whose bounds are those of `to`, both one further: Σ = Σ_to + f(hi) − f(lo_to), where hi is its own. */
static void slide(coq_writer *c, linear *l, expr_node *to, item *o) {
    expr_builder *b = &c->b;
    expr_node *s = o->sum, *args[] = {s->arg[0], to->arg[1], to->arg[2], s->arg[3]};
    COQ_PUT(c, "  rewrite (zsum_slide ");
    ver_coq_summands(c, s, to->arg[1], to->arg[2]);
    COQ_PUT(c, " ");
    ver_coq_whole(c, s->arg[1]);
    COQ_PUT(c, " ");
    ver_coq_whole(c, s->arg[2]);
    COQ_PUT(c, " ltac:(lia) ltac:(lia) ltac:(in_range)).\n");
    expr_node *gained = expr_b_sub(b, expr_b_subst(&c->b, s->arg[3], s->arg[0], s->arg[2]),
                                   expr_b_subst(&c->b, s->arg[3], s->arg[0], to->arg[1]));
    l->rest = expr_b_add(b, l->rest, expr_b_mul(b, o->coef, gained));
    o->sum = expr_b_op(b, EXPR_SUM, 4, args);
}

/* ---- one sum by others --------------------------------------------------------------------------------- */

static expr_node *fresh_whole(coq_writer *c) {
    char name[32];
    expr_node *s = NULL;
    int n = ++c->fresh;
    snprintf(name, sizeof name, "index'%d", n);
    if (!c->b.st) c->b.st = expr_sym(&s, name, EXPR_INTEGER, c->b.err);
    return expr_b_keep(&c->b, s);
}

static expr_node *summand(coq_writer *c, const item *t, expr_node *at) {
    return expr_b_subst(&c->b, t->sum->arg[3], t->sum->arg[0], at);
}

typedef struct {
    const item *first;
    const item *other[MAX_OTHERS];
    expr_node *R[MAX_OTHERS];
    int n;
    expr_node *F, *v; /* the closed form, in the upper bound v; F NULL: none */
} relation;

/* f − Σ R_k·g_k at `at`. */
static expr_node *combined(coq_writer *c, const relation *r, expr_node *at) {
    expr_node *e = summand(c, r->first, at);
    for (int k = 0; k < r->n; k++)
        e = expr_b_sub(&c->b, e, expr_b_mul(&c->b, r->R[k], summand(c, r->other[k], at)));
    return e;
}

/* F before the first index; F, one index on, against what the summand adds. */
static expr_node *start(coq_writer *c, const relation *r) {
    return expr_b_subst(&c->b, r->F, r->v, expr_b_sub(&c->b, r->first->sum->arg[1], expr_b_rat(&c->b, 1, 1)));
}

static expr_node *step(coq_writer *c, const relation *r, expr_node *at) {
    expr_builder *b = &c->b;
    expr_node *before = expr_b_subst(b, r->F, r->v, expr_b_sub(b, at, expr_b_rat(b, 1, 1)));
    return expr_b_sub(b, expr_b_add(b, combined(c, r, at), before), expr_b_subst(b, r->F, r->v, at));
}

/* Is F the sum, by induction over the upper bound alone? Not when the lower one goes with it. */
static bool is_closed(coq_writer *c, const relation *r) {
    return r->F && ver_coq_is_zero(c, start(c, r)) && ver_coq_is_zero(c, step(c, r, r->v));
}

static void put_closed_form(coq_writer *c, const relation *r) {
    COQ_PUT(c, "(fun ");
    ver_coq_name(c, r->v->name);
    COQ_PUT(c, " : Z => ");
    ver_coq_real(c, r->F);
    COQ_PUT(c, ")");
}

static void put_relation(coq_writer *c, const relation *r, int id) {
    COQ_PUT(c, "  assert (Z'%d : ", id);
    ver_coq_real(c, r->first->sum);
    COQ_PUT(c, " = 0");
    for (int k = 0; k < r->n; k++) {
        COQ_PUT(c, " + ");
        ver_coq_real(c, r->R[k]);
        COQ_PUT(c, " * ");
        ver_coq_real(c, r->other[k]->sum);
    }
    if (r->F) {
        COQ_PUT(c, " + ");
        put_closed_form(c, r);
        COQ_PUT(c, " ");
        ver_coq_whole(c, r->first->sum->arg[2]);
    }
    COQ_PUT(c, ").\n  {\n");
}

/* A power in e that has a constant whole exponent once v is `at`: the builder computes it, Coq does not. */
static bool has_constant_power(coq_writer *c, const expr_node *e, expr_node *v, expr_node *at) {
    if (e->op == EXPR_POW) {
        const expr_node *x = expr_b_linear(&c->b, expr_b_subst(&c->b, e->arg[1], v, at));
        if (x && x->op == EXPR_RAT && x->den == 1 && e->arg[1]->op != EXPR_RAT)
            return !ver_coq_known_sign(c, e->arg[0], true) || (x->num != 0 && x->num != 1);
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_constant_power(c, e->arg[i], v, at)) return true;
    return false;
}

/* F(lo - 1) = 0 and lo - 1 <= hi; a lower bound that is a sum takes two rounds from Z to R. */
static void put_start(coq_writer *c, const relation *r) {
    bool sum = r->first->sum->arg[1]->nargs > 0;
    expr_node *e = start(c, r), *before = expr_b_sub(&c->b, r->first->sum->arg[1], expr_b_rat(&c->b, 1, 1));
    COQ_PUT(c, "); [ | | %s ].\n  { in_summand; %sfolded_powers.\n",
            sum ? "first [ in_range | apply le_IZR; rewrite ?minus_IZR, ?plus_IZR, ?mult_IZR, ?opp_IZR; lra ]"
                : "in_range",
            sum ? "rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR; " : "");
    if (before && has_constant_power(c, r->F, r->v, before)) {
        c->whole = true;
        COQ_PUT(c, "  constant_powers.\n");
    }
    if (e && e->op == EXPR_RAT) COQ_PUT(c, "  settle; first [ ring | field; nonzero ].\n"); /* F may divide */
    else if (e) ver_coq_prove_zero(c, e);
    COQ_PUT(c, "  }\n");
}

static void prove_relation(coq_writer *c, const relation *r, int id) {
    expr_node *at = fresh_whole(c);
    if (!at) return;
    put_relation(c, r, id);
    COQ_PUT(c, r->F ? "  apply (zsum_closed%d _ " : "  apply zsum_same%d", r->n);
    if (r->F) put_closed_form(c, r);
    if (r->F) put_start(c, r);
    else COQ_PUT(c, ".\n");
    COQ_PUT(c, "  { intros %s V'%d; ", at->name, id);
    COQ_PUT(c, "in_summand; bounds_of V'%d.\n", id);
    expr_node *e = r->F ? step(c, r, at) : combined(c, r, at);
    if (e) ver_coq_put_pairs(c, e);
    if (e) ver_coq_prove_zero(c, e);
    COQ_PUT(c, "  }\n  }\n  rewrite Z'%d; clear Z'%d; in_summand.\n", id, id);
}

/* ---- the equation -------------------------------------------------------------------------------------- */

static bool same_bounds(coq_writer *c, const expr_node *x, const expr_node *y) {
    int64_t lo, hi;
    return gap(c, x->arg[1], y->arg[1], &lo) && gap(c, x->arg[2], y->arg[2], &hi) && lo == 0 && hi == 0;
}

/* The rest, divided by −c_1, as a function of the upper bound, when that is one symbol and a constant. */
static bool find_closed_form(coq_writer *c, relation *r, expr_node *rest) {
    expr_builder *b = &c->b;
    expr_node *hi = r->first->sum->arg[2];
    expr_set s = {0};
    if (b->st || r->n > MAX_BESIDE || expr_is_rat(rest, 0, 1)) return false;
    if ((b->st = expr_symbols(&s, hi, b->err))) return false;
    bool found = false;
    for (int i = 0; i < s.n && !found && !b->st; i++) {
        int64_t d;
        expr_node *n = s.item[i];
        if (n->op != EXPR_SYM || !gap(c, n, hi, &d)) continue;
        r->v = fresh_whole(c);
        expr_node *F = expr_b_div(b, expr_b_neg(b, rest), r->first->coef);
        r->F = expr_b_subst(&c->b, F, n, expr_b_sub(b, r->v, expr_b_rat(b, d, 1)));
        found = is_closed(c, r);
    }
    expr_set_clear(&s);
    return found;
}

static bool holds_by_summand(coq_writer *c, const relation *r) {
    expr_node *at = fresh_whole(c);
    expr_node *e = at ? combined(c, r, at) : NULL;
    return e && ver_normal_equal(&c->b, e, expr_b_rat(&c->b, 0, 1));
}

/* The first sum of the form, by those with its bounds; all of them leave the form. */
static void eliminate(coq_writer *c, linear *l) {
    expr_builder *b = &c->b;
    /* The others are over the first one's coefficient, which may be 0 unless it is a number. */
    for (int i = 1; i < l->n && l->t[0].coef->op != EXPR_RAT; i++)
        if (l->t[i].coef->op == EXPR_RAT && same_bounds(c, l->t[0].sum, l->t[i].sum)) {
            item t = l->t[0];
            l->t[0] = l->t[i];
            l->t[i] = t;
        }
    relation r = {.first = &l->t[0]};
    linear left = {.rest = l->rest};
    item first = l->t[0];
    for (int i = 1; i < l->n; i++) {
        int64_t lo, hi;
        if (gap(c, first.sum->arg[1], l->t[i].sum->arg[1], &lo) &&
            gap(c, first.sum->arg[2], l->t[i].sum->arg[2], &hi) && lo == hi && (lo == 1 || lo == -1)) {
            if (lo == 1) slide(c, l, first.sum, &l->t[i]);
            else slide(c, l, l->t[i].sum, &l->t[0]);
            if (b->st || !l->t[i].sum || !l->t[0].sum) return;
            linear again = {.rest = l->rest};
            for (int k = 0; k < l->n; k++) add_sum(c, &again, l->t[k].sum, l->t[k].coef);
            *l = again;
            return;
        }
    }
    for (int i = 1; i < l->n && !b->st; i++) {
        if (!same_bounds(c, first.sum, l->t[i].sum)) {
            left.t[left.n++] = l->t[i];
            continue;
        }
        if (r.n == MAX_OTHERS) ver_coq_refuse(c, "more than %d sums of the same length", MAX_OTHERS + 1);
        else {
            r.other[r.n] = &l->t[i];
            r.R[r.n++] = expr_b_div(b, expr_b_neg(b, l->t[i].coef), first.coef);
        }
    }
    if (b->st) return;
    if (!holds_by_summand(c, &r) && !find_closed_form(c, &r, l->rest))
        ver_coq_refuse(c, "sums without a common summand or closed form");
    if (!b->st) prove_relation(c, &r, ++c->fresh);
    *l = left;
}

void ver_coq_prove_sums(coq_writer *c, expr_node *s) {
    linear l = {.rest = expr_b_rat(&c->b, 0, 1)};
    gather(c, &l, s->arg[0], expr_b_rat(&c->b, 1, 1));
    gather(c, &l, s->arg[1], expr_b_rat(&c->b, -1, 1));
    for (int i = 0; i < l.n; i++) /* what cancelled */
        if (l.t[i].coef && expr_is_rat(l.t[i].coef, 0, 1)) l.t[i--] = l.t[--l.n];
    while (l.n && !c->b.st) {
        int before = l.n;
        eliminate(c, &l);
        for (int i = 0; i < l.n; i++)
            if (l.t[i].coef && expr_is_rat(l.t[i].coef, 0, 1)) l.t[i--] = l.t[--l.n];
        if (l.n > before) return;
    }
    COQ_PUT(c, "  name_sums; in_summand.\n");
    expr_node *difference = expr_b_2(&c->b, EXPR_SUB, s->arg[0], s->arg[1]);
    if (!difference) return;
    ver_coq_put_pairs(c, difference);
    ver_coq_prove_zero(c, difference);
}
