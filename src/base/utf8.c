/* utf8.c: decoding, columns and names, over the range tables. */
#include "base/utf8.h"
#include "base/utf8_tables.h"

#include <string.h>

#define REPLACEMENT 0xFFFDu

/* ---- bytes and runes ----------------------------------------------------------------------------------- */

/* What may follow a lead byte: how many continuation bytes, and the bounds of the first of them (the
 * others: 80..BF). */
typedef struct {
    int more;
    unsigned char lo, hi;
} lead;

static lead lead_of(unsigned char b) {
    if (b >= 0xC2 && b <= 0xDF) return (lead){1, 0x80, 0xBF};
    if (b == 0xE0) return (lead){2, 0xA0, 0xBF}; /* shorter forms exist below */
    if (b == 0xED) return (lead){2, 0x80, 0x9F}; /* surrogates above */
    if (b >= 0xE1 && b <= 0xEF) return (lead){2, 0x80, 0xBF};
    if (b == 0xF0) return (lead){3, 0x90, 0xBF};
    if (b >= 0xF1 && b <= 0xF3) return (lead){3, 0x80, 0xBF};
    if (b == 0xF4) return (lead){3, 0x80, 0x8F}; /* beyond U+10FFFF above */
    return (lead){0, 0, 0};
}

ph_utf8 ph_utf8_decode(const char *s, size_t n) {
    if (n == 0) return (ph_utf8){REPLACEMENT, 0, false};
    unsigned char b = (unsigned char)s[0];
    if (b < 0x80) return (ph_utf8){b, 1, true};
    lead l = lead_of(b);
    if (l.more == 0) return (ph_utf8){REPLACEMENT, 1, false};
    uint32_t rune = b & (0x3Fu >> l.more);
    for (int i = 1; i <= l.more; i++) {
        unsigned char c = (size_t)i < n ? (unsigned char)s[i] : 0;
        if (c < l.lo || c > l.hi) return (ph_utf8){REPLACEMENT, i, false};
        rune = rune << 6 | (c & 0x3F);
        l.lo = 0x80, l.hi = 0xBF;
    }
    return (ph_utf8){rune, l.more + 1, true};
}

int ph_utf8_encode(char out[4], uint32_t r) {
    if (r > 0x10FFFF || (r >= 0xD800 && r <= 0xDFFF)) return 0;
    if (r < 0x80) return out[0] = (char)r, 1;
    int more = r < 0x800 ? 1 : r < 0x10000 ? 2 : 3;
    for (int i = more; i > 0; i--, r >>= 6) out[i] = (char)(0x80 | (r & 0x3F));
    out[0] = (char)((0xF80 >> more & 0xFF) | r);
    return more + 1;
}

bool ph_utf8_valid(const char *s, size_t n) {
    for (size_t i = 0; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        if (!u.valid) return false;
        i += (size_t)u.bytes;
    }
    return true;
}

size_t ph_utf8_count(const char *s, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; count++) i += (size_t)ph_utf8_decode(s + i, n - i).bytes;
    return count;
}

size_t ph_utf8_offset(const char *s, size_t n, size_t runes) {
    size_t i = 0;
    while (i < n && runes-- > 0) i += (size_t)ph_utf8_decode(s + i, n - i).bytes;
    return i;
}

size_t ph_utf8_unfinished(const char *s, size_t n) {
    for (size_t k = 1; k <= 3 && k <= n; k++) {
        unsigned char b = (unsigned char)s[n - k];
        if (b < 0x80) return 0;
        if (b >= 0xC0) return b <= 0xF4 && (b >= 0xF0 ? 4u : b >= 0xE0 ? 3u : 2u) > k ? k : 0;
    }
    return 0;
}

char *ph_utf8_clean(size_t *out_n, const char *s, size_t n) {
    size_t cap, len = 0;
    if (!ph_mul_size(&cap, n, 3) || !ph_add_size(&cap, cap, 1)) return NULL; /* one bad byte becomes three */
    bool fine = ph_utf8_valid(s, n);
    char *out = ph_alloc(fine ? n + 1 : cap);
    if (!out) return NULL;
    if (fine && n) memcpy(out, s, len = n);
    for (size_t i = len; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        len += (size_t)ph_utf8_encode(out + len, u.rune);
        i += (size_t)u.bytes;
    }
    out[len] = '\0';
    if (out_n) *out_n = len;
    return out;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

static bool among(const range *t, size_t n, uint32_t r) {
    size_t lo = 0, hi = n; /* t[lo].first <= r < t[hi].first, with sentinels at both ends */
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (t[mid].first <= r) lo = mid;
        else hi = mid;
    }
    return t[lo].first <= r && r <= t[lo].last;
}
#define AMONG(t, r) among(t, sizeof(t) / sizeof *(t), r)

int ph_rune_width(uint32_t r) {
    if (r < 0x80) return r >= 0x20 && r != 0x7F;
    if (AMONG(zero_width, r)) return 0;
    return AMONG(wide, r) ? 2 : 1;
}

size_t ph_utf8_width(const char *s, size_t n) {
    size_t columns = 0;
    for (size_t i = 0; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        i += (size_t)u.bytes;
        columns += (size_t)ph_rune_width(u.rune);
    }
    return columns;
}

/* 、。，．：；？！」』）】》〉” and ’ begin no line, 「『（【《〈“ and ‘ end none. */
static bool clings(uint32_t r, const uint32_t *marks) {
    while (*marks && *marks != r) marks++;
    return *marks != 0;
}
static const uint32_t closing[] = {0x3001, 0x3002, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF01, 0x300D,
                                   0x300F, 0xFF09, 0x3011, 0x300B, 0x3009, 0x201D, 0x2019, 0};
static const uint32_t opening[] = {0x300C, 0x300E, 0xFF08, 0x3010, 0x300A, 0x3008, 0x201C, 0x2018, 0};

size_t ph_utf8_fit(const char *s, size_t n, size_t columns) {
    size_t at = 0, column = 0, fits = 0;
    uint32_t before = ' ';
    while (at < n) {
        ph_utf8 u = ph_utf8_decode(s + at, n - at);
        bool east = ph_rune_width(u.rune) == 2 || ph_rune_width(before) == 2;
        bool may = u.rune == ' ' || (east && !clings(u.rune, closing) && !clings(before, opening));
        if (may && before != ' ') fits = at;
        column += (size_t)ph_rune_width(u.rune);
        if (column > columns && fits && u.rune != ' ') return fits;
        before = u.rune;
        at += (size_t)u.bytes;
    }
    while (n > 0 && s[n - 1] == ' ') n--;
    return n;
}

/* ---- names --------------------------------------------------------------------------------------------- */

bool ph_rune_starts_name(uint32_t r) {
    if (r < 0x80) return (r >= 'A' && r <= 'Z') || (r >= 'a' && r <= 'z') || r == '_';
    return AMONG(letters, r);
}

bool ph_rune_continues_name(uint32_t r) {
    if (r < 0x80) return ph_rune_starts_name(r) || (r >= '0' && r <= '9');
    return AMONG(letters, r) || AMONG(name_marks, r);
}
