/* commands.c: what can be said to the prompt besides Lua. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "repl/settings.h"
#include "repl/signals.h"
#include "repl/state.h"
#include "repl/text.h"

typedef struct {
    const char *name, *args, *help, *args_zh, *help_zh;
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
        repl_screen_say(&r->screen, "error",
                        REPL_SAYS(":time %s: wanted on or off", ":time %s：只能是 on 或 off"), args);
        return;
    }
    if (r->timing) repl_screen_say(&r->screen, NULL, REPL_SAYS("timing is on", "计时已打开"));
    else repl_screen_say(&r->screen, NULL, REPL_SAYS("timing is off", "计时已关闭"));
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
    repl_screen_say(&r->screen, NULL,
                    REPL_SAYS("language: English (:lang zh for Chinese)", "语言：中文（:lang en 换成英文）"));
}

static void run_why(repl *r, const char *args) {
    (void)args;
    repl_evaluate(r, "why()", true);
}

static void run_search(repl *r, const char *args) { repl_search(r, args); }

static const command commands[] = {
    {"help", "", "this list", "", "本列表", run_help},
    {"search", "WORDS", "search help, lessons and glossary, as ??? does", "词",
     "在说明、课程和术语表里查找，与 ??? 相同", run_search},
    {"load", "FILE", "run the inputs of a file as if typed here", "文件",
     "执行文件里的输入，就像在这里输入一样", repl_load},
    {"save", "FILE", "write the inputs that ran to a file", "文件", "把执行成功的输入写入文件", repl_save},
    {"history", "[N]", "the last N inputs that ran (20)", "[N]", "最近 N 条执行成功的输入（20）",
     repl_list_inputs},
    {"undo", "", "go back to before the last input that ran", "", "退回到上一条输入执行之前", run_undo},
    {"why", "", "what stands behind the last verdict", "", "上一个判定的由来", run_why},
    {"lang", "[en|zh]", "the language of lessons, verdicts and the glossary; it is kept", "[en|zh]",
     "课程、判定、术语表和提示符所用的语言，下次仍是", run_lang},
    {"time", "[on|off]", "say how long each input took", "[on|off]", "显示每条输入用了多长时间", run_time},
    {"quit", "", "leave, as Ctrl-D does", "", "退出，与 Ctrl-D 相同", run_quit},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void help_line(const repl *r, const char *what, const char *help) {
    size_t width = ph_utf8_width(what, strlen(what));
    printf("  %s%s%s%*s %s\n", r->screen.colour ? "\033[1m" : "", what, r->screen.colour ? "\033[0m" : "",
           width < 14 ? (int)(14 - width) : 0, "", help);
}

static void command_line(const repl *r, const command *c) {
    char name[64];
    snprintf(name, sizeof name, ":%s %s", c->name, REPL_SAYS(c->args, c->args_zh));
    help_line(r, name, REPL_SAYS(c->help, c->help_zh));
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
    static const char *const rows[][4] = {
        {"expression", "prints its value; _ is the last one; a last ; keeps it quiet", "表达式",
         "显示它的值；_ 是上一个值；以 ; 结尾则不显示"},
        {"? name", "help on a name;  ?? name  all of it;  ??? words  search it", "? 名字",
         "名字的说明；  ?? 名字  完整的说明；  ??? 词  查找"},
        {"Tab", "complete a name;  \\theta Tab  types θ", "Tab", "补全名字；  \\theta Tab  输入 θ"},
        {"Enter", "runs a whole input, else breaks the line; Alt-Enter breaks it", "回车",
         "输入完整就执行，否则换行；Alt-回车一定换行"},
        {"Up, Ctrl-R", "earlier inputs, of earlier sessions too;  Ctrl-R searches them", "↑, Ctrl-R",
         "以前的输入，包括以前会话里的；  Ctrl-R 查找"},
        {"Ctrl-C", "cancel the line, stop what runs; twice: stop it for certain", "Ctrl-C",
         "取消这一行，停止正在执行的；按两次必定停止"},
    };
    (void)args;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        help_line(r, REPL_SAYS(rows[i][0], rows[i][2]), REPL_SAYS(rows[i][1], rows[i][3]));
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
    if (near)
        repl_screen_say(&r->screen, "error",
                        REPL_SAYS("unknown command :%s; did you mean :%s?", "没有命令 :%s；是不是 :%s？"),
                        name, near);
    else
        repl_screen_say(
            &r->screen, "error",
            REPL_SAYS("unknown command :%s; :help lists them, and functions are written without a colon",
                      "没有命令 :%s；:help 列出全部，函数前面不加冒号"),
            name);
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
    else
        repl_screen_say(&r->screen, "error",
                        REPL_SAYS("??? wants words to search for, as in  ??? matrix",
                                  "??? 后面要写查找的词，例如  ??? matrix"));
}
