/* ball.h: a formula as a ball that contains its value. Private to verify/.
 *
 * A ball that is not finite means: undefined there, or not decided at this precision. Statements inside piecewise that
 * the balls cannot decide give the union of the branches.
 */
#ifndef PH_VERIFY_BALL_H
#define PH_VERIFY_BALL_H

#include "verify/flint.h"

#include "expr/steps.h"

/* Sets v to the value or box of an atom (a symbol, or an indexed symbol with an integer index); false: none. */
typedef bool ver_atom_fn(void *ctx, acb_t v, const expr_node *atom, slong prec);

/* What an evaluation over a whole ball of arguments promises.
 *   VALUE     every value of the formula in the ball
 *   SMOOTH    for real arguments: also that the formula is smooth throughout them; not finite where that is not certain
 *   ANALYTIC  for complex arguments around the real line: the values of a holomorphic function that is the formula on
 *             the line; not finite where a branch cut, a kink, a jump or a pole may be met
 */
typedef enum { VER_VALUE, VER_SMOOTH, VER_ANALYTIC } ver_mode;

PH_MUST ph_status ver_ball(acb_t out, const expr_node *e, ver_atom_fn *atom, void *ctx, slong prec,
                           ph_err *err);
/* Both of a pair of formulas at once, in the mode VALUE. */
PH_MUST ph_status ver_ball_steps(acb_t l, acb_t r, const expr_steps *s, ver_atom_fn *atom, void *ctx,
                                 slong prec, ph_err *err);
/* One in any mode. EINTR when the interrupt flag is seen. */
PH_MUST ph_status ver_ball_as(acb_t out, ver_mode mode, const expr_node *e, ver_atom_fn *atom, void *ctx,
                              slong prec, ph_err *err);

/* One operation: of one operand (EXPR_NEG, functions), of two. analytic: as in that mode. */
void ver_ball_unary(acb_t out, expr_op op, const acb_t z, slong prec);
void ver_ball_binary(acb_t out, expr_op op, const acb_t x, const acb_t y, bool analytic, slong prec);

/* As acb_is_finite, without its calls. */
static inline bool ver_ball_is_finite(const acb_t z) {
    arb_srcptr re = acb_realref(z), im = acb_imagref(z);
    return arf_is_finite(arb_midref(re)) && mag_is_finite(arb_radref(re)) && arf_is_finite(arb_midref(im)) &&
           mag_is_finite(arb_radref(im));
}

/* What the meter counts for an operation of two operands; a function is eight of them. */
double ver_ball_unit(slong prec);

/* The smallest convenient ball around the interval [a, b]; where the ends are short, exactly it. */
void ver_set_interval(arb_t out, const arf_t a, const arf_t b, slong prec);

typedef enum { VER_FALSE, VER_TRUE, VER_UNDECIDED } ver_truth;
/* lhs op rhs for balls; order of numbers that are not real is undecided. */
ver_truth ver_ball_compare(expr_op op, const acb_t lhs, const acb_t rhs);

/* Rational points to look for a witness at: small, spread, the same on every machine, within the atom's assumption. This is
 * the ver_atom_fn of the point with the given seed (ctx points to a uint64_t). */
bool ver_point_atom(void *ctx, acb_t v, const expr_node *atom, slong prec);
/* The same value in f64, as an expr_lookup. */
bool ver_point_double(void *ctx, const expr_node *atom, double _Complex *v);
/* Seeds from here on are points where formulas coincide: 0, ±1, 2, 1/2, often the same for all symbols. */
#define VER_SPECIAL_POINTS (UINT64_C(1) << 32)
struct ver_told;
/* The atoms of e and their values become the point of a witness (told.h). Families θ[i] show the members that e uses at that point. */
PH_MUST ph_status ver_point_tell(struct ver_told *t, const expr_node *e, uint64_t seed, ph_err *err);

/* "1.25", "-0.5 + 2*I", "[3.1 +/- 0.2]": digits that the ball guarantees; ph_alloc'ed, NULL when refused. */
char *ver_acb_text(const acb_t z, slong digits);

/* Two values as text that the caller frees, each NULL when memory is short: `digits` digits, and up to four times as many
 * when the balls are apart and the text does not show it. */
void ver_sides_text(char **left, char **right, const acb_t x, const acb_t y, slong digits);

#endif
