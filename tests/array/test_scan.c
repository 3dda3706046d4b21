/* Scans and sorts against their definitions, line by line; long sorts beside the C library's.
 * Sources: array/scan.c array/sort.c */
#include "base/parallel.h"
#include "array/lines.h"

#include "base/rng.h"

extern const op arr_scan_ops[];
extern const int arr_scan_nops;

static bool is_before(real a, real b) { return a < b || (isnan(b) && !isnan(a)); }

/* Position i of the result of a scan of one line, the slow way; a sort picks the element that exactly i
 * others precede. */
static truth scan_at(const char *name, const wide *x, int64_t n, int64_t i) {
    if (strcmp(name, "cumsum") == 0) {
        truth t = t_sum(x, i + 1);
        t.bound *= 131.0L / 77; /* 129 u and the last rounding instead of 77 u */
        return t;
    }
    if (strcmp(name, "cumprod") == 0) return t_prod(x, i + 1);
    for (int64_t k = 0; k < n; k++) {
        int64_t rank = 0;
        for (int64_t j = 0; j < n; j++)
            rank +=
                is_before(creall(x[j]), creall(x[k])) || (j < k && !is_before(creall(x[k]), creall(x[j])));
        if (rank == i) return strcmp(name, "sort") == 0 ? (truth){x[k], 0} : (truth){k, 0};
    }
    return (truth){NAN, NAN};
}

static void check_scan(const op *row, const arr *a, int axis) {
    ph_err err;
    arr out, lines, turned;
    bool sorts = strstr(row->name, "sort") != NULL;
    op_attrs attrs = {.has_axis = true, .axis = axis};
    ph_status st = op_apply(&out, row, a, 1, &attrs, &err);
    if (a->ndim == 0 || (sorts && a->dtype == ARR_C128)) {
        assert_int_equal(st, PH_EARG);
        return;
    }
    assert_int_equal(st, PH_OK);
    assert_true(arr_same_shape(&out, a));
    assert_int_equal(out.dtype, result_type(strcmp(row->name, "sort") == 0 ? SAME
                                            : row->name[0] == 'a'          ? POSITION
                                                                           : COUNT,
                                            a->dtype));
    int perm[ARR_MAXDIM], m = 0; /* the axis to the end: lines become rows */
    for (int i = 0; i < a->ndim; i++)
        if (i != axis) perm[m++] = i;
    perm[m] = axis;
    assert_int_equal(arr_permute(&lines, a, perm, &err), PH_OK);
    assert_int_equal(arr_permute(&turned, &out, perm, &err), PH_OK);
    int64_t n = a->shape[axis];
    for (int64_t k = 0; k < arr_size(a); k++) {
        wide line[64];
        for (int64_t i = 0; i < n; i++) line[i] = kth(&lines, k / n * n + i);
        truth t = scan_at(row->name, line, n, k % n);
        real once = t.bound > 0 ? ulp(out.dtype, cabsl(t.value)) : 0;
        if (!within(kth(&turned, k), t.value, t.bound + once))
            fail_msg("%s of %s", row->name, arr_dtype_name(a->dtype));
    }
    arr_drop(&lines);
    arr_drop(&turned);
    arr_drop(&out);
}

static void scans_agree_with_their_definition(void **state) {
    (void)state;
    for (int r = 0; r < arr_scan_nops; r++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int t = 0; t < ARR_NDTYPE; t++)
                for (int v = 0; v < VIEWS; v++)
                    for (int special = 0; special < 2; special++) {
                        const double *pool = special ? wild : mild;
                        arr a = make_view(v, (arr_dtype)t, shapes[s].ndim, shapes[s].shape, pool,
                                          special ? 19 : 14, (unsigned)v);
                        for (int axis = 0; axis < a.ndim || axis == 0; axis++)
                            check_scan(&arr_scan_ops[r], &a, axis);
                        arr_drop(&a);
                    }
}

static void long_sorts_are_stable(void **state) {
    (void)state;
    ph_err err;
    arr a, at;
    enum { N = 3001 };
    assert_int_equal(arr_new(&a, ARR_F64, 1, (int64_t[]){N}, &err), PH_OK);
    double *x = (double *)a.data;
    for (int i = 0; i < N; i++) x[i] = i % 97 == 5 ? NAN : (double)(i * 7919 % 41);
    assert_int_equal(op_call1(&at, "argsort", &a, &err), PH_OK);
    const double *p = (const double *)at.data;
    bool seen[N] = {false};
    for (int i = 0; i < N; i++) {
        assert_true(p[i] >= 0 && p[i] < N && !seen[(int)p[i]]);
        seen[(int)p[i]] = true;
        if (i == 0) continue;
        double left = x[(int)p[i - 1]], right = x[(int)p[i]];
        bool tie = left == right || (isnan(left) && isnan(right));
        assert_true(tie ? p[i - 1] < p[i] : is_before(left, right));
    }
    arr_drop(&at);
    arr_drop(&a);
}

