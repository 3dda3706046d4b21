/* hunt_encodings.c: what is proved of positional encodings. The laboratory's formula of a column is held against the hunt's own, written here
 * from the papers: sin and cos of t/base^(2i/d) (Vaswani et al. 2017), a pair of columns that is turned by m/base^(2i/d) (Su et al. 2021),
 * −2^(−8h/H)·|m − n| (Press et al. 2021); that is true, and false of one that is spoiled. */
#include "hunt.h"
#include "hunt_groups.h"

#include <inttypes.h>

enum { SINUSOIDAL, INTERLEAVED, HALVES, ALIBI, NENCODINGS };

/* number[0]: which encoding; number[1]: the pair or head, from 0; number[2]: how many of them; number[3]: the base; number[4]: the pair's
 * column. The position is y, the key's u, the columns are x and u. */
static tree *own_formula(const hunt_case *c) {
    tree *y = T_sym(S_Y), *u = T_sym(S_U), *x = T_sym(S_X);
    tree *angle = DIV(y, POW(INT(c->number[3]), T_rat(c->number[1], c->number[2])));
    tree *cos = T1(EXPR_COS, angle), *sin = T1(EXPR_SIN, angle);
    switch (c->number[0]) {
    case SINUSOIDAL: return c->number[4] ? cos : sin;
    case ALIBI:
        return NEG(DIV(T1(EXPR_ABS, SUB(y, u)), POW(INT(2), T_rat(8 * (c->number[1] + 1), c->number[2]))));
    default: return c->number[4] ? ADD(MUL(sin, x), MUL(cos, u)) : SUB(MUL(cos, x), MUL(sin, u));
    }
}

void make_encoding(hunt_case *c) {
    c->number[0] = below(NENCODINGS);
    c->number[2] = INT64_C(1) << between(0, 3);
    c->number[1] = between(0, c->number[2] - 1);
    c->number[3] = one_in(2) ? 10000 : between(2, 100);
    c->number[4] = below(2);
    tree *own = own_formula(c);
    c->part[0] = one_in(2) ? spoiled(own) : one_in(2) ? rewritten(own, (int)between(1, 3)) : own;
    c->n = 1;
}

/* The laboratory's, its symbols replaced by those of the hunt. */
static void put_formula(text *t, const hunt_case *c) {
    int64_t n = c->number[2], i = c->number[1], col = c->number[4];
    int64_t first = c->number[0] == HALVES ? i : 2 * i, second = c->number[0] == HALVES ? i + n : 2 * i + 1;
    switch (c->number[0]) {
    case SINUSOIDAL:
        put(t,
            "subst(formula_of(\"sinusoidal\", %" PRId64 ", 4, %" PRId64 ", {base = %" PRId64
            "}), sym \"t\", y)",
            2 * i + col + 1, 2 * n, c->number[3]);
        break;
    case ALIBI:
        put(t, "subst(subst(formula_of(\"alibi\", %" PRId64 ", %" PRId64 ", 4), sym \"m\", y), sym \"n\", u)",
            i + 1, n);
        break;
    default:
        put(t,
            "subst(subst(subst(formula_of(\"rope\", %" PRId64 ", zeros(1, %" PRId64
            "), {layout = \"%s\", base = %" PRId64 "}), "
            "sym \"m\", y), sym(\"x\")[%" PRId64 "], x), sym(\"x\")[%" PRId64 "], u)",
            (col ? second : first) + 1, 2 * n, c->number[0] == HALVES ? "half" : "interleaved", c->number[3],
            first, second);
    }
}

void ask_encoding(text *t, const hunt_case *c) {
    put(t, "prove(");
    put_formula(t, c);
    put(t, ", ");
    put_tree(t, c->part[0]);
    put(t, ")");
}

outcome judge_encoding(text *why, const hunt_case *c, lua_State *L) {
    return judge_verdict(why, L, 1, T2(EXPR_EQ, own_formula(c), c->part[0]), NULL, 0);
}
