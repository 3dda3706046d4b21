/* files.c: arrays in files as the student sees them: read and write. An open file of many arrays is in tensors.c. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "files/files.h"
#include "base/utf8.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "lua/tensors.h"

typedef enum { NPY, NPZ, SAFETENSORS, CSV } format;

static const struct {
    const char *ending;
    format format;
} endings[] = {{".npy", NPY}, {".npz", NPZ}, {".safetensors", SAFETENSORS}, {".csv", CSV}};

#define INDEX ".safetensors.index.json" /* of a model in several files */

/* ---- arguments --------------------------------------------------------------------------------------------- */

static bool ends_with(const char *s, const char *end) {
    size_t n = strlen(s), m = strlen(end);
    if (n < m) return false;
    for (size_t k = 0; k < m; k++)
        if (tolower((unsigned char)s[n - m + k]) != end[k]) return false;
    return true;
}

static const char *check_path(lua_State *L, const char *who, format *f) {
    size_t n;
    if (lua_type(L, 1) != LUA_TSTRING) bind_raise_arg(L, 1, who, "the file", "a name such as \"x.npy\"");
    const char *path = lua_tolstring(L, 1, &n);
    if (strlen(path) != n) bind_raisef(L, "%s: the file's name holds a NUL", who);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        if (ends_with(path, endings[k].ending)) {
            *f = endings[k].format;
            return path;
        }
    bool torch = ends_with(path, ".pt") || ends_with(path, ".pth") || ends_with(path, ".bin") ||
                 ends_with(path, ".pkl");
    bind_raise_arg(L, 1, who, "the file",
                   torch ? "a .safetensors: pickled models run code when read; PyTorch's "
                           "safetensors.torch.save_file writes one"
                   : !strcmp(who, "read") && ends_with(path, ".json")
                       ? "a name that ends in " INDEX "; rope_config reads a model's config.json"
                       : "a name that ends in .npy, .npz, .safetensors or .csv");
    return NULL;
}

/* The options at i, a table with keys among `names`; pushes nothing. An absent one is an empty table there. */
static void check_table(lua_State *L, int i, const char *who, const char *const *names, const char *wanted) {
    if (lua_isnoneornil(L, i)) {
        lua_settop(L, i - 1);
        lua_newtable(L);
    } else if (!lua_istable(L, i) || bind_test_arr(L, i)) bind_raise_arg(L, i, who, "the options", wanted);
    bind_check_options(L, i, who, names);
}

static char check_separator(lua_State *L, int options, const char *who) {
    size_t n;
    if (lua_getfield(L, options, "separator") == LUA_TNIL) return ',';
    const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
    if (!s || n != 1 || strchr("\"\r\n.+-0123456789eEinfatyINFATY", *s) || (unsigned char)*s >= 128)
        bind_raise_arg(L, -1, who, "separator", "one character that is in no number, as \";\" or \"\\t\"");
    return *s;
}

/* ---- read -------------------------------------------------------------------------------------------------- */

static int read_csv(lua_State *L, const char *path) {
    static const char *const names[] = {"header", "separator", NULL};
    ph_err err;
    check_table(L, 2, "read", names, "a table, as {header=true, separator=\";\"}");
    char separator = check_separator(L, 2, "read");
    int header = lua_getfield(L, 2, "header") == LUA_TNIL ? -1 : lua_toboolean(L, -1);
    if (header >= 0 && !lua_isboolean(L, -1)) bind_raise_arg(L, -1, "read", "header", "true or false");
    char **text = bind_new_text(L);
    arr *a = bind_new_arr(L);
    if (file_csv_read(a, text, path, separator, header, &err) != PH_OK)
        return bind_file_failed(L, "read", &err);
    if (!*text) return 1;
    lua_newtable(L);
    const char *s = *text;
    for (int64_t j = 1; j <= a->shape[1]; j++, s += strlen(s) + 1) {
        lua_pushstring(L, s);
        lua_rawseti(L, -2, j);
    }
    return 2;
}

