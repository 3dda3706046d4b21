/* screen.c: see screen.h. */
#include "repl/screen.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "repl/settings.h"

#define RED    "\033[1;31m"
#define GREEN  "\033[1;32m"
#define YELLOW "\033[33m"
#define DIM    "\033[2m"
#define PLAIN  "\033[0m"

static bool has_colours(bool terminal) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return terminal && !(no && *no) && term && *term && strcmp(term, "dumb") != 0;
}

void repl_screen_open(screen *s) {
    *s = (screen){.out_terminal = isatty(STDOUT_FILENO), .err_terminal = isatty(STDERR_FILENO)};
    s->colour = s->pages.colour = has_colours(s->out_terminal);
    s->err_colour = has_colours(s->err_terminal);
}

void repl_screen_size(const screen *s, int *columns, int *rows) {
    struct winsize w;
    bool known = s->out_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0;
    *columns = known ? w.ws_col : 80;
    *rows = known ? w.ws_row : 24;
}

static const char *field(const json_t *event, const char *name) {
    const char *text = json_string_value(json_object_get(event, name));
    return text ? text : "";
}

static void put(screen *s, const char *text) {
    size_t n = strlen(text);
    if (n == 0 || s->pages.left) return;
    if (s->pages.on) repl_pager_put(&s->pages, text);
    else fputs(text, stdout);
    s->midline = text[n - 1] != '\n';
}

static void by_pages(screen *s, const char *heading) {
    int columns, rows;
    if (!s->reader || s->pages.left) return;
    repl_screen_size(s, &columns, &rows);
    repl_pager_begin(&s->pages, columns, rows, heading);
}

void repl_screen_begin(screen *s) { repl_pager_end(&s->pages); }

void repl_screen_end(screen *s) {
    if (s->pages.left) s->midline = false;
    repl_pager_end(&s->pages);
}

static void begin_line(screen *s) {
    if (s->midline) put(s, "\n");
}

static void drop_progress(screen *s) {
    if (s->progress) fputs("\r\033[K", stderr);
    s->progress = false;
}

void repl_screen_settle(screen *s) {
    drop_progress(s);
    if (s->out_terminal) begin_line(s);
    fflush(stdout);
}

/* stderr follows stdout, so that a terminal or a shared log shows things in the order they happened. */
static void turn_to_stderr(screen *s) {
    if (s->out_terminal && s->err_terminal) begin_line(s);
    fflush(stdout);
}

static void paint(const screen *s, const char *colour, const char *text) {
    if (s->err_colour) fprintf(stderr, "%s%s" PLAIN, colour, text);
    else fputs(text, stderr);
}

/* A field whose text may come from anywhere: what a terminal would obey is shown as "?". The caller frees. */
static char *harmless(const char *text) {
    char *clean = ph_strdup(text);
    size_t n = clean ? strlen(clean) : 0, to = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)clean[i], next = (unsigned char)clean[i + 1];
        bool c1 = c == 0xC2 && next >= 0x80 && next < 0xA0;
        bool obeyed = c1 || c == 0x7F || (c < ' ' && c != '\n' && c != '\t');
        clean[to++] = obeyed ? '?' : (char)c;
        i += c1;
    }
    if (clean) clean[to] = '\0';
    return clean;
}

/* A coloured word in front of what it is about: "error: ", or the same in Chinese. Returns its width. */
static size_t put_label(const screen *s, const char *word) {
    if (strcmp(word, "error") == 0) word = REPL_SAYS("error", "错误");
    const char *colon = REPL_SAYS(": ", "：");
    paint(s, RED, word);
    fputs(colon, stderr);
    return ph_utf8_width(word, strlen(word)) + ph_utf8_width(colon, strlen(colon));
}

