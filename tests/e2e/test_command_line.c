/* The command line and the prompt's behaviour without a terminal, through pipes.
 * Sources: course/find.lua main.c repl/repl.c repl/usage.c repl/usage_chinese.c session/whos.c verify/version.c */
#include "e2e/drive.h"

#include "base/utf8.h"

/* Exactly this output, nothing on stderr, status 0. */
static void puts_out(const char *input, char *const *args, const char *out) {
    outcome *o = run(input, args);
    assert_string_equal(o->err, "");
    assert_string_equal(o->out, out);
    assert_int_equal(o->status, 0);
}

/* Nothing on stdout, these words on stderr. */
static void refuses(char *const *args, int status, const char *words) {
    outcome *o = run("", args);
    expect_in(o->err, words);
    assert_string_equal(o->out, "");
    assert_int_equal(o->status, status);
}

static char *write_script(const char *name, const char *code) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(code, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static void inputs_from_a_pipe(void **state) {
    (void)state;
    puts_out("θ = 1/3\nθ\n", ARGS("-i"), "0.3333333333333333\n");
    puts_out("for i = 1, 2 do\n  print(i)\nend\n'x'", ARGS("-i"), "1\n2\nx\n");
    puts_out("local x = 5\nx;\n_\n", ARGS("-i"), "5\n");
    puts_out("> x = 4\n> x + 1\n", ARGS("-i"), "5\n");
    puts_out("", ARGS("-i"), "");
    puts_out(":quit\n1\n", ARGS("-i"), "");
    puts_out("\n   \n2\n", ARGS("-i"), "2\n");
}

static void an_error_goes_on(void **state) {
    (void)state;
    outcome *o = run("error 'one'\n'next'\n", ARGS("-i"));
    assert_string_equal(o->out, "next\n");
    expect_in(o->err, "error: ");
    expect_in(o->err, "one");
    assert_int_equal(o->status, 0);
}

static void an_unfinished_input_is_reported(void **state) {
    (void)state;
    outcome *o = run("1\nfor i = 1, 2 do\n", ARGS("-i"));
    assert_string_equal(o->out, "1\n");
    expect_in(o->err, "<eof>");
}

static void a_dying_cell_costs_itself(void **state) {
    (void)state;
    outcome *o = run("a = 1\na = 2; os.execute('kill -9 $PPID')\na\n:undo\n:undo\na\n", ARGS("-i"));
    expect_in(o->err, "killed");
    assert_string_equal(o->out, "1\n");
    expect_in(o->err, "unknown name 'a'");
    assert_int_equal(o->status, 0);
}

static void a_search_leaves_no_trace(void **state) {
    (void)state;
    outcome *o = run("x = 1\n5\n??? identity matrix\n_\n:undo\n:undo\n:undo\nx\n", ARGS("-i"));
    expect_in(o->out, "eye");
    expect_in(o->out, "\n5\n"); /* _ is still 5 */
    expect_in(o->err, "unknown name 'x'");
    assert_int_equal(o->status, 0);
}

static void input_for_a_program(void **state) {
    (void)state;
    puts_out("x = io.read()\nfirst\ny = io.read()\nsecond\nx .. y\n", ARGS("-i"), "firstsecond\n");
    puts_out("one\ntwo\n", ARGS("-e", "print(io.read('L'), io.read('a'))"), "one\n\ttwo\n\n");
}

static void chunks(void **state) {
    (void)state;
    puts_out("", ARGS("-e", "x = 20", "-e", "print(x + 1)"), "21\n");
    puts_out("", ARGS("-eprint(1)"), "1\n");
    puts_out("", ARGS("-e", ""), "");
    puts_out("", ARGS("-e", "print(1 + 1)", "-i"), "2\n");
    puts_out("x\n", ARGS("-i", "-e", "x = 'then'"), "then\n");
}

static void a_value_alone_is_no_program(void **state) {
    (void)state;
    refuses(ARGS("-e", "1 +"), 1, "unexpected symbol near <eof>");
    char *path = write_script("v.lua", "#!/usr/bin/env phasor\n1 + 1\n");
    refuses(ARGS(path), 1,
            "v.lua:2:1: unexpected symbol near '1'; write print(x): only the prompt, -e and -i show");
    path = write_script("v.lua", "#!/usr/bin/env phasor\n1 +\n"); /* the first line is no code */
    outcome *o = run("", ARGS(path));
    expect_in(o->err, "unexpected symbol near '1'\n");
    puts_out("1 + 1\n", ARGS("-i"), "2\n");
}

static void scripts(void **state) {
    (void)state;
    puts_out("print('from ' .. 'stdin')", NO_ARGS, "from stdin\n");
    puts_out("print(...)", ARGS("-", "a", "b"), "a\tb\n");
    char *path = write_script("s.lua", "local λ = 3\nprint(#arg, arg[0] ~= nil, λ, ...)\n");
    puts_out("", ARGS(path, "-i", "位"), "2\ttrue\t3\t-i\t位\n");
    puts_out("", ARGS("--", path), "0\ttrue\t3\n");
    path = write_script("t.lua", "io.write('raw \\xff\\0 bytes')");
    outcome *o = run("", ARGS(path));
    assert_memory_equal(o->out, "raw \xff\0 bytes", 12);
}

/* -e shows the value of what it runs, as the prompt does. */
static void chunks_show_their_values(void **state) {
    (void)state;
    puts_out("", ARGS("-e", "1 + 1"), "2\n");
    puts_out("", ARGS("-e", "x = 3; x * 2"), "6\n");
    puts_out("", ARGS("-e", "x = 3", "-e", "x;", "-e", "_ + x"), "6\n");
    puts_out("", ARGS("-e", "io.write('\\255\\n')"), "\xff\n");
    refuses(ARGS("-e", "1 +"), 1, "command line:1");
}

/* `require` finds what lies beside the script, wherever it is started. */
static void require_beside_the_script(void **state) {
    (void)state;
    write_script("beside.lua", "return {value = 7}");
    puts_out("", ARGS(write_script("s.lua", "print(require('beside').value)")), "7\n");
}

static void help_of_each_command(void **state) {
    static char *const names[] = {"lesson", "grade", "glossary", "check", "claims"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        outcome *o = run("", ARGS(names[i], "--help"));
        assert_int_equal(o->status, 0);
        expect_in(o->out, names[i]);
        expect_in(o->out, "--lang en|zh");
        for (char *line = strtok(o->out, "\n"); line; line = strtok(NULL, "\n"))
            assert_true(ph_utf8_width(line, strlen(line)) <= 80);
    }
}

static size_t widest(const char *text) {
    size_t most = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t columns = ph_utf8_width(text, strcspn(text, "\n"));
        if (columns > most) most = columns;
    }
    return most;
}

