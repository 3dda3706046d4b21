/* steps.h: a pair of formulas as a list of their distinct parts, each behind those that it is made of. Who asks for the values of both at many points
 * works every part out once a point, however often it stands there.
 *
 *      sin(w*t)*cos(w*t)  and  t      0: w   1: t   2: w*t   3: sin(2)   4: cos(2)   5: 3*4      roots 5 and 1
 */
#ifndef PH_EXPR_STEPS_H
#define PH_EXPR_STEPS_H

#include "expr/expr.h"

typedef struct {
    const expr_node *part; /* borrowed from the formulas */
    int a, b;              /* the steps of its operands; -1: it has none */
    int wave; /* sin and cos of one step know each other: the step of the other one; -1: there is none */
} expr_step;

typedef struct {
    int n; /* 0: there is no list, since a part binds an index, chooses, or says something; or there are too many */
    expr_step *step;
    double _Complex *value; /* room for those of expr_steps_eval */
    int root[2];
} expr_steps;

PH_MUST ph_status expr_steps_of(expr_steps *out, const expr_node *l, const expr_node *r, ph_err *err);
void expr_steps_clear(expr_steps *s);

/* The values of both formulas, as expr_eval gives them, but for what the C library may round otherwise where it finds sin and cos together. */
PH_MUST ph_status expr_steps_eval(double _Complex *l, double _Complex *r, expr_steps *s, expr_lookup *lookup,
                                  void *ctx, ph_err *err);

#endif
