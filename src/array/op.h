/* op.h: an operation is a row.
 *
 * A row says everything the laboratory knows of an operation: its name, how many operands it takes, what shape and
 * dtype result, and how to compute it. The rooms array/, attention/ and encoding/ own rows. lua/ finds a row by name
 * and dispatches by operand kind (number, complex, array; traced arrays and formulas join as further kinds without
 * touching a row). How a row differentiates is said by its rule (rule.h), which its room keeps beside it.
 *
 * Invariant: forward never sees operands the shape rule has not accepted, and fills outputs that op_apply allocated
 * by the shape rule. Exception: rows flagged OP_VIEW make their own output, sharing the input's storage.
 */
#ifndef PH_OP_H
#define PH_OP_H

#include "array/array.h"

#define OP_MAXOUT 4
#define OP_MAXINT (4 * ARR_MAXDIM)

/* The attributes of an operation: what it takes besides arrays. Unused fields are zero. */
typedef struct {
    bool has_axis; /* false: over the whole array */
    int axis;   /* 0-based, already checked against ndim by the shape rule (negative counts from the end) */
    bool keep;  /* keep the reduced axis as 1 */
    double num; /* a real parameter (tolerance, ddof, …) */
    int nints;  /* integers: a shape, a permutation, slice triples (first, step, count) */
    int64_t ints[OP_MAXINT];
    const char *word; /* a mode ("f16", "bf16", …); NULL when absent */
    int base;         /* what the caller calls the first index: 0 in C, 1 from Lua. Rows that take or return
                               indices (take, argmax, argsort) count from it; messages name axes by it */
} op_attrs;

typedef struct {
    arr_dtype dtype;
    int ndim;
    int64_t shape[ARR_MAXDIM];
} op_spec;
arr op_outline(
    const op_spec
        *s); /* an array of that shape and type without elements: for what asks for its size or its text */

typedef struct op op;

typedef ph_status op_shape_fn(op_spec *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                              ph_err *err);
typedef ph_status op_forward_fn(arr *out, const op *self, const arr *in, int n, const op_attrs *attrs,
                                ph_err *err);

/* How a row is called from Lua; lua/ holds one argument reader per signature, not per operation. */
typedef enum {
    OP_SIG_X,    /* f(x): elementwise or a function of one array */
    OP_SIG_XY,   /* f(x, y) */
    OP_SIG_XYZ,  /* f(x, y, z) */
    OP_SIG_AXIS, /* f(x [, axis] [, {keep=true}]): reductions; no axis: a full reduction, a Lua number */
    OP_SIG_OTHER /* read by a function of its own in lua/ */
} op_sig;

enum {
    OP_VIEW = 1,        /* output shares the input's storage where it can */
    OP_SMOOTH = 2,      /* differentiable almost everywhere; others are refused by diff/ by name */
    OP_ELEMENTWISE = 4, /* one output element from one element of each operand */
    OP_SCALAR_OUT = 8,  /* always yields a 0-d array (det, cond, rank): a Lua number */
    OP_WHOLE = 16,      /* yields indices or counts: a 0-d result becomes a Lua integer */
    OP_INNER = 32       /* no name in Lua: only rules call it */
};

struct op {
    const char *name;   /* the name in Lua */
    int min_in, max_in; /* operands; max_in -1: any number */
    int n_out;
    op_sig sig;
    unsigned flags;
    op_shape_fn *shape;
    op_forward_fn *forward;
    /* Pure numbers never become arrays: the scalar form, when there is one. NULL otherwise. Out of the real domain it
     * returns NaN. */
    double (*num1)(double);
    double (*num2)(double, double);
    const char
        *title; /* what its messages call it, when that is not its name: a row that runs in another's place */
    const void *kernel; /* private to the owning file: the row's own table of typed loops */
};

/* Runs one row: checks operand count, shape rule, allocation, forward. out[0..n_out-1] are owned by the caller on PH_OK
 * and ARR_NONE otherwise; out is never one of in. Messages start with the row's name. */
PH_MUST ph_status op_apply(arr *out, const op *row, const arr *in, int n, const op_attrs *attrs, ph_err *err);

/* Every room's rows, in one list: a room exports `const op xxx_ops[]; const int xxx_nops;`. */
typedef struct {
    const op *rows;
    const int *n;
} op_table;
extern const op_table op_tables[]; /* ends with rows == NULL; defined in array/op.c */
const op *op_find(const char *name);
static inline const char *op_title(const op *row) { return row->title ? row->title : row->name; }

/* What help says of an operation. A name that begins with "# " is the topic of the rows after it; a table ends with name NULL. */
typedef struct {
    const char *name;
    const char *args;    /* "A, B" or "x [, axis] [, {keep=true}]" */
    const char *help;    /* first line: what it is, under 72 columns. Then shapes, domain, errors, source */
    const char *example; /* Lua lines that are tested; see bind_row in lua/bind.h */
} op_help;
extern const op_help arr_help_elementwise[], arr_help_shape[], arr_help_linalg[];

/* An index over constant tables of rows that begin with their name (op, op_rule): open addressing, never more than half
 * full. Callers mostly pass literals, again and again: `recent` holds what a look-up from the same address found, so
 * that the name need not be hashed; its spelling is still compared, since the text at an address can change. */
enum { OP_SLOTS = 1024, OP_RECENT = 256 };
typedef struct {
    int count;
    const void *slots[OP_SLOTS], *recent[OP_RECENT];
} op_index;
void op_index_add(op_index *ix, const void *rows, int n, size_t size);
const void *op_index_find(op_index *ix, const char *name); /* NULL: none */

/* What the rows of array/ with OP_SIG_OTHER take (axes and indices as `base` says, negative from the end; sizes and shifts are
 * plain integers):
 *   reshape(x)       ints: the shape, one -1 allowed        broadcast_to(x)  ints: the shape
 *   permute(x)       ints: every axis once, 0-based         slice(x)         ints: (first, step, count) for each leading
 *                                                                            dimension, 0-based; count -1 drops it
 *   squeeze(x)       axis, or every axis of size 1          unsqueeze(x)     axis: where the new axis of size 1 will stand
 *   flip(x)          axis, or every axis                    roll(x)          ints: shift; axis, or the last
 *   diag(x)          ints: diagonal k, or none for 0        triu(x) tril(x)  ints: diagonal k, or none for 0
 *   tile(x)          ints: repetitions of each dimension    take(x, index)   axis, or the first; index counts from base
 *   concat(x, ...)   axis, or the first                     stack(x, ...)    axis: where the new one will stand, or first
 *   astype(x)        word: the dtype
 *   softmax(x)       axis, or the last                      layer_norm(x [, gain [, bias]]), rms_norm(x [, gain])
 *                                                                            num: eps
 *   attention(Q, K, V [, term [, term]]), attention_weights(Q, K [, term [, term]])
 *                    ints: causal (0, 1), window (0: none), whether num is the scale (else 1/sqrt d)
 * Rows with OP_SIG_AXIS: reductions go over everything without an axis (var and std read num as ddof, norm as
 * its order 1, 2 or infinity); cumsum, cumprod, sort and argsort go along the last axis without one. */

/* Convenience for C callers and for derivative rules: op_call1(&y, "sin", &x, err). */
PH_MUST ph_status op_call1(arr *out, const char *name, const arr *x, ph_err *err);
PH_MUST ph_status op_call2(arr *out, const char *name, const arr *x, const arr *y, ph_err *err);

#endif
