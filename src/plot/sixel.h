/* sixel.h: pixels as sixel graphics, which some terminals show (DEC STD 070, "Sixel graphics"). Internal to plot/. */
#ifndef PH_PLOT_SIXEL_H
#define PH_PLOT_SIXEL_H

#include "plot/text.h"

/* Opaque pixels of 4 bytes in native order, 0xXXRRGGBB, rows `stride` bytes apart. At most 256 colours: the commonest,
 * among colours rounded to 5 bits a channel; the others become the nearest of those. */
PH_MUST ph_status plt_sixels(ph_text *b, const unsigned char *pixels, int stride, int width, int height,
                             ph_err *err);

#endif
