/* coq_over.c: exponents and angles over several denominators. Monomials over different denominators may depend on each other, as x/(1 + y),
 * x*y/(1 + y) and x do; then all are written over the least common one, where different monomials do not. */
#include "verify/coq_forms.h"

#define MAX_KEYS 64 /* monomials of one kind */

typedef struct {
    coq_forms *f;
    slong key[MAX_KEYS];
    fmpz_mpoly_t over[MAX_KEYS]; /* its numerator over d */
    int n;
    fmpz_mpoly_t d;
} family;

static int place(const family *o, slong key) {
    for (int i = 0; i < o->n; i++)
        if (o->key[i] == key) return i;
    return -1;
}

/* Logarithms and turns have units of their own. False: too many. */
static bool find_keys(family *o, coq_kind kind) {
    for (int i = 0; i < o->f->nentries; i++)
        for (int t = 0; o->f->entries[i].kind == kind && t < o->f->entries[i].form.n; t++) {
            slong key = o->f->entries[i].form.t[t].key;
            if (o->f->keys[key].log >= 0 || o->f->keys[key].turn || place(o, key) >= 0) continue;
            if (o->n == MAX_KEYS) return false;
            fmpz_mpoly_init(o->over[o->n], o->f->r.ctx);
            o->key[o->n++] = key;
        }
    return true;
}

/* d, and each numerator over it; false where FLINT gives up. */
static bool find_numerators(family *o) {
    const fmpz_mpoly_ctx_struct *ctx = o->f->r.ctx;
    fmpz_mpoly_t q;
    bool found = true;
    fmpz_mpoly_init(q, ctx);
    fmpz_mpoly_one(o->d, ctx);
    for (int i = 0; i < o->n && found; i++) {
        const coq_key *k = &o->f->keys[o->key[i]];
        found = fmpz_mpoly_gcd(q, o->d, k->d, ctx) && fmpz_mpoly_divides(q, k->d, q, ctx);
        if (found) fmpz_mpoly_mul(o->d, o->d, q, ctx);
    }
    for (int i = 0; i < o->n && found; i++) {
        const coq_key *k = &o->f->keys[o->key[i]];
        found = fmpz_mpoly_divides(q, o->d, k->d, ctx);
        if (found) fmpz_mpoly_mul(o->over[i], q, k->n, ctx);
    }
    fmpz_mpoly_clear(q, ctx);
    return found;
}

static bool dependent(const family *o) {
    const fmpz_mpoly_ctx_struct *ctx = o->f->r.ctx;
    fmpz_mpoly_t all, t;
    fmpq_mat_t M;
    fmpz_mpoly_init(all, ctx);
    fmpz_mpoly_init(t, ctx);
    for (int i = 0; i < o->n; i++) { /* the monomials of all: with 1s, so that none cancels */
        fmpz_mpoly_set(t, o->over[i], ctx);
        for (slong k = 0; k < fmpz_mpoly_length(t, ctx); k++) fmpz_one(t->coeffs + k);
        fmpz_mpoly_add(all, all, t, ctx);
    }
    fmpq_mat_init(M, o->n, fmpz_mpoly_length(all, ctx));
    for (slong k = 0; k < fmpz_mpoly_length(all, ctx); k++) {
        fmpz_mpoly_get_term_monomial(t, all, k, ctx);
        for (int i = 0; i < o->n; i++)
            fmpz_mpoly_get_coeff_fmpz_monomial(fmpq_mat_entry_num(M, i, k), o->over[i], t, ctx);
    }
    bool full = fmpq_mat_rref(M, M) == o->n;
    fmpq_mat_clear(M);
    fmpz_mpoly_clear(all, ctx);
    fmpz_mpoly_clear(t, ctx);
    return !full;
}

/* The form over d: what is in the family as one polynomial, then by its terms. */
static void write_over(const family *o, coq_form *form) {
    coq_form out = {0};
    ring_frac sum, t;
    ver_ring_frac_init(&sum, &o->f->r);
    ver_ring_frac_init(&t, &o->f->r);
    for (int i = 0; i < form->n; i++) {
        const coq_part *p = &form->t[i];
        int k = place(o, p->key);
        if (k < 0) ver_coq_form_add(o->f, &out, p->key, p->q);
        else {
            ver_ring_set_fmpq(&t, p->q, &o->f->r);
            fmpz_mpoly_mul(t.n, t.n, o->over[k], o->f->r.ctx);
            ver_coq_keep(o->f, ver_ring_add(&sum, &sum, &t, 1, &o->f->r));
        }
    }
    fmpz_mpoly_mul(sum.d, sum.d, o->d, o->f->r.ctx);
    ver_coq_split(o->f, &out, &sum, false);
    ver_coq_form_clear(form);
    *form = out;
    ver_ring_frac_clear(&sum, &o->f->r);
    ver_ring_frac_clear(&t, &o->f->r);
}

void ver_coq_over_one(coq_forms *f, coq_kind kind) {
    family o = {.f = f};
    fmpz_mpoly_init(o.d, f->r.ctx);
    if (find_keys(&o, kind) && find_numerators(&o) && !fmpz_mpoly_is_one(o.d, f->r.ctx) && dependent(&o))
        for (int i = 0; i < f->nentries && f->c->b.st == PH_OK; i++)
            if (f->entries[i].kind == kind) write_over(&o, &f->entries[i].form);
    for (int i = 0; i < o.n; i++) fmpz_mpoly_clear(o.over[i], f->r.ctx);
    fmpz_mpoly_clear(o.d, f->r.ctx);
}
