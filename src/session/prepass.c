/* prepass.c: tokens in, the same program in names Lua can read out. See prepass.h for the rules. */
#include "session/prepass.h"

#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/slips.h"
#include "base/utf8.h"
#include "session/lex.h"
#include "session/nfc.h"

typedef struct {
    const char *code;
    size_t n;
    unsigned flags;
    lex_token *tok; /* without comments; the last is LEX_END */
    size_t ntok, tokcap;
    char *scope; /* open brackets as themselves, open blocks as 'b' */
    size_t depth, depthcap;
    size_t copied; /* source bytes already in out->text */
    size_t cap, editcap;
    bool add_self; /* the next '(' opens the parameters of a method that became a field */
    ses_source *out;
    bool nomem;
} pass;

/* ---- growing things; a refusal is remembered and everything after it is harmless ----------------------- */

static bool grow(pass *p, void **array, size_t *cap, size_t want, size_t item) {
    p->nomem |= !ph_list_reserve(array, cap, want, item);
    return !p->nomem;
}

static void put(pass *p, const char *s, size_t n) {
    if (!grow(p, (void **)&p->out->text, &p->cap, p->out->length + n + 1, 1)) return;
    memcpy(p->out->text + p->out->length, s, n);
    p->out->length += n;
    p->out->text[p->out->length] = 0;
}

/* Puts n bytes of `with` for src_len bytes of source at src_at. Edits come in ascending order. */
static void edit(pass *p, size_t src_at, size_t src_len, const char *with, size_t n) {
    put(p, p->code + p->copied, src_at - p->copied);
    p->copied = src_at + src_len;
    if (!grow(p, (void **)&p->out->edits, &p->editcap, p->out->nedits + 1, sizeof *p->out->edits)) return;
    p->out->edits[p->out->nedits++] = (ses_edit){src_at, src_len, p->out->length, n};
    put(p, with, n);
}

static void insert(pass *p, size_t at, const char *with) { edit(p, at, 0, with, strlen(with)); }

static void blank_out(pass *p, const lex_token *t) {
    static const char blanks[] = "        ";
    edit(p, t->at, t->len, blanks, t->len < sizeof blanks ? t->len : sizeof blanks - 1);
}

static void push(pass *p, char what) {
    if (grow(p, (void **)&p->scope, &p->depthcap, p->depth + 1, 1)) p->scope[p->depth++] = what;
}
static void pop(pass *p, char what) {
    if (p->depth && p->scope[p->depth - 1] == what) p->depth--;
}
static char top(const pass *p) { return p->depth ? p->scope[p->depth - 1] : 0; }

/* ---- names --------------------------------------------------------------------------------------------- */

/* The normalised letters of a name; *count of them. NULL: out of memory. */
static uint32_t *letters(const char *name, size_t n, size_t *count) {
    size_t bytes, k = 0;
    uint32_t *c = ph_mul_size(&bytes, n + 1, sizeof *c) ? ph_alloc(bytes) : NULL;
    for (size_t i = 0; c && i < n;) {
        ph_utf8 u = ph_utf8_decode(name + i, n - i);
        i += (size_t)u.bytes;
        uint32_t next = ses_nfc_letter(u.rune);
        uint32_t joined = k ? ses_nfc_pair(c[k - 1], next) : 0;
        if (joined) c[k - 1] = joined;
        else c[k++] = next;
    }
    *count = k;
    return c;
}

/* A name's letters as Lua can read them, or (as_field) as ["θ"]. */
static char *spell(const char *name, size_t n, bool as_field) {
    size_t count, len = 0;
    uint32_t *c = letters(name, n, &count);
    char *s = c ? ph_alloc(count * 12 + 8) : NULL;
    if (s && as_field) len += (size_t)sprintf(s, "[\"");
    for (size_t i = 0; s && i < count; i++) {
        if (c[i] < 0x80) s[len++] = (char)c[i];
        else if (as_field) len += (size_t)ph_utf8_encode(s + len, c[i]);
        else len += (size_t)sprintf(s + len, "_u%x_", (unsigned)c[i]);
    }
    if (s) strcpy(s + len, as_field ? "\"]" : "");
    ph_free(c);
    return s;
}

char *ses_mangle(const char *name, size_t n) { return spell(name, n, false); }

