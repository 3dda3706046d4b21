/* expr.h: formulas as immutable, reference-counted nodes of a DAG.
 *
 * A node is built from symbols and exact rationals only; there is no floating point in a formula, so what the prover
 * says of it holds of the formula itself. Shared parts are shared nodes; nothing is rewritten behind the user's back
 * except arithmetic between two rational constants that fits 64 bits.
 *
 * Invariant: depth <= EXPR_MAX_DEPTH (so plain recursion over a formula is safe) and the number of nodes counted with
 * repetition <= EXPR_MAX_SIZE (so a walk of the tree ends). Both are checked when a node is built: EARG, saying which.
 * Undefined mathematics that is visible in constants (1/0, 0^0, log 0) is EDOMAIN when it is built.
 */
#ifndef PH_EXPR_H
#define PH_EXPR_H

#include "base/base.h"

#define EXPR_MAX_DEPTH 2000
#define EXPR_MAX_SIZE  4000000
#define EXPR_MAX_ARGS  4096

typedef enum {
    EXPR_RAT, /* num/den, lowest terms, den > 0 */
    EXPR_SYM,
    EXPR_I,
    EXPR_PI,
    EXPR_AT, /* θ_i: (symbol, index) */
    EXPR_NEG,
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,
    EXPR_POW,
    EXPR_MIN,
    EXPR_MAX,
    EXPR_ATAN2, /* (y, x), both real: the angle of the point (x, y) in (−π, π]; undefined at the origin */
    EXPR_SIN,
    EXPR_COS,
    EXPR_TAN,
    EXPR_EXP,
    EXPR_LOG,
    EXPR_SQRT,
    EXPR_SINH,
    EXPR_COSH,
    EXPR_TANH,
    EXPR_ATAN,
    EXPR_ASIN, /* −i·log(iz + √(1 − z²)), of every z: real for real z in [−1, 1] only */
    EXPR_ACOS, /* π/2 − asin z */
    EXPR_CI,   /* cosine integral Ci(x) = γ + ln x + ∫₀ˣ (cos t − 1)/t dt, x > 0 */
    EXPR_SI,   /* sine integral Si(x) = ∫₀ˣ sin t / t dt */
    EXPR_ABS,
    EXPR_SIGN,
    EXPR_FLOOR,
    EXPR_CONJ,
    EXPR_RE,
    EXPR_IM,
    EXPR_SUM, /* (index symbol, lo, hi, body): Σ_{index=lo}^{hi} body; 0 when hi = lo − 1, undefined for hi below that;
                a natural index only where lo is certainly positive */
    EXPR_INTEGRAL, /* (variable, integrand[, lo[, hi]]): ∫_lo^hi integrand; without hi to ∞, without both from −∞ to ∞. The
                     variable is a real or positive symbol */
    EXPR_PIECE,    /* (condition, value, condition, value, …, otherwise) */
    EXPR_EQ,
    EXPR_NE,
    EXPR_LT,
    EXPR_LE,
    EXPR_GT,
    EXPR_GE,
    EXPR_NOPS
} expr_op;

/* Assumptions on a symbol. Two symbols are the same when name and assumptions are. */
typedef enum {
    EXPR_REAL,
    EXPR_POSITIVE,
    EXPR_INTEGER,
    EXPR_NATURAL,
    EXPR_COMPLEX
} expr_kind; /* NATURAL: integer >= 1 */

typedef struct expr_node expr_node;
struct expr_node {
    uint32_t refs;
    expr_op op;
    uint32_t depth, nargs;
    uint64_t size;    /* nodes of the tree, repetitions counted */
    uint64_t hash;    /* equal formulas have equal hashes */
    int64_t num, den; /* EXPR_RAT */
    expr_kind kind;   /* EXPR_SYM */
    char *name;       /* EXPR_SYM */
    expr_node *arg[];
};

/* One row per operation; every room that walks formulas reads it. */
typedef struct {
    const char *name;  /* as in Lua: "sin", "+", "le" */
    const char *latex; /* "\\sin", "+" */
    int min, max;      /* number of arguments */
    int prec;          /* binding strength when printed; 0: function call */
} expr_info;
extern const expr_info expr_ops[EXPR_NOPS];

