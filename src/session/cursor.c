/* cursor.c: see cursor.h. */
#include "session/cursor.h"

#include <string.h>

#include "session/lex.h"

#define TOKENS                                                                                               \
    64 /* a path and the call around it are near the cursor; what is further away is not looked at */

/* The last tokens that begin before pos, newest last, without comments; *last may be a comment. */
typedef struct {
    lex_token tok[TOKENS];
    int n;
    lex_token last;
} tail;

static void read_tail(tail *t, const char *text, size_t n, size_t pos) {
    lex_state lx = {text, n, 0, false};
    lex_token k;
    *t = (tail){0};
    for (;;) {
        ses_lex(&lx, &k);
        if (k.kind == LEX_END || k.at >= pos) return;
        t->last = k;
        if (k.kind == LEX_COMMENT || k.kind == LEX_SPACE) continue;
        if (t->n == TOKENS) memmove(t->tok, t->tok + 1, sizeof *t->tok * (size_t)--t->n);
        t->tok[t->n++] = k;
    }
}

static bool is_op(const char *text, const lex_token *k, const char *what) {
    return k->kind == LEX_OP && ses_lex_is(text, k, what);
}

/* Reads the path that ends before token i (a '.' or ':') from right to left. */
static void read_path(cursor *c, const tail *t, int i) {
    int first = i;
    c->member = true;
    for (;;) {
        if (first == 0 || t->tok[first - 1].kind != LEX_NAME) {
            c->opaque = true;
            return;
        }
        first--;
        if (first == 0 ||
            !(is_op(c->text, &t->tok[first - 1], ".") || is_op(c->text, &t->tok[first - 1], ":")))
            break;
        first--;
    }
    for (; first < i; first += 2) {
        if (c->depth == CURSOR_PATH) {
            c->opaque = true;
            return;
        }
        c->path[c->depth].at = t->tok[first].at;
        c->path[c->depth++].len = t->tok[first].len;
    }
}

static void at_token(cursor *c, const tail *t, int i) {
    c->start = t->tok[i].at;
    c->end = t->tok[i].at + t->tok[i].len;
    if (i > 0 && (is_op(c->text, &t->tok[i - 1], ".") || is_op(c->text, &t->tok[i - 1], ":")))
        read_path(c, t, i - 1);
}

static bool is_word(const lex_token *k) { return k->kind == LEX_NAME || k->kind == LEX_KEYWORD; }

void ses_cursor_find(cursor *c, const char *text, size_t n, size_t pos, bool whole) {
    tail t;
    if (pos > n) pos = n;
    *c = (cursor){.text = text, .n = n, .start = pos, .end = pos};
    read_tail(&t, text, n, whole && pos < n ? pos + 1 : pos);
    const lex_token *last = &t.last;
    size_t end = last->at + last->len;
    bool inside = end > pos || last->open;
    if (last->kind == LEX_STRING && (inside || last->open)) c->in_string = true;
    bool to_line_end = last->kind == LEX_COMMENT && end == pos && end < n + 1 &&
                       (pos == n || text[pos] == '\n' || text[pos] == '\r');
    if (last->kind == LEX_COMMENT && (inside || to_line_end)) c->in_comment = true;
    if (c->in_string || c->in_comment || t.n == 0) return;
    lex_token *k = &t.tok[t.n - 1];
    if (is_word(k) && k->at + k->len >= pos) {
        at_token(c, &t, t.n - 1);
        if (!whole) c->end = pos;
    } else if (whole && t.n > 1 && is_word(&t.tok[t.n - 2]) && t.tok[t.n - 2].at + t.tok[t.n - 2].len == pos)
        at_token(c, &t, t.n - 2); /* the cursor stands just behind a name and on what follows it */
    else if (is_op(text, k, ".") || is_op(text, k, ":")) read_path(c, &t, t.n - 1);
}

bool ses_cursor_callee(cursor *c, const char *text, size_t n, size_t pos) {
    tail t;
    int closed = 0;
    *c = (cursor){.text = text, .n = n, .start = pos, .end = pos};
    read_tail(&t, text, n, pos);
    for (int i = t.n - 1; i > 0; i--) {
        if (is_op(text, &t.tok[i], ")")) closed++;
        if (!is_op(text, &t.tok[i], "(") || closed-- > 0) continue;
        closed = 0;
        if (t.tok[i - 1].kind != LEX_NAME) continue;
        at_token(c, &t, i - 1);
        return !c->opaque;
    }
    return false;
}

/* ---- values -------------------------------------------------------------------------------------------- */

bool ses_cursor_raw(lua_State *L, int i, const char *name, size_t n) {
    i = lua_absindex(L, i);
    lua_pushlstring(L, name, n);
    if (lua_rawget(L, i) != LUA_TNIL) return true;
    lua_pop(L, 1);
    char *m = ses_mangle(name, n);
    if (!m) return false;
    lua_pushstring(L, m);
    ph_free(m);
    if (lua_rawget(L, i) != LUA_TNIL) return true;
    lua_pop(L, 1);
    return false;
}

bool ses_cursor_behind(lua_State *L) {
    if (lua_getmetatable(L, -1)) {
        lua_pushliteral(L, "__index");
        bool table = lua_rawget(L, -2) == LUA_TTABLE;
        lua_replace(L, -3);
        lua_pop(L, 1);
        if (table) return true;
    }
    lua_pop(L, 1);
    return false;
}

/* Replaces the value on top by its member: true; or pops it. */
static bool member(lua_State *L, const char *name, size_t n) {
    if (lua_type(L, -1) != LUA_TTABLE) {
        lua_pop(L, 1);
        return false;
    }
    for (int hops = 0; hops < 16; hops++) {
        if (ses_cursor_raw(L, -1, name, n)) {
            lua_remove(L, -2);
            return true;
        }
        if (!ses_cursor_behind(L)) return false;
    }
    lua_pop(L, 1);
    return false;
}

bool ses_cursor_value(lua_State *L, const cursor *c, bool last) {
    if (c->opaque || (last && c->start == c->end)) return false;
    ses_push_globals(L);
    for (int i = 0; i < c->depth; i++)
        if (!member(L, c->text + c->path[i].at, c->path[i].len)) return false;
    return !last || member(L, c->text + c->start, c->end - c->start);
}
