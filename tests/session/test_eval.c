/* Cells in-process: values, output, errors with their places, names beyond ASCII, loading of code.
 * Sources: lib/results.lua lua/modules.c session/above.c session/compile.c session/core.c session/eval.c session/fault.c session/hint.c
 * Sources: session/interrupt.c session/library.c session/parts.c session/session.c session/stream.c */
#include "shared.h"

static void values_are_shown(void **state) {
    (void)state;
    SHOWS(s, "1 + 1", "2");
    SHOWS(s, "0.1 + 0.2", "0.30000000000000004");
    SHOWS(s, "\"a\", 2, nil", "a\t2\tnil");
    SHOWS(s, "-- only a comment", "");
    assert_null(event_of("result"));
    SHOWS(s, "x = 5", "");
    SHOWS(s, "x;", "");
    SHOWS(s, "x + 1; -- silent", "");
    SHOWS(s, "_", "6"); /* the last value, shown or not */
    SHOWS(s, "nil", "nil");
    SHOWS(s, "(function() end)()", "");
    assert_null(event_of("result"));
    SHOWS(s, "return 7", "7");
}

/* What a dialogue shows of several values that have names. */
static const char *labelled(const char *code, const char *lang) {
    json_t *request = eval_request(code);
    json_object_set_new(request, "dialogue", json_true());
    json_object_set_new(request, "lang", json_string(lang));
    assert_string_equal(ask_with(s, request, collect, NULL), "ok");
    return result();
}

static void several_values_have_names(void **state) {
    (void)state;
    const char *code = "slogdet({{1, 0}, {0, 1}})";
    assert_string_equal(labelled(code, "en"), "sign: 1.0\tlog|det|: 0.0");
    assert_string_equal(labelled(code, "zh"), "符号: 1.0\tlog|det|: 0.0");
    assert_string_equal(labelled(" jvp( function(x) return 3*x end, 2, 1 ) ", "en"),
                        "value: 6.0\tderivative: 3.0");
    assert_string_equal(labelled("qr({{1, 0}, {0, 1}})", "en"),
                        "Q:\nf64 (2, 2)\n  1  0\n  0  1\nR:\nf64 (2, 2)\n  1  0\n  0  1");
    assert_string_equal(labelled("slogdet({{1, 0}, {0, 1}}), 7", "en"), "1.0\t7"); /* no bare call */
    assert_string_equal(labelled("1, 2", "en"), "1\t2");
    SHOWS(s, code, "1.0\t0.0"); /* not in a file */
}

static void comparing_formulas_is_told_once(void **state) {
    (void)state;
    OK(s, "θ = sym 'θ'; n = 3");
    assert_string_equal(labelled("n == 4", "en"), "false");
    assert_string_equal(labelled("θ == θ", "en"), "true");
    assert_string_equal(printed("stderr"), "");
    assert_string_equal(labelled("sin(θ)^2 + cos(θ)^2 ~= 1", "zh"), "true");
    assert_string_equal(printed("stderr"),
                        "警告：== 只看两个公式是不是同一个对象；要问是否对一切取值相等，写 prove(a, b)\n");
    assert_true(json_is_true(json_object_get(event_of("stream"), "words")));
    assert_string_equal(labelled("sin(θ)^2 + cos(θ)^2 == 1", "en"), "false");
    assert_string_equal(printed("stderr"), "");
}

/* Each function with named results gives as many as it has names. */
static void names_are_as_many_as_results(void **state) {
    (void)state;
    SHOWS(s, "@names_are_as_many_as_results", "");
}

static void locals_stay(void **state) {
    (void)state;
    OK(s, "local a <const>, b = 1, 2\nlocal function f(n) return n <= 1 and 1 or n * f(n - 1) end");
    SHOWS(s, "a, b, f(5)", "1\t2\t120");
    OK(s, "do local hidden = 1 end");
    FAILS(s, "hidden", "hidden");
}

