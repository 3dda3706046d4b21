/* realroots.c: see realroots.h. */
#include "verify/realroots.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "verify/meter.h"

#define BITS       64    /* of a root, relative to it */
#define SHIFT_STEP 0.001 /* of the meter: of a shift of a polynomial of degree d, for each of d² limbs */

/* Where one root is: in an open interval, later in a closed one, or lo = hi is the root. */
typedef struct {
    arf_t lo, hi;
    int below; /* the sign of f between the first lo and the root; 0: not known yet */
} span;

typedef struct {
    const fmpz_poly_struct *f;
    fmpz_poly_t slope;
    span *found; /* NULL: only whether there is one is asked, within the meter */
    slong n;
    bool ended; /* of that: by a root, or by the meter */
} search;

/* Changes of sign in the coefficients of (x + 1)^m p(1/(x + 1)): as many roots of p in (0, 1) or an even number fewer; 0 and 1 are exact. */
static slong changes(const fmpz_poly_t p) {
    fmpz_poly_t q;
    slong count = 0;
    int last = 0;
    fmpz_poly_init(q);
    fmpz_poly_reverse(q, p, fmpz_poly_length(p));
    fmpz_poly_taylor_shift(q, q, (fmpz[]){1});
    for (slong i = 0; i < fmpz_poly_length(q) && count < 2; i++) {
        int s = fmpz_sgn(fmpz_poly_get_coeff_ptr(q, i));
        count += s && last && s != last;
        if (s) last = s;
    }
    fmpz_poly_clear(q);
    return count;
}

/* p(x/2)·2^m: the left half of the interval, as (0, 1). */
static void halve(fmpz_poly_t out, const fmpz_poly_t p) {
    slong m = fmpz_poly_degree(p);
    fmpz_poly_set(out, p);
    for (slong i = 0; i < m; i++)
        fmpz_mul_2exp(fmpz_poly_get_coeff_ptr(out, i), fmpz_poly_get_coeff_ptr(out, i), (ulong)(m - i));
}

/* at·2^exponent, mirrored where negative roots are looked for. */
static void set_end(arf_t out, const fmpz_t at, slong exponent, bool mirrored) {
    arf_set_fmpz(out, at);
    arf_mul_2exp_si(out, out, exponent);
    if (mirrored) arf_neg(out, out);
}

static void note(search *s, const fmpz_t lo, const fmpz_t hi, slong exponent, bool mirrored) {
    if (!s->found) {
        s->ended = true;
        return;
    }
    span *a = &s->found[s->n++];
    set_end(mirrored ? a->hi : a->lo, lo, exponent, mirrored);
    set_end(mirrored ? a->lo : a->hi, hi, exponent, mirrored);
}

/* Before p's interval is looked at, and halved. */
static bool affords(const fmpz_poly_t p) {
    double d = (double)fmpz_poly_degree(p), limbs = 1 + fabs((double)fmpz_poly_max_bits(p)) / 64;
    return ver_meter_spend(2 + SHIFT_STEP * d * d * limbs);
}

/* The roots in (at, at + 1)·2^exponent; p is f there, seen as (0, 1). In order of their size. */
static void within(search *s, const fmpz_poly_t p, const fmpz_t at, slong exponent, bool mirrored) {
    fmpz_poly_t half;
    fmpz_t left, right, end;
    s->ended |= !s->found && !affords(p);
    if (s->ended) return;
    slong count = changes(p);
    if (count == 0) return;
    fmpz_init(left);
    fmpz_init(right);
    fmpz_init(end);
    fmpz_add_ui(end, at, 1);
    if (count == 1) note(s, at, end, exponent, mirrored);
    else {
        fmpz_poly_init(half);
        halve(half, p);
        fmpz_mul_2exp(left, at, 1);
        fmpz_add_ui(right, left, 1);
        within(s, half, left, exponent - 1, mirrored);
        fmpz_poly_taylor_shift(half, half, (fmpz[]){1});
        if (fmpz_is_zero(fmpz_poly_get_coeff_ptr(half, 0))) {
            note(s, right, right, exponent - 1, mirrored);
            fmpz_poly_shift_right(half, half, 1);
        }
        within(s, half, right, exponent - 1, mirrored);
        fmpz_poly_clear(half);
    }
    fmpz_clear(left);
    fmpz_clear(right);
    fmpz_clear(end);
}

/* The roots of one sign; g has no root 0. */
static void of_sign(search *s, const fmpz_poly_t g, bool mirrored) {
    fmpz_poly_t p;
    fmpz_t bound, zero;
    fmpz_init(bound);
    fmpz_init(zero);
    fmpz_poly_init(p);
    fmpz_poly_set(p, g);
    fmpz_poly_bound_roots(bound, g);
    slong e = (slong)fmpz_bits(bound); /* every root is below 2^e */
    for (slong i = 0; i < fmpz_poly_length(p); i++) {
        fmpz *c = fmpz_poly_get_coeff_ptr(p, i);
        fmpz_mul_2exp(c, c, (ulong)(e * i));
        if (mirrored && i % 2) fmpz_neg(c, c);
    }
    within(s, p, zero, e, mirrored);
    fmpz_poly_clear(p);
    fmpz_clear(bound);
    fmpz_clear(zero);
}

/* ---- closer -------------------------------------------------------------------------------------------- */

