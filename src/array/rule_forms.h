/* rule_forms.h: what a file of derivative rules writes them with: the forms of its functions. */
#ifndef PH_ARRAY_RULE_FORMS_H
#define PH_ARRAY_RULE_FORMS_H

#include "array/rule.h"

#define VJP(NAME) static void NAME(op_ctx *c, const op_use *u, op_val *const *g, op_val **gx)
#define JVP(NAME) static void NAME(op_ctx *c, const op_use *u, op_val *const *dx, op_val **dy)
#define BATCH(NAME)                                                                                          \
    static void NAME(op_ctx *c, const op_use *u, const bool *batched, int64_t size, op_val **y)

#endif
