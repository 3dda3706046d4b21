/* Factorizations: defining residuals with bounds, matrices whose answers are known, and everything that must
 * be refused.
 *
 * Bounds. LU, QR, SVD and the eigenvalue methods are backward stable: what they return is exact for A + E
 * with |E|_F <= p(m, n) u |A|_F, p a low polynomial (Higham, Accuracy and Stability,
 * theorems 9.4, 10.3, 19.4; LAPACK Users' Guide, 4). Householder's has p = c m n with c of a few units
 * (complex ones twice that); the check multiplies the factors again, at most k u more for each of them. p =
 * 16 m n covers both; m n u is below 1e-12 here, so a wrong factor cannot hide.
 * Sources: array/linalg_blas.c array/linalg_eig.c array/linalg_expm.c array/linalg_factor.c array/linalg_lapack.c array/linalg_lstsq.c
 * Sources: array/linalg_small.c array/linalg_solve.c */
#include "linalg_common.h"

static double stable(const arr *a, arr_dtype t) {
    return 16.0 * (double)(a->shape[0] * a->shape[1]) * unit(t) * frobenius(a);
}

/* The documented rule of phases: first element of at least 0.9 of the largest is real, positive. */
static void check_phase(const arr *v) {
    for (int64_t j = 0; j < v->shape[1]; j++) {
        double most = 0;
        for (int64_t i = 0; i < v->shape[0]; i++) most = fmax(most, cabs(at2(v, i, j)));
        for (int64_t i = 0; i < v->shape[0]; i++) {
            cplx z = at2(v, i, j);
            if (cabs(z) < 0.9 * most) continue;
            assert_true(creal(z) > 0);
            assert_within(cimag(z), 4 * unit(ARR_F64));
            break;
        }
    }
}

/* A strided, transposed view of m x n: every second row and column of something larger. */
static arr odd_view(arr_dtype t, int64_t m, int64_t n, uint64_t seed) {
    arr big = random_matrix(t, 2 * n + 1, 2 * m + 1, seed), v, w;
    ok(arr_slice(&v, &big, 2, (arr_range[]){{2 * n, -2, n, false}, {1, 2, m, false}}, &last_error));
    w = transposed(&v);
    arr_drop(&v);
    arr_drop(&big);
    return w;
}

static const int64_t shapes[][2] = {{1, 1}, {2, 2}, {5, 3}, {3, 5}, {40, 40}, {60, 7}, {7, 60}};

static void qr_reassembles(void **state) {
    (void)state;
    for (int t = 0; t < 4; t++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int full = 0; full < 2; full++) {
                int64_t m = shapes[s][0], n = shapes[s][1], k = full ? m : m < n ? m : n;
                arr a = odd_view(types[t], m, n, s + 1), out[2];
                run_with(out, "qr", &a, 1, &(op_attrs){.base = 1, .word = full ? "full" : NULL});
                assert_int_equal(out[0].dtype, field(types[t]));
                assert_true(out[0].shape[0] == m && out[0].shape[1] == k && out[1].shape[0] == k &&
                            out[1].shape[1] == n);
                arr p = mul(&out[0], &out[1]);
                assert_within(distance(&p, &a), stable(&a, out[0].dtype));
                check_orthonormal(&out[0]);
                for (int64_t i = 0; i < k; i++)
                    for (int64_t j = 0; j <= i && j < n; j++) {
                        cplx r = at2(&out[1], i, j);
                        assert_true(cimag(r) == 0 && (i == j ? creal(r) >= 0 : creal(r) == 0));
                    }
                drop_all(out, 2);
                arr_drop(&p);
                arr_drop(&a);
            }
}

static arr times_values(const arr *u, const arr *s) { /* U diag(s), the first columns */
    arr cols, p;
    ok(arr_slice(&cols, u, 2, (arr_range[]){{0, 1, u->shape[0], false}, {0, 1, s->shape[0], false}},
                 &last_error));
    ok(op_call2(&p, "mul", &cols, s, &last_error));
    arr_drop(&cols);
    return p;
}

