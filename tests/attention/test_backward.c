/* The derivative of attention by blocks, against the sums it stands for, in long double.
 * Sources: attention/attention.c attention/backward.c attention/backward.inc attention/blocked.c attention/scores.inc */
#include "attention/naive.h"

enum { Q, K, V, S }; /* results; bit k of `wants` asks for result k */

/* gQ, gK, gV, gS of sum(g attention(Q, K, V, terms)); what is not wanted is (0). */
static void backward(arr *out, const arr *in, int n, const arr *g, const setting *s, int wants) {
    ph_err err;
    arr all[8], y[2];
    op_attrs attrs = par_of(s);
    if (op_apply(y, op_find("attention with sums"), in, n, &attrs, &err) != PH_OK) fail_msg("%s", err.text);
    memcpy(all, in, (size_t)n * sizeof *in);
    memcpy(all + n, (arr[]){*g, y[0], y[1]}, 3 * sizeof *all);
    attrs.nints = 4;
    attrs.ints[3] = wants;
    if (op_apply(out, op_find("derivative of attention"), all, n + 3, &attrs, &err) != PH_OK)
        fail_msg("%s", err.text);
    arr_drop(&y[0]);
    arr_drop(&y[1]);
}

static void drop(arr *a, int n) {
    for (int k = 0; k < n; k++) arr_drop(&a[k]);
}

/* ---- the oracle ---------------------------------------------------------------------------------------- */

/* A sum, and how far a computed one may be. */
typedef struct {
    real sum, bound;
} truth;

typedef struct {
    truth *of[4];
    int64_t size[4];
} truths;

static truth *slot(const truths *t, int k, int64_t b, int64_t h, int64_t row, int64_t column, int64_t heads,
                   int64_t rows, int64_t columns) {
    return &t->of[k][((b * heads + h) * rows + row) * columns + column];
}

static void add(truth *t, real factor, real off, real x, real unit) {
    t->sum += factor * x;
    t->bound += (off + unit * fabsl(factor)) * fabsl(x);
}

/* With a weight off by r of itself (relative_bound, which a division by the sum is part of), G the largest sum_l |g_l v_jl| of a key
 * that is seen, and u the unit of rounding:  <g, v_j> errs by (dv + 2) u G, <g, z> by (r + (dv + 4) u) G, so
 *     gS_j = alpha_j (<g, v_j> - <g, z>), at most 2 alpha_j G, errs by  alpha_j G (3 r + (2 dv + 10) u).
 * gQ, gK, gV are sums of N such terms, fused and added in any order: (N + 4) u of the sum of their sizes more. */
