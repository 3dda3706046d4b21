/* Formulas: built, printed, evaluated, differentiated, mutated. Oracles: libm, known values, central differences.
 * Sources: expr/atoms.c expr/calc.c expr/conj.c expr/derive.c expr/eval.c expr/eval_many.c expr/expr.c expr/print.c */
#include "formulas.h"

static void prints_what_would_be_typed(void **state) {
    (void)state;
    assert_text(OP2(SUB, x, OP2(SUB, y, R(1, 2))), "x - (y - 1/2)", "x - \\left(y - \\frac{1}{2}\\right)");
    assert_text(OP2(MUL, OP2(ADD, x, y), OP1(NEG, x)), "(x + y)*(-x)",
                "\\left(x + y\\right) \\left(-x\\right)");
    assert_text(OP2(POW, OP1(NEG, x), R(-2, 3)), "(-x)^(-2/3)", "\\left(-x\\right)^{-\\frac{2}{3}}");
    assert_text(OP2(DIV, x, OP2(MUL, x, y)), "x/(x*y)", "\\frac{x}{x y}");
    assert_text(OP1(NEG, OP2(POW, x, R(2, 1))), "-x^2", "-x^{2}");
    assert_text(OP2(POW, OP2(POW, x, y), x), "(x^y)^x", "\\left(x^{y}\\right)^{x}");
    expr_node *th = sym("θ", EXPR_REAL);
    assert_text(
        expr_b_op(&B, EXPR_SUM, 4, (expr_node *[]){i, R(0, 1), n, OP1(COS, OP2(MUL, OP2(AT, th, i), x))}),
        "sum(cos(θ[i]*x), i, 0, n)", "\\sum_{i=0}^{n} \\cos\\left(\\theta_{i} x\\right)");
    assert_text(sym("phi_max", EXPR_REAL), "phi_max", "\\phi_{max}");
}

static void long_text_is_cut(void **state) {
    (void)state;
    expr_node *e = x;
    for (int k = 0; k < 12; k++) e = OP2(ADD, e, e);
    char *t;
    assert_int_equal(expr_text(&t, e, 20, NULL), PH_OK);
    assert_true(strlen(t) <= 20 + strlen("…"));
    assert_non_null(strstr(t, "…"));
    ph_free(t);
}

static void constants_fold_exactly_or_not_at_all(void **state) {
    (void)state;
    assert_true(expr_is_rat(OP2(ADD, R(1, 3), R(1, 6)), 1, 2));
    assert_true(expr_is_rat(OP2(DIV, R(1, 3), R(-2, 9)), -3, 2));
    assert_true(expr_is_rat(OP2(POW, R(-2, 3), R(-3, 1)), -27, 8));
    assert_true(expr_is_rat(OP2(POW, R(-1, 1), R(1001, 1)), -1, 1));
    for (int k = 1; k <= 6; k++) { /* a negative exponent keeps the base's sign above */
        int sign = k % 2 ? -1 : 1;
        assert_true(expr_is_rat(OP2(POW, R(-1, 1), R(-k, 1)), sign, 1));
        assert_true(expr_is_rat(OP2(POW, R(-1, 2), R(-k, 1)), sign * (1 << k), 1));
        assert_true(expr_is_rat(OP2(POW, R(-2, 1), R(-k, 1)), sign, 1 << k));
    }
    expr_node *big = OP2(POW, R(10, 1), R(40, 1));
    assert_int_equal(big->op, EXPR_POW); /* 10^40 does not fit: it stays as written */
    assert_int_equal(OP2(MUL, R(INT64_MAX, 1), R(2, 1))->op, EXPR_MUL);
}

static void undefined_constants_are_a_domain_error(void **state) {
    (void)state;
    expr_node *e;
    ph_err err;
    assert_int_equal(expr_make2(&e, EXPR_DIV, x, R(0, 1), &err), PH_EDOMAIN);
    assert_int_equal(expr_make2(&e, EXPR_POW, R(0, 1), R(0, 1), &err), PH_EDOMAIN);
    assert_int_equal(expr_make1(&e, EXPR_LOG, R(0, 1), &err), PH_EDOMAIN);
    assert_int_equal(expr_rat(&e, 1, 0, &err), PH_EDOMAIN);
}

static void depth_and_size_are_capped(void **state) {
    (void)state;
    ph_err err;
    expr_node *e = x, *next;
    int k = 0;
    while (expr_make2(&next, EXPR_ADD, e, x, &err) == PH_OK && ++k < 1000000) e = expr_b_keep(&B, next);
    assert_int_equal(k, EXPR_MAX_DEPTH - 1);
    assert_int_equal(err.code, PH_EARG);
    for (e = x, k = 0; expr_make2(&next, EXPR_ADD, e, e, &err) == PH_OK && ++k < 1000;)
        e = expr_b_keep(&B, next);
    assert_in_range(k, 10, 40);
    assert_non_null(strstr(err.text, "parts"));
}

