/* bench_grade: hand-ins graded: a hundred, and those that want more than is theirs (tests/course/hostile-answers): how long behind its budget the
 * latest row came. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fixture.h"
#include "session/session.h"
#include "worker/worker.h"

static bool failed;

static void on_event(void *user, json_t *event) {
    (void)user;
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (strcmp(kind, "stream") == 0) fputs(json_string_value(json_object_get(event, "text")), stdout);
    if (strcmp(kind, "error") != 0) return;
    failed = true;
    fprintf(stderr, "bench_grade: %s\n", json_string_value(json_object_get(event, "message")));
}

static void run(ses *s, const char *program) {
    ph_err err;
    json_t *request = json_pack("{s:s, s:s, s:s, s:b}", "op", "eval", "name", "bench", "code",
                                fixture(program), "script", 1);
    if (ses_request(s, request, on_event, NULL, &err) == PH_OK) return;
    failed = true;
    fprintf(stderr, "bench_grade: %s\n", err.text);
}

int main(int argc, char **argv) {
    wrk_begin(argc, argv);
    const ses_options options = {.functions = wrk_functions};
    char folder[] = "/tmp/phasor-bench-XXXXXX", command[80];
    ph_err err;
    ses *s;
    if (!mkdtemp(folder) || setenv("BENCH_FOLDER", folder, 1) != 0) return perror("bench_grade"), 1;
    if (ses_open(&s, &options, &err) != PH_OK) return fprintf(stderr, "bench_grade: %s\n", err.text), 1;
    run(s, "@setup");
    for (int i = 0; i < 5; i++) run(s, "@hundred");
    run(s, "@overrun");
    ses_close(s);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0 || failed;
}
