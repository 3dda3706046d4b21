/* What a derivative leaves behind, and derivatives of derivatives against values worked out by hand.
 * Sources: diff/value.c lib/diff.lua lib/graph.lua lua/diff.c */
#include "lua/lab.h"

#include <sys/resource.h>

/* ---- nesting ------------------------------------------------------------------------------------------- */

/* Two perturbations that a careless tape would take for one. */
static void perturbations_are_not_confused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* d/dx (x d/dy (x + y)) = 1, and the same forwards and mixed */
        {"D = function(f, x) return (select(2, jvp(f, x, 1))) end", ""},
        {"D(function(x) return x * D(function(y) return x + y end, 1) end, 1)", "1.0"},
        {"D(function(x) return x * grad(function(y) return x + y end)(1) end, 1)", "1.0"},
        {"grad(function(x) return x * D(function(y) return x + y end, 1) end)(1)", "1.0"},
        /* d/dx d/dy x^2 y^3 at (2, 3) = 2x 3y^2 = 108, in both orders */
        {"grad(function(x) return grad(function(y) return x^2 * y^3 end)(3) end)(2)", "108.0"},
        {"grad(function(y) return D(function(x) return x^2 * y^3 end, 2) end)(3)", "108.0"},
        /* an inner derivative at a point that is not the outer variable: d/dx (d/dy y^2 at y = 5x) = 10 */
        {"D(function(x) return D(function(y) return y^2 end, 5*x) end, 1)", "10.0"},
        /* a function that returns the derivative of itself at its argument */
        {"grad(function(x) return grad(function(y) return grad(function(z) return x*y*z end)(x) * y end)(x) "
         "end)(2)",
         "8.0"},
        {"jacobian(function(x) return jacobian(function(y) return x * y end)(x) end){1, 2}:totable()",
         "{{{1.0, 0.0}, {0.0, 0.0}}, {{0.0, 0.0}, {0.0, 1.0}}}"},
        {NULL, NULL}};
    lab_run(cases);
}

static void derivatives_compose(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A = array{{2, 1}, {1, 3}}", ""},
        {"f = function(x) return sum(x * matmul(A, x)) / 2 end", ""},
        {"hessian(f){1, 2} == A, hvp(f, {1, 2}, {1, 0}):totable()", "true\t{2.0, 1.0}"},
        /* the Hessian of |grad f|^2 = |Ax|^2 is 2 A^2 */
        {"hessian(function(x) return sum(grad(f)(x)^2) end){1, 2} == 2 * matmul(A, A)", "true"},
        /* the gradient of a curvature: f = x^3 y has f_xx = 6xy */
        {"grad(function(x) return hessian(function(z) return z(1)^3 * z(2) end)(x)(1, 1) end){2, "
         "5}:totable()",
         "{30.0, 12.0}"},
        {"jacobian(jacobian(jacobian(function(x) return x^3 end)))(5)", "6.0"},
        {"taylor(function(t) return grad(function(x) return x^5 end)(t) end, 1, 1, 2)[2]", "30.0"},
        {"hessian(function(x) return 7 end){1, 2}:totable()", "{{0.0, 0.0}, {0.0, 0.0}}"},
        {"hessian(function(x) return sum(x) end)(ones(2, {dtype=\"f32\"})).dtype", "f32"},
        {"H = hessian(function(P) return P.a^2 * sum(P.b) end){a=3.0, b={1, 2}} return H.a.a, H.a.b, H.b.a, "
         "H.b.b == zeros(2, 2)",
         "6.0\tf64 (2)\n  6  6\tf64 (2)\n  6  6\ttrue"},
        {"hessian(function(x, y) return x * y^2 end)(1, 2)", "{{0.0, 4.0}, {4.0, 2.0}}"},
        {"y, d = jvp(function(P) return {s = P.a * P.b, c = 3} end, {a={1, 2}, b={3, 4}}, {a={1, 0}, b={0, "
         "1}}) "
         "return y.s:totable(), y.c, d.s:totable(), d.c",
         "{3.0, 8.0}\t3.0\t{3.0, 2.0}\t0.0"},
        {"y, g = vjp(function(P) return P.a * P.b end, {a={1, 2}, b={3, 4}}, {1, 10}) return y:totable(), "
         "g.a:totable(), "
         "g.b:totable()",
         "{3.0, 8.0}\t{3.0, 40.0}\t{1.0, 20.0}"},
        {"c = taylor(function(x) return exp(x) * sin(x) end, 0, 1, 4) return c[0], c[1], c[2], c[3] == 1/3, "
         "abs(c[4]) < 1e-16",
         "0.0\t1.0\t1.0\ttrue\ttrue"},
        /* more than one batch of columns */
        {"J = jacobian(function(x) return x * 2 end)(ones(600)) return J.shape, J(600, 600), J(1, 600), "
         "sum(J)",
         "{600, 600}\t2.0\t0.0\t1200.0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

/* A recurrence over T positions: from the first input to the last state T steps; by a scan, ceil(log2 T). */
static void graphs_count_what_waits(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function chain(x) local h = {tanh(x[1])} for t = 2, #x do h[t] = tanh(h[t-1] + x[t]) end return h "
         "end",
         ""},
        {"xs = {} for t = 1, 6 do xs[t] = ones(3) * 0.5 end", ""},
        {"g = graph(chain, xs)", ""},
        {"g.operations, g.moves, g.critical_path", "11\t0\t11"},
        {"g:distance('x[1]', 'y[6]'), g:distance('x[6]', 'y[6]'), g:path('x[1]', 'y[6]'), g:distance('x[6]', "
         "'y[1]')",
         "11\t2\t11\tnil"},
        {"h = graph(function(x) return sum(x[1] * x[2]) end, {ones(2), 2.0})", ""},
        {"tostring(h)",
         "graph of 2 operations and 0 moves, critical path 2\n    1  x[1]             (2)\n    2  x[2]       "
         "      ()\n"
         "    3  mul              (2)            1 2\n    4  sum              ()             3\n  y is 4"},
        {"graph(function(P) return P['a\"\\\\'] end, {['a\"\\\\']=1.5}):dot()",
         "digraph f {\n  rankdir=LR;\n  n1 [label=\"x.a\\\"\\\\\\n()\" shape=box];\n  y1 [label=\"y\" "
         "shape=box];\n  n1 -> y1;\n}"},
        {"graph(function(x) return x.T * 2 end, ones(2, 2)):dot()",
         "digraph f {\n  rankdir=LR;\n  n1 [label=\"x\\n(2, 2)\" shape=box];\n  n2 "
         "[label=\"permute\\n(2, 2)\"];\n"
         "  n1 -> n2;\n  n3 [label=\"mul\\n(2, 2)\"];\n  n2 -> n3;\n  y1 [label=\"y\" shape=box];\n  n3 -> "
         "y1;\n}"},
        {"graph(chain)", "error: t:1: graph: no arguments given; wanted those of f, as in graph(f, x)"},
        {"g:path('x[9]', 'y[1]')", "error: t:1: graph: no input is called 'x[9]'; did you mean 'x[1]'?"},
        {"g.operatoins", "error: t:1: unknown field 'operatoins' of a graph; did you mean 'operations'?"},
        {NULL, NULL}};
    lab_run(cases);
}

