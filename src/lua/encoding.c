/* encoding.c: encodings as Lua functions. Every function of every descriptor in the registry becomes one, with its
 * arguments, help and example; nothing here knows an encoding by name.
 *
 * A call is f(placed arguments [, {name = value, …}]). Rows and texts made for the help index live in the registry under
 * &rows_key.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "encoding/define.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "lua/traced.h"

static const char rows_key = 0;

/* ---- arguments of a call ------------------------------------------------------------------------------- */

static void read_value(lua_State *L, int i, const enc_param *p, enc_value *v, const char *who);

/* Reads the entries of the table at t; their arrays stay on the stack, which keeps them alive. */
static void read_named(lua_State *L, int t, const enc_param *params, enc_value *v, const char *who,
                       bool kind) {
    const char *names[ENC_MAXPAR + 2];
    int n = 0;
    if (kind) names[n++] = "kind";
    for (const enc_param *p = params; p && p->name; p++)
        if (p->how != ENC_POSITIONAL) names[n++] = p->name;
    names[n] = NULL;
    bind_check_options(L, t, who, names);
    bind_reserve(L, 2 * ENC_MAXPAR);
    for (int k = 0; params && params[k].name; k++) {
        if (params[k].how == ENC_POSITIONAL) continue;
        lua_pushstring(L, params[k].name);
        lua_rawget(L, t);
        if (!lua_isnil(L, -1)) read_value(L, lua_gettop(L), &params[k], &v[k], who);
    }
}

static const char *kinds_text(char *buf, size_t cap, const enc_choice *choices) {
    size_t at = 0;
    buf[0] = 0;
    for (const enc_choice *c = choices; c->name && at < cap; c++)
        at += (size_t)snprintf(buf + at, cap - at, "%s\"%s\"",
                               at == 0     ? ""
                               : c[1].name ? ", "
                                           : " or ",
                               c->name);
    return buf;
}

/* {kind = "pi", factor = 4, …} at i */
static void read_choice(lua_State *L, int i, const enc_param *p, enc_value *v, const char *who) {
    char wanted[240], label[120], kinds[200];
    snprintf(wanted, sizeof wanted, "a table with kind = %s", kinds_text(kinds, sizeof kinds, p->choices));
    if (!lua_istable(L, i)) bind_raise_arg(L, i, who, p->name, wanted);
    lua_pushliteral(L, "kind");
    lua_rawget(L, i);
    const enc_choice *c = p->choices;
    const char *kind = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    while (c->name && !(kind && strcmp(c->name, kind) == 0)) c++;
    if (!c->name) {
        snprintf(label, sizeof label, "the kind of %s", p->name);
        bind_raise_arg(L, lua_gettop(L), who, label, kinds);
    }
    snprintf(label, sizeof label, "%s: %s \"%s\"", who, p->name, c->name);
    v->whole = c - p->choices;
    v->fields = lua_newuserdatauv(L, sizeof(enc_value) * ENC_MAXPAR, 0); /* stays on the stack */
    enc_defaults(v->fields, c->params);
    read_named(L, i, c->params, v->fields, label, true);
}

/* A traced value at i, or a list of some, which then is one; the value that it has in the plain is for the checks. */
static bool read_traced(lua_State *L, int i, const enc_param *p, enc_value *v, const char *who) {
    bool whole = p->type != ENC_NUM && p->type != ENC_ARRAY && p->type != ENC_POSITIONS;
    if (!dif_any_open()) return false;
    if (p->type == ENC_ARRAY || p->type == ENC_POSITIONS) (void)bind_stack_traced(L, i);
    op_val *t = bind_test_traced(L, i);
    if (!t) return false;
    int ndim = dif_spec(t)->ndim;
    if (whole || (p->type == ENC_POSITIONS && ndim == 0))
        bind_raisef(
            L, "%s: %s is traced; whole numbers have no derivative (stop_gradient makes a constant of it)",
            who, p->name);
    if (p->type == ENC_NUM && ndim > 0) bind_raise_arg(L, i, who, p->name, "a number");
    const arr *a = dif_array(t);
    v->value = t;
    v->unknown = !a;
    if (p->type != ENC_NUM) v->array = a;
    else v->num = a ? arr_get_num(a, a->data) : NAN;
    if (p->type == ENC_NUM && a && !isfinite(v->num)) bind_raise_arg(L, i, who, p->name, "a finite number");
    return true;
}

