/* gemm.h: one product of small matrices on the calling thread, for kernels of other rooms that work block by
 * block. Whole arrays go through the row matmul.
 */
#ifndef PH_ARRAY_GEMM_H
#define PH_ARRAY_GEMM_H

#include "array/array.h"

/* To be called once on the main thread before arr_gemm_raw. */
void arr_gemm_ready(void);

/* Row-major, type f32 or f64, any thread:
 *   c (m, n; ldc) = alpha a (m, k; lda) b [+ c, when `add`],  b (k, n; ldb), or (n, k; ldb) read transposed.
 * Without `add`, what was in c does not matter. m, n, k >= 1; ld: elements from row to row, at least a row's.
 * Nothing is checked. */
typedef struct {
    arr_dtype type;
    bool transposed; /* b */
    bool add;
    int m, n, k;
    int lda, ldb, ldc;
    double alpha;
} arr_gemm;
void arr_gemm_raw(const arr_gemm *g, void *c, const void *a, const void *b);

#endif
