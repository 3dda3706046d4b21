/* Steps of AdamW against the formula in numbers, runs that stop and go on to the same bits, and what is refused. */
#include "lua/lab.h"

static const char tools[] =
    "data = task{name = 'offset', vocab = 6, offset = 2}\n"
    "function new(o)\n"
    "  local all = {model = {length = 8, d = 8, heads = 2, hidden = 12, position = 't5'}, data = data, steps = 12, batch = 4, seed = 7, rate = 0.01}\n"
    "  for k, v in pairs(o or {}) do all[k] = v end\n"
    "  return trainer(all)\n"
    "end\n"
    "function walk(run, n) for step in run do if step == n then break end end return run end\n";

/* The algorithm of Loshchilov and Hutter in doubles beside ours in f32. After 5 steps of 0.1 an entry near 1 went through some 40 roundings of
 * 2^-24 each, its moments through fewer, and a quotient m/sqrt(v) loses no more: 1e-5 is ten times that, and a hundredth of a step. */
static void adamw_is_its_algorithm(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"adamw = require 'phasor.train.adamw'\n"
         "function by_hand(o, x, gradients, heavy)\n"
         "  local m, v = {0, 0, 0}, {0, 0, 0}\n"
         "  for t, g in ipairs(gradients) do\n"
         "    local norm = math.sqrt(g[1]^2 + g[2]^2 + g[3]^2)\n"
         "    local cut = norm > o.clip and o.clip / norm or 1\n"
         "    for i = 1, 3 do\n"
         "      local y = g[i] * cut\n"
         "      m[i], v[i] = o.beta1 * m[i] + (1 - o.beta1) * y, o.beta2 * v[i] + (1 - o.beta2) * y * y\n"
         "      x[i] = x[i] - 0.1 * (m[i] / (1 - o.beta1^t) / (math.sqrt(v[i] / (1 - o.beta2^t)) + o.eps) + o.shrink * heavy[i] * x[i])\n"
         "    end\n"
         "  end\n"
         "  return x\n"
         "end\n"
         "function off(o)\n"
         "  o = adamw.read('test', o)\n"
         "  local gradients, heavy = {{1, -2, 0.5}, {0.1, 0.2, -0.3}, {5, 5, -5}, {0, 1e-3, 2}, {-1, 0, 0.25}}, {1, 0, 1}\n"
         "  local s = adamw.start(astype(array{1, -1, 0.5}, 'f32'))\n"
         "  for _, g in ipairs(gradients) do s = adamw.step(o, s, astype(array(g), 'f32'), 0.1, astype(array(heavy), 'f32')) end\n"
         "  return max(abs(astype(s.x, 'f64') - array(by_hand(o, {1, -1, 0.5}, gradients, heavy))))\n"
         "end\n"
         "return off{} < 1e-5, off{clip = 1e9} < 1e-5, off{shrink = 0} < 1e-5, off{shrink = 0.5, beta1 = 0.5, beta2 = 0.9, eps = 0.01} < 1e-5",
         "true\ttrue\ttrue\ttrue"},
        {"o = adamw.read('test', {rate = 2, warmup = 10, last = 0.1})\nreturn adamw.rate(o, 1, 110), adamw.rate(o, 10, 110), abs(adamw.rate(o, 60, 110) - 1.1) < 1e-12, "
         "abs(adamw.rate(o, 110, 110) - 0.2) < 1e-12",
         "0.2\t2.0\ttrue\ttrue"},
        {"o = adamw.read('test', {rate = 2, schedule = 'linear', last = 0.5})\nreturn adamw.rate(o, 50, 100), adamw.rate(o, 100, 100)", "1.5\t1.0"},
        {"adamw.rate(adamw.read('test', {rate = 2, schedule = 'constant'}), 77, 100)", "2"},
        {"pcall(adamw.read, 'train', {schedule = 'cosin'})", "false\tt:1: train: schedule is the string \"cosin\"; wanted one of constant, cosine, linear"},
        {"pcall(adamw.read, 'train', {rate = 0})", "false\tt:1: train: rate is 0; wanted a number above 0"},
        {NULL, NULL}};
    lab_run(cases);
}

