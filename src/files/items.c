/* items.c: the element types of files, and arrays from and to their bytes. */
#include "files/internal.h"
#include "array/loop.h"
#include "base/half.h"

#include <stdio.h>
#include <string.h>

#define SCRATCH ((size_t)128 << 10) /* bytes converted at once; a multiple of every item's size */

const file_item_info file_items[ITEM_COUNT] = {
    [ITEM_BOOL] = {"bool", "b1", "BOOL", 1, ARR_BOOL}, [ITEM_I8] = {"i8", "i1", "I8", 1, ARR_F64},
    [ITEM_I16] = {"i16", "i2", "I16", 2, ARR_F64},     [ITEM_I32] = {"i32", "i4", "I32", 4, ARR_F64},
    [ITEM_I64] = {"i64", "i8", "I64", 8, ARR_F64},     [ITEM_U8] = {"u8", "u1", "U8", 1, ARR_F64},
    [ITEM_U16] = {"u16", "u2", "U16", 2, ARR_F64},     [ITEM_U32] = {"u32", "u4", "U32", 4, ARR_F64},
    [ITEM_U64] = {"u64", "u8", "U64", 8, ARR_F64},     [ITEM_F16] = {"f16", "f2", "F16", 2, ARR_F32},
    [ITEM_BF16] = {"bf16", NULL, "BF16", 2, ARR_F32},  [ITEM_F32] = {"f32", "f4", "F32", 4, ARR_F32},
    [ITEM_F64] = {"f64", "f8", "F64", 8, ARR_F64},     [ITEM_C64] = {"c64", "c8", NULL, 8, ARR_C128},
    [ITEM_C128] = {"c128", "c16", NULL, 16, ARR_C128},
};

static const file_item own_item[ARR_NDTYPE] = {
    [ARR_BOOL] = ITEM_BOOL, [ARR_F32] = ITEM_F32, [ARR_F64] = ITEM_F64, [ARR_C128] = ITEM_C128};

ph_status file_item_for(file_item *out, const arr *a, const char *type, bool npy, ph_err *err) {
    static const file_item written[] = {ITEM_F64, ITEM_F32, ITEM_F16, ITEM_BF16, ITEM_BOOL, ITEM_C128};
    *out = own_item[a->dtype];
    if (type) {
        size_t k = 0, n = sizeof written / sizeof *written;
        while (k < n && strcmp(file_items[written[k]].name, type) != 0) k++;
        if (k == n || !(npy ? file_items[written[k]].npy : file_items[written[k]].tensor))
            return ph_fail(err, PH_EARG, "dtype is \"%.20s\"; wanted %s", type,
                           npy ? "\"f64\", \"f32\", \"f16\", \"bool\" or \"c128\""
                               : "\"f64\", \"f32\", \"f16\", \"bf16\" or \"bool\"");
        *out = written[k];
    }
    if (!npy && !file_items[*out].tensor)
        return ph_fail(err, PH_EARG, "the format has no complex numbers; write the real and imaginary parts");
    if (a->dtype == ARR_C128 && *out != ITEM_C128)
        return ph_fail(err, PH_EARG, "a complex array cannot be written as %s", type);
    if (a->dtype != ARR_BOOL && *out == ITEM_BOOL)
        return ph_fail(err, PH_EARG,
                       "an array of %s cannot be written as bool; compare first, as in ne(A, 0)",
                       arr_dtype_name(a->dtype));
    return PH_OK;
}

ph_status file_item_bytes(uint64_t *bytes, file_item item, int ndim, const int64_t *shape, const char *who,
                          ph_err *err) {
    size_t n, held;
    char text[200];
    bool fits = ph_shape_bytes(&n, shape, ndim, file_items[item].size);
    *bytes = fits ? n : 0;
    /* An array holds a small item in more bytes than the file: that counts even for sizes beside a size 0. */
    if (fits && ph_shape_bytes(&held, shape, ndim, arr_itemsize(file_items[item].to))) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: shape %s of %s is too large for any %s", who,
                   arr_dims_text(text, sizeof text, ndim, shape), file_items[item].name,
                   fits ? "memory" : "file");
}

/* ---- from bytes -------------------------------------------------------------------------------------------- */

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HOST_BIG true
#else
#define HOST_BIG false
#endif

