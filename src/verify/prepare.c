/* prepare.c: rewriting before the normal form, so that it meets fewer functions. Each rule is exact wherever both of its sides are
 * defined:
 *     min(a,b) = (a + b − |a − b|)/2                      a, b real
 *     |uv| = |u||v|, |u/v| = |u|/|v|, |u^n| = |u|^n       all u, v, whole n
 *     |e^u| = e^(re u), |u|² = u·conj u                   all u
 *     √(s²r) = |s|·√r and the like                        s real (radicand.c)
 *     ⌊u + n⌋ = ⌊u⌋ + n                                   whole n
 *     acos u = π/2 − asin u                               all u, by the definition of acos
 *     atan2(y, x) = atan(y/x)                             x > 0
 *     (cos u ± i·sin u)^n = e^(±inu)                      whole n: the base is e^(±iu), told by normal form */
#include "expr/build.h"
#include "verify/normal_internal.h"
#include "verify/radicand.h"

#define MAX_ANGLES 4 /* tried as the one that a base turns by */

/* One node whose parts are prepared already: the rules below never walk a formula again. */
static expr_node *prepare_node(expr_builder *b, expr_node *e, int nesting);

static expr_node *abs_of(expr_builder *b, expr_node *u) {
    return prepare_node(b, expr_b_1(b, EXPR_ABS, u), 0);
}

static bool is_even_power(const expr_node *u) {
    return ver_is_integer_pow(u) && u->arg[1]->num != 0 && u->arg[1]->num % 2 == 0 && expr_is_real(u->arg[0]);
}

static expr_node *pushed_conj(expr_builder *b, expr_node *e) {
    expr_node *p;
    if (!e || b->st || (b->st = expr_push_conj(&p, e, b->err))) return NULL;
    return expr_b_keep(b, p);
}

/* Is u its own conjugate? Told by form where the signs do not tell. */
static bool is_real(expr_builder *b, expr_node *u) {
    if (expr_is_real(u)) return true;
    expr_node *c = pushed_conj(b, expr_b_1(b, EXPR_CONJ, u));
    return c && ver_normal_equal(b, u, c);
}

static expr_node *prepare_order(expr_builder *b, expr_node *e) {
    expr_node *u = e->arg[0], *v = e->arg[1];
    if (!is_real(b, u) || !is_real(b, v)) {
        if (!b->st) b->st = ph_fail(b->err, PH_EOUTSIDE, "%s of what may be complex", expr_ops[e->op].name);
        return NULL;
    }
    expr_node *gap = abs_of(b, expr_b_2(b, EXPR_SUB, u, v)), *sum = expr_b_2(b, EXPR_ADD, u, v);
    return expr_b_2(b, EXPR_DIV, expr_b_2(b, e->op == EXPR_MIN ? EXPR_SUB : EXPR_ADD, sum, gap),
                    expr_b_rat(b, 2, 1));
}

static expr_node *prepare_index(expr_builder *b, expr_node *e) {
    expr_node *v = e->arg[1], *index = expr_b_linear(b, v);
    if (index && expr_b_never_integer(b, index) && !b->st)
        b->st = ph_fail(b->err, PH_EDOMAIN, "an index is no integer");
    if (b->st) return NULL;
    return index == v ? e : expr_b_2(b, EXPR_AT, e->arg[0], index);
}

/* |u|^2k = u^2k, u real */
static expr_node *prepare_even(expr_builder *b, expr_node *e) {
    expr_node *u = e->arg[0];
    bool even = u->op == EXPR_ABS && e->arg[1]->num % 2 == 0 && expr_is_real(u->arg[0]);
    return even ? expr_b_2(b, EXPR_POW, u->arg[0], e->arg[1]) : e;
}

