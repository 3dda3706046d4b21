/* interrupt.c: stopping Lua from outside, wherever it is.
 *
 * A signal handler may do two things to Lua: set a flag and set a debug hook (lua_sethook writes a few fields and is made
 * for that). A hook belongs to one coroutine, so this file keeps track of which one runs, by its own resume, wrap and
 * close. The hook raises at every instruction until the cell has ended: code that catches the error gets it again.
 * Not reached: C code that neither polls ph_interrupted() nor returns to Lua, and finalizers (Lua runs them without
 * hooks). For these the worker is killed, in-process the second interrupt ends the process.
 *
 * Exception to "no global mutable state": a signal handler has no argument. One cell runs at a time in a process.
 */
#include "session/core.h"

static lua_State *volatile current; /* the coroutine that runs; NULL between cells */
static volatile sig_atomic_t stop;

static void hook(lua_State *L, lua_Debug *ar) {
    (void)ar;
    if (stop == SES_RUN) { /* left over in a coroutine of an earlier cell */
        lua_sethook(L, NULL, 0, 0);
        return;
    }
    lua_pushstring(L, stop == SES_EXITING ? "exit" : "interrupted");
    lua_error(L);
}

static void arm(lua_State *L) { lua_sethook(L, hook, LUA_MASKCALL | LUA_MASKCOUNT, 1); }

void ses_stop(int why) {
    lua_State *L = current;
    if (!L) return;
    if (stop == SES_RUN) stop = why;
    if (why == SES_INTERRUPTED) ph_interrupt_flag = 1;
    arm(L);
}

int ses_stopping(void) { return stop; }

void ses_cell_begins(lua_State *L) {
    ph_interrupt_flag = 0;
    stop = SES_RUN;
    current = L;
}

int ses_cell_ends(lua_State *L) {
    current = NULL;
    int why = stop;
    stop = SES_RUN;
    ph_interrupt_flag = 0;
    lua_sethook(L, NULL, 0, 0);
    return why;
}

bool ses_caught(void *core) {
    if (stop != SES_INTERRUPTED || !current) return false;
    stop = SES_RUN;
    ph_interrupt_flag = 0;
    lua_sethook(current, NULL, 0, 0);
    ses_emit(core, json_pack("{s:s}", "event", "caught"));
    return true;
}

/* ---- coroutines ---------------------------------------------------------------------------------------- */

static void enter(lua_State *co) {
    current = co;
    if (stop != SES_RUN) arm(co);
}

static void leave(lua_State *L) {
    current = L;
    if (stop != SES_RUN) arm(L);
}

static lua_State *check_coroutine(lua_State *L) {
    lua_State *co = lua_tothread(L, 1);
    luaL_argexpected(L, co, 1, "coroutine");
    return co;
}

/* Moves narg arguments over and runs co. Returns the number of values moved back, or -1 with the error moved back. */
static int run(lua_State *L, lua_State *co, int narg) {
    int nres = 0;
    if (!lua_checkstack(co, narg)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_xmove(L, co, narg);
    enter(co);
    int status = lua_resume(co, L, narg, &nres);
    leave(L);
    if (status != LUA_OK && status != LUA_YIELD) {
        lua_xmove(co, L, 1);
        bind_users_place(L, co, 0);
        return -1;
    }
    if (!lua_checkstack(L, nres + 1)) {
        lua_pop(co, nres);
        lua_pushliteral(L, "too many results to resume");
        return -1;
    }
    lua_xmove(co, L, nres);
    return nres;
}

static int co_resume(lua_State *L) {
    lua_State *co = check_coroutine(L);
    int n = run(L, co, lua_gettop(L) - 1);
    if (n < 0) ses_demangle_top(L);
    lua_pushboolean(L, n >= 0);
    lua_insert(L, n >= 0 ? -(n + 1) : -2);
    return n >= 0 ? n + 1 : 2;
}

/* Unlike the stock function, no second position is put in front of an error that already carries one. */
static int call_wrapped(lua_State *L) {
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    int n = run(L, co, lua_gettop(L));
    if (n >= 0) return n;
    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD) { /* died: close what it left to be closed */
        lua_pushvalue(L, -1);
        lua_xmove(L, co, 1); /* the error that this closing may replace */
        enter(co);
        status = lua_resetthread(co);
        leave(L);
        if (status != LUA_OK) lua_xmove(co, L, 1); /* the error of a closing, or the original one */
    }
    return lua_error(L);
}

static int co_wrap(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    lua_pushcclosure(L, call_wrapped, 1);
    return 1;
}

static bool can_close(lua_State *L, lua_State *co) {
    lua_Debug ar;
    if (L == co) return false;
    int status = lua_status(co);
    if (status == LUA_OK) return lua_getstack(co, 0, &ar) == 0; /* a frame: it has resumed another one */
    return true;
}

static int co_close(lua_State *L) {
    lua_State *co = check_coroutine(L);
    if (!can_close(L, co)) return luaL_error(L, "cannot close a running coroutine");
    enter(co);
    int status = lua_resetthread(co);
    leave(L);
    lua_pushboolean(L, status == LUA_OK);
    if (status == LUA_OK) return 1;
    lua_xmove(co, L, 1);
    ses_demangle_top(L);
    return 2;
}

void ses_coroutines_open(lua_State *L) {
    static const luaL_Reg own[] = {
        {"resume", co_resume}, {"wrap", co_wrap}, {"close", co_close}, {NULL, NULL}};
    luaL_requiref(L, LUA_COLIBNAME, luaopen_coroutine, 0);
    luaL_setfuncs(L, own, 0);
    lua_pop(L, 1);
}
