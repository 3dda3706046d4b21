/* meter.h: what one statement may cost. Private to verify/.
 *
 * Cost is counted in work, never in time, so that an answer is the same on every machine: a unit is about what a quiet machine of today does
 * in a microsecond. The outermost question opens the meter; what it asks on the way shares it. A dear step (a
 * factorisation, a resultant, a product of long polynomials) asks beforehand and is not begun when the meter is empty; loops over
 * cheap ones look between the steps. Whoever finds it empty gives up: EBUDGET, or `unknown`, out of budget.
 */
#ifndef PH_VERIFY_METER_H
#define PH_VERIFY_METER_H

#include "expr/expr.h"

#define VER_METER 8e6 /* of a statement: a few seconds */

void ver_meter_open(double times); /* times of what a statement may cost: 1, or more where it was asked for */
void ver_meter_close(void);        /* the outermost one; else nothing */
/* Counts the units; false: they are more than is left, and the meter is empty from now on. Always true where nobody opened it. */
bool ver_meter_spend(double units);
/* A question on the way that matters little: until ver_meter_restore, which is handed what this returns, it has that share of the whole at
 * most; when it used that up, the others go on with what is left. */
double ver_meter_lower(double share);
void ver_meter_restore(double before);
bool ver_meter_is_empty(void);
bool ver_meter_is_beyond(double share); /* more than that share is used */
double ver_meter_used(void);            /* by the last statement, or this one so far */
void ver_meter_allow(double units);     /* for statements to come; tests give less than VER_METER */

/* What one evaluation costs, in parts, as far as `most`; a sum counts its summand once for each term. */
double ver_work_of(const expr_node *e, double most);

#endif
