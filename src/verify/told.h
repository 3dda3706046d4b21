/* told.h: where a verdict holds, or fails, as data; the words come last, in either language. */
#ifndef PH_VERIFY_TOLD_H
#define PH_VERIFY_TOLD_H

#include "expr/expr.h"
#include "verify/prove.h"
#include "verify/verdict.h"

typedef struct {
    char *name, *value; /* of a symbol; value: as exact as it is, "3/8", "sqrt(2)" */
} ver_value;

/* What is said before a box, or in place of one. */
typedef enum {
    VER_NO_EXTENT,
    VER_OVER,      /* for all x in [0, 1], integer n in [1, 5] */
    VER_ENTRIES,   /* for all integers t in [0, 9], i in [0, 3] */
    VER_WITHIN,    /* within 1e-9, for all x in [0, 1] */
    VER_ROOTS,     /* exactly 2 roots, x in [0, 1] */
    VER_COURSE,    /* increasing, x in [0, 1] */
    VER_DIGITS,    /* the value to 15 digits */
    VER_INTEGRAL,  /* the integral to 15 digits */
    VER_INDUCTION, /* for all integers n >= 0, when the given equations hold */
    VER_SEEDED,    /* seed 7 */
} ver_extent;

/* The parts of a verdict that are data until somebody reads them. */
typedef enum { VER_CONDITIONS, VER_WITNESS, VER_REASON, VER_PARTS } ver_part;

/* A sentence with gaps, "{name}", in every language, and what stands in them: what a law of the atlas says. */
typedef struct {
    char *form[VER_LANGS]; /* NULL: nothing is said */
    ver_value *value;
    int n;
} ver_said;

typedef struct {
    expr_node *sym, *lo, *hi; /* lo and hi are the same of one value; hi NULL: without end */
    bool integer;
} ver_told_side;

/* VER_SAMPLE: the number of a sample; VER_PLACE: of an element, along each axis from 1, none: the one value there is. */
typedef enum { VER_SIDES, VER_SLOPES, VER_ENTRY, VER_SAMPLE, VER_PLACE } ver_witness_kind;

typedef struct ver_told {
    ver_extent extent;
    ver_told_side *side;
    int nsides;
    double tolerance; /* VER_WITHIN */
    int64_t count;    /* roots, digits, the first n, the seed, or a way from VER_W_INCREASING on */
    int64_t early;  /* VER_INDUCTION: the n from which the equations are used, when that is below the first */
    expr_set atoms; /* for all of these … */
    /* … under these, each once: those that are found, then those that the user assumed; of a certificate its box */
    expr_set conditions;
    int boxed;     /* so many of them say what the box says */
    bool unmet;    /* no point was found that meets them */
    int named;     /* a line names at most so many atoms */
    ver_value *at; /* a witness: the point, in order */
    int n;
    bool more;                /* symbols than are in it */
    ver_witness_kind kind;    /* of what there is there */
    char *left, *right;       /* what the sides are; of a table its entry and the value; NULL: no witness */
    int turn;                 /* VER_SLOPES: where the values of the second point begin */
    int64_t beyond;           /* VER_ENTRY: entries beyond the bound */
    ver_said said[VER_PARTS]; /* in place of the words for these */
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
/* A side of the box more, and what it says as conditions. */
PH_MUST ph_status ver_tell_side(ver_told *t, expr_node *sym, expr_node *lo, expr_node *hi, bool integer,
                                ph_err *err);
/* A condition more, which is told: a place that is left out, what a step divides by. */
PH_MUST ph_status ver_tell_condition(ver_told *t, expr_op op, expr_node *l, expr_node *r, ph_err *err);
/* The box goes, and with it what was told of it. */
void ver_tell_no_box(ver_told *t);
/* A function goes up at one point and down at another. */
PH_MUST ph_status ver_tell_slopes(ver_told *t, const ver_told *rise, const ver_told *fall, ph_err *err);
/* A measurement's worst: its number among the samples, or its place in an array of n axes, from 1. */
PH_MUST ph_status ver_tell_sample(ver_told *t, int64_t number, ph_err *err);
PH_MUST ph_status ver_tell_place(ver_told *t, const int64_t *index, int n, ph_err *err);
/* A sentence: its form in each language; then a gap more. */
PH_MUST ph_status ver_say(ver_told *t, ver_part part, const char *const form[VER_LANGS], ph_err *err);
PH_MUST ph_status ver_say_value(ver_told *t, ver_part part, const char *name, const char *value, ph_err *err);
/* What another verdict says of that part. */
PH_MUST ph_status ver_say_as(ver_told *t, ver_part part, const ver_told *other, ph_err *err);
/* left and right are taken over; NULL: "?". */
PH_MUST ph_status ver_tell_sides(ver_told *t, char *left, char *right, ph_err *err);

/* The words; *out is ph_alloc'ed, NULL where nothing is told. Words of who measured (v->witness) are the same in every language. */
PH_MUST ph_status ver_conditions(char **out, const ver_verdict *v, ver_lang lang, ph_err *err);
PH_MUST ph_status ver_witness(char **out, const ver_verdict *v, ver_lang lang, ph_err *err);
PH_MUST ph_status ver_reason_words(char **out, const ver_verdict *v, ver_lang lang, ph_err *err);
/* "x = 3/8, n = 2": the point alone. */
PH_MUST ph_status ver_told_point(char **out, const ver_told *t, ph_err *err);

#endif
