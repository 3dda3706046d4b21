/* rules.c: the rotation of pairs as an operation, and how it differentiates.
 *
 *     y_a = x_a c - x_b s     y_b = x_a s + x_b c        (see rope_turn.h)
 *
 * It is linear in x, and its transpose is the rotation by the same angles backwards: gx is one rotation of g.
 */
#include <string.h>

#include "array/rule.h"
#include "encoding/define.h"
#include "encoding/rotation.h"

static bool is_half(const op_attrs *attrs) { return attrs->word && strcmp(attrs->word, "half") == 0; }

/* ---- the row: x (..., T, d), cos and sin (T, pairs); the attributes' word is the layout ---------------------------- */

static ph_status turn_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                            ph_err *err) {
    (void)n, (void)attrs;
    char a[200], b[200], c[200];
    const arr *x = &in[0], *cos = &in[1], *sin = &in[2];
    bool fits = x->ndim >= 2 && cos->ndim == 2 && arr_same_shape(cos, sin) && x->dtype == cos->dtype &&
                x->dtype == sin->dtype && (x->dtype == ARR_F64 || x->dtype == ARR_F32);
    if (!fits || cos->shape[0] != x->shape[x->ndim - 2] || 2 * cos->shape[1] > x->shape[x->ndim - 1])
        return ph_fail(err, PH_EARG, "%s: x has shape %s, cos %s and sin %s, %s and %s; no rotation of rows",
                       self->name, arr_shape_text(a, sizeof a, x), arr_shape_text(b, sizeof b, cos),
                       arr_shape_text(c, sizeof c, sin), arr_dtype_name(x->dtype),
                       arr_dtype_name(cos->dtype));
    *out = (op_spec){.dtype = x->dtype, .ndim = x->ndim};
    memcpy(out->shape, x->shape, sizeof out->shape);
    return PH_OK;
}

static ph_status turn(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs, ph_err *err) {
    (void)self, (void)n;
    ph_status st;
    arr x = ARR_NONE, cos = ARR_NONE, sin = ARR_NONE;
    PH_TRY(arr_contiguous(&x, &in[0], in[0].dtype, err));
    PH_TRY(arr_contiguous(&cos, &in[1], in[1].dtype, err));
    PH_TRY(arr_contiguous(&sin, &in[2], in[2].dtype, err));
    int64_t leads = 1;
    for (int k = 0; k < x.ndim - 2; k++) leads *= x.shape[k];
    st = enc_turn_rows(&(enc_turn){x.dtype, out->data, x.data, cos.data, sin.data, leads, x.shape[x.ndim - 2],
                                   x.shape[x.ndim - 1], cos.shape[1], is_half(attrs)},
                       err);
done:
    arr_drop(&x);
    arr_drop(&cos);
    arr_drop(&sin);
    return st;
}

#define TURN "rotation of pairs"

const op enc_ops[] = {
    {.name = TURN,
     .min_in = 3,
     .max_in = 3,
     .n_out = 1,
     .sig = OP_SIG_OTHER,
     .flags = OP_SMOOTH | OP_INNER,
     .shape = turn_shape,
     .forward = turn},
};
const int enc_nops = sizeof enc_ops / sizeof *enc_ops;

op_val *enc_d_turned(op_ctx *c, op_val *x, op_val *cos, op_val *sin, bool half) {
    if (!x || c->st != PH_OK) return NULL;
    const op_attrs attrs = {.word = half ? "half" : "interleaved"};
    arr_dtype t = op_spec_of(c, x)->dtype;
    return op_do(c, TURN, &attrs, 3, (op_val *[]){x, enc_d_astype(c, cos, t), enc_d_astype(c, sin, t)});
}

/* ---- what it is in operations ---------------------------------------------------------------------------- */

enc_d_pair enc_d_pairs_of(op_ctx *c, op_val *x, int64_t n, bool half) {
    if (half) return (enc_d_pair){enc_d_columns(c, x, 0, 1, n), enc_d_columns(c, x, n, 1, n)};
    return (enc_d_pair){enc_d_columns(c, x, 0, 2, n), enc_d_columns(c, x, 1, 2, n)};
}

static op_val *mul(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "mul", x, y); }
static op_val *add(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "add", x, y); }
static op_val *sub(op_ctx *c, op_val *x, op_val *y) { return op_do2(c, "sub", x, y); }

static void turn_define(op_ctx *c, const op_use *u, op_val **y) {
    const op_spec *x = &u->sx[0];
    bool half = is_half(u->attrs);
    int64_t n = u->sx[1].shape[1], d = x->shape[x->ndim - 1];
    op_val *cos = u->x[1], *sin = u->x[2];
    enc_d_pair p = enc_d_pairs_of(c, u->x[0], n, half);
    op_val *first = sub(c, mul(c, p.a, cos), mul(c, p.b, sin));
    op_val *second = add(c, mul(c, p.b, cos), mul(c, p.a, sin));
    y[0] = half ? enc_d_concat(c, first, second) : enc_d_in_turns(c, first, second);
    if (2 * n < d) y[0] = enc_d_concat(c, y[0], enc_d_columns(c, u->x[0], 2 * n, 1, d - 2 * n));
}

/* ---- its derivative -------------------------------------------------------------------------------------- */

static void turn_vjp(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx) {
    bool half = is_half(u->attrs);
    int64_t n = u->sx[1].shape[1];
    if (u->wants[0]) gx[0] = enc_d_turned(c, g[0], u->x[1], op_do1(c, "neg", u->x[2]), half);
    if (!u->wants[1] && !u->wants[2]) return;
    enc_d_pair p = enc_d_pairs_of(c, u->x[0], n, half), h = enc_d_pairs_of(c, g[0], n, half);
    if (u->wants[1]) gx[1] = op_fit(c, add(c, mul(c, h.a, p.a), mul(c, h.b, p.b)), &u->sx[1]);
    if (u->wants[2]) gx[2] = op_fit(c, sub(c, mul(c, h.b, p.a), mul(c, h.a, p.b)), &u->sx[2]);
}

/* A batch of x is one more stack of rows; tables of their own come one by one. */
static void turn_batch(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y) {
    if (batched[1] || batched[2]) op_batch_each(c, u, batched, size, y);
    else op_do_all(c, TURN, u->attrs, u->n, u->x, y);
}

const op_rule enc_rules[] = {
    {.name = TURN,
     .vjp = turn_vjp,
     .batch = turn_batch,
     .define = turn_define,
     .drop = OP_DROP_Y,
     .mutual = true},
};
const int enc_nrules = sizeof enc_rules / sizeof *enc_rules;
