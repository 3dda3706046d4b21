/* definitions.c: functions of formulas that are others written out, under the names that numbers and arrays have for them.
 *     sigmoid x = 1/(1 + e^−x)    relu x = max(x, 0)    ⌈x⌉ = −⌊−x⌋    x % y = x − y·⌊x/y⌋    x // y = ⌊x/y⌋
 *     round x = ⌊x/2 + 1/4⌋ − ⌊1/4 − x/2⌋: the nearest whole number, of two the even one. With x = 2k + r, 0 <= r < 2, that is
 *     k + [r >= 3/2] + k − ⌊1/4 − r/2⌋ − …: 2k for r <= 1/2, 2k + 1 for 1/2 < r < 3/2, 2k + 2 for r >= 3/2.
 */
#include <string.h>

#include "expr/build.h"
#include "lua/bind.h"
#include "lua/state.h"

typedef exp_node *define_fn(exp_builder *b, exp_node *const *x);

static exp_node *one(exp_builder *b) { return exp_b_rat(b, 1, 1); }

static exp_node *def_sigmoid(exp_builder *b, exp_node *const *x) {
    return exp_b_div(b, one(b), exp_b_add(b, one(b), exp_b_1(b, EXP_EXP, exp_b_neg(b, x[0]))));
}
static exp_node *def_relu(exp_builder *b, exp_node *const *x) {
    return exp_b_2(b, EXP_MAX, x[0], exp_b_rat(b, 0, 1));
}
static exp_node *def_ceil(exp_builder *b, exp_node *const *x) {
    return exp_is_whole(x[0]) ? x[0] : exp_b_neg(b, exp_b_1(b, EXP_FLOOR, exp_b_neg(b, x[0])));
}
static exp_node *def_round(exp_builder *b, exp_node *const *x) {
    if (exp_is_whole(x[0])) return x[0];
    exp_node *half = exp_b_div(b, x[0], exp_b_rat(b, 2, 1)), *quarter = exp_b_rat(b, 1, 4);
    return exp_b_sub(b, exp_b_1(b, EXP_FLOOR, exp_b_add(b, half, quarter)),
                     exp_b_1(b, EXP_FLOOR, exp_b_sub(b, quarter, half)));
}
static exp_node *def_idiv(exp_builder *b, exp_node *const *x) {
    return exp_b_1(b, EXP_FLOOR, exp_b_div(b, x[0], x[1]));
}
static exp_node *def_mod(exp_builder *b, exp_node *const *x) {
    return exp_b_sub(b, x[0], exp_b_mul(b, x[1], def_idiv(b, x)));
}
static exp_node *def_square(exp_builder *b, exp_node *const *x) {
    return exp_b_2(b, EXP_POW, x[0], exp_b_rat(b, 2, 1));
}
static exp_node *def_hypot(exp_builder *b, exp_node *const *x) {
    return exp_b_1(b, EXP_SQRT, exp_b_add(b, def_square(b, x), def_square(b, x + 1)));
}
static exp_node *def_log1p(exp_builder *b, exp_node *const *x) {
    return exp_b_1(b, EXP_LOG, exp_b_add(b, one(b), x[0]));
}
static exp_node *def_expm1(exp_builder *b, exp_node *const *x) {
    return exp_b_sub(b, exp_b_1(b, EXP_EXP, x[0]), one(b));
}
static exp_node *def_log2(exp_builder *b, exp_node *const *x) {
    return exp_b_div(b, exp_b_1(b, EXP_LOG, x[0]), exp_b_1(b, EXP_LOG, exp_b_rat(b, 2, 1)));
}

static const struct {
    const char *name;
    int n;
    define_fn *f;
} definitions[] = {
    {"sigmoid", 1, def_sigmoid}, {"relu", 1, def_relu},   {"ceil", 1, def_ceil},      {"round", 1, def_round},
    {"square", 1, def_square},   {"hypot", 2, def_hypot}, {"log1p", 1, def_log1p},    {"expm1", 1, def_expm1},
    {"log2", 1, def_log2},       {"mod", 2, def_mod},     {"floor_div", 2, def_idiv},
};

bool bind_define_expr(lua_State *L, const char *name, int n, exp_node *const *arg) {
    for (size_t k = 0; k < sizeof definitions / sizeof *definitions; k++) {
        if (definitions[k].n != n || strcmp(definitions[k].name, name) != 0) continue;
        ph_err err;
        exp_builder b = EXP_BUILDER(&err);
        exp_node **box = bind_new_expr(L);
        if (exp_b_end(&b, box, definitions[k].f(&b, arg)) != PH_OK) bind_raise(L, &err);
        return true;
    }
    return false;
}
