/* rope.c: rotary position embedding. With θ_i = base^(-2i/r), r columns that rotate,
 *
 *     (x_a, x_b) → (x_a cos mθ_i - x_b sin mθ_i, x_a sin mθ_i + x_b cos mθ_i)        pair i of a vector at position m
 *
 *     interleaved   a = 2i, b = 2i+1     [a0 b0 a1 b1 …]     the paper, GPT-J, Llama's own code
 *     half          a = i,  b = i+r/2    [a0 a1 … b0 b1 …]   GPT-NeoX, Llama in the transformers library
 *
 * <R_m q, R_n k> depends on m - n only, in either layout, but not in a mixture of them.
 */
#include "encoding/rotation.h"

#include <math.h>

/* The same in every function. */
#define ROTARY_ROW                                                                                           \
    {                                                                                                        \
        "rotary", ENC_INT, ENC_OPTIONAL, 0, 0, 1e15, NULL, NULL, "columns",                                  \
            "partial rotation: only the first so many columns turn; 0: all"                                  \
    }
#define P_ROW                                                                                                \
    {                                                                                                        \
        "p", ENC_NUM, ENC_OPTIONAL, 1, 0, 1, NULL, NULL, NULL,                                               \
            "p-RoPE: the first floor(p rotary/2) pairs turn, with the frequencies of all, the others never"  \
    }
#define SCALING_ROW                                                                                          \
    {                                                                                                        \
        "scaling", ENC_CHOICE, ENC_OPTIONAL, 0, 0, 0, NULL, enc_rope_scalings, NULL,                         \
            "how a trained model's context is stretched"                                                     \
    }
/* ---- rope(x, ...) -------------------------------------------------------------------------------------- */

enum { X, LAYOUT, BASE, POSITIONS, OFFSET, ROTARY, P, SCALING, INVERSE, COS, SIN, IN_PLACE };

static const enc_param params[] = {
    ENC_X_ROW,
    ENC_LAYOUT_ROW,
    ENC_BASE_ROW,
    ENC_POSITIONS_ROW,
    ENC_OFFSET_ROW,
    ROTARY_ROW,
    P_ROW,
    SCALING_ROW,
    ENC_INVERSE_ROW("turns back, and undoes the temperature"),
    {"cos", ENC_ARRAY, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL,
     "a table (N, rotary/2) made by rope_table, row 1 for position 0"},
    {"sin", ENC_ARRAY, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL, "its other half"},
    {"in_place", ENC_FLAG, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, NULL,
     "writes into x, which every view of its elements sees, and returns it"},
    {0},
};

static enc_rope_setting setting(const enc_value *v, int64_t d) {
    return (enc_rope_setting){"rope", v[ROTARY].whole ? v[ROTARY].whole : d, v[BASE].num, v[P].num,
                              &v[SCALING]};
}

/* ---- ready tables -------------------------------------------------------------------------------------- */

static ph_status check_tables(const enc_value *v, int64_t pairs, ph_err *err) {
    static const int unfit[] = {BASE, P, SCALING};
    char a[200], b[200];
    const arr *c = v[COS].array, *s = v[SIN].array;
    if (!c || !s)
        return ph_fail(err, PH_EARG,
                       "rope: only one of cos and sin given; wanted both, as rope_table returns them");
    for (size_t k = 0; k < sizeof unfit / sizeof *unfit; k++)
        if (v[unfit[k]].given)
            return ph_fail(err, PH_EARG,
                           "rope: %s beside ready tables would change nothing; give it to rope_table",
                           params[unfit[k]].name);
    if (c->ndim == 2 && arr_same_shape(c, s) && c->shape[1] == pairs) return PH_OK;
    return ph_fail(err, PH_EARG, "rope: cos has shape %s and sin %s; wanted two tables (N, %lld)",
                   arr_shape_text(a, sizeof a, c), arr_shape_text(b, sizeof b, s), (long long)pairs);
}

static ph_status check_rows(const enc_value *v, int64_t T, ph_err *err) {
    char text[40];
    int64_t rows = v[COS].array->shape[0];
    for (int64_t r = 0; r < T; r++) {
        double t = enc_position(&v[POSITIONS], v[OFFSET].num, r);
        if (t >= 0 && t < (double)rows && t == floor(t)) continue;
        return ph_fail(err, PH_EARG, "rope: position %s is not in the table; it has the positions 0 to %lld",
                       enc_num_text(text, sizeof text, t), (long long)rows - 1);
    }
    return PH_OK;
}

/* The inverse of [c -s; s c] is the transpose over c^2 + s^2. */
static void invert(double *c, double *s) {
    double n = *c * *c + *s * *s;
    *c /= n, *s /= n;
}

