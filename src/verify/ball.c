/* ball.c: walks a formula in ball arithmetic, and checks what each mode promises besides an enclosure. */
#include "verify/ball.h"
#include "verify/meter.h"
#include "verify/quadrature.h"
#include "verify/wide.h"

#define MAX_TERMS    1000000 /* of one sum */
#define NESTED_TERMS 400000  /* of all sums inside others, which multiply */

/* An index that a sum has bound, innermost first. */
typedef struct frame {
    const expr_node *sym;
    int64_t value;
    const struct frame *up;
} frame;

typedef struct {
    ver_atom_fn *atom;
    void *ctx;
    slong prec;
    ph_err *err;
    ver_mode mode;
    bool imaginary; /* ANALYTIC: the formula has parts that are not real on the real line */
    bool reflect;   /* ANALYTIC: atoms stand for their conjugates */
    double unit;    /* of the meter, for one operation */
    int64_t *terms; /* of sums inside others, so far */
} balls;

/* out is written to before all of e has been read: it is no place that an atom is read from. */
static ph_status ball(acb_t out, const expr_node *e, const frame *f, const balls *b);

/* ---- the same where smoothness or analyticity is asked for too ----------------------------------------- */

/* cos(z) (tan) or cosh(z) (tanh) may be 0 in the ball. */
static bool may_have_pole(expr_op op, const acb_t z, slong p) {
    acb_t c;
    acb_init(c);
    if (op == EXPR_TAN) acb_cos(c, z, p);
    else acb_cosh(c, z, p);
    bool pole = acb_contains_zero(c) || !acb_is_finite(c);
    acb_clear(c);
    return pole;
}

/* atan is cut along the imaginary axis from i and from -i outwards. */
static bool atan_is_analytic(const acb_t z) {
    mag_t m;
    mag_init(m);
    arb_get_mag(m, acb_imagref(z));
    bool inside = mag_cmp_2exp_si(m, 0) < 0;
    mag_clear(m);
    return inside || !arb_contains_zero(acb_realref(z));
}

static bool within_unit(const arb_t x) {
    mag_t m;
    mag_init(m);
    arb_get_mag(m, x);
    bool within = mag_cmp_2exp_si(m, 0) < 0;
    mag_clear(m);
    return within;
}

/* Is the value of e real wherever its variables are? */
static bool is_real_on_line(const expr_node *e, const acb_t z, const balls *b) {
    if (b->mode == VER_SMOOTH) return acb_is_real(z);
    return !b->imaginary || expr_is_real(e);
}

/* sign, floor and |u| of a real u are continued off the line as what they are on one side of their jump or kink. */
static void unary_analytic(acb_t out, const expr_node *e, const acb_t z, const balls *b) {
    expr_op op = e->op;
    slong p = b->prec;
    switch (op) {
    case EXPR_TAN:
    case EXPR_TANH:
        if (may_have_pole(op, z, p)) break;
        ver_ball_unary(out, op, z, p);
        return;
    case EXPR_LOG: acb_log_analytic(out, z, 1, p); return;
    case EXPR_SQRT: acb_sqrt_analytic(out, z, 1, p); return;
    case EXPR_ATAN:
        if (!atan_is_analytic(z)) break;
        acb_atan(out, z, p);
        return;
    case EXPR_ASIN: /* cut along the real axis from 1 and from −1 outwards */
    case EXPR_ACOS:
        if (!within_unit(acb_realref(z))) break;
        ver_ball_unary(out, op, z, p);
        return;
    case EXPR_CI:
        if (!arb_is_positive(acb_realref(z))) break;
        if (acb_is_real(z)) ver_ball_unary(out, op, z, p);
        else acb_hypgeom_ci(out, z, p);
        return;
    case EXPR_SI:
        if (acb_is_real(z)) ver_ball_unary(out, op, z, p);
        else acb_hypgeom_si(out, z, p);
        return;
    case EXPR_ABS:
        if (is_real_on_line(e->arg[0], z, b)) acb_real_abs(out, z, 1, p);
        else if (!acb_contains_zero(z)) ver_ball_unary(out, op, z, p); /* SMOOTH only: see reflected */
        else break;
        return;
    case EXPR_SIGN:
        if (!is_real_on_line(e->arg[0], z, b)) break;
        acb_real_sgn(out, z, 1, p);
        return;
    case EXPR_FLOOR:
        if (!is_real_on_line(e->arg[0], z, b)) break;
        acb_real_floor(out, z, 1, p);
        return;
    default: ver_ball_unary(out, op, z, p); return; /* entire; and for real arguments conj, re and im */
    }
    acb_indeterminate(out);
}

