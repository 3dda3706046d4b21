/* Linear algebra at sizes on both sides of every edge, in every layout, with every workspace's end watched (base/guard.h), at every look at
 * the interrupt flag.
 * Sources: array/linalg_blas.c array/linalg_small.c array/linalg_product.c array/linalg_lapack.c array/linalg_check.c array/linalg_inner.c
 * array/linalg_factor.c array/linalg_solve.c array/linalg_eig.c array/linalg_lstsq.c */
#include "linalg_common.h"

#include "array/interrupts.h"
#include "base/rng.h"

#define ONE_OF(LIST) LIST[ph_rng_below(&g, sizeof LIST / sizeof *LIST)]

/* ---- products --------------------------------------------------------------------------------------------- */

enum { PLAIN, TURNED, STEPPED, BACKWARDS, APART, LAYOUTS };

/* Random (stack, m, n): as it lies, stored by columns, every other column, rows from the last, every other matrix of every third row. */
static arr laid(int layout, arr_dtype t, const int64_t *n, uint64_t seed) {
    const int64_t base[] = {layout == APART ? 2 * n[0] : n[0],
                            layout == TURNED  ? n[2]
                            : layout == APART ? 3 * n[1]
                                              : n[1],
                            layout == TURNED    ? n[1]
                            : layout == STEPPED ? 2 * n[2]
                                                : n[2]};
    const arr_range cut[] = {{0, layout == APART ? 2 : 1, n[0], false},
                             {layout == BACKWARDS ? n[1] - 1 : 0,
                              layout == BACKWARDS ? -1
                              : layout == APART   ? 3
                                                  : 1,
                              n[1], false},
                             {0, layout == STEPPED ? 2 : 1, n[2], false}};
    arr x = random_array(t, 3, base, seed), y;
    if (layout == TURNED) ok(arr_permute(&y, &x, (int[]){0, 2, 1}, &last_error));
    else ok(arr_slice(&y, &x, 3, cut, &last_error));
    arr_drop(&x);
    return y;
}

/* k + 4 roundings, as in test_linalg_product.c. */
static void check_entry(const arr *a, const arr *b, const arr *c, int64_t i, int64_t j) {
    double size;
    cplx want = slow_product(a, b, i, j, &size);
    assert_within(cabs(at2(c, i, j) - want), 1.5 * (double)(a->shape[1] + 4) * unit(c->dtype) * size);
}

static void products_at_every_edge_in_every_layout(void **state) {
    (void)state;
    static const int64_t sides[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 100, 129},
                         stacks[][2] = {{1, 1}, {3, 1}, {1, 3}, {3, 3}};
    ph_rng g;
    ph_rng_seed(&g, 9);
    for (int run = 0; run < 400; run++) {
        const arr_dtype t = run % 7 == 0 ? ARR_C128 : run % 2 ? ARR_F32 : ARR_F64;
        const int64_t m = ONE_OF(sides), k = ONE_OF(sides), n = ONE_OF(sides), *s = ONE_OF(stacks);
        arr a = laid((int)ph_rng_below(&g, LAYOUTS), t, (int64_t[]){s[0], m, k}, 1),
            b = laid((int)ph_rng_below(&g, LAYOUTS), t, (int64_t[]){s[1], k, n}, 2), c = mul(&a, &b);
        for (int64_t e = 0; e < c.shape[0]; e++) {
            arr x = matrix_at(&a, s[0] > 1 ? e : 0), y = matrix_at(&b, s[1] > 1 ? e : 0),
                z = matrix_at(&c, e);
            for (int i = 0; i < 12; i++)
                check_entry(&x, &y, &z, (int64_t)ph_rng_below(&g, (uint64_t)m),
                            (int64_t)ph_rng_below(&g, (uint64_t)n));
            check_entry(&x, &y, &z, m - 1, n - 1);
        }
        drop_all((arr[]){a, b, c}, 3);
    }
}

