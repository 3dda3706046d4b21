/* Sinusoidal vectors: every entry against the formula in balls, against values computed elsewhere, the same everywhere.
 * Sources: encoding/phases.c encoding/phases_kernels.inc encoding/sinusoidal.c encoding/sinusoidal_t2t.c encoding/waves.c */
#include "against.h"

#include <stdio.h>

static enc_call sinusoid(const char *name, int64_t count, int64_t d, double base, double offset) {
    enc_call c = call_of(name);
    set_int(&c, "T", count);
    set_int(&c, "d", d);
    set_num(&c, "base", base);
    set_num(&c, "offset", offset);
    return c;
}

typedef struct {
    double ulps;   /* the largest error in ulps */
    double excess; /* what the largest error has beyond half an ulp, absolute */
} worst;

/* Over every `skip`-th row. */
static worst worst_error(enc_call *c, const char *name, int64_t skip) {
    ph_err err;
    arr a = run_call(c);
    worst w = {0, -1};
    double offset = c->v[3].num;
    for (int64_t j = 0; j < a.shape[1]; j++) {
        expr_node *f;
        assert_int_equal(enc_formula(&f, enc_find(name), c, j, &err), PH_OK);
        for (int64_t r = 0; r < a.shape[0]; r += skip) {
            double got = entry(&a, r, j), t = offset + (double)r;
            int e;
            if (expr_is_rat(f, 0, 1) || (t == 0 && got == 0)) {
                assert_true(got == 0);
                continue;
            }
            double u = ulps_off(got, f, (at_point){.t = t});
            (void)frexp(got, &e);
            double excess = ldexp(u - 0.5, e - 53);
            if (!(u <= w.ulps)) w.ulps = u;
            if (!(excess <= w.excess)) w.excess = excess;
        }
        expr_drop(f);
    }
    arr_drop(&a);
    return w;
}

/* Beyond the half ulp of one rounding: theta has a relative error of 2^-97, so the angle is off by |t theta| 2^-97; some 100
 * turns add 2^-104 each. theta <= 2 in all cases. */
static bool within(worst w, int64_t count, double offset) {
    double most = (fabs(offset) + (double)count) * 0x1p-96 + 0x1p-97;
    return isfinite(w.ulps) && w.ulps <= 1 && isfinite(w.excess) && w.excess <= most;
}

static void entries_are_rounded_right(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t count, d;
        double base, offset;
        int64_t skip;
    } cases[] = {
        {"sinusoidal", 700, 16, 10000, 0, 1},       {"sinusoidal", 8192, 64, 10000, 0, 67},
        {"sinusoidal", 600, 12, 10000, -300, 1},    {"sinusoidal", 300, 6, 500000, 1048276, 1},
        {"sinusoidal", 300, 6, 10000, -1048576, 1}, {"sinusoidal", 40, 4, 10000, 0.375, 1},
        {"sinusoidal", 200, 8, 0.5, 0, 1},          {"sinusoidal", 1, 300, 10000, 4097, 1},
        {"sinusoidal", 20000, 2, 10000, 0, 17},     {"sinusoidal_t2t", 400, 12, 10000, 0, 1},
        {"sinusoidal_t2t", 300, 7, 10000, -20, 1},  {"sinusoidal_t2t", 20, 3, 10000, 0, 1},
        {"sinusoidal_t2t", 20, 1, 10000, 0, 1},     {"sinusoidal_t2t", 300, 4, 10000, 1048276, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        enc_call c = sinusoid(cases[k].name, cases[k].count, cases[k].d, cases[k].base, cases[k].offset);
        worst w = worst_error(&c, cases[k].name, cases[k].skip);
        print_message("%s %lldx%lld, base %g, offset %g: %.9f ulp\n", cases[k].name,
                      (long long)cases[k].count, (long long)cases[k].d, cases[k].base, cases[k].offset,
                      w.ulps);
        assert_true(within(w, cases[k].count, cases[k].offset));
        if (k > 2) continue;
        set_word(&c, "layout", "half");
        assert_true(within(worst_error(&c, "sinusoidal", 13), cases[k].count, cases[k].offset));
    }
}

