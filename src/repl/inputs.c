/* inputs.c: inputs and files: :load, :save, :history. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "repl/state.h"

#define SHOWN   20
#define LARGEST (4 << 20) /* bytes of a file that :load takes */

/* The path in the arguments, without the blanks behind it and without quotes; NULL after a complaint. */
static char *path_of(repl *r, const char *args, const char *command) {
    size_t n = strlen(args);
    while (n > 0 && strchr(" \t\n", args[n - 1])) n--;
    if (n > 1 && (*args == '"' || *args == '\'') && args[n - 1] == *args) args++, n -= 2;
    if (n == 0) repl_screen_say(&r->screen, "error", ":%s wants a file's name", command);
    char *path = n ? ph_calloc(1, n + 1) : NULL;
    if (path) memcpy(path, args, n);
    return path;
}

static void complain(repl *r, const char *what, const char *path, int why) {
    repl_screen_say(&r->screen, "error", "cannot %s %s: %s", what, path, strerror(why));
}

/* The whole of a regular file, or NULL with errno set. */
static char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    char *text = f ? ph_calloc(1, LARGEST + 1) : NULL;
    size_t n = text ? fread(text, 1, LARGEST + 1, f) : 0;
    int why = !f ? errno : !text ? ENOMEM : ferror(f) ? errno : n > LARGEST ? EFBIG : 0;
    if (f) fclose(f);
    errno = why;
    if (!why) return text;
    ph_free(text);
    return NULL;
}

void repl_load(repl *r, const char *args) {
    char *path = path_of(r, args, "load"), *text = path ? read_file(path) : NULL;
    if (path && !text) complain(r, "read", path, errno);
    if (text) {
        repl_answer a = repl_evaluate(r, text, false);
        if (a.ok) json_array_append_new(r->inputs, repl_json_text(r, text, strlen(text)));
    }
    ph_free(text);
    ph_free(path);
}

static const char *input(const repl *r, size_t i) { return json_string_value(json_array_get(r->inputs, i)); }

void repl_save(repl *r, const char *args) {
    char *path = path_of(r, args, "save");
    FILE *f = path ? fopen(path, "wb") : NULL;
    bool ok = f != NULL;
    size_t n = json_array_size(r->inputs);
    for (size_t i = 0; ok && i < n; i++) ok = fprintf(f, "%s\n", input(r, i)) >= 0;
    if (f && fclose(f) != 0) ok = false;
    if (path && !ok) complain(r, "write", path, errno);
    else if (path) repl_screen_say(&r->screen, NULL, "%zu input%s written to %s", n, n == 1 ? "" : "s", path);
    ph_free(path);
}

void repl_list_inputs(repl *r, const char *args) {
    size_t n = json_array_size(r->inputs);
    long wanted = *args ? strtol(args, NULL, 10) : SHOWN;
    if (wanted < 1) {
        repl_screen_say(&r->screen, "error", ":history %s: wanted how many", args);
        return;
    }
    for (size_t i = n > (size_t)wanted ? n - (size_t)wanted : 0; i < n; i++) {
        const char *s = input(r, i);
        printf("%4zu  ", i + 1);
        for (; *s; s++) {
            putchar(*s);
            if (*s == '\n') fputs("      ", stdout);
        }
        putchar('\n');
    }
}
