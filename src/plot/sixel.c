/* sixel.c: see sixel.h. */
#include "plot/sixel.h"

#include <stdlib.h>
#include <string.h>

#define CODES  32768 /* colours of 5 bits a channel */
#define COLOUR 256

typedef struct {
    uint32_t count[CODES];
    unsigned char index[CODES]; /* which colour of the palette stands for a code */
    uint32_t palette[COLOUR];   /* codes */
    int n;
} quantiser;

static uint32_t code_of(uint32_t rgb) {
    return (rgb >> 19 & 31) << 10 | (rgb >> 11 & 31) << 5 | (rgb >> 3 & 31);
}

static uint32_t pixel(const unsigned char *row, int x) {
    uint32_t v;
    memcpy(&v, row + 4 * (size_t)x, 4);
    return v & 0xFFFFFF;
}

static int far(uint32_t a, uint32_t b) {
    int dr = (int)(a >> 10) - (int)(b >> 10), dg = (int)(a >> 5 & 31) - (int)(b >> 5 & 31),
        db = (int)(a & 31) - (int)(b & 31);
    return 2 * dr * dr + 4 * dg * dg + db * db;
}

/* The commonest codes, ties to the lower code. */
static void choose(quantiser *q) {
    for (uint32_t c = 0; c < CODES; c++) {
        if (!q->count[c]) continue;
        int at = q->n < COLOUR ? q->n++ : COLOUR;
        while (at > 0 && q->count[q->palette[at - 1]] < q->count[c]) {
            if (at < COLOUR) q->palette[at] = q->palette[at - 1];
            at--;
        }
        if (at < COLOUR) q->palette[at] = c;
    }
    for (uint32_t c = 0; c < CODES; c++) {
        int best = 0;
        for (int i = 1; i < q->n && q->count[c]; i++)
            if (far(q->palette[i], c) < far(q->palette[best], c)) best = i;
        q->index[c] = (unsigned char)best;
    }
}

static void put_run(ph_text *b, int bits, int n) {
    char c = (char)(63 + bits);
    if (n > 3) ph_putf(b, "!%d%c", n, c);
    else
        while (n-- > 0) ph_put(b, &c, 1);
}

/* Six rows, one colour after another. band: the palette's index of each of 6*width pixels, 256: below the image. */
static void put_band(ph_text *b, const uint16_t *band, int width, int colours) {
    for (int k = 0; k < colours; k++) {
        bool used = false;
        for (int i = 0; i < 6 * width && !used; i++) used = band[i] == k;
        if (!used) continue;
        ph_putf(b, "#%d", k);
        int bits = -1, n = 0;
        for (int x = 0; x < width; x++) {
            int now = 0;
            for (int r = 0; r < 6; r++) now |= (band[r * width + x] == k) << r;
            if (now != bits && n) put_run(b, bits, n), n = 0;
            bits = now;
            n++;
        }
        if (bits) put_run(b, bits, n);
        ph_puts(b, "$");
    }
    ph_puts(b, "-");
}

ph_status plt_sixels(ph_text *b, const unsigned char *pixels, int stride, int width, int height,
                     ph_err *err) {
    quantiser *q = ph_calloc(1, sizeof *q);
    uint16_t *band = ph_alloc((size_t)width * 6 * sizeof *band);
    ph_status st = q && band ? PH_OK : ph_fail_nomem(err, sizeof *q + (size_t)width * 6 * sizeof *band);
    if (st == PH_OK) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                q->count[code_of(pixel(pixels + (size_t)y * (size_t)stride, x))]++;
        choose(q);
        ph_putf(b, "\033P0;1q\"1;1;%d;%d", width, height);
        for (int i = 0; i < q->n; i++) { /* in percent */
            uint32_t c = q->palette[i];
            ph_putf(b, "#%d;2;%u;%u;%u", i, (c >> 10) * 100 / 31, (c >> 5 & 31) * 100 / 31,
                    (c & 31) * 100 / 31);
        }
        for (int y = 0; y < height; y += 6) {
            for (int r = 0; r < 6; r++)
                for (int x = 0; x < width; x++)
                    band[r * width + x] =
                        y + r < height
                            ? q->index[code_of(pixel(pixels + (size_t)(y + r) * (size_t)stride, x))]
                            : 256;
            put_band(b, band, width, q->n);
        }
        ph_puts(b, "\033\\");
    }
    ph_free(q);
    ph_free(band);
    return st;
}
