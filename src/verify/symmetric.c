/* symmetric.c: symmetry under permutations, and induction over a recurrence: statements that are several statements. */
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/exact.h"
#include "verify/internal.h"

#define MAX_ORDER 8 /* of a recurrence */

static exp_node *put(exp_builder *b, exp_node *e, exp_node *from, exp_node *to) {
    exp_node *r;
    if (b->st || !e || !from || !to) return NULL;
    b->st = exp_replace(&r, e, from, to, b->err);
    return exp_b_keep(b, r);
}

/* ---- symmetry ------------------------------------------------------------------------------------------ */

/* As put, where it must not be missed that a[n] may be a[1]. */
static exp_node *substitute(exp_builder *b, exp_node *e, exp_node *from, exp_node *to) {
    exp_node *r;
    if (b->st || !e) return NULL;
    b->st = exp_subst(&r, e, from, to, b->err);
    return exp_b_keep(b, r);
}

/* f with blocks i and i+1 exchanged, by way of symbols that no user can name. */
static exp_node *exchange(exp_builder *b, exp_node *f, exp_node *const *sym, int i, int size) {
    char name[32];
    exp_node *const *x = sym + (ptrdiff_t)i * size, *const *y = x + size;
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; k < size && !b->st; k++) {
            exp_node *aside;
            snprintf(name, sizeof name, "'%d", k);
            if ((b->st = exp_sym(&aside, name, EXP_REAL, b->err))) return NULL;
            exp_b_keep(b, aside);
            f = pass == 0   ? substitute(b, f, x[k], aside)
                : pass == 1 ? substitute(b, f, y[k], x[k])
                            : substitute(b, f, aside, y[k]);
        }
    return f;
}

ph_status ver_symmetric(ver_verdict *out, exp_node *f, exp_node *const *sym, int n, int size, ph_err *err) {
    ver_init(out);
    for (int i = 0; i < n * size; i++)
        for (int k = 0; k < i; k++)
            if (exp_same(sym[i], sym[k])) return ph_fail(err, PH_EARG, "one symbol stands twice");
    ph_status st = PH_OK;
    for (int i = 0; i + 1 < n; i++) {
        exp_builder b = EXP_BUILDER(err);
        exp_node *s = exp_b_2(&b, EXP_EQ, f, exchange(&b, f, sym, i, size)), *statement = NULL;
        if ((st = exp_b_end(&b, &statement, s)) && ph_is_open(st)) {
            ph_err why = *err;
            return ver_say_unknown(out, st == PH_EOUTSIDE ? VER_OUTSIDE_THEORY : VER_OUT_OF_BUDGET, why.text,
                                   err);
        }
        if (st) goto done;
        ver_clear(out);
        st = ver_prove(out, statement, NULL, err);
        exp_drop(statement);
        if (st || out->strength != VER_PROVED) break;
    }
    if (st) goto done;
    if (n < 2) { /* nothing to exchange */
        exp_node *itself = NULL;
        PH_TRY(exp_make2(&itself, EXP_EQ, f, f, err));
        st = ver_prove(out, itself, NULL, err);
        exp_drop(itself);
    } else if (out->strength == VER_PROVED) {
        char *method = out->method;
        out->method = NULL;
        st = ver_set(&out->method, err, "%s; the %d exchanges of neighbours generate all permutations",
                     method ? method : "", n - 1);
        ph_free(method);
    }
    if (!st) st = ver_set(&out->statement, err, "symmetric under all permutations of %d", n);
done:
    return st;
}

/* ---- induction ----------------------------------------------------------------------------------------- */

static exp_node *canonical(exp_builder *b, exp_node *e, void *ctx) {
    e = exp_b_rewrite(b, e, e->op == EXP_AT || e->op == EXP_SUM ? 1 : 0, canonical, ctx);
    if (!e || e->op != EXP_AT) return e;
    exp_node *index = exp_b_linear(b, e->arg[1]);
    return index == e->arg[1] ? e : exp_b_2(b, EXP_AT, e->arg[0], index);
}

/* e at n + shift */
static exp_node *at(exp_builder *b, exp_node *e, exp_node *n, exp_node *value) {
    e = put(b, e, n, value);
    return e ? canonical(b, e, NULL) : NULL;
}

typedef struct {
    exp_builder b;
    exp_node *n;
    exp_node *const *statement, *const *given;
    int count, ngiven;
    int64_t order;
} induction;

