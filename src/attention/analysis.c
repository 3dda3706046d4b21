/* analysis.c: what sets of frequencies, score matrices and tables of position vectors do, in numbers; see analysis.h. */
#include "attention/analysis.h"

#include <math.h>
#include <string.h>

#include "array/op.h"
#include "base/parallel.h"
#include "encoding/phases.h"

/* ---- checks -------------------------------------------------------------------------------------------- */

static bool is_real(const arr *a) { return a->dtype == ARR_F64 || a->dtype == ARR_F32; }

/* x as contiguous f64 of ndim dimensions (-1: two or more), all finite when `finite`. */
static ph_status take(arr *out, const arr *x, int ndim, bool finite, const char *who, const char *what,
                      const char *wanted, ph_err *err) {
    char text[200];
    if (!is_real(x))
        return ph_fail(err, PH_EARG, "%s: %s is %s; wanted f64 or f32", who, what, arr_dtype_name(x->dtype));
    if (ndim < 0 ? x->ndim < 2 : x->ndim != ndim)
        return ph_fail(err, PH_EARG, "%s: %s has shape %s; wanted %s", who, what,
                       arr_shape_text(text, sizeof text, x), wanted);
    ph_status st = arr_contiguous(out, x, ARR_F64, err);
    for (int64_t k = 0; st == PH_OK && finite && k < arr_size(out); k++)
        if (!isfinite(((double *)out->data)[k])) {
            arr_num_text(text, sizeof text, ((double *)out->data)[k]);
            st = ph_fail(err, PH_EARG, "%s: %s has an entry %s; wanted finite ones", who, what, text);
        }
    return st;
}

/* ---- decay --------------------------------------------------------------------------------------------- */

#define WHO "decay_curve"

typedef struct {
    ph_dd *theta;
    double *w; /* NULL: 1 */
    int64_t pairs;
} waves;

/* cos and sin of `rows` angles first, first+1, … times `step` θ: columns 2i and 2i+1. step: a power of two. */
static ph_status angles(arr *out, const waves *v, double step, const enc_positions *at, ph_err *err) {
    ph_status st = enc_new_rows(out, ARR_F64, at->n, 2 * v->pairs, WHO, err);
    if (st != PH_OK) return st;
    ph_dd *theta = ph_calloc((uint64_t)v->pairs + 1, sizeof *theta);
    if (!theta) return ph_fail_nomem(err, (size_t)v->pairs * sizeof *theta);
    for (int64_t i = 0; i < v->pairs; i++) theta[i] = (ph_dd){v->theta[i].hi * step, v->theta[i].lo * step};
    double *to = (double *)out->data;
    st = enc_fill(&(enc_sink){ARR_F64, to, to + 1, 2 * v->pairs, 2}, at, theta, v->pairs, ph_dd_of(1), err);
    ph_free(theta);
    return st;
}

/* The coarse angles' rows become (-w sin, w cos), to meet (sin, cos) of the fine ones. */
static void weigh(const arr *rows, const waves *v) {
    double *x = (double *)rows->data;
    for (int64_t r = 0; r < rows->shape[0]; r++)
        for (int64_t i = 0; i < v->pairs; i++, x += 2) {
            double w = v->w ? v->w[i] : 1;
            x[0] *= -w, x[1] *= w;
        }
}

static ph_status along_run(arr *out, const waves *v, double first, int64_t n, ph_err *err) {
    ph_status st;
    arr coarse = ARR_NONE, fine = ARR_NONE, transposed = ARR_NONE, grid = ARR_NONE, flat = ARR_NONE,
        cut = ARR_NONE;
    int64_t step = 1;
    while (step < n / step) step *= 2;
    enc_positions blocks = {.n = n / step + (n % step != 0), .first = first / (double)step},
                  within = {.n = step, .first = 0};
    PH_TRY(angles(&coarse, v, (double)step, &blocks, err));
    PH_TRY(angles(&fine, v, 1, &within, err));
    weigh(&coarse, v);
    PH_TRY(arr_permute(&transposed, &fine, (int[]){1, 0}, err));
    PH_TRY(op_call2(&grid, "matmul", &coarse, &transposed, err));
    PH_TRY(arr_reshape(&flat, &grid, 1, (int64_t[]){-1}, err));
    PH_TRY(arr_slice(&cut, &flat, 1, &(arr_range){0, 1, n, false}, err));
    st = arr_contiguous(out, &cut, ARR_F64, err);
done:
    arr_drop(&coarse);
    arr_drop(&fine);
    arr_drop(&transposed);
    arr_drop(&grid);
    arr_drop(&flat);
    arr_drop(&cut);
    return st;
}

