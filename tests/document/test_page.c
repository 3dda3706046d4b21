/* What stands on a page: formulas as MathML, statements of verdicts as formulas, Markdown and Lua as HTML.
 * Sources: document/formula.lua document/frame.lua document/highlight.lua document/html.lua document/markdown.lua document/mathfont.lua
 * Sources: document/mathml.lua document/typed.lua */
#include "course/school.h"

static const char prelude[] =
    "mathml, formula = require 'phasor.document.mathml', require 'phasor.document.formula'\n"
    "typed = require 'phasor.document.typed'\n"
    "html, highlight, frame = require 'phasor.document.html', require 'phasor.document.highlight', require 'phasor.document.frame'\n";

static int open_with_prelude(void **state) { return open_school_with(state, prelude); }

static void formulas_become_mathml(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"mathml.inline [[x_i]]", "<math><mrow><msub><mi>x</mi><mi>i</mi></msub></mrow></math>"},
        {"mathml.inline [[\\frac d2]]", "<math><mrow><mfrac><mi>d</mi><mn>2</mn></mfrac></mrow></math>"},
        {"mathml.inline [[\\sum_{i}^{n}]]",
         "<math><mrow><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover></mrow></math>"},
        {"mathml.inline [[x'^2]]",
         "<math><mrow><msup><mi>x</mi><mrow><mo>′</mo><mn>2</mn></mrow></msup></mrow></math>"},
        {"mathml.inline [[a<b\\ \\text{x\\_1 & y}]]",
         "…<mo>&lt;</mo><mi>b</mi><mspace width=\"0.25em\"/><mtext>x_1\u00a0&amp;\u00a0y</mtext>"},
        {"mathml.inline [[\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}]]",
         "…<mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr>"},
        {"mathml.display('x')", "<math display=\"block\"><mrow><mi>x</mi></mrow></math>"},
        {"mathml.inline [[\\mathcal{H}\\mathcal{A}]]", "<math><mrow><mi>ℋ</mi><mi>𝒜</mi></mrow></math>"},
        {"mathml.inline [[\\sqrt{σ^2+ε}]]",
         "…<msqrt><mrow><msup><mi>σ</mi><mn>2</mn></msup><mo>+</mo><mi>ε</mi></mrow></msqrt>"},
        {"mathml.inline [[\\overline{x}\\overline{x+y}]]",
         "…<mo>¯</mo></mover><mrow class=\"overline\"><mrow><mi>x</mi><mo>+</mo>"},
        {"mathml.inline [[\\foo]]", "nil\t\\foo"},
        {"mathml.inline [[{a]]", "nil\t{"},
        {"mathml.inline [[a}]]", "nil\t}"},
        {"mathml.inline [[\\begin{pmatrix} a]]", "…nil\t\\begin{pmatrix} without"},
        {"mathml.inline [[\\text x]]", "nil\ta group in braces is wanted"},
        {"@formulas_become_mathml", "all"},
        {NULL, NULL}};
    run_cases(cases);
}

/* As in TeX: only what stands behind \left and \right grows. */
static void fences_keep_their_size(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"select(2, (mathml.inline [[f(x)[i]\\{a\\}\\langle q\\rangle\\lfloor b\\rfloor]]):gsub('stretchy=\"false\"', ''))",
         "10"},
        {"mathml.inline [[a/b]]", "…<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">/</mo>"},
        {"mathml.inline [[|x|]]", "…<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">|</mo><mi>x</mi>"},
        {"mathml.inline [[\\left(\\frac ab\\right)^2]]",
         "…<msup><mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow><mn>2</mn></msup>"},
        {"mathml.inline [[\\left. x\\right|_0]]", "…<mrow><mi>x</mi><mo>|</mo></mrow>"},
        {"mathml.inline [[\\left( x]]", "…nil\t\\left without"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A sign before an operand is told to be one: in a row of its own a browser would put a space on either side of it. */
static void signs_before_an_operand_are_told(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"function told(tex) return select(2, mathml.inline(tex):gsub('<mo form=\"prefix\">', '')) end", ""},
        {"mathml.inline [[(-1, 1)]]",
         "…<mo stretchy=\"false\">(</mo><mo form=\"prefix\">−</mo><mn>1</mn><mo>,</mo><mn>1</mn>"},
        {"mathml.inline [[a-b]]", "<math><mrow><mi>a</mi><mo>−</mo><mi>b</mi></mrow></math>"},
        {"(told [[(a-1)-b+c_i-d^2-\\frac ab-2]])", "0"},
        {"(told [[f(x)-1=x_1-1]])", "0"},
        {"(told [[x=-1]])", "1"},
        {"(told [[x\\le -1, -2]])", "2"},
        {"(told [[(-1;\\ +1)]])", "2"},
        {"(told [[|-x|-1+|-y|]])", "2"},
        {"(told [[\\sum_i -x_i]])", "1"},
        {"(told [[a\\quad -b]])", "1"},
        {"(told [[x=\\pm 1]])", "1"},
        {"(told [[x\\pm 1]])", "0"},
        {"(told [[-x]])", "1"},
        {"(told [[\\left(-1, x\\right)]])", "1"},
        {"(told [[a\\ -b]])", "0"},
        {NULL, NULL}};
    run_cases(cases);
}

/* A formula within a line is parted behind relations and signs, never inside of brackets, and nothing of it is lost. */
static void long_formulas_may_break(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"long = [[a_1+b_2+c_3=f(x+y,z)+(u+v+w)-d_4]]", ""},
        {"select(2, mathml.inline(long):gsub('<math>', ''))", "6"},
        {"(mathml.inline(long):gsub('%b<>', ''))", "a1+b2+c3=f(x+y,z)+(u+v+w)−d4"},
        {"mathml.inline [[x=1]]", "<math><mrow><mi>x</mi><mo>=</mo><mn>1</mn></mrow></math>"},
        {"select(2, mathml.inline [[a=-b=-c=-d=-e]]:gsub('<mo>−</mo></mrow></math><wbr>', ''))", "0"},
        /* on a line of its own as well; long brackets are opened for it, unless they must grow */
        {"select(2, mathml.display(long):gsub('<math displaystyle=\"true\">', ''))", "6"},
        {"function nested(inner) return '\\\\left(' .. ('a+'):rep(20) .. inner .. '\\\\right)=1' end", ""},
        {"select(2, mathml.display(nested 'b'):gsub('<wbr>', ''))", "2"},
        {"mathml.display(nested '\\\\frac{1}{b}'):find('<wbr>')", "nil"},
        {"html.inline [[For $x$, and ($y$).]]",
         "…<span class=\"nb\"><math><mrow><mi>x</mi></mrow></math>,</span><wbr> and"},
        {NULL, NULL}};
    run_cases(cases);
}

