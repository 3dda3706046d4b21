/* span.c: see span.h. Lower ends are rounded down, upper ends up; 0 times infinity is 0, since an end is a limit of finite numbers. */
#include "verify/span.h"

#include "verify/wide.h"

#define MAX_POWER 1000

void ver_span_init(ver_span *s) {
    arf_init(s->lo);
    arf_init(s->hi);
}

void ver_span_clear(ver_span *s) {
    arf_clear(s->lo);
    arf_clear(s->hi);
}

void ver_span_set_whole(ver_span *s) {
    arf_neg_inf(s->lo);
    arf_pos_inf(s->hi);
}

static void set_ends(ver_span *s, slong lo, slong hi) {
    arf_set_si(s->lo, lo);
    arf_set_si(s->hi, hi);
}

static void set(ver_span *s, const ver_span *x) {
    arf_set(s->lo, x->lo);
    arf_set(s->hi, x->hi);
}

/* What a ball contains; not finite: anything. */
static void set_ball(ver_span *s, const arb_t x) {
    if (!arb_is_finite(x)) {
        ver_span_set_whole(s);
        return;
    }
    arb_get_lbound_arf(s->lo, x, SPAN_BITS);
    arb_get_ubound_arf(s->hi, x, SPAN_BITS);
}

static void clamp(ver_span *s, slong lo, slong hi) {
    if (arf_cmp_si(s->lo, lo) < 0) arf_set_si(s->lo, lo);
    if (arf_cmp_si(s->hi, hi) > 0) arf_set_si(s->hi, hi);
}

static bool is_point_or_finite(const ver_span *s) { return arf_is_finite(s->lo) && arf_is_finite(s->hi); }
static bool is_nonnegative(const ver_span *s) { return arf_sgn(s->lo) >= 0; }

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

static void add(ver_span *s, const ver_span *x, const ver_span *y) {
    arf_add(s->lo, x->lo, y->lo, SPAN_BITS, ARF_RND_FLOOR);
    arf_add(s->hi, x->hi, y->hi, SPAN_BITS, ARF_RND_CEIL);
}

static void negate(ver_span *s, const ver_span *x) {
    arf_t t;
    arf_init(t);
    arf_neg(t, x->lo);
    arf_neg(s->lo, x->hi);
    arf_swap(s->hi, t);
    arf_clear(t);
}

static void times(arf_t out, const arf_t a, const arf_t b, arf_rnd_t rnd) {
    if (arf_is_zero(a) || arf_is_zero(b)) arf_zero(out);
    else arf_mul(out, a, b, SPAN_BITS, rnd);
}

static void multiply(ver_span *s, const ver_span *x, const ver_span *y) {
    arf_t p;
    ver_span r;
    arf_init(p);
    ver_span_init(&r);
    for (int i = 0; i < 4; i++) {
        const arf_struct *a = i & 1 ? x->hi : x->lo, *b = i & 2 ? y->hi : y->lo;
        times(p, a, b, ARF_RND_FLOOR);
        if (i == 0 || arf_cmp(p, r.lo) < 0) arf_set(r.lo, p);
        times(p, a, b, ARF_RND_CEIL);
        if (i == 0 || arf_cmp(p, r.hi) > 0) arf_set(r.hi, p);
    }
    set(s, &r);
    arf_clear(p);
    ver_span_clear(&r);
}

/* 1/x; where x may be 0 inside, or of either sign, anything. */
static void invert(ver_span *s, const ver_span *x) {
    arf_t one, lo;
    if (arf_sgn(x->lo) * arf_sgn(x->hi) < 0 || (arf_is_zero(x->lo) && arf_is_zero(x->hi))) {
        ver_span_set_whole(s);
        return;
    }
    arf_init(one);
    arf_init(lo);
    arf_one(one);
    if (arf_is_zero(x->hi)) arf_neg_inf(lo);
    else arf_div(lo, one, x->hi, SPAN_BITS, ARF_RND_FLOOR);
    if (arf_is_zero(x->lo)) arf_pos_inf(s->hi);
    else arf_div(s->hi, one, x->lo, SPAN_BITS, ARF_RND_CEIL);
    arf_swap(s->lo, lo);
    arf_clear(one);
    arf_clear(lo);
}

static void absolute(ver_span *s, const ver_span *x) {
    if (is_nonnegative(x)) {
        set(s, x);
        return;
    }
    ver_span m;
    ver_span_init(&m);
    negate(&m, x);
    if (arf_sgn(x->hi) > 0) {
        if (arf_cmp(x->hi, m.hi) > 0) arf_set(m.hi, x->hi);
        arf_zero(m.lo);
    }
    set(s, &m);
    ver_span_clear(&m);
}

