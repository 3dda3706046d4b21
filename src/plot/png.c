/* png.c: the pixels of a matrix as an indexed PNG in base64, stored without compression: a few lines, and the same bytes
 * everywhere; and those of a drawn picture as a PNG that is as small as zlib makes it, in all its colours or in a palette. (PNG
 * specification, 3rd edition; RFC 1950, 1951, 4648.)
 */
#include <string.h>
#include <zlib.h>

#include "plot/pixels.h"
#include "plot/svg.h"

static void put32(ph_text *b, uint32_t v) {
    ph_put(b, (char[]){(char)(v >> 24), (char)(v >> 16), (char)(v >> 8), (char)v}, 4);
}

/* A chunk: length, type and data, check sum; its data begin at `at` of the buffer, behind the type. */
static size_t begin_chunk(ph_text *b, const char *type) {
    put32(b, 0);
    ph_put(b, type, 4);
    return b->n;
}

static void end_chunk(ph_text *b, size_t at) {
    if (b->failed) return;
    uint32_t n = (uint32_t)(b->n - at); /* below 2³¹: so is what a picture may hold */
    for (int k = 0; k < 4; k++) b->s[at - 8 + (size_t)k] = (char)(n >> (24 - 8 * k));
    put32(b, (uint32_t)crc32_z(0, (unsigned char *)b->s + at - 4, (size_t)n + 4));
}

/* A zlib stream of stored blocks. Each row has a filter byte 0 before it. */
static void put_rows(ph_text *b, const unsigned char *index, size_t width, size_t height) {
    uint32_t s1 = 1, s2 = 0;
    size_t total = (width + 1) * height, left = 0;
    ph_put(b, "\x78\x01", 2);
    for (size_t at = 0; at < total; at++) {
        if (left == 0) {
            left = total - at < 65535 ? total - at : 65535;
            ph_put(
                b,
                (char[]){left == total - at, (char)left, (char)(left >> 8), (char)~left, (char)(~left >> 8)},
                5);
        }
        size_t c = at % (width + 1);
        unsigned char v = c ? index[at / (width + 1) * width + c - 1] : 0;
        ph_put(b, (char *)&v, 1);
        left--;
        s1 = (s1 + v) % 65521;
        s2 = (s2 + s1) % 65521;
    }
    put32(b, s2 << 16 | s1);
}

void plt_base64(ph_text *b, const unsigned char *s, size_t n) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v =
            (uint32_t)s[i] << 16 | (i + 1 < n ? (uint32_t)s[i + 1] << 8 : 0) | (i + 2 < n ? s[i + 2] : 0);
        char out[4] = {digit[v >> 18], digit[v >> 12 & 63], i + 1 < n ? digit[v >> 6 & 63] : '=',
                       i + 2 < n ? digit[v & 63] : '='};
        ph_put(b, out, 4);
    }
}

/* ---- a drawn picture ----------------------------------------------------------------------------------- */

/* One pixel: 0xAARRGGBB as the machine keeps it. */
static uint32_t pixel_at(const plt_pixels *p, int x, int y) {
    uint32_t v;
    memcpy(&v, p->argb + (ptrdiff_t)y * p->stride + (ptrdiff_t)x * 4, sizeof v);
    return v;
}

bool plt_is_opaque(const plt_pixels *p) {
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (pixel_at(p, x, y) >> 24 != 255) return false;
    return true;
}

/* Takes in what is given to z, to its end. */
static void squeeze(ph_text *b, z_stream *z, int flush) {
    unsigned char out[16384];
    do {
        z->next_out = out;
        z->avail_out = sizeof out;
        deflate(z, flush);
        ph_put(b, (char *)out, sizeof out - z->avail_out);
    } while (z->avail_out == 0);
}

