/* Ball arithmetic held against values from elsewhere: mpmath 1.2.1 (quad with the kinks given, findroot, ci, si at 40 digits;
 * printed to 25), and against statements known to be false, none of which may ever be certified.
 * Sources: verify/ball.c verify/ball_functions.c verify/bounds.c verify/box.c verify/certify.c verify/field.c verify/integral.c verify/monotone.c
 * Sources: verify/number.c verify/roots.c */
#include "verify/ball.h"
#include "verify/ranges.h"
#include "verify/said.h"

/* ---- values and integrals ------------------------------------------------------------------------------ */

/* The first 17 characters of the digits are those of the oracle, and the ball is no wider than it should be. */
static void agrees(const char *what, const ver_number *n, const char *oracle) {
    char *digits = NULL;
    assert_int_equal(ver_number_digits(&digits, n, 20, NULL), PH_OK);
    if (strncmp(digits, oracle, 17) != 0) fail_msg("%s: %s, not %s", what, digits, oracle);
    if (!(ver_number_radius(n) <= 1e-17 * fmax(1, fabs(ver_number_mid(n)))))
        fail_msg("%s: radius %g", what, ver_number_radius(n));
    ph_free(digits);
}

static void integral(const char *f, const char *a, const char *b, const char *re_wanted,
                     const char *im_wanted) {
    char range[120];
    ver_number *re, *im;
    ver_verdict v;
    ph_err err = {0};
    expr_node *e = formula(f);
    snprintf(range, sizeof range, "x %s %s", a, b);
    box x;
    make_box(&x, range);
    ph_status st = ver_integral(&re, &im, &v, e, x.range, NULL, &err);
    if (st) fail_msg("%s: %s", f, err.text);
    if (getenv("SHOW")) printf("%-40s %.2f ms\n", f, v.time * 1e3);
    if (v.strength != VER_CERTIFIED) fail_msg("%s: %s", f, v.reason_text);
    agrees(f, re, re_wanted);
    if (im_wanted) agrees(f, im, im_wanted);
    else if (im) assert_true(ver_number_contains_double(im, 0) && ver_number_radius(im) < 1e-19);
    ver_number_free(re);
    ver_number_free(im);
    ver_clear(&v);
    expr_drop(e);
    drop_box(&x);
}

/* Analytic pieces, and each operation that is not analytic everywhere: a wrong flag gives a wrong value here. */
static void integrals(void **state) {
    (void)state;
    integral("abs(x-1/3)", "-1", "1", "1.1111111111111111111", NULL);
    integral("sqrt(x+1)", "-1", "1", "1.885618083164126731735585", NULL);
    integral("sqrt(x)*exp(x)", "0", "2", "7.105860585432372259605476", NULL);
    integral("floor(x)*sin(x)", "0", "7/2", "1.943533034592940886227768", NULL);
    integral("maximum(sin(x),cos(x))", "0", "2", "1.830360398920237435799257", NULL);
    integral("minimum(x^2,x)", "0", "2", "1.833333333333333333333333", NULL);
    integral("sign(x-1)*exp(x)", "0", "2", "2.952492442012559756509853", NULL);
    integral("piecewise(lt(x,1), x^2, 3-x)", "0", "2", "1.833333333333333333333333", NULL);
    integral("abs(sin(x))", "0", "10", "6.160928470923547547741136", NULL);
    integral("atan(x)/(1+x^2)", "-1", "3", "0.471632533238933542003871", NULL);
    integral("1/(1+25*x^2)", "-1", "1", "0.5493603067780063443445088", NULL);
    integral("sqrt(x^2 + 1/1000000)", "-1", "1", "1.000008100902584542051111", NULL);
    integral("tan(x)", "0", "1", "0.6156264703860142621470375", NULL);
    integral("tanh(5*x)", "-1", "2", "0.9999909206323873511335222", NULL);
    integral("1/cosh(x)", "-3", "3", "2.942608682234385482913941", NULL);
    integral("Ci(x)", "1", "20", "0.4795182280863670484091305", NULL);
    integral("Si(x)", "-1", "20", "29.88653070644686605699284", NULL);
    integral("2^x*x^3", "-2", "3", "111.1421870798716818882228", NULL);
    /* re, im, conj and abs of complex values: sin 2, 1 − cos 2, 2·1, (5/3)³ − … */
    integral("re(exp(I*x))", "0", "2", "0.9092974268256816953960199", NULL);
    integral("im(exp(I*x))", "0", "2", "1.4161468365471423869975682", NULL);
    integral("x*abs(3*exp(I*x^2))", "0", "2", "6.0000000000000000000", NULL);
    integral("conj(exp(I*x))", "0", "2", "0.9092974268256816953960199", "-1.4161468365471423869975682");
    integral("abs(x + I)", "0", "1", "1.1477935746963190370", NULL); /* (√2 + asinh 1)/2 */
    integral("maximum(re(exp(I*x)), im(exp(I*x)))", "0", "2", "1.830360398920237435799257", NULL);
    /* branch cuts crossed at x = 0 */
    integral("log(I*x - 1)", "-1", "2", "0.8485583839056118419421017", "2.170838747336138074635937");
    integral("(I*x - 1)^(1/3)", "-1", "2", "2.21124896472815336161197", "0.8037357247065617054173429");
    integral("sqrt(I*x - 1)", "-1", "2", "1.104459235396796655434168", "1.184277801837015938153496");
    integral("atan(x + 2*I)", "-1", "2", "1.315773501666697202836255", "1.298471496942788485030714");
    /* backwards, and over nothing */
    integral("exp(x)", "1", "0", "-1.718281828459045235360287", NULL);
    integral("exp(x)", "1", "1", "0", NULL);
}

