/* figure.c: scenes: made, filled, ended; and the spans that their axes show. */
#include "plot/plot.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"
#include "plot/text.h"

#define GRID_MAX 32
#define BINS     4096 /* columns that a long line is reduced to: more than any picture of ours has */

/* ---- life ---------------------------------------------------------------------------------------------- */

ph_status plt_new(plt_figure **out, int rows, int columns, ph_err *err) {
    *out = NULL;
    if (rows < 1 || rows > GRID_MAX || columns < 1 || columns > GRID_MAX)
        return ph_fail(err, PH_EARG, "panels: a grid of %d by %d; wanted from 1 by 1 to %d by %d", rows,
                       columns, GRID_MAX, GRID_MAX);
    size_t n = (size_t)rows * (size_t)columns;
    plt_figure *f = ph_calloc(1, sizeof *f);
    if (f) f->panel = ph_calloc(n, sizeof *f->panel);
    if (!f || !f->panel) {
        ph_free(f);
        return ph_fail_nomem(err, n * sizeof(plt_panel));
    }
    f->rows = rows;
    f->columns = columns;
    for (size_t i = 0; i < n; i++)
        f->panel[i].x.lo = f->panel[i].x.hi = f->panel[i].y.lo = f->panel[i].y.hi = NAN;
    *out = f;
    return PH_OK;
}

static void drop_names(plt_axis *a) {
    for (int i = 0; i < a->nnames; i++) ph_free(a->names[i]);
    ph_free(a->names);
    ph_free(a->at);
    a->names = NULL;
    a->at = NULL;
    a->nnames = 0;
}

static void drop_axis(plt_axis *a) {
    ph_free(a->label);
    drop_names(a);
}

static void drop_mark(plt_mark *m) {
    ph_free(m->x);
    ph_free(m->y);
    ph_free(m->z);
    ph_free(m->w);
    ph_free(m->label);
}

static void drop_panel(plt_panel *p) {
    ph_free(p->title);
    drop_axis(&p->x);
    drop_axis(&p->y);
    ph_free(p->heat.value);
    ph_free(p->heat.label);
    plt_drop_classes(&p->heat);
    for (int i = 0; i < p->nmarks; i++) drop_mark(&p->mark[i]);
    ph_free(p->mark);
}

void plt_drop(plt_figure *f) {
    if (!f) return;
    for (int i = 0; i < f->rows * f->columns; i++) drop_panel(&f->panel[i]);
    ph_free(f->panel);
    ph_free(f->title);
    ph_free(f);
}

bool plt_is_empty(const plt_panel *p) { return !p->nmarks && !p->heat.rows && !p->title; }

/* ---- parts --------------------------------------------------------------------------------------------- */

ph_status plt_set_text(char **field, const char *text, ph_err *err) {
    char *copy = NULL;
    size_t n = 0;
    if (text && !(copy = ph_utf8_clean(&n, text, strlen(text)))) return ph_fail_nomem(err, strlen(text));
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)copy[i] < 32 || copy[i] == 127) copy[i] = ' ';
    ph_free(*field);
    *field = copy;
    return PH_OK;
}

ph_status plt_set_range(plt_axis *a, double lo, double hi, const char *who, ph_err *err) {
    double bound[2] = {lo, hi};
    for (int i = 0; i < 2; i++) {
        if (isnan(bound[i])) continue; /* from the data */
        if (isinf(bound[i])) return ph_fail(err, PH_EARG, "%s: a bound is infinite; wanted finite ones", who);
        if (a->log && bound[i] <= 0)
            return ph_fail(err, PH_EARG, "%s: a bound is %g; wanted positive ones on a logarithmic axis", who,
                           bound[i]);
    }
    if (lo == hi) return ph_fail(err, PH_EARG, "%s: both bounds are %g; wanted two different ones", who, lo);
    a->flip = lo > hi;
    a->lo = a->flip ? hi : lo;
    a->hi = a->flip ? lo : hi;
    return PH_OK;
}