static int read_npy(lua_State *L, const char *path) {
    ph_err err;
    arr *a = bind_new_arr(L);
    ph_status st = file_npy_read(a, path, &err);
    if (bind_made_room(L, st)) st = file_npy_read(a, path, &err);
    return st == PH_OK ? 1 : bind_file_failed(L, "read", &err);
}

static bool is_index(lua_State *L) {
    const char *path = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
    return ends_with(path, INDEX) && strlen(path) == lua_rawlen(L, 1);
}

static int read_index(lua_State *L) {
    if (!lua_isnoneornil(L, 2) && lua_type(L, 2) != LUA_TSTRING)
        return bind_raise_arg(L, 2, "read", "the tensor", "its name");
    lua_settop(L, 2);
    bind_require(L, "phasor.lib.shards");
    lua_getfield(L, -1, "read");
    lua_insert(L, 1);
    lua_settop(L, 3);
    lua_call(L, 2, 1);
    return 1;
}

static int read_file(lua_State *L) {
    format f = NPY;
    bind_check_count(L, "read", 1, 2);
    if (is_index(L)) return read_index(L);
    const char *path = check_path(L, "read", &f);
    bool two = !lua_isnoneornil(L, 2);
    if (f == CSV) return read_csv(L, path);
    if (f == NPY && two)
        return bind_raisef(L, "read: 2 arguments given; a .npy holds one array and takes its name only");
    if (two && lua_type(L, 2) != LUA_TSTRING) return bind_raise_arg(L, 2, "read", "the tensor", "its name");
    return f == NPY ? read_npy(L, path)
                    : bind_open_store(L, path, f == NPZ ? file_npz_open : file_safetensors_open, two);
}

/* ---- write ------------------------------------------------------------------------------------------------- */

/* A table's string keys and values from index t, sorted, onto the stack: key, value, key, value... Returns how many pairs. */
static int push_sorted(lua_State *L, int t, const char *who, const char *what) {
    int n = 0, keys;
    lua_newtable(L);
    keys = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, t); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING) bind_raise_arg(L, -2, who, what, "a name in quotes");
        if (strlen(lua_tostring(L, -2)) != lua_rawlen(L, -2)) bind_raisef(L, "%s: %s holds a NUL", who, what);
        if (++n > 10000) bind_raisef(L, "%s: more than 10000 names", who);
        lua_pushvalue(L, -2);
        lua_rawseti(L, keys, n);
    }
    for (int i = 2; i <= n; i++) /* insertion: names are few, and no code of the student's runs */
        for (int j = i; j > 1; j--) {
            lua_rawgeti(L, keys, j - 1);
            lua_rawgeti(L, keys, j);
            if (strcmp(lua_tostring(L, -2), lua_tostring(L, -1)) <= 0) {
                lua_pop(L, 2);
                break;
            }
            lua_rawseti(L, keys, j - 1);
            lua_rawseti(L, keys, j);
        }
    bind_reserve(L, 2 * n + 20);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, keys, i);
        lua_pushvalue(L, -1);
        lua_rawget(L, t);
    }
    lua_remove(L, keys);
    return n;
}

/* {w = A, b = B}: the arrays stand on the stack from `first` on, name and array in turn. */
static int check_arrays(lua_State *L, int first, int t, format f) {
    char what[80];
    if (!lua_istable(L, t) || bind_test_arr(L, t))
        bind_raise_arg(L, t, "write", "the arrays",
                       f == NPZ ? "a table of them by name, as {w=A}: an .npz holds many"
                                : "a table of them by name, as {w=A}: a .safetensors holds many");
    int n = push_sorted(L, t, "write", "an array's key");
    for (int k = 0; k < n; k++) {
        const char *name = lua_tostring(L, first + 2 * k);
        size_t len = strlen(name);
        if (!ph_utf8_valid(name, len)) bind_raisef(L, "write: an array's name is no valid UTF-8");
        snprintf(what, sizeof what, "array \"%.40s\"", name);
        bind_operand(L, first + 2 * k + 1, "write", what);
    }
    return n;
}

