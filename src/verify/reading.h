/* reading.h: a real formula as a fraction of polynomials in independent real variables, and what is known of these. Private
 * to verify/.
 *
 * A variable stands for a symbol (or a root of one that is >= 0), a power b^m with b > 0, tan of half an angle, a root, a
 * constant between two rationals, or any other real part of the formula. Two of them that depend on each other (x and e^x)
 * are taken as independent: so a sign that holds for all values of the variables that meet the facts holds for the formula,
 * and what fails for some says nothing of it.
 *
 * cos a = (1 − t²)/(1 + t²), sin a = 2t/(1 + t²), t = tan(a/2), leaves a = π out: what is >= 0 for all t is >= 0 there by
 * continuity, what is > 0 need not be. Where facts hold at a = π, they must hold for t beside it, too: so a fact that is not strict
 * counts only where ver_reading_reaches_pi says so (cos a <= −1 holds for no t).
 */
#ifndef PH_VERIFY_READING_H
#define PH_VERIFY_READING_H

#include "expr/build.h"
#include "verify/cells.h"
#include "verify/polysign.h"
#include "verify/ring.h"

#define READ_GENS  23
#define READ_FACTS 24
#define READ_UNITS 32

typedef enum {
    READ_SYMBOL,
    READ_IMAGINARY,
    READ_POWER,
    READ_TAN,
    READ_ROOT,
    READ_CONSTANT,
    READ_ATOM
} read_kind;

typedef struct {
    read_kind kind;
    expr_node *
        node; /* SYMBOL, IMAGINARY, ATOM: of what; CONSTANT: the constant; POWER: the base, NULL for e and primes */
    int64_t prime;                 /* POWER of a prime */
    slong exponent[READ_GENS + 1]; /* POWER: m, TAN: the angle, as a monomial of the variables before */
    slong unit; /* SYMBOL: the variable is its unit-th root; POWER: b^(m/unit); TAN: of half of angle/unit */
    int side; /* TAN: the angle π is reached by t -> ∞ (1) or −∞ (−1) alone, since a fact holds there; 0: by both */
    ver_sign sign;
} read_gen;

typedef struct {
    slong gen, degree;
    fmpz_mpoly_struct of;
} read_root;

/* The unit a variable needs, found on a first pass. */
typedef struct {
    uint64_t key;
    slong unit;
} read_unit;

typedef struct reading reading;
/* Is u >= 0 (strict: > 0) certain? Asked of what stands under a root, in a logarithm, in the base of a power. */
typedef bool read_ask(void *ctx, expr_node *u, bool strict);

struct reading {
    ring r;
    expr_builder *b;
    read_gen gen[READ_GENS + 1]; /* gen[0] is I */
    slong ngens;
    read_unit unit[READ_UNITS];
    int nunits;
    bool again; /* a unit has grown: read once more */
    read_root root[CELL_ROOTS];
    int nroots;
    fmpz_mpoly_struct fact[READ_FACTS];
    bool strict[READ_FACTS];
    int nfacts;
    bool angles; /* tan was used */
    read_ask *ask;
    void *ctx;
    double *work; /* of cells, left for the statement */
};

PH_MUST ph_status ver_reading_init(reading *x, expr_builder *b, read_ask *ask, void *ctx, double *work);
void ver_reading_clear(reading *x);
/* Ready to read the same formulas again, with the units that are known now. */
PH_MUST ph_status ver_reading_again(reading *x);
/* e as a real fraction n/d. EOUTSIDE: no rule here, or not certainly real and defined as its symbols vary. */
PH_MUST ph_status ver_read(ring_frac *out, reading *x, expr_node *e);
/* f >= 0 (> 0) joins the facts; too many are left out. */
void ver_reading_fact(reading *x, const fmpz_mpoly_t f, bool strict);
/* Does f >= 0, where it holds at an angle of π, certainly hold beside it? May fix the side from which. */
bool ver_reading_reaches_pi(reading *x, const ring_frac *f);
/* Of the powers that were read: b^n <= b for natural n where 0 <= b <= 1, b^n >= b where b >= 1; with tangents e^v >= 1 + v, and b^m >= 1 where
 * b >= 1 and m >= 0, too. */
PH_MUST ph_status ver_reading_powers(reading *x, bool tangents);

/* The sign of f = n/d wherever d != 0, by polysign.h and by cells; *method says which. strict: > 0 is wanted. */
PH_MUST ph_status ver_reading_sign(ver_sign *out, const char **method, reading *x, const ring_frac *f,
                                   bool strict);

#endif
