/* rule.h: how an operation differentiates. A rule stands beside its row and is *written in operations*: it sees
 * abstract values and calls operations on them, so what it computes can be differentiated again, to any order.
 *
 * Letters: y = f(x) are the results and operands of one call; dx, dy are tangents (dy = J dx, forward), g and gx
 * cotangents (gx = J^T g, backward). A tangent or cotangent has the shape and dtype of its value.
 *
 * What a rule gives, one of:
 *   pass     elementwise rows: t times dy/dx_i. J is diagonal, so the same product goes both ways; diff/ sums what
 *            broadcasting stretched (backward) or stretches (forward).
 *   vjp      gx from g. jvp, dy from dx, is optional: left out, it is vjp transposed once more (vjp is linear in g).
 *   define   the row is a shortcut: its results by other operations, whose derivatives are the row's. Where somebody looks,
 *            those run; numbers take the shortcut. Beside a vjp, derivatives take the vjp, and the definition is for an
 *            engine that knows basic operations only, as that of formulas does.
 *   refuse   why there is no derivative, in words for a person.
 *   plain    the results (bools, indices, counts) carry none: they leave the trace.
 *
 * Zeros are symbolic: NULL is the zero of whatever shape. Every op_do of a NULL operand is NULL, which is right for rules,
 * since they are linear in g and dx; sums are op_plus. A value's x and y are as they were in the call, except that what
 * `drop` says is not kept is NULL: its shape is still in sx and sy.
 *
 * Batches: many tangents travel together. A rule never sees this: a batched value looks like one of its members. `batch`
 * runs the operation on operands with one more, leading axis; left out, members go one by one. Leading, because
 * broadcasting aligns last dimensions and stacks of matrices stand in front, so most operations take a batch as it
 * lies; a product of a batch with one matrix is then a single product of all its rows.
 *
 * Memory: the context owns every value that a rule makes. Failure: the first one stays in c->st and everything after it
 * does nothing and is NULL; a rule need not look.
 */
#ifndef PH_RULE_H
#define PH_RULE_H

#include "array/op.h"

typedef struct op_val op_val;
typedef struct op_ctx op_ctx;

/* One call of an operation, as a rule sees it. */
typedef struct {
    const op *row;
    const op_attrs *attrs; /* as it was, with its base */
    int n;                 /* operands */
    op_val *const *x, *const *y;
    const op_spec *sx, *sy; /* shape and dtype of each */
    const bool *wants;      /* vjp: the operands whose gx is asked for; others may be left NULL */
    int ny;                 /* of y and sy: the results, and behind them what `keeps` adds */
} op_use;

typedef op_val *op_pass_fn(op_ctx *c, const op_use *u, int i, op_val *t);
/* All of gx (dy, y) is NULL before the call. */
typedef void op_vjp_fn(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx);
typedef void op_jvp_fn(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy);
/* u: n, x and sx only. Every y[k] shall be there. */
typedef void op_define_fn(op_ctx *c, const op_use *u, op_val **y);
/* x[i] has a leading axis of `size` where batched[i]; sx[i] is the shape of one member. Every y[k] shall have that axis. */
typedef void op_batch_fn(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y);

/* Bits of `drop`: operand i < 8 is 1 << i. */
enum { OP_DROP_X = 255, OP_DROP_Y = 256 };

typedef struct {
    const char *name; /* of the row */
    op_pass_fn *pass;
    op_vjp_fn *vjp;
    op_jvp_fn *jvp;
    op_batch_fn *batch;
    op_define_fn *define;
    /* A row with the same operands and more results, run in place of this one where a derivative will be asked for, so that
     * the rule finds them in y. */
    const char *keeps;
    unsigned drop; /* what the derivative does not look at, so that it need not be kept */
    bool
        mutual; /* an operand is looked at for derivatives by the others only: kept where one of them has any */
    const char *refuse; /* "is a staircase: ..."; the message begins with the row's name */
    bool plain;
    bool moves; /* it only brings numbers to other places: no step of a computation */
} op_rule;