static const char *check_type(lua_State *L, int options) {
    if (lua_getfield(L, options, "dtype") == LUA_TNIL) return NULL;
    if (lua_type(L, -1) != LUA_TSTRING) bind_raise_arg(L, -1, "write", "dtype", "its name, as \"f32\"");
    return lua_tostring(L, -1); /* the table keeps it alive */
}

/* The texts of options.metadata onto the stack, key and value in turn. */
static int check_metadata(lua_State *L, int options) {
    int kind = lua_getfield(L, options, "metadata");
    if (kind == LUA_TNIL) return 0;
    if (kind != LUA_TTABLE)
        bind_raise_arg(L, -1, "write", "metadata", "a table of texts, as {format=\"pt\"}");
    int first = lua_gettop(L) + 1, n = push_sorted(L, first - 1, "write", "a key of metadata");
    for (int k = 0; k < 2 * n; k++) {
        size_t len = 0;
        const char *s = lua_type(L, first + k) == LUA_TSTRING ? lua_tolstring(L, first + k, &len) : NULL;
        if (!s) bind_raise_arg(L, first + k, "write", "a value of metadata", "a text");
        if (strlen(s) != len || !ph_utf8_valid(s, len))
            bind_raisef(L, "write: a text of metadata holds a NUL or is no valid UTF-8");
    }
    return n;
}

static int write_many(lua_State *L, const char *path, format f) {
    static const char *const npz[] = {"dtype", NULL}, *const tensors[] = {"dtype", "metadata", NULL};
    ph_err err;
    check_table(L, 3, "write", f == NPZ ? npz : tensors, "a table, as {dtype=\"f32\"}");
    const char *type = check_type(L, 3);
    int nmeta = f == NPZ ? 0 : check_metadata(L, 3), meta = lua_gettop(L) - 2 * nmeta + 1;
    int first = lua_gettop(L) + 1, n = check_arrays(L, first, 2, f);
    file_named *in = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *in, 0);
    const char **texts = lua_newuserdatauv(L, (2 * (size_t)nmeta + 1) * sizeof *texts, 0);
    for (int k = 0; k < n; k++)
        in[k] = (file_named){lua_tostring(L, first + 2 * k), bind_test_arr(L, first + 2 * k + 1)};
    for (int k = 0; k < 2 * nmeta; k++) texts[k] = lua_tostring(L, meta + k);
    ph_status st = f == NPZ ? file_npz_write(path, in, n, type, &err)
                            : file_safetensors_write(path, in, n, type, texts, nmeta, &err);
    return st == PH_OK ? 0 : bind_file_failed(L, "write", &err);
}

static int write_npy(lua_State *L, const char *path) {
    static const char *const names[] = {"dtype", NULL};
    ph_err err;
    check_table(L, 3, "write", names, "a table, as {dtype=\"f32\"}");
    const char *type = check_type(L, 3);
    const arr *a = bind_operand(L, 2, "write", "the array");
    return file_npy_write(path, a, type, &err) == PH_OK ? 0 : bind_file_failed(L, "write", &err);
}

