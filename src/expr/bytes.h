/* bytes.h: a formula as bytes, shared parts once, for another process of this program on this machine. */
#ifndef PH_EXPR_BYTES_H
#define PH_EXPR_BYTES_H

#include "base/text.h"
#include "expr/expr.h"

void expr_put_bytes(ph_text *t, const expr_node *e);
/* Takes all that is left of b, whoever wrote it: EARG when that is no formula, or one that could not be built. */
PH_MUST ph_status expr_of_bytes(expr_node **out, ph_bytes *b, ph_err *err);

#endif
