/* sinusoidal_t2t.c: the variant of tensor2tensor and fairseq. It differs from the paper in the denominator as well as in
 * the order of the columns, and takes an odd d.
 *
 *     P[t, i] = sin(t ω_i)    P[t, p+i] = cos(t ω_i)    ω_i = base^(-i/(p-1)), i < p = floor(d/2)
 *
 *     d = 7   [s0 s1 s2 c0 c1 c2 0]
 *
 * With a single pair (p = 1) the quotient has no meaning; ω_0 is 1 then, as in tensor2tensor.
 */
#include "encoding/waves.h"

enum { T, D, BASE, OFFSET, DTYPE };

static const enc_param params[] = {
    {"T", ENC_POSITIONS, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "a count, or an array of positions"},
    {"d", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "columns",
     "the dimension; the last column of an odd d is 0"},
    {"base", ENC_NUM, ENC_OPTIONAL, 10000, 1e-200, 1e200, NULL, NULL, NULL,
     "wavelengths run from 2 Pi to 2 Pi base"},
    {"offset", ENC_NUM, ENC_OPTIONAL, 0, -0x1p52, 0x1p52, NULL, NULL, "positions",
     "what is added to every position"},
    {"dtype", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "f64 f32", NULL, NULL, "f32 entries lie within 0.51 ulp"},
    {0},
};

static enc_waves waves(const enc_value *v) { return (enc_waves){v[D].whole, v[BASE].num, true, true}; }

static enc_wave_call call(const enc_value *v) {
    return (enc_wave_call){&v[T], &v[BASE], &v[OFFSET], &v[DTYPE]};
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    enc_waves w = waves(v);
    enc_wave_call c = call(v);
    return enc_wave_run(out, &w, &c, "sinusoidal_t2t", err);
}

static void define(const enc_def *d, op_val **y) {
    enc_waves w = waves(d->v);
    enc_wave_call c = call(d->v);
    y[0] = enc_wave_define(d, &w, &c);
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
     params, 1, run, NULL, define},
    {0},
};

const enc_encoding enc_sinusoidal_t2t = {
    .name = "sinusoidal_t2t",
    .title = {"sinusoidal position vectors, sines before cosines", "正弦位置向量，先正弦后余弦"},
    .citation = "Vaswani et al., Tensor2Tensor for Neural Machine Translation (2018), arXiv:1803.07416.",
    .kind = ENC_ADDITIVE,
    .layout = "d = 7: [s0 s1 s2 c0 c1 c2 0]",
    .laws = ENC_IS_RELATIVE | ENC_IS_EVEN | ENC_IS_BOUNDED | ENC_KEEPS_NORMS | ENC_IS_SHIFT_LINEAR,
    .claims = {"relative and even: the inner products of two position vectors",
               "相对与偶：指两个位置向量的内积"},
    .functions = functions,
    .sample = "T, d\nodd: T, d + 1",
};
