/* Random calls in one session of this process, as many a second as the functions allow: every function, method and field that help knows,
 * and operators, with arguments that fit and that do not. Some calls are interrupted after so many steps of Lua, some refused memory.
 * FUZZ_CALLS: how many; else FUZZ_TIME: seconds of processor time. FUZZ_SEED: of the first episode. FUZZ_FILE: the calls of this file instead.
 * When the process dies in a call, the calls that lead there are shown and left in $BUILD/fuzz-call, for FUZZ_FILE.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "fixture.h"
#include "folder.h"
#include "session/core.h"

enum { STEPS = 200000, TICK = 20, PATIENCE = 2, LATE = 150, LOST = 1500, SESSION = 400, MEMORY = 16 << 20 };
/* TICK: milliseconds; the next three: ticks */

#define AFTER "after an episode"

static calls made;
static ses_core *core;
static char fault_path[200];
static volatile sig_atomic_t now = -1;       /* the statement that is being called; -1: none */
static volatile sig_atomic_t serial, waited; /* of calls; ticks since this one began */
static uint64_t seed;
static long called, unmade, failed, stopped, refused, slow;
static int faults;
static bool starving;

/* ---- what is seen ---------------------------------------------------------------------------------------------- */

static int out = 2;
static void write_text(const ph_text *t) { (void)!write(out, t->s, t->n); }

/* In a signal's handler and behind a sanitizer's report, too. */
static void tell(int to, const char *what) {
    char head[200];
    if (now < 0 || !made.statement[0].text.s) return;
    out = to;
    int n = snprintf(head, sizeof head, "-- %.80s; episode %llu, call %d, after %ld calls\n", what,
                     (unsigned long long)seed, (int)now, called);
    (void)!write(to, head, (size_t)n);
    calls_needed(&made, now, write_text);
}

static void died(void) {
    static volatile sig_atomic_t once;
    if (once++) return;
    int fd = open(fault_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    tell(2, "the process died in the last of these");
    if (fd >= 0) tell(fd, "the process died in the last of these");
}

static void fatal(int number) {
    died();
    _exit(128 + number);
}

static void complain(const char *what, const char *words) {
    if (faults++ >= 20) return;
    tell(2, what);
    fprintf(stderr, "%s\n", words ? words : "");
}

/* Every TICK of processor time. A call that lasts is interrupted again and again: some catch it and go on. */
static void tick(int number) {
    static sig_atomic_t seen;
    (void)number;
    if (now < 0 || seen != serial) {
        seen = serial, waited = 0;
        return;
    }
    if (++waited >= PATIENCE) ses_stop(SES_INTERRUPTED);
    if (waited > LOST) fatal(SIGALRM);
}

/* ---- a call ------------------------------------------------------------------------------------------------------ */

static void stop_here(lua_State *L, lua_Debug *at) {
    (void)L, (void)at;
    ses_stop(SES_INTERRUPTED);
}

/* Calls the function below n arguments, with a bound of its steps. flag: as if an interrupt had come while C runs. */
static int bounded(lua_State *L, int n, int steps, bool flag) {
    int at = lua_gettop(L) - n;
    lua_pushcfunction(L, bind_users_words); /* as the session's pcall has it */
    lua_insert(L, at);
    serial++;
    ses_cell_begins(L);
    if (flag) ph_interrupt_flag = 1;
    lua_sethook(L, stop_here, LUA_MASKCOUNT, steps);
    int status = lua_pcall(L, n, LUA_MULTRET, at);
    lua_remove(L, at);
    if (ses_cell_ends(L) == SES_INTERRUPTED) stopped++;
    if (waited > LATE) complain("seconds behind an interrupt", NULL);
    if (waited >= PATIENCE) slow++;
    serial++;
    waited = 0;
    return status;
}

static void judge_error(lua_State *L, int status) {
    const char *words = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    failed++;
    refused += status == LUA_ERRMEM;
    if (strstr(words, "phasor:") || strstr(words, "src/") || strstr(words, ".c:"))
        complain("words that are not for a person", words);
    if (strstr(words, "contradiction")) complain("a contradiction", words);
}

/* As the session's own allocator: a finalizer that is refused memory is never called again, and what it would have freed is lost. */
static void *alloc(void *memory, void *p, size_t old, size_t size) {
    void *q = ses_memory_alloc(memory, p, old, size);
    if (q || size == 0 || !starving || !bind_finalizing(core->L)) return q;
    ph_alloc_fail_from(0);
    q = ses_memory_alloc(memory, p, old, size);
    ph_alloc_fail_from(1);
    return q;
}

/* What stands at 6, with the arguments above it. */
static bool api(lua_State *L, const char *trouble, int n) {
    bool starve = strcmp(trouble, "starve") == 0, stop = strcmp(trouble, "stop") == 0;
    called++;
    starving = starve;
    if (starve) ph_alloc_fail_from((size_t)n);
    int status = bounded(L, lua_gettop(L) - 6, stop ? n : STEPS, strcmp(trouble, "flag") == 0);
    ph_alloc_fail_from(0);
    starving = false;
    if (status != LUA_OK) judge_error(L, status);
    return status == LUA_OK;
}

/* call(i, f, arguments, trouble, n): the first result, or nil. */
static int call(lua_State *L) {
    bool fine = false;
    if (now >= 0 || !lua_isinteger(L, 1)) return 0; /* it is an argument itself */
    now = (sig_atomic_t)lua_tointeger(L, 1);
    lua_settop(L, 5);
    const char *trouble = lua_isstring(L, 4) ? lua_tostring(L, 4) : "";
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 3);
    if (bounded(L, 0, STEPS, false) != LUA_OK) unmade++;
    else fine = api(L, trouble, (int)lua_tointeger(L, 5));
    now = -1;
    if (fine) lua_settop(L, 6); /* the first result, which may be none */
    return fine;
}

