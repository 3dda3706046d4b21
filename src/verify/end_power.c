/* end_power.c: formulas that are brought into powers of t, and a power whose exponent is known as a ball only, as of a parameter in a
 * box: (t^a·β)^v = t^(a·v)·β^v. */
#include "expr/build.h"
#include "verify/end.h"

#define BITS 20 /* after the point, of the power of t that is told */

/* q: at most the least a·v for v in the ball; t^(a·v − q) is in (0, 1] then, since t <= 1, and is 1 where *exact. */
static bool least_power(fmpq_t q, bool *exact, const fmpq_t a, const arb_t v, slong prec) {
    arb_t w;
    arf_t low;
    arb_init(w);
    arf_init(low);
    arb_set_fmpq(w, a, prec);
    arb_mul(w, w, v, prec);
    *exact = arb_is_exact(w);
    arb_mul_2exp_si(w, w, BITS);
    arb_get_lbound_arf(low, w, prec);
    if (!*exact) arf_floor(low, low);
    bool ok = arf_is_finite(low) && arf_cmpabs_2exp_si(low, 40) < 0 && arf_bits(low) < 200 &&
              (arf_is_zero(low) || arf_cmpabs_2exp_si(low, -200) > 0);
    if (ok) arf_get_fmpq(q, low);
    if (ok) fmpq_div_2exp(q, q, BITS);
    arb_clear(w);
    arf_clear(low);
    return ok;
}

bool ver_end_power(ver_end_form *out, const ver_end_form *u, const acb_t v, slong prec) {
    bool exact;
    acb_t base, exponent, power; /* of their own: not every function of a part may write over it */
    arb_t unit, zero;
    if (!acb_is_real(v) || !acb_is_real(u->b) || !arb_is_positive(acb_realref(u->b))) return false;
    if (!least_power(out->a, &exact, u->a, acb_realref(v), prec)) return false;
    acb_init(base), acb_init(exponent), acb_init(power);
    arb_init(unit), arb_init(zero);
    acb_set(base, u->b);
    acb_set(exponent, v);
    ver_ball_binary(power, EXPR_POW, base, exponent, false, prec);
    arb_one(unit);
    if (!exact) arb_union(unit, unit, zero, prec);
    acb_mul_arb(out->b, power, unit, prec);
    acb_clear(base), acb_clear(exponent), acb_clear(power);
    arb_clear(unit), arb_clear(zero);
    return acb_is_finite(out->b);
}

ph_status ver_end_rewrite(expr_node **out, expr_node *e, const ver_end *n) {
    expr_builder b = EXPR_BUILDER(n->err);
    expr_node *r = NULL, *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    bool open = e->op == EXPR_POW && v->op != EXPR_RAT;
    if (open && !expr_has(u, n->x) && expr_is_positive(u))
        r = expr_b_1(&b, EXPR_EXP, expr_b_2(&b, EXPR_MUL, expr_b_1(&b, EXPR_LOG, u), v));
    else if (e->op == EXPR_TAN)
        r = expr_b_2(&b, EXPR_DIV, expr_b_1(&b, EXPR_SIN, u), expr_b_1(&b, EXPR_COS, u));
    else if (e->op == EXPR_DIV && v->op == EXPR_POW && v->arg[1]->op != EXPR_RAT &&
             !expr_has(v->arg[1], n->x))
        r = expr_b_2(&b, EXPR_MUL, u, expr_b_2(&b, EXPR_POW, v->arg[0], expr_b_neg(&b, v->arg[1])));
    return expr_b_end(&b, out, r);
}
