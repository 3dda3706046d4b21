/* laurent.h: Laurent polynomials with rational coefficients of one word, on a stack. Private to verify/.
 *
 * A monomial is a product of powers of generators, times I or not (I^2 = −1 is applied at once); exponents are whole numbers of
 * 1/LAU_UNIT, so that e^(ix/3) is a power of e^(ix). Polynomials lie on a stack of terms, one after the other: an operation takes those on
 * top and leaves its result there. What does not fit a word, or would be dear, makes `ok` false for good: the caller then has the
 * general normal form.
 */
#ifndef PH_VERIFY_LAURENT_H
#define PH_VERIFY_LAURENT_H

#include "base/base.h"

#define LAU_UNIT INT64_C(37837800000) /* 2^6·3^3·5^5·7^2·11·13 */

typedef struct {
    int64_t gen, exp; /* exp != 0 */
} lau_factor;

typedef struct {
    uint64_t hash; /* Σ exp·(a number of the generator): that of a product is the sum */
    int64_t num, den;
    uint32_t at, n; /* its factors, in order of gen */
    bool i;         /* times I */
} lau_term;

typedef struct {
    lau_term *term; /* the stack */
    uint32_t n, cap;
    lau_factor *factor; /* never shrinks */
    uint32_t nfactors, capfactors;
    uint32_t *slot; /* scratch of ver_lau_combine */
    uint32_t nslots;
    uint64_t work; /* products of terms so far */
    bool ok;
    ph_status st; /* memory, interrupts */
    ph_err *err;
} lau_stack;

void ver_lau_init(lau_stack *s, ph_err *err);
void ver_lau_clear(lau_stack *s);

/* Pushes (num/den)·I^i·Π factors: a polynomial of one term; num != 0, factors in order of gen. */
void ver_lau_push(lau_stack *s, int64_t num, int64_t den, bool i, const lau_factor *f, uint32_t n);
/* One power of a generator as it is pushed, exp in 1/LAU_UNIT. */
void ver_lau_push_power(lau_stack *s, int64_t gen, int64_t exp);
void ver_lau_push_copy(lau_stack *s, uint32_t from, uint32_t to);

/* The terms from `from` upward: one polynomial, like terms added, zeros gone. */
void ver_lau_combine(lau_stack *s, uint32_t from);
void ver_lau_negate(lau_stack *s, uint32_t from);
/* (the terms from a up to b)·(those from b upward), left at a. */
void ver_lau_multiply(lau_stack *s, uint32_t a, uint32_t b);
/* The one term on top, to the power k; k may be negative. */
void ver_lau_power_of_term(lau_stack *s, int64_t k);
/* Terms a and b are the same but for their coefficients. */
bool ver_lau_alike(const lau_stack *s, const lau_term *a, const lau_term *b);

#endif