static void letters_beyond_ascii(void **state) {
    (void)state;
    OK(s, "θ = 1/4");
    SHOWS(s, "θ", "0.25");
    SHOWS(s, "_G[\"θ\"]", "0.25");
    OK(s, "_G[\"λ\"] = 3");
    SHOWS(s, "λ + 1", "4");
    SHOWS(s, "t = {θ = 2}; return t.θ, t[\"θ\"]", "2\t2");
    OK(s, "function t.ω(x) return x * t.θ end");
    SHOWS(s, "t.ω(4)", "8");
    FAILS(s, "Ψ + 1", "'Ψ'");
    FAILS(s, "t.ω(nil)", "nil");
    assert_null(strstr(text_of("error", "message"), "_u3b"));
    FAILS(s, "t:ω()", "obj.ω(obj)");
    SHOWS(s, "μ = 2; return \xC2\xB5", "2"); /* GREEK MU and MICRO SIGN */
    SHOWS(s, "phasor.π == pi, π == pi, _G['π'] == pi", "true\ttrue\ttrue");
    SHOWS(s, "local seen = {} for k in pairs(_G) do seen[k] = true end return seen.θ, seen._u3b8_",
          "true\tnil");
    SHOWS(s,
          "local keys = 0 for k, v in pairs(phasor) do if k:find('_u') then keys = keys + 1 end end return "
          "keys",
          "0");
}

static void caught_errors_have_names_as_written(void **state) {
    (void)state;
    SHOWS(s, "pcall(function() local α return α.x end)",
          "false\tprompt:1: attempt to index a nil value (local 'α')");
    SHOWS(s, "xpcall(function() return Ψ end, function(m) return 'H ' .. m end)",
          "false\tH prompt:1: unknown name 'Ψ'");
    SHOWS(s, "local _, t = xpcall(function() return Ψ end, debug.traceback) return t:find('_u3') == nil",
          "true");
    SHOWS(s, "coroutine.resume(coroutine.create(function() return Ψ end))",
          "false\tprompt:1: unknown name 'Ψ'");
    SHOWS(s, "pcall(function(...) return ... end, 1, nil, 3)", "true\t1\tnil\t3");
    SHOWS(s, "xpcall(function(...) return ... end, print, 1, 2)", "true\t1\t2");
    SHOWS(s, "pcall(error, {4})", "false\t{4}");
    SHOWS(s, "pcall(error)", "false\tnil");
    OK(s,
       "co = coroutine.wrap(function() return pcall(function(x) return coroutine.yield(x) + 1 end, 5) end)");
    SHOWS(s, "co(), co(7)", "5\ttrue\t8"); /* a yield across pcall */
    OK(s, "co = coroutine.wrap(function() return xpcall(function(x) return coroutine.yield(x) .. Ψ end, "
          "string.upper, 5) end)");
    SHOWS(s, "co(), select('#', co(7))", "5\t2");
    FAILS(s, "pcall()", "value expected");
    FAILS(s, "assert(prove(1, 2))", "assertion failed: refuted: left side 1");
    FAILS(s, "x = sym 'x'; assert(prove(le(sin(x)*exp(x), x + sin(exp(x)))))", "assertion failed: ");
    SHOWS(s, "assert(prove(1, 1)).strength", "proved");
    SHOWS(s, "assert(4, 5, 6)", "4\t5\t6");
    FAILS(s, "assert(prove(1, 2), 'one is not two', 3)", "one is not two");
    FAILS(s, "assert(false)", "assertion failed!");
    FAILS(s, "assert(nil, 'why')", "why");
    FAILS(s, "assert()", "value expected");
    FAILS(s, "xpcall(print)", "function expected");
}

