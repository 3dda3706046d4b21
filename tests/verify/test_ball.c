/* What balls promise at their own door, in each mode: not finite where a cut, a kink, a jump or a pole may be met, finite and right beside it;
 * conj, re, im and | | off the line as what they are on it; and what has an undefined part is undefined.
 * Sources: verify/ball.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/ball.h"

#include "base/cmplx.h" /* after those that name something I */

enum { PREC = 64, MODES = 3 };

/* x is the ball around re + im i of this radius, in both directions unless im is 0 and line is true. */
typedef struct {
    double re, im, radius;
    bool line;
} place;

static bool x_there(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const place *at = ctx;
    (void)prec;
    if (strcmp(atom->name, "x") != 0) return false;
    acb_set_d_d(v, at->re, at->im);
    mag_set_d(arb_radref(acb_realref(v)), at->radius);
    if (!at->line) mag_set_d(arb_radref(acb_imagref(v)), at->radius);
    return true;
}

static void evaluate(acb_t out, ver_mode mode, const char *text, const place *at) {
    ph_err err = {0};
    place there = *at;
    expr_node *e = formula(text);
    if (ver_ball_as(out, mode, e, x_there, &there, PREC, &err)) fail_msg("%s: %s", text, err.text);
    expr_drop(e);
}

typedef struct {
    const char *text;
    double re, im;
} spot;

/* A ball around a singular point, or across a cut: of radius 1/8, in the plane, and where the point is real on the line. */
static void nothing_is_analytic_across_a_cut(void **state) {
    (void)state;
    static const spot spots[] = {
        {"tan(x)", 1.57, 0},
        {"tan(x)", -1.57, 0},
        {"tanh(x)", 0, 1.57},
        {"tanh(x)", 0, -4.71},
        {"atan(x)", 0, 1},
        {"atan(x)", 0, -1},
        {"atan(x)", 0, 1.5},
        {"atan(x)", 0, -1.5},
        {"atan(x)", 0.0625, 40},
        {"asin(x)", 1, 0},
        {"asin(x)", -1, 0},
        {"asin(x)", 1.5, 0},
        {"asin(x)", -1.5, 0},
        {"acos(x)", 1, 0},
        {"acos(x)", 1.5, 0.0625},
        {"acos(x)", -1.5, 0},
        {"acos(x)", -40, 0},
        {"log(x)", 0, 0},
        {"log(x)", -3, 0},
        {"sqrt(x)", 0, 0},
        {"sqrt(x)", -3, 0.0625},
        {"Ci(x)", -3, 0},
        {"Ci(x)", 0, 0},
        {"abs(x)", 0, 0},
        {"sign(x)", 0, 0.5},
        {"floor(x)", 2, 0},
        {"floor(x)", 2, 3},
        {"atan2(1, x)", 0, 1},
        {"atan2(x, 1)", 0, 1.5},
        {"atan2(x, 1)", 0, -1.5},
        {"minimum(x, 2*x)", 0, 0},
        {"maximum(x, 1 - x)", 0.5, 3},
        {"x^(1/2)", -3, 0},
        {"1/x", 0, 0},
        {"piecewise(lt(x, 1), x^2, x^3)", 1, 0},
        {"piecewise(lt(x, 1), x^2, x^3)", 1, 0.5},
    };
    for (size_t k = 0; k < sizeof spots / sizeof *spots; k++) {
        acb_t v;
        acb_init(v);
        evaluate(v, VER_ANALYTIC, spots[k].text, &(place){spots[k].re, spots[k].im, 0.125, false});
        if (acb_is_finite(v)) fail_msg("%s at %g + %g i", spots[k].text, spots[k].re, spots[k].im);
        if (spots[k].im == 0 && strcmp(spots[k].text, "atan2(1, x)") != 0)
            for (int mode = VER_SMOOTH; mode <= VER_ANALYTIC; mode++) {
                evaluate(v, (ver_mode)mode, spots[k].text, &(place){spots[k].re, 0, 0.125, true});
                if (acb_is_finite(v))
                    fail_msg("%s on the line at %g, mode %d", spots[k].text, spots[k].re, mode);
            }
        acb_clear(v);
    }
}