static void svd_reassembles(void **state) {
    (void)state;
    for (int t = 0; t < 4; t++)
        for (size_t q = 0; q < sizeof shapes / sizeof shapes[0]; q++)
            for (int full = 0; full < 2; full++) {
                int64_t m = shapes[q][0], n = shapes[q][1], k = m < n ? m : n;
                arr a = odd_view(types[t], m, n, q + 3), out[3], values, rows;
                run_with(out, "svd", &a, 1, &(op_attrs){.base = 1, .word = full ? "full" : "thin"});
                run_row(&values, "svdvals", &a);
                assert_true(out[0].dtype == wide(types[t]) && out[1].dtype == ARR_F64 &&
                            out[1].shape[0] == k);
                assert_true(out[0].shape[1] == (full ? m : k) && out[2].shape[0] == (full ? n : k) &&
                            out[2].shape[1] == n);
                arr us = times_values(&out[0], &out[1]);
                ok(arr_slice(&rows, &out[2], 1, (arr_range[]){{0, 1, k, false}}, &last_error));
                arr p = mul(&us, &rows), v = adjoint(&out[2]);
                assert_within(distance(&p, &a), stable(&a, ARR_F64));
                check_orthonormal(&out[0]);
                check_orthonormal(&v);
                check_phase(&out[0]);
                for (int64_t i = 0; i < k; i++) {
                    double s = creal(at1(&out[1], i));
                    assert_true(s >= 0 && (i == 0 || s <= creal(at1(&out[1], i - 1))));
                    assert_within(s - creal(at1(&values, i)), stable(&a, ARR_F64)); /* Weyl */
                }
                drop_all(out, 3);
                drop_all((arr[]){values, rows, us, p, v, a}, 6);
            }
}

static void cholesky_reassembles(void **state) {
    (void)state;
    for (int t = 0; t < 3; t++)
        for (int64_t n = 1; n <= 33; n += 8) {
            arr a = definite(types[t], n, 2), l;
            run_row(&l, "cholesky", &a);
            arr h = adjoint(&l), p = mul(&l, &h);
            assert_int_equal(l.dtype, types[t]);
            assert_within(distance(&p, &a), stable(&a, l.dtype));
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = i; j < n; j++)
                    assert_true(i == j ? creal(at2(&l, i, j)) > 0 : at2(&l, i, j) == 0);
            drop_all((arr[]){a, l, h, p}, 4);
        }
}

static void eigh_diagonalizes(void **state) {
    (void)state;
    for (int t = 0; t < 3; t++)
        for (int64_t n = 1; n <= 33; n += 8) {
            arr a = definite(types[t], n, 5), out[2];
            run_row(out, "eigh", &a);
            assert_true(out[0].dtype == ARR_F64 && out[1].dtype == wide(types[t]));
            arr av = mul(&a, &out[1]), vw = times_values(&out[1], &out[0]);
            /* f32 input is symmetric only to its own rounding, and is worked on as its symmetric part */
            assert_within(distance(&av, &vw), stable(&a, types[t]));
            check_orthonormal(&out[1]);
            check_phase(&out[1]);
            for (int64_t i = 1; i < n; i++) assert_true(creal(at1(&out[0], i)) >= creal(at1(&out[0], i - 1)));
            drop_all((arr[]){a, out[0], out[1], av, vw}, 5);
        }
}

