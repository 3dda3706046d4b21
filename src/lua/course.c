/* course.c: `lesson`, `check`, `claims` and `glossary` as names of the laboratory. They live in the course's Lua, which
 * is there where a session is; this file finds it at the first call. */
#include "lua/bind.h"
#include "lua/state.h"

/* The course runs lessons through a session. */
static bool has_session(lua_State *L) {
    bool there = false;
    int top = lua_gettop(L);
    static const char *const tables[] = {LUA_LOADED_TABLE, LUA_PRELOAD_TABLE};
    for (int i = 0; i < 2; i++) {
        luaL_getsubtable(L, LUA_REGISTRYINDEX, tables[i]);
        there |= lua_getfield(L, -1, "phasor.session") != LUA_TNIL;
        lua_settop(L, top);
    }
    return there;
}

/* Calls the course's function of that name with the arguments; leaves n results. */
static int pass(lua_State *L, const char *name, int n) {
    if (!has_session(L))
        return bind_raisef(L, "%s: the course is in the phasor program: lessons need its session", name);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "phasor.course");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        return bind_raisef(L, "%s: the course is not here: %s", name, lua_tostring(L, -1));
    lua_getfield(L, -1, name);
    lua_replace(L, -2);
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, n);
    return n;
}

/* The same, where every argument is a name. */
static int call(lua_State *L, const char *name, int n) {
    for (int i = 1; i <= lua_gettop(L); i++)
        if (lua_type(L, i) != LUA_TSTRING)
            return bind_raise_arg(L, i, name, "a name", "text in quotes, as in \"sinusoids\"");
    return pass(L, name, n);
}
static int lesson(lua_State *L) { return call(L, "lesson", 0); }
static int check(lua_State *L) { return call(L, "check", 0); }
static int claims(lua_State *L) { return call(L, "claims", 0); }
static int glossary(lua_State *L) { return call(L, "glossary", 0); }
static int trained(lua_State *L) {
    bind_check_count(L, "trained", 0, 0);
    return call(L, "trained", 2);
}
static int experiment(lua_State *L) {
    bind_check_count(L, "experiment", 1, 2);
    if (lua_type(L, 1) != LUA_TSTRING) return bind_raise_arg(L, 1, "experiment", "name", "text in quotes, as in \"ntk\"");
    return pass(L, "experiment_verdicts", 1);
}
static int experiment_results(lua_State *L) {
    bind_check_count(L, "experiment_results", 1, 1);
    return call(L, "experiment_results", 1);
}
static int named(lua_State *L) {
    bind_check_count(L, "named", 2, 2);
    return pass(L, "named", 1);
}
static int fails(lua_State *L) {
    bind_check_count(L, "fails", 1, 2);
    return pass(L, "fails", 1);
}
static int figure(lua_State *L) {
    bind_check_count(L, "figure", 3, 3);
    return pass(L, "figure", 1);
}
static int in_bounds(lua_State *L) {
    bind_check_count(L, "in_bounds", 1, 1);
    return pass(L, "in_bounds", 2);
}
static int cited(lua_State *L) {
    bind_check_count(L, "cited", 2, 3);
    return pass(L, "cited", 1);
}

static int says(lua_State *L) {
    bind_check_count(L, "says", 1, 1);
    if (!lua_istable(L, 1)) return bind_raise_arg(L, 1, "says", "the text", "{en = text, zh = text}");
    return pass(L, "says", 1);
}
static int why(lua_State *L) {
    bind_check_count(L, "why", 0, 1);
    if (lua_gettop(L) == 0) { /* raw: in a program there is no last result, which is no unknown name */
        lua_pushglobaltable(L);
        lua_pushliteral(L, "_");
        lua_rawget(L, -2);
        lua_replace(L, 1);
    }
    if (!lua_istable(L, 1) && !lua_isuserdata(L, 1))
        return bind_raise_arg(L, 1, "why", "v", "a verdict, as prove, certify and measure give it");
    return pass(L, "why", 0);
}

