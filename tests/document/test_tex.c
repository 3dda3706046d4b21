/* Formulas and prose for a terminal: how TeX is read, once, and how a line, two dimensions and paragraphs are written from that.
 * Sources: document/display.lua document/markdown.lua document/prose.lua document/reader.lua document/tex.lua document/width.lua */
#include "lua/lab.h"

static lua_State *L;

static int open_writers(void **state) {
    (void)state;
    L = lab_open();
    const char *said =
        lab_eval(L, "dofile 'tests/document/reader.lua'\n"
                    "tex, prose = require 'phasor.document.tex', require 'phasor.document.prose'");
    if (*said) print_error("%s\n", said);
    bool fine = !*said;
    lua_settop(L, 0);
    return !fine;
}

static int close_writers(void **state) {
    (void)state;
    lua_close(L);
    return 0;
}

static void tex_is_read_into_a_tree(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"tree [[x_i^2 + 12.5]]", "[scripts(x _[i] ^[2]) + 12.5]\tnil"},
        {"tree [[x^12 y'']]", "[scripts(x ^[1]) 2 scripts(y ' ')]\tnil"}, /* one digit, as TeX has it */
        {"tree [[{}_i^\\top]]", "[scripts(group([]) _[i] ^[letter:top])]\tnil"},
        {"tree [[\\frac12\\dfrac{a}{b c}]]", "[fraction([1] [2]) fraction([a] [b c])]\tnil"},
        {"tree [[\\left\\{x\\right. \\left|y\\right\\rvert]]", "[fenced({ [x] ) fenced(| [y] |)]\tnil"},
        {"tree [[\\begin{array}{cc}a & b\\\\ c\\\\ \\end{array}]]", "[array([a] & [b] ; [c])]\tnil"},
        {"tree [[\\text{if it\\ is} \\mathrm{PE}\\hat x\\mathbb R]]",
         "[words(text if it is) words(mathrm PE) accent(hat[x]) letters(mathbb R)]\tnil"},
        {"tree [[a & b \\\\ \\label{e} \\quad \\big(]]",
         "[a column() b line() label( e) space(quad) dropped(big) (]\tnil"},
        /* what cannot be read is told, the first of it, and the rest is read */
        {"tree [[a \\foo b }]]", "[a unknown(foo) b]\t\\foo"},
        {"tree '{a', tree '_'", "[group([a])]\t[scripts(none _[])]\tnil"},
        {"select(2, tree '{a')", "{"},
        {"select(2, tree [[\\left( a]]), select(2, tree [[a \\right)]])",
         "\\left without its \\right\t\\right"},
        {"select(2, tree [[\\begin{pmatrix} a]]), select(2, tree [[a\\end{x} b]])",
         "\\begin{pmatrix} without its \\end\t\\end"},
        {"tree '\\xff\\\\'", "[\xff \\]\tnil"}, /* a byte of no character, a backslash at the end */
        {NULL, NULL}};
    lab_run_in(L, cases);
}

