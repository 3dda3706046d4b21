/* coq_squares.c: see coq_squares.h. */
#include "verify/coq_squares.h"

#include "verify/polysign.h"

#define MAX_HALVES 9   /* monomials that are paired */
#define MAX_TERMS  200 /* of a polynomial that is looked at */

static void add(coq_squares *q, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx) {
    fmpz_t c;
    if (q->n == MAX_SQUARES || fmpz_mpoly_is_zero(p, ctx)) return;
    fmpz_mpoly_struct *s = &q->s[q->n];
    fmpz_mpoly_init(s, ctx);
    fmpz_init(c);
    _fmpz_vec_content(c, p->coeffs, fmpz_mpoly_length(p, ctx));
    if (fmpz_sgn(p->coeffs) < 0) fmpz_neg(c, c);
    fmpz_mpoly_scalar_divexact_fmpz(s, p, c, ctx);
    fmpz_clear(c);
    for (int i = 0; i < q->n; i++)
        if (fmpz_mpoly_equal(&q->s[i], s, ctx)) {
            fmpz_mpoly_clear(s, ctx);
            return;
        }
    q->n++;
}

/* f of p = … f^e …, e >= 2, and all of them together. */
static void of_factors(coq_squares *q, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx) {
    fmpz_mpoly_factor_t fac;
    fmpz_mpoly_t all, f;
    fmpz_mpoly_factor_init(fac, ctx);
    fmpz_mpoly_init(all, ctx);
    fmpz_mpoly_init(f, ctx);
    fmpz_mpoly_one(all, ctx);
    if (ver_poly_factor(fac, p, ctx))
        for (slong i = 0; i < fac->num; i++) {
            slong e = fmpz_fits_si(fac->exp + i) ? fmpz_get_si(fac->exp + i) : 0;
            if (e < 2 || !fmpz_mpoly_pow_ui(f, fac->poly + i, (ulong)e / 2, ctx)) continue;
            add(q, f, ctx);
            fmpz_mpoly_mul(all, all, f, ctx);
        }
    if (!fmpz_mpoly_is_one(all, ctx)) add(q, all, ctx);
    fmpz_mpoly_clear(f, ctx);
    fmpz_mpoly_clear(all, ctx);
    fmpz_mpoly_factor_clear(fac, ctx);
}

typedef struct {
    fmpz_mpoly_struct m[MAX_HALVES];
    int n;
} halves;

static void add_half(halves *h, const fmpz_mpoly_t m, const fmpz_mpoly_ctx_t ctx) {
    for (int i = 0; i < h->n; i++)
        if (fmpz_mpoly_equal(&h->m[i], m, ctx)) return;
    if (h->n == MAX_HALVES) return;
    fmpz_mpoly_init(&h->m[h->n], ctx);
    fmpz_mpoly_set(&h->m[h->n++], m, ctx);
}

/* The roots of its even monomials, then those of what is below the others, then its variables. */
static void find_halves(halves *h, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx) {
    slong n = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = flint_malloc(sizeof *e * (size_t)n);
    fmpz_mpoly_t m;
    fmpz_mpoly_init(m, ctx);
    for (int odd = 0; odd < 2; odd++)
        for (slong k = 0; k < fmpz_mpoly_length(p, ctx); k++) {
            bool even = true;
            fmpz_mpoly_get_term_exp_ui(e, p, k, ctx);
            for (slong v = 0; v < n; v++) {
                even &= e[v] % 2 == 0;
                e[v] /= 2;
            }
            if (even == odd) continue;
            fmpz_mpoly_zero(m, ctx);
            fmpz_mpoly_set_coeff_ui_ui(m, 1, e, ctx);
            add_half(h, m, ctx);
        }
    for (slong v = 0; v < n; v++)
        if (fmpz_mpoly_degree_si(p, v, ctx) > 0) {
            fmpz_mpoly_gen(m, v, ctx);
            add_half(h, m, ctx);
        }
    fmpz_mpoly_clear(m, ctx);
    flint_free(e);
}