static truths naive(const setting *s, arr_dtype t, const arr *in, const arr *mask, const arr *bias,
                    const arr *g, int64_t B) {
    real u = unit_of(t), scale = s->scale != 0 ? s->scale : 1 / sqrtl(s->d),
         N = (real)(s->T * s->H / s->Hk + s->S + 4);
    int64_t sizes[4] = {B * s->H * s->T * s->d, B * s->Hk * s->S * s->d, B * s->Hk * s->S * s->dv,
                        B * s->H * s->T * s->S};
    truths out;
    real *alpha = malloc((size_t)s->S * sizeof *alpha), *gv = malloc((size_t)s->S * sizeof *gv);
    for (int k = 0; k < 4; k++) {
        out.size[k] = sizes[k];
        out.of[k] = calloc((size_t)sizes[k], sizeof(truth));
    }
    for (int64_t at = 0; at < B * s->H * s->T; at++) {
        int64_t i = at % s->T, h = at / s->T % s->H, b = at / s->T / s->H, hk = h / (s->H / s->Hk);
        real spread, mean = 0, G = 0;
        bool sees = weights_of(alpha, &spread, s, &in[Q], &in[K], mask, bias, b, h, i);
        real r = relative_bound(s, t, spread), off = 3 * r + (2 * (real)s->dv + 10) * u;
        assert_true(r < 0.1L);
        for (int64_t j = 0; j < s->S && sees; j++) {
            real size = 0;
            gv[j] = 0;
            for (int64_t l = 0; l < s->dv && alpha[j] > 0; l++) {
                real x = at4(g, b, h, i, l) * at4(&in[V], b, hk, j, l);
                gv[j] += x;
                size += fabsl(x);
            }
            mean += alpha[j] * gv[j];
            if (size > G) G = size;
        }
        for (int64_t j = 0; j < s->S && sees; j++) {
            real gs = alpha[j] * (gv[j] - mean), err = alpha[j] * G * off;
            if (alpha[j] == 0) continue;
            *slot(&out, S, b, h, i, j, s->H, s->T, s->S) = (truth){gs, err};
            for (int64_t l = 0; l < s->d; l++) {
                add(slot(&out, Q, b, h, i, l, s->H, s->T, s->d), scale * gs, fabsl(scale) * err,
                    at4(&in[K], b, hk, j, l), N * u);
                add(slot(&out, K, b, hk, j, l, s->Hk, s->S, s->d), scale * gs, fabsl(scale) * err,
                    at4(&in[Q], b, h, i, l), N * u);
            }
            for (int64_t l = 0; l < s->dv; l++)
                add(slot(&out, V, b, hk, j, l, s->Hk, s->S, s->dv), alpha[j], alpha[j] * r,
                    at4(g, b, h, i, l), N * u);
        }
    }
    free(alpha);
    free(gv);
    return out;
}

static void check(const setting *s, arr_dtype t, const arr *in, const arr *mask, const arr *bias,
                  const arr *g, int wants) {
    arr operands[5] = {in[Q], in[K], in[V]}, out[4];
    int n = 3;
    if (mask) operands[n++] = *mask;
    if (bias) operands[n++] = *bias;
    truths want = naive(s, t, in, mask, bias, g, in[Q].shape[0]);
    backward(out, operands, n, g, s, wants);
    for (int k = 0; k < 4; k++) {
        bool asked = wants >> k & 1;
        assert_int_equal(out[k].dtype, t);
        assert_int_equal(arr_size(&out[k]), asked ? want.size[k] : 0);
        for (int64_t e = 0; e < arr_size(&out[k]); e++) {
            real got = creall(kth(&out[k], e)), d = got - want.of[k][e].sum;
            real least =
                (t == ARR_F32 ? 0x1p-126L : 0x1p-1022L) * (real)(s->T * s->H + s->S); /* products below it */
            assert_true(isfinite(got) && fabsl(d) <= want.of[k][e].bound + least);
            if (want.of[k][e].bound == 0) assert_true(got == 0); /* nothing to see */
        }
        free(want.of[k]);
    }
    drop(out, 4);
}

/* ---- every way of seeing ------------------------------------------------------------------------------- */

static void check_random(const setting *s, arr_dtype t, int masks, int wants, uint64_t seed) {
    int64_t B = 2;
    static const double coin[] = {1, -1, 1, 1, -1, 1, 1}, some[] = {0.5, -INFINITY, -2, 0, 1.25};
    arr in[3] = {random_of(t, 4, (int64_t[]){B, s->H, s->T, s->d}, seed),
                 random_of(t, 4, (int64_t[]){B, s->Hk, s->S, s->d}, seed + 1),
                 random_of(t, 4, (int64_t[]){B, s->Hk, s->S, s->dv}, seed + 2)};
    arr g = random_of(t, 4, (int64_t[]){B, s->H, s->T, s->dv}, seed + 3);
    arr mask = filled(ARR_BOOL, 3, (int64_t[]){1, s->T, s->S}, coin, 7, (unsigned)seed);
    arr bias =
        filled(t == ARR_F32 ? ARR_F64 : ARR_F32, 3, (int64_t[]){s->H, 1, s->S}, some, 5, (unsigned)seed);
    check(s, t, in, masks & 1 ? &mask : NULL, masks & 2 ? &bias : NULL, &g, wants);
    drop(in, 3);
    arr_drop(&g);
    arr_drop(&mask);
    arr_drop(&bias);
}

