/* halves.c: numbers that lie in 16 bits, f16 or bf16. They are for keeping, not for computing: wherever an operation takes an array it
 * takes them, as the f32 array of the same values (bind_widen), made for that one call.
 *
 * Invariant: n numbers at `bits`, whose shape has n entries; after __close or __gc there are none, which every access refuses.
 */
#include <string.h>

#include "base/half.h"
#include "lua/bind.h"
#include "lua/state.h"

typedef struct {
    uint16_t *bits; /* row-major; NULL: closed */
    size_t bytes;
    int64_t n;
    bool bf16;
    int ndim;
    int64_t shape[ARR_MAXDIM];
} halves;

#define CLASS "phasor.Half"

static halves *check(lua_State *L, int i, const char *who) {
    halves *h = luaL_testudata(L, i, CLASS);
    if (!h) bind_raise_arg(L, i, who, "the operand", "numbers in 16 bits, as halves(x, \"f16\") gives");
    if (!h->bits) bind_raisef(L, "%s: the numbers are closed", who);
    return h;
}

static const char *dtype_of(const halves *h) { return h->bf16 ? "bf16" : "f16"; }

/* ---- there and back ------------------------------------------------------------------------------------ */

static void narrow(halves *h, const arr *x) {
    const double *from = (const double *)x->data;
    for (int64_t i = 0; i < h->n; i++)
        h->bits[i] = h->bf16 ? ph_f64_to_bf16(from[i]) : ph_f64_to_f16(from[i]);
}

static void widen(float *to, const halves *h) {
    if (h->bf16)
        for (int64_t i = 0; i < h->n; i++) to[i] = ph_bf16_to_f32(h->bits[i]);
    else
        for (int64_t i = 0; i < h->n; i++) to[i] = ph_f16_to_f32(h->bits[i]);
}

bool bind_widen(lua_State *L, int i) {
    ph_err err;
    if (lua_type(L, i) != LUA_TUSERDATA) return false;
    i = lua_absindex(L, i);
    bind_reserve(L, 8);
    if (!luaL_testudata(L, i, CLASS)) return false;
    arr *a = bind_new_arr(L);
    const halves *h = check(L, i, "halves");
    ph_status st = arr_new(a, ARR_F32, h->ndim, h->shape, &err);
    if (bind_made_room(L, st)) {
        h = check(L, i, "halves"); /* a finalizer may have closed them */
        st = arr_new(a, ARR_F32, h->ndim, h->shape, &err);
    }
    if (st != PH_OK) bind_raise(L, &err);
    widen((float *)a->data, h);
    lua_replace(L, i);
    return true;
}

static bool read_format(lua_State *L) {
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    bool bf16 = strcmp(name, "bf16") == 0;
    if (!bf16 && strcmp(name, "f16") != 0)
        bind_raise_arg(L, 2, "halves", "the format", "\"f16\" or \"bf16\"");
    return bf16;
}

static int halves_of(lua_State *L) {
    ph_err err;
    bind_check_count(L, "halves", 2, 2);
    bool bf16 = read_format(L);
    const arr *x = bind_operand(L, 1, "halves", "x");
    if (x->dtype == ARR_C128 || x->dtype == ARR_BOOL)
        return bind_raisef(L, "halves: x is %s; wanted real numbers", arr_dtype_name(x->dtype));
    arr *wide = bind_new_arr(L);
    halves *h = bind_new_finalized(L, sizeof *h, 0);
    *h = (halves){.bf16 = bf16};
    luaL_setmetatable(L, CLASS);
    x = bind_check_arr(L, 1, "halves", "x");
    if (arr_contiguous(wide, x, ARR_F64, &err) != PH_OK) return bind_raise_from(L, "halves", &err);
    h->n = arr_size(x);
    h->bytes = (size_t)(h->n ? h->n : 1) * sizeof *h->bits;
    h->ndim = x->ndim;
    memcpy(h->shape, x->shape, sizeof h->shape);
    h->bits = ph_block_alloc(h->bytes);
    if (bind_made_room(L, h->bits ? PH_OK : PH_ENOMEM)) h->bits = ph_block_alloc(h->bytes);
    if (!h->bits) return ph_fail_nomem(&err, h->bytes), bind_raise(L, &err);
    narrow(h, wide);
    arr_drop(wide);
    return 1;
}

