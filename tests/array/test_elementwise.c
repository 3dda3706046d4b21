/* Every elementwise row, in every type, over every kind of view, against one formula an element in long
 * double.
 * Sources: array/arith.c array/elementwise.c array/loop.c array/math.c array/op.c */
#include "array/views.h"

#include "base/parallel.h"

extern const op arr_arith_ops[], arr_math_ops[];
extern const int arr_arith_nops, arr_math_nops;

/* ---- oracles ------------------------------------------------------------------------------------------- */

typedef long double real;
#define R2(NAME, EXPR)                                                                                       \
    static real NAME(real x, real y) {                                                                       \
        (void)x, (void)y;                                                                                    \
        return EXPR;                                                                                         \
    }
#define C2(NAME, EXPR)                                                                                       \
    static wide NAME(wide x, wide y) {                                                                       \
        (void)x, (void)y;                                                                                    \
        return EXPR;                                                                                         \
    }

/* clang-format off */
R2(r_add, x + y) C2(c_add, x + y)
R2(r_sub, x - y) C2(c_sub, x - y)
R2(r_mul, x * y) C2(c_mul, x * y)
R2(r_div, x / y) C2(c_div, x / y)
R2(r_pow, powl(x, y)) C2(c_pow, cpowl(x, y))
R2(r_atan2, atan2l(x, y))
R2(r_hypot, hypotl(x, y))
R2(r_min, isnan(x) ? x : isnan(y) ? y : fminl(x, y))
R2(r_max, isnan(x) ? x : isnan(y) ? y : fmaxl(x, y))
R2(r_eq, x == y) C2(c_eq, x == y)
R2(r_ne, x != y) C2(c_ne, x != y)
R2(r_lt, isless(x, y))
R2(r_le, islessequal(x, y))
R2(r_gt, isgreater(x, y))
R2(r_ge, isgreaterequal(x, y))
R2(r_and, x != 0 && y != 0)
R2(r_or, x != 0 || y != 0)
R2(r_xor, (x != 0) != (y != 0))
R2(r_not, x == 0)
R2(r_neg, -x) C2(c_neg, -x)
R2(r_square, x * x) C2(c_square, x * x)
#define BOTH(NAME) R2(r_##NAME, NAME##l(x)) C2(c_##NAME, c##NAME##l(x))
BOTH(exp) BOTH(log) BOTH(sqrt) BOTH(sin) BOTH(cos) BOTH(tan) BOTH(asin) BOTH(acos) BOTH(atan)
BOTH(sinh) BOTH(cosh) BOTH(tanh)
R2(r_log1p, log1pl(x))
R2(r_expm1, expm1l(x))
R2(r_log2, log2l(x))
R2(r_floor, floorl(x))
R2(r_ceil, ceill(x))
R2(r_round, roundevenl(x))
R2(r_sign, isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0)
R2(r_relu, isnan(x) ? x : fmaxl(x, 0))
R2(r_sigmoid, 1 / (1 + expl(-x)))
R2(r_erf, erfl(x))
R2(r_abs, fabsl(x)) C2(c_abs, cabsl(x))
R2(r_angle, isnan(x) ? x : signbit(x) ? acosl(-1) : 0) C2(c_angle, cargl(x))
R2(r_same, x)
C2(c_conj, conjl(x))
C2(c_re, creall(x))
C2(c_im, cimagl(x))
R2(r_im, 0)
R2(r_isnan, isnan(x)) C2(c_isnan, isnan(creall(x)) || isnan(cimagl(x)))
R2(r_isfinite, isfinite(x)) C2(c_isfinite, isfinite(creall(x)) && isfinite(cimagl(x)))

/* What the row does with types. */
enum {
    FIELD, /* real to real, complex to complex; bool as f64 */
    REAL,  /* the same without complex */
    KEEP,  /* real and bool to themselves */
    TEST,  /* anything to bool; bool as itself */
    ORDER, /* the same without complex */
    LOGIC, /* bool only */
    PART,  /* complex to f64 */
    ASK    /* numbers to bool; bool as f64 */
};
/* clang-format on */

