/* judged.h: what the prover says of a statement, given as text, under conditions, given as texts. */
#ifndef PH_TESTS_JUDGED_H
#define PH_TESTS_JUDGED_H

#include "formula.h"
#include "verify/prove.h"

#define CONDITIONS 6

/* where: up to a NULL, CONDITIONS at most */
static inline void judge(ver_verdict *v, const char *text, const char *const *where) {
    ph_err err = {0};
    expr_node *s = formula(text), *given[CONDITIONS];
    int n = 0;
    for (; n < CONDITIONS && where[n]; n++) given[n] = formula(where[n]);
    if (ver_prove(v, s, &(ver_assume){given, n}, &err)) fail_msg("%s: %s", text, err.text);
    expr_drop(s);
    for (int i = 0; i < n; i++) expr_drop(given[i]);
}

static inline ver_strength judged(const char *text, const char *const *where) {
    ver_verdict v;
    judge(&v, text, where);
    ver_strength is = v.strength;
    ver_clear(&v);
    return is;
}

#endif