#define LISTED 256 /* distances at a time: their angles need not all be stored */

static ph_status along_list(arr *out, const waves *v, const double *list, int64_t n, ph_err *err) {
    ph_status st = PH_OK;
    for (int64_t k = 0; st == PH_OK && k < n; k += LISTED) {
        arr rows = ARR_NONE;
        enc_positions at = {.n = n - k < LISTED ? n - k : LISTED, .list = list + k};
        st = angles(&rows, v, 1, &at, err);
        for (int64_t r = 0; st == PH_OK && r < at.n; r++) {
            double sum = 0;
            for (int64_t i = 0; i < v->pairs; i++)
                sum += (v->w ? v->w[i] : 1) * ((double *)rows.data)[2 * (r * v->pairs + i) + 1];
            ((double *)out->data)[k + r] = sum;
        }
        arr_drop(&rows);
        if (st == PH_OK && ph_interrupted()) st = ph_fail_interrupted(err);
    }
    return st;
}

/* What a decay curve is made of, checked. */
typedef struct {
    waves v; /* owns theta */
    arr hi, lo, weights, at;
} decay;

static void drop_decay(decay *c) {
    ph_free(c->v.theta);
    arr_drop(&c->hi);
    arr_drop(&c->lo);
    arr_drop(&c->weights);
    arr_drop(&c->at);
}

static ph_status take_frequencies(decay *c, const arr_dd *theta, const arr *w, ph_err *err) {
    ph_status st;
    PH_TRY(take(&c->hi, &theta->hi, 1, true, WHO, "theta", "one dimension (d/2), the frequencies", err));
    PH_TRY(take(&c->lo, &theta->lo, 1, true, WHO, "theta", "one dimension (d/2), the frequencies", err));
    if (w)
        PH_TRY(take(&c->weights, w, 1, true, WHO, "weights", "one dimension (d/2), one for each frequency",
                    err));
    if (w && c->weights.shape[0] != c->v.pairs)
        return ph_fail(err, PH_EARG, WHO ": %lld weights for %lld frequencies; wanted one for each",
                       (long long)c->weights.shape[0], (long long)c->v.pairs);
    if (w) c->v.w = (double *)c->weights.data;
    if (!(c->v.theta = ph_calloc((uint64_t)c->v.pairs + 1, sizeof *c->v.theta)))
        return ph_fail_nomem(err, (size_t)c->v.pairs * sizeof *c->v.theta);
    for (int64_t i = 0; i < c->v.pairs; i++)
        c->v.theta[i] = (ph_dd){((double *)c->hi.data)[i], ((double *)c->lo.data)[i]};
done:
    return st;
}

static ph_status check_distances(double first, int64_t n, ph_err *err) {
    size_t bytes;
    if (n < 0 || !isfinite(first) || fabs(first) > 0x1p52)
        return ph_fail(err, PH_EARG,
                       WHO ": %lld distances from %g; wanted a count from 0 and a start within 2^52",
                       (long long)n, first);
    if (ph_shape_bytes(&bytes, &n, 1, sizeof(double))) return PH_OK;
    return ph_fail(err, PH_EARG, WHO ": %lld distances are too many for any memory", (long long)n);
}

