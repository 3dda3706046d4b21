/* A condition that the user's own imply is not told; one that fails at a point they let in is. The oracle counts: poles are at known places.
 * Sources: verify/implied.c verify/trust.c verify/trial.c verify/turns.c verify/under.c */
#include "../lua/lab.h"

static void what_is_assumed_is_not_told_again(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"all(function(c) return k - c, {c} end, k)", "\t98"},
        {"all(function(c) return x - c, {c} end, x)", "\t98"},
        {"all(function(c) return x^2 - c*c, {c, -c} end, x)", "\t98"},
        {"all(function(c) return (x - c)*(x - 1), {c, 1} end, x)", "\t98"},
        {"all(function(c) return 2*k - 2*c, {c} end, k)", "\t98"},
        {"told(prove((k - 2)/(k - 2), 1, {where = ge(k, 3)})), told(prove((k - 2)/(k - 2), 1, {where = ge(k, 2)}))",
         "false\ttrue"},
        {"told(prove((x - y)/(x - y), 1, {where = gt(x, y)})), told(prove((x - y)/(x - y), 1, {where = ge(x, y)}))",
         "false\ttrue"},
        {"told(prove(exp(log(x)), x, {where = gt(x, 0)})), told(prove(exp(log(x)), x, {where = gt(x, -1)}))",
         "false\ttrue"},
        {"told(prove(x/x, 1, {where = eq(y, 1)}))", "true"},
        /* The user's own condition stands there once, whatever it is: an order that cannot be decided needs no deciding. */
        {"Q = symmatrix('Q', 2, 2); D = det(Q)", ""},
        {"select(2, prove(x*D/D, x, {where = ne(D, 0)}).conditions:gsub('!= 0', ''))", "1"},
        {"select(2, prove(x*D/(D*y), x/y, {where = ne(D, 0)}).conditions:gsub('!= 0', ''))", "2"},
        /* Conditions imply another together with what is assumed, and none that is not told takes one away. */
        {"prove(atan(x) + atan(1/x), Pi/2, {where = gt(x, 0)}).conditions", "for all real x with x > 0"},
        {"prove(atan(x) + atan(1/x), Pi/2, {where = ge(x, 0)}).conditions",
         "for all real x with x != 0, x >= 0"},
        {"prove(atan(x) + atan(1/x), -Pi/2, {where = lt(x, 0)}).conditions", "for all real x with x < 0"},
        {"told(prove((x + 1/x)/(x + 1/x), 1, {where = gt(x, 0)})), told(prove((x - 1/x)/(x - 1/x), 1, {where = gt(x, 0)}))",
         "false\ttrue"},
        {"told(prove((x + abs(1/x))/(x + abs(1/x)), 1, {where = gt(x, -1)}))", "true"},
        {"select(2, prove((x + 1/x)/(x + 1/x) + y/y, 2, {where = ge(x, 0)}).conditions:gsub('!= 0', ''))",
         "2"},
        {NULL, NULL}};
    lua_State *L = lab_open();
    if (luaL_dostring(L, fixture("@helper"))) fail_msg("%s", lua_tostring(L, -1));
    lab_run_in(L, cases);
    lua_close(L);
}

/* e^(2πi·p/q) is 1 exactly where q divides p. */
static void a_turn_is_whole_or_it_is_not(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"N = sym('N', 'natural'); wrong = ''; for p = -6, 6 do for q = 1, 6 do "
         "local v = prove(ne(exp(2*Pi*I*p/(q*N)), 1), {where = eq(N, 1)}) "
         "if p % q == 0 and v.strength == 'proved' or math.abs(p) < q and p ~= 0 and v.strength ~= 'proved' then "
         "wrong = wrong .. p .. '/' .. q .. ' ' end end end",
         ""},
        {"wrong", ""},
        {"prove(ne(exp(2*Pi*I*k/N), 1), {where = {ge(k, 1), lt(k, N)}}).strength", "proved"},
        {"prove(ne(1, exp(-2*Pi*I*k/N)), {where = {ge(k, 1), lt(k, N)}}).strength", "proved"},
        {"prove(ne(exp(2*Pi*I*k/N), 1), {where = {ge(k, 0), lt(k, N)}}).strength", "refuted"},
        {"prove(ne(exp(2*Pi*I*k/N), 1), {where = {ge(k, 1), le(k, N)}}).strength", "unknown"},
        {"prove(ne(exp(2*Pi*I/N), 1)).strength", "unknown"},
        {"prove(ne(exp(2*Pi*x/N), 1), {where = gt(N, 1)}).strength", "refuted"},
        {"prove(sum(exp(2*Pi*I*k/N), k, 0, N - 1), 0, {where = gt(N, 1)}).conditions",
         "for all natural N with N > 1"},
        {"prove(sum(exp(2*Pi*I*k/(N + 1)), k, 0, N), 0).conditions", "for all natural N"},
        {"told(prove((exp(2*Pi*I*x) - 1)/(exp(2*Pi*I*x) - 1), 1))", "true"},
        {NULL, NULL}};
    lua_State *L = lab_open();
    if (luaL_dostring(L, fixture("@helper"))) fail_msg("%s", lua_tostring(L, -1));
    lab_run_in(L, cases);
    lua_close(L);
}

