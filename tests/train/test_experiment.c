/* Statistics against tables and hand counts; experiments as data: their plan, their results as text, and what is refused of them.
 * Sources: train/experiment.lua train/statistics.lua */
#include "lua/lab.h"

static void statistics_are_those_of_the_tables(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"S = require 'phasor.train.statistics'\n"
         /* Student's t from printed tables, to their last digit; and in closed form: 1 degree is Cauchy, 2 is x/sqrt(2 + x^2) */
         "return abs(S.t_quantile(0.95, 9) - 2.262) < 5e-4, abs(S.t_quantile(0.99, 4) - 4.604) < 5e-4, abs(S.t_quantile(0.999, 9) - 4.781) < 5e-4, "
         "abs(S.t_quantile(0.95, 1) - 12.706) < 5e-4, abs(S.t_quantile(0.95, 1000) - 1.962) < 5e-4",
         "true\ttrue\ttrue\ttrue\ttrue"},
        {"@statistics_are_those_of_the_tables", "true"},
        {"m, half = S.t_interval({1, 2, 3}, 0.95)\nreturn m, abs(half - 4.30265273 / math.sqrt(3)) < 1e-7",
         "2.0\ttrue"},
        {"S.family(0.99, 5)", "0.998"},
        /* of the 8 sign changes of {1, 2, 3} only two sums are as far as 6; of {1, 1, -1}: |sum| >= 1 for all */
        {"S.sign_flips{1, 2, 3}, S.sign_flips{1, 1, -1}, S.sign_flips{0, 0}", "0.25\t1.0\t1.0"},
        {"S.decide({5, 6, 7}, 1, 0.95).side, S.decide({5, 6, 7}, 20, 0.95).side, S.decide({5, 6, 7}, 6.5, 0.95).side",
         "above\tbelow\taround"},
        /* a 95 % interval holds the mean in 95 % of samples: 1900 of 2000, give or take 5 standard deviations of 9.7 */
        {"g, n = rng(1), 0\nfor _ = 1, 2000 do local m, h = S.t_interval(randn(g, 4), 0.95) if abs(m) <= h then n = n + 1 end end\nreturn abs(n - 1900) < 49",
         "true"},
        {"pcall(S.t_interval, {1}, 0.95)", "false\tt:1: t_interval: x is a table; wanted 2 numbers or more"},
        {"pcall(S.t_interval, {1, nan}, 0.95)",
         "false\tt:1: t_interval: x[2] is nan; wanted a finite number"},
        {"pcall(S.t_interval, {1, 2}, 95)",
         "false\tt:1: t_interval: level is 95; wanted a share between 0 and 1"},
        {NULL, NULL}};
    lab_run(cases);
}

