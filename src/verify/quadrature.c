/* quadrature.c: see quadrature.h.
 *
 * The integrator (acb_calc_integrate) bounds the error of Gauss-Legendre quadrature by the size of the integrand on ellipses
 * around a piece of the interval. That holds only where the integrand is holomorphic in the ellipse, and it is the integrand
 * that must say so: asked with order = 1 it has to be not finite wherever it may fail. Evaluation as VER_ANALYTIC does that for
 * every formula; the integrand is always made here, out of a formula.
 */
#include "verify/quadrature.h"

#include "verify/meter.h"

#define GUARD    12   /* bits of precision that are not wanted of an integral inside a formula */
#define PASS     4000 /* evaluations for it */
#define LEAST    20   /* bits wanted where parameters vary */
#define PIECES   16   /* of the interval, in which an integrand is seen to be smooth */
#define EXACT    (-2000000)
#define END_BITS 256

static bool variable(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const ver_quadrature *q = ctx;
    if (!expr_same(atom, q->x)) return q->other && q->other(q->ctx, v, atom, prec);
    acb_set(v, q->at);
    return true;
}

/* The integrator's callback: order 1 asks for a bound of a holomorphic function. */
static int evaluate(acb_ptr out, const acb_t z, void *param, slong order, slong prec) {
    ver_quadrature *q = param;
    ph_err why;
    acb_indeterminate(out);
    if (q->st || ver_meter_is_empty()) return 0;
    q->at = z;
    q->evaluations++;
    ph_status st = ver_ball_as(out, order ? VER_ANALYTIC : q->mode, q->f, variable, q, prec, &why);
    if (st) acb_indeterminate(out);
    if (st && !ph_is_open(st)) q->st = ph_fail(q->err, st, "%s", why.text);
    if (q->asked && q->asked->on && q->evaluations % 256 == 0) q->asked->on(q->asked->ctx, q->evaluations, 0);
    return 0;
}

ph_status ver_quadrature_pass(acb_t out, ver_quadrature *q, const acb_t a, const acb_t b, slong prec) {
    mag_t tolerance;
    acb_calc_integrate_opt_t options;
    int64_t limit = q->limit - q->evaluations;
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -q->bits - 4);
    acb_calc_integrate_opt_init(options);
    options->eval_limit = (slong)(limit < 1 ? 1 : limit < WORD_MAX ? limit : WORD_MAX);
    acb_calc_integrate(out, evaluate, q, a, b, q->bits, tolerance, options, prec);
    mag_clear(tolerance);
    return q->st;
}

static ph_status proper_part(void *ctx, acb_t out, const acb_t a, const acb_t b, slong prec, ph_err *err) {
    (void)err;
    return ver_quadrature_pass(out, ctx, a, b, prec);
}

ph_status ver_quadrature_improper(acb_t out, ver_quadrature *q, const ver_breaks *breaks, ph_err *err) {
    return ver_improper(out, breaks, q->f, q->x, q->bits + 6, q->other, q->ctx, proper_part, q, err);
}

ph_status ver_quadrature_breaks(ver_breaks *b, bool *reversed, const ver_quadrature *q, expr_node *lo,
                                expr_node *hi, ph_err *why, ph_err *err) {
    acb_t a, z;
    acb_init(a), acb_init(z);
    ph_status st = lo && hi ? ver_ball(a, lo, NULL, NULL, END_BITS, err) : PH_OK;
    if (!st && lo && hi) st = ver_ball(z, hi, NULL, NULL, END_BITS, err);
    *reversed = !st && arb_gt(acb_realref(a), acb_realref(z));
    acb_clear(a), acb_clear(z);
    if (st) return st;
    st = ver_breaks_find(b, q->f, q->x, *reversed ? hi : lo, *reversed ? lo : hi, q->other, q->ctx, why);
    if (!st) why->text[0] = 0;
    if (!st || ph_is_fatal(st) || !lo || !hi) return st ? ph_fail(err, st, "%s", why->text) : PH_OK;
    ver_breaks_clear(b);
    return PH_OK;
}

/* ---- an integral inside a formula ---------------------------------------------------------------------- */

