/* Keys at the prompt beyond Enter: Tab that lists, lines of one input, a window that changes while one types; and a terminal whose output goes
 * to a file, where lines are plain. Needs a phasor built with Readline.
 * Sources: repl/edit.c repl/edit_readline.c repl/commands.c repl/screen.c repl/pager.c */
#include "e2e/drive.h"

#include <sys/stat.h>

/* What all candidates begin with is typed; then they are listed, the line is there again, and one more letter decides. */
static void tab_lists_what_it_could_be(void **state) {
    (void)state;
    term *t = term_at_prompt();
    gives(t, "zebra_one, zebra_two = 11, 22", "");
    type(t, "zeb\t");
    expect(t, "zebra_");
    type(t, "\t");
    expect(t, "zebra_one");
    expect(t, "zebra_two");
    expect(t, "zebra_"); /* the line */
    type(t, "tw\t\r");
    expect(t, RUNS "22\r\n");
    expect_prompt(t);
    type(t, "nosuchthing\t\t = 4\r"); /* nothing to complete: the line stays as it is */
    expect_prompt(t);
    gives(t, "nosuchthing", "4\r\n");
    term_leave(t);
}

/* At the beginning of a line Tab is two blanks, also in the second one. */
static void tab_indents(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "s = [[\r");
    expect(t, ">> ");
    type(t, "\tx]]\r");
    expect_prompt(t);
    gives(t, "s", "  x\r\n");
    term_leave(t);
}

/* Home and End are of the line, twice of the whole; Alt-Enter breaks a line that could run; Down goes to the next line, or the next entry. */
static void keys_of_an_input_of_many_lines(void **state) {
    (void)state;
    term *t = term_at_prompt();
    type(t, "a = 1\033\rb = 2"); /* Alt-Enter */
    expect(t, ">> ");
    type(t,
         "\033[H0\033[F0\033[A\033[F0\033[H\033[3~c"); /* b: 0b = 20; up; at its end 0; its first letter c */
    type(t, "\033[B\033[H\033[3~\r");                  /* down again: what was put before b goes */
    expect_prompt(t);
    gives(t, "c, b", "10\t20\r\n");
    gives(t, "'first'", "first\r\n");
    gives(t, "'second'", "second\r\n");
    gives(t, "\033[A\033[A\033[B", "second\r\n");
    term_leave(t);
}

/* A line that stands folded on the screen while the window becomes narrower and wider is still the line that was typed. */
static void the_window_changes_under_a_line(void **state) {
    (void)state;
    const struct winsize narrow = {.ws_row = 24, .ws_col = 30}, wide = {.ws_row = 24, .ws_col = 120};
    term *t = term_at_prompt();
    type(t, "text = 'a line that is longer than thirty columns are, as ever'");
    expect(t, "ever'");
    assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &narrow), 0);
    expect(t, "ever'"); /* drawn anew */
    assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &wide), 0);
    expect(t, "as ever'");
    type(t, "\033[D!\r");
    expect_prompt(t);
    gives(t, "text:sub(-10)", ", as ever!\r\n");
    term_leave(t);
}

static void errors_say_where(void **state) {
    (void)state;
    setenv("NO_COLOR", "1", 1);
    term *t = term_at_prompt();
    type(t, "function f(x)\rif x == 0 then error 'at last' end\rf(x - 1)\rend\r");
    expect_prompt(t);
    enter(t, "f(3)", "at last");
    enter(t, "???", "??? wants words to search for");
    enter(t, ":why", NULL);
    type(t, "do\rlocal a = 1\rerror 'third'\rend\r");
    expect(t, "error: line 3: third");
    expect_prompt(t);
    unsetenv("NO_COLOR");
    term_leave(t);
}

/* A program may clear the screen, and say how far it is; the line that said so is gone when it is done. */
static void a_program_clears_the_screen(void **state) {
    (void)state;
    term *t = term_at_prompt();
    enter(t, "clear()", "\033[H\033[2J");
    enter(t, "progress('half', 0.5) progress('whole', 1) print 'done'", "\r\033[K 50 % half\r\033[Kdone\r\n");
    term_leave(t);
}

/* A terminal to type at, but what is shown goes to a file: prompts go to the terminal still, Ctrl-C cancels an input, Ctrl-D ends. */
static void the_output_goes_to_a_file(void **state) {
    (void)state;
    char path[128], text[200] = "", real[512];
    snprintf(path, sizeof path, "%s/plain", home);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_non_null(realpath(phasor(), real));
    fprintf(f, "#!/bin/sh\nexec '%s' > '%s/shown'\n", real, home);
    fclose(f);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("PHASOR", path, 1);
    term *t = term_open(NULL);
    setenv("PHASOR", real, 1);
    expect(t, "> ");
    type(t, "print(6 * 7)\r");
    expect(t, "> ");
    type(t, "if true then\r");
    expect(t, ">> ");
    type(t, "\003");
    expect(t, "> ");
    type(t, "print(6 * 8)\r");
    expect(t, "> ");
    term_leave(t);
    snprintf(path, sizeof path, "%s/shown", home);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    expect_in(text, "42\n48\n");
}

/* Input through a pipe that stays open: an interrupt means the whole run. */
static void an_interrupt_ends_a_run_of_a_pipe(void **state) {
    (void)state;
    int in[2], out[2];
    char seen[64];
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        dup2(in[0], 0), dup2(out[1], 1);
        close(in[1]), close(out[0]);
        execl(phasor(), phasor(), "-", (char *)NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    assert_true(write(in[1], "print 'here'\n", 13) == 13);
    long until = milliseconds() + PATIENCE_MS;
    int status = 0;
    pid_t ended = 0;
    struct pollfd p = {out[0], POLLIN, 0};
    while (ended == 0 && milliseconds() < until) {
        if (poll(&p, 1, 200) > 0 && read(out[0], seen, sizeof seen) < 0) break;
        kill(pid, SIGINT);
        usleep(50000);
        ended = waitpid(pid, &status, WNOHANG);
    }
    if (ended == 0) kill(pid, SIGKILL), waitpid(pid, &status, 0);
    close(in[1]), close(out[0]);
    assert_int_equal(ended, pid);
    assert_true(WIFEXITED(status) || WTERMSIG(status) == SIGINT); /* no crash */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(tab_lists_what_it_could_be),
        CASE(tab_indents),
        CASE(keys_of_an_input_of_many_lines),
        CASE(the_window_changes_under_a_line),
        CASE(errors_say_where),
        CASE(a_program_clears_the_screen),
        CASE(the_output_goes_to_a_file),
        CASE(an_interrupt_ends_a_run_of_a_pipe),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
