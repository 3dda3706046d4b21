/* rope_turn.h: the rotation itself. Private to encoding/. */
#ifndef PH_ENCODING_ROPE_TURN_H
#define PH_ENCODING_ROPE_TURN_H

#include "array/array.h"

/* Every row x of d columns at position t (of T) in each of `leads` stacks:
 *     (x_a, x_b) → (x_a c - x_b s, x_a s + x_b c),   c = cos[t, i], s = sin[t, i], i < pairs
 *     interleaved   a = 2i, b = 2i + 1
 *     half          a = i,  b = i + pairs
 * Columns from 2 pairs on are copied. out and x: (leads, T, d), contiguous, the same or apart; cos and sin: (T, pairs); all of the same
 * type, f64 or f32. Three roundings an entry: within 1.5 ulp of |x_a c| + |x_b s|. EINTR. */
typedef struct {
    arr_dtype dtype;
    void *out;
    const void *x, *cos, *sin;
    int64_t leads, T, d, pairs;
    bool half;
} enc_turn;
PH_MUST ph_status enc_turn_rows(const enc_turn *t, ph_err *err);

#endif
