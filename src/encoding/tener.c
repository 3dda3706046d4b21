/* tener.c: scores that know direction and distance, and are not scaled.
 *
 *     s_mn = (q_m + u) . k_n + (q_m + v) . R
 *
 * Variant "paper": R = R_{m-n}, [s0 c0 s1 c1 …] with θ_i = base^(-2i/d).
 * Variant "code":  R = R_{n-m}, [s0 s1 … c0 c1 …] with ω_i = base^(-i/(d/2-1)), as in tensor2tensor.
 */
#include "encoding/relative.h"

enum { Q, K, U, V, VARIANT, OFFSET, CONTENT, BASE };

static const enc_param params[] = {
    ENC_Q_ROW,
    ENC_K_ROW,
    ENC_U_ROW,
    ENC_V_ROW,
    {"variant", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper code", NULL, NULL,
     "\"paper\": sinusoids of m - n, interleaved; \"code\" (as released): of n - m, sines before cosines, "
     "the last frequency 1/base"},
    ENC_FIRST_ROW,
    ENC_CONTENT_ROW,
    ENC_WAVE_BASE_ROW,
    {0},
};

static ph_status begin(enc_xl *x, const enc_value *v, ph_err *err) {
    bool code = v[VARIANT].whole == 1;
    *x = (enc_xl){.u = v[U].array, .v = v[V].array, .content = v[CONTENT].whole};
    ph_status st = enc_xl_begin(x, "tener", v[Q].array, v[K].array, &v[OFFSET], NULL, 0, err);
    if (st != PH_OK) return st;
    int64_t d = x->s.d;
    x->r = (enc_distances){{d, v[BASE].num, code, code}, code, 0};
    if (d % 2 == 0) return PH_OK;
    return ph_fail(err, PH_EARG,
                   "tener: q has %lld columns; wanted an even number (pairs of a sine and a cosine)",
                   (long long)d);
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) { return enc_xl_run(out, begin, v, err); }

static ph_status check(const enc_value *v, ph_err *err) { return enc_xl_check(begin, v, err); }

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    bool code = v[VARIANT].whole == 1;
    enc_d_scores s = enc_d_scores_of(d, &v[OFFSET]);
    enc_d_xl x = {.u = enc_d_value(c, &v[U]), .v = enc_d_value(c, &v[V]), .ahead = code};
    x.waves = (enc_waves){s.d, 0, code, code};
    x.base = enc_d_value(c, &v[BASE]);
    x.content = v[CONTENT].whole;
    y[0] = enc_d_xl_scores(&s, &x);
}

static const enc_function functions[] = {
    {"tener", "TENER's scores (..., T, S): direction-aware sinusoids, no scale.",
     "(q_m + u) . k_n + (q_m + v) . R_(m-n), not divided by sqrt(d). A sine changes its sign with the "
     "direction, so a key before the query is told from one after it. attention(q + u, k, v, {scale=1, "
     "bias=tener(..., {content=false})}) uses it. NaN stays where it was given.",
     "q = zeros(3, 2)\nz = {0, 0}\ns = tener(q, q, z, {1, 0})\ns(3, 1) == sin(2), s(1, 3) == -sin(2)  --> "
     "true\ttrue\n"
     "tener(q, q, z, {1, 0}, {variant=\"code\"})(3, 1) == -sin(2)  --> true\n"
     "x = zeros(3, 5)\ntener(x, x, x[1], x[1])  --> error: q has 5 columns",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_tener = {
    .name = "tener",
    .title = {"direction-aware sinusoids of the distance", "辨方向的距离正弦"},
    .citation =
        "Yan, Deng, Li, Qiu, TENER: Adapting Transformer Encoder for Named Entity Recognition (2019), "
        "arXiv:1911.04474.",
    .kind = ENC_RELATIVE,
    .layout = "R_t: paper [s0 c0 s1 c1 ...]   code [s0 s1 ... c0 c1 ...]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "Q, K, learned(d), learned(d)\ncode: Q, K, learned(d), learned(d), {variant=\"code\"}",
};
