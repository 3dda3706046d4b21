/* keep.c: what the rooms above keep on disk through Lua: a text saved whole or not at all, and its fingerprint. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/sha256.h"
#include "session/core.h"

/* Makes the folders above a path, for this user only. */
static ph_status make_parents(const char *path, ph_err *err) {
    char *dir = ph_strdup(path);
    ph_status st = PH_OK;
    if (!dir) return ph_fail_nomem(err, strlen(path));
    for (char *s = dir + 1; st == PH_OK && (s = strchr(s, '/')); *s++ = '/') {
        *s = '\0';
        if (mkdir(dir, 0700) != 0 && errno != EEXIST)
            st = ph_fail(err, PH_EIO, "%s: cannot be made: %s", dir, strerror(errno));
    }
    ph_free(dir);
    return st;
}

static ph_status save(const char *path, const char *text, size_t n, ph_err *err) {
    ph_writer *w = NULL;
    ph_status st;
    PH_TRY(make_parents(path, err));
    PH_TRY(ph_writer_open(&w, path, err));
    PH_TRY(ph_writer_put(w, text, n, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    return st;
}

int ses_save(lua_State *L) {
    size_t n;
    const char *path = luaL_checkstring(L, 1), *text = luaL_checklstring(L, 2, &n);
    ph_err err;
    luaL_argcheck(L, *path, 1, "a path is wanted");
    if (save(path, text, n, &err) == PH_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    luaL_pushfail(L);
    lua_pushstring(L, err.text);
    return 2;
}

int ses_sha256(lua_State *L) {
    size_t n;
    char hex[PH_SHA256_HEX];
    const char *text = luaL_checklstring(L, 1, &n);
    ph_sha256_hex(hex, text, n);
    lua_pushstring(L, hex);
    return 1;
}
