/* A picture as a session tells it: in the forms that the front end accepts, for the screen that it has; from a worker too.
 * Sources: plot/raster.c plot/sixel.c */
#include "drive.h"

static json_t *request(const char *code, const char *mime, int columns, int palette, int pixels) {
    json_t *r = eval_request(code), *types = json_pack("[s]", "text/plain");
    if (mime) json_array_append_new(types, json_string(mime));
    json_object_set_new(r, "mime", types);
    json_object_set_new(r, "columns", json_integer(columns));
    json_object_set_new(r, "palette", json_integer(palette));
    json_object_set_new(r, "pixels", json_integer(pixels));
    return r;
}

/* A form of the last value, or of what was displayed; NULL: not sent. */
static const char *form(const char *kind, const char *mime) {
    return json_string_value(json_object_get(json_object_get(event_of(kind), "data"), mime));
}

static void ask(ses *s, json_t *r) { assert_string_equal(ask_with(s, r, collect, NULL), "ok"); }

static bool begins(const char *text, const char *with) {
    return text && strncmp(text, with, strlen(with)) == 0;
}

static void forms(ses *s) {
    static const char code[] = "plot({1, 2}, {3, 4}, {title='told'})";
    ask(s, request(code, NULL, 50, 0, 0));
    assert_non_null(strstr(form("result", "text/plain"), "told"));
    assert_null(strchr(form("result", "text/plain"), 27));
    assert_null(form("result", "image/svg+xml"));
    ask(s, request(code, "image/svg+xml", 50, 256, 0));
    assert_true(begins(form("result", "image/svg+xml"), "<svg xmlns="));
    assert_non_null(strstr(form("result", "text/plain"), "\033[38;5;"));
    assert_null(form("result", "image/png"));
    ask(s, request(code, "image/png", 50, 1 << 24, 0));
    assert_true(begins(form("result", "image/png"), "iVBORw0KGgo"));
    assert_non_null(strstr(form("result", "text/plain"), "\033[38;2;"));
    ask(s, request(code, "image/sixel", 50, 0, 320));
    assert_true(begins(form("result", "image/sixel"), "\033P0;1q\"1;1;320;200"));
    ask(s, request("display(plot({1, 2}, {3, 4}))", "image/svg+xml", 50, 0, 0));
    assert_true(begins(form("display", "image/svg+xml"), "<svg"));
    ask(s, request("plot({1, 2}, {3, 4});", "image/svg+xml", 50, 0, 0));
    assert_null(event_of("result"));
    ask(s, request("3", "image/svg+xml", 50, 0, 0));
    assert_null(form("result", "image/svg+xml"));
}

static void in_process(void **state) {
    (void)state;
    ses *s = open_session(false, 0);
    forms(s);
    close_session(s);
}

/* The libraries are opened in the worker, and again in one that took over. */
static void from_a_worker(void **state) {
    (void)state;
    ses *s = open_session(true, 0);
    forms(s);
    assert_string_equal(ask_with(s, json_pack("{s:s}", "op", "undo"), collect, NULL), "ok");
    forms(s);
    close_session(s);
}

/* The rows of a picture follow the columns of each request. */
static void as_wide_as_the_screen(void **state) {
    (void)state;
    ses *s = open_session(false, 0);
    static const int columns[] = {1, 10, 20, 40, 133};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        ask(s, request("plot(sin, {0, 10})", NULL, columns[k], 0, 0));
        const char *text = form("result", "text/plain");
        size_t widest = 0, now = 0;
        for (; *text; text++) {
            if (*text == '\n') now = 0;
            else if (((unsigned char)*text & 0xC0) != 0x80) now++; /* all of them are one column wide */
            if (now > widest) widest = now;
        }
        assert_int_equal(widest, columns[k]);
    }
    close_session(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_process),
        cmocka_unit_test(from_a_worker),
        cmocka_unit_test(as_wide_as_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
