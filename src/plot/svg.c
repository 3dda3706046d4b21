/* svg.c: a scene as SVG: page, titles, axes, legends, colour bars. The text depends on the scene alone: no ids, no dates. */
#include "plot/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define SIZE  12.0 /* of plain text, in pixels */
#define TITLE 30.0 /* height of a title over several panels */

/* ---- small pieces -------------------------------------------------------------------------------------- */

void plt_svg_number(ph_text *b, double v) {
    char s[48];
    snprintf(s, sizeof s, "%.2f", v);
    char *end = s + strlen(s) - 1;
    while (*end == '0') *end-- = '\0';
    if (*end == '.') *end = '\0';
    ph_puts(b, strcmp(s, "-0") == 0 ? "0" : s);
}

void plt_svg_colour(ph_text *b, const char *attribute, uint32_t rgb) {
    ph_putf(b, " %s=\"#%06x\"", attribute, rgb);
}

/* name="v" for pairs of a name and a number, ended by NULL */
static void attributes(ph_text *b, int n, const char *const *names, const double *v) {
    for (int i = 0; i < n; i++) {
        ph_putf(b, " %s=\"", names[i]);
        plt_svg_number(b, v[i]);
        ph_puts(b, "\"");
    }
}

void plt_svg_rect(ph_text *b, double x, double y, double w, double h, uint32_t rgb) {
    ph_puts(b, "<rect");
    attributes(b, 4, (const char *const[]){"x", "y", "width", "height"}, (double[]){x, y, w, h});
    plt_svg_colour(b, "fill", rgb);
    ph_puts(b, "/>");
}

static void line(ph_text *b, double x0, double y0, double x1, double y1, uint32_t rgb) {
    ph_puts(b, "<line");
    attributes(b, 4, (const char *const[]){"x1", "y1", "x2", "y2"}, (double[]){x0, y0, x1, y1});
    plt_svg_colour(b, "stroke", rgb);
    ph_puts(b, "/>");
}

static void escape(ph_text *b, const char *s, size_t n) {
    for (size_t i = 0; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        const char *name = u.rune == '&'   ? "&amp;"
                           : u.rune == '<' ? "&lt;"
                           : u.rune == '>' ? "&gt;"
                           : u.rune == '"' ? "&quot;"
                                           : NULL;
        if (name) ph_puts(b, name);
        else if (u.valid && u.rune != 0xFFFE && u.rune != 0xFFFF)
            ph_put(b, s + i, (size_t)u.bytes); /* no XML characters */
        i += (size_t)u.bytes;
    }
}

/* Pieces of one kind in a row are gathered, so that a space is never alone in an element. */
typedef struct {
    ph_text *b, part;
    double size, shift; /* how far below the base line the text stands now */
    plt_level level;
    bool italic;
} writer;

static void end_piece(writer *w) {
    double shift = w->level == PLT_SUB ? 0.25 * w->size : w->level == PLT_SUPER ? -0.38 * w->size : 0;
    bool span = w->level != PLT_BASE || w->italic || shift != w->shift;
    if (w->part.n == 0) return;
    if (span) {
        ph_puts(w->b, "<tspan");
        if (shift != w->shift) attributes(w->b, 1, (const char *const[]){"dy"}, (double[]){shift - w->shift});
        if (w->level != PLT_BASE)
            attributes(w->b, 1, (const char *const[]){"font-size"}, (double[]){0.72 * w->size});
        if (w->italic) ph_puts(w->b, " font-style=\"italic\"");
        ph_puts(w->b, ">");
    }
    escape(w->b, w->part.s, w->part.n);
    if (span) ph_puts(w->b, "</tspan>");
    w->shift = shift;
    w->part.n = 0;
}

static void put_piece(void *ctx, const char *s, size_t n, plt_level level, bool italic) {
    writer *w = ctx;
    if (level != w->level || italic != w->italic) end_piece(w);
    w->level = level;
    w->italic = italic;
    ph_put(&w->part, s, n);
}

void plt_svg_text(ph_text *b, const char *text, double x, double y, double size, plt_anchor anchor,
                  uint32_t rgb, const char *more) {
    static const char *const names[] = {"start", "middle", "end"};
    if (!text || !*text) return;
    writer w = {.b = b, .size = size};
    ph_puts(b, "<text xml:space=\"preserve\"");
    attributes(b, 3, (const char *const[]){"x", "y", "font-size"}, (double[]){x, y, size});
    if (anchor != PLT_START) ph_putf(b, " text-anchor=\"%s\"", names[anchor]);
    plt_svg_colour(b, "fill", rgb);
    ph_puts(b, more);
    ph_puts(b, ">");
    plt_pieces(text, put_piece, &w);
    end_piece(&w);
    b->failed |= w.part.failed;
    ph_free(w.part.s);
    ph_puts(b, "</text>\n");
}