/* G of p = hᵀ G h, where each monomial has its first place. */
static void gram(fmpq_mat_t G, const halves *h, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx) {
    fmpz_mpoly_t t, m;
    fmpz_t c;
    fmpz_mpoly_init(t, ctx);
    fmpz_mpoly_init(m, ctx);
    fmpz_init(c);
    for (slong k = 0; k < fmpz_mpoly_length(p, ctx); k++) {
        bool placed = false;
        fmpz_mpoly_get_term_monomial(t, p, k, ctx);
        fmpz_mpoly_get_term_coeff_fmpz(c, p, k, ctx);
        for (int i = 0; i < h->n && !placed; i++)
            for (int j = 0; j <= i && !placed; j++) {
                fmpz_mpoly_mul(m, &h->m[i], &h->m[j], ctx);
                if (!(placed = fmpz_mpoly_equal(m, t, ctx))) continue;
                fmpq_set_fmpz_frac(fmpq_mat_entry(G, i, j), c, (fmpz[]){i == j ? 1 : 2});
                fmpq_set(fmpq_mat_entry(G, j, i), fmpq_mat_entry(G, i, j));
            }
    }
    fmpz_mpoly_clear(t, ctx);
    fmpz_mpoly_clear(m, ctx);
    fmpz_clear(c);
}

/* Row k of G as a sum of the monomials, in whole numbers. */
static void add_row(coq_squares *q, const fmpq_mat_t G, slong k, const halves *h,
                    const fmpz_mpoly_ctx_t ctx) {
    fmpz_mpoly_t sum, t;
    fmpz_t d, c;
    fmpz_mpoly_init(sum, ctx);
    fmpz_mpoly_init(t, ctx);
    fmpz_init_set_ui(d, 1);
    fmpz_init(c);
    for (int j = 0; j < h->n; j++) fmpz_lcm(d, d, fmpq_denref(fmpq_mat_entry(G, k, j)));
    for (int j = 0; j < h->n; j++) {
        fmpz_divexact(c, d, fmpq_denref(fmpq_mat_entry(G, k, j)));
        fmpz_mul(c, c, fmpq_numref(fmpq_mat_entry(G, k, j)));
        fmpz_mpoly_scalar_mul_fmpz(t, &h->m[j], c, ctx);
        fmpz_mpoly_add(sum, sum, t, ctx);
    }
    add(q, sum, ctx);
    fmpz_mpoly_clear(sum, ctx);
    fmpz_mpoly_clear(t, ctx);
    fmpz_clear(d);
    fmpz_clear(c);
}

/* L D Lᵀ: each pivot d > 0 is a square, the rest goes on without its row. */
static void eliminate(coq_squares *q, fmpq_mat_t G, const halves *h, const fmpz_mpoly_ctx_t ctx) {
    fmpq_t f, t;
    fmpq_init(f);
    fmpq_init(t);
    for (slong k = 0; k < h->n; k++) {
        if (fmpq_sgn(fmpq_mat_entry(G, k, k)) <= 0) continue;
        add_row(q, G, k, h, ctx);
        for (slong i = 0; i < h->n; i++) {
            if (i == k) continue;
            fmpq_div(f, fmpq_mat_entry(G, i, k), fmpq_mat_entry(G, k, k));
            for (slong j = 0; j < h->n; j++) {
                fmpq_mul(t, f, fmpq_mat_entry(G, k, j));
                fmpq_sub(fmpq_mat_entry(G, i, j), fmpq_mat_entry(G, i, j), t);
            }
        }
        for (slong j = 0; j < h->n; j++) fmpq_zero(fmpq_mat_entry(G, k, j));
    }
    fmpq_clear(f);
    fmpq_clear(t);
}

void ver_coq_find_squares(coq_squares *q, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx) {
    halves h = {.n = 0};
    fmpq_mat_t G;
    fmpz_mpoly_t m;
    if (fmpz_mpoly_is_zero(p, ctx) || fmpz_mpoly_length(p, ctx) > MAX_TERMS) return;
    fmpz_mpoly_init(m, ctx);
    of_factors(q, p, ctx);
    find_halves(&h, p, ctx);
    fmpq_mat_init(G, h.n, h.n);
    gram(G, &h, p, ctx);
    eliminate(q, G, &h, ctx);
    fmpq_mat_clear(G);
    for (int i = 0; i < h.n; i++)
        for (int j = 0; j < i; j++)
            for (int sign = 0; sign < 2; sign++) {
                if (sign) fmpz_mpoly_add(m, &h.m[i], &h.m[j], ctx);
                else fmpz_mpoly_sub(m, &h.m[i], &h.m[j], ctx);
                add(q, m, ctx);
            }
    for (int i = 0; i < h.n; i++) add(q, &h.m[i], ctx);
    for (int i = 0; i < h.n; i++) fmpz_mpoly_clear(&h.m[i], ctx);
    fmpz_mpoly_clear(m, ctx);
}

void ver_coq_drop_squares(coq_squares *q, const fmpz_mpoly_ctx_t ctx) {
    for (int i = 0; i < q->n; i++) fmpz_mpoly_clear(&q->s[i], ctx);
    q->n = 0;
}
