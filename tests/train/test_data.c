/* Streams and tasks: every batch is held against what the task says in words, by loops of its own; the same seed gives the same batch. */
#include "lua/lab.h"

static const char tools[] =
    /* the inputs of row b of a batch, and its targets by place (0: none) */
    "function row(batch, b, T)\n"
    "  local x, y = {}, {}\n"
    "  for t = 1, T do x[t], y[t] = math.tointeger(batch.inputs(b, t)), 0 end\n"
    "  for k = 1, batch.count do\n"
    "    local at = (batch.rows and batch.rows(k) or k) - 1\n"
    "    if at // T + 1 == b then y[math.tointeger(at % T + 1)] = math.tointeger(batch.targets(k)) end\n"
    "  end\n"
    "  return x, y\n"
    "end\n"
    /* how many of 40 rows disobey; right(x, y, T): are these targets right? */
    "function faults(o, T, right)\n"
    "  local source, bad = task(o), 0\n"
    "  local batch = source.batch(rng(5), 40, T)\n"
    "  for b = 1, 40 do if not right(row(batch, b, T)) then bad = bad + 1 end end\n"
    "  return bad\n"
    "end\n"
    "function text_of(t) return table.concat(t, ' ') end\n";

static void tasks_ask_for_what_they_say(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"faults({name = 'offset', offset = 3}, 10, function(x, y)\n"
         "  for t = 1, 10 do if y[t] ~= (t > 3 and x[t - 3] or 0) then return false end end\n  return true\nend)",
         "0"},
        {"faults({name = 'offset', offset = 3}, 10, function(x, y)\n"
         "  for t = 1, 10 do if y[t] ~= (t > 2 and x[t - 2] or 0) then return false end end\n  return true\nend) > 30",
         "true"},
        {"faults({name = 'copy', vocab = 5}, 9, function(x, y)\n"
         "  if x[5] ~= 6 then return false end\n"
         "  for t = 1, 9 do if y[t] ~= (t > 4 and t < 9 and x[t - 4] or 0) then return false end end\n"
         "  for t = 6, 9 do if x[t] ~= x[t - 5] then return false end end\n  return true\nend)",
         "0"},
        {"faults({name = 'sort', vocab = 5}, 9, function(x, y)\n"
         "  local s = {x[1], x[2], x[3], x[4]}\n  table.sort(s)\n"
         "  return text_of{y[5], y[6], y[7], y[8]} == text_of(s) and text_of{x[6], x[7], x[8]} == text_of{s[1], s[2], s[3]} and y[9] == 0 and x[5] == 6\n"
         "end)",
         "0"},
        {"faults('parity', 12, function(x, y)\n"
         "  for t = 1, 12 do local n = 0 for s = 1, t do if x[s] == 2 then n = n + 1 end end if y[t] ~= n % 2 + 1 then return false end end\n  return true\nend)",
         "0"},
        {"faults({name = 'induction', vocab = 6}, 12, function(x, y)\n"
         "  local found = {}\n  for t = 1, 11 do if x[t] == x[12] then found[#found + 1] = t end end\n"
         "  local asked = 0\n  for t = 1, 12 do if y[t] ~= 0 then asked = asked + 1 end end\n"
         "  return #found == 1 and asked == 1 and y[12] == x[found[1] + 1]\nend)",
         "0"},
        {"faults({name = 'passkey', vocab = 6}, 12, function(x, y)\n"
         "  local found = {}\n  for t = 1, 11 do if x[t] == 7 then found[#found + 1] = t end end\n"
         "  return x[12] == 7 and #found == 1 and y[12] == x[found[1] + 1] and y[11] == 0\nend)",
         "0"},
        /* two numbers of 3 digits, the lowest first: what is asked for is the sum modulo 1000 */
        {"faults('addition', 11, function(x, y)\n"
         "  local function number(z, at) return (z[at] - 1) + 10 * (z[at + 1] - 1) + 100 * (z[at + 2] - 1) end\n"
         "  return x[4] == 11 and x[8] == 12 and number(y, 8) == (number(x, 1) + number(x, 5)) % 1000 and x[9] == y[8] and x[10] == y[9] and y[11] == 0\nend)",
         "0"},
        {"for _, name in ipairs{'copy', 'induction', 'offset', 'sort', 'parity', 'addition', 'passkey'} do\n"
         "  local s = task(name)\n  local a, b, c = s.batch(rng(1), 3, 12), s.batch(rng(1), 3, 12), s.batch(rng(2), 3, 12)\n"
         "  if a.inputs ~= b.inputs or a.targets ~= b.targets or a.inputs == c.inputs then return name end\n"
         "  if max(a.inputs) > s.vocab or min(a.inputs) < 1 then return name end\nend\nreturn 'all'",
         "all"},
        {NULL, NULL}};
    lab_run(cases);
}

