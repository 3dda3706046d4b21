/* edit_readline.c: editing with GNU Readline, the only file that names it.
 *
 * Readline runs by its callbacks, under our own pselect, so that every signal is ours. Enter accepts a whole
 * input and breaks the line of an unfinished one: an input of many lines is edited, recalled and searched as
 * one text. Readline shows the line breaks of its buffer by itself; the continuation prompt is drawn by
 * showing it a copy of the buffer.
 */
#include "repl/edit.h"
#include "repl/settings.h"

#ifdef PH_READLINE

#include <stdio.h>
#include <readline/readline.h>
#include <readline/history.h>

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "repl/signals.h"
#include "repl/text.h"

#define INDENT 2
#define WORD   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* Readline is one per process, and so is what is known about it. */
static edit_hooks hooks;
static char *line_read; /* what Readline handed over; NULL: end */
static bool line_done;
static char early[512]; /* what is to be read before the terminal: bytes early_at to early_n */
static size_t early_n, early_at;

/* ---- the text being edited ----------------------------------------------------------------------------- */

static int line_start(int at) {
    while (at > 0 && rl_line_buffer[at - 1] != '\n') at--;
    return at;
}

static int line_end(int at) {
    while (at < rl_end && rl_line_buffer[at] != '\n') at++;
    return at;
}

static bool only_blanks(int from, int to) {
    while (from < to && strchr(" \t", rl_line_buffer[from])) from++;
    return from == to;
}

/* Characters between two bytes: combining ones count for none, so that moving up and down keeps the column.
 */
static int columns(int from, int to) {
    int n = 0;
    for (int i = from; i < to; i++) n += ((unsigned char)rl_line_buffer[i] & 0xC0) != 0x80;
    return n;
}

static int at_column(int from, int to, int column) {
    while (from < to && column-- > 0) do
            from++;
        while (from < to && ((unsigned char)rl_line_buffer[from] & 0xC0) == 0x80);
    return from;
}

static bool move_line(int direction) {
    int start = line_start(rl_point), column = columns(start, rl_point);
    int to = direction < 0 ? start - 1 : line_end(rl_point) + 1;
    if (to < 0 || to > rl_end) return false;
    start = line_start(to);
    rl_point = at_column(start, line_end(start), column);
    return true;
}

/* ---- showing it ---------------------------------------------------------------------------------------- */

/* Where byte `at` of the buffer stands in the copy with prompts. */
static int shown_at(int at) {
    int n = at;
    for (int i = 0; i < at && i < rl_end; i++)
        n += rl_line_buffer[i] == '\n' ? (int)strlen(REPL_PROMPT_MORE) : 0;
    return n;
}

static char *with_prompts(int size) {
    char *copy = ph_alloc((size_t)size + 1), *out = copy;
    if (!copy) return NULL;
    for (int i = 0; i < rl_end; i++) {
        *out++ = rl_line_buffer[i];
        if (rl_line_buffer[i] != '\n') continue;
        memcpy(out, REPL_PROMPT_MORE, strlen(REPL_PROMPT_MORE));
        out += strlen(REPL_PROMPT_MORE);
    }
    *out = '\0';
    return copy;
}

