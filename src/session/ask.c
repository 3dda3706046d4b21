/* ask.c: see ask.h. */
#include "session/ask.h"

#include <ctype.h>
#include <string.h>

static bool is_end(char c) { return c == '?' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

size_t ses_asked(const char *rest) {
    size_t n = strlen(rest);
    while (n > 0 && is_end(rest[n - 1])) n--;
    return n;
}

/* Of `name?`, as IPython has it, how many marks; 0: it is something else. */
static size_t marks_behind(const char *s) {
    size_t n = ses_asked(s);
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && !strchr("_.:", s[i]) && !(s[i] & 0x80)) return 0;
    s += n + strspn(s + n, " \t");
    return n ? strspn(s, "?") : 0;
}

ses_ask ses_classify(const char *line, const char **rest) {
    const char *s = line + strspn(line, " \t\r\n");
    size_t marks = strspn(s, "?");
    *rest = s;
    if (!*s) return ASK_BLANK;
    if (*s == ':' && s[1] != ':') { /* "::name::" is a Lua label */
        *rest = s + 1 + strspn(s + 1, " \t");
        return ASK_COMMAND;
    }
    if (!marks && !(marks = marks_behind(s))) return ASK_CODE;
    if (*s == '?') *rest = s + marks + strspn(s + marks, " \t");
    return marks == 1 ? ASK_HELP : marks == 2 ? ASK_MORE : ASK_SEARCH;
}

void ses_put_call(ph_text *out, const char *fn, const char *words, size_t n) {
    ph_putf(out, "require('phasor').%s('", fn);
    for (size_t i = 0; i < n; i++) {
        if (strchr("\\'\n", words[i])) ph_puts(out, "\\");
        ph_put(out, words + i, 1);
    }
    ph_puts(out, "')");
}
