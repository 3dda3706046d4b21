/* cope.c: positions counted by content: how many of the tokens between key and query a gate lets through.
 *
 *     p_mn = Σ_{j=n..m} g_mj        score of a key n <= m: q_m . k_n + q_m . e(p_mn), scaled as below
 *     e(p): row p of the table, between rows by a straight line, beyond the last row the last
 *
 *     p counts from the query back:   key   m    m-1      m-2          …
 *                                     p    g_mm  g_mm+g_m,m-1  + g_m,m-2  …
 *
 * Variant "paper": g_mj = σ(q_m . k_j), the whole score over sqrt(d).
 * Variant "code":  g_mj = σ(q_m . k_j / sqrt(d)), and q . e is not divided.
 * Keys after the query never count: their gates are closed, and their score is -inf.
 */
#include "encoding/relative.h"

#include <math.h>

#include "array/vmath.h"
#include "base/parallel.h"

enum { Q, K, TABLE, VARIANT, OFFSET, CONTENT };
enum { PAPER, CODE };

static const enc_param params[] = {
    ENC_Q_ROW,
    ENC_K_ROW,
    {"table", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (N, d), or one for each head: its rows are the positions 0, 1, ..., N-1"},
    {"variant", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper code", NULL, NULL,
     "\"paper\": gates of q.k, everything over sqrt(d); \"code\" (as published with it): gates of "
     "q.k/sqrt(d), q.e not divided"},
    ENC_FIRST_ROW,
    ENC_CONTENT_ROW,
    {0},
};

static ph_status begin(enc_scores *s, const enc_value *v, ph_err *err) {
    char text[200];
    const arr *table = v[TABLE].array;
    const enc_part part = {"table", table, false, 0};
    ph_status st = enc_scores_of(s, "cope", v[Q].array, v[K].array, &v[OFFSET], &part, 1, err);
    if (st != PH_OK || table->shape[table->ndim - 2] > 0) return st;
    return ph_fail(err, PH_EARG, "cope: table has shape %s; wanted at least one row",
                   arr_shape_text(text, sizeof text, table));
}

/* What multiplies q.k inside the gate, q.k and q.e in the score. */
typedef struct {
    double gate, content, position;
} scales;
static scales scales_of(const enc_value *v, int64_t d) {
    double r = 1 / sqrt((double)d);
    bool code = v[VARIANT].whole == CODE;
    return (scales){code ? r : 1, v[CONTENT].whole ? r : 0, code ? 1 : r};
}

/* ---- the kernel: q.k for all pairs and q.e for all rows by products, then a walk back from each query ---- */

#define ROWS 16

typedef struct {
    const enc_scores *s;
    const arr *out;
    arr entry; /* q.e, broadcast to (lead, T, N) */
    int64_t N, pieces;
    scales by;
} walker;

#define CHUNK 256

/* Gates of the keys n .. n+count-1; e^-x may be inf, and the gate 0. */
#define WALK(NAME, TYPE)                                                                                     \
    static void NAME##_gates(double *g, const TYPE *logit, int64_t count, double scale) {                    \
        for (int64_t j = 0; j < count; j++) g[j] = -scale * (double)logit[j];                                \
        arr_vexp_f64(g, g, count);                                                                           \
        for (int64_t j = 0; j < count; j++) g[j] = 1 / (1 + g[j]);                                           \
    }                                                                                                        \
    static double NAME##_entry(const TYPE *entry, int64_t step, int64_t N, double p) {                       \
        double last = (double)(N - 1), at = p < last ? p : last, below = floor(at), part = at - below;       \
        const TYPE *e = entry + (int64_t)below * step;                                                       \
        return part > 0 ? (double)e[0] + part * ((double)e[step] - (double)e[0]) : (double)e[0];             \
    }                                                                                                        \
    static void NAME(TYPE *score, const TYPE *entry, int64_t step, int64_t N, int64_t m, int64_t S,          \
                     const scales *by) {                                                                     \
        double p = 0, gate[CHUNK];                                                                           \
        int64_t end = m < 0 ? 0 : m < S ? m + 1 : S;                                                         \
        for (int64_t n = end; n < S; n++) score[n] = (TYPE)-INFINITY;                                        \
        for (int64_t first = end; first > 0; end = first) {                                                  \
            first = end > CHUNK ? end - CHUNK : 0;                                                           \
            NAME##_gates(gate, score + first, end - first, by->gate);                                        \
            for (int64_t n = end - 1; n >= first; n--) {                                                     \
                p += gate[n - first];                                                                        \
                double sum = p == p ? by->position * NAME##_entry(entry, step, N, p) : p;                    \
                if (by->content != 0) sum += by->content * (double)score[n];                                 \
                score[n] = (TYPE)sum;                                                                        \
            }                                                                                                \
        }                                                                                                    \
    }
WALK(walk_f32, float)
WALK(walk_f64, double)

