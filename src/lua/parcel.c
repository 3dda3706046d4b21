/* parcel.c: arrays, formulas and the like as bytes, and back: how a value goes to another process of this program on this machine.
 * require "phasor.parcel" has
 *
 *   bytes(v)       the bytes of an array, a formula, a complex number, a double-double or a generator; nil for anything else
 *   value(text)    the value of such bytes, whoever wrote them: an error when they are none, and nothing else ever
 *   judged(v)      of a verdict: the formulas that it says hold, and those under which, two tables; else nil
 *
 * Whatever is read goes through the same checks as what a user builds (expr_of_bytes, arr_of_bytes).
 */
#include <string.h>

#include "array/bytes.h"
#include "base/rng.h"
#include "expr/bytes.h"
#include "lua/bind.h"
#include "lua/state.h"
#include "verify/subject.h"

/* ---- writing ------------------------------------------------------------------------------------------- */

static bool put_value(lua_State *L, ph_text *t, const arr a[2]) {
    arr_c128 z;
    const expr_node *e = bind_test_expr(L, 1);
    const ph_rng *g = luaL_testudata(L, 1, "phasor.Rng");
    if (e) ph_putc(t, 'E'), expr_put_bytes(t, e);
    else if (g) ph_putc(t, 'G'), ph_put(t, (const char *)g, sizeof *g);
    else if (a[1].buf) ph_putc(t, 'D'), arr_put_bytes(t, &a[0]), arr_put_bytes(t, &a[1]);
    else if (a[0].buf) arr_put_bytes(t, &a[0]);
    else if (lua_type(L, 1) == LUA_TUSERDATA && bind_test_complex(L, 1, &z))
        ph_putc(t, 'C'), ph_putc(t, bind_exact_complex(L, 1)), ph_put(t, (const char *)&z, sizeof z);
    else return false;
    return true;
}

/* The elements of the value at 1 in their order: one array, or both halves of a double-double. */
static void plain_elements(lua_State *L, arr out[2]) {
    ph_err err;
    const arr *a = bind_test_arr(L, 1);
    const arr_dd *d = bind_test_dd(L, 1);
    const arr *part[2] = {d ? &d->hi : a, d ? &d->lo : NULL};
    for (int i = 0; i < 2; i++)
        if (part[i] && arr_contiguous(&out[i], part[i], part[i]->dtype, &err) != PH_OK) {
            arr_drop(&out[0]);
            bind_raise(L, &err);
        }
}

static int bytes(lua_State *L) {
    arr a[2] = {ARR_NONE, ARR_NONE};
    ph_text t = {0};
    ph_err err;
    size_t n;
    lua_settop(L, 1);
    char **text = bind_new_text(L);
    plain_elements(L, a);
    bool known = put_value(L, &t, a);
    arr_drop(&a[0]), arr_drop(&a[1]);
    if (!known) return 0;
    if (ph_text_take(text, &n, &t, &err) != PH_OK) return bind_raise(L, &err);
    return bind_push_text(L, text, n);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static ph_status broken(ph_err *err) { return ph_fail(err, PH_EARG, "parcel: these bytes are no value"); }

static ph_status push_complex(lua_State *L, ph_bytes *b, ph_err *err) {
    unsigned char exact;
    arr_c128 z;
    if (!ph_take(b, &exact, 1) || !ph_take(b, &z, sizeof z)) return broken(err);
    if (exact) bind_push_exact_complex(L, z);
    else bind_push_complex(L, z);
    return PH_OK;
}

static ph_status push_rng(lua_State *L, ph_bytes *b, ph_err *err) {
    ph_rng g;
    if (!ph_take(b, &g, sizeof g) || !(g.s[0] | g.s[1] | g.s[2] | g.s[3])) return broken(err);
    *(ph_rng *)lua_newuserdatauv(L, sizeof g, 0) = g; /* no __gc */
    luaL_setmetatable(L, "phasor.Rng");
    return PH_OK;
}

static ph_status push_dd(lua_State *L, ph_bytes *b, ph_err *err) {
    ph_status st;
    arr *hi = bind_new_arr(L), *lo = bind_new_arr(L);
    arr_dd *d = bind_new_dd(L);
    PH_TRY(arr_of_bytes(hi, b, err));
    PH_TRY(arr_of_bytes(lo, b, err));
    if (hi->dtype != ARR_F64 || lo->dtype != ARR_F64 || !arr_same_shape(hi, lo)) PH_TRY(broken(err));
    st = arr_dd_of(d, hi, lo, err);
done:
    return st;
}

static ph_status push_value(lua_State *L, ph_bytes *b, ph_err *err) {
    char kind = b->n ? *b->s : 0;
    if (kind == 'A') return arr_of_bytes(bind_new_arr(L), b, err);
    if (b->n) b->s++, b->n--;
    switch (kind) {
    case 'E': return expr_of_bytes(bind_new_expr(L), b, err);
    case 'C': return push_complex(L, b, err);
    case 'G': return push_rng(L, b, err);
    case 'D': return push_dd(L, b, err);
    default: return broken(err);
    }
}

static int value(lua_State *L) {
    ph_err err;
    ph_bytes b;
    (void)bind_check_text(L, 1);
    b.s = lua_tolstring(L, 1, &b.n);
    if (push_value(L, &b, &err) != PH_OK) return bind_raise(L, &err);
    if (b.n) return broken(&err), bind_raise(L, &err);
    return 1;
}

/* ---- verdicts ------------------------------------------------------------------------------------------ */

static void push_formulas(lua_State *L, const expr_set *s) {
    lua_createtable(L, s->n, 0);
    for (int i = 0; i < s->n; i++) {
        bind_push_expr(L, s->item[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static int judged(lua_State *L) {
    const ver_verdict *v = luaL_testudata(L, 1, "phasor.Verdict");
    if (!v || !v->subject || v->subject->shape != VER_EACH) return 0;
    push_formulas(L, &v->subject->statements);
    push_formulas(L, &v->subject->conditions);
    return 2;
}

void bind_open_parcel(lua_State *L) {
    static const luaL_Reg f[] = {{"bytes", bytes}, {"value", value}, {"judged", judged}, {NULL, NULL}};
    luaL_newlib(L, f);
    bind_provide(L, "phasor.parcel");
}
