/* json.h: private to array/. The JSON header of a .safetensors, read byte by byte through a window by a reader of just that
 * grammar: objects, lists, texts, plain integers. Every function leaves its words in r->err; what cannot be read from the
 * file is told in place of what it leads to.
 */
#ifndef PH_FILES_JSON_H
#define PH_FILES_JSON_H

#include "files/internal.h"

#define FILE_JSON_WINDOW ((size_t)64 << 10)
#define FILE_JSON_GLANCE 512 /* for a single name */

typedef struct {
    const ph_file *file;
    uint32_t header; /* its length; it begins at byte 8 of the file */
    uint32_t from;   /* of the window, in the header */
    size_t at, n;    /* in the window */
    size_t piece;    /* bytes read at once */
    char shown[64];  /* the tensor at hand, for messages; "" outside */
    ph_err *err;
    ph_status st; /* of the last refill */
    unsigned char window[FILE_JSON_WINDOW];
} file_json;

/* For ph_free. */
PH_MUST ph_status file_json_new(file_json **out, const ph_file *f, uint32_t header, size_t piece,
                                ph_err *err);
void file_json_seek(file_json *r, uint32_t at);
uint32_t file_json_place(const file_json *r);
int file_json_peek(
    file_json *r); /* the next byte, which stays; -1 at the end, or when it cannot be read (r->st) */
int file_json_word(file_json *r);         /* the same behind white space */
bool file_json_eat(file_json *r, char c); /* passes white space, and c if it comes next */
/* "x.safetensors: header: tensor "w" at byte 12: WHAT"; "...: ']'; wanted WHAT" */
PH_MUST ph_status file_json_fault(file_json *r, const char *what);
PH_MUST ph_status file_json_wanted(file_json *r, const char *what);
void file_json_show(file_json *r, const char *name, size_t n); /* sets r->shown */

/* What becomes of a text's bytes, its escapes resolved: a hash, a comparison, a copy of the first `cap`. */
typedef struct {
    uint64_t hash; /* FNV-1a */
    size_t n;
    char *out; /* NULL: no copy */
    size_t cap;
    const char *with; /* NULL: no comparison */
    size_t with_n;
    bool differs;
} file_json_text;
#define FILE_JSON_TEXT(...) ((file_json_text){.hash = 0xcbf29ce484222325u, __VA_ARGS__})

void file_json_add(file_json_text *t, const char *s, size_t n);
bool file_json_equal(const file_json_text *t);
PH_MUST ph_status file_json_read(file_json *r, file_json_text *t, const char *what);
/* The text at `at`, NUL-terminated, for ph_free; *n: its length. */
PH_MUST ph_status file_json_copy(file_json *r, char **out, size_t *n, uint32_t at, const char *what);
/* Plain digits up to `most`: no sign, point, exponent, no 0 in front. */
PH_MUST ph_status file_json_integer(file_json *r, uint64_t *out, uint64_t most, const char *what);

#endif
