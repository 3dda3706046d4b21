/* sums.c: Σ c_k·Σ_{i=lo}^{hi} f_k(i) + r = 0. Sums with the same bounds are one sum; it vanishes when its general summand
 * does. What is left is a closed form S(v) = R(v), proved by differencing:
 *     R(v + 1) − R(v) = f(hi(v) + 1) + … + f(hi(v + 1)), and R is the sum where v starts: that v is past the start is a
 * condition of the proof. */
#include "verify/sums.h"

#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/conditions.h"
#include "verify/identity.h"

#define MAX_SUMS    64
#define MAX_NESTING 4
#define MAX_PEELED  64 /* terms written out at an end of a sum */

typedef struct {
    expr_node *coef, *index, *lo, *hi, *body;
} term;

typedef struct {
    term t[MAX_SUMS];
    int n;
    expr_node *rest;
} linear;

static bool has_sum(const expr_node *e) {
    if (e->op == EXPR_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_sum(e->arg[i])) return true;
    return false;
}

static ph_status outside(expr_builder *b, const char *what) {
    if (!b->st) b->st = ph_fail(b->err, PH_EOUTSIDE, "%s", what);
    return b->st;
}

/* coef·e joins the linear form. */
static void gather(expr_builder *b, linear *l, expr_node *e, expr_node *coef) {
    if (b->st || !e || !coef || expr_is_rat(coef, 0, 1)) return;
    if (!has_sum(e)) {
        l->rest = expr_b_add(b, l->rest, expr_b_mul(b, coef, e));
        return;
    }
    expr_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_NEG: gather(b, l, u, expr_b_neg(b, coef)); return;
    case EXPR_ADD:
    case EXPR_SUB:
        gather(b, l, u, coef);
        gather(b, l, v, e->op == EXPR_ADD ? coef : expr_b_neg(b, coef));
        return;
    case EXPR_MUL:
        if (!has_sum(u)) gather(b, l, v, expr_b_mul(b, coef, u));
        else if (!has_sum(v)) gather(b, l, u, expr_b_mul(b, coef, v));
        else outside(b, "a product of sums");
        return;
    case EXPR_DIV:
        if (!has_sum(v)) gather(b, l, u, expr_b_div(b, coef, v));
        else outside(b, "a sum in a denominator");
        return;
    case EXPR_SUM:
        if (expr_b_never_integer(b, v) || expr_b_never_integer(b, e->arg[2])) {
            if (!b->st) b->st = ph_fail(b->err, PH_EDOMAIN, "a bound of the sum is no integer");
        } else if (l->n == MAX_SUMS) outside(b, "more than 64 sums");
        else l->t[l->n++] = (term){coef, u, v, e->arg[2], e->arg[3]};
        return;
    default: outside(b, "a sum inside a function");
    }
}

static expr_node *put(expr_builder *b, expr_node *e, expr_node *from, expr_node *to) {
    ph_status before = b->st;
    expr_node *r = expr_b_replace(b, e, from, to);
    if (!before && b->st == PH_EARG) {
        b->st = PH_OK;
        outside(b, "sums inside sums that use each other's index");
    }
    return r;
}

static bool always_equal(expr_builder *b, expr_node *x, expr_node *y) {
    if (b->st || !x || !y) return false;
    if (expr_same(x, y)) return true;
    return !has_sum(x) && !has_sum(y) && ver_normal_equal(b, x, y);
}

static ph_status decide(sums_form *out, expr_node *e, int nesting, ph_err *err);

/* Folds the verdict of one part into the whole; it was decided for every index of `over` (NULL: none). */
static ph_status absorb(sums_form *out, expr_builder *b, expr_node *part, const ver_scope *over,
                        int nesting) {
    sums_form f;
    if (b->st || !part) return b->st;
    if ((b->st = decide(&f, part, nesting + 1, b->err))) return b->st;
    normal_form *o = &out->form;
    if (f.form.answer == NORMAL_NONZERO) o->answer = NORMAL_NONZERO;
    if (f.form.terms > o->terms) o->terms = f.form.terms;
    o->exponentials |= f.form.exponentials;
    o->algebraic |= f.form.algebraic;
    if (f.form.opaque && !o->opaque) {
        o->opaque = true;
        memcpy(o->reason, f.form.reason, sizeof o->reason);
    }
    out->by_summand |= f.by_summand;
    if (!out->induction[0]) memcpy(out->induction, f.induction, sizeof out->induction);
    for (int i = 0; i < f.form.conditions.n && !b->st; i++)
        b->st = ver_condition_over(&o->conditions, f.form.conditions.item[i], over, b->err);
    ver_normal_clear(&f.form);
    return b->st;
}

