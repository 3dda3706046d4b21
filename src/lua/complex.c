/* complex.c: the complex scalar. Its operators are computed here; functions of it run through their rows as
 * 0-d arrays, so that a scalar and an array of one never differ.
 */
#include "base/cmplx.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/bind.h"
#include "lua/state.h"

static const char complex_key = 0;

#define LARGEST 0x1p26 /* of an exact part: products of two and their sums have no rounding then */

/* exact: made of integers and I by + - * and powers only, so that it may stand in a formula. */
typedef struct {
    arr_c128 z;
    bool exact;
} scalar;

static scalar *push(lua_State *L, arr_c128 z) {
    scalar *box = lua_newuserdatauv(L, sizeof *box, 0); /* no __gc */
    *box = (scalar){z, false};
    lua_rawgetp(L, LUA_REGISTRYINDEX, &complex_key);
    lua_setmetatable(L, -2);
    return box;
}

void bind_push_complex(lua_State *L, arr_c128 z) { push(L, z); }

bool bind_test_complex(lua_State *L, int i, arr_c128 *z) {
    if (bind_kind_of(L, i) != KIND_COMPLEX) return false;
    *z = ((scalar *)lua_touserdata(L, i))->z;
    return true;
}

static bool whole(double x) { return x == floor(x) && fabs(x) <= LARGEST; }

bool bind_exact_complex(lua_State *L, int i) {
    if (lua_isinteger(L, i)) return whole((double)lua_tointeger(L, i));
    return bind_kind_of(L, i) == KIND_COMPLEX && ((scalar *)lua_touserdata(L, i))->exact;
}

static void push_exact(lua_State *L, arr_c128 z, bool exact) {
    push(L, z)->exact = exact && whole(z.re) && whole(z.im);
}

void bind_push_exact_complex(lua_State *L, arr_c128 z) { push_exact(L, z, true); }

/* Digits that read back, a whole number without its ".0". */
static char *part_text(char *buf, size_t cap, double x) {
    arr_num_text(buf, cap, x);
    size_t n = strlen(buf);
    if (n > 2 && strcmp(buf + n - 2, ".0") == 0) buf[n - 2] = 0;
    return buf;
}

/* "1 + 2i"; an infinite or undefined part stands apart from its i: "0 + inf i". */
char *bind_complex_text(char *buf, size_t cap, arr_c128 z) {
    char re[40], im[40];
    bool minus = signbit(z.im) && !isnan(z.im);
    snprintf(buf, cap, "%s %c %s%s", part_text(re, sizeof re, z.re), minus ? '-' : '+',
             part_text(im, sizeof im, minus ? -z.im : z.im), isfinite(z.im) ? "i" : " i");
    return buf;
}

/* ---- operators ----------------------------------------------------------------------------------------- */

static double complex to_c(arr_c128 z) { return CMPLX(z.re, z.im); }
static arr_c128 of_c(double complex z) { return (arr_c128){creal(z), cimag(z)}; }

static double complex c_add(double complex a, double complex b) { return a + b; }
static double complex c_sub(double complex a, double complex b) { return a - b; }
static double complex c_mul(double complex a, double complex b) { return a * b; }
static double complex c_div(double complex a, double complex b) { return a / b; }

/* Two complex scalars or numbers are computed here; anything higher goes to the row. */
static int binary(lua_State *L, const char *name, double complex (*f)(double complex, double complex)) {
    arr_c128 a, b;
    arr_dtype t;
    if (bind_kind_of(L, 1) <= KIND_COMPLEX && bind_kind_of(L, 2) <= KIND_COMPLEX &&
        bind_scalar(L, 1, &a, &t) && bind_scalar(L, 2, &b, &t)) {
        bool exact = f != c_div && bind_exact_complex(L, 1) && bind_exact_complex(L, 2);
        push_exact(L, of_c(f(to_c(a), to_c(b))), exact);
        return 1;
    }
    return bind_call_op(L, name, 2);
}

static int meta_add(lua_State *L) { return binary(L, "add", c_add); }
static int meta_sub(lua_State *L) { return binary(L, "sub", c_sub); }
static int meta_mul(lua_State *L) { return binary(L, "mul", c_mul); }
static int meta_div(lua_State *L) { return binary(L, "div", c_div); }