/* ---- layout -------------------------------------------------------------------------------------------- */

/* A panel at (x, y) of the page, and the box of its axes inside it. */
typedef struct {
    double x, y, width, height;
    double left, top, right, bottom; /* margins */
    plt_box box;
    plt_ticks tx, ty, tbar;
    int legend_rows;
} layout;

static double label_width(const char *s) { return s ? plt_width(s) * SIZE : 0; }

static double widest(const plt_ticks *t) {
    double w = 0;
    for (int i = 0; i < t->n; i++) w = fmax(w, label_width(t->label[i]));
    return w;
}

static double widest_class(const plt_heat *h) {
    double w = 0;
    for (int i = 0; i < h->nclasses; i++) w = fmax(w, label_width(h->classes[i].name));
    return w;
}

#define CLASS      26.0 /* width of a class's square in the legend, with its gap */
#define SLANT_DOWN 0.65 /* sin 40 degrees, how far down a slanted name reaches */
#define KEY        30.0 /* width of a legend's piece of line, with its gaps */

/* Calls draw (or only counts, b NULL) for each entry of the legend; returns the number of its rows. */
static int legend(ph_text *b, const plt_panel *p, double x, double y, double width, const plt_theme *t) {
    double at = 0;
    int row = 0;
    bool any = false;
    for (int i = 0; i < p->nmarks; i++) {
        const plt_mark *m = &p->mark[i];
        if (!m->label || !*m->label) continue;
        double w = KEY + label_width(m->label) + 14;
        if (at > 0 && at + w > width) at = 0, row++;
        if (b) {
            plt_svg_key(b, m, x + at, y + 17 * row - 4, KEY - 6, t);
            plt_svg_text(b, m->label, x + at + KEY, y + 17 * row, SIZE, PLT_START, t->ink, "");
        }
        at += w;
        any = true;
    }
    return any ? row + 1 : 0;
}

static void stretch(plt_span *s, double by) {
    double more = (s->hi - s->lo) * (by - 1) / 2;
    s->lo -= more;
    s->hi += more;
}

/* One unit as long in x as in y: the direction with room to spare shows more; that of a matrix gives the room back. Only on
 * linear axes. */
static void equalise(plt_box *b, bool heat) {
    double ux = b->width / (b->x.hi - b->x.lo), uy = b->height / (b->y.hi - b->y.lo);
    if (b->x.log || b->y.log || !isfinite(ux) || !isfinite(uy) || ux <= 0 || uy <= 0) return;
    if (heat) {
        b->width *= fmin(1, uy / ux);
        b->height *= fmin(1, ux / uy);
    } else if (ux > uy) stretch(&b->x, ux / uy);
    else stretch(&b->y, uy / ux);
}

/* Names that are wider than their cells stand at a slant. */
static bool slanted(const layout *l, const plt_panel *p) {
    return p->heat.rows > 0 && p->x.nnames > 0 && !p->x.at &&
           widest(&l->tx) + 5 > l->box.width / (double)p->heat.columns;
}

static void find_ticks(layout *l, const plt_panel *p) {
    const plt_heat *h = &p->heat;
    const plt_box *b = &l->box;
    int nx = (int)(b->width / 70), ny = (int)(b->height / 44), most_x = (int)(b->width / 24),
        most_y = (int)(b->height / 15);
    if (h->rows > 0) {
        plt_cell_ticks(&l->ty, &b->y, &p->y, h->y0, h->dy, h->rows, most_y, ny);
        plt_cell_ticks(&l->tx, &b->x, &p->x, h->x0, h->dx, h->columns, most_x, nx);
    } else {
        plt_find_ticks(&l->ty, &b->y, &p->y, p->y.nnames ? most_y : ny);
        plt_find_ticks(&l->tx, &b->x, &p->x, p->x.nnames ? most_x : nx);
    }
    double w = widest(&l->tx) + (p->x.nnames ? 5 : 12); /* long labels: fewer of them */
    if (slanted(l, p)) w = 16;                          /* a line's height, and some room */
    if (w * l->tx.n > b->width) plt_find_ticks(&l->tx, &b->x, &p->x, (int)(b->width / w));
}

