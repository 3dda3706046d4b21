/* assume.c: what is certain of a formula for all values of its symbols. */
#include "verify/normal.h"

bool ver_normal_is_real(const exp_node *e) {
    switch (e->op) {
    case EXP_I: return false;
    case EXP_SYM: return e->kind != EXP_COMPLEX;
    case EXP_RE:
    case EXP_IM:
    case EXP_ABS: return true;
    case EXP_LOG: return ver_normal_is_positive(e->arg[0]);
    case EXP_SQRT: return ver_normal_is_nonnegative(e->arg[0]);
    case EXP_POW:
        if (e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1) return ver_normal_is_real(e->arg[0]);
        return ver_normal_is_positive(e->arg[0]) && ver_normal_is_real(e->arg[1]);
    case EXP_SUM: return ver_normal_is_real(e->arg[3]);
    default: break;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!ver_normal_is_real(e->arg[i])) return false;
    return true;
}

bool ver_normal_is_positive(const exp_node *e) {
    const exp_node *a = e->nargs ? e->arg[0] : NULL, *b = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT: return e->num > 0;
    case EXP_PI: return true;
    case EXP_SYM: return e->kind == EXP_POSITIVE || e->kind == EXP_NATURAL;
    case EXP_AT: return a->kind == EXP_POSITIVE || a->kind == EXP_NATURAL;
    case EXP_MUL:
    case EXP_DIV: return ver_normal_is_positive(a) && ver_normal_is_positive(b);
    case EXP_ADD:
        return (ver_normal_is_positive(a) && ver_normal_is_nonnegative(b)) || (ver_normal_is_nonnegative(a) && ver_normal_is_positive(b));
    case EXP_POW: return ver_normal_is_positive(a) && ver_normal_is_real(b);
    case EXP_EXP:
    case EXP_COSH: return ver_normal_is_real(a);
    case EXP_SQRT: return ver_normal_is_positive(a);
    default: return false;
    }
}

bool ver_normal_is_nonnegative(const exp_node *e) {
    const exp_node *a = e->nargs ? e->arg[0] : NULL, *b = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_RAT: return e->num >= 0;
    case EXP_ABS: return true;
    case EXP_ADD: return ver_normal_is_nonnegative(a) && ver_normal_is_nonnegative(b);
    case EXP_MUL:
        return (ver_normal_is_nonnegative(a) && ver_normal_is_nonnegative(b)) || (exp_same(a, b) && ver_normal_is_real(a));
    case EXP_DIV: return ver_normal_is_nonnegative(a) && ver_normal_is_positive(b);
    case EXP_POW:
        if (b->op == EXP_RAT && b->den == 1 && b->num > 0 && b->num % 2 == 0) return ver_normal_is_real(a);
        break;
    case EXP_SQRT: return ver_normal_is_nonnegative(a);
    default: break;
    }
    return ver_normal_is_positive(e);
}

