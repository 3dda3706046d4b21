/* eval.h: what the two walks share, over one point (eval.c) and over many (eval_many.c). Private to expr/. */
#ifndef PH_EXPR_EVAL_H
#define PH_EXPR_EVAL_H

#include <math.h>

#include "base/cmplx.h"
#include "expr/expr.h"

#define EXPR_UNDEFINED CMPLX(NAN, NAN)
static inline bool expr_is_undefined(double complex z) { return isnan(creal(z)) || isnan(cimag(z)); }

/* One operation on numbers; statements give 0 or 1 (eval_ops.c). */
double complex expr_apply1(expr_op op, double complex z);
double complex expr_apply2(expr_op op, double complex a, double complex b);

/* An index that a sum has bound, innermost first. */
typedef struct expr_frame {
    const expr_node *sym;
    double value;
    const struct expr_frame *up;
} expr_frame;

typedef struct {
    expr_lookup *lookup;
    void *ctx;
    ph_err *err;
    double *terms; /* that sums may still have; NULL: any number */
} expr_evaluator;

PH_MUST ph_status expr_eval_within(double complex *out, const expr_node *e, const expr_frame *f,
                                   const expr_evaluator *ev);

/* family[index], owned by the caller. EARG: the index is no integer. */
PH_MUST ph_status expr_member(expr_node **out, expr_node *family, double complex index, ph_err *err);
PH_MUST ph_status expr_no_value(const expr_node *atom, ph_err *err); /* EARG, naming it */
PH_MUST ph_status expr_check_bounds(const expr_node *sum, double complex lo, double complex hi, ph_err *err);

#endif