/* Floats: 2^-51 at most besides the half ulp, for entries of 2^-20 and more 2^-7 ulps; smaller ones have their angle computed afresh,
 * or none that cancels. Half of an ulp and 2^-7, taken as 0.51. Among the cases: frequencies down to 2^-60; a sine of 2^-24.6 and
 * a cosine of 2^-21.9, a position of 2^-26 reached from -20: it would be off by 0.59, were it not computed afresh. */
static void floats_are_within_half_an_ulp(void **state) {
    (void)state;
    static const struct {
        int64_t count, d;
        double base, offset;
        int64_t skip;
    } cases[] = {
        {700, 16, 10000, 0, 1},     {8192, 64, 10000, 0, 67},        {600, 132, 10000, -300, 7},
        {300, 400, 1e18, 0, 13},    {300, 400, 1e18, -150, 13},      {40, 2, 10000, 5419351 - 21, 1},
        {40, 2, 10000, 4846147, 1}, {40, 24, 1e9, -20 - 0x1p-26, 1}, {300, 6, 500000, 1048276, 1},
        {200, 8, 0.5, 0, 1},        {1, 300, 10000, 4097, 1},        {70000, 16, 1e6, -7, 997},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int half = 0; half < 2; half++) {
            enc_call c = sinusoid("sinusoidal", cases[k].count, cases[k].d, cases[k].base, cases[k].offset);
            set_word(&c, "dtype", "f32");
            if (half) set_word(&c, "layout", "half");
            arr a = run_call(&c);
            double most = 0;
            for (int64_t j = 0; j < a.shape[1]; j++) {
                expr_node *f;
                ph_err err;
                assert_int_equal(enc_formula(&f, enc_find("sinusoidal"), &c, j, &err), PH_OK);
                for (int64_t r = 0; r < a.shape[0]; r += cases[k].skip) {
                    double got = entry(&a, r, j), t = cases[k].offset + (double)r;
                    int e;
                    double off = off_by(got, f, (at_point){.t = t}, &e);
                    double u = ldexp(off, 24 - e);
                    if (!(isfinite(u) && u <= 0.51))
                        fail_msg("case %zu, row %g, column %lld: %a is off by %g ulps", k, t, (long long)j,
                                 got, u);
                    if (u > most) most = u;
                }
                expr_drop(f);
            }
            print_message("f32 %lldx%lld, base %g, offset %g: %.4f ulp\n", (long long)cases[k].count,
                          (long long)cases[k].d, cases[k].base, cases[k].offset, most);
            arr_drop(&a);
        }
}

/* Where a frequency leaves the range of floats: a run beside a list, whose entries are computed one by one and rounded once, so each is
 * that float or its neighbour. */
static void the_smallest_floats(void **state) {
    (void)state;
    ph_err err;
    arr list;
    enc_call run = sinusoid("sinusoidal", 300, 140, 1e60, -20), listed = run;
    assert_int_equal(arr_arange(&list, ARR_F64, 279, -20, -1, &err), PH_OK);
    set_num(&listed, "offset", 0);
    set_array(&listed, "T", &list);
    set_word(&run, "dtype", "f32"), set_word(&listed, "dtype", "f32");
    arr a = run_call(&run), b = run_call(&listed);
    int zero = 0, subnormal = 0;
    for (int64_t r = 0; r < 300; r++)
        for (int64_t j = 0; j < 140; j++) {
            float x = (float)entry(&a, r, j), y = (float)entry(&b, 299 - r, j);
            assert_true(x == y || nextafterf(x, y) == y);
            zero += x == 0, subnormal += x != 0 && fabsf(x) < 0x1p-126f;
        }
    assert_true(zero > 300 && subnormal > 300);
    arr_drop(&a), arr_drop(&b), arr_drop(&list);
}

