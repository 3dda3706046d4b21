/* The other rotations, xpos and rope_axes: against their formulas in balls, their laws, the same everywhere.
 * Sources: encoding/logn.c encoding/phases_kernels.inc encoding/rope_axes.c encoding/rope_turn.c encoding/rotation.c encoding/xpos.c */
#include "against.h"

#include <stdio.h>

enum { T = 7, D = 12 };

static arr random_x(arr_dtype t) {
    ph_err err;
    ph_rng g;
    arr x;
    ph_rng_seed(&g, 5);
    assert_int_equal(arr_randn(&x, t, 2, (int64_t[]){T, D}, &g, &err), PH_OK);
    return x;
}

static arr from(const double *x, int ndim, const int64_t *shape) {
    ph_err err;
    arr a;
    assert_int_equal(arr_new(&a, ARR_F64, ndim, shape, &err), PH_OK);
    memcpy(a.data, x, (size_t)arr_size(&a) * sizeof *x);
    return a;
}

/* Every entry within `units` units of rounding of (|x_j| + |x_partner|) times `stretch(row, pair)`; m and m[0], m[1], … are
 * row[axis * T + t]. */
static void check_entries(enc_call *c, const char *name, const arr *x, bool half, const double *positions,
                          int axes, double units, double (*stretch)(double m, int64_t pair)) {
    ph_err err;
    double u = x->dtype == ARR_F32 ? 0x1p-24 : 0x1p-53, row[D], at[8];
    arr y = run_call(c);
    for (int64_t j = 0; j < D; j++) {
        expr_node *f;
        int64_t other = !half ? j ^ 1 : (j + D / 2) % D, pair = half ? j % (D / 2) : j / 2;
        int e;
        assert_int_equal(enc_formula(&f, enc_find(name), c, j, &err), PH_OK);
        for (int64_t t = 0; t < T; t++) {
            for (int64_t k = 0; k < D; k++) row[k] = entry(x, t, k);
            for (int a = 0; a < axes; a++) at[a] = positions[a * T + t];
            double off = off_by(entry(&y, t, j), f, (at_point){.m = at[0], .x = row, .axes = at}, &e);
            double most =
                units * u * (fabs(row[j]) + fabs(row[other])) * (stretch ? stretch(at[0], pair) : 1);
            assert_true(isfinite(off) && off <= most);
        }
        expr_drop(f);
    }
    arr_drop(&y);
}

/* ---- xpos ---------------------------------------------------------------------------------------------- */

static const double far[T] = {-300, -1, 0, 1, 64, 100.5, 900};
static int side; /* of the call: 1 for what queries get */
static double grown(double m, int64_t pair) {
    return pow((2.0 * (double)pair / D + 0.4) / 1.4, side * m / 512) * 1.0001;
}

/* Cosine, factor and their product are off by u each, the product with x by u, the sum by u; a table in f32 by one u more: 6 u. */
static void xpos_follows_its_formula(void **state) {
    (void)state;
    arr at = from(far, 1, (int64_t[]){T});
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr x = random_x((arr_dtype)t);
        for (int form = 0; form < 8; form++) {
            enc_call c = call_of("xpos");
            set_array(&c, "x", &x), set_array(&c, "positions", &at);
            set_word(&c, "layout", form & 1 ? "half" : "interleaved"),
                set_word(&c, "side", form & 2 ? "k" : "q");
            if (form & 4) set_int(&c, "inverse", 1);
            side = (form & 2) == 0 ? 1 : -1;
            if (form & 4) side = -side;
            check_entries(&c, "xpos", &x, form & 1, far, 1, 6, grown);
        }
        arr_drop(&x);
    }
    arr_drop(&at);
}