static ph_status gather_table(arr *cos, arr *sin, const enc_value *v, const enc_positions *at, int64_t pairs,
                              arr_dtype t, ph_err *err) {
    ph_status st;
    arr c = ARR_NONE, s = ARR_NONE, c64 = ARR_NONE, s64 = ARR_NONE;
    PH_TRY(arr_contiguous(&c, v[COS].array, ARR_F64, err));
    PH_TRY(arr_contiguous(&s, v[SIN].array, ARR_F64, err));
    PH_TRY(enc_new_rows(&c64, ARR_F64, at->n, pairs, "rope", err));
    PH_TRY(enc_new_rows(&s64, ARR_F64, at->n, pairs, "rope", err));
    for (int64_t r = 0; r < at->n; r++) {
        int64_t from = (int64_t)enc_at(at, r).hi;
        double *to_c = (double *)c64.data + r * pairs, *to_s = (double *)s64.data + r * pairs;
        for (int64_t i = 0; i < pairs; i++) {
            to_c[i] = ((double *)c.data)[from * pairs + i];
            to_s[i] = ((double *)s.data)[from * pairs + i];
            if (v[INVERSE].whole) invert(&to_c[i], &to_s[i]);
        }
    }
    PH_TRY(arr_contiguous(cos, &c64, t, err));
    PH_TRY(arr_contiguous(sin, &s64, t, err));
done:
    arr_drop(&c);
    arr_drop(&s);
    arr_drop(&c64);
    arr_drop(&s64);
    return st;
}

/* ---- the call ------------------------------------------------------------------------------------------ */

static ph_status check_in_place(const enc_value *v, ph_err *err) {
    if (!v[IN_PLACE].whole || v[X].value) return PH_OK;
    if (v[X].made)
        return ph_fail(err, PH_EARG, "rope: in_place, but x is no array: nobody would see what is written");
    if (!arr_is_contiguous(v[X].array))
        return ph_fail(err, PH_EARG,
                       "rope: in_place, but the elements of x do not lie one after another; x:copy() does");
    return PH_OK;
}

static ph_status check(const enc_value *v, ph_err *err) {
    const arr *x = v[X].array;
    ph_status st = enc_check_x(x, v[ROTARY].whole, "rope", err);
    if (st == PH_OK) st = check_in_place(v, err);
    if (st != PH_OK) return st;
    enc_rope_setting s = setting(v, x->shape[x->ndim - 1]);
    int64_t T = x->shape[x->ndim - 2];
    st = enc_rope_check(&s, err);
    if (st == PH_OK) st = enc_check_positions(&v[POSITIONS], T, "rope", err);
    if (st != PH_OK || (!v[COS].given && !v[SIN].given)) return st;
    st = check_tables(v, s.r / 2, err);
    return st == PH_OK ? check_rows(v, T, err) : st;
}

/* (T, pairs), of dtype t: cosines and sines of what x turns by. */
static ph_status tables(arr *cos, arr *sin, const enc_value *v, int64_t T, int64_t d, arr_dtype t,
                        ph_err *err) {
    ph_status st;
    enc_positions at;
    arr list = ARR_NONE;
    enc_rope_setting s = setting(v, d);
    PH_TRY(enc_row_positions(&at, &list, &v[POSITIONS], v[OFFSET].num, T, err));
    if (v[COS].given || v[SIN].given) PH_TRY(gather_table(cos, sin, v, &at, s.r / 2, t, err));
    else PH_TRY(enc_make_table(cos, sin, &s, &at, t, v[INVERSE].whole, err));
    if (v[INVERSE].whole) enc_negate(sin);
done:
    arr_drop(&list);
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    return enc_rotation_run(out, v, v[IN_PLACE].whole, tables, err);
}

/* ---- what it is ---------------------------------------------------------------------------------------- */

/* Rows of ready tables; backwards [c -s; s c] has the inverse [c s; -s c] / (c^2 + s^2). */
static void ready_tables(const enc_def *d, op_val **cos, op_val **sin, int64_t T) {
    op_ctx *c = d->c;
    const op_attrs rows = {.has_axis = true};
    op_val *at = enc_d_positions(d, &d->v[POSITIONS], T, &d->v[OFFSET]);
    *cos = op_do(c, "take", &rows, 2, (op_val *[]){enc_d_value(c, &d->v[COS]), at});
    *sin = op_do(c, "take", &rows, 2, (op_val *[]){enc_d_value(c, &d->v[SIN]), at});
    if (!d->v[INVERSE].whole) return;
    op_val *n = op_plus(c, op_do1(c, "square", *cos), op_do1(c, "square", *sin));
    *cos = op_do2(c, "div", *cos, n);
    *sin = op_do1(c, "neg", op_do2(c, "div", *sin, n));
}

