/* view.c: other ways to look at the same storage: slices, reshapes, permutations, broadcasts. */
#include "array/loop.h"

#include <stdio.h>
#include <string.h>

static void move_data(arr *a, int64_t elements) { a->data += elements * (int64_t)arr_itemsize(a->dtype); }

static bool range_fits(const arr_range *r, int64_t size) {
    if (r->count < 0 || (r->drop && r->count != 1)) return false;
    if (r->count == 0) return true;
    int64_t reach, last;
    if (__builtin_mul_overflow(r->count - 1, r->step, &reach) ||
        __builtin_add_overflow(r->first, reach, &last))
        return false;
    return r->first >= 0 && r->first < size && last >= 0 && last < size;
}

ph_status arr_slice(arr *out, const arr *a, int n, const arr_range *r, ph_err *err) {
    *out = ARR_NONE;
    if (n < 0 || n > a->ndim)
        return ph_fail(err, PH_EARG, "%d indices into an array of %d dimensions", n, a->ndim);
    for (int i = 0; i < n; i++)
        if (!range_fits(&r[i], a->shape[i]))
            return ph_fail(err, PH_EARG,
                           "slice of %lld elements from offset %lld by %lld; dimension %d has size %lld",
                           (long long)r[i].count, (long long)r[i].first, (long long)r[i].step, i + 1,
                           (long long)a->shape[i]);
    arr v = *a;
    v.ndim = 0;
    for (int i = 0; i < a->ndim; i++) {
        arr_range whole = {0, 1, a->shape[i], false};
        const arr_range *q = i < n ? &r[i] : &whole;
        if (q->count > 0) move_data(&v, q->first * a->stride[i]);
        if (q->drop) continue;
        v.shape[v.ndim] = q->count;
        v.stride[v.ndim++] = q->count > 1 ? q->step * a->stride[i] : a->stride[i];
    }
    *out = arr_ref(&v);
    return PH_OK;
}

/* Fills in a single -1 and checks the count of elements. */
static ph_status resolve_shape(int64_t *to, const arr *a, int ndim, const int64_t *shape, ph_err *err) {
    char from[200], want[200];
    size_t count;
    int64_t known[ARR_MAXDIM];
    int free_at = -1, m = 0;
    if (ndim < 0 || ndim > ARR_MAXDIM)
        return ph_fail(err, PH_EARG, "a shape of %d dimensions; wanted 0 to %d", ndim, ARR_MAXDIM);
    for (int i = 0; i < ndim; i++) {
        to[i] = shape[i];
        if (shape[i] != -1) known[m++] = shape[i];
        else if (free_at < 0) free_at = i;
        else return ph_fail(err, PH_EARG, "a shape may leave one size open with -1; two are open");
    }
    int64_t size = arr_size(a);
    bool fits = ph_shape_bytes(&count, known, m, 1);
    if (fits && free_at >= 0) {
        fits = count > 0 && size % (int64_t)count == 0;
        if (fits) to[free_at] = size / (int64_t)count;
    } else if (fits) {
        fits = (int64_t)count == size;
    }
    if (fits) return PH_OK;
    return ph_fail(err, PH_EARG, "%s has %lld elements; shape %s does not hold that many",
                   arr_shape_text(from, sizeof from, a), (long long)size,
                   arr_dims_text(want, sizeof want, ndim, shape));
}

/* Strides that show `a` in shape `to` without copying: each group of old dimensions must be contiguous in
 * itself and split into whole new ones. Old: (6, 4) strides (8, 2), new: (2, 3, 4) strides (24, 8, 2). */
static bool reshape_strides(int64_t *stride, const arr *a, int ndim, const int64_t *to) {
    int n = 0, i = 0, j = 0;
    int64_t shape[ARR_MAXDIM], old[ARR_MAXDIM];
    for (int d = 0; d < a->ndim; d++)
        if (a->shape[d] != 1) {
            shape[n] = a->shape[d];
            old[n++] = a->stride[d];
        }
    while (i < n) {
        int ii = i + 1, jj = j + 1;
        int64_t have = shape[i], want = to[j];
        while (have != want)
            if (have < want) have *= shape[ii++];
            else want *= to[jj++];
        for (int k = i; k + 1 < ii; k++)
            if (old[k] != shape[k + 1] * old[k + 1]) return false;
        stride[jj - 1] = old[ii - 1];
        for (int k = jj - 1; k > j; k--) stride[k - 1] = stride[k] * to[k];
        i = ii;
        j = jj;
    }
    for (; j < ndim; j++) stride[j] = 1; /* only 1s are left */
    return true;
}

