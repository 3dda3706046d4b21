/* Steps of AdamW against the formula in numbers, runs that stop and go on to the same bits, and what is refused.
 * Sources: train/adamw.lua train/flat.lua train/store.lua train/train.lua train/trainer.lua */
#include "lua/lab.h"

/* The algorithm of Loshchilov and Hutter in doubles beside ours in f32. After 5 steps of 0.1 an entry near 1 went through some 40 roundings of
 * 2^-24 each, its moments through fewer, and a quotient m/sqrt(v) loses no more: 1e-5 is ten times that, and a hundredth of a step. */
static void adamw_is_its_algorithm(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@adamw_is_its_algorithm", "true\ttrue\ttrue\ttrue"},
        {"o = adamw.read('test', {rate = 2, warmup = 10, last = 0.1})\nreturn adamw.rate(o, 1, 110), adamw.rate(o, 10, 110), abs(adamw.rate(o, 60, 110) - 1.1) < 1e-12, "
         "abs(adamw.rate(o, 110, 110) - 0.2) < 1e-12",
         "0.2\t2.0\ttrue\ttrue"},
        {"o = adamw.read('test', {rate = 2, schedule = 'linear', last = 0.5})\nreturn adamw.rate(o, 50, 100), adamw.rate(o, 100, 100)",
         "1.5\t1.0"},
        {"adamw.rate(adamw.read('test', {rate = 2, schedule = 'constant'}), 77, 100)", "2"},
        {"pcall(adamw.read, 'train', {schedule = 'cosin'})",
         "false\tt:1: train: schedule is the string \"cosin\"; wanted one of constant, cosine, linear"},
        {"pcall(adamw.read, 'train', {rate = 0})", "false\tt:1: train: rate is 0; wanted a number above 0"},
        {NULL, NULL}};
    lab_run(cases);
}

static void a_run_stops_and_goes_on(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"a = walk(new(), 5)\nreturn a.step, a.loss == a.losses(5), a.rate < 0.01, a.norm > 0, #a.losses",
         "5\ttrue\ttrue\ttrue\t5"},
        {"walk(a)\nreturn a.step, a()", "12\tnil"},
        {"b = walk(new())\nreturn b.now.x == a.now.x, b.losses == a.losses", "true\ttrue"},
        {"walk(new{seed = 8}).now.x == a.now.x", "false"},
        {"a.losses(12) < a.losses(1)", "true"},
        /* saved in the middle and taken up: the same bits in parameters, moments and losses; of a new process too (tests/e2e) */
        {"@a_run_stops_and_goes_on_1", "true\ttrue\ttrue\ttrue\t12"},
        {"resume('run.safetensors', data, d.model).step", "5"},
        {"m = transformer('run.safetensors')\nreturn m:logits{{1, 2, 3}} == resume('run.safetensors', data).model:logits{{1, 2, 3}}",
         "true"},
        {"r = train{resume = 'run.safetensors', data = data}\nreturn r.run.now.x == a.now.x, r.steps, r.reason",
         "true\t12\tdone"},
        /* a checkpoint of another model, of other data, of something else, cut off */
        {"resume('run.safetensors', data, transformer{vocab = 6, length = 8, d = 8, heads = 2, hidden = 12, position = 'alibi'})",
         "error: t:1: resume: run.safetensors is of another model: position is t5 there, and alibi here"},
        {"resume('run.safetensors', task{name = 'offset', vocab = 5})",
         "error: t:1: resume: the data has 5 tokens, and had 6 when run.safetensors was written"},
        {"m:save('model.safetensors')\nreturn resume('model.safetensors', data)",
         "error: t:2: resume: model.safetensors is no checkpoint of a run; its header has no kind 'phasor training run 1'"},
        {"@a_run_stops_and_goes_on_2", "false\tcut.safetensors"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Text of one character is foretold: its loss goes to nothing. What cannot be foretold stays at ln V. */
static void training_learns_what_there_is(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"r = train{model = {length = 8, d = 16, hidden = 16, position = 'nope'}, data = corpus{text = ('ab'):rep(400)}, steps = 80, rate = 0.01, test_every = 20}\n"
         "return r.loss < 0.05, r.on, r.tests.shape, r.model:loss(r.run.data.held.batch(rng(1), 4, 8)) < 0.05",
         "true\theld-out\t{4, 2}\ttrue"},
        {"@training_learns_what_there_is_1", "true"},
        {"@training_learns_what_there_is_2", "{6, 2}\t6.0\ttrue\ttraining"},
        {"tostring(r):match('^train: done after 6 steps; best training loss') ~= nil", "true"},
        {"require('phasor.train.train').curve({4, 4, 3, 3, 2, 2, 1, 1}, 8, 4)", "█▆▃▁"},
        /* offsets: a learned table's later rows are trained only where sequences begin there */
        {"@training_learns_what_there_is_3", "false\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_runs_are_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@tools", ""},
        {"trainer{data = data}", "error: t:1: trainer: model is nil; wanted a transformer"},
        {"trainer{model = {length = 8}, data = 3}",
         "error: t:1: trainer: data is 3; wanted what corpus or task makes, or a table with batch(g, B, T)"},
        {"trainer{model = transformer{vocab = 4, length = 8}, data = data}",
         "error: t:1: trainer: the data has 6 tokens and the model 4; wanted vocab=6"},
        {"new{stesp = 3}", "error: t:5: trainer: unknown option 'stesp'; did you mean 'steps'?"},
        {"new{steps = 0}", "error: t:5: trainer: steps is 0; wanted an integer of at least 1"},
        {"new().lost", "error: t:1: unknown field 'lost' of a run; did you mean 'loss'?"},
        {"train{model = {length = 8}, data = data, save_every = 3}",
         "error: t:1: train: save_every without a checkpoint to write"},
        {"train{model = {length = 8}, data = data, csv = 3}", "error: t:1: train: csv is 3; wanted a path"},
        /* before the first step, and without a trace */
        {"train{model = {length = 8}, data = data, csv = 'losses.txt'}",
         "error: t:1: train: csv is the string \"losses.txt\"; wanted a name that ends in .csv"},
        {"train{model = {length = 8}, data = data, checkpoint = '/dev/null/run.safetensors'}",
         "error: t:1: train: checkpoint: /dev/null/run.safetensors: cannot be written: Not a directory"},
        {"pcall(train, {model = {length = 8}, data = data, checkpoint = 'kept.safetensors', steps = 0})\n"
         "return io.open('kept.safetensors')",
         "nil\tkept.safetensors: No such file or directory\t2"},
        {"train{model = {length = 8}, data = data, chekpoint = 'run.safetensors'}",
         "error: t:1: train: unknown option 'chekpoint'; did you mean 'checkpoint'?"},
        {"train{resume = 'run.safetensors', data = data, rate = 1}",
         "error: t:1: train: unknown option 'rate'; wanted checkpoint, csv, data, model, resume, save_every, test_every"},
        /* what a source of one's own gives */
        {"trainer{model = {length = 8}, data = {vocab = 6, batch = function() return 3 end}}()",
         "error: t:1: trainer: step 1: transformer: the batch is 3; wanted a table {inputs=, targets=} of arrays"},
        {"trainer{model = {length = 8}, data = {vocab = 6, batch = function(g, B, T) return {inputs = ones(B, T)} end}}()",
         "error: t:1: trainer: step 1: transformer: the batch is without targets; wanted a table {inputs=, targets=} of arrays"},
        {"@bad_runs_are_refused_4", "error: t:3: trainer: step 1: transformer: a target is 7; wanted 1 to 6"},
        /* a table that is too short for the batches */
        {"trainer{model = {length = 4, position = 'learned'}, data = data, length = 8}()",
         "error: t:1: trainer: step 1: learned: position 4 is not in the table; it has 4 rows, the positions 0 to 3"},
        /* a loss that becomes nan: the step, and the first operation */
        {"@bad_runs_are_refused_1", "false\tstep 3\ttrue"},
        {"@bad_runs_are_refused_2", "false\tstep 3\t2"},
        {"@bad_runs_are_refused_3",
         "error: t:4: trainer: step 3: layer_norm: its result is nan here, the first one on the way"},
        {"run.model.P.layers[1].feed_forward.W1[{1, 1}] = nan\nreturn run:advance()",
         "error: t:2: trainer: step 3: the parameter layers.1.feed_forward.W1 is not finite, with a loss of nan"},
        {"run = new{rate = 1e30, clip = 1e30, warmup = 0}\nreturn walk(run)",
         "error: t:7: trainer: step 2: matmul: its result is nan here, the first one on the way"},
        /* no room on the disk: the old checkpoint stays (the folder is a file here) */
        {"ok, e = pcall(run.save, run, '/dev/null/run.safetensors')\nreturn ok, e:match '/dev/null/run.safetensors'",
         "false\t/dev/null/run.safetensors"},
        {NULL, NULL}};
    lab_run(cases);
}

