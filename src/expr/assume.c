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

static unsigned of_kind(exp_kind k) {
    if (k == EXP_COMPLEX) return ANY;
    return k == EXP_POSITIVE || k == EXP_NATURAL ? POSITIVE : REAL;
}

static unsigned square(unsigned s) {
    return s & NOT_REAL ? ANY : (s & ZERO) | (s & (NEGATIVE | POSITIVE) ? POSITIVE : 0);
}

static unsigned signs(const exp_node *e);

static unsigned of_power(const exp_node *u, const exp_node *v) {
    unsigned s = signs(u);
    if (v->op == EXP_RAT && v->den == 1) {
        if (s & NOT_REAL) return ANY;
        if (v->num <= 0) s &= ~(unsigned)ZERO; /* undefined there */
        return v->num % 2 ? s : square(s);
    }
    if (s == POSITIVE) return signs(v) & NOT_REAL ? ANY : POSITIVE;
    return !(s & (NEGATIVE | NOT_REAL)) && v->op == EXP_RAT && v->num > 0 ? s : ANY;
}

static unsigned of_function(exp_op f, unsigned s) {
    bool real = !(s & NOT_REAL);
    switch (f) {
    case EXP_EXP:
    case EXP_COSH: return real ? POSITIVE : ANY;
    case EXP_SIN:
    case EXP_COS:
    case EXP_TAN: return real ? REAL : ANY;
    case EXP_SINH:
    case EXP_TANH:
    case EXP_ATAN:
    case EXP_SI:
    case EXP_SIGN:
    case EXP_CONJ: return s; /* odd, and of the sign of their argument */
    case EXP_LOG:
    case EXP_CI: return s == POSITIVE ? REAL : ANY;
    case EXP_SQRT: return s & (NEGATIVE | NOT_REAL) ? ANY : s;
    case EXP_ABS: return s & NOT_REAL ? ZERO | POSITIVE : square(s);
    case EXP_FLOOR: return s & NOT_REAL ? ANY : s & NEGATIVE ? REAL : ZERO | POSITIVE;
    case EXP_RE:
    case EXP_IM: return REAL;
    default: return ANY;
    }
}

static unsigned of_cases(const exp_node *e) {
    unsigned s = 0;
    for (uint32_t i = 1; i < e->nargs; i += 2) s |= signs(e->arg[i]);
    return s | signs(e->arg[e->nargs - 1]);
}

static unsigned signs(const exp_node *e) {
    const exp_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT: return e->num > 0 ? POSITIVE : e->num ? NEGATIVE : ZERO;
    case EXP_PI: return POSITIVE;
    case EXP_I: return NOT_REAL;
    case EXP_SYM: return of_kind(e->kind);
    case EXP_AT: return of_kind(u->kind);
    case EXP_NEG: return flip(signs(u));
    case EXP_ADD: return plus(signs(u), signs(v));
    case EXP_SUB: return plus(signs(u), flip(signs(v)));
    case EXP_MUL: return exp_same(u, v) ? square(signs(u)) : times(signs(u), signs(v));
    case EXP_DIV: return times(signs(u), signs(v) & ~(unsigned)ZERO);
    case EXP_POW: return of_power(u, v);
    case EXP_MIN:
    case EXP_MAX: return signs(u) | signs(v);
    case EXP_ATAN2: return (signs(u) | signs(v)) & NOT_REAL ? ANY : REAL;
    case EXP_SUM: return signs(e->arg[3]) | ZERO;
    case EXP_PIECE: return of_cases(e);
    default: return of_function(e->op, signs(u));
    }
}

bool exp_is_real(const exp_node *e) { return !(signs(e) & NOT_REAL); }
bool exp_is_positive(const exp_node *e) { return signs(e) == POSITIVE; }
bool exp_is_nonnegative(const exp_node *e) { return !(signs(e) & (NEGATIVE | NOT_REAL)); }
bool exp_is_nonpositive(const exp_node *e) { return !(signs(e) & (POSITIVE | NOT_REAL)); }
