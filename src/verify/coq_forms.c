/* coq_forms.c: see coq_forms.h. */
#include "verify/coq_forms.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static slong var_of(const coq_forms *f, slong gen) { return f->r.nvars - 1 - gen; }

static bool failed(const coq_forms *f) { return f->c->b.st != PH_OK; }

/* Room for one more item; the items where they then stand. */
void *ver_coq_grow(coq_forms *f, void *items, int n, int *cap, size_t size) {
    if (n < *cap || failed(f)) return items;
    int wanted = *cap ? 2 * *cap : 16;
    void *p = ph_realloc(items, (size_t)wanted * size);
    if (p) *cap = wanted;
    else f->c->b.st = ph_fail_nomem(f->c->b.err, (size_t)wanted * size);
    return p ? p : items;
}

/* ---- generators ---------------------------------------------------------------------------------------- */

slong ver_coq_gen_new(coq_forms *f, expr_node *node, const char *fmt, ...) {
    va_list ap;
    ph_text t = {0};
    char buf[512];
    if (f->ngens == f->maxgens) {
        ver_coq_refuse(f->c, "a formula with too many functions");
        return 0;
    }
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    ph_puts(&t, buf);
    coq_gen *g = &f->gens[f->ngens];
    *g = (coq_gen){.node = node};
    ph_status st = ph_text_take(&g->text, NULL, &t, f->c->b.err);
    if (st) f->c->b.st = st;
    return f->ngens++;
}

slong ver_coq_gen_find(const coq_forms *f, const expr_node *atom) {
    for (slong i = 1; i < f->ngens; i++)
        if (f->gens[i].node && expr_same(f->gens[i].node, atom)) return i;
    return -1;
}

/* ---- forms --------------------------------------------------------------------------------------------- */

void ver_coq_form_clear(coq_form *a) {
    for (int i = 0; i < a->n; i++) fmpq_clear(a->t[i].q);
    ph_free(a->t);
    *a = (coq_form){0};
}

void ver_coq_form_add(coq_forms *f, coq_form *a, slong key, const fmpq_t q) {
    a->t = ver_coq_grow(f, a->t, a->n, &a->cap, sizeof *a->t);
    if (failed(f)) return;
    coq_part *p = &a->t[a->n++];
    p->key = key;
    fmpq_init(p->q);
    fmpq_set(p->q, q);
}

static const fmpq *coefficient(const coq_form *a, slong key) {
    for (int i = 0; i < a->n; i++)
        if (a->t[i].key == key) return a->t[i].q;
    return NULL;
}

/* a = r·b? Neither is empty. */
static bool proportional(fmpq_t r, const coq_form *a, const coq_form *b) {
    fmpq_t x;
    if (a->n != b->n) return false;
    const fmpq *first = coefficient(b, a->t[0].key);
    if (!first) return false;
    fmpq_div(r, a->t[0].q, first);
    fmpq_init(x);
    bool same = true;
    for (int i = 0; i < a->n && same; i++) {
        const fmpq *o = coefficient(b, a->t[i].key);
        if (o) fmpq_mul(x, o, r);
        same = o && fmpq_equal(x, a->t[i].q);
    }
    fmpq_clear(x);
    return same;
}

static void describe_key(coq_forms *f, coq_key *k) {
    int factors = 0;
    k->log = -1;
    k->turn = fmpz_mpoly_is_one(k->d, f->r.ctx);
    bool has_pi = false;
    for (slong g = 0; g < f->ngens; g++) {
        slong d = fmpz_mpoly_degree_si(k->n, var_of(f, g), f->r.ctx);
        if (d <= 0) continue;
        factors++;
        if (f->gens[g].is_log && d == 1) k->log = g;
        bool pi = f->gens[g].node && f->gens[g].node->op == EXPR_PI;
        if (pi && d == 1) has_pi = true;
        else if (!f->gens[g].whole) k->turn = false;
    }
    if (factors != 1 || !fmpz_mpoly_is_one(k->d, f->r.ctx)) k->log = -1;
    k->turn = k->turn && has_pi;
    k->pi = k->turn && factors == 1;
}

static slong key_get(coq_forms *f, const fmpz_mpoly_t n, const fmpz_mpoly_t d) {
    for (int i = 0; i < f->nkeys; i++)
        if (fmpz_mpoly_equal(f->keys[i].n, n, f->r.ctx) && fmpz_mpoly_equal(f->keys[i].d, d, f->r.ctx))
            return i;
    f->keys = ver_coq_grow(f, f->keys, f->nkeys, &f->capkeys, sizeof *f->keys);
    if (failed(f)) return 0;
    coq_key *k = &f->keys[f->nkeys];
    fmpz_mpoly_init(k->n, f->r.ctx);
    fmpz_mpoly_init(k->d, f->r.ctx);
    fmpz_mpoly_set(k->n, n, f->r.ctx);
    fmpz_mpoly_set(k->d, d, f->r.ctx);
    describe_key(f, k);
    return f->nkeys++;
}