/* A power of an exact number to an integer is exact where it is small: its error is far below 1/2 there. */
static int meta_pow(lua_State *L) {
    arr_c128 z;
    bool exact = bind_exact_complex(L, 1) && lua_isinteger(L, 2) && lua_tointeger(L, 2) >= 0;
    int n = bind_call_op(L, "pow", 2);
    if (!exact || !bind_test_complex(L, -1, &z)) return n;
    push_exact(L, z, true);
    return 1;
}

static int meta_unm(lua_State *L) {
    arr_c128 z;
    if (!bind_test_complex(L, 1, &z)) return bind_raise_arg(L, 1, "neg", "the operand", "a complex number");
    push_exact(L, (arr_c128){-z.re, -z.im}, bind_exact_complex(L, 1));
    return 1;
}

/* Lua asks only when both are userdata. */
static int meta_eq(lua_State *L) {
    arr_c128 a, b;
    lua_pushboolean(L, bind_test_complex(L, 1, &a) && bind_test_complex(L, 2, &b) && a.re == b.re &&
                           a.im == b.im);
    return 1;
}

static int meta_order(lua_State *L) {
    return bind_raisef(L, "complex numbers have no order; compare abs(z), z.re or z.im");
}

static int meta_tostring(lua_State *L) {
    arr_c128 z;
    char buf[80];
    if (!bind_test_complex(L, 1, &z))
        return bind_raise_arg(L, 1, "tostring", "the operand", "a complex number");
    lua_pushstring(L, bind_complex_text(buf, sizeof buf, z));
    return 1;
}

static const luaL_Reg meta[] = {
    {"__add", meta_add},
    {"__sub", meta_sub},
    {"__mul", meta_mul},
    {"__div", meta_div},
    {"__pow", meta_pow},
    {"__unm", meta_unm},
    {"__eq", meta_eq},
    {"__lt", meta_order},
    {"__le", meta_order},
    {"__tostring", meta_tostring},
    {"__concat", bind_meta_concat},
    {NULL, NULL},
};

/* ---- functions and fields ------------------------------------------------------------------------------ */

static int new_complex(lua_State *L) {
    bind_check_count(L, "complex", 1, 2);
    arr_c128 z;
    if (lua_gettop(L) == 1 && bind_test_complex(L, 1, &z)) return 1;
    z.re = bind_check_num(L, 1, "complex", "the real part");
    z.im = lua_gettop(L) == 2 ? bind_check_num(L, 2, "complex", "the imaginary part") : 0;
    push_exact(L, z, bind_exact_complex(L, 1) && (lua_gettop(L) == 1 || bind_exact_complex(L, 2)));
    return 1;
}

static arr_c128 self(lua_State *L, const char *who) {
    arr_c128 z = {0, 0};
    if (!bind_test_complex(L, 1, &z)) bind_raise_arg(L, 1, who, "the operand", "a complex number");
    return z;
}

static int get_re(lua_State *L) {
    lua_pushnumber(L, self(L, "re").re);
    return 1;
}

static int get_im(lua_State *L) {
    lua_pushnumber(L, self(L, "im").im);
    return 1;
}

static const bind_row rows[] = {
    {.name = "# complex numbers"},
    {"complex", new_complex, "re [, im]",
     "The complex number re + im i.\n"
     "re, im: numbers; im is 0 when left out.\n"
     "Operators + - * / ^ take complex numbers, numbers and arrays. There is no order between complex "
     "numbers.",
     "complex(1, 2) * complex(0, 1)  --> -2 + 1i\nsqrt(complex(-4))  --> 0 + 2i"},
    {"I", NULL, "", "The imaginary unit, complex(0, 1).", "I * I  --> -1 + 0i\n(2 + 3*I):conj()  --> 2 - 3i"},
    {"Complex.re", get_re, "", "The real part, a number.", "(2 + 3*I).re  --> 2.0"},
    {"Complex.im", get_im, "", "The imaginary part, a number.", "(2 + 3*I).im  --> 3.0"},
    {.name = NULL},
};

void bind_open_complex(lua_State *L) {
    bind_class(L, "Complex", KIND_COMPLEX, meta);
    lua_getfield(L, -1, "__index");
    lua_pushliteral(L, "a complex number"); /* how its errors call it */
    lua_setupvalue(L, -2, 3);
    lua_pop(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &complex_key);
    bind_push_lab(L);
    push_exact(L, (arr_c128){0, 1}, true);
    lua_setfield(L, -2, "I");
    lua_pop(L, 1);
    bind_rows(L, rows);
}
