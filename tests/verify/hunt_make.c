/* hunt_make.c: random formulas. */
#include "hunt.h"

/* Which symbols a case uses: few, so that its parts have to do with each other. */
static struct {
    int real, positive, integer, natural, complex;
    bool members, imaginary;
} world;

void some_world(void) {
    static const int reals[] = {S_X, S_Y, S_U}, positives[] = {S_K, S_S}, integers[] = {S_N, S_M},
                     naturals[] = {S_P, S_R};
    world.real = reals[below(3)];
    world.positive = positives[below(2)];
    world.integer = one_in(6) ? S_I : integers[below(2)];
    world.natural = naturals[below(2)];
    world.complex = one_in(2) ? S_Z : S_W;
    world.members = one_in(3);
    world.imaginary = one_in(4);
}

static tree *some_number(want w) {
    static const int64_t far[] = {10, 12, 16, 100, 360, 1000, 1024, 10000};
    if (one_in(16)) return INT((w == WANT_POSITIVE || one_in(2) ? 1 : -1) * far[below(8)]);
    int64_t num = w == WANT_POSITIVE ? between(1, 5) : between(-3, 5);
    return w == WANT_INTEGER || !one_in(4) ? INT(num) : T_rat(num, between(2, 6));
}

static tree *some_index(void) {
    switch (below(4)) {
    case 0: return INT(between(0, 4));
    case 1: return T_sym(world.integer);
    case 2: return ADD(T_sym(world.integer), INT(between(-2, 2)));
    default: return one_in(2) ? T_sym(world.natural) : T_sym(S_I);
    }
}

tree *some_leaf(want w) {
    if (one_in(3)) return some_number(w);
    if (world.members && one_in(3))
        return T_at(w == WANT_INTEGER            ? S_D
                    : w == WANT_POSITIVE         ? S_B
                    : w == WANT_ANY && one_in(4) ? S_C
                                                 : S_A,
                    some_index());
    switch (w) {
    case WANT_INTEGER: return T_sym(one_in(3) ? world.natural : world.integer);
    case WANT_POSITIVE:
        return one_in(8) ? T(EXPR_PI, 0, NULL) : T_sym(one_in(4) ? world.natural : world.positive);
    case WANT_ANY:
        if (world.imaginary && one_in(3)) return one_in(3) ? T(EXPR_I, 0, NULL) : T_sym(world.complex);
        /* fall through */
    default: break;
    }
    int r = below(12);
    return T_sym(r < 5    ? world.real
                 : r < 6  ? S_Y
                 : r < 8  ? world.positive
                 : r < 10 ? world.integer
                          : world.natural);
}

tree *some_condition(void) {
    expr_op op = (expr_op)(EXPR_EQ + below(6));
    want w = one_in(2) ? WANT_INTEGER : WANT_REAL;
    return T2(op, some_leaf(w), one_in(2) ? some_number(w) : some_leaf(w));
}

static tree *some_sum(int depth, want w) {
    int index = one_in(6) ? S_R : one_in(2) ? S_I : S_J;
    tree *lo = INT(between(0, 2)), *hi = one_in(3)   ? INT(between(0, 4))
                                         : one_in(2) ? T_sym(world.natural)
                                                     : T_sym(world.integer);
    if (one_in(12)) lo = INT(between(-3, 0));
    tree *body = some_term(depth - 1, w);
    if (!has_sym(body, index))
        body = one_in(3) ? MUL(body, T_at(S_A, T_sym(index))) : MUL(body, T_sym(index));
    return T_sum(index, lo, hi, body);
}

static tree *some_integer(int depth) {
    switch (below(7)) {
    case 0: return T1(EXPR_FLOOR, some_term(depth - 1, WANT_REAL));
    case 1: return T1(EXPR_SIGN, some_term(depth - 1, WANT_REAL));
    case 2: return T1(EXPR_ABS, some_term(depth - 1, WANT_INTEGER));
    case 3: return MUL(some_term(depth - 1, WANT_INTEGER), some_term(depth - 1, WANT_INTEGER));
    default:
        return T2(one_in(2) ? EXPR_ADD : EXPR_SUB, some_term(depth - 1, WANT_INTEGER),
                  some_term(depth - 1, WANT_INTEGER));
    }
}

