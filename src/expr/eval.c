/* eval.c: the value of a formula in f64. */
#include "expr/eval.h"

#include <math.h>

typedef exp_frame frame;
typedef exp_evaluator evaluator;

static ph_status eval(double complex *out, const exp_node *e, const frame *f, const evaluator *ev);

/* ---- what both walks ask (eval.h) ---------------------------------------------------------------------- */

static bool is_integer(double complex z) {
    return cimag(z) == 0 && creal(z) == floor(creal(z)) && fabs(creal(z)) <= 9007199254740992.0;
}

ph_status exp_member(exp_node **out, exp_node *family, double complex index, ph_err *err) {
    exp_node *k = NULL;
    if (!is_integer(index))
        return ph_fail(err, PH_EARG, "%s[%g]: the index is no integer", family->name, creal(index));
    ph_status st = exp_rat(&k, (int64_t)creal(index), 1, err);
    if (!st) st = exp_make2(out, EXP_AT, family, k, err);
    exp_drop(k);
    return st;
}

ph_status exp_no_value(const exp_node *atom, ph_err *err) {
    if (atom->op == EXP_SYM) return ph_fail(err, PH_EARG, "no value for the symbol '%s'", atom->name);
    return ph_fail(err, PH_EARG, "no value for %s[%lld]", atom->arg[0]->name, (long long)atom->arg[1]->num);
}

ph_status exp_check_bounds(const exp_node *sum, double complex lo, double complex hi, ph_err *err) {
    if (is_integer(lo) && is_integer(hi)) return PH_OK;
    return ph_fail(err, PH_EARG, "sum over %s: the bounds are %g and %g; wanted integers", sum->arg[0]->name,
                   creal(lo), creal(hi));
}

/* ---- the walk ------------------------------------------------------------------------------------------ */

/* θ[i] with its index worked out, for the lookup. */
static ph_status eval_at(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    double complex index;
    if (e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1 && ev->lookup(ev->ctx, e, out)) return PH_OK;
    ph_status st = eval(&index, e->arg[1], f, ev);
    if (st) return st;
    exp_node *at = NULL;
    PH_TRY(exp_member(&at, e->arg[0], index, ev->err));
    if (!ev->lookup(ev->ctx, at, out)) st = exp_no_value(at, ev->err);
done:
    exp_drop(at);
    return st;
}

static ph_status eval_sum(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    double complex lo, hi, term, sum = 0;
    ph_status st = PH_OK;
    PH_TRY(eval(&lo, e->arg[1], f, ev));
    PH_TRY(eval(&hi, e->arg[2], f, ev));
    PH_TRY(exp_check_bounds(e, lo, hi, ev->err));
    if (creal(hi) < creal(lo) - 1) {
        *out = EXP_UNDEFINED;
        return PH_OK;
    }
    for (double i = creal(lo); i <= creal(hi); i++) {
        if (ph_interrupted()) return ph_fail_interrupted(ev->err);
        PH_TRY(eval(&term, e->arg[3], &(frame){e->arg[0], i, f}, ev));
        sum = exp_apply2(EXP_ADD, sum, term);
    }
    *out = sum;
done:
    return st;
}

static ph_status eval_piece(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        double complex c;
        ph_status st = eval(&c, e->arg[i], f, ev);
        if (st) return st;
        if (isnan(creal(c))) {
            *out = EXP_UNDEFINED;
            return PH_OK;
        }
        if (c != 0) return eval(out, e->arg[i + 1], f, ev);
    }
    return eval(out, e->arg[e->nargs - 1], f, ev);
}

static ph_status eval(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    switch (e->op) {
    case EXP_RAT: *out = (double)e->num / (double)e->den; return PH_OK;
    case EXP_I: *out = CMPLX(0, 1); return PH_OK;
    case EXP_PI: *out = M_PI; return PH_OK;
    case EXP_SYM:
        for (; f; f = f->up)
            if (exp_same(f->sym, e)) {
                *out = f->value;
                return PH_OK;
            }
        return ev->lookup(ev->ctx, e, out) ? PH_OK : exp_no_value(e, ev->err);
    case EXP_AT: return eval_at(out, e, f, ev);
    case EXP_SUM: return eval_sum(out, e, f, ev);
    case EXP_PIECE: return eval_piece(out, e, f, ev);
    default: break;
    }
    double complex a, b = 0;
    ph_status st = PH_OK;
    PH_TRY(eval(&a, e->arg[0], f, ev));
    if (e->nargs == 2) PH_TRY(eval(&b, e->arg[1], f, ev));
    *out = e->nargs == 2 ? exp_apply2(e->op, a, b) : exp_apply1(e->op, a);
done:
    return st;
}

ph_status exp_eval_within(double complex *out, const exp_node *e, const exp_frame *f,
                          const exp_evaluator *ev) {
    return eval(out, e, f, ev);
}

ph_status exp_eval(double complex *out, const exp_node *e, exp_lookup *lookup, void *ctx, ph_err *err) {
    return eval(out, e, NULL, &(evaluator){lookup, ctx, err});
}
