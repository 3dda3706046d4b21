/* Optimisers against closed forms, curvature bounds and iterates computed with 50 digits; their arguments; interrupts.
 * Sources: lua/optimise.c train/optimise.lua */
#include "lua/lab.h"

static lua_State *open_with_tools(void) {
    lua_State *L = lab_open();
    if (luaL_dostring(L, fixture("@tools"))) fail_msg("%s", lua_tostring(L, -1));
    return L;
}

static void run(const lab_case *cases) {
    lua_State *L = open_with_tools();
    lab_run_in(L, cases);
    lua_close(L);
}

/* Where f is not defined a search steps back, and a descent has diverged; at the start it is an error of the user's line. */
static void where_f_is_not_defined(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* the first step from 3 goes to 2, the second beyond 0: f'' = 1 at the least value, so x is as near as g is small */
        {"x, r = lbfgs(function(x) return x - log(x) end, 3.0) return abs(x - 1) <= 2e-8, r.reason",
         "true\twithin tolerance"},
        {"x, r = lbfgs(function(x) return sum(x - log(x)) end, {0.01, 100}) return max(abs(x - 1)) <= 2e-8, "
         "r.reason",
         "true\twithin tolerance"},
        {"x, r = lbfgs(function(x) return -sum(sqrt(1 - x*x)) end, {0.99, -0.9}) return max(abs(x)) <= 2e-8, "
         "r.reason",
         "true\twithin tolerance"},
        {"x, r = gradient_descent(sqrt, 0.25, {rate = 1}) return x, r.value, r.reason",
         "0.25\t0.5\tdiverged"},
        {"x, r = adam(sqrt, 0.25, {rate = 0.2}) return x > 0 and x < 0.06, r.reason", "true\tdiverged"},
        {"lbfgs(function(x)\n return x - log(x)\nend, -1.0)",
         "error: t:2: log: its result is nan here, the first one on the way"},
        {"lbfgs(function(x) return 1 / x end, 0.0)",
         "error: t:1: lbfgs: f(x) is inf at the start; wanted a finite number"},
        {NULL, NULL}};
    run(cases);
}

/* Near the least value g = H (x - 1), so x is no further from it than |g| over the smallest eigenvalue of H; twice that, since H
 * is not quite the same on the way. */
static void hard_functions(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function chain(x) local n = x.size local a, b = x[{ {1, n-1} }], x[{ {2, n} }] return sum(100*(b - "
         "a^2)^2 + "
         "(1 - a)^2) end",
         ""},
        {"function near(x, r) return norm(x - 1) <= 2 * r.gradient_norm / "
         "eigh(hessian(chain)(ones(x.size)))(1) end",
         ""},
        {"x, r = lbfgs(chain, {-1.2, 1}) return near(x, r), r.reason, r.steps < 60",
         "true\twithin tolerance\ttrue"},
        {"x, r = lbfgs(chain, fromfunction(function(i) return i % 2 == 1 and -1.2 or 1 end, 50)) return "
         "near(x, r), "
         "r.reason",
         "true\twithin tolerance"},
        {"x, r = adam(chain, {-1.2, 1}, {rate = 0.02, steps = 8000}) return near(x, r), r.reason",
         "true\twithin tolerance"},
        /* kinks: the search gets down, and says that it can go no further */
        {"x, r = lbfgs(function(x) return sum(abs(x)) end, {1, -2, 3}) return r.value < 1e-6, r.reason",
         "true\tno descent left"},
        {"x, r = lbfgs(function(x) return 3 - x end, 1.0) return r.steps, r.reason, r.value < -1e20",
         "1\tfalls without end\ttrue"},
        {NULL, NULL}};
    run(cases);
}

