/* stream.c: what Lua prints becomes stream events.
 *
 * Invariant: everything printed before an event is sent before it, and a character is never cut in two between events.
 * A cell that prints now and then is shown at once; one that prints in a tight loop is gathered into larger events.
 * Exception: a script run in-process writes its bytes straight to the process's own stdout and stderr.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "session/core.h"

#define WINDOW         0.05 /* seconds; in each so many events go out at once: */
#define WINDOW_FLUSHES 32
#define SHOWN_MOST     ((size_t)1 << 20)

/* ---- JSON values --------------------------------------------------------------------------------------- */

json_t *ses_json_text(const char *s, size_t n) {
    size_t len;
    char *clean = ph_utf8_clean(&len, s, n);
    json_t *j = clean ? json_stringn_nocheck(clean, len) : NULL;
    ph_free(clean);
    return j;
}

json_t *ses_json_shown(const ses_core *c, const char *s, size_t n) {
    ph_text shown = {0};
    size_t most = SHOWN_MOST;
    if (n <= most || !c->host.read_line) return ses_json_text(s, n);
    while (most > 0 && ((unsigned char)s[most] & 0xC0) == 0x80) most--; /* no character is cut in two */
    ph_put(&shown, s, most);
    ph_putf(&shown, c->zh ? "\n……其余 %zu 字节没有显示" : "\n... %zu more bytes, not shown", n - most);
    json_t *j = shown.failed ? NULL : ses_json_text(shown.s, shown.n);
    ph_free(shown.s);
    return j;
}

json_t *ses_json_number(double x) {
    if (isnan(x)) return json_string("nan");
    if (isinf(x)) return json_string(x > 0 ? "inf" : "-inf");
    return json_real(x);
}

/* ---- sending ------------------------------------------------------------------------------------------- */

static void send_event(ses_core *c, json_t *event) {
    if (event) c->host.emit(c->host.user, event);
    json_decref(event);
}

static void flush(ses_core *c, bool all) {
    ses_stream *s = &c->stream;
    size_t keep = all ? 0 : ph_utf8_unfinished(s->text, s->n), n = s->n - keep;
    if (n == 0) return;
    json_t *text = ses_json_text(s->text, n);
    send_event(c,
               text ? json_pack("{s:s, s:s, s:o}", "event", "stream", "name", s->name, "text", text) : NULL);
    memmove(s->text, s->text + n, keep);
    s->n = keep;
}

void ses_stream_flush(ses_core *c) {
    if (c->direct) {
        fflush(stdout);
        fflush(stderr);
    } else flush(c, true);
}

static bool send_now(ses_stream *s) {
    double now = ph_clock();
    if (now - s->window > WINDOW) {
        s->window = now;
        s->flushes = 0;
    }
    return s->flushes++ < WINDOW_FLUSHES;
}

/* Adds to what is gathered. */
static void put(ses_core *c, const char *name, const char *text, size_t n) {
    ses_stream *s = &c->stream;
    if (c->direct) {
        fwrite(text, 1, n, strcmp(name, "stderr") == 0 ? stderr : stdout);
        return;
    }
    if (s->n && strcmp(s->name, name) != 0) flush(c, true);
    s->name = name;
    while (n > 0) {
        size_t room = sizeof s->text - s->n, k = n < room ? n : room;
        memcpy(s->text + s->n, text, k);
        s->n += k;
        text += k;
        n -= k;
        if (s->n == sizeof s->text) flush(c, false);
    }
}

void ses_stream_put(ses_core *c, const char *name, const char *text, size_t n) {
    put(c, name, text, n);
    if (!c->direct && send_now(&c->stream)) flush(c, false);
}

void ses_stream_ask(ses_core *c, const char *prompt, size_t n, bool secret) {
    json_decref(c->question);
    c->question = json_pack("{s:o, s:b}", "prompt", ses_json_text(prompt, n), "secret", secret);
}

void ses_emit(ses_core *c, json_t *event) {
    ses_stream_flush(c);
    send_event(c, event);
}

/* ---- Lua's standard files ------------------------------------------------------------------------------ */

typedef struct {
    ses_core *core;
    const char *name;
    char *line; /* stdin: the rest of what was typed; owned */
    size_t at;
} channel;

static ssize_t cookie_write(void *cookie, const char *text, size_t n) {
    channel *ch = cookie;
    ses_stream_put(ch->core, ch->name, text, n);
    return (ssize_t)n;
}

