/* coq_forms.h: the functions of a formula as powers, sines and cosines of a few units. Private to the files that write Coq.
 *
 * An angle or exponent is a form: a sum of monomials with rational coefficients. Forms that depend on each other over Q are taken apart
 * into their monomials; then each is a whole-number combination of units, and sin, cos and exp of it are polynomials in those of the
 * units. Nothing here needs to be right: Coq checks what is made of it.
 */
#ifndef PH_VERIFY_COQ_FORMS_H
#define PH_VERIFY_COQ_FORMS_H

#include "verify/coq_internal.h"
#include "verify/ring.h"

typedef enum { COQ_ANGLE, COQ_EXPONENT } coq_kind;

/* A generator of the ring: what one term stands for in Coq. Number 0 is I. */
typedef struct {
    char *text;      /* as Coq has it */
    expr_node *node; /* the atom, or the opaque part; NULL: neither. Borrowed */
    char *whole;     /* of an integer atom: the term of Z; else NULL */
    char *base;      /* of a logarithm: of what, as a term of R; of an opaque part: its argument; else NULL */
    bool is_log;
    int height;   /* of an opaque part: functions nested in it, itself included */
    ring_frac of; /* of a logarithm: of what; of a power: what it is exp of */
    bool has_of, is_power, positive;
} coq_gen;

typedef struct {
    slong key;
    fmpq_t q;
} coq_part;
typedef struct {
    coq_part *t;
    int n, cap;
} coq_form; /* Σ q·monomial */

/* A monomial in generators over a polynomial without content. */
typedef struct {
    fmpz_mpoly_t n, d;
    slong log;     /* the generator, when it is one logarithm alone; else -1 */
    bool turn, pi; /* pi times whole numbers; pi alone */
} coq_key;

typedef struct {
    coq_kind kind;
    coq_form form;
    int id; /* u<id> in Coq, s<id> and c<id> or e<id> */
} coq_unit;

/* A function in the formula: what it is in the ring, where another function holds it. */
typedef struct {
    expr_node *node;
    int height; /* functions nested in it, itself included */
    ring_frac value;
    bool has_value;
} coq_plan;

/* An angle or exponent that was met. */
typedef struct {
    int plan; /* whose value it gives; -1: nobody's */
    coq_kind kind;
    coq_form form;
    int group;
    char *as; /* as it stands in the goal, of Coq; NULL: not known, so it is looked for */
    int fact; /* number of what Coq was told of it; 0: nothing yet */
} coq_entry;

typedef struct {
    coq_writer *c;
    expr_node *e; /* what is to be 0 */
    ring r;
    bool open;
    bool parities; /* (-1)^n is in it */
    bool halves;   /* a sine is half of what has a name */
    int roots;     /* bit r: sqrt r came in with an angle */
    slong ngens, maxgens;
    coq_gen *gens;
    coq_key *keys;
    coq_unit *units;
    coq_plan *plans;
    coq_entry *entries;
    int nkeys, nunits, nplans, nentries;
    int capkeys, capunits, capplans, capentries;
    ph_text relations; /* hypotheses for ring: " P1 P2" */
} coq_forms;

/* ---- coq_forms.c ---- */

void ver_coq_form_clear(coq_form *a);
void ver_coq_form_add(coq_forms *f, coq_form *a, slong key, const fmpq_t q); /* a key that is not in it */
/* Adds the terms of E whose power of I is `imaginary`. */
void ver_coq_split(coq_forms *f, coq_form *out, const ring_frac *E, bool imaginary);

void ver_coq_forms_clear(coq_forms *f);
PH_PRINTF(3, 4) slong ver_coq_gen_new(coq_forms *f, expr_node *node, const char *fmt, ...);
slong ver_coq_gen_find(const coq_forms *f, const expr_node *atom); /* -1: none */
/* Notes an angle or exponent; of a complex one the real part as exponent, the imaginary part as angle. Takes `as` over, which may be NULL. */
void ver_coq_enter(coq_forms *f, int plan, coq_kind kind, ring_frac *E, char *as);
/* Makes units for what was entered; told() for each that is new. */
typedef void coq_told(coq_forms *f, const coq_unit *u);
void ver_coq_make_units(coq_forms *f, coq_told *told);
/* e as units: m[i] of unit[i]; how many, -1 when it is no such sum. At most `max`. */
int ver_coq_in_units(coq_forms *f, const coq_entry *e, int *unit, long *m, int max);

void ver_coq_put_poly(coq_forms *f, const fmpz_mpoly_t p);
void ver_coq_put_frac(coq_forms *f, const ring_frac *v);
void ver_coq_put_form(coq_forms *f, const coq_form *a);
void *ver_coq_grow(coq_forms *f, void *items, int n, int *cap, size_t size);

/* ---- coq_over.c ---- */

/* Where monomials of the angles or exponents depend on each other, all of these are written over one denominator. */
void ver_coq_over_one(coq_forms *f, coq_kind kind);

/* ---- coq_values.c ---- */

/* A status of the ring: what gives out means that there is no certificate. */
void ver_coq_keep(coq_forms *f, ph_status st);
/* The value of a formula whose functions have values. */
void ver_coq_value(coq_forms *f, ring_frac *out, const expr_node *e);
/* Has e a denominator that is not 0 for a reason that `nonzero` does not find, but `whole_nonzero`? */
bool ver_coq_has_odd_denominator(coq_forms *f, const expr_node *e);

/* ---- coq_logs.c ---- */

/* out = ln b by the logarithms of its factors; tells Coq, of what stands in the goal as `as` and elsewhere. */
void ver_coq_log_of(coq_forms *f, ring_frac *out, ring_frac *b, const char *as);

/* ---- coq_units.c ---- */

void ver_coq_tell_unit(coq_forms *f, const coq_unit *u);
void ver_coq_put_roots(coq_forms *f); /* told last */
/* What the angle or exponent is made of: gives the plan's value, and tells Coq unless that was told, as `told`. */
void ver_coq_say_entry(coq_forms *f, coq_entry *e, const coq_entry *told);
/* Then what was told takes the functions' places in the goal: those that are known, then wherever else they are. */
void ver_coq_put_entry(coq_forms *f, const coq_entry *e);
void ver_coq_end_entry(coq_forms *f, const coq_entry *e);

#endif
