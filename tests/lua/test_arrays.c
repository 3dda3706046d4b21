/* Arrays at the prompt: made, indexed, written into, chosen from; what is refused, and in which words.
 * Sources: lib/select.lua lua/arrays.c lua/bind.c lua/construct.c lua/dispatch.c lua/halves.c lua/index.c lua/raise.c lua/select.c lua/table.c */
#include "lab.h"

static const lab_case constructors_cases[] = {
    {"array{{1, 2}, {3, 4}}:totable()", "{{1.0, 2.0}, {3.0, 4.0}}"},
    {"array{true, false}.dtype", "bool"},
    {"array{true, 2}:totable()", "{1.0, 2.0}"},
    {"array{1, I}:totable()", "{1 + 0i, 0 + 1i}"},
    {"array({1, 2}, {dtype=\"f32\"}).dtype", "f32"},
    {"array(7).ndim", "0"},
    {"array(7):item()", "7.0"},
    {"array{}.shape", "{0}"},
    {"array{{}}.shape", "{1, 0}"},
    {"array{array{1, 2}, {3, 4}}:totable()", "{{1.0, 2.0}, {3.0, 4.0}}"},
    {"array{{1, 2}, {3}}",
     "error: t:1: array: [2] has 1 entries; wanted 2, as in the first (rows of unequal length)"},
    {"array{{{1}, {2}}, {{3}, {4, 5}}}",
     "error: t:1: array: [2][2] has 2 entries; wanted 1, as in the first (rows of unequal length)"},
    {"array{1, {2}}", "error: t:1: array: [2] is a table; wanted a number, as the first entry is"},
    {"array{{1}, 2}", "error: t:1: array: [2] is 2; wanted a table or array, as the first entry is"},
    {"array{1, \"2\"}", "error: t:1: array: [2] is the string \"2\"; wanted a number, boolean, complex "
                        "number, array or table"},
    {"array{1, 2, dtype=\"f32\"}",
     "error: t:1: array: the table has the key 'dtype'; options go in a table of their own: "
     "array(..., {dtype=...})"},
    {"array({1}, {dtpe=\"f32\"})", "error: t:1: array: unknown option 'dtpe'; did you mean 'dtype'?"},
    {"array({1}, {dtype=\"f16\"})",
     "error: t:1: array: dtype is the string \"f16\"; wanted \"f64\", \"f32\", \"c128\" or \"bool\""},
    {"local t = {}; t[1] = t; return array(t)", "error: t:1: array: the table is nested deeper than 8"},
    {"zeros(2, 3).shape", "{2, 3}"},
    {"zeros({2, 3}, {dtype=\"c128\"}).dtype", "c128"},
    {"zeros{}.ndim", "0"},
    {"zeros()", "error: t:1: zeros: no shape given; wanted sizes, as in 3, 4 or {3, 4}"},
    {"zeros(1, 1, 1, 1, 1, 1, 1, 1, 1)", "error: t:1: zeros: 9 sizes given; wanted at most 8"},
    {"array{{{{{{{{{1}}}}}}}}}", "error: t:1: array: the table is nested deeper than 8"},
    {"allclose(inf, inf), allclose(1, inf), allclose(inf, 1), allclose(nan, nan)",
     "true\tfalse\tfalse\tfalse"},
    {"allclose(1, 1, {rtl=3})", "error: t:1: allclose: unknown option 'rtl'; did you mean 'rtol'?"},
    {"allclose(1, 1.5, {atol=0.5}), allclose(1, 1.5, {rtol=0, atol=0.4}), array{1}:allclose({2}, "
     "{rtol=1})",
     "true\tfalse\ttrue"},
    {"allclose(1, 1, 1e-3)", "error: t:1: allclose: argument 3 is 0.001; wanted options such as {rtol=1e-9}"},
    {"allclose(1, 1, {atol=-1})", "error: t:1: allclose: atol is -1; wanted a finite number from 0"},
    {"allclose(1, 1, {rtol=\"x\"})", "error: t:1: allclose: rtol is the string \"x\"; wanted a number"},
    {"max(1, 2)", "error: t:1: max: folds one array; maximum(x, y) compares two"},
    {"min(ones(2), ones(2))", "error: t:1: min: folds one array; minimum(x, y) compares two"},
    {"norm({3, -4}, {ord=1}), norm({3, -4}, {ord=2}), norm({3, -4}, {ord=inf}), norm({}, {ord=inf})",
     "7.0\t5.0\t4.0\t0.0"},
    {"norm({{3, -4}, {1, nan}}, 2, {ord=inf, keep=true}):totable()", "{{4.0}, {nan}}"},
    {"norm({complex(3, 4), 1}, {ord=1})", "6.0"},
    {"norm({1, 2}, {ord=3})", "error: t:1: norm: ord is 3; wanted 1, 2 or inf"},
    {"norm({1, 2}, {ord=0})", "error: t:1: norm: ord is 0; wanted 1, 2 or inf"},
    {"norm({1, 2}, {ddof=1})", "error: t:1: norm: unknown option 'ddof'; wanted axis, keep, ord"},
    {"zeros(2, -1)", "error: t:1: zeros: a size is -1; wanted an integer of at least 0"},
    {"zeros(2.5)", "error: t:1: zeros: a size is 2.5; wanted an integer of at least 0"},
    {"ones(2, {dtype=\"bool\"}):totable()", "{true, true}"},
    {"full(2, I):totable()", "{0 + 1i, 0 + 1i}"},
    {"eye(2, 3):totable()", "{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}"},
    {"eye(0).shape", "{0, 0}"},
    {"range(0, 3):totable()", "{0.0, 1.0, 2.0, 3.0}"},
    {"range(3, 0, -1.5):totable()", "{3.0, 1.5, 0.0}"},
    {"range(1, 0).size", "0"},
    {"range(5)", "error: t:1: range: 1 argument given; wanted first and last, as in range(0, n-1)"},
    {"range(0, 1, 0)", "error: t:1: range: step is 0; wanted another"},
    {"range(0, 1e300)",
     "error: t:1: range: from 0 to 1e+300 by 1 has 1e+300 values, too many for any memory"},
    {"linspace(0, 1, 3):totable()", "{0.0, 0.5, 1.0}"},
    {"linspace(2, 9, 1):totable()", "{2.0}"},
    {"linspace(-1e308, 1e308, 3):totable()", "{-1e+308, 0.0, 1e+308}"},
    {"randn(rng(7), 3, 4).shape", "{3, 4}"},
    {"randn(rng(7), 5) == randn(rng(7), 5)", "true"},
    {"randn(rng(7), 5) == randn(rng(8), 5)", "false"},
    {"randn(3, 4)",
     "error: t:1: randn: the generator is 3; wanted a generator first: g = rng(7), then randn(g, 3, 4)"},
    {"fromfunction(function(i, j) return 10*i + j end, 2, 2):totable()", "{{11.0, 12.0}, {21.0, 22.0}}"},
    {"fromfunction(function() end, 2)", "error: t:1: fromfunction: f(1) gave nil; wanted a number"},
    {NULL, NULL}};