static void a_run_stops_and_goes_on(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"a = walk(new(), 5)\nreturn a.step, a.loss == a.losses(5), a.rate < 0.01, a.norm > 0, #a.losses", "5\ttrue\ttrue\ttrue\t5"},
        {"walk(a)\nreturn a.step, a()", "12\tnil"},
        {"b = walk(new())\nreturn b.now.x == a.now.x, b.losses == a.losses", "true\ttrue"},
        {"walk(new{seed = 8}).now.x == a.now.x", "false"},
        {"a.losses(12) < a.losses(1)", "true"},
        /* saved in the middle and taken up: the same bits in parameters, moments and losses; of a new process too (tests/e2e) */
        {"c = walk(new(), 5)\nc:save('run.safetensors')\nwalk(c)\nd = walk(resume('run.safetensors', data))\n"
         "return d.now.x == a.now.x, d.now.m == a.now.m, d.now.v == a.now.v, d.losses == a.losses, d.step",
         "true\ttrue\ttrue\ttrue\t12"},
        {"resume('run.safetensors', data, d.model).step", "5"},
        {"m = transformer('run.safetensors')\nreturn m:logits{{1, 2, 3}} == resume('run.safetensors', data).model:logits{{1, 2, 3}}", "true"},
        {"r = train{resume = 'run.safetensors', data = data}\nreturn r.run.now.x == a.now.x, r.steps, r.reason", "true\t12\tdone"},
        /* a checkpoint of another model, of other data, of something else, cut off */
        {"resume('run.safetensors', data, transformer{vocab = 6, length = 8, d = 8, heads = 2, hidden = 12, position = 'alibi'})",
         "error: t:1: resume: run.safetensors is of another model: position is t5 there, and alibi here"},
        {"resume('run.safetensors', task{name = 'offset', vocab = 5})", "error: t:1: resume: the data has 5 tokens, and had 6 when run.safetensors was written"},
        {"m:save('model.safetensors')\nreturn resume('model.safetensors', data)",
         "error: t:2: resume: model.safetensors is no checkpoint of a run; its header has no kind 'phasor training run 1'"},
        {"f = io.open('run.safetensors', 'rb')\ns = f:read 'a'\nf:close()\nf = io.open('cut.safetensors', 'wb')\nf:write(s:sub(1, #s - 100))\nf:close()\n"
         "ok, e = pcall(resume, 'cut.safetensors', data)\nos.remove 'cut.safetensors'\nos.remove 'run.safetensors'\nos.remove 'model.safetensors'\nreturn ok, e:match 'cut.safetensors'",
         "false\tcut.safetensors"},
        {NULL, NULL}};
    lab_run(cases);
}

