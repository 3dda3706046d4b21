/* angles.c: exponentials of i times an inverse function. With the principal logarithm
 *     i·atan u     = log(1 + iu) − log(1 + u²)/2        real u: 1 + iu has positive real part, modulus √(1 + u²) and argument atan u
 *     i·atan2(y,x) = log(x + iy) − log(x² + y²)/2       real x, y, not both 0
 *     i·asin u     = log(iu + √(1 − u²))                all u, by the definition of asin
 * so that e^(i·c·atan u) is a product of powers of what the ring knows, for every rational c: sin(atan u) = u/√(1 + u²). */
#include "verify/normal_internal.h"

bool ver_is_angle(const expr_node *e) {
    if (e->op == EXPR_ASIN) return true;
    if (e->op == EXPR_ATAN) return expr_is_real(e->arg[0]);
    return e->op == EXPR_ATAN2 && expr_is_real(e->arg[0]) && expr_is_real(e->arg[1]);
}

static expr_node *squared(expr_builder *b, expr_node *u) {
    return expr_b_2(b, EXPR_POW, u, expr_b_rat(b, 2, 1));
}

static expr_node *cosine_of_asin(expr_builder *b, expr_node *u, int nesting) {
    return ver_prepare(b, expr_b_1(b, EXPR_SQRT, expr_b_sub(b, expr_b_rat(b, 1, 1), squared(b, u))), nesting);
}

ph_status ver_angle_scout(normal *c, expr_node *e) {
    if (e->op != EXPR_ASIN) return PH_OK;
    expr_builder b = EXPR_BUILDER(c->err);
    expr_node *root = NULL;
    int height;
    ph_status st;
    PH_TRY(expr_b_end(&b, &root, cosine_of_asin(&b, e->arg[0], c->nesting)));
    PH_TRY(expr_set_append(&c->made, root, c->err));
    PH_TRY(ver_find_parts(c, root, &height));
    if (height > c->top) c->top = height;
done:
    expr_drop(root);
    return st;
}

/* e^(coef·log b) joins the exponent. */
static ph_status add_log(normal *c, plan *p, expr_node *b, const fmpq_t coef) {
    slong id, dir;
    ph_status st = ver_log_get(c, &id, b);
    if (!st) st = ver_direction_get(c, &dir, &(factor){(int32_t)id, 1, 1}, 1, "");
    return st ? st : ver_add_part(c, p, dir, coef);
}

ph_status ver_angle_parts(normal *c, plan *p, const expr_node *e, const fmpq_t coef) {
    expr_builder b = EXPR_BUILDER(c->err);
    expr_node *u = e->arg[0], *i = expr_b_op(&b, EXPR_I, 0, NULL), *x, *norm = NULL;
    bool point =
        e->op == EXPR_ATAN2 || (e->op == EXPR_ATAN && u->op == EXPR_DIV && expr_is_positive(u->arg[1]));
    if (point) { /* atan(y/x) = atan2(y, x) for x > 0 */
        expr_node *y = e->op == EXPR_ATAN2 ? u : u->arg[0];
        expr_node *across = e->op == EXPR_ATAN2 ? e->arg[1] : u->arg[1];
        x = expr_b_add(&b, across, expr_b_mul(&b, i, y));
        norm = expr_b_add(&b, squared(&b, across), squared(&b, y));
    } else if (e->op == EXPR_ATAN) {
        x = expr_b_add(&b, expr_b_rat(&b, 1, 1), expr_b_mul(&b, i, u));
        norm = expr_b_add(&b, expr_b_rat(&b, 1, 1), squared(&b, u));
    } else x = expr_b_add(&b, expr_b_mul(&b, i, u), cosine_of_asin(&b, u, c->nesting));
    fmpq_t half;
    fmpq_init(half);
    fmpq_div_2exp(half, coef, 1);
    fmpq_neg(half, half);
    ph_status st = b.st;
    if (!st) st = add_log(c, p, x, coef);
    if (!st && norm) st = add_log(c, p, norm, half);
    fmpq_clear(half);
    ph_status end = expr_b_end(&b, NULL, NULL);
    return st ? st : end;
}
