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

static ph_status check_sections(split *s, const enc_value *v, ph_err *err) {
    char text[200];
    const arr *a = v[SECTIONS].array;
    int64_t sum = 0;
    if (!a) {
        for (int k = 0; k < s->axes; k++) s->section[k] = s->pairs / s->axes;
        if (s->pairs % s->axes == 0) return PH_OK;
        return ph_fail(err, PH_EARG, "rope_axes: %lld pairs for %d axes; wanted a multiple, or sections",
                       (long long)s->pairs, s->axes);
    }
    if (a->ndim != 1 || a->shape[0] != s->axes)
        return ph_fail(err, PH_EARG,
                       "rope_axes: sections has shape %s; wanted (%d), a number of pairs for each axis",
                       arr_shape_text(text, sizeof text, a), s->axes);
    for (int64_t k = 0; k < s->axes; k++) {
        double n = arr_get_num(a, arr_at(a, &k));
        if (!(n >= 0 && n <= (double)s->pairs && n == floor(n)))
            return ph_fail(err, PH_EARG,
                           "rope_axes: entry %lld of sections is %s; wanted a whole number from 0 to %lld",
                           (long long)k + 1, enc_num_text(text, sizeof text, n), (long long)s->pairs);
        sum += s->section[k] = (int64_t)n;
    }
    if (sum == s->pairs) return PH_OK;
    return ph_fail(err, PH_EARG, "rope_axes: sections add up to %lld pairs; x has %lld", (long long)sum,
                   (long long)s->pairs);
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

static ph_status check(split *s, const enc_value *v, ph_err *err) {
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
    *s = (split){.axes = (int)p->shape[0], .pairs = x->shape[x->ndim - 1] / 2, .mixed = v[ORDER].whole == 1};
    st = check_sections(s, v, err);
    return st == PH_OK ? check_order(s, err) : st;
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
        st = enc_fill(&to, &at, &theta, 1, 1, err);
    }
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    split s;
    const arr *x = v[X].array;
    arr cos = ARR_NONE, sin = ARR_NONE, positions = ARR_NONE;
    PH_TRY(check(&s, v, err));
    int64_t T = x->shape[x->ndim - 2];
    PH_TRY(arr_contiguous(&positions, v[POSITIONS].array, ARR_F64, err));
    PH_TRY(enc_new_rows(&cos, x->dtype, T, s.pairs, "rope_axes", err));
    PH_TRY(enc_new_rows(&sin, x->dtype, T, s.pairs, "rope_axes", err));
    PH_TRY(fill_tables(&cos, &sin, &s, v, &positions, err));
    if (v[INVERSE].whole) enc_negate(&sin);
    st = enc_rotate(out, x, &cos, &sin, v[LAYOUT].whole == ENC_HALF, err);
done:
    arr_drop(&cos);
    arr_drop(&sin);
    arr_drop(&positions);
    return st;
}

/* Of symbols m[0], m[1], …, the positions on each axis, and x[j]. */
static ph_status formula(exp_node **out, const enc_value *v, int64_t j, ph_err *err) {
    split s;
    int64_t k;
    ph_status st = check(&s, v, err);
    if (st == PH_OK) st = enc_check_column("rope_axes", j, 2 * s.pairs, err);
    if (st != PH_OK) return st;
    exp_builder b = EXP_BUILDER(err);
    enc_column c = enc_column_of(j, 2 * s.pairs, v[LAYOUT].whole == ENC_HALF);
    int a = axis_of(&s, c.pair, &k);
    bool whole = v[EXPONENTS].whole == WHOLE;
    exp_node *theta = enc_b_power(&b, v[BASE].num, -(whole ? c.pair : k), whole ? s.pairs : s.section[a]);
    exp_node *m = exp_b_2(&b, EXP_AT, enc_b_sym(&b, "m"), exp_b_rat(&b, a, 1));
    return exp_b_end(&b, out, enc_b_rotated(&b, j, c, exp_b_mul(&b, m, theta), v[INVERSE].whole));
}

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
     params, 1, run, NULL, NULL},
    {0},
};

const enc_encoding enc_rope_axes = {
    .name = "rope_axes",
    .title = "rotation by several positions",
    .citation = "Wang et al., Qwen2-VL (M-RoPE, 2024), arXiv:2409.12191; Heo et al., Rotary Position "
                "Embedding for Vision "
                "Transformer (2-D axial, 2024), arXiv:2403.13298.",
    .kind = ENC_ROTATION,
    .layout = "contiguous [0 0 0 1 1 1 2 2 2]   interleaved [0 1 2 0 1 2 0 0 0] (the axis of each pair)",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED | ENC_KEEPS_NORMS,
    .claims = "relative: in the differences along every axis",
    .functions = functions,
    .sample = "X, {layout=\"interleaved\", exponents=\"section\", positions={range(0, T-1), range(0, T-1)}}",
    .formula = formula,
};
