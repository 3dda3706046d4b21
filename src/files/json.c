/* json.c: the JSON header of a .safetensors, byte by byte. */
#include "files/json.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

ph_status file_json_new(file_json **out, const ph_file *f, uint32_t header, size_t piece, ph_err *err) {
    file_json *r = *out = ph_alloc(sizeof *r);
    if (!r) return ph_fail_nomem(err, sizeof *r);
    r->file = f, r->header = header, r->piece = piece, r->err = err, r->st = PH_OK, *r->shown = 0;
    file_json_seek(r, 0);
    return PH_OK;
}

uint32_t file_json_place(const file_json *r) { return r->from + (uint32_t)r->at; }

void file_json_seek(file_json *r, uint32_t at) {
    r->from = at;
    r->at = r->n = 0;
}

int file_json_peek(file_json *r) {
    if (r->at < r->n) return r->window[r->at];
    r->from += (uint32_t)r->n, r->at = r->n = 0;
    size_t n = r->header - r->from < r->piece ? r->header - r->from : r->piece;
    if (n == 0 || r->st != PH_OK) return -1;
    r->st = ph_file_read(r->file, r->window, n, 8 + (uint64_t)r->from, r->err);
    if (r->st != PH_OK) return -1;
    r->n = n;
    return r->window[0];
}

ph_status file_json_fault(file_json *r, const char *what) {
    if (r->st != PH_OK) return r->st;
    return ph_fail(r->err, PH_EARG, "%s: header: %s%s%sat byte %u: %s", r->file->name,
                   *r->shown ? "tensor \"" : "", r->shown, *r->shown ? "\" " : "", file_json_place(r), what);
}

ph_status file_json_wanted(file_json *r, const char *what) {
    char text[120];
    int c = file_json_peek(r);
    if (c < 0) snprintf(text, sizeof text, "it ends; wanted %s", what);
    else if (c > 32 && c < 127) snprintf(text, sizeof text, "'%c'; wanted %s", c, what);
    else snprintf(text, sizeof text, "byte %d; wanted %s", c, what);
    return file_json_fault(r, text);
}

int file_json_word(file_json *r) {
    int c;
    while ((c = file_json_peek(r)) == ' ' || c == '\t' || c == '\n' || c == '\r') r->at++;
    return c;
}

bool file_json_eat(file_json *r, char c) {
    if (file_json_word(r) != c) return false;
    r->at++;
    return true;
}

/* ---- texts ------------------------------------------------------------------------------------------------- */

void file_json_add(file_json_text *t, const char *s, size_t n) {
    for (size_t k = 0; k < n; k++, t->n++) {
        t->hash = (t->hash ^ (unsigned char)s[k]) * 0x100000001b3u; /* FNV-1a */
        if (t->out && t->n < t->cap) t->out[t->n] = s[k];
        if (t->with && (t->n >= t->with_n || t->with[t->n] != s[k])) t->differs = true;
    }
}

bool file_json_equal(const file_json_text *t) { return !t->differs && t->n == t->with_n; }

static ph_status hex4(file_json *r, uint32_t *out) {
    *out = 0;
    for (int k = 0; k < 4; k++, r->at++) {
        int c = file_json_peek(r), low = c | 32;
        if (!(c >= '0' && c <= '9') && !(low >= 'a' && low <= 'f'))
            return file_json_wanted(r, "four hexadecimal digits");
        *out = *out << 4 | (uint32_t)(c <= '9' ? c - '0' : low - 'a' + 10);
    }
    return PH_OK;
}

