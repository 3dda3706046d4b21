/* Definitions against kernels: what a traced call computes, and its derivative by everything that may be traced.
 * Sources: encoding/define.c encoding/rerope.c encoding/rope_axes.c encoding/rope_scaling.c encoding/rotation.c encoding/shaw.c encoding/xlnet.c
 * Sources: lua/encoding.c */
#include "lua/lab.h"

/* Functions of a number near 1. A phase m theta of at most 30 is off by 2 u 30 beside the double-double (theta rounded, the product
 * rounded). */
#define SCALED(NAME, FIELDS)                                                                                 \
    "function(x) return rope(X, {layout='half', base=90*x, offset=5*x, scaling={kind='" NAME "', " FIELDS    \
    "}}) end"
static const char *const values[] = {
    SCALED("pi", "factor=3.5*x"),
    SCALED("ntk", "factor=3.5*x"),
    SCALED("dynamic", "factor=2.5*x, train=10*x^2, length=35*x"),
    SCALED("ntk-mixed", "factor=3.5*x, power=0.6*x"),
    SCALED("ntk-parts", "factor=3.5*x, train=40*x, fast=4*x, slow=0.5*x"),
    SCALED("yarn", "factor=3.5*x, train=40*x, fast=4*x, slow=0.5*x^2"),
    SCALED("yarn", "factor=3.5*x, train=400, fast=4, slow=0.5, ramp='code'"),
    SCALED("yarn", "factor=3.5*x, train=22, fast=3.1, slow=3, ramp='code'"),
    SCALED("longrope", "factor=3.5*x, train=64*x, factors={1.25*x, 2, 4*x^2}"),
    SCALED("llama3", "factor=8*x, train=60*x"),
    "function(x) return rope(X, {layout='half', positions={0.5*x, 2*x^2, 7.25}, base=80*x, offset=1.5*x}) end",
    "function(x) return rope(X, {layout='interleaved', positions={0.5*x, 2*x^2, 7.25}, base=80*x, inverse=true}) end",
    "function(x) local c, s = rope_table(9, 6, {base=40*x}) return rope(X, {layout='half', cos=c, sin=s, offset=2}) end",
    "function(x) local c, s = rope_table(9, 4, {base=40*x, offset=x}) return rope(X, {layout='half', cos=2*c, sin=s, "
    "rotary=4, inverse=true}) end",
    "function(x) return xpos(X, {layout='half', side='k', positions={0.5*x, 2*x^2, 7.25}, base=80*x, gamma=0.4*x, "
    "scale_base=20*x}) end",
    "function(x) return rope_axes(X, {layout='interleaved', exponents='section', sections={2, 1}, "
    "positions=x*array{{0.5, 2, 7.25}, {1, 3, 4.5}}, base=80*x^2}) end",
    "function(x) return sinusoidal({0.5*x, 2*x^2, 7.25}, 6, {base=80*x}) end",
    "function(x) return sinusoidal_t2t({0.5*x, 2*x^2, 7.25}, 7, {base=80*x}) end",
    "function(x) return kerple(3, {kind='power', a={0.5*x, 2}, p=1.25*x}) end",
    "function(x) return t5(x*reshape(range(1, 8), 4, 2), 12, {direction='causal', max_distance=8}) end",
    "function(x) return rope(x*X, {layout='half', offset=4}) end",
    "function(x) return rope(x*X, {layout='interleaved', rotary=4, p=0.5, base=x*50}) end",
    "function(x) return rope(x*X, {layout='half', inverse=true, scaling={kind='yarn', factor=4, train=64}}) "
    "end",
    "function(x) return rope(x*X, {layout='half', scaling={kind='longrope', factor=4, train=64, factors={1, "
    "2, 3}}}) end",
    "function(x) return xpos(x*X, {layout='interleaved', side='q', inverse=true}) end",
    "function(x) return rope_axes(x*X, {layout='half', exponents='whole', order='interleaved', "
    "positions={{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}) end",
    "function(x) return rope_axes(x*X, {layout='half', exponents='section', sections={2, 1}, positions={{1, "
    "2, 3}, {4, 5, 6}}}) end",
    "function(x) local c, s = rope_table(6, 6, {base=x*30}) return c + 2*s end",
    "function(x) local hi, lo = rope_frequencies(6, {base=x*30, p=0.7}) return hi + lo end",
    "function(x) return sinusoidal(5, 6, {base=x*30, layout='half', offset=2}) end",
    "function(x) return sinusoidal_t2t(5, 2, {base=x*30}) end",
    "function(x) return kerple(4, {kind='log', r1=x, r2={x, 2}}, {keys=6, offset=1}) end",
    "function(x) return kerple(4, {kind='power', a=x, p=1.5}) end",
    "function(x) return t5(x*reshape(range(1, 64), 32, 2), 20, {direction='both', keys=24, offset=3}) end",
    "function(x) return learned(x*X, 2, {offset=1}) end",
    "function(x) return rope(X:astype('f32'), {layout='half', base=x*30}):astype('f64') end",
    "function(x) return shaw(x*X, X, A7) end",
    "function(x) return shaw(Q4, x*K4, A7) end",
    "function(x) return transformer_xl(x*Q4, K4, W, u, v) end",
    "function(x) return shaw(x*X, X, A7, {clip=1, offset=2, content=false}) end",
    "function(x) return shaw(H2, x*H2, A7, {variant='bert'}) end",
    "function(x) return shaw(H2, H2, x*A7, {variant='bert_query'}) end",
    "function(x) return shaw_values(softmax(x*reshape(range(1, 15), 3, 5)), ones(5, 6), A7, {clip=2}) end",
    "function(x) return transformer_xl(H2, X, W, u, x*v, {clamp=1, base=x*20}) end",
    "function(x) return transformer_xl(x*X, X, stack({W, 2*W}), u, stack({v, u}), {content=false, offset=1}) "
    "end",
    "function(x) return xlnet(H2, X, W, u, v, {segments={1, 1, 2}, same_or_not=x*A7[{ {1, 2} }], w=x*u}) end",
    "function(x) return tener(H2, X, u, x*v) end",
    "function(x) return tener(H2, X, u, v, {variant='code', base=20*x, content=false}) end",
    "function(x) return deberta(x*H2, X, A7[{ {1, 4} }], A7[{ {2, 5} }]) end",
    "function(x) return deberta(H2, X, x*A7[{ {1, 4} }], A7[{ {2, 5} }], {variant='code', offset=2}) end",
    "function(x) return deberta(x*H2, X, x*B8, B8, {variant='code', max_distance=7, offset=3}) end",
    "function(x) return fire(u, v, x*W[{ {}, {1, 2} }], {1, 2}, 4, {c=x, L=x*2.5, eps=0.1, keys=5, "
    "offset=1}) "
    "end",
    "function(x) return fire(u, v, x*W[{ {}, {1, 2} }], {1, 2}, 4, {keys=5, dtype='f32'}) end",
    "function(x) return kerple(4, {kind='power', a=x, p=1.5}, {dtype='f32'}) end",
    "function(x) return t5(x*reshape(range(1, 64), 32, 2), 20, {direction='both', dtype='f32'}) end",
    "function(x) return where(causal_mask(3), cope(H2, x*X, A7), 0) end",
    "function(x) return where(causal_mask(3), cope(x*H2, X, A7[{ {1, 2} }], {variant='code', "
    "content=false}), 0) end",
    "function(x) return rerope(H2, X, {layout='half', window=1, leak=0.25, base=x*30}) end",
    "function(x) return rerope(x*H2, X, {layout='interleaved', window=9, offset=4}) end",
    "function(x) return logn(X, {train=x*3.5, offset=2}) end",
};

