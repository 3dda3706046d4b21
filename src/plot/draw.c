/* draw.c: see draw.h. */
#include "plot/draw.h"

#include <math.h>

double plt_box_x(const plt_box *b, double v) { return plt_place(&b->x, v) * b->width; }
double plt_box_y(const plt_box *b, double v) { return (1 - plt_place(&b->y, v)) * b->height; }

/* Keeps what of the segment has lo <= its coordinate a <= hi; false: nothing. */
static bool clip(double *a0, double *b0, double *a1, double *b1, double lo, double hi) {
    if ((*a0 < lo && *a1 < lo) || (*a0 > hi && *a1 > hi)) return false;
    double u0 = *a0, v0 = *b0, u1 = *a1, v1 = *b1;
    for (int end = 0; end < 2; end++) {
        double *a = end ? a1 : a0, *b = end ? b1 : b0, edge = *a < lo ? lo : hi;
        if (*a >= lo && *a <= hi) continue;
        double t = (edge / 2 - u0 / 2) / (u1 / 2 - u0 / 2);
        *b = v0 + t * (v1 - v0);
        *a = edge;
    }
    return isfinite(*b0) && isfinite(*b1);
}

void plt_walk(const plt_box *b, const double *x, const double *y, int64_t n, plt_on_segment *on, void *ctx) {
    double px = NAN, py = NAN;
    bool joined = false, drawn = true; /* drawn: the point before is part of a segment, or there is none */
    for (int64_t i = 0; i <= n; i++) {
        double u = i < n ? plt_box_x(b, x[i]) : NAN, v = i < n ? plt_box_y(b, y[i]) : NAN;
        bool here = !isnan(u) && !isnan(v), before = !isnan(px) && !isnan(py);
        if (here && before) {
            double s[4] = {px, py, u, v};
            bool seen = clip(&s[0], &s[1], &s[2], &s[3], -b->width, 2 * b->width) &&
                        clip(&s[1], &s[0], &s[3], &s[2], -b->height, 2 * b->height);
            if (seen) on(ctx, s[0], s[1], s[2], s[3], joined && s[0] == px && s[1] == py);
            joined = seen && s[2] == u && s[3] == v;
            drawn = true;
        } else {
            if (before && !drawn && fabs(px) <= 2 * b->width && fabs(py) <= 2 * b->height)
                on(ctx, px, py, px, py, false);
            drawn = !here;
            joined = false;
        }
        px = u, py = v;
    }
}

ph_status plt_shown(const plt_box *b, const plt_mark *m, int bins, const double **x, const double **y,
                    int64_t *n, bool *own, ph_err *err) {
    *x = m->x, *y = m->y, *n = m->n;
    *own = false;
    if (m->n <= 4 * (int64_t)bins) return PH_OK;
    double *rx, *ry;
    ph_status st = plt_reduce_line(&rx, &ry, n, m->x, m->y, m->n, &b->x, &b->y, bins, err);
    if (st != PH_OK) return st;
    *x = rx, *y = ry;
    *own = true;
    return PH_OK;
}
