/* unity.c: roots of unity, exactly. e^(2πi a/N) is the product of powers of ζ_q = e^(2πi/q) over the prime powers q of N (Chinese
 * remainders). Each prime has one generator, for the highest of its powers that occurs: ζ_q with the cyclotomic polynomial as its
 * relation, Φ_q(ζ) = 0 for odd q, and ζ^(q/4) = I for q = 2^k: these fields are linearly disjoint over Q, so the ring is a field and a
 * normal form of 0 is reached for whatever is 0.
 *
 * Square roots of primes lie in these fields, and are read there where both occur: √2 = ζ₈ + ζ₈⁻¹, and for odd p Gauss' sum
 * Σ (j/p) ζ_p^j is √p for p ≡ 1, i√p for p ≡ 3 (mod 4), with ζ_p = e^(2πi/p) as here.
 *
 * A relation may use lower generators only, and roots are met late: what is missing is noted, and the formula decided again. */
#include "verify/normal_internal.h"

static slong power(slong p, slong k) {
    slong q = 1;
    while (k-- > 0) q *= p;
    return q;
}

static slong degree(slong p, slong k) { return p == 2 ? power(2, k - 2) : (p - 1) * power(p, k - 1); }

static int find(const unity *u, slong p) {
    for (int i = 0; i < u->n; i++)
        if (u->root[i].p == p) return i;
    return -1;
}

static ph_status want(normal *c, slong p, slong k) {
    unity *u = &c->unity;
    int i = find(u, p);
    if (i >= 0 && u->root[i].k >= k) return PH_OK;
    if (i < 0 && u->n == MAX_UNITY) return ph_fail(c->err, PH_EBUDGET, "roots of unity of too many orders");
    if (k > 9 || p > MAX_UNITY_ORDER || degree(p, k) > MAX_UNITY_ORDER)
        return ph_fail(c->err, PH_EBUDGET, "a root of unity of order %lld^%lld", (long long)p, (long long)k);
    if (i < 0) i = u->n++;
    u->root[i].p = p;
    u->root[i].k = k;
    u->missing = true;
    return PH_OK;
}

/* The order of e^(iπ·coef), factored; false when it is too large to be. */
static bool order(n_factor_t *f, ulong *n, const fmpq_t coef) {
    if (!fmpz_abs_fits_ui(fmpq_denref(coef)) || fmpz_get_ui(fmpq_denref(coef)) > 1000000) return false;
    *n = 2 * fmpz_get_ui(fmpq_denref(coef));
    n_factor_init(f);
    n_factor(f, *n, 1);
    return true;
}

ph_status ver_unity_want(normal *c, const fmpq_t coef) {
    n_factor_t f;
    ulong n;
    if (!order(&f, &n, coef)) return ph_fail(c->err, PH_EBUDGET, "a root of unity of an order beyond 10^6");
    ph_status st = PH_OK;
    for (int i = 0; i < f.num && !st; i++)
        if (f.p[i] != 2 || f.exp[i] > 2) st = want(c, (slong)f.p[i], (slong)f.exp[i]);
    if (!st && c->unity.missing) st = ph_fail(c->err, PH_EBUDGET, "a root of unity");
    return st;
}

ph_status ver_unity_gens(normal *c) {
    ph_status st = PH_OK;
    for (int i = 0; i < c->unity.n && !st; i++)
        st = ver_gen_new(c, &c->unity.root[i].gen, GEN_UNITY, NULL, -1);
    return st;
}

static void set_power(ring_frac *out, slong id, slong k, ring *r) {
    ver_ring_gen(out, id, r);
    fmpz_mpoly_pow_ui(out->n, out->n, (ulong)k, r->ctx);
}

