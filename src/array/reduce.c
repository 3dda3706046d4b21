/* reduce.c: the shape rule and the driver of reductions: lines, blocks, the tree, pieces for threads. */
#include "array/reduce.h"

#include "array/loop.h"
#include "base/parallel.h"

/* ---- shape --------------------------------------------------------------------------------------------- */

static ph_status check_type(const op *self, const arr *x, ph_err *err) {
    const red_kernel *k = self->kernel;
    if (k->bool_only && x->dtype != ARR_BOOL)
        return ph_fail(err, PH_EARG, "%s: x is %s; wanted bool; compare first, as in ne(x, 0)", self->name,
                       arr_dtype_name(x->dtype));
    if (x->dtype == ARR_C128 && !k->complex)
        return ph_fail(err, PH_EARG, "%s: x is c128; wanted real numbers; %s", self->name, k->hint);
    return PH_OK;
}

ph_status arr_red_shape(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                        ph_err *err) {
    (void)n;
    const red_kernel *k = self->kernel;
    char text[200];
    int axis = -1;
    ph_status st = check_type(self, in, err);
    if (st == PH_OK && attrs->has_axis)
        st = arr_axis(&axis, in->ndim, attrs->axis, attrs->base, self->name, err);
    if (st != PH_OK) return st;
    int64_t line = 1, lines = 1;
    for (int i = 0; i < in->ndim; i++) {
        bool reduced = !attrs->has_axis || i == axis;
        *(reduced ? &line : &lines) *= in->shape[i];
        if (!reduced) out->shape[out->ndim++] = in->shape[i];
        else if (attrs->keep) out->shape[out->ndim++] = 1;
    }
    if (line == 0 && lines > 0 && !k->has_empty)
        return ph_fail(err, PH_EDOMAIN, "%s: no elements to fold in shape %s; it has no value there",
                       self->name, arr_shape_text(text, sizeof text, in));
    out->dtype = k->result[in->dtype];
    return PH_OK;
}

/* ---- one operand seen as lines x positions ------------------------------------------------------------- */

typedef struct {
    const arr *x;
    arr_dtype type;  /* f64 or c128: what the folds see */
    arr_walk along;  /* positions of a line */
    arr_walk across; /* first elements of the lines */
    int64_t line, lines;
} view_lines;

static void see_lines(view_lines *v, const arr *x, bool has_axis, int axis) {
    arr one = *x, rest = *x; /* borrowed */
    one.ndim = rest.ndim = 0;
    for (int i = 0; i < x->ndim; i++) {
        arr *to = !has_axis || i == axis ? &one : &rest;
        to->shape[to->ndim] = x->shape[i];
        to->stride[to->ndim++] = x->stride[i];
    }
    v->x = x;
    v->type = x->dtype == ARR_C128 ? ARR_C128 : ARR_F64;
    arr_walk_init(&v->along, one.ndim, one.shape);
    arr_walk_add(&v->along, &one);
    arr_walk_ready(&v->along);
    arr_walk_init(&v->across, rest.ndim, rest.shape);
    arr_walk_add(&v->across, &rest);
    arr_walk_ready(&v->across);
    v->line = v->along.size;
    v->lines = v->across.size;
}

typedef struct {
    const view_lines *v;
    char *to;
    int64_t base, got;
} fetch_job;

static void fetch_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    fetch_job *f = ctx;
    const arr *x = f->v->x;
    size_t item = arr_itemsize(f->v->type);
    arr_cast_run(f->to + (size_t)f->got * item, f->v->type, 1,
                 x->data + (f->base + at[0]) * (int64_t)arr_itemsize(x->dtype), x->dtype, step[0], n);
    f->got += n;
}

/* Elements [lo, lo+n) of the line at offset `base`: in place when they lie there as they are wanted, else in
 * `scratch`. */
