/* svg_marks.c: lines, points, bands, bars, arrows and matrices as SVG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/svg.h"

static uint32_t colour_of(const plt_mark *m, const plt_theme *t) {
    return m->series < 0 ? t->faint : plt_series_colour(m->series, t->dark);
}

/* Lines of different series are told apart by their dashes too. */
static const char *dash_of(int series) {
    static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "6 2 1 2 1 2"};
    return series < 0 ? "3 3" : dashes[series % 8];
}

static void put_point(ph_text *b, char command, double x, double y) {
    ph_put(b, &command, 1);
    plt_svg_number(b, x);
    ph_put(b, " ", 1);
    plt_svg_number(b, y);
}

static void begin_stroke(ph_text *b, const plt_mark *m, const plt_theme *t, double width) {
    ph_puts(b, "<path fill=\"none\" stroke-linejoin=\"round\"");
    plt_svg_colour(b, "stroke", colour_of(m, t));
    ph_puts(b, " stroke-width=\"");
    plt_svg_number(b, width);
    ph_puts(b, "\"");
    const char *dash = m->kind == PLT_ARROWS ? "" : dash_of(m->series);
    if (*dash) ph_putf(b, " stroke-dasharray=\"%s\"", dash);
    else ph_puts(b, " stroke-linecap=\"round\"");
    ph_puts(b, " d=\"");
}

/* ---- kinds --------------------------------------------------------------------------------------------- */

static void put_segment(void *ctx, double x0, double y0, double x1, double y1, bool joined) {
    if (x0 == x1 && y0 == y1) x0 -= 1, x1 += 1, joined = false; /* a point alone: a dash that is seen */
    if (!joined) put_point(ctx, 'M', x0, y0);
    put_point(ctx, 'L', x1, y1);
}

static ph_status put_line(ph_text *b, const plt_mark *m, const plt_box *box, const plt_theme *t,
                          ph_err *err) {
    const double *x, *y;
    int64_t n;
    bool own;
    ph_status st = plt_shown(box, m, (int)(2 * box->width), &x, &y, &n, &own, err);
    if (st != PH_OK) return st;
    begin_stroke(b, m, t, m->thin ? 0.8 : 1.6);
    plt_walk(box, x, y, n, put_segment, b);
    ph_puts(b, "\"/>\n");
    if (own) {
        ph_free((double *)x);
        ph_free((double *)y);
    }
    return PH_OK;
}

/* Signs of about the same area, one a series. */
static void put_sign(ph_text *b, int series, double x, double y, double r) {
    static const double square[] = {-.8, -.8, .8, -.8, .8, .8, -.8, .8}, up[] = {0, -1.1, 1, .8, -1, .8},
                        diamond[] = {0, -1.2, 1.2, 0, 0, 1.2, -1.2, 0}, down[] = {0, 1.1, 1, -.8, -1, -.8},
                        bow[] = {-1, -.9, 1, .9, 1, -.9, -1, .9}, glass[] = {-.9, -1, .9, 1, -.9, 1, .9, -1};
    static const struct {
        const double *at;
        int n;
    } signs[] = {{NULL, 0}, {square, 4}, {up, 3}, {diamond, 4}, {down, 3}, {bow, 4}, {glass, 4}, {NULL, 0}};
    int k = (series < 0 ? 0 : series) % 8;
    if (!signs[k].at) {
        put_point(b, 'M', x - r, y);
        for (int half = 1; half >= -1; half -= 2) { /* two half circles */
            ph_puts(b, "a");
            plt_svg_number(b, r);
            ph_puts(b, " ");
            plt_svg_number(b, r);
            ph_puts(b, " 0 0 0 ");
            plt_svg_number(b, half * 2 * r);
            ph_puts(b, " 0");
        }
    }
    for (int i = 0; i < signs[k].n; i++)
        put_point(b, i ? 'L' : 'M', x + r * signs[k].at[2 * i], y + r * signs[k].at[2 * i + 1]);
    ph_puts(b, "z");
}