static void swap_bytes(unsigned char *p, size_t n, size_t width) {
    for (size_t i = 0; i < n; i += width)
        for (size_t a = i, b = i + width - 1; a < b; a++, b--) {
            unsigned char t = p[a];
            p[a] = p[b];
            p[b] = t;
        }
}

/* A complex number is two numbers, each swapped on its own. */
static size_t swap_width(file_item item) {
    size_t size = file_items[item].size;
    return item == ITEM_C64 || item == ITEM_C128 ? size / 2 : size;
}

/* A double holds v exactly: at most 53 bits between its first one and its last. */
static bool fits(uint64_t v) { return v >> 53 == 0 || v >> __builtin_ctzll(v) < (uint64_t)1 << 53; }

#define EACH(from, to, value)                                                                                \
    for (size_t i = 0; i < n; i++) {                                                                         \
        from v;                                                                                              \
        memcpy(&v, src + i * sizeof v, sizeof v);                                                            \
        ((to *)dst)[i] = (value);                                                                            \
    }                                                                                                        \
    break

/* n items in the host's order to elements of their dtype; those that are the same already are not for here. */
static void convert(void *dst, const unsigned char *src, file_item item, size_t n) {
    switch (item) {
    case ITEM_I8: EACH(int8_t, double, v);
    case ITEM_I16: EACH(int16_t, double, v);
    case ITEM_I32: EACH(int32_t, double, v);
    case ITEM_I64: EACH(int64_t, double, (double)v);
    case ITEM_U8: EACH(uint8_t, double, v);
    case ITEM_U16: EACH(uint16_t, double, v);
    case ITEM_U32: EACH(uint32_t, double, v);
    case ITEM_U64: EACH(uint64_t, double, (double)v);
    case ITEM_F16: EACH(uint16_t, float, ph_f16_to_f32(v));
    case ITEM_BF16: EACH(uint16_t, float, ph_bf16_to_f32(v));
    case ITEM_C64: n *= 2; EACH(float, double, v);
    default: break;
    }
}

/* A byte of a bool is 0 or 1, and an integer has a double. `first`: the index of the first item, for the message. */
static ph_status check(const unsigned char *p, file_item item, size_t n, uint64_t first, const char *who,
                       ph_err *err) {
    if (item == ITEM_BOOL)
        for (size_t i = 0; i < n; i++)
            if (p[i] > 1)
                return ph_fail(err, PH_EARG, "%s: data: element %llu of bool is the byte %d; wanted 0 or 1",
                               who, (unsigned long long)(first + i + 1), p[i]);
    if (item != ITEM_I64 && item != ITEM_U64) return PH_OK;
    for (size_t i = 0; i < n; i++) {
        uint64_t v;
        memcpy(&v, p + i * 8, 8);
        bool negative = item == ITEM_I64 && v >> 63;
        if (fits(negative ? -v : v)) continue;
        return ph_fail(err, PH_EARG,
                       "%s: data: element %llu is the integer %s%llu, which no f64 holds exactly", who,
                       (unsigned long long)(first + i + 1), negative ? "-" : "",
                       (unsigned long long)(negative ? -v : v));
    }
    return PH_OK;
}

/* Bytes that are elements as they stand go straight to their place, pieces of them for the checks. */
static ph_status take_same(arr *out, file_stream *s, file_item item, bool swap, size_t bytes, ph_err *err) {
    size_t piece = swap || item == ITEM_BOOL ? SCRATCH : bytes;
    for (size_t at = 0; at < bytes; at += piece) {
        if (piece > bytes - at) piece = bytes - at;
        ph_status st = file_stream_take(s, out->data + at, piece, err);
        if (st == PH_OK && swap) swap_bytes((unsigned char *)out->data + at, piece, swap_width(item));
        if (st == PH_OK) st = check((unsigned char *)out->data + at, item, piece, at, s->who, err);
        if (st != PH_OK) return st;
    }
    return PH_OK;
}

static ph_status take_other(arr *out, file_stream *s, file_item item, bool swap, size_t count, ph_err *err) {
    size_t size = file_items[item].size, most = SCRATCH / size, width = arr_itemsize(file_items[item].to);
    unsigned char *scratch = ph_alloc(SCRATCH);
    ph_status st = scratch ? PH_OK : ph_fail_nomem(err, SCRATCH);
    for (size_t at = 0; st == PH_OK && at < count; at += most) {
        size_t n = count - at < most ? count - at : most;
        PH_TRY(file_stream_take(s, scratch, n * size, err));
        if (swap) swap_bytes(scratch, n * size, swap_width(item));
        PH_TRY(check(scratch, item, n, at, s->who, err));
        convert(out->data + at * width, scratch, item, n);
    }
done:
    ph_free(scratch);
    return st;
}

