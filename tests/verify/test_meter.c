/* A statement costs what the meter allows and no more, counted in work; an empty meter makes an answer unknown, never another one.
 * Sources: verify/induct.c verify/meter.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <cmocka.h>

#include "ranges.h"
#include "verify/certify.h"
#include "verify/exact.h"
#include "verify/meter.h"
#include "verify/prove.h"

#define DEAR                                                                                                 \
    10.0 /* seconds of processor time; sanitizers slow everything, and these statements take two without */
#define ALLOWED 2e3 /* of the meter, for statements that need more */

typedef struct {
    const char *text, *where; /* where: NULL, or an inequality */
    bool holds;
} row;

static const row proofs[] = {
    {"sin(a+b) = sin(a)*cos(b) + cos(a)*sin(b)", NULL, true},
    {"sin(a+b) = sin(a)*cos(b) - cos(a)*sin(b)", NULL, false},
    {"sqrt(x^2*y^2) = abs(x)*abs(y)", NULL, true},
    {"sqrt(x^2*y^2) = x*y", NULL, false},
    {"(a+b+c+d)^12 = (d+c+b+a)^12", NULL, true},
    {"abs(abs(x-1)-abs(x-2)) = abs(abs(2-x)-abs(1-x))", NULL, true},
    {"sum(i^3, i, 1, n) = (n*(n+1)/2)^2", "n >= 1", true},
    {"sum(i^3, i, 1, n) = (n*(n+1)/2)^2 + sin(pi*n/7)", "n >= 1", false},
    {"cos(pi/7)*cos(2*pi/7)*cos(3*pi/7) = 1/8", NULL, true},
    {"sqrt(k*1024) + 1/100 <= (k+1024)/sqrt(2^2)", "y >= x",
     false}, /* k = 1024; not found by rational points */
    {"sqrt(k*1024) <= (k+1024)/2", NULL, true},
    {"(a*c+b*d)^2 <= (a^2+b^2)*(c^2+d^2)", NULL, true},
    {"(a*d+b*y+c*x)^2 <= (a^2+b^2+c^2)*(d^2+y^2+x^2)", NULL, true},
    {"(a*c+b*d)^2 <= (a^2+b^2)*(c^2+d^2) - 1/1000000", NULL, false},
    {"exp(x) >= 1 + x", NULL, true},
    {"exp(x) >= 1 + x + x^2/1000", NULL, false},
    {"log(k) <= k - 1", NULL, true},
    {"cos(x) >= 1 - x^2/2", NULL, true},
    {"x^4 + y^4 + 1 >= 4*x*y - 1", NULL, true},
    {"x^6 - 3*x^4*y^2 + 3*x^2*y^4 - y^6 + (x*y)^2 + 1 > 0", "x >= y", false},
};
enum { PROOFS = sizeof proofs / sizeof *proofs };

static ver_strength prove(const row *r, ver_reason *why) {
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula(r->text), *where = r->where ? formula(r->where) : NULL;
    ver_assume a = {&where, where != NULL};
    if (ver_prove(&v, s, &a, &err)) fail_msg("%s: %s", r->text, err.text);
    ver_strength got = v.strength;
    if (why) *why = v.reason;
    if (got == (r->holds ? VER_REFUTED : VER_PROVED)) fail_msg("%s: answered wrongly", r->text);
    if (got == VER_UNKNOWN) assert_non_null(v.reason_text);
    ver_clear(&v);
    expr_drop(s);
    expr_drop(where);
    return got;
}

static void no_budget_makes_an_answer_wrong(void **state) {
    (void)state;
    int decided = 0, ended = 0;
    for (double allowed = 3; allowed < 1e5; allowed *= 6) {
        ver_meter_allow(allowed);
        for (int i = 0; i < PROOFS; i++) {
            ver_reason why;
            ver_strength got = prove(&proofs[i], &why);
            assert_true(ver_meter_used() <= allowed);
            decided += got != VER_UNKNOWN;
            ended += got == VER_UNKNOWN && why == VER_OUT_OF_BUDGET;
        }
    }
    ver_meter_allow(VER_METER);
    printf("%d decided, %d out of budget\n", decided, ended);
    assert_true(decided > 20 && ended > 20);
}

static void what_is_counted_is_the_same_every_time(void **state) {
    (void)state;
    for (int i = 0; i < PROOFS; i++) {
        if (!strncmp(proofs[i].text, "sqrt(k*1024) + ", 15)) continue; /* dear */
        ver_strength first = prove(&proofs[i], NULL);
        double used = ver_meter_used();
        assert_int_equal(prove(&proofs[i], NULL), first);
        assert_true(ver_meter_used() == used);
        assert_true(used > 0 && used <= VER_METER);
    }
}

