/* session.c: one handle for a session, wherever it runs; and the way to run it in this process. */
#include "session/session.h"

#include <signal.h>
#include <string.h>

#include "session/core.h"

struct ses {
    const ses_way *way;
    void *self;
};

ph_status ses_open_as(ses **out, const ses_way *way, void *self, ph_err *err) {
    ses *s = *out = ph_calloc(1, sizeof *s);
    if (!s) {
        way->close(self);
        return ph_fail_nomem(err, sizeof *s);
    }
    *s = (ses){way, self};
    return PH_OK;
}

void ses_close(ses *s) {
    if (!s) return;
    s->way->close(s->self);
    ph_free(s);
}

ph_status ses_request(ses *s, json_t *request, ses_on_event *on_event, void *user, ph_err *err) {
    if (!request) return ph_fail_nomem(err, 0);
    return s->way->request(s->self, request, on_event, user, err);
}

void ses_input(ses *s, const char *text) {
    if (s->way->input) s->way->input(s->self, text);
}

void ses_interrupt(ses *s) { s->way->interrupt(s->self); }

void ses_expect(ses *s) {
    if (s->way->expect) s->way->expect(s->self);
}

int ses_worker_pid(const ses *s) { return s->way->pid ? s->way->pid(s->self) : 0; }

void ses_look_after(ses *s, const ses_watch *watch) {
    if (s->way->look_after) s->way->look_after(s->self, watch);
}

/* ---- in this process ----------------------------------------------------------------------------------- */

typedef struct {
    ses_core *core;
    ses_on_event *on_event;
    void *user;
    volatile sig_atomic_t busy, asked;
} here;

static void emit(void *user, json_t *event) {
    here *h = user;
    const char *name = json_string_value(json_object_get(event, "event"));
    if (name && strcmp(name, "caught") == 0) h->asked = 0; /* the next interrupt is a first one */
    else if (h->on_event) h->on_event(h->user, event);
}

static void close_here(void *self) {
    here *h = self;
    h->on_event = NULL;
    ses_core_close(h->core);
    ph_free(h);
}

static void answer(here *h, const json_t *request) {
    const char *asked = json_string_value(json_object_get(request, "op"));
    bool undo = asked && strcmp(asked, "undo") == 0, interrupt = asked && strcmp(asked, "interrupt") == 0;
    if (!undo && !interrupt) {
        ses_core_request(h->core, request);
        return;
    }
    if (undo)
        ses_emit(h->core, json_pack("{s:s, s:b, s:s}", "event", "reply", "undone", 0, "text",
                                    "nothing is kept for undo here"));
    ses_emit_done(h->core, "ok");
}

static ph_status request_here(void *self, json_t *request, ses_on_event *on_event, void *user, ph_err *err) {
    here *h = self;
    (void)err;
    h->on_event = on_event;
    h->user = user;
    h->asked = 0;
    h->busy = 1;
    answer(h, request);
    h->busy = 0;
    json_decref(request);
    return PH_OK;
}

static void interrupt_here(void *self) {
    here *h = self;
    if (h->busy && !h->asked) {
        h->asked = 1;
        ses_stop(SES_INTERRUPTED);
        return;
    }
    signal(SIGINT, SIG_DFL); /* ends as by a Ctrl-C that no one handles: status 130 in a shell */
    raise(SIGINT);
}

ph_status ses_open(ses **out, const ses_options *opt, ph_err *err) {
    static const ses_way way = {.request = request_here, .interrupt = interrupt_here, .close = close_here};
    static const ses_options plain = {0};
    here *h = ph_calloc(1, sizeof *h);
    *out = NULL;
    if (!h) return ph_fail_nomem(err, sizeof *h);
    ses_host host = {.emit = emit, .user = h};
    ph_status st = ses_core_open(&h->core, opt ? opt : &plain, &host, err);
    if (st == PH_OK) return ses_open_as(out, &way, h, err);
    ph_free(h);
    return st;
}
