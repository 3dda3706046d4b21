/* safetensors_write.c: arrays to a .safetensors: the header first, so everything is checked and placed before. */
#include "files/internal.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const file_named *in;
    file_item item;
    uint64_t begin, end;
} placed;

static void put_metadata(ph_text *b, const char *const *metadata, int n) {
    if (n == 0) return;
    ph_puts(b, "\"__metadata__\":{");
    for (int i = 0; i < n; i++) {
        if (i) ph_puts(b, ",");
        ph_put_json(b, metadata[2 * i], strlen(metadata[2 * i]));
        ph_puts(b, ":");
        ph_put_json(b, metadata[2 * i + 1], strlen(metadata[2 * i + 1]));
    }
    ph_puts(b, "}");
}

static void put_tensor(ph_text *b, const placed *t) {
    const arr *a = t->in->a;
    ph_put_json(b, t->in->name, strlen(t->in->name));
    ph_puts(b, ":{\"dtype\":\"");
    ph_puts(b, file_items[t->item].tensor);
    ph_puts(b, "\",\"shape\":[");
    for (int k = 0; k < a->ndim; k++) ph_putf(b, k ? ",%lld" : "%lld", (long long)a->shape[k]);
    ph_putf(b, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)t->begin, (unsigned long long)t->end);
}

static ph_status header(ph_text *b, const placed *t, int n, const char *const *metadata, int nmeta,
                        ph_err *err) {
    ph_put(b, "\0\0\0\0\0\0\0\0{", 9);
    put_metadata(b, metadata, nmeta);
    for (int i = 0; i < n; i++) {
        if (i || nmeta) ph_puts(b, ",");
        put_tensor(b, &t[i]);
    }
    ph_puts(b, "}");
    while (b->n % 8 != 0 && !b->failed) ph_puts(b, " "); /* the data begin at a multiple of 8 */
    if (b->failed) return ph_fail_nomem(err, b->cap * 2);
    for (int k = 0; k < 8; k++) b->s[k] = (char)(uint64_t)((b->n - 8) >> 8 * k);
    return b->n - 8 <= 100000000
               ? PH_OK
               : ph_fail(err, PH_EARG, "a header of %zu bytes; wanted at most 100000000", b->n - 8);
}

/* Largest elements first keeps every tensor aligned; then by name. */
static int by_size_and_name(const void *x, const void *y) {
    const placed *a = x, *b = y;
    size_t sa = file_items[a->item].size, sb = file_items[b->item].size;
    return sa != sb ? (sa < sb) - (sa > sb) : strcmp(a->in->name, b->in->name);
}

static ph_status place(placed *t, const file_named *in, int n, const char *type, ph_err *err) {
    uint64_t at = 0, bytes;
    ph_status st;
    for (int i = 0; i < n; i++) {
        t[i].in = &in[i];
        if (strcmp(in[i].name, "__metadata__") == 0)
            return ph_fail(err, PH_EARG, "an array cannot be called __metadata__ in a .safetensors");
        if ((st = file_item_for(&t[i].item, in[i].a, type, false, err)) != PH_OK) return st;
    }
    qsort(t, (size_t)n, sizeof *t, by_size_and_name);
    for (int i = 0; i < n; i++) {
        const arr *a = t[i].in->a;
        if ((st = file_item_bytes(&bytes, t[i].item, a->ndim, a->shape, t[i].in->name, err)) != PH_OK)
            return st;
        t[i].begin = at;
        if (__builtin_add_overflow(at, bytes, &at))
            return ph_fail(err, PH_EARG, "the arrays are too large for any file");
        t[i].end = at;
    }
    return PH_OK;
}

ph_status file_safetensors_write(const char *path, const file_named *in, int n, const char *type,
                                 const char *const *metadata, int nmeta, ph_err *err) {
    ph_writer *w = NULL;
    ph_text b = {0};
    ph_status st;
    placed *t = ph_calloc((size_t)n + 1, sizeof *t);
    if (!t) return ph_fail_nomem(err, (size_t)n * sizeof *t);
    PH_TRY(place(t, in, n, type, err));
    PH_TRY(header(&b, t, n, metadata, nmeta, err));
    PH_TRY(ph_writer_open(&w, path, err));
    PH_TRY(ph_writer_put(w, b.s, b.n, err));
    for (int i = 0; i < n; i++) PH_TRY(file_payload_write(w, NULL, t[i].in->a, t[i].item, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    ph_text_drop(&b);
    ph_free(t);
    return st;
}
