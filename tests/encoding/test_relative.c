/* Scores of queries and keys that know their distance: against their formulas in balls, against naive loops over vectors for
 * each pair, the same everywhere. */
#include "against.h"

#include <stdio.h>

enum { H = 2, T = 5, S = 9, D = 6, MOST = 4096 };
static const double U[] = {[ARR_F32] = 0x1p-24, [ARR_F64] = 0x1p-53};

/* ---- parts --------------------------------------------------------------------------------------------- */

/* Normal numbers rounded to multiples of 2^-20, which formulas hold exactly and f32 too. */
static ph_rng generator;
static arr random_array(arr_dtype t, int ndim, const int64_t *shape) {
    ph_err err;
    arr x;
    assert_int_equal(arr_randn(&x, t, ndim, shape, &generator, &err), PH_OK);
    for (int64_t i = 0; i < arr_size(&x); i++)
        if (t == ARR_F32)
            ((float *)x.data)[i] = (float)(rint((double)((float *)x.data)[i] * 0x1p20) * 0x1p-20);
        else ((double *)x.data)[i] = rint(((double *)x.data)[i] * 0x1p20) * 0x1p-20;
    return x;
}
#define RANDOM(t, ...)                                                                                       \
    random_array(t, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

/* One call: its arrays by parameter, kept here. */
static arr kept[8];
static int nkept;
static const arr *keep(arr a) {
    kept[nkept] = a;
    return &kept[nkept++];
}
static void drop_kept(void) {
    while (nkept > 0) arr_drop(&kept[--nkept]);
}

static double at3(const arr *a, int64_t h, int64_t i, int64_t j) {
    int64_t at[ARR_MAXDIM] = {0};
    int n = a->ndim;
    if (n > 2) at[n - 3] = a->shape[n - 3] > 1 ? h : 0;
    if (n > 1) at[n - 2] = i;
    at[n - 1] = j;
    return arr_get_num(a, arr_at(a, at));
}

/* ---- against the formula ------------------------------------------------------------------------------- */

/* Every score of the call within `units` units of rounding of `size`, which bounds the sum of the absolute terms. */
static void follows_formula(enc_call *c, const char *name, int64_t first, double units, double size) {
    ph_err err;
    double q[D], k[D];
    arr a = run_call(c);
    assert_int_equal(a.ndim, 3);
    for (int64_t h = 0; h < a.shape[0]; h++) {
        exp_node *f;
        if (enc_formula(&f, enc_find(name), c, h, &err) != PH_OK) fail_msg("%s", err.text);
        for (int64_t i = 0; i < a.shape[1]; i++)
            for (int64_t j = 0; j < a.shape[2]; j++) {
                int e;
                for (int64_t x = 0; x < D; x++) q[x] = at3(&kept[0], h, i, x), k[x] = at3(&kept[1], h, j, x);
                double off = off_by(at3(&a, h, i, j), f,
                                    (at_point){.m = (double)(first + i), .n = (double)j, .q = q, .k = k}, &e);
                if (!(isfinite(off) && off <= units * U[a.dtype] * size))
                    fail_msg("%s[%lld, %lld, %lld] is off by %g; at most %g", name, (long long)h,
                             (long long)i, (long long)j, off, units * U[a.dtype] * size);
            }
        exp_drop(f);
    }
    arr_drop(&a);
}

/* Largest absolute value. */
static double largest(const arr *a) {
    double most = 0;
    for (int64_t i = 0; i < arr_size(a); i++) {
        double x = fabs(a->dtype == ARR_F32 ? (double)((float *)a->data)[i] : ((double *)a->data)[i]);
        most = x > most ? x : most;
    }
    return most;
}

/* ---- Shaw ---------------------------------------------------------------------------------------------- */

static const char *const variants[] = {"paper", "bert", "bert_query"};

static enc_call shaw(arr_dtype t, int variant, int64_t rows, bool heads) {
    enc_call c = call_of("shaw");
    set_array(&c, "q", keep(RANDOM(t, H, T, D)));
    set_array(&c, "k", keep(RANDOM(t, 1, S, D)));
    set_array(&c, "table", keep(heads ? RANDOM(t, H, rows, D) : RANDOM(t, rows, D)));
    set_word(&c, "variant", variants[variant]);
    return c;
}

/* The terms: D products of q and k, D of each product with a row, their sum, the scale (1 / sqrt(d) within 1.5 u, a product). Standard bound for sums
 * of D products: D u each of the sum of absolute values; so D + 5 for all. */
static double bound(void) {
    double q = largest(&kept[0]), k = largest(&kept[1]), a = largest(&kept[2]);
    return D * (q * k + q * a + k * a) / sqrt(D);
}

static void shaw_follows_its_formula(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int variant = 0; variant < 3; variant++)
            for (int content = 0; content < 2; content++) {
                enc_call c = shaw((arr_dtype)t, variant, variant ? 2 * S - 1 : 7, content);
                set_int(&c, "content", content);
                follows_formula(&c, "shaw", S - T, D + 5, bound());
                set_int(&c, "offset", variant ? 2 : -3);
                follows_formula(&c, "shaw", variant ? 2 : -3, D + 5, bound());
                if (!variant) set_int(&c, "clip", 1), follows_formula(&c, "shaw", -3, D + 5, bound());
                if (!variant) set_int(&c, "clip", 0), follows_formula(&c, "shaw", -3, D + 5, bound());
                drop_kept();
            }
}

