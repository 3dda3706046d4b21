/* defined.c: functions of formulas that are others written out, under the names that numbers and arrays have for them.
 *     sigmoid x = 1/(1 + e^−x)    relu x = max(x, 0)    ⌈x⌉ = −⌊−x⌋    x % y = x − y·⌊x/y⌋    x // y = ⌊x/y⌋
 *     round x = ⌊x/2 + 1/4⌋ − ⌊1/4 − x/2⌋: the nearest whole number, of two the even one. With x = 2k + r, 0 <= r < 2, that is
 *     k + [r >= 3/2] + k − ⌊1/4 − r/2⌋ − …: 2k for r <= 1/2, 2k + 1 for 1/2 < r < 3/2, 2k + 2 for r >= 3/2.
 */
#include <string.h>

#include "expr/build.h"

static expr_node *one(expr_builder *b) { return expr_b_rat(b, 1, 1); }

static expr_node *def_sigmoid(expr_builder *b, expr_node *const *x) {
    return expr_b_div(b, one(b), expr_b_add(b, one(b), expr_b_1(b, EXPR_EXP, expr_b_neg(b, x[0]))));
}
static expr_node *def_relu(expr_builder *b, expr_node *const *x) {
    return expr_b_2(b, EXPR_MAX, x[0], expr_b_rat(b, 0, 1));
}
static expr_node *def_ceil(expr_builder *b, expr_node *const *x) {
    return expr_is_whole(x[0]) ? x[0] : expr_b_neg(b, expr_b_1(b, EXPR_FLOOR, expr_b_neg(b, x[0])));
}
static expr_node *def_round(expr_builder *b, expr_node *const *x) {
    if (expr_is_whole(x[0])) return x[0];
    expr_node *half = expr_b_div(b, x[0], expr_b_rat(b, 2, 1)), *quarter = expr_b_rat(b, 1, 4);
    return expr_b_sub(b, expr_b_1(b, EXPR_FLOOR, expr_b_add(b, half, quarter)),
                      expr_b_1(b, EXPR_FLOOR, expr_b_sub(b, quarter, half)));
}
static expr_node *def_idiv(expr_builder *b, expr_node *const *x) {
    return expr_b_1(b, EXPR_FLOOR, expr_b_div(b, x[0], x[1]));
}
static expr_node *def_mod(expr_builder *b, expr_node *const *x) {
    return expr_b_sub(b, x[0], expr_b_mul(b, x[1], def_idiv(b, x)));
}
static expr_node *def_square(expr_builder *b, expr_node *const *x) {
    return expr_b_2(b, EXPR_POW, x[0], expr_b_rat(b, 2, 1));
}
static expr_node *def_hypot(expr_builder *b, expr_node *const *x) {
    return expr_b_1(b, EXPR_SQRT, expr_b_add(b, def_square(b, x), def_square(b, x + 1)));
}
static expr_node *def_log1p(expr_builder *b, expr_node *const *x) {
    return expr_b_1(b, EXPR_LOG, expr_b_add(b, one(b), x[0]));
}
static expr_node *def_expm1(expr_builder *b, expr_node *const *x) {
    return expr_b_sub(b, expr_b_1(b, EXPR_EXP, x[0]), one(b));
}
static expr_node *def_log2(expr_builder *b, expr_node *const *x) {
    return expr_b_div(b, expr_b_1(b, EXPR_LOG, x[0]), expr_b_1(b, EXPR_LOG, expr_b_rat(b, 2, 1)));
}

static const struct {
    const char *name;
    int n;
    expr_define_fn *f;
} definitions[] = {
    {"sigmoid", 1, def_sigmoid}, {"relu", 1, def_relu},   {"ceil", 1, def_ceil},      {"round", 1, def_round},
    {"square", 1, def_square},   {"hypot", 2, def_hypot}, {"log1p", 1, def_log1p},    {"expm1", 1, def_expm1},
    {"log2", 1, def_log2},       {"mod", 2, def_mod},     {"floor_div", 2, def_idiv},
};

expr_define_fn *expr_definition(const char *name, int n) {
    for (size_t k = 0; k < sizeof definitions / sizeof *definitions; k++)
        if (definitions[k].n == n && strcmp(definitions[k].name, name) == 0) return definitions[k].f;
    return NULL;
}
