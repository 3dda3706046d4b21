/* grid.h: a table of floating-point numbers against the formula it was made from, at every integer point of a grid.
 *
 * Each entry is held against a ball that contains the exact value; no rounding of this program enters the verdict. The unit
 * is the ulp of the exact value v in the table's format: 2^(e − bits) for 2^(e−1) <= |v| < 2^e, and never below the format's
 * least positive number.
 */
#ifndef PH_VERIFY_GRID_H
#define PH_VERIFY_GRID_H

#include "expr/expr.h"
#include "verify/verdict.h"

#define VER_MAX_AXES 8

/* A symbol that runs through from, from + 1, …, from + count − 1. Borrowed. */
typedef struct {
    expr_node *sym;
    int64_t from, count;
} ver_axis;

typedef struct {
    const double *value; /* row-major, one axis of the table for each axis of the grid; borrowed */
    int bits;            /* of a significand: 53 for f64, 24 for f32 */
    int least;           /* the least positive number is 2^least: −1074 or −149 */
} ver_table;

#define VER_F64(v) ((ver_table){(v), 53, -1074})
#define VER_F32(v) ((ver_table){(v), 24, -149})

/* Is every entry within `ulps` of the formula's value? certified (value: the largest deviation, rounded up), refuted (the
 * worst entry, how many there are), or unknown (budget; undefined at a point: DOMAIN). EARG: a symbol without an axis, an axis
 * outside its symbol's assumption, more than VER_MAX_AXES; EINTR. *out is to be cleared in any case. */
PH_MUST ph_status ver_certify_table(ver_verdict *out, expr_node *f, const ver_axis *axis, int naxes,
                                    const ver_table *table, double ulps, ph_err *err);

#endif