/* The code point written at s as _u3b8_ (length in *len), or 0. */
static uint32_t mangled_char(const char *s, size_t n, size_t *len) {
    uint32_t c = 0;
    if (n < 5 || s[0] != '_' || s[1] != 'u') return 0;
    size_t i = 2;
    for (; i < n && i < 8; i++) {
        char d = s[i];
        if (d >= '0' && d <= '9') c = c * 16 + (uint32_t)(d - '0');
        else if (d >= 'a' && d <= 'f') c = c * 16 + (uint32_t)(d - 'a' + 10);
        else break;
    }
    if (i >= n || s[i] != '_' || c < 0x80 || s[2] == '0') return 0;
    if (!ph_rune_continues_name(c)) return 0;
    *len = i + 1;
    return c;
}

size_t ses_demangle(char *text, size_t n) {
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        size_t len = 0;
        uint32_t c = mangled_char(text + i, n - i, &len);
        if (c) {
            to += (size_t)ph_utf8_encode(text + to, c);
            i += len;
        } else text[to++] = text[i++];
    }
    text[to] = 0;
    return to;
}

bool ses_is_mangled(const char *text) {
    size_t n = strlen(text), len;
    for (size_t i = 0; i < n; i++)
        if (mangled_char(text + i, n - i, &len)) return true;
    return false;
}

static void rename_token(pass *p, const lex_token *t, bool as_field) {
    char *s = spell(p->code + t->at, t->len, as_field);
    if (s) edit(p, t->at, t->len, s, strlen(s));
    else p->nomem = true;
    ph_free(s);
}

/* ---- what may not stand in a program ------------------------------------------------------------------- */

static ph_status refuse(const pass *p, const lex_token *t, size_t *at, ph_err *err) {
    ph_utf8 u = ph_utf8_decode(p->code + t->at, p->n - t->at);
    uint32_t c = u.rune;
    int len = u.bytes;
    *at = t->at;
    if (!u.valid || c < ' ' || c == 0x7f)
        return ph_fail(err, PH_EARG, "unexpected byte 0x%02X", (unsigned)(unsigned char)p->code[t->at]);
    char seen[8];
    snprintf(seen, sizeof seen, "%.*s", len, p->code + t->at);
    const char *hint = ph_slip_hint(PH_SLIP_CHAR, seen);
    if (hint) return ph_fail(err, PH_EARG, "unexpected '%.*s'; %s", len, p->code + t->at, hint);
    if (c > 0xFF00 && c < 0xFF5F) /* the full-width forms stand 0xFEE0 above ASCII */
        return ph_fail(err, PH_EARG, "unexpected full-width '%.*s'; write %c", len, p->code + t->at,
                       (int)(c - 0xFEE0));
    return ph_fail(err, PH_EARG, "unexpected '%.*s'", len, p->code + t->at);
}

static ph_status refuse_method(const pass *p, const lex_token *t, size_t *at, ph_err *err) {
    *at = t->at;
    const char *s = p->code + t->at;
    int n = t->len < 60 ? (int)t->len : 60;
    return ph_fail(err, PH_EARG, "a method name must be ASCII; write obj.%.*s(obj) instead of obj:%.*s()", n,
                   s, n, s);
}

static ph_status refuse_number(const pass *p, const lex_token *number, const lex_token *t, size_t *at,
                               ph_err *err) {
    *at = number->at;
    const char *a = p->code + number->at, *b = p->code + t->at;
    int n = number->len < 40 ? (int)number->len : 40, m = t->len < 60 ? (int)t->len : 60;
    return ph_fail(err, PH_EARG, "malformed number near '%.*s%.*s'; a product is written %.*s*%.*s", n, a, m,
                   b, n, a, m, b);
}

/* ---- the pass ------------------------------------------------------------------------------------------ */

static bool is(const pass *p, size_t i, const char *word) {
    return (p->tok[i].kind == LEX_OP || p->tok[i].kind == LEX_KEYWORD) &&
           ses_lex_is(p->code, &p->tok[i], word);
}

/* The nearest token after (before) i that is no odd blank. The last token is LEX_END. */
static size_t after(const pass *p, size_t i) {
    do i++;
    while (i + 1 < p->ntok && p->tok[i].kind == LEX_SPACE);
    return i < p->ntok ? i : p->ntok - 1;
}
static bool before(const pass *p, size_t i, size_t *at) {
    while (i-- > 0)
        if (p->tok[i].kind != LEX_SPACE) {
            *at = i;
            return true;
        }
    return false;
}

