/* adamw.c: one step of AdamW. In single operations it takes some 20 passes over vectors that no cache holds; here it takes one. */
#include "array/adamw.h"

#include <math.h>

#include "array/loop.h"
#include "base/parallel.h"

typedef struct {
    const float *restrict in[ARR_ADAMW_INPUTS];
    float *restrict out[ARR_ADAMW_OUTPUTS];
    float keep_m, add_m, keep_v, add_v, step, grow, eps, shrink;
} job;

/* m and v are next looked at a step later, when no cache has them: they are written past the caches, which else would read first what
 * is overwritten. */
#define RUN 256

/* Products and sums in the order of the formula, each rounded: no other order gives its bits. */
PH_CLONES static void step_span(void *ctx, int64_t lo, int64_t hi) {
    const job *j = ctx;
    const float *restrict x = j->in[ARR_ADAMW_X], *restrict m = j->in[ARR_ADAMW_M],
                          *restrict v = j->in[ARR_ADAMW_V];
    const float *restrict g = j->in[ARR_ADAMW_G], *restrict heavy = j->in[ARR_ADAMW_HEAVY];
    float *restrict x1 = j->out[ARR_ADAMW_X], *restrict m1 = j->out[ARR_ADAMW_M],
                    *restrict v1 = j->out[ARR_ADAMW_V];
    const float keep_m = j->keep_m, add_m = j->add_m, keep_v = j->keep_v, add_v = j->add_v;
    const float step = j->step, grow = j->grow, eps = j->eps, shrink = j->shrink;
    _Alignas(64) float mean[RUN], square[RUN];
    for (int64_t i = lo; i < hi; i += RUN) {
        const int64_t n = hi - i < RUN ? hi - i : RUN;
        for (int64_t k = 0; k < n; k++) {
            mean[k] = keep_m * m[i + k] + add_m * g[i + k];
            square[k] = keep_v * v[i + k] + add_v * (g[i + k] * g[i + k]);
            x1[i + k] =
                x[i + k] * (1 - shrink * heavy[i + k]) - step * mean[k] / (sqrtf(grow * square[k]) + eps);
        }
        ph_write_past(m1 + i, mean, (size_t)n * sizeof *mean);
        ph_write_past(v1 + i, square, (size_t)n * sizeof *square);
    }
    ph_written_past();
}

static ph_status check(const arr *in, ph_err *err) {
    static const char *const name[ARR_ADAMW_INPUTS] = {"x", "m", "v", "g", "heavy"};
    char text[200];
    for (int k = 0; k < ARR_ADAMW_INPUTS; k++)
        if (in[k].dtype != ARR_F32 || in[k].ndim != 1 || in[k].shape[0] != in[0].shape[0])
            return ph_fail(err, PH_EARG, "adamw: %s is %s %s; wanted a vector of f32, as long as x", name[k],
                           arr_dtype_name(in[k].dtype), arr_shape_text(text, sizeof text, &in[k]));
    return PH_OK;
}

ph_status arr_adamw(arr out[ARR_ADAMW_OUTPUTS], const arr in[ARR_ADAMW_INPUTS], const arr_adamw_numbers *p,
                    ph_err *err) {
    arr whole[ARR_ADAMW_INPUTS] = {ARR_NONE, ARR_NONE, ARR_NONE, ARR_NONE, ARR_NONE};
    ph_status st;
    job j = {.keep_m = (float)p->keep_m,
             .add_m = (float)p->add_m,
             .keep_v = (float)p->keep_v,
             .add_v = (float)p->add_v,
             .step = (float)p->step,
             .grow = (float)p->grow,
             .eps = (float)p->eps,
             .shrink = (float)p->shrink};
    for (int k = 0; k < ARR_ADAMW_OUTPUTS; k++) out[k] = ARR_NONE;
    PH_TRY(check(in, err));
    for (int k = 0; k < ARR_ADAMW_INPUTS; k++) {
        PH_TRY(arr_contiguous(&whole[k], &in[k], ARR_F32, err));
        j.in[k] = (const float *)whole[k].data;
    }
    for (int k = 0; k < ARR_ADAMW_OUTPUTS; k++) {
        PH_TRY(arr_new(&out[k], ARR_F32, 1, in[0].shape, err));
        j.out[k] = (float *)out[k].data;
    }
    PH_TRY(arr_spans(step_span, &j, in[0].shape[0], err));
done:
    for (int k = 0; k < ARR_ADAMW_INPUTS; k++) arr_drop(&whole[k]);
    for (int k = 0; k < ARR_ADAMW_OUTPUTS && st != PH_OK; k++) arr_drop(&out[k]);
    return st;
}
