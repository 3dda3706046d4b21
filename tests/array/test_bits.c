/* The same bits from every build: seeded results, fingerprints of their bits held against a table. Whether gcc or clang made the
 * program, and with what optimisation, must not show; other tests say that these results are right. A kernel that is changed on purpose
 * gets the line that the failure names.
 *
 * What the C library computes (arctangents, inverse and hyperbolic functions, log1p, complex functions), BLAS and LAPACK do is not here: its bits are
 * those of the library. Which NaN comes out is open, since a compiler may exchange the operands of a sum: all count as one.
 * Sources: array/vmath.c array/vmath_softmax.inc array/panel.c array/panel_product.c base/dd.c base/rng.c encoding/phases.c
 */
#include "linalg_common.h"

#include "array/gemm.h"
#include "array/vmath.h"
#include "base/dd.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "encoding/phases.h"

#define EACH_LEVEL(l) for (ph_cpu_level l = PH_CPU_BASELINE, top = ph_set_cpu(PH_CPU_AVX512); l <= top; l++)

enum { N = 6007, SHOWN = 12 }; /* a part of every vector at the end; 48 bits of the fingerprint */

typedef struct {
    const char *name, *sum;
} known;
static const known table[] = {
#include "bits.inc"
};

static int unlike, seen;

/* Any NaN is one byte, 0. */
static void add_value(ph_sha256 *s, const void *x, size_t bytes, bool is_nan) {
    ph_sha256_add(s, is_nan ? "" : x, is_nan ? 1 : bytes);
}
static void add_f64(ph_sha256 *s, const double *x, int64_t n) {
    for (int64_t i = 0; i < n; i++) add_value(s, &x[i], sizeof x[i], isnan(x[i]));
}
static void add_f32(ph_sha256 *s, const float *x, int64_t n) {
    for (int64_t i = 0; i < n; i++) add_value(s, &x[i], sizeof x[i], isnan(x[i]));
}
static void add(ph_sha256 *s, arr_dtype t, const void *x, int64_t n) {
    if (t == ARR_F32) add_f32(s, x, n);
    else add_f64(s, x, n);
}

static void hold(const char *name, ph_sha256 *s) {
    uint8_t sum[PH_SHA256_BYTES];
    char hex[PH_SHA256_HEX];
    ph_sha256_end(s, sum);
    ph_sha256_digits(hex, sum);
    hex[SHOWN] = 0;
    seen++;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0 && strcmp(table[i].sum, hex) == 0) return;
    print_error("    {\"%s\", \"%s\"},\n", name, hex);
    unlike++;
}
static void hold_all(int least) {
    const int others = unlike, all = seen;
    unlike = seen = 0;
    assert_int_equal(others, 0);
    assert_true(all >= least);
}

/* Three kinds of points in turn: any bits at all; of every size between 2^-40 and 2^10; and where most work is done. */
static double point(ph_rng *g, int i) {
    uint64_t bits = ph_rng_bits(g);
    double any;
    if (i % 3 == 1) bits = (bits & ~((uint64_t)0x7ff << 52)) | (983 + ph_rng_below(g, 51)) << 52;
    memcpy(&any, &bits, sizeof any);
    return i % 3 == 2 ? 40 * ph_rng_uniform(g) - 20 : any;
}
static double x[N], y[N], z[N];
static float x32[N], y32[N], z32[N];

static void points(uint64_t seed) {
    ph_rng g;
    ph_rng_seed(&g, seed);
    for (int i = 0; i < N; i++) {
        x[i] = point(&g, i), y[i] = point(&g, i);
        uint32_t any = (uint32_t)ph_rng_bits(&g);
        x32[i] = (float)x[i], y32[i] = (float)y[i];
        if (i % 3 == 0) memcpy(&x32[i], &any, sizeof any);
    }
}

static void one(const char *name, const char *type, arr_dtype t, const void *result, double extra) {
    char line[80];
    ph_sha256 s;
    ph_sha256_begin(&s);
    add(&s, t, result, N);
    add_f64(&s, &extra, 1);
    snprintf(line, sizeof line, "%s %s", name, type);
    hold(line, &s);
}

