/* session.c: one header, two ways to run. */
#include "session/session.h"

#include <signal.h>
#include <string.h>

#include "session/client.h"
#include "session/core.h"

struct ses {
    client *worker; /* one of the two */
    ses_core *core;
    ses_on_event *on_event;
    void *user;
    volatile sig_atomic_t busy, asked;
};

static void emit(void *user, json_t *event) {
    ses *s = user;
    const char *name = json_string_value(json_object_get(event, "event"));
    if (name && strcmp(name, "caught") == 0) s->asked = 0; /* the next interrupt is a first one */
    else if (s->on_event) s->on_event(s->user, event);
}

ph_status ses_open(ses **out, const ses_options *opt, ph_err *err) {
    static const ses_options plain = {0};
    ses *s = ph_calloc(1, sizeof *s);
    *out = NULL;
    if (!s) return ph_fail_nomem(err, sizeof *s);
    if (!opt) opt = &plain;
    ses_host host = {.emit = emit, .user = s};
    ph_status st =
        opt->worker ? ses_client_open(&s->worker, opt, err) : ses_core_open(&s->core, opt, &host, err);
    if (st != PH_OK) ph_free(s);
    else *out = s;
    return st;
}

void ses_close(ses *s) {
    if (!s) return;
    if (s->worker) ses_client_close(s->worker);
    s->on_event = NULL;
    ses_core_close(s->core);
    ph_free(s);
}

static void answer_in_process(ses *s, const json_t *request) {
    const char *asked = json_string_value(json_object_get(request, "op"));
    bool undo = asked && strcmp(asked, "undo") == 0, interrupt = asked && strcmp(asked, "interrupt") == 0;
    if (!undo && !interrupt) {
        ses_core_request(s->core, request);
        return;
    }
    if (undo)
        ses_emit(s->core, json_pack("{s:s, s:b, s:s}", "event", "reply", "undone", 0, "text",
                                    "nothing is kept for undo here"));
    ses_emit(s->core, json_pack("{s:s, s:s, s:f}", "event", "done", "status", "ok", "seconds", 0.0));
}

ph_status ses_request(ses *s, json_t *request, ses_on_event *on_event, void *user, ph_err *err) {
    if (!request) return ph_fail_nomem(err, 0);
    if (s->worker) return ses_client_request(s->worker, request, on_event, user, err);
    s->on_event = on_event;
    s->user = user;
    s->asked = 0;
    s->busy = 1;
    answer_in_process(s, request);
    s->busy = 0;
    json_decref(request);
    return PH_OK;
}

void ses_input(ses *s, const char *text) {
    if (s->worker) ses_client_input(s->worker, text);
}

void ses_interrupt(ses *s) {
    if (s->worker) {
        ses_client_interrupt(s->worker);
        return;
    }
    if (s->busy && !s->asked) {
        s->asked = 1;
        ses_stop(SES_INTERRUPTED);
        return;
    }
    signal(SIGINT, SIG_DFL); /* ends as by a Ctrl-C that no one handles: status 130 in a shell */
    raise(SIGINT);
}

void ses_expect(ses *s) {
    if (s->worker) ses_client_expect(s->worker);
}

int ses_worker_pid(const ses *s) { return s->worker ? ses_client_pid(s->worker) : 0; }
