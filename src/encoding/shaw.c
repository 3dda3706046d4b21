/* shaw.c: relative positions in keys and values.
 *
 *     e_mn = q_m . (k_n + a^K_w) / sqrt(d)        z_m = Σ_n α_mn (v_n + a^V_w)        w = clip(n - m, -K, K) + K
 *
 *     table (2K+1, d)   [n-m <= -K | -K+1 | … | 0 | … | K-1 | >= K]
 *
 * Variants "bert" and "bert_query" are those of the BERT of the transformers library (relative_key, relative_key_query): rows for m - n, 2 MAX - 1
 * of them and nothing clipped, no a^V; the second also adds k_n . a_w.
 *
 *     table (2 MAX - 1, d)   [m-n = -MAX+1 | … | 0 | … | MAX-1]
 */
#include "encoding/relative.h"

#include "array/op.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { PAPER, BERT, BERT_QUERY };

#define CLIP_ROW                                                                                             \
    {                                                                                                        \
        "clip", ENC_INT, ENC_DERIVED, 0, 0, 1e9, NULL, NULL, "positions",                                    \
            "K: greater distances share the rows at the ends; left out: as far as the table goes, a "        \
            "smaller "                                                                                       \
            "one takes its middle rows"                                                                      \
    }
#define VARIANT_ROW                                                                                          \
    {                                                                                                        \
        "variant", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper bert bert_query", NULL, NULL,                     \
            "\"paper\": rows for n - m, clipped; \"bert\" (transformers' relative_key): rows for m - n, a "  \
            "distance beyond the table is an error; \"bert_query\": and k . a as well"                       \
    }
#define TABLE_ROW(columns)                                                                                   \
    {                                                                                                        \
        "table", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,                                       \
            "an array (2K+1, " columns "), or one for each head"                                             \
    }

/* ---- shaw(q, k, table, ...) ---------------------------------------------------------------------------- */

enum { Q, K, TABLE, CLIP, VARIANT, OFFSET, CONTENT };
static const enc_param params[] = {
    ENC_Q_ROW, ENC_K_ROW, TABLE_ROW("d"), CLIP_ROW, VARIANT_ROW, ENC_FIRST_ROW, ENC_CONTENT_ROW, {0},
};

/* The rows of a table that are used: count of them, from row `skip`, the first for n - m = lo. */
typedef struct {
    int64_t skip, count, lo;
    bool backward;
} rows;

static ph_status rows_of(rows *r, const char *who, const arr *table, const enc_value *clip, bool bert,
                         ph_err *err) {
    int64_t n = table->shape[table->ndim - 2], reach = n / 2;
    if (n % 2 == 0)
        return ph_fail(err, PH_EARG,
                       "%s: the table has %lld rows; wanted an odd number, 2K+1: one for the distance 0", who,
                       (long long)n);
    if (clip->given && bert)
        return ph_fail(err, PH_EARG, "%s: clip beside a variant that does not clip; leave it out", who);
    if (clip->given && clip->whole > reach)
        return ph_fail(err, PH_EARG, "%s: clip is %lld; wanted at most %lld: the table has %lld rows, 2K+1",
                       who, (long long)clip->whole, (long long)reach, (long long)n);
    int64_t k = clip->given ? clip->whole : reach;
    *r = (rows){reach - k, 2 * k + 1, -k, bert};
    return PH_OK;
}

/* first: position of query 0. T queries, S keys: the farthest are S - 1 - first ahead and first + T - 1 behind. */
static ph_status reaches_all(const rows *r, const enc_scores *s, ph_err *err) {
    int64_t ahead = s->S - 1 - s->first, behind = s->first + s->T - 1, far = ahead > behind ? ahead : behind;
    if (s->T == 0 || s->S == 0 || far <= -r->lo) return PH_OK;
    return ph_fail(
        err, PH_EARG,
        "%s: a distance of %lld is not in the table; its %lld rows reach to %lld, and nothing is clipped",
        s->who, (long long)far, (long long)r->count, (long long)-r->lo);
}