/* Blocks begin at multiples of 16: the last one of these has one row, one column or one of each, and is no vector for that. */
static void a_last_block_may_be_one_row_or_column(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {
        {32, 2100, 33}, {33, 2100, 32}, {33, 2100, 33}, {300, 300, 513}, {513, 300, 300}};
    for (int t = 0; t < 3; t++)
        for (int s = 0; s < 5; s++) {
            const int64_t m = sizes[s][0], k = sizes[s][1], n = sizes[s][2];
            arr a = random_matrix(types[t], m, k, 1), b = random_matrix(types[t], k, n, 2),
                at = transposed(&a), c = mul(&a, &b), gram = mul(&a, &at);
            for (int64_t i = m - 1; i >= 0; i -= 31)
                check_entry(&a, &b, &c, i, n - 1), check_entry(&a, &at, &gram, m - 1, i);
            for (int64_t j = n - 1; j >= 0; j -= 31) check_entry(&a, &b, &c, m - 1, j);
            drop_all((arr[]){a, b, at, c, gram}, 5);
        }
}

/* Of one, two and three parts and a little less or more, alone and in a stack. Sums of integers are exact in any order, those of floats too, since
 * they are added in doubles and rounded once. */
static void long_inner_products_have_all_their_parts(void **state) {
    (void)state;
    enum { PART = 1 << 19 };
    static const int64_t lengths[] = {PART - 1, 2 * PART - 1, 2 * PART, 3 * PART + 1};
    for (int t = ARR_F32; t <= ARR_C128; t++)
        for (int l = 0; l < 4; l++) {
            const int64_t k = lengths[l];
            arr a, b, c;
            ok(arr_new(&a, (arr_dtype)t, 3, (int64_t[]){2, 1, k}, &last_error));
            ok(arr_new(&b, (arr_dtype)t, 3, (int64_t[]){2, k, 1}, &last_error));
            double re[2] = {0, 0}, im[2] = {0, 0};
            for (int64_t i = 0; i < 2 * k; i++) {
                const double x = (double)(i * 7 % 23), y = (double)(i * 5 % 19),
                             p = t == ARR_C128 ? (double)(i % 3) : 0;
                if (t == ARR_F32) ((float *)a.data)[i] = (float)x, ((float *)b.data)[i] = (float)y;
                else if (t == ARR_F64) ((double *)a.data)[i] = x, ((double *)b.data)[i] = y;
                else ((arr_c128 *)a.data)[i] = (arr_c128){x, p}, ((arr_c128 *)b.data)[i] = (arr_c128){y, 1};
                re[i / k] += x * y - p;
                im[i / k] += x + p * y;
            }
            c = mul(&a, &b);
            for (int64_t e = 0; e < 2; e++) {
                const arr_c128 z = arr_get_c128(&c, arr_at(&c, (int64_t[]){e, 0, 0}));
                assert_true(z.re == (t == ARR_F32 ? (double)(float)re[e] : re[e]));
                if (t == ARR_C128) assert_true(z.im == im[e]);
            }
            arr_drop(&c);
            arr x = matrix_at(&a, 1), y = matrix_at(&b, 1);
            x.ndim = y.ndim = 1;
            x.shape[0] = y.shape[0] = k, x.stride[0] = y.stride[0] = 1;
            ok(op_call2(&c, "dot", &x, &y, &last_error));
            assert_true(arr_get_c128(&c, c.data).re == (t == ARR_F32 ? (double)(float)re[1] : re[1]));
            drop_all((arr[]){a, b, c}, 3);
        }
}

/* ---- factorizations ------------------------------------------------------------------------------------------ */

static const char *const of_squares[] = {"inv", "expm", "eig", "det", "slogdet"},
                         *const of_any[] = {"svd", "svdvals", "pinv", "qr"},
                         *const of_definite[] = {"eigh", "cholesky"};

static void stays_finite(const char *name, const arr *a) {
    const op *row = op_find(name);
    arr out[OP_MAXOUT];
    ok(op_apply(out, row, a, 1, &from_one, &last_error));
    for (int k = 0; k < row->n_out; k++) {
        assert_true(isfinite(frobenius(&out[k])));
        arr_drop(&out[k]);
    }
}

