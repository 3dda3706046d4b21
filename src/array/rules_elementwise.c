/* rules_elementwise.c: derivatives of the elementwise rows (arith.c, math.c): t times dy/dx_i.
 *
 * Kinks: abs, relu and norms have 0 at 0; where two operands of minimum or maximum are equal, each gets half.
 */
#include "array/rule.h"

#define PASS(NAME) static op_val *NAME(op_ctx *c, const op_use *u, int i, op_val *t)
#define X          u->x[0]
#define Y          u->x[1]
#define OUT        u->y[0]
#define UNUSED     (void)c, (void)u, (void)i

/* 1 - v^2 and 1 + v^2 */
static op_val *square(op_ctx *c, op_val *v) { return op_do1(c, "square", v); }
static op_val *one_minus(op_ctx *c, op_val *v) { return op_do2(c, "sub", op_num(c, 1), v); }
static op_val *one_plus(op_ctx *c, op_val *v) { return op_do2(c, "add", op_num(c, 1), v); }

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

PASS(same) {
    UNUSED;
    return t;
}
PASS(negated) {
    UNUSED;
    return op_do1(c, "neg", t);
}
PASS(sub) { return i == 0 ? t : negated(c, u, i, t); }
PASS(mul) { return op_do2(c, "mul", t, u->x[1 - i]); }
/* (x/y)' = t/y, -t (x/y)/y */
PASS(divide) {
    op_val *q = op_do2(c, "div", t, Y);
    return i == 0 ? q : op_do1(c, "neg", op_do2(c, "mul", q, OUT));
}

/* y x^(y-1), which is 0 for y = 0 also where x is 0; x^y log x, which is 0 where x is 0. */
PASS(power) {
    double n;
    if (i == 0 && op_is_number(c, Y, &n)) {
        if (n == 0) return NULL;
        if (n == 1) return t;
        op_val *p = n == 2 ? X : n == 3 ? square(c, X) : op_do2(c, "pow", X, op_num(c, n - 1));
        return op_do2(c, "mul", t, op_times(c, p, n));
    }
    op_val *zero = op_do2(c, "eq", i == 0 ? Y : X, op_num(c, 0)), *one = op_num(c, 1);
    if (i == 0) {
        op_val *less = op_do3(c, "where", zero, one, op_do2(c, "sub", Y, one));
        return op_do2(c, "mul", t, op_do2(c, "mul", Y, op_do2(c, "pow", X, less)));
    }
    op_val *base = op_do3(c, "where", zero, one, X);
    return op_do2(c, "mul", t, op_do2(c, "mul", OUT, op_do1(c, "log", base)));
}

/* The angle of (y, x): x/(x^2+y^2), -y/(x^2+y^2); operand 0 is the ordinate. */
PASS(atan2_) {
    op_val *r2 = op_do2(c, "add", square(c, X), square(c, Y));
    op_val *q = op_do2(c, "div", op_do2(c, "mul", t, u->x[1 - i]), r2);
    return i == 0 ? q : op_do1(c, "neg", q);
}
PASS(hypot_) { return op_do2(c, "mul", t, op_do2(c, "div", u->x[i], OUT)); }

/* Where operand i is the one that counts t, half of it where they are equal. */
static op_val *choice(op_ctx *c, const op_use *u, int i, op_val *t, const char *wins) {
    op_val *mine = op_stop_gradient(c, u->x[i]), *other = op_stop_gradient(c, u->x[1 - i]),
           *zero = op_num(c, 0);
    op_val *shared = op_do3(c, "where", op_do2(c, "eq", mine, other), op_times(c, t, 0.5), zero);
    return op_do3(c, "where", op_do2(c, wins, mine, other), t, shared);
}
PASS(minimum) { return choice(c, u, i, t, "lt"); }
PASS(maximum) { return choice(c, u, i, t, "gt"); }

PASS(where) {
    op_val *zero = op_num(c, 0);
    return i == 1 ? op_do3(c, "where", X, t, zero) : op_do3(c, "where", X, zero, t);
}

/* ---- functions ----------------------------------------------------------------------------------------- */

#define TIMES(NAME, EXPR)                                                                                    \
    PASS(NAME) {                                                                                             \
        (void)i;                                                                                             \
        return op_do2(c, "mul", t, EXPR);                                                                    \
    }
#define OVER(NAME, EXPR)                                                                                     \
    PASS(NAME) {                                                                                             \
        (void)i;                                                                                             \
        return op_do2(c, "div", t, EXPR);                                                                    \
    }
