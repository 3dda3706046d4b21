/* evaluate: at an array it is evaluate at each number; what is undefined stays so whatever is made of it.
 * Sources: expr/eval_many.c lua/values.c */
#include "lab.h"

static void numbers_and_arrays(void **state) {
    (void)state;
    static const lab_case cases[] = {
        /* every pair: the value at the number, and at an array of it */
        {"x = sym 'x' n = sym('n', 'integer') i = sym('i', 'integer') a = sym 'a'", ""},
        {"@numbers_and_arrays", ""},
        {"evaluate(im(sum(0*i, i, 1, n)), {n = -6})", "nan"},
        {"evaluate(1^sum(i, i, 0, n), {n = -5})", "nan"},
        {"evaluate(sum(i, i, 0, n)^0, {n = array{-5, -1, 2}})", "f64 (3)\n  nan  nan    1"},
        {"evaluate(abs(1/x)^0, {x = 0})", "nan"},
        {"evaluate(re(x^0*I), {x = 0})", "nan"},
        {"evaluate(lt(1/x, 1), {x = 0})", "nan"},
        {"evaluate(lt(x, 1), {x = array{0, 2}})", "bool (2)\n   true  false"},
        {"evaluate(lt(log(x), 1), {x = array{0, 1}})", "f64 (2)\n  nan    1"},
        {"evaluate(asin(x), {x = -1e10})", "-1.5707963267948966 + 23.7189981105004i"},
        {"evaluate((x^rat(1, 2))^2, {x = -1})", "-1.0"},
        {"evaluate(sum(a[i]*x, i, 1, n), {['a[1]'] = array{1, 2}, ['a[2]'] = 5, x = 3, n = array{1, 2}})",
         "f64 (2)\n   3  21"},
        {"evaluate(x + n, {x = array{{1}, {2}}, n = array{10, 20, 30}})",
         "f64 (2, 3)\n  11  21  31\n  12  22  32"},
        {"evaluate(x + n, {x = array{1, 2}, n = array{1, 2, 3}})",
         "error: t:1: evaluate: shapes (2) and (3) do not match; counted from the last dimension, sizes must be equal or 1"},
        {"evaluate(sum(i, i, 0, x), {x = array{1, 0.5}})",
         "error: t:1: evaluate: sum over i: the bounds are 0 and 0.5; wanted integers"},
        {"evaluate(x, {n = 3})", "error: t:1: evaluate: no value for the symbol 'x'"},
        {"evaluate(x, {x = 'a'})",
         "error: t:1: evaluate: x is the string \"a\"; wanted a number, an array or a table of numbers"},
        {"evaluate(rat(3), {x = array{1, 2}})", "3.0"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_and_arrays)};
    return cmocka_run_group_tests_name("evaluate", tests, NULL, NULL);
}