static void an_experiment_is_data(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@small", ""},
        {"p = E.plan(e)\nreturn #p, p[1].code, p[1].seed, p[2].seed, p[4].code, p[6].seed",
         "6\tx\t1\t2\ty\t3"},
        {"@an_experiment_is_data_1", "# code: abc\n# data: none\ncode,seed,loss,other\nx,1,0.3333333"},
        /* what is read back is what was written, to the last bit; with a run missing too */
        {"@an_experiment_is_data_2", "true\tabc\t0"},
        {"rows[4] = nil\nreturn E.missing(e, E.parse(e, E.text(e, rows, {})))", "1"},
        {"R = E.results(e, back)\nreturn table.concat(R:values('other', {code = 'y'}), ' '), #R:values 'loss', R:values('loss', {seed = 3, code = 'x'})[1]",
         "-1.0 -1.0 -1.0\t6\t1.0"},
        {"table.concat(R:difference('other', {code = 'x'}, 'other', {code = 'y'}), ' ')", "2.0 2.0 2.0"},
        {"pcall(R.values, R, 'los')", "false\tt:1: small: no number is called los"},
        {"pcall(R.values, R, 'loss', {cod = 1})", "false\tt:1: small: no factor is called cod"},
        {"pcall(R.values, R, 'loss', {code = 'z'})", "false\tt:1: small: no run is like that"},
        /* of what is missing nothing is said; of the rest it is */
        {"R = E.results(e, rows)\nreturn R:complete{code = 'x'}, R:complete{code = 'y'}, #R:values('loss', {code = 'x'}), pcall(R.values, R, 'loss', {code = 'y'})",
         "true\tfalse\t3\tfalse\tt:2: small: run 4 is missing"},
        /* two sets of results agree when the rule ends on the same sides, whatever the numbers are */
        {"@an_experiment_is_data_3",
         "nil\tfinding 1 lies above 0.2, and below it\tfinding 1 lies around 0.2, and above it"},
        /* damaged and foreign results */
        {"E.parse(e, 'code,seed,loss\\n')",
         "nil\tline 1: the columns are the string \"code,seed,loss\"; wanted code,seed,loss,other"},
        {"E.parse(e, 'nothing')",
         "nil\tline 1: the columns are the string \"nothing\"; wanted code,seed,loss,other"},
        {"E.parse(e, '')", "nil\tno line names the columns; wanted code,seed,loss,other"},
        {"E.parse(e, 'code,seed,loss,other\\nz,1,2,3\\n')",
         "nil\tline 2: code,seed is the string \"z,1\"; wanted a run of the experiment"},
        {"E.parse(e, 'code,seed,loss,other\\nx,1,2,3\\nx,1,2,3\\n')",
         "nil\tline 3: code,seed is the string \"x,1\" for the second time; wanted each run once"},
        {"E.parse(e, 'code,seed,loss,other\\nx,1,2\\n')",
         "nil\tline 2: 3 columns; wanted 4: code,seed,loss,other"},
        {"E.parse(e, 'code,seed,loss,other\\nx,1,2,3,4\\n')",
         "nil\tline 2: 5 columns; wanted 4: code,seed,loss,other"},
        {"E.parse(e, 'code,seed,loss,other\\nx,1,-nan,1\\n')",
         "nil\tline 2: loss is the string \"-nan\"; wanted a finite number"},
        {"E.parse(e, 'code,seed,loss,other\\nx,1,2,1e999\\n')",
         "nil\tline 2: other is the string \"1e999\"; wanted a finite number"},
        {"E.parse(e, t:sub(1, #t // 2))", "nil\tline 5: 3 columns; wanted 4: code,seed,loss,other"},
        {NULL, NULL}};
    lab_run(cases);
}

static void bad_experiments_are_refused(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"@small", ""},
        {"pcall(E.read, 'small', 3)", "false\tt:1: small: the file returns 3; wanted a table, an experiment"},
        {"pcall(E.read, 'small', given{rule = ' '})",
         "false\tt:1: small: rule is empty; wanted the decision in words, written before the runs"},
        {"pcall(E.read, 'small', given{run = 3})", "false\tt:1: small: run is 3; wanted a function"},
        {"pcall(E.read, 'small', given{factors = {{'code', {}}}})",
         "false\tt:1: small: factor 1 is a table; wanted {name, {value, ...}}"},
        {"pcall(E.read, 'small', given{factors = {{'code', {'a,b'}}}})",
         "false\tt:1: small: code has the value the string \"a,b\"; wanted numbers, or words without commas"},
        {"pcall(E.run, E.read('small', given{run = function() return {loss = 1} end}), 2)",
         "false\tt:1: small: run 2 gives nil for other; wanted a finite number"},
        /* what could not be read again is not written down */
        {"pcall(E.run, E.read('small', given{run = function() return {loss = 0/0, other = 1} end}), 1)",
         "false\tt:1: small: run 1 gives nan for loss; wanted a finite number"},
        {"pcall(E.run, E.read('small', given{run = function() return {loss = 1, other = -inf} end}), 3)",
         "false\tt:1: small: run 3 gives -inf for other; wanted a finite number"},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_those_of_the_tables),
        cmocka_unit_test(an_experiment_is_data),
        cmocka_unit_test(bad_experiments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
