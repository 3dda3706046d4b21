/* coq_internal.h: what the files that write Coq share. Private to them:
 *   coq.c        the file: binders, premises, lemmas
 *   coq_term.c   formulas as terms of R, Z and C
 *   coq_forms.c, coq_over.c   exponents and angles as sums of a few
 *   coq_values.c, coq_logs.c, coq_units.c   formulas in the ring; logarithms; what Coq is told of them
 *   coq_proof.c  the certificate of an equation between reals
 *   coq_sums.c   the certificate of an equation with sums
 *   coq_parts.c  which equations have one
 *   coq_order.c, coq_asked.c, coq_sizes.c, coq_pairs.c, coq_weigh.c, coq_squares.c   the certificate of an inequality
 */
#ifndef PH_VERIFY_COQ_INTERNAL_H
#define PH_VERIFY_COQ_INTERNAL_H

#include "base/text.h"
#include "expr/build.h"
#include "verify/coq.h"

typedef struct {
    expr_builder b; /* owns what is built; b.st is the first failure */
    ph_text out;
    const expr_set *conditions; /* what may be assumed; NULL: nothing */
    int fresh;                  /* names given out */
    bool proved;        /* what has no certificate is refused; else a file is written, for Coq to refuse */
    bool bare;          /* the statement alone, without a proof */
    bool whole;         /* the proof uses coq_whole.v */
    const char *method; /* by which it was proved; NULL: not known */
} coq_writer;

#define COQ_PUT(c, ...) ph_putf(&(c)->out, __VA_ARGS__)

/* "not expressible: …", unless something failed before. */
PH_PRINTF(2, 3) void ver_coq_refuse(coq_writer *c, const char *fmt, ...);

/* ---- coq_term.c ---- */

bool ver_coq_is_whole(const expr_node *e);   /* a term of Z */
bool ver_coq_is_complex(const expr_node *e); /* a term of C: not certainly real */
void ver_coq_name(coq_writer *c, const char *name);
void ver_coq_whole(coq_writer *c, const expr_node *e);
void ver_coq_real(coq_writer *c, const expr_node *e);
/* "(fun i : Z => summand) lo hi" of the sum e, what zsum and its lemmas take. */
void ver_coq_summands(coq_writer *c, const expr_node *e, const expr_node *lo, const expr_node *hi);
void ver_coq_complex(coq_writer *c, const expr_node *e);
void ver_coq_statement(coq_writer *c, const expr_node *s);
/* The term as text of its own, ph_alloc'ed; NULL when refused. */
typedef void coq_print(coq_writer *c, const expr_node *e);
char *ver_coq_text(coq_writer *c, coq_print *print, const expr_node *e);
/* Certainly >= 0 (strict: > 0), by its form or by a condition. */
bool ver_coq_known_sign(const coq_writer *c, const expr_node *e, bool strict);

/* ---- coq.c ---- */

/* The lemma without its proof, ph_alloc'ed: what a file states, at a small part of what the file costs. */
PH_MUST ph_status ver_coq_statement_of(char **out, const ver_subject *s, ph_err *err);
/* The same text in a whole file: where it begins there, and how long it is. */
const char *ver_coq_statement_in(const char *text, size_t *n);

/* Conditions with functions in them go back into the goal, where the certificate rewrites them too. */
void ver_coq_put_conditions(coq_writer *c);
/* Of those that went back into the goal, as they are rewritten by now, copies beside it, named by id: by them a lemma may see that u, with functions in
 * it, is not negative. */
void ver_coq_copy_conditions(coq_writer *c, const expr_node *u, int id);
/* Complex numbers in e become the pairs that they are. */
void ver_coq_put_pairs(coq_writer *c, const expr_node *e);

/* ---- coq_parts.c ---- */

bool ver_coq_is_zero(coq_writer *c, expr_node *e); /* by one normal form; of what is not proved always */
/* The same with the parts of e that Coq knows little of as arbitrary numbers; e has no sums. */
bool ver_coq_has_certificate(coq_writer *c, expr_node *e);

/* ---- coq_proof.c ---- */

/* Tactics that settle the equation e = 0, however its sides stand in the goal; e has no sums. */
void ver_coq_prove_zero(coq_writer *c, expr_node *e);

/* ---- coq_asked.c ---- */

/* Tactics that settle an inequality; s has no sums. */
void ver_coq_prove_order(coq_writer *c, expr_node *s);

/* ---- coq_sums.c ---- */

bool ver_coq_has_sum(const expr_node *e);
void ver_coq_prove_sums(coq_writer *c, expr_node *s);

#endif