ph_status att_decay_curve(arr *out, const arr_dd *theta, const arr *w, double first, int64_t n,
                          const arr *list, ph_err *err) {
    ph_status st;
    decay c = {.v.pairs = theta->hi.ndim == 1 ? theta->hi.shape[0] : 0};
    *out = ARR_NONE;
    PH_TRY(take_frequencies(&c, theta, w, err));
    if (list) {
        PH_TRY(take(&c.at, list, 1, true, WHO, "k", "a count, or one dimension: a list of distances", err));
        n = c.at.shape[0];
    }
    PH_TRY(check_distances(first, n, err));
    if (n == 0 || c.v.pairs == 0) {
        st = arr_zeros(out, ARR_F64, 1, &n, err);
        goto done;
    }
    /* before the work of a run: what no memory holds is refused at once */
    PH_TRY(arr_new(out, ARR_F64, 1, &n, err));
    if (list) st = along_list(out, &c.v, (double *)c.at.data, n, err);
    else {
        arr_drop(out);
        st = along_run(out, &c.v, first, n, err);
    }
done:
    if (st != PH_OK) arr_drop(out);
    drop_decay(&c);
    return st;
}
#undef WHO

/* ---- Toeplitz ------------------------------------------------------------------------------------------ */

typedef struct {
    double first, sum, least, most; /* sum: of the differences from the first, scaled */
    int64_t n;
} diagonal;

typedef struct {
    const double *a;
    double *part;
    diagonal *d; /* m - n from -(S-1) to T-1 */
    int64_t T, S;
    bool lower;
    double scale; /* a power of two: differences of entries near the largest double are no doubles */
} matrix;

static int64_t columns(const matrix *x, int64_t m) { /* that count in row m */
    int64_t n = m + 1 + x->S - x->T;
    return !x->lower || n > x->S ? x->S : n < 0 ? 0 : n;
}
static diagonal *of(const matrix *x, int64_t m, int64_t n) { return &x->d[m - n + x->S - 1]; }

static bool gather(matrix *x) {
    memset(x->d, 0, (size_t)(x->T + x->S - 1) * sizeof *x->d);
    x->scale = 1;
    for (int64_t m = 0; m < x->T; m++)
        for (int64_t n = 0; n < columns(x, m); n++)
            if (fabs(x->a[m * x->S + n]) > 0x1p900) x->scale = 0x1p-124;
    for (int64_t m = 0; m < x->T; m++)
        for (int64_t n = 0; n < columns(x, m); n++) {
            double v = x->a[m * x->S + n];
            diagonal *d = of(x, m, n);
            if (!isfinite(v)) return false;
            if (d->n++ == 0) d->first = d->least = d->most = v;
            d->sum += v * x->scale - d->first * x->scale;
            if (v < d->least) d->least = v;
            if (v > d->most) d->most = v;
        }
    return true;
}

/* Squares are summed after division by the largest entry, so that none over- or underflows. */
static void project(const matrix *x, double *deviation, double *spread) {
    double far = 0, all = 0, top = 0;
    *spread = 0;
    for (int64_t k = 0; k < x->T + x->S - 1; k++) {
        const diagonal *d = &x->d[k];
        if (d->n == 0) continue;
        *spread = fmax(*spread, d->most - d->least);
        top = fmax(top, fmax(fabs(d->most), fabs(d->least)));
    }
    for (int64_t m = 0; m < x->T; m++)
        for (int64_t n = 0; n < x->S; n++) {
            bool counts = n < columns(x, m);
            const diagonal *d = of(x, m, n);
            double v = x->a[m * x->S + n], mean = counts ? d->first * x->scale + d->sum / (double)d->n : 0;
            x->part[m * x->S + n] = mean / x->scale;
            if (!counts || top == 0) continue;
            double off = (v * x->scale - mean) / (top * x->scale);
            far += off * off;
            all += v / top * (v / top);
        }
    *deviation = top == 0 ? 0 : sqrt(far / all);
}

