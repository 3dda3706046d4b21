/* traced.h: what the files of lua/ that know traced arrays share. */
#ifndef PH_LUA_TRACED_H
#define PH_LUA_TRACED_H

#include "diff/diff.h"
#include "lua/bind.h"

op_val **bind_new_traced(lua_State *L);        /* pushes an empty box to be filled */
op_val *bind_test_traced(lua_State *L, int i); /* the value at i, borrowed, or NULL */
/* The operand at i as a value: traced, or whatever bind_operand takes; what had to be made replaces the value at i. */
op_val *bind_value(lua_State *L, int i, const char *who, const char *what);
/* A box made for a constant gives it up: not the collector, but the last who needs it, decides how long an array lives. */
void bind_let_go(op_val **box);
/* The box at the top holds a value: a constant is replaced by an array of its own, or the number that it is. */
void bind_push_value(lua_State *L, op_val **box);
/* A table at i with traced entries is replaced by their stack. */
bool bind_stack_traced(lua_State *L, int i);

#endif
