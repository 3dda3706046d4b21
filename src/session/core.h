/* core.h: one Lua state with everything a cell needs, shared by the in-process session and the worker.
 *
 * Invariant: outside ses_core_* functions the Lua stack is empty and no error can escape. Requests are answered by events
 * through `emit`; the caller says what an event is sent to.
 */
#ifndef PH_SES_CORE_H
#define PH_SES_CORE_H

#include <stdio.h>

#include "lua/bind.h"
#include "session/crumbs.h"
#include "session/prepass.h"
#include "session/session.h"

/* ---- memory.c: Lua's own memory, with a limit ---------------------------------------------------------- */

/* Lua's bytes plus live array bytes stay below `limit`, so that a runaway cell gets Lua's "not enough memory" and not the
 * system's out-of-memory killer. */
typedef struct {
    size_t used, limit;
    lua_State
        *L; /* whose memory it is, as soon as there is one: its finalizers are not refused what they need */
    ses_crumbs crumbs;
} ses_memory;

void ses_memory_init(
    ses_memory *m); /* limit: PHASOR_MEMORY in MB, else 80 % of what the machine has available */
void *ses_memory_alloc(void *memory, void *p, size_t old, size_t size); /* a lua_Alloc */
void ses_memory_end(ses_memory *m);                                     /* behind lua_close */

/* ---- the state ----------------------------------------------------------------------------------------- */

typedef struct ses_core ses_core;

/* A source text that messages may point into. */
typedef struct {
    char *name, *text;
} ses_text;

typedef struct {
    ses_on_event *emit; /* borrows the event */
    /* Called when a cell has been compiled and is about to run, and when it has run and is about to be "done", unless it has left: the
     * worker takes its snapshots here. false: this process is a snapshot that was resumed; do not run it, or not say "done", and send
     * nothing. May be NULL. */
    bool (*before_run)(void *user, ses_core *c, const char *code);
    bool (*after_run)(void *user);
    /* One line for io.read, with its line break, ph_alloc'ed; NULL: end of file. NULL pointer: the process's own stdin. */
    char *(*read_line)(void *user, ses_core *c,
                       json_t *question); /* {prompt, secret [, key, seconds]}: stolen */
    /* Called in a child that was forked to run apart: closes what belongs to the parent alone. May be NULL. */
    void (*forked)(void *user);
    void *user;
} ses_host;

/* Output on its way to becoming a stream event. */
typedef struct {
    const char *name; /* "stdout" or "stderr" */
    char text[16384];
    size_t n;
    double window; /* when the present window of immediate flushes began */
    int flushes;   /* in it */
} ses_stream;

typedef struct {
    char *message, *name, *source; /* owned or NULL */
    int line, column;
    json_t *traceback; /* owned or NULL */
} ses_fault;

struct ses_core {
    lua_State *L;
    ses_host host;
    ses_memory memory;
    ses_stream stream;
    ses_fault fault; /* filled by the message handler of the running cell */
    ses_text *texts; /* the last ones, as a ring */
    size_t ntexts, next_text;
    json_t *mime; /* what the front end accepts; owned */
    const char *startup;
    const struct luaL_Reg *functions; /* of worker/sandbox.c or here.c */
    json_t *question;                 /* what the next reading of a line asks, or NULL; owned */
    char *prompt;                     /* of the handler that wants the next input; owned; NULL: none */
    int display_id;
    int exit_code; /* of os.exit, when `exited` */
    bool exited, echo, silent, interactive, aside;
    bool in_warning, no_warnings;
    bool told_equality; /* that == between formulas compares objects: once is enough */
    bool confined;      /* from here on a stranger's program runs here: it chooses nothing that is kept */
    FILE *files[3];     /* what stands for io.stdout, io.stderr, io.stdin; closed after the state */
    bool direct;        /* the running cell's output goes to the process's own stdout */
    const char *typed;  /* the input, where several values of it are to be labelled; the request's, or NULL */
    bool zh;            /* the labels' language */
};

PH_MUST ph_status ses_core_open(ses_core **out, const ses_options *opt, const ses_host *host, ph_err *err);
void ses_core_close(ses_core *c);
/* Answers one request with events, the last of them "done". Takes nothing over. */
void ses_core_request(ses_core *c, const json_t *request);

ses_core *ses_core_of(lua_State *L);
extern const char ses_handler; /* of the function that gets the inputs */
extern const char ses_focus;   /* its address is the registry's key of what phasor.session's focus has set */

/* Pushes bind_env's table in which _G["θ"] and θ are one. May raise. */
void ses_push_env(lua_State *L);
/* Pushes the variables the user is among: those that focus has set, else the globals. */
void ses_push_globals(lua_State *L);

/* ---- eval.c -------------------------------------------------------------------------------------------- */

void ses_eval(ses_core *c, const json_t *request);
void ses_hear(ses_core *c, const json_t *request); /* "input" */
/* Compiles n bytes of code after the pre-pass with these flags: LUA_OK with a function on the stack; else nothing is on
 * the stack and c->fault says where and why. `name` starts with '=' or '@', as for lua_load. With SES_HOIST it is a cell,
 * read as an expression where it is one; *silent: it ends in ';'. */
int ses_compile(lua_State *L, const char *code, size_t n, const char *name, unsigned flags, bool *silent);
/* The value at i as the data of a display or result event: text/plain, and what its __mime offers of c->mime. May raise. */
json_t *ses_mime_bundle(lua_State *L, int i);
json_t **ses_push_json(lua_State *L); /* pushes a userdata that owns an empty JSON object; may raise */
void ses_show(lua_State *L); /* shows all values on the stack, takes them away, and makes `_` the first */
/* hint.c: what to write instead, for a syntax error at byte `at`; NULL: no idea. */
const char *ses_syntax_hint(const char *message, const char *code, size_t n, size_t at);
/* Is `value` what == or ~= in the code made of formulas that it names? Such a comparison is of objects, not of what they are for all
 * values. May raise. */
