/* turns.h: e^(2πi·q), a point of the unit circle, which is 1 at whole q alone. Private to verify/. */
#ifndef PH_VERIFY_TURNS_H
#define PH_VERIFY_TURNS_H

#include "expr/build.h"

/* The statement is c·(e^(2πi·q) − 1) != 0 for a rational number c other than 0; NULL: another statement, or none that is told. */
expr_node *ver_turns_of(expr_builder *b, const expr_node *statement);

#endif
