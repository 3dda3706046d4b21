/* settle.h: u >= 0, or u > 0, under facts: what the files of the inequality prover share. Private to verify/.
 *   visible.c    bounds that can be read off
 *   span.c       two ends of a formula from those of its parts
 *   settle.c     facts, cases, and the order in which arguments are tried
 *   reading*.c   polynomials in independent variables
 *   linear_facts.c  combinations of facts and their products
 *   slope.c      monotonicity from an end point, or from a point inside
 *   whole.c      integers: gaps, induction
 *   tails.c      induction with a bound of what a sum still lacks
 *   termwise.c   sums of symbolic length
 *   waves.c      sin and cos between two of their zeros
 *   quotients.c  the sign of a denominator
 *   factors.c    the sign of a factor
 *   lemmas.c     tangents of exp and log, terms of a sum, sines of multiples
 *   inverse.c    ranges and signs of atan, asin, acos, atan2
 *
 * Every answer is meant at the points where u is defined and all facts hold. */
#ifndef PH_VERIFY_SETTLE_H
#define PH_VERIFY_SETTLE_H

#include "expr/build.h"
#include "verify/polysign.h"

#define SETTLE_FACTS 24
#define SETTLE_DEPTH 9

typedef struct {
    expr_node *u;        /* u >= 0, strict: u > 0 */
    bool strict, always; /* always: it holds wherever it is defined, whatever else is assumed */
} ver_fact;

/* What may still be done for the statement, whichever goal it is done for. */
typedef struct {
    int goals;
    double roots; /* as CELL_WORK says */
} ver_effort;

typedef struct {
    expr_builder *b;
    ver_fact fact[SETTLE_FACTS];
    int nfacts;
    int depth; /* goals within goals */
    ver_effort *left;
} ver_goal;

PH_MUST ph_status ver_settle(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                             bool strict);
/* The same for a goal within: one level deeper, the method is not told. */
PH_MUST ph_status ver_settle_within(ver_sign *out, const ver_goal *g, expr_node *u, bool strict);
/* A fact more; false: there is no room. */
bool ver_goal_add(ver_goal *g, expr_node *u, bool strict);
/* Joins what a statement says of order; an equation is two facts. */
bool ver_goal_assume(ver_goal *g, const expr_node *statement);
/* from is replaced in u and in all facts. */
PH_MUST ph_status ver_goal_subst(ver_goal *g, expr_node **u, expr_node *from, expr_node *to);
/* u times its denominators, so far as these are seen to be positive. */
expr_node *ver_without_denominators(expr_builder *b, expr_node *u);
/* u, or a multiple m·u with m > 0, that is an integer by how it is built; NULL: none is seen. */
expr_node *ver_whole_multiple(expr_builder *b, expr_node *u);
/* u = coefficient·x + rest, both free of x, the coefficient a rational constant: false when not seen to be. */
bool ver_linear_in(expr_builder *b, expr_node *u, expr_node *x, expr_node **coefficient, expr_node **rest);

ver_sign ver_visible(const expr_node *u);

/* Arguments: *out stays VER_SIGN_OPEN when one does not apply. */
PH_MUST ph_status ver_by_reading(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                 bool strict, bool tangents);
PH_MUST ph_status ver_by_slope(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                               bool strict);
PH_MUST ph_status ver_by_integers(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                  bool strict);
PH_MUST ph_status ver_by_waves(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                               bool strict);
PH_MUST ph_status ver_by_quotients(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                   bool strict);
/* The sign of a u that has the sign of d·v: v >= 0 where d > 0, −v >= 0 where d < 0; where d is 0, so is u. never_0: u is undefined there. */
PH_MUST ph_status ver_by_sign_of(ver_sign *out, const ver_goal *g, expr_node *d, expr_node *v, bool never_0,
                                 bool strict);
PH_MUST ph_status ver_by_factors(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                 bool strict);
PH_MUST ph_status ver_by_tangents(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                  bool strict);
/* For the integers n: their least value `from` in the goal, and what it knows without n; false: none is known, or far off. */
bool ver_from_whole(int64_t *from, ver_goal *without, const ver_goal *given, expr_node *n);
/* The sign of u at n = at. */
PH_MUST ph_status ver_at_whole(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *n, int64_t at,
                               bool strict);
/* u >= 0 (> 0) for all integers n >= from, by induction; `without` knows nothing of n. */
PH_MUST ph_status ver_induct_from(ver_sign *out, const ver_goal *without, expr_node *u, expr_node *n,
                                  int64_t from, bool strict);
/* The same by a stronger hypothesis, u >= T(n) with T >= 0: a sum up to n that grows to a limit. */
PH_MUST ph_status ver_by_tail(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *n, bool strict);
/* What is always so of parts of u joins the facts. */
PH_MUST ph_status ver_goal_know(ver_goal *g, expr_node *u);
PH_MUST ph_status ver_by_inverse(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                 bool strict);
PH_MUST ph_status ver_by_terms(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                               bool strict);
PH_MUST ph_status ver_by_end_term(ver_sign *out, const char **method, const ver_goal *g, expr_node *u,
                                  bool strict);

#endif
