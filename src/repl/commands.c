/* commands.c: what can be said to the prompt besides Lua. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "repl/settings.h"
#include "repl/signals.h"
#include "repl/state.h"
#include "repl/text.h"

typedef struct {
    const char *name, *args, *help;
    void (*run)(repl *r, const char *args);
} command;

static void run_help(repl *r, const char *args);

static void run_undo(repl *r, const char *args) {
    (void)args;
    repl_answer a = repl_ask(r, repl_request(r, "undo", "", 0));
    const char *text = json_string_value(json_object_get(a.reply, "text"));
    if (text) repl_screen_say(&r->screen, NULL, "%s", text);
    json_decref(a.reply);
}

static void run_time(repl *r, const char *args) {
    if (!*args) r->timing = !r->timing;
    else if (strcmp(args, "on") == 0) r->timing = true;
    else if (strcmp(args, "off") == 0) r->timing = false;
    else {
        repl_screen_say(&r->screen, "error", ":time %s: wanted on or off", args);
        return;
    }
    repl_screen_say(&r->screen, NULL, "timing is %s", r->timing ? "on" : "off");
}

static void run_quit(repl *r, const char *args) {
    (void)args;
    r->leave = true;
}

void repl_choose_lang(repl *r, const char *lang) {
    ph_err err;
    if (lang && repl_settings_set_lang(lang, &err) != PH_OK)
        repl_screen_say(&r->screen, "error", "%s", err.text);
}

static void run_lang(repl *r, const char *args) {
    char lang[24];
    snprintf(lang, sizeof lang, "%.*s", (int)strcspn(args, " \t\n"), args);
    if (*lang) repl_choose_lang(r, lang);
    bool zh = strcmp(repl_language(), "zh") == 0;
    repl_screen_say(&r->screen, NULL,
                    zh ? "语言：中文（:lang en 换成英文）" : "language: English (:lang zh for Chinese)");
}

static void run_why(repl *r, const char *args) {
    (void)args;
    repl_evaluate(r, "why()", true);
}

static void run_search(repl *r, const char *args) { repl_search(r, args); }

static const command commands[] = {
    {"help", "", "this list", run_help},
    {"search", "WORDS", "search help, lessons and glossary, as ??? does", run_search},
    {"load", "FILE", "run the inputs of a file as if typed here", repl_load},
    {"save", "FILE", "write the inputs that ran to a file", repl_save},
    {"history", "[N]", "the last N inputs that ran (20)", repl_list_inputs},
    {"undo", "", "go back to before the last input that ran", run_undo},
    {"why", "", "what stands behind the last verdict", run_why},
    {"lang", "[en|zh]", "the language of lessons, verdicts and the glossary; it is kept", run_lang},
    {"time", "[on|off]", "say how long each input took", run_time},
    {"quit", "", "leave, as Ctrl-D does", run_quit},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void help_line(const repl *r, const char *what, const char *help) {
    printf("  %s%-14s%s %s\n", r->screen.colour ? "\033[1m" : "", what, r->screen.colour ? "\033[0m" : "",
           help);
}

static void command_line(const repl *r, const command *c) {
    char name[64];
    snprintf(name, sizeof name, ":%s %s", c->name, c->args);
    help_line(r, name, c->help);
}

/* Help on one command, the first n bytes of `name`; on all, where there is none of that name. */
static void help_on(repl *r, const char *name, size_t n) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (n == strlen(commands[i].name) && memcmp(name, commands[i].name, n) == 0) {
            command_line(r, &commands[i]);
            return;
        }
    run_help(r, "");
}

static void run_help(repl *r, const char *args) {
    static const char *const rows[][2] = {
        {"expression", "prints its value; _ is the last one; a last ; keeps it quiet"},
        {"? name", "help on a name;  ?? name  all of it;  ??? words  search it"},
        {"Tab", "complete a name;  \\theta Tab  types θ"},
        {"Enter", "runs a whole input, else breaks the line; Alt-Enter breaks it"},
        {"Up, Ctrl-R", "earlier inputs, of earlier sessions too;  Ctrl-R searches them"},
        {"Ctrl-C", "cancel the line, stop what runs; twice: stop it for certain"},
    };
    (void)args;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) help_line(r, rows[i][0], rows[i][1]);
    for (size_t i = 0; i < COMMANDS; i++) command_line(r, &commands[i]);
}

void repl_command(repl *r, const char *line) {
    char name[32];
    const char *names[COMMANDS + 1] = {NULL};
    size_t n = strcspn(line, " \t\n");
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), line);
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strcmp(name, commands[i].name) != 0) continue;
        commands[i].run(r, line + n + strspn(line + n, " \t\n"));
        return;
    }
    const char *near = ph_nearest(name, names);
    if (near) repl_screen_say(&r->screen, "error", "unknown command :%s; did you mean :%s?", name, near);
    else repl_screen_say(&r->screen, "error", "unknown command :%s; :help lists them", name);
}

void repl_complete_command(const char *text, size_t pos, edit_matches *out) {
    size_t from = strcspn(text, ":") + 1;
    out->text = ph_calloc(COMMANDS, sizeof *out->text);
    if (!out->text || from > pos) return;
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strncmp(commands[i].name, text + from, pos - from) != 0) continue;
        out->text[out->n] = ph_strdup(commands[i].name);
        if (out->text[out->n]) out->n++;
    }
    out->start = from, out->end = pos;
}

/* ---- help ---------------------------------------------------------------------------------------------- */

/* Calls a function of the laboratory with words as its argument: fn('words'). */
static void call_with(repl *r, const char *fn, const char *words, size_t n) {
    ph_text code = {0};
    char *text;
    ph_err err;
    ses_put_call(&code, fn, words, n);
    if (ph_text_take(&text, NULL, &code, &err) == PH_OK) repl_evaluate(r, text, true);
    else repl_screen_say(&r->screen, "error", "%s", err.text);
    ph_free(text);
}

/* What the session does not know by itself goes to help(): it looks further and names what is near. */
void repl_help(repl *r, const char *name, bool detail) {
    size_t n = ses_asked(name);
    if (n == 0 || *name == ':') {
        help_on(r, n ? name + 1 : "", n ? n - 1 : 0);
        return;
    }
    json_t *request = repl_request(r, "inspect", name, n);
    if (request) {
        json_object_set_new(request, "pos", json_integer((json_int_t)n));
        json_object_set_new(request, "detail", json_integer(detail));
    }
    repl_answer a = repl_ask(r, request);
    const char *text = json_string_value(json_object_get(a.reply, "text"));
    if (!json_is_true(json_object_get(a.reply, "found"))) call_with(r, "help", name, n);
    else if (text) printf("%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "");
    json_decref(a.reply);
}

void repl_search(repl *r, const char *words) {
    size_t n = ses_asked(words);
    if (n > 0) call_with(r, "search", words, n);
    else repl_screen_say(&r->screen, "error", "??? wants words to search for, as in  ??? matrix");
}
