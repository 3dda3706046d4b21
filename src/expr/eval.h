/* eval.h: what the two walks share, over one point (eval.c) and over many (eval_many.c). Private to expr/. */
#ifndef PH_EXPR_EVAL_H
#define PH_EXPR_EVAL_H

#include <math.h>

#include "base/cmplx.h"
#include "expr/expr.h"

#define EXP_UNDEFINED CMPLX(NAN, NAN)
static inline bool exp_is_undefined(double complex z) { return isnan(creal(z)) || isnan(cimag(z)); }

/* One operation on numbers; statements give 0 or 1 (eval_ops.c). */
double complex exp_apply1(exp_op op, double complex z);
double complex exp_apply2(exp_op op, double complex a, double complex b);

/* An index that a sum has bound, innermost first. */
typedef struct exp_frame {
    const exp_node *sym;
    double value;
    const struct exp_frame *up;
} exp_frame;

typedef struct {
    exp_lookup *lookup;
    void *ctx;
    ph_err *err;
} exp_evaluator;

PH_MUST ph_status exp_eval_within(double complex *out, const exp_node *e, const exp_frame *f,
                                  const exp_evaluator *ev);

/* family[index], owned by the caller. EARG: the index is no integer. */
PH_MUST ph_status exp_member(exp_node **out, exp_node *family, double complex index, ph_err *err);
PH_MUST ph_status exp_no_value(const exp_node *atom, ph_err *err); /* EARG, naming it */
PH_MUST ph_status exp_check_bounds(const exp_node *sum, double complex lo, double complex hi, ph_err *err);

#endif
