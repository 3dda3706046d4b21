/* colour.c: colours of values and of series. */
#include <math.h>

#include "plot/colour_maps.h"
#include "plot/text.h"

static int place_of(double t) { return !(t > 0) ? 0 : t >= 1 ? 255 : (int)(t * 256); }

/* xterm's colour n: a cube of 6 levels from 16 on, then 24 greys. */
static uint32_t xterm_colour(unsigned n) {
    static const uint32_t level[] = {0, 95, 135, 175, 215, 255};
    if (n >= 232) return (8 + 10 * (n - 232)) * 0x010101;
    return level[(n - 16) / 36] << 16 | level[(n - 16) / 6 % 6] << 8 | level[(n - 16) % 6];
}

uint32_t plt_colour_256(plt_map map, double t) {
    if (map == PLT_GREY) return plt_colour(map, t);
    const few_step *step = map == PLT_DIVERGING ? few_diverging : few_even;
    int n = map == PLT_DIVERGING ? sizeof few_diverging / sizeof *step : sizeof few_even / sizeof *step,
        k = 0;
    while (k + 1 < n && step[k + 1].from <= place_of(t)) k++;
    return xterm_colour(step[k].colour);
}

uint32_t plt_colour(plt_map map, double t) {
    int i = place_of(t);
    if (map == PLT_GREY) return (uint32_t)(250 - i * 215 / 255) * 0x010101; /* dark is much */
    return map == PLT_DIVERGING ? map_diverging[i] : map_even[i];
}

/* Okabe and Ito 2008, "Color Universal Design", told apart by every kind of colour vision; their yellow and black, which
 * vanish on one of our grounds, are replaced by a brown and a grey. On a dark ground all are mixed with white. */
uint32_t plt_series_colour(int series, bool dark) {
    static const uint32_t light[PLT_SERIES] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                               0xE69F00, 0x56B4E9, 0x7A4B1E, 0x666666},
                          night[PLT_SERIES] = {0x4FA8DC, 0xF08A4B, 0x2FC498, 0xE0A0C4,
                                               0xF0B93A, 0x8CCBF2, 0xC49A6C, 0xAAAAAA};
    return (dark ? night : light)[(unsigned)series % PLT_SERIES];
}

static double linear(uint32_t byte) {
    double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double plt_lightness(uint32_t rgb) {
    double r = linear(rgb >> 16 & 255), g = linear(rgb >> 8 & 255), b = linear(rgb & 255);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}