/* One line of the text, n bytes: broken between words where a terminal would break it anywhere. */
static void put_line(const char *text, size_t n, size_t column, size_t columns) {
    while (n > 0) {
        size_t fits = ph_utf8_fit(text, n, column < columns ? columns - column : 1);
        if (column > 0 && column + ph_utf8_width(text, fits) > columns) {
            fputc('\n', stderr);
            column = 0;
            continue;
        }
        fprintf(stderr, "%.*s", (int)fits, text);
        for (text += fits, n -= fits; n > 0 && *text == ' ';) text++, n--;
        if (n > 0) fputc('\n', stderr);
        column = 0;
    }
}

/* A text that begins behind `column` columns. */
static void put_wrapped(const screen *s, const char *text, size_t column) {
    int columns, rows;
    repl_screen_size(s, &columns, &rows);
    char *clean = harmless(text);
    text = clean ? clean : "";
    while (s->err_terminal && *text) {
        size_t n = strcspn(text, "\n");
        put_line(text, n, column, (size_t)columns);
        if (text[n]) fputc('\n', stderr), n++;
        text += n, column = 0;
    }
    fputs(text, stderr);
    ph_free(clean);
}

void repl_screen_say(screen *s, const char *word, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    drop_progress(s);
    turn_to_stderr(s);
    char *clean = harmless(text);
    if (word) put_wrapped(s, text, put_label(s, word));
    else paint(s, DIM, clean ? clean : "");
    fputc('\n', stderr);
    ph_free(clean);
}

/* ---- streams, results, displays ------------------------------------------------------------------------ */

static void show_stream(screen *s, const json_t *event) {
    const char *text = field(event, "text");
    if (strcmp(field(event, "name"), "stderr") == 0) {
        turn_to_stderr(s);
        if (json_is_true(json_object_get(event, "words"))) put_wrapped(s, text, 0);
        else fputs(text, stderr);
        repl_pager_count(&s->pages, repl_pager_rows(&s->pages, text)); /* it stands on the same screen */
        return;
    }
    put(s, text);
    fflush(stdout);
}

static void show_data(screen *s, const json_t *event) {
    const json_t *data = json_object_get(event, "data");
    const char *text = field(data, "text/plain"), *mime = repl_graphics_mime(s->images);
    const char *image = mime ? field(data, mime) : "";
    if (*image) {
        begin_line(s);
        repl_graphics_show(s->images, image);
        fflush(stdout);
        return;
    }
    if (!*text) return;
    begin_line(s);
    if (!s->pages.on) by_pages(s, NULL);
    if (s->pages.on) repl_pager_keep(&s->pages, repl_pager_rows(&s->pages, text));
    put(s, text);
    begin_line(s);
    fflush(stdout);
}

static void show_page(screen *s, const json_t *event) {
    int rows = (int)json_integer_value(json_object_get(event, "rows"));
    if (rows) repl_pager_keep(&s->pages, rows);
    else by_pages(s, json_string_value(json_object_get(event, "heading")));
}

static void show_clear(screen *s) {
    if (s->colour) put(s, "\033[H\033[2J");
    s->midline = false;
    fflush(stdout);
}

static void show_progress(screen *s, const json_t *event) {
    double fraction = json_number_value(json_object_get(event, "fraction"));
    int columns, rows;
    if (!s->err_terminal) return;
    if (fraction >= 1) { /* done: what is printed next may go past the screen, straight to stdout */
        drop_progress(s);
        fflush(stderr);
        return;
    }
    repl_screen_size(s, &columns, &rows);
    turn_to_stderr(s);
    char *clean = harmless(field(event, "text"));
    fprintf(stderr, "\r\033[K%3.0f %% %.*s", 100 * fraction, columns > 20 ? columns - 8 : 12,
            clean ? clean : "");
    ph_free(clean);
    fflush(stderr);
    s->progress = true;
}

static void show_notice(screen *s, const json_t *event) {
    turn_to_stderr(s);
    if (s->err_colour) fputs(YELLOW, stderr);
    put_wrapped(s, field(event, "text"), 0);
    fputs(s->err_colour ? PLAIN "\n" : "\n", stderr);
}

