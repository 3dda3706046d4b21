/* linalg.h: private to array/. What the linear algebra rows share.
 *
 * Letters: A is (m, n), a stack of matrices is (..., m, n), k = min(m, n), u = 2^-53 (2^-24 in f32).
 *
 * Row-major and column-major meet in two places only. Products (linalg_product.c, linalg_blas.c) go to CBLAS,
 * which takes either order as a flag. Factorizations (all of LAPACK is column-major) work on copies made by
 * arr_lin_load, which transposes while it copies, converts and checks, and leave through arr_lin_store, which
 * transposes back. A copy is needed anyway, since LAPACK overwrites its input, and costs O(mn) beside O(mnk).
 *
 * Only linalg_blas.c and linalg_lapack.c call BLAS and LAPACK, through linalg_library.h.
 */
#ifndef PH_ARRAY_LINALG_H
#define PH_ARRAY_LINALG_H

#include "array/op.h"

/* ---- linalg_library.c: BLAS and LAPACK ------------------------------------------------------------------ */

/* Opens the library unless it is open, with one thread of its own, and with the kernels that the machine can run. Whoever calls
 * BLAS or LAPACK calls this first, on the main thread. EUNABLE when the library that the build found is not there. */
PH_MUST ph_status arr_lin_open(ph_err *err);

/* ---- linalg_blas.c: products --------------------------------------------------------------------------- */

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
    char *c;          /* contiguous */
    const char *bias; /* f32 or f64, n numbers that are added to every row; NULL: none */
    bool relu;        /* and then what is below 0 becomes 0 */
} lin_product;

/* Small enough for loops that take any strides. Otherwise the matrices of both operands must fit. */
bool arr_lin_is_tiny(const lin_product *p);
bool arr_lin_fits(int64_t row, int64_t col, int64_t rows, int64_t cols);
/* Small enough for linalg_small.c, which takes any strides. */
bool arr_lin_is_small(const lin_product *p);
/* `count` of the products, whose operands are next_a and next_b elements from one another. */
void arr_lin_small(const lin_product *p, char *c, const char *a, const char *b, int64_t count, int64_t next_a,
                   int64_t next_b);
PH_MUST ph_status arr_lin_multiply(const lin_product *p, ph_err *err);

/* ---- linalg_stream.c ----------------------------------------------------------------------------------- */

/* y (m) = a (m, k) x (k; step), any thread, without BLAS, where a is large and lies by rows or by columns; false: nothing was done. */
bool arr_lin_stream(arr_dtype type, char *y, const lin_operand *a, int64_t m, int64_t k, const char *x,
                    int64_t step);

/* ---- linalg_product.c, linalg_affine.c ----------------------------------------------------------------- */

/* The product of in[0] and in[1] as the row matmul has it, and what `bias` and `relu` say. */
PH_MUST ph_status arr_lin_matmul(arr *out, const op *self, const arr *in, const char *bias, bool relu,
                                 ph_err *err);
/* Adds the bias of p to m rows of n numbers of C, which begin in column j; ends them as p says. */
void arr_lin_end_rows(const lin_product *p, char *c, int64_t j, int64_t m, int64_t n);

/* ---- linalg_check.c: before and after any factorization ------------------------------------------------ */

arr_dtype arr_lin_field(arr_dtype t); /* what own-type rows compute in: bool counts in f64 */
arr_dtype arr_lin_wide(arr_dtype t);  /* what the other rows compute in: c128 stays, the rest goes to f64 */
/* The spacing of the data that came in, 2^-23 for f32 and 2^-52 for the others: default tolerances scale with
 * it, whatever type the work is done in. */
double arr_lin_eps(arr_dtype t);

/* EARG unless x is a matrix (or a stack of them, when `stack`), and square, when `square`. */
PH_MUST ph_status arr_lin_check_matrix(const arr *x, const char *what, bool stack, bool square, ph_err *err);

/* A stack of column-major matrices in own memory. */
typedef struct {
    arr data;      /* contiguous (..., n, m): the transposes, row-major */
    int64_t m, n;  /* of each matrix */
    int64_t count; /* how many */
} lin_stack;
#define LIN_NONE ((lin_stack){.data = ARR_NONE})

/* Uninitialised; leading dimensions as those of `like`, whose last two are not looked at. */
PH_MUST ph_status arr_lin_new(lin_stack *w, arr_dtype t, const arr *like, int64_t m, int64_t n, ph_err *err);
/* A copy of x, (..., m, n), in type t. EARG when an element is not finite; the message names `what` and the
 * position, counted from attrs->base. */
PH_MUST ph_status arr_lin_load(lin_stack *w, const arr *x, arr_dtype t, const char *what,
                               const op_attrs *attrs, ph_err *err);
/* Fills the contiguous out, (..., p, q), with the first p rows and q columns of each matrix. EUNABLE when a
 * written element is not finite: the result overflowed. */
PH_MUST ph_status arr_lin_store(const arr *out, const lin_stack *w, ph_err *err);
void arr_lin_drop(lin_stack *w);
void *arr_lin_at(const lin_stack *w, int64_t b);

/* The last step of a result, contiguous: EUNABLE when an element is not finite; -0 becomes 0, since which
 * zeros are negative is the library's business. */
PH_MUST ph_status arr_lin_finish(const arr *out, ph_err *err);
/* Replaces each square A of the stack by (A + A^H)/2. EARG when A is further from it than the rounding of a
 * computed Gram matrix explains: some |a_ij - conj a_ji| > sqrt(eps) max|a|. */
