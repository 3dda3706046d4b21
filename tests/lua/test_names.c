/* What a name means: unknown ones, hidden ones, the module, constants; how values are shown; where errors
 * point.
 * Sources: lib/prelude.lua lib/values.lua lua/bind.c lua/complex.c */
#include "lab.h"

static void unknown_names(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"sni(1)", "error: t:1: unknown name 'sni'; did you mean 'sin'?"},
        {"Zeros(3)", "error: t:1: unknown name 'Zeros'; did you mean 'zeros'?"},
        {"lnispace(0, 1, 3)", "error: t:1: unknown name 'lnispace'; did you mean 'linspace'?"},
        {"pritn(1)", "error: t:1: unknown name 'pritn'; did you mean 'print'?"},
        {"mine = 3; return mien", "error: t:1: unknown name 'mien'; did you mean 'mine'?"},
        {"qqqqqq", "error: t:1: unknown name 'qqqqqq'"},
        {"x", "error: t:1: unknown name 'x'"},
        {"gone = 1; gone = nil; return gone", "nil"},
        {"rawget(_G, \"nothing\")", "nil"},
        {"_G[1]", "nil"},
        {"(function()\n\n  return sni(1) end)()", "error: t:3: unknown name 'sni'; did you mean 'sin'?"},
        {"require(\"phasor\").sni", "error: t:1: unknown field 'sni' of the laboratory; did you mean 'sin'?"},
        {"require(\"phasor\").sin == sin, require(\"phasor\").zeros == zeros", "true\ttrue"},
        {"_G.sin == sin, _G._G == _G", "true\ttrue"},
        {"math.sin(0), string.rep(\"a\", 3)", "0.0\taaa"},
        {"type(phasor.version.lua), phasor.sin == sin", "string\ttrue"},
        {"phasor.version.phsor",
         "error: t:1: unknown field 'phsor' of phasor.version; did you mean 'phasor'?"},
        {NULL, NULL}};
    lab_run(cases);
}

/* No name of the laboratory is one of Lua's own. */
static void no_name_shadows_lua(void **state) {
    (void)state;
    lua_State *L = lab_open(), *plain = luaL_newstate();
    luaL_openlibs(plain);
    int shadows = 0;
    luaL_requiref(L, "phasor", NULL, 0);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        if (lua_getglobal(plain, lua_tostring(L, -2)) != LUA_TNIL) {
            print_error("%s is Lua's\n", lua_tostring(L, -2));
            shadows++;
        }
        lua_settop(plain, 0);
    }
    lua_close(L);
    lua_close(plain);
    assert_int_equal(shadows, 0);
}

static void note_warning(void *ud, const char *text, int more) {
    (void)more;
    char *all = ud;
    snprintf(all + strlen(all), 400 - strlen(all), "%s\n", text);
}

static void hiding_a_name_warns_once(void **state) {
    (void)state;
    char said[400] = "";
    lua_State *L = lab_open();
    lua_setwarnf(L, note_warning, said);
    assert_string_equal(lab_eval(L, "sum = 3"), "");
    assert_string_equal(said, "'sum' now hides the laboratory's own; 'sum = nil' brings that back\n");
    assert_string_equal(lab_eval(L, "sum = 4; return sum"), "4");
    assert_string_equal(lab_eval(L, "sum = nil; return sum{1, 2}"), "3.0");
    assert_string_equal(lab_eval(L, "sum = 5; mine = 6; print = print; return sum + mine"), "11");
    assert_string_equal(said, "'sum' now hides the laboratory's own; 'sum = nil' brings that back\n");
    lua_close(L);
}

