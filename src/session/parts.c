/* parts.c: see parts.h. */
#include "session/parts.h"

#include <string.h>

#include "session/lex.h"

/* ---- where a part may end ------------------------------------------------------------------------------ */

static int opens(const char *text, const lex_token *t) {
    static const char *const in[] = {"function", "do", "if", "repeat", "(", "[", "{"};
    static const char *const out[] = {"end", "until", ")", "]", "}"};
    if (t->kind != LEX_KEYWORD && t->kind != LEX_OP) return 0;
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (ses_lex_is(text, t, in[i])) return 1;
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        if (ses_lex_is(text, t, out[i])) return -1;
    return 0;
}

/* Could no statement go on with this token behind a value? */
static bool begins(const char *text, const lex_token *t) {
    static const char *const others[] = {"and", "or", "in", "then", "do", "end", "else", "elseif", "until"};
    if (t->kind == LEX_NAME || t->kind == LEX_NUMBER || ses_lex_is(text, t, "#")) return true;
    if (t->kind != LEX_KEYWORD) return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ses_lex_is(text, t, others[i])) return false;
    return true;
}

/* A `return` outside every function would end a part and not the input, and what is to be closed would be closed too early. */
static bool can_be_divided(const ses_source *src) {
    lex_state lx = {src->text, src->length, 0, false};
    lex_token t, last = {0};
    int depth = 0, function = 0; /* the depth at which the outermost function stands */
    for (ses_lex(&lx, &t); t.kind != LEX_END; last = t, ses_lex(&lx, &t)) {
        depth += opens(src->text, &t);
        if (!function && t.kind == LEX_KEYWORD && ses_lex_is(src->text, &t, "function")) function = depth;
        if (function && depth < function) function = 0;
        if (!function && depth > 0 && t.kind == LEX_KEYWORD && ses_lex_is(src->text, &t, "return"))
            return false;
        if (last.kind == LEX_OP && ses_lex_is(src->text, &last, "<") && ses_lex_is(src->text, &t, "close"))
            return false;
    }
    return true;
}

typedef struct {
    lex_state lx;
    lex_token next; /* the first of the part that follows */
    int depth;
} divider;

/* Moves on to the next place where a part may end; returns it. */
static size_t next_end(divider *d) {
    const char *text = d->lx.text;
    for (;;) {
        lex_token t = d->next;
        if (t.kind == LEX_END) return d->lx.n;
        d->depth += opens(text, &t);
        do ses_lex(&d->lx, &d->next);
        while (d->next.kind == LEX_COMMENT || d->next.kind == LEX_SPACE);
        if (d->depth > 0) continue;
        size_t end = t.at + t.len;
        if (t.kind == LEX_OP && ses_lex_is(text, &t, ";")) return end;
        if (d->next.kind == LEX_END) return d->lx.n;
        if (memchr(text + end, '\n', d->next.at - end) && begins(text, &d->next)) return end;
    }
}

/* ---- reading one --------------------------------------------------------------------------------------- */

/* What lua_load reads: as many line breaks as stand before the part, so that lines keep their numbers; `return `; the part. */
typedef struct {
    size_t lines, n;
    const char *prefix, *text;
} feed;

static const char *reader(lua_State *L, void *data, size_t *size) {
    (void)L;
    feed *f = data;
    const char *s = f->lines ? "\n" : f->prefix ? f->prefix : f->text;
    if (f->lines) *size = 1, f->lines--;
    else if (f->prefix) *size = strlen(s), f->prefix = NULL;
    else *size = f->n, f->n = 0;
    return s;
}

/* Pushes the function of a part: true; or nothing. A call has a value at the end and is a statement before it. */
static bool load(lua_State *L, const ses_source *src, size_t from, size_t to, const char *name) {
    static const char *const prefixes[] = {"return ", NULL, "return "};
    size_t lines = 0;
    int first = to < src->length;
    for (size_t i = 0; i < from; i++) lines += src->text[i] == '\n';
    for (int i = first; i < first + 2; i++) {
        feed f = {lines, to - from, prefixes[i], src->text + from};
        if (lua_load(L, reader, &f, name, "t") == LUA_OK) return true;
        lua_pop(L, 1);
    }
    return false;
}

static int run_parts(lua_State *L);

typedef struct {
    const ses_source *src;
    const char *name;
    size_t rest;
} reading;

/* Returns a function that runs the parts, and the function of the first; or nothing. */
static int read_parts(lua_State *L) {
    reading *r = lua_touserdata(L, 1);
    divider d = {.lx = {r->src->text, r->src->length, 0, false}};
    size_t end = 0;
    lua_newtable(L);
    for (ses_lex(&d.lx, &d.next); end < r->src->length;) {
        end = next_end(&d);
        if (!load(L, r->src, r->rest, end, r->name)) continue;
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
        r->rest = end;
    }
    if (r->rest < r->src->length) return 0;
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, run_parts, 1);
    lua_rawgeti(L, -2, 1);
    return 2;
}

bool ses_parts(lua_State *L, const ses_source *src, const char *name, size_t *rest) {
    reading r = {src, name, 0};
    *rest = 0;
    if (!can_be_divided(src)) return false;
    lua_pushcfunction(L, read_parts);
    lua_pushlightuserdata(L, &r);
    int st = lua_pcall(L, 1, 2, 0); /* no memory: not divided */
    *rest = r.rest;
    if (st == LUA_OK && lua_isfunction(L, -1)) return true;
    lua_pop(L, st == LUA_OK ? 2 : 1);
    return false;
}

/* ---- running them -------------------------------------------------------------------------------------- */

static int run_parts(lua_State *L) {
    lua_Integer n = (lua_Integer)lua_rawlen(L, lua_upvalueindex(1));
    for (lua_Integer i = 1; i <= n; i++) {
        lua_settop(L, 0);
        lua_rawgeti(L, lua_upvalueindex(1), i);
        lua_call(L, 0, LUA_MULTRET);
        if (i < n) ses_show(L);
    }
    return lua_gettop(L);
}