/* √u or u^a with u = s²·r */
static expr_node *prepare_power(expr_builder *b, expr_node *e) {
    expr_node *u = e->arg[0], *half = expr_b_rat(b, 1, 2), *a = e->op == EXPR_SQRT ? half : e->arg[1];
    ver_radicand x;
    if (expr_is_rat(u, 0, 1) && e->op == EXPR_SQRT) return u;
    if (is_even_power(u)) /* (v²)^s = |v|^2s, v real */
        return expr_b_pow(b, abs_of(b, u->arg[0]), expr_b_mul(b, u->arg[1], a));
    if (!ver_take_square(b, &x, u)) return b->st ? NULL : e;
    expr_node *out = abs_of(b, x.s);
    if (e->op == EXPR_POW) out = expr_b_pow(b, out, expr_b_mul(b, expr_b_rat(b, 2, 1), a));
    expr_node *root = expr_is_rat(x.r, 1, 1) ? expr_b_rat(b, 1, 1)
                      : e->op == EXPR_SQRT   ? expr_b_1(b, EXPR_SQRT, x.r)
                                             : expr_b_2(b, EXPR_POW, x.r, a);
    return expr_b_mul(b, expr_is_rat(x.s, 1, 1) ? expr_b_rat(b, 1, 1) : out, root);
}

/* log|s|, factor by factor */
static expr_node *log_abs(expr_builder *b, expr_node *s) {
    if (s->op == EXPR_MUL) return expr_b_add(b, log_abs(b, s->arg[0]), log_abs(b, s->arg[1]));
    if (ver_is_integer_pow(s)) return expr_b_mul(b, s->arg[1], log_abs(b, s->arg[0]));
    return expr_is_rat(s, 1, 1) ? expr_b_rat(b, 0, 1) : expr_b_1(b, EXPR_LOG, abs_of(b, s));
}

static expr_node *prepare_log(expr_builder *b, expr_node *e) {
    ver_radicand x;
    expr_node *u = e->arg[0];
    if (is_even_power(u)) return expr_b_mul(b, u->arg[1], log_abs(b, u->arg[0]));
    if (!ver_take_square(b, &x, u)) return b->st ? NULL : e;
    expr_node *r = expr_is_rat(x.r, 1, 1) ? expr_b_rat(b, 0, 1) : expr_b_1(b, EXPR_LOG, x.r);
    if (expr_is_rat(x.s, 1, 1)) return r;
    return expr_b_add(b, expr_b_mul(b, expr_b_rat(b, 2, 1), log_abs(b, x.s)), r);
}

static expr_node *prepare_abs(expr_builder *b, expr_node *e) {
    expr_node *u = e->arg[0];
    if (u->op == EXPR_ADD || u->op == EXPR_SUB) { /* x + t − x is t */
        expr_node *v = expr_b_linear(b, u);
        if (!v) return NULL;
        if (v != u) return abs_of(b, v);
    }
    if (expr_is_nonnegative(u)) return u;
    expr_node *minus = expr_b_neg(b, u);
    if (!minus || expr_is_nonnegative(minus)) return minus;
    if (u->op == EXPR_NEG || (u->op == EXPR_CONJ && ver_is_atom(u))) return abs_of(b, u->arg[0]);
    if (u->op == EXPR_RAT) return expr_b_1(b, EXPR_NEG, u);
    if (u->op == EXPR_MUL || u->op == EXPR_DIV)
        return expr_b_2(b, u->op, abs_of(b, u->arg[0]), abs_of(b, u->arg[1]));
    if (u->op == EXPR_POW && expr_is_whole(u->arg[1]) &&
        (ver_is_integer_pow(u) || expr_is_real(u) || !ver_is_atom(u->arg[0])))
        return expr_b_2(b, EXPR_POW, abs_of(b, u->arg[0]), u->arg[1]);
    ver_radicand x;
    if (expr_is_real(u)) { /* |s²r| = s²|r|, with the factors of r apart */
        if (!ver_take_square(b, &x, u) || (x.parts < 2 && expr_is_rat(x.s, 1, 1) && !x.scaled))
            return b->st ? NULL : e;
        return expr_b_mul(b, expr_b_pow(b, x.s, expr_b_rat(b, 2, 1)), abs_of(b, x.r));
    }
    if (u->op == EXPR_EXP) return expr_b_1(b, EXPR_EXP, pushed_conj(b, expr_b_1(b, EXPR_RE, u->arg[0])));
    expr_node *square = pushed_conj(b, expr_b_2(b, EXPR_MUL, u, expr_b_1(b, EXPR_CONJ, u)));
    return square ? prepare_node(b, expr_b_1(b, EXPR_SQRT, square), 0) : NULL;
}

