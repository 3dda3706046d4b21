/* csv.c: a table of numbers as text: fields between separators, a line a row, over it at most one line of names.
 *
 * The text is read twice through a window: once for its shape, once for its numbers, so that nothing is held beside the array.
 * A field may be quoted; a quote within is doubled (RFC 4180). Numbers are decimal, or nan, inf, infinity with a sign; blanks
 * around them do not count.
 */
#include "files/internal.h"
#include "array/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WINDOW  ((size_t)64 << 10)
#define FIELD   1000 /* bytes of one field */
#define COLUMNS 1000000

typedef struct {
    const ph_file *file;
    ph_err *err;
    char separator;
    uint64_t from; /* of the window, in the file */
    size_t at, n;
    int64_t line, column; /* of the field at hand, from 1 */
    ph_status st;
    bool last; /* the field is the last of its line */
    size_t length;
    char field[FIELD + 1];
    char window[WINDOW];
} reader;

static int peek(reader *r) {
    if (r->at < r->n) return (unsigned char)r->window[r->at];
    r->from += r->n, r->at = r->n = 0;
    uint64_t left = r->file->size - r->from;
    size_t n = left < WINDOW ? (size_t)left : WINDOW;
    if (n == 0 || r->st != PH_OK) return -1;
    r->st = ph_file_read(r->file, r->window, n, r->from, r->err);
    if (r->st != PH_OK) return -1;
    r->n = n;
    return (unsigned char)r->window[0];
}

static void rewind_to(reader *r) {
    r->from = 0, r->at = r->n = 0, r->line = 1, r->column = 0, r->last = false;
    if (peek(r) == 0xEF && r->n >= 3 && memcmp(r->window, "\xEF\xBB\xBF", 3) == 0)
        r->at = 3; /* a byte order mark */
}

static ph_status fault(reader *r, const char *what) {
    if (r->st != PH_OK) return r->st;
    char shown[40];
    size_t k = 0;
    for (; k < 30 && r->field[k]; k++) shown[k] = (unsigned char)r->field[k] < 32 ? '?' : r->field[k];
    while (k > 0 && r->field[k] && ((unsigned char)r->field[k] & 0xC0) == 0x80) k--;
    shown[k] = 0;
    return ph_fail(r->err, PH_EARG, "%s: line %lld, field %lld is \"%s\"; %s", r->file->name,
                   (long long)r->line, (long long)r->column, shown, what);
}

/* \n, \r\n and \r end a line. */
static bool end_of_line(reader *r) {
    int c = peek(r);
    if (c < 0) return true;
    if (c != '\n' && c != '\r') return false;
    r->at++;
    if (c == '\r' && peek(r) == '\n') r->at++;
    return true;
}

/* Lines without any character are passed over; false at the end of the file. */
static bool next_line(reader *r) {
    for (int c; (c = peek(r)) == '\n' || c == '\r'; r->line++) (void)end_of_line(r);
    r->column = 0;
    return peek(r) >= 0;
}

static ph_status add(reader *r, int c) {
    if (r->length < FIELD) {
        r->field[r->length++] = (char)c;
        r->field[r->length] = 0;
        return PH_OK;
    }
    return fault(r, "wanted at most 1000 bytes");
}

/* Up to the closing quote. */
static ph_status quoted(reader *r) {
    for (r->at++;;) {
        int c = peek(r);
        if (c < 0) return fault(r, "its quote is never closed");
        r->at++;
        if (c == '"') {
            if (peek(r) != '"') return PH_OK;
            r->at++;
        }
        if (c == '\n') r->line++;
        ph_status st = add(r, c);
        if (st != PH_OK) return st;
    }
}

/* The next field of the line; r->last when the line ends behind it. */
static ph_status next_field(reader *r) {
    ph_status st = PH_OK;
    r->length = 0, *r->field = 0, r->last = false;
    r->column++;
    if (r->column > COLUMNS) return fault(r, "wanted at most 1000000 fields in a line");
    if (peek(r) == '"') st = quoted(r);
    for (int c; st == PH_OK && (c = peek(r)) != r->separator && c >= 0 && c != '\n' && c != '\r'; r->at++)
        st = c == 0 ? fault(r, "a NUL follows it") : c == '"' ? fault(r, "a quote follows it") : add(r, c);
    if (st != PH_OK || r->st != PH_OK) return st != PH_OK ? st : r->st;
    if (peek(r) == r->separator) r->at++;
    else r->last = true;
    return PH_OK;
}