/* Every room's rules, in one list, as op_tables. */
typedef struct {
    const op_rule *rules;
    const int *n;
} op_rule_table;
extern const op_rule_table op_rule_tables[]; /* ends with rules == NULL; defined in array/rule.c */
const op_rule *op_rule_of(const op *row);    /* NULL: none */
/* Tests only: from now on this rule stands in place of the row's own; NULL brings that back. */
void op_rule_replace(const char *name, const op_rule *rule);

/* ---- what a rule calls --------------------------------------------------------------------------------- */

/* Who runs the operations; filled in by diff/. */
typedef struct {
    void (*apply)(op_ctx *c, op_val **out, const op *row, op_val *const *in, int n, const op_attrs *attrs);
    op_val *(*hold)(op_ctx *c, arr *a);
    op_val *(*still)(op_ctx *c, op_val *v);
    const op_spec *(*spec)(const op_val *v);
    bool (*number)(const op_val *v, double *x);
} op_engine;

struct op_ctx {
    const op_engine *engine;
    ph_status st;
    ph_err err;
};

/* The first result, or all of them, of an operation by name. attrs NULL: none. Axes are 0-based (attrs->base is 0). */
op_val *op_do(op_ctx *c, const char *name, const op_attrs *attrs, int n, op_val *const *in);
void op_do_all(op_ctx *c, const char *name, const op_attrs *attrs, int n, op_val *const *in, op_val **out);
op_val *op_do1(op_ctx *c, const char *name, op_val *x);
op_val *op_do2(op_ctx *c, const char *name, op_val *x, op_val *y);
op_val *op_do3(op_ctx *c, const char *name, op_val *x, op_val *y, op_val *z);
op_val *op_do_axis(op_ctx *c, const char *name, op_val *x, int axis,
                   bool keep); /* axis negative: from the end */
op_val *op_do_ints(op_ctx *c, const char *name, op_val *x, int n, const int64_t *ints);

op_val *op_plus(op_ctx *c, op_val *a, op_val *b); /* a + b, where NULL is 0 */
op_val *op_times(op_ctx *c, op_val *a, double f); /* f a */
op_val *op_num(op_ctx *c, double x);              /* a 0-d constant: it never widens a type */
op_val *op_hold(op_ctx *c, arr *a);               /* a constant; takes the array over, leaves ARR_NONE */
op_val *op_filled(op_ctx *c, const op_spec *s, double x); /* a constant array of that shape and dtype */
/* The value of v as a constant: derivatives end here. For the pieces of a piecewise rule (signs, masks, orders). */
op_val *op_stop_gradient(op_ctx *c, op_val *v);
const op_spec *op_spec_of(op_ctx *c, const op_val *v);    /* v not NULL */
bool op_is_number(op_ctx *c, const op_val *v, double *x); /* v is a 0-d constant: its value in *x */
op_val *op_to_shape(op_ctx *c, op_val *v, int ndim, const int64_t *shape);
/* x, (size, ...), a batch of members of that shape, with dimensions of 1 put in so that its members have `ndim`, no fewer than
 * they had. */
op_val *op_pad_batch(op_ctx *c, op_val *x, const op_spec *member, int64_t size, int ndim);
op_val *op_swap(op_ctx *c, op_val *v); /* the last two dimensions change places */

/* g, of the shape x had after broadcasting, brought back to x's shape and dtype by summing what was stretched. */
op_val *op_fit(op_ctx *c, op_val *g, const op_spec *x);
/* t stretched to the shape (and brought to the dtype) of y. */
op_val *op_spread(op_ctx *c, op_val *t, const op_spec *y);
/* The axis that attrs names, 0-based and from the front; `otherwise` (negative from the end) without one. */
int op_axis_of(const op_attrs *attrs, int ndim, int otherwise);
/* The first failure stays. */
void op_fail(op_ctx *c, ph_status code, const char *fmt, ...) PH_PRINTF(3, 4);

/* ---- batches ------------------------------------------------------------------------------------------- */

op_batch_fn op_batch_each;        /* members one by one: right for every row */
op_batch_fn op_batch_elementwise; /* broadcasting, with the batch in front */
op_batch_fn op_batch_stack;       /* rows of one operand that work on the last two dimensions of a stack */
op_batch_fn op_batch_axis;        /* rows of one operand that work along the attributes' axis, or the last */
op_batch_fn op_batch_fold;        /* reductions: along the attributes' axis, or over everything */

#endif