static void output_is_in_order(void **state) {
    (void)state;
    OK(s, "print(1, 'a') io.write('b', 2) io.stderr:write('e') io.stdout:write('c\\n') print('\\xff')");
    assert_string_equal(printed("stdout"), "1\ta\nb2c\n\xEF\xBF\xBD\n");
    assert_string_equal(printed("stderr"), "e");
    OK(s, "for i = 1, 3000 do print(i) end");
    const char *all = printed("stdout");
    assert_int_equal(strncmp(all, "1\n2\n3\n", 6), 0);
    assert_string_equal(all + strlen(all) - 10, "2999\n3000\n");
    assert_true(json_array_size(events) < 100); /* gathered */
    OK(s,
       "print({1, {2, x = 'y'}}, {}) print(setmetatable({}, {__tostring = function() return 'mine' end}))");
    assert_string_equal(printed("stdout"), "{1, {2, x = \"y\"}}\t{}\nmine\n");
    OK(s, "print(tostring({}):match '^table: ')"); /* as in Lua */
    assert_string_equal(printed("stdout"), "table: \n");
    OK(s, "t = {} t[1] = t print(t)");
    assert_string_equal(printed("stdout"), "{{...}}\n");
    OK(s, "io.write('θ') io.write('\\xce') io.write('\\xb8') warn('careful')");
    assert_string_equal(printed("stdout"), "θθ"); /* a character is never cut */
    assert_string_equal(printed("stderr"), "warning: careful\n");
    SHOWS(s, "io.write('x'); return 1", "1");
    assert_string_equal(text_of("stream", "text"), "x");
    assert_string_equal(json_string_value(json_object_get(json_array_get(events, 0), "event")), "stream");
}

