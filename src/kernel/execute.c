/* execute.c: an execute_request: the cell's text goes to the session, its events come back as messages. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/utf8.h"
#include "kernel/library.h"
#include "kernel/state.h"
#include "session/ask.h"

#define PROGRESS_AFTER 0.5  /* seconds of a cell before its progress is shown … */
#define PROGRESS_EVERY 0.25 /* … and between two of its lines */

typedef struct {
    krn *k;
    const krn_message *m;
    bool silent, counts;
    json_t *error; /* content of the error message; owned */
    char *output;  /* the result as plain text, for the history; owned */
    char *notice;  /* what happened to the worker; owned */
    const char *status;
    double began, told; /* by ph_clock; told: of progress, 0: never */
    char progress[64];  /* the name of its display */
} execution;

/* ---- errors -------------------------------------------------------------------------------------------- */

static void add_line(json_t *list, ph_text *line) {
    if (line->n) json_array_append_new(list, json_stringn_nocheck(line->s, line->n));
    ph_text_drop(line);
}

/* The line of the source that is meant, and a caret below. */
static void add_source(json_t *list, const json_t *event) {
    const char *source = krn_text(event, "source");
    json_int_t column = json_integer_value(json_object_get(event, "column"));
    size_t n = strlen(source);
    ph_text line = {0};
    if (n == 0 || n > 400) return;
    ph_putf(&line, "    %s", source);
    add_line(list, &line);
    if (column < 1) return;
    size_t at = ph_utf8_offset(source, n, (size_t)column - 1);
    ph_putf(&line, "    %*s\033[32m^\033[0m", (int)ph_utf8_width(source, at), "");
    add_line(list, &line);
}

/* name: "error", "interrupted" or "died"; value: where and what, on one line */
static json_t *error_content(const char *name, const char *value, const json_t *event) {
    json_t *traceback = json_array(), *trace = json_object_get(event, "traceback"), *call;
    size_t i;
    ph_text line = {0};
    ph_putf(&line, "\033[31m%s\033[0m: %s", name, value);
    add_line(traceback, &line);
    if (event) add_source(traceback, event);
    json_array_foreach(trace, i, call) {
        ph_putf(&line, "  %s", json_string_value(call));
        add_line(traceback, &line);
    }
    return json_pack("{s:s, s:s, s:o}", "ename", name, "evalue", value, "traceback", traceback);
}

static void fail(execution *x, json_t *content) {
    if (!x->silent) krn_publish(x->k, "error", x->m->header, json_incref(content));
    json_decref(x->error);
    x->error = content;
}

static void on_error(execution *x, const json_t *event) {
    ph_text value = {0};
    json_int_t line = json_integer_value(json_object_get(event, "line"));
    if (line > 0) ph_putf(&value, "%s:%lld: ", krn_text(event, "name"), (long long)line);
    ph_puts(&value, krn_text(event, "message"));
    bool interrupted = strcmp(krn_text(event, "message"), "interrupted") == 0;
    fail(x, error_content(interrupted ? "interrupted" : "error", value.s ? value.s : "out of memory", event));
    ph_text_drop(&value);
}

/* ---- what is shown --------------------------------------------------------------------------------------- */

static json_t *bundle(json_t *data) { return json_pack("{s:O, s:{}}", "data", data, "metadata"); }

static void on_result(execution *x, const json_t *event) {
    json_t *data = json_object_get(event, "data"), *content = bundle(data);
    ph_free(x->output);
    x->output = ph_strdup(krn_text(data, "text/plain"));
    json_object_set_new(content, "execution_count", json_integer(x->k->count));
    krn_publish(x->k, "execute_result", x->m->header, content);
}

/* A display that a cell which died had shown is no longer known to the session, and its number comes again for another one. */
static const char *display_name(krn *k, const json_t *event, bool update) {
    char key[32], name[80];
    snprintf(key, sizeof key, "%lld", (long long)json_integer_value(json_object_get(event, "id")));
    const char *known = json_string_value(json_object_get(k->displays, key));
    if (update && known) return known;
    snprintf(name, sizeof name, "%s-%lld", k->wire.session, ++k->display_count);
    json_object_set_new(k->displays, key, json_string(name));
    return json_string_value(json_object_get(k->displays, key));
}

static void on_display(execution *x, const json_t *event) {
    bool update = krn_flag(event, "update", false);
    json_t *content = bundle(json_object_get(event, "data"));
    const char *name = display_name(x->k, event, update);
    json_object_set_new(content, "transient", json_pack("{s:s}", "display_id", name ? name : ""));
    krn_publish(x->k, update ? "update_display_data" : "display_data", x->m->header, content);
}

