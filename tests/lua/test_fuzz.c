/* Bad input to everything: each public function is called with every short list of nasty values. Allowed are
 * a result and a message for a person, "...: ...", without C paths and without words of Lua's own that would
 * mean the prelude stumbled.
 */
#include "lab.h"

typedef struct {
    lua_State *L;
    int n; /* values at 1..n */
    long calls;
    int wrong;
    const char *name;
} fuzz;

static void open_fuzz(fuzz *f) {
    lua_State *L = f->L = lab_open();
    f->calls = f->wrong = f->n = 0;
    assert_int_equal(luaL_dostring(L, fixture("@values")), LUA_OK);
    luaL_checkstack(L, 200, NULL);
    for (int t = 1; t <= 2; t++) {
        lua_getfield(L, t, "n");
        int n = (int)lua_tointeger(L, -1);
        lua_pop(L, 1);
        for (int k = 1; k <= n; k++) lua_rawgeti(L, t, k), f->n++;
    }
    lua_remove(L, 1);
    lua_remove(L, 1);
    assert_int_equal(lua_gettop(L), f->n);
}

static bool fit_for_a_person(const char *s) {
    const char *colon = s ? strstr(s, ": ") : NULL;
    return colon && colon < s + strcspn(s, "\n") && !strstr(s, "src/") && !strstr(s, ".c:") &&
           !strstr(s, "attempt to") && !strstr(s, "prelude") && !strstr(s, "bad argument");
}

static void describe(fuzz *f, const int *args, int n) {
    print_error("%s(", f->name);
    for (int k = 0; k < n; k++) {
        print_error("%s#%d %s", k ? ", " : "", args[k], luaL_typename(f->L, args[k]));
    }
    print_error(")");
}

/* Calls the function at the top of the stack (left there) with the values at the given indices. */
static void call(fuzz *f, const int *args, int n) {
    lua_State *L = f->L;
    int top = lua_gettop(L);
    lua_pushvalue(L, top);
    for (int k = 0; k < n; k++) lua_pushvalue(L, args[k]);
    f->calls++;
    int status = lua_pcall(L, n, LUA_MULTRET, 0);
    bool text = status == LUA_OK || (lua_type(L, -1) == LUA_TSTRING && fit_for_a_person(lua_tostring(L, -1)));
    if (!text && f->wrong++ < 20) {
        describe(f, args, n);
        print_error(" gave status %d: %s\n", status, luaL_tolstring(L, -1, NULL));
    }
    lua_settop(L, top);
}

/* Every list of no, one and two values, and a third value after every ninth pair. */
static void call_with_everything(fuzz *f) {
    int args[3];
    call(f, args, 0);
    for (args[0] = 1; args[0] <= f->n; args[0]++) {
        call(f, args, 1);
        for (args[1] = 1; args[1] <= f->n; args[1]++) {
            call(f, args, 2);
            args[2] = (args[0] * 7 + args[1] * 11 + (int)strlen(f->name)) % f->n + 1;
            if ((args[0] + args[1]) % 3 == 0) call(f, args, 3);
        }
    }
}

/* Pushes the function that a row documents: a global or a method; false when it documents something else. */
static bool push_function(lua_State *L, const char *name) {
    const char *colon = strchr(name, ':');
    if (!colon) {
        luaL_requiref(L, "phasor", NULL, 0);
        lua_pushstring(L, name);
        bool there = lua_rawget(L, -2) == LUA_TFUNCTION;
        if (!there && luaL_getmetafield(L, -1, "__call") != LUA_TNIL) there = (lua_pop(L, 1), true);
        lua_remove(L, -2);
        if (!there) lua_pop(L, 1);
        return there;
    }
    lua_pushfstring(L, "phasor.%s", name);
    lua_pushlstring(L, lua_tostring(L, -1), 7 + (size_t)(colon - name));
    lua_rawget(L, LUA_REGISTRYINDEX);
    lua_getfield(L, -1, "methods");
    lua_getfield(L, -1, colon + 1);
    lua_replace(L, -4);
    lua_pop(L, 2);
    return true;
}

static void every_function(void **state) {
    (void)state;
    fuzz f;
    const bind_row *r;
    open_fuzz(&f);
    for (int i = 0; (r = bind_help_each(f.L, i, NULL)); i++) {
        if (strpbrk(r->name, ". ") || !push_function(f.L, r->name)) continue;
        f.name = r->name;
        call_with_everything(&f);
        lua_settop(f.L, f.n);
    }
    print_message("%ld calls\n", f.calls);
    lua_close(f.L);
    assert_int_equal(f.wrong, 0);
}

