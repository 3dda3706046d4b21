/* folds.c: the rows of reductions: what is remembered of a block, how two blocks join, what results.
 *
 * f32 and bool are folded in f64 and rounded once at the end. A NaN anywhere makes sum, prod, mean, var, std,
 * norm, min, max and logsumexp NaN; argmin and argmax give the first NaN's position.
 */
#include "array/elementwise.h"
#include "array/reduce.h"

#include "array/vmath.h"

#include <float.h>
#include <math.h>

#define LANES 16

/* ---- sums ---------------------------------------------------------------------------------------------- */

/* sum: 16 lanes of 64 terms in a block of 1024, the lanes and then the blocks as balanced trees. With u =
 * 2^-53 and n terms the error is at most (67 + ceil(log2(n/1024))) u times the sum of |x|, to first order. */
static double lanes_sum(const double *s) {
    double t[LANES / 2];
    for (int k = 0; k < 8; k++) t[k] = s[k] + s[k + 8];
    for (int k = 0; k < 4; k++) t[k] += t[k + 4];
    return (t[0] + t[2]) + (t[1] + t[3]);
}

#define BLOCK_SUM(NAME, STEP, EXPR)                                                                          \
    ARR_CLONES static double NAME(const double *x, int64_t n, double c) {                                    \
        double s[LANES] = {0};                                                                               \
        (void)c;                                                                                             \
        int64_t i = 0;                                                                                       \
        for (; i + LANES <= n; i += LANES)                                                                   \
            for (int k = 0; k < LANES; k++) {                                                                \
                const double t = x[(i + k) * STEP];                                                          \
                s[k] += EXPR;                                                                                \
            }                                                                                                \
        for (int k = 0; i < n; i++, k++) {                                                                   \
            const double t = x[i * STEP];                                                                    \
            s[k] += EXPR;                                                                                    \
        }                                                                                                    \
        return lanes_sum(s);                                                                                 \
    }

BLOCK_SUM(sum_block, 1, t)
BLOCK_SUM(sum_block2, 2, t) /* every other: the parts of complex numbers */
BLOCK_SUM(square_block, 1, (t - c) * (t - c))
BLOCK_SUM(square_block2, 2, (t - c) * (t - c))

static void sum_real(red_acc *a, const void *x, int64_t n, int64_t from) {
    (void)from;
    a->v[0] = sum_block(x, n, 0);
}
/* The same sums for 8 neighbouring lines at once: row p of the tile is x[p*step .. p*step+7]. */
#define TILE_SUMS(NAME, T)                                                                                   \
    static inline __attribute__((always_inline)) void NAME(double *out, const T *x, int64_t step,            \
                                                           int64_t n) {                                      \
        double s[LANES][RED_TILE] = {{0}};                                                                   \
        for (int64_t p = 0; p < n; p++)                                                                      \
            for (int i = 0; i < RED_TILE; i++) s[p % LANES][i] += x[p * step + i];                           \
        for (int half = LANES / 2; half > 2; half /= 2)                                                      \
            for (int k = 0; k < half; k++)                                                                   \
                for (int i = 0; i < RED_TILE; i++) s[k][i] += s[k + half][i];                                \
        for (int i = 0; i < RED_TILE; i++) out[i] = (s[0][i] + s[2][i]) + (s[1][i] + s[3][i]);               \
    }
TILE_SUMS(tile_sums, double)
TILE_SUMS(tile_sums_f32, float)
ARR_CLONES static void sum_tile(red_acc *a, const double *x, int64_t step, int64_t n) {
    double v[RED_TILE];
    tile_sums(v, x, step, n);
    for (int i = 0; i < RED_TILE; i++) a[i].v[0] = v[i];
}
ARR_CLONES static void sum_tile_f32(red_acc *a, const float *x, int64_t step, int64_t n) {
    double v[RED_TILE];
    tile_sums_f32(v, x, step, n);
    for (int i = 0; i < RED_TILE; i++) a[i].v[0] = v[i];
}
/* The lanes of fewer numbers than there are lanes. A lane begins at 0, so that a sum of -0 is 0; here 0 is added once, at the end. */
static inline __attribute__((always_inline)) double few(const double *x, const int64_t n) {
    double s[LANES];
    for (int k = 0; k < LANES; k++) s[k] = k < n ? x[k] : 0;
    return lanes_sum(s) + 0.0;
}
#define FEW(N)                                                                                               \
    case N:                                                                                                  \
        for (int64_t i = 0; i < lines; i++) out[i] = few(x + i * apart, N);                                  \
        return;
