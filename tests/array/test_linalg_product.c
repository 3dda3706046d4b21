/* matmul, dot, outer, kron, trace: against sums written out, in every type, layout and number of threads.
 * Sources: array/linalg_blas.c array/linalg_product.c */
#include <sys/wait.h>
#include <unistd.h>

#include "linalg_common.h"

/* A dot product of length k in any order errs by at most k u' sum |a||b|, u' = u/(1 - ku) (Higham, Accuracy
 * and Stability, 3.1); a complex one by (k + 2) sqrt 2 u'. One more rounding for the result's type, one for
 * the oracle's. */
static double product_bound(arr_dtype t, int64_t k, double size) {
    return 1.5 * (double)(k + 4) * unit(t) * size;
}

static void check_product(const arr *a, const arr *b) {
    arr c = mul(a, b);
    assert_int_equal(c.shape[0], a->shape[0]);
    assert_int_equal(c.shape[1], b->shape[1]);
    for (int64_t i = 0; i < c.shape[0]; i++)
        for (int64_t j = 0; j < c.shape[1]; j++) {
            double size;
            cplx want = slow_product(a, b, i, j, &size);
            assert_within(cabs(at2(&c, i, j) - want), product_bound(c.dtype, a->shape[1], size));
        }
    arr_drop(&c);
}

static const arr_dtype fields[] = {ARR_F32, ARR_F64, ARR_C128, ARR_BOOL};

/* Sizes on both sides of every cut: own loop, one call, several panels, slabs, matrix-vector, inner product.
 */
static void products_are_sums_in_every_type_and_size(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1},      {2, 2, 2},    {5, 6, 4},    {7, 9, 11},
                                       {1, 300, 40},   {40, 300, 1}, {1, 500, 1},  {30, 1, 9},
                                       {130, 70, 140}, {3, 2100, 5}, {64, 17, 33}, {20, 5000, 24}};
    for (size_t t = 0; t < 4; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            arr a = random_matrix(fields[t], sizes[s][0], sizes[s][1], 1 + s);
            arr b = random_matrix(fields[t], sizes[s][1], sizes[s][2], 100 + s);
            check_product(&a, &b);
            arr_drop(&a);
            arr_drop(&b);
        }
}

static void result_types_are_common_ones(void **state) {
    (void)state;
    static const arr_dtype want[4][4] = {{ARR_F64, ARR_F32, ARR_F64, ARR_C128},
                                         {ARR_F32, ARR_F32, ARR_F64, ARR_C128},
                                         {ARR_F64, ARR_F64, ARR_F64, ARR_C128},
                                         {ARR_C128, ARR_C128, ARR_C128, ARR_C128}};
    for (int s = 0; s < ARR_NDTYPE; s++)
        for (int t = 0; t < ARR_NDTYPE; t++) {
            arr a = random_matrix((arr_dtype)s, 9, 8, 3), b = random_matrix((arr_dtype)t, 8, 7, 4),
                c = mul(&a, &b);
            assert_int_equal(c.dtype, want[s][t]);
            arr_drop(&c);
            check_product(&a, &b);
            arr_drop(&a);
            arr_drop(&b);
        }
}

/* Views of one 40 x 40 array that BLAS takes as they lie, transposed, or only as copies. */
static int make_views(arr *views, const arr *base) {
    static const arr_range cuts[][2] = {
        {{0, 1, 20, false}, {0, 1, 20, false}},   {{3, 1, 20, false}, {7, 1, 20, false}},
        {{1, 2, 20, false}, {4, 1, 20, false}},   {{2, 1, 20, false}, {1, 2, 20, false}},
        {{39, -1, 20, false}, {0, 1, 20, false}}, {{0, 1, 20, false}, {39, -2, 20, false}}};
    int n = 0;
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        ok(arr_slice(&views[n], base, 2, cuts[i], &last_error));
        views[n + 1] = transposed(&views[n]);
        n += 2;
    }
    arr row;
    ok(arr_slice(&row, base, 2, (arr_range[]){{5, 1, 1, false}, {0, 2, 20, false}}, &last_error));
    ok(arr_broadcast_to(&views[n++], &row, 2, (int64_t[]){20, 20}, &last_error));
    arr_drop(&row);
    return n;
}

