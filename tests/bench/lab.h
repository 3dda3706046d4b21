/* lab.h: the laboratory in Lua for programs that measure it. What cannot be run ends the program, which says why. */
#ifndef PH_BENCH_LAB_H
#define PH_BENCH_LAB_H

#include <stdio.h>
#include <stdlib.h>

#include "../fixture.h"
#include "../furnish.h"

/* failed: what Lua returned; 0: nothing failed. */
static inline void lab_need(lua_State *L, const char *what, int failed) {
    if (!failed) return;
    fprintf(stderr, "%s: %s\n", what, lua_tostring(L, -1));
    exit(1);
}

static inline lua_State *lab_new(void) {
    lua_State *L = luaL_newstate();
    if (!L) exit(1);
    return lab_furnish(L);
}

/* Runs the program that "@NAME" stands for (fixture.h). */
static inline void lab_do(lua_State *L, const char *program) {
    lab_need(L, program, luaL_dostring(L, fixture(program)));
}

/* Calls a global without arguments. */
static inline void lab_call(lua_State *L, const char *name) {
    lua_getglobal(L, name);
    lab_need(L, name, lua_pcall(L, 0, 0, 0));
}

#endif