static void walk_rows(void *ctx, int64_t piece) {
    const walker *p = ctx;
    const enc_scores *s = p->s;
    int64_t batch = piece / p->pieces, first = piece % p->pieces * ROWS;
    int64_t end = first + ROWS < s->T ? first + ROWS : s->T, from = enc_batch_at(s, &p->entry, batch);
    int64_t row = p->entry.stride[s->nlead], step = p->entry.stride[s->nlead + 1];
    for (int64_t i = first; i < end; i++) {
        int64_t to = (batch * s->T + i) * s->S, at = from + i * row;
        if (s->type == ARR_F32)
            walk_f32((float *)p->out->data + to, (const float *)p->entry.data + at, step, p->N, s->first + i,
                     s->S, &p->by);
        else
            walk_f64((double *)p->out->data + to, (const double *)p->entry.data + at, step, p->N,
                     s->first + i, s->S, &p->by);
    }
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_scores s;
    arr entry = ARR_NONE;
    walker p = {.s = &s, .out = out, .entry = ARR_NONE};
    PH_TRY(begin(&s, v, err));
    PH_TRY(enc_scores_begin(out, &s, &s.part[0], &s.part[1], err));
    if (arr_size(out) == 0) goto done;
    PH_TRY(enc_times_transposed(&entry, &s.part[0], &s.part[2], err));
    PH_TRY(enc_spread(&p.entry, &s, &entry, err));
    p.N = entry.shape[entry.ndim - 1];
    p.by = scales_of(v, s.d);
    p.pieces = (s.T + ROWS - 1) / ROWS;
    st = ph_parallel(walk_rows, &p, arr_size(out) / (s.T * s.S) * p.pieces, err);
done:
    enc_scores_drop(&s);
    arr_drop(&entry);
    arr_drop(&p.entry);
    return st;
}

/* ---- in operations ------------------------------------------------------------------------------------- */

static ph_status check(const enc_value *v, ph_err *err) { return enc_scores_check(begin, v, err); }

/* p_mn: gates from the query back to the key. A formula has the symbol for it, since it depends on all keys between. */
static op_val *counted(const enc_d_scores *s, op_val *logit, op_val *seen, bool code) {
    op_ctx *c = s->c;
    if (s->def->place) return s->def->place;
    op_val *gate = op_do1(c, "sigmoid", code ? enc_d_over_root(c, logit, s->d) : logit);
    gate = op_do3(c, "where", seen, gate, op_num(c, 0));
    op_val *back = op_do_axis(c, "cumsum", op_do_axis(c, "flip", gate, -1, false), -1, false);
    return op_do_axis(c, "flip", back, -1, false);
}

/* q . e(p): it goes from row r to the next while p does from r to r+1, a line for each, cut off at both ends. */
static op_val *between_rows(const enc_d_scores *s, op_val *p, op_val *table) {
    op_ctx *c = s->c;
    op_val *z = enc_d_dot(c, s->q, table); /* (..., T, N) */
    int64_t steps = enc_d_size(c, z, 0) - 1;
    op_val *below = enc_d_columns(c, z, 0, 1, steps), *above = enc_d_columns(c, z, 1, 1, steps);
    op_val *part =
        op_do2(c, "maximum", op_num(c, 0), op_do2(c, "sub", enc_d_last(c, p), enc_d_count(c, steps)));
    part = op_do2(c, "minimum", op_num(c, 1), part); /* (..., T, S, N-1) */
    op_val *up = enc_d_vector(c, op_do2(c, "sub", above, below));
    op_val *lines = op_do_axis(c, "sum", op_do2(c, "mul", part, up), -1, false);
    return op_do2(c, "add", enc_d_columns(c, z, 0, 1, 1), lines);
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    bool code = v[VARIANT].whole == CODE;
    enc_d_scores s = enc_d_scores_of(d, &v[OFFSET]);
    op_val *logit = enc_d_dot(c, s.q, s.k), *seen = op_do2(c, "le", s.n, s.m);
    op_val *sum = between_rows(&s, counted(&s, logit, seen, code), enc_d_value(c, &v[TABLE]));
    if (code) logit = enc_d_over_root(c, logit, s.d);
    if (v[CONTENT].whole) sum = op_do2(c, "add", logit, sum);
    if (!code) sum = enc_d_over_root(c, sum, s.d);
    y[0] = op_do3(c, "where", seen, sum, op_num(c, -INFINITY));
}

static const enc_function functions[] = {
    {"cope", "CoPE's scores (..., T, S): positions counted by gates on what is there.",
     "The position of key n seen from query m is the sum of the gates sigma(q_m . k_j) over j from n to m; "
     "q_m . e at that position, between two rows of the table by a straight line, is added to q.k. Keys "
     "after the query have -inf and open no gate, so no mask is needed. attention(q, k, v, {causal=true, "
     "bias=cope(q, k, table, {content=false})}) uses it. NaN spoils a query's scores from its key back.",
     "q = zeros(3, 1)\ncope(q, q, {{0}, {1}})[3]:totable()  --> {0.0, 0.0, 0.0}\n"
     "cope(q + 1, q, {{0}, {1}, {2}})[3]:totable()  --> {1.5, 1.0, 0.5}\n"
     "cope(q, q, {{0}, {1}})(1, 2)  --> -inf\ncope(q, q, zeros(0, 1))  --> error: wanted at least one row",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_cope = {
    .name = "cope",
    .title = {"contextual positions", "上下文位置编码"},
    .citation =
        "Golovneva et al., Contextual Position Encoding: Learning to Count What's Important (CoPE, 2024), "
        "arXiv:2405.18719.",
    .kind = ENC_CONTEXTUAL,
    .layout = "table (N, d): positions 0, 1, ..., N-1",
    .laws = ENC_IS_BOUNDED,
    .claims = {"bounded: for keys up to the query", "有界：就不晚于查询的键而言"},
    .functions = functions,
    .sample = "Q, K, learned(4, d)\ncode: Q, K, learned(4, d), {variant=\"code\"}",
    .model = "Q, K, learned(L, d)",
};