static void strides_and_transposes_do_not_matter(void **state) {
    (void)state;
    arr views[16];
    for (size_t t = 0; t < 4; t++) {
        arr base = random_matrix(fields[t], 40, 40, 8);
        int n = make_views(views, &base);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) check_product(&views[i], &views[j]);
        for (int i = 0; i < n; i++) { /* columns and rows of them, as thin matrices */
            arr col, row;
            ok(arr_slice(&col, &views[i], 2, (arr_range[]){{0, 1, 20, false}, {3, 1, 1, false}},
                         &last_error));
            ok(arr_slice(&row, &views[i], 1, (arr_range[]){{4, 1, 1, false}}, &last_error));
            check_product(&views[0], &col);
            check_product(&row, &views[1]);
            check_product(&row, &col);
            check_product(&col, &row);
            arr_drop(&col);
            arr_drop(&row);
        }
        for (int i = 0; i < n; i++) arr_drop(&views[i]);
        arr_drop(&base);
    }
}

/* Stacks of small products, one operand shared or none: the sums of each entry run in the order of l, to the bit, whichever operand
 * is packed and whether C is turned on the way. Sizes over 128 in all and up to 32 a side, on both sides of vectors and rows. */
static void small_stacks_add_in_order(void **state) {
    (void)state;
    static const int64_t sides[] = {4, 5, 8, 13, 32}, inner[] = {9, 16, 32};
    enum { SIDES = 5, STACK = 6 };
    for (int s = 0; s < SIDES * SIDES * 3; s++)
        for (int shape = 0; shape < 2 * 2 * 2 * 3;
             shape++) { /* f32, turned A, turned B; shared A, neither, uneven steps */
            const arr_dtype t = shape & 1 ? ARR_F32 : ARR_F64;
            const bool ta = shape & 2, tb = shape & 4;
            const int kind = shape / 8;
            const int64_t m = sides[s % SIDES], n = sides[s / SIDES % SIDES], k = inner[s / SIDES / SIDES];
            arr a = random_array(t, 4,
                                 (int64_t[]){kind > 0 ? 2 : 1, kind == 1 ? 3 : 1, ta ? k : m, ta ? m : k}, 3);
            arr b = random_array(t, 4, (int64_t[]){2, kind == 2 ? 6 : 3, tb ? n : k, tb ? k : n}, 4), va, vb;
            ok(arr_permute(&va, &a, (int[]){0, 1, ta ? 3 : 2, ta ? 2 : 3}, &last_error));
            ok(arr_permute(&vb, &b, (int[]){0, 1, tb ? 3 : 2, tb ? 2 : 3}, &last_error));
            if (kind == 2) { /* every other matrix of B: its steps are even, those of A are not */
                arr_drop(&b);
                b = vb;
                ok(arr_slice(&vb, &b, 2, (arr_range[]){{0, 1, 2, false}, {1, 2, 3, false}}, &last_error));
            }
            arr c = mul(&va, &vb);
            for (int64_t e = 0; e < STACK * m * n; e++) {
                int64_t g = e / (m * n), i = e / n % m, j = e % n;
                double sum = 0;
                for (int64_t l = 0; l < k; l++) {
                    int64_t at_a[] = {kind > 0 ? g / 3 : 0, kind == 1 ? g % 3 : 0, i, l},
                            at_b[] = {g / 3, g % 3, l, j};
                    double x = arr_get_num(&va, arr_at(&va, at_a)), y = arr_get_num(&vb, arr_at(&vb, at_b));
                    sum = t == ARR_F32 ? (double)((float)sum + (float)x * (float)y) : sum + x * y;
                }
                assert_true(arr_get_num(&c, arr_at(&c, (int64_t[]){g / 3, g % 3, i, j})) == sum);
            }
            drop_all((arr[]){c, va, vb, a, b}, 5);
        }
}

