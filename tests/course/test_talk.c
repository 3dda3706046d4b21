/* What passes between a check and an answer: values arrive as equal data, functions are called where they are, verdicts are proved
 * again, and bytes that nobody wrote do no harm.
 * Sources: course/parcel.lua course/room.lua course/talk.lua lua/parcel.c */
#include "school.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void values_arrive_as_equal_ones(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"remote(nil), remote(false), remote(7), remote(7.0), remote(-0.0), remote 'x\\0y' == 'x\\0y'",
         "nil\tfalse\t7\t7.0\t-0.0\ttrue"},
        {"remote(0/0) ~= remote(0/0), remote(-1/0), math.type(remote(2^53)), remote(math.mininteger)",
         "true\t-inf\tfloat\t-9223372036854775808"},
        {"x = remote(array{{1, 2}, {3, 4}}.T); return x.shape, x(1, 2)", "{2, 2}\t3.0"},
        {"same_text(gt(range(1, 3), 1)), same_text(zeros(0, 3)), same_text(array{1, 2}:astype 'f32'), same_text(array{complex(1, 2)})",
         "true\ttrue\ttrue\ttrue"},
        {"remote(sin(a + b)^2 - rat(1, 3) * n) == sin(a + b)^2 - rat(1, 3) * n", "true"},
        {"s = sum(i^2, i, 1, n); return remote(s) == s, remote(where(lt(a, 0), -a, a))", "…true\t"},
        {"remote(sym('a', 'positive')) == a, remote(a) == a", "false\ttrue"},
        {"remote(complex(1, 2)), remote(dd(2)), same_text(dd(1) / 3)", "1 + 2i\t2.0 + 0.0\ttrue"},
        {"g = rng(3); return randn(remote(g), 2) == randn(rng(3), 2)", "true"},
        {"m = remote(matrix{{a, 1}}); return m.T.rows, m(1, 2) == rat(1)", "2\ttrue"},
        {"t = {1, x = {2}}; t.self = t; u = remote(t); return u.self == u, u[1], u.x[1], u ~= t",
         "true\t1\t2\ttrue"},
        {"u = remote(setmetatable({1}, {__index = error, __len = error, __pairs = error})); return u[1], getmetatable(u)",
         "1\tnil"},
        {NULL, NULL}};
    run_cases(cases);
}

static void functions_are_called_where_they_are(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"x = 1; f = remote(function(y) x = x + y; return x, nil, {x} end); p = table.pack(f(2)); return p.n, p[1], p[3][1], x",
         "3\t3\t3\t3"},
        {"remote(function(h, x) return h(x) + h(1) end)(function(y) return 2 * y end, 5)",
         "12"}, /* called back */
        {"remote(function(h) return h(1) end)(sin) == sin(1)", "true"},
        {"f = function() end; return remote(remote) == remote(remote), remote(f) ~= f", "true\ttrue"},
        {"h = function() end; return remote(function(g) return g end)(h) == h", "true"}, /* home again */
        {"pcall(remote(function() error 'oh' end))", "…false\tt:1: oh"},
        {"pcall(remote(function() error {1} end))", "false\tan error of kind table"},
        {"pcall(remote(function() return remote end))", "…true\tfunction"},
        {"f = remote(function(x) return x^3 end); return grad(f)(2), grad(grad(f))(2), grad(grad(grad(f)))(2)",
         "12.0\t12.0\t6.0"},
        {"f = remote(function(x, y) return sum(x * x) * y end); return grad(function(x) return f(x, 3.0) end)(array{1, 2}):totable()",
         "{6.0, 12.0}"},
        {NULL, NULL}};
    run_cases(cases);
}

static void nothing_is_believed(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"v = prove(sin(a)^2 + cos(a)^2, 1); u = remote(v); return u.strength, u ~= v", "proved\ttrue"},
        {"remote(prove(a, 1))", "a Verdict"}, /* refuted: it says nothing that could be proved again */
        {"pcall(function() return remote(prove(a, 1)).strength end)", "…cannot be asked for .strength"},
        {"remote(coroutine.create(print)), remote(io.stdout)", "a thread\ta FILE?"},
        {"same = require 'phasor.course.equivalent'.same; ok, said = same(remote(coroutine.create(print)), {a = 1}); return said.en",
         "The answer is a value of kind thread; wanted a table."},
        {"function false_matrix(rows, cols, ...) return pcall(remote, setmetatable({rows = rows, cols = cols, entries = {...}}, "
         "{__metatable = getmetatable(matrix{{1}})})) end",
         ""},
        {"(false_matrix(1, 1, a))", "true"},
        {"false_matrix(1 << 32, 1 << 32)", "false\tno matrix"}, /* whose product is 0 */
        {"false_matrix(1 << 62, 4)", "false\tno matrix"},
        {"false_matrix(-1, -2, a, b)", "false\tno matrix"},
        {"false_matrix(1, 1.0, a)", "false\tno matrix"},
        {"(false_matrix(1, 1, print))", "false"},
        {"deep = {}; for _ = 1, 1000 do deep = {deep} end; return pcall(remote, deep)",
         "false\ttables in tables, too deep"},
        /* a name of the laboratory is for who was asked: the answer cannot make the check call what it likes */
        {"pcall(asker.read, ('I4'):pack(1) .. 'L' .. ('s1'):pack 'savefig')", "false\tno value"},
        {"pcall(asker.read, ('I4'):pack(1) .. 'R' .. ('I4'):pack(9999))",
         "true\t{n = 1}"}, /* none of ours: nil */
        {"pcall(asker.read, ('I4'):pack(1) .. 'M}')", "…false\t"},
        {"pcall(asker.read, ('I4'):pack(0xFFFFFFFF))", "false\tno values"},
        {"pcall(asker.read, ''), pcall(asker.read, 'x')", "…false\t"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A byte changed, an end cut off: an error or another value, whatever it was. */
static void spoiled_bytes_are_refused_or_other_values(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"@spoiled_bytes_are_refused_or_other_values", ""},
        {"spoil(leaf.bytes(array{{1, 2}, {3, 4}}), leaf.value)", "true"},
        {"spoil(leaf.bytes(sum(sin(a + i)^2 - rat(1, 3) * b, i, 1, n)), leaf.value)", "true"},
        {"spoil(leaf.bytes(dd(1) / 3), leaf.value)", "true"},
        {"spoil(other.write({1, 'x', {y = a}, matrix{{a, b}}, sin, function() end, 2.5, true}), asker.read)",
         "true"},
        {"pcall(leaf.value, ''), pcall(leaf.value, 'A\\2\\1' .. ('i8'):pack(2^62 | 0))", "…no array"},
        {"pcall(leaf.value, 'G' .. ('\\0'):rep(32))", "…no value"}, /* a generator that would never move */
        {"leaf.bytes(1), leaf.bytes 'x', leaf.bytes {}, (leaf.bytes(nil))", "nil\tnil\tnil\tnil"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_arrive_as_equal_ones), cmocka_unit_test(functions_are_called_where_they_are),
        cmocka_unit_test(nothing_is_believed), cmocka_unit_test(spoiled_bytes_are_refused_or_other_values)};
    return cmocka_run_group_tests_name("talk", tests, open_with_prelude, close_school);
}