/* The monomial m over d, a term of q: without what they have in common, so that log(b)*n/n is log(b). */
static void enter_term(coq_forms *f, coq_form *out, const fmpz_mpoly_t m, const fmpz_mpoly_t d,
                       const fmpq_t q) {
    fmpz_mpoly_t common, n, rest;
    fmpz_mpoly_init(common, f->r.ctx);
    fmpz_mpoly_init(n, f->r.ctx);
    fmpz_mpoly_init(rest, f->r.ctx);
    bool cancelled = fmpz_mpoly_gcd(common, m, d, f->r.ctx) && fmpz_mpoly_divides(n, m, common, f->r.ctx) &&
                     fmpz_mpoly_divides(rest, d, common, f->r.ctx);
    ver_coq_form_add(f, out, cancelled ? key_get(f, n, rest) : key_get(f, m, d), q);
    fmpz_mpoly_clear(common, f->r.ctx);
    fmpz_mpoly_clear(n, f->r.ctx);
    fmpz_mpoly_clear(rest, f->r.ctx);
}

/* The terms of E whose power of I is `imaginary`. */
void ver_coq_split(coq_forms *f, coq_form *out, const ring_frac *E, bool imaginary) {
    fmpz_mpoly_t m, d;
    fmpz_t content;
    fmpq_t q;
    fmpz_mpoly_init(m, f->r.ctx);
    fmpz_mpoly_init(d, f->r.ctx);
    fmpz_init(content);
    fmpq_init(q);
    _fmpz_vec_content(content, E->d->coeffs, fmpz_mpoly_length(E->d, f->r.ctx));
    fmpz_mpoly_scalar_divexact_fmpz(d, E->d, content, f->r.ctx);
    for (slong i = 0; i < fmpz_mpoly_length(E->n, f->r.ctx) && !failed(f); i++) {
        fmpz_mpoly_get_term(m, E->n, i, f->r.ctx);
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(q), E->n, i, f->r.ctx);
        fmpz_set(fmpq_denref(q), content);
        fmpq_canonicalise(q);
        fmpz_one(m->coeffs);
        bool with_i = fmpz_mpoly_degree_si(m, var_of(f, 0), f->r.ctx) > 0;
        if (with_i != imaginary) continue;
        if (with_i) {
            fmpz_mpoly_t unit;
            fmpz_mpoly_init(unit, f->r.ctx);
            fmpz_mpoly_gen(unit, var_of(f, 0), f->r.ctx);
            (void)fmpz_mpoly_divides(m, m, unit, f->r.ctx);
            fmpz_mpoly_clear(unit, f->r.ctx);
        }
        enter_term(f, out, m, d, q);
    }
    fmpq_clear(q);
    fmpz_clear(content);
    fmpz_mpoly_clear(m, f->r.ctx);
    fmpz_mpoly_clear(d, f->r.ctx);
}

/* The logarithm in the i-th term of p, 0 when there is none; 0 is the generator i, which is none. */
static slong log_in_term(coq_forms *f, const fmpz_mpoly_t p, slong i) {
    for (slong g = 1; g < f->ngens; g++)
        if (f->gens[g].is_log && fmpz_mpoly_get_term_var_exp_si(p, i, var_of(f, g), f->r.ctx) > 0) return g;
    return 0;
}

/* The terms of E with the logarithm `log`, over E's denominator, cancelled by themselves: (d·l - 2·l)/(d - 2) is l. */
static void split_at_log(coq_forms *f, coq_form *out, const ring_frac *E, slong log, bool imaginary) {
    ring_frac part;
    fmpz_mpoly_t m;
    ver_ring_frac_init(&part, &f->r);
    fmpz_mpoly_init(m, f->r.ctx);
    fmpz_mpoly_set(part.d, E->d, f->r.ctx);
    for (slong i = 0; i < fmpz_mpoly_length(E->n, f->r.ctx); i++) {
        if (log_in_term(f, E->n, i) != log) continue;
        fmpz_mpoly_get_term(m, E->n, i, f->r.ctx);
        fmpz_mpoly_add(part.n, part.n, m, f->r.ctx);
    }
    if (!fmpz_mpoly_is_zero(part.n, f->r.ctx)) {
        ver_coq_keep(f, ver_ring_cancel(&part, &f->r));
        if (!failed(f)) ver_coq_split(f, out, &part, imaginary);
    }
    fmpz_mpoly_clear(m, f->r.ctx);
    ver_ring_frac_clear(&part, &f->r);
}

