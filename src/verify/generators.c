/* generators.c: the generators of the ring, and exponents taken apart into directions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "verify/normal_internal.h"

/* ---- generators ---------------------------------------------------------------------------------------- */

ph_status ver_gen_new(normal *c, slong *id, gen_kind kind, expr_node *node, slong dir) {
    if (c->ngens == MAX_GENS) return ph_fail(c->err, PH_EBUDGET, "more than %d generators", MAX_GENS);
    gen *g = ph_list_more(c->gens, (size_t)c->ngens, sizeof *g);
    if (!g) return ph_fail_nomem(c->err, (size_t)c->ngens * sizeof *g);
    c->gens = g;
    *id = c->ngens;
    c->gens[c->ngens++] = (gen){kind, node ? expr_ref(node) : NULL, dir};
    return PH_OK;
}

slong ver_gen_find(const normal *c, gen_kind kind, const expr_node *node) {
    for (slong i = 0; i < c->ngens; i++)
        if (c->gens[i].kind == kind && (!node || expr_same(c->gens[i].node, node))) return i;
    return -1;
}

ph_status ver_gen_get(normal *c, slong *id, gen_kind kind, expr_node *node) {
    *id = ver_gen_find(c, kind, node);
    return *id >= 0 ? PH_OK : ver_gen_new(c, id, kind, node, -1);
}

bool ver_is_atom(const expr_node *e) {
    if (e->op == EXPR_CONJ) e = e->arg[0];
    return e->op == EXPR_SYM || e->op == EXPR_AT;
}

bool ver_is_integer_pow(const expr_node *e) {
    return e->op == EXPR_POW && e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1;
}

bool ver_is_function(const expr_node *e) {
    switch (e->op) {
    case EXPR_POW: return !ver_is_integer_pow(e);
    case EXPR_CONJ: return !ver_is_atom(e);
    case EXPR_ATAN2: return true;
    default: return e->op >= EXPR_SIN && e->op <= EXPR_IM;
    }
}

ph_status ver_scout(normal *c, expr_node *e) {
    slong id;
    ph_status st = PH_OK;
    if (ver_is_atom(e)) {
        return ver_gen_get(c, &id, GEN_ATOM, e);
    }
    if (expr_body(e) || e->op == EXPR_PIECE || expr_is_statement(e))
        return ph_fail(c->err, PH_EOUTSIDE, "%s inside a formula", expr_ops[e->op].name);
    PH_TRY(ver_angle_scout(c, e));
    if (e->op == EXPR_PI) PH_TRY(ver_gen_get(c, &id, GEN_PI, NULL));
    if (e->op == EXPR_LOG || e->op == EXPR_SQRT || (e->op == EXPR_POW && !ver_is_integer_pow(e)))
        st = ver_log_of(c, NULL, e->arg[0], NULL, 1, e->op == EXPR_POW && expr_is_whole(e->arg[1]));
done:
    return st;
}

/* ---- directions ---------------------------------------------------------------------------------------- */

static bool is_integer_atom(const gen *g) {
    if (g->kind != GEN_ATOM || g->node->op == EXPR_CONJ) return false;
    expr_kind k = g->node->op == EXPR_AT ? g->node->arg[0]->kind : g->node->kind;
    return k == EXPR_INTEGER || k == EXPR_NATURAL;
}

static dir_kind classify(const normal *c, const factor *f, int nf, const char *den) {
    if (*den) return DIR_PLAIN;
    if (nf == 1 && c->gens[f[0].gen].kind == GEN_LOG && f[0].num == 1 && f[0].den == 1) return DIR_LOG;
    bool i = false, pi = false, rest = false;
    for (int k = 0; k < nf; k++) {
        const gen *g = &c->gens[f[k].gen];
        if (g->kind == GEN_I && f[k].num == 1) i = true;
        else if (g->kind == GEN_PI && f[k].num == 1) pi = true;
        else if (is_integer_atom(g) && f[k].num > 0 && f[k].den == 1) rest = true;
        else return DIR_PLAIN;
    }
    return i && pi ? rest ? DIR_PARITY : DIR_ROOT_OF_UNITY : DIR_PLAIN;
}