/* X X^T takes half of the products when the operands are one array: the sums are those of a copy, the result is symmetric, in
 * every type, for views, stacks, ragged last panels and any number of threads. */
static void a_gram_matrix_is_symmetric_and_right(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{1, 130, 160},  {1, 300, 40},   {2, 200, 90},
                                       {1, 137, 1100}, {1, 1100, 137}, {1, 20, 9000}};
    for (size_t t = 0; t < 3; t++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int flipped = 0; flipped < 2; flipped++) { /* stored by columns */
                const int64_t *n = sizes[s];
                arr x = random_array(fields[t], 3, (int64_t[]){n[0], n[1 + flipped], n[2 - flipped]}, 5 + s),
                    view, xt;
                ok(arr_permute(&view, &x, (int[]){0, flipped ? 2 : 1, flipped ? 1 : 2}, &last_error));
                ok(arr_permute(&xt, &view, (int[]){0, 2, 1}, &last_error));
                ph_set_threads(1);
                arr one = mul(&view, &xt);
                ph_set_threads(3);
                arr c = mul(&view, &xt), copy, turned;
                ph_set_threads(0);
                assert_memory_equal(one.data, c.data, (size_t)arr_size(&c) * arr_itemsize(c.dtype));
                ok(arr_permute(&turned, &c, (int[]){0, 2, 1}, &last_error));
                ok(arr_convert(&copy, &turned, c.dtype, &last_error));
                assert_memory_equal(copy.data, c.data, (size_t)arr_size(&c) * arr_itemsize(c.dtype));
                for (int64_t b = 0; b < c.shape[0]; b++) {
                    arr rows = matrix_at(&view, b), columns = matrix_at(&xt, b), got = matrix_at(&c, b);
                    const int64_t last = c.shape[1] - 1; /* first: its panel is ragged */
                    for (int64_t i = last; i >= 0; i -= 1 + last / 31)
                        for (int64_t j = i; j >= 0; j -= 1 + last / 43) {
                            double size;
                            cplx want = slow_product(&rows, &columns, i, j, &size);
                            assert_within(cabs(at2(&got, i, j) - want),
                                          product_bound(c.dtype, view.shape[2], size));
                        }
                }
                drop_all((arr[]){x, view, xt, one, c, copy, turned}, 7);
            }
}

static void vectors_act_as_in_numpy(void **state) {
    (void)state;
    arr a = matrix_of(2, 3, (double[]){1, 2, 3, 4, 5, 6}), x = vector_of(3, (double[]){1, 10, 100}),
        y = vector_of(2, (double[]){1, -1}), r;
    ok(op_call2(&r, "matmul", &a, &x, &last_error));
    assert_int_equal(r.ndim, 1);
    assert_true(at1(&r, 0) == 321 && at1(&r, 1) == 654);
    arr_drop(&r);
    ok(op_call2(&r, "matmul", &y, &a, &last_error));
    assert_int_equal(r.ndim, 1);
    assert_true(at1(&r, 0) == -3 && at1(&r, 1) == -3 && at1(&r, 2) == -3);
    arr_drop(&r);
    ok(op_call2(&r, "dot", &x, &x, &last_error));
    assert_int_equal(r.ndim, 0);
    assert_true(arr_get_num(&r, r.data) == 10101);
    arr_drop(&r);
    arr_drop(&a);
    arr_drop(&x);
    arr_drop(&y);
}

