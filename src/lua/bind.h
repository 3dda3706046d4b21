/* bind.h: how C reaches the student. A function is a table row: its name, the function, its arguments, its help, a
 * runnable example. help(f), completion, `??? word`, the example tests and the reference all read these rows.
 *
 * Invariant: in a binding, arguments are read and checked first, then a userdata that owns every foreign resource is
 * made and initialised before its metatable is set, then the work runs with no Lua call inside, then results are
 * pushed. Only raise.c raises.
 */
#ifndef PH_LUA_BIND_H
#define PH_LUA_BIND_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#include "array/op.h"

typedef struct {
    const char *name;    /* global name ("matmul"), or "Array:copy" for a method, or "Complex.re" for a field */
    lua_CFunction fn;    /* NULL in a row that only documents (an operation of op.h, an operator, a field) */
    const char *args;    /* "A, B" or "x [, axis] [, {keep=true}]" */
    const char *help;    /* first line: what it is, under 72 columns. Then shapes, units, domain, errors, source. */
    const char *example; /* Lua lines. A line `expr  --> text` must print exactly text (the tests run it); `--> error: part`
                            expects an error whose message contains part. Further lines of a long print: `--| text`. */
} bind_row;

/* Registers rows (ended by name == NULL): functions into the laboratory's table, methods into their metatable, all into
 * the help index. */
void bind_rows(lua_State *L, const bind_row *rows);

/* Opens the laboratory in L: leaves the table of its functions on the stack (what require "phasor" returns). */
int bind_open(lua_State *L);

/* ---- values ------------------------------------------------------------------------------------------------- */

/* Operand kinds, in order of dispatch: the highest kind among the operands runs the operation. A room that brings a kind
 * (traced arrays, formulas) adds a row in dispatch.c and nothing else. */
typedef enum { KIND_NONE, KIND_BOOLEAN, KIND_NUMBER, KIND_COMPLEX, KIND_ARRAY, KIND_TRACED, KIND_EXPR, KIND_COUNT } bind_kind;
bind_kind bind_kind_of(lua_State *L, int i);

void bind_push_arr(lua_State *L, arr *a);            /* takes the reference over, leaves ARR_NONE; 0-d stays an array */
void bind_push_result(lua_State *L, arr *a);         /* as above, but a 0-d array becomes a number, boolean or complex */
arr *bind_test_arr(lua_State *L, int i);             /* the array at i, or NULL */
arr *bind_check_arr(lua_State *L, int i, const char *who, const char *what);
/* An operand at i as an array: array, number, boolean, complex, or a (nested) table of them. Numbers become 0-d. The
 * array is anchored in a userdata pushed on the stack when one had to be made, so that an error leaks nothing. */
const arr *bind_operand(lua_State *L, int i, const char *who, const char *what);

void bind_push_complex(lua_State *L, arr_c128 z);    /* always the complex userdata */
bool bind_test_complex(lua_State *L, int i, arr_c128 *z);

/* ---- raise.c: the one place that raises ------------------------------------------------------------------- */

/* Raises "file:line: text" at the user's line (never a line of the prelude). Never returns. */
int bind_raise(lua_State *L, const ph_err *err);
int bind_raisef(lua_State *L, const char *fmt, ...) PH_PRINTF(2, 3);
/* "who: what is SEEN; wanted WANTED" with a short picture of the value at i. */
int bind_raise_arg(lua_State *L, int i, const char *who, const char *what, const char *wanted);
/* "unknown field 'shpae' of an array; did you mean 'shape'?"; names come from the table at index t. */
int bind_raise_unknown(lua_State *L, const char *of, const char *name, int t);

int64_t bind_check_int(lua_State *L, int i, const char *who, const char *what, int64_t lo, int64_t hi);
double bind_check_num(lua_State *L, int i, const char *who, const char *what);

#endif