static const void *fetch(const view_lines *v, int64_t base, int64_t lo, int64_t n, void *scratch) {
    const arr *x = v->x;
    if (x->dtype == v->type && v->along.ndim == 1 && v->along.stride[0][0] == 1)
        return x->data + (base + lo) * (int64_t)arr_itemsize(x->dtype);
    fetch_job f = {v, scratch, base, 0};
    arr_walk_run(&v->along, lo, lo + n, fetch_run, &f);
    return scratch;
}

/* As fetch, for w lines `apart` elements from one another: scratch[w][RED_BLOCK]. */
static void fetch_tile(const view_lines *v, int64_t base, int64_t apart, int w, int64_t lo, int64_t n,
                       void *scratch) {
    const arr *x = v->x;
    int64_t step = v->along.stride[0][0];
    size_t item = arr_itemsize(v->type);
    const char *src = x->data + (base + lo * step) * (int64_t)arr_itemsize(x->dtype);
    if (x->dtype == ARR_F64) {
        for (int64_t p = 0; p < n; p++)
            for (int i = 0; i < w; i++)
                ((double *)scratch)[i * RED_BLOCK + p] = ((const double *)src)[p * step + i * apart];
        return;
    }
    for (int64_t p = 0; p < n; p++) {
        const char *row = src + p * step * (int64_t)arr_itemsize(x->dtype);
        arr_cast_run((char *)scratch + (size_t)p * item, v->type, RED_BLOCK, row, x->dtype, apart, w);
    }
}

/* ---- folding ------------------------------------------------------------------------------------------- */

typedef struct {
    view_lines v;
    const red_kernel *k;
    const op_attrs *attrs;
    arr *out;
    int64_t segments; /* pieces of one line; more than one: partial results wait in `part` */
    int64_t lines_per_piece;
    red_acc *part; /* [lines][segments] */
    int tile;      /* lines read side by side */
} red_job;

static void fold_block(const red_job *j, red_acc *acc, const void *x, int64_t n, int64_t from) {
    *acc = (red_acc){.n = n};
    (j->v.type == ARR_C128 ? j->k->complex : j->k->real)(acc, x, n, from);
}

static void join(const red_job *j, red_acc *left, const red_acc *right) {
    j->k->join(left, right, j->v.type == ARR_C128);
    left->n += right->n;
}

/* The tree as a binary counter: level l holds a fold of 2^l blocks. Pushing a block carries; at the end the
 * levels fold from the right. This is the tree that splits a line at the largest power of two below its
 * length. */
typedef struct {
    red_acc level[48];
    uint64_t count;
} red_tree;

static void tree_push(const red_job *j, red_tree *t, const red_acc *block) {
    red_acc carry = *block;
    int l = 0;
    for (uint64_t c = t->count++; c & 1; c >>= 1, l++) {
        red_acc left = t->level[l];
        join(j, &left, &carry);
        carry = left;
    }
    t->level[l] = carry;
}

static red_acc tree_end(const red_job *j, const red_tree *t) {
    red_acc acc = {.n = 0};
    bool begun = false;
    int l = 0;
    for (uint64_t c = t->count; c; c >>= 1, l++) {
        if (!(c & 1)) continue;
        red_acc left = t->level[l];
        if (begun) join(j, &left, &acc);
        acc = left;
        begun = true;
    }
    return acc;
}

static void put(const red_job *j, int64_t line, const red_acc *acc) {
    arr_c128 z = j->k->finish(acc, j->v.type == ARR_C128, j->attrs);
    arr_cast_run(j->out->data + line * (int64_t)arr_itemsize(j->out->dtype), j->out->dtype, 1, &z, ARR_C128,
                 1, 1);
}

