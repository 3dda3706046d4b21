/* terminal.c: a scene in a terminal: titles, legends, axes of text around the marks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/canvas.h"

#define LEAST_PANEL 24 /* columns: narrower panels are put below each other */
#define LEAST_AREA  8  /* columns: below, the axis gives way */

/* ---- text ---------------------------------------------------------------------------------------------- */

/* The marked-up text as plain UTF-8, in a buffer of the caller's; "" without memory. */
typedef struct {
    char s[240];
    int width;
} words;

static words plain(const char *text, bool unicode) {
    words w = {"", 0};
    ph_text b = {0};
    if (text) plt_plain(&b, text, unicode);
    if (b.s && !b.failed)
        snprintf(w.s, sizeof w.s, "%.*s", (int)ph_utf8_offset(b.s, b.n < 200 ? b.n : 200, 200), b.s);
    ph_free(b.s);
    w.width = (int)ph_utf8_width(w.s, strlen(w.s));
    return w;
}

/* ---- layout -------------------------------------------------------------------------------------------- */

typedef struct {
    plt_area a;
    int x, y, width;          /* of the panel on the canvas */
    int rows;                 /* of the panel, all told */
    int title, legend, upper; /* rows above the marks: title, legend, label of y */
    bool axes, numbers, bar;
    int slot; /* columns between two names of a heatmap's columns; 0: there are no such names */
    bool two; /* those names stand in two rows by turns */
    plt_ticks tx, ty;
} layout;

static int widest(const plt_ticks *t, bool unicode) {
    int w = 0;
    for (int i = 0; i < t->n; i++) {
        words l = plain(t->label[i], unicode);
        if (l.width > w) w = l.width;
    }
    return w;
}

static int legend_entry(plt_canvas *c, const plt_mark *m, int x, int y, int most) {
    words w = plain(m->label, c->unicode);
    if (y >= 0) {
        int32_t ink = m->series < 0 ? PLT_NONE : (int32_t)plt_series_colour(m->series, true);
        uint32_t body = m->kind == PLT_BAND   ? (c->unicode ? 0x2591 : ':')
                        : m->kind == PLT_BARS ? plt_bar_rune(m->series, c->unicode, c->colours)
                                              : plt_sign(m->series, c->unicode);
        bool lined = m->kind == PLT_LINE && m->series >= 0 && most > 8;
        for (int k = 0; k < 3; k++)
            if (k == 1 || lined || body == 0x2591 || body == ':')
                plt_canvas_put(c, x + k, y, k == 1 || !lined ? body : c->unicode ? 0x2500 : '-', ink);
        plt_canvas_text(c, x + 4, y, w.s, most - 4, false);
    }
    return 4 + w.width;
}

/* Writes the legend (only counts when y < 0); returns how many rows it takes. */
static int legend(plt_canvas *c, const plt_panel *p, int x, int y, int width) {
    int at = 0, row = 0;
    bool any = false;
    for (int i = 0; i < p->nmarks; i++) {
        const plt_mark *m = &p->mark[i];
        if (!m->label || !*m->label) continue;
        int w = legend_entry(c, m, 0, -1, width);
        if (at > 0 && at + w > width) at = 0, row++;
        if (y >= 0) legend_entry(c, m, x + at, y + row, width - at);
        at += w + 3;
        any = true;
    }
    return any ? row + 1 : 0;
}

/* How many cells of the picture an entry of the matrix gets: whole numbers, so that entries are of equal size; cells is
 * unchanged when there are more entries than cells. */
static int whole_cells(int cells, int64_t entries, int most) {
    int each = (int)(cells / entries);
    if (each < 1) return cells;
    return (each < most ? each : most) * (int)entries;
}

static int number_width(const plt_heat *h) {
    int w = 0;
    if (h->nclasses) return 3; /* a sign */
    for (int64_t k = 0; k < h->rows * h->columns; k++) {
        char text[40];
        plt_cell_text(text, sizeof text, h->value[k], h->digits);
        int wide = (int)ph_utf8_width(text, strlen(text));
        if (wide > w) w = wide;
    }
    return w + 2;
}