static void put_points(ph_text *b, const plt_mark *m, const plt_box *box, const plt_theme *t) {
    double r = m->n <= 60 ? 3.6 : m->n <= 1000 ? 2.6 : 1.5;
    int64_t there = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double x = plt_box_x(box, m->x[i]), y = plt_box_y(box, m->y[i]);
        if (!(x >= -r && x <= box->width + r && y >= -r && y <= box->height + r)) continue;
        if (there % 2000 == 0) { /* readers of XML limit the length of an attribute */
            ph_puts(b, there ? "\"/>\n<path" : "<path");
            plt_svg_colour(b, "fill", colour_of(m, t));
            ph_puts(b, " d=\"");
        }
        put_sign(b, m->series, x, y, r);
        there++;
    }
    if (there) ph_puts(b, "\"/>\n");
}

static double within(double v, double size) { return v < -size ? -size : v > 2 * size ? 2 * size : v; }

/* The pen that makes a band as wide as it must be to be seen under a line; 0: it is. */
#define BAND 7.0
static double edge_of(const plt_mark *m, const plt_box *box) {
    double sum = 0, n = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double tall = fabs(plt_box_y(box, m->y[i]) - plt_box_y(box, m->z[i]));
        if (isfinite(tall)) sum += tall, n++;
    }
    return n > 0 && sum / n < BAND ? BAND - sum / n : 0;
}

/* Each run without a gap is a polygon: the upper edge forth, the lower one back. */
static void put_band(ph_text *b, const plt_mark *m, const plt_box *box, const plt_theme *t) {
    double edge = edge_of(m, box);
    ph_puts(b, edge > 0 ? "<path opacity=\"0.28\"" : "<path fill-opacity=\"0.28\"");
    plt_svg_colour(b, "fill", colour_of(m, t));
    if (edge > 0) {
        plt_svg_colour(b, "stroke", colour_of(m, t));
        ph_puts(b, " stroke-linejoin=\"round\" stroke-width=\"");
        plt_svg_number(b, edge);
        ph_puts(b, "\"");
    }
    ph_puts(b, " d=\"");
    for (int64_t i = 0; i < m->n;) {
        int64_t end = i;
        for (; end < m->n; end++)
            if (isnan(plt_box_x(box, m->x[end])) || isnan(plt_box_y(box, m->y[end])) ||
                isnan(plt_box_y(box, m->z[end])))
                break;
        for (int64_t k = i; k < end; k++)
            put_point(b, k == i ? 'M' : 'L', within(plt_box_x(box, m->x[k]), box->width),
                      within(plt_box_y(box, m->z[k]), box->height));
        for (int64_t k = end; k-- > i;)
            put_point(b, 'L', within(plt_box_x(box, m->x[k]), box->width),
                      within(plt_box_y(box, m->y[k]), box->height));
        if (end > i) ph_puts(b, "z");
        i = end + 1;
    }
    ph_puts(b, "\"/>\n");
}

static void put_bars(ph_text *b, const plt_mark *m, const plt_box *box, const plt_theme *t) {
    double least = plt_bar_step(m) * 0.4, base = plt_box_y(box, box->y.log ? box->y.lo : 0);
    base = fmin(fmax(base, 0), box->height);
    for (int64_t i = 0; i < m->n; i++) {
        double half = m->z ? m->z[i] : least;
        double left = plt_box_x(box, m->x[i] - half), right = plt_box_x(box, m->x[i] + half),
               y = plt_box_y(box, m->y[i]);
        if (isnan(left) || isnan(right) || isnan(y)) continue;
        y = within(y, box->height);
        left = within(left, box->width), right = within(right, box->width);
        plt_svg_rect(b, fmin(left, right), fmin(y, base), fmax(fabs(right - left), 0.5), fabs(y - base),
                     colour_of(m, t));
    }
    ph_puts(b, "\n");
}

static void put_arrows(ph_text *b, const plt_mark *m, const plt_box *box, const plt_theme *t) {
    begin_stroke(b, m, t, 1.8);
    for (int64_t i = 0; i < m->n; i++) {
        double x = plt_box_x(box, m->z[i]), y = plt_box_y(box, m->w[i]), dx = x - plt_box_x(box, m->x[i]),
               dy = y - plt_box_y(box, m->y[i]), size = hypot(dx, dy);
        if (!(size > 0 && size < 1e6)) continue;
        double tip = fmin(9, size / 2) / size, c = dx * tip, s = dy * tip;
        put_point(b, 'M', x - dx, y - dy);
        put_point(b, 'L', x, y);
        put_point(b, 'M', x - 0.9 * c + 0.45 * s, y - 0.9 * s - 0.45 * c);
        put_point(b, 'L', x, y);
        put_point(b, 'L', x - 0.9 * c - 0.45 * s, y - 0.9 * s + 0.45 * c);
    }
    ph_puts(b, "\"/>\n");
}

