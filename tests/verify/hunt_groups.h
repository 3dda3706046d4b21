/* hunt_groups.h: the makers, askers and judges that the table of groups names. */
#ifndef PH_TESTS_HUNT_GROUPS_H
#define PH_TESTS_HUNT_GROUPS_H

#include "hunt.h"

typedef void hunt_make(hunt_case *c);
typedef void hunt_ask(text *t, const hunt_case *c);
typedef outcome hunt_judge(text *why, const hunt_case *c, lua_State *L);

/* call(part 0 [, {where = the parts from where_from on}]) */
void ask_with(text *t, const char *call, const hunt_case *c, int where_from);

/* hunt_groups.c: prove(part 0, {where = the others}), and whether the verdict is false */
hunt_ask ask_prove;
hunt_judge judge_statement;

/* hunt_conditions.c */
hunt_make make_conditions;
hunt_judge judge_conditions;

/* hunt_encodings.c */
hunt_make make_encoding;
hunt_ask ask_encoding;
hunt_judge judge_encoding;

/* hunt_calculus.c */
hunt_make make_derivative, make_subst, make_expand, make_evaluate;
hunt_ask ask_derivative, ask_subst, ask_expand, ask_evaluate, ask_evaluate_array;
hunt_judge judge_derivative, judge_subst, judge_same_value, judge_evaluate;

/* hunt_certify.c */
hunt_make make_certify, make_bounds;
hunt_ask ask_certify, ask_bounds, ask_enclose;
hunt_judge judge_certify, judge_bounds, judge_enclose;
void draw_numbers(hunt_case *c); /* the ends of a box */
/* Ends of the range of number k: rational, from the case's numbers, so that shrinking keeps them. */
void box_ends(const hunt_case *c, int k, int sym, fmpq_t lo, fmpq_t hi);
void put_rational(text *t, const fmpq_t q);
/* −1, 0, 1: the value is certainly below lo, may lie between, is certainly above hi. */
int beside(const value *v, double lo, double hi);
tree *poked(tree *x);  /* poles, kinks and edges inside a box */
tree *hollow(tree *x); /* removable singularities, true and false ones */

/* hunt_interval.c */
hunt_make make_monotone, make_roots, make_integral;
hunt_ask ask_monotone, ask_roots, ask_integral;
hunt_judge judge_monotone, judge_roots, judge_integral;

/* hunt_parameter.c */
hunt_make make_parameter;
hunt_ask ask_parameter;
hunt_judge judge_parameter;

/* hunt_bounds.c */
hunt_make make_bound, make_product, make_floor, make_touch;
hunt_ask ask_bound;
hunt_judge judge_bound;

/* hunt_exact.c */
hunt_make make_symmetric, make_moment, make_induct, make_matrix;
hunt_ask ask_symmetric, ask_moment, ask_induct, ask_matrix;
hunt_judge judge_symmetric, judge_moment, judge_induct, judge_matrix;

/* hunt_known.c */
hunt_make make_branch, make_mutant, make_interval;

/* hunt_table.c */
hunt_make make_table;
hunt_ask ask_table;
hunt_judge judge_table;

/* hunt_floats.c */
hunt_make make_float;
hunt_ask ask_float;
hunt_judge judge_float;

/* hunt_atlas.c */
hunt_make make_atlas;
hunt_ask ask_atlas;
hunt_judge judge_atlas;
/* programs in Lua, in this order */
const char *atlas_encodings(void), *atlas_relatives(void);

#endif
