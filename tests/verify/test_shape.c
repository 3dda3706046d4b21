/* Formulas in one shape: against texts written by hand, and, for formulas made at random, against their values.
 * Sources: verify/shape.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cmplx.h"
#include "formula.h"
#include "verify/shape.h"

static const struct {
    const char *from, *to;
} shapes[] = {
    {"n + 2 - m + m + m - 5", "m + n - 3"},
    {"n - m - n", "-m"},
    {"x - x", "0"},
    {"θ[2] + θ[1] + x - θ[2]", "x + θ[1]"},
    {"m + m + m - 1", "3*m - 1"},
    {"abs(n - m)", "abs(m - n)"},
    {"abs(m - n)", "abs(m - n)"},
    {"abs(2 - 5)", "3"},
    {"abs((0 - 2)*(n - m))", "2*abs(m - n)"},
    {"0*sin(x) + 1*cos(0*x) + y^1", "1 + y"},
    {"sin(x - x) + exp(y - y) + tanh(0*x)", "1"},
    {"x^0", "x^0"},
    {"sqrt(2)^0", "1"},
    {"0/x + x/1", "x"},
    {"0 - sin(x)", "-sin(x)"},
    {"maximum(sqrt(2), 1)*x", "sqrt(2)*x"},
    {"minimum(sqrt(2), 1) + maximum(x, 1)", "1 + maximum(x, 1)"},
    {"piecewise(lt(m - m, 1), sin(n - m + m), 5)", "sin(n)"},
    {"piecewise(gt(sqrt(2), 2), 7, lt(n, m), 2 + 3, x + 0)", "piecewise(lt(-m + n, 0), 5, x)"},
    {"piecewise(lt(n, m), 1, lt(1, sqrt(3)), 2, 9)", "piecewise(lt(-m + n, 0), 1, 2)"},
    {"piecewise(lt(sqrt(2)^2, 2), 1, 3)", "piecewise(lt(sqrt(2)^2, 2), 1, 3)"}, /* balls cannot tell */
    {"sum(i + x - x + 0, i, 1, n)", "sum(i, i, 1, n)"},
    /* the constant comes last, and only where it is not 0 */
    {"2 - n", "-n + 2"},
    {"-(n + 3)", "-n - 3"},
    {"-(n - m)", "m - n"},
    {"n + 5 - n - 5", "0"},
    {"θ[10] + θ[9]", "θ[9] + θ[10]"},
    {"1/2 + n", "1/2 + n"},
    {"1 + n + 9223372036854775806", "n + 9223372036854775807"},
    {"2 + n + 9223372036854775806", "n + 2 + 9223372036854775806"},
    {"n - 9223372036854775807 + m - 1", "m + n - 9223372036854775807 - 1"},
    /* of two that differ in sign, the one whose first symbol is counted upward */
    {"abs(n - n)", "0"},
    {"abs(0 - 7)", "7"},
    {"abs(1 - n)", "abs(n - 1)"},
    {"abs(-n)", "abs(n)"},
    {"abs(2 - n + m)", "abs(m - n + 2)"},
    {"abs((0 - 1)*sin(x))", "abs(sin(x))"},
    {"abs(3*sin(x))", "3*abs(sin(x))"},
    {"abs(sin(x) - 1)", "abs(sin(x) - 1)"},
    /* what leaves a value as it is goes, and nothing else */
    {"sin(x)*0", "0"},
    {"sin(x)*1 + 2*sin(x)", "sin(x) + 2*sin(x)"},
    {"0 + sin(x) - 0", "sin(x)"},
    {"1 + sin(x) - 1", "1 + sin(x) - 1"},
    {"0/sin(x) + sin(x)/1", "sin(x)"},
    {"1/sin(x)", "1/sin(x)"},
    {"sin(x)^1 + sin(x)^0 + sin(x)^2", "sin(x) + sin(x)^0 + sin(x)^2"},
    {"sin(0*x) + cos(0*x)*sin(1)", "sin(1)"},
    {"tanh(1)*tanh(x - x)", "0"},
    {"maximum(1, sqrt(2)) + minimum(1, sqrt(2))*x", "sqrt(2) + x"},
    {"maximum(2, 2)*sin(x)", "2*sin(x)"},
    {"maximum(sqrt(2)^2, 2)", "maximum(sqrt(2)^2, 2)"},
    {"piecewise(le(1, 1), sin(x), 5)", "sin(x)"},
    {"piecewise(lt(1, 1), sin(x), 5)", "5"},
    {"piecewise(ne(1, 1), 3, lt(x, 1), 4, 5)", "piecewise(lt(x - 1, 0), 4, 5)"},
    {"piecewise(lt(n + 1, m + 2), 1, 2)", "piecewise(lt(-m + n - 1, 0), 1, 2)"},
    {"piecewise(lt(sin(0*x), exp(x)^1), 1, 2)", "piecewise(lt(0, exp(x)), 1, 2)"},
};