/* ---- functions ----------------------------------------------------------------------------------------- */

typedef void arb_function(arb_t y, const arb_t x, slong prec);

/* A function that never falls, at the ends that are finite; others stay as they are. */
static void rising(ver_span *s, const ver_span *x, arb_function *f) {
    arb_t y;
    arb_init(y);
    set(s, x);
    if (arf_is_finite(x->lo)) {
        arb_set_arf(y, x->lo);
        f(y, y, SPAN_BITS);
        if (arb_is_finite(y)) arb_get_lbound_arf(s->lo, y, SPAN_BITS);
        else arf_neg_inf(s->lo);
    }
    if (arf_is_finite(x->hi)) {
        arb_set_arf(y, x->hi);
        f(y, y, SPAN_BITS);
        if (arb_is_finite(y)) arb_get_ubound_arf(s->hi, y, SPAN_BITS);
        else arf_pos_inf(s->hi);
    }
    arb_clear(y);
}

static void exponential(ver_span *s, const ver_span *x) {
    rising(s, x, arb_exp);
    if (arf_sgn(s->lo) < 0) arf_zero(s->lo);
    if (arf_sgn(s->hi) < 0) arf_zero(s->hi); /* e^-inf */
}

static bool logarithm(ver_span *s, const ver_span *x) {
    if (!is_nonnegative(x) || arf_is_zero(x->hi)) return false;
    bool touches = arf_is_zero(x->lo);
    rising(s, x, arb_log);
    if (touches) arf_neg_inf(s->lo);
    return true;
}

/* ⌊(x − quarter·π/2)/2π⌋, of the lower end of its ball (side 0) or the upper one. */
static void turns(arf_t out, const arf_t x, slong quarter, int side) {
    arb_t t, pi;
    arb_init(t);
    arb_init(pi);
    arb_const_pi(pi, 2 * SPAN_BITS);
    arb_mul_si(t, pi, quarter, 2 * SPAN_BITS);
    arb_mul_2exp_si(t, t, -1);
    arb_neg(t, t);
    arb_add_arf(t, t, x, 2 * SPAN_BITS);
    arb_div(t, t, pi, 2 * SPAN_BITS);
    arb_mul_2exp_si(t, t, -1);
    if (side) arb_get_ubound_arf(out, t, 2 * SPAN_BITS);
    else arb_get_lbound_arf(out, t, 2 * SPAN_BITS);
    arf_floor(out, out);
    arb_clear(t);
    arb_clear(pi);
}

/* No quarter·π/2 + 2kπ lies in x. */
static bool misses(const ver_span *x, slong quarter) {
    arf_t from, to;
    arf_init(from);
    arf_init(to);
    turns(from, x->lo, quarter, 0);
    turns(to, x->hi, quarter, 1);
    bool none = arf_equal(from, to);
    arf_clear(from);
    arf_clear(to);
    return none;
}

/* Without a crest, a wave is highest at an end of x; without a trough, lowest. */
static void wave_from_ends(ver_span *s, const ver_span *x, arb_function *f, slong crest, slong trough) {
    ver_span end[2];
    bool low = misses(x, trough), high = misses(x, crest);
    arb_t y;
    arb_init(y);
    for (int i = 0; i < 2; i++) {
        ver_span_init(&end[i]);
        arb_set_arf(y, i ? x->hi : x->lo);
        f(y, y, SPAN_BITS);
        set_ball(&end[i], y);
    }
    const ver_span *least = arf_cmp(end[0].lo, end[1].lo) < 0 ? &end[0] : &end[1],
                   *most = arf_cmp(end[0].hi, end[1].hi) > 0 ? &end[0] : &end[1];
    if (low && arf_cmp(least->lo, s->lo) > 0) arf_set(s->lo, least->lo);
    if (high && arf_cmp(most->hi, s->hi) < 0) arf_set(s->hi, most->hi);
    for (int i = 0; i < 2; i++) ver_span_clear(&end[i]);
    arb_clear(y);
}

/* Between −1 and 1, and closer where the argument is. crest, trough: where f is 1 and −1, in quarters of a turn. */
static void wave(ver_span *s, const ver_span *x, arb_function *f, slong crest, slong trough) {
    if (is_point_or_finite(x)) {
        arb_t y;
        arb_init(y);
        arb_set_interval_arf(y, x->lo, x->hi, SPAN_BITS);
        f(y, y, SPAN_BITS);
        set_ball(s, y);
        arb_clear(y);
        wave_from_ends(s, x, f, crest, trough);
    } else ver_span_set_whole(s);
    clamp(s, -1, 1);
}