/* q at 40, k at 30 and both 1000 later: the same score; at a distance of 500 keys before the query count less than those after. */
static void xpos_is_relative_and_has_a_direction(void **state) {
    (void)state;
    static const double at[][2] = {{40, 30}, {1040, 1030}, {500, 0}, {0, 500}};
    double dot[4] = {0};
    arr x = random_x(ARR_F64);
    for (int64_t k = 0; k < T * D;
         k++) /* the pair 1 alone: directions differ by zeta^(1000/512), a factor of 5.8 */
        if (k % D != 1 && k % D != 7) ((double *)x.data)[k] = 0;
    for (int k = 0; k < 4; k++) {
        enc_call q = call_of("xpos"), key;
        set_array(&q, "x", &x), set_word(&q, "layout", "half"), set_word(&q, "side", "q"),
            set_num(&q, "offset", at[k][0]);
        key = q;
        set_word(&key, "side", "k"), set_num(&key, "offset", at[k][1]);
        arr a = run_call(&q), b = run_call(&key);
        for (int64_t j = 0; j < D; j++) dot[k] += entry(&a, 0, j) * entry(&b, 0, j);
        arr_drop(&a), arr_drop(&b);
    }
    /* |x|^2 < 30; the stretches at 1040 are below 13 and their product 1: 12 products of parts off by 6 u each */
    assert_true(fabs(dot[1] - dot[0]) <= 4 * 12 * 30 * 13 * 0x1p-53);
    assert_true(fabs(dot[3]) > 5.8 * fabs(dot[2]) && fabs(dot[3]) < 5.9 * fabs(dot[2]));
    arr_drop(&x);
}

/* ---- rope_axes ----------------------------------------------------------------------------------------- */

static const double grid[3 * T] = {0, 0, 0, 1, 1, 1, 2, 0, 1, 2, 0, 1, 2, 5, 3, -4, 100, 7, 0.5, 12, 1000};

static void axes_follow_their_formula(void **state) {
    (void)state;
    static const double given[][3] = {{2, 2, 2}, {4, 1, 1}, {2, 3, 1}, {3, 0, 3}};
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr x = random_x((arr_dtype)t);
        for (int axes = 1; axes <= 3; axes++)
            for (int form = 0; form < 32; form++) {
                enc_call c = call_of("rope_axes");
                arr at = from(grid, 2, (int64_t[]){axes, T}),
                    sections = from(given[form >> 3], 1, (int64_t[]){3});
                bool mixed = (form & 2) && (form >> 3) < 2; /* the others cannot be interleaved */
                set_array(&c, "x", &x), set_array(&c, "positions", &at);
                set_word(&c, "layout", form & 1 ? "half" : "interleaved");
                set_word(&c, "order", mixed ? "interleaved" : "contiguous");
                set_word(&c, "exponents", form & 4 ? "section" : "whole");
                if (axes == 3) set_array(&c, "sections", &sections);
                check_entries(&c, "rope_axes", &x, form & 1, grid, axes, 3.01, NULL);
                set_int(&c, "inverse", 1);
                check_entries(&c, "rope_axes", &x, form & 1, grid, axes, 3.01, NULL);
                arr_drop(&at), arr_drop(&sections);
            }
        arr_drop(&x);
    }
}

/* The axis of each pair, seen by moving one axis: M-RoPE's two orders for sections 4, 1, 1. */
static void orders_differ(void **state) {
    (void)state;
    static const int owner[2][6] = {{0, 0, 0, 0, 1, 2}, {0, 1, 2, 0, 0, 0}};
    static const double given[] = {4, 1, 1};
    arr x = random_x(ARR_F64), sections = from(given, 1, (int64_t[]){3});
    for (int mixed = 0; mixed < 2; mixed++)
        for (int axis = 0; axis < 3; axis++) {
            double moved[3 * T] = {0};
            for (int t = 0; t < T; t++) moved[axis * T + t] = 1;
            arr at = from(moved, 2, (int64_t[]){3, T});
            enc_call c = call_of("rope_axes");
            set_array(&c, "x", &x), set_array(&c, "positions", &at), set_array(&c, "sections", &sections);
            set_word(&c, "layout", "interleaved"), set_word(&c, "exponents", "whole");
            set_word(&c, "order", mixed ? "interleaved" : "contiguous");
            arr y = run_call(&c);
            for (int64_t i = 0; i < 6; i++)
                assert_int_equal(entry(&y, 0, 2 * i) != entry(&x, 0, 2 * i), owner[mixed][i] == axis);
            arr_drop(&at), arr_drop(&y);
        }
    arr_drop(&x), arr_drop(&sections);
}

