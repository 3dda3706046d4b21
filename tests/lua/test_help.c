/* Every public name has help and an example, and every example prints exactly what it says.
 * Sources: array/help_elementwise.c array/help_linalg.c array/help_shape.c attention/help.c encoding/describe.c lib/language.lua lib/rows.lua
 * Sources: lib/search.lua lua/calculus.c lua/help.c lua/readers.c */
#include "lab.h"

#include "lua/state.h"

/* Operations that indexing calls; they have no name of their own. */
static const char *const unnamed[] = {"slice", NULL};

static bool is_unnamed(const char *name) {
    for (int k = 0; unnamed[k]; k++)
        if (strcmp(unnamed[k], name) == 0) return true;
    return false;
}

static void every_operation_is_bound(void **state) {
    (void)state;
    lua_State *L = lab_open();
    int missing = 0;
    for (const op_table *t = op_tables; t->rows; t++)
        for (const op *row = t->rows; row < t->rows + *t->n; row++) {
            if (is_unnamed(row->name) || (row->flags & OP_INNER)) continue;
            lua_getglobal(L, "require");
            lua_pushliteral(L, "phasor");
            lua_call(L, 1, 1);
            lua_pushstring(L, row->name);
            if (lua_rawget(L, -2) != LUA_TFUNCTION) print_error("%s is not bound\n", row->name), missing++;
            if (!bind_help_find(L, row->name)) print_error("%s has no help\n", row->name), missing++;
            lua_settop(L, 0);
        }
    lua_close(L);
    assert_int_equal(missing, 0);
}

static int lacks(const bind_row *r) {
    int n = 0;
    if (!r->help || !*r->help) print_error("%s: no help\n", r->name), n++;
    else if (strcspn(r->help, "\n") > 75)
        print_error("%s: its first line is over 72 columns\n", r->name), n++;
    if (!r->example || !strstr(r->example, "-->"))
        print_error("%s: no example with a result\n", r->name), n++;
    if (!r->args) print_error("%s: no argument list\n", r->name), n++;
    return n;
}

/* Of the class whose metatable is at 3: methods and fields that no row documents, neither their own nor a
 * function's. */
static int members_without_help(lua_State *L, const char *class) {
    int missing = 0;
    if (strcmp(class, "Traced") == 0) class = "Array"; /* it has what an array has */
    for (int part = 0; part < 2; part++) {
        lua_pushstring(L, part ? "getters" : "methods");
        if (lua_rawget(L, 3) == LUA_TTABLE)
            for (lua_pushnil(L); lua_next(L, 4); lua_pop(L, 1)) {
                char full[80];
                const char *name = lua_tostring(L, -2);
                snprintf(full, sizeof full, "%s%c%s", class, part ? '.' : ':', name);
                if (bind_help_find(L, full) || bind_help_find(L, name)) continue;
                print_error("no help for %s\n", full);
                missing++;
            }
        lua_settop(L, 3);
    }
    return missing;
}

/* help(f) of the function at the top, which the laboratory has under this name, is the text of a name of f. */
static int no_help_for_the_value(lua_State *L, const char *name) {
    lua_getfield(L, 1, "help");
    lua_pushvalue(L, -2);
    int status = lua_pcall(L, 1, 1, 0);
    if (status != LUA_OK) print_error("help(%s): %s\n", name, lua_tostring(L, -1));
    lua_pop(L, 1);
    return status != LUA_OK;
}

/* The laboratory's table, its classes' methods and fields: all are in the index, and each row is complete. */
static void every_name_has_help(void **state) {
    (void)state;
    lua_State *L = lab_open();
    int wrong = 0, classes = 0;
    const bind_row *r;
    for (int i = 0; (r = bind_help_each(L, i, NULL)); i++) wrong += lacks(r);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "phasor");
    lua_call(L, 1, 1);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        const char *name = lua_tostring(L, -2);
        if (name[0] != '_' && !bind_help_find(L, name)) print_error("no help for %s\n", name), wrong++;
        else if (lua_isfunction(L, -1)) wrong += no_help_for_the_value(L, name);
    }
    for (lua_pushnil(L); lua_next(L, LUA_REGISTRYINDEX); lua_settop(L, 2))
        if (lua_type(L, 2) == LUA_TSTRING && strncmp(lua_tostring(L, 2), "phasor.", 7) == 0 &&
            lua_istable(L, 3))
            classes++, wrong += members_without_help(L, lua_tostring(L, 2) + 7);
    assert_true(classes >= 3);
    lua_close(L);
    assert_int_equal(wrong, 0);
}

/* ---- examples ------------------------------------------------------------------------------------------ */

static bool quiet; /* while a difference is what is wanted */

static int check_output(const char *name, const char *code, const char *got, const char *wanted) {
    const char *part = strncmp(wanted, "error: ", 7) == 0 ? strchr(wanted, ' ') : NULL;
    bool ok = part ? strncmp(got, "error: ", 7) == 0 && strstr(got, part + 1) : strcmp(got, wanted) == 0;
    if (!ok && !quiet) print_error("%s: %s\n  gave   %s\n  wanted %s\n", name, code, got, wanted);
    return !ok;
}