static ph_status copy_numbers(double **out, const double *v, int64_t n, ph_err *err) {
    size_t bytes = 0;
    *out = NULL;
    if (!v) return PH_OK;
    if (!ph_mul_size(&bytes, (uint64_t)n, sizeof *v) || !(*out = ph_alloc(bytes)))
        return ph_fail_nomem(err, bytes);
    memcpy(*out, v, bytes);
    return PH_OK;
}

ph_status plt_set_names(plt_axis *a, const char *const *names, const double *at, int n, ph_err *err) {
    ph_status st = PH_OK;
    drop_names(a);
    if (n <= 0) return PH_OK;
    if (!(a->names = ph_calloc((size_t)n, sizeof *a->names)))
        return ph_fail_nomem(err, (size_t)n * sizeof *a->names);
    a->nnames = n;
    st = copy_numbers(&a->at, at, n, err);
    for (int i = 0; i < n && st == PH_OK; i++) st = plt_set_text(&a->names[i], names[i], err);
    if (st != PH_OK) drop_names(a);
    return st;
}

/* Copies what the mark shows; long lines, bands and clouds in a reduced form. */
static ph_status fill(plt_mark *m, const plt_panel *p, int64_t n, const double *const v[4], ph_err *err) {
    ph_status st = PH_OK;
    plt_panel own = *p; /* the spans of this mark alone, in the axes' scales and given ranges */
    plt_span sx, sy;
    m->n = n;
    if (n > 4 * BINS && (m->kind == PLT_LINE || m->kind == PLT_POINTS || m->kind == PLT_BAND)) {
        bool both = m->kind == PLT_POINTS; /* the others are cut in columns: y need not be looked through */
        plt_mark whole = {.kind = m->kind, .n = n, .x = (double *)v[0], .y = both ? (double *)v[1] : NULL};
        own.mark = &whole;
        own.nmarks = 1;
        own.heat.rows = 0;
        plt_spans(&own, &sx, &sy);
        if (m->kind == PLT_LINE)
            return plt_reduce_line(&m->x, &m->y, &m->n, v[0], v[1], n, &sx, &sy, BINS, err);
        if (m->kind == PLT_BAND)
            return plt_reduce_band(&m->x, &m->y, &m->z, &m->n, v[0], v[1], v[2], n, &sx, BINS, err);
        return plt_reduce_points(&m->x, &m->y, &m->n, v[0], v[1], n, &sx, &sy, BINS / 2, err);
    }
    double **to[4] = {&m->x, &m->y, &m->z, &m->w};
    for (int k = 0; k < 4 && st == PH_OK; k++) st = copy_numbers(to[k], v[k], n, err);
    return st;
}

static ph_status room_for_mark(plt_panel *p, ph_err *err) {
    plt_mark *more = ph_list_more(p->mark, (size_t)p->nmarks, sizeof *more);
    if (!more) return ph_fail_nomem(err, (size_t)p->nmarks * sizeof *more);
    p->mark = more;
    p->mark[p->nmarks] = (plt_mark){0};
    return PH_OK;
}

ph_status plt_add(plt_panel *p, plt_kind kind, int64_t n, const double *x, const double *y, const double *z,
                  const double *w, const char *label, int series, ph_err *err) {
    const double *const v[4] = {x, y, z, w};
    ph_status st = room_for_mark(p, err);
    if (st != PH_OK) return st;
    plt_mark *m = &p->mark[p->nmarks];
    m->kind = kind;
    m->series = series;
    st = plt_set_text(&m->label, label, err);
    if (st == PH_OK) st = fill(m, p, n, v, err);
    if (st != PH_OK) {
        drop_mark(m);
        return st;
    }
    p->nmarks++;
    if (series >= p->series) p->series = series + 1;
    return PH_OK;
}