/* names: how wide those of the columns are; 0: they have none. */
static void shape_heat(layout *l, const plt_heat *h, const plt_canvas *c, int names) {
    int per = c->unicode && c->colours ? 2 : 1; /* pixels in a row */
    l->bar = true;
    if (h->numbers && (int64_t)number_width(h) * h->columns <= l->a.columns && h->rows <= l->a.rows) {
        l->numbers = true;
        int each = (int)(l->a.columns / h->columns),
            want = number_width(h) > names + 1 ? number_width(h) : names + 1;
        l->a.columns = (each < want ? each : want) * (int)h->columns;
        l->a.rows = (int)h->rows;
        return;
    }
    int tall = l->a.rows * per, each_x = (int)(l->a.columns / h->columns), each_y = (int)(tall / h->rows);
    int limit_x = 2 * (each_y > 0 ? each_y : 1), limit_y = each_x > 0 ? each_x : 1;
    if (per == 1) limit_x *= 2, limit_y = limit_y > 1 ? limit_y / 2 : 1;
    if (per == 2 && each_x > each_y && each_y > 0) limit_x = each_y; /* square entries where both fit */
    if (names > 0 && limit_x < names + 1) limit_x = names + 1;
    l->a.columns = whole_cells(l->a.columns, h->columns, limit_x);
    tall = whole_cells(tall, h->rows, limit_y);
    l->a.rows = (tall + per - 1) / per;
}

static int height_wanted(const plt_panel *p, int columns, const plt_screen *s, int over) {
    int room = (s->rows > 0 ? s->rows : 24) - over - 2, want = columns * 2 / 9;
    if (p->heat.rows > 0 || p->equal) want = columns / 2;
    if (want > 24 && !(p->heat.rows > 0)) want = 24;
    if (want > room) want = room;
    if (p->heat.rows > 0 && want < p->y.nnames && p->y.nnames <= 200)
        want = p->y.nnames; /* a line for each */
    return want < 5 ? 5 : want;
}

static void make_box(layout *l, const plt_panel *p, bool unicode) {
    plt_box *b = &l->a.box;
    plt_spans(p, &b->x, &b->y);
    b->width = l->a.columns * (unicode ? 2 : 1);
    b->height = l->a.rows * (unicode ? 4 : 1);
}

/* One unit as long in x as in y (a dot is as wide as it is high; a cell twice as high as wide). */
static void equalise(layout *l, bool unicode) {
    plt_box *b = &l->a.box;
    double wide = b->x.hi - b->x.lo, high = b->y.hi - b->y.lo, cell = unicode ? 1 : 2;
    if (b->x.log || b->y.log || !isfinite(wide + high)) return;
    double fit = b->height * cell * wide / high; /* the width, in dots, that makes units equal */
    if (fit <= b->width) {
        int per = unicode ? 2 : 1;
        l->a.columns = (int)fmax(1, floor(fit / per + 0.5));
        b->width = l->a.columns * per;
        return;
    }
    double more = high * (fit / b->width - 1) / 2;
    b->y.lo -= more;
    b->y.hi += more;
}

/* Names that their columns have no room for stand in two rows by turns, which gives each two columns. */
static void place_names(layout *l, const plt_panel *p, bool unicode) {
    bool named = p->heat.rows > 0 && p->x.nnames && !p->x.at;
    l->slot = named ? l->a.columns / (int)p->heat.columns - 1 : 0;
    if (l->slot < 4) l->slot = 0; /* too little is left of a name: fewer of them */
    l->two = l->axes && l->slot > 0 && widest(&l->tx, unicode) > l->slot;
}

