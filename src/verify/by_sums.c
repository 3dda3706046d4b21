/* by_sums.c: a formula is 0 when it is with its sums written as differences of functions of their bounds (summation.h). */
#include "verify/given.h"
#include "verify/identity_ways.h"
#include "verify/summation.h"
#include "verify/trial.h"

/* e, free of sums, where equations with sums among the assumptions have put one of the values F[n] out: l − r = 0 has been carried along
 * as k·(l − r), so that both are said of the same F. Such a value is replaced where it stands as written. */
static expr_node *by_equations(const ver_question *q, expr_node *e, expr_node *k) {
    expr_builder *b = q->b;
    expr_node *alone = NULL, *with = NULL, *t, *equation = NULL, *out = NULL;
    expr_set atoms;
    ver_given g;
    if (expr_subst(&alone, e, k, expr_b_rat(b, 0, 1), NULL) ||
        expr_subst(&with, e, k, expr_b_rat(b, 1, 1), NULL))
        return NULL;
    alone = expr_b_keep(b, alone);
    equation = expr_b_2(b, EXPR_EQ, expr_b_sub(b, expr_b_keep(b, with), alone), expr_b_rat(b, 0, 1));
    if (!equation || (b->st = expr_sym(&t, "'v", EXPR_COMPLEX, b->err)) || !(t = expr_b_keep(b, t)) ||
        expr_symbols(&atoms, equation, NULL))
        return NULL;
    for (int i = 0; i < atoms.n && !out && !b->st; i++) {
        expr_node *x = atoms.item[i], *eq = NULL, *rest = NULL;
        if (x->op != EXPR_AT || x->arg[0]->name[0] != '\'') continue;
        if (expr_replace(&eq, equation, x, t, NULL) || !(eq = expr_b_keep(b, eq)) ||
            !ver_given_solve(&g, b, &(ver_assume){&eq, 1}, 0) || !expr_same(g.x[0], t) ||
            expr_replace(&rest, alone, x, t, NULL) || !(rest = expr_b_keep(b, rest)))
            continue;
        out = ver_given_put(&g, b, rest);
    }
    expr_set_clear(&atoms);
    return out;
}

/* e without sums, by the first of the equations with sums; NULL: there is none, or it does not serve. */
static expr_node *under_equation(const ver_question *q, expr_set *conditions) {
    expr_builder *b = q->b;
    expr_node *k = NULL, *e = NULL;
    for (int i = 0; q->where && i < q->where->nwhere && !e; i++) {
        expr_node *s = q->where->where[i];
        if (s->op != EXPR_EQ || !ver_has_op(s, EXPR_SUM)) continue;
        if (b->st || (b->st = expr_sym(&k, "'k", EXPR_COMPLEX, b->err)) || !(k = expr_b_keep(b, k)))
            return NULL;
        e = expr_b_add(b, q->e, expr_b_mul(b, k, expr_b_sub(b, s->arg[0], s->arg[1])));
    }
    e = e ? ver_without_sums(b, e, conditions) : NULL;
    return e && !ver_has_op(e, EXPR_SUM) ? by_equations(q, e, k) : NULL;
}

static bool by_sums(const ver_question *q, bool equations) {
    expr_set conditions = {0};
    sums_form f;
    expr_node *e = equations ? under_equation(q, &conditions) : ver_without_sums(q->b, q->e, &conditions);
    bool proved = e && !ver_has_op(e, EXPR_SUM) && ver_follows_zero(q, &f, e);
    if (proved) {
        for (int i = 0; i < f.form.conditions.n; i++)
            if (!ver_is_fresh(f.form.conditions.item[i])) ver_note_condition(q, f.form.conditions.item[i]);
        expr_set_clear(&f.form.conditions);
        ver_take_proof(q, &f);
        q->out->by_summand = true;
        for (int i = 0; i < conditions.n; i++) ver_note_condition(q, conditions.item[i]);
        /* a condition of the way must not hide where e is not 0 */
        proved = !conditions.n || !(ver_fails_somewhere(q->e, q->where, 40, 128) ||
                                    ver_fails_among_small_integers(q->e, q->where));
    }
    expr_set_clear(&conditions);
    return proved && !q->b->st;
}

bool ver_by_sums(const ver_question *q) {
    return ver_has_op(q->e, EXPR_SUM) && (by_sums(q, false) || by_sums(q, true));
}