static expr_node *prepare_sign(expr_builder *b, expr_node *e) {
    expr_node *u = e->arg[0], *minus = expr_b_neg(b, u);
    if (!minus) return NULL;
    if (expr_is_rat(u, 0, 1)) return u;
    return expr_is_positive(u) ? expr_b_rat(b, 1, 1) : expr_is_positive(minus) ? expr_b_rat(b, -1, 1) : e;
}

/* ---- whole numbers ------------------------------------------------------------------------------------- */

/* u = *rest + the whole numbers among its terms, which are added to `whole`. */
static expr_node *take_whole(expr_builder *b, expr_node *u, expr_node **rest, expr_node *whole, bool minus) {
    if (u->op == EXPR_ADD || u->op == EXPR_SUB) {
        whole = take_whole(b, u->arg[0], rest, whole, minus);
        return take_whole(b, u->arg[1], rest, whole, minus != (u->op == EXPR_SUB));
    }
    expr_node *integer = NULL;
    if (expr_is_whole(u)) integer = u;
    else if (u->op == EXPR_RAT) { /* 7/2 = 3 + 1/2 */ int64_t k = u->num / u->den - (u->num % u->den < 0);
        integer = expr_b_rat(b, k, 1);
    }
    expr_node *left = integer ? expr_b_sub(b, u, integer) : u;
    if (integer && expr_is_whole(u)) left = expr_b_rat(b, 0, 1);
    *rest = minus ? expr_b_sub(b, *rest, left) : expr_b_add(b, *rest, left);
    if (!integer) return whole;
    return minus ? expr_b_sub(b, whole, integer) : expr_b_add(b, whole, integer);
}

typedef struct {
    bool cancelled,
        kept; /* some term was d itself; some term is still over d, and keeps the condition d != 0 */
} quotient;

/* n/d term by term. */
static expr_node *distribute(expr_builder *b, expr_node *n, expr_node *d, quotient *q) {
    if (n->op == EXPR_ADD || n->op == EXPR_SUB)
        return expr_b_2(b, n->op, distribute(b, n->arg[0], d, q), distribute(b, n->arg[1], d, q));
    expr_node *rest = expr_same(n, d)                                ? expr_b_rat(b, 1, 1)
                      : n->op == EXPR_MUL && expr_same(n->arg[1], d) ? n->arg[0]
                      : n->op == EXPR_MUL && expr_same(n->arg[0], d) ? n->arg[1]
                                                                     : NULL;
    if (rest) return q->cancelled = true, rest;
    q->kept = true;
    return expr_b_2(b, EXPR_DIV, n, d);
}

static expr_node *prepare_floor(expr_builder *b, expr_node *e) {
    expr_node *u = e->arg[0];
    quotient q = {false, false};
    if (u->op == EXPR_DIV && (u->arg[0]->op == EXPR_ADD || u->arg[0]->op == EXPR_SUB)) {
        expr_node *terms = distribute(b, u->arg[0], u->arg[1], &q);
        if (q.cancelled && q.kept) u = terms;
    }
    if (!u) return NULL;
    if (u->op == EXPR_NEG || (u->op >= EXPR_ADD && u->op <= EXPR_DIV)) u = expr_b_linear(b, u);
    if (!u) return NULL;
    expr_node *rest = expr_b_rat(b, 0, 1), *whole = take_whole(b, u, &rest, expr_b_rat(b, 0, 1), false);
    if (!whole || !rest || expr_is_rat(whole, 0, 1)) return b->st ? NULL : e;
    if (rest->op == EXPR_RAT && rest->num >= 0 && rest->num < rest->den) return whole;
    return expr_b_add(b, whole, expr_b_1(b, EXPR_FLOOR, rest));
}

/* ---- bases that turn ----------------------------------------------------------------------------------- */

typedef struct {
    expr_node *u[MAX_ANGLES];
    int n;
} angles;

