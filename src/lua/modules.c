/* modules.c: require for the Lua files that travel inside the binary.
 *
 * Such a file says itself what it needs, so the files have arrows as the C files have, and the house test reads them. It runs among the
 * standard names, or, where a session has put an environment of its own into the registry, among those: what it prints goes the
 * session's way, and nothing that a student assigns reaches it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "lua/bind.h"
#include "lua/state.h"

static const embed_file *find_file(const char *path) {
    for (const embed_file *f = embed_files; f->path; f++)
        if (strcmp(f->path, path) == 0) return f;
    return NULL;
}

/* "phasor.lib.diff" -> src/lib/diff.lua, "phasor.course" -> src/course/init.lua, "phasor.ledger" -> lessons/ledger.lua */
static const embed_file *find_module(const char *name) {
    static const char *const places[] = {"src/%s.lua", "src/%s/init.lua", "lessons/%s.lua"};
    char inside[80], path[100];
    if (strncmp(name, "phasor.", 7) != 0 || strlen(name) - 7 >= sizeof inside) return NULL;
    strcpy(inside, name + 7);
    for (char *dot = inside; (dot = strchr(dot, '.')) != NULL;) *dot = '/';
    const embed_file *f = NULL;
    for (size_t k = 0; !f && k < sizeof places / sizeof *places; k++) {
        snprintf(path, sizeof path, places[k], inside);
        f = find_file(path);
    }
    return f;
}

/* Is it the Lua that compiled them that runs? It is asked by name, since in a module it is the one that opened the module. */
static const embed_code *find_code(const char *path) {
    const char *ident = dlsym(RTLD_DEFAULT, "lua_ident");
    if (!ident || strcmp(embed_compiler, ident) != 0) return NULL;
    for (const embed_code *c = embed_codes; c->path; c++)
        if (strcmp(c->path, path) == 0) return c;
    return NULL;
}

/* Pushes the file as a function: from code made by this very Lua, or from its text, which takes ten times as long. */
static void load(lua_State *L, const embed_file *f) {
    const embed_code *c = find_code(f->path);
    const char *chunk = lua_pushfstring(L, "=phasor:%s", f->path);
    int st = c ? luaL_loadbufferx(L, (const char *)c->code, c->length, chunk, "b")
               : luaL_loadbufferx(L, f->text, f->length, chunk, "t");
    if (st != LUA_OK) bind_rethrow(L);
    lua_remove(L, -2);
}

/* The searcher: name -> the file as a function; or why not */
static int search(lua_State *L) {
    const char *name = bind_check_text(L, 1);
    const embed_file *f = find_module(name);
    if (!f) {
        lua_pushfstring(L, "no file '%s' in phasor itself", name);
        return 1;
    }
    load(L, f);
    if (lua_getfield(L, LUA_REGISTRYINDEX, "phasor.clean") == LUA_TTABLE) lua_setupvalue(L, -2, 1);
    else lua_pop(L, 1);
    lua_pushstring(L, f->path);
    return 2;
}

/* embedded(folder) -> {{path=, text=}, ...}, the files in it */
static int embedded(lua_State *L) {
    const char *folder = bind_check_text(L, 1);
    lua_newtable(L);
    for (const embed_file *f = embed_files; f->path; f++) {
        if (strncmp(f->path, folder, strlen(folder)) != 0) continue;
        lua_createtable(L, 0, 2);
        lua_pushstring(L, f->path);
        lua_setfield(L, -2, "path");
        lua_pushlstring(L, f->text, f->length);
        lua_setfield(L, -2, "text");
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

void bind_open_modules(lua_State *L) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_LOADLIBNAME);
    lua_getfield(L, -1, "searchers");
    for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i >= 2; i--) { /* behind what package.preload has */
        lua_rawgeti(L, -1, i);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushcfunction(L, search);
    lua_rawseti(L, -2, 2);
    lua_pop(L, 3);
    lua_pushcfunction(L, embedded);
    bind_provide(L, "phasor.embedded");
}

void bind_require(lua_State *L, const char *name) {
    bind_reserve(L, 8);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_GNAME);
    lua_getfield(L, -1, "require");
    lua_replace(L, -3);
    lua_pop(L, 1);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

void bind_run(lua_State *L, const char *name) {
    bind_require(L, name);
    lua_pop(L, 1);
}

void bind_push_mime(lua_State *L, const char *name) {
    bind_require(L, "phasor.lib.mime");
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

void bind_push_told(lua_State *L, const char *message) {
    bind_require(L, "phasor.lib.faults");
    lua_getfield(L, -1, "told");
    lua_remove(L, -2);
    lua_pushstring(L, message);
    lua_call(L, 1, 1);
}

void bind_provide(lua_State *L, const char *name) {
    bind_reserve(L, 4);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_insert(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

void bind_withdraw(lua_State *L, const char *name) {
    lua_pushnil(L);
    bind_provide(L, name);
}
