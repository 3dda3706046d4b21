/* owned.c: what C has allocated and Lua owns: userdata with finalizers, and texts.
 *
 * While a state closes, Lua calls finalizers and gives none to what they make, so that nobody would free it: nothing of ours is made then. To refuse
 * its memory would be too slow: after each refusal Lua collects everything, and 16,000 finalizers that made an array took 20 s. */
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

void bind_close(lua_State *L) {
    bind_state *s = bind_state_of(L);
    if (s) s->closing = true;
}

void *bind_new_finalized(lua_State *L, size_t size, int values) {
    if (bind_finalizing(L) && bind_state_of(L)->closing)
        bind_raisef(L, "the session is closing: nothing new can be made");
    return lua_newuserdatauv(L, size, values);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static int free_text(lua_State *L) {
    char **text = lua_touserdata(L, 1);
    ph_free(*text);
    *text = NULL;
    return 0;
}

void *bind_new_owner(lua_State *L, size_t size, const char *name, lua_CFunction gc) {
    bind_reserve(L, 6);
    void *owner = bind_new_finalized(L, size, 0);
    memset(owner, 0, size);
    if (luaL_newmetatable(L, name)) {
        lua_pushcfunction(L, gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return owner;
}

char **bind_new_text(lua_State *L) { return bind_new_owner(L, sizeof(char *), "phasor.text", free_text); }

int bind_push_text(lua_State *L, char **text, size_t n) {
    lua_pushlstring(L, *text, n);
    ph_free(*text);
    *text = NULL;
    return 1;
}

int bind_give_text(lua_State *L, char **text, ph_status st, const ph_err *err) {
    return st == PH_OK ? bind_push_text(L, text, strlen(*text)) : bind_raise(L, err);
}
