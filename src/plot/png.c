/* png.c: the pixels of a matrix as an indexed PNG in base64, stored without compression: a few lines, and the same bytes
 * everywhere. (PNG specification, 3rd edition; RFC 1950, 1951, 4648.)
 */
#include <string.h>

#include "plot/svg.h"

static uint32_t crc(uint32_t c, const unsigned char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        c ^= s[i];
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    }
    return c;
}

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
    uint32_t n = (uint32_t)(b->n - at);
    for (int k = 0; k < 4; k++) b->s[at - 8 + (size_t)k] = (char)(n >> (24 - 8 * k));
    put32(b, ~crc(~0u, (unsigned char *)b->s + at - 4, n + 4));
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

void plt_png_indexed(ph_text *b, const unsigned char *index, int width, int height,
                     const uint32_t palette[256]) {
    ph_text p = {0};
    ph_put(&p, "\x89PNG\r\n\x1a\n", 8);
    size_t at = begin_chunk(&p, "IHDR");
    put32(&p, (uint32_t)width);
    put32(&p, (uint32_t)height);
    ph_put(&p, "\x08\x03\0\0\0", 5); /* 8 bits, indexed */
    end_chunk(&p, at);
    at = begin_chunk(&p, "PLTE");
    for (int i = 0; i < 256; i++)
        ph_put(&p, (char[]){(char)(palette[i] >> 16), (char)(palette[i] >> 8), (char)palette[i]}, 3);
    end_chunk(&p, at);
    at = begin_chunk(&p, "IDAT");
    put_rows(&p, index, (size_t)width, (size_t)height);
    end_chunk(&p, at);
    end_chunk(&p, begin_chunk(&p, "IEND"));
    if (p.failed) b->failed = true;
    else plt_base64(b, (unsigned char *)p.s, p.n);
    ph_free(p.s);
}