/* Cosines and sines of m theta_i, times the temperature; backwards, of -m theta_i, and over it. */
static void phases(op_ctx *c, op_val **cos, op_val **sin, const enc_rope_def *r, op_val *at, bool backwards) {
    op_val *angle = op_do2(c, "mul", enc_d_column(c, at), enc_rope_d_frequencies(c, r));
    op_val *a = enc_rope_d_temperature(c, r);
    const char *times = backwards ? "div" : "mul";
    *cos = op_do1(c, "cos", angle);
    *sin = op_do1(c, "sin", angle);
    if (a) *cos = op_do2(c, times, *cos, a), *sin = op_do2(c, times, *sin, a);
    if (backwards) *sin = op_do1(c, "neg", *sin);
}

static void defined(const enc_def *d, op_val **cos, op_val **sin, int64_t T, int64_t columns) {
    const enc_value *v = d->v;
    enc_rope_def r = {setting(v, columns), &v[BASE], &v[P]};
    if (v[COS].given) ready_tables(d, cos, sin, T);
    else phases(d->c, cos, sin, &r, enc_d_positions(d, &v[POSITIONS], T, &v[OFFSET]), v[INVERSE].whole);
}

static void define(const enc_def *d, op_val **y) {
    if (d->v[IN_PLACE].whole)
        d->c->st = ph_fail(&d->c->err, PH_EARG,
                           "rope: in_place, where an argument is traced: what a derivative follows is not "
                           "written to");
    else enc_rotation_define(d, y, params, tables, defined);
}

/* ---- rope_table and rope_frequencies ------------------------------------------------------------------- */

enum { TABLE_T, TABLE_D, TABLE_BASE, TABLE_OFFSET, TABLE_P, TABLE_SCALING, TABLE_DTYPE };
static const enc_param table_params[] = {
    {"T", ENC_POSITIONS, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "a count, or an array of positions"},
    {"d", ENC_INT, ENC_POSITIONAL, 0, 2, 1e15, NULL, NULL, "columns", "how many columns rotate, even"},
    ENC_BASE_ROW,
    ENC_OFFSET_ROW,
    P_ROW,
    SCALING_ROW,
    {"dtype", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "f64 f32", NULL, NULL, "f32 entries lie within 0.51 ulp"},
    {0},
};

static enc_rope_setting setting_of_table(const enc_value *v) {
    return (enc_rope_setting){"rope_table", v[TABLE_D].whole, v[TABLE_BASE].num, v[TABLE_P].num,
                              &v[TABLE_SCALING]};
}

static ph_status check_table(const enc_value *v, ph_err *err) {
    enc_rope_setting s = setting_of_table(v);
    return enc_rope_check(&s, err);
}

static void define_table(const enc_def *d, op_val **y) {
    const enc_value *v = d->v;
    enc_rope_def r = {setting_of_table(v), &v[TABLE_BASE], &v[TABLE_P]};
    phases(d->c, &y[0], &y[1], &r, enc_d_positions(d, &v[TABLE_T], v[TABLE_T].whole, &v[TABLE_OFFSET]),
           false);
    for (int k = 0; k < 2; k++) y[k] = enc_d_astype(d->c, y[k], v[TABLE_DTYPE].whole ? ARR_F32 : ARR_F64);
}

static ph_status run_table(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_positions at;
    arr copy = ARR_NONE;
    enc_rope_setting s = setting_of_table(v);
    PH_TRY(enc_positions_of(&at, &copy, &v[TABLE_T], v[TABLE_OFFSET].num, err));
    st = enc_make_table(&out[0], &out[1], &s, &at, v[TABLE_DTYPE].whole ? ARR_F32 : ARR_F64, false, err);
done:
    arr_drop(&copy);
    return st;
}

enum { FREQ_D, FREQ_BASE, FREQ_P, FREQ_SCALING };
static const enc_param frequency_params[] = {
    {"d", ENC_INT, ENC_POSITIONAL, 0, 2, 1e15, NULL, NULL, "columns", "how many columns rotate, even"},
    ENC_BASE_ROW,
    P_ROW,
    SCALING_ROW,
    {0},
};

static enc_rope_setting setting_of_frequencies(const enc_value *v) {
    return (enc_rope_setting){"rope_frequencies", v[FREQ_D].whole, v[FREQ_BASE].num, v[FREQ_P].num,
                              &v[FREQ_SCALING]};
}

static ph_status check_frequencies(const enc_value *v, ph_err *err) {
    enc_rope_setting s = setting_of_frequencies(v);
    return enc_rope_check(&s, err);
}

