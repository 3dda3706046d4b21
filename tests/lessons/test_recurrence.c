/* The lesson on recurrence: it is in order, every cell runs, its claims are settled, it shows the figures known from elsewhere,
 * and none of its checks passes when its formula is spoiled.
 */
#include "study.h"

static int open_recurrence(void **state) { return open_lesson(state, "recurrence"); }

static void every_claim_is_settled(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"table.concat(linter.lint(ours, ledger), '; ')", ""},
        {"table.concat(messages, '; ')", ""},
        {"told()",
         "sa/rnn-distance holds measured, sa/rnn-parallel holds measured, sa/linear-order holds measured"},
        {"mutants_decided()", "2"},
        {"course.main('check', 'recurrence', '--strict')",
         "…3 claims checked: 3 hold, 0 failed; 2 other verdicts hold; 4 exercises tested\n0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* The ways are counted by hand; of attention's operations, products, maximum, exponentials, sum and quotient among them, only
 * the number matters. A network of one unit with weight 1 and states of 0 passes a gradient on unchanged; 9 rounds double 1
 * to 512. The bounds are (15/16)^20 2^19 and 2^19. */
static void it_shows_the_figures_known_from_elsewhere(void **state) {
    (void)state;
    static const char *const figures[] = {"   32       96 to 96",
                                          "ρ = 2.0, 20 small states: 1.4e+05 <= ", "<= 5.2e+05",
                                          "1000 steps one by one, or 10 rounds", NULL};
    shows_figures("recurrence", figures);
    static const school_case cases[] = {
        {"back({Wx = eye(1), Wh = eye(1)}, {zeros(1), zeros(1), zeros(1)}, ones(1)):totable()", "{1.0}"},
        {"select(2, recurrence(1, ones(512), {method = 'scan'}))", "9"},
        {NULL, NULL}};
    run_cases(cases);
}

static void no_check_of_ways_or_gradients_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"w, d = 'distance', 'sa/rnn-distance'", ""},
        {"spoil(w, 'h = tanh(', 'h = h + tanh(')", REFUTED},                 /* a way past the tanh */
        {"spoil(w, 'matmul(h, P.Wh))', 'tanh(matmul(h, P.Wh)))')", REFUTED}, /* four operations a step */
        {"spoil(w, 'graph(attend, x)', 'graph(states(P), x)')", REFUTED},
        {"spoil(w, 'out[t] = Z[t] end', 'out[t] = Z[t] + (out[t - 1] or 0) end')",
         REFUTED}, /* waits for its neighbour */
        {"spoil(d, 'v = matmul(W, v * (1 - h[t] ^ 2))', 'v = matmul(W, v * (1 - h[t]))')", REFUTED},
        {"spoil(d, 'v = matmul(W, v * (1 - h[t] ^ 2))', 'v = matmul(W.T, v * (1 - h[t] ^ 2))')", REFUTED},
        {"spoil(d, 'v = matmul(W, v * (1 - h[t] ^ 2))', 'v = matmul(W, v) * (1 - h[t] ^ 2)')", REFUTED},
        {"spoil(d, 't > 1 and P.Wh or P.Wx', 'P.Wh')", REFUTED},
        {"spoil(d, 'W * (ρ / svdvals(W)(1))', '2 * W')", REFUTED}, /* singular values beyond ρ */
        {"spoil(d, 'words(g, T, n)) / ρ ^ (T - 1)', 'words(g, T, n)) / ρ ^ (2 * T)')", REFUTED},
        {"spoil(d, 'local Wh = ρ * qr(randn(g, n, n))', 'local Wh = ρ * randn(g, n, n)')",
         REFUTED}, /* not orthogonal */
        {"spoil(d, '(2 * rand(g, h.size) - 1) / 4', '2 * (2 * rand(g, h.size) - 1)')",
         REFUTED},                                                     /* beyond 1/4 */
        {"spoil(d, 'x[t] = s - matmul(h, Wh)', 'x[t] = s')", REFUTED}, /* not what was chosen */
        {"spoil(d, '(15 / 16) ^ T * upper', '(16 / 15) ^ T * upper')", REFUTED},
        {"spoil(d, '(4 / sqrt(m))', '(1 / sqrt(m))')", REFUTED}, /* small weights do not explode */
        {"for _, id in ipairs {w, d} do assert(run_with(cell_of(id), cell_of(id).code).outcome == 'holds', "
         "id) end",
         ""},
        {NULL, NULL}};
    run_cases(cases);
}

static void no_check_of_waiting_or_order_passes_with_a_spoiled_formula(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"p, o = 'sa/rnn-parallel', 'sa/linear-order'", ""},
        {"spoil(p, '(a2 * b1 + b2)', '(a1 * b1 + b2)')", REFUTED},
        {"spoil(p, '(a2 * b1 + b2)', '(a1 * b2 + b1)')", REFUTED},
        {"spoil(p, 'graph(states(P), x).critical_path', 'graph(attend, x).critical_path')", REFUTED},
        {"spoil(p, 'graph(attend, x)', 'graph(states(P), x)')", REFUTED},
        {"spoil(p, 'recurrence(a, b, {method = \"scan\"})', 'recurrence(a, b, {method = \"loop\"})')",
         REFUTED},
        {"spoil(p, 'recurrence(a, b, {', 'recurrence(-a, b, {')", REFUTED},
        {"spoil(p, 'math.ceil(math.log(T, 2))', 'math.floor(math.log(T, 2))')",
         REFUTED}, /* a round too many for powers of two */
        {"spoil(o, 'a^2 * (x1 - x2)', 'a * (x1 - x2)')", REFUTED},
        {"spoil(o, '(1 + a + a^2) * x1 + (1 + a) * x2', '(1 + a) * x1 + (1 + a + a^2) * x2')", REFUTED},
        {"spoil(o, 'return X, take(X, {4, 2, 5, 1, 3})', 'return X, X')", REFUTED}, /* nothing shuffled */
        {"spoil(o, 'mean(rnn(X, P), 1) - mean(rnn(Y, P), 1)', "
         "'mean(matmul(X, P.Wx), 1) - mean(matmul(Y, P.Wx), 1)')",
         REFUTED}, /* nothing remembered */
        {"spoil(o, 'attention(Y, Y, Y)', 'attention(Y, Y, Y, {causal = true})')", REFUTED},
        {"for _, id in ipairs {p, o} do assert(run_with(cell_of(id), cell_of(id).code).outcome == 'holds', "
         "id) end",
         ""},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_claim_is_settled),
        cmocka_unit_test(it_shows_the_figures_known_from_elsewhere),
        cmocka_unit_test(no_check_of_ways_or_gradients_passes_with_a_spoiled_formula),
        cmocka_unit_test(no_check_of_waiting_or_order_passes_with_a_spoiled_formula),
    };
    return cmocka_run_group_tests(tests, open_recurrence, close_school);
}
