/* Equalities up to a radius, over a box: what passes the radius inside the box, between the points that are looked at, on either side or off the
 * real line, is not certified; what is within it is not refuted.
 * Sources: verify/certify.c */
#include "ranges.h"

static ph_status certified(ver_strength *is, const char *text, const char *radius) {
    box b;
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula(text), *r = formula(radius);
    make_box(&b, "x 0 1");
    ph_status st = ver_certify(&v, s, &b.all, r, NULL, &err);
    *is = v.strength;
    ver_clear(&v);
    drop_box(&b);
    expr_drop(s), expr_drop(r);
    return st;
}

/* A peak at 1/3 of height 3/2, some 1/100 wide: neither the ends nor the middle see it. */
#define PEAK "3/2*exp(-(100*(x - 1/3))^2)"

static void equalities_up_to_a_radius(void **state) {
    (void)state;
    static const struct {
        const char *text, *radius;
        bool is; /* |left - right| <= radius */
    } rows[] = {
        {PEAK " = 0", "1", false},
        {"-" PEAK " = 0", "1", false},
        {"I*" PEAK " = 0", "1", false},
        {PEAK " = 0", "2", true},
        {"-" PEAK " = 0", "2", true},
        {"I*" PEAK " = 0", "2", true},
        {"(1 + I)*" PEAK " = I", "1", false},
        {"x = 1/2", "1/2", true},
        {"x = 1/2", "49/100", false},
        {"x = 0", "99/100", false},
        {"-x = 0", "99/100", false},
        {"-x = 0", "1", true},
        {"exp(I*x) = 1", "1", true},
        {"exp(I*x) = cos(x) - I*sin(x)", "1", false},
        {"sin(x) = x", "1/5", true},
        {"sin(x) = x", "1/7", false},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ver_strength is, wanted = rows[k].is ? VER_CERTIFIED : VER_REFUTED;
        assert_int_equal(certified(&is, rows[k].text, rows[k].radius), PH_OK);
        if (is != wanted) fail_msg("%s, %s: %s", rows[k].text, rows[k].radius, ver_strength_name(is));
    }
}

/* What balls cannot tell from the radius is neither: it is 0 and the sides are one, or the sides come as far apart at an end. */
static void what_balls_cannot_tell(void **state) {
    (void)state;
    static const char *const same[][2] = {{"exp(I*x) = cos(x) + I*sin(x)", "0"},
                                          {"sin(2*x) = 2*sin(x)*cos(x)", "0"},
                                          {"x*(pi - 3) = 0", "pi - 3"},
                                          {"x*(3 - pi) = 0", "pi - 3"},
                                          {"I*x*(pi - 3) = 0", "pi - 3"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        ver_strength is;
        assert_int_equal(certified(&is, same[k][0], same[k][1]), PH_OK);
        if (is == VER_REFUTED) fail_msg("%s", same[k][0]);
    }
}

/* A value that is 0, and that balls know from one side only: no order is refuted there, whether the box is the point or ends at it. An order that a side
 * keeps with equality is certified where no exact argument is: the balls of the whole part are points. */
static void orders_that_touch(void **state) {
    (void)state;
    static const struct {
        const char *text, *range;
        ver_strength is; /* VER_REFUTED: must not be */
    } rows[] = {
        {"abs(sin(pi*x)) <= 0", "x 1 1", VER_REFUTED},
        {"-abs(sin(pi*x)) >= 0", "x 1 1", VER_REFUTED},
        {"abs(exp(x)*exp(-x) - 1) <= 0", "x 1 2", VER_REFUTED},
        {"-abs(exp(x)*exp(-x) - 1) >= 0", "x 1 2", VER_REFUTED},
        {"sqrt(abs(sin(pi*x))) <= 0", "x 3 3", VER_REFUTED},
        {"0 >= abs(cos(pi*x))", "x 1/2 1/2", VER_REFUTED},
        {"floor(Ci(x)) <= 0", "x 1 2", VER_CERTIFIED},
        {"floor(Ci(x)) >= 0", "x 1 2", VER_CERTIFIED},
        {"1 >= floor(Si(x))", "x 2 3", VER_CERTIFIED},
        {"1 <= floor(Si(x))", "x 2 3", VER_CERTIFIED},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ver_strength is = strength_on(rows[k].text, rows[k].range, NULL);
        if (rows[k].is == VER_REFUTED ? is == VER_REFUTED : is != rows[k].is)
            fail_msg("%s over %s: %s", rows[k].text, rows[k].range, ver_strength_name(is));
    }
}

static void a_radius_is_a_number_from_0(void **state) {
    (void)state;
    static const char *const wrong[] = {"-1", "-1/10^18", "I", "1 + I", "x"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ver_strength is;
        if (certified(&is, "x = x^2", wrong[k]) != PH_EARG) fail_msg("%s", wrong[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equalities_up_to_a_radius),
        cmocka_unit_test(what_balls_cannot_tell),
        cmocka_unit_test(orders_that_touch),
        cmocka_unit_test(a_radius_is_a_number_from_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