static void redisplay(void) {
    char *buffer = rl_line_buffer, *copy = NULL;
    int end = rl_end, point = rl_point, mark = rl_mark;
    if (buffer && memchr(buffer, '\n', (size_t)end)) copy = with_prompts(shown_at(end));
    if (!copy) {
        rl_redisplay();
        return;
    }
    int shown_end = shown_at(end), shown_point = shown_at(point), shown_mark = shown_at(mark);
    rl_line_buffer = copy, rl_end = shown_end, rl_point = shown_point, rl_mark = shown_mark;
    rl_redisplay();
    rl_line_buffer = buffer, rl_end = end, rl_point = point, rl_mark = mark;
    ph_free(copy);
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

static void break_line(int indent) {
    char blanks[81] = "\n";
    int n = indent < 0 ? 0 : indent > 79 ? 79 : indent;
    memset(blanks + 1, ' ', (size_t)n);
    blanks[n + 1] = '\0';
    rl_insert_text(blanks);
}

/* A line that begins with a closing word stands one step further left than the lines inside. */
static void outdent(void) {
    static const char *const closing[] = {"end", "else", "elseif", "until", "}", ")", "]"};
    int start = line_start(rl_point), indent = 0, at = start;
    while (at < rl_end && rl_line_buffer[at] == ' ') at++;
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++) {
        size_t n = strlen(closing[i]);
        if (strncmp(rl_line_buffer + at, closing[i], n) != 0) continue;
        if (n > 1 && strspn(rl_line_buffer + at + n, WORD)) continue;
        char *above = rl_copy_text(0, start);
        bool inside = above && hooks.incomplete(hooks.user, above, &indent);
        free(above);
        if (!inside || indent < INDENT || at - start != indent) return;
        int point = rl_point > start + INDENT ? rl_point - INDENT : start;
        rl_delete_text(start, start + INDENT);
        rl_point = point; /* Readline only keeps it inside the text */
        return;
    }
}

static int on_enter(int count, int key) {
    int indent = 0;
    if (rl_end == 0 || !hooks.incomplete(hooks.user, rl_line_buffer, &indent)) {
        if (rl_point == rl_end) outdent();
        redisplay(); /* Readline shows nothing more of an accepted text */
        return rl_newline(count, key);
    }
    rl_begin_undo_group();
    if (line_start(rl_point) > 0) {
        outdent();
        (void)hooks.incomplete(hooks.user, rl_line_buffer, &indent);
    }
    break_line(rl_point == rl_end ? indent : 0);
    rl_end_undo_group();
    return 0;
}

static int on_break(int count, int key) {
    (void)count, (void)key;
    break_line(0);
    return 0;
}

static int on_up(int count, int key) { return move_line(-1) ? 0 : rl_get_previous_history(count, key); }
static int on_down(int count, int key) { return move_line(1) ? 0 : rl_get_next_history(count, key); }

static int on_home(int count, int key) {
    if (line_start(rl_point) == 0) return rl_beg_of_line(count, key);
    rl_point = line_start(rl_point);
    return 0;
}

static int on_end(int count, int key) {
    if (line_end(rl_point) == rl_end) return rl_end_of_line(count, key);
    rl_point = line_end(rl_point);
    return 0;
}

/* ---- completion ---------------------------------------------------------------------------------------- */

/* Bytes that all texts begin with, never ending inside a character. */
static size_t common_prefix(const edit_matches *m) {
    size_t n = strlen(m->text[0]);
    for (size_t i = 1; i < m->n; i++)
        for (size_t j = 0; j < n; j++)
            if (m->text[i][j] != m->text[0][j]) n = j;
    while (n > 0 && ((unsigned char)m->text[0][n] & 0xC0) == 0x80) n--;
    return n;
}

/* rl_display_match_list wants the texts at 1 … n, with the common part at 0. */
static void list_matches(const edit_matches *m) {
    char **texts = ph_calloc(m->n + 2, sizeof *texts);
    int longest = 0;
    if (!texts) return;
    texts[0] = m->text[0];
    for (size_t i = 0; i < m->n; i++) {
        int n = (int)strlen(m->text[i]);
        texts[i + 1] = m->text[i];
        if (n > longest) longest = n;
    }
    rl_crlf();
    rl_display_match_list(texts, (int)m->n, longest);
    rl_forced_update_display();
    ph_free(texts);
}

static void replace(const edit_matches *m, size_t keep) {
    char *text = m->text[0];
    char cut = text[keep];
    text[keep] = '\0';
    rl_begin_undo_group();
    rl_delete_text((int)m->start, (int)m->end);
    rl_point = (int)m->start;
    rl_insert_text(text);
    rl_end_undo_group();
    text[keep] = cut;
}

