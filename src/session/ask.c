/* ask.c: see ask.h. */
#include "session/ask.h"

#include <string.h>

ses_ask ses_classify(const char *line, const char **rest) {
    const char *s = line + strspn(line, " \t\r\n");
    size_t marks = strspn(s, "?");
    *rest = s;
    if (!*s) return ASK_BLANK;
    if (*s == ':' && s[1] != ':') { /* "::name::" is a Lua label */
        *rest = s + 1 + strspn(s + 1, " \t");
        return ASK_COMMAND;
    }
    if (!marks) return ASK_CODE;
    *rest = s + marks + strspn(s + marks, " \t");
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
