/* ball_steps.c: the values of a pair of formulas as balls, every distinct part once. */
#include "verify/ball.h"
#include "verify/meter.h"

/* An undefined operand makes no defined value, whatever the function is: exp(−∞) = 0. */
static void apply(acb_ptr v, const expr_step *x, int k, slong prec) {
    acb_ptr a = v + x->a, b = x->b < 0 ? NULL : v + x->b;
    if (!ver_ball_is_finite(a) || (b && !ver_ball_is_finite(b))) {
        acb_indeterminate(v + k);
        if (x->wave >= 0) acb_indeterminate(v + x->wave);
    } else if (b) ver_ball_binary(v + k, x->part->op, a, b, false, prec);
    else if (x->wave < 0) ver_ball_unary(v + k, x->part->op, a, prec);
    else if (x->part->op == EXPR_SIN) acb_sin_cos(v + k, v + x->wave, a, prec);
    else acb_sin_cos(v + x->wave, v + k, a, prec);
}

static ph_status leaf(acb_t out, const expr_node *e, ver_atom_fn *atom, void *ctx, slong prec, ph_err *err) {
    bool own = e->op == EXPR_SYM || e->op == EXPR_AT;
    return own && atom(ctx, out, e, prec) ? PH_OK : ver_ball(out, e, atom, ctx, prec, err);
}

ph_status ver_ball_steps(acb_t l, acb_t r, const expr_steps *s, ver_atom_fn *atom, void *ctx, slong prec,
                         ph_err *err) {
    double unit = ver_ball_unit(prec), units = 0;
    ph_status st = PH_OK;
    if (ph_interrupted()) return ph_fail_interrupted(err);
    acb_ptr v = _acb_vec_init(s->n);
    for (int k = 0; k < s->n && !st; k++) {
        const expr_step *x = &s->step[k];
        if (x->a < 0) st = leaf(v + k, x->part, atom, ctx, prec, err);
        else if (x->wave < 0 || x->wave > k) apply(v, x, k, prec);
        units += x->a < 0 ? 0 : x->b < 0 ? 8 * unit : unit;
    }
    (void)ver_meter_spend(units);
    if (!st) acb_set(l, v + s->root[0]), acb_set(r, v + s->root[1]);
    _acb_vec_clear(v, s->n);
    return st;
}
