/* Piecewise formulas under sums: each index is in a case of its own. The oracle adds the terms up in f64, for lengths up to 6.
 * Sources: verify/by_sums.c verify/cases.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "formula.h"
#include "verify/prove.h"

typedef struct {
    int n, round;
} point;

static bool value(void *ctx, const expr_node *atom, double complex *v) {
    const point *p = ctx;
    uint64_t h = (atom->hash ^ (uint64_t)p->round) * 0x9E3779B97F4A7C15u;
    if (atom->op == EXPR_SYM && !strcmp(atom->name, "n")) return *v = p->n, true;
    if (atom->op == EXPR_SYM && atom->kind == EXPR_INTEGER) return *v = (double)(h >> 32 & 7) - 2, true;
    return *v = ((double)(h >> 32 & 1023) - 512) / 64, true;
}

static bool is_false(const expr_node *s) {
    for (int k = 0; k < 60; k++) {
        double complex l, r;
        point p = {1 + k % 6, k};
        if (expr_eval(&l, s->arg[0], value, &p, NULL) || expr_eval(&r, s->arg[1], value, &p, NULL)) continue;
        if (cabs(l - r) > 1e-9 * (1 + cabs(l) + cabs(r))) return true;
    }
    return false;
}

static const char *const condition[] = {"lt(i, 2)",       "gt(a[i], 0)", "eq(i, n)", "ge(i, x)",
                                        "lt(a[i], a[1])", "ne(i, 3)",    "lt(x, 0)"};
static const char *const form[] = {
    "sum(piecewise(%s, 1, 0), i, 1, n) = n",
    "sum(piecewise(%s, 1, 0), i, 1, n)*(n - sum(piecewise(%s, 1, 0), i, 1, n)) = 0",
    "sum(piecewise(%s, 1, -1), i, 1, 2)^2 = 4",
    "sum(piecewise(%s, 1, -1), i, 1, n)^2 = n^2",
    "sum(piecewise(%s, 1, 0), i, 1, 3)*(3 - sum(piecewise(%s, 1, 0), i, 1, 3)) = 0",
    "(piecewise(%s, 1, 0) - 1)*sum(piecewise(%s, 1, 0), i, 1, 4) = 0",
    "piecewise(%s, 1, 0)*(n - sum(piecewise(%s, 1, 0), i, 1, n)) = 0",
    "sum(i*piecewise(%s, 1, 0), i, 1, 4)*(sum(i*piecewise(%s, 1, 0), i, 1, 4) - 10) = 0",
    "sum(sum(piecewise(%s, 1, 0), j, 1, 2), i, 1, 2)*(4 - sum(sum(piecewise(%s, 1, 0), j, 1, 2), i, 1, 2)) = 0",
    "sum(piecewise(%s, i, i), i, 1, 3) = 6",
    "sum(piecewise(%s, 1, 1), i, 1, 2) = 2",
    "sum(piecewise(%s, x, y), i, 1, 2) - sum(piecewise(%s, x, y), i, 2, 2) - piecewise(lt(1, 2), x, y) = 0",
};

static void no_false_case_is_proved(void **state) {
    (void)state;
    int wrong = 0, proved = 0;
    for (size_t f = 0; f < sizeof form / sizeof *form; f++)
        for (size_t c = 0; c < sizeof condition / sizeof *condition; c++) {
            char text[400];
            ver_verdict v;
            ph_err err = {0};
            snprintf(text, sizeof text, form[f], condition[c], condition[c]);
            expr_node *s = formula(text);
            if (ver_prove(&v, s, NULL, &err)) fail_msg("%s: %s", text, err.text);
            bool untrue = is_false(s);
            wrong += untrue;
            proved += v.strength == VER_PROVED;
            if (v.strength == (untrue ? VER_PROVED : VER_REFUTED))
                fail_msg("%s: %s", text, ver_strength_name(v.strength));
            ver_clear(&v);
            expr_drop(s);
        }
    assert_true(wrong >= 40 && proved >= 14);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_false_case_is_proved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
