/* array.h: n-d arrays, row-major, as strided views on reference-counted storage.
 *
 * An `arr` is a small value that owns one reference to its storage; copy it with arr_ref, end it with arr_drop.
 * Views (reshape of contiguous data, transpose, slices, broadcasts) share storage: a write through one is seen by
 * all. Letters: T positions, d dimension, H heads; shapes are written (T, d).
 *
 * Indices here are 0-based and axes are 0-based; lua/ owns the 1-based world.
 * Domain: at most ARR_MAXDIM dimensions; any dimension may be 0; a 0-d array holds one element.
 */
#ifndef PH_ARRAY_H
#define PH_ARRAY_H

#include "base/base.h"
#include "base/rng.h"

#define ARR_MAXDIM 8

/* Promotion goes up this list: bool < f32 < f64 < c128 (f32 with c128 gives c128). */
typedef enum { ARR_BOOL, ARR_F32, ARR_F64, ARR_C128, ARR_NDTYPE } arr_dtype;

typedef struct {
    double re, im;
} arr_c128;

typedef struct arr_buf arr_buf; /* storage: a reference count in front of the data */

typedef struct arr {
    arr_buf *buf; /* NULL only in ARR_NONE */
    char *data;   /* first element of this view */
    arr_dtype dtype;
    int ndim;
    int64_t shape[ARR_MAXDIM];
    int64_t stride[ARR_MAXDIM]; /* in elements; may be 0 (broadcast) or negative */
} arr;

#define ARR_NONE ((arr){0})

size_t arr_itemsize(arr_dtype t);
const char *arr_dtype_name(arr_dtype t); /* "bool", "f32", "f64", "c128" */
bool arr_dtype_parse(arr_dtype *out, const char *name);
arr_dtype arr_promote(arr_dtype a, arr_dtype b);
/* The type an operation on these operands computes in: the promotion of all, except that a 0-d operand never widens within
 * its kind (bool, real, complex): f32 (3) with a number stays f32, f32 (3) with a complex number is c128. */
arr_dtype arr_common(const arr *in, int n);

/* ---- life ---------------------------------------------------------------------------------------------- */

/* *out: uninitialised contiguous array. Errors: EARG for ndim outside 0..ARR_MAXDIM, a negative or overflowing
 * size (names the shape); ENOMEM. */
PH_MUST ph_status arr_new(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_err *err);
PH_MUST ph_status arr_zeros(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_err *err);
arr arr_ref(const arr *a);        /* another reference to the same view */
void arr_drop(arr *a);            /* idempotent: leaves ARR_NONE */
bool arr_is_shared(const arr *a); /* storage has more than this one reference */
/* The write counter of the storage, bumped by arr_written through any view. Code that keeps an array and needs it unchanged compares
 * it. */
uint64_t arr_writes(const arr *a);
void arr_written(const arr *a);

/* Contiguous copy, converted to dtype t (c128 to real keeps the real part only when every imaginary part is 0, else
 * EARG). */
PH_MUST ph_status arr_convert(arr *out, const arr *a, arr_dtype t, ph_err *err);
/* A reference to `a` itself when it is contiguous and of dtype t, else arr_convert. */
PH_MUST ph_status arr_contiguous(arr *out, const arr *a, arr_dtype t, ph_err *err);
/* Writes src, broadcast and converted, into the view dst. Overlap is handled. */
PH_MUST ph_status arr_assign(const arr *dst, const arr *src, ph_err *err);

int64_t arr_size(const arr *a); /* number of elements */
bool arr_is_contiguous(const arr *a);
bool arr_same_shape(const arr *a, const arr *b);

/* Element at a 0-based index tuple (not checked). arr_get_num reads real dtypes and bool as a double. */
void *arr_at(const arr *a, const int64_t *index);
double arr_get_num(const arr *a, const void *at);
arr_c128 arr_get_c128(const arr *a, const void *at);
PH_MUST ph_status arr_put_c128(const arr *a, void *at, arr_c128 v,
                               ph_err *err); /* refuses im != 0 into a real array */

/* A scalar as a 0-d array. */
PH_MUST ph_status arr_scalar(arr *out, arr_dtype t, arr_c128 v, ph_err *err);

