/* subject.h: what a verdict judged, as data: the statements and what they hold under, so that they can be stated elsewhere. */
#ifndef PH_VERIFY_SUBJECT_H
#define PH_VERIFY_SUBJECT_H

#include "expr/expr.h"
#include "verify/verdict.h"

typedef enum {
    VER_EACH,     /* every statement holds, under the conditions */
    VER_EXCHANGE, /* statement[0] is a formula that no permutation of the blocks changes */
    VER_RECURRENT /* every statement holds for all whole n >= from, when the given equations do */
} ver_shape;

/* Shared and immutable once it hangs on a verdict. */
typedef struct ver_subject {
    uint32_t refs;
    ver_shape shape;
    expr_set statements;
    expr_set conditions; /* assumed by the user first, then found by the proof */
    expr_set blocks;     /* VER_EXCHANGE: symbols, block by block */
    int size;            /* of a block */
    expr_set given;      /* VER_RECURRENT */
    expr_node *n;
    int64_t from;
    int known; /* to be taken by coqc: 1, −1 not, 0 nobody has asked; the answer stays (coq_known.c) */
} ver_subject;

/* One statement; `where` and `found` may be NULL. The verdict's earlier subject is let go. */
PH_MUST ph_status ver_subject_set(ver_verdict *v, expr_node *statement, expr_node *const *where, int nwhere,
                                  const expr_set *found, ph_err *err);
/* That f is the same for all orders of its blocks; that the statements hold for all n >= from when the given equations do. */
PH_MUST ph_status ver_subject_exchange(ver_verdict *v, expr_node *f, expr_node *const *sym, int n, int size,
                                       ph_err *err);
PH_MUST ph_status ver_subject_recurrent(ver_verdict *v, expr_node *const *statement, int count, expr_node *n,
                                        int64_t from, expr_node *const *given, int ngiven, ph_err *err);
/* The statements of `part` join those of v, with their conditions; a part without a subject takes v's away. */
PH_MUST ph_status ver_subject_join(ver_verdict *v, const ver_verdict *part, bool first, ph_err *err);
void ver_subject_drop(ver_subject *s); /* NULL is fine */
/* v takes s over. */
void ver_subject_give(ver_verdict *v, ver_subject *s);

#endif
