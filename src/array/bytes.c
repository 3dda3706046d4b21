/* bytes.c: 'A', type, number of dimensions, sizes, elements. */
#include "array/bytes.h"

#include <string.h>

void arr_put_bytes(ph_text *t, const arr *a) {
    ph_put(t, (const char[]){'A', (char)a->dtype, (char)a->ndim}, 3);
    ph_put(t, (const char *)a->shape, (size_t)a->ndim * sizeof *a->shape);
    ph_put(t, a->data, (size_t)arr_size(a) * arr_itemsize(a->dtype));
}

/* Bytes that are no bool are true, and no byte but 0 and 1 is written. */
static void mend_bools(arr *a) {
    if (a->dtype != ARR_BOOL) return;
    for (int64_t i = 0, n = arr_size(a); i < n; i++) a->data[i] = a->data[i] != 0;
}

ph_status arr_of_bytes(arr *out, ph_bytes *b, ph_err *err) {
    unsigned char head[3] = {0};
    int64_t shape[ARR_MAXDIM];
    bool ok = ph_take(b, head, 3) && head[0] == 'A' && head[1] < ARR_NDTYPE && head[2] <= ARR_MAXDIM &&
              ph_take(b, shape, head[2] * sizeof *shape);
    size_t room = ok ? arr_itemsize((arr_dtype)head[1]) : 0;
    for (int i = 0; ok && i < head[2]; i++)
        ok = shape[i] >= 0 && ph_mul_size(&room, room, (uint64_t)shape[i]);
    if (!ok || room > b->n) return ph_fail(err, PH_EARG, "these bytes are no array");
    ph_status st = arr_new(out, (arr_dtype)head[1], head[2], shape, err);
    if (st != PH_OK) return st;
    if (room) (void)ph_take(b, out->data, room);
    mend_bools(out);
    return PH_OK;
}
