/* Reductions against plain loops over index tuples, in long double.
 * Sources: array/folds.c array/reduce.c */
#include "array/lines.h"

#include <float.h>

#include "base/parallel.h"

extern const op arr_reduce_ops[];
extern const int arr_reduce_nops;

/* ---- oracles: one line of n values, and what error its kernel may make --------------------------------- */

static truth t_mean(const wide *x, int64_t n) {
    truth t = t_sum(x, n);
    t.value = CMPLXL(creall(t.value) / n, cimagl(t.value) / n); /* part by part: so inf + 0i stays */
    t.bound = t.bound / n + u * cabsl(t.value);
    return t;
}
/* The two-pass sum of squares errs by (77 + 3) u of itself plus what the mean's error e adds, n e^2 and at
 * the joins 2 e times the differences of means: e <= 80 u max|x|, differences <= 2 max|x|, so n (2 * 160 u)
 * max|x|^2 covers both. */
static truth t_var(const wide *x, int64_t n) {
    truth mean = t_mean(x, n), t = {0, 0};
    real top = 0;
    for (int64_t i = 0; i < n; i++) {
        real d = cabsl(x[i] - mean.value);
        t.value += d * d;
        top = fmaxl(top, cabsl(x[i]));
    }
    t.value /= n;
    t.bound = 80 * u * creall(t.value) + 320 * u * top * top;
    return t;
}
/* |sqrt(a) - sqrt(b)| <= |a - b| / sqrt(b), and never more than sqrt|a - b|. */
static truth t_std(const wide *x, int64_t n) {
    truth v = t_var(x, n), t;
    real s = sqrtl(creall(v.value));
    t.value = s;
    t.bound = isnan(s) ? NAN : s > 0 ? fminl(v.bound / s, sqrtl(v.bound)) + u * s : sqrtl(v.bound);
    return t;
}
static truth t_norm(const wide *x, int64_t n) {
    real s = 0;
    for (int64_t i = 0; i < n; i++) s += creall(x[i]) * creall(x[i]) + cimagl(x[i]) * cimagl(x[i]);
    return (truth){sqrtl(s), 41 * u * sqrtl(s)}; /* half of (77 + 2) u relative for the sum, and the root's */
}
static int64_t extreme(const wide *x, int64_t n, int sign) {
    int64_t best = 0;
    for (int64_t i = 0; i < n; i++) {
        if (isnan(creall(x[i]))) return i;
        if (sign * creall(x[i]) > sign * creall(x[best])) best = i;
    }
    return best;
}
static truth t_min(const wide *x, int64_t n) { return (truth){x[extreme(x, n, -1)], 0}; }
static truth t_max(const wide *x, int64_t n) { return (truth){x[extreme(x, n, 1)], 0}; }
static truth t_argmin(const wide *x, int64_t n) { return (truth){extreme(x, n, -1), 0}; }
static truth t_argmax(const wide *x, int64_t n) { return (truth){extreme(x, n, 1), 0}; }
static truth t_any(const wide *x, int64_t n) { return n ? t_max(x, n) : (truth){0, 0}; }
static truth t_all(const wide *x, int64_t n) { return n ? t_min(x, n) : (truth){1, 0}; }
/* log(s), s = sum e^(x-m) >= 1 with a relative error of at most (77 + 3 + spread) u, spread = max - min <=
 * 100 here. */
static truth t_lse(const wide *x, int64_t n) {
    real s = 0, m = n ? creall(x[extreme(x, n, 1)]) : 0;
    if (!isfinite(m)) m = 0;
    for (int64_t i = 0; i < n; i++) s += expl(creall(x[i]) - m);
    real v = m + logl(s);
    return (truth){v, isinf(v) ? 0 : 180 * u + 4 * u * (fabsl(v) + fabsl(m))};
}

