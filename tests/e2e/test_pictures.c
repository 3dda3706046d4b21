/* Pictures at the prompt: what the terminal is asked, what it is shown. Needs a phasor built with Readline.
 * Sources: repl/graphics.c */
#include "e2e/drive.h"

#define QUESTION "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c"
#define NO_MORE  "\033[?62;22c" /* a terminal without sixels */

/* A session on a terminal that gives this answer when it is asked. */
static term *begin(const char *answer) {
    setenv("COLORTERM", "truecolor", 1);
    term *t = term_open(NULL);
    expect(t, QUESTION);
    type(t, answer);
    expect_prompt(t);
    return t;
}

static void leave(term *t) {
    term_leave(t);
    unsetenv("COLORTERM");
}

static void kitty_gets_a_png(void **state) {
    (void)state;
    term *t = begin("\033_Gi=31;OK\033\\" NO_MORE);
    type(t, "plot({1, 2}, {3, 4})\r");
    expect(t, RUNS "\033_Gf=100,a=T,q=2,m=1;iVBORw0KGgo"); /* how the base64 of every PNG begins */
    expect(t, "\033_Gm=0;");
    expect(t, "\033\\\r\n");
    expect_prompt(t);
    gives(t, "1 + 1", "2\r\n");
    leave(t);
}

static void others_get_sixels(void **state) {
    (void)state;
    term *t = begin("\033[?62;4;22c");
    type(t, "heatmap({{1, 2}, {3, 4}})\r");
    expect(t, RUNS "\033P0;1q\"1;1;800;500"); /* 80 columns of 10 pixels */
    expect(t, "\033\\\r\n");
    expect_prompt(t);
    leave(t);
}

static void the_rest_gets_text(void **state) {
    (void)state;
    term *t = begin(NO_MORE);
    type(t, "plot({1, 2}, {3, 4}, {title='θ rises'})\r");
    expect(t, "θ rises");
    expect(t, "\033[38;2;79;168;220m⣀"); /* in true colour */
    expect(t, "└");
    expect_prompt(t);
    type(t, "display(plot({1, 2}, {3, 4}, {title='shown'})) print 'after'\r");
    expect(t, "shown");
    expect(t, "after");
    expect_prompt(t);
    leave(t);
}

/* Silence costs a moment; what is typed into it is not lost. */
static void a_silent_terminal(void **state) {
    (void)state;
    setenv("COLORTERM", "truecolor", 1);
    term *t = term_open(NULL);
    expect(t, QUESTION);
    type(t, "6 * 7\r");
    expect(t, "42\r\n");
    expect_prompt(t);
    leave(t);
}

static void answers_between_what_is_typed(void **state) {
    (void)state;
    term *t = begin("40 \033_Gi=31;ENOTSUP\033\\+" NO_MORE " 2\r");
    expect(t, "42\r\n");
    expect_prompt(t);
    leave(t);
}

/* Terminals that make nothing of themselves, and those of whom it is not wanted, are not asked. */
static void some_are_not_asked(void **state) {
    (void)state;
    term *t = term_open(NULL);
    expect_prompt(t);
    expect_none(t, 0, "\033[c");
    type(t, "plot({1, 2}, {3, 4})\r");
    expect(t, "\033[38;5;74m"); /* 256 colours, as xterm-256color says */
    expect_prompt(t);
    leave(t);
    setenv("COLORTERM", "truecolor", 1);
    setenv("PHASOR_GRAPHICS", "none", 1);
    t = term_open(NULL);
    expect_prompt(t);
    expect_none(t, 0, "\033[c");
    leave(t);
    unsetenv("PHASOR_GRAPHICS");
}

static void a_pipe_gets_plain_text(void **state) {
    (void)state;
    outcome *o = run("", ARGS("-e", "print(plot({1, 2}, {3, 4}, {title='plain'}))"));
    expect_in(o->out, "plain");
    expect_in(o->out, "└");
    assert_null(strchr(o->out, 27));
    setenv("LC_ALL", "en_US.ISO-8859-1", 1);
    o = run("", ARGS("-e", "print(plot({1, 2}, {3, 4}))"));
    assert_int_equal(o->status, 0);
    for (const char *s = o->out; *s; s++) assert_true((unsigned char)*s < 127);
}

/* A terminal of 10 columns. */
static void a_narrow_terminal(void **state) {
    (void)state;
    term *t = term_open(NULL);
    struct winsize size = {.ws_row = 24, .ws_col = 10};
    expect_prompt(t);
    assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &size), 0);
    enter(t, "p=1", NULL);
    type(t, "plot({1,2})\r");
    expect(t, "│");
    expect(t, "└┬");
    expect_prompt(t);
    leave(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(kitty_gets_a_png),
        CASE(others_get_sixels),
        CASE(the_rest_gets_text),
        CASE(a_silent_terminal),
        CASE(answers_between_what_is_typed),
        CASE(some_are_not_asked),
        CASE(a_pipe_gets_plain_text),
        CASE(a_narrow_terminal),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