static void show_progress(execution *x, const char *text) {
    bool first = !*x->progress;
    if (first)
        snprintf(x->progress, sizeof x->progress, "%s-%lld", x->k->wire.session, ++x->k->display_count);
    krn_publish(x->k, first ? "display_data" : "update_display_data", x->m->header,
                json_pack("{s:{s:s}, s:{}, s:{s:s}}", "data", "text/plain", text, "metadata", "transient",
                          "display_id", x->progress));
}

/* A line that changes in its place, of cells that take long. */
static void on_progress(execution *x, const json_t *event) {
    double now = ph_clock(), fraction = json_number_value(json_object_get(event, "fraction"));
    ph_text line = {0};
    if (now - x->began < PROGRESS_AFTER || now - x->told < PROGRESS_EVERY) return;
    x->told = now;
    ph_puts(&line, krn_text(event, "text"));
    if (fraction > 0) ph_putf(&line, "  %.0f %%", 100 * fraction);
    if (line.s) show_progress(x, line.s);
    ph_text_drop(&line);
}

/* ---- input --------------------------------------------------------------------------------------------- */

/* Is the worker there to hear an answer? */
static bool worker_lives(krn *k) {
    siginfo_t how = {0};
    return waitid(P_PID, (id_t)ses_worker_pid(k->session), &how, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           how.si_pid == 0;
}

/* The next answer on the channel for it; NULL: none is there. The caller frees. */
static char *take_answer(krn *k) {
    krn_frames f;
    krn_message m = {0};
    ph_err err;
    char *text = NULL;
    while (!text && krn_frames_receive(&f, k->socket[KRN_STDIN], &err) == PH_OK && f.n) {
        if (krn_message_read(&m, &k->wire, &f, &err) != PH_OK) krn_log_dropped(k, &err);
        else if (strcmp(m.type, "input_reply") == 0) text = ph_strdup(krn_text(m.content, "value"));
        krn_message_clear(&m);
    }
    return text;
}

/* false: the front end does not hear the channel yet. */
static bool ask(execution *x, const json_t *event) {
    return krn_reply(x->k, KRN_STDIN, x->m, "input_request",
                     json_pack("{s:s, s:b}", "prompt", krn_text(event, "prompt"), "password",
                               krn_flag(event, "secret", false)));
}

static void on_question(execution *x, const json_t *event) {
    krn *k = x->k;
    char *text;
    zmq_pollitem_t p[3] = {{k->socket[KRN_STDIN], 0, ZMQ_POLLIN, 0},
                           {k->socket[KRN_CONTROL], 0, ZMQ_POLLIN, 0},
                           {k->socket[KRN_HEARTBEAT], 0, ZMQ_POLLIN, 0}};
    while ((text = take_answer(k)) != NULL) ph_free(text); /* to questions that nobody waits for any more */
    krn_output_flush(k);
    for (bool asked = false; !text && !krn_interrupted(k) && worker_lives(k);) {
        asked = asked || ask(x, event);
        zmq_poll(p, 3, 100);
        krn_look(k);
        text = take_answer(k);
    }
    if (text) text[strcspn(text, "\r\n")] = '\0';
    ses_input(k->session, text);
    ph_free(text);
}

/* ---- events -------------------------------------------------------------------------------------------- */

static void on_notice(execution *x, const json_t *event) {
    ph_free(x->notice);
    x->notice = ph_strdup(krn_text(event, "text"));
}

static void on_stream(execution *x, const json_t *event) {
    const json_t *text = json_object_get(event, "text");
    bool err = strcmp(krn_text(event, "name"), "stderr") == 0;
    krn_output_put(x->k, err ? "stderr" : "stdout", json_string_value(text), json_string_length(text));
}

static void on_clear(execution *x, const json_t *event) {
    krn_publish(x->k, "clear_output", x->m->header,
                json_pack("{s:b}", "wait", krn_flag(event, "wait", false)));
}

static void on_done(execution *x, const json_t *event) {
    const char *status = krn_text(event, "status");
    x->status = strcmp(status, "ok") == 0 ? "ok" : "error";
    krn_output_look(x->k, true);
    if (strcmp(status, "died") == 0)
        fail(x, error_content("died", x->notice ? x->notice : "the process of the cell has ended", NULL));
    else if (x->notice && !x->silent) {
        krn_output_put(x->k, "stderr", x->notice, strlen(x->notice));
        krn_output_put(x->k, "stderr", "\n", 1);
    }
    if (*x->progress) show_progress(x, "");
}

static void on_outside(execution *x, const json_t *event) {
    (void)event;
    krn_output_look(x->k, true);
}

static void on_event(void *user, json_t *event) {
    static const struct {
        const char *kind;
        void (*take)(execution *x, const json_t *event);
        bool shows, aloud; /* printed text goes first; not in silence */
    } rows[] = {{"stream", on_stream, false, true},    {"result", on_result, true, true},
                {"display", on_display, true, true},   {"clear", on_clear, true, true},
                {"progress", on_progress, true, true}, {"error", on_error, true, false},
                {"notice", on_notice, false, false},   {"input_request", on_question, true, false},
                {"outside", on_outside, false, false}, {"done", on_done, true, false}};
    execution *x = user;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!krn_is(event, rows[i].kind) || (rows[i].aloud && x->silent)) continue;
        if (rows[i].shows) krn_output_flush(x->k);
        rows[i].take(x, event);
    }
}

