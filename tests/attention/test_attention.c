/* attention and attention_weights against loops over index tuples, in long double, written from the definition.
 * Sources: attention/attention.c attention/blocked.c attention/blocked.inc attention/scores.inc */
#include "attention/attention.h"
#include "attention/naive.h"

static void check(const setting *s, arr_dtype t, const arr *q, const arr *k, const arr *v, const arr *mask,
                  const arr *bias) {
    ph_err err;
    arr in[5] = {*q, *k, *v}, z, a, few[4] = {*q, *k};
    int n = 3;
    if (mask) in[n++] = *mask;
    if (bias) in[n++] = *bias;
    for (int i = 3; i < n; i++) few[i - 1] = in[i];
    op_attrs attrs = par_of(s);
    real *alpha = malloc((size_t)s->S * sizeof *alpha + 1);
    assert_int_equal(op_apply(&z, op_find("attention"), in, n, &attrs, &err), PH_OK);
    assert_int_equal(op_apply(&a, op_find("attention_weights"), few, n - 1, &attrs, &err), PH_OK);
    assert_int_equal(z.dtype, t);
    for (int64_t b = 0; b < z.shape[0]; b++)
        for (int64_t h = 0; h < s->H; h++)
            for (int64_t i = 0; i < s->T; i++) {
                real spread, total = 0, least = t == ARR_F32 ? 0x1p-149L : 0x1p-1074L;
                bool sees = weights_of(alpha, &spread, s, q, k, mask, bias, b, h, i);
                real rel = relative_bound(s, t, spread);
                assert_true(rel < 0.1L); /* first-order bounds hold */
                for (int64_t j = 0; j < s->S; j++) {
                    real got = at4(&a, b, h, i, j);
                    total += got;
                    assert_true(isfinite(got) && fabsl(got - alpha[j]) <= rel * alpha[j] + least);
                    if (alpha[j] == 0) assert_true(got == 0);
                }
                assert_true(fabsl(total - sees) <= sees * rel);
                for (int64_t l = 0; l < s->dv; l++) {
                    real want = 0, size = 0, got = at4(&z, b, h, i, l);
                    for (int64_t j = 0; j < s->S; j++) {
                        if (alpha[j] == 0) continue; /* its value is not looked at */
                        real x = at4(v, b, h / (s->H / s->Hk), j, l);
                        want += alpha[j] * x;
                        size += alpha[j] * fabsl(x);
                    }
                    assert_true(isfinite(got) && fabsl(got - want) <= rel * size + least * (real)s->S);
                    if (!sees) assert_true(got == 0);
                }
            }
    free(alpha);
    arr_drop(&z);
    arr_drop(&a);
}

static void check_random(const setting *s, arr_dtype t, int masks, uint64_t seed) {
    int64_t B = 2;
    arr q = random_of(t, 4, (int64_t[]){B, s->H, s->T, s->d}, seed),
        k = random_of(t, 4, (int64_t[]){B, s->Hk, s->S, s->d}, seed + 1),
        v = random_of(t, 4, (int64_t[]){B, s->Hk, s->S, s->dv}, seed + 2);
    static const double coin[] = {1, -1, 1, 1, -1, 1, 1}, some[] = {0.5, -INFINITY, -2, 0, 1.25};
    arr mask = filled(ARR_BOOL, 3, (int64_t[]){1, s->T, s->S}, coin, 7, (unsigned)seed);
    arr bias =
        filled(t == ARR_F32 ? ARR_F64 : ARR_F32, 3, (int64_t[]){s->H, 1, s->S}, some, 5, (unsigned)seed);
    check(s, t, &q, &k, &v, masks & 1 ? &mask : NULL, masks & 2 ? &bias : NULL);
    arr_drop(&q);
    arr_drop(&k);
    arr_drop(&v);
    arr_drop(&mask);
    arr_drop(&bias);
}

