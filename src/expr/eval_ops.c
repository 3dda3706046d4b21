/* eval_ops.c: one operation on numbers, in real arithmetic where the operands and the value are real.
 *
 * Undefined is NaN in both parts, and whatever is made of an undefined part is undefined: C's own pow(1, NaN) = 1 and
 * im(NaN + 0i) = 0 would hide it. On a branch cut a real argument has the value that the definition gives: log(x) above
 * the cut (imaginary part π), asin and acos by −i·log(iz + √(1 − z²)), as Arb and Mathematica have it.
 */
#include <math.h>

#include "expr/eval.h"

static bool holds(expr_op op, double a, double b) {
    switch (op) {
    case EXPR_EQ: return a == b;
    case EXPR_NE: return a != b;
    case EXPR_LT: return a < b;
    case EXPR_LE: return a <= b;
    case EXPR_GT: return a > b;
    default: return a >= b;
    }
}

static double complex statement(expr_op op, double complex a, double complex b) {
    if (op == EXPR_EQ) return a == b;
    if (op == EXPR_NE) return a != b;
    return cimag(a) != 0 || cimag(b) != 0 ? NAN : holds(op, creal(a), creal(b));
}

/* Si(x) = Σ (−1)^k x^{2k+1}/((2k+1)(2k+1)!), Ci(x) = γ + ln x + Σ_{k≥1} (−1)^k x^{2k}/(2k(2k)!), for x < 8; beyond,
 * the auxiliary functions f, g of DLMF 6.2.17–18 by the continued fraction of E₁(ix) (DLMF 6.9.1, Lentz). */
static void ci_si(double x, double *ci, double *si) {
    double ax = fabs(x);
    if (isinf(x)) {
        *ci = 0;
        *si = M_PI_2;
    } else if (ax < 8) {
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
double expr_ci(double x) {
    double c, s;
    ci_si(x, &c, &s);
    return x == 0 ? -INFINITY : c;
}
double expr_si(double x) {
    double c, s;
    ci_si(x, &c, &s);
    return x == 0 ? 0 : s;
}

/* C's casin lies above or below its cuts by the sign of the zero: below for x > 1, above for x < −1. */
static double complex on_cut(double complex z) {
    return cimag(z) == 0 ? CMPLX(creal(z), creal(z) > 0 ? -0.0 : 0.0) : z;
}

/* A function of one argument: in real arithmetic when the argument is real and the value is. */
static double complex unary(expr_op op, double complex z) {
    double x = creal(z);
    bool real = cimag(z) == 0;
    switch (op) {
    case EXPR_NEG: return -z;
    case EXPR_SIN: return real ? sin(x) : csin(z);
    case EXPR_COS: return real ? cos(x) : ccos(z);
    case EXPR_TAN: return real ? tan(x) : ctan(z);
    case EXPR_EXP: return real ? exp(x) : cexp(z);
    case EXPR_LOG: return z == 0 ? NAN : real && x > 0 ? log(x) : clog(z);
    case EXPR_SQRT: return real && x >= 0 ? sqrt(x) : csqrt(z);
    case EXPR_SINH: return real ? sinh(x) : csinh(z);
    case EXPR_COSH: return real ? cosh(x) : ccosh(z);
    case EXPR_TANH: return real ? tanh(x) : ctanh(z);
    case EXPR_ATAN: return real ? atan(x) : x == 0 && fabs(cimag(z)) == 1 ? NAN : catan(z);
    case EXPR_ASIN: return real && fabs(x) <= 1 ? asin(x) : casin(on_cut(z));
    case EXPR_ACOS: return real && fabs(x) <= 1 ? acos(x) : cacos(on_cut(z));
    case EXPR_CI: return x > 0 ? real_or_nan(z, expr_ci) : NAN;
    case EXPR_SI: return real_or_nan(z, expr_si);
    case EXPR_ABS: return real ? fabs(x) : cabs(z);
    case EXPR_SIGN: return real_or_nan(z, sign_of);
    case EXPR_FLOOR: return real_or_nan(z, floor);
    case EXPR_CONJ: return conj(z);
    case EXPR_RE: return x;
    default: return cimag(z); /* EXPR_IM */
    }
}

/* z^n by products: exact where the parts are small integers. */
static double complex whole_power(double complex z, int n) {
    double complex r = 1;
    for (int k = n < 0 ? -n : n; k > 0; k--) r *= z;
    return n < 0 ? 1 / r : r;
}

static double complex power(double complex a, double complex b) {
    double x = creal(a), y = creal(b);
    bool real = cimag(b) == 0, integral = real && y == floor(y);
    if (a == 0) return real && y > 0 ? 0 : NAN; /* 0^0 and 0 to a negative power are undefined here */
    if (cimag(a) == 0 && real && (x > 0 || integral)) return pow(x, y);
    if (integral && fabs(y) <= 64) return whole_power(a, (int)y);
    if (real && 2 * y == floor(2 * y) && fabs(y) <= 32)
        return whole_power(csqrt(a), (int)(2 * y)); /* (−1)^½ = i */
    return cpow(a, b);
}

static double complex binary(expr_op op, double complex a, double complex b) {
    switch (op) {
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return cimag(a) == 0 && cimag(b) == 0 ? creal(a) * creal(b) : a * b;
    case EXPR_DIV: return b == 0 ? NAN : cimag(a) == 0 && cimag(b) == 0 ? creal(a) / creal(b) : a / b;
    case EXPR_POW: return power(a, b);
    case EXPR_ATAN2:
        if (cimag(a) != 0 || cimag(b) != 0 || (a == 0 && b == 0)) return NAN;
        return atan2(creal(a), creal(b) == 0 ? 0 : creal(b));
    case EXPR_MIN:
    case EXPR_MAX:
        if (cimag(a) != 0 || cimag(b) != 0) return NAN;
        return op == EXPR_MIN ? fmin(creal(a), creal(b)) : fmax(creal(a), creal(b));
    default: return statement(op, a, b);
    }
}

/* What is undefined is so in both parts; −0 as the imaginary part would lie below a branch cut. */
static double complex settled(double complex z) {
    return expr_is_undefined(z) ? EXPR_UNDEFINED : cimag(z) == 0 ? CMPLX(creal(z), 0) : z;
}

double complex expr_apply1(expr_op op, double complex z) {
    return expr_is_undefined(z) ? EXPR_UNDEFINED : settled(unary(op, z));
}

double complex expr_apply2(expr_op op, double complex a, double complex b) {
    return expr_is_undefined(a) || expr_is_undefined(b) ? EXPR_UNDEFINED : settled(binary(op, a, b));
}
