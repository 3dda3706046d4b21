/* verify.c: verdicts as Lua values. */
#include <string.h>

#include "base/utf8.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "verify/coq.h"
#include "verify/subject.h"
#include "verify/told.h"
#include "verify/words.h"

/* ---- the userdata -------------------------------------------------------------------------------------- */

ver_verdict *bind_new_verdict(lua_State *L) {
    ver_verdict *v = bind_new_finalized(L, sizeof *v, 1); /* 1: its caption */
    ver_init(v);
    luaL_setmetatable(L, "phasor.Verdict");
    return v;
}

static ver_verdict *check_verdict(lua_State *L, int i, const char *who) {
    ver_verdict *v = luaL_testudata(L, i, "phasor.Verdict");
    if (!v) bind_raise_arg(L, i, who, "the operand", "a verdict");
    return v;
}

static int verdict_gc(lua_State *L) {
    ver_clear(lua_touserdata(L, 1));
    return 0;
}

/* The table of named arguments at i; its keys are among `names`. */
void bind_check_named(lua_State *L, int i, const char *who, const char *const *names) {
    if (!lua_istable(L, i)) bind_raise_arg(L, i, who, "the argument", "a table of names, as in the help");
    bind_check_options(L, i, who, names);
}

static int push_line(lua_State *L, const ver_verdict *v, ver_lang lang) {
    char **text = bind_new_text(L);
    ph_err err;
    return bind_give_text(L, text, ver_text(text, v, lang, false, &err), &err);
}

static int verdict_tostring(lua_State *L) { return push_line(L, check_verdict(L, 1, "tostring"), VER_EN); }

/* text([lang]) */
static int verdict_text(lua_State *L) {
    ver_verdict *v = check_verdict(L, 1, "text");
    ver_lang lang = VER_EN;
    bind_check_count(L, "text", 1, 2);
    if (!lua_isnoneornil(L, 2) &&
        (lua_type(L, 2) != LUA_TSTRING || !ver_lang_parse(&lang, lua_tostring(L, 2))))
        bind_raise_arg(L, 2, "text", "the language", "\"en\" or \"zh\"");
    return push_line(L, v, lang);
}

#define HANG 4 /* columns before a verdict's further lines */

/* Replaces the string at the top of the stack by its lines; the first begins behind `column` columns. */
static void fold(lua_State *L, size_t columns, size_t column) {
    size_t n;
    const char *s = lua_tolstring(L, -1, &n);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (size_t room = columns > column ? columns - column : 0;; room = columns - HANG) {
        size_t fits = ph_utf8_fit(s, n, room);
        luaL_addlstring(&b, s, fits);
        s += fits, n -= fits;
        while (n > 0 && *s == ' ') s++, n--;
        if (n == 0) break;
        luaL_addstring(&b, "\n    ");
    }
    luaL_pushresult(&b);
    lua_remove(L, -2);
}

bool bind_push_verdict_shown(lua_State *L, int i, size_t column) {
    const ver_verdict *v = luaL_testudata(L, i, "phasor.Verdict");
    const bind_state *s = bind_state_of(L);
    if (!v) return false;
    push_line(L, v, s->lang);
    lua_remove(L, -2); /* the owner of the text */
    if (s->fold > 2 * HANG) fold(L, (size_t)s->fold, column);
    return true;
}

bool bind_push_strength(lua_State *L, const char *strength, const char *lang) {
    ver_strength s;
    ver_lang l;
    if (!ver_strength_parse(&s, strength) || !ver_lang_parse(&l, lang)) return false;
    lua_pushstring(L, ver_word(l, VER_W_UNKNOWN + s));
    return true;
}

void bind_set_verdicts(lua_State *L, const char *lang, int columns) {
    bind_state *s = bind_state_of(L);
    (void)ver_lang_parse(&s->lang, lang); /* another language: English */
    s->fold = columns;
}

static int verdict_json(lua_State *L) {
    ver_verdict *v = check_verdict(L, 1, "json");
    bool with_time = false;
    bind_check_count(L, "json", 1, 2);
    if (!lua_isnoneornil(L, 2)) {
        static const char *const names[] = {"time", NULL};
        bind_check_named(L, 2, "json", names);
        with_time = lua_getfield(L, 2, "time") != LUA_TNIL && lua_toboolean(L, -1);
    }
    char **text = bind_new_text(L);
    ph_err err;
    return bind_give_text(L, text, ver_json(text, v, with_time, &err), &err);
}

