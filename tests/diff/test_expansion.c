/* The six terms, the mixed block and its parts, against hyper-dual loops and identities; the fitted order; arguments.
 * Sources: lib/hessian.lua */
#include "diff/against.h"

#include "base/rng.h"

/* f(X) = sum w tanh(X + attention(X A, X B, X)), X (4, 4) */
#define ROWS 4
#define D    4
static const char model[] =
    "A, B, w = weights[1], weights[2], weights[3]\n"
    "function f(X) return sum(w * tanh(X + attention(matmul(X, A), matmul(X, B), X))) end\n";
static double weights[3][D * D];

static hd in_c(const hd *x, int n, const void *ctx) {
    (void)ctx;
    hm m = hm_new(ROWS, D), none = {0}, z;
    memcpy(m.at, x, (size_t)n * sizeof *x);
    z = hm_attention(hm_mul(m, hm_of(weights[0], D, D)), hm_mul(m, hm_of(weights[1], D, D)), m, none, false);
    return hm_sum(hm_zip(hd_mul, hm_map(hd_tanh, hm_zip(hd_add, m, z)), hm_of(weights[2], 1, D)));
}

static double x[ROWS * D], p[D], q[D];

static lua_State *open_model(void) {
    lua_State *L = lab_open();
    ph_rng g;
    const int64_t square[] = {D, D};
    ph_rng_seed(&g, 3);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < D * D; i++) weights[k][i] = ph_rng_normal(&g) * 0.7;
    for (int i = 0; i < ROWS * D; i++) x[i] = ph_rng_normal(&g);
    for (int i = 0; i < D; i++) p[i] = ph_rng_normal(&g) * 0.1, q[i] = ph_rng_normal(&g) * 0.1;
    lua_newtable(L);
    for (int k = 0; k < 3; k++) {
        push_shape(L, weights[k], k < 2 ? 2 : 1, square);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setglobal(L, "weights");
    push_shape(L, x, 2, square), lua_setglobal(L, "X");
    push_shape(L, p, 1, square), lua_setglobal(L, "p");
    push_shape(L, q, 1, square), lua_setglobal(L, "q");
    if (luaL_dostring(L, model)) fail_msg("%s", lua_tostring(L, -1));
    return L;
}

/* Some 500 roundings on numbers a few times the result: 1e-12. */
#define NEAR 1e-12

static void terms_and_blocks(void **state) {
    (void)state;
    static double g[ROWS * D], h[ROWS * D * ROWS * D];
    double wanted[8] = {0}, seen[D * D], block[D * D], moved[ROWS * D];
    int m = 1, n = 3; /* rows 2 and 4 */
    lua_State *L = open_model();
    wanted[0] = hd_derivatives(g, h, in_c, x, ROWS * D, NULL);
    for (int i = 0; i < D; i++) {
        wanted[1] += p[i] * g[m * D + i];
        wanted[2] += q[i] * g[n * D + i];
        for (int j = 0; j < D; j++) {
            wanted[3] += p[i] * h[(m * D + i) * ROWS * D + m * D + j] * p[j] / 2;
            wanted[4] += q[i] * h[(n * D + i) * ROWS * D + n * D + j] * q[j] / 2;
            wanted[5] += p[i] * h[(m * D + i) * ROWS * D + n * D + j] * q[j];
        }
    }
    memcpy(moved, x, sizeof x);
    for (int i = 0; i < D; i++) moved[m * D + i] += p[i], moved[n * D + i] += q[i];
    wanted[6] = hd_derivatives(NULL, NULL, in_c, moved, ROWS * D, NULL);
    for (int k = 0; k < 6; k++) wanted[7] += wanted[k];
    lua_numbers(L, seen, 8,
                "local t = taylor_terms(f, X, 2, 4, p, q) return {t[1], t[2], t[3], t[4], t[5], t[6], "
                "t.exact, t.sum}");
    for (int k = 0; k < 8; k++) {
        double d = fabs(seen[k] - wanted[k]);
        if (!(isfinite(d) && d <= NEAR * fmax(fabs(wanted[k]), 1e-2)))
            fail_msg("term %d: %.17g; wanted %.17g", k + 1, seen[k], wanted[k]);
    }
    static const char *const blocks[] = {"return mixed_hessian(f, X, 2, 4)",
                                         "return mixed_hessian(f, X, 4, 4)"};
    for (int b = 0; b < 2; b++) {
        int r = b ? n : m;
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++) block[i * D + j] = h[(r * D + i) * ROWS * D + n * D + j];
        lua_numbers(L, seen, D * D, blocks[b]);
        assert_true(relative_error(seen, block, D * D) <= NEAR);
    }
    lua_close(L);
}

