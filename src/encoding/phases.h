/* phases.h: sin(t θ_i) and cos(t θ_i) for many positions t and frequencies θ_i. Private to encoding/ and attention/.
 *
 * θ_i are double-doubles. Consecutive positions are reached by rotating in double-double arithmetic: a block's first angle
 * times the angles 0 .. 15 θ_i, rounded once at the end. Where |t θ_i| <= 2^20 an f64 entry lies within 1 ulp of the exact
 * value for the exact frequency (largest seen 0.49998; tests/encoding/test_sinusoidal.c). An f32 entry lies within 0.51 ulp: it is
 * the f64 entry rounded, but for one in some 10^6. The same bits at every CPU level and number of threads.
 */
#ifndef PH_ENCODING_PHASES_H
#define PH_ENCODING_PHASES_H

#include "encoding/encoding.h"

/* first, first+1, …, n of them; or list[0 .. n-1], each plus offset. No sum is rounded to a double: at 10^6 + 0.1 that would cost
 * 2^-34 of the angle. */
typedef struct {
    int64_t n;
    double first;
    const double *list;
    double offset;
} enc_positions;

static inline ph_dd enc_at(const enc_positions *at, int64_t r) {
    return at->list ? ph_two_sum(at->list[r], at->offset) : ph_two_sum(at->first, (double)r);
}

/* Where the entries go: those of position number r and pair i at [r * row + i * step], in elements. */
typedef struct {
    arr_dtype dtype; /* f64 or f32 */
    void *sin, *cos;
    int64_t row, step; /* step 1 or 2 */
} enc_sink;

/* Fills n x pairs entries, times `scale` (1: none): a double-double, since a temperature rounded to a double costs up to an ulp more.
 * ENOMEM, EINTR. */
PH_MUST ph_status enc_fill(const enc_sink *to, const enc_positions *at, const ph_dd *theta, int64_t pairs,
                           ph_dd scale, ph_err *err);

/* theta[i] = base^(-2i/d) for i < pairs, the base given by its logarithm; relative error under 2^-97. d > 0. */
void enc_frequencies(ph_dd *theta, int64_t pairs, ph_dd log_base, double d);

/* The positions of a parameter ENC_POSITIONS: owns `copy` when they are a list. Drop the array after use. */
PH_MUST ph_status enc_positions_of(enc_positions *out, arr *copy, const enc_value *v, double offset,
                                   ph_err *err);

/* A (n, columns) array of f64 or f32; EARG names who when the size overflows. */
PH_MUST ph_status enc_new_rows(arr *out, arr_dtype t, int64_t n, int64_t columns, const char *who,
                               ph_err *err);

#endif