/* Notes the statement l op r as a condition of the proof. */
static void require(sums_form *out, expr_builder *b, expr_op op, expr_node *l, expr_node *r) {
    expr_node *s = expr_b_2(b, op, l, r);
    if (s && !b->st) b->st = expr_set_append(&out->form.conditions, s, b->err);
}

/* y − x when that is an integer constant of at most MAX_PEELED. */
static bool gap(expr_builder *b, expr_node *x, expr_node *y, int64_t *d) {
    expr_node *e = expr_b_linear(b, expr_b_sub(b, y, x));
    if (!e || e->op != EXPR_RAT || e->den != 1 || e->num > MAX_PEELED || e->num < -MAX_PEELED) return false;
    *d = e->num;
    return true;
}

/* f(at + from) + … + f(at + to) for the summand f of t; NULL when empty or failed. */
static expr_node *written_out(expr_builder *b, const term *t, expr_node *at, int64_t from, int64_t to) {
    expr_node *sum = NULL;
    for (int64_t k = from; k <= to && !b->st; k++) {
        expr_node *f = put(b, t->body, t->index, expr_b_linear(b, expr_b_add(b, at, expr_b_rat(b, k, 1))));
        sum = sum ? expr_b_add(b, sum, f) : f;
    }
    return sum;
}

/* coef·(what o has at one end more than t: `more` terms from `at` on, or −more fewer) goes to the rest. */
static void peel(expr_builder *b, linear *l, const term *o, expr_node *at, int64_t from, int64_t to,
                 bool minus) {
    expr_node *part = written_out(b, o, at, from, to);
    if (!part) return;
    part = expr_b_mul(b, o->coef, part);
    l->rest = minus ? expr_b_sub(b, l->rest, part) : expr_b_add(b, l->rest, part);
}

/* Makes the bounds of o those of t: by shifting the index, or by writing out the terms at the ends. */
static bool align(sums_form *out, expr_builder *b, linear *l, const term *t, term *o) {
    int64_t lo, hi;
    if (!gap(b, t->lo, o->lo, &lo) || !gap(b, t->hi, o->hi, &hi)) return false;
    if (lo == hi) {
        if (lo) o->body = put(b, o->body, o->index, expr_b_add(b, o->index, expr_b_rat(b, lo, 1)));
        return !b->st;
    }
    /* o runs from t.lo + lo to t.hi + hi. Defined where neither is more than empty: said. */
    if (lo > 0) peel(b, l, o, t->lo, 0, lo - 1, true);
    else peel(b, l, o, t->lo, lo, -1, false);
    if (hi > 0) peel(b, l, o, t->hi, 1, hi, false);
    else peel(b, l, o, t->hi, hi + 1, 0, true);
    expr_node *short_lo = lo > 0 ? o->lo : t->lo, *short_hi = hi < 0 ? o->hi : t->hi;
    require(out, b, EXPR_GE, short_hi, expr_b_linear(b, expr_b_sub(b, short_lo, expr_b_rat(b, 1, 1))));
    return !b->st;
}

/* Sums whose bounds agree, or differ by constants, become one, with Σ c_k·f_k as its summand. */
static void merge(sums_form *out, expr_builder *b, linear *l) {
    for (int i = 0; i < l->n && !b->st; i++) {
        term *t = &l->t[i];
        bool merged = false;
        for (int k = i + 1; k < l->n && !b->st; k++) {
            term *o = &l->t[k];
            bool same = always_equal(b, t->lo, o->lo) && always_equal(b, t->hi, o->hi);
            if (!same && !align(out, b, l, t, o)) continue;
            expr_node *body = expr_same(t->index, o->index) ? o->body : put(b, o->body, o->index, t->index);
            if (!merged) t->body = expr_b_mul(b, t->coef, t->body);
            merged = true;
            t->body = expr_b_add(b, t->body, expr_b_mul(b, o->coef, body));
            t->coef = expr_b_rat(b, 1, 1);
            l->t[k--] = l->t[--l->n];
        }
    }
}

/* hi = slope·v + …, slope an integer; v runs upward (slope > 0) or downward from `start`, where `first` terms stand. */
typedef struct {
    expr_node *v, *start;
    int64_t slope, first;
} walk;

