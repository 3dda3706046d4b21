/* rerope.c: rotation by a distance that stops growing, or grows slower, beyond a window.
 *
 *     s_mn = <R_{f(m-n)} q_m, k_n> / sqrt(d)
 *     f(t) = t for |t| < w, w + (t - w) leak for t >= w, -w + (t + w) leak for t <= -w
 *
 *     leak = 0: [… w w w w-1 … 1 0 -1 …]        a distance of w at most, which training has seen
 *
 * No single rotation of q and k gives this. Tiles of scores come from up to three: both turned as in rope in the window; beyond
 * it the query at m leak ± w(1 - leak), the key at n leak.
 */
#include "encoding/relative.h"

#include "array/gemm.h"
#include "base/parallel.h"
#include "encoding/rotation.h"

#include <math.h>

enum { Q, K, LAYOUT, WINDOW, LEAK, BASE, OFFSET };

static const enc_param params[] = {
    ENC_Q_ROW,
    ENC_K_ROW,
    ENC_LAYOUT_ROW,
    {"window", ENC_INT, ENC_OPTIONAL, 512, 1, 1e9, NULL, NULL, "positions",
     "w, under the training length; up to it distances are true"},
    {"leak", ENC_NUM, ENC_OPTIONAL, 0, 0, 1, NULL, NULL, NULL,
     "how much the distance grows a position beyond the window: 0 in ReRoPE, 1/k in Leaky ReRoPE"},
    ENC_BASE_ROW,
    ENC_FIRST_ROW,
    {0},
};

static ph_status begin(enc_scores *s, const enc_value *v, ph_err *err) {
    ph_status st = enc_scores_of(s, "rerope", v[Q].array, v[K].array, &v[OFFSET], NULL, 0, err);
    if (st == PH_OK && s->d % 2)
        return ph_fail(err, PH_EARG, "rerope: q has %lld columns; rotation needs an even number (pairs)",
                       (long long)s->d);
    return st;
}

/* x turned at positions first + r step + plus, r its rows. */
static ph_status turned(arr *out, const arr *x, const enc_value *v, double first, double step, double plus,
                        ph_err *err) {
    ph_status st;
    int64_t T = x->shape[x->ndim - 2];
    arr cos = ARR_NONE, sin = ARR_NONE;
    enc_rope_setting set = {"rerope", x->shape[x->ndim - 1], v[BASE].num, 1, NULL};
    double *list = ph_calloc((uint64_t)T, sizeof *list);
    if (!list) return ph_fail_nomem(err, (size_t)T * sizeof *list);
    for (int64_t r = 0; r < T; r++) list[r] = (first + (double)r) * step + plus;
    enc_positions at = {.n = T, .list = list};
    PH_TRY(enc_make_table(&cos, &sin, &set, &at, x->dtype, false, err));
    st = enc_rotate(out, x, &cos, &sin, v[LAYOUT].whole == ENC_HALF, err);
done:
    ph_free(list);
    arr_drop(&cos);
    arr_drop(&sin);
    return st;
}

/* ---- tiles of TILE queries and TILE keys ---------------------------------------------------------------- */

#define TILE 64

enum { NEAR, BEHIND, AHEAD, WAYS }; /* |m-n| < w, m-n >= w, n-m >= w */

typedef struct {
    const enc_scores *s;
    const arr *out;
    arr q[WAYS], k[WAYS]; /* broadcast to (lead, rows, d), d contiguous */
    int64_t window, pieces;
    double scale;
} tiles;

static int way(const tiles *p, int64_t t) { return t >= p->window ? BEHIND : t <= -p->window ? AHEAD : NEAR; }

/* to (rows, columns; ld): the scores of queries from i and keys from n, all in one way. */
static void product(const tiles *p, int w, int64_t batch, int64_t i, int64_t n, int rows, int columns,
                    void *to, int64_t ld) {
    arr_gemm g = {p->s->type,   true,         false,        rows,    columns,
                  (int)p->s->d, (int)p->s->d, (int)p->s->d, (int)ld, p->scale};
    arr_gemm_raw(&g, to, enc_row_at(p->s, &p->q[w], batch, i), enc_row_at(p->s, &p->k[w], batch, n));
}

typedef union {
    float f32[TILE * TILE];
    double f64[TILE * TILE];
} scratch;

