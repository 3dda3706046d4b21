/* verdict.h: what the laboratory says of a statement, and how strongly.
 *
 * strength   proved     an exact symbolic decision, for all values
 *            certified  rigorous balls over whole boxes
 *            measured   floating point on a stated, seeded sample, against a derived bound
 *            refuted    false, always with a witness
 *            unknown    with its reason: outside the theory, out of budget, or undefined (DOMAIN); never merged
 */
#ifndef PH_VERDICT_H
#define PH_VERDICT_H

#include "base/base.h"

typedef enum {
    VER_UNKNOWN,
    VER_REFUTED,
    VER_MEASURED,
    VER_CERTIFIED,
    VER_PROVED
} ver_strength; /* weakest first */
typedef enum { VER_NO_REASON, VER_OUTSIDE_THEORY, VER_OUT_OF_BUDGET, VER_DOMAIN, VER_NEEDS_DATA } ver_reason;

/* Strings are owned (ph_alloc) or NULL. */
typedef struct {
    ver_strength strength;
    char *statement;       /* what was judged, in words or as a formula */
    struct ver_told *told; /* under which conditions it holds, or where it fails (told.h); NULL: not told */
    char *witness;         /* where, in the words of who measured; NULL: as told */
    char *method;          /* "normal form over Q[z,1/z]", "seeded samples" */
    char *why;             /* measured: how the bound is derived */
    ver_reason reason;     /* unknown: why */
    char *reason_text;
    bool has_value; /* the largest deviation (certified: rounded up), and the bound it was held against */
    double value, bound;
    const char *unit; /* of value and bound, such as "ulp"; not owned; NULL: none */
    bool uneven;  /* measured: each sample had a bound of its own; value and bound are those of the worst */
    int64_t size; /* terms, boxes or samples; 0: not said */
    double time;  /* seconds; printed on request only */
    bool bare;    /* who asked counts verdicts: no statement, and of a witness only that there is one */
    struct ver_subject *subject; /* what was judged, as data (subject.h); NULL: words only */
} ver_verdict;

void ver_init(ver_verdict *v);
void ver_clear(ver_verdict *v); /* idempotent */
/* Gives v a strength other than unknown: the reason of an argument that left it open goes. */
void ver_decide(ver_verdict *v, ver_strength s);
/* Did the arguments give out? Others may do. */
bool ver_is_open(const ver_verdict *v);
/* Where v decides, *out becomes v but for the statement, which stays; v is empty then. */
void ver_take_decided(ver_verdict *out, ver_verdict *v);
/* Sets an owned string field: ver_set(&v->witness, "t = %d", t). */
PH_MUST ph_status ver_set(char **field, ph_err *err, const char *fmt, ...) PH_PRINTF(3, 4);

const char *ver_strength_name(ver_strength s);
const char *ver_reason_name(ver_reason r); /* "out of budget"; "" for VER_NO_REASON */
bool ver_strength_parse(ver_strength *out, const char *name);
bool ver_holds(const ver_verdict *v); /* measured or stronger */

/* The version of the loaded FLINT ("3.1.0", "2.9.0, Arb 2.23.0"); buf of at least 64 bytes. Returns buf. */
const char *ver_flint_text(char *buf, size_t cap);

/* Opens FLINT where nothing has yet: for a process that soon may open no file. */
bool ver_flint_ready(void);

/* The acceptance rule of every measurement: finite, and |value| within a finite bound. NaN never passes. */
bool ver_accepts(double value, double bound);

/* Languages of the readable line; everything else is English. */
typedef enum { VER_EN, VER_ZH, VER_LANGS } ver_lang;
bool ver_lang_parse(ver_lang *out, const char *name); /* "en", "zh" */

/* One readable line; JSON text (fields that are not set are left out; a number that is not finite is a string; invalid
 * UTF-8 becomes U+FFFD); text that can stand in LaTeX. *out is ph_alloc'ed. */
PH_MUST ph_status ver_text(char **out, const ver_verdict *v, ver_lang lang, bool with_time, ph_err *err);
PH_MUST ph_status ver_json(char **out, const ver_verdict *v, bool with_time, ph_err *err);
PH_MUST ph_status ver_latex(char **out, const ver_verdict *v, ph_err *err);

/* ---- measure.c: a measurement gathers deviations, each held against its bound, and keeps the worst ----- */

typedef struct {
    int64_t samples; /* seen so far */
    int64_t refused; /* of them, not within their bound */
    int64_t worst;   /* which one is the worst, from 0; -1 before the first */
    double value, bound;
    bool uneven;
} ver_tally;

#define VER_TALLY_START ((ver_tally){.worst = -1})

/* True when this sample is now the worst, so that the caller notes where it was. The worst is the largest
 * |value|/bound; a value that is not finite is worse than any that is; of equals the first stays. */
bool ver_tally_add(ver_tally *t, double value, double bound);
/* Writes strength, value, bound and size: measured when every sample was within its bound, refuted when one was not
 * (the caller sets the witness), unknown (VER_NEEDS_DATA) without a sample: a measurement of nothing settles nothing. */
PH_MUST ph_status ver_tally_end(ver_verdict *v, const ver_tally *t, ph_err *err);

#endif
