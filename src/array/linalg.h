/* linalg.h: private to array/. What the linear algebra rows share.
 *
 * Letters: A is (m, n), a stack of matrices is (..., m, n), k = min(m, n), u = 2^-53 (2^-24 in f32).
 *
 * Row-major and column-major meet in two places only. Products (linalg_product.c, linalg_blas.c) go to CBLAS,
 * which takes either order as a flag. Factorizations (all of LAPACK is column-major) work on copies made by
 * arr_lin_load, which transposes while it copies, converts and checks, and leave through arr_lin_store, which
 * transposes back. A copy is needed anyway, since LAPACK overwrites its input, and costs O(mn) beside O(mnk).
 *
 * Only linalg*.c name BLAS or LAPACK, and of them only linalg_blas.c and linalg_lapack.c do.
 */
#ifndef PH_ARRAY_LINALG_H
#define PH_ARRAY_LINALG_H

#include "array/op.h"

/* ---- linalg_blas.c: products ------------------------------------------------------------------------------
 */

/* Keeps OpenBLAS on the calling thread, from the first use on. Whoever calls BLAS or LAPACK comes through
 * here first. */
void arr_lin_one_thread(void);

typedef struct {
    const char *data;
    int64_t row, col;          /* strides in elements */
    int64_t batch[ARR_MAXDIM]; /* strides of the leading dimensions, 0 where broadcast */
} lin_operand;

/* C (..., m, n) = A (..., m, k) B (..., k, n), every size from 1 to INT_MAX. */
typedef struct {
    arr_dtype type; /* of all three: f32, f64 or c128 */
    int64_t m, n, k;
    int nbatch;
    int64_t shape[ARR_MAXDIM]; /* leading dimensions of C */
    int64_t count;             /* their product */
    lin_operand a, b;
    char *c; /* contiguous */
} lin_product;

/* Small enough for loops that take any strides. Otherwise the matrices of both operands must fit. */
bool arr_lin_is_tiny(const lin_product *p);
bool arr_lin_fits(int64_t row, int64_t col, int64_t rows, int64_t cols);
PH_MUST ph_status arr_lin_multiply(const lin_product *p, ph_err *err);

/* ---- linalg_check.c: shapes and values, before any work
 * ------------------------------------------------------ */

/* f64 for bool and f32, else the type itself: what factorizations that promote compute in. */
arr_dtype arr_lin_wide(arr_dtype t);
/* bool counts in f64; the other types are kept. */
arr_dtype arr_lin_field(arr_dtype t);
/* The unit roundoff spacing 2u of the data that came in: 2^-23 for f32, 2^-52 for the others. Default
 * tolerances scale with it, whatever type the work is done in. */
double arr_lin_eps(arr_dtype t);

/* EARG unless x is a matrix (a stack of them, when `stack`) and, when `square`, its last two sizes agree. */
PH_MUST ph_status arr_lin_check_matrix(const arr *x, const char *who, const char *what, bool stack,
                                       bool square, ph_err *err);

/* A stack of column-major matrices in own memory: matrix b at arr_lin_at(w, b). */
typedef struct {
    arr data;      /* contiguous, (..., n, m): row-major of the transposes */
    int64_t m, n;  /* of each matrix */
    int64_t count; /* how many */
} lin_stack;

#define LIN_NONE ((lin_stack){.data = ARR_NONE})

/* Uninitialised, with the leading dimensions of `like` but its last two. */
PH_MUST ph_status arr_lin_new(lin_stack *w, arr_dtype t, const arr *like, int64_t m, int64_t n, ph_err *err);
/* Copies x, converted to t. EARG when an element is not finite, naming `what`, the value and its position as
 * the caller counts (par->base). */
PH_MUST ph_status arr_lin_load(lin_stack *w, const arr *x, arr_dtype t, const char *who, const char *what,
                               const op_par *par, ph_err *err);
/* Writes the stack into out, (..., m, n). EUNABLE when an element is not finite: the result overflowed. */
PH_MUST ph_status arr_lin_store(const arr *out, const lin_stack *w, const char *who, ph_err *err);
void arr_lin_drop(lin_stack *w);
void *arr_lin_at(const lin_stack *w, int64_t b);

/* EUNABLE when an element of the contiguous array `out` is not finite. */
PH_MUST ph_status arr_lin_check_result(const arr *out, const char *who, ph_err *err);

/* Row functions shared by the tables. */
#define LIN_SHAPE(NAME)                                                                                      \
    static ph_status NAME(op_spec *out, const op *self, const arr *in, int n, const op_par *par, ph_err *err)
#define LIN_FORWARD(NAME)                                                                                    \
    static ph_status NAME(arr *out, const op *self, const arr *in, int n, const op_par *par, ph_err *err)
#define LIN_UNUSED (void)self, (void)in, (void)n, (void)par, (void)err

#endif
