/* Pictures from Lua: what is drawn from which arguments, wrong arguments, files, PNG and PDF.
 * Sources: lib/plot.lua lib/plot_arguments.lua lib/plot_doors.lua lib/plot_files.lua lib/sample.lua lua/dispatch.c lua/plot.c plot/classes.c
 * Sources: plot/png.c plot/raster.c */
#include "lab.h"

#include <stdlib.h>
#include <unistd.h>

static void pens_and_ticks(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function svg(p) return p:svg() end function count(s, what) return select(2, s:gsub(what, '')) end",
         ""},
        /* bars at integers have ticks at integers alone */
        {"s = svg(bars{1, 4, 9, 16}) return count(s, '>1.5<'), count(s, '>3<'), count(svg(bars({0.5, 1.5}, {1, 9})), '>%d%.%d<') > 2",
         "0\t1\ttrue"},
        /* a band that is thinner than a line is drawn as wide as can be seen under it, a wide one as it is */
        {"count(svg(plot({1, 2}, {1, 2}, {band={{1, 2}, {1.01, 2.01}}})), 'opacity=\"0.28\"[^>]*stroke%-width'), "
         "count(svg(plot({1, 2}, {1, 2}, {band={{1, 1}, {2, 2}}})), 'opacity=\"0.28\"[^>]*stroke%-width')",
         "1\t0"},
        /* a square matrix is square */
        {"w, h = svg(heatmap(zeros(6, 6), {equal=true})):match('<svg x=[^>]* width=\"([%d.]+)\" height=\"([%d.]+)\"') return w == h",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

static void what_arguments_mean(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function svg(p) return p:svg() end function count(s, what) return select(2, s:gsub(what, '')) end",
         ""},
        /* a path for each curve; rows of a matrix are curves */
        {"count(svg(plot{1, 2, 3}), '<path')", "1"},
        {"count(svg(plot({1, 2, 3}, {{1, 2, 3}, {4, 5, 6}})), '<path')", "2"},
        {"count(svg(plot({1, 2}, {array{1, 2}, array{3, 4}, array{5, 6}})), '<path')", "3"},
        {"count(svg(plot({sin, cos}, {0, 1})), '<path')", "2"},
        {"count(svg(plot({1, 2, 3}, {1, 2, 3}, {style='both'})), '<path')", "2"},
        {"plot({1, 2, 3}, {2, 4, 8}):svg() == plot(array{1, 2, 3}, array({2, 4, 8}, {dtype='f32'})):svg()",
         "true"},
        {"plot({true, false}):svg() == plot{1, 0}:svg()", "true"},
        {"x = sym 'x'; return count(svg(plot(x^2, {0, 1}, {certified=true})), '<path')",
         "2"}, /* band and line; the legend's key is a rectangle */
        /* a function is sampled where it bends: |x| has its corner at 0 in the picture */
        {"p = plot(function(t) return math.abs(t - 0.123456) end, {-1, 1}, {ylim={0, 1}}):svg(); "
         "lowest = 0; for y in p:match(' d=\"(M[^\"]*)'):gmatch(' ([%d.]+)') do lowest = math.max(lowest, "
         "tonumber(y)) end; "
         "height = tonumber(p:match('<svg x=[^>]*height=\"([%d.]+)\"')); return height - lowest < 2",
         "true"},
        {"calls = 0; plot(function(t) calls = calls + 1 return 2*t end, {0, 1}); return calls", "129"},
        {"calls = 0; plot(function(t) calls = calls + 1 return sin(50*t) end, {0, 1}); return calls > 300 "
         "and calls < 9000",
         "true"},
        {"rawequal(plot{1, 2}, nil), tostring(plot{1, 2}):find('┤') ~= nil", "false\ttrue"},
        /* a sign in each cell that has a class, also the cell without a number; no ticks of a colour bar, a name for each class */
        {"kinds = {{0, 'n', 'no'}, {1, 'y', 'yes'}, {nan, '–', 'none'}}; s = svg(heatmap({{0, 1, 1}, {nan, 0, 7}}, {classes=kinds})); "
         "return count(s, '>n<'), count(s, '>y<'), count(s, '>–<'), count(s, '>yes<'), count(s, '>0.5<')",
         "3\t3\t2\t1\t0"},
        {"heatmap({{0, 1}, {nan, 0}}, {classes=kinds}):text{columns=30, colours=0}",
         "  1 ┤ n  y\n  2 ┤ –  n\n    └─┬──┬─\n      1  2\n n  no   y  yes   –  none\n"},
        /* names that are wider than their columns stand in two rows by turns, a line from those below to their ticks; what is wider yet is cut */
        {"heatmap({{0, 1, 0, 1}}, {classes=kinds, numbers=true, xnames={'even', 'direction', 'decaying', 'far too long a name'}})"
         ":text{columns=26, colours=0}",
         "  1 ┤  n    y    n    y\n    └──┬────┬────┬────┬──\n     even   │decaying │\n        direction far too…\n n  no   y  yes   –  none\n"},
        {"heatmap({{0, 1}}, {classes=kinds, xnames={'even', 'odd'}}):text{columns=30, colours=0}",
         "  1 ┤  n    y\n    └──┬────┬──\n     even  odd\n n  no   y  yes   –  none\n"},
        /* names that are wider than their columns stand at a slant in SVG, others do not */
        {"count(svg(heatmap({{1, 2}}, {xnames={'a', 'b'}})), 'rotate%(%-40'), count(svg(heatmap(zeros(1, 9), {xnames={'aaaaaaaaaaaaaa', "
         "'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}})), 'rotate%(%-40')",
         "0\t9"},
        /* a curve that is added to a logarithmic picture is sampled by its logarithm: points lie as close at 1 as at 10^6 */
        {"f = function(t) return log(t) end; a, b = plot(f, {1, 1e6}, {log='x'}), plot({1, 1e6}, {0, 1}, {log='x'}):plot(f, {1, 1e6}); "
         "return #svg(b) > 0.8 * #svg(a)",
         "true"},
        {"most = 0 for line in picture():gmatch '[^\\n]+' do most = math.max(most, #line) end return most <= 80 and most > 40",
         "true"},
        /* every picture in both languages: no English label is left in the Chinese one */
        {"@what_arguments_mean", ""},
        {"x = sym 'x'\nreturn plot(sin(x), {0, 1}, {certified = 'for sure'}):text():match 'for sure'",
         "for sure"},
        /* every picture again gives the same text */
        {"heatmap(reshape(sin(range(1, 6000)), 60, 100)):svg() == heatmap(reshape(sin(range(1, 6000)), 60, "
         "100)):svg()",
         "true"},
        {NULL, NULL}};
    lab_run(cases);
}

