/* The prompt at a terminal, as a person meets it. Needs a phasor built with Readline.
 * Sources: repl/commands.c repl/edit.c repl/edit_readline.c repl/inputs.c repl/keys.c repl/lines.c repl/repl.c repl/request.c repl/screen.c
 * Sources: repl/settings.c repl/signals.c */
#include "e2e/drive.h"

#include "base/utf8.h"
#include "repl/edit.h"

static void welcomes_and_prints(void **state) {
    (void)state;
    term *t = term_open(NULL);
    expect(t, "phasor");
    expect(t, "lesson \"order\"");
    expect_prompt(t);
    gives(t, "1 + 1", "2\r\n");
    gives(t, "_ * 10", "20\r\n");
    gives(t, "θ = 1/3", "");
    gives(t, "θ", "0.3333333333333333\r\n");
    term_leave(t);
}

/* Not in the middle of a word at the terminal's edge. */
static void a_long_verdict_is_folded(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "A, B = symmatrix('A', 2, 2), symmatrix('B', 2, 2)", "");
    enter(t, "prove(matmul(A, B)(1, 1), matmul(B, A)(1, 1))", "B21 = -7/3:\r\n    left side");
    enter(t, "print(prove(matmul(A, B)(1, 1), matmul(B, A)(1, 1)))", "B21 = -7/3:\r\n    left side");
    term_leave(t);
}

static void a_semicolon_silences(void **state) {
    (void)state;
    term *t = term_at_prompt();
    size_t from = t->mark;
    gives(t, "40 + 2;", "");
    expect_none(t, from, "42");
    gives(t, "_", "42\r\n");
    term_leave(t);
}

static void an_open_line_is_ended(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "io.write('abc')\r");
    expect(t, RUNS "abc\r\n");
    expect_prompt(t);
    term_leave(t);
}

static void error_with_caret(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "x = 'θ' * / 2\r");
    expect(t, "error");
    expect(t, "\r\n  x = 'θ' * / 2\r\n            ");
    expect(t, "^");
    expect_prompt(t);
    gives(t, "'still ' .. 'here'", "still here\r\n");
    term_leave(t);
}

static void an_expression_behind_a_statement(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "x = 1; x", "1\r\n");
    gives(t, "a = 3; b = 4; a*b", "12\r\n");
    gives(t, "1 + 1; 2 + 2", "2\r\n4\r\n");
    term_leave(t);
}

/* `quit` and `exit` leave, as in other programs, until they are somebody's variables. */
static void words_that_leave(void **state) {
    static const char *const words[] = {"quit\r", "exit()\r", " quit();\r"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        term *t = term_at_prompt();
        type(t, words[i]);
        assert_int_equal(term_close(t), 0);
    }
    term *t = term_at_prompt();
    gives(t, "quit = 5", "");
    gives(t, "quit", "5\r\n");
    term_leave(t);
}

static void many_lines(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "for i = 1, 2 do\r");
    expect(t, ">> ");
    type(t, "print('line ' .. i)\r");
    expect(t, ">> ");
    type(t, "end\r");
    expect(t, RUNS "line 1\r\nline 2\r\n");
    expect_prompt(t);
    term_leave(t);
}

static void history_survives_with_its_lines(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "function twice(x)\r");
    expect(t, ">> ");
    type(t, "return 2 * x\r");
    expect(t, ">> ");
    type(t, "end\r");
    expect_prompt(t);
    gives(t, "'last'", "last\r\n");
    term_leave(t);

    t = term_at_prompt();
    gives(t, "\033[A", "last\r\n");
    type(t, "\033[A\033[A");
    expect(t, ">> end");
    type(t, "\r");
    expect_prompt(t);
    gives(t, "twice(21)", "42\r\n");
    type(t, "\022return 2"); /* Ctrl-R finds a text inside a many-line entry */
    expect(t, "function twice");
    type(t, "\r");
    expect_prompt(t);
    term_leave(t);
}

static void an_entry_of_many_lines_is_edited(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "do\r");
    expect(t, ">> ");
    type(t, "print('one')\r");
    expect(t, ">> ");
    type(t, "end");
    type(t, "\033[A\005\177\177three')"); /* up, to the end of that line, two back */
    type(t, "\r");
    expect(t, RUNS "onethree\r\n");
    expect_prompt(t);
    term_leave(t);
}

static void control_c_cancels_a_line(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "x = (1 +\r");
    expect(t, ">> ");
    type(t, "\003");
    expect(t, "^C");
    expect_prompt(t);
    gives(t, "'fresh'", "fresh\r\n");
    term_leave(t);
}

