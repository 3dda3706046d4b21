/* Analysis against sums written out: cosines of double-double phases, diagonals one by one, every pair of rows.
 * Sources: attention/analysis.c lib/analysis.lua lua/analysis.c */
#include "lua/lab.h"

#include <math.h>

#include "array/interrupts.h"
#include "attention/analysis.h"
#include "base/dd.h"
#include "base/parallel.h"

static arr_dd frequencies(int64_t d, double base) {
    arr_dd t;
    ph_err err;
    int64_t pairs = d / 2;
    assert_int_equal(arr_new(&t.hi, ARR_F64, 1, &pairs, &err), PH_OK);
    assert_int_equal(arr_new(&t.lo, ARR_F64, 1, &pairs, &err), PH_OK);
    for (int64_t i = 0; i < pairs; i++) {
        ph_dd e = ph_dd_div(ph_dd_of(-2.0 * (double)i), ph_dd_of((double)d)),
              x = ph_dd_pow(ph_dd_of(base), e);
        ((double *)t.hi.data)[i] = x.hi;
        ((double *)t.lo.data)[i] = x.lo;
    }
    return t;
}

/* Sum of w_i cos(k theta_i) in double-doubles. */
static double slow(const arr_dd *t, const double *w, double k) {
    ph_dd sum = ph_dd_of(0);
    for (int64_t i = 0; i < t->hi.shape[0]; i++) {
        ph_dd s, c, x = {((double *)t->hi.data)[i], ((double *)t->lo.data)[i]};
        ph_dd_sincos(&s, &c, ph_dd_mul_d(x, k));
        sum = ph_dd_add(sum, ph_dd_mul_d(c, w ? w[i] : 1));
    }
    return ph_dd_value(sum);
}

/* The bound of analysis.h; one rounding more for the oracle's last step. */
static double bound(int64_t pairs, double weight) { return (9 + 2.0 * (double)pairs) * 0x1p-53 * weight; }

static void a_curve_is_its_sum_of_cosines(void **state) {
    (void)state;
    static const struct {
        int64_t d, n;
        double first;
    } runs[] = {{128, 65536, 0},   {2, 1, 0},    {8, 1000, -500},
                {64, 257, 100000}, {512, 70, 3}, {128, 4097, 0.5}};
    ph_err err;
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        arr_dd t = frequencies(runs[r].d, 10000);
        arr s, w;
        int64_t pairs = runs[r].d / 2, step = runs[r].n / 97 + 1;
        double weight = 0, worst = 0;
        assert_int_equal(arr_new(&w, ARR_F64, 1, &pairs, &err), PH_OK);
        for (int64_t i = 0; i < pairs; i++) weight += fabs(((double *)w.data)[i] = (double)(i % 5) - 1.25);
        for (int weighted = 0; weighted < 2; weighted++) {
            const double *of = weighted ? (double *)w.data : NULL;
            double most = bound(pairs, weighted ? weight : (double)pairs);
            assert_int_equal(
                att_decay_curve(&s, &t, weighted ? &w : NULL, runs[r].first, runs[r].n, NULL, &err), PH_OK);
            assert_int_equal(s.shape[0], runs[r].n);
            for (int64_t k = 0; k < runs[r].n; k += step) {
                double off = fabs(((double *)s.data)[k] - slow(&t, of, runs[r].first + (double)k));
                if (!(isfinite(off) && off <= most)) fail_msg("k = %lld: off by %g", (long long)k, off);
                worst = fmax(worst, off);
            }
            arr_drop(&s);
        }
        if (runs[r].d == 128) assert_true(worst <= 1e-13 * 128);
        arr_drop(&w);
        arr_dd_drop(&t);
    }
}