/* Behind a backslash. */
static ph_status escape(file_json *r, file_json_text *t) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    int c = file_json_peek(r);
    const char *at = c > 0 ? strchr(from, c) : NULL;
    uint32_t rune, low;
    char utf8[4];
    ph_status st;
    if (c != 'u' && !at) return file_json_wanted(r, "one of \" \\ / b f n r t u behind a backslash");
    r->at++;
    if (at) return file_json_add(t, &to[at - from], 1), PH_OK;
    if ((st = hex4(r, &rune)) != PH_OK) return st;
    if (rune >= 0xD800 && rune < 0xDC00) {
        if (file_json_peek(r) != '\\') return file_json_wanted(r, "the second half of a pair of surrogates");
        r->at++;
        if (file_json_peek(r) != 'u') return file_json_wanted(r, "the second half of a pair of surrogates");
        r->at++;
        if ((st = hex4(r, &low)) != PH_OK) return st;
        rune = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((rune - 0xD800) << 10) + (low - 0xDC00) : 0xD800;
    }
    int n = ph_utf8_encode(utf8, rune);
    if (n == 0) return file_json_fault(r, "half a pair of surrogates");
    file_json_add(t, utf8, (size_t)n);
    return PH_OK;
}

/* One character of UTF-8. */
static ph_status rune(file_json *r, int c, file_json_text *t) {
    char s[4];
    uint32_t from = file_json_place(r);
    int n = 0, length = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    for (; n < length && c >= 0; n++) {
        s[n] = (char)c;
        r->at++;
        if (n + 1 < length) c = file_json_peek(r);
    }
    ph_utf8 u = ph_utf8_decode(s, (size_t)n);
    if (!u.valid || u.bytes != n) {
        file_json_seek(r, from);
        return file_json_fault(r, "no valid UTF-8");
    }
    file_json_add(t, s, (size_t)n);
    return PH_OK;
}

ph_status file_json_read(file_json *r, file_json_text *t, const char *what) {
    if (!file_json_eat(r, '"')) return file_json_wanted(r, what);
    for (int c; (c = file_json_peek(r)) != '"';) {
        ph_status st = PH_OK;
        if (c < 32) return file_json_wanted(r, "a closing quote");
        if (c == '\\') {
            r->at++;
            st = escape(r, t);
        } else st = rune(r, c, t);
        if (st != PH_OK) return st;
    }
    r->at++;
    return PH_OK;
}

ph_status file_json_copy(file_json *r, char **out, size_t *n, uint32_t at, const char *what) {
    file_json_text length = FILE_JSON_TEXT(0);
    file_json_seek(r, at);
    ph_status st = file_json_read(r, &length, what);
    if (st != PH_OK) return st;
    file_json_text copy = FILE_JSON_TEXT(.cap = length.n, .out = ph_alloc(length.n + 1));
    if (!copy.out) return ph_fail_nomem(r->err, length.n + 1);
    file_json_seek(r, at);
    if ((st = file_json_read(r, &copy, what)) != PH_OK) {
        ph_free(copy.out);
        return st;
    }
    copy.out[length.n] = 0;
    *out = copy.out, *n = length.n;
    return PH_OK;
}

void file_json_show(file_json *r, const char *s, size_t n) {
    size_t k = 0;
    for (; k < n && k < 56; k++) r->shown[k] = (unsigned char)s[k] < 32 || s[k] == 127 ? '?' : s[k];
    while (k > 0 && k < n && ((unsigned char)s[k] & 0xC0) == 0x80) k--;
    r->shown[k] = 0;
}

ph_status file_json_integer(file_json *r, uint64_t *out, uint64_t most, const char *what) {
    char text[160];
    int c = file_json_word(r);
    uint64_t v = 0;
    if (c < '0' || c > '9') {
        snprintf(text, sizeof text, "%s, an integer from 0", what);
        return file_json_wanted(r, text);
    }
    r->at++;
    for (int first = c; c >= '0' && c <= '9'; r->at++) {
        if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(c - '0'), &v) || v > most) {
            snprintf(text, sizeof text, "%s is above %llu", what, (unsigned long long)most);
            return file_json_fault(r, text);
        }
        c = file_json_peek(r);
        if (first == '0' || c < '0' || c > '9') break;
    }
    *out = v;
    c = file_json_peek(r);
    if (c != ',' && c != ']' && c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        snprintf(text, sizeof text, "no more of %s, an integer in plain digits", what);
        return file_json_wanted(r, text);
    }
    return PH_OK;
}
