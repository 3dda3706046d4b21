/* school.h: a session with the course in it, for tests: code in, what it shows out. Standard input is empty,
 * so a lesson runs through. */
#ifndef PH_TEST_SCHOOL_H
#define PH_TEST_SCHOOL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "worker/worker.h"

static ses *school;
static char *shown; /* all that the last cell printed, its values and its error, in order */

static void append(const char *text) {
    size_t had = shown ? strlen(shown) : 0;
    shown = realloc(shown, had + strlen(text) + 1);
    assert_non_null(shown);
    strcpy(shown + had, text);
}

static void gather(void *user, json_t *event) {
    (void)user;
    const char *kind = json_string_value(json_object_get(event, "event"));
    const char *text = NULL;
    if (strcmp(kind, "stream") == 0) text = json_string_value(json_object_get(event, "text"));
    if (strcmp(kind, "result") == 0 || strcmp(kind, "display") == 0)
        text = json_string_value(json_object_get(json_object_get(event, "data"), "text/plain"));
    if (strcmp(kind, "error") == 0) {
        append("error: ");
        text = json_string_value(json_object_get(event, "message"));
    }
    if (text) append(text);
}

/* Runs a cell; what it shows stays valid until the next. */
static const char *show(const char *code) {
    free(shown);
    shown = NULL;
    append("");
    ph_err err;
    json_t *request =
        json_pack("{s:s, s:s, s:s, s:s}", "op", "eval", "code", fixture(code), "name", "t", "lang", "en");
    assert_int_equal(ses_request(school, request, gather, NULL, &err), PH_OK);
    return shown;
}

static int open_school(void **state) {
    (void)state;
    ph_err err;
    ses_options options = {.functions = wrk_functions};
    setenv("PHASOR_PROGRESS", "", 0); /* no one's own */
    if (!freopen("/dev/null", "r", stdin)) return -1;
    assert_int_equal(ses_open(&school, &options, &err), PH_OK);
    return 0;
}

static char school_folder[] = "/tmp/phasor-school-XXXXXX";

/* The prelude is run first, and may show nothing; TEST_DIR there is a folder of its own, in which progress is kept. */
static inline int open_school_with(void **state, const char *prelude) {
    char progress[64];
    if (!mkdtemp(school_folder)) return -1;
    snprintf(progress, sizeof progress, "%s/progress.json", school_folder);
    setenv("TEST_DIR", school_folder, 1);
    setenv("PHASOR_PROGRESS", progress, 1);
    if (open_school(state) != 0) return -1;
    const char *said = show(prelude);
    if (*said) print_error("%s\n", said);
    return *said ? -1 : 0;
}

static int close_school(void **state) {
    (void)state;
    char command[96];
    ses_close(school);
    free(shown);
    snprintf(command, sizeof command, "rm -rf '%s'", school_folder);
    return system(command);
}

typedef struct {
    const char *code, *wanted; /* wanted: what is shown, whole; "…text": what is shown contains text */
} school_case;

static void run_cases(const school_case *cases) {
    int wrong = 0;
    for (const school_case *c = cases; c->code; c++) {
        const char *got = show(c->code);
        bool part = strncmp(c->wanted, "…", 3) == 0;
        if (part ? !strstr(got, c->wanted + 3) : strcmp(got, c->wanted) != 0) {
            print_error("%s\n  gave   %s\n  wanted %s\n", c->code, got, c->wanted);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* The Chinese text of a lesson to its end. Its code is the English one's, which has been run: here it gives nothing, without being run. */
static inline void reads_to_its_end_in_chinese(const char *name) {
    char walk[320];
    snprintf(walk, sizeof walk,
             "local host = require 'phasor.course.host'; local eval = host.eval; "
             "function host.eval() return true end\n"
             "local ok, why = pcall(require('phasor.course').main, 'lesson', '%s', '--lang', 'zh')\n"
             "host.eval = eval; assert(ok, why)",
             name);
    const char *walked = show(walk);
    assert_non_null(strstr(walked, "本课到此结束"));
    assert_null(strstr(walked, "error: "));
}

#endif