static int in_order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return is_before(x, y) ? -1 : is_before(y, x) ? 1 : !!signbit(y) - !!signbit(x);
}

static int middle(const int *v, int a, int b, int c) {
    int x = v[a], y = v[b], z = v[c];
    return x < y ? (y < z ? b : x < z ? c : a) : (x < z ? a : y < z ? c : b);
}

/* Numbers for which the middle of nine is one of the smallest, every time: who halves about it comes to no end. */
static void worst_for_halving(double *x, int n) {
    int *at = malloc((size_t)n * sizeof *at), *value = malloc((size_t)n * sizeof *value), next = 0, left = n;
    for (int i = 0; i < n; i++) at[i] = i, value[i] = n;
    while (left > 128) {
        int s = left / 9, of[9], kept = 0;
        for (int k = 0; k < 9; k++) {
            of[k] = at[k < 8 ? k * s : left - 1];
            if (value[of[k]] == n) value[of[k]] = next++;
        }
        int p = value[middle(value, middle(value, of[0], of[1], of[2]), middle(value, of[3], of[4], of[5]),
                             middle(value, of[6], of[7], of[8]))];
        for (int i = 0; i < left; i++)
            if (value[at[i]] >= p) at[kept++] = at[i];
        assert_true(kept < left);
        left = kept;
    }
    for (int i = 0; i < n; i++) x[i] = value[i] < n ? value[i] : next++;
    free(at);
    free(value);
}

enum { OF_EVERY_SIZE, RISING, FALLING, EQUAL, FEW_VALUES, PIPE, WORST, ORDERS };

static void fill_line(double *x, int n, int order, ph_rng *g) {
    if (order == WORST) worst_for_halving(x, n);
    for (int i = 0; i < n && order != WORST; i++) {
        double r = ldexp(ph_rng_uniform(g) - 0.5, (int)ph_rng_below(g, 240) - 120);
        if (order == OF_EVERY_SIZE)
            x[i] = i % 50 == 7 ? -0.0 : i % 50 == 9 ? 0.0 : i % 500 == 1 ? -INFINITY : i % 700 == 3 ? NAN : r;
        else if (order == FEW_VALUES) x[i] = (double)(i * 7919 % 5) - 2;
        else x[i] = order == RISING ? i : order == FALLING ? -i : order == EQUAL ? -3 : i < n / 2 ? i : n - i;
    }
}

static void check_sort(arr_dtype t, int n, int order) {
    ph_err err;
    ph_rng g;
    arr a, y;
    double *x = malloc((size_t)n * sizeof *x);
    ph_rng_seed(&g, (uint64_t)n);
    assert_int_equal(arr_new(&a, t, 1, (int64_t[]){n}, &err), PH_OK);
    fill_line(x, n, order, &g);
    for (int i = 0; i < n; i++) {
        if (t == ARR_F32) x[i] = (double)(((float *)a.data)[i] = (float)x[i]);
        else ((double *)a.data)[i] = x[i];
    }
    qsort(x, (size_t)n, sizeof *x, in_order);
    assert_int_equal(op_call1(&y, "sort", &a, &err), PH_OK);
    for (int i = 0; i < n; i++) {
        double got = t == ARR_F32 ? (double)((float *)y.data)[i] : ((double *)y.data)[i];
        if (isnan(x[i]) && isnan(got)) continue;
        if (memcmp(&got, x + i, sizeof got))
            fail_msg("order %d, n = %d, dtype %d, cpu %d: %a at %d; wanted %a", order, n, (int)t,
                     (int)ph_cpu(), got, i, x[i]);
    }
    arr_drop(&y);
    arr_drop(&a);
    free(x);
}

/* Lines of every order, numbers of every size and sign, beside the C library's sort, bit by bit: zeros by sign, NaN last; f32 too; at
 * every level of the processor. */
static void long_sorts_agree_with_qsort(void **state) {
    (void)state;
    for (int level = PH_CPU_BASELINE; level <= PH_CPU_AVX512; level++) {
        if (ph_set_cpu((ph_cpu_level)level) != (ph_cpu_level)level) continue;
        for (int order = 0; order < ORDERS; order++)
            for (int n = 1020; n < 70000; n = n < 1033 ? n + 1 : n * 3) {
                check_sort(ARR_F32, n, order);
                check_sort(ARR_F64, n, order);
            }
    }
    ph_set_cpu(PH_CPU_AVX512);
}

static void refused_allocations_leak_nothing(void **state) {
    (void)state;
    for (int r = 0; r < arr_scan_nops; r++) {
        arr a = make_view(TRANSPOSED, ARR_F64, 2, (int64_t[]){33000, 2}, mild, 14, 1);
        for (int axis = 0; axis < 2; axis++)
            survives_refusals(&arr_scan_ops[r], &a, 1, &(op_attrs){.has_axis = true, .axis = axis});
        arr_drop(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_agree_with_their_definition),
        cmocka_unit_test(long_sorts_are_stable),
        cmocka_unit_test(long_sorts_agree_with_qsort),
        cmocka_unit_test(refused_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
