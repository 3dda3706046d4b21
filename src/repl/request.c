/* request.c: requests to the session, and what comes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include "base/utf8.h"
#include "repl/keys.h"
#include "repl/lines.h"
#include "repl/settings.h"
#include "repl/signals.h"
#include "repl/state.h"

json_t *repl_json_text(const repl *r, const char *s, size_t n) {
    size_t length;
    if (!r->worker) return json_stringn_nocheck(s, n); /* never becomes text on its way */
    char *clean = ph_utf8_clean(&length, s, n);
    json_t *text = clean ? json_stringn_nocheck(clean, length) : NULL;
    ph_free(clean);
    return text;
}

json_t *repl_request(const repl *r, const char *op, const char *text, size_t n) {
    return json_pack("{s:s, s:o, s:s}", "op", op, "code", repl_json_text(r, text, n), "lang",
                     repl_language());
}

/* How many colours a picture may have here, by what terminals say of themselves. */
static int palette(const repl *r) {
    const char *term = getenv("TERM"), *more = getenv("COLORTERM");
    if (!r->screen.colour) return 0;
    if (more && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0)) return 1 << 24;
    if (strstr(term, "direct") || strstr(term, "kitty") || strstr(term, "ghostty")) return 1 << 24;
    return strstr(term, "256") || strstr(term, "alacritty") || strstr(term, "foot") ? 256 : 0;
}

/* Text goes out as UTF-8 in any case; braille and blocks are left out where the locale names another encoding, and on the
 * console of Linux, whose fonts lack them. */
static bool has_unicode(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *term = getenv("TERM"), *value = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(value && *value); i++) value = getenv(names[i]);
    const char *charset = value ? strchr(value, '.') : NULL;
    bool other = charset && strncasecmp(charset, ".utf", 4) != 0;
    return !other && !(term && strcmp(term, "linux") == 0);
}

json_t *repl_eval_request(const repl *r, const char *code, size_t n, const char *name) {
    int columns, rows;
    repl_screen_size(&r->screen, &columns, &rows);
    json_t *request = repl_request(r, "eval", code, n);
    json_t *rest =
        json_pack("{s:s, s:i, s:i, s:b, s:i, s:b, s:b, s:b, s:s, s:b, s:[s]}", "name", name, "columns",
                  columns, "rows", rows, "colour", r->screen.colour, "palette", palette(r), "unicode",
                  has_unicode(), "fold", r->screen.out_terminal, "terminal", isatty(STDIN_FILENO), "lang",
                  repl_language(), "dialogue", r->dialogue, "mime", "text/plain");
    const char *mime = repl_graphics_mime(r->screen.images);
    if (mime && rest) {
        json_array_append_new(json_object_get(rest, "mime"), json_string(mime));
        json_object_set_new(rest, "pixels", json_integer(repl_graphics_width(columns < 80 ? columns : 80)));
    }
    const char *chosen = repl_settings_lang(); /* a program's verdicts do not hang on the locale */
    if (rest && (chosen || r->dialogue))
        json_object_set_new(rest, "verdicts", json_string(chosen ? chosen : repl_language()));
    bool whole = request && rest && json_object_update(request, rest) == 0;
    json_decref(rest);
    if (whole) return request;
    json_decref(request);
    return NULL;
}

/* ---- input for a program ------------------------------------------------------------------------------- */

static bool silence(struct termios *before) {
    struct termios t;
    if (tcgetattr(STDIN_FILENO, before) != 0) return false;
    t = *before;
    t.c_lflag &= ~(tcflag_t)ECHO;
    return tcsetattr(STDIN_FILENO, TCSADRAIN, &t) == 0;
}

/* The line without its break, fit to travel; NULL: the end of the input (or no memory). */
static char *clean_line(const lines_text *line) {
    bool broken = line->n > 0 && line->text[line->n - 1] == '\n';
    return ph_utf8_clean(NULL, line->text, line->n - broken);
}

/* A key, by its name; nothing where none came in time. */
static void answer_key(repl *r, const json_t *event) {
    char name[KEY_NAME];
    const char *key;
    fflush(stdout);
    repl_pager_end(&r->screen.pages); /* what is drawn over and over is no text to be read by pages */
    key = repl_key_read(name, json_number_value(json_object_get(event, "seconds")));
    ses_input(r->session, key ? key : "");
}