/* Text of one character is foretold: its loss goes to nothing. What cannot be foretold stays at ln V. */
static void training_learns_what_there_is(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"r = train{model = {length = 8, d = 16, hidden = 16, position = 'nope'}, data = corpus{text = ('ab'):rep(400)}, steps = 80, rate = 0.01, test_every = 20}\n"
         "return r.loss < 0.05, r.on, r.tests.shape, r.model:loss(r.run.data.held.batch(rng(1), 4, 8)) < 0.05",
         "true\theld-out\t{4, 2}\ttrue"},
        {"g = rng(4)\ns = {}\nfor k = 1, 3000 do s[k] = string.char(97 + g:below(4)) end\n"
         "r = train{model = {length = 8, d = 8, heads = 2, hidden = 8, position = 'rope'}, data = corpus{text = table.concat(s)}, steps = 60, rate = 0.003}\n"
         "return abs(r.loss - log(4)) < 0.1",
         "true"},
        {"r = train{model = {length = 8, d = 8, heads = 2}, data = data, steps = 6, csv = 'losses.csv'}\nt = read 'losses.csv'\nos.remove 'losses.csv'\n"
         "return t.shape, t(6, 1), abs(t(6, 2) - r.losses(6)) < 1e-12, r.on",
         "{6, 2}\t6.0\ttrue\ttraining"},
        {"tostring(r):match('^train: done after 6 steps; best training loss') ~= nil", "true"},
        {"require('phasor.train.train').curve({4, 4, 3, 3, 2, 2, 1, 1}, 8, 4)", "█▆▃▁"},
        /* offsets: a learned table's later rows are trained only where sequences begin there */
        {"function moved(offsets)\n"
         "  local m = transformer({vocab = 6, length = 8, d = 8, heads = 2, position = {name = 'learned', call = 'learned(40, d), T'}}, 1)\n"
         "  local before = m.P.position[1][1]:copy()\n"
         "  walk(trainer{model = m, data = data, steps = 12, offsets = offsets, shrink = 0})\n"
         "  return max(abs(m.P.position[1][1][{{10, 40}}] - before[{{10, 40}}])) > 0\nend\nreturn moved(1), moved(33)",
         "false\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_runs_are_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"trainer{data = data}", "error: t:1: trainer: model is nil; wanted a transformer"},
        {"trainer{model = {length = 8}, data = 3}", "error: t:1: trainer: data is 3; wanted what corpus or task makes, or a table with batch(g, B, T)"},
        {"trainer{model = transformer{vocab = 4, length = 8}, data = data}", "error: t:1: trainer: the data has 6 tokens and the model 4; wanted vocab=6"},
        {"new{stesp = 3}", "error: t:5: trainer: unknown option 'stesp'; did you mean 'steps'?"},
        {"new{steps = 0}", "error: t:5: trainer: steps is 0; wanted an integer of at least 1"},
        {"new().lost", "error: t:1: unknown field 'lost' of a run; did you mean 'loss'?"},
        {"train{model = {length = 8}, data = data, save_every = 3}", "error: t:1: train: save_every without a checkpoint to write"},
        {"train{model = {length = 8}, data = data, csv = 3}", "error: t:1: train: csv is 3; wanted a path"},
        /* a table that is too short for the batches */
        {"trainer{model = {length = 4, position = 'learned'}, data = data, length = 8}()", "error: t:1: trainer: step 1: learned: position 4 is not in the table; it has 4 rows, the positions 0 to 3"},
        /* a loss that becomes nan: the step, and the first operation */
        {"run = new()\nwalk(run, 2)\nrun.model.P.tokens[{1, 1}] = nan\nok, e = pcall(run.advance, run)\nreturn ok, e:match 'step %d+', e:match 'nan' ~= nil", "false\tstep 3\ttrue"},
        {"run = new()\nwalk(run, 2)\nrun.model.P.tokens[{1, 1}] = inf\nok, e = pcall(run.advance, run)\nreturn ok, e:match 'step %d+', run.step", "false\tstep 3\t2"},
        {"run = new()\nwalk(run, 2)\nrun.model.P.layers[1].feed_forward.W1[{1, 1}] = inf\nreturn run:advance()",
         "error: t:4: trainer: step 3: layer_norm: its result is nan here, the first one on the way"},
        {"run.model.P.layers[1].feed_forward.W1[{1, 1}] = nan\nreturn run:advance()",
         "error: t:2: trainer: step 3: the parameter layers.1.feed_forward.W1 is not finite, with a loss of nan"},
        {"run = new{rate = 1e30, clip = 1e30, warmup = 0}\nreturn walk(run)", "error: t:7: trainer: step 2: matmul: its result is nan here, the first one on the way"},
        /* no room on the disk: the old checkpoint stays (the folder is a file here) */
        {"ok, e = pcall(run.save, run, '/dev/null/run.safetensors')\nreturn ok, e:match '/dev/null/run.safetensors'", "false\t/dev/null/run.safetensors"},
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
    lab_eval(L, tools);
    lua_settop(L, 0);
    size_t early = live_after(L, "run = new{steps = 200}\nwalk(run, 50) return", &at50), late = live_after(L, "walk(run, 150) return", &at150);
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
        {"m = transformer{vocab = 30, length = 64, layers = 4, heads = 4, d = 128}\ndata = task{name = 'copy', vocab = 29}", ""},
        {"function spent(f) local best = inf for _ = 1, 3 do local t = os.clock() f() best = math.min(best, os.clock() - t) end return best end\n"
         "local run\nlocal start = spent(function() run = trainer{model = m, data = data} end)\nreturn start < spent(run)",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adamw_is_its_algorithm), cmocka_unit_test(a_run_stops_and_goes_on), cmocka_unit_test(training_learns_what_there_is),
        cmocka_unit_test(memory_is_flat_over_steps), cmocka_unit_test(a_run_starts_at_once), cmocka_unit_test(bad_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