/* Sizes on both sides of the blocks (128 queries, 256 keys), with and without everything that hides keys. */
static void attention_is_its_definition(void **state) {
    (void)state;
    static const setting settings[] = {{1, 1, 1, 1, 1, 1, false, 0, 0},    {2, 1, 5, 5, 3, 2, true, 0, 0},
                                       {4, 2, 7, 9, 4, 3, true, 3, 0.25},  {2, 2, 9, 4, 2, 2, true, 0, -1},
                                       {3, 1, 6, 6, 2, 5, false, 2, 2},    {1, 1, 3, 600, 2, 1, false, 0, 0},
                                       {1, 1, 130, 130, 3, 2, true, 0, 0}, {1, 1, 129, 257, 2, 2, true, 5, 0},
                                       {2, 1, 2, 300, 4, 2, false, 40, 0}, {1, 1, 4, 520, 2, 3, false, 0, 3},
                                       {1, 1, 140, 20, 2, 2, true, 0, 0},  {1, 1, 12, 3, 2, 2, false, 1, 0},
                                       {1, 1, 9, 9, 3, 70, true, 0, 0},    {1, 1, 9, 9, 3, 70, false, 4, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int t = ARR_F32; t <= ARR_F64; t++)
            for (int masks = 0; masks < 4; masks++)
                check_random(&settings[i], (arr_dtype)t, masks, 10 * i + 1);
}

/* Sizes around those of vectors, panels and blocks, with few and many queries, windows of every reach and heads that share keys: whoever
 * takes a size for another, or begins a run of keys a key too late, is off somewhere. */
static void sizes_meet_in_every_way(void **state) {
    (void)state;
    static const int64_t T[] = {1, 2, 5, 6, 7, 12, 13, 95, 96, 97, 140},
                         S[] = {1, 3, 8, 15, 16, 17, 33, 64, 255, 256, 257, 300},
                         columns[] = {1, 2, 7, 8, 9, 16, 17, 32, 48}, window[] = {0, 0, 1, 2, 9, 40, 270},
                         heads[][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}};
    ph_rng g;
    ph_rng_seed(&g, 7);
    for (int k = 0; k < 120; k++) {
        const int64_t *h = ONE_OF(heads);
        const setting s = {h[0],  h[1],           ONE_OF(T), ONE_OF(S), ONE_OF(columns), ONE_OF(columns),
                           k % 2, ONE_OF(window), 0};
        check_random(&s, k / 2 % 2 ? ARR_F32 : ARR_F64, k / 4 % 4, (uint64_t)k);
    }
}

/* ---- leading dimensions -------------------------------------------------------------------------------------- */

enum { LEADS = 10 };
static const int64_t leads[LEADS][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4},
                                        {1, 2}, {2, 1}, {2, 2}, {3, 2}, {2, 4}};

/* Random (lead..., 3, 2); a lead of 0 is none. */
static arr with_lead(const int64_t *lead, uint64_t seed) {
    int64_t shape[4];
    int n = 0;
    for (int a = 0; a < 2; a++)
        if (lead[a]) shape[n++] = lead[a];
    shape[n++] = 3, shape[n++] = 2;
    return random_of(ARR_F64, n, shape, seed);
}
static int64_t lead_of(const int64_t *lead, int a) { return lead[a] ? lead[a] : 1; }

/* The matrix of x that belongs to index i of the result's lead; `group` of its last dimension share one. */
static arr matrix_for(const arr *x, const int64_t *lead, const int64_t *i, int64_t group) {
    arr y = *x; /* borrowed */
    int64_t at = 0;
    for (int a = 0; a < 2; a++)
        at = at * lead_of(lead, a) + (lead_of(lead, a) == 1 ? 0 : i[a] / (a == 1 ? group : 1));
    y.ndim = 2, y.shape[0] = 3, y.shape[1] = 2, y.stride[0] = 2, y.stride[1] = 1;
    y.data += at * 6 * (int64_t)sizeof(double);
    return y;
}

/* What attention.h says of them: K's and V's are equal or 1; Q's are theirs, or 1, or meet 1, or, the last one, are a multiple. */
static bool leads_meet(int64_t *out, int64_t *group, const int64_t *q, const int64_t *k, const int64_t *v) {
    *group = 1;
    for (int a = 0; a < 2; a++) {
        int64_t lq = lead_of(q, a), lk = lead_of(k, a), lv = lead_of(v, a), kv = lk > lv ? lk : lv;
        if (lk != lv && lk != 1 && lv != 1) return false;
        out[a] = lq > kv ? lq : kv;
        if (lq == kv || lq == 1 || kv == 1) continue;
        if (a == 0 || lq % kv != 0) return false;
        *group = lq / kv;
    }
    return true;
}