static void lay_out(layout *l, const plt_panel *p, plt_canvas *c, const plt_screen *s) {
    plt_span x, y;
    plt_spans(p, &x, &y);
    l->title = p->title != NULL;
    l->upper = l->title + l->legend + (p->y.label != NULL && !p->bare);
    l->axes = !p->bare;
    int over = l->upper + (l->axes ? 2 + (p->x.label != NULL) : 0) + (p->heat.rows > 0);
    l->a.c = c;
    l->a.rows = height_wanted(p, l->width, s, over);
    plt_find_ticks(&l->ty, &y, &p->y, p->y.nnames ? l->a.rows : l->a.rows / 4 + 1);
    int margin = l->axes ? widest(&l->ty, c->unicode) + 2 : 0;
    if (l->width - margin < LEAST_AREA) l->ty.n = 0, margin = l->axes && l->width > 2;
    l->a.columns = l->width - margin > 1 ? l->width - margin : 1;
    if (p->heat.rows > 0) {
        plt_find_ticks(&l->tx, &x, &p->x, 40);
        shape_heat(l, &p->heat, c, p->x.nnames && !p->x.at ? widest(&l->tx, c->unicode) : 0);
    }
    make_box(l, p, c->unicode);
    if (p->equal && p->heat.rows == 0) equalise(l, c->unicode);
    const plt_heat *h = &p->heat;
    plt_box *b = &l->a.box;
    int nx = l->a.columns / 14 + 1, ny = l->a.rows / 4 + 1, most = l->a.columns / 4 + 1;
    if (h->rows > 0) plt_cell_ticks(&l->tx, &b->x, &p->x, h->x0, h->dx, h->columns, most, nx);
    else plt_find_ticks(&l->tx, &b->x, &p->x, p->x.nnames ? most : nx);
    if (l->ty.n && h->rows > 0) plt_cell_ticks(&l->ty, &b->y, &p->y, h->y0, h->dy, h->rows, l->a.rows, ny);
    else if (l->ty.n) plt_find_ticks(&l->ty, &b->y, &p->y, p->y.nnames ? l->a.rows : ny);
    l->a.left = l->x + margin;
    place_names(l, p, c->unicode);
    l->rows = l->a.rows + over + l->two;
}

/* ---- drawing ------------------------------------------------------------------------------------------- */

static int tick_row(const layout *l, double v) {
    double y = plt_box_y(&l->a.box, v) / l->a.box.height * l->a.rows;
    int row = (int)floor(y);
    return row >= l->a.rows ? l->a.rows - 1 : row < 0 ? 0 : row;
}

static int tick_column(const layout *l, double v) {
    int column = (int)floor(plt_box_x(&l->a.box, v) / l->a.box.width * l->a.columns);
    return column >= l->a.columns ? l->a.columns - 1 : column < 0 ? 0 : column;
}

static void axis_y(const layout *l, plt_canvas *c) {
    int line = l->a.left - 1;
    if (line < l->x) return;
    for (int r = 0; r < l->a.rows; r++)
        plt_canvas_put(c, line, l->a.top + r, c->unicode ? 0x2502 : '|', PLT_NONE);
    for (int i = 0, last = -1; i < l->ty.n; i++) {
        words w = plain(l->ty.label[i], c->unicode);
        int row = tick_row(l, l->ty.at[i]);
        if (row == last) continue;
        last = row;
        plt_canvas_text(c, line - 1 - w.width, l->a.top + row, w.s, w.width, false);
        plt_canvas_put(c, line, l->a.top + row, c->unicode ? 0x2524 : '+', PLT_NONE);
    }
}

/* Of the names from the left the k-th, whose tick is at `column`. free: where a row's last name ended, of both rows. */
static void tick_name(const layout *l, plt_canvas *c, int k, words w, int column, int *free) {
    int below = l->two && k % 2, row = l->a.top + l->a.rows, right = l->x + l->width;
    bool last = k >= l->tx.n - 1 - l->two; /* in its row: nobody stands to the right of it */
    int most = l->slot == 0 ? l->width : l->two ? 2 * l->slot + 1 : l->slot;
    if (l->two && last) most = right - free[below];
    if (w.width > most) w.width = most;
    int from = column - w.width / 2;
    if (from + w.width > right) from = right - w.width;
    if (from < l->x) from = l->x;
    if (l->two && from < free[below]) from = free[below];
    if (from < free[below]) return; /* no room beside the label before */
    plt_canvas_put(c, column, row, c->unicode ? 0x252C : '+', PLT_NONE);
    if (below && column >= free[0]) plt_canvas_put(c, column, row + 1, c->unicode ? 0x2502 : '|', PLT_NONE);
    plt_canvas_text(c, from, row + 1 + below, w.s, w.width, false);
    free[below] = from + w.width + 1;
}

