/* readers_lua.c: the readers that are Lua: what the course and its documents read, in one session of this process. */
#include "fixture.h"
#include "readers.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "session/core.h"

enum { PATIENCE = 20000 }; /* texts */

static ses_core *core;
static uint64_t texts, news; /* that were read; how many, when a step was taken for the first time */

static void ignore(void *user, json_t *event) { (void)user, (void)event; }

/* A step from one line to the next, in whatever file: to ask for the file's name would cost more than the line. */
static void count_line(lua_State *L, lua_Debug *at) {
    static uint32_t before;
    static bool known[READER_LINES];
    (void)L;
    uint32_t now = (uint32_t)at->currentline * 2654435761u, step = (before ^ now) >> (32 - READER_LINES_BITS);
    reader_lines[step]++;
    if (!known[step]) known[step] = true, news = texts;
    before = now >> 1;
}

/* To look at lines takes more time than to run them. When the last texts took no step that none took before, every eighth is looked at. */
static void look_at_lines(lua_State *L) {
    bool look = reader_lines && (texts - news < PATIENCE || texts % 8 == 0);
    texts++;
    lua_sethook(L, look ? count_line : NULL, look ? LUA_MASKLINE : 0, 0);
}

static void tidy(void) {
    lua_sethook(core->L, NULL, 0, 0);
    ses_core_close(core);
}

static lua_State *session_of_readers(void) {
    if (core) return core->L;
    ph_err err = {.text = ""};
    ses_options options = {0};
    ses_host host = {.emit = ignore};
    setenv("PHASOR_PROGRESS", "progress.json", 1); /* in no folder of this disk (readers_lua.lua) */
    reader_must(ses_core_open(&core, &options, &host, &err) == PH_OK, "session", err.text);
    lua_State *L = core->L;
    if (luaL_dostring(L, fixture("@prelude")) != LUA_OK) reader_must(false, "session", lua_tostring(L, -1));
    lua_setfield(L, LUA_REGISTRYINDEX, "readers");
    atexit(tidy);
    return L;
}

/* path: of a file with that text, or NULL. */
static void run(const char *name, const char *text, size_t n, const char *path) {
    lua_State *L = session_of_readers();
    lua_getfield(L, LUA_REGISTRYINDEX, "readers");
    lua_getfield(L, -1, name);
    lua_pushlstring(L, text, n);
    lua_pushstring(L, path);
    look_at_lines(L);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) reader_must(false, name, luaL_tolstring(L, -1, NULL));
    lua_settop(L, 0);
}

static void run_bytes(const char *name, const uint8_t *text, size_t n) {
    run(name, (const char *)text, n, NULL);
}

static void run_file(const char *name, const uint8_t *text, size_t n) {
    run(name, "", 0, reader_file(text, n));
}

/* What is no UTF-8 was refused before it comes here. */
static void run_text(const char *name, const uint8_t *text, size_t n) {
    char *clean = ph_utf8_clean(&n, (const char *)text, n);
    reader_must(clean != NULL, name, "no memory");
    run(name, clean, n, NULL);
    ph_free(clean);
}

#define READER(name, way)                                                                                    \
    static void read_##name(const uint8_t *text, size_t n) { way(#name, text, n); }
READER(json, run_bytes)
READER(handin, run_bytes)
READER(answers, run_bytes)
READER(lesson, run_bytes)
READER(progress, run_bytes)
READER(prose, run_text)
READER(tex, run_text)
READER(display, run_text)
READER(mathml, run_text)
READER(harmless, run_bytes)
READER(parcel, run_bytes)
READER(decimal, run_bytes)
READER(config, run_file)
READER(index, run_file)
READER(results, run_bytes)

const reader readers_lua[] = {
    {"json", read_json, 512},
    {"handin", read_handin, 1024},
    {"answers", read_answers, 1024},
    {"lesson", read_lesson, 1024},
    {"progress", read_progress, 1024},
    {"prose", read_prose, 512},
    {"tex", read_tex, 256},
    {"display", read_display, 256},
    {"mathml", read_mathml, 256},
    {"harmless", read_harmless, 256},
    {"parcel", read_parcel, 512},
    {"decimal", read_decimal, 128},
    {"config", read_config, 512},
    {"index", read_index, 512},
    {"results", read_results, 512},
    {NULL, NULL, 0},
};
