/* linalg_small.c: products of small matrices, alone or in a stack. A call of BLAS costs some 0.3 us, as much as
 * multiplying 16 by 16; here a row of the left operand meets whole vectors of the right one, at any strides.
 *
 *   c_ij = sum_l a_il b_lj, added in the order of l, whatever the sizes and the CPU.
 *
 * Vectors lie along the columns of C. Where the rows of b do not lie one number behind another they are packed for that, in
 * each matrix of a stack. With one a for all of them C^T = B^T A^T is cheaper: a is packed once, and C transposed on its way out.
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

/* NAME_pack: to (k, up) = b (k, n; row, col), `up` being n rounded up to whole vectors, with zeros behind n.
 * NAME_rows: to_rj = sum_l x_rl y_lj for ROWS rows and `up` columns; row r of x begins at at[r].
 * Vectors of WIDE elements; where the CPU has shorter ones the compiler splits them. */
#define SMALL(NAME, T, WIDE)                                                                                 \
    typedef T NAME##_vec __attribute__((vector_size(WIDE * sizeof(T))));                                     \
    static inline __attribute__((always_inline)) void NAME##_pack(                                           \
        T *to, const T *b, int64_t row, int64_t col, int64_t k, int64_t n, int64_t up) {                     \
        for (int64_t l = 0; l < k; l++) {                                                                    \
            for (int64_t j = 0; j < n; j++) to[l * up + j] = b[l * row + j * col];                           \
            for (int64_t j = n; j < up; j++) to[l * up + j] = 0;                                             \
        }                                                                                                    \
    }                                                                                                        \
    static inline                                                                                            \
        __attribute__((always_inline)) void NAME##_rows(T *to, int64_t tr, const T *const *at, int64_t step, \
                                                        const T *y, int64_t yr, int64_t k, int64_t up) {     \
        const T *x0 = at[0], *x1 = at[1], *x2 = at[2], *x3 = at[3];                                          \
        for (int64_t j = 0; j < up; j += WIDE) {                                                             \
            NAME##_vec s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, v;                                            \
            for (int64_t l = 0; l < k; l++) {                                                                \
                memcpy(&v, y + l * yr + j, sizeof v);                                                        \
                s0 += x0[l * step] * v;                                                                      \
                s1 += x1[l * step] * v;                                                                      \
                s2 += x2[l * step] * v;                                                                      \
                s3 += x3[l * step] * v;                                                                      \
            }                                                                                                \
            memcpy(to + j, &s0, sizeof s0);                                                                  \
            memcpy(to + tr + j, &s1, sizeof s1);                                                             \
            memcpy(to + 2 * tr + j, &s2, sizeof s2);                                                         \
            memcpy(to + 3 * tr + j, &s3, sizeof s3);                                                         \
        }                                                                                                    \
    }                                                                                                        \
    ARR_CLONES static void NAME(const lin_product *p, T *c, const T *a, const T *b, int64_t count,           \
                                int64_t next_a, int64_t next_b) {                                            \
        const int64_t m = p->m, n = p->n, k = p->k, up = (n + WIDE - 1) / WIDE * WIDE;                       \
        const int64_t ar = p->a.row, ac = p->a.col;                                                          \
        T pack[SIDE * SIDE], row[ROWS][SIDE];                                                                \
        bool whole = up == n; /* then b is read, and c written, in place */                                  \
        bool lies = whole && p->b.col == 1;                                                                  \
        for (; count > 0; count--, a += next_a, b += next_b, c += m * n) {                                   \
            if (!lies) NAME##_pack(pack, b, p->b.row, p->b.col, k, n, up);                                   \
            for (int64_t i = 0; i < m; i += ROWS) {                                                          \
                const T *at[ROWS];                                                                           \
                int64_t rows = m - i < ROWS ? m - i : ROWS;                                                  \
                bool direct = whole && rows == ROWS;                                                         \
                for (int r = 0; r < ROWS; r++) at[r] = a + (i + (r < rows ? r : 0)) * ar;                    \
                NAME##_rows(direct ? c + i *n : row[0], direct ? n : SIDE, at, ac, lies ? b : pack,          \
                            lies ? p->b.row : up, k, up);                                                    \
                for (int64_t r = 0; r < rows && !direct; r++)                                                \
                    memcpy(c + (i + r) * n, row[r], (size_t)n * sizeof *c);                                  \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    ARR_CLONES static void NAME##_turned(const lin_product *p, T *c, const T *a, const T *b, int64_t count,  \
                                         int64_t next_b) {                                                   \
        const int64_t m = p->m, n = p->n, k = p->k, up = (m + WIDE - 1) / WIDE * WIDE;                       \
        const int64_t br = p->b.row, bc = p->b.col;                                                          \
        T pack[SIDE * SIDE], row[ROWS][SIDE];                                                                \
        NAME##_pack(pack, a, p->a.col, p->a.row, k, m, up);                                                  \
        for (; count > 0; count--, b += next_b, c += m * n)                                                  \
            for (int64_t j = 0; j < n; j += ROWS) {                                                          \
                const T *at[ROWS];                                                                           \
                int64_t rows = n - j < ROWS ? n - j : ROWS;                                                  \
                for (int r = 0; r < ROWS; r++) at[r] = b + (j + (r < rows ? r : 0)) * bc;                    \
                NAME##_rows(row[0], SIDE, at, br, pack, up, k, up);                                          \
                if (rows == ROWS)                                                                            \
                    for (int64_t i = 0; i < m; i++)                                                          \
                        for (int r = 0; r < ROWS; r++) c[i * n + j + r] = row[r][i];                         \
                else                                                                                         \
                    for (int64_t i = 0; i < m; i++)                                                          \
                        for (int64_t r = 0; r < rows; r++) c[i * n + j + r] = row[r][i];                     \
            }                                                                                                \
    }                                                                                                        \
    static void NAME##_stack(const lin_product *p, T *c, const T *a, const T *b, int64_t count,              \
                             int64_t next_a, int64_t next_b) {                                               \
        if (p->b.col != 1 && next_a == 0 && count > 1 && p->m >= WIDE / 2)                                   \
            NAME##_turned(p, c, a, b, count, next_b);                                                        \
        else NAME(p, c, a, b, count, next_a, next_b);                                                        \
    }
SMALL(small_f32, float, 16)
SMALL(small_f64, double, 8)

void arr_lin_small(const lin_product *p, char *c, const char *a, const char *b, int64_t count, int64_t next_a,
                   int64_t next_b) {
    if (p->type == ARR_F32)
        small_f32_stack(p, (float *)c, (const float *)a, (const float *)b, count, next_a, next_b);
    else small_f64_stack(p, (double *)c, (const double *)a, (const double *)b, count, next_a, next_b);
}
