/* Scores meet attention and each other: every identity that help promises, and what may differ and what may not.
 *
 * The sums here have at most 16 terms of normal numbers, products of three under 40 in all; each side is off by less than
 * 40 * 24 u < 2e-13 (u = 2^-53).
 * Sources: encoding/cope.c encoding/rerope.c encoding/shaw.c encoding/xlnet.c */
#include "lua/lab.h"

#define PARTS                                                                                                \
    {"T, d, D, g = 6, 4, 8, rng(5)", ""}, {"q, k, v = randn(g, T, d), randn(g, T, d), randn(g, T, d)", ""},  \
        {"W, a, b, u, w = randn(g, D, d), randn(g, 5, d), randn(g, 5, d), randn(g, d), randn(g, d)", ""},    \
        {"one, low = ones(T, d), causal_mask(T)", ""}, {"hide = where(low, 0, -inf)", ""},                   \
        {"function near(x, y) return max(abs(x - y)) < 2e-13 end", ""}, {                                    \
        "function weigh(s) return matmul(softmax(s), v) end", ""                                             \
    }

static void attention_takes_them(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"p = {content=false}", ""},
        {"near(attention(q, k, v, {bias=shaw(q, k, a, p)}), weigh(shaw(q, k, a)))", "true"},
        {"near(attention(q + u, k, v, {bias=transformer_xl(q, k, W, u, w, p)}), weigh(transformer_xl(q, k, "
         "W, u, w)))",
         "true"},
        {"near(attention(q + u, k, v, {scale=1, bias=tener(q, k, u, w, p)}), weigh(tener(q, k, u, w)))",
         "true"},
        {"near(attention(q, k, v, {scale=1/sqrt(3*d), bias=deberta(q, k, W, W, p)}), weigh(deberta(q, k, W, "
         "W)))",
         "true"},
        {"near(attention(q, k, v, {causal=true, bias=cope(q, k, a, p)}), weigh(cope(q, k, a)))", "true"},
        {"near(attention(q, k, v, {bias=nope(T)}), attention(q, k, v, {causal=true})), nope(T) == hide",
         "true\ttrue"},
        {"near(attention(logn(q, {train=2}), k, v), weigh(matmul(q*logn(ones(T, 1), {train=2}), "
         "transpose(k))/2))",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The shifts against looking every distance up. */
static void shifts_equal_look_ups(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"s = transformer_xl(q, k, W, u, w, {content=false})", ""},
        {"function by(first, last) local R = sinusoidal(range(first, last, -1), D, {layout=\"half\"}) "
         "return matmul(q + w, "
         "transpose(matmul(R, W)))/2 end",
         ""},
        {"xl = rel_shift(by(T - 1, 0))", ""},
        {"max(abs(where(low, xl - s, 0))) < 2e-13, max(abs(where(low, 0, xl - s))) > 0.1", "true\ttrue"},
        {"near(rel_shift(by(T, 1 - T), T), s)", "true"},
        {"near(xlnet(q, k, W, u, w), transformer_xl(q, k, W, u, w))", "true"},
        {"r = {layout=\"half\"}", ""},
        {"near(rerope(q, k, {layout=\"half\", window=T}), matmul(rope(q, r), transpose(rope(k, r)))/2)",
         "true"},
        {"near(rerope(q, k, {layout=\"half\", window=1, leak=1}), matmul(rope(q, r), transpose(rope(k, "
         "r)))/2)",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* At equal content a relative score is a function of m - n. FIRE's is not; CoPE's is only because equal tokens have equal gates: change
 * one token, and the distances of all keys before it change. */
static void diagonals(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"function even(S) return near(S[{{2, T}, {2, T}}], S[{{1, T - 1}, {1, T - 1}}]) end", ""},
        {"even(shaw(one, one, a)), even(transformer_xl(one, one, W, u, w)), even(tener(one, one, u, w))",
         "true\ttrue\ttrue"},
        {"even(deberta(one, one, W, W)), even(rerope(one, one, {layout=\"half\", window=2}))", "true\ttrue"},
        {"even(fire(W[1], W[2], reshape(u, d, 1), {0}, T, {L=2})[1])", "false"},
        {"c = cope(one, one, a)", ""},
        {"even(where(low, c, 0))", "true"},
        {"x = one:copy(); x[{3, {}}] = -1; y = cope(one, x, a)", ""},
        {"c(6, 4) == y(6, 4), c(6, 2) == y(6, 2), c(3, 2) == c(6, 5), y(3, 2) == y(6, 5)",
         "true\tfalse\ttrue\tfalse"},
        {"function gate(x) return 1/(1 + exp(-x)) end", ""},
        {"x, e = ones(1, 4), array{{0, 0, 0, 0}, {1, 0, 0, 0}}", ""},
        {"near(cope(x, x, e)(1, 1), (4 + gate(4))/2), near(cope(x, x, e, {variant=\"code\"})(1, 1), 2 + "
         "gate(2))",
         "true\ttrue"},
        {"near(cope(x, x, e, {content=false})(1, 1), gate(4)/2), near(cope(x, x, e, {variant=\"code\", "
         "content=false})(1, 1), gate(2))",
         "true\ttrue"},
        {"cope(q, k, a)[3] == cope(q, concat{k[{{1, 3}, {}}], 9*k[{{4, 6}, {}}]}, a)[3]", "true"},
        {"t = tener(0*one, one, 0*u, w)", ""},
        {"near(t, transpose(t))", "false"},
        {"near(deberta(q, k, W, 0*W), deberta(q, k, W, 0*W, {variant=\"code\"}))", "false"},
        {"near(deberta(q, k, 0*W, W), deberta(q, k, 0*W, W, {variant=\"code\"}))", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* CoPE's formula where p is summed by loops, gate by gate. */
static void cope_follows_its_formula_of_p(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"e = floor(a*8 + 0.5)/8", ""},
        {"@cope_follows_its_formula_of_p_1", ""},
        {"@cope_follows_its_formula_of_p_2", ""},
        {"@cope_follows_its_formula_of_p_3", ""},
        {"P, half = counted(1), counted(1/sqrt(d))", ""},
        {"max(P) > 2, min(where(low, P, 1)) < 0.5", "true\ttrue"}, /* several rows of the table are met */
        {"near(where(low, cope(q, k, e), 0), by_formula(P))", "true"},
        {"near(where(low, cope(q, k, e, {variant='code'}), 0), by_formula(half, {variant='code'}))", "true"},
        {"near(where(low, cope(q, k, e, {content=false}), 0), by_formula(P, {content=false}))", "true"},
        {"near(where(low, cope(q, k, e[{{1, 1}, {}}]), 0), by_formula(P))", "false"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The BERT variants: rows for m - n, whose end rows a clipped paper table would share. */
static void bert_has_its_own_rows(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"t = randn(g, 2*T - 1, d)", ""},
        {"near(shaw(q, k, t, {variant=\"bert\"}), shaw(q, k, flip(t, 1)))", "true"},
        {"near(shaw(q, k, t, {variant=\"bert_query\"}), shaw(q, k, flip(t, 1)) + transpose(shaw(k, q, t, "
         "{content=false})))",
         "true"},
        {"near(shaw(q, k, t, {clip=2}), shaw(q, k, t[{{4, 8}, {}}]))", "true"},
        {"shaw(q, k, t[{{2, 10}, {}}], {variant=\"bert\"})",
         "error: t:1: shaw: a distance of 5 is not in the table; its 9 rows reach to 4, and nothing is "
         "clipped"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Grouped queries: two heads of keys serve six of queries, in every form, bit for bit as if each had a key head of its own; and the derivative
 * by a shared key is the sum of theirs. */
static void grouped_queries(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"q6, k2, two = randn(g, 6, T, d), randn(g, 2, T, d), randn(g, 2, T, d)", ""},
        {"function each(x) return stack{x[1], x[1], x[1], x[2], x[2], x[2]} end", ""},
        {"@grouped_queries", ""},
        {"for name, f in pairs(forms) do assert(f(k2) == f(each(k2)), name) end", ""},
        {"function slope(f, k) return grad(function(x) return sum(f(x)^2) end)(k) end", ""},
        {"for name, f in pairs(forms) do local s, all = slope(f, k2), slope(f, each(k2))\n"
         "  for h = 1, 2 do local sum3 = all[3*h - 2] + all[3*h - 1] + all[3*h]\n"
         "    assert(max(abs(s[h] - sum3)) <= 2^-40 * max(abs(all)), name) end end",
         ""}, /* sums of some 1000 terms: 2^10 2^-53, with room */
        {"shaw(q6, randn(g, 4, T, d), a)",
         "error: t:1: shaw: shapes (6) and (4) do not match; counted from the last dimension, sizes must be equal or 1"},
        {NULL, NULL}};
    lab_run(cases);
}

/* What a score is does not depend on how many there are: those of the first 1, 2, 3 queries and keys stand in the corner of all. */
static void few_are_the_corner_of_many(void **state) {
    (void)state;
    static const lab_case cases[] = {
        PARTS,
        {"@corners", ""},
        {"@what_a_corner_is", ""},
        {"for name, f in pairs(score) do assert(corners(f, 3) == 0, name) end", ""},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_takes_them),
        cmocka_unit_test(shifts_equal_look_ups),
        cmocka_unit_test(diagonals),
        cmocka_unit_test(cope_follows_its_formula_of_p),
        cmocka_unit_test(bert_has_its_own_rows),
        cmocka_unit_test(grouped_queries),
        cmocka_unit_test(few_are_the_corner_of_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