static void statements_become_formulas(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"formula.tex 'sin(a)^2 + cos(a)^2 = 1'", "\\sin^{2}{a}+\\cos^{2}{a}=1"},
        {"formula.tex 'a - (b + c) <= x[i]/2'", "a-(b+c)\\le \\frac{x_{i}}{2}"},
        {"formula.tex 'a - (b - c) = a*(-2)'", "a-(b-c)=a (-2)"},
        {"formula.tex 'a + (-b)*c = a - (-b)*c'", "a+(-b c)=a-(-b c)"},
        {"formula.tex 'a*((-b)*c) = a*(-(b*c))'", "a (-b c)=a (-b c)"},
        {"formula.tex '(a + b)*c/d = 1'", "\\frac{(a+b) c}{d}=1"},
        {"formula.tex '(a^b)^c = a^(b*c)'", "(a^{b})^{c}=a^{b c}"},
        {"formula.tex '-a^2 = (-a)^2'", "-a^{2}=(-a)^{2}"},
        {"formula.tex 'a/(b/c) = (a/b)^2'", "\\frac{a}{\\frac{b}{c}}=\\left(\\frac{a}{b}\\right)^{2}"},
        {"formula.tex '2*3 = 6'", "2\\cdot 3=6"},
        {"formula.tex '10000^((-2)*i/128) > 0'", "10000^{-2 i/128}>0"},
        {"formula.tex 'sum(a[i], i, 1, n)*b = 1'", "\\left(\\sum_{i=1}^{n}a_{i}\\right) b=1"},
        {"formula.tex 'sqrt(x1) ≈ 0.5'", "\\sqrt{x_{1}}\\approx 0.5"},
        {"formula.tex 'the table is right'", "nil"},
        {"formula.tex 'one bucket from 128 on = 2'", "nil"},
        {"formula.tex 'a = b = '", "nil"},
        {"formula.tex 'x'", "nil"},
        {NULL, NULL}};
    run_cases(cases);
}