static bool has_parameter(const expr_node *e, const expr_bound *b) {
    if (e->op == EXPR_SYM) return !expr_uses_bound(e, b);
    expr_bound in = {e->nargs ? e->arg[0] : NULL, b};
    uint32_t body = expr_body(e);
    for (uint32_t i = body ? 1 : 0; i < e->nargs; i++)
        if (has_parameter(e->arg[i], body && i == body ? &in : b)) return true;
    return false;
}

static bool is_smooth(const expr_node *e, const expr_bound *b);

static bool parts_are_smooth(const expr_node *e, const expr_bound *b) {
    expr_bound in = {e->nargs ? e->arg[0] : NULL, b};
    uint32_t body = expr_body(e);
    for (uint32_t i = body ? 1 : 0; i < e->nargs; i++)
        if (!is_smooth(e->arg[i], body && i == body ? &in : b)) return false;
    return true;
}

/* Is e, with the bound symbols held fast, a smooth function of its parameters wherever it is finite throughout? Then the
 * difference of two values is the integral of the derivative between them, and by Fubini's theorem the integral of e has as its
 * derivative what ∂e integrates to, wherever ∂e has one bound for all parameters that are looked at: a ball says that. */
static bool is_smooth(const expr_node *e, const expr_bound *b) {
    if (!has_parameter(e, b)) return true;
    switch (e->op) {
    case EXPR_SYM:
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_INTEGRAL: return parts_are_smooth(e, b);
    case EXPR_AT: return !has_parameter(e->arg[1], b);
    case EXPR_SUM:
        return !has_parameter(e->arg[1], b) && !has_parameter(e->arg[2], b) && parts_are_smooth(e, b);
    case EXPR_POW:
        if (!has_parameter(e->arg[0], b) || expr_is_positive(e->arg[0])) return parts_are_smooth(e, b);
        return e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && is_smooth(e->arg[0], b);
    case EXPR_LOG:
    case EXPR_SQRT: return expr_is_positive(e->arg[0]) && parts_are_smooth(e, b);
    case EXPR_TANH:
    case EXPR_ATAN:
    case EXPR_SI: return expr_is_real(e->arg[0]) && parts_are_smooth(e, b);
    default: return false;
    }
}

/* The exponent of the widest of the atoms' balls, in bits; EXACT where all are points. */
static ph_status widest(slong *bits, const expr_node *e, ver_atom_fn *other, void *ctx, slong prec,
                        ph_err *err) {
    expr_set atoms;
    acb_t v;
    acb_init(v);
    *bits = EXACT;
    ph_status st = expr_symbols(&atoms, e, err);
    for (int i = 0; !st && i < atoms.n; i++) {
        if (!other || !other(ctx, v, atoms.item[i], prec) || acb_is_exact(v)) continue;
        mag_ptr r = arb_radref(acb_realref(v));
        slong w = mag_is_inf(r) ? 0 : mag_cmp_2exp_si(r, -prec) < 0 ? -prec : 0;
        while (w > -prec && mag_cmp_2exp_si(r, w - 1) < 0) w--;
        if (w > *bits) *bits = w;
    }
    expr_set_clear(&atoms);
    acb_clear(v);
    return st;
}

/* A variable that is positive wants an interval that is. */
static bool end_fits(const acb_t z, const expr_node *x) {
    return acb_is_finite(z) && acb_is_real(z) &&
           (x->kind != EXPR_POSITIVE || arb_is_nonnegative(acb_realref(z)));
}

/* An end may be complex in the mode ANALYTIC: the path is the line between both. */
static ph_status evaluate_end(acb_t out, bool *fits, const expr_node *end, ver_quadrature *q, slong prec) {
    acb_zero(out);
    *fits = true;
    if (!end) return PH_OK;
    ph_status st = ver_ball_as(out, q->mode, end, q->other, q->ctx, prec, q->err);
    bool path = q->mode == VER_ANALYTIC && !expr_is_constant(end) && q->x->kind == EXPR_REAL;
    *fits = !st && (path ? acb_is_finite(out) : end_fits(out, q->x));
    return st;
}

/* The same, seen by balls: is the integrand smooth in all of its atoms from one end to the other, wherever in their balls these
 * are? */
