/* tails.c: u(n) >= 0 where a sum up to n grows to a limit: Σ 1/i² <= 2. Here u falls with n, and induction over u >= 0 itself has no
 * step. What has one is u >= T(n) with a T >= 0 that bounds what the sum still lacks:
 *     T(n) − T(n+1) >= u(n) − u(n+1),  T >= 0,  u(m) >= T(m);  and u >= 0 at the numbers before m.
 * Numbers in f64 suggest T, and which m; that they suggest it proves nothing: all four are decided as any other statement.
 *   u(n) − u(n+1) about c/n^p     T = c/((p − 1)(n + s)^(p−1)), an integral of it
 *   u(n+1) − u(n+2) about r times that    T = (u(n) − u(n+1))·(1/(1 − r) + q/(n + s)) */
#include <math.h>

#include "verify/settle.h"

#define EARLY   24    /* numbers at most before m */
#define LOOKED  60    /* steps that are looked at in f64 */
#define TRIES   4     /* candidates that are decided exactly */
#define MARGIN  1e-12 /* of values about 1, of at most some hundred terms: rounding stays below */
#define MAX_DEN 48

typedef struct {
    expr_builder *b;
    expr_node *u, *n, *next; /* next: the summand that n + 1 adds, as a formula in n */
    int64_t from;
    double value[EARLY + LOOKED + 2]; /* of u at from, from + 1, … */
} falling;

typedef struct {
    const expr_node *n;
    double at;
} number;

static bool number_atom(void *ctx, const expr_node *atom, double _Complex *v) {
    const number *w = ctx;
    *v = w->at;
    return expr_same(atom, w->n);
}

/* NaN where it is no real number. */
static double value_of(const expr_node *e, const expr_node *n, double at) {
    double _Complex v;
    ph_err unheard;
    if (expr_eval(&v, e, number_atom, &(number){n, at}, &unheard) || __imag__ v != 0) return NAN;
    return __real__ v;
}

/* x as a fraction with a small denominator, no further from it than `tolerance`; NULL: it is near none. */
static expr_node *fraction(expr_builder *b, double x, double tolerance) {
    for (int d = 1; d <= MAX_DEN; d++) {
        double k = nearbyint(x * d);
        if (fabs(k) < 1e6 && fabs(x - k / d) <= tolerance) return expr_b_rat(b, (int64_t)k, d);
    }
    return NULL;
}

/* What n + 1 adds to the sum in e that grows with n; NULL: there is none, or not one only. */
static expr_node *next_summand(expr_builder *b, expr_node *e, expr_node *n, bool *other) {
    expr_node *found = NULL, *c, *k, *v;
    if (e->op != EXPR_SUM) {
        for (uint32_t i = 0; i < e->nargs; i++) {
            expr_node *r = next_summand(b, e->arg[i], n, other);
            if (r && found) *other = true;
            if (r) found = r;
        }
        return found;
    }
    if (!expr_has(e, n)) return NULL;
    bool fits = e->arg[1]->op == EXPR_RAT && !expr_has(e->arg[3], n) &&
                ver_linear_in(b, e->arg[2], n, &c, &k) && expr_is_rat(c, 1, 1) && k->op == EXPR_RAT &&
                k->den == 1;
    expr_node *hi = fits ? expr_b_linear(b, expr_b_add(b, e->arg[2], expr_b_rat(b, 1, 1))) : NULL;
    if (!hi || expr_subst(&v, e->arg[3], e->arg[0], hi, b->err)) return *other = true, NULL;
    return expr_b_keep(b, v);
}

static double fall(const falling *w, int64_t n) {
    return value_of(w->u, w->n, (double)n) - value_of(w->u, w->n, (double)n + 1);
}

/* c/((p − 1)(n + s)^(p−1)), number i of them. */
static expr_node *power_tail(const falling *w, int i) {
    static const int num[] = {2, 3, 1, 1, 1, 0}, den[] = {1, 2, 1, 2, 4, 1};
    expr_builder *b = w->b;
    double far = fall(w, 256), near = fall(w, 128), p = round(log2(near / far));
    if (!(far > 0 && p >= 2 && p <= 6 && fabs(log2(near / far) - p) < 0.1)) return NULL;
    double c = 2 * far * pow(256, p) - near * pow(128, p); /* without the term in 1/n */
    expr_node *lead = fraction(b, c, 0.004 * c), *power = expr_b_rat(b, (int64_t)p - 1, 1);
    expr_node *base = expr_b_add(b, w->n, expr_b_rat(b, num[i], den[i]));
    return lead && base ? expr_b_div(b, lead, expr_b_mul(b, power, expr_b_pow(b, base, power))) : NULL;
}

