/* Vector functions: error in ulps against Arb, special values, the same bits at every CPU level, place and
 * length.
 * Sources: array/vmath.c array/vmath_f32.inc array/vmath_f64.inc array/vmath_lanes.inc array/vmath_level.inc array/vmath_loops.inc
 * Sources: array/vmath_poly.h array/vmath_single.inc array/vmath_single_lanes.inc base/cpu.c */
#include "array/ulps.h"

typedef struct {
    const char *name;
    void (*f64)(double *, const double *, int64_t);
    void (*f32)(float *, const float *, int64_t);
    void (*exact)(arb_t, const arb_t, slong);
    double lo, hi;  /* where most points are drawn */
    int e_lo, e_hi; /* and the exponents of the rest */
    bool positive;
    double inf, minus_inf; /* limits, NaN where there is none */
} function;

static void sigmoid(arb_t y, const arb_t x, slong bits) {
    arb_neg(y, x);
    arb_exp(y, y, bits);
    arb_add_si(y, y, 1, bits);
    arb_inv(y, y, bits);
}

static const function functions[] = {
    {"exp", arr_vexp_f64, arr_vexp_f32, arb_exp, -745, 709.7, -60, 9, false, INFINITY, 0},
    {"log", arr_vlog_f64, arr_vlog_f32, arb_log, 0.2, 4, -1074, 1023, true, INFINITY, NAN},
    {"sin", arr_vsin_f64, arr_vsin_f32, arb_sin, -100, 100, -60, 1023, false, NAN, NAN},
    {"cos", arr_vcos_f64, arr_vcos_f32, arb_cos, -100, 100, -60, 1023, false, NAN, NAN},
    {"tan", arr_vtan_f64, arr_vtan_f32, arb_tan, -100, 100, -60, 1023, false, NAN, NAN},
    {"sqrt", arr_vsqrt_f64, arr_vsqrt_f32, arb_sqrt, 0, 100, -1074, 1023, true, INFINITY, NAN},
    {"sigmoid", arr_vsigmoid_f64, arr_vsigmoid_f32, sigmoid, -45, 45, -60, 9, false, 1, 0},
    {"tanh", arr_vtanh_f64, arr_vtanh_f32, arb_tanh, -23, 23, -60, 9, false, 1, -1},
    {"erf", arr_verf_f64, arr_verf_f32, arb_hypgeom_erf, -6.1, 6.1, -1074, 9, false, 1, -1},
};
#define EACH(f) for (const function *f = functions; f < functions + sizeof functions / sizeof *functions; f++)

#ifndef POINTS
#define POINTS 6000
#endif

/* Seeded points: a third in [lo, hi], a third of every size, a third beside the places where reductions
 * change over: the multiples of pi/4 and of ln2/2, and 1. */
static double point(const function *f, ph_rng *g, int i) {
    double u = ph_rng_uniform(g), x;
    int64_t k = (int64_t)ph_rng_below(g, 2000000) - 1000000;
    if (i % 3 == 0) x = f->lo + (f->hi - f->lo) * u;
    else if (i % 3 == 1) x = ldexp(1 + u, f->e_lo + (int)ph_rng_below(g, (uint64_t)(f->e_hi - f->e_lo) + 1));
    else if (f->lo < -50 && f->hi < 200)
        x = (double)(i % 2 ? k % 200 : k) * 0x1.921fb54442d18p-1 * (1 + 0x1p-50 * (u - 0.5));
    else if (f->positive) x = 1 + (u - 0.5) * ldexp(1, -(int)ph_rng_below(g, 50));
    else x = (double)(k % 2000) * 0x1.62e42fefa39efp-2 * (1 + 0x1p-50 * (u - 0.5));
    return !f->positive && i % 2 ? -x : x;
}

static void exact_at(arb_t y, const function *f, double x) {
    arb_t a;
    arb_init(a);
    arb_set_d(a, x);
    f->exact(y, a, 1300); /* enough for the reduction of 2^1023 */
    arb_clear(a);
}

