/* softmax, layer_norm and rms_norm against plain loops over index tuples, in long double. */
#include "array/views.h"

#include "base/parallel.h"

extern const op att_normalize_ops[];
extern const int att_normalize_nops;

typedef long double real;
static const real u = 0x1p-53L;

/* ---- oracles: one line --------------------------------------------------------------------------------- */

typedef struct {
    real value, bound;
} truth;

/* The difference x - max errs by u |x - max|, which exp turns into that relative error, and adds an ulp (2 u)
 * of its own; the sum errs by (32 + log2 n) u plus what its terms do, the division by u. In f32 the first two
 * happen in f32 (u = 2^-24), the rest in f64. `spread` is the largest finite |x - max| of the line. */
static truth softmax_at(arr_dtype t, const real *x, int64_t n, int64_t i) {
    real top = -INFINITY, sum = 0, spread = 0, own = t == ARR_F32 ? 0x1p-24L : u;
    for (int64_t k = 0; k < n; k++) top = x[k] > top ? x[k] : top;
    for (int64_t k = 0; k < n; k++) {
        sum += expl(x[k] - top);
        if (isfinite(x[k]) && top - x[k] < 800) spread = fmaxl(spread, top - x[k]);
    }
    if (top == -INFINITY) return (truth){0, 0};
    real y = expl(x[i] - top) / sum, least = t == ARR_F32 ? 0x1p-149L : 0x1p-1074L;
    return (truth){y, 1.01L * ((2 * spread + 4) * own + 48 * u) * y + least};
}

/* Scaling is exact. The mean errs by 48 u max|x|, and so does each deviation, absolutely; the root relatively
 * by half of 2 (48 u max|x|) / dev + 48 u of the squares, at most, and the rest rounds four times. */
static truth norm_at(bool centre, const real *x, int64_t n, int64_t i, real eps, real gain, real bias) {
    real mean = 0, square = 0, top = 0;
    for (int64_t k = 0; k < n; k++) mean += x[k] / n;
    if (!centre) mean = 0;
    for (int64_t k = 0; k < n; k++) {
        square += (x[k] - mean) * (x[k] - mean) / n;
        top = fmaxl(top, fabsl(x[k]));
    }
    real root = sqrtl(square + eps), y = gain * (x[i] - mean) / root;
    real slip = 50 * u * top / root;
    return (truth){y + bias,
                   fabsl(gain) * slip + fabsl(y) * (slip + 60 * u) + 2 * u * (fabsl(y) + fabsl(bias))};
}

/* ---- the rows ------------------------------------------------------------------------------------------ */

static real line_of(real *line, const arr *x, int axis, int64_t *index) {
    int64_t own = index[axis];
    for (int64_t k = 0; k < x->shape[axis]; k++) {
        index[axis] = k;
        line[k] = creall(element_at(x, x->ndim, index));
    }
    index[axis] = own;
    return line[own];
}

static const double pool[] = {0.5, -3, 2, 7.25, -1e-3, 40, -12.5, 0, 3, 1, 88, -5};
enum { NPOOL = sizeof pool / sizeof *pool };

static void check_softmax(const arr *x, int axis) {
    ph_err err;
    arr y;
    op_par par = {.has_axis = true, .axis = axis};
    real line[2000];
    int64_t index[ARR_MAXDIM];
    assert_int_equal(op_apply(&y, op_find("softmax"), x, 1, &par, &err), PH_OK);
    assert_true(arr_same_shape(x, &y));
    for (int64_t k = 0; k < arr_size(x); k++) {
        unravel(index, x->ndim, x->shape, k);
        line_of(line, x, axis, index);
        truth t = softmax_at(y.dtype, line, x->shape[axis], index[axis]);
        real got = creall(kth(&y, k)), half = ulp(y.dtype, t.value) / 2;
        assert_true(isfinite(t.bound) && fabsl(got - t.value) <= t.bound + half);
    }
    arr_drop(&y);
}

static void softmax_is_the_quotient_along_any_axis(void **state) {
    (void)state;
    static const int64_t shape[3] = {3, 5, 4}, longer[2] = {2, 1777};
    for (int t = ARR_BOOL; t <= ARR_F64; t++)
        for (int kind = 0; kind < VIEWS; kind++) {
            for (int axis = 0; axis < 3; axis++) {
                arr x = make_view(kind, (arr_dtype)t, 3, shape, pool, NPOOL, 3);
                check_softmax(&x, axis);
                arr_drop(&x);
            }
            arr x = make_view(kind, (arr_dtype)t, 2, longer, pool, NPOOL, 5);
            check_softmax(&x, 1);
            arr_drop(&x);
        }
}

/* A sum of n rounded quotients, each within 1.5 ulp-and-a-bit of q_i with sum q_i = 1: the weights add up to 1
 * within 2 own (spread + 3) + 48 u. Here spread <= 128. */
