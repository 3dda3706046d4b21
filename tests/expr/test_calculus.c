/* Rules of formulas beyond the elementary functions: derivatives of angles, cases and integrals, conjugates, sums written out, what is put in
 * for what, how they are written, and what each refuses. Oracles: central differences, values, the fundamental theorem.
 * Sources: expr/assume.c expr/calc.c expr/conj.c expr/derive.c expr/eval.c expr/eval_many.c expr/print.c */
#include "formulas.h"

#define OPN(op, ...)                                                                                         \
    expr_b_op(&B, EXPR_##op, (int)(sizeof((expr_node *[]){__VA_ARGS__}) / sizeof(expr_node *)),              \
              (expr_node *[]){__VA_ARGS__})
#define IMAGINARY expr_b_op(&B, EXPR_I, 0, NULL)

static expr_node *derivative(expr_node *f, expr_node *by) {
    expr_node *d;
    ph_err err = {0};
    if (expr_diff(&d, f, by, &err) != PH_OK) fail_msg("%s", err.text);
    return expr_b_keep(&B, d);
}

static void assert_reads(const expr_node *e, const char *text) {
    char *t;
    assert_int_equal(expr_text(&t, e, 0, NULL), PH_OK);
    assert_string_equal(t, text);
    ph_free(t);
}

/* Central differences of complex values: error h²/6·|f'''| + 2^-53·|f|/h; with h = 1e-5 and |f|, |f'''| below 200 both stay under 1e-8. The
 * kinks, at y = 1.3, lie between the points. */
static void derivatives_agree_with_differences(void **state) {
    (void)state;
    expr_node *turn = OP1(EXP, OP2(MUL, IMAGINARY, OP2(MUL, x, x))), *third = OP2(DIV, x, R(3, 1));
    expr_node *f[] = {OP1(ASIN, third),
                      OP1(ACOS, third),
                      OP2(ATAN2, x, y),
                      OP2(ATAN2, y, OP2(MUL, x, x)),
                      OP2(ATAN2, OP1(SIN, x), OP1(NEG, x)),
                      turn,
                      OP1(CONJ, turn),
                      OP1(RE, turn),
                      OP1(IM, turn),
                      OP2(MIN, OP2(MUL, x, R(1, 1)), y),
                      OP1(ABS, OP2(SUB, x, y)),
                      OP1(ABS, OP1(LOG, third)),
                      OP1(ABS, turn),
                      OP1(ABS, OP2(ADD, x, OP2(MUL, IMAGINARY, y))),
                      OP1(ABS, OP2(ADD, R(1, 1), OP2(POW, R(-1, 1), x))),
                      OP1(SIGN, OP2(SUB, x, y)),
                      OP1(FLOOR, OP2(DIV, x, R(9, 1))),
                      OPN(PIECE, OP2(LT, x, y), OP2(MUL, x, x), OP1(SIN, x)),
                      OPN(PIECE, OP2(GT, x, R(9, 1)), x, OP2(LE, x, y), OP1(EXP, x), OP2(DIV, R(1, 1), x))};
    for (size_t k = 0; k < sizeof f / sizeof *f; k++) {
        expr_node *d = derivative(f[k], x);
        for (double a = 0.7; a < 2; a += 0.41) {
            const double h = 1e-5;
            double dev = cabs((at(f[k], a + h, 1.3) - at(f[k], a - h, 1.3)) / (2 * h) - at(d, a, 1.3));
            if (!(isfinite(dev) && dev <= 1e-8)) fail_msg("formula %zu at %g is off by %g", k, a, dev);
        }
    }
}

/* sin(…sin(sin(x)/3)/3…)/3, 40 times: what was differentiated twice in each quotient would take 2^40 steps. Its derivative has 40 cosines, of 3 (k − 1) + 2
 * parts, each with a product and a quotient: 4 parts more. */
static void a_quotient_is_differentiated_once(void **state) {
    (void)state;
    const uint64_t deep = 40;
    expr_node *f = x, *g = x;
    for (uint64_t k = 0; k < deep; k++) {
        f = OP2(DIV, OP1(SIN, f), R(3, 1));
        g = OP2(DIV, g, R(3, 1));
    }
    assert_true(derivative(f, x)->size <= deep * (3 * (deep - 1) / 2 + 6) + 1);
    assert_true(derivative(g, x)->size <= 2 * deep + 1);
    assert_true(cabs(at(derivative(f, x), 0, 0) * pow(3, (double)deep) - 1) <= 1e-13);
}

