/* Gradients of Lua functions against derivatives worked out by hand; what the tape refuses.
 * Sources: diff/apply.c diff/value.c lib/diff.lua lib/graph.lua lua/diff.c lua/traced.c */
#include "lua/lab.h"

static void by_hand(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"grad(function(x) return x^3 end)(2)", "12.0"},
        {"value_and_grad(function(x, y) return x*y + y end)(2, 5)", "15.0\t5.0\t3.0"},
        {"grad(function(x) return sum(x*x) end){1, 2}:totable()", "{2.0, 4.0}"},
        {"grad(function(x) return 3 end)(1)", "0.0"},
        /* kinks have 0, and no slope of their own */
        {"grad(norm){0, 0}:totable(), hessian(norm){0, 0}:totable()", "{0.0, 0.0}\t{{0.0, 0.0}, {0.0, 0.0}}"},
        {"H = hessian(function(A) return sum(norm(A, 2)) end){{0, 0}, {3, 4}} return max(abs(H[{2, {}, 2, "
         "{}}] - "
         "array{{16, -12}, {-12, 9}}/125)) <= 2^-52, max(abs(H[{1, {}, 1, {}}]))",
         "true\t0.0"},
        {"grad(function(x) return x end)(1)", "1.0"},
        /* tables: settings stay, arrays and lists of numbers get gradients of their shape */
        {"G = grad(function(P) return P.heads * sum(matmul(P.W, P.x)) end){W=eye(2), x={1, 2}, heads=3, "
         "name=\"m\"}",
         ""},
        {"G.W:totable(), G.x:totable(), G.heads, G.name", "{{3.0, 6.0}, {3.0, 6.0}}\t{3.0, 3.0}\tnil\tnil"},
        /* of itself: d/dx (x d/dy xy) = 2x, where a confused perturbation gives x or 3x */
        {"grad(function(x) return x * grad(function(y) return x*y end)(1.0) end)(3.0)", "6.0"},
        {"grad(function(x) return x * grad(function(y) return x + y end)(1.0) end)(3.0)", "1.0"},
        {"grad(grad(grad(function(x) return x^4 end)))(2)", "48.0"},
        /* one traced number among plain ones */
        {"grad(function(t) return sum(matmul({{cos(t), -sin(t)}, {sin(t), cos(t)}}, {1, 0})) end)(0)", "1.0"},
        {"grad(function(x) return sum(array{x(1), 2, x(2)}^2) end){3, 4}:totable()", "{6.0, 8.0}"},
        {"grad(function(x) return x % 3 end)(7.5), grad(function(y) return 7 % y end)(2.5)", "1.0\t-2.0"},
        {"grad(function(x) return sum(fromfunction(function(i, j) return i * x end, 2, 2)) end)(1)", "6.0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Constants among results, structures, and what is empty. */
static void any_result(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"J = jacobian(function(x) return {x^2, 3} end)(2) return J[1], J[2]", "4.0\t0.0"},
        {"y, g = vjp(function(x) return {x, x^2, 5} end, 3, {1, 1, 7}) return y[2], y[3], g",
         "9.0\t5.0\t7.0"},
        {"y, d = jvp(function(P) return {u = P.a * P.b, v = 1} end, {a=2.5, b=3.5}, {a=1, b=0}) return y.u, "
         "d.u, "
         "d.v",
         "8.75\t3.5\t0.0"},
        {"c = taylor(function(x) return 7 end, 2, 1, 3) return c[0], c[1], c[3]", "7.0\t0.0\t0.0"},
        {"c = taylor(function(P) return {P.a, s = P.a * P.b} end, {a=1.5, b=2.5}, {a=1, b=0.5}, 2) return "
         "c[1][1], "
         "c[1].s, c[2].s",
         "1.0\t3.25\t0.5"},
        /* of itself: d/dt of the coefficient -t^3/6 of sin(s t), at 2 */
        {"taylor(function(t) return taylor(function(s) return sin(s*t) end, 0, 1, 3)[3] end, 2, 1, 1)[1]",
         "-2.0"},
        {"hessian(function(x) return sum(x*x) end)(zeros(0)).shape", "{0, 0}"},
        {"jacobian(function(x) return sum(x) * ones(2) end)(zeros(3, 0)).shape", "{2, 3, 0}"},
        {"jacobian(function(x) return x * zeros(0) end)(2.5).shape", "{0}"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Whoever writes to a result writes to nothing else: not to its other entries, another result, the argument or the direction. */
static void results_stand_alone(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A, B, w = array{1, 2}, array{3, 4}, array{5, 6}", ""},
        {"g, h = grad(function(a, b) return sum(a + b) end)(A, B) g[1] = 9 return g:totable(), h:totable()",
         "{9.0, 1.0}\t{1.0, 1.0}"},
        {"y, g = vjp(function(x) return x end, A, w) y[1], g[2] = 9, 9 return A:totable(), w:totable()",
         "{1.0, 2.0}\t{5.0, 6.0}"},
        {"y, d = jvp(function(x) return {x, B} end, A, w) y[1][1], y[2][1], d[1][1] = 9, 9, 9 "
         "return A:totable(), B:totable(), w:totable()",
         "{1.0, 2.0}\t{3.0, 4.0}\t{5.0, 6.0}"},
        {"J = jacobian(function(a, b) return a + b end)(A, B) J[1][1] = 9 "
         "return J[1]:totable(), J[2]:totable()",
         "{{9.0, 9.0}, {0.0, 1.0}}\t{{1.0, 0.0}, {0.0, 1.0}}"},
        {"c = taylor(function(x) return x end, A, w, 2) c[0][1], c[1][1] = 9, 9 "
         "return A:totable(), w:totable()",
         "{1.0, 2.0}\t{5.0, 6.0}"},
        {"g = grad(function(x) c = stop_gradient(x) c[1] = 9 return sum(x*c) end)(A) "
         "return g:totable(), A:totable()",
         "{9.0, 2.0}\t{1.0, 2.0}"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A tape keeps operands, not copies of them: one that was written to since is refused, at the operation's line, and one that no
 * derivative looks at (of a sum) is not. */
static void operands_written_to_are_refused(void **state) {
    (void)state;
    static const char *const late =
        "error: t:1: mul: operand 2 was written to after this; the derivative needs it as it "
        "was: write to a copy, A:copy()";
    const lab_case cases[] = {
        {"A = array{1, 2}", ""},
        {"c = array{1, 1} return grad(function(x) local y = x*c c[1] = 100 return sum(y*y) end)(A)", late},
        {"c = array{1, 1} return jvp(function(x) local y = x*c c[1] = 100 return y end, A, A)", late},
        {"c = array{1, 1} return hessian(function(x) local y = x*c c[{ {} }] = 2 return sum(y*y) end)(A)",
         late},
        {"c = array{{1, 1}, {2, 2}} return grad(function(x) local y = x*c[1] c[{1, 1}] = 2 return sum(y) "
         "end)(A)",
         late},
        {"B = array{1, 2} return grad(function(x) local y = x*x B[1] = 5 return sum(y) end)(B)",
         "error: t:1: mul: operand 1 was written to after this; the derivative needs it as it "
         "was: write to a copy, A:copy()"},
        {"c = array{1, 1} return grad(function(x) c[1] = 3 local y = x*c return sum(y) end)(A):totable()",
         "{3.0, 1.0}"},
        {"c = array{1, 1} return grad(function(x) local y = x + c c[1] = 3 return sum(y) end)(A):totable()",
         "{1.0, 1.0}"},
        {NULL, NULL}};
    lab_run(cases);
}

/* 3 * 10^5 operations one after another: sweeps and what is freed are loops. */
static void a_long_chain(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"f = function(x) local s = x for i = 1, 100000 do s = -(-(s * 1.0)) end return s * s end return "
         "grad(f)(1.5), hessian(f)(1.5)",
         "3.0\t2.0"},
        {"pcall(grad(function(x) local s = x for i = 1, 100000 do s = s * 1.0 end error('late') end), 1)",
         "false\tt:1: late"},
        {NULL, NULL}};
    lab_run(cases);
}

/* An error inside, a coroutine left, an inner derivative that fails: whatever was open is closed, and the next derivative is
 * what it would have been. */
static void whatever_happens_inside(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"grad(function(x) local ok, e = pcall(grad(function(y) error('inner') end), x) return x * x end)(2)",
         "4.0"},
        {"grad(function(x) local ok, e = pcall(grad(function(y) return floor(y * x) end), x) return x * x "
         "end)(2)",
         "4.0"},
        {"co = coroutine.wrap(function(x) return grad(function(y) coroutine.yield(y * 1) return y * x * y "
         "end)(x) end) "
         "t = co(3) return co()",
         "18.0"},
        {"t + 1", "error: t:1: add: operand 1 has escaped: it was made inside a derivative that is finished; "
                  "return it from "
                  "the function instead"},
        {"co = coroutine.create(function() grad(function(y) coroutine.yield(y) end)(1) end) ok, t = "
         "coroutine.resume(co) coroutine.close(co) return tostring(t), grad(function(x) return x^2 end)(3)",
         "traced value of a finished derivative\t6.0"},
        {"grad(function(x) return grad(function(y) t = y return y * y end)(x) + t end)(2)",
         "error: t:1: add: operand 2 has escaped: it was made inside a derivative that is finished; return "
         "it from "
         "the function instead"},
        {NULL, NULL}};
    lab_run(cases);
}