/* Odd blanks between tokens i and j become blanks Lua knows. */
static void plain_blanks(pass *p, size_t i, size_t j) {
    for (; i < j; i++)
        if (p->tok[i].kind == LEX_SPACE) edit(p, p->tok[i].at, p->tok[i].len, " ", 1);
}

/* `local a <const>, b` at i: the last token of its names, or i itself where it must stay as it is. */
static size_t names_of_local(const pass *p, size_t i) {
    size_t j = i;
    for (;;) {
        j = after(p, j);
        if (p->tok[j].kind != LEX_NAME) return i;
        if (is(p, after(p, j), "<")) {
            size_t attribute = after(p, after(p, j));
            if (!ses_lex_is(p->code, &p->tok[attribute], "const") || !is(p, after(p, attribute), ">"))
                return i;
            j = after(p, attribute);
        }
        if (!is(p, after(p, j), ",")) return j;
        j = after(p, j);
    }
}

/* Returns the last token it dealt with. */
static size_t hoist(pass *p, size_t i) {
    if (is(p, after(p, i), "function")) {
        blank_out(p, &p->tok[i]);
        return i;
    }
    size_t last = names_of_local(p, i);
    if (last == i) return i;
    blank_out(p, &p->tok[i]);
    bool attribute = false;
    for (size_t j = i + 1; j <= last; j++) {
        const lex_token *t = &p->tok[j];
        if (is(p, j, "<")) attribute = true;
        if (attribute) blank_out(p, t);
        else if (t->kind == LEX_SPACE) plain_blanks(p, j, j + 1);
        else if (t->wide) rename_token(p, t, false);
        if (is(p, j, ">")) attribute = false;
    }
    /* the semicolon: `local x` may be followed by a line that opens with a parenthesis */
    if (!is(p, after(p, last), "=")) insert(p, p->tok[last].at + p->tok[last].len, " = nil;");
    return last;
}

/* The last token of a.b.c or a.b:m after `function` at i; *fields: one of b, c is beyond ASCII. */
static size_t path_of_function(const pass *p, size_t i, bool *fields) {
    size_t j = after(p, i);
    *fields = false;
    while (is(p, after(p, j), ".") || is(p, after(p, j), ":")) {
        size_t name = after(p, after(p, j));
        if (p->tok[name].kind != LEX_NAME) break;
        if (p->tok[name].wide) *fields = true;
        j = name;
    }
    return j;
}

/* t.θ → t["θ"]: the dot at i goes when it is met, since wide blanks behind it are edited before the name. */
static void before_wide_name(pass *p, size_t i) {
    if (p->tok[after(p, i)].wide) edit(p, p->tok[i].at, p->tok[i].len, "", 0);
}

/* function t.θ(x) → t["θ"] = function(x). Returns the last token it dealt with. */
static size_t named_function(pass *p, size_t i) {
    bool fields;
    push(p, 'b');
    if (p->tok[after(p, i)].kind != LEX_NAME) return i;
    size_t last = path_of_function(p, i, &fields), sep;
    if (!fields || !before(p, last, &sep)) return i;
    if (is(p, sep, ":") && p->tok[last].wide) return i; /* refused when the name is met */
    blank_out(p, &p->tok[i]);
    for (size_t j = i + 1; j <= last; j++) {
        const lex_token *t = &p->tok[j];
        if (t->kind == LEX_SPACE) plain_blanks(p, j, j + 1);
        else if (is(p, j, ":")) edit(p, t->at, t->len, ".", 1), p->add_self = true;
        else if (is(p, j, ".")) before_wide_name(p, j);
        else if (t->wide) rename_token(p, t, j != after(p, i));
    }
    insert(p, p->tok[last].at + p->tok[last].len, " = function");
    return last;
}

static ph_status wide_name(pass *p, size_t i, size_t *at, ph_err *err) {
    size_t prev, next = after(p, i);
    bool has = before(p, i, &prev);
    if (has && p->tok[prev].kind == LEX_NUMBER && p->tok[prev].at + p->tok[prev].len == p->tok[i].at)
        return refuse_number(p, &p->tok[prev], &p->tok[i], at, err);
    if (has && is(p, prev, ":")) return refuse_method(p, &p->tok[i], at, err);
    bool key = top(p) == '{' && has && (is(p, prev, "{") || is(p, prev, ",") || is(p, prev, ";")) &&
               is(p, next, "=");
    rename_token(p, &p->tok[i], key || (has && is(p, prev, ".")));
    return PH_OK;
}

