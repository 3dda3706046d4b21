/* Exact numbers are ordered exactly, however near they lie: Fibonacci's ratios up to words, of which neighbours differ by the least that
 * two fractions can. Sums go along their axis.
 * Sources: encoding/symbolic_elementwise.c encoding/symbolic.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "encoding/symbolic.h"

static expr_node *made(expr_builder *b, const char *name, expr_node *x, expr_node *y) {
    return enc_entry_of(op_find(name))(b, (expr_node *[]){x, y});
}

/* x < y */
static void ordered(expr_builder *b, expr_node *x, expr_node *y) {
    assert_true(x && y);
    assert_true(expr_is_rat(made(b, "lt", x, y), 1, 1) && expr_is_rat(made(b, "lt", y, x), 0, 1));
    assert_true(expr_is_rat(made(b, "le", x, y), 1, 1) && expr_is_rat(made(b, "ge", x, y), 0, 1));
    assert_true(expr_is_rat(made(b, "eq", x, y), 0, 1) && expr_is_rat(made(b, "eq", y, y), 1, 1));
    assert_true(made(b, "minimum", x, y) == x && made(b, "minimum", y, x) == x);
    assert_true(made(b, "maximum", x, y) == y && made(b, "maximum", y, x) == y);
}

static void numbers_are_ordered_exactly(void **state) {
    (void)state;
    expr_builder b = EXPR_BUILDER(NULL);
    int64_t f[91] = {1, 1};
    for (int k = 2; k <= 90; k++) f[k] = f[k - 1] + f[k - 2]; /* the last is below 2^63 */
    for (int k = 1; k < 90; k++) {
        bool up = k % 2; /* 1/1 > 1/2 < 2/3 > 3/5 < … */
        for (int sign = -1; sign <= 1; sign += 2) {
            expr_node *x = expr_b_rat(&b, sign * f[k - 1], f[k]), *y = expr_b_rat(&b, sign * f[k], f[k + 1]);
            if (up == (sign > 0)) ordered(&b, y, x);
            else ordered(&b, x, y);
        }
    }
    expr_node *most = expr_b_rat(&b, INT64_MAX, 1), *least = expr_b_rat(&b, -INT64_MAX, 1);
    ordered(&b, least, most);
    ordered(&b, expr_b_rat(&b, 1, INT64_MAX), expr_b_rat(&b, 1, INT64_MAX - 1));
    ordered(&b, expr_b_rat(&b, INT64_MAX - 2, INT64_MAX - 1), expr_b_rat(&b, INT64_MAX - 1, INT64_MAX));
    ordered(&b, least, expr_b_rat(&b, -1, INT64_MAX));
    assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
}

/* Of x[0], x[1], … as (2, 3, 2): against a loop. No definition sums along the first of several axes. */
static void sums_go_along_their_axis(void **state) {
    (void)state;
    static const int64_t shape[] = {2, 3, 2};
    enc_symbolic s;
    ph_err err;
    enc_symbolic_begin(&s, &err);
    op_val *x = enc_symbols(&s, "x", 12, 3, shape);
    for (int axis = 0; axis < 3; axis++)
        for (int keep = 0; keep < 2; keep++) {
            op_val *v = op_do_axis(&s.c, "sum", x, axis, keep);
            assert_non_null(v);
            int64_t inner = 1, at = 0;
            for (int d = axis + 1; d < 3; d++) inner *= shape[d];
            for (int64_t outer = 0; outer < 12; outer += inner * shape[axis])
                for (int64_t i = 0; i < inner; i++, at++) {
                    expr_node *sum = enc_symbolic_entry(&s, x, outer + i);
                    for (int64_t k = 1; k < shape[axis]; k++)
                        sum = enc_b_sum(&s.b, sum, enc_symbolic_entry(&s, x, outer + i + k * inner));
                    expr_node *is = enc_symbolic_entry(&s, v, at);
                    assert_true(is && sum && expr_same(is, sum));
                }
        }
    assert_int_equal(enc_symbolic_end(&s, NULL, NULL), PH_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_ordered_exactly),
                                       cmocka_unit_test(sums_go_along_their_axis)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
