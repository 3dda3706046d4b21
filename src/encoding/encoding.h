/* encoding.h: an encoding is a descriptor: one `const enc_encoding enc_NAME` in one file of this room.
 *
 * The descriptor says everything the laboratory knows of an encoding: what it is, where it was published, how its
 * columns lie, which laws it claims, its functions with typed parameters, and their definitions in operations. The registry is generated
 * from the files present; calls from Lua, help, completion and tests follow from it.
 *
 * Letters: T positions, d dimension, H heads, i pair index (0-based), m and n positions, θ frequency.
 * Invariant: `run` sees only arguments that enc_run has checked against the parameters. Arrays are borrowed.
 */
#ifndef PH_ENCODING_H
#define PH_ENCODING_H

#include "array/rule.h"
#include "base/dd.h"
#include "base/text.h"
#include "expr/expr.h"

#define ENC_MAXPAR 13
#define ENC_MAXOUT 2

typedef enum {
    ENC_ADDITIVE, /* vectors added to the tokens: (T, d) */
    ENC_BIAS,     /* added to the scores: (H, T, T) or (T, T) */
    ENC_ROTATION, /* turns q and k: (..., T, d) → (..., T, d) */
    ENC_FACTOR,   /* multiplies q by a number for each position: (..., T, d) → (..., T, d) */
    ENC_RELATIVE, /* keys (and values) that depend on the distance: q (..., T, d), k (..., S, d) → scores (..., T, S) */
    ENC_CONTEXTUAL /* positions that depend on what q and k are: → scores (..., T, S) */
} enc_kind;
const char *enc_kind_text(enc_kind k);

/* Laws an encoding may claim; the claim holds for every admissible argument unless `claims` says otherwise. */
enum {
    ENC_IS_RELATIVE = 1,      /* scores depend on m and n through m - n only */
    ENC_IS_EVEN = 2,          /* ... through |m - n| only */
    ENC_IS_BOUNDED = 4,       /* values stay in a fixed interval for every position */
    ENC_IS_DECAYING = 8,      /* never increases with |m - n| */
    ENC_KEEPS_NORMS = 16,     /* the length of a vector is unchanged, or the same at every position */
    ENC_IS_SHIFT_LINEAR = 32, /* the vector at t + k is a linear map, that knows k only, of the vector at t */
    ENC_NLAWS = 6
};
const char *enc_law_text(int number); /* 0 .. ENC_NLAWS - 1, lowest bit first; NULL past the end */

/* ---- parameters ---------------------------------------------------------------------------------------- */

typedef enum {
    ENC_INT,
    ENC_NUM, /* finite */
    ENC_FLAG,
    ENC_WORD, /* one of `words` */
    ENC_ARRAY,
    ENC_POSITIONS, /* a count T (positions offset, offset+1, …), or an array (T) of finite positions */
    ENC_CHOICE     /* a record whose field `kind` picks one of `choices`, each with fields of its own */
} enc_type;

typedef enum {
    ENC_POSITIONAL,
    ENC_NAMED,
    ENC_OPTIONAL,
    ENC_DERIVED
} enc_how; /* by place; by name, required; by name, may be absent; the same, and then the other arguments say what it is */

typedef struct enc_choice enc_choice;

typedef struct {
    const char *name;
    enc_type type;
    enc_how how;
    double otherwise, lo, hi;  /* default (of a word: its number), range with both ends */
    const char *words;         /* "interleaved half"; NULL for other types */
    const enc_choice *choices; /* ended by name == NULL */
    const char *unit, *help;   /* unit NULL: none. help says what a wrong or missing value needs to hear */
} enc_param;

struct enc_choice {
    const char *name, *help;
    const enc_param *params; /* ended by name == NULL, or NULL */
};

typedef struct enc_value enc_value;
struct enc_value {
    bool given;        /* false: `num` or `whole` is the default */
    bool made;         /* `array` was made for this call: nobody sees what is written into it */
    double num;        /* ENC_NUM */
    int64_t whole;     /* ENC_INT, ENC_FLAG, number of the word or choice, count of positions without array */
    const char *word;  /* the text given for a word, checked by enc_run; NULL otherwise */
    const arr *array;  /* ENC_ARRAY, ENC_POSITIONS; NULL when absent */
    enc_value *fields; /* ENC_CHOICE: as many as the choice has parameters; NULL when absent */
    op_val
        *value; /* a traced number, array or list of positions; NULL: there is nothing but the plain value */
    bool unknown; /* a batch: its members have no plain value in common, so num and array have none */
};

