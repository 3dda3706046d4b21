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
static exp_node *prepare_node(exp_builder *b, exp_node *e, int nesting);

static exp_node *abs_of(exp_builder *b, exp_node *u) { return prepare_node(b, exp_b_1(b, EXP_ABS, u), 0); }

static bool is_even_power(const exp_node *u) {
    return ver_is_integer_pow(u) && u->arg[1]->num != 0 && u->arg[1]->num % 2 == 0 && exp_is_real(u->arg[0]);
}

static exp_node *pushed_conj(exp_builder *b, exp_node *e) {
    exp_node *p;
    if (!e || b->st || (b->st = exp_push_conj(&p, e, b->err))) return NULL;
    return exp_b_keep(b, p);
}

/* Is u its own conjugate? Told by form where the signs do not tell. */
static bool is_real(exp_builder *b, exp_node *u) {
    if (exp_is_real(u)) return true;
    exp_node *c = pushed_conj(b, exp_b_1(b, EXP_CONJ, u));
    return c && ver_normal_equal(b, u, c);
}

static exp_node *prepare_order(exp_builder *b, exp_node *e) {
    exp_node *u = e->arg[0], *v = e->arg[1];
    if (!is_real(b, u) || !is_real(b, v)) {
        if (!b->st) b->st = ph_fail(b->err, PH_EOUTSIDE, "%s of what may be complex", exp_ops[e->op].name);
        return NULL;
    }
    exp_node *gap = abs_of(b, exp_b_2(b, EXP_SUB, u, v)), *sum = exp_b_2(b, EXP_ADD, u, v);
    return exp_b_2(b, EXP_DIV, exp_b_2(b, e->op == EXP_MIN ? EXP_SUB : EXP_ADD, sum, gap),
                   exp_b_rat(b, 2, 1));
}

static exp_node *prepare_index(exp_builder *b, exp_node *e) {
    exp_node *v = e->arg[1], *index = exp_b_linear(b, v);
    if (index && exp_b_never_integer(b, index) && !b->st)
        b->st = ph_fail(b->err, PH_EDOMAIN, "an index is no integer");
    if (b->st) return NULL;
    return index == v ? e : exp_b_2(b, EXP_AT, e->arg[0], index);
}

/* |u|^2k = u^2k, u real */
static exp_node *prepare_even(exp_builder *b, exp_node *e) {
    exp_node *u = e->arg[0];
    bool even = u->op == EXP_ABS && e->arg[1]->num % 2 == 0 && exp_is_real(u->arg[0]);
    return even ? exp_b_2(b, EXP_POW, u->arg[0], e->arg[1]) : e;
}

/* √u or u^a with u = s²·r */
static exp_node *prepare_power(exp_builder *b, exp_node *e) {
    exp_node *u = e->arg[0], *half = exp_b_rat(b, 1, 2), *a = e->op == EXP_SQRT ? half : e->arg[1];
    ver_radicand x;
    if (exp_is_rat(u, 0, 1) && e->op == EXP_SQRT) return u;
    if (is_even_power(u)) /* (v²)^s = |v|^2s, v real */
        return exp_b_pow(b, abs_of(b, u->arg[0]), exp_b_mul(b, u->arg[1], a));
    if (!ver_take_square(b, &x, u)) return b->st ? NULL : e;
    exp_node *out = abs_of(b, x.s);
    if (e->op == EXP_POW) out = exp_b_pow(b, out, exp_b_mul(b, exp_b_rat(b, 2, 1), a));
    exp_node *root = exp_is_rat(x.r, 1, 1) ? exp_b_rat(b, 1, 1)
                     : e->op == EXP_SQRT   ? exp_b_1(b, EXP_SQRT, x.r)
                                           : exp_b_2(b, EXP_POW, x.r, a);
    return exp_b_mul(b, exp_is_rat(x.s, 1, 1) ? exp_b_rat(b, 1, 1) : out, root);
}

/* log|s|, factor by factor */
static exp_node *log_abs(exp_builder *b, exp_node *s) {
    if (s->op == EXP_MUL) return exp_b_add(b, log_abs(b, s->arg[0]), log_abs(b, s->arg[1]));
    if (ver_is_integer_pow(s)) return exp_b_mul(b, s->arg[1], log_abs(b, s->arg[0]));
    return exp_is_rat(s, 1, 1) ? exp_b_rat(b, 0, 1) : exp_b_1(b, EXP_LOG, abs_of(b, s));
}