static void weights_add_up_to_one(void **state) {
    (void)state;
    ph_err err;
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr x = filled((arr_dtype)t, 2, (int64_t[]){7, 300}, pool, NPOOL, 1), y;
        assert_int_equal(op_call1(&y, "softmax", &x, &err), PH_OK);
        for (int64_t i = 0; i < 7; i++) {
            real sum = 0, own = t == ARR_F32 ? 0x1p-24L : u;
            for (int64_t j = 0; j < 300; j++) sum += creall(kth(&y, i * 300 + j));
            assert_true(fabsl(sum - 1) <= 2 * own * 131 + 48 * u);
        }
        arr_drop(&x);
        arr_drop(&y);
    }
}

static arr row_of(arr_dtype t, int64_t n, const double *v) {
    ph_err err;
    arr a;
    assert_int_equal(arr_new(&a, t, 1, &n, &err), PH_OK);
    for (int64_t i = 0; i < n; i++)
        assert_int_equal(arr_put_c128(&a, a.data + (size_t)i * arr_itemsize(t), (arr_c128){v[i], 0}, &err),
                         PH_OK);
    return a;
}

static void softmax_at_the_edges(void **state) {
    (void)state;
    static const struct {
        double x[3], y[3];
    } cases[] = {{{-INFINITY, 2, -INFINITY}, {0, 1, 0}},
                 {{-INFINITY, -INFINITY, -INFINITY}, {0, 0, 0}},
                 {{INFINITY, 0, -INFINITY}, {NAN, NAN, NAN}},
                 {{NAN, 1, 2}, {NAN, NAN, NAN}},
                 {{1, 2, NAN}, {NAN, NAN, NAN}},
                 {{-INFINITY, NAN, -INFINITY}, {NAN, NAN, NAN}},
                 {{1e30, 1e30, -1e30}, {.5, .5, 0}},
                 {{-1e30, -1e30, -1e30}, {1. / 3, 1. / 3, 1. / 3}}};
    ph_err err;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            arr x = row_of((arr_dtype)t, 3, cases[c].x), y;
            assert_int_equal(op_call1(&y, "softmax", &x, &err), PH_OK);
            for (int64_t i = 0; i < 3; i++)
                assert_true(near_real((arr_dtype)t, creall(kth(&y, i)), cases[c].y[i], 1));
            arr_drop(&x);
            arr_drop(&y);
        }
}

static void check_norm(const op *row, const arr *x, const arr *gain, const arr *bias, double eps) {
    ph_err err;
    arr in[3] = {*x, gain ? *gain : ARR_NONE, bias ? *bias : ARR_NONE}, y;
    op_par par = {.num = eps};
    real line[400];
    int64_t index[ARR_MAXDIM], n = x->shape[x->ndim - 1];
    assert_int_equal(op_apply(&y, row, in, 1 + !!gain + !!bias, &par, &err), PH_OK);
    for (int64_t k = 0; k < arr_size(x); k++) {
        unravel(index, x->ndim, x->shape, k);
        line_of(line, x, x->ndim - 1, index);
        int64_t i = index[x->ndim - 1];
        real g = gain ? creall(kth(gain, gain->ndim ? i : 0)) : 1,
             b = bias ? creall(kth(bias, bias->ndim ? i : 0)) : 0;
        truth t = norm_at(strcmp(row->name, "layer_norm") == 0, line, n, i, (real)eps, g, b);
        real got = creall(kth(&y, k)), half = ulp(y.dtype, t.value) / 2;
        assert_true(isfinite(t.bound) && fabsl(got - t.value) <= t.bound + half);
    }
    arr_drop(&y);
}

static void norms_are_their_formulas(void **state) {
    (void)state;
    static const int64_t shape[3] = {2, 3, 37};
    for (int t = ARR_BOOL; t <= ARR_F64; t++)
        for (int kind = 0; kind < VIEWS; kind++)
            for (int r = 1; r <= 2; r++) {
                const op *row = &att_normalize_ops[r];
                arr x = make_view(kind, (arr_dtype)t, 3, shape, pool, NPOOL, 2);
                arr gain = filled(ARR_F64, 1, &shape[2], pool, NPOOL, 4),
                    one = filled(ARR_F64, 0, NULL, pool, NPOOL, 1);
                check_norm(row, &x, NULL, NULL, 1e-5);
                check_norm(row, &x, &gain, NULL, 0.25);
                check_norm(row, &x, &one, NULL, 1e-5);
                if (row->max_in == 3) check_norm(row, &x, &one, &gain, 1e-5);
                arr_drop(&x);
                arr_drop(&gain);
                arr_drop(&one);
            }
}

