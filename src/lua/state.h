/* state.h: what the files of lua/ share among themselves and with no one else. */
#ifndef PH_LUA_STATE_H
#define PH_LUA_STATE_H

#include "array/dd.h"
#include "expr/expr.h"
#include "lua/bind.h"
#include "verify/verdict.h"

/* One per Lua state, in the registry. */
typedef struct {
    int columns, rows; /* the screen; at least 20 columns, for arrays */
    int narrow;        /* its columns as they are, for pictures */
    int colours;       /* of the screen: 0, 256 or 1 << 24 */
    bool ascii;        /* it shows nothing else */
    int pixels;        /* the width of images; 0: as they are */
    ver_lang lang;     /* of the verdicts that are shown... */
    int fold;          /* ... and how wide their lines are; 0: one line */
    size_t gc_limit;   /* array bytes alive at which the next full collection runs */
    size_t gc_again; /* those that the last one found alive, GC_AGAIN at most; 0: it freed a quarter of all */
    ph_status raised; /* the kind of the last error */
    int bare;         /* above 0: messages have no place in front */
    bool closing;     /* bind_close */
    bind_apply *apply[KIND_COUNT];
    bind_on_progress *on_progress;
    void *progress_ctx;
    double progress_due; /* on the clock of ph_clock: nothing is told before */
    bind_on_caught *on_caught;
    void *caught_ctx;
} bind_state;
bind_state *bind_state_of(lua_State *L);

/* Long work begins: nothing is told for 0.3 s. Then, when bind_progress_due, text and fraction are told, at most every 0.1 s.
 * None of them calls Lua. */
void bind_progress_begin(bind_state *s);
bool bind_progress_due(const bind_state *s); /* false as well when nobody listens */
void bind_tell(bind_state *s, const char *text, double fraction);

/* "1 + 2i", with digits that read back; buf of at least 80 bytes. Returns buf. */
char *bind_complex_text(char *buf, size_t cap, arr_c128 z);
/* What a message shows of the value at i: "the string "ab"", "an array of shape (2, 3)"; buf of at least 300 bytes. */
void bind_describe(lua_State *L, char *buf, size_t cap, int i);
/* Pushes a userdata that owns the ph_alloc'ed text to be put into it, even when Lua has no memory for a copy... */
void *bind_new_owner(lua_State *L, size_t size, const char *name,
                     lua_CFunction gc); /* pushes zeroed bytes that gc frees what is in */
char **bind_new_text(lua_State *L);
/* The text in it, whose status is st: pushes it, or raises. */
int bind_give_text(lua_State *L, char **text, ph_status st, const ph_err *err);
int bind_push_text(lua_State *L, char **text,
                   size_t n);               /* ... which this pushes, and frees the text; returns 1 */
void bind_reserve(lua_State *L, int slots); /* stack space, or it raises */
/* A Lua function: try(f, ...) to true and the results of f(...), or to false, the message without its place, and the kind as
 * ph_kind calls it. Interrupts and contradictions go on. */
int bind_try(lua_State *L);
int bind_rethrow(lua_State *L);                   /* raises the error at the top of the stack, as it is */
const char *bind_check_text(lua_State *L, int i); /* a string, from the prelude */
/* Raises "unknown KIND 'NAME'OF", with the nearest of the string keys of the table at t. */
int bind_raise_name(lua_State *L, const char *kind, const char *name, const char *of, int t);
/* Raises "WHO: unknown KIND 'NAME'", and the nearest string key of the table at t where one is near. */
int bind_raise_kind(lua_State *L, const char *who, const char *kind, const char *name, int t);
/* Raises "WHO: unknown option 'KEY'" with that, or with the list of them where none is near; or, where a field of the options at i (0: none)
 * holds nothing but such, with its name. */
int bind_raise_option(lua_State *L, const char *who, const char *key, int t, int i);
int bind_push_shape(lua_State *L, int ndim, const int64_t *shape); /* a list of sizes; returns 1 */
void bind_push_nearest(lua_State *L, const char *name, int t);

/* A number, boolean or complex scalar at i as a c128; *t is the dtype that holds it. */
bool bind_scalar(lua_State *L, int i, arr_c128 *z, arr_dtype *t);
/* Fills the empty *out (inside a userdata) from the nested table at i. dtype ARR_NDTYPE: the one that holds
 * every entry. */