static void eig_diagonalizes(void **state) {
    (void)state;
    for (int t = 0; t < 4; t++)
        for (int64_t n = 1; n <= 33; n += 8) {
            arr a = odd_view(types[t], n, n, 11), out[2];
            run_row(out, "eig", &a);
            assert_true(out[0].dtype == ARR_C128 && out[1].dtype == ARR_C128);
            arr av = mul(&a, &out[1]), vw = times_values(&out[1], &out[0]);
            assert_within(distance(&av, &vw), stable(&a, ARR_F64) * sqrt((double)n)); /* |V|_F = sqrt n */
            check_phase(&out[1]);
            for (int64_t j = 0; j < n; j++) {
                double size = 0;
                for (int64_t i = 0; i < n; i++) size = hypot(size, cabs(at2(&out[1], i, j)));
                assert_within(size - 1, 4 * (double)n * unit(ARR_F64));
                cplx w = at1(&out[0], j), before = j ? at1(&out[0], j - 1) : w;
                assert_true(creal(before) < creal(w) ||
                            (creal(before) == creal(w) && cimag(before) <= cimag(w)));
            }
            drop_all((arr[]){a, out[0], out[1], av, vw}, 5);
        }
}

/* Gaussian elimination with partial pivoting: |A x - b| <= 2 n^2 (3 n u) g |A| |x| in the max norm
 * (Higham 9.5), with the growth g <= n for matrices that are not made to defeat it. */
static double solve_bound(const arr *a, const arr *x, arr_dtype t) {
    double n = (double)a->shape[0];
    return 6 * n * n * n * n * unit(t) * frobenius(a) * frobenius(x);
}

static void solve_leaves_no_residual(void **state) {
    (void)state;
    for (int t = 0; t < 3; t++)
        for (int64_t n = 1; n <= 21; n += 5)
            for (int vector = 0; vector < 2; vector++) {
                arr a = odd_view(types[t], n, n, 7),
                    b = vector ? random_array(types[t], 1, &n, 8) : odd_view(types[t], n, 3, 9), x, d;
                ok(op_call2(&x, "solve", &a, &b, &last_error));
                assert_true(x.dtype == types[t] && arr_same_shape(&x, &b));
                arr ax = mul(&a, &x);
                ok(op_call2(&d, "sub", &ax, &b, &last_error));
                assert_within(frobenius(&d), solve_bound(&a, &x, x.dtype));
                drop_all((arr[]){a, b, x, d, ax}, 5);
            }
}

/* A stack gives, matrix by matrix, the very bits of one at a time. */
static void stacks_are_many_single_ones(void **state) {
    (void)state;
    static const char *const names[] = {"inv", "qr", "svd", "svdvals", "eig", "pinv", "expm"};
    for (int t = 0; t < 4; t++) {
        arr a = random_array(types[t], 3, (int64_t[]){3, 6, 6}, 21), out[OP_MAXOUT], one[OP_MAXOUT];
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            if (types[t] == ARR_BOOL && strcmp(names[k], "inv") == 0) continue; /* may be singular */
            int n = op_find(names[k])->n_out;
            run_row(out, names[k], &a);
            for (int64_t i = 0; i < 3; i++) {
                arr m = matrix_at(&a, i);
                run_row(one, names[k], &m);
                for (int j = 0; j < n; j++) {
                    arr part = matrix_at(&out[j], i);
                    assert_memory_equal(part.data, one[j].data,
                                        (size_t)arr_size(&one[j]) * arr_itemsize(one[j].dtype));
                }
                drop_all(one, n);
            }
            drop_all(out, n);
        }
        arr_drop(&a);
    }
}

static void solve_broadcasts_stacks(void **state) {
    (void)state;
    arr a = random_array(ARR_F64, 3, (int64_t[]){3, 4, 4}, 1),
        b = random_array(ARR_F64, 3, (int64_t[]){3, 4, 2}, 2),
        v = random_array(ARR_F64, 1, (int64_t[]){4}, 3), one = matrix_at(&a, 1), x, y;
    ok(op_call2(&x, "solve", &a, &v, &last_error));
    assert_true(x.ndim == 2 && x.shape[0] == 3 && x.shape[1] == 4);
    for (int64_t i = 0; i < 3; i++) {
        arr ai = matrix_at(&a, i), xi = matrix_at(&x, i);
        ok(op_call2(&y, "solve", &ai, &v, &last_error));
        assert_memory_equal(xi.data, y.data, 4 * sizeof(double));
        arr_drop(&y);
    }
    arr_drop(&x);
    ok(op_call2(&x, "solve", &one, &b, &last_error)); /* one A, three right-hand sides */
    for (int64_t i = 0; i < 3; i++) {
        arr bi = matrix_at(&b, i), xi = matrix_at(&x, i);
        ok(op_call2(&y, "solve", &one, &bi, &last_error));
        assert_memory_equal(xi.data, y.data, 8 * sizeof(double));
        arr_drop(&y);
    }
    drop_all((arr[]){a, b, v, x}, 4);
}