/* Leading dimensions broadcast; each matrix of the result is the product of its own pair. */
static void stacks_broadcast(void **state) {
    (void)state;
    static const struct {
        int na, nb, nc;
        int64_t a[5], b[5], c[5];
    } cases[] = {{3, 2, 3, {4, 5, 6}, {6, 7}, {4, 5, 7}},
                 {2, 3, 3, {5, 6}, {4, 6, 7}, {4, 5, 7}},
                 {4, 3, 4, {3, 1, 5, 6}, {2, 6, 7}, {3, 2, 5, 7}},
                 {3, 3, 3, {60, 12, 13}, {60, 13, 14}, {60, 12, 14}},
                 {3, 1, 2, {4, 5, 6}, {6}, {4, 5}},
                 {1, 3, 2, {5}, {4, 5, 6}, {4, 6}},
                 {3, 3, 3, {1, 9, 8}, {3, 8, 1}, {3, 9, 1}},
                 {4, 4, 4, {2, 3, 1, 200}, {2, 3, 200, 1}, {2, 3, 1, 1}}};
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            arr a = random_array(fields[t], cases[i].na, cases[i].a, i),
                b = random_array(fields[t], cases[i].nb, cases[i].b, i + 50);
            arr c = mul(&a, &b), wa, wb;
            assert_int_equal(c.ndim, cases[i].nc);
            assert_memory_equal(c.shape, cases[i].c, (size_t)cases[i].nc * sizeof(int64_t));
            int64_t m = a.ndim > 1 ? a.shape[a.ndim - 2] : 1, k = a.shape[a.ndim - 1],
                    n = b.ndim > 1 ? b.shape[b.ndim - 1] : 1;
            int64_t lead[5] = {0}, count = arr_size(&c) / (m * n);
            int nlead = c.ndim - (a.ndim > 1) - (b.ndim > 1);
            memcpy(lead, c.shape, (size_t)nlead * sizeof lead[0]);
            arr a2 = a, b2 = b; /* borrowed: vectors as matrices */
            if (a.ndim == 1)
                a2.ndim = 2, a2.shape[0] = 1, a2.shape[1] = k, a2.stride[0] = k, a2.stride[1] = 1;
            if (b.ndim == 1)
                b2.ndim = 2, b2.shape[0] = k, b2.shape[1] = 1, b2.stride[1] = 1, b2.stride[0] = 1;
            lead[nlead] = m, lead[nlead + 1] = k;
            ok(arr_broadcast_to(&wa, &a2, nlead + 2, lead, &last_error));
            lead[nlead] = k, lead[nlead + 1] = n;
            ok(arr_broadcast_to(&wb, &b2, nlead + 2, lead, &last_error));
            for (int64_t q = 0; q < count; q++) {
                arr pa = wa, pb = wb; /* borrowed */
                int64_t rest = q, index[8] = {0};
                for (int d = nlead - 1; d >= 0; d--) index[d] = rest % c.shape[d], rest /= c.shape[d];
                pa.data = arr_at(&wa, index), pb.data = arr_at(&wb, index);
                pa.ndim = pb.ndim = 2;
                for (int d = 0; d < 2; d++) {
                    pa.shape[d] = wa.shape[nlead + d], pa.stride[d] = wa.stride[nlead + d];
                    pb.shape[d] = wb.shape[nlead + d], pb.stride[d] = wb.stride[nlead + d];
                }
                arr pc = c;
                pc.ndim = 1, pc.shape[0] = m * n, pc.stride[0] = 1;
                pc.data = c.data + q * m * n * (int64_t)arr_itemsize(c.dtype);
                for (int64_t e = 0; e < m * n; e++) {
                    double size;
                    cplx want = slow_product(&pa, &pb, e / n, e % n, &size);
                    assert_within(cabs(at1(&pc, e) - want), product_bound(c.dtype, k, size));
                }
            }
            arr_drop(&wa);
            arr_drop(&wb);
            arr_drop(&a);
            arr_drop(&b);
            arr_drop(&c);
        }
}