/* One block of each of w lines, from position `at`. */
static void fold_blocks(const red_job *j, red_acc *block, int64_t base, int64_t apart, int w, int64_t at,
                        int64_t n, void *scratch) {
    const arr *x = j->v.x;
    if (j->k->tile && w == RED_TILE && apart == 1 && (x->dtype == ARR_F64 || x->dtype == ARR_F32)) {
        const int64_t step = j->v.along.stride[0][0], first = base + at * step;
        for (int i = 0; i < w; i++) block[i] = (red_acc){.n = n};
        if (x->dtype == ARR_F64) j->k->tile(block, (const double *)x->data + first, step, n);
        else j->k->tile_f32(block, (const float *)x->data + first, step, n);
        return;
    }
    if (w == 1) {
        fold_block(j, block, fetch(&j->v, base, at, n, scratch), n, at);
        return;
    }
    fetch_tile(&j->v, base, apart, w, at, n, scratch);
    size_t line = RED_BLOCK * arr_itemsize(j->v.type);
    for (int i = 0; i < w; i++) fold_block(j, &block[i], (char *)scratch + (size_t)i * line, n, at);
}

/* Folds positions [lo, hi) of w <= RED_TILE lines, whose first elements are `apart` elements from one
 * another. Strided lines are read side by side, so that every cache line is used whole. */
