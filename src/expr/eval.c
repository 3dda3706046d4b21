/* eval.c: the value of a formula in f64. */
#include <math.h>

#include "base/cmplx.h"
#include "expr/expr.h"

/* An index that a sum has bound, innermost first. */
typedef struct frame {
    const exp_node *sym;
    double value;
    const struct frame *up;
} frame;

typedef struct {
    exp_lookup *lookup;
    void *ctx;
    ph_err *err;
} evaluator;

static ph_status eval(double complex *out, const exp_node *e, const frame *f, const evaluator *ev);

/* θ[i] with its index worked out, for the lookup. */
static ph_status eval_at(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    double complex index;
    if (e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1 && ev->lookup(ev->ctx, e, out)) return PH_OK;
    ph_status st = eval(&index, e->arg[1], f, ev);
    if (st) return st;
    double i = creal(index);
    if (cimag(index) != 0 || i != floor(i) || fabs(i) > 9007199254740992.0)
        return ph_fail(ev->err, PH_EARG, "%s[%g]: the index is no integer", e->arg[0]->name, i);
    exp_node *k = NULL, *at = NULL;
    PH_TRY(exp_rat(&k, (int64_t)i, 1, ev->err));
    PH_TRY(exp_make2(&at, EXP_AT, e->arg[0], k, ev->err));
    if (!ev->lookup(ev->ctx, at, out))
        st = ph_fail(ev->err, PH_EARG, "no value for %s[%lld]", e->arg[0]->name, (long long)i);
done:
    exp_drop(k);
    exp_drop(at);
    return st;
}

static ph_status eval_sum(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    double complex lo, hi, term, sum = 0;
    ph_status st = PH_OK;
    PH_TRY(eval(&lo, e->arg[1], f, ev));
    PH_TRY(eval(&hi, e->arg[2], f, ev));
    if (cimag(lo) != 0 || cimag(hi) != 0 || creal(lo) != floor(creal(lo)) || creal(hi) != floor(creal(hi)))
        return ph_fail(ev->err, PH_EARG, "sum over %s: the bounds are %g and %g; wanted integers",
                       e->arg[0]->name, creal(lo), creal(hi));
    if (creal(hi) < creal(lo) - 1) {
        *out = NAN;
        return PH_OK;
    }
    for (double i = creal(lo); i <= creal(hi); i++) {
        if (ph_interrupted()) return ph_fail_interrupted(ev->err);
        PH_TRY(eval(&term, e->arg[3], &(frame){e->arg[0], i, f}, ev));
        sum += term;
    }
    *out = sum;
done:
    return st;
}

static bool holds(exp_op op, double a, double b) {
    switch (op) {
    case EXP_EQ: return a == b;
    case EXP_NE: return a != b;
    case EXP_LT: return a < b;
    case EXP_LE: return a <= b;
    case EXP_GT: return a > b;
    default: return a >= b;
    }
}

static double complex statement(exp_op op, double complex a, double complex b) {
    if (isnan(creal(a)) || isnan(cimag(a)) || isnan(creal(b)) || isnan(cimag(b))) return NAN;
    if (op == EXP_EQ) return a == b;
    if (op == EXP_NE) return a != b;
    return cimag(a) != 0 || cimag(b) != 0 ? NAN : holds(op, creal(a), creal(b));
}

/* Si(x) = Σ (−1)^k x^{2k+1}/((2k+1)(2k+1)!), Ci(x) = γ + ln x + Σ_{k≥1} (−1)^k x^{2k}/(2k(2k)!), for x < 8; beyond,
 * the auxiliary functions f, g of DLMF 6.2.17–18 by the continued fraction of E₁(ix) (DLMF 6.9.1, Lentz). */
static void ci_si(double x, double *ci, double *si) {
    double ax = fabs(x);
    if (ax < 8) {
        double term = 1, c = 0, s = 0;
        for (int k = 1; k < 60; k++) {
            term *= ax / k;
            double signed_term = (k / 2) % 2 ? -term : term;
            if (k % 2) s += signed_term / k;
            else c += signed_term / k;
        }
        *ci = 0.57721566490153286 + log(ax) + c;
        *si = s;
    } else {
        double complex z = CMPLX(0, ax), b = z + 1, c = 1e300, d = 1 / b, h = d;
        for (int k = 1; k < 200; k++) {
            double a = -(double)k * k;
            b += 2;
            d = 1 / (a * d + b);
            c = b + a / c;
            h *= c * d;
            if (cabs(c * d - 1) < 1e-17) break;
        }
        double complex e1 = h * cexp(-z); /* E₁(ix) = −Ci(x) + i(Si(x) − π/2) */
        *ci = -creal(e1);
        *si = M_PI_2 + cimag(e1);
    }
    if (x < 0) {
        *ci = NAN;
        *si = -*si;
    }
}

static double complex real_or_nan(double complex z, double (*f)(double)) {
    return cimag(z) == 0 ? f(creal(z)) : NAN;
}

static double sign_of(double x) { return isnan(x) ? x : (x > 0) - (x < 0); }
double exp_ci(double x) {
    double c, s;
    ci_si(x, &c, &s);
    return x == 0 ? -INFINITY : c;
}
double exp_si(double x) {
    double c, s;
    ci_si(x, &c, &s);
    return x == 0 ? 0 : s;
}

