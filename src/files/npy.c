/* npy.c: one array in a .npy: "\x93NUMPY", a version, the length of the header, the header, the elements.
 *
 *     \x93NUMPY 1 0  length (2 bytes)  {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }   \n  elements
 *     \x93NUMPY 2 0  length (4 bytes)  ...      3 0: as 2 0, the header in UTF-8
 *
 * The header looks like Python, and is read by a closed grammar: a dict of exactly these three keys, once each, whose values
 * are a text, True or False, and a tuple of integers. Nothing is evaluated.
 */
#include "files/internal.h"
#include "array/loop.h"

#include <stdio.h>
#include <string.h>

#define HEADER_MOST ((size_t)64 << 10)

/* ---- the header's grammar ---------------------------------------------------------------------------------- */

typedef struct {
    const char *text, *at, *end;
    const char *who;
    ph_err *err;
} reader;

/* What stands at `at`, for a message. */
static void seen(char out[32], const reader *r) {
    int n = 0;
    for (const char *p = r->at; p < r->end && n < 16 && *p >= 32 && *p < 127; p++) out[n++] = *p;
    snprintf(out + n, 32 - (size_t)n, "%s", r->at == r->end ? "the end" : n == 0 ? "an odd byte" : "");
}

static ph_status wanted(const reader *r, const char *what) {
    char text[32];
    seen(text, r);
    return ph_fail(r->err, PH_EARG, "%s: header: at byte %d is %s; wanted %s", r->who, (int)(r->at - r->text),
                   text, what);
}

static void blanks(reader *r) {
    while (r->at < r->end && *r->at == ' ') r->at++;
}