/* On a quadratic a step multiplies every parameter by 1 - rate c: with dyadic numbers exactly, to the last bit. */
static void descent_follows_its_closed_form(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"x, r = gradient_descent(bowl, start(), {gradient = slopes, rate = 0.25, steps = 8}) return x.a == "
         "array{(3/4)^8, "
         "-3/2^8, 5*(7/8)^8}, x.deep.b == 7/2^8, x.deep.name, x.heads",
         "true\ttrue\tkept\t2"},
        {"r.steps, r.evaluations, r.history.size, r.reason, r.value == bowl(x)",
         "8\t9\t9\tout of steps\ttrue"},
        {"r.history(1) == bowl(start()), r.history(9) == r.value", "true\ttrue"},
        {"start().a == array{1, -3, 5}", "true"},
        /* rate above 2/c: it goes away, and the best is where it began */
        {"x, r = gradient_descent(bowl, start(), {gradient = slopes, rate = 5, steps = 4000}) return "
         "r.reason, x.a == "
         "start().a, r.value == bowl(start())",
         "diverged\ttrue\ttrue"},
        {"gradient_descent(function(x) return x^2 end, 3, {gradient = function(x) return 2*x end, rate = "
         "0.5})",
         "0.0\tgradient_descent: 1 step, f = 0, |gradient| = 0, within tolerance"},
        {"x, r = gradient_descent(function(x) return sum(x*x) end, ones(2):astype'f32', {gradient = "
         "function(x) return 2*x "
         "end, rate = 0.25, steps = 3}) return x.dtype, x:totable()",
         "f32\t{0.125, 0.125}"},
        {"gradient_descent(function(x) return sum(x*x) end, {1, {2, 3}}, {gradient = function(x) return x "
         "end})",
         "error: t:1: array: [2] is a table; wanted a number, as the first entry is"},
        {"x = gradient_descent(function(p) return sum(p.W * p.W) end, {W = {{1, 2}, {3, 4}}}, {gradient = "
         "function(p) return {W "
         "= {{2*p.W(1, 1), 0}, {0, 0}}} end, rate = 0.25, steps = 1}) return x.W:totable()",
         "{{0.5, 2.0}, {3.0, 4.0}}"},
        {"x, r = gradient_descent(bowl, start(), {gradient = slopes, steps = 0}) return x.a == start().a, "
         "r.steps, r.history.size",
         "true\t0\t1"},
        {NULL, NULL}};
    run(cases);
}

static void adam_follows_its_closed_form(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* A constant gradient g: both corrected means are g and g^2, so k steps lead to x - k rate g/(|g| + eps). u = 2^-53:
         * a mean is a sum of t products of powers, each rounded, so it is off by at most 3t u of itself, and so is the power
         * b^t in the correction, which 1 - b^t magnifies by b^t t/(1 - b^t) <= 1/(1 - b) = 1000; the root halves. With
         * k = 50: below 50 rate (3 50 + 500 + 10) u = 1e-12. */
        {"x = adam(function(x) return 3*x.a - 0.01*x.b end, {a = 1, b = 2}, {gradient = function() return {a "
         "= 3, b = "
         "-0.01} end, rate = 0.125, steps = 50, tolerance = 0})",
         ""},
        {"abs(x.a - (1 - 50*0.125*3/(3 + 1e-8))) <= 1e-12, abs(x.b - (2 + 50*0.125*0.01/(0.01 + 1e-8))) <= "
         "1e-12",
         "true\ttrue"},
        /* Ten steps on x^4/4 + y^2/2 from (1.5, -0.25) at rate 0.1: algorithm 1 of Kingma and Ba in mpmath 1.3, 50 digits, the
         * binary fractions of 0.9, 0.999, 1e-8 and 0.1 as here. A step rounds x by u |x| and the update by some 10 u of 0.1;
         * what is off by e before is off by less than 1.35 e after (the update's slope, 0.1 times at most 3.5); ten
         * steps: 2.5 u (1.35^10 - 1)/0.35 = 1.5e-14. */
        {"x = adam(function(p) return p(1)^4/4 + p(2)^2/2 end, array{1.5, -0.25}, {gradient = function(p) "
         "return "
         "array{p(1)^3, p(2)} end, rate = 0.1, steps = 10})",
         ""},
        {"'last', abs(x(1) - 0.6294920913876427570) <= 1.5e-14", "last\ttrue"},
        {NULL, NULL}};
    run(cases);
}

