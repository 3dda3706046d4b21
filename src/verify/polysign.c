/* polysign.c: see polysign.h. */
#include "verify/polysign.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>
#include <math.h>

#include "verify/meter.h"
#include "verify/realroots.h"

#define MAX_DEPTH 8   /* discriminants of discriminants */
#define MAX_TERMS 600 /* of a polynomial that is taken apart */
#define MAX_FACTOR                                                                                           \
    5e6 /* work of one factorisation: the square of Π (degree + 1), by limbs of a coefficient */
#define FACTOR_UNIT 0.3 /* of the meter; in one variable, where it is dearest */
#define MAX_DEGREE  200

/* The sign of a product of what these are the signs of. */
static ver_sign both(ver_sign a, ver_sign b) { return a < b ? a : b; }

ver_sign ver_poly_visible(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx) {
    slong n = fmpz_mpoly_ctx_nvars(ctx), *e = flint_calloc((size_t)n, sizeof *e);
    fmpz_t c;
    fmpz_init(c);
    ver_sign r = VER_SIGN_NONNEGATIVE;
    for (slong i = 0; i < fmpz_mpoly_length(f, ctx) && r != VER_SIGN_OPEN; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, f, i, ctx);
        fmpz_mpoly_get_term_exp_si(e, f, i, ctx);
        bool nonnegative = fmpz_sgn(c) > 0, positive = nonnegative;
        for (slong v = 0; v < n; v++) {
            if (e[v] % 2 && sign[v] == VER_SIGN_OPEN) nonnegative = false;
            if (e[v] && sign[v] != VER_SIGN_POSITIVE) positive = false;
        }
        if (!nonnegative) r = VER_SIGN_OPEN;
        else if (positive) r = VER_SIGN_POSITIVE;
    }
    fmpz_clear(c);
    flint_free(e);
    return r;
}

/* ---- one variable -------------------------------------------------------------------------------------- */

/* The only variable of f; −1: none, or several. */
static slong only_variable(const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx) {
    slong found = -1;
    for (slong v = 0; v < fmpz_mpoly_ctx_nvars(ctx); v++)
        if (fmpz_mpoly_degree_si(f, v, ctx) > 0) {
            if (found >= 0) return -1;
            found = v;
        }
    return found;
}

/* Irreducible f over the line, or over x >= 0: of one sign without a root there. */
static ver_sign one_variable(const fmpz_mpoly_t f, slong v, ver_sign sign, const fmpz_mpoly_ctx_t ctx) {
    fmpz_poly_t g;
    fmpz_t at;
    ver_sign r = VER_SIGN_OPEN;
    if (fmpz_mpoly_degree_si(f, v, ctx) > MAX_DEGREE) return r;
    fmpz_poly_init(g);
    fmpz_init(at);
    if (fmpz_mpoly_is_fmpz_poly(f, v, ctx) && fmpz_mpoly_get_fmpz_poly(g, f, v, ctx) &&
        !fmpz_is_zero(fmpz_poly_get_coeff_ptr(g, 0))) {
        fmpz_poly_evaluate_fmpz(at, g, (fmpz[]){1});
        if (fmpz_sgn(at) > 0 && ver_no_real_root(g, sign != VER_SIGN_OPEN)) r = VER_SIGN_POSITIVE;
    }
    fmpz_poly_clear(g);
    fmpz_clear(at);
    return r;
}

/* ---- quadratic forms ----------------------------------------------------------------------------------- */

