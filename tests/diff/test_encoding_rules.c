/* Derivatives of encodings by positions, frequencies, bases, factors and learned numbers, against hyper-dual loops written from the
 * papers; and the values of the composed forms against the kernels. */
#include "diff/against.h"

#include <stdlib.h>

#include "base/rng.h"

/* ---- in C ---------------------------------------------------------------------------------------------- */

#define T 3
#define D 6
#define P (D / 2)

static hd mixture(hm y) { /* sum of (k+1) y_k + y_k^2 */
    hd s = hd_of(0);
    for (int k = 0; k < y.rows * y.cols; k++)
        s = hd_add(s, hd_add(hd_scale(k + 1, y.at[k]), hd_mul(y.at[k], y.at[k])));
    return s;
}
static hd power(hd b, hd e) { return hd_exp(hd_mul(e, hd_log(b))); }
static hd plus(hd x, double c) { return hd_add(x, hd_of(c)); }
/* The content: X(r, c) = sin(1 + r + 2c), as in Lua below. */
static hm content(void) {
    hm x = hm_new(T, D);
    for (int r = 0; r < T; r++)
        for (int c = 0; c < D; c++) HM(x, r, c) = hd_of(sin(1 + r + 2 * c));
    return x;
}
static void frequencies(hd *theta, hd base, double d) {
    for (int i = 0; i < P; i++) theta[i] = power(base, hd_of(-2.0 * i / d));
}
static hd clamp(hd x) { return x.v <= 0 ? hd_of(0) : x.v >= 1 ? hd_of(1) : x; }
static hd rotated(const hd *at, const hd *theta, hd temperature, bool half) {
    hm y = hm_rope(content(), at, theta, half);
    for (int k = 0; k < T * D; k++) y.at[k] = hd_mul(temperature, y.at[k]);
    return mixture(y);
}
static void counted(hd *at) {
    for (int r = 0; r < T; r++) at[r] = hd_of(r + 5);
}
/* (1 - g) theta/s + g theta */
static hd blended(hd theta, hd s, hd g) {
    return hd_add(hd_mul(hd_sub(hd_of(1), g), hd_div(theta, s)), hd_mul(g, theta));
}

#define FUNCTION(NAME)                                                                                       \
    static hd NAME(const hd *x, int n, const void *ctx) {                                                    \
        hd theta[P], at[T];                                                                                  \
        (void)n, (void)ctx, (void)theta, (void)at;
#define TWO_PI 6.283185307179586
FUNCTION(by_positions) /* positions, base, offset */
frequencies(theta, x[T], D);
for (int r = 0; r < T; r++) at[r] = hd_add(x[r], x[T + 1]);
return rotated(at, theta, hd_of(1), true);
}
FUNCTION(backwards)
frequencies(theta, x[T], D);
for (int r = 0; r < T; r++) at[r] = hd_scale(-1, x[r]);
return rotated(at, theta, hd_of(1), false);
}
FUNCTION(by_theta) /* theta_i, by way of tables */
counted(at);
return rotated(at, x, hd_of(1), false);
}
FUNCTION(
    partial) /* base; of 6 columns the first 4 rotate, of their pairs the first, whose frequency is 1 for every base */
hm y = content();
for (int r = 0; r < T; r++) {
    hd a = HM(y, r, 0), b = HM(y, r, 1);
    HM(y, r, 0) = hd_sub(hd_scale(cos(r + 5), a), hd_scale(sin(r + 5), b));
    HM(y, r, 1) = hd_add(hd_scale(sin(r + 5), a), hd_scale(cos(r + 5), b));
}
return hd_mul(x[0], mixture(y));
}
FUNCTION(pi_factor)
frequencies(theta, hd_of(100), D);
for (int i = 0; i < P; i++) theta[i] = hd_div(theta[i], x[0]);
counted(at);
return rotated(at, theta, hd_of(1), true);
}
FUNCTION(ntk) /* factor, base */
frequencies(theta, hd_mul(x[1], power(x[0], hd_of((double)D / (D - 2)))), D);
counted(at);
return rotated(at, theta, hd_of(1), true);
}
FUNCTION(dynamic) /* factor, train, length */
hd growth = hd_sub(hd_div(hd_mul(x[0], x[2]), x[1]), plus(x[0], -1));
frequencies(theta, hd_mul(hd_of(100), power(growth, hd_of((double)D / (D - 2)))), D);
counted(at);
return rotated(at, theta, hd_of(1), true);
}
FUNCTION(mixed) /* factor, power */
frequencies(theta, hd_of(100), D);
for (int i = 0; i < P; i++)
    theta[i] =
        hd_mul(theta[i], hd_exp(hd_scale(-1, hd_mul(hd_log(x[0]), power(hd_of((i + 1.0) / P), x[1])))));