static void mathematics_is_readable_in_a_terminal(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"tex.unicode [[\\theta_i = 10000^{-2i/d}]]", "θᵢ = 10000^(−2i/d)"},
        {"tex.unicode [[\\sum_{i=0}^{d/2-1}\\cos(\\theta_i k)]]", "∑ᵢ₌₀^(d/2−1) cos(θᵢk)"},
        {"tex.unicode [[\\mathrm{PE}_{t+k} = M_k\\,\\mathrm{PE}_t]]", "PEₜ₊ₖ = Mₖ PEₜ"},
        {"tex.unicode [[M_k^\\top M_k = I]]", "MₖᵀMₖ = I"},
        {"tex.unicode [[\\langle p_m, p_n\\rangle]]", "⟨pₘ, pₙ⟩"},
        {"tex.unicode [[\\sin a\\cos b \\pm \\cos(-x)]]", "sin a cos b ± cos(−x)"},
        {"tex.unicode [[\\begin{pmatrix}a & -b\\\\ b & a\\end{pmatrix}]]", "[a, −b; b, a]"},
        {"tex.unicode [[\\frac{t}{10000^{2i/d}} - \\frac{a+b}{2}]]", "t/10000^(2i/d) − (a + b)/2"},
        /* a fraction beside a factor is one factor of a product, or what a function is of */
        {"tex.unicode [[\\frac{2}{d}S_d = p^\\top\\frac{\\partial f}{\\partial x}\\,q]]",
         "(2/d)S_d = pᵀ((∂f)/(∂x)) q"},
        {"tex.unicode [[-2\\sin\\frac{a+b}{2}\\sin^2\\frac{a-b}{2} + \\frac{1}{128}\\sum_i x_i]]",
         "−2 sin((a + b)/2) sin²((a − b)/2) + (1/128)∑ᵢxᵢ"},
        {"tex.unicode [[\\frac{d}{2}|E|_2 + |x|\\frac{1}{2} + |\\frac{a}{b}| + \\sum_i\\frac{1}{i}, 3\\frac{1}{2}, \\frac{a}{b}^2]]",
         "(d/2)|E|₂ + |x|(1/2) + |a/b| + ∑ᵢ1/i, 3(1/2), (a/b)²"},
        {"tex.unicode [[\\frac{1}{2}\\left(x\\right)\\cdot\\frac{1}{3} \\quad \\frac{a}{b} \\qquad (x > E), \\{\\frac{a}{b}\\}]]",
         "(1/2)(x)·1/3 a/b (x > E), {a/b}"},
        {"tex.unicode [[t - k, -k, \\{-1\\}, x^{2}-\\theta-1]]", "t − k, −k, {−1}, x² − θ − 1"},
        {"tex.unicode [[\\sin^2 x, \\sqrt{2}u, \\sqrt{a+b}]]", "sin²x, √2u, √(a + b)"},
        {"tex.unicode [[\\ln n/\\ln L, 1/\\cos(x), e^{\\ln L}, x_{\\max}]]",
         "ln n/ln L, 1/cos(x), e^(ln L), xₘₐₓ"},
        {"tex.unicode [[\\lceil\\log_2T\\rceil + \\max_j g_j]]", "⌈log₂ T⌉ + maxⱼ gⱼ"},
        {"tex.unicode [[\\sqrt{3d}, \\sqrt{d}, \\sqrt{12}, \\sqrt{mn}, \\frac{m}{2d}, \\frac{2d}{128}]]",
         "√(3d), √d, √12, √(mn), m/(2d), 2d/128"},
        {"tex.unicode [[q \\in \\mathbb{R}^d, \\|x\\|_2\\le 1]]", "q ∈ ℝᵈ, ‖x‖₂ ≤ 1"},
        {"tex.unicode [[\\left\\%x\\right)]]", "%x)"},
        {"tex.unknown [[\\theta + \\nosuch]]", "\\nosuch"},
        {"tex.unknown [[a_\\θ + 1]]", "\\θ"}, /* a backslash before a character of several bytes */
        {"require('phasor.document.mathml').inline [[a_\\θ]]", "nil\t\\θ"},
        {"tex.unknown [[{a}}]], tex.unknown [[{a]], tex.unknown [[{a}]]", "}\t{\tnil"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

/* Formulas on lines of their own, in two dimensions; no line is wider than asked. */
static void displayed_mathematics_has_height(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"d = require 'phasor.document.display'", ""},
        {"d.render([[e = \\frac{a+b}{\\sqrt{d}}, \\quad x]], 80)",
         "         a + b\n    e = ───────,   x\n          √d"},
        {"d.render([[\\begin{pmatrix}a & -b \\\\ b & a\\end{pmatrix}^\\top x]], 80)",
         "    ⎛a  −b⎞ᵀ x\n    ⎝b  a ⎠"},
        {"d.render([[f = \\begin{cases}1 & x > 0 \\\\ 0 & x = 0 \\\\ -1 & x < 0\\end{cases}]], 80)",
         "        ⎧1   x > 0\n    f = ⎨0   x = 0\n        ⎩−1  x < 0"},
        {"d.render([[s = \\sum_{i=0}^{n-1}x_i - \\frac{1}{2}]], 80)",
         "        n−1       1\n    s =  ∑  xᵢ − ───\n        i=0       2"},
        {"d.render([[\\left(\\frac{a}{b}\\right)^2]], 80)", "    ⎛ a ⎞²\n    ⎜───⎟\n    ⎝ b ⎠"},
        {"d.render([[\\left\\lfloor\\frac{a}{b}\\right\\rfloor + \\left.x\\right|_0]], 80)",
         "    ⎢ a ⎥\n    ⎢───⎥ + x|₀\n    ⎣ b ⎦"},
        {"d.render([[\\frac{\\sum_{k=1}^n a_k}{b}]], 80)", "     ∑ₖ₌₁ⁿaₖ\n    ─────────\n        b"},
        {"d.render([[a = b + c]], 80)", "    a = b + c"},
        {"d.render([[alpha = beta + gamma(x + y + z) + delta]], 30)",
         "    alpha = beta\n        + gamma(x + y + z)\n        + delta"},
        {NULL, NULL}};
    lab_run_in(L, cases);
    const char *narrow = lab_eval(
        L, "wide = 'x' .. (' + x'):rep(60) .. ' = ' .. ('y + '):rep(60) .. 'y'\n"
           "for line in d.render(wide, 60):gmatch '[^\\n]+' do assert(prose.width(line) <= 60, line) end\n"
           "for _, s in ipairs {'\\\\frac{a', '\\\\begin{pmatrix} a', '\\\\left( a', '\\\\sum_', "
           "'^', '{', '', '\\\\begin{zzz}a\\\\end{zzz}'} do assert(type(d.render(s, 80)) == 'string') end");
    assert_string_equal(narrow, "");
    lua_settop(L, 0);
}

