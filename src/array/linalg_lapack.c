/* linalg_lapack.c: LAPACK, called by type, with workspaces it cannot overflow.
 *
 * LAPACK counts in int. Sizes are held against INT_MAX before the first call, and so is each least workspace,
 * computed in 64 bits: LAPACK's own queries wrap around (dgesdd's from n = 26754 on). The query then only
 * says how much more would help. Arguments are right by construction, so xerbla is never reached; the
 * reference one ends the process, and is replaced.
 */
#include "array/linalg_library.h"

#include <limits.h>
#include <string.h>

void xerbla_(const char *name, const int *info, size_t len);
void xerbla_(const char *name, const int *info, size_t len) { (void)name, (void)info, (void)len; }

/* ---- sizes and workspaces ------------------------------------------------------------------------------ */

static ph_status check_size(int64_t a, int64_t b, ph_err *err) {
    if (a <= INT_MAX && b <= INT_MAX) return PH_OK;
    return ph_fail(err, PH_EUNABLE, "a size of %lld; LAPACK counts to %d", (long long)(a > b ? a : b),
                   INT_MAX);
}

/* What one call works in. */
typedef struct {
    void *work;
    double *real;
    int *ints;
} space;

static void free_space(space *s) {
    ph_free(s->work);
    ph_free(s->real);
    ph_free(s->ints);
}

static ph_status check_count(double count, ph_err *err) {
    if (count <= INT_MAX) return PH_OK;
    return ph_fail(err, PH_EUNABLE, "a workspace of %.0f numbers; LAPACK counts to %d", count, INT_MAX);
}

static ph_status take(void **out, double count, size_t item, ph_err *err) {
    ph_status st = check_count(count, err);
    if (st != PH_OK) return st;
    size_t bytes = (size_t)(count < 1 ? 1 : count) * item;
    *out = ph_alloc(bytes);
    return *out ? PH_OK : ph_fail_nomem(err, bytes);
}

/* Doubles hold these counts exactly or far above the limit. */
static ph_status take_space(space *s, arr_dtype t, double work, double real, double ints, ph_err *err) {
    ph_status st = take(&s->work, work, arr_itemsize(t), err);
    void *p = NULL;
    if (st == PH_OK && (st = take(&p, real, sizeof(double), err)) == PH_OK) s->real = p;
    if (st == PH_OK && (st = take(&p, ints, sizeof(int), err)) == PH_OK) s->ints = p;
    return st;
}

/* The workspace LAPACK asked for, when it is one: at least `least`, within its own counting. */
static double asked(arr_dtype t, const void *query, double least) {
    double q = t == ARR_F32 ? (double)*(const float *)query : *(const double *)query;
    return q >= least && q <= INT_MAX ? q : least;
}

static int at_least_1(int64_t n) { return n < 1 ? 1 : (int)n; }

/* The routine of a type: s, d or z. The arguments are the same but for their pointers, which become void. */
#define BY_TYPE3(t, s, d, z)                                                                                 \
    do {                                                                                                     \
        if ((t) == ARR_F32) s;                                                                               \
        else if ((t) == ARR_F64) d;                                                                          \
        else z;                                                                                              \
    } while (0)

/* ---- L U and Cholesky ---------------------------------------------------------------------------------- */

ph_status arr_lap_lu(int *info, arr_dtype t, int64_t n64, void *a, int *pivot, ph_err *err) {
    ph_status st = check_size(n64, 0, err);
    if (st == PH_OK) st = arr_lin_open(err);
    if (st != PH_OK) return st;
    int n = (int)n64, ld = at_least_1(n64);
    BY_TYPE3(t, LAPACK_sgetrf(&n, &n, a, &ld, pivot, info), LAPACK_dgetrf(&n, &n, a, &ld, pivot, info),
             LAPACK_zgetrf(&n, &n, a, &ld, pivot, info));
    return PH_OK;
}

ph_status arr_lap_lu_solve(arr_dtype t, int64_t n64, int64_t k64, const void *lu, const int *pivot, void *b,
                           ph_err *err) {
    ph_status st = check_size(n64, k64, err);
    if (st != PH_OK) return st;
    int n = (int)n64, k = (int)k64, ld = at_least_1(n64), info;
    BY_TYPE3(t, LAPACK_sgetrs("N", &n, &k, lu, &ld, pivot, b, &ld, &info),
             LAPACK_dgetrs("N", &n, &k, lu, &ld, pivot, b, &ld, &info),
             LAPACK_zgetrs("N", &n, &k, lu, &ld, pivot, b, &ld, &info));
    return PH_OK;
}