counted(at);
return rotated(at, theta, hd_of(1), true);
}
FUNCTION(yarn) /* factor, base; L = 40, fast 4, slow 0.5: pair 1 stands on the ramp */
frequencies(theta, x[1], D);
for (int i = 0; i < P; i++)
    theta[i] = blended(theta[i], x[0], clamp(hd_scale(1 / 3.5, plus(hd_scale(40 / TWO_PI, theta[i]), -0.5))));
counted(at);
return rotated(at, theta, plus(hd_scale(0.1, hd_log(x[0])), 1), true);
}
FUNCTION(yarn_code) /* factor, base 100: lo = max(floor(1.87...), 0), hi = min(ceil(...), 5), see the case */
double low = floor(6 * log(400 / (TWO_PI * 4)) / (2 * log(100))),
       high = ceil(6 * log(400 / (TWO_PI * 0.5)) / (2 * log(100)));
frequencies(theta, hd_of(100), D);
for (int i = 0; i < P; i++) theta[i] = blended(theta[i], x[0], clamp(hd_of(1 - (i - low) / (high - low))));
counted(at);
return rotated(at, theta, plus(hd_scale(0.1, hd_log(x[0])), 1), true);
}
FUNCTION(longrope) /* factor, factors; L = 64 */
frequencies(theta, hd_of(100), D);
for (int i = 0; i < P; i++) theta[i] = hd_div(theta[i], x[1 + i]);
counted(at);
return rotated(at, theta, hd_sqrt(plus(hd_scale(1 / log(64), hd_log(x[0])), 1)), true);
}
FUNCTION(llama) /* factor, train, base */
frequencies(theta, x[2], D);
for (int i = 0; i < P; i++)
    theta[i] = blended(theta[i], x[0],
                       clamp(hd_scale(1 / 3.0, plus(hd_mul(hd_scale(1 / TWO_PI, x[1]), theta[i]), -1))));
counted(at);
return rotated(at, theta, hd_of(1), true);
}
FUNCTION(xpos) /* positions, base, gamma, scale base: a key */
hm y;
frequencies(theta, x[T], D);
y = hm_rope(content(), x, theta, true);
for (int r = 0; r < T; r++)
    for (int c = 0; c < D; c++) {
        hd zeta = hd_div(plus(x[T + 1], 2.0 * (c % P) / D), plus(x[T + 1], 1));
        HM(y, r, c) = hd_mul(HM(y, r, c), power(zeta, hd_scale(-1, hd_div(x[r], x[T + 2]))));
    }
return mixture(y);
}
FUNCTION(axes) /* positions (2, 3), base; sections {2, 1}, exponents by section */
hm y = content();
const double exponent[P] = {0, -0.5, 0};
for (int r = 0; r < T; r++)
    for (int i = 0; i < P; i++) {
        hd angle = hd_mul(x[(i < 2 ? 0 : T) + r], power(x[2 * T], hd_of(exponent[i]))), a = HM(y, r, 2 * i),
           b = HM(y, r, 2 * i + 1);
        HM(y, r, 2 * i) = hd_sub(hd_mul(a, hd_cos(angle)), hd_mul(b, hd_sin(angle)));
        HM(y, r, 2 * i + 1) = hd_add(hd_mul(a, hd_sin(angle)), hd_mul(b, hd_cos(angle)));
    }
return mixture(y);
}
FUNCTION(sinusoids) /* positions, base */
hm y = hm_new(T, D);
frequencies(theta, x[T], D);
for (int r = 0; r < T; r++)
    for (int i = 0; i < P; i++) {
        HM(y, r, 2 * i) = hd_sin(hd_mul(x[r], theta[i]));
        HM(y, r, 2 * i + 1) = hd_cos(hd_mul(x[r], theta[i]));
    }