static void f64_is_within_an_ulp(void **state) {
    (void)state;
    double *x = malloc(sizeof(double) * POINTS), *y = malloc(sizeof(double) * POINTS);
    arb_t want;
    arb_init(want);
    EACH(f) {
        ph_rng g;
        double worst = 0, at = 0;
        ph_rng_seed(&g, 11);
        for (int i = 0; i < POINTS; i++) x[i] = point(f, &g, i);
        f->f64(y, x, POINTS);
        for (int i = 0; i < POINTS; i++) {
            exact_at(want, f, x[i]);
            if (arf_cmpabs_2exp_si(arb_midref(want), 1024) >= 0) {
                assert_true(isinf(y[i]));
                continue;
            }
            double u = ulps(y[i], want, 53, -1074);
            if (!(isfinite(u) && u <= 1)) fail_msg("%s(%a) = %a is off by %g ulps", f->name, x[i], y[i], u);
            if (u > worst) worst = u, at = x[i];
        }
        print_message("  %s f64: %.3f ulp at %a\n", f->name, worst, at);
    }
    arb_clear(want);
    free(x);
    free(y);
}

/* Where the interval around 1 ends, ln x is no larger than what it is a sum of: a reduced argument that is rounded shows there first (1.03 ulps
 * were seen). */
static void logarithms_are_within_an_ulp_beside_one(void **state) {
    (void)state;
    enum { M = 4000 };
    static double x[M], y[M];
    arb_t want;
    ph_rng g;
    ph_rng_seed(&g, 17);
    for (int i = 0; i < M; i++)
        x[i] = i % 2 ? 1 + 0x1p-5 + 0x1p-11 * ph_rng_uniform(&g) : 1 - 0x1p-6 - 0x1p-12 * ph_rng_uniform(&g);
    arr_vlog_f64(y, x, M);
    arb_init(want);
    for (int i = 0; i < M; i++) {
        exact_at(want, functions + 1, x[i]);
        const double u = ulps(y[i], want, 53, -1074);
        if (!(isfinite(u) && u <= 1)) fail_msg("log(%a) = %a is off by %g ulps", x[i], y[i], u);
    }
    arb_clear(want);
}

/* erf beside the ends of its sixteen intervals, where the sum of a polynomial is furthest from a centre, from 2.5 to 17.5 of 16/47; beside 5.9216,
 * from where it rounds to 1; and where 2x over the root of pi takes over. */
static void erf_is_within_an_ulp_beside_its_ends(void **state) {
    (void)state;
    enum { EACH_END = 250, ENDS = 18, M = EACH_END * ENDS };
    static double x[M], y[M];
    arb_t want;
    ph_rng g;
    ph_rng_seed(&g, 18);
    for (int i = 0; i < M; i++) {
        const int end = i / EACH_END;
        const double at = end < 16 ? (end + 2.5) / 2.9375 : end == 16 ? 0x1.7afb48dc96626p+2 : 0x1p-28;
        x[i] = at * (1 + ldexp(ph_rng_uniform(&g) - 0.5, i % 2 ? -50 : -9)) * (i % 4 < 2 ? 1 : -1);
    }
    arr_verf_f64(y, x, M);
    arb_init(want);
    for (int i = 0; i < M; i++) {
        arb_set_d(want, x[i]);
        arb_hypgeom_erf(want, want, 200);
        const double u = ulps(y[i], want, 53, -1074);
        if (!(isfinite(u) && u <= 1)) fail_msg("erf(%a) = %a is off by %g ulps", x[i], y[i], u);
    }
    arb_clear(want);
}

/* In f32: the last sum rounds by half an ulp, and what it adds to its greatest term is wrong by less than the other half
 * (vmath.h has what was found). */
static void f32_is_within_an_ulp(void **state) {
    (void)state;
    float *x = malloc(sizeof(float) * POINTS), *y = malloc(sizeof(float) * POINTS);
    arb_t want;
    arb_init(want);
    EACH(f) {
        ph_rng g;
        double worst = 0, at = 0;
        ph_rng_seed(&g, 12);
        for (int i = 0; i < POINTS; i++) {
            double p = point(f, &g, i);
            if (f->f32 == arr_vexp_f32) p = fmod(p, 104);
            if (fabs(p) > FLT_MAX) p = fmod(p, 1e30);
            x[i] = (float)p;
            if (f->positive && x[i] == 0) x[i] = FLT_TRUE_MIN;
        }
        f->f32(y, x, POINTS);
        for (int i = 0; i < POINTS; i++) {
            exact_at(want, f, (double)x[i]);
            if (arf_cmpabs_d(arb_midref(want), 0x1.ffffffp127) >= 0) /* half an ulp beyond FLT_MAX */ {
                assert_true(isinf(y[i]));
                continue;
            }
            double u = ulps((double)y[i], want, 24, -149);
            if (!(isfinite(u) && u <= 1))
                fail_msg("%s(%a) = %a is off by %g ulps", f->name, (double)x[i], (double)y[i], u);
            if (u > worst) worst = u, at = (double)x[i];
        }
        print_message("  %s f32: %.4f ulp at %a\n", f->name, worst, at);
    }
    arb_clear(want);
    free(x);
    free(y);
}

