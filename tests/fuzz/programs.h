/* programs.h: random cells for the laboratory: lines of help's examples with their words exchanged, and programs made by a grammar whose
 * calls are of help's functions, with arguments that fit and that do not.
 */
#ifndef PH_TEST_PROGRAMS_H
#define PH_TEST_PROGRAMS_H

#include "base/rng.h"
#include "base/text.h"
#include "lua/bind.h"

typedef struct {
    ph_rng g;
    const bind_row **rows; /* those whose names can be called */
    int n;
    int calls; /* written so far */
} programs;

void programs_open(programs *p, lua_State *L, uint64_t seed);
void programs_close(programs *p);
void programs_cell(programs *p, ph_text *out); /* appends one */
/* Appends an expression, so many levels deep. */
void programs_expression(programs *p, ph_text *out, int depth);

#endif