return mixture(y);
}
FUNCTION(of_fairseq) /* positions, base; d = 7: three pairs, exponents over 2, a column of zeros */
hm y = hm_new(T, 7);
frequencies(theta, x[T], 4);
for (int r = 0; r < T; r++)
    for (int i = 0; i < P; i++) {
        HM(y, r, i) = hd_sin(hd_mul(x[r], theta[i]));
        HM(y, r, 3 + i) = hd_cos(hd_mul(x[r], theta[i]));
    }
return mixture(y);
}
FUNCTION(kerple_log) /* r1 (2), r2 (2) */
hm y = hm_new(2, T *T);
for (int h = 0; h < 2; h++)
    for (int k = 0; k < T * T; k++)
        HM(y, h, k) = hd_scale(-1, hd_mul(x[h], hd_log(plus(hd_scale(abs(k / T - k % T), x[2 + h]), 1))));
return mixture(y);
}
FUNCTION(kerple_power) /* a, p */
hm y = hm_new(1, T *T);
for (int k = 0; k < T * T; k++)
    if (k / T != k % T) y.at[k] = hd_scale(-1, hd_mul(x[0], power(hd_of(abs(k / T - k % T)), x[1])));
return mixture(y);
}
FUNCTION(table_rows) /* a table (4, 2); positions 2, 0, 2 */
hm y = hm_new(3, 2);
for (int r = 0; r < 3; r++)
    for (int c = 0; c < 2; c++) HM(y, r, c) = x[2 * (r == 1 ? 0 : 2) + c];
return mixture(y);
}
FUNCTION(
    buckets) /* T5, causal, 4 buckets, 1 head, 3 positions: distances 0, 1, 2 are buckets 0, 1, 2; ahead is 0 */
hm y = hm_new(3, 3);
for (int m = 0; m < 3; m++)
    for (int k = 0; k < 3; k++) HM(y, m, k) = x[m > k ? m - k : 0];
return mixture(y);
}

/* ---- in Lua -------------------------------------------------------------------------------------------- */

static const char prelude[] =
    "X = fromfunction(function(r, c) return math.sin(r + 2*(c - 1)) end, 3, 6)\n"
    "function mix(y) y = reshape(y, y.size) return sum(range(1, y.size) * y + y * y) end\n"
    "five = {5, 6, 7}\n"
    "A7 = fromfunction(function(r, c) return math.cos(r * c) end, 7, 6)\n"
    "H2 = stack({X, 0.5 * X + 0.1})\n"
    "W = fromfunction(function(r, c) return math.sin(r * r + c) end, 6, 6)\n"
    "u, v = W[1], W[2]\n";

#define SCALED(NAME, FIELDS)                                                                                 \
    "f = function(x) return mix(rope(X, {layout='half', base=100, positions=five, scaling={kind='" NAME      \
    "', " FIELDS "}})) end"