static const lab_case wrong_arguments_cases[] = {
    {"plot()", "error: t:1: plot: no data given; help(plot) shows how"},
    {"plot(1)", "error: t:1: plot: y is 1; wanted an array of numbers"},
    {"plot(zeros(1)[1], sum(zeros(1)))", "error: t:1: plot: y is 0.0; wanted an array of numbers"},
    {"plot('x')", "error: t:1: plot: y is the string \"x\"; wanted an array of numbers"},
    {"plot({1, 2}, {1, 2, 3})", "error: t:1: plot: x has 2 values, y has 3; wanted as many"},
    {"plot({1, 2}, {{1, 2, 3}, {4, 5, 6}})", "error: t:1: plot: x has 2 values, curve 1 has 3; wanted as "
                                             "many, a curve in each row (y.T turns columns into rows)"},
    {"plot(array{1 + I, 2})",
     "error: t:1: plot: y is complex; wanted real numbers, as of re(z), im(z) or abs(z)"},
    {"plot(zeros(2, 2, 2))", "error: t:1: plot: y has shape (2, 2, 2); wanted 1 or 2 dimensions"},
    {"plot(sin)", "error: t:1: plot: the domain is nil; wanted its ends, as in plot(sin, {0, 10})"},
    {"plot(sin, {1, 0})", "error: t:1: plot: the domain goes from 1 to 0; wanted the lower end first"},
    {"plot(sin, {0, inf})", "error: t:1: plot: the domain's end is inf; wanted a finite number"},
    {"plot(sin, {0, 1}, {log='x'})",
     "error: t:1: plot: the domain begins at 0; wanted a positive number on a logarithmic axis"},
    {"plot(sin, {0, 1}, {log='z'})",
     "error: t:1: plot: log is the string \"z\"; wanted \"x\", \"y\" or \"xy\""},
    {"plot(sin, {0, 1}, {points=1})", "error: t:1: plot: points is 1; wanted an integer from 2 to 1000000"},
    {"plot(function() return 'a' end, {0, 1})",
     "error: t:1: plot: the function gave the string \"a\" at 0; wanted a number"},
    {"plot(sym 'x' + sym 'y', {0, 1})",
     "error: t:1: plot: the formula has 2 symbols; wanted one, for the axis of x"},
    {"plot({1, 2}, {titel='a'})", "error: t:1: plot: unknown option 'titel'; did you mean 'title'?"},
    {"plot({1, 2}, {1, 2}, {title=3})", "error: t:1: plot: title is 3; wanted text"},
    {"plot({1, 2}, {1, 2}, {labels={'a', 'b'}})", "error: t:1: plot: 2 labels for 1; wanted as many"},
    {"plot({1, 2}, {1, 2}, {xlim={1, 1}})",
     "error: t:1: plot: xlim: both bounds are 1; wanted two different ones"},
    {"plot({1, 2}, {1, 2}, {xlim={nan, 1}})", "error: t:1: plot: xlim[1] is nan; wanted a finite number"},
    {"plot({1, 2}, {1, 2}, {ylim={0, 1}, log='y'})",
     "error: t:1: plot: ylim: a bound is 0; wanted positive ones on a logarithmic axis"},
    {"plot({1, 2}, {1, 2}, {band={{1}, {2}}})",
     "error: t:1: plot: band has 1 and 1 values; wanted 2, as y has"},
    {"plot({1, 2}, {1, 2}, {certified=true})",
     "error: t:1: plot: certified is for formulas, as in plot(f, {0, 10}, {certified=true})"},
    {"heatmap()", "error: t:1: heatmap: A is nil; wanted an array of numbers"},
    {"heatmap({{1, 2}}, {classes={}})",
     "error: t:1: heatmap: classes is a table; wanted 1 to 16 of {value, sign, name}"},
    {"heatmap({{1, 2}}, {classes={{1, 'y'}}})",
     "error: t:1: heatmap: classes[1] is a table; wanted {value, sign, name}, as in {1, \"P\", \"proved\"}"},
    {"heatmap({{1, 2}}, {map='jet'})",
     "error: t:1: heatmap: map is the string \"jet\"; wanted \"even\", \"diverging\" or \"grey\""},
    {"heatmap({{1, 2}}, {range={2, 1}})",
     "error: t:1: heatmap: range goes from 2 to 1; wanted the lower end first"},
    {"heatmap({{1, 2}}, {xnames={'a'}})", "error: t:1: heatmap: 1 xnames for 2; wanted as many"},
    {"heatmap(zeros(3, 0))",
     "error: t:1: heatmap: A has shape (3, 0); wanted at least one row and one column"},
    {"heatmap(zeros(100, 100), {numbers=true})",
     "error: t:1: heatmap: 10000 numbers; wanted at most 4096 cells with numbers"},
    {"circle('x')", "error: t:1: circle: the phases are the string \"x\"; wanted a list of radians, or "
                    "of complex numbers"},
    {"circle({1, 2}, {labels={'a'}})", "error: t:1: circle: 1 labels for 2; wanted as many"},
    {"bars({'a'}, {1, 2})", "error: t:1: bars: 1 names for 2 values; wanted as many"},
    {"panels{}", "error: t:1: panels: the argument is a table; wanted pictures, as in panels{p, q}"},
    {"panels{3}", "error: t:1: panels: item 1 is 3; wanted a picture, as plot gives one"},
    {"panels{plot{1, 2}, colums=2}", "error: t:1: panels: unknown option 'colums'; did you mean 'columns'?"},
    {"panels{plot{1, 2}, columns=0}", "error: t:1: panels: columns is 0; wanted an integer from 1 to 32"},
    {"panels{panels{plot{1}, plot{2}}}",
     "error: t:1: panels: item 1 has 2 panels itself; wanted single pictures"},
    {"panels{plot{1}, plot{2}}:plot{3}",
     "error: t:1: Figure:plot: the picture has 2 panels; wanted a single one"},
    {"plot{1, 2}.plot(3)", "error: t:1: Figure:plot: the picture is 3; wanted one, as plot gives it"},
    {"plot{1, 2}:band({1, 2}, {1}, {1, 2})",
     "error: t:1: Figure:band: x, lower and upper have 2, 1 and 2 values; wanted as many"},
    {"plot{1, 2}:rule{}",
     "error: t:1: Figure:rule: neither x nor y given; wanted where the lines stand, as in {y=0}"},
    {"plot{1, 2}:text{columns=0}", "error: t:1: Figure:text: columns is 0; wanted an integer from 1 to 2000"},
    {"plot{1, 2}:text{colours=16}", "error: t:1: Figure:text: colours is 16; wanted 0, 256 or 16777216"},
    {"plot{1, 2}:svg{theme='blue'}",
     "error: t:1: Figure:svg: theme is the string \"blue\"; wanted \"light\" or \"dark\""},
    {"plot{1, 2}:svg{width=1}", "error: t:1: Figure:svg: width is 1; wanted an integer from 40 to 10000"},
    {"plot{1, 2}:svgg()", "error: t:1: unknown field 'svgg' of a figure; did you mean 'svg'?"},
    {"picture 'x'", "error: t:1: picture: the name is the string \"x\"; wanted atlas, biases, decay, "
                    "encoding, hessian, paths, "
                    "rope, scaling, wavelengths"},
    {"picture('paths', {words=1})", "error: t:1: picture: paths: words is 1; wanted an integer from 2 to 12"},
    {"plot({1}, {xticks={'a'}})", "error: t:1: plot: xticks[1] is the string \"a\"; wanted a finite number"},
    {"plot({1}, {yticks={{1, 2}}})", "error: t:1: plot: yticks[1][2] is 2; wanted text"},
    {"plot({1}, {xticks={}})",
     "error: t:1: plot: xticks is a table; wanted 1 to 64 numbers, or {number, text}"},
    {"plot({1}, {thin=1})", "error: t:1: plot: thin is 1; wanted true or false"},
    {"plot({1}):arrows({1}, {2}, {3, 4}, {5})",
     "error: t:1: Figure:arrows: to_x has 2 values, x has 1; wanted as many"},
    {"plot({1}):arrows({1}, {2}, {3}, {5}, {faint=2})",
     "error: t:1: Figure:arrows: faint is 2; wanted true or false"},
    {"picture('rope', {d=0})", "error: t:1: picture: rope: d is 0; wanted an integer from 2 to 32"},
    {"picture('decay', {base=1.5})",
     "error: t:1: picture: decay: base is 1.5; wanted an integer from 2 to 1000000000"},
    {"picture('scaling', {factor=0})",
     "error: t:1: picture: scaling: factor is 0; wanted a number above 0, at most 1e+06"},
    {"picture('biases', {d=3})", "error: t:1: picture: biases: d is 3; wanted an even number"},
    {"picture('rope', {lang='fr'})",
     "error: t:1: picture: rope: lang is the string \"fr\"; wanted \"en\" or \"zh\""},
    {"savefig(3)", "error: t:1: savefig: the name is 3; wanted text"},
    {"savefig('a.svg', 3)", "error: t:1: savefig: the picture is 3; wanted one, as plot gives it"},
    {"savefig('a.svg', plot{1}, {scale=2})",
     "error: t:1: savefig: unknown option 'scale'; wanted height, theme, width"},
    {"savefig('a.png', plot{1}, {scale=nan})", "error: t:1: savefig: scale is nan; wanted a finite number"},
    {NULL, NULL}};