/* Sizes on both sides of the blocks (96 queries, 192 keys) and of the vectors, heads that share keys, queries before the first
 * key, with and without everything that hides keys. */
static void the_derivative_is_its_definition(void **state) {
    (void)state;
    static const setting settings[] = {{1, 1, 1, 1, 1, 1, false, 0, 0},
                                       {2, 1, 5, 5, 3, 2, true, 0, 0},
                                       {4, 2, 7, 9, 4, 3, true, 3, 0.25},
                                       {2, 2, 9, 4, 2, 2, true, 0, -1},
                                       {3, 1, 6, 6, 2, 5, false, 2, 2},
                                       {1, 1, 3, 400, 2, 1, false, 0, 0},
                                       {1, 1, 130, 130, 3, 2, true, 0, 0},
                                       {1, 1, 99, 200, 2, 2, true, 5, 0},
                                       {2, 1, 100, 70, 16, 16, true, 0, 0},
                                       {1, 1, 98, 30, 20, 2, false, 40, 0},
                                       {6, 2, 14, 13, 2, 18, false, 0, 3},
                                       {1, 1, 12, 3, 2, 2, false, 1, 0},
                                       /* as many rows as a padded row has columns */
                                       {1, 1, 4, 4, 3, 3, false, 0, 0},
                                       {1, 1, 8, 8, 5, 7, true, 0, 0},
                                       {1, 1, 16, 16, 9, 11, false, 3, 0},
                                       {1, 1, 9, 9, 3, 70, true, 4, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int t = ARR_F32; t <= ARR_F64; t++)
            for (int masks = 0; masks < 4; masks++)
                check_random(&settings[i], (arr_dtype)t, masks, 15, 10 * i + 1);
    for (int wants = 0; wants < 15; wants++) check_random(&settings[2], ARR_F32, 3, wants, 5);
}

/* Sizes around those of vectors, panels and blocks, and windows of every reach; with gS each key is looked at, without it those beside
 * what is seen. */
static void sizes_meet_in_every_way(void **state) {
    (void)state;
    static const int64_t queries[] = {1, 2, 5, 6, 7, 13, 95, 96, 97, 140},
                         keys[] = {1, 3, 8, 15, 17, 33, 191, 192, 193, 220},
                         columns[] = {1, 2, 7, 8, 9, 16, 17, 32}, window[] = {0, 0, 1, 2, 9, 40, 200},
                         heads[][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}};
    ph_rng g;
    ph_rng_seed(&g, 8);
    for (int k = 0; k < 80; k++) {
        const int64_t *h = ONE_OF(heads);
        const setting s = {
            h[0],           h[1], ONE_OF(queries), ONE_OF(keys), ONE_OF(columns), ONE_OF(columns), k % 2,
            ONE_OF(window), 0};
        check_random(&s, k / 2 % 2 ? ARR_F32 : ARR_F64, k / 4 % 4, k / 16 % 2 ? 15 : 7, (uint64_t)k);
    }
}

static void strides_do_not_matter(void **state) {
    (void)state;
    static const double pool[] = {0.5, -1, 2, 0.25, -0.75, 1, -1.5, 0, 1.75, 1, 0.125};
    const setting s = {3, 3, 5, 6, 4, 2, true, 0, 0};
    for (int a = 0; a < VIEWS; a++)
        for (int b = 0; b < VIEWS; b++) {
            arr in[3] = {make_view(a, ARR_F64, 4, (int64_t[]){2, 3, 5, 4}, pool, 11, 1),
                         make_view(b, ARR_F64, 4, (int64_t[]){2, 3, 6, 4}, pool, 11, 2),
                         make_view((a + b) % VIEWS, ARR_F64, 4, (int64_t[]){2, 3, 6, 2}, pool, 11, 3)};
            arr g = make_view((a + 2 * b) % VIEWS, ARR_F64, 4, (int64_t[]){2, 3, 5, 2}, pool, 11, 4);
            check(&s, ARR_F64, in, NULL, NULL, &g, 15);
            drop(in, 3);
            arr_drop(&g);
        }
}

