/* reduce.h: private to array/. A reduction folds lines: the elements along the reduced axis (or all, in
 * row-major order).
 *
 * A line is cut into blocks of RED_BLOCK, each folded by a fixed number of lanes, and the blocks are joined
 * as a balanced tree whose shape depends on the length of the line alone. So a result is a function of the
 * sequence of values: not of strides, threads, or the kind of CPU.
 */
#ifndef PH_ARRAY_REDUCE_H
#define PH_ARRAY_REDUCE_H

#include "array/op.h"

#define RED_BLOCK 1024
#define RED_TILE  8 /* neighbouring lines read together when lines are strided: one cache line of doubles */

typedef struct {
    double v[4]; /* what a fold remembers; each reduction says what stands where */
    int64_t n;   /* elements folded in */
    int64_t at;  /* a position in the line */
} red_acc;

typedef struct {
    /* Folds n >= 1 contiguous elements (double, or arr_c128 when complex), which begin at position `from` of
     * the line. */
    void (*real)(red_acc *acc, const void *x, int64_t n, int64_t from);
    void (*complex)(red_acc *acc, const void *x, int64_t n, int64_t from); /* NULL: refused, with the hint */
    void (*join)(red_acc *left, const red_acc *right, bool is_complex);
    arr_c128 (*finish)(const red_acc *acc, bool is_complex, const op_attrs *attrs);
    bool has_empty; /* a line without elements has the value `empty`, otherwise it is a domain error */
    double empty;
    arr_dtype result[ARR_NDTYPE]; /* by the operand's type */
    bool bool_only;
    const char *hint;
    /* Optional: folds of RED_TILE lines of doubles side by side (element p of line i is x[p*step + i]), with
     * the bits that `real` would give; and of floats. Both or neither. */
    void (*tile)(red_acc *acc, const double *x, int64_t step, int64_t n);
    void (*tile_f32)(red_acc *acc, const float *x, int64_t step, int64_t n);
    /* Optional: finished folds of `lines` lines of n <= RED_BLOCK neighbouring doubles each, which begin `apart` elements from one
     * another, with the bits that `real` and `finish` would give. */
    void (*rows)(double *out, const double *x, int64_t apart, int64_t lines, int64_t n);
    /* Optional: the same for neighbouring lines side by side: element p of line i is x[p*step + i]. */
    void (*columns)(double *out, const double *x, int64_t step, int64_t lines, int64_t n);
} red_kernel;

op_shape_fn arr_red_shape;
op_forward_fn arr_red_forward;

#endif
