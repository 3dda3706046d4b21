/* Channels: texts of any length to a contained copy and to a state of its own and back, a channel handed on, the ends that a child may
 * come to, and whose processor time counts.
 * Sources: worker/channel.c worker/fresh.c */
#include "course/school.h"
#include "worker/contain.h"

static int open_with_prelude(void **state) { return open_school_with(state, "@prelude"); }

static void texts_come_and_go(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"c = S.beside(echo, 2, 64)", ""},
        {"c:send 'hallo', c:receive()", "true\tHALLOnil"},
        {"c:send '', c:receive()", "true\tnil"},
        {"c:send(('x'):rep(5e6)), #c:receive()", "true\t5000003"},
        /* another contained process may talk over it */
        {"S.apart(function() c:send 'apart'; return c:receive() end, 2, 64, {c})", "ok\tAPARTnil"},
        {"c:close(), c:close(), (c:send 'x'), (c:receive())", "ok\tok\tnil\tnil"},
        {"S.beside(7, 1, 10)", "…error: "},
        {"S.beside(echo, 0, 10)", "…seconds from 0 to 86400 wanted"},
        {"S.apart(function() return '' end, 1, 10, {c})", "…the channel is closed"},
        {"S.apart(function() return '' end, 1, 10, {7})", "…error: "},
        {"getmetatable(c)", "channel"},
        {NULL, NULL}};
    run_cases(cases);
}

static void how_it_ended_is_known(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"c = S.beside(spin, 1, 64)", ""},
        {"S.apart(function() c:send 'x'; return tostring((c:receive())) end, 0.2, 64, {c})",
         "time"}, /* its work is ours */
        {"c:close()", "ok"},
        {"c = S.beside(spin, 1, 64); c:send 'x'; return c:receive(), c:close()", "nil\ttime"},
        {"c = S.beside(quit, 1, 64); c:send 'x'; return c:receive(), c:close()", "nil\tok"},
        {"c = S.beside(function(d) d:receive(); d:receive(7) end, 1, 64); return c:close()", "ok"},
        {"c = nil; collectgarbage(); return 1", "1"},
        /* one that is refused memory and has none left to say so */
        {"c = S.beside(function() local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end end, 20, 8); return c:receive(), "
         "c:close()",
         "nil\tmemory"},
        {NULL, NULL}};
    run_cases(cases);
}

static void a_fresh_state_knows_nothing_of_ours(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"c = S.fresh('phasor.nowhere', 64); return c:receive(), c:close()", "nil\tdied"},
        {"P = require 'phasor.course.parcel'; side = P.side(function() end, false)\n"
         "function say(q) c:send(P.write(side, q)); return table.unpack(P.read(side, c:receive()), 1, 2) end\n"
         "secret = 7; c = S.fresh('phasor.course.desk', 256)",
         ""},
        {"say {verb = 'cell', code = 'base = 2', file = 'l'}", "true\tnil"},
        {"say {verb = 'cell', code = 'base = secret', file = 'l'}", "…unknown name 'secret'"},
        {"os.getenv 'TEST_DIR' ~= nil, os.getenv 'PHASOR_MEMORY'", "true\t4000"},
        {"say {verb = 'cell', code = 'assert(not os.getenv \"TEST_DIR\" and os.getenv \"PHASOR_MEMORY\" == \"4000\")', file = 'l'}",
         "true\tnil"},
        {"say {verb = 'cell', code = 'assert(not io.open \"/proc/self/fd/0\":read(1))', file = 'l'}",
         "true\tnil"},
        {"c:send(P.write(side, {verb = 'try', seconds = 1, megabytes = 64})); d = c:take()\n"
         "d:send(P.write(side, {stub = '', file = 'l', names = {'f'}, pieces = {{code = 'f = base', name = 'answer'}}}))\n"
         "return P.read(side, d:receive())[1].values.f",
         "2"},
        {"d:close(), (say {verb = 'close'})", "ok\tok"},
        {"c:close()", "ok"},
        {NULL, NULL}};
    setenv("PHASOR_MEMORY", "4000", 1);
    run_cases(cases);
    unsetenv("PHASOR_MEMORY");
}

static void what_is_confined_starts_no_program(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"select(2, S.wait {S.start(function() return (S.confine '/tmp' and select(2, pcall(S.fresh, 'phasor.course.desk', 64))) end, 9, 256)})",
         "ok\tno process of its own: Operation not permitted"},
        {NULL, NULL}};
    if (wrk_containment_lacks()) skip();
    run_cases(cases);
}

int main(int argc, char **argv) {
    wrk_begin(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts_come_and_go),
                                       cmocka_unit_test(how_it_ended_is_known),
                                       cmocka_unit_test(a_fresh_state_knows_nothing_of_ours),
                                       cmocka_unit_test(what_is_confined_starts_no_program)};
    return cmocka_run_group_tests_name("channel", tests, open_with_prelude, close_school);
}
