/* install.c: what Jupyter reads to know of this program: a folder for each language of verdicts, with a kernel.json and a picture. */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "kernel/kernel.h"

/* A phasor: its circle, and where it points. */
static const char logo[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\"><circle cx=\"32\" cy=\"32\" r=\"28\" fill=\"#fff\" "
    "stroke=\"#0072b2\" stroke-width=\"4\"/><path d=\"M32 32L50 14\" stroke=\"#d55e00\" stroke-width=\"5\" "
    "stroke-linecap=\"round\"/><circle cx=\"32\" cy=\"32\" r=\"4\" fill=\"#0072b2\"/></svg>\n";

/* Where Jupyter looks for kernels of the user (its documentation: "Data files"), or below a prefix. */
static void put_folder(ph_text *t, const char *prefix) {
    const char *jupyter = getenv("JUPYTER_DATA_DIR"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (prefix) ph_putf(t, "%s/share/jupyter", prefix);
    else if (jupyter && *jupyter) ph_puts(t, jupyter);
#ifdef __APPLE__
    else ph_putf(t, "%s/Library/Jupyter", home ? home : "");
    (void)data;
#else
    else if (data && *data) ph_putf(t, "%s/jupyter", data);
    else ph_putf(t, "%s/.local/share/jupyter", home ? home : "");
#endif
    ph_puts(t, "/kernels");
}

static ph_status write_file(const char *folder, const char *kernel, const char *name, const char *text,
                            ph_err *err) {
    ph_text path = {0};
    ph_writer *w = NULL;
    ph_status st = PH_OK;
    ph_putf(&path, "%s/%s/%s", folder, kernel, name);
    if (path.failed) PH_TRY(ph_fail_nomem(err, 0));
    PH_TRY(ph_file_make_parents(path.s, 0755, err));
    PH_TRY(ph_writer_open(&w, path.s, err));
    PH_TRY(ph_writer_text(w, text, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    ph_text_drop(&path);
    return st;
}

static ph_status write_kernel(const char *folder, const char *name, const char *shown, const char *program,
                              const char *lang, ph_err *err) {
    json_t *spec = json_pack("{s:[s, s, s, s, s, s], s:s, s:s, s:s, s:{s:b}}", "argv", program, "kernel",
                             "run", "{connection_file}", "--lang", lang, "display_name", shown, "language",
                             "lua", "interrupt_mode", "message", "metadata", "debugger", 0);
    char *text = spec ? json_dumps(spec, JSON_INDENT(2)) : NULL;
    json_decref(spec);
    if (!text) return ph_fail(err, PH_EARG, "the path of this program is no UTF-8: %s", program);
    ph_status st = write_file(folder, name, "kernel.json", text, err);
    if (st == PH_OK) st = write_file(folder, name, "logo-svg.svg", logo, err);
    free(text); /* jansson's own allocation */
    return st;
}

ph_status krn_install(char **where, const char *prefix, ph_err *err) {
    char program[PATH_MAX];
    ph_text folder = {0};
    ph_status st;
    *where = NULL;
    PH_TRY(ph_own_path(program, err));
    put_folder(&folder, prefix);
    PH_TRY(ph_text_take(where, NULL, &folder, err));
    PH_TRY(write_kernel(*where, "phasor", "Phasor", program, "en", err));
    PH_TRY(write_kernel(*where, "phasor-zh", "Phasor 中文", program, "zh", err));
done:
    ph_text_drop(&folder);
    if (st != PH_OK) ph_free(*where), *where = NULL;
    return st;
}