/* ---- what is hidden -------------------------------------------------------------------------------------- */

/* Keys and values of the future become NaN, inf and 1e30: no derivative by what the first 100 queries see changes by more
 * than another order of adding makes, and those by the hidden are 0. */
static void the_future_takes_no_part(void **state) {
    (void)state;
    const setting s = {1, 1, 150, 150, 8, 4, true, 0, 0};
    const double worse[] = {NAN, INFINITY, 1e30};
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int where = 1; where <= 2; where++) {
            arr in[3] = {random_of((arr_dtype)t, 2, (int64_t[]){150, 8}, 1),
                         random_of((arr_dtype)t, 2, (int64_t[]){150, 8}, 2),
                         random_of((arr_dtype)t, 2, (int64_t[]){150, 4}, 3)};
            arr g = random_of((arr_dtype)t, 2, (int64_t[]){150, 4}, 4), before[4], after[4];
            for (int64_t i = 100 * 4; i < 150 * 4; i++) set(&g, i, 0); /* the loss looks at 100 outputs */
            backward(before, in, 3, &g, &s, 15);
            int64_t d = where == 1 ? 8 : 4;
            for (int64_t j = 120; j < 150; j++) set(&in[where], j * d + j % d, worse[j % 3]);
            backward(after, in, 3, &g, &s, 15);
            for (int64_t e = 0; e < 100 * 8; e++) { /* |gQ| < 1, from at most 150 terms */
                real x = creall(kth(&after[Q], e)) - creall(kth(&before[Q], e));
                assert_true(isfinite(x) && fabsl(x) <= 300 * unit_of((arr_dtype)t));
            }
            for (int64_t i = 0; i < 100; i++)
                for (int64_t j = i + 1; j < 150; j++) assert_true(creall(kth(&after[S], i * 150 + j)) == 0);
            drop(before, 4);
            drop(after, 4);
            drop(in, 3);
            arr_drop(&g);
        }
}

/* A key that a mask hides from every query: NaN in its key, value and bias reaches nothing, and its own derivatives are 0. A
 * NaN that is seen reaches its query, all that this query sees, and nothing else. */
static void nan_goes_where_it_is_seen(void **state) {
    (void)state;
    ph_err err;
    const setting s = {1, 1, 4, 5, 3, 2, false, 0, 0};
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int seen = 0; seen < 2; seen++) {
            arr in[5] = {random_of((arr_dtype)t, 2, (int64_t[]){4, 3}, 1),
                         random_of((arr_dtype)t, 2, (int64_t[]){5, 3}, 2),
                         random_of((arr_dtype)t, 2, (int64_t[]){5, 2}, 3)};
            arr g = random_of((arr_dtype)t, 2, (int64_t[]){4, 2}, 4), out[4];
            assert_int_equal(arr_full(&in[3], ARR_BOOL, 2, (int64_t[]){4, 5}, (arr_c128){1, 0}, &err), PH_OK);
            assert_int_equal(arr_zeros(&in[4], ARR_F64, 1, (int64_t[]){5}, &err), PH_OK);
            for (int64_t i = 0; i < 4; i++)
                set(&in[3], i * 5 + 2, seen && i == 1); /* key 2: to query 1, or none */
            set(&in[3], 1 * 5 + 4, 0);                  /* key 4 not to query 1 */
            set(&in[1], 2 * 3 + 1, NAN);
            set(&in[2], 2 * 2, INFINITY);
            set(&in[4], 2, NAN);
            backward(out, in, 5, &g, &s, 15);
            for (int64_t i = 0; i < 4; i++) {
                bool bad = seen && i == 1;
                for (int64_t l = 0; l < 3; l++) assert_true(isnan(creall(kth(&out[Q], i * 3 + l))) == bad);
                for (int64_t j = 0; j < 5; j++) {
                    real x = creall(kth(&out[S], i * 5 + j));
                    if (j == 2 && !bad) assert_true(x == 0);
                    else if (j == 4 && i == 1) assert_true(x == 0);
                    else assert_true(isnan(x) == bad && x != 0);
                }
            }
            for (int64_t j = 0; j < 5; j++)
                for (int k = K; k <= V; k++)
                    for (int64_t l = 0; l < (k == K ? 3 : 2); l++) {
                        real x = creall(kth(&out[k], j * (k == K ? 3 : 2) + l));
                        if (j == 2 && !seen) assert_true(x == 0);
                        else assert_true(isnan(x) == (seen && j != 4));
                    }
            drop(out, 4);
            drop(in, 5);
            arr_drop(&g);
        }
}

