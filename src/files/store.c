/* store.c: an open file of many arrays, of either kind; and an .npz written. */
#include "files/internal.h"

#include <stdio.h>
#include <string.h>

ph_status file_store_new(file_store **out, const char *path, ph_err *err) {
    *out = NULL;
    file_store *s = ph_calloc(1, sizeof *s);
    if (!s) return ph_fail_nomem(err, sizeof *s);
    ph_status st = ph_file_open(&s->file, path, err);
    if (st != PH_OK) file_store_close(&s);
    *out = s;
    return st;
}

void file_store_close(file_store **s) {
    if (!*s) return;
    file_zip_drop(*s);
    file_tensor_drop(*s);
    ph_file_close(&(*s)->file);
    ph_free(*s);
    *s = NULL;
}

const char *file_store_path(const file_store *s) { return s->file.name; }
int64_t file_store_count(const file_store *s) { return s->count; }

ph_status file_store_name(char **out, size_t *n, const file_store *s, int64_t i, ph_err *err) {
    return s->zip ? file_zip_name(out, n, s, i, err) : file_tensor_name(out, n, s, i, err);
}

ph_status file_store_find(int64_t *i, const file_store *s, const char *name, size_t n, ph_err *err) {
    if (!s->zip) return file_tensor_find(i, s, name, n, err);
    *i = file_zip_find(s, name, n);
    return PH_OK;
}

ph_status file_store_metadata(char ***out, int64_t *n, const file_store *s, ph_err *err) {
    *out = NULL, *n = 0;
    return s->zip ? PH_OK : file_tensor_metadata(out, n, s, err);
}

ph_status file_store_entry(file_entry *out, const file_store *s, int64_t i, ph_err *err) {
    file_stream in;
    file_npy_header h;
    file_item item;
    uint64_t at;
    if (!s->zip) return file_tensor_entry(out, &item, &at, s, i, err);
    ph_status st = file_zip_stream(&in, s, i, false, err);
    if (st == PH_OK) st = file_npy_header_read(&h, &in, err);
    file_stream_drop(&in);
    if (st != PH_OK) return st;
    *out = (file_entry){.type = file_items[h.item].name, .dtype = file_items[h.item].to, .ndim = h.ndim};
    memcpy(out->shape, h.shape, sizeof out->shape);
    return PH_OK;
}

static ph_status read_zip(arr *out, const file_store *s, int64_t i, ph_err *err) {
    file_stream in;
    file_npy_header h;
    arr a = ARR_NONE;
    ph_status st = file_zip_stream(&in, s, i, true, err);
    if (st != PH_OK) goto done;
    PH_TRY(file_npy_header_read(&h, &in, err));
    PH_TRY(file_payload(&a, &in, h.item, h.big, h.fortran, h.ndim, h.shape, err));
    PH_TRY(file_stream_end(&in, err));
    *out = a, a = ARR_NONE;
done:
    arr_drop(&a);
    file_stream_drop(&in);
    return st;
}

static ph_status read_tensor(arr *out, const file_store *s, int64_t i, ph_err *err) {
    file_entry e;
    file_item item;
    uint64_t at, bytes;
    ph_status st = file_tensor_entry(&e, &item, &at, s, i, err);
    if (st == PH_OK) st = file_item_bytes(&bytes, item, e.ndim, e.shape, s->file.name, err);
    if (st != PH_OK) return st;
    file_stream in = {.file = &s->file, .at = at, .packed = bytes, .left = bytes};
    snprintf(in.who, sizeof in.who, "%s", s->file.name);
    return file_payload(out, &in, item, false, false, e.ndim, e.shape, err);
}

ph_status file_store_read(arr *out, const file_store *s, int64_t i, ph_err *err) {
    return s->zip ? read_zip(out, s, i, err) : read_tensor(out, s, i, err);
}

/* ---- an .npz written: every entry stored, dated as ZIP's first day ----------------------------------------- */

enum { LOCAL = 30, END64 = 56 };

typedef struct {
    uint64_t local, size;
    uint32_t crc;
} written;

typedef struct {
    unsigned char b[128];
    size_t n;
} record;

static void put(record *r, uint64_t v, int bytes) {
    for (int k = 0; k < bytes; k++) r->b[r->n++] = (unsigned char)(v >> 8 * k);
}

static bool above(uint64_t v) { return v >= 0xffffffff; }
static uint64_t ones(uint64_t v) { return above(v) ? 0xffffffff : v; }

static int name_flags(const char *name) {
    for (; *name; name++)
        if (*name & 0x80) return 0x800; /* UTF-8 */
    return 0;
}

/* What the local and the central head share: version, flags, method, date, CRC, sizes, length of the name. */
static void put_common(record *r, const file_named *in, const written *e, bool wide) {
    put(r, wide ? 45 : 20, 2), put(r, (uint64_t)name_flags(in->name), 2), put(r, 0, 2);
    put(r, 0, 2), put(r, 1 << 5 | 1, 2); /* 1980-01-01 00:00 */
    put(r, e->crc, 4), put(r, ones(e->size), 4), put(r, ones(e->size), 4);
    put(r, strlen(in->name) + 4, 2);
}

