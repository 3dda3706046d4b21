/* canvas.h: a sheet of terminal cells. Internal to plot/. */
#ifndef PH_PLOT_CANVAS_H
#define PH_PLOT_CANVAS_H

#include "plot/draw.h"

#define PLT_NONE (-1) /* the terminal's own colour */

typedef struct {
    uint32_t rune; /* ' ': empty; 0: the right half of a wide character */
    int32_t ink, ground;
    bool faint;
} plt_cell;

typedef struct {
    int columns, rows;
    plt_cell *cell;
    int colours;
    bool unicode;
} plt_canvas;

PH_MUST ph_status plt_canvas_new(plt_canvas *c, int columns, int rows, const plt_screen *s, ph_err *err);
void plt_canvas_drop(plt_canvas *c);
plt_cell *plt_canvas_at(plt_canvas *c, int column, int row); /* NULL outside */
void plt_canvas_put(plt_canvas *c, int column, int row, uint32_t rune, int32_t ink);
/* Plain text from a column on, at most `most` columns; what does not fit ends in "…" (ASCII: "~"). Returns its width. */
int plt_canvas_text(plt_canvas *c, int column, int row, const char *s, int most, bool faint);
void plt_canvas_ink(plt_canvas *c, int column,
                    int row); /* makes a text readable on the colour of its cell, if that has one */
void plt_canvas_write(ph_text *b, const plt_canvas *c);

/* Dots, 2 by 4 in a cell (one in a cell without braille), over `columns` by `rows` cells. */
typedef struct {
    int columns, rows;
    bool braille;
    unsigned char *mask; /* of each cell */
} plt_dots;
void plt_dots_line(plt_dots *d, double x0, double y0, double x1, double y1); /* in dots */

/* What a panel's marks are drawn into: cells (left, top) to (left+columns-1, top+rows-1) of the canvas. */
typedef struct {
    plt_canvas *c;
    int left, top, columns, rows;
    plt_box box; /* in dots: 2 columns by 4 rows, without braille 1 by 1 */
} plt_area;
PH_MUST ph_status plt_area_marks(const plt_area *a, const plt_panel *p, bool signs, ph_err *err);
void plt_area_heat(const plt_area *a, const plt_heat *h, bool numbers);
/* What bars are made of: without colours series are told apart by it. */
uint32_t plt_bar_rune(int series, bool unicode, int colours);
/* The sign of a series, for points and legends. */
uint32_t plt_sign(int series, bool unicode);
/* How a place on a colour scale looks (NaN: missing): its cell, without colours a shade. */
plt_cell plt_shade(plt_map map, double t, int colours, bool unicode);

#endif
