/* The atlas: a verdict in every cell, none against a claim, and laws that notice a wrong claim, a wrong formula and a wrong
 * function.
 * Sources: atlas/asymptotics.lua atlas/called.lua atlas/chinese.lua atlas/growth.lua atlas/init.lua atlas/laws.lua atlas/phrases.lua
 * Sources: atlas/places.lua atlas/relative.lua atlas/say.lua
 * Sources: atlas/subject.lua atlas/tried.lua atlas/vectors.lua lua/atlas.c lua/grid.c */
#include "lua/lab.h"

#include <jansson.h>

/* One laboratory with the atlas A, since an atlas is judged once; what changes the laboratory gets one of its own. */
static lua_State *L;

static int open_atlas(void **state) {
    (void)state;
    L = lab_open();
    bool made = strcmp(lab_eval(L, "A = atlas()"), "") == 0;
    lua_settop(L, 0);
    return !made;
}

static int close_atlas(void **state) {
    (void)state;
    lua_close(L);
    return 0;
}

/* Every cell is a verdict; where none is reached it says why; what an encoding claims is borne out. */
static void every_cell_has_a_verdict(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"wrong = {}", ""},
        {"@every_cell_has_a_verdict", ""},
        {"wrong", "{}"},
        /* every encoding has a row under its own name, of its first sample */
        {"for name, e in pairs(encodings()) do if A[name].encoding ~= name then wrong[#wrong + 1] = name end "
         "end",
         ""},
        {"wrong, #A.rows >= 20", "{}\ttrue"},
        {"debug.getmetatable(A).__mime == require('phasor.lib.mime').table", "true"},
        {"A.laws[1].key, #A.laws, A.N, atlas{N=64}.N", "relative\t11\t512\t64"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

/* Verdicts that are known from the theory. */
static void what_theory_says(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@what_theory_says_1", ""},
        /* relative even directed bounded decaying norm shift toeplitz injective extrapolates parameters */
        {"of 'sinusoidal'", "pprprpppprm"},
        {"of 'rope'", "prpprpp"
                      "pprm"},
        {"of 'alibi'", "pprrp--pprm"},
        {"of 'learned'", "rrpprrrrprm"},
        {"of 'xpos'", "prprrrpp"
                      "prm"},
        {"of 't5'", "prppr--prpm"},
        {"of 'shaw'", "prppr--prpm"},
        {"of 'kerple power'", "pprrp--pprm"},
        {"of 'nope'", "prmpp--prpm"},
        {"of 'rerope'", "prppp--prpm"},
        {"of 'transformer_xl'", "prppr--pcrm"},
        {"of 'cope'", "rrmpr--mrpm"},
        {"of 'fire'", "rrrpr--rrpm"},
        {"of 'logn'", "rrrrmrrrrrm"},
        {"A.shaw.injective.witness:match('^the distances 4 and 5') ~= nil", "true"}, /* clipped at 4 */
        {"A.t5.injective.witness:match('^the distances 8 and 9') ~= nil", "true"},   /* one bucket */
        {"A.learned.extrapolates.witness:match('^position 32 is refused: ') ~= nil", "true"},
        {"A.cope.relative.strength, A.fire.relative.strength, A.fire.toeplitz.strength",
         "refuted\trefuted\trefuted"},
        {"A.learned.learned, A.rope.learned, A.t5.learned", "256\t0\t128"},
        /* a pair of wavelength 2 Pi 1000 has turned once after 6284 positions */
        {"atlas('sinusoidal', {N=6000}).extrapolates.strength", "refuted"},
        {"atlas('sinusoidal', {N=7000}).extrapolates.strength", "proved"},
        {"atlas('shaw', {N=4}).injective.holds, atlas('shaw', {N=5}).injective.holds", "true\ttrue"},
        {"atlas('shaw', {N=6}).injective.holds", "false"},
        {"atlas('cope', {N=3}).injective.strength, atlas('cope', {N=8}).injective.strength",
         "measured\trefuted"},
        {"atlas('cope', {N=3}).injective.statement", "at equal content the 3 distances score apart"},
        /* T5's last bucket begins at 91, the first distance over 8 * 2^3.5 */
        {"atlas('t5', {N=92}).extrapolates.strength, atlas('t5', {N=91}).extrapolates.holds",
         "proved\tfalse"},
        /* clipped at 4 */
        {"atlas('shaw', {N=5}).extrapolates.strength, atlas('shaw', {N=4}).extrapolates.holds",
         "proved\tfalse"},
        /* FIRE: from L = 4 on a query has every share of its position; CoPE: a table of 4 rows */
        {"atlas('fire', {N=5}).extrapolates.strength, atlas('fire', {N=4}).extrapolates.strength",
         "proved\trefuted"},
        {"atlas('cope', {N=4}).extrapolates.strength, atlas('cope', {N=3}).extrapolates.holds",
         "proved\tfalse"},
        {"atlas('tener', {N=4096}).injective.strength, atlas('tener', {N=4097}).injective.strength",
         "certified\tmeasured"},
        {"atlas().fire.bounded.conditions, atlas().alibi.bounded.holds", "for keys up to the query\tfalse"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

static const lab_case wrong_encodings[] = {
    {"lab = require 'phasor'", ""},
    {"all, formula = lab.encodings, lab.formula_of", ""},
    {"function lab.encodings() local e = all() table.insert(e.rope.laws, 'decaying') return e end", ""},
    {"atlas('rope', {N=500}).broken_claims", "{\"decaying\"}"},
    {"lab.encodings = all", ""},
    {"@what_theory_says_2", ""},
    {"bad = atlas('sinusoidal', {N=501})", ""},
    {"bad.relative.holds, bad.norm_keeping.holds, bad.even.holds", "false\tfalse\tfalse"},
    {"table.concat(bad.broken_claims, ' ')", "relative even norm_keeping shift_linear"},
    {"@what_theory_says_3", ""},
    {"bad = atlas('rope', {N=502})", ""},
    {"bad.relative.strength, bad.norm_keeping.strength", "refuted\trefuted"},
    /* a function that errs where no law looks: what it shows is beyond dispute */
    {"lab.formula_of = formula", ""},
    {"alibi = lab.alibi", ""},
    {"@what_theory_says_4", ""},
    {"atlas('alibi', {N=510}).relative",
     "error: t:1: atlas: relative of alibi is proved, yet the function gives score(31, 2) = -6.75, score(29, 0) = "
     "-7.25. This is an error of phasor, not of yours: please report it."},
    {"lab.alibi = alibi", ""},
    /* growth that a bounded quotient, or a position cut off, does not hold back; equal scores */
    {"m, n, p = sym 'm n p'", ""},
    {"@what_theory_says_5", ""},
    {"spoiled('fire', 601, log(1 + abs(m - n))).bounded.holds", "false"},
    {"spoiled('fire', 602, log(1 + abs(m - n))/log(2 + n)).bounded.holds", "false"},
    {"spoiled('fire', 603, log(1 + abs(m - n)*2)/log(2 + m)).bounded.holds", "false"},
    {"spoiled('fire', 604, log(1 + abs(m - n))/log(2 + m)).bounded.holds", "true"},
    {"bad = spoiled('fire', 605, (m - n)/8)", ""},
    {"bad.broken_claims, bad.extrapolates.holds", "{\"bounded\"}\tfalse"},
    {"bad = spoiled('cope', 606, p/1000)", ""},
    {"bad.broken_claims, bad.extrapolates.holds", "{\"bounded\"}\tfalse"},
    {"bad = spoiled('cope', 607, minimum(p, 700))", ""},
    {"bad.bounded.holds, bad.extrapolates.holds", "true\tfalse"},
    {"spoiled('rerope', 608, cos(minimum(abs(m - n), 30))).decaying.strength", "measured"},
    {"spoiled('rerope', 609, rat(1, 1000000000000000)*abs(m - n)).decaying.strength", "measured"},
    {"spoiled('t5', 610, minimum(abs(m - n), 700)).extrapolates.holds", "false"},
    {"spoiled('t5', 611, minimum(abs(m - n), 600)).extrapolates.strength", "proved"},
    {"lab.formula_of = formula", ""},
    {"atlas('rope', {N=503}).relative.strength", "proved"},
    {NULL, NULL}};

/* A law of all contents is not settled at one: these turn so slowly that the first content's scores only fall, and other contents' do not. A law
 * of N positions speaks of no others, also where a table has more. */
static void other_arguments(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"lab = require 'phasor'", ""},
        {"all = lab.encodings", ""},
        {"@other_arguments", ""},
        {"like('rope_axes', 700, turning).decaying.strength", "refuted"},
        {"like('t5', 701, 'array{{3}, {2}, {1}, {0}}, T, {direction=\"causal\"}').decaying.strength",
         "proved"},
        {"like('shaw', 8, bert).injective.holds, like('shaw', 20, bert).injective.witness:match '^the distances 9 and 12'",
         "true\tthe distances 9 and 12"},
        {"v = like('learned', 5, 'array' .. rows .. ', T').injective", ""},
        {"v.holds, tostring(v.requires[2])", "true\tlt(m, 5)"},
        {"like('learned', 6, 'array' .. rows .. ', T').injective.witness",
         "positions 1 and 5 have the same vector"},
        {"lab.encodings = all", ""},
        {NULL, NULL}};
    lab_run(cases);
}

/* The laws against an encoding that lies: a claim too many, a formula with a cosine for a sine, a function that errs. */
static void a_wrong_encoding_is_noticed(void **state) {
    (void)state;
    lab_run(wrong_encodings);
}

static void printed(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"text, rows = tostring(A), 0", ""},
        {"for line in text:gmatch('[^\\n]+') do if utf8.len(line) > 79 then error(line) end end", ""},
        {"for _, row in ipairs(A.rows) do if text:find('\\n' .. row.name .. ' ', 1, true) then rows = rows + "
         "1 end end",
         ""},
        {"rows == #A.rows, text == tostring(atlas{N=512})", "true\ttrue"},
        /* the word above a column stands whole, over the column's signs; so it does in the picture, in both languages */
        {"one, two, three = text:match '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)' last = #three + 1 "
         "for i = #A.laws, 1, -1 do local word = A.laws[i].head local from, to = (i % 2 == 1 and one or two):find('%f[%a]' .. word .. '%f[%A]') "
         "local sign = #three - 5 * (#A.laws - i) if not (from <= sign and sign <= to) then error(word) end end",
         ""},
        {"for _, lang in ipairs {'en', 'zh'} do local seen = picture('atlas', {lang = lang}):text{columns = 80, colours = 0} "
         "for _, law in ipairs(A.laws) do local word = lang == 'en' and law.head or law.zh.head "
         "if law.key ~= 'parameters' and not seen:find(word, 1, true) then error(word) end end end",
         ""},
        {"text:match('learned +x +x +P +P +x +x +x +x +P +x +256') ~= nil", "true"},
        {"tostring(A.alibi):match('bounded +refuted') ~= nil", "true"},
        {"tostring(A.alibi):match('norm_keeping +undefined: it changes scores') ~= nil", "true"},
        {"tostring(A.rope):match('%* relative +proved for all m, n and steps c, every q and k') ~= nil",
         "true"},
        {"A:markdown():match('\\n| `nope` | proved | refuted | measured |') ~= nil", "true"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

static void json_is_json(void **state) {
    (void)state;
    json_error_t why;
    const char *text = lab_eval(L, "A:json()");
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    if (!all) fail_msg("%s", why.text);
    json_t *laws = json_object_get(all, "laws"), *rows = json_object_get(all, "rows"), *row;
    size_t i;
    assert_int_equal(json_integer_value(json_object_get(all, "N")), 512);
    assert_true(json_array_size(laws) == 11 && json_array_size(rows) >= 20);
    json_array_foreach(rows, i, row) {
        json_t *cells = json_object_get(row, "cells");
        assert_int_equal(json_object_size(cells), json_array_size(laws));
        for (size_t k = 0; k < json_array_size(laws); k++) {
            const char *key = json_string_value(json_object_get(json_array_get(laws, k), "key"));
            json_t *verdict = json_object_get(json_object_get(cells, key), "verdict");
            assert_true(json_is_string(json_object_get(verdict, "strength")));
        }
    }
    json_decref(all);
    lua_settop(L, 0);
}

static void wrong_arguments(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"atlas('yarn')", "error: t:1: atlas: unknown encoding 'yarn'; did you mean 'rope yarn'?"},
        {"atlas('code')", "error: t:1: atlas: unknown encoding 'code'; did you mean 'cope code'?"},
        {"atlas('roep')", "error: t:1: atlas: unknown encoding 'roep'; did you mean 'rope'?"},
        {"atlas().rope.relativ", "error: t:1: atlas: unknown law 'relativ'; did you mean 'relative'?"},
        {"atlas().sinusoidl", "error: t:1: atlas: unknown encoding 'sinusoidl'; did you mean 'sinusoidal'?"},
        {"atlas(3)", "error: t:1: atlas: the encoding is a number; wanted its name, as in atlas(\"rope\")"},
        {"atlas{N=1}", "error: t:1: atlas: N is 1; wanted a whole number from 2 to 65536"},
        {"atlas{N=nan}", "error: t:1: atlas: N is nan; wanted a whole number from 2 to 65536"},
        {"atlas{N='x'}", "error: t:1: atlas: N is a string; wanted a whole number from 2 to 65536"},
        {"atlas{n=8}", "error: t:1: atlas: unknown option 'n'; did you mean 'N'?"},
        {"atlas('rope', 8)", "error: t:1: atlas: the last argument is no table; wanted {N=...}"},
        {"atlas('rope', {}, 1)", "error: t:1: atlas: 3 arguments given; wanted a name, {N=}, or none"},
        {"atlas().rope.relative = 1", "error: t:1: atlas: its verdicts cannot be set"},
        {"atlas().rope = 1", "error: t:1: atlas: its verdicts cannot be set"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

/* What writes verdicts down is for the laws while they are read, and for nobody else. */
/* What a cell that holds was judged by stands in its statement: relations of formulas, or a table, and no law's words. */
static void cells_that_hold_state_what_was_judged(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@cells_that_hold_state_what_was_judged", ""},
                                     {"atlas().rope.norm_keeping.statement:find('position', 1, true)", "nil"},
                                     {NULL, NULL}};
    lab_run_in(L, cases);
}

/* What the laws say is data: each phrase has both languages with the same gaps and is said somewhere, each that is said is there; positions,
 * scores and conditions can be read without reading a sentence. */
static void what_a_law_says_is_data(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"phrases = require 'phasor.atlas.phrases'", ""},
        {"@phrases_are_whole", "true\t{}"},
        {"function names(v) local out = {} for i, p in ipairs(v.point) do out[i] = p.name .. '=' .. p.value end "
         "return table.concat(out, ' ') end",
         ""},
        {"names(A.shaw.injective):match('^s=4 s2=5 score=') ~= nil", "true"},
        {"names(A.rope.even):match('^m=14 n=3 score=%-2.09%d* m2=14 n2=25 score2=%-1.09%d*$') ~= nil",
         "true"},
        {"names(A.learned.extrapolates)", "m=32 last=31"},
        {"names(A.cope.even) == names(A.cope.relative), A.cope.relative.point.left", "true\tnil"},
        {"tostring(A.fire.bounded.requires[1]), #A.fire.bounded.requires", "le(n, m)\t1"},
        {"tostring(A.tener.injective.requires[2]), #A.rope.relative.requires", "le(m - n, 511)\t0"},
        {"A.cope.extrapolates:text 'zh'", "已证明，从 511 起，各个 p 的打分都与 p = 511 相同，无论键是什么"},
        {"A.alibi.norm_keeping:text 'zh'",
         "未定：无定义：它只改打分，没有向量可谈长度，也没有向量随步子移动"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

/* Two English words in a row are a phrase that nobody has put into Chinese. */
static void in_chinese_on_pages(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"said, wrong, lines, names = require 'phasor.atlas.chinese', {}, 0, {}", ""},
        {"@in_chinese_on_pages", ""},
        {"wrong, lines > 200", "{}\ttrue"},
        {"A.alibi.bounded:text 'zh'", "已反驳，反例：在距离 10^9 处为 -2.5000000e+8，而且还在增大"},
        {"A.rope.relative:text 'zh'", "已证明，对一切 m、n 与步长 c，任意 q、k"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

static void verdicts_are_not_for_everyone(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"atlas().rope.relative.strength", "proved"},
        {"(pcall(require, 'phasor.verdicts'))", "false"},
        {"(pcall(require, 'phasor.atlas.say'))", "false"},
        {"(pcall(require, 'phasor.formulas'))", "false"},
        {"(pcall(require, 'phasor.lib.matrix'))", "true"}, /* so require itself works here */
        {NULL, NULL}};
    lab_run_in(L, cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_cell_has_a_verdict),
                                       cmocka_unit_test(what_theory_says),
                                       cmocka_unit_test(a_wrong_encoding_is_noticed),
                                       cmocka_unit_test(other_arguments),
                                       cmocka_unit_test(printed),
                                       cmocka_unit_test(json_is_json),
                                       cmocka_unit_test(wrong_arguments),
                                       cmocka_unit_test(cells_that_hold_state_what_was_judged),
                                       cmocka_unit_test(what_a_law_says_is_data),
                                       cmocka_unit_test(in_chinese_on_pages),
                                       cmocka_unit_test(verdicts_are_not_for_everyone)};
    return cmocka_run_group_tests(tests, open_atlas, close_atlas);
}
