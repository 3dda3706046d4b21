/* What every kind of value offers a notebook or a page beside its text: which forms, each well formed, saying what the value is.
 * Sources: lib/about.lua lib/mime.lua lib/verdict_forms.lua */
#include "lua/lab.h"

/* Which forms there are, in the order of the alphabet; a form that is not well formed says so in its place. */
static void kinds_have_their_forms(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@prelude", ""},
        {"offered(array{1, 2, 3})", "text/html text/latex"},
        {"offered(ones(20, 30))", "text/html text/latex"},
        {"offered(array({{1, 2}, {3, 4}}, {dtype = \"f32\"}))", "text/html text/latex"},
        {"offered(array{true, false})", "text/html"},
        {"offered(array{{1, 2*I}})", "text/html"},
        {"offered(ones(2, 2, 2))", ""},
        {"offered(zeros(0, 2))", ""},
        {"offered(x^2/y)", "text/latex"},
        {"offered(lt(x, y))", "text/latex"},
        {"offered(matrix{{x, 1}, {0, y}})", "text/latex"},
        {"offered(proved)", "text/html text/latex"},
        {"offered(refuted)", "text/html text/latex"},
        {"offered(certified)", "text/html text/latex"},
        {"offered(measured)", "text/html text/latex"},
        {"offered(unknown)", "text/html text/latex"},
        {"offered{proved, refuted, named = measured}", "text/html text/latex"},
        {"offered{proved, {refuted, 3}}", "text/html text/latex"},
        {"offered(mutants(proved))", "text/html text/latex"},
        {"offered{1, 2}", ""},
        {"offered{}", ""},
        {"offered(report)", "text/html text/markdown"},
        {"offered(atlas(\"nope\"))", "text/html"},
        {"offered(plot({1, 2, 3}))", "image/svg+xml text/html"},
        {"offered(moved)", "image/svg+xml text/html"},
        {0}};
    lab_run(cases);
}

static void forms_say_what_the_value_is(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@prelude", ""},
        {"form(array{{1, 2.5}, {-inf, nan}}, \"text/latex\")",
         "$\\begin{bmatrix} 1 & 2.5 \\\\ -\\infty & \\mathrm{NaN} \\end{bmatrix}$"},
        {"form(array{{1, 2.5}, {-inf, nan}}, \"text/html\")",
         "<table><caption>f64 (2, 2)</caption><tr><td>1</td><td>2.5</td></tr><tr><td>-inf</td><td>nan</td></tr></table>"},
        {"form(array{1e-30, 1e30}, \"text/latex\")",
         "$\\begin{bmatrix} 1\\times10^{-30} & 1\\times10^{30} \\end{bmatrix}$"},
        {"#form(ones(20, 30), \"text/html\"):gsub(\"<td>1</td>\", \"\") < 1000, select(2, form(ones(20, 30), "
         "\"text/html\"):gsub(\"<td>1</td>\", \"\"))",
         "true\t144"},
        {"form(x^2/y, \"text/latex\") == \"$\\\\displaystyle \" .. (x^2/y):latex() .. \"$\"", "true"},
        {"has(proved, \"text/html\", \"proved\"), has(proved, \"text/latex\", \"proved\")", "true\ttrue"},
        {"has(refuted, \"text/html\", \"refuted\"), has(refuted, \"text/latex\", \"refuted\")", "true\ttrue"},
        {"has(certified, \"text/html\", \"certified\"), has(certified, \"text/latex\", \"certified\")",
         "true\ttrue"},
        {"has(measured, \"text/html\", \"measured\"), has(measured, \"text/latex\", \"measured\")",
         "true\ttrue"},
        {"has(unknown, \"text/html\", \"unknown\"), has(unknown, \"text/latex\", \"unknown\")", "true\ttrue"},
        {"has(measure{claim = \"fish & chips\", value = 0, bound = 0, why = \"exact\"}, \"text/html\", \"fish &amp; chips<\")",
         "true"},
        {"form(report, \"text/html\")",
         "<table><tr><th>name</th><th>a &lt; b</th></tr><tr><td><code>x</code></td><td>1</td></tr></table>"},
        {0}};
    lab_run(cases);
}

/* The judge of forms sees what is wrong with one. */
static void bad_forms_are_told(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@prelude", ""},
                                     {"judge[\"text/html\"](\"<b>1 < 2</b>\")", "a loose <"},
                                     {"judge[\"text/html\"](\"<b><i>1</b></i>\")", "</b> closes <i>"},
                                     {"judge[\"text/html\"](\"<b>1\")", "<b> is left open"},
                                     {"judge[\"text/html\"](\"a & b\")", "a loose &"},
                                     {"judge[\"text/latex\"](\"$\\\\frac{1}{2$\")", "braces"},
                                     {"judge[\"text/latex\"](\"x\")", "no $"},
                                     {"judge[\"image/svg+xml\"](\"<b>1</b>\")", "no <svg"},
                                     {0}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_their_forms),
        cmocka_unit_test(forms_say_what_the_value_is),
        cmocka_unit_test(bad_forms_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