bool ses_compares_formulas(lua_State *L, const char *code, bool value);
/* Is this a slip that Lua would take for the beginning of something? */
bool ses_slipped(const char *code, size_t n);
/* A hint for an error at run time; line: what stands there, or NULL. */
const char *ses_error_hint(const char *message, const char *line);

/* ---- fault.c ------------------------------------------------------------------------------------------- */

void ses_fault_clear(ses_fault *f);
/* Message handler for lua_pcall: notes where and why in c->fault and returns its argument. */
int ses_fault_handler(lua_State *L);
/* After a failed lua_pcall: fills what the handler could not (out of memory). Pops the error value. */
void ses_fault_finish(lua_State *L, int status);
void ses_fault_at(ses_core *c, const char *code, size_t n, size_t at, const char *name, const char *message);
void ses_fault_emit(ses_core *c);
void ses_demangle_top(
    lua_State *L); /* the string at the top, if it is one, with the names as they were written; may raise */
void ses_catching_open(lua_State *L); /* may raise: pcall and xpcall that give such messages */
void ses_remember_text(ses_core *c, const char *name, const char *text,
                       size_t n); /* name without '=' or '@' */

/* ---- stream.c ------------------------------------------------------------------------------------------ */

void ses_stream_open(lua_State *L); /* may raise: io.stdout, io.stderr, io.stdin, print */
void ses_stream_put(ses_core *c, const char *name, const char *text, size_t n);
void ses_stream_flush(ses_core *c);
/* The next line that is read from standard input is asked for with this prompt. */
void ses_stream_ask(ses_core *c, const char *prompt, size_t n, bool secret);
/* Sends what was printed before it, then the event; takes the reference. */
void ses_emit(ses_core *c, json_t *event);
void ses_emit_done(ses_core *c, const char *status); /* the end of a request that runs nothing */
/* A JSON string of any bytes: invalid UTF-8 becomes U+FFFD. NULL: out of memory. */
json_t *ses_json_text(const char *s, size_t n);
/* The same, and behind the first megabyte only how much more there is; all of it where the process's own output is shown. */
json_t *ses_json_shown(const ses_core *c, const char *s, size_t n);
json_t *ses_json_number(double x); /* "nan", "inf", "-inf" as strings */

int ses_open_above(lua_State *L); /* above.c: the table of require "phasor.session" */

/* ---- library.c: load, require, os.exit, progress, display … */
void ses_set_env(lua_State *L, int env); /* of the function on top: the table at env, where there is one */
void ses_library_open(lua_State *L);     /* may raise */
void ses_library_rows(lua_State *L);     /* may raise; display, progress, clear as names of the laboratory */
void ses_on_progress(void *ctx, const char *text,
                     double fraction); /* what C work tells, as an event; ctx: the core */

/* ---- here.c, disk.c: functions of phasor.session ------------------------------------------------------- */

extern const struct luaL_Reg ses_here[]; /* those of ses_options.functions, run in this process */
int ses_save(lua_State *L);              /* save(path, text [, public or "program"]) */
int ses_program(lua_State *L);           /* program(): the file that runs; or nil and why it is not known */
int ses_whos(lua_State *L);              /* whos(), a name of the laboratory */
int ses_sha256(lua_State *L);            /* sha256(text) */
int ses_lock(
    lua_State *
        L); /* lock(path [, "shared" or "wait"]): the file is this process's until its end; a handle, or nil and why not */
int ses_unlock(lua_State *L); /* unlock(handle) */
int ses_sweep(lua_State *L);  /* sweep(folder): what killed processes were writing there goes */

/* ---- front.c: functions of phasor.session -------------------------------------------------------------- */

int ses_page(lua_State *L);   /* page([heading [, rows]]) */
int ses_prefer(lua_State *L); /* prefer(lang) */
int ses_key(lua_State *L);    /* key([seconds]) */
/* A value with a metamethod __play(value, key, settings) is moved by keys where someone sits at a terminal: true. May raise. */
bool ses_play(lua_State *L, int i);
/* A value with a metamethod __lines(value), which returns a function that gives its lines, the next at each call, then nil, is shown line by
 * line as they come where someone sits at a terminal: true. May raise. */
bool ses_lines(lua_State *L, int i);

/* ---- interrupt.c --------------------------------------------------------------------------------------- */

enum { SES_RUN = 0, SES_INTERRUPTED, SES_EXITING };

void ses_coroutines_open(lua_State *L); /* may raise: coroutine.resume, wrap and close that keep track */
void ses_cell_begins(lua_State *L);     /* clears flags; from here on ses_stop reaches it */
int ses_cell_ends(lua_State *L);        /* SES_RUN, or why it was stopped */
void ses_stop(int why); /* async-signal-safe: raise in whatever runs until the cell has ended */
int ses_stopping(void);
/* For work that keeps what it has: true when an interrupt ended it. The interrupt is over then, and the cell goes on. */
bool ses_caught(void *core);

/* ---- complete.c, finished.c, inspect.c; they never run user code --------------------------------------------------- */

void ses_complete(ses_core *c, const json_t *request);
void ses_inspect(ses_core *c, const json_t *request);
void ses_is_complete(ses_core *c, const json_t *request);

#endif
