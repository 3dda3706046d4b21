/* fire.c: a small network of the distance as a share of the query's position.
 *
 *     bias[h, m, n] = Σ_i w2[i, h] max(0, w1[i] x + b1[i]) + b2[h]        x = ψ(m - n) / (ψ(max(m, L)) + ε)
 *     ψ(x) = ln(|c x| + 1)
 *
 * The denominator follows the query from L on: the bias depends on m, not on m - n only. In the paper 32 units, c = 0.1 and L = 512 (both
 * learned), ε = 0; widely used code has ε = 1e-6.
 */
#include "encoding/bias.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

enum { W1, B1, W2, B2, T, C, L, EPS, SPAN };

static const enc_param params[] = {
    {"w1", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (units): weights into the hidden units"},
    {"b1", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "an array (units): their biases"},
    {"w2", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (units, H): weights from them to the heads"},
    {"b2", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "an array (H)"},
    {"T", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "queries", "how many positions"},
    {"c", ENC_NUM, ENC_OPTIONAL, 0.1, 1e-100, 1e100, NULL, NULL, NULL,
     "how soon the logarithm bends; learned"},
    {"L", ENC_NUM, ENC_OPTIONAL, 512, 1e-100, 1e15, NULL, NULL, "positions",
     "queries before it are all measured by it; learned"},
    {"eps", ENC_NUM, ENC_OPTIONAL, 0, 0, 1, NULL, NULL, NULL,
     "added to the denominator; 1e-6 in widely used code"},
    ENC_SPAN_ROWS,
    {0},
};

static ph_status check(const enc_value *v, ph_err *err) {
    char a[200], b[200], c[200], d[200];
    const arr *w1 = v[W1].array, *b1 = v[B1].array, *w2 = v[W2].array, *b2 = v[B2].array;
    if (w1->ndim == 1 && b1->ndim == 1 && w2->ndim == 2 && b2->ndim == 1 && b1->shape[0] == w1->shape[0] &&
        w2->shape[0] == w1->shape[0] && w2->shape[1] == b2->shape[0])
        return PH_OK;
    return ph_fail(
        err, PH_EARG,
        "fire: w1 has shape %s, b1 %s, w2 %s and b2 %s; wanted (units), (units), (units, H) and (H)",
        arr_shape_text(a, sizeof a, w1), arr_shape_text(b, sizeof b, b1), arr_shape_text(c, sizeof c, w2),
        arr_shape_text(d, sizeof d, b2));
}

/* ---- the kernel: a piece is a row of keys -------------------------------------------------------------- */

#define ROOM  128 /* keys at a time */
#define HEADS 8   /* heads at a time */

typedef struct {
    const enc_span *s;
    const arr *out;
    int64_t units;
    const double *w1, *b1, *w2, *b2; /* w2 (units, H) */
    const double *psi;               /* of distances 0, 1, … */
    double c, L, eps;
} network;

static double psi(double c, double x) { return log1p(fabs(c * x)); }

static void put(const network *f, int64_t h, int64_t row, int64_t first, int64_t count, const double *y) {
    int64_t at = (h * f->s->queries + row) * f->s->keys + first;
    if (f->out->dtype == ARR_F64)
        for (int64_t k = 0; k < count; k++) ((double *)f->out->data)[at + k] = y[k];
    else
        for (int64_t k = 0; k < count; k++) ((float *)f->out->data)[at + k] = (float)y[k];
}

/* One unit after the other, for `count` keys side by side and a few heads. */
static void run_keys(const network *f, int64_t row, int64_t first, int64_t count, double below) {
    double x[ROOM], unit[ROOM], y[HEADS][ROOM];
    int64_t m = f->s->offset + row, heads = f->s->heads;
    for (int64_t k = 0; k < count; k++) {
        int64_t far = m - first - k;
        x[k] = f->psi[far < 0 ? -far : far] / below;
    }
    for (int64_t h = 0; h < heads; h += HEADS) {
        int64_t some = heads - h < HEADS ? heads - h : HEADS;
        memset(y, 0, sizeof y);
        for (int64_t i = 0; i < f->units; i++) {
            double w1 = f->w1[i], b1 = f->b1[i];
            const double *w2 = f->w2 + i * heads + h;
            for (int64_t k = 0; k < count; k++) {
                double z = w1 * x[k] + b1;
                unit[k] = z < 0 ? 0 : z;
            }
            for (int64_t j = 0; j < some; j++)
                for (int64_t k = 0; k < count; k++) y[j][k] += w2[j] * unit[k];
        }
        for (int64_t j = 0; j < some; j++) {
            for (int64_t k = 0; k < count; k++) y[j][k] += f->b2[h + j];
            put(f, h + j, row, first, count, y[j]);
        }
    }
}

static void run_row(void *ctx, int64_t row) {
    const network *f = ctx;
    double m = (double)(f->s->offset + row), below = psi(f->c, m > f->L ? m : f->L) + f->eps;
    for (int64_t n = 0; n < f->s->keys; n += ROOM)
        run_keys(f, row, n, f->s->keys - n < ROOM ? f->s->keys - n : ROOM, below);
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    arr part[4] = {ARR_NONE};
    double *table = NULL;
    size_t bytes = 0;
    enc_span s = enc_span_of("fire", v[B2].array->shape[0], v[T].whole, v + SPAN);
    PH_TRY(enc_new_bias(out, &s, err));
    if (arr_size(out) == 0) goto done;
    for (int k = 0; k < 4; k++) PH_TRY(arr_contiguous(&part[k], v[W1 + k].array, ARR_F64, err));
    int64_t far = s.offset + s.queries > s.keys ? s.offset + s.queries : s.keys;
    if (!ph_shape_bytes(&bytes, &far, 1, sizeof *table) || !(table = ph_block_alloc(bytes))) {
        st = ph_fail_nomem(err, bytes);
        goto done;
    }
    for (int64_t x = 0; x < far; x++) table[x] = psi(v[C].num, (double)x);
    const double *at[4];
    for (int k = 0; k < 4; k++) at[k] = (const double *)part[k].data;
    network f = {&s,    out,   part[0].shape[0], at[0],    at[1],     at[2],
                 at[3], table, v[C].num,         v[L].num, v[EPS].num};
    st = ph_parallel(run_row, &f, s.queries, err);
done:
    for (int k = 0; k < 4; k++) arr_drop(&part[k]);
    ph_block_free(table, bytes);
    return st;
}

/* ---- in operations ------------------------------------------------------------------------------------- */

static op_val *psi_of(op_ctx *c, op_val *by, op_val *x) {
    return op_do1(c, "log1p", op_do1(c, "abs", op_do2(c, "mul", by, x)));
}

static void define(const enc_def *d, op_val **y) {
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    op_val *a[EPS + 1];
    for (int k = 0; k <= EPS; k++) a[k] = k == T ? NULL : enc_d_value(c, &v[k]);
    enc_d_span at = enc_d_span_of(d, v[T].whole, v + SPAN);
    op_val *below = op_do2(c, "add", psi_of(c, a[C], op_do2(c, "maximum", at.m, a[L])), a[EPS]);
    op_val *x = op_do2(c, "div", psi_of(c, a[C], op_do2(c, "sub", at.m, at.n)), below); /* (T, keys) */
    x = op_do2(c, "mul", op_do_axis(c, "unsqueeze", x, 2, false), a[W1]);
    op_val *units = op_do1(c, "relu", op_do2(c, "add", x, a[B1])); /* (T, keys, units) */
    op_val *heads = op_do2(c, "add", op_do2(c, "matmul", units, a[W2]), a[B2]);
    y[0] = enc_d_bias(d, op_do_ints(c, "permute", heads, 3, (int64_t[]){2, 0, 1}), v + SPAN);
}

static const enc_function functions[] = {
    {"fire", "FIRE's score biases (H, T, keys): a network of psi(m-n) / psi(max(m, L)).",
     "psi(x) = ln(|c x| + 1); the network has one hidden layer of units max(0, w1 x + b1). It depends on the "
     "query's position m, not on m - n only. Query m is position offset, offset+1, ...; key n is 0, 1, ... A "
     "causal mask is not included.",
     "g = rng(7)\nB = fire(randn(g, 32), randn(g, 32), randn(g, 32, 2), zeros(2), 600)\n"
     "B.shape, B(1, 3, 2) == B(1, 4, 3)  --> {2, 600, 600}\ttrue\nB(1, 600, 599) == B(1, 4, 3)  --> false\n"
     "fire({1, 2}, {1}, {{1}, {1}}, {0}, 3)  --> error: b1 (1)",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_fire = {
    .name = "fire",
    .title = {"functional interpolation of relative positions", "相对位置的函数插值"},
    .citation = "Li et al., Functional Interpolation for Relative Positions Improves Long Context "
                "Transformers (FIRE, 2024), arXiv:2310.04418.",
    .kind = ENC_BIAS,
    .layout = "(H, T, keys)",
    .laws = ENC_IS_BOUNDED,
    .claims = {"bounded: for keys up to the query", "有界：就不晚于查询的键而言"},
    .functions = functions,
    .sample = "learned(3), learned(3), learned(3, H), learned(H), T, {c=1/8, L=4}",
    .model = "near(0, 32), near(0, 32), near(0, 32, H), learned(H), T, {L = L}",
};
