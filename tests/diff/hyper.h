/* hyper.h: second derivatives without any of the program's own: hyper-dual numbers in plain loops.
 *
 *     x = v + a e + b e' + ab e e',   e^2 = e'^2 = 0
 *     f(x) = f(v) + a f'(v) e + b f'(v) e' + (ab f'(v) + a b f''(v)) e e'
 *
 * With e put on variable i and e' on variable j, the last part of f is the derivative by both (Fike and Alonso 2011). No step size
 * and no truncation: what is left is rounding. Matrices are small and row-major; everything is written from the definitions,
 * by indices, and calls nothing of src/.
 */
#ifndef PH_TEST_HYPER_H
#define PH_TEST_HYPER_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    double v, a, b, ab;
} hd;

#define HD static inline __attribute__((unused))

HD hd hd_of(double v) { return (hd){v, 0, 0, 0}; }

/* f(x), given the value, first and second derivative of f at x.v */
HD hd hd_chain(hd x, double f, double f1, double f2) {
    return (hd){f, f1 * x.a, f1 * x.b, f1 * x.ab + f2 * x.a * x.b};
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

HD hd hd_add(hd x, hd y) { return (hd){x.v + y.v, x.a + y.a, x.b + y.b, x.ab + y.ab}; }
HD hd hd_sub(hd x, hd y) { return (hd){x.v - y.v, x.a - y.a, x.b - y.b, x.ab - y.ab}; }
HD hd hd_scale(double c, hd x) { return (hd){c * x.v, c * x.a, c * x.b, c * x.ab}; }
HD hd hd_mul(hd x, hd y) {
    return (hd){x.v * y.v, x.v * y.a + x.a * y.v, x.v * y.b + x.b * y.v,
                x.v * y.ab + x.a * y.b + x.b * y.a + x.ab * y.v};
}
HD hd hd_recip(hd x) {
    double r = 1 / x.v;
    return hd_chain(x, r, -r * r, 2 * r * r * r);
}
HD hd hd_div(hd x, hd y) { return hd_mul(x, hd_recip(y)); }

/* ---- functions ----------------------------------------------------------------------------------------- */

HD hd hd_exp(hd x) {
    double e = exp(x.v);
    return hd_chain(x, e, e, e);
}
HD hd hd_log(hd x) { return hd_chain(x, log(x.v), 1 / x.v, -1 / (x.v * x.v)); }
HD hd hd_sin(hd x) { return hd_chain(x, sin(x.v), cos(x.v), -sin(x.v)); }
HD hd hd_cos(hd x) { return hd_chain(x, cos(x.v), -sin(x.v), -cos(x.v)); }
HD hd hd_tanh(hd x) {
    double t = tanh(x.v), s = 1 - t * t;
    return hd_chain(x, t, s, -2 * t * s);
}
HD hd hd_sigmoid(hd x) {
    double s = 1 / (1 + exp(-x.v)), d = s * (1 - s);
    return hd_chain(x, s, d, d * (1 - 2 * s));
}
HD hd hd_sqrt(hd x) {
    double r = sqrt(x.v);
    return hd_chain(x, r, 0.5 / r, -0.25 / (r * x.v));
}
HD hd hd_pow(hd x, double p) {
    return hd_chain(x, pow(x.v, p), p * pow(x.v, p - 1), p * (p - 1) * pow(x.v, p - 2));
}
HD hd hd_atan(hd x) {
    double d = 1 / (1 + x.v * x.v);
    return hd_chain(x, atan(x.v), d, -2 * x.v * d * d);
}
HD hd hd_abs(hd x) { return x.v < 0 ? hd_scale(-1, x) : x; }

/* ---- matrices ------------------------------------------------------------------------------------------ */

typedef struct {
    int rows, cols;
    hd *at; /* row-major, in the pool */
} hm;

#define HM_POOL 65536
static hd hm_pool[HM_POOL];
static int hm_used;
HD void hm_reset(void) { hm_used = 0; }

HD hm hm_new(int rows, int cols) {
    hm m = {rows, cols, hm_pool + hm_used};
    hm_used += rows * cols;
    assert(hm_used <= HM_POOL);
    memset(m.at, 0, (size_t)(rows * cols) * sizeof *m.at);
    return m;
}
#define HM(m, i, j) ((m).at[(i) * (m).cols + (j)])

HD hm hm_of(const double *x, int rows, int cols) {
    hm m = hm_new(rows, cols);
    for (int i = 0; i < rows * cols; i++) m.at[i] = hd_of(x[i]);
    return m;
}
HD hm hm_map(hd (*f)(hd), hm x) {
    hm y = hm_new(x.rows, x.cols);
    for (int i = 0; i < x.rows * x.cols; i++) y.at[i] = f(x.at[i]);
    return y;
}
/* Elementwise; a row or a column of one is repeated. */
HD hm hm_zip(hd (*f)(hd, hd), hm x, hm y) {
    hm z = hm_new(x.rows > y.rows ? x.rows : y.rows, x.cols > y.cols ? x.cols : y.cols);
    for (int i = 0; i < z.rows; i++)
        for (int j = 0; j < z.cols; j++)
            HM(z, i, j) = f(HM(x, x.rows == 1 ? 0 : i, x.cols == 1 ? 0 : j),
                            HM(y, y.rows == 1 ? 0 : i, y.cols == 1 ? 0 : j));
    return z;
}
HD hm hm_mul(hm x, hm y) {
    hm z = hm_new(x.rows, y.cols);
    assert(x.cols == y.rows);
    for (int i = 0; i < x.rows; i++)
        for (int j = 0; j < y.cols; j++)
            for (int k = 0; k < x.cols; k++)
                HM(z, i, j) = hd_add(HM(z, i, j), hd_mul(HM(x, i, k), HM(y, k, j)));
    return z;
}
HD hm hm_t(hm x) {
    hm y = hm_new(x.cols, x.rows);
    for (int i = 0; i < x.rows; i++)
        for (int j = 0; j < x.cols; j++) HM(y, j, i) = HM(x, i, j);
    return y;
}
HD hm hm_scale(double c, hm x) {
    hm y = hm_new(x.rows, x.cols);
    for (int i = 0; i < x.rows * x.cols; i++) y.at[i] = hd_scale(c, x.at[i]);
    return y;
}
HD hd hm_sum(hm x) {
    hd s = hd_of(0);
    for (int i = 0; i < x.rows * x.cols; i++) s = hd_add(s, x.at[i]);
    return s;
}

/* ---- what transformers are made of --------------------------------------------------------------------- */

/* Rows to weights; -inf has weight 0, and takes no part in the derivatives. */
HD hm hm_softmax(hm x) {
    hm y = hm_new(x.rows, x.cols);
    for (int i = 0; i < x.rows; i++) {
        hd sum = hd_of(0);
        double top = -INFINITY;
        for (int j = 0; j < x.cols; j++) top = fmax(top, HM(x, i, j).v);
        for (int j = 0; j < x.cols; j++) {
            if (HM(x, i, j).v == -INFINITY) continue;
            HM(y, i, j) = hd_exp(hd_sub(HM(x, i, j), hd_of(top)));
            sum = hd_add(sum, HM(y, i, j));
        }
        if (top == -INFINITY) continue;
        for (int j = 0; j < x.cols; j++) HM(y, i, j) = hd_div(HM(y, i, j), sum);
    }
    return y;
}

/* Rows of x less their mean (centred), over the root of their mean square + eps; then gain and bias, rows of x.cols. */
HD hm hm_norm(hm x, bool centred, double eps, hm gain, hm bias) {
    hm y = hm_new(x.rows, x.cols);
    for (int i = 0; i < x.rows; i++) {
        hd mean = hd_of(0), square = hd_of(eps);
        for (int j = 0; centred && j < x.cols; j++) mean = hd_add(mean, hd_scale(1.0 / x.cols, HM(x, i, j)));
        for (int j = 0; j < x.cols; j++) {
            hd c = hd_sub(HM(x, i, j), mean);
            square = hd_add(square, hd_scale(1.0 / x.cols, hd_mul(c, c)));
        }
        for (int j = 0; j < x.cols; j++) {
            hd z = hd_div(hd_sub(HM(x, i, j), mean), hd_sqrt(square));
            if (gain.at) z = hd_mul(z, gain.at[j]);
            if (bias.at) z = hd_add(z, bias.at[j]);
            HM(y, i, j) = z;
        }
    }
    return y;
}

/* softmax(Q K^T / sqrt d + bias); causal: query i sees keys j <= i; bias.at NULL: none. */
HD hm hm_weights(hm q, hm k, hm bias, bool causal) {
    hm s = hm_scale(1 / sqrt(q.cols), hm_mul(q, hm_t(k)));
    if (bias.at) s = hm_zip(hd_add, s, bias);
    for (int i = 0; causal && i < s.rows; i++)
        for (int j = i + 1; j < s.cols; j++) HM(s, i, j) = hd_of(-INFINITY);
    return hm_softmax(s);
}
HD hm hm_attention(hm q, hm k, hm v, hm bias, bool causal) {
    return hm_mul(hm_weights(q, k, bias, causal), v);
}

/* Pair (first, second) of row r turned by angle(r, i); half: pairs (i, i + d/2), else (2i, 2i+1). */
HD hm hm_rope(hm x, const hd *position, const hd *theta, bool half) {
    hm y = hm_new(x.rows, x.cols);
    for (int r = 0; r < x.rows; r++)
        for (int i = 0; i < x.cols / 2; i++) {
            int p = half ? i : 2 * i, q = half ? i + x.cols / 2 : 2 * i + 1;
            hd angle = hd_mul(position[r], theta[i]), c = hd_cos(angle), s = hd_sin(angle);
            HM(y, r, p) = hd_sub(hd_mul(HM(x, r, p), c), hd_mul(HM(x, r, q), s));
            HM(y, r, q) = hd_add(hd_mul(HM(x, r, p), s), hd_mul(HM(x, r, q), c));
        }
    return y;
}

/* ---- linear algebra ------------------------------------------------------------------------------------ */

/* X with A X = B, by elimination with the largest pivot; *det (may be NULL) becomes the determinant. */
HD hm hm_solve(hm a, hm b, hd *det) {
    int n = a.rows;
    hm l = hm_new(n, n), x = hm_new(n, b.cols);
    hd d = hd_of(1);
    memcpy(l.at, a.at, (size_t)(n * n) * sizeof *l.at);
    memcpy(x.at, b.at, (size_t)(n * b.cols) * sizeof *x.at);
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c; r < n; r++)
            if (fabs(HM(l, r, c).v) > fabs(HM(l, p, c).v)) p = r;
        for (int j = 0; p != c && j < n; j++) {
            hd t = HM(l, c, j);
            HM(l, c, j) = HM(l, p, j), HM(l, p, j) = t;
        }
        for (int j = 0; p != c && j < b.cols; j++) {
            hd t = HM(x, c, j);
            HM(x, c, j) = HM(x, p, j), HM(x, p, j) = t;
        }
        d = hd_mul(p != c ? hd_scale(-1, d) : d, HM(l, c, c));
        for (int r = 0; r < n; r++) {
            if (r == c) continue;
            hd f = hd_div(HM(l, r, c), HM(l, c, c));
            for (int j = c; j < n; j++) HM(l, r, j) = hd_sub(HM(l, r, j), hd_mul(f, HM(l, c, j)));
            for (int j = 0; j < b.cols; j++) HM(x, r, j) = hd_sub(HM(x, r, j), hd_mul(f, HM(x, c, j)));
        }
    }
    for (int r = 0; r < n; r++)
        for (int j = 0; j < b.cols; j++) HM(x, r, j) = hd_div(HM(x, r, j), HM(l, r, r));
    if (det) *det = d;
    return x;
}
HD hm hm_eye(int n) {
    hm e = hm_new(n, n);
    for (int i = 0; i < n; i++) HM(e, i, i) = hd_of(1);
    return e;
}