static const struct row {
    const char *name;
    int types;
    bool no_complex, no_empty;
    truth (*of)(const wide *, int64_t);
} rows[] = {
    {"sum", COUNT, false, false, t_sum},        {"prod", COUNT, false, false, t_prod},
    {"mean", COUNT, false, true, t_mean},       {"var", REALS, false, true, t_var},
    {"std", REALS, false, true, t_std},         {"norm", REALS, false, false, t_norm},
    {"min", SAME, true, true, t_min},           {"max", SAME, true, true, t_max},
    {"argmin", POSITION, true, true, t_argmin}, {"argmax", POSITION, true, true, t_argmax},
    {"any", BOOLS, false, false, t_any},        {"all", BOOLS, false, false, t_all},
    {"logsumexp", COUNT, true, false, t_lse},
};
enum { NROWS = sizeof rows / sizeof rows[0] };

/* ---- the comparison ------------------------------------------------------------------------------------ */

/* Element k of the result folds the elements of `a` whose index agrees outside the axis (-1: all). */
static int64_t gather(wide *line, const arr *a, int axis, int64_t k) {
    int64_t n = 0, index[ARR_MAXDIM], rest[ARR_MAXDIM];
    for (int64_t i = 0; i < arr_size(a); i++) {
        int64_t at = 0;
        unravel(index, a->ndim, a->shape, i);
        memcpy(rest, index, sizeof rest);
        for (int d = 0; d < a->ndim; d++)
            if (axis >= 0 && d != axis) at = at * a->shape[d] + rest[d];
        if (at == k) line[n++] = kth(a, i);
    }
    return n;
}

static void check_values(const struct row *row, const arr *a, const arr *out, int axis) {
    wide line[512];
    for (int64_t k = 0; k < arr_size(out); k++) {
        int64_t n = gather(line, a, axis, k);
        truth t = row->of(line, n);
        wide got = kth(out, k);
        real once = isfinite(cabsl(t.value)) && t.bound > 0 ? ulp(out->dtype, cabsl(t.value)) : 0;
        if (!within(got, t.value, t.bound + once))
            fail_msg("%s of %s along %d: %.17Lg%+.17Lgi, wanted %.17Lg%+.17Lgi within %Lg", row->name,
                     arr_dtype_name(a->dtype), axis, creall(got), cimagl(got), creall(t.value),
                     cimagl(t.value), t.bound);
    }
}

static void check_shape(const arr *a, const arr *out, int axis, bool keep) {
    int m = 0;
    for (int d = 0; d < a->ndim; d++) {
        bool reduced = axis < 0 || d == axis;
        if (!reduced || keep) assert_int_equal(out->shape[m++], reduced ? 1 : a->shape[d]);
    }
    assert_int_equal(out->ndim, m);
}

/* The view, and its contiguous copy: the values are right, and the bits do not depend on the strides. */
static void check_row(const struct row *row, const arr *a, int axis, bool keep) {
    ph_err err;
    arr out, plain, again;
    op_attrs attrs = {.has_axis = axis >= 0, .axis = axis, .keep = keep};
    ph_status st = op_apply(&out, op_find(row->name), a, 1, &attrs, &err);
    int64_t line = axis >= 0 ? a->shape[axis] : arr_size(a), lines = line ? arr_size(a) / line : 0;
    if (line == 0) {
        lines = 1;
        for (int d = 0; d < a->ndim; d++)
            if (axis >= 0 && d != axis) lines *= a->shape[d];
    }
    if ((row->types == BOOLS && a->dtype != ARR_BOOL) || (row->no_complex && a->dtype == ARR_C128)) {
        assert_int_equal(st, PH_EARG);
        return;
    }
    if (line == 0 && lines > 0 && row->no_empty) {
        assert_int_equal(st, PH_EDOMAIN);
        return;
    }
    assert_int_equal(st, PH_OK);
    assert_int_equal(out.dtype, result_type(row->types, a->dtype));
    check_shape(a, &out, axis, keep);
    check_values(row, a, &out, axis);
    assert_int_equal(arr_convert(&plain, a, a->dtype, &err), PH_OK);
    assert_int_equal(op_apply(&again, op_find(row->name), &plain, 1, &attrs, &err), PH_OK);
    assert_true(same_bits(&out, &again));
    arr_drop(&again);
    arr_drop(&plain);
    arr_drop(&out);
}