static void one_name_with_two_assumptions_is_refused(void **state) {
    (void)state;
    expr_set s;
    ph_err err;
    assert_int_equal(expr_symbols(&s, OP2(ADD, x, sym("x", EXPR_POSITIVE)), &err), PH_EARG);
    assert_non_null(strstr(err.text, "'x'"));
    assert_int_equal(expr_symbols(&s, OP2(ADD, OP2(MUL, x, y), x), &err), PH_OK);
    assert_int_equal(s.n, 2);
    expr_set_clear(&s);
}

static void evaluates_like_libm(void **state) {
    (void)state;
    assert_true(at(OP2(ADD, OP1(SIN, x), OP2(POW, y, R(3, 1))), 0.3, 2) == sin(0.3) + 8);
    assert_true(cimag(at(OP1(SQRT, x), -4, 0)) == 2);
    /* a negative number lies above the cut however it came about: no -0 is left in its imaginary part */
    assert_true(cimag(at(OP1(SQRT, OP1(NEG, x)), 4, 0)) == 2);
    assert_true(cimag(at(OP1(LOG, OP1(NEG, x)), 1, 0)) > 3);
    assert_true(cimag(at(OP1(LOG, OP1(CONJ, x)), -1, 0)) > 3);
    assert_true(cimag(at(OP2(POW, OP1(NEG, x), R(3, 4)), 1, 0)) > 0);
    assert_true(isnan(creal(at(OP2(DIV, x, y), 1, 0))));
    assert_true(at(expr_b_op(&B, EXPR_PIECE, 3, (expr_node *[]){OP2(LT, x, y), R(7, 1), R(9, 1)}), 1, 2) ==
                7);
    expr_node *s =
        expr_b_op(&B, EXPR_SUM, 4, (expr_node *[]){i, R(1, 1), R(4, 1), OP2(MUL, OP2(AT, y, i), i)});
    assert_true(at(s, 0, 0) == 1.5 + 2 * 2.5 + 3 * 3.5 + 4 * 4.5);
    expr_node *written;
    assert_int_equal(expr_expand_sums(&written, s, NULL), PH_OK);
    assert_true(at(expr_b_keep(&B, written), 0, 0) == 35);
}

static bool all_most(void *ctx, const expr_node *atom, int64_t first, int count, double _Complex *v,
                     bool *same) {
    (void)atom, (void)first, (void)count;
    return *v = *(double *)ctx, *same = true;
}

/* x = 1, y = 10^6 */
static bool one_million(void *none, const expr_node *atom, double _Complex *v) {
    return *v = expr_same(atom, x) ? 1 : 1e6, !none;
}

/* 2^53 + 1 is no double: a count in doubles stayed at 2^53, and never ended there. */
static void sums_end(void **state) {
    (void)state;
    double most = 9007199254740992;
    double _Complex v;
    expr_node *s = expr_b_op(&B, EXPR_SUM, 4, (expr_node *[]){i, x, y, R(1, 1)});
    assert_true(at(s, most - 1, most) == 2);
    assert_int_equal(expr_eval_many(&v, 1, s, all_most, &most, NULL), PH_OK);
    assert_true(v == 1);
    ph_err err = {0};
    assert_int_equal(expr_eval_point(&v, OP2(ADD, s, s), one_million, NULL, &err), PH_EBUDGET);
    assert_int_equal(expr_eval_point(&v, s, one_million, NULL, &err), PH_OK);
    assert_true(v == 1e6);
}

/* Ci and Si at points of Abramowitz & Stegun, table 5.1, and beyond the switch at 8 (DLMF 6.2, 30 digits by mpmath
 * 1.2: ci(10), si(10), ci(100)). Both branches lose at most a few ulp of the largest term, below e^8/8 * 2^-53 = 4e-14. */
static void integral_functions(void **state) {
    (void)state;
    static const double known[][3] = {{1, 0.33740392290096813466, 0.94608307036718301494},
                                      {5, -0.19002974965664387862, 1.5499312449446741373},
                                      {10, -0.045456433004455372635, 1.6583475942188740493},
                                      {100, -0.0051488251426104921444, 1.5622254668890562933}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double c = creal(at(OP1(CI, x), known[k][0], 0)), s = creal(at(OP1(SI, x), known[k][0], 0));
        assert_true(isfinite(c) && fabs(c - known[k][1]) <= 4e-14);
        assert_true(isfinite(s) && fabs(s - known[k][2]) <= 4e-14);
    }
}

