/* symbolic_elementwise.c: what elementwise operations make of the formulas in their operands. Exact numbers are compared at once. */
#include <string.h>

#include "encoding/symbolic.h"

static bool is_rat(const exp_node *e) { return e && e->op == EXP_RAT; }
static int order(const exp_node *x, const exp_node *y) {
    __int128 d = (__int128)x->num * y->den - (__int128)y->num * x->den;
    return d > 0 ? 1 : d < 0 ? -1 : 0;
}

static exp_node *truth(exp_builder *b, bool so) { return exp_b_rat(b, so, 1); }
static exp_node *compared(exp_builder *b, exp_op how, exp_node *x, exp_node *y) {
    if (!is_rat(x) || !is_rat(y)) return exp_b_2(b, how, x, y);
    int d = order(x, y);
    switch (how) {
    case EXP_LT: return truth(b, d < 0);
    case EXP_LE: return truth(b, d <= 0);
    case EXP_GT: return truth(b, d > 0);
    case EXP_GE: return truth(b, d >= 0);
    case EXP_EQ: return truth(b, d == 0);
    default: return truth(b, d != 0);
    }
}

static exp_node *extreme(exp_builder *b, exp_op how, exp_node *x, exp_node *y) {
    if (!is_rat(x) || !is_rat(y)) return exp_b_2(b, how, x, y);
    return (order(x, y) > 0) == (how == EXP_MAX) ? x : y;
}

/* A choice among choices is one list of cases. */
static exp_node *chosen(exp_builder *b, exp_node *condition, exp_node *x, exp_node *y) {
    exp_node *piece[EXP_MAX_ARGS] = {condition, x, y};
    if (!condition || !x || !y) return NULL;
    if (is_rat(condition)) return condition->num ? x : y;
    if (y->op != EXP_PIECE || y->nargs + 2 > EXP_MAX_ARGS) return exp_b_op(b, EXP_PIECE, 3, piece);
    memcpy(piece + 2, y->arg, y->nargs * sizeof *piece);
    return exp_b_op(b, EXP_PIECE, (int)y->nargs + 2, piece);
}

/* A sign comes out of a product, and a sum with it is a difference. */
exp_node *enc_b_sum(exp_builder *b, exp_node *x, exp_node *y) {
    return y && y->op == EXP_NEG ? exp_b_sub(b, x, y->arg[0]) : exp_b_add(b, x, y);
}
exp_node *enc_b_product(exp_builder *b, exp_node *x, exp_node *y) {
    return y && y->op == EXP_NEG ? exp_b_neg(b, exp_b_mul(b, x, y->arg[0])) : exp_b_mul(b, x, y);
}

static exp_node *negated(exp_builder *b, exp_node *x) {
    return x && x->op == EXP_SUB ? exp_b_sub(b, x->arg[1], x->arg[0]) : exp_b_neg(b, x);
}

static exp_node *power(exp_builder *b, exp_node *x, exp_node *y) {
    if (y && exp_is_rat(y, 0, 1)) return exp_b_rat(b, 1, 1);
    return exp_b_pow(b, x, y);
}

/* The angle whose cosine is -1 is how a definition says π. */
static exp_node *arc_cosine(exp_builder *b, exp_node *x) {
    return x && exp_is_rat(x, -1, 1) ? exp_b_op(b, EXP_PI, 0, NULL) : exp_b_1(b, EXP_ACOS, x);
}

static exp_node *magnitude(exp_builder *b, exp_node *x) {
    if (!is_rat(x)) return exp_b_1(b, EXP_ABS, x);
    return x->num < 0 ? exp_b_neg(b, x) : x;
}

#define UNARY(NAME, VALUE)                                                                                   \
    static exp_node *NAME(exp_builder *b, exp_node *const *a) {                                              \
        exp_node *x = a[0];                                                                                  \
        (void)b;                                                                                             \
        return VALUE;                                                                                        \
    }
#define BINARY(NAME, VALUE)                                                                                  \
    static exp_node *NAME(exp_builder *b, exp_node *const *a) {                                              \
        exp_node *x = a[0], *y = a[1];                                                                       \
        return VALUE;                                                                                        \
    }
UNARY(of_neg, negated(b, x))
UNARY(of_exp, exp_b_1(b, EXP_EXP, x))
UNARY(of_log, exp_b_1(b, EXP_LOG, x))
UNARY(of_log1p, exp_b_1(b, EXP_LOG, exp_b_add(b, exp_b_rat(b, 1, 1), x)))
UNARY(of_sqrt, exp_b_1(b, EXP_SQRT, x))
UNARY(of_sin, exp_b_1(b, EXP_SIN, x))
UNARY(of_cos, exp_b_1(b, EXP_COS, x))
UNARY(of_acos, arc_cosine(b, x))
UNARY(of_abs, magnitude(b, x))
UNARY(of_sign, exp_b_1(b, EXP_SIGN, x))
UNARY(of_square, exp_b_mul(b, x, x))
UNARY(of_relu, extreme(b, EXP_MAX, exp_b_rat(b, 0, 1), x))
UNARY(of_astype, x)
BINARY(of_add, enc_b_sum(b, x, y))
BINARY(of_sub, exp_b_sub(b, x, y))
BINARY(of_mul, enc_b_product(b, x, y))
BINARY(of_div, exp_b_div(b, x, y))
BINARY(of_pow, power(b, x, y))
BINARY(of_minimum, extreme(b, EXP_MIN, x, y))
BINARY(of_maximum, extreme(b, EXP_MAX, x, y))
BINARY(of_lt, compared(b, EXP_LT, x, y))
BINARY(of_le, compared(b, EXP_LE, x, y))
BINARY(of_gt, compared(b, EXP_GT, x, y))
BINARY(of_ge, compared(b, EXP_GE, x, y))
BINARY(of_eq, compared(b, EXP_EQ, x, y))
BINARY(of_ne, compared(b, EXP_NE, x, y))
static exp_node *of_where(exp_builder *b, exp_node *const *a) { return chosen(b, a[0], a[1], a[2]); }
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