/* sin and cos of t base^(-2i/d): mpmath 1.2.1 at 400 bits, rounded to the nearest double. */
static void values_computed_elsewhere(void **state) {
    (void)state;
    static const struct {
        int64_t t, i, d;
        double base, sine, cosine;
    } known[] = {
        {1, 1, 4, 10000.0, 0x1.47acae915e807p-7, 0x1.fff9724ad97aap-1},
        {8191, 37, 512, 10000.0, 0x1.693ddcbd2b039p-1, -0x1.6ad57d557a8dep-1},
        {1048575, 3, 512, 10000.0, 0x1.cf387f8b7782ap-1, -0x1.b436b19f42650p-2},
        {-1000003, 1, 128, 500000.0, 0x1.fff9c2fab06c2p-1, -0x1.3fb2b8c1bb745p-7},
        {355, 0, 2, 10000.0, -0x1.f9bd0307d1de3p-16, -0x1.fffffffc18e4cp-1},
        {103993, 0, 64, 10000.0, -0x1.40efdf1eb8de7p-16, 0x1.fffffffe6da77p-1},
        {5, 31, 64, 0.5, -0x1.69a1ceba0b0bbp-2, -0x1.df0249cb67058p-1},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        enc_call c = sinusoid("sinusoidal", 20, known[k].d, known[k].base, (double)known[k].t - 17);
        arr a = run_call(&c);
        assert_true(entry(&a, 17, 2 * known[k].i) == known[k].sine);
        assert_true(entry(&a, 17, 2 * known[k].i + 1) == known[k].cosine);
        arr_drop(&a);
    }
}

/* An f32 entry can differ from the f64 one rounded where that lies within 2^-27 of the middle between two floats; none does here. */
static void layouts_and_types_agree(void **state) {
    (void)state;
    enc_call c = sinusoid("sinusoidal", 300, 10, 10000, -7);
    arr pairs = run_call(&c);
    set_word(&c, "dtype", "f32");
    arr single = run_call(&c);
    set_word(&c, "layout", "half");
    arr single_halves = run_call(&c);
    set_word(&c, "dtype", "f64");
    arr halves = run_call(&c);
    assert_int_equal(single.dtype, ARR_F32);
    for (int64_t r = 0; r < 300; r++)
        for (int64_t i = 0; i < 5; i++)
            for (int part = 0; part < 2; part++) {
                double x = entry(&pairs, r, 2 * i + part);
                assert_true(entry(&halves, r, i + 5 * part) == x);
                assert_true(entry(&single, r, 2 * i + part) == (float)x);
                assert_true(entry(&single_halves, r, i + 5 * part) == (float)x);
            }
    arr_drop(&pairs);
    arr_drop(&single);
    arr_drop(&halves);
    arr_drop(&single_halves);
}

/* A list of positions is served one by one; consecutive ones in a list go the fast way. They may differ by the last bit of
 * an entry that lies within 2^-40 ulp of the middle between two doubles; none does here. */
static void lists_of_positions(void **state) {
    (void)state;
    ph_err err;
    arr list, reversed;
    enc_call run = sinusoid("sinusoidal", 70, 8, 10000, 1000), listed = run;
    assert_int_equal(arr_arange(&list, ARR_F32, 1000, 1069, 1, &err), PH_OK);
    assert_int_equal(arr_arange(&reversed, ARR_F64, 69, 0, -1, &err), PH_OK);
    arr want = run_call(&run);
    set_num(&listed, "offset", 0);
    set_array(&listed, "T", &list);
    arr a = run_call(&listed);
    assert_true(same_bits(&a, &want));
    set_num(&listed, "offset", 1000);
    set_array(&listed, "T", &reversed);
    arr b = run_call(&listed);
    for (int64_t r = 0; r < 70; r++)
        for (int64_t j = 0; j < 8; j++) assert_true(entry(&b, 69 - r, j) == entry(&want, r, j));
    leaks_nothing(&listed);
    arr_drop(&a);
    arr_drop(&b);
    arr_drop(&want);
    arr_drop(&list);
    arr_drop(&reversed);
}