TIMES(square_, op_times(c, X, 2))
TIMES(exp_, OUT)
OVER(log_, X)
OVER(sqrt_, op_times(c, OUT, 2))
TIMES(sin_, op_do1(c, "cos", X))
TIMES(cos_, op_do1(c, "neg", op_do1(c, "sin", X)))
TIMES(tan_, one_plus(c, square(c, OUT)))
OVER(asin_, op_do1(c, "sqrt", one_minus(c, square(c, X))))
OVER(acos_, op_do1(c, "neg", op_do1(c, "sqrt", one_minus(c, square(c, X)))))
OVER(atan_, one_plus(c, square(c, X)))
TIMES(sinh_, op_do1(c, "cosh", X))
TIMES(cosh_, op_do1(c, "sinh", X))
TIMES(tanh_, one_minus(c, square(c, OUT)))
OVER(log1p_, one_plus(c, X))
TIMES(expm1_, one_plus(c, OUT))
OVER(log2_, op_times(c, X, 0.69314718055994530942))
TIMES(sigmoid_, op_do2(c, "mul", OUT, one_minus(c, OUT)))
/* 2/sqrt(pi) e^(-x^2) */
TIMES(erf_, op_times(c, op_do1(c, "exp", op_do1(c, "neg", square(c, X))), 1.12837916709551257390))
TIMES(abs_, op_do1(c, "sign", op_stop_gradient(c, X)))

PASS(relu) {
    (void)i;
    return op_do3(c, "where", op_do2(c, "gt", op_stop_gradient(c, X), op_num(c, 0)), t, op_num(c, 0));
}
PASS(nothing) {
    UNUSED, (void)t;
    return NULL;
}

/* ---- rules --------------------------------------------------------------------------------------------- */

#define RULE(NAME, PASS_FN, DROP)                                                                            \
    { .name = NAME, .pass = PASS_FN, .drop = DROP, .batch = op_batch_elementwise }
#define PLAIN(NAME)                                                                                          \
    { .name = NAME, .plain = true, .batch = op_batch_elementwise }
#define STAIRS(NAME)                                                                                         \
    {                                                                                                        \
        .name = NAME, .batch = op_batch_elementwise,                                                         \
        .refuse = "is a staircase, with derivative 0 between its jumps; stop_gradient(x) says that this is " \
                  "meant"                                                                                    \
    }

const op_rule arr_elementwise_rules[] = {
    RULE("add", same, OP_DROP_X | OP_DROP_Y),
    RULE("sub", sub, OP_DROP_X | OP_DROP_Y),
    RULE("mul", mul, OP_DROP_Y),
    RULE("div", divide, 1),
    RULE("pow", power, 0),
    RULE("atan2", atan2_, OP_DROP_Y),
    RULE("hypot", hypot_, 0),
    RULE("minimum", minimum, OP_DROP_Y),
    RULE("maximum", maximum, OP_DROP_Y),
    RULE("where", where, 2 | 4 | OP_DROP_Y),
    PLAIN("eq"),
    PLAIN("ne"),
    PLAIN("lt"),
    PLAIN("le"),
    PLAIN("gt"),
    PLAIN("ge"),
    PLAIN("logical_and"),
    PLAIN("logical_or"),
    PLAIN("logical_xor"),
    PLAIN("logical_not"),
    PLAIN("isnan"),
    PLAIN("isfinite"),
    RULE("neg", negated, OP_DROP_X | OP_DROP_Y),
    RULE("square", square_, OP_DROP_Y),
    RULE("exp", exp_, OP_DROP_X),
    RULE("log", log_, OP_DROP_Y),
    RULE("sqrt", sqrt_, OP_DROP_X),
    RULE("sin", sin_, OP_DROP_Y),
    RULE("cos", cos_, OP_DROP_Y),
    RULE("tan", tan_, OP_DROP_X),
    RULE("asin", asin_, OP_DROP_Y),
    RULE("acos", acos_, OP_DROP_Y),
    RULE("atan", atan_, OP_DROP_Y),
    RULE("sinh", sinh_, OP_DROP_Y),
    RULE("cosh", cosh_, OP_DROP_Y),
    RULE("tanh", tanh_, OP_DROP_X),
    RULE("log1p", log1p_, OP_DROP_Y),
    RULE("expm1", expm1_, OP_DROP_X),
    RULE("log2", log2_, OP_DROP_Y),
    RULE("relu", relu, OP_DROP_Y),
    RULE("sigmoid", sigmoid_, OP_DROP_X),
    RULE("erf", erf_, OP_DROP_Y),
    RULE("abs", abs_, OP_DROP_Y),
    RULE("conj", same, OP_DROP_X | OP_DROP_Y),
    RULE("re", same, OP_DROP_X | OP_DROP_Y),
    RULE("im", nothing, OP_DROP_X | OP_DROP_Y),
    RULE("astype", same, OP_DROP_X | OP_DROP_Y),
    STAIRS("angle"),
    STAIRS("floor"),
    STAIRS("ceil"),
    STAIRS("round"),
    STAIRS("sign"),
    STAIRS("quantize"),
};
const int arr_elementwise_nrules = sizeof arr_elementwise_rules / sizeof *arr_elementwise_rules;