/* ---- building: *out owns one reference; arguments are borrowed ----------------------------------------- */

PH_MUST ph_status expr_rat(expr_node **out, int64_t num, int64_t den, ph_err *err); /* den = 0: EDOMAIN */
/* "-3", "22/7", "0.1", "1.5e-3", exactly. EARG for other text and for what does not fit 64 bits. */
PH_MUST ph_status expr_rat_text(expr_node **out, const char *text, ph_err *err);
PH_MUST ph_status expr_sym(expr_node **out, const char *name, expr_kind kind, ph_err *err);
PH_MUST ph_status expr_make(expr_node **out, expr_op op, int n, expr_node *const *args, ph_err *err);
/* The index and the bounds of a sum, a product, …: what `who` says of those that no formula can have. Else expr_make(EXPR_SUM) takes them. */
PH_MUST ph_status expr_check_range(const char *who, const expr_node *index, const expr_node *lo,
                                   const expr_node *hi, ph_err *err);
PH_MUST ph_status expr_make1(expr_node **out, expr_op op, expr_node *a, ph_err *err);
PH_MUST ph_status expr_make2(expr_node **out, expr_op op, expr_node *a, expr_node *b, ph_err *err);
expr_node *expr_ref(expr_node *e);
void expr_drop(expr_node *e); /* NULL is fine */

const char *expr_kind_name(expr_kind k);
bool expr_same(const expr_node *a, const expr_node *b); /* same formula as written */
bool expr_is_rat(const expr_node *e, int64_t num, int64_t den);
bool expr_is_statement(const expr_node *e); /* eq ne lt le gt ge */
/* The number of the argument in which argument 0 is a symbol of its own: of a sum, of an integral. 0: it binds none. */
uint32_t expr_body(const expr_node *e);
bool expr_has(const expr_node *e, const expr_node *sym); /* free occurrences */
bool expr_has_complex(const expr_node *e);               /* I, or a complex symbol */
bool expr_is_constant(const expr_node *e);               /* no free symbol in it */
/* A chain of bound indices, innermost first: of the sums around a part. */
typedef struct expr_bound {
    const expr_node *sym;
    const struct expr_bound *up;
} expr_bound;
bool expr_uses_bound(const expr_node *e, const expr_bound *b);     /* one of them is free in e */
bool expr_has_family(const expr_node *e, const expr_node *family); /* members of it, whatever their index */

/* ---- what is certain: true only when it holds for all values of the symbols where e is defined (assume.c) ---- */

bool expr_is_real(const expr_node *e);
bool expr_is_positive(const expr_node *e);
bool expr_is_nonnegative(const expr_node *e);
bool expr_is_nonpositive(const expr_node *e);
bool expr_is_whole(const expr_node *e); /* an integer (linear.c) */

/* ---- symbols of a formula ------------------------------------------------------------------------------ */

/* A set of atoms: symbols and indexed symbols that occur free, sorted by text. */
typedef struct {
    int n;
    expr_node **item;
} expr_set;
void expr_set_clear(expr_set *s);
PH_MUST ph_status expr_set_add(expr_set *s, expr_node *e, ph_err *err);
PH_MUST ph_status expr_set_append(expr_set *s, expr_node *e,
                                  ph_err *err); /* any formulas, in the order they come, once each */
/* EARG when one name stands for symbols of different assumptions. */
PH_MUST ph_status expr_symbols(expr_set *out, const expr_node *e, ph_err *err);
/* The same of several formulas together, without the set. */
PH_MUST ph_status expr_names_agree(expr_node *const *e, int n, ph_err *err);

/* ---- calculus and rewriting ---------------------------------------------------------------------------- */

/* e in which every member of the family of `member` is either written as `member` is, or certainly another one: sums with
 * integer bounds are written out for that. EOUTSIDE where two may be the same: a[n] and a[1]. e itself for a symbol. */
PH_MUST ph_status expr_members_apart(expr_node **out, expr_node *e, expr_node *member, ph_err *err);
/* ∂e/∂x by the usual rules; at a kink (abs, min, max) the mean of those on its sides, at a jump (sign, floor) and where a case of piecewise
 * begins the derivative away from it; a case at a single x has none. conj, re, im are linear for a real variable. EARG for a statement or when x is no symbol. */