/* conj, re, im and |u| are not holomorphic. With z the ball of u(z) and w that of u*(z) = conj(u(conj z)), which is
 * holomorphic where u is at conj z, they are on the real line w, (z + w)/2, (z − w)/2i and the root of z w. */
static bool is_reflected(const expr_node *e, const balls *b) {
    bool conjugates = e->op == EXPR_CONJ || e->op == EXPR_RE || e->op == EXPR_IM || e->op == EXPR_ABS;
    return conjugates && b->mode == VER_ANALYTIC &&
           !(e->op == EXPR_ABS && (!b->imaginary || expr_is_real(e->arg[0])));
}

static void reflected(acb_t out, expr_op op, const acb_t z, const acb_t w, slong p) {
    switch (op) {
    case EXPR_CONJ: acb_set(out, w); return;
    case EXPR_RE:
        acb_add(out, z, w, p);
        acb_mul_2exp_si(out, out, -1);
        return;
    case EXPR_IM:
        acb_sub(out, z, w, p);
        acb_mul_2exp_si(out, out, -1);
        acb_div_onei(out, out);
        return;
    default: acb_mul(out, z, w, p); acb_sqrt_analytic(out, out, 1, p);
    }
}

static void binary_analytic(acb_t out, const expr_node *e, const acb_t x, const acb_t y, const balls *b) {
    expr_op op = e->op;
    if (op == EXPR_ATAN2) { /* of (y, x) it is atan(y/x) where re x > 0 */
        acb_t q;
        acb_init(q);
        acb_div(q, x, y, b->prec);
        if (arb_is_positive(acb_realref(y)) && atan_is_analytic(q)) acb_atan(out, q, b->prec);
        else acb_indeterminate(out);
        acb_clear(q);
        return;
    }
    if (op != EXPR_MIN && op != EXPR_MAX) {
        ver_ball_binary(out, op, x, y, true, b->prec);
        return;
    }
    if (!is_real_on_line(e->arg[0], x, b) || !is_real_on_line(e->arg[1], y, b)) acb_indeterminate(out);
    else if (op == EXPR_MIN) acb_real_min(out, x, y, 1, b->prec);
    else acb_real_max(out, x, y, 1, b->prec);
}

/* Off the real line a condition is decided by real parts: then it is decided for the real points of the ball as well. */
static ver_truth condition(const expr_node *e, acb_t l, acb_t r, const balls *b) {
    if (b->mode == VER_ANALYTIC) {
        if (!is_real_on_line(e->arg[0], l, b) || !is_real_on_line(e->arg[1], r, b)) return VER_UNDECIDED;
        if (!acb_is_finite(l) || !acb_is_finite(r)) return VER_UNDECIDED;
        arb_zero(acb_imagref(l));
        arb_zero(acb_imagref(r));
    }
    return ver_ball_compare(e->op, l, r);
}

/* The exact integer that e is, as a bound or an index. */
static ph_status integer(int64_t *k, const expr_node *e, const frame *f, const balls *b, const char *what) {
    acb_t v;
    acb_init(v);
    ph_status st = ball(v, e, f, b);
    fmpz_t n;
    fmpz_init(n);
    if (!st && !(arb_is_zero(acb_imagref(v)) && arb_get_unique_fmpz(n, acb_realref(v)) &&
                 arb_is_int(acb_realref(v)) && ver_fmpz_fits(n)))
        st = ph_fail(b->err, PH_EDOMAIN, "%s is no integer", what);
    *k = st ? 0 : ver_fmpz_get(n);
    fmpz_clear(n);
    acb_clear(v);
    return st;
}

static ph_status ball_at(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    int64_t k;
    expr_node *index = NULL, *at = NULL;
    ph_status st = integer(&k, e->arg[1], f, b, "an index");
    if (st) return st;
    PH_TRY(expr_rat(&index, k, 1, b->err));
    PH_TRY(expr_make2(&at, EXPR_AT, e->arg[0], index, b->err));
    if (!b->atom(b->ctx, out, at, b->prec))
        st = ph_fail(b->err, PH_EARG, "no value for %s[%lld]", e->arg[0]->name, (long long)k);
    else if (b->reflect) acb_conj(out, out);
done:
    expr_drop(index);
    expr_drop(at);
    return st;
}

