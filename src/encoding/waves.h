/* waves.h: rows of sines and cosines, for the position vectors and for the relative forms. Private to encoding/. */
#ifndef PH_ENCODING_WAVES_H
#define PH_ENCODING_WAVES_H

#include "encoding/define.h"
#include "encoding/phases.h"

/* d columns of pairs i < p = floor(d/2), angle t ω_i:
 *
 *     interleaved [s0 c0 s1 c1 …]   half [s0 s1 … c0 c1 …], a last column of an odd d is 0
 *
 * ω_i = base^(-i/p), as in the Transformer's paper, or, with the last frequency at 1/base, base^(-i/(p-1)) as in
 * tensor2tensor, where ω_0 = 1 when p = 1. */
typedef struct {
    int64_t d;
    double base;
    bool halves, to_base;
} enc_waves;

/* What both sinusoidal encodings take besides their waves. */
typedef struct {
    const enc_value *T, *base, *offset, *dtype; /* dtype: "f64 f32" */
} enc_wave_call;
PH_MUST ph_status enc_wave_run(arr *out, const enc_waves *w, const enc_wave_call *v, const char *who,
                               ph_err *err);
op_val *enc_wave_define(const enc_def *d, const enc_waves *w, const enc_wave_call *v);

/* A (positions, d) array of f64 or f32. */
PH_MUST ph_status enc_wave_rows(arr *out, arr_dtype t, const enc_waves *w, const enc_positions *at,
                                const char *who, ph_err *err);
/* The same in operations, of positions (T). */
op_val *enc_d_waves(op_ctx *c, const enc_waves *w, op_val *base, op_val *at);

#endif
