/* edit.c: chooses the editor; the plain one is here. */
#include "repl/edit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "repl/lines.h"
#include "repl/signals.h"
#include "repl/text.h"

struct editor {
    edit_hooks hooks;
    const edit_backend *fancy; /* NULL: plain lines */
    bool prompts;
};

editor *repl_edit_open(const edit_hooks *hooks) {
    editor *e = ph_calloc(1, sizeof *e);
    if (!e) return NULL;
    e->hooks = *hooks;
    e->prompts = isatty(STDIN_FILENO);
    if (e->prompts && isatty(STDOUT_FILENO)) e->fancy = repl_edit_readline();
    if (e->fancy && !e->fancy->open(&e->hooks)) e->fancy = NULL;
    return e;
}

void repl_edit_close(editor *e) {
    if (e && e->fancy) e->fancy->close();
    ph_free(e);
}

bool repl_edit_fancy(const editor *e) { return e->fancy != NULL; }

void repl_edit_type(const char *s, size_t n) {
    const edit_backend *fancy = repl_edit_readline();
    if (fancy) fancy->type(s, n);
}

void repl_edit_remember(editor *e, const char *text) {
    if (e->fancy) e->fancy->remember(text);
}

void repl_edit_matches_clear(edit_matches *m) {
    for (size_t i = 0; i < m->n; i++) ph_free(m->text[i]);
    ph_free(m->text);
    *m = (edit_matches){0};
}

/* ---- plain lines --------------------------------------------------------------------------------------- */

static void ask(const editor *e, const char *prompt) {
    if (!e->prompts) return;
    fflush(stdout);
    fputs(prompt, stderr);
}

/* Ctrl-C at a terminal cancels the input; anywhere else it means the whole run, as a signal to leave does. */
static edit_outcome signalled(const editor *e) {
    signals_seen seen = repl_signals_take();
    if (seen.suspend) repl_signals_suspend();
    if (seen.leave || (seen.interrupt && !e->prompts)) return EDIT_END;
    return seen.interrupt ? EDIT_CANCELLED : EDIT_INPUT;
}

static edit_outcome read_line(const editor *e, lines_text *t) {
    for (;;) {
        edit_outcome got;
        switch (repl_lines_read(t)) {
        case LINES_GOT: return EDIT_INPUT;
        case LINES_END: return EDIT_END;
        case LINES_FAILED: return EDIT_FAILED;
        case LINES_SIGNAL:
            if ((got = signalled(e)) != EDIT_INPUT) return got;
        }
    }
}

static edit_outcome read_plain(editor *e, char **text) {
    lines_text t = {0};
    int indent;
    const char *own = e->hooks.prompt(e->hooks.user);
    ask(e, own ? own : REPL_PROMPT);
    edit_outcome got = read_line(e, &t);
    while (got == EDIT_INPUT && e->hooks.incomplete(e->hooks.user, t.text, &indent)) {
        ask(e, REPL_PROMPT_MORE);
        got = read_line(e, &t);
    }
    if (got == EDIT_END && t.n > 0) got = EDIT_UNFINISHED;
    if (got != EDIT_INPUT && got != EDIT_UNFINISHED) {
        repl_lines_clear(&t);
        return got;
    }
    while (t.n > 0 && strchr("\r\n", t.text[t.n - 1])) t.text[--t.n] = '\0';
    *text = t.text;
    return got;
}

edit_outcome repl_edit_read(editor *e, char **text) {
    *text = NULL;
    return e->fancy ? e->fancy->read(text) : read_plain(e, text);
}