static void constructors(void **state) {
    (void)state;
    lab_run(constructors_cases);
}

static void fields_and_methods(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A = array{{1, 2, 3}, {4, 5, 6}}", ""},
        {"A.shape", "{2, 3}"},
        {"A.ndim", "2"},
        {"A.size", "6"},
        {"#A", "2"},
        {"A.T:totable()", "{{1.0, 4.0}, {2.0, 5.0}, {3.0, 6.0}}"},
        {"A:t() == A.T", "true"},
        {"A:sum()", "21.0"},
        {"A:sum(1):totable()", "{5.0, 7.0, 9.0}"},
        {"A:sum(-1):totable()", "{6.0, 15.0}"},
        {"A:sum(1, {keep=true}).shape", "{1, 3}"},
        {"A:sum(0)", "error: t:1: sum: axis is 0; axes count from 1, or from -1 at the end"},
        {"A:sum(1, {kep=true})", "error: t:1: sum: unknown option 'kep'; did you mean 'keep'?"},
        {"A:reshape(3, -1).shape", "{3, 2}"},
        {"A:permute(2, 1).shape", "{3, 2}"},
        {"A.shpae", "error: t:1: unknown field 'shpae' of an array; did you mean 'shape'?"},
        {"A:sume()", "error: t:1: unknown field 'sume' of an array; did you mean 'sum'?"},
        {"A.shape = 3", "error: t:1: array: the field 'shape' cannot be set; A[{i, j}] = v sets elements"},
        {"A:astype(\"f32\").dtype", "f32"},
        {"A:item()",
         "error: t:1: item: the operand is an array of shape (2, 3); wanted an array of one element"},
        {"local s = 0; for i, row in ipairs(A) do s = s + i * row:sum() end; return s", "36.0"},
        {"local s = 0; for i, row in pairs(A) do s = s + i * row:sum() end; return s", "36.0"},
        {"B = A:copy(); B[1] = 0; return A(1, 1), B(1, 1)", "1.0\t0.0"},
        {"do local C <close> = zeros(3); D = C end; return D.shape",
         "error: t:1: shape: the first operand is a closed array; wanted an array"},
        {"D + 1",
         "error: t:1: add: operand 1 is a closed array; wanted a number, an array or a table of numbers"},
        {"tostring(D)", "closed array"},
        {NULL, NULL}};
    lab_run(cases);
}

