/* bind.h: how C reaches the student. A function is a table row: its name, the function, its arguments, its
 * help, a runnable example. help(f), completion, `??? word`, the example tests and the reference all read
 * these rows.
 *
 * Invariant: in a binding, arguments are read and checked first, then a userdata that owns every foreign
 * resource is made and initialised before its metatable is set, then the work runs with no Lua call inside,
 * then results are pushed. Only raise.c raises.
 */
#ifndef PH_LUA_BIND_H
#define PH_LUA_BIND_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "array/op.h"

typedef struct {
    const char *name; /* global name ("matmul"), "Array:copy" for a method, "Complex.re" for a field, "#
                         linear algebra" for a heading: the topic of the rows after it */
    lua_CFunction fn; /* a function or method; for a field its getter (the object is at 1). NULL in a row that
                         only documents (an operation of op.h, an operator) */
    const char *args; /* "A, B" or "x [, axis] [, {keep=true}]" */
    const char
        *help; /* first line: what it is, under 72 columns. Then shapes, units, domain, errors, source. */
    const char *example; /* Lua lines. A line `expr  --> text` must print exactly text (the tests run it);
                            `--> error: part` expects an error whose message contains part. Further lines of a
                            long print: `--| text`. */
} bind_row;

/* Registers rows (ended by name == NULL): functions into the laboratory's table, methods and fields into
 * their class, all into the help index. The rows stay the caller's and must outlive L. */
void bind_rows(lua_State *L, const bind_row *rows);

/* Opens the laboratory in L, where the standard libraries are open: leaves the table of its functions on the
 * stack (what require "phasor" returns). */
int bind_open(lua_State *L);

/* Does Lua run a finalizer? An allocator asks; makes no change to L. Lua says no more than that its collector may not be asked: by
 * -1, before 5.4.4 as if it were stopped. */
static inline bool bind_finalizing(lua_State *L) {
    return lua_gc(L, LUA_GCISRUNNING) == (LUA_VERSION_RELEASE_NUM >= 50404 ? -1 : 0);
}

/* To be called before lua_close: from here on finalizers that want anything of the laboratory get an error. */
void bind_close(lua_State *L);
/* Pushes a userdata that is to get a class with a finalizer. After bind_close it raises in finalizers: Lua would never call the new one's. */
void *bind_new_finalized(lua_State *L, size_t size, int values);

/* Pushes a fresh table for a student's globals: reads fall through to the laboratory's names, then the
 * standard ones; an unknown name raises with the nearest one (a name once assigned may be nil); the first
 * assignment to each of the laboratory's names gives a lua_warning. Its _G is itself. */
void bind_env(lua_State *L);

/* The screen that tostring(array) fills; 80 by 24 to begin with. */
void bind_set_screen(lua_State *L, int columns, int rows);
/* What that screen can show in a picture: 0, 256 or 1 << 24 colours (0 to begin with), Unicode or ASCII only; and how many pixels
 * wide an image is to be (0: as it is). */
void bind_set_pictures(lua_State *L, int colours, bool unicode, int pixels);

/* Hears how far long work in C has come: text and a fraction from 0 to 1. Makes no Lua call. NULL: nobody listens. */
typedef void bind_on_progress(void *ctx, const char *text, double fraction);
void bind_set_progress(lua_State *L, bind_on_progress *on, void *ctx);

/* Asked when work that keeps what it has when it is interrupted has ended with an error: true when an interrupt was the cause,
 * which is over then. NULL: ph_interrupt_flag decides. */
typedef bool bind_on_caught(void *ctx);
void bind_set_caught(lua_State *L, bind_on_caught *on, void *ctx);

/* Pushes what a prompt shows for the value at i: as tostring, but a table shows its entries and nothing shows
 * an address. May raise what a __tostring raises. */
void bind_display(lua_State *L, int i);
/* Pushes a function of lib/mime.lua: "list", what a table without forms of its own offers; "joined", of several values. */
void bind_push_mime(lua_State *L, const char *name);
/* Pushes what is said of an error, in Chinese where there are words for it (lib/faults.lua). */
void bind_push_told(lua_State *L, const char *message);
/* Warns in the language that the session speaks. The text stands on the stack. */
void bind_warn(lua_State *L, const char *text);
/* How verdicts are shown from now on: in which language ("en" to begin with), and broken into lines of so many columns (0, to begin
 * with: not at all). tostring gives the English line in any case. */
void bind_set_verdicts(lua_State *L, const char *lang, int columns);
/* What is said while something runs: the text at i or, of a table {en =, zh =}, the text of the language that verdicts are shown in, which
 * takes its place; NULL: neither. */
const char *bind_said(lua_State *L, int i, size_t *n);
/* Pushes the word of a strength ("proved") in a language; false, and nothing is pushed: no such one. */
bool bind_push_strength(lua_State *L, const char *strength, const char *lang);
/* Pushes what print shows for the value at i behind so many columns of its line. */
void bind_push_printed(lua_State *L, int i, size_t column);

/* ---- the help index ------------------------------------------------------------------------------------ */