/* Rounding once is half a spacing; the oracle itself rounds to 64 bits first, which can add 2^-11 of that. */
#define ONCE (0.5L + 0x1p-10L)
/* The C library's tables of known errors for x86-64 give at most 2 spacings for the functions used here; the
 * oracle's own error is a thousand times smaller. */
#define LIBM 2.51L

/* Complex results are compared as vectors, bound in units of 2^-53 |want|: a product errs by sqrt(5) at most;
 * a quotient and the C library's functions by up to 4 spacings in each part, thus 8 sqrt(2); powers by 3 |y
 * log x| + a few, where the pool has |y log x| < 10. */
static const struct row {
    const char *name;
    int n, types;
    real ulps;
    real (*r)(real, real);
    wide (*c)(wide, wide);
    real cbound;
} rows[] = {
    {"add", 2, FIELD, ONCE, r_add, c_add, 2},
    {"sub", 2, FIELD, ONCE, r_sub, c_sub, 2},
    {"mul", 2, FIELD, ONCE, r_mul, c_mul, 2.25L},
    {"div", 2, FIELD, ONCE, r_div, c_div, 12},
    {"pow", 2, FIELD, LIBM, r_pow, c_pow, 48},
    {"atan2", 2, REAL, LIBM, r_atan2, NULL, 0},
    {"hypot", 2, REAL, LIBM, r_hypot, NULL, 0},
    {"minimum", 2, KEEP, 0, r_min, NULL, 0},
    {"maximum", 2, KEEP, 0, r_max, NULL, 0},
    {"eq", 2, TEST, 0, r_eq, c_eq, 0},
    {"ne", 2, TEST, 0, r_ne, c_ne, 0},
    {"lt", 2, ORDER, 0, r_lt, NULL, 0},
    {"le", 2, ORDER, 0, r_le, NULL, 0},
    {"gt", 2, ORDER, 0, r_gt, NULL, 0},
    {"ge", 2, ORDER, 0, r_ge, NULL, 0},
    {"logical_and", 2, LOGIC, 0, r_and, NULL, 0},
    {"logical_or", 2, LOGIC, 0, r_or, NULL, 0},
    {"logical_xor", 2, LOGIC, 0, r_xor, NULL, 0},
    {"logical_not", 1, LOGIC, 0, r_not, NULL, 0},
    {"neg", 1, FIELD, 0, r_neg, c_neg, 0},
    {"square", 1, FIELD, ONCE, r_square, c_square, 4},
    {"exp", 1, FIELD, LIBM, r_exp, c_exp, 12},
    {"log", 1, FIELD, LIBM, r_log, c_log, 12},
    {"sqrt", 1, FIELD, ONCE, r_sqrt, c_sqrt, 12},
    {"sin", 1, FIELD, LIBM, r_sin, c_sin, 12},
    {"cos", 1, FIELD, LIBM, r_cos, c_cos, 12},
    {"tan", 1, FIELD, LIBM, r_tan, c_tan, 12},
    {"asin", 1, FIELD, LIBM, r_asin, c_asin, 12},
    {"acos", 1, FIELD, LIBM, r_acos, c_acos, 12},
    {"atan", 1, FIELD, LIBM, r_atan, c_atan, 12},
    {"sinh", 1, FIELD, LIBM, r_sinh, c_sinh, 12},
    {"cosh", 1, FIELD, LIBM, r_cosh, c_cosh, 12},
    {"tanh", 1, FIELD, LIBM, r_tanh, c_tanh, 12},
    {"log1p", 1, REAL, LIBM, r_log1p, NULL, 0},
    {"expm1", 1, REAL, LIBM, r_expm1, NULL, 0},
    {"log2", 1, REAL, LIBM, r_log2, NULL, 0},
    {"floor", 1, REAL, 0, r_floor, NULL, 0},
    {"ceil", 1, REAL, 0, r_ceil, NULL, 0},
    {"round", 1, REAL, 0, r_round, NULL, 0},
    {"sign", 1, REAL, 0, r_sign, NULL, 0},
    {"relu", 1, REAL, 0, r_relu, NULL, 0},
    {"sigmoid", 1, REAL, LIBM, r_sigmoid, NULL, 0},
    {"erf", 1, REAL, LIBM, r_erf, NULL, 0},
    {"abs", 1, PART, 0, r_abs, c_abs, 3},
    {"angle", 1, PART, ONCE, r_angle, c_angle, 5},
    {"conj", 1, FIELD, 0, r_same, c_conj, 0},
    {"re", 1, PART, 0, r_same, c_re, 0},
    {"im", 1, PART, 0, r_im, c_im, 0},
    {"isnan", 1, ASK, 0, r_isnan, c_isnan, 0},
    {"isfinite", 1, ASK, 0, r_isfinite, c_isfinite, 0},
};
enum { NROWS = sizeof rows / sizeof rows[0] };

