/* Rotation: against its formula in balls for every scaling, layout and direction; frequencies against values computed
 * elsewhere; the layouts against each other; ready tables; the same everywhere.
 * Sources: encoding/rope.c */
#include "against.h"

#include <stdio.h>

#include "array/op.h"

static arr random_rows(int ndim, const int64_t *shape, arr_dtype t) {
    ph_err err;
    ph_rng g;
    arr x;
    ph_rng_seed(&g, 11);
    assert_int_equal(arr_randn(&x, t, ndim, shape, &g, &err), PH_OK);
    return x;
}

/* scaling = {kind, name = number, …}; a name NULL ends. `ramp` is a word or NULL. */
typedef struct {
    const char *kind;
    struct {
        const char *name;
        double x;
    } field[6];
    const char *ramp;
} scale;

static enc_value fields[ENC_MAXPAR];
static void set_scaling(enc_call *c, const scale *s, const arr *factors) {
    if (!s->kind) return;
    const enc_param *p = c->fn->params;
    while (strcmp(p->name, "scaling") != 0) p++;
    int64_t k = 0;
    while (strcmp(p->choices[k].name, s->kind) != 0) k++;
    const enc_param *of = p->choices[k].params;
    enc_defaults(fields, of);
    for (int f = 0; of[f].name; f++) {
        for (int n = 0; n < 6 && s->field[n].name; n++)
            if (strcmp(s->field[n].name, of[f].name) == 0)
                fields[f].given = true, fields[f].num = s->field[n].x;
        if (s->ramp && strcmp(of[f].name, "ramp") == 0) fields[f].given = true, fields[f].word = s->ramp;
        if (of[f].type == ENC_ARRAY) fields[f].given = true, fields[f].array = factors;
    }
    enc_value *v = enc_set(c, "scaling");
    v->whole = k;
    v->fields = fields;
}

static const scale scales[] = {
    {0},
    {"pi", {{"factor", 4}}, 0},
    {"ntk", {{"factor", 8}}, 0},
    {"dynamic", {{"factor", 2}, {"train", 64}, {"length", 150}}, 0},
    {"dynamic", {{"factor", 2}, {"train", 64}, {"length", 64}}, 0},
    {"ntk-mixed", {{"factor", 12}}, 0},
    {"ntk-parts", {{"factor", 4}, {"train", 400}}, 0},
    {"yarn", {{"factor", 48}, {"train", 4096}}, 0},
    {"yarn", {{"factor", 16}, {"train", 4096}}, "code"},
    {"longrope", {{"factor", 23}, {"train", 4096}}, 0},
    {"llama3", {{"factor", 8}, {"train", 200}}, 0},
};

/* ---- frequencies --------------------------------------------------------------------------------------- */

static arr frequencies(int64_t d, double base, const scale *s) {
    enc_call c = call_of("rope_frequencies");
    set_int(&c, "d", d);
    set_num(&c, "base", base);
    set_scaling(&c, s, NULL);
    return run_call(&c);
}