static void operators(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A = array{1, 2, 3}", ""},
        {"(A + 1):totable()", "{2.0, 3.0, 4.0}"},
        {"(1 - A):totable()", "{0.0, -1.0, -2.0}"},
        {"(A * A):totable()", "{1.0, 4.0, 9.0}"},
        {"(A / 2):totable()", "{0.5, 1.0, 1.5}"},
        {"(A ^ 2):totable()", "{1.0, 4.0, 9.0}"},
        {"(-A):totable()", "{-1.0, -2.0, -3.0}"},
        {"(A // 2):totable()", "{0.0, 1.0, 1.0}"},
        {"(A % 2):totable()", "{1.0, 0.0, 1.0}"},
        {"(-A % 2):totable()", "{1.0, 0.0, 1.0}"},
        {"(A + {10, 20, 30}):totable()", "{11.0, 22.0, 33.0}"},
        {"(A + I):totable()", "{1 + 1i, 2 + 1i, 3 + 1i}"},
        {"lt(A, 2):totable()", "{true, false, false}"},
        {"A < 2", "error: t:1: arrays have no order as a whole; lt le gt ge compare element by element, as "
                  "in all(lt(A, B))"},
        {"A == A:copy()", "true"},
        {"A == array{1, 2}", "false"},
        {"A == array{1, 2, 4}", "false"},
        {"array{nan} == array{nan}", "false"},
        {"A == 1", "false"},
        {"A + nil", "error: t:1: add: operand 2 is nil; wanted a number, an array or a table of numbers"},
        {"A + \"x\"",
         "error: t:1: add: operand 2 is the string \"x\"; wanted a number, an array or a table of numbers"},
        {"\"A: \" .. array(1):reshape(1)", "A: f64 (1)\n  1"},
        {"sin(0), sqrt(4), add(1, 2)", "0.0\t2.0\t3.0"},
        {"sin()", "error: t:1: sin: 0 arguments given; wanted 1, as in sin(x)"},
        {"sin(1, 2)", "error: t:1: sin: 2 arguments given; wanted 1, as in sin(x)"},
        {"eq(1, 1), lt(2, 1)", "true\tfalse"},
        {"where(true, 1, 2)", "1.0"},
        {"sum{{1, 2}, {3, 4}}", "10.0"},
        {NULL, NULL}};
    lab_run(cases);
}