ph_status arr_reshape(arr *out, const arr *a, int ndim, const int64_t *shape, ph_err *err) {
    int64_t to[ARR_MAXDIM], stride[ARR_MAXDIM];
    *out = ARR_NONE;
    ph_status st = resolve_shape(to, a, ndim, shape, err);
    if (st != PH_OK) return st;
    if (arr_size(a) == 0) {
        *out = arr_ref(a);
        arr_set_shape(out, ndim, to);
    } else if (reshape_strides(stride, a, ndim, to)) {
        *out = arr_ref(a);
        out->ndim = ndim;
        for (int i = 0; i < ndim; i++) {
            out->shape[i] = to[i];
            out->stride[i] = stride[i];
        }
    } else {
        st = arr_convert(out, a, a->dtype, err);
        if (st == PH_OK) arr_set_shape(out, ndim, to);
    }
    return st;
}

ph_status arr_permute(arr *out, const arr *a, const int *perm, ph_err *err) {
    bool seen[ARR_MAXDIM] = {false};
    *out = ARR_NONE;
    for (int i = 0; i < a->ndim; i++) {
        if (perm[i] < 0 || perm[i] >= a->ndim || seen[perm[i]])
            return ph_fail(err, PH_EARG, "not a permutation of the %d dimensions", a->ndim);
        seen[perm[i]] = true;
    }
    *out = arr_ref(a);
    for (int i = 0; i < a->ndim; i++) {
        out->shape[i] = a->shape[perm[i]];
        out->stride[i] = a->stride[perm[i]];
    }
    return PH_OK;
}

/* ---- broadcasting -------------------------------------------------------------------------------------- */

/* Sizes align at the last dimension; each pair is equal, or one of them is 1 and stretches. */
ph_status arr_broadcast_shape(int *ndim, int64_t *shape, const arr *const *in, int n, const char *who,
                              ph_err *err) {
    char sofar[200], other[200];
    int m = 0;
    for (int k = 0; k < n; k++)
        if (in[k]->ndim > m) m = in[k]->ndim;
    for (int i = 0; i < m; i++) shape[i] = 1;
    for (int k = 0; k < n; k++) {
        int lead = m - in[k]->ndim;
        for (int i = lead; i < m; i++) {
            int64_t size = in[k]->shape[i - lead];
            if (size == 1 || size == shape[i]) continue;
            if (shape[i] != 1) {
                const char *first = n == 2 ? arr_shape_text(sofar, sizeof sofar, in[0])
                                           : arr_dims_text(sofar, sizeof sofar, m, shape);
                return ph_fail(
                    err, PH_EARG,
                    "%s: shapes %s and %s do not match; counted from the last dimension, sizes must be equal "
                    "or 1",
                    who, first, arr_shape_text(other, sizeof other, in[k]));
            }
            shape[i] = size;
        }
    }
    *ndim = m;
    return PH_OK;
}

ph_status arr_broadcast_to(arr *out, const arr *a, int ndim, const int64_t *shape, ph_err *err) {
    char from[200], want[200];
    size_t bytes;
    *out = ARR_NONE;
    ph_status st = arr_check_shape(&bytes, a->dtype, ndim, shape, err);
    if (st != PH_OK) return st;
    int lead = ndim - a->ndim;
    bool fits = lead >= 0;
    for (int i = 0; fits && i < a->ndim; i++) fits = a->shape[i] == 1 || a->shape[i] == shape[i + lead];
    if (!fits)
        return ph_fail(err, PH_EARG, "shape %s does not stretch to %s", arr_shape_text(from, sizeof from, a),
                       arr_dims_text(want, sizeof want, ndim, shape));
    *out = arr_ref(a);
    out->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        bool same = i >= lead && a->shape[i - lead] == shape[i];
        out->shape[i] = shape[i];
        out->stride[i] = same ? a->stride[i - lead] : 0;
    }
    return PH_OK;
}

ph_status arr_axis(int *axis, int ndim, int given, int base, const char *who, ph_err *err) {
    int at = given < 0 ? given + ndim : given;
    if (at < 0 || at >= ndim)
        return ph_fail(err, PH_EARG, "%s: axis is %d; the array has %d dimension%s", who,
                       given < 0 ? given : given + base, ndim, ndim == 1 ? "" : "s");
    *axis = at;
    return PH_OK;
}
