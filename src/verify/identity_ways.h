/* identity_ways.h: what the files of identity.h share. Private to verify/.
 *   identity.c   squares, logarithms, angles, signs; the order in which ways are tried
 *   by_sums.c    sums as differences
 *   by_ranges.c  inverse functions and floor by their ranges
 *   by_induction.c  sums of symbolic length, by the terms that they gain
 *   by_residues.c  floors, by the residues of whole symbols */
#ifndef PH_VERIFY_IDENTITY_WAYS_H
#define PH_VERIFY_IDENTITY_WAYS_H

#include "verify/identity.h"

/* Is e 0? */
typedef struct {
    sums_form *out; /* the proof */
    expr_node *e;
    const ver_assume *where;
    int depth;
    expr_builder *b;
} ver_question;

bool ver_has_op(const expr_node *e, expr_op op);
/* A symbol that is not the user's stands in e. */
bool ver_is_fresh(const expr_node *e);
/* Is e, of which that of the question is a consequence, 0? With the conditions of the proof; undecided is no failure. */
bool ver_follows_zero(const ver_question *q, sums_form *f, expr_node *e);
/* The proof f of something that has the question's e = 0 as its consequence becomes the proof of that. */
void ver_take_proof(const ver_question *q, sums_form *f);
void ver_note_condition(const ver_question *q, expr_node *condition); /* NULL is fine */

bool ver_by_sums(const ver_question *q);
bool ver_by_induction(const ver_question *q);
bool ver_by_residues(const ver_question *q);
bool ver_by_ranges(const ver_question *q);

#endif
