/* disk.c: what the rooms above keep on disk through Lua: a text saved whole or not at all, and its fingerprint. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha256.h"
#include "session/core.h"

static ph_status save(const char *path, const char *text, size_t n, unsigned folders, bool runnable,
                      ph_err *err) {
    ph_writer *w = NULL;
    ph_status st;
    PH_TRY(ph_file_make_parents(path, folders, err));
    PH_TRY(ph_writer_open(&w, path, err));
    PH_TRY(ph_writer_put(w, text, n, err));
    if (runnable) PH_TRY(ph_writer_runnable(w, err));
    st = ph_writer_commit(&w, err);
done:
    ph_writer_drop(&w);
    return st;
}

int ses_save(lua_State *L) {
    size_t n;
    const char *path = luaL_checkstring(L, 1), *text = luaL_checklstring(L, 2, &n);
    ph_err err;
    bool runnable = lua_type(L, 3) == LUA_TSTRING && strcmp(lua_tostring(L, 3), "program") == 0;
    luaL_argcheck(L, *path, 1, "a path is wanted");
    if (save(path, text, n, lua_toboolean(L, 3) ? 0777 : 0700, runnable, &err) == PH_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    luaL_pushfail(L);
    lua_pushstring(L, err.text);
    return 2;
}

int ses_program(lua_State *L) {
    char path[PATH_MAX];
    ph_err err;
    if (ph_own_path(path, &err) == PH_OK) {
        lua_pushstring(L, path);
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

#define LOCK "phasor.lock"

/* A lock of the system's: whatever ends the process lets go of it. Of one kind with those of other machines where the file is shared. */
static int try_lock(int fd, bool shared) {
    struct flock whole = {.l_type = shared ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole);
}

/* Not F_SETLKW: over a network some systems forget who waits. */
static int wait_for_lock(int fd) {
    const struct timespec pause = {.tv_nsec = 50000000};
    while (try_lock(fd, false) != 0) {
        if (errno != EACCES && errno != EAGAIN) return -1;
        if (ph_interrupted()) {
            errno = EINTR;
            return -1;
        }
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Made where it is missing; a pipe or a device is no lock. */
static int open_lock(const char *path) {
    struct stat s;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0) return fd;
    int why = fstat(fd, &s) != 0 ? errno : S_ISREG(s.st_mode) ? 0 : EINVAL;
    if (why == 0) return fd;
    close(fd);
    errno = why;
    return -1;
}

/* lock(path [, how]): a handle, and the file is this process's until unlock(handle) or its end; or nil, why not, and whether another process has it.
 * how: "shared", with others
 * that share it; "wait", until it is free. */
int ses_lock(lua_State *L) {
    const char *path = luaL_checkstring(L, 1), *how = luaL_optstring(L, 2, "");
    ph_err err;
    int *held = lua_newuserdatauv(L, sizeof *held, 0); /* no __gc: who lets the handle go keeps the lock */
    *held = -1;
    (void)luaL_newmetatable(L, LOCK);
    lua_setmetatable(L, -2);
    int fd = ph_file_make_parents(path, 0700, &err) == PH_OK ? open_lock(path) : -1;
    if (fd >= 0 &&
        (strcmp(how, "wait") == 0 ? wait_for_lock(fd) : try_lock(fd, strcmp(how, "shared") == 0)) == 0) {
        *held = fd;
        return 1;
    }
    bool taken = fd >= 0 && (errno == EACCES || errno == EAGAIN);
    const char *why = taken            ? "another process is writing there"
                      : errno == EINTR ? "interrupted"
                                       : strerror(errno);
    luaL_pushfail(L);
    lua_pushstring(L, why);
    lua_pushboolean(L, taken);
    if (fd >= 0) close(fd);
    return 3;
}

int ses_sweep(lua_State *L) {
    ph_writer_sweep(luaL_checkstring(L, 1));
    return 0;
}

int ses_unlock(lua_State *L) {
    int *held = luaL_checkudata(L, 1, LOCK);
    if (*held >= 0) close(*held);
    *held = -1;
    return 0;
}