static void enter_part(coq_forms *f, int plan, coq_kind kind, const ring_frac *E, bool imaginary, char *as) {
    f->entries = ver_coq_grow(f, f->entries, f->nentries, &f->capentries, sizeof *f->entries);
    if (failed(f)) {
        ph_free(as);
        return;
    }
    f->entries[f->nentries++] = (coq_entry){.plan = plan, .kind = kind, .group = -1, .as = as};
    coq_form form = {0};
    for (slong g = 0; g < f->ngens && !failed(f); g++)
        if (g == 0 || f->gens[g].is_log) split_at_log(f, &form, E, g, imaginary);
    f->entries[f->nentries - 1].form = form;
}

void ver_coq_enter(coq_forms *f, int plan, coq_kind kind, ring_frac *E, char *as) {
    if (!failed(f)) ver_coq_keep(f, ver_ring_cancel(E, &f->r));
    if (failed(f)) {
        ph_free(as);
        return;
    }
    bool imaginary = fmpz_mpoly_degree_si(E->n, var_of(f, 0), f->r.ctx) > 0;
    if (fmpz_mpoly_degree_si(E->d, var_of(f, 0), f->r.ctx) > 0)
        ver_coq_refuse(f->c, "a complex denominator in an exponent");
    enter_part(f, plan, kind, E, false, as);
    if (imaginary) enter_part(f, -1, COQ_ANGLE, E, true, NULL);
}

/* ---- units --------------------------------------------------------------------------------------------- */

/* g = gcd(g, x): gcd of the numerators over lcm of the denominators; of one number its size. */
static void gcd_with(fmpq_t g, const fmpq_t x) {
    if (fmpq_is_zero(g)) fmpq_abs(g, x);
    else fmpq_gcd(g, g, x);
}

/* Units already there that make up e? */
static bool is_made(coq_forms *f, const coq_entry *e) {
    int unit[64];
    long m[64];
    return ver_coq_in_units(f, e, unit, m, 64) >= 0;
}

/* Is scale·direction a whole multiple of a unit that is there? */
static bool has_unit(coq_forms *f, coq_kind kind, const coq_form *direction, const fmpq_t scale) {
    fmpq_t r;
    bool found = false;
    fmpq_init(r);
    for (int i = 0; i < f->nunits && !found; i++) {
        if (f->units[i].kind != kind || !proportional(r, direction, &f->units[i].form)) continue;
        fmpq_mul(r, r, scale);
        found = fmpz_is_one(fmpq_denref(r));
    }
    fmpq_clear(r);
    return found;
}

static void new_unit(coq_forms *f, coq_kind kind, const coq_form *direction, const fmpq_t scale,
                     coq_told *told) {
    if (has_unit(f, kind, direction, scale)) return;
    f->units = ver_coq_grow(f, f->units, f->nunits, &f->capunits, sizeof *f->units);
    if (failed(f)) return;
    coq_unit *u = &f->units[f->nunits++];
    fmpq_t q;
    *u = (coq_unit){.kind = kind, .id = ++f->c->fresh};
    fmpq_init(q);
    for (int i = 0; i < direction->n; i++) {
        fmpq_mul(q, direction->t[i].q, scale);
        ver_coq_form_add(f, &u->form, direction->t[i].key, q);
    }
    fmpq_clear(q);
    if (!failed(f)) told(f, u);
}

/* A direction by itself: the unit is the gcd of the multiples of it. Angles that are turns keep whole multiples of pi. */
static void unit_of_direction(coq_forms *f, int first, const coq_form *d, coq_kind kind, int group,
                              coq_told *told) {
    fmpq_t g, r;
    fmpq_init(g);
    fmpq_init(r);
    for (int i = first; i < f->nentries; i++)
        if (f->entries[i].group == group && f->entries[i].form.n && proportional(r, &f->entries[i].form, d))
            gcd_with(g, r);
    new_unit(f, kind, d, g, told);
    fmpq_clear(g);
    fmpq_clear(r);
}

