/* blocked.c: attention by blocks of queries and keys.
 *
 *                keys
 *              0   1   2   3          A piece is one row of blocks: 96 queries against all keys they may see.
 *   queries 0  x                      Of a block only the scores are held, (96, 256); each query carries its
 *           1  x   x                  largest score so far, the sum of its weights and of the weighted values
 *           2  x   x   x              (Milakov and Gimelshein 2018; Dao and others 2022). Blocks that causal or
 *           3  x   x   x   x          window hide altogether are never entered.
 *
 * Pieces depend on the shapes alone and on no other piece: any number of threads gives the same bits.
 */
#include "attention/attention.h"

#include "array/gemm.h"
#include "array/vmath.h"
#include "base/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define BLOCK_QUERIES 96
#define BLOCK_KEYS    256 /* whole panels */

typedef struct {
    const att_problem *p;
    bool weights;        /* alpha itself is wanted */
    atomic_bool stopped; /* the interrupt flag was seen inside a piece */
} job;

/* One look: an interrupt between two of them would end a piece as if it were done. */
static bool stop_seen(job *w) {
    if (!ph_interrupted()) return false;
    atomic_store(&w->stopped, true);
    return true;
}

const char *att_at(const att_problem *p, const att_operand *x, int64_t b) {
    int64_t at = 0;
    for (int d = p->nlead - 1; d >= 0; d--) {
        int64_t i = b % p->lead[d];
        at += (x->keys && d == p->nlead - 1 ? i / p->group : i) * x->batch[d];
        b /= p->lead[d];
    }
    return x->data + at * (int64_t)arr_itemsize(x->type);
}

void att_keys(const att_problem *p, int64_t first, int64_t last, int64_t *lo, int64_t *hi) {
    int64_t at = p->S - p->T; /* position of query 0 */
    *lo = 0;
    *hi = p->S;
    if (p->causal && last + at + 1 < *hi) *hi = last + at + 1;
    if (p->window && last + at + p->window < *hi) *hi = last + at + p->window;
    if (p->window && first + at - p->window + 1 > 0) *lo = first + at - p->window + 1;
    if (*hi < *lo) *hi = *lo = 0;
}

void att_queries(const att_problem *p, int64_t lo, int64_t hi, int64_t *first, int64_t *last) {
    int64_t at = p->S - p->T;
    *first = 0;
    *last = p->T;
    if (p->causal && lo - at > *first) *first = lo - at;
    if (p->window && lo - p->window + 1 - at > *first) *first = lo - p->window + 1 - at;
    if (p->window && hi + p->window - at < *last) *last = hi + p->window - at;
}

/* ---- keys in panels -------------------------------------------------------------------------------------- */

typedef struct {
    const arr *k;
    arr *to;
} packing;

static void pack_panel(void *ctx, int64_t piece) {
    const packing *w = ctx;
    const arr *k = w->k;
    int64_t width = arr_panel_width(k->dtype), n = k->shape[k->ndim - 2], d = k->shape[k->ndim - 1];
    int64_t panels = w->to->shape[k->ndim - 2], j = piece % panels * width, at = piece / panels, from = 0;
    for (int a = k->ndim - 3; a >= 0; at /= k->shape[a], a--) from += at % k->shape[a] * k->stride[a];
    from += j * k->stride[k->ndim - 2];
    size_t item = arr_itemsize(k->dtype);
    arr_panel_pack(k->dtype, w->to->data + (size_t)(piece * d * width) * item, k->data + from * (int64_t)item,
                   k->stride[k->ndim - 2], n - j < width ? n - j : width, d);
}

/* A lone query or a few keys are not worth the copy. */
bool att_panels_pay(const att_problem *p) {
    return p->T >= ATT_TOGETHER && p->S >= arr_panel_width(p->type) && p->dv % arr_panel_step(p->type) == 0;
}

ph_status att_pack_panels(arr *out, const arr *k, ph_err *err) {
    int64_t shape[ARR_MAXDIM], width = arr_panel_width(k->dtype), pieces = 1;
    memcpy(shape, k->shape, sizeof shape);
    shape[k->ndim - 2] = (k->shape[k->ndim - 2] + width - 1) / width;
    shape[k->ndim - 1] *= width;
    ph_status st = arr_new(out, k->dtype, k->ndim, shape, err);
    if (st != PH_OK) return st;
    for (int a = 0; a < k->ndim - 1; a++) pieces *= shape[a];
    return ph_parallel(pack_panel, &(packing){k, out}, pieces, err);
}

#define REAL  float
#define FN(f) f##_f32
#include "attention/scores.inc"
#include "attention/blocked.inc"

#define REAL  double
#define FN(f) f##_f64
#include "attention/scores.inc"
#include "attention/blocked.inc"

/* ---- pieces -------------------------------------------------------------------------------------------- */

static void run_piece(void *ctx, int64_t piece) {
    job *w = ctx;
    const att_problem *p = w->p;
    int64_t rows = (p->T - 1) / BLOCK_QUERIES + 1, b = piece / rows, i0 = piece % rows * BLOCK_QUERIES;
    int64_t m = p->T - i0 < BLOCK_QUERIES ? p->T - i0 : BLOCK_QUERIES;
    if (p->type == ARR_F32) (w->weights ? weights_f32 : queries_f32)(w, b, i0, m);
    else (w->weights ? weights_f64 : queries_f64)(w, b, i0, m);
}

static ph_status run(const att_problem *p, bool weights, ph_err *err) {
    job w = {.p = p, .weights = weights};
    if (p->count == 0 || p->T == 0) return PH_OK;
    ph_status st = arr_gemm_ready(err);
    if (!st) st = ph_parallel(run_piece, &w, p->count * ((p->T - 1) / BLOCK_QUERIES + 1), err);
    return st == PH_OK && atomic_load(&w.stopped) ? ph_fail_interrupted(err) : st;
}

ph_status att_blocked(const att_problem *p, ph_err *err) { return p->dv == 0 ? PH_OK : run(p, false, err); }
ph_status att_weigh(const att_problem *p, ph_err *err) { return p->S == 0 ? PH_OK : run(p, true, err); }
