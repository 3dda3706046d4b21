/* given.h: what equations among the assumptions say of single symbols. Private to verify/.
 *
 * From l = r with l − r = c·x + d, c != 0 and free of x as d is, follows x = −d/c, and the other way round. Put in wherever x stands, that
 * leaves a statement in fewer symbols, which holds at a point of what else is assumed exactly when the statement as it was given holds at
 * the point with that x. What x is by its kind is assumed of its value instead; an integer is replaced by a formula of integers only.
 * l − r = c·x² + d, x real, leaves x = ±√(−d/c): two statements. */
#ifndef PH_VERIFY_GIVEN_H
#define PH_VERIFY_GIVEN_H

#include "expr/build.h"
#include "verify/prove.h"
#include "verify/told.h"

#define VER_GIVEN 16
#define VER_REST  64

typedef struct ver_given {
    expr_node *x[VER_GIVEN], *value[VER_GIVEN]; /* x = value, free of every x */
    int n;
    bool root;                 /* the value of the last x has a sign that is not known */
    expr_node *rest[VER_REST]; /* what else is assumed, with the values put in */
    int nrest;
} ver_given;

/* False: no equation could be used, or not everywhere. b keeps what g mentions. sign: of the root, 1 or −1; 0: squares are left alone. */
bool ver_given_solve(ver_given *g, expr_builder *b, const ver_assume *a, int sign);
/* e with the values put in; NULL: that cannot be done, or is undefined. */
expr_node *ver_given_put(const ver_given *g, expr_builder *b, expr_node *e);
/* e with the left sides of further equations in place of the right ones, or the other way round, where they stand as written. */
expr_node *ver_given_replace(const ver_given *g, expr_builder *b, expr_node *e);
/* The values of every x at the point of that seed join the witness. */
PH_MUST ph_status ver_given_tell(ver_told *t, const ver_given *g, uint64_t seed, ph_err *err);

#endif
