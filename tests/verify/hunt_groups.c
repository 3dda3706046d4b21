/* hunt_groups.c: questions to prove, and the table of all questions. */
#include "hunt.h"
#include "hunt_groups.h"

#include <stdlib.h>

void ask_with(text *t, const char *call, const hunt_case *c, int where_from) {
    put(t, "%s(", call);
    put_tree(t, c->part[0]);
    if (c->n > where_from) put(t, ", {where = {");
    for (int i = where_from; i < c->n; i++) {
        if (i > where_from) put(t, ", ");
        put_tree(t, c->part[i]);
    }
    put(t, c->n > where_from ? "}})" : ")");
}

void ask_prove(text *t, const hunt_case *c) { ask_with(t, "prove", c, 1); }
static void ask_counterexample(text *t, const hunt_case *c) { ask_with(t, "counterexample", c, 1); }

outcome judge_statement(text *why, const hunt_case *c, lua_State *L) {
    return judge_verdict(why, L, 1, c->part[0], c->part + 1, c->n - 1);
}

static void make_equal(hunt_case *c) {
    tree *t = some_term(between(1, 4), one_in(3) ? WANT_ANY : WANT_REAL);
    c->part[0] = T2(EXPR_EQ, t, rewritten(t, (int)between(1, 5)));
    c->n = 1;
}

static void make_spoiled(hunt_case *c) {
    make_equal(c);
    int side = below(2);
    c->part[0]->arg[side] = spoiled(c->part[0]->arg[side]);
}

static void make_sum(hunt_case *c) {
    c->part[0] = some_sum_identity();
    c->n = 1;
}

static void make_order(hunt_case *c) {
    c->part[0] = some_inequality();
    c->n = 1;
}

static void add_where(hunt_case *c) {
    for (int k = below(3); k >= 0 && c->n < MAX_PARTS; k--) {
        tree *x = some_leaf(one_in(3) ? WANT_INTEGER : WANT_REAL),
             *bound = one_in(4) ? some_leaf(WANT_REAL) : INT(between(-6, 10));
        if (one_in(5)) x = some_term(1, WANT_REAL);
        c->part[c->n++] = T2(one_in(8) ? EXPR_EQ : (expr_op)(EXPR_NE + below(5)), x, bound);
    }
}

static void make_order_where(hunt_case *c) {
    make_order(c);
    add_where(c);
}

static void make_equal_where(hunt_case *c) {
    if (one_in(2)) make_spoiled(c);
    else make_equal(c);
    add_where(c);
}

static void make_counterexample(hunt_case *c) {
    if (one_in(2)) make_spoiled(c);
    else make_order(c);
    if (one_in(3)) add_where(c);
}

const group groups[] = {
    {"equal", 9, make_equal, ask_prove, judge_statement},
    {"not equal", 8, make_spoiled, ask_prove, judge_statement},
    {"branches", 5, make_branch, ask_prove, judge_statement},
    {"mutants", 5, make_mutant, ask_prove, judge_statement},
    {"intervals", 3, make_interval, ask_prove, judge_statement},
    {"sums", 6, make_sum, ask_prove, judge_statement},
    {"order", 3, make_order, ask_prove, judge_statement},
    {"order, where", 2, make_order_where, ask_prove, judge_statement},
    {"equal, where", 2, make_equal_where, ask_prove, judge_statement},
    {"conditions", 4, make_conditions, ask_prove, judge_conditions},
    {"encodings", 2, make_encoding, ask_encoding, judge_encoding},
    {"counterexample", 1, make_counterexample, ask_counterexample, judge_statement},
    {"derivative", 3, make_derivative, ask_derivative, judge_derivative},
    {"subst", 2, make_subst, ask_subst, judge_subst},
    {"expand_sums", 1, make_expand, ask_expand, judge_same_value},
    {"evaluate", 4, make_evaluate, ask_evaluate, judge_evaluate},
    {"evaluate, arrays", 1, make_evaluate, ask_evaluate_array, judge_evaluate},
    {"certify", 3, make_certify, ask_certify, judge_certify},
    {"bounds", 1, make_bounds, ask_bounds, judge_bounds},
    {"enclose", 1, make_evaluate, ask_enclose, judge_enclose},
    {"monotone", 1, make_monotone, ask_monotone, judge_monotone},
    {"roots", 1, make_roots, ask_roots, judge_roots},
    {"integral", 1, make_integral, ask_integral, judge_integral},
    {"parameters", 1, make_parameter, ask_parameter, judge_parameter},
    {"bounds of sums", 1, make_bound, ask_bound, judge_bound},
    {"products", 1, make_product, ask_bound, judge_bound},
    {"floors", 1, make_floor, ask_prove, judge_statement},
    {"touching", 1, make_touch, ask_prove, judge_statement},
    {"symmetric", 2, make_symmetric, ask_symmetric, judge_symmetric},
    {"moments", 2, make_moment, ask_moment, judge_moment},
    {"induct", 2, make_induct, ask_induct, judge_induct},
    {"matrices", 1, make_matrix, ask_matrix, judge_matrix},
    {"tables", 1, make_table, ask_table, judge_table},
    {"floats", 1, make_float, ask_float, judge_float},
    {"atlas", 1, make_atlas, ask_atlas, judge_atlas},
};
const int ngroups = (int)(sizeof groups / sizeof *groups);
