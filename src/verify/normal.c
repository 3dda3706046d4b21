/* normal.c: generators are found in rounds, innermost functions first; then the formula is read into the ring. */
#include "verify/normal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "expr/build.h"
#include "verify/direct.h"
#include "verify/normal_internal.h"

/* ---- conditions ---------------------------------------------------------------------------------------- */

typedef struct {
    expr_set *out;
    ph_err *err;
} definedness;

/* Notes `u op 0` as a condition, once. */
static ph_status require(definedness *c, expr_op op, expr_node *u) {
    expr_builder b = EXPR_BUILDER(c->err);
    expr_node *s = NULL;
    ph_status st = expr_b_end(&b, &s, expr_b_2(&b, op, u, expr_b_rat(&b, 0, 1)));
    if (!st) st = expr_set_append(c->out, s, c->err);
    expr_drop(s);
    return st;
}

static bool never_zero(const expr_node *u) {
    if (u->op == EXPR_NEG) return never_zero(u->arg[0]);
    if (u->op == EXPR_RAT) return u->num != 0;
    if (u->op == EXPR_I || u->op == EXPR_EXP) return true;
    if (u->op == EXPR_MUL || u->op == EXPR_DIV) return never_zero(u->arg[0]) && never_zero(u->arg[1]);
    if (u->op == EXPR_POW) return never_zero(u->arg[0]);
    return expr_is_positive(u);
}

static ph_status require_nonzero(definedness *c, expr_node *u) {
    while (u->op == EXPR_NEG || (u->op == EXPR_POW && u->arg[1]->op == EXPR_RAT && u->arg[1]->num > 0))
        u = u->arg[0];
    if (never_zero(u)) return PH_OK;
    if (u->op == EXPR_MUL) {
        ph_status st = require_nonzero(c, u->arg[0]);
        return st ? st : require_nonzero(c, u->arg[1]);
    }
    return require(c, EXPR_NE, u);
}

/* f(u) != 0 */
static ph_status require_function(definedness *c, expr_op f, expr_node *u) {
    expr_builder b = EXPR_BUILDER(c->err);
    expr_node *k = NULL;
    ph_status st = expr_b_end(&b, &k, expr_b_1(&b, f, u));
    if (!st) st = require(c, EXPR_NE, k);
    expr_drop(k);
    return st;
}

/* x² + y² != 0 */
static ph_status require_off_origin(definedness *c, expr_node *y, expr_node *x) {
    expr_builder b = EXPR_BUILDER(c->err);
    expr_node *two = expr_b_rat(&b, 2, 1), *k = NULL;
    if (expr_is_positive(x) || expr_is_positive(y)) return expr_b_end(&b, NULL, NULL);
    ph_status st =
        expr_b_end(&b, &k, expr_b_add(&b, expr_b_2(&b, EXPR_POW, x, two), expr_b_2(&b, EXPR_POW, y, two)));
    if (!st) st = require(c, EXPR_NE, k);
    expr_drop(k);
    return st;
}

/* Conditions under which e is defined when its parts are, read off the formula as written. */
static ph_status condition(definedness *c, expr_node *e) {
    expr_node *u = e->nargs ? e->arg[0] : NULL;
    switch (e->op) {
    case EXPR_DIV: return require_nonzero(c, e->arg[1]);
    case EXPR_TAN: return require_function(c, EXPR_COS, u);
    case EXPR_TANH: return expr_is_real(u) ? PH_OK : require_function(c, EXPR_COSH, u);
    case EXPR_LOG: return require_nonzero(c, u);
    case EXPR_ATAN2: return require_off_origin(c, u, e->arg[1]);
    case EXPR_CI:
        if (expr_is_nonpositive(u)) return ph_fail(c->err, PH_EDOMAIN, "Ci is defined above 0 only");
        return expr_is_positive(u) ? PH_OK : require(c, EXPR_GT, u);
    case EXPR_POW: return expr_is_positive(e->arg[1]) ? PH_OK : require_nonzero(c, u);
    default: return PH_OK;
    }
}

