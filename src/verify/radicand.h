/* radicand.h: what can be taken out of a root. Private to verify/. */
#ifndef PH_VERIFY_RADICAND_H
#define PH_VERIFY_RADICAND_H

#include "expr/build.h"

typedef struct {
    expr_node *s, *r; /* u = s²·r, s real */
    int parts;        /* irreducible factors of r */
    bool scaled;      /* r has a constant factor */
} ver_radicand;

/* u = s²·r for a polynomial fraction u in real parts; false when nothing comes of it: s = 1 and r in one piece. */
bool ver_take_square(expr_builder *b, ver_radicand *out, expr_node *u);

#endif
