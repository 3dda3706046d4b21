/* sinusoidal.c: the encoding of the Transformer's paper.
 *
 *     P[t, 2i] = sin(t θ_i)    P[t, 2i+1] = cos(t θ_i)    θ_i = base^(-2i/d)
 *
 *     interleaved   [s0 c0 s1 c1 …]        half     [s0 s1 … c0 c1 …]
 */
#include "encoding/waves.h"

enum { T, D, BASE, OFFSET, LAYOUT, DTYPE };

static const enc_param params[] = {
    {"T", ENC_POSITIONS, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "a count, or an array of positions"},
    {"d", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "columns", "the dimension, even"},
    {"base", ENC_NUM, ENC_OPTIONAL, 10000, 1e-200, 1e200, NULL, NULL, NULL,
     "wavelengths run from 2 Pi to almost 2 Pi base"},
    {"offset", ENC_NUM, ENC_OPTIONAL, 0, -0x1p52, 0x1p52, NULL, NULL, "positions",
     "what is added to every position"},
    {"layout", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "interleaved half", NULL, NULL,
     "interleaved is the paper's order; half has every sine before every cosine"},
    {"dtype", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "f64 f32", NULL, NULL, "f32 entries lie within 0.51 ulp"},
    {0},
};

static ph_status check(const enc_value *v, ph_err *err) {
    if (v[D].whole % 2 == 0) return PH_OK;
    return ph_fail(err, PH_EARG,
                   "sinusoidal: d is %lld; wanted an even number (pairs of a sine and a cosine); "
                   "sinusoidal_t2t pads an odd d",
                   (long long)v[D].whole);
}

static enc_waves waves(const enc_value *v) {
    return (enc_waves){v[D].whole, v[BASE].num, v[LAYOUT].whole == 1, false};
}

static enc_wave_call call(const enc_value *v) {
    return (enc_wave_call){&v[T], &v[BASE], &v[OFFSET], &v[DTYPE]};
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    enc_waves w = waves(v);
    enc_wave_call c = call(v);
    return enc_wave_run(out, &w, &c, "sinusoidal", err);
}

static void define(const enc_def *d, op_val **y) {
    enc_waves w = waves(d->v);
    enc_wave_call c = call(d->v);
    y[0] = enc_wave_define(d, &w, &c);
}

static const enc_function functions[] = {
    {"sinusoidal", "Sinusoidal position vectors, (T, d): sin and cos of t theta_i.",
     "P[t, 2i] = sin(t theta_i), P[t, 2i+1] = cos(t theta_i), theta_i = base^(-2i/d); t and columns count "
     "from 0.\n"
     "f64 entries lie within 1 ulp of the exact value for |t theta_i| up to 2^20.\n"
     "An odd d is an error: sinusoidal_t2t pads.",
     "sinusoidal(1, 4):totable()  --> {{0.0, 1.0, 0.0, 1.0}}\n"
     "P = sinusoidal(2, 4, {base=100, offset=-1})\nabs(P(1, 3) - sin(-1/10)) < 1e-16  --> true\n"
     "sinusoidal(4, 5)  --> error: d is 5; wanted an even number",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_sinusoidal = {
    .name = "sinusoidal",
    .title = {"sinusoidal position vectors", "正弦位置向量"},
    .citation = "Vaswani et al., Attention Is All You Need (2017), section 3.5, arXiv:1706.03762.",
    .kind = ENC_ADDITIVE,
    .layout = "interleaved [s0 c0 s1 c1 ...]   half [s0 s1 ... c0 c1 ...]",
    .laws = ENC_IS_RELATIVE | ENC_IS_EVEN | ENC_IS_BOUNDED | ENC_KEEPS_NORMS | ENC_IS_SHIFT_LINEAR,
    .claims = {"relative and even: the inner products of two position vectors",
               "相对与偶：指两个位置向量的内积"},
    .functions = functions,
    .sample = "T, d",
};