/* ---- episodes ---------------------------------------------------------------------------------------------------- */

static void hear(void *user, json_t *event) { (void)user, (void)event; }
static char *no_line(void *user, ses_core *c, json_t *question) {
    (void)user, (void)c;
    json_decref(question);
    return NULL;
}

static void finish(void) {
    if (!core) return;
    calls_close(&made);
    ses_core_close(core);
    core = NULL;
}

static void begin(void) {
    ses_options options = {0};
    ses_host host = {.emit = hear, .read_line = no_line};
    ph_err err;
    finish();
    if (ses_core_open(&core, &options, &host, &err) != PH_OK) fail_msg("%s", err.text);
    lua_setallocf(core->L, alloc, &core->memory);
    lua_gc(core->L, LUA_GCINC, 400, 400,
           0); /* most of what there is stays: a collection looks at all of it */
    lua_register(core->L, "call", call);
    if (luaL_dostring(core->L, fixture("@prelude")) != LUA_OK) fail_msg("%s", lua_tostring(core->L, -1));
    lua_setfield(core->L, LUA_REGISTRYINDEX, AFTER);
    calls_open(&made, core->L); /* the rows of help go with their session */
    assert_true(made.n > 150);
}

/* Calls the function on top of the stack, or raises what stands there; little: bytes that it may take: an episode may end for want of them. */
static void run_top(int status, const char *text, size_t n, size_t little) {
    lua_State *L = core->L;
    core->memory.limit = core->memory.used + ph_block_live() + little;
    if (status == LUA_OK) status = lua_pcall(L, 0, 0, 0);
    core->memory.limit = SIZE_MAX;
    if (status != LUA_OK && status != LUA_ERRMEM) {
        fprintf(stderr, "%s\n%.*s\n", lua_tostring(L, -1), (int)n, text);
        faults++;
    }
    lua_settop(L, 0);
}

static void run_text(const char *text, size_t n, size_t little) {
    run_top(luaL_loadbufferx(core->L, text, n, "=calls", "t"), text, n, little);
    lua_getfield(core->L, LUA_REGISTRYINDEX, AFTER);
    run_top(LUA_OK, AFTER, strlen(AFTER), MEMORY);
}

static void run_file(const char *path) {
    static char text[1 << 20];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text, f);
    fclose(f);
    begin();
    run_text(text, n, MEMORY);
}

/* Every sixty-fourth has little memory. */
static void episode(void) {
    static ph_text text;
    calls_episode(&made, seed);
    text.n = 0;
    ph_puts(&text, "local v1, v2, v3, v4, v5, v6, v7, v8\n");
    for (int i = 0; i < CALLS_EPISODE; i++) ph_put(&text, made.statement[i].text.s, made.statement[i].text.n);
    run_text(text.s, text.n, seed % 64 ? MEMORY : (size_t)1 << (10 + seed / 64 % 14));
}

/* A line about every minute, for who reads the count of a long run. */
static void count_aloud(double cpu) {
    static time_t before;
    time_t t = time(NULL);
    if (before == 0) before = t;
    if (t - before < 60) return;
    before = t;
    fprintf(stderr, "%ld calls in %.0f s of processor time, episode %llu\n", called, cpu,
            (unsigned long long)seed);
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void random_calls(void **state) {
    (void)state;
    const char *most = getenv("FUZZ_CALLS"), *time = getenv("FUZZ_TIME"), *first = getenv("FUZZ_SEED"),
               *file = getenv("FUZZ_FILE");
    double seconds = time && atof(time) > 0 ? atof(time) : 3, until = cpu() + seconds;
    long many = most ? atol(most) : 0;
    seed = first ? strtoull(first, NULL, 10) : 20261124;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    if (file) {
        run_file(file);
        return;
    }
    for (; many ? called < many : cpu() < until; seed++) {
        if (!core || seed % SESSION == 0) begin();
        episode();
        count_aloud(cpu());
    }
    print_message(
        "%ld calls made: %ld ended in an error, %ld interrupted, %ld refused memory, %ld took more than %d ms; %ld not made, their "
        "arguments raised; next episode %llu; %.1f s of processor time\n",
        called, failed, stopped, refused, slow, PATIENCE * TICK, unmade, (unsigned long long)seed, cpu());
    assert_true(called > 1000 && failed > called / 10 && failed < called);
    assert_int_equal(faults, 0);
}

/* There under the address sanitizer, whose report ends the process without a signal. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static int enter(void **state) { /* some calls write files */
    const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const char *build = getenv("BUILD");
    const struct itimerval every = {{0, TICK * 1000}, {0, TICK * 1000}};
    if (enter_folder(state)) return -1;
    snprintf(fault_path, sizeof fault_path, "%.150s/%.30s/fuzz-call",
             build && *build == '/' ? "" : folder_before, build ? build : "build");
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(died);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!__sanitizer_set_death_callback || signals[i] == SIGABRT) signal(signals[i], fatal);
    signal(SIGPROF, tick);
    return setitimer(ITIMER_PROF, &every, NULL);
}

static int leave(void **state) {
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
    finish();
    return leave_folder(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(random_calls, enter, leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
