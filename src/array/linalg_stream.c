/* linalg_stream.c: a vector by a matrix that is too large for the second cache.
 *
 *   dots   y_i = sum_l a_il x_l     a (m, k) by rows      rows   y = sum_l x_l a_l     a (k, m) by rows
 *
 * Each number of the matrix is read once, so reading is what it costs, and one row after another, from end to end, is what the processor
 * fetches ahead best. BLAS reads several rows side by side, to save the reading of x or y, which lie in the first cache here.
 * 1000 x 1000 on a Zen 4, one thread, us: f64 dots 85 beside 102 of cblas_dgemv and 98 of cblas_dgemm, rows 85 beside 100 and 92; two, four and
 * eight rows at once took 92 to 98.
 *
 * Of dots SUMS vectors of WIDE sums run side by side and are added at the end, the same at every CPU level; rows adds in the order of l.
 */
#include "array/linalg.h"

#include "base/parallel.h"

#include <string.h>

#define NEAR  ((int64_t)1 << 20) /* bytes of a matrix that may be in the second cache already */
#define LEAST 256                /* numbers of a row: a shorter one is no stream */
#define SUMS  4

#define STREAM(T, WIDE, DOTS, ROWS)                                                                          \
    PH_CLONES static void DOTS(T *y, const T *a, int64_t row, int64_t m, int64_t k, const T *x) {            \
        typedef T vec __attribute__((vector_size(WIDE * sizeof(T))));                                        \
        for (int64_t i = 0; i < m; i++, a += row) {                                                          \
            vec s[SUMS] = {{0}}, u, v;                                                                       \
            int64_t l = 0;                                                                                   \
            for (; l + SUMS * WIDE <= k; l += SUMS * WIDE)                                                   \
                for (int r = 0; r < SUMS; r++) {                                                             \
                    memcpy(&u, a + l + r * WIDE, sizeof u);                                                  \
                    memcpy(&v, x + l + r * WIDE, sizeof v);                                                  \
                    s[r] += u * v;                                                                           \
                }                                                                                            \
            for (; l + WIDE <= k; l += WIDE) {                                                               \
                memcpy(&u, a + l, sizeof u);                                                                 \
                memcpy(&v, x + l, sizeof v);                                                                 \
                s[0] += u * v;                                                                               \
            }                                                                                                \
            T sum = 0;                                                                                       \
            for (; l < k; l++) sum += a[l] * x[l];                                                           \
            s[0] = (s[0] + s[1]) + (s[2] + s[3]);                                                            \
            for (int w = 0; w < WIDE; w++) sum += s[0][w];                                                   \
            y[i] = sum;                                                                                      \
        }                                                                                                    \
    }                                                                                                        \
    PH_CLONES static void ROWS(T *restrict y, const T *restrict a, int64_t row, int64_t m, int64_t k,        \
                               const T *x, int64_t step) {                                                   \
        typedef T vec __attribute__((vector_size(WIDE * sizeof(T))));                                        \
        memset(y, 0, (size_t)m * sizeof *y);                                                                 \
        for (int64_t l = 0; l < k; l++, a += row) {                                                          \
            const T by = x[l * step];                                                                        \
            vec u, v;                                                                                        \
            int64_t j = 0;                                                                                   \
            for (; j + WIDE <= m; j += WIDE) {                                                               \
                memcpy(&u, a + j, sizeof u);                                                                 \
                memcpy(&v, y + j, sizeof v);                                                                 \
                v += by * u;                                                                                 \
                memcpy(y + j, &v, sizeof v);                                                                 \
            }                                                                                                \
            for (; j < m; j++) y[j] += by * a[j];                                                            \
        }                                                                                                    \
    }
STREAM(float, 16, dots_f32, rows_f32)
STREAM(double, 8, dots_f64, rows_f64)

bool arr_lin_stream(arr_dtype type, char *y, const lin_operand *a, int64_t m, int64_t k, const char *x,
                    int64_t step) {
    const bool dots = a->col == 1 && step == 1 && k >= LEAST, rows = a->row == 1 && m >= LEAST;
    if (type == ARR_C128 || m * k * (int64_t)arr_itemsize(type) <= NEAR || (!dots && !rows)) return false;
    if (type == ARR_F32 && dots) dots_f32((float *)y, (const float *)a->data, a->row, m, k, (const float *)x);
    else if (type == ARR_F32)
        rows_f32((float *)y, (const float *)a->data, a->col, m, k, (const float *)x, step);
    else if (dots) dots_f64((double *)y, (const double *)a->data, a->row, m, k, (const double *)x);
    else rows_f64((double *)y, (const double *)a->data, a->col, m, k, (const double *)x, step);
    return true;
}