/* theta_i: mpmath 1.2.1 at 400 bits, rounded to the nearest double. x: length or power. */
static void frequencies_computed_elsewhere(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        int64_t i, d;
        double base, factor, train, x;
        const char *ramp;
        double theta;
    } known[] = {
        {"pi", 5, 128, 10000, 4, 0, 0, "paper", 0x1.f2a79d6b34ac7p-4},
        {"ntk", 63, 128, 10000, 8, 0, 0, "paper", 0x1.e459c57e28a47p-17},
        {"ntk", 17, 64, 500000, 3, 0, 0, "paper", 0x1.0d5e0b07ac582p-11},
        {"dynamic", 30, 128, 10000, 2, 2048, 5000, "paper", 0x1.ca12814efc584p-8},
        {"dynamic", 30, 128, 10000, 2, 2048, 2048, "paper", 0x1.b4f7e2b2c2a95p-7},
        {"ntk-mixed", 0, 128, 10000, 12, 0, 0.75, "paper", 0x1.cac018ee63b4cp-1},
        {"ntk-mixed", 40, 128, 10000, 12, 0, 0.75, "paper", 0x1.17c5c8c3e591dp-11},
        {"yarn", 19, 128, 10000, 16, 4096, 0, "code", 0x1.09fc997063830p-4},
        {"yarn", 20, 128, 10000, 16, 4096, 0, "code", 0x1.ccab8602d2697p-5},
        {"yarn", 21, 128, 10000, 16, 4096, 0, "code", 0x1.808a1e5131f93p-5},
        {"yarn", 33, 128, 10000, 16, 4096, 0, "code", 0x1.2d7e7fe1bc0d6p-8},
        {"yarn", 45, 128, 10000, 16, 4096, 0, "code", 0x1.3e49c28567568p-13},
        {"yarn", 46, 128, 10000, 16, 4096, 0, "code", 0x1.5d931bc235544p-14},
        {"yarn", 47, 128, 10000, 16, 4096, 0, "code", 0x1.2eb81b6ed966cp-14},
        {"yarn", 10, 128, 10000, 16, 4096, 0, "paper", 0x1.e5a84719edcd2p-3},
        {"yarn", 22, 128, 10000, 16, 4096, 0, "paper", 0x1.2a572973d4a34p-5},
        {"yarn", 30, 128, 10000, 16, 4096, 0, "paper", 0x1.01f2ee4640657p-8},
        {"yarn", 40, 128, 10000, 16, 4096, 0, "paper", 0x1.39b000e264cf7p-12},
        {"yarn", 45, 128, 10000, 16, 4096, 0, "paper", 0x1.947089d0fc14cp-14},
        {"yarn", 50, 128, 10000, 16, 4096, 0, "paper", 0x1.892918d61a787p-15},
        {"ntk-parts", 33, 128, 10000, 16, 4096, 0, "paper", 0x1.ccc7a27227a1ap-10},
        {"llama3", 20, 128, 500000, 8, 8192, 0, "paper", 0x1.0f53852389081p-6},
        {"llama3", 30, 128, 500000, 8, 8192, 0, "paper", 0x1.67a238074c42bp-10},
        {"llama3", 33, 128, 500000, 8, 8192, 0, "paper", 0x1.47e216e7aec23p-12},
        {"llama3", 40, 128, 500000, 8, 8192, 0, "paper", 0x1.1f91ef20d667dp-15},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        scale s = {known[k].kind,
                   {{"factor", known[k].factor},
                    {"train", known[k].train},
                    {"length", known[k].x},
                    {"power", known[k].x}},
                   strcmp(known[k].kind, "yarn") == 0 ? known[k].ramp : NULL};
        arr theta = frequencies(known[k].d, known[k].base, &s);
        assert_true(entry(&theta, known[k].i, 0) == known[k].theta);
        arr_drop(&theta);
    }
}

/* The code's ramp at d = 128, L = 4096 lies between the pairs 20 and 46; the paper's does not stop at whole pairs. */
static void the_ramps_ends(void **state) {
    (void)state;
    const scale none = {0}, code = {"yarn", {{"factor", 16}, {"train", 4096}}, "code"},
                paper = {"yarn", {{"factor", 16}, {"train", 4096}}, "paper"};
    arr plain = frequencies(128, 10000, &none), c = frequencies(128, 10000, &code),
        p = frequencies(128, 10000, &paper);
    int differ = 0;
    for (int64_t i = 0; i < 64; i++) {
        double theta = entry(&plain, i, 0), by_code = entry(&c, i, 0), by_paper = entry(&p, i, 0);
        assert_int_equal(by_code == theta, i <= 20);
        assert_int_equal(by_code == theta / 16, i >= 46);
        assert_int_equal(by_paper == theta, i <= 20); /* L/wavelength is 32 between the pairs 20 and 21 */
        assert_int_equal(by_paper == theta / 16, i >= 46);
        differ += by_code != by_paper;
    }
    assert_int_equal(differ, 25);
    arr_drop(&plain);
    arr_drop(&c);
    arr_drop(&p);
}