static void read_value(lua_State *L, int i, const enc_param *p, enc_value *v, const char *who) {
    v->given = true;
    if (read_traced(L, i, p, v, who)) return;
    v->made = !bind_test_arr(L, i);
    if (p->type == ENC_POSITIONS || p->type == ENC_ARRAY) bind_widen(L, i);
    switch (p->type) {
    case ENC_INT: v->whole = bind_check_int(L, i, who, p->name, INT64_MIN, INT64_MAX); break;
    case ENC_NUM: v->num = bind_check_num(L, i, who, p->name); break;
    case ENC_FLAG:
        if (!lua_isboolean(L, i)) bind_raise_arg(L, i, who, p->name, "true or false");
        v->whole = lua_toboolean(L, i);
        break;
    case ENC_WORD:
        if (lua_type(L, i) != LUA_TSTRING) bind_raise_arg(L, i, who, p->name, p->help);
        v->word = lua_tostring(L, i);
        break;
    case ENC_POSITIONS:
        if (lua_type(L, i) == LUA_TNUMBER) v->whole = bind_check_int(L, i, who, p->name, 0, INT64_MAX);
        else if (lua_istable(L, i) || bind_test_arr(L, i)) v->array = bind_operand(L, i, who, p->name);
        else bind_raise_arg(L, i, who, p->name, p->help);
        break;
    case ENC_ARRAY:
        if (!lua_istable(L, i) && !bind_test_arr(L, i) && lua_type(L, i) != LUA_TNUMBER)
            bind_raise_arg(L, i, who, p->name, p->help);
        v->array = bind_operand(L, i, who, p->name);
        break;
    case ENC_CHOICE: read_choice(L, i, p, v, who); break;
    }
}

/* Arguments from stack index `first` on: the placed ones, then perhaps a table of named ones. */
static void read_call(lua_State *L, int first, const enc_function *fn, enc_call *c) {
    int placed = 0, top = lua_gettop(L);
    enc_begin(c, fn);
    while (fn->params[placed].name && fn->params[placed].how == ENC_POSITIONAL) placed++;
    if (top > first + placed)
        bind_raisef(L, "%s: %d arguments given; wanted %d and a table of named ones", fn->name,
                    top - first + 1, placed);
    for (int k = 0; k < placed; k++) {
        if (first + k > top || lua_isnil(L, first + k))
            bind_raisef(L, "%s: no %s given; wanted %s", fn->name, fn->params[k].name, fn->params[k].help);
        read_value(L, first + k, &fn->params[k], &c->v[k], fn->name);
    }
    if (top < first + placed || lua_isnil(L, top)) return;
    if (!lua_istable(L, top))
        bind_raise_arg(L, top, fn->name, "the last argument", "a table of named ones, {name = value}");
    read_named(L, top, fn->params, c->v, fn->name, false);
}

/* ---- traced arguments ---------------------------------------------------------------------------------- */

typedef struct {
    const enc_function *fn;
    const enc_value *v;
} definition;

static void run_definition(op_ctx *c, const void *ctx, op_val **y) {
    const definition *d = ctx;
    d->fn->define(&(enc_def){.c = c, .v = d->v}, y);
}

/* By its definition, so that it has derivatives. */
static int call_defined(lua_State *L, enc_call *c) {
    op_val *out[ENC_MAXOUT], **box[ENC_MAXOUT];
    ph_err err;
    lua_Debug user;
    int n = c->fn->n_out;
    if (!c->fn->define)
        return bind_raisef(
            L,
            "%s: has no derivative by any of its arguments; stop_gradient(x) makes a constant of a traced x",
            c->fn->name);
    bind_reserve(L, 2 * ENC_MAXOUT + 8);
    for (int k = 0; k < n; k++) box[k] = bind_new_traced(L);
    int first = lua_gettop(L) - n + 1;
    dif_place at = {NULL, 0};
    if (bind_user_line(L, &user)) at = (dif_place){user.short_src, user.currentline};
    ph_status st = enc_check(c, &err);
    definition d = {c->fn, c->v};
    if (st == PH_OK) st = dif_define(out, n, c->fn->name, run_definition, &d, at, &err);
    if (st != PH_OK) return bind_raise(L, &err);
    for (int k = 0; k < n; k++) *box[k] = out[k];
    for (int k = 0; k < n; k++) {
        lua_pushvalue(L, first + k);
        bind_push_value(L, box[k]);
    }
    return n;
}