static void control_c_stops_a_loop(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "kept = 7", "");
    type(t, "print 'off'; while true do end\r");
    expect(t, RUNS "off\r\n");
    type(t, "\003");
    expect(t, "^C\r\n"); /* the terminal's echo, then a line of its own for the rest */
    expect(t, "interrupted\r\n");
    expect_prompt(t);
    gives(t, "kept", "7\r\n");
    type(t, "print 'again'; while true do pcall(function() while true do end end) end\r");
    expect(t, RUNS "again\r\n");
    type(t, "\003");
    expect_prompt(t);
    gives(t, "kept + 1", "8\r\n");
    term_leave(t);
}

/* However soon it comes after Enter: while the line is looked at, while the request is made, or when the cell runs. */
static void control_c_right_behind_enter(void **state) {
    (void)state;
    static const useconds_t pauses[] = {0, 300, 600, 1000, 1500, 2500, 5000};
    term *t = term_at_prompt();
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
        type(t, "while true do end\r");
        usleep(pauses[i]);
        type(t, "\003");
        expect_prompt(t);
    }
    gives(t, "'alive'", "alive\r\n");
    term_leave(t);
}

static void help_is_no_wider_than_the_terminal(void **state) {
    (void)state;
    static const char *const pages[] = {":help",    "?",        "help()",  "? matmul",
                                        "?? atlas", "??? norm", "lesson()"};
    setenv("NO_COLOR", "1", 1);
    term *t = term_at_prompt();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        type(t, pages[i]);
        type(t, "\r");
        expect(t, RUNS);
        size_t from = t->mark;
        expect_prompt_by_pages(t);
        for (const char *p = t->seen + from, *end = t->seen + t->mark - strlen(PROMPT); p < end;) {
            if (strncmp(p, "\033[K", 3) == 0) p += 3; /* behind a page that was turned */
            size_t n = strcspn(p, "\r\n");
            if (ph_utf8_width(p, n) > 80) fail_msg("%s shows: %.*s", pages[i], (int)n, p);
            p += n + strspn(p + n, "\r\n");
        }
    }
    term_leave(t);
    unsetenv("NO_COLOR");
}

static void undo(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "v = 'before'", "");
    gives(t, "v = 'after'", "");
    enter(t, ":undo", "back to before: v = 'after'");
    gives(t, "v", "before\r\n");
    term_leave(t);
}

static void tab_completes(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "longish_name = 5", "");
    type(t, "longi\t");
    expect(t, "longish_name");
    type(t, " + 1\r");
    expect(t, RUNS "6\r\n");
    expect_prompt(t);
    type(t, "\\theta\t");
    expect(t, "θ");
    type(t, " = 9\r");
    expect_prompt(t);
    gives(t, "θ", "9\r\n");
    type(t, ":ti\t");
    expect(t, ":time");
    type(t, " on\r");
    expect(t, "timing is on");
    expect_prompt(t);
    term_leave(t);
}

static void commands(void **state) {
    (void)state;
    term *t = term_at_prompt();
    enter(t, ":udno", "did you mean :undo?");
    enter(t, ":xylophone", ":help lists them");
    enter(t, ":help", ":undo");
    enter(t, ":time maybe", "wanted on or off");
    enter(t, ":time on", "timing is on");
    enter(t, "1", " s\033[0m\r\n");
    enter(t, "?eye", "eye(");
    enter(t, "? eye", "eye(");
    enter(t, "??eye", "Example");
    enter(t, "??? identity", "eye");
    enter(t, "?linspcae", "did you mean 'linspace'?");
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

static void colours(void **state) {
    (void)state;
    term *t = term_at_prompt();
    enter(t, "error 'red'", "\033[1;31merror\033[0m");
    term_leave(t);
    setenv("NO_COLOR", "1", 1);
    t = term_at_prompt();
    enter(t, "error 'red'", "error: ");
    gives(t, "1", "1\r\n");
    enter(t, ":help", "  expression ");
    expect_none(t, 0, "\033[1;");
    expect_none(t, 0, "\033[0m");
    term_leave(t);
}

/* The worker is the shell's parent. */
static void a_killed_worker_costs_one_cell(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "kept = 'kept'", "");
    enter(t, "lost = 1; os.execute('kill -9 $PPID')", "as they were before it");
    gives(t, "kept, rawget(_G, 'lost')", "kept\tnil\r\n");
    enter(t, "os.exit(3)", ":quit leaves");
    gives(t, "kept .. '!'", "kept!\r\n");
    term_leave(t);
}

/* The worker is the only child of the front end. A small machine has no pgrep, but it has /proc. */
static pid_t only_child(pid_t of) {
    char command[160];
    int pid = 0;
    snprintf(command, sizeof command, "cat /proc/%d/task/%d/children 2>/dev/null || pgrep -P %d", (int)of,
             (int)of, (int)of);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    int n = fscanf(f, "%d", &pid), more;
    assert_int_equal(n, 1);
    assert_int_equal(fscanf(f, "%d", &more), EOF);
    pclose(f);
    assert_true(pid > 1);
    return (pid_t)pid;
}

