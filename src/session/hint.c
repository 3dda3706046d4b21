/* hint.c: where the rules of base/slips.h fit a program and what was said about it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/slips.h"
#include "session/core.h"
#include "session/cursor.h"
#include "session/lex.h"

#define TOKENS 400 /* longer inputs are looked at up to here, or from the last that many before the error */

typedef struct {
    const char *text;
    lex_token tok[TOKENS];
    int n, error; /* error: the token that the complaint is about */
} tokens;

static void read_tokens(tokens *t, const char *code, size_t n, size_t at) {
    lex_state lx = {code, n, 0, n > 1 && code[0] == '#' && code[1] == '!'};
    lex_token k;
    t->text = code;
    t->n = 0, t->error = -1;
    for (ses_lex(&lx, &k); k.kind != LEX_END; ses_lex(&lx, &k)) {
        if (k.kind == LEX_COMMENT || k.kind == LEX_SPACE) continue;
        if (t->n == TOKENS && t->error >= 0) return;
        if (t->n == TOKENS) memmove(t->tok, t->tok + 1, sizeof *t->tok * (size_t)--t->n);
        if (t->error < 0 && k.at + k.len > at) t->error = t->n;
        t->tok[t->n++] = k;
    }
    if (t->error < 0) t->error = t->n; /* the end */
}

static bool is_value(const lex_token *k) {
    return k->kind == LEX_NAME || k->kind == LEX_NUMBER || k->kind == LEX_STRING;
}

/* Does the word of a pattern, n bytes, fit a token? */
static bool fits(const tokens *t, int i, const char *word, size_t n) {
    const lex_token *k = &t->tok[i];
    if (n == 1 && *word == 'N') return k->kind == LEX_NAME;
    if (n == 1 && *word == 'D') return k->kind == LEX_NUMBER;
    if (n == 1 && *word == 'V') return is_value(k);
    return k->len == n && memcmp(t->text + k->at, word, n) == 0;
}

/* Where behind token i the pattern ends, or -1. */
static int match(const tokens *t, int i, const char *pattern) {
    for (const char *s = pattern; *s; i++) {
        size_t n = strcspn(s, " ");
        if (i >= t->n || !fits(t, i, s, n)) return -1;
        s += n;
        s += *s == ' ';
    }
    return i;
}

/* A rule fits where its tokens hold the error. Lua complains of what follows a word alone, such as `import`, and what follows a name
 * that begins a statement, as x does in `y = 2 x`. */
static bool holds(const tokens *t, const char *pattern, int from, int end) {
    bool word = *pattern >= 'a' && *pattern <= 'z' && end == from + 1;
    bool name = end > from && t->tok[end - 1].kind == LEX_NAME;
    return from <= t->error && t->error < end + (word || name);
}

static bool applies(const tokens *t, const ph_slip *s, const char *message) {
    if (s->message && !strstr(message, s->message)) return false;
    for (int i = 0; i <= t->n; i++) {
        int end = match(t, i, s->seen);
        if (end >= 0 && (s->anywhere || !*s->seen || holds(t, s->seen, i, end))) return true;
    }
    return false;
}

const char *ses_syntax_hint(const char *message, const char *code, size_t n, size_t at) {
    tokens t;
    read_tokens(&t, code, n, at);
    for (const ph_slip *s = ph_slips; s->seen; s++)
        if (s->kind == PH_SLIP_CODE && applies(&t, s, message)) return s->hint;
    return NULL;
}

/* Is the value of a variable a formula? */
static bool is_formula(lua_State *L, const char *name, size_t n) {
    ses_push_globals(L);
    bool found = ses_cursor_raw(L, lua_gettop(L), name, n);
    bool formula = found && luaL_testudata(L, -1, "phasor.Expr");
    lua_pop(L, found ? 2 : 1);
    return formula;
}

bool ses_compares_formulas(lua_State *L, const char *code, bool value) {
    tokens t;
    bool compared = false, formula = false;
    read_tokens(&t, code, strlen(code), 0);
    for (int i = 0; i < t.n; i++) {
        const lex_token *k = &t.tok[i];
        if (ses_lex_is(code, k, value ? "~=" : "==")) compared = true;
        else if (k->kind == LEX_NAME && is_formula(L, code + k->at, k->len)) formula = true;
    }
    return compared && formula;
}

/* The name in "... (field 'append')", which Lua puts behind what it could not call or index. */
static bool quoted_name(char *name, size_t size, const char *message) {
    static const char *const kinds[] = {"(field '", "(method '", "(global '"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(message, kinds[i]);
        if (!at) continue;
        at += strlen(kinds[i]);
        snprintf(name, size, "%.*s", (int)strcspn(at, "'"), at);
        return true;
    }
    return false;
}

/* Is a method called like a function, as in A.mean(), where the error comes from `mean`? */
static bool has_dot(const char *message, const char *line) {
    char call[64];
    size_t n = strcspn(message, ": ");
    if (n == 0 || n > 40 || message[n] != ':') return false;
    snprintf(call, sizeof call, ".%.*s(", (int)n, message);
    const char *at = strstr(line, call), *word = at;
    while (word && word > line && (isalnum((unsigned char)word[-1]) || word[-1] == '_')) word--;
    return word && word < at && strncmp(word, "phasor.", 7) != 0;
}

/* `for v in A do`: an array is called, which reads an element of it. */
static bool is_loop_over_array(const char *message, const char *line) {
    const char *in = strstr(line, " in ");
    return in && strncmp(message, "array: ", 7) == 0 && strncmp(line + strspn(line, " \t"), "for ", 4) == 0 &&
           !memchr(in, '(', strcspn(in, "d"));
}

/* `# sum`, which asks for the length of an unknown name. */
static bool is_comment(const char *message, const char *line) {
    line += strspn(line, " \t");
    return line[0] == '#' && (line[1] == ' ' || line[1] == '\t') &&
           strncmp(message, "unknown name ", 13) == 0;
}

bool ses_slipped(const char *code, size_t n) {
    tokens t;
    read_tokens(&t, code, n, n);
    for (const ph_slip *s = ph_slips; s->seen; s++)
        if (s->kind == PH_SLIP_CODE && s->anywhere && !s->message && applies(&t, s, "")) return true;
    return false;
}

const char *ses_error_hint(const char *message, const char *line) {
    char name[64];
    const char *hint = ph_slip_hint(PH_SLIP_ERROR, message);
    if (!hint && line && is_comment(message, line)) hint = PH_SLIP_COMMENT;
    if (!hint && strstr(message, "a nil value") && quoted_name(name, sizeof name, message))
        hint = ph_slip_hint(PH_SLIP_FIELD, name);
    if (!hint && line && has_dot(message, line)) hint = "a method is called with a colon, as in A:mean()";
    if (!hint && line && is_loop_over_array(message, line)) hint = "write for i, v in ipairs(A) do ... end";
    return hint;
}
