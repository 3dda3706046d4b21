/* text.c: text that grows, and bytes read from their front. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Room for n more bytes and the NUL; grown by half, so that many small pieces cost little. */
static bool make_room(ph_text *t, size_t n) {
    size_t want, cap;
    if (t->failed) return false;
    if (t->cap - t->n > n) return true;
    bool fits = ph_add_size(&want, t->n + 1, n) && ph_add_size(&cap, want, want / 2 + 64);
    char *grown = fits ? ph_realloc(t->s, cap) : NULL;
    t->failed = !grown;
    if (!grown) return false;
    t->s = grown;
    t->cap = cap;
    return true;
}

void ph_put(ph_text *t, const char *s, size_t n) {
    if (!make_room(t, n)) return;
    if (n) memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
}

void ph_putc(ph_text *t, int byte) {
    char c = (char)byte;
    ph_put(t, &c, 1);
}

void ph_puts(ph_text *t, const char *s) { ph_put(t, s, strlen(s)); }

void ph_putf(ph_text *t, const char *fmt, ...) {
    char small[256];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < (int)sizeof small) {
        ph_put(t, small, n < 0 ? 0 : (size_t)n);
        return;
    }
    if (!make_room(t, (size_t)n)) return;
    va_start(ap, fmt);
    vsnprintf(t->s + t->n, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->n += (size_t)n;
}

void ph_put_json(ph_text *t, const char *s, size_t n) {
    static const char special[] = "\"\\\n\t\r", letter[] = "\"\\ntr";
    ph_put(t, "\"", 1);
    for (size_t i = 0; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        const char *at = u.rune ? strchr(special, u.rune < 128 ? (int)u.rune : 'x') : NULL;
        if (at) ph_putf(t, "\\%c", letter[at - special]);
        else if (u.rune < 32 || u.rune == 127) ph_putf(t, "\\u%04x", (unsigned)u.rune);
        else if (u.valid) ph_put(t, s + i, (size_t)u.bytes);
        else ph_puts(t, "\xEF\xBF\xBD");
        i += (size_t)u.bytes;
    }
    ph_put(t, "\"", 1);
}

void ph_text_drop(ph_text *t) {
    ph_free(t->s);
    *t = (ph_text){0};
}

ph_status ph_text_take(char **out, size_t *n, ph_text *t, ph_err *err) {
    ph_put(t, "", 0); /* so that an empty one is a text too */
    bool failed = t->failed;
    size_t wanted = t->cap + t->cap / 2 + 64;
    *out = failed ? NULL : t->s;
    if (n) *n = failed ? 0 : t->n;
    if (failed) ph_free(t->s);
    *t = (ph_text){0};
    return failed ? ph_fail_nomem(err, wanted) : PH_OK;
}

bool ph_take(ph_bytes *b, void *out, size_t n) {
    if (n > b->n) return false;
    if (n) memcpy(out, b->s, n);
    b->s += n, b->n -= n;
    return true;
}
