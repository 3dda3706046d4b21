/* Pixels: the palette a picture is reduced to, and PNG and sixels that keep it. A PNG is read here chunk by chunk, with zlib.
 * Sources: plot/palette.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "plot/pixels.h"

static ph_err err;

/* A picture whose pixels are rgb[y*width + x]. */
static plt_pixels picture(const uint32_t *rgb, int width, int height) {
    return (plt_pixels){(const unsigned char *)rgb, 4 * width, width, height};
}

static uint32_t *pixels(int width, int height, uint32_t (*colour)(int x, int y)) {
    uint32_t *out = malloc(sizeof *out * (size_t)width * (size_t)height);
    assert_non_null(out);
    for (int i = 0; i < width * height; i++) out[i] = 0xFF000000 | colour(i % width, i / width);
    return out;
}

static int channel(uint32_t rgb, int k) { return (int)(rgb >> 8 * k & 255); }

static int distance(uint32_t a, uint32_t b) {
    int most = 0;
    for (int k = 0; k < 3; k++) {
        int d = abs(channel(a, k) - channel(b, k));
        if (d > most) most = d;
    }
    return most;
}

/* How far a pixel may be from what it is shown as: the most of any channel of any pixel. */
static int worst_of(int width, int height, uint32_t (*colour)(int x, int y), int *colours) {
    uint32_t *rgb = pixels(width, height, colour);
    plt_pixels p = picture(rgb, width, height);
    plt_palette out;
    int worst = 0;
    assert_int_equal(plt_palette_of(&out, &p, &err), PH_OK);
    *colours = out.n;
    for (int i = 0; i < width * height; i++) {
        assert_true(out.index[i] < out.n);
        int d = distance(rgb[i], out.rgb[out.index[i]]);
        if (d > worst) worst = d;
    }
    ph_free(out.index);
    free(rgb);
    return worst;
}

static uint32_t few(int x, int y) { return (uint32_t)(x % 16 * 0x101010 + y % 16); }

static uint32_t one(int x, int y) {
    (void)x, (void)y;
    return 0x123456;
}

static void few_colours_are_kept(void **state) {
    (void)state;
    int n;
    assert_int_equal(worst_of(40, 50, few, &n), 0);
    assert_int_equal(n, 256);
    assert_int_equal(worst_of(1, 1, few, &n), 0);
    assert_int_equal(n, 1);
    assert_int_equal(worst_of(30, 20, one, &n), 0);
    assert_int_equal(n, 1);
}

static uint32_t grid(int x, int y) { return (uint32_t)(x << 18 | y << 10); }

/* 64 by 64 colours, 4 apart in two channels, one pixel of each: each cut halves a box, 256 boxes have 4 by 4 colours, and from
 * any of these to any other it is at most 3·4. */
static void many_become_near_ones(void **state) {
    (void)state;
    int n, worst = worst_of(64, 64, grid, &n);
    assert_int_equal(n, 256);
    assert_in_range(worst, 1, 12);
}

static uint32_t all(int x, int y) { return (uint32_t)((x >> 1) << 16 | y << 8 | (x & 1) << 7); }

/* 131,072 colours: 5 bits a channel leave 32·32·2, which cuts halve alike into 256 boxes. Its width in a channel is v before the cuts
 * that halve it; the widest is cut first: 2 by 4 colours, 8 apart, remain. Within them at most 3·8, and 7 are lost by rounding. */
static void very_many_are_rounded_first(void **state) {
    (void)state;
    int n, worst = worst_of(512, 256, all, &n);
    assert_int_equal(n, 256);
    assert_in_range(worst, 1, 31);
}

static uint32_t ground(int x, int y) {
    return y < 90 ? 0xFFFFFF : (uint32_t)(0xFFFFFF - x * 0x000003 - (y - 90) * 0x010100);
}

/* Near white are 800 colours; white, nine pixels in ten, stays white. */
static void a_ground_keeps_its_colour(void **state) {
    (void)state;
    uint32_t *rgb = pixels(80, 100, ground);
    plt_pixels p = picture(rgb, 80, 100);
    plt_palette out;
    assert_int_equal(plt_palette_of(&out, &p, &err), PH_OK);
    assert_int_equal(out.n, 256);
    for (int i = 0; i < 80 * 90; i++) assert_int_equal(out.rgb[out.index[i]], 0xFFFFFF);
    ph_free(out.index);
    free(rgb);
}

/* ---- PNG ----------------------------------------------------------------------------------------------- */

static uint32_t read32(const unsigned char *s) {
    return (uint32_t)s[0] << 24 | (uint32_t)s[1] << 16 | (uint32_t)s[2] << 8 | s[3];
}

typedef struct {
    const unsigned char *s;
    size_t n;
} chunk;

/* The next chunk of a type, which has to come now. */
static chunk take(const unsigned char **at, const char *type) {
    chunk c = {*at + 8, read32(*at)};
    assert_memory_equal(*at + 4, type, 4);
    assert_int_equal(read32(c.s + c.n), crc32_z(0, *at + 4, c.n + 4));
    *at = c.s + c.n + 4;
    return c;
}