/* ---- types --------------------------------------------------------------------------------------------- */

/* The computing type from the rule as stated: kinds bool < real < complex; the highest kind present wins;
 * within it, operands with dimensions decide, and numbers only when no such operand is of that kind. */
static arr_dtype rule(const arr *in, int n) {
    bool wide_real = false, any_real = false, any_complex = false, f64_array = false, f64_number = false;
    for (int i = 0; i < n; i++) {
        any_complex |= in[i].dtype == ARR_C128;
        if (in[i].dtype != ARR_F32 && in[i].dtype != ARR_F64) continue;
        any_real = true;
        if (in[i].ndim > 0) wide_real = true;
        if (in[i].dtype == ARR_F64) *(in[i].ndim > 0 ? &f64_array : &f64_number) = true;
    }
    if (any_complex) return ARR_C128;
    if (!any_real) return ARR_BOOL;
    return (wide_real ? f64_array : f64_number) ? ARR_F64 : ARR_F32;
}

/* What a row should compute in and give; false: refused. */
static bool expected_types(const struct row *row, const arr *in, arr_dtype *compute, arr_dtype *result) {
    int k = row->types;
    arr_dtype t = rule(in, row->n);
    bool bool_stays = k == KEEP || k == TEST || k == ORDER || k == LOGIC;
    *compute = t == ARR_BOOL && !bool_stays ? ARR_F64 : t;
    *result = k == TEST || k == ORDER || k == LOGIC || k == ASK ? ARR_BOOL
              : k == PART && t == ARR_C128                      ? ARR_F64
                                                                : *compute;
    if (k == LOGIC && t != ARR_BOOL) return false;
    return t != ARR_C128 || row->c != NULL;
}

/* ---- the comparison ------------------------------------------------------------------------------------ */

static real through(arr_dtype t, real x) {
    return t == ARR_F32 ? (real)(float)x : t == ARR_BOOL ? x != 0 : x;
}

static void check_element(const struct row *row, arr_dtype compute, const arr *out, wide got, wide x,
                          wide y) {
    bool good;
    if (compute == ARR_C128) {
        wide want = row->c(x, y);
        good = within(got, want, row->cbound * 0x1p-53L * cabsl(want));
    } else {
        real want = row->r(through(compute, creall(x)), through(compute, creall(y)));
        good = near_real(out->dtype == ARR_F32 ? ARR_F32 : ARR_F64, creall(got), want, row->ulps);
    }
    if (!good)
        fail_msg("%s in %s of %.17Lg%+.17Lgi, %.17Lg%+.17Lgi gave %.17Lg%+.17Lgi", row->name,
                 arr_dtype_name(compute), creall(x), cimagl(x), creall(y), cimagl(y), creall(got),
                 cimagl(got));
}