static ph_status copy_axis(plt_axis *out, const plt_axis *a, ph_err *err) {
    *out = (plt_axis){.lo = a->lo, .hi = a->hi, .log = a->log, .flip = a->flip, .whole = a->whole};
    ph_status st = plt_set_text(&out->label, a->label, err);
    return st == PH_OK ? plt_set_names(out, (const char *const *)a->names, a->at, a->nnames, err) : st;
}

ph_status plt_copy(plt_panel *out, const plt_panel *p, ph_err *err) {
    ph_status st = PH_OK;
    plt_panel kept = *p, empty = {0};
    *out = empty;
    PH_TRY(copy_axis(&out->x, &p->x, err));
    PH_TRY(copy_axis(&out->y, &p->y, err));
    out->equal = p->equal;
    out->bare = p->bare;
    PH_TRY(plt_set_text(&out->title, p->title, err));
    PH_TRY(copy_numbers(&out->heat.value, p->heat.value, p->heat.rows * p->heat.columns, err));
    kept.heat.value = out->heat.value;
    kept.heat.label = NULL;
    kept.heat.classes = NULL;
    kept.heat.nclasses = 0;
    out->heat = kept.heat;
    PH_TRY(plt_set_classes(&out->heat, p->heat.nclasses, p->heat.classes, err));
    PH_TRY(plt_set_text(&out->heat.label, p->heat.label, err));
    for (int i = 0; i < p->nmarks; i++) {
        const plt_mark *m = &p->mark[i];
        PH_TRY(plt_add(out, m->kind, m->n, m->x, m->y, m->z, m->w, m->label, m->series, err));
        out->mark[i].thin = m->thin;
    }
    out->series = p->series;
done:
    if (st != PH_OK) {
        drop_panel(out);
        *out = empty;
    }
    return st;
}

/* ---- spans --------------------------------------------------------------------------------------------- */

/* Eight at a time, so that none waits for the one before. t - t is 0 for a finite t, else NaN, which no comparison lets in;
 * so this is a minimum and a maximum for the machine, without a branch. */
enum { LANES = 8 };
static void extend_lanes(double lo[LANES], double hi[LANES], const double *v) {
    for (int k = 0; k < LANES; k++) {
        double t = v[k] + (v[k] - v[k]);
        lo[k] = t < lo[k] ? t : lo[k];
        hi[k] = t > hi[k] ? t : hi[k];
    }
}

static void extend_positive(double *lo, double *hi, const double *v, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (v[i] > 0 && v[i] < INFINITY) {
            if (v[i] < *lo) *lo = v[i];
            if (v[i] > *hi) *hi = v[i];
        }
}

/* Widens lo..hi by the finite values (positive ones where log) among n. */
static void extend(double *lo, double *hi, const double *v, int64_t n, bool log) {
    double a[LANES], b[LANES], rest[LANES];
    int64_t i = 0;
    if (v && log) extend_positive(lo, hi, v, n);
    if (!v || log) return;
    for (int k = 0; k < LANES; k++) a[k] = *lo, b[k] = *hi;
    for (; i + LANES <= n; i += LANES) extend_lanes(a, b, v + i);
    for (int k = 0; k < LANES; k++) rest[k] = i + k < n ? v[i + k] : NAN;
    extend_lanes(a, b, rest);
    for (int k = 0; k < LANES; k++) {
        *lo = a[k] < *lo ? a[k] : *lo;
        *hi = b[k] > *hi ? b[k] : *hi;
    }
}

/* The least distance of neighbours, for the width of bars; 1 for a single one. */
double plt_bar_step(const plt_mark *m) {
    double step = INFINITY;
    for (int64_t i = 1; i < m->n; i++) {
        double d = fabs(m->x[i] - m->x[i - 1]);
        if (d > 0 && d < step) step = d;
    }
    return isfinite(step) ? step : 1;
}