static void put_rules(ph_text *b, const plt_mark *m, const plt_box *box, const plt_theme *t) {
    begin_stroke(b, m, t, 1.2);
    for (int64_t i = 0; i < m->n; i++) {
        double x = plt_box_x(box, m->x[i]), y = plt_box_y(box, m->y[i]);
        if (x >= 0 && x <= box->width) put_point(b, 'M', x, 0), put_point(b, 'L', x, box->height);
        if (y >= 0 && y <= box->height) put_point(b, 'M', 0, y), put_point(b, 'L', box->width, y);
    }
    ph_puts(b, "\"/>\n");
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

#define CELLS                                                                                                \
    16384 /* up to so many cells are drawn as such; more are an image, which some viewers blur a little */

/* Which of 255 colours each cell has, in the order of the page: rows from the top, columns from the left. MISSING: none. */
#define MISSING 255
static unsigned char *cell_colours(const plt_heat *h, const plt_box *box) {
    unsigned char *index = ph_alloc((size_t)(h->rows * h->columns));
    for (int64_t r = 0; index && r < h->rows; r++)
        for (int64_t c = 0; c < h->columns; c++) {
            int64_t from =
                (box->y.flip ? r : h->rows - 1 - r) * h->columns + (box->x.flip ? h->columns - 1 - c : c);
            double place = plt_heat_place(h, h->value[from]);
            index[r * h->columns + c] = isnan(place) ? MISSING : (unsigned char)(place * 254 + 0.5);
        }
    return index;
}

/* The rectangle that the matrix takes, from edge to edge. */
static bool heat_area(double area[4], const plt_heat *h, const plt_box *box) {
    double x0 = plt_box_x(box, h->x0 - 0.5 * h->dx),
           x1 = plt_box_x(box, h->x0 + ((double)h->columns - 0.5) * h->dx);
    double y0 = plt_box_y(box, h->y0 - 0.5 * h->dy),
           y1 = plt_box_y(box, h->y0 + ((double)h->rows - 0.5) * h->dy);
    area[0] = fmin(x0, x1), area[1] = fmin(y0, y1), area[2] = fabs(x1 - x0), area[3] = fabs(y1 - y0);
    return isfinite(x0 + x1 + y0 + y1);
}

static void put_run(ph_text *b, double x, double y, double w, double h) {
    put_point(b, 'M', x, y);
    ph_puts(b, "h");
    plt_svg_number(b, w);
    ph_puts(b, "v");
    plt_svg_number(b, h);
    ph_puts(b, "h");
    plt_svg_number(b, -w);
    ph_puts(b, "z");
}

/* A path for each colour: its cells, runs of them in one piece. */
static void cell_paths(ph_text *b, const plt_heat *h, const unsigned char *index, const double area[4],
                       const uint32_t palette[256]) {
    double w = area[2] / (double)h->columns, tall = area[3] / (double)h->rows;
    ph_puts(b, "<g class=\"map\" shape-rendering=\"crispEdges\">\n");
    for (int colour = 0; colour < 256; colour++) {
        bool open = false;
        for (int64_t r = 0; r < h->rows; r++) {
            const unsigned char *row = index + r * h->columns;
            for (int64_t c = 0, end; c < h->columns; c = end) {
                for (end = c + 1; end < h->columns && row[end] == row[c];) end++;
                if (row[c] != colour) continue;
                if (!open) {
                    ph_puts(b, "<path");
                    plt_svg_colour(b, "fill", palette[colour]);
                    ph_puts(b, " d=\"");
                    open = true;
                }
                put_run(b, area[0] + (double)c * w, area[1] + (double)r * tall, (double)(end - c) * w, tall);
            }
        }
        if (open) ph_puts(b, "\"/>\n");
    }
    ph_puts(b, "</g>\n");
}

static void cell_image(ph_text *b, const plt_heat *h, const unsigned char *index, const double area[4],
                       const uint32_t palette[256]) {
    static const char *const names[] = {" x", " y", " width", " height"};
    ph_puts(b, "<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\"");
    for (int k = 0; k < 4; k++) {
        ph_putf(b, "%s=\"", names[k]);
        plt_svg_number(b, area[k]);
        ph_puts(b, "\"");
    }
    ph_puts(b, " href=\"data:image/png;base64,");
    plt_png_indexed(b, index, (int)h->columns, (int)h->rows, palette);
    ph_puts(b, "\"/>\n");
}

static ph_status put_cells(ph_text *b, const plt_heat *h, const plt_box *box, const plt_theme *t,
                           ph_err *err) {
    uint32_t palette[256];
    double area[4];
    unsigned char *index = cell_colours(h, box);
    if (!index) return ph_fail_nomem(err, (size_t)(h->rows * h->columns));
    for (int i = 0; i < MISSING; i++) palette[i] = plt_colour(h->map, i / 254.0);
    palette[MISSING] = t->missing;
    if (!heat_area(area, h, box)) {
    } else if (h->rows * h->columns <= CELLS) cell_paths(b, h, index, area, palette);
    else cell_image(b, h, index, area, palette);
    ph_free(index);
    return PH_OK;
}

static void cell_numbers(ph_text *b, const plt_heat *h, const plt_box *box, const plt_theme *t) {
    double cell = box->width / (double)h->columns, wide = h->nclasses ? 1.5 : h->digits + 2.5,
           size = fmin(12, fmin(cell / (0.62 * wide), box->height / (double)h->rows * 0.7));
    ph_puts(b, "<g class=\"map\">\n");
    for (int64_t k = 0; k < h->rows * h->columns; k++) {
        char text[40];
        double v = h->value[k], x = plt_box_x(box, h->x0 + (double)(k % h->columns) * h->dx),
               y = plt_box_y(box, h->y0 + (double)(k / h->columns) * h->dy);
        if ((isnan(v) && !h->nclasses) || isnan(x + y)) continue;
        plt_heat_text(text, sizeof text, h, v);
        uint32_t ground = isnan(v) ? t->missing : plt_colour(h->map, plt_heat_place(h, v)),
                 ink = plt_lightness(ground) > 0.62 ? 0x111111 : 0xffffff;
        plt_svg_text(b, text, x, y + size * 0.36, size, PLT_MIDDLE, ink, "");
    }
    ph_puts(b, "</g>\n");
}

/* ---- all ----------------------------------------------------------------------------------------------- */

ph_status plt_svg_marks(ph_text *b, const plt_panel *p, const plt_box *box, const plt_theme *t, ph_err *err) {
    ph_status st = PH_OK;
    const plt_heat *h = &p->heat;
    if (h->rows > 0 && h->columns > 0) {
        st = put_cells(b, h, box, t, err);
        if (h->numbers) cell_numbers(b, h, box, t);
    }
    for (int i = 0; i < p->nmarks && st == PH_OK; i++) {
        const plt_mark *m = &p->mark[i];
        switch (m->kind) {
        case PLT_LINE: st = put_line(b, m, box, t, err); break;
        case PLT_POINTS: put_points(b, m, box, t); break;
        case PLT_BAND: put_band(b, m, box, t); break;
        case PLT_BARS: put_bars(b, m, box, t); break;
        case PLT_ARROWS: put_arrows(b, m, box, t); break;
        case PLT_RULES: put_rules(b, m, box, t); break;
        }
        if (ph_interrupted()) return ph_fail_interrupted(err);
    }
    return st;
}

void plt_svg_key(ph_text *b, const plt_mark *m, double x, double y, double w, const plt_theme *t) {
    if (m->kind == PLT_POINTS) {
        ph_puts(b, "<path");
        plt_svg_colour(b, "fill", colour_of(m, t));
        ph_puts(b, " d=\"");
        put_sign(b, m->series, x + w / 2, y, 4);
        ph_puts(b, "\"/>\n");
    } else if (m->kind == PLT_BAND || m->kind == PLT_BARS) {
        ph_puts(b, m->kind == PLT_BAND ? "<g fill-opacity=\"0.35\">" : "<g>");
        plt_svg_rect(b, x, y - 5, w, 10, colour_of(m, t));
        ph_puts(b, "</g>\n");
    } else {
        begin_stroke(b, m, t, m->thin ? 0.8 : 1.8);
        put_point(b, 'M', x, y);
        put_point(b, 'L', x + w, y);
        ph_puts(b, "\"/>\n");
    }
}