/* The low parts are what f64 has no room for: they do not move. */
static void define_frequencies(const enc_def *d, op_val **y) {
    enc_rope_def r = {setting_of_frequencies(d->v), &d->v[FREQ_BASE], &d->v[FREQ_P]};
    y[0] = enc_rope_d_frequencies(d->c, &r);
    y[1] = op_times(d->c, y[0], 0);
}

static ph_status run_frequencies(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    ph_dd *theta = NULL;
    int64_t pairs = v[FREQ_D].whole / 2;
    enc_rope_setting s = setting_of_frequencies(v);
    for (int k = 0; k < 2; k++) PH_TRY(arr_new(&out[k], ARR_F64, 1, &pairs, err));
    if (!(theta = ph_calloc((uint64_t)pairs, sizeof *theta))) {
        st = ph_fail_nomem(err, (size_t)pairs * sizeof *theta);
        goto done;
    }
    enc_rope_frequencies(theta, &s);
    for (int64_t i = 0; i < pairs; i++) {
        ((double *)out[0].data)[i] = theta[i].hi;
        ((double *)out[1].data)[i] = theta[i].lo;
    }
done:
    ph_free(theta);
    return st;
}

static const enc_function functions[] = {
    {"rope", "Rotary position embedding: turns queries or keys (..., T, d).",
     "Pair i of a row at position m turns by m theta_i, theta_i = base^(-2i/rotary). The result has the "
     "shape and dtype of x.\n"
     "There is no default layout: a model trained in one is wrong in the other.\n"
     "Partial rotation (rotary) takes exponents over the columns that turn, p-RoPE (p) over all: they "
     "differ.\n"
     "Phases are double-doubles whatever the dtype. A position beyond the tables cos, sin is an error.",
     "rope({{1, 0}, {1, 0}}, {layout=\"half\"})(2, 1) == cos(1)  --> true\n"
     "x = randn(rng(7), 3, 8)\ny = rope(x, {layout=\"interleaved\", offset=5})\n"
     "back = rope(y, {layout=\"interleaved\", offset=5, inverse=true})\nmax(abs(back - x)) < 1e-15  --> "
     "true\n"
     "rope(x, {layout=\"half\", in_place=true}) == x  --> true\n"
     "rope(x)  --> error: no layout given\n"
     "rope(zeros(2, 7), {layout=\"half\"})  --> error: x has 7 columns",
     params, 1, run, check, define},
    {"rope_table", "Cosines and sines of a rotation: two arrays (T, d/2).",
     "For rope(x, {cos=, sin=}): one table for many calls. They contain the temperature of a scaling.\n"
     "f64 entries lie within 1 ulp of the exact value for |t theta_i| up to 2^20 (times a temperature: of "
     "the product).",
     "c, s = rope_table(16, 4)\nx = ones(3, 4)\n"
     "rope(x, {layout=\"half\", cos=c, sin=s}) == rope(x, {layout=\"half\"})  --> true\n"
     "far = {layout=\"half\", cos=c, sin=s, offset=14}\n"
     "rope(x, far)  --> error: position 16 is not in the table",
     table_params, 2, run_table, check_table, define_table},
    {"rope_frequencies", "The frequencies of a rotation: two arrays (d/2), high and low parts.",
     "theta_i in radians a position, with every scaling; dd(rope_frequencies(64)) keeps both parts.",
     "hi, lo = rope_frequencies(4)\nhi:totable()  --> {1.0, 0.01}\n"
     "abs(lo(2) + 2.08e-19) < 1e-21  --> true\n"
     "yarn = {kind=\"yarn\", factor=4, train=4096}\n"
     "theta = rope_frequencies(128, {scaling=yarn})\ntheta(1), theta(64) < 1e-4  --> 1.0\ttrue",
     frequency_params, 2, run_frequencies, check_frequencies, define_frequencies},
    {0},
};

const enc_encoding enc_rope = {
    .name = "rope",
    .title = {"rotary position embedding", "旋转位置编码"},
    .citation =
        "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding (2021), arXiv:2104.09864.",
    .kind = ENC_ROTATION,
    .layout = "interleaved [a0 b0 a1 b1 ...]   half [a0 a1 ... b0 b1 ...]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED | ENC_KEEPS_NORMS,
    .claims = {"norms: but for the temperature of yarn and longrope", "长度：yarn 与 longrope 的温度除外"},
    .functions = functions,
    .sample = "X, {layout=\"interleaved\"}\n"
              "half: X, {layout=\"half\"}\n"
              "yarn: X, {layout=\"half\", scaling={kind=\"yarn\", factor=4, train=64}}",
    .model = "X, {layout = 'half'}",
};
