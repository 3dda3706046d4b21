/* The sign of a polynomial, asked by itself: polynomials whose sign is known by how they are made, many of them negative only where no point would
 * be tried. What is negative somewhere is never given a sign; what is made as this file says how gets the sign that it has.
 * Sources: verify/polysign.c verify/realroots.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PICK_SEED 5
#include "pick.h"
#include "verify/polysign.h"

#define VARS 3

static const char *names[VARS] = {"x", "y", "t"};
static fmpz_mpoly_ctx_t ctx;

static int setup(void **state) {
    (void)state;
    fmpz_mpoly_ctx_init(ctx, VARS, ORD_LEX);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    fmpz_mpoly_ctx_clear(ctx);
    flint_cleanup();
    return 0;
}

static const char *const called[] = {"open", "not negative", "positive"};
static const char *name_of(ver_sign s) {
    return called[s == VER_SIGN_OPEN ? 0 : s == VER_SIGN_NONNEGATIVE ? 1 : 2];
}

static void expect_sign(const fmpz_mpoly_t f, const ver_sign *sign, ver_sign want) {
    ver_sign is = ver_poly_sign(f, sign, ctx);
    if (is == want) return;
    char *text = fmpz_mpoly_get_str_pretty(f, names, ctx);
    fail_msg("%s with x %s, y %s, t %s: %s, not %s", text, name_of(sign[0]), name_of(sign[1]),
             name_of(sign[2]), name_of(is), name_of(want));
}

static void read_poly(fmpz_mpoly_t f, const char *text) {
    if (fmpz_mpoly_set_str_pretty(f, text, names, ctx)) fail_msg("no polynomial: %s", text);
}

static void expect_of(const char *text, ver_sign x, ver_sign y, ver_sign want) {
    fmpz_mpoly_t f;
    fmpz_mpoly_init(f, ctx);
    read_poly(f, text);
    expect_sign(f, (ver_sign[]){x, y, VER_SIGN_OPEN}, want);
    fmpz_mpoly_clear(f, ctx);
}

/* One term c·x^a·y^b: by the signs of c and of what has an odd exponent, and > 0 only where each variable in it is. */
static void terms(void **state) {
    (void)state;
    static const ver_sign of[] = {VER_SIGN_OPEN, VER_SIGN_NONNEGATIVE, VER_SIGN_POSITIVE};
    fmpz_mpoly_t f, g;
    fmpz_mpoly_init(f, ctx);
    fmpz_mpoly_init(g, ctx);
    for (int c = -1; c <= 1; c += 2)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++)
                for (int s = 0; s < 9; s++) {
                    ver_sign x = of[s % 3], y = of[s / 3], sign[VARS] = {x, y, VER_SIGN_OPEN};
                    bool may = c > 0 && !(a % 2 && x == VER_SIGN_OPEN) && !(b % 2 && y == VER_SIGN_OPEN);
                    bool above = may && !(a && x != VER_SIGN_POSITIVE) && !(b && y != VER_SIGN_POSITIVE);
                    ver_sign want = above ? VER_SIGN_POSITIVE : may ? VER_SIGN_NONNEGATIVE : VER_SIGN_OPEN;
                    char text[80];
                    snprintf(text, sizeof text, "%d*x^%d*y^%d", 3 * c, a, b);
                    read_poly(f, text);
                    if (ver_poly_visible(f, sign, ctx) != want)
                        fail_msg("%s, x %s, y %s", text, name_of(x), name_of(y));
                    /* a square beside it changes nothing that is >= 0; 1 makes it > 0 */
                    read_poly(g, "t^2");
                    fmpz_mpoly_add(g, f, g, ctx);
                    assert_int_equal(ver_poly_visible(g, sign, ctx), want);
                    fmpz_mpoly_add_si(g, g, 1, ctx);
                    assert_int_equal(ver_poly_visible(g, sign, ctx), may ? VER_SIGN_POSITIVE : VER_SIGN_OPEN);
                }
    fmpz_mpoly_clear(f, ctx);
    fmpz_mpoly_clear(g, ctx);
}

/* Σ dᵢ·Lᵢ² + c, for linear forms Lᵢ = xᵢ + Σ (later ones) + a shift, which are independent: its least value is c where no dᵢ is negative, and it has none
 * where one is. */
