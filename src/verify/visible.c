/* visible.c: bounds of a formula that can be read off: |sin|, |cos|, |tanh| <= 1, even powers, positive symbols. */
#include "verify/settle.h"
#include "verify/wide.h"

static bool bound(fmpq_t out, const expr_node *e, int sign);

/* Of c e, or of e/c, when c is a constant. */
static bool bound_scaled(fmpq_t out, const expr_node *e, const expr_node *c, bool over, int sign) {
    fmpq_t t;
    if (c->op != EXPR_RAT || (over && c->num == 0) || !bound(out, e, c->num < 0 ? -sign : sign)) return false;
    fmpq_init(t);
    ver_fmpq_set(t, c->num, c->den);
    if (over) fmpq_div(out, out, t);
    else fmpq_mul(out, out, t);
    fmpq_clear(t);
    return true;
}

/* A rational lower (sign = 1) or upper (sign = −1) bound of a real formula for all values; false: none found. */
static bool bound(fmpq_t out, const expr_node *e, int sign) {
    const expr_node *a = e->nargs ? e->arg[0] : NULL, *b = e->nargs > 1 ? e->arg[1] : NULL;
    fmpq_t t;
    bool ok = false;
    switch (e->op) {
    case EXPR_RAT: ver_fmpq_set(out, e->num, e->den); return true;
    case EXPR_NEG:
        ok = bound(out, a, -sign);
        fmpq_neg(out, out);
        return ok;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TANH: fmpq_set_si(out, -sign, 1); return expr_is_real(a);
    case EXPR_ADD:
    case EXPR_SUB:
        fmpq_init(t);
        ok = bound(out, a, sign) && bound(t, b, e->op == EXPR_ADD ? sign : -sign);
        if (ok && e->op == EXPR_ADD) fmpq_add(out, out, t);
        else if (ok) fmpq_sub(out, out, t);
        fmpq_clear(t);
        return ok;
    case EXPR_MUL:
        if (bound_scaled(out, a->op == EXPR_RAT ? b : a, a->op == EXPR_RAT ? a : b, false, sign)) return true;
        break;
    case EXPR_DIV:
        if (bound_scaled(out, a, b, true, sign)) return true;
        break;
    default: break;
    }
    if (sign > 0 && expr_is_nonnegative(e)) {
        fmpq_zero(out);
        return true;
    }
    return false;
}

ver_sign ver_visible(const expr_node *u) {
    fmpq_t q;
    fmpq_init(q);
    ver_sign r = expr_is_positive(u) ? VER_SIGN_POSITIVE : VER_SIGN_OPEN;
    if (r == VER_SIGN_OPEN && bound(q, u, 1) && fmpq_sgn(q) >= 0)
        r = fmpq_sgn(q) > 0 ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
    fmpq_clear(q);
    return r;
}
