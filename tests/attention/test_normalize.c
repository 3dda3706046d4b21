/* softmax, layer_norm and rms_norm against plain loops over index tuples, in long double.
 * Sources: attention/normalize.c */
#include "array/views.h"

#include "base/parallel.h"

extern const op att_normalize_ops[];
enum { PUBLIC = 3 }; /* of these rows; the others are derivatives */

typedef long double real;
static const real u = 0x1p-53L;

/* ---- oracles: one line --------------------------------------------------------------------------------- */

typedef struct {
    real value, bound;
} truth;

/* The difference x - max errs by u |x - max|, which exp turns into that relative error, and adds an ulp (2 u)
 * of its own; the sum errs by (32 + log2 n) u plus what its terms do, the division by u. In f32 the first two
 * happen in f32 (u = 2^-24), the rest in f64. `spread` is the largest finite |x - max| of the line. */
typedef struct {
    real top, sum, spread;
} exps;
static exps exps_of(const real *x, int64_t n) {
    exps e = {-INFINITY, 0, 0};
    for (int64_t k = 0; k < n; k++) e.top = x[k] > e.top ? x[k] : e.top;
    for (int64_t k = 0; k < n; k++) {
        e.sum += expl(x[k] - e.top);
        if (isfinite(x[k]) && e.top - x[k] < 800) e.spread = fmaxl(e.spread, e.top - x[k]);
    }
    return e;
}
static truth softmax_of(arr_dtype t, exps e, real x) {
    real own = t == ARR_F32 ? 0x1p-24L : u, least = t == ARR_F32 ? 0x1p-149L : 0x1p-1074L;
    if (e.top == -INFINITY) return (truth){0, 0};
    real y = expl(x - e.top) / e.sum;
    return (truth){y, 1.01L * ((2 * e.spread + 4) * own + 48 * u) * y + least};
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
    op_attrs attrs = {.has_axis = true, .axis = axis};
    real line[2000];
    int64_t index[ARR_MAXDIM];
    assert_int_equal(op_apply(&y, op_find("softmax"), x, 1, &attrs, &err), PH_OK);
    assert_true(arr_same_shape(x, &y));
    for (int64_t k = 0; k < arr_size(x); k++) {
        unravel(index, x->ndim, x->shape, k);
        if (index[axis] > 0) continue; /* every line once, at its first element */
        line_of(line, x, axis, index);
        exps e = exps_of(line, x->shape[axis]);
        for (int64_t i = 0; i < x->shape[axis]; i++) {
            index[axis] = i;
            truth t = softmax_of(y.dtype, e, line[i]);
            real got = creall(element_at(&y, y.ndim, index)), half = ulp(y.dtype, t.value) / 2;
            assert_true(isfinite(t.bound) && fabsl(got - t.value) <= t.bound + half);
        }
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
    op_attrs attrs = {.num = eps};
    real line[400];
    int64_t index[ARR_MAXDIM], n = x->shape[x->ndim - 1];
    assert_int_equal(op_apply(&y, row, in, 1 + !!gain + !!bias, &attrs, &err), PH_OK);
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
    op_attrs attrs = {.num = 0};
    for (int r = 1; r <= 2; r++) {
        const double base[4] = {1, -2, 0.5, 3};
        arr x = row_of(ARR_F64, 4, base), y, z;
        assert_int_equal(op_apply(&y, &att_normalize_ops[r], &x, 1, &attrs, &err), PH_OK);
        for (int e = -1000; e <= 1000; e += 500) {
            double v[4];
            for (int i = 0; i < 4; i++) v[i] = ldexp(base[i], e);
            arr w = row_of(ARR_F64, 4, v);
            assert_int_equal(op_apply(&z, &att_normalize_ops[r], &w, 1, &attrs, &err), PH_OK);
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
    for (int r = 0; r < PUBLIC; r++) {
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
    for (int r = 0; r < PUBLIC; r++)
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

/* ---- derivatives --------------------------------------------------------------------------------------- */

/* out: gx and the sums of g o z and g over the lines, for f = layer_norm or rms_norm. */
static void back(arr *out, const char *row, const arr *x, const arr *g, const arr *gain, real eps,
                 int wants) {
    ph_err err;
    op_attrs attrs = {.num = (double)eps, .nints = 1, .ints = {wants}};
    if (op_apply(out, op_find(row), (arr[]){*x, *g, *gain}, 3, &attrs, &err) != PH_OK)
        fail_msg("%s", err.text);
}

/* z = (x - m)/r errs by slip = 50 u max|x| / r and 60 u |z| (norm_at); sums of n terms in 16 lanes by n/16 + 10 roundings. With t =
 * gain o g, at most T, and A = (n/16 + 70) u: mean t errs by T A, mean(z t), at most T, by T (slip + A), since mean |z| <= 1; so
 *     gx = (t - mean t - z mean(z t))/r errs by (T/r) (1 + |z|) (2 slip + 2 A) + |gx| (slip + 60 u)
 * and a sum over L lines of g z by the sum of |g| (slip + (60 + L) u |z|). Then the result is rounded to its type. */
static void check_back(bool centre, const arr *x, const arr *g, const arr *gain, real eps) {
    arr out[3];
    int64_t n = x->shape[1], lines = x->shape[0];
    real *sum = calloc((size_t)n, 4 * sizeof *sum), A = ((real)n / 16 + 70) * u;
    back(out, centre ? "derivative of layer_norm" : "derivative of rms_norm", x, g, gain, eps, 7);
    for (int64_t i = 0; i < lines; i++) {
        real mean = 0, square = 0, top = 0, T = 0, a = 0, b = 0;
        for (int64_t k = 0; k < n && centre; k++) mean += creall(kth(x, i * n + k)) / n;
        for (int64_t k = 0; k < n; k++) {
            real v = creall(kth(x, i * n + k)),
                 t = creall(kth(g, i * n + k)) * creall(element_at(gain, 1, &k));
            square += (v - mean) * (v - mean) / n;
            top = fmaxl(top, fabsl(v));
            T = fmaxl(T, fabsl(t));
        }
        real r = sqrtl(square + eps), slip = 50 * u * top / r;
        for (int64_t k = 0; k < n; k++) {
            real t = creall(kth(g, i * n + k)) * creall(element_at(gain, 1, &k));
            a += centre ? t / n : 0;
            b += t * (creall(kth(x, i * n + k)) - mean) / r / n;
        }
        for (int64_t k = 0; k < n; k++) {
            real h = creall(kth(g, i * n + k)), z = (creall(kth(x, i * n + k)) - mean) / r;
            real want = (h * creall(element_at(gain, 1, &k)) - a - z * b) / r;
            real bound = T / r * (1 + fabsl(z)) * (2 * slip + 2 * A) + fabsl(want) * (slip + 60 * u);
            real d = creall(kth(&out[0], i * n + k)) - want;
            assert_true(isfinite(d) && fabsl(d) <= bound + ulp(g->dtype, want) / 2);
            sum[k] += h * z;
            sum[n + k] += h;
            sum[2 * n + k] += fabsl(h) * (slip + (60 + (real)lines) * u * fabsl(z));
            sum[3 * n + k] += fabsl(h) * (real)lines * u;
        }
    }
    for (int64_t k = 0; k < 2 * n; k++) {
        real d = creall(kth(&out[1 + k / n], k % n)) - sum[k];
        assert_true(isfinite(d) && fabsl(d) <= sum[2 * n + k] + ulp(g->dtype, sum[k]) / 2);
    }
    for (int k = 0; k < 3; k++) arr_drop(&out[k]);
    free(sum);
}

static void derivatives_are_their_formulas(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {
        {1, 1}, {3, 5}, {4, 16}, {2, 700}, {70, 1000}}; /* one piece and several */
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int kind = 0; kind < VIEWS; kind++)
            for (int s = 0; s < (kind ? 3 : 5); s++)
                for (int centre = 0; centre < 2; centre++) {
                    arr x = make_view(kind, (arr_dtype)t, 2, shapes[s], pool, NPOOL, 3),
                        g = make_view(VIEWS - 1 - kind, (arr_dtype)t, 2, shapes[s], pool, NPOOL, 8),
                        gain = filled(ARR_F64, s % 2, &shapes[s][1], pool, NPOOL, 2);
                    check_back(centre, &x, &g, &gain, 0.125);
                    arr_drop(&x);
                    arr_drop(&g);
                    arr_drop(&gain);
                }
}

static void derivatives_take_what_is_asked(void **state) {
    (void)state;
    static const char *rows[] = {"derivative of layer_norm", "derivative of rms_norm"};
    arr gain = filled(ARR_F64, 0, NULL, pool, NPOOL, 1);
    for (int r = 0; r < 2; r++) {
        arr x = filled(ARR_F32, 2, (int64_t[]){300, 700}, pool, NPOOL, 9),
            g = filled(ARR_F32, 2, x.shape, pool, NPOOL, 4);
        arr all[3], some[3];
        back(all, rows[r], &x, &g, &gain, 1, 7);
        for (int wants = 0; wants < 8; wants++) {
            ph_set_threads(1 + wants % 2);
            back(some, rows[r], &x, &g, &gain, 1, wants);
            for (int k = 0; k < 3; k++) {
                if (wants >> k & 1) assert_true(same_bits(&all[k], &some[k]));
                else assert_int_equal(arr_size(&some[k]), 0);
                arr_drop(&some[k]);
            }
        }
        ph_set_threads(0);
        for (int d = 0; d < 2; d++) {
            arr none = filled(ARR_F64, 2, d ? (int64_t[]){0, 3} : (int64_t[]){3, 0}, pool, NPOOL, 1);
            back(some, rows[r], &none, &none, &gain, 1, 7);
            for (int k = 0; k < 3; k++) {
                for (int64_t e = 0; e < arr_size(&some[k]); e++) assert_true(creall(kth(&some[k], e)) == 0);
                arr_drop(&some[k]);
            }
            arr_drop(&none);
        }
        arr y = make_view(STEPPED, ARR_F32, 2, (int64_t[]){4, 3}, pool, NPOOL, 1);
        survives_refusals(op_find(rows[r]), (arr[]){y, y, gain}, 3,
                          &(op_attrs){.num = 1, .nints = 1, .ints = {7}});
        for (int k = 0; k < 3; k++) arr_drop(&all[k]);
        arr_drop(&x);
        arr_drop(&g);
        arr_drop(&y);
    }
    arr_drop(&gain);
}

static void refused(const char *name, const arr *in, int n, double eps, const char *part) {
    ph_err err;
    arr y;
    op_attrs attrs = {.num = eps, .base = 1};
    assert_int_equal(op_apply(&y, op_find(name), in, n, &attrs, &err), PH_EARG);
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
    survives_refusals(op_find("softmax"), in, 1, &(op_attrs){.has_axis = true, .axis = 0});
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
        cmocka_unit_test(derivatives_are_their_formulas),
        cmocka_unit_test(derivatives_take_what_is_asked),
        cmocka_unit_test(bad_operands_are_named),
        cmocka_unit_test(refused_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