static bool same(double a, double b) {
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static void special_values(void **state) {
    (void)state;
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        EACH(f) {
            const double x[] = {INFINITY, -INFINITY, NAN, 0, -0.0};
            double want[5] = {f->inf, f->minus_inf, NAN, 0, -0.0}, y[5];
            if (f->f64 == arr_vexp_f64 || f->f64 == arr_vcos_f64) want[3] = want[4] = 1;
            if (f->f64 == arr_vsigmoid_f64) want[3] = want[4] = 0.5;
            if (f->f64 == arr_vlog_f64) want[3] = want[4] = -INFINITY;
            float x32[5], y32[5];
            for (int i = 0; i < 5; i++) x32[i] = (float)x[i];
            f->f64(y, x, 5);
            f->f32(y32, x32, 5);
            for (int i = 0; i < 5; i++) {
                if (!same(y[i], want[i])) fail_msg("%s(%g) = %g, wanted %g", f->name, x[i], y[i], want[i]);
                if (!same((double)y32[i], want[i])) fail_msg("%s f32 (%g)", f->name, x[i]);
            }
        }
        double x[] = {1, -1, -DBL_TRUE_MIN, 0x1.62e42fefa39efp9, 0x1.62e42fefa39fp9, -745.2}, y[6];
        arr_vlog_f64(y, x, 3);
        assert_true(same(y[0], 0) && isnan(y[1]) && isnan(y[2]));
        arr_vexp_f64(y, x, 6);
        assert_true(isfinite(y[3]) && y[3] > 1.79e308 && isinf(y[4]) && same(y[5], 0));
        double tiny[] = {DBL_TRUE_MIN, -DBL_TRUE_MIN, 0x1p-1030, -0x1.8p-1023}, out[4];
        arr_vsin_f64(out, tiny, 4);
        assert_memory_equal(out, tiny, sizeof out);
        arr_vtan_f64(out, tiny, 4);
        assert_memory_equal(out, tiny, sizeof out);
        arr_vtanh_f64(out, tiny, 4);
        assert_memory_equal(out, tiny, sizeof out);
    }
}

#define N 1203 /* two blocks and a part, and a part of every vector */

/* Usual numbers alone, which go several vectors at a time as far as they reach; or others among them, in most vectors or in few. */
static void fill(const function *f, int others, double *x, float *x32) {
    ph_rng g;
    ph_rng_seed(&g, 13);
    for (int i = 0; i < N; i++) {
        if (others == 1) x[i] = i % 97 == 5 ? NAN : i % 89 == 7 ? -INFINITY : point(f, &g, i);
        else x[i] = others && i % 401 == 300 ? NAN : 0.001 + 3 * ph_rng_uniform(&g);
        x32[i] = (float)x[i];
    }
}

/* The same bits, NaN included, at every level; in place; and for an element alone. */
static void every_level_place_and_length_agree(void **state) {
    (void)state;
    static double x[N], y[N], first[N], one;
    static float x32[N], y32[N], first32[N], one32;
    EACH(f) for (int others = 0; others < 3; others++) {
        fill(f, others, x, x32);
        EACH_LEVEL(level) {
            ph_set_cpu(level);
            double *to = level == PH_CPU_BASELINE ? first : y;
            float *to32 = level == PH_CPU_BASELINE ? first32 : y32;
            f->f64(to, x, N);
            f->f32(to32, x32, N);
            assert_memory_equal(to, first, sizeof first);
            assert_memory_equal(to32, first32, sizeof first32);
            for (int i = 0; i < N; i++) {
                f->f64(&one, x + i, 1);
                f->f32(&one32, x32 + i, 1);
                assert_memory_equal(&one, first + i, sizeof one);
                assert_memory_equal(&one32, first32 + i, sizeof one32);
            }
            memcpy(y, x, sizeof y);
            memcpy(y32, x32, sizeof y32);
            f->f64(y, y, N);
            f->f32(y32, y32, N);
            assert_memory_equal(y, first, sizeof first);
            assert_memory_equal(y32, first32, sizeof first32);
            double guard[3] = {7, 7, 7}; /* nothing is written beyond n */
            f->f64(guard, x, 0);
            f->f64(guard, x, 1);
            assert_true(guard[1] == 7 && guard[2] == 7);
        }
    }
}