static exp_node *prepare_log(exp_builder *b, exp_node *e) {
    ver_radicand x;
    exp_node *u = e->arg[0];
    if (is_even_power(u)) return exp_b_mul(b, u->arg[1], log_abs(b, u->arg[0]));
    if (!ver_take_square(b, &x, u)) return b->st ? NULL : e;
    exp_node *r = exp_is_rat(x.r, 1, 1) ? exp_b_rat(b, 0, 1) : exp_b_1(b, EXP_LOG, x.r);
    if (exp_is_rat(x.s, 1, 1)) return r;
    return exp_b_add(b, exp_b_mul(b, exp_b_rat(b, 2, 1), log_abs(b, x.s)), r);
}

static exp_node *prepare_abs(exp_builder *b, exp_node *e) {
    exp_node *u = e->arg[0];
    if (u->op == EXP_ADD || u->op == EXP_SUB) { /* x + t − x is t */
        exp_node *v = exp_b_linear(b, u);
        if (!v) return NULL;
        if (v != u) return abs_of(b, v);
    }
    if (exp_is_nonnegative(u)) return u;
    exp_node *minus = exp_b_neg(b, u);
    if (!minus || exp_is_nonnegative(minus)) return minus;
    if (u->op == EXP_NEG || (u->op == EXP_CONJ && ver_is_atom(u))) return abs_of(b, u->arg[0]);
    if (u->op == EXP_RAT) return exp_b_1(b, EXP_NEG, u);
    if (u->op == EXP_MUL || u->op == EXP_DIV)
        return exp_b_2(b, u->op, abs_of(b, u->arg[0]), abs_of(b, u->arg[1]));
    if (ver_is_integer_pow(u)) return exp_b_2(b, EXP_POW, abs_of(b, u->arg[0]), u->arg[1]);
    ver_radicand x;
    if (exp_is_real(u)) { /* |s²r| = s²|r|, with the factors of r apart */
        if (!ver_take_square(b, &x, u) || (x.parts < 2 && exp_is_rat(x.s, 1, 1) && !x.scaled))
            return b->st ? NULL : e;
        return exp_b_mul(b, exp_b_pow(b, x.s, exp_b_rat(b, 2, 1)), abs_of(b, x.r));
    }
    if (u->op == EXP_EXP) return exp_b_1(b, EXP_EXP, pushed_conj(b, exp_b_1(b, EXP_RE, u->arg[0])));
    exp_node *square = pushed_conj(b, exp_b_2(b, EXP_MUL, u, exp_b_1(b, EXP_CONJ, u)));
    return square ? prepare_node(b, exp_b_1(b, EXP_SQRT, square), 0) : NULL;
}

static exp_node *prepare_sign(exp_builder *b, exp_node *e) {
    exp_node *u = e->arg[0], *minus = exp_b_neg(b, u);
    if (!minus) return NULL;
    if (exp_is_rat(u, 0, 1)) return u;
    return exp_is_positive(u) ? exp_b_rat(b, 1, 1) : exp_is_positive(minus) ? exp_b_rat(b, -1, 1) : e;
}

/* ---- whole numbers ------------------------------------------------------------------------------------- */

/* u = *rest + the whole numbers among its terms, which are added to `whole`. */
static exp_node *take_whole(exp_builder *b, exp_node *u, exp_node **rest, exp_node *whole, bool minus) {
    if (u->op == EXP_ADD || u->op == EXP_SUB) {
        whole = take_whole(b, u->arg[0], rest, whole, minus);
        return take_whole(b, u->arg[1], rest, whole, minus != (u->op == EXP_SUB));
    }
    exp_node *integer = NULL;
    if (exp_is_whole(u)) integer = u;
    else if (u->op == EXP_RAT) { /* 7/2 = 3 + 1/2 */ int64_t k = u->num / u->den - (u->num % u->den < 0);
        integer = exp_b_rat(b, k, 1);
    }
    exp_node *left = integer ? exp_b_sub(b, u, integer) : u;
    if (integer && exp_is_whole(u)) left = exp_b_rat(b, 0, 1);
    *rest = minus ? exp_b_sub(b, *rest, left) : exp_b_add(b, *rest, left);
    if (!integer) return whole;
    return minus ? exp_b_sub(b, whole, integer) : exp_b_add(b, whole, integer);
}

typedef struct {
    bool cancelled,
        kept; /* some term was d itself; some term is still over d, and keeps the condition d != 0 */
} quotient;

/* n/d term by term. */
static exp_node *distribute(exp_builder *b, exp_node *n, exp_node *d, quotient *q) {
    if (n->op == EXP_ADD || n->op == EXP_SUB)
        return exp_b_2(b, n->op, distribute(b, n->arg[0], d, q), distribute(b, n->arg[1], d, q));
    exp_node *rest = exp_same(n, d)                               ? exp_b_rat(b, 1, 1)
                     : n->op == EXP_MUL && exp_same(n->arg[1], d) ? n->arg[0]
                     : n->op == EXP_MUL && exp_same(n->arg[0], d) ? n->arg[1]
                                                                  : NULL;
    if (rest) return q->cancelled = true, rest;
    q->kept = true;
    return exp_b_2(b, EXP_DIV, n, d);
}

