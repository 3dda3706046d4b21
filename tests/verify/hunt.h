/* hunt.h: a hunt for false verdicts. What its files share.
 *
 * A case is a question to the laboratory in Lua, as a person would type it, whose formulas the hunt has made itself and keeps
 * as its own trees. The answer is judged by the hunt's own evaluation of its own trees (hunt_value.c): nothing of the
 * laboratory's arithmetic takes part. The operations' tags are those of expr.h; what they mean here is written below.
 *
 * Conventions. Branches are principal: log has its imaginary part in (-pi, pi], sqrt(u) = u^(1/2), u^v = exp(v log u) for
 * v that is no integer. Undefined: x/0, log 0, 0^v unless v > 0, atan(+-I), tan at its poles, Ci(x) unless x > 0; Si,
 * sign, floor, minimum, maximum and the order relations of what is not real; a sum whose bounds are no integers, or whose
 * upper bound is below lower - 1; a member whose index is no integer; piecewise when a condition before the one that holds
 * is undefined. A formula is undefined when a part of it is, but branches of piecewise that are not taken do not count.
 */
#ifndef PH_TESTS_HUNT_H
#define PH_TESTS_HUNT_H

#include <lua.h>

#include "expr/expr.h"
#include "verify/flint.h"

/* ---- trees (hunt_tree.c): they live until the next case ------------------------------------------------ */

typedef struct tree tree;
struct tree {
    expr_op op;
    int n, sym;       /* EXPR_SYM: which */
    int64_t num, den; /* EXPR_RAT */
    tree *arg[];
};

/* The symbols of every case: a kind has several, some of them indices of sums, S_PRIME is an index that a
 * condition has renamed (n', i'1), and the last four are families. */
enum {
    S_X,
    S_Y,
    S_U,
    S_K,
    S_S,
    S_N,
    S_M,
    S_I,
    S_J,
    S_P,
    S_R,
    S_Z,
    S_W,
    S_PRIME,
    S_A,
    S_B,
    S_C,
    S_D,
    NSYM,
    S_FAMILY = S_A
};
typedef struct {
    const char *name;
    expr_kind kind;
} symbol;
extern const symbol symbols[NSYM];

void tree_reset(void);
tree *T(expr_op op, int n, tree *const *arg);
tree *T1(expr_op op, tree *u);
tree *T2(expr_op op, tree *u, tree *v);
tree *T_rat(int64_t num, int64_t den);
tree *T_sym(int sym);
tree *T_at(int family, tree *index);
tree *T_sum(int index, tree *lo, tree *hi, tree *body);
tree *T_piece(tree *condition, tree *yes, tree *no);
#define INT(n)    T_rat(n, 1)
#define ADD(u, v) T2(EXPR_ADD, u, v)
#define SUB(u, v) T2(EXPR_SUB, u, v)
#define MUL(u, v) T2(EXPR_MUL, u, v)
#define DIV(u, v) T2(EXPR_DIV, u, v)
#define POW(u, v) T2(EXPR_POW, u, v)
#define NEG(u)    T1(EXPR_NEG, u)

bool is_int(const tree *t, int64_t n);
bool is_statement(const tree *t);
bool has_sym(const tree *t, int sym);
int tree_size(const tree *t);
tree *tree_put(tree *t, int sym,
               tree *to); /* free occurrences; nothing is captured when `to` is free of indices */
/* What can be said without thought: for all values where it is defined. */
bool surely_real(const tree *t);
bool surely_integer(const tree *t);
bool surely_positive(const tree *t);
tree *tree_of(const expr_node *e); /* NULL: a symbol that no case has */

/* ---- text ---------------------------------------------------------------------------------------------- */

typedef struct {
    char *s;
    size_t n, cap;
} text;
void put(text *t, const char *fmt, ...) PH_PRINTF(2, 3);
void put_tree(text *t, const tree *e);                             /* as Lua */
void put_symbols(text *t, const tree *const *list, int n);         /* x = sym "x"; for those in use */
tree *read_formula(const char **p);                                /* the laboratory's text; NULL: cannot */
int read_conditions(const char *conditions, tree **out, int most); /* what follows "with"; -1: cannot */
extern const char prelude[];                                       /* Lua: all symbols */

/* ---- chance (hunt_tree.c) ------------------------------------------------------------------------------ */