/* ---- what stays ---------------------------------------------------------------------------------------- */

static long rss_kb(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
#ifdef __APPLE__
    return u.ru_maxrss / 1024;
#else
    return u.ru_maxrss;
#endif
}

/* 10^4 gradients of a function with 80 KB of intermediates: 800 MB in all. The peak after the first thousand
 * must do for the rest; 2 MB are left for the collector's rhythm. */
static void gradients_leave_nothing(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lab_eval(L, "x = randn(rng(1), 1000) f = function(x) local y = x for i = 1, 8 do y = tanh(y) end return "
                "sum(y) end "
                "g = grad(f)");
    lab_eval(L, "for i = 1, 1000 do g(x) end");
    long before = rss_kb();
    size_t live = ph_block_live();
    lab_eval(L, "for i = 1, 9000 do g(x) end");
#ifdef __SANITIZE_ADDRESS__
    print_message(
        "sanitized: what is freed is kept for a while, so only live bytes are compared, not %ld KB of RSS\n",
        rss_kb() - before);
#else
    assert_true(rss_kb() - before <= 2048);
#endif
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    assert_true(ph_block_live() <= live);
    lua_close(L);
}

/* Without a collection nothing large outlives a Hessian of 100 variables but its 80 KB: not the unit tangents, as large, which were
 * made for it. 16 KB for vectors. */
static void a_hessian_leaves_only_itself(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lab_eval(L, "x = randn(rng(1), 100) H = hessian(function(x) return sum(tanh(x) * x) end) kept = H(x)");
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCSTOP, 0);
    size_t live = ph_block_live();
    lab_eval(L, "again = H(x)");
    assert_true(ph_block_live() <= live + 80000 + 16384);
    lua_close(L);
}

/* A derivative that fails, or keeps its values in a global, frees what it recorded all the same. */
static void an_error_frees_the_tape(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lab_eval(L, "x = ones(100, 100)");
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    size_t live = ph_block_live();
    lab_eval(L, "pcall(grad(function(x) kept = {} for i = 1, 10 do x = x * 2 kept[i] = x end error('enough') "
                "end), x)");
    assert_string_equal(lab_eval(L, "tostring(kept[3])"), "traced value of a finished derivative");
    lua_settop(L, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    assert_true(ph_block_live() <= live);
    lua_close(L);
}

static void an_interrupt_ends_a_sweep(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lab_eval(L, "f = function(x) for i = 1, 50 do x = tanh(x) end return sum(x) end");
    ph_interrupt_flag = 1;
    const char *got = lab_eval(L, "grad(f)(ones(10))");
    ph_interrupt_flag = 0;
    assert_non_null(strstr(got, "interrupted"));
    assert_string_equal(lab_eval(L, "grad(f)(zeros(1))(1)"), "1.0");
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perturbations_are_not_confused), cmocka_unit_test(derivatives_compose),
        cmocka_unit_test(graphs_count_what_waits),        cmocka_unit_test(gradients_leave_nothing),
        cmocka_unit_test(a_hessian_leaves_only_itself),   cmocka_unit_test(an_error_frees_the_tape),
        cmocka_unit_test(an_interrupt_ends_a_sweep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