/* Every size up to 40 and some shapes that are far from square: nothing is written behind a workspace or a result, and nothing is NaN. */
static void workspaces_are_large_enough(void **state) {
    (void)state;
    static const int64_t thin[][2] = {{1, 90}, {90, 1}, {3, 300}, {300, 3}, {40, 130}, {130, 40}};
    for (int t = 0; t < 3; t++) {
        for (int64_t n = 1; n <= 40; n += n < 12 ? 1 : 7) {
            arr a = random_matrix(types[t], n, n, (uint64_t)n), d = definite(types[t], n, (uint64_t)n);
            for (int r = 0; r < 5; r++) stays_finite(of_squares[r], &a);
            for (int r = 0; r < 4; r++) stays_finite(of_any[r], &a);
            for (int r = 0; r < 2; r++) stays_finite(of_definite[r], &d);
            drop_all((arr[]){a, d}, 2);
        }
        for (size_t s = 0; s < sizeof thin / sizeof *thin; s++) {
            arr a = random_matrix(types[t], thin[s][0], thin[s][1], 5);
            for (int r = 0; r < 4; r++) stays_finite(of_any[r], &a);
            arr_drop(&a);
        }
    }
}

/* Few and many right sides beside leaves of 25 and trees above them: A^H (A x - b) = 0. With |A|, |b| of some 100 here and 60 unknowns, all
 * rounding is far below 1e-7 (1e-1 for floats, which are solved in doubles and rounded once). */
static void least_squares_take_any_number_of_right_sides(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1},     {3, 200, 1},    {200, 3, 40}, {30, 25, 1000},
                                       {25, 30, 500}, {70, 60, 1000}, {27, 26, 3}};
    for (int t = 0; t < 3; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            arr in[2] = {random_matrix(types[t], sizes[s][0], sizes[s][1], 1),
                         random_matrix(types[t], sizes[s][0], sizes[s][2], 2)},
                out[OP_MAXOUT];
            const op *row = op_find("lstsq");
            ok(op_apply(out, row, in, 2, &from_one, &last_error));
            arr fit = mul(&in[0], &out[0]), off, h = adjoint(&in[0]), normal;
            ok(op_call2(&off, "sub", &fit, &in[1], &last_error));
            normal = mul(&h, &off);
            assert_within(frobenius(&normal), 1e8 * unit(types[t]));
            for (int k = 0; k < row->n_out; k++) arr_drop(&out[k]);
            drop_all((arr[]){in[0], in[1], fit, off, h, normal}, 6);
        }
}

/* Each entry of a stack in turn, each part of it. */
static void an_entry_that_is_not_finite_is_named(void **state) {
    (void)state;
    static const double odd[] = {NAN, INFINITY, -INFINITY};
    static const char *const names[] = {"nan", "inf", "-inf"};
    for (int t = 0; t < 3; t++)
        for (int64_t k = 0; k < 2 * 2 * 3; k++)
            for (int part = 0; part < (types[t] == ARR_C128 ? 2 : 1); part++) {
                char where[60];
                arr a = random_array(types[t], 3, (int64_t[]){2, 2, 3}, 1), out[OP_MAXOUT];
                char *at = a.data + (size_t)k * arr_itemsize(a.dtype);
                arr_c128 z = {part ? 1 : odd[k % 3], part ? odd[k % 3] : 0};
                ok(arr_put_c128(&a, at, z, &last_error));
                snprintf(where, sizeof where, "has %s at (%d, %d, %d)", names[k % 3], (int)(k / 6) + 1,
                         (int)(k / 3 % 2) + 1, (int)(k % 3) + 1);
                assert_refused(op_apply(out, op_find("svd"), &a, 1, &from_one, &last_error), PH_EARG, where);
                arr_drop(&a);
            }
}

/* ---- what only derivatives call --------------------------------------------------------------------------- */

static void derivatives_of_det_end_at_the_seventh(void **state) {
    (void)state;
    arr in[9], out;
    const op *row = op_find("derivative of det");
    for (int k = 0; k < 9; k++) in[k] = random_matrix(ARR_F64, 3, 3, (uint64_t)k);
    for (int n = 1; n <= 7; n++) {
        ok(op_apply(&out, row, in, n, NULL, &last_error));
        if (n > 3) assert_true(frobenius(&out) == 0); /* det of 3 by 3 is of degree 3 */
        else assert_true(frobenius(&out) > 0);
        arr_drop(&out);
    }
    for (int n = 8; n <= 9; n++)
        assert_refused(op_apply(&out, row, in, n, NULL, &last_error), PH_EUNABLE, "known up to order 7");
    for (int k = 1; k < 7; k++) { /* each direction is looked at */
        arr was = in[k];
        in[k] = random_matrix(ARR_F64, 4, 3, 1);
        assert_refused(op_apply(&out, row, in, 7, NULL, &last_error), PH_EARG, "not the shape of A");
        arr_drop(&in[k]);
        in[k] = was;
    }
    drop_all(in, 9);
}