static char *shape_text(const char *from) {
    char *text;
    ph_err err = {0};
    expr_node *e = formula(from), *s;
    assert_int_equal(ver_shape(&s, e, &err), PH_OK);
    assert_int_equal(expr_text(&text, s, 0, &err), PH_OK);
    expr_drop(e);
    expr_drop(s);
    return text;
}

static void written_in_one_way(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        expr_node *to = formula(shapes[i].to);
        char *seen = shape_text(shapes[i].from), *wanted;
        ph_err err;
        assert_int_equal(expr_text(&wanted, to, 0, &err), PH_OK);
        if (strcmp(seen, wanted)) fail_msg("%s: wanted %s; it is %s", shapes[i].from, wanted, seen);
        expr_drop(to);
        ph_free(seen);
        ph_free(wanted);
    }
}

/* θ[a] + … + θ[b], upward or downward. */
static size_t put_members(char *out, size_t room, int a, int b) {
    size_t n = 0;
    for (int i = a;; i += a < b ? 1 : -1) {
        n += (size_t)snprintf(out + n, room - n, "%sθ[%d]", i == a ? "" : " + ", i);
        if (i == b) return n;
    }
}

/* A longer sum is none that is put in order; its first 32 are. */
static void of_up_to_32_symbols(void **state) {
    (void)state;
    for (int most = 31; most <= 33; most++) {
        char from[400], to[400], *seen;
        put_members(from, sizeof from, most, 1);
        size_t n = put_members(to, sizeof to, most < 33 ? 1 : 2, most);
        if (most == 33) snprintf(to + n, sizeof to - n, " + θ[1]");
        seen = shape_text(from);
        assert_string_equal(seen, to);
        ph_free(seen);
    }
}

static bool value(void *ctx, const expr_node *atom, double complex *v) {
    uint64_t h = (atom->hash ^ *(uint64_t *)ctx) * 0x9E3779B97F4A7C15u;
    return *v = (double)(h >> 40 & 63) / 8 - 4, true;
}

static uint64_t drawn;
static unsigned draw(unsigned n) {
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(drawn >> 33) % n;
}

static void write_formula(char *out, size_t room, int depth) {
    static const char *const leaf[] = {"x", "m", "n", "θ[1]", "0", "1", "2", "3"};
    static const char *const form[] = {"(%s + %s)",       "(%s - %s)",      "(%s*%s)",
                                       "maximum(%s, %s)", "abs(%s - %s)",   "piecewise(lt(%s, %s), 2, x)",
                                       "sin(%s)*(%s)",    "minimum(%s, %s)"};
    char a[600], b[600];
    if (depth == 0) {
        snprintf(out, room, "%s", leaf[draw(8)]);
        return;
    }
    write_formula(a, sizeof a, depth - 1);
    write_formula(b, sizeof b, (int)draw((unsigned)depth));
    snprintf(out, room, form[draw(8)], a, b);
}

/* In eighths and small, so that all but sin is exact: what is apart by more than the rounding of some thirty steps is another number. */
static void means_the_same(void **state) {
    (void)state;
    int changed = 0;
    for (uint64_t k = 0; k < 400; k++) {
        char text[1300];
        ph_err err;
        expr_node *s;
        double complex u, v;
        write_formula(text, sizeof text, 4);
        expr_node *e = formula(text);
        assert_int_equal(ver_shape(&s, e, &err), PH_OK);
        assert_int_equal(expr_eval(&u, e, value, &k, &err), PH_OK);
        assert_int_equal(expr_eval(&v, s, value, &k, &err), PH_OK);
        double off = cabs(u - v);
        if (!(isfinite(off) && off <= 1e-12 * (1 + cabs(u))))
            fail_msg("%s is %g, in shape %g", text, creal(u), creal(v));
        changed += !expr_same(e, s);
        expr_drop(e);
        expr_drop(s);
    }
    assert_true(changed > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_in_one_way),
        cmocka_unit_test(of_up_to_32_symbols),
        cmocka_unit_test(means_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