/* ---- known answers ------------------------------------------------------------------------------------- */

static arr hilbert(int64_t n) {
    arr a;
    ok(arr_new(&a, ARR_F64, 2, (int64_t[]){n, n}, &last_error));
    for (int64_t i = 0; i < n * n; i++) ((double *)a.data)[i] = 1.0 / (double)(i / n + i % n + 1);
    return a;
}

static double choose(int64_t n, int64_t k) {
    double c = 1;
    for (int64_t i = 1; i <= k; i++) c = c * (double)(n - k + i) / (double)i;
    return c;
}

/* (H^-1)_ij = (-1)^(i+j) (i+j-1) C(n+i-1, n-j) C(n+j-1, n-i) C(i+j-2, i-1)^2, integers. A computed inverse
 * has relative error up to n^2 u cond (rounding H's entries alone gives u cond). */
static void the_hilbert_inverse_is_whole(void **state) {
    (void)state;
    enum { N = 6 };
    arr h = hilbert(N), x, p, want = hilbert(N);
    for (int64_t i = 1; i <= N; i++)
        for (int64_t j = 1; j <= N; j++)
            ((double *)want.data)[(i - 1) * N + j - 1] = ((i + j) % 2 ? -1 : 1) * (double)(i + j - 1) *
                                                         choose(N + i - 1, N - j) * choose(N + j - 1, N - i) *
                                                         pow(choose(i + j - 2, i - 1), 2);
    double cond = number_of("cond", &h);
    assert_within(cond - 14951058.64,
                  0.01 + 36 * unit(ARR_F64) * cond * cond); /* the published value, to its digits */
    run_row(&x, "inv", &h);
    assert_within(distance(&x, &want), 36 * unit(ARR_F64) * cond * frobenius(&want));
    run_row(&p, "pinv", &h);
    assert_within(distance(&p, &want), 36 * unit(ARR_F64) * cond * frobenius(&want));
    drop_all((arr[]){h, x, p, want}, 4);
}

static void a_rotation_has_unit_eigenvalues(void **state) {
    (void)state;
    for (double theta = 0.1; theta < 3.1; theta += 0.7) {
        arr r = matrix_of(2, 2, (double[]){cos(theta), -sin(theta), sin(theta), cos(theta)}), out[2];
        run_row(out, "eig", &r);
        /* normal: eigenvalues move by at most |E| <= 16 n^2 u |R| (Bauer and Fike with cond V = 1) */
        assert_within(cabs(at1(&out[0], 0) - cexp(CMPLX(0, -theta))), 64 * 1.5 * unit(ARR_F64));
        assert_within(cabs(at1(&out[0], 1) - cexp(CMPLX(0, theta))), 64 * 1.5 * unit(ARR_F64));
        drop_all((arr[]){r, out[0], out[1]}, 3);
    }
}