/* After any step a run holds the same arrays: bytes of all arrays together, with what is dead collected. History grows by a number a step: at
 * 100 steps 16 bytes each, in a list that may be twice as long as it is full. Left to itself the collector keeps up too. */
static size_t live_after(lua_State *L, const char *code, double *kilobytes) {
    assert_string_equal(lab_eval(L, code), "");
    (void)lua_gc(L, LUA_GCCOLLECT);
    (void)lua_gc(L, LUA_GCCOLLECT);
    *kilobytes = lua_gc(L, LUA_GCCOUNT);
    lua_settop(L, 0);
    return ph_block_live();
}

static void memory_is_flat_over_steps(void **state) {
    (void)state;
    lua_State *L = lab_open();
    double at50, at150;
    lab_eval(L, "@tools");
    lua_settop(L, 0);
    size_t early = live_after(L, "run = new{steps = 200}\nwalk(run, 50) return", &at50),
           late = live_after(L, "walk(run, 150) return", &at150);
    assert_int_equal(late, early);
    assert_true(at150 - at50 <= 2 * 100 * 16 / 1024.0 + 1);
    size_t peak[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 20; t++) {
            assert_string_equal(lab_eval(L, "run:advance() return"), "");
            lua_settop(L, 0);
            if (ph_block_live() > peak[k]) peak[k] = ph_block_live();
        }
    assert_true(peak[0] > 0 && peak[1] <= peak[0] + peak[0] / 2);
    lua_close(L);
}

/* To take up a model of 4 layers and 128 columns costs less than a step with it, which takes 50 ms on the fastest machine. */
static void a_run_starts_at_once(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"m = transformer{vocab = 30, length = 64, layers = 4, heads = 4, d = 128}\ndata = task{name = 'copy', vocab = 29}",
         ""},
        {"@a_run_starts_at_once", "true"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adamw_is_its_algorithm),        cmocka_unit_test(a_run_stops_and_goes_on),
        cmocka_unit_test(training_learns_what_there_is), cmocka_unit_test(memory_is_flat_over_steps),
        cmocka_unit_test(a_run_starts_at_once),          cmocka_unit_test(bad_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