/* Every vector function, at every level that this machine has: one line of the table for all. */
static void vector_functions(void **state) {
    (void)state;
    static const struct {
        const char *name;
        void (*f64)(double *, const double *, int64_t);
        void (*f32)(float *, const float *, int64_t);
    } functions[] = {{"exp", arr_vexp_f64, arr_vexp_f32},    {"log", arr_vlog_f64, arr_vlog_f32},
                     {"sin", arr_vsin_f64, arr_vsin_f32},    {"cos", arr_vcos_f64, arr_vcos_f32},
                     {"tan", arr_vtan_f64, arr_vtan_f32},    {"tanh", arr_vtanh_f64, arr_vtanh_f32},
                     {"sqrt", arr_vsqrt_f64, arr_vsqrt_f32}, {"sigmoid", arr_vsigmoid_f64, arr_vsigmoid_f32},
                     {"erf", arr_verf_f64, arr_verf_f32}};
    points(1);
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
            functions[f].f64(z, x, N);
            one(functions[f].name, "f64", ARR_F64, z, 0);
            functions[f].f32(z32, x32, N);
            one(functions[f].name, "f32", ARR_F32, z32, 0);
        }
        arr_vpow_f64(z, x, y, N);
        one("pow", "f64", ARR_F64, z, 0);
        arr_vpow_f32(z32, x32, y32, N);
        one("pow", "f32", ARR_F32, z32, 0);
    }
    hold_all(20);
}

/* The passes of softmax, on finite numbers of moderate size. */
static void softmax_passes(void **state) {
    (void)state;
    ph_rng g;
    ph_rng_seed(&g, 2);
    for (int i = 0; i < N; i++)
        x[i] = 9 * ph_rng_normal(&g), y[i] = ph_rng_normal(&g), x32[i] = (float)x[i], y32[i] = (float)y[i];
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        double sum = arr_vexp_sum_f64(z, x, arr_vmax_f64(x, N), N);
        one("exp_sum", "f64", ARR_F64, z, sum);
        sum = arr_vexp_sum_f32(z32, x32, arr_vmax_f32(x32, N), N);
        one("exp_sum", "f32", ARR_F32, z32, sum);
        static double back[N];
        static float back32[N];
        memcpy(z, x, sizeof z), memcpy(back, y, sizeof back);
        arr_vexp_back_f64(z, back, 30, 0.125, N);
        one("exp_back", "f64", ARR_F64, back, z[0]);
        memcpy(z32, x32, sizeof z32), memcpy(back32, y32, sizeof back32);
        arr_vexp_back_f32(z32, back32, 30, 0.125f, N);
        one("exp_back", "f32", ARR_F32, back32, (double)z32[0]);
    }
    hold_all(4);
}

static void double_doubles_and_draws(void **state) {
    (void)state;
    static const char *const names[] = {"dd exp", "dd log", "dd pow", "dd sin", "dd cos", "dd div"};
    static ph_dd to[6][N];
    ph_rng g;
    points(3);
    for (int i = 0; i < N; i++) {
        const ph_dd a = ph_two_sum(x[i], y[i]), b = ph_two_sum(ph_normal_of_bits((uint64_t)i << 50), 0x1p-60);
        const ph_dd size = {fabs(a.hi), a.hi < 0 ? -a.lo : a.lo};
        to[0][i] = ph_dd_exp(b), to[1][i] = ph_dd_log(size), to[2][i] = ph_dd_pow(size, b);
        ph_dd_sincos(&to[3][i], &to[4][i], a);
        to[5][i] = ph_dd_div(a, b);
    }
    for (int f = 0; f < 6; f++) {
        ph_sha256 s;
        ph_sha256_begin(&s);
        add_f64(&s, &to[f][0].hi, 2 * N);
        hold(names[f], &s);
    }
    ph_rng_seed(&g, 4);
    for (int i = 0; i < N; i++) x[i] = ph_rng_normal(&g);
    one("normal", "f64", ARR_F64, x, ph_rng_uniform(&g));
    hold_all(7);
}

