/* lab.h: a laboratory for tests. A test is a small Lua program with its expectation beside it. */
#ifndef PH_TEST_LAB_H
#define PH_TEST_LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "furnish.h"
#include "lua/bind.h"

typedef struct {
    const char *code,
        *wanted; /* code may be "@NAME" (fixture.h); wanted: what a prompt shows, or "error: MESSAGE"; chunks are named "t" */
} lab_case;

static inline lua_State *lab_open(void) {
    lua_State *L = luaL_newstate();
    assert_non_null(L);
    return lab_furnish(L);
}

/* A laboratory whose Lua may be refused memory: growth, once the limit is used up; giving back never is, as Lua expects, nor is
 * a finalizer, as in a session (session/memory.c). */
typedef struct {
    long left; /* allocations still granted; negative: no limit */
    lua_State *L;
} lab_limit;

static inline void *lab_limited(void *ud, void *p, size_t old, size_t size) {
    lab_limit *l = ud;
    if (size == 0) {
        free(p);
        return NULL;
    }
    if (l->left >= 0 && (!p || size > old) && !(l->L && bind_finalizing(l->L))) {
        if (l->left == 0) return NULL;
        l->left--;
    }
    return realloc(p, size);
}

static inline lua_State *lab_open_limited(lab_limit *l) {
    *l = (lab_limit){.left = -1};
    l->L = lua_newstate(lab_limited, l);
    assert_non_null(l->L);
    return lab_furnish(l->L);
}

/* Bytes of arrays that are alive behind a collection of all that stands above the first value; what the first one finalizes, the second
 * frees. */
static inline size_t lab_live(lua_State *L) {
    lua_settop(L, 1);
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    return ph_block_live();
}

/* Loads code as an expression, else as statements. */
static inline int lab_load(lua_State *L, const char *code) {
    code = fixture(code);
    lua_pushfstring(L, "return %s", code);
    if (luaL_loadbufferx(L, lua_tostring(L, -1), lua_rawlen(L, -1), "=t", "t") == LUA_OK) {
        lua_remove(L, -2);
        return LUA_OK;
    }
    lua_pop(L, 2);
    return luaL_loadbufferx(L, code, strlen(code), "=t", "t");
}

/* Runs code; pushes what a prompt would show: the values, with tabs between, or "error: message". */
static inline const char *lab_eval(lua_State *L, const char *code) {
    int top = lua_gettop(L);
    if (lab_load(L, code) != LUA_OK || lua_pcall(L, 0, LUA_MULTRET, 0) != LUA_OK) {
        lua_pushfstring(L, "error: %s", luaL_tolstring(L, -1, NULL));
    } else {
        int n = lua_gettop(L) - top;
        luaL_Buffer b;
        lua_newtable(L);
        for (int k = 1; k <= n; k++) {
            bind_display(L, top + k);
            lua_rawseti(L, top + n + 1, k);
        }
        luaL_buffinit(L, &b);
        for (int k = 1; k <= n; k++) {
            if (k > 1) luaL_addchar(&b, '\t');
            lua_rawgeti(L, top + n + 1, k);
            luaL_addvalue(&b);
        }
        luaL_pushresult(&b);
    }
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
    return lua_tostring(L, top + 1);
}

/* Runs the cases one after another. */
static inline void lab_run_in(lua_State *L, const lab_case *cases) {
    int wrong = 0;
    for (const lab_case *c = cases; c->code; c++) {
        const char *got = lab_eval(L, c->code);
        if (strcmp(got, c->wanted) != 0) {
            print_error("%s\n  gave   %s\n  wanted %s\n", c->code, got, c->wanted);
            wrong++;
        }
        lua_settop(L, 0);
    }
    assert_int_equal(wrong, 0);
}

/* The same in a laboratory of their own. */
static inline void lab_run(const lab_case *cases) {
    lua_State *L = lab_open();
    lab_run_in(L, cases);
    lua_close(L);
}

#endif
