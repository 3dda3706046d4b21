/* hint.c: what people who come from another language write, and what Lua calls it. */
#include <string.h>

#include "session/core.h"

static bool has(const char *code, size_t n, size_t at, const char *what) {
    size_t len = strlen(what);
    return at <= n && n - at >= len && memcmp(code + at, what, len) == 0;
}

const char *ses_syntax_hint(const char *message, const char *code, size_t n, size_t at) {
    /* the complaint may be about the first or the second character of the pair */
    static const struct {
        const char *pair, *hint;
    } pairs[] = {
        {"+=", "write x = x + 1"}, {"-=", "write x = x - 1"},     {"*=", "write x = x * 2"},
        {"/=", "write x = x / 2"}, {"++", "write x = x + 1"},     {"&&", "write and"},
        {"||", "write or"},        {"**", "write ^ for a power"}, {"=>", "write >= for \"at least\""},
    };
    bool test = strstr(message, "'then' expected") || strstr(message, "'do' expected");
    if (test && has(code, n, at, "=")) return "write == to compare";
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (has(code, n, at, pairs[i].pair) || (at > 0 && has(code, n, at - 1, pairs[i].pair)))
            return pairs[i].hint;
    if (strstr(message, "unexpected symbol") && has(code, n, at, "[")) return "a list is written {1, 2, 3}";
    if (strstr(message, "expected") && has(code, n, at, ":"))
        return "a block opens with then or do, not with a colon";
    if (strcmp(message, "syntax error near <eof>") == 0)
        return "an expression alone in an input shows its value";
    return NULL;
}
