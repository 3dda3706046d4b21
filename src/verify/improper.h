/* improper.h: where an integral is improper, and how it is cut. Private to verify/. */
#ifndef PH_VERIFY_IMPROPER_H
#define PH_VERIFY_IMPROPER_H

#include "verify/end.h"

#define VER_MAX_BREAKS 12

/* The points at which an interval is cut: its ends, and those inside where the integrand may be unbounded or undefined. */
typedef struct {
    expr_node *at[VER_MAX_BREAKS]; /* in order; owned; NULL: the infinity on that side */
    bool open[VER_MAX_BREAKS];     /* the integrand is not finite there, or the point is infinite */
    int n;
    bool soft; /* open only because the values near an end, in balls, are not seen to be real: √x near 0 */
} ver_breaks;

/* ∫ f dx by ordinary means from a to b, which are finite. */
typedef ph_status ver_proper(void *ctx, acb_t out, const acb_t a, const acb_t b, slong prec, ph_err *err);

/* lo, hi: finite ends, NULL for −∞ and ∞. EDOMAIN where the places cannot be told. */
PH_MUST ph_status ver_breaks_find(ver_breaks *out, expr_node *f, expr_node *x, expr_node *lo, expr_node *hi,
                                  ver_atom_fn *other, void *ctx, ph_err *err);
void ver_breaks_clear(ver_breaks *b);
bool ver_breaks_are_proper(const ver_breaks *b);

/* The sum over the parts, what is left out at each open point bounded to 2^−bits. EDOMAIN: divergent, or no bound known; the
 * message says where. */
PH_MUST ph_status ver_improper(acb_t out, const ver_breaks *b, expr_node *f, expr_node *x, slong bits,
                               ver_atom_fn *other, void *ctx, ver_proper *proper, void *proper_ctx,
                               ph_err *err);

#endif