static void copy_way(const tiles *p, int w, int64_t i, int64_t n, int rows, int columns, void *to,
                     const scratch *from) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            if (way(p, p->s->first + i + r - n - c) != w) continue;
            int64_t at = (int64_t)r * p->s->S + c;
            if (p->s->type == ARR_F32) ((float *)to)[at] = from->f32[r * TILE + c];
            else ((double *)to)[at] = from->f64[r * TILE + c];
        }
}

/* The ways in rows of queries from i and columns of keys from n: distances run from that of the last key and the first query
 * to that of the first key and the last query. */
static int ways_of(bool *has, const tiles *p, int64_t i, int64_t n, int rows, int columns) {
    int64_t t = p->s->first + i - n;
    for (int w = 0; w < WAYS; w++) has[w] = false;
    has[way(p, t - columns + 1)] = has[way(p, t + rows - 1)] = true;
    if (has[BEHIND] && has[AHEAD]) has[NEAR] = true;
    return has[NEAR] + has[BEHIND] + has[AHEAD];
}

static char *score_at(const tiles *p, int64_t batch, int64_t i, int64_t n) {
    return p->out->data + (size_t)((batch * p->s->T + i) * p->s->S + n) * arr_itemsize(p->s->type);
}

static void fill_mixed(const tiles *p, const bool *has, int64_t batch, int64_t i, int64_t n, int rows,
                       int columns) {
    scratch mixed;
    for (int w = 0; w < WAYS; w++) {
        if (!has[w]) continue;
        product(p, w, batch, i, n, rows, columns, &mixed, TILE);
        copy_way(p, w, i, n, rows, columns, score_at(p, batch, i, n), &mixed);
    }
}

/* Tiles in a row that need one way only are one product. */
static void fill_rows(void *ctx, int64_t piece) {
    const tiles *p = ctx;
    int64_t S = p->s->S, batch = piece / p->pieces, i = piece % p->pieces * TILE, end;
    int rows = (int)(i + TILE < p->s->T ? TILE : p->s->T - i);
    bool has[WAYS];
    for (int64_t n = 0; n < S; n = end) {
        end = n + TILE < S ? n + TILE : S;
        if (ways_of(has, p, i, n, rows, (int)(end - n)) > 1) {
            fill_mixed(p, has, batch, i, n, rows, (int)(end - n));
            continue;
        }
        while (end < S && ways_of(has, p, i, n, rows, (int)(end + TILE < S ? end + TILE - n : S - n)) == 1)
            end = end + TILE < S ? end + TILE : S;
        product(p, way(p, p->s->first + i - n), batch, i, n, rows, (int)(end - n), score_at(p, batch, i, n),
                S);
    }
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    enc_scores s;
    arr q[WAYS] = {ARR_NONE}, k[2] = {ARR_NONE};
    tiles p = {.s = &s, .out = out, .window = v[WINDOW].whole};
    double leak = v[LEAK].num, shift = (double)p.window * (1 - leak);
    PH_TRY(begin(&s, v, err));
    PH_TRY(enc_scores_begin(out, &s, NULL, NULL, err));
    if (arr_size(out) == 0) goto done;
    PH_TRY(turned(&q[NEAR], &s.part[0], v, (double)s.first, 1, 0, err));
    PH_TRY(turned(&q[BEHIND], &s.part[0], v, (double)s.first, leak, shift, err));
    PH_TRY(turned(&q[AHEAD], &s.part[0], v, (double)s.first, leak, -shift, err));
    for (int w = 0; w < 2; w++) PH_TRY(turned(&k[w], &s.part[1], v, 0, w ? leak : 1, 0, err));
    for (int w = 0; w < WAYS; w++) {
        PH_TRY(enc_spread(&p.q[w], &s, &q[w], err));
        PH_TRY(enc_spread(&p.k[w], &s, &k[w != NEAR], err));
    }
    p.scale = 1 / sqrt((double)s.d);
    p.pieces = (s.T + TILE - 1) / TILE;
    PH_TRY(arr_gemm_ready(err));
    st = ph_parallel(fill_rows, &p, arr_size(out) / (s.T * s.S) * p.pieces, err);
done:
    enc_scores_drop(&s);
    for (int w = 0; w < WAYS; w++) arr_drop(&q[w]), arr_drop(&p.q[w]), arr_drop(&p.k[w]);
    for (int w = 0; w < 2; w++) arr_drop(&k[w]);
    return st;
}

