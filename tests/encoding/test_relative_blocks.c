/* Scores of queries and keys that know their distance, where there is more than one block, against loops over pairs.
 * Sources: encoding/distances.c encoding/relative.c */
#include "scores.h"

/* position(m, n) for every pair, within `most`. */
static void check_pairs(enc_call *c, int64_t offset, double (*position)(int64_t i, int64_t m, int64_t n),
                        double most) {
    set_int(c, "offset", offset);
    arr a = run_call(c);
    for (int64_t i = 0; i < LONG_T; i++)
        for (int64_t n = 0; n < LONG_S; n++) {
            double off = fabs(entry(&a, i, n) - position(i, offset + i, n));
            if (!(isfinite(off) && off <= most))
                fail_msg("%s, query %d, key %d: %g", c->fn->name, (int)i, (int)n, off);
        }
    arr_drop(&a);
}

static const arr *W_long, *v_long;
static int64_t clamp_long;
static double by_waves(int64_t i, int64_t m, int64_t n) {
    double t = (double)(m - n), end = clamp_long ? (double)clamp_long : 1e9, sum = 0;
    t = t > end ? end : t < -end ? -end : t;
    for (int64_t c = 0; c < D; c++)
        for (int64_t e = 0; e < WAVES; e++) {
            double angle = t * pow(10000, -2.0 * (double)(e % (WAVES / 2)) / WAVES);
            sum += (entry(q_long, i, c) + entry(v_long, c, 0)) * entry(W_long, e, c) *
                   (e < WAVES / 2 ? sin(angle) : cos(angle));
        }
    return sum / sqrt(D);
}

/* Angles of the loop reach 400 and are off by as many u; the rest as above, twice. */
static void waves_in_blocks(void **state) {
    (void)state;
    enc_call c = call_of("transformer_xl");
    long_parts(&c);
    W_long = keep(RANDOM(ARR_F64, WAVES, D)), v_long = keep(RANDOM(ARR_F64, D));
    set_array(&c, "W", W_long), set_array(&c, "u", v_long), set_array(&c, "v", v_long);
    double size = D * WAVES * (largest(q_long) + largest(v_long)) * largest(W_long) / sqrt(D);
    double most = (400 + 2 * (D + WAVES + 8)) * U[ARR_F64] * size;
    for (clamp_long = 0; clamp_long <= 150; clamp_long += 50) {
        set_int(&c, "clamp", clamp_long);
        check_pairs(&c, LONG_S - LONG_T, by_waves, most);
        check_pairs(&c, -30, by_waves, most);
    }
    drop_kept();
}

static bool as_code;
static double by_direction(int64_t i, int64_t m, int64_t n) {
    double sum = 0;
    for (int64_t c = 0; c < D; c++) {
        bool cosine = as_code ? c >= D / 2 : c % 2;
        double i_of_c = (double)(as_code ? c % (D / 2) : c / 2);
        double angle =
            (double)(as_code ? n - m : m - n) * pow(10000, as_code ? -i_of_c / (D / 2 - 1) : -2 * i_of_c / D);
        sum += (entry(q_long, i, c) + entry(v_long, c, 0)) * (cosine ? cos(angle) : sin(angle));
    }
    return sum;
}

static void tener_in_blocks(void **state) {
    (void)state;
    enc_call c = call_of("tener");
    long_parts(&c);
    v_long = keep(RANDOM(ARR_F64, D));
    set_array(&c, "u", v_long), set_array(&c, "v", v_long);
    double most = (400 + 2 * (D + 8)) * U[ARR_F64] * D * (largest(q_long) + largest(v_long));
    for (int code = 0; code < 2; code++) {
        as_code = code;
        set_word(&c, "variant", code ? "code" : "paper");
        check_pairs(&c, LONG_S - LONG_T, by_direction, most);
    }
    drop_kept();
}

static const arr *table_long;
static double by_table(int64_t i, int64_t m, int64_t n) {
    int64_t reach = table_long->shape[0] / 2, ahead = n - m;
    double sum = 0;
    ahead = ahead > reach ? reach : ahead < -reach ? -reach : ahead;
    for (int64_t c = 0; c < D; c++) sum += entry(q_long, i, c) * entry(table_long, reach + ahead, c);
    return sum / sqrt(D);
}
static void tables_in_blocks(void **state) {
    (void)state;
    enc_call c = call_of("shaw");
    long_parts(&c);
    for (int64_t rows = 1; rows <= 801; rows += 200) {
        table_long = keep(RANDOM(ARR_F64, rows, D));
        set_array(&c, "table", table_long);
        double most = 2 * (D + 5) * U[ARR_F64] * D * largest(q_long) * largest(table_long) / sqrt(D);
        check_pairs(&c, LONG_S - LONG_T, by_table, most);
        check_pairs(&c, 10, by_table, most);
    }
    drop_kept();
}

int main(void) {
    ph_rng_seed(&generator, 11);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_in_blocks),
        cmocka_unit_test(tener_in_blocks),
        cmocka_unit_test(tables_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
