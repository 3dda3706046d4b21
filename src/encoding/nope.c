/* nope.c: no position encoding: a causal mask is all that breaks the symmetry of attention.
 *
 *     bias[m, n] = 0 for n <= m, -inf for n > m
 */
#include "encoding/bias.h"

#include <math.h>

enum { T, SPAN };

static const enc_param params[] = {
    {"T", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "queries", "how many positions"},
    ENC_SPAN_ROWS,
    {0},
};

static double value(const void *ctx, int64_t head, int64_t distance) {
    (void)ctx, (void)head;
    return distance < 0 ? -INFINITY : 0;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    arr heads = ARR_NONE;
    enc_span s = enc_span_of("nope", 1, v[T].whole, v + SPAN);
    PH_TRY(enc_fill_bias(&heads, &s, value, NULL, err));
    st = arr_reshape(out, &heads, 2, (int64_t[]){s.queries, s.keys}, err);
done:
    arr_drop(&heads);
    return st;
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    enc_d_span at = enc_d_span_of(d, d->v[T].whole, d->v + SPAN);
    op_val *seen = op_do2(c, "le", at.n, at.m);
    op_val *bias = op_do3(c, "where", seen, op_num(c, 0), op_num(c, -INFINITY));
    y[0] = enc_d_astype(c, bias, d->v[SPAN + ENC_SPAN_DTYPE].whole ? ARR_F32 : ARR_F64);
}

static const enc_function functions[] = {
    {"nope", "No position encoding: the causal mask as a score bias (T, keys).",
     "0 where the key is not after the query, -inf where it is; all heads are alike. Query m is position "
     "offset, offset+1, ...; key n is 0, 1, ... With it attention still tells first from last: a token sees "
     "how many come before it.",
     "nope(2):totable()  --> {{0.0, -inf}, {0.0, 0.0}}\nnope(1, {offset=2}):totable()  --> {{0.0, 0.0, "
     "0.0}}\n"
     "nope(-1)  --> error: T is -1",
     params, 1, run, NULL, define},
    {0},
};

const enc_encoding enc_nope = {
    .name = "nope",
    .title = {"no position encoding", "无位置编码"},
    .citation = "Kazemnejad et al., The Impact of Positional Encoding on Length Generalization in "
                "Transformers (2023), arXiv:2305.19466; Haviv et al. (2022), arXiv:2203.16634.",
    .kind = ENC_BIAS,
    .layout = "(T, keys)",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED | ENC_IS_DECAYING,
    .claims = {"over the keys that are seen", "就看得见的键而言"},
    .functions = functions,
    .sample = "T",
    .model = "",
};
