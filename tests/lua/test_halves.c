/* Numbers in 16 bits at the prompt: every pattern there and back, whatever takes arrays takes them, what is refused.
 * Sources: lua/halves.c base/half.c */
#include "folder.h"
#include "lab.h"

static void every_pattern_comes_back(void **state) {
    (void)state;
    lab_run((lab_case[]){{"@every_pattern", ""}, {NULL, NULL}});
}

static void as_the_array_of_the_same_values(void **state) {
    (void)state;
    lab_run((lab_case[]){{"@as_the_array", ""}, {NULL, NULL}});
}

static void as_a_value(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"h = halves({{1, 2^-25}, {70000, -1/3}}, \"f16\")", ""},
        {"h.dtype, h.shape, h.ndim, h.size", "f16\t{2, 2}\t2\t4"},
        {"array(h):totable()", "{{1.0, 0.0}, {inf, -0.333251953125}}"},
        {"halves(3, \"bf16\")", "bf16 ()  3.0"},
        {"halves({1, 2}, \"bf16\")", "bf16 (2)\n  1  2"},
        {"halves({}, \"f16\").shape", "{0}"},
        {"array(halves(zeros(0, 3), \"f16\")).shape", "{0, 3}"},
        {"array(halves(array{{1, 2}, {3, 4}}.T, \"f16\")):totable()", "{{1.0, 3.0}, {2.0, 4.0}}"},
        {"halves(h, \"bf16\").dtype", "bf16"},
        {"do local g <close> = h end return h", "closed numbers in 16 bits"},
        {"h + 1", "error: t:1: halves: the numbers are closed"},
        {"h.shape", "error: t:1: shape: the numbers are closed"},
        {NULL, NULL}});
}

static void what_is_refused(void **state) {
    (void)state;
    lab_run((lab_case[]){
        {"halves()", "error: t:1: halves: 0 arguments given; wanted 2, as in halves(x, format)"},
        {"halves({1}, \"f32\")",
         "error: t:1: halves: the format is the string \"f32\"; wanted \"f16\" or \"bf16\""},
        {"halves({1}, 16)", "error: t:1: halves: the format is 16; wanted \"f16\" or \"bf16\""},
        {"halves({I}, \"f16\")", "error: t:1: halves: x is c128; wanted real numbers"},
        {"halves({true}, \"f16\")", "error: t:1: halves: x is bool; wanted real numbers"},
        {"halves(\"x\", \"f16\")",
         "error: t:1: halves: x is the string \"x\"; wanted a number, an array or a table of numbers"},
        {"h = halves({{1, 2}}, \"f16\")", ""},
        {"h[1]", "error: t:1: a half: a key is 1; wanted the name of a field"},
        {"h.shpae", "error: t:1: unknown field 'shpae' of a half; did you mean 'shape'?"},
        {"rope(h, {layout = \"half\", in_place = true})",
         "error: t:1: rope: in_place, but x is no array: nobody would see what is written"},
        {NULL, NULL}});
}

/* Two bytes a number and no more, given back when nobody holds it. */
static void takes_half_the_memory(void **state) {
    (void)state;
    lua_State *L = lab_open();
    lua_gc(L, LUA_GCCOLLECT, 0);
    size_t live = ph_block_live();
    assert_string_equal(lab_eval(L, "h = halves(ones(1000, 1000), 'bf16'); return h.size"), "1000000");
    lua_gc(L, LUA_GCCOLLECT, 0);
    assert_int_equal(ph_block_live() - live, 2000000);
    assert_string_equal(lab_eval(L, "x = sum(h); h = nil; return x"), "1000000.0");
    lua_gc(L, LUA_GCCOLLECT, 0);
    lua_gc(L, LUA_GCCOLLECT, 0);
    assert_int_equal(ph_block_live(), live);
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_pattern_comes_back, enter_folder, leave_folder),
        cmocka_unit_test(as_the_array_of_the_same_values),
        cmocka_unit_test(as_a_value),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(takes_half_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