/* The axis of pair i by the words of the interleaved order, and how many pairs of that axis come before it, by counting. */
static int axis_by_words(int64_t i, int axes, const double *sections) {
    int a = (int)(i % axes);
    return (double)i < axes * sections[a] ? a : 0;
}

/* x, a row of ones with n pairs, turned by 1/8 + a along axis a: every pair by its axis and number. An angle of at most 4.2 in doubles is off by
 * 2^-49 (pow by 2^-52 of itself, the product as much), the entry by twice that and its own rounding. */
static void pairs_turn_by_words(enc_call *c, int axes, const double *sections, const double *positions,
                                int64_t n) {
    int64_t seen[4] = {0};
    arr y = run_call(c);
    for (int64_t i = 0; i < n; i++) {
        int a = axis_by_words(i, axes, sections);
        double angle = positions[a] * pow(50, -(double)seen[a]++ / sections[a]);
        assert_true(fabs(entry(&y, 0, 2 * i) - (cos(angle) - sin(angle))) <= 0x1p-47);
        assert_true(fabs(entry(&y, 0, 2 * i + 1) - (sin(angle) + cos(angle))) <= 0x1p-47);
    }
    arr_drop(&y);
}

/* Every way of giving 2 to 4 axes up to 4 pairs each: refused where the words give an axis another number of pairs, else as the words say. */
static void interleaved_pairs_are_counted(void **state) {
    (void)state;
    ph_err err;
    int taken = 0, refused = 0;
    for (int code = 0; code < 3 * 625; code++) {
        int axes = 2 + code / 625, all = 1;
        double sections[4], positions[4], pairs = 0;
        for (int a = 0, rest = code % 625; a < 4; a++, rest /= 5) {
            sections[a] = rest % 5, positions[a] = 0.125 + a;
            if (a < axes) pairs += sections[a];
            else all *= sections[a] == 0;
        }
        int64_t n = (int64_t)pairs, seen[4] = {0};
        if (!all || n == 0) continue;
        for (int64_t i = 0; i < n; i++) seen[axis_by_words(i, axes, sections)]++;
        for (int a = 0; a < axes; a++) all *= (double)seen[a] == sections[a];
        arr x, at = from(positions, 2, (int64_t[]){axes, 1}), parts = from(sections, 1, (int64_t[]){axes});
        assert_int_equal(arr_full(&x, ARR_F64, 2, (int64_t[]){1, 2 * n}, (arr_c128){1, 0}, &err), PH_OK);
        enc_call c = call_of("rope_axes");
        set_array(&c, "x", &x), set_array(&c, "positions", &at), set_array(&c, "sections", &parts);
        set_word(&c, "layout", "interleaved"), set_word(&c, "order", "interleaved");
        set_word(&c, "exponents", "section"), set_num(&c, "base", 50);
        assert_int_equal(enc_check(&c, &err) == PH_OK, all);
        if (all) pairs_turn_by_words(&c, axes, sections, positions, n);
        taken += all, refused += !all;
        arr_drop(&x), arr_drop(&at), arr_drop(&parts);
    }
    if (taken < 100 || refused < 100) fail_msg("%d taken, %d refused", taken, refused);
}

static void the_same_everywhere(void **state) {
    (void)state;
    arr at = from(grid, 2, (int64_t[]){3, T}), x = random_x(ARR_F32);
    enc_call c = call_of("rope_axes");
    set_array(&c, "x", &x), set_array(&c, "positions", &at), set_word(&c, "layout", "half"),
        set_word(&c, "exponents", "whole");
    same_everywhere(&c);
    leaks_nothing(&c);
    c = call_of("xpos");
    set_array(&c, "x", &x), set_word(&c, "layout", "half"), set_word(&c, "side", "k");
    same_everywhere(&c);
    leaks_nothing(&c);
    arr_drop(&at), arr_drop(&x);
}

/* ---- log-n --------------------------------------------------------------------------------------------- */

