/* logn.c: queries grow with the logarithm of how many keys they see, so that attention stays as sharp as in training.
 *
 *     q_m max(1, ln(m+1) / ln L)        L: the training length
 */
#include "encoding/rotation.h"

#include <math.h>

#include "array/op.h"

enum { X, TRAIN, POSITIONS, OFFSET };

static const enc_param params[] = {
    {"x", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "an array (..., T, d) of queries"},
    {"train", ENC_NUM, ENC_NAMED, 0, 2, 1e15, NULL, NULL, "positions",
     "L, the length that the model was trained on"},
    ENC_POSITIONS_ROW,
    ENC_OFFSET_ROW,
    {0},
};

static ph_status check(const enc_value *v, ph_err *err) {
    char text[200];
    const arr *x = v[X].array;
    if (x->ndim < 2)
        return ph_fail(err, PH_EARG, "logn: x has shape %s; wanted (..., T, d)",
                       arr_shape_text(text, sizeof text, x));
    ph_status st = enc_check_positions(&v[POSITIONS], x->shape[x->ndim - 2], "logn", err);
    for (int64_t r = 0; st == PH_OK && r < x->shape[x->ndim - 2]; r++) {
        double m = enc_position(&v[POSITIONS], v[OFFSET].num, r);
        if (!(m > -1))
            st = ph_fail(err, PH_EARG,
                         "logn: position %s has no logarithm of m + 1; wanted positions above -1",
                         enc_num_text(text, sizeof text, m));
    }
    return st;
}

/* (T, 1): max(1, ln(m+1)/ln L) rounded once from a double-double. */
static ph_status factors(arr *out, const enc_value *v, int64_t T, ph_err *err) {
    ph_dd below = ph_dd_log(ph_dd_of(v[TRAIN].num));
    ph_status st = arr_new(out, ARR_F64, 2, (int64_t[]){T, 1}, err);
    for (int64_t r = 0; st == PH_OK && r < T; r++) {
        double m = enc_position(&v[POSITIONS], v[OFFSET].num, r);
        ((double *)out->data)[r] = fmax(1, ph_dd_div(ph_dd_log(ph_two_sum(m, 1)), below).hi);
    }
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    const arr *x = v[X].array;
    arr wide = ARR_NONE, factor = ARR_NONE;
    PH_TRY(factors(&wide, v, x->shape[x->ndim - 2], err));
    PH_TRY(arr_contiguous(&factor, &wide, x->dtype, err));
    st = op_call2(out, "mul", x, &factor, err);
done:
    arr_drop(&wide);
    arr_drop(&factor);
    return st;
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    op_val *x = enc_d_value(c, &v[X]);
    op_val *m = enc_d_positions(d, &v[POSITIONS], enc_d_size(c, x, 1), &v[OFFSET]), *one = op_num(c, 1);
    op_val *above = op_do1(c, "log", op_do2(c, "add", m, one));
    op_val *factor = op_do2(c, "div", above, op_do1(c, "log", enc_d_value(c, &v[TRAIN])));
    factor = enc_d_column(c, op_do2(c, "maximum", one, factor));
    y[0] = x ? op_do2(c, "mul", enc_d_astype(c, factor, op_spec_of(c, x)->dtype), x) : NULL;
}

static const enc_function functions[] = {
    {"logn", "Queries (..., T, d) times max(1, ln(m+1) / ln train).",
     "From the training length on the scores of a query grow with the logarithm of the keys it sees, which "
     "keeps the entropy of its weights. For queries only, before or after a rotation. There is no default "
     "for the training length. The result has the shape and dtype of x.",
     "logn(ones(1, 2), {train=4, offset=15}):totable()  --> {{2.0, 2.0}}\nlogn(ones(3, 1), {train=4})(3, 1)  "
     "--> 1.0\n"
     "logn(ones(3, 1))  --> error: no train given\nlogn(ones(3, 1), {train=4, offset=-1})  --> error: "
     "position -1",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_logn = {
    .name = "logn",
    .title = {"log-n scale of attention", "注意力的 log n 缩放"},
    .citation =
        "Su, Attention's scale seen from the invariance of entropy (2021), https://kexue.fm/archives/8823.",
    .kind = ENC_FACTOR,
    .layout = "(..., T, d), a factor for each row",
    .laws = 0,
    .functions = functions,
    .sample = "X, {train=4}",
    .model = "X, {train = L}",
};