/* What comes back to query 0 is no number: so is what goes to query 0 and to the keys that it sees, which are all but key 2, and nothing else. */
static void nan_comes_back_where_it_was_seen(void **state) {
    (void)state;
    ph_err err;
    const setting s = {1, 1, 4, 5, 3, 2, false, 0, 0};
    static const double odd[] = {NAN, INFINITY};
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int k = 0; k < 2; k++) {
            arr in[4] = {random_of((arr_dtype)t, 2, (int64_t[]){4, 3}, 1),
                         random_of((arr_dtype)t, 2, (int64_t[]){5, 3}, 2),
                         random_of((arr_dtype)t, 2, (int64_t[]){5, 2}, 3)};
            arr g = random_of((arr_dtype)t, 2, (int64_t[]){4, 2}, 4), out[4];
            assert_int_equal(arr_full(&in[3], ARR_BOOL, 2, (int64_t[]){4, 5}, (arr_c128){1, 0}, &err), PH_OK);
            set(&in[3], 2, 0);
            set(&g, 1, odd[k]);
            backward(out, in, 4, &g, &s, 15);
            for (int64_t i = 0; i < 4; i++)
                for (int64_t l = 0; l < 3; l++)
                    assert_true(isfinite(creall(kth(&out[Q], i * 3 + l))) == (i != 0));
            for (int64_t j = 0; j < 5; j++) {
                for (int64_t l = 0; l < 3; l++)
                    assert_true(isfinite(creall(kth(&out[K], j * 3 + l))) == (j == 2));
                assert_true(isfinite(creall(kth(&out[V], j * 2 + 1))) == (j == 2));
            }
            drop(in, 4);
            drop(out, 4);
            arr_drop(&g);
        }
}

/* ---- resources ------------------------------------------------------------------------------------------- */

static void threads_change_no_bit(void **state) {
    (void)state;
    const setting s = {4, 2, 300, 300, 16, 8, true, 90, 0};
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr in[3] = {random_of((arr_dtype)t, 3, (int64_t[]){4, 300, 16}, 1),
                     random_of((arr_dtype)t, 3, (int64_t[]){2, 300, 16}, 2),
                     random_of((arr_dtype)t, 3, (int64_t[]){2, 300, 8}, 3)};
        arr g = random_of((arr_dtype)t, 3, (int64_t[]){4, 300, 8}, 4), out[3][4];
        for (int k = 0; k < 3; k++) {
            ph_set_threads(k + 1);
            backward(out[k], in, 3, &g, &s, 15);
        }
        ph_set_threads(0);
        for (int k = 0; k < 4; k++)
            assert_true(same_bits(&out[0][k], &out[1][k]) && same_bits(&out[0][k], &out[2][k]));
        for (int k = 0; k < 3; k++) drop(out[k], 4);
        drop(in, 3);
        arr_drop(&g);
    }
}

