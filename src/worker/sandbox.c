/* sandbox.c: a Lua function run in a process of its own, a copy of this one, which may loop, eat memory, crash or wreck what
 * it can reach: nothing of it comes back but one string. Several may run side by side: started, then waited for.
 *
 * The child is a fork, so it has all values of this session; its events go nowhere and it has no input. It is limited in
 * processor time (by the system, and by the parent's clock where it only sleeps) and in memory (Lua's and the arrays' by
 * their own doors, everybody else's by the address space). It dies with its parent. One that wrk_apart makes is contained
 * besides: it may run what a stranger wrote.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "array/gemm.h"
#include "base/parallel.h"
#include "session/core.h"
#include "verify/verdict.h"
#include "worker/sandbox.h"
#include "worker/contain.h"

#define IDLE_FACTOR  4                   /* wall-clock seconds per second of processor time, and … */
#define IDLE_MORE    2                   /* … this many: a busy machine is not the function's fault */
#define OTHERS_ROOM  ((size_t)256 << 20) /* address space that threads and libraries take without using it */
#define ANSWER_LIMIT ((size_t)16 << 20)
#define LOOK         0.02 /* seconds between looks at the clocks */
#define AT_ONCE      64   /* children that can be waited for at once */
#define CHANNELS     4    /* that a child may have beside its own */

/* ---- the child ----------------------------------------------------------------------------------------- */

static void nothing(void *user, json_t *event) { (void)user, (void)event; }

static char *no_line(void *user, ses_core *c, json_t *question) {
    (void)user, (void)c;
    json_decref(question);
    return NULL;
}

const ses_host wrk_silent = {.emit = nothing, .read_line = no_line};

/* Bytes of address space this process has now, or had when it could still ask; 0: the system does not say. */
static size_t address_space(void) {
    static size_t last; /* a confined process cannot open the file */
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return last;
    if (fscanf(f, "%zu", &pages) != 1) pages = 0;
    fclose(f);
    return last = pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, rlim_t most) {
    struct rlimit r;
    if (getrlimit(what, &r) != 0) return;
    if (r.rlim_max != RLIM_INFINITY && most > r.rlim_max) most = r.rlim_max;
    r.rlim_cur = most;
    if (setrlimit(what, &r) != 0) return; /* then the parent's clock and the doors have to do */
}

/* The kernel ends this process once it has used so much processor time, to a tick, however late the parent looks; RLIMIT_CPU counts
 * whole seconds. */
static void end_after(double seconds) {
#ifdef __linux__
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGXCPU};
    struct itimerspec t = {.it_value = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))}};
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0) (void)timer_settime(timer, 0, &t, NULL);
#endif
    limit(RLIMIT_CPU, (rlim_t)(seconds < 1 ? 1 : seconds + 0.999));
}

void wrk_shut_in(ses_core *c, pid_t parent, double seconds, size_t bytes) {
#ifdef __linux__
    if (getppid() != parent) _exit(0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#else
    (void)parent;
#endif
    static const int plain[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGXCPU};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) signal(plain[i], SIG_DFL);
    signal(SIGINT, SIG_IGN); /* the parent answers to that */
    signal(SIGPIPE, SIG_IGN);
    if (c->host.forked) c->host.forked(c->host.user);
    c->host = wrk_silent;
    c->direct = false;
    size_t used = c->memory.used + ph_block_live(), most;
    if (ph_add_size(&most, used, bytes) && most < c->memory.limit) c->memory.limit = most;
    size_t space = address_space();
    if (space && ph_add_size(&most, space, bytes) && ph_add_size(&most, most, OTHERS_ROOM))
        limit(RLIMIT_AS, (rlim_t)most);
    limit(RLIMIT_CORE, 0);
    end_after(seconds);
}

static void write_all(int fd, const char *s, size_t n) {
    while (n > 0) {
        ssize_t k = write(fd, s, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) _exit(1);
        s += k, n -= (size_t)k;
    }
}

void wrk_lock_in(const int *keep, int n) {
    ph_err lacks;      /* who must know asks wrk_containment_lacks before */
    ph_set_threads(1); /* it may start none */
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NOFILE, 64);
    (void)!wrk_contain(keep, n, &lacks);
}

