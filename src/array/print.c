/* print.c: arrays as a person reads them.
 *
 * Numbers of a column align at their decimal points, each with the digits it needs (six at most): no common
 * factor, no zeros that were not computed. A vector wraps; what is beyond the screen is left out, marked by …
 * or ⋮. Indices in labels are those of the student's language, from 1.
 */
#include "array/text.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define PARTS  4 /* before and after the point, of re and of im */
#define INDENT 2
#define GAP    2

static void spaces(ph_text *t, int n) {
    if (n > 0) ph_putf(t, "%*s", n, "");
}

/* Ends a line without blanks at its end. */
static void trim(ph_text *t) {
    while (t->n > 0 && t->s[t->n - 1] == ' ') t->s[--t->n] = '\0';
}

/* ---- cells --------------------------------------------------------------------------------------------- */

typedef struct {
    char part[PARTS][24];
} cell;

typedef struct {
    int part[PARTS];
} width;

/* "-1.5e-10" -> "-1" and ".5e-10" */
static void split(char *left, char *right, const char *s) {
    size_t n = strcspn(s, ".e");
    snprintf(left, 24, "%.*s", (int)n, s);
    snprintf(right, 24, "%s", s + n);
}

static cell make_cell(const arr *a, const char *at) {
    cell c = {{{0}}};
    char s[40], signed_im[41];
    arr_c128 z = arr_get_c128(a, at);
    if (a->dtype == ARR_BOOL) {
        snprintf(c.part[0], sizeof c.part[0], "%s", z.re != 0 ? "true" : "false");
        return c;
    }
    split(c.part[0], c.part[1], arr_short_text(s, sizeof s, z.re));
    if (a->dtype != ARR_C128) return c;
    arr_short_text(s, sizeof s, z.im);
    snprintf(signed_im, sizeof signed_im, "%s%s", s[0] == '-' ? "" : "+", s);
    split(c.part[2], c.part[3], signed_im);
    strcat(c.part[3], "i");
    return c;
}

static void note_widths(width *w, const cell *c) {
    for (int i = 0; i < PARTS; i++) {
        int n = (int)strlen(c->part[i]);
        if (n > w->part[i]) w->part[i] = n;
    }
}

static int total(const width *w) { return w->part[0] + w->part[1] + w->part[2] + w->part[3]; }

/* Parts before a point stand right, parts after it left. */
static void add_cell(ph_text *t, const width *w, const cell *c) {
    for (int i = 0; i < PARTS; i++) {
        int blank = w->part[i] - (int)strlen(c->part[i]);
        if (i % 2 == 0) spaces(t, blank);
        ph_putf(t, "%s", c->part[i]);
        if (i % 2 == 1) spaces(t, blank);
    }
}

/* Which of n things are shown: the first `head` and the last `tail`. */
typedef struct {
    int64_t n, head, tail;
} shown;

static shown show(int64_t n, int64_t most) {
    if (n <= most) return (shown){n, n, 0};
    int64_t head = most / 2 > 0 ? most / 2 : 1, tail = most - 1 - head; /* one place for the mark */
    return (shown){n, head, tail > 0 ? tail : 0};
}

/* The k-th thing shown. */
static int64_t nth(const shown *s, int64_t k) { return k < s->head ? k : s->n - s->tail + (k - s->head); }

static const char *element(const arr *m, int64_t i, int64_t j) {
    return m->data + (i * m->stride[0] + j * m->stride[1]) * (int64_t)arr_itemsize(m->dtype);
}

/* ---- a matrix ------------------------------------------------------------------------------------------ */

static width column_width(const arr *m, const shown *rows, int64_t j) {
    width w = {{0}};
    for (int64_t k = 0; k < rows->head + rows->tail; k++) {
        cell c = make_cell(m, element(m, nth(rows, k), j));
        note_widths(&w, &c);
    }
    return w;
}

/* Takes columns from both ends, the left one first, while they fit beside the mark; w[k] is the width of the
 * k-th from the left, w[limit-1-k] of the k-th from the right. At least one is shown. */