static void bounded_rising(ver_span *s, const ver_span *x, arb_function *f, slong most) {
    rising(s, x, f);
    clamp(s, -most, most);
    if (arf_cmp_si(s->lo, most) > 0) arf_set_si(s->lo, most);
    if (arf_cmp_si(s->hi, -most) < 0) arf_set_si(s->hi, -most);
}

static void floors(ver_span *s, const ver_span *x) {
    if (arf_is_finite(x->lo)) arf_floor(s->lo, x->lo);
    else arf_set(s->lo, x->lo);
    if (arf_is_finite(x->hi)) arf_floor(s->hi, x->hi);
    else arf_set(s->hi, x->hi);
}

/* x^k, k > 0 */
static void whole_power(ver_span *s, const ver_span *x, slong k) {
    ver_span b;
    arb_t y;
    ver_span_init(&b);
    arb_init(y);
    if (k % 2) set(&b, x);
    else absolute(&b, x);
    set(s, &b);
    if (arf_is_finite(b.lo)) {
        arb_set_arf(y, b.lo);
        arb_pow_ui(y, y, (ulong)k, SPAN_BITS);
        arb_get_lbound_arf(s->lo, y, SPAN_BITS);
    }
    if (arf_is_finite(b.hi)) {
        arb_set_arf(y, b.hi);
        arb_pow_ui(y, y, (ulong)k, SPAN_BITS);
        arb_get_ubound_arf(s->hi, y, SPAN_BITS);
    }
    arb_clear(y);
    ver_span_clear(&b);
}

/* x^y; of a base that may be negative, whole powers only. Other powers are e^(y·log x). */
static bool power(ver_span *s, const expr_node *e, const ver_span *x, const ver_span *y) {
    const expr_node *p = e->arg[1];
    if (p->op == EXPR_RAT && p->den == 1) {
        if (p->num == 0 || p->num > MAX_POWER || p->num < -MAX_POWER) return ver_span_set_whole(s), true;
        whole_power(s, x, p->num < 0 ? -(slong)p->num : (slong)p->num);
        if (p->num < 0) invert(s, s);
        return true;
    }
    ver_span l;
    ver_span_init(&l);
    bool ok = logarithm(&l, x);
    if (ok) {
        multiply(&l, &l, y);
        exponential(s, &l);
    }
    ver_span_clear(&l);
    return ok;
}

static void join(ver_span *s, const ver_span *x) {
    if (arf_cmp(x->lo, s->lo) < 0) arf_set(s->lo, x->lo);
    if (arf_cmp(x->hi, s->hi) > 0) arf_set(s->hi, x->hi);
}

/* All branches but those whose condition is seen to fail; none after one whose condition is seen to hold. */
static bool span_piece(ver_span *s, const expr_node *e, const ver_ends *t) {
    ver_span x;
    bool any = false, ok = true;
    ver_span_init(&x);
    for (uint32_t i = 0; i < e->nargs && ok; i += 2) {
        bool last = i + 1 == e->nargs;
        ver_when w = last ? VER_ALWAYS : ver_span_decides(e->arg[i], t);
        if (w == VER_NEVER) continue;
        ok = ver_span_of(&x, e->arg[last ? i : i + 1], t);
        if (ok && any) join(s, &x);
        else if (ok) set(s, &x);
        any = true;
        if (w == VER_ALWAYS) break;
    }
    ver_span_clear(&x);
    return ok;
}

static bool unary(ver_span *s, expr_op op, const ver_span *x) {
    switch (op) {
    case EXPR_NEG: negate(s, x); return true;
    case EXPR_SIN: wave(s, x, arb_sin, 1, -1); return true;
    case EXPR_COS: wave(s, x, arb_cos, 0, 2); return true;
    case EXPR_TANH: bounded_rising(s, x, arb_tanh, 1); return true;
    case EXPR_ATAN: bounded_rising(s, x, arb_atan, 2); return true;
    case EXPR_SINH: rising(s, x, arb_sinh); return true;
    case EXPR_EXP: exponential(s, x); return true;
    case EXPR_LOG: return logarithm(s, x);
    case EXPR_SQRT:
        if (!is_nonnegative(x)) return false;
        rising(s, x, arb_sqrt);
        return true;
    case EXPR_ABS: absolute(s, x); return true;
    case EXPR_SIGN: set_ends(s, arf_sgn(x->lo), arf_sgn(x->hi)); return true;
    case EXPR_FLOOR: floors(s, x); return true;
    case EXPR_SI: set_ends(s, -2, 2); return true;
    default: return false;
    }
}