PH_MUST ph_status expr_diff(expr_node **out, expr_node *e, expr_node *x, ph_err *err);
/* Puts the value `to` for the symbol or member `from` wherever it occurs free; a bound index that would capture is an EARG, and
 * so is a symbol of the same name with another assumption. Members that may be `from`: see expr_members_apart. */
PH_MUST ph_status expr_subst(expr_node **out, expr_node *e, expr_node *from, expr_node *to, ph_err *err);
/* The same for places that are written exactly as `from` only: what an equation from = to allows, for any of them. */
PH_MUST ph_status expr_replace(expr_node **out, expr_node *e, expr_node *from, expr_node *to, ph_err *err);
/* Every Σ with integer bounds written out; others stay. EBUDGET beyond EXPR_MAX_SIZE. */
PH_MUST ph_status expr_expand_sums(expr_node **out, expr_node *e, ph_err *err);
/* conj, re and im pushed down to the symbols: complex symbols z remain as conj(z), and so does what conj does not commute
 * with everywhere: conj(sqrt(x)) for x that may be negative. */
PH_MUST ph_status expr_push_conj(expr_node **out, expr_node *e, ph_err *err);

/* ---- numbers ------------------------------------------------------------------------------------------- */

/* Value of an atom during evaluation; returns false when it has none. */
typedef bool expr_lookup(void *ctx, const expr_node *atom, double _Complex *value);
/* e in f64 arithmetic (complex where needed). Statements give 0 or 1. Outside the domain: NaN. EARG for an unbound
 * atom (named). Polls the interrupt flag inside sums. */
PH_MUST ph_status expr_eval(double _Complex *out, const expr_node *e, expr_lookup *lookup, void *ctx,
                            ph_err *err);

/* The same at one of many points, where no sum may take long: EBUDGET where sums have more terms in all. */
#define EXPR_POINT_TERMS 1e6
PH_MUST ph_status expr_eval_point(double _Complex *out, const expr_node *e, expr_lookup *lookup, void *ctx,
                                  ph_err *err);

/* The same as expr_eval at many points: out[k] is what expr_eval gives at point k, to the bit. The lookup sets v[0 … n−1] to an atom's values
 * at the points first … first+n−1, or v[0] alone and *same when they are one; false: it has none. */
typedef bool expr_lookup_many(void *ctx, const expr_node *atom, int64_t first, int n, double _Complex *v,
                              bool *same);
PH_MUST ph_status expr_eval_many(double _Complex *out, int64_t n, const expr_node *e,
                                 expr_lookup_many *lookup, void *ctx, ph_err *err);

/* Ci(x) for x > 0 (−inf at 0, NaN below) and Si(x), within 4e-14·max(1, |value|). */
double expr_ci(double x);
double expr_si(double x);

/* ---- text ---------------------------------------------------------------------------------------------- */

/* *out is ph_alloc'ed. Text is the formula in the laboratory's own syntax as far as it has one; longer than `limit`
 * characters (0: no limit) it ends in "…". */
PH_MUST ph_status expr_text(char **out, const expr_node *e, size_t limit, ph_err *err);
PH_MUST ph_status expr_latex(char **out, const expr_node *e, size_t limit, ph_err *err);

/* ---- mutants ------------------------------------------------------------------------------------------- */

/* One systematic change of a formula. Called for each mutant of e in turn: "cos → sin at cos(b)". Stops early when it
 * returns anything but PH_OK, and that is the result. */
typedef ph_status expr_on_mutant(void *ctx, expr_node *mutant, const char *what, ph_err *err);
/* What is changed: a constant (±1, ×2, ÷2); an exponent, an index or a bound of a sum (±1); a symbol (to each other one of its
 * kind); + - * / (add↔sub, add↔mul, mul↔div, and either operand left out); a function (sin↔cos; its argument negated, doubled).
 * Mutants identical as written to e, or undefined as built, are not made; a factor of 0 leaves the other one as it is. */
PH_MUST ph_status expr_mutants(expr_node *e, expr_on_mutant *on, void *ctx, ph_err *err);

#endif