/* The tape holds the definition: sums of some 100 terms are off by 200 u at most; in f32 the last rounding is 2^-24. */
static void definitions_equal_the_kernels(void **state) {
    (void)state;
    lua_State *L = lab_open();
    if (luaL_dostring(L, fixture("@prelude"))) fail_msg("%s", lua_tostring(L, -1));
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char code[900];
        snprintf(code, sizeof code, fixture("@definitions_equal_the_kernels"), values[k],
                 strstr(values[k], "f32") ? 1 << 30 : 200);
        const char *seen = lab_eval(L, code);
        if (strcmp(seen, "true\ttrue\ttrue") != 0) fail_msg("%s: %s", values[k], seen);
        lua_settop(L, 0);
    }
    lua_close(L);
}

/* Equal to the kernel, so their derivatives are the kernel's: at 1, by the five-point difference of the kernel with h = 2^-10,
 * which errs by h^4/30 < 4e-14 times the fifth derivative, and by 1.5 ulp(f)/h < 4e-13 |f|. Both are below 1000. */
static void derivatives_are_those_of_the_kernels(void **state) {
    (void)state;
    lua_State *L = lab_open();
    if (luaL_dostring(L, fixture("@prelude"))) fail_msg("%s", lua_tostring(L, -1));
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char code[900];
        if (strstr(values[k], "f32")) continue; /* whose values are steps of 2^-24 */
        snprintf(code, sizeof code, fixture("@derivatives_are_those_of_the_kernels"), values[k]);
        const char *seen = lab_eval(L, code);
        if (strcmp(seen, "true") != 0) fail_msg("%s: %s", values[k], seen);
        lua_settop(L, 0);
    }
    lua_close(L);
}