static ph_status begin(enc_scores *s, rows *r, const enc_value *v, ph_err *err) {
    enc_part table = {"table", v[TABLE].array, false, 0};
    bool bert = v[VARIANT].whole != PAPER;
    ph_status st = enc_scores_of(s, "shaw", v[Q].array, v[K].array, &v[OFFSET], &table, 1, err);
    if (st == PH_OK) st = rows_of(r, "shaw", v[TABLE].array, &v[CLIP], bert, err);
    return st == PH_OK && bert ? reaches_all(r, s, err) : st;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_scores s;
    rows r;
    arr table = ARR_NONE, by_query = ARR_NONE, by_key = ARR_NONE;
    PH_TRY(begin(&s, &r, v, err));
    const arr *q = &s.part[0], *k = &s.part[1];
    double scale = 1 / sqrt((double)s.d);
    PH_TRY(enc_scores_begin(out, &s, v[CONTENT].whole ? q : NULL, k, err));
    PH_TRY(enc_rows_of(&table, &s.part[2], r.skip, r.count, r.backward, err));
    if (v[VARIANT].whole == BERT_QUERY) {
        PH_TRY(enc_times_transposed(&by_key, k, &table, err));
        PH_TRY(enc_add_by_distance(out, &s, &(enc_by_distance){&by_key, true, r.lo}, 1, err));
    }
    PH_TRY(enc_times_transposed(&by_query, q, &table, err));
    st = enc_add_by_distance(out, &s, &(enc_by_distance){&by_query, false, r.lo}, scale, err);
done:
    enc_scores_drop(&s);
    arr_drop(&table);
    arr_drop(&by_query);
    arr_drop(&by_key);
    return st;
}

static ph_status check(const enc_value *v, ph_err *err) {
    enc_scores s;
    rows r;
    ph_status st = begin(&s, &r, v, err);
    enc_scores_drop(&s);
    return st;
}

/* The rows of the table that are used; those of n - m first. */
static op_val *rows_used(op_ctx *c, op_val *table, const enc_value *clip, bool backward, int64_t *lo) {
    int64_t reach = enc_d_size(c, table, 1) / 2, k = clip->given ? clip->whole : reach;
    *lo = -k;
    return enc_d_rows(c, table, reach - k, 2 * k + 1, backward);
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    int64_t lo;
    enc_d_scores s = enc_d_scores_of(d, &v[OFFSET]);
    op_val *a = rows_used(c, enc_d_value(c, &v[TABLE]), &v[CLIP], v[VARIANT].whole != PAPER, &lo);
    op_val *sum = enc_d_by_distance(&s, enc_d_dot(c, s.q, a), lo, false);
    if (v[VARIANT].whole == BERT_QUERY)
        sum = op_do2(c, "add", sum, enc_d_by_distance(&s, enc_d_dot(c, s.k, a), lo, true));
    y[0] = enc_d_over_root(c, enc_d_content(&s, sum, v[CONTENT].whole), s.d);
}

/* ---- shaw_values(weights, v, table, ...) --------------------------------------------------------------- */

enum { V_WEIGHTS, V_V, V_TABLE, V_CLIP, V_OFFSET };
static const enc_param value_params[] = {
    {"weights", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (..., T, S): the softmax of the scores"},
    {"v", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (..., S, dv) of values; their heads as those of keys in shaw"},
    TABLE_ROW("dv"),
    CLIP_ROW,
    ENC_FIRST_ROW,
    {0},
};

typedef struct {
    const arr *weights, *out; /* contiguous (…, T, S) and (…, T, R), of one dtype */
    int64_t T, S, first;
    const rows *r;
} gatherer;

/* Sums of eight interleaved parts: the same at every width of vectors. */
#define SUM_ROW(NAME, TYPE)                                                                                  \
    static TYPE NAME##_end(const TYPE *x, int64_t n) {                                                       \
        TYPE part[8] = {0};                                                                                  \
        int64_t k = 0;                                                                                       \
        for (; k + 8 <= n; k += 8)                                                                           \
            for (int j = 0; j < 8; j++) part[j] += x[k + j];                                                 \
        for (int j = 0; k + j < n; j++) part[j] += x[k + j];                                                 \
        return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));    \
    }                                                                                                        \
    /* out[w]: the weights of the keys whose column is w; key first + w has column w */                      \
    static void NAME(TYPE *out, const TYPE *weight, int64_t S, int64_t first, int64_t count) {               \
        int64_t left = enc_clamp(first + 1, 0, S), right = enc_clamp(first + count - 1, left, S);            \
        memset(out, 0, (size_t)count * sizeof *out);                                                         \
        out[0] = NAME##_end(weight, left);                                                                   \
        if (right > left) memcpy(out + (left - first), weight + left, (size_t)(right - left) * sizeof *out); \
        if (count > 1) out[count - 1] = NAME##_end(weight + right, S - right);                               \
    }