static void squares_of_linear_forms(void **state) {
    (void)state;
    fmpz_mpoly_t q, l, v;
    fmpz_mpoly_init(q, ctx);
    fmpz_mpoly_init(l, ctx);
    fmpz_mpoly_init(v, ctx);
    int seen[3] = {0, 0, 0};
    for (int round = 0; round < 300; round++) {
        int vars = 2 + pick(2), least = pick(3) - 1;
        bool falls = !pick(4);
        fmpz_mpoly_set_si(q, least, ctx);
        for (int i = 0; i < vars; i++) {
            fmpz_mpoly_gen(l, i, ctx);
            for (int k = i + 1; k < vars; k++) {
                fmpz_mpoly_gen(v, k, ctx);
                fmpz_mpoly_scalar_mul_si(v, v, pick(7) - 3, ctx);
                fmpz_mpoly_add(l, l, v, ctx);
            }
            fmpz_mpoly_add_si(l, l, 1000003 + pick(1000), ctx);
            fmpz_mpoly_mul(l, l, l, ctx);
            fmpz_mpoly_scalar_mul_si(l, l, falls && i == vars - 1 ? -1 - pick(3) : 1 + pick(5), ctx);
            fmpz_mpoly_add(q, q, l, ctx);
        }
        ver_sign want = falls || least < 0 ? VER_SIGN_OPEN
                        : least == 0       ? VER_SIGN_NONNEGATIVE
                                           : VER_SIGN_POSITIVE;
        expect_sign(q, (ver_sign[VARS]){VER_SIGN_OPEN, VER_SIGN_OPEN, VER_SIGN_OPEN}, want);
        seen[want == VER_SIGN_OPEN ? 0 : want == VER_SIGN_POSITIVE ? 1 : 2]++;
        fmpz_mpoly_neg(q, q, ctx);
        expect_sign(q, (ver_sign[VARS]){VER_SIGN_OPEN, VER_SIGN_OPEN, VER_SIGN_OPEN}, VER_SIGN_OPEN);
    }
    assert_true(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);
    fmpz_mpoly_clear(q, ctx);
    fmpz_mpoly_clear(l, ctx);
    fmpz_mpoly_clear(v, ctx);
}

/* Products: the factors that are of one sign, those that change it (at places of their own, so that nothing mends it), and what their exponents make of them. */
static void products(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int sign; /* 0: it has both */
    } factor[] = {{"x^2+1", 1},       {"x^2+x*y+y^2+1", 1},     {"x^4+1", 1},     {"-x^2-3", -1},
                  {"-y^4-x^2-2", -1}, {"x^2*(y^2+1)-x*y+1", 1}, {"x-1000003", 0}, {"x+y", 0},
                  {"x*y-7", 0},       {"x^3-2*y+1", 0}};
    enum { FACTORS = sizeof factor / sizeof *factor };
    fmpz_mpoly_t f, g;
    fmpz_mpoly_init(f, ctx);
    fmpz_mpoly_init(g, ctx);
    for (int round = 0; round < 400; round++) {
        int c = pick(2) ? 3 : -3, sign = c < 0 ? -1 : 1, e[FACTORS] = {0};
        bool zero = false, changes = false;
        fmpz_mpoly_set_si(f, c, ctx);
        for (int i = 1 + pick(3); i > 0; i--) e[pick(FACTORS)] = 1 + pick(3);
        for (int i = 0; i < FACTORS; i++) {
            if (!e[i]) continue;
            read_poly(g, factor[i].text);
            fmpz_mpoly_pow_ui(g, g, (ulong)e[i], ctx);
            fmpz_mpoly_mul(f, f, g, ctx);
            if (!factor[i].sign) zero = true;
            if (e[i] % 2 && !factor[i].sign) changes = true;
            if (e[i] % 2 && factor[i].sign < 0) sign = -sign;
        }
        ver_sign want = changes || sign < 0 ? VER_SIGN_OPEN : zero ? VER_SIGN_NONNEGATIVE : VER_SIGN_POSITIVE;
        expect_sign(f, (ver_sign[VARS]){VER_SIGN_OPEN, VER_SIGN_OPEN, VER_SIGN_OPEN}, want);
    }
    fmpz_mpoly_clear(f, ctx);
    fmpz_mpoly_clear(g, ctx);
}

