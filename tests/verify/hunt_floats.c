/* hunt_floats.c: results of floating-point arithmetic where exact numbers are wanted. Each is a whole number by rounding, and
 * must be refused wherever a formula, a box or a bound is built of it: nothing shows that it was meant exactly. */
#include "hunt.h"
#include "hunt_groups.h"

#include <string.h>

/* Whole as floating-point numbers; the exact values are other numbers. */
static const struct {
    const char *lua;
    int whole;
} floats[] = {
    {"tanh(20)", 1},
    {"tanh(25)*3", 3},
    {"(1 - exp(-50))", 1},
    {"cos(1e-9)", 1},
    {"(0.1 + 0.7)*10 - 8 + 2 + 8.9e-16", 2},
    {"exp(1e-17)", 1},
    {"(1e16 + 1 - 1e16)", 0},
    {"2*sinh(40)/exp(40)", 1},
    {"sum(array{1e16, 1, -1e16})", 0},
    {"array{tanh(20), 2}(1)", 1},
    {"maximum(tanh(20), 0.5)", 1},
    {"evaluate(tanh(x), {x = 20})", 1},
    {"complex(tanh(20), 0)", 1},
    {"mean(array{tanh(20), tanh(21)})", 1},
    {"norm(array{1e-9, 1})", 1},
};

static const char *const places[] = {
    "prove(x + %s, x + %d)",
    "prove(x*%s, %d*x)",
    "prove(eq(x + %s, x + %d))",
    "prove(ge(x + %s, x + %d))",
    "prove(maximum(x, %s), maximum(x, %d))",
    "prove(x^(%s), x^%d)",
    "prove(k^2 + %s, k^2 + %d)",
    "prove(matrix{{x, %s}}, matrix{{x, %d}})",
    "prove(ge(x, 0), {where = ge(x, %s)}), %d",
    "prove(subst(x + y, y, %s), x + %d)",
    "prove(piecewise(lt(x, %s), 1, 2), piecewise(lt(x, %d), 1, 2))",
    "prove(sum(x, i, 0, %s), sum(x, i, 0, %d))",
    "prove(a[%s], a[%d])",
    "certify(ge(x, 0), {x = {0, %s}}), %d",
    "certify(eq(x, x), {x = {0, 1}}, {radius = %s}), %d",
    "enclose(x + %s, {x = %d})",
    "enclose(x, {x = %s}), %d",
    "integral(x, x, 0, %s), %d",
    "roots(x - %s, x, -1, %d)",
    "rat(%s) + x*%d",
    "rat(1, 5) + rat(%s, 7) + %d",
    "det(matrix{{%s, 2}, {3, rat(%d)}})",
    "induct(eq(a[n], %s), n, 0, {eq(a[n + 1], a[n]), eq(a[0], %d)})",
    "derivative(x*%s + %d, x)",
};

void make_float(hunt_case *c) {
    c->number[0] = below((int)(sizeof floats / sizeof *floats));
    c->number[1] = below((int)(sizeof places / sizeof *places));
    c->n = 0;
}

void ask_float(text *t, const hunt_case *c) {
    const char *place = places[c->number[1]], *f = strstr(place, "%s"), *d = strstr(place, "%d");
    put(t, "%.*s%s%.*s%d%s", (int)(f - place), place, floats[c->number[0]].lua, (int)(d - f - 2), f + 2,
        floats[c->number[0]].whole, d + 2);
}

/* No error, no refusal: a rounded number has been taken for an exact one. */
outcome judge_float(text *why, const hunt_case *c, lua_State *L) {
    (void)c;
    (void)L;
    return fault(why, "a floating-point result was taken for an exact number");
}