ph_status arr_lap_lu_invert(arr_dtype t, int64_t n64, void *lu, const int *pivot, ph_err *err) {
    space s = {0};
    arr_c128 query;
    int n = (int)n64, ld = at_least_1(n64), ask = -1, info; /* n64 passed arr_lap_lu */
    ph_status st;
    BY_TYPE3(t, LAPACK_sgetri(&n, lu, &ld, pivot, (void *)&query, &ask, &info),
             LAPACK_dgetri(&n, lu, &ld, pivot, (void *)&query, &ask, &info),
             LAPACK_zgetri(&n, lu, &ld, pivot, (void *)&query, &ask, &info));
    double size = asked(t, &query, ld);
    PH_TRY(take_space(&s, t, size, 0, 0, err));
    int lwork = (int)size;
    BY_TYPE3(t, LAPACK_sgetri(&n, lu, &ld, pivot, s.work, &lwork, &info),
             LAPACK_dgetri(&n, lu, &ld, pivot, s.work, &lwork, &info),
             LAPACK_zgetri(&n, lu, &ld, pivot, s.work, &lwork, &info));
done:
    free_space(&s);
    return st;
}

ph_status arr_lap_cholesky(int *info, arr_dtype t, int64_t n64, void *a, ph_err *err) {
    ph_status st = check_size(n64, 0, err);
    if (st == PH_OK) st = arr_lin_open(err);
    if (st != PH_OK) return st;
    int n = (int)n64, ld = at_least_1(n64);
    BY_TYPE3(t, LAPACK_spotrf("L", &n, a, &ld, info), LAPACK_dpotrf("L", &n, a, &ld, info),
             LAPACK_zpotrf("L", &n, a, &ld, info));
    return PH_OK;
}

/* ---- Q R ----------------------------------------------------------------------------------------------- */

ph_status arr_lap_qr(arr_dtype t, int64_t m64, int64_t n64, void *a, void *tau, ph_err *err) {
    space s = {0};
    arr_c128 query;
    ph_status st;
    PH_TRY(check_size(m64, n64, err));
    PH_TRY(arr_lin_open(err));
    int m = (int)m64, n = (int)n64, ld = at_least_1(m64), ask = -1, info;
    BY_TYPE3(t, LAPACK_sgeqrf(&m, &n, a, &ld, tau, (void *)&query, &ask, &info),
             LAPACK_dgeqrf(&m, &n, a, &ld, tau, (void *)&query, &ask, &info),
             LAPACK_zgeqrf(&m, &n, a, &ld, tau, (void *)&query, &ask, &info));
    double size = asked(t, &query, at_least_1(n64));
    PH_TRY(take_space(&s, t, size, 0, 0, err));
    int lwork = (int)size;
    BY_TYPE3(t, LAPACK_sgeqrf(&m, &n, a, &ld, tau, s.work, &lwork, &info),
             LAPACK_dgeqrf(&m, &n, a, &ld, tau, s.work, &lwork, &info),
             LAPACK_zgeqrf(&m, &n, a, &ld, tau, s.work, &lwork, &info));
done:
    free_space(&s);
    return st;
}

ph_status arr_lap_qr_q(arr_dtype t, int64_t m64, int64_t n64, int64_t k64, void *q, const void *tau,
                       ph_err *err) {
    space s = {0};
    arr_c128 query;
    ph_status st;
    PH_TRY(check_size(m64, n64, err));
    int m = (int)m64, n = (int)n64, k = (int)k64, ld = at_least_1(m64), ask = -1, info;
    BY_TYPE3(t, LAPACK_sorgqr(&m, &n, &k, q, &ld, tau, (void *)&query, &ask, &info),
             LAPACK_dorgqr(&m, &n, &k, q, &ld, tau, (void *)&query, &ask, &info),
             LAPACK_zungqr(&m, &n, &k, q, &ld, tau, (void *)&query, &ask, &info));
    double size = asked(t, &query, at_least_1(n64));
    PH_TRY(take_space(&s, t, size, 0, 0, err));
    int lwork = (int)size;
    BY_TYPE3(t, LAPACK_sorgqr(&m, &n, &k, q, &ld, tau, s.work, &lwork, &info),
             LAPACK_dorgqr(&m, &n, &k, q, &ld, tau, s.work, &lwork, &info),
             LAPACK_zungqr(&m, &n, &k, q, &ld, tau, s.work, &lwork, &info));
done:
    free_space(&s);
    return st;
}

/* ---- singular values ----------------------------------------------------------------------------------- */

