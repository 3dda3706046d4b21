/* readers_bytes.c: the readers that are C: files of arrays, texts, the messages of the worker and of Jupyter. */
#include "readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "files/files.h"
#include "kernel/state.h"
#include "repl/history.h"
#include "session/prepass.h"
#include "worker/wire.h"

/* ---- arrays ------------------------------------------------------------------------------------------------ */

/* What is wrong with a file is said in words that begin with its name; memory beyond what such a file can hold is never asked for. */
static void judge(ph_status st, const ph_err *err, const char *path, const char *who) {
    reader_must(st == PH_OK || st == PH_EARG, who, err->text);
    if (st == PH_OK) return;
    reader_must(strncmp(err->text, path, strlen(path)) == 0, who, err->text);
    reader_must(strlen(err->text) > strlen(path) + 8, who, err->text);
}

static void limit_blocks(void) { ph_block_set_limit(ph_block_live() + (8 << 20)); }

static void npy(const uint8_t *text, size_t n) {
    arr a = ARR_NONE;
    ph_err err = {.text = ""};
    const char *path = reader_file(text, n);
    size_t live = ph_block_live();
    limit_blocks();
    judge(file_npy_read(&a, path, &err), &err, path, "npy");
    arr_drop(&a);
    reader_must(ph_block_live() == live, "npy", "an array is left");
}

static void csv(const uint8_t *text, size_t n) {
    arr a = ARR_NONE;
    char *names = NULL;
    ph_err err = {.text = ""};
    const char *path = reader_file(text, n);
    limit_blocks();
    judge(file_csv_read(&a, &names, path, n % 5 ? ',' : '\t', (int)(n % 3) - 1, &err), &err, path, "csv");
    ph_free(names);
    arr_drop(&a);
}

static ph_status read_entry(file_store *s, int64_t i, ph_err *err) {
    arr a = ARR_NONE;
    file_entry e;
    char *name = NULL;
    size_t n;
    int64_t at;
    ph_status st;
    PH_TRY(file_store_name(&name, &n, s, i, err));
    PH_TRY(file_store_find(&at, s, name, n, err));
    reader_must(at == i, "store", "an entry is not found under its name");
    PH_TRY(file_store_entry(&e, s, i, err));
    PH_TRY(file_store_read(&a, s, i, err));
    reader_must(a.dtype == e.dtype && a.ndim == e.ndim, "store", "an entry is not what was told of it");
done:
    ph_free(name);
    arr_drop(&a);
    return st;
}

static ph_status read_metadata(file_store *s, ph_err *err) {
    char **texts = NULL;
    int64_t n = 0;
    ph_status st = file_store_metadata(&texts, &n, s, err);
    for (int64_t i = 0; texts && i < 2 * n; i++) ph_free(texts[i]);
    ph_free(texts);
    return st;
}

static void read_store(ph_status (*open)(file_store **, const char *, ph_err *), const uint8_t *text,
                       size_t n, const char *who) {
    file_store *s = NULL;
    ph_err err = {.text = ""};
    const char *path = reader_file(text, n);
    limit_blocks();
    ph_status st = open(&s, path, &err);
    if (st == PH_OK) st = read_metadata(s, &err);
    for (int64_t i = 0; st == PH_OK && i < file_store_count(s); i++) st = read_entry(s, i, &err);
    judge(st, &err, path, who);
    file_store_close(&s);
}

static void npz(const uint8_t *text, size_t n) { read_store(file_npz_open, text, n, "npz"); }
static void safetensors(const uint8_t *text, size_t n) {
    read_store(file_safetensors_open, text, n, "safetensors");
}

/* ---- texts ------------------------------------------------------------------------------------------------- */

static void utf8(const uint8_t *text, size_t n) {
    const char *s = (const char *)text;
    size_t clean_n, runes = ph_utf8_count(s, n);
    char *clean = ph_utf8_clean(&clean_n, s, n);
    reader_must(clean && ph_utf8_valid(clean, clean_n), "utf8", "a cleaned text is not clean");
    reader_must(ph_utf8_count(clean, clean_n) == runes, "utf8", "a cleaned text has other runes");
    reader_must(!ph_utf8_valid(s, n) || (clean_n == n && memcmp(s, clean, n) == 0), "utf8",
                "a clean text was changed");
    reader_must(ph_utf8_offset(s, n, runes) == n, "utf8", "the runes do not reach the end");
    reader_must(ph_utf8_width(s, n) <= 2 * runes, "utf8", "more columns than two a rune");
    reader_must(ph_utf8_unfinished(s, n) <= 3, "utf8", "more than a rune is unfinished");
    size_t fits = ph_utf8_fit(s, n, n % 40 + 1);
    reader_must(fits <= n, "utf8", "more fits than there is");
    ph_free(clean);
}

static void prepass_with(const char *s, size_t n, unsigned flags) {
    ses_source out = {0};
    size_t at = 0, before = 0;
    ph_err err = {.text = ""};
    ph_status st = ses_prepass(&out, s, n, flags, &at, &err);
    reader_must(st == PH_OK || st == PH_EARG, "prepass", "it ran out of memory");
    if (st == PH_OK) {
        reader_must(out.text[out.length] == '\0', "prepass", "no end");
        for (size_t k = 0; k <= out.length; k++, before = at) {
            at = ses_source_offset(&out, k);
            reader_must(at >= before && at <= n, "prepass", "the map goes astray");
        }
    } else reader_must(at <= n && err.text[0], "prepass", "an error without place or words");
    ses_source_clear(&out);
}

