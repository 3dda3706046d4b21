/* module.c: the laboratory as a module of a stock Lua 5.4: require "phasor". It has what needs no session: no prompt, no course, no
 * processes; and it sets nothing global.
 */
#include "lua/bind.h"

int luaopen_phasor(lua_State *L);
int luaopen_phasor(lua_State *L) { return bind_open(L); }