static void unit_of_key(coq_forms *f, int first, slong key, coq_kind kind, coq_told *told) {
    fmpq_t g, one;
    coq_form d = {0};
    fmpq_init(g);
    fmpq_init(one);
    fmpq_one(one);
    for (int i = first; i < f->nentries; i++) {
        const fmpq *q = f->entries[i].kind == kind ? coefficient(&f->entries[i].form, key) : NULL;
        if (q) gcd_with(g, q);
    }
    if ((kind == COQ_EXPONENT && f->keys[key].log >= 0) || f->keys[key].pi)
        fmpz_one(fmpq_numref(g)); /* of logarithms: 1/q */
    ver_coq_form_add(f, &d, key, one);
    if (!failed(f)) new_unit(f, kind, &d, g, told);
    ver_coq_form_clear(&d);
    fmpq_clear(g);
    fmpq_clear(one);
}

static bool share_a_key(const coq_form *a, const coq_form *b) {
    for (int i = 0; i < a->n; i++)
        if (coefficient(b, a->t[i].key)) return true;
    return false;
}

static bool has_special_key(const coq_forms *f, const coq_form *a) {
    for (int i = 0; i < a->n; i++)
        if (f->keys[a->t[i].key].log >= 0 || f->keys[a->t[i].key].turn) return true;
    return false;
}

/* Entries that share monomials, directly or by others, get one group number. */
static void find_groups(coq_forms *f, int first) {
    for (int i = first; i < f->nentries; i++) f->entries[i].group = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = first; i < f->nentries; i++)
            for (int k = first; k < i; k++) {
                coq_entry *a = &f->entries[i], *b = &f->entries[k];
                if (a->kind != b->kind || a->group == b->group || !share_a_key(&a->form, &b->form)) continue;
                a->group = b->group = a->group < b->group ? a->group : b->group;
                changed = true;
            }
    }
}

/* The directions of a group, as entry numbers; how many. */
static int directions(coq_forms *f, int first, int group, int *which, int max) {
    int n = 0;
    fmpq_t r;
    fmpq_init(r);
    for (int i = first; i < f->nentries && n < max; i++) {
        bool known = f->entries[i].group != group || f->entries[i].form.n == 0;
        for (int k = 0; k < n && !known; k++)
            known = proportional(r, &f->entries[i].form, &f->entries[which[k]].form);
        if (!known) which[n++] = i;
    }
    fmpq_clear(r);
    return n;
}

static bool independent(coq_forms *f, const int *which, int n) {
    if (n == 1) return true;
    fmpq_mat_t M;
    fmpq_mat_init(M, n, f->nkeys);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < f->entries[which[i]].form.n; k++) {
            const coq_part *p = &f->entries[which[i]].form.t[k];
            fmpq_set(fmpq_mat_entry(M, i, p->key), p->q);
        }
    bool full = fmpq_mat_rref(M, M) == n;
    fmpq_mat_clear(M);
    return full;
}

enum { MAX_DIRECTIONS = 512 };

static void units_of_group(coq_forms *f, int first, int group, coq_told *told) {
    int which[MAX_DIRECTIONS], n = directions(f, first, group, which, MAX_DIRECTIONS);
    coq_kind kind = f->entries[group].kind;
    bool special = false;
    for (int i = 0; i < n; i++) special |= has_special_key(f, &f->entries[which[i]].form);
    if (n == MAX_DIRECTIONS) ver_coq_refuse(f->c, "more than %d angles", MAX_DIRECTIONS);
    else if (!special && independent(f, which, n))
        for (int i = 0; i < n && !failed(f); i++)
            unit_of_direction(f, first, &f->entries[which[i]].form, kind, group, told);
    else
        for (slong key = 0; key < f->nkeys && !failed(f); key++) {
            bool used = false;
            for (int i = 0; i < n; i++) used |= coefficient(&f->entries[which[i]].form, key) != NULL;
            if (used) unit_of_key(f, first, key, kind, told);
        }
}

void ver_coq_make_units(coq_forms *f, coq_told *told) {
    ver_coq_over_one(f, COQ_EXPONENT);
    ver_coq_over_one(f, COQ_ANGLE);
    find_groups(f, 0);
    for (int g = 0; g < f->nentries && !failed(f); g++) {
        bool open = false; /* is there anything that the units so far do not make up? */
        for (int i = g; i < f->nentries && !open; i++)
            open = f->entries[i].group == g && !is_made(f, &f->entries[i]);
        if (open) units_of_group(f, 0, g, told);
    }
}

