/* settings.c: see settings.h. */
#include "repl/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const char *const langs[] = {"en", "zh"};
static const char *chosen; /* one of langs, once it was read or set */
static bool known;

static const char *lang_named(const char *name) {
    for (size_t i = 0; i < 2; i++)
        if (strcmp(name, langs[i]) == 0) return langs[i];
    return NULL;
}

/* The file's path in buf; false where there is none, or no room for it. */
static bool find_path(char *buf, size_t size) {
    const char *own = getenv("PHASOR_SETTINGS"), *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int n;
    if (own) n = snprintf(buf, size, "%s", own);
    else if (config && *config == '/') n = snprintf(buf, size, "%s/phasor/settings", config);
    else if (home && *home) n = snprintf(buf, size, "%s/.config/phasor/settings", home);
    else return false;
    return n > 0 && (size_t)n < size;
}

/* A regular file: a pipe would keep the start waiting for ever. Of a long one the beginning counts. */
static const char *read_lang(void) {
    char path[1024], text[4096], value[8];
    const char *found = NULL;
    ph_file f = PH_FILE_NONE;
    ph_err err;
    if (!find_path(path, sizeof path) || ph_file_open(&f, path, &err) != PH_OK) return NULL;
    size_t n = f.size < sizeof text ? (size_t)f.size : sizeof text - 1;
    text[n] = '\0';
    if (ph_file_read(&f, text, n, 0, &err) != PH_OK) text[0] = '\0';
    ph_file_close(&f);
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (sscanf(line, "lang=%7s", value) == 1 && lang_named(value)) found = lang_named(value);
    return found;
}

const char *repl_settings_lang(void) {
    if (!known) chosen = read_lang();
    known = true;
    return chosen;
}

ph_status repl_settings_set_lang(const char *lang, ph_err *err) {
    char path[1024], text[32];
    ph_writer *w = NULL;
    ph_status st = PH_OK;
    if (!lang_named(lang))
        return ph_fail(err, PH_EARG,
                       REPL_SAYS(":lang %.20s: wanted en or zh", ":lang %.20s：只能是 en 或 zh"), lang);
    chosen = lang_named(lang), known = true;
    if (!find_path(path, sizeof path)) return PH_OK;
    int n = snprintf(text, sizeof text, "lang=%s\n", chosen);
    PH_TRY(ph_file_make_parents(path, 0700, err));
    PH_TRY(ph_writer_open(&w, path, err));
    PH_TRY(ph_writer_put(w, text, (size_t)n, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    return st;
}

const char *repl_language(void) {
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    static const char
        *locale; /* as it was at first: the line editor may have to leave a locale that is not installed */
    for (size_t i = 0; i < sizeof names / sizeof *names && !locale; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) locale = strncmp(value, "zh", 2) == 0 ? "zh" : "en";
    }
    if (!locale) locale = "en";
    return repl_settings_lang() ? repl_settings_lang() : locale;
}

bool repl_is_chinese(void) { return strcmp(repl_language(), "zh") == 0; }