static void a_list_of_distances_need_not_be_a_run(void **state) {
    (void)state;
    static double at[] = {0, -3, 0.25, 65535, 65535, 1e6};
    int64_t n = 6;
    ph_err err;
    arr list, s;
    arr_dd t = frequencies(32, 10000);
    assert_int_equal(arr_new(&list, ARR_F64, 1, &n, &err), PH_OK);
    memcpy(list.data, at, sizeof at);
    assert_int_equal(att_decay_curve(&s, &t, NULL, 0, 0, &list, &err), PH_OK);
    for (int64_t k = 0; k < n; k++) {
        double off = fabs(((double *)s.data)[k] - slow(&t, NULL, at[k]));
        assert_true(isfinite(off) && off <= bound(16, 16));
    }
    arr_drop(&s);
    arr_drop(&list);
    arr_dd_drop(&t);
}

static void threads_and_levels_change_no_bit(void **state) {
    (void)state;
    ph_err err;
    arr_dd t = frequencies(128, 10000);
    arr want, got;
    ph_cpu_level top = ph_cpu();
    assert_int_equal(att_decay_curve(&want, &t, NULL, 0, 5000, NULL, &err), PH_OK);
    for (int threads = 1; threads <= 3; threads += 2)
        for (ph_cpu_level l = PH_CPU_BASELINE; l <= top; l++) {
            ph_set_threads(threads);
            assert_int_equal(ph_set_cpu(l), l);
            assert_int_equal(att_decay_curve(&got, &t, NULL, 0, 5000, NULL, &err), PH_OK);
            assert_memory_equal(want.data, got.data, 5000 * sizeof(double));
            arr_drop(&got);
        }
    ph_set_threads(0);
    ph_set_cpu(PH_CPU_AVX512);
    arr_drop(&want);
    arr_dd_drop(&t);
}

/* Its blocks would have 2^26 angles each: 5 s of work before the result is found not to fit. */
static void what_no_memory_holds_is_refused_before_the_work(void **state) {
    (void)state;
    ph_err err;
    arr a;
    arr_dd t = frequencies(8, 10000);
    double began = ph_clock();
    ph_status wanted =
        SIZE_MAX == UINT32_MAX ? PH_EARG : PH_ENOMEM; /* an array of 32 bits has no such shape */
    assert_int_equal(att_decay_curve(&a, &t, NULL, 0, (int64_t)1 << 52, NULL, &err), wanted);
    assert_true(ph_clock() - began < 1);
    arr_dd_drop(&t);
}

static void memory_that_runs_out_leaves_nothing(void **state) {
    (void)state;
    ph_err err;
    arr_dd t = frequencies(8, 10000);
    arr x, a, b, c;
    double margin;
    int64_t i, j;
    assert_int_equal(arr_zeros(&x, ARR_F32, 2, (int64_t[]){5, 3}, &err), PH_OK);
    for (int which = 0; which < 3; which++) {
        size_t live = ph_block_live();
        for (size_t n = 1;; n++) {
            assert_true(n < 200);
            ph_status st;
            a = b = c = ARR_NONE;
            ph_alloc_fail_from(n);
            if (which == 0) st = att_decay_curve(&a, &t, NULL, 0, 100, NULL, &err);
            else if (which == 1) st = att_toeplitz(&a, &b, &c, &x, true, "t", &err);
            else st = att_margin(&margin, &i, &j, &x, &err);
            ph_alloc_fail_from(0);
            arr_drop(&a);
            arr_drop(&b);
            arr_drop(&c);
            assert_true(ph_block_live() == live);
            if (st == PH_OK) break;
            assert_int_equal(st, PH_ENOMEM);
        }
    }
    arr_drop(&x);
    arr_dd_drop(&t);
}

/* One call of each, its results given back. */
typedef struct {
    int which;
    const arr_dd *theta;
    const arr *x, *list;
} one_call;
static ph_status call_one(void *ctx, ph_err *err) {
    const one_call *w = ctx;
    arr out[3] = {ARR_NONE, ARR_NONE, ARR_NONE};
    double margin;
    int64_t i, j;
    ph_status st = w->which == 0   ? att_decay_curve(out, w->theta, NULL, 0, 0, w->list, err)
                   : w->which == 1 ? att_decay_curve(out, w->theta, NULL, 0, 5000, NULL, err)
                   : w->which == 2 ? att_toeplitz(&out[0], &out[1], &out[2], w->x, true, "t", err)
                                   : att_margin(&margin, &i, &j, w->list, err);
    for (int k = 0; k < 3; k++) {
        if (st != PH_OK) assert_null(out[k].buf);
        arr_drop(&out[k]);
    }
    return st;
}

