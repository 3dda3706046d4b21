/* repl.c: read, evaluate, print, again. */
#include "repl/repl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "repl/history.h"
#include "repl/settings.h"
#include "repl/signals.h"
#include "repl/state.h"
#include "repl/text.h"

#define LEAVE_LESSON ":quit"

ph_status repl_open(repl **out, bool worker, ph_err *err) {
    const ses_options here = {.functions = wrk_functions};
    repl *r = ph_calloc(1, sizeof *r);
    ph_status st = PH_OK;
    if (!r) return ph_fail_nomem(err, sizeof *r);
    r->worker = worker;
    if (worker) PH_TRY(wrk_open(&r->session, NULL, err)); /* forks; so before everything else */
    else PH_TRY(ses_open(&r->session, &here, err));
    repl_screen_open(&r->screen);
    r->notices = json_array();
    r->inputs = json_array();
    if (!r->notices || !r->inputs) PH_TRY(ph_fail_nomem(err, 0));
    repl_signals_open(r->worker);
done:
    if (st != PH_OK) repl_close(r), r = NULL;
    *out = r;
    return st;
}

void repl_close(repl *r) {
    if (!r) return;
    if (r->session) ses_close(r->session);
    json_decref(r->notices);
    json_decref(r->inputs);
    ph_free(r->history);
    ph_free(r->prompt);
    ph_free(r);
}

static json_t *script_request(const repl *r, const char *code, size_t n, const char *name,
                              char *const *args) {
    json_t *request = repl_eval_request(r, code, n, name), *list = json_array();
    bool ok = request && list && json_object_set_new(request, "script", json_true()) == 0;
    for (; ok && args && *args; args++)
        ok = json_array_append_new(list, repl_json_text(r, *args, strlen(*args))) == 0;
    if (ok && json_object_set(request, "args", list) == 0) json_decref(list);
    else json_decref(list), json_decref(request), request = NULL;
    return request;
}

static int run_script(repl *r, json_t *request, bool *left) {
    r->screen.located = true;
    repl_answer a = repl_ask(r, request);
    r->screen.located = false;
    json_decref(a.reply);
    if (left) *left = a.exited;
    return a.exited ? a.exit_code : a.ok ? 0 : a.interrupted ? 130 : 1;
}

int repl_run(repl *r, const char *code, size_t n, const char *name, char *const *args, bool *left) {
    return run_script(r, script_request(r, code, n, name, args), left);
}

int repl_run_input(repl *r, const char *code, const char *name, bool *left) {
    json_t *request = script_request(r, code, strlen(code), name, NULL);
    if (request) json_object_set_new(request, "echo", json_true());
    return run_script(r, request, left);
}

/* ---- one input ----------------------------------------------------------------------------------------- */

static int lines_in(const char *text) {
    int n = 1;
    for (; *text; text++) n += *text == '\n';
    return n;
}

repl_answer repl_evaluate(repl *r, const char *code, bool aside) {
    snprintf(r->cell, sizeof r->cell, "input %d", ++r->cells);
    r->screen.cell = r->cell;
    r->screen.lines = lines_in(code);
    json_t *request = repl_eval_request(r, code, strlen(code), r->cell);
    if (request && aside) json_object_set_new(request, "aside", json_true());
    repl_answer a = repl_ask(r, request);
    json_decref(a.reply);
    a.reply = NULL;
    if (a.exited)
        repl_screen_say(&r->screen, NULL,
                        REPL_SAYS("os.exit ends the input here, not the session; :quit leaves",
                                  "os.exit 在这里只结束这条输入，不结束会话；:quit 退出"));
    return a;
}

/* Has the user given the name to something? */
static bool is_known_variable(repl *r, const char *word, size_t n) {
    json_t *request = repl_request(r, "inspect", word, n);
    if (request) json_object_set_new(request, "pos", json_integer((json_int_t)n));
    repl_answer a = repl_ask_quietly(r, request);
    const char *text = json_string_value(json_object_get(a.reply, "text"));
    bool own = json_is_true(json_object_get(a.reply, "found")) && text && !strstr(text, word);
    json_decref(a.reply);
    return own;
}

static void run_code(repl *r, const char *code) {
    size_t n;
    bool listing = repl_is_word(code, "whos", &n) && !is_known_variable(r, "whos", n);
    repl_answer a = repl_evaluate(r, listing ? "whos()" : code, listing);
    if (a.ok && !listing) json_array_append_new(r->inputs, repl_json_text(r, code, strlen(code)));
    if (r->timing && !r->lost) repl_screen_say(&r->screen, NULL, REPL_SAYS("%.3g s", "%.3g 秒"), a.seconds);
}