static void a_worker_killed_while_typing(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "kept = 'kept'", "");
    gives(t, "later = 1", "");
    type(t, "ke");
    expect(t, "ke");
    assert_int_equal(kill(only_child(t->pid), SIGKILL), 0);
    type(t, "pt\r");
    expect(t, RUNS);
    expect(t, "killed"); /* first what happened, then the value */
    expect(t, "kept\r\n");
    expect_prompt(t);
    term_leave(t);
}

static void paste(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "\033[200~for i = 1, 2 do\rprint('pasted ' .. i)\rend\r\033[201~");
    expect(t, ">> end");
    type(t, "\r");
    expect(t, RUNS "pasted 1\r\npasted 2\r\n");
    expect_prompt(t);
    type(t, "\033[200~> a = 20\r> for i = 1, 2 do\r>>   a = a + i\r>> end\r> a\r23\r\033[201~\r");
    expect(t, RUNS "23\r\n");
    expect_prompt(t);
    gives(t, "> a + 1", "24\r\n");
    term_leave(t);
}

static void wide_and_combining_characters(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "'位置编码'\033[D\177\033[D\033[D界\033[F", "位界置编\r\n");
    /* e and an acute accent are one character on the screen and one to Backspace; é is 3 bytes so */
    gives(t, "#'e\314\201e\314\201'\033[D\177\033[F", "3\r\n");
    setenv("LC_ALL", "POSIX", 1);
    term_leave(t);
    t = term_at_prompt();
    gives(t, "'位置'\033[D\177\033[F", "位\r\n");
    term_leave(t);
}

static void a_program_asks(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "io.write('name? '); name = io.read()\r");
    expect(t, RUNS "name? ");
    type(t, "Ann\r");
    expect_prompt(t);
    gives(t, "name", "Ann\r\n");
    type(t, "io.read()\r");
    usleep(200000); /* nothing is shown while it waits */
    type(t, "\003");
    expect_prompt(t);
    gives(t, "'on'", "on\r\n");
    type(t, "\033[A\033[A\033[A\033[A"); /* what was read is no entry of the history */
    expect(t, "io.write('name? ')");
    type(t, "\003");
    expect_prompt(t);
    term_leave(t);
}

static void the_window_changes(void **state) {
    (void)state;
    struct winsize size = {.ws_row = 30, .ws_col = 100};
    term *t = term_at_prompt();
    gives(t, "require('phasor.session').settings.columns", "80\r\n");
    assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &size), 0);
    gives(t, "require('phasor.session').settings.columns", "100\r\n");
    size.ws_col = 40; /* what the laboratory says is folded between words */
    assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &size), 0);
    gives(t, "cos = 3",
          "warning: 'cos' now hides the\r\nlaboratory's own; 'cos = nil' brings\r\nthat back\r\n");
    enter(t, ":clear", ":clear; :help\r\nlists them, and functions are written\r\nwithout a colon");
    term_leave(t);
}

static void termination_restores_the_terminal(void **state) {
    (void)state;
    term *t = term_at_prompt();
    assert_int_equal(kill(t->pid, SIGTERM), 0);
    expect(t, "\033[?2004l");
    assert_int_equal(term_close(t), 128 + SIGTERM);
}

static void a_damaged_history_is_no_matter(void **state) {
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "mkdir %s/phasor && head -c 3000 /dev/urandom > %s/phasor/history", home,
             home);
    assert_int_equal(system(path), 0);
    term *t = term_at_prompt();
    gives(t, "'fine'", "fine\r\n");
    term_leave(t);
    t = term_at_prompt();
    gives(t, "\033[A", "fine\r\n");
    term_leave(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(welcomes_and_prints),
        CASE(a_long_verdict_is_folded),
        CASE(a_semicolon_silences),
        CASE(an_open_line_is_ended),
        CASE(error_with_caret),
        CASE(an_expression_behind_a_statement),
        CASE(words_that_leave),
        CASE(many_lines),
        CASE(history_survives_with_its_lines),
        CASE(an_entry_of_many_lines_is_edited),
        CASE(control_c_cancels_a_line),
        CASE(control_c_stops_a_loop),
        CASE(control_c_right_behind_enter),
        CASE(help_is_no_wider_than_the_terminal),
        CASE(undo),
        CASE(tab_completes),
        CASE(commands),
        CASE(colours),
        CASE(a_killed_worker_costs_one_cell),
        CASE(a_worker_killed_while_typing),
        CASE(paste),
        CASE(wide_and_combining_characters),
        CASE(a_program_asks),
        CASE(the_window_changes),
        CASE(termination_restores_the_terminal),
        CASE(a_damaged_history_is_no_matter),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