/* Squares neither overflow nor vanish: rows that are powers of two apart have the same norm when eps is 0. */
static void norms_do_not_depend_on_the_scale(void **state) {
    (void)state;
    ph_err err;
    op_par par = {.num = 0};
    for (int r = 1; r <= 2; r++) {
        const double base[4] = {1, -2, 0.5, 3};
        arr x = row_of(ARR_F64, 4, base), y, z;
        assert_int_equal(op_apply(&y, &att_normalize_ops[r], &x, 1, &par, &err), PH_OK);
        for (int e = -1000; e <= 1000; e += 500) {
            double v[4];
            for (int i = 0; i < 4; i++) v[i] = ldexp(base[i], e);
            arr w = row_of(ARR_F64, 4, v);
            assert_int_equal(op_apply(&z, &att_normalize_ops[r], &w, 1, &par, &err), PH_OK);
            assert_true(same_bits(&y, &z));
            arr_drop(&w);
            arr_drop(&z);
        }
        arr_drop(&x);
        arr_drop(&y);
    }
}

static void threads_change_no_bit(void **state) {
    (void)state;
    ph_err err;
    arr x = filled(ARR_F32, 2, (int64_t[]){300, 700}, pool, NPOOL, 9), y[2];
    for (int r = 0; r < att_normalize_nops; r++) {
        for (int k = 0; k < 2; k++) {
            ph_set_threads(k + 1);
            assert_int_equal(op_apply(&y[k], &att_normalize_ops[r], &x, 1, NULL, &err), PH_OK);
        }
        assert_true(same_bits(&y[0], &y[1]));
        arr_drop(&y[0]);
        arr_drop(&y[1]);
    }
    ph_set_threads(0);
    arr_drop(&x);
}

static void empty_lines_are_served(void **state) {
    (void)state;
    ph_err err;
    for (int r = 0; r < att_normalize_nops; r++)
        for (int d = 0; d < 2; d++) {
            arr x, y;
            assert_int_equal(arr_zeros(&x, ARR_F64, 2, d ? (int64_t[]){0, 3} : (int64_t[]){3, 0}, &err),
                             PH_OK);
            assert_int_equal(op_apply(&y, &att_normalize_ops[r], &x, 1, NULL, &err), PH_OK);
            assert_true(arr_same_shape(&x, &y));
            arr_drop(&x);
            arr_drop(&y);
        }
}

static void refused(const char *name, const arr *in, int n, double eps, const char *part) {
    ph_err err;
    arr y;
    op_par par = {.num = eps, .base = 1};
    assert_int_equal(op_apply(&y, op_find(name), in, n, &par, &err), PH_EARG);
    if (!strstr(err.text, part)) fail_msg("%s", err.text);
}

static void bad_operands_are_named(void **state) {
    (void)state;
    arr x = filled(ARR_F64, 2, (int64_t[]){2, 3}, pool, NPOOL, 1),
        c = filled(ARR_C128, 1, (int64_t[]){3}, pool, NPOOL, 1), s = filled(ARR_F64, 0, NULL, pool, NPOOL, 1);
    refused("softmax", &s, 1, 0, "softmax: x is a single number; wanted at least one dimension");
    refused("softmax", &c, 1, 0, "softmax: x is c128; wanted real numbers");
    refused("rms_norm", &x, 1, -1, "rms_norm: eps is -1; wanted a number of at least 0");
    refused("layer_norm", &x, 1, NAN, "layer_norm: eps is nan; wanted a number of at least 0");
    refused("layer_norm", (arr[]){x, x}, 2, 0,
            "layer_norm: gain is (2, 3) and x is (2, 3); wanted a number or one for each column, (3)");
    refused("layer_norm", (arr[]){x, s, c}, 3, 0, "layer_norm: bias is c128; wanted real numbers");
    arr_drop(&x);
    arr_drop(&c);
    arr_drop(&s);
}

static void refused_memory_leaks_nothing(void **state) {
    (void)state;
    arr x = make_view(TRANSPOSED, ARR_F32, 2, (int64_t[]){4, 5}, pool, NPOOL, 1),
        g = filled(ARR_F32, 1, (int64_t[]){5}, pool, NPOOL, 1);
    arr in[3] = {x, g, g};
    survives_refusals(op_find("softmax"), in, 1, &(op_par){.has_axis = true, .axis = 0});
    survives_refusals(op_find("layer_norm"), in, 3, NULL);
    survives_refusals(op_find("rms_norm"), in, 2, NULL);
    arr_drop(&x);
    arr_drop(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_is_the_quotient_along_any_axis),
        cmocka_unit_test(weights_add_up_to_one),
        cmocka_unit_test(softmax_at_the_edges),
        cmocka_unit_test(norms_are_their_formulas),
        cmocka_unit_test(norms_do_not_depend_on_the_scale),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(empty_lines_are_served),
        cmocka_unit_test(bad_operands_are_named),
        cmocka_unit_test(refused_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