/* An input while a lesson is open: the lesson says what it means. */
static void run_lesson(repl *r, const char *input) {
    snprintf(r->cell, sizeof r->cell, "input %d", ++r->cells);
    r->screen.cell = r->cell;
    r->screen.lines = lines_in(input);
    json_t *request = repl_eval_request(r, "", 0, r->cell), *text = repl_json_text(r, input, strlen(input));
    if (request) {
        json_object_set_new(request, "op", json_string("input"));
        json_object_del(request, "code");
        json_object_set(request, "text", text);
    }
    json_decref(text);
    repl_answer a = repl_ask(r, request);
    json_decref(a.reply);
    if (a.exited)
        repl_screen_say(&r->screen, NULL,
                        REPL_SAYS("os.exit ends the input here; :quit leaves the lesson",
                                  "os.exit 在这里只结束这条输入；:quit 离开本课"));
    else if (r->visit && !r->prompt && strncmp(input, LEAVE_LESSON, strlen(LEAVE_LESSON)) == 0)
        r->leave = true;
}

/* `quit` or `exit`, unless the user has given that name to something. */
static bool wants_to_leave(repl *r, const char *input) {
    size_t n;
    const char *word = repl_leave_word(input, &n);
    return word && !is_known_variable(r, word, n);
}

static void dispatch(repl *r, const char *input) {
    const char *rest;
    ses_ask ask = ses_classify(input, &rest);
    if (ask == ASK_CODE && wants_to_leave(r, input)) {
        if (r->prompt) run_lesson(r, LEAVE_LESSON);
        else r->leave = true;
        return;
    }
    bool lang = ask == ASK_COMMAND && strncmp(rest, "lang", 4) == 0;
    if (lang && r->prompt) repl_command(r, rest); /* the lesson turns to it as well */
    if (r->prompt && (ask == ASK_BLANK || ask == ASK_COMMAND || ask == ASK_CODE)) {
        run_lesson(r, input);
        return;
    }
    switch (ask) {
    case ASK_BLANK: break;
    case ASK_CODE: run_code(r, input); break;
    case ASK_COMMAND: repl_command(r, rest); break;
    case ASK_HELP: repl_help(r, rest, false); break;
    case ASK_MORE: repl_help(r, rest, true); break;
    case ASK_SEARCH: repl_search(r, rest); break;
    }
}

static void show_notices(repl *r) {
    for (size_t i = 0; i < json_array_size(r->notices); i++)
        repl_screen_event(&r->screen, json_array_get(r->notices, i));
    json_array_clear(r->notices);
}

static void take_text(repl *r, const char *text) {
    size_t pos = 0;
    ph_status st;
    char *input;
    show_notices(r);
    if (r->prompt && !*text) dispatch(r, ""); /* Enter alone goes on */
    while (!r->leave && !r->lost && (input = repl_next_input(text, &pos, &st)) != NULL) {
        dispatch(r, input);
        ph_free(input);
    }
}

/* ---- what the editor asks ------------------------------------------------------------------------------ */

/* The last input of a text that may be a pasted session. */
static char *last_input(const char *text) {
    size_t pos = 0;
    ph_status st;
    char *last = NULL, *input;
    while ((input = repl_next_input(text, &pos, &st)) != NULL) {
        ph_free(last);
        last = input;
    }
    return last;
}

static bool incomplete(void *user, const char *text, int *indent) {
    repl *r = user;
    const char *rest;
    char *input = last_input(text);
    bool result = false;
    *indent = 0;
    if (input && ses_classify(input, &rest) == ASK_CODE) {
        repl_answer a = repl_ask_quietly(r, repl_request(r, "is_complete", input, strlen(input)));
        const char *status = json_string_value(json_object_get(a.reply, "status"));
        const char *blanks = json_string_value(json_object_get(a.reply, "indent"));
        result = status && strcmp(status, "incomplete") == 0;
        if (blanks) *indent = (int)strlen(blanks);
        json_decref(a.reply);
    }
    ph_free(input);
    return result;
}

static const char *lesson_prompt(void *user) { return ((repl *)user)->prompt; }

static bool add_match(edit_matches *m, const char *text) {
    m->text[m->n] = ph_strdup(text);
    m->n += m->text[m->n] != NULL;
    return m->text[m->n - 1] != NULL;
}

