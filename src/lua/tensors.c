/* tensors.c: an open file of many arrays, .npz or .safetensors: what is in it, and each array read when it is asked for. */
#include <stdio.h>
#include <string.h>

#include "lua/bind.h"
#include "lua/tensors.h"

int bind_file_failed(lua_State *L, const char *who, const ph_err *err) {
    ph_err e = *err;
    if (e.code == PH_EINTR) return bind_raise(L, &e);
    return bind_raisef(L, "%s: %s", who, e.text);
}

static file_store **check_tensors(lua_State *L, const char *who) {
    file_store **s = luaL_testudata(L, 1, "phasor.Tensors");
    if (!s) bind_raise_arg(L, 1, who, "the operand", "an open file, as read(\"x.npz\") gives");
    if (!*s) bind_raisef(L, "%s: the file is closed", who);
    return s;
}

static int tensors_close(lua_State *L) {
    file_store **s = luaL_testudata(L, 1, "phasor.Tensors");
    if (!s) return bind_raise_arg(L, 1, "close", "the operand", "an open file, as read(\"x.npz\") gives");
    file_store_close(s);
    return 0;
}

static void push_name(lua_State *L, const file_store *s, int64_t i, const char *who) {
    ph_err err;
    size_t n;
    char **text = bind_new_text(L);
    if (file_store_name(text, &n, s, i, &err) != PH_OK) bind_file_failed(L, who, &err);
    lua_pushlstring(L, *text, n);
    lua_remove(L, -2);
}

/* For the nearest name, this many are looked at: more would take longer than a person waits. */
#define NAMES_SEEN 20000

static int raise_no_tensor(lua_State *L, const file_store *s, const char *name) {
    char of[200];
    int64_t n = file_store_count(s);
    lua_newtable(L);
    for (int64_t i = 0; i < n && i < NAMES_SEEN; i++) {
        push_name(L, s, i, "read");
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
    }
    snprintf(of, sizeof of, " in %s", file_store_path(s));
    return bind_raise_name(L, "tensor", name, of, -1);
}

/* The index of the tensor whose name is at i. */
static int64_t check_name(lua_State *L, const file_store *s, int i, const char *who) {
    size_t n;
    int64_t at;
    ph_err err;
    if (lua_type(L, i) != LUA_TSTRING) bind_raise_arg(L, i, who, "the tensor", "its name");
    const char *name = lua_tolstring(L, i, &n);
    if (file_store_find(&at, s, name, n, &err) != PH_OK) bind_file_failed(L, who, &err);
    if (at < 0) raise_no_tensor(L, s, name);
    return at;
}

/* Reads into a new array at the top; once more after a collection when memory ran out. */
static int push_tensor(lua_State *L, const file_store *s, int64_t at) {
    ph_err err;
    arr *a = bind_new_arr(L);
    ph_status st = file_store_read(a, s, at, &err);
    if (bind_made_room(L, st)) st = file_store_read(a, s, at, &err);
    return st == PH_OK ? 1 : bind_file_failed(L, "read", &err);
}

static int tensors_read(lua_State *L) {
    bind_check_count(L, "read", 2, 2);
    const file_store *s = *check_tensors(L, "read");
    return push_tensor(L, s, check_name(L, s, 2, "read"));
}