static const double huge[] = {INFINITY, 1, 2, 3, -4, 5, 6};

static void every_row_agrees_with_its_formula(void **state) {
    (void)state;
    for (int r = 0; r < NROWS; r++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int t = 0; t < ARR_NDTYPE; t++)
                for (int v = 0; v < VIEWS; v++) {
                    arr a = make_view(v, (arr_dtype)t, shapes[s].ndim, shapes[s].shape, mild,
                                      sizeof mild / sizeof mild[0], (unsigned)v);
                    for (int axis = -1; axis < a.ndim; axis++)
                        for (int keep = 0; keep < 2; keep++) check_row(&rows[r], &a, axis, keep);
                    arr_drop(&a);
                }
}

static void special_values_come_through(void **state) {
    (void)state;
    for (int r = 0; r < NROWS; r++) {
        const char *name = rows[r].name;
        if (strcmp(name, "any") == 0 || strcmp(name, "all") == 0) continue;
        for (int v = 0; v < VIEWS; v++) {
            arr a =
                make_view(v, ARR_F64, 2, (int64_t[]){6, 9}, wild, sizeof wild / sizeof wild[0], (unsigned)v);
            for (int axis = -1; axis < 2; axis++) check_row(&rows[r], &a, axis, false);
            arr_drop(&a);
        }
        if (strcmp(name, "var") == 0 || strcmp(name, "std") == 0) continue; /* inf - inf */
        arr a = make_view(PLAIN, ARR_F64, 1, (int64_t[]){7}, huge, 7, 0);
        check_row(&rows[r], &a, -1, false);
        arr_drop(&a);
    }
}

static void no_row_is_left_out(void **state) {
    (void)state;
    for (int i = 0; i < arr_reduce_nops; i++) {
        bool found = false;
        for (int r = 0; r < NROWS; r++) found |= strcmp(rows[r].name, arr_reduce_ops[i].name) == 0;
        if (!found) fail_msg("no oracle for %s", arr_reduce_ops[i].name);
    }
}

static double run1(const char *name, const arr *a, const op_attrs *attrs) {
    ph_err err;
    arr out;
    assert_int_equal(op_apply(&out, op_find(name), a, 1, attrs, &err), PH_OK);
    double x = arr_get_num(&out, out.data);
    arr_drop(&out);
    return x;
}

static arr doubles(int64_t n, const double *x) {
    ph_err err;
    arr a;
    assert_int_equal(arr_new(&a, ARR_F64, 1, &n, &err), PH_OK);
    memcpy(a.data, x, (size_t)n * sizeof *x);
    return a;
}

