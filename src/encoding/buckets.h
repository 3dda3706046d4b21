/* buckets.h: far distances that share a bucket with others of about their logarithm. Private to encoding/.
 *
 * Where a bucket begins is decided in whole numbers: rounding would put a distance at a boundary on either side.
 */
#ifndef PH_ENCODING_BUCKETS_H
#define PH_ENCODING_BUCKETS_H

#include "encoding/define.h"

#define ENC_MOST_STEPS 512

/* steps ln(x/from) / ln(far/from), rounded down, or up. 1 <= from <= x < 2^31, from < far < 2^31; as many as `steps` for x = far. At most
 * ENC_MOST_STEPS, of steps and of the result. */
int64_t enc_log_steps(int64_t x, int64_t from, int64_t far, int64_t steps, bool up);

/* A function of whole numbers, as a value: plus + f(x). f never falls between lo and hi, and stays as it is beyond. */
typedef int64_t enc_stairs_fn(const void *ctx, int64_t x);
op_val *enc_d_stairs(op_ctx *c, op_val *x, enc_stairs_fn *f, const void *ctx, int64_t lo, int64_t hi,
                     int64_t plus);

#endif
