/* text.c: pasted prompts, prompt commands, nearest names. */
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

text_ask repl_classify(const char *line, const char **rest) {
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

#define NEAR_MAX 48

/* Damerau-Levenshtein, restricted: d(i,j) = min(d(i-1,j)+1, d(i,j-1)+1, d(i-1,j-1)+[a_i≠b_j], d(i-2,j-2)+1 if
 * swapped) */
static size_t edits(const char *a, size_t n, const char *b, size_t m) {
    size_t d[3][NEAR_MAX + 1];
    for (size_t j = 0; j <= m; j++) d[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *now = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t best = up[j - 1] + (a[i - 1] != b[j - 1]);
            if (up[j] + 1 < best) best = up[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && up2[j - 2] + 1 < best) best = up2[j - 2] + 1;
            now[j] = best;
        }
    }
    return d[n % 3][m];
}

const char *repl_nearest(const char *name, const char *const *names) {
    size_t n = strlen(name), best = n / 3 + 1;
    const char *found = NULL;
    if (n == 0 || n > NEAR_MAX) return NULL;
    for (; *names; names++) {
        size_t m = strlen(*names);
        if (m > NEAR_MAX) continue;
        size_t e = edits(name, n, *names, m);
        if (e < best || (e == best && !found)) best = e, found = *names;
    }
    return found;
}