SUM_ROW(sum_row_f32, float)
SUM_ROW(sum_row_f64, double)

static void sum_row(void *ctx, int64_t i) {
    const gatherer *g = ctx;
    int64_t first = g->first + i % g->T + g->r->lo; /* the key of column 0 */
    if (g->out->dtype == ARR_F32)
        sum_row_f32((float *)g->out->data + i * g->r->count, (const float *)g->weights->data + i * g->S, g->S,
                    first, g->r->count);
    else
        sum_row_f64((double *)g->out->data + i * g->r->count, (const double *)g->weights->data + i * g->S,
                    g->S, first, g->r->count);
}

static ph_status check_values(const arr *weights, const arr *v, const arr *table, ph_err *err) {
    char a[200], b[200], c[200];
    int n;
    int64_t lead[ARR_MAXDIM];
    if (weights->ndim < 2 || v->ndim < 2 || table->ndim < 2 ||
        weights->shape[weights->ndim - 1] != v->shape[v->ndim - 2] ||
        table->shape[table->ndim - 1] != v->shape[v->ndim - 1])
        return ph_fail(
            err, PH_EARG,
            "shaw_values: weights have shape %s, v %s and table %s; wanted (..., T, S), (..., S, dv) and "
            "(2K+1, dv)",
            arr_shape_text(a, sizeof a, weights), arr_shape_text(b, sizeof b, v),
            arr_shape_text(c, sizeof c, table));
    arr each = *v;
    if (enc_group_of(weights->shape, weights->ndim, v->shape, v->ndim) > 1)
        each.shape[v->ndim - 3] = weights->shape[weights->ndim - 3];
    return enc_lead_shape(&n, lead, (const arr *const[]){weights, &each, table}, 3, "shaw_values", err);
}

static ph_status run_values(arr *out, const enc_value *a, ph_err *err) {
    ph_status st;
    const arr *table = a[V_TABLE].array;
    arr v = arr_ref(a[V_V].array), weights = ARR_NONE, sums = ARR_NONE, used = ARR_NONE, content = ARR_NONE,
        position = ARR_NONE;
    rows r;
    PH_TRY(check_values(a[V_WEIGHTS].array, &v, table, err));
    PH_TRY(enc_share_heads(&v, a[V_WEIGHTS].array, err));
    PH_TRY(arr_contiguous(&weights, a[V_WEIGHTS].array, a[V_WEIGHTS].array->dtype, err));
    int n = weights.ndim;
    int64_t shape[ARR_MAXDIM], T = weights.shape[n - 2], S = weights.shape[n - 1];
    int64_t first = a[V_OFFSET].given ? a[V_OFFSET].whole : S - T;
    PH_TRY(rows_of(&r, "shaw_values", table, &a[V_CLIP], false, err));
    memcpy(shape, weights.shape, sizeof shape);
    shape[n - 1] = r.count;
    PH_TRY(arr_new(&sums, weights.dtype, n, shape, err));
    gatherer g = {&weights, &sums, T, S, first, &r};
    PH_TRY(ph_parallel(sum_row, &g, arr_size(&sums) / r.count, err));
    PH_TRY(enc_rows_of(&used, table, r.skip, r.count, false, err));
    PH_TRY(op_call2(&content, "matmul", &weights, &v, err));
    PH_TRY(op_call2(&position, "matmul", &sums, &used, err));
    st = op_call2(out, "add", &content, &position, err);
done:
    arr_drop(&v);
    arr_drop(&weights);
    arr_drop(&sums);
    arr_drop(&used);
    arr_drop(&content);
    arr_drop(&position);
    return st;
}

