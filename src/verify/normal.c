/* normal.c: generators are found in rounds, innermost functions first; then the formula is read into the ring. */
#include "verify/normal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/build.h"
#include "verify/normal_internal.h"

/* ---- conditions ---------------------------------------------------------------------------------------- */

typedef struct {
    exp_set *out;
    ph_err *err;
} definedness;

/* Notes `u op 0` as a condition, once. */
static ph_status require(definedness *c, exp_op op, exp_node *u) {
    exp_builder b = EXP_BUILDER(c->err);
    exp_node *s = NULL;
    ph_status st = exp_b_end(&b, &s, exp_b_2(&b, op, u, exp_b_rat(&b, 0, 1)));
    if (!st) st = exp_set_append(c->out, s, c->err);
    exp_drop(s);
    return st;
}

static bool never_zero(const exp_node *u) {
    if (u->op == EXP_NEG) return never_zero(u->arg[0]);
    if (u->op == EXP_RAT) return u->num != 0;
    if (u->op == EXP_I || u->op == EXP_EXP) return true;
    if (u->op == EXP_MUL || u->op == EXP_DIV) return never_zero(u->arg[0]) && never_zero(u->arg[1]);
    if (u->op == EXP_POW) return never_zero(u->arg[0]);
    return exp_is_positive(u);
}

static ph_status require_nonzero(definedness *c, exp_node *u) {
    while (u->op == EXP_NEG || (u->op == EXP_POW && u->arg[1]->op == EXP_RAT && u->arg[1]->num > 0))
        u = u->arg[0];
    if (never_zero(u)) return PH_OK;
    if (u->op == EXP_MUL) {
        ph_status st = require_nonzero(c, u->arg[0]);
        return st ? st : require_nonzero(c, u->arg[1]);
    }
    return require(c, EXP_NE, u);
}

/* f(u) != 0 */
static ph_status require_function(definedness *c, exp_op f, exp_node *u) {
    exp_builder b = EXP_BUILDER(c->err);
    exp_node *k = NULL;
    ph_status st = exp_b_end(&b, &k, exp_b_1(&b, f, u));
    if (!st) st = require(c, EXP_NE, k);
    exp_drop(k);
    return st;
}

/* Conditions under which e is defined when its parts are, read off the formula as written. */
static ph_status condition(definedness *c, exp_node *e) {
    exp_node *u = e->nargs ? e->arg[0] : NULL;
    switch (e->op) {
    case EXP_DIV: return require_nonzero(c, e->arg[1]);
    case EXP_TAN: return require_function(c, EXP_COS, u);
    case EXP_TANH: return exp_is_real(u) ? PH_OK : require_function(c, EXP_COSH, u);
    case EXP_LOG: return require_nonzero(c, u);
    case EXP_CI: return exp_is_positive(u) ? PH_OK : require(c, EXP_GT, u);
    case EXP_POW: return exp_is_positive(e->arg[1]) ? PH_OK : require_nonzero(c, u);
    default: return PH_OK;
    }
}

