/* rope_axes.c: rotation by several positions at once, rows and columns of an image or time, height and width. Each pair
 * belongs to one axis and turns by that axis's position.
 *
 *     order       contiguous    [0 0 0 1 1 1 2 2 2]     the first sections[0] pairs are axis 0's, and so on
 *                 interleaved   [0 1 2 0 1 2 0 0 0]     pair i is axis (i mod A)'s while i < A sections[axis], axis 0's afterwards
 *     exponents   whole         θ_i = base^(-2i/d), i the pair                              M-RoPE
 *                 section       θ_k = base^(-2k/(2 sections[axis])), k counts the axis's pairs   2-D axial
 */
#include "encoding/rotation.h"

#include <math.h>

enum { X, LAYOUT, EXPONENTS, POSITIONS, SECTIONS, ORDER, BASE, INVERSE };
enum { WHOLE, SECTION };

#define AXES 8

static const enc_param params[] = {
    ENC_X_ROW,
    ENC_LAYOUT_ROW,
    {"exponents", ENC_WORD, ENC_NAMED, 0, 0, 0, "whole section", NULL, NULL,
     "\"whole\" (M-RoPE: exponents go on from axis to axis) or \"section\" (2-D axial: they begin anew)"},
    {"positions", ENC_ARRAY, ENC_NAMED, 0, 0, 0, NULL, NULL, NULL,
     "an array (A, T): a row of positions for each of 1 to 8 axes"},
    {"sections", ENC_ARRAY, ENC_OPTIONAL, 0, 0, 0, NULL, NULL, "pairs",
     "how many pairs each axis has, d/2 in all; equal when absent"},
    {"order", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "contiguous interleaved", NULL, NULL,
     "which pairs are whose; models differ"},
    ENC_BASE_ROW,
    ENC_INVERSE_ROW("turns back"),
    {0},
};

typedef struct {
    int axes;
    int64_t pairs, section[AXES];
    bool mixed; /* interleaved order */
} split;

static split split_of(const enc_value *v, int64_t axes, int64_t pairs) {
    split s = {.axes = (int)axes, .pairs = pairs, .mixed = v[ORDER].whole == 1};
    const arr *a = v[SECTIONS].array;
    for (int64_t k = 0; k < axes; k++)
        s.section[k] = a ? (int64_t)arr_get_num(a, arr_at(a, &k)) : pairs / axes;
    return s;
}

static ph_status check_sections(const enc_value *v, int64_t axes, int64_t pairs, ph_err *err) {
    char text[200];
    const arr *a = v[SECTIONS].array;
    double sum = 0;
    if (!a) {
        if (pairs % axes == 0) return PH_OK;
        return ph_fail(err, PH_EARG, "rope_axes: %lld pairs for %lld axes; wanted a multiple, or sections",
                       (long long)pairs, (long long)axes);
    }
    if (a->ndim != 1 || a->shape[0] != axes)
        return ph_fail(err, PH_EARG,
                       "rope_axes: sections has shape %s; wanted (%lld), a number of pairs for each axis",
                       arr_shape_text(text, sizeof text, a), (long long)axes);
    for (int64_t k = 0; k < axes; k++) {
        double n = arr_get_num(a, arr_at(a, &k));
        if (!(n >= 0 && n <= (double)pairs && n == floor(n)))
            return ph_fail(err, PH_EARG,
                           "rope_axes: entry %lld of sections is %s; wanted a whole number from 0 to %lld",
                           (long long)k + 1, enc_num_text(text, sizeof text, n), (long long)pairs);
        sum += n;
    }
    if (sum == (double)pairs) return PH_OK;
    return ph_fail(err, PH_EARG, "rope_axes: sections add up to %.0f pairs; x has %lld", sum,
                   (long long)pairs);
}

/* In the interleaved order an axis ends at pair A section: it must not run out of pairs. */
static ph_status check_order(const split *s, ph_err *err) {
    for (int k = 1; s->mixed && k < s->axes; k++)
        if (s->section[k] > 0 && (s->section[k] - 1) * s->axes + k >= s->pairs)
            return ph_fail(err, PH_EARG,
                           "rope_axes: axis %d of %d has %lld of %lld pairs; too many to be interleaved",
                           k + 1, s->axes, (long long)s->section[k], (long long)s->pairs);
    return PH_OK;
}