/* Floats of every exponent, subnormal ones too: within an ulp as above, where the value is a float. */
static void f32_of_every_exponent(void **state) {
    (void)state;
    enum { EACH_EXPONENT = 6 };
    ph_rng g;
    ph_rng_seed(&g, 14);
    arb_t want;
    arb_init(want);
    EACH(f) for (int e = -149; e < 128; e++) for (int i = 0; i < EACH_EXPONENT; i++) {
        double sign = !f->positive && i % 2 ? -1 : 1;
        float x = (float)(sign * ldexp(i < 2 ? 1 : 1 + ph_rng_uniform(&g), e)), y;
        if (isinf(x)) continue;
        f->f32(&y, &x, 1);
        if (f->f32 == arr_vexp_f32 && fabs((double)x) > 104) {
            assert_true(y == (x > 0 ? INFINITY : 0));
            continue;
        }
        if (fabs((double)x) > 1e6 && f->inf == 1) {
            assert_true(y == (x > 0 ? f->inf : f->minus_inf));
            continue;
        }
        exact_at(want, f, (double)x);
        if (arf_cmpabs_d(arb_midref(want), 0x1.ffffffp127) >= 0) {
            assert_true(isinf(y));
            continue;
        }
        double u = ulps((double)y, want, 24, -149);
        if (!(isfinite(u) && u <= 1))
            fail_msg("%s(%a) = %a is off by %g ulps", f->name, (double)x, (double)y, u);
    }
    arb_clear(want);
}

/* Every 16381st float, from both zeros to both NaNs, beside the function of doubles. Where that is an ulp of f64 off, it is 2^-29 of
 * an ulp here; the bound has it. */
static void f32_across_all_floats(void **state) {
    (void)state;
    enum { STEP = 16381, M = 4096 };
    static float x[M], y[M];
    static double wide[M], want[M];
    EACH(f) for (uint64_t next = 0; next < (uint64_t)1 << 32;) {
        int n = 0;
        for (; n < M && next < (uint64_t)1 << 32; n++, next += STEP) {
            const uint32_t bits = (uint32_t)next;
            memcpy(x + n, &bits, sizeof bits);
            wide[n] = (double)x[n];
        }
        f->f32(y, x, n);
        f->f64(want, wide, n);
        for (int i = 0; i < n; i++) {
            const double ulp = ldexp(1, (int)fmax(-126, want[i] == 0 ? -126 : ilogb(want[i])) - 23);
            const bool same_nan = isnan(want[i]) && isnan(y[i]), over = fabs(want[i]) >= 0x1.ffffffp127;
            const bool near = fabs((double)y[i] - want[i]) <= (1 + 0x1p-29) * ulp;
            if (!(same_nan || (over && (double)y[i] == copysign(INFINITY, want[i])) || (!over && near)))
                fail_msg("%s(%a) = %a, wanted %a", f->name, (double)x[i], (double)y[i], want[i]);
        }
    }
}

/* ---- powers -------------------------------------------------------------------------------------------- */

/* Bases and exponents of every size: x near 1 with a large y, any x with a small y, powers that leave the range on either
 * side. Kinds 0 to 3 stay in it. */
static void power_point(double *x, double *y, ph_rng *g, int i) {
    double u = ph_rng_uniform(g), v = ph_rng_uniform(g) - 0.5;
    switch (i % 6) {
    case 0: *x = 10 * u, *y = 12 * v; break;
    case 1: *x = 1 + v * ldexp(1, -(int)ph_rng_below(g, 40)), *y = u / (*x - 1); break;
    case 2: *x = ldexp(1 + u, (int)ph_rng_below(g, 2000) - 1000), *y = v; break;
    case 3: *x = -10 * u, *y = nearbyint(40 * v); break;
    case 4: *x = ldexp(1 + u, (int)ph_rng_below(g, 2098) - 1074), *y = 3 * v; break;
    default: *x = 1 + u, *y = 2148 * v;
    }
}

