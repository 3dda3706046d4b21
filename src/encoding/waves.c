/* waves.c: rows of sines and cosines; see waves.h. */
#include "encoding/waves.h"

#include <string.h>

/* ω_i = base^(-2i/D) */
static int64_t denominator(const enc_waves *w) {
    int64_t p = w->d / 2;
    return !w->to_base ? 2 * p : p > 1 ? 2 * (p - 1) : 2;
}

static void clear_last_column(const arr *a) {
    size_t item = arr_itemsize(a->dtype), row = item * (size_t)a->shape[1];
    for (int64_t r = 0; r < a->shape[0]; r++) memset(a->data + row * (size_t)r + row - item, 0, item);
}

ph_status enc_wave_rows(arr *out, arr_dtype t, const enc_waves *w, const enc_positions *at, const char *who,
                        ph_err *err) {
    int64_t p = w->d / 2, to_cos = w->halves ? p : p > 0;
    ph_status st = enc_new_rows(out, t, at->n, w->d, who, err);
    if (st != PH_OK) return st;
    ph_dd *theta = ph_calloc((uint64_t)p, sizeof *theta);
    if (!theta) return ph_fail_nomem(err, (size_t)p * sizeof *theta);
    enc_frequencies(theta, p, ph_dd_log(ph_dd_of(w->base)), (double)denominator(w));
    enc_sink to = {t, out->data, out->data + to_cos * (int64_t)arr_itemsize(t), w->d, w->halves ? 1 : 2};
    st = enc_fill(&to, at, theta, p, ph_dd_of(1), err);
    if (st == PH_OK && w->d % 2) clear_last_column(out);
    ph_free(theta);
    return st;
}

op_val *enc_d_waves(op_ctx *c, const enc_waves *w, op_val *base, op_val *at) {
    int64_t p = w->d / 2;
    op_val *angle = op_do2(c, "mul", enc_d_column(c, at), enc_d_powers(c, base, p, denominator(w)));
    op_val *sin = op_do1(c, "sin", angle), *cos = op_do1(c, "cos", angle);
    op_val *both = w->halves ? enc_d_concat(c, sin, cos) : enc_d_in_turns(c, sin, cos);
    return w->d % 2 ? enc_d_concat(c, both, enc_d_column(c, op_times(c, at, 0))) : both;
}

ph_status enc_wave_run(arr *out, const enc_waves *w, const enc_wave_call *v, const char *who, ph_err *err) {
    ph_status st;
    enc_positions at;
    arr copy = ARR_NONE;
    PH_TRY(enc_positions_of(&at, &copy, v->T, v->offset->num, err));
    st = enc_wave_rows(out, v->dtype->whole == 1 ? ARR_F32 : ARR_F64, w, &at, who, err);
done:
    arr_drop(&copy);
    return st;
}

op_val *enc_wave_define(const enc_def *d, const enc_waves *w, const enc_wave_call *v) {
    op_val *at = enc_d_positions(d, v->T, v->T->whole, v->offset);
    op_val *rows = enc_d_waves(d->c, w, enc_d_value(d->c, v->base), at);
    return enc_d_astype(d->c, rows, v->dtype->whole ? ARR_F32 : ARR_F64);
}
