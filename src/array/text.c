/* text.c: one number as text. */
#include "array/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name_special(char *buf, size_t cap, double x) {
    snprintf(buf, cap, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
    return buf;
}

/* 17 digits tell all doubles apart, 9 all floats; 15 and 6 are always kept apart, except among subnormals,
 * which may need a single digit. */
static void shortest_digits(char *buf, size_t cap, double x, int least, int most, bool as_float) {
    for (int digits = least; digits <= most; digits++) {
        snprintf(buf, cap, "%.*g", digits, x);
        if (as_float ? strtof(buf, NULL) == (float)x : strtod(buf, NULL) == x) return;
    }
}

static char *round_trip(char *buf, size_t cap, double x, int least, int most, bool as_float) {
    if (!isfinite(x)) return name_special(buf, cap, x);
    shortest_digits(buf, cap, x, least, most, as_float);
    if (!strpbrk(buf, ".e"))
        snprintf(buf + strlen(buf), cap - strlen(buf), ".0"); /* 3.0: a float, as Lua writes it */
    return buf;
}

char *arr_num_text(char *buf, size_t cap, double x) {
    return round_trip(buf, cap, x, fabs(x) < 0x1p-1022 ? 1 : 15, 17, false);
}
char *arr_f32_text(char *buf, size_t cap, float x) {
    return round_trip(buf, cap, (double)x, fabsf(x) < 0x1p-126f ? 1 : 6, 9, true);
}

/* Both parts round-trip, without ".0" ".0" where both parts are whole: 1+2i, 0.5-1.25i. */
char *arr_c128_text(char *buf, size_t cap, arr_c128 z) {
    char re[40], im[40];
    arr_num_text(re, sizeof re, z.re);
    arr_num_text(im, sizeof im, z.im);
    if (strlen(re) > 2 && strcmp(re + strlen(re) - 2, ".0") == 0) re[strlen(re) - 2] = '\0';
    if (strlen(im) > 2 && strcmp(im + strlen(im) - 2, ".0") == 0) im[strlen(im) - 2] = '\0';
    snprintf(buf, cap, "%s%s%si", re, im[0] == '-' ? "" : "+", im);
    return buf;
}

/* Six digits, as a person reads a table: whole numbers below 10^10 in full; a point stays behind a number
 * that lost its fraction ("123457."), so that it is not taken for a whole one. */
char *arr_short_text(char *buf, size_t cap, double x) {
    if (!isfinite(x)) return name_special(buf, cap, x);
    bool whole = x == floor(x);
    if (whole && fabs(x) < 1e10) snprintf(buf, cap, "%.0f", x);
    else snprintf(buf, cap, "%.6g", x);
    if (!whole && !strpbrk(buf, ".e")) snprintf(buf + strlen(buf), cap - strlen(buf), ".");
    return buf;
}