ph_status ver_normal_condition(exp_set *out, exp_node *e, ph_err *err) {
    return condition(&(definedness){out, err}, e);
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

static void close_ring(normal *c) {
    if (!c->ring_open) return;
    ver_forget_values(c);
    c->spent = c->r.spent;
    ver_ring_clear(&c->r);
    c->ring_open = false;
}

/* w^(2q) = 1 for e^(iπn/q); w^q = n·d^(q−1) for (n/d)^(1/q); a² = u² for a = |u|. */
static ph_status relate(normal *c, slong id) {
    const gen *g = &c->gens[id];
    ring_frac v, t;
    ph_status st = PH_OK;
    ver_ring_frac_init(&v, &c->r);
    ver_ring_frac_init(&t, &c->r);
    if (g->kind == GEN_EXP && c->dirs[g->dir].kind == DIR_PARITY) {
        ver_set_si(&v, 1, 1, &c->r);
        st = ver_ring_relate(&c->r, id, 2 * c->dirs[g->dir].q, &v);
    } else if (g->kind == GEN_EXP && c->dirs[g->dir].kind == DIR_LOG && c->dirs[g->dir].q > 1) {
        const direction *d = &c->dirs[g->dir];
        const exp_node *b = c->gens[d->f[0].gen].node;
        if (ver_is_atom(b) && exp_is_positive(b)) goto done;
        c->out->algebraic = true;
        PH_TRY(ver_convert(c, &v, b));
        fmpz_mpoly_set(t.n, v.d, c->r.ctx);
        fmpz_mpoly_one(v.d, c->r.ctx);
        PH_TRY(ver_ring_pow(&t, &t, d->q - 1, &c->r));
        PH_TRY(ver_ring_mul(&v, &v, &t, &c->r));
        st = ver_ring_relate(&c->r, id, d->q, &v);
    } else if (g->kind == GEN_OPAQUE && g->node->op == EXP_ABS) {
        c->out->algebraic = true;
        PH_TRY(ver_convert(c, &v, g->node->arg[0]));
        PH_TRY(ver_ring_mul(&v, &v, &v, &c->r));
        if (fmpz_mpoly_is_fmpz(v.d, c->r.ctx) && fmpz_mpoly_is_one(v.d, c->r.ctx))
            st = ver_ring_relate(&c->r, id, 2, &v);
    }
done:
    ver_ring_frac_clear(&v, &c->r);
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

static ph_status open_ring(normal *c) {
    close_ring(c);
    ph_status st = ver_ring_init(&c->r, c->ngens, c->err);
    c->r.spent = c->spent;
    c->ring_open = true;
    for (slong i = 1; i < c->ngens && !st; i++) {
        if (c->gens[i].kind == GEN_EXP) c->out->exponentials = true;
        st = relate(c, i);
    }
    return st;
}

/* An atom outside the theory: the same generator for the same argument, up to sign for even and odd functions. */
static ph_status plan_opaque(normal *c, plan *p, exp_node *e) {
    ring_frac u, v;
    ph_status st = PH_OK;
    bool even = e->op == EXP_ABS, odd = e->op == EXP_SIGN || e->op == EXP_SI || e->op == EXP_ATAN;
    ver_ring_frac_init(&u, &c->r);
    ver_ring_frac_init(&v, &c->r);
    if (!even) {
        c->out->opaque = true;
        snprintf(c->out->reason, sizeof c->out->reason, "%s is outside the theory", exp_ops[e->op].name);
    }
    PH_TRY(ver_convert(c, &u, e->arg[0]));
    for (slong i = 0; i < c->ngens; i++) {
        if (c->gens[i].kind != GEN_OPAQUE || c->gens[i].node->op != e->op) continue;
        if (i >= c->r.nvars && !exp_same(c->gens[i].node, e)) {
            /* made in this very round: its argument still reads in the same ring */
        }
        PH_TRY(ver_convert(c, &v, c->gens[i].node->arg[0]));
        for (int sign = 1; sign >= ((even || odd) ? -1 : 1); sign -= 2) {
            ring_frac d;
            ver_ring_frac_init(&d, &c->r);
            st = ver_ring_add(&d, &u, &v, -sign, &c->r);
            bool same = !st && ver_ring_is_zero(&d, &c->r);
            ver_ring_frac_clear(&d, &c->r);
            if (st) goto done;
            if (same) {
                p->gen = i;
                p->sign = odd ? sign : 1;
                goto done;
            }
        }
    }
    p->sign = 1;
    st = ver_gen_new(c, &p->gen, GEN_OPAQUE, e, -1);
done:
    ver_ring_frac_clear(&u, &c->r);
    ver_ring_frac_clear(&v, &c->r);
    return st;
}

/* The exponent E of a function node: I·u, u, or s·log b. */
static ph_status exponent(normal *c, ring_frac *E, exp_node *e) {
    ring_frac t;
    ph_status st = PH_OK;
    ver_ring_frac_init(&t, &c->r);
    if (e->op == EXP_POW || e->op == EXP_SQRT) {
        if (e->op == EXP_SQRT) ver_set_si(&t, 1, 2, &c->r);
        else PH_TRY(ver_convert(c, &t, e->arg[1]));
        st = ver_log_of(c, E, e->arg[0], &t, 1);
        goto done;
    }
    PH_TRY(ver_convert(c, E, e->arg[0]));
    if (e->op == EXP_SIN || e->op == EXP_COS || e->op == EXP_TAN) {
        ver_ring_gen(&t, 0, &c->r);
        st = ver_ring_mul(E, E, &t, &c->r);
    }
done:
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

/* A power whose base is 0: 0 for an exponent that is certainly positive, else undefined. */
static ph_status power_of_zero(normal *c, bool *is, const exp_node *e) {
    *is = false;
    if ((e->op != EXP_POW && e->op != EXP_SQRT) || exp_is_positive(e->arg[0])) return PH_OK;
    ring_frac f;
    ver_ring_frac_init(&f, &c->r);
    ph_status st = ver_convert(c, &f, e->arg[0]);
    *is = !st && ver_ring_is_zero(&f, &c->r);
    if (*is && e->op == EXP_POW && !exp_is_positive(e->arg[1]))
        st = ph_fail(c->err, PH_EDOMAIN, "0 to a power that may not be positive is undefined");
    ver_ring_frac_clear(&f, &c->r);
    return st;
}

static ph_status make_plan(normal *c, formula_part *f) {
    exp_node *e = f->node;
    if (e->op == EXP_LOG) return PH_OK;
    if (c->nplans == c->capplans) {
        size_t cap = c->capplans ? 2 * c->capplans : 32;
        plan *p = ph_realloc(c->plans, cap * sizeof *p);
        if (!p) return ph_fail_nomem(c->err, cap * sizeof *p);
        c->plans = p;
        c->capplans = cap;
    }
    plan p = {.node = e, .gen = -1, .sign = 1};
    ph_status st;
    if (e->op >= EXP_ABS || e->op == EXP_CI || e->op == EXP_SI || e->op == EXP_ATAN)
        st = plan_opaque(c, &p, e);
    else {
        ring_frac E;
        ver_ring_frac_init(&E, &c->r);
        st = exponent(c, &E, e);
        if (!st) st = ver_split(c, &p, &E);
        if (!st) st = power_of_zero(c, &p.zero, e);
        ver_ring_frac_clear(&E, &c->r);
    }
    f->plan = (int32_t)c->nplans;
    c->plans[c->nplans++] = p; /* kept even when it failed: it owns its parts */
    return st;
}

/* Positive symbols with a logarithm become e^log: their directions must stand before the first ring. */
static ph_status exponentiate_symbols(normal *c) {
    ph_status st = PH_OK;
    slong n = c->ngens, dir;
    for (slong i = 0; i < n && !st; i++)
        if (c->gens[i].kind == GEN_LOG && ver_is_atom(c->gens[i].node) && exp_is_positive(c->gens[i].node))
            st = ver_direction_get(c, &dir, &(factor){(int32_t)i, 1, 1}, 1, "");
    return st;
}

static bool is_even_power(const exp_node *u) {
    return ver_is_integer_pow(u) && u->arg[1]->num != 0 && u->arg[1]->num % 2 == 0 && exp_is_real(u->arg[0]);
}

/* Is u its own conjugate? Told by form where the signs do not tell. */
static bool is_real(exp_builder *b, exp_node *u) {
    exp_node *c = exp_b_1(b, EXP_CONJ, u), *pushed;
    if (exp_is_real(u)) return true;
    if (!c || (b->st = exp_push_conj(&pushed, c, b->err))) return false;
    return ver_normal_equal(b, u, exp_b_keep(b, pushed));
}

/* min(a,b) = (a + b − |a − b|)/2; |uv| = |u||v|; |z|² = z·conj(z) for a formula that may be complex. */
static exp_node *prepare(exp_builder *b, exp_node *e, void *ctx) {
    e = exp_b_rewrite(b, e, e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0, prepare, ctx);
    if (!e) return NULL;
    exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    if (e->op == EXP_MIN || e->op == EXP_MAX) {
        if (!is_real(b, u) || !is_real(b, v)) {
            if (!b->st)
                b->st = ph_fail(b->err, PH_EOUTSIDE, "%s of what may be complex", exp_ops[e->op].name);
            return NULL;
        }
        exp_node *gap = prepare(b, exp_b_1(b, EXP_ABS, exp_b_2(b, EXP_SUB, u, v)), ctx),
                 *sum = exp_b_2(b, EXP_ADD, u, v);
        return exp_b_2(b, EXP_DIV, exp_b_2(b, e->op == EXP_MIN ? EXP_SUB : EXP_ADD, sum, gap),
                       exp_b_rat(b, 2, 1));
    }
    if (e->op == EXP_AT) {
        exp_node *index = exp_b_linear(b, v);
        if (index && exp_b_never_integer(b, index) && !b->st)
            b->st = ph_fail(b->err, PH_EDOMAIN, "an index is no integer");
        if (b->st) return NULL;
        return index == v ? e : exp_b_2(b, EXP_AT, u, index);
    }
    if (e->op == EXP_SQRT && exp_is_rat(u, 0, 1)) return u;
    if ((e->op == EXP_SQRT || (e->op == EXP_POW && !ver_is_integer_pow(e))) &&
        is_even_power(u)) /* (v²)^s = |v|^2s, v real */
        return exp_b_pow(b, prepare(b, exp_b_1(b, EXP_ABS, u->arg[0]), ctx),
                         exp_b_mul(b, u->arg[1], e->op == EXP_SQRT ? exp_b_rat(b, 1, 2) : v));
    if (e->op != EXP_ABS) return e;
    if (exp_is_nonnegative(u)) return u;
    if (u->op == EXP_NEG) return prepare(b, exp_b_1(b, EXP_ABS, u->arg[0]), ctx);
    if (u->op == EXP_RAT) return exp_b_1(b, EXP_NEG, u);
    if (!exp_is_real(u)) {
        exp_node *c = NULL, *square = exp_b_2(b, EXP_MUL, u, exp_b_1(b, EXP_CONJ, u));
        if (square) b->st = exp_push_conj(&c, square, b->err);
        return exp_b_1(b, EXP_SQRT, exp_b_keep(b, c));
    }
    if (u->op == EXP_MUL || u->op == EXP_DIV)
        return exp_b_2(b, u->op, prepare(b, exp_b_1(b, EXP_ABS, u->arg[0]), ctx),
                       prepare(b, exp_b_1(b, EXP_ABS, u->arg[1]), ctx));
    if (ver_is_integer_pow(u))
        return exp_b_2(b, EXP_POW, prepare(b, exp_b_1(b, EXP_ABS, u->arg[0]), ctx), u->arg[1]);
    return e;
}

static ph_status decide(normal *c, exp_node *e) {
    int top;
    slong i;
    ring_frac f;
    ph_status st = PH_OK;
    PH_TRY(ver_gen_new(c, &i, GEN_I, NULL, -1));
    PH_TRY(ver_find_parts(c, e, &top));
    for (size_t k = 0; k < c->nparts; k++) PH_TRY(ver_scout(c, c->parts[k].node));
    PH_TRY(exponentiate_symbols(c));
    for (int h = 1; h <= top; h++) {
        PH_TRY(open_ring(c));
        for (size_t k = 0; k < c->nparts; k++)
            if (c->parts[k].height == h && ver_is_function(c->parts[k].node))
                PH_TRY(make_plan(c, &c->parts[k]));
    }
    PH_TRY(open_ring(c));
    ver_ring_frac_init(&f, &c->r);
    st = ver_convert(c, &f, e);
    if (!st && c->r.nrel > 1 &&
        !ver_ring_is_zero(&f, &c->r)) { /* n/d with n·d = 0: n is 0 wherever d is not */
        ring_frac d;
        ver_ring_frac_init(&d, &c->r);
        fmpz_mpoly_swap(d.n, f.d, c->r.ctx);
        fmpz_mpoly_one(f.d, c->r.ctx);
        st = ver_ring_mul(&f, &f, &d, &c->r);
        ver_ring_frac_clear(&d, &c->r);
    }
    c->out->answer = !st && ver_ring_is_zero(&f, &c->r) ? NORMAL_ZERO : NORMAL_NONZERO;
    ver_ring_frac_clear(&f, &c->r);
    definedness d = {&c->out->conditions, c->err};
    for (size_t k = 0; k < c->nparts && !st; k++) st = condition(&d, c->parts[k].node);
done:
    return st;
}

static ph_status decide_within(normal_form *out, exp_node *e, int nesting, ph_err *err);

bool ver_normal_equal(exp_builder *b, exp_node *x, exp_node *y) { return ver_normal_same(b, x, y, 0); }

bool ver_normal_same(exp_builder *b, exp_node *x, exp_node *y, int nesting) {
    normal_form f;
    exp_node *gap = exp_b_2(b, EXP_SUB, x, y);
    if (!gap) return false;
    ph_err why = {0};
    ph_status st = decide_within(&f, gap, nesting, &why);
    if (ph_is_fatal(st)) b->st = ph_fail(b->err, st, "%s", why.text);
    bool zero = !st && f.answer == NORMAL_ZERO;
    ver_normal_clear(&f);
    return zero;
}

void ver_normal_clear(normal_form *f) { exp_set_clear(&f->conditions); }

ph_status ver_normal_decide(normal_form *out, exp_node *e, ph_err *err) {
    return decide_within(out, e, 0, err);
}

static ph_status decide_within(normal_form *out, exp_node *e, int nesting, ph_err *err) {
    *out = (normal_form){0};
    exp_node *pushed = NULL, *ready = NULL;
    normal *c = ph_calloc(1, sizeof *c);
    if (!c) return ph_fail_nomem(err, sizeof *c);
    c->err = err;
    c->out = out;
    c->nesting = nesting;
    exp_builder b = EXP_BUILDER(err);
    ph_status st = exp_push_conj(&pushed, e, err);
    if (!st) st = exp_b_end(&b, &ready, prepare(&b, pushed, NULL));
    if (!st) st = decide(c, ready);
    close_ring(c);
    for (slong i = 0; i < c->ngens; i++) exp_drop(c->gens[i].node);
    for (int i = 0; i < c->naliases; i++) exp_drop(c->alias[i].node);
    for (slong i = 0; i < c->ndirs; i++) ph_free(c->dirs[i].den);
    for (size_t i = 0; i < c->nplans; i++) {
        for (int k = 0; k < c->plans[i].nparts; k++) fmpq_clear(c->plans[i].part[k].coef);
        ph_free(c->plans[i].part);
    }
    ph_free(c->gens);
    ph_free(c->dirs);
    ph_free(c->plans);
    ph_free(c->parts);
    ph_free(c->slot);
    ph_free(c);
    exp_drop(pushed);
    exp_drop(ready);
    if (st) ver_normal_clear(out);
    return st;
}