static void nothing_summed_is_zero(void **state) {
    (void)state;
    arr a = random_matrix(ARR_F64, 3, 0, 1), b = random_matrix(ARR_F64, 0, 2, 1),
        h = random_matrix(ARR_F64, 2, 3, 1), c = mul(&a, &b), d = mul(&b, &h), s;
    assert_int_equal(arr_size(&c), 6);
    for (int i = 0; i < 6; i++) assert_true(((double *)c.data)[i] == 0);
    assert_int_equal(arr_size(&d), 0);
    arr x = random_array(ARR_F32, 1, (int64_t[]){0}, 1);
    ok(op_call2(&s, "dot", &x, &x, &last_error));
    assert_true(s.ndim == 0 && *(float *)s.data == 0);
    arr e = random_array(ARR_F64, 3, (int64_t[]){0, 4, 5}, 1), f = random_matrix(ARR_F64, 5, 6, 1),
        g = mul(&e, &f);
    assert_true(g.ndim == 3 && g.shape[0] == 0 && g.shape[2] == 6);
    arr *all[] = {&a, &b, &c, &d, &h, &s, &x, &e, &f, &g};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) arr_drop(all[i]);
}

/* What is not finite goes where arithmetic sends it, whatever the result's memory held before. */
static void nan_and_infinity_pass_through(void **state) {
    (void)state;
    for (int64_t n = 2; n <= 40; n += 38) {
        for (int round = 0; round < 3; round++) { /* leave NaN in freed memory */
            arr junk = random_matrix(ARR_F64, n, n, 1);
            for (int64_t i = 0; i < n * n; i++) ((double *)junk.data)[i] = NAN;
            arr_drop(&junk);
        }
        arr a = random_matrix(ARR_F64, n, n, 1), b = random_matrix(ARR_F64, n, n, 2),
            x = random_array(ARR_F64, 1, &n, 3), y;
        ((double *)a.data)[1] = INFINITY;
        ((double *)b.data)[n * n - 1] = NAN;
        arr c = mul(&a, &b);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                bool nan = j == n - 1, inf = i == 0;
                assert_true(nan   ? isnan(creal(at2(&c, i, j)))
                            : inf ? isinf(creal(at2(&c, i, j)))
                                  : isfinite(creal(at2(&c, i, j))));
            }
        ok(op_call2(&y, "matmul", &a, &x, &last_error));
        assert_true(isinf(creal(at1(&y, 0))));
        for (int64_t i = 1; i < n; i++) assert_true(isfinite(creal(at1(&y, i))));
        arr *all[] = {&a, &b, &x, &y, &c};
        for (size_t i = 0; i < 5; i++) arr_drop(all[i]);
    }
}

static void mismatches_name_both_shapes(void **state) {
    (void)state;
    arr a = random_matrix(ARR_F64, 3, 4, 1), b = random_matrix(ARR_F64, 5, 2, 1), s, out,
        p = random_array(ARR_F64, 3, (int64_t[]){2, 3, 4}, 1),
        q = random_array(ARR_F64, 3, (int64_t[]){3, 4, 5}, 1),
        x = random_array(ARR_F64, 1, (int64_t[]){3}, 1);
    ok(arr_scalar(&s, ARR_F64, (arr_c128){2, 0}, &last_error));
    assert_refused(op_call2(&out, "matmul", &a, &b, &last_error), PH_EARG,
                   "A is (3, 4) and B is (5, 2); wanted as many columns of A (4) as rows of B (5)");
    assert_refused(op_call2(&out, "matmul", &p, &q, &last_error), PH_EARG, "(2, 3, 4) and B is (3, 4, 5)");
    assert_refused(op_call2(&out, "matmul", &a, &x, &last_error), PH_EARG, "(3, 4) and B is (3)");
    assert_refused(op_call2(&out, "matmul", &s, &a, &last_error), PH_EARG, "single number");
    assert_refused(op_call2(&out, "dot", &p, &a, &last_error), PH_EARG, "matmul takes stacks");
    assert_refused(op_call2(&out, "outer", &a, &x, &last_error), PH_EARG, "x has shape (3, 4)");
    assert_refused(op_call2(&out, "kron", &a, &x, &last_error), PH_EARG, "B has shape (3)");
    assert_refused(op_call1(&out, "trace", &a, &last_error), PH_EARG, "wanted a square matrix");
    arr *all[] = {&a, &b, &p, &q, &x, &s};
    for (size_t i = 0; i < 6; i++) arr_drop(all[i]);
}

