/* Kinds of failure on their way through Lua: a contradiction inside the program passes every pcall, `try` tells the others. */
#include "../lua/lab.h"
#include "lua/state.h"
#include "session/core.h"

static int fail_with(lua_State *L) {
    ph_err err;
    (void)ph_fail(&err, (ph_status)lua_tointeger(L, 1), "seven");
    return bind_raise(L, &err);
}

static lua_State *open(void) {
    lua_State *L = lab_open();
    lua_pushglobaltable(L);
    ses_catching_open(L);
    lua_pushcfunction(L, fail_with);
    lua_setfield(L, -2, "fail_with");
    lua_pushcfunction(L, bind_try);
    lua_setfield(L, -2, "try");
    lua_pop(L, 1);
    return L;
}

static const char *shown(lua_State *L, const char *code) {
    lua_settop(L, 0);
    int status = lab_load(L, code);
    if (status == LUA_OK) status = lua_pcall(L, 0, 1, 0);
    lua_pushstring(L, status == LUA_OK ? "" : "error: ");
    lua_insert(L, -2);
    luaL_tolstring(L, -1, NULL);
    lua_remove(L, -2);
    lua_concat(L, 2);
    return lua_tostring(L, -1);
}

static void a_contradiction_is_never_caught(void **state) {
    (void)state;
    static const char wanted[] =
        "error: t:1: seven. This is an error of phasor, not of yours: please report it.";
    static const char *const catchers[] = {"pcall(fail_with, %d)", "pcall(pcall, fail_with, %d)",
                                           "xpcall(fail_with, function(m) return m end, %d)",
                                           "select(2, try(pcall, fail_with, %d))", "(try(fail_with, %d))"};
    lua_State *L = open();
    for (size_t k = 0; k < sizeof catchers / sizeof *catchers; k++) {
        char code[100];
        snprintf(code, sizeof code, catchers[k], PH_EBUG);
        assert_non_null(strstr(shown(L, code), "seven. This is an error of phasor"));
        assert_int_equal(strncmp(shown(L, code), "error: ", 7), 0);
        snprintf(code, sizeof code, catchers[k], PH_EARG);
        assert_int_not_equal(strncmp(shown(L, code), "error: ", 7), 0);
    }
    char code[40];
    snprintf(code, sizeof code, "fail_with(%d)", PH_EBUG);
    assert_string_equal(shown(L, code), wanted);
    lua_close(L);
}

static void try_tells_kind_and_words(void **state) {
    (void)state;
    lua_State *L = open();
    static const struct {
        ph_status kind;
        const char *wanted;
    } cases[] = {{PH_EBUDGET, "false/seven/out of budget"},
                 {PH_EOUTSIDE, "false/seven/outside the theory"},
                 {PH_EDOMAIN, "false/seven/undefined"},
                 {PH_EARG, "false/seven/argument"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char code[100];
        snprintf(code, sizeof code,
                 "table.concat({tostring(try(fail_with, %d)), select(2, try(fail_with, %d))}, '/')",
                 cases[k].kind, cases[k].kind);
        assert_string_equal(shown(L, code), cases[k].wanted);
    }
    assert_string_equal(shown(L, "select(2, try(math.max, 3, 4))"), "4");
    assert_string_equal(shown(L, "select(2, pcall(fail_with, 2))"), "t:1: seven"); /* the place is back */
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contradiction_is_never_caught),
        cmocka_unit_test(try_tells_kind_and_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