/* Three operands with each three of ten leads: the result is that of the matrices that belong together, or a refusal. */
static void leads_broadcast_or_are_refused(void **state) {
    (void)state;
    ph_err err;
    int refused = 0;
    for (int c = 0; c < LEADS * LEADS * LEADS; c++) {
        const int64_t *of[3] = {leads[c % LEADS], leads[c / LEADS % LEADS], leads[c / LEADS / LEADS]};
        arr in[3], z, one;
        int64_t out[2], group;
        for (int k = 0; k < 3; k++) in[k] = with_lead(of[k], (uint64_t)k + 1);
        ph_status st = op_apply(&z, op_find("attention"), in, 3, NULL, &err);
        if (!leads_meet(out, &group, of[0], of[1], of[2])) {
            assert_int_equal(st, PH_EARG);
            assert_non_null(strstr(err.text, "before the last two")
                                ?: strstr(err.text, "a multiple of those"));
            refused++;
        } else {
            assert_int_equal(st, PH_OK);
            assert_int_equal(arr_size(&z), out[0] * out[1] * 6);
            for (int64_t e = 0; e < out[0] * out[1]; e++) {
                const int64_t at[2] = {e / out[1], e % out[1]};
                arr own[3];
                for (int k = 0; k < 3; k++) own[k] = matrix_for(&in[k], of[k], at, k ? group : 1);
                assert_int_equal(op_apply(&one, op_find("attention"), own, 3, NULL, &err), PH_OK);
                assert_memory_equal(z.data + (size_t)e * 6 * sizeof(double), one.data, 6 * sizeof(double));
                arr_drop(&one);
            }
            arr_drop(&z);
        }
        for (int k = 0; k < 3; k++) arr_drop(&in[k]);
    }
    assert_true(refused > 100);
}

/* A value that is no number is found wherever it is, in every kind of view, and none that is beside what the view shows. */
static void one_value_that_is_not_finite_is_found(void **state) {
    (void)state;
    static const double pool[] = {1, -2, 0.5}, odd[] = {NAN, INFINITY, -INFINITY};
    static const int64_t shapes[][3] = {{2, 3, 5}, {4, 1, 3}, {1, 1, 1}, {3, 170, 90}};
    ph_err err;
    bool finite;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int kind = 0; kind < VIEWS; kind++)
            for (int s = 0; s < 4; s++) {
                arr x = make_view(kind, (arr_dtype)t, 3, shapes[s], pool, 3, 1);
                const int64_t size = arr_size(&x);
                if (kind == STEPPED) /* every second one is shown */
                    memset(x.data - arr_itemsize(x.dtype), 0xff, arr_itemsize(x.dtype));
                assert_int_equal(att_all_finite(&finite, &x, &err), PH_OK);
                assert_true(finite);
                for (int64_t k = 0; k < size; k += k < 40 || k + 40 > size ? 1 : 997) {
                    int64_t index[3];
                    unravel(index, 3, shapes[s], k);
                    char *at = arr_at(&x, index);
                    arr_c128 was = arr_get_c128(&x, at);
                    assert_int_equal(arr_put_c128(&x, at, (arr_c128){odd[k % 3], 0}, &err), PH_OK);
                    assert_int_equal(att_all_finite(&finite, &x, &err), PH_OK);
                    assert_false(finite);
                    assert_int_equal(arr_put_c128(&x, at, was, &err), PH_OK);
                }
                arr_drop(&x);
            }
}

/* Operands as views: BLAS takes some as they lie, others are copied. */
static void strides_do_not_matter(void **state) {
    (void)state;
    static const double pool[] = {0.5, -1, 2, 0.25, -0.75, 1, -1.5, 0, 1.75, 1, 0.125};
    const setting s = {3, 3, 5, 6, 4, 2, true, 0, 0};
    for (int a = 0; a < VIEWS; a++)
        for (int b = 0; b < VIEWS; b++) {
            arr q = make_view(a, ARR_F64, 4, (int64_t[]){2, 3, 5, 4}, pool, 11, 1),
                k = make_view(b, ARR_F64, 4, (int64_t[]){2, 3, 6, 4}, pool, 11, 2),
                v = make_view((a + b) % VIEWS, ARR_F64, 4, (int64_t[]){2, 3, 6, 2}, pool, 11, 3),
                m = make_view(b, ARR_BOOL, 4, (int64_t[]){2, 3, 5, 6}, pool, 11, 4);
            check(&s, ARR_F64, &q, &k, &v, &m, NULL);
            arr_drop(&q);
            arr_drop(&k);
            arr_drop(&v);
            arr_drop(&m);
        }
}