/* Products by this laboratory's own panels: the width of a panel does not show, but whether products and sums are fused. */
static void own_products(void **state) {
    (void)state;
    enum { M = 61, COLUMNS = 130, K = 300 };
    static double a[M * K], b[K * COLUMNS], c[M * COLUMNS];
    static float a32[M * K], b32[K * COLUMNS], c32[M * COLUMNS];
    ph_rng g;
    ph_rng_seed(&g, 5);
    for (int i = 0; i < M * K; i++) a[i] = ph_rng_normal(&g), a32[i] = (float)a[i];
    for (int i = 0; i < K * COLUMNS; i++) b[i] = ph_rng_normal(&g), b32[i] = (float)b[i];
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        for (arr_dtype t = ARR_F32; t <= ARR_F64; t++) {
            const arr_product p = {.type = t,
                                   .m = M,
                                   .n = COLUMNS,
                                   .k = K,
                                   .lda = K,
                                   .along = 1,
                                   .row = COLUMNS,
                                   .col = 1,
                                   .ldc = COLUMNS};
            char line[80];
            ph_sha256 s;
            ph_sha256_begin(&s);
            arr_panel_product(&p, t == ARR_F32 ? (void *)c32 : c, t == ARR_F32 ? (void *)a32 : a,
                              t == ARR_F32 ? (void *)b32 : b);
            add(&s, t, t == ARR_F32 ? (void *)c32 : c, M * COLUMNS);
            snprintf(line, sizeof line, "product %s %s", level == PH_CPU_BASELINE ? "in steps" : "fused",
                     arr_dtype_name(t));
            hold(line, &s);
        }
    }
    hold_all(2);
}

/* Operations on whole arrays whose kernels are neither above nor a library's. */
static void rows(void **state) {
    (void)state;
    static const char *const names[] = {"add",     "sub",        "mul",      "div",  "pow",    "sum",
                                        "mean",    "var",        "std",      "prod", "cumsum", "cumprod",
                                        "softmax", "layer_norm", "rms_norm", "norm"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const op *row = op_find(names[k]);
        assert_non_null(row);
        for (arr_dtype t = ARR_F32; t <= ARR_F64; t++) {
            arr in[2] = {random_array(t, 2, (int64_t[]){37, 1531}, 6),
                         random_array(t, 2, (int64_t[]){37, 1531}, 7)},
                out;
            const op_attrs last = {.has_axis = true,
                                   .axis = strcmp(names[k], "norm") == 0 ? 0 : -1,
                                   .num = strstr(names[k], "_norm")       ? 1e-5
                                          : strcmp(names[k], "norm") == 0 ? 2
                                                                          : 0};
            EACH_LEVEL(level) {
                ph_set_cpu(level);
                ok(op_apply(&out, row, in, row->min_in, row->flags & OP_ELEMENTWISE ? NULL : &last,
                            &last_error));
                char line[80];
                ph_sha256 s;
                ph_sha256_begin(&s);
                add(&s, out.dtype, out.data, arr_size(&out));
                snprintf(line, sizeof line, "row %s %s", names[k], arr_dtype_name(t));
                hold(line, &s);
                arr_drop(&out);
            }
            arr_drop(&in[0]), arr_drop(&in[1]);
        }
    }
    hold_all(32);
}

static void tables_of_angles(void **state) {
    (void)state;
    enum { POSITIONS = 90, PAIRS = 33 };
    static ph_dd theta[PAIRS];
    static double to[2 * POSITIONS * PAIRS];
    static float to32[2 * POSITIONS * PAIRS];
    enc_frequencies(theta, PAIRS, ph_dd_log(ph_dd_of(10000)), 2 * PAIRS);
    EACH_LEVEL(level) {
        ph_set_cpu(level);
        for (arr_dtype t = ARR_F32; t <= ARR_F64; t++) {
            void *at = t == ARR_F32 ? (void *)to32 : to, *cos = t == ARR_F32 ? (void *)(to32 + 1) : to + 1;
            ok(enc_fill(&(enc_sink){t, at, cos, 2 * PAIRS, 2},
                        &(enc_positions){.n = POSITIONS, .first = 1e5 + 0.25}, theta, PAIRS, ph_dd_of(1),
                        &last_error));
            ph_sha256 s;
            ph_sha256_begin(&s);
            add(&s, t, at, 2 * POSITIONS * PAIRS);
            hold(t == ARR_F32 ? "angles f32" : "angles f64", &s);
        }
    }
    hold_all(2);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_functions),
        cmocka_unit_test(softmax_passes),
        cmocka_unit_test(double_doubles_and_draws),
        cmocka_unit_test(own_products),
        cmocka_unit_test(rows),
        cmocka_unit_test(tables_of_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
