/* What balls promise at their own door, in each mode: not finite where a cut, a kink, a jump or a pole may be met, finite and right beside it;
 * conj, re, im and | | off the line as what they are on it; and what has an undefined part is undefined.
 * Sources: verify/ball.c verify/ball_steps.c */
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
static const char *const undefined[] = {"sin(1/x)",
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

static void an_undefined_part_leaves_no_value(void **state) {
    (void)state;
    static const place at[] = {{0, 0, 0, true}, {0, 0, 0.5, true}, {0.25, 0, 0.5, true}};
    for (size_t k = 0; k < sizeof undefined / sizeof *undefined; k++)
        for (int mode = VER_VALUE; mode < MODES; mode++)
            for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
                acb_t v;
                acb_init(v);
                evaluate(v, (ver_mode)mode, undefined[k], &at[i]);
                if (acb_is_finite(v)) fail_msg("%s around %g, mode %d", undefined[k], at[i].re, mode);
                acb_clear(v);
            }
}

/* Both formulas by the list of their parts, where they have one. */
static bool by_steps(acb_t l, acb_t r, const char *left, const char *right, const place *at, slong prec) {
    place there = *at;
    expr_node *a = formula(left), *b = formula(right);
    expr_steps s;
    assert_int_equal(expr_steps_of(&s, a, b, NULL), PH_OK);
    bool listed = s.n;
    if (listed) assert_int_equal(ver_ball_steps(l, r, &s, x_there, &there, prec, NULL), PH_OK);
    expr_steps_clear(&s);
    expr_drop(a);
    expr_drop(b);
    return listed;
}

/* The oracle is the walk of the tree at twice the precision, whose ball the other must meet, being no more than eight times as wide as the tree's own
 * of the same precision: each of the few operations rounds once in either. */
static void steps_enclose_what_the_tree_does(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"sin(3*x)^2 + cos(3*x)^2", "sin(3*x)"},        {"cos(x)", "cos(x)*sin(x)/(2 + cos(x))"},
        {"sin(sin(x)) - cos(sin(x))", "cos(sin(x))"},   {"exp(x*pi)*cos(x + I)", "sin(x + I)"},
        {"sqrt(2 + x^2)/(x - 7/3)", "abs(x)*floor(x)"}, {"log(x^2 + 1) + atan(x)", "tanh(x) - sinh(x)/3"},
        {"maximum(x, 1/3)", "minimum(x, 1/3)*sign(x)"}, {"re(conj(x*I))", "im(x*I)"},
    };
    static const place at[] = {{1.25, 0, 0, true}, {-123456789.5, 0, 0, true}, {0.5, 0, 1e-9, true}};
    acb_t v[2], own, fine;
    acb_init(v[0]), acb_init(v[1]), acb_init(own), acb_init(fine);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++)
            for (slong prec = 64; prec <= 256; prec *= 2) {
                assert_true(by_steps(v[0], v[1], pairs[k][0], pairs[k][1], &at[i], prec));
                for (int side = 0; side < 2; side++) {
                    place there = at[i];
                    expr_node *e = formula(pairs[k][side]);
                    assert_int_equal(ver_ball(own, e, x_there, &there, prec, NULL), PH_OK);
                    assert_int_equal(ver_ball(fine, e, x_there, &there, 2 * prec, NULL), PH_OK);
                    expr_drop(e);
                    mag_t w, u;
                    mag_init(w), mag_init(u);
                    mag_add(w, arb_radref(acb_realref(v[side])), arb_radref(acb_imagref(v[side])));
                    mag_add(u, arb_radref(acb_realref(own)), arb_radref(acb_imagref(own)));
                    mag_mul_2exp_si(u, u, 3);
                    bool good = acb_is_finite(own) == acb_is_finite(v[side]) &&
                                (!acb_is_finite(own) || (acb_overlaps(v[side], fine) && mag_cmp(w, u) <= 0));
                    mag_clear(w), mag_clear(u);
                    if (!good) fail_msg("%s at %g, %d bits", pairs[k][side], at[i].re, (int)prec);
                }
            }
    acb_clear(v[0]), acb_clear(v[1]), acb_clear(own), acb_clear(fine);
}

static void an_undefined_part_leaves_no_value_of_steps(void **state) {
    (void)state;
    static const place at[] = {{0, 0, 0, true}, {0, 0, 0.5, true}};
    int listed = 0;
    acb_t l, r;
    acb_init(l), acb_init(r);
    for (size_t k = 0; k < sizeof undefined / sizeof *undefined; k++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            if (!by_steps(l, r, undefined[k], "sin(1/x)*cos(1/x)", &at[i], PREC)) continue;
            if (acb_is_finite(l) || acb_is_finite(r)) fail_msg("%s around 0", undefined[k]);
            listed++;
        }
    assert_in_range(listed, 80, 94); /* all but three that choose */
    acb_clear(l), acb_clear(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_analytic_across_a_cut),
        cmocka_unit_test(beside_cuts_the_value_is_right),
        cmocka_unit_test(conjugates_are_continued_off_the_line),
        cmocka_unit_test(an_undefined_part_leaves_no_value),
        cmocka_unit_test(steps_enclose_what_the_tree_does),
        cmocka_unit_test(an_undefined_part_leaves_no_value_of_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