/* ?na<Tab> completes a name as code does: the session is asked about what stands behind the marks. */
static void complete(void *user, const char *text, size_t pos, edit_matches *out) {
    repl *r = user;
    const char *rest;
    ses_ask ask = ses_classify(text, &rest);
    size_t shift = ask == ASK_HELP || ask == ASK_MORE ? (size_t)(rest - text) : 0;
    if (ask == ASK_COMMAND) {
        repl_complete_command(text, pos, out);
        return;
    }
    if (shift > pos) return;
    json_t *request = repl_request(r, "complete", text + shift, strlen(text + shift));
    if (request) json_object_set_new(request, "pos", json_integer((json_int_t)(pos - shift)));
    repl_answer a = repl_ask_quietly(r, request);
    json_t *matches = json_object_get(a.reply, "matches"), *match;
    size_t i;
    out->start = (size_t)json_integer_value(json_object_get(a.reply, "start")) + shift;
    out->end = (size_t)json_integer_value(json_object_get(a.reply, "end")) + shift;
    out->text = ph_calloc(json_array_size(matches) + 1, sizeof *out->text);
    json_array_foreach(matches, i, match) {
        const char *word = json_string_value(json_object_get(match, "text"));
        if (!out->text || (word && !add_match(out, word))) break;
    }
    json_decref(a.reply);
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

static void remember_loaded(void *user, const char *text) { repl_edit_remember(user, text); }

static void open_history(repl *r) {
    ph_err err;
    r->history = repl_history_path();
    if (r->history && repl_history_load(r->history, remember_loaded, r->editor, &err) != PH_OK) {
        repl_screen_say(&r->screen, NULL, "%s", err.text);
        ph_free(r->history);
        r->history = NULL;
    }
}

/* A history that cannot be written is told once and then left alone. */
static void remember(repl *r, const char *text) {
    ph_err err;
    const char *rest;
    if (!repl_edit_fancy(r->editor) || ses_classify(text, &rest) == ASK_BLANK) return;
    repl_edit_remember(r->editor, text);
    if (!r->history || repl_history_append(r->history, text, &err) == PH_OK) return;
    repl_screen_say(&r->screen, NULL, "%s", err.text);
    ph_free(r->history);
    r->history = NULL;
}

static void welcome(const repl *r) {
    const char *bold = r->screen.colour ? "\033[1m" : "", *plain = r->screen.colour ? "\033[0m" : "";
    printf("%sphasor " PH_VERSION "%s%s", bold, plain,
           REPL_SAYS(": a laboratory for positional encodings, spoken to in Lua.\n"
                     "  lesson \"order\"          the course begins;  lesson()  is its map\n"
                     "  inv(2*eye(3))           arrays and linear algebra;  ? inv  explains a name\n"
                     "  help()                  what there is;  :help  how to use this prompt\n\n",
                     "：位置编码的实验室，用 Lua 与它对话。\n"
                     "  lesson \"order\"          课程从这里开始；  lesson()  列出全部课程\n"
                     "  inv(2*eye(3))           数组与线性代数；  ? inv  说明一个名字\n"
                     "  help()                  这里都有什么；  :help  怎样使用提示符\n\n"));
    fflush(stdout);
}

static int prompt(repl *r, bool greet) {
    edit_hooks hooks = {r, r->screen.colour, lesson_prompt, incomplete, complete};
    r->editor = repl_edit_open(&hooks);
    if (!r->editor) return 1;
    if (repl_edit_fancy(r->editor)) {
        if (greet) welcome(r);
        open_history(r);
        r->screen.images = repl_graphics_ask(repl_edit_type);
    }
    while (!r->leave && !r->lost) {
        char *text;
        repl_screen_settle(&r->screen);
        edit_outcome got = repl_edit_read(r->editor, &text);
        if (got == EDIT_FAILED)
            repl_screen_say(&r->screen, "error", REPL_SAYS("the input cannot be read", "无法读取输入"));
        if (got == EDIT_END && r->prompt && !r->visit &&
            isatty(STDIN_FILENO)) { /* Ctrl-D leaves the lesson first */
            run_lesson(r, LEAVE_LESSON);
            continue;
        }
        if (got == EDIT_END || got == EDIT_FAILED) break;
        if (got == EDIT_CANCELLED) continue;
        remember(r, text);
        take_text(r, text);
        ph_free(text);
        if (got == EDIT_UNFINISHED) break;
    }
    repl_screen_settle(&r->screen);
    repl_edit_close(r->editor);
    r->editor = NULL;
    int signo = repl_signals_take().leave;
    return signo ? 128 + signo : r->lost;
}

int repl_prompt(repl *r) {
    r->dialogue = true;
    return prompt(r, true);
}

int repl_visit(repl *r, const char *code, size_t n, const char *name, char *const *args) {
    r->dialogue = r->visit = isatty(STDIN_FILENO);
    int status = repl_run(r, code, n, name, args, NULL);
    return r->prompt ? prompt(r, false) : status;
}