static tree *some_positive(int depth) {
    switch (below(7)) {
    case 0: return T1(EXPR_EXP, some_term(depth - 1, WANT_REAL));
    case 1: return ADD(POW(some_term(depth - 1, WANT_REAL), INT(2)), some_leaf(WANT_POSITIVE));
    case 2: return POW(some_term(depth - 1, WANT_POSITIVE), some_leaf(one_in(2) ? WANT_REAL : WANT_INTEGER));
    case 3: return DIV(some_term(depth - 1, WANT_POSITIVE), some_term(depth - 1, WANT_POSITIVE));
    case 4: return T1(EXPR_SQRT, some_term(depth - 1, WANT_POSITIVE));
    default:
        return T2(one_in(2) ? EXPR_ADD : EXPR_MUL, some_term(depth - 1, WANT_POSITIVE),
                  some_term(depth - 1, WANT_POSITIVE));
    }
}

static tree *some_power(int depth, want w) {
    switch (below(6)) {
    case 0: return POW(some_term(depth - 1, WANT_POSITIVE), some_term(depth - 1, w));
    case 1: return POW(some_term(depth - 1, w), T_rat(between(-3, 3), between(1, 4)));
    case 2:
        return POW(INT(one_in(2) ? -1 : between(2, 5)),
                   some_term(depth - 1, one_in(2) ? WANT_INTEGER : WANT_REAL));
    default: return POW(some_term(depth - 1, w), INT(one_in(4) ? between(-2, -1) : between(2, 3)));
    }
}

static tree *some_function(int depth, want w) {
    static const expr_op common[] = {EXPR_SIN,  EXPR_COS,   EXPR_SIN,  EXPR_COS, EXPR_EXP,
                                     EXPR_ABS,  EXPR_LOG,   EXPR_SQRT, EXPR_TAN, EXPR_SINH,
                                     EXPR_COSH, EXPR_TANH,  EXPR_ATAN, EXPR_CI,  EXPR_SI,
                                     EXPR_SIGN, EXPR_FLOOR, EXPR_CONJ, EXPR_RE,  EXPR_IM};
    expr_op op = common[one_in(2) ? below(8) : below(20)];
    bool real = op == EXPR_CI || op == EXPR_SI || op == EXPR_SIGN || op == EXPR_FLOOR;
    bool positive = (op == EXPR_CI || op == EXPR_LOG || op == EXPR_SQRT) && (w == WANT_REAL || !one_in(4));
    return T1(op, some_term(depth - 1, positive ? WANT_POSITIVE : real ? WANT_REAL : w));
}

tree *some_term(int depth, want w) {
    if (depth <= 0 || one_in(6)) return some_leaf(w);
    if (w == WANT_INTEGER) return some_integer(depth);
    if (w == WANT_POSITIVE) return some_positive(depth);
    switch (below(20)) {
    case 0: return T_piece(some_condition(), some_term(depth - 1, w), some_term(depth - 1, w));
    case 1: return some_sum(depth, w);
    case 2:
        return T2(one_in(2) ? EXPR_MIN : EXPR_MAX, some_term(depth - 1, WANT_REAL),
                  some_term(depth - 1, WANT_REAL));
    case 3: return DIV(some_term(depth - 1, w), some_term(depth - 1, one_in(2) ? WANT_POSITIVE : w));
    case 4: return some_power(depth, w);
    case 5: return some_power(depth, w);
    case 6:
    case 7:
    case 8:
    case 9: return some_function(depth, w);
    case 10:
    case 11:
    case 12: return MUL(some_term(depth - 1, w), some_term(depth - 1, w));
    case 13: return NEG(some_term(depth - 1, w));
    default: return T2(one_in(2) ? EXPR_ADD : EXPR_SUB, some_term(depth - 1, w), some_term(depth - 1, w));
    }
}
