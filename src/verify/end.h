/* end.h: an integrand near an end of its interval where it is unbounded or undefined, or at infinity. Private to verify/.
 *
 * Near a point c let x = c + t (or c − t), near infinity x = 1/t (or −1/t). A formula is enclosed as
 *     u = t^α·β(t)   with a rational α and β(t) in a ball B, for every t in (0, δ].
 * Then ∫₀^δ u dt is in B·δ^(α+1)/(α+1) where α > −1, since a weighted mean of β is in B; and ∫_X^∞ u dx, X = 1/δ, is in
 * B·X^(1−α)/(α−1) where α > 1. Where B is real and excludes 0, other α show that the integral diverges.
 */
#ifndef PH_VERIFY_END_H
#define PH_VERIFY_END_H

#include "verify/ball.h"

typedef struct {
    expr_node *x, *c; /* the variable; the end: a formula without it, NULL for infinity */
    int side;         /* x = c + side·t; near infinity x = side/t */
    slong j;          /* δ = 2^−j */
    slong prec;
    ver_atom_fn *other; /* values of the other atoms */
    void *ctx;
    ph_err *err;
} ver_end;

/* t^a·β for t in (0, δ], δ <= 1, β in b */
typedef struct {
    fmpq_t a;
    acb_t b;
} ver_end_form;

/* u^v for a v in a real ball and a positive β; false: it is not known to be so. */
bool ver_end_power(ver_end_form *out, const ver_end_form *u, const acb_t v, slong prec);

/* u^v of a positive u without the variable as exp(v·log u), tan u as sin u/cos u, u/w^v as u·w^(−v); *out NULL: none of these. */
PH_MUST ph_status ver_end_rewrite(expr_node **out, expr_node *e, const ver_end *n);

typedef enum { VER_CONVERGES, VER_DIVERGES, VER_NO_BOUND } ver_tail;

/* ∫ f over (0, δ] or [X, ∞), counted in the direction of growing x. *order: α, as far as it is known. */
PH_MUST ph_status ver_end_integral(acb_t out, ver_tail *how, expr_node *f, const ver_end *end);

#endif