/* ---- errors -------------------------------------------------------------------------------------------- */

/* Blanks as wide as the first n bytes of a line; tabs stay tabs. */
static void indent_to(const char *line, size_t n) {
    while (n > 0) {
        const char *tab = memchr(line, '\t', n);
        size_t part = tab ? (size_t)(tab - line) : n;
        fprintf(stderr, "%*s", (int)ph_utf8_width(line, part), "");
        if (tab) fputc('\t', stderr), part++;
        line += part, n -= part;
    }
}

/* The line in question, and a caret under the character (column counts characters, from 1; 0: unknown). */
static void show_source(const screen *s, const char *line, long column) {
    size_t n = strlen(line);
    if (n == 0 || n > 400) return;
    char *clean = harmless(line);
    fprintf(stderr, "  %s\n", clean ? clean : "");
    ph_free(clean);
    if (column < 1) return;
    fputs("  ", stderr);
    indent_to(line, ph_utf8_offset(line, n, (size_t)column - 1));
    paint(s, GREEN, "^");
    fputc('\n', stderr);
}

/* Where, in front of the message; returns its width. In the cell just typed the name says nothing, nor does
 * the line when it is the only one. */
static size_t show_place(const screen *s, const char *name, long line, long column) {
    if (s->located && column > 0) return (size_t)fprintf(stderr, "%s:%ld:%ld: ", name, line, column);
    if (s->located) return (size_t)fprintf(stderr, "%s:%ld: ", name, line);
    bool here = s->cell && strcmp(name, s->cell) == 0;
    char text[60];
    if (here && s->lines <= 1) return 0;
    int n = snprintf(text, sizeof text, REPL_SAYS("line %ld: ", "第 %ld 行："), line);
    size_t at = here ? 0 : ph_utf8_width(name, strlen(name)) + 2;
    fprintf(stderr, "%s%s%s", here ? "" : name, here ? "" : REPL_SAYS(", ", "，"), text);
    return at + ph_utf8_width(text, (size_t)n);
}

static void show_trace(const screen *s, const json_t *trace) {
    for (size_t i = 0; i < json_array_size(trace); i++) {
        fputs("  ", stderr);
        char *clean = harmless(json_string_value(json_array_get(trace, i)));
        paint(s, DIM, clean ? clean : "");
        ph_free(clean);
        fputc('\n', stderr);
    }
}

static void show_error(screen *s, const json_t *event) {
    const char *name = field(event, "name");
    long line = (long)json_integer_value(json_object_get(event, "line"));
    long column = (long)json_integer_value(json_object_get(event, "column"));
    size_t at = 0;
    turn_to_stderr(s);
    if (!s->located || line < 1) at = put_label(s, "error");
    if (line > 0) at += show_place(s, name, line, column);
    put_wrapped(s, field(event, "message"), at);
    fputc('\n', stderr);
    repl_pager_count(&s->pages, 3);
    bool seen = !s->located && s->lines == 1 && s->cell && strcmp(name, s->cell) == 0 && column < 1;
    if (line > 0 && !seen) show_source(s, field(event, "source"), column);
    show_trace(s, json_object_get(event, "traceback"));
}

bool repl_screen_event(screen *s, const json_t *event) {
    const char *kind = field(event, "event");
    bool progress = strcmp(kind, "progress") == 0;
    if (!progress) drop_progress(s);
    if (progress) show_progress(s, event);
    else if (strcmp(kind, "stream") == 0) show_stream(s, event);
    else if (strcmp(kind, "result") == 0 || strcmp(kind, "display") == 0) show_data(s, event);
    else if (strcmp(kind, "page") == 0) show_page(s, event);
    else if (strcmp(kind, "clear") == 0) show_clear(s);
    else if (strcmp(kind, "error") == 0) show_error(s, event);
    else if (strcmp(kind, "notice") == 0) show_notice(s, event);
    else return false;
    return true;
}