static bool has_chinese(const char *s) {
    while (*s && ((unsigned char)*s & 0xF0) != 0xE0) s++;
    return *s != 0;
}

/* In Chinese every option of every command has its words: the last one too, so none has slipped by a line. */
static void help_in_chinese(void **state) {
    static char *const names[] = {"lesson", "grade",    "glossary", "check",  "train", "experiment",
                                  "claims", "notebook", "page",     "course", "kernel"};
    (void)state;
    const char *before = getenv("LC_ALL");
    char kept[80];
    snprintf(kept, sizeof kept, "%s", before ? before : "C.UTF-8");
    setenv("LC_ALL", "zh_CN.UTF-8", 1);
    outcome *o = run("", ARGS("--help"));
    expect_in(o->out, "用法：");
    expect_in(o->out, "打印这些");
    assert_true(widest(o->out) <= 80);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int options = 0;
        o = run("", ARGS(names[i], "--help"));
        assert_int_equal(o->status, 0);
        assert_true(widest(o->out) <= 80);
        for (char *line = strtok(o->out, "\n"); line; line = strtok(NULL, "\n"))
            if (strncmp(line, "  -", 3) == 0) {
                options++;
                if (!has_chinese(line)) fail_msg("%s: %s", names[i], line);
            }
        assert_true(options >= 1);
    }
    setenv("LC_ALL", kept, 1);
}

