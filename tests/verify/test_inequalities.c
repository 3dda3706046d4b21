/* Inequalities and certificates of a list whose truth is known: none answered wrongly, and how many are decided.
 * Sources: verify/quotients.c verify/reading_sign.c verify/termwise.c verify/whole.c */
#include "../lua/lab.h"

static void none_is_answered_wrongly(void **state) {
    (void)state;
    char path[1024];
    const char *tests = getenv("TEST_SOURCES");
    lua_State *L = lab_open();
    snprintf(path, sizeof path, "%s/verify/inequalities.lua", tests ? tests : "tests");
    if (luaL_loadfile(L, path) != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
    assert_string_equal(lua_tostring(L, -1), "");
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_is_answered_wrongly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
