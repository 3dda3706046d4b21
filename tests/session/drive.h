/* drive.h: what the session tests share: a request goes in, its events come back as one JSON array. */
#ifndef PH_TEST_DRIVE_H
#define PH_TEST_DRIVE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "fixture.h"
#include "worker/worker.h"

static json_t *events; /* of the last request */

static void collect(void *user, json_t *event) {
    (void)user;
    json_array_append(events, event);
}

static void forget_events(void) {
    json_decref(events);
    events = json_array();
}

/* Asks and returns the status in "done", of which there must be exactly one, at the end. */
static const char *ask_with(ses *s, json_t *request, ses_on_event *on_event, void *user) {
    ph_err err = {0};
    forget_events();
    if (ses_request(s, request, on_event, user, &err) != PH_OK) fail_msg("request: %s", err.text);
    size_t n = json_array_size(events);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        const char *kind = json_string_value(json_object_get(json_array_get(events, i), "event"));
        assert_non_null(kind);
        assert_true((strcmp(kind, "done") == 0) == (i + 1 == n));
    }
    return json_string_value(json_object_get(json_array_get(events, n - 1), "status"));
}

static json_t *eval_request(const char *code) {
    return json_pack("{s:s, s:s, s:s}", "op", "eval", "code", fixture(code), "name", "prompt");
}

static __attribute__((unused)) const char *eval(ses *s, const char *code) {
    return ask_with(s, eval_request(code), collect, NULL);
}

/* The first event of a kind, or NULL. */
static __attribute__((unused)) json_t *event_of(const char *kind) {
    size_t i;
    json_t *e;
    json_array_foreach(events, i,
                       e) if (strcmp(json_string_value(json_object_get(e, "event")), kind) == 0) return e;
    return NULL;
}

/* A text field of the first event of a kind; "" when there is none. */
static __attribute__((unused)) const char *text_of(const char *kind, const char *field) {
    const char *t = json_string_value(json_object_get(event_of(kind), field));
    return t ? t : "";
}

static __attribute__((unused)) int int_of(const char *kind, const char *field) {
    return (int)json_integer_value(json_object_get(event_of(kind), field));
}

/* The value that the cell printed, as plain text; "" when there is none. */
static __attribute__((unused)) const char *result(void) {
    const char *t =
        json_string_value(json_object_get(json_object_get(event_of("result"), "data"), "text/plain"));
    return t ? t : "";
}

/* All that went to one stream, in a static buffer. */
static __attribute__((unused)) const char *printed(const char *name) {
    static char buf[1 << 16];
    size_t i;
    json_t *e;
    *buf = 0;
    json_array_foreach(events, i, e) {
        if (strcmp(json_string_value(json_object_get(e, "event")), "stream") != 0) continue;
        if (strcmp(json_string_value(json_object_get(e, "name")), name) != 0) continue;
        strncat(buf, json_string_value(json_object_get(e, "text")), sizeof buf - strlen(buf) - 1);
    }
    return buf;
}

#define OK(s, code)                                                                                          \
    do {                                                                                                     \
        const char *status_ = eval(s, code);                                                                 \
        if (strcmp(status_, "ok") != 0) fail_msg("%s: %s: %s", code, status_, text_of("error", "message"));  \
    } while (0)
#define SHOWS(s, code, want)                                                                                 \
    do {                                                                                                     \
        OK(s, code);                                                                                         \
        assert_string_equal(result(), want);                                                                 \
    } while (0)
#define FAILS(s, code, part)                                                                                 \
    do {                                                                                                     \
        assert_string_equal(eval(s, code), "error");                                                         \
        if (!strstr(text_of("error", "message"), part))                                                      \
            fail_msg("%s: message is: %s", code, text_of("error", "message"));                               \
    } while (0)

static __attribute__((unused)) ses *open_session(bool worker, int undo_depth) {
    ses *s;
    ph_err err = {0};
    ses_options here = {.functions = wrk_functions};
    wrk_options opt = {.undo_depth = undo_depth};
    if ((worker ? wrk_open(&s, &opt, &err) : ses_open(&s, &here, &err)) != PH_OK)
        fail_msg("open: %s", err.text);
    return s;
}

static __attribute__((unused)) void close_session(ses *s) {
    ses_close(s);
    json_decref(events);
    events = NULL;
}

#endif