static const struct {
    const char *name, *lua;
    hd_function *c;
    int n;
    double x[8];
} cases[] = {
    {"rope, positions, base, offset",
     "f = function(x) return mix(rope(X, {layout='half', positions=x[{{1, 3}}], base=x[4], offset=x[5]})) "
     "end",
     by_positions,
     5,
     {0.5, 2, 7.25, 80, 1.5}},
    {"rope, inverse",
     "f = function(x) return mix(rope(X, {layout='interleaved', positions={x[1], x[2], x[3]}, base=x[4], "
     "inverse=true})) end",
     backwards,
     4,
     {0.5, 2, 7.25, 80}},
    {"rope, frequencies",
     "f = function(x) local angle = outer(range(0, 9), x) return mix(rope(X, {layout='interleaved', "
     "cos=cos(angle), sin=sin(angle), offset=5})) end",
     by_theta,
     3,
     {0.9, 0.3, 0.02}},
    {"rope, partial",
     "f = function(x) return x[1]*mix(rope(X, {layout='interleaved', positions=five, base=x[1], rotary=4, "
     "p=0.5})) end",
     partial,
     1,
     {50}},
    {"pi", SCALED("pi", "factor=x[1]"), pi_factor, 1, {3.5}},
    {"ntk",
     "f = function(x) return mix(rope(X, {layout='half', base=x[2], positions=five, scaling={kind='ntk', "
     "factor=x[1]}})) end",
     ntk,
     2,
     {3.5, 90}},
    {"dynamic", SCALED("dynamic", "factor=x[1], train=x[2], length=x[3]"), dynamic, 3, {2.5, 10, 35}},
    {"ntk-mixed", SCALED("ntk-mixed", "factor=x[1], power=x[2]"), mixed, 2, {3.5, 0.6}},
    {"yarn",
     "f = function(x) return mix(rope(X, {layout='half', base=x[2], positions=five, scaling={kind='yarn', "
     "factor=x[1], train=40, "
     "fast=4, slow=0.5}})) end",
     yarn,
     2,
     {3.5, 90}},
    {"yarn, the code's ramp",
     SCALED("yarn", "factor=x[1], train=400, fast=4, slow=0.5, ramp='code'"),
     yarn_code,
     1,
     {3.5}},
    {"longrope",
     SCALED("longrope", "factor=x[1], train=64, factors=x[{{2, 4}}]"),
     longrope,
     4,
     {3.5, 1.25, 2, 4}},
    {"llama3",
     "f = function(x) return mix(rope(X, {layout='half', base=x[3], positions=five, scaling={kind='llama3', "
     "factor=x[1], train=x[2]}})) end",
     llama,
     3,
     {8, 60, 90}},
    {"xpos",
     "f = function(x) return mix(xpos(X, {layout='half', side='k', positions=x[{{1, 3}}], base=x[4], "
     "gamma=x[5], scale_base=x[6]})) end",
     xpos,
     6,
     {0.5, 2, 7.25, 80, 0.4, 20}},
    {"rope_axes",
     "f = function(x) return mix(rope_axes(X, {layout='interleaved', exponents='section', sections={2, 1}, "
     "positions=reshape(x[{{1, 6}}], 2, 3), base=x[7]})) end",
     axes,
     7,
     {0.5, 2, 7.25, 1, 3, 4.5, 80}},
    {"sinusoidal",
     "f = function(x) return mix(sinusoidal(x[{{1, 3}}], 6, {base=x[4]})) end",
     sinusoids,
     4,
     {0.5, 2, 7.25, 80}},
    {"sinusoidal_t2t",
     "f = function(x) return mix(sinusoidal_t2t(x[{{1, 3}}], 7, {base=x[4]})) end",
     of_fairseq,
     4,
     {0.5, 2, 7.25, 80}},
    {"kerple, log",
     "f = function(x) return mix(kerple(3, {kind='log', r1=x[{{1, 2}}], r2=x[{{3, 4}}]})) end",
     kerple_log,
     4,
     {0.5, 2, 1.25, 0.3}},
    {"kerple, power",
     "f = function(x) return mix(kerple(3, {kind='power', a=x[1], p=x[2]})) end",
     kerple_power,
     2,
     {0.5, 1.25}},
    {"learned",
     "f = function(x) return mix(learned(reshape(x, 4, 2), {2, 0, 2})) end",
     table_rows,
     8,
     {1, -2, 3, 0.5, -1, 2, 0.25, 4}},
    {"t5",
     "f = function(x) return mix(t5(reshape(x, 4, 1), 3, {direction='causal', max_distance=8})) end",
     buckets,
     4,
     {1, -2, 3, 0.5}},
};

/* Sums of some 100 terms, of numbers below 10 times their result, through some 20 functions each: 1e-12 is 9000 roundings u. */
static void every_encoding(void **state) {
    (void)state;
    lua_State *L = lab_open();
    int wrong = 0;
    if (luaL_dostring(L, prelude)) fail_msg("%s", lua_tostring(L, -1));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double e[OF_KINDS];
        int64_t n = cases[k].n;
        push_shape(L, cases[k].x, 1, &n);
        lua_setglobal(L, "x");
        if (luaL_dostring(L, cases[k].lua)) fail_msg("%s: %s", cases[k].name, lua_tostring(L, -1));
        errors_of(e, L, cases[k].c, cases[k].x, cases[k].n, NULL);
        for (int i = 0; i < OF_KINDS; i++)
            if (!(isfinite(e[i]) && e[i] <= 1e-12)) {
                print_error("%s: kind %d is off by %g\n", cases[k].name, i, e[i]);
                wrong++;
            }
    }
    lua_close(L);
    assert_int_equal(wrong, 0);
}

