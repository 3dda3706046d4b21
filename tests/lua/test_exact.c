/* Which numbers may enter a formula: integers, rat and text. A float is refused at every door, whole or not, typed or computed:
 * nothing tells 1.0 from tanh(20).
 * Sources: expr/decimal.c lua/entering.c lua/exact.c lua/expr.c lua/values.c */
#include "lab.h"

/* %s stands for a number. Each of these is fine with an integer, and refuses a float by naming what to write. */
static const char *const doors[] = {
    "x + %s",
    "%s - x",
    "x*%s",
    "x/%s",
    "x^%s",
    "rat(1)*%s",
    "maximum(x, %s)",
    "eq(x, %s)",
    "prove(x, %s)",
    "prove(%s, 1)",
    "prove(x, x, {where = gt(x, %s)})",
    "counterexample(x, %s)",
    "mutants(x, x*%s)",
    "rat(%s)",
    "rat(%s, 3)",
    "rat(3, %s)",
    "matrix{{x, %s}}",
    "matrix{{1, 2}, {3, 4}}*%s",
    "solve(matrix{{2}}, {%s})",
    "subst(x, x, %s)",
    "x[%s]",
    "sum(x[i], i, %s, 3)",
    "sum(x[i], i, 1, %s)",
    "prod(x[i], i, %s, 3)",
    "prod(x[i], i, 1, %s)",
    "prod(%s, i, 1, 3)",
    "piecewise(lt(x, %s), 1, 2)",
    "piecewise(lt(x, 1), %s, 2)",
    "certify(ge(x, 0), {x = {%s, 4}})",
    "certify(ge(x, 0), {x = %s})",
    "certify(eq(x, 0), {x = {0, 1}}, {radius = %s})",
    "monotone(x, x, 0, %s)",
    "enclose(x, {x = %s})",
    "integral(x, x, 0, %s)",
    "roots(x, x, -1, %s)",
    "bounds(x, {x = {0, %s}})",
    "induct(eq(x[i], %s), i, 0, {eq(x[i+1], x[i]), eq(x[0], 1)})",
    "expectation(x*%s, {x})",
    "I*x + complex(%s, 1)",
};
static const char *const floats[] = {"1.0",      "2.0",
                                     "tanh(20)", "10^0",
                                     "6/3",      "1e0",
                                     "sqrt(4)",  "1 - 1e-17",
                                     "4//2.0",   "math.tointeger(1) + 0.0",
                                     "0.5",      "0.1 + 0.2",
                                     "2^53",     "2.0^60",
                                     "cos(0)",   "I*tanh(20)/I*1.0"};

static char *run(lua_State *L, const char *door, const char *number) {
    char code[700], call[400], atom[80];
    snprintf(atom, sizeof atom, "(%s)", number);
    snprintf(call, sizeof call, door, atom);
    snprintf(code, sizeof code,
             "local x, i = sym \"x\", sym(\"i\", \"integer\") local ok, e = pcall(function() return %s end) "
             "return ok and \"fine\" or tostring(e)",
             call);
    if (luaL_dostring(L, code)) fail_msg("%s: %s", call, lua_tostring(L, -1));
    char *answer = strdup(lua_tostring(L, -1));
    lua_settop(L, 0);
    return answer;
}

static void every_door(void **state) {
    (void)state;
    lua_State *L = lab_open();
    for (size_t k = 0; k < sizeof doors / sizeof *doors; k++) {
        char *answer = run(L, doors[k], "2");
        if (strcmp(answer, "fine")) fail_msg("%s with 2: %s", doors[k], answer);
        free(answer);
        for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
            answer = run(L, doors[k], floats[f]);
            if (!strstr(answer, "write ") && !strstr(answer, "wanted a"))
                fail_msg("%s with %s: %s", doors[k], floats[f], answer);
            free(answer);
        }
    }
    lua_close(L);
}

/* What Lua's integers hold beyond 2^53 may be the remainder of an overflow. */
static void integers_that_may_have_wrapped(void **state) {
    (void)state;
    static const char *const wrapped[] = {"3037000500*3037000500", "math.maxinteger + 1", "1 << 63",
                                          "7^0//1 | 1 << 60", "99999999999*99999999999"};
    lua_State *L = lab_open();
    for (size_t k = 0; k < sizeof wrapped / sizeof *wrapped; k++) {
        char *answer = run(L, "x*(%s)", wrapped[k]);
        if (!strstr(answer, "wrapped") && !strstr(answer, "write ")) fail_msg("%s: %s", wrapped[k], answer);
        free(answer);
    }
    lua_close(L);
}

static void numbers_as_text(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"rat \"0.1\"", "1/10"},
        {"rat(\"1e-3\")", "1/1000"},
        {"rat(\"-22/7\")", "-22/7"},
        {"rat(\" 1.50e2 \")", "150"},
        {"rat(\"9223372036854775807\")", "9223372036854775807"},
        {"rat(\"000\")", "0"},
        {"rat((\"0\"):rep(10000) .. \"7\")", "7"},
        {"rat(\"0x10\")",
         "error: t:1: rat: '0x10' is no exact number; wanted text such as \"0.1\", \"1e-3\" or \"22/7\""},
        {"rat((\"9\"):rep(10000))",
         "error: t:1: rat: the number '9999999999999999999999999999999999999999…' does not "
         "fit a fraction of 64 bits (about 18 digits)"},
        {"rat(\"1e-19\")",
         "error: t:1: rat: the number '1e-19' does not fit a fraction of 64 bits (about 18 digits)"},
        {"rat(\"1/0\")", "error: t:1: rat: denominator 0: division by zero is undefined"},
        {NULL, NULL}};
    lab_run(cases);
}

/* I and integers stay exact under + - * and powers; anything else of them is rounded. */
static void gaussian_integers(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym \"x\" return (2 + 3*I)^2*x", "(-5 + 12*I)*x"},
        {"prove(I^2*x, -x).strength", "proved"},
        {"prove(complex(0, 1)*x, I*x).strength", "proved"},
        {"prove((1 + I)*(1 - I)*x, 2*x).strength", "proved"},
        {"pcall(function() return x*complex(tanh(20), 0) end)",
         "false\tt:1: mul: 1.0 is a floating-point "
         "number, which may be rounded; a formula holds exact ones: write 1 (powers and quotients of Lua's "
         "numbers are floats: rat(10)^4, rat(6, 2))"},
        {"(pcall(function() return x*(I*tanh(20)) end))", "false"},
        {"(pcall(function() return x*((4 + 2*I)/2) end))", "false"},
        {"(pcall(function() return x*exp(I*pi) end))", "false"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Two parts whose texts begin alike for longer than any text that is shown. */
static void long_parts_stay_apart(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym \"x\" function long(tail) local s = x for k = 1, 1900 do s = s + k end return s + tail end",
         ""},
        {"f = long(x*2) - long(x*3) return evaluate(f, {x = 5})", "-5.0"},
        {"evaluate(f, {x = array{5, 7}})", "f64 (2)\n  -5  -7"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_door),
                                       cmocka_unit_test(integers_that_may_have_wrapped),
                                       cmocka_unit_test(numbers_as_text), cmocka_unit_test(gaussian_integers),
                                       cmocka_unit_test(long_parts_stay_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
