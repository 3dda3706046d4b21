/* golden.h: pictures whose renderings are kept beside the tests, as Lua code that returns one. */
#ifndef PH_TEST_GOLDEN_H
#define PH_TEST_GOLDEN_H

static const struct {
    const char *name, *code;
} scenes[] = {
    {"waves",
     "local x = linspace(0, 10, 300) return plot(x, {sin(x), cos(x), sin(x)*exp(-x/4)}, {labels={'sin "
     "$\\\\theta_i x$', "
     "'cos', 'damped'}, title='Three waves, $\\\\theta_i = 10^{-2i/d}$', xlabel='$x$', ylabel='value'})"},
    {"points",
     "return plot({1, 2, 3, 5, 8}, {{1, 4, 2, 5, 3}, {2, 3, 3, 1, 4}}, {style='points', labels={'a', 'b'}, "
     "xlim={0, 9}})"},
    {"band",
     "local x = sym 'x' return plot(sin(x)/x, {1, 20}, {certified=true, label='sin x / x'}):rule{y=0}"},
    {"decay",
     "local x = range(1, 400) return plot(x, 1/x, {log='xy', title='1/x', xlabel='distance', label='1/x'})"
     ":plot(x, exp(-x/40), {label='$e^{-x/40}$'})"},
    {"matrix", "return heatmap({{1, -0.5, 0.25}, {0, 2, -1}, {3, 1, nan}}, {numbers=true, title='scores', "
               "label='$q\\\\cdot k$', "
               "xlabel='key', ylabel='query', x={0, 2}, y={0, 2}})"},
    {"heat", "local m, n = reshape(range(0, 31), 32, 1), range(0, 47) return heatmap(sin(m * exp(-n/8)), "
             "{title='PE', "
             "xlabel='dimension', ylabel='position', x={0, 47}, y={0, 31}, map='even', range={-1, 1}})"},
    {"image", "local m = reshape(range(0, 139), 140, 1) return heatmap(exp(-abs(m - range(0, 139))/20), "
              "{map='grey'})"},
    {"circle",
     "return circle({0, 1, 2, 3}, {title='$R_{m\\\\theta}$', labels={'m = 0', 'm = 1', 'm = 2', 'm = 3'}})"},
    {"bars", "return bars({'RoPE', 'ALiBi', '相对位置', 'T5'}, {{0.9, 0.7, 0.4, -0.3}}, {title='bars', "
             "ylabel='share'})"},
    {"groups",
     "return bars({'a', 'b', 'c'}, {{1, 2, 3}, {3, -1, 2}, {2, 2, nan}}, {labels={'one', 'two', 'three'}})"},
    {"panels", "return panels{plot(sin, {0, 20}, {title='sin'}), plot(function(x) return 1/x end, {-3, 3}, "
               "{title='1/x'}), "
               "heatmap({{1, 2}, {3, 4}}, {title='heat'}), columns=2, title='all'}"},
    {"encoding", "return picture 'encoding'"},
    {"decaying", "return picture 'decay'"},
    {"wavelengths", "return picture 'wavelengths'"},
    {"rope", "return picture 'rope'"},
    {"biases", "return picture 'biases'"},
    {"hessian", "return picture 'hessian'"},
    {"names", "return heatmap(reshape(range(1, 60), 30, 2), {xnames={'left', 'right'}, ynames=(function() "
              "local t = {} for i = 1, 30 do "
              "t[i] = 'row ' .. i end return t end)()})"},
    {"scaling", "return picture 'scaling'"},
    {"paths", "return picture 'paths'"},
    {"ticks",
     "return plot({1, 2, 4}, {4, 1, -2}, {xticks={1, {2, 'two'}, 4, 9}, yticks={{-2, '$-2$'}, 4}, thin=true}):arrows({1, 2}, "
     "{0, 0}, {2, 4}, {1, 3}, {label='on'}):arrows({4}, {0}, {1}, {3}, {faint=true})"},
    {"square",
     "return heatmap(reshape(range(-3, 4), 2, 4), {equal=true, numbers=true, yticks={{1.5, 'between'}}}):rule{x={2.5}}"},
    {"empty", "return plot({}, {title='<b>&\"nothing\"</b>'})"},
    {"gaps", "return plot({1, 2, 3, 4, 5, 6, 7}, {1, nan, 2, inf, 3, 2, -inf}, {style='both'})"},
};
#define SCENES (sizeof scenes / sizeof *scenes)

#endif