/* |got - x^y| in ulps; -1 where it is beyond the type's largest number and `got` infinite. */
static double power_error(double got, double x, double y, int digits, int e_min, double most) {
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_set_d(a, fabs(x));
    arb_set_d(b, y);
    arb_pow(a, a, b, 300);
    if (x < 0 && fmod(y, 2) != 0) arb_neg(a, a);
    bool beyond = arf_cmpabs_d(arb_midref(a), most) > 0;
    double u = beyond && isinf(got) ? -1 : ulps(got, a, digits, e_min);
    arb_clear(a);
    arb_clear(b);
    return u;
}

/* Ulps of a power of floats: half of one from the last sum, and what is wrong before it. That is, of the power itself, at most 2^-29.2 by the
 * polynomial, 2^-29 by three roundings of what is under 2^-4.5, and 87 times the logarithm's 2^-33.4: 2^-26.4 in all, which is less than
 * 0.2 ulp where the digits are nearly 2. So a power that is a float is itself. */
#define POWER_F32 0.7

static void powers_are_within_an_ulp(void **state) {
    (void)state;
    static double x[POINTS], y[POINTS], z[POINTS], z0[POINTS];
    static float x32[POINTS], y32[POINTS], z32[POINTS], first32[POINTS];
    double worst = 0, worst32 = 0;
    ph_rng g;
    ph_rng_seed(&g, 15);
    for (int i = 0; i < POINTS; i++) {
        power_point(x + i, y + i, &g, i);
        x32[i] = (float)x[i], y32[i] = (float)y[i];
        if (x32[i] == 0 || isinf(x32[i])) x32[i] = 3;
    }
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        arr_vpow_f64(z, x, y, POINTS);
        arr_vpow_f32(z32, x32, y32, POINTS);
        if (level == PH_CPU_BASELINE) memcpy(z0, z, sizeof z), memcpy(first32, z32, sizeof z32);
        assert_memory_equal(z, z0, sizeof z);
        assert_memory_equal(z32, first32, sizeof z32);
    }
    for (int i = 0; i < POINTS; i++) {
        double one, u = power_error(z[i], x[i], y[i], 53, -1074, DBL_MAX);
        double u32 = power_error(z32[i], x32[i], y32[i], 24, -149, 0x1.fffffefffffffp127);
        arr_vpow_f64(&one, x + i, y + i, 1);
        assert_memory_equal(&one, z + i, sizeof one);
        if (!(isfinite(u) && u <= 1)) fail_msg("%a^%a = %a is off by %g ulps", x[i], y[i], z[i], u);
        if (!(isfinite(u32) && u32 <= POWER_F32))
            fail_msg("%a^%a = %a (f32) is off by %g ulps", (double)x32[i], (double)y32[i], (double)z32[i],
                     u32);
        worst = fmax(worst, u), worst32 = fmax(worst32, u32);
    }
    print_message("  pow f64: %.3f ulp, f32: %.4f ulp\n", worst, worst32);
}

/* Bases of every 7th exponent of f32 beside powers of every size, of both signs, and whole powers of negative bases, at every level, beside
 * the powers of doubles, which are within an ulp of f64, 2^-29 here. The bound is POWER_F32's. */