static void traced_arrays_are_arrays(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"grad(function(x) a = tostring(x) b = x.shape c = #x d = x.dtype e = tostring(x(2)) return sum(x) "
         "end){1, 2} "
         "return a, b, c, d, e",
         "traced f64 (2)\n  1  2\t{2}\t2\tf64\ttraced 2.0"},
        {"grad(function(A) return A[1][2] * A(2, 1) + sum(A[{ {}, {2} }]) end){{1, 2}, {3, 4}}:totable()",
         "{{0.0, 4.0}, {2.0, 1.0}}"},
        {"grad(function(A) local s = 0 for i, r in ipairs(A) do s = s + i * sum(r) end return s end){{1, 2}, "
         "{3, 4}}"
         ":totable()",
         "{{1.0, 1.0}, {2.0, 2.0}}"},
        {"grad(function(A) return A:reshape(4):sum() + A.T(1, 2) + A:mm(A)(1, 1) end){{1, 2}, {3, "
         "4}}:totable()",
         "{{3.0, 4.0}, {4.0, 1.0}}"},
        /* a branch goes by the value */
        {"f = function(x) if x > 0 then return x^2 else return -x end end return grad(f)(3), grad(f)(-3)",
         "6.0\t-1.0"},
        {"grad(function(x) return sum(where(gt(x, 1), x^2, 3*x)) end){1, 2}:totable()", "{3.0, 4.0}"},
        {"grad(function(x) return sum(x:astype(\"f32\")) end)(randn(rng(1), 2)).dtype", "f64"},
        {"grad(function(x) return sum(x*x) end)(ones(2, {dtype=\"f32\"})).dtype", "f32"},
        {NULL, NULL}};
    lab_run(cases);
}

