/* `measure` takes deviations and a derived bound, and nothing that is not finite passes; dd keeps 32 digits; what is given of a sequence must
 * fit its kind before it refutes; the variance of what is complex is real; a witness can be looked at again with all that is assumed.
 * Sources: array/dd.c lua/dd.c lua/measure.c lua/verify.c verify/induct.c verify/measure.c verify/moments.c verify/prove.c */
#include "lab.h"

static void a_measurement_holds_or_keeps_its_witness(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"measure{value=1e-16, bound=2e-16, why=\"r\"}", "measured: max deviation 1e-16 ≤ 2e-16 (1 sample)"},
        {"measure{value=-3, bound=2, why=\"r\"}", "refuted: the value: max deviation 3 > 2 (1 sample)"},
        {"measure{value=3 + 4*I, bound=5, why=\"r\"}", "measured: max deviation 5 ≤ 5 (1 sample)"},
        {"measure{value=array{{0, 1}, {-7, 2}}, bound=3, why=\"r\"}",
         "refuted: at [2, 1]: max deviation 7 > 3 (4 samples)"},
        {"measure{value=array{{0, 1}, {-7, 2}}, bound=array{1, 9}, why=\"r\"}.witness", "at [2, 1]"},
        {"measure{value={1, 5}, bound={4, 10}, why=\"r\"}", "measured: worst deviation 5 ≤ 10 (2 samples)"},
        {"measure{value={1, 0/0, 9}, bound=4, why=\"r\"}",
         "refuted: at [2]: deviation nan is not within 4 (3 samples)"},
        {"measure{value=1/0, bound=4, why=\"r\"}.strength", "refuted"},
        {"measure{value={{1, 9}}, bound=1, why=\"r\", at=function(i, j) return i .. \"/\" .. j end}.witness",
         "1/2"},
        {"measure{value={}, bound=1, why=\"r\"}", "unknown: needs data: not one sample was measured"},
        {"measure{value={}, bound=1, why=\"r\"}.holds", "false"},
        {"f = function(g) local x = rand(g) return x, \"x = \" .. x end", ""},
        {"measure{f=f, bound=1, why=\"r\", samples=5, seed=7}.conditions", "seed 7"},
        {"v = measure{value={1, 5}, bound=2, why=\"r\", at=function() end}", ""},
        {"v.witness, #v.point, v.point[1].name, v.point[1].value, v.point.left", "at [2]\t1\t1\t2\tnil"},
        {"v:text 'zh', v.seed", "已反驳，反例：位于 [2]：最大偏差 5 > 2（2 个样本）\tnil"},
        {"v = measure{f=function() return 2 end, bound=1, why=\"r\", samples=3, seed=-7}", ""},
        {"v.seed, v.point[1].name, v.point[1].value", "-7\tsample\t1"},
        {"v:text 'zh'", "已反驳，反例：样本 1：最大偏差 2 > 1（3 个样本，种子 -7）"},
        {"#measure{value=5, bound=2, why=\"r\"}.point, measure{value=1, bound=2, why=\"r\"}.point", "0\tnil"},
        {"v = measure{f=f, bound=0.5, why=\"r\", claim=\"x is small\"}", ""},
        {"v.strength", "refuted"},
        {"v.witness == \"x = \" .. v.value", "true"},
        {"v.statement .. \"/\" .. v.why .. \"/\" .. v.method", "x is small/r/seeded samples"},
        {"v.size", "1000"},
        {"tostring(v) == tostring(measure{f=f, bound=0.5, why=\"r\"})", "true"},
        {"measure{f=function() return 0/0 end, bound=1, why=\"r\", samples=2}",
         "refuted: sample 1: deviation nan is not within 1 (2 samples, seed 1)"},
        /* f may return several at once, of which none may be beyond the bound or no number */
        {"measure{f=function() return array{{1, -3}, {2, 0}} end, bound=3, why=\"r\", samples=2}",
         "measured: max deviation 3 ≤ 3 (2 samples, seed 1)"},
        {"measure{f=function() return {1, -3} end, bound=2, why=\"r\", samples=2}",
         "refuted: sample 1: max deviation 3 > 2 (2 samples, seed 1)"},
        {"measure{f=function() return array{1, 0/0, 2} end, bound=4, why=\"r\", samples=1}",
         "refuted: sample 1: deviation nan is not within 4 (1 sample, seed 1)"},
        {"measure{f=function() return array{3 + 4*I} end, bound=5, why=\"r\", samples=1}.value", "5.0"},
        {"v.reason == nil and v.time >= 0", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* 2^53 + 1 is above 2^53, and both are one f64; what wrapped may be any integer. */
static void integers_that_no_f64_holds_are_no_deviations(void **state) {
    static const lab_case cases[] = {
        {"measure{value=2^53 // 1 | 0, bound=2^53 // 1 | 0, why=\"r\"}.strength", "measured"},
        {"measure{value=9007199254740993, bound=9007199254740992, why=\"r\"}",
         "error: t:1: measure: value is 9007199254740993; wanted a float, or an integer up to 2^53: beyond it an "
         "f64 rounds integers, and Lua's may have wrapped"},
        {"measure{value={{1}, {math.mininteger}}, bound=1, why=\"r\"}",
         "error: t:1: measure: value is -9223372036854775808; wanted a float, or an integer up to 2^53: beyond it "
         "an f64 rounds integers, and Lua's may have wrapped"},
        {"measure{value=1, bound={math.maxinteger}, why=\"r\"}",
         "error: t:1: measure: bound is 9223372036854775807; wanted a float, or an integer up to 2^53: beyond it an "
         "f64 rounds integers, and Lua's may have wrapped"},
        {"measure{f=function() return math.mininteger end, bound=1, why=\"r\"}",
         "error: t:1: measure: what f returned is -9223372036854775808; wanted a float, or an integer up to 2^53: "
         "beyond it an f64 rounds integers, and Lua's may have wrapped"},
        {"measure{f=function() return 1 end, bound=math.maxinteger, why=\"r\"}",
         "error: t:1: measure: bound is 9223372036854775807; wanted a float, or an integer up to 2^53: beyond it an "
         "f64 rounds integers, and Lua's may have wrapped"},
        /* a table that holds itself many times: to look through all that would take 10^20 steps */
        {"t = {} for i = 1, 300 do t[i] = t end return measure{value=t, bound=1, why=\"r\"}",
         "error: t:1: measure: the table is nested deeper than 8"},
        {NULL, NULL}};
    (void)state;
    lab_run(cases);
}

static void what_cannot_be_a_measurement_is_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"measure(3)", "error: t:1: measure: the argument is 3; wanted a table of names, as in the help"},
        {"measure()", "error: t:1: measure: 0 arguments given; wanted 1"},
        {"measure{value=1, bound=1}",
         "error: t:1: measure: why is nil; wanted how the bound is derived, in words"},
        {"measure{value=1, bound=1, why=\"\"}",
         "error: t:1: measure: why is the string \"\"; wanted how the bound is derived, in words"},
        {"measure{value=1, why=\"r\"}",
         "error: t:1: measure: bound is nil; wanted what the deviation may be at most"},
        {"measure{value=1, bound=-1, why=\"r\"}",
         "error: t:1: measure: bound is -1.0; wanted a finite number from 0"},
        {"measure{value=1, bound=0/0, why=\"r\"}",
         "error: t:1: measure: bound is nan; wanted a finite number from 0"},
        {"measure{value=1, bound=1/0, why=\"r\"}",
         "error: t:1: measure: bound is inf; wanted a finite number from 0"},
        {"measure{bound=1, why=\"r\"}",
         "error: t:1: measure: wanted either value (the deviations) or f (a function that yields one)"},
        {"measure{value=1, f=print, bound=1, why=\"r\"}",
         "error: t:1: measure: wanted either value (the deviations) or f (a function that yields one)"},
        {"measure{value=1, seed=3, bound=1, why=\"r\"}",
         "error: t:1: measure: seed goes with f; value says all its deviations at once"},
        {"measure{value=1, samples=0, bound=1, why=\"r\"}",
         "error: t:1: measure: samples is 0; wanted an integer of at least 1"},
        {"measure{value=1, samples=10, bound=1, why=\"r\"}.size", "10"},
        {"measure{value={}, samples=10, bound=1, why=\"r\"}.strength", "unknown"},
        {"measure{value=\"1\", bound=1, why=\"r\"}",
         "error: t:1: measure: value is the string \"1\"; wanted a number, an array or a table of numbers"},
        {"measure{value=true, bound=1, why=\"r\"}",
         "error: t:1: measure: value is true; wanted numbers, the deviations"},
        {"measure{value={1, 2}, bound={1, 2, 3}, why=\"r\"}",
         "error: t:1: measure: bound: shape (3) does not stretch to (2)"},
        {"measure{f=3, bound=1, why=\"r\"}", "error: t:1: measure: f is 3; wanted a function"},
        {"measure{f=function() end, bound=1, why=\"r\"}",
         "error: t:1: measure: what f returned is nil; wanted numbers, the deviations"},
        {"measure{f=function() return {} end, bound=1, why=\"r\"}",
         "error: t:1: measure: what f returned is an array of shape (0); wanted numbers, the deviations"},
        {"measure{f=function() error(\"no\", 0) end, bound=1, why=\"r\"}", "error: no"},
        {"measure{f=print, samples=0, bound=1, why=\"r\"}",
         "error: t:1: measure: samples is 0; wanted an integer of at least 1"},
        {"measure{vale=1, bound=1, why=\"r\"}",
         "error: t:1: measure: unknown option 'vale'; did you mean 'value'?"},
        {"v = measure{value=0, bound=0, why=\"r\"}", ""},
        {"v.strenght", "error: t:1: unknown field 'strenght' of a verdict; did you mean 'strength'?"},
        {"v:text(), v:text(\"en\") == tostring(v), v:text(\"zh\")",
         "measured: max deviation 0 ≤ 0 (1 sample)\ttrue\t实测：最大偏差 0 ≤ 0（1 个样本）"},
        {"v:text(\"fr\")", "error: t:1: text: the language is the string \"fr\"; wanted \"en\" or \"zh\""},
        {"v:text(3)", "error: t:1: text: the language is 3; wanted \"en\" or \"zh\""},
        {"v:text(\"en\", 1)", "error: t:1: text: 3 arguments given; wanted 1 to 2"},
        {"v:json{tim=true}", "error: t:1: json: unknown option 'tim'; did you mean 'time'?"},
        {"v:json{time=true}:find(\"time\") ~= nil and not v:json():find(\"time\")", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

static void double_doubles_keep_32_digits(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"third = dd(1) / 3", ""},
        {"third.hi == 1/3, abs(third.lo - 1.850371707708594e-17) < 1e-32", "true\ttrue"},
        {"(third * 3 - 1).hi", "0.0"},
        {"x = dd(2) ^ dd(0.5)", ""},
        {"abs((x * x - 2).hi) < 2^-98", "true"},
        {"(dd(-2) ^ 3).hi, (dd(2) ^ -2).hi, (dd(-2) ^ 0.5).hi ~= (dd(-2) ^ 0.5).hi", "-8.0\t0.25\ttrue"},
        {"a = dd(array{{1}, {2}}) * array{1, 10, 100}", ""},
        {"a.hi:totable()", "{{1.0, 10.0, 100.0}, {2.0, 20.0, 200.0}}"},
        {"(a - a).lo:sum()", "0.0"},
        {"(-dd(3)).hi, (dd(1) / 0).hi, (dd(1) / 0).lo", "-3.0\tinf\t0.0"},
        {"s, c = dd(0.5):sin(), dd(0.5):cos()", ""},
        {"abs((s*s + c*c - 1).hi) < 2^-98", "true"},
        {"dd(1, 2^-80)", "1.0 + 8.271806125530277e-25"},
        {"(2 - dd(1)).hi", "1.0"},
        {"dd(array{1, 2}) + dd(array{1, 2, 3})", "error: t:1: dd: shapes (2) and (3) do not match; counted "
                                                 "from the last dimension, sizes must be equal or 1"},
        {"dd(I)", "error: t:1: dd: a complex array is given; wanted real parts hi and lo"},
        {"dd(\"1\")",
         "error: t:1: dd: hi is the string \"1\"; wanted a number, an array or a table of numbers"},
        {"dd(1).hii", "error: t:1: unknown field 'hii' of a dd; did you mean 'hi'?"},
        {"dd({}).hi.shape", "{0}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void a_proof_of_matrices_names_each_symbol_once(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A, X = symmatrix(\"A\", 2, 1), symmatrix(\"X\", 1, 2)", ""},
        {"prove(matmul(A, X).T, matmul(X.T, A.T))", "proved for all real A1, A2, X11, X12; 1 term"},
        {"t, k = sym \"t\", sym(\"k\", \"positive\")", ""},
        {"M = matrix{{k / t, t}, {1, k}}", ""},
        /* holes: of a copy of such a table the length may be another */
        {"pcall(matrix, {2, nil, k})",
         "false\tt:1: matrix: an entry is no formula; wanted formulas, integers or rat(p, q)"},
        {"pcall(dot, {nil, 2, 3}, {4, k, 6})",
         "false\tt:1: matrix: an entry is no formula; wanted formulas, integers or rat(p, q)"},
        {"prove(M, M).conditions", "for all real t, positive k with t != 0"},
        {"prove(matrix{{t / t}}, matrix{{1}}).conditions", "for all real t with t != 0"},
        {"prove(matrix{{1, 2}}, matrix{{1, 2}}).conditions", "nil"},
        {"t = sym 't' prove(matrix{{1, 0}, {0, 1}}, eye(2))",
         "error: t:1: matrix: an array holds floating-point numbers, which may be rounded; wanted exact entries, "
         "as in matrix{{1, 0}, {0, 1}}"},
        {"dot(A, X.T), dot({1, t}, {t, 2}), dot(A, X)(2, 1)", "A1*X11 + A2*X12\t1*t + t*2\tA2*X11"},
        {"dot(A, {t, 1, 2})", "error: t:1: dot: shapes (1, 2) and (3, 1) do not chain"},
        /* what was proved is there as data, entry by entry, for the second judge */
        {"a, b = sym 'a b'; v = prove(matrix{{a*a - b*b, a + b}}, matrix{{(a - b)*(a + b), b + a}})", ""},
        {"select(2, v:coq():gsub('settle; ring', '')), v:coq():find('((a + b) = (b + a))', 1, true) ~= nil",
         "2\ttrue"},
        {"v = prove(le(a*b, rat(1, 4)), {where = eq(a + b, 1)}); return v.strength", "proved"},
        {"v:coq():find(\"pose proof (K'1)\", 1, true) ~= nil", "true"},
        {"v:latex()", "proved for all real a, b with a + b = 1"},
        {"prove(gt(a, 0)):latex()", "refuted: a = 0: left side 0, right side 0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* a == b between formulas is false before prove sees it: wherever a statement or a formula is wanted, the answer says what to write. */
static void comparisons_by_lua_are_refused_with_what_to_write(void **state) {
    (void)state;
    lua_State *L = lab_open();
    static const char *const calls[] = {
        "prove(x == y)",
        "prove(x ~= y)",
        "prove(not eq(x, y))",
        "prove(x < y)",
        "prove(0 >= x)",
        "prove(x, y, {where = x == y})",
        "prove(x, y, {where = {ge(x, 0), x ~= 0}})",
        "prove(x, y, {where = x > 0})",
        "counterexample(x == y)",
        "certify(x == y, {x = {0, 1}, y = {0, 1}})",
        "certify(x <= 2, {x = {0, 1}})",
        "roots(x == 1, x, 0, 2)",
        "induct(x == y, x, 1, {})",
        "piecewise(x < 0, 1, 2)",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[200];
        snprintf(text, sizeof text, "x, y = sym 'x y' return %s", calls[i]);
        assert_int_not_equal(luaL_dostring(L, text), LUA_OK);
        const char *said = lua_tostring(L, -1);
        if (!strstr(said, "write eq(a, b) or ne(a, b)") && !strstr(said, "write lt(a, b) or le(a, b)"))
            fail_msg("%s: %s", calls[i], said);
        lua_settop(L, 0);
    }
    lua_close(L);
}

/* A condition that is not read would be one that does not hold. */
static void conditions_are_a_list_and_may_be_none(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y = sym 'x y'", ""},
        {"prove(ge(x^2, 0), {where = {}})", "proved for all real x"},
        {"prove(ge(x^3, 0), {where = {ge(x, 0)}})", "proved for all real x with x >= 0"},
        {"prove(ge(x, 1), {where = {ge(x, 0), nil, ge(x, 1)}})",
         "error: t:1: prove: where: wanted statements such as {ge(x, 0)}"},
        {"prove(ge(x, 1), {where = {ge(x, 0), y = ge(x, 1)}})",
         "error: t:1: prove: where: wanted statements such as {ge(x, 0)}"},
        {"prove(ge(x, 1), {where = {x = ge(x, 1)}})",
         "error: t:1: prove: where: wanted statements such as {ge(x, 0)}"},
        {"counterexample(ge(x, 1), {where = 3})",
         "error: t:1: counterexample: where: wanted statements such as {ge(x, 0)}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void no_sequence_of_its_kind_refutes_nothing(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"n = sym(\"n\", \"integer\") function what(kind, first, next) local a = sym(\"a\", kind) "
         "return induct(eq(a[n], n - 7), n, 0, {eq(a[0], first), eq(a[n + 1], next(a[n]))}).strength end",
         ""},
        {"what(\"positive\", -1, function(a) return a + 2 end)", "unknown"},
        {"what(\"positive\", 1, function(a) return a - 1 end)", "unknown"},
        {"what(\"positive\", 1, function(a) return a/3 end)", "refuted"},
        {"what(\"natural\", 1, function(a) return a - 1 end)", "unknown"},
        {"what(\"natural\", 1, function(a) return a/2 end)", "unknown"},
        {"what(\"natural\", 1, function(a) return 2*a + 1 end)", "refuted"},
        {"what(\"integer\", 1, function(a) return a/2 end)", "unknown"},
        {"what(\"integer\", rat(1, 2), function(a) return a end)", "unknown"},
        {"what(\"integer\", -1, function(a) return a - 3 end)", "refuted"},
        {"what(\"real\", 1, function(a) return I*a end)", "unknown"},
        {"what(\"real\", 1, function(a) return sqrt(a - 2) end)", "unknown"},
        {"what(\"real\", 1, function(a) return sqrt(a^2 + 2) end)", "refuted"},
        {"what(\"complex\", 1, function(a) return I*a end)", "refuted"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The conditions at the point that the witness names, in f64: true, false or what has no value. */
static void a_witness_names_what_its_conditions_ask_for(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, y, z = sym 'x y z' p = sym('p', 'positive') "
         "function again(s, where) local at, v = {}, prove(s, {where = where}) "
         "for name, top, low in v.witness:gmatch('(%a) = (%-?%d+)/?(%d*)') do at[name] = tonumber(top)/(tonumber(low) or 1) end "
         "for _, c in ipairs(where) do local l, r = evaluate(c.args[1], at), evaluate(c.args[2], at) "
         "if not (c.op == 'lt' and l < r or c.op == 'ge' and l >= r or c.op == 'eq' and l == r) then return c end end "
         "return v.strength end",
         ""},
        {"again(lt(x, rat(-1, 2)), {lt(sin(x), -p), lt(cos(x + y), rat(1, 2))})", "refuted"},
        {"again(ge(p, 1), {lt(cos(2*x + y) + cos(y)^2, sin(y)), lt(x, 3)})", "refuted"},
        {"again(lt(x, y), {lt(z, x), eq(y, z)})", "refuted"},
        {"again(eq(x, 0), {ge(x*y, 1), lt(z, y)})", "refuted"},
        {NULL, NULL}};
    lab_run(cases);
}

/* E|f|² − |E f|² by hand */
static void a_variance_is_real(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"q, x = sym \"q x\" w = sym(\"w\", \"complex\") d, i = sym(\"d\", \"natural\"), sym(\"i\", \"integer\")",
         ""},
        {"prove(variance(I*q, {q}), 1).strength", "proved"},
        {"prove(variance(w*q + I, {q}), w^2).strength", "refuted"},
        {"prove(variance(w*q + I, {q}), abs(w)^2).strength", "proved"},
        {"prove(variance(exp(I*x)*q + x, {q}), 1).strength", "proved"},
        {"prove(variance(x*q + 3*q, {q, x}), 10).strength", "proved"},
        {"prove(variance(w*sum(q[i], i, 1, d)/2, {q}), d*w^2/4).strength", "refuted"},
        {"prove(variance(w*sum(q[i], i, 1, d)/2, {q}), d*abs(w)^2/4).strength", "proved"},
        {"prove(variance(sum(w*q[i], i, 1, d)/I, {q}), d*abs(w)^2).strength", "proved"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A number beyond every ball has a value all the same: that none was seen is all that may be said. */
static void what_is_too_large_is_not_called_undefined(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"f = exp(exp(exp(exp(rat(10)))))", ""},
        {"prove(f, f).reason", "undefined: at no point that was tried are both sides seen to have a value"},
        {"prove(gt(f, 0)).reason",
         "undefined: at no point that was tried are both sides seen to have a value"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparisons_by_lua_are_refused_with_what_to_write),
        cmocka_unit_test(conditions_are_a_list_and_may_be_none),
        cmocka_unit_test(a_proof_of_matrices_names_each_symbol_once),
        cmocka_unit_test(a_measurement_holds_or_keeps_its_witness),
        cmocka_unit_test(integers_that_no_f64_holds_are_no_deviations),
        cmocka_unit_test(what_cannot_be_a_measurement_is_refused),
        cmocka_unit_test(double_doubles_keep_32_digits),
        cmocka_unit_test(no_sequence_of_its_kind_refutes_nothing),
        cmocka_unit_test(a_variance_is_real),
        cmocka_unit_test(a_witness_names_what_its_conditions_ask_for),
        cmocka_unit_test(what_is_too_large_is_not_called_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
