/* normal_internal.h: the normal form while it is made. Private to the files that make it:
 *   prepare.c     rewriting before anything else; radicand.c for what stands under a root
 *   parts.c       the distinct parts of the formula
 *   generators.c  atoms, directions of exponents
 *   angles.c      exponentials of inverse functions
 *   logarithms.c  logarithms of bases
 *   unity.c       roots of unity
 *   values.c      formulas read into the ring
 *   normal.c      the rounds, innermost functions first, and the answer
 */
#ifndef PH_VERIFY_NORMAL_INTERNAL_H
#define PH_VERIFY_NORMAL_INTERNAL_H

#include "verify/normal.h"
#include "verify/ring.h"

#define MAX_GENS 4096
#define MAX_ROOT 5040 /* denominator of an exponent whose generator has a relation: a root, a power of −1 */
/* Ten to the power of this bounds what FLINT keeps in one of its words, of 64 bits or 32. */
#define TEN_TO(of_64, of_32) ((slong)(sizeof(slong) > 4 ? (int64_t)1e##of_64 : (int64_t)1e##of_32))
#define MAX_DENOMINATOR                                                                                      \
    TEN_TO(12, 9) /* of any other: its generator is free, and its powers cost no more for being high */
#define UNITS_DIGITS    (sizeof(slong) > 4 ? 15 : 9)
#define MAX_UNITS       TEN_TO(15, 9) /* power of such a generator */
#define MAX_UNITY       8             /* primes in the orders of roots of unity */
#define MAX_UNITY_ORDER 512           /* degree of one of their generators */
#define MAX_KEY         64            /* factors of one direction */
#define MAX_ALIASES     32            /* bases of logarithms that are equal to another, written otherwise */

/* A generator of the ring. Ids are handed out in order; relations of g use generators below g only. */
typedef enum { GEN_I, GEN_UNITY, GEN_PI, GEN_ATOM, GEN_LOG, GEN_EXP, GEN_OPAQUE } gen_kind;

/* The roots of unity in use: ζ = e^(2πi/p^k) for each prime p. */
typedef struct {
    struct {
        slong p, k, gen;
    } root[MAX_UNITY];
    int n;
    bool missing; /* one was needed that the ring had not been given: to be decided again with it */
} unity;

typedef struct {
    gen_kind kind;
    expr_node *
        node; /* ATOM: the symbol. LOG: of what (a prime, a positive symbol, or any other base). OPAQUE: f(u) */
    slong dir; /* EXP: which direction; OPAQUE: -1 */
} gen;

typedef struct {
    int32_t gen, num, den; /* generator^(num/den); den > 1 only for GEN_EXP, whose own unit is 1/q */
} factor;

/* An exponent's monomial, up to a rational coefficient: Π factors / D, D as text in generator names ("" for 1). */
typedef enum {
    DIR_PLAIN,
    DIR_ROOT_OF_UNITY, /* I·π alone */
    DIR_PARITY,        /* I·π·integer symbols: e^(that) is ±1 */
    DIR_LOG            /* log b alone: e^(that) is b */
} dir_kind;

typedef struct {
    dir_kind kind;
    factor f[MAX_KEY];
    int nf;
    char *den;
    slong q;   /* lcm of the denominators seen; the generator is e^(direction/q) */
    slong gen; /* -1: none (roots of unity) */
} direction;

typedef struct {
    slong dir;
    fmpq_t coef;
} part;

/* What a function node became. */
typedef struct {
    const expr_node *node;
    part *part; /* exponent E split into directions; NULL for an opaque atom */
    int nparts;
    slong gen; /* opaque atom */
    int sign;  /* opaque: node = sign · generator */
    bool zero; /* a positive power of 0 */
} plan;

/* A part of the formula, once however often it is written. */
typedef struct {
    expr_node *node;
    int height; /* functions nested in it */
    uint32_t uses;
    int32_t plan; /* -1: none yet */
    bool known;
    ring_frac value; /* in the ring that is open, when known */
} formula_part;

