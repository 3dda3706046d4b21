/* finished.c: whether an input is finished. It runs no line of the user's: Lua only compiles. */
#include <string.h>

#include "session/lex.h"
#include "session/parts.h"

static bool ends_with(const char *s, const char *end) {
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Does Lua stop only because the text ends here? Exception: `x = 1; x` could go on as an assignment, but whoever types it
 * wants to see x, so outside every block it is an error at once (Lua says "syntax error" for a statement so begun). */
static bool wants_more(const char *message, int depth) {
    return ends_with(message, "<eof>") && !(depth == 0 && ends_with(message, ": syntax error near <eof>"));
}

static const char *judge_text(lua_State *L, const ses_source *s, size_t from) {
    static const char *const prefix[] = {"return ", ""};
    const char *verdict = "invalid";
    for (int i = 0; i < 2 && strcmp(verdict, "complete") != 0; i++) {
        lua_pushfstring(L, "%s%s", prefix[i], s->text + from);
        size_t n;
        const char *text = lua_tolstring(L, -1, &n);
        if (luaL_loadbufferx(L, text, n, "=input", "t") == LUA_OK) verdict = "complete";
        else if (lua_type(L, -1) == LUA_TSTRING && wants_more(lua_tostring(L, -1), s->depth) &&
                 !ses_slipped(text, n))
            verdict = "incomplete";
        lua_pop(L, 2);
    }
    return verdict;
}

/* Of several statements and values, the first that cannot be read is judged. */
static const char *judge(lua_State *L, const ses_source *s) {
    size_t rest;
    const char *verdict = judge_text(L, s, 0);
    if (strcmp(verdict, "invalid") != 0) return verdict;
    if (!ses_parts(L, s, "=input", &rest)) return judge_text(L, s, rest);
    lua_pop(L, 2);
    return "complete";
}

typedef struct {
    const ses_source *source;
    const char *verdict;
} judgement;

static int judge_protected(lua_State *L) {
    judgement *j = lua_touserdata(L, 1);
    j->verdict = judge(L, j->source);
    return 0;
}

void ses_is_complete(ses_core *c, const json_t *request) {
    const json_t *code = json_object_get(request, "code");
    const char *text = json_string_value(code);
    judgement j = {NULL, "invalid"};
    ses_source s;
    ph_err err;
    size_t at;
    char indent[64] = "";
    if (text && ses_prepass(&s, text, json_string_length(code), SES_HOIST, &at, &err) == PH_OK) {
        j.source = &s;
        if (!s.open_quote) {
            lua_pushcfunction(c->L, judge_protected);
            lua_pushlightuserdata(c->L, &j);
            lua_pcall(c->L, 1, 0, 0);
            lua_settop(c->L, 0);
        }
        int width = s.depth < 30 ? 2 * s.depth : 60;
        memset(indent, ' ', (size_t)width);
        indent[width] = 0;
        ses_source_clear(&s);
    }
    ses_emit(c, json_pack("{s:s, s:s, s:s}", "event", "reply", "status", j.verdict, "indent", indent));
    ses_emit_done(c, "ok");
}