void chance_seed(uint64_t seed);
uint64_t chance(void);
int below(int n); /* 0 … n−1 */
bool one_in(int n);
int64_t between(int64_t lo, int64_t hi);

/* ---- values (hunt_arithmetic.c, hunt_value.c) ------------------------------------------------------------- */

/* A complex number: exactly known, or in a ball. */
typedef struct {
    bool exact;
    fmpq_t re, im;
    acb_t z;
} value;
void value_init(value *v);
void value_clear(value *v);
void value_set(value *to, const value *from);
void value_ball(acb_t out, const value *v, slong prec);

typedef enum { DEFINED, UNDEFINED, UNDECIDED } found;

/* A point: values of the symbols; members of families are drawn from the seed, but those given. */
#define MAX_MEMBERS 64
typedef struct {
    value v[NSYM];
    bool given[NSYM];
    int nmember;
    struct {
        int family;
        int64_t index;
        value v;
    } member[MAX_MEMBERS];
    uint64_t seed;
    bool only_given; /* other members have no value */
} point;
void point_init(point *p);
void point_clear(point *p);
void point_copy(point *to, const point *from);
bool point_member(point *p, int family, int64_t index, const value *v); /* gives a member its value */

#define DIGITS60 240 /* bits */
found evaluate(value *out, const tree *t, const point *p, slong prec);

/* Is the statement false there? AGREES: true, or an equality that holds to 60 digits. */
typedef enum { IS_TRUE, IS_FALSE, AGREES, IS_UNDEFINED, NO_ANSWER } truth;
truth truth_at(const tree *statement, const point *p);

/* ---- points (hunt_point.c) ----------------------------------------------------------------------------- */

/* A point of the symbols' kinds: near, far, at the constants of the trees and beside them, at multiples of pi, at integers. */
void point_draw(point *p, const tree *const *about, int n);
void point_text(text *out, const point *p, const tree *const *about, int n);
/* Reads "x = 1/2, a[3] = pi/2"; false: cannot. */
bool point_read(point *p, const char *witness);

/* ---- makers of formulas (hunt_make.c, hunt_rewrite.c, hunt_false.c) ------------------------------------ */

typedef enum { WANT_ANY, WANT_REAL, WANT_INTEGER, WANT_POSITIVE } want;
tree *some_term(int depth, want w);
tree *some_leaf(want w);
void some_world(void);               /* which symbols this case uses */
tree *rewritten(tree *t, int times); /* by known identities */
tree *spoiled(tree *t);        /* with a known difference, or by an identity that holds on a part only */
tree *some_sum_identity(void); /* a statement about sums; sometimes false */
tree *some_inequality(void);
tree *some_condition(void);

/* ---- cases --------------------------------------------------------------------------------------------- */

/* LOOSE: proved, and true wherever both sides are defined, but at a point that its conditions let in one side is not. */
typedef enum {
    WAS_PROVED,
    WAS_REFUTED,
    WAS_UNKNOWN,
    WAS_VALUE,
    WAS_REFUSED,
    WAS_LOOSE,
    WAS_FAULT,
    OUTCOMES
} outcome;

#define MAX_PARTS 8
typedef struct {
    const struct group *group;
    tree *part[MAX_PARTS]; /* what may be shrunk */
    int n;
    int64_t number[6];
} hunt_case;

/* make: fills parts; ask: the Lua expression; judge: what it has left on L's stack from index 1 on. */
typedef struct group {
    const char *name;
    int weight;
    void (*make)(hunt_case *c);
    void (*ask)(text *t, const hunt_case *c);
    outcome (*judge)(text *why, const hunt_case *c, lua_State *L);
} group;
extern const group groups[];
extern const int ngroups;

/* The verdict at stack index i, of that statement, under assumptions. why says what is false. */
outcome judge_verdict(text *why, lua_State *L, int i, tree *statement, tree *const *where, int nwhere);
const char *verdict_field(lua_State *L, int i, const char *name); /* "" when nil; stays on the stack */
outcome fault(text *why, const char *fmt, ...) PH_PRINTF(2, 3);

/* The conditions that the verdict at stack index `at` prints say that it leaves the point out. */
bool left_out(lua_State *L, int at, const point *p);

void ask_symbols(text *t, const hunt_case *c);

#endif
