/* gemm.h: one product of small matrices on the calling thread, for kernels of other rooms that work block by
 * block. Whole arrays go through the row matmul.
 */
#ifndef PH_ARRAY_GEMM_H
#define PH_ARRAY_GEMM_H

#include "array/array.h"

/* To be called on the main thread before arr_gemm_raw: opens BLAS. EUNABLE when the machine has none. */
PH_MUST ph_status arr_gemm_ready(ph_err *err);

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

/* ---- panels: a few rows by one panel of columns, where packing would cost as much as the product -------------------- */

/* Columns of a full panel, and of the vectors that it consists of; they depend on the CPU level in force. */
int arr_panel_width(arr_dtype type);
int arr_panel_step(arr_dtype type);

/* Row-major, type f32 or f64, any thread, nothing checked; sums run over k in order, fused:
 *   c (m, n; ldc) = alpha a (m, k; lda) b (k, n; ldb) [+ c],  n <= width, a multiple of step.
 * along: elements of a from column to column: 1, or with lda = 1 a row's length, for a transposed. */
typedef struct {
    arr_dtype type;
    bool add;
    int n;
    int64_t m, k, lda, along, ldb, ldc;
    double alpha;
} arr_panel;
void arr_panel_raw(const arr_panel *g, void *c, const void *a, const void *b);

/* to (k, width) = b (n, k; row) transposed, n <= width; zeros beyond n. */
void arr_panel_pack(arr_dtype type, void *to, const void *b, int64_t row, int64_t n, int64_t k);

/* c (m, n; ldc) = a b [+ c] on the calling thread, a (m, k) and b (k, n) with any strides: lda and row from row to row, along and
 * col from column to column. Sums run over k in order, fused, in runs of 256, of 512 where a is read by rows. */
typedef struct {
    arr_dtype type;
    bool add;
    int64_t m, n, k;
    int64_t lda, along, row, col, ldc;
} arr_product;
bool arr_panel_pays(const arr_product *p); /* it is faster than BLAS */
void arr_panel_product(const arr_product *p, void *c, const void *a, const void *b);

#endif