static void lay_out(layout *l, const plt_panel *p) {
    plt_span bar = {.lo = p->heat.lo, .hi = p->heat.hi};
    l->top = 12 + (p->title ? 20 : 0) + 17 * l->legend_rows + (l->legend_rows ? 4 : 0);
    l->bottom = p->bare ? 12 : 26 + (p->x.label ? 18 : 0);
    l->right = 18;
    plt_spans(p, &l->box.x, &l->box.y);
    l->box.height = fmax(20, l->height - l->top - l->bottom);
    if (p->heat.rows > 0) {
        plt_find_ticks(&l->tbar, &bar, NULL, (int)fmax(2, l->box.height / 40));
        l->right = 14 + 14 + 8 + widest(&l->tbar) + 10 + (p->heat.label ? 18 : 0);
        if (p->heat.nclasses) l->right = 14 + CLASS + widest_class(&p->heat) + 10;
    }
    l->box.width = l->width;
    find_ticks(l, p);
    l->left = p->bare ? 12 : 14 + widest(&l->ty) + (p->y.label ? 20 : 0);
    l->box.width = fmax(20, l->width - l->left - l->right);
    if (p->equal) equalise(&l->box, p->heat.rows > 0);
    find_ticks(l, p);
    if (slanted(l, p)) {
        l->bottom += SLANT_DOWN * widest(&l->tx);
        l->box.height = fmax(20, l->height - l->top - l->bottom);
        find_ticks(l, p);
    }
}

/* ---- axes ---------------------------------------------------------------------------------------------- */

static void grid_lines(ph_text *b, const layout *l, const plt_panel *p, const plt_theme *t) {
    if (p->heat.rows > 0 || p->bare) return;
    ph_puts(b, "<g shape-rendering=\"crispEdges\">");
    for (int i = 0; i < l->tx.n; i++) {
        double x = l->left + plt_box_x(&l->box, l->tx.at[i]);
        line(b, x, l->top, x, l->top + l->box.height, t->grid);
    }
    for (int i = 0; i < l->ty.n; i++) {
        double y = l->top + plt_box_y(&l->box, l->ty.at[i]);
        line(b, l->left, y, l->left + l->box.width, y, t->grid);
    }
    ph_puts(b, "</g>\n");
}

static void axis_marks(ph_text *b, const layout *l, const plt_theme *t) {
    double bottom = l->top + l->box.height;
    ph_puts(b, "<g shape-rendering=\"crispEdges\">");
    line(b, l->left, l->top, l->left, bottom, t->faint);
    line(b, l->left, bottom, l->left + l->box.width, bottom, t->faint);
    for (int i = 0; i < l->tx.n + l->tx.nminor; i++) {
        double x = l->left + plt_box_x(&l->box, i < l->tx.n ? l->tx.at[i] : l->tx.minor[i - l->tx.n]);
        line(b, x, bottom, x, bottom + (i < l->tx.n ? 5 : 3), t->faint);
    }
    for (int i = 0; i < l->ty.n + l->ty.nminor; i++) {
        double y = l->top + plt_box_y(&l->box, i < l->ty.n ? l->ty.at[i] : l->ty.minor[i - l->ty.n]);
        line(b, l->left - (i < l->ty.n ? 5 : 3), y, l->left, y, t->faint);
    }
    ph_puts(b, "</g>\n");
}

static void turned_text(ph_text *b, const char *text, double x, double y, const plt_theme *t) {
    char turn[80];
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 %.0f %.0f)\"", round(x), round(y));
    plt_svg_text(b, text, round(x), round(y), SIZE, PLT_MIDDLE, t->ink, turn);
}

static void axis_texts(ph_text *b, const layout *l, const plt_panel *p, const plt_theme *t) {
    double bottom = l->top + l->box.height;
    bool slant = slanted(l, p);
    for (int i = 0; i < l->tx.n; i++) {
        double x = l->left + plt_box_x(&l->box, l->tx.at[i]);
        char turn[80] = "";
        if (slant) snprintf(turn, sizeof turn, " transform=\"rotate(-40 %.1f %.1f)\"", x + 4, bottom + 14);
        plt_svg_text(b, l->tx.label[i], slant ? x + 4 : x, bottom + (slant ? 14 : 18), SIZE,
                     slant ? PLT_END : PLT_MIDDLE, t->ink, turn);
    }
    for (int i = 0; i < l->ty.n; i++)
        plt_svg_text(b, l->ty.label[i], l->left - 8, l->top + plt_box_y(&l->box, l->ty.at[i]) + 4, SIZE,
                     PLT_END, t->ink, "");
    if (p->x.label)
        plt_svg_text(b, p->x.label, l->left + l->box.width / 2, bottom + 36, SIZE, PLT_MIDDLE, t->ink, "");
    if (p->y.label) turned_text(b, p->y.label, 15, l->top + l->box.height / 2, t);
}

