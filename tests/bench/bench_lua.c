/* bench_lua: what a line of Lua costs in a session, by the session's own clock ("seconds" of its done event). */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/parallel.h"
#include "session/session.h"

enum { SAMPLES = 5 };

/* times: how often `code` runs in a sample, for about 20 ms of work. before, after: run once each, not timed (NULL: nothing).
 * What one row needs and is large must not live on: the more lives, the more garbage the collector lets wait, and the rows
 * after it would write to cold memory. */
typedef struct {
    const char *id;
    int times;
    const char *code, *before, *after;
} row;

static const row rows[] = {
    /* the first one, behind what fills the cache of blocks with others */
    {"add", 20, "x + y", "for i = 1, 20 do local z = x + y end", NULL},
    {"mul", 20, "x * y", NULL, NULL},
    {"div", 20, "x / y", NULL, NULL},
    {"sqrt", 20, "sqrt(x)", NULL, NULL},
    {"exp", 10, "exp(x)", NULL, NULL},
    {"log", 10, "log(x)", NULL, NULL},
    {"sin", 10, "sin(x)", NULL, NULL},
    {"cos", 10, "cos(x)", NULL, NULL},
    {"tan", 10, "tan(x)", NULL, NULL},
    {"sigm", 10, "sigmoid(x)", NULL, NULL},
    {"pow", 10, "x ^ y", NULL, NULL},
    {"tanh", 10, "tanh(x)", NULL, NULL},
    {"erf", 10, "erf(x)", NULL, NULL},
    {"exp_f32", 10, "exp(u)", NULL, NULL},
    {"log_f32", 10, "log(u)", NULL, NULL},
    {"sine_f32", 10, "sin(u)", NULL, NULL},
    {"cos_f32", 10, "cos(u)", NULL, NULL},
    {"tan_f32", 10, "tan(u)", NULL, NULL},
    {"tanh_f32", 10, "tanh(u)", NULL, NULL},
    {"sigm_f32", 10, "sigmoid(u)", NULL, NULL},
    {"pow_f32", 10, "u ^ v", NULL, NULL},
    {"erf_f32", 10, "erf(u)", NULL, NULL},
    {"sum", 40, "sum(x)", NULL, NULL},
    {"sort", 1, "sort(shuffled)", "shuffled = rand(rng(1), 1000000)", "shuffled = nil collectgarbage()"},
    {"sort_f32", 1, "sort(shuffled)", "shuffled = array(rand(rng(1), 1000000), {dtype='f32'})",
     "shuffled = nil collectgarbage()"},
    {"plot4096", 10, "plot(px, {p1, p2}):svg()", NULL, NULL},
    {"plot_text", 10, "plot(px, {p1, p2}):text()", NULL, NULL},
    {"plot1e7", 1, "plot(bx, by):svg()", "bx = linspace(0, 1, 10000000) by = sin(100*bx)",
     "bx, by = nil, nil collectgarbage()"},
    {"mm2", 50000, "matmul(A, B)", NULL, NULL},
    {"mm1000", 1, "matmul(M, M)", NULL, NULL},
    {"atlas", 1, "whole_atlas()", NULL, NULL},
};

static double seconds;
static char error[512];

static void on_event(void *user, json_t *event) {
    (void)user;
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (!kind) return;
    if (!strcmp(kind, "error"))
        snprintf(error, sizeof error, "%s", json_string_value(json_object_get(event, "message")));
    if (!strcmp(kind, "done")) seconds = json_number_value(json_object_get(event, "seconds"));
}

static double time_of(ses *s, const char *code) {
    ph_err err;
    error[0] = '\0';
    json_t *request =
        json_pack("{s:s, s:s, s:s, s:b}", "op", "eval", "name", "bench", "code", code, "script", 1);
    if (ses_request(s, request, on_event, NULL, &err) != PH_OK) snprintf(error, sizeof error, "%s", err.text);
    if (error[0]) {
        fprintf(stderr, "bench_lua: %s\n", error);
        exit(1);
    }
    return seconds;
}

/* Without a side nothing is printed: the first touch of a result's memory is not the kernel's. */
static void sample(ses *s, const row *r, const char *side) {
    char code[200];
    snprintf(code, sizeof code, "for i = 1, %d do local z = %s end", side ? r->times : 1, r->code);
    if (r->before) time_of(s, r->before);
    double t = time_of(s, code);
    if (r->after) time_of(s, r->after);
    if (side) printf("%s %s %.12f\n", r->id, side, t / r->times);
}

int main(void) {
    ph_err err;
    ses *s;
    if (ses_open(&s, &(ses_options){0}, &err) != PH_OK) {
        fprintf(stderr, "bench_lua: %s\n", err.text);
        return 1;
    }
    printf("note phasor: %d threads\n", ph_threads());
    time_of(s, fixture("@setup"));
    for (int k = 0; k <= SAMPLES; k++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            for (int threads = 0; threads < 2; threads++) {
                ph_set_threads(threads);
                sample(s, &rows[i], k == 0 ? NULL : threads == 0 ? "phasor" : "phasor1");
            }
    ses_close(s);
    return 0;
}