static void inputs_and_files(void **state) {
    char load[200], save[200], path[128];
    (void)state;
    snprintf(load, sizeof load, ":load %s\nanswer\n",
             write_script("in.lua", "local x = 6\nanswer = x * 7\nprint 'loaded'\n"));
    puts_out(load, ARGS("-i"), "loaded\n42\n");
    snprintf(path, sizeof path, "%s/out.lua", home);
    snprintf(save, sizeof save, "a = 5\nnowhere\n1 + nil\na + 1\n:save %s\n:history 1\n", path);
    outcome *o = run(save, ARGS("-i"));
    expect_in(o->out, "   2  a + 1\n");
    expect_in(o->err, "2 inputs written");
    FILE *f = fopen(path, "r");
    char text[100];
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    assert_string_equal(text, "a = 5\na + 1\n");
    expect_in(run(":load /nowhere.lua\n", ARGS("-i"))->err,
              "cannot read /nowhere.lua: cannot be opened: No such file");
    expect_in(run(":save\n", ARGS("-i"))->err, ":save wants a file's name");
    expect_in(run(":history x\n", ARGS("-i"))->err, ":history x");
}

static void variables_are_listed(void **state) {
    (void)state;
    puts_out("whos\n", ARGS("-i"), "no variables yet\n");
    puts_out("θ = eye(2)\nn = 3\nwhos\nwhos()\n", ARGS("-i"),
             "n  the integer 3\nθ  an array: f64 (2, 2)\nn  the integer 3\nθ  an array: f64 (2, 2)\n");
    assert_string_equal(run("whos = 1\nwhos\n", ARGS("-i"))->out, "1\n");
}

/* Help, lessons and glossary; what is no name is searched for; letters may be wrong. */
static void a_search_finds(void **state) {
    static const struct {
        const char *input, *first;
    } cases[] = {
        {"??? positional encoding\n", "position encoding"},
        {"??? softmax\n", "softmax "},
        {":search sotfmax\n", "this mentions \"softmax\""},
        {"??? rope_scaling\n", "rope "},
        {"? extrapolation\n", "glossary \"extrapolation\""},
        {"??? long range decay\n", "glossary \"long-range decay\""},
        {"search 'wavelength'\n", "wavelengths"},
        {"??? causal\n", "causal_mask"},
        {"??? lesson order\n", "lesson"},
        {"glossary 'equivarience'\n", "permutation equivariance"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        outcome *o = run(cases[i].input, ARGS("-i"));
        o->out[400] = 0; /* among the first */
        expect_in(o->out, cases[i].first);
    }
    expect_in(run("??? 托普利茨\n", ARGS("-i"))->out, "Toeplitz matrix");
    expect_in(run("??? decay integral\n", ARGS("-i"))->out, "lesson \"decay\"");
    expect_in(run("??? qqqq\n", ARGS("-i"))->out, "nothing mentions");
    const char *just = "glossary \"position encoding\""; /* what is called just that comes first */
    assert_memory_equal(run("??? position encoding\n", ARGS("-i"))->out, just, strlen(just));
    outcome *o = run(":lang zh\n??? RoPE\n",
                     ARGS("-i")); /* in the language that was chosen, each step once, formulas set */
    expect_in(o->out, "mθᵢ");
    expect_in(o->out, "RoPE 的变体");
    assert_null(strstr(o->out, "Variants of RoPE"));
}

/* As IPython has it; and on a command of the prompt. */
static void help_is_asked_for_in_several_ways(void **state) {
    (void)state;
    char *before = strdup(run("? matmul\n", ARGS("-i"))->out);
    assert_string_equal(run("matmul?\n", ARGS("-i"))->out, before);
    assert_string_equal(run("matmul ? \n", ARGS("-i"))->out, before);
    expect_in(before, "matmul(A, B)");
    free(before);
    outcome *o = run("? :undo\n", ARGS("-i"));
    assert_string_equal(o->out, "  :undo          go back to before the last input that ran\n");
    expect_in(run("# length\n", ARGS("-i"))->err, "a comment begins with --");
}

/* What a terminal would obey is shown, whoever wrote it: in errors, names of files, texts, titles. Colours stay in texts. */
static void escapes_are_harmless(void **state) {
    static const char *const inputs[] = {"error('\\27]0;title\\7\\27[2J')\n",
                                         "'\\27[2Jx\\27]0;y\\7'\n",
                                         "read('\\27[2J.npy')\n",
                                         "plot({1, 2}, {1, 2}, {title = '\\27]0;t\\7\\27[2J'})\n",
                                         "plot({1, 2}, {1, 2}, {label = '\\27[2J'})\n",
                                         "t = {['\\27[2J'] = '\\27[2J'}\nt\n",
                                         "error({})\n\\27[2J = 1\n",
                                         "x = '\033[2J\033]0;t\007'; error(x)\n",
                                         "help '\\27[2J'\n",
                                         "lesson '\\27[2J'\n",
                                         "glossary '\\27[2J'\n",
                                         ":load \033[2J\n",
                                         "vary(function(a) return '\\27[2J' end, {a = {0, 1}})\n",
                                         "setmetatable({}, {__tostring = function() return '\\27[2J' end})\n",
                                         "{setmetatable({}, {__tostring = function() return '\\7' end})}\n",
                                         "'\\u{9b}2J'\n"};
    (void)state;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        outcome *o = run(inputs[i], ARGS("-i"));
        if (strpbrk(o->out, "\033\007") || strpbrk(o->err, "\033\007") || strstr(o->out, "\xC2\x9B"))
            fail_msg("%s lets a control character through", inputs[i]);
    }
    puts_out("'\\27[31mred\\27[0m\\0'\n", ARGS("-i"), "\033[31mred\033[0m\\0\n");
}

