/* rational.c: linear algebra over Q: rows reduced one by one, so that an interrupt is seen, in FLINT's fractions. */
#include <stdlib.h>

#include "verify/exact.h"
#include "verify/flint.h"
#include "verify/wide.h"

#define MAX_ENTRIES 1000000
#define MAX_SIDE    256 /* of the shorter side */
#define MAX_BITS                                                                                             \
    (MAX_SIDE * 128) /* that side times the longest entry: bounds the fractions that come of them */

typedef enum { EXACT, NO_NUMBER, TOO_LONG } exactness;

void ver_matrix_clear(ver_matrix *m) {
    for (int64_t i = 0; m->entry && i < (int64_t)m->rows * m->cols; i++) expr_drop(m->entry[i]);
    ph_free(m->entry);
    *m = (ver_matrix){0};
}

/* ---- entries ------------------------------------------------------------------------------------------- */

static slong length_of(const fmpq_t q) {
    return (slong)(fmpz_bits(fmpq_numref(q)) + fmpz_bits(fmpq_denref(q)));
}

/* q^n, unless it has far more than so many bits. */
static exactness power(fmpq_t q, const expr_node *n, slong most) {
    if (n->op != EXPR_RAT || n->den != 1 || (fmpq_is_zero(q) && n->num <= 0)) return NO_NUMBER;
    if (fmpz_is_pm1(fmpq_numref(q)) && fmpz_is_one(fmpq_denref(q))) {
        if (n->num % 2 == 0) fmpq_one(q);
    } else if (fmpq_is_zero(q) || !n->num) fmpq_set_si(q, !n->num, 1);
    else if (n->num > most || n->num < -most || length_of(q) > 4 * most / labs((long)n->num))
        return TOO_LONG; /* certainly: 2^n has n + 2 bits in all, where 3 n are counted */
    else fmpq_pow_si(q, q, (slong)n->num);
    return EXACT;
}

/* What a formula of rational numbers comes to, such as 10^20: fractions of more than 64 bits are written so. */
static exactness rational(fmpq_t q, const expr_node *e, slong most) {
    if (e->op == EXPR_RAT) {
        ver_fmpq_set(q, e->num, e->den);
        return EXACT;
    }
    if (e->op < EXPR_NEG || e->op > EXPR_POW) return NO_NUMBER;
    exactness is = rational(q, e->arg[0], most);
    if (is != EXACT) return is;
    if (e->op == EXPR_NEG) fmpq_neg(q, q);
    else if (e->op == EXPR_POW) is = power(q, e->arg[1], most);
    else {
        fmpq_t r;
        fmpq_init(r);
        is = rational(r, e->arg[1], most);
        if (is == EXACT && e->op == EXPR_DIV && fmpq_is_zero(r)) is = NO_NUMBER;
        if (is == EXACT)
            (e->op == EXPR_ADD   ? fmpq_add
             : e->op == EXPR_SUB ? fmpq_sub
             : e->op == EXPR_MUL ? fmpq_mul
                                 : fmpq_div)(q, q, r);
        fmpq_clear(r);
    }
    return is == EXACT && length_of(q) > most ? TOO_LONG : is;
}

/* Fills columns from `at` on; the matrix is already initialised. */
static ph_status read_entries(fmpq_mat_t out, int at, const ver_matrix *a, ph_err *err) {
    slong rows = fmpq_mat_nrows(out), cols = fmpq_mat_ncols(out), side = rows < cols ? rows : cols;
    slong most = MAX_BITS / (side ? side : 1);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->cols; k++) {
            const expr_node *e = a->entry[(int64_t)i * a->cols + k];
            exactness is = rational(fmpq_mat_entry(out, i, at + k), e, most);
            if (is == NO_NUMBER)
                return ph_fail(err, PH_EARG, "entry (%d, %d) is no exact number", i + 1, k + 1);
            if (is == TOO_LONG)
                return ph_fail(err, PH_EBUDGET, "entry (%d, %d) is a fraction of more than %lld bits", i + 1,
                               k + 1, (long long)most);
        }
    return PH_OK;
}

