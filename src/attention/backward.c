/* backward.c: the derivative of attention by blocks of queries and keys, as attention itself (blocked.c).
 *
 *   e_ij = e^(s_ij - top_i)    g'_i = g_i / sum_i    h_ij = e_ij (<g'_i, v_j> - <g'_i, z_i>), the cotangent of s_ij
 *   gQ_i = scale sum_j h_ij k_j        gK_j = scale sum_i h_ij q_i        gV_j = sum_i e_ij g'_i
 *
 * top and sum were kept when attention ran (Dao and others 2022, algorithm 4), so a block of e needs no other block. Only two
 * blocks (96, 192) are held: memory is that of the operands and the results, and of `parts` copies of gK and gV:
 *
 *              keys                    A piece is one part of the rows of blocks of one key head (with all query heads that
 *            0   1   2                 share it). What it adds to gQ belongs to it alone; gK and gV it gathers in a copy of
 *   part 0   x                         its own, and the copies are added in order. Where parts are cut depends on the shapes,
 *            x   x                     so any number of threads gives the same bits.
 *   part 1   x   x   x
 *
 * A key of weight 0 takes no part, were its value or score NaN: h_ij = 0.
 */
#include "attention/attention.h"

#include "array/gemm.h"
#include "array/vmath.h"
#include "base/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#define BLOCK_QUERIES 96
#define BLOCK_KEYS    192               /* whole panels, and whole runs of ATT_TOGETHER */
#define BLOCK_LD      (BLOCK_KEYS + 16) /* no power of two: columns are read too */
#define PIECES        16                /* wanted at least, where the shape allows it */

/* A result gathered in `parts` copies of (rows, ld), of which `columns` count. */
typedef struct {
    char *to, *out;
    int64_t parts, rows, columns, ld;
    arr work;
} gathered;

typedef struct {
    const att_problem *p;
    att_operand g, z, v; /* v: the values in panels */
    const char *sums;
    char *even;    /* (lead..., T, dv): g over the sums */
    int64_t d, dv; /* columns in whole vectors */
    int64_t keys, parts;
    bool finite;
    gathered gq, gk, gv;
    char *gs;
    atomic_bool stopped;
} back_job;

/* One look: an interrupt between two of them would end a piece as if it were done. */
static bool stop_seen(back_job *w) {
    if (!ph_interrupted()) return false;
    atomic_store(&w->stopped, true);
    return true;
}

#define REAL  float
#define FN(f) f##_f32
#include "attention/scores.inc"
#include "attention/backward.inc"

#define REAL  double
#define FN(f) f##_f64
#include "attention/scores.inc"
#include "attention/backward.inc"

/* ---- pieces -------------------------------------------------------------------------------------------- */

static void run_share(void *ctx, int64_t piece) {
    back_job *w = ctx;
    (w->p->type == ARR_F32 ? share_f32 : share_f64)(w, piece / w->parts, piece % w->parts);
}