static bool eat(reader *r, char c) {
    blanks(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool eat_word(reader *r, const char *word) {
    size_t n = strlen(word);
    blanks(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
    r->at += n;
    return true;
}

/* 'text' or "text", without escapes. */
static ph_status text(reader *r, const char **s, size_t *n, const char *what) {
    blanks(r);
    char quote = r->at < r->end ? *r->at : 0;
    if (quote != '\'' && quote != '"') return wanted(r, what);
    const char *end = memchr(r->at + 1, quote, (size_t)(r->end - r->at - 1));
    if (!end || memchr(r->at, '\\', (size_t)(end - r->at)))
        return wanted(r, "a text in quotes, without a backslash");
    *s = r->at + 1, *n = (size_t)(end - *s);
    r->at = end + 1;
    return PH_OK;
}

static ph_status size(reader *r, int64_t *out) {
    int64_t v = 0;
    blanks(r);
    const char *from = r->at;
    if (r->at < r->end && *r->at == '-')
        return ph_fail(r->err, PH_EARG, "%s: header: shape: a size is negative; wanted integers from 0",
                       r->who);
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *r->at - '0', &v))
            return ph_fail(r->err, PH_EARG, "%s: header: shape: the size %.20s... is above 2^63", r->who,
                           from);
    if (r->at == from) return wanted(r, "a size, an integer from 0");
    if (r->at < r->end && *r->at == 'L') r->at++; /* Python 2 wrote 3L */
    *out = v;
    return PH_OK;
}

/* (), (3,), (3, 4): a tuple of one has its comma. */
static ph_status shape(reader *r, file_npy_header *h) {
    bool comma = true;
    if (!eat(r, '(')) return wanted(r, "a tuple of sizes, as in (3, 4)");
    for (h->ndim = 0; !eat(r, ')'); h->ndim++) {
        if (!comma) return wanted(r, "a comma or )");
        if (h->ndim == ARR_MAXDIM)
            return ph_fail(r->err, PH_EARG, "%s: header: shape: more than %d dimensions", r->who, ARR_MAXDIM);
        ph_status st = size(r, &h->shape[h->ndim]);
        if (st != PH_OK) return st;
        comma = eat(r, ',');
    }
    return h->ndim == 1 && !comma ? wanted(r, "a tuple; that of one size is (3,)") : PH_OK;
}

static const char *kind_of(char c) {
    static const struct {
        char c;
        const char *what;
    } kinds[] = {{'O', "Python objects (pickle), which are never read"},
                 {'V', "records"},
                 {'S', "byte strings"},
                 {'a', "byte strings"},
                 {'U', "texts"},
                 {'M', "dates"},
                 {'m', "time spans"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (kinds[k].c == c) return kinds[k].what;
    return NULL;
}

/* '<f8': order, kind, bytes. Single bytes have no order. */
static ph_status descr(reader *r, file_npy_header *h) {
    const char *s;
    size_t n;
    blanks(r);
    if (r->at < r->end && *r->at == '[')
        return ph_fail(r->err, PH_EARG,
                       "%s: header: descr is a list: records are not read; wanted one type, as '<f8'",
                       r->who);
    ph_status st = text(r, &s, &n, "a type, as '<f8'");
    if (st != PH_OK) return st;
    bool order = n > 0 && strchr("<>|=", *s);
    const char *kind = s + order;
    size_t k = n - order;
    for (h->item = 0; h->item < ITEM_COUNT; h->item++) {
        const char *name = file_items[h->item].npy;
        if (!name || k != strlen(name) || memcmp(kind, name, k) != 0) continue;
        bool single = file_items[h->item].size == 1;
        if (!order || (single ? *s == '=' : *s != '<' && *s != '>')) break;
        h->big = *s == '>';
        return PH_OK;
    }
    const char *what = k > 0 ? kind_of(*kind) : NULL;
    if (what)
        return ph_fail(r->err, PH_EARG,
                       "%s: header: descr '%.*s' is %s; wanted numbers: b1, i1 to i8, u1 to u8, f2, f4, f8, "
                       "c8, c16",
                       r->who, (int)(n < 16 ? n : 16), s, what);
    return ph_fail(r->err, PH_EARG,
                   "%s: header: descr is '%.*s'; wanted < or > and one of b1, i1, i2, i4, i8, u1, u2, u4, "
                   "u8, f2, f4, f8, c8, c16",
                   r->who, (int)(n < 16 ? n : 16), s);
}

static ph_status order(reader *r, file_npy_header *h) {
    h->fortran = eat_word(r, "True");
    return h->fortran || eat_word(r, "False") ? PH_OK : wanted(r, "True or False");
}

static const struct {
    const char *key;
    ph_status (*read)(reader *r, file_npy_header *h);
} keys[] = {{"descr", descr}, {"fortran_order", order}, {"shape", shape}};
#define KEYS 3

static ph_status entry(reader *r, file_npy_header *h, unsigned *have) {
    const char *s;
    size_t n;
    int k = 0;
    ph_status st = text(r, &s, &n, "a key in quotes, or }");
    if (st != PH_OK) return st;
    while (k < KEYS && (n != strlen(keys[k].key) || memcmp(s, keys[k].key, n) != 0)) k++;
    if (k == KEYS)
        return ph_fail(r->err, PH_EARG, "%s: header: key '%.*s'; wanted descr, fortran_order and shape",
                       r->who, (int)(n < 24 ? n : 24), s);
    if (*have & 1u << k)
        return ph_fail(r->err, PH_EARG, "%s: header: %s stands there twice", r->who, keys[k].key);
    *have |= 1u << k;
    return eat(r, ':') ? keys[k].read(r, h) : wanted(r, "a colon");
}

static ph_status dict(reader *r, file_npy_header *h) {
    unsigned have = 0;
    bool comma = true;
    if (!eat(r, '{')) return wanted(r, "{");
    while (!eat(r, '}')) {
        if (!comma) return wanted(r, "a comma or }");
        ph_status st = entry(r, h, &have);
        if (st != PH_OK) return st;
        comma = eat(r, ',');
    }
    for (int k = 0; k < KEYS; k++)
        if (!(have & 1u << k))
            return ph_fail(r->err, PH_EARG, "%s: header: %s is missing", r->who, keys[k].key);
    blanks(r);
    if (r->at < r->end && *r->at == '\n') r->at++;
    return r->at == r->end ? PH_OK : wanted(r, "nothing more");
}

/* ---- the file ---------------------------------------------------------------------------------------------- */

/* Magic, version, length: *n is the header's. */
static ph_status prefix(size_t *n, file_stream *s, ph_err *err) {
    unsigned char p[12];
    ph_status st;
    if (s->left < 10)
        return ph_fail(err, PH_EARG, "%s: %llu bytes; a .npy has at least 10", s->who,
                       (unsigned long long)s->left);
    if ((st = file_stream_take(s, p, 8, err)) != PH_OK) return st;
    if (memcmp(p, "\x93NUMPY", 6) != 0)
        return ph_fail(err, PH_EARG, "%s: does not begin as a .npy does, with \\x93NUMPY", s->who);
    if (p[6] < 1 || p[6] > 3 || p[7] != 0)
        return ph_fail(err, PH_EARG, "%s: version %d.%d; wanted 1.0, 2.0 or 3.0", s->who, p[6], p[7]);
    size_t bytes = p[6] == 1 ? 2 : 4;
    if (s->left < bytes) return ph_fail(err, PH_EARG, "%s: the file ends within the header's length", s->who);
    if ((st = file_stream_take(s, p, bytes, err)) != PH_OK) return st;
    *n = 0;
    for (size_t k = bytes; k-- > 0;) *n = *n << 8 | p[k];
    if (*n > HEADER_MOST)
        return ph_fail(err, PH_EARG, "%s: header: %zu bytes; wanted at most %zu", s->who, *n, HEADER_MOST);
    if (*n > s->left)
        return ph_fail(err, PH_EARG, "%s: header: %zu bytes; %llu are left", s->who, *n,
                       (unsigned long long)s->left);
    return PH_OK;
}

/* What the file holds beside what the header promises: too little and too much are two errors. */
static ph_status hold_against(const file_npy_header *h, const file_stream *s, ph_err *err) {
    uint64_t bytes;
    char dims[200], who[ARR_WHO + 16];
    snprintf(who, sizeof who, "%s: header", s->who);
    ph_status st = file_item_bytes(&bytes, h->item, h->ndim, h->shape, who, err);
    if (st != PH_OK || bytes == s->left) return st;
    arr_dims_text(dims, sizeof dims, h->ndim, h->shape);
    if (s->left < bytes)
        return ph_fail(err, PH_EARG, "%s: data: %llu bytes; shape %s of %s takes %llu: the file is cut short",
                       s->who, (unsigned long long)s->left, dims, file_items[h->item].name,
                       (unsigned long long)bytes);
    return ph_fail(err, PH_EARG, "%s: data: %llu bytes follow the %llu that shape %s of %s takes", s->who,
                   (unsigned long long)(s->left - bytes), (unsigned long long)bytes, dims,
                   file_items[h->item].name);
}

ph_status file_npy_header_read(file_npy_header *h, file_stream *s, ph_err *err) {
    size_t n = 0;
    ph_status st = prefix(&n, s, err);
    if (st != PH_OK) return st;
    char *text = ph_alloc(n + 1);
    if (!text) return ph_fail_nomem(err, n + 1);
    text[n] = 0;
    reader r = {text, text, text + n, s->who, err};
    *h = (file_npy_header){0};
    PH_TRY(file_stream_take(s, text, n, err));
    PH_TRY(dict(&r, h));
    st = hold_against(h, s, err);
done:
    ph_free(text);
    return st;
}

ph_status file_npy_read(arr *out, const char *path, ph_err *err) {
    ph_file f;
    file_npy_header h;
    ph_status st = ph_file_open(&f, path, err);
    if (st != PH_OK) return st;
    file_stream s = {.file = &f, .packed = f.size, .left = f.size};
    snprintf(s.who, sizeof s.who, "%s", f.name);
    PH_TRY(file_npy_header_read(&h, &s, err));
    st = file_payload(out, &s, h.item, h.big, h.fortran, h.ndim, h.shape, err);
done:
    ph_file_close(&f);
    return st;
}

size_t file_npy_header_write(char out[ARR_NPY_HEADER_MAX], const arr *a, file_item item) {
    char *text = out + 10, dims[200];
    arr_dims_text(dims, sizeof dims, a->ndim, a->shape);
    if (a->ndim == 1) snprintf(dims + strlen(dims) - 1, 4, ",)");
    int n =
        snprintf(text, ARR_NPY_HEADER_MAX - 10, "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                 file_items[item].size == 1 ? '|' : '<', file_items[item].npy, dims);
    size_t total = ((size_t)n + 11 + 63) / 64 * 64; /* the elements begin at a multiple of 64 */
    memset(text + n, ' ', total - 10 - (size_t)n);
    out[total - 1] = '\n';
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (char)((total - 10) & 0xff), out[9] = (char)((total - 10) >> 8);
    return total;
}

ph_status file_npy_write(const char *path, const arr *a, const char *type, ph_err *err) {
    char header[ARR_NPY_HEADER_MAX];
    ph_writer *w = NULL;
    file_item item;
    ph_status st;
    PH_TRY(file_item_for(&item, a, type, true, err));
    PH_TRY(ph_writer_open(&w, path, err));
    PH_TRY(ph_writer_put(w, header, file_npy_header_write(header, a, item), err));
    PH_TRY(file_payload_write(w, NULL, a, item, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    return st;
}
