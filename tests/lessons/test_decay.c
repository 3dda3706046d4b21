/* The lesson on decay: it is in order, every cell runs, its claims are settled, it shows the figures known from elsewhere, and none
 * of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_decay(void **state) { return open_lesson(state, "decay"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()",
         "su/closed-form holds proved, su/decay mended certified, su/riemann-sum holds certified, "
         "su/mathematica-plot holds certified, su/any-monotone-theta holds certified, "
         "su/only-theta-t-crosses mended "
         "certified, su/fast-slow holds measured, su/key-region holds measured, su/weighted-decay mended "
         "certified"},
        {"mutants_decided()", "6"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Found independently with mpmath: the integral, its zeros, crossings and constants; the sums by brute force. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"d =   64: 0.14292 away at x = 100.875",
                                          "d =  768: 0.0028",
                                          "d = 1024: 0.0020",
                                          "x = 1000    f = 0.187690642511",
                                          "d = 128, k =    10    0.669",
                                          "d = 128, k = 10000   -0.028",
                                          "S(11) = 42.344, S(12) = 42.381",
                                          "d = 64, k = 137093: 0.448 of the maximum",
                                          "d = 64, k = 847603: 0.562 of the maximum",
                                          "f(128) = 0.4111",
                                          "C_2 = 0.626657",
                                          "C_6 = 0.896108",
                                          "b = 1000   first at 617.661568406",
                                          "b = 10000  first at 6166.02848473",
                                          "t^(1/2)    first at 2.33112237041; crossings from 0.1 to 128: 40",
                                          "t          first at 3.14159265359; crossings from 0.1 to 128: 40",
                                          "t^2 and  1000^-t cross at 490.0685",
                                          "t^2 and 10000^-t cross at 5622.7420",
                                          "k =   10: pairs 0, 2, 5, 6 lead",
                                          "k = 1000: pairs 0, 1, 2, 3 lead",
                                          "base  10000: first negative at k = 1707",
                                          NULL};
    shows_figures("decay", figures);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('su/riemann-sum', '{64, rat(1431, 10000)}', '{64, rat(1428, 10000)}')", REFUTED},
        {"spoil('su/closed-form', 'local antiderivative = -Ci(', 'local antiderivative = Ci(')", REFUTED},
        {"spoil('su/decay', 'first_128, first_64 = 1707, 725', 'first_128, first_64 = 1708, 725')", REFUTED},
        {"spoil('su/decay', '(γ + log(x / b))', '(log(x / b))')", REFUTED},
        {"spoil('su/decay', '(b + 1) / (x * log(b))', '(b + 1) / (2 * x * log(b))')", REFUTED},
        {"spoil('su/decay', 'certify(lt(S(rat(12), 128), S(rat(11), 128)), {})', 'certify(lt(S(rat(13), "
         "128), "
         "S(rat(11), 128)), {})')",
         "failed"},
        {"spoil('su/mathematica-plot', 'bottom = sym \"y\", rat(411, 1000)', 'bottom = sym \"y\", rat(412, 1000)')",
         REFUTED},
        {"spoil('su/any-monotone-theta', 'rat(2499, 1000)), {x = {rat(1, 100), 9}}', 'rat(2498, 1000)), {x = "
         "{rat(1, "
         "100), 9}}')",
         REFUTED},
        {"spoil('su/any-monotone-theta', '- (α - 1) / α * sin(u^α)', '+ (α - 1) / α * sin(u^α)')", REFUTED},
        {"spoil('su/only-theta-t-crosses', 'dips = rat(14461, 10000)', 'dips = rat(1446, 1000)')", REFUTED},
        {"spoil('su/only-theta-t-crosses', 'certify(gt(half, 0), {x = {2, 3}}', 'certify(gt(half, 0), {x = "
         "{1, 2}}')",
         "failed"},
        {"spoil('su/fast-slow', 'rat(5620447, 1000), rat(1, 1000), 1', 'rat(5620457, 1000), rat(1, 1000), "
         "1')",
         REFUTED},
        {"spoil('su/fast-slow', '{x = {8, 490}}', '{x = {8, 491}}')", REFUTED},
        {"spoil('su/key-region', '-2 * sin((k + rat(1, 2))', '-2 * sin((k - rat(1, 2))')", REFUTED},
        {"spoil('su/weighted-decay', '+ sin(x * θ) * derivative(h', '- sin(x * θ) * derivative(h')", REFUTED},
        /* witnesses and figures that stand beside the statements */
        {"spoil('su/decay', '\"0.448\"', '\"0.449\"')", REFUTED},
        {"spoil('su/decay', 'lt(mean_square(X), rat(1, 100))', 'lt(mean_square(X), 17)')", "failed"},
        {"spoil('su/riemann-sum', '{768, rat(29, 10000),', '{768, rat(28, 10000),')", REFUTED},
        {"spoil('su/key-region', '[10] = {0, 2, 5, 6}', '[10] = {0, 2, 4, 6}')", REFUTED},
        {"spoil('su/fast-slow', 'f(x, small)), {x = 10000}), {en', 'f(x, small)), {x = 600}), {en')",
         "failed"},
        {"spoil('su/weighted-decay', '{x = 22}', '{x = 21}')", "failed"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_decay, close_school);
}