void bind_from_table(lua_State *L, arr *out, int i, arr_dtype dtype, const char *who);
arr_dtype bind_check_dtype(lua_State *L, int i, const char *who);
/* A 1-based axis (negative from the end) as op_the attributes': 0-based, negative from the end. */
int bind_check_axis(lua_State *L, int i, const char *who);
/* Integers given either one by one from stack index i to `last` or as one table at i; returns how many (at
 * most cap). */
int bind_check_ints(lua_State *L, int i, int last, const char *who, const char *what, int64_t lo,
                    int64_t *out, int cap);

/* Numbers in 16 bits at i give way to the f32 array of the same values; false: there are none, and nothing changes. */
bool bind_widen(lua_State *L, int i);

/* Collects when the arrays alive have grown past the limit. */
void bind_collect(lua_State *L);
/* True: st says that memory ran out, and everything that nobody holds has been collected, so once more is worth it. */
bool bind_made_room(lua_State *L, ph_status st);

/* The key under which a class's metatable holds its bind_kind; only C can write it. */
extern const char bind_kind_key;
void bind_push_lab(lua_State *L); /* the table of functions */
void bind_help_add(lua_State *L, const bind_row *row, const char *topic);
void bind_push_help_tools(lua_State *L); /* C's helpers for the prelude */

/* ---- contents.c ---------------------------------------------------------------------------------------- */

/* contents(path [, most]): the text of a regular file of at most 16 MB, or `most` bytes; or nil, why not, and whether there is none. */
int bind_contents(lua_State *L);
int bind_writable(lua_State *L); /* writable(path): true where a file may be saved; or false and why not */

/* Reads the arguments of the operations whose signature is OP_SIG_OTHER (readers.c): operands to
 * stack 1..call->n, the rest into call->attrs. NULL: no reader for this name. */
typedef void bind_reader(lua_State *L, const op *row, bind_call *call);
bind_reader *bind_find_reader(const op *row);
bind_reader bind_read_norm, bind_read_attention; /* attention.c */

/* The innermost frame that is the user's: short_src and currentline of *ar. */
bool bind_user_line(lua_State *L, lua_Debug *ar);
/* The index at stack 2, or indices from 2 on in a call, as ranges into an array of that shape; returns how many. */
int bind_read_key(lua_State *L, const arr *a, arr_range *r, bool *element);
int bind_read_call(lua_State *L, const arr *a, arr_range *r);

/* Opened by bind_open, in this order; each leaves the stack as it was. */
void bind_open_help(lua_State *L);
void bind_open_complex(lua_State *L);
void bind_open_array(lua_State *L);
void bind_open_traced(lua_State *L);
void bind_open_halves(lua_State *L);
void bind_open_diff(lua_State *L); /* after the prelude */
void bind_open_construct(lua_State *L);
void bind_open_ops(lua_State *L);
void bind_open_dd(lua_State *L);
void bind_open_files(lua_State *L);
void bind_open_verify(lua_State *L);
void bind_open_measure(lua_State *L);
void bind_open_grid(lua_State *L);
void bind_open_expr(lua_State *L); /* after the prelude */
void bind_open_calculus(lua_State *L);
void bind_open_prove(lua_State *L);
int bind_join_proofs(lua_State *L); /* a Lua function: (statement, {proofs}) to one proof */
int bind_evaluate(lua_State *L);    /* a Lua function: (f, {name = value}) to the value (values.c) */
/* The verdicts in the table at i, kept alive by it; owned by the userdata that is pushed. */
const ver_verdict **bind_read_verdicts(lua_State *L, int i, const char *who, int *n);
arr_dd *bind_test_dd(lua_State *L, int i); /* the double-double at i, or NULL */
arr_dd *bind_new_dd(lua_State *L);         /* pushes an empty one to be filled */
void bind_push_exact_complex(lua_State *L,
                             arr_c128 z); /* one that may stand in a formula where its parts are whole */
const arr_dd *bind_dd_operand(lua_State *L, int i,
                              const char *who); /* ... or a number or array, made one in place */
