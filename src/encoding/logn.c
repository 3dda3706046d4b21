/* logn.c: queries grow with the logarithm of how many keys they see, so that attention stays as sharp as in training.
 *
 *     q_m max(1, ln(m+1) / ln L)        L: the training length
 */
#include "encoding/rotation.h"

#include <math.h>

#include "array/op.h"

enum { X, TRAIN, POSITIONS, OFFSET };

static const enc_param params[] = {
    {"x", ENC_ARRAY, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL, "an array (..., T, d) of queries"},
    {"train", ENC_NUM, ENC_NAMED, 0, 2, 1e15, NULL, NULL, "positions",
     "L, the length that the model was trained on"},
    ENC_POSITIONS_ROW,
    ENC_OFFSET_ROW,
    {0},
};

static double position(const enc_positions *at, int64_t r) {
    return at->list ? at->list[r] : at->first + (double)r;
}

/* ln(m+1)/ln L rounded once from a double-double. */
static ph_status factors(arr *out, const enc_positions *at, double train, ph_err *err) {
    char text[40];
    ph_dd below = ph_dd_log(ph_dd_of(train));
    ph_status st = arr_new(out, ARR_F64, 2, (int64_t[]){at->n, 1}, err);
    for (int64_t r = 0; st == PH_OK && r < at->n; r++) {
        double m = position(at, r), *f = (double *)out->data + r;
        if (!(m > -1))
            return ph_fail(err, PH_EARG,
                           "logn: position %s has no logarithm of m + 1; wanted positions above -1",
                           enc_num_text(text, sizeof text, m));
        *f = ph_dd_div(ph_dd_log(ph_two_sum(m, 1)), below).hi;
        if (!(*f > 1)) *f = 1;
    }
    return st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    char text[200];
    enc_positions at;
    const arr *x = v[X].array;
    arr list = ARR_NONE, wide = ARR_NONE, factor = ARR_NONE;
    if (x->ndim < 2)
        return ph_fail(err, PH_EARG, "logn: x has shape %s; wanted (..., T, d)",
                       arr_shape_text(text, sizeof text, x));
    PH_TRY(enc_row_positions(&at, &list, &v[POSITIONS], v[OFFSET].num, x->shape[x->ndim - 2], "logn", err));
    PH_TRY(factors(&wide, &at, v[TRAIN].num, err));
    PH_TRY(arr_contiguous(&factor, &wide, x->dtype, err));
    st = op_call2(out, "mul", x, &factor, err);
done:
    arr_drop(&list);
    arr_drop(&wide);
    arr_drop(&factor);
    return st;
}

static ph_status formula(exp_node **out, const enc_value *v, int64_t j, ph_err *err) {
    const arr *x = v[X].array;
    ph_status st = enc_check_column("logn", j, x->ndim ? x->shape[x->ndim - 1] : 0, err);
    if (st != PH_OK) return st;
    exp_builder b = EXP_BUILDER(err);
    exp_node *one = exp_b_rat(&b, 1, 1), *m = enc_b_sym(&b, "m");
    exp_node *above = exp_b_1(&b, EXP_LOG, exp_b_add(&b, m, one));
    exp_node *factor = exp_b_div(&b, above, exp_b_1(&b, EXP_LOG, enc_b_num(&b, v[TRAIN].num)));
    return exp_b_end(&b, out, exp_b_mul(&b, exp_b_2(&b, EXP_MAX, one, factor), enc_b_column(&b, j)));
}

static const enc_function functions[] = {
    {"logn", "Queries (..., T, d) times max(1, ln(m+1) / ln train).",
     "From the training length on the scores of a query grow with the logarithm of the keys it sees, which "
     "keeps the entropy "
     "of its weights. For queries only, before or after a rotation. There is no default for the training "
     "length. The result "
     "has the shape and dtype of x.",
     "logn(ones(1, 2), {train=4, offset=15}):totable()  --> {{2.0, 2.0}}\nlogn(ones(3, 1), {train=4})(3, 1)  "
     "--> 1.0\n"
     "logn(ones(3, 1))  --> error: no train given\nlogn(ones(3, 1), {train=4, offset=-1})  --> error: "
     "position -1",
     params, 1, run, NULL, NULL},
    {0},
};

const enc_encoding enc_logn = {
    .name = "logn",
    .title = "log-n scale of attention",
    .citation =
        "Su, Attention's scale seen from the invariance of entropy (2021), https://kexue.fm/archives/8823.",
    .kind = ENC_FACTOR,
    .layout = "(..., T, d), a factor for each row",
    .laws = 0,
    .functions = functions,
    .sample = "X, {train=4}",
    .formula = formula,
};