/* A factor rounded once (in f32 twice) and a product. */
static double grown_by_logarithm(double m, int64_t pair) {
    (void)pair;
    return fmax(1, log(m + 1) / log(30)) * 1.0001;
}
static void logn_follows_its_formula(void **state) {
    (void)state;
    static const double positions[T] = {0, 28, 29, 30, 100.5, 1e6, -0.5};
    arr at = from(positions, 1, (int64_t[]){T});
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        arr x = random_x((arr_dtype)t);
        enc_call c = call_of("logn");
        set_array(&c, "x", &x), set_array(&c, "positions", &at), set_num(&c, "train", 30);
        check_entries(&c, "logn", &x, true, positions, 1, 2.01, grown_by_logarithm);
        same_everywhere(&c), leaks_nothing(&c);
        arr_drop(&x);
    }
    arr_drop(&at);
}

/* ---- in place ------------------------------------------------------------------------------------------ */

/* The bits of a result beside x, on every level, in both layouts; columns beyond `rotary` keep theirs. */
static void check_in_place(arr_dtype t, int64_t d, int64_t rotary, bool half) {
    ph_err err;
    ph_rng g;
    arr x, y;
    ph_rng_seed(&g, 6);
    assert_int_equal(arr_randn(&x, t, 3, (int64_t[]){3, 41, d}, &g, &err), PH_OK);
    enc_call c = call_of("rope");
    set_array(&c, "x", &x), set_word(&c, "layout", half ? "half" : "interleaved");
    set_num(&c, "offset", 5), set_int(&c, "rotary", rotary);
    arr apart = run_call(&c);
    set_int(&c, "in_place", 1);
    for (ph_cpu_level level = PH_CPU_BASELINE, top = ph_set_cpu(PH_CPU_AVX512); level <= top; level++) {
        arr own;
        assert_int_equal(arr_convert(&own, &x, t, &err), PH_OK);
        set_array(&c, "x", &own);
        ph_set_cpu(level);
        uint64_t writes = arr_writes(&own);
        assert_int_equal(enc_run(&y, &c, &err), PH_OK);
        assert_true(y.data == own.data && arr_writes(&own) > writes);
        assert_true(same_bits(&own, &apart));
        arr_drop(&y), arr_drop(&own);
    }
    ph_set_cpu(PH_CPU_AVX512);
    arr_drop(&x), arr_drop(&apart);
}

static void in_place_is_the_same(void **state) {
    (void)state;
    for (int t = ARR_F32; t <= ARR_F64; t++)
        for (int half = 0; half < 2; half++)
            for (int64_t d = 2; d <= 2050; d = 4 * d + 2)
                check_in_place((arr_dtype)t, d, d == 10 ? 6 : 0, half);
}

/* No element is written where the call is refused. */
static void in_place_is_refused(void **state) {
    (void)state;
    ph_err err;
    arr x = random_x(ARR_F64), flipped, out;
    enc_call c = call_of("rope");
    assert_int_equal(arr_permute(&flipped, &x, (int[]){1, 0}, &err), PH_OK);
    flipped.shape[1] = 6;
    set_word(&c, "layout", "half"), set_int(&c, "in_place", 1), set_array(&c, "x", &flipped);
    assert_int_equal(enc_run(&out, &c, &err), PH_EARG);
    assert_string_equal(err.text,
                        "rope: in_place, but the elements of x do not lie one after another; x:copy() does");
    set_array(&c, "x", &x), enc_set(&c, "x")->made = true;
    assert_int_equal(enc_run(&out, &c, &err), PH_EARG);
    assert_string_equal(err.text, "rope: in_place, but x is no array: nobody would see what is written");
    arr as_it_was = random_x(ARR_F64);
    assert_true(same_bits(&x, &as_it_was));
    arr_drop(&x), arr_drop(&flipped), arr_drop(&as_it_was);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xpos_follows_its_formula),
        cmocka_unit_test(xpos_is_relative_and_has_a_direction),
        cmocka_unit_test(axes_follow_their_formula),
        cmocka_unit_test(orders_differ),
        cmocka_unit_test(interleaved_pairs_are_counted),
        cmocka_unit_test(the_same_everywhere),
        cmocka_unit_test(logn_follows_its_formula),
        cmocka_unit_test(in_place_is_the_same),
        cmocka_unit_test(in_place_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
