/* Where statements are looked at: the values that symbols get at points of each scale, all of them and no others; the ends that conditions set, and ends
 * between which there is nothing.
 * Sources: verify/sample.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/sample.h"
/* behind FLINT, which has a name I of its own */
#include "base/cmplx.h"

enum { SEEDS = 6000, VALUES = 4000 };

typedef struct {
    double v[VALUES];
    int n;
} values;

static void note(values *s, double v) {
    for (int i = 0; i < s->n; i++)
        if (s->v[i] == v) return;
    assert_true(s->n < VALUES);
    s->v[s->n++] = v;
}

static bool has(const values *s, double v) {
    for (int i = 0; i < s->n; i++)
        if (s->v[i] == v) return true;
    return false;
}

/* In either order: whole fractions of small numbers, which are rounded alike. */
static void expect_same(const char *what, const values *seen, const values *wanted) {
    for (int i = 0; i < seen->n; i++)
        if (!has(wanted, seen->v[i])) fail_msg("%s: %.17g", what, seen->v[i]);
    for (int i = 0; i < wanted->n; i++)
        if (!has(seen, wanted->v[i])) fail_msg("%s: never %.17g", what, wanted->v[i]);
}

static expr_node *symbol(expr_kind kind) {
    expr_node *s;
    assert_int_equal(expr_sym(&s, "v", kind, NULL), PH_OK);
    return s;
}

/* The value at a point; its ball holds it, and is no wider than rounding. */
static double complex at(ver_sampler *p, const expr_node *atom) {
    double complex v;
    acb_t ball, c;
    acb_init(ball);
    acb_init(c);
    assert_true(ver_sample_double(p, atom, &v));
    assert_true(ver_sample_ball(p, ball, atom, 90));
    acb_set_d_d(c, creal(v), cimag(v));
    acb_sub(c, c, ball, 90); /* a double is off by 2^-53 of its size at most */
    double off = fabs(arf_get_d(arb_midref(acb_realref(c)), ARF_RND_UP)) +
                 fabs(arf_get_d(arb_midref(acb_imagref(c)), ARF_RND_UP));
    assert_true(isfinite(off) && off <= ldexp(fabs(creal(v)) + fabs(cimag(v)), -52));
    assert_true(acb_rel_accuracy_bits(ball) > 80);
    acb_clear(ball);
    acb_clear(c);
    return v;
}

/* All that a symbol of the kind is at so many points of a scale: the parts apart. */
static void gather(values *re, values *im, ver_sampler *p, ver_scale scale, const expr_node *s) {
    p->scale = scale;
    re->n = im->n = 0;
    for (p->seed = 0; p->seed < SEEDS; p->seed++) {
        double complex v = at(p, s);
        note(re, creal(v));
        note(im, cimag(v));
    }
}

static void between(values *s, int lo, int hi) {
    s->n = 0;
    for (int i = lo; i <= hi; i++) note(s, i);
}

/* What fractions of a scale may be, for a symbol that is above 0 or of either sign. */
static void fractions(values *s, ver_scale scale, bool above) {
    s->n = 0;
    for (int sign = above ? 1 : -1; sign <= 1; sign += 2) {
        for (int d = 1; d <= 7 && scale == VER_NEAR; d++)
            for (int k = 1; k <= 6 * d; k++) note(s, (double)(sign * k) / d);
        for (int digit = 1; digit <= 9 && scale == VER_SMALL; digit++)
            for (int64_t ten = 1000; ten <= 1000000; ten *= 10) note(s, (double)(sign * digit) / (double)ten);
        for (int k = 1; k <= 13 && scale == VER_HALF; k += 2) note(s, sign * k / 2.0);
        for (int k = 0; k <= 24 && scale == VER_ALIKE; k++) note(s, above && !k ? 1 : sign * k / 4.0);
        for (int k = 0; k <= (sign > 0 ? 7 : 5) && scale == VER_WHOLE; k++)
            note(s, above && !k ? 1 : sign * k);
    }
    if (above && scale == VER_WHOLE) note(s, 1);
}

static void each_scale_has_its_fractions(void **state) {
    (void)state;
    static const ver_scale scales[] = {VER_NEAR, VER_SMALL, VER_HALF, VER_ALIKE, VER_WHOLE};
    static values re, im, want;
    values none = {{0}, 1};
    for (expr_kind kind = EXPR_REAL; kind <= EXPR_COMPLEX; kind++) {
        if (kind != EXPR_REAL && kind != EXPR_POSITIVE && kind != EXPR_COMPLEX) continue;
        ver_sampler p;
        expr_node *s = symbol(kind);
        ver_sampler_init(&p, s, NULL, 0);
        for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
            gather(&re, &im, &p, scales[i], s);
            fractions(&want, scales[i], kind == EXPR_POSITIVE);
            expect_same("real part", &re, &want);
            expect_same("imaginary part", &im, kind == EXPR_COMPLEX ? &want : &none);
        }
        ver_sampler_clear(&p);
        expr_drop(s);
    }
}

