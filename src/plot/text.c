/* text.c: titles and labels with a little TeX in them. */
#include "plot/text.h"

#include <string.h>

#include "base/symbols.h"
#include "base/utf8.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

typedef struct {
    const char *at;
    plt_on_piece *on;
    void *ctx;
} reader;

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void group(reader *r, plt_level level, bool upright);
static void item(reader *r, plt_level level, bool upright);

static bool is_font(const char *name, size_t n) {
    static const char *const fonts[] = {"mathrm", "text", "operatorname", "mathbf", "mathsf"};
    for (size_t i = 0; i < sizeof fonts / sizeof *fonts; i++)
        if (strlen(fonts[i]) == n && memcmp(fonts[i], name, n) == 0) return true;
    return false;
}

/* \name at the cursor, behind the backslash. */
static void command(reader *r, plt_level level) {
    size_t n = 0;
    while (letter(r->at[n])) n++;
    if (n == 0 && r->at[0]) n = 1;
    const char *name = r->at;
    const ph_symbol *known = ph_find_symbol(name, n);
    const char *text = known ? known->character : NULL;
    bool words = is_font(name, n) && name[n] == '{';
    r->at += n;
    if (n == 4 && strncmp(name, "frac", 4) == 0) { /* a/b */
        item(r, level, false);
        r->on(r->ctx, "/", 1, level, false);
        item(r, level, false);
        return;
    }
    if (words) { /* \mathrm{…} */
        r->at++;
        group(r, level, true);
        return;
    }
    if (!text) r->on(r->ctx, name, n, level, false);
    else if (*text) r->on(r->ctx, text, strlen(text), level, false);
    static const char *const tight[] = {"⟨", "√", "∂", "∇", "·"};
    bool opens = false;
    for (size_t k = 0; text && k < sizeof tight / sizeof *tight; k++) opens |= strcmp(text, tight[k]) == 0;
    while (opens && *r->at == ' ') r->at++;
}

/* One thing of a formula: a group, a command or a character. */
static void item(reader *r, plt_level level, bool upright) {
    if (!*r->at || *r->at == '$') return;
    if (*r->at == '{') {
        r->at++;
        group(r, level, upright);
    } else if (*r->at == '\\') {
        r->at++;
        command(r, level);
    } else if (*r->at == '-') {
        r->at++;
        r->on(r->ctx, "−", strlen("−"), level, false);
    } else {
        ph_utf8 u = ph_utf8_decode(r->at, strlen(r->at));
        r->on(r->ctx, r->at, (size_t)u.bytes, level, !upright && letter(*r->at));
        r->at += u.bytes;
    }
}

/* Until the brace that closes, the $ that ends the formula, or the end. */
static void group(reader *r, plt_level level, bool upright) {
    while (*r->at && *r->at != '$') {
        if (*r->at == '}') {
            r->at++;
            return;
        }
        if ((*r->at == '_' || *r->at == '^') && r->at[1] && r->at[1] != '$') {
            plt_level to = *r->at == '_' ? PLT_SUB : PLT_SUPER;
            r->at++;
            item(r, level == PLT_BASE ? to : level, upright);
        } else item(r, level, upright);
    }
}

void plt_pieces(const char *text, plt_on_piece *on, void *ctx) {
    reader r = {text, on, ctx};
    while (*r.at) {
        const char *open = strchr(r.at, '$');
        if (!open || !strchr(open + 1, '$')) { /* a lone $ is a $ */
            on(ctx, r.at, strlen(r.at), PLT_BASE, false);
            return;
        }
        if (open > r.at) on(ctx, r.at, (size_t)(open - r.at), PLT_BASE, false);
        r.at = open + 1;
        while (*r.at && *r.at != '$') group(&r, PLT_BASE, false);
        if (*r.at) r.at++;
    }
}

/* ---- plain text ---------------------------------------------------------------------------------------- */

/* The pieces of one level in a row, gathered until the level changes. */
typedef struct {
    ph_text *out, part;
    plt_level level;
    bool unicode;
} plain;

static const struct {
    uint32_t rune;
    const char *text;
} ascii[] = {
    {0x2212, "-"},   {0x2013, "-"},    {0xD7, "x"},    {0xB7, "*"},     {0x27E8, "<"},
    {0x27E9, ">"},   {0x2264, "<="},   {0x2265, ">="}, {0x2260, "!="},  {0x2192, "->"},
    {0x221E, "inf"}, {0x221A, "sqrt"}, {0x2016, "||"}, {0x2026, "..."}, {0x2208, "in"},
    {0xB1, "+-"},    {0x2032, "'"},    {0x22A4, "T"},  {0x2248, "~"},
};

static void put_ascii(ph_text *b, const char *s, size_t n) {
    for (size_t i = 0; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        const char *name = NULL;
        for (size_t k = 0; !name && k < sizeof ascii / sizeof *ascii; k++)
            if (ascii[k].rune == u.rune) name = ascii[k].text;
        const ph_symbol *known = u.bytes > 1 && !name ? ph_symbol_of(s + i, (size_t)u.bytes) : NULL;
        if (known) name = known->name;
        if (u.bytes == 1) ph_put(b, s + i, 1);
        else ph_puts(b, name ? name : "?");
        i += (size_t)u.bytes;
    }
}

static void end_part(plain *p) {
    const char *s = p->part.s;
    size_t n = p->part.n;
    if (n == 0) return;
    ph_text moved = {0};
    bool all = p->level != PLT_BASE && p->unicode;
    for (size_t i = 0; all && i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        const char *to = ph_script(s + i, (size_t)u.bytes, p->level == PLT_SUB ? '_' : '^');
        if (to) ph_puts(&moved, to);
        else all = false;
        i += (size_t)u.bytes;
    }
    if (all) ph_put(p->out, moved.s ? moved.s : "", moved.n);
    else {
        bool many = p->level != PLT_BASE && ph_utf8_count(s, n) > 1;
        if (p->level != PLT_BASE) ph_puts(p->out, p->level == PLT_SUB ? "_" : "^");
        if (many) ph_puts(p->out, "(");
        if (p->unicode) ph_put(p->out, s, n);
        else put_ascii(p->out, s, n);
        if (many) ph_puts(p->out, ")");
    }
    p->out->failed |= p->part.failed || moved.failed;
    ph_free(moved.s);
    p->part.n = 0;
}

static void on_plain(void *ctx, const char *s, size_t n, plt_level level, bool italic) {
    (void)italic;
    plain *p = ctx;
    if (level != p->level) end_part(p);
    p->level = level;
    ph_put(&p->part, s, n);
}

void plt_plain(ph_text *b, const char *text, bool unicode) {
    plain p = {.out = b, .unicode = unicode};
    plt_pieces(text, on_plain, &p);
    end_part(&p);
    ph_free(p.part.s);
}

static void on_width(void *ctx, const char *s, size_t n, plt_level level, bool italic) {
    (void)italic;
    double em = 0;
    for (size_t i = 0; i < n;) {
        ph_utf8 u = ph_utf8_decode(s + i, n - i);
        em += u.rune < 128 && strchr("ijlI.,:;'|!()[] ", (int)u.rune) ? 0.34
              : u.rune < 128 && strchr("mwMW", (int)u.rune)           ? 0.9
                                                                      : 0.6 * ph_rune_width(u.rune);
        i += (size_t)u.bytes;
    }
    *(double *)ctx += level == PLT_BASE ? em : 0.72 * em;
}

double plt_width(const char *text) {
    double em = 0;
    plt_pieces(text, on_width, &em);
    return em;
}
