/* channel.c: a conversation between two processes that need not trust each other: texts of any bytes, each behind its length.
 *
 * beside makes a contained copy of this process that runs a function with its end of a channel. fresh (fresh.c) starts a process that
 * has nothing of this one; from there, fork makes contained copies, whose channels it hands on to its own parent (take), so that two
 * processes talk that are not each other's parents.
 *
 *   beside(f, seconds, MB), fresh(module, MB)   a channel to the child; it is ended when nobody holds the channel any more
 *   c:send(text)                  true; nil when nobody is there
 *   c:receive()                   a text; nil when there will be none
 *   c:fork(f, seconds, MB)        in a fresh child: another channel's far end goes through this one; a handle on the copy
 *   c:take()                      what fork sent, or nil
 *   c:close()                     ends the child: how it was: "ok", "time", "memory" or "died"; "ok" where it is not our child
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker/sandbox.h"
#include "worker/contain.h"
#include "worker/wire.h"
#include "worker/worker.h"

#define CLASS      "phasor.session.channel"
#define TEXT_LIMIT ((size_t)64 << 20)
#define LISTEN     50 /* ms between looks at the interrupt flag */

typedef struct {
    int fd;     /* -1: none */
    pid_t pid;  /* of our child; 0: it is not ours, or has been reaped */
    pid_t busy; /* who works at the far end; 0: unknown */
} channel;

/* ---- bytes --------------------------------------------------------------------------------------------- */

static bool put_all(int fd, const char *s, size_t n) {
    while (n > 0) {
        ssize_t k = send(fd, s, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR && ses_stopping() == SES_RUN) continue;
        if (k <= 0) return false;
        s += k, n -= (size_t)k;
    }
    return true;
}

/* Waits until there is something to read; false: an interrupt came first. */
static bool listen_to(int fd) {
    struct pollfd p = {fd, POLLIN, 0};
    while (ses_stopping() == SES_RUN && !ph_interrupted())
        if (poll(&p, 1, LISTEN) != 0) return true; /* an error too: read will say so */
    return false;
}

static bool get_all(int fd, char *s, size_t n) {
    while (n > 0) {
        if (!listen_to(fd)) return false;
        ssize_t k = read(fd, s, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        s += k, n -= (size_t)k;
    }
    return true;
}

/* ---- Lua's side ---------------------------------------------------------------------------------------- */

static channel *check(lua_State *L, int i) { return luaL_checkudata(L, i, CLASS); }

int wrk_channel_at(lua_State *L, int i, pid_t *busy) {
    channel *c = check(L, i);
    luaL_argcheck(L, c->fd >= 0, i, "the channel is closed");
    *busy = c->busy;
    return c->fd;
}

static int close_channel(lua_State *L) {
    channel *c = check(L, 1);
    if (c->fd >= 0) close(c->fd);
    const char *how = c->pid > 0 ? wrk_end(c->pid) : "ok";
    *c = (channel){.fd = -1};
    lua_pushstring(L, how);
    return 1;
}

static int send_text(lua_State *L) {
    channel *c = check(L, 1);
    size_t n;
    const char *s = luaL_checklstring(L, 2, &n);
    luaL_argcheck(L, n <= TEXT_LIMIT, 2, "at most 64 MB at once");
    uint32_t head = (uint32_t)n;
    if (c->fd < 0 || !put_all(c->fd, (const char *)&head, sizeof head) || !put_all(c->fd, s, n)) return 0;
    lua_pushboolean(L, 1);
    return 1;
}

static int receive_text(lua_State *L) {
    channel *c = check(L, 1);
    uint32_t n;
    luaL_Buffer b;
    if (c->fd < 0 || !get_all(c->fd, (char *)&n, sizeof n) || n > TEXT_LIMIT) return 0;
    char *buffer = luaL_buffinitsize(L, &b, n);
    if (!get_all(c->fd, buffer, n)) return 0;
    luaL_pushresultsize(&b, n);
    return 1;
}

static int take_channel(lua_State *L);
static int fork_channel(lua_State *L);

static channel *push_channel(lua_State *L) {
    static const luaL_Reg methods[] = {{"send", send_text},      {"receive", receive_text},
                                       {"fork", fork_channel},   {"take", take_channel},
                                       {"close", close_channel}, {NULL, NULL}},
                          meta[] = {{"__gc", close_channel}, {"__close", close_channel}, {NULL, NULL}};
    channel *c = bind_new_finalized(L, sizeof *c, 0);
    *c = (channel){.fd = -1};
    if (luaL_newmetatable(L, CLASS)) {
        luaL_setfuncs(L, meta, 0);
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
        lua_pushliteral(L, "channel");
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
    return c;
}

/* ---- children ------------------------------------------------------------------------------------------ */

static void make_pair(lua_State *L, int pair[2]) {
    ph_err err;
    if (wrk_wire_pair(pair, &err) != PH_OK) luaL_error(L, "no process of its own: %s", err.text);
}

void wrk_talk(lua_State *L, int fd) {
    push_channel(L)->fd = fd;
    lua_pushvalue(L, -1);
    lua_insert(
        L,
        1); /* kept to the end: collected, it would be closed, and this process killed, before it has said how it ended */
    int status = lua_pcall(L, 1, 0, 0); /* who listens hears that nothing more comes */
    _exit(status == LUA_ERRMEM ? WRK_NO_MEMORY : 0);
}

/* Forks a locked-in copy of this process that talks over pair[1] with the function at index f. */
static pid_t fork_talker(lua_State *L, int f, int pair[2]) {
    ses_core *c = ses_core_of(L);
    double seconds;
    size_t bytes;
    wrk_check_limits(L, f + 1, &seconds, &bytes);
    wrk_before_fork(c);
    make_pair(L, pair);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(pair[0]);
        wrk_shut_in(c, parent, seconds, bytes);
        wrk_lock_in(&pair[1], 1);
        lua_settop(L, f);
        wrk_talk(L, pair[1]);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        luaL_error(L, "no process of its own: %s", strerror(errno));
    }
    return pid;
}

int wrk_beside(lua_State *L) {
    int pair[2];
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 3);
    channel *c = push_channel(L);
    lua_insert(L, 1);
    pid_t pid = fork_talker(L, 2, pair);
    *c = (channel){.fd = pair[0], .pid = pid, .busy = pid};
    lua_settop(L, 1);
    return 1;
}

