/* Scores of queries and keys that know their distance: against their formulas in balls, against naive loops over vectors for
 * each pair, the same everywhere.
 * Sources: encoding/buckets.c encoding/deberta.c encoding/distances.c encoding/relative.c encoding/relative_define.c encoding/rerope.c
 * Sources: encoding/rope_turn.c encoding/symbolic.c encoding/tener.c encoding/transformer_xl.c encoding/xlnet.c */
#include "scores.h"

/* ---- against the formula ------------------------------------------------------------------------------- */

/* Every score of the call within `units` units of rounding of `size`, which bounds the sum of the absolute terms. */
static void follows_formula(enc_call *c, const char *name, int64_t first, double units, double size) {
    ph_err err;
    double q[D], k[D];
    arr a = run_call(c);
    assert_int_equal(a.ndim, 3);
    for (int64_t h = 0; h < a.shape[0]; h++) {
        expr_node *f;
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
        expr_drop(f);
    }
    arr_drop(&a);
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

/* ---- XLNet --------------------------------------------------------------------------------------------- */

/* As above, and one more term of D products; its rows are counted like W's. */
static void xlnet_follows_its_formula(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int form = 0; form < 4; form++) {
            ph_err err;
            enc_call c = with_waves("xlnet", (arr_dtype)t, form & 1);
            const arr *W = keep(RANDOM((arr_dtype)t, WAVES, D)), *g = keep(RANDOM((arr_dtype)t, 2, D)), *w;
            double size = wave_bound(W), ids[S] = {4, 4, 4, 9, 9, 1, 4, 1, 1};
            arr segments;
            assert_int_equal(arr_new(&segments, ARR_F64, 1, (int64_t[]){S}, &err), PH_OK);
            memcpy(segments.data, ids, sizeof ids);
            w = keep(RANDOM((arr_dtype)t, H, D));
            size += D * (largest(&kept[0]) + largest(w)) * largest(g);
            set_array(&c, "W", W), set_array(&c, "segments", keep(segments)), set_array(&c, "same_or_not", g);
            if (form & 2) set_array(&c, "w", w);
            set_int(&c, "content", form & 1);
            /* segments are numbers whose dtype is no part of the scores' */
            follows_formula(&c, "xlnet", S - T, D + WAVES + 9, size / sqrt(D));
            set_int(&c, "offset", 1);
            follows_formula(&c, "xlnet", 1, D + WAVES + 9, size / sqrt(D));
            if (form == 3) leaks_nothing(&c), same_everywhere(&c);
            drop_kept();
        }
}

/* ---- TENER --------------------------------------------------------------------------------------------- */

static void tener_follows_its_formula(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int form = 0; form < 4; form++) {
            enc_call c = with_waves("tener", (arr_dtype)t, form & 1);
            set_word(&c, "variant", form & 2 ? "code" : "paper");
            follows_formula(&c, "tener", S - T, D + 8, wave_bound(NULL));
            set_int(&c, "content", 0), set_num(&c, "base", 100), set_int(&c, "offset", 3);
            follows_formula(&c, "tener", 3, D + 8, wave_bound(NULL));
            if (form == 3) leaks_nothing(&c), same_everywhere(&c);
            drop_kept();
        }
}

/* ---- DeBERTa ------------------------------------------------------------------------------------------- */

/* The row of the distance x = m - n of 2 reach; far: as DeBERTa-v2's make_log_bucket_position. No boundary of those tried is within 1e-9 of a
 * whole number, but x = far - 1, whose quotient of logarithms is 1 exactly. */
static int64_t delta(int64_t reach, int64_t far, int64_t x) {
    int64_t half = reach / 2, size = x < 0 ? -x : x;
    if (far && size > half) {
        double steps = ceil(log((double)size / half) / log((double)(far - 1) / half) * (half - 1));
        x = (x < 0 ? -1 : 1) * (half + (int64_t)steps);
    }
    return x <= -reach ? 0 : x >= reach ? 2 * reach - 1 : x + reach;
}

