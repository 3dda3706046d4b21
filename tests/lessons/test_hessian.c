/* The lesson on the Hessian between two positions: it is in order, every cell runs, its claims are settled, it shows the figures
 * known from elsewhere, and none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_hessian(void **state) { return open_lesson(state, "hessian"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()",
         "su/taylor-terms holds proved, su/product-to-sum holds proved, "
         "su/farther-is-weaker mended proved, su/offdiagonal holds proved, su/taylor holds measured, "
         "su/hessian-diagonal mended proved, su/cancel-sum-term holds proved, "
         "su/covariance-vs-hessian mended proved, su/diagonal-dominance holds measured, "
         "su/trainable-theta holds measured"},
        {"mutants_decided()", "8"},
        {"course.main('check', 'hessian', '--strict')",
         "…10 claims checked: 7 hold, 3 mended, 0 failed; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* The order within 0.05 of 3 and the value of the block [[.6, -.8], [.8, .6]] are the ledger's; the rank is d^2 - d. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {
        "order 3.0",
        "rank 12 of 16 unknowns",
        "(5, 2): 1.554642",
        "(105, 102): 1.554642",
        "(1005, 1002): 1.554642",
        "diag(1, 2):\trefuted",
        "on average 12.5 % of the mass is diagonal",
        "holds: The frequencies can be trained, starting from the usual ones.",
        NULL};
    shows_figures("hessian", figures);
}

/* What the laboratory prints of an expansion and of its order, in the language that is spoken. */
static void an_expansion_speaks_both_languages(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function f(X) return sum(X * X * X) end", ""},
        {"function six() return tostring(taylor_terms(f, ones(2, 1), 1, 2, array{0.5}, array{0.5})) end", ""},
        {"function fitted() return tostring(remainder_order(f, ones(2, 1), 1, 2, array{1}, array{1})) end",
         ""},
        {"six():match 'f%(X %+ p.*'",
         "f(X + p + q)        6.75, so 0.25 is left out"}, /* 2 of 1.5^3; of 0.5^3 */
        {"fitted():match '^%a+', fitted():match 'over.*'", "order\tover 7 octaves"},
        {"host = require 'phasor.course.host'\n"
         "function zh(f) host.speak 'zh'; local out = f(); host.speak 'en' return out end",
         ""},
        {"zh(six):match 'f%(X %+ p.*'", "f(X + p + q)        6.75，略去的是 0.25"},
        {"zh(fitted):match 'ε.*'", "ε 减半 7 次"},
        {NULL, NULL}};
    run_cases(cases);
}

static void no_check_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"spoil('su/taylor', 'c[3], c[4]', '2 * c[3], c[4]')", REFUTED},
        {"spoil('su/taylor', 'r.order - 3', 'r.order - 4')", REFUTED},
        {"spoil('su/taylor-terms', 'form(q, B, q)/2', 'form(p, B, q)/2')", REFUTED},
        {"spoil('su/taylor-terms', 'prove(mixed(terms[6]), H)', 'prove(mixed(terms[6]), H.T)')", REFUTED},
        {"spoil('su/hessian-diagonal', 'both_sides(8, 0, 3)', 'both_sides(8, 0, 2)')", REFUTED},
        {"spoil('su/hessian-diagonal', 'prove(both_sides(4, 1, 2))', '"
         "prove(both_sides(4, 0, 1))')",
         "failed"},
        {"spoil('su/product-to-sum', '(h[i] - k[i])/2', '(h[i] + k[i])/2')", REFUTED},
        {"spoil('su/cancel-sum-term', 'det(matrix(rows)), 2*', 'det(matrix(rows)), 4*')", REFUTED},
        {"spoil('su/cancel-sum-term', '\\n         sum(h[i]*cos((m - n)', '\\n         sum(h[i]*cos((m + n)')",
         REFUTED},
        {"spoil('su/offdiagonal', 'step(-3, 4, u[3]', 'step(3, 4, u[3]')", REFUTED},
        {"spoil('su/offdiagonal', 'b*sin((m - n)*θ)', 'b*sin((m + n)*θ)')", REFUTED},
        {"spoil('su/offdiagonal', '4*(cos(x) - cos(y))^2', '4*(cos(x) + cos(y))^2')", REFUTED},
        {"spoil('su/offdiagonal', 'prove(moves(matrix{{rat(3, 5), rat(-4, 5)}', 'prove(moves(matrix{{rat(3, "
         "5), rat(4, 5)}')",
         REFUTED},
        {"spoil('su/farther-is-weaker', 'turn(500*θ[i])', 'turn(-500*θ[i])')", REFUTED},
        {"spoil('su/farther-is-weaker', 'le(real(500), real(0))', 'ge(real(500), real(0))')", "failed"},
        {"spoil('su/farther-is-weaker', '(q0^2 + q1^2)*', '(q0^2 - q1^2)*')", REFUTED},
        {"spoil('su/covariance-vs-hessian', 'prove(mixed_of(M), identity)', '"
         "prove(mixed_of(M), M)')",
         "failed"},
        {"spoil('su/covariance-vs-hessian', 'prove(covariance(copied), 1)', 'prove(covariance(copied), 0)')",
         REFUTED},
        {"spoil('su/diagonal-dominance', 'split.unequal + split.rest', '0.9 * (split.unequal + split.rest)')",
         REFUTED},
        {"spoil('su/diagonal-dominance', '2 * d/2 * max', 'max')", REFUTED},
        {"spoil('su/trainable-theta', '(usual) + k * sin', '(usual) - k * sin')", REFUTED},
        {"spoil('su/trainable-theta', '/ (4 * K) end', '/ (K / 8) end')", REFUTED},
        {"spoil('su/trainable-theta', 'flip(-mirrored)', '-mirrored')", REFUTED},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(an_expansion_speaks_both_languages),
        cmocka_unit_test(no_check_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_hessian, close_school);
}