static void axis_x(const layout *l, plt_canvas *c, const plt_panel *p) {
    int row = l->a.top + l->a.rows, free[2] = {l->x, l->x}, right = l->x + l->width;
    if (l->a.left - 1 >= l->x) plt_canvas_put(c, l->a.left - 1, row, c->unicode ? 0x2514 : '+', PLT_NONE);
    for (int k = 0; k < l->a.columns; k++)
        plt_canvas_put(c, l->a.left + k, row, c->unicode ? 0x2500 : '-', PLT_NONE);
    for (int k = 0; k < l->tx.n; k++) {
        int i = l->a.box.x.flip ? l->tx.n - 1 - k : k;
        tick_name(l, c, k, plain(l->tx.label[i], c->unicode), l->a.left + tick_column(l, l->tx.at[i]), free);
    }
    words w = plain(p->x.label, c->unicode);
    int from = l->a.left + (l->a.columns - w.width) / 2;
    if (p->x.label)
        plt_canvas_text(c, from > l->x ? from : l->x, row + 2 + l->two, w.s,
                        right - (from > l->x ? from : l->x), true);
}

/* P proved  C certified */
static void class_legend(const layout *l, plt_canvas *c, const plt_heat *h, int row) {
    for (int i = 0, at = l->x; i < h->nclasses; i++) {
        words sign = plain(h->classes[i].sign, c->unicode), name = plain(h->classes[i].name, c->unicode);
        for (int k = 0; k < 3 && c->colours; k++) {
            plt_cell *cell = plt_canvas_at(c, at + k, row);
            if (cell)
                *cell = plt_shade(h->map, plt_heat_place(h, h->classes[i].value), c->colours, c->unicode);
        }
        plt_canvas_text(c, at + 1, row, sign.s, l->x + l->width - at, false);
        plt_canvas_ink(c, at + 1, row);
        at += 4 + plt_canvas_text(c, at + 4, row, name.s, l->x + l->width - at - 4, true) + 2;
    }
}

/* −1 ░▒▓█ 1 label */
static void colour_bar(const layout *l, plt_canvas *c, const plt_heat *h, int row) {
    char low[40], high[40];
    if (h->nclasses) {
        class_legend(l, c, h, row);
        return;
    }
    words label = plain(h->label, c->unicode);
    plt_cell_text(low, sizeof low, h->lo, 4);
    plt_cell_text(high, sizeof high, h->hi, 4);
    words lo = plain(low, c->unicode), hi = plain(high, c->unicode);
    int at = l->x + plt_canvas_text(c, l->x, row, lo.s, l->width, false) + 1;
    int n = l->width - (at - l->x) - hi.width - 2;
    n = n > 24 ? 24 : n;
    for (int k = 0; k < n; k++) {
        plt_cell *cell = plt_canvas_at(c, at + k, row);
        if (cell) *cell = plt_shade(h->map, (k + 0.5) / n, c->colours, c->unicode);
    }
    at += (n > 0 ? n : 0) + 1;
    at += plt_canvas_text(c, at, row, hi.s, l->x + l->width - at, false) + 2;
    if (h->label) at += plt_canvas_text(c, at, row, label.s, l->x + l->width - at, true) + 2;
    if (h->numbers && !l->numbers)
        plt_canvas_text(c, at, row, "(too narrow for numbers)", l->x + l->width - at, true);
}