static int written(lua_State *L, ph_status (*write)(char **, const ver_verdict *, ph_err *),
                   const char *who) {
    bind_check_count(L, who, 1, 1);
    ver_verdict *v = check_verdict(L, 1, who);
    char **text = bind_new_text(L);
    ph_err err;
    return bind_give_text(L, text, write(text, v, &err), &err);
}
static int verdict_latex(lua_State *L) { return written(L, ver_latex, "latex"); }
static int verdict_coq(lua_State *L) { return written(L, ver_coq, "coq"); }

/* ---- fields -------------------------------------------------------------------------------------------- */

static int push_field(lua_State *L, const char *s) {
    lua_pushstring(L, s); /* NULL: nil */
    return 1;
}
static int get_strength(lua_State *L) {
    return push_field(L, ver_strength_name(check_verdict(L, 1, "strength")->strength));
}
static int get_statement(lua_State *L) { return push_field(L, check_verdict(L, 1, "statement")->statement); }
static int push_words(lua_State *L, ph_status (*words)(char **, const ver_verdict *, ver_lang, ph_err *),
                      const char *who) {
    const ver_verdict *v = check_verdict(L, 1, who);
    char **text = bind_new_text(L);
    ph_err err;
    if (words(text, v, VER_EN, &err) != PH_OK) return bind_raise(L, &err);
    return *text ? bind_push_text(L, text, strlen(*text)) : push_field(L, NULL);
}
static int get_conditions(lua_State *L) { return push_words(L, ver_conditions, "conditions"); }
static int get_witness(lua_State *L) { return push_words(L, ver_witness, "witness"); }
static int get_method(lua_State *L) { return push_field(L, check_verdict(L, 1, "method")->method); }
static int get_why(lua_State *L) { return push_field(L, check_verdict(L, 1, "why")->why); }
static int get_unit(lua_State *L) { return push_field(L, check_verdict(L, 1, "unit")->unit); }

/* "out of budget: the polynomials grow too large" */
static int get_reason(lua_State *L) {
    const char *kind = ver_reason_name(check_verdict(L, 1, "reason")->reason);
    push_words(L, ver_reason_words, "reason");
    if (*kind) {
        const char *reason = lua_tostring(L, -1);
        lua_pushfstring(L, "%s%s%s", kind, reason ? ": " : "", reason ? reason : "");
    }
    return 1;
}

static int get_kind(lua_State *L) {
    const char *kind = ver_reason_name(check_verdict(L, 1, "kind")->reason);
    return push_field(L, *kind ? kind : NULL);
}

static int get_value(lua_State *L) {
    ver_verdict *v = check_verdict(L, 1, "value");
    if (v->has_value) lua_pushnumber(L, v->value);
    else lua_pushnil(L);
    return 1;
}
static int get_bound(lua_State *L) {
    ver_verdict *v = check_verdict(L, 1, "bound");
    if (v->has_value) lua_pushnumber(L, v->bound);
    else lua_pushnil(L);
    return 1;
}
static int get_size(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)check_verdict(L, 1, "size")->size);
    return 1;
}
static int get_time(lua_State *L) {
    lua_pushnumber(L, check_verdict(L, 1, "time")->time);
    return 1;
}
static int get_holds(lua_State *L) {
    lua_pushboolean(L, ver_holds(check_verdict(L, 1, "holds")));
    return 1;
}
static int get_rechecked(lua_State *L) {
    lua_pushboolean(L, ver_rechecked(check_verdict(L, 1, "rechecked")));
    return 1;
}

/* ---- captions ------------------------------------------------------------------------------------------ */

bool bind_is_caption(lua_State *L) {
    static const char *const langs[] = {"en", "zh"};
    if (lua_type(L, -1) == LUA_TSTRING) return lua_rawlen(L, -1) > 0;
    if (!lua_istable(L, -1)) return false;
    for (size_t i = 0; i < 2; i++) {
        bool text = lua_getfield(L, -1, langs[i]) == LUA_TSTRING && lua_rawlen(L, -1) > 0;
        lua_pop(L, 1);
        if (!text) return false;
    }
    return true;
}

void bind_caption(lua_State *L, int v, int options, const char *who) {
    int top = lua_gettop(L);
    v = lua_absindex(L, v);
    if (!lua_istable(L, options)) return;
    if (lua_getfield(L, options, "caption") != LUA_TNIL) {
        if (!bind_is_caption(L))
            bind_raise_arg(L, top + 1, who, "caption", "text, or {en = text, zh = text}");
        lua_setiuservalue(L, v, 1);
    }
    lua_settop(L, top);
}