/* G of the quadratic polynomial f(x) = (1,x)ᵀ G (1,x). */
static bool gram(fmpq_mat_t G, const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx) {
    slong n = fmpz_mpoly_ctx_nvars(ctx), *e = flint_calloc((size_t)n, sizeof *e);
    fmpz_t c;
    fmpz_init(c);
    bool quadratic = true;
    for (slong i = 0; i < fmpz_mpoly_length(f, ctx) && quadratic; i++) {
        slong at[2] = {0, 0}, k = 0;
        fmpz_mpoly_get_term_coeff_fmpz(c, f, i, ctx);
        fmpz_mpoly_get_term_exp_si(e, f, i, ctx);
        for (slong v = 0; v < n; v++)
            for (slong m = e[v]; m > 0 && quadratic; m--) {
                if (k == 2) quadratic = false;
                else at[k++] = v + 1;
            }
        if (!quadratic) break;
        fmpq *u = fmpq_mat_entry(G, at[0], at[1]), *w = fmpq_mat_entry(G, at[1], at[0]);
        fmpq_set_fmpz_frac(u, c, (fmpz[]){u == w ? 1 : 2});
        if (u != w) fmpq_set(w, u);
    }
    flint_free(e);
    fmpz_clear(c);
    return quadratic;
}

/* Symmetric elimination: a pivot d > 0 takes its row and column away, d = 0 needs its whole row to be 0, d < 0 ends it.
 * G >= 0 with the constant's own pivot taken last: if that is > 0, so is the form. */
static ver_sign semidefinite(fmpq_mat_t G) {
    fmpq_t f, t;
    fmpq_init(f);
    fmpq_init(t);
    ver_sign r = VER_SIGN_NONNEGATIVE;
    for (slong k = fmpq_mat_nrows(G) - 1; k >= 0 && r != VER_SIGN_OPEN; k--) { /* row 0 is the constant */
        const fmpq *d = fmpq_mat_entry(G, k, k);
        if (fmpq_sgn(d) < 0) r = VER_SIGN_OPEN;
        if (fmpq_is_zero(d))
            for (slong i = 0; i < k; i++)
                if (!fmpq_is_zero(fmpq_mat_entry(G, i, k))) r = VER_SIGN_OPEN;
        if (k == 0 && fmpq_sgn(d) > 0 && r != VER_SIGN_OPEN) r = VER_SIGN_POSITIVE;
        for (slong i = 0; i < k && r != VER_SIGN_OPEN && !fmpq_is_zero(d); i++) {
            fmpq_div(f, fmpq_mat_entry(G, i, k), d);
            for (slong j = 0; j < k; j++) {
                fmpq_mul(t, f, fmpq_mat_entry(G, k, j));
                fmpq_sub(fmpq_mat_entry(G, i, j), fmpq_mat_entry(G, i, j), t);
            }
        }
    }
    fmpq_clear(f);
    fmpq_clear(t);
    return r;
}

static ver_sign quadratic_form(const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx) {
    slong n = fmpz_mpoly_ctx_nvars(ctx) + 1;
    fmpq_mat_t G;
    fmpq_mat_init(G, n, n);
    ver_sign r = gram(G, f, ctx) ? semidefinite(G) : VER_SIGN_OPEN;
    fmpq_mat_clear(G);
    return r;
}

/* ---- taken apart --------------------------------------------------------------------------------------- */

bool ver_poly_affords(const fmpz_mpoly_t f, const fmpz_mpoly_t g, slong v, const fmpz_mpoly_ctx_t ctx) {
    double a = (double)fmpz_mpoly_length(f, ctx), b = (double)fmpz_mpoly_length(g, ctx);
    double degrees = (double)fmpz_mpoly_degree_si(f, v, ctx) + (double)fmpz_mpoly_degree_si(g, v, ctx);
    return ver_meter_spend(20 + a * b * degrees);
}

static ver_sign factored(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx, int depth);

/* 4A·f = (2Ax + B)² + 4AC − B². Where A > 0 so f >= 0; A is no zero polynomial, so those points lie dense, and f is
 * continuous. */
