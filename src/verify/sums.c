/* sums.c: Σ c_k·Σ_{i=lo}^{hi} f_k(i) + r = 0. Sums with the same bounds are one sum; it vanishes when its general summand
 * does. What is left is a closed form S(v) = R(v), proved by differencing:
 *     R(v + s) − R(v) = f(hi(v) + 1), with hi(v + s) = hi(v) + 1, and R = 0 where the sum is empty. */
#include "verify/sums.h"

#include <stdio.h>
#include <string.h>

#include "expr/build.h"

#define MAX_SUMS 64
#define MAX_NESTING 4

typedef struct {
    exp_node *coef, *index, *lo, *hi, *body;
} term;

typedef struct {
    term t[MAX_SUMS];
    int n;
    exp_node *rest;
} linear;

static bool has_sum(const exp_node *e) {
    if (e->op == EXP_SUM) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_sum(e->arg[i])) return true;
    return false;
}

static ph_status outside(exp_builder *b, const char *what) {
    if (!b->st) b->st = ph_fail(b->err, PH_EUNABLE, "outside the theory: %s", what);
    return b->st;
}

/* coef·e joins the linear form. */
static void gather(exp_builder *b, linear *l, exp_node *e, exp_node *coef) {
    if (b->st || !e || !coef) return;
    if (!has_sum(e)) {
        l->rest = exp_b_add(b, l->rest, exp_b_mul(b, coef, e));
        return;
    }
    exp_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_NEG: gather(b, l, u, exp_b_neg(b, coef)); return;
    case EXP_ADD:
    case EXP_SUB:
        gather(b, l, u, coef);
        gather(b, l, v, e->op == EXP_ADD ? coef : exp_b_neg(b, coef));
        return;
    case EXP_MUL:
        if (!has_sum(u)) gather(b, l, v, exp_b_mul(b, coef, u));
        else if (!has_sum(v)) gather(b, l, u, exp_b_mul(b, coef, v));
        else outside(b, "a product of sums");
        return;
    case EXP_DIV:
        if (!has_sum(v)) gather(b, l, u, exp_b_div(b, coef, v));
        else outside(b, "a sum in a denominator");
        return;
    case EXP_SUM:
        if (l->n == MAX_SUMS) outside(b, "more than 64 sums");
        else l->t[l->n++] = (term){coef, u, v, e->arg[2], e->arg[3]};
        return;
    default: outside(b, "a sum inside a function");
    }
}

static exp_node *put(exp_builder *b, exp_node *e, exp_node *from, exp_node *to) {
    if (b->st || !e || !from || !to) return NULL;
    exp_node *r;
    b->st = exp_subst(&r, e, from, to, b->err);
    return exp_b_keep(b, r);
}

static bool always_equal(exp_builder *b, exp_node *x, exp_node *y) {
    if (exp_same(x, y)) return true;
    normal_form f;
    exp_node *d = exp_b_2(b, EXP_SUB, x, y);
    if (!d || has_sum(d) || ver_normal_decide(&f, d, NULL)) return false;
    bool zero = f.answer == NORMAL_ZERO;
    ver_normal_clear(&f);
    return zero;
}

static ph_status decide(sums_form *out, exp_node *e, int nesting, ph_err *err);

/* Folds the verdict of one part into the whole. */
static ph_status absorb(sums_form *out, exp_builder *b, exp_node *part, int nesting) {
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
        b->st = exp_set_append(&o->conditions, f.form.conditions.item[i], b->err);
    ver_normal_clear(&f.form);
    return b->st;
}

/* Sums with bounds that are always equal become one, with Σ c_k·f_k as its summand. */
static void merge(exp_builder *b, linear *l) {
    for (int i = 0; i < l->n && !b->st; i++) {
        term *t = &l->t[i];
        bool merged = false;
        for (int k = i + 1; k < l->n && !b->st; k++) {
            term *o = &l->t[k];
            if (!always_equal(b, t->lo, o->lo) || !always_equal(b, t->hi, o->hi)) continue;
            exp_node *body = exp_same(t->index, o->index) ? o->body : put(b, o->body, o->index, t->index);
            if (!merged) t->body = exp_b_mul(b, t->coef, t->body);
            merged = true;
            t->body = exp_b_add(b, t->body, exp_b_mul(b, o->coef, body));
            t->coef = exp_b_rat(b, 1, 1);
            l->t[k--] = l->t[--l->n];
        }
    }
}