ARR_CLONES static void sum_rows(double *out, const double *x, int64_t apart, int64_t lines, int64_t n) {
    switch (n) { /* each with a count that the compiler knows */
        FEW(1)
        FEW(2)
        FEW(3) FEW(4) FEW(5) FEW(6) FEW(7) FEW(8) FEW(9) FEW(10) FEW(11) FEW(12) FEW(13) FEW(14) FEW(15)
    }
    for (int64_t i = 0; i < lines; i++) out[i] = sum_block(x + i * apart, n, 0);
}
static void mean_rows(double *out, const double *x, int64_t apart, int64_t lines, int64_t n) {
    sum_rows(out, x, apart, lines, n);
    for (int64_t i = 0; i < lines; i++) out[i] /= (double)n;
}
ARR_CLONES static void sum_columns(double *out, const double *x, int64_t step, int64_t lines, int64_t n) {
    int64_t i = 0;
    for (; i + RED_TILE <= lines; i += RED_TILE) tile_sums(out + i, x + i, step, n);
    for (; i < lines; i++) {
        double line[RED_BLOCK];
        for (int64_t p = 0; p < n; p++) line[p] = x[p * step + i];
        sum_rows(out + i, line, n, 1, n);
    }
}
static void mean_columns(double *out, const double *x, int64_t step, int64_t lines, int64_t n) {
    sum_columns(out, x, step, lines, n);
    for (int64_t i = 0; i < lines; i++) out[i] /= (double)n;
}
static void sum_complex(red_acc *a, const void *x, int64_t n, int64_t from) {
    (void)from;
    a->v[0] = sum_block2(x, n, 0);
    a->v[1] = sum_block2((const double *)x + 1, n, 0);
}
static void sum_join(red_acc *l, const red_acc *r, bool is_complex) {
    l->v[0] += r->v[0];
    if (is_complex) l->v[1] += r->v[1];
}
static arr_c128 sum_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex, (void)attrs;
    return (arr_c128){a->v[0], a->v[1]};
}
static arr_c128 mean_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex, (void)attrs;
    return (arr_c128){a->v[0] / (double)a->n, a->v[1] / (double)a->n};
}

#define SAME                                                                                                 \
    { ARR_BOOL, ARR_F32, ARR_F64, ARR_C128 }
#define FIELD                                                                                                \
    { ARR_F64, ARR_F32, ARR_F64, ARR_C128 } /* bool counts in f64 */
#define REAL                                                                                                 \
    { ARR_F64, ARR_F32, ARR_F64, ARR_F64 }

static const red_kernel sum = {.real = sum_real,
                               .complex = sum_complex,
                               .join = sum_join,
                               .finish = sum_finish,
                               .has_empty = true,
                               .result = FIELD,
                               .tile = sum_tile,
                               .tile_f32 = sum_tile_f32,
                               .rows = sum_rows,
                               .columns = sum_columns};
static const red_kernel mean = {.real = sum_real,
                                .complex = sum_complex,
                                .join = sum_join,
                                .finish = mean_finish,
                                .result = FIELD,
                                .tile = sum_tile,
                                .tile_f32 = sum_tile_f32,
                                .rows = mean_rows,
                                .columns = mean_columns};

/* ---- prod ---------------------------------------------------------------------------------------------- */

