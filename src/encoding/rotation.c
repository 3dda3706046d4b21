/* rotation.c: checks a rotation's operands, and has rope_turn.c turn x by the tables; see rotation.h. */
#include "encoding/rotation.h"

ph_status enc_check_x(const arr *x, int64_t rotary, const char *who, ph_err *err) {
    char text[200];
    if (x->ndim < 2)
        return ph_fail(err, PH_EARG, "%s: x has shape %s; wanted (..., T, d)", who,
                       arr_shape_text(text, sizeof text, x));
    int64_t d = x->shape[x->ndim - 1];
    if (!rotary && d % 2)
        return ph_fail(err, PH_EARG, "%s: x has %lld columns; rotation needs an even number (pairs)", who,
                       (long long)d);
    if (rotary > d)
        return ph_fail(err, PH_EARG, "%s: rotary is %lld; wanted at most the %lld columns of x", who,
                       (long long)rotary, (long long)d);
    return PH_OK;
}

ph_status enc_check_positions(const enc_value *positions, int64_t T, const char *who, ph_err *err) {
    if (!positions->given) return PH_OK;
    if (!positions->array)
        return ph_fail(err, PH_EARG,
                       "%s: positions is a number; wanted an array (T); offset = %lld starts there", who,
                       (long long)positions->whole);
    if (positions->array->shape[0] != T)
        return ph_fail(err, PH_EARG, "%s: %lld positions for x with %lld rows; wanted one for each row", who,
                       (long long)positions->array->shape[0], (long long)T);
    return PH_OK;
}

double enc_position(const enc_value *positions, double offset, int64_t r) {
    const arr *list = positions->array;
    return (list ? arr_get_num(list, arr_at(list, &r)) : (double)r) + offset;
}

ph_status enc_row_positions(enc_positions *at, arr *copy, const enc_value *positions, double offset,
                            int64_t T, ph_err *err) {
    *copy = ARR_NONE;
    if (positions->given) return enc_positions_of(at, copy, positions, offset, err);
    *at = (enc_positions){.n = T, .first = offset};
    return PH_OK;
}

ph_status enc_make_table(arr *cos, arr *sin, const enc_rope_setting *s, const enc_positions *at, arr_dtype t,
                         bool inverse, ph_err *err) {
    ph_status st;
    int64_t pairs = s->r / 2;
    ph_dd *theta = NULL;
    PH_TRY(enc_new_rows(cos, t, at->n, pairs, s->who, err));
    PH_TRY(enc_new_rows(sin, t, at->n, pairs, s->who, err));
    if (!(theta = ph_calloc((uint64_t)pairs, sizeof *theta))) {
        st = ph_fail_nomem(err, (size_t)pairs * sizeof *theta);
        goto done;
    }
    enc_rope_frequencies(theta, s);
    ph_dd a = enc_rope_temperature(s);
    if (inverse) a = ph_dd_div(ph_dd_of(1), a);
    st = enc_fill(&(enc_sink){t, sin->data, cos->data, pairs, 1}, at, theta, pairs, a, err);
done:
    ph_free(theta);
    return st;
}

void enc_negate(const arr *a) {
    int64_t n = arr_size(a);
    if (a->dtype == ARR_F32)
        for (int64_t k = 0; k < n; k++) ((float *)a->data)[k] = -((float *)a->data)[k];
    else
        for (int64_t k = 0; k < n; k++) ((double *)a->data)[k] = -((double *)a->data)[k];
}

/* `to` and `from` are contiguous, the same or apart. */
static ph_status turn_rows(const arr *to, const arr *from, const arr *cos, const arr *sin, bool half,
                           ph_err *err) {
    int64_t T = to->shape[to->ndim - 2], d = to->shape[to->ndim - 1], leads = 1;
    for (int k = 0; k < to->ndim - 2; k++) leads *= to->shape[k];
    enc_turn turn = {to->dtype, to->data, from->data, cos->data, sin->data, leads, T, d, cos->shape[1], half};
    return enc_turn_rows(&turn, err);
}

ph_status enc_rotate(arr *out, const arr *x, const arr *cos, const arr *sin, bool half, ph_err *err) {
    ph_status st;
    arr flat = ARR_NONE;
    PH_TRY(arr_contiguous(&flat, x, x->dtype, err));
    PH_TRY(arr_new(out, x->dtype, x->ndim, x->shape, err));
    st = turn_rows(out, &flat, cos, sin, half, err);
done:
    arr_drop(&flat);
    return st;
}

static ph_status rotate_in_place(arr *out, const arr *x, const arr *cos, const arr *sin, bool half,
                                 ph_err *err) {
    arr_written(x);
    *out = arr_ref(x);
    return turn_rows(x, x, cos, sin, half, err);
}

/* ---- x and its tables ---------------------------------------------------------------------------------- */

enum { X, LAYOUT };

ph_status enc_rotation_run(arr *out, const enc_value *v, bool in_place, enc_tables_fn *tables, ph_err *err) {
    ph_status st;
    const arr *x = v[X].array;
    arr cos = ARR_NONE, sin = ARR_NONE;
    PH_TRY(tables(&cos, &sin, v, x->shape[x->ndim - 2], x->shape[x->ndim - 1], x->dtype, err));
    st = (in_place ? rotate_in_place : enc_rotate)(out, x, &cos, &sin, v[LAYOUT].whole == ENC_HALF, err);
done:
    arr_drop(&cos);
    arr_drop(&sin);
    return st;
}

static void plain_tables(const enc_def *d, enc_tables_fn *tables, op_val **cos, op_val **sin,
                         const op_spec *x) {
    op_ctx *c = d->c;
    arr t[2] = {ARR_NONE, ARR_NONE};
    c->st = tables(&t[0], &t[1], d->v, x->shape[x->ndim - 2], x->shape[x->ndim - 1], x->dtype, &c->err);
    if (c->st == PH_OK) *cos = op_hold(c, &t[0]);
    if (c->st == PH_OK) *sin = op_hold(c, &t[1]);
    arr_drop(&t[0]);
    arr_drop(&t[1]);
}

void enc_rotation_define(const enc_def *d, op_val **y, const enc_param *params, enc_tables_fn *tables,
                         enc_d_tables_fn *defined) {
    op_ctx *c = d->c;
    op_val *x = enc_d_value(c, &d->v[X]), *cos = NULL, *sin = NULL;
    if (!x) return;
    op_spec s = *op_spec_of(c, x);
    if (!d->query && enc_d_plain(d->v + 1, params + 1)) plain_tables(d, tables, &cos, &sin, &s);
    else defined(d, &cos, &sin, s.shape[s.ndim - 2], s.shape[s.ndim - 1]);
    y[0] = enc_d_turned(c, x, cos, sin, d->v[LAYOUT].whole == ENC_HALF);
}