void bind_open_attention(lua_State *L);
void bind_open_optimise(lua_State *L);
void bind_open_encoding(lua_State *L); /* after formulas */
void bind_open_analysis(lua_State *L); /* after encodings and verdicts */
void bind_open_atlas(lua_State *L);    /* after those */
void bind_open_plot(lua_State *L);     /* last: its pictures use all the rest */

/* modules.c: require for the Lua files inside the binary: src/ROOM/FILE.lua is "phasor.ROOM.FILE", src/ROOM/init.lua "phasor.ROOM".
 * bind_require pushes what such a file returned; bind_provide pops what C has made and gives it that name;
 * bind_withdraw takes the name back, so that only files read in between have it: what makes verdicts is not for everyone. */
void bind_open_modules(lua_State *L);
void bind_require(lua_State *L, const char *name);
void bind_run(lua_State *L, const char *name); /* a file of Lua, for what it does: pushes nothing */
void bind_provide(lua_State *L, const char *name);
void bind_withdraw(lua_State *L, const char *name);
void bind_open_parcel(lua_State *L);

int bind_class_index(lua_State *L); /* reads three upvalues: methods, getters, the class in words */
int bind_array_index(lua_State *L); /* has the same upvalues */
int bind_array_newindex(lua_State *L);

/* select.c: calls get(A, chosen) or set(A, chosen, value) of lib/select.lua with what is on the stack; leaves its result. */
int bind_select(lua_State *L, const char *how);
void bind_open_select(lua_State *L);
int bind_array_call(lua_State *L);

void bind_help_ops(lua_State *L, const op_help *help); /* of operations whose functions are there already */

/* Formulas (expr.c): an empty box to be filled; the formula at i or NULL; the exact value at i as a formula, which then
 * stands there. */
expr_node **bind_new_expr(lua_State *L);
expr_node *bind_test_expr(lua_State *L, int i);
/* Pushes a formula that others hold, too. */
void bind_push_expr(lua_State *L, expr_node *e);
/* The integral of the formula at stack index 1 as a formula, where it has a symbol besides x (NULL: an infinite end); false: it has
 * none, and nothing is pushed. */
bool bind_push_integral(lua_State *L, expr_node *x, expr_node *lo, expr_node *hi);
/* Of the arguments formula, variable, from, to, where these go from ∞ or to −∞: the ends change places, and the formula its sign. */
void bind_turn_integral(lua_State *L);
expr_node *bind_push_op(lua_State *L, expr_op head, int n, expr_node *const *args); /* pushes op(args) */
expr_node *bind_expr_operand(lua_State *L, int i, const char *who, const char *what);
/* Raises where the value at i is a boolean: what a == b between formulas has become by then. */
void bind_refuse_boolean(lua_State *L, int i, const char *who, const char *what);
int bind_refuse_float(lua_State *L, const char *who, double x); /* raises: what to write for it */
void bind_push_exact(lua_State *L);          /* pushes C's helpers for lib/matrix.lua (exact.c) */
ver_verdict *bind_new_verdict(lua_State *L); /* pushes an unset verdict */
/* A table of options, as bind_check_options says; nothing else. */
void bind_check_named(lua_State *L, int i, const char *who, const char *const *names);
bool bind_is_caption(
    lua_State *L); /* is the value on top text that says something, or {en = text, zh = text}? */
/* Gives the verdict at v the field `caption` of the options at i, where there is one. */
void bind_caption(lua_State *L, int v, int options, const char *who);
bool bind_push_verdict_shown(lua_State *L, int i,
                             size_t column); /* pushes a verdict's lines; false: i is none */
void bind_open_certify(lua_State *L);        /* after the formulas and verdicts */

void bind_push_element(lua_State *L, const arr *a,
                       const int64_t *index); /* as a number, boolean or complex */

/* Calls the operation `name` as a metamethod: operands at 1 and 2 (or 1). */
int bind_call_op(lua_State *L, const char *name, int n);
int bind_meta_unm(lua_State *L);
int bind_meta_idiv(lua_State *L);   /* floor(a / b), as Lua's own // */
int bind_meta_concat(lua_State *L); /* both sides as they print */
/* What __pairs returns for the object at 1; and one step of it, by the object's own index: the last key is at 2. */
int bind_pairs(lua_State *L, lua_CFunction next);
int bind_next_row(lua_State *L, int64_t rows);

#endif