#define ROWS_A_PIECE 256
static void run_parts(void *ctx, int64_t piece) {
    const gathered *t = ctx;
    int64_t first = piece * ROWS_A_PIECE,
            last = first + ROWS_A_PIECE < t->rows ? first + ROWS_A_PIECE : t->rows;
    (t->work.dtype == ARR_F32 ? add_parts_f32 : add_parts_f64)(t, first, last);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* x with zeros behind each row, so that rows are whole vectors; x itself when they are. */
static ph_status pad_rows(arr *x, int64_t columns, ph_err *err) {
    int64_t shape[ARR_MAXDIM];
    arr wide, part;
    if (x->shape[x->ndim - 1] == columns) return PH_OK;
    memcpy(shape, x->shape, sizeof shape);
    shape[x->ndim - 1] = columns;
    ph_status st = arr_zeros(&wide, x->dtype, x->ndim, shape, err);
    if (st != PH_OK) return st;
    part = wide; /* borrowed */
    part.shape[part.ndim - 1] = x->shape[x->ndim - 1];
    if ((st = arr_assign(&part, x, err)) == PH_OK) {
        arr_drop(x);
        *x = wide;
    } else arr_drop(&wide);
    return st;
}

/* Where a result is gathered: in itself when there is nothing to add and nothing to leave out. */
static ph_status gather_in(gathered *t, arr *out, int64_t rows, int64_t columns, int64_t ld, int64_t parts,
                           arr_dtype type, ph_err *err) {
    int64_t shape[] = {parts, rows, ld};
    *t = (gathered){.parts = parts, .rows = rows, .columns = columns, .ld = ld};
    if (!out) return PH_OK;
    t->out = t->to = out->data;
    if (parts == 1 && columns == ld) return PH_OK;
    ph_status st = arr_new(&t->work, type, 3, shape, err);
    if (st == PH_OK) t->to = t->work.data;
    return st;
}

static ph_status gather(gathered *t, ph_err *err) {
    if (t->to == t->out) return PH_OK;
    return ph_parallel(run_parts, t, (t->rows - 1) / ROWS_A_PIECE + 1, err);
}

static int64_t whole_vectors(arr_dtype type, int64_t n) {
    int64_t step = arr_panel_step(type);
    return (n + step - 1) / step * step;
}

/* Q, K, V and g */
static ph_status all_finite(bool *finite, const att_call *c, const arr *g, ph_err *err) {
    const arr *operand[] = {&c->held[0], &c->held[1], g};
    ph_status st = PH_OK;
    *finite = c->p.finite;
    for (int k = 0; k < 3 && *finite && st == PH_OK; k++) st = att_all_finite(finite, operand[k], err);
    return st;
}

ph_status att_backward(arr *out, att_call *c, const arr *g, const arr *z, const arr *sums, ph_err *err) {
    att_problem *p = &c->p;
    back_job w = {.p = p, .d = whole_vectors(p->type, p->d), .dv = whole_vectors(p->type, p->dv)};
    arr held[3] = {ARR_NONE}, values = ARR_NONE, even = ARR_NONE;
    arr *to[4];
    ph_status st = PH_OK;
    for (int k = 0; k < 4; k++) to[k] = out[k].ndim == 1 ? NULL : &out[k]; /* (0): not wanted */
    if (p->count == 0 || p->T == 0 || p->S == 0 || p->dv == 0) {
        for (int k = 0; k < 4; k++) memset(out[k].data, 0, (size_t)arr_size(&out[k]) * arr_itemsize(p->type));
        return PH_OK;
    }
    PH_TRY(arr_gemm_ready(err));
    PH_TRY(att_prepare(&held[0], &w.g, p, g, false, err));
    PH_TRY(att_prepare(&held[1], &w.z, p, z, false, err));
    PH_TRY(arr_contiguous(&held[2], sums, p->type, err));
    w.sums = held[2].data;
    PH_TRY(all_finite(&w.finite, c, &held[0], err));
    PH_TRY(att_pack_panels(&values, &c->held[2], err));
    att_describe(&w.v, p, &values, true);
    PH_TRY(pad_rows(&c->held[0], w.d, err));
    PH_TRY(pad_rows(&c->held[1], w.d, err));
    att_describe(&p->q, p, &c->held[0], false);
    att_describe(&p->k, p, &c->held[1], true);
    PH_TRY(arr_new(&even, p->type, 2, (int64_t[]){p->count * p->T, w.dv}, err));
    w.even = even.data;
    w.keys = p->count / p->group;
    w.parts = (PIECES - 1) / w.keys + 1;
    int64_t blocks = p->group * ((p->T - 1) / BLOCK_QUERIES + 1);
    if (w.parts > blocks) w.parts = blocks;
    PH_TRY(gather_in(&w.gq, to[0], p->count * p->T, p->d, w.d, 1, p->type, err));
    PH_TRY(gather_in(&w.gk, to[1], w.keys * p->S, p->d, w.d, w.parts, p->type, err));
    PH_TRY(gather_in(&w.gv, to[2], w.keys * p->S, p->dv, w.dv, w.parts, p->type, err));
    w.gs = to[3] ? to[3]->data : NULL;
    PH_TRY(ph_parallel(run_share, &w, w.keys * w.parts, err));
    if (atomic_load(&w.stopped)) PH_TRY(ph_fail_interrupted(err));
    PH_TRY(gather(&w.gq, err));
    PH_TRY(gather(&w.gk, err));
    st = gather(&w.gv, err);
done:
    for (int k = 0; k < 3; k++) arr_drop(&held[k]);
    arr_drop(&values);
    arr_drop(&even);
    arr_drop(&w.gq.work);
    arr_drop(&w.gk.work);
    arr_drop(&w.gv.work);
    return st;
}
