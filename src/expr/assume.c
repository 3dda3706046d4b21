/* assume.c: which signs a formula can have, for all values of its symbols where it is defined. */
#include "expr/expr.h"

enum {
    NEGATIVE = 1,
    ZERO = 2,
    POSITIVE = 4,
    NOT_REAL = 8,
    REAL = NEGATIVE | ZERO | POSITIVE,
    ANY = REAL | NOT_REAL
};

static unsigned flip(unsigned s) {
    return (s & (ZERO | NOT_REAL)) | (s & NEGATIVE ? POSITIVE : 0) | (s & POSITIVE ? NEGATIVE : 0);
}

static unsigned plus(unsigned a, unsigned b) {
    if ((a | b) & NOT_REAL) return ANY;
    unsigned s = a | b;
    if ((s & POSITIVE) && (s & NEGATIVE)) return REAL;
    return !(a & ZERO) || !(b & ZERO) ? s & ~(unsigned)ZERO : s;
}

static unsigned times(unsigned a, unsigned b) {
    if ((a | b) & NOT_REAL) return ANY;
    unsigned s = (a | b) & ZERO;
    if (a & POSITIVE) s |= b;
    if (a & NEGATIVE) s |= flip(b);
    return s;
}

static unsigned of_kind(expr_kind k) {
    if (k == EXPR_COMPLEX) return ANY;
    return k == EXPR_POSITIVE || k == EXPR_NATURAL ? POSITIVE : REAL;
}

static unsigned square(unsigned s) {
    return s & NOT_REAL ? ANY : (s & ZERO) | (s & (NEGATIVE | POSITIVE) ? POSITIVE : 0);
}

static unsigned signs(const expr_node *e);

static unsigned of_power(const expr_node *u, const expr_node *v) {
    unsigned s = signs(u);
    if (v->op == EXPR_RAT && v->den == 1) {
        if (s & NOT_REAL) return ANY;
        if (v->num <= 0) s &= ~(unsigned)ZERO; /* undefined there */
        return v->num % 2 ? s : square(s);
    }
    if (expr_is_whole(v) && !(s & NOT_REAL))
        return s & NEGATIVE ? s | POSITIVE : s; /* 0 to a power above 0 */
    if (s == POSITIVE) return signs(v) & NOT_REAL ? ANY : POSITIVE;
    return !(s & (NEGATIVE | NOT_REAL)) && v->op == EXPR_RAT && v->num > 0 ? s : ANY;
}

static unsigned of_function(expr_op f, unsigned s) {
    bool real = !(s & NOT_REAL);
    switch (f) {
    case EXPR_EXP:
    case EXPR_COSH: return real ? POSITIVE : ANY;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return real ? REAL : ANY;
    case EXPR_SINH:
    case EXPR_TANH:
    case EXPR_ATAN:
    case EXPR_SI:
    case EXPR_SIGN:
    case EXPR_CONJ: return s; /* odd, and of the sign of their argument */
    case EXPR_LOG:
    case EXPR_CI: return s == POSITIVE ? REAL : ANY;
    case EXPR_SQRT: return s & (NEGATIVE | NOT_REAL) ? ANY : s;
    case EXPR_ABS: return s & NOT_REAL ? ZERO | POSITIVE : square(s);
    case EXPR_FLOOR: return s & NOT_REAL ? ANY : s & NEGATIVE ? REAL : ZERO | POSITIVE;
    case EXPR_RE:
    case EXPR_IM: return REAL;
    default: return ANY;
    }
}

static unsigned of_cases(const expr_node *e) {
    unsigned s = 0;
    for (uint32_t i = 1; i < e->nargs; i += 2) s |= signs(e->arg[i]);
    return s | signs(e->arg[e->nargs - 1]);
}

/* Real where integrand and ends are; its sign hangs on the order of the ends as well. */
static unsigned of_integral(const expr_node *e) {
    for (uint32_t i = 1; i < e->nargs; i++)
        if (signs(e->arg[i]) & NOT_REAL) return ANY;
    return REAL;
}

static unsigned signs(const expr_node *e) {
    const expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_RAT: return e->num > 0 ? POSITIVE : e->num ? NEGATIVE : ZERO;
    case EXPR_PI: return POSITIVE;
    case EXPR_I: return NOT_REAL;
    case EXPR_SYM: return of_kind(e->kind);
    case EXPR_AT: return of_kind(u->kind);
    case EXPR_NEG: return flip(signs(u));
    case EXPR_ADD: return plus(signs(u), signs(v));
    case EXPR_SUB: return plus(signs(u), flip(signs(v)));
    case EXPR_MUL: return expr_same(u, v) ? square(signs(u)) : times(signs(u), signs(v));
    case EXPR_DIV: return times(signs(u), signs(v) & ~(unsigned)ZERO);
    case EXPR_POW: return of_power(u, v);
    case EXPR_MIN:
    case EXPR_MAX: return signs(u) | signs(v);
    case EXPR_ATAN2: return (signs(u) | signs(v)) & NOT_REAL ? ANY : REAL;
    case EXPR_SUM: return signs(e->arg[3]) | ZERO;
    case EXPR_INTEGRAL: return of_integral(e);
    case EXPR_PIECE: return of_cases(e);
    default: return of_function(e->op, signs(u));
    }
}

bool expr_is_real(const expr_node *e) { return !(signs(e) & NOT_REAL); }
bool expr_is_positive(const expr_node *e) { return signs(e) == POSITIVE; }
bool expr_is_nonnegative(const expr_node *e) { return !(signs(e) & (NEGATIVE | NOT_REAL)); }
bool expr_is_nonpositive(const expr_node *e) { return !(signs(e) & (POSITIVE | NOT_REAL)); }