static void determinants_are_known(void **state) {
    (void)state;
    arr v, e = identity(0), d[2];
    ok(arr_new(&v, ARR_F64, 2, (int64_t[]){6, 6}, &last_error));
    for (int64_t i = 0; i < 36; i++) ((double *)v.data)[i] = pow((double)(i / 6 + 1), (double)(i % 6));
    /* Vandermonde on 1..6: the product of all differences, 1! 2! 3! 4! 5! = 34560. Relative error up to n
     * cond |E|/|A|. */
    assert_within(number_of("det", &v) - 34560, 34560 * 6 * 36 * unit(ARR_F64) * number_of("cond", &v));
    run_row(d, "slogdet", &v);
    assert_true(number(&d[0]) == 1);
    assert_within(number(&d[1]) - log(34560), 6 * 36 * unit(ARR_F64) * number_of("cond", &v));
    drop_all(d, 2);
    assert_true(number_of("det", &e) == 1);
    run_row(d, "slogdet", &e);
    assert_true(number(&d[0]) == 1 && number(&d[1]) == 0);
    drop_all(d, 2);
    arr z = matrix_of(2, 2, (double[]){1, 2, 2, 4});
    assert_true(number_of("det", &z) == 0);
    run_row(d, "slogdet", &z);
    assert_true(number(&d[0]) == 0 && number(&d[1]) == -INFINITY);
    drop_all(d, 2);
    arr big = matrix_of(3, 3, (double[]){1e200, 0, 0, 0, 1e200, 0, 0, 0, 1e-300});
    assert_within(number_of("det", &big) / 1e100 - 1,
                  8 * unit(ARR_F64)); /* partial products overflow, the result does not */
    arr swap = matrix_of(3, 3, (double[]){0, 1, 0, 1, 0, 0, 0, 0, 1});
    assert_true(number_of("det", &swap) == -1);
    arr c, dc;
    ok(arr_convert(&c, &swap, ARR_C128, &last_error));
    ((arr_c128 *)c.data)[1] = (arr_c128){0, 1};
    run_row(&dc, "det", &c);
    assert_true(cabs(CMPLX(((arr_c128 *)dc.data)->re, ((arr_c128 *)dc.data)->im) - CMPLX(0, -1)) <=
                2 * unit(ARR_F64));
    drop_all((arr[]){v, e, z, big, swap, c, dc}, 7);
}

static void expm_is_known(void **state) {
    (void)state;
    /* skew: e^(theta J) is a rotation. Normal, so of condition |A|; halved s < log2|A| times, each squaring
     * adds 2 n u. */
    for (double theta = 0.001; theta < 100; theta *= 3) {
        arr a = matrix_of(2, 2, (double[]){0, -theta, theta, 0}), x,
            want = matrix_of(2, 2, (double[]){cos(theta), -sin(theta), sin(theta), cos(theta)});
        run_row(&x, "expm", &a);
        assert_within(distance(&x, &want), 32 * (1 + theta) * unit(ARR_F64));
        drop_all((arr[]){a, x, want}, 3);
    }
    /* nilpotent: N^4 = 0 ends the series */
    for (int t = 0; t < 4; t++) {
        arr n = random_matrix(types[t], 4, 4, 3), f, x, want = identity(4), power = identity(4), w;
        for (int64_t i = 0; i < 16; i++)
            if (i % 4 <= i / 4) memset(n.data + (size_t)i * arr_itemsize(n.dtype), 0, arr_itemsize(n.dtype));
        ok(arr_convert(&f, &n, wide(types[t]), &last_error));
        double scale = 1;
        for (int k = 1; k < 4; k++) {
            arr next = mul(&power, &f), term, c, sum;
            arr_drop(&power);
            power = next;
            scale /= k;
            ok(arr_scalar(&c, ARR_F64, (arr_c128){scale, 0}, &last_error));
            ok(op_call2(&term, "mul", &power, &c, &last_error));
            ok(op_call2(&sum, "add", &want, &term, &last_error));
            arr_drop(&want);
            want = sum;
            drop_all((arr[]){term, c}, 2);
        }
        run_row(&x, "expm", &n);
        w = want;
        assert_within(distance(&x, &w), 64 * unit(ARR_F64) * exp(frobenius(&n)));
        drop_all((arr[]){n, f, x, want, power}, 5);
    }
    arr a = matrix_of(1, 1, (double[]){1}), big = matrix_of(1, 1, (double[]){1000}), x;
    run_row(&x, "expm", &a);
    assert_within(creal(at2(&x, 0, 0)) - exp(1), 16 * unit(ARR_F64));
    assert_refused(try_row("expm", &big, 1), PH_EUNABLE, "passes the largest f64");
    drop_all((arr[]){a, x, big}, 3);
}

