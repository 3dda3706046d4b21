/* a[n] may be a[1], and a[2] lives in Σ a[i]: what changes, derives by or takes the mean of one member must see it. The oracle is
 * f64 arithmetic with a[k] = 1/(k + 11), n = 1.
 * Sources: expr/members.c verify/moments.c verify/parts.c verify/symmetric.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "formula.h"
#include "verify/exact.h"
#include "verify/prove.h"

static const char *const formulas[] = {
    "sum(a[i]^2, i, 1, 3)",
    "sum(a[i]*a[i+1], i, 0, 4)",
    "sum(i*a[i], i, 1, 3)*a[2]",
    "a[n]",
    "a[n]*a[1]",
    "a[n+1]",
    "a[2*n]",
    "sum(a[i], i, 1, n)",
    "sum(sum(a[i]*a[j], j, 1, 2), i, 1, 2)",
    "a[1] + a[2] - a[3]",
    "sum(a[2*i], i, 0, 2)",
    "sin(sum(a[i]*x[i], i, 1, 3))",
    "a[n]*a[n+1]*a[n-1]",
    "sum(a[3-i], i, 0, 3)",
    "sum(a[i], i, 1, 2)/sum(a[i]^2, i, 2, 3)",
    "a[2*n+1]",
    "x[n]*a[4]",
    "sum(x[i], i, 1, n) + a[1]",
};
static double shift; /* of a[1] */

static bool value(void *ctx, const expr_node *atom, double complex *v) {
    (void)ctx;
    if (atom->op == EXPR_SYM) return *v = 1, true;
    double k = (double)atom->arg[1]->num;
    *v = 1 / (k + 11) + (k == 1 && atom->arg[0]->name[0] == 'a' ? shift : 0);
    return true;
}

static double at(const expr_node *e, double moved) {
    double complex v;
    shift = moved;
    assert_int_equal(expr_eval(&v, e, value, NULL, NULL), PH_OK);
    return creal(v);
}

/* Either refused, or what a difference quotient says: (f(h) − f(−h))/2h with h = 1e-4 is off by h²/6·f''' and 1e-16/h. */
static void derivatives(void **state) {
    (void)state;
    int answered = 0;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        expr_node *f = formula(formulas[i]), *x = formula("a[1]"), *d;
        ph_err err = {0};
        if (!expr_diff(&d, f, x, &err)) {
            double q = (at(f, 1e-4) - at(f, -1e-4)) / 2e-4, gap = at(d, 0) - q;
            if (!(isfinite(gap) && fabs(gap) <= 1e-5 * (1 + fabs(q))))
                fail_msg("%s: off by %g", formulas[i], gap);
            answered++;
            expr_drop(d);
        } else assert_non_null(strstr(err.text, "may be the same member"));
        expr_drop(f);
        expr_drop(x);
    }
    assert_true(answered >= 10);
}

static void substitutions(void **state) {
    (void)state;
    int answered = 0;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        expr_node *f = formula(formulas[i]), *x = formula("a[1]"), *to = formula("5/7"), *g;
        ph_err err = {0};
        if (!expr_subst(&g, f, x, to, &err)) {
            double gap = at(g, 0) - at(f, 5.0 / 7 - 1.0 / 12);
            if (!(isfinite(gap) && fabs(gap) <= 1e-13)) fail_msg("%s: off by %g", formulas[i], gap);
            answered++;
            expr_drop(g);
        } else assert_non_null(strstr(err.text, "may be the same member"));
        expr_drop(f);
        expr_drop(x);
        expr_drop(to);
    }
    assert_true(answered >= 10);
}