/* ---- against the formula ------------------------------------------------------------------------------- */

/* A cosine is off by u of itself at most, its product by u, the sum by u of itself; the inverse's temperature is rounded
 * too: 4 u (|x_j| + |x_partner|) times a temperature below 1.3. Columns from r on stay as they are. */
static void check_entries(enc_call *c, const arr *x, int64_t r, bool half) {
    ph_err err;
    double u = x->dtype == ARR_F32 ? 0x1p-24 : 0x1p-53, row[12];
    int64_t d = x->shape[1];
    arr y = run_call(c);
    assert_int_equal(y.dtype, x->dtype);
    for (int64_t j = 0; j < d; j++) {
        expr_node *f;
        int64_t other = j >= r ? j : !half ? j ^ 1 : j < r / 2 ? j + r / 2 : j - r / 2;
        int e;
        assert_int_equal(enc_formula(&f, enc_find("rope"), c, j, &err), PH_OK);
        for (int64_t t = 0; t < x->shape[0]; t++) {
            for (int64_t k = 0; k < d; k++) row[k] = entry(x, t, k);
            double off = off_by(entry(&y, t, j), f, (at_point){.m = (double)(t - 3) * 40, .x = row}, &e);
            double most = j >= r ? 0 : 4 * 1.3 * u * (fabs(row[j]) + fabs(row[other]));
            assert_true(isfinite(off) && off <= most);
        }
        expr_drop(f);
    }
    arr_drop(&y);
}

static void rotations_follow_their_formula(void **state) {
    (void)state;
    ph_err err;
    arr at, factors;
    assert_int_equal(arr_arange(&at, ARR_F64, -120, 160, 40, &err), PH_OK);
    assert_int_equal(arr_linspace(&factors, ARR_F64, 1, 9.5, 6, &err), PH_OK);
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr x = random_rows(2, (int64_t[]){8, 12}, (arr_dtype)t);
        for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
            for (int form = 0; form < 4; form++) {
                enc_call c = call_of("rope");
                set_array(&c, "x", &x);
                set_word(&c, "layout", form % 2 ? "half" : "interleaved");
                set_array(&c, "positions", &at);
                if (form / 2) set_int(&c, "inverse", 1);
                set_scaling(&c, &scales[s], &factors);
                check_entries(&c, &x, 12, form % 2);
            }
        enc_call c = call_of("rope");
        set_array(&c, "x", &x);
        set_word(&c, "layout", "half");
        set_array(&c, "positions", &at);
        set_int(&c, "rotary", 8);
        check_entries(&c, &x, 8, true);
        set_num(&c, "p", 0.5);
        check_entries(&c, &x, 8, true);
        arr_drop(&x);
    }
    arr_drop(&at);
    arr_drop(&factors);
}

/* Turned (1, 0) are the table's entries themselves, a temperature and its inverse in them: within 1 ulp of the formula for every scaling,
 * where a temperature rounded to a double costs up to one ulp more: almost that with the factors 48 and 23 above. */
static void tables_are_within_an_ulp_of_their_formula(void **state) {
    (void)state;
    enum { T = 40, D = 6 };
    ph_err err;
    arr x, factors;
    assert_int_equal(arr_new(&x, ARR_F64, 2, (int64_t[]){T, D}, &err), PH_OK);
    for (int64_t k = 0; k < T * D; k++) ((double *)x.data)[k] = k % 2 == 0;
    assert_int_equal(arr_linspace(&factors, ARR_F64, 1, 9.5, D / 2, &err), PH_OK);
    for (size_t s = 0; s < 2 * sizeof scales / sizeof *scales; s++) {
        enc_call c = call_of("rope");
        set_array(&c, "x", &x);
        set_word(&c, "layout", "interleaved");
        set_int(&c, "inverse", s % 2);
        set_scaling(&c, &scales[s / 2], &factors);
        arr y = run_call(&c);
        for (int64_t j = 0; j < D; j++) {
            expr_node *f;
            assert_int_equal(enc_formula(&f, enc_find("rope"), &c, j, &err), PH_OK);
            for (int64_t t = 0; t < T; t++) {
                double off = ulps_off(entry(&y, t, j), f, (at_point){.m = (double)t, .x = (double *)x.data});
                if (!(off <= 1))
                    fail_msg("scaling %s, position %lld, column %lld: off by %g ulps",
                             scales[s / 2].kind ? scales[s / 2].kind : "none", (long long)t, (long long)j,
                             off);
            }
            expr_drop(f);
        }
        arr_drop(&y);
    }
    arr_drop(&x);
    arr_drop(&factors);
}