static exp_node *prepare_floor(exp_builder *b, exp_node *e) {
    exp_node *u = e->arg[0];
    quotient q = {false, false};
    if (u->op == EXP_DIV && (u->arg[0]->op == EXP_ADD || u->arg[0]->op == EXP_SUB)) {
        exp_node *terms = distribute(b, u->arg[0], u->arg[1], &q);
        if (q.cancelled && q.kept) u = terms;
    }
    if (!u) return NULL;
    if (u->op == EXP_NEG || (u->op >= EXP_ADD && u->op <= EXP_DIV)) u = exp_b_linear(b, u);
    if (!u) return NULL;
    exp_node *rest = exp_b_rat(b, 0, 1), *whole = take_whole(b, u, &rest, exp_b_rat(b, 0, 1), false);
    if (!whole || !rest || exp_is_rat(whole, 0, 1)) return b->st ? NULL : e;
    if (rest->op == EXP_RAT && rest->num >= 0 && rest->num < rest->den) return whole;
    return exp_b_add(b, whole, exp_b_1(b, EXP_FLOOR, rest));
}

/* ---- bases that turn ----------------------------------------------------------------------------------- */

typedef struct {
    exp_node *u[MAX_ANGLES];
    int n;
} angles;

static void gather_angles(angles *a, const exp_node *e) {
    if ((e->op == EXP_COS || e->op == EXP_SIN) && a->n < MAX_ANGLES) {
        for (int i = 0; i < a->n; i++)
            if (exp_same(a->u[i], e->arg[0])) return;
        a->u[a->n++] = e->arg[0];
    } else if (e->op == EXP_NEG || (e->op >= EXP_ADD && e->op <= EXP_DIV))
        for (uint32_t i = 0; i < e->nargs; i++) gather_angles(a, e->arg[i]);
}

static exp_node *prepare_turn(exp_builder *b, exp_node *e, int nesting) {
    angles a = {.n = 0};
    exp_node *base = e->arg[0];
    if (nesting || (base->op != EXP_ADD && base->op != EXP_SUB) || exp_is_real(base)) return e;
    gather_angles(&a, base);
    for (int i = 0; i < 2 * a.n && !b->st; i++) {
        exp_node *u = i % 2 ? exp_b_neg(b, a.u[i / 2]) : a.u[i / 2];
        exp_node *turn = exp_b_1(b, EXP_EXP, exp_b_mul(b, exp_b_op(b, EXP_I, 0, NULL), u));
        if (turn && ver_normal_same(b, base, turn, 1)) return exp_b_2(b, EXP_POW, turn, e->arg[1]);
    }
    return b->st ? NULL : e;
}

static exp_node *prepare_node(exp_builder *b, exp_node *e, int nesting) {
    if (!e || b->st) return NULL;
    switch (e->op) {
    case EXP_MIN:
    case EXP_MAX: return prepare_order(b, e);
    case EXP_AT: return prepare_index(b, e);
    case EXP_POW:
        if (ver_is_integer_pow(e)) return prepare_even(b, e);
        return exp_is_whole(e->arg[1]) ? prepare_turn(b, e, nesting) : prepare_power(b, e);
    case EXP_SQRT: return prepare_power(b, e);
    case EXP_LOG: return prepare_log(b, e);
    case EXP_ABS: return prepare_abs(b, e);
    case EXP_FLOOR: return prepare_floor(b, e);
    case EXP_SIGN: return prepare_sign(b, e);
    case EXP_ACOS: {
        exp_node *right = exp_b_2(b, EXP_DIV, exp_b_op(b, EXP_PI, 0, NULL), exp_b_rat(b, 2, 1));
        return exp_b_sub(b, right, exp_b_1(b, EXP_ASIN, e->arg[0]));
    }
    case EXP_ATAN2:
        return exp_is_positive(e->arg[1]) ? exp_b_1(b, EXP_ATAN, exp_b_div(b, e->arg[0], e->arg[1])) : e;
    default: return e;
    }
}

static exp_node *prepare(exp_builder *b, exp_node *e, void *ctx) {
    e = exp_b_rewrite(b, e, e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0, prepare, ctx);
    return prepare_node(b, e, *(int *)ctx);
}

exp_node *ver_prepare(exp_builder *b, exp_node *e, int nesting) { return prepare(b, e, &nesting); }