/* A square for each class, with its sign, and its name beside it. */
static void class_legend(ph_text *b, const layout *l, const plt_heat *h, const plt_theme *t) {
    double x = l->left + l->box.width + 14;
    for (int i = 0; i < h->nclasses; i++) {
        const plt_class *k = &h->classes[i];
        double y = l->top + 24 * i;
        uint32_t ground = isnan(k->value) ? t->missing : plt_colour(h->map, plt_heat_place(h, k->value));
        ph_puts(b, "<g class=\"map\">");
        plt_svg_rect(b, x, y, 18, 18, ground);
        plt_svg_text(b, k->sign, x + 9, y + 13, SIZE, PLT_MIDDLE,
                     plt_lightness(ground) > 0.62 ? 0x111111 : 0xffffff, "");
        ph_puts(b, "</g>\n");
        plt_svg_text(b, k->name, x + CLASS, y + 13, SIZE, PLT_START, t->ink, "");
    }
}

static void colour_bar(ph_text *b, const layout *l, const plt_heat *h, const plt_theme *t) {
    if (h->nclasses) {
        class_legend(b, l, h, t);
        return;
    }
    double x = l->left + l->box.width + 14, tall = l->box.height;
    plt_span bar = {.lo = h->lo, .hi = h->hi};
    ph_puts(b, "<g class=\"map\" shape-rendering=\"crispEdges\">");
    for (int i = 0; i < 64; i++)
        plt_svg_rect(b, x, l->top + tall * (63 - i) / 64, 14, tall / 64 + 0.5,
                     plt_colour(h->map, (i + 0.5) / 64));
    ph_puts(b, "</g>\n");
    for (int i = 0; i < l->tbar.n; i++) {
        double y = l->top + (1 - plt_place(&bar, l->tbar.at[i])) * tall;
        line(b, x + 14, y, x + 18, y, t->faint);
        plt_svg_text(b, l->tbar.label[i], x + 21, y + 4, SIZE, PLT_START, t->ink, "");
    }
    if (h->label) turned_text(b, h->label, l->width - 6, l->top + tall / 2, t);
}

/* ---- panels and page ----------------------------------------------------------------------------------- */

/* legends: how many rows of a legend there is room for, as many as any panel beside it has. */
static ph_status panel(ph_text *b, const plt_panel *p, double x, double y, double width, double height,
                       int legends, const plt_theme *t, ph_err *err) {
    if (plt_is_empty(p)) return PH_OK;
    layout l = {.x = x, .y = y, .width = width, .height = height, .legend_rows = legends};
    lay_out(&l, p);
    ph_putf(b, "<g transform=\"translate(%.0f %.0f)\">\n", x, y);
    plt_svg_text(b, p->title, l.left + l.box.width / 2, 22, 1.15 * SIZE, PLT_MIDDLE, t->ink,
                 " font-weight=\"bold\"");
    legend(b, p, 40, 28 + (p->title ? 18 : 0) - 6, width - 80, t);
    grid_lines(b, &l, p, t);
    ph_puts(b, "<svg");
    attributes(b, 4, (const char *const[]){"x", "y", "width", "height"},
               (double[]){l.left, l.top, l.box.width, l.box.height});
    ph_puts(b, ">\n");
    ph_status st = plt_svg_marks(b, p, &l.box, t, err);
    ph_puts(b, "</svg>\n");
    if (!p->bare) {
        axis_marks(b, &l, t);
        axis_texts(b, &l, p, t);
    }
    if (p->heat.rows > 0) colour_bar(b, &l, &p->heat, t);
    ph_puts(b, "</g>\n");
    return st;
}

static int most_legends(const plt_panel *p, int panels, double width) {
    int most = 0;
    for (int i = 0; i < panels; i++) {
        int rows = legend(NULL, &p[i], 0, 0, width - 80, NULL);
        most = rows > most ? rows : most;
    }
    return most;
}