/* Lua itself speaks of operands that are no one's (nil + a table); such words carry the chunk's name and line
 * too. */
static bool fit_or_lua(const char *s) {
    return s && strncmp(s, "t:1: ", 5) == 0 && !strstr(s, "src/") && !strstr(s, ".c:");
}

static bool raised_by_the_values(const char *s) {
    return s && (strstr(s, "touched") || strstr(s, "mine: raised"));
}

/* Runs the chunk at `fn` with three values. */
static void run_form(fuzz *f, int fn, int a, int b, int c) {
    lua_State *L = f->L;
    int top = lua_gettop(L);
    lua_pushvalue(L, fn);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_pushvalue(L, c);
    f->calls++;
    if (lua_pcall(L, 3, LUA_MULTRET, 0) != LUA_OK) {
        const char *text = lua_tostring(L, -1);
        if (!fit_or_lua(text) && !raised_by_the_values(text) && f->wrong++ < 20)
            print_error("%s with #%d, #%d, #%d: %s\n", f->name, a, b, c, luaL_tolstring(L, -1, NULL));
    }
    lua_settop(L, top);
}

/* Indexing, assignment and every operator: each subject of ours with every value, in both orders. */
static void every_operator(void **state) {
    (void)state;
    static const char *const forms[] = {"return a[b]",
                                        "return a[{b}]",
                                        "return a[{b, c}]",
                                        "return a[{{b, c}}]",
                                        "return a[{{b, c, 2}, {}}]",
                                        "return a(b)",
                                        "return a(b, c)",
                                        "return a + b",
                                        "return a - b",
                                        "return a * b",
                                        "return a / b",
                                        "return a ^ b",
                                        "return a % b",
                                        "return a // b",
                                        "return a .. b",
                                        "return a == b",
                                        "return a < b",
                                        "return a <= b",
                                        "return -a",
                                        "return #a",
                                        "return tostring(a)",
                                        "return a & b",
                                        "return a.shape",
                                        "return a[b][c]",
                                        "return a.T",
                                        "return a.re",
                                        "return ipairs(a)",
                                        "a[b] = c",
                                        "a[{b}] = c",
                                        "a[{b, c}] = b",
                                        "a[{{b, c}}] = c",
                                        "for k, v in pairs(a) do end",
                                        "a.shape = b",
                                        NULL};
    fuzz f;
    open_fuzz(&f);
    assert_int_equal(
        luaL_dostring(f.L, "return zeros(2, 2), zeros(0), array(1), array{1 + I}, complex(1, 2), rng(2),"
                           " zeros(3, {dtype='bool'})"),
        LUA_OK);
    int subjects = lua_gettop(f.L) - f.n, fn = lua_gettop(f.L) + 1;
    for (int k = 0; forms[k]; k++) {
        char code[200];
        snprintf(code, sizeof code, "local a, b, c = ...; %s", forms[k]);
        assert_int_equal(luaL_loadbufferx(f.L, code, strlen(code), "=t", "t"), LUA_OK);
        f.name = forms[k];
        for (int s = f.n + 1; s <= f.n + subjects; s++)
            for (int b = 1; b <= f.n; b++) {
                run_form(&f, fn, s, b, (b * 5 + s * 3 + k) % f.n + 1);
                run_form(&f, fn, b, s, (b * 5 + s * 3 + k) % f.n + 1);
            }
        lua_settop(f.L, fn - 1);
    }
    print_message("%ld calls\n", f.calls);
    lua_close(f.L);
    assert_int_equal(f.wrong, 0);
}

/* The judge can say no. */
static void the_judge_can_fail(void **state) {
    (void)state;
    assert_true(fit_for_a_person("t:1: sin: operand 1 is nil; wanted a number"));
    assert_false(fit_for_a_person("out of luck"));
    assert_false(fit_for_a_person("src/lua/bind.c:3: no"));
    assert_false(fit_for_a_person("phasor:prelude:7: attempt to index a nil value"));
    assert_false(fit_for_a_person(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function),
        cmocka_unit_test(every_operator),
        cmocka_unit_test(the_judge_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
