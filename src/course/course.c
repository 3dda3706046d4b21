/* course.c: hands the embedded Lua of the course to the session. */
#include "course/course.h"

#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "base/text.h"

#define COURSE  "src/course/"
#define LESSONS "lessons/"
#define LEDGER  "lessons/ledger.lua"

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }
static bool is_lesson(const embed_file *f) {
    return starts(f->path, LESSONS) && strcmp(f->path, LEDGER) != 0;
}

/* How many '=' a long bracket needs so that no "]==]" inside the text ends it. */
static int bracket_level(const char *text) {
    int level = 0;
    for (const char *s = strchr(text, ']'); s; s = strchr(s + 1, ']')) {
        int n = (int)strspn(s + 1, "=");
        if (n >= level && s[1 + n] == ']') level = n + 1;
    }
    return level;
}

/* The name of a path: "lessons/sinusoids.lua" -> "sinusoids". */
static int name_length(const char *path, const char **name) {
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    const char *dot = strrchr(*name, '.');
    return (int)(dot ? dot - *name : (ptrdiff_t)strlen(*name));
}

/* One entry of the table of lessons, as Lua source. */
static void put_entry(ph_text *t, const embed_file *f) {
    static const char equals[] = "===============================";
    const char *name;
    int n = name_length(f->path, &name), level = bracket_level(f->text);
    if (level >= (int)sizeof equals) level = (int)sizeof equals - 1; /* no lesson has that many */
    ph_putf(t, "{name=\"%.*s\",file=\"%s\",text=[%.*s[\n", n, name, f->path, level, equals);
    ph_put(t, f->text, f->length);
    ph_putf(t, "]%.*s]},\n", level, equals);
}

/* `return {{name=…, file=…, text=[[…]]}, …}`; NULL without memory. */
static char *lessons_source(size_t *length) {
    ph_text t = {0};
    ph_err err;
    char *source;
    ph_puts(&t, "return {");
    for (const embed_file *f = embed_files; f->path; f++)
        if (is_lesson(f)) put_entry(&t, f);
    ph_puts(&t, "}");
    return ph_text_take(&source, length, &t, &err) == PH_OK ? source : NULL;
}

static bool is_module(const embed_file *f) { return starts(f->path, COURSE) || strcmp(f->path, LEDGER) == 0; }

/* "src/course/init.lua" -> "course", "src/course/tex.lua" -> "course.tex", the ledger -> "ledger"; NULL when
 * there is no memory. */
static char *module_name(const char *path) {
    if (strcmp(path, LEDGER) == 0) return ph_strdup("ledger");
    const char *name;
    int n = name_length(path, &name);
    if (n == 4 && strncmp(name, "init", 4) == 0) return ph_strdup("course");
    char full[80];
    snprintf(full, sizeof full, "course.%.*s", n, name);
    return ph_strdup(full);
}

const ses_module *course_modules(void) {
    static ses_module *modules;
    if (modules) return modules;
    size_t files = 0, n = 0;
    while (embed_files[files].path) files++;
    ses_module *made = ph_calloc(files + 2, sizeof *made);
    size_t length;
    char *lessons = made ? lessons_source(&length) : NULL;
    if (!lessons) {
        ph_free(made);
        return NULL;
    }
    made[n++] = (ses_module){"lessons", lessons, length};
    for (const embed_file *f = embed_files; f->path; f++)
        if (is_module(f)) made[n++] = (ses_module){module_name(f->path), f->text, f->length};
    for (size_t i = 0; i < n; i++)
        if (!made[i].name) return NULL; /* no memory for a name: without one the course would lose a part */
    return modules = made;
}