/* Central differences: error h²/6·|f'''| + 2^-53·|f|/h; with h = 1e-5 and |f|, |f'''| below 200 both stay under 1e-8. */
static void derivatives_agree_with_differences(void **state) {
    (void)state;
    expr_node *f[] = {OP1(SIN, OP2(MUL, x, y)),
                      OP1(TAN, OP2(DIV, x, R(2, 1))),
                      OP2(DIV, OP1(EXP, x), OP2(ADD, x, R(3, 1))),
                      OP2(POW, x, y),
                      OP2(POW, y, x),
                      OP2(POW, x, R(5, 2)),
                      OP1(LOG, OP1(COSH, x)),
                      OP1(TANH, x),
                      OP1(SQRT, OP2(ADD, x, y)),
                      OP1(ATAN, OP2(MUL, x, x)),
                      OP1(CI, x),
                      OP1(SI, x),
                      OP1(ABS, OP2(SUB, x, y)),
                      OP2(MAX, OP2(MUL, x, x), y),
                      OP1(SINH, OP1(NEG, x)),
                      expr_b_op(&B, EXPR_SUM, 4,
                                (expr_node *[]){i, R(0, 1), R(5, 1), OP1(COS, OP2(MUL, OP2(AT, y, i), x))})};
    for (size_t k = 0; k < sizeof f / sizeof *f; k++) {
        expr_node *d;
        assert_int_equal(expr_diff(&d, f[k], x, NULL), PH_OK);
        expr_b_keep(&B, d);
        for (double a = 0.7; a < 2; a += 0.41) {
            double h = 1e-5, num = creal(at(f[k], a + h, 1.3) - at(f[k], a - h, 1.3)) / (2 * h);
            double dev = fabs(num - creal(at(d, a, 1.3)));
            assert_true(isfinite(dev) && dev <= 1e-8);
        }
    }
}

static void conjugates_reach_the_symbols(void **state) {
    (void)state;
    expr_node *w = OP2(MUL, z, OP1(EXP, OP2(MUL, expr_b_op(&B, EXPR_I, 0, NULL), x)));
    expr_node *f[] = {OP1(CONJ, w), OP1(RE, w), OP1(IM, w), OP1(RE, OP1(SIN, z))};
    for (size_t k = 0; k < sizeof f / sizeof *f; k++) {
        expr_node *p;
        assert_int_equal(expr_push_conj(&p, f[k], NULL), PH_OK);
        expr_b_keep(&B, p);
        double dev = cabs(at(p, 0.4, 1.1) - at(f[k], 0.4, 1.1));
        assert_true(isfinite(dev) && dev <= 1e-15); /* a handful of roundings of numbers below 2 */
    }
}

typedef struct {
    int count, same_value;
    bool saw_cos;
} seen;

static ph_status note(void *ctx, expr_node *mutant, const char *what, ph_err *err) {
    (void)err;
    seen *s = ctx;
    s->count++;
    if (strstr(what, "sin -> cos")) s->saw_cos = true;
    double complex v = at(mutant, 0.3, 0.8);
    if (cabs(v - (sin(0.3 + 0.8))) < 1e-12) s->same_value++;
    return PH_OK;
}

static void mutants_change_the_formula(void **state) {
    (void)state;
    seen s = {0};
    assert_int_equal(expr_mutants(OP1(SIN, OP2(ADD, x, y)), note, &s, NULL), PH_OK);
    /* sin→cos, −arg, 2·arg; + → −, *, two drops; x → y, y → x */
    assert_int_equal(s.count, 9);
    assert_int_equal(s.same_value, 0);
    assert_true(s.saw_cos);
}

static void refused_memory_leaks_nothing(void **state) {
    (void)state;
    for (size_t k = 1; k < 400; k++) {
        expr_node *d = NULL;
        expr_node *f = OP2(POW, OP1(SIN, x), y);
        ph_alloc_fail_from(k);
        ph_status st = expr_diff(&d, f, x, NULL);
        ph_alloc_fail_from(0);
        expr_drop(d);
        if (st == PH_OK) return;
        assert_int_equal(st, PH_ENOMEM);
    }
    fail_msg("never succeeded");
}

int main(void) {
    const struct CMUnitTest tests[] = {T(prints_what_would_be_typed),
                                       T(long_text_is_cut),
                                       T(constants_fold_exactly_or_not_at_all),
                                       T(undefined_constants_are_a_domain_error),
                                       T(depth_and_size_are_capped),
                                       T(one_name_with_two_assumptions_is_refused),
                                       T(evaluates_like_libm),
                                       T(sums_end),
                                       T(integral_functions),
                                       T(derivatives_agree_with_differences),
                                       T(conjugates_reach_the_symbols),
                                       T(mutants_change_the_formula),
                                       T(refused_memory_leaks_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