/* Calls the function at index 1 and sends 'k' and its string, or 'e' and why there is none. */
static _Noreturn void be_child(lua_State *L, int fd) {
    size_t n;
    lua_pushvalue(L, 1);
    bool ok = lua_pcall(L, 0, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING;
    const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
    write_all(fd, ok ? "k" : "e", 1);
    if (s) write_all(fd, s, n);
    _exit(0);
}

/* ---- the parent ---------------------------------------------------------------------------------------- */

#define CLASS "phasor.session.child"

typedef struct {
    pid_t pid; /* 0: ended, and reaped */
    int fd;
    double until;   /* by ph_clock */
    double seconds; /* of processor time, its own and that of those it waits for */
    pid_t busy[CHANNELS];
    int nbusy;
    const char *why; /* it is to be ended: "time", "stopped", "memory"; NULL: it may go on */
    char *text;      /* what it has said so far; owned */
    size_t n, cap;
} child;

/* Takes what the child says; false: there is no more to come. */
static bool hear(child *k) {
    if (k->n == k->cap) {
        size_t cap = 2 * k->cap + 4096;
        char *more = cap <= 2 * ANSWER_LIMIT ? ph_realloc(k->text, cap) : NULL;
        if (!more) return k->why = "memory", false;
        k->text = more, k->cap = cap;
    }
    ssize_t n = read(k->fd, k->text + k->n, k->cap - k->n);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    k->n += (size_t)n;
    if (k->n > ANSWER_LIMIT) k->why = "memory";
    return !k->why;
}

static int reap(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

const char *wrk_end(pid_t pid) {
    kill(pid, SIGKILL); /* one that has ended keeps the status that it ended with */
    int status = reap(pid);
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGXCPU ? "time" : WTERMSIG(status) == SIGKILL ? "ok" : "died";
    return WEXITSTATUS(status) == 0 ? "ok" : WEXITSTATUS(status) == WRK_NO_MEMORY ? "memory" : "died";
}

/* Ends the child, if it has not ended by itself; says how it ended. */
static int end(child *k) {
    if (k->why) kill(k->pid, SIGKILL);
    int status = reap(k->pid);
    k->pid = 0;
    return status;
}

static int drop_child(lua_State *L) {
    child *k = lua_touserdata(L, 1);
    if (k->fd >= 0) close(k->fd);
    if (k->pid > 0) {
        k->why = "stopped";
        end(k);
    }
    ph_free(k->text);
    *k = (child){.fd = -1};
    return 0;
}

/* Pushes the owner of a child not yet born: killed and reaped whatever happens. */
static child *push_child(lua_State *L) {
    child *k = bind_new_finalized(L, sizeof *k, 0);
    *k = (child){.fd = -1};
    if (luaL_newmetatable(L, CLASS)) {
        lua_pushcfunction(L, drop_child);
        lua_setfield(L, -2, "__gc");
        lua_pushcfunction(L, drop_child);
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    return k;
}

/* Two results: how it ended, and its string. */
static int judged(lua_State *L, child *k) {
    int status = end(k);
    if (!k->why && k->n > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        lua_pushstring(L, *k->text == 'k' ? "ok" : "error");
        lua_pushlstring(L, k->text + 1, k->n - 1);
        return 2;
    }
    lua_pushstring(L, k->why ? k->why : WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? "time" : "died");
    return 1;
}

size_t wrk_bytes(double mb) { return mb < (double)(SIZE_MAX >> 20) ? (size_t)(mb * 1048576) : SIZE_MAX; }

void wrk_check_limits(lua_State *L, int first, double *seconds, size_t *bytes) {
    double mb = luaL_checknumber(L, first + 1);
    *seconds = luaL_checknumber(L, first);
    luaL_argcheck(L, *seconds > 0 && *seconds <= 86400, first, "seconds from 0 to 86400 wanted");
    luaL_argcheck(L, mb >= 1 && mb <= 1 << 20, first + 1, "MB from 1 to 1048576 wanted");
    *bytes = wrk_bytes(mb);
}

void wrk_before_fork(ses_core *c) {
    ph_err missing; /* without BLAS the child hears so */
    (void)!arr_gemm_ready(&missing);
    (void)ver_flint_ready();
    ses_stream_flush(c);
    fflush(NULL); /* else both would write what is buffered */
}

/* The channels in the table at i: their descriptors into keep, behind the first; returns how many are kept then. */
static int read_channels(lua_State *L, int i, int keep[CHANNELS + 1], child *k) {
    if (lua_isnoneornil(L, i)) return 1;
    luaL_checktype(L, i, LUA_TTABLE);
    k->nbusy = (int)lua_rawlen(L, i);
    luaL_argcheck(L, k->nbusy <= CHANNELS, i, "at most 4 channels wanted");
    for (int j = 0; j < k->nbusy; j++) {
        lua_rawgeti(L, i, j + 1);
        keep[j + 1] = wrk_channel_at(L, -1, &k->busy[j]);
        lua_pop(L, 1);
    }
    return 1 + k->nbusy;
}

/* A child that is one of `crew` at work at once takes its share of the threads: more of them than cores wait for each other. */
static void share_threads(lua_Integer crew) {
    int mine = (int)(ph_threads() / crew);
    if (crew > 1) ph_set_threads(mine > 1 ? mine : 1);
}

/* start(f, seconds, MB [, channels]) */
static int start(lua_State *L, bool contained, lua_Integer crew) {
    double seconds;
    size_t bytes;
    int ends[2], keep[CHANNELS + 1];
    luaL_checktype(L, 1, LUA_TFUNCTION);
    wrk_check_limits(L, 2, &seconds, &bytes);
    lua_settop(L, 4);
    ses_core *c = ses_core_of(L);
    child *k = push_child(L);
    int kept = read_channels(L, 4, keep, k);
    wrk_before_fork(c);
    if (pipe(ends) != 0) return luaL_error(L, "no process of its own: %s", strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        wrk_shut_in(c, parent, seconds, bytes);
        keep[0] = ends[1];
        share_threads(crew);
        if (contained) wrk_lock_in(keep, kept);
        be_child(L, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return luaL_error(L, "no process of its own: %s", strerror(errno));
    }
    k->pid = pid, k->fd = ends[0], k->seconds = seconds;
    k->until = ph_clock() + IDLE_FACTOR * seconds + IDLE_MORE;
    return 1;
}

/* start(f, seconds, MB [, crew]) */
static int start_one(lua_State *L) {
    lua_Integer crew = luaL_optinteger(L, 4, 1);
    luaL_argcheck(L, crew >= 1, 4, "how many work at once, from 1, wanted");
    lua_settop(L, 3);
    return start(L, false, crew);
}

/* Seconds of processor time that a process has used; 0: it has ended. */
static double worked(pid_t pid) {
#if defined(__linux__)
    clockid_t clock;
    struct timespec t;
    if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
#else
    return (void)pid, 0;
#endif
}

static bool spent(const child *k) {
    double s = worked(k->pid);
    for (int i = 0; i < k->nbusy; i++) s += worked(k->busy[i]);
    return s > k->seconds;
}

/* The first of n children that has ended, or must end; -1: none before the clock says `until`. */
static int first_ended(child *const *crew, int n, double until) {
    struct pollfd p[AT_ONCE];
    for (int i = 0; i < n; i++) p[i] = (struct pollfd){crew[i]->fd, POLLIN, 0};
    for (;;) {
        double now = ph_clock();
        for (int i = 0; i < n; i++) {
            if (ses_stopping() != SES_RUN || ph_interrupted()) crew[i]->why = "stopped";
            else if (now >= crew[i]->until || spent(crew[i])) crew[i]->why = "time";
            if (crew[i]->why) return i;
        }
        if (now >= until) return -1;
        if (poll(p, (nfds_t)n, until - now < LOOK ? (int)((until - now) * 1000) + 1 : (int)(LOOK * 1000)) <=
            0)
            continue;
        for (int i = 0; i < n; i++)
            if (p[i].revents && !hear(crew[i])) return i;
    }
}

static int wait_for(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    double seconds = luaL_optnumber(L, 2, 86400.0 * 365);
    luaL_argcheck(L, seconds >= 0, 2, "seconds from 0 wanted");
    child *crew[AT_ONCE];
    lua_Integer n = luaL_len(L, 1);
    luaL_argcheck(L, n >= 1 && n <= AT_ONCE, 1, "a list of 1 to 64 children wanted");
    for (int i = 0; i < n; i++) {
        lua_geti(L, 1, i + 1);
        crew[i] = luaL_checkudata(L, -1, CLASS); /* the list keeps it */
        luaL_argcheck(L, crew[i]->pid > 0, 1, "one of the children has been waited for");
        lua_pop(L, 1);
    }
    int first = first_ended(crew, (int)n, ph_clock() + seconds);
    if (first < 0) return 0;
    lua_pushinteger(L, first + 1);
    return 1 + judged(L, crew[first]);
}

static int apart(lua_State *L) {
    start(L, true, 1);
    lua_toclose(L, -1);
    child *k = lua_touserdata(L, -1);
    first_ended(&k, 1, HUGE_VAL);
    return judged(L, k);
}

/* What the containment of apart's children lacks on this system, or nil. */
static int lacks(lua_State *L) {
    lua_pushstring(L, wrk_containment_lacks());
    return 1;
}

/* Beyond what Lua and the arrays may take, everybody else in this process gets OTHERS_ROOM; it opens few files and leaves none behind. */
static void limit_stranger(const ses_core *c) {
    size_t space = address_space(), most;
    if (space && ph_add_size(&most, space, c->memory.limit) && ph_add_size(&most, most, OTHERS_ROOM))
        limit(RLIMIT_AS, (rlim_t)most);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 256);
}

/* confine(folder): true; or nil and what is missing */
static int confine(lua_State *L) {
    const char *folder = luaL_checkstring(L, 1);
    ph_err err;
    ses_core *c = ses_core_of(L);
    wrk_before_fork(c); /* opens what could not be opened afterwards */
    limit_stranger(c);
    if (wrk_confine(folder, &err) != PH_OK) {
        luaL_pushfail(L);
        lua_pushstring(L, err.text);
        return 2;
    }
    c->confined = true;
    lua_pushboolean(L, 1);
    return 1;
}

static int cores(lua_State *L) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    lua_pushinteger(L, n < 1 ? 1 : n);
    return 1;
}

static const luaL_Reg functions[] = {{"apart", apart},     {"lacks", lacks},     {"start", start_one},
                                     {"wait", wait_for},   {"cores", cores},     {"beside", wrk_beside},
                                     {"confine", confine}, {"fresh", wrk_fresh}, {NULL, NULL}};
const struct luaL_Reg *const wrk_functions = functions;
