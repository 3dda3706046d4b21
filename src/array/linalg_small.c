/* linalg_small.c: products of small matrices, alone or in a stack. A call of BLAS costs some 0.3 us, as much as
 * multiplying 16 by 16; here a row of the left operand meets whole vectors of the right one, at any strides.
 *
 *   c_ij = sum_l a_il b_lj, added in the order of l, whatever the sizes and the CPU.
 */
#include "array/elementwise.h"
#include "array/linalg.h"

#include <string.h>

#define SIDE 32 /* the greatest side */
#define ROWS 4  /* rows of C at once, so that additions do not wait for one another */

bool arr_lin_is_small(const lin_product *p) {
    bool real = p->type == ARR_F64 || p->type == ARR_F32;
    return real && p->n >= 4 && p->m <= SIDE && p->n <= SIDE && p->k <= SIDE;
}

/* b is packed as (k, up), `up` being n rounded up to whole vectors, with zeros behind n. Vectors of WIDE elements; where the
 * CPU has shorter ones the compiler splits them. */
#define SMALL(NAME, T, WIDE)                                                                                 \
    typedef T NAME##_vec __attribute__((vector_size(WIDE * sizeof(T))));                                     \
    ARR_CLONES static void NAME(const lin_product *p, T *c, const T *a, const T *b) {                        \
        const int64_t m = p->m, n = p->n, k = p->k, up = (n + WIDE - 1) / WIDE * WIDE;                       \
        const int64_t ar = p->a.row, ac = p->a.col;                                                          \
        T pack[SIDE * SIDE], row[ROWS][SIDE];                                                                \
        bool whole = up == n; /* then b is read, and c written, in place */                                  \
        bool lies = whole && p->b.col == 1;                                                                  \
        const T *from = lies ? b : pack;                                                                     \
        const int64_t fr = lies ? p->b.row : up;                                                             \
        for (int64_t l = 0; l < k && !lies; l++) {                                                           \
            for (int64_t j = 0; j < n; j++) pack[l * up + j] = b[l * p->b.row + j * p->b.col];               \
            for (int64_t j = n; j < up; j++) pack[l * up + j] = 0;                                           \
        }                                                                                                    \
        for (int64_t i = 0; i < m; i += ROWS) {                                                              \
            const T *at[ROWS];                                                                               \
            int64_t rows = m - i < ROWS ? m - i : ROWS;                                                      \
            for (int r = 0; r < ROWS; r++) at[r] = a + (i + (r < rows ? r : 0)) * ar;                        \
            for (int64_t j = 0; j < up; j += WIDE) {                                                         \
                NAME##_vec s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, y;                                        \
                for (int64_t l = 0; l < k; l++) {                                                            \
                    memcpy(&y, from + l * fr + j, sizeof y);                                                 \
                    s0 += at[0][l * ac] * y;                                                                 \
                    s1 += at[1][l * ac] * y;                                                                 \
                    s2 += at[2][l * ac] * y;                                                                 \
                    s3 += at[3][l * ac] * y;                                                                 \
                }                                                                                            \
                T *to = whole && rows == ROWS ? c + i * n : row[0];                                          \
                int64_t tr = whole && rows == ROWS ? n : SIDE;                                               \
                memcpy(to + j, &s0, sizeof s0);                                                              \
                memcpy(to + tr + j, &s1, sizeof s1);                                                         \
                memcpy(to + 2 * tr + j, &s2, sizeof s2);                                                     \
                memcpy(to + 3 * tr + j, &s3, sizeof s3);                                                     \
            }                                                                                                \
            for (int64_t r = 0; r < rows && !(whole && rows == ROWS); r++)                                   \
                memcpy(c + (i + r) * n, row[r], (size_t)n * sizeof *c);                                      \
        }                                                                                                    \
    }
SMALL(small_f32, float, 16)
SMALL(small_f64, double, 8)

void arr_lin_small(const lin_product *p, char *c, const char *a, const char *b) {
    if (p->type == ARR_F32) small_f32(p, (float *)c, (const float *)a, (const float *)b);
    else small_f64(p, (double *)c, (const double *)a, (const double *)b);
}