/* Where every curvature of f is at least c, |x - x*| <= |gradient|/c. */
static void lbfgs_ends_where_the_gradient_says(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* At (1, 1) the Hessian is {{802, -400}, {-400, 200}}, least eigenvalue 0.39936; within 1e-6 of there no entry changes
         * by more than 0.004, so it stays above 0.39: |x - 1| <= |g|/0.39. */
        {"x, r = lbfgs(rosenbrock, {x = -1.2, y = 1}, {gradient = its_slopes, tolerance = 1e-10}) return "
         "r.reason, "
         "norm(array{x.x - 1, x.y - 1}) <= r.gradient_norm/0.39 + 2^-52, r.gradient_norm <= 1e-10, r.steps < "
         "100",
         "within tolerance\ttrue\ttrue\ttrue"},
        /* it never goes up, but for the slack of 1e-10 */
        {"local h = r.history for k = 2, h.size do if not (h(k) <= h(k - 1)*(1 + 1e-10)) then return k end "
         "end",
         ""},
        {"again, s = lbfgs(rosenbrock, {x = -1.2, y = 1}, {gradient = its_slopes, tolerance = 1e-10}) return "
         "again.x == x.x, "
         "again.y == x.y, s.history == r.history",
         "true\ttrue\ttrue"},
        /* a quadratic of 20 numbers in a matrix and a vector; its curvatures by eigh */
        {"B = randn(rng(5), 20, 20) A = matmul(B.T, B)/20 + 0.1*eye(20) target = randn(rng(6), 20)", ""},
        {"function flat(x) return concat{reshape(x.W, 12), x.v} - target end\n"
         "x, r = lbfgs(function(x) local e = flat(x) return dot(e, matmul(A, e))/2 end, {W = zeros(3, 4), v "
         "= zeros(8)}, {tolerance = "
         "1e-9, gradient = function(x) local g = matmul(A, flat(x)) return {W = reshape(g[{{1, 12}}], 3, 4), "
         "v = "
         "g[{{13, 20}}]} end})\n"
         "return r.reason, norm(flat(x)) <= 1e-9/min((eigh(A)))",
         "within tolerance\ttrue"},
        /* a minimum that is not 0, where f cannot tell its values apart long before the gradient is small */
        {"x, r = lbfgs(function(x) return 1e6 + cosh(x - 0.3) end, 5, {gradient = function(x) return sinh(x "
         "- 0.3) end, "
         "tolerance = 1e-14}) return r.reason, abs(x - 0.3) <= 1.1e-14",
         "within tolerance\ttrue"},
        /* a wall on the way: nan beyond 2 */
        {"x, r = lbfgs(function(x) return x - log(2 - x)*0.001 end, -500, {gradient = function(x) return 1 + "
         "0.001/(2 - x) end, "
         "steps = 5}) return r.reason, x < -500",
         "falls without end\ttrue"},
        {"x, r = lbfgs(function(x) return log(2 - x)*-0.001 - x end, 0, {gradient = function(x) return "
         "0.001/(2 - x) - 1 end}) "
         "return r.reason, abs(x - 1.999) <= 1e-8*0.001",
         "within tolerance\ttrue"},
        /* a gradient that lies: there is no way down along it */
        {"select(2, lbfgs(function(x) return x^2 end, 1, {gradient = function(x) return -2*x end})).reason",
         "no descent left"},
        {NULL, NULL}};
    run(cases);
}