/* Runs an example in a fresh laboratory. Returns the number of outputs that differ, -1 when none was checked.
 */
static int run_example(const bind_row *r) {
    lua_State *L = lab_open();
    int wrong = 0, checked = 0;
    char code[1024], wanted[2048];
    for (const char *p = r->example; *p;) {
        size_t len = strcspn(p, "\n");
        const char *mark = strstr(p, "  --> ");
        bool has = mark && mark < p + len;
        snprintf(code, sizeof code, "%.*s", (int)(has ? mark - p : (ptrdiff_t)len), p);
        snprintf(wanted, sizeof wanted, "%.*s", has ? (int)(p + len - mark - 6) : 0, has ? mark + 6 : "");
        p += len + (p[len] == '\n');
        while (strncmp(p, "--| ", 4) == 0) {
            len = strcspn(p, "\n");
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "\n%.*s", (int)len - 4, p + 4);
            p += len + (p[len] == '\n');
        }
        const char *got = lab_eval(L, code);
        if (has) checked++, wrong += check_output(r->name, code, got, wanted);
        else if (strncmp(got, "error: ", 7) == 0) wrong += check_output(r->name, code, got, "");
        lua_settop(L, 0);
    }
    lua_close(L);
    return checked ? wrong : -1;
}

static void every_example_prints_what_it_says(void **state) {
    (void)state;
    lua_State *L = lab_open();
    const bind_row *r;
    int wrong = 0;
    for (int i = 0; (r = bind_help_each(L, i, NULL)); i++) {
        int w = run_example(r);
        if (w < 0) print_error("%s: its example checks nothing\n", r->name);
        wrong += w != 0;
    }
    lua_close(L);
    assert_int_equal(wrong, 0);
}

/* The runner itself can fail. */
static void a_wrong_example_is_noticed(void **state) {
    (void)state;
    const bind_row bad = {"bad", NULL, "", "", "1 + 1  --> 3"}, none = {"none", NULL, "", "", "1 + 1"};
    const bind_row missing = {"missing", NULL, "", "", "1 + 1  --> error: x"};
    quiet = true;
    assert_int_equal(run_example(&bad), 1);
    assert_int_equal(run_example(&none), -1);
    assert_int_equal(run_example(&missing), 1);
    quiet = false;
}

static void layout(void **state) {
    (void)state;
    lua_State *L = lab_open();
    const bind_row *r;
    int wide = 0;
    for (int i = 0; (r = bind_help_each(L, i, NULL)); i++) {
        assert_true(bind_help_text(L, r->name, true, false));
        for (const char *p = lua_tostring(L, -1); *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] != 0)) {
            int columns = 0;
            for (size_t k = 0; k < strcspn(p, "\n"); k++) columns += ((unsigned char)p[k] & 0xC0) != 0x80;
            if (columns > 80) print_error("%s: %.*s\n", r->name, (int)strcspn(p, "\n"), p), wide++;
        }
        lua_settop(L, 0);
    }
    assert_true(bind_help_text(L, "rope_table", true,
                               false)); /* what belongs to an option stands further in, to its end */
    assert_non_null(
        strstr(lua_tostring(L, -1),
               "\n  scaling: how a trained model's context is stretched.\n    kind = \"pi\", factor: "));
    assert_non_null(strstr(lua_tostring(L, -1),
                           "(Chen\n      et al. 2023, arXiv:2306.15595).\n      factor: how many "
                           "times longer.\n    kind = \"ntk\""));
    lua_pop(L, 1);
    assert_false(bind_help_text(L, "nothing of the kind", true, false));
    lua_close(L);
    assert_int_equal(wide, 0);
}

static void words(void **state) {
    (void)state;
    static const lab_case cases[] = {
        {"help(zeros) == help \"zeros\"", "true"},
        {"tostring(help 'sinusoidal'):find('dtype = \"f64\": \"f64\" or \"f32\"; f32', 1, true) ~= nil",
         "true"},
        {"help \"copy\" == help \"Array:copy\"", "true"},
        {"help(zeros(1).copy) == help \"copy\"", "true"},
        {"help \"symbol\"",
         "error: t:1: help: nothing is called 'symbol'; did you mean 'sym'?"}, /* not Expr:symbols */
        {"help \"zeroes\"", "error: t:1: help: nothing is called 'zeroes'; did you mean 'zeros'?"},
        {"help(3)",
         "error: t:1: help: no help for 3; wanted a function of the laboratory or a name in quotes"},
        {"help.rows[1].name", "tour"},
        {"help.row", "error: t:1: unknown field 'row' of help; did you mean 'rows'?"},
        {"search \"qqqq\"", "nothing mentions \"qqqq\""},
        {"search()", "error: t:1: search: word is nil; wanted a string, as in search \"matrix\""},
        {NULL, NULL}};
    lab_run(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_is_bound),
        cmocka_unit_test(every_name_has_help),
        cmocka_unit_test(every_example_prints_what_it_says),
        cmocka_unit_test(a_wrong_example_is_noticed),
        cmocka_unit_test(layout),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