ph_status ver_direction_get(normal *c, slong *id, const factor *f, int nf, const char *den) {
    for (slong i = 0; i < c->ndirs; i++)
        if (c->dirs[i].nf == nf && !memcmp(c->dirs[i].f, f, (size_t)nf * sizeof *f) &&
            !strcmp(c->dirs[i].den, den)) {
            *id = i;
            return PH_OK;
        }
    direction *d = ph_list_more(c->dirs, (size_t)c->ndirs, sizeof *d);
    if (!d) return ph_fail_nomem(c->err, (size_t)c->ndirs * sizeof *d);
    c->dirs = d;
    d += c->ndirs;
    *d = (direction){.kind = classify(c, f, nf, den), .nf = nf, .q = 1, .gen = -1, .den = ph_strdup(den)};
    if (!d->den) return ph_fail_nomem(c->err, strlen(den) + 1);
    memcpy(d->f, f, (size_t)nf * sizeof *f);
    *id = c->ndirs++;
    return d->kind == DIR_ROOT_OF_UNITY ? PH_OK : ver_gen_new(c, &c->dirs[*id].gen, GEN_EXP, NULL, *id);
}

static ph_status take_denominator(normal *c, direction *d, const fmpq_t coef) {
    slong most = d->kind == DIR_PLAIN ? MAX_DENOMINATOR : MAX_ROOT;
    if (!fmpz_abs_fits_ui(fmpq_denref(coef)) || fmpz_cmp_si(fmpq_denref(coef), most) > 0)
        return ph_fail(c->err, PH_EBUDGET, "an exponent with denominator beyond %lld", (long long)most);
    ulong den = fmpz_get_ui(fmpq_denref(coef)), more = den / n_gcd((ulong)d->q, den);
    if ((ulong)d->q > (ulong)most / more)
        return ph_fail(c->err, PH_EBUDGET, "exponents with too many denominators");
    d->q *= (slong)more;
    return PH_OK;
}

static int by_gen(const void *a, const void *b) {
    return ((const factor *)a)->gen - ((const factor *)b)->gen;
}

/* The factors of term i of f->n over the monomial part of f->d. A power of e^(direction/q) is noted in units of the
 * direction, so that a later change of q leaves the key alone. */
static ph_status term_factors(normal *c, factor *out, int *nf, const slong *up, const slong *down) {
    *nf = 0;
    for (slong g = 0; g < c->r.nvars; g++) {
        slong e = up[c->r.nvars - 1 - g] - down[c->r.nvars - 1 - g], den = 1;
        if (e == 0) continue;
        if (*nf == MAX_KEY || e > 1000000 || e < -1000000)
            return ph_fail(c->err, PH_EBUDGET, "an exponent with too many factors");
        if (c->gens[g].kind == GEN_EXP) {
            slong q = c->dirs[c->gens[g].dir].q, k = (slong)n_gcd((ulong)labs(e), (ulong)q);
            e /= k;
            den = q / k;
        }
        out[(*nf)++] = (factor){(int32_t)g, (int32_t)e, (int32_t)den};
    }
    qsort(out, (size_t)*nf, sizeof *out, by_gen);
    return PH_OK;
}

ph_status ver_add_part(normal *c, plan *p, slong dir, const fmpq_t coef) {
    part *parts = ph_list_more(p->part, (size_t)p->nparts, sizeof *parts);
    if (!parts) return ph_fail_nomem(c->err, (size_t)p->nparts * sizeof *parts);
    p->part = parts;
    p->part[p->nparts].dir = dir;
    fmpq_init(p->part[p->nparts].coef);
    fmpq_set(p->part[p->nparts].coef, coef);
    p->nparts++;
    return c->dirs[dir].kind == DIR_ROOT_OF_UNITY ? ver_unity_want(c, coef)
                                                  : take_denominator(c, &c->dirs[dir], coef);
}

