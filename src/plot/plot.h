/* plot.h: a picture is a scene: panels in a grid, each with axes, a title and marks. Renderers draw the same scene as SVG
 * (svg.c), in a terminal (terminal.c), and through SVG as PNG, PDF and pixels (raster.c).
 *
 * Texts (titles, labels, names) are UTF-8; inside $...$ stands a little TeX: Greek letters and common symbols by name,
 * x_i, x_{ij}, x^2 (text.h). The scene copies all that it is given. Long lines are reduced when they are added: no more
 * points are kept than can be told apart (reduce.c), so that a picture of 10^7 points is small and quick.
 *
 * NaN and infinities are gaps: they are not drawn, and the rest is. On a logarithmic axis so are values that are not
 * positive. A picture without a single point is drawn, empty.
 */
#ifndef PH_PLOT_H
#define PH_PLOT_H

#include "base/base.h"

/* ---- the scene ----------------------------------------------------------------------------------------- */

typedef enum {
    PLT_LINE,   /* through (x, y) in the order given */
    PLT_POINTS, /* at (x, y) */
    PLT_BAND,   /* between (x, y) and (x, z) */
    PLT_BARS, /* from 0 (the lower end of a logarithmic axis) to y, x - z to x + z; z NULL: 0.4 of the least step of x */
    PLT_ARROWS, /* from (x, y) to (z, w) */
    PLT_RULES   /* where x is a number: upright through x; where y is one: level through y */
} plt_kind;

typedef struct {
    plt_kind kind;
    int64_t n;
    double *x, *y, *z, *w; /* n each, or NULL where the kind has no use for it */
    char *label;           /* in the legend; NULL: not there */
    int series;            /* which colour, dash and sign; PLT_INK: the colour of the text */
    bool thin;             /* a line that jumps: drawn with a finer pen */
} plt_mark;
#define PLT_INK (-1)

typedef struct {
    double lo, hi; /* NaN: from the data */
    bool log, flip;
    char *label;
    char **names; /* of the values 1, 2, …, nnames, or of at[0], at[1], …, in place of numbers; NULL: none */
    double *at; /* NULL: names count */
    int nnames;
    bool whole; /* ticks at integers alone */
} plt_axis;

typedef enum { PLT_EVEN, PLT_DIVERGING, PLT_GREY } plt_map;

/* A value of a matrix that has a name: sign stands in its cells, and before the name in a legend in place of the colour bar. */
typedef struct {
    double value; /* NaN: of the cells that have no number */
    char *sign, *name;
} plt_class;

/* A matrix of colours: row r, column c is a cell around (x0 + c*dx, y0 + r*dy); rows go downwards. */
typedef struct {
    int64_t rows, columns; /* 0: there is none */
    double *value;
    double x0, dx, y0, dy;
    double lo, hi; /* the values of the first and last colour; always set */
    plt_map map;
    bool numbers;       /* the values stand in the cells */
    int digits;         /* how many digits these have */
    char *label;        /* of the colour bar */
    plt_class *classes; /* NULL: numbers are numbers */
    int nclasses;
} plt_heat;

typedef struct {
    char *title;
    plt_axis x, y;
    bool equal; /* one unit is as long in x as in y */
    bool bare;  /* no axes (the unit circle) */
    plt_heat heat;
    plt_mark *mark;
    int nmarks, series; /* series: how many have been given a colour */
} plt_panel;

typedef struct {
    char *title;
    int rows, columns; /* of the grid */
    plt_panel *panel;  /* rows*columns */
} plt_figure;

/* *out: empty panels. EARG unless rows and columns are from 1 to 32. */
PH_MUST ph_status plt_new(plt_figure **out, int rows, int columns, ph_err *err);
void plt_drop(plt_figure *f);                                                /* NULL is fine */
PH_MUST ph_status plt_copy(plt_panel *out, const plt_panel *p, ph_err *err); /* into an empty panel */

/* *field becomes a copy of text (NULL: none); the old one is freed. Ill-formed UTF-8 and control characters become U+FFFD. */
PH_MUST ph_status plt_set_text(char **field, const char *text, ph_err *err);
/* at: where the names stand; NULL: at 1, 2, …, n */
PH_MUST ph_status plt_set_names(plt_axis *a, const char *const *names, const double *at, int n, ph_err *err);
/* EARG: lo >= hi, an infinity, or a bound <= 0 on a logarithmic axis. `who` and `which` begin the message. */
PH_MUST ph_status plt_set_range(plt_axis *a, double lo, double hi, const char *who, ph_err *err);

/* Adds a mark; arrays are copied (z, w: NULL where the kind has no use for them). Set the axes' scales before. Polls the
 * interrupt flag. */
PH_MUST ph_status plt_add(plt_panel *p, plt_kind kind, int64_t n, const double *x, const double *y,
                          const double *z, const double *w, const char *label, int series, ph_err *err);
/* Sets the matrix, row-major; lo and hi NaN: from the data (symmetric about 0 for PLT_DIVERGING). Beyond PLT_HEAT_MAX rows or
 * columns neighbours are averaged. */
PH_MUST ph_status plt_set_heat(plt_panel *p, int64_t rows, int64_t columns, const double *value, plt_map map,
                               double lo, double hi, ph_err *err);
#define PLT_HEAT_MAX 2048
/* Copies n classes in place of those there were. */
PH_MUST ph_status plt_set_classes(plt_heat *h, int n, const plt_class *classes, ph_err *err);
void plt_drop_classes(plt_heat *h);

/* What an axis shows in the end: finite, lo < hi (both > 0 where log). */
typedef struct {
    double lo, hi;
    bool log, flip;
} plt_span;
void plt_spans(const plt_panel *p, plt_span *x, plt_span *y);
/* Where v stands between the ends: 0 at the left or lower one, 1 at the other; NaN when it has no place. */
double plt_place(const plt_span *s, double v);

/* ---- renderers: *out is ph_alloc'ed, NUL-terminated; the same scene gives the same bytes ----------------- */

typedef struct {
    int width, height; /* of a panel, in CSS pixels; 0: 640 by 400 alone, smaller in a grid */
    bool dark;
    bool
        either; /* light, and where the reader's screen is dark, dark (in what follows CSS, as browsers do) */
} plt_page;

void plt_page_size(double *width, double *height, const plt_figure *f,
                   const plt_page *page); /* of the whole, in CSS pixels */
PH_MUST ph_status plt_svg(char **out, size_t *n, const plt_figure *f, const plt_page *page, ph_err *err);

typedef struct {
    int columns, rows; /* the most it may take; rows 0: as many as look well */
    int colours;       /* 0, 256, or 1 << 24 */
    bool unicode;      /* braille and blocks; false: ASCII */
} plt_screen;

/* Lines of at most `columns` columns, each ended by a line break. */
PH_MUST ph_status plt_terminal(char **out, size_t *n, const plt_figure *f, const plt_screen *screen,
                               ph_err *err);

/* PNG, PDF and sixels by librsvg and cairo, which are opened at the first use. EUNABLE: they are not on this machine (the
 * message says how to get them). scale: device pixels for a CSS pixel, > 0. */
PH_MUST ph_status plt_png(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                          ph_err *err);
PH_MUST ph_status plt_png_text(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                               ph_err *err); /* in base64 and, to be small, at most 256 colours */
PH_MUST ph_status plt_pdf(char **out, size_t *n, const plt_figure *f, const plt_page *page, ph_err *err);
PH_MUST ph_status plt_sixel(char **out, size_t *n, const plt_figure *f, const plt_page *page, double scale,
                            ph_err *err);

#endif