/* ±(d·10^e + r) with a digit d, e from 2 to 5 and r below 97: of each digit and size, of either sign. */
static void far_ones(expr_kind kind) {
    bool seen[2][10][6] = {{{false}}}, broken = false;
    ver_sampler p;
    expr_node *s = symbol(kind);
    ver_sampler_init(&p, s, NULL, 0);
    p.scale = VER_FAR;
    for (p.seed = 0; p.seed < SEEDS; p.seed++) {
        double v = creal(at(&p, s)), size = fabs(v);
        int e = (int)floor(log10(size) + 1e-12);
        int d = (int)floor(size / pow(10, e));
        assert_true(e >= 2 && e <= 5);
        double rest = size - d * pow(10, e);
        assert_true(rest >= 0 && rest < 97);
        broken |= rest != floor(rest);
        seen[v < 0][d][e] = true;
    }
    for (int sign = 0; sign < 2; sign++)
        for (int d = 1; d <= 9; d++)
            for (int e = 2; e <= 5; e++)
                assert_true(seen[sign][d][e] ==
                            (sign == 0 || (kind != EXPR_POSITIVE && kind != EXPR_NATURAL)));
    assert_true(broken == (kind == EXPR_REAL || kind == EXPR_POSITIVE));
    ver_sampler_clear(&p);
    expr_drop(s);
}

static void far_points_are_of_every_size(void **state) {
    (void)state;
    far_ones(EXPR_REAL);
    far_ones(EXPR_POSITIVE);
    far_ones(EXPR_INTEGER);
    far_ones(EXPR_NATURAL);
}