static double complex arcsine(double complex z) {
    return -CMPLX(0, 1) * clog(CMPLX(0, 1) * z + csqrt(1 - z * z));
}

/* A function of one argument: in real arithmetic when the argument is real and the value is. */
static double complex unary(exp_op op, double complex z) {
    double x = creal(z);
    bool real = cimag(z) == 0;
    switch (op) {
    case EXP_NEG: return -z;
    case EXP_SIN: return real ? sin(x) : csin(z);
    case EXP_COS: return real ? cos(x) : ccos(z);
    case EXP_TAN: return real ? tan(x) : ctan(z);
    case EXP_EXP: return real ? exp(x) : cexp(z);
    case EXP_LOG: return z == 0 ? NAN : real && x > 0 ? log(x) : clog(z);
    case EXP_SQRT: return real && x >= 0 ? sqrt(x) : csqrt(z);
    case EXP_SINH: return real ? sinh(x) : csinh(z);
    case EXP_COSH: return real ? cosh(x) : ccosh(z);
    case EXP_TANH: return real ? tanh(x) : ctanh(z);
    case EXP_ATAN: return real ? atan(x) : catan(z);
    case EXP_ASIN: return real && fabs(x) <= 1 ? asin(x) : arcsine(z);
    case EXP_ACOS: return real && fabs(x) <= 1 ? acos(x) : M_PI_2 - arcsine(z);
    case EXP_CI: return real_or_nan(z, exp_ci);
    case EXP_SI: return real_or_nan(z, exp_si);
    case EXP_ABS: return real ? fabs(x) : cabs(z);
    case EXP_SIGN: return real_or_nan(z, sign_of);
    case EXP_FLOOR: return real_or_nan(z, floor);
    case EXP_CONJ: return conj(z);
    case EXP_RE: return x;
    default: return cimag(z); /* EXP_IM */
    }
}

static double complex power(double complex a, double complex b) {
    double x = creal(a), y = creal(b);
    bool integral = cimag(b) == 0 && y == floor(y);
    if (a == 0)
        return cimag(b) == 0 && y > 0 ? 0 : NAN; /* 0^0 and 0 to a negative power are undefined here */
    if (cimag(a) == 0 && cimag(b) == 0 && (x > 0 || integral)) return pow(x, y);
    if (integral && fabs(y) <= 64) { /* z^n by products: exact where the parts are small integers */
        double complex r = 1;
        for (int k = (int)fabs(y); k > 0; k--) r *= a;
        return y < 0 ? 1 / r : r;
    }
    return cpow(a, b);
}

static double complex binary(exp_op op, double complex a, double complex b) {
    switch (op) {
    case EXP_ADD: return a + b;
    case EXP_SUB: return a - b;
    case EXP_MUL: return cimag(a) == 0 && cimag(b) == 0 ? creal(a) * creal(b) : a * b;
    case EXP_DIV: return b == 0 ? NAN : cimag(a) == 0 && cimag(b) == 0 ? creal(a) / creal(b) : a / b;
    case EXP_POW: return power(a, b);
    case EXP_ATAN2:
        if (cimag(a) != 0 || cimag(b) != 0 || (a == 0 && b == 0)) return NAN;
        return atan2(creal(a), creal(b) == 0 ? 0 : creal(b));
    case EXP_MIN:
    case EXP_MAX:
        if (cimag(a) != 0 || cimag(b) != 0 || isnan(creal(a)) || isnan(creal(b))) return NAN;
        return op == EXP_MIN ? fmin(creal(a), creal(b)) : fmax(creal(a), creal(b));
    default: return statement(op, a, b);
    }
}

static ph_status eval_piece(double complex *out, const exp_node *e, const frame *f, const evaluator *ev) {
    for (uint32_t i = 0; i + 1 < e->nargs; i += 2) {
        double complex c;
        ph_status st = eval(&c, e->arg[i], f, ev);
        if (st) return st;
        if (isnan(creal(c))) {
            *out = NAN;
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
        return ev->lookup(ev->ctx, e, out)
                   ? PH_OK
                   : ph_fail(ev->err, PH_EARG, "no value for the symbol '%s'", e->name);
    case EXP_AT: return eval_at(out, e, f, ev);
    case EXP_SUM: return eval_sum(out, e, f, ev);
    case EXP_PIECE: return eval_piece(out, e, f, ev);
    default: break;
    }
    double complex a, b = 0;
    ph_status st = PH_OK;
    PH_TRY(eval(&a, e->arg[0], f, ev));
    if (e->nargs == 2) PH_TRY(eval(&b, e->arg[1], f, ev));
    *out = e->nargs == 2 ? binary(e->op, a, b) : unary(e->op, a);
    if (cimag(*out) == 0) *out = CMPLX(creal(*out), 0); /* -0 would lie below a branch cut */
done:
    return st;
}

ph_status exp_eval(double complex *out, const exp_node *e, exp_lookup *lookup, void *ctx, ph_err *err) {
    return eval(out, e, NULL, &(evaluator){lookup, ctx, err});
}