/* A running product in each block; blocks join as a tree. Relative error at most (n-1) u to first order. */
static void prod_real(red_acc *a, const void *x_, int64_t n, int64_t from) {
    (void)from;
    const double *x = x_;
    double p[4] = {1, 1, 1, 1};
    for (int64_t i = 0; i < n; i++) p[i & 3] *= x[i];
    a->v[0] = (p[0] * p[1]) * (p[2] * p[3]);
}
static void times(double *a, double re, double im) {
    double x = a[0], y = a[1];
    a[0] = x * re - y * im;
    a[1] = x * im + y * re;
}
static void prod_complex(red_acc *a, const void *x_, int64_t n, int64_t from) {
    (void)from;
    const arr_c128 *x = x_;
    a->v[0] = 1;
    for (int64_t i = 0; i < n; i++) times(a->v, x[i].re, x[i].im);
}
static void prod_join(red_acc *l, const red_acc *r, bool is_complex) {
    if (is_complex) times(l->v, r->v[0], r->v[1]);
    else l->v[0] *= r->v[0];
}
static const red_kernel prod = {.real = prod_real,
                                .complex = prod_complex,
                                .join = prod_join,
                                .finish = sum_finish,
                                .has_empty = true,
                                .empty = 1,
                                .result = FIELD};

/* ---- variance ------------------------------------------------------------------------------------------ */

/* Sums of squares without overflow: s 4^e as a pair, so that a sum beyond all doubles may have a root within them. */
static void add_squares(double *s, double *e, double more, double at) {
    if (more == 0) return;
    double top = *s == 0 ? at : fmax(*e, at);
    *s = ldexp(*s, 2 * (int)(*e - top)) + ldexp(more, 2 * (int)(at - top));
    *e = top;
}

/* Nothing of a sum of squares is lost, nor will be when it is joined: below 2^-900 squares may have vanished. */
static bool keeps_squares(double s) { return s > 0x1p-900 && s < 0x1p900; }

/* The exponent of the largest of n finite numbers; false when there is none, or one that is not finite. */
static bool exponent_of(int *e, const double *x, int64_t n) {
    double top = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return false;
        if (fabs(x[i]) > top) top = fabs(x[i]);
    }
    if (top > 0) *e = ilogb(top);
    return top > 0;
}

/* v = {mean re, mean im, M2, e}, M2 4^e = sum |x - mean|^2. A block is read twice, in cache; two blocks of n and m
 * elements, whose means differ by d, join to M2 + M2' + |d|^2 nm/(n+m) (Chan, Golub, LeVeque 1979). A block whose squares
 * leave the range is folded again, scaled by a power of two, which is exact: of numbers of size 1 a deviation is 0 or at
 * least 2^-54. */