int ver_coq_in_units(coq_forms *f, const coq_entry *e, int *unit, long *m, int max) {
    fmpq_t r;
    int n = 0;
    if (e->form.n == 0) return 0;
    fmpq_init(r);
    for (int i = f->nunits - 1; i >= 0 && max > 0; i--) /* the whole form? */
        if (f->units[i].kind == e->kind && proportional(r, &e->form, &f->units[i].form) &&
            fmpz_is_one(fmpq_denref(r)) && fmpz_fits_si(fmpq_numref(r))) {
            unit[0] = i;
            m[0] = (long)fmpz_get_si(fmpq_numref(r));
            fmpq_clear(r);
            return 1;
        }
    for (int k = 0; k < e->form.n && n >= 0; k++) { /* else monomial by monomial */
        bool found = false;
        for (int i = f->nunits - 1; i >= 0 && !found; i--) {
            const coq_unit *u = &f->units[i];
            if (u->kind != e->kind || u->form.n != 1 || u->form.t[0].key != e->form.t[k].key) continue;
            fmpq_div(r, e->form.t[k].q, u->form.t[0].q);
            found = n < max && fmpz_is_one(fmpq_denref(r)) && fmpz_fits_si(fmpq_numref(r));
            if (found) unit[n] = i, m[n++] = (long)fmpz_get_si(fmpq_numref(r));
        }
        if (!found) n = -1;
    }
    fmpq_clear(r);
    return n;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

void ver_coq_put_poly(coq_forms *f, const fmpz_mpoly_t p) {
    const char **names = ph_calloc((size_t)f->r.nvars, sizeof *names);
    if (!names) {
        f->c->b.st = ph_fail_nomem(f->c->b.err, (size_t)f->r.nvars * sizeof *names);
        return;
    }
    for (slong g = 0; g < f->r.nvars; g++) names[var_of(f, g)] = g < f->ngens ? f->gens[g].text : "?";
    char *s = fmpz_mpoly_get_str_pretty(p, names, f->r.ctx);
    COQ_PUT(f->c, "(%s)", s);
    flint_free(s);
    ph_free(names);
}

void ver_coq_put_frac(coq_forms *f, const ring_frac *v) {
    bool whole = fmpz_mpoly_is_one(v->d, f->r.ctx);
    if (!whole) COQ_PUT(f->c, "(");
    ver_coq_put_poly(f, v->n);
    if (whole) return;
    COQ_PUT(f->c, " / ");
    ver_coq_put_poly(f, v->d);
    COQ_PUT(f->c, ")");
}

static void put_fmpz(coq_forms *f, const fmpz_t n) {
    char *s = fmpz_get_str(NULL, 10, n);
    COQ_PUT(f->c, fmpz_sgn(n) < 0 ? "(%s)" : "%s", s);
    flint_free(s);
}

void ver_coq_put_form(coq_forms *f, const coq_form *a) {
    if (a->n == 0) COQ_PUT(f->c, "0");
    for (int i = 0; i < a->n; i++) {
        const coq_part *p = &a->t[i];
        const coq_key *k = &f->keys[p->key];
        COQ_PUT(f->c, "%s(", i ? " + " : "");
        ver_coq_put_poly(f, k->n);
        if (!fmpz_is_one(fmpq_numref(p->q))) {
            COQ_PUT(f->c, " * ");
            put_fmpz(f, fmpq_numref(p->q));
        }
        if (!fmpz_is_one(fmpq_denref(p->q))) {
            COQ_PUT(f->c, " / ");
            put_fmpz(f, fmpq_denref(p->q));
        }
        if (!fmpz_mpoly_is_one(k->d, f->r.ctx)) {
            COQ_PUT(f->c, " / ");
            ver_coq_put_poly(f, k->d);
        }
        COQ_PUT(f->c, ")");
    }
}

void ver_coq_forms_clear(coq_forms *f) {
    for (int i = 0; i < f->nkeys; i++) {
        fmpz_mpoly_clear(f->keys[i].n, f->r.ctx);
        fmpz_mpoly_clear(f->keys[i].d, f->r.ctx);
    }
    for (int i = 0; i < f->nplans; i++) ver_ring_frac_clear(&f->plans[i].value, &f->r);
    for (int i = 0; i < f->nunits; i++) ver_coq_form_clear(&f->units[i].form);
    for (int i = 0; i < f->nentries; i++) {
        ver_coq_form_clear(&f->entries[i].form);
        ph_free(f->entries[i].as);
    }
    for (slong i = 0; i < f->ngens; i++) {
        ph_free(f->gens[i].text);
        ph_free(f->gens[i].whole);
        ph_free(f->gens[i].base);
        if (f->gens[i].has_of) ver_ring_frac_clear(&f->gens[i].of, &f->r);
    }
    ph_free(f->gens);
    ph_free(f->keys);
    ph_free(f->units);
    ph_free(f->plans);
    ph_free(f->entries);
    ph_text_drop(&f->relations);
    if (f->open) ver_ring_clear(&f->r);
}