static void a_condition_is_told_once(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y = sym 'x y'", ""},
        {"prove(sqrt(x - y)^2, x - y, {where = {ge(x, y), ge(x, y)}}).conditions",
         "for all real x, y with x >= y"},
        {"prove(matrix{{x/x, y/y}, {x*y/(x*y), 1}}, matrix{{1, 1}, {1, 1}}).conditions",
         "for all real x, y with x != 0, y != 0"},
        {"prove(matrix{{x/x, y}}, matrix{{1, y}}, {where = ge(x, y)}).conditions",
         "for all real x, y with x != 0, x >= y"},
        {NULL, NULL}};
    lab_run(cases);
}

/* What is not 0 because its factors are not, or because what it is equal to is not, is not told besides; what may be 0 all the same is. */
static void a_condition_that_others_imply_is_not_told(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y, z = sym 'x y z'; n = sym('n', 'integer'); N = sym('N', 'natural')", ""},
        {"function with(u, v, ...) local c = prove(u/u*(v/v), 1, ...).conditions; return c:match('with (.*)') or 'nothing' end",
         ""},
        {"with(x, x^n)", "x != 0"},
        {"with(y, sqrt(y^2)/(y*N))", "y != 0"},
        {"with(cosh(x)^2 - sinh(x)^2 + z, z + 1)", "z + 1 != 0"},
        {"with(2*x - 2*y, y - x)", "y - x != 0"},
        {"with(x*y^2, x)", "x != 0, y != 0"},
        {"with(cos(atan(x)), 2 + cos(x))", "nothing"},
        {"with(abs(x*y), y, {where = {ne(x, 0), ne(y, 0)}})", "x != 0, y != 0"},
        {"with(x - y, x + y)", "x - y != 0, x + y != 0"},
        {"with(x, x + 1)", "x != 0, x + 1 != 0"},
        {"with(1 + cos(x), 2 + cos(x))", "1 + cos(x) != 0"},
        {"with(cos(x), sin(x))", "cos(x) != 0, sin(x) != 0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* An end of a sum asks for one order, said once and as shortly as it can be; one that is less than another asks for is not said, one that is more is. */
static void an_order_that_another_implies_is_not_told(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x = sym 'x'; a = sym 'a'; i = sym('i', 'integer'); N = sym('N', 'natural')", ""},
        {"function with(...) local c = prove(...).conditions; return c:match('with (.*)') or 'nothing' end",
         ""},
        {"with(sum(rat(1), i, 1, N - 3), N - 3)", "N >= 3"},
        {"with(sum(rat(1), i, 1, N - 3)*x, (N - 3)*x, {where = gt(x, 0)})", "N >= 3, x > 0"},
        {"with(sum(a[i], i, 1, N - 3) + a[N - 2], sum(a[i], i, 1, N - 2))", "N - 3 >= 0"},
        {"with(sum(a[i], i, 1, N - 2) + sum(x, i, 1, N - 5), sum(a[i], i, 1, N - 2) + (N - 5)*x)",
         "N - 5 >= 0"},
        {"with(sum(exp(a[i]), i, 1, N)/sum(exp(a[i]), i, 1, N), 1)", "nothing"},
        {"with(sum(exp(a[i]), i, 1, N - 1)/sum(exp(a[i]), i, 1, N - 1), 1)",
         "sum(exp(a[i]), i, 1, N - 1) != 0"},
        {"with(sum(a[i]^2, i, 1, N)/sum(a[i]^2, i, 1, N), 1)", "sum(a[i]^2, i, 1, N) != 0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The data say what the line says, in either language. */
static void what_is_told_is_data(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y = sym 'x y'; N = sym('N', 'natural')", ""},
        {"v = prove(sqrt(x - y)^2*x/x, x - y, {where = {ge(x, y), ne(y, 3)}})", ""},
        {"#v.requires, v.requires[1], v.requires[2], v.requires[3]", "3\tne(x, 0)\tge(x, y)\tne(y, 3)"},
        {"v:text('zh')", "已证明，对一切实数 x, y，其中 x != 0, x >= y, y != 3；2 项"},
        {"prove(sym('k', 'positive') + N*x, N*x + sym('k', 'positive')):text('zh')",
         "已证明，对一切实数 x，正数 k，自然数 N；1 项"},
        {"v = prove(x*N, x + 1); p = v.point", ""},
        {"#p, p[1].name, p[2].name", "2\tN\tx"},
        {"v.witness == ('N = %s, x = %s: left side %s, right side %s'):format(p[1].value, p[2].value, p.left, p.right)",
         "true"},
        {"v:text('zh') == ('已反驳，反例：N = %s, x = %s：左边 %s，右边 %s'):format(p[1].value, p[2].value, p.left, p.right)",
         "true"},
        {"v = certify(lt(sin(x)/x, 2), {x = {0, 1}})", ""},
        {"#v.requires, v.requires[1], v.requires[2], v.requires[3]", "3\tge(x, 0)\tle(x, 1)\tne(x, 0)"},
        {"prove(x + x, 2*x).point, #prove(x + x, 2*x).requires", "nil\t0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Coq is asked for the statement under every condition, told or not. */
static void a_certificate_has_them_all(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"k = sym('k', 'integer'); c = prove((k - 2)/(k - 2), 1, {where = ge(k, 3)}):coq()", ""},
        {"c:find('<> 0', 1, true) ~= nil", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_assumed_is_not_told_again),
                                       cmocka_unit_test(a_certificate_has_them_all),
                                       cmocka_unit_test(a_turn_is_whole_or_it_is_not),
                                       cmocka_unit_test(a_condition_is_told_once),
                                       cmocka_unit_test(a_condition_that_others_imply_is_not_told),
                                       cmocka_unit_test(an_order_that_another_implies_is_not_told),
                                       cmocka_unit_test(what_is_told_is_data)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