/* A whole name that stands behind its opening quote gets the closing one; a folder goes on. */
static void close_quote(const edit_matches *m) {
    char quote[2] = {m->start > 0 ? rl_line_buffer[m->start - 1] : 0};
    bool opened = quote[0] == '"' || quote[0] == '\'', folder = m->text[0][strlen(m->text[0]) - 1] == '/';
    if (opened && !folder && rl_line_buffer[rl_point] != quote[0]) rl_insert_text(quote);
}

static int on_tab(int count, int key) {
    edit_matches m = {0};
    (void)count, (void)key;
    if (only_blanks(line_start(rl_point), rl_point)) {
        rl_insert_text("  ");
        return 0;
    }
    hooks.complete(hooks.user, rl_line_buffer, (size_t)rl_point, &m);
    bool usable = m.n > 0 && m.start <= m.end && m.end <= (size_t)rl_end;
    size_t common = usable ? common_prefix(&m) : 0, typed = m.end - m.start;
    if (!usable) rl_ding();
    else if (m.n == 1) replace(&m, common), close_quote(&m);
    else if (common > typed) replace(&m, common);
    else if (rl_last_func == on_tab || m.n > 1) list_matches(&m);
    repl_edit_matches_clear(&m);
    return 0;
}

/* ---- setting up ---------------------------------------------------------------------------------------- */

/* keys: the bytes themselves. Ours in place of a default, in the maps of both editing modes; what the user's
 * inputrc bound otherwise stays. */
static void rebind(const char *keys, rl_command_func_t *from, rl_command_func_t *to) {
    static const char *const maps[] = {"emacs", "vi-insert", "vi-command"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        Keymap map = rl_get_keymap_by_name(maps[i]);
        int kind;
        if (map && rl_function_of_keyseq(keys, map, &kind) == from && kind == ISFUNC)
            rl_bind_keyseq_in_map(keys, to, map);
    }
}

static void bind_keys(void) {
    static const char *const up[] = {"\033[A", "\033OA", "\020"}, *const down[] = {"\033[B", "\033OB",
                                                                                   "\016"};
    static const char *const home[] = {"\033[H", "\033OH", "\001"}, *const end[] = {"\033[F", "\033OF",
                                                                                    "\005"};
    for (size_t i = 0; i < 3; i++) {
        rebind(up[i], rl_get_previous_history, on_up);
        rebind(down[i], rl_get_next_history, on_down);
        rebind(home[i], rl_beg_of_line, on_home);
        rebind(end[i], rl_end_of_line, on_end);
    }
    rebind("\r", rl_newline, on_enter);
    rebind("\n", rl_newline, on_enter);
    rebind("\t", rl_complete, on_tab);
    rl_bind_keyseq_in_map("\033\r", on_break, rl_get_keymap_by_name("emacs"));
}

/* Characters are taken apart by the locale's rules. Where the environment names none that is UTF-8, one is
 * chosen: Readline looks at the environment itself, so it must be said there (of this process; the worker
 * keeps the user's). */
static void use_utf8(void) {
    static const char *const choices[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"};
    setlocale(LC_CTYPE, "");
    (void)repl_language(); /* before the environment says another */
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return;
        if (!setlocale(LC_CTYPE, choices[i])) continue;
        unsetenv("LC_ALL");
        setenv("LC_CTYPE", choices[i], 1);
    }
}

static void on_line(char *line) {
    line_read = line;
    line_done = true;
    rl_callback_handler_remove(); /* before the line runs: it may use the terminal */
}

/* Ctrl-C shall not empty the terminal's queues: what was typed before it is read before it, and a byte that pselect has seen is there
 * when Readline reads it, which would wait for another with the signals blocked. */
static void prepare_terminal(int meta) {
    struct termios t;
    rl_prep_terminal(meta);
    if (tcgetattr(fileno(rl_instream), &t) != 0 || t.c_lflag & NOFLSH) return;
    t.c_lflag |= NOFLSH;
    tcsetattr(fileno(rl_instream), TCSANOW, &t);
}