static void two_environments_share_nothing(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_string_equal(lab_eval(L, "zzz9 = 1"), "");
    bind_env(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    assert_string_equal(lab_eval(L, "zzz9"), "error: t:1: unknown name 'zzz9'");
    assert_string_equal(lab_eval(L, "sin(0)"), "0.0");
    lua_close(L);
}

static void shown_values(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"pi", "3.141592653589793"},
        {"1/3", "0.3333333333333333"},
        {"0.1 + 0.2", "0.30000000000000004"},
        {"3, 3.0, 2^53, 1e300, -0.0", "3\t3.0\t9007199254740992.0\t1e+300\t-0.0"},
        {"inf, -inf, nan, -nan, 0/0", "inf\t-inf\tnan\tnan\tnan"},
        {"math.mininteger", "-9223372036854775808"},
        {"tostring(1/3), string.format(\"%s\", 1/3)", "0.3333333333333333\t0.3333333333333333"},
        {"\"text\"", "text"},
        {"{1, \"a\\n\", {b = true}}", "{1, \"a\\n\", {b = true}}"},
        {"{[1.5] = 1, [\"a b\"] = 2, x = 3, [true] = 4}", "{[true] = 4, [1.5] = 1, [\"a b\"] = 2, x = 3}"},
        {"t = {}; t.t = t; return t", "{t = {...}}"},
        {"sin, print, function() end", "function sin\tfunction\tfunction"},
        {"coroutine.create(print), io.stdout == nil", "a thread\tfalse"},
        {"rng(1)", "a random generator"},
        {"setmetatable({}, {__tostring = function() return \"mine\" end})", "mine"},
        {"nil, true", "nil\ttrue"},
        {"local t = {}; for i = 1, 30 do t[i] = i end; return t",
         "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ...}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void errors_point_at_the_user(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"local x = 1\n\nlocal y = sin(nil)",
         "error: t:3: sin: operand 1 is nil; wanted a number, an array or a table of numbers"},
        {"fromfunction(function(i)\n return zeros(-1) end, 2)",
         "error: t:2: zeros: a size is -1; wanted an integer of at least 0"},
        {"fromfunction(1, 2)", "error: t:1: fromfunction: f is 1; wanted a function of the indices"},
        {"zeros(2) + zeros(3)", "error: t:1: add: shapes (2) and (3) do not match; counted from the last "
                                "dimension, sizes must be equal or 1"},
        {"sin(\"a\\nb\\127\")", "error: t:1: sin: operand 1 is the string \"a?b?\"; wanted a number, an "
                                "array or a table of numbers"},
        {"sin(\"θθθθθθθθθθθθθθθθ\")",
         "error: t:1: sin: operand 1 is the string \"θθθθθθθθθθθθ...\"; wanted a number, an array "
         "or a table of numbers"},
        {"sin(print)",
         "error: t:1: sin: operand 1 is a function; wanted a number, an array or a table of numbers"},
        {"select(2, coroutine.resume(coroutine.create(function() return sin(nil) end)))",
         "t:1: sin: operand 1 is nil; wanted a number, an array or a table of numbers"},
        {"select(2, pcall(sin, nil))",
         "t:1: sin: operand 1 is nil; wanted a number, an array or a table of numbers"},
        {NULL, NULL}};
    lab_run(cases);
}

static void complex_numbers(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"complex(1, 2)", "1 + 2i"},
        {"complex(1.5, -0.25), complex(0, -0.0), complex(nan, inf)", "1.5 - 0.25i\t0 - 0i\tnan + inf i"},
        {"complex(1/3, 1e-300)", "0.3333333333333333 + 1e-300i"},
        {"(1 + 2*I) * (3 - I), (1 + 2*I) / I, 2 - I, -I, I^2", "5 + 5i\t2 - 1i\t2 - 1i\t-0 - 1i\t-1 + 0i"},
        {"(3 + 4*I):abs(), abs(3 + 4*I), I:angle() == pi/2, I:conj()", "5.0\t5.0\ttrue\t0 - 1i"},
        {"(1 + 2*I).re, (1 + 2*I).im", "1.0\t2.0"},
        {"(1 + 2*I).real", "error: t:1: unknown field 'real' of a complex number"},
        {"I == complex(0, 1), I == complex(1, 1), I == 1", "true\tfalse\tfalse"},
        {"I < 1", "error: t:1: complex numbers have no order; compare abs(z), z.re or z.im"},
        {"(I * array{1, 2}):totable()", "{0 + 1i, 0 + 2i}"},
        {"exp(I * pi / 2).im, sqrt(complex(-1)), log(complex(1))", "1.0\t0 + 1i\t0 + 0i"},
        {"cis(0), cis(pi/2).im, cis(array{0, 0}).shape", "1 + 0i\t1.0\t{2}"},
        {"\"z = \" .. (1 + I)", "z = 1 + 1i"},
        {"complex(\"1\")", "error: t:1: complex: the real part is the string \"1\"; wanted a number"},
        {"array{1, 2}[{1}] + I", "1 + 1i"},
        {"array{1 + I, 2}(1)", "1 + 1i"},
        {"local A = zeros(2); A[1] = I", "error: t:1: 0+1i does not fit in f64; take re or abs first"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_names),
        cmocka_unit_test(no_name_shadows_lua),
        cmocka_unit_test(hiding_a_name_warns_once),
        cmocka_unit_test(two_environments_share_nothing),
        cmocka_unit_test(shown_values),
        cmocka_unit_test(errors_point_at_the_user),
        cmocka_unit_test(complex_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