/* Lower L with L L^T = A. */
HD hm hm_cholesky(hm a) {
    hm l = hm_new(a.rows, a.rows);
    for (int j = 0; j < a.rows; j++)
        for (int i = j; i < a.rows; i++) {
            hd s = HM(a, i, j);
            for (int k = 0; k < j; k++) s = hd_sub(s, hd_mul(HM(l, i, k), HM(l, j, k)));
            HM(l, i, j) = i == j ? hd_sqrt(s) : hd_div(s, HM(l, j, j));
        }
    return l;
}

/* Eigenvalues on w, ascending, vectors as columns of the result, by cyclic Jacobi rotations of a symmetric matrix. A rotation that
 * makes entry (p, q) zero does so with its derivatives; eight sweeps more than values need bring these to rest. */
HD hm hm_eigh(hd *w, hm a0) {
    int n = a0.rows;
    hm a = hm_new(n, n), v = hm_eye(n);
    memcpy(a.at, a0.at, (size_t)(n * n) * sizeof *a.at);
    for (int sweep = 0; sweep < 16; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                hd off = HM(a, p, q);
                if (off.v == 0 && off.a == 0 && off.b == 0 && off.ab == 0) continue;
                /* tan t of the rotation: t = 2 off / (d + sign(d) sqrt(d^2 + 4 off^2)), d = a_qq - a_pp */
                hd d = hd_sub(HM(a, q, q), HM(a, p, p));
                hd root = hd_sqrt(hd_add(hd_mul(d, d), hd_scale(4, hd_mul(off, off))));
                hd t = hd_div(hd_scale(2, off), hd_add(d, d.v < 0 ? hd_scale(-1, root) : root));
                hd c = hd_recip(hd_sqrt(hd_add(hd_of(1), hd_mul(t, t)))), s = hd_mul(t, c);
                for (int k = 0; k < n; k++) {
                    hd x = HM(a, k, p), y = HM(a, k, q);
                    HM(a, k, p) = hd_sub(hd_mul(c, x), hd_mul(s, y));
                    HM(a, k, q) = hd_add(hd_mul(s, x), hd_mul(c, y));
                }
                for (int k = 0; k < n; k++) {
                    hd x = HM(a, p, k), y = HM(a, q, k);
                    HM(a, p, k) = hd_sub(hd_mul(c, x), hd_mul(s, y));
                    HM(a, q, k) = hd_add(hd_mul(s, x), hd_mul(c, y));
                }
                for (int k = 0; k < n; k++) {
                    hd x = HM(v, k, p), y = HM(v, k, q);
                    HM(v, k, p) = hd_sub(hd_mul(c, x), hd_mul(s, y));
                    HM(v, k, q) = hd_add(hd_mul(s, x), hd_mul(c, y));
                }
            }
    hm out = hm_new(n, n);
    bool taken[64] = {false};
    for (int to = 0; to < n; to++) {
        int least = -1;
        for (int i = 0; i < n; i++)
            if (!taken[i] && (least < 0 || HM(a, i, i).v < HM(a, least, least).v)) least = i;
        taken[least] = true;
        w[to] = HM(a, least, least);
        for (int k = 0; k < n; k++) HM(out, k, to) = HM(v, k, least);
    }
    return out;
}

/* ---- derivatives --------------------------------------------------------------------------------------- */

/* A function of n variables; the pool is reset before each call. */
typedef hd hd_function(const hd *x, int n, const void *ctx);

#define HD_MAXVARS 256

/* The value; gradient (n) and Hessian (n, n) when not NULL. */
HD double hd_derivatives(double *gradient, double *hessian, hd_function *f, const double *x, int n,
                         const void *ctx) {
    hd at[HD_MAXVARS], y = hd_of(0);
    assert(n <= HD_MAXVARS);
    bool value_only = n == 0 || (!gradient && !hessian);
    for (int i = 0; i < (value_only ? 1 : n); i++)
        for (int j = 0; j <= (hessian ? i : 0); j++) {
            for (int k = 0; k < n; k++) at[k] = (hd){x[k], k == i, k == j, 0};
            hm_reset();
            y = f(at, n, ctx);
            if (n > 0 && gradient) gradient[i] = y.a;
            if (n > 0 && hessian) hessian[i * n + j] = hessian[j * n + i] = y.ab;
        }
    return y.v;
}

#endif
