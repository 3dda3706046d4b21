/* sinusoidal_t2t.c: the variant of tensor2tensor and fairseq. It differs from the paper in the denominator as well as in
 * the order of the columns, and takes an odd d.
 *
 *     P[t, i] = sin(t ω_i)    P[t, p+i] = cos(t ω_i)    ω_i = base^(-i/(p-1)), i < p = floor(d/2)
 *
 *     d = 7   [s0 s1 s2 c0 c1 c2 0]
 *
 * With a single pair (p = 1) the quotient has no meaning; ω_0 is 1 then, as in tensor2tensor.
 */
#include "encoding/phases.h"

#include <string.h>

enum { T, D, BASE, OFFSET, DTYPE };

static const enc_param params[] = {
    {"T", ENC_POSITIONS, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL, "a count, or an array of positions"},
    {"d", ENC_INT, ENC_PLACED, 0, 0, 1e15, NULL, NULL, "columns",
     "the dimension; the last column of an odd d is 0"},
    {"base", ENC_NUM, ENC_OPTIONAL, 10000, 1e-200, 1e200, NULL, NULL, NULL,
     "wavelengths run from 2 Pi to 2 Pi base"},
    {"offset", ENC_NUM, ENC_OPTIONAL, 0, -0x1p52, 0x1p52, NULL, NULL, "positions",
     "what is added to every position"},
    {"dtype", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "f64 f32", NULL, NULL, "f32 entries are the f64 ones rounded"},
    {0},
};

/* ω_i is θ_i of dimension 2(p - 1). */
static int64_t paper_dimension(int64_t p) { return p > 1 ? 2 * (p - 1) : 2; }

static void clear_last_column(const arr *a) {
    size_t item = arr_itemsize(a->dtype), row = item * (size_t)a->shape[1];
    for (int64_t r = 0; r < a->shape[0]; r++) memset(a->data + row * (size_t)r + row - item, 0, item);
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_positions at;
    arr copy = ARR_NONE;
    ph_dd *theta = NULL;
    int64_t d = v[D].whole, p = d / 2;
    PH_TRY(enc_positions_of(&at, &copy, &v[T], v[OFFSET].num, err));
    PH_TRY(enc_new_rows(out, v[DTYPE].whole == 1 ? ARR_F32 : ARR_F64, at.n, d, "sinusoidal_t2t", err));
    if (!(theta = ph_calloc((size_t)p, sizeof *theta))) {
        st = ph_fail_nomem(err, (size_t)p * sizeof *theta);
        goto done;
    }
    enc_frequencies(theta, p, ph_dd_log(ph_dd_of(v[BASE].num)), (double)paper_dimension(p));
    enc_sink to = {out->dtype, out->data, out->data + p * (int64_t)arr_itemsize(out->dtype), d, 1};
    PH_TRY(enc_fill(&to, &at, theta, p, 1, err));
    if (d % 2) clear_last_column(out);
done:
    ph_free(theta);
    arr_drop(&copy);
    return st;
}

static ph_status formula(exp_node **out, const enc_value *v, int64_t j, ph_err *err) {
    int64_t p = v[D].whole / 2;
    ph_status st = enc_check_column("sinusoidal_t2t", j, v[D].whole, err);
    if (st != PH_OK) return st;
    if (j == 2 * p) return exp_rat(out, 0, 1, err);
    exp_builder b = EXP_BUILDER(err);
    exp_node *omega = enc_b_power(&b, v[BASE].num, -(j % p), paper_dimension(p) / 2);
    exp_node *angle = exp_b_mul(&b, enc_b_sym(&b, "t"), omega);
    return exp_b_end(&b, out, exp_b_1(&b, j < p ? EXP_SIN : EXP_COS, angle));
}

static const enc_function functions[] = {
    {"sinusoidal_t2t", "The sinusoidal vectors of tensor2tensor and fairseq, (T, d).",
     "P[t, i] = sin(t w_i), P[t, p+i] = cos(t w_i), w_i = base^(-i/(p-1)), p = floor(d/2); t and columns "
     "count from 0.\n"
     "Against the paper's (sinusoidal) the order of the columns differs, and the denominator d/2 - 1 for "
     "d/2.\n"
     "Precision as of sinusoidal.",
     "sinusoidal_t2t(1, 5):totable()  --> {{0.0, 0.0, 1.0, 1.0, 0.0}}\n"
     "P = sinusoidal_t2t(2, 4)\nabs(P(2, 2) - sin(1/10000)) < 1e-19  --> true",
     params, 1, run},
    {0},
};

const enc_encoding enc_sinusoidal_t2t = {
    .name = "sinusoidal_t2t",
    .title = "sinusoidal position vectors, sines before cosines",
    .citation = "Vaswani et al., Tensor2Tensor for Neural Machine Translation (2018), arXiv:1803.07416.",
    .kind = ENC_ADDITIVE,
    .layout = "d = 7: [s0 s1 s2 c0 c1 c2 0]",
    .laws = ENC_IS_RELATIVE | ENC_IS_EVEN | ENC_IS_BOUNDED | ENC_KEEPS_NORMS | ENC_IS_SHIFT_LINEAR,
    .claims = "relative and even: the inner products of two position vectors",
    .functions = functions,
    .sample = "T, d\nodd: T, d + 1",
    .formula = formula,
};
