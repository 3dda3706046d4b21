/* define.c: the words of definitions: parameters as values, positions and distances, columns and rows; see define.h. */
#include "encoding/define.h"

#include <string.h>

/* ---- arguments ----------------------------------------------------------------------------------------- */

op_val *enc_d_value(op_ctx *c, const enc_value *v) {
    if (v->value) return v->value;
    if (!v->array) return op_num(c, v->num);
    if (c->st != PH_OK) return NULL;
    arr a = arr_ref(v->array);
    return op_hold(c, &a);
}

bool enc_d_plain(const enc_value *v, const enc_param *params) {
    for (int k = 0; params && params[k].name; k++) {
        if (v[k].value) return false;
        if (v[k].fields && !enc_d_plain(v[k].fields, params[k].choices[v[k].whole].params)) return false;
    }
    return true;
}

double enc_d_number(op_ctx *c, const enc_value *v, const char *who, const char *name) {
    if (v->unknown)
        op_fail(c, PH_EARG, "%s: %s decides what is computed, so it must be the same for the whole batch",
                who, name);
    return v->num;
}

/* x NULL: what counts */
op_val *enc_d_numbers(op_ctx *c, const double *x, int64_t n) {
    arr a;
    if (c->st != PH_OK) return NULL;
    c->st = arr_new(&a, ARR_F64, 1, &n, &c->err);
    for (int64_t i = 0; c->st == PH_OK && i < n; i++) ((double *)a.data)[i] = x ? x[i] : (double)i;
    return c->st == PH_OK ? op_hold(c, &a) : NULL;
}

op_val *enc_d_count(op_ctx *c, int64_t n) { return enc_d_numbers(c, NULL, n); }

op_val *enc_d_powers(op_ctx *c, op_val *base, int64_t pairs, int64_t r) {
    op_val *exponent = op_do2(c, "mul", enc_d_count(c, pairs), op_num(c, -2));
    return op_do2(c, "pow", base, op_do2(c, "div", exponent, op_num(c, (double)r)));
}

op_val *enc_d_positions(const enc_def *d, const enc_value *list, int64_t count, const enc_value *offset) {
    op_ctx *c = d->c;
    if (d->query) return d->query;
    op_val *at = list->array || list->value ? enc_d_value(c, list) : enc_d_count(c, count);
    return offset->given ? op_do2(c, "add", at, enc_d_value(c, offset)) : at;
}

op_val *enc_d_ahead(const enc_def *d, int64_t T, int64_t keys, int64_t first, op_val **place) {
    op_ctx *c = d->c;
    op_val *rows = enc_d_column(c, enc_d_count(c, d->query ? 1 : T));
    *place = op_do2(c, "sub", enc_d_count(c, d->query ? 1 : keys), rows);
    if (d->query) return op_do2(c, "sub", d->key, d->query);
    *place = op_do2(c, "add", *place, op_num(c, (double)(T - 1)));
    return op_do2(c, "sub", enc_d_count(c, T + keys), op_num(c, (double)(first + T - 1)));
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

int64_t enc_d_size(op_ctx *c, const op_val *x, int back) {
    if (!x || c->st != PH_OK) return 0;
    const op_spec *s = op_spec_of(c, x);
    return s->shape[s->ndim - 1 - back];
}

op_val *enc_d_astype(op_ctx *c, op_val *x, arr_dtype t) {
    const op_attrs attrs = {.word = arr_dtype_name(t)};
    if (!x || c->st != PH_OK || op_spec_of(c, x)->dtype == t) return x;
    return op_do(c, "astype", &attrs, 1, &x);
}

/* Entries first, first + step, … of the dimension `back` before the last. */
static op_val *slice(op_ctx *c, op_val *x, int back, int64_t first, int64_t step, int64_t count) {
    op_attrs attrs = {0};
    if (!x || c->st != PH_OK) return NULL;
    const op_spec *s = op_spec_of(c, x);
    attrs.nints = 3 * s->ndim;
    for (int k = 0; k < s->ndim; k++) {
        bool here = k == s->ndim - 1 - back;
        int64_t triple[3] = {here ? first : 0, here ? step : 1, here ? count : s->shape[k]};
        memcpy(attrs.ints + 3 * k, triple, sizeof triple);
    }
    return op_do(c, "slice", &attrs, 1, &x);
}

op_val *enc_d_columns(op_ctx *c, op_val *x, int64_t first, int64_t step, int64_t count) {
    return slice(c, x, 0, first, step, count);
}

op_val *enc_d_rows(op_ctx *c, op_val *x, int64_t first, int64_t count, bool last_first) {
    return slice(c, x, 1, last_first ? first + count - 1 : first, last_first ? -1 : 1, count);
}

op_val *enc_d_last(op_ctx *c, op_val *x) {
    return x && c->st == PH_OK ? op_do_axis(c, "unsqueeze", x, op_spec_of(c, x)->ndim, false) : NULL;
}

op_val *enc_d_concat(op_ctx *c, op_val *a, op_val *b) {
    const op_attrs last = {.has_axis = true, .axis = -1};
    return op_do(c, "concat", &last, 2, (op_val *[]){a, b});
}

op_val *enc_d_in_turns(op_ctx *c, op_val *a, op_val *b) {
    op_attrs after = {.has_axis = true};
    if (!a || !b || c->st != PH_OK) return NULL;
    op_spec s = *op_spec_of(c, a);
    after.axis = s.ndim;
    op_val *both = op_do(c, "stack", &after, 2, (op_val *[]){a, b});
    s.shape[s.ndim - 1] *= 2;
    return op_to_shape(c, both, s.ndim, s.shape);
}

op_val *enc_d_column(op_ctx *c, op_val *x) { return op_do_axis(c, "unsqueeze", x, 1, false); }