/* As the prompt reads it, or with any of the flags. */
static void prepass(const uint8_t *text, size_t n) {
    prepass_with((const char *)text, n, n % 2 ? n / 2 % 8 : SES_HOIST | SES_VALUES);
}

static void one_entry(void *user, const char *text) {
    size_t n = strlen(text);
    ++*(int *)user;
    reader_must(n > 0 && n <= 2 * HISTORY_MAX_ENTRY, "history", "an entry is empty or too long");
    for (size_t k = 0; k < n; k++)
        reader_must((unsigned char)text[k] >= ' ' || text[k] == '\n' || text[k] == '\t', "history",
                    "a control character came through");
}

static void history(const uint8_t *text, size_t n) {
    int entries = 0;
    ph_err err = {.text = ""};
    ph_status st = repl_history_load(reader_file(text, n), one_entry, &entries, &err);
    reader_must(st == PH_OK, "history", err.text);
    reader_must(entries <= HISTORY_KEPT, "history", "more entries than are kept");
}

/* ---- messages ---------------------------------------------------------------------------------------------- */

static void worker_wire(const uint8_t *text, size_t n) {
    wire w;
    ph_err err = {.text = ""};
    json_t *message = NULL;
    wrk_wire_init(&w, reader_socket(text, n));
    ph_status st;
    while ((st = wrk_wire_next(&w, &message, false, &err)) == PH_OK) {
        reader_must(json_is_object(message), "wire", "a frame that is no object");
        json_decref(message);
        message = NULL;
    }
    reader_must(st == PH_EIO, "wire", err.text);
    wrk_wire_close(&w);
}

/* Frames stand between bytes 1E. */
static void add_frame(krn_frames *f, const void *s, size_t n) {
    if (f->n == KRN_FRAMES) return;
    krn_frame *to = &f->frame[f->n++];
    *to = (krn_frame){ph_alloc(n + 1), n};
    memcpy(to->s, s, n);
    to->s[n] = 0;
}

static void split(krn_frames *f, const uint8_t *text, size_t n) {
    for (size_t at = 0, next; at <= n; at = next + 1) {
        const uint8_t *end = at < n ? memchr(text + at, 0x1e, n - at) : NULL;
        next = end ? (size_t)(end - text) : n;
        add_frame(f, text + at, next - at);
    }
}

/* A text that begins with 's' is the parts of a message with a right signature: else nothing behind it would ever be reached. A key of its
 * own for each, so that none is taken for one that was sent before. */
static void sign(krn_frames *f, krn_wire *w, const uint8_t *text, size_t n) {
    static uint64_t key;
    krn_frames parts = {.n = 0};
    uint8_t sum[PH_SHA256_BYTES];
    char digits[PH_SHA256_HEX];
    key++;
    krn_key_set(&w->key, &key, sizeof key);
    split(&parts, text, n);
    krn_sign(&w->key, parts.frame, parts.n < 4 ? parts.n : 4, sum);
    ph_sha256_digits(digits, sum);
    add_frame(f, "someone", 7), add_frame(f, "<IDS|MSG>", 9), add_frame(f, digits, 64);
    for (int k = 0; k < parts.n; k++) add_frame(f, parts.frame[k].s, parts.frame[k].n);
    krn_frames_clear(&parts);
}

static void jupyter_wire(const uint8_t *text, size_t n) {
    static krn_wire w;
    krn_message m;
    ph_err err = {.text = ""};
    krn_frames f = {.n = 0};
    reader_must(w.session[0] || krn_wire_open(&w, "key", &err) == PH_OK, "jupyter", err.text);
    if (n > 0 && text[0] == 's') sign(&f, &w, text + 1, n - 1);
    else split(&f, text, n);
    ph_status st = krn_message_read(&m, &w, &f, &err);
    reader_must(st == PH_EARG || (st == PH_OK && json_is_object(m.content) && m.type), "jupyter", err.text);
    krn_message_clear(&m);
}

static void connection(const uint8_t *text, size_t n) {
    static krn_connection c;
    ph_err err = {.text = ""};
    setenv("JUPYTER_ALLOW_INSECURE_WRITES", "1", 1); /* the file here has no permissions to speak of */
    ph_status st = krn_connection_read(&c, reader_file(text, n), &err);
    reader_must(st == PH_OK || (st == PH_EARG && err.text[0]), "connection", err.text);
}

const reader readers_bytes[] = {
    {"npy", npy, 512},
    {"npz", npz, 2048},
    {"safetensors", safetensors, 1024},
    {"csv", csv, 512},
    {"utf8", utf8, 256},
    {"prepass", prepass, 512},
    {"history", history, 1024},
    {"wire", worker_wire, 512},
    {"jupyter", jupyter_wire, 1024},
    {"connection", connection, 512},
    {NULL, NULL, 0},
};