static void wrong_arguments(void **state) {
    (void)state;
    lab_run(wrong_arguments_cases);
    static const lab_case fresh[] = {
        {"savefig('a.svg')",
         "error: t:1: savefig: there is no picture yet; draw one first, as in plot(sin, {0, 10})"},
        {NULL, NULL}};
    lab_run(fresh);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/phasor-test-plot.XXXXXX";

static int enter(void **state) {
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state) {
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(command) : -1;
}

/* The bytes of each format, by their first and last marks; sizes as asked; PDF without a clock in it. */
static void files_are_what_they_say(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function bytes(n) local f = io.open(n, 'rb') local s = f:read('a') f:close() return s end\n"
         "p = plot(sin, {0, 10}, {title='$\\\\theta$'})",
         ""},
        {"savefig('a.svg') return bytes('a.svg') == p:svg()", "true"},
        {"savefig('a.txt', p, {columns=60}) return bytes('a.txt') == p:text{columns=60, colours=0}", "true"},
        {"p:save('b.SVG', {theme='dark'}) return bytes('b.SVG') == p:svg{theme='dark'}", "true"},
        {"savefig('a.png') s = bytes('a.png') return s:sub(2, 4), s:sub(-8, -5), string.unpack('>I4I4', s, "
         "17)",
         "PNG\tIEND\t1280\t800\t25"},
        {"savefig('a.png', p, {scale=0.5, width=600, height=200}) return string.unpack('>I4I4', "
         "bytes('a.png'), 17)",
         "300\t100\t25"},
        {"p:png{scale=1} == p:png{scale=1}", "true"},
        {"savefig('a.pdf') s = bytes('a.pdf') return s:sub(1, 5), s:find('%%EOF', 1, true) ~= nil",
         "%PDF-\ttrue"},
        {"savefig('b.pdf') return bytes('b.pdf') == s, s:find('20000101000000') ~= nil or "
         "s:find('CreationDate') == "
         "nil",
         "true\ttrue"},
        {"savefig('a.png', p, {scale=20, width=10000})",
         "error: t:1: savefig: an image of 200000 by 8000 pixels; wanted from 1 to 30000 each way: change "
         "scale or "
         "size"},
        {"savefig('nowhere/a.svg')",
         "error: t:1: savefig: nowhere/a.svg: cannot be written: No such file or directory"},
        {NULL, NULL}};
    lab_run(cases);
}

