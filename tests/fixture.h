/* fixture.h: programs in Lua that a test runs, in the file beside it: tests/ROOM/test_X.lua holds those of test_X.c, each under a line
 * `-- @NAME`. Wherever a test's helpers take code, "@NAME" stands for the program of that name. What has up to three lines may
 * stand in C; tests/house/test_fixtures.sh sees to that. */
#ifndef PH_TESTS_FIXTURE_H
#define PH_TESTS_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *fixture_text; /* the whole file; tests change folders, so it is read before main */

/* Programs that were asked for; held here, so that no leak is seen where a test has let go of one. */
typedef struct fixture_copy {
    struct fixture_copy *before;
    char text[];
} fixture_copy;
static __attribute__((unused)) fixture_copy *fixture_copies;

static __attribute__((constructor)) void fixture_read(void) {
    char path[512];
    int n = snprintf(path, sizeof path, "%s", __BASE_FILE__);
    if (n < 2 || (size_t)n + 2 >= sizeof path) abort();
    strcpy(path + n - 1, "lua");
    FILE *f = fopen(path, "rb");
    if (!f) return;
    long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
    fixture_text = size < 0 ? NULL : calloc(1, (size_t)size + 2);
    if (!fixture_text) abort();
    *fixture_text = '\n'; /* so that the first line, too, has one before it */
    rewind(f);
    if (fread(fixture_text + 1, 1, (size_t)size, f) != (size_t)size) abort();
    fclose(f);
}

/* The program that "@NAME" stands for, without the blank lines at its end; any other code as it is. Never given back: a few
 * programs to a test. */
static __attribute__((unused)) const char *fixture(const char *code) {
    if (*code != '@') return code;
    size_t name = strlen(code);
    const char *at = fixture_text;
    while (at && (strncmp(at + 4, code, name) || at[4 + name] != '\n')) at = strstr(at + 1, "\n-- @");
    if (!at) {
        fprintf(stderr, "%s: no program %s in the file beside it\n", __BASE_FILE__, code);
        abort();
    }
    at += 5 + name;
    const char *end = strstr(at, "\n-- @");
    size_t n = end ? (size_t)(end - at) : strlen(at);
    while (n && at[n - 1] == '\n') n--;
    fixture_copy *copy = calloc(1, sizeof *copy + n + 1);
    if (!copy) abort();
    copy->before = fixture_copies;
    fixture_copies = copy;
    return memcpy(copy->text, at, n);
}

#endif
