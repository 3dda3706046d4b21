/* diff.h: exact derivatives of whatever is computed with operations.
 *
 * A *tape* writes down every operation on the values that were put into it. Afterwards it is swept: backwards (pull:
 * cotangents of results become cotangents of inputs) or forwards (push: tangents of inputs become tangents of results). Sweeps
 * run the rules of array/rule.h, which are operations themselves, so an outer tape writes them down too: that is all there is
 * to derivatives of derivatives. This room knows no operation by name.
 *
 * A *batch* is the other kind of trace: its values are many values of one shape, which look like one. Sweeping with a batch
 * of tangents gives many columns of a Jacobian (rows, backwards) at once.
 *
 * Values: an op_val is a constant (an array) or belongs to one trace and stands for a value one level further in. An
 * operation goes to the innermost trace among its operands, the one opened last; the others are constants to it. So what
 * one derivative perturbs another never sees: perturbations cannot be confused. Derivatives are real: a complex result is
 * refused.
 *
 * Ownership: functions that give an op_val give a reference; end it with dif_drop. A trace is closed when its work is done:
 * what it kept is freed, and every operation refuses its values from then on ("escaped").
 * Cost: vjp and jvp run each rule once; a tape keeps the operands and results that rules look at, until it is closed.
 */
#ifndef PH_DIFF_H
#define PH_DIFF_H

#include "array/rule.h"

/* The user's line that called an operation; source NULL: unknown. */
typedef struct {
    const char *source;
    int line;
} dif_place;

/* ---- values -------------------------------------------------------------------------------------------- */

op_val *dif_ref(op_val *v);
void dif_drop(op_val *v);                                          /* NULL is fine */
PH_MUST ph_status dif_constant(op_val **out, arr *a, ph_err *err); /* takes the array over, leaves ARR_NONE */
const op_spec *dif_spec(const op_val *v);
bool dif_traced(const op_val *v);  /* not a plain constant */
bool dif_escaped(const op_val *v); /* its trace is closed */
/* A constant whose elements others hold too, or whose entries share them, is replaced by one with elements of its own. After
 * a failure *v is as it was, or NULL. */
PH_MUST ph_status dif_own(op_val **v, ph_err *err);
const arr *dif_array(const op_val *v); /* the array behind all tapes, borrowed; NULL for a batch or a husk */

/* ---- traces -------------------------------------------------------------------------------------------- */

typedef struct dif_trace dif_trace;
PH_MUST ph_status dif_open(dif_trace **out, ph_err *err);
PH_MUST ph_status dif_open_batch(dif_trace **out, int64_t size, ph_err *err);
void dif_end(dif_trace *t); /* closes, and ends the reference; NULL is fine */
bool dif_any_open(void);

/* From now on whatever makes a NaN out of operands without one fails, here and in sweeps; the message says which. */
void dif_watch(dif_trace *tape);

/* An independent variable of the tape, with the value v, which must be real (f32 or f64). */
PH_MUST ph_status dif_input(op_val **out, dif_trace *tape, op_val *v, ph_err *err);
/* The batch whose members are v[0], v[1], … */
PH_MUST ph_status dif_batched(op_val **out, dif_trace *batch, op_val *v, ph_err *err);
/* The members as one value with a leading axis; v may be the same for all of them (any value). */
PH_MUST ph_status dif_members(op_val **out, dif_trace *batch, op_val *v, ph_err *err);
/* The value that v, made on this tape, has outside of it; v itself when it does not belong to it. */
op_val *dif_outside(dif_trace *tape, op_val *v);

/* ---- looking at a tape --------------------------------------------------------------------------------- */

/* An operation that was written down, or an input (row NULL); what it points to lasts as long as the tape. */
typedef struct {
    const op *row;
    bool moves; /* it only brings numbers to other places */
    int n;
    const int64_t *from;  /* slots of the operands; -1: a constant */
    const op_spec *shape; /* of the first result */
    dif_place at;
} dif_op;
bool dif_node_at(const dif_trace *tape, int64_t i, dif_op *out); /* false past the last */
int64_t dif_slot(const dif_trace *tape, const op_val *v);        /* -1: no value of this tape */
int64_t dif_node_of(const dif_trace *tape, int64_t slot);        /* which operation made it */

/* ---- operations and sweeps ----------------------------------------------------------------------------- */

/* As op_apply, on values. out[0..n_out-1] are the caller's on PH_OK and NULL otherwise. */
PH_MUST ph_status dif_apply(op_val **out, const op *row, op_val *const *in, int n, const op_attrs *attrs,
                            dif_place at, ph_err *err);

/* What `define` computes from values by operations, n_out of them, on whatever traces they belong to. `who` is for the message of a
 * definition that gives nothing. */
typedef void dif_define_fn(op_ctx *c, const void *ctx, op_val **y);
PH_MUST ph_status dif_define(op_val **out, int n_out, const char *who, dif_define_fn *define, const void *ctx,
                             dif_place at, ph_err *err);

/* gx[i] = the cotangent of input x[i] for cotangents g of y; zeros where nothing depends on it. A y that is no value of the
 * tape counts as a constant. `last`: the tape is not swept again, so what it kept may go early. On failure *at is the line of
 * the operation whose rule failed. */
PH_MUST ph_status dif_vjp(dif_trace *tape, int ny, op_val *const *y, op_val *const *g, int nx,
                          op_val *const *x, op_val **gx, bool last, dif_place *at, ph_err *err);
/* dy[k] = the tangent of y[k] for tangents dx of inputs x. */
PH_MUST ph_status dif_jvp(dif_trace *tape, int nx, op_val *const *x, op_val *const *dx, int ny,
                          op_val *const *y, op_val **dy, dif_place *at, ph_err *err);

#endif
