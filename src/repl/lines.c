/* lines.c: see lines.h. */
#include "repl/lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "repl/signals.h"

/* false: no memory, t as it was */
static bool append(lines_text *t, const char *s, size_t n) {
    size_t room;
    if (!ph_add_size(&room, t->n, n) || !ph_add_size(&room, room, 1)) return false;
    char *p = ph_realloc(t->text, room);
    if (!p) return false;
    memcpy(p + t->n, s, n);
    p[t->n + n] = '\0';
    *t = (lines_text){p, t->n + n};
    return true;
}

void repl_lines_clear(lines_text *t) {
    ph_free(t->text);
    *t = (lines_text){0};
}

/* Bytes at … n-1 of held are read and not yet handed out. */
static char held[65536];
static size_t at, n_held;

static lines_outcome refill(void) {
    if (!repl_signals_wait(STDIN_FILENO, -1)) return LINES_SIGNAL;
    ssize_t got = read(STDIN_FILENO, held, sizeof held);
    if (got < 0) return errno == EINTR ? LINES_SIGNAL : LINES_FAILED;
    at = 0, n_held = (size_t)got;
    for (char *c; (c = memchr(held, '\0', n_held));)
        *c = 0x1a; /* a text with NULs cannot travel: SUBSTITUTE */
    return got ? LINES_GOT : LINES_END;
}

lines_outcome repl_lines_read(lines_text *t) {
    size_t before = t->n;
    for (;;) {
        char *end = memchr(held + at, '\n', n_held - at);
        size_t n = end ? (size_t)(end - held) + 1 - at : n_held - at;
        if (n > 0 && !append(t, held + at, n)) return LINES_FAILED;
        at += n;
        if (end) return LINES_GOT;
        lines_outcome got = refill();
        if (got == LINES_END && t->n > before) return LINES_GOT;
        if (got != LINES_GOT) return got;
    }
}