static void streams_follow_their_text(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {tools, ""},
        {"data = corpus{text = ('to be or not to be '):rep(30), hold = 0.2}\nreturn data.vocab, text_of(data.tokens):sub(1, 9), data.size, data.held.size", "7\t  o t b e\t456\t114"},
        /* every target is the token behind its place, and every window stands in the text */
        {"b = data.batch(rng(3), 6, 10)\nbad = 0\nfor k = 1, 6 do\n  local x, y = row(b, k, 10)\n"
         "  local s = ''\n  for t = 1, 10 do s = s .. data.tokens[x[t]] end\n"
         "  for t = 1, 9 do if y[t] ~= x[t + 1] then bad = bad + 1 end end\n"
         "  if not ('to be or not to be '):rep(30):find(s .. data.tokens[y[10]], 1, true) then bad = bad + 1 end\nend\nreturn bad, b.rows",
         "0\tnil"},
        {"data = corpus{text = ('To be, or not. '):rep(20), unit = 'words', most = 3}\nreturn data.vocab, text_of(data.tokens)", "4\t, . To <other>"},
        {"data = corpus{text = ('αβγ '):rep(20)}\nreturn data.vocab, data.tokens[2]", "4\tα"},
        /* a masked stream: what is asked for is what stood there, and most of it is behind the mask */
        {"data = corpus{text = ('abcdefgh'):rep(200), mask = 0.15}\nb = data.batch(rng(3), 50, 40)\nmasked, wrong, other = 0, 0, 0\n"
         "for k = 1, 50 do\n  local x, y = row(b, k, 40)\n  for t = 2, 40 do\n    local before = y[t - 1] ~= 0 and y[t - 1] or x[t - 1]\n"
         "    local here = y[t] ~= 0 and y[t] or x[t]\n    if here ~= before % 8 + 1 then wrong = wrong + 1 end\n"
         "    if y[t] == 0 and x[t] == 9 then wrong = wrong + 1 end\n    if y[t] ~= 0 and x[t] == 9 then masked = masked + 1 end\n  end\nend\n"
         /* 300 of 2000 expected, deviation 16; 80 % of these */
         "return data.vocab, wrong, abs(b.count - 300) < 80, abs(masked / b.count - 0.8) < 0.15",
         "9\t0\ttrue\ttrue"},
        {"corpus().vocab > 30, corpus().held.size > 5000", "true\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_data_is_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"task('sorting')", "error: t:1: task: name is the string \"sorting\"; wanted one of addition, copy, induction, offset, parity, passkey, sort"},
        {"task{name = 'copy', vocab = 1}", "error: t:1: task: vocab is 1; wanted an integer of at least 2"},
        {"task{name = 'copy', vcab = 1}", "error: t:1: task: unknown option 'vcab'; did you mean 'vocab'?"},
        {"corpus{file = 'none.txt'}", "error: t:1: corpus: none.txt: No such file or directory"},
        {"corpus{text = 'abc'}", "error: t:1: corpus: 3 tokens; wanted 20 or more"},
        {"corpus{text = ('abc'):rep(20), mask = 2}", "error: t:1: corpus: mask is 2; wanted a share between 0 and 1"},
        {"corpus{text = ('abc'):rep(20), hold = 1}", "error: t:1: corpus: hold is 1; wanted a share from 0, below 0.9"},
        {"corpus{text = ('abc'):rep(20), unit = 'bytes'}", "error: t:1: corpus: unit is the string \"bytes\"; wanted \"characters\" or \"words\""},
        {"pcall(task('copy').batch, 3, 1, 8)", "false\tt:1: copy: g is 3; wanted a generator, rng(seed)"},
        {"pcall(task('addition').batch, rng(1), 1, 5)", "false\tt:1: task: addition wants a length of at least 6, not 5"},
        {"pcall(corpus{text = ('abc'):rep(20)}.batch, rng(1), 1, 500)", "false\tt:1: corpus: T is 500, and the text has 54 tokens"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_ask_for_what_they_say),
        cmocka_unit_test(streams_follow_their_text),
        cmocka_unit_test(bad_data_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
