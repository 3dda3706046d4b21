/* xpos.c: rotation with exponential decay. Pair i at position m turns by mθ_i as in rope, and is stretched:
 *
 *     q at m   times ζ_i^(m/B)      k at n   times ζ_i^(-n/B)      ζ_i = (2i/d + γ)/(1 + γ)
 *
 * so a score has the factor ζ_i^((m-n)/B): it decays for keys before the query (ζ_i < 1) and grows for keys after it.
 *
 *     interleaved [a0 b0 a1 b1 …]   half [a0 a1 … b0 b1 …]; both columns of a pair have the same ζ_i
 */
#include "encoding/rotation.h"

#include <math.h>

enum { X, LAYOUT, SIDE, BASE, SCALE_BASE, GAMMA, POSITIONS, OFFSET, INVERSE };

static const enc_param params[] = {
    ENC_X_ROW,
    ENC_LAYOUT_ROW,
    {"side", ENC_WORD, ENC_NAMED, 0, 0, 0, "q k", NULL, NULL,
     "\"q\" or \"k\": keys are stretched by the inverse of what queries are"},
    ENC_BASE_ROW,
    {"scale_base", ENC_NUM, ENC_OPTIONAL, 512, 1e-3, 1e12, NULL, NULL, "positions",
     "B; a small one overflows sooner"},
    {"gamma", ENC_NUM, ENC_OPTIONAL, 0.4, 1e-3, 1e6, NULL, NULL, NULL,
     "above 0; the larger, the nearer to rope"},
    ENC_POSITIONS_ROW,
    ENC_OFFSET_ROW,
    ENC_INVERSE_ROW("turns back and undoes the stretch"),
    {0},
};

static enc_rope_setting setting(const enc_value *v, int64_t d) {
    return (enc_rope_setting){"xpos", d, v[BASE].num, 1, NULL};
}
static bool shrinks(const enc_value *v) { return (v[SIDE].whole == 1) != (v[INVERSE].whole != 0); }

/* ln ζ_i; 0 at most. */
static ph_dd log_zeta(const enc_value *v, int64_t i, int64_t d) {
    ph_dd gamma = ph_dd_of(v[GAMMA].num);
    ph_dd up = ph_dd_add(ph_dd_div(ph_dd_of(2 * (double)i), ph_dd_of((double)d)), gamma);
    return ph_dd_log(ph_dd_div(up, ph_dd_add_d(gamma, 1)));
}

/* Pair 0 is stretched most. 2^100 and 2^1000 leave room for x in f32 and f64. */
static ph_status check_growth(const enc_value *v, int64_t T, int64_t d, arr_dtype t, ph_err *err) {
    char text[40], base[40];
    double most = (t == ARR_F32 ? 100 : 1000) * 0x1.62e42fefa39efp-1;
    for (int64_t r = 0; d && r < T; r++) {
        double m = enc_position(&v[POSITIONS], v[OFFSET].num, r);
        if (fabs(m / v[SCALE_BASE].num * log_zeta(v, 0, d).hi) <= most) continue;
        return ph_fail(err, PH_EARG,
                       "xpos: at position %s a stretch with scale_base %s leaves the range of %s; wanted "
                       "positions nearer to 0",
                       enc_num_text(text, sizeof text, m), enc_num_text(base, sizeof base, v[SCALE_BASE].num),
                       arr_dtype_name(t));
    }
    return PH_OK;
}

static ph_status check(const enc_value *v, ph_err *err) {
    const arr *x = v[X].array;
    ph_status st = enc_check_x(x, 0, "xpos", err);
    if (st != PH_OK) return st;
    st = enc_check_positions(&v[POSITIONS], x->shape[x->ndim - 2], "xpos", err);
    return st == PH_OK ? check_growth(v, x->shape[x->ndim - 2], x->shape[x->ndim - 1], x->dtype, err) : st;
}

/* Entries of the tables (f64) times ζ_i^(±m/B). */
static ph_status stretch(const arr *cos, const arr *sin, const enc_value *v, const enc_positions *at,
                         int64_t d, ph_err *err) {
    int64_t pairs = d / 2;
    for (int64_t i = 0; i < pairs; i++) {
        ph_dd log =
            ph_dd_div(log_zeta(v, i, d), ph_dd_of(shrinks(v) ? -v[SCALE_BASE].num : v[SCALE_BASE].num));
        if (ph_interrupted()) return ph_fail_interrupted(err);
        for (int64_t r = 0; r < at->n; r++) {
            double factor = ph_dd_exp(ph_dd_mul(log, enc_at(at, r))).hi;
            ((double *)cos->data)[r * pairs + i] *= factor;
            ((double *)sin->data)[r * pairs + i] *= factor;
        }
    }
    return PH_OK;
}