static ph_status check_size(int rows, int cols, ph_err *err) {
    if ((int64_t)rows * cols <= MAX_ENTRIES && (rows <= MAX_SIDE || cols <= MAX_SIDE)) return PH_OK;
    return ph_fail(err, PH_EBUDGET, "a matrix of %d rows and %d columns; at most %d on the shorter side",
                   rows, cols, MAX_SIDE);
}

/* The reduced row echelon form of [a b]; m is to be cleared in any case. Row by row, so that an interrupt is seen. */
static ph_status reduce(fmpq_mat_t m, int64_t *rank, const ver_matrix *a, const ver_matrix *b, ph_err *err) {
    int cols = a->cols + (b ? b->cols : 0);
    ph_status st = check_size(a->rows, cols, err);
    fmpq_mat_init(m, st ? 0 : a->rows, st ? 0 : cols);
    if (!st) st = read_entries(m, 0, a, err);
    if (!st && b) st = read_entries(m, a->cols, b, err);
    slong r = 0;
    fmpq_t f;
    fmpq_init(f);
    for (int c = 0; c < cols && !st; c++) {
        slong p = r;
        while (p < a->rows && fmpq_is_zero(fmpq_mat_entry(m, p, c))) p++;
        if (p == a->rows) continue;
        fmpq_mat_swap_rows(m, NULL, p, r);
        fmpq_inv(f, fmpq_mat_entry(m, r, c));
        for (int k = c; k < cols; k++) fmpq_mul(fmpq_mat_entry(m, r, k), fmpq_mat_entry(m, r, k), f);
        for (int i = 0; i < a->rows && !st; i++) {
            if (i == r || fmpq_is_zero(fmpq_mat_entry(m, i, c))) continue;
            if (ph_interrupted()) st = ph_fail_interrupted(err);
            fmpq_set(f, fmpq_mat_entry(m, i, c));
            for (int k = c; k < cols; k++)
                if (!fmpq_is_zero(fmpq_mat_entry(m, r, k)))
                    fmpq_submul(fmpq_mat_entry(m, i, k), f, fmpq_mat_entry(m, r, k));
        }
        r++;
    }
    fmpq_clear(f);
    *rank = r;
    return st;
}

ph_status ver_rank(int64_t *out, const ver_matrix *a, ph_err *err) {
    fmpq_mat_t m;
    ph_status st = reduce(m, out, a, NULL, err);
    fmpq_mat_clear(m);
    return st;
}

static ph_status to_node(expr_node **out, const fmpq_t q, ph_err *err) {
    if (!ver_fmpz_fits(fmpq_numref(q)) || !ver_fmpz_fits(fmpq_denref(q)))
        return ph_fail(err, PH_EBUDGET, "an answer that does not fit a 64-bit fraction");
    return expr_rat(out, ver_fmpz_get(fmpq_numref(q)), ver_fmpz_get(fmpq_denref(q)), err);
}

ph_status ver_det(expr_node **out, const ver_matrix *a, ph_err *err) {
    *out = NULL;
    if (a->rows != a->cols)
        return ph_fail(err, PH_EARG, "the matrix has %d rows and %d columns; wanted a square one", a->rows,
                       a->cols);
    ph_status st = check_size(a->rows, a->cols, err);
    if (st) return st;
    fmpq_mat_t m;
    fmpq_t d;
    fmpq_init(d);
    fmpq_mat_init(m, a->rows, a->cols);
    st = read_entries(m, 0, a, err);
    if (!st) fmpq_mat_det(d, m);
    if (!st) st = to_node(out, d, err);
    fmpq_mat_clear(m);
    fmpq_clear(d);
    return st;
}

static ph_status matrix_new(ver_matrix *m, int rows, int cols, ph_err *err) {
    size_t bytes = ((size_t)rows * (size_t)cols + 1) * sizeof *m->entry;
    *m = (ver_matrix){rows, cols, ph_calloc(1, bytes)};
    return m->entry ? PH_OK : ph_fail_nomem(err, bytes);
}