static void var_doubles(double *centre, double *m2, double *e, const double *x, int64_t n, int64_t step) {
    double t[RED_BLOCK];
    int k;
    *centre = (step == 1 ? sum_block : sum_block2)(x, n, 0) / (double)n;
    *m2 = (step == 1 ? square_block : square_block2)(x, n, *centre);
    *e = 0;
    if (keeps_squares(*m2) || (*m2 == 0 && fabs(*centre) > 0x1p-400))
        return; /* equal numbers: they differ by 0 or 2^-454 */
    for (int64_t i = 0; i < n; i++) t[i] = x[i * step];
    if (!exponent_of(&k, t, n)) return;
    for (int64_t i = 0; i < n; i++) t[i] = ldexp(t[i], -k);
    double middle = sum_block(t, n, 0) / (double)n;
    *centre = fmin(fmax(ldexp(middle, k), -DBL_MAX), DBL_MAX);
    *m2 = square_block(t, n, middle);
    *e = k;
}
static void var_real(red_acc *a, const void *x, int64_t n, int64_t from) {
    (void)from;
    var_doubles(&a->v[0], &a->v[2], &a->v[3], x, n, 1);
}
static void var_complex(red_acc *a, const void *x, int64_t n, int64_t from) {
    (void)from;
    double m2, e;
    var_doubles(&a->v[0], &a->v[2], &a->v[3], x, n, 2);
    var_doubles(&a->v[1], &m2, &e, (const double *)x + 1, n, 2);
    add_squares(&a->v[2], &a->v[3], m2, e);
}
static void var_join(red_acc *l, const red_acc *r, bool is_complex) {
    (void)is_complex;
    double n = (double)l->n, m = (double)r->n, t[4] = {l->v[0], l->v[1], r->v[0], r->v[1]};
    double re = t[2] - t[0], im = t[3] - t[1], far = re * re + im * im;
    int k = 0;
    if (!keeps_squares(far) && (re != 0 || im != 0) && exponent_of(&k, t, 4)) {
        for (int i = 0; i < 4; i++) t[i] = ldexp(t[i], -k);
        re = t[2] - t[0], im = t[3] - t[1], far = re * re + im * im;
    }
    l->v[0] = ldexp(t[0] + re * (m / (n + m)), k);
    l->v[1] = ldexp(t[1] + im * (m / (n + m)), k);
    double m2 = r->v[2], e = r->v[3];
    add_squares(&m2, &e, far * (n / (n + m) * m), k);
    add_squares(&l->v[2], &l->v[3], m2, e);
}
/* Divided by n - ddof; NaN when that is not positive. */
static double over_count(const red_acc *a, const op_attrs *attrs) {
    double by = (double)a->n - attrs->num;
    return by > 0 ? a->v[2] / by : NAN;
}
static arr_c128 var_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex;
    return (arr_c128){ldexp(over_count(a, attrs), 2 * (int)a->v[3]), 0};
}
static arr_c128 std_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex;
    return (arr_c128){ldexp(sqrt(over_count(a, attrs)), (int)a->v[3]), 0};
}
static const red_kernel var = {
    .real = var_real, .complex = var_complex, .join = var_join, .finish = var_finish, .result = REAL};
static const red_kernel deviation = {
    .real = var_real, .complex = var_complex, .join = var_join, .finish = std_finish, .result = REAL};

/* ---- norm ---------------------------------------------------------------------------------------------- */

/* sqrt(sum |x|^2): v = {s, e}, a sum of squares as above. */
static void norm_doubles(red_acc *a, const double *x, int64_t n) {
    int e;
    a->v[0] = square_block(x, n, 0);
    a->v[1] = 0;
    if (keeps_squares(a->v[0]) || !exponent_of(&e, x, n)) return;
    a->v[0] = 0;
    a->v[1] = e;
    for (int64_t i = 0; i < n; i++) {
        double t = ldexp(x[i], -e);
        a->v[0] += t * t;
    }
}
static void norm_real(red_acc *a, const void *x, int64_t n, int64_t from) {
    (void)from;
    norm_doubles(a, x, n);
}
static void norm_join(red_acc *l, const red_acc *r, bool is_complex) {
    (void)is_complex;
    add_squares(&l->v[0], &l->v[1], r->v[0], r->v[1]);
}
static void norm_complex(red_acc *a, const void *x, int64_t n, int64_t from) {
    (void)from;
    const double *p = x;
    int64_t half = n; /* 2n doubles, folded as two runs of n so that lanes stay within a block */
    red_acc second = {.n = 0};
    norm_doubles(a, p, half);
    norm_doubles(&second, p + half, half);
    norm_join(a, &second, true);
}
static arr_c128 norm_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex, (void)attrs;
    return (arr_c128){ldexp(sqrt(a->v[0]), (int)a->v[1]), 0};
}
/* ord (attrs.num) 1: sum |x|; 2, or 0 for none given: the above; infinity: max |x|. */
static ph_status norm_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                            ph_err *err) {
    double ord = attrs->num;
    if (ord == 0 || ord == 1 || ord == 2 || ord == INFINITY)
        return arr_red_shape(out, self, in, n, attrs, err);
    return ph_fail(err, PH_EARG, "%s: ord is %g; wanted 1, 2 or inf", self->name, ord);
}
static ph_status norm_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                              ph_err *err) {
    if (attrs->num == 0 || attrs->num == 2) return arr_red_forward(out, self, in, n, attrs, err);
    arr sizes;
    bool most =
        attrs->num == INFINITY && arr_size(in) > 0; /* the largest of none is 0 here, as is their sum */
    ph_status st = op_call1(&sizes, "abs", in, err);
    if (st == PH_OK) st = arr_red_forward(out, op_find(most ? "max" : "sum"), &sizes, 1, attrs, err);
    arr_drop(&sizes);
    return st;
}
static const red_kernel norm = {.real = norm_real,
                                .complex = norm_complex,
                                .join = norm_join,
                                .finish = norm_finish,
                                .has_empty = true,
                                .result = REAL};