static ph_status tables(arr *cos, arr *sin, const enc_value *v, int64_t T, int64_t d, arr_dtype t,
                        ph_err *err) {
    ph_status st;
    enc_positions at;
    enc_rope_setting set = setting(v, d);
    arr c = ARR_NONE, s = ARR_NONE, list = ARR_NONE;
    PH_TRY(enc_row_positions(&at, &list, &v[POSITIONS], v[OFFSET].num, T, err));
    PH_TRY(enc_make_table(&c, &s, &set, &at, ARR_F64, false, err));
    PH_TRY(stretch(&c, &s, v, &at, d, err));
    if (v[INVERSE].whole) enc_negate(&s);
    PH_TRY(arr_contiguous(cos, &c, t, err));
    st = arr_contiguous(sin, &s, t, err);
done:
    arr_drop(&c);
    arr_drop(&s);
    arr_drop(&list);
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    return enc_rotation_run(out, v, false, tables, err);
}

/* zeta_i^(m/B), or its inverse */
static op_val *stretch_of(const enc_def *d, op_val *at, int64_t columns) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    op_val *gamma = enc_d_value(c, &v[GAMMA]), *one = op_num(c, 1);
    op_val *share = op_do2(c, "mul", enc_d_count(c, columns / 2), op_num(c, 2));
    share = op_do2(c, "div", share, op_num(c, (double)columns));
    op_val *zeta = op_do2(c, "div", op_do2(c, "add", share, gamma), op_do2(c, "add", one, gamma));
    op_val *power = op_do2(c, "div", enc_d_column(c, at), enc_d_value(c, &v[SCALE_BASE]));
    return op_do2(c, "pow", zeta, shrinks(v) ? op_do1(c, "neg", power) : power);
}

static void defined(const enc_def *d, op_val **cos, op_val **sin, int64_t T, int64_t columns) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    op_val *at = enc_d_positions(d, &v[POSITIONS], T, &v[OFFSET]), *stretch_by = stretch_of(d, at, columns);
    op_val *theta = enc_d_powers(c, enc_d_value(c, &v[BASE]), columns / 2, columns);
    op_val *angle = op_do2(c, "mul", enc_d_column(c, at), theta);
    *cos = op_do2(c, "mul", op_do1(c, "cos", angle), stretch_by);
    *sin = op_do2(c, "mul", op_do1(c, "sin", angle), stretch_by);
    if (v[INVERSE].whole) *sin = op_do1(c, "neg", *sin);
}

static void define(const enc_def *d, op_val **y) { enc_rotation_define(d, y, params, tables, defined); }

static const enc_function functions[] = {
    {"xpos", "Rotation with decay: turns and stretches q or k (..., T, d).",
     "Pair i of a query at m is turned by m theta_i and multiplied by zeta_i^(m/scale_base), of a key by its "
     "inverse,\n"
     "zeta_i = (2i/d + gamma)/(1 + gamma). Scores depend on m - n only; they decay for n < m and grow for n "
     "> m, so it is for\n"
     "causal attention. Positions whose stretch would leave the range of x's dtype are an error.",
     "q = {layout=\"half\", side=\"q\"}\nx = ones(2, 4)\nxpos(x, q)(1, 1)  --> 1.0\n"
     "y = xpos(x, {layout=\"half\", side=\"k\", offset=700})\n"
     "back = xpos(y, {layout=\"half\", side=\"k\", offset=700, inverse=true})\nmax(abs(back - x)) < 1e-14  "
     "--> true\n"
     "xpos(x, {layout=\"half\"})  --> error: no side given",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_xpos = {
    .name = "xpos",
    .title = {"rotation with exponential decay", "带指数衰减的旋转"},
    .citation = "Sun et al., A Length-Extrapolatable Transformer (xPos, 2022), arXiv:2212.10554.",
    .kind = ENC_ROTATION,
    .layout = "interleaved [a0 b0 a1 b1 ...]   half [a0 a1 ... b0 b1 ...]",
    .laws = ENC_IS_RELATIVE,
    .claims = {"between a query and a key", "就查询与键而言"},
    .functions = functions,
    .sample = "X, {layout=\"interleaved\", side=side}",
    .model = "X, {layout = 'half', side = side}",
};
