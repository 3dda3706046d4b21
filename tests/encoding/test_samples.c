/* Every encoding of the registry against its own formula, with the arguments its descriptor names: what a new one gets for nothing.
 *
 * Both sides add at most 200 terms below 2^8 in f64, with fewer than 32 roundings a term: they differ by less than
 * 2 * 200 * 2^8 * 32 * 2^-53 < 2^-31. */
#include "lua/lab.h"

#include <math.h>

#include "encoding/encoding.h"

static const char *const PROGRAM =
    "T, d, H, g = 12, 8, 2, rng(9)\n"
    "function drawn(g, ...) return floor(randn(g, ...)*1024 + 0.5)/1024 end\n"
    "Q, K = drawn(g, T, d), drawn(g, T, d)\n"
    "function arguments(text, side)\n"
    "  local names = {T = T, d = d, H = H, side = side, Q = Q, K = K, V = K, X = side == 'k' and K or Q}\n"
    "  local g = rng(17)\n"
    "  function names.learned(...) return drawn(g, ...) end\n"
    "  return table.pack(assert(load('return ' .. text, '=sample', 't', setmetatable(names, {__index = "
    "_G})))())\n"
    "end\n"
    "function symbols(side)\n"
    "  local at = {t = reshape(range(0, T - 1), T, 1), n = range(0, T - 1)}\n"
    "  at.m = at.t\n"
    "  for c = 0, d - 1 do\n"
    "    local column = {{}, {c + 1, c + 1}}\n"
    "    at[('m[%d]'):format(c)], at[('q[%d]'):format(c)], at[('k[%d]'):format(c)] = at.m, Q[column], K[{{}, "
    "c + 1}]\n"
    "    at[('x[%d]'):format(c)] = (side == 'k' and K or Q)[column]\n"
    "  end\n"
    "  return at\n"
    "end\n"
    "function value(f, side)\n"
    "  local at, given = symbols(side), {}\n"
    "  for _, s in ipairs(f:symbols()) do given[tostring(s)] = at[tostring(s)] end\n"
    "  return evaluate(f, given)\n"
    "end\n"
    /* the columns of vectors, the heads of scores; a key that is hidden has no formula */
    "function worst(name, text, side, vectors)\n"
    "  local a, far = arguments(text, side), 0\n"
    "  local y = _G[name](table.unpack(a, 1, a.n))\n"
    "  for c = 1, vectors and y.shape[2] or y.ndim == 3 and y.shape[1] or 1 do\n"
    "    local got = vectors and y[{{}, {c, c}}] or y.ndim == 3 and y[c] or y\n"
    "    local off = abs(got - value(formula_of(name, c, table.unpack(a, 1, a.n)), side))\n"
    "    far = max{far, max(where(eq(got, -inf), 0, off))}\n"
    "  end\n"
    "  return far\n"
    "end\n";

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
    if (luaL_loadstring(L, PROGRAM) != LUA_OK || lua_pcall(L, 0, 0, 0) != LUA_OK)
        fail_msg("%s", lua_tostring(L, -1));
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
