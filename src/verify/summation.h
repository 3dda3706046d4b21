/* summation.h: sums written with the sums from 0. Private to verify/. */
#ifndef PH_VERIFY_SUMMATION_H
#define PH_VERIFY_SUMMATION_H

#include "expr/build.h"

/* e without sums, equal to e wherever that is defined and the conditions hold, which are added to *conditions; NULL when it
 * cannot be had (no failure of the builder). fresh: the name that the symbols brought in begin with. */
#define VER_FRESH_SUM "'F"
expr_node *ver_without_sums(expr_builder *b, expr_node *e, expr_set *conditions);

#endif
