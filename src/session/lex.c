/* lex.c: Lua 5.4's tokens (manual, section 3.1) over UTF-8. */
#include "session/lex.h"

#include "base/utf8.h"

static int peek(const lex_state *lx, size_t ahead) {
    return lx->at + ahead < lx->n ? (unsigned char)lx->text[lx->at + ahead] : -1;
}

static bool digit(int c) { return c >= '0' && c <= '9'; }
static bool hex(int c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static bool letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The character beyond ASCII at the cursor; bytes 0 where there is none, !valid where the bytes are no UTF-8. */
static ph_utf8 wide_char(const lex_state *lx) {
    if (peek(lx, 0) < 0x80) return (ph_utf8){0};
    return ph_utf8_decode(lx->text + lx->at, lx->n - lx->at);
}

/* Blanks that word processors and CJK input methods leave behind; Lua would stumble over them. */
static bool wide_blank(uint32_t c) {
    return c == 0xA0 || c == 0x3000 || c == 0xFEFF || (c >= 0x2000 && c <= 0x200A);
}

/* The length of the word where the n bytes at s begin with it, else 0. Nearly always the first byte differs: no call is worth it. */
static size_t begins(const char *s, size_t n, const char *word) {
    size_t k = 0;
    while (k < n && word[k] && word[k] == s[k]) k++;
    return word[k] ? 0 : k;
}

static bool is_keyword(const char *s, size_t n) {
    static const char *const words[] = {
        "and", "break", "do",  "else", "elseif", "end",    "false",  "for",  "function", "goto",  "if",
        "in",  "local", "nil", "not",  "or",     "repeat", "return", "then", "true",     "until", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(s, n, words[i]) == n) return true;
    return false;
}

/* At '[': the number of '=' of a long bracket plus 1, or 0 when it is none. */
static size_t long_bracket(const lex_state *lx) {
    size_t level = 1;
    while (peek(lx, level) == '=') level++;
    return peek(lx, level) == '[' ? level : 0;
}

/* Past "]==]" of the given level; false at the end of the text. */
static bool skip_long(lex_state *lx, size_t level) {
    lx->at += level + 1;
    for (; lx->at < lx->n; lx->at++) {
        if (lx->text[lx->at] != ']') continue;
        size_t k = 1;
        while (k < level && peek(lx, k) == '=') k++;
        if (k == level && peek(lx, k) == ']') {
            lx->at += level + 1;
            return true;
        }
    }
    return false;
}

static void comment(lex_state *lx, lex_token *t) {
    t->kind = LEX_COMMENT;
    lx->at += 2;
    size_t level = peek(lx, 0) == '[' ? long_bracket(lx) : 0;
    if (level) {
        t->open = !skip_long(lx, level);
        return;
    }
    while (lx->at < lx->n && lx->text[lx->at] != '\n' && lx->text[lx->at] != '\r') lx->at++;
}

/* A quoted string ends at its quote or, unfinished, before the end of the line; \z and an escaped line break go on. */
static void quoted(lex_state *lx, lex_token *t) {
    int quote = lx->text[lx->at++];
    t->kind = LEX_STRING;
    while (lx->at < lx->n) {
        int c = lx->text[lx->at];
        if (c == quote) {
            lx->at++;
            return;
        }
        if (c == '\n' || c == '\r') break;
        if (c != '\\') {
            lx->at++;
            continue;
        }
        int e = peek(lx, 1);
        lx->at += e < 0 ? 1 : 2;
        if (e == 'z')
            while (blank(peek(lx, 0))) lx->at++;
        else if ((e == '\r' && peek(lx, 0) == '\n') || (e == '\n' && peek(lx, 0) == '\r')) lx->at++;
    }
    t->open = true;
}

/* As liberal as Lua's own reader: it too takes everything that looks like a numeral and judges it afterwards. */
static void number(lex_state *lx, lex_token *t) {
    t->kind = LEX_NUMBER;
    bool hexa = peek(lx, 0) == '0' && (peek(lx, 1) == 'x' || peek(lx, 1) == 'X');
    if (hexa) lx->at += 2;
    for (;;) {
        int c = peek(lx, 0);
        bool exponent = hexa ? (c == 'p' || c == 'P') : (c == 'e' || c == 'E');
        if (exponent && (peek(lx, 1) == '+' || peek(lx, 1) == '-')) lx->at += 2;
        else if (hex(c) || c == '.' || letter(c)) lx->at++;
        else return;
    }
}

static void name(lex_state *lx, lex_token *t) {
    for (;;) {
        ph_utf8 c = wide_char(lx);
        if (letter(peek(lx, 0)) || digit(peek(lx, 0))) lx->at++;
        else if (c.valid && ph_rune_continues_name(c.rune)) {
            lx->at += (size_t)c.bytes;
            t->wide = true;
        } else break;
    }
    t->kind = is_keyword(lx->text + t->at, lx->at - t->at) ? LEX_KEYWORD : LEX_NAME;
}

static void operator(lex_state *lx, lex_token *t) {
    static const char *const ops[] = {"...", "..", "==", "~=", "<=", ">=", "//", "<<", ">>", "::"};
    t->kind = LEX_OP;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        size_t n = begins(lx->text + lx->at, lx->n - lx->at, ops[i]);
        if (n) {
            lx->at += n;
            return;
        }
    }
    int c = peek(lx, 0);
    if (c == '!' || c == '$' || c == '?' || c == '@' || c == '\\' || c == '`' || c < ' ' || c == 0x7f)
        t->kind = LEX_BAD;
    lx->at++;
}

static void wide(lex_state *lx, lex_token *t) {
    ph_utf8 c = wide_char(lx);
    t->wide = true;
    if (c.valid && ph_rune_starts_name(c.rune)) {
        name(lx, t);
        return;
    }
    t->kind = c.valid && wide_blank(c.rune) ? LEX_SPACE : LEX_BAD;
    lx->at += (size_t)c.bytes;
}

void ses_lex(lex_state *lx, lex_token *t) {
    while (blank(peek(lx, 0))) lx->at++;
    *t = (lex_token){.kind = LEX_END, .at = lx->at};
    int c = peek(lx, 0);
    if (c < 0) return;
    if (c == '#' && lx->at == 0 && lx->file) {
        t->kind = LEX_COMMENT;
        while (lx->at < lx->n && lx->text[lx->at] != '\n') lx->at++;
    } else if (c == '-' && peek(lx, 1) == '-') comment(lx, t);
    else if (c == '"' || c == '\'') quoted(lx, t);
    else if (c == '[' && long_bracket(lx)) {
        t->kind = LEX_STRING;
        t->open = !skip_long(lx, long_bracket(lx));
    } else if (digit(c) || (c == '.' && digit(peek(lx, 1)))) number(lx, t);
    else if (letter(c)) name(lx, t);
    else if (c >= 0x80) wide(lx, t);
    else operator(lx, t);
    t->len = lx->at - t->at;
}

bool ses_lex_is(const char *text, const lex_token *t, const char *word) {
    return t->len && begins(text + t->at, t->len, word) == t->len;
}
