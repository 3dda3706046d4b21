/* linalg_expm.c: the row on the exponential of a matrix, expm. All work and result in f64 or c128. */
#include "array/linalg.h"

#include <math.h>
#include <string.h>

/* e^A ~ r(A 2^-s)^(2^s), r = (V - U)^-1 (V + U) the diagonal Pade approximant of degree q: V takes its even
 * terms, U its odd ones. The least q with |A|_1 <= theta makes the backward error at most u; above the last
 * theta, A is halved s times first. */
static const struct {
    int degree;
    double theta, b[14];
} pades[] = {
    {3, 1.495585217958292e-2, {120, 60, 12, 1}},
    {5, 2.539398330063230e-1, {30240, 15120, 3360, 420, 30, 1}},
    {7, 9.504178996162932e-1, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
    {9,
     2.097847961257068e0,
     {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1}},
    {13,
     5.371920351148152e0,
     {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
      10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}},
};

/* One norm; of a contiguous (n, n), f64 or c128. */
static double norm1(const arr *a) {
    const double *x = (const double *)a->data;
    int64_t n = a->shape[0];
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double s = 0;
        for (int64_t i = 0; i < n; i++)
            s +=
                a->dtype == ARR_C128 ? hypot(x[2 * (i * n + j)], x[2 * (i * n + j) + 1]) : fabs(x[i * n + j]);
        most = fmax(most, s);
    }
    return most;
}

/* out = c[0] I + c[1] x[0] + ... + c[terms] x[terms-1], contiguous matrices of one type; out may be one of
 * them. */
static void combine(const arr *out, int terms, const double *c, const arr *const *x) {
    int64_t n = out->shape[0], parts = out->dtype == ARR_C128 ? 2 : 1;
    for (int64_t e = 0; e < n * n * parts; e++) {
        double s = 0;
        for (int k = 0; k < terms; k++) s += c[k + 1] * ((const double *)x[k]->data)[e];
        ((double *)out->data)[e] = s;
    }
    for (int64_t i = 0; i < n; i++) ((double *)out->data)[(i * n + i) * parts] += c[0];
}

enum { A1, A2, A4, A6, A8, U, V, TEMP, MATRICES };

/* x = a b; the old x is dropped. */
static ph_status set_product(arr *x, const arr *a, const arr *b, ph_err *err) {
    arr c;
    ph_status st = op_call2(&c, "matmul", a, b, err);
    if (st != PH_OK) return st;
    arr_drop(x);
    *x = c;
    return PH_OK;
}

/* U and V of the given degree, from w[A1]; leaves the even powers in w. */
static ph_status pade_terms(arr *w, int degree, const double *b, ph_err *err) {
    const arr *even[] = {&w[A2], &w[A4], &w[A6], &w[A8]};
    double odd_terms[5], even_terms[5];
    int powers = degree == 13 ? 3 : degree / 2;
    ph_status st;
    PH_TRY(set_product(&w[A2], &w[A1], &w[A1], err));
    if (powers > 1) PH_TRY(set_product(&w[A4], &w[A2], &w[A2], err));
    if (powers > 2) PH_TRY(set_product(&w[A6], &w[A4], &w[A2], err));
    if (powers > 3) PH_TRY(set_product(&w[A8], &w[A6], &w[A2], err));
    for (int k = 0; k <= powers; k++) {
        even_terms[k] = b[2 * k];
        odd_terms[k] = b[2 * k + 1];
    }
    if (degree == 13) { /* the upper halves are A^6 times combinations of A^2, A^4, A^6 */
        double high_odd[] = {0, b[9], b[11], b[13]}, high_even[] = {0, b[8], b[10], b[12]}, one[] = {0, 1, 1};
        combine(&w[TEMP], 3, high_odd, even);
        PH_TRY(set_product(&w[U], &w[A6], &w[TEMP], err));
        combine(&w[TEMP], 3, odd_terms, even);
        combine(&w[TEMP], 2, one, (const arr *const[]){&w[TEMP], &w[U]});
        PH_TRY(set_product(&w[U], &w[A1], &w[TEMP], err));
        combine(&w[TEMP], 3, high_even, even);
        PH_TRY(set_product(&w[V], &w[A6], &w[TEMP], err));
        combine(&w[TEMP], 3, even_terms, even);
        combine(&w[V], 2, one, (const arr *const[]){&w[TEMP], &w[V]});
    } else {
        combine(&w[TEMP], powers, odd_terms, even);
        PH_TRY(set_product(&w[U], &w[A1], &w[TEMP], err));
        combine(&w[V], powers, even_terms, even);
    }
done:
    return st;
}

/* The greatest column sum of |A|^27, as its log2; -inf where it is 0. */
static ph_status log_of_power(double *out, const arr *a, ph_err *err) {
    const double *x = (const double *)a->data;
    int64_t n = a->shape[0];
    bool parts = a->dtype == ARR_C128;
    double *v = ph_calloc(2 * (uint64_t)n, sizeof *v), *next = v + n, most = 1;
    if (!v) return ph_fail_nomem(err, 2 * (size_t)n * sizeof *v);
    for (int64_t j = 0; j < n; j++) v[j] = 1;
    *out = 0;
    for (int k = 0; k < 27 && most > 0; k++) { /* divided by its greatest each time: nothing overflows */
        memset(next, 0, (size_t)n * sizeof *v);
        for (int64_t e = 0; e < n * n; e++)
            next[e % n] += v[e / n] * (parts ? hypot(x[2 * e], x[2 * e + 1]) : fabs(x[e]));
        most = 0;
        for (int64_t j = 0; j < n; j++) most = fmax(most, next[j]);
        for (int64_t j = 0; j < n; j++) v[j] = most > 0 ? next[j] / most : 0;
        *out += log2(most);
    }
    ph_free(v);
    return PH_OK;
}

