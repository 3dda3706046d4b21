/* quantize.c: the row `quantize`: every number replaced by the nearest one of a smaller format, the array's
 * own type kept.
 *
 * Rounding x to a multiple of q, ties to even, is (x + c) - c with c = 1.5 2^52 q: the sum's last bit weighs
 * q. For a format with p fraction bits q = 2^(max(e, e_min) - p), e the exponent of x: one rounding, from the
 * double, subnormals included. Beyond the largest finite value comes inf. (base/half.h gives the 16 bits
 * themselves.)
 */
#include "array/loop.h"
#include "array/op.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *name;
    int frac, e_min;
    double most; /* largest finite value */
} format;

static const format formats[] = {
    {"f32", 23, -126, 0x1.fffffep127}, {"f16", 10, -14, 65504}, {"bf16", 7, -126, 0x1.fep127}};
#define NFORMATS ((int)(sizeof formats / sizeof *formats))

static const format *find_format(const char *word) {
    for (int i = 0; word && i < NFORMATS; i++)
        if (strcmp(formats[i].name, word) == 0) return &formats[i];
    return NULL;
}

static inline double nearest(double x, int drop, uint64_t least, double most) {
    uint64_t b;
    double c, y;
    memcpy(&b, &x, sizeof b);
    b &= (uint64_t)0x7ff << 52;
    b = (b > least ? b : least) + ((uint64_t)drop << 52 | (uint64_t)1 << 51);
    memcpy(&c, &b, sizeof c);
    y = (x + c) - c;
    y = copysign(fabs(y) > most ? INFINITY : fabs(y), x);
    return fabs(x) <= most * 2 ? y : x != x ? x : copysign(INFINITY, x); /* c overflows only for such x */
}

typedef struct {
    const format *f;
    const void *x;
    void *y;
    bool single; /* f32 data */
} quantize_job;

static void quantize_span(void *ctx, int64_t lo, int64_t hi) {
    const quantize_job *j = ctx;
    int drop = 52 - j->f->frac;
    uint64_t least = (uint64_t)(j->f->e_min + 1023) << 52;
    double most = j->f->most;
    if (j->single)
        for (int64_t i = lo; i < hi; i++)
            ((float *)j->y)[i] = (float)nearest((double)((const float *)j->x)[i], drop, least, most);
    else
        for (int64_t i = lo; i < hi; i++)
            ((double *)j->y)[i] = nearest(((const double *)j->x)[i], drop, least, most);
}

/* Any shape; f32 stays f32, f64 and bool give f64, c128 is rounded part by part. */
static ph_status quantize_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                ph_err *err) {
    (void)n;
    if (!find_format(attrs->word))
        return ph_fail(err, PH_EARG, "%s: format %s%s%s; wanted \"f32\", \"f16\" or \"bf16\"", self->name,
                       attrs->word ? "\"" : "", attrs->word ? attrs->word : "missing",
                       attrs->word ? "\"" : "");
    out->dtype = in[0].dtype == ARR_BOOL ? ARR_F64 : in[0].dtype;
    out->ndim = in[0].ndim;
    memcpy(out->shape, in[0].shape, sizeof out->shape);
    return PH_OK;
}

static ph_status quantize_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                  ph_err *err) {
    (void)self;
    (void)n;
    arr x = ARR_NONE;
    ph_status st;
    PH_TRY(arr_contiguous(&x, &in[0], out->dtype, err));
    quantize_job j = {find_format(attrs->word), x.data, out->data, x.dtype == ARR_F32};
    st = arr_spans(quantize_span, &j, arr_size(&x) * (x.dtype == ARR_C128 ? 2 : 1), err);
done:
    arr_drop(&x);
    return st;
}

const op arr_quantize_ops[] = {
    {.name = "quantize",
     .min_in = 1,
     .max_in = 1,
     .n_out = 1,
     .sig = OP_SIG_OTHER,
     .flags = OP_ELEMENTWISE,
     .shape = quantize_shape,
     .forward = quantize_forward},
};
const int arr_quantize_nops = sizeof arr_quantize_ops / sizeof arr_quantize_ops[0];