/* A diagonal entry of R counts as 0 beside the largest entry wherever that stands. */
static void a_column_that_depends_on_others_has_no_derivative(void **state) {
    (void)state;
    enum { N = 3 };
    for (int large = 0; large < N * N; large++)
        for (int small = 0; small < N; small++) {
            double x[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            char column[30];
            if (large / N > large % N || large == small * (N + 1)) continue;
            x[large] = 1e17;
            arr r = matrix_of(N, N, x), out;
            /* beside 1e17 every 1 is small: the first is named */
            snprintf(column, sizeof column, "column %d of A", large == 0 ? 2 : 1);
            assert_refused(op_call1(&out, "derivative of qr", &r, &last_error), PH_EDOMAIN, column);
            arr_drop(&r);
            x[large] = large / N == large % N ? 1 : 0;
            x[small * (N + 1)] = 1e-17;
            r = matrix_of(N, N, x);
            snprintf(column, sizeof column, "column %d of A", small + 1);
            assert_refused(op_call1(&out, "derivative of qr", &r, &last_error), PH_EDOMAIN, column);
            arr_drop(&r);
        }
    arr r = matrix_of(2, 2, (double[]){1e10, 1, 0, 1}), out;
    ok(op_call1(&out, "derivative of qr", &r, &last_error));
    drop_all((arr[]){r, out}, 2);
}

/* g goes through where M is symmetric, and each pair that is not is noticed. */
static void a_basis_of_the_rest_must_not_matter(void **state) {
    (void)state;
    enum { N = 3 };
    double x[N * N] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
    arr in[2] = {random_matrix(ARR_F64, 5, N, 1), matrix_of(N, N, x)}, out;
    const op *row = op_find("derivative of a basis");
    ok(op_apply(&out, row, in, 2, NULL, &last_error));
    assert_memory_equal(out.data, in[0].data, 5 * N * sizeof(double));
    arr_drop(&out);
    for (int64_t k = 0; k < N * N; k++) {
        if (k % (N + 1) == 0) continue;
        ((double *)in[1].data)[k] += 1e-3;
        assert_refused(op_apply(&out, row, in, 2, NULL, &last_error), PH_EDOMAIN,
                       "any basis of what is left over");
        ((double *)in[1].data)[k] -= 1e-3;
    }
    drop_all(in, 2);
}

/* ---- determinants at the ends of the range ----------------------------------------------------------------------- */

/* A matrix of integers, whose determinant is one, times powers of two by rows and columns: det times all of them, at any size. Elimination and
 * the product make some n^2 roundings of products of entries, at most 10^4 here. Below 2^-1022 an inverse of a pivot is inf: such determinants
 * were "beyond the largest f64", or 0 in slogdet. */
static void determinants_at_the_ends_of_the_range(void **state) {
    (void)state;
    static const double whole[] = {2, -3, 1, 4, 5,
                                   7, -6, 8, 9}; /* det: 2 (45 - 56) + 3 (36 + 42) + (32 + 30) = 274 */
    static const int powers[][3] = {{0, 0, 0},        {-1060, -1060, -1060}, {1000, 1000, 1000},
                                    {-1060, 0, 1000}, {1000, 0, -1060},      {-530, 900, -1000},
                                    {-900, -900, 900}};
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
        for (int form = 0; form < 2; form++) { /* by rows, by columns */
            double x[9];
            int e = 0;
            for (int i = 0; i < 9; i++) x[i] = ldexp(whole[i], powers[p][form ? i % 3 : i / 3]);
            for (int i = 0; i < 3; i++) e += powers[p][i];
            arr a = matrix_of(3, 3, x), out[2];
            ok(op_apply(out, op_find("slogdet"), &a, 1, &from_one, &last_error));
            assert_true(arr_get_num(&out[0], out[0].data) == 1);
            assert_within(arr_get_num(&out[1], out[1].data) - (log(274) + e * log(2)),
                          1e5 * unit(ARR_F64) + 4 * abs(e) * unit(ARR_F64));
            drop_all(out, 2);
            if (e > 1000) assert_refused(try_row("det", &a, 1), PH_EUNABLE, "take slogdet");
            else {
                run_row(out, "det", &a);
                assert_within(arr_get_num(&out[0], out[0].data) - ldexp(274, e),
                              ldexp(1e5 * unit(ARR_F64), e));
                arr_drop(&out[0]);
            }
            arr_drop(&a);
        }
}

/* ---- exponentials of what is large -------------------------------------------------------------------------- */

/* Of size k, yet with exponentials that their series ends or a formula gives: halved as |A| says, 1 and k were off by everything from
 * 1e13 on. A few roundings of the entry each (64 u): the approximant's solve and at most eleven squarings, |A^4|^(1/4) being at most
 * some 1e4 of the last one. */
static void exponentials_of_large_triangles(void **state) {
    (void)state;
    for (double k = 1; k < 1e285; k *= 1e3) {
        arr a = matrix_of(2, 2, (double[]){0, k, 0, 0}), x, y, z;
        run_row(&x, "expm", &a);
        assert_within(creal(at2(&x, 0, 0)) - 1, 64 * unit(ARR_F64));
        assert_within(creal(at2(&x, 1, 1)) - 1, 64 * unit(ARR_F64));
        assert_within(creal(at2(&x, 1, 0)) * k,
                      64 * unit(ARR_F64)); /* a pivot's rounding, of what stands beside k */
        assert_within(creal(at2(&x, 0, 1)) / k - 1, 64 * unit(ARR_F64));
        arr b = matrix_of(2, 2, (double[]){1, k, 0, -1}); /* k sinh 1 */
        run_row(&y, "expm", &b);
        assert_within(creal(at2(&y, 0, 1)) / k / sinh(1) - 1, 64 * unit(ARR_F64));
        assert_within(creal(at2(&y, 0, 0)) / exp(1) - 1, 64 * unit(ARR_F64));
        assert_within(creal(at2(&y, 1, 1)) / exp(-1) - 1, 64 * unit(ARR_F64));
        double c = fmin(k, 1e140); /* N^3 = 0: 1 + N + N N/2 */
        arr n = matrix_of(3, 3, (double[]){0, c, 3, 0, 0, c, 0, 0, 0});
        run_row(&z, "expm", &n);
        assert_within(creal(at2(&z, 0, 1)) / c - 1, 64 * unit(ARR_F64));
        assert_within(creal(at2(&z, 0, 2)) / (3 + c * c / 2) - 1, 64 * unit(ARR_F64));
        drop_all((arr[]){a, b, n, x, y, z}, 6);
    }
}

/* A rotation by k is off by some k u, so by 1e17 by everything. */
static void exponentials_without_a_digit_are_refused(void **state) {
    (void)state;
    for (double k = 1e3; k < 1e300; k *= 1e2) {
        arr a = matrix_of(2, 2, (double[]){0, -k, k, 0}), x;
        if (k > 1e17) assert_refused(try_row("expm", &a, 1), PH_EUNABLE, "no digit");
        else if (k < 1e16) {
            run_row(&x, "expm", &a);
            assert_within(creal(at2(&x, 0, 0)) - cos(k), 32 * k * unit(ARR_F64));
            arr_drop(&x);
        }
        arr_drop(&a);
    }
}

/* ---- what LAPACK cannot count ------------------------------------------------------------------------------- */

/* One number seen as a matrix of n by n: the shapes' rules refuse it before any memory is taken, and not sooner. Of vectors too, dgesdd
 * works in 4 n^2 + 8 n numbers, dsyevd in 2 n^2 + 6 n + 1; of singular values alone in 10 n. */
static void what_lapack_cannot_count_is_refused(void **state) {
    (void)state;
    if (SIZE_MAX == UINT32_MAX) skip(); /* no matrix is so large there */
    static const struct {
        const char *name;
        int64_t most;
    } rows[] = {{"svd", 23169}, {"svdvals", 214748364}, {"eigh", 32766}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int over = 0; over < 2; over++) {
            const int64_t n = rows[r].most + over;
            const op *row = op_find(rows[r].name);
            op_spec out[OP_MAXOUT];
            arr one = matrix_of(1, 1, (double[]){1}), x;
            ok(arr_broadcast_to(&x, &one, 2, (int64_t[]){n, n}, &last_error));
            ph_status st = row->shape(out, row, &x, 1, &from_one, &last_error);
            if (st != (over ? PH_EUNABLE : PH_OK)) fail_msg("%s of %d: %d", rows[r].name, (int)n, st);
            drop_all((arr[]){one, x}, 2);
        }
}

/* ---- interrupts ----------------------------------------------------------------------------------------------- */

static void interrupts_are_seen_between_matrices_and_slabs(void **state) {
    (void)state;
    enum { STACK = 30 };
    arr a = random_array(ARR_F64, 3, (int64_t[]){STACK, 3, 3}, 1), h, s,
        b = random_array(ARR_F64, 3, (int64_t[]){STACK, 3, 2}, 2);
    ok(arr_permute(&h, &a, (int[]){0, 2, 1}, &last_error));
    ok(op_call2(&s, "matmul", &a, &h, &last_error));
    for (int r = 0; r < 3; r++) /* the others take one matrix */
        assert_true(survives_interrupts(op_find(of_squares[r]), &a, 1, &from_one) >= STACK);
    for (int r = 0; r < 4; r++)
        assert_true(survives_interrupts(op_find(of_any[r]), &a, 1, &from_one) >= STACK);
    for (int r = 0; r < 2; r++)
        assert_true(survives_interrupts(op_find(of_definite[r]), &s, 1, &from_one) >= STACK);
    assert_true(survives_interrupts(op_find("solve"), (arr[]){a, b}, 2, &from_one) >= STACK);
    drop_all((arr[]){a, h, s, b}, 4);
    static const struct {
        int64_t m, k, n;
        size_t least;
    } products[] = {{20, 9000, 24, 9}, {130, 2100, 140, 4}};
    for (int p = 0; p < 2; p++) {
        arr in[2] = {random_matrix(ARR_F64, products[p].m, products[p].k, 1),
                     random_matrix(ARR_F64, products[p].k, products[p].n, 2)},
            t = transposed(&in[0]);
        assert_true(survives_interrupts(op_find("matmul"), in, 2, NULL) >= products[p].least);
        assert_true(survives_interrupts(op_find("matmul"), (arr[]){in[0], t}, 2, NULL) >= products[p].least);
        drop_all((arr[]){in[0], in[1], t}, 3);
    }
    arr cofactors[4];
    for (int k = 0; k < 4; k++) cofactors[k] = random_matrix(ARR_F64, 7, 7, (uint64_t)k);
    assert_true(survives_interrupts(op_find("derivative of det"), cofactors, 4, NULL) >=
                35); /* 7 over 4 sets */
    drop_all(cofactors, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_at_every_edge_in_every_layout),
        cmocka_unit_test(a_last_block_may_be_one_row_or_column),
        cmocka_unit_test(long_inner_products_have_all_their_parts),
        cmocka_unit_test(workspaces_are_large_enough),
        cmocka_unit_test(least_squares_take_any_number_of_right_sides),
        cmocka_unit_test(an_entry_that_is_not_finite_is_named),
        cmocka_unit_test(derivatives_of_det_end_at_the_seventh),
        cmocka_unit_test(a_column_that_depends_on_others_has_no_derivative),
        cmocka_unit_test(a_basis_of_the_rest_must_not_matter),
        cmocka_unit_test(determinants_at_the_ends_of_the_range),
        cmocka_unit_test(exponentials_of_large_triangles),
        cmocka_unit_test(exponentials_without_a_digit_are_refused),
        cmocka_unit_test(what_lapack_cannot_count_is_refused),
        cmocka_unit_test(interrupts_are_seen_between_matrices_and_slabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