static void syntax_errors_have_a_place(void **state) {
    (void)state;
    static const struct {
        const char *code, *part;
        int line, column;
        const char *source;
    } rows[] = {
        {"x = = 2", "near '='", 1, 5, "x = = 2"},
        {"θ = 1\nθ θ", "near 'θ'", 2, 3, "θ θ"},
        {"f(1, 2", "near <eof>", 1, 7, "f(1, 2"},
        {"for i = 1, 2 do\n  x = 1\n", "near <eof>", 2, 8, "  x = 1"},
        {"t = {θ = 1, λ = }", "near '}'", 1, 17, "t = {θ = 1, λ = }"},
        {"x = 1 +* 2", "near '*'", 1, 8, "x = 1 +* 2"},
        {"x = 2θ", "near '2θ'", 1, 5, "x = 2θ"},
        {"if x then y = 1 els z end", "near 'z'", 1, 21, "if x then y = 1 els z end"},
        {"s = 'abc", "unfinished string", 1, 5, "s = 'abc"},
        {"x = 3 × 4", "write *", 1, 7, "x = 3 × 4"},
        {"local x <const> = 1; goto away", "away", 1, 0, NULL},
        {"1 + ", "near <eof>", 1, 4, "1 + "},
        {"x += 1", "write x = x + 1", 1, 4, "x += 1"},
        {"if x = 1 then end", "write == to compare", 1, 6, "if x = 1 then end"},
        {"while x do y++ end", "write x = x + 1", 1, 0, NULL},
        {"x = a && b", "write and", 1, 8, "x = a && b"},
        {"x = [1, 2]", "{1, 2, 3}", 1, 5, "x = [1, 2]"},
        {"for i = 1, 2: print(i) end", "colon", 1, 13, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FAILS(s, rows[i].code, rows[i].part);
        assert_string_equal(text_of("error", "name"), "prompt");
        if (int_of("error", "line") != rows[i].line)
            fail_msg("%s: line %d", rows[i].code, int_of("error", "line"));
        if (rows[i].column && int_of("error", "column") != rows[i].column)
            fail_msg("%s: column %d (%s)", rows[i].code, int_of("error", "column"),
                     text_of("error", "message"));
        if (rows[i].source) assert_string_equal(text_of("error", "source"), rows[i].source);
    }
}

static void runtime_errors_have_a_place(void **state) {
    (void)state;
    FAILS(s, "local a = 1\nerror('boom')", "boom");
    assert_string_equal(text_of("error", "message"), "boom");
    assert_int_equal(int_of("error", "line"), 2);
    assert_string_equal(text_of("error", "source"), "error('boom')");
    assert_int_equal(json_array_size(json_object_get(event_of("error"), "traceback")), 0);

    OK(s, "function φ(n) if n == 0 then return nil + 1 end\n local r = φ(n - 1)\n return r end");
    FAILS(s, "x = φ(2)", "arithmetic on a nil");
    json_t *trace = json_object_get(event_of("error"), "traceback");
    assert_int_equal(json_array_size(trace), 4);
    assert_string_equal(json_string_value(json_array_get(trace, 0)), "prompt:1: in φ");
    assert_string_equal(json_string_value(json_array_get(trace, 3)), "prompt:1: at the top");

    FAILS(s, "error()", "nil");
    FAILS(s, "error({1, 2})", "{1, 2}");
    FAILS(s, "error(setmetatable({}, {__tostring = function() return 'mine' end}))", "mine");
    FAILS(s, "error(setmetatable({}, {__tostring = function() error('worse') end}))", "cannot be shown");
    FAILS(s, "local function f() return 1 + f() end f()", "stack overflow");
    assert_true(json_array_size(json_object_get(event_of("error"), "traceback")) <= 12);
    FAILS(s, "string.rep('x', -1, {})", "bad argument");
    FAILS(s, "setmetatable({}, {__index = function(t, k) return t[k] end}).x", "overflow");
    FAILS(s, "string.rep('x', 1e10):rep(1e10)", "");
    FAILS(s, "local t <close> = setmetatable({}, {__close = function() error('closing') end}) return 1",
          "closing");
    SHOWS(s, "1", "1");
}

static void memory_has_a_limit(void **state) {
    (void)state;
    setenv("PHASOR_MEMORY", "64", 1);
    ses *small = open_session(false, 0);
    unsetenv("PHASOR_MEMORY");
    OK(small, "x = 41");
    FAILS(small, "string.rep('x', 1e9)", "not enough memory");
    FAILS(small, "string.rep('x', 1e10)", "too large"); /* refused before it is tried */
    FAILS(small, "t = {} for i = 1, 1e9 do t[i] = i end", "not enough memory");
    FAILS(small, "s = 'x' while true do s = s .. s end", "not enough memory");
    FAILS(small, "ones(5000, 5000)", "out of memory"); /* 200 MB of array */
    /* How large t and s grew depends on the size of a value in Lua, 12 bytes or 16. */
    SHOWS(small, "t, s = nil; return x + 1", "42");
    SHOWS(small, "size = 0 for i = 1, 50 do size = size + sum(ones(1000, 1000)) end return size",
          "50000000.0"); /* 8 MB at a time */
    /* 56 MB of tables; the collection that makes room for 8 MB of array asks for no memory itself. */
    OK(small, "t = {} for k = 19, 21 do t[k] = {} for i = 1, 2^k do t[k][i] = i end end");
    SHOWS(small, "t = nil; return sum(ones(1000, 1000))", "1000000.0");
    ses_close(small);
}

static void code_that_loads_code(void **state) {
    (void)state;
    SHOWS(s, "load('θ = 5 return θ + 1')()", "6");
    SHOWS(s, "load(string.dump(function() end))", "nil\t[string]: binary chunks are refused; give Lua text");
    SHOWS(s, "select(2, load('x = = 1', '=mine'))", "mine:1: unexpected symbol near '='");
    SHOWS(s, "load('return α', 'c', 't', {_u3b1_ = 4})()", "4");
    SHOWS(s,
          "local n = 0 return load(function() n = n + 1 return ({'return ', 'ω or ', '9'})[n] end, '=f', "
          "'t', {})()",
          "9");
    FAILS(s, "load('x', 'y', 'b')", "binary");
    char path[] = "/tmp/phasor-test-XXXXXX", dir[64], code[300];
    assert_non_null(mkdtemp(path));
    snprintf(dir, sizeof dir, "%s/mod.lua", path);
    FILE *f = fopen(dir, "w");
    fputs("#!shebang\nlocal σ = ...\nreturn {σ = σ, δ = function() error('inner') end}", f);
    fclose(f);
    snprintf(code, sizeof code, "package.path = '%s/?.lua;' .. package.path  m = require 'mod'  return m.σ",
             path);
    SHOWS(s, code, "mod");
    FAILS(s, "m.δ()", "inner");
    assert_int_equal(int_of("error", "line"), 3);
    assert_string_equal(text_of("error", "source"), "return {σ = σ, δ = function() error('inner') end}");
    snprintf(code, sizeof code, "dofile('%s/mod.lua').σ", path);
    SHOWS(s, code, "nil");
    SHOWS(s, "pcall(require, 'no.such.module') == false", "true");
    SHOWS(s, "loadfile('/no/such/file')", "nil\tcannot open /no/such/file: No such file or directory");
    remove(dir);
    remove(path);
}

static void leaving(void **state) {
    (void)state;
    OK(s, "while true do pcall(os.exit, 3) end");
    assert_int_equal(int_of("done", "exit"), 3);
    assert_null(event_of("error"));
    OK(s, "coroutine.wrap(function() os.exit(false) end)() print('not reached')");
    assert_int_equal(int_of("done", "exit"), 1);
    assert_string_equal(printed("stdout"), "");
    OK(s, "x = 1");
    assert_null(json_object_get(event_of("done"), "exit"));
}

static void in_chinese(const char *code) {
    json_t *request = eval_request(code);
    json_object_set_new(request, "verdicts", json_string("zh"));
    assert_string_equal(ask_with(s, request, collect, NULL), "ok");
}

static void showing_more_than_text(void **state) {
    (void)state;
    OK(s, "display({1, 2})");
    assert_non_null(strstr(
        json_string_value(json_object_get(json_object_get(event_of("display"), "data"), "text/plain")), "1"));
    OK(s, "progress('half', 0.5) clear()");
    assert_string_equal(text_of("progress", "text"), "half");
    assert_non_null(event_of("clear"));
    /* 150000 boxes take longer than the 0.3 s before work in C begins to tell */
    OK(s,
       "x, y = sym 'x y'; v = certify(gt(x^2 - 2*x*y + y^2, rat(-1, 100000000)), {x = {0, 300}, y = {0, 300}},"
       " {boxes = 150000})");
    assert_non_null(strstr(text_of("progress", "text"), "boxes done"));
    OK(s, "progress({en = 'half', zh = '一半'}, 0.5)");
    assert_string_equal(text_of("progress", "text"), "half");
    in_chinese("progress({en = 'half', zh = '一半'}, 0.5)");
    assert_string_equal(text_of("progress", "text"), "一半");
    in_chinese(
        "certify(gt(x^2 - 2*x*y + y^2, rat(-1, 100000000)), {x = {0, 300}, y = {0, 300}}, {boxes = 150000})");
    assert_non_null(strstr(text_of("progress", "text"), "个区域"));
    FAILS(s, "progress({en = true})", "string expected"); /* neither a text nor one of two languages */
    OK(s, "progress('odd', 0/0)");
    assert_string_equal(text_of("progress", "fraction"), "nan");
    json_t *r = eval_request("setmetatable({}, {__tostring = function() return 'plain' end, __mime = "
                             "function(v, a) return {[a[1]] = '<svg/>'} end})");
    json_object_set_new(r, "mime", json_pack("[s]", "image/svg+xml"));
    assert_string_equal(ask_with(s, r, collect, NULL), "ok");
    assert_string_equal(result(), "plain");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(event_of("result"), "data"), "image/svg+xml")),
        "<svg/>");
    OK(s, "display({['text/html'] = '<b>x</b>'})");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(event_of("display"), "data"), "text/html")),
        "<b>x</b>");
}

