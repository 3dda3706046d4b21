/* Formulas as bytes and back: what is written is read, shared parts once; all else is refused.
 * Sources: expr/bytes.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "expr/bytes.h"
#include "formula.h"

static const char *const formulas[] = {
    "x",
    "-7",
    "x/3 + 2*y",
    "sum(cos(θ[i]*x)*k^(-2*i/n), i, 0, n - 1)",
    "exp(I*x)*z = cos(x)*z + I*sin(x)*z",
    "β^(1/2) <= pi + j",
};

static void read_back(const expr_node *e) {
    ph_text text = {0};
    expr_node *back = NULL;
    expr_put_bytes(&text, e);
    assert_false(text.failed);
    ph_bytes b = {text.s, text.n};
    assert_int_equal(expr_of_bytes(&back, &b, NULL), PH_OK);
    assert_int_equal(b.n, 0);
    assert_true(expr_same(e, back));
    expr_drop(back), ph_text_drop(&text);
}

static void what_is_written_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        expr_node *e = formula(formulas[i]);
        read_back(e);
        expr_drop(e);
    }
}

/* x squared 8 times: 256 factors, 9 parts of less than 20 bytes. */
static void shared_parts_are_written_once(void **state) {
    (void)state;
    expr_builder b = {0};
    ph_text text = {0};
    expr_node *e = expr_b_keep(&b, formula("x")), *back = NULL;
    for (int i = 0; i < 8; i++) e = expr_b_2(&b, EXPR_MUL, e, e);
    expr_put_bytes(&text, e);
    assert_true(text.n < 9 * 20);
    assert_int_equal(expr_of_bytes(&back, &(ph_bytes){text.s, text.n}, NULL), PH_OK);
    assert_true(expr_same(e, back));
    expr_drop(back), ph_text_drop(&text);
    assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
}

/* Any bit changed: an error, or a formula that can be built, and written and read like any; never anything else. */
static void spoilt_bytes_are_refused_or_are_a_formula(void **state) {
    (void)state;
    ph_text text = {0};
    expr_node *e = formula(formulas[3]), *back;
    expr_put_bytes(&text, e);
    int refused = 0;
    for (size_t at = 0; at < text.n; at++)
        for (int change = 1; change < 256; change <<= 1) {
            text.s[at] ^= (char)change;
            back = NULL;
            ph_status st = expr_of_bytes(&back, &(ph_bytes){text.s, text.n}, NULL);
            assert_int_equal(st == PH_OK, back != NULL);
            if (back) read_back(back);
            refused += st != PH_OK;
            expr_drop(back);
            text.s[at] ^= (char)change;
        }
    assert_true(refused > 0);
    expr_drop(e), ph_text_drop(&text);
}

static void what_is_no_formula_is_refused(void **state) {
    (void)state;
    static const char part[] = {EXPR_NEG, 1, 0, 0, 0,
                                0,        0, 0, 0}; /* names itself, number 0, which is not read yet */
    static const char head[] = {(char)EXPR_NOPS}, name[] = {EXPR_SYM, EXPR_REAL, 2, 0, 0, 0, 'x', 0};
    static const ph_bytes wrong[] = {{"", 0}, {part, sizeof part}, {head, 1}, {name, sizeof name}, {name, 4}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ph_err err;
        expr_node *e = NULL;
        ph_bytes b = wrong[i];
        assert_int_equal(expr_of_bytes(&e, &b, &err), PH_EARG);
        assert_string_equal(err.text, "these bytes are no formula");
        assert_null(e);
    }
}

static void a_refused_allocation_leaves_nothing_behind(void **state) {
    (void)state;
    ph_text text = {0};
    expr_node *e = formula(formulas[3]), *back = NULL;
    expr_put_bytes(&text, e);
    size_t live = ph_block_live(), k = 0;
    ph_status st;
    do {
        ph_alloc_fail_from(++k);
        st = expr_of_bytes(&back, &(ph_bytes){text.s, text.n}, NULL);
        ph_alloc_fail_from(0);
        assert_true(st == PH_OK || (st == PH_ENOMEM && !back && ph_block_live() == live));
    } while (st != PH_OK && k < 1000);
    assert_int_equal(st, PH_OK);
    assert_true(k > 1);
    expr_drop(e), expr_drop(back), ph_text_drop(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(shared_parts_are_written_once),
        cmocka_unit_test(spoilt_bytes_are_refused_or_are_a_formula),
        cmocka_unit_test(what_is_no_formula_is_refused),
        cmocka_unit_test(a_refused_allocation_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
