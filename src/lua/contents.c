/* contents.c: the one door through which the laboratory's own Lua reads texts from disk: regular files only, since a pipe or a device that
 * somebody put in a file's place would be waited for.
 */
#include <string.h>

#include "base/file.h"
#include "lua/bind.h"
#include "lua/state.h"

#define MOST ((uint64_t)16 << 20) /* a lesson or a hand-in is a hundredth of that */

/* A file's text in a userdata at the top of the stack, *n bytes; NULL: the file cannot be read. May raise. */
static const char *push_contents(lua_State *L, const char *path, uint64_t most, size_t *n, ph_err *err) {
    ph_file f = PH_FILE_NONE;
    char *text = NULL;
    if (ph_file_open(&f, path, err) != PH_OK) return NULL;
    bool fits = f.size <= most;
    *n = (size_t)f.size;
    ph_file_close(&f); /* what follows may raise: nothing is held */
    if (!fits) {
        (void)!ph_fail(err, PH_EARG, "%s: %llu bytes; at most %llu are read", path,
                       (unsigned long long)f.size, (unsigned long long)most);
        return NULL;
    }
    text = lua_newuserdatauv(L, *n + 1, 0);
    bool read = ph_file_open(&f, path, err) == PH_OK && ph_file_read(&f, text, *n, 0, err) == PH_OK;
    ph_file_close(&f);
    return read ? text : NULL;
}

static const char *check_path(lua_State *L, ph_err *err) {
    size_t n;
    if (lua_type(L, 1) != LUA_TSTRING) bind_raise_arg(L, 1, "contents", "the file", "a path");
    const char *path = lua_tolstring(L, 1, &n);
    if (strlen(path) == n) return path;
    (void)!ph_fail(err, PH_EARG, "the file's name holds a NUL");
    return NULL;
}

int bind_contents(lua_State *L) {
    size_t n;
    ph_err err;
    lua_Integer most = lua_isinteger(L, 2) ? lua_tointeger(L, 2) : (lua_Integer)MOST;
    const char *path = check_path(L, &err), *text = NULL;
    if (path) text = push_contents(L, path, (uint64_t)most, &n, &err);
    if (text) {
        lua_pushlstring(L, text, n);
        return 1;
    }
    luaL_pushfail(L);
    lua_pushstring(L, err.text);
    lua_pushboolean(L, path && *path && ph_file_missing(path));
    return 3;
}

int bind_writable(lua_State *L) {
    ph_err err;
    ph_writer *w = NULL;
    const char *path = check_path(L, &err);
    bool can = path && ph_writer_open(&w, path, &err) == PH_OK;
    ph_writer_drop(&w);
    lua_pushboolean(L, can);
    if (can) return 1;
    lua_pushstring(L, err.text);
    return 2;
}