static bool binary(ver_span *s, const expr_node *e, const ver_span *x, ver_span *y) {
    switch (e->op) {
    case EXPR_ADD: add(s, x, y); return true;
    case EXPR_SUB:
        negate(y, y);
        add(s, x, y);
        return true;
    case EXPR_MUL:
        if (expr_same(e->arg[0], e->arg[1])) whole_power(s, x, 2);
        else multiply(s, x, y);
        return true;
    case EXPR_DIV:
        invert(y, y);
        multiply(s, x, y);
        return true;
    case EXPR_POW: return power(s, e, x, y);
    case EXPR_MIN:
        arf_set(s->lo, arf_cmp(x->lo, y->lo) < 0 ? x->lo : y->lo);
        arf_set(s->hi, arf_cmp(x->hi, y->hi) < 0 ? x->hi : y->hi);
        return true;
    case EXPR_MAX:
        arf_set(s->lo, arf_cmp(x->lo, y->lo) > 0 ? x->lo : y->lo);
        arf_set(s->hi, arf_cmp(x->hi, y->hi) > 0 ? x->hi : y->hi);
        return true;
    default: return false;
    }
}

static void span_number(ver_span *s, const expr_node *e) {
    arb_t x;
    arb_init(x);
    if (e->op == EXPR_PI) arb_const_pi(x, SPAN_BITS);
    else {
        fmpq_t q;
        fmpq_init(q);
        ver_fmpq_set(q, e->num, e->den);
        arb_set_fmpq(x, q, SPAN_BITS);
        fmpq_clear(q);
    }
    set_ball(s, x);
    arb_clear(x);
}

static bool by_parts(ver_span *s, const expr_node *e, const ver_ends *t) {
    ver_span x, y;
    ver_span_init(&x);
    ver_span_init(&y);
    bool ok = ver_span_of(&x, e->arg[0], t);
    if (ok && e->nargs == 1) ok = unary(s, e->op, &x);
    else if (ok && e->nargs == 2) ok = ver_span_of(&y, e->arg[1], t) && binary(s, e, &x, &y);
    else ok = false;
    ver_span_clear(&x);
    ver_span_clear(&y);
    return ok;
}

bool ver_span_of(ver_span *s, const expr_node *e, const ver_ends *t) {
    bool ok = false;
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_PI: span_number(s, e); return true;
    case EXPR_SYM:
    case EXPR_AT: return ver_ends_known(s, e, t);
    case EXPR_PIECE: ok = span_piece(s, e, t); break;
    case EXPR_SUM:
    case EXPR_I: break;
    default: ok = !expr_is_statement(e) && by_parts(s, e, t);
    }
    if (ok && !arf_is_nan(s->lo) && !arf_is_nan(s->hi)) return true;
    ver_span_set_whole(s);
    if (expr_is_nonnegative(e)) arf_zero(s->lo);
    return expr_is_real(e);
}

ver_when ver_span_decides(const expr_node *c, const ver_ends *t) {
    ver_span x, y;
    ver_when w = VER_SOMETIMES;
    ver_span_init(&x);
    ver_span_init(&y);
    if (ver_span_of(&x, c->arg[0], t) && ver_span_of(&y, c->arg[1], t)) {
        bool lt = arf_cmp(x.hi, y.lo)<0, le = arf_cmp(x.hi, y.lo) <= 0, gt = arf_cmp(x.lo, y.hi)> 0,
             ge = arf_cmp(x.lo, y.hi) >= 0;
        switch (c->op) {
        case EXPR_EQ: w = lt || gt ? VER_NEVER : le && ge ? VER_ALWAYS : w; break;
        case EXPR_NE: w = lt || gt ? VER_ALWAYS : le && ge ? VER_NEVER : w; break;
        case EXPR_LT: w = lt ? VER_ALWAYS : ge ? VER_NEVER : w; break;
        case EXPR_LE: w = le ? VER_ALWAYS : gt ? VER_NEVER : w; break;
        case EXPR_GT: w = gt ? VER_ALWAYS : le ? VER_NEVER : w; break;
        default: w = ge ? VER_ALWAYS : lt ? VER_NEVER : w; break;
        }
    }
    ver_span_clear(&x);
    ver_span_clear(&y);
    return w;
}