static const char *form_of(const char *code, const char *mime) {
    json_t *r = eval_request(code);
    json_object_set_new(r, "mime", json_pack("[s]", mime));
    assert_string_equal(ask_with(s, r, collect, NULL), "ok");
    const char *text = json_string_value(json_object_get(json_object_get(event_of("result"), "data"), mime));
    return text ? text : "";
}

static void values_show_their_richer_forms(void **state) {
    (void)state;
    assert_string_equal(form_of("array{{1, 2.5}, {-1e30, inf}}", "text/latex"),
                        "$\\begin{bmatrix} 1 & 2.5 \\\\ -1\\times10^{30} & \\infty \\end{bmatrix}$");
    assert_string_equal(form_of("array{1, 2}", "text/html"),
                        "<table><caption>f64 (2)</caption><tr><td>1</td><td>2</td></tr></table>");
    assert_string_equal(form_of("zeros(2, 2, 2)", "text/html"), "");
    assert_string_equal(form_of("(sym 'x')/2", "text/latex"), "$\\displaystyle \\frac{x}{2}$");
    assert_string_equal(form_of("(sym 'x')/2", "text/html"), "");
    assert_non_null(strstr(form_of("matrix{{sym 'x'}}", "text/latex"), "\\begin"));
    assert_non_null(strstr(form_of("prove(sym 'x', sym 'x')", "text/html"),
                           "<div class=\"phasor-proved\" style=\"border-left:.3em solid"));
    assert_non_null(strstr(form_of("prove(sym 'x', sym 'x')", "text/html"), ">proved</b>"));
    assert_non_null(strstr(form_of("measure{value=0, bound=1, why='exact'}", "text/latex"),
                           "deviation 0}\\le \\text{1 (1 sample)}"));
    const char *wide =
        form_of("zeros(100, 100)", "text/html"); /* 12 of 100 rows and columns, … for the rest */
    size_t rows = 0;
    for (const char *at = wide; (at = strstr(at, "<tr>")) != NULL; at++) rows++;
    assert_int_equal(rows, 13);
    const char *said =
        form_of("prove(sym 'x' + 0, sym 'x', {caption = {en = 'what & why', zh = '其一'}})", "text/html");
    assert_non_null(strstr(said, "<div>what &amp; why</div><div><math displaystyle=\"true\">"));
    assert_non_null(strstr(said, ">proved</b> for all real <i>x</i></div>"));
    assert_string_equal(
        form_of(
            "prove(sym 'x' + 0, sym 'x', {caption = {en = '100 % of $x_1$: once*and*always, y^2', zh = '其一'}})",
            "text/latex"),
        "$\\begin{aligned}&\\text{100 }\\%\\text{ of }x_1\\text{: once*and*always, }y^{2}\\\\&x+0=x\\\\&"
        "\\textbf{proved}\\text{ for all real }x\\end{aligned}$");
    assert_string_equal(
        form_of("measure{value = 1e-17, bound = 1.5e-16, why = 'exact'}", "text/latex"),
        "$\\textbf{measured}\\text{: max deviation }1\\times10^{-17}\\le 1.5\\times10^{-16}\\text{ (1 sample)}$");
    const char *list = form_of("{a = prove(sqrt(sym 'x'), sym 'y'), mutants(sym 'x', sym 'x')}", "text/html");
    assert_non_null(strstr(list, "<div>0 mutants: 0 refuted, 0 equivalent</div>"));
    assert_non_null(strstr(list, "<i>a</i> <math"));
    assert_non_null(
        strstr(list, "<mo>√</mo><mrow><mo>(</mo><mi>x</mi>")); /* a radical sign needs a font of its own */
    assert_non_null(strstr(list, ">refuted</b>"));
}

