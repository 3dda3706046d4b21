/* hunt_arithmetic.h: operations on values, by their tags. */
#ifndef PH_TESTS_HUNT_ARITHMETIC_H
#define PH_TESTS_HUNT_ARITHMETIC_H

#include "hunt.h"

static inline bool is_real_exact(const value *v) { return v->exact && fmpq_is_zero(v->im); }
static inline bool is_zero_exact(const value *v) { return is_real_exact(v) && fmpq_is_zero(v->re); }
static inline bool is_integer_exact(const value *v) {
    return is_real_exact(v) && fmpz_is_one(fmpq_denref(v->re));
}
static inline int order_exact(const value *a, const value *b) {
    return fmpq_cmp(a->re, b->re);
} /* of reals */

found realness(const value *v); /* DEFINED: certainly a real number */
void set_si(value *v, slong n);
found ev_function(value *o, expr_op op, const value *a, slong prec);
found ev_arithmetic(value *o, expr_op op, const value *a, const value *b, slong prec);

#endif