/* How far beyond n the given a[n+r] = … reach: the order of the recurrence. */
static ph_status find_order(induction *p) {
    exp_builder *b = &p->b;
    for (int i = 0; i < p->ngiven; i++) {
        exp_node *l = p->given[i]->arg[0];
        if (p->given[i]->op != EXP_EQ || l->op != EXP_AT)
            return ph_fail(b->err, PH_EARG, "a given equation is not of the form eq(a[n+1], ...)");
        if (!exp_has(l, p->n)) continue;
        exp_node *r = exp_b_linear(b, exp_b_sub(b, l->arg[1], p->n));
        if (b->st) return b->st;
        if (r->op != EXP_RAT || r->den != 1 || r->num < 1 || r->num > MAX_ORDER)
            return ph_fail(b->err, PH_EARG, "a given equation's left side is not at n+1, …, n+%d", MAX_ORDER);
        if (r->num > p->order) p->order = r->num;
    }
    for (int i = 0; i < p->count; i++) {
        exp_node *s = p->statement[i];
        if (s->op != EXP_EQ || s->arg[0]->op != EXP_AT || !exp_same(s->arg[0]->arg[1], p->n))
            return ph_fail(b->err, PH_EARG, "a statement is not of the form eq(a[n], ...)");
    }
    return p->order ? PH_OK : ph_fail(b->err, PH_EARG, "no recurrence a[n+1] = ... is given");
}

/* The step for statement s: a[n+order] by the given equations, what is then left of a[n], … by the hypothesis. */
static exp_node *step(induction *p, exp_node *s) {
    exp_builder *b = &p->b;
    s = at(b, s, p->n, exp_b_add(b, p->n, exp_b_rat(b, p->order, 1)));
    for (int i = 0; i < p->ngiven; i++) {
        exp_node *g = p->given[i], *l = g->arg[0], *r = g->arg[1];
        if (!exp_has(l, p->n)) continue;
        exp_node *gap = exp_b_linear(b, exp_b_sub(b, l->arg[1], p->n)), *up;
        if (!gap) return NULL;
        up = exp_b_add(b, p->n, exp_b_rat(b, p->order - gap->num, 1)); /* all at n + order */
        s = put(b, s, at(b, l, p->n, up), at(b, r, p->n, up));
    }
    for (int i = 0; i < p->ngiven; i++) /* starting values that the recurrence uses */
        if (!exp_has(p->given[i]->arg[0], p->n))
            s = put(b, s, canonical(b, p->given[i]->arg[0], NULL), p->given[i]->arg[1]);
    for (int64_t k = p->order - 1; k >= 0; k--)
        for (int i = 0; i < p->count; i++) {
            exp_node *h = p->statement[i], *up = exp_b_linear(b, exp_b_add(b, p->n, exp_b_rat(b, k, 1)));
            s = put(b, s, at(b, h->arg[0], p->n, up), at(b, h->arg[1], p->n, up));
        }
    return s;
}

static exp_node *base(induction *p, exp_node *s, int64_t value) {
    exp_builder *b = &p->b;
    s = at(b, s, p->n, exp_b_rat(b, value, 1));
    for (int i = 0; i < p->ngiven; i++)
        if (!exp_has(p->given[i]->arg[0], p->n))
            s = put(b, s, canonical(b, p->given[i]->arg[0], NULL), p->given[i]->arg[1]);
    return s;
}

/* Proves one part; a part that is not proved ends the whole. */
static ph_status part(ver_verdict *out, induction *p, exp_node *s, bool is_step) {
    if (p->b.st || !s) return p->b.st;
    ver_clear(out);
    ph_status st = ver_prove(out, s, NULL, p->b.err);
    if (st || out->strength == VER_PROVED || !is_step) return st;
    ver_clear(out); /* a step that fails refutes nothing */
    return ver_say_unknown(out, VER_OUTSIDE_THEORY,
                           "the step does not follow from the given equations and the hypothesis", p->b.err);
}

ph_status ver_induct(ver_verdict *out, exp_node *const *statement, int count, exp_node *n, int64_t from,
                     exp_node *const *given, int ngiven, ph_err *err) {
    ver_init(out);
    if (n->op != EXP_SYM || (n->kind != EXP_INTEGER && n->kind != EXP_NATURAL))
        return ph_fail(err, PH_EARG, "the variable is no integer symbol");
    if (n->kind == EXP_NATURAL && from < 1)
        return ph_fail(err, PH_EARG, "a natural number starts at 1; the induction at %lld", (long long)from);
    induction p = {EXP_BUILDER(err), n, statement, given, count, ngiven, 0};
    ph_status st = find_order(&p);
    bool going = true;
    for (int64_t k = 0; k < p.order && !st && going; k++)
        for (int i = 0; i < count && !st && going; i++) {
            st = part(out, &p, base(&p, statement[i], from + k), false);
            going = out->strength == VER_PROVED;
        }
    for (int i = 0; i < count && !st && going; i++) {
        st = part(out, &p, step(&p, statement[i]), true);
        going = out->strength == VER_PROVED;
    }
    char *text = NULL;
    if (!st && going)
        st = ver_set(&out->method, err, "induction over %s from %lld: base and step by normal form", n->name,
                     (long long)from);
    if (!st && going)
        st = ver_set(&out->conditions, err, "for all integers %s >= %lld, when the given equations hold",
                     n->name, (long long)from);
    if (!st) st = exp_text(&text, statement[0]->arg[1], 400, err);
    if (!st)
        st = ver_set(&out->statement, err, "%s[%s] = %s", statement[0]->arg[0]->arg[0]->name, n->name, text);
    ph_free(text);
    ph_status end = exp_b_end(&p.b, NULL, NULL);
    return st ? st : end;
}