/* x = (1, 2, 3, 4) at position 7: mpmath 1.2.1 at 400 bits. Three roundings of parts of at most 7 in all: 2^-50. */
static void a_rotation_computed_elsewhere(void **state) {
    (void)state;
    static const double want[2][4] = {
        {-0x1.1ec19e600f3f9p-1, 0x1.1517e0007d28ep+1, 0x1.5b3fb46376553p+1, 0x1.0ccd554b9b983p+2},
        {-0x1.379115436ff01p+0, 0x1.b71fe82cbe9afp+0, 0x1.7597be7be1a94p+1, 0x1.085363bb21bffp+2}};
    ph_err err;
    arr x, row;
    assert_int_equal(arr_arange(&row, ARR_F64, 1, 4, 1, &err), PH_OK);
    assert_int_equal(arr_reshape(&x, &row, 2, (int64_t[]){1, 4}, &err), PH_OK);
    for (int half = 0; half < 2; half++) {
        enc_call c = call_of("rope");
        set_array(&c, "x", &x);
        set_word(&c, "layout", half ? "half" : "interleaved");
        set_num(&c, "offset", 7);
        arr y = run_call(&c);
        for (int64_t j = 0; j < 4; j++) assert_true(fabs(entry(&y, 0, j) - want[half][j]) <= 0x1p-50);
        arr_drop(&y);
    }
    arr_drop(&x);
    arr_drop(&row);
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

static arr turned(const arr *x, const char *layout, double offset) {
    enc_call c = call_of("rope");
    set_array(&c, "x", x);
    set_word(&c, "layout", layout);
    set_num(&c, "offset", offset);
    return run_call(&c);
}

/* Columns 0 2 4 … 1 3 5 … of the interleaved layout are the half layout: the same products, so the same bits. */
static void layouts_are_a_permutation_apart(void **state) {
    (void)state;
    ph_err err;
    arr x = random_rows(2, (int64_t[]){40, 10}, ARR_F32), moved;
    assert_int_equal(arr_new(&moved, ARR_F32, 2, x.shape, &err), PH_OK);
    for (int64_t r = 0; r < 40; r++)
        for (int64_t j = 0; j < 10; j++)
            ((float *)moved.data)[r * 10 + j] = (float)entry(&x, r, j < 5 ? 2 * j : 2 * (j - 5) + 1);
    arr a = turned(&x, "interleaved", 5), b = turned(&moved, "half", 5);
    for (int64_t r = 0; r < 40; r++)
        for (int64_t j = 0; j < 10; j++)
            assert_true(entry(&b, r, j) == entry(&a, r, j < 5 ? 2 * j : 2 * (j - 5) + 1));
    arr_drop(&x);
    arr_drop(&moved);
    arr_drop(&a);
    arr_drop(&b);
}

/* <R_m q, R_n k> with q in one layout and k in another, m - n = 3, at m = 3 and m = 103. */
static double drift(const char *of_q, const char *of_k) {
    arr q = random_rows(2, (int64_t[]){1, 8}, ARR_F64), k = arr_ref(&q);
    double dot[2] = {0, 0};
    for (int far = 0; far < 2; far++) {
        arr a = turned(&q, of_q, 3 + 100 * far), b = turned(&k, of_k, 100 * far);
        for (int64_t j = 0; j < 8; j++) dot[far] += entry(&a, 0, j) * entry(&b, 0, j);
        arr_drop(&a);
        arr_drop(&b);
    }
    arr_drop(&q);
    arr_drop(&k);
    return fabs(dot[1] - dot[0]);
}
static void scores_are_relative_unless_layouts_mix(void **state) {
    (void)state;
    /* |q|, |k| < 4: 8 products with 8 u of 16 each */
    assert_true(drift("interleaved", "interleaved") <= 16 * 64 * 0x1p-53);
    assert_true(drift("half", "half") <= 16 * 64 * 0x1p-53);
    assert_true(drift("half", "interleaved") > 0.1);
}

/* Exponents over the columns that turn, or over all. */
static void partial_rotation_is_not_p_rope(void **state) {
    (void)state;
    arr x = random_rows(2, (int64_t[]){5, 16}, ARR_F64);
    enc_call part = call_of("rope"), p = call_of("rope");
    set_array(&part, "x", &x), set_array(&p, "x", &x);
    set_word(&part, "layout", "interleaved"), set_word(&p, "layout", "interleaved");
    set_int(&part, "rotary", 4), set_num(&p, "p", 0.25);
    arr a = run_call(&part), b = run_call(&p);
    int same = 0;
    for (int64_t r = 1; r < 5; r++)
        for (int64_t j = 0; j < 16; j++) {
            double before = entry(&x, r, j);
            assert_int_equal(entry(&a, r, j) == before, j >= 4);
            assert_int_equal(entry(&b, r, j) == before, j >= 4);
            same += j < 4 && entry(&a, r, j) == entry(&b, r, j);
        }
    assert_int_equal(same, 8); /* the first pair of both turns by m */
    arr_drop(&a);
    arr_drop(&b);
    arr_drop(&x);
}

/* ---- tables, views, stacks ----------------------------------------------------------------------------- */

static void ready_tables(void **state) {
    (void)state;
    static const scale yarn = {"yarn", {{"factor", 16}, {"train", 4096}}, 0};
    ph_err err;
    arr x = random_rows(3, (int64_t[]){2, 9, 6}, ARR_F64), table[2], out;
    enc_call make = call_of("rope_table"), direct = call_of("rope"), cached = call_of("rope");
    set_int(&make, "T", 20), set_int(&make, "d", 6);
    set_scaling(&make, &yarn, NULL);
    assert_int_equal(enc_run(table, &make, &err), PH_OK);
    set_array(&direct, "x", &x), set_word(&direct, "layout", "half"), set_num(&direct, "offset", 11);
    cached = direct;
    set_scaling(&direct, &yarn, NULL);
    set_array(&cached, "cos", &table[0]), set_array(&cached, "sin", &table[1]);
    arr a = run_call(&direct), b = run_call(&cached);
    assert_true(same_bits(&a, &b));
    leaks_nothing(&cached);
    leaks_nothing(&direct);
    set_array(&cached, "x", &b),
        set_int(&cached, "inverse", 1); /* and back: some ten roundings of at most 8 */
    arr back = run_call(&cached);
    for (int64_t k = 0; k < 2 * 9 * 6; k++)
        assert_true(fabs(((double *)back.data)[k] - ((double *)x.data)[k]) <= 80 * 0x1p-53);
    set_num(&cached, "offset", 12);
    assert_int_equal(enc_run(&out, &cached, &err), PH_EARG);
    assert_string_equal(err.text, "rope: position 20 is not in the table; it has the positions 0 to 19");
    set_num(&cached, "offset", -1);
    assert_int_equal(enc_run(&out, &cached, &err), PH_EARG);
    set_num(&cached, "offset", 0.5);
    assert_int_equal(enc_run(&out, &cached, &err), PH_EARG);
    arr_drop(&a), arr_drop(&b), arr_drop(&back), arr_drop(&x), arr_drop(&table[0]), arr_drop(&table[1]);
}

/* Every stack turns as it would alone, and a view of exchanged axes as its copy. */
static void stacks_and_views(void **state) {
    (void)state;
    ph_err err;
    arr x = random_rows(4, (int64_t[]){2, 33, 3, 8}, ARR_F32), seen, copy;
    assert_int_equal(arr_permute(&seen, &x, (int[]){0, 2, 1, 3}, &err), PH_OK);
    assert_int_equal(arr_convert(&copy, &seen, ARR_F32, &err), PH_OK);
    arr a = turned(&seen, "half", 2), b = turned(&copy, "half", 2);
    assert_true(same_bits(&a, &b));
    for (int64_t lead = 0; lead < 6; lead++) {
        arr one;
        arr_range at[] = {{lead / 3, 1, 1, true}, {lead % 3, 1, 1, true}};
        assert_int_equal(arr_slice(&one, &copy, 2, at, &err), PH_OK);
        arr c = turned(&one, "half", 2);
        assert_memory_equal(c.data, (float *)a.data + lead * 33 * 8, 33 * 8 * sizeof(float));
        arr_drop(&c);
        arr_drop(&one);
    }
    arr_drop(&a), arr_drop(&b), arr_drop(&x), arr_drop(&seen), arr_drop(&copy);
}

/* A result that goes past the caches is the one of its stacks alone, which does not. */
static void large_results(void **state) {
    (void)state;
    enum { LEADS = 5, T = 4096, D = 256 };
    arr x = random_rows(2, (int64_t[]){T, D}, ARR_F32), all;
    ph_err err;
    assert_int_equal(arr_broadcast_to(&all, &x, 3, (int64_t[]){LEADS, T, D}, &err), PH_OK);
    arr one = turned(&x, "half", 0), many = turned(&all, "half", 0);
    for (int k = 0; k < LEADS; k++)
        assert_memory_equal((float *)many.data + (size_t)k * T * D, one.data, (size_t)T * D * sizeof(float));
    arr_drop(&x), arr_drop(&all), arr_drop(&one), arr_drop(&many);
}

static void the_same_everywhere(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int64_t d = 2; d <= 70; d += 17) {
            arr x = random_rows(3, (int64_t[]){3, 300, d + d % 2}, (arr_dtype)t);
            for (int half = 0; half < 2; half++) {
                enc_call c = call_of("rope");
                set_array(&c, "x", &x);
                set_word(&c, "layout", half ? "half" : "interleaved");
                same_everywhere(&c);
            }
            arr_drop(&x);
        }
}