/* Φ_q = 1 + x^(q/p) + … + x^((p−1)q/p) for q = p^k */
ph_status ver_unity_relate(normal *c, slong id) {
    ring_frac v, t;
    int i = 0;
    while (c->unity.root[i].gen != id) i++;
    slong p = c->unity.root[i].p, k = c->unity.root[i].k;
    ph_status st = PH_OK;
    ver_ring_frac_init(&v, &c->r);
    ver_ring_frac_init(&t, &c->r);
    if (p == 2) ver_ring_gen(&v, 0, &c->r);
    for (slong j = 0; p > 2 && j < p - 1 && !st; j++) {
        set_power(&t, id, j * power(p, k - 1), &c->r);
        st = ver_ring_add(&v, &v, &t, -1, &c->r);
    }
    if (!st) st = ver_ring_relate(&c->r, id, degree(p, k), &v);
    ver_ring_frac_clear(&v, &c->r);
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

/* e^(2πi a/p^k), 0 <= a < p^k, times `out` */
static ph_status multiply(normal *c, ring_frac *out, slong p, slong k, slong a) {
    ring_frac t;
    ver_ring_frac_init(&t, &c->r);
    if (p == 2 && k <= 2) { /* 1, I, −1, −I */
        ver_ring_gen(&t, 0, &c->r);
        a *= 4 / power(2, k);
    } else {
        int i = find(&c->unity, p);
        ver_ring_gen(&t, c->unity.root[i].gen, &c->r);
        a *= power(p, c->unity.root[i].k - k);
    }
    ph_status st = ver_ring_pow(&t, &t, a, &c->r);
    if (!st) st = ver_ring_mul(out, out, &t, &c->r);
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

ph_status ver_unity_value(normal *c, ring_frac *out, const fmpq_t coef) {
    n_factor_t f;
    ulong n;
    ver_set_si(out, 1, 1, &c->r);
    if (!order(&f, &n, coef)) return ph_fail(c->err, PH_EBUDGET, "a root of unity of an order beyond 10^6");
    ulong a = fmpz_fdiv_ui(fmpq_numref(coef), n);
    ph_status st = PH_OK;
    for (int i = 0; i < f.num && !st; i++) { /* a/n = Σ aᵢ/qᵢ mod 1 with aᵢ = a·(n/qᵢ)⁻¹ mod qᵢ */
        ulong q = n_pow(f.p[i], f.exp[i]), rest = n / q % q;
        ulong ai = q == 1 ? 0 : n_mulmod2(a % q, n_invmod(rest ? rest : 1, q), q);
        st = multiply(c, out, (slong)f.p[i], (slong)f.exp[i], (slong)ai);
    }
    return st;
}

/* √2 = e^(2πi/8) + e^(2πi·7/8) */
static ph_status sqrt_two(normal *c, ring_frac *out) {
    ring_frac t;
    ver_ring_frac_init(&t, &c->r);
    ver_set_si(out, 1, 1, &c->r);
    ver_set_si(&t, 1, 1, &c->r);
    ph_status st;
    PH_TRY(multiply(c, out, 2, 3, 1));
    PH_TRY(multiply(c, &t, 2, 3, 7));
    st = ver_ring_add(out, out, &t, 1, &c->r);
done:
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

static ph_status gauss_sum(normal *c, ring_frac *out, slong p) {
    ring_frac t;
    ph_status st = PH_OK;
    ver_ring_frac_init(&t, &c->r);
    ver_set_si(out, 0, 1, &c->r);
    for (slong j = 1; j < p; j++) {
        ver_set_si(&t, 1, 1, &c->r);
        PH_TRY(multiply(c, &t, p, 1, j));
        PH_TRY(ver_ring_add(out, out, &t, n_jacobi(j, (ulong)p), &c->r));
    }
    if (p % 4 == 3) { /* i√p over i */
        ver_set_si(&t, 1, 1, &c->r);
        PH_TRY(multiply(c, &t, 2, 2, 3));
        st = ver_ring_mul(out, out, &t, &c->r);
    }
done:
    ver_ring_frac_clear(&t, &c->r);
    return st;
}

ph_status ver_unity_sqrt(normal *c, ring_frac *out, int64_t p, bool *held) {
    *held = p <= INT32_MAX && find(&c->unity, (slong)p) >= 0;
    if (!*held) return PH_OK;
    return p == 2 ? sqrt_two(c, out) : gauss_sum(c, out, (slong)p);
}