/* A call as its definition sees it. */
typedef struct {
    op_ctx *c;
    const enc_value *v;
    /* Where a formula is asked for: its one query and key, and, contextual, the position that keys count, (1, 1). NULL: those
     * of the call. */
    op_val *query, *key, *place;
} enc_def;

typedef struct enc_function enc_function;
typedef ph_status enc_run_fn(arr *out, const enc_value *v, ph_err *err);
typedef ph_status enc_check_fn(const enc_value *v, ph_err *err);
/* All of y is NULL before the call. */
typedef void enc_define_fn(const enc_def *d, op_val **y);

struct enc_function {
    const char *name, *summary; /* of the Lua function; summary under 72 columns */
    const char *notes;          /* shapes, errors, units: lines of help, or NULL */
    const char *example;        /* as bind_row's */
    const enc_param *params;    /* ended by name == NULL; placed ones first */
    int n_out;
    enc_run_fn *run;
    enc_check_fn *check; /* what the parameters' types do not say; NULL: nothing */
    enc_define_fn *
        define; /* what `run` computes, in operations (define.h); NULL: it has no derivative by any argument */
};

/* ---- the descriptor ------------------------------------------------------------------------------------ */

typedef struct {
    const char *en, *zh;
} enc_words;

typedef struct {
    const char *name;
    enc_words title;
    const char *citation;
    enc_kind kind;
    const char *layout; /* the columns drawn */
    unsigned laws;
    enc_words claims;              /* conditions of the laws, or NULL */
    const enc_function *functions; /* ended by name == NULL; the first is the encoding itself */
    /* Arguments of the first function with which the laws are tried, as Lua: one line a variant, "causal: arguments", the first
     * without a name. Names there: T positions, d columns (even), H heads; X, Q, K content (T, d); side, "q" then "k";
     * learned(n, m, ...), an array that a model would learn: it counts as parameters. Small exact numbers keep proofs cheap. */
    const char *sample;
    /* The same for a model that is trained, whose sizes are larger (train/positions.lua has its names); NULL: as the sample's first line;
     * "": a model without any. */
    const char *model;
} enc_encoding;

extern const enc_encoding *const enc_registry[]; /* ends with NULL; sorted by name */
const enc_encoding *enc_find(const char *name);  /* NULL: none */

/* A function in words, from its descriptor: its arguments, as "T, d [, {base, offset}]"; its help, a line for each parameter. */
void enc_put_args(ph_text *t, const enc_function *f);
void enc_put_help(ph_text *t, const enc_encoding *e, const enc_function *f);

/* ---- calls --------------------------------------------------------------------------------------------- */

/* A call being made ready: every parameter at its default, then set by name, then run. A name that is no parameter
 * makes enc_set return NULL. */
typedef struct {
    const enc_function *fn;
    enc_value v[ENC_MAXPAR];
} enc_call;
void enc_begin(enc_call *c, const enc_function *fn);
void enc_defaults(enc_value *v, const enc_param *params);
enc_value *enc_set(enc_call *c, const char *name); /* marks it given */

/* Checks every argument whose value is known. */
PH_MUST ph_status enc_check(enc_call *c, ph_err *err);
/* Checks every argument (EARG names function, parameter, value seen, wanted), then runs. out[0 .. n_out-1] are the
 * caller's on PH_OK, ARR_NONE otherwise. */
PH_MUST ph_status enc_run(arr *out, enc_call *c, ph_err *err);
/* One entry of what e's first function returns, exact: its definition, run on symbols. Arguments are checked as by enc_run.
 * Column (or head) `j`, 0-based. Symbols: additive: t; bias: m (query), n (key); rotation, factor: m (of several positions
 * m[0], m[1], …) and x[j], the vector before; relative: m, n and the vectors q[c], k[c]; contextual: q[c], k[c] and p, the
 * position that the keys from n to m count: at least 0, less than 1 a key. EUNABLE where a parameter that enters is no ratio
 * of 64-bit integers. */
PH_MUST ph_status enc_formula(expr_node **out, const enc_encoding *e, enc_call *c, int64_t j, ph_err *err);

/* A number for a message: whole ones without a point. buf >= 40 bytes; returns buf. */
char *enc_num_text(char *buf, size_t cap, double x);

#endif
