/* hunt_atlas.c: the laws of the atlas, asked of encodings with random arguments. A case is an encoding: all laws are asked of it at once, and
 * held (test_hunt.lua) against scores in plain numbers from the papers' formulas (hunt_atlas.lua). */
#include "hunt.h"
#include "hunt_groups.h"
#include "../fixture.h"

#include <inttypes.h>

const char *atlas_encodings(void) { return fixture("@encodings"); }
const char *atlas_relatives(void) { return fixture("@relatives"); }

/* number[0]: what the encoding and its arguments are drawn from */
void make_atlas(hunt_case *c) { c->number[0] = (int64_t)(chance() >> 1); }

void ask_atlas(text *t, const hunt_case *c) { put(t, "hunt_atlas.ask(%" PRId64 ")", c->number[0]); }

/* How many laws hold, are refuted, are open; what is false, or nil. */
outcome judge_atlas(text *why, const hunt_case *c, lua_State *L) {
    (void)c;
    if (lua_isstring(L, 4)) return fault(why, "%s", lua_tostring(L, 4));
    return lua_tointeger(L, 1) ? WAS_PROVED : lua_tointeger(L, 2) ? WAS_REFUTED : WAS_UNKNOWN;
}