static void begin_png(ph_text *b, int width, int height, const char kind[5]) {
    ph_put(b, "\x89PNG\r\n\x1a\n", 8);
    size_t at = begin_chunk(b, "IHDR");
    put32(b, (uint32_t)width);
    put32(b, (uint32_t)height);
    ph_put(b, kind, 5);
    end_chunk(b, at);
}

static void put_palette(ph_text *b, const uint32_t *rgb, int n) {
    size_t at = begin_chunk(b, "PLTE");
    for (int i = 0; i < n; i++)
        ph_put(b, (char[]){(char)(rgb[i] >> 16), (char)(rgb[i] >> 8), (char)rgb[i]}, 3);
    end_chunk(b, at);
}

/* Writes row y of a picture as a PNG has it. */
typedef void row_fn(unsigned char *out, const void *picture, int y);

/* The rows and the end. A filter byte 0 before each row: flat grounds and lines repeat, which filters hide from zlib. */
static ph_status put_packed(ph_text *b, size_t width, int height, row_fn *read, const void *picture,
                            ph_err *err) {
    z_stream z = {.zalloc = ph_zlib_alloc, .zfree = ph_zlib_free};
    unsigned char *row = ph_calloc(1 + width, 1);
    bool ready = row && deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY) == Z_OK;
    if (ready) {
        size_t at = begin_chunk(b, "IDAT");
        for (int y = 0; y < height; y++) {
            read(row + 1, picture, y);
            z.next_in = row;
            z.avail_in = 1 + (unsigned)width;
            squeeze(b, &z, y + 1 == height ? Z_FINISH : Z_NO_FLUSH);
        }
        end_chunk(b, at);
        end_chunk(b, begin_chunk(b, "IEND"));
        deflateEnd(&z);
    }
    ph_free(row);
    return ready && !b->failed ? PH_OK : ph_fail_nomem(err, b->n);
}

static void read_colours(unsigned char *out, const void *picture, int y) {
    const plt_pixels *p = picture;
    for (int x = 0; x < p->width; x++) {
        uint32_t v = pixel_at(p, x, y);
        for (int k = 0; k < 3; k++) out[3 * x + k] = (unsigned char)(v >> (16 - 8 * k));
    }
}

ph_status plt_png_pixels(ph_text *b, const plt_pixels *p, ph_err *err) {
    begin_png(b, p->width, p->height, "\x08\x02\0\0"); /* 8 bits, red, green and blue */
    return put_packed(b, 3 * (size_t)p->width, p->height, read_colours, p, err);
}

typedef struct {
    const unsigned char *index;
    size_t width;
} indexed;

static void read_indices(unsigned char *out, const void *picture, int y) {
    const indexed *p = picture;
    memcpy(out, p->index + (size_t)y * p->width, p->width);
}

ph_status plt_png_reduced(ph_text *b, const plt_pixels *p, ph_err *err) {
    plt_palette colours;
    ph_status st = plt_palette_of(&colours, p, err);
    if (st != PH_OK) return st;
    indexed picture = {colours.index, (size_t)p->width};
    begin_png(b, p->width, p->height, "\x08\x03\0\0"); /* 8 bits, indexed */
    put_palette(b, colours.rgb, colours.n);
    st = put_packed(b, picture.width, p->height, read_indices, &picture, err);
    ph_free(colours.index);
    return st;
}

/* ---- a matrix ------------------------------------------------------------------------------------------ */

void plt_png_indexed(ph_text *b, const unsigned char *index, int width, int height,
                     const uint32_t palette[256]) {
    ph_text p = {0};
    begin_png(&p, width, height, "\x08\x03\0\0"); /* 8 bits, indexed */
    put_palette(&p, palette, 256);
    size_t at = begin_chunk(&p, "IDAT");
    put_rows(&p, index, (size_t)width, (size_t)height);
    end_chunk(&p, at);
    end_chunk(&p, begin_chunk(&p, "IEND"));
    if (p.failed) b->failed = true;
    else plt_base64(b, (unsigned char *)p.s, p.n);
    ph_free(p.s);
}
