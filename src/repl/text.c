/* text.c: pasted prompts. */
#include "repl/text.h"

#include <string.h>

static bool begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

/* A prompt with nothing behind it loses its blank in many terminals. */
static size_t prompt_length(const char *line, const char *prompt) {
    size_t n = strlen(prompt);
    if (begins(line, prompt)) return n;
    bool bare = strncmp(line, prompt, n - 1) == 0 && (line[n - 1] == '\n' || line[n - 1] == '\0');
    return bare ? n - 1 : 0;
}

static size_t line_length(const char *line) { return strcspn(line, "\n"); }

static char *copy(const char *s, size_t n, ph_status *st) {
    char *c = ph_alloc(n + 1);
    *st = c ? PH_OK : PH_ENOMEM;
    if (!c) return NULL;
    memcpy(c, s, n);
    c[n] = '\0';
    return c;
}

/* Appends the lines of one input of a pasted session to out (which has room for all of text). */
static size_t take_input(char *out, const char *text, size_t *pos) {
    size_t n = 0;
    for (bool first = true; text[*pos]; first = false) {
        const char *line = text + *pos;
        size_t len = line_length(line), more = prompt_length(line, REPL_PROMPT_MORE);
        size_t skip = more ? more : prompt_length(line, REPL_PROMPT);
        if (!first && skip && !more) break;
        *pos += len + (line[len] == '\n');
        if (!skip) continue;
        if (!first) out[n++] = '\n';
        memcpy(out + n, line + skip, len - skip);
        n += len - skip;
    }
    return n;
}

char *repl_next_input(const char *text, size_t *pos, ph_status *st) {
    *st = PH_OK;
    if (!text[*pos]) return NULL;
    if (!prompt_length(text, REPL_PROMPT)) {
        *pos = strlen(text);
        return copy(text, *pos, st);
    }
    char *out = copy(text + *pos, strlen(text + *pos), st);
    if (out) out[take_input(out, text, pos)] = '\0';
    return out;
}

const char *repl_is_word(const char *input, const char *word, size_t *n) {
    const char *s = input + strspn(input, " \t\r\n");
    *n = strlen(word);
    if (strncmp(s, word, *n) != 0) return NULL;
    const char *rest = s + *n;
    rest += strspn(rest, " \t");
    if (begins(rest, "()")) rest += 2;
    return rest[strspn(rest, "; \t\r\n")] ? NULL : s;
}

const char *repl_leave_word(const char *input, size_t *n) {
    const char *s = repl_is_word(input, "quit", n);
    return s ? s : repl_is_word(input, "exit", n);
}