static void extend_mark(double lo[2], double hi[2], const plt_mark *m, bool logx, bool logy) {
    extend(&lo[0], &hi[0], m->x, m->n, logx);
    extend(&lo[1], &hi[1], m->y, m->n, logy);
    if (m->kind == PLT_BAND) extend(&lo[1], &hi[1], m->z, m->n, logy);
    if (m->kind == PLT_ARROWS) {
        extend(&lo[0], &hi[0], m->z, m->n, logx);
        extend(&lo[1], &hi[1], m->w, m->n, logy);
    }
    if (m->kind != PLT_BARS) return;
    double first = INFINITY, last = -INFINITY, base = 0, half = plt_bar_step(m) * 0.4;
    extend(&first, &last, m->x, m->n, logx);
    for (int64_t i = 0; m->z && i < m->n; i++) half = i == 0 || m->z[i] > half ? m->z[i] : half;
    double edge[2] = {first - 1.25 * half, last + 1.25 * half};
    if (!logx) extend(&lo[0], &hi[0], edge, first <= last ? 2 : 0, false);
    if (!logy) extend(&lo[1], &hi[1], &base, 1, false);
}

static double to_scale(double v, bool log) { return log ? log10(v) : v; }
static double from_scale(double t, bool log) { return log ? pow(10, t) : t; }

/* Fills what the axis leaves open; pad: the share of empty room at the ends (lower, upper). */
static plt_span settle(const plt_axis *a, double lo, double hi, double pad_lo, double pad_hi) {
    plt_span s = {.log = a->log, .flip = a->flip};
    if (!(lo <= hi)) lo = a->log ? 1 : 0, hi = a->log ? 10 : 1, pad_lo = pad_hi = 0;
    if (!isnan(a->lo)) lo = a->lo, pad_lo = 0;
    if (!isnan(a->hi)) hi = a->hi, pad_hi = 0;
    if (lo > hi)
        lo = isnan(a->lo) ? hi : lo, hi = isnan(a->hi) ? lo : hi; /* the data lie beyond the given bound */
    double u = to_scale(lo, a->log), v = to_scale(hi, a->log), size = fmax(fabs(u), fabs(v));
    double width = v / 2 - u / 2;                     /* halves: v - u may overflow */
    if (width <= 0.5e-12 * size || width < DBL_MIN) { /* nothing but one value, or its rounding */
        double half = a->log ? 0.5 : size > 0 ? size / 2 : 0.5;
        if (half < DBL_MIN) half = DBL_MIN;
        if (isnan(a->lo) || !isnan(a->hi)) u -= half;
        if (isnan(a->hi) || !isnan(a->lo)) v += half;
    } else {
        u -= 2 * pad_lo * width;
        v += 2 * pad_hi * width;
    }
    double most = a->log ? 308 : DBL_MAX;
    s.lo = from_scale(fmax(u, a->log ? -307 : -most), a->log);
    s.hi = from_scale(fmin(v, most), a->log);
    if (!isnan(a->lo) && a->lo < s.hi) s.lo = a->lo;
    if (!isnan(a->hi) && a->hi > s.lo) s.hi = a->hi;
    return s;
}

void plt_spans(const plt_panel *p, plt_span *x, plt_span *y) {
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    bool heat = p->heat.rows > 0, points = false, bars = false;
    for (int i = 0; i < p->nmarks; i++) {
        extend_mark(lo, hi, &p->mark[i], p->x.log, p->y.log);
        points |= p->mark[i].kind == PLT_POINTS;
        bars |= p->mark[i].kind == PLT_BARS;
    }
    if (heat) {
        const plt_heat *h = &p->heat;
        double ex[2] = {h->x0 - h->dx / 2, h->x0 + h->dx * ((double)h->columns - 0.5)};
        double ey[2] = {h->y0 - h->dy / 2, h->y0 + h->dy * ((double)h->rows - 0.5)};
        extend(&lo[0], &hi[0], ex, 2, false);
        extend(&lo[1], &hi[1], ey, 2, false);
    }
    double px = points && !heat ? 0.03 : 0, py = heat ? 0 : 0.05;
    *x = settle(&p->x, lo[0], hi[0], px, px);
    *y = settle(&p->y, lo[1], hi[1], bars && lo[1] == 0 && !p->y.log ? 0 : py, bars && hi[1] == 0 ? 0 : py);
    if (heat) y->flip = !p->y.flip; /* the first row is on top */
}