/* The sign of p at m: balls first, then exactly. */
static int sign_at(const fmpz_poly_t p, const arf_t m, slong prec) {
    arb_t x, v;
    arb_init(x);
    arb_init(v);
    arb_set_arf(x, m);
    arb_fmpz_poly_evaluate_arb(v, p, x, prec);
    int sign = arb_is_positive(v) ? 1 : arb_is_negative(v) ? -1 : 0;
    if (!sign && !arb_is_zero(v)) {
        fmpq_t q, w;
        fmpq_init(q);
        fmpq_init(w);
        arf_get_fmpq(q, m);
        fmpz_poly_evaluate_fmpq(w, p, q);
        sign = fmpq_sgn(w);
        fmpq_clear(q);
        fmpq_clear(w);
    }
    arb_clear(x);
    arb_clear(v);
    return sign;
}

/* A step of the interval Newton method; false: the slope may vanish, or the interval is still longer than half of what it was. */
static bool newton(const search *s, span *a, const arf_t m, slong prec) {
    arb_t x, y, d;
    arf_t length, was;
    arb_init(x);
    arb_init(y);
    arb_init(d);
    arf_init(length);
    arf_init(was);
    arb_set_interval_arf(x, a->lo, a->hi, prec);
    arb_fmpz_poly_evaluate_arb(d, s->slope, x, prec);
    bool ok = !arb_contains_zero(d);
    if (ok) {
        arb_set_arf(x, m);
        arb_fmpz_poly_evaluate_arb(y, s->f, x, prec);
        arb_div(y, y, d, prec);
        arb_sub(y, x, y, prec);
        arf_sub(was, a->hi, a->lo, prec, ARF_RND_UP);
        arb_get_lbound_arf(length, y, prec);
        if (arf_cmp(length, a->lo) > 0) arf_set(a->lo, length);
        arb_get_ubound_arf(length, y, prec);
        if (arf_cmp(length, a->hi) < 0) arf_set(a->hi, length);
        arf_sub(length, a->hi, a->lo, prec, ARF_RND_UP);
        arf_mul_2exp_si(length, length, 1);
        ok = arf_cmp(length, was) < 0;
    }
    arb_clear(x);
    arb_clear(y);
    arb_clear(d);
    arf_clear(length);
    arf_clear(was);
    return ok;
}

static bool is_close(const span *a, slong bits) {
    arf_t length, size;
    arf_init(length);
    arf_init(size);
    arf_sub(length, a->hi, a->lo, 32, ARF_RND_UP);
    arf_mul_2exp_si(length, length, bits);
    arf_abs(size, arf_cmpabs(a->lo, a->hi) < 0 ? a->lo : a->hi);
    bool close = arf_cmp(length, size) <= 0;
    arf_clear(length);
    arf_clear(size);
    return close;
}

static void closer(const search *s, span *a, slong bits) {
    slong prec = 2 * bits + 2 * fmpz_poly_degree(s->f) + labs((long)fmpz_poly_max_bits(s->f));
    arf_t m;
    arf_init(m);
    if (!a->below) a->below = sign_at(s->f, a->lo, prec);
    if (!a->below) a->below = sign_at(s->slope, a->lo, prec); /* lo is another root */
    while (!is_close(a, bits)) {
        arf_add(m, a->lo, a->hi, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_mul_2exp_si(m, m, -1);
        if (newton(s, a, m, prec)) continue;
        arf_add(m, a->lo, a->hi, ARF_PREC_EXACT, ARF_RND_DOWN);
        arf_mul_2exp_si(m, m, -1);
        int here = sign_at(s->f, m, prec);
        if (here != -a->below) arf_set(a->lo, m);
        if (here != a->below) arf_set(a->hi, m);
    }
    arf_clear(m);
}

/* Root i to that many bits. */
static void put(arb_t out, const search *s, slong i, slong bits) {
    closer(s, &s->found[i], bits);
    arb_set_interval_arf(out, s->found[i].lo, s->found[i].hi, 2 * bits);
}

arb_ptr ver_real_roots(slong *n, const fmpz_poly_t f) {
    slong degree = fmpz_poly_degree(f);
    arb_ptr x = _arb_vec_init(degree);
    fmpz_poly_t g;
    search s = {.f = f, .found = flint_calloc((size_t)degree + 1, sizeof *s.found)};
    for (slong i = 0; i <= degree; i++) arf_init(s.found[i].lo), arf_init(s.found[i].hi);
    fmpz_poly_init(s.slope);
    fmpz_poly_init(g);
    fmpz_poly_derivative(s.slope, f);
    bool zero = fmpz_is_zero(fmpz_poly_get_coeff_ptr(f, 0));
    fmpz_poly_shift_right(g, f, zero);
    of_sign(&s, g, true);
    for (slong i = 0; i < s.n / 2; i++) { /* those of the mirror came from 0 outwards */
        span t = s.found[i];
        s.found[i] = s.found[s.n - 1 - i];
        s.found[s.n - 1 - i] = t;
    }
    if (zero) s.n++; /* [0, 0] */
    of_sign(&s, g, false);
    *n = s.n;
    for (slong i = 0; i < s.n; i++) {
        put(x + i, &s, i, BITS);
        for (slong bits = 2 * BITS; i && arb_overlaps(x + i - 1, x + i); bits *= 2) {
            put(x + i - 1, &s, i - 1, bits);
            put(x + i, &s, i, bits);
        }
    }
    for (slong i = 0; i <= degree; i++) arf_clear(s.found[i].lo), arf_clear(s.found[i].hi);
    flint_free(s.found);
    fmpz_poly_clear(s.slope);
    fmpz_poly_clear(g);
    return x;
}

bool ver_no_real_root(const fmpz_poly_t f, bool above) {
    search s = {.f = f};
    of_sign(&s, f, false);
    if (!above && !s.ended) of_sign(&s, f, true);
    return !s.ended;
}