/* How many of the halvings are needless. Powers of A = w[A1] may be far smaller than its norm says: of the size
 * eta = min(max(|A^4|^(1/4), |A^6|^(1/6)), max(|A^6|^(1/6), |A^8|^(1/8))), which is 0 of a nilpotent matrix. 2^t A may be taken while its eta is
 * at most theta and the first term that the approximant leaves out, |2^t A|^27/c, at most u |2^t A| (Al-Mohy and Higham 2009, algorithm 5.1, for
 * degree 13). Each halving more is a squaring more, of what is rounded: a 1 on the diagonal would be off by 2^halvings u. */
static ph_status needless(int *out, arr *w, int halvings, double theta, ph_err *err) {
    static const double log_c = 116.4470; /* of 26! 27!/(13!)^2, rounded down */
    double left = 0, eta;
    ph_status st;
    PH_TRY(set_product(&w[A2], &w[A1], &w[A1], err));
    PH_TRY(set_product(&w[A4], &w[A2], &w[A2], err));
    PH_TRY(set_product(&w[A6], &w[A4], &w[A2], err));
    PH_TRY(set_product(&w[A8], &w[A4], &w[A4], err));
    double size[] = {pow(norm1(&w[A4]), 1. / 4), pow(norm1(&w[A6]), 1. / 6), pow(norm1(&w[A8]), 1. / 8)};
    eta = fmin(fmax(size[0], size[1]), fmax(size[1], size[2]));
    PH_TRY(log_of_power(&left, &w[A1], err));
    double by_size = log2(theta / eta), by_term = (log_c - 53 + log2(norm1(&w[A1])) - left) / 26;
    *out = (int)fmax(0, fmin(halvings, floor(fmin(by_size, by_term))));
done:
    return st;
}

/* w[A1] becomes its exponential. */
static ph_status expm_one(arr *w, ph_err *err) {
    int last = (int)(sizeof pades / sizeof pades[0]) - 1, p = 0, halvings = 0;
    double norm = norm1(&w[A1]);
    ph_status st;
    if (!isfinite(norm)) return ph_fail(err, PH_EUNABLE, "the norm of A passes the largest f64");
    while (p < last && norm > pades[p].theta) p++;
    if (norm > pades[p].theta) halvings = (int)fmax(0, ceil(log2(norm / pades[p].theta)));
    combine(&w[A1], 1, (double[]){0, ldexp(1, -halvings)}, (const arr *const[]){&w[A1]});
    if (halvings) {
        int undone;
        PH_TRY(needless(&undone, w, halvings, pades[p].theta, err));
        halvings -= undone;
        combine(&w[A1], 1, (double[]){0, ldexp(1, undone)}, (const arr *const[]){&w[A1]});
    }
    if (halvings > 52)
        PH_TRY(ph_fail(err, PH_EUNABLE, "A is so large that no digit of its exponential would be certain"));
    PH_TRY(pade_terms(w, pades[p].degree, pades[p].b, err));
    combine(&w[TEMP], 2, (double[]){0, -1, 1}, (const arr *const[]){&w[U], &w[V]});
    combine(&w[V], 2, (double[]){0, 1, 1}, (const arr *const[]){&w[U], &w[V]});
    arr_drop(&w[A1]);
    PH_TRY(op_call2(&w[A1], "solve", &w[TEMP], &w[V], err));
    for (int k = 0; k < halvings; k++) PH_TRY(set_product(&w[A1], &w[A1], &w[A1], err));
    st = arr_lin_finish(&w[A1], err);
done:
    return st;
}

LIN_SHAPE(expm_shape) {
    LIN_UNUSED;
    *out = (op_spec){.dtype = arr_lin_wide(in->dtype), .ndim = in->ndim};
    memcpy(out->shape, in->shape, sizeof out->shape);
    return arr_lin_check_matrix(in, "A", true, true, err);
}

LIN_FORWARD(expm_forward) {
    LIN_UNUSED;
    arr w[MATRICES] = {ARR_NONE};
    lin_stack a = LIN_NONE;
    int64_t n = out->shape[out->ndim - 1];
    ph_status st;
    if (arr_size(out) == 0) return PH_OK;
    size_t bytes = (size_t)(n * n) * arr_itemsize(out->dtype);
    PH_TRY(arr_lin_load(&a, in, out->dtype, "A", attrs, err)); /* transposes: exp(A^T) = exp(A)^T */
    for (int64_t b = 0; b < a.count; b++) {
        for (int k = 0; k < MATRICES; k++) {
            arr_drop(&w[k]);
            PH_TRY(arr_zeros(&w[k], out->dtype, 2, (int64_t[]){n, n}, err));
        }
        memcpy(w[A1].data, arr_lin_at(&a, b), bytes);
        PH_TRY(expm_one(w, err));
        memcpy(arr_lin_at(&a, b), w[A1].data, bytes);
    }
    st = arr_lin_store(out, &a, err);
done:
    for (int k = 0; k < MATRICES; k++) arr_drop(&w[k]);
    arr_lin_drop(&a);
    return st;
}

const op arr_expm_ops[] = {
    LIN_ROW("expm", OP_SIG_X, 1, 1, 1, OP_SMOOTH, expm_shape, expm_forward),
};
const int arr_expm_nops = sizeof arr_expm_ops / sizeof arr_expm_ops[0];