double plt_place(const plt_span *s, double v) {
    double t;
    if (!isfinite(v) || (s->log && v <= 0)) return NAN;
    if (s->log) t = (log10(v) - log10(s->lo)) / (log10(s->hi) - log10(s->lo));
    else t = (v / 2 - s->lo / 2) / (s->hi / 2 - s->lo / 2);
    return s->flip ? 1 - t : t;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

/* The means of blocks: value is (rows, columns), the result (r, c). NaN takes no part unless there is nothing else. */
static void average(double *out, int64_t r, int64_t c, const double *value, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < c; j++) {
            double sum = 0;
            int64_t n = 0;
            for (int64_t k = i * rows / r; k < (i + 1) * rows / r; k++)
                for (int64_t l = j * columns / c; l < (j + 1) * columns / c; l++)
                    if (isfinite(value[k * columns + l])) sum += value[k * columns + l], n++;
            out[i * c + j] = n ? sum / (double)n : NAN;
        }
}

static void heat_range(plt_heat *h, double lo, double hi) {
    double a = INFINITY, b = -INFINITY;
    extend(&a, &b, h->value, h->rows * h->columns, false);
    if (!(a <= b)) a = 0, b = 1;
    if (h->map == PLT_DIVERGING) {
        b = fmax(fabs(a), fabs(b));
        a = -b;
    }
    h->lo = isnan(lo) ? a : lo;
    h->hi = isnan(hi) ? b : hi;
    if (h->map == PLT_DIVERGING && isnan(lo) && !isnan(hi)) h->lo = -hi;
    if (h->map == PLT_DIVERGING && isnan(hi) && !isnan(lo)) h->hi = -lo;
    if (h->lo < h->hi) return;
    double half = h->lo == 0 ? 1 : fabs(h->lo) / 2;
    h->lo -= half;
    h->hi = h->lo + 2 * half;
}

ph_status plt_set_heat(plt_panel *p, int64_t rows, int64_t columns, const double *value, plt_map map,
                       double lo, double hi, ph_err *err) {
    plt_heat *h = &p->heat;
    int64_t r = rows < PLT_HEAT_MAX ? rows : PLT_HEAT_MAX,
            c = columns < PLT_HEAT_MAX ? columns : PLT_HEAT_MAX;
    size_t bytes = (size_t)r * (size_t)c * sizeof(double);
    double *own = ph_alloc(bytes);
    if (!own) return ph_fail_nomem(err, bytes);
    average(own, r, c, value, rows, columns);
    if (r == rows && c == columns) memcpy(own, value, bytes); /* infinities have a colour of their own */
    ph_free(h->value);
    h->value = own;
    h->rows = r;
    h->columns = c;
    h->map = map;
    h->x0 = 1 + ((double)columns / (double)c - 1) / 2; /* cell k stands at k, counted from 1 */
    h->dx = (double)columns / (double)c;
    h->y0 = 1 + ((double)rows / (double)r - 1) / 2;
    h->dy = (double)rows / (double)r;
    heat_range(h, lo, hi);
    return PH_OK;
}

double plt_heat_place(const plt_heat *h, double v) {
    if (isnan(v)) return NAN;
    if (isinf(v)) return v > 0 ? 1 : 0;
    double t = (v / 2 - h->lo / 2) / (h->hi / 2 - h->lo / 2);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}