static void nothing_to_turn(void **state) {
    (void)state;
    static const int64_t shapes[][3] = {{0, 4, 6}, {2, 0, 6}, {2, 4, 0}};
    ph_err err;
    arr out;
    for (int k = 0; k < 3; k++) {
        arr x = random_rows(3, shapes[k], ARR_F64), y = turned(&x, "half", 0);
        assert_int_equal(arr_size(&y), 0);
        arr_drop(&x);
        arr_drop(&y);
    }
    arr x = random_rows(2, (int64_t[]){600, 6}, ARR_F64);
    enc_call c = call_of("rope");
    set_array(&c, "x", &x), set_word(&c, "layout", "half");
    ph_interrupt_flag = 1;
    assert_int_equal(enc_run(&out, &c, &err), PH_EINTR);
    ph_interrupt_flag = 0;
    arr_drop(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_computed_elsewhere),
        cmocka_unit_test(the_ramps_ends),
        cmocka_unit_test(rotations_follow_their_formula),
        cmocka_unit_test(tables_are_within_an_ulp_of_their_formula),
        cmocka_unit_test(a_rotation_computed_elsewhere),
        cmocka_unit_test(layouts_are_a_permutation_apart),
        cmocka_unit_test(scores_are_relative_unless_layouts_mix),
        cmocka_unit_test(partial_rotation_is_not_p_rope),
        cmocka_unit_test(ready_tables),
        cmocka_unit_test(stacks_and_views),
        cmocka_unit_test(the_same_everywhere),
        cmocka_unit_test(large_results),
        cmocka_unit_test(nothing_to_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
