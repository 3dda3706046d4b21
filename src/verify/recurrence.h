/* recurrence.h: the given equations of an induction, and the values that follow from their starts (induct.c).
 *
 * Those with n hold for all n from the first start on (from `from` on where none is earlier); those without n are starts. */
#ifndef PH_VERIFY_RECURRENCE_H
#define PH_VERIFY_RECURRENCE_H

#include "expr/build.h"

#define VER_REC_VALUES 128 /* starts and what follows from them */

typedef struct {
    expr_node *member, *value;
    bool twice; /* given as a start, and the recurrence gives it too */
} ver_rec_known;

typedef struct {
    expr_builder b;
    expr_node *n;
    expr_node *const *statement, *const *given;
    int count, ngiven;
    int64_t order, from, first; /* first: the earliest start, at most from */
    ver_rec_known known[VER_REC_VALUES];
    int nknown;
    expr_set apart;      /* equations: a start, and what else follows there, not seen to be the same */
    expr_set conditions; /* without n; of all parts */
} ver_recurrence;

/* e with the indices of its members as they are written here. */
expr_node *ver_rec_canonical(expr_builder *b, expr_node *e, void *none);
/* e at n = value */
expr_node *ver_rec_at(expr_builder *b, expr_node *e, expr_node *n, expr_node *value);
/* Is given equation i one with n, no start? */
bool ver_rec_is_step(const ver_recurrence *p, int i);
/* r of a given a[n+r] = …; 0 after a failure. */
int64_t ver_rec_reach(ver_recurrence *p, int i);
/* Are statements and given equations of the forms that are wanted? Sets the order, how far beyond n the equations reach. EARG: no, in words. */
PH_MUST ph_status ver_rec_read(ver_recurrence *p);
/* The starts and what follows from them up to the base; then further, at lo … hi−1. */
PH_MUST ph_status ver_rec_values(ver_recurrence *p);
PH_MUST ph_status ver_rec_follow(ver_recurrence *p, int64_t lo, int64_t hi);
/* e with the values that are known in place of members. */
expr_node *ver_rec_put_known(ver_recurrence *p, expr_node *e);
/* Does e use a member of a family that the statements or the given equations are about? */
bool ver_rec_uses_family(const ver_recurrence *p, const expr_node *e);
void ver_rec_note_apart(ver_recurrence *p, expr_node *one, expr_node *other);

#endif