static const char *digits(const char *s) {
    while (*s >= '0' && *s <= '9') s++;
    return s;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The end of the number that s begins with; NULL: it begins with none. What strtod takes but hexadecimals and nan(...). */
static const char *number_end(const char *s) {
    static const char *const words[] = {"nan", "infinity", "inf"};
    s += *s == '-' || *s == '+';
    for (int k = 0; k < 3; k++)
        if (strncasecmp(s, words[k], strlen(words[k])) == 0) return s + strlen(words[k]);
    const char *whole = digits(s), *end = *whole == '.' ? digits(whole + 1) : whole;
    if (whole == s && end <= whole + 1) return NULL;
    if (*end != 'e' && *end != 'E') return end;
    const char *power = end + 1 + (end[1] == '-' || end[1] == '+');
    return digits(power) > power ? digits(power) : NULL;
}

/* Is the field a number, blanks around it aside? Then it begins at *from. */
static bool is_number(const char **from, const char *s) {
    while (is_blank(*s)) s++;
    *from = s;
    s = number_end(s);
    while (s && is_blank(*s)) s++;
    return s && !*s;
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t rows, columns;
    bool names;
    size_t names_n; /* bytes of the names, their NULs included */
} table;

static ph_status first_line(reader *r, table *t, int header) {
    const char *from;
    t->names = header == 1;
    do {
        ph_status st = next_field(r);
        if (st != PH_OK) return st;
        if (header < 0 && !is_number(&from, r->field)) t->names = true;
        t->names_n += r->length + 1;
    } while (!r->last);
    t->columns = r->column;
    (void)end_of_line(r);
    return PH_OK;
}

/* The fields of one line as numbers; to NULL: only looked at. */
static ph_status row(reader *r, const table *t, double *to) {
    const char *from;
    do {
        ph_status st = next_field(r);
        if (st != PH_OK) return st;
        if (r->column > t->columns || (r->last && r->column < t->columns)) {
            char text[100];
            snprintf(text, sizeof text, "the lines before have %lld field%s", (long long)t->columns,
                     t->columns == 1 ? "" : "s");
            return fault(r, text);
        }
        if (!is_number(&from, r->field)) return fault(r, "wanted a number");
        if (to) to[r->column - 1] = strtod(from, NULL);
    } while (!r->last);
    (void)end_of_line(r);
    return PH_OK;
}

static ph_status measure(reader *r, table *t, int header) {
    rewind_to(r);
    if (!next_line(r))
        return r->st != PH_OK ? r->st : ph_fail(r->err, PH_EARG, "%s: nothing is in it", r->file->name);
    ph_status st = first_line(r, t, header);
    if (st != PH_OK) return st;
    if (t->names) r->line++;
    else rewind_to(r); /* its numbers are looked at like all others */
    for (; next_line(r); r->line++, t->rows++)
        if ((st = row(r, t, NULL)) != PH_OK) return st;
    return r->st;
}

static ph_status take_names(reader *r, const table *t, char **names) {
    char *to = *names = ph_alloc(t->names_n);
    if (!to) return ph_fail_nomem(r->err, t->names_n);
    do {
        ph_status st = next_field(r);
        if (st != PH_OK) return st;
        if (!ph_utf8_valid(r->field, r->length)) return fault(r, "wanted valid UTF-8");
        memcpy(to, r->field, r->length + 1);
        to += r->length + 1;
    } while (!r->last);
    (void)end_of_line(r);
    r->line++;
    return PH_OK;
}

ph_status file_csv_read(arr *out, char **names, const char *path, char separator, int header, ph_err *err) {
    ph_file f;
    arr a = ARR_NONE;
    table t = {0};
    *names = NULL;
    ph_status st = ph_file_open(&f, path, err);
    if (st != PH_OK) return st;
    reader *r = ph_alloc(sizeof *r);
    if (!r) PH_TRY(ph_fail_nomem(err, sizeof *r));
    r->file = &f, r->err = err, r->separator = separator, r->st = PH_OK, *r->field = 0;
    PH_TRY(measure(r, &t, header));
    rewind_to(r);
    (void)next_line(r);
    if (t.names) PH_TRY(take_names(r, &t, names));
    PH_TRY(arr_new(&a, ARR_F64, 2, (int64_t[]){t.rows, t.columns}, err));
    for (int64_t i = 0; i < t.rows && next_line(r); i++, r->line++)
        PH_TRY(row(r, &t, (double *)a.data + i * t.columns));
    st = r->st;
    *out = a, a = ARR_NONE;
done:
    arr_drop(&a);
    if (st != PH_OK) ph_free(*names), *names = NULL;
    ph_free(r);
    ph_file_close(&f);
    return st;
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

/* A name is quoted when it would not read back as it is. */
static ph_status put_name(ph_writer *w, const char *name, char separator, ph_err *err) {
    ph_status st;
    bool plain = *name && !strchr(name, separator) && !strpbrk(name, "\"\r\n");
    if (plain) return ph_writer_text(w, name, err);
    PH_TRY(ph_writer_text(w, "\"", err));
    for (; *name; name++) PH_TRY(ph_writer_put(w, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1, err));
    st = ph_writer_text(w, "\"", err);
done:
    return st;
}

static ph_status put_number(ph_writer *w, const arr *a, int64_t i, int64_t j, ph_err *err) {
    char text[48];
    const char *at = a->data;
    if (a->ndim > 0) at += i * a->stride[0] * (int64_t)arr_itemsize(a->dtype);
    if (a->ndim > 1) at += j * a->stride[1] * (int64_t)arr_itemsize(a->dtype);
    double x = arr_get_num(a, at);
    if (a->dtype == ARR_F32) arr_f32_text(text, sizeof text, (float)x);
    else arr_num_text(text, sizeof text, x);
    return ph_writer_text(w, text, err);
}

ph_status file_csv_write(const char *path, const arr *a, char separator, const char *const *names,
                         ph_err *err) {
    char dims[200], between[2] = {separator, 0};
    ph_writer *w = NULL;
    ph_status st;
    int64_t rows = a->ndim > 0 ? a->shape[0] : 1, columns = a->ndim > 1 ? a->shape[1] : 1;
    if (a->ndim > 2)
        return ph_fail(err, PH_EARG, "an array of shape %s; a .csv takes one or two dimensions",
                       arr_shape_text(dims, sizeof dims, a));
    if (a->dtype == ARR_C128)
        return ph_fail(err, PH_EARG, "a .csv takes real numbers; this array is complex");
    if (columns == 0)
        return ph_fail(err, PH_EARG, "an array without columns; a .csv could not say how many rows it has");
    PH_TRY(ph_writer_open(&w, path, err));
    for (int64_t j = 0; names && j < columns; j++) {
        PH_TRY(put_name(w, names[j], separator, err));
        PH_TRY(ph_writer_text(w, j + 1 < columns ? between : "\n", err));
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            PH_TRY(put_number(w, a, i, j, err));
            PH_TRY(ph_writer_text(w, j + 1 < columns ? between : "\n", err));
        }
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    return st;
}
