/* internal.h: what the files of the prover share. Private to verify/. */
#ifndef PH_VERIFY_INTERNAL_H
#define PH_VERIFY_INTERNAL_H

#include "expr/expr.h"
#include "verify/prove.h"

/* Tries the rational points from … from+n−1 for one where s is false; a witness makes *out refuted. */
PH_MUST ph_status ver_search(ver_verdict *out, bool *found, expr_node *s, const ver_assume *a, uint64_t from,
                             int n, long prec, ph_err *err);
/* Closes the meter that was opened for *out. What stayed unknown because it is empty says so. */
PH_MUST ph_status ver_meter_end(ver_verdict *out, ph_status st, ph_err *err);
PH_MUST ph_status ver_say_unknown(ver_verdict *out, ver_reason reason, const char *text, ph_err *err);

#endif