static void check_call(const struct row *row, const arr *in) {
    ph_err err;
    arr out;
    arr_dtype compute, result;
    bool fine = expected_types(row, in, &compute, &result);
    ph_status st = op_apply(&out, op_find(row->name), in, row->n, NULL, &err);
    if (!fine) {
        assert_int_equal(st, PH_EARG);
        assert_true(strncmp(err.text, row->name, strlen(row->name)) == 0);
        assert_null(out.buf);
        return;
    }
    assert_int_equal(st, PH_OK);
    assert_int_equal(out.dtype, result);
    for (int64_t k = 0; k < arr_size(&out); k++) {
        int64_t index[ARR_MAXDIM];
        unravel(index, out.ndim, out.shape, k);
        wide x = element_at(&in[0], out.ndim, index),
             y = row->n > 1 ? element_at(&in[1], out.ndim, index) : 0;
        check_element(row, compute, &out, kth(&out, k), x, y);
    }
    arr_drop(&out);
}

/* Real operands meet every special value; complex ones stay where C99 leaves no choice of sign or infinity.
 */
static const double reals[] = {0,    -0.0, 1,        -1,        0.5,  2,    3,  -2.5, 1e-3,
                               7.25, NAN,  INFINITY, -INFINITY, 1e10, -0.3, 89, 1.5,  1e-310};
static const double plane[] = {1, -1, 0.5, 2, -2.5, 0.125, 3};

static arr operand(int view, arr_dtype t, bool special, int ndim, const int64_t *shape, unsigned seed) {
    return special ? make_view(view, t, ndim, shape, reals, sizeof reals / sizeof reals[0], seed)
                   : make_view(view, t, ndim, shape, plane, sizeof plane / sizeof plane[0], seed);
}

static const struct {
    int n[2];
    int64_t shape[2][3];
} shapes[] = {{{2, 2}, {{5, 7}, {5, 7}}}, {{2, 1}, {{3, 4}, {4}}}, {{3, 2}, {{2, 1, 4}, {3, 1}}},
              {{0, 2}, {{0}, {3, 4}}},    {{2, 0}, {{3, 4}, {0}}}, {{0, 0}, {{0}, {0}}},
              {{2, 1}, {{0, 4}, {4}}},    {{1, 1}, {{600}, {1}}}};

static void every_row_agrees_with_its_formula(void **state) {
    (void)state;
    for (int r = 0; r < NROWS; r++)
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int t = 0; t < ARR_NDTYPE; t++)
                for (int u = 0; u < (rows[r].n > 1 ? ARR_NDTYPE : 1); u++)
                    for (int v = 0; v < VIEWS; v++) {
                        bool special = t != ARR_C128 && (rows[r].n == 1 || u != ARR_C128);
                        arr in[2] = {operand(v, (arr_dtype)t, special, shapes[s].n[0], shapes[s].shape[0],
                                             (unsigned)v),
                                     operand((v * 2 + 1) % VIEWS, (arr_dtype)u, special, shapes[s].n[1],
                                             shapes[s].shape[1], (unsigned)(v + t))};
                        check_call(&rows[r], in);
                        arr_drop(&in[0]);
                        arr_drop(&in[1]);
                    }
}

static void no_row_is_left_out(void **state) {
    (void)state;
    const struct {
        const op *rows;
        int n;
    } tables[] = {{arr_arith_ops, arr_arith_nops}, {arr_math_ops, arr_math_nops}};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < tables[t].n; i++) {
            bool found = strcmp(tables[t].rows[i].name, "where") == 0; /* below */
            for (int r = 0; r < NROWS; r++) found |= strcmp(rows[r].name, tables[t].rows[i].name) == 0;
            if (!found) fail_msg("no oracle for %s", tables[t].rows[i].name);
        }
}