/* Formulas that are 1·x, 2·x or even in x, by kinks that cancel at 0: the derivative is exact there, as beside it. */
static void kinks_that_cancel_leave_nothing(void **state) {
    (void)state;
    expr_node *zero = R(0, 1), *two = R(2, 1), *minus = OP1(NEG, x), *twice = OP2(MUL, two, x);
    const struct {
        expr_node *f;
        double slope;
    } cases[] = {{OP2(ADD, OP2(MIN, x, zero), OP2(MAX, x, zero)), 1},
                 {OP2(ADD, OP2(MIN, twice, x), OP2(MAX, x, twice)), 3},
                 {OP2(SUB, OP2(MAX, x, zero), OP2(MAX, minus, zero)), 1},
                 {OP2(ADD, OP1(ABS, x), OP2(MUL, two, OP2(MIN, zero, x))), 1},
                 {OP2(SUB, OP2(MAX, x, minus), OP1(ABS, x)), 0},
                 {OP2(MUL, OP2(MAX, x, twice), OP2(MIN, x, twice)), 0},
                 {OP2(POW, OP2(MAX, x, zero), two), 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double complex d = at(derivative(cases[c].f, x), 0, 0);
        if (d != cases[c].slope) fail_msg("formula %zu has slope %g at 0", c, creal(d));
    }
}

/* A case at one x has no derivative of its own; one that may be more than a point has. */
static void single_points_have_no_slope(void **state) {
    (void)state;
    expr_node *five = R(5, 1), *sq = OP2(MUL, x, x), *linear = OP2(SUB, OP2(MUL, R(2, 1), x), y);
    assert_reads(derivative(OPN(PIECE, OP2(EQ, x, R(0, 1)), R(0, 1), x), x), "1");
    assert_reads(derivative(OPN(PIECE, OP2(NE, linear, R(3, 1)), OP2(MUL, y, x), five), x), "y");
    assert_reads(derivative(OPN(PIECE, OP2(LT, x, y), x, OP2(EQ, x, y), five, sq), x),
                 "piecewise(lt(x, y), 1, x + x)");
    assert_reads(derivative(OPN(PIECE, OP2(LT, x, y), x, OP2(NE, x, five), sq, five), x),
                 "piecewise(lt(x, y), 1, x + x)");
    assert_reads(derivative(OPN(PIECE, OP2(EQ, OP2(MUL, x, y), R(0, 1)), five, x), x),
                 "piecewise(eq(x*y, 0), 0, 1)");
    assert_reads(derivative(OPN(PIECE, OP2(EQ, OP1(FLOOR, x), x), five, x), x),
                 "piecewise(eq(floor(x), x), 0, 1)");
    assert_reads(derivative(OPN(PIECE, OP2(NE, OP1(SIGN, x), y), five, x), x),
                 "piecewise(ne(sign(x), y), 0, 1)");
    assert_reads(derivative(OPN(PIECE, OP2(EQ, y, R(0, 1)), five, x), x), "piecewise(eq(y, 0), 0, 1)");
}

/* (∫_u^v f)' = f(v) v' − f(u) u' + ∫ f'; where x is the variable of the integral, only its ends move. The values are products and
 * differences of a few numbers below 30: 16 roundings. */
static void integrals_differentiate_by_the_fundamental_theorem(void **state) {
    (void)state;
    expr_node *t = sym("t", EXPR_REAL), *sq = OP2(MUL, x, x), *f = OP1(SIN, t);
    expr_node *both = derivative(OPN(INTEGRAL, t, f, sq, OP2(ADD, sq, x)), x),
              *low = derivative(OPN(INTEGRAL, t, f, sq), x);
    expr_node *own = derivative(OPN(INTEGRAL, x, OP1(SIN, x), R(0, 1), OP2(MUL, R(2, 1), x)), x);
    for (double a = 0.3; a < 3; a += 0.45) {
        const double want = sin(a * a + a) * (2 * a + 1) - sin(a * a) * 2 * a;
        const double one = fabs(creal(at(both, a, 0)) - want),
                     two = fabs(creal(at(low, a, 0)) + sin(a * a) * 2 * a);
        const double three = fabs(creal(at(own, a, 0)) - 2 * sin(2 * a));
        assert_true(isfinite(one) && one <= 16 * 30 * 0x1p-53);
        assert_true(isfinite(two) && two <= 16 * 30 * 0x1p-53);
        assert_true(isfinite(three) && three <= 16 * 30 * 0x1p-53);
    }
    assert_text(derivative(OPN(INTEGRAL, t, OP2(MUL, x, f), R(0, 1), R(1, 1)), x),
                "integral(sin(t), t, 0, 1)", "\\int_{0}^{1} \\sin\\left(t\\right) \\, dt");
    assert_true(expr_is_rat(derivative(OPN(INTEGRAL, t, f, R(0, 1), R(1, 1)), x), 0, 1));
}

static expr_node *over(expr_node *t, expr_node *f) { return OPN(INTEGRAL, t, f, R(0, 1), R(1, 1)); }

/* Under an integral the derivative away from a jump is that of the whole only where the jump stays where it is. */
static void jumps_that_stay_are_differentiated_across(void **state) {
    (void)state;
    expr_node *t = sym("t", EXPR_REAL), *half = OP2(LT, t, R(1, 2));
    assert_reads(derivative(over(t, OPN(PIECE, half, OP2(MUL, x, t), x)), x),
                 "integral(piecewise(lt(t, 1/2), t, 1), t, 0, 1)");
    assert_reads(derivative(over(t, OP2(MUL, OP1(SIGN, t), x)), x), "integral(sign(t), t, 0, 1)");
    assert_reads(derivative(over(t, OP1(ABS, OP2(SUB, t, x))), x), "integral(-sign(t - x), t, 0, 1)");
    assert_reads(derivative(over(t, OP2(MUL, t, OP1(FLOOR, x))), x), "integral(0, t, 0, 1)");
}

static void what_has_no_derivative_is_refused(void **state) {
    (void)state;
    static const char jump[] = "the integrand may jump at a place that moves with the symbol";
    expr_node *t = sym("t", EXPR_REAL), *ahead = OP2(SUB, t, x),
              *cut = OP2(ADD, R(-1, 1), OP2(MUL, IMAGINARY, ahead));
    expr_node *a = sym("a", EXPR_REAL), *k = sym("k", EXPR_INTEGER), *w = sym("w", EXPR_COMPLEX);
    const struct {
        expr_node *f, *by;
        const char *part;
    } cases[] = {{OP2(ADD, x, y), OP2(ADD, x, y), "no symbol"},
                 {OP2(LT, x, y), x, "a statement has none"},
                 {OP2(MUL, w, x), w, "'w' is complex"},
                 {OP2(MUL, k, x), k, "'k' is integer"},
                 {OPN(SUM, i, R(0, 1), OP1(FLOOR, x), x), x, "the bounds of the sum depend on 'x'"},
                 {OP2(AT, a, OP1(FLOOR, x)), x, "'x' stands in an index"},
                 {over(t, OP1(SIGN, ahead)), x, jump},
                 {over(t, OP1(EXP, OP1(FLOOR, OP2(MUL, x, t)))), x, jump},
                 {over(t, OPN(PIECE, OP2(LT, t, x), t, x)), x, jump},
                 {over(t, OP2(ATAN2, ahead, R(-1, 1))), x, jump},
                 {over(t, OP1(LOG, cut)), x, jump},
                 {over(t, OP1(SQRT, cut)), x, jump},
                 {over(t, OP2(POW, cut, R(1, 3))), x, jump},
                 {over(t, OP1(ASIN, cut)), x, jump},
                 {over(t, OP1(ATAN, cut)), x, jump},
                 {derivative(over(t, OP1(ABS, ahead)), x), x, jump}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        expr_node *d;
        ph_err err = {0};
        assert_int_equal(expr_diff(&d, cases[c].f, cases[c].by, &err), PH_EARG);
        assert_null(d);
        if (!strstr(err.text, cases[c].part)) fail_msg("%s; wanted %s", err.text, cases[c].part);
    }
}

/* conj, re and im brought to the symbols change no value: a few roundings of numbers below 8. On cuts conj stays where it is. */
static void conjugates_change_no_value(void **state) {
    (void)state;
    expr_node *w = OP2(MUL, z, OP1(EXP, OP2(MUL, IMAGINARY, x)));
    expr_node *in[] = {OP1(ASIN, z),
                       OP1(ACOS, w),
                       OP1(ATAN, x),
                       OP1(SI, y),
                       OP1(LOG, w),
                       OP1(SQRT, w),
                       OP2(POW, w, R(3, 1)),
                       OP2(POW, w, R(1, 2)),
                       OP2(MAX, x, y),
                       OP2(ATAN2, x, y),
                       OP1(ABS, w),
                       expr_b_op(&B, EXPR_PI, 0, NULL),
                       OPN(SUM, i, R(0, 1), R(3, 1), OP2(POW, w, i)),
                       OPN(PIECE, OP2(LT, x, y), w, OP1(CONJ, w))};
    for (size_t k = 0; k < sizeof in / sizeof *in; k++) {
        expr_node *f[] = {OP1(CONJ, in[k]), OP1(RE, in[k]), OP1(IM, in[k])};
        for (int how = 0; how < 3; how++) {
            expr_node *p;
            assert_int_equal(expr_push_conj(&p, f[how], NULL), PH_OK);
            expr_b_keep(&B, p);
            for (double a = -1.6; a < 2; a += 0.7) {
                double dev = cabs(at(p, a, 0.6) - at(f[how], a, 0.6));
                if (!(isfinite(dev) && dev <= 64 * 8 * 0x1p-53))
                    fail_msg("formula %zu, %d at %g is off by %g", k, how, a, dev);
            }
        }
    }
    expr_node *t = sym("t", EXPR_REAL), *p, *q;
    assert_int_equal(expr_push_conj(&p, OP1(CONJ, OPN(INTEGRAL, t, OP1(SIN, t), R(0, 1), x)), NULL), PH_OK);
    assert_int_equal(expr_push_conj(&q, OP1(CONJ, OPN(INTEGRAL, t, OP2(MUL, z, t), R(0, 1), x)), NULL),
                     PH_OK);
    assert_int_equal(p->op, EXPR_INTEGRAL); /* it is real */
    assert_int_equal(q->op, EXPR_CONJ);
    expr_drop(p), expr_drop(q);
}

static void what_cannot_be_put_in_is_refused(void **state) {
    (void)state;
    expr_node *t = sym("t", EXPR_REAL), *r, *big = R(INT64_MAX, 1);
    ph_err err = {0};
    assert_int_equal(expr_subst(&r, OPN(SUM, i, R(0, 1), n, OP2(MUL, i, x)), x, i, &err), PH_EARG);
    assert_non_null(strstr(err.text, "the index 'i' of a sum would capture"));
    assert_int_equal(expr_subst(&r, OPN(INTEGRAL, t, OP2(MUL, t, x), R(0, 1), R(1, 1)), x, t, &err), PH_EARG);
    assert_non_null(strstr(err.text, "the variable 't' of an integral would capture"));
    assert_int_equal(expr_subst(&r, x, OP2(ADD, x, y), y, &err), PH_EARG);
    assert_non_null(strstr(err.text, "only a symbol"));
    const struct {
        expr_node *lo, *hi;
        ph_status st;
        const char *part;
    } cases[] = {{R(3, 1), R(1, 1), PH_EDOMAIN, "more than one below"},
                 {R(0, 1), big, PH_EBUDGET, "more than"},
                 {R(-2, 1), big, PH_EBUDGET, "more than"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_int_equal(expr_expand_sums(&r, OPN(SUM, i, cases[c].lo, cases[c].hi, OP2(MUL, i, x)), &err),
                         cases[c].st);
        if (!strstr(err.text, cases[c].part)) fail_msg("%s; wanted %s", err.text, cases[c].part);
    }
    expr_node *half = OPN(SUM, i, R(0, 1), n, OP2(MUL, i, x)); /* nor does one come about later */
    assert_int_equal(expr_subst(&r, half, n, R(7, 2), &err), PH_EDOMAIN);
    assert_non_null(strstr(err.text, "a bound that is no integer"));
}

/* A sum that is being written out, and one that is being evaluated, end when the interrupt comes. */
static void interrupts_end_long_sums(void **state) {
    (void)state;
    expr_node *s = OPN(SUM, i, R(0, 1), R(100000, 1), OP2(MUL, i, x)), *r;
    double complex v;
    ph_err err;
    ph_interrupt_flag = 1;
    assert_int_equal(expr_expand_sums(&r, s, &err), PH_EINTR);
    ph_interrupt_flag = 1;
    assert_int_equal(expr_eval(&v, s, value_of, (double[]){1, 1}, &err), PH_EINTR);
    ph_interrupt_flag = 0;
}

static void what_has_no_value_says_so(void **state) {
    (void)state;
    expr_node *t = sym("t", EXPR_REAL), *a = sym("a", EXPR_REAL);
    const struct {
        expr_node *f;
        const char *part;
    } cases[] = {{OPN(INTEGRAL, t, OP1(SIN, t), R(0, 1), R(1, 1)), "integral"},
                 {OP2(AT, y, OP2(MUL, x, y)), "the index is no integer"},
                 {sym("w", EXPR_COMPLEX), "w"},
                 {a, "a"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double complex v;
        ph_err err = {0};
        assert_int_equal(expr_eval(&v, cases[c].f, value_of, (double[]){0.3, 0.5}, &err), PH_EARG);
        if (!strstr(err.text, cases[c].part)) fail_msg("%s; wanted %s", err.text, cases[c].part);
    }
}

static void prints_integrals_cases_and_statements(void **state) {
    (void)state;
    expr_node *t = sym("t", EXPR_REAL), *sine = OP1(SIN, t), *both = OP2(ADD, sine, x);
    assert_text(OPN(INTEGRAL, t, both, R(0, 1), y), "integral(sin(t) + x, t, 0, y)",
                "\\int_{0}^{y} \\left(\\sin\\left(t\\right) + x\\right) \\, dt");
    assert_text(OPN(INTEGRAL, t, sine, y), "integral(sin(t), t, y, math.huge)",
                "\\int_{y}^{\\infty} \\sin\\left(t\\right) \\, dt");
    assert_text(OPN(INTEGRAL, t, sine), "integral(sin(t), t, -math.huge, math.huge)",
                "\\int_{-\\infty}^{\\infty} \\sin\\left(t\\right) \\, dt");
    assert_text(OPN(PIECE, OP2(LT, x, y), x, OP2(EQ, x, y), R(0, 1), OP1(NEG, y)),
                "piecewise(lt(x, y), x, eq(x, y), 0, -y)",
                "\\begin{cases}x & x < y\\\\ 0 & x = y\\\\ -y & \\text{otherwise}\\end{cases}");
    assert_text(OP1(SQRT, OP1(ABS, OP1(FLOOR, OP1(CONJ, z)))), "sqrt(abs(floor(conj(z))))",
                "\\sqrt{\\left|\\left\\lfloor \\overline{z}\\right\\rfloor\\right|}");
    assert_text(OP2(MUL, IMAGINARY, expr_b_op(&B, EXPR_PI, 0, NULL)), "I*pi", "\\mathrm{i} \\pi");
    assert_text(sym("rate", EXPR_REAL), "rate", "\\mathrm{rate}");
}

int main(void) {
    const struct CMUnitTest tests[] = {T(derivatives_agree_with_differences),
                                       T(a_quotient_is_differentiated_once),
                                       T(kinks_that_cancel_leave_nothing),
                                       T(single_points_have_no_slope),
                                       T(integrals_differentiate_by_the_fundamental_theorem),
                                       T(jumps_that_stay_are_differentiated_across),
                                       T(what_has_no_derivative_is_refused),
                                       T(conjugates_change_no_value),
                                       T(what_cannot_be_put_in_is_refused),
                                       T(interrupts_end_long_sums),
                                       T(what_has_no_value_says_so),
                                       T(prints_integrals_cases_and_statements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
