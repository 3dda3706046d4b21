/* The catalogue of identities (catalogue.lua): none misjudged, no mutant undecided, every fate pinned.
 * Sources: lib/formulas.lua lib/matrix.lua lua/expr.c lua/prove.c verify/induct.c verify/rational.c */
#include "lab.h"

#include <stdlib.h>

static int faults;

static int report(lua_State *L) {
    faults++;
    print_error("%s\n", lua_tostring(L, 1));
    return 0;
}

static void every_identity(void **state) {
    (void)state;
    lua_State *L = lab_open();
    char path[300];
    const char *tests = getenv("TEST_SOURCES");
    snprintf(path, sizeof path, "%s/lua/catalogue.lua", tests ? tests : "tests");
    if (luaL_loadfilex(L, path, "t") != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
    lua_pushcfunction(L, report);
    lua_pushboolean(L, getenv("SHOW") != NULL);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
    assert_true(lua_tointeger(L, -1) >= 60);
    assert_int_equal(faults, 0);
    lua_close(L);
}

static const lab_case exact_answers_cases[] = {
    {"rank(matrix{{1, 2}, {2, 4}})", "1"},
    {"rank(matrix{{rat(1, 3), 1}, {1, 3}, {0, 0}})", "1"},
    {"det(matrix{{1, 2}, {3, 4}})", "-2"},
    {"prove(det(symmatrix('a', 3, 3)), det(symmatrix('a', 3, 3).T)).strength", "proved"},
    {"det(matrix{{1, 2, 3}})", "error: t:1: det: 1 rows and 3 columns; wanted a square matrix"},
    {"trace(matrix{{1, 2, 3}})", "error: t:1: trace: 1 rows and 3 columns; wanted a square matrix"},
    {"det{{sym 'x', 2}, {3, 1}} == det(matrix{{sym 'x', 2}, {3, 1}}), trace{{sym 'x', 2}, {3, 1}}",
     "true\tx + 1"},
    {"v = matrix{{sym 'x'}}()", "error: t:1: matrix: an index is nil; wanted two integers, row and column"},
    {"v = matrix{{sym 'x'}}(1, 'a')",
     "error: t:1: matrix: an index is the string \"a\"; wanted two integers, row and column"},
    {"v = matrix{{sym 'x'}}.at(1, 1)",
     "error: t:1: matrix: at: called without a matrix of formulas; write M:at(...)"},
    {"v = matrix{{sym 'x'}}:map(1)", "error: t:1: matrix: map: wanted a function of an entry, got 1"},
    {"rank(matrix{{sym 'x'}})", "error: t:1: rank: entry (1, 1) is no exact number"},
    /* numbers of more than 64 bits, which doubles would take for equal ones */
    {"rank(matrix{{rat(10)^20, 1}, {rat(10)^40, rat(10)^20}})", "1"},
    {"rank(matrix{{rat(10)^20, 1}, {rat(10)^40 + 1, rat(10)^20}})", "2"},
    {"rank(matrix{{1 + rat(10)^-30, 1}, {1, 1/(1 + rat(10)^-30)}})", "1"},
    {"rank(matrix{{1 + rat(10)^-30, 1}, {1, 1 - rat(10)^-30}})", "2"},
    {"rank(matrix{{rat(-1)^1000000000 - 1, 0*rat(10)^30}})", "0"},
    {"null_space(matrix{{rat(10)^20, -2*rat(10)^20}})(1)", "2"},
    {"(solve(matrix{{rat(10)^20, rat(10)^20}, {0, rat(3)^50}}, {3*rat(10)^20, rat(3)^50}))(1)", "2"},
    {"rank(matrix{{rat(2)^32766}, {1}}), pcall(rank, matrix{{1, 0}, {0, rat(2)^16384}})",
     "1\tfalse\tt:1: rank: out of budget: entry (2, 2) is a fraction of more than 16384 bits"},
    {"rank(matrix{{(rat(2)^20000)^20000}})",
     "error: t:1: rank: out of budget: entry (1, 1) is a fraction of more than 32768 bits"},
    {"rank(matrix{{rat(1)/(rat(2)^70 - rat(4)^35)}})", "error: t:1: rank: entry (1, 1) is no exact number"},
    {"rank(matrix{{rat(2)^rat(1, 2)}})", "error: t:1: rank: entry (1, 1) is no exact number"},
    {"rank(matrix{{sqrt(rat(4)) + sym 'x'*0}})", "error: t:1: rank: entry (1, 1) is no exact number"},
    {"(select(2, solve(matrix{{1, 1}}, {2})))", "1"},
    {"solve(matrix{{1}, {1}}, {1, 2})",
     "error: t:1: solve: there is no solution: the equations contradict each other"},
    {"solve(matrix{{1}}, {1, 2})", "error: t:1: solve: the matrix has 1 rows, the right side 2"},
    {"null_space(matrix{{1, 0}, {0, 1}})", "nil\t0"},
    {"det(matrix{{rat(1 << 62), 1}, {1, rat(1 << 62)}})",
     "error: t:1: det: out of budget: an answer that does not fit a 64-bit fraction"},
    /* φ_m − φ_n = φ_{m−n}: one free unknown, φ_m = m·φ_1 */
    {"local rows = {} for m = 0, 63 do for n = 0, m do local r = {} for j = 1, 64 do r[j] = 0 end "
     "for at, s in pairs{[m + 1] = 1} do r[at] = r[at] + s end r[n + 1] = r[n + 1] - 1 r[m - n + 1] = "
     "r[m - n + 1] - 1 "
     "rows[#rows + 1] = r end end local v, k = null_space(matrix(rows)) return k, v(1, 1) / v(2, 1), "
     "v(64, 1) / v(2, 1)",
     "1\t0\t63"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], n*a[1]), n, 0, {eq(a[n+1], a[n] + "
     "a[1]), eq(a[0], 0)}).method",
     "induction over n from 0: base and step by normal form"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], n*a[1]), n, 0, {eq(a[n+1], a[n] + "
     "a[1])}).strength",
     "unknown"}, /* the recurrence at 0 says that a[0] = 0 */
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 2^n), n, 0, {eq(a[n+2], 3*a[n+1] - "
     "2*a[n]), eq(a[0], 1), "
     "eq(a[1], 2)}).strength",
     "proved"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 2^n), n, 0, {eq(a[n+2], 3*a[n+1] - "
     "3*a[n]), eq(a[0], 1), "
     "eq(a[1], 2)})",
     "refuted: n = 2: left side 3.0000000, right side 4.0000000"},
    /* A value that follows from the starts refutes, with its place; what is given must be able to hold. */
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], x^n), n, 0, {eq(a[n+1], 2*x*a[n]), eq(a[0], 1)})",
     "refuted: n = 1, x = 1: left side 2.0000000, right side 1.0000000"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 3*n), n, 0, {eq(a[n+1], a[n] + 2), eq(a[0], 0), eq(a[1], 2)}).witness",
     "n = 1: left side 2.0000000, right side 3.0000000"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 3*n), n, 0, {eq(a[n+1], a[n] + 2), eq(a[0], 0), eq(a[1], 3)}).strength",
     "unknown"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 3*n), n, 0, {eq(a[n+1], a[n] + 2), eq(a[0], 0), eq(a[99], 3)}).strength",
     "unknown"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], n), n, 0, {eq(a[n+1], a[n]/(n - 5) + 2), eq(a[0], 0)}).strength",
     "unknown"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], n), n, 0, {eq(a[n+1], a[n+2] + 2), eq(a[0], 0)}).strength",
     "unknown"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], n*x), n, 3, {eq(a[n+1], a[n] + x), eq(a[0], 0)}).conditions",
     "for all integers n >= 3, when the given equations hold (n >= 0)"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], n), n, 1, {eq(a[n+2], 2*a[n+1] - a[n]), eq(a[0], 0), eq(a[1], 1)}).strength",
     "proved"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], n), n, 1, {eq(a[n+2], 2*a[n+1] - a[n]), eq(a[0], 0), eq(a[1], 2)}).strength",
     "refuted"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], 0), n, -5, {eq(a[n+1], a[n]*n), eq(a[0], 0)}).strength",
     "unknown"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], x/x), n, 0, {eq(a[n+1], a[n]*x/x), eq(a[0], 1)}).conditions",
     "for all integers n >= 0, when the given equations hold with x != 0"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], 1/(n-5)), n, 0, {eq(a[n+1], a[n]*(n-5)/(n-4)), eq(a[0], rat(-1,5))}).strength",
     "unknown"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], 1/(n+1)), n, 0, {eq(a[n+1], a[n]*(n+1)/(n+2)), eq(a[0], 1)}).strength",
     "proved"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], 1), n, 0, {eq(a[n+1], a[n]), eq(a[0], 1), eq(a[0], 2)})",
     "error: t:1: induct: two given equations are for the same member"},
    {"a, n, x = sym 'a', sym('n', 'integer'), sym 'x'; return induct(eq(a[n], 2^n), x, 0, {eq(a[n+1], "
     "2*a[n])})",
     "error: t:1: induct: the variable is no integer symbol"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(2^n, a[n]), n, 0, {eq(a[n+1], 2*a[n])})",
     "error: t:1: induct: a statement is not of the form eq(a[n], ...)"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 0), n, 0, {eq(a[n+9], a[n]), eq(a[0], 0)})",
     "error: t:1: induct: a given equation's left side is not at n+1, …, n+8"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 0), n, 0, {eq(a[n] + 1, a[n+1])})",
     "error: t:1: induct: a given equation is not of the form eq(a[n+1], ...)"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 0), n, 0, rat(1, 3))",
     "error: t:1: induct: a given equation is not of the form eq(a[n+1], ...)"},
    {"a, n = sym 'a', sym('n', 'integer'); return induct(n, n, 0, {eq(a[n+1], a[n]), eq(a[0], 0)})",
     "error: t:1: induct: a statement is not of the form eq(a[n], ...)"},
    {"a, n = sym 'a', sym('n', 'natural'); return induct(eq(a[n], n), n, 0, {eq(a[n+1], a[n] + 1), eq(a[0], 0)})",
     "error: t:1: induct: a natural number starts at 1; the induction at 0"},
    /* a recurrence that divides by 0 on its way says nothing of what comes behind */
    {"a, n = sym 'a', sym('n', 'integer'); return induct(eq(a[n], 0), n, 0, {eq(a[n+1], a[n]/(n - 3)), eq(a[0], 0)})",
     "unknown: undefined: n - 3 != 0 is not shown to hold throughout"},
    {"a, c, n = sym 'a', sym 'c', sym('n', 'integer'); return induct(eq(a[n], (1 - c^(n+1))/(1 - c)), n, 0, "
     "{eq(a[n+1], a[n] + c^(n+1)), eq(a[0], 1)})",
     "proved for all integers n >= 0, when the given equations hold with 1 - c != 0, c != 0; 2 terms"},
    {"x, y, z = sym 'x y z'; return symmetric(x*y + y*z + z*x, {x, y, z}).method",
     "normal form of a fraction over Q; the 2 exchanges of neighbours generate all permutations"},
    {"x, y = sym 'x y'; return symmetric(x + 2*y, {x, y}).strength", "refuted"},
    {"x, y = sym 'x y'; return prove(abs(x)*abs(x)*y, x^2*y).method",
     "normal form over Q with roots adjoined"},
    {"x, y = sym 'x y'; return symmetric(x + 2*y, {x, x})", "error: t:1: symmetric: one symbol stands twice"},
    {"return erf(sym 'x' / 2)", "error: t:1: erf: not defined for formulas"},
    {"x = sym 'x'; return prod(x)", "error: t:1: prod: a formula is multiplied as prod(f, i, lo, hi)"},
    {"x = sym 'x'; return prod(x, x, 1, 3)",
     "error: t:1: prod: the index is no integer symbol; write i = sym(\"i\", \"integer\")"},
    {"i = sym('i', 'natural'); return prod(i, i, 0, 3)",
     "error: t:1: prod: the index 'i' is natural (1, 2, …), and the lower bound may be below 1; make it an "
     "integer: sym(\"i\", \"integer\")"},
    {"i = sym('i', 'integer'); return prod(i, i, rat(1, 2), 3)",
     "error: t:1: prod: a bound that is no integer is undefined"},
    {"i = sym('i', 'integer'); return prod(lt(i, 2), i, 1, 3)",
     "error: t:1: prod: argument 1 is a statement; wanted a value"},
    {"i = sym('i', 'integer'); return prod(i, 1, 1, 3)",
     "error: t:1: prod: a formula is multiplied as prod(f, i, lo, hi)"},
    {"i = sym('i', 'integer'); return prod(i, i, 3, 1)", "error: t:1: prod: from 3 down to 1"},
    {"i = sym('i', 'integer'); return prod(i, i, 1, 1001)",
     "error: t:1: prod: 1001 factors; at most 1000 are written out"},
    {"i = sym('i', 'integer'); return prod(i, i, 'a', 3)",
     "error: t:1: prod: the lower bound is the string \"a\"; wanted a formula, an integer or rat(p, q)"},
    {"return prod({1, 2, 3}), prod(array{{1, 2}, {3, 4}}, 1):sum()", "6.0\t11.0"},
    /* Of one block anything would be proved. */
    {"x = sym 'x'; return symmetric(x, {x})",
     "error: t:1: symmetric: the symbols: only one; wanted two or more, as in {x, y}"},
    {"X = symmatrix('x', 2); return symmetric(X(1) + 2*X(2), X)",
     "error: t:1: symmetric: the symbols: a matrix moves as one block; wanted two or more, as in {x, y}"},
    /* Where the polynomials grow too large for a proof, a point may still refute. */
    {"t, x = sym 't', sym('x', 'positive'); function by_parts(wave) local w, h = rat(10000)^(-t), 1 + t; "
     "local s = "
     "derivative(w, t); return prove(derivative(h*sin(x*w)/(x*s), t), h*cos(x*w) + "
     "sin(x*wave)*derivative(h/(x*s), "
     "t)).strength end; return by_parts(rat(10000)^(-t)), by_parts(rat(10000)^(1 - t))",
     "proved\trefuted"},
    /* Whole numbers among the real ones: the argument by slopes serves them as well. */
    {"j, i = sym('j', 'natural'), sym('i', 'integer'); return prove(gt(2*j - 1, 0)).conditions, prove(ge(i^3, i), "
     "{where = "
     "{ge(i, 2)}}).strength",
     "for all natural j\tproved"},
    {"j = sym('j', 'natural'); return prove(gt(j, 1)).witness",
     "j = 1: left side 1.0000000, right side 1.0000000"},
    {"i = sym('i', 'integer'); return prove(ge(2*i, 1), {where = {ge(i, 0)}}).strength, prove(ge(i^2, "
     "i), {where = "
     "{ge(i, 0)}}).strength",
     "refuted\tproved"},
    /* The sides of a witness differ in print too. */
    {"x = sym 'x'; return prove(x + rat(\"1e-14\"), x).witness",
     "x = 1: left side 1.000000000000010, right side 1.000000000000000"},
    {"X, Y = symmatrix('x', 2), symmatrix('y', 2); return symmetric(matmul(X.T, Y), {X, Y}).strength",
     "proved"},
    {"q, k = sym 'q k'; return expectation(q*k, q, k), variance(q*k, q, k), variance(3*q + 1, q), "
     "expectation(q^2*k, q)",
     "0\t1\t9\tk"},
    {"q = sym 'q'; return expectation(q^4, q)",
     "error: t:1: expectation: outside the theory: a moment beyond the second, which mean 0 and variance "
     "1 do not give"},
    {"q, i, j = sym 'q', sym('i j', 'integer'); return expectation(q[i]*q[j], q)",
     "error: t:1: expectation: outside the theory: members of a random family that may be the same one"},
    {"q, i = sym 'q', sym('i', 'integer'); return expectation(q[i]*q[i+1], q), expectation(q[i]^2, q)",
     "0\t1"},
    {"q, i, d = sym 'q', sym('i', 'integer'), sym('d', 'natural'); return variance(sum(q[i]*q[i+1], i, "
     "1, d), q)",
     "error: t:1: variance: outside the theory: a sum whose summands may depend on each other"},
    {"q = sym 'q'; return expectation(sin(q), q)",
     "error: t:1: expectation: outside the theory: the moment of what is no polynomial in the random "
     "symbols"},
};

/* What goes with the sources' claims and is no identity. */
static void exact_answers(void **state) {
    (void)state;
    lua_State *L = lab_open();
    for (size_t i = 0; i < sizeof exact_answers_cases / sizeof *exact_answers_cases; i++) {
        const char *seen = lab_eval(L, exact_answers_cases[i].code);
        if (strcmp(seen, exact_answers_cases[i].wanted))
            fail_msg("%s\n  gives %s\n  wanted %s", exact_answers_cases[i].code, seen,
                     exact_answers_cases[i].wanted);
        lua_settop(L, 0);
    }
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_identity), cmocka_unit_test(exact_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
