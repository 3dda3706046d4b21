/* certify.h: statements over boxes, enclosures, integrals, roots and extrema, all by ball arithmetic.
 *
 * Nothing here rests on rounding: a value is a ball that contains the number meant, a verdict `certified` covers every point
 * of the box, `refuted` carries an exact point, and what is not decided says why (out of budget, or undefined: DOMAIN).
 * Precision is at most VER_MAX_BITS bits; no call reaches FLINT with an argument at which it aborts.
 */
#ifndef PH_VERIFY_CERTIFY_H
#define PH_VERIFY_CERTIFY_H

#include "expr/expr.h"
#include "verify/verdict.h"

#define VER_MAX_VARS   16
#define VER_MAX_DIGITS 3000
#define VER_MAX_BITS   16384
#define VER_MAX_BOXES  10000000

/* ---- enclosures ---------------------------------------------------------------------------------------- */

/* A real number known to lie in a ball. */
typedef struct ver_number ver_number;

void ver_number_free(ver_number *n); /* NULL is fine */
/* "3.14159 ± 2.7e-6", at most `digits` digits (1 … VER_MAX_DIGITS), none of them beyond what the ball guarantees but the
 * last, which the radius covers; "below 2^9000000 in size" where decimals would be too long; ph_alloc'ed. */
PH_MUST ph_status ver_number_text(char **out, const ver_number *n, int digits, ph_err *err);
/* The guaranteed digits alone, at most `digits` of them; where not one is certain, a zero with its order: "0e-30". */
PH_MUST ph_status ver_number_digits(char **out, const ver_number *n, int digits, ph_err *err);
double ver_number_mid(const ver_number *n);    /* nearest */
double ver_number_radius(const ver_number *n); /* rounded up */
double ver_number_lower(const ver_number *n);  /* rounded down */
double ver_number_upper(const ver_number *n);  /* rounded up */
bool ver_number_overlaps(const ver_number *a, const ver_number *b);
/* Does the ball contain the constant? EARG when it has symbols, EDOMAIN when it is no real number, EBUDGET when it lies too
 * near the rim to tell. */
PH_MUST ph_status ver_number_contains(bool *out, const ver_number *n, const expr_node *constant, ph_err *err);
bool ver_number_contains_double(const ver_number *n, double x); /* false for NaN and ±Inf */

/* ---- boxes --------------------------------------------------------------------------------------------- */

/* A symbol (or a member such as θ[0]) and the ends of its range: exact formulas without symbols, real, finite, lo <= hi.
 * An integer symbol runs through the integers of its range. All borrowed. */
typedef struct {
    expr_node *sym, *lo, *hi;
} ver_range;

typedef struct {
    const ver_range *range;
    int n; /* at most VER_MAX_VARS */
} ver_ranges;

/* Called now and then with how many boxes are done and how many wait; may be NULL. Must not raise. */
typedef void ver_on_boxes(void *ctx, int64_t done, int64_t left);

typedef struct {
    int64_t boxes; /* 0: the default, 20000 */
    int digits;    /* wanted; 0: the default, 20 */
    ver_on_boxes *on;
    void *ctx;
} ver_budget;

/* Judges the statement for all points of the box. An equality needs a radius >= 0: |lhs − rhs| <= radius; NULL: none given.
 * EARG: no statement; a symbol without a range or a range without its symbol (named); a range that is empty, reversed, not
 * real, or outside its symbol's assumption. EINTR. *out is to be cleared in any case; so everywhere below. */
PH_MUST ph_status ver_certify(ver_verdict *out, expr_node *statement, const ver_ranges *box,
                              expr_node *radius, const ver_budget *budget, ph_err *err);

/* Is f monotone in x on [a, b]? certified (increasing, decreasing, or weakly so), refuted (two points at which the derivative
 * has opposite signs), unknown. */
PH_MUST ph_status ver_monotone(ver_verdict *out, expr_node *f, const ver_range *x, const ver_budget *budget,
                               ph_err *err);

/* Enclosures of the least and the greatest value of f over the box, each no wider than tolerance (> 0) where the budget
 * allows; *lo and *hi are owned by the caller. EDOMAIN: f is not finite and real throughout. */
PH_MUST ph_status ver_bounds(ver_number **lo, ver_number **hi, ver_verdict *out, expr_node *f,
                             const ver_ranges *box, double tolerance, const ver_budget *budget, ph_err *err);

/* The value of f at one point (every range a single value, lo == hi), with that many digits or as near as VER_MAX_BITS comes;
 * *im is NULL for a real one. EDOMAIN: undefined there. */
PH_MUST ph_status ver_enclose(ver_number **re, ver_number **im, ver_verdict *out, expr_node *f,
                              const ver_ranges *point, const ver_budget *budget, ph_err *err);

/* ∫ f dx from x->lo to x->hi (in any order; lo NULL: from −∞, hi NULL: to ∞), also where f is not finite at an end or at points
 * inside, when it converges absolutely. *im is NULL when the integral is real. EDOMAIN: divergent, or no finite enclosure. */
PH_MUST ph_status ver_integral(ver_number **re, ver_number **im, ver_verdict *out, expr_node *f,
                               const ver_range *x, const ver_budget *budget, ph_err *err);

/* The roots of f in [lo, hi], in order, with the proof that there are no others: then *out is certified ("exactly 3 roots in
 * [1, 10]"). Otherwise unknown, naming a part left undecided; the roots found are single ones all the same. *roots has *n
 * items; both belong to the caller (ver_roots_free). */
PH_MUST ph_status ver_roots(ver_number ***roots, int *n, ver_verdict *out, expr_node *f, const ver_range *x,
                            const ver_budget *budget, ph_err *err);
void ver_roots_free(ver_number **roots, int n);

#endif