static ph_status ball_sum(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    int64_t lo, hi;
    ph_status st = PH_OK;
    acb_t term, sum;
    acb_init(term);
    acb_init(sum);
    PH_TRY(integer(&lo, e->arg[1], f, b, "a bound of the sum"));
    PH_TRY(integer(&hi, e->arg[2], f, b, "a bound of the sum"));
    if (hi < lo && (uint64_t)lo - (uint64_t)hi > 1) {
        st = ph_fail(b->err, PH_EDOMAIN, "the upper bound of a sum is more than one below its lower bound");
        goto done;
    }
    if (hi >= lo && (uint64_t)hi - (uint64_t)lo >= MAX_TERMS) {
        st = ph_fail(b->err, PH_EBUDGET, "a sum of more than %d terms", MAX_TERMS);
        goto done;
    }
    for (int64_t i = lo; i <= hi; i++) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(b->err);
            goto done;
        }
        if (f && ++*b->terms > NESTED_TERMS) {
            st = ph_fail(b->err, PH_EBUDGET, "sums in sums of more than %d terms in all", NESTED_TERMS);
            goto done;
        }
        PH_TRY(ball(term, e->arg[3], &(frame){e->arg[0], i, f}, b));
        acb_add(sum, sum, term, b->prec);
    }
    acb_swap(out, sum);
done:
    acb_clear(term);
    acb_clear(sum);
    return st;
}

/* A condition of what is undefined, or the order of what is not real. */
static bool says_nothing(expr_op op, const acb_t l, const acb_t r) {
    bool order = op != EXPR_EQ && op != EXPR_NE;
    if (!acb_is_finite(l) || !acb_is_finite(r)) return true;
    return order && !(arb_contains_zero(acb_imagref(l)) && arb_contains_zero(acb_imagref(r)));
}

static ph_status ball_piece(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    ph_status st = PH_OK;
    bool any = false; /* `out` holds the union of the branches that could be the one */
    acb_t l, r, v;
    acb_init(l);
    acb_init(r);
    acb_init(v);
    for (uint32_t i = 0; i < e->nargs; i += 2) {
        bool last = i + 1 == e->nargs;
        ver_truth t = VER_TRUE;
        if (!last) {
            PH_TRY(ball(l, e->arg[i]->arg[0], f, b));
            PH_TRY(ball(r, e->arg[i]->arg[1], f, b));
            t = condition(e->arg[i], l, r, b);
        }
        if (t == VER_FALSE) continue;
        bool undefined = !last && says_nothing(e->arg[i]->op, l, r); /* then neither branch is meant */
        if (t == VER_UNDECIDED && (undefined || b->mode != VER_VALUE)) {
            acb_indeterminate(out);
            break;
        }
        PH_TRY(ball(v, e->arg[last ? i : i + 1], f, b));
        if (any) acb_union(out, out, v, b->prec);
        else acb_swap(out, v);
        any = true;
        if (t == VER_TRUE) break;
    }
done:
    acb_clear(l);
    acb_clear(r);
    acb_clear(v);
    return st;
}

static ph_status ball_symbol(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    for (; f; f = f->up)
        if (expr_same(f->sym, e)) {
            ver_acb_set(out, f->value);
            return PH_OK;
        }
    if (!b->atom(b->ctx, out, e, b->prec))
        return ph_fail(b->err, PH_EARG, "no value for the symbol '%s'", e->name);
    if (b->reflect) acb_conj(out, out);
    return PH_OK;
}

/* An evaluation as the place where an integral stands: the indices around it, then the atoms. */
typedef struct {
    const frame *f;
    const balls *b;
} place;

static bool atom_there(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const place *p = ctx;
    for (const frame *f = p->f; f; f = f->up)
        if (expr_same(f->sym, atom)) {
            ver_acb_set(v, f->value);
            return true;
        }
    return p->b->atom && p->b->atom(p->b->ctx, v, atom, prec);
}

