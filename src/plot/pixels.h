/* pixels.h: a drawn picture, and the formats that keep its pixels. Internal to plot/. */
#ifndef PH_PLOT_PIXELS_H
#define PH_PLOT_PIXELS_H

#include "plot/text.h"

/* 32 bits a pixel, 0xAARRGGBB in the machine's order, rows of `stride` bytes from the top. */
typedef struct {
    const unsigned char *argb;
    int stride, width, height;
} plt_pixels;

bool plt_is_opaque(const plt_pixels *p);

/* The colours 0xRRGGBB that a picture is shown in; of each pixel, row by row from the top, which of them. The caller frees index. */
typedef struct {
    uint32_t rgb[256];
    int n;
    unsigned char *index;
} plt_palette;

/* A picture of at most 256 colours keeps them all. Of another, each colour that is left out becomes one near it; the commonest of
 * those that become one stays as it is. More than 65,536 colours are rounded to five bits a channel first. Alpha is not looked at. */
PH_MUST ph_status plt_palette_of(plt_palette *out, const plt_pixels *p, ph_err *err);

/* Of an opaque picture. */
PH_MUST ph_status plt_png_pixels(ph_text *b, const plt_pixels *p, ph_err *err); /* each pixel as it is */
PH_MUST ph_status plt_png_reduced(ph_text *b, const plt_pixels *p,
                                  ph_err *err); /* in the colours of a palette: about half the bytes */

/* Sixel graphics, which some terminals show (DEC STD 070, "Sixel graphics"), in the colours of a palette. */
PH_MUST ph_status plt_sixels(ph_text *b, const plt_pixels *p, ph_err *err);

#endif