static void statuses(void **state) {
    (void)state;
    outcome *o;
    refuses(ARGS("-e", "error 'bad'"), 1, "bad");
    refuses(ARGS("-e", "x = = 1"), 1, "command line:1:5: ");
    refuses(ARGS("-e", "os.exit(7)"), 7, "");
    refuses(ARGS("-e", "os.exit(false)"), 1, "");
    o = run("", ARGS("-e", "error 'first'", "-e", "print 'second'"));
    assert_string_equal(o->out, "");
    assert_int_equal(o->status, 1);
    char *path = write_script("broken.lua", "x = 1\n\ny = x + nil\n");
    refuses(ARGS(path), 1, "broken.lua:3: ");
    path = write_script("binary.lua", "\033Lua");
    refuses(ARGS(path), 1, "binary");
}

static void usage(void **state) {
    (void)state;
    refuses(ARGS("--versoin"), 2, "did you mean --version?");
    refuses(ARGS("-x"), 2, "unknown option -x");
    refuses(ARGS("-e"), 2, "-e wants CODE");
    refuses(ARGS("chekc"), 2, "did you mean the command check?");
    refuses(ARGS("no/such.lua"), 2, "cannot read no/such.lua");
    refuses(ARGS("/"), 2, "cannot read /");
}

static void help_and_version(void **state) {
    (void)state;
    outcome *o = run("", ARGS("--help"));
    assert_int_equal(o->status, 0);
    static const char *const words[] = {"usage: phasor", "-e CODE",  "lesson", "check",
                                        "claims",        "--strict", "--json"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) expect_in(o->out, words[i]);
    assert_true(widest(o->out) <= 80);
    assert_null(strstr(o->out, " \n"));
    o = run("", ARGS("-e", "print(help())"));
    assert_true(widest(o->out) <= 80);
    o = run("", ARGS("--version"));
    assert_int_equal(o->status, 0);
    static const char *const parts[] = {
        "phasor ", "Lua ",     " 5.4.",        "OpenBLAS", "LAPACK",
        "jansson", "readline", "zlib      1.", "FLINT",    "processor kernels for",
        "thread"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) expect_in(o->out, parts[i]);
}

/* A full disk must not look like success. */
static void an_output_that_fails(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "%s --help > /dev/full 2> /dev/null", phasor());
    int status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

static void an_interrupted_script(void **state) {
    (void)state;
    char *path = write_script("loop.lua", "print 'off' io.stdout:flush() while true do end");
    term *t = term_open(ARGS(path));
    expect(t, "off");
    type(t, "\003");
    assert_int_equal(term_close(t), 130);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(inputs_from_a_pipe),
        CASE(an_error_goes_on),
        CASE(an_unfinished_input_is_reported),
        CASE(a_dying_cell_costs_itself),
        CASE(a_search_leaves_no_trace),
        CASE(input_for_a_program),
        CASE(chunks),
        CASE(a_value_alone_is_no_program),
        CASE(scripts),
        CASE(chunks_show_their_values),
        CASE(require_beside_the_script),
        CASE(help_of_each_command),
        CASE(help_in_chinese),
        CASE(inputs_and_files),
        CASE(variables_are_listed),
        CASE(a_search_finds),
        CASE(help_is_asked_for_in_several_ways),
        CASE(escapes_are_harmless),
        CASE(statuses),
        CASE(usage),
        CASE(help_and_version),
        CASE(an_output_that_fails),
        CASE(an_interrupted_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
