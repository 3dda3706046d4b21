/* expr.h: formulas as immutable, reference-counted nodes of a DAG.
 *
 * A node is built from symbols and exact rationals only; there is no floating point in a formula, so what the prover
 * says of it holds of the formula itself. Shared parts are shared nodes; nothing is rewritten behind the user's back
 * except arithmetic between two rational constants that fits 64 bits.
 *
 * Invariant: depth <= EXP_MAX_DEPTH (so plain recursion over a formula is safe) and the number of nodes counted with
 * repetition <= EXP_MAX_SIZE (so a walk of the tree ends). Both are checked when a node is built: EARG, saying which.
 * Undefined mathematics that is visible in constants (1/0, 0^0, log 0) is EDOMAIN when it is built.
 */
#ifndef PH_EXPR_H
#define PH_EXPR_H

#include "base/base.h"

#define EXP_MAX_DEPTH 2000
#define EXP_MAX_SIZE  4000000
#define EXP_MAX_ARGS  4096

typedef enum {
    EXP_RAT, /* num/den, lowest terms, den > 0 */
    EXP_SYM,
    EXP_I,
    EXP_PI,
    EXP_AT, /* θ_i: (symbol, index) */
    EXP_NEG,
    EXP_ADD,
    EXP_SUB,
    EXP_MUL,
    EXP_DIV,
    EXP_POW,
    EXP_MIN,
    EXP_MAX,
    EXP_ATAN2, /* (y, x), both real: the angle of the point (x, y) in (−π, π]; undefined at the origin */
    EXP_SIN,
    EXP_COS,
    EXP_TAN,
    EXP_EXP,
    EXP_LOG,
    EXP_SQRT,
    EXP_SINH,
    EXP_COSH,
    EXP_TANH,
    EXP_ATAN,
    EXP_ASIN, /* −i·log(iz + √(1 − z²)), of every z: real for real z in [−1, 1] only */
    EXP_ACOS, /* π/2 − asin z */
    EXP_CI,   /* cosine integral Ci(x) = γ + ln x + ∫₀ˣ (cos t − 1)/t dt, x > 0 */
    EXP_SI,   /* sine integral Si(x) = ∫₀ˣ sin t / t dt */
    EXP_ABS,
    EXP_SIGN,
    EXP_FLOOR,
    EXP_CONJ,
    EXP_RE,
    EXP_IM,
    EXP_SUM, /* (index symbol, lo, hi, body): Σ_{index=lo}^{hi} body; 0 when hi = lo − 1, undefined for hi below that;
                a natural index only where lo is certainly positive */
    EXP_PIECE, /* (condition, value, condition, value, …, otherwise) */
    EXP_EQ,
    EXP_NE,
    EXP_LT,
    EXP_LE,
    EXP_GT,
    EXP_GE,
    EXP_NOPS
} exp_op;

/* Assumptions on a symbol. Two symbols are the same when name and assumptions are. */
typedef enum {
    EXP_REAL,
    EXP_POSITIVE,
    EXP_INTEGER,
    EXP_NATURAL,
    EXP_COMPLEX
} exp_kind; /* NATURAL: integer >= 1 */

typedef struct exp_node exp_node;
struct exp_node {
    uint32_t refs;
    exp_op op;
    uint32_t depth, nargs;
    uint64_t size;    /* nodes of the tree, repetitions counted */
    uint64_t hash;    /* equal formulas have equal hashes */
    int64_t num, den; /* EXP_RAT */
    exp_kind kind;    /* EXP_SYM */
    char *name;       /* EXP_SYM */
    exp_node *arg[];
};

/* One row per operation; every room that walks formulas reads it. */
typedef struct {
    const char *name;  /* as in Lua: "sin", "+", "le" */
    const char *latex; /* "\\sin", "+" */
    int min, max;      /* number of arguments */
    int prec;          /* binding strength when printed; 0: function call */
} exp_info;
extern const exp_info exp_ops[EXP_NOPS];

/* ---- building: *out owns one reference; arguments are borrowed ----------------------------------------- */

PH_MUST ph_status exp_rat(exp_node **out, int64_t num, int64_t den, ph_err *err); /* den = 0: EDOMAIN */
/* "-3", "22/7", "0.1", "1.5e-3", exactly. EARG for other text and for what does not fit 64 bits. */
PH_MUST ph_status exp_rat_text(exp_node **out, const char *text, ph_err *err);
PH_MUST ph_status exp_sym(exp_node **out, const char *name, exp_kind kind, ph_err *err);
PH_MUST ph_status exp_make(exp_node **out, exp_op op, int n, exp_node *const *args, ph_err *err);
PH_MUST ph_status exp_make1(exp_node **out, exp_op op, exp_node *a, ph_err *err);
PH_MUST ph_status exp_make2(exp_node **out, exp_op op, exp_node *a, exp_node *b, ph_err *err);
exp_node *exp_ref(exp_node *e);
void exp_drop(exp_node *e); /* NULL is fine */

const char *exp_kind_name(exp_kind k);
bool exp_same(const exp_node *a, const exp_node *b); /* same formula as written */
bool exp_is_rat(const exp_node *e, int64_t num, int64_t den);
bool exp_is_statement(const exp_node *e);                       /* eq ne lt le gt ge */
bool exp_has(const exp_node *e, const exp_node *sym);           /* free occurrences */
/* A chain of bound indices, innermost first: of the sums around a part. */
typedef struct exp_bound {
    const exp_node *sym;
    const struct exp_bound *up;
} exp_bound;
bool exp_uses_bound(const exp_node *e, const exp_bound *b); /* one of them is free in e */
bool exp_has_family(const exp_node *e, const exp_node *family); /* members of it, whatever their index */

