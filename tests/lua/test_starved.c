/* The help's examples with memory refused: each line of each is run again and again, the n-th allocation and all after it
 * refused. It must say that memory is short, or give the answer all the same, and leave nothing behind: so every public
 * function is covered as soon as it has help. A fixed choice of n is tried; PHASOR_FUZZ=N: N times as many.
 */
#include "folder.h"
#include "lab.h"

#include <unistd.h>

#include "base/rng.h"

typedef struct {
    lua_State *L;
    bool by_lua; /* the refused allocations are Lua's, not the core's */
    lab_limit limit;
    ph_rng g;
    int more, wrong;
    long runs, refused;
    long lost; /* finalizers that Lua could not call for want of memory, as it warns */
    const char *name;
} starving;

/* Lua's warnings come in pieces; of a failed finalizer one says where: "__gc". */
static void note_warning(void *ud, const char *message, int more) {
    (void)more;
    if (strcmp(message, "__gc") == 0) ((starving *)ud)->lost++;
}

static bool speaks_of_memory(const char *s) {
    return s && (strstr(s, "out of memory") || strstr(s, "not enough memory"));
}

/* The n-th allocation from now on is refused and all after it; 0: none. */
static void refuse(starving *s, uint64_t n) {
    if (s->by_lua) {
        if (n) lua_gc(s->L, LUA_GCSTOP);
        else lua_gc(s->L, LUA_GCRESTART);
        s->limit.left = (long)n - 1;
    } else ph_alloc_fail_from((size_t)n);
}

/* Whether the last refuse() has come to bear, or would with the next allocation. */
static bool was_refused(const starving *s) { return s->by_lua ? s->limit.left == 0 : ph_alloc_refused(); }

/* Pushes what a prompt shows for the values above `top`. */
static void show(lua_State *L, int top) {
    int n = lua_gettop(L) - top;
    luaL_Buffer b;
    for (int k = 1; k <= n; k++) bind_display(L, top + k), lua_replace(L, top + k);
    luaL_buffinit(L, &b);
    for (int k = 1; k <= n; k++) {
        if (k > 1) luaL_addchar(&b, '\t');
        lua_pushvalue(L, top + k);
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
}

/* Runs the chunk at `fn` and pushes what it shows, with memory at hand for that, or its message; true: it ran to its end. */
static bool run_line(starving *s, int fn, uint64_t n) {
    lua_State *L = s->L;
    int top = lua_gettop(L);
    lua_pushvalue(L, fn);
    refuse(s, n);
    int status = lua_pcall(L, 0, LUA_MULTRET, 0);
    s->runs++, s->refused += n > 0 && was_refused(s);
    refuse(s, 0);
    if (status == LUA_OK) {
        show(L, top);
        lua_replace(L, top + 1);
    }
    lua_settop(L, top + 1);
    return status == LUA_OK;
}

static void complain(starving *s, const char *code, uint64_t n, const char *got) {
    if (s->wrong++ < 20)
        print_error("%s: %s\n  allocation %llu refused: %s\n", s->name, code, (unsigned long long)n,
                    got ? got : "no message");
}

/* One attempt of the chunk at `fn`, whose answer stands at `answer` (nil: it is another one each time). false: nothing was
 * refused, so that n is beyond its end. */
static bool attempt(starving *s, const char *code, int fn, int answer, uint64_t n) {
    lua_State *L = s->L;
    long before = s->refused;
    bool ended = run_line(s, fn, n);
    bool right = lua_isnil(L, answer) ? ended : lua_rawequal(L, -1, answer);
    if (!right && !speaks_of_memory(lua_tostring(L, -1))) complain(s, code, n, lua_tostring(L, -1));
    lua_pop(L, 1);
    return s->refused > before;
}

/* The line is run twice with all memory, to see whether its answer is always the same; with n = 1, 2, 4, ... until it gets
 * through; at some places between; and with all memory again. */
static void starve_line(starving *s, const char *code) {
    lua_State *L = s->L;
    if (lab_load(L, code) != LUA_OK) return lua_settop(L, 0);
    int fn = lua_gettop(L), answer = fn + 1;
    run_line(s, fn, 0);
    run_line(s, fn, 0);
    if (!lua_rawequal(L, -1, -2)) lua_pushnil(L), lua_replace(L, answer);
    uint64_t end = 1, tries = 4 * (uint64_t)s->more;
    while (end < 1 << 24 && attempt(s, code, fn, answer, end)) end *= 2;
    for (uint64_t k = 1; k <= tries && k <= end; k++)
        attempt(s, code, fn, answer, end <= tries ? k : 1 + ph_rng_below(&s->g, end));
    run_line(s, fn, 0);
    if (!lua_isnil(L, answer) && !lua_rawequal(L, -1, answer)) complain(s, code, 0, lua_tostring(L, -1));
    lua_settop(L, 0);
}

static void starve_example(starving *s, const bind_row *r) {
    char code[1024];
    s->name = r->name;
    for (const char *p = r->example; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        const char *mark = strstr(p, "  --> ");
        size_t len = strcspn(p, "\n");
        if (strncmp(p, "--| ", 4) == 0) continue;
        snprintf(code, sizeof code, "%.*s", (int)(mark && mark < p + len ? mark - p : (ptrdiff_t)len), p);
        starve_line(s, code);
    }
}

/* The examples of the topic that begins with row i, in one laboratory. Returns the row behind them. */
static int starve_topic(starving *s, lua_State *rows, int i) {
    const char *topic, *t;
    size_t live = ph_block_live();
    const bind_row *r = bind_help_each(rows, i, &topic);
    s->L = s->by_lua ? lab_open_limited(&s->limit) : lab_open();
    lua_setwarnf(s->L, note_warning, s);
    s->lost = 0;
    lab_eval(s->L, "print = function() end");
    lua_settop(s->L, 0);
    for (; r && (bind_help_each(rows, i, &t), t == topic); r = bind_help_each(rows, ++i, NULL))
        starve_example(s, r);
    lua_close(s->L);
    if (ph_block_live() != live) complain(s, topic, 0, "arrays are left");
    if (s->lost) complain(s, topic, 0, "a finalizer was not called");
    return i;
}

static void starve_all(bool by_lua) {
    const char *more = getenv("PHASOR_FUZZ");
    starving s = {.by_lua = by_lua, .more = more && atoi(more) > 0 ? atoi(more) : 1};
    lua_State *rows = lab_open();
    ph_rng_seed(&s.g, 20261121);
    for (int i = 0; bind_help_each(rows, i, NULL);) i = starve_topic(&s, rows, i);
    lua_close(rows);
    print_message("%ld runs, %ld refused\n", s.runs, s.refused);
    assert_true(s.refused > 2000);
    assert_int_equal(s.wrong, 0);
}

static void refused_by_the_core(void **state) {
    (void)state;
    starve_all(false);
}

static void refused_by_lua(void **state) {
    (void)state;
    starve_all(true);
}

/* In a folder of their own: some examples write files. */
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refused_by_the_core, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(refused_by_lua, enter_folder, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