static ph_status draw(layout *l, const plt_panel *p, plt_canvas *c, ph_err *err) {
    if (plt_is_empty(p)) return PH_OK;
    words title = plain(p->title, c->unicode), label = plain(p->y.label, c->unicode);
    int from = l->a.left + (l->a.columns - title.width) / 2;
    if (from + title.width > l->x + l->width) from = l->x + l->width - title.width;
    if (from < l->x) from = l->x;
    if (p->title) plt_canvas_text(c, from, l->y, title.s, l->x + l->width - from, false);
    legend(c, p, l->x, l->y + l->title, l->width);
    if (p->y.label && l->axes) plt_canvas_text(c, l->x, l->y + l->title + l->legend, label.s, l->width, true);
    l->a.top = l->y + l->upper;
    int lines = 0;
    for (int i = 0; i < p->nmarks; i++) lines += p->mark[i].kind == PLT_LINE && p->mark[i].series >= 0;
    if (p->heat.rows > 0) plt_area_heat(&l->a, &p->heat, l->numbers);
    ph_status st = plt_area_marks(&l->a, p, lines > 1, err);
    if (l->axes) {
        axis_y(l, c);
        axis_x(l, c, p);
    }
    if (l->bar) colour_bar(l, c, &p->heat, l->y + l->rows - 1);
    return st;
}

/* One row of panels, `count` of them, below each other when side by side is too narrow. */
static ph_status draw_row(ph_text *b, const plt_panel *p, int count, const plt_screen *s, ph_err *err) {
    plt_canvas c = {.unicode = s->unicode, .colours = s->colours};
    int width = (s->columns - 2 * (count - 1)) / count, rows = 0;
    while (count > 1 && plt_is_empty(&p[count - 1])) count--;
    layout *l = ph_calloc((size_t)count, sizeof *l);
    ph_status st = l ? PH_OK : ph_fail_nomem(err, (size_t)count * sizeof *l);
    int legends = 0; /* as many rows for all, so that the panels stand level */
    for (int i = 0; i < count; i++) {
        int own = legend(&c, &p[i], 0, -1, width);
        legends = own > legends ? own : legends;
    }
    for (int i = 0; i < count && st == PH_OK; i++) {
        l[i].legend = legends;
        l[i].x = i * (width + 2);
        l[i].width = width;
        lay_out(&l[i], &p[i], &c, s);
        if (l[i].rows > rows) rows = l[i].rows;
    }
    if (st == PH_OK) st = plt_canvas_new(&c, s->columns, rows, s, err);
    for (int i = 0; i < count && st == PH_OK; i++) st = draw(&l[i], &p[i], &c, err);
    if (st == PH_OK) plt_canvas_write(b, &c);
    plt_canvas_drop(&c);
    ph_free(l);
    return st;
}

ph_status plt_terminal(char **out, size_t *n, const plt_figure *f, const plt_screen *screen, ph_err *err) {
    plt_screen s = *screen;
    ph_text b = {0};
    ph_status st = PH_OK;
    *out = NULL;
    if (s.columns < 1) s.columns = 1;
    if (s.columns > 2000) s.columns = 2000;
    if (f->title) {
        words w = plain(f->title, s.unicode);
        int left = s.columns > w.width ? (s.columns - w.width) / 2 : 0;
        plt_canvas c;
        st = plt_canvas_new(&c, s.columns, 1, &s, err);
        if (st != PH_OK) return st;
        plt_canvas_text(&c, left, 0, w.s, s.columns, false);
        plt_canvas_write(&b, &c);
        plt_canvas_drop(&c);
    }
    int beside = f->columns;
    while (beside > 1 && (s.columns - 2 * (beside - 1)) / beside < LEAST_PANEL) beside--;
    for (int r = 0; r < f->rows; r++)
        for (int i = 0; i < f->columns && st == PH_OK; i += beside) {
            int count = f->columns - i < beside ? f->columns - i : beside;
            if (plt_is_empty(&f->panel[r * f->columns + i]) && f->rows * f->columns > 1) continue;
            if (b.n && (r || i)) ph_puts(&b, "\n");
            st = draw_row(&b, &f->panel[r * f->columns + i], count, &s, err);
        }
    if (st == PH_OK) return ph_text_take(out, n, &b, err);
    ph_free(b.s);
    return st;
}
