/* waves.c: sin v >= 0 for v between 0 and π, cos v >= 0 for v between −π/2 and π/2: where ends of v are multiples of π, bounds in numbers just
 * miss them. */
#include "verify/settle.h"

/* e = (a positive number)·(±sin v or ±cos v)·…: the wave, and whether it is taken with a minus. */
static const expr_node *wave_of(const expr_node *e, bool *minus) {
    for (*minus = false;;) {
        if (e->op == EXPR_NEG) *minus = !*minus, e = e->arg[0];
        else if (e->op == EXPR_MUL && e->arg[0]->op == EXPR_RAT && e->arg[0]->num) {
            if (e->arg[0]->num < 0) *minus = !*minus;
            e = e->arg[1];
        } else if (e->op == EXPR_DIV && e->arg[1]->op == EXPR_RAT && e->arg[1]->num) {
            if (e->arg[1]->num < 0) *minus = !*minus;
            e = e->arg[0];
        } else return (e->op == EXPR_SIN || e->op == EXPR_COS) && expr_is_real(e->arg[0]) ? e : NULL;
    }
}

/* from·π/2 <= v <= (from + 2)·π/2, strictly where asked; the weaker of both. */
static ph_status within(ver_sign *out, const ver_goal *g, expr_node *v, int from, bool strict) {
    expr_builder *b = g->b;
    expr_node *pi = expr_b_op(b, EXPR_PI, 0, NULL), *lo = expr_b_mul(b, expr_b_rat(b, from, 2), pi),
              *hi = expr_b_mul(b, expr_b_rat(b, from + 2, 2), pi);
    expr_node *above = expr_b_linear(b, expr_b_sub(b, v, lo)),
              *below = expr_b_linear(b, expr_b_sub(b, hi, v));
    ver_sign s = VER_SIGN_OPEN, t = VER_SIGN_OPEN;
    *out = VER_SIGN_OPEN;
    const char *how; /* by the facts alone: ends are linear, and goals are few */
    ph_status st = above && below ? ver_by_reading(&s, &how, g, above, strict, false) : b->st;
    if (st || s == VER_SIGN_OPEN) return st;
    st = ver_by_reading(&t, &how, g, below, strict, false);
    *out = s < t ? s : t;
    return st;
}

ph_status ver_by_waves(ver_sign *out, const char **method, const ver_goal *g, expr_node *u, bool strict) {
    bool minus, sum = u->op == EXPR_ADD || u->op == EXPR_SUB;
    if (sum && g->nfacts && !(u = expr_b_linear(g->b, u))) return g->b->st; /* sin v + sin v */
    const expr_node *w = wave_of(u, &minus);
    *method = "an argument between two zeros of a wave";
    if (!w || !g->nfacts) return PH_OK;
    int from =
        (w->op == EXPR_COS ? -1 : 0) + (minus ? 2 : 0); /* −sin is >= 0 from π to 2π, and from −π to 0 */
    ph_status st = within(out, g, w->arg[0], from, strict);
    if (!st && *out == VER_SIGN_OPEN && minus) st = within(out, g, w->arg[0], from - 4, strict);
    return st;
}