/* upvalue: the enc_function */
static int call(lua_State *L) {
    const enc_function *fn = lua_touserdata(L, lua_upvalueindex(1));
    enc_call c;
    ph_err err;
    arr out[ENC_MAXOUT], *box[ENC_MAXOUT];
    read_call(L, 1, fn, &c);
    if (!enc_d_plain(c.v, fn->params)) return call_defined(L, &c);
    bind_reserve(L, 8);
    for (int k = 0; k < fn->n_out; k++) box[k] = bind_new_arr(L);
    ph_status st = enc_run(out, &c, &err);
    if (bind_made_room(L, st)) st = enc_run(out, &c, &err);
    if (st != PH_OK) return bind_raise(L, &err);
    for (int k = 0; k < fn->n_out; k++) *box[k] = out[k];
    if (fn->n_out > 1 || box[0]->ndim > 0) return fn->n_out;
    arr scalar = arr_ref(box[0]);
    bind_push_result(L, &scalar);
    return 1;
}

/* ---- about encodings ----------------------------------------------------------------------------------- */

static void set_text(lua_State *L, const char *key, const char *text) {
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

static void add_word(lua_State *L, const char *word, size_t n) {
    lua_pushlstring(L, word, n);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* Into the table on top, of each option that is one of some words, these, and the same of its choices. */
static void set_words(lua_State *L, const enc_param *params) {
    for (const enc_param *p = params; p && p->name; p++) {
        if (p->type != ENC_WORD && p->type != ENC_CHOICE) continue;
        lua_newtable(L);
        for (const char *w = p->words; w && *w; w += strspn(w, " ")) {
            size_t n = strcspn(w, " ");
            add_word(L, w, n);
            w += n;
        }
        for (const enc_choice *c = p->choices; c && c->name; c++) add_word(L, c->name, strlen(c->name));
        lua_setfield(L, -2, p->choices ? "kind" : p->name);
        for (const enc_choice *c = p->choices; c && c->name; c++) set_words(L, c->params);
    }
}

/* encodings() -> name -> {title=, title_zh=, kind=, citation=, layout=, sample=, model=, laws={...}, functions={...}, words={...}}; words: of
 * its functions, by name, the options that are one of some words, by name, with these */
static int list_encodings(lua_State *L) {
    bind_check_count(L, "encodings", 0, 0);
    lua_newtable(L);
    for (const enc_encoding *const *e = enc_registry; *e; e++) {
        lua_newtable(L);
        set_text(L, "title", (*e)->title.en);
        set_text(L, "title_zh", (*e)->title.zh);
        set_text(L, "kind", enc_kind_text((*e)->kind));
        set_text(L, "citation", (*e)->citation);
        set_text(L, "layout", (*e)->layout);
        set_text(L, "sample", (*e)->sample);
        set_text(L, "model", (*e)->model);
        set_text(L, "claims", (*e)->claims.en); /* NULL: nil */
        set_text(L, "claims_zh", (*e)->claims.zh);
        lua_newtable(L);
        for (int k = 0; enc_law_text(k); k++)
            if ((*e)->laws >> k & 1) {
                lua_pushstring(L, enc_law_text(k));
                lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
            }
        lua_setfield(L, -2, "laws");
        lua_newtable(L);
        for (const enc_function *f = (*e)->functions; f->name; f++) {
            lua_pushstring(L, f->name);
            lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
        }
        lua_setfield(L, -2, "functions");
        lua_newtable(L);
        for (const enc_function *f = (*e)->functions; f->name; f++) {
            lua_newtable(L);
            set_words(L, f->params);
            lua_setfield(L, -2, f->name);
        }
        lua_setfield(L, -2, "words");
        lua_setfield(L, -2, (*e)->name);
    }
    return 1;
}

/* formula_of(name, column, arguments...) */
static int formula_of(lua_State *L) {
    enc_call c;
    ph_err err;
    if (lua_type(L, 1) != LUA_TSTRING)
        bind_raise_arg(L, 1, "formula_of", "the encoding", "its name, as in \"sinusoidal\"");
    const enc_encoding *e = enc_find(lua_tostring(L, 1));
    if (!e) {
        lua_newtable(L);
        for (const enc_encoding *const *k = enc_registry; *k; k++) set_text(L, (*k)->name, "");
        return bind_raise_kind(L, "formula_of", "encoding", lua_tostring(L, 1), -1);
    }
    int64_t column = bind_check_int(L, 2, "formula_of", "the column", 1, INT64_MAX);
    read_call(L, 3, e->functions, &c);
    bind_reserve(L, 4);
    if (enc_formula(bind_new_expr(L), e, &c, column - 1, &err) != PH_OK) return bind_raise(L, &err);
    return 1;
}

/* ---- help ---------------------------------------------------------------------------------------------- */

/* Takes what was put into t; the box, at the top of the stack, gives way to the text. */
static void push_taken(lua_State *L, char **box, ph_text *t) {
    ph_err err;
    size_t n;
    if (ph_text_take(box, &n, t, &err) != PH_OK) bind_raise(L, &err);
    bind_push_text(L, box, n);
    lua_replace(L, -2);
}

static void push_args(lua_State *L, const enc_function *f) {
    char **box = bind_new_text(L);
    ph_text t = {0};
    enc_put_args(&t, f);
    push_taken(L, box, &t);
}

static void push_help(lua_State *L, const enc_encoding *e, const enc_function *f) {
    char **box = bind_new_text(L);
    ph_text t = {0};
    enc_put_help(&t, e, f);
    push_taken(L, box, &t);
}

/* The table of anchors is at the top of the stack, and stays. */
static void add_function(lua_State *L, const enc_encoding *e, const enc_function *f) {
    bind_push_lab(L);
    lua_pushlightuserdata(L, (void *)f);
    lua_pushcclosure(L, call, 1);
    lua_setfield(L, -2, f->name);
    lua_pop(L, 1);
    bind_row *row = lua_newuserdatauv(L, sizeof *row, 2);
    push_args(L, f);
    push_help(L, e, f);
    *row = (bind_row){f->name, call, lua_tostring(L, -2), lua_tostring(L, -1), f->example};
    lua_setiuservalue(L, -3, 1);
    lua_setiuservalue(L, -2, 2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    bind_help_add(L, row, "positional encodings");
}

static const bind_row rows[] = {
    {.name = "# positional encodings"},
    {"encodings", list_encodings, "",
     "What encodings there are, by name.\n"
     "A table: name -> {title, kind, citation, layout, sample, model, laws, claims, functions, words}. words: of each "
     "function the options that are one of some words. laws are claimed, under the conditions claims where it is there; atlas() puts them to the test, with the arguments "
     "sample; model, where it is there, are those in transformers. Inside grad and its like an encoding is computed in operations: it has derivatives by arrays, "
     "positions, bases and factors. Its phases are plain doubles there (but in a rotation of which only x is "
     "followed): at position m an entry is off by up to 5e-16 m, where the kernel rounds once.",
     "encodings().sinusoidal.kind  --> additive vectors"},
    {"formula_of", formula_of, "name, column, ...",
     "The formula of one column of an encoding, exact.\n"
     "name: of an encoding. column: counts from 1; of a score bias, the head. ...: arguments as of the "
     "encoding's first\n"
     "function. Symbols: t (position) in additive vectors; m (query) and n (key) in a score bias; m and "
     "x[j], the columns\n"
     "before, counted from 0, in a rotation; m[0], m[1], ... where there are several positions; q[j] and "
     "k[j] in scores, and p, the position that the keys count, where it depends on them.",
     "formula_of(\"sinusoidal\", 2, 8, 4)  --> cos(t)\n"
     "formula_of(\"sinusiodal\", 2, 8, 4)  --> error: did you mean 'sinusoidal'"},
    {.name = NULL},
};

void bind_open_encoding(lua_State *L) {
    bind_rows(L, rows);
    bind_reserve(L, 12);
    lua_newtable(L);
    for (const enc_encoding *const *e = enc_registry; *e; e++)
        for (const enc_function *f = (*e)->functions; f->name; f++) add_function(L, *e, f);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &rows_key);
}