/* Every degree and halving agrees with e^A = (e^(A/64))^64, the small one by its Taylor series. */
static void expm_agrees_with_its_series(void **state) {
    (void)state;
    for (int s = 0; s < 7; s++) {
        enum { N = 5 };
        double size = pow(4, s - 4), x[N * N], y[N * N] = {0}, term[N * N] = {0};
        arr a = random_matrix(ARR_F64, N, N, 5 + (uint64_t)s), e;
        for (int i = 0; i < N * N; i++) ((double *)a.data)[i] *= size, x[i] = ((double *)a.data)[i] / 64;
        for (int i = 0; i < N; i++) y[i * N + i] = term[i * N + i] = 1;
        for (int k = 1; k < 40; k++) {
            double next[N * N] = {0};
            for (int i = 0; i < N * N; i++)
                for (int l = 0; l < N; l++) next[i] += term[i / N * N + l] * x[l * N + i % N] / k;
            memcpy(term, next, sizeof term);
            for (int i = 0; i < N * N; i++) y[i] += term[i];
        }
        for (int k = 0; k < 6; k++) {
            double next[N * N] = {0};
            for (int i = 0; i < N * N; i++)
                for (int l = 0; l < N; l++) next[i] += y[i / N * N + l] * y[l * N + i % N];
            memcpy(y, next, sizeof y);
        }
        run_row(&e, "expm", &a);
        arr want = matrix_of(N, N, y);
        /* both sides: 64-fold squaring multiplies relative errors of n u by 64, in the norm's growth e^|A|
         * over |e^A| */
        double norm = frobenius(&a);
        assert_within(distance(&e, &want), 2 * 64 * N * N * unit(ARR_F64) * exp(norm));
        drop_all((arr[]){a, e, want}, 3);
    }
}

static void least_squares_fit(void **state) {
    (void)state;
    for (int t = 0; t < 4; t++)
        for (int vector = 0; vector < 2; vector++) {
            arr a = odd_view(types[t], 12, 4, 3),
                b = vector ? random_array(types[t], 1, (int64_t[]){12}, 4)
                           : random_matrix(types[t], 12, 2, 4),
                out[4], r, g;
            run_with(out, "lstsq", (arr[]){a, b}, 2, &from_one);
            arr ax = mul(&a, &out[0]), h = adjoint(&a);
            ok(op_call2(&r, "sub", &ax, &b, &last_error));
            ok(op_call2(&g, "matmul", &h, &r,
                        &last_error)); /* the residual is orthogonal to the columns of A */
            double size = frobenius(&a);
            assert_within(frobenius(&g),
                          16 * 48 * unit(ARR_F64) * size * (size * frobenius(&out[0]) + frobenius(&b)));
            assert_true(number(&out[2]) == 4 && out[3].shape[0] == 4);
            assert_true(out[1].ndim == (vector ? 0 : 1));
            if (vector) assert_within(number(&out[1]) - frobenius(&r), 64 * unit(ARR_F64) * frobenius(&b));
            drop_all(out, 4);
            drop_all((arr[]){a, b, r, g, ax, h}, 6);
        }
    /* rank 1: x is the shortest of a line of solutions */
    arr a = matrix_of(2, 2, (double[]){1, 1, 1, 1}), b = vector_of(2, (double[]){1, 3}), out[4];
    run_with(out, "lstsq", (arr[]){a, b}, 2, &from_one);
    assert_true(number(&out[2]) == 1);
    for (int i = 0; i < 2; i++) assert_within(creal(at1(&out[0], i)) - 1, 64 * unit(ARR_F64));
    assert_within(number(&out[1]) - sqrt(2), 64 * unit(ARR_F64) * 4);
    drop_all(out, 4);
    drop_all((arr[]){a, b}, 2);
}