/* Far out: theta is rounded (u), its power came with an ulp (2u), the product is rounded (u): 4 u m beside the kernel's one rounding. */
static void far_positions_lose_what_is_said(void **state) {
    (void)state;
    static const lab_case far[] = {
        {"function off(f) local seen local y = f(1.0) grad(function(x) local z = f(x) seen = "
         "stop_gradient(z) return "
         "sum(z) end)(1.0) return max(abs(seen - y)) end",
         ""},
        {"off(function(x) return sinusoidal({1e5}, 128, {base = 1e4 * x}) end) <= 4 * 2^-53 * 1e5 + 2^-52",
         "true"},
        {"off(function(x) return rope(ones(1, 64), {layout='half', positions = {1e6 * x}}) end) <= 2 * (4 * "
         "2^-53 * 1e6 "
         "+ 2^-51)",
         "true"},
        {NULL, NULL}};
    lab_run(far);
}

static void bad_arguments_are_told_as_ever(void **state) {
    (void)state;
    static const lab_case bad[] = {
        {"grad(function(x) return sum(rope(x, {})) end)(ones(2, 4))",
         "error: t:1: rope: no layout given; wanted \"interleaved\" (pairs 2i, 2i+1: the paper, GPT-J) or "
         "\"half\" (pairs i, i+d/2: GPT-NeoX, "
         "transformers)"},
        {"grad(function(x) return sum(rope(ones(2, 3), {layout='half', base=x})) end)(10.0)",
         "error: t:1: rope: x has 3 columns; rotation needs an even number (pairs)"},
        {"grad(function(x) return sum(sinusoidal(3, 4, {base=x})) end)(-10.0)",
         "error: t:1: sinusoidal: base is -10; wanted a number above 0: wavelengths run from 2 Pi to almost "
         "2 Pi base"},
        {"grad(function(x) return sum(rope(ones(2, 2), {layout='half', scaling={kind='ntk', factor=x}})) "
         "end)(2.0)",
         "error: t:1: rope: 2 columns to rotate; scaling \"ntk\" has the exponent d/(d-2), so it wants at "
         "least 4"},
        {"grad(function(x) return sum(learned(ones(2, 2), x)) end)(array{0.5})",
         "error: t:1: learned: position 0.5 is not in the table; it has 2 rows, the positions 0 to 1"},
        {"grad(function(x) return sum(rope(ones(2, 4), {layout='half', rotary=x})) end)(4.0)",
         "error: t:1: rope: rotary is traced; whole numbers have no derivative (stop_gradient makes a "
         "constant of "
         "it)"},
        {"grad(function(x) return sum(sinusoidal(x, 4)) end)(3.0)",
         "error: t:1: sinusoidal: T is traced; whole numbers have no derivative (stop_gradient makes a "
         "constant of "
         "it)"},
        {"grad(function(x) return sum(kerple(3, {kind='power', a=1, p=1}, {offset=x})) end)(1.0)",
         "error: t:1: kerple: offset is traced; whole numbers have no derivative (stop_gradient makes a "
         "constant of "
         "it)"},
        {"grad(function(x) return sum(rerope(x*ones(2, 2), ones(2, 2), {layout='half', window=x})) end)(1.0)",
         "error: t:1: rerope: window is traced; whole numbers have no derivative (stop_gradient makes a "
         "constant of "
         "it)"},
        {"grad(function(x) return sum(alibi(x, 3)) end)(2.0)",
         "error: t:1: alibi: H is traced; whole numbers have no derivative (stop_gradient makes a constant of it)"},
        {NULL, NULL}};
    lab_run(bad);
}

/* Whatever the scaling, a rotation of a traced x is one step. */
static void a_rotation_is_one_step(void **state) {
    (void)state;
    lua_State *L = lab_open();
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "phasor.tapes");
    lua_setglobal(L, "tapes");
    lua_settop(L, 0);
    assert_string_equal(lab_eval(L, "@a_rotation_is_one_step"),
                        "input, rotation of pairs, rotation of pairs");
    lua_close(L);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_equal_the_kernels),
        cmocka_unit_test(derivatives_are_those_of_the_kernels),
        cmocka_unit_test(a_rotation_is_one_step),
        cmocka_unit_test(far_positions_lose_what_is_said),
        cmocka_unit_test(bad_arguments_are_told_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
