/* visible.c: bounds of a formula that can be read off: |sin|, |cos|, |tanh| <= 1, even powers, positive symbols. */
#include "verify/settle.h"
#include "verify/wide.h"

/* A rational lower (sign = 1) or upper (sign = −1) bound of a real formula for all values; false: none found. */
static bool bound(fmpq_t out, const exp_node *e, int sign) {
    const exp_node *a = e->nargs ? e->arg[0] : NULL, *b = e->nargs > 1 ? e->arg[1] : NULL;
    fmpq_t t;
    bool ok = false;
    switch (e->op) {
    case EXP_RAT: ver_fmpq_set(out, e->num, e->den); return true;
    case EXP_NEG:
        ok = bound(out, a, -sign);
        fmpq_neg(out, out);
        return ok;
    case EXP_SIN:
    case EXP_COS:
    case EXP_TANH: fmpq_set_si(out, -sign, 1); return exp_is_real(a);
    case EXP_ADD:
    case EXP_SUB:
        fmpq_init(t);
        ok = bound(out, a, sign) && bound(t, b, e->op == EXP_ADD ? sign : -sign);
        if (ok && e->op == EXP_ADD) fmpq_add(out, out, t);
        else if (ok) fmpq_sub(out, out, t);
        fmpq_clear(t);
        return ok;
    case EXP_MUL: /* by a constant */
        if (a->op != EXP_RAT && b->op == EXP_RAT) {
            const exp_node *swap = a;
            a = b;
            b = swap;
        }
        if (a->op == EXP_RAT) {
            fmpq_init(t);
            ver_fmpq_set(t, a->num, a->den);
            ok = bound(out, b, a->num < 0 ? -sign : sign);
            fmpq_mul(out, out, t);
            fmpq_clear(t);
            if (ok) return true;
        }
        break;
    case EXP_DIV:
        if (b->op == EXP_RAT && b->num > 0 && bound(out, a, sign)) {
            fmpq_init(t);
            ver_fmpq_set(t, b->num, b->den);
            fmpq_div(out, out, t);
            fmpq_clear(t);
            return true;
        }
        break;
    default: break;
    }
    if (sign > 0 && exp_is_nonnegative(e)) {
        fmpq_zero(out);
        return true;
    }
    return false;
}

ver_sign ver_visible(const exp_node *u) {
    fmpq_t q;
    fmpq_init(q);
    ver_sign r = exp_is_positive(u) ? VER_SIGN_POSITIVE : VER_SIGN_OPEN;
    if (r == VER_SIGN_OPEN && bound(q, u, 1) && fmpq_sgn(q) >= 0)
        r = fmpq_sgn(q) > 0 ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
    fmpq_clear(q);
    return r;
}
