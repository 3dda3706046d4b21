/* Messages that somebody made by hand, signed with the connection's key: where their header names a request they get its reply, whatever the other
 * parts hold; else none. The kernel goes on with its variables.
 * Sources: kernel/wire.c kernel/kernel.c kernel/answer.c kernel/execute.c kernel/history.c */
#include "client.h"

/* Four parts as they are, under their signature or that of others. */
static void send_parts(krn_channel to, const char *const parts[4], bool spoiled) {
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    krn_frame part[4];
    for (int i = 0; i < 4; i++) part[i] = (krn_frame){(char *)parts[i], strlen(parts[i])};
    krn_sign(&c.wire.key, part, 4, sum);
    ph_sha256_digits(digits, sum);
    if (spoiled) digits[63] = digits[63] == '0' ? '1' : '0';
    zmq_send(c.socket[to], "<IDS|MSG>", 9, ZMQ_SNDMORE);
    zmq_send(c.socket[to], digits, 64, ZMQ_SNDMORE);
    for (int i = 0; i < 4; i++) zmq_send(c.socket[to], part[i].s, part[i].n, i < 3 ? ZMQ_SNDMORE : 0);
}

#define EVIL "{\"code\": \"kept = 666\"}"

static void headers_that_name_no_request(void **state) {
    (void)state;
    static const char *const headers[] = {
        "[]",
        "7",
        "null",
        "\"execute_request\"",
        "{}",
        "{\"msg_id\": 7, \"msg_type\": \"execute_request\"}",
        "{\"msg_id\": \"a\", \"msg_type\": 7}",
        "{\"msg_id\": [\"a\"], \"msg_type\": \"execute_request\"}",
        "{\"msg_id\": \"b\", \"msg_type\": [\"execute_request\"]}",
        "{\"msg_id\": \"c\", \"msg_type\": null}",
        "{\"msg_id\": \"d\"}",
        "{\"msg_type\": \"execute_request\"}",
        "{\"msg_id\": \"e\", \"msg_type\": \"execute_request\\u0000\"}",
        "{\"msg_id\": \"j\\u0000\", \"msg_type\": \"shutdown_request\\u0000\"}",
        "{\"msg_id\": \"f\", \"msg_type\": \"EXECUTE_REQUEST\"}",
        "{\"msg_id\": \"g\", \"msg_type\": \"\"}",
        "{\"msg_id\": \"h\", \"msg_type\": \"execute_reply\"}",
        "{\"msg_id\": \"i\", \"msg_type\": \"\\u001b]0;t\\u0007\"}"};
    /* A signature is taken once, whatever the channel: each hears one of its own. */
    static const char *const parents[] = {[KRN_SHELL] = "{}", [KRN_CONTROL] = "{ }", [KRN_STDIN] = "{  }"};
    SHOWS("kept = 7 return kept", "7");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        for (int to = KRN_SHELL; to <= KRN_STDIN; to++)
            send_parts(to, (const char *[4]){headers[i], parents[to], "{}", EVIL}, false);
    }
    static const char good[] = "{\"msg_id\": \"x\", \"msg_type\": \"execute_request\"}";
    send_parts(KRN_SHELL, (const char *[4]){good, "{}", "{}", EVIL}, true); /* not of the key */
    size_t n = (size_t)3 << 20;
    char *deep = malloc(n + 1); /* nested beyond what JSON's reader takes */
    memset(deep, '[', n);
    deep[n] = 0;
    send_parts(KRN_SHELL, (const char *[4]){deep, "{}", "{}", EVIL}, false);
    free(deep);
    SHOWS("kept", "7");
}

static void parts_of_the_wrong_kind(void **state) {
    (void)state;
    static const char *const parts[][3] = {
        /* parent, metadata, content */
        {"[]", "{}", "{\"code\": \"kept\"}"},
        {"7", "[]", "{\"code\": \"kept\"}"},
        {"\"a\"", "null", "{\"code\": \"kept\"}"},
        {"{\"msg_id\": 7}", "{\"a\": [[[]]]}", "{\"code\": \"kept\"}"},
        {"{", "{", "{\"code\": \"kept\", \"silent\": \"x\"}"},
        {"{}", "{}", "{\"code\": [\"kept = 8\"]}"},
        {"{}", "{}", "{\"code\": {\"kept\": 8}}"},
        {"{}", "{}", "{\"code\": true, \"silent\": 7}"},
        {"{}", "{}", "{\"code\": 1e999}"},
        {"{}", "{}", "[\"kept = 8\"]"},
        {"{}", "{}", "\"kept = 8\""},
        {"{}", "{}", "{\"code\": \"kept\", \"code\": 7}"},
        {"{}", "{}", "{\"code\": \"kept\", \"user_expressions\": []}"},
        {"{}", "{}", "{\"code\": \"kept\", \"store_history\": [], \"allow_stdin\": {}}"}};
    char header[200], id[40];
    SHOWS("kept = 7 return kept", "7");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(id, sizeof id, "part-%zu", i);
        snprintf(
            header, sizeof header,
            "{\"msg_id\": \"%s\", \"msg_type\": \"execute_request\", \"session\": 7, \"username\": [], \"date\": {}, "
            "\"version\": null}",
            id);
        send_parts(KRN_SHELL, (const char *[4]){header, parts[i][0], parts[i][1], parts[i][2]}, false);
        take_reply(KRN_SHELL, id, "execute_reply");
        hear(id);
        assert_true(*krn_text(c.reply, "status"));
    }
    SHOWS("kept", "7");
}

/* A NUL ends no cell: what stands before it is not run for the whole. */
static void cells_with_a_nul(void **state) {
    (void)state;
    static const char *const cells[] = {"kept\\u0000", "\\u0000kept = 8", ":undo\\u0000", "? kept\\u0000",
                                        " \\u0000"};
    SHOWS("kept = 7 return kept", "7");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char content[80];
        snprintf(content, sizeof content, "{\"code\": \"%s\"}", cells[i]);
        post(KRN_SHELL, "execute_request", content);
        assert_string_equal(finish(c.id), "error"); /* Lua says what stands where */
    }
    SHOWS("kept", "7");
}

/* A megabyte of a cell, and of a name of a request. (Eight took 20 s on a machine with a load of 20.) */
static void parts_that_are_huge(void **state) {
    (void)state;
    size_t n = (size_t)1 << 20;
    char *text = malloc(n + 200), header[100];
    SHOWS("kept = 7 return kept", "7");
    memset(text, 'x', n);
    memcpy(text, "{\"code\": \"", 10);
    strcpy(text + n, "\"}");
    snprintf(header, sizeof header, "{\"msg_id\": \"huge\", \"msg_type\": \"execute_request\"}");
    send_parts(KRN_SHELL, (const char *[4]){header, "{}", "{}", text}, false);
    take_reply(KRN_SHELL, "huge", "execute_reply");
    hear("huge");
    static const char begin[] = "{\"msg_id\": \"name\", \"msg_type\": \"";
    memset(text, 'x', n);
    memcpy(text, begin, sizeof begin - 1);
    strcpy(text + n, "\"}");
    send_parts(KRN_SHELL, (const char *[4]){text, "{}", "{}", EVIL}, false);
    hear("name");
    assert_int_equal(json_array_size(c.heard), 0);
    free(text);
    SHOWS("kept", "7");
}

int main(void) {
    const struct CMUnitTest tests[] = {CASE(headers_that_name_no_request), CASE(parts_of_the_wrong_kind),
                                       CASE(cells_with_a_nul), CASE(parts_that_are_huge)};
    return cmocka_run_group_tests(tests, open_tests, NULL);
}
