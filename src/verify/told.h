/* told.h: where a verdict holds, or fails, as data; the words come last, in either language. */
#ifndef PH_VERIFY_TOLD_H
#define PH_VERIFY_TOLD_H

#include "expr/expr.h"
#include "verify/prove.h"
#include "verify/verdict.h"

typedef struct {
    char *name, *value; /* of a symbol; value: as exact as it is, "3/8", "sqrt(2)" */
} ver_value;

typedef struct ver_told {
    expr_set atoms; /* for all of these … */
    /* … under these, each once: those that are found, then those that the user assumed; of a certificate its box */
    expr_set conditions;
    bool unmet;    /* no point was found that meets them */
    int named;     /* a line names at most so many atoms */
    ver_value *at; /* a witness: the point, in order */
    int n;
    bool more;          /* symbols than are in it */
    char *left, *right; /* what the sides are there; NULL: no witness */
} ver_told;

void ver_told_drop(ver_told *t); /* NULL is fine */
/* v's own, made when there is none. */
PH_MUST ph_status ver_told_of(ver_told **out, ver_verdict *v, ph_err *err);

/* For all symbols of the statement, under `found` and what the user assumed. */
PH_MUST ph_status ver_tell_conditions(ver_verdict *v, const expr_node *statement, const expr_set *found,
                                      const ver_assume *a, bool unmet, ph_err *err);
/* What is told of a part is told of v, too. */
PH_MUST ph_status ver_tell_also(ver_verdict *v, const ver_verdict *part, ph_err *err);
/* A value more of the point, the last one or (first) the first. */
PH_MUST ph_status ver_tell_value(ver_told *t, const char *name, const char *value, bool first, ph_err *err);
/* left and right are taken over; NULL: "?". */
PH_MUST ph_status ver_tell_sides(ver_told *t, char *left, char *right, ph_err *err);

/* The words; *out is ph_alloc'ed, NULL where nothing is told. Where v has words of its own these are put into the language. */
PH_MUST ph_status ver_conditions(char **out, const ver_verdict *v, ver_lang lang, ph_err *err);
PH_MUST ph_status ver_witness(char **out, const ver_verdict *v, ver_lang lang, ph_err *err);
/* "x = 3/8, n = 2": the point alone. */
PH_MUST ph_status ver_told_point(char **out, const ver_told *t, ph_err *err);

#endif