/* ---- as a Lua value ------------------------------------------------------------------------------------ */

static int drop(lua_State *L) {
    halves *h = luaL_testudata(L, 1, CLASS);
    if (!h) return 0;
    ph_block_free(h->bits, h->bytes);
    h->bits = NULL;
    return 0;
}

static int get_shape(lua_State *L) {
    const halves *h = check(L, 1, "shape");
    return bind_push_shape(L, h->ndim, h->shape);
}

static int get_ndim(lua_State *L) { return lua_pushinteger(L, check(L, 1, "ndim")->ndim), 1; }
static int get_size(lua_State *L) { return lua_pushinteger(L, check(L, 1, "size")->n), 1; }
static int get_dtype(lua_State *L) { return lua_pushstring(L, dtype_of(check(L, 1, "dtype"))), 1; }

/* As the array prints, with the type that the numbers have here. */
static int halves_tostring(lua_State *L) {
    const halves *h = luaL_testudata(L, 1, CLASS);
    if (h && !h->bits) return lua_pushliteral(L, "closed numbers in 16 bits"), 1;
    const char *type = dtype_of(check(L, 1, "tostring"));
    lua_settop(L, 1);
    bind_widen(L, 1);
    const char *text = luaL_tolstring(L, 1, NULL);
    if (strncmp(text, "f32 ", 4) == 0) lua_pushfstring(L, "%s%s", type, text + 3);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# making arrays"},
    {"halves", halves_of, "x, format",
     "The numbers of x in 16 bits each, to be kept in half the memory.\n"
     "format: \"f16\" (11 bits, up to 65504) or \"bf16\" (8 bits, the range of f32). To the nearest, ties to "
     "even. Operations on arrays, their methods and operators, and encodings take them too, attention and rope "
     "among them: as the f32 array of the same values, which lives for that call. So the result is f32 "
     "unless another operand is f64. Elements are not indexed: array(h) is the f32 array. What read(path) made of a file's f16 or bf16 is "
     "the same here: halves(read(path), \"f16\") loses nothing. write stores f32, or what its dtype says.",
     "h = halves({{1, 1/3}}, \"bf16\")\nh.dtype, h.shape, h.size  --> bf16\t{1, 2}\t2\n"
     "h + 1 == quantize({{1, 1/3}}, \"bf16\") + 1  --> true\n"
     "q = randn(rng(1), 4, 8)\nattention(halves(q, \"f16\"), q, q).dtype  --> f64\n"
     "halves(q, \"f8\")  --> error: wanted \"f16\" or \"bf16\""},
    {"Half.shape", get_shape, "", "The sizes of the dimensions, a table.",
     "halves(zeros(3, 4), \"f16\").shape  --> {3, 4}"},
    {"Half.ndim", get_ndim, "", "The number of dimensions.", "halves(zeros(3, 4), \"f16\").ndim  --> 2"},
    {"Half.size", get_size, "", "The number of numbers.", "halves(zeros(3, 4), \"f16\").size  --> 12"},
    {"Half.dtype", get_dtype, "", "The type of the numbers: \"f16\" or \"bf16\".",
     "halves(zeros(3), \"bf16\").dtype  --> bf16"},
    {.name = NULL},
};

void bind_open_halves(lua_State *L) {
    static const luaL_Reg meta[] = {{"__gc", drop},
                                    {"__close", drop},
                                    {"__unm", bind_meta_unm},
                                    {"__idiv", bind_meta_idiv},
                                    {"__concat", bind_meta_concat},
                                    {"__tostring", halves_tostring},
                                    {NULL, NULL}};
    bind_class(L, "Half", KIND_NONE, meta);
    lua_pop(L, 1);
    bind_rows(L, rows);
}