static double complex square_or_cube(double complex z) { return creal(z) < 1 ? z * z : z * z * z; }
static double complex floor_of(double complex z) { return floor(creal(z)); }
static double complex size_on_line(double complex z) { return creal(z) < 0 ? -z : z; }
static double complex angle_of_one(double complex z) { return catan(1 / z); }
static double complex least(double complex z) { return creal(z) < 0 ? 2 * z : z; }

/* Beside them a formula is finite and, at the middle, what the C library says. A ball of 2^-20 of these has nowhere a radius beyond 1/100, and the
 * library errs by a few units of 2^-52 of values below 10^5. */
static void beside_cuts_the_value_is_right(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double complex (*is)(double complex);
        double re, im;
    } rows[] = {
        {"tan(x)", ctan, 1.5, 0},
        {"tan(x)", ctan, 1.57, 1},
        {"tan(x)", ctan, 3, -20},
        {"tanh(x)", ctanh, 1, 1.57},
        {"tanh(x)", ctanh, 0, 1},
        {"atan(x)", catan, 0, 0.9},
        {"atan(x)", catan, 0, -0.9},
        {"atan(x)", catan, 0.5, 3},
        {"atan(x)", catan, -0.5, -3},
        {"asin(x)", casin, 0.9, 0},
        {"asin(x)", casin, 0.9, 5},
        {"acos(x)", cacos, -0.9, 0},
        {"acos(x)", cacos, -0.5, -5},
        {"log(x)", clog, -3, 1},
        {"log(x)", clog, 0.5, 0},
        {"sqrt(x)", csqrt, -3, -1},
        {"sqrt(x)", csqrt, 0.5, 0},
        {"abs(x)", size_on_line, -2, 1},
        {"abs(x)", size_on_line, 2, 1},
        {"floor(x)", floor_of, 2.5, 3},
        {"floor(x)", floor_of, -2.5, 0},
        {"atan2(1, x)", angle_of_one, 0.5, 3},
        {"minimum(x, 2*x)", least, 1, 1},
        {"minimum(x, 2*x)", least, -1, 1},
        {"piecewise(lt(x, 1), x^2, x^3)", square_or_cube, 0.5, 2},
        {"piecewise(lt(x, 1), x^2, x^3)", square_or_cube, 1.5, 2},
        {"piecewise(ge(x, 1), x^3, x^2)", square_or_cube, 1.5, -2},
        {"piecewise(ge(x, 1), x^3, x^2)", square_or_cube, 0.5, 0},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        acb_t v;
        acb_init(v);
        evaluate(v, VER_ANALYTIC, rows[k].text, &(place){rows[k].re, rows[k].im, 0x1p-20, false});
        double complex is = rows[k].is(CMPLX(rows[k].re, rows[k].im));
        double re = arf_get_d(arb_midref(acb_realref(v)), ARF_RND_NEAR),
               rr = mag_get_d(arb_radref(acb_realref(v))),
               im = arf_get_d(arb_midref(acb_imagref(v)), ARF_RND_NEAR),
               ri = mag_get_d(arb_radref(acb_imagref(v)));
        if (!acb_is_finite(v) || !(rr < 0.01 && ri < 0.01 && fabs(re - creal(is)) <= rr + 1e-10 &&
                                   fabs(im - cimag(is)) <= ri + 1e-10))
            fail_msg("%s at %g + %g i: %g + %g i", rows[k].text, rows[k].re, rows[k].im, re, im);
        acb_clear(v);
    }
}

/* Both formulas are one on the real line, and the second is holomorphic: off the line, too, the first is the second, or no ball at all
 * (where `open`). */