/* ∫₀¹ cos(x·10⁻⁴ᵗ) dt, written in two ways, against its closed form (Ci(x) − Ci(x/b))/ln b. */
static void decay(void **state) {
    (void)state;
    static const struct {
        const char *x, *wanted;
    } at[] = {{"1", "0.9739627712098211626727075"},
              {"10", "0.6823942631044809737259328"},
              {"1000", "0.1876906425117789988716448"},
              {"6000", "0.002410268716746066883637396"},
              {"100000", "0.004935408329824604869518473"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char text[200];
        ver_number *re, *im;
        ver_verdict v;
        snprintf(text, sizeof text, "cos(%s*10000^(-x))", at[i].x);
        integral(text, "0", "1", at[i].wanted, NULL);
        snprintf(text, sizeof text, "cos(%s*10^(-4*x))", at[i].x);
        integral(text, "0", "1", at[i].wanted, NULL);
        snprintf(text, sizeof text, "(Ci(%s)-Ci(%s/10000))/log(10000)", at[i].x, at[i].x);
        expr_node *e = formula(text);
        assert_int_equal(ver_enclose(&re, &im, &v, e, &(ver_ranges){NULL, 0}, NULL, NULL), PH_OK);
        agrees(text, re, at[i].wanted);
        assert_null(im);
        ver_number_free(re);
        ver_clear(&v);
        expr_drop(e);
    }
}

/* What cannot be enclosed is an error in words or an unknown verdict, never a number that is too sure of itself. */
static void no_integral(void **state) {
    (void)state;
    static const struct {
        const char *f, *words;
    } bad[] = {{"1/x", "diverges at x = 0"},     {"1/x^2", "diverges at x = 0"},
               {"tan(2*x)", "diverges at x = "}, {"log(x)/0^x", "not decided to be finite"},
               {"exp(1/x)", "no bound"},         {"1/(x-1/3)", "diverges at x = 1/3"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ver_number *re, *im;
        ver_verdict v;
        ph_err err = {0};
        expr_node *e = formula(bad[i].f);
        box x;
        make_box(&x, "x -1 1");
        assert_int_equal(ver_integral(&re, &im, &v, e, x.range, &(ver_budget){.boxes = 2000}, &err),
                         PH_EDOMAIN);
        if (!strstr(err.text, bad[i].words)) fail_msg("%s: %s", bad[i].f, err.text);
        assert_null(re);
        ver_clear(&v);
        expr_drop(e);
        drop_box(&x);
    }
}

static void bad_integrals_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *f, *over, *words;
    } bad[] = {{"n", "n 1 2", "the variable is an integer symbol"},
               {"x = 1", "x 1 2", "a statement is given"},
               {"x*y", "x 1 2", "the integrand has the symbol y"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ver_number *re, *im;
        ver_verdict v;
        ph_err err = {0};
        expr_node *e = formula(bad[i].f);
        box x;
        make_box(&x, bad[i].over);
        assert_int_equal(ver_integral(&re, &im, &v, e, x.range, NULL, &err), PH_EARG);
        if (!strstr(err.text, bad[i].words)) fail_msg("%s: %s", bad[i].f, err.text);
        ver_clear(&v);
        expr_drop(e);
        drop_box(&x);
    }
}

/* Along a branch cut, and where a continuation is not seen, there is no quadrature: wide, but never beside the value. */
static void wide_integrals(void **state) {
    (void)state;
    static const struct {
        const char *f, *a, *b, *re, *im;
    } row[] = {{"x^(3/2)", "-1", "1", "2/5", "-2/5"},
               {"sqrt(x)", "-1", "1", "2/3", "2/3"},
               {"log(x)", "-2", "-1", "2*log(2)-1", "pi"},
               {"floor(1/2 + x/4 + 0*log(I*x + 2))", "-1", "1", "0", NULL},
               {"sign(x)*abs(x)", "-1", "2", "3/2", NULL},
               {"floor(10*x)", "0", "1", "9/2", NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ver_number *re, *im;
        ver_verdict v;
        ph_err err = {0};
        char text[80];
        bool in = false;
        expr_node *e = formula(row[i].f), *wanted = formula(row[i].re),
                  *wanted_im = row[i].im ? formula(row[i].im) : NULL;
        box x;
        snprintf(text, sizeof text, "x %s %s", row[i].a, row[i].b);
        make_box(&x, text);
        if (ver_integral(&re, &im, &v, e, x.range, &(ver_budget){.boxes = 3000}, &err))
            fail_msg("%s: %s", row[i].f, err.text);
        assert_int_equal(ver_number_contains(&in, re, wanted, &err), PH_OK);
        if (!in) fail_msg("%s: %.17g to %.17g", row[i].f, ver_number_lower(re), ver_number_upper(re));
        if (wanted_im) {
            assert_int_equal(ver_number_contains(&in, im, wanted_im, &err), PH_OK);
            if (!in) fail_msg("%s: %.17g to %.17g i", row[i].f, ver_number_lower(im), ver_number_upper(im));
        }
        ver_number_free(re);
        ver_number_free(im);
        ver_clear(&v);
        expr_drop(e);
        expr_drop(wanted);
        expr_drop(wanted_im);
        drop_box(&x);
    }
}

/* ---- statements ---------------------------------------------------------------------------------------- */

static void judge(const char *statement, const char *over, const char *radius, ver_strength wanted,
                  const char *part) {
    ver_verdict v;
    ph_err err = {0};
    char *line = NULL;
    expr_node *s = formula(statement), *r = radius ? formula(radius) : NULL;
    box b;
    make_box(&b, over);
    ph_status st = ver_certify(&v, s, &b.all, r, NULL, &err);
    if (st) fail_msg("%s: %s", statement, err.text);
    assert_int_equal(ver_text(&line, &v, VER_EN, false, NULL), PH_OK);
    if (getenv("SHOW")) printf("%-40s %s  %.2f ms\n", statement, line, v.time * 1e3);
    if (v.strength != wanted || (part && !strstr(line, part)))
        fail_msg("%s over %s: %s", statement, over, line);
    if (wanted == VER_CERTIFIED) assert_true(v.size > 0);
    ph_free(line);
    ver_clear(&v);
    expr_drop(s);
    expr_drop(r);
    drop_box(&b);
}

static void true_statements(void **state) {
    (void)state;
    judge("x >= sin(x)", "x 0 10", NULL, VER_CERTIFIED, "for all x in [0, 10]");
    judge("cos(x) <= 1", "x -1 1", NULL, VER_CERTIFIED, NULL);
    judge("x <= 1/3", "x 0 1/3", NULL, VER_CERTIFIED, NULL);
    judge("cos(x) >= 0", "x -pi/2 pi/2", NULL, VER_CERTIFIED, NULL);
    judge("sin(x) <= x", "x 0 pi", NULL, VER_CERTIFIED, NULL);
    judge("sin(x) >= 2*x/pi", "x 0 pi/2", NULL, VER_CERTIFIED, NULL); /* Jordan: equality at both ends */
    judge("x*y < 2", "x 0 1, y 0 1", NULL, VER_CERTIFIED, NULL);
    judge("(x-y)^2 >= 0", "x -1 1, y -1 1", NULL, VER_CERTIFIED, NULL);
    judge("abs(x) >= 0", "x -1 1", NULL, VER_CERTIFIED, NULL);
    judge("sqrt(x) <= (1+x)/2 + 1/1000", "x 0 4", NULL, VER_CERTIFIED, NULL);
    judge("x^2 + y^2 >= 2*x*y - 1/100", "x -1 1, y -1 1", NULL, VER_CERTIFIED, NULL);
    judge("exp(x) != x", "x -5 5", NULL, VER_CERTIFIED, NULL);
    judge("floor(x) <= x", "x 1/3 1/2", NULL, VER_CERTIFIED, NULL);
    judge("n^2 + n + 41 != 1763", "n 0 39", NULL, VER_CERTIFIED, "integer n in [0, 39]");
    judge("sum(i, i, 1, n) = n*(n+1)/2", "n 1 30", "0", VER_CERTIFIED, NULL);
    judge("sin(x)^2 + cos(x)^2 = 1", "x -1 1", "1/1000000", VER_CERTIFIED, NULL);
    judge("Ci(k)/log(10) <= 1/k", "k 10 100", NULL, VER_CERTIFIED, NULL);
    judge("(x + 1/1000000000000000000)^2 > x^2", "x 1 2", NULL, VER_CERTIFIED,
          NULL); /* needs more than 64 bits */
    judge("piecewise(lt(x,0), -x, x) >= -1/1000", "x -1 1", NULL, VER_CERTIFIED, NULL);
    /* the derivative exists on each side of the jump; no mean value may be taken across it */
    judge("floor(x) <= 1", "x 0 3/2", NULL, VER_CERTIFIED, NULL);
}

static void false_statements(void **state) {
    (void)state;
    judge("x > sin(x)", "x 0 10", NULL, VER_REFUTED, "x = 0");
    judge("x*y < 1", "x 0 1, y 0 1", NULL, VER_REFUTED, "x = 1, y = 1");
    judge("cos(x) > 0", "x -2 2", NULL, VER_REFUTED, NULL);
    judge("x < 1/3", "x 0 1/3", NULL, VER_REFUTED, "x = 1/3");
    judge("sin(x) <= 999/1000", "x 0 3", NULL, VER_REFUTED, NULL);
    judge("floor(x) <= 0", "x 0 3/2", NULL, VER_REFUTED, NULL);
    judge("x - 3*floor(x) <= 1/2", "x 0 3/2", NULL, VER_REFUTED,
          "x = "); /* rising wherever it has a slope; low at both ends */
    judge("sign(x) + x < 1", "x -1 1/2", NULL, VER_REFUTED, NULL);
    judge("abs(x) + x/2 >= 1/1000", "x -1 1", NULL, VER_REFUTED, NULL);
    judge("piecewise(lt(x,0), 0, 1) < 1", "x -1 1", NULL, VER_REFUTED, NULL);
    judge("n^2 + n + 41 != 1763", "n 0 41", NULL, VER_REFUTED, "n = 41");
    judge("sin(x) = x", "x 0 1", "1/10", VER_REFUTED, NULL);
    /* a dip that no point tried beforehand meets, along a side behind others that are single points */
    judge("1 - 2*exp(-(1000000*(x - 123456789/1000000000))^2) >= -1/2", "x 0 2", NULL, VER_REFUTED, NULL);
    judge("x - 2*exp(-(1000000*(y - 123456789/1000000000))^2) >= -1/2", "x 1 1, y 0 2", NULL, VER_REFUTED,
          NULL);
    judge("x*y - 2*exp(-(1000000*(w - 123456789/1000000000))^2) >= -1/2", "x 1 1, y 1 1, w 0 2", NULL,
          VER_REFUTED, NULL);
    judge("x - 2*exp(-(1000000*(y - 123456789/1000000000))^2) >= -1/2", "y 0 2, x 1 1", NULL, VER_REFUTED,
          NULL);
    judge("abs(x - 1/3) > 0", "x 0 1", NULL, VER_UNKNOWN,
          "out of budget"); /* false at 1/3 alone: no dyadic witness */
    judge("sin(x) < 1", "x 0 2", NULL, VER_UNKNOWN, "out of budget"); /* false at pi/2 alone */
    judge("(x^2 - 2)^2 > 0", "x 1 2", NULL, VER_UNKNOWN, "out of budget");
}

static void undefined_statements(void **state) {
    (void)state;
    judge("1/x > -1000", "x -1 1", NULL, VER_UNKNOWN, "x = 0");
    judge("1/x > -1/1000", "x -1 1", NULL, VER_REFUTED, "x = -1");
    judge("x/x >= 1", "x -1 1", NULL, VER_CERTIFIED, "with x != 0"); /* it has a limit there, left out */
    judge("log(x) <= 1", "x 0 1", NULL, VER_UNKNOWN, "undefined");
    judge("log(x) <= 1", "x -2 -1", NULL, VER_UNKNOWN, "not both real");
    judge("sqrt(x) >= 0", "x -1 1", NULL, VER_UNKNOWN, "undefined");
    judge("sqrt(-1 + I*x) != 5", "x -1 1", NULL, VER_CERTIFIED, NULL); /* complex values are fine for != */
}

/* ---- roots --------------------------------------------------------------------------------------------- */

static int root_count(const char *f, const char *over, ver_strength wanted, int which, const char *oracle) {
    ver_number **r;
    int n;
    ver_verdict v;
    ph_err err = {0};
    expr_node *e = formula(f);
    box x;
    make_box(&x, over);
    if (ver_roots(&r, &n, &v, e, x.range, NULL, &err)) fail_msg("%s: %s", f, err.text);
    if (getenv("SHOW"))
        printf("%-40s %d roots, %lld boxes, %.2f ms\n", f, n, (long long)v.size, v.time * 1e3);
    if (v.strength != wanted)
        fail_msg("%s over %s: %s %s", f, over, ver_strength_name(v.strength), v.reason_text);
    for (int i = 0; i + 1 < n; i++) assert_true(ver_number_upper(r[i]) < ver_number_lower(r[i + 1]));
    if (oracle) {
        assert_true(which < n);
        agrees(f, r[which], oracle);
    }
    ver_roots_free(r, n);
    ver_clear(&v);
    expr_drop(e);
    drop_box(&x);
    return n;
}

static void roots(void **state) {
    (void)state;
    const char *decay4 = "(Ci(k)-Ci(k/10000))/log(10000)", *decay3 = "(Ci(k)-Ci(k/1000))/log(1000)";
    assert_int_equal(root_count("sin(x)", "x 1 10", VER_CERTIFIED, 0, "3.141592653589793238462643"), 3);
    assert_int_equal(root_count("sin(x)", "x 0 pi", VER_CERTIFIED, 0, "0"), 2); /* both at ends */
    assert_int_equal(root_count("sin(x)", "x -4 4", VER_CERTIFIED, 2, "3.141592653589793238462643"),
                     3); /* one at a cut */
    assert_int_equal(root_count(decay4, "k 1 7000", VER_CERTIFIED, 0, "6166.028484728748638366039"), 1);
    assert_int_equal(root_count(decay3, "k 1 620", VER_CERTIFIED, 0, "617.6615684060834857995395"), 1);
    assert_int_equal(root_count(decay4, "k 1 6166", VER_CERTIFIED, 0, NULL), 0);
    /* θ = t^(1/2): 2(cos x − 1)/x² + 2 sin x/x, forty zeros to 128 */
    assert_int_equal(root_count("2*(cos(x)-1)/x^2 + 2*sin(x)/x", "x 1/10 128", VER_CERTIFIED, 0,
                                "2.331122370414422613667836"),
                     40);
    assert_int_equal(root_count("sin(x)/x", "x 1/10 128", VER_CERTIFIED, 0, "3.141592653589793238462643"),
                     40);
    assert_int_equal(root_count("exp(-x) - x", "x -10 10", VER_CERTIFIED, 0, "0.5671432904097838729999687"),
                     1);
    assert_int_equal(root_count("sin(x) - x*cos(x)", "x 1 5", VER_CERTIFIED, 0, "4.493409457909064175307881"),
                     1);
    assert_int_equal(root_count("x^3 - x", "x -1 1", VER_CERTIFIED, 1, "0"), 3);
    assert_int_equal(root_count("x^2 + 1/1000000", "x -1 1", VER_CERTIFIED, 0, NULL), 0);
    assert_int_equal(root_count("x^2 - 1/1000000", "x -1 1", VER_CERTIFIED, 1, "0.00100000000000000"), 2);
    /* multiple roots, poles and jumps are not roots that balls can count */
    assert_int_equal(root_count("(x-1)^2", "x 0 3", VER_UNKNOWN, 0, NULL), 0);
    assert_int_equal(root_count("(x-2)*(x-1)^2", "x 0 3", VER_UNKNOWN, 0, "2.0000000000000000000"), 1);
    assert_int_equal(root_count("tan(x)", "x 1 2", VER_UNKNOWN, 0, NULL), 0);
    assert_int_equal(root_count("sign(x)", "x -1 1", VER_UNKNOWN, 0, NULL), 0);
    assert_int_equal(root_count("x - x", "x 0 1", VER_UNKNOWN, 0, NULL), 0);
}

/* ---- extrema and monotone functions -------------------------------------------------------------------- */

static void extremum(const char *f, const char *over, double least, double greatest) {
    ver_number *lo, *hi;
    ver_verdict v;
    ph_err err = {0};
    expr_node *e = formula(f);
    box b;
    make_box(&b, over);
    if (ver_bounds(&lo, &hi, &v, e, &b.all, 1e-6, NULL, &err)) fail_msg("%s: %s", f, err.text);
    if (getenv("SHOW")) printf("%-40s %lld boxes, %.2f ms\n", f, (long long)v.size, v.time * 1e3);
    if (v.strength != VER_CERTIFIED) fail_msg("%s: %s", f, v.reason_text);
    /* the oracle is a double: half an ulp */
    double slack = 2e-16 * fmax(fabs(least), fabs(greatest));
    assert_true(ver_number_lower(lo) <= least + slack && ver_number_upper(lo) >= least - slack);
    assert_true(ver_number_lower(hi) <= greatest + slack && ver_number_upper(hi) >= greatest - slack);
    assert_true(ver_number_upper(lo) - ver_number_lower(lo) <= 1.001e-6);
    assert_true(ver_number_upper(hi) - ver_number_lower(hi) <= 1.001e-6);
    ver_number_free(lo);
    ver_number_free(hi);
    ver_clear(&v);
    expr_drop(e);
    drop_box(&b);
}

static void extrema(void **state) {
    (void)state;
    extremum("x*y - x", "x 0 1, y 0 3", -1, 2);
    extremum("x*sin(x)", "x 0 9", -4.814469889712268663985332, 7.916727371587781849788581);
    extremum("x*sin(x)", "x 0 10", -5.440211108893698134047477,
             7.916727371587781849788581); /* at the end: 10 sin 10 */
    extremum("abs(x - 1/3)", "x 0 1", 0, 2.0 / 3);
    extremum("floor(x)", "x 0 5/2", 0, 2);
    extremum("floor(x/2) + abs(sin(x))", "x 0 20", 0, 10.912945250727628); /* 10 + sin 20, at the jump */
    extremum("cos(n)", "n 1 30", -0.99996082639463712645, 0.99120281186347359808); /* n = 22, 25: mpmath */
    extremum("(1-x)^2 + 4*(y-x^2)^2", "x -1 1, y -1 2", 0, 20);                    /* 4 + 16 at (-1, -1) */
}

static void monotone(const char *f, const char *over, ver_strength wanted, const char *part) {
    ver_verdict v;
    ph_err err = {0};
    expr_node *e = formula(f);
    box x;
    make_box(&x, over);
    if (ver_monotone(&v, e, x.range, NULL, &err)) fail_msg("%s: %s", f, err.text);
    if (v.strength != wanted) fail_msg("%s: %s %s", f, ver_strength_name(v.strength), v.reason_text);
    if (part) assert_non_null(strstr(wanted == VER_REFUTED ? said(ver_witness, &v) : v.statement, part));
    ver_clear(&v);
    expr_drop(e);
    drop_box(&x);
}

static void monotony(void **state) {
    (void)state;
    monotone("cos(x)", "x 1 3", VER_CERTIFIED, "is decreasing");
    monotone("cos(x)", "x 0 pi", VER_CERTIFIED, "is never increasing"); /* the slope is 0 at the ends */
    monotone("x^3", "x -1 1", VER_CERTIFIED, "is never decreasing");
    monotone("2*x", "x -1 1", VER_CERTIFIED, "is increasing");
    monotone("exp(-x)", "x 0 30", VER_CERTIFIED, "is decreasing");
    monotone("cos(x)", "x 0 4", VER_REFUTED, "positive at x = ");
    monotone("floor(x) - x", "x 0 3/2", VER_UNKNOWN, NULL); /* its slope is -1 wherever there is one */
    monotone("tan(x)", "x 0 3", VER_UNKNOWN, NULL);         /* a positive slope, and a pole */
    monotone("1/x", "x -1 1", VER_UNKNOWN, NULL);
}

static bool told_by(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)atom, (void)prec;
    acb_set(v, ctx);
    return true;
}

/* Balls write results over operands on the way: not over what a symbol is read from, which may be where the value goes. */
static void a_symbol_may_be_read_where_the_value_goes(void **state) {
    (void)state;
    static const char *const formulas[] = {"x",          "x + x*x",        "(x*x - x)/(x - 3)",
                                           "x^2 - x^3",  "exp(x)*x - x",   "sum(x*i, i, 1, 4)/x",
                                           "-(x/4) + x", "maximum(x, 2*x)"};
    for (int k = 0; k < 2 * 8; k++) { /* wide and exact */
        expr_node *e = formula(formulas[k / 2]);
        acb_t x, apart;
        acb_init(x);
        acb_init(apart);
        acb_set_d(x, 0.75);
        if (k % 2) mag_set_d(arb_radref(acb_realref(x)), 0.125);
        assert_int_equal(ver_ball(apart, e, told_by, x, 64, NULL), PH_OK);
        assert_int_equal(ver_ball(x, e, told_by, x, 64, NULL), PH_OK);
        assert_true(acb_is_finite(x) && acb_equal(x, apart));
        acb_clear(x);
        acb_clear(apart);
        expr_drop(e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(integrals),
                                       cmocka_unit_test(decay),
                                       cmocka_unit_test(no_integral),
                                       cmocka_unit_test(bad_integrals_are_refused),
                                       cmocka_unit_test(wide_integrals),
                                       cmocka_unit_test(true_statements),
                                       cmocka_unit_test(false_statements),
                                       cmocka_unit_test(undefined_statements),
                                       cmocka_unit_test(roots),
                                       cmocka_unit_test(extrema),
                                       cmocka_unit_test(monotony),
                                       cmocka_unit_test(a_symbol_may_be_read_where_the_value_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
