/* terminal_marks.c: lines, points, bands, bars, arrows and matrices in cells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/canvas.h"

uint32_t plt_sign(int series, bool unicode) {
    static const uint32_t signs[] = {0x25CF, 0x25B2, 0x25A0, 0x25C6,
                                     0x25BC, 0x25CB, 0x25B3, 0x25A1}; /* ●▲■◆▼○△□ */
    if (series < 0) return unicode ? 0x2504 : '-';
    return unicode ? signs[series % 8] : (unsigned char)"*o+x#@%&"[series % 8];
}

static int32_t ink_of(const plt_mark *m) {
    return m->series < 0 ? PLT_NONE : (int32_t)plt_series_colour(m->series, true);
}

static bool dotted(const plt_area *a) { return a->c->unicode; }
static int per_column(const plt_area *a) { return dotted(a) ? 2 : 1; }
static int per_row(const plt_area *a) { return dotted(a) ? 4 : 1; }

static int cell_of(double v, int per, int cells) {
    if (v == (double)per * cells) return cells - 1;
    return v >= 0 && v < (double)per * cells ? (int)floor(v / per) : -1;
}

static void put(const plt_area *a, int column, int row, uint32_t rune, int32_t ink) {
    if (column < 0 || row < 0 || column >= a->columns || row >= a->rows) return;
    plt_canvas_put(a->c, a->left + column, a->top + row, rune, ink);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static void on_segment(void *ctx, double x0, double y0, double x1, double y1, bool joined) {
    (void)joined;
    plt_dots_line(ctx, x0, y0, x1, y1);
}

/* The dots on the canvas: joined with the dots that are there, in the colour of the last. */
static void put_dots(const plt_area *a, const plt_dots *d, int32_t ink, uint32_t sign) {
    for (int row = 0; row < d->rows; row++)
        for (int column = 0; column < d->columns; column++) {
            unsigned mask = d->mask[row * d->columns + column];
            plt_cell *at = plt_canvas_at(a->c, a->left + column, a->top + row);
            if (!mask || !at) continue;
            unsigned old = at->rune >= 0x2800 && at->rune < 0x2900 ? at->rune - 0x2800 : 0;
            put(a, column, row, d->braille ? 0x2800 + (mask | old) : sign, ink);
        }
}

/* The row of the middle of the line in a column; -1 when it is not there, or shares its cell with another line. */
static int own_row(const plt_area *a, const plt_dots *d, int column) {
    int first = -1, last = -1;
    if (column >= d->columns) return -1;
    for (int row = 0; row < d->rows; row++)
        if (d->mask[row * d->columns + column]) last = row, first = first < 0 ? row : first;
    int row = (first + last) / 2;
    const plt_cell *at = first < 0 ? NULL : plt_canvas_at(a->c, a->left + column, a->top + row);
    return at && at->rune == 0x2800u + d->mask[row * d->columns + column] ? row : -1;
}

/* Along the line, about every 16 columns, the sign of the series, so that it is told apart without colour too. */
static void put_signs(const plt_area *a, const plt_dots *d, const plt_mark *m) {
    for (int start = (3 + 5 * m->series) % 16; start < d->columns; start += 16)
        for (int column = start; column < start + 8; column++) {
            int row = own_row(a, d, column);
            if (row < 0) continue;
            put(a, column, row, plt_sign(m->series, true), ink_of(m));
            break;
        }
}

static ph_status put_line(const plt_area *a, const plt_mark *m, plt_dots *d, bool signs, ph_err *err) {
    const double *x, *y;
    int64_t n;
    bool own;
    ph_status st = plt_shown(&a->box, m, (int)a->box.width, &x, &y, &n, &own, err);
    if (st != PH_OK) return st;
    plt_walk(&a->box, x, y, n, on_segment, d);
    if (signs) put_signs(a, d, m);
    else put_dots(a, d, ink_of(m), plt_sign(m->series, false));
    if (own) {
        ph_free((double *)x);
        ph_free((double *)y);
    }
    return PH_OK;
}

/* The head of a grey arrow, which has no sign of its own: the one of eight that points as it does. */
static uint32_t head(const plt_area *a, double dx, double dy) {
    static const uint32_t signs[] = {0x2192, 0x2197, 0x2191, 0x2196,
                                     0x2190, 0x2199, 0x2193, 0x2198}; /* →↗↑↖←↙↓↘ */
    double cell = dotted(a) ? 1 : 2; /* a dot is as wide as it is high, a cell half as wide */
    int turn = (int)lround(atan2(-dy * cell, dx) / (acos(-1) / 4));
    return a->c->unicode ? signs[(turn + 8) % 8] : (unsigned char)">/^\\</v\\"[(turn + 8) % 8];
}

static void put_arrows(const plt_area *a, const plt_mark *m, plt_dots *d) {
    for (int64_t i = 0; i < m->n; i++) {
        double x[2] = {m->x[i], m->z[i]}, y[2] = {m->y[i], m->w[i]};
        plt_walk(&a->box, x, y, 2, on_segment, d);
    }
    put_dots(a, d, ink_of(m), '.');
    for (int64_t i = 0; i < m->n; i++) {
        double x = plt_box_x(&a->box, m->z[i]), y = plt_box_y(&a->box, m->w[i]);
        if (isnan(x) || isnan(y)) continue;
        uint32_t sign = m->series >= 0
                            ? plt_sign(m->series, a->c->unicode)
                            : head(a, x - plt_box_x(&a->box, m->x[i]), y - plt_box_y(&a->box, m->y[i]));
        put(a, cell_of(x, per_column(a), a->columns), cell_of(y, per_row(a), a->rows), sign, ink_of(m));
    }
}

/* ---- other marks --------------------------------------------------------------------------------------- */

static void put_points(const plt_area *a, const plt_mark *m) {
    for (int64_t i = 0; i < m->n; i++)
        put(a, cell_of(plt_box_x(&a->box, m->x[i]), per_column(a), a->columns),
            cell_of(plt_box_y(&a->box, m->y[i]), per_row(a), a->rows), plt_sign(m->series, a->c->unicode),
            ink_of(m));
}

/* Shades every cell that the band touches in the column's range of x: wider, never narrower. */
static void band_piece(const plt_area *a, const plt_mark *m, int64_t i, int64_t k) {
    double x0 = plt_box_x(&a->box, m->x[i]), x1 = plt_box_x(&a->box, m->x[k]);
    double top[2] = {plt_box_y(&a->box, m->z[i]), plt_box_y(&a->box, m->z[k])};
    double low[2] = {plt_box_y(&a->box, m->y[i]), plt_box_y(&a->box, m->y[k])};
    double w = per_column(a), h = per_row(a);
    if (isnan(x0 + x1 + top[0] + top[1] + low[0] + low[1])) return;
    int from = (int)fmax(floor(fmin(x0, x1) / w), 0), to = (int)fmin(floor(fmax(x0, x1) / w), a->columns - 1);
    for (int column = from; column <= to; column++) {
        double high = INFINITY, deep = -INFINITY;
        for (int end = 0; end < 2; end++) {
            double x = fmin(fmax((column + end) * w, fmin(x0, x1)), fmax(x0, x1)),
                   t = x1 == x0 ? end : (x - x0) / (x1 - x0);
            high = fmin(high, fmin(top[0] + t * (top[1] - top[0]), low[0] + t * (low[1] - low[0])));
            deep = fmax(deep, fmax(top[0] + t * (top[1] - top[0]), low[0] + t * (low[1] - low[0])));
        }
        int row = (int)fmax(floor(high / h), 0), last = (int)fmin(floor(deep / h), a->rows - 1);
        for (; row <= last; row++) put(a, column, row, a->c->unicode ? 0x2591 : ':', ink_of(m));
    }
}

static void put_band(const plt_area *a, const plt_mark *m) {
    if (m->n == 1) band_piece(a, m, 0, 0);
    for (int64_t i = 0; i + 1 < m->n; i++) band_piece(a, m, i, i + 1);
}

uint32_t plt_bar_rune(int series, bool unicode, int colours) {
    static const uint32_t blocks[] = {0x2588, 0x2592, 0x2591, 0x2593};
    int k = series < 0 ? 0 : series % 4;
    return !unicode ? (unsigned char)"#=+%"[k] : blocks[colours ? 0 : k];
}

/* Eighths of a cell upwards from the base; downwards a cell is full, or its upper half. */
static void put_bar(const plt_area *a, const plt_mark *m, int column, double base, double y) {
    double h = per_row(a), from = fmin(base, y) / h, to = fmax(base, y) / h; /* in rows, downwards */
    bool down = y > base;
    for (int row = (int)fmax(0, floor(from)); row < a->rows && row < to; row++) {
        double share = fmin(to, row + 1) - fmax(from, row);
        int eighths = (int)lround(share * 8);
        uint32_t body = plt_bar_rune(m->series, a->c->unicode, a->c->colours);
        if (body != 0x2588) { /* no eighths of it */
            if (share >= 0.5) put(a, column, row, body, ink_of(m));
        } else if (down) {
            if (eighths >= 3) put(a, column, row, eighths >= 6 ? 0x2588 : 0x2580, ink_of(m));
        } else if (eighths > 0) put(a, column, row, (uint32_t)(0x2580 + eighths), ink_of(m));
    }
}

static void put_bars(const plt_area *a, const plt_mark *m) {
    double least = plt_bar_step(m) * 0.4, w = per_column(a);
    double base = plt_box_y(&a->box, a->box.y.log ? a->box.y.lo : 0);
    base = fmin(fmax(base, 0), a->box.height);
    for (int64_t i = 0; i < m->n; i++) {
        double x = plt_box_x(&a->box, m->x[i]), y = plt_box_y(&a->box, m->y[i]);
        if (isnan(x) || isnan(y)) continue;
        double half = m->z ? m->z[i] : least;
        double left = plt_box_x(&a->box, m->x[i] - half) / w, right = plt_box_x(&a->box, m->x[i] + half) / w;
        int from = isnan(left) ? (int)floor(x / w) : (int)lround(fmin(left, right));
        int to = isnan(right) ? from : (int)lround(fmax(left, right)) - 1;
        if (to < from) to = from = (int)floor(x / w);
        y = fmin(fmax(y, 0), a->box.height);
        for (int column = from < 0 ? 0 : from; column <= to && column < a->columns; column++)
            put_bar(a, m, column, base, y);
    }
}

static void put_rules(const plt_area *a, const plt_mark *m) {
    for (int64_t i = 0; i < m->n; i++) {
        int column = cell_of(plt_box_x(&a->box, m->x[i]), per_column(a), a->columns);
        int row = cell_of(plt_box_y(&a->box, m->y[i]), per_row(a), a->rows);
        for (int r = 0; column >= 0 && r < a->rows; r++)
            put(a, column, r, a->c->unicode ? 0x2506 : '|', ink_of(m));
        for (int c = 0; row >= 0 && c < a->columns; c++)
            put(a, c, row, a->c->unicode ? 0x2504 : '-', ink_of(m));
    }
}

ph_status plt_area_marks(const plt_area *a, const plt_panel *p, bool signs, ph_err *err) {
    static const struct {
        plt_kind kind;
        bool signs; /* the signs of the lines, over all lines */
    } order[] = {{PLT_BAND, false}, {PLT_BARS, false},   {PLT_RULES, false}, {PLT_LINE, false},
                 {PLT_LINE, true},  {PLT_ARROWS, false}, {PLT_POINTS, false}};
    size_t cells = (size_t)a->columns * (size_t)a->rows;
    plt_dots d = {a->columns, a->rows, a->c->unicode, ph_alloc(cells)};
    ph_status st = d.mask ? PH_OK : ph_fail_nomem(err, cells);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (int i = 0; i < p->nmarks && st == PH_OK; i++) {
            const plt_mark *m = &p->mark[i];
            if (m->kind != order[k].kind) continue;
            if (order[k].signs && !(signs && d.braille && m->series >= 0)) continue;
            memset(d.mask, 0, cells);
            switch (m->kind) {
            case PLT_BAND: put_band(a, m); break;
            case PLT_BARS: put_bars(a, m); break;
            case PLT_RULES: put_rules(a, m); break;
            case PLT_LINE: st = put_line(a, m, &d, order[k].signs, err); break;
            case PLT_ARROWS: put_arrows(a, m, &d); break;
            case PLT_POINTS: put_points(a, m); break;
            }
            if (st == PH_OK && ph_interrupted()) st = ph_fail_interrupted(err);
        }
    ph_free(d.mask);
    return st;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

plt_cell plt_shade(plt_map map, double t, int colours, bool unicode) {
    static const uint32_t blocks[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};
    /* What is not there is hatched, by a sign of no ramp: a blank is a value. */
    if (isnan(t)) return (plt_cell){colours ? ' ' : unicode ? 0x2571 : '/', PLT_NONE, PLT_NONE, false};
    if (colours) {
        uint32_t ground = colours > 256 ? plt_colour(map, t) : plt_colour_256(map, t);
        return (plt_cell){' ', PLT_NONE, (int32_t)ground, false};
    }
    if (map == PLT_DIVERGING) { /* a sign says which side, its weight how far */
        int far = (int)lround(fabs(t - 0.5) * 2 * 4);
        return (plt_cell){(unsigned char)(t < 0.5 ? " -=%&" : " .+#@")[far], PLT_NONE, PLT_NONE, false};
    }
    uint32_t rune = unicode ? blocks[(int)lround(t * 4)] : (unsigned char)" .:-=+*#%@"[(int)lround(t * 9)];
    return (plt_cell){rune, PLT_NONE, PLT_NONE, false};
}

/* The mean of the entries that a rectangle of the picture covers: rows r0..r1 and columns c0..c1, ends left out. */
static double mean(const plt_heat *h, int64_t r0, int64_t r1, int64_t c0, int64_t c1) {
    double sum = 0;
    int64_t n = 0;
    if (r1 - r0 <= 1 && c1 - c0 <= 1) return h->value[r0 * h->columns + c0];
    for (int64_t r = r0; r < r1; r++)
        for (int64_t c = c0; c < c1; c++)
            if (isfinite(h->value[r * h->columns + c])) sum += h->value[r * h->columns + c], n++;
    return n ? sum / (double)n : NAN;
}

/* The value at pixel i of n, from entries 0..count-1: which ones it covers. */
static void cover(int64_t *from, int64_t *to, int i, int n, int64_t count, bool flip) {
    if (flip) i = n - 1 - i;
    *from = (int64_t)i * count / n;
    *to = ((int64_t)i + 1) * count / n;
    if (*to <= *from) *to = *from + 1;
}

/* The place on the colour scale of what pixel (x, y) covers. */
static double pixel(const plt_area *a, const plt_heat *h, int x, int y, int height) {
    int64_t r0, r1, c0, c1;
    cover(&c0, &c1, x, a->columns, h->columns, a->box.x.flip);
    cover(&r0, &r1, y, height, h->rows, !a->box.y.flip); /* flipped: the first row on top */
    return plt_heat_place(h, mean(h, r0, r1, c0, c1));
}

static void put_number(const plt_area *a, const plt_heat *h, int64_t r, int64_t c) {
    char text[40];
    double v = h->value[r * h->columns + c];
    int wide = a->columns / (int)h->columns, high = a->rows / (int)h->rows;
    int64_t at_c = a->box.x.flip ? h->columns - 1 - c : c, at_r = a->box.y.flip ? r : h->rows - 1 - r;
    plt_heat_text(text, sizeof text, h, v);
    if (!a->c->unicode && strncmp(text, "−", strlen("−")) == 0) /* ASCII has but one */
        memmove(text + 1, text + strlen("−"), strlen(text) - strlen("−") + 1), text[0] = '-';
    int n = (int)ph_utf8_width(text, strlen(text)), left = a->left + (int)at_c * wide + (wide - n) / 2,
        top = a->top + (int)at_r * high + (high - 1) / 2;
    plt_canvas_text(a->c, left, top, text, wide, false);
    for (int k = 0; k < n; k++) plt_canvas_ink(a->c, left + k, top);
}

void plt_area_heat(const plt_area *a, const plt_heat *h, bool numbers) {
    bool halves = a->c->unicode && a->c->colours && !numbers;
    for (int y = 0; y < a->rows; y++)
        for (int x = 0; x < a->columns; x++) {
            plt_cell *at = plt_canvas_at(a->c, a->left + x, a->top + y);
            if (!at) continue;
            *at = plt_shade(h->map, pixel(a, h, x, halves ? 2 * y : y, halves ? 2 * a->rows : a->rows),
                            a->c->colours, a->c->unicode);
            if (numbers && !a->c->colours) at->rune = ' ';
            if (!halves) continue;
            plt_cell low = plt_shade(h->map, pixel(a, h, x, 2 * y + 1, 2 * a->rows), a->c->colours, true);
            if (low.ground == at->ground) continue;
            int32_t high = at->ground; /* ▀, or ▄ where the upper half is missing */
            *at = high == PLT_NONE ? (plt_cell){0x2584, low.ground, PLT_NONE, false}
                                   : (plt_cell){0x2580, high, low.ground, false};
        }
    for (int64_t k = 0; numbers && k < h->rows * h->columns; k++)
        put_number(a, h, k / h->columns, k % h->columns);
}