static ver_sign by_discriminant(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx,
                                int depth) {
    ver_sign r = VER_SIGN_OPEN;
    fmpz_mpoly_t a, d;
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_init(a, ctx);
    fmpz_mpoly_init(d, ctx);
    fmpz_mpoly_univar_init(u, ctx);
    for (slong v = 0; v < fmpz_mpoly_ctx_nvars(ctx) && r == VER_SIGN_OPEN; v++) {
        if (fmpz_mpoly_degree_si(f, v, ctx) != 2) continue;
        fmpz_mpoly_to_univar(u, f, v, ctx);
        fmpz_mpoly_univar_get_term_coeff(a, u, 0, ctx);
        ver_sign lead = factored(a, sign, ctx, depth - 1);
        if (lead == VER_SIGN_OPEN || !ver_poly_affords(f, f, v, ctx) ||
            !fmpz_mpoly_discriminant(d, f, v, ctx))
            continue;
        fmpz_mpoly_neg(d, d, ctx);
        ver_sign rest = factored(d, sign, ctx, depth - 1);
        if (rest != VER_SIGN_OPEN) r = both(lead, rest);
    }
    fmpz_mpoly_clear(a, ctx);
    fmpz_mpoly_clear(d, ctx);
    fmpz_mpoly_univar_clear(u, ctx);
    return r;
}

static ver_sign irreducible(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx,
                            int depth) {
    ver_sign r = ver_poly_visible(f, sign, ctx);
    slong v = only_variable(f, ctx);
    if (r == VER_SIGN_OPEN && v >= 0) r = one_variable(f, v, sign[v], ctx);
    if (r == VER_SIGN_OPEN && v < 0) r = quadratic_form(f, ctx);
    if (r == VER_SIGN_OPEN && v < 0) r = by_discriminant(f, sign, ctx, depth);
    return r;
}

/* |f| where f is of one sign: *flip says that it is −f. */
static ver_sign of_one_sign(bool *flip, fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx,
                            int depth) {
    ver_sign r = irreducible(f, sign, ctx, depth);
    *flip = false;
    if (r != VER_SIGN_OPEN) return r;
    fmpz_mpoly_neg(f, f, ctx);
    *flip = true;
    return irreducible(f, sign, ctx, depth);
}

bool ver_poly_factor(fmpz_mpoly_factor_t out, const fmpz_mpoly_t f, const fmpz_mpoly_ctx_t ctx) {
    double area = 1, limbs = 1 + fabs((double)fmpz_mpoly_max_bits(f)) / 64;
    for (slong v = 0; v < fmpz_mpoly_ctx_nvars(ctx); v++) area *= 1 + (double)fmpz_mpoly_degree_si(f, v, ctx);
    double cost = area * area * limbs;
    return cost <= MAX_FACTOR && ver_meter_spend(FACTOR_UNIT * cost) && fmpz_mpoly_factor(out, f, ctx);
}

static ver_sign factored(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx, int depth) {
    if (fmpz_mpoly_is_zero(f, ctx)) return VER_SIGN_NONNEGATIVE;
    if (depth < 0 || fmpz_mpoly_length(f, ctx) > MAX_TERMS) return VER_SIGN_OPEN;
    ver_sign r = ver_poly_visible(f, sign, ctx);
    if (r == VER_SIGN_POSITIVE) return r;
    fmpz_mpoly_factor_t fac;
    fmpz_mpoly_factor_init(fac, ctx);
    ver_sign s = ver_poly_factor(fac, f, ctx) ? VER_SIGN_POSITIVE : VER_SIGN_OPEN;
    int direction = s ? fmpz_sgn(fac->constant) : 1;
    for (slong i = 0; i < fac->num && s != VER_SIGN_OPEN; i++) {
        bool flip, odd = !fmpz_is_even(fac->exp + i);
        ver_sign t = of_one_sign(&flip, fac->poly + i, sign, ctx, depth);
        if (flip && odd && t) direction = -direction;
        if (!odd && t == VER_SIGN_OPEN) t = VER_SIGN_NONNEGATIVE;
        s = both(s, t);
    }
    if (direction < 0) s = VER_SIGN_OPEN;
    fmpz_mpoly_factor_clear(fac, ctx);
    return s > r ? s : r;
}

ver_sign ver_poly_sign(const fmpz_mpoly_t f, const ver_sign *sign, const fmpz_mpoly_ctx_t ctx) {
    return factored(f, sign, ctx, MAX_DEPTH);
}