static bool stands_as_it_is(file_item item) { return own_item[file_items[item].to] == item; }

ph_status file_payload(arr *out, file_stream *s, file_item item, bool big, bool fortran, int ndim,
                       const int64_t *shape, ph_err *err) {
    static const int reversed[ARR_MAXDIM + 1][ARR_MAXDIM] = {{0},
                                                             {0},
                                                             {1, 0},
                                                             {2, 1, 0},
                                                             {3, 2, 1, 0},
                                                             {4, 3, 2, 1, 0},
                                                             {5, 4, 3, 2, 1, 0},
                                                             {6, 5, 4, 3, 2, 1, 0},
                                                             {7, 6, 5, 4, 3, 2, 1, 0}};
    arr a = ARR_NONE;
    int64_t stored[ARR_MAXDIM];
    bool swap = big != HOST_BIG && file_items[item].size > 1;
    ph_status st;
    for (int k = 0; k < ndim; k++) stored[k] = shape[fortran ? ndim - 1 - k : k];
    PH_TRY(arr_new(&a, file_items[item].to, ndim, stored, err));
    size_t count = (size_t)arr_size(&a);
    if (stands_as_it_is(item)) PH_TRY(take_same(&a, s, item, swap, count * file_items[item].size, err));
    else PH_TRY(take_other(&a, s, item, swap, count, err));
    if (fortran && ndim > 1) PH_TRY(arr_permute(out, &a, reversed[ndim], err));
    else *out = a, a = ARR_NONE;
done:
    arr_drop(&a);
    return st;
}

/* ---- to bytes ---------------------------------------------------------------------------------------------- */

typedef struct {
    const arr *a;
    arr_dtype as;
    char *to;
} gather;

static void gather_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    gather *g = ctx;
    arr_cast_run(g->to, g->as, 1, g->a->data + at[0] * (int64_t)arr_itemsize(g->a->dtype), g->a->dtype,
                 step[0], n);
    g->to += n * (int64_t)arr_itemsize(g->as);
}

/* n doubles to 16 bits each, over themselves. */
static void narrow(char *p, file_item item, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        double x;
        memcpy(&x, p + 8 * i, sizeof x);
        uint16_t h = item == ITEM_F16 ? ph_f64_to_f16(x) : ph_f64_to_bf16(x);
        memcpy(p + 2 * i, &h, sizeof h);
    }
}

static ph_status put(ph_writer *w, uint32_t *crc, char *data, size_t n, file_item item, ph_err *err) {
    if (HOST_BIG) swap_bytes((unsigned char *)data, n, swap_width(item));
    if (crc) *crc = file_crc(*crc, data, n);
    return w ? ph_writer_put(w, data, n, err) : ph_interrupted() ? ph_fail_interrupted(err) : PH_OK;
}

ph_status file_payload_write(ph_writer *w, uint32_t *crc, const arr *a, file_item item, ph_err *err) {
    bool half = item == ITEM_F16 || item == ITEM_BF16;
    gather g = {.a = a, .as = half ? ARR_F64 : file_items[item].to};
    int64_t size = arr_size(a), most = (int64_t)(SCRATCH / arr_itemsize(g.as));
    bool as_it_is = g.as == a->dtype && !half && arr_is_contiguous(a) && !HOST_BIG;
    ph_status st = PH_OK;
    arr_walk walk;
    if (as_it_is) return put(w, crc, a->data, (size_t)size * file_items[item].size, item, err);
    char *scratch = ph_alloc(SCRATCH);
    if (!scratch) return ph_fail_nomem(err, SCRATCH);
    arr_walk_init(&walk, a->ndim, a->shape);
    arr_walk_add(&walk, a);
    arr_walk_ready(&walk);
    for (int64_t lo = 0; lo < size && st == PH_OK; lo += most) {
        int64_t hi = size - lo < most ? size : lo + most;
        g.to = scratch;
        arr_walk_run(&walk, lo, hi, gather_run, &g);
        if (half) narrow(scratch, item, hi - lo);
        st = put(w, crc, scratch, (size_t)(hi - lo) * file_items[item].size, item, err);
    }
    ph_free(scratch);
    return st;
}
