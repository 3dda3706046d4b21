/* What is long comes in pages at a terminal, under its heading; and a picture is moved by keys. Needs a phasor built with Readline.
 * Sources: repl/keys.c repl/pager.c session/front.c */
#include "e2e/drive.h"

static void help_comes_in_pages(void **state) {
    (void)state;
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    type(t, "help()\r");
    expect(t, MORE_PAGES);
    type(t, " ");
    expect(t, MORE_PAGES);
    type(t, "q");
    expect_prompt(t);
    enter(t, "1 + 1", "2\r\n");
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

/* The atlas shows its rows as they are judged: the first stands before what tells how far the others are. */
static void the_atlas_comes_row_by_row(void **state) {
    (void)state;
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    type(t, "atlas()\r");
    expect(t, "alibi   ");
    expect(t, "% atlas: ");
    expect(t, MORE_PAGES);
    type(t, " ");
    expect(t, "sinusoidal   ");
    expect(t, MORE_PAGES);
    type(t, " ");
    expect(t, "N = 512");
    expect_prompt(t);
    enter(t, "#tostring(_) > 1000", "true\r\n");
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

/* A line that is longer than a page: a page of it, and the next; all of it where it is wanted, and no row twice. */
static void a_long_line_comes_in_pages(void **state) {
    (void)state;
    term *t = term_open(NO_ARGS);
    size_t shown = 0;
    expect_prompt(t);
    type(t, "string.rep('x', 4000) .. 'end'\r");
    expect(t, RUNS);
    size_t from = t->mark;
    for (int i = 0; i < 2; i++) {
        expect(t, MORE_PAGES);
        type(t, " ");
    }
    expect(t, "end");
    for (const char *p = t->seen + from; p < t->seen + t->mark; p++) shown += *p == 'x';
    assert_int_equal(shown, 4000 + 2); /* and one in each "next" */
    expect_prompt(t);
    type(t, "string.rep('x', 3e8)\r");
    expect(t, MORE_PAGES);
    type(t, "q");
    expect_prompt(t);
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

/* What a program prints by itself is no page: nobody wants to turn those of a training. */
static void prints_do_not_wait(void **state) {
    (void)state;
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    enter(t, "for i = 1, 60 do print('row', i) end", "row\t60");
    expect_none(t, 0, MORE_PAGES);
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

static void a_picture_is_moved(void **state) {
    (void)state;
    term *t = term_open(NO_ARGS);
    expect_prompt(t);
    type(t, "vary(function(p) return 'square ' .. p.n^2 end, {n = {1, 5}})\r");
    expect(t, "n = 3");
    expect(t, "square 9.0");
    type(t, "\033[C");
    expect(t, "square 16.0");
    type(t, "\033OD\033OD");
    expect(t, "square 4.0");
    type(t, "\r");
    expect_prompt(t);
    enter(t, "#_:frames()", "5\r\n");
    type(t, ":quit\r");
    assert_int_equal(term_close(t), 0);
}

static void without_a_terminal_it_stands(void **state) {
    (void)state;
    outcome *o = run("", ARGS("-e", "vary(function(p) return p.n^2 end, {n = {1, 5}})"));
    assert_int_equal(o->status, 0);
    assert_string_equal(o->out, "n = 3\n9.0\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(help_comes_in_pages),        CASE(the_atlas_comes_row_by_row),
                                       CASE(a_long_line_comes_in_pages), CASE(prints_do_not_wait),
                                       CASE(a_picture_is_moved),         CASE(without_a_terminal_it_stands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