/* What a traced call computes against the kernel. A phase m theta of at most 30 is off by 2 u 30 beside the double-double (theta
 * rounded, the product rounded). */
static const char *const values[] = {
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
    "function(x) return sinusoidal(5, 6, {base=x*30, layout='halves', offset=2}) end",
    "function(x) return sinusoidal_t2t(5, 2, {base=x*30}) end",
    "function(x) return kerple(4, {kind='log', r1=x, r2={x, 2}}, {keys=6, offset=1}) end",
    "function(x) return kerple(4, {kind='power', a=x, p=1.5}) end",
    "function(x) return t5(x*reshape(range(1, 64), 32, 2), 20, {direction='both', keys=24, offset=3}) end",
    "function(x) return learned(x*X, 2, {offset=1}) end",
    "function(x) return rope(X:astype('f32'), {layout='half', base=x*30}):astype('f64') end",
    "function(x) return shaw(x*X, X, A7) end",
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
    "function(x) return fire(u, v, x*W[{ {}, {1, 2} }], {1, 2}, 4, {c=x, L=x*2.5, eps=0.1, keys=5, "
    "offset=1}) "
    "end",
    "function(x) return where(causal_mask(3), cope(H2, x*X, A7), 0) end",
    "function(x) return where(causal_mask(3), cope(x*H2, X, A7[{ {1, 2} }], {variant='code', "
    "content=false}), 0) end",
    "function(x) return rerope(H2, X, {layout='half', window=1, leak=0.25, base=x*30}) end",
    "function(x) return rerope(x*H2, X, {layout='interleaved', window=9, offset=4}) end",
    "function(x) return logn(X, {train=x*3.5, offset=2}) end",
};

static void composed_forms_equal_the_kernels(void **state) {
    (void)state;
    lua_State *L = lab_open();
    if (luaL_dostring(L, prelude)) fail_msg("%s", lua_tostring(L, -1));
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char code[900];
        /* in f32 the last rounding is 2^-24 */
        snprintf(code, sizeof code,
                 "local f = %s local seen\n"
                 "grad(function(x) local y = f(x) seen = stop_gradient(y) return sum(y) end)(1.0)\n"
                 "local y = f(1.0)\n"
                 "return max(abs(seen - y)) <= (%d * 2^-53) * (1 + max(abs(y))), #seen.shape == #y.shape, "
                 "seen.dtype",
                 values[k], strstr(values[k], "f32") ? 1 << 30 : 200);
        const char *seen = lab_eval(L, code);
        if (strcmp(seen, "true\ttrue\tf64") != 0) fail_msg("%s: %s", values[k], seen);
        lua_settop(L, 0);
    }
    lua_close(L);
}

/* Equal to the kernel, so their derivatives are the kernel's: at 1, by the five-point difference of the kernel with h = 2^-10,
 * which errs by h^4/30 < 4e-14 times the fifth derivative, and by 1.5 ulp(f)/h < 4e-13 |f|. Both are below 1000. */
static void derivatives_are_those_of_the_kernels(void **state) {
    (void)state;
    lua_State *L = lab_open();
    if (luaL_dostring(L, prelude)) fail_msg("%s", lua_tostring(L, -1));
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char code[900];
        if (strstr(values[k], "f32")) continue; /* whose values are steps of 2^-24 */
        snprintf(code, sizeof code,
                 "local F = %s\n"
                 "local function f(x) local y = F(x) y = reshape(y, y.size) return sum(range(1, y.size) * y) "
                 "/ y.size end\n"
                 "local h = 2^-10\n"
                 "local d = (f(1 - 2*h) - 8*f(1 - h) + 8*f(1 + h) - f(1 + 2*h)) / (12*h)\n"
                 "return abs(grad(f)(1.0) - d) <= 1e-9 or grad(f)(1.0) - d",
                 values[k]);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding),
        cmocka_unit_test(composed_forms_equal_the_kernels),
        cmocka_unit_test(derivatives_are_those_of_the_kernels),
        cmocka_unit_test(far_positions_lose_what_is_said),
        cmocka_unit_test(bad_arguments_are_told_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