/* The documented least workspaces. */
static void svd_least(double *work, double *real, arr_dtype t, bool vectors, double m, double n) {
    double lo = m < n ? m : n, hi = m < n ? n : m;
    if (t == ARR_F64) {
        *work = vectors ? 4 * lo * lo + 7 * lo + hi : 3 * lo + (hi > 7 * lo ? hi : 7 * lo);
        *real = 0;
    } else {
        *work = vectors ? lo * lo + 3 * lo + hi : 2 * lo + hi;
        *real = vectors ? 7 * lo * lo + 7 * lo + 2 * hi * lo : 7 * lo;
    }
    if (*work < 1) *work = 1;
}

ph_status arr_lap_svd_fits(arr_dtype t, bool vectors, int64_t m, int64_t n, ph_err *err) {
    double work, real;
    svd_least(&work, &real, t, vectors, (double)m, (double)n);
    ph_status st = check_size(m, n, err);
    if (st == PH_OK) st = check_count(work, err);
    return st == PH_OK ? check_count(real, err) : st;
}

ph_status arr_lap_svd(int *info, arr_dtype t, char job, int64_t m64, int64_t n64, void *a, double *sv,
                      void *u, void *vt, ph_err *err) {
    space s = {0};
    arr_c128 query;
    bool real = t == ARR_F64;
    double least, least_real, lo = (double)(m64 < n64 ? m64 : n64);
    ph_status st;
    PH_TRY(arr_lap_svd_fits(t, job != 'N', m64, n64, err));
    svd_least(&least, &least_real, t, job != 'N', (double)m64, (double)n64);
    PH_TRY(arr_lin_open(err));
    int m = (int)m64, n = (int)n64, k = m < n ? m : n, lda = at_least_1(m64), ask = -1;
    int ldu = at_least_1(m64), ldvt = job == 'A' ? at_least_1(n64) : at_least_1(k);
    if (real) LAPACK_dgesdd(&job, &m, &n, a, &lda, sv, u, &ldu, vt, &ldvt, (void *)&query, &ask, NULL, info);
    else LAPACK_zgesdd(&job, &m, &n, a, &lda, sv, u, &ldu, vt, &ldvt, (void *)&query, &ask, NULL, NULL, info);
    double size = asked(t, &query, least);
    PH_TRY(take_space(&s, t, size, least_real, 8 * lo, err));
    int lwork = (int)size;
    if (real) LAPACK_dgesdd(&job, &m, &n, a, &lda, sv, u, &ldu, vt, &ldvt, s.work, &lwork, s.ints, info);
    else LAPACK_zgesdd(&job, &m, &n, a, &lda, sv, u, &ldu, vt, &ldvt, s.work, &lwork, s.real, s.ints, info);
done:
    free_space(&s);
    return st;
}

/* Least sizes by the documentation of dgelsd and zgelsd, with leaves of SMLSIZ = 25 and NLVL <= 32 levels. */
ph_status arr_lap_lstsq(int *info, int *rank, arr_dtype t, int64_t m64, int64_t n64, int64_t k64, void *a,
                        void *b, double *sv, double rcond, ph_err *err) {
    space s = {0};
    ph_status st;
    PH_TRY(check_size(m64 > n64 ? m64 : n64, k64, err));
    PH_TRY(arr_lin_open(err));
    bool real = t == ARR_F64;
    double lo = (double)(m64 < n64 ? m64 : n64), hi = (double)(m64 < n64 ? n64 : m64), k = (double)k64;
    enum { LEAF = 25, LEVELS = 32 };
    double least =
        real ? 12 * lo + 2 * lo * LEAF + 8 * lo * LEVELS + lo * k + (LEAF + 1) * (LEAF + 1) + hi + lo * lo
             : 2 * lo + lo * k + hi + lo * lo;
    double least_real = real ? 0
                             : 10 * lo + 2 * lo * LEAF + 8 * lo * LEVELS + 3 * LEAF * k +
                                   ((LEAF + 1) * (LEAF + 1) > lo * (1 + k) + 2 * k ? (LEAF + 1) * (LEAF + 1)
                                                                                   : lo * (1 + k) + 2 * k);
    PH_TRY(take_space(&s, t, least + 64 * (lo + hi + k), least_real, (3 * LEVELS + 11) * lo,
                      err)); /* and blocks of 64 */
    int m = (int)m64, n = (int)n64, nb = (int)k64, lda = at_least_1(m64),
        lwork = (int)(least + 64 * (lo + hi + k));
    int ldb = at_least_1(m64 > n64 ? m64 : n64);
    if (real) LAPACK_dgelsd(&m, &n, &nb, a, &lda, b, &ldb, sv, &rcond, rank, s.work, &lwork, s.ints, info);
    else LAPACK_zgelsd(&m, &n, &nb, a, &lda, b, &ldb, sv, &rcond, rank, s.work, &lwork, s.real, s.ints, info);
done:
    free_space(&s);
    return st;
}

