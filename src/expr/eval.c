/* eval.c: the value of a formula in f64. */
#include "expr/eval.h"

#include <math.h>

typedef expr_frame frame;
typedef expr_evaluator evaluator;

static ph_status eval(double complex *out, const expr_node *e, const frame *f, const evaluator *ev);

/* ---- what both walks ask (eval.h) ---------------------------------------------------------------------- */

static bool is_integer(double complex z) {
    return cimag(z) == 0 && creal(z) == floor(creal(z)) && fabs(creal(z)) <= 9007199254740992.0;
}

ph_status expr_member(expr_node **out, expr_node *family, double complex index, ph_err *err) {
    expr_node *k = NULL;
    if (!is_integer(index))
        return ph_fail(err, PH_EARG, "%s[%g]: the index is no integer", family->name, creal(index));
    ph_status st = expr_rat(&k, (int64_t)creal(index), 1, err);
    if (!st) st = expr_make2(out, EXPR_AT, family, k, err);
    expr_drop(k);
    return st;
}

ph_status expr_no_value(const expr_node *atom, ph_err *err) {
    if (atom->op == EXPR_SYM) return ph_fail(err, PH_EARG, "no value for the symbol '%s'", atom->name);
    if (atom->op == EXPR_INTEGRAL)
        return ph_fail(
            err, PH_EARG,
            "an integral has no value in floating point here; enclose(f, {a = 1}) gives it as a ball");
    return ph_fail(err, PH_EARG, "no value for %s[%lld]", atom->arg[0]->name, (long long)atom->arg[1]->num);
}

ph_status expr_check_bounds(const expr_node *sum, double complex lo, double complex hi, ph_err *err) {
    if (is_integer(lo) && is_integer(hi)) return PH_OK;
    return ph_fail(err, PH_EARG, "sum over %s: the bounds are %g and %g; wanted integers", sum->arg[0]->name,
                   creal(lo), creal(hi));
}

/* ---- the walk ------------------------------------------------------------------------------------------ */

/* θ[i] with its index worked out, for the lookup. */
static ph_status eval_at(double complex *out, const expr_node *e, const frame *f, const evaluator *ev) {
    double complex index;
    if (e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1 && ev->lookup(ev->ctx, e, out)) return PH_OK;
    ph_status st = eval(&index, e->arg[1], f, ev);
    if (st) return st;
    expr_node *at = NULL;
    PH_TRY(expr_member(&at, e->arg[0], index, ev->err));
    if (!ev->lookup(ev->ctx, at, out)) st = expr_no_value(at, ev->err);
done:
    expr_drop(at);
    return st;
}

static ph_status eval_sum(double complex *out, const expr_node *e, const frame *f, const evaluator *ev) {
    double complex lo, hi, term, sum = 0;
    ph_status st = PH_OK;
    PH_TRY(eval(&lo, e->arg[1], f, ev));
    PH_TRY(eval(&hi, e->arg[2], f, ev));
    PH_TRY(expr_check_bounds(e, lo, hi, ev->err));
    if (creal(hi) < creal(lo) - 1) {
        *out = EXPR_UNDEFINED;
        return PH_OK;
    }
    if (ev->terms && (*ev->terms -= creal(hi) - creal(lo) + 1) < 0)
        return ph_fail(ev->err, PH_EBUDGET, "sums of more than %.0f terms", EXPR_POINT_TERMS);
    for (int64_t i = (int64_t)creal(lo), last = (int64_t)creal(hi); i <= last;
         i++) { /* 2^53 + 1 is no double */
        if (ph_interrupted()) return ph_fail_interrupted(ev->err);
        PH_TRY(eval(&term, e->arg[3], &(frame){e->arg[0], (double)i, f}, ev));
        sum = expr_apply2(EXPR_ADD, sum, term);
    }
    *out = sum;
done:
    return st;
}

static ph_status eval_piece(double complex *out, const expr_node *e, const frame *f, const evaluator *ev) {
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        double complex c;
        ph_status st = eval(&c, e->arg[i], f, ev);
        if (st) return st;
        if (isnan(creal(c))) {
            *out = EXPR_UNDEFINED;
            return PH_OK;
        }
        if (c != 0) return eval(out, e->arg[i + 1], f, ev);
    }
    return eval(out, e->arg[e->nargs - 1], f, ev);
}

static ph_status eval(double complex *out, const expr_node *e, const frame *f, const evaluator *ev) {
    switch (e->op) {
    case EXPR_RAT: *out = (double)e->num / (double)e->den; return PH_OK;
    case EXPR_I: *out = CMPLX(0, 1); return PH_OK;
    case EXPR_PI: *out = M_PI; return PH_OK;
    case EXPR_SYM:
        for (; f; f = f->up)
            if (expr_same(f->sym, e)) {
                *out = f->value;
                return PH_OK;
            }
        return ev->lookup(ev->ctx, e, out) ? PH_OK : expr_no_value(e, ev->err);
    case EXPR_AT: return eval_at(out, e, f, ev);
    case EXPR_SUM: return eval_sum(out, e, f, ev);
    case EXPR_PIECE: return eval_piece(out, e, f, ev);
    case EXPR_INTEGRAL: return expr_no_value(e, ev->err);
    default: break;
    }
    double complex a, b = 0;
    ph_status st = PH_OK;
    PH_TRY(eval(&a, e->arg[0], f, ev));
    if (e->nargs == 2) PH_TRY(eval(&b, e->arg[1], f, ev));
    *out = e->nargs == 2 ? expr_apply2(e->op, a, b) : expr_apply1(e->op, a);
done:
    return st;
}

ph_status expr_eval_within(double complex *out, const expr_node *e, const expr_frame *f,
                           const expr_evaluator *ev) {
    return eval(out, e, f, ev);
}

ph_status expr_eval(double complex *out, const expr_node *e, expr_lookup *lookup, void *ctx, ph_err *err) {
    return eval(out, e, NULL, &(evaluator){lookup, ctx, err, NULL});
}

ph_status expr_eval_point(double complex *out, const expr_node *e, expr_lookup *lookup, void *ctx,
                          ph_err *err) {
    return eval(out, e, NULL, &(evaluator){lookup, ctx, err, &(double){EXPR_POINT_TERMS}});
}
