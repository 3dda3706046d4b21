/* text.h: the texts in pictures, ticks and colours. Internal to plot/. */
#ifndef PH_PLOT_TEXT_H
#define PH_PLOT_TEXT_H

#include "base/text.h"
#include "plot/plot.h"

/* ---- marked-up text ------------------------------------------------------------------------------------ */

typedef enum { PLT_BASE, PLT_SUB, PLT_SUPER } plt_level;
/* Hears the pieces of a text in order: plain UTF-8 at a level, italic or not. */
typedef void plt_on_piece(void *ctx, const char *s, size_t n, plt_level level, bool italic);
void plt_pieces(const char *text, plt_on_piece *on, void *ctx);

/* As plain text, sub- and superscripts by their own characters where Unicode has them all, else after _ and ^. Without
 * `unicode` Greek letters are spelt out and what else is beyond ASCII becomes '?'. */
void plt_plain(ph_text *b, const char *text, bool unicode);
double plt_width(const char *text); /* of a text, in em, about */

/* ---- ticks --------------------------------------------------------------------------------------------- */

#define PLT_TICKS_MAX 64
typedef struct {
    int n;
    double at[PLT_TICKS_MAX];
    char number[PLT_TICKS_MAX][40];
    const char *label[PLT_TICKS_MAX]; /* marked up; a number above or a name of the axis */
    int nminor;
    double minor[PLT_TICKS_MAX * 2];
} plt_ticks;
/* About `wanted` (>= 1) ticks at round values inside the span. A span with names has ticks at some of those. */
void plt_find_ticks(plt_ticks *t, const plt_span *s, const plt_axis *a, int wanted);
/* Along a matrix: every cell, when there are at most `most` of them; else as above. */
void plt_cell_ticks(plt_ticks *t, const plt_span *s, const plt_axis *a, double first, double step,
                    int64_t cells, int most, int wanted);

/* ---- colours: 0xRRGGBB --------------------------------------------------------------------------------- */

/* The colour of a value from 0 to 1 (clamped); NaN: the caller shows that something is missing. */
uint32_t plt_colour(plt_map map, double t);
/* The same as one of xterm's 256 colours, in fewer steps, which order values by lightness as the map does. */
uint32_t plt_colour_256(plt_map map, double t);
#define PLT_SERIES 8 /* series of different colour; then they begin again */
uint32_t plt_series_colour(int series, bool dark);
double plt_lightness(uint32_t rgb); /* OKLab's, from 0 to 1 */

/* A heat cell's place on its colour scale, 0..1; NaN: none. */
double plt_heat_place(const plt_heat *h, double v);

/* A value in a cell: with so many digits, short. */
void plt_cell_text(char *out, size_t cap, double v, int digits);
/* What stands in a cell of value v: the sign of its class, or the number. */
void plt_heat_text(char *out, size_t cap, const plt_heat *h, double v);

/* ---- reduce.c ------------------------------------------------------------------------------------------ */

/* A line with x and y in it, reduced to what `bins` columns can show: for every run of points within one column the
 * first, lowest, highest and last. NaN in both marks a gap. *m: how many; x and y are ph_alloc'ed. */
PH_MUST ph_status plt_reduce_line(double **x, double **y, int64_t *m, const double *in_x, const double *in_y,
                                  int64_t n, const plt_span *sx, const plt_span *sy, int bins, ph_err *err);
/* A band: in every column the least lower and the greatest upper edge, so it never gets narrower. x must not decrease, else
 * it is copied. */
PH_MUST ph_status plt_reduce_band(double **x, double **lo, double **hi, int64_t *m, const double *in_x,
                                  const double *in_lo, const double *in_hi, int64_t n, const plt_span *sx,
                                  int bins, ph_err *err);
/* Points: the first one of each cell of a grid of bins by bins. */
PH_MUST ph_status plt_reduce_points(double **x, double **y, int64_t *m, const double *in_x,
                                    const double *in_y, int64_t n, const plt_span *sx, const plt_span *sy,
                                    int bins, ph_err *err);
bool plt_is_empty(const plt_panel *p);  /* nothing was ever put into it */
double plt_bar_step(const plt_mark *m); /* the least distance of neighbouring bars */

#endif
