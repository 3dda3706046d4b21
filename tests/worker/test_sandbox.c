/* Functions in a process of their own: what comes back, what does not, and that nothing they do is felt here. Files that
 * are saved whole or not at all.
 * Sources: session/disk.c worker/sandbox.c */
#include <sys/resource.h>

#include "base/parallel.h"
#include "course/school.h"

static void what_it_returns_comes_back(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"S = require 'phasor.session'", ""},
        {"how, said = S.apart(function() return ('x'):rep(1e6) end, 1, 10); return how, #said",
         "ok\t1000000"},
        {"S.apart(function() return '' end, 1, 10)", "ok\t"},
        {"S.apart(function() return tostring(sum(matmul(eye(300), eye(300)))) end, 1, 100)", "ok\t300.0"},
        {"S.apart(function() return prove(sin(sym 'a')^2 + cos(sym 'a')^2, 1).strength end, 1, 100)",
         "ok\tproved"},
        {"S.apart(function() error('oh') end, 1, 10)", "error\tt:1: oh"},
        {"S.apart(function() return 7 end, 1, 10)", "error\t"},
        {"S.apart(function() return {} end, 1, 10)", "error\t"},
        {"S.apart(function() print 'loud'; io.write 'loud'; display 'loud'; return tostring(io.read()) end, "
         "1, "
         "10)",
         "ok\tnil"},
        {"S.apart(7, 1, 10)", "…error: "},
        {"S.apart(print, 0, 10)", "…seconds from 0 to 86400 wanted"},
        {"S.apart(print, 0/0, 10)", "…seconds from 0 to 86400 wanted"},
        {"S.apart(print, 1, 0)", "…MB from 1 to 1048576 wanted"},
        {NULL, NULL}};
    run_cases(cases);
}

static void what_it_does_stays_there(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"A = zeros(3)\n"
         "return S.apart(function() A[{1}] = 5; x = 7; string.format, math.sin = nil, nil; return "
         "tostring(A(1)) end, 1, 10)",
         "ok\t5.0"},
        {"A(1), rawget(_G, 'x'), ('%d'):format(3)", "0.0\tnil\t3"},
        {"S.apart(function() os.exit(0) end, 1, 10)", "error\texit"},
        {"1 + 1", "2"},
        {NULL, NULL}};
    run_cases(cases);
}

static void it_is_ended_when_it_does_not_end(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"S.apart(function() while true do pcall(error) end end, 1, 10)", "time"},
        {"S.apart(function() local t = {} for i = 1, 1e9 do t[i] = i end end, 5, 32)",
         "error\tnot enough memory"},
        {"S.apart(function() local t = {} for i = 1, 1e9 do t[i] = zeros(1000, 1000) end end, 5, 32)",
         "…out of memory"},
        {"S.apart(function() S.apart(function() end, 1, 10); return 'nested' end, 2, 32)",
         "…no process of its own"},
        {"1 + 1", "2"},
        {NULL, NULL}};
    run_cases(cases);
}

/* Processor time of the children that were waited for. */
static double worked(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Processor time, so that a busy machine changes nothing. Beside the loop itself a child only closes and confines. */
static void it_is_ended_within_50_ms_of_its_budget(void **state) {
    (void)state;
    static const char *const loops[] = {"while true do end",
                                        "while true do pcall(error) end",
                                        "local t = {} while true do t[1] = zeros(9) end",
                                        "while true do eigh(eye(60)) end",
                                        "while true do prove(sin(sym 'a')^2, 1) end",
                                        "return ('x'):rep(40):find(('x?'):rep(40) .. ('x'):rep(40) .. 'b')"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char code[200];
        double before = worked();
        snprintf(code, sizeof code, "S.apart(function() %s end, 0.3, 200)", loops[i]);
        assert_string_equal(show(code), "time");
        double d = worked() - before;
        if (!(d >= .28 && d <= .35)) fail_msg("%s: %.3f s of 0.3 s", loops[i], d);
    }
}

static void several_run_side_by_side(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"wait = 'local t = os.clock() while os.clock() - t < %g do end return \"%s\"'\n"
         "function child(seconds, name) return S.start(load(wait:format(seconds, name)), 5, 10) end\n"
         "crew = {child(5, 'slow'), child(0.01, 'quick')}",
         ""},
        {"S.wait(crew)", "2\tok\tquick"},
        {"S.wait(crew)", "…one of the children has been waited for"},
        {"crew[2] = nil; return S.wait(crew, 0.01)", ""},
        {"crew = nil; collectgarbage(); return 1", "1"}, /* ends the slow one */
        {"S.wait {S.start(function() error 'oh' end, 1, 10)}", "1\terror\tt:1: oh"},
        {"S.wait {S.start(function() while true do pcall(error) end end, 1, 10)}", "1\ttime"},
        {"S.wait {}", "…a list of 1 to 64 children wanted"},
        {"S.wait {7}", "…error: "},
        {"S.wait(7)", "…error: "},
        {"S.wait({S.start(function() return '' end, 1, 10)}, 0/0)", "…seconds from 0 wanted"},
        {"S.start(7, 1, 10)", "…error: "},
        {"S.start(print, 0, 10)", "…seconds from 0 to 86400 wanted"},
        {"S.start(print, 1, 10, 0)", "…how many work at once"},
        {"S.cores() >= 1", "true"},
        /* of six threads */
        {"function threads(crew) return select(3, S.wait {S.start(function() return require 'phasor'.version.cpu:match '%d+ thread' end, 5, 10, crew)}) end",
         ""},
        {"threads(), threads(1), threads(2), threads(3), threads(64)",
         "6 thread\t6 thread\t3 thread\t2 thread\t1 thread"},
        {"(require 'phasor'.version.cpu:match '%d+ thread')", "6 thread"},
        {NULL, NULL}};
    ph_set_threads(6);
    run_cases(cases);
    ph_set_threads(0);
}

static void files_are_saved_whole(void **state) {
    (void)state;
    static const school_case cases[] = {
        {"home = os.tmpname(); os.remove(home);", ""},
        {"S.save(home .. '/a/b', 'text')", "true"},
        {"io.open(home .. '/a/b'):read 'a'", "text"},
        {"S.save(home .. '/a/b', '')", "true"},
        {"io.open(home .. '/a/b'):read 'a'", ""},
        {"S.save(home .. '/a/b/c', 'x')", "…cannot be "},
        {"S.save(home .. '/a', 'x')", "…nil\t"},
        {"S.save('', 'x')", "…a path is wanted"},
        {"os.remove(home .. '/a/b'), os.remove(home .. '/a'), os.remove(home)", "true\ttrue\ttrue"},
        {"S.sha256 'abc'", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {NULL, NULL}};
    run_cases(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_returns_comes_back),
                                       cmocka_unit_test(what_it_does_stays_there),
                                       cmocka_unit_test(it_is_ended_when_it_does_not_end),
                                       cmocka_unit_test(it_is_ended_within_50_ms_of_its_budget),
                                       cmocka_unit_test(several_run_side_by_side),
                                       cmocka_unit_test(files_are_saved_whole)};
    return cmocka_run_group_tests_name("apart", tests, open_school, close_school);
}
