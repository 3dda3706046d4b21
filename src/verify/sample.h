/* sample.h: where a statement is looked at. Private to verify/.
 *
 * A point gives every atom an exact value that its assumption allows, the same on every machine. `scale` says of which kind:
 * what is true near 1 may be false far out, close to 0, at whole numbers, or where two symbols have one value. Hints, read from the
 * conditions, keep the points inside what was asked.
 */
#ifndef PH_VERIFY_SAMPLE_H
#define PH_VERIFY_SAMPLE_H

#include "expr/build.h"
#include "verify/ball.h"
#include "verify/prove.h"
#include "verify/wide.h"

typedef enum {
    VER_NEAR, /* fractions up to 6, denominators up to 7; whole numbers from −6 to 10, what bounds a sum from −1 to 7 */
    VER_SMALL, /* 10^-6 … 10^-3, of either sign; whole numbers around 0 */
    VER_FAR,   /* 10^2 … 10^6, of either sign; what bounds a sum: up to 40 */
    VER_WHOLE, /* whole numbers, and indices that stand in the formula */
    VER_HALF,  /* halves */
    VER_ALIKE, /* one value for all symbols of a kind, in quarters */
    VER_SCALES
} ver_scale;

enum { VER_HINTS = 16, VER_MEMBERS = 8 };

/* What a condition says of one symbol: an equation's other side, or ends. */
typedef struct {
    const expr_node *atom, *equals;
    const expr_node *other;    /* another value that the equation allows; NULL: none */
    const expr_node *equation; /* that was solved for it; NULL: it stands on a side by itself */
    bool has_lo, has_hi, lo_open, hi_open;
    bool counts; /* it bounds a sum */
    fmpq_t lo, hi;
} ver_hint;

typedef struct {
    uint64_t seed;
    ver_scale scale;
    int nesting; /* of equations that are evaluated to find a value */
    int n, nmembers;
    ver_hint hint[VER_HINTS];
    int64_t member[VER_MEMBERS]; /* indices as they stand in the formula: θ[2] */
    expr_builder b;              /* of what equations are solved to */
    ph_err why;                  /* of these */
} ver_sampler;

/* Reads the hints for s out of statements, of which the first n that fit are kept. */
void ver_sampler_init(ver_sampler *p, const expr_node *s, expr_node *const *condition, int n);
void ver_sampler_clear(ver_sampler *p);
/* Does a hint make this condition true at every point? */
bool ver_sampler_grants(const ver_sampler *p, const expr_node *condition);
/* Was this condition, an equation, solved for a symbol? Then it holds at every point where it is not seen to fail: sqrt(x) = −3 gives x = 9. */
bool ver_sampler_solved(const ver_sampler *p, const expr_node *condition);
/* The atom has that value from now on; false: there are too many hints. */
bool ver_sampler_fix(ver_sampler *p, const expr_node *atom, ver_ratio value);
/* Is the atom's value given by an equation? */
bool ver_sampler_solves(const ver_sampler *p, const expr_node *atom);
/* No number lies between the ends that some hint has. */
bool ver_sampler_is_empty(const ver_sampler *p);

/* The value of an atom at the point, as the ver_atom_fn and the expr_lookup of it. ctx: the sampler. */
bool ver_sample_ball(void *ctx, acb_t v, const expr_node *atom, slong prec);
bool ver_sample_double(void *ctx, const expr_node *atom, double _Complex *v);
/* Both sides of a statement at the point; steps: the list of both, where there is one. */
PH_MUST ph_status ver_sample_sides(acb_t l, acb_t r, const expr_node *s, const expr_steps *steps,
                                   ver_sampler *at, slong prec, ph_err *err);

#endif
