/* canvas.c: see canvas.h. */
#include "plot/canvas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

ph_status plt_canvas_new(plt_canvas *c, int columns, int rows, const plt_screen *s, ph_err *err) {
    size_t n = (size_t)columns * (size_t)rows;
    *c = (plt_canvas){columns, rows, ph_alloc(n * sizeof *c->cell), s->colours, s->unicode};
    if (!c->cell) return ph_fail_nomem(err, n * sizeof *c->cell);
    for (size_t i = 0; i < n; i++) c->cell[i] = (plt_cell){' ', PLT_NONE, PLT_NONE, false};
    return PH_OK;
}

void plt_canvas_drop(plt_canvas *c) {
    ph_free(c->cell);
    c->cell = NULL;
}

plt_cell *plt_canvas_at(plt_canvas *c, int column, int row) {
    if (column < 0 || column >= c->columns || row < 0 || row >= c->rows) return NULL;
    return &c->cell[row * c->columns + column];
}

void plt_canvas_put(plt_canvas *c, int column, int row, uint32_t rune, int32_t ink) {
    plt_cell *at = plt_canvas_at(c, column, row);
    if (!at) return;
    at->rune = rune;
    at->ink = ink;
    at->faint = false;
}

int plt_canvas_text(plt_canvas *c, int column, int row, const char *s, int most, bool faint) {
    size_t n = strlen(s);
    int width = (int)ph_utf8_width(s, n), at = 0;
    if (column < 0) column = 0;
    if (most > c->columns - column) most = c->columns - column;
    bool cut = width > most;
    for (size_t i = 0; i < n && most > 0;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        int w = ph_rune_width(u.rune);
        i += (size_t)u.bytes;
        if (w == 0) continue; /* a combining mark has no cell of its own */
        if (at + w > most - cut) break;
        plt_canvas_put(c, column + at, row, u.rune, PLT_NONE);
        if (w == 2) plt_canvas_put(c, column + at + 1, row, 0, PLT_NONE);
        at += w;
    }
    if (cut && most > 0) plt_canvas_put(c, column + at++, row, c->unicode ? 0x2026 : '~', PLT_NONE);
    for (int k = 0; k < at; k++) {
        plt_cell *cell = plt_canvas_at(c, column + k, row);
        if (cell) cell->faint = faint;
    }
    return at;
}

void plt_canvas_ink(plt_canvas *c, int column, int row) {
    plt_cell *cell = plt_canvas_at(c, column, row);
    if (!cell || cell->ground == PLT_NONE) return;
    cell->ink = plt_lightness((uint32_t)cell->ground) > 0.62 ? 0x111111 : 0xffffff;
    cell->faint = false;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The nearest of xterm's 256 colours: a cube of 6 levels, or a grey. */
static int nearest_256(uint32_t rgb) {
    static const int level[] = {0, 95, 135, 175, 215, 255};
    int part[3], cube = 0, off = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        part[k] = (int)(rgb >> (16 - 8 * k) & 255);
        int best = 0;
        for (int i = 1; i < 6; i++)
            if (abs(level[i] - part[k]) < abs(level[best] - part[k])) best = i;
        cube = 6 * cube + best;
        off += (level[best] - part[k]) * (level[best] - part[k]);
        sum += part[k];
    }
    int g = (sum / 3 - 3) / 10, grey_off = 0;
    g = g < 0 ? 0 : g > 23 ? 23 : g;
    for (int k = 0; k < 3; k++) grey_off += (8 + 10 * g - part[k]) * (8 + 10 * g - part[k]);
    return grey_off < off ? 232 + g : 16 + cube;
}

static void put_colour(ph_text *b, int colours, bool ground, int32_t rgb) {
    int code = ground ? 48 : 38;
    uint32_t v = (uint32_t)rgb;
    if (rgb == PLT_NONE) ph_putf(b, "\033[%dm", code + 1);
    else if (colours > 256) ph_putf(b, "\033[%d;2;%u;%u;%um", code, v >> 16 & 255, v >> 8 & 255, v & 255);
    else ph_putf(b, "\033[%d;5;%dm", code, nearest_256(v));
}

static bool blank(const plt_cell *c) { return c->rune == ' ' && c->ground == PLT_NONE; }

void plt_canvas_write(ph_text *b, const plt_canvas *c) {
    for (int row = 0; row < c->rows; row++) {
        const plt_cell *line = &c->cell[row * c->columns];
        plt_cell now = {' ', PLT_NONE, PLT_NONE, false};
        int end = c->columns;
        while (end > 0 && blank(&line[end - 1])) end--;
        for (int i = 0; i < end; i++) {
            plt_cell cell = line[i];
            char rune[4];
            if (cell.rune == 0) continue;
            if (c->colours && cell.faint != now.faint) ph_puts(b, cell.faint ? "\033[2m" : "\033[22m");
            if (c->colours && cell.rune != ' ' && cell.ink != now.ink)
                put_colour(b, c->colours, false, now.ink = cell.ink);
            if (c->colours && cell.ground != now.ground) put_colour(b, c->colours, true, cell.ground);
            now.ground = cell.ground;
            now.faint = cell.faint;
            ph_put(b, rune, (size_t)ph_utf8_encode(rune, cell.rune));
        }
        if (c->colours && (now.ink != PLT_NONE || now.ground != PLT_NONE || now.faint)) ph_puts(b, "\033[0m");
        ph_puts(b, "\n");
    }
}

/* ---- dots ---------------------------------------------------------------------------------------------- */

static void dot(plt_dots *d, int x, int y) {
    static const unsigned char bit[4][2] = {
        {1, 8}, {2, 16}, {4, 32}, {64, 128}}; /* ISO/TR 11548-1, as in U+2800 */
    int w = d->braille ? 2 : 1, h = d->braille ? 4 : 1;
    if (x < 0 || y < 0 || x >= d->columns * w || y >= d->rows * h) return;
    d->mask[y / h * d->columns + x / w] |= d->braille ? bit[y % 4][x % 2] : 1;
}

/* A coordinate from 0 to size to a dot; the very end belongs to the last one. */
static int to_dot(double v, int size) { return v == size ? size - 1 : (int)floor(v); }

void plt_dots_line(plt_dots *d, double x0, double y0, double x1, double y1) {
    int w = d->columns * (d->braille ? 2 : 1), h = d->rows * (d->braille ? 4 : 1);
    int steps = (int)ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));
    for (int k = 0; k <= steps; k++) {
        double t = steps ? (double)k / steps : 0;
        dot(d, to_dot(x0 + t * (x1 - x0), w), to_dot(y0 + t * (y1 - y0), h));
    }
}