/* The pixels of a PNG of 8 bits with filter 0; the caller frees. */
static uint32_t *decode(const ph_text *png, int width, int height, bool indexed) {
    const unsigned char *at = (const unsigned char *)png->s + 8, *colours = NULL;
    assert_memory_equal(png->s, "\x89PNG\r\n\x1a\n", 8);
    chunk c = take(&at, "IHDR");
    assert_int_equal(c.n, 13);
    assert_int_equal(read32(c.s), width);
    assert_int_equal(read32(c.s + 4), height);
    assert_memory_equal(c.s + 8, indexed ? "\x08\x03\0\0\0" : "\x08\x02\0\0\0", 5);
    size_t ncolours = 0, size = indexed ? 1 : 3, stride = 1 + (size_t)width * size;
    if (indexed) {
        c = take(&at, "PLTE");
        assert_int_equal(c.n % 3, 0);
        colours = c.s, ncolours = c.n / 3;
        assert_in_range(ncolours, 1, 256);
    }
    c = take(&at, "IDAT");
    unsigned long n = stride * (size_t)height;
    unsigned char *raw = malloc(n);
    uint32_t *out = malloc(sizeof *out * (size_t)width * (size_t)height);
    assert_true(raw && out);
    assert_int_equal(uncompress(raw, &n, c.s, c.n), Z_OK);
    assert_int_equal(n, stride * (size_t)height);
    for (size_t y = 0; y < (size_t)height; y++) {
        assert_int_equal(raw[y * stride], 0);
        for (size_t x = 0; x < (size_t)width; x++) {
            const unsigned char *v = raw + y * stride + 1 + x * size;
            if (indexed) assert_in_range(*v, 0, ncolours - 1);
            if (indexed) v = colours + 3 * (size_t)*v;
            out[y * (size_t)width + x] = (uint32_t)v[0] << 16 | (uint32_t)v[1] << 8 | v[2];
        }
    }
    free(raw);
    assert_int_equal(take(&at, "IEND").n, 0);
    assert_ptr_equal(at, png->s + png->n);
    return out;
}

static void a_png_shows_each_pixel(void **state) {
    (void)state;
    uint32_t *rgb = pixels(64, 64, grid);
    plt_pixels p = picture(rgb, 64, 64);
    ph_text whole = {0}, reduced = {0};
    plt_palette colours;
    assert_int_equal(plt_png_pixels(&whole, &p, &err), PH_OK);
    assert_int_equal(plt_png_reduced(&reduced, &p, &err), PH_OK);
    assert_int_equal(plt_palette_of(&colours, &p, &err), PH_OK);
    uint32_t *same = decode(&whole, 64, 64, false), *near = decode(&reduced, 64, 64, true);
    for (int i = 0; i < 64 * 64; i++) {
        assert_int_equal(same[i], rgb[i] & 0xFFFFFF);
        assert_int_equal(near[i], colours.rgb[colours.index[i]]);
    }
    ph_free(whole.s);
    ph_free(reduced.s);
    ph_free(colours.index);
    free(same);
    free(near);
    free(rgb);
}

/* Rows need not stand one behind the other. */
static void a_picture_may_have_wide_rows(void **state) {
    (void)state;
    static const uint32_t rgb[] = {0xFFFF0000, 0xFF0000FF, 0xFF00FF00, 0xFF0000FF, 0xFFFF0000, 0xFF00FF00};
    plt_pixels p = {(const unsigned char *)rgb, 12, 2, 2};
    ph_text png = {0};
    assert_int_equal(plt_png_reduced(&png, &p, &err), PH_OK);
    uint32_t *out = decode(&png, 2, 2, true);
    static const uint32_t wanted[] = {0xFF0000, 0x0000FF, 0x0000FF, 0xFF0000};
    assert_memory_equal(out, wanted, sizeof wanted);
    free(out);
    ph_free(png.s);
}

/* ---- sixels -------------------------------------------------------------------------------------------- */

/* Seven rows are two bands: by hand, from the standard. A column's six pixels are bits, the top one the least, above '?'. */
static uint32_t flag(int x, int y) { return x < 2 || y == 6 ? 0xFF0000 : 0x0000FF; }

static void sixels_by_hand(void **state) {
    (void)state;
    uint32_t *rgb = pixels(8, 7, flag);
    plt_pixels p = picture(rgb, 8, 7);
    ph_text b = {0};
    char *text;
    assert_int_equal(plt_sixels(&b, &p, &err), PH_OK);
    assert_int_equal(ph_text_take(&text, NULL, &b, &err), PH_OK);
    assert_string_equal(text, "\033P0;1q\"1;1;8;7#0;2;100;0;0#1;2;0;0;100#0~~$#1?"
                              "?!6~$-#0!8@$-\033\\");
    ph_free(text);
    free(rgb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_colours_are_kept),
        cmocka_unit_test(many_become_near_ones),
        cmocka_unit_test(very_many_are_rounded_first),
        cmocka_unit_test(a_ground_keeps_its_colour),
        cmocka_unit_test(a_png_shows_each_pixel),
        cmocka_unit_test(a_picture_may_have_wide_rows),
        cmocka_unit_test(sixels_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