static void page_size(double *w, double *h, const plt_figure *f, const plt_page *page) {
    bool alone = f->rows * f->columns == 1;
    *w = page && page->width > 0 ? page->width : alone ? 640 : f->columns == 2 ? 440 : 340;
    *h = page && page->height > 0 ? page->height : alone ? 400 : f->columns == 2 ? 300 : 250;
    int names = f->panel[0].y.nnames;          /* a line for each */
    if (f->panel[0].heat.nclasses) names += 5; /* and their heads, at a slant */
    if (alone && names * 16 + 80 > *h && names <= 200 && !(page && page->height > 0)) *h = names * 16 + 80;
    if (f->panel[0].equal && !(page && page->width > 0)) *w = *h = alone ? 480 : *w;
    const plt_heat *m = &f->panel[0].heat;
    if (!f->panel[0].equal || !alone || m->rows == 0 || (page && page->height > 0)) return;
    double share = fmin(1, m->dy * (double)m->rows / (m->dx * (double)m->columns));
    *h = share * 0.92 * *w + (1 - share) * 60; /* what a matrix wider than high leaves is not on the page */
}

void plt_page_size(double *width, double *height, const plt_figure *f, const plt_page *page) {
    page_size(width, height, f, page);
    *width *= f->columns;
    *height = *height * f->rows + (f->title ? TITLE : 0);
}

static const plt_theme day = {0xffffff, 0x1f2328, 0x8c959f, 0xe4e8ec, 0xc9ced4, false},
                       night = {0x14181d, 0xe6edf3, 0x7d8590, 0x2b323a, 0x4a525b, true};

/* Each colour of the day by that of the night, but not in maps, whose colours are values. */
static void night_colour(ph_text *b, uint32_t from, uint32_t to) {
    static const char *const names[] = {"fill", "stroke"};
    for (int k = 0; k < 2; k++)
        ph_putf(b, ".either [%s=\"#%06x\"]:not(.map *){%s:#%06x}", names[k], from, names[k], to);
    ph_puts(b, "\n");
}

static void night_colours(ph_text *b) {
    ph_puts(b, "<style>@media (prefers-color-scheme:dark){\n");
    night_colour(b, day.ground, night.ground);
    night_colour(b, day.ink, night.ink);
    night_colour(b, day.faint, night.faint);
    night_colour(b, day.grid, night.grid);
    for (int i = 0; i < PLT_SERIES; i++)
        night_colour(b, plt_series_colour(i, false), plt_series_colour(i, true));
    ph_puts(b, "}</style>\n");
}

/* For who cannot see the picture: its name, or that of its first panel. */
static void put_name(ph_text *b, const plt_figure *f) {
    const char *name = f->title && *f->title ? f->title : f->panel[0].title;
    ph_text plain = {0};
    if (!name || !*name) return;
    plt_plain(&plain, name, true);
    ph_puts(b, "<title>");
    escape(b, plain.s, plain.n);
    ph_puts(b, "</title>\n");
    b->failed |= plain.failed;
    ph_free(plain.s);
}

ph_status plt_svg(char **out, size_t *n, const plt_figure *f, const plt_page *page, ph_err *err) {
    const plt_theme *t = page && page->dark ? &night : &day;
    ph_text b = {0};
    ph_status st = PH_OK;
    double w, h, top = f->title ? TITLE : 0;
    *out = NULL;
    page_size(&w, &h, f, page);
    ph_putf(&b,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"%s width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n",
            page && page->either && !page->dark ? " class=\"either\"" : "", w * f->columns, top + h * f->rows,
            w * f->columns, top + h * f->rows);
    put_name(&b, f);
    if (page && page->either && !page->dark) night_colours(&b);
    plt_svg_rect(&b, 0, 0, w * f->columns, top + h * f->rows, t->ground);
    ph_puts(&b, "\n");
    plt_svg_text(&b, f->title, w * f->columns / 2, 24, 1.3 * SIZE, PLT_MIDDLE, t->ink,
                 " font-weight=\"bold\"");
    for (int i = 0, legends = 0; i < f->rows * f->columns && st == PH_OK; i++) {
        if (i % f->columns == 0) legends = most_legends(&f->panel[i], f->columns, w);
        st = panel(&b, &f->panel[i], w * (i % f->columns), top + h * (i / f->columns), w, h, legends, t, err);
    }
    ph_puts(&b, "</svg>\n");
    if (st == PH_OK) return ph_text_take(out, n, &b, err);
    ph_free(b.s);
    return st;
}