static bool open_editor(const edit_hooks *h) {
    hooks = *h;
    use_utf8();
    rl_readline_name = "phasor";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_completion_query_items = 200;
    const char *term = getenv("TERM");
    if (term && strcmp(term, "dumb") != 0) rl_variable_bind("enable-bracketed-paste", "on");
    rl_variable_bind("bell-style", "none");
    rl_initialize(); /* reads the user's inputrc, which may say otherwise */
    rl_prep_term_function = prepare_terminal;
    rl_redisplay_function = redisplay; /* not before: Readline would not ask what the terminal can do */
    bind_keys();
    using_history();
    return true;
}

static void close_editor(void) { rl_callback_handler_remove(); }

static void type(const char *s, size_t n) {
    early_n = n < sizeof early ? n : sizeof early;
    early_at = 0;
    memcpy(early, s, early_n);
}

static void remember(const char *text) {
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (!last || strcmp(last->line, text) != 0) add_history(text);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Readline wants to be told which bytes take no room. */
static const char *prompt(void) {
    static char text[256];
    const char *own = hooks.prompt(hooks.user);
    if (own) {
        snprintf(text, sizeof text, hooks.colour ? "\001\033[1;35m\002%.200s\001\033[0m\002" : "%.200s", own);
        return text;
    }
    return hooks.colour ? "\001\033[1;34m\002" REPL_PROMPT "\001\033[0m\002" : REPL_PROMPT;
}

/* Leaves the text as it stands on the screen and goes below it. */
static void abandon(void) {
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_point = rl_end;
    redisplay();
    fputs("^C", rl_outstream);
    rl_crlf();
    rl_callback_handler_remove();
    rl_replace_line("", 1);
}

/* The lines may have been folded anew, so they are drawn from the first. */
static void resize(void) {
    rl_clear_visible_line();
    rl_resize_terminal();
}

static void suspend(void) {
    rl_deprep_terminal();
    repl_signals_suspend();
    prepare_terminal(1);
    rl_resize_terminal();
    rl_on_new_line();
    redisplay();
}

static edit_outcome read_text(char **text) {
    line_done = false, line_read = NULL;
#if RL_READLINE_VERSION >= 0x0801
    rl_eof_found = 0; /* left from an earlier Ctrl-D, it would break every line */
#endif
    rl_callback_handler_install(prompt(), on_line);
    while (!line_done) {
        if (early_at < early_n) {
            rl_stuff_char((unsigned char)early[early_at++]);
            rl_callback_read_char();
            continue;
        }
        if (repl_signals_wait(STDIN_FILENO, -1)) {
            rl_callback_read_char();
            continue;
        }
        signals_seen seen = repl_signals_take();
        if (seen.resize) resize();
        if (seen.suspend) suspend();
        if (!seen.interrupt && !seen.leave) continue;
        abandon();
        return seen.leave ? EDIT_END : EDIT_CANCELLED;
    }
    if (!line_read) {
#if RL_READLINE_VERSION >= 0x0801
        if (!rl_eof_found) /* else Readline has ended the line */
#endif
            fputc('\n', stdout);
        return EDIT_END;
    }
    for (size_t n = strlen(line_read); n > 0 && line_read[n - 1] == '\n'; n--) line_read[n - 1] = '\0';
    *text = ph_strdup(line_read);
    free(line_read); /* Readline's own allocation */
    return *text ? EDIT_INPUT : EDIT_FAILED;
}

const edit_backend *repl_edit_readline(void) {
    static const edit_backend backend = {open_editor, close_editor, read_text, remember, type};
    return &backend;
}

const char *repl_edit_version(void) { return rl_library_version; }

#else

const edit_backend *repl_edit_readline(void) { return NULL; }
const char *repl_edit_version(void) { return "none"; }

#endif