/* (x − p)^n = 2 and the like, irreducible with roots at p ± 2^(1/n): on the line, from 0 on, and above 0. */
static void roots_left_of_zero(void **state) {
    (void)state;
    fmpz_mpoly_t f, g;
    fmpz_mpoly_init(f, ctx);
    fmpz_mpoly_init(g, ctx);
    for (int n = 1; n <= 6; n++)
        for (int p = -3; p <= 3; p++)
            for (int c = -2; c <= 2; c += 4) {
                fmpz_mpoly_gen(g, 0, ctx);
                fmpz_mpoly_sub_si(g, g, p, ctx);
                fmpz_mpoly_pow_ui(f, g, (ulong)n, ctx);
                fmpz_mpoly_sub_si(f, f, c, ctx);
                /* the least value, on the line and over x >= 0; that at 0 is (−p)^n − c, which is 0 for n = 1 alone */
                long at_zero = -c;
                for (long k = 0, v = 1; k <= n; k++, v *= -p)
                    if (k == n) at_zero = v - c;
                bool even = n % 2 == 0, on_line = even && c < 0;
                bool right = p >= 0 && even ? c < 0 : at_zero > 0, touching = !right && !even && at_zero == 0;
                ver_sign none = on_line ? VER_SIGN_POSITIVE : VER_SIGN_OPEN;
                expect_sign(f, (ver_sign[VARS]){VER_SIGN_OPEN, VER_SIGN_OPEN, VER_SIGN_OPEN}, none);
                for (int strict = 0; strict < 2; strict++) {
                    ver_sign x = strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
                    ver_sign want = right ? VER_SIGN_POSITIVE : touching ? x : VER_SIGN_OPEN;
                    expect_sign(f, (ver_sign[VARS]){x, VER_SIGN_OPEN, VER_SIGN_OPEN}, want);
                }
            }
    fmpz_mpoly_clear(f, ctx);
    fmpz_mpoly_clear(g, ctx);
}

/* Of degree 2 in a variable, and no quadratic form: A·f = (A·x + B)² + D. Each touches 0 or a value beside it, at points that are none of those tried. */
static void discriminants(void **state) {
    (void)state;
    static const struct {
        const char *square; /* a sum of squares that is 0 at real points */
        bool positive;      /* of which there are none */
    } rows[] = {
        {"(x*y-1)^2+(x-y)^2", false},       {"(x*y-7)^2+x^2", true},      {"(x*y^2-3)^2+(y-5)^2", false},
        {"(x*y-1)^2+(y^2-2)^2", false},     {"(x*y+t)^2+(t-1)^2", false}, {"x^2*(y^2+1)+2*x*y+1", true},
        {"(x*(y^2+1)-1)^2+(y-t)^2", false},
    };
    fmpz_mpoly_t f;
    fmpz_mpoly_init(f, ctx);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int c = -1; c <= 1; c++) {
            char text[200];
            snprintf(text, sizeof text, "1000000007*(%s)%+d", rows[i].square, c);
            read_poly(f, text);
            ver_sign sign[VARS] = {VER_SIGN_OPEN, VER_SIGN_OPEN, VER_SIGN_OPEN},
                     is = ver_poly_sign(f, sign, ctx);
            if (c < 0 && !rows[i].positive && is != VER_SIGN_OPEN) fail_msg("%s: %s", text, name_of(is));
            if (c == 0 && !rows[i].positive && is != VER_SIGN_NONNEGATIVE)
                fail_msg("%s: %s", text, name_of(is));
            if (c > 0 && is == VER_SIGN_OPEN) fail_msg("%s: open", text);
        }
    fmpz_mpoly_clear(f, ctx);
}

/* What only the signs of variables decide, and their neighbours. */
static void signs_of_variables(void **state) {
    (void)state;
    const ver_sign O = VER_SIGN_OPEN, N = VER_SIGN_NONNEGATIVE, P = VER_SIGN_POSITIVE;
    expect_of("0", O, O, N);
    expect_of("5", O, O, P);
    expect_of("-5", P, P, O);
    expect_of("x+y", N, N, N);
    expect_of("x+y", N, P, P);
    expect_of("x+y", O, P, O);
    expect_of("x*y-x", P, P, O);
    expect_of("-x", O, O, O);
    expect_of("x^3*y", P, P, P);
    expect_of("x^3*y", N, P, N);
    expect_of("x^2-2*x+1", O, O, N);
    expect_of("x^2-2*x+2", O, O, P);
    expect_of("-x^2+2*x-2", O, O, O);
    expect_of("x^3+3*x^2+3*x+2", N, O, P);
    expect_of("x^3+3*x^2+3*x+2", O, O, O);
    expect_of("x*(x-1)^2", N, O, N);
    expect_of("x*(x-1)^2", P, O, N);
    expect_of("x*(x-1)^2", O, O, O);
    expect_of("(x-1)^2*(y+1)", O, N, N);
    expect_of("(x-1)^3*(y+1)", O, N, O);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms),         cmocka_unit_test(squares_of_linear_forms),
        cmocka_unit_test(products),      cmocka_unit_test(roots_left_of_zero),
        cmocka_unit_test(discriminants), cmocka_unit_test(signs_of_variables)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