/* Without a gradient given, it is that of grad: arrays and numbers that are not whole are moved, whole numbers stay. */
static void exact_gradients_are_taken_when_none_is_given(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"P = {W = array{{1, -2}}, deep = {b = 3.5}, heads = 2, name = 'kept'}", ""},
        {"x, r = lbfgs(function(P) return sum((P.W - 1)^2) + (P.deep.b - P.heads)^4 + P.heads end, P, "
         "{tolerance = 1e-12})",
         ""},
        {"x.W:totable(), abs(x.deep.b - 2) < 1e-3, x.heads, x.name, r.value",
         "{{1.0, 1.0}}\ttrue\t2\tkept\t2.0"},
        {"P.W:totable(), P.deep.b", "{{1.0, -2.0}}\t3.5"},
        /* -log of a weight, with a parameter that is a list: its least value by hand, 0 at infinity, is never reached */
        {"x, r = adam(function(x) return -log(softmax(x))(1) end, {0, 0}, {steps = 50, rate = 0.1})", ""},
        {"r.steps, x(1) > 1, x(1) + x(2) < 1e-6, r.value < r.history(1)", "50\ttrue\ttrue\ttrue"},
        {"gradient_descent(function(x) return x^2 end, 1, {rate = 0.5})",
         "0.0\tgradient_descent: 1 step, f = 0, |gradient| = 0, within tolerance"},
        {"lbfgs(function(x) return x end, ones(2))", "error: t:1: value_and_grad: f returned an array of "
                                                     "shape (2); wanted one number (jacobian takes arrays)"},
        {NULL, NULL}};
    run(cases);
}

static void bad_arguments_are_refused_in_words(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"g = function(x) return 2*x end f = function(x) return x^2 end", ""},
        {"lbfgs()", "error: t:1: lbfgs: f is nil; wanted a function of the parameters"},
        {"lbfgs(3, 1)", "error: t:1: lbfgs: f is 3; wanted a function of the parameters"},
        {"lbfgs(f, 'x', {gradient = g})",
         "error: t:1: lbfgs: x is the string \"x\"; wanted a number, an array or a table of these"},
        {"adam(f, 1, {rat = 1})", "error: t:1: adam: unknown option 'rat'; did you mean 'rate'?"},
        {"adam(f, 1, {[true] = 1})", "error: t:1: adam: an option's name is true; wanted a string"},
        {"adam(f, 1, 3)", "error: t:1: adam: the options are 3; wanted a table such as {steps=100}"},
        {"adam(f, 1, {gradient = 3})",
         "error: t:1: adam: gradient is 3; wanted a function of the parameters"},
        {"adam(f, 1, {rate = 0})", "error: t:1: adam: rate is 0; wanted a number above 0"},
        {"adam(f, 1, {rate = nan})", "error: t:1: adam: rate is nan; wanted a number above 0"},
        {"adam(f, 1, {rate = inf})", "error: t:1: adam: rate is inf; wanted a number above 0"},
        {"adam(f, 1, {beta1 = 1})", "error: t:1: adam: beta1 is 1; wanted a number from 0, below 1"},
        {"gradient_descent(f, 1, {steps = 1.5})",
         "error: t:1: gradient_descent: steps is 1.5; wanted a whole number of at least 0"},
        {"gradient_descent(f, 1, {tolerance = -1})",
         "error: t:1: gradient_descent: tolerance is -1; wanted a number of at least 0"},
        {"lbfgs(f, 1, {memory = 0})", "error: t:1: lbfgs: memory is 0; wanted a whole number from 1 to 1000"},
        {"lbfgs(f, 1, {rate = 1})",
         "error: t:1: lbfgs: unknown option 'rate'; wanted gradient, memory, steps, tolerance"},
        {"lbfgs(function(x) return x end, ones(3), {gradient = g})",
         "error: t:1: lbfgs: f(x) is an array (3); wanted a number"},
        {"lbfgs(function(x) end, 1, {gradient = g})", "error: t:1: lbfgs: f(x) is nil; wanted a number"},
        {"lbfgs(function(x) return 1 end, ones(3), {gradient = function() return ones(2) end})",
         "error: t:1: lbfgs: x is (3) and its gradient (2); wanted the same shape"},
        {"lbfgs(function(x) return 1 end, {W = {ones(3)}}, {gradient = function() return {W = {1}} end})",
         "error: t:1: lbfgs: x.W is a table and its gradient (1); wanted a table like it"},
        {"lbfgs(function(x) return 1 end, {W = {ones(3)}}, {gradient = function() return {W = 1} end})",
         "error: t:1: lbfgs: x.W is a table and its gradient 1; wanted a table like it"},
        {"lbfgs(function(x) return 1 end, {W = ones(3)}, {gradient = function() return {V = ones(3)} end})",
         "error: t:1: lbfgs: the gradient has nothing for any parameter; wanted a table like x, or one like "
         "its shape"},
        {"lbfgs(function(x) return 1 end, array{1, I}, {gradient = function(x) return x end})",
         "error: t:1: lbfgs: x is of type c128; wanted real numbers"},
        {"lbfgs(function(x) return nan end, 1, {gradient = g})",
         "error: t:1: lbfgs: f(x) is nan at the start; wanted a finite number"},
        {"lbfgs(f, inf, {gradient = g})",
         "error: t:1: lbfgs: f(x) is inf at the start; wanted a finite number"},
        {"adam(f, 1, {gradient = function() return nan end})",
         "error: t:1: adam: the gradient's norm is nan at the start; wanted a finite number"},
        {"adam(function(x) return x.y.z end, 1, {gradient = g})",
         "error: t:1: attempt to index a number value (local 'x')"},
        {"select(2, adam(f, 1, {gradient = g, steps = 1})).histroy",
         "error: t:1: unknown field 'histroy' of a report; did you mean 'history'?"},
        {NULL, NULL}};
    run(cases);
}