/* A P A = A, P A P = P, and A P and P A are their own adjoints: of complex matrices too, whose singular values are not 1. 16 roundings of 63 terms each,
 * four times as many in complex numbers. */
static void a_pseudo_inverse_is_penroses(void **state) {
    (void)state;
    for (int64_t r = 1; r <= 5; r++) {
        arr x = random_matrix(ARR_C128, 9, r, 3), y = random_matrix(ARR_C128, r, 7, 4), a = mul(&x, &y), p;
        run_row(&p, "pinv", &a);
        arr ap = mul(&a, &p), pa = mul(&p, &a), apa = mul(&ap, &a), pap = mul(&pa, &p);
        double k = frobenius(&a) * frobenius(&p) + 1, room = 64 * 63 * unit(ARR_F64) * k;
        assert_within(distance(&apa, &a), room * frobenius(&a));
        assert_within(distance(&pap, &p), room * k * frobenius(&p));
        for (int64_t i = 0; i < 9; i++)
            for (int64_t j = 0; j < 9; j++)
                assert_within(cabs(at2(&ap, i, j) - conj(at2(&ap, j, i))), room * k);
        drop_all((arr[]){x, y, a, p, ap, pa, apa, pap}, 8);
    }
}

static void rank_counts_what_is_not_zero(void **state) {
    (void)state;
    for (int64_t r = 0; r <= 5; r++) {
        arr x = random_matrix(ARR_F64, 9, r, 1), y = random_matrix(ARR_F64, r, 7, 2), a = mul(&x, &y), f;
        assert_true(number_of("rank", &a) == (double)r);
        ok(arr_convert(&f, &a, ARR_F32, &last_error)); /* rounding to f32 is not rank, when eps is f32's */
        assert_true(number_of("rank", &f) == (double)r);
        arr p, apa, pap;
        run_row(&p, "pinv", &a); /* Penrose: A P A = A, P A P = P */
        arr ap = mul(&a, &p);
        apa = mul(&ap, &a), pap = mul(&p, &ap);
        double k = frobenius(&a) * frobenius(&p) + 1;
        assert_within(distance(&apa, &a), 16 * 63 * unit(ARR_F64) * k * frobenius(&a));
        assert_within(distance(&pap, &p), 16 * 63 * unit(ARR_F64) * k * k * frobenius(&p));
        drop_all((arr[]){x, y, a, f, p, ap, apa, pap}, 8);
    }
    arr d = matrix_of(2, 2, (double[]){1, 0, 0, 0.01}), one;
    run_with(&one, "rank", &d, 1, &(op_attrs){.num = 0.1});
    assert_true(number(&one) == 1);
    assert_true(number_of("cond", &d) > 99.999 && number_of("cond", &d) < 100.001);
    arr z = matrix_of(2, 2, (double[]){0, 0, 0, 0});
    assert_true(number_of("cond", &z) == INFINITY && number_of("rank", &z) == 0);
    drop_all((arr[]){d, one, z}, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qr_reassembles),
        cmocka_unit_test(svd_reassembles),
        cmocka_unit_test(cholesky_reassembles),
        cmocka_unit_test(eigh_diagonalizes),
        cmocka_unit_test(eig_diagonalizes),
        cmocka_unit_test(solve_leaves_no_residual),
        cmocka_unit_test(stacks_are_many_single_ones),
        cmocka_unit_test(solve_broadcasts_stacks),
        cmocka_unit_test(the_hilbert_inverse_is_whole),
        cmocka_unit_test(a_rotation_has_unit_eigenvalues),
        cmocka_unit_test(determinants_are_known),
        cmocka_unit_test(expm_is_known),
        cmocka_unit_test(expm_agrees_with_its_series),
        cmocka_unit_test(least_squares_fit),
        cmocka_unit_test(a_pseudo_inverse_is_penroses),
        cmocka_unit_test(rank_counts_what_is_not_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
