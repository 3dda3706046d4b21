/* svg.h: what the files that write SVG share. Internal to plot/. */
#ifndef PH_PLOT_SVG_H
#define PH_PLOT_SVG_H

#include "plot/draw.h"

typedef struct {
    uint32_t ground, ink, faint, grid, missing;
    bool dark;
} plt_theme;

typedef enum { PLT_START, PLT_MIDDLE, PLT_END } plt_anchor;

void plt_svg_number(ph_text *b, double v); /* at most two decimals */
void plt_svg_colour(ph_text *b, const char *attribute, uint32_t rgb);
/* Marked-up text with its base line at (x, y), escaped. */
void plt_svg_text(ph_text *b, const char *text, double x, double y, double size, plt_anchor anchor,
                  uint32_t rgb, const char *more);
void plt_svg_rect(ph_text *b, double x, double y, double w, double h, uint32_t rgb);
/* A piece of a line as it stands in the legend. */
void plt_svg_key(ph_text *b, const plt_mark *m, double x, double y, double w, const plt_theme *t);
/* All that is inside the axes, in the box's own coordinates. */
PH_MUST ph_status plt_svg_marks(ph_text *b, const plt_panel *p, const plt_box *box, const plt_theme *t,
                                ph_err *err);

/* png.c: one byte an entry, rows from the top, as the base64 of an indexed PNG. The palette has 256 colours. */
void plt_png_indexed(ph_text *b, const unsigned char *index, int width, int height,
                     const uint32_t palette[256]);
void plt_base64(ph_text *b, const unsigned char *s, size_t n);

#endif