/* ---- interrupts and progress ---------------------------------------------------------------------------- */

static int press(lua_State *L) {
    (void)L;
    ph_interrupt_flag = 1;
    return 0;
}

static void an_interrupt_returns_the_best_so_far(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lua_register(L, "press", press);
    assert_string_equal(lab_eval(L, "@an_interrupt_returns_the_best_so_far"), "64.0\tinterrupted\t4\t5");
    assert_false(ph_interrupted());
    assert_false(ph_interrupted());
    lua_close(L);
}

static int told;
static double furthest;

static void listen(void *ctx, const char *text, double fraction) {
    (void)ctx;
    assert_non_null(strstr(text, "gradient_descent: step "));
    assert_non_null(strstr(text, " of 100000000, f = "));
    assert_true(fraction >= furthest && fraction <= 1);
    furthest = fraction;
    if (++told == 2) ph_interrupt_flag = 1;
}

static void long_work_tells_its_progress(void **state) {
    (void)state;
    lua_State *L = lab_open();
    bind_set_progress(L, listen, NULL);
    assert_string_equal(
        lab_eval(
            L, "select(2, gradient_descent(function(x) return x^2 end, 1, {gradient = function(x) return 2*x "
               "end, rate = 1e-9, steps = 1e8})).reason"),
        "interrupted");
    assert_int_equal(told, 2);
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_f_is_not_defined),
        cmocka_unit_test(hard_functions),
        cmocka_unit_test(descent_follows_its_closed_form),
        cmocka_unit_test(adam_follows_its_closed_form),
        cmocka_unit_test(lbfgs_ends_where_the_gradient_says),
        cmocka_unit_test(exact_gradients_are_taken_when_none_is_given),
        cmocka_unit_test(bad_arguments_are_refused_in_words),
        cmocka_unit_test(an_interrupt_returns_the_best_so_far),
        cmocka_unit_test(long_work_tells_its_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
