/* quadrature.h: the integral of a formula in one of its symbols, as a ball. Private to verify/.
 *
 * The other atoms may be balls themselves: then the result contains the integral for every choice of their values, since each
 * step holds for every one of them: the nodes' sum, the bound on an ellipse, the bound C·t^p of what is left out at an end.
 */
#ifndef PH_VERIFY_QUADRATURE_H
#define PH_VERIFY_QUADRATURE_H

#include "verify/certify.h"
#include "verify/improper.h"

typedef struct {
    expr_node *f, *x;
    ver_mode mode;      /* ANALYTIC: the values of a holomorphic function of the other atoms; else VALUE */
    ver_atom_fn *other; /* the values of the other atoms; NULL: there are none */
    void *ctx;
    slong bits; /* wanted of each pass */
    int64_t evaluations, limit;
    const ver_budget *asked; /* whom to tell of progress; NULL: nobody */
    ph_err *err;
    ph_status st;  /* the first failure; from then on nothing is evaluated */
    acb_srcptr at; /* the argument of the evaluation that runs */
} ver_quadrature;

/* From a to b, which are finite. Not finite: a singularity, or more evaluations than the limit. */
PH_MUST ph_status ver_quadrature_pass(acb_t out, ver_quadrature *q, const acb_t a, const acb_t b, slong prec);
/* The sum over the parts between breaks, what is left out at each bounded to 2^−(bits + 6). */
PH_MUST ph_status ver_quadrature_improper(acb_t out, ver_quadrature *q, const ver_breaks *breaks,
                                          ph_err *err);
/* Where the integrand is not finite between lo and hi (NULL: infinite; without other atoms); reversed finite ends are taken the
 * other way round, and *reversed says so. What cannot be told is left to a pass (why says it), but an infinite end is not. */
PH_MUST ph_status ver_quadrature_breaks(ver_breaks *b, bool *reversed, const ver_quadrature *q, expr_node *lo,
                                        expr_node *hi, ph_err *why, ph_err *err);

/* The value of an integral inside a formula, its other atoms as `other` says. Not finite: undefined, or not decided; in the mode
 * SMOOTH also where it is not certain that the integrals of the derivatives are the derivatives of the integral. */
PH_MUST ph_status ver_ball_integral(acb_t out, const expr_node *e, ver_mode mode, ver_atom_fn *other,
                                    void *ctx, slong prec, ph_err *err);

#endif