typedef struct {
    ph_err *err;
    normal_form *out;
    gen *gens;
    slong ngens;
    direction *dirs;
    slong ndirs;
    plan *plans;
    size_t nplans;
    ring r;
    bool ring_open;
    unity unity;
    formula_part *parts; /* children first */
    size_t nparts, capparts;
    uint32_t *slot; /* index + 1 by hash; 0: free */
    size_t nslots;
    int nesting;  /* a normal form asked for within another */
    double spent; /* work in the rings before this one */
    struct alias {
        expr_node *node;
        slong gen;
    } alias[MAX_ALIASES];
    int naliases;
    expr_set made; /* formulas that came up on the way */
    int top;       /* height of the whole */
} normal;

bool ver_is_atom(const expr_node *e);     /* a symbol, an indexed symbol, the conjugate of a complex one */
bool ver_is_function(const expr_node *e); /* needs a plan before it has a value */
bool ver_is_integer_pow(const expr_node *e);

/* parts.c */
PH_MUST ph_status ver_find_parts(normal *c, expr_node *e, int *height);
formula_part *ver_part_of(const normal *c, const expr_node *e); /* NULL: not a part */
void ver_forget_values(normal *c);

/* normal.c */
bool ver_normal_same(expr_builder *b, expr_node *x, expr_node *y, int nesting);

/* generators.c */
PH_MUST ph_status ver_gen_new(normal *c, slong *id, gen_kind kind, expr_node *node, slong dir);
PH_MUST ph_status ver_gen_get(normal *c, slong *id, gen_kind kind, expr_node *node); /* found, or new */
slong ver_gen_find(const normal *c, gen_kind kind, const expr_node *node);
/* Before any ring exists: generators for an atom, and for the logarithms that a power or log will need. */
PH_MUST ph_status ver_scout(normal *c, expr_node *part);
PH_MUST ph_status ver_direction_get(normal *c, slong *id, const factor *f, int nf, const char *den);
PH_MUST ph_status ver_add_part(normal *c, plan *p, slong dir, const fmpq_t coef);
/* Splits the exponent E into directions with rational coefficients. */
PH_MUST ph_status ver_split(normal *c, plan *p, ring_frac *E);

/* logarithms.c */
PH_MUST ph_status ver_log_get(normal *c, slong *id, expr_node *b); /* the generator log b */
/* times·log b as a sum of logarithms that have generators, added with a sign; out NULL: only makes the generators. whole: any number
 * whose exponential is b will do, since the whole is the exponent of a power with a whole exponent. */
PH_MUST ph_status ver_log_of(normal *c, ring_frac *out, expr_node *b, const ring_frac *times, int sign,
                             bool whole);

/* prepare.c: the formula in operations that the normal form knows. nesting: as in normal. */
expr_node *ver_prepare(expr_builder *b, expr_node *e, int nesting);
/* A root, a logarithm or a power with another exponent than a whole number. */
bool ver_has_root(const expr_node *e);
/* e with what comes out of its roots, √(s²r) = |s|·√r; e itself where it has none, or prepare.c does not get through. */
expr_node *ver_take_roots(expr_builder *b, expr_node *e);

/* angles.c */
bool ver_is_angle(const expr_node *e); /* e^(i·c·e) can be taken apart */
PH_MUST ph_status ver_angle_scout(normal *c, expr_node *e);
/* The parts of i·coef·e for such an e. */
PH_MUST ph_status ver_angle_parts(normal *c, plan *p, const expr_node *e, const fmpq_t coef);

/* unity.c */
/* e^(iπ·coef) needs these roots of unity: EUNABLE, with c->unity.missing, when the ring has not got them. */
PH_MUST ph_status ver_unity_want(normal *c, const fmpq_t coef);
PH_MUST ph_status ver_unity_gens(normal *c); /* the generators for those wanted, below all others but I */
PH_MUST ph_status ver_unity_relate(normal *c, slong gen);
PH_MUST ph_status ver_unity_value(normal *c, ring_frac *out, const fmpq_t coef);
/* √p in roots of unity, for a prime p; false when they do not hold it. */
PH_MUST ph_status ver_unity_sqrt(normal *c, ring_frac *out, int64_t p, bool *held);

/* values.c */
PH_MUST ph_status ver_convert(normal *c, ring_frac *out, const expr_node *e);
void ver_set_si(ring_frac *f, int64_t num, int64_t den, ring *r);

#endif