static void brackets_and_blocks(pass *p, size_t i) {
    if (is(p, i, "{") || is(p, i, "(") || is(p, i, "[")) push(p, p->code[p->tok[i].at]);
    else if (is(p, i, "}")) pop(p, '{');
    else if (is(p, i, ")")) pop(p, '(');
    else if (is(p, i, "]")) pop(p, '[');
    else if (is(p, i, "do") || is(p, i, "if") || is(p, i, "repeat")) push(p, 'b');
    else if (is(p, i, "end") || is(p, i, "until")) pop(p, 'b');
    if (p->add_self && is(p, i, "(")) {
        p->add_self = false;
        insert(p, p->tok[i].at + 1, is(p, after(p, i), ")") ? "self" : "self, ");
    }
}

static ph_status rewrite(pass *p, size_t *at, ph_err *err) {
    for (size_t i = 0; i + 1 < p->ntok && !p->nomem; i++) {
        const lex_token *t = &p->tok[i];
        if (t->kind == LEX_BAD) return refuse(p, t, at, err);
        if (t->kind == LEX_SPACE) plain_blanks(p, i, i + 1);
        else if (is(p, i, "function")) i = named_function(p, i);
        else if (is(p, i, "local") && p->depth == 0 && (p->flags & SES_HOIST)) i = hoist(p, i);
        else if (is(p, i, ".")) before_wide_name(p, i);
        else if (t->kind == LEX_NAME && t->wide) {
            ph_status st = wide_name(p, i, at, err);
            if (st != PH_OK) return st;
        } else brackets_and_blocks(p, i);
    }
    put(p, p->code + p->copied, p->n - p->copied);
    return PH_OK;
}

static void read_tokens(pass *p) {
    lex_state lx = {p->code, p->n, 0, (p->flags & SES_FILE) != 0};
    lex_token t;
    do {
        ses_lex(&lx, &t);
        if (t.kind == LEX_COMMENT) {
            if (t.at == 0 && p->code[0] == '#') edit(p, 0, t.len, "", 0);
            continue;
        }
        if (t.kind == LEX_STRING && t.open && p->code[t.at] != '[' && p->code[t.at + t.len - 1] != '\\' &&
            !p->out->open_quote) {
            p->out->open_quote = true;
            p->out->quote_at = t.at;
        }
        if (!grow(p, (void **)&p->tok, &p->tokcap, p->ntok + 1, sizeof t)) return;
        p->tok[p->ntok++] = t;
    } while (t.kind != LEX_END);
}

ph_status ses_prepass(ses_source *out, const char *code, size_t n, unsigned flags, size_t *at, ph_err *err) {
    pass p = {.code = code, .n = n, .flags = flags, .out = out};
    size_t last;
    ph_status st = PH_OK;
    *out = (ses_source){0};
    *at = 0;
    put(&p, "", 0);
    read_tokens(&p);
    if (!p.nomem) PH_TRY(rewrite(&p, at, err));
    if (p.nomem) PH_TRY(ph_fail_nomem(err, n));
    out->blank = !before(&p, p.ntok - 1, &last);
    out->silent = !out->blank && is(&p, last, ";");
    out->depth = (int)p.depth;
done:
    ph_free(p.tok);
    ph_free(p.scope);
    if (st != PH_OK) ses_source_clear(out);
    return st;
}

void ses_source_clear(ses_source *s) {
    ph_free(s->text);
    ph_free(s->edits);
    *s = (ses_source){0};
}

size_t ses_source_offset(const ses_source *s, size_t out_offset) {
    size_t src = 0, out = 0; /* where the copied stretch before the next edit began */
    for (size_t i = 0; i < s->nedits; i++) {
        const ses_edit *e = &s->edits[i];
        if (out_offset < e->out_at) break;
        if (out_offset < e->out_at + e->out_len) return e->src_at;
        src = e->src_at + e->src_len;
        out = e->out_at + e->out_len;
    }
    return src + (out_offset - out);
}