/* ---- order --------------------------------------------------------------------------------------------- */

#define NO_ORDER "complex numbers have no order: take abs, re or im first"

/* v[0]: the best value so far, at its first position; a NaN is better than anything. The lanes lose NaNs, but
 * then the running sum is NaN (as it is for inf - inf, and then the slow loop finds none). */
#define WIDE 32
#define EXTREME(NAME, OP)                                                                                    \
    ARR_CLONES static double NAME##_lanes(const double *x, int64_t n) {                                      \
        double m[WIDE];                                                                                      \
        int64_t i = 0;                                                                                       \
        for (int k = 0; k < WIDE; k++) m[k] = x[0];                                                          \
        for (; i + WIDE <= n; i += WIDE)                                                                     \
            for (int k = 0; k < WIDE; k++) m[k] = x[i + k] OP m[k] ? x[i + k] : m[k];                        \
        for (; i < n; i++) m[0] = x[i] OP m[0] ? x[i] : m[0];                                                \
        for (int k = 1; k < WIDE; k++) m[0] = m[k] OP m[0] ? m[k] : m[0];                                    \
        return m[0];                                                                                         \
    }                                                                                                        \
    static int64_t NAME##_at(const double *x, int64_t n, double *best) {                                     \
        int64_t i = 0;                                                                                       \
        if (isnan(sum_block(x, n, 0)))                                                                       \
            for (int64_t k = 0; k < n; k++)                                                                  \
                if (isnan(x[k])) {                                                                           \
                    *best = x[k];                                                                            \
                    return k;                                                                                \
                }                                                                                            \
        *best = NAME##_lanes(x, n);                                                                          \
        while (x[i] != *best) i++;                                                                           \
        return i;                                                                                            \
    }                                                                                                        \
    static void NAME##_real(red_acc *a, const void *x, int64_t n, int64_t from) {                            \
        (void)from;                                                                                          \
        if (isnan(sum_block(x, n, 0))) NAME##_at(x, n, &a->v[0]);                                            \
        else a->v[0] = NAME##_lanes(x, n);                                                                   \
    }                                                                                                        \
    static void NAME##_join(red_acc *l, const red_acc *r, bool is_complex) {                                 \
        (void)is_complex;                                                                                    \
        if (r->v[0] OP l->v[0] || (isnan(r->v[0]) && !isnan(l->v[0]))) {                                     \
            l->v[0] = r->v[0];                                                                               \
            l->at = r->at;                                                                                   \
        }                                                                                                    \
    }                                                                                                        \
    static void arg##NAME##_real(red_acc *a, const void *x, int64_t n, int64_t from) {                       \
        a->at = from + NAME##_at(x, n, &a->v[0]);                                                            \
    }
EXTREME(min, <)
EXTREME(max, >)
static arr_c128 at_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex;
    return (arr_c128){(double)(a->at + attrs->base), 0};
}
static const red_kernel min = {
    .real = min_real, .join = min_join, .finish = sum_finish, .result = SAME, .hint = NO_ORDER};
static const red_kernel max = {
    .real = max_real, .join = max_join, .finish = sum_finish, .result = SAME, .hint = NO_ORDER};