/* A list that is a run but for one position, the first, the last or any other, and positions beyond 2^52, where t + 1 rounds to what
 * stands there: each entry is that of the position alone. */
static void lists_that_are_nearly_runs(void **state) {
    (void)state;
    ph_err err;
    arr one, list;
    enc_call alone = sinusoid("sinusoidal", 1, 6, 10000, 0), listed = alone;
    enum { N = 5 };
    static const double apart[] = {0x1p52 - 2, 0x1p53, -0x1p53, 0x1p60};
    assert_int_equal(arr_new(&list, ARR_F64, 1, (int64_t[]){N}, &err), PH_OK);
    assert_int_equal(arr_new(&one, ARR_F64, 1, (int64_t[]){1}, &err), PH_OK);
    set_array(&listed, "T", &list);
    set_array(&alone, "T", &one);
    double *t = (double *)list.data;
    for (size_t k = 0; k < N + sizeof apart / sizeof *apart; k++) {
        for (int r = 0; r < N; r++) t[r] = (k < N ? 20 : apart[k - N]) + r;
        if (k < N) t[k] = 7.25;
        arr all = run_call(&listed);
        for (int r = 0; r < N; r++) {
            *(double *)one.data = t[r];
            arr a = run_call(&alone);
            for (int64_t j = 0; j < 6; j++)
                if (entry(&all, r, j) != entry(&a, 0, j))
                    fail_msg("list %zu, position %.17g, column %lld", k, t[r], (long long)j);
            arr_drop(&a);
        }
        arr_drop(&all);
    }
    arr_drop(&list);
    arr_drop(&one);
}

static void the_same_everywhere(void **state) {
    (void)state;
    for (int64_t d = 2; d <= 140; d += 46) {
        enc_call c = sinusoid("sinusoidal", 1111, d, 10000, -40);
        same_everywhere(&c);
        set_word(&c, "dtype", "f32");
        same_everywhere(&c);
        set_word(&c, "layout", "half");
        same_everywhere(&c);
    }
    enc_call c = sinusoid("sinusoidal_t2t", 600, 77, 10000, 0);
    same_everywhere(&c);
    set_word(&c, "dtype", "f32");
    set_int(&c, "T", 15000); /* rows of 308 bytes, past the caches */
    same_everywhere(&c);
}

static void empty_and_refused(void **state) {
    (void)state;
    ph_err err;
    arr out;
    enc_call c = sinusoid("sinusoidal", 0, 4, 10000, 0);
    arr a = run_call(&c);
    assert_int_equal(arr_size(&a), 0);
    arr_drop(&a);
    c = sinusoid("sinusoidal", 3, 0, 10000, 0);
    a = run_call(&c);
    assert_int_equal(arr_size(&a), 0);
    arr_drop(&a);
    c = sinusoid("sinusoidal", (int64_t)1 << 40, (int64_t)1 << 40, 10000, 0);
    assert_int_equal(enc_run(&out, &c, &err), PH_EARG);
    c = sinusoid("sinusoidal", 600, 30, 10000, 0);
    leaks_nothing(&c);
    c = sinusoid("sinusoidal_t2t", 600, 31, 10000, 0);
    leaks_nothing(&c);
    ph_interrupt_flag = 1;
    assert_int_equal(enc_run(&out, &c, &err), PH_EINTR);
    ph_interrupt_flag = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_rounded_right),  cmocka_unit_test(floats_are_within_half_an_ulp),
        cmocka_unit_test(the_smallest_floats),        cmocka_unit_test(values_computed_elsewhere),
        cmocka_unit_test(layouts_and_types_agree),    cmocka_unit_test(lists_of_positions),
        cmocka_unit_test(lists_that_are_nearly_runs), cmocka_unit_test(the_same_everywhere),
        cmocka_unit_test(empty_and_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