/* c:fork(f, seconds, MB) */
static int fork_channel(lua_State *L) {
    ph_err err;
    int pair[2];
    channel *own = check(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 4);
    channel *handle = push_channel(L); /* without a descriptor: to end it with */
    lua_insert(L, 2);
    handle->pid = fork_talker(L, 3, pair);
    wire w = {.fd = own->fd, .passed = -1};
    ph_status st = wrk_wire_send(&w, json_pack("{s:i}", "pid", (int)handle->pid), pair[0], &err);
    close(pair[0]);
    if (st != PH_OK) return 0; /* nobody wants it: the collector ends it */
    lua_settop(L, 2);
    return 1;
}

static int take_channel(lua_State *L) {
    ph_err err;
    json_t *m = NULL;
    channel *from = check(L, 1), *c = push_channel(L);
    wire w;
    wrk_wire_init(&w, from->fd);
    ph_status st;
    do st = wrk_wire_next(&w, &m, true, &err);
    while (st == PH_EINTR && ses_stopping() == SES_RUN && !ph_interrupted());
    if (st == PH_OK)
        *c = (channel){.fd = w.passed, .busy = (pid_t)json_integer_value(json_object_get(m, "pid"))};
    w.passed = st == PH_OK ? -1 : w.passed;
    w.fd = -1; /* it is the channel's */
    wrk_wire_close(&w);
    json_decref(m);
    return st == PH_OK && c->fd >= 0;
}

int wrk_fresh(lua_State *L) {
    const char *module = luaL_checkstring(L, 1);
    double mb = luaL_checknumber(L, 2);
    luaL_argcheck(L, mb >= 1 && mb <= 1 << 20, 2, "MB from 1 to 1048576 wanted");
    channel *c = push_channel(L);
    ph_err err;
    int pair[2];
    make_pair(L, pair);
    ph_status st = wrk_spawn(&c->pid, pair[1], module, wrk_bytes(mb), &err);
    close(pair[1]);
    c->fd = pair[0];
    return st == PH_OK ? 1 : luaL_error(L, "no process of its own: %s", err.text);
}
