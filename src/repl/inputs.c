/* inputs.c: inputs and files: :load, :save, :history. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "repl/settings.h"
#include "repl/state.h"

#define SHOWN   20
#define LARGEST (4 << 20) /* bytes of a file that :load takes */

/* The path in the arguments, without the blanks behind it and without quotes; NULL after a complaint. */
static char *path_of(repl *r, const char *args, const char *command) {
    size_t n = strlen(args);
    while (n > 0 && strchr(" \t\n", args[n - 1])) n--;
    if (n > 1 && (*args == '"' || *args == '\'') && args[n - 1] == *args) args++, n -= 2;
    if (n == 0)
        repl_screen_say(&r->screen, "error", REPL_SAYS(":%s wants a file's name", ":%s 后面要写文件名"),
                        command);
    char *path = n ? ph_calloc(1, n + 1) : NULL;
    if (path) memcpy(path, args, n);
    return path;
}

/* The whole of a regular file: a pipe would be waited for. */
static ph_status read_file(char **text, const char *path, ph_err *err) {
    ph_file f = PH_FILE_NONE;
    ph_status st = ph_file_open(&f, path, err);
    *text = NULL;
    if (st != PH_OK) return st;
    if (f.size > LARGEST)
        PH_TRY(ph_fail(err, PH_EARG,
                       REPL_SAYS("%s: %llu bytes; at most %d are read", "%s：%llu 字节；最多读 %d 字节"),
                       path, (unsigned long long)f.size, LARGEST));
    if (!(*text = ph_calloc(1, (size_t)f.size + 1))) PH_TRY(ph_fail_nomem(err, (size_t)f.size));
    PH_TRY(ph_file_read(&f, *text, (size_t)f.size, 0, err));
done:
    ph_file_close(&f);
    if (st != PH_OK) ph_free(*text), *text = NULL;
    return st;
}

void repl_load(repl *r, const char *args) {
    char *path = path_of(r, args, "load"), *text = NULL;
    ph_err err;
    if (path && read_file(&text, path, &err) != PH_OK)
        repl_screen_say(&r->screen, "error", REPL_SAYS("cannot read %s", "无法读取 %s"), err.text);
    if (text) {
        repl_answer a = repl_evaluate(r, text, false);
        if (a.ok) json_array_append_new(r->inputs, repl_json_text(r, text, strlen(text)));
    }
    ph_free(text);
    ph_free(path);
}

static const char *input(const repl *r, size_t i) { return json_string_value(json_array_get(r->inputs, i)); }

/* Whole or not at all: what the file held before stays when the disk is full. */
static ph_status write_inputs(const repl *r, const char *path, ph_err *err) {
    ph_writer *w = NULL;
    ph_status st;
    PH_TRY(ph_writer_open(&w, path, err));
    for (size_t i = 0, n = json_array_size(r->inputs); i < n; i++) {
        PH_TRY(ph_writer_text(w, input(r, i), err));
        PH_TRY(ph_writer_text(w, "\n", err));
    }
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    return st;
}

void repl_save(repl *r, const char *args) {
    char *path = path_of(r, args, "save");
    size_t n = json_array_size(r->inputs);
    ph_err err;
    bool ok = path && write_inputs(r, path, &err) == PH_OK;
    if (path && !ok) repl_screen_say(&r->screen, "error", "%s", err.text);
    else if (path && repl_is_chinese()) repl_screen_say(&r->screen, NULL, "%zu 条输入已写入 %s", n, path);
    else if (path) repl_screen_say(&r->screen, NULL, "%zu input%s written to %s", n, n == 1 ? "" : "s", path);
    ph_free(path);
}

void repl_list_inputs(repl *r, const char *args) {
    size_t n = json_array_size(r->inputs);
    long wanted = *args ? strtol(args, NULL, 10) : SHOWN;
    if (wanted < 1) {
        repl_screen_say(&r->screen, "error",
                        REPL_SAYS(":history %s: wanted how many", ":history %s：应写条数"), args);
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