/* course_entries() -> what a search looks through besides help (course/find.lua); an empty list where there is no course */
int bind_course_entries(lua_State *L) {
    lua_settop(L, 0);
    lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, LUA_GNAME);
    lua_getfield(L, -1, "require");
    lua_pushliteral(L, "phasor.course.find");
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        lua_newtable(L);
        return 1;
    }
    lua_getfield(L, -1, "entries");
    lua_call(L, 0, 1);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# the course"},
    {"lesson", lesson, "[name] [, \"--lang=zh\"]",
     "Works through a lesson, step by step; without a name, lists them.\n"
     "The list says how far you are. name: a lesson, or the path of a file of your own that ends in .lua. "
     "[Enter] runs a step; what you type is Lua, an answer where there is an exercise; :help lists :hint, "
     ":check, :skip, :back, :play, :quit and "
     "the rest. The lesson is kept where you leave it, and its variables stay. \"--restart\" begins anew; "
     "\"--seed\", \"NAME\" chooses the variants of the exercises.",
     "lesson(3)  --> error: wanted text in quotes"},
    {"check", check, "[claim or lesson, ...] [, \"--strict\"] [, \"--json\"] [, \"--time\"]",
     "Runs the checks of claims and prints a verdict for each.\n"
     "Claims are called by their id (see claims), lessons by name or path; without any, every lesson runs.\n"
     "A claim about trained models wants one: \"--model=FILE\", a .safetensors or .npz, with \"--word=KEY\" "
     "and\n"
     "\"--position=KEY\", the names of its embeddings; or two files .npy for these.\n"
     "\"REF\" or \"LESSON/REF\", as in check \"rotate\", tries your own answer to an exercise, as it stands here: it says that it is right, or "
     "fails with what is wrong.",
     "check(3)  --> error: wanted text in quotes"},
    {"claims", claims, "[\"--json\"] [, \"--lang=zh\"]",
     "Lists every claim of the three sources, and whether it is settled.\n"
     "Each with the strength its verdict must reach.",
     "claims(3)  --> error: wanted text in quotes"},
    {"trained", trained, "",
     "The embeddings of the model that check was given: words, positions.\n"
     "Two arrays with a row each; nil when there is no model, as everywhere but in\n"
     "a check with --model.",
     "trained(3)  --> error: 1 argument given; wanted 0"},
    {"experiment", experiment, "name [, which]",
     "The verdicts of an experiment, for the cell of a claim.\n"
     "They are what the results say that travel with the program. name: as phasor experiment list has it. which: the number of a finding, or a list of them; all without it. Where results are "
     "missing, or are of another version of the experiment, the verdict is unknown. phasor check --train does the runs anew.",
     "experiment(3)  --> error: wanted text in quotes"},
    {"experiment_results", experiment_results, "name",
     "The results of an experiment: R:values(measure, {factor = value}).\n"
     "That is a list with a number for each such run. name: as phasor experiment list has it. R:difference(measure, {...}, measure, {...}) subtracts run by run.",
     "experiment_results(3)  --> error: wanted text in quotes"},
    {"named", named, "words, v",
     "A verdict under a statement of one's own, for the cell of a claim.\n"
     "words: the statement, text or {en = text, zh = text}; v: a verdict, which must hold. Where formulas fold, as in 12 = 12, or where a "
     "verdict says nothing of what it is about, words do.",
     "named(3)  --> error: 1 argument given; wanted 2"},
    {"fails", fails, "v [, words]",
     "A counterexample, for the cell of a claim: v must be refuted.\n"
     "v: a verdict; words: what is not so, when v does not say it. The claim fails when v is anything but refuted. Its strength is read from "
     "the other verdicts.",
     "fails()  --> error: 0 arguments given; wanted 1"},
    {"figure", figure, "words, x, text",
     "Judges a printed figure: is x, rounded alike, what text says?\n"
     "words: what the figure is of. x: a number, a ball, or a formula without symbols, which is certified; a whole number must be exactly "
     "that. text: the figure as it is printed, such as \"0.4111\". The claim fails when the figure is not so; its strength is read "
     "from the other verdicts.",
     "figure(3)  --> error: 1 argument given; wanted 3"},
    {"says", says, "{en = text, zh = text}",
     "The text in the language that is spoken: of the lesson, or of the prompt.\n"
     "For what a lesson prints and writes into its pictures.",
     "says(3)  --> error: wanted {en = text, zh = text}"},
    {"why", why, "[v]",
     "Shows what stands behind a verdict.\n"
     "Its formulas typeset, its conditions, how it was reached. v: a verdict; the last result without one. :why is the same, and in a lesson shows all verdicts of a step.",
     "why(3)  --> error: wanted a verdict"},
    {"cited", cited, "source, v [, words]",
     "A verdict beside a citation of what is not proved here.\n"
     "For the cell of a claim. source: the theorem and where it stands, text or {en = text, zh = text}; v: a verdict, which must hold; words: its statement, when it "
     "does not say it. The line of the claim ends with what is cited.",
     "cited(3)  --> error: 1 argument given; wanted 2"},
    {"in_bounds", in_bounds, "{claim=, f=, samples=, seed=, why=}",
     "Measures deviations as shares of bounds of their own.\n"
     "For the cell of a claim: a verdict, and the mean of the bounds. f(g): draws from the generator g and returns a"
     " deviation and its bound, and if wanted where that was; the rest is as for measure, with "
     "1 as the bound. The mean of the bounds that were met is a figure to be told: a bound that is too wide shows there.",
     "in_bounds()  --> error: 0 arguments given; wanted 1"},
    {"glossary", glossary, "[term] [, \"--lang=zh\"]",
     "Explains a term of the field, in English or Chinese.\n"
     "Without one, lists them all, with their names in both. A part of a term will do, in either language.",
     "glossary(3)  --> error: wanted text in quotes"},
    {.name = NULL},
};

void bind_open_course(lua_State *L) { bind_rows(L, rows); }