static ph_status smooth_between(bool *yes, ver_quadrature *q, expr_node *lo, expr_node *hi, slong prec) {
    acb_t a, b, at, v;
    acb_init(a), acb_init(b), acb_init(at), acb_init(v);
    ph_status st = PH_OK;
    *yes = lo && hi;
    if (*yes) st = ver_ball_as(a, VER_SMOOTH, lo, q->other, q->ctx, prec, q->err);
    if (*yes && !st) st = ver_ball_as(b, VER_SMOOTH, hi, q->other, q->ctx, prec, q->err);
    *yes = *yes && !st && end_fits(a, q->x) && end_fits(b, q->x);
    acb_sub(b, b, a, prec);
    for (int k = 0; k < PIECES && *yes && !st; k++) {
        arb_set_si(acb_realref(at), 2 * k + 1); /* (k + [0, 1])/PIECES of the way */
        mag_one(arb_radref(acb_realref(at)));
        acb_div_si(at, at, 2 * PIECES, prec);
        acb_mul(at, at, b, prec);
        acb_add(at, at, a, prec);
        q->at = at;
        st = ver_ball_as(v, VER_SMOOTH, q->f, variable, q, prec, q->err);
        *yes = !st && acb_is_finite(v);
    }
    acb_clear(a), acb_clear(b), acb_clear(at), acb_clear(v);
    return ph_is_open(st) ? PH_OK : st;
}

static ph_status between(acb_t out, ver_quadrature *q, expr_node *lo, expr_node *hi, slong prec,
                         ph_err *err) {
    ver_breaks breaks = {.n = 0};
    ph_err why = {0};
    acb_t a, b;
    bool reversed = false, low, high;
    acb_init(a), acb_init(b);
    ph_status st = PH_OK;
    PH_TRY(evaluate_end(a, &low, lo, q, prec));
    PH_TRY(evaluate_end(b, &high, hi, q, prec));
    if (!low || !high) goto done;
    bool fixed = (!lo || expr_is_constant(lo)) && (!hi || expr_is_constant(hi));
    bool apart =
        !lo || !hi || arb_lt(acb_realref(a), acb_realref(b)) || arb_gt(acb_realref(a), acb_realref(b));
    if (fixed && apart && q->mode != VER_ANALYTIC)
        PH_TRY(ver_quadrature_breaks(&breaks, &reversed, q, lo, hi, &why, err));
    if (!ver_breaks_are_proper(&breaks)) {
        st = ver_quadrature_improper(out, q, &breaks, err);
        if (!st && reversed) acb_neg(out, out);
        if (!breaks.soft || !ph_is_open(st)) goto done;
        q->evaluations = 0; /* by ordinary means, then */
    }
    if (lo && hi) st = ver_quadrature_pass(out, q, a, b, prec);
done:
    ver_breaks_clear(&breaks);
    acb_clear(a), acb_clear(b);
    return st;
}

ph_status ver_ball_integral(acb_t out, const expr_node *e, ver_mode mode, ver_atom_fn *other, void *ctx,
                            slong prec, ph_err *err) {
    expr_node *body = NULL;
    slong width;
    acb_indeterminate(out);
    ph_status st = widest(&width, e, other, ctx, prec, err);
    if (!st) st = expr_expand_sums(&body, e->arg[1], err);
    if (st) return st;
    slong most = prec - GUARD > LEAST ? prec - GUARD : LEAST, bits = width == EXACT ? most : 8 - width;
    ver_quadrature q = {.f = body,
                        .x = e->arg[0],
                        .mode = mode == VER_ANALYTIC && !expr_is_constant(e) ? VER_ANALYTIC : VER_VALUE,
                        .other = other,
                        .ctx = ctx,
                        .bits = bits < LEAST  ? LEAST
                                : bits > most ? most
                                              : bits,
                        .limit = PASS,
                        .err = err};
    expr_node *lo = e->nargs > 2 ? e->arg[2] : NULL, *hi = e->nargs > 3 ? e->arg[3] : NULL;
    bool smooth = mode != VER_SMOOTH || is_smooth(e, NULL);
    if (!smooth) st = smooth_between(&smooth, &q, lo, hi, prec);
    if (!st && smooth) st = between(out, &q, lo, hi, prec, err);
    if (st) acb_indeterminate(out);
    expr_drop(body);
    return ph_is_open(st) ? PH_OK : st;
}