/* Where the walk starts: at the empty sum, or at the first value of v at which the sum is defined. */
static bool find_start(expr_builder *b, walk *w, const term *t, expr_node *at0) {
    expr_node *c =
        expr_b_linear(b, expr_b_sub(b, expr_b_sub(b, t->lo, expr_b_rat(b, 1, 1)), at0)); /* slope·v >= c */
    if (!c) return false;
    bool constant = c->op == EXPR_RAT && c->den == 1 && c->num < 1000000 && c->num > -1000000;
    if (!constant) {
        if (w->slope != 1 && w->slope != -1) return false;
        w->start = w->slope > 0 ? c : expr_b_linear(b, expr_b_neg(b, c));
        w->first = 0;
        return w->start != NULL;
    }
    int64_t m = w->slope > 0 ? w->slope : -w->slope,
            v = c->num >= 0 ? (c->num + m - 1) / m : -(-c->num / m); /* ⌈c/m⌉ */
    if (w->slope < 0) v = -v;
    if (w->v->kind == EXPR_NATURAL && w->slope > 0 && v < 1) v = 1;
    w->start = expr_b_rat(b, v, 1);
    w->first = w->slope * v - c->num;
    return w->start && w->first <= MAX_PEELED;
}

static bool stepping(expr_builder *b, const term *t, walk *w) {
    expr_set s;
    bool found = false;
    if ((b->st = expr_symbols(&s, t->hi, b->err))) return false;
    for (int i = 0; i < s.n && !found && !b->st; i++) {
        expr_node *x = s.item[i];
        if (x->op != EXPR_SYM || (x->kind != EXPR_INTEGER && x->kind != EXPR_NATURAL) || expr_has(t->lo, x) ||
            expr_has(t->body, x))
            continue;
        expr_node *at0 = put(b, t->hi, x, expr_b_rat(b, 0, 1)), *at1 = put(b, t->hi, x, expr_b_rat(b, 1, 1));
        if (!at0 || !at1 || !gap(b, at0, at1, &w->slope) || w->slope == 0) continue;
        if (!always_equal(b, t->hi, expr_b_add(b, at0, expr_b_mul(b, expr_b_rat(b, w->slope, 1), x))))
            continue;
        w->v = expr_b_keep(b, expr_ref(x));
        found = find_start(b, w, t, at0);
    }
    expr_set_clear(&s);
    return found && !b->st;
}

static ph_status no_closed_form(sums_form *out, expr_builder *b, const char *why) {
    out->form.answer = NORMAL_NONZERO;
    if (!out->form.opaque) {
        out->form.opaque = true;
        snprintf(out->form.reason, sizeof out->form.reason, "%s", why);
    }
    return b->st;
}

/* R(v + 1) − R(v) − (what the sum gains), at every place from which the walk takes a step. */
typedef struct {
    expr_node *difference;
    ver_scope places;
} step;

/* Upward by one: the step that adds the term at the index i itself, for i from the first that is not in the head. */
static step step_to_index(expr_builder *b, const term *t, const walk *w, expr_node *R) {
    expr_node *one = expr_b_rat(b, 1, 1),
              *to = expr_b_linear(b, expr_b_sub(b, t->index, expr_b_sub(b, t->hi, w->v)));
    expr_node *next = put(b, R, w->v, to), *now = put(b, R, w->v, expr_b_linear(b, expr_b_sub(b, to, one)));
    expr_node *first = expr_b_linear(b, expr_b_add(b, t->lo, expr_b_rat(b, w->first, 1)));
    return (step){expr_b_sub(b, expr_b_sub(b, next, now), t->body), {t->index, first, t->hi, NULL}};
}

/* Otherwise at a place of its own: an integer, which may be below 1, or a natural number. */
static step step_from_place(expr_builder *b, const term *t, const walk *w, expr_node *R, bool natural) {
    char name[80];
    expr_node *v = NULL, *by = expr_b_rat(b, w->slope > 0 ? 1 : -1, 1);
    snprintf(name, sizeof name, "%.60s'", w->v->name);
    if (!b->st) b->st = expr_sym(&v, name, natural ? EXPR_NATURAL : EXPR_INTEGER, b->err);
    v = expr_b_keep(b, v);
    expr_node *next = put(b, R, w->v, v ? expr_b_add(b, v, by) : NULL), *now = put(b, R, w->v, v);
    expr_node *added = written_out(b, t, put(b, t->hi, w->v, v), 1, w->slope > 0 ? w->slope : -w->slope),
              *last = expr_b_linear(b, expr_b_sub(b, w->v, by));
    return (step){expr_b_sub(b, expr_b_sub(b, next, now), added),
                  {v, w->slope > 0 ? w->start : last, w->slope > 0 ? last : w->start, NULL}};
}