/* ---- eigenvalues --------------------------------------------------------------------------------------- */

ph_status arr_lap_eigh_fits(int64_t n, ph_err *err) {
    ph_status st = check_size(n, 0, err);
    return st == PH_OK ? check_count(1 + 6 * (double)n + 2 * (double)n * (double)n, err) : st;
}

ph_status arr_lap_eigh(int *info, arr_dtype t, int64_t n64, void *a, double *values, ph_err *err) {
    space s = {0};
    ph_status st;
    PH_TRY(arr_lap_eigh_fits(n64, err));
    PH_TRY(arr_lin_open(err));
    bool is_real = t == ARR_F64;
    double size = (double)n64, square = 1 + 6 * size + 2 * size * size;
    double work = is_real ? square : 2 * size + size * size + 64 * size, real = is_real ? 0 : square,
           ints = 3 + 5 * size;
    PH_TRY(take_space(&s, t, work, real, ints, err));
    int n = (int)n64, ld = at_least_1(n64), lwork = (int)work, lreal = (int)real, lints = (int)ints;
    if (is_real) LAPACK_dsyevd("V", "L", &n, a, &ld, values, s.work, &lwork, s.ints, &lints, info);
    else LAPACK_zheevd("V", "L", &n, a, &ld, values, s.work, &lwork, s.real, &lreal, s.ints, &lints, info);
done:
    free_space(&s);
    return st;
}

/* dgeev gives a conjugate pair, positive imaginary part first, as two real columns: v_j = x_j + i x_{j+1},
 * then its conjugate. */
static void unpack_pairs(int64_t n, const double *re, const double *im, const double *x, arr_c128 *values,
                         arr_c128 *vectors) {
    for (int64_t j = 0; j < n; j++) {
        values[j] = (arr_c128){re[j], im[j]};
        const double *a = x + (im[j] < 0 ? j - 1 : j) * n, *b = a + n;
        for (int64_t i = 0; i < n; i++)
            vectors[j * n + i] = (arr_c128){a[i], im[j] == 0 ? 0 : im[j] > 0 ? b[i] : -b[i]};
    }
}

static ph_status eig_real(int *info, int64_t n64, double *a, arr_c128 *values, arr_c128 *vectors,
                          ph_err *err) {
    space s = {0};
    double *x = NULL, query;
    void *p = NULL;
    int n = (int)n64, ld = at_least_1(n64), one = 1, ask = -1;
    ph_status st;
    LAPACK_dgeev("N", "V", &n, a, &ld, NULL, NULL, NULL, &one, NULL, &ld, &query, &ask, info);
    double size = asked(ARR_F64, &query, 4.0 * ld);
    PH_TRY(take_space(&s, ARR_F64, size, 2 * (double)n64, 0, err));
    PH_TRY(take(&p, (double)n64 * (double)n64, sizeof *x, err));
    x = p;
    int lwork = (int)size;
    LAPACK_dgeev("N", "V", &n, a, &ld, s.real, s.real + n, NULL, &one, x, &ld, s.work, &lwork, info);
    if (*info == 0) unpack_pairs(n64, s.real, s.real + n, x, values, vectors);
done:
    ph_free(x);
    free_space(&s);
    return st;
}

static ph_status eig_complex(int *info, int64_t n64, void *a, arr_c128 *values, arr_c128 *vectors,
                             ph_err *err) {
    space s = {0};
    arr_c128 query;
    double real_query; /* zgeev writes there too */
    int n = (int)n64, ld = at_least_1(n64), one = 1, ask = -1;
    ph_status st;
    LAPACK_zgeev("N", "V", &n, a, &ld, NULL, NULL, &one, NULL, &ld, (void *)&query, &ask, &real_query, info);
    double size = asked(ARR_C128, &query, 2.0 * ld);
    PH_TRY(take_space(&s, ARR_C128, size, 2 * (double)n64, 0, err));
    int lwork = (int)size;
    LAPACK_zgeev("N", "V", &n, a, &ld, (void *)values, NULL, &one, (void *)vectors, &ld, s.work, &lwork,
                 s.real, info);
done:
    free_space(&s);
    return st;
}

ph_status arr_lap_eig(int *info, arr_dtype t, int64_t n, void *a, arr_c128 *values, arr_c128 *vectors,
                      ph_err *err) {
    ph_status st = check_size(n, 0, err);
    if (st == PH_OK) st = arr_lin_open(err);
    if (st != PH_OK) return st;
    return t == ARR_F64 ? eig_real(info, n, a, values, vectors, err)
                        : eig_complex(info, n, a, values, vectors, err);
}
