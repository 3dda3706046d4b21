/* cells.h: is a polynomial >= 0 wherever given polynomials are > 0? By a decomposition of space into cells. Private to verify/.
 *
 * Argument. Variables are eliminated one by one. Of the polynomials that contain the last one, the leading coefficients, the
 * discriminants and the resultants go into the list for the others. Over an open cell of the others on which none of these
 * is 0, every polynomial keeps its degree, its roots are simple, and no two have a root in common: so the number and the order
 * of the real roots are the same over the whole cell, and between neighbouring roots no polynomial changes its sign. Hence
 * one rational point in every open cell is looked at; the cells are all of space but the zeros of finitely many polynomials
 * that are not 0, so the goal is >= 0 on the closure of {facts > 0} when it is at those points.
 *
 * Roots s = e^(1/q), e >= 0, may occur in the goal: of it, the norm (the resultant with s^q − e) is decomposed. Where the
 * norm is not 0 neither is the goal, which is continuous there and so keeps its sign on a cell; it is evaluated by balls.
 */
#ifndef PH_VERIFY_CELLS_H
#define PH_VERIFY_CELLS_H

#include "verify/flint.h"

#include "base/base.h"

#define CELL_VARS  24
#define CELL_ROOTS 4
#define CELL_FACTS 24

typedef struct {
    slong var, degree;
    fmpz_mpoly_struct of; /* in variables that are no roots, or roots before this one */
} cell_root;

typedef struct {
    fmpz_mpoly_ctx_t ctx;
    slong nvars;
    fmpz_mpoly_struct goal, fact[CELL_FACTS];
    int nfacts;
    cell_root root[CELL_ROOTS];
    int nroots;
    double *work; /* that may still be done for roots */
} cell_problem;

/* What the roots for one statement may cost: degree^2 times words of the coefficients, some microseconds each. Those that the tests decide
 * need an eighth at most. */
#define CELL_WORK 4e4

void ver_cells_init(cell_problem *c, slong nvars);
void ver_cells_clear(cell_problem *c);
fmpz_mpoly_struct *ver_cells_fact(cell_problem *c); /* a new one, 0; NULL: too many */
fmpz_mpoly_struct *ver_cells_root(cell_problem *c, slong var, slong degree); /* NULL: too many */

typedef enum { CELLS_UNDECIDED, CELLS_HOLD, CELLS_EMPTY, CELLS_FAIL } cells_answer;

/* HOLD: the goal is >= 0 on the closure of {facts > 0}, a set that is not empty. EMPTY: no point meets the facts. FAIL: at one
 * it is < 0. UNDECIDED: out of budget, or the goal vanishes on a whole cell. */
PH_MUST ph_status ver_cells_decide(cells_answer *out, cell_problem *c, ph_err *err);

#endif
