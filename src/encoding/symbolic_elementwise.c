/* symbolic_elementwise.c: what elementwise operations make of the formulas in their operands. Exact numbers are compared at once. */
#include <string.h>

#include "base/product.h"
#include "encoding/symbolic.h"

static bool is_rat(const expr_node *e) { return e && e->op == EXPR_RAT; }
static int order(const expr_node *x, const expr_node *y) {
    ph_product_signed a = ph_product_of_signed(x->num, y->den), b = ph_product_of_signed(y->num, x->den);
    if (a.hi != b.hi) return a.hi > b.hi ? 1 : -1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

static expr_node *truth(expr_builder *b, bool so) { return expr_b_rat(b, so, 1); }
static expr_node *compared(expr_builder *b, expr_op how, expr_node *x, expr_node *y) {
    if (!is_rat(x) || !is_rat(y)) return expr_b_2(b, how, x, y);
    int d = order(x, y);
    switch (how) {
    case EXPR_LT: return truth(b, d < 0);
    case EXPR_LE: return truth(b, d <= 0);
    case EXPR_GT: return truth(b, d > 0);
    case EXPR_GE: return truth(b, d >= 0);
    case EXPR_EQ: return truth(b, d == 0);
    default: return truth(b, d != 0);
    }
}

static expr_node *extreme(expr_builder *b, expr_op how, expr_node *x, expr_node *y) {
    if (!is_rat(x) || !is_rat(y)) return expr_b_2(b, how, x, y);
    return (order(x, y) > 0) == (how == EXPR_MAX) ? x : y;
}

/* A choice among choices is one list of cases. */
static expr_node *chosen(expr_builder *b, expr_node *condition, expr_node *x, expr_node *y) {
    expr_node *piece[EXPR_MAX_ARGS] = {condition, x, y};
    if (!condition || !x || !y) return NULL;
    if (is_rat(condition)) return condition->num ? x : y;
    if (y->op != EXPR_PIECE || y->nargs + 2 > EXPR_MAX_ARGS) return expr_b_op(b, EXPR_PIECE, 3, piece);
    memcpy(piece + 2, y->arg, y->nargs * sizeof *piece);
    return expr_b_op(b, EXPR_PIECE, (int)y->nargs + 2, piece);
}

/* A sign comes out of a product, and a sum with it is a difference. */
expr_node *enc_b_sum(expr_builder *b, expr_node *x, expr_node *y) {
    return y && y->op == EXPR_NEG ? expr_b_sub(b, x, y->arg[0]) : expr_b_add(b, x, y);
}
expr_node *enc_b_product(expr_builder *b, expr_node *x, expr_node *y) {
    return y && y->op == EXPR_NEG ? expr_b_neg(b, expr_b_mul(b, x, y->arg[0])) : expr_b_mul(b, x, y);
}

static expr_node *negated(expr_builder *b, expr_node *x) {
    return x && x->op == EXPR_SUB ? expr_b_sub(b, x->arg[1], x->arg[0]) : expr_b_neg(b, x);
}

static expr_node *power(expr_builder *b, expr_node *x, expr_node *y) {
    if (y && expr_is_rat(y, 0, 1)) return expr_b_rat(b, 1, 1);
    return expr_b_pow(b, x, y);
}

/* The angle whose cosine is -1 is how a definition says π. */
static expr_node *arc_cosine(expr_builder *b, expr_node *x) {
    return x && expr_is_rat(x, -1, 1) ? expr_b_op(b, EXPR_PI, 0, NULL) : expr_b_1(b, EXPR_ACOS, x);
}

static expr_node *magnitude(expr_builder *b, expr_node *x) {
    if (!is_rat(x)) return expr_b_1(b, EXPR_ABS, x);
    return x->num < 0 ? expr_b_neg(b, x) : x;
}

#define UNARY(NAME, VALUE)                                                                                   \
    static expr_node *NAME(expr_builder *b, expr_node *const *a) {                                           \
        expr_node *x = a[0];                                                                                 \
        (void)b;                                                                                             \
        return VALUE;                                                                                        \
    }
#define BINARY(NAME, VALUE)                                                                                  \
    static expr_node *NAME(expr_builder *b, expr_node *const *a) {                                           \
        expr_node *x = a[0], *y = a[1];                                                                      \
        return VALUE;                                                                                        \
    }
UNARY(of_neg, negated(b, x))
UNARY(of_exp, expr_b_1(b, EXPR_EXP, x))
UNARY(of_log, expr_b_1(b, EXPR_LOG, x))
UNARY(of_log1p, expr_b_1(b, EXPR_LOG, expr_b_add(b, expr_b_rat(b, 1, 1), x)))
UNARY(of_sqrt, expr_b_1(b, EXPR_SQRT, x))
UNARY(of_sin, expr_b_1(b, EXPR_SIN, x))
UNARY(of_cos, expr_b_1(b, EXPR_COS, x))
UNARY(of_acos, arc_cosine(b, x))
UNARY(of_abs, magnitude(b, x))
UNARY(of_sign, expr_b_1(b, EXPR_SIGN, x))
UNARY(of_square, expr_b_mul(b, x, x))
UNARY(of_relu, extreme(b, EXPR_MAX, expr_b_rat(b, 0, 1), x))
UNARY(of_astype, x)
BINARY(of_add, enc_b_sum(b, x, y))
BINARY(of_sub, expr_b_sub(b, x, y))
BINARY(of_mul, enc_b_product(b, x, y))
BINARY(of_div, expr_b_div(b, x, y))
BINARY(of_pow, power(b, x, y))
BINARY(of_minimum, extreme(b, EXPR_MIN, x, y))
BINARY(of_maximum, extreme(b, EXPR_MAX, x, y))
BINARY(of_lt, compared(b, EXPR_LT, x, y))
BINARY(of_le, compared(b, EXPR_LE, x, y))
BINARY(of_gt, compared(b, EXPR_GT, x, y))
BINARY(of_ge, compared(b, EXPR_GE, x, y))
BINARY(of_eq, compared(b, EXPR_EQ, x, y))
BINARY(of_ne, compared(b, EXPR_NE, x, y))
static expr_node *of_where(expr_builder *b, expr_node *const *a) { return chosen(b, a[0], a[1], a[2]); }
#undef UNARY
#undef BINARY

enc_entry_fn *enc_entry_of(const op *row) {
    static const struct {
        const char *name;
        enc_entry_fn *fn;
    } known[] = {
        {"neg", of_neg},       {"exp", of_exp},   {"log", of_log},         {"log1p", of_log1p},
        {"sqrt", of_sqrt},     {"sin", of_sin},   {"cos", of_cos},         {"acos", of_acos},
        {"abs", of_abs},       {"sign", of_sign}, {"square", of_square},   {"relu", of_relu},
        {"astype", of_astype}, {"add", of_add},   {"sub", of_sub},         {"mul", of_mul},
        {"div", of_div},       {"pow", of_pow},   {"minimum", of_minimum}, {"maximum", of_maximum},
        {"lt", of_lt},         {"le", of_le},     {"gt", of_gt},           {"ge", of_ge},
        {"eq", of_eq},         {"ne", of_ne},     {"where", of_where},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(row->name, known[k].name) == 0) return known[k].fn;
    return NULL;
}