/* options.header: a name for each column, or NULL. */
static const char *const *check_header(lua_State *L, int options, const arr *a) {
    int64_t columns = a->ndim > 1 ? a->shape[1] : 1;
    int kind = lua_getfield(L, options, "header");
    if (kind == LUA_TNIL) return NULL;
    if (kind != LUA_TTABLE || bind_test_arr(L, -1))
        bind_raise_arg(L, -1, "write", "header", "a table with a name for each column");
    int t = lua_gettop(L);
    if ((int64_t)lua_rawlen(L, t) != columns)
        bind_raisef(L, "write: header has %lld names; wanted %lld, one for each column",
                    (long long)lua_rawlen(L, t), (long long)columns);
    const char **names = lua_newuserdatauv(L, ((size_t)columns + 1) * sizeof *names, 0);
    for (int64_t j = 0; j < columns; j++) {
        size_t n;
        lua_rawgeti(L, t, j + 1);
        const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
        if (!s || strlen(s) != n || !ph_utf8_valid(s, n) || n > 1000)
            bind_raise_arg(L, -1, "write", "a name in header", "a text of at most 1000 bytes");
        names[j] = s;
        lua_pop(L, 1); /* the table keeps it alive */
    }
    return names;
}

static int write_csv(lua_State *L, const char *path) {
    static const char *const names[] = {"header", "separator", NULL};
    ph_err err;
    check_table(L, 3, "write", names, "a table, as {header={\"x\", \"y\"}}");
    const arr *a = bind_operand(L, 2, "write", "the array");
    char separator = check_separator(L, 3, "write");
    const char *const *header = check_header(L, 3, a);
    return file_csv_write(path, a, separator, header, &err) == PH_OK ? 0 : bind_file_failed(L, "write", &err);
}

static int write_file(lua_State *L) {
    format f = NPY;
    bind_check_count(L, "write", 2, 3);
    const char *path = check_path(L, "write", &f);
    return f == NPY ? write_npy(L, path) : f == CSV ? write_csv(L, path) : write_many(L, path, f);
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

static const bind_row rows[] = {
    {.name = "# files"},
    {"read", read_file, "path [, name] [, {header=, separator=}]",
     "The array in a file: .npy, .npz, .safetensors or .csv.\n"
     "A .npy gives its array. A .npz or .safetensors holds many: without a name\n"
     "it is opened and nothing read yet (see Tensors:read); with a name that one\n"
     "array is read. A model.safetensors.index.json is opened like one file that\n"
     "holds what all its files hold. A .csv gives its table of numbers, and the names of its\n"
     "columns when its first line holds any; header=true or false says so.\n"
     "Integers become f64, f16 and bf16 become f32, all without loss; an integer\n"
     "no f64 holds exactly is an error. halves(A, \"f16\") keeps what was f16 in\n"
     "16 bits. Files are distrusted: every field is checked before anything of\n"
     "its size is allocated, and pickled objects are never read.",
     "write(\"pe.npy\", array{{1, 2}, {3, 4}})\n"
     "read(\"pe.npy\"):totable()  --> {{1.0, 2.0}, {3.0, 4.0}}\n"
     "os.remove(\"pe.npy\")\n"
     "read(\"model.pt\")  --> error: wanted a .safetensors"},
    {"write", write_file, "path, array [, {dtype=, metadata=, header=, separator=}]",
     "Writes arrays to a .npy, .npz, .safetensors or .csv.\n"
     "A .npy and a .csv take one array, the others a table {name=array}.\n"
     "dtype: how the numbers are stored, \"f64\", \"f32\", \"f16\", in a .safetensors\n"
     "also \"bf16\". metadata: texts for a .safetensors. header: names for the\n"
     "columns of a .csv; separator: one character, a comma otherwise.\n"
     "The file is whole or not there: it is written beside the old one, synced\n"
     "and renamed, so a full disk or Ctrl-C leaves the old one as it was.",
     "write(\"w.safetensors\", {w = eye(2), b = zeros(2)}, {dtype = \"bf16\"})\n"
     "f = read(\"w.safetensors\")\n"
     "f:type(\"w\")  --> bf16\n"
     "f[\"w\"]:totable()  --> {{1.0, 0.0}, {0.0, 1.0}}\n"
     "os.remove(\"w.safetensors\")"},
    {.name = NULL},
};

void bind_open_files(lua_State *L) {
    bind_rows(L, rows);
    bind_open_tensors(L);
}
