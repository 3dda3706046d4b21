/* cursor.h: what stands at a place of a text, for completion and help. Never runs anything: values are found by raw access
 * to tables. Internal to session/.
 */
#ifndef PH_SES_CURSOR_H
#define PH_SES_CURSOR_H

#include "session/core.h"

#define CURSOR_PATH 16

typedef struct {
    const char *text;
    size_t n;
    size_t start, end; /* the name at the cursor; empty: start == end == the cursor */
    bool in_string, in_comment;
    bool member; /* a '.' or ':' stands before the name */
    bool opaque; /* … behind something that is no plain path, such as a call */
    int depth;   /* names before the last dot, from the outermost: */
    struct {
        size_t at, len;
    } path[CURSOR_PATH];
} cursor;

/* The name that ends at or contains byte pos. whole: all of the name, not only what is left of the cursor. */
void ses_cursor_find(cursor *c, const char *text, size_t n, size_t pos, bool whole);
/* When the cursor is inside the arguments of a call: the name of the function; false otherwise. */
bool ses_cursor_callee(cursor *c, const char *text, size_t n, size_t pos);

/* Pushes the value of the path (the names before the last dot), or of the whole name when `last`: true; or pushes nothing. */
bool ses_cursor_value(lua_State *L, const cursor *c, bool last);
/* Pushes t[name] without metamethods, mangled or as it is: true; or pushes nothing. t is a table at i. */
bool ses_cursor_raw(lua_State *L, int i, const char *name, size_t n);
/* Replaces the table on top by the table its metatable's __index names: true; or pops it. */
bool ses_cursor_behind(lua_State *L);

/* inspect.c: replaces the value on top by words for it. May raise. */
void ses_describe(lua_State *L);

#endif