/* The symbol v with hi = αv + β, and the step s = 1/α. */
static bool stepping(exp_builder *b, const term *t, exp_node **v, exp_node **step, exp_node **start) {
    exp_set s;
    bool found = false;
    if (exp_symbols(&s, t->hi, NULL)) return false;
    for (int i = 0; i < s.n && !found; i++) {
        exp_node *x = s.item[i], *zero = exp_b_rat(b, 0, 1), *one = exp_b_rat(b, 1, 1);
        if (x->op != EXP_SYM || (x->kind != EXP_INTEGER && x->kind != EXP_NATURAL) || exp_has(t->lo, x) ||
            exp_has(t->body, x))
            continue;
        exp_node *at0 = put(b, t->hi, x, zero), *at1 = put(b, t->hi, x, one);
        exp_node *slope = at0 && at1 ? exp_b_2(b, EXP_SUB, at1, at0) : NULL;
        if (!slope || !always_equal(b, t->hi, exp_b_add(b, at0, exp_b_mul(b, slope, x)))) continue;
        *v = exp_b_keep(b, exp_ref(x));
        *step = exp_b_div(b, one, slope);
        *start = exp_b_div(b, exp_b_sub(b, exp_b_sub(b, t->lo, one), at0), slope); /* hi = lo − 1 there */
        found = true;
    }
    exp_set_clear(&s);
    return found && !b->st;
}

static ph_status closed_form(sums_form *out, exp_builder *b, const linear *l, int nesting) {
    const term *t = &l->t[0];
    exp_node *v, *step, *start;
    if (l->n > 1 || !stepping(b, t, &v, &step, &start)) {
        if (!b->st) out->form.answer = NORMAL_NONZERO;
        if (!out->form.opaque) {
            out->form.opaque = true;
            snprintf(out->form.reason, sizeof out->form.reason, "sums with bounds that do not match");
        }
        return b->st;
    }
    exp_node *R = exp_b_div(b, exp_b_neg(b, l->rest), t->coef);
    exp_node *next = put(b, R, v, exp_b_add(b, v, step));
    exp_node *added = put(b, t->body, t->index, exp_b_add(b, t->hi, exp_b_rat(b, 1, 1)));
    if (b->st || !next || !added) return b->st;
    exp_node *difference = exp_b_sub(b, exp_b_sub(b, next, R), added);
    if (absorb(out, b, difference, nesting)) return b->st;
    if (absorb(out, b, put(b, R, v, start), nesting)) return b->st;
    snprintf(out->induction, sizeof out->induction, "%s", v->name);
    if (out->form.answer == NORMAL_NONZERO && !out->form.opaque) { /* differencing failed: no proof either way */
        out->form.opaque = true;
        snprintf(out->form.reason, sizeof out->form.reason, "the closed form does not follow by differencing");
    }
    return b->st;
}

static ph_status decide(sums_form *out, exp_node *e, int nesting, ph_err *err) {
    *out = (sums_form){0};
    if (!has_sum(e)) return ver_normal_decide(&out->form, e, err);
    if (nesting > MAX_NESTING) return ph_fail(err, PH_EUNABLE, "outside the theory: sums nested too deeply");
    exp_builder b = EXP_BUILDER(err);
    linear l = {.rest = exp_b_rat(&b, 0, 1)};
    gather(&b, &l, e, exp_b_rat(&b, 1, 1));
    merge(&b, &l);
    for (int i = 0; i < l.n && !b.st; i++) { /* a sum vanishes when its general summand does */
        sums_form s;
        if ((b.st = decide(&s, l.t[i].body, nesting + 1, err))) break;
        bool zero = s.form.answer == NORMAL_ZERO;
        ver_normal_clear(&s.form);
        if (!zero) continue;
        if (absorb(out, &b, l.t[i].body, nesting)) break;
        out->by_summand = true;
        l.t[i--] = l.t[--l.n];
    }
    if (!b.st) {
        if (l.n) closed_form(out, &b, &l, nesting);
        else absorb(out, &b, l.rest, nesting);
    }
    ph_status st = exp_b_end(&b, NULL, NULL);
    if (st) ver_normal_clear(&out->form);
    return st;
}

ph_status ver_sums_decide(sums_form *out, exp_node *e, ph_err *err) { return decide(out, e, 0, err); }