/* With keys and values of the future made NaN, inf and 1e30, no bit of an earlier query's output changes. */
static void the_future_is_not_looked_at(void **state) {
    (void)state;
    const setting s = {1, 1, 300, 300, 8, 4, true, 0, 0};
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr in[3] = {random_of((arr_dtype)t, 2, (int64_t[]){300, 8}, 1),
                     random_of((arr_dtype)t, 2, (int64_t[]){300, 8}, 2),
                     random_of((arr_dtype)t, 2, (int64_t[]){300, 4}, 3)};
        arr before = run("attention", in, 3, &s);
        const double worse[] = {NAN, INFINITY, 1e30};
        for (int64_t j = 200; j < 300; j++) set(&in[1], j * 8 + j % 8, worse[j % 3]);
        arr keys = run("attention", in, 3, &s), weights = run("attention_weights", in, 2, &s);
        for (int64_t j = 200; j < 300; j++) set(&in[2], j * 4 + j % 4, worse[j % 3]);
        arr both = run("attention", in, 3, &s);
        for (int64_t i = 0; i < 200 * 4; i++) {
            real want = creall(kth(&before, i)), got = creall(kth(&both, i));
            assert_true(creall(kth(&keys, i)) == want);
            assert_true(isfinite(got) &&
                        fabsl(got - want) <= 700 * unit_of((arr_dtype)t) * 8); /* another order of adding */
        }
        for (int64_t i = 0; i < 200; i++)
            for (int64_t j = i + 1; j < 300; j++) assert_true(creall(kth(&weights, i * 300 + j)) == 0);
        assert_true(isnan(creall(kth(&both, 299 * 4))));
        for (int k = 0; k < 3; k++) arr_drop(&in[k]);
        arr_drop(&before);
        arr_drop(&keys);
        arr_drop(&both);
        arr_drop(&weights);
    }
}

/* Hidden by every way there is; values that are seen and NaN come through. */
static void a_query_that_sees_nothing_gets_zeros(void **state) {
    (void)state;
    ph_err err;
    arr in[5] = {random_of(ARR_F64, 2, (int64_t[]){3, 2}, 1), random_of(ARR_F64, 2, (int64_t[]){2, 2}, 2),
                 random_of(ARR_F64, 2, (int64_t[]){2, 2}, 3)};
    setting s = {1, 1, 3, 2, 2, 2, true, 0, 0}; /* query 0 stands at -1 */
    arr z = run("attention", in, 3, &s), a = run("attention_weights", in, 2, &s);
    for (int i = 0; i < 2; i++) assert_true(creall(kth(&z, i)) == 0 && creall(kth(&a, i)) == 0);
    for (int i = 2; i < 6; i++) assert_true(creall(kth(&z, i)) != 0);
    arr_drop(&z);
    arr_drop(&a);
    s.causal = false;
    assert_int_equal(arr_zeros(&in[3], ARR_BOOL, 2, (int64_t[]){3, 1}, &err), PH_OK);
    assert_int_equal(arr_full(&in[4], ARR_F64, 0, NULL, (arr_c128){NAN, 0}, &err), PH_OK);
    set(&in[2], 0, NAN);
    set(&in[1], 0, NAN);
    z = run("attention", in, 5, &s);
    for (int i = 0; i < 6; i++) assert_true(creall(kth(&z, i)) == 0);
    arr_drop(&z);
    z = run("attention", in, 3, &s);
    for (int i = 0; i < 6; i++) assert_true(isnan(creall(kth(&z, i))));
    arr_drop(&z);
    for (int k = 0; k < 5; k++) arr_drop(&in[k]);
}

/* f(P X) = P f(X): the sums run in another order, so the two agree within the bound of two computations. */
static void permutations_go_through(void **state) {
    (void)state;
    enum { T = 300, D = 6 };
    const setting s = {1, 1, T, T, D, D, false, 0, 0};
    arr x = random_of(ARR_F64, 2, (int64_t[]){T, D}, 4), y = random_of(ARR_F64, 2, (int64_t[]){T, D}, 5);
    for (int64_t i = 0; i < T; i++)
        for (int64_t l = 0; l < D; l++) set(&y, i * D + l, (double)creall(kth(&x, i * 77 % T * D + l)));
    arr z = run("attention", (arr[]){x, x, x}, 3, &s), w = run("attention", (arr[]){y, y, y}, 3, &s);
    for (int64_t i = 0; i < T; i++)
        for (int64_t l = 0; l < D; l++) {
            real d = creall(kth(&w, i * D + l)) - creall(kth(&z, i * 77 % T * D + l));
            assert_true(isfinite(d) &&
                        fabsl(d) <= 2 * relative_bound(&s, ARR_F64, 2 * 40) * 5); /* |x| < 5, |q||k| < 40 */
        }
    arr_drop(&x);
    arr_drop(&y);
    arr_drop(&z);
    arr_drop(&w);
}