static void f32_powers_of_every_exponent(void **state) {
    (void)state;
    enum { M = 256 };
    static float x[M], y[M], z[M], first[M];
    static double wide[2][M], want[M];
    ph_rng g;
    ph_rng_seed(&g, 16);
    for (int e = -149; e < 128; e += 7)
        for (int size = -20; size <= 20; size += 2) {
            for (int i = 0; i < M; i++) {
                const double power = ldexp(1 + ph_rng_uniform(&g), size) * (i & 1 ? 1 : -1);
                const bool whole = i % 5 == 0;
                x[i] = (float)ldexp(i % 3 ? 1 + ph_rng_uniform(&g) : 1 + 0x1p-14 * (ph_rng_uniform(&g) - 0.5),
                                    i % 3 ? e : 0);
                if (whole) x[i] = -x[i];
                y[i] = (float)(whole ? nearbyint(power) : power);
                wide[0][i] = (double)x[i], wide[1][i] = (double)y[i];
            }
            arr_vpow_f64(want, wide[0], wide[1], M);
            EACH_LEVEL(level) {
                ph_set_cpu(level);
                arr_vpow_f32(z, x, y, M);
                if (level == PH_CPU_BASELINE) memcpy(first, z, sizeof z);
                assert_memory_equal(z, first, sizeof z);
            }
            for (int i = 0; i < M; i++) {
                float one;
                arr_vpow_f32(&one, x + i, y + i, 1);
                assert_memory_equal(&one, z + i, sizeof one);
                const double ulp = ldexp(1, (int)fmax(-126, want[i] == 0 ? -126 : ilogb(want[i])) - 23);
                const bool over = fabs(want[i]) >= 0x1.ffffffp127;
                const bool near = fabs((double)z[i] - want[i]) <= (POWER_F32 + 0x1p-29) * ulp;
                if (!((over && (double)z[i] == copysign(INFINITY, want[i])) || (!over && near)))
                    fail_msg("%a^%a = %a, wanted %a", (double)x[i], (double)y[i], (double)z[i], want[i]);
            }
        }
}

/* Under 3/4 of an ulp: a power that is a double can only be itself. */
static void whole_powers_are_exact(void **state) {
    (void)state;
    for (int base = -40; base <= 40; base++) {
        double want = 1, x = base;
        for (double n = 0; fabs(want) <= 0x1p53 && n < 400; want *= base, n++) {
            double z, back, inverse = 1 / n;
            arr_vpow_f64(&z, &x, &n, 1);
            if (z != want) fail_msg("%g^%g = %a, wanted %a", x, n, z, want);
            if (base > 0 && (n == 2 || n == 4)) {
                arr_vpow_f64(&back, &want, &inverse, 1);
                if (back != base) fail_msg("%g^(1/%g) = %a", want, n, back);
            }
        }
    }
}

/* Annex F of C99, at every level: what the C library gives, or NaN where it does. */
static void powers_at_the_edges(void **state) {
    (void)state;
    const double v[] = {0,   -0.0, 1,    -1,   0.5,  -0.5,  2,      -2,       3,         -3,  2.5,
                        1e9, -1e9, 1e18, 1e19, -7e8, 1e300, -1e300, INFINITY, -INFINITY, NAN, DBL_TRUE_MIN};
    enum { V = sizeof v / sizeof *v };
    double x[V * V], y[V * V], z[V * V];
    float x32[V * V], y32[V * V], z32[V * V];
    for (int i = 0; i < V * V; i++) x32[i] = (float)(x[i] = v[i / V]), y32[i] = (float)(y[i] = v[i % V]);
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        arr_vpow_f64(z, x, y, V * V);
        arr_vpow_f32(z32, x32, y32, V * V);
        for (int i = 0; i < V * V; i++) {
            double want = pow(x[i], y[i]);
            float want32 = (float)pow((double)x32[i], (double)y32[i]);
            bool edge = want == 0 || isinf(want) || isnan(want);
            if (edge && !same(z[i], want)) fail_msg("%g^%g = %g, wanted %g", x[i], y[i], z[i], want);
            if (!edge && fabs(z[i] / want - 1) > 0x1p-50) fail_msg("%g^%g = %g", x[i], y[i], z[i]);
            edge = want32 == 0 || isinf(want32) || isnan(want32);
            if (edge && !same((double)z32[i], (double)want32))
                fail_msg("%g^%g = %g, wanted %g (f32)", x[i], y[i], (double)z32[i], (double)want32);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f64_is_within_an_ulp),
        cmocka_unit_test(f32_is_within_an_ulp),
        cmocka_unit_test(logarithms_are_within_an_ulp_beside_one),
        cmocka_unit_test(erf_is_within_an_ulp_beside_its_ends),
        cmocka_unit_test(f32_of_every_exponent),
        cmocka_unit_test(f32_across_all_floats),
        cmocka_unit_test(powers_are_within_an_ulp),
        cmocka_unit_test(f32_powers_of_every_exponent),
        cmocka_unit_test(whole_powers_are_exact),
        cmocka_unit_test(powers_at_the_edges),
        cmocka_unit_test(special_values),
        cmocka_unit_test(every_level_place_and_length_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