/* ---- from nothing -------------------------------------------------------------------------------------- */

PH_MUST ph_status arr_full(arr *out, arr_dtype t, int ndim, const int64_t *shape, arr_c128 v, ph_err *err);
PH_MUST ph_status arr_eye(arr *out, arr_dtype t, int64_t rows, int64_t columns, ph_err *err);
/* The values a, a+step, a+2 step, … up to and including b (down to, for a negative step); none when b lies on the other side.
 * Whole numbers below 2^53 come out exact; when the last value is b but for rounding, it is b. f32 or f64. EARG: a step of 0,
 * NaN or Inf, a count no memory holds. */
PH_MUST ph_status arr_arange(arr *out, arr_dtype t, double a, double b, double step, ph_err *err);
/* n values from a to b, both ends exact; n = 1 gives a. f32 or f64. */
PH_MUST ph_status arr_linspace(arr *out, arr_dtype t, double a, double b, int64_t n, ph_err *err);
/* Draws from *g, one an element in row-major order: uniform in [0, 1), or normal with mean 0 and variance 1. f32 or f64. */
PH_MUST ph_status arr_rand(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_rng *g, ph_err *err);
PH_MUST ph_status arr_randn(arr *out, arr_dtype t, int ndim, const int64_t *shape, ph_rng *g, ph_err *err);

/* ---- views --------------------------------------------------------------------------------------------- */

/* One dimension of a slice, 0-based: elements first, first+step, …, `count` of them. */
typedef struct {
    int64_t first, step, count;
    bool drop; /* an integer index: the dimension disappears (count is 1) */
} arr_range;

PH_MUST ph_status arr_slice(arr *out, const arr *a, int n, const arr_range *r,
                            ph_err *err); /* n <= ndim, rest whole */
/* One entry of shape may be -1. A view when strides allow it, else a copy. */
PH_MUST ph_status arr_reshape(arr *out, const arr *a, int ndim, const int64_t *shape, ph_err *err);
PH_MUST ph_status arr_permute(arr *out, const arr *a, const int *perm, ph_err *err); /* perm of 0..ndim-1 */
/* NumPy's trailing-dimension rule; EARG names both shapes. */
PH_MUST ph_status arr_broadcast_shape(int *ndim, int64_t *shape, const arr *const *in, int n, const char *who,
                                      ph_err *err);
PH_MUST ph_status arr_broadcast_to(arr *out, const arr *a, int ndim, const int64_t *shape, ph_err *err);

/* "(3, 4)", for messages; buf of at least 200 bytes. Returns buf. */
char *arr_shape_text(char *buf, size_t cap, const arr *a);

/* Resolves a 0-based axis, negative counting from the end. Names the axis as the caller counts (base 0 or 1).
 */
PH_MUST ph_status arr_axis(int *axis, int ndim, int given, int base, const char *who, ph_err *err);

/* ---- text ---------------------------------------------------------------------------------------------- */

/* How the laboratory prints: header "f64 (3, 4)", one aligned block, no common scale factor, a nonzero never shown
 * as 0, ellipsis beyond `columns` and `rows`, scalars with round-trip digits. *out is ph_alloc'ed. */
PH_MUST ph_status arr_print(char **out, const arr *a, int columns, int rows, ph_err *err);
/* Shortest decimal text that reads back as the same double ("0.1", "1e-300", "nan", "-inf"); buf >= 32 bytes. */
char *arr_num_text(char *buf, size_t cap, double x);
char *arr_c128_text(char *buf, size_t cap, arr_c128 z); /* "1+2i", "0.1-0.5i"; buf >= 80 bytes */

/* ---- libraries ----------------------------------------------------------------------------------------- */

/* What stands behind the linear algebra, and why its kernels were chosen: "OpenBLAS 0.3.21, core Haswell (its own choice),
 * 1 thread" and "3.11.0". Opens it. buf of at least 192 bytes. Return buf. */
char *arr_blas_text(char *buf, size_t cap);
char *arr_lapack_text(char *buf, size_t cap);
const char *file_zlib_text(void); /* "1.2.13" */

#endif