const bind_row *bind_help_find(lua_State *L, const char *name); /* NULL: no such row */
/* The i-th row (0-based, order of registration, headings left out), NULL past the end; *topic may be NULL. */
const bind_row *bind_help_each(lua_State *L, int i, const char **topic);
/* Pushes the help text of a name in 80 columns and returns true, or pushes nothing. Without detail: usage and
 * summary. */
bool bind_help_text(lua_State *L, const char *name, bool detail, bool zh);

/* ---- values -------------------------------------------------------------------------------------------- */

/* Operand kinds, in order of dispatch: the highest kind among the operands runs the operation. A room that
 * brings a kind (traced arrays, formulas) adds a row in dispatch.c and nothing else. */
typedef enum {
    KIND_NONE,
    KIND_BOOLEAN,
    KIND_NUMBER,
    KIND_COMPLEX,
    KIND_ARRAY,
    KIND_TRACED,
    KIND_EXPR,
    KIND_COUNT
} bind_kind;
bind_kind bind_kind_of(lua_State *L, int i);

/* One call of an operation: operands at stack 1..n, everything else in attrs. */
typedef struct {
    int n;
    op_attrs attrs;
} bind_call;

/* Runs `row` on the operands at stack 1..call->n, the highest of which has this kind; returns the number of
 * results. */
typedef int bind_apply(lua_State *L, const op *row, const bind_call *call);
void bind_kind_set(lua_State *L, bind_kind kind, bind_apply *apply);

void bind_push_arr(lua_State *L, arr *a); /* takes the reference over, leaves ARR_NONE; 0-d stays an array */
void bind_push_result(lua_State *L,
                      arr *a);           /* as above, but a 0-d array becomes a number, boolean or complex */
arr *bind_new_arr(lua_State *L);         /* pushes an empty array to be filled; also drives the collector */
arr *bind_test_arr(lua_State *L, int i); /* the array at i, or NULL */
arr *bind_check_arr(lua_State *L, int i, const char *who, const char *what);
/* An operand at i as an array: array, number, boolean, complex, or a (nested) table of them. Numbers become
 * 0-d. What had to be made replaces the value at stack index i (an absolute one), so that an error leaks
 * nothing. */
arr *bind_operand(lua_State *L, int i, const char *who, const char *what);

void bind_push_complex(lua_State *L, arr_c128 z);         /* always the complex userdata */
bool bind_test_complex(lua_State *L, int i, arr_c128 *z); /* false for plain numbers */
bool bind_exact_complex(lua_State *L, int i); /* made of integers and I without rounding; integers too */

/* A class of userdata: pushes a new metatable, also found as luaL_getmetatable "phasor.<name>". Its __index
 * serves the rows "name:method" and "name.field" and raises on any other name. `kind` is KIND_NONE for what
 * is no operand. */
void bind_class(lua_State *L, const char *name, bind_kind kind, const luaL_Reg *metamethods);

/* ---- raise.c: the one place that raises ---------------------------------------------------------------- */

/* Raises "file:line: text" at the user's line (never a line of a chunk named "=phasor:..."). Never returns.
 */
int bind_raise(lua_State *L, const ph_err *err);
/* "WHO: message", and the kind before the message where no method or the budget was the reason. */
int bind_raise_from(lua_State *L, const char *who, const ph_err *err);
/* Is the error at i a contradiction inside the program? What catches errors for the user hands it on. */
bool bind_is_bug(lua_State *L, int i);
/* What the message at the top of L says, raised at this level of `from`, becomes what the user can read: where our Lua called a C function
 * that raised, its place is ours, and the name it has there too. What our Lua calls by itself it calls by its own name (`format`): there
 * the place is a bug's and stays. What it calls by another one (`f`) the user handed over: the place is the user's line then. */
void bind_users_place(lua_State *L, lua_State *from, int level);
int bind_users_words(lua_State *L); /* the same, as a message handler */
/* The same with another place in front, that of an earlier line; source NULL: as bind_raise. */
int bind_raise_at(lua_State *L, const char *source, int line, const ph_err *err);
int bind_raisef(lua_State *L, const char *fmt, ...) PH_PRINTF(2, 3);
/* "who: what is SEEN; wanted WANTED" with a short picture of the value at i. */
int bind_raise_arg(lua_State *L, int i, const char *who, const char *what, const char *wanted);
/* "unknown field 'shpae' of an array; did you mean 'shape'?"; names are the string keys of the table at index
 * t. */
int bind_raise_unknown(lua_State *L, const char *of, const char *name, int t);

int64_t bind_check_int(lua_State *L, int i, const char *who, const char *what, int64_t lo, int64_t hi);
double bind_check_num(lua_State *L, int i, const char *who, const char *what);
/* Wrong number of arguments: "sin: 3 arguments given; wanted 1". */
void bind_check_count(lua_State *L, const char *who, int lo, int hi);
/* The value at i is an option table whose keys are all among `names` (ended by NULL), else it raises with the
 * nearest. */
void bind_check_options(lua_State *L, int i, const char *who, const char *const *names);

#endif