/* The cuts depend on the shape alone, so one thread, two and three give the same bits. */
static void threads_change_no_bit(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{300, 200, 310}, {1100, 1030, 20}, {20, 40, 4500}, {2000, 700, 1},
                                       {1, 700, 2000},  {1, 900000, 1},   {40, 9000, 30}, {130, 1100, 150}};
    for (size_t t = 0; t < 3; t++)
        for (size_t s = 0; s < 2 * sizeof sizes / sizeof sizes[0];
             s++) { /* twice: A as it lies, and transposed */
            const int64_t *size = sizes[s / 2];
            arr lies = random_matrix(fields[t], s % 2 ? size[1] : size[0], s % 2 ? size[0] : size[1], 5),
                a = s % 2 ? transposed(&lies) : arr_ref(&lies),
                b = random_matrix(fields[t], size[1], size[2], 6), c[3];
            for (int n = 0; n < 3; n++) {
                ph_set_threads(n + 1);
                c[n] = mul(&a, &b);
            }
            ph_set_threads(0);
            size_t bytes = (size_t)arr_size(&c[0]) * arr_itemsize(c[0].dtype);
            assert_memory_equal(c[0].data, c[1].data, bytes);
            assert_memory_equal(c[0].data, c[2].data, bytes);
            for (int i = 0; i < 40; i++) { /* and they are right, at places spread over the panels */
                int64_t r = (i * 7919) % size[0], q = (i * 104729) % size[2];
                double sum;
                if (i > 2 && size[1] > 10000) break;
                cplx want = slow_product(&a, &b, r, q, &sum);
                assert_within(cabs(at2(&c[0], r, q) - want), product_bound(c[0].dtype, size[1], sum));
            }
            for (int n = 0; n < 3; n++) arr_drop(&c[n]);
            arr_drop(&lies);
            arr_drop(&a);
            arr_drop(&b);
        }
}

static void an_interrupt_stops_a_product(void **state) {
    (void)state;
    arr a = random_matrix(ARR_F64, 600, 600, 1), x = random_array(ARR_F64, 1, (int64_t[]){600}, 2), c;
    for (int threads = 1; threads <= 2; threads++) {
        ph_set_threads(threads);
        ph_interrupt_flag = 1;
        assert_refused(op_call2(&c, "matmul", &a, &a, &last_error), PH_EINTR, "interrupted");
        assert_refused(op_call2(&c, "matmul", &a, &x, &last_error), PH_EINTR, "interrupted");
        ph_interrupt_flag = 0;
    }
    ph_set_threads(0);
    arr_drop(&a);
    arr_drop(&x);
}