ph_status ver_normal_condition(expr_set *out, expr_node *e, ph_err *err) {
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
    if (g->kind == GEN_UNITY) st = ver_unity_relate(c, id);
    else if (g->kind == GEN_EXP && c->dirs[g->dir].kind == DIR_PARITY) {
        ver_set_si(&v, 1, 1, &c->r);
        st = ver_ring_relate(&c->r, id, 2 * c->dirs[g->dir].q, &v);
    } else if (g->kind == GEN_EXP && c->dirs[g->dir].kind == DIR_LOG && c->dirs[g->dir].q > 1) {
        const direction *d = &c->dirs[g->dir];
        const expr_node *b = c->gens[d->f[0].gen].node;
        if (ver_is_atom(b) && expr_is_positive(b)) goto done;
        c->out->algebraic = true;
        bool held = false;
        if (b->op == EXPR_RAT && d->q % 2 == 0) PH_TRY(ver_unity_sqrt(c, &v, b->num, &held));
        if (held) {
            st = ver_ring_relate(&c->r, id, d->q / 2, &v);
            goto done;
        }
        PH_TRY(ver_convert(c, &v, b));
        fmpz_mpoly_set(t.n, v.d, c->r.ctx);
        fmpz_mpoly_one(v.d, c->r.ctx);
        PH_TRY(ver_ring_pow(&t, &t, d->q - 1, &c->r));
        PH_TRY(ver_ring_mul(&v, &v, &t, &c->r));
        st = ver_ring_relate(&c->r, id, d->q, &v);
    } else if (g->kind == GEN_OPAQUE && g->node->op == EXPR_ABS) {
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

static bool is_opaque(expr_op op) {
    return op >= EXPR_ABS || op == EXPR_ATAN2 || (op >= EXPR_ATAN && op <= EXPR_SI);
}

/* Does sign·(arguments of y) read like those of x? sign: −1 only for functions of one argument. */
static ph_status same_arguments(normal *c, bool *same, const expr_node *x, const expr_node *y, int sign) {
    ring_frac u, v;
    ph_status st = PH_OK;
    ver_ring_frac_init(&u, &c->r);
    ver_ring_frac_init(&v, &c->r);
    *same = true;
    for (uint32_t i = 0; i < x->nargs && *same; i++) {
        PH_TRY(ver_convert(c, &u, x->arg[i]));
        PH_TRY(ver_convert(c, &v, y->arg[i]));
        PH_TRY(ver_ring_add(&u, &u, &v, -sign, &c->r));
        *same = ver_ring_is_zero(&u, &c->r);
    }
done:
    ver_ring_frac_clear(&u, &c->r);
    ver_ring_frac_clear(&v, &c->r);
    return st;
}

/* An atom outside the theory: the same generator for the same argument, up to sign for even and odd functions. */
static ph_status plan_opaque(normal *c, plan *p, expr_node *e) {
    bool even = e->op == EXPR_ABS,
         odd = e->op == EXPR_SIGN || e->op == EXPR_SI || e->op == EXPR_ATAN || e->op == EXPR_ASIN;
    if (!even) {
        c->out->opaque = true;
        snprintf(c->out->reason, sizeof c->out->reason, "%s is outside the theory", expr_ops[e->op].name);
    }
    for (slong i = 0; i < c->ngens; i++) {
        if (c->gens[i].kind != GEN_OPAQUE || c->gens[i].node->op != e->op) continue;
        for (int sign = 1; sign >= ((even || odd) ? -1 : 1); sign -= 2) {
            bool same;
            ph_status st = same_arguments(c, &same, e, c->gens[i].node, sign);
            if (st) return st;
            if (!same) continue;
            p->gen = i;
            p->sign = odd ? sign : 1;
            return PH_OK;
        }
    }
    p->sign = 1;
    return ver_gen_new(c, &p->gen, GEN_OPAQUE, e, -1);
}

/* The exponent E of a function node: I·u, u, or s·log b. */
static ph_status exponent(normal *c, ring_frac *E, expr_node *e) {
    ring_frac t;
    ph_status st = PH_OK;
    ver_ring_frac_init(&t, &c->r);
    if (e->op == EXPR_POW || e->op == EXPR_SQRT) {
        if (e->op == EXPR_SQRT) ver_set_si(&t, 1, 2, &c->r);
        else PH_TRY(ver_convert(c, &t, e->arg[1]));
        st = ver_log_of(c, E, e->arg[0], &t, 1, e->op == EXPR_POW && expr_is_whole(e->arg[1]));
        goto done;
    }
    PH_TRY(ver_convert(c, E, e->arg[0]));
    if (e->op == EXPR_SIN || e->op == EXPR_COS || e->op == EXPR_TAN) {
        ver_ring_gen(&t, 0, &c->r);
        st = ver_ring_mul(E, E, &t, &c->r);
    }
done:
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

/* A power whose base is 0: 0 for an exponent that is certainly positive, else undefined. */
static ph_status power_of_zero(normal *c, bool *is, const expr_node *e) {
    *is = false;
    if ((e->op != EXPR_POW && e->op != EXPR_SQRT) || expr_is_positive(e->arg[0])) return PH_OK;
    ring_frac f;
    ver_ring_frac_init(&f, &c->r);
    ph_status st = ver_convert(c, &f, e->arg[0]);
    *is = !st && ver_ring_is_zero(&f, &c->r);
    if (*is && e->op == EXPR_POW && !expr_is_positive(e->arg[1]))
        st = ph_fail(c->err, PH_EDOMAIN, "0 to a power that may not be positive is undefined");
    ver_ring_frac_clear(&f, &c->r);
    return st;
}

static ph_status make_plan(normal *c, formula_part *f) {
    expr_node *e = f->node;
    if (e->op == EXPR_LOG) return PH_OK;
    plan *plans = ph_list_more(c->plans, c->nplans, sizeof *plans);
    if (!plans) return ph_fail_nomem(c->err, c->nplans * sizeof *plans);
    c->plans = plans;
    plan p = {.node = e, .gen = -1, .sign = 1};
    ph_status st;
    if (is_opaque(e->op)) st = plan_opaque(c, &p, e);
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
        if (c->gens[i].kind == GEN_LOG && ver_is_atom(c->gens[i].node) && expr_is_positive(c->gens[i].node))
            st = ver_direction_get(c, &dir, &(factor){(int32_t)i, 1, 1}, 1, "");
    return st;
}

static ph_status decide(normal *c, expr_node *e) {
    slong i;
    ring_frac f;
    ph_status st = PH_OK;
    PH_TRY(ver_gen_new(c, &i, GEN_I, NULL, -1));
    PH_TRY(ver_unity_gens(c));
    PH_TRY(ver_find_parts(c, e, &c->top));
    for (size_t k = 0; k < c->nparts; k++) PH_TRY(ver_scout(c, c->parts[k].node));
    PH_TRY(exponentiate_symbols(c));
    for (int h = 1; h <= c->top; h++) {
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

static ph_status decide_within(normal_form *out, expr_node *e, int nesting, ph_err *err);

bool ver_normal_equal(expr_builder *b, expr_node *x, expr_node *y) { return ver_normal_same(b, x, y, 0); }

bool ver_normal_same(expr_builder *b, expr_node *x, expr_node *y, int nesting) {
    normal_form f;
    expr_node *gap = expr_b_2(b, EXPR_SUB, x, y);
    if (!gap) return false;
    ph_err why = {0};
    ph_status st = decide_within(&f, gap, nesting, &why);
    if (ph_is_fatal(st)) b->st = ph_fail(b->err, st, "%s", why.text);
    bool zero = !st && f.answer == NORMAL_ZERO;
    ver_normal_clear(&f);
    return zero;
}

void ver_normal_clear(normal_form *f) { expr_set_clear(&f->conditions); }

ph_status ver_normal_decide(normal_form *out, expr_node *e, ph_err *err) {
    bool zero;
    ph_status st = ver_direct_decide(out, &zero, e, err);
    return st || zero ? st : decide_within(out, e, 0, err);
}

static void clear(normal *c) {
    close_ring(c);
    for (slong i = 0; i < c->ngens; i++) expr_drop(c->gens[i].node);
    for (int i = 0; i < c->naliases; i++) expr_drop(c->alias[i].node);
    expr_set_clear(&c->made);
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
}

/* One attempt, in the field with these roots of unity; what it spent is carried on. */
static ph_status attempt(normal *c, unity *u, expr_node *e) {
    ph_err *err = c->err;
    normal_form *out = c->out;
    *c = (normal){.err = err, .out = out, .nesting = c->nesting, .spent = c->spent, .unity = *u};
    expr_set_clear(&out->conditions);
    *out = (normal_form){0};
    ph_status st = decide(c, e);
    clear(c);
    *u = c->unity;
    return st;
}

static ph_status decide_within(normal_form *out, expr_node *e, int nesting, ph_err *err) {
    *out = (normal_form){0};
    expr_node *pushed = NULL, *ready = NULL;
    normal *c = ph_calloc(1, sizeof *c);
    if (!c) return ph_fail_nomem(err, sizeof *c);
    c->err = err;
    c->out = out;
    c->nesting = nesting;
    unity u = {.missing = true};
    expr_builder b = EXPR_BUILDER(err);
    ph_status st = expr_push_conj(&pushed, e, err);
    if (!st) st = expr_b_end(&b, &ready, ver_prepare(&b, pushed, nesting));
    while (!st && u.missing) {
        u.missing = false;
        st = attempt(c, &u, ready);
        if (u.missing && !ph_is_fatal(st)) st = PH_OK;
    }
    ph_free(c);
    expr_drop(pushed);
    expr_drop(ready);
    if (st) ver_normal_clear(out);
    return st;
}