static ver_strength on_box(const char *text, const char *ranges, ver_reason *why) {
    ver_verdict v;
    certify_on(&v, text, ranges, NULL);
    ver_strength got = v.strength;
    *why = v.reason;
    ver_clear(&v);
    return got;
}

static void certificates_end_too(void **state) {
    (void)state;
    ver_reason why;
    ver_meter_allow(ALLOWED);
    assert_int_equal(on_box("cos(x) + floor(abs(x)/3) >= 1 - x^2/2", "x -5/2 3/2", &why), VER_UNKNOWN);
    assert_int_equal(why, VER_OUT_OF_BUDGET);
    assert_true(ver_meter_used() <= ALLOWED);
    ver_meter_allow(ALLOWED / 10); /* some hundred boxes need more */
    assert_int_equal(on_box("sin(10*x)*sin(13*x) + cos(x/10) > -x", "x 1/1000 40", &why), VER_UNKNOWN);
    assert_int_equal(why, VER_OUT_OF_BUDGET);
    ver_meter_allow(VER_METER);
    assert_int_equal(on_box("sin(x) <= x", "x 1/10 3/2", &why), VER_CERTIFIED);
}

/* The work that is counted is the work that is done: what costs most is over in time. */
static void statements_that_took_minutes(void **state) {
    (void)state;
    ver_reason why;
    ver_meter_allow(VER_METER / 4);
    clock_t began = clock();
    assert_int_equal(prove(&proofs[9], &why), VER_UNKNOWN);
    assert_int_equal(why, VER_OUT_OF_BUDGET);
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < DEAR / 4);
    began = clock();
    (void)on_box("cos(x) + floor(abs(x)/3) >= 1 - x^2/2", "x -5/2 3/2", &why);
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < DEAR / 4);
    ver_meter_allow(VER_METER);
    began = clock(); /* false, and not decided; real roots of polynomials of degree 60 are counted */
    assert_int_equal(prove(&(row){"abs(x) + sqrt(abs(-2))^2 > abs(x-2)", NULL, false}, NULL), VER_UNKNOWN);
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < DEAR);
}

/* A question of several statements costs what one statement may: each of these values of the sequence takes seconds. */
static void parts_share_the_meter(void **state) {
    (void)state;
    ver_verdict v;
    ph_err err = {0};
    expr_node *s = formula("a[n] = 2^n*(1 + (abs(sin(1)) - sin(1)))"), *n = formula("n");
    expr_node *given[] = {formula("a[n+1] = 2*a[n]"), formula("a[2] = 4")};
    ver_meter_allow(VER_METER / 4);
    assert_int_equal(ver_induct(&v, &s, 1, n, 2, given, 2, &err), PH_OK);
    assert_int_equal(v.strength, VER_UNKNOWN);
    assert_int_equal(v.reason, VER_OUT_OF_BUDGET);
    assert_true(ver_meter_used() <= VER_METER / 4);
    ver_meter_allow(VER_METER);
    ver_clear(&v);
    expr_drop(s);
    expr_drop(n);
    expr_drop(given[0]);
    expr_drop(given[1]);
}

/* Whether a condition is implied is asked with a small part of the meter, and what is left of the whole is there afterwards. */
static void what_matters_little_costs_little(void **state) {
    (void)state;
    const row idle = {"tan(atan(n/k))^2 = (n/k)^2", "x > 2", true};
    ver_meter_allow(VER_METER);
    assert_int_equal(prove(&idle, NULL), VER_PROVED);
    assert_true(ver_meter_used() < VER_METER / 10); /* half of it before there was a part */
    ver_meter_open(1);
    double before = ver_meter_lower(0.01);
    assert_false(ver_meter_spend(VER_METER / 50));
    assert_true(ver_meter_is_empty());
    ver_meter_restore(before);
    assert_false(ver_meter_is_empty());
    assert_true(ver_meter_spend(VER_METER / 50));
    assert_false(ver_meter_spend(VER_METER));
    before = ver_meter_lower(0.01);
    ver_meter_restore(before);
    assert_true(ver_meter_is_empty());
    ver_meter_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_budget_makes_an_answer_wrong),
        cmocka_unit_test(what_is_counted_is_the_same_every_time),
        cmocka_unit_test(certificates_end_too),
        cmocka_unit_test(statements_that_took_minutes),
        cmocka_unit_test(parts_share_the_meter),
        cmocka_unit_test(what_matters_little_costs_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