static ph_status ball_integral(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    acb_indeterminate(out);
    if (b->imaginary || b->reflect) return PH_OK; /* of conjugates: not followed */
    return ver_ball_integral(out, e, b->mode, atom_there, &(place){f, b}, b->prec, b->err);
}

/* Arithmetic writes its result over its first operand, which Arb's own functions and `divide` allow; others, which may read a part of it again, have
 * a place of their own. */
static ph_status of_two(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    ph_status st = PH_OK;
    acb_t y, r;
    acb_init(y);
    acb_init(r);
    PH_TRY(ball(out, e->arg[0], f, b));
    PH_TRY(ball(y, e->arg[1], f, b));
    if (!ver_ball_is_finite(out) || !ver_ball_is_finite(y))
        acb_indeterminate(out); /* undefined parts make no defined whole */
    else if (e->op == EXPR_ADD || e->op == EXPR_SUB || e->op == EXPR_MUL || e->op == EXPR_DIV)
        ver_ball_binary(out, e->op, out, y, b->mode != VER_VALUE, b->prec);
    else {
        if (b->mode == VER_VALUE) ver_ball_binary(r, e->op, out, y, false, b->prec);
        else binary_analytic(r, e, out, y, b);
        acb_swap(out, r);
    }
done:
    acb_clear(y);
    acb_clear(r);
    return st;
}

static ph_status of_one(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    ph_status st = PH_OK;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    PH_TRY(ball(x, e->arg[0], f, b));
    if (is_reflected(e, b)) {
        balls mirror = *b;
        mirror.reflect = !b->reflect;
        PH_TRY(ball(y, e->arg[0], f, &mirror));
        acb_conj(y, y);
    }
    if (!ver_ball_is_finite(x) || !ver_ball_is_finite(y)) acb_indeterminate(out);
    else if (is_reflected(e, b)) reflected(out, e->op, x, y, b->prec);
    else if (b->mode == VER_VALUE) ver_ball_unary(out, e->op, x, b->prec);
    else unary_analytic(out, e, x, b);
done:
    acb_clear(x);
    acb_clear(y);
    return st;
}

static ph_status ball(acb_t out, const expr_node *e, const frame *f, const balls *b) {
    switch (e->op) {
    case EXPR_RAT:
        ver_acb_set(out, e->num);
        if (e->den != 1) ver_acb_div(out, e->den, b->prec);
        return PH_OK;
    case EXPR_I: acb_onei(out); return PH_OK;
    case EXPR_PI: acb_const_pi(out, b->prec); return PH_OK;
    case EXPR_SYM: return ball_symbol(out, e, f, b);
    case EXPR_AT: return ball_at(out, e, f, b);
    case EXPR_SUM: return ball_sum(out, e, f, b);
    case EXPR_PIECE: return ball_piece(out, e, f, b);
    case EXPR_INTEGRAL: return ball_integral(out, e, f, b);
    default: break;
    }
    if (expr_is_statement(e)) return ph_fail(b->err, PH_EARG, "a statement stands where a value is wanted");
    if (ph_interrupted()) return ph_fail_interrupted(b->err);
    (void)ver_meter_spend(e->nargs == 2 ? b->unit
                                        : 8 * b->unit); /* whoever asks for many balls looks at the meter */
    return e->nargs == 2 ? of_two(out, e, f, b) : of_one(out, e, f, b);
}

ph_status ver_ball(acb_t out, const expr_node *e, ver_atom_fn *atom, void *ctx, slong prec, ph_err *err) {
    return ver_ball_as(out, VER_VALUE, e, atom, ctx, prec, err);
}

double ver_ball_unit(slong prec) {
    double limbs = (double)(prec < 64 ? 64 : prec) / 64;
    return 0.1 * limbs * limbs;
}

ph_status ver_ball_as(acb_t out, ver_mode mode, const expr_node *e, ver_atom_fn *atom, void *ctx, slong prec,
                      ph_err *err) {
    int64_t terms = 0;
    acb_t value; /* the atoms may be read from `out` */
    acb_init(value);
    ph_status st = ball(value, e, NULL,
                        &(balls){atom, ctx, prec, err, mode, mode == VER_ANALYTIC && expr_has_complex(e),
                                 false, ver_ball_unit(prec), &terms});
    if (!st) acb_swap(out, value);
    acb_clear(value);
    return st;
}