static ssize_t cookie_read(void *cookie, char *buf, size_t n) {
    channel *ch = cookie;
    if (!ch->line) {
        if (!ch->core->interactive) return 0;
        ses_stream_flush(ch->core);
        json_t *question = ch->core->question;
        ch->core->question = NULL;
        if (!question) question = json_pack("{s:s, s:b}", "prompt", "", "secret", 0);
        ch->line = ch->core->host.read_line(ch->core->host.user, ch->core, question);
        ch->at = 0;
        if (!ch->line) return 0;
    }
    size_t have = strlen(ch->line + ch->at), k = have < n ? have : n;
    memcpy(buf, ch->line + ch->at, k);
    ch->at += k;
    if (k == have) {
        ph_free(ch->line);
        ch->line = NULL;
    }
    return (ssize_t)k;
}

static int cookie_close(void *cookie) {
    channel *ch = cookie;
    ph_free(ch->line);
    ph_free(ch);
    return 0;
}

#ifdef __GLIBC__
static FILE *open_channel(channel *ch, bool reads) {
    cookie_io_functions_t f = {reads ? cookie_read : NULL, reads ? NULL : cookie_write, NULL, cookie_close};
    return fopencookie(ch, reads ? "r" : "w", f);
}
#else /* BSD, macOS */
static int fun_write(void *ch, const char *text, int n) { return (int)cookie_write(ch, text, (size_t)n); }
static int fun_read(void *ch, char *buf, int n) { return (int)cookie_read(ch, buf, (size_t)n); }
static FILE *open_channel(channel *ch, bool reads) {
    return funopen(ch, reads ? fun_read : NULL, reads ? NULL : fun_write, NULL, cookie_close);
}
#endif

/* The standard files are not closed by a program's f:close(), as in stock Lua. */
static int keep_open(lua_State *L) {
    luaL_Stream *f = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    f->closef = keep_open;
    luaL_pushfail(L);
    lua_pushliteral(L, "cannot close a standard file");
    return 2;
}

/* Pushes the file that stands for io.<name>. Raises when memory is short. */
static void push_channel(lua_State *L, ses_core *c, int which, const char *name) {
    bool reads = which == 2;
    luaL_Stream *f = bind_new_finalized(L, sizeof *f, 0);
    f->closef = NULL; /* closed, until it is open */
    f->f = NULL;
    luaL_setmetatable(L, LUA_FILEHANDLE);
    channel *ch = ph_calloc(1, sizeof *ch);
    if (!ch) luaL_error(L, "out of memory");
    ch->core = c;
    ch->name = name;
    f->f = open_channel(ch, reads);
    if (!f->f) {
        ph_free(ch);
        luaL_error(L, "cannot open %s", name);
    }
    c->files[which] = f->f;
    setvbuf(f->f, NULL, reads ? _IOFBF : _IONBF, reads ? BUFSIZ : 0);
    f->closef = keep_open;
}

/* io.<name> = file, and file becomes the default of io.write or io.read. io is at index `io`. */
static void install(lua_State *L, int io, int which, const char *name, const char *setter) {
    push_channel(L, ses_core_of(L), which, name);
    if (setter) {
        lua_getfield(L, io, setter);
        lua_pushvalue(L, -2);
        lua_call(L, 1, 0);
    }
    lua_setfield(L, io, name);
}

enum { TAB = 8 };

static int print(lua_State *L) {
    ses_core *c = ses_core_of(L);
    int n = lua_gettop(L);
    size_t column = 0;
    for (int i = 1; i <= n; i++) { /* all first: a __tostring may print or raise */
        size_t len;
        bind_push_printed(L, i, column);
        const char *s = lua_tolstring(L, -1, &len);
        column = (column + ph_utf8_width(s, len)) / TAB * TAB + TAB;
    }
    for (int i = 1; i <= n; i++) {
        size_t len;
        const char *s = lua_tolstring(L, n + i, &len);
        if (i > 1) put(c, "stdout", "\t", 1);
        put(c, "stdout", s, len);
    }
    ses_stream_put(c, "stdout", "\n", 1);
    return 0;
}

void ses_stream_open(lua_State *L) {
    ses_core *c = ses_core_of(L);
    lua_getglobal(L, LUA_IOLIBNAME);
    int io = lua_gettop(L);
    install(L, io, 0, "stdout", "output");
    install(L, io, 1, "stderr", NULL);
    if (c->host.read_line) install(L, io, 2, "stdin", "input");
    lua_pop(L, 1);
    lua_pushcfunction(L, print);
    lua_setglobal(L, "print");
}