/* A pure number gives what a 0-d array gives. */
static void numbers_agree_with_arrays(void **state) {
    (void)state;
    ph_err err;
    for (int r = 0; r < NROWS; r++) {
        const op *row = op_find(rows[r].name);
        if (!row->num1 && !row->num2) continue;
        for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
            for (size_t j = 0; j < sizeof reals / sizeof reals[0]; j++) {
                arr in[2], out;
                assert_int_equal(arr_scalar(&in[0], ARR_F64, (arr_c128){reals[i], 0}, &err), PH_OK);
                assert_int_equal(arr_scalar(&in[1], ARR_F64, (arr_c128){reals[j], 0}, &err), PH_OK);
                assert_int_equal(op_apply(&out, row, in, row->max_in, NULL, &err), PH_OK);
                double num = row->num1 ? row->num1(reals[i]) : row->num2(reals[i], reals[j]);
                double got = *(double *)out.data;
                if (!((isnan(num) && isnan(got)) || (num == got && signbit(num) == signbit(got))))
                    fail_msg("%s of %g, %g: %.17g as a number, %.17g as an array", row->name, reals[i],
                             reals[j], num, got);
                arr_drop(&in[0]);
                arr_drop(&in[1]);
                arr_drop(&out);
            }
    }
}

static void where_chooses(void **state) {
    (void)state;
    ph_err err;
    for (int t = 0; t < ARR_NDTYPE; t++)
        for (int v = 0; v < VIEWS; v++) {
            int64_t shape[] = {6, 5};
            arr in[3] = {operand(v, ARR_BOOL, false, 2, shape, 1),
                         operand(VIEWS - 1 - v, (arr_dtype)t, false, 1, shape + 1, 2),
                         operand(v, (arr_dtype)t, false, 2, shape, 3)};
            arr out;
            assert_int_equal(op_apply(&out, op_find("where"), in, 3, NULL, &err), PH_OK);
            assert_int_equal(out.dtype, t);
            for (int64_t k = 0; k < arr_size(&out); k++) {
                int64_t index[ARR_MAXDIM];
                unravel(index, 2, shape, k);
                bool c = creall(element_at(&in[0], 2, index)) != 0;
                assert_true(kth(&out, k) == element_at(&in[c ? 1 : 2], 2, index));
            }
            arr_drop(&out);
            if (t != ARR_BOOL) {
                assert_int_equal(
                    op_apply(&out, op_find("where"), (arr[]){in[2], in[1], in[2]}, 3, NULL, &err), PH_EARG);
                assert_non_null(strstr(err.text, "the condition is"));
            }
            for (int i = 0; i < 3; i++) arr_drop(&in[i]);
        }
}

static void powers_of_i_are_exact(void **state) {
    (void)state;
    ph_err err;
    arr z, two, out;
    assert_int_equal(arr_scalar(&z, ARR_C128, (arr_c128){0, 1}, &err), PH_OK);
    assert_int_equal(arr_scalar(&two, ARR_F64, (arr_c128){2, 0}, &err), PH_OK);
    assert_int_equal(op_call2(&out, "pow", &z, &two, &err), PH_OK);
    arr_c128 minus = arr_get_c128(&out, out.data);
    assert_true(minus.re == -1 && minus.im == 0);
    arr_drop(&out);
    arr_drop(&two);
    arr_drop(&z);
}

/* Several pieces: one thread and many give the same bits, whatever the CPU level the process runs at. */
static void threads_change_no_bit(void **state) {
    (void)state;
    ph_err err;
    int64_t shape[] = {3, 50001};
    for (int v = 0; v < VIEWS; v++) {
        arr in[2] = {operand(v, ARR_F64, true, 2, shape, 1), operand(PLAIN, ARR_F32, true, 1, shape + 1, 2)},
            one, many;
        ph_set_threads(1);
        assert_int_equal(op_apply(&one, op_find("div"), in, 2, NULL, &err), PH_OK);
        ph_set_threads(2);
        assert_int_equal(op_apply(&many, op_find("div"), in, 2, NULL, &err), PH_OK);
        ph_set_threads(0);
        assert_true(same_bits(&one, &many));
        for (int64_t k = 0; k < arr_size(&one); k += 977) {
            int64_t index[ARR_MAXDIM];
            unravel(index, 2, shape, k);
            wide q = element_at(&in[0], 2, index) / element_at(&in[1], 2, index);
            assert_true(near_real(ARR_F64, creall(kth(&one, k)), creall(q), ONCE));
        }
        arr_drop(&one);
        arr_drop(&many);
        arr_drop(&in[0]);
        arr_drop(&in[1]);
    }
}