static void prose_is_filled_by_the_habits_of_its_script(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"prose.render('# T $x_1$\\na *b*\\n`c`', 40)", "T x₁\n════\n\na b c"},
        {"prose.render('one two three four', 9)", "one two\nthree\nfour"},
        {"prose.render('\\27[2J\\0012\\2 `a` $\\1x\\2$ \\u{9b}m', 40)", "?[2J?2? a ?x? ?m"},
        {"prose.render('- one two\\n- three\\n\\n1. four', 7)", "• one\n  two\n• three\n1. four"},
        {"prose.render('a\\n\\n```\\n  x  = $1$\\n```\\nb', 9)", "a\n\n      x  = $1$\n\nb"},
        {"prose.render('位置编码的内积，只看距离。', 14)", "位置编码的内\n积，只看距离。"},
        {"prose.render('位置\\n编码', 40)", "位置编码"},
        {"prose.render('位置\\nPE 编码', 40)", "位置 PE 编码"},
        {"prose.render('位置，\\n$m$。\\nPE', 40)", "位置，m。PE"},
        {"prose.width('位a\\u{301}')", "3"},
        /* stars are seen where there are colours, a line at a time, and take no room; without colours nothing is left of them */
        {"prose.render('see *one two* and **b**: 这是*强调*的词，*a*', 9, true):gsub('\\27%[', '<')",
         "see <3mone<0m\n<3mtwo<0m and\n<1mb<0m: 这是<3m强<0m\n<3m调<0m的词，<3ma<0m\t12"},
        {"prose.render('see *one two* and **b**: 这是*强调*的词，*a*', 9)",
         "see one\ntwo and\nb: 这是强\n调的词，a"},
        {"prose.render('a\\n\\n> **T $x_1$**\\n> one two three\\n>\\n> four\\nb', 11)",
         "a\n\n  ┃ T x₁\n  ┃ one two\n  ┃ three\n  ┃\n  ┃ four\n\nb"},
        {NULL, NULL}};
    lab_run_in(L, cases);
}

/* Four times the text makes no more than five times the strings and tables, whatever stands inside what: 40000 bytes would make gigabytes, if each
 * level were written anew into all levels around it. Sums are no deeper, and as long. */
static void what_is_nested_costs_its_length(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function made(text) collectgarbage() collectgarbage 'stop' local before = collectgarbage 'count' prose.render(text, 60) "
         "local kB = collectgarbage 'count' - before collectgarbage 'restart' return kB end\n"
         "function nests(open, close, marks) return (marks or '') .. open:rep(2500) .. 'x' .. close:rep(2500) .. (marks or '') end\n"
         "function grows(open, close, marks) return made(nests(open:rep(4), close:rep(4), marks)) <= 5 * made(nests(open, close, marks)) end",
         ""},
        {"grows('> ', ''), grows('{', '}', '$'), grows('{', '}', '$$')", "true\ttrue\ttrue"},
        {"grows('x_{', '}', '$'), grows('x_{', '}', '$$'), grows('x^', '', '$')", "true\ttrue\ttrue"},
        {"grows('\\\\frac a{', '}', '$'), grows('\\\\sqrt', '', '$$'), grows('\\\\left(', '\\\\right)', '$')",
         "true\ttrue\ttrue"},
        {"grows('a + ', '', '$'), grows('**a *b', '')", "true\ttrue"},
        {"tex.unicode(('{'):rep(64) .. 'x' .. ('}'):rep(64)), tex.unicode(('{'):rep(65) .. 'x' .. ('}'):rep(65) .. 'y')",
         "x\t…"},
        {"tex.unknown(('{'):rep(64) .. ('}'):rep(64)), tex.unknown(('{'):rep(65) .. ('}'):rep(65))",
         "nil\tmore than 64 groups in each other"},
        {"prose.render('> a\\n> > b', 40)", "  ┃ a > b"}, /* an aside holds no other */
        {NULL, NULL}};
    lab_run_in(L, cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_nested_costs_its_length),
                                       cmocka_unit_test(tex_is_read_into_a_tree),
                                       cmocka_unit_test(mathematics_is_readable_in_a_terminal),
                                       cmocka_unit_test(displayed_mathematics_has_height),
                                       cmocka_unit_test(prose_is_filled_by_the_habits_of_its_script)};
    return cmocka_run_group_tests(tests, open_writers, close_writers);
}