PH_MUST ph_status arr_lin_symmetrize(lin_stack *w, double eps, const op_attrs *attrs, ph_err *err);
/* " (matrix 3 of the stack)", or "" when the stack is one matrix; buf of at least 60 bytes. */
const char *arr_lin_which(char *buf, size_t cap, const lin_stack *w, int64_t b);

/* Vectors of norm 1 are defined up to a unit factor. The rule: the first element of at least 0.9 times the
 * largest magnitude becomes real and positive (0.9, so that equal magnitudes do not leave the choice to
 * rounding). Returns the factor. */
arr_c128 arr_lin_phase(arr_dtype t, const void *x, int64_t n);
/* x[i step] *= f, for f64 (f real) and c128. */
void arr_lin_scale(arr_dtype t, void *x, int64_t n, int64_t step, arr_c128 f);

/* ---- linalg_factor.c ----------------------------------------------------------------------------------- */

/* Singular values of x up to this times the largest count as 0: attrs->num, or max(m, n) eps when that is 0. */
double arr_lin_tolerance(const arr *x, const op_attrs *attrs);
PH_MUST ph_status arr_lin_check_tolerance(const op_attrs *attrs, ph_err *err);

/* ---- linalg_lapack.c: LAPACK by type, on column-major matrices without gaps ---------------------------- */

/* Each fails only with ENOMEM or EUNABLE (a size or workspace over INT_MAX). *info is LAPACK's, never
 * negative: what a positive one means is said beside each. Sizes may be 0. */

/* P L U: pivot has n entries. info i: pivot i (from 1) is exactly 0. */
PH_MUST ph_status arr_lap_lu(int *info, arr_dtype t, int64_t n, void *a, int *pivot, ph_err *err);
/* b (n, k) becomes A^-1 b. */
PH_MUST ph_status arr_lap_lu_solve(arr_dtype t, int64_t n, int64_t k, const void *lu, const int *pivot,
                                   void *b, ph_err *err);
PH_MUST ph_status arr_lap_lu_invert(arr_dtype t, int64_t n, void *lu, const int *pivot, ph_err *err);
/* Lower L with A = L L^H; the upper triangle of `a` is not touched. info i: the leading minor of order i is
 * not positive. */
PH_MUST ph_status arr_lap_cholesky(int *info, arr_dtype t, int64_t n, void *a, ph_err *err);
/* Householder vectors and R in a (m, n); tau has min(m, n) elements of the type. */
PH_MUST ph_status arr_lap_qr(arr_dtype t, int64_t m, int64_t n, void *a, void *tau, ph_err *err);
/* The first n columns of Q, from k Householder vectors in the first columns of q (m, n). */
PH_MUST ph_status arr_lap_qr_q(arr_dtype t, int64_t m, int64_t n, int64_t k, void *q, const void *tau,
                               ph_err *err);
/* f64 and c128 from here on. k = min(m, n). job 'N': s only; 'S': u (m, k), vt (k, n); 'A': u (m, m), vt (n,
 * n). Destroys a. info > 0: no convergence. */
PH_MUST ph_status arr_lap_svd(int *info, arr_dtype t, char job, int64_t m, int64_t n, void *a, double *s,
                              void *u, void *vt, ph_err *err);
PH_MUST ph_status arr_lap_svd_fits(arr_dtype t, bool vectors, int64_t m, int64_t n,
                                   ph_err *err); /* asks first */
/* Minimum-norm least squares; b (max(m, n), nb). Singular values under rcond s[0] count as 0. info > 0: no
 * convergence. */
PH_MUST ph_status arr_lap_lstsq(int *info, int *rank, arr_dtype t, int64_t m, int64_t n, int64_t nb, void *a,
                                void *b, double *s, double rcond, ph_err *err);
/* Ascending values; vectors replace the Hermitian a. info > 0: no convergence. */
PH_MUST ph_status arr_lap_eigh(int *info, arr_dtype t, int64_t n, void *a, double *values, ph_err *err);
PH_MUST ph_status arr_lap_eigh_fits(int64_t n, ph_err *err);
/* Vectors as columns of norm 1, (n, n). Destroys a. info > 0: no convergence. */
PH_MUST ph_status arr_lap_eig(int *info, arr_dtype t, int64_t n, void *a, arr_c128 *values, arr_c128 *vectors,
                              ph_err *err);

/* ---- rows ---------------------------------------------------------------------------------------------- */

#define LIN_SHAPE(NAME)                                                                                      \
    static ph_status NAME(op_spec *out, const op *self, const arr *in, int nin, const op_attrs *attrs,       \
                          ph_err *err)
#define LIN_FORWARD(NAME)                                                                                    \
    static ph_status NAME(arr *out, const op *self, const arr *in, int nin, const op_attrs *attrs,           \
                          ph_err *err)
#define LIN_UNUSED                                                                                           \
    (void)self, (void)in, (void)nin, (void)attrs, (void)err /* of those, what a row does not look at */
#define LIN_ROW(NAME, SIG, MIN, MAX, OUT, FLAGS, SHAPE, FORWARD)                                             \
    {                                                                                                        \
        .name = NAME, .min_in = MIN, .max_in = MAX, .n_out = OUT, .sig = SIG, .flags = FLAGS,                \
        .shape = SHAPE, .forward = FORWARD                                                                   \
    }

#endif