static void gather_angles(angles *a, const expr_node *e) {
    if ((e->op == EXPR_COS || e->op == EXPR_SIN) && a->n < MAX_ANGLES) {
        for (int i = 0; i < a->n; i++)
            if (expr_same(a->u[i], e->arg[0])) return;
        a->u[a->n++] = e->arg[0];
    } else if (e->op == EXPR_NEG || (e->op >= EXPR_ADD && e->op <= EXPR_DIV))
        for (uint32_t i = 0; i < e->nargs; i++) gather_angles(a, e->arg[i]);
}

static expr_node *prepare_turn(expr_builder *b, expr_node *e, int nesting) {
    angles a = {.n = 0};
    expr_node *base = e->arg[0];
    if (nesting || (base->op != EXPR_ADD && base->op != EXPR_SUB) || expr_is_real(base)) return e;
    gather_angles(&a, base);
    for (int i = 0; i < 2 * a.n && !b->st; i++) {
        expr_node *u = i % 2 ? expr_b_neg(b, a.u[i / 2]) : a.u[i / 2];
        expr_node *turn = expr_b_1(b, EXPR_EXP, expr_b_mul(b, expr_b_op(b, EXPR_I, 0, NULL), u));
        if (turn && ver_normal_same(b, base, turn, 1)) return expr_b_2(b, EXPR_POW, turn, e->arg[1]);
    }
    return b->st ? NULL : e;
}

static expr_node *prepare_node(expr_builder *b, expr_node *e, int nesting) {
    if (!e || b->st) return NULL;
    switch (e->op) {
    case EXPR_MIN:
    case EXPR_MAX: return prepare_order(b, e);
    case EXPR_AT: return prepare_index(b, e);
    case EXPR_POW:
        if (ver_is_integer_pow(e)) return prepare_even(b, e);
        return expr_is_whole(e->arg[1]) ? prepare_turn(b, e, nesting) : prepare_power(b, e);
    case EXPR_SQRT: return prepare_power(b, e);
    case EXPR_LOG: return prepare_log(b, e);
    case EXPR_ABS: return prepare_abs(b, e);
    case EXPR_FLOOR: return prepare_floor(b, e);
    case EXPR_SIGN: return prepare_sign(b, e);
    case EXPR_ACOS: {
        expr_node *right = expr_b_2(b, EXPR_DIV, expr_b_op(b, EXPR_PI, 0, NULL), expr_b_rat(b, 2, 1));
        return expr_b_sub(b, right, expr_b_1(b, EXPR_ASIN, e->arg[0]));
    }
    case EXPR_ATAN2:
        return expr_is_positive(e->arg[1]) ? expr_b_1(b, EXPR_ATAN, expr_b_div(b, e->arg[0], e->arg[1])) : e;
    default: return e;
    }
}

/* |z|^n is |z^n| for a complex symbol z, the root of z^n·conj(z)^n: (z·conj z)^n is taken apart, too. */
static expr_node *abs_last(expr_builder *b, expr_node *e) {
    expr_node *u = e->op == EXPR_POW && e->arg[0]->op == EXPR_ABS ? e->arg[0]->arg[0] : NULL;
    if (!u || !ver_is_atom(u) || expr_is_real(u) || ver_is_integer_pow(e) || !expr_is_whole(e->arg[1]))
        return e;
    return expr_b_1(b, EXPR_ABS, expr_b_2(b, EXPR_POW, u, e->arg[1]));
}

static expr_node *prepare(expr_builder *b, expr_node *e, void *ctx) {
    if (!(e = abs_last(b, e))) return NULL;
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, prepare, ctx);
    return prepare_node(b, e, *(int *)ctx);
}

expr_node *ver_prepare(expr_builder *b, expr_node *e, int nesting) { return prepare(b, e, &nesting); }

bool ver_has_root(const expr_node *e) {
    if (e->op == EXPR_SQRT || e->op == EXPR_LOG) return true;
    if (e->op == EXPR_POW && !(e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_has_root(e->arg[i])) return true;
    return false;
}

expr_node *ver_take_roots(expr_builder *b, expr_node *e) {
    if (b->st || !ver_has_root(e)) return e;
    expr_node *taken = ver_prepare(b, e, 1); /* bases that turn are left to the normal form */
    if (ph_is_open(b->st)) b->st = PH_OK, taken = NULL;
    return taken && !b->st ? taken : e;
}
