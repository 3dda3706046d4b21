/* Every encoding of the registry against its own formula, with the arguments its descriptor names: what a new one gets for nothing.
 *
 * Both sides add at most 200 terms below 2^8 in f64, with fewer than 32 roundings a term: they differ by less than
 * 2 * 200 * 2^8 * 32 * 2^-53 < 2^-31.
 * Sources: encoding/define.c encoding/fire.c encoding/formula.c encoding/kerple.c encoding/learned.c encoding/logn.c encoding/nope.c
 * Sources: encoding/relative_define.c encoding/sinusoidal_t2t.c encoding/symbolic.c encoding/symbolic_elementwise.c encoding/tener.c
 * Sources: encoding/transformer_xl.c encoding/waves.c encoding/xpos.c */
#include "lua/lab.h"

#include <math.h>

#include "encoding/encoding.h"

static double worst(lua_State *L, const enc_encoding *e, const char *text, const char *side) {
    bool vectors = e->kind == ENC_ADDITIVE || e->kind == ENC_ROTATION || e->kind == ENC_FACTOR;
    lua_getglobal(L, "worst");
    lua_pushstring(L, e->name), lua_pushstring(L, text), lua_pushstring(L, side), lua_pushboolean(L, vectors);
    if (lua_pcall(L, 4, 1, 0) != LUA_OK) fail_msg("%s: %s", e->name, lua_tostring(L, -1));
    double far = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return far;
}

/* Of "name: arguments" or "arguments", the arguments. */
static const char *arguments(char *line) {
    size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return line[n] == ':' ? line + n + 1 : line;
}

static void kernels_follow_their_formulas(void **state) {
    (void)state;
    lua_State *L = lab_open();
    int tried = 0;
    if (luaL_dofile(L, "tests/encoding/samples.lua")) fail_msg("%s", lua_tostring(L, -1));
    for (const enc_encoding *const *e = enc_registry; *e; e++) {
        char lines[1000];
        if ((*e)->kind == ENC_CONTEXTUAL)
            continue; /* its p is no symbol of symbols(): test_scores_meet.c holds it against its formula */
        assert_true(snprintf(lines, sizeof lines, "%s", (*e)->sample) < (int)sizeof lines);
        for (char *at = lines, *line; (line = strtok_r(at, "\n", &at)); tried++)
            for (int side = 0; side < 2; side++) {
                double far = worst(L, *e, arguments(line), side ? "k" : "q");
                if (!(isfinite(far) && far <= 0x1p-31)) fail_msg("%s, %s: off by %g", (*e)->name, line, far);
            }
    }
    assert_true(tried >= 20);
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_follow_their_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