/* What a query does not see takes no part, were it NaN: first derivatives both ways, and second ones. What it sees does. */
static void hidden_keys_take_no_part(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@hidden_keys_take_no_part_1", ""},
        {"@hidden_keys_take_no_part_2", ""},
        {"allclose(a, A), allclose(b, B), allclose(c, C), allclose(e, E)", "true\ttrue\ttrue\ttrue"},
        {"for i = 1, 3 do for j = 1, 3 do if not allclose(d[i][j], D[i][j]) then return i, j end end end",
         ""},
        {"select(2, jvp(function(Q) return attention(Q, K, V, all)[{ {1, 2}, {} }] end, Q, ones(3, "
         "2))):isfinite():all()",
         "true"},
        {"grad(function(Q) return sum(attention(Q, K, V)) end)(Q)",
         "error: t:1: attention: its derivative is nan here, the first one on the way back"},
        {"isnan(select(2, jvp(function(Q) return attention(Q, K, V) end, Q, ones(3, 2)))):all()", "true"},
        {"f(Q, ones(3, 3), V)",
         "error: t:3: attention: Q is (3, 2) and K is (3, 3); wanted the same number of "
         "columns, at least 1"},
        {"grad(f)(Q, ones(3, 3), V)",
         "error: t:3: attention: Q is (3, 2) and K is (3, 3); wanted the same number "
         "of columns, at least 1"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Heads are gathered within the dimensions there are: 8 give what 3 give, by weights and within another derivative too. */
static void heads_of_many_dimensions(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@heads_of_many_dimensions", ""},
                                     {"same(weigh, Q, one), same(weigh, Q, two)", "true\ttrue"},
                                     {"same(attend, Q, one), same(attend, Q, two)", "true\ttrue"},
                                     {NULL, NULL}};
    lab_run(cases);
}

/* 4096 positions: the weights would be 64 MB. What is kept and made is some forty arrays of (4096, 16) in f32, 256 KB each. */
static void memory_grows_with_positions(void **state) {
    (void)state;
    lua_State *L = lab_open();
    assert_string_equal(
        lab_eval(L, "X = astype(randn(rng(1), 4096, 16), 'f32')\n"
                    "G = grad(function(Q, K, V) return sum(attention(Q, K, V, {causal = true})^2) end)"),
        "");
    ph_block_set_limit(ph_block_live() + 60 * 4096 * 16 * sizeof(float));
    assert_string_equal(lab_eval(L, "q, k, v = G(X, X, X) return q.shape, isfinite(q):all()"),
                        "{4096, 16}\ttrue");
    ph_block_set_limit(SIZE_MAX);
    lua_close(L);
}

static const lab_case refused[] = {
    {"grad(function(x) return 2*x end){1, 2}",
     "error: t:1: grad: f returned an array of shape (2); wanted one number (jacobian takes arrays)"},
    {"grad(function(x) return floor(x) end)(1.5)",
     "error: t:1: floor: is a staircase, with derivative 0 between its jumps; stop_gradient(x) says that "
     "this is meant"},
    {"grad(function(x) return sum(x) end)(gt(array{1}, 0))",
     "error: t:1: grad: the argument is bool; derivatives are taken in real numbers, f64 or f32"},
    {"grad(function(x) return sum(x) end)(I*array{1})",
     "error: t:1: grad: the argument is c128; derivatives are taken in real numbers, f64 or f32"},
    {"grad(function(x) return abs(x*I) end)(1.0)",
     "error: t:1: mul: the result is complex; derivatives are taken in real numbers (carry re and im as "
     "two arrays)"},
    {"grad(function(x) x[1] = 0 return sum(x) end){1, 2}",
     "error: t:1: array: a traced array cannot be written to: what was computed from it would be "
     "forgotten; build a new "
     "one with where, concat or stack"},
    {"grad(function(x) y = x return sum(x) end){1, 2} return y + 1",
     "error: t:1: add: operand 1 has escaped: it was made inside a derivative that is finished; return "
     "it from the "
     "function instead"},
    {"y", "traced value of a finished derivative"},
    {"@memory_grows_with_positions_1", "error: t:3: log: its result is nan here, the first one on the way"},
    {"@memory_grows_with_positions_2",
     "error: t:2: mul: its derivative is nan here, the first one on the way back"},
    {"grad(function(x) return x // 2 end)(3)",
     "error: t:1: floor: is a staircase, with derivative 0 between its jumps; stop_gradient(x) says that "
     "this is meant"},
    {"grad(function(x) return sum(take(array{1, 2}, x)) end){1}",
     "error: t:1: take: the index is traced; whole numbers have no derivative"},
    {"grad(function(x) return sum(reshape(array{1, 2}, x)) end)(2)",
     "error: t:1: reshape: a size is a traced number; wanted an integer of at least -1"},
    {"grad(function(x) return sum(linspace(0, x, 3)) end)(2)",
     "error: t:1: linspace: last is a traced number; wanted a number"},
    {"grad(function(x) return x.foo end)(2)", "error: t:1: unknown field 'foo' of a traced array"},
    {"grad(function(x) end)(2)", "error: t:1: grad: f returned nil; wanted one real number"},
    {"grad(function(x) return x:totable() end){2}",
     "error: t:1: totable: the array is traced; its numbers would leave the derivative. "
     "stop_gradient(x):totable() reads "
     "them as constants"},
    {"A = zeros(2) grad(function(x) A[1] = x return sum(A) end)(2)",
     "error: t:1: array: the assigned value is a traced number; wanted a number, an array or a table of "
     "numbers"},
    {"jvp(sin, {1, 2}, {1})", "error: t:1: jvp: v has shape (1); wanted (2), as x"},
    {"jvp(sin, {1, 2}, {a={1}, b={2}})", "error: t:1: jvp: v is a table; wanted an array of shape (2), as x"},
    {"jvp(function(P) return P.a end, {a=1.5, b={2.5}}, {a=1})",
     "error: t:1: jvp: v.b is nil; wanted an array of shape (1), as x.b"},
    {"jvp(function(P) return P.a end, {a=1.5}, {a=1, c=2})",
     "error: t:1: jvp: v.c has no counterpart; wanted the structure of x"},
    {"jvp(sin, 1, gt(1, 0))", "error: t:1: jvp: v is true; wanted a number, as x"},
    {"jvp(sin, {1}, I * ones(1))", "error: t:1: jvp: v is c128; wanted real numbers"},
    {"jvp(sin)", "error: t:1: jvp: x is nil; wanted a number, an array or a table of numbers"},
    {"jvp(function(x) return 'a' end, 1, 1)",
     "error: t:1: jvp: f returned the string \"a\"; wanted numbers or arrays"},
    {"graph(function(x) return 'a' end, 1)",
     "error: t:1: graph: f returned the string \"a\"; wanted numbers or arrays"},
    {"jacobian(function(x) return {} end)(1)",
     "error: t:1: jacobian: f returned a table; wanted numbers or arrays"},
    {"taylor(function(x) return x end, {a=2}, {a=1}, 1)",
     "error: t:1: taylor: x holds no array and no number to differentiate by"},
    {"grad(function(P) return P.a end){a=2}",
     "error: t:1: grad: the arguments hold no array and no number to differentiate by (whole numbers in "
     "tables are settings: write 2.0)"},
    {"t = {} t.a = t grad(function(x) return 1 end)(t)",
     "error: t:1: the argument.a.a.a.a.a.a.a.a.a.a.a.a.a.a...: tables more than 50 deep; does one "
     "contain itself?"},
    {"vjp(sin, {1, 2}, 3)", "error: t:1: vjp: w has shape (); wanted (2), as the result"},
    {"taylor(sin, 0, 1, 5)", "error: t:1: taylor: order is 5; wanted a whole number from 0 to 4"},
    {"hessian(sin){1, 2}",
     "error: t:1: hessian: f returned an array of shape (2); wanted one number (jacobian takes arrays)"},
    {"grad(3)", "error: t:1: grad: f is 3; wanted a function of arrays"},
    {"grad(sum)(\"a\")", "error: t:1: grad: the argument is the string \"a\"; wanted a number, an array "
                         "or a table of numbers"},
    {NULL, NULL}};

static void what_is_refused(void **state) {
    (void)state;
    lab_run(refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(any_result),
        cmocka_unit_test(results_stand_alone),
        cmocka_unit_test(operands_written_to_are_refused),
        cmocka_unit_test(a_long_chain),
        cmocka_unit_test(whatever_happens_inside),
        cmocka_unit_test(traced_arrays_are_arrays),
        cmocka_unit_test(hidden_keys_take_no_part),
        cmocka_unit_test(heads_of_many_dimensions),
        cmocka_unit_test(memory_grows_with_positions),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