static void markdown_becomes_html(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"html.render '# A *b* **c** `d<e`'", "<h1>A <em>b</em> <strong>c</strong> <code>d&lt;e</code></h1>"},
        {"html.render 'one\\ntwo\\n\\nthree & four'", "<p>one two</p>\n<p>three &amp; four</p>"},
        {"html.render '- a\\n- b\\n\\n1. c'", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>"},
        {"html.render '> **A < $b$**\\n> one\\n> - two\\n\\nthree'",
         "<details class=\"aside\"><summary>A &lt; <math><mrow><mi>b</mi></mrow></math></summary><p>one</p>\n<ul>\n<li>two</li>\n</ul></details>\n<p>three</p>"},
        {"html.render '> one'", "<aside class=\"aside\"><p>one</p></aside>"},
        {"html.render '    x < y'", "<pre class=\"wide\"><code>x &lt; y</code></pre>"},
        {"html.render '$$x$$'",
         "<div class=\"wide formula\"><math display=\"block\"><mrow><mi>x</mi></mrow></math></div>"},
        {"html.render 'a $x*y*z$ b'",
         "…<mi>x</mi><mo>*</mo><mi>y</mi><mo>*</mo>"}, /* no emphasis in a formula */
        {"html.inline '$\\\\foo<$'", "<code>\\foo&lt;</code>"},
        {"highlight.lua 'local x = f(1, \"a<\") -- b'",
         "<span class=\"k\">local</span> x = <span class=\"f\">f</span>(<span class=\"n\">1</span>, <span "
         "class=\"s\">&quot;a&lt;&quot;</span>) <span class=\"c\">-- b</span>"},
        {"highlight.lua 'θ=2-x'", "θ=<span class=\"n\">2</span>-x"},
        {"highlight.lua '--[[a\\nb]] c'", "<span class=\"c\">--[[a\nb]]</span> c"},
        {"frame.picture('<svg xmlns=\"http://www.w3.org/2000/svg\"><g id=\"a\"/><use href=\"#a\"/></svg>', 3)",
         "<figure class=\"wide\"><svg><g id=\"p3-a\"/><use href=\"#p3-a\"/></svg></figure>"},
        {NULL, NULL}};
    run_cases(cases);
}

/* What people type in a sentence as mathematics is read as such, and words are left alone. */
static void sentences_type_formulas(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"typed.marked 'r_m is the root of r_m^2 = R_0'", "$r_{m}$ is the root of $r_{m}^{2}=R_{0}$"},
        {"typed.marked 'r_m 是 r_m^2 = R_0 的平方根'", "$r_{m}$ 是 $r_{m}^{2}=R_{0}$ 的平方根"},
        {"typed.marked 'the integral of cos(100 t^2), by the law'",
         "the integral of $\\cos(100 t^{2})$, by the law"},
        {"typed.marked \"u (W^Q W^K') = (u W^Q) W^K', at head width 2\"",
         "$u (W^{Q} W^{K'})=(u W^{Q}) W^{K'}$, at head width 2"},
        {"typed.marked \"p_m' H p_n is within d/2 |N|_2 of the diagonal's\"",
         "$p_{m}' H p_{n}$ is within $d/2 |N|_{2}$ of the diagonal's"},
        {"typed.marked '|q||k| and ||p_0 - p_x||^2'", "$|q| |k|$ and $\\|p_{0}-p_{x}\\|^{2}$"},
        {"typed.marked 'entries over (n-1) e^(-cg), e^{±iθ}, 2^-53.'",
         "entries over $(n-1) e^{-cg}$, $e^{\\pm i θ}$, $2^{-53}$."},
        {"typed.marked 'is a u W^Q W^K = 169'", "is a $u W^{Q} W^{K}$ = 169"},
        {"typed.marked 'mean of S^2 over [0, X], d = 64 ≈ 15.993'",
         "mean of $S^{2}$ over [0, $X$], $d=64$ ≈ 15.993"},
        {"typed.marked 'a (2, 2) matrix = {{1, 0}, {0, B12}}'",
         "a (2, 2) matrix = $\\begin{pmatrix}1 & 0 \\\\ 0 & B_{12}\\end{pmatrix}$"},
        {"typed.marked 'a <= 1e-9 and f(x) >= rank(A)'",
         "$a\\le 1\\times10^{-9}$ and $f(x)\\ge \\operatorname{rank}(A)$"},
        {"typed.marked 'transformer_xl, T5 and f32 in a 2 x 2 table: x-axis, k-th, a/b2c'",
         "transformer_xl, T5 and f32 in a 2 x 2 table: x-axis, k-th, a/b2c"},
        {"typed.marked 'x of a kind; what is less than 2/3'", "x of a kind; what is less than 2/3"},
        {"typed.marked('for all real a, b, k', true)", "for all real $a$, $b$, $k$"},
        {"typed.marked('a book of x', true)", "a book of $x$"},
        {"typed.marked '`r_m` and $r_m$ and r_m'", "`r_m` and $r_m$ and $r_{m}$"},
        {"typed.marked 'open (r_m, {x^2 and |y^2'", "open ($r_{m}$, {$x^{2}$ and |$y^{2}$"},
        {"typed.sentence 'sqrt(x) - 1 is increasing'", "$\\sqrt{x}-1$ is increasing"},
        {"typed.sentence 'symmetric under all permutations of 3'", "symmetric under all permutations of 3"},
        {"tostring(typed.sentence 'sum(x_long*y_long, {)')", "nil"},
        {"@sentences_type_formulas", "all"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_type_formulas), cmocka_unit_test(formulas_become_mathml),
        cmocka_unit_test(fences_keep_their_size),  cmocka_unit_test(signs_before_an_operand_are_told),
        cmocka_unit_test(long_formulas_may_break), cmocka_unit_test(statements_become_formulas),
        cmocka_unit_test(markdown_becomes_html),
    };
    return cmocka_run_group_tests(tests, open_with_prelude, close_school);
}
