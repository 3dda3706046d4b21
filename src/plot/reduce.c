/* reduce.c: long data, reduced to what a picture can show.
 *
 * A line: within one column of the picture only its first, lowest, highest and last point matter, since what is between
 * them is covered by the upright stroke from the lowest to the highest. (Jugel, Jerzak, Hackenbroich and Markl 2014, "M4".)
 */
#include <math.h>
#include <string.h>

#include "plot/text.h"

typedef struct {
    double *x, *y, *z;
    int64_t n, cap;
    bool failed;
} points;

static bool grow(double **v, int64_t cap) {
    size_t bytes;
    double *more = ph_mul_size(&bytes, (size_t)cap, sizeof **v) ? ph_realloc(*v, bytes) : NULL;
    if (more) *v = more;
    return more != NULL;
}

static void push(points *p, double x, double y, double z, bool three) {
    if (p->failed) return;
    if (p->n == p->cap) {
        int64_t cap = p->cap ? 2 * p->cap : 1024;
        if (!grow(&p->x, cap) || !grow(&p->y, cap) || (three && !grow(&p->z, cap))) {
            p->failed = true;
            return;
        }
        p->cap = cap;
    }
    p->x[p->n] = x;
    p->y[p->n] = y;
    if (three) p->z[p->n] = z;
    p->n++;
}

static ph_status hand_over(double **x, double **y, double **z, int64_t *m, points *p, ph_status st,
                           ph_err *err) {
    if (st == PH_OK && p->failed) st = ph_fail_nomem(err, (size_t)p->cap * 2 * sizeof(double));
    if (st != PH_OK) {
        ph_free(p->x);
        ph_free(p->y);
        ph_free(p->z);
        return st;
    }
    *x = p->x;
    *y = p->y;
    if (z) *z = p->z;
    *m = p->n;
    return PH_OK;
}

/* Which column a number falls into. On a logarithmic axis the edges of the last one found are kept, so that neighbours cost
 * no logarithm. */
typedef struct {
    const plt_span *s;
    int bins;
    double scale;  /* linear: bins per unit */
    double lo, hi; /* edges of column `at`, logarithmic */
    int at;
} columns;

static columns columns_of(const plt_span *s, int bins) {
    return (columns){.s = s, .bins = bins, .scale = bins / (s->hi - s->lo), .at = -1, .lo = 1, .hi = 0};
}

static inline int column(columns *c, double v) {
    double t;
    if (!c->s->log) {
        t = isfinite(c->scale) && c->scale > 0 ? (v - c->s->lo) * c->scale : plt_place(c->s, v) * c->bins;
        return !(t >= 0) ? -1 : t >= c->bins ? c->bins : (int)t;
    }
    if (v >= c->lo && v < c->hi) return c->at;
    double a = log10(c->s->lo), w = log10(c->s->hi) - a;
    t = floor((log10(v) - a) / w * c->bins);
    c->at = !(t >= 0) ? -1 : t >= c->bins ? c->bins : (int)t;
    c->lo = c->at < 0 ? 0 : pow(10, a + w * c->at / c->bins);
    c->hi = c->at < 0 ? c->s->lo : c->at == c->bins ? INFINITY : pow(10, a + w * (c->at + 1) / c->bins);
    return c->at;
}

/* The run of points that is within one column now, as indices. */
typedef struct {
    int64_t first, low, high, last;
} run;

static void end_run(points *p, const run *r, const double *x, const double *y) {
    int64_t a = r->low < r->high ? r->low : r->high, b = r->low < r->high ? r->high : r->low;
    push(p, x[r->first], y[r->first], 0, false);
    if (a != r->first) push(p, x[a], y[a], 0, false);
    if (b != a && b != r->first) push(p, x[b], y[b], 0, false);
    if (r->last != b && r->last != r->first) push(p, x[r->last], y[r->last], 0, false);
}