/* 4096 keys: the weights would be 64 MB; gQ, gK, gV and the copies they are gathered in are 4096 (1 + 2 * 16 + 5) rows of 16. */
static void memory_grows_with_T(void **state) {
    (void)state;
    const setting s = {1, 1, 4096, 4096, 16, 16, true, 0, 0};
    arr x = random_of(ARR_F32, 2, (int64_t[]){4096, 16}, 1), out[4];
    ph_block_set_limit(ph_block_live() + 4096 * 16 * sizeof(float) * 45);
    backward(out, (arr[]){x, x, x}, 3, &x, &s, 7);
    ph_block_set_limit(SIZE_MAX);
    drop(out, 4);
    arr_drop(&x);
}

static void empty_problems_are_served(void **state) {
    (void)state;
    static const int64_t sizes[][3] = {{0, 3, 2}, {3, 0, 2}, {0, 0, 2}, {3, 3, 0}};
    const setting s = {1, 1, 1, 1, 1, 1, true, 0, 0};
    for (int i = 0; i < 4; i++) {
        int64_t T = sizes[i][0], keys = sizes[i][1], dv = sizes[i][2];
        arr in[3] = {random_of(ARR_F64, 2, (int64_t[]){T, 2}, 1),
                     random_of(ARR_F64, 2, (int64_t[]){keys, 2}, 2),
                     random_of(ARR_F64, 2, (int64_t[]){keys, dv}, 3)};
        arr g = random_of(ARR_F64, 2, (int64_t[]){T, dv}, 4), out[4];
        backward(out, in, 3, &g, &s, 15);
        for (int k = 0; k < 4; k++)
            for (int64_t e = 0; e < arr_size(&out[k]); e++) assert_true(creall(kth(&out[k], e)) == 0);
        drop(out, 4);
        drop(in, 3);
        arr_drop(&g);
    }
}

static void interrupts_are_seen(void **state) {
    (void)state;
    const setting s = {1, 1, 300, 300, 4, 4, false, 0, 0};
    arr x = random_of(ARR_F64, 2, (int64_t[]){300, 4}, 1),
        sums = random_of(ARR_F64, 2, (int64_t[]){300, 2}, 1);
    op_attrs attrs = par_of(&s);
    attrs.nints = 4;
    attrs.ints[3] = 7;
    /* 4 pieces of 96 queries, with 2 blocks of keys each */
    assert_true(survives_interrupts(op_find("derivative of attention"), (arr[]){x, x, x, x, x, sums}, 6,
                                    &attrs) >= 12);
    arr_drop(&x);
    arr_drop(&sums);
}

static void refused_memory_leaks_nothing(void **state) {
    (void)state;
    ph_err err;
    static const double pool[] = {1, 0.5, -1};
    arr in[8] = {make_view(TRANSPOSED, ARR_F32, 2, (int64_t[]){400, 3}, pool, 3, 1),
                 make_view(STEPPED, ARR_F32, 2, (int64_t[]){5, 3}, pool, 3, 2),
                 make_view(REVERSED, ARR_F32, 2, (int64_t[]){5, 2}, pool, 3, 3),
                 filled(ARR_BOOL, 1, (int64_t[]){5}, pool, 3, 1),
                 filled(ARR_F64, 1, (int64_t[]){5}, pool, 3, 1),
                 make_view(STEPPED, ARR_F32, 2, (int64_t[]){400, 2}, pool, 3, 3)};
    op_attrs attrs = {.nints = 4, .ints = {0, 0, 0, 15}};
    assert_int_equal(op_apply(&in[6], op_find("attention with sums"), in, 5, NULL, &err), PH_OK);
    survives_refusals(op_find("attention with sums"), in, 5, NULL);
    survives_refusals(op_find("derivative of attention"), in, 8, &attrs);
    drop(in, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_derivative_is_its_definition),
        cmocka_unit_test(sizes_meet_in_every_way),
        cmocka_unit_test(strides_do_not_matter),
        cmocka_unit_test(the_future_takes_no_part),
        cmocka_unit_test(nan_goes_where_it_is_seen),
        cmocka_unit_test(nan_comes_back_where_it_was_seen),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(memory_grows_with_T),
        cmocka_unit_test(empty_problems_are_served),
        cmocka_unit_test(interrupts_are_seen),
        cmocka_unit_test(refused_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