/* Column of each pivot of a row echelon form, and whether a column has one. */
static void find_pivots(int *pivot, bool *has, const fmpq_mat_t m, int64_t rank, int cols) {
    for (slong r = 0; r < (slong)rank; r++) {
        int c = 0;
        while (fmpq_is_zero(fmpq_mat_entry(m, r, c))) c++;
        pivot[r] = c;
        if (c < cols) has[c] = true;
    }
}

/* x_free = 1, x_pivot = −(entry of its row in the free column) */
static ph_status basis(ver_matrix *out, const fmpq_mat_t m, int64_t rank, const int *pivot, const bool *has,
                       int cols, ph_err *err) {
    fmpq_t q;
    fmpq_init(q);
    ph_status st = matrix_new(out, cols, cols - (int)rank, err);
    for (int c = 0, k = 0; c < cols && !st; c++) {
        if (has[c]) continue;
        for (int64_t r = 0; r < rank && !st; r++) {
            fmpq_neg(q, fmpq_mat_entry(m, (slong)r, c));
            st = to_node(&out->entry[(int64_t)pivot[r] * out->cols + k], q, err);
        }
        for (int i = 0; i < cols && !st; i++)
            if (!has[i]) st = expr_rat(&out->entry[(int64_t)i * out->cols + k], i == c, 1, err);
        k++;
    }
    fmpq_clear(q);
    return st;
}

ph_status ver_null_space(ver_matrix *out, const ver_matrix *a, ph_err *err) {
    *out = (ver_matrix){0};
    fmpq_mat_t m;
    int64_t rank = 0;
    int *pivot = ph_calloc((size_t)a->cols + 1, sizeof *pivot);
    bool *has = ph_calloc((size_t)a->cols + 1, sizeof *has);
    ph_status st;
    PH_TRY(reduce(m, &rank, a, NULL, err));
    if (!pivot || !has) PH_TRY(ph_fail_nomem(err, (size_t)a->cols * sizeof *pivot));
    find_pivots(pivot, has, m, rank, a->cols);
    st = basis(out, m, rank, pivot, has, a->cols, err);
done:
    if (st) ver_matrix_clear(out);
    ph_free(pivot);
    ph_free(has);
    fmpq_mat_clear(m);
    return st;
}

ph_status ver_solve(ver_matrix *x, int64_t *free_unknowns, const ver_matrix *a, const ver_matrix *b,
                    ph_err *err) {
    *x = (ver_matrix){0};
    if (a->rows != b->rows)
        return ph_fail(err, PH_EARG, "the matrix has %d rows, the right side %d", a->rows, b->rows);
    fmpq_mat_t m;
    int64_t rank = 0;
    int *pivot = ph_calloc((size_t)a->rows + 1, sizeof *pivot);
    bool *has = ph_calloc((size_t)a->cols + 1, sizeof *has);
    ph_status st;
    PH_TRY(reduce(m, &rank, a, b, err));
    if (!pivot || !has) PH_TRY(ph_fail_nomem(err, (size_t)a->rows * sizeof *pivot));
    find_pivots(pivot, has, m, rank, a->cols);
    if (rank > 0 && pivot[rank - 1] >= a->cols)
        PH_TRY(ph_fail(err, PH_EDOMAIN, "there is no solution: the equations contradict each other"));
    *free_unknowns = a->cols - rank;
    PH_TRY(matrix_new(x, a->cols, b->cols, err));
    for (int64_t r = 0; r < rank; r++)
        for (int k = 0; k < b->cols; k++)
            PH_TRY(to_node(&x->entry[(int64_t)pivot[r] * b->cols + k],
                           fmpq_mat_entry(m, (slong)r, (slong)a->cols + k), err));
    for (int i = 0; i < a->cols; i++)
        for (int k = 0; k < b->cols && !has[i]; k++)
            PH_TRY(expr_rat(&x->entry[(int64_t)i * b->cols + k], 0, 1, err));
done:
    if (st) ver_matrix_clear(x);
    ph_free(pivot);
    ph_free(has);
    fmpq_mat_clear(m);
    return st;
}
