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
    {"table", ENC_ARRAY, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL,
     "an array (N, d), or one for each head: its rows are the positions 0, 1, ..., N-1"},
    {"variant", ENC_WORD, ENC_OPTIONAL, 0, 0, 0, "paper code", NULL, NULL,
     "\"paper\": gates of q.k, everything over sqrt(d); \"code\" (as published with it): gates of "
     "q.k/sqrt(d), q.e not "
     "divided"},
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

/* ---- plain loops, pair by pair -------------------------------------------------------------------------- */

/* q, k and the table as views of the scores' leading dimensions. */
typedef struct {
    const enc_scores *s;
    arr q, k, table;
    scales by;
    int64_t batch;
} loops;

static double at(const loops *l, const arr *x, int64_t row, int64_t column) {
    int n = l->s->nlead;
    int64_t from = enc_batch_at(l->s, x, l->batch) + row * x->stride[n] + column * x->stride[n + 1];
    return x->dtype == ARR_F32 ? (double)((const float *)x->data)[from] : ((const double *)x->data)[from];
}

static double dot(const loops *l, int64_t i, const arr *x, int64_t row) {
    double sum = 0;
    for (int64_t c = 0; c < l->s->d; c++) sum += at(l, &l->q, i, c) * at(l, x, row, c);
    return sum;
}

static double pair(const loops *l, int64_t i, int64_t n) {
    int64_t m = l->s->first + i, last = l->table.shape[l->s->nlead] - 1;
    double p = 0, content = dot(l, i, &l->k, n);
    if (n > m) return -INFINITY;
    for (int64_t j = n; j <= m && j < l->s->S; j++) p += 1 / (1 + exp(-l->by.gate * dot(l, i, &l->k, j)));
    if (p > (double)last) p = (double)last;
    double below = floor(p), part = p - below;
    double e =
        (1 - part) * dot(l, i, &l->table, (int64_t)below) + part * dot(l, i, &l->table, (int64_t)ceil(p));
    return l->by.content * content + l->by.position * e;
}

static ph_status slow(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_scores s;
    loops l = {.s = &s, .q = ARR_NONE, .k = ARR_NONE, .table = ARR_NONE};
    PH_TRY(begin(&s, v, err));
    PH_TRY(enc_scores_begin(out, &s, NULL, NULL, err));
    PH_TRY(enc_spread(&l.q, &s, &s.part[0], err));
    PH_TRY(enc_spread(&l.k, &s, &s.part[1], err));
    PH_TRY(enc_spread(&l.table, &s, &s.part[2], err));
    l.by = scales_of(v, s.d);
    for (int64_t e = 0; e < arr_size(out); e++) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            break;
        }
        l.batch = e / (s.T * s.S);
        double x = pair(&l, e / s.S % s.T, e % s.S);
        if (s.type == ARR_F32) ((float *)out->data)[e] = (float)x;
        else ((double *)out->data)[e] = x;
    }
done:
    enc_scores_drop(&s);
    arr_drop(&l.q);
    arr_drop(&l.k);
    arr_drop(&l.table);
    return st;
}

/* ---- the formula, of a position p >= 0 ------------------------------------------------------------------ */

/* e(p) goes from row r to the next while p does from r to r+1: a line for each, cut off at both ends. */
static exp_node *b_between_rows(exp_builder *b, const enc_value *v, int64_t head, int64_t d) {
    const arr *table = v[TABLE].array;
    exp_node *p = enc_b_sym(b, "p"), *zero = exp_b_rat(b, 0, 1), *one = exp_b_rat(b, 1, 1);
    enc_vector q = {.symbol = "q"}, row = {.array = table, .head = head};
    exp_node *below = enc_b_dot(b, &q, &row, d), *sum = below;
    while (b->st == PH_OK && ++row.row < table->shape[table->ndim - 2]) {
        exp_node *above = enc_b_dot(b, &q, &row, d);
        exp_node *part = exp_b_2(b, EXP_MAX, zero, exp_b_sub(b, p, exp_b_rat(b, row.row - 1, 1)));
        part = exp_b_2(b, EXP_MIN, one, part);
        sum = exp_b_add(b, sum, exp_b_mul(b, part, exp_b_sub(b, above, below)));
        below = above;
    }
    return sum;
}

static ph_status formula(exp_node **out, const enc_value *v, int64_t head, ph_err *err) {
    ph_status st;
    enc_scores s;
    exp_builder b = EXP_BUILDER(err);
    PH_TRY(begin(&s, v, err));
    PH_TRY(enc_check_head(&s, head, err));
    enc_vector q = {.symbol = "q"}, k = {.symbol = "k"};
    exp_node *sum = b_between_rows(&b, v, head, s.d), *content = enc_b_dot(&b, &q, &k, s.d);
    bool code = v[VARIANT].whole == CODE;
    if (code) content = enc_b_over_root(&b, content, s.d);
    if (v[CONTENT].whole) sum = exp_b_add(&b, content, sum);
    st = exp_b_end(&b, out, code ? sum : enc_b_over_root(&b, sum, s.d));
done:
    enc_scores_drop(&s);
    return st;
}

static const enc_function functions[] = {
    {"cope", "CoPE's scores (..., T, S): positions counted by gates on what is there.",
     "The position of key n seen from query m is the sum of the gates sigma(q_m . k_j) over j from n to m; "
     "q_m . e at that "
     "position, between two rows of the table by a straight line, is added to q.k. Keys after the query have "
     "-inf and open no "
     "gate, so no mask is needed. attention(q, k, v, {causal=true, bias=cope(q, k, table, {content=false})}) "
     "uses it. NaN "
     "spoils a query's scores from its key back.",
     "q = zeros(3, 1)\ncope(q, q, {{0}, {1}})[3]:totable()  --> {0.0, 0.0, 0.0}\n"
     "cope(q + 1, q, {{0}, {1}, {2}})[3]:totable()  --> {1.5, 1.0, 0.5}\n"
     "cope(q, q, {{0}, {1}})(1, 2)  --> -inf\ncope(q, q, zeros(0, 1))  --> error: wanted at least one row",
     params, 1, run, NULL, NULL},
    {0},
};

const enc_encoding enc_cope = {
    .name = "cope",
    .title = "contextual positions",
    .citation =
        "Golovneva et al., Contextual Position Encoding: Learning to Count What's Important (CoPE, 2024), "
        "arXiv:2405.18719.",
    .kind = ENC_CONTEXTUAL,
    .layout = "table (N, d): positions 0, 1, ..., N-1",
    .laws = ENC_IS_BOUNDED,
    .claims = "bounded: for keys up to the query",
    .functions = functions,
    .sample = "Q, K, learned(4, d)\ncode: Q, K, learned(4, d), {variant=\"code\"}",
    .formula = formula,
    .slow = slow,
};