static shown fit_columns(const arr *m, const shown *rows, int columns, width *w, int64_t limit) {
    int64_t n = m->shape[1];
    shown s = {n, 0, 0};
    int used = INDENT;
    while (s.head + s.tail < n && s.head + s.tail < limit) {
        bool left = s.head <= s.tail;
        width one = column_width(m, rows, left ? s.head : n - 1 - s.tail);
        bool last = s.head + s.tail + 1 == n;
        int need = total(&one) + (s.head + s.tail ? GAP : 0);
        if (used + need + (last ? 0 : GAP + 1) > columns && s.head > 0) break;
        used += need;
        if (left) w[s.head++] = one;
        else w[limit - 1 - s.tail++] = one;
    }
    return s;
}

static void add_row(ph_text *t, const arr *m, int64_t i, const shown *cols, const width *w, int64_t limit) {
    spaces(t, INDENT);
    for (int64_t k = 0; k < cols->head + cols->tail; k++) {
        bool right = k >= cols->head;
        cell c = make_cell(m, element(m, i, nth(cols, k)));
        if (k > 0) spaces(t, GAP);
        if (k == cols->head && cols->head + cols->tail < cols->n) ph_putf(t, "…  ");
        add_cell(t, right ? &w[limit - cols->tail + (k - cols->head)] : &w[k], &c);
    }
    if (cols->tail == 0 && cols->head < cols->n) ph_putf(t, "  …");
    trim(t);
}

static ph_status add_matrix(ph_text *t, const arr *m, int columns, int64_t most_rows, ph_err *err) {
    int64_t limit = columns / 3 + 2; /* a column is at least one digit and a gap */
    width *w = ph_calloc((size_t)limit, sizeof *w);
    if (!w) return ph_fail_nomem(err, (size_t)limit * sizeof *w);
    shown rows = show(m->shape[0], most_rows), cols = fit_columns(m, &rows, columns, w, limit);
    for (int64_t k = 0; k < rows.head + rows.tail; k++) {
        if (k == rows.head) ph_putf(t, "\n%*s⋮", INDENT, "");
        ph_putf(t, "\n");
        add_row(t, m, nth(&rows, k), &cols, w, limit);
    }
    if (rows.tail == 0 && rows.head < rows.n) ph_putf(t, "\n%*s⋮", INDENT, "");
    ph_free(w);
    return PH_OK;
}

/* ---- a vector ------------------------------------------------------------------------------------------ */

/* Lines of equal cells. One that needs more than `rows` lines shows two of its beginning and the last
 * numbers. */
static void add_vector(ph_text *t, const arr *m, int columns, int rows) {
    int64_t n = m->shape[1], room = columns / 3 + 1;
    bool all = n <= room * rows;
    shown s = all ? (shown){n, n, 0} : (shown){n, 2 * room, room};
    width w = {{0}};
    for (int64_t k = 0; k < s.head + s.tail; k++) {
        cell c = make_cell(m, element(m, 0, nth(&s, k)));
        note_widths(&w, &c);
    }
    int64_t per = (columns - INDENT + GAP) / (total(&w) + GAP);
    if (per < 1) per = 1;
    if (all && (n - 1) / per + 1 > rows) all = false;
    if (!all) {
        per = (columns - INDENT - 2 + GAP) / (total(&w) + GAP); /* with room for the mark */
        if (per < 1) per = 1;
        s = (shown){n, 2 * per, per};
    }
    if (s.head + s.tail >= n) s = (shown){n, n, 0};
    for (int64_t k = 0; k < s.head + s.tail; k++) {
        bool tail = k >= s.head;
        if ((tail ? k - s.head : k) % per == 0) {
            trim(t);
            if (k == s.head) ph_putf(t, " …");
            ph_putf(t, "\n");
            spaces(t, INDENT);
        } else {
            spaces(t, GAP);
        }
        cell c = make_cell(m, element(m, 0, nth(&s, k)));
        add_cell(t, &w, &c);
    }
    trim(t);
}

