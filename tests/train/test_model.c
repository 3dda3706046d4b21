/* Transformers: held against their own definition written with single operations, against what a causal model may not see, and bad
 * specifications against their messages.
 * Sources: train/doors.lua train/flat.lua train/model.lua train/positions.lua */
#include "lua/lab.h"

/* Every encoding of the atlas: a later token changes nothing before it (to the last bit of f32: what is hidden takes no part, but blocks
 * of attention may be summed in another grouping, so a few roundings of numbers near 1 are allowed); and it changes the last place. */
static void every_encoding_makes_a_causal_model(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"@every_encoding_makes_a_causal_model_1", "true\t\t"},
        /* and where order can be told: the first two tokens exchanged change the last place, for all that know positions */
        {"@every_encoding_makes_a_causal_model_2", "logn nope"},
        /* a masked model sees both sides */
        {"@every_encoding_makes_a_causal_model_3", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

/* One layer, one head, no norm to speak of, written out with matrix products. Bound: each logit is a sum of at most 60 products of numbers
 * below 8 in f32, so 60 * 64 * 2^-24 < 3e-4 is beyond what rounding does; a wrong term is off by a tenth. */
static void a_model_is_its_formula(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"@a_model_is_its_formula_1", ""},
        {"one = {layers = 1, heads = 1}\nm = small('sinusoidal', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1], sinusoidal(6, 8))) < 3e-4",
         "true"},
        {"m:logits(ids, {offset = 5}) == m:logits(ids)", "false"},
        {"worst(m:logits(ids, {offset = 5})[1], by_hand(m, ids[1], sinusoidal(6, 8, {offset = 5}))) < 3e-4",
         "true"},
        {"m = small({name = 'sinusoidal', base = 100, size = 0.5}, one)\n"
         "return worst(m:logits(ids)[1], by_hand(m, ids[1], 0.5 * sinusoidal(6, 8, {base = 100}))) < 3e-4",
         "true"},
        {"m = small('alibi', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1], nil, alibi(1, 6)[1])) < 3e-4",
         "true"},
        {"m = small('learned', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1], m.P.position[1][1][{{1, 6}}])) < 3e-4",
         "true"},
        {"m = small('nope', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1])) < 3e-4", "true"},
        {"m = small('rope', one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1])) < 3e-4", "false"},
        /* a relative encoding whose table is nought is none */
        {"m = small({name = 'shaw', std = 0, call = 'Q, K, learned(9, d)'}, one)\nreturn worst(m:logits(ids)[1], by_hand(m, ids[1])) < 3e-4",
         "true"},
        /* the loss of a batch is -log of the softmax at its targets */
        {"@a_model_is_its_formula_2", "true\ttrue\t2"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The gradient by every kind of parameter, against a difference of losses along it. f32 losses are good to 2e-7 or so, so a central
 * difference over a step of length 0.02 is good to 2e-5 + third derivatives (1e-4 of the step squared); slopes here are near 0.3. */
static void learned_positions_learn(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@tools", ""}, {"@learned_positions_learn", "\t"}, {NULL, NULL}};
    lab_run(cases);
}

static void plans_heads_and_files(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        /* a plan of no position in any layer is no position; rope in one layer is not */
        {"a, b = small('nope'), small('nope', {plan = {'nope', 'nope', 'nope'}})\nreturn a:logits(ids) == b:logits(ids)",
         "true"},
        {"b = small('nope', {plan = {'nope', 'rope'}})\nreturn a:logits(ids) == b:logits(ids)", "false"},
        {"b = small('nope', {plan = {'nope', {name = 't5', std = 1}}})\nreturn #b.P.plan[2][1], a:logits(ids) == b:logits(ids)",
         "1\tfalse"},
        {"small('rope', {kv_heads = 1}).P.layers[1].attention.Wk.shape", "{8, 4}"},
        {"small('rope', {activation = 'swiglu'}).P.layers[1].feed_forward.W3.shape", "{8, 12}"},
        {"small('rope', {rms = true}).P.layers[1].norm1.bias", "nil"},
        {"small('shaw', {kv_heads = 1}):logits(ids).shape", "{2, 6, 7}"},
        {"m = small('rope', {tied = true})\nreturn m.P.output, m:logits(ids).shape", "nil\t{2, 6, 7}"},
        {"small('rope', {head = 'classify', classes = 3, activation = 'gelu', norm = 'post'}):logits(ids).shape",
         "{2, 3}"},
        {"m = small{'rope', {name = 'logn', train = 4}}\nreturn m:logits(ids) == small('rope'):logits(ids)",
         "false"},
        {"m:logits(ids)[{{}, {1, 4}}] == small('rope'):logits(ids)[{{}, {1, 4}}]", "true"},
        {"@plans_heads_and_files", "true\tt5"},
        {"tostring(m):match('t5'), m:count() == count_parameters(m.P)", "t5\ttrue"},
        {"m = small('rope')\nn = m:with{position = {name = 'rope', scaling = {kind = 'pi', factor = 1}}}\nreturn n:logits(ids) == m:logits(ids)",
         "true"},
        {"m:with{position = {name = 'rope', scaling = {kind = 'pi', factor = 4}}}:logits(ids) == m:logits(ids)",
         "false"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_models_are_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"transformer{vocab = 5, length = 8, position = 'ropes'}",
         "error: t:1: transformer: no encoding is called 'ropes'; did you mean 'rope'?"},
        {"transformer{vocab = 5, length = 8, position = 3}",
         "error: t:1: transformer: position is 3; wanted a name, {name=, ...}, or a list of these"},
        {"transformer{vocab = 5, length = 8, position = {}}",
         "error: t:1: transformer: the list of positions is empty; wanted a name such as \"rope\", or \"nope\" for none"},
        {"transformer{vocab = 5, length = 8, position = {'shaw', 'cope'}}",
         "error: t:1: transformer: two encodings that each make the scores; wanted one"},
        {"transformer{vocab = 5, length = 8, plan = {'learned'}}",
         "error: t:1: transformer: plan[1] is learned, which is added to the tokens; give it as position"},
        {"transformer{length = 8}", "error: t:1: transformer: vocab is nil; wanted an integer of at least 1"},
        {"transformer{vocab = 5, length = 8, heads = 3}",
         "error: t:1: transformer: d is 32; wanted a multiple of heads, 3"},
        {"transformer{vocab = 5, length = 8, layers = 1e9}",
         "error: t:1: transformer: layers is 1000000000; wanted at most 1000"},
        {"transformer{vocab = 5, length = 8, kv_heads = 3}",
         "error: t:1: transformer: heads is 4 and kv_heads 3; wanted a multiple of kv_heads"},
        {"transformer{vocab = 5, length = 8, head = 'causl'}",
         "error: t:1: transformer: head is the string \"causl\"; wanted one of causal, classify, masked"},
        {"transformer{vocab = 5, length = 8, tied = true, head = 'classify', classes = 2}",
         "error: t:1: transformer: tied is for a head that names tokens; wanted causal or masked"},
        {"transformer{vocab = 5, length = 8, position = {name = 'rope', std = -1}}",
         "error: t:1: transformer: std of rope is -1; wanted a number of at least 0"},
        {"m = small('learned')\nreturn m:logits(ones(1, 13))",
         "error: t:2: learned: position 12 is not in the table; it has 12 rows, the positions 0 to 11"},
        {"m:logits{{1, 8}}", "error: t:1: transformer: a token is 8; wanted 1 to vocab, 7"},
        {"m:logits{{1, nan}}", "error: t:1: transformer: a token is nan; wanted 1 to vocab, 7"},
        {"m:logits(3)", "error: t:1: transformer: the tokens are 3; wanted whole numbers (B, T)"},
        {"m:with{length = 16}",
         "error: t:1: transformer: the parameters do not fit: position.1.1 is (12, 8); wanted (16, 8)"},
        {"m.logit", "error: t:1: unknown field 'logit' of a transformer; did you mean 'logits'?"},
        {"small('shaw'):logits(ids, {offset = 2})",
         "error: t:1: transformer: shaw has no places of its own; wanted offset 0"},
        {"@bad_models_are_refused", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_makes_a_causal_model),
        cmocka_unit_test(a_model_is_its_formula),
        cmocka_unit_test(learned_positions_learn),
        cmocka_unit_test(plans_heads_and_files),
        cmocka_unit_test(bad_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
