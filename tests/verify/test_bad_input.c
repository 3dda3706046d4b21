/* What a student may type that has no good answer: each ends in a right verdict, an `unknown` with its kind, or an error that says why, and none
 * takes long. */
#include "../lua/lab.h"

static lua_State *L;

/* Wanted: what a prompt shows, or "error: part of the message". */
static void run(const lab_case *c) {
    for (; c->code; c++) {
        const char *gave = lab_eval(L, c->code);
        bool error = strncmp(c->wanted, "error: ", 7) == 0, right = strcmp(gave, c->wanted) == 0;
        if (error) right = strncmp(gave, "error: ", 7) == 0 && strstr(gave, c->wanted + 7);
        if (!right) fail_msg("%s\n  gave   %.300s\n  wanted %s", c->code, gave, c->wanted);
        lua_settop(L, 0);
    }
}

static int open_laboratory(void **state) {
    (void)state;
    L = lab_open();
    if (luaL_dostring(L, fixture("@symbols"))) fail_msg("%s", lua_tostring(L, -1));
    return 0;
}
static int close_laboratory(void **state) {
    (void)state;
    lua_close(L);
    return 0;
}

static void conditions_that_no_point_meets(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"said(prove(x, y, {where = {gt(x, 0), lt(x, 0)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(gt(x, 5), {where = {gt(x, 3), lt(x, 2)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(n, n + 1, {where = {gt(n, 0), lt(n, 1)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(ge(x, 9), {where = {gt(x, y), gt(y, z), gt(z, x)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(p, -1, {where = lt(p, 0)}))", "undefined: the conditions contradict each other"},
        {"said(prove(x, 7, {where = eq(x, x + 1)}))", "undefined: no point meets the condition eq(x, x + 1)"},
        {"said(prove(x, y, {where = ne(x, x)}))", "undefined: no point meets the condition ne(x, x)"},
        {"said(prove(ge(x, 5), {where = lt(x^2, 0)}))", "undefined: no point meets the condition lt(x^2, 0)"},
        {"said(prove(eq(x, 0), {where = ge(sin(x), 2)}))",
         "undefined: no point meets the condition ge(sin(x), 2)"},
        {"said(prove(x, y, {where = {eq(x, 1), eq(x, 2)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(ge(x^2, 0), {where = {eq(x, 1), eq(x, 2)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(x, y, {where = {eq(x*y, 0), eq(x*y, 1)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(x, y, {where = {eq(z, 1), ne(2*z, 2)}}))",
         "undefined: the conditions contradict each other"},
        {"w, k = sym('w', 'complex'), sym('k', 'integer')", ""},
        {"said(prove(w*x, x, {where = {eq(w, 1), eq(w, 2)}}))",
         "undefined: the conditions contradict each other"},
        {"said(prove(k*x, x, {where = eq(2*k, 1)}))", "undefined: the conditions contradict each other"},
        {"prove((x - 3)/(x - 3)*y, y, {where = eq(2*x + 1, 7)}).reason",
         "undefined: at no point that meets the conditions is the statement defined"},
        {"prove((x - 3)/(x - 3)*y, y, {where = eq(2*x + 1, 9)}).strength", "proved"},
        {"prove(y*2, x*y, {where = {eq(x + z, 1), eq(x - z, 3)}}).kind == 'undefined'", "false"},
        {NULL, NULL}};
    run(cases);
}

/* A witness meets what is assumed: rounded digits of an irrational value would not. */
static void a_witness_meets_its_equation_exactly(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function at_x(e) return prove(eq(0, x), {where = {eq(e, x)}}).witness:match '^x = ([^:]*)' end",
         ""},
        {"at_x(rat(7)/3)", "7/3"},
        {"at_x(log(rat(2)))", "log(2)"},
        {"at_x(sqrt(rat(2)) + 1)", "sqrt(2) + 1"},
        {"prove(eq(0, x), {where = {eq(x, sym('a')[sym('i', 'integer')])}}).witness:match 'x = %-?%d+/?%d*:' ~= nil",
         "true"},
        {"prove(eq(1, x), {where = {eq(log(sym('p', 'natural')), x)}}).witness:match 'p = 8, x = log%(8%)'",
         "p = 8, x = log(8)"},
        {NULL, NULL}};
    run(cases);
}

/* a·x + b·y = c and d·x + e·y = f have no point exactly when ae = bd while the three pairs are not proportional. */
static void equations_contradict_where_their_lines_are_parallel(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"wrong = ''; for a = -1, 1 do for b = 1, 2 do for c = 0, 1 do for d = -2, 2 do for e = -1, 2 do for f = 0, 2 do "
         "local parallel = a*e == b*d and not (a*f == c*d and b*f == c*e) "
         "local v = prove(x, y + 50, {where = {eq(a*x + b*y, c), eq(d*x + e*y, f)}}) "
         "if (v.kind == 'undefined') ~= parallel then wrong = wrong .. ('%d %d %d %d %d %d; '):format(a, b, c, d, e, f) end "
         "end end end end end end",
         ""},
        {"wrong", ""},
        {NULL, NULL}};
    run(cases);
}

static void one_name_is_one_symbol(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"prove(sym('x', 'positive') + x, 2*x)", "error: 'x' stands for two symbols"},
        {"prove(sqrt(sym('x', 'positive')^2), x)", "error: 'x' stands for two symbols"},
        {"prove(x, abs(x), {where = gt(sym('x', 'positive'), 1)})", "error: 'x' stands for two symbols"},
        {"certify(ge(sym('x', 'positive') + x, 0), {x = {0, 1}})", "error: 'x' stands for two symbols"},
        {"subst(sym('x', 'positive') + 1, x, -3)", "error: 'x' stands for two symbols"},
        {"derivative(sym('x', 'positive')^2, x)", "error: 'x' stands for two symbols"},
        {NULL, NULL}};
    run(cases);
}

