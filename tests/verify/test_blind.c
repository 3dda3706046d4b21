/* Arguments without points. The points that are tried before an argument refute most of what an argument that is wrong would prove, and hide it; here none
 * is tried: of the false statements in reach/ none is proved, and no ball that is asked behind a proof contradicts it.
 * Sources: verify/prove.c verify/order.c verify/by_ranges.c verify/by_residues.c verify/by_sums.c verify/by_induction.c verify/identity.c
 * Sources: verify/inverse.c verify/implied.c verify/linear_facts.c verify/settle.c verify/summation.c verify/sums.c verify/unity.c verify/tails.c
 * Sources: verify/normal.c verify/reading.c verify/reading_sign.c verify/reading_powers.c verify/cells.c verify/slope.c verify/given.c verify/whole.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <lauxlib.h>
#include <lua.h>

#include "session/core.h"
#include "verify/internal.h"
#include "verify/meter.h"

#define UNITS 5e4 /* of a statement: some 50 ms, within which an argument proves what it can */

/* What run.lua prints, a line each. */
static const char *const run = "local seen = {} function print(line) seen[#seen + 1] = line end\n"
                               "dofile 'tests/verify/reach/run.lua'\n"
                               "return table.concat(seen, '\\n')";

static void ignore(void *user, json_t *event) { (void)user, (void)event; }

static void nothing_false_is_proved(const char *files) {
    ses_core *core;
    ph_err err = {.text = ""};
    ses_options options = {0};
    ses_host host = {.emit = ignore};
    setenv("STATEMENTS", files, 1);
    setenv("ONLY", "fails", 1);
    if (ses_core_open(&core, &options, &host, &err)) fail_msg("%s", err.text);
    ver_looks_at_points = false;
    ver_meter_allow(UNITS);
    if (luaL_dostring(core->L, run) != LUA_OK) fail_msg("%s", lua_tostring(core->L, -1));
    ver_looks_at_points = true;
    ver_meter_allow(VER_METER);
    const char *said = lua_tostring(core->L, -1);
    if (!strstr(said, ", 0 wrong")) fail_msg("%.2000s", strstr(said, "WRONG") ? strstr(said, "WRONG") : said);
    ses_core_close(core);
    unsetenv("STATEMENTS");
    unsetenv("ONLY");
}

#define REACH(name) "tests/verify/reach/" name " "

static void statements(void **state) {
    (void)state;
    nothing_false_is_proved(REACH("statements.lua") REACH("products.lua") REACH("seldom.lua"));
}

static void guards(void **state) {
    (void)state;
    nothing_false_is_proved(REACH("guards.lua") REACH("guards_more.lua") REACH("residues.lua")
                                REACH("parameters.lua") REACH("limits.lua"));
}

static void phrases(void **state) {
    (void)state;
    nothing_false_is_proved(REACH("phrases.lua") REACH("phrases_real.lua") REACH("neighbours.lua")
                                REACH("everyday.lua") REACH("signs.lua"));
}

static void edges(void **state) {
    (void)state;
    nothing_false_is_proved(REACH("edges.lua") REACH("edges_more.lua") REACH("edges_orders.lua")
                                REACH("edges_polynomials.lua") REACH("edges_proofs.lua")
                                    REACH("edges_proofs_facts.lua") REACH("edges_proofs_orders.lua")
                                        REACH("edges_proofs_sums.lua") REACH("edges_proofs_words.lua"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements),
        cmocka_unit_test(guards),
        cmocka_unit_test(phrases),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
