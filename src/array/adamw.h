/* adamw.h: one step of AdamW on whole vectors, in one pass over memory. */
#ifndef PH_ARRAY_ADAMW_H
#define PH_ARRAY_ADAMW_H

#include "array/array.h"

/* Numbers of a step; each is rounded to f32 before it meets a vector, as a number in an expression on f32 arrays is. */
typedef struct {
    double keep_m, add_m;   /* m <- keep_m m + add_m g */
    double keep_v, add_v;   /* v <- keep_v v + add_v g^2 */
    double step, grow, eps; /* x <- x (1 - shrink heavy) - step m / (sqrt(grow v) + eps) */
    double shrink;
} arr_adamw_numbers;

enum {
    ARR_ADAMW_X,
    ARR_ADAMW_M,
    ARR_ADAMW_V,
    ARR_ADAMW_G,
    ARR_ADAMW_HEAVY,
    ARR_ADAMW_INPUTS,
    ARR_ADAMW_OUTPUTS = 3
};

/* out: the next x, m and v, new vectors, owned by the caller on PH_OK and ARR_NONE otherwise; in: x, m, v, g, heavy, vectors of f32 and of
 * one length, which stay as they are. The bits are those of the same formula in single operations on arrays. EARG names a vector that is
 * no such one; ENOMEM, EINTR.
 * Loshchilov and Hutter 2019, algorithm 2. */
PH_MUST ph_status arr_adamw(arr out[ARR_ADAMW_OUTPUTS], const arr in[ARR_ADAMW_INPUTS],
                            const arr_adamw_numbers *p, ph_err *err);

#endif
