/* sixel.c: see pixels.h. */
#include "plot/pixels.h"

static void put_run(ph_text *b, int bits, int n) {
    char c = (char)(63 + bits);
    if (n > 3) ph_putf(b, "!%d%c", n, c);
    else
        while (n-- > 0) ph_put(b, &c, 1);
}

static int percent(uint32_t channel) { return (int)((channel & 255) * 100 + 127) / 255; }

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

ph_status plt_sixels(ph_text *b, const plt_pixels *p, ph_err *err) {
    plt_palette colours;
    ph_status st = plt_palette_of(&colours, p, err);
    if (st != PH_OK) return st;
    size_t width = (size_t)p->width;
    uint16_t *band = ph_alloc(width * 6 * sizeof *band);
    if (band) {
        ph_putf(b, "\033P0;1q\"1;1;%d;%d", p->width, p->height);
        for (int i = 0; i < colours.n; i++) /* in percent */
            ph_putf(b, "#%d;2;%d;%d;%d", i, percent(colours.rgb[i] >> 16), percent(colours.rgb[i] >> 8),
                    percent(colours.rgb[i]));
        for (int y = 0; y < p->height; y += 6) {
            for (size_t r = 0; r < 6; r++)
                for (size_t x = 0; x < width; x++)
                    band[r * width + x] =
                        y + (int)r < p->height ? colours.index[((size_t)y + r) * width + x] : 256;
            put_band(b, band, p->width, colours.n);
        }
        ph_puts(b, "\033\\");
    }
    ph_free(colours.index);
    ph_free(band);
    return band ? PH_OK : ph_fail_nomem(err, width * 6 * sizeof *band);
}