/* Three terms of D products each; against the formula, and the naive gather of the paper and of the released code. */
static void deberta_like(arr_dtype t, bool code, bool heads, int64_t reach, int64_t far) {
    enc_call c = call_of("deberta");
    const arr *q = keep(RANDOM(t, H, T, D)), *k = keep(RANDOM(t, H, S, D)),
              *qr = keep(RANDOM(t, 2 * reach, D)),
              *kr = keep(heads ? RANDOM(t, H, 2 * reach, D) : RANDOM(t, 2 * reach, D));
    double size =
        D * (largest(q) * largest(k) + largest(q) * largest(kr) + largest(k) * largest(qr)) / sqrt(3 * D);
    set_array(&c, "q", q), set_array(&c, "k", k), set_array(&c, "qr", qr), set_array(&c, "kr", kr);
    set_word(&c, "variant", code ? "code" : "paper");
    if (far) set_int(&c, "max_distance", far);
    for (int64_t offset = -4; offset <= 4; offset += 4) {
        set_int(&c, "offset", offset);
        follows_formula(&c, "deberta", offset, D + 6, size);
    }
    for (int64_t offset = -14; offset <= 14;
         offset += 7) { /* the ends of the rows, and all scores beyond them */
        set_int(&c, "offset", offset);
        arr a = run_call(&c);
        for (int64_t h = 0; h < H; h++)
            for (int64_t i = 0; i < T; i++)
                for (int64_t n = 0; n < S; n++) {
                    int64_t m = i + offset;
                    double sum = 0;
                    for (int64_t x = 0; x < D; x++)
                        sum += at3(q, h, i, x) * (at3(k, h, n, x) + at3(kr, h, delta(reach, far, m - n), x)) +
                               at3(k, h, n, x) * at3(qr, h, delta(reach, far, code ? m - n : n - m), x);
                    double off = fabs(at3(&a, h, i, n) - sum / sqrt(3 * D));
                    assert_true(isfinite(off) && off <= 2 * (D + 6) * U[t] * size);
                }
        arr_drop(&a);
    }
    set_int(&c, "content", 0), set_int(&c, "offset", 4);
    follows_formula(&c, "deberta", 4, D + 6, size);
    if (code && heads) leaks_nothing(&c), same_everywhere(&c);
    drop_kept();
}

static void deberta_follows_its_formula(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int form = 0; form < 4; form++) {
            deberta_like((arr_dtype)t, form & 1, form & 2, 3, 0);
            deberta_like((arr_dtype)t, form & 1, form & 2, 4, 8);
            deberta_like((arr_dtype)t, form & 1, form & 2, 6, 14);
        }
}

/* ---- ReRoPE -------------------------------------------------------------------------------------------- */

/* Tables within one u, two of them and x: a turned vector is off by 3 u of |x_a| + |x_b| <= 2 most; then D products. Distances beyond
 * the window come from positions rounded once, whose angles are under 60 here: 60 u more. */
static void rerope_follows_its_formula(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int form = 0; form < 8; form++) {
            enc_call c = call_of("rerope");
            const arr *q = keep(RANDOM((arr_dtype)t, H, T, D)), *k = keep(RANDOM((arr_dtype)t, S, D));
            double size = 4 * D * largest(q) * largest(k) / sqrt(D);
            set_array(&c, "q", q), set_array(&c, "k", k);
            set_word(&c, "layout", form & 1 ? "half" : "interleaved");
            if (form & 2) set_num(&c, "leak", 0.3);
            if (form & 4) set_num(&c, "base", 50);
            for (int64_t window = 1; window <= 64; window *= 4)
                for (int64_t offset = -20; offset <= 20; offset += 20) {
                    set_int(&c, "window", window), set_int(&c, "offset", offset);
                    follows_formula(&c, "rerope", offset, D + 8 + 60, size);
                }
            if (form == 7) leaks_nothing(&c), same_everywhere(&c);
            drop_kept();
        }
}

/* Several tiles, with all ways in one: the score of each pair by the distance itself. The loop's angles, under 150, are off by as many
 * u; both sides together by twice the bound above. */
static void rerope_tiles_meet(void **state) {
    (void)state;
    enum { MANY = 150 };
    const int64_t windows[] = {1, 5, 63, 64, 65, 100};
    const arr *q = keep(RANDOM(ARR_F64, MANY, D)), *k = keep(RANDOM(ARR_F64, MANY, D));
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        enc_call c = call_of("rerope");
        set_array(&c, "q", q), set_array(&c, "k", k), set_word(&c, "layout", "half");
        set_int(&c, "window", windows[w]);
        arr a = run_call(&c);
        double most = 2 * (D + 8 + 150) * U[ARR_F64] * 4 * D * largest(q) * largest(k) / sqrt(D);
        for (int64_t m = 0; m < MANY; m++)
            for (int64_t n = 0; n < MANY; n++) {
                double far = (double)(m - n), end = (double)windows[w], sum = 0;
                far = far > end ? end : far < -end ? -end : far;
                for (int64_t i = 0; i < D / 2; i++) {
                    double angle = far * pow(10000, -2.0 * (double)i / D);
                    double qa = at3(q, 0, m, i), qb = at3(q, 0, m, i + D / 2), ka = at3(k, 0, n, i),
                           kb = at3(k, 0, n, i + D / 2);
                    sum += (qa * ka + qb * kb) * cos(angle) + (qa * kb - qb * ka) * sin(angle);
                }
                double off = fabs(sum / sqrt(D) - entry(&a, m, n));
                if (!(isfinite(off) && off <= most))
                    fail_msg("window %d, %d and %d: %g", (int)windows[w], (int)m, (int)n, off);
            }
        arr_drop(&a);
    }
    drop_kept();
}

int main(void) {
    ph_rng_seed(&generator, 11);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shaw_follows_its_formula),           cmocka_unit_test(shaw_equals_the_naive_form),
        cmocka_unit_test(transformer_xl_follows_its_formula), cmocka_unit_test(xlnet_follows_its_formula),
        cmocka_unit_test(tener_follows_its_formula),          cmocka_unit_test(deberta_follows_its_formula),
        cmocka_unit_test(rerope_follows_its_formula),         cmocka_unit_test(rerope_tiles_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