/* Whole numbers of each scale; those that bound a sum; beside indices that stand in the formula. */
static void whole_numbers(void **state) {
    (void)state;
    static values re, im, want;
    static const struct {
        const char *formula;
        ver_scale scale;
        int lo, hi;
    } rows[] = {
        {"n", VER_NEAR, -6, 10},
        {"n", VER_SMALL, -2, 2},
        {"n", VER_WHOLE, -6, 10},
        {"n", VER_HALF, -6, 10},
        {"n", VER_ALIKE, -6, 10},
        {"sum(x, i, 1, n)", VER_NEAR, -1, 7},
        {"sum(x, i, n, 7)", VER_WHOLE, -1, 7},
        {"2 + sum(sum(x, i, 1, n + 1), j, 1, 3)", VER_FAR, 1, 40},
        {"sum(x, i, 1, n)", VER_SMALL, -2, 2},
        {"θ[6]*n", VER_WHOLE, 5, 7},
        {"θ[6]*n + θ[6] - θ[4]", VER_WHOLE, 3, 7},
        {"θ[6]*n", VER_NEAR, -6, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_sampler p;
        expr_node *f = formula(rows[i].formula), *n = formula("n");
        ver_sampler_init(&p, f, NULL, 0);
        gather(&re, &im, &p, rows[i].scale, n);
        between(&want, rows[i].lo, rows[i].hi);
        expect_same(rows[i].formula, &re, &want);
        ver_sampler_clear(&p);
        expr_drop(f);
        expr_drop(n);
    }
}

/* One value for all symbols, in quarters, and only there. */
static void alike_symbols(void **state) {
    (void)state;
    ver_sampler p;
    expr_node *x = formula("x"), *y = formula("y"), *at3 = formula("θ[3]");
    ver_sampler_init(&p, x, NULL, 0);
    for (int scale = 0; scale < VER_SCALES; scale++) {
        int same = 0;
        p.scale = (ver_scale)scale;
        for (p.seed = 0; p.seed < 200; p.seed++) same += at(&p, x) == at(&p, y) && at(&p, x) == at(&p, at3);
        assert_true(scale == VER_ALIKE ? same == 200 : same < 100);
    }
    ver_sampler_clear(&p);
    expr_drop(x);
    expr_drop(y);
    expr_drop(at3);
}

#define NONE 1e9

/* Inside the ends that conditions set, both of which are met; the narrower of two counts, from whichever side it is written. */
static void ends(void **state) {
    (void)state;
    static const struct {
        const char *atom, *where[3];
        double lo, hi; /* NONE: no end */
    } rows[] = {
        {"x", {"x >= 2"}, 2, NONE},
        {"x", {"x > 2"}, 2, NONE},
        {"x", {"2 <= x"}, 2, NONE},
        {"x", {"x <= 3"}, NONE, 3},
        {"x", {"3 > x"}, NONE, 3},
        {"x", {"x >= 2", "x <= 3"}, 2, 3},
        {"x", {"3 >= x", "x >= 1", "x >= 2"}, 2, 3},
        {"x", {"x >= 2", "x >= 1", "x <= 5"}, 2, 5},
        {"x", {"x <= 5", "x <= 7", "x >= -1"}, -1, 5},
        {"x", {"x <= 7", "x < 5", "x > -1"}, -1, 5},
        {"x", {"x >= -7/2", "x <= -1/3"}, -3.5, -1.0 / 3},
        {"n", {"n >= 5/2"}, 3, NONE},
        {"n", {"n <= 9/2"}, NONE, 4},
        {"n", {"n >= -3", "n <= 4"}, -3, 4},
        {"θ[2]", {"θ[2] >= 1", "θ[2] <= 2"}, 1, 2},
        {"k", {"k >= 1/2", "k <= 1"}, 0.5, 1},
        {"x", {"x >= 2", "y >= 9"}, 2, NONE},
        {"x", {"y <= -9", "x <= 3"}, NONE, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_sampler p;
        int n = 0;
        expr_node *where[3], *atom = formula(rows[i].atom);
        for (; n < 3 && rows[i].where[n]; n++) where[n] = formula(rows[i].where[n]);
        ver_sampler_init(&p, atom, where, n);
        double lo = INFINITY, hi = -INFINITY;
        for (p.seed = 0; p.seed < 1000; p.seed++) {
            double v = creal(at(&p, atom));
            lo = fmin(lo, v), hi = fmax(hi, v);
        }
        const char *what = rows[i].where[n - 1];
        if (rows[i].lo != NONE && lo != rows[i].lo) fail_msg("%s: from %g, not %g", what, lo, rows[i].lo);
        if (rows[i].hi != NONE && hi != rows[i].hi) fail_msg("%s: up to %g, not %g", what, hi, rows[i].hi);
        if (rows[i].lo == NONE && lo > rows[i].hi - 4) fail_msg("%s: never below %g", what, lo);
        if (rows[i].hi == NONE && hi < rows[i].lo + 4) fail_msg("%s: never above %g", what, hi);
        ver_sampler_clear(&p);
        expr_drop(atom);
        while (n > 0) expr_drop(where[--n]);
    }
}

static void nothing_between_the_ends(void **state) {
    (void)state;
    static const struct {
        const char *where[3];
        bool empty;
    } rows[] = {
        {{"x >= 2", "x <= 1"}, true},
        {{"x >= 2", "x <= 2"}, false},
        {{"x > 2", "x <= 2"}, true},
        {{"x >= 2", "x < 2"}, true},
        {{"x > 2", "x < 2"}, true},
        {{"x >= 2", "x > 2", "x <= 2"}, true},
        {{"x > 2", "x >= 2", "x <= 2"}, true},
        {{"x > 1", "x >= 2", "x <= 2"}, false},
        {{"x <= 2", "x < 2", "x >= 2"}, true},
        {{"x < 3", "x <= 2", "x >= 2"}, false},
        {{"n >= 2", "n <= 2"}, false},
        {{"n >= 1/2", "n <= 1/2"}, true},
        {{"k <= 0"}, true},
        {{"x < 2", "x <= 2", "x >= 2"}, true},
        {{"k < 0"}, true},
        {{"k <= 1/10"}, false},
        {{"x <= 0"}, false},
        {{"n <= 0"}, false},
        {{"x >= 2"}, false},
        {{"y >= 1", "x >= 2", "x <= 1"}, true},
        {{"x > 1", "x < 2"}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_sampler p;
        int n = 0;
        expr_node *where[3], *x = formula("x");
        for (; n < 3 && rows[i].where[n]; n++) where[n] = formula(rows[i].where[n]);
        ver_sampler_init(&p, x, where, n);
        if (ver_sampler_is_empty(&p) != rows[i].empty) fail_msg("%s, ...", rows[i].where[0]);
        ver_sampler_clear(&p);
        expr_drop(x);
        while (n > 0) expr_drop(where[--n]);
    }
    for (int most = -1; most <= 2; most++) { /* a natural number is 1 at least */
        ver_sampler p;
        ph_err err = {0};
        expr_builder b = EXPR_BUILDER(&err);
        expr_node *v = symbol(EXPR_NATURAL), *c = expr_b_2(&b, EXPR_LE, v, expr_b_rat(&b, most, 1));
        ver_sampler_init(&p, v, &c, 1);
        assert_true(ver_sampler_is_empty(&p) == (most < 1));
        ver_sampler_clear(&p);
        assert_int_equal(expr_b_end(&b, NULL, NULL), PH_OK);
        expr_drop(v);
    }
}

/* What an equation gives, a symbol has: by itself, solved for, and by one that another gives. */
static void equations(void **state) {
    (void)state;
    static const struct {
        const char *where[3], *left, *right; /* equal at every point */
        bool solves;                         /* for x */
    } rows[] = {
        {{"x = 3"}, "x", "3", true},
        {{"x = y + 1"}, "x", "y + 1", true},
        {{"y + 1 = x"}, "x", "y + 1", true},
        {{"y = 2*t", "x = y + 1"}, "x", "2*t + 1", true},
        {{"2*x = 6"}, "x", "3", true},
        {{"3*x + y = 1"}, "3*x + y", "1", false},
        {{"x + 2*y = 5", "y >= 0"}, "x + 2*y", "5", true},
        {{"x^2 = 4"}, "x^2", "4", true},
        {{"x >= 2"}, "1", "1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_sampler p;
        int n = 0;
        ph_err err = {0};
        expr_node *where[3], *x = formula("x"), *l = formula(rows[i].left), *r = formula(rows[i].right);
        for (; n < 3 && rows[i].where[n]; n++) where[n] = formula(rows[i].where[n]);
        ver_sampler_init(&p, l, where, n);
        bool one = ver_sampler_solves(&p, x);
        if (rows[i].solves && !one) fail_msg("%s: no value of x", rows[i].where[0]);
        for (p.seed = 0; p.seed < 40; p.seed++) {
            double complex a, b;
            assert_int_equal(expr_eval(&a, l, ver_sample_double, &p, &err), PH_OK);
            assert_int_equal(expr_eval(&b, r, ver_sample_double, &p, &err), PH_OK);
            double off = cabs(a - b); /* some five roundings of sizes below 100 */
            if (!(isfinite(off) && off <= 1e-13 * (1 + cabs(a)))) fail_msg("%s: %g", rows[i].where[0], off);
        }
        ver_sampler_clear(&p);
        expr_drop(x);
        expr_drop(l);
        expr_drop(r);
        while (n > 0) expr_drop(where[--n]);
    }
}

/* A value that the kind of a symbol excludes is none. */
static void equations_that_no_point_meets(void **state) {
    (void)state;
    static const struct {
        const char *atom, *where;
        bool may;
    } rows[] = {{"k", "k = -3", false},  {"k", "k = 0", false}, {"k", "k = 3", true},
                {"n", "n = 5/2", false}, {"n", "n = 2", true},  {"n", "n = -2", true},
                {"x", "x = -1/3", true}, {"x", "x = I", false}, {"x", "x = 2*z", false},
                {"z", "z = I", true},    {"z", "z = -1", true}, {"k", "k = I + 1", false},
                {"n", "n = 2*I", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ver_sampler p;
        double complex v = 0;
        acb_t ball;
        acb_init(ball);
        expr_node *atom = formula(rows[i].atom), *where = formula(rows[i].where);
        ver_sampler_init(&p, atom, &where, 1);
        p.seed = 3;
        assert_true(ver_sample_double(&p, atom, &v) && ver_sample_ball(&p, ball, atom, 90));
        if ((isfinite(creal(v)) && isfinite(cimag(v))) != rows[i].may || acb_is_finite(ball) != rows[i].may)
            fail_msg("%s", rows[i].where);
        acb_clear(ball);
        ver_sampler_clear(&p);
        expr_drop(atom);
        expr_drop(where);
    }
}

static void a_value_that_is_fixed_stays(void **state) {
    (void)state;
    ver_sampler p;
    expr_node *x = formula("x");
    ver_sampler_init(&p, x, NULL, 0);
    assert_true(ver_sampler_fix(&p, x, (ver_ratio){6, 4}));
    for (int scale = 0; scale < VER_SCALES; scale++)
        for (p.scale = (ver_scale)scale, p.seed = 0; p.seed < 20; p.seed++) assert_true(at(&p, x) == 1.5);
    ver_sampler_clear(&p);
    expr_drop(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_scale_has_its_fractions),
                                       cmocka_unit_test(far_points_are_of_every_size),
                                       cmocka_unit_test(whole_numbers),
                                       cmocka_unit_test(alike_symbols),
                                       cmocka_unit_test(ends),
                                       cmocka_unit_test(nothing_between_the_ends),
                                       cmocka_unit_test(equations),
                                       cmocka_unit_test(equations_that_no_point_meets),
                                       cmocka_unit_test(a_value_that_is_fixed_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
