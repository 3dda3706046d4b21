/* apart.h: names that are bound and free at once, told apart before anything is proved. Private to verify/.
 *
 * In sum(i*x, i, 1, N) = i the index and the other i have nothing to do with each other. Every argument that puts a formula in place of a
 * symbol would have to see to it; so an index whose name is also that of a free symbol, in the statement or in what is assumed, or of an
 * index around it, gets a name that no user can write. The statement says the same, and is told in the names in which it was asked. */
#ifndef PH_VERIFY_APART_H
#define PH_VERIFY_APART_H

#include "expr/build.h"
#include "verify/prove.h"

#define VER_APART 64 /* indices, and what is assumed */

typedef struct {
    expr_builder b; /* owns what is below */
    expr_node *statement, *where[VER_APART];
    ver_assume assume;
    expr_node *own[VER_APART], *fresh[VER_APART]; /* the index that was written, and what stands for it … */
    int level[VER_APART];                         /* … within so many others of its name */
    int n;
} ver_apart;

/* n = 0 in *out: no name is both, and s and a are to be taken as they are. EBUDGET: there are too many. To be cleared, even on failure. */
PH_MUST ph_status ver_apart_make(ver_apart *out, expr_node *s, const ver_assume *a, ph_err *err);
/* What the verdict on them tells and states, in the names of s and a. */
PH_MUST ph_status ver_apart_tell(ver_verdict *v, ver_apart *p, expr_node *s, const ver_assume *a,
                                 ph_err *err);
void ver_apart_clear(ver_apart *p);

#endif