static void orders_and_parts(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* e^(s+t): a third derivative, and a fourth that bends the slope by eps/4 at most, on average over the octaves less */
        {"r = remainder_order(function(X) return sum(exp(sum(X, 1))) end, zeros(2, 1), 1, 2, {1}, {1})", ""},
        {"abs(r.order - 3) <= 2/16/2, r.low <= r.order, r.high >= r.order, r.octaves, r.eps:totable()[8] == "
         "2^-11",
         "true\ttrue\ttrue\t7\ttrue"},
        /* cos: no third derivative */
        {"r = remainder_order(function(X) return cos(X(1, 1) + X(2, 1)) end, zeros(2, 1), 1, 2, {1}, {1}, "
         "{from = 0.5, octaves = 6})",
         ""},
        {"abs(r.order - 4) <= 0.05", "true"},
        /* the parts: they add up to H, their squares to its square; the relative ones are relative to rounding */
        {"H = randn(rng(1), 8, 8) s = hessian_parts(H) P = sinusoidal(40, 8)", ""},
        {"max(abs(s.equal + s.turn + s.unequal + s.rest - H)) <= 2^-50", "true"},
        {"abs(s.shares.equal + s.shares.turn + s.shares.unequal + s.shares.rest - 1) <= 2^-48", "true"},
        {"abs(sum(s.equal*s.turn)) + abs(sum(s.equal*s.unequal)) + abs(sum(s.rest*s.turn)) + "
         "abs(sum(s.rest*s.unequal)) <= 2^-48",
         "true"},
        {"abs(s.relative - s.shares.equal - s.shares.turn) + abs(s.diagonal - s.shares.equal - "
         "s.shares.unequal)",
         "0.0"},
        {"function deviation(A) return (relativity_deviation(matmul(matmul(P, A), transpose(P)))) end", ""},
        /* 16 products of at most 1 an entry, in each of two matrix products: below 40 u |A|_1, beside entries of about 1 */
        {"deviation(s.equal) <= 1e-13, deviation(s.turn) <= 1e-13, deviation(s.unequal) > 0.5, "
         "deviation(s.rest) > 0.5",
         "true\ttrue\ttrue\ttrue"},
        /* the other layout: rows and columns in another order */
        {"order = array{1, 5, 2, 6, 3, 7, 4, 8}", ""},
        {"h = hessian_parts(H, {layout = 'half'}) i = hessian_parts(take(take(H, order, 1), order, 2))", ""},
        {"take(take(h.turn, order, 1), order, 2) == i.turn, take(take(h.unequal, order, 1), order, 2) == "
         "i.unequal",
         "true\ttrue"},
        {"hessian_parts(zeros(2, 2)).shares.rest", "0.0"},
        {"hessian_parts{{2, -1}, {1, 2}}",
         "shares of the mass: aI 0.8000, bJ 0.2000, the diagonal's rest 0.0000, everything else 0.0000;\n"
         "diagonal 0.8000, relative 1.0000"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_arguments(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"f, X = function(X) return sum(X * X) end, ones(3, 2)", ""},
        {"mixed_hessian(3, X, 1, 2)", "error: t:1: mixed_hessian: f is 3; wanted a function of X"},
        {"mixed_hessian(f, ones(3), 1, 2)",
         "error: t:1: mixed_hessian: X is (3); wanted (T, d), a row for each position"},
        {"mixed_hessian(f, 'x', 1, 2)",
         "error: t:1: mixed_hessian: X is the string \"x\"; wanted an array (T, d), a row for each position"},
        {"mixed_hessian(f, X, 0, 2)", "error: t:1: mixed_hessian: m is 0; wanted a row of X, 1 to 3"},
        {"mixed_hessian(f, X, 1, 2.5)", "error: t:1: mixed_hessian: n is 2.5; wanted a row of X, 1 to 3"},
        {"mixed_hessian(f, X, nan, 2)", "error: t:1: mixed_hessian: m is nan; wanted a row of X, 1 to 3"},
        {"taylor_terms(f, X, 2, 2, {1, 0}, {0, 1})",
         "error: t:1: taylor_terms: m and n are both 2; wanted two different rows"},
        {"taylor_terms(f, X, 1, 2, {1, 0, 0}, {0, 1})",
         "error: t:1: taylor_terms: p is (3); wanted (2), a number for each column of X"},
        {"taylor_terms(f, X, 1, 2, {1, 0}, 3)",
         "error: t:1: taylor_terms: q is 3; wanted an array (2), a number for each column of X"},
        {"taylor_terms(f, X, 1, 2, {1, 0}, {0, 1}).summ",
         "error: t:1: unknown field 'summ' of an expansion; did you mean 'sum'?"},
        {"taylor_terms(function(X) return X end, X, 1, 2, {1, 0}, {0, 1})",
         "error: t:1: grad: f returned an array of shape (3, 2); wanted one number (jacobian takes arrays)"},
        {"remainder_order(f, X, 1, 2, {1, 0}, {0, 1})",
         "error: t:1: remainder_order: at 0.0625 the remainder is 0, too near the rounding of f(X) = 6.26; "
         "wanted fewer octaves, or a greater from"},
        {"remainder_order(f, X, 1, 2, {1, 0}, {0, 1}, {octave = 3})",
         "error: t:1: remainder_order: unknown option 'octave'; did you mean 'octaves'?"},
        {"remainder_order(f, X, 1, 2, {1, 0}, {0, 1}, {octaves = 1})",
         "error: t:1: remainder_order: octaves is 1; wanted a whole number from 2 to 20"},
        {"remainder_order(f, X, 1, 2, {1, 0}, {0, 1}, {from = 0})",
         "error: t:1: remainder_order: from is 0; wanted a number above 0"},
        {"remainder_order(f, X, 1, 2, {1, 0}, {0, 1}, 3)",
         "error: t:1: remainder_order: the options are 3; wanted a table such as {octaves=7}"},
        {"hessian_parts(ones(3, 3))", "error: t:1: hessian_parts: H is (3, 3); wanted (d, d), d even"},
        {"hessian_parts(eq(eye(2), 1))", "error: t:1: hessian_parts: H is bool; wanted real numbers"},
        {"hessian_parts(I * eye(2))", "error: t:1: hessian_parts: H is c128; wanted real numbers"},
        {"hessian_parts(ones(2, 4))", "error: t:1: hessian_parts: H is (2, 4); wanted (d, d), d even"},
        {"hessian_parts(eye(2), {layout = 'halves'})",
         "error: t:1: hessian_parts: layout is the string \"halves\"; wanted \"interleaved\" or \"half\""},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_and_blocks),
        cmocka_unit_test(orders_and_parts),
        cmocka_unit_test(bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