static void norms_do_not_overflow(void **state) {
    (void)state;
    static const struct {
        double x[2], want;
    } cases[] = {{{3e300, 4e300}, 5e300},
                 {{3e-300, 4e-300}, 5e-300},
                 {{1e300, 1e-300}, 1e300},
                 {{0, 5e-324}, 5e-324},
                 {{INFINITY, 1}, INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arr a = doubles(2, cases[i].x);
        assert_true(near_real(ARR_F64, run1("norm", &a, NULL), cases[i].want, 2));
        arr_drop(&a);
    }
}

/* Blocks of very different size join without overflow, whichever comes first: 1024 times 2^1000 and 1024
 * times 2^-1000 have the norm 2^1005; so have 2^-1000 to 2^-995 alone. Four
 * blocks of 1024 times 2^506 have sums of squares within the range, 2^1022 each, but not together: the norm is 2^512. */
static void norms_of_blocks_join_at_the_larger_scale(void **state) {
    (void)state;
    static const struct {
        int first, second, want;
    } cases[] = {
        {1000, -1000, 1005}, {-1000, 1000, 1005}, {-1000, -1070, -995}, {-1070, -1000, -995}, {0, -1000, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static double x[2048];
        for (int k = 0; k < 2048; k++) x[k] = ldexp(1, k < 1024 ? cases[i].first : cases[i].second);
        arr a = doubles(2048, x);
        assert_true(run1("norm", &a, NULL) == ldexp(1, cases[i].want));
        arr_drop(&a);
    }
    static double even[4096];
    for (int k = 0; k < 4096; k++) even[k] = 0x1p506;
    arr a = doubles(4096, even);
    assert_true(run1("norm", &a, NULL) == 0x1p512);
    arr_drop(&a);
}

/* Plain running sums lose the ones beside 2^53; carrying the error keeps them. */
static void long_running_sums_keep_small_terms(void **state) {
    (void)state;
    ph_err err;
    enum { N = 128 * 200 };
    static double x[N];
    for (int k = 0; k < N; k++) x[k] = k % 128 == 0 ? 1.0 / 3 : 0;
    x[0] = 0x1p53;
    arr a = doubles(N, x), out;
    assert_int_equal(op_call1(&out, "cumsum", &a, &err), PH_OK);
    /* the bound of scan.c: 2^53 (1 + 129 u) has spacing 2, so a plain sum would be 66 off */
    assert_true(fabs(((double *)out.data)[N - 1] - (0x1p53 + 199.0 / 3)) <= 2);
    arr_drop(&out);
    arr_drop(&a);
}

/* Data of every size, in one block and in three, real and complex, with means that differ from block to block: what a power of two does to
 * them it does to std, and its square to var. Against the same data at size 1, whose bits these are but where the result is subnormal (a unit
 * of it, from the means, and one from the last rounding). What no double holds is inf or 0. */
static void variances_do_not_overflow(void **state) {
    (void)state;
    static const int sizes[] = {-1074, -1070, -1040, -1000, -600, -530, -470, -450,
                                -1,    1,     450,   505,   515,  600,  1000, 1020};
    static double x[3000], y[3000];
    ph_err err;
    for (int64_t n = 2; n <= 3000; n += 1499)
        for (int form = 0; form < 3; form++) {
            for (int k = 0; k < n; k++)
                x[k] = (k * 37 % 11 - 3) * (form == 1 && k >= 1024 ? 2 : 1) + (form == 2 ? 4 : 0);
            arr a = doubles(n, x), z;
            double var = run1("var", &a, NULL), std = run1("std", &a, NULL);
            truth t = {0, 0};
            static wide line[3000];
            for (int k = 0; k < n; k++) line[k] = x[k];
            t = t_std(line, n);
            assert_true(within(std, t.value, t.bound));
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                int e = sizes[i];
                for (int k = 0; k < n; k++) y[k] = ldexp(x[k], e);
                arr b = doubles(n, y);
                for (int parts = 0; parts < 2; parts++) {
                    if (parts && n % 2) break;
                    arr c = parts ? (arr){0} : arr_ref(&b);
                    if (parts) assert_int_equal(arr_new(&c, ARR_C128, 1, (int64_t[]){n / 2}, &err), PH_OK);
                    if (parts) memcpy(c.data, y, (size_t)n * sizeof *y);
                    double want_var = var, want_std = std;
                    if (parts) {
                        assert_int_equal(arr_new(&z, ARR_C128, 1, (int64_t[]){n / 2}, &err), PH_OK);
                        memcpy(z.data, x, (size_t)n * sizeof *x);
                        want_var = run1("var", &z, NULL), want_std = run1("std", &z, NULL);
                        arr_drop(&z);
                    }
                    assert_true(fabs(run1("std", &c, NULL) - ldexp(want_std, e)) <=
                                (e < -1000 ? 0x1p-1073 : 0));
                    double got = run1("var", &c, NULL), scaled = ldexp(want_var, 2 * e);
                    assert_true(got == scaled || fabs(got - scaled) <= (e < -480 ? 0x1p-1074 : 0));
                    arr_drop(&c);
                }
                arr_drop(&b);
            }
            arr_drop(&a);
        }
}

/* Where a mean is 0 to within rounding, or where the sum of all leaves the range. */
static void variances_at_the_ends_of_the_range(void **state) {
    (void)state;
    static const struct {
        double x[3], want; /* std */
    } cases[] = {{{DBL_MAX, -DBL_MAX, 0}, 0x1.a20bd700c2c3dp1023},
                 {{DBL_MAX, DBL_MAX, DBL_MAX}, 0},
                 {{5e-324, 5e-324, 5e-324}, 0},
                 {{1e300, 1e-300, 1e300}, 4.714045207910317e299},
                 {{INFINITY, 1, 1}, NAN},
                 {{INFINITY, -INFINITY, NAN}, NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arr a = doubles(3, cases[i].x);
        double got = run1("std", &a, NULL);
        assert_true(isnan(cases[i].want) ? isnan(got) : near_real(ARR_F64, got, cases[i].want, 8));
        arr_drop(&a);
    }
}

static void variance_divides_by_n_less_ddof(void **state) {
    (void)state;
    arr a = doubles(4, (double[]){1, 2, 3, 4});
    assert_true(run1("var", &a, &(op_attrs){.num = 1}) == 5.0 / 3);
    assert_true(isnan(run1("var", &a, &(op_attrs){.num = 4})));
    assert_true(run1("argmax", &a, &(op_attrs){.base = 1}) == 4);
    arr_drop(&a);
}

static void a_bad_axis_is_named_as_the_caller_counts(void **state) {
    (void)state;
    ph_err err;
    arr a = doubles(2, (double[]){1, 2}), out;
    assert_int_equal(
        op_apply(&out, op_find("sum"), &a, 1, &(op_attrs){.has_axis = true, .axis = 1, .base = 1}, &err),
        PH_EARG);
    assert_string_equal(err.text, "sum: axis is 2; the array has 1 dimension");
    assert_true(run1("sum", &a, &(op_attrs){.has_axis = true, .axis = -1}) == 3);
    arr_drop(&a);
}

/* Long lines: many pieces and joined segments. The plain oracle in long double, one thread and two, straight
 * and strided. */
static void long_lines_keep_value_and_bits(void **state) {
    (void)state;
    ph_err err;
    ph_rng g;
    arr flat, a, t, plain;
    ph_rng_seed(&g, 11);
    assert_int_equal(arr_randn(&flat, ARR_F64, 1, (int64_t[]){3 * 70001}, &g, &err), PH_OK);
    assert_int_equal(arr_reshape(&a, &flat, 2, (int64_t[]){70001, 3}, &err), PH_OK);
    assert_int_equal(arr_permute(&t, &a, (int[]){1, 0}, &err), PH_OK);
    assert_int_equal(arr_convert(&plain, &t, ARR_F64, &err), PH_OK);
    wide *line = malloc(70001 * sizeof *line);
    assert_non_null(line);
    for (int r = 0; r < NROWS; r++) {
        arr down, across, copied;
        if (rows[r].types == BOOLS || rows[r].of == t_prod)
            continue; /* a product of so many only underflows */
        const op *row = op_find(rows[r].name);
        ph_set_threads(1);
        assert_int_equal(op_apply(&down, row, &a, 1, &(op_attrs){.has_axis = true, .axis = 0}, &err), PH_OK);
        ph_set_threads(2);
        assert_int_equal(op_apply(&across, row, &t, 1, &(op_attrs){.has_axis = true, .axis = 1}, &err),
                         PH_OK);
        assert_int_equal(op_apply(&copied, row, &plain, 1, &(op_attrs){.has_axis = true, .axis = 1}, &err),
                         PH_OK);
        ph_set_threads(0);
        assert_true(same_bits(&down, &across) && same_bits(&down, &copied));
        for (int64_t k = 0; k < 3; k++) {
            for (int64_t i = 0; i < 70001; i++) line[i] = ((double *)plain.data)[k * 70001 + i];
            truth want = rows[r].of(line, 70001);
            real once = want.bound > 0 ? ulp(ARR_F64, cabsl(want.value)) : 0;
            if (!within(kth(&down, k), want.value, want.bound + once))
                fail_msg("%s of a long line", rows[r].name);
        }
        arr_drop(&down);
        arr_drop(&across);
        arr_drop(&copied);
    }
    free(line);
    arr_drop(&plain);
    arr_drop(&t);
    arr_drop(&a);
    arr_drop(&flat);
}

/* Lines of up to 40 numbers lying in every way have the bits of the line alone, seen with a stride: 21 lines, so that some are in no
 * tile of eight. A line of -0 sums to 0. */
static void short_lines_have_the_same_bits(void **state) {
    (void)state;
    ph_err err;
    for (int64_t n = 1; n <= 40; n++)
        for (int t = ARR_F32; t <= ARR_F64; t++)
            for (int mean = 0; mean < 2; mean++) {
                const op *row = op_find(mean ? "mean" : "sum");
                op_attrs along = {.has_axis = true, .axis = 1};
                arr a = make_view(STEPPED, (arr_dtype)t, 2, (int64_t[]){21, n}, mild, 13, (unsigned)n),
                    want[2];
                for (int64_t i = 0; i < n; i++)
                    assert_int_equal(
                        arr_put_c128(&a, arr_at(&a, (int64_t[]){3, i}), (arr_c128){-0.0, 0}, &err), PH_OK);
                arr first = a; /* borrowed; its lines go alone */
                first.shape[0] = 1;
                assert_int_equal(op_apply(&want[0], row, &a, 1, &along, &err), PH_OK);
                for (int64_t k = 0; k < 21; k++) {
                    assert_int_equal(op_apply(&want[1], row, &first, 1, &along, &err), PH_OK);
                    assert_memory_equal(want[1].data, arr_at(&want[0], &k), arr_itemsize(a.dtype));
                    arr_drop(&want[1]);
                    first.data += first.stride[0] * (int64_t)arr_itemsize(a.dtype);
                }
                assert_false(signbit(arr_get_num(&want[0], arr_at(&want[0], (int64_t[]){3}))));
                for (int v = 0; v < 2; v++) { /* lines along rows, and along columns */
                    arr plain, turned, seen, got;
                    int perm[] = {1, 0};
                    assert_int_equal(arr_permute(&turned, &a, perm, &err), PH_OK);
                    assert_int_equal(arr_convert(&plain, v ? &turned : &a, a.dtype, &err), PH_OK);
                    seen = arr_ref(&plain);
                    if (v) {
                        arr_drop(&seen);
                        assert_int_equal(arr_permute(&seen, &plain, perm, &err), PH_OK);
                    }
                    assert_int_equal(op_apply(&got, row, &seen, 1, &along, &err), PH_OK);
                    if (!same_bits(&got, &want[0])) fail_msg("%s of %lld numbers", row->name, (long long)n);
                    arr_drop(&got);
                    arr_drop(&seen);
                    arr_drop(&plain);
                    arr_drop(&turned);
                }
                arr_drop(&want[0]);
                arr_drop(&a);
            }
}

static void refused_allocations_leak_nothing(void **state) {
    (void)state;
    for (int r = 0; r < arr_reduce_nops; r++) {
        const op *row = &arr_reduce_ops[r];
        arr_dtype t = strcmp(row->name, "any") == 0 || strcmp(row->name, "all") == 0 ? ARR_BOOL : ARR_F64;
        arr a = make_view(TRANSPOSED, t, 2, (int64_t[]){33000, 2}, mild, 14, 1);
        for (int axis = 0; axis < 2; axis++)
            survives_refusals(row, &a, 1, &(op_attrs){.has_axis = true, .axis = axis});
        arr_drop(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_agrees_with_its_formula),
        cmocka_unit_test(special_values_come_through),
        cmocka_unit_test(no_row_is_left_out),
        cmocka_unit_test(norms_do_not_overflow),
        cmocka_unit_test(norms_of_blocks_join_at_the_larger_scale),
        cmocka_unit_test(long_running_sums_keep_small_terms),
        cmocka_unit_test(variances_do_not_overflow),
        cmocka_unit_test(variances_at_the_ends_of_the_range),
        cmocka_unit_test(variance_divides_by_n_less_ddof),
        cmocka_unit_test(a_bad_axis_is_named_as_the_caller_counts),
        cmocka_unit_test(long_lines_keep_value_and_bits),
        cmocka_unit_test(short_lines_have_the_same_bits),
        cmocka_unit_test(refused_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
