/* tensors.h: an open file of many arrays, for files.c. */
#ifndef PH_LUA_TENSORS_H
#define PH_LUA_TENSORS_H

#include "files/files.h"
#include "lua/state.h"

int bind_file_failed(lua_State *L, const char *who,
                     const ph_err *err); /* raises with the caller's name in front */

typedef ph_status bind_store_fn(file_store **out, const char *path, ph_err *err);
/* Pushes the open file; one: the array whose name is at 2, and the file is closed. */
int bind_open_store(lua_State *L, const char *path, bind_store_fn *open, bool one);
void bind_open_tensors(lua_State *L);

#endif