/* An index and a symbol outside its sum may share a name; nothing is captured. */
static void indices_named_like_symbols(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"prove(sum(n, n, 1, 3) + n, 6 + n).strength", "proved"},
        {"prove(sum(n, n, 1, 3) + n, 6).strength", "refuted"},
        /* more terms than are worked out, also where the end is no integer of C: out of budget, not undefined */
        {"B = rat(10)^30", ""},
        {"prove(sum(x, n, 1, B), x*B).kind, prove(sum(x, n, 1, 1000000000000), 1000000000000*x).kind",
         "out of budget\tout of budget"},
        {"induct(eq(a[n], n), sym('n', 'natural'), 1, {eq(a[n + 1], a[n] + 1), eq(a[1], 1)})",
         "error: t:1: induct: the name 'n' stands for two symbols, one integer and one natural; give one of them "
         "another name"},
        {"prove(sum(n, n, 1, n), n*(n + 1)/2).conditions", "for all integer n with n >= 0"},
        {"prove(sum(sum(i, i, 1, i), i, 1, 3), 10).strength", "proved"},
        {"prove(sum(i*sum(i, i, 1, 2), i, 1, 3), 18).strength", "proved"},
        {"prove(sum(a[i], i, 1, i), sum(a[k], k, 1, i)).strength", "proved"},
        {"prove(i*sum(x*i, i, 1, 2), x*3*i).strength", "proved"},
        {"prove(i*sum(x*i, i, 1, 2), x*(i + 2*i^2)).strength", "refuted"},
        {"subst(sum(i*x, i, 1, 3), x, i)", "error: capture"},
        {"subst(sum(a[n], i, 1, N), n, i)", "error: capture"},
        {"subst(sum(i*x, i, 1, n), n, i)", "sum(i*x, i, 1, i)"},
        {NULL, NULL}};
    run(cases);
}

static void long_and_deep_formulas(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"both(fold(x, function(f, j) return f + rat(j)*x^j end, 900))", "proved\trefuted"},
        {"both(fold(x, function(f, j) return f*(x + j) end, 900))", "proved\trefuted"},
        {"both(fold(x, function(f) return sin(f) + 1 end, 900))", "proved\trefuted"},
        {"both(fold(x, function(f) return 1/(1 + f) end, 900))", "proved\trefuted"},
        {"said(prove(fold(x, function(f) return f^2 + 1 end, 900), x))",
         "out of budget: the polynomials grow too large"},
        {"prove(fold(x, function(f, j) return piecewise(lt(x, j), f, j) end, 900), fold(x, function(f, j) return piecewise(lt(x, j), f, j) end, 900)).strength",
         "proved"},
        {"prove(fold(x, function(f) return sqrt(f^2) end, 900), abs(x)).strength", "proved"},
        {"prove(fold(x, function(f) return sum(f*i, i, 1, 2) end, 900), fold(x, function(f) return sum(f*i, i, 1, 2) end, 900)).strength ~= 'refuted'",
         "true"},
        {"prove(fold(x, function(f, j) return maximum(f, x - j) end, 900), x)", "error: at most 4000000"},
        {"fold(x, function(f) return f + 1 end, 3000)", "error: nested 2001 deep"},
        {"#prove(sum(a[k], k, 1, 100000), 0).witness < 5000", "true"},
        {NULL, NULL}};
    run(cases);
}

static void huge_numbers(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"rat(('1'):rep(10000))", "error: does not fit a fraction of 64 bits"},
        {"rat '1e10000'", "error: does not fit a fraction of 64 bits"},
        {"rat '1e99999999999999999999'", "error: does not fit a fraction of 64 bits"},
        {"prove(rat(10)^10000 + x, x + rat(10)^10000).strength", "proved"},
        {"prove(rat(10)^10000 + x, x).strength", "refuted"},
        {"prove(gt(rat(2)^100000, rat(3)^60000)).strength", "proved"},
        {"prove(x^1000000, x^1000001).strength", "refuted"},
        {"said(prove(rat(7)^rat(7)^rat(7)^rat(7), 1))", "out of budget: the polynomials grow too large"},
        {"prove(sum(k, k, 1, 10000000000), 1).kind", "out of budget"},
        {"prove(exp(exp(exp(rat(10)))), 1).strength", "unknown"},
        {NULL, NULL}};
    run(cases);
}

static void what_is_no_statement(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"prove(x == x)", "error: write eq(a, b)"},
        {"prove(x < y)", "error: write lt(a, b)"},
        {"prove(x, nil)", "error: the right side is nil"},
        {"prove(x, 0/0)", "error: nan cannot stand in a formula"},
        {"prove(x, true)", "error: the right side is true"},
        {"prove(eq(x, y), {where = x})", "error: wanted statements"},
        {"prove(eq(x, y), {were = x})", "error: did you mean 'where'?"},
        {"x + eq(x, y)", "error: is a statement; wanted a value"},
        {"said(prove(a[rat(1, 2)], a[rat(1, 2)]))", "undefined: an index is no integer"},
        {NULL, NULL}};
    run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_that_no_point_meets),
        cmocka_unit_test(equations_contradict_where_their_lines_are_parallel),
        cmocka_unit_test(a_witness_meets_its_equation_exactly),
        cmocka_unit_test(one_name_is_one_symbol),
        cmocka_unit_test(indices_named_like_symbols),
        cmocka_unit_test(long_and_deep_formulas),
        cmocka_unit_test(huge_numbers),
        cmocka_unit_test(what_is_no_statement),
    };
    return cmocka_run_group_tests(tests, open_laboratory, close_laboratory);
}
