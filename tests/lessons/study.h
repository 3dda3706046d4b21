/* study.h: one lesson read, linted and run, for its test. In Lua: ours (its cells), results (of claims, in order),
 * messages (what went wrong), others (verdicts beside the claims), spoil(…) to change a place of a cell and judge it again.
 */
#ifndef PH_TEST_STUDY_H
#define PH_TEST_STUDY_H

#include "course/school.h"

static const char STUDY[] =
    "parser, linter = require 'phasor.course.parse', require 'phasor.course.lint'\n"
    "runner, host, ledger = require 'phasor.course.run', require 'phasor.course.host', require "
    "'phasor.ledger'\n"
    "course = require 'phasor.course'\n"
    "for _, l in ipairs(require 'phasor.course.shipped') do if l.name == lesson_name then text = l.text end end\n"
    "ours = assert(parser.parse(text, lesson_name .. '.lua'))\n"
    "env = host.silent()\n"
    /* Every verdict in full: a lesson shows its caption and its strength. */
    "entries, lines = require 'phasor.course.entries', {}\n"
    "function keep(v)\n"
    "  if type(v) == 'userdata' and getmetatable(v) == 'Verdict' then v = entries.of(v) end\n"
    "  if entries.is(v) then lines[#lines + 1] = v:line 'en'\n"
    "  elseif type(v) == 'table' then for _, inner in pairs(v) do keep(inner) end end\n"
    "end\n"
    "results, messages, others = runner.lesson(ours, ledger, host.eval, env, nil, nil, {before = function() end,\n"
    "  after = function(_, value) keep(value) end})\n"
    /* The cell with this claim, or this ref. */
    "function cell_of(key)\n"
    "  for _, c in ipairs(ours.cells) do if not c.prose and (c.claim == key or (not c.claim and c.ref == "
    "key)) then return c end end\n"
    "end\n"
    "function run_with(cell, code)\n"
    "  local done = runner.cell(ours, setmetatable({code = code}, {__index = cell}), ledger, host.eval, "
    "env, true)\n"
    "  assert(done.ok, done.message)\n"
    "  return done.result\n"
    "end\n"
    /* Spoils one place of a cell: "failed", then "with a witness" when a verdict that should hold is refuted. A
       cell that defines functions is run again as it was. */
    "function spoil(key, from, to)\n"
    "  local cell = cell_of(key)\n"
    "  local a, b = cell.code:find(from, 1, true)\n"
    "  assert(a and not cell.code:find(from, b + 1, true), 'not there once: ' .. from)\n"
    "  local r = run_with(cell, cell.code:sub(1, a - 1) .. to .. cell.code:sub(b + 1))\n"
    "  if ('\\n' .. cell.code):find('\\nfunction ') then run_with(cell, cell.code) end\n"
    "  local v = r.spokesman\n"
    "  return r.outcome .. (v and v.witness and ' with a witness' or '')\n"
    "end\n"
    /* id outcome strength, … of every claim */
    "function told()\n"
    "  local out = {}\n"
    "  for i, r in ipairs(results) do out[i] = r.claim.id .. ' ' .. r.outcome .. ' ' .. r.strength end\n"
    "  return table.concat(out, ', ')\n"
    "end\n"
    /* What is said of a verdict on request is read along with the rest. */
    "shown = require 'phasor.course.results'\n"
    "sentences = shown.show\n"
    "function shown.show(host, r, w, ...)\n"
    "  sentences(host, r, w, ...)\n"
    "  if r.claim then host.write(r.claim.id .. ': ' .. r.outcome .. '\\n') end\n"
    "  for _, e in ipairs(r.verdicts) do host.write('  ' .. e:line(w.lang) .. '\\n') end\n"
    "end\n"
    /* No mutant undecided, some refuted; and how many claims have any. */
    "function mutants_decided()\n"
    "  local n = 0\n"
    "  for _, r in ipairs(results) do local m = r.mutants if m then\n"
    "    assert(m.undecided == 0 and m.refuted > 0 and m.total == m.refuted + m.equivalent, r.claim.id)\n"
    "    n = n + 1 end end\n"
    "  return n\n"
    "end";

#define REFUTED "failed with a witness"

static int open_lesson(void **state, const char *name) {
    if (open_school(state) != 0) return -1;
    char first[64];
    snprintf(first, sizeof first, "lesson_name = '%s'", name);
    show(first);
    const char *said = show(STUDY);
    if (*said) print_error("%s\n", said);
    return *said ? -1 : 0;
}

/* No English word of a verdict's line stands in what is shown in Chinese, code aside. One that does is new in verify/, and wants its
 * row in words.c. */
static void verdicts_are_chinese(const char *walked) {
    static const char *const english[] = {"proved",         "certified",         "measured:",
                                          "refuted:",       "unknown:",          " with ",
                                          "for all ",       "left side",         " terms",
                                          " boxes",         " samples",          " points",
                                          "seed ",          "deviation",         "statements in all",
                                          "the closest of", " mutants",          "the given equations",
                                          "digits",         "outside the theory"};
    for (const char *line = walked; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
        const char *judged = strstr(text, "：");
        if (!judged || strstr(text, "│") || strstr(text, "┆") || strncmp(text, "  ", 2) != 0) continue;
        for (size_t i = 0; i < sizeof english / sizeof *english; i++)
            if (strstr(judged, english[i])) fail_msg("\"%s\" in: %s", english[i], text);
    }
}

/* The same text with its folded lines made whole again. */
static char *unfolded(const char *text) {
    char *out = malloc(strlen(text) + 1), *end = out;
    assert_non_null(out);
    while (*text) {
        if (strncmp(text, "\n    ", 5) == 0) *end++ = ' ', text += 1 + strspn(text + 1, " ");
        else *end++ = *text++;
    }
    *end = 0;
    return out;
}

/* Each of the figures, up to NULL, stands in what the lesson shows when it is walked through, or in the full line of a verdict. */
static void shows_figures(const char *name, const char *const *figures) {
    char walk[64], *lines = strdup(show("table.concat(lines, '\\n')"));
    snprintf(walk, sizeof walk, "lesson '%s'", name);
    const char *walked = show(walk);
    char *whole = unfolded(walked);
    for (; *figures; figures++)
        if (!strstr(walked, *figures) && !strstr(whole, *figures) && !strstr(lines, *figures))
            fail_msg("not shown: %s", *figures);
    free(whole);
    free(lines);
    assert_null(strstr(walked, "this step failed"));
    assert_null(strstr(walked, "warning:"));
    snprintf(walk, sizeof walk, "course.main('lesson', '%s', '--lang', 'zh')", name);
    walked = show(walk);
    assert_non_null(strstr(walked, "本课到此结束"));
    verdicts_are_chinese(walked);
}

#endif
