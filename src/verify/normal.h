/* normal.h: is a formula identically zero? The normal form that decides. Private to verify/.
 *
 * Theory. Every sin, cos, tan, exp, sinh, cosh, tanh, power with a symbolic or fractional exponent is written with
 * exponentials e^E, E a fraction in the symbols, I, pi and logarithms of positive quantities. E is split into its
 * monomials ("directions"); e^(direction/q) is a generator of the ring Z[generators]. Exponentials of directions that are
 * linearly independent over Q modulo constants are algebraically independent over the field of the symbols, so for real
 * symbols the normal form is 0 exactly when the formula is (no constants such as log 2 beside pi and e involved). A normal
 * form of 0 proves the identity in every case; a nonzero one proves nothing by itself: the caller seeks a witness.
 * Atoms outside (abs, floor, sign, Ci, Si, atan of something) are generators keyed by their argument, with the relations
 * that define them (abs(u)^2 = u^2).
 */
#ifndef PH_VERIFY_NORMAL_H
#define PH_VERIFY_NORMAL_H

#include "expr/build.h"

typedef enum { NORMAL_ZERO, NORMAL_NONZERO } normal_answer;

typedef struct {
    normal_answer answer;
    int64_t terms;       /* of the largest numerator met */
    bool exponentials;   /* generators e^E were used */
    bool algebraic;      /* roots, abs, I as relations beyond I^2 = -1 */
    bool opaque;         /* atoms outside the theory were used: NONZERO may still be an identity */
    char reason[160];    /* which, when opaque */
    expr_set conditions; /* statements under which both sides are defined, in the order met */
} normal_form;

void ver_normal_clear(normal_form *f);

/* EDOMAIN: undefined for all values (a denominator that is identically 0). EBUDGET; EOUTSIDE, such as a sum. Sums must have been written out or removed by the caller. */
PH_MUST ph_status ver_normal_decide(normal_form *out, expr_node *e, ph_err *err);

/* x = y by normal form; false when undecided. Refused memory and interrupts fail the builder. */
bool ver_normal_equal(expr_builder *b, expr_node *x, expr_node *y);

/* Statements under which e is defined when its parts are, added to `out`. */
PH_MUST ph_status ver_normal_condition(expr_set *out, expr_node *e, ph_err *err);

#endif