/* A hundred thousand cells, ten thousand points: the PNG of a picture that has much in it. */
static void large_pictures_are_drawn(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"heatmap(reshape(sin(range(1, 250000) / 1000), 500, 500)):png{scale=1}:sub(2, 4)", "PNG"},
        {"g = rng(1); return plot(rand(g, 100000), rand(g, 100000), {style='points'}):png{scale=0.5}:sub(2, "
         "4)",
         "PNG"},
        {NULL, NULL}};
    lab_run(cases);
}

/* The picture's name for who cannot see it, and its colours for who reads on a dark screen: those of theme="dark", whatever is
 * drawn, but for maps, whose colours are values (and the numbers on them, which are to be read against these). */
static void an_svg_suits_its_reader(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"function name(p) return p:svg():match('<title>(.-)</title>') end", ""},
        {"name(plot({1, 2}, {3, 4}, {title='a < b & $\\\\theta_i$ \"c\"'}))",
         "a &lt; b &amp; θᵢ &quot;c&quot;"},
        {"name(plot{1, 2}), name(panels{plot({1}, {1}, {title='one'}), plot{2}}), name(panels{plot{2}, "
         "title='both'})",
         "nil\tone\tboth"},
        {"plot{1}:svg():match('^<svg[^>]* role=\"img\"') ~= nil", "true"},
        {"@an_svg_suits_its_reader", ""},
        {"many = {} for i = 1, 9 do many[i] = range(1, 5) * i end", ""},
        {"night(plot({sin, cos}, {0, 9}, {labels={'a', 'b'}, title='t'})), night(plot(range(1, 5), many)), "
         "night(bars({'x', 'y'}, {1, 2})), night(circle{0, 1, 2})",
         "true\ttrue\ttrue\ttrue"},
        {"h = heatmap({{1, -1}, {0, 9}}, {numbers=true}):svg()", ""},
        {"select(2, h:gsub('<g class=\"map\"', '')), h:match('<g class=\"map\">\\n.-fill=\"#ffffff\".-</g>') "
         "~= nil",
         "3\ttrue"},
        {NULL, NULL}};
    lab_run(cases);
}

/* With 256 colours too the maps order values by lightness: OKLab's of each colour, by xterm's own table of them. */
static void few_colours_order_the_values(void **state) {
    (void)state;
    static const lab_case cases[] = {{"@few_colours_order_the_values", ""},
                                     {"falls(ramp 'even') == 0, #ramp 'even' > 8", "true\ttrue"},
                                     {"half(ramp 'diverging')", "0\t0"},
                                     {"half(ramp 'grey')", "0\t0"},
                                     {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_colours_order_the_values),
        cmocka_unit_test(what_arguments_mean),
        cmocka_unit_test(pens_and_ticks),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test_setup_teardown(files_are_what_they_say, enter, leave),
        cmocka_unit_test(large_pictures_are_drawn),
        cmocka_unit_test(an_svg_suits_its_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
