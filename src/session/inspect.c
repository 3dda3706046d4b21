/* inspect.c: what a name is: its help, or the kind and shape of its value. Runs nothing of the user's. */
#include <stdio.h>
#include <string.h>

#include "session/cursor.h"

static void describe_function(lua_State *L, char *buf, size_t cap, bool zh) {
    lua_Debug ar;
    lua_pushvalue(L, 1);
    lua_getinfo(L, ">Su", &ar);
    if (*ar.what == 'C') snprintf(buf, cap, zh ? "内置函数" : "a built-in function");
    else if (zh)
        snprintf(buf, cap, "函数，%d 个参数%s，定义在 %s:%d", ar.nparams, ar.isvararg ? "或更多" : "",
                 ar.short_src, ar.linedefined);
    else
        snprintf(buf, cap, "a function of %d argument%s%s, from %s:%d", ar.nparams,
                 ar.nparams == 1 ? "" : "s", ar.isvararg ? " or more" : "", ar.short_src, ar.linedefined);
}

static void describe_userdata(lua_State *L, char *buf, size_t cap, bool zh) {
    char shape[220];
    const char *name = NULL;
    const arr *a = bind_test_arr(L, 1);
    if (a && a->buf) {
        snprintf(buf, cap, zh ? "数组：%s %s" : "an array: %s %s", arr_dtype_name(a->dtype),
                 arr_shape_text(shape, sizeof shape, a));
        return;
    }
    if (lua_getmetatable(L, 1)) {
        lua_pushliteral(L, "__name");
        if (lua_rawget(L, -2) == LUA_TSTRING) name = lua_tostring(L, -1);
    }
    snprintf(buf, cap, zh ? "一个值，类型是 %.100s" : "a value of type %.100s", name ? name : "userdata");
}

static void describe_table(lua_State *L, char *buf, size_t cap, bool zh) {
    long long n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) n++;
    if (zh) snprintf(buf, cap, "表，%lld 项", n);
    else snprintf(buf, cap, "a table with %lld entr%s", n, n == 1 ? "y" : "ies");
}

static void describe_number(lua_State *L, char *buf, size_t cap, bool zh) {
    char digits[40];
    if (lua_isinteger(L, 1))
        snprintf(buf, cap, zh ? "整数 " LUA_INTEGER_FMT : "the integer " LUA_INTEGER_FMT,
                 (LUAI_UACINT)lua_tointeger(L, 1));
    else
        snprintf(buf, cap, zh ? "数 %s" : "the number %s",
                 arr_num_text(digits, sizeof digits, lua_tonumber(L, 1)));
}

/* Puts words for the value at 1 in its place, and nothing behind it. */
static void describe(lua_State *L) {
    char text[400];
    bool zh = ses_core_of(L)->zh;
    switch (lua_type(L, 1)) {
    case LUA_TFUNCTION: describe_function(L, text, sizeof text, zh); break;
    case LUA_TUSERDATA: describe_userdata(L, text, sizeof text, zh); break;
    case LUA_TTABLE: describe_table(L, text, sizeof text, zh); break;
    case LUA_TNUMBER: describe_number(L, text, sizeof text, zh); break;
    case LUA_TSTRING:
        snprintf(text, sizeof text, zh ? "字符串，%zu 字节" : "a string of %zu bytes",
                 (size_t)lua_rawlen(L, 1));
        break;
    case LUA_TBOOLEAN: snprintf(text, sizeof text, lua_toboolean(L, 1) ? "true" : "false"); break;
    default: snprintf(text, sizeof text, zh ? "%s" : "a %s", luaL_typename(L, 1));
    }
    lua_settop(L, 1);
    lua_pushstring(L, text);
}

static int describe_protected(lua_State *L) {
    describe(L);
    return 1;
}

void ses_describe(lua_State *L) {
    lua_pushcfunction(L, describe_protected);
    lua_insert(L, -2);
    lua_call(L, 1, 1);
}

/* The help row for a member of a class: "Array:copy" or "Array.shape", or "exp" for A:exp(). Pushes its text: true. */
static bool member_help(lua_State *L, const cursor *at, bool detail) {
    char name[200];
    bool found = false;
    if (!at->member || !ses_cursor_value(L, at, false)) return false;
    if (lua_isuserdata(L, -1) && lua_getmetatable(L, -1)) {
        lua_pushliteral(L, "__name");
        const char *cls = lua_rawget(L, -2) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        for (int i = 0; i < 2 && !found; i++) {
            snprintf(name, sizeof name, "%.60s%c%.*s", cls, ":."[i], (int)(at->end - at->start),
                     at -> text + at -> start);
            found = bind_help_text(L, name, detail, ses_core_of(L)->zh);
        }
        lua_pushliteral(L, "methods");
        if (!found && lua_rawget(L, -3) == LUA_TTABLE &&
            ses_cursor_raw(L, -1, at->text + at->start, at->end - at->start))
            found = bind_help_text(L, strchr(name, '.') + 1, detail, ses_core_of(L)->zh);
    }
    return found;
}

typedef struct {
    cursor at;
    bool detail, found;
    json_t *text;
} question;

static void answer(lua_State *L, question *q) {
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    q->text = ses_json_text(s, n);
    q->found = q->text != NULL;
}

/* Help for a plain name counts unless the user has given the name to something else. */
static bool is_own_name(lua_State *L, const cursor *at) {
    ses_push_globals(L);
    bool own = !at->member && ses_cursor_raw(L, -1, at->text + at->start, at->end - at->start);
    lua_settop(L, 1);
    return own;
}

static int look_up(lua_State *L) {
    question *q = lua_touserdata(L, 1);
    const cursor *at = &q->at;
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(at->end - at->start < 190 ? at->end - at->start : 190),
             at->text + at->start);
    if (member_help(L, at, q->detail)) {
        answer(L, q);
        return 0;
    }
    lua_settop(L, 1);
    if (!at->member && !is_own_name(L, at) && bind_help_text(L, name, q->detail, ses_core_of(L)->zh))
        answer(L, q);
    else if (ses_cursor_value(L, at, true)) {
        lua_replace(L, 1);
        lua_settop(L, 1);
        describe(L);
        answer(L, q);
    }
    return 0;
}

static void ask(ses_core *c, question *q) {
    if (q->at.opaque || q->at.start == q->at.end) return;
    lua_pushcfunction(c->L, look_up);
    lua_pushlightuserdata(c->L, q);
    lua_pcall(c->L, 1, 0, 0); /* out of memory: not found */
    lua_settop(c->L, 0);
}

void ses_inspect(ses_core *c, const json_t *request) {
    const json_t *code = json_object_get(request, "code");
    const char *text = json_string_value(code) ? json_string_value(code) : "";
    size_t n = json_string_length(code), pos = (size_t)json_integer_value(json_object_get(request, "pos"));
    const char *lang = json_string_value(json_object_get(request, "lang"));
    if (lang) c->zh = strcmp(lang, "zh") == 0;
    question q = {.detail = json_integer_value(json_object_get(request, "detail")) > 0};
    ses_cursor_find(&q.at, text, n, pos, true);
    if (!q.at.in_string && !q.at.in_comment) ask(c, &q);
    if (!q.found && ses_cursor_callee(&q.at, text, n, pos)) ask(c, &q);
    ses_emit(c, json_pack("{s:s, s:b, s:o}", "event", "reply", "found", q.found, "text",
                          q.text ? q.text : json_string("")));
    ses_emit_done(c, "ok");
}