static void fold_lines(const red_job *j, red_acc *acc, int64_t base, int64_t apart, int w, int64_t lo,
                       int64_t hi) {
    double scratch[RED_TILE * RED_BLOCK];
    red_tree tree[RED_TILE];
    if (hi - lo <= RED_BLOCK) { /* a tree of one block */
        fold_blocks(j, acc, base, apart, w, lo, hi - lo, scratch);
        return;
    }
    for (int i = 0; i < w; i++) tree[i].count = 0;
    for (int64_t at = lo; at < hi; at += RED_BLOCK) {
        red_acc block[RED_TILE];
        fold_blocks(j, block, base, apart, w, at, hi - at < RED_BLOCK ? hi - at : RED_BLOCK, scratch);
        for (int i = 0; i < w; i++) tree_push(j, &tree[i], &block[i]);
    }
    for (int i = 0; i < w; i++) acc[i] = tree_end(j, &tree[i]);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

typedef struct {
    const red_job *j;
    int64_t line, segment;
} piece_job;

/* Lines of neighbouring numbers, folded without a word between them: n lines from element `base`, `apart` from one another. Those of
 * f32 go by way of doubles. */
static void fold_rows(const red_job *j, int64_t line, int64_t base, int64_t apart, int64_t n) {
    const arr *x = j->v.x;
    const int64_t each = j->v.line, group = RED_TILE * RED_BLOCK / each; /* lines that the rooms hold */
    double scratch[RED_TILE * RED_BLOCK], sums[RED_BLOCK];
    if (x->dtype == ARR_F64) {
        j->k->rows((double *)j->out->data + line, (const double *)x->data + base, apart, n, each);
        return;
    }
    for (int64_t done = 0, m; done < n; done += m) {
        const float *from = (const float *)x->data + base + done * apart;
        m = n - done;
        if (m > group) m = group;
        if (m > RED_BLOCK) m = RED_BLOCK;
        bool lie = apart == each;
        for (int64_t i = 0; i < (lie ? 1 : m); i++)
            arr_cast_run(scratch + i * each, ARR_F64, 1, from + i * apart, ARR_F32, 1, lie ? m * each : each);
        j->k->rows(sums, scratch, each, m, each);
        arr_cast_run((float *)j->out->data + line + done, ARR_F32, 1, sums, ARR_F64, 1, m);
    }
}

/* Folds n lines that begin `apart` elements from one another in one go, where they lie so that it can be done. */
static bool fold_together(const red_job *j, int64_t line, int64_t base, int64_t apart, int64_t n) {
    const arr *x = j->v.x;
    const int64_t step = j->v.along.stride[0][0];
    if (!j->k->rows || j->v.line > RED_BLOCK || j->out->dtype != x->dtype || j->v.along.ndim != 1)
        return false;
    if (step == 1 && (x->dtype == ARR_F64 || x->dtype == ARR_F32)) fold_rows(j, line, base, apart, n);
    else if (apart == 1 && x->dtype == ARR_F64)
        j->k->columns((double *)j->out->data + line, (const double *)x->data + base, step, n, j->v.line);
    else return false;
    return true;
}

/* A run of lines that are evenly apart. */
static void lines_run(void *ctx, const int64_t *at, const int64_t *step, int64_t n) {
    piece_job *p = ctx;
    const red_job *j = p->j;
    int64_t lo = p->segment * ARR_PIECE, hi = lo + ARR_PIECE;
    if (hi > j->v.line) hi = j->v.line;
    if (fold_together(j, p->line, at[0], step[0], n)) {
        p->line += n;
        return;
    }
    for (int64_t i = 0; i < n;) {
        red_acc acc[RED_TILE];
        int w = n - i < j->tile ? (int)(n - i) : j->tile;
        fold_lines(j, acc, at[0] + i * step[0], step[0], w, lo, hi);
        for (int k = 0; k < w; k++, i++, p->line++)
            if (j->part) j->part[p->line * j->segments + p->segment] = acc[k];
            else put(j, p->line, &acc[k]);
    }
}

static void red_piece(void *ctx, int64_t piece) {
    const red_job *j = ctx;
    piece_job p = {j, piece / j->segments * j->lines_per_piece, piece % j->segments};
    int64_t end = p.line + j->lines_per_piece;
    arr_walk_run(&j->v.across, p.line, end < j->v.lines ? end : j->v.lines, lines_run, &p);
}

/* The segments of a line are whole subtrees of its tree (the last one excepted, which stands at the end). */
static void join_segments(const red_job *j) {
    for (int64_t line = 0; line < j->v.lines; line++) {
        red_tree tree = {.count = 0};
        for (int64_t s = 0; s < j->segments; s++) tree_push(j, &tree, &j->part[line * j->segments + s]);
        red_acc acc = tree_end(j, &tree);
        put(j, line, &acc);
    }
}

static ph_status fold_all(red_job *j, ph_err *err) {
    ph_status st;
    size_t bytes;
    int64_t line = j->v.line, lines = j->v.lines;
    bool strided = j->v.along.ndim == 1 && j->v.along.stride[0][0] != 1;
    j->tile = !strided ? 1 : j->v.type == ARR_C128 ? RED_TILE / 2 : RED_TILE;
    j->segments = (line - 1) / ARR_PIECE + 1;
    j->lines_per_piece = j->segments > 1 ? RED_TILE : (ARR_PIECE / line / RED_TILE + 1) * RED_TILE;
    if (j->segments > 1) {
        if (!ph_shape_bytes(&bytes, (int64_t[]){lines, j->segments}, 2, sizeof *j->part))
            return ph_fail_nomem(err, SIZE_MAX);
        j->part = ph_alloc(bytes);
        if (!j->part) return ph_fail_nomem(err, bytes);
    }
    int64_t pieces = ((lines - 1) / j->lines_per_piece + 1) * j->segments;
    if (pieces > 1) PH_TRY(ph_parallel(red_piece, j, pieces, err));
    else red_piece(j, 0);
    if (j->part) join_segments(j);
    st = PH_OK;
done:
    ph_free(j->part);
    return st;
}

ph_status arr_red_forward(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                          ph_err *err) {
    (void)n;
    red_job j = {.k = self->kernel, .attrs = attrs, .out = out};
    int axis = -1;
    ph_status st =
        attrs->has_axis ? arr_axis(&axis, in->ndim, attrs->axis, attrs->base, self->name, err) : PH_OK;
    if (st != PH_OK) return st;
    see_lines(&j.v, in, attrs->has_axis, axis);
    if (j.v.lines == 0) return PH_OK;
    if (j.v.line > 0) return fold_all(&j, err);
    arr_c128 empty = {j.k->empty, 0};
    for (int64_t i = 0; i < j.v.lines; i++)
        arr_cast_run(out->data + i * (int64_t)arr_itemsize(out->dtype), out->dtype, 1, &empty, ARR_C128, 1,
                     1);
    return PH_OK;
}