static void what_is_typed_goes_to_its_handler(void **state) {
    (void)state;
    json_t *early = json_pack("{s:s, s:s}", "op", "input", "text", "x");
    assert_string_equal(ask_with(s, early, collect, NULL), "error");
    OK(s,
       "S = require 'phasor.session'  S.prompt('more> ', function(text, name) heard = text .. '/' .. name end)");
    assert_string_equal(text_of("done", "prompt"), "more> ");
    json_t *r = json_pack("{s:s, s:s, s:s}", "op", "input", "text", "a 'b\n", "name", "[7]");
    assert_string_equal(ask_with(s, r, collect, NULL), "ok");
    assert_string_equal(text_of("done", "prompt"), "more> ");
    SHOWS(s, "heard", "a 'b\n/[7]");
    OK(s, "S.prompt()");
    assert_null(json_object_get(event_of("done"), "prompt"));
}

static void cells_inside_cells(void **state) {
    (void)state;
    SHOWS(s, "S = require 'phasor.session'  return S.cell('local a = 2  return a, a + 1', 'lesson')",
          "true\t2\t3");
    SHOWS(s,
          "E = S.env()  S.cell('local inner = 7', 'lesson', E)  return E.inner, S.cell('inner + 1', "
          "'lesson', E)",
          "7\ttrue\t8");
    FAILS(s, "inner", "'inner'");
    SHOWS(s,
          "ok, f = S.cell('x = 1\\nerror(\"bad\")', 'lesson', E)  return ok, tostring(f), f.line, f.source",
          "false\tlesson:2: bad\t2\terror(\"bad\")");
    SHOWS(s, "ok, f = S.cell('x = = 1', 'lesson')  return ok, f.column", "false\t5");
    SHOWS(s, "E['ζ'] = 4  return S.cell('ζ', 'lesson', E)", "true\t4");
}

