/* The Lua inside the binary as code: each file's code is what its text compiles to, and every file has some. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <lauxlib.h>
#include <lua.h>

#include "base/embed.h"

static const embed_file *text_of(const char *path) {
    const embed_file *f = embed_files;
    while (f->path && strcmp(f->path, path) != 0) f++;
    return f;
}

typedef struct {
    const embed_code *code;
    size_t at;
} reader;

static int compare(lua_State *L, const void *bytes, size_t n, void *to) {
    (void)L;
    reader *r = to;
    assert_true(n <= r->code->length - r->at);
    assert_memory_equal(bytes, r->code->code + r->at, n);
    r->at += n;
    return 0;
}

static void code_is_what_the_text_compiles_to(void **state) {
    (void)state;
    lua_State *L = luaL_newstate();
    assert_string_equal(embed_compiler, lua_ident);
    for (const embed_code *c = embed_codes; c->path; c++) {
        const embed_file *f = text_of(c->path);
        assert_non_null(f->path);
        lua_settop(L, 0);
        const char *chunk = lua_pushfstring(L, "=phasor:%s", c->path);
        assert_int_equal(luaL_loadbufferx(L, f->text, f->length, chunk, "t"), LUA_OK);
        reader r = {c, 0};
        lua_dump(L, compare, &r, 0);
        assert_int_equal(r.at, c->length);
    }
    lua_close(L);
}

static bool has_code(const char *path) {
    for (const embed_code *c = embed_codes; c->path; c++)
        if (strcmp(c->path, path) == 0) return true;
    return false;
}

static void every_file_of_the_program_has_code(void **state) {
    (void)state;
    int seen = 0;
    for (const embed_file *f = embed_files; f->path; f++) {
        size_t n = strlen(f->path);
        if (strncmp(f->path, "src/", 4) != 0 || strcmp(f->path + n - 4, ".lua") != 0) continue;
        if (embed_codes->path && !has_code(f->path))
            fail_msg("%s has none", f->path); /* none of them with PRECOMPILE=no */
        seen++;
    }
    assert_true(seen > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_what_the_text_compiles_to),
        cmocka_unit_test(every_file_of_the_program_has_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