static ph_status closed_form(sums_form *out, expr_builder *b, const linear *l, int nesting) {
    const term *t = &l->t[0];
    walk w;
    if (l->n > 1 || !stepping(b, t, &w))
        return b->st ? b->st : no_closed_form(out, b, "sums with bounds that do not match");
    expr_node *R = expr_b_div(b, expr_b_neg(b, l->rest), t->coef);
    bool from_one = w.v->kind == EXPR_NATURAL && w.slope > 0 && w.start->op == EXPR_RAT && w.start->num >= 1;
    expr_node *base = put(b, R, w.v, w.start), *head = written_out(b, t, t->lo, 0, w.first - 1);
    if (head) base = expr_b_sub(b, base, head);
    step s = !from_one && w.slope == 1 ? step_to_index(b, t, &w, R) : step_from_place(b, t, &w, R, from_one);
    if (b->st || !s.difference || !s.places.lo || !s.places.hi) return b->st;
    if (absorb(out, b, s.difference, &s.places, nesting)) return b->st;
    if (absorb(out, b, base, NULL, nesting)) return b->st;
    if (!from_one || w.start->num > 1) require(out, b, w.slope > 0 ? EXPR_GE : EXPR_LE, w.v, w.start);
    snprintf(out->induction, sizeof out->induction, "%s", w.v->name);
    if (out->form.answer == NORMAL_NONZERO) /* differencing failed: no proof either way */
        no_closed_form(out, b, "the closed form does not follow by differencing");
    return b->st;
}

/* An index that also occurs free in the whole gets a name that no symbol of a user has. */
static void rename_indices(expr_builder *b, linear *l, const expr_node *whole) {
    char name[80];
    for (int i = 0; i < l->n && !b->st; i++) {
        expr_node *fresh;
        term *t = &l->t[i];
        if (!expr_has(whole, t->index)) continue;
        snprintf(name, sizeof name, "%.60s'%d", t->index->name, i + 1);
        if ((b->st = expr_sym(&fresh, name, t->index->kind, b->err))) return;
        expr_b_keep(b, fresh);
        t->body = put(b, t->body, t->index, fresh);
        t->index = fresh;
    }
}

static ph_status decide(sums_form *out, expr_node *e, int nesting, ph_err *err) {
    *out = (sums_form){0};
    if (!has_sum(e)) return ver_normal_decide(&out->form, e, err);
    if (nesting > MAX_NESTING) return ph_fail(err, PH_EOUTSIDE, "sums nested too deeply");
    expr_builder b = EXPR_BUILDER(err);
    linear l = {.rest = expr_b_rat(&b, 0, 1)};
    gather(&b, &l, e, expr_b_rat(&b, 1, 1));
    rename_indices(&b, &l, e);
    merge(out, &b, &l);
    for (int i = 0; i < l.n && !b.st; i++) { /* a sum vanishes when its general summand does */
        sums_form s;
        if ((b.st = decide(&s, l.t[i].body, nesting + 1, err))) break;
        bool zero = s.form.answer == NORMAL_ZERO;
        ver_normal_clear(&s.form);
        if (!zero) continue;
        if (absorb(out, &b, l.t[i].body, &(ver_scope){l.t[i].index, l.t[i].lo, l.t[i].hi, NULL}, nesting))
            break;
        out->by_summand = true;
        l.t[i--] = l.t[--l.n];
    }
    if (!b.st) {
        if (l.n) closed_form(out, &b, &l, nesting);
        else absorb(out, &b, l.rest, NULL, nesting);
    }
    ph_status st = expr_b_end(&b, NULL, NULL);
    if (st) ver_normal_clear(&out->form);
    return st;
}

/* By the general summand and differencing alone. */
static ph_status decide_directly(sums_form *out, expr_node *e, ph_err *err) {
    expr_node *pushed;
    *out = (sums_form){0};
    if (!has_sum(e)) return decide(out, e, 0, err);
    ph_status st = expr_push_conj(&pushed, e, err); /* re, im and conj stand inside the sums then */
    if (!st) st = decide(out, pushed, 0, err);
    expr_drop(pushed);
    return st;
}

ph_status ver_sums_decide_within(sums_form *out, expr_node *e, const ver_assume *where, int depth,
                                 ph_err *err) {
    bool proved = false;
    sums_form other = {0};
    ph_err unheard;
    ph_status st = decide_directly(out, e, err);
    if (!st && out->form.answer == NORMAL_ZERO) return PH_OK;
    if (st && st != PH_EOUTSIDE && st != PH_EBUDGET) return st;
    ph_status more = ver_identity(&other, &proved, e, where, depth, &unheard);
    if (proved) {
        if (!st) ver_normal_clear(&out->form);
        *out = other;
        return PH_OK;
    }
    return ph_is_fatal(more) ? ph_fail(err, more, "%s", unheard.text) : st;
}

ph_status ver_sums_decide(sums_form *out, expr_node *e, const ver_assume *where, ph_err *err) {
    return ver_sums_decide_within(out, e, where, 0, err);
}
