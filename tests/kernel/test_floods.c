/* A kernel that is sent more than it can take at once, what is not for it, and bytes that are no text. The real binary, over its sockets.
 * Sources: kernel/connection.c */
#include "client.h"

/* The control channel is as careful: neither a forged nor a replayed message ends anything, and what nobody knows is ignored. */
static void control_messages_that_are_none(void **state) {
    (void)state;
    static const char shutdown[] =
        "{\"msg_id\": \"forged\", \"msg_type\": \"shutdown_request\", \"session\": \"t\"}";
    static const char interrupt[] =
        "{\"msg_id\": \"once\", \"msg_type\": \"interrupt_request\", \"session\": \"t\"}";
    send_signed(KRN_CONTROL, "another key", shutdown, "{}");
    send_signed(KRN_CONTROL, KEY, interrupt, "{}");
    take_reply(KRN_CONTROL, "once", "interrupt_reply");
    post_cell("for i = 1, 2e8 do end x = 'whole'");
    char cell[40];
    strcpy(cell, c.id);
    usleep(200000);
    send_signed(KRN_CONTROL, KEY, interrupt, "{}"); /* the same once more, while a cell runs */
    post(KRN_CONTROL, "make_coffee_request", "{}");
    post(KRN_CONTROL, "kernel_info_request", "{}");
    take_reply(KRN_CONTROL, c.id, "kernel_info_reply");
    assert_string_equal(finish(cell), "ok");
    post(KRN_STDIN, "input_reply", "{\"value\": \"nobody asked\"}");
    SHOWS("x", "whole");
}

/* More requests at once than a socket of ZeroMQ holds by itself (1000) or the kernel sets aside behind a failed cell. */
static void floods_of_requests(void **state) {
    (void)state;
    enum { MANY = 3000 };
    char first[40], last[40];
    run("n = 0");
    long before = c.asked;
    for (int i = 0; i < MANY; i++) {
        post(KRN_SHELL, i % 3 ? "execute_request" : "is_complete_request", "{\"code\": \"n = n + 1\"}");
        if (i == 0) strcpy(first, c.id);
    }
    strcpy(last, c.id);
    for (int i = 0; i < MANY; i++) {
        char id[40];
        snprintf(id, sizeof id, "m%ld", before + 1 + i);
        take_reply(KRN_SHELL, id, i % 3 ? "execute_reply" : "is_complete_reply");
    }
    hear(first);
    hear(last); /* each was busy and idle */
    SHOWS("n", "2000");
}

/* What the log of the kernel holds, in bytes. */
static long logged(void) {
    char path[300];
    struct stat s;
    snprintf(path, sizeof path, "%s/log", c.folder);
    assert_int_equal(stat(path, &s), 0);
    return (long)s.st_size;
}

/* Forged messages leave a line for each doubling of their count, 14 of at most 200 bytes for 5000: no stranger fills the log, nor a pipe
 * that nobody reads, where the kernel would wait. */
static void a_flood_of_forged_messages_is_told_in_few_lines(void **state) {
    (void)state;
    long before = logged();
    for (int i = 0; i < 5000; i++)
        send_signed(KRN_SHELL, "another key", "{\"msg_id\": \"f\", \"msg_type\": \"execute_request\"}", "{}");
    SHOWS("1 + 1", "2");
    long told = logged() - before;
    assert_true(told > 0 && told <= 14 * 200);
}

/* A message is JSON, which is UTF-8: what is none is shown as U+FFFD, whoever writes it. */
static void bytes_that_are_no_text(void **state) {
    (void)state;
    run("print('a\\xff\\xceb\\0c')");
    char *out = streamed("stdout");
    assert_non_null(strstr(out, "a\xef\xbf\xbd\xef\xbf\xbd"));
    ph_free(out);
    run("os.execute [[printf 'a\\377b']]");
    out = streamed("stdout");
    assert_string_equal(out, "a\xef\xbf\xbd"
                             "b");
    ph_free(out);
    assert_string_equal(run("'a\\xff'"), "ok");
    assert_non_null(strstr(value(), "a"));
    assert_string_equal(run("error('\\xff')"), "error");
    assert_string_equal(run("display{['text/plain'] = '\\xff'}"), "ok");
    post_cell("ask '\\xff'");
    answer_with("θ", "\xef\xbf\xbd", false);
    assert_string_equal(finish(c.id), "ok");
    assert_string_equal(value(), "θ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(control_messages_that_are_none),
        CASE(floods_of_requests),
        CASE(a_flood_of_forged_messages_is_told_in_few_lines),
        CASE(bytes_that_are_no_text),
    };
    return cmocka_run_group_tests(tests, open_tests, NULL);
}