/* A signal ends the waiting with an end of file; the session has been told of a Ctrl-C by its handler. */
static void answer_input(repl *r, const json_t *event) {
    const char *prompt = json_string_value(json_object_get(event, "prompt"));
    struct termios before;
    lines_text line = {0};
    fputs(prompt ? prompt : "", stdout);
    fflush(stdout);
    bool secret = json_is_true(json_object_get(event, "secret")), silent = false, held = repl_signals_hold();
    lines_outcome got = LINES_SIGNAL;
    while (got == LINES_SIGNAL && repl_signals_go_on()) {
        silent = secret && silence(&before);
        got = repl_lines_read(&line);
        if (silent) tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    }
    repl_signals_release(held);
    if (silent) fputc('\n', stdout);
    r->screen.midline = false;
    char *text = got == LINES_GOT ? clean_line(&line) : NULL;
    ses_input(r->session, text);
    ph_free(text);
    repl_lines_clear(&line);
}

/* ---- asking -------------------------------------------------------------------------------------------- */

typedef struct {
    repl *r;
    repl_answer answer;
    bool quiet, eval;
} asking;

static void note_done(repl_answer *a, const json_t *event) {
    const char *status = json_string_value(json_object_get(event, "status"));
    const json_t *code = json_object_get(event, "exit");
    a->ok = status && strcmp(status, "ok") == 0;
    a->interrupted = status && strcmp(status, "interrupted") == 0;
    a->seconds = json_number_value(json_object_get(event, "seconds"));
    a->exited = json_is_integer(code);
    a->exit_code = (int)json_integer_value(code);
}

/* While a line is edited the screen is the editor's: what happened to the worker is told afterwards. */
static void keep_notice(repl *r, const json_t *event) {
    json_t *copy = json_deep_copy(event);
    if (!copy || json_array_append_new(r->notices, copy) != 0) json_decref(copy);
}

/* Every eval that ended says what it wants to be asked with next; one that died is forgotten, and the prompt of before it
 * stays. */
static void note_prompt(repl *r, const json_t *event) {
    const char *status = json_string_value(json_object_get(event, "status"));
    const char *prompt = json_string_value(json_object_get(event, "prompt"));
    if (status && strcmp(status, "died") == 0) return;
    ph_free(r->prompt);
    r->prompt = prompt ? ph_strdup(prompt) : NULL;
}

static void on_event(void *user, json_t *event) {
    asking *q = user;
    const char *kind = json_string_value(json_object_get(event, "event"));
    if (!kind) return;
    if (repl_signals_echoed()) q->r->screen.midline = true;
    if (strcmp(kind, "done") == 0) {
        note_done(&q->answer, event);
        if (q->eval) note_prompt(q->r, event);
    } else if (strcmp(kind, "reply") == 0) {
        json_decref(q->answer.reply);
        q->answer.reply = json_incref(event);
    } else if (strcmp(kind, "input_request") == 0) {
        if (json_is_true(json_object_get(event, "key"))) answer_key(q->r, event);
        else answer_input(q->r, event);
    } else if (strcmp(kind, "prefer") == 0) {
        repl_choose_lang(q->r, json_string_value(json_object_get(event, "lang")));
        q->r->screen.pages.zh = repl_is_chinese(); /* of what this very request shows */
    } else if (!q->quiet) {
        repl_screen_event(&q->r->screen, event);
    } else if (strcmp(kind, "notice") == 0) {
        keep_notice(q->r, event);
    }
}

static repl_answer ask(repl *r, json_t *request, bool quiet) {
    const char *op = json_string_value(json_object_get(request, "op"));
    asking q = {.r = r, .quiet = quiet, .eval = op && (strcmp(op, "eval") == 0 || strcmp(op, "input") == 0)};
    ph_err err = {0};
    if (r->lost || !request) {
        if (!request) repl_screen_say(&r->screen, "error", REPL_SAYS("out of memory", "内存不足"));
        json_decref(request);
        return q.answer;
    }
    if (!quiet) {
        r->screen.pages.zh = repl_is_chinese();
        r->screen.reader = r->dialogue && r->screen.out_terminal && isatty(STDIN_FILENO);
        repl_screen_begin(&r->screen);
    }
    repl_signals_begin(r->session);
    ph_status st = ses_request(r->session, request, on_event, &q, &err);
    repl_signals_end(quiet);
    if (!quiet) repl_screen_end(&r->screen);
    if (st == PH_OK) return q.answer;
    if (!quiet) repl_screen_say(&r->screen, "error", "%s", err.text);
    r->lost = st == PH_EIO;
    q.answer.ok = false;
    return q.answer;
}

repl_answer repl_ask(repl *r, json_t *request) { return ask(r, request, false); }
repl_answer repl_ask_quietly(repl *r, json_t *request) { return ask(r, request, true); }
