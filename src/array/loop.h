/* loop.h: private to array/. Strided runs, casts, and the walk that cuts an n-d loop into runs.
 *
 * A walk visits the elements of one shape in row-major order and hands out runs along the innermost
 * dimension; dimensions that every operand crosses without a jump are merged first, so contiguous operands
 * make a single run.
 */
#ifndef PH_ARRAY_LOOP_H
#define PH_ARRAY_LOOP_H

#include "array/array.h"

#define ARR_WALKMAX 4 /* operands of one walk */
#define ARR_PIECE                                                                                            \
    32768 /* elements a thread takes at once: fixed, so that results never depend on the threads */

typedef struct {
    int nop, ndim;
    int64_t size;
    int64_t shape[ARR_MAXDIM];
    int64_t stride[ARR_WALKMAX][ARR_MAXDIM]; /* elements */
} arr_walk;

/* A run: n elements of each operand, the first at element offset at[k] from its data, then every step[k]. */
typedef void arr_run_fn(void *ctx, const int64_t *at, const int64_t *step, int64_t n);

void arr_walk_init(arr_walk *w, int ndim, const int64_t *shape);
/* Adds an operand whose shape is, or broadcasts to, the walk's. */
void arr_walk_add(arr_walk *w, const arr *a);
/* Merges dimensions; call once, after the last operand. */
void arr_walk_ready(arr_walk *w);
/* Visits elements lo <= i < hi of the row-major order. */
void arr_walk_run(const arr_walk *w, int64_t lo, int64_t hi, arr_run_fn *fn, void *ctx);

/* n elements from src (type st, every ss) to dst (type dt, every ds). Real to complex has im 0; complex to
 * real keeps re; to bool is "not zero" (a NaN is true). */
void arr_cast_run(void *dst, arr_dtype dt, int64_t ds, const void *src, arr_dtype st, int64_t ss, int64_t n);

/* Runs fn over [0, size) in pieces of ARR_PIECE, on several threads when there is more than one piece. */
typedef void arr_span_fn(void *ctx, int64_t lo, int64_t hi);
PH_MUST ph_status arr_spans(arr_span_fn *fn, void *ctx, int64_t size, ph_err *err);

/* *bytes: what storage of that shape takes. EARG for a bad shape, named. */
PH_MUST ph_status arr_check_shape(size_t *bytes, arr_dtype t, int ndim, const int64_t *shape, ph_err *err);
/* Shape and row-major strides; the data stays. */
void arr_set_shape(arr *a, int ndim, const int64_t *shape);
/* "(3, 4)", as arr_shape_text. */
char *arr_dims_text(char *buf, size_t cap, int ndim, const int64_t *shape);

/* A view with a new axis of size 1 at `axis`; ndim < ARR_MAXDIM, 0 <= axis <= ndim. */
PH_MUST ph_status arr_unsqueeze(arr *out, const arr *a, int axis);

#endif