/* The paper's tensors: a vector a^K_mn and a^V_mn for every pair, by loops. */
static void shaw_equals_the_naive_form(void **state) {
    (void)state;
    enum { K = 2 };
    enc_call c = shaw(ARR_F64, 0, 2 * K + 1, false), c2 = call_of("shaw_values");
    arr e = run_call(&c);
    const arr *q = &kept[0], *k = &kept[1], *a = &kept[2], *v = keep(RANDOM(ARR_F64, H, S, 3)),
              *b = keep(RANDOM(ARR_F64, 2 * K + 1, 3));
    set_array(&c2, "weights", &e), set_array(&c2, "v", v), set_array(&c2, "table", b);
    arr z = run_call(&c2);
    double scores = (D + 5) * U[ARR_F64] * bound();
    /* S products, bucket sums of at most S terms, 2K+1 products, their sum */
    double values = (2 * S + 2 * K + 2) * U[ARR_F64] * S * largest(&e) * (largest(v) + largest(b));
    for (int64_t h = 0; h < H; h++)
        for (int64_t i = 0; i < T; i++) {
            double out[3] = {0};
            for (int64_t j = 0; j < S; j++) {
                int64_t ahead = j - (i + S - T), w = (ahead < -K ? -K : ahead > K ? K : ahead) + K;
                double sum = 0;
                for (int64_t x = 0; x < D; x++) sum += at3(q, h, i, x) * (at3(k, h, j, x) + at3(a, h, w, x));
                double off = fabs(sum / sqrt(D) - at3(&e, h, i, j));
                assert_true(isfinite(off) && off <= 2 * scores);
                for (int64_t x = 0; x < 3; x++)
                    out[x] += at3(&e, h, i, j) * (at3(v, h, j, x) + at3(b, h, w, x));
            }
            for (int64_t x = 0; x < 3; x++) {
                double off = fabs(out[x] - at3(&z, h, i, x));
                assert_true(isfinite(off) && off <= 2 * values);
            }
        }
    leaks_nothing(&c), leaks_nothing(&c2);
    same_everywhere(&c), same_everywhere(&c2);
    arr_drop(&e), arr_drop(&z);
    drop_kept();
}

/* ---- Transformer-XL ------------------------------------------------------------------------------------ */

enum { WAVES = 4 };
static enc_call with_waves(const char *name, arr_dtype t, bool heads) {
    enc_call c = call_of(name);
    set_array(&c, "q", keep(RANDOM(t, H, T, D)));
    set_array(&c, "k", keep(RANDOM(t, H, S, D)));
    set_array(&c, "u", keep(heads ? RANDOM(t, H, D) : RANDOM(t, D)));
    set_array(&c, "v", keep(heads ? RANDOM(t, H, D) : RANDOM(t, D)));
    return c;
}

/* |(q + u) k| and |(q + v) (R W)|, |R| <= 1 */
static double wave_bound(const arr *W) {
    double q = largest(&kept[0]), k = largest(&kept[1]), u = largest(&kept[2]), v = largest(&kept[3]);
    return D * ((q + u) * k + (q + v) * (W ? WAVES * largest(W) : 1));
}

/* Beside the D products: q + u and a wave by one u each, WAVES products; D + WAVES + 8. */
static void transformer_xl_follows_its_formula(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int form = 0; form < 4; form++) {
            enc_call c = with_waves("transformer_xl", (arr_dtype)t, form & 1);
            const arr *W =
                keep(form & 2 ? RANDOM((arr_dtype)t, H, WAVES, D) : RANDOM((arr_dtype)t, WAVES, D));
            double size = wave_bound(W) / sqrt(D), units = D + WAVES + 8;
            set_array(&c, "W", W);
            follows_formula(&c, "transformer_xl", S - T, units, size);
            set_int(&c, "content", 0), set_num(&c, "base", 100), set_int(&c, "offset", -2);
            follows_formula(&c, "transformer_xl", -2, units, size);
            set_int(&c, "clamp", 2);
            follows_formula(&c, "transformer_xl", -2, units, size);
            set_int(&c, "offset", 40); /* every distance beyond it */
            follows_formula(&c, "transformer_xl", 40, units, size);
            if (t == ARR_F64 && form == 3) leaks_nothing(&c), same_everywhere(&c);
            drop_kept();
        }
}

int main(void) {
    ph_rng_seed(&generator, 11);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaw_follows_its_formula),
        cmocka_unit_test(shaw_equals_the_naive_form),
        cmocka_unit_test(transformer_xl_follows_its_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