/* f·(1/(1 − r) + q/(n + s)), f the summand that follows, number i of them; the first has q = 0. */
static expr_node *geometric_tail(const falling *w, int i) {
    expr_builder *b = w->b;
    double ratio[2], share[2];
    for (int k = 0; k < 2; k++) {
        double n = k ? 40 : 20, f = value_of(w->next, w->n, n);
        ratio[k] = value_of(w->next, w->n, n + 1) / f;
        share[k] = 0;
        for (int j = 0; j < 400; j++) share[k] += value_of(w->next, w->n, n + j) / f;
    }
    double limit = 2 * ratio[1] - ratio[0]; /* without the term in 1/n */
    double coefficient = fall(w, w->from) / value_of(w->next, w->n, (double)w->from);
    if (!(limit > 0 && limit < 0.95 && isfinite(share[1]))) return NULL;
    expr_node *r = fraction(b, limit, 0.004), *k = fraction(b, coefficient, 1e-6), *one = expr_b_rat(b, 1, 1);
    if (!r || !k || r->num == r->den) return NULL;
    expr_node *whole = expr_b_div(b, one, expr_b_sub(b, one, r));
    double q = 40 * (share[1] - 1 / (1 - (double)r->num / (double)r->den)); /* in quarters, rounded up */
    if (i > 0) {
        expr_node *more = fraction(b, ceil(4 * q - 0.2) / 4, 1e-9);
        if (!more) return NULL;
        whole = expr_b_add(b, whole, expr_b_div(b, more, expr_b_add(b, w->n, expr_b_rat(b, i - 1, 1))));
    }
    return expr_b_mul(b, k, expr_b_mul(b, w->next, whole));
}

/* Where the induction may begin: u >= T at m, and T falls as fast as u from m on, as far as f64 sees; −1: nowhere. */
static int64_t begins(const falling *w, const expr_node *t) {
    double left[EARLY + LOOKED + 2];
    int64_t m = -1;
    for (int k = 0; k < EARLY + LOOKED + 2; k++)
        left[k] = w->value[k] - value_of(t, w->n, (double)w->from + k);
    for (int k = EARLY; k >= 0; k--) {
        bool all = isfinite(left[k]) && left[k] >= -MARGIN;
        for (int j = k; all && j <= k + LOOKED; j++) all = left[j + 1] - left[j] >= -MARGIN;
        if (all) m = w->from + k;
    }
    return m;
}

static ph_status decide(ver_sign *out, const falling *w, const ver_goal *without, expr_node *t, int64_t m,
                        bool strict) {
    ver_goal from_m = *without;
    ver_sign s = VER_SIGN_OPEN, least = VER_SIGN_POSITIVE;
    ver_sign wanted = strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
    ver_goal_add(&from_m, expr_b_sub(w->b, w->n, expr_b_rat(w->b, m, 1)), false);
    ph_status st = ver_settle_within(&s, &from_m, t, strict);
    for (int64_t k = w->from; k < m && !st && s >= wanted; k++) {
        st = ver_at_whole(&s, without, w->u, w->n, k, strict);
        if (s < least) least = s;
    }
    if (st || s < wanted) return st;
    expr_node *v = expr_b_sub(w->b, w->u, t);
    st = v ? ver_induct_from(&s, without, v, w->n, m, false) : w->b->st;
    if (!st && s != VER_SIGN_OPEN) *out = strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
    return st;
}

ph_status ver_by_tail(ver_sign *out, const ver_goal *g, expr_node *u, expr_node *n, bool strict) {
    falling w = {.b = g->b, .u = u, .n = n};
    ver_goal without;
    expr_set symbols;
    bool other = false;
    ph_status st = expr_symbols(&symbols, u, g->b->err);
    bool alone = !st && symbols.n == 1;
    expr_set_clear(&symbols);
    if (st || !alone) return ph_is_fatal(st) ? st : PH_OK;
    w.next = next_summand(g->b, u, n, &other);
    if (!w.next || other || !ver_from_whole(&w.from, &without, g, n)) return g->b->st;
    for (int k = 0; k < EARLY + LOOKED + 2; k++) {
        w.value[k] = value_of(u, n, (double)w.from + k);
        if (!(w.value[k] >= -MARGIN)) return PH_OK; /* false, or not defined throughout */
    }
    int tries = 0;
    for (int i = 0; i < 10 && tries < TRIES && *out == VER_SIGN_OPEN && !st; i++) {
        expr_node *t = i < 6 ? power_tail(&w, i) : geometric_tail(&w, i - 6);
        int64_t m = t ? begins(&w, t) : -1;
        if (g->b->st) return g->b->st;
        if (m < 0) continue;
        tries++;
        st = decide(out, &w, &without, t, m, strict);
    }
    return st ? st : g->b->st;
}
