/* coq.h: a proved verdict as a file for Coq, whose kernel is a second judge.
 *
 * The file states what the verdict states, under the same conditions, and proves it by a certificate that Coq's ring, field, lra and
 * lia check: which angles are sums of which, which exponents of which, what is added by a step of an induction. Nothing that finds the
 * certificate is trusted: when it is wrong, Coq refuses the file.
 * Coq 8.16 or later, its standard library alone.
 *
 * How things are said there: real symbols are R, positive ones with 0 < x, integer ones Z, natural ones Z with 1 <= n, complex ones pairs
 * of reals (C); members a[i] are functions on Z; a sum is zsum. Functions that Coq lacks (Ci, Si) are arbitrary functions R -> R: what is
 * proved of all of them is proved of these.
 */
#ifndef PH_VERIFY_COQ_H
#define PH_VERIFY_COQ_H

#include "verify/subject.h"

/* *out is ph_alloc'ed. EARG for a verdict that is not proved; EOUTSIDE "not expressible: why" for what Coq cannot state or this file
 * has no certificate for. */
PH_MUST ph_status ver_coq(char **out, const ver_verdict *v, ph_err *err);
/* The same for any statements, true or not: what is false must be refused by Coq. */
PH_MUST ph_status ver_coq_write(char **out, const char *title, const ver_subject *s, ph_err *err);

/* ---- coq_known.c: which files coqc is known to take ---- */

/* The fingerprint of a file: 16 digits of what it states, then 48 of the whole text, and a NUL; PH_SHA256_HEX bytes. */
void ver_coq_fingerprint(char *out, const char *text);
/* Is it in the list, fingerprints in order, each with a line end? NULL: lessons/rechecked. */
bool ver_coq_known(const char *text, const char *list);
/* Has the verdict a certificate that coqc is known to take? The file is written where a statement like it is in the list, not else. False when
 * memory is refused. */
bool ver_rechecked(const ver_verdict *v);
/* The same by another list, of which nothing is remembered. */
bool ver_rechecked_by(const ver_verdict *v, const char *list);

#endif