static ph_status check_value_call(const enc_value *a, ph_err *err) {
    rows r;
    ph_status st = check_values(a[V_WEIGHTS].array, a[V_V].array, a[V_TABLE].array, err);
    if (st != PH_OK) return st;
    return rows_of(&r, "shaw_values", a[V_TABLE].array, &a[V_CLIP], false, err);
}

static void define_values(const enc_def *d, op_val **y) {
    const op_attrs rows_axis = {.has_axis = true, .axis = -2};
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    int64_t lo;
    op_val *weights = enc_d_value(c, &v[V_WEIGHTS]);
    op_val *a = rows_used(c, enc_d_value(c, &v[V_TABLE]), &v[V_CLIP], false, &lo);
    int64_t T = enc_d_size(c, weights, 1), S = enc_d_size(c, weights, 0), last = -2 * lo;
    int64_t first = v[V_OFFSET].given ? v[V_OFFSET].whole : S - T;
    op_val *m = op_do2(c, "add", enc_d_column(c, enc_d_count(c, T)), op_num(c, (double)(first + lo)));
    op_val *at = op_do2(c, "maximum", op_do2(c, "sub", enc_d_count(c, S), m), op_num(c, 0));
    at = op_do2(c, "minimum", at, op_num(c, (double)last));
    a = op_do(c, "take", &rows_axis, 2, (op_val *[]){a, at}); /* (..., T, S, dv) */
    op_val *position = op_do_axis(c, "sum", op_do2(c, "mul", enc_d_last(c, weights), a), -2, false);
    y[0] =
        op_do2(c, "add", op_do2(c, "matmul", weights, enc_d_share_heads(c, weights, enc_d_value(c, &v[V_V]))),
               position);
}

static const enc_function functions[] = {
    {"shaw", "Scores (..., T, S) with relative keys: q_m . (k_n + a_(n-m)) / sqrt(d).",
     "Distances n - m beyond K share the rows at the ends of the table. Only 2K+1 products are made with "
     "each query, never a vector for each pair of positions. Softmax of it gives the weights; shaw_values "
     "the output. NaN stays where it was given.\n"
     "attention(q, k, v, {bias=shaw(q, k, table, {content=false})}) is the same without a^V.",
     "q = ones(3, 4)\ntable = reshape(range(1, 3), 3, 1) * ones(1, 4)\n"
     "shaw(q, 0*q, table)[2]:totable()  --> {2.0, 4.0, 6.0}\n"
     "shaw(q, q, table, {variant=\"bert\"})  --> error: a distance of 2 is not\n"
     "shaw(q, q, ones(4, 4))  --> error: the table has 4 rows; wanted an odd",
     params, 1, run, check, define},
    {"shaw_values", "Outputs (..., T, dv) with relative values: sum of weights (v_n + a_(n-m)).",
     "The weights of keys that share a row of the table are added up first. The table is that of the values, "
     "a^V, with rows as in shaw.",
     "a = {{1, 0}, {0.5, 0.5}}\nshaw_values(a, zeros(2, 1), {{1}, {2}, {3}}):totable()  --> {{2.0}, {1.5}}",
     value_params, 1, run_values, check_value_call, define_values},
    {0},
};

const enc_encoding enc_shaw = {
    .name = "shaw",
    .title = {"relative keys and values", "相对位置的键与值"},
    .citation = "Shaw, Uszkoreit, Vaswani, Self-Attention with Relative Position Representations (2018), "
                "arXiv:1803.02155.",
    .kind = ENC_RELATIVE,
    .layout = "table (2K+1, d): [n-m <= -K | ... | 0 | ... | >= K]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "Q, K, learned(9, d)\n"
              "bert: Q, K, learned(2*T - 1, d), {variant=\"bert\"}\n"
              "bert_query: Q, K, learned(2*T - 1, d), {variant=\"bert_query\"}",
    .model = "Q, K, learned(2 * 16 + 1, d)",
};