/* ---- requests to the session ----------------------------------------------------------------------------- */

static json_t *eval_request(const krn *k, const char *code, size_t n, const char *name, bool asks) {
    return json_pack("{s:s, s:o, s:s, s:b, s:b, s:b, s:s, s:s, s:i, s:[s, s, s, s, s]}", "op", "eval", "code",
                     json_stringn_nocheck(code, n), "name", name, "interactive", asks, "terminal", asks,
                     "labels", 1, "lang", k->lang, "verdicts", k->lang, "columns", 80, "mime", "text/plain",
                     "text/html", "text/latex", "text/markdown", k->figure);
}

/* Sends a request; the session is lost when it cannot be answered. */
static void run(execution *x, json_t *request) {
    krn *k = x->k;
    ph_err err = {0};
    x->began = ph_clock();
    x->status = "error";
    if (ses_request(k->session, request, on_event, x, &err) == PH_OK) return;
    krn_log("%s", err.text);
    if (!x->error) fail(x, error_content("died", err.text, NULL));
    k->failed = err.code == PH_EIO;
}

static void run_code(execution *x, const char *code, size_t n, bool aside) {
    char name[32];
    krn *k = x->k;
    snprintf(name, sizeof name, "[%d]", k->count);
    json_t *request = eval_request(k, code, n, name, krn_flag(x->m->content, "allow_stdin", true));
    if (request && aside) json_object_set_new(request, "aside", json_true());
    run(x, request);
}

static void run_call(execution *x, const char *fn, const char *words, size_t n) {
    ph_text code = {0};
    ses_put_call(&code, fn, words, n);
    if (!code.failed) run_code(x, code.s, code.n, true);
    ph_text_drop(&code);
}

static void say(execution *x, const char *text) {
    krn_output_put(x->k, "stdout", text, strlen(text));
    krn_output_put(x->k, "stdout", "\n", 1);
    krn_output_flush(x->k);
}

static void undo(execution *x) {
    json_t *reply = krn_ask(x->k, json_pack("{s:s}", "op", "undo"));
    say(x, krn_text(reply, "text"));
    json_decref(reply);
}

static void run_command(execution *x, const char *line) {
    size_t n = strcspn(line, " \t\r\n");
    ph_text message = {0};
    if (n == 4 && strncmp(line, "undo", n) == 0) undo(x);
    else if (n == 4 && strncmp(line, "help", n) == 0)
        say(x, ":undo     go back to before the last cell that ran\n"
               "? name    help on a name;  ?? name  all of it;  ??? words  search it\n"
               "an expression shows its value; _ is the last one; a last ; keeps it quiet");
    else {
        ph_putf(&message, "unknown command :%.*s; :help lists them", (int)(n < 40 ? n : 40), line);
        fail(x, error_content("error", message.s ? message.s : "out of memory", NULL));
        x->status = "error";
    }
    ph_text_drop(&message);
}

/* What the session does not know by itself goes to help(): it looks further and names what is near. */
static void show_help(execution *x, const char *name, int detail) {
    size_t n = ses_asked(name);
    json_t *data = n ? krn_help(x->k, name, n, n, detail) : NULL;
    if (data) krn_publish(x->k, "display_data", x->m->header, bundle(data));
    else if (n) run_call(x, "help", name, n);
    else run_command(x, "help");
    json_decref(data);
}