/* Symmetric in a[1], a[2] is proved only of what f64 finds symmetric. */
static void symmetries(void **state) {
    (void)state;
    static const struct {
        const char *text;
        ver_strength want;
    } rows[] = {{"sum(a[i]^2, i, 1, 3)", VER_PROVED},  {"sum(i*a[i], i, 1, 2)", VER_REFUTED},
                {"sum(i*a[i], i, 1, n)", VER_UNKNOWN}, {"a[n]", VER_UNKNOWN},
                {"a[1]*a[2]*a[3]", VER_PROVED},        {"sum(a[i]*a[i+1], i, 1, 2)", VER_REFUTED},
                {"sum(a[i], i, 1, 2)*x", VER_PROVED},  {"sum(a[i], i, 2, 3)", VER_REFUTED},
                {"sum(x[i], i, 1, n)", VER_PROVED},    {"a[n] + a[1] + a[2]", VER_UNKNOWN},
                {"sum(a[3-i], i, 1, 2)", VER_PROVED},  {"a[2*n+1] + a[2]", VER_UNKNOWN}};
    expr_node *sym[] = {formula("a[1]"), formula("a[2]")};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_verdict v;
        ph_err err = {0};
        expr_node *f = formula(rows[i].text);
        if (ver_symmetric(&v, f, sym, 2, 1, &err)) fail_msg("%s: %s", rows[i].text, err.text);
        if (v.strength != rows[i].want) fail_msg("%s: %s", rows[i].text, ver_strength_name(v.strength));
        ver_clear(&v);
        expr_drop(f);
    }
    expr_drop(sym[0]);
    expr_drop(sym[1]);
}

/* Means and variances with a[1] random, all else fixed: written out by hand, or refused. */
static void moments(void **state) {
    (void)state;
    static const struct {
        const char *text, *mean, *variance; /* NULL: refused */
    } rows[] = {
        {"sum(a[i], i, 1, 3)", "a[2] + a[3]", "1"},
        {"sum(i*a[i]^2, i, 1, 2)", "1 + 2*a[2]^2", NULL},
        {"a[1]*sum(a[i], i, 1, 2)", "1", NULL},
        {"sum(a[i], i, 1, n)", NULL, NULL},
        {"a[n]", NULL, NULL},
        {"a[n]*a[1]", NULL, NULL},
        {"x*a[1] + a[2]", "a[2]", "x^2"},
        {"sum(a[i]*a[1], i, 2, 3)", "0", "(a[2] + a[3])^2"},
        {"sum(x[i]*a[i], i, 1, 2)", "x[2]*a[2]", "x[1]^2"},
        {"x[a[1]]", NULL, NULL},
        {"a[2*n]", "a[2*n]", "0"},
    };
    expr_node *random[] = {formula("a[1]")};
    expr_set set = {.n = 1, .item = random};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int moment = 1; moment <= 2; moment++) {
            const char *wanted = moment == 1 ? rows[i].mean : rows[i].variance;
            ver_verdict v;
            ph_err err = {0};
            expr_node *f = formula(rows[i].text), *m, *w, *s;
            ph_status st = ver_moment(&m, f, &set, moment, &err);
            expr_drop(f);
            if ((st == PH_OK) != (wanted != NULL))
                fail_msg("%s: %s", rows[i].text, st ? err.text : "answered");
            if (st) continue;
            assert_int_equal(expr_make2(&s, EXPR_EQ, m, w = formula(wanted), &err), PH_OK);
            assert_int_equal(ver_prove(&v, s, NULL, &err), PH_OK);
            if (v.strength != VER_PROVED) fail_msg("moment %d of %s", moment, rows[i].text);
            ver_clear(&v);
            expr_drop(m);
            expr_drop(w);
            expr_drop(s);
        }
    expr_drop(random[0]);
}

/* One name, one symbol: what is put for a positive x must not leave a real x of that name as it is. */
static void names(void **state) {
    (void)state;
    expr_node *f = formula("x^2"), *other, *out, *family = formula("a[1] + 2"), *a = formula("a");
    ph_err err = {0};
    assert_int_equal(expr_sym(&other, "x", EXPR_POSITIVE, &err), PH_OK);
    assert_int_equal(expr_diff(&out, f, other, &err), PH_EARG);
    assert_non_null(strstr(err.text, "stands for two symbols"));
    assert_int_equal(expr_subst(&out, f, other, f, &err), PH_EARG);
    assert_int_equal(expr_subst(&out, family, a, f, &err), PH_EARG);
    expr_set set = {.n = 1, .item = &other};
    assert_int_equal(ver_moment(&out, f, &set, 1, &err), PH_EARG);
    expr_drop(f);
    expr_drop(other);
    expr_drop(family);
    expr_drop(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(substitutions),
                                       cmocka_unit_test(symmetries), cmocka_unit_test(moments),
                                       cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