static void indexing(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"A = array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}", ""},
        {"A(1, 2), A(-1, -1)", "2.0\t9.0"},
        {"A[{2, 3}]", "6.0"},
        {"A[2]:totable()", "{4.0, 5.0, 6.0}"},
        {"A[-1]:totable()", "{7.0, 8.0, 9.0}"},
        {"A[2][1]", "4.0"},
        {"A[2.0][1]", "4.0"},
        {"A[4]", "nil"},
        {"A[5]", "error: t:1: array: index 5 is out of range for dimension 1 of size 3"},
        {"A[0]",
         "error: t:1: array: index 0 is out of range for dimension 1 of size 3; indices count from 1"},
        {"A[-4]", "error: t:1: array: index -4 is out of range for dimension 1 of size 3"},
        {"A[1.5]", "error: t:1: array: an index is 1.5; wanted an integer"},
        {"A(1, 4)", "error: t:1: array: index 4 is out of range for dimension 2 of size 3"},
        {"A(1)",
         "error: t:1: array: 1 index for an array of 2 dimensions; A(i, j) reads one element, A[{i}] a part"},
        {"A[{1, 2, 3}]", "error: t:1: array: 3 indices for an array of 2 dimensions"},
        {"A[{ {1, 2}, {} }]:totable()", "{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}"},
        {"A[{ {}, 2 }]:totable()", "{2.0, 5.0, 8.0}"},
        {"A[{ {1, 3, 2}, {-2, -1} }]:totable()", "{{2.0, 3.0}, {8.0, 9.0}}"},
        {"A[{ {3, 1, -1}, 1 }]:totable()", "{7.0, 4.0, 1.0}"},
        {"A[{ {-1, 1, -2}, 1 }]:totable()", "{7.0, 1.0}"},
        {"A[{ {2} }]:totable()", "{{4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}}"},
        {"A[{ {1, 0} }].shape", "{0, 3}"},
        {"A[{ {4, 3} }].shape", "{0, 3}"},
        {"A[{ {1, 4} }]", "error: t:1: array: index 4 is out of range for dimension 1 of size 3"},
        {"A[{ {0, 2} }]",
         "error: t:1: array: index 0 is out of range for dimension 1 of size 3; indices count from 1"},
        {"A[{ {-4, 2} }]", "error: t:1: array: index -4 is out of range for dimension 1 of size 3"},
        {"A[{ {1, 2, 0} }]",
         "error: t:1: array: the step of a slice is 0; wanted a positive or negative integer"},
        {"A[{ {1, 2, 3, 4} }]", "error: t:1: array: a slice has 4 entries; wanted {first, last, step}"},
        {"A[true]", "error: t:1: array: an index is true; wanted a row number, {i, j, ...}, slices as in "
                    "{{1, 3}, {}}, or "
                    "the name of a field"},
        {"A[{1, 1}] = 10; return A(1, 1)", "10.0"},
        {"A[2] = 0; return A[2]:totable()", "{0.0, 0.0, 0.0}"},
        {"A[2] = {4, 5, 6}; return A[2]:totable()", "{4.0, 5.0, 6.0}"},
        {"A[{ {1, 2} }] = 0; return A:sum()", "24.0"},
        {"A[{ {}, 3 }] = range(1, 3); return A:totable()",
         "{{0.0, 0.0, 1.0}, {0.0, 0.0, 2.0}, {7.0, 8.0, 3.0}}"},
        {"A[{ {}, {} }] = A.T; return A:totable()", "{{0.0, 0.0, 7.0}, {0.0, 0.0, 8.0}, {1.0, 2.0, 3.0}}"},
        {"A[4] = 1", "error: t:1: array: index 4 is out of range for dimension 1 of size 3"},
        {"row = A[1]; row[2] = 9; return A(1, 2)", "9.0"},
        {"A[{1, 1}] = nil",
         "error: t:1: array: the assigned value is nil; wanted a number, an array or a table of numbers"},
        {"zeros{}[1]", "error: t:1: array: a 0-d array has no rows; A:item() reads it"},
        {"#zeros{}", "error: t:1: #: a 0-d array has no length; A:item() reads it"},
        {"full({}, 3)()", "3.0"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A[mask], A[indices] and setting them, against the elements picked one by one. */
static void chosen_by_arrays(void **state) {
    static const lab_case cases[] = {
        {"find(gt({3, 1, 4}, 2)):totable()", "{1.0, 3.0}"},
        {"find(gt({1, 1}, 2)).shape", "{0}"},
        {"find(eq({{1, 0}, {0, 1}}, 0)):totable()", "{{1.0, 2.0}, {2.0, 1.0}}"},
        {"find(eq(array{{1, 0, 1}, {0, 1, 0}}.T, 1)):totable()", "{{1.0, 1.0}, {2.0, 2.0}, {3.0, 1.0}}"},
        {"find({1, 2})",
         "error: t:1: find: the mask is an array of shape (2); wanted booleans, as in find(gt(x, 1))"},
        {"A = array{{1, 2}, {3, 4}, {5, 6}}", ""},
        {"A[gt(A, 2)]:totable()", "{3.0, 4.0, 5.0, 6.0}"},
        {"A[array{true, false, true}]:totable()", "{{1.0, 2.0}, {5.0, 6.0}}"},
        {"A[array{3, -3}]:totable()", "{{5.0, 6.0}, {1.0, 2.0}}"},
        {"A[array{true, false}]",
         "error: t:1: array: a mask of shape (2) for an array of shape (3, 2); wanted the same shape, or one element for each row"},
        {"A[gt(A, 4)] = 0 return A:totable()", "{{1.0, 2.0}, {3.0, 4.0}, {0.0, 0.0}}"},
        {"A[array{true, false, false}] = {{7, 8}} return A:totable()",
         "{{7.0, 8.0}, {3.0, 4.0}, {0.0, 0.0}}"},
        {"A[eq(A, 0)] = {1, 2} return A:totable()", "{{7.0, 8.0}, {3.0, 4.0}, {1.0, 2.0}}"},
        {"A[array{2, 3}] = 9 return A:totable()", "{{7.0, 8.0}, {9.0, 9.0}, {9.0, 9.0}}"},
        {"A[gt(A, 8)] = {1, 2}",
         "error: t:1: array: 4 places are chosen and the values have shape (2); wanted a number, or as many values"},
        {"A[array{1, 1.5}] = {{1, 2}, {3, 4}}", "error: t:1: array: index is 1.5; wanted a whole number"},
        {"A[array{1, nan}] = 0", "error: t:1: array: index is nan; wanted a whole number"},
        {"A[array{1 + I}] = 0", "error: t:1: array: index is 1 + 1i; wanted a whole number"},
        {"A:totable()", "{{7.0, 8.0}, {9.0, 9.0}, {9.0, 9.0}}"}, /* no place was written */
        {NULL, NULL},
    };
    (void)state;
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constructors), cmocka_unit_test(fields_and_methods), cmocka_unit_test(operators),
        cmocka_unit_test(indexing),     cmocka_unit_test(chosen_by_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
