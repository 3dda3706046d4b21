/* stream.c: the bytes of a file, or of an entry in it, as they are or inflated. */
#include "files/internal.h"

#include <limits.h>
#include <zlib.h>

#define PACKED ((size_t)32 << 10) /* compressed bytes read at once */
#define SUMMED ((size_t)1 << 20)  /* bytes read before they are summed: they are still in the cache then */

struct file_inflate {
    z_stream z;
    bool ended;
    unsigned char in[PACKED];
};

uint32_t file_crc(uint32_t crc, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t k; n > 0; p += k, n -= k) {
        k = n < (size_t)INT_MAX ? n : (size_t)INT_MAX;
        crc = (uint32_t)crc32(crc, p, (uInt)k);
    }
    return crc;
}

ph_status file_inflate_begin(file_stream *s, ph_err *err) {
    struct file_inflate *f = ph_alloc(sizeof *f);
    if (!f) return ph_fail_nomem(err, sizeof *f);
    f->z = (z_stream){.zalloc = ph_zlib_alloc, .zfree = ph_zlib_free};
    f->ended = false;
    if (inflateInit2(&f->z, -15) != Z_OK) { /* raw: no head of zlib's own */
        ph_free(f);
        return ph_fail_nomem(err, sizeof *f);
    }
    s->inflate = f;
    return PH_OK;
}

void file_stream_drop(file_stream *s) {
    if (!s->inflate) return;
    inflateEnd(&s->inflate->z);
    ph_free(s->inflate);
    s->inflate = NULL;
}

static ph_status take_plain(file_stream *s, unsigned char *to, size_t n, ph_err *err) {
    size_t piece = s->summed ? SUMMED : n;
    for (size_t got = 0; got < n; got += piece) {
        if (piece > n - got) piece = n - got;
        ph_status st = ph_file_read(s->file, to + got, piece, s->at, err);
        if (st != PH_OK) return st;
        if (s->summed) s->crc = file_crc(s->crc, to + got, piece);
        s->at += piece, s->packed -= piece;
    }
    return PH_OK;
}

static ph_status fill(file_stream *s, struct file_inflate *f, ph_err *err) {
    size_t n = s->packed < PACKED ? (size_t)s->packed : PACKED;
    ph_status st = ph_file_read(s->file, f->in, n, s->at, err);
    s->at += n, s->packed -= n;
    f->z.next_in = f->in, f->z.avail_in = (uInt)n;
    return st;
}

/* At most n bytes, fewer only when the compressed data end; *got: how many. */
static ph_status inflate_some(file_stream *s, unsigned char *to, size_t n, size_t *got, ph_err *err) {
    struct file_inflate *f = s->inflate;
    ph_status st = PH_OK;
    for (*got = 0; *got < n && !f->ended && st == PH_OK;) {
        if (f->z.avail_in == 0 && s->packed > 0 && (st = fill(s, f, err)) != PH_OK) return st;
        unsigned room = n - *got < SUMMED ? (unsigned)(n - *got) : (unsigned)SUMMED;
        f->z.next_out = to + *got, f->z.avail_out = room;
        int r = inflate(&f->z, Z_NO_FLUSH);
        size_t made = room - f->z.avail_out;
        s->crc = file_crc(s->crc, to + *got, made);
        *got += made;
        f->ended = r == Z_STREAM_END;
        if (r == Z_MEM_ERROR) st = ph_fail_nomem(err, sizeof *f);
        else if (r == Z_BUF_ERROR && made == 0)
            st = ph_fail(err, PH_EARG, "%s: compressed data: they end too early", s->who);
        else if (r == Z_DATA_ERROR || r == Z_NEED_DICT)
            st = ph_fail(err, PH_EARG, "%s: compressed data: damaged (%s)", s->who,
                         f->z.msg ? f->z.msg : "a dictionary is wanted");
    }
    return st;
}

ph_status file_stream_take(file_stream *s, void *buf, size_t n, ph_err *err) {
    size_t got = n;
    if (n > s->left)
        return ph_fail(err, PH_EARG, "%s: %llu bytes are left; wanted %zu", s->who,
                       (unsigned long long)s->left, n);
    ph_status st = s->inflate ? inflate_some(s, buf, n, &got, err) : take_plain(s, buf, n, err);
    if (st != PH_OK) return st;
    if (got < n)
        return ph_fail(err, PH_EARG, "%s: compressed data: they hold %llu bytes fewer than the size says",
                       s->who, (unsigned long long)(s->left - got));
    s->left -= n;
    return PH_OK;
}

/* Nothing must come out any more, and nothing be left to go in. */
static ph_status inflate_end(file_stream *s, ph_err *err) {
    unsigned char more;
    size_t got;
    uint32_t crc = s->crc;
    ph_status st = inflate_some(s, &more, 1, &got, err);
    s->crc = crc;
    if (st != PH_OK) return st;
    if (got > 0)
        return ph_fail(err, PH_EARG, "%s: compressed data: they hold more bytes than the size says", s->who);
    if (s->packed + s->inflate->z.avail_in > 0)
        return ph_fail(err, PH_EARG, "%s: compressed data: %llu bytes follow their end", s->who,
                       (unsigned long long)(s->packed + s->inflate->z.avail_in));
    return PH_OK;
}

ph_status file_stream_end(file_stream *s, ph_err *err) {
    ph_status st = s->inflate ? inflate_end(s, err) : PH_OK;
    if (st == PH_OK && s->summed && s->crc != s->sum)
        st = ph_fail(err, PH_EARG, "%s: CRC is %08x; the archive says %08x", s->who, s->crc, s->sum);
    return st;
}

const char *file_zlib_text(void) { return zlibVersion(); }