static ph_status put_name(ph_writer *w, const record *r, const char *name, ph_err *err) {
    ph_status st;
    PH_TRY(ph_writer_put(w, r->b, r->n, err));
    PH_TRY(ph_writer_text(w, name, err));
    st = ph_writer_text(w, ".npy", err);
done:
    return st;
}

static ph_status put_entry(ph_writer *w, const file_named *in, file_item item, written *e, ph_err *err) {
    char header[ARR_NPY_HEADER_MAX];
    size_t n = file_npy_header_write(header, in->a, item);
    uint64_t bytes;
    record r = {.n = 0}, x = {.n = 0};
    ph_status st;
    PH_TRY(file_item_bytes(&bytes, item, in->a->ndim, in->a->shape, in->name, err));
    e->size = bytes + n;
    e->crc = file_crc(0, header, n);
    PH_TRY(file_payload_write(NULL, &e->crc, in->a, item, err));
    bool wide = above(e->size);
    put(&r, 0x04034b50, 4);
    put_common(&r, in, e, wide);
    if (wide) put(&x, 1, 2), put(&x, 16, 2), put(&x, e->size, 8), put(&x, e->size, 8);
    put(&r, x.n, 2);
    PH_TRY(put_name(w, &r, in->name, err));
    PH_TRY(ph_writer_put(w, x.b, x.n, err));
    PH_TRY(ph_writer_put(w, header, n, err));
    st = file_payload_write(w, NULL, in->a, item, err);
done:
    return st;
}

static ph_status put_central(ph_writer *w, const file_named *in, const written *e, uint64_t *size,
                             ph_err *err) {
    bool wide = above(e->size) || above(e->local);
    record r = {.n = 0}, x = {.n = 0};
    ph_status st;
    if (wide) {
        put(&x, 1, 2), put(&x, (above(e->size) ? 16 : 0) + (above(e->local) ? 8 : 0), 2);
        if (above(e->size)) put(&x, e->size, 8), put(&x, e->size, 8);
        if (above(e->local)) put(&x, e->local, 8);
    }
    put(&r, 0x02014b50, 4), put(&r, 3 << 8 | 45, 2); /* made on Unix */
    put_common(&r, in, e, wide);
    put(&r, x.n, 2), put(&r, 0, 2), put(&r, 0, 2), put(&r, 0, 2); /* no comment, part 0, binary */
    put(&r, 0100644u << 16, 4), put(&r, ones(e->local), 4);
    PH_TRY(put_name(w, &r, in->name, err));
    st = ph_writer_put(w, x.b, x.n, err);
    *size += r.n + strlen(in->name) + 4 + x.n;
done:
    return st;
}

static ph_status put_end(ph_writer *w, int n, uint64_t at, uint64_t size, ph_err *err) {
    record r = {.n = 0};
    if (above(at) || above(size)) {
        put(&r, 0x06064b50, 4), put(&r, END64 - 12, 8), put(&r, 3 << 8 | 45, 2), put(&r, 45, 2);
        put(&r, 0, 4), put(&r, 0, 4), put(&r, (uint64_t)n, 8), put(&r, (uint64_t)n, 8);
        put(&r, size, 8), put(&r, at, 8);
        put(&r, 0x07064b50, 4), put(&r, 0, 4), put(&r, at + size, 8), put(&r, 1, 4);
    }
    put(&r, 0x06054b50, 4), put(&r, 0, 4), put(&r, (uint64_t)n, 2), put(&r, (uint64_t)n, 2);
    put(&r, ones(size), 4), put(&r, ones(at), 4), put(&r, 0, 2);
    return ph_writer_put(w, r.b, r.n, err);
}

ph_status file_npz_write(const char *path, const file_named *in, int n, const char *type, ph_err *err) {
    ph_writer *w = NULL;
    file_item item;
    uint64_t at = 0, size = 0;
    ph_status st = PH_OK;
    written *e = ph_calloc((size_t)n + 1, sizeof *e);
    if (!e) return ph_fail_nomem(err, (size_t)n * sizeof *e);
    if (n > 10000) PH_TRY(ph_fail(err, PH_EARG, "%d arrays; wanted at most 10000 in a file", n));
    for (int i = 0; i < n; i++) {
        if (!*in[i].name || strpbrk(in[i].name, "/\\:") || strlen(in[i].name) > 4000)
            PH_TRY(ph_fail(err, PH_EARG,
                           "name \"%.40s\"; wanted 1 to 4000 bytes without / \\ and :", in[i].name));
        PH_TRY(file_item_for(&item, in[i].a, type, true, err));
    }
    PH_TRY(ph_writer_open(&w, path, err));
    for (int i = 0; i < n; i++) {
        PH_TRY(file_item_for(&item, in[i].a, type, true, err));
        e[i].local = at;
        PH_TRY(put_entry(w, &in[i], item, &e[i], err));
        at += LOCAL + strlen(in[i].name) + 4 + (above(e[i].size) ? 20 : 0) + e[i].size;
    }
    for (int i = 0; i < n; i++) PH_TRY(put_central(w, &in[i], &e[i], &size, err));
    PH_TRY(put_end(w, n, at, size, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    ph_free(e);
    return st;
}