/* d as text in generators that keep their names in every round; e^(direction/q) is named with its q. */
static ph_status denominator_name(normal *c, char **out, const fmpz_mpoly_t d) {
    slong n = c->r.nvars;
    size_t bytes = (size_t)n * (sizeof(char *) + 32);
    char *store = ph_alloc(bytes), *text, **x = (char **)(void *)store;
    if (!store) return ph_fail_nomem(c->err, bytes);
    for (slong g = 0; g < n; g++) {
        char *name = x[n - 1 - g] = store + (size_t)n * sizeof(char *) + 32 * (size_t)g;
        snprintf(name, 32, "g%ldq%ld", (long)g,
                 c->gens[g].kind == GEN_EXP ? (long)c->dirs[c->gens[g].dir].q : 1);
    }
    text = fmpz_mpoly_get_str_pretty(d, (const char **)x, c->r.ctx);
    *out = ph_strdup(text);
    ph_status st = *out ? PH_OK : ph_fail_nomem(c->err, strlen(text) + 1);
    flint_free(text);
    ph_free(store);
    return st;
}

/* The terms of p over the monomial (or, by name, the polynomial) d, each a direction with a rational coefficient. */
static ph_status add_terms(normal *c, plan *p, const fmpz_mpoly_t poly, const fmpz_mpoly_t d) {
    ring *r = &c->r;
    ph_status st = PH_OK;
    char *name = NULL;
    fmpz_t a, b;
    fmpq_t coef;
    fmpz_init_set_ui(b, 1);
    fmpz_init(a);
    fmpq_init(coef);
    size_t bytes = 2 * ((size_t)r->nvars + 1) * sizeof(slong);
    slong *up = ph_calloc(1, bytes), *down = up ? up + r->nvars : NULL;
    if (!up) {
        st = ph_fail_nomem(c->err, bytes);
        goto done;
    }
    if (fmpz_mpoly_length(d, r->ctx) == 1) {
        fmpz_mpoly_get_term_coeff_fmpz(b, d, 0, r->ctx);
        fmpz_mpoly_get_term_exp_si(down, d, 0, r->ctx);
    } else PH_TRY(denominator_name(c, &name, d));
    for (slong i = 0; i < fmpz_mpoly_length(poly, r->ctx); i++) {
        factor f[MAX_KEY];
        int nf;
        slong dir;
        fmpz_mpoly_get_term_coeff_fmpz(a, poly, i, r->ctx);
        fmpz_mpoly_get_term_exp_si(up, poly, i, r->ctx);
        fmpq_set_fmpz_frac(coef, a, b);
        PH_TRY(term_factors(c, f, &nf, up, down));
        if (!name && fmpz_is_one(fmpq_denref(coef)) &&
            classify(c, f, nf, "") == DIR_PARITY) /* n^k is even when n is */
            for (int k = 0; k < nf; k++) f[k].num = 1;
        const expr_node *angle = !name && nf == 2 ? c->gens[f[1].gen].node : NULL;
        if (angle && f[0].gen == 0 && f[0].num == 1 && c->gens[f[1].gen].kind == GEN_OPAQUE &&
            f[1].num == 1 && ver_is_angle(angle)) {
            PH_TRY(ver_angle_parts(c, p, angle, coef));
            continue;
        }
        PH_TRY(ver_direction_get(c, &dir, f, nf, name ? name : ""));
        PH_TRY(ver_add_part(c, p, dir, coef));
    }
done:
    ph_free(up);
    ph_free(name);
    fmpz_clear(a);
    fmpz_clear(b);
    fmpq_clear(coef);
    return st;
}