static void run_input(execution *x) {
    const json_t *code = json_object_get(x->m->content, "code");
    const char *text = json_string_value(code), *rest;
    size_t n = json_string_length(code);
    ses_ask asked = ses_classify(text, &rest);
    if (x->silent || strlen(text) < n) asked = ASK_CODE; /* a NUL in it: Lua says where */
    x->status = "ok";
    switch (asked) {
    case ASK_BLANK: break;
    case ASK_CODE: run_code(x, text, n, false); break;
    case ASK_COMMAND: run_command(x, rest); break;
    case ASK_HELP: show_help(x, rest, 0); break;
    case ASK_MORE: show_help(x, rest, 1); break;
    case ASK_SEARCH: run_call(x, "search", rest, ses_asked(rest)); break;
    }
}

/* ---- expressions that the front end wants to know the value of ------------------------------------------- */

static void on_value(void *user, json_t *event) {
    json_t **answer = user;
    if (krn_is(event, "result")) {
        json_decref(*answer);
        *answer =
            json_pack("{s:s, s:O, s:{}}", "status", "ok", "data", json_object_get(event, "data"), "metadata");
    } else if (krn_is(event, "error")) {
        json_decref(*answer);
        *answer = json_pack("{s:s, s:s, s:O, s:[]}", "status", "error", "ename", "error", "evalue",
                            json_object_get(event, "message"), "traceback");
    }
}

static json_t *evaluate(krn *k, const json_t *expression) {
    json_t *answer =
        json_pack("{s:s, s:{s:s}, s:{}}", "status", "ok", "data", "text/plain", "nil", "metadata");
    json_t *request =
        eval_request(k, json_string_value(expression), json_string_length(expression), "expression", false);
    ph_err err;
    if (request) json_object_set_new(request, "aside", json_true());
    if (ses_request(k->session, request, on_value, &answer, &err) != PH_OK) krn_log("%s", err.text);
    return answer;
}

static json_t *evaluate_all(krn *k, json_t *expressions) {
    json_t *out = json_object(), *expression;
    const char *name;
    json_object_foreach(expressions, name, expression) if (json_is_string(expression))
        json_object_set_new(out, name, evaluate(k, expression));
    return out;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static json_t *reply_content(execution *x) {
    krn *k = x->k;
    json_t *content = json_pack("{s:s, s:i}", "status", x->status, "execution_count", k->count);
    if (strcmp(x->status, "ok") == 0) {
        json_object_set_new(content, "payload", json_array());
        json_object_set_new(content, "user_expressions",
                            evaluate_all(k, json_object_get(x->m->content, "user_expressions")));
    } else if (x->error) json_object_update(content, x->error);
    return content;
}

static bool is_blank(const char *text) { return !text[strspn(text, " \t\r\n")]; }

static void announce(execution *x) {
    const char *code = krn_text(x->m->content, "code");
    x->silent = krn_flag(x->m->content, "silent", false);
    x->counts = !x->silent && krn_flag(x->m->content, "store_history", true) && !is_blank(code);
    if (x->counts) x->k->count++;
    if (!x->silent)
        krn_publish(x->k, "execute_input", x->m->header,
                    json_pack("{s:O, s:i}", "code", json_object_get(x->m->content, "code"), "execution_count",
                              x->k->count));
}

void krn_refuse_execution(krn *k, const krn_message *m) {
    krn_reply(k, KRN_SHELL, m, "execute_reply",
              json_pack("{s:s, s:i}", "status", "aborted", "execution_count", k->count));
}

void krn_execute(krn *k, const krn_message *m) {
    execution x = {.k = k, .m = m};
    if (!json_is_string(json_object_get(m->content, "code"))) {
        json_t *error = error_content("error", "execute_request: there is no code", NULL);
        json_object_set_new(error, "status", json_string("error"));
        json_object_set_new(error, "execution_count", json_integer(k->count));
        krn_reply(k, KRN_SHELL, m, "execute_reply", error);
        return;
    }
    k->interrupted = false;
    ses_expect(k->session);
    announce(&x);
    run_input(&x);
    if (x.counts) krn_history_add(&k->history, k->count, krn_text(m->content, "code"), x.output);
    bool ok = strcmp(x.status, "ok") == 0;
    json_t *content = reply_content(&x);
    krn_output_look(k, true);
    if (!ok && !x.silent && krn_flag(m->content, "stop_on_error", true)) krn_collect_waiting(k);
    krn_reply(k, KRN_SHELL, m, "execute_reply", content);
    json_decref(x.error);
    ph_free(x.output);
    ph_free(x.notice);
}