ph_status plt_reduce_line(double **x, double **y, int64_t *m, const double *in_x, const double *in_y,
                          int64_t n, const plt_span *sx, const plt_span *sy, int bins, ph_err *err) {
    points p = {0};
    columns c = columns_of(sx, bins);
    run r = {0};
    int now = -2; /* column of the run; -2: there is none */
    double least_x = sx->log ? 0 : -INFINITY, least_y = sy->log ? 0 : -INFINITY;
    for (int64_t i = 0; i < n && !p.failed; i++) {
        if ((i & 0xFFFFF) == 0xFFFFF && ph_interrupted())
            return hand_over(x, y, NULL, m, &p, ph_fail_interrupted(err), err);
        double u = in_x[i], v = in_y[i];
        if (!(u > least_x && u < INFINITY && v > least_y && v < INFINITY)) {
            if (now != -2) {
                end_run(&p, &r, in_x, in_y);
                push(&p, NAN, NAN, 0, false);
            }
            now = -2;
            continue;
        }
        int at = column(&c, u);
        if (at != now) {
            if (now != -2) end_run(&p, &r, in_x, in_y);
            r = (run){i, i, i, i};
            now = at;
            continue;
        }
        r.last = i;
        if (v < in_y[r.low]) r.low = i;
        if (v > in_y[r.high]) r.high = i;
    }
    if (now != -2) end_run(&p, &r, in_x, in_y);
    return hand_over(x, y, NULL, m, &p, PH_OK, err);
}

static bool ascends(const double *x, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        if (!(x[i] >= x[i - 1])) return false;
    return true;
}

ph_status plt_reduce_band(double **x, double **lo, double **hi, int64_t *m, const double *in_x,
                          const double *in_lo, const double *in_hi, int64_t n, const plt_span *sx, int bins,
                          ph_err *err) {
    points p = {0};
    columns c = columns_of(sx, ascends(in_x, n) ? bins : 0);
    int now = -2;
    double a = 0, b = 0, from = 0, to = 0;
    for (int64_t i = 0; i <= n && !p.failed; i++) {
        if ((i & 0xFFFFF) == 0xFFFFF && ph_interrupted())
            return hand_over(x, lo, hi, m, &p, ph_fail_interrupted(err), err);
        bool there = i < n && isfinite(in_x[i]) && isfinite(in_lo[i]) && isfinite(in_hi[i]) &&
                     !(sx->log && in_x[i] <= 0);
        int at = !there ? -2 : c.bins ? column(&c, in_x[i]) : (int)(i % 2);
        if (at == now && at != -2) {
            a = fmin(a, in_lo[i]);
            b = fmax(b, in_hi[i]);
            to = in_x[i];
            continue;
        }
        if (now != -2) {
            push(&p, from, a, b, true);
            if (to > from) push(&p, to, a, b, true);
            if (at == -2 && i < n) push(&p, NAN, NAN, NAN, true);
        }
        if (at != -2) a = in_lo[i], b = in_hi[i], from = to = in_x[i];
        now = at;
    }
    return hand_over(x, lo, hi, m, &p, PH_OK, err);
}

ph_status plt_reduce_points(double **x, double **y, int64_t *m, const double *in_x, const double *in_y,
                            int64_t n, const plt_span *sx, const plt_span *sy, int bins, ph_err *err) {
    points p = {0};
    columns cx = columns_of(sx, bins), cy = columns_of(sy, bins);
    size_t side = (size_t)bins + 2; /* a cell beyond each end */
    unsigned char *seen = ph_calloc(side * side / 8 + 1, 1);
    ph_status st = seen ? PH_OK : ph_fail_nomem(err, side * side / 8);
    for (int64_t i = 0; st == PH_OK && i < n && !p.failed; i++) {
        if ((i & 0xFFFFF) == 0xFFFFF && ph_interrupted()) st = ph_fail_interrupted(err);
        double u = in_x[i], v = in_y[i];
        if (!isfinite(u) || !isfinite(v) || (sx->log && u <= 0) || (sy->log && v <= 0)) continue;
        size_t cell = (size_t)(column(&cx, u) + 1) * side + (size_t)(column(&cy, v) + 1);
        if (seen[cell / 8] >> cell % 8 & 1) continue;
        seen[cell / 8] |= (unsigned char)(1 << cell % 8);
        push(&p, u, v, 0, false);
    }
    ph_free(seen);
    return hand_over(x, y, NULL, m, &p, st, err);
}