#define POSITION                                                                                             \
    { ARR_F64, ARR_F64, ARR_F64, ARR_F64 }
static const red_kernel argmin = {
    .real = argmin_real, .join = min_join, .finish = at_finish, .result = POSITION, .hint = NO_ORDER};
static const red_kernel argmax = {
    .real = argmax_real, .join = max_join, .finish = at_finish, .result = POSITION, .hint = NO_ORDER};

/* any is max, all is min, of bools; without elements they are false and true. */
static const red_kernel any = {.real = max_real,
                               .join = max_join,
                               .finish = sum_finish,
                               .has_empty = true,
                               .result = SAME,
                               .bool_only = true};
static const red_kernel all = {.real = min_real,
                               .join = min_join,
                               .finish = sum_finish,
                               .has_empty = true,
                               .empty = 1,
                               .result = SAME,
                               .bool_only = true};

/* ---- logsumexp ----------------------------------------------------------------------------------------- */

/* log sum e^x as v = {m, s}: e^m s, m the largest x, so that nothing overflows. */
static void lse_real(red_acc *a, const void *x_, int64_t n, int64_t from) {
    const double *x = x_;
    double term[RED_BLOCK];
    max_real(a, x, n, from);
    double m = isfinite(a->v[0]) ? a->v[0] : 0; /* all -Inf: 0; an Inf or NaN carries itself */
    for (int64_t i = 0; i < n; i++) term[i] = x[i] - m;
    arr_vexp_f64(term, term, n);
    a->v[0] = m;
    a->v[1] = sum_block(term, n, 0);
}
static void lse_join(red_acc *l, const red_acc *r, bool is_complex) {
    (void)is_complex;
    double m = fmax(l->v[0], r->v[0]);
    l->v[1] = l->v[1] * exp(l->v[0] - m) + r->v[1] * exp(r->v[0] - m);
    l->v[0] = m;
}
static arr_c128 lse_finish(const red_acc *a, bool is_complex, const op_attrs *attrs) {
    (void)is_complex, (void)attrs;
    return (arr_c128){a->v[0] + log(a->v[1]), 0};
}
static const red_kernel lse = {.real = lse_real,
                               .join = lse_join,
                               .finish = lse_finish,
                               .has_empty = true,
                               .empty = -INFINITY,
                               .result = {ARR_F64, ARR_F32, ARR_F64, 0},
                               .hint = "it is for real numbers: take re or abs first"};

/* ---- rows ---------------------------------------------------------------------------------------------- */

#define ROW(NAME, FLAGS, KERNEL)                                                                             \
    {                                                                                                        \
        .name = NAME, .min_in = 1, .max_in = 1, .n_out = 1, .sig = OP_SIG_AXIS, .flags = FLAGS,              \
        .shape = arr_red_shape, .forward = arr_red_forward, .kernel = KERNEL                                 \
    }

const op arr_reduce_ops[] = {
    ROW("sum", OP_SMOOTH, &sum),
    ROW("prod", OP_SMOOTH, &prod),
    ROW("mean", OP_SMOOTH, &mean),
    ROW("var", OP_SMOOTH, &var),
    ROW("std", OP_SMOOTH, &deviation),
    {.name = "norm",
     .min_in = 1,
     .max_in = 1,
     .n_out = 1,
     .sig = OP_SIG_AXIS,
     .flags = OP_SMOOTH,
     .shape = norm_shape,
     .forward = norm_forward,
     .kernel = &norm},
    ROW("min", OP_SMOOTH, &min),
    ROW("max", OP_SMOOTH, &max),
    ROW("argmin", OP_WHOLE, &argmin),
    ROW("argmax", OP_WHOLE, &argmax),
    ROW("any", 0, &any),
    ROW("all", 0, &all),
    ROW("logsumexp", OP_SMOOTH, &lse),
};
const int arr_reduce_nops = sizeof arr_reduce_ops / sizeof arr_reduce_ops[0];