static void requests_that_are_none(void **state) {
    (void)state;
    assert_string_equal(ask_with(s, json_pack("{s:s}", "op", "dance"), collect, NULL), "error");
    assert_string_equal(ask_with(s, json_object(), collect, NULL), "error");
    assert_string_equal(ask_with(s, json_pack("{s:s}", "op", "eval"), collect, NULL), "error");
    assert_string_equal(ask_with(s, json_pack("{s:s, s:i}", "op", "eval", "code", 3), collect, NULL),
                        "error");
    assert_string_equal(ask_with(s, json_pack("{s:s}", "op", "undo"), collect, NULL), "ok");
    assert_string_equal(eval(s, ""), "ok");
}

static void standard_files_stay_open(void **state) {
    (void)state;
    OK(s, "io.stdout:close() io.stdout:write('still')");
    assert_string_equal(printed("stdout"), "still");
    OK(s, "io.output():setvbuf('full') print('a') io.flush()");
    assert_string_equal(printed("stdout"), "a\n");
    OK(s, "io.stdout:setvbuf('no')");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_shown),
        cmocka_unit_test(several_values_have_names),
        cmocka_unit_test(names_are_as_many_as_results),
        cmocka_unit_test(locals_stay),
        cmocka_unit_test(letters_beyond_ascii),
        cmocka_unit_test(caught_errors_have_names_as_written),
        cmocka_unit_test(comparing_formulas_is_told_once),
        cmocka_unit_test(output_is_in_order),
        cmocka_unit_test(syntax_errors_have_a_place),
        cmocka_unit_test(runtime_errors_have_a_place),
        cmocka_unit_test(memory_has_a_limit),
        cmocka_unit_test(code_that_loads_code),
        cmocka_unit_test(leaving),
        cmocka_unit_test(showing_more_than_text),
        cmocka_unit_test(values_show_their_richer_forms),
        cmocka_unit_test(what_is_typed_goes_to_its_handler),
        cmocka_unit_test(cells_inside_cells),
        cmocka_unit_test(requests_that_are_none),
        cmocka_unit_test(standard_files_stay_open),
    };
    return cmocka_run_group_tests(tests, open_once, close_once);
}