ph_status att_toeplitz(arr *part, arr *deviation, arr *spread, const arr *a, bool lower, const char *who,
                       ph_err *err) {
    ph_status st;
    arr whole = ARR_NONE;
    matrix x = {.lower = lower};
    *part = *deviation = *spread = ARR_NONE;
    PH_TRY(take(&whole, a, -1, false, who, "A", "a matrix of scores, (..., T, S)", err));
    x.T = whole.shape[whole.ndim - 2], x.S = whole.shape[whole.ndim - 1];
    PH_TRY(arr_new(part, ARR_F64, whole.ndim, whole.shape, err));
    PH_TRY(arr_zeros(deviation, ARR_F64, whole.ndim - 2, whole.shape, err));
    PH_TRY(arr_zeros(spread, ARR_F64, whole.ndim - 2, whole.shape, err));
    if (arr_size(&whole) == 0) goto done;
    if (!(x.d = ph_calloc((uint64_t)(x.T + x.S), sizeof *x.d))) {
        st = ph_fail_nomem(err, (size_t)(x.T + x.S) * sizeof *x.d);
        goto done;
    }
    for (int64_t k = 0; k < arr_size(deviation); k++) {
        x.a = (double *)whole.data + k * x.T * x.S;
        x.part = (double *)part->data + k * x.T * x.S;
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        if (!gather(&x)) {
            st = ph_fail(err, PH_EARG, "%s: A has an entry that is not finite; wanted finite scores%s", who,
                         lower ? "" : " (causal=true looks at earlier keys only)");
            goto done;
        }
        project(&x, (double *)deviation->data + k, (double *)spread->data + k);
    }
done:
    ph_free(x.d);
    arr_drop(&whole);
    if (st != PH_OK) {
        arr_drop(part);
        arr_drop(deviation);
        arr_drop(spread);
    }
    return st;
}

/* ---- the margin ---------------------------------------------------------------------------------------- */

#define ROWS 32 /* of the first position, in a piece */

typedef struct {
    const double *x;
    int64_t T, d;
    struct near {
        double far;
        int64_t i, j;
    } * best; /* of each piece */
} pairs_of_rows;

/* Their distance; squares that leave the range of doubles, or come near to it, are not summed: rows that differ are no pair of equal ones. */
static double distance(const double *a, const double *b, int64_t d) {
    double s[4] = {0, 0, 0, 0}, far = 0;
    int64_t k = 0;
    for (; k + 4 <= d; k += 4)
        for (int l = 0; l < 4; l++) s[l] += (a[k + l] - b[k + l]) * (a[k + l] - b[k + l]);
    for (; k < d; k++) s[0] += (a[k] - b[k]) * (a[k] - b[k]);
    double square = (s[0] + s[1]) + (s[2] + s[3]);
    if (square >= 0x1p-900 && square <= 0x1p1000) return sqrt(square);
    for (k = 0; k < d; k++) far = hypot(far, a[k] - b[k]);
    return far;
}

static void nearest_of(void *ctx, int64_t piece) {
    const pairs_of_rows *p = ctx;
    int64_t first = piece * ROWS, end = first + ROWS < p->T ? first + ROWS : p->T;
    struct near best = {INFINITY, first, first + 1};
    for (int64_t i = first; i < end; i++)
        for (int64_t j = i + 1; j < p->T; j++) {
            double far = distance(p->x + i * p->d, p->x + j * p->d, p->d);
            if (far < best.far) best = (struct near){far, i, j};
        }
    p->best[piece] = best;
}

ph_status att_margin(double *margin, int64_t *i, int64_t *j, const arr *x, ph_err *err) {
    static const char who[] = "injectivity_margin";
    ph_status st;
    arr rows = ARR_NONE;
    pairs_of_rows p = {0};
    PH_TRY(take(&rows, x, 2, true, who, "P", "(T, d), a row for each position", err));
    p = (pairs_of_rows){.x = (double *)rows.data, .T = rows.shape[0], .d = rows.shape[1]};
    if (p.T < 2) {
        st = ph_fail(err, PH_EARG, "%s: P has %lld rows; wanted at least 2 to compare", who, (long long)p.T);
        goto done;
    }
    int64_t pieces = (p.T + ROWS - 1) / ROWS;
    if (!(p.best = ph_calloc((uint64_t)pieces, sizeof *p.best))) {
        st = ph_fail_nomem(err, (size_t)pieces * sizeof *p.best);
        goto done;
    }
    PH_TRY(ph_parallel(nearest_of, &p, pieces, err));
    struct near best = p.best[0];
    for (int64_t k = 1; k < pieces; k++)
        if (p.best[k].far < best.far) best = p.best[k];
    *margin = best.far, *i = best.i, *j = best.j;
done:
    ph_free(p.best);
    arr_drop(&rows);
    return st;
}