/* Short rows are brought together before the loop sees them: stretched ways, over the edges of chunks and pieces (49000 elements). */
static void short_rows_are_as_long_ones(void **state) {
    (void)state;
    static const struct {
        int n[2];
        int64_t shape[2][3];
    } cases[] = {{{3, 3}, {{50, 140, 7}, {50, 140, 1}}}, {{3, 1}, {{50, 140, 7}, {7}}},
                 {{3, 3}, {{50, 140, 7}, {50, 1, 7}}},   {{3, 3}, {{50, 1, 7}, {50, 140, 1}}},
                 {{3, 2}, {{50, 140, 7}, {140, 7}}},     {{3, 3}, {{1, 140, 7}, {50, 140, 7}}}};
    static const arr_dtype types[] = {ARR_F32, ARR_F64, ARR_C128};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] * 3 * VIEWS; i++) {
        ph_err err;
        size_t s = i / (3 * VIEWS);
        arr_dtype t = types[i / VIEWS % 3];
        int v = (int)(i % VIEWS);
        arr in[2] = {operand(v, t, t != ARR_C128, cases[s].n[0], cases[s].shape[0], 1),
                     operand((v + 1) % VIEWS, t, t != ARR_C128, cases[s].n[1], cases[s].shape[1], 2)},
            out;
        assert_int_equal(op_apply(&out, op_find("sub"), in, 2, NULL, &err), PH_OK);
        for (int64_t k = 0; k < arr_size(&out); k++) {
            int64_t index[ARR_MAXDIM];
            unravel(index, out.ndim, out.shape, k);
            wide d = element_at(&in[0], out.ndim, index) - element_at(&in[1], out.ndim, index),
                 got = kth(&out, k);
            assert_true(near_real(t, creall(got), creall(d), ONCE) &&
                        near_real(t, cimagl(got), cimagl(d), ONCE));
        }
        arr_drop(&out);
        arr_drop(&in[0]);
        arr_drop(&in[1]);
    }
}

static void refused_allocations_leak_nothing(void **state) {
    (void)state;
    for (int r = 0; r < NROWS; r++) {
        arr_dtype t = rows[r].types == LOGIC ? ARR_BOOL : ARR_F64;
        arr in[2] = {operand(TRANSPOSED, t, true, 2, (int64_t[]){3, 4}, 1),
                     operand(PLAIN, t, true, 1, (int64_t[]){4}, 2)};
        survives_refusals(op_find(rows[r].name), in, rows[r].n, NULL);
        arr_drop(&in[0]);
        arr_drop(&in[1]);
    }
}

static void an_interrupt_stops_a_long_operation(void **state) {
    (void)state;
    ph_err err;
    arr x = operand(PLAIN, ARR_F64, true, 1, (int64_t[]){200000}, 1), out;
    size_t live = ph_block_live();
    ph_interrupt_flag = 1;
    assert_int_equal(op_call1(&out, "exp", &x, &err), PH_EINTR);
    ph_interrupt_flag = 0;
    assert_null(out.buf);
    assert_int_equal(ph_block_live(), live);
    arr_drop(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_agrees_with_its_formula),
        cmocka_unit_test(no_row_is_left_out),
        cmocka_unit_test(numbers_agree_with_arrays),
        cmocka_unit_test(where_chooses),
        cmocka_unit_test(powers_of_i_are_exact),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(short_rows_are_as_long_ones),
        cmocka_unit_test(refused_allocations_leak_nothing),
        cmocka_unit_test(an_interrupt_stops_a_long_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