/* ---- what is certain: true only when it holds for all values of the symbols where e is defined (assume.c) ---- */

bool exp_is_real(const exp_node *e);
bool exp_is_positive(const exp_node *e);
bool exp_is_nonnegative(const exp_node *e);
bool exp_is_nonpositive(const exp_node *e);
bool exp_is_whole(const exp_node *e); /* an integer (linear.c) */

/* ---- symbols of a formula ------------------------------------------------------------------------------ */

/* A set of atoms: symbols and indexed symbols that occur free, sorted by text. */
typedef struct {
    int n, cap;
    exp_node **item;
} exp_set;
void exp_set_clear(exp_set *s);
PH_MUST ph_status exp_set_add(exp_set *s, exp_node *e, ph_err *err);
PH_MUST ph_status exp_set_append(exp_set *s, exp_node *e,
                                 ph_err *err); /* any formulas, in the order they come, once each */
/* EARG when one name stands for symbols of different assumptions. */
PH_MUST ph_status exp_symbols(exp_set *out, const exp_node *e, ph_err *err);
/* The same of several formulas together, without the set. */
PH_MUST ph_status exp_names_agree(exp_node *const *e, int n, ph_err *err);

/* ---- calculus and rewriting ---------------------------------------------------------------------------- */

/* e in which every member of the family of `member` is either written as `member` is, or certainly another one: sums with
 * integer bounds are written out for that. EOUTSIDE where two may be the same: a[n] and a[1]. e itself for a symbol. */
PH_MUST ph_status exp_members_apart(exp_node **out, exp_node *e, exp_node *member, ph_err *err);
/* ∂e/∂x by the usual rules; at a kink (abs, sign, floor, min, max, piecewise) the derivative away from it. conj, re, im
 * are linear for a real variable. EARG for a statement or when x is no symbol. */
PH_MUST ph_status exp_diff(exp_node **out, exp_node *e, exp_node *x, ph_err *err);
/* Puts the value `to` for the symbol or member `from` wherever it occurs free; a bound index that would capture is an EARG, and
 * so is a symbol of the same name with another assumption. Members that may be `from`: see exp_members_apart. */
PH_MUST ph_status exp_subst(exp_node **out, exp_node *e, exp_node *from, exp_node *to, ph_err *err);
/* The same for places that are written exactly as `from` only: what an equation from = to allows, for any of them. */
PH_MUST ph_status exp_replace(exp_node **out, exp_node *e, exp_node *from, exp_node *to, ph_err *err);
/* Every Σ with integer bounds written out; others stay. EBUDGET beyond EXP_MAX_SIZE. */
PH_MUST ph_status exp_expand_sums(exp_node **out, exp_node *e, ph_err *err);
/* conj, re and im pushed down to the symbols: complex symbols z remain as conj(z), and so does what conj does not commute
 * with everywhere: conj(sqrt(x)) for x that may be negative. */
PH_MUST ph_status exp_push_conj(exp_node **out, exp_node *e, ph_err *err);

/* ---- numbers ------------------------------------------------------------------------------------------- */

/* Value of an atom during evaluation; returns false when it has none. */
typedef bool exp_lookup(void *ctx, const exp_node *atom, double _Complex *value);
/* e in f64 arithmetic (complex where needed). Statements give 0 or 1. Outside the domain: NaN. EARG for an unbound
 * atom (named). Polls the interrupt flag inside sums. */
PH_MUST ph_status exp_eval(double _Complex *out, const exp_node *e, exp_lookup *lookup, void *ctx,
                           ph_err *err);

/* The same at many points: out[k] is what exp_eval gives at point k, to the bit. The lookup sets v[0 … n−1] to an atom's values
 * at the points first … first+n−1, or v[0] alone and *same when they are one; false: it has none. */
typedef bool exp_lookup_many(void *ctx, const exp_node *atom, int64_t first, int n, double _Complex *v,
                             bool *same);
PH_MUST ph_status exp_eval_many(double _Complex *out, int64_t n, const exp_node *e, exp_lookup_many *lookup,
                                void *ctx, ph_err *err);

/* Ci(x) for x > 0 (−inf at 0, NaN below) and Si(x), within 4e-14·max(1, |value|). */
double exp_ci(double x);
double exp_si(double x);

/* ---- text ---------------------------------------------------------------------------------------------- */

/* *out is ph_alloc'ed. Text is the formula in the laboratory's own syntax as far as it has one; longer than `limit`
 * characters (0: no limit) it ends in "…". */
PH_MUST ph_status exp_text(char **out, const exp_node *e, size_t limit, ph_err *err);
PH_MUST ph_status exp_latex(char **out, const exp_node *e, size_t limit, ph_err *err);

/* ---- mutants ------------------------------------------------------------------------------------------- */

/* One systematic change of a formula. Called for each mutant of e in turn: "cos → sin at cos(b)". Stops early when it
 * returns anything but PH_OK, and that is the result. */
typedef ph_status exp_on_mutant(void *ctx, exp_node *mutant, const char *what, ph_err *err);
/* What is changed: a constant (±1, ×2, ÷2); an exponent, an index or a bound of a sum (±1); a symbol (to each other one of its
 * kind); + - * / (add↔sub, add↔mul, mul↔div, and either operand left out); a function (sin↔cos; its argument negated, doubled).
 * Mutants identical as written to e, or undefined as built, are not made. */
PH_MUST ph_status exp_mutants(exp_node *e, exp_on_mutant *on, void *ctx, ph_err *err);

#endif
