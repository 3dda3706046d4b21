/* precompile FILE.lua...: a C file with the files as Lua's own code, for base/embed.h. The build runs it, linked with the Lua that the
 * program will use; the program takes such code only where its Lua says that it is the same one, and else reads the text. */
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

static int write_bytes(lua_State *L, const void *bytes, size_t n, void *file) {
    (void)L;
    for (size_t i = 0; i < n; i++) fprintf(file, "%d,", ((const unsigned char *)bytes)[i]);
    fputc('\n', file);
    return 0;
}

static char *text_of(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        *length = (size_t)ftell(f);
        rewind(f);
        text = malloc(*length + 1);
        if (text && fread(text, 1, *length, f) != *length) free(text), text = NULL;
    }
    if (f) fclose(f);
    return text;
}

static int compile(lua_State *L, const char *path, int i) {
    size_t length;
    char *text = text_of(path, &length);
    if (!text) return fprintf(stderr, "precompile: cannot read %s\n", path), 1;
    int st = luaL_loadbufferx(L, text, length, lua_pushfstring(L, "=phasor:%s", path), "t");
    free(text);
    if (st != LUA_OK) return fprintf(stderr, "precompile: %s\n", lua_tostring(L, -1)), 1;
    printf("static const unsigned char c%d[] = {\n", i);
    lua_dump(L, write_bytes, stdout, 0); /* with names and lines: faults are told with them */
    printf("};\n");
    lua_settop(L, 0);
    return 0;
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    if (!L) return 1;
    printf("#include \"base/embed.h\"\n");
    for (int i = 1; i < argc; i++)
        if (compile(L, argv[i], i) != 0) return 1;
    printf("const char embed_compiler[] = \"");
    for (const char *c = lua_ident; *c; c++) printf("\\%03o", (unsigned)(unsigned char)*c);
    printf("\";\nconst embed_code embed_codes[] = {\n");
    for (int i = 1; i < argc; i++) printf("    {\"%s\", c%d, sizeof c%d},\n", argv[i], i, i);
    printf("    {0, 0, 0}};\n");
    lua_close(L);
    return fflush(stdout) == 0 ? 0 : 1;
}