static void conjugates_are_continued_off_the_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *holomorphic;
        bool open;
    } rows[] = {
        {"conj(x)", "x", false},
        {"conj(x + I*x^2)", "x - I*x^2", false},
        {"conj(conj(I*x))", "I*x", false},
        {"conj(conj(conj(I*x + x^3)))", "x^3 - I*x", false},
        {"re(exp(I*x))", "cos(x)", false},
        {"im(exp(I*x))", "sin(x)", false},
        {"im(conj(exp(I*x)))", "-sin(x)", false},
        {"conj(re(I*x + x^2))", "x^2", false},
        {"re(conj(im(I*x)))", "x", false},
        {"im(I*im(I*x + 1))", "x", false},
        {"abs(exp(I*x)*(2 + x^2))", "2 + x^2", false},
        {"abs(conj(3 + I*x))", "sqrt(9 + x^2)", false},
        {"re(I*abs(3 + I*x) + x)", "x", false},
        {"conj(integral(y, x*y, 0, 1))", "x/2", true},
        {"re(integral(y, x*y, 0, 1))", "x/2", true},
        {"im(integral(y, x*y, 0, 1))", "0*x", true},
        {"conj(integral(y, I*x*y, 0, 1))", "-I*x/2", true},
        {"re(integral(y, exp(I*x)*y, 0, 1))", "cos(x)/2", true},
        {"conj(conj(integral(y, I*x*y, 0, 1)))", "I*x/2", true},
        {"integral(y, x*y, 0, 1) + re(I*x)", "x/2", true},
        {"integral(y, x*y, 0, 1) + x", "3*x/2", false},
    };
    static const place at[] = {
        {0.5, 0.25, 0, false}, {-0.75, 0.5, 0, false}, {0.5, -0.75, 0, false}, {1, 0.5, 0x1p-20, false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            acb_t v, w;
            acb_init(v);
            acb_init(w);
            evaluate(v, VER_ANALYTIC, rows[k].text, &at[i]);
            evaluate(w, VER_ANALYTIC, rows[k].holomorphic, &at[i]);
            assert_true(acb_is_finite(w));
            if (acb_is_finite(v) ? !acb_overlaps(v, w) : !rows[k].open)
                fail_msg("%s at %g + %g i", rows[k].text, at[i].re, at[i].im);
            acb_clear(v);
            acb_clear(w);
        }
}

/* 1/x has no value at 0: neither has what it is a part of, whatever else a bounded function or a factor 0 would say. */
static void an_undefined_part_leaves_no_value(void **state) {
    (void)state;
    static const char *const formulas[] = {"sin(1/x)",
                                           "cos(1/x)",
                                           "tanh(1/x)",
                                           "atan(1/x)",
                                           "sign(1/x)",
                                           "abs(1/x)",
                                           "floor(1/x)",
                                           "re(1/x)",
                                           "im(1/x)",
                                           "conj(1/x)",
                                           "Si(1/x)",
                                           "0*(1/x)",
                                           "(1/x)*0",
                                           "(1/x)^0",
                                           "1^(1/x)",
                                           "0/(1/x)",
                                           "1/(1/x)",
                                           "exp(-1/x^2)",
                                           "minimum(0, 1/x)",
                                           "maximum(1/x, 0)",
                                           "atan2(1, 1/x^2)",
                                           "atan2(1/x, 1)",
                                           "1/x - 1/x",
                                           "1 + 1/x",
                                           "sin(I/x)*0",
                                           "piecewise(lt(1/x, 5), 1, 2)",
                                           "piecewise(lt(x, 5), 1/x, 2)",
                                           "piecewise(lt(1, log(x)), 1, 1)",
                                           "sin(tan(x + pi/2))",
                                           "atan(tan(x + pi/2))",
                                           "tanh(tan(pi/2 - x))",
                                           "1/tan(x + pi/2)",
                                           "tanh(x^(-2))",
                                           "sin(x^(-1))",
                                           "cos(x^(-1/2))",
                                           "atan(x^(-3))",
                                           "tan(x + pi/2)^0",
                                           "sin(log(x))",
                                           "atan(log(x^2))",
                                           "tanh(log(abs(x)))",
                                           "cos(Ci(x^2))",
                                           "1/log(x)",
                                           "log(x)^0",
                                           "0*log(x)",
                                           "exp(log(x))",
                                           "1/Ci(x^2)",
                                           "sinh(1/x)*0"};
    static const place at[] = {{0, 0, 0, true}, {0, 0, 0.5, true}, {0.25, 0, 0.5, true}};
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++)
        for (int mode = VER_VALUE; mode < MODES; mode++)
            for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
                acb_t v;
                acb_init(v);
                evaluate(v, (ver_mode)mode, formulas[k], &at[i]);
                if (acb_is_finite(v)) fail_msg("%s around %g, mode %d", formulas[k], at[i].re, mode);
                acb_clear(v);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_analytic_across_a_cut),
        cmocka_unit_test(beside_cuts_the_value_is_right),
        cmocka_unit_test(conjugates_are_continued_off_the_line),
        cmocka_unit_test(an_undefined_part_leaves_no_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
