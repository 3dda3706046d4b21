/* CoPE, whose positions are counted by the content: kernel and definition.
 * Sources: encoding/cope.c */
#include "scores.h"

/* Kernel and definition. A logit is off by D u of D |q||k|; a gate has slope 1/4; a position adds up to S gates, off by 4 u each and
 * by S u through their sum (in f64); e(p) has slope 2 D |q||a| at most. */
static void cope_equals_its_definition(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int form = 0; form < 8; form++) {
            enc_call c = call_of("cope");
            const arr *q = keep(RANDOM((arr_dtype)t, H, T, D)), *k = keep(RANDOM((arr_dtype)t, H, S, D)),
                      *a = keep(form & 1 ? RANDOM((arr_dtype)t, H, 4, D) : RANDOM((arr_dtype)t, 3, D));
            double u = U[t], qk = D * largest(q) * largest(k), qa = D * largest(q) * largest(a),
                   w = U[ARR_F64];
            double p = S * (D * u * qk / 4 + 4 * w) + S * S * w;
            double most = 2 * (D * u * qk + 2 * qa * p + (D + 4) * u * qa) + 4 * u * (qk + qa);
            set_array(&c, "q", q), set_array(&c, "k", k), set_array(&c, "table", a);
            set_word(&c, "variant", form & 2 ? "code" : "paper"), set_int(&c, "content", form >> 2);
            for (int64_t offset = -2; offset <= 12; offset += 2) {
                set_int(&c, "offset", offset);
                arr fast = run_call(&c), slow = run_defined(&c);
                assert_true(arr_same_shape(&fast, &slow) && fast.dtype == (arr_dtype)t);
                for (int64_t h = 0; h < H; h++)
                    for (int64_t i = 0; i < T; i++)
                        for (int64_t n = 0; n < S; n++) {
                            double x = at3(&fast, h, i, n), y = at3(&slow, h, i, n);
                            if (n > offset + i) assert_true(x == -INFINITY && y == -INFINITY);
                            else assert_true(isfinite(x - y) && fabs(x - y) <= most);
                        }
                arr_drop(&fast), arr_drop(&slow);
            }
            if (form == 7) leaks_nothing(&c), same_everywhere(&c);
            drop_kept();
        }
}

/* The bound above for many keys; their gates are taken in pieces. */
static void cope_walks_far(void **state) {
    (void)state;
    enc_call c = call_of("cope");
    long_parts(&c);
    const arr *a = keep(RANDOM(ARR_F64, 200, D));
    set_array(&c, "table", a), set_word(&c, "variant", "code");
    arr fast = run_call(&c), slow = run_defined(&c);
    double u = U[ARR_F64], qk = D * largest(q_long) * largest(k_long), qa = D * largest(q_long) * largest(a);
    double p = LONG_S * (D * u * qk / 4 + 4 * u) + LONG_S * LONG_S * u;
    double most = 2 * (D * u * qk + 2 * qa * p + (D + 4) * u * qa) + 4 * u * (qk + qa);
    for (int64_t i = 0; i < LONG_T; i++)
        for (int64_t n = 0; n <= i + LONG_S - LONG_T; n++) {
            double off = fabs(entry(&fast, i, n) - entry(&slow, i, n));
            assert_true(isfinite(off) && off <= most);
        }
    arr_drop(&fast), arr_drop(&slow);
    drop_kept();
}

int main(void) {
    ph_rng_seed(&generator, 11);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cope_equals_its_definition),
        cmocka_unit_test(cope_walks_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
