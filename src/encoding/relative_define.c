/* relative_define.c: what the definitions of relative scores have in common. */
#include "encoding/relative.h"

op_val *enc_d_dot(op_ctx *c, op_val *a, op_val *b) { return op_do2(c, "matmul", a, op_swap(c, b)); }

op_val *enc_d_vector(op_ctx *c, op_val *v) {
    if (!v || c->st != PH_OK || op_spec_of(c, v)->ndim < 2) return v;
    return op_do_axis(c, "unsqueeze", v, op_spec_of(c, v)->ndim - 1, false);
}

op_val *enc_d_over_root(op_ctx *c, op_val *x, int64_t n) {
    return op_do2(c, "div", x, op_do1(c, "sqrt", op_num(c, (double)n)));
}

op_val *enc_d_content(const enc_d_scores *s, op_val *sum, bool content) {
    return content ? op_do2(s->c, "add", enc_d_dot(s->c, s->q, s->k), sum) : sum;
}

op_val *enc_d_by_index(const enc_d_scores *s, op_val *columns, op_val *index, bool of_keys) {
    const op_attrs last = {.has_axis = true, .axis = -1};
    op_ctx *c = s->c;
    if (!columns || c->st != PH_OK) return NULL;
    op_spec z = *op_spec_of(c, columns);
    int64_t R = z.shape[z.ndim - 1], rows = z.shape[z.ndim - 2];
    op_val *row = enc_d_count(c, rows);
    if (!of_keys) row = enc_d_column(c, row);
    z.shape[z.ndim - 2] = rows * R;
    op_val *flat = op_do_ints(c, "reshape", columns, z.ndim - 1, z.shape);
    op_val *at = op_do2(c, "add", op_do2(c, "mul", row, op_num(c, (double)R)), index);
    return op_do(c, "take", &last, 2, (op_val *[]){flat, at});
}

op_val *enc_d_by_distance(const enc_d_scores *s, op_val *columns, int64_t lo, bool of_keys) {
    op_ctx *c = s->c;
    op_val *at = op_do2(c, "sub", op_do2(c, "sub", s->n, s->m), op_num(c, (double)lo));
    at = op_do2(c, "maximum", at, op_num(c, 0));
    at = op_do2(c, "minimum", at, op_num(c, (double)(enc_d_size(c, columns, 0) - 1)));
    return enc_d_by_index(s, columns, at, of_keys);
}

enc_d_xl enc_d_xl_of(const enc_def *d) {
    const enc_value *v = d->v;
    op_ctx *c = d->c;
    op_val *w = enc_d_value(c, &v[ENC_XL_W]);
    return (enc_d_xl){.W = w,
                      .u = enc_d_value(c, &v[ENC_XL_U]),
                      .v = enc_d_value(c, &v[ENC_XL_V]),
                      .base = enc_d_value(c, &v[ENC_XL_BASE]),
                      .waves = {enc_d_size(c, w, 1), 0, true, false},
                      .clamp = v[ENC_XL_CLAMP].whole,
                      .content = v[ENC_XL_CONTENT].whole,
                      .scaled = true};
}

/* R_t, a row for each distance, in the order of n - m. */
static op_val *waves_of(const enc_d_scores *s, const enc_d_xl *x, op_val **place) {
    op_ctx *c = s->c;
    op_val *t = enc_d_ahead(s->def, s->T, s->S, s->first, place);
    if (!x->ahead) t = op_do1(c, "neg", t);
    if (x->clamp) {
        t = op_do2(c, "minimum", t, op_num(c, (double)x->clamp));
        t = op_do2(c, "maximum", t, op_num(c, -(double)x->clamp));
    }
    return enc_d_waves(c, &x->waves, x->base, t);
}

op_val *enc_d_xl_scores(const enc_d_scores *s, const enc_d_xl *x) {
    op_ctx *c = s->c;
    op_val *place, *R = waves_of(s, x, &place);
    if (x->W) R = op_do2(c, "matmul", R, x->W);
    op_val *columns = enc_d_dot(c, op_do2(c, "add", s->q, enc_d_vector(c, x->v)), R);
    op_val *sum = enc_d_by_index(s, columns, place, false);
    if (x->more) sum = op_do2(c, "add", x->more, sum);
    if (x->content) {
        op_val *left = op_do2(c, "add", s->q, enc_d_vector(c, x->u));
        sum = op_do2(c, "add", enc_d_dot(c, left, s->k), sum);
    }
    return x->scaled ? enc_d_over_root(c, sum, s->d) : sum;
}