static void threads_change_no_bit(void **state) {
    (void)state;
    const setting s = {4, 2, 400, 400, 16, 8, true, 90, 0};
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr in[3] = {random_of((arr_dtype)t, 3, (int64_t[]){4, 400, 16}, 1),
                     random_of((arr_dtype)t, 3, (int64_t[]){2, 400, 16}, 2),
                     random_of((arr_dtype)t, 3, (int64_t[]){2, 400, 8}, 3)};
        arr z[2], a[2];
        for (int k = 0; k < 2; k++) {
            ph_set_threads(k + 1);
            z[k] = run("attention", in, 3, &s);
            a[k] = run("attention_weights", in, 2, &s);
        }
        ph_set_threads(0);
        assert_true(same_bits(&z[0], &z[1]) && same_bits(&a[0], &a[1]));
        for (int k = 0; k < 2; k++) arr_drop(&z[k]), arr_drop(&a[k]);
        for (int k = 0; k < 3; k++) arr_drop(&in[k]);
    }
}

/* 4096 keys: the weights would be 128 MB, the output is 256 KB. */
static void memory_grows_with_T(void **state) {
    (void)state;
    const setting s = {1, 1, 4096, 4096, 8, 8, true, 64, 0};
    arr x = random_of(ARR_F64, 2, (int64_t[]){4096, 8}, 1);
    ph_block_set_limit(ph_block_live() + (1 << 20));
    arr z = run("attention", (arr[]){x, x, x}, 3, &s);
    ph_block_set_limit(SIZE_MAX);
    arr_drop(&z);
    arr_drop(&x);
}

static void empty_problems_are_served(void **state) {
    (void)state;
    ph_err err;
    static const int64_t sizes[][3] = {{0, 3, 2}, {3, 0, 2}, {0, 0, 2}, {3, 3, 0}};
    const setting s = {1, 1, 1, 1, 1, 1, true, 0, 0};
    for (int i = 0; i < 4; i++) {
        int64_t T = sizes[i][0], S = sizes[i][1], dv = sizes[i][2];
        arr q = random_of(ARR_F64, 2, (int64_t[]){T, 2}, 1), k = random_of(ARR_F64, 2, (int64_t[]){S, 2}, 2),
            v;
        assert_int_equal(arr_full(&v, ARR_F64, 2, (int64_t[]){S, dv}, (arr_c128){7, 0}, &err), PH_OK);
        arr z = run("attention", (arr[]){q, k, v}, 3, &s), a = run("attention_weights", (arr[]){q, k}, 2, &s);
        assert_true(z.shape[0] == T && z.shape[1] == dv && a.shape[0] == T && a.shape[1] == S);
        for (int64_t j = 0; S == 0 && j < arr_size(&z); j++) assert_true(creall(kth(&z, j)) == 0);
        arr_drop(&q), arr_drop(&k), arr_drop(&v), arr_drop(&z), arr_drop(&a);
    }
}

static void interrupts_are_seen(void **state) {
    (void)state;
    arr x = random_of(ARR_F64, 2, (int64_t[]){300, 4}, 1);
    /* 4 pieces of 96 queries, each with 2 blocks of keys at which it looks */
    assert_true(survives_interrupts(op_find("attention"), (arr[]){x, x, x}, 3, NULL) >= 12);
    assert_true(survives_interrupts(op_find("attention_weights"), (arr[]){x, x}, 2, NULL) >= 12);
    arr_drop(&x);
}

static void refused_memory_leaks_nothing(void **state) {
    (void)state;
    static const double pool[] = {1, 0.5, -1};
    arr in[5] = {make_view(TRANSPOSED, ARR_F32, 2, (int64_t[]){4, 3}, pool, 3, 1),
                 make_view(STEPPED, ARR_F32, 2, (int64_t[]){5, 3}, pool, 3, 2),
                 make_view(REVERSED, ARR_F32, 2, (int64_t[]){5, 2}, pool, 3, 3),
                 filled(ARR_BOOL, 1, (int64_t[]){5}, pool, 3, 1),
                 filled(ARR_F64, 1, (int64_t[]){5}, pool, 3, 1)};
    survives_refusals(op_find("attention"), in, 5, NULL);
    survives_refusals(op_find("attention_weights"), in, 2, NULL);
    for (int k = 0; k < 5; k++) arr_drop(&in[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_is_its_definition),
        cmocka_unit_test(sizes_meet_in_every_way),
        cmocka_unit_test(leads_broadcast_or_are_refused),
        cmocka_unit_test(one_value_that_is_not_finite_is_found),
        cmocka_unit_test(strides_do_not_matter),
        cmocka_unit_test(the_future_is_not_looked_at),
        cmocka_unit_test(a_query_that_sees_nothing_gets_zeros),
        cmocka_unit_test(permutations_go_through),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(memory_grows_with_T),
        cmocka_unit_test(empty_problems_are_served),
        cmocka_unit_test(interrupts_are_seen),
        cmocka_unit_test(refused_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