/* A child of a fork has no threads but its own; its products are the parent's. */
static void a_forked_child_can_multiply(void **state) {
    (void)state;
    ph_set_threads(2);
    arr a = random_matrix(ARR_F64, 400, 300, 1), b = random_matrix(ARR_F64, 300, 410, 2), c = mul(&a, &b);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        arr d;
        alarm(20);
        if (op_call2(&d, "matmul", &a, &b, NULL) != PH_OK) _exit(2);
        _exit(memcmp(c.data, d.data, (size_t)arr_size(&c) * sizeof(double)) != 0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    arr again = mul(&a, &b);
    assert_memory_equal(c.data, again.data, (size_t)arr_size(&c) * sizeof(double));
    ph_set_threads(0);
    arr_drop(&a);
    arr_drop(&b);
    arr_drop(&c);
    arr_drop(&again);
}

static void outer_kron_and_trace_follow_their_formulas(void **state) {
    (void)state;
    for (size_t t = 0; t < 4; t++) {
        arr a = random_matrix(fields[t], 3, 4, 1), b = random_matrix(fields[t], 2, 5, 2), k,
            at = transposed(&a);
        ok(op_call2(&k, "kron", &at, &b, &last_error));
        assert_true(k.ndim == 2 && k.shape[0] == 8 && k.shape[1] == 15);
        double u = unit(k.dtype);
        for (int64_t i = 0; i < 8; i++)
            for (int64_t j = 0; j < 15; j++) {
                cplx want = at2(&at, i / 2, j / 5) * at2(&b, i % 2, j % 5);
                assert_within(cabs(at2(&k, i, j) - want),
                              4 * u * cabs(want)); /* 2 sqrt 2 u for a complex product, twice */
            }
        arr x = random_array(fields[t], 1, (int64_t[]){3}, 4),
            y = random_array(fields[t], 1, (int64_t[]){6}, 5), o;
        ok(op_call2(&o, "outer", &x, &y, &last_error));
        assert_true(o.ndim == 2 && o.shape[0] == 3 && o.shape[1] == 6 && o.dtype == k.dtype);
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j < 6; j++)
                assert_within(cabs(at2(&o, i, j) - at1(&x, i) * at1(&y, j)),
                              4 * u * cabs(at1(&x, i) * at1(&y, j)));
        arr sq = random_matrix(fields[t], 5, 5, 9), tr;
        ok(op_call1(&tr, "trace", &sq, &last_error));
        cplx sum = 0;
        double size = 0;
        for (int64_t i = 0; i < 5; i++) sum += at2(&sq, i, i), size += cabs(at2(&sq, i, i));
        assert_int_equal(tr.ndim, 0);
        arr_c128 z = arr_get_c128(&tr, tr.data);
        assert_within(cabs(CMPLX(z.re, z.im) - sum), 10 * u * size);
        arr *all[] = {&a, &b, &k, &at, &x, &y, &o, &sq, &tr};
        for (size_t i = 0; i < 9; i++) arr_drop(all[i]);
    }
}

static void memory_that_runs_out_leaves_nothing(void **state) {
    (void)state;
    arr base = random_matrix(ARR_F32, 40, 40, 1), a, b = random_matrix(ARR_F64, 20, 20, 1), c;
    ok(arr_slice(&a, &base, 2, (arr_range[]){{0, 2, 20, false}, {0, 2, 20, false}}, &last_error));
    arr wide = random_matrix(ARR_F64, 4, 5000, 2), tall = random_matrix(ARR_F64, 5000, 3, 3);
    static const char *const names[] = {"matmul", "kron", "matmul"};
    for (int k = 0; k < 3; k++) {
        const arr *left = k == 2 ? &wide : &a, *right = k == 2 ? &tall : &b;
        size_t live = ph_block_live();
        int refusals = 0;
        for (size_t from = 1;; from++) {
            ph_alloc_fail_from(from);
            ph_status st = op_call2(&c, names[k], left, right, &last_error);
            ph_alloc_fail_from(0);
            if (st == PH_OK) break;
            assert_int_equal(st, PH_ENOMEM);
            assert_int_equal(ph_block_live(), live);
            refusals++;
        }
        assert_true(refusals >= 2);
        arr_drop(&c);
    }
    drop_all((arr[]){a, b, base, wide, tall}, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_sums_in_every_type_and_size),
        cmocka_unit_test(result_types_are_common_ones),
        cmocka_unit_test(strides_and_transposes_do_not_matter),
        cmocka_unit_test(small_stacks_add_in_order),
        cmocka_unit_test(a_gram_matrix_is_symmetric_and_right),
        cmocka_unit_test(vectors_act_as_in_numpy),
        cmocka_unit_test(stacks_broadcast),
        cmocka_unit_test(nothing_summed_is_zero),
        cmocka_unit_test(nan_and_infinity_pass_through),
        cmocka_unit_test(mismatches_name_both_shapes),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(an_interrupt_stops_a_product),
        cmocka_unit_test(a_forked_child_can_multiply),
        cmocka_unit_test(outer_kron_and_trace_follow_their_formulas),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
