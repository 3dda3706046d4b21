/* Renderings against those kept in tests/plot/golden, which have been looked at. GOLDEN=write writes them anew.
 * Sources: lib/pictures.lua plot/canvas.c plot/classes.c plot/colour.c plot/draw.c plot/figure.c plot/raster.c plot/svg.c plot/svg_marks.c
 * Sources: plot/terminal.c plot/terminal_marks.c plot/text.c plot/ticks.c */
#include "../lua/lab.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "golden.h"

static char *path_of(const char *name, const char *kind) {
    static char path[300];
    const char *tests = getenv("TEST_SOURCES");
    snprintf(path, sizeof path, "%s/plot/golden/%s.%s", tests ? tests : "tests", name, kind);
    return path;
}

static char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    static char text[1 << 20];
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* 1 and where they differ, unless the text is what the file holds. */
static int differs(const char *name, const char *kind, const char *text) {
    const char *golden = getenv("GOLDEN");
    if (golden && strcmp(golden, "write") == 0) write_file(path_of(name, kind), text);
    const char *kept = read_file(path_of(name, kind));
    if (!kept) {
        print_error("%s.%s is missing\n", name, kind);
        return 1;
    }
    if (strcmp(kept, text) == 0) return 0;
    size_t at = 0, line = 1;
    for (; kept[at] && kept[at] == text[at]; at++) line += kept[at] == '\n';
    print_error("%s.%s differs in line %zu: %.60s\n", name, kind, line, text + at);
    char other[100];
    const char *build = getenv("BUILD");
    snprintf(other, sizeof other, "%s/golden.%s.%s", build ? build : "build", name, kind);
    write_file(other, text);
    return 1;
}

/* Runs scene k and leaves its picture as the global p. */
static void draw_scene(lua_State *L, size_t k) {
    char code[2000];
    snprintf(code, sizeof code, "p = (function() %s end)()", scenes[k].code);
    const char *got = lab_eval(L, code);
    if (strncmp(got, "error", 5) == 0) fail_msg("%s: %s", scenes[k].name, got);
    lua_settop(L, 0);
}

static void pages(void **state) {
    (void)state;
    int wrong = 0;
    lua_State *L = lab_open();
    for (size_t k = 0; k < SCENES; k++) {
        draw_scene(L, k);
        wrong += differs(scenes[k].name, "svg", lab_eval(L, "p:svg()"));
        lua_settop(L, 0);
    }
    draw_scene(L, 0);
    wrong += differs("dark", "svg", lab_eval(L, "p:svg{theme='dark', width=500, height=300}"));
    lua_close(L);
    assert_int_equal(wrong, 0);
}

static void terminals(void **state) {
    (void)state;
    int wrong = 0;
    lua_State *L = lab_open();
    for (size_t k = 0; k < SCENES; k++) {
        draw_scene(L, k);
        wrong += differs(scenes[k].name, "txt", lab_eval(L, "@renderings"));
        lua_settop(L, 0);
    }
    lua_close(L);
    assert_int_equal(wrong, 0);
}

/* No line is wider than the screen, at any width, in any scene; escapes are left out of the count. */
static void nothing_is_wider_than_the_screen(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lab_eval(L, "function widest(s) local w = 0 for line in s:gsub('\\27%[[0-9;]*m', ''):gmatch('[^\\n]*') "
                "do local n = 0 "
                "for _, c in utf8.codes(line) do n = n + (c >= 0x2e80 and c < 0xffdc and 2 or 1) end "
                "w = math.max(w, n) end return w end");
    for (size_t k = 0; k < SCENES; k++) {
        draw_scene(L, k);
        const char *got = lab_eval(
            L,
            "for c = 1, 130 do for _, colours in ipairs{0, 256} do for _, unicode in ipairs{true, false} do "
            "local w = widest(p:text{columns=c, colours=colours, unicode=unicode}) "
            "if w > c then return ('%d columns at %d'):format(w, c) end end end end return 'fits'");
        if (strcmp(got, "fits") != 0) fail_msg("%s: %s", scenes[k].name, got);
        lua_settop(L, 0);
    }
    lua_close(L);
}

/* ASCII is nothing else, whatever stands in titles. */
static void ascii_is_ascii(void **state) {
    (void)state;
    lua_State *L = lab_open();
    for (size_t k = 0; k < SCENES; k++) {
        draw_scene(L, k);
        const char *got = lab_eval(L, "p:text{columns=80, colours=0, unicode=false}");
        for (const char *s = got; *s; s++)
            if ((unsigned char)*s > 126 || ((unsigned char)*s < 32 && *s != '\n'))
                fail_msg("%s: byte %d", scenes[k].name, *s);
        lua_settop(L, 0);
    }
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages),
        cmocka_unit_test(terminals),
        cmocka_unit_test(nothing_is_wider_than_the_screen),
        cmocka_unit_test(ascii_is_ascii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
