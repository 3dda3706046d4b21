/* transformer_xl.c: relative positions as sinusoids, with free vectors where the query's position stood.
 *
 *     s_mn = ((q_m + u) . k_n + (q_m + v) . (R_{m-n} W)) / sqrt(d)        R_t = [sin t θ_i ‖ cos t θ_i], D columns
 *
 * θ_i = base^(-2i/D). Each term is looked up by its distance, for keys before and after the query alike; the shift of the paper's
 * appendix B computes the same for keys up to the query only.
 */
#include "encoding/relative.h"

static const enc_param params[] = {ENC_XL_ROWS, {0}};

static ph_status begin(enc_xl *x, const enc_value *v, ph_err *err) {
    *x = enc_xl_of(v);
    ph_status st = enc_xl_begin(x, "transformer_xl", v[ENC_XL_Q].array, v[ENC_XL_K].array, &v[ENC_XL_OFFSET],
                                NULL, 0, err);
    if (st != PH_OK) return st;
    return enc_distances_of(&x->r, "transformer_xl", x->W, v[ENC_XL_BASE].num, v[ENC_XL_CLAMP].whole, err);
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) { return enc_xl_run(out, begin, v, err); }

static ph_status check(const enc_value *v, ph_err *err) { return enc_xl_check(begin, v, err); }

static void define(const enc_def *d, op_val **y) {
    enc_d_scores s = enc_d_scores_of(d, &d->v[ENC_XL_OFFSET]);
    enc_d_xl x = enc_d_xl_of(d);
    y[0] = enc_d_xl_scores(&s, &x);
}

static const enc_function functions[] = {
    {"transformer_xl", "Transformer-XL's scores (..., T, S): sinusoids of m - n, free u and v.",
     "((q_m + u) . k_n + (q_m + v) . (R_(m-n) W)) / sqrt(d), R_t = [sin | cos] of t theta_i, as "
     "sinusoidal(t, D, {layout=\"half\"}).\n"
     "Keys after the query have their distance too, a negative one; rel_shift is right up to the query "
     "only.\n"
     "attention(q + u, k, v, {bias=transformer_xl(q, k, W, u, v, {content=false})}) uses it.",
     "q = zeros(3, 2)\ns = transformer_xl(q, q, eye(2), {0, 0}, {1, 0})\n"
     "abs(s(3, 1) - sin(2)/sqrt(2)) < 1e-15, s(1, 1)  --> true\t0.0\n"
     "transformer_xl(q, q, eye(3), {0, 0}, {0, 0})  --> error: W has shape (3, 3)",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_transformer_xl = {
    .name = "transformer_xl",
    .title = {"sinusoids of the distance in the scores", "打分中的距离正弦"},
    .citation = "Dai et al., Transformer-XL: Attentive Language Models beyond a Fixed-Length Context (2019), "
                "arXiv:1901.02860.",
    .kind = ENC_RELATIVE,
    .layout = "R_t: [s0 s1 ... c0 c1 ...]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "Q, K, learned(d, d), learned(d), learned(d)",
};
