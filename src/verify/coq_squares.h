/* coq_squares.h: squares that may stand in a sum for a polynomial that is >= 0. Private to the files that write Coq. Nothing here needs to be right:
 * what is not wanted gets no weight. */
#ifndef PH_VERIFY_COQ_SQUARES_H
#define PH_VERIFY_COQ_SQUARES_H

#include "verify/flint.h"

#define MAX_SQUARES 64

typedef struct {
    fmpz_mpoly_struct s[MAX_SQUARES]; /* what is squared */
    int n;
} coq_squares;

/* Those of p join: its even factors, the squares of L D Lᵀ where it is a quadratic form of monomials, and sums and differences of two monomials. */
void ver_coq_find_squares(coq_squares *q, const fmpz_mpoly_t p, const fmpz_mpoly_ctx_t ctx);
void ver_coq_drop_squares(coq_squares *q, const fmpz_mpoly_ctx_t ctx);

#endif