/* One group n/d, d with several terms: n = q·d + m in lowest terms, q + m/d; m is unique, so equal fractions agree. */
static ph_status split_group(normal *c, plan *p, ring_frac *g) {
    fmpz_mpoly_t q, m, one;
    fmpz_t scale;
    ph_status st = ver_ring_cancel(g, &c->r);
    if (st) return st;
    if (fmpz_mpoly_length(g->d, c->r.ctx) == 1) return add_terms(c, p, g->n, g->d);
    fmpz_init(scale);
    fmpz_mpoly_init(q, c->r.ctx);
    fmpz_mpoly_init(m, c->r.ctx);
    fmpz_mpoly_init(one, c->r.ctx);
    /* scale·n = q·d + m over Z, so q/scale + m/(scale·d) */
    fmpz_mpoly_quasidivrem(scale, q, m, g->n, g->d, c->r.ctx);
    fmpz_mpoly_set_fmpz(one, scale, c->r.ctx);
    PH_TRY(add_terms(c, p, q, one));
    if (!fmpz_mpoly_is_zero(m, c->r.ctx)) {
        int from = p->nparts;
        st = add_terms(c, p, m, g->d);
        for (int i = from; i < p->nparts && !st; i++) {
            fmpq_div_fmpz(p->part[i].coef, p->part[i].coef, scale);
            st = take_denominator(c, &c->dirs[p->part[i].dir], p->part[i].coef);
        }
    }
done:
    fmpz_clear(scale);
    fmpz_mpoly_clear(q, c->r.ctx);
    fmpz_mpoly_clear(m, c->r.ctx);
    fmpz_mpoly_clear(one, c->r.ctx);
    return st;
}

/* Splits E = n/d into directions. Terms of n that agree in the generators d is free of are one group over d. */
ph_status ver_split(normal *c, plan *p, ring_frac *E) {
    ring *r = &c->r;
    ph_status st = ver_ring_cancel(E, r);
    if (st) return st;
    if (fmpz_mpoly_length(E->d, r->ctx) == 1) return add_terms(c, p, E->n, E->d);
    slong n = fmpz_mpoly_length(E->n, r->ctx);
    size_t bytes = (size_t)n * ((size_t)r->nvars + 1) * sizeof(slong);
    slong *exps = ph_alloc(bytes), *degree = NULL;
    bool *done_with = ph_calloc((size_t)n + 1, sizeof *done_with);
    ring_frac g;
    fmpz_mpoly_t t;
    ver_ring_frac_init(&g, r);
    fmpz_mpoly_init(t, r->ctx);
    degree = ph_calloc((size_t)r->nvars, sizeof *degree);
    if (!exps || !done_with || !degree) {
        st = ph_fail_nomem(c->err, bytes);
        goto done;
    }
    fmpz_mpoly_degrees_si(degree, E->d, r->ctx);
    for (slong i = 0; i < n; i++) fmpz_mpoly_get_term_exp_si(exps + i * r->nvars, E->n, i, r->ctx);
    for (slong i = 0; i < n && !st; i++) {
        if (done_with[i]) continue;
        fmpz_mpoly_zero(g.n, r->ctx);
        fmpz_mpoly_set(g.d, E->d, r->ctx);
        for (slong k = i; k < n; k++) {
            bool same = !done_with[k];
            for (slong v = 0; v < r->nvars && same; v++)
                same = degree[v] > 0 || exps[i * r->nvars + v] == exps[k * r->nvars + v];
            if (!same) continue;
            done_with[k] = true;
            fmpz_mpoly_get_term(t, E->n, k, r->ctx);
            fmpz_mpoly_add(g.n, g.n, t, r->ctx);
        }
        st = split_group(c, p, &g);
    }
done:
    ph_free(exps);
    ph_free(degree);
    ph_free(done_with);
    ver_ring_frac_clear(&g, r);
    fmpz_mpoly_clear(t, r->ctx);
    return st;
}
