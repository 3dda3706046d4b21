/* integral.c: values of formulas and integrals (quadrature.h), to the precision asked for. */
#include <string.h>

#include "verify/box.h"
#include "verify/quadrature.h"
#include "verify/trust.h"

#define GUARD       24
#define EVALUATIONS 200000 /* of the integrand, by default; a budget's boxes otherwise */
#define POLISH      4      /* attempts, each with more bits */

/* By how many bits |z| is below 1, at most `most`. */
static slong small_by(const acb_t z, slong most) {
    mag_t m;
    mag_init(m);
    acb_get_mag(m, z);
    slong n = 0;
    while (n < most && mag_cmp_2exp_si(m, -n - 1) < 0) n++;
    mag_clear(m);
    return n;
}

/* re and im (NULL when the imaginary part is exactly 0) out of z. */
static ph_status give(ver_number **re, ver_number **im, const acb_t z, ph_err *err) {
    *re = ver_number_new(acb_realref(z));
    *im = acb_is_real(z) ? NULL : ver_number_new(acb_imagref(z));
    if (*re && (*im || acb_is_real(z))) return PH_OK;
    ver_number_free(*re);
    ver_number_free(*im);
    *re = *im = NULL;
    return ph_fail_nomem(err, sizeof(void *));
}

/* The verdict on a value: certified when it has the digits asked for, unknown (out of budget) when it has fewer. */
static ph_status say_value(ver_verdict *out, const acb_t z, ver_extent what, const char *method,
                           const ver_budget *b, ph_err *err) {
    int digits = ver_digits_of(b);
    ver_told *told = NULL;
    bool enough = ver_is_accurate(z, ver_bits_of(b) - 4) || ver_is_small(z, ver_bits_of(b));
    if (!enough) out->reason = VER_OUT_OF_BUDGET;
    ph_status st = enough ? ver_trust_value(out, z, ver_bits_of(b), err) : PH_OK;
    if (!st) st = ver_set(&out->method, err, "%s", method);
    if (!st && !enough)
        return what == VER_DIGITS
                   ? ver_set(&out->reason_text, err, "the value is enclosed, but not to %d digits", digits)
                   : ver_set(&out->reason_text, err, "the integral is enclosed, but not to %d digits",
                             digits);
    if (!st) st = ver_told_of(&told, out, err);
    if (st) return st;
    told->extent = what;
    told->count = digits;
    return PH_OK;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static ph_status value(acb_t z, expr_node *f, const ver_box *box, slong bits, ph_err *err) {
    ver_piece whole = {.prec = 0};
    ver_queue q;
    ver_point p;
    ver_point_init(&p, box);
    ph_status st = ver_queue_whole(&q, box, bits, err);
    if (!st) whole = q.item[q.head];
    for (slong prec = bits + GUARD; !st; prec *= 2) {
        if (prec > VER_MAX_BITS) prec = VER_MAX_BITS;
        st = ver_point_piece(&p, &whole, prec, err);
        if (!st) st = ver_point_ball(z, VER_VALUE, f, &p, prec, err);
        if (ver_is_accurate(z, bits) || (prec >= 4 * bits && ver_is_small(z, bits)) || prec == VER_MAX_BITS)
            break;
    }
    ver_point_clear(&p);
    ver_queue_clear(&q);
    return st;
}

ph_status ver_enclose(ver_number **re, ver_number **im, ver_verdict *out, expr_node *f,
                      const ver_ranges *point, const ver_budget *budget, ph_err *err) {
    double start = ph_clock();
    ver_box box;
    acb_t z;
    char *where = NULL;
    *re = *im = NULL;
    ver_init(out);
    acb_init(z);
    ph_status st;
    PH_TRY(ver_box_open(&box, point, "enclose", err));
    PH_TRY(ver_box_covers(&box, f, "enclose", err));
    for (int i = 0; i < box.n; i++)
        if (!box.fixed[i])
            PH_TRY(
                ph_fail(err, PH_EARG,
                        "enclose: a range is given; wanted one value for each symbol (bounds takes ranges)"));
    if (expr_is_statement(f))
        PH_TRY(ph_fail(err, PH_EARG, "enclose: a statement is given; wanted a formula"));
    PH_TRY(value(z, f, &box, ver_bits_of(budget), err));
    PH_TRY(ver_box_text(&where, &box, err));
    if (!acb_is_finite(z)) {
        st = ph_fail(err, PH_EDOMAIN, "enclose: undefined, or not decided with %d bits%s%s", VER_MAX_BITS,
                     *where ? ", at " : "", where);
        goto done;
    }
    PH_TRY(say_value(out, z, VER_DIGITS, "ball arithmetic", budget, err));
    st = give(re, im, z, err);
done:
    ph_free(where);
    ver_box_close(&box);
    acb_clear(z);
    out->time = ph_clock() - start;
    return st;
}

/* ---- integrals ----------------------------------------------------------------------------------------- */

/* The whole interval, its ends evaluated at the same precision. */
static ph_status integrate(acb_t out, ver_quadrature *q, const ver_range *x, slong prec, ph_err *err) {
    acb_t a, b;
    acb_init(a);
    acb_init(b);
    ph_status st = PH_OK;
    PH_TRY(ver_ball(a, x->lo, NULL, NULL, prec, err));
    PH_TRY(ver_ball(b, x->hi, NULL, NULL, prec, err));
    st = ver_quadrature_pass(out, q, a, b, prec);
done:
    acb_clear(a);
    acb_clear(b);
    return st;
}

/* The ends as a range in ascending order, so that one rule judges them all; the sign of the integral is the integrator's. An
 * infinite end stands for the other one there, or for 1. */
static ph_status check_ends(const ver_range *x, ph_err *err) {
    ver_box box;
    expr_node *one = NULL;
    ph_err first = {0};
    bool positive = x->sym->kind == EXPR_POSITIVE || x->sym->kind == EXPR_NATURAL;
    if (!x->lo && positive)
        return ph_fail(err, PH_EARG, "integral: %s is positive, and the interval begins at -inf",
                       x->sym->name);
    ph_status st = expr_rat(&one, 1, 1, err);
    if (st) return st;
    expr_node *lo = x->lo ? x->lo : x->hi ? x->hi : one, *hi = x->hi ? x->hi : lo;
    ver_range there = {x->sym, lo, hi}, back = {x->sym, hi, lo};
    st = ver_box_open(&box, &(ver_ranges){&there, 1}, "integral", &first);
    if (st == PH_EARG) {
        ver_box_close(&box);
        st = ver_box_open(&box, &(ver_ranges){&back, 1}, "integral", NULL);
    }
    if (st) st = ph_fail(err, st, "%s", first.text);
    else if (box.integer[0])
        st = ph_fail(err, PH_EARG, "integral: the variable is an integer symbol; wanted a real one");
    ver_box_close(&box);
    expr_drop(one);
    return st;
}

static ph_status check_integral(expr_node *f, const ver_range *x, ph_err *err) {
    if (expr_is_statement(f))
        return ph_fail(err, PH_EARG, "integral: a statement is given; wanted a formula");
    ph_status st = check_ends(x, err);
    if (st) return st;
    expr_set atoms;
    char *name = NULL;
    st = expr_symbols(&atoms, f, err);
    for (int i = 0; i < atoms.n && !st; i++) {
        if (expr_same(atoms.item[i], x->sym)) continue;
        st = expr_text(&name, atoms.item[i], 60, err);
        if (!st)
            st = ph_fail(err, PH_EARG,
                         "integral: the integrand has the symbol %s; put a constant in its place (subst)",
                         name);
        ph_free(name);
        name = NULL;
    }
    expr_set_clear(&atoms);
    return st;
}

/* Passes with more bits until the value has those wanted: a tolerance is for each piece, and absolute. */
static ph_status polish(acb_t z, ver_quadrature *g, const ver_range *x, const ver_breaks *breaks, slong bits,
                        ph_err *err) {
    ph_status st = PH_OK;
    slong more = 0;
    for (int k = 0; k < POLISH && bits + more + GUARD <= VER_MAX_BITS && g->evaluations < g->limit && !st;
         k++) {
        g->bits = bits + more;
        st = breaks ? ver_quadrature_improper(z, g, breaks, err) : integrate(z, g, x, g->bits + GUARD, err);
        if (st || ver_is_accurate(z, bits - 4) || ver_is_small(z, 2 * bits)) break;
        more += 10 + small_by(z, bits);
    }
    return st;
}

static ph_status not_finite(const ph_err *why, const ver_quadrature *g, ph_err *err) {
    if (*why->text) return ph_fail(err, PH_EDOMAIN, "%s", why->text);
    return ph_fail(err, PH_EDOMAIN,
                   "integral: the integrand is undefined or unbounded in the interval, or the budget of %lld "
                   "evaluations is used up",
                   (long long)g->limit);
}

ph_status ver_integral(ver_number **re, ver_number **im, ver_verdict *out, expr_node *f, const ver_range *x,
                       const ver_budget *budget, ph_err *err) {
    double start = ph_clock();
    ver_quadrature g = {.f = f, .x = x->sym, .asked = budget, .err = err};
    ver_breaks breaks = {.n = 0};
    ph_err why = {0};
    acb_t z;
    bool reversed = false;
    expr_node *written = NULL;
    g.limit = budget && budget->boxes ? budget->boxes : EVALUATIONS;
    *re = *im = NULL;
    ver_init(out);
    acb_init(z);
    acb_indeterminate(z);
    ph_status st = check_integral(f, x, err);
    if (st) goto done;
    PH_TRY(ver_quadrature_breaks(&breaks, &reversed, &g, x->lo, x->hi, &why, err));
    bool proper = ver_breaks_are_proper(&breaks);
    if (!proper) {
        PH_TRY(expr_expand_sums(&written, f, err));
        g.f = written;
    }
    st = polish(z, &g, x, proper ? NULL : &breaks, ver_bits_of(budget), err);
    if (breaks.soft && ph_is_open(st)) { /* by ordinary means, then */
        proper = true;
        g.evaluations = 0;
        st = polish(z, &g, x, NULL, ver_bits_of(budget), err);
    }
    if (st) goto done;
    if (!proper && reversed) acb_neg(z, z);
    if (!acb_is_finite(z)) {
        st = not_finite(&why, &g, err);
        goto done;
    }
    PH_TRY(say_value(
        out, z, VER_INTEGRAL,
        proper
            ? "Gauss-Legendre quadrature, its error bounded by balls around analytic pieces"
            : "Gauss-Legendre quadrature on analytic pieces, and bounds C·t^p of the integrand where it is improper",
        budget, err));
    st = give(re, im, z, err);
done:
    expr_drop(written);
    ver_breaks_clear(&breaks);
    acb_clear(z);
    out->time = ph_clock() - start;
    return st;
}