/* ---- in operations ------------------------------------------------------------------------------------- */

static ph_status check(const enc_value *v, ph_err *err) { return enc_scores_check(begin, v, err); }

/* f(t) */
static op_val *rectified(op_ctx *c, op_val *t, const enc_value *v) {
    op_val *w = op_num(c, (double)v[WINDOW].whole), *minus = op_num(c, -(double)v[WINDOW].whole);
    if (!v[LEAK].value && v[LEAK].num == 0) return op_do2(c, "maximum", op_do2(c, "minimum", t, w), minus);
    op_val *leak = enc_d_value(c, &v[LEAK]);
    op_val *behind = op_do2(c, "add", w, op_do2(c, "mul", leak, op_do2(c, "sub", t, w)));
    op_val *ahead = op_do2(c, "add", minus, op_do2(c, "mul", leak, op_do2(c, "sub", t, minus)));
    return op_do3(c, "where", op_do2(c, "le", t, minus), ahead,
                  op_do3(c, "where", op_do2(c, "lt", t, w), t, behind));
}

/* Pair (a, b): Re (q_a + i q_b)(k_a - i k_b) e^{i f θ}; queries are (..., T, 1, pairs), keys (..., 1, S, pairs). */
static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    enc_d_scores s = enc_d_scores_of(d, &v[OFFSET]);
    int64_t n = s.d / 2;
    op_val *f = rectified(c, op_do2(c, "sub", s.m, s.n), v),
           *theta = enc_d_powers(c, enc_d_value(c, &v[BASE]), n, s.d);
    op_val *angle = op_do2(c, "mul", enc_d_last(c, f), theta);
    enc_d_pair q = enc_d_pairs_of(c, s.q, n, v[LAYOUT].whole == ENC_HALF),
               k = enc_d_pairs_of(c, s.k, n, v[LAYOUT].whole == ENC_HALF);
    q = (enc_d_pair){enc_d_vector(c, q.a), enc_d_vector(c, q.b)};
    if (!k.a || !k.b) return;
    int before = op_spec_of(c, k.a)->ndim - 2;
    k = (enc_d_pair){op_do_axis(c, "unsqueeze", k.a, before, false),
                     op_do_axis(c, "unsqueeze", k.b, before, false)};
    op_val *straight = op_do2(c, "add", op_do2(c, "mul", q.a, k.a), op_do2(c, "mul", q.b, k.b));
    op_val *cross = op_do2(c, "sub", op_do2(c, "mul", q.a, k.b), op_do2(c, "mul", q.b, k.a));
    op_val *sum = op_do2(c, "add", op_do2(c, "mul", straight, op_do1(c, "cos", angle)),
                         op_do2(c, "mul", cross, op_do1(c, "sin", angle)));
    y[0] = enc_d_over_root(c, op_do_axis(c, "sum", sum, -1, false), s.d);
}

static const enc_function functions[] = {
    {"rerope", "ReRoPE's scores (..., T, S): rotation by a distance capped at a window.",
     "<R_f(m-n) q_m, k_n> / sqrt(d); f(t) is t within the window, beyond it w + (t - w) leak, the same "
     "backwards for keys after the query. With leak 0 no distance is greater than w, however long the text. "
     "A window over the length gives the scores of rope. NaN stays where it was given.",
     "x = zeros(9, 2)\nx[{{}, 1}] = 1\ns = rerope(x, x, {layout=\"half\", window=3})*sqrt(2)\n"
     "max(abs(s[9] - cos(array{3, 3, 3, 3, 3, 3, 2, 1, 0}))) < 1e-15  --> true\n"
     "rerope(x, x)  --> error: no layout given",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_rerope = {
    .name = "rerope",
    .title = {"rotation by a capped distance", "按截断距离旋转"},
    .citation = "Su, ReRoPE: Rectified Rotary Position Embeddings (2023), https://github.com/bojone/rerope.",
    .kind = ENC_RELATIVE,
    .layout = "interleaved [a0 b0 a1 b1 ...]   half [a0 a1 ... b0 b1 ...]",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "Q, K, {layout=\"half\", window=3}\nleaky: Q, K, {layout=\"half\", window=3, leak=1/4}",
    .model = "Q, K, {layout = 'half', window = L // 2}",
};