static int tensors_names(lua_State *L) {
    bind_check_count(L, "names", 1, 1);
    const file_store *s = *check_tensors(L, "names");
    int64_t n = file_store_count(s);
    lua_createtable(L, n < 1000 ? (int)n : 1000, 0);
    for (int64_t i = 0; i < n; i++) {
        push_name(L, s, i, "names");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static void check_entry(lua_State *L, file_entry *e, const char *who) {
    ph_err err;
    bind_check_count(L, who, 2, 2);
    const file_store *s = *check_tensors(L, who);
    if (file_store_entry(e, s, check_name(L, s, 2, who), &err) != PH_OK) bind_file_failed(L, who, &err);
}

static int tensors_shape(lua_State *L) {
    file_entry e;
    check_entry(L, &e, "shape");
    return bind_push_shape(L, e.ndim, e.shape);
}

static int tensors_type(lua_State *L) {
    file_entry e;
    check_entry(L, &e, "type");
    lua_pushstring(L, e.type);
    return 1;
}

/* key and value in turn, all boxed at once: a table of boxes would not survive Lua's running out of memory. */
typedef struct {
    char **text;
    int64_t n;
} pairs_box;

static int pairs_gc(lua_State *L) {
    pairs_box *b = lua_touserdata(L, 1);
    for (int64_t k = 0; k < 2 * b->n; k++) ph_free(b->text[k]);
    ph_free(b->text);
    *b = (pairs_box){NULL, 0};
    return 0;
}

static int tensors_metadata(lua_State *L) {
    ph_err err;
    bind_check_count(L, "metadata", 1, 1);
    const file_store *s = *check_tensors(L, "metadata");
    pairs_box *b = bind_new_owner(L, sizeof *b, "phasor.files.pairs", pairs_gc);
    if (file_store_metadata(&b->text, &b->n, s, &err) != PH_OK) return bind_file_failed(L, "metadata", &err);
    lua_newtable(L);
    for (int64_t k = 0; k < b->n; k++) {
        lua_pushstring(L, b->text[2 * k]);
        lua_pushstring(L, b->text[2 * k + 1]);
        lua_rawset(L, -3);
    }
    return 1;
}

/* f["w"] reads; what is a method's name is the method. upvalues as bind_class_index. */
static int tensors_index(lua_State *L) {
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING)
        return bind_raise_arg(L, 2, "an open file", "a key", "a tensor's name");
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_settop(L, 2);
    return tensors_read(L);
}

static int tensors_len(lua_State *L) {
    lua_pushinteger(L, file_store_count(*check_tensors(L, "#")));
    return 1;
}

static int next_tensor(lua_State *L) {
    const file_store *s = *check_tensors(L, "pairs");
    int64_t at = lua_isnil(L, 2) ? 0 : check_name(L, s, 2, "pairs") + 1;
    if (at >= file_store_count(s)) return 0;
    push_name(L, s, at, "pairs");
    return 1 + push_tensor(L, s, at);
}

static int tensors_pairs(lua_State *L) {
    check_tensors(L, "pairs");
    lua_pushcfunction(L, next_tensor);
    lua_pushvalue(L, 1);
    return 2;
}

/* "model.safetensors: 2 tensors", then a line each: name, type, shape; as many as the screen has. */
static int tensors_tostring(lua_State *L) {
    file_store **sp = luaL_testudata(L, 1, "phasor.Tensors");
    ph_err err;
    luaL_Buffer b;
    if (!sp || !*sp) {
        lua_pushliteral(L, "a closed file of tensors");
        return 1;
    }
    const file_store *s = *sp;
    int64_t n = file_store_count(s), most = bind_state_of(L)->rows - 4;
    if (most < 8) most = 8;
    int64_t shown = n <= most ? n : most - 1;
    lua_settop(L, 1);
    lua_newtable(L);
    for (int64_t i = 0; i < shown; i++) {
        char dims[200] = "(";
        file_entry e;
        if (file_store_entry(&e, s, i, &err) != PH_OK) return bind_file_failed(L, "tostring", &err);
        for (int k = 0; k < e.ndim; k++)
            snprintf(dims + strlen(dims), sizeof dims - strlen(dims), k ? ", %lld" : "%lld",
                     (long long)e.shape[k]);
        lua_pushliteral(L, "\n  ");
        push_name(L, s, i, "tostring");
        lua_pushfstring(L, "  %s %s)", e.type, dims);
        lua_concat(L, 3);
        lua_rawseti(L, 2, i + 1);
    }
    luaL_buffinit(L, &b);
    lua_pushfstring(L, "%s: %I tensor%s", file_store_path(s), (LUAI_UACINT)n, n == 1 ? "" : "s");
    luaL_addvalue(&b);
    for (int64_t i = 1; i <= shown; i++) {
        lua_rawgeti(L, 2, i);
        luaL_addvalue(&b);
    }
    if (shown < n) {
        lua_pushfstring(L, "\n  ... and %I more", (LUAI_UACINT)(n - shown));
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
    return 1;
}

int bind_open_store(lua_State *L, const char *path, bind_store_fn *open, bool one) {
    ph_err err;
    file_store **s = bind_new_finalized(L, sizeof *s, 0);
    *s = NULL;
    luaL_setmetatable(L, "phasor.Tensors");
    if (open(s, path, &err) != PH_OK) return bind_file_failed(L, "read", &err);
    if (!one) return 1;
    push_tensor(L, *s, check_name(L, *s, 2, "read"));
    file_store_close(s);
    return 1;
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

static const luaL_Reg meta[] = {
    {"__gc", tensors_close},          {"__close", tensors_close}, {"__len", tensors_len},
    {"__tostring", tensors_tostring}, {"__pairs", tensors_pairs}, {NULL, NULL},
};

static const bind_row rows[] = {
    {.name = "# files"},
    {"Tensors:read", tensors_read, "name",
     "The array of that name in an open file; f[\"name\"] is the same.\n"
     "Only its own bytes are read, each time it is asked for. A name such as\n"
     "\"shape\", which is also a method's, needs f:read(\"shape\").",
     "write(\"w.npz\", {w = eye(2)})\nf = read(\"w.npz\")\nf:read(\"w\").shape  --> {2, 2}\n"
     "f:read(\"v\")  --> error: unknown tensor 'v' in w.npz\nos.remove(\"w.npz\")"},
    {"Tensors:names", tensors_names, "", "The names in an open file, in its order.",
     "write(\"w.npz\", {w = eye(2), b = zeros(2)})\nread(\"w.npz\"):names()  --> {\"b\", \"w\"}\n"
     "os.remove(\"w.npz\")"},
    {"Tensors:shape", tensors_shape, "name",
     "The shape of an array in an open file; it is not read for that.",
     "write(\"w.npz\", {w = zeros(2, 3)})\nread(\"w.npz\"):shape(\"w\")  --> {2, 3}\nos.remove(\"w.npz\")"},
    {"Tensors:type", tensors_type, "name",
     "The type an array has in its file.\nOne of bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 "
     "c128.",
     "write(\"w.npz\", {w = zeros(2)}, {dtype = \"f16\"})\nread(\"w.npz\"):type(\"w\")  --> f16\n"
     "os.remove(\"w.npz\")"},
    {"Tensors:metadata", tensors_metadata, "", "The texts that a .safetensors carries beside its arrays.",
     "write(\"w.safetensors\", {w = eye(2)}, {metadata = {format = \"pt\"}})\n"
     "read(\"w.safetensors\"):metadata().format  --> pt\nos.remove(\"w.safetensors\")"},
    {"Tensors:close", tensors_close, "",
     "Closes an open file; the arrays read from it stay.\nA file no longer used is closed by itself.",
     "write(\"w.npz\", {w = eye(2)})\nf = read(\"w.npz\")\nf:close()\nf:names()  --> error: the file is "
     "closed\n"
     "os.remove(\"w.npz\")"},
    {.name = NULL},
};

void bind_open_tensors(lua_State *L) {
    bind_class(L, "Tensors", KIND_NONE, meta);
    lua_getfield(L, -1, "methods");
    lua_pushcclosure(L, tensors_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    bind_rows(L, rows);
}
