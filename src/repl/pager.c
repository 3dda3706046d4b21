/* pager.c: see pager.h. */
#include "repl/pager.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "repl/keys.h"

#define LEAST 8 /* rows of a terminal below which there are no pages */

void repl_pager_begin(pager *p, int columns, int rows, const char *heading) {
    repl_pager_end(p);
    p->on = rows >= LEAST && columns > 0;
    p->rows = rows, p->columns = columns;
    p->used = heading != NULL;
    p->heading = heading ? ph_strdup(heading) : NULL;
}

void repl_pager_end(pager *p) {
    ph_free(p->heading);
    *p = (pager){.colour = p->colour, .zh = p->zh};
}

/* The length of the escape sequence that s begins with; 0: with none. */
static size_t escape_length(const char *s) {
    if (s[0] != '\033') return 0;
    if (s[1] != '[') return s[1] ? 2 : 1;
    size_t n = 2 + strcspn(s + 2, "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~");
    return s[n] ? n + 1 : n;
}

/* Columns of n bytes of a line. */
static int width(const char *s, size_t n) {
    size_t columns = 0;
    const char *end = s + n;
    while (s < end) {
        size_t skip = escape_length(s), plain = 0;
        if (skip) {
            s += skip;
            continue;
        }
        while (s + plain < end && s[plain] != '\033') plain++;
        columns += ph_utf8_width(s, plain);
        s += plain;
    }
    return (int)columns;
}

/* The row of a cursor that stands behind so many columns of a line. */
static int row_of(const pager *p, int column) {
    return column > 0 && p->columns > 0 ? (column - 1) / p->columns : 0;
}

static bool goes_on(const char *key) {
    return key && strcmp(key, "q") != 0 && strcmp(key, "Q") != 0 && strcmp(key, "escape") != 0 &&
           strcmp(key, "end") != 0;
}

static void turn(pager *p) {
    char name[KEY_NAME];
    const char *ask =
        p->zh ? "── 回车：下一页   q：略过其余 ──" : "── Enter: next page   q: skip the rest ──";
    if ((int)ph_utf8_width(ask, strlen(ask)) >= p->columns) /* it must stand on one line, to be taken back */
        ask = p->zh ? "── 回车：下一页 ──" : "── Enter: next page ──";
    if (p->column) putchar('\n');
    printf(p->colour ? "\033[7m%s\033[0m" : "%s", ask);
    fflush(stdout);
    const char *key = repl_key_read(name, -1);
    fputs("\r\033[K", stdout);
    p->left = !goes_on(key);
    p->column = 0, p->used = p->heading != NULL, p->blank = 0;
    if (p->heading && !p->left) printf(p->colour ? "\033[1m%s\033[0m\n" : "%s\n", p->heading);
}

/* One line, or what there is of it; n bytes, with its break if there is one. */
static void put_line(pager *p, const char *s, size_t n) {
    bool broken = n > 0 && s[n - 1] == '\n';
    int column = p->column + width(s, n - broken);
    int rows = row_of(p, column) - row_of(p, p->column) + broken;
    if (p->used + rows > p->rows - 1 && p->used > (p->heading != NULL)) {
        turn(p);
        column = width(s, n - broken), rows = row_of(p, column) + broken;
    }
    if (p->left) return;
    fwrite(s, 1, n, stdout);
    if (n == 1 && broken && p->used == (p->heading != NULL) + p->blank) p->blank++;
    p->used += rows;
    p->column = broken ? 0 : column;
}

/* How many of n bytes fit on one row that is empty: one character at least. */
static size_t a_row(const pager *p, const char *s, size_t n) {
    size_t k = 0;
    for (int column = 0; k < n;) {
        size_t skip = escape_length(s + k), bytes = skip ? skip : (size_t)ph_utf8_decode(s + k, n - k).bytes;
        column += skip ? 0 : (int)ph_utf8_width(s + k, bytes);
        if (column > p->columns && k > 0) break;
        k += bytes;
    }
    return k;
}

/* A line that a page does not hold goes out by rows. */
static void put_rows(pager *p, const char *s, size_t n) {
    for (size_t part; n > 0 && !p->left; s += part, n -= part) {
        part = a_row(p, s, n);
        if (part + 1 == n && s[part] == '\n') part = n;
        put_line(p, s, part);
    }
}

void repl_pager_put(pager *p, const char *text) {
    while (*text && !p->left) {
        size_t n = strcspn(text, "\n"), page = (size_t)p->rows * (size_t)p->columns;
        n += text[n] == '\n';
        if (p->columns > 0 && n > page) put_rows(p, text, n);
        else put_line(p, text, n);
        text += n;
    }
}

int repl_pager_rows(const pager *p, const char *text) {
    int rows = 0;
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        rows += row_of(p, width(s, n)) + 1;
        s += n + (s[n] == '\n');
    }
    return rows;
}

void repl_pager_keep(pager *p, int rows) {
    int whole = p->rows - 1 - (p->heading != NULL);
    if (!p->on || p->left || rows > whole || p->used + rows <= p->rows - 1) return;
    bool empty = p->column == 0 && p->used == (p->heading != NULL) + p->blank;
    if (!empty) return turn(p);
    if (p->blank) printf("\033[%dA", p->blank);
    p->used -= p->blank, p->blank = 0;
}

void repl_pager_count(pager *p, int rows) { p->used += p->on ? rows : 0; }
