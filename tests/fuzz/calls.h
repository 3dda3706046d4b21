/* calls.h: random calls of everything that help knows, one statement each, some of the same values: what random cells (programs.h) do
 * slowly and with a session around them. Arguments are those of help's examples, of the function itself or of another, and what no
 * function wants.
 */
#ifndef PH_TEST_CALLS_H
#define PH_TEST_CALLS_H

#include "programs.h"

enum { CALLS_EPISODE = 48, CALLS_VALUES = 8 };

typedef struct {
    ph_text text; /* `v3 = call(17, matmul, function() return v1, 2 end)`: the statement 17 of its episode */
    unsigned char reads; /* bit k: it reads v(k+1); it always writes one */
    int writes;          /* 1 to CALLS_VALUES */
} calls_statement;

typedef struct calls_row calls_row; /* a function, and what its example calls it with */

typedef struct {
    programs p;
    calls_row *rows;
    int n, all; /* rows; rows and operators */
    calls_statement statement[CALLS_EPISODE];
} calls;

void calls_open(calls *c, lua_State *L);
void calls_close(calls *c);
/* Makes statement[] anew. One seed, one episode. */
void calls_episode(calls *c, uint64_t seed);
/* Hands out, in their order, the statements up to `last` that the last one needs; asks for no memory. */
void calls_needed(const calls *c, int last, void (*each)(const ph_text *text));

#endif