static ph_status check(const enc_value *v, ph_err *err) {
    char text[200];
    const arr *x = v[X].array, *p = v[POSITIONS].array;
    ph_status st = enc_check_x(x, 0, "rope_axes", err);
    if (st != PH_OK) return st;
    int64_t T = x->shape[x->ndim - 2];
    if (p->ndim != 2 || p->shape[1] != T || p->shape[0] < 1 || p->shape[0] > AXES)
        return ph_fail(err, PH_EARG,
                       "rope_axes: positions has shape %s; wanted (A, %lld), A from 1 to %d axes",
                       arr_shape_text(text, sizeof text, p), (long long)T, AXES);
    for (int64_t k = 0; k < p->shape[0] * T; k++) {
        double t = arr_get_num(p, arr_at(p, (int64_t[]){k / T, k % T}));
        if (!isfinite(t))
            return ph_fail(err, PH_EARG, "rope_axes: positions has an entry %s; wanted finite ones",
                           enc_num_text(text, sizeof text, t));
    }
    int64_t pairs = x->shape[x->ndim - 1] / 2;
    if ((st = check_sections(v, p->shape[0], pairs, err)) != PH_OK) return st;
    split s = split_of(v, p->shape[0], pairs);
    return check_order(&s, err);
}

/* The axis of pair i; *k counts the axis's pairs before it. */
static int axis_of(const split *s, int64_t i, int64_t *k) {
    int a = 0;
    *k = i;
    if (!s->mixed) {
        while (*k >= s->section[a]) *k -= s->section[a++];
        return a;
    }
    a = (int)(i % s->axes);
    if (a > 0 && i >= s->axes * s->section[a]) a = 0;
    if (a > 0) *k = i / s->axes;
    else { /* pairs before i that are other axes' */
        for (int o = 1; o < s->axes; o++) {
            int64_t theirs = (i - o + s->axes - 1) / s->axes;
            *k -= i <= o ? 0 : theirs < s->section[o] ? theirs : s->section[o];
        }
    }
    return a;
}

static ph_status fill_tables(const arr *cos, const arr *sin, const split *s, const enc_value *v,
                             const arr *positions, ph_err *err) {
    ph_status st = PH_OK;
    ph_dd log = ph_dd_log(ph_dd_of(v[BASE].num));
    size_t item = arr_itemsize(cos->dtype);
    int64_t T = positions->shape[1];
    for (int64_t i = 0; st == PH_OK && i < s->pairs; i++) {
        int64_t k;
        int a = axis_of(s, i, &k);
        bool whole = v[EXPONENTS].whole == WHOLE;
        ph_dd power = ph_dd_div(ph_dd_of(-(double)(whole ? i : k)),
                                ph_dd_of((double)(whole ? s->pairs : s->section[a])));
        ph_dd theta = ph_dd_exp(ph_dd_mul(log, power));
        enc_positions at = {.n = T, .list = (double *)positions->data + a * T};
        enc_sink to = {cos->dtype, sin->data + (size_t)i * item, cos->data + (size_t)i * item, s->pairs, 1};
        st = enc_fill(&to, &at, &theta, 1, ph_dd_of(1), err);
    }
    return st;
}

static ph_status tables(arr *cos, arr *sin, const enc_value *v, int64_t T, int64_t d, arr_dtype t,
                        ph_err *err) {
    ph_status st;
    arr positions = ARR_NONE;
    split s = split_of(v, v[POSITIONS].array->shape[0], d / 2);
    PH_TRY(arr_contiguous(&positions, v[POSITIONS].array, ARR_F64, err));
    PH_TRY(enc_new_rows(cos, t, T, s.pairs, "rope_axes", err));
    PH_TRY(enc_new_rows(sin, t, T, s.pairs, "rope_axes", err));
    PH_TRY(fill_tables(cos, sin, &s, v, &positions, err));
    if (v[INVERSE].whole) enc_negate(sin);
done:
    arr_drop(&positions);
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    return enc_rotation_run(out, v, false, tables, err);
}

