/* draw.h: what renderers share: marks as segments in a box, clipped; lists for legends. Internal to plot/. */
#ifndef PH_PLOT_DRAW_H
#define PH_PLOT_DRAW_H

#include "plot/text.h"

/* A box of width by height (pixels, dots), the origin at the top left, and the spans that it shows. */
typedef struct {
    plt_span x, y;
    double width, height;
} plt_box;

double plt_box_x(const plt_box *b, double v); /* NaN: no place */
double plt_box_y(const plt_box *b, double v);

/* Hears the pieces of a line, clipped to the box and its surroundings of the same size. joined: it begins where the one before
 * ended. A point between gaps is a segment of no length. */
typedef void plt_on_segment(void *ctx, double x0, double y0, double x1, double y1, bool joined);
void plt_walk(const plt_box *b, const double *x, const double *y, int64_t n, plt_on_segment *on, void *ctx);

/* A line's data as the box can show them: *x, *y, *n stay the mark's own, or are new (then *own is true: free them). */
PH_MUST ph_status plt_shown(const plt_box *b, const plt_mark *m, int bins, const double **x, const double **y,
                            int64_t *n, bool *own, ph_err *err);

#endif
