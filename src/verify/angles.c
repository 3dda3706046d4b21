/* angles.c: exponentials of i times an inverse function. With the principal logarithm
 *     i·atan u     = log(1 + iu) − log(1 + u²)/2        real u: 1 + iu has positive real part, modulus √(1 + u²) and argument atan u
 *     i·atan2(y,x) = log(x + iy) − log(x² + y²)/2       real x, y, not both 0
 *     i·asin u     = log(iu + √(1 − u²))                all u, by the definition of asin
 * so that e^(i·c·atan u) is a product of powers of what the ring knows, for every rational c: sin(atan u) = u/√(1 + u²). */
#include "verify/normal_internal.h"

bool ver_is_angle(const exp_node *e) {
    if (e->op == EXP_ASIN) return true;
    if (e->op == EXP_ATAN) return exp_is_real(e->arg[0]);
    return e->op == EXP_ATAN2 && exp_is_real(e->arg[0]) && exp_is_real(e->arg[1]);
}

static exp_node *squared(exp_builder *b, exp_node *u) { return exp_b_2(b, EXP_POW, u, exp_b_rat(b, 2, 1)); }

static exp_node *cosine_of_asin(exp_builder *b, exp_node *u, int nesting) {
    return ver_prepare(b, exp_b_1(b, EXP_SQRT, exp_b_sub(b, exp_b_rat(b, 1, 1), squared(b, u))), nesting);
}

ph_status ver_angle_scout(normal *c, exp_node *e) {
    if (e->op != EXP_ASIN) return PH_OK;
    exp_builder b = EXP_BUILDER(c->err);
    exp_node *root = NULL;
    int height;
    ph_status st = exp_b_end(&b, &root, cosine_of_asin(&b, e->arg[0], c->nesting));
    if (!st) st = exp_set_append(&c->made, root, c->err);
    if (!st) st = ver_find_parts(c, root, &height);
    if (!st && height > c->top) c->top = height;
    exp_drop(root);
    return st;
}

/* e^(coef·log b) joins the exponent. */
static ph_status add_log(normal *c, plan *p, exp_node *b, const fmpq_t coef) {
    slong id, dir;
    ph_status st = ver_log_get(c, &id, b);
    if (!st) st = ver_direction_get(c, &dir, &(factor){(int32_t)id, 1, 1}, 1, "");
    return st ? st : ver_add_part(c, p, dir, coef);
}

ph_status ver_angle_parts(normal *c, plan *p, const exp_node *e, const fmpq_t coef) {
    exp_builder b = EXP_BUILDER(c->err);
    exp_node *u = e->arg[0], *i = exp_b_op(&b, EXP_I, 0, NULL), *x, *norm = NULL;
    bool point = e->op == EXP_ATAN2 || (e->op == EXP_ATAN && u->op == EXP_DIV && exp_is_positive(u->arg[1]));
    if (point) { /* atan(y/x) = atan2(y, x) for x > 0 */
        exp_node *y = e->op == EXP_ATAN2 ? u : u->arg[0];
        exp_node *across = e->op == EXP_ATAN2 ? e->arg[1] : u->arg[1];
        x = exp_b_add(&b, across, exp_b_mul(&b, i, y));
        norm = exp_b_add(&b, squared(&b, across), squared(&b, y));
    } else if (e->op == EXP_ATAN) {
        x = exp_b_add(&b, exp_b_rat(&b, 1, 1), exp_b_mul(&b, i, u));
        norm = exp_b_add(&b, exp_b_rat(&b, 1, 1), squared(&b, u));
    } else x = exp_b_add(&b, exp_b_mul(&b, i, u), cosine_of_asin(&b, u, c->nesting));
    fmpq_t half;
    fmpq_init(half);
    fmpq_div_2exp(half, coef, 1);
    fmpq_neg(half, half);
    ph_status st = b.st;
    if (!st) st = add_log(c, p, x, coef);
    if (!st && norm) st = add_log(c, p, norm, half);
    fmpq_clear(half);
    ph_status end = exp_b_end(&b, NULL, NULL);
    return st ? st : end;
}