/* base^(-above/below) of each pair, and its axis */
static op_val *pairs_of(op_ctx *c, op_val **axis, const split *s, bool whole, op_val *base) {
    double *list = ph_calloc(3 * (uint64_t)s->pairs, sizeof *list);
    double *above = list, *below = list + s->pairs, *whose = below + s->pairs;
    if (!list) {
        op_fail(c, PH_ENOMEM, "out of memory for %lld pairs", (long long)s->pairs);
        return NULL;
    }
    for (int64_t i = 0; i < s->pairs; i++) {
        int64_t k;
        whose[i] = axis_of(s, i, &k);
        above[i] = -(double)(whole ? i : k);
        below[i] = (double)(whole ? s->pairs : s->section[(int)whose[i]]);
    }
    *axis = enc_d_numbers(c, whose, s->pairs);
    op_val *power = op_do2(c, "div", enc_d_numbers(c, above, s->pairs), enc_d_numbers(c, below, s->pairs));
    ph_free(list);
    return op_do2(c, "pow", base, power);
}

static void defined(const enc_def *d, op_val **cos, op_val **sin, int64_t T, int64_t columns) {
    const op_attrs rows = {.has_axis = true};
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    op_val *at = enc_d_value(c, &v[POSITIONS]), *axis = NULL;
    (void)T, (void)enc_d_number(c, &v[SECTIONS], "rope_axes", "sections");
    split s = split_of(v, enc_d_size(c, at, 1), columns / 2);
    op_val *theta = pairs_of(c, &axis, &s, v[EXPONENTS].whole == WHOLE, enc_d_value(c, &v[BASE]));
    at = op_swap(c, op_do(c, "take", &rows, 2, (op_val *[]){at, axis})); /* (T, pairs) */
    op_val *angle = op_do2(c, "mul", at, theta);
    *cos = op_do1(c, "cos", angle);
    *sin = op_do1(c, "sin", angle);
    if (v[INVERSE].whole) *sin = op_do1(c, "neg", *sin);
}

static void define(const enc_def *d, op_val **y) { enc_rotation_define(d, y, params, tables, defined); }

static const enc_function functions[] = {
    {"rope_axes", "Rotation by several positions: 2-D axial, M-RoPE. (..., T, d).",
     "Each pair belongs to one axis and turns by that axis's position; equal rows of positions give rope "
     "when exponents is\n"
     "\"whole\". Qwen2-VL has sections {16, 24, 24} for time, height and width.",
     "x = ones(2, 4)\nat = {{0, 1}, {0, 1}}\n"
     "y = rope_axes(x, {layout=\"half\", exponents=\"whole\", positions=at})\ny == rope(x, "
     "{layout=\"half\"})  --> true\n"
     "z = rope_axes(x, {layout=\"half\", exponents=\"section\", positions=at})\nz(2, 1) == z(2, 2)  --> "
     "true\n"
     "rope_axes(x, {layout=\"half\", positions=at})  --> error: no exponents given",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_rope_axes = {
    .name = "rope_axes",
    .title = {"rotation by several positions", "按多个位置旋转"},
    .citation = "Wang et al., Qwen2-VL (M-RoPE, 2024), arXiv:2409.12191; Heo et al., Rotary Position "
                "Embedding for Vision Transformer (2-D axial, 2024), arXiv:2403.13298.",
    .kind = ENC_ROTATION,
    .layout = "contiguous [0 0 0 1 1 1 2 2 2]   interleaved [0 1 2 0 1 2 0 0 0] (the axis of each pair)",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED | ENC_KEEPS_NORMS,
    .claims = {"relative: in the differences along every axis", "相对：指沿每个轴的差"},
    .functions = functions,
    .sample = "X, {layout=\"interleaved\", exponents=\"section\", positions={range(0, T-1), range(0, T-1)}}",
};