/* Each piece of work has its look: 8 distances of a list and 256 of it, each matrix, 32 rows. */
static void interrupts_are_seen(void **state) {
    (void)state;
    ph_err err;
    arr_dd t = frequencies(8, 10000);
    arr x, list, rows;
    int64_t n = 1000;
    assert_int_equal(arr_zeros(&x, ARR_F64, 3, (int64_t[]){20, 5, 3}, &err), PH_OK);
    assert_int_equal(arr_zeros(&list, ARR_F64, 1, &n, &err), PH_OK);
    assert_int_equal(arr_zeros(&rows, ARR_F64, 2, (int64_t[]){n, 3}, &err), PH_OK);
    static const size_t least[] = {1000 / 8 + 4, 2, 20, 1000 / 32};
    for (int which = 0; which < 4; which++) {
        one_call w = {which, &t, &x, which == 3 ? &rows : &list};
        assert_true(survives_interrupts_of(call_one, &w) >= least[which]);
    }
    arr_drop(&x);
    arr_drop(&list);
    arr_drop(&rows);
    arr_dd_drop(&t);
}

static void answers(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* the longest contexts that the NTK formula leaves, floor(2048 k^(82/126)): mpmath, 50 digits */
        {"function usable(k) return (longest_context(128, {train=2048, scaling={kind='ntk', factor=k}})) end",
         ""},
        {"usable(2), usable(4), usable(8), usable(16), usable(32)", "3215\t5048\t7926\t12444\t19537"},
        {"n, pairs, i = longest_context(128, {train=2048})", ""},
        {"n, i, min(pairs), max(pairs)", "2048\t41\t2048.0\t2048.0"},
        {"n, pairs, i = longest_context(4, {train=1000000})", ""},
        {"n, i", "inf\tnil"},
        {"n, pairs, i = longest_context(8, {train=100, p=0.5})", ""},
        {"n, i, pairs:totable()", "inf\tnil\t{100.0, 100.0, inf, inf}"},
        /* exact quotients: no floor falls one short */
        {"n = longest_context(64, {train=4096, scaling={kind='pi', factor=3}})", ""},
        {"n", "12288"},
        {"wavelengths(128, {base=10000})(64) / (2*pi*10000^(126/128)) - 1 < 1e-15", "true"},
        /* A = Toeplitz + rest; the rest has diagonal means 0: |rest| = 2, |A|^2 = 4 + 34 */
        {"A = array{{1, 2}, {5, 1}} + array{{math.sqrt(2), 0}, {0, -math.sqrt(2)}}", ""},
        {"far, spread = relativity_deviation(A)", ""},
        {"math.abs(far - 2/math.sqrt(1+1+4+25+4)) < 1e-15, math.abs(spread - 2*math.sqrt(2)) < 1e-15",
         "true\ttrue"},
        {"relativity_deviation(alibi(4, 9)):totable()", "{0.0, 0.0, 0.0, 0.0}"},
        {"relativity_deviation(zeros(3, 3))", "0.0\t0.0"},
        {"many = randn(rng(4), 3, 4, 5); parts, fars, wide = toeplitz_part(many), relativity_deviation(many)",
         ""},
        {"for k = 1, 3 do local f, w = relativity_deviation(many[k])\n"
         "  assert(parts[k] == toeplitz_part(many[k]) and fars[k] == f and wide[k] == w, k) end",
         ""},
        {"math.abs(relativity_deviation(1e300*A) - far) < 1e-15, relativity_deviation(zeros(2, 0, "
         "3)):totable()",
         "true\t{0.0, 0.0}"},
        /* above the last query's diagonal nothing counts: keys may be garbage there */
        {"relativity_deviation({{1, 7, nan}, {2, 1, inf}}, {causal=true})",
         "error: t:1: relativity_deviation: A has an entry that is not finite; wanted finite scores"},
        {"relativity_deviation({{3, 1, nan}, {5, 3, 1}}, {causal=true})", "0.0\t0.0"},
        {"toeplitz_part({{3, 1, nan}, {5, 3, 1}}, {causal=true}):totable()",
         "{{3.0, 1.0, 0.0}, {5.0, 3.0, 1.0}}"},
        {"t = toeplitz_test({{0, 1}, {0, 0.5}, {3, 0}})", ""},
        {"t.strength, t.witness, t.value", "refuted\tA(1, 1) = 0, A(2, 2) = 0.5\t0.5"},
        {"toeplitz_test(alibi(1, 9)[1])", "measured: max deviation 0 ≤ 0 (1 sample)"},
        {"toeplitz_test(zeros(0, 3))", "unknown: needs data: not one sample was measured"},
        {"gram(alibi(2, 3)).shape", "{2, 3, 3}"},
        {"injectivity_margin(sinusoidal(600, 128))^2 - 3.8126 < 1e-4", "true"},
        {"injectivity_margin({{1, 2}, {0, 0}, {1, 2}})", "0.0\t1\t3"},
        {"injectivity_margin({{0, 5, 7}, {3, 5, 7}, {10, 5, 7}, {11, 5, 7}})",
         "1.0\t3\t4"}, /* apart in the first */
        {"injectivity_margin({{7, 1, 5, 0}, {7, 1, 5, 3}, {7, 1, 5, 10}, {7, 1, 5, 11}})", "1.0\t3\t4"},
        /* shares 3/4, 1/4: e^H = 4 / 3^(3/4) */
        {"r, p = effective_rank({{3, 0}, {0, 1}})", ""},
        {"math.abs(r - 4/3^0.75) < 1e-14, p:totable()", "true\t{0.75, 0.25}"},
        {"effective_rank({{1, 2}, {2, 4}}) - 1 < 1e-13", "true"},
        {"decay_curve(dd(rope_frequencies(8)), 0).shape", "{0}"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Squares and sums beyond the range of doubles, of answers within it. */
static void at_the_ends_of_the_range(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"injectivity_margin({{1e-200, 3}, {2e-200, 3}, {1, 3}})", "1e-200\t1\t2"},
        {"injectivity_margin({{0, 0}, {3e-320, 4e-320}})", "5e-320\t1\t2"},
        {"injectivity_margin({{3e200}, {1e200}, {-1e200}})", "2e+200\t1\t2"},
        {"injectivity_margin({{1e308}, {-1e308}})", "inf\t1\t2"},
        {"r, p = effective_rank(array{{1e308, 0}, {0, 1e308}}) return r, p(1)", "2.0\t0.5"},
        /* singular values s and s/3: shares 3/4 and 1/4 */
        {"want = math.exp(-0.75*math.log(0.75) - 0.25*math.log(0.25))", ""},
        {"return math.abs(effective_rank{{3*2^1021, 0}, {0, 2^1021}} - want) < 1e-15, "
         "math.abs(effective_rank{{2^-1073, 2^-1074}, {2^-1074, 2^-1073}} - want) < 1e-15",
         "true\ttrue"},
        {"return math.abs(effective_rank{{2^1023, 2^1023}, {2^1023, 2^1023}} - 1) < 1e-14", "true"},
        {"relativity_deviation({{1.5*2^1023, 0}, {0, -1.5*2^1023}})", "1.0\tinf"},
        {"big = toeplitz_part({{-1.5*2^1023, 1, 2}, {0, 1.5*2^1023, 4}, {0, 6, 1.5*2^1023}})", ""},
        {"big(1, 1) == 2^1022, big(2, 1), big(1, 2), big(1, 3)", "true\t3.0\t2.5\t2.0"},
        {"b, s = relativity_deviation({{2^1023, 0}, {0, 0}}) return b == 0.5^0.5, s == 2^1023", "true\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void wrong_arguments(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"decay_curve()",
         "error: t:1: decay_curve: 0 arguments given; wanted 2 to 3, as in decay_curve(theta, k [, {weights=, first=0}])"},
        {"decay_curve(3, 4)",
         "error: t:1: decay_curve: theta is 3; wanted frequencies: dd(rope_frequencies(d)), an "
         "array or a list of numbers"},
        {"decay_curve({{1}}, 4)",
         "error: t:1: decay_curve: theta has shape (1, 1); wanted one dimension (d/2), the "
         "frequencies"},
        {"decay_curve({1, nan}, 4)", "error: t:1: decay_curve: theta has an entry nan; wanted finite ones"},
        {"decay_curve({1}, -4)", "error: t:1: decay_curve: k is -4; wanted an integer of at least 0"},
        {"decay_curve({1}, {1, inf})", "error: t:1: decay_curve: k has an entry inf; wanted finite ones"},
        {"decay_curve({1}, 'x')",
         "error: t:1: decay_curve: k is the string \"x\"; wanted an integer of at least 0"},
        {"decay_curve({1}, 4, {weights={1, 2}})",
         "error: t:1: decay_curve: 2 weights for 1 frequencies; wanted one for each"},
        {"decay_curve({1}, 4, {weigths={1}})",
         "error: t:1: decay_curve: unknown option 'weigths'; did you mean 'weights'?"},
        {"decay_curve({1}, {4}, {first=1})",
         "error: t:1: decay_curve: first beside a list of distances; it goes with a count"},
        {"relativity_deviation({1, 2})",
         "error: t:1: relativity_deviation: A has shape (2); wanted a matrix of scores, (..., T, S)"},
        {"relativity_deviation(I*eye(2))", "error: t:1: relativity_deviation: A is c128; wanted f64 or f32"},
        {"toeplitz_part(eye(2), {causal=1})", "error: t:1: toeplitz_part: causal is 1; wanted true or false"},
        {"toeplitz_test(3)", "error: t:1: toeplitz_test: A is 3; wanted a matrix"},
        {"toeplitz_test(eye(2), {bound=-1})",
         "error: t:1: toeplitz_test: bound is -1; wanted a finite number from 0"},
        {"toeplitz_test(eye(2), {bund=1})",
         "error: t:1: toeplitz_test: unknown option 'bund'; did you mean 'bound'?"},
        {"injectivity_margin({{1}})",
         "error: t:1: injectivity_margin: P has 1 rows; wanted at least 2 to compare"},
        {"injectivity_margin({{1}, {nan}})",
         "error: t:1: injectivity_margin: P has an entry nan; wanted finite ones"},
        {"gram({1, 2})", "error: t:1: gram: X has 1 dimensions; wanted a matrix"},
        {"effective_rank(zeros(2, 2))",
         "error: t:1: effective_rank: A is 0 throughout; it has no shares to speak of"},
        {"wavelengths(7)",
         "error: t:1: rope_frequencies: 7 columns to rotate; wanted an even number (pairs)"},
        {"wavelengths(8, 10000)",
         "error: t:1: wavelengths: the last argument is 10000; wanted options such as {base=...}"},
        {"longest_context(8)",
         "error: t:1: longest_context: no train given; wanted the length that the model was "
         "trained on, {train=2048}"},
        {"longest_context(8, {train=0.5})",
         "error: t:1: longest_context: train is 0.5; wanted a whole number of at least 1"},
        {"longest_context(8, {train=nan})",
         "error: t:1: longest_context: train is nan; wanted a whole number of at least 1"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_curve_is_its_sum_of_cosines),
                                       cmocka_unit_test(a_list_of_distances_need_not_be_a_run),
                                       cmocka_unit_test(threads_and_levels_change_no_bit),
                                       cmocka_unit_test(what_no_memory_holds_is_refused_before_the_work),
                                       cmocka_unit_test(memory_that_runs_out_leaves_nothing),
                                       cmocka_unit_test(interrupts_are_seen),
                                       cmocka_unit_test(answers),
                                       cmocka_unit_test(at_the_ends_of_the_range),
                                       cmocka_unit_test(wrong_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