static int get_caption(lua_State *L) {
    (void)check_verdict(L, 1, "caption");
    lua_getiuservalue(L, 1, 1);
    return 1;
}

/* A table of the statements that were judged. */
static int get_formulas(lua_State *L) {
    const ver_subject *s = check_verdict(L, 1, "formulas")->subject;
    lua_newtable(L);
    for (int i = 0; s && s->shape == VER_EACH && i < s->statements.n; i++) {
        bind_push_expr(L, s->statements.item[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* A table of the statements under which it holds. */
static int get_requires(lua_State *L) {
    const ver_told *t = check_verdict(L, 1, "requires")->told;
    lua_newtable(L);
    for (int i = 0; t && i < t->conditions.n; i++) {
        bind_push_expr(L, t->conditions.item[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static void set_string(lua_State *L, const char *key, const char *value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* {{name = "x", value = "1/2"}, ..., left = "2.0", right = "3.0"} of a witness that is a point. */
static int get_point(lua_State *L) {
    const ver_told *t = check_verdict(L, 1, "point")->told;
    const ver_said *s = t ? &t->said[VER_WITNESS] : NULL;
    if (!t || (!t->left && !s->form[VER_EN] && t->kind != VER_SAMPLE && t->kind != VER_PLACE))
        return push_field(L, NULL);
    const ver_value *at = s->n ? s->value : t->at;
    int n = s->n ? s->n : t->n;
    lua_createtable(L, n, 2);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, 0, 2);
        set_string(L, "name", at[i].name);
        set_string(L, "value", at[i].value);
        lua_rawseti(L, -2, i + 1);
    }
    set_string(L, "left", t->left);
    set_string(L, "right", t->right);
    return 1;
}

static int get_seed(lua_State *L) {
    const ver_told *t = check_verdict(L, 1, "seed")->told;
    if (t && t->extent == VER_SEEDED) lua_pushinteger(L, (lua_Integer)t->count);
    else lua_pushnil(L);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# verdicts"},
    {"Verdict.strength", get_strength, "",
     "\"proved\", \"certified\", \"measured\", \"refuted\" or \"unknown\".",
     "measure{value={1, 3}, bound=2, why=\"the claim\"}.strength  --> refuted"},
    {"Verdict.holds", get_holds, "", "True for measured, certified and proved.",
     "measure{value={1, 3}, bound=2, why=\"the claim\"}.holds  --> false"},
    {"Verdict.statement", get_statement, "", "What was judged, or nil.",
     "measure{claim=\"x is 0\", value=0, bound=0, why=\"exact\"}.statement  --> x is 0"},
    {"Verdict.conditions", get_conditions, "", "Under which conditions the verdict stands, or nil.",
     "function f(g) return 0 end\nmeasure{f=f, bound=0, why=\"exact\"}.conditions  --> seed 1"},
    {"Verdict.witness", get_witness, "", "Where a refuted statement fails, or nil.",
     "measure{value={1, 3}, bound=2, why=\"the claim\"}.witness  --> at [2]"},
    {"Verdict.requires", get_requires, "",
     "The conditions of the verdict, a table of statements.\n"
     "Those that the proof found, then those that were assumed; of a certificate the ends of its box. Empty where there are only words.",
     "x = sym \"x\"\nprove(x/x, 1).requires[1]  --> ne(x, 0)\n#prove(x + x, 2*x).requires  --> 0"},
    {"Verdict.point", get_point, "",
     "The witness as data: names and values, and both sides, or nil.\n"
     "A table of {name, value}, with left and right: texts, values as exact as they are. Of a measurement the number of the sample, or the "
     "place along each axis; of a law of the atlas the positions and scores that it names. nil where the witness is no point.",
     "x = sym \"x\"\np = certify(lt(x, 2), {x = {0, 3}}).point\np[1].name, p[1].value, p.right  --> x\t3\t2.000000000"},
    {"Verdict.seed", get_seed, "", "The seed that the samples were drawn with, or nil.",
     "function f(g) return 0 end\nmeasure{f=f, bound=0, why=\"exact\", seed=7}.seed  --> 7"},
    {"Verdict.method", get_method, "", "How the verdict was reached.",
     "measure{value=0, bound=0, why=\"exact\"}.method  --> every value given"},
    {"Verdict.why", get_why, "", "How the bound of a measurement is derived, or nil.",
     "measure{value=0, bound=0, why=\"exact\"}.why  --> exact"},
    {"Verdict.reason", get_reason, "",
     "Why nothing is known, or nil.\n"
     "First of what kind: outside the theory, out of budget, undefined, needs data; then the particulars.",
     "v = measure{value={}, bound=0, why=\"exact\"}\nv.reason  --> needs data: not one sample was measured\n"
     "x = sym \"x\"\nprove(x/(x - x), 1).reason  --> undefined: division by zero is undefined"},
    {"Verdict.kind", get_kind, "",
     "Of what kind the reason is, or nil.\n"
     "\"outside the theory\", \"out of budget\", \"undefined\" or \"needs data\".",
     "x = sym \"x\"\nprove(x/(x - x), 1).kind  --> undefined"},
    {"Verdict.value", get_value, "", "The worst deviation that was measured, or nil.",
     "measure{value={1, 3}, bound=2, why=\"the claim\"}.value  --> 3.0"},
    {"Verdict.bound", get_bound, "", "The bound it was held against, or nil.",
     "measure{value={1, 3}, bound=2, why=\"the claim\"}.bound  --> 2.0"},
    {"Verdict.unit", get_unit, "", "The unit of value and bound, such as ulp, or nil.",
     "n = sym(\"n\", \"integer\")\ncertify_table(n/3, {{n, 0, 2}}, range(0, 2)/3).unit  --> ulp"},
    {"Verdict.size", get_size, "", "How many samples, boxes, points or terms; 0 when not said.",
     "measure{value={1, 3}, bound=2, why=\"the claim\"}.size  --> 2"},
    {"Verdict.caption", get_caption, "",
     "What the verdict says in a sentence, or nil.\n"
     "The option caption of prove, certify and measure: text, or {en = text, zh = text}; formulas stand in $...$. A lesson shows "
     "it with the strength, and the statement itself where it is asked for.",
     "x = sym \"x\"\nprove(x + x, 2*x, {caption = \"twice\"}).caption  --> twice\n"
     "prove(x, x, {caption = 3})  --> error: wanted text"},
    {"Verdict.formulas", get_formulas, "",
     "The statements that were judged, a table of formulas.\nEmpty where there are only words.",
     "x = sym \"x\"\nprove(2*x - x, x).formulas[1]  --> eq(2*x - x, x)"},
    {"Verdict.time", get_time, "", "Seconds it took.",
     "measure{value=0, bound=0, why=\"exact\"}.time < 60  --> true"},
    {"Verdict.rechecked", get_rechecked, "",
     "True when Coq is known to take the verdict's certificate.\n"
     "That is the file that :coq() gives; the fingerprints of those that passed stand in lessons/rechecked.",
     "measure{value=0, bound=0, why=\"exact\"}.rechecked  --> false"},
    {"Verdict:json", verdict_json, "[{time=true}]", "The verdict as JSON text; its time only on request.",
     "v = measure{value=0, bound=0, why=\"exact\"}\nv:json():sub(1, 22)  --> {\"strength\":\"measured\""},
    {"Verdict:text", verdict_text, "[lang]", "The verdict as a line of text, in \"en\" or \"zh\".",
     "v = measure{value=0, bound=1, why=\"exact\"}\nv:text(\"zh\")  --> 实测：最大偏差 0 ≤ 1（1 个样本）"},
    {"Verdict:latex", verdict_latex, "", "The verdict as text that can stand in LaTeX.",
     "v = measure{value=0, bound=1, why=\"exact\"}\nv:latex()  --> measured: max deviation $0\\le1$ (1 "
     "sample)"},
    {"Verdict:coq", verdict_coq, "",
     "A proved verdict as a file for Coq, whose kernel is a second judge.\n"
     "The file states what was proved, under the same conditions, with a certificate that coqc checks: write it to a file "
     "and run coqc 8.16 or later on it. An error says why, where Coq cannot state the verdict or there is no certificate.",
     "a, b = sym \"a b\"\nv = prove(cos(a - b), cos(b - a))\nv:coq():match(\"Lemma statement\")  --> Lemma statement\n"
     "prove(sin(a), cos(a)):coq()  --> error: only a proved verdict"},
    {.name = NULL},
};

void bind_open_verify(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", verdict_gc}, {"__tostring", verdict_tostring}, {NULL, NULL}};
    bind_class(L, "Verdict", KIND_NONE, meta);
    lua_pop(L, 1);
    bind_rows(L, rows);
    bind_open_measure(L);
    bind_open_grid(L);
}