/* ---- more dimensions ----------------------------------------------------------------------------------- */

/* "[2, 1]" above the matrix at these leading indices. */
static void add_label(ph_text *t, const arr *a, int64_t block, arr *m) {
    int64_t index[ARR_MAXDIM], rest = block;
    int lead = a->ndim - 2;
    for (int i = lead - 1; i >= 0; i--) {
        index[i] = rest % a->shape[i];
        rest /= a->shape[i];
    }
    for (int i = lead; i < a->ndim; i++) index[i] = 0;
    m->data = arr_at(a, index);
    ph_putf(t, "\n%*s[", INDENT, "");
    for (int i = 0; i < lead; i++) ph_putf(t, i ? ", %lld" : "%lld", (long long)index[i] + 1);
    ph_putf(t, "]");
}

static ph_status add_blocks(ph_text *t, const arr *a, arr *m, int columns, int rows, ph_err *err) {
    int64_t blocks = 1, high = m->shape[0];
    for (int i = 0; i < a->ndim - 2; i++) blocks *= a->shape[i];
    if (blocks > rows || blocks * (high + 1) > rows) {
        int64_t most = rows / 3 - 1 > 3 ? rows / 3 - 1 : 3;
        if (high > most) high = most;
    }
    int64_t fit = rows / (high + 1);
    shown s = blocks <= fit ? (shown){blocks, blocks, 0} : (shown){blocks, fit > 2 ? fit - 1 : 1, 1};
    if (s.head + s.tail > blocks) s = (shown){blocks, blocks, 0};
    for (int64_t k = 0; k < s.head + s.tail; k++) {
        if (k == s.head && s.head + s.tail < blocks) ph_putf(t, "\n%*s⋮", INDENT, "");
        add_label(t, a, nth(&s, k), m);
        ph_status st = add_matrix(t, m, columns, high, err);
        if (st != PH_OK) return st;
    }
    return PH_OK;
}

static void add_scalar(ph_text *t, const arr *a) {
    char s[80];
    arr_c128 z = arr_get_c128(a, a->data);
    if (a->dtype == ARR_BOOL) snprintf(s, sizeof s, "%s", z.re != 0 ? "true" : "false");
    else if (a->dtype == ARR_F32) arr_f32_text(s, sizeof s, (float)z.re);
    else if (a->dtype == ARR_F64) arr_num_text(s, sizeof s, z.re);
    else arr_c128_text(s, sizeof s, z);
    ph_putf(t, "  %s", s);
}

/* The last two dimensions as a borrowed matrix; a vector is one row. */
static arr as_matrix(const arr *a) {
    arr m = *a;
    int n = a->ndim;
    m.ndim = 2;
    m.shape[0] = n > 1 ? a->shape[n - 2] : 1;
    m.stride[0] = n > 1 ? a->stride[n - 2] : 0;
    m.shape[1] = n > 0 ? a->shape[n - 1] : 1;
    m.stride[1] = n > 0 ? a->stride[n - 1] : 0;
    return m;
}

ph_status arr_print(char **out, const arr *a, int columns, int rows, ph_err *err) {
    ph_text t = {0};
    char shape[200];
    ph_status st = PH_OK;
    arr m = as_matrix(a);
    *out = NULL;
    if (columns < 20) columns = 20;
    if (rows < 3) rows = 3;
    ph_putf(&t, "%s %s", arr_dtype_name(a->dtype), arr_shape_text(shape, sizeof shape, a));
    if (arr_size(a) == 0) ph_putf(&t, " empty");
    else if (a->ndim == 0) add_scalar(&t, a);
    else if (a->ndim == 1) add_vector(&t, &m, columns, rows);
    else if (a->ndim == 2) st = add_matrix(&t, &m, columns, rows, err);
    else st = add_blocks(&t, a, &m, columns, rows, err);
    if (st == PH_OK) st = ph_text_take(out, NULL, &t, err);
    ph_text_drop(&t);
    return st;
}
