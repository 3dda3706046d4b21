/* coq_order.c: inequalities: what is known of the size of the functions in them, then Coq's arithmetic; with quotients once more, each side
 * times the positive denominators. */
#include "verify/coq_internal.h"

static const struct {
    expr_op op;
    const char *fact; /* of its argument; "" for one that `order` knows itself */
} known[] = {
    {EXPR_EXP, "exp_pos"}, {EXPR_ABS, "Rabs_pos"}, {EXPR_SQRT, "sqrt_pos"}, {EXPR_FLOOR, "base_Int_part"},
    {EXPR_POW, ""},        {EXPR_SIN, ""},         {EXPR_COS, ""},
};

static const char *fact_of(expr_op op) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].op == op) return known[i].fact;
    return NULL;
}

/* Innermost first, each once. */
static void put_facts(coq_writer *c, expr_set *told, expr_node *e) {
    for (uint32_t i = 0; i < e->nargs && !c->b.st; i++) put_facts(c, told, e->arg[i]);
    if (c->b.st || e->op < EXPR_MIN || expr_is_statement(e)) return;
    const char *fact = fact_of(e->op);
    if (!fact) ver_coq_refuse(c, "no certificate for an order of %s", expr_ops[e->op].name);
    else if (ver_coq_is_complex(e->arg[0]))
        ver_coq_refuse(c, "no certificate for an order of %s of a complex number", expr_ops[e->op].name);
    for (int i = 0; i < told->n; i++)
        if (expr_same(told->item[i], e)) return;
    if (c->b.st || !*fact || (c->b.st = expr_set_append(told, e, c->b.err))) return;
    COQ_PUT(c, "  pose proof (%s ", fact);
    ver_coq_real(c, e->arg[0]);
    COQ_PUT(c, ") as F'%d.\n", told->n);
    if (e->op == EXPR_FLOOR) { /* floor u <= u and floor u - u > -1 */
        COQ_PUT(c, "  change (IZR (Int_part ");
        ver_coq_real(c, e->arg[0]);
        COQ_PUT(c, ")) with ");
        ver_coq_real(c, e);
        COQ_PUT(c, " in F'%d; destruct F'%d.\n", told->n, told->n);
    }
}

/* ---- quotients ----------------------------------------------------------------------------------------- */

typedef struct {
    expr_node *n, *d; /* d NULL: 1 */
} quotient;

static expr_node *times(expr_builder *b, expr_node *x, expr_node *d) { return d ? expr_b_mul(b, x, d) : x; }

static quotient as_quotient(expr_builder *b, expr_node *e) {
    if (e->op == EXPR_NEG) {
        quotient u = as_quotient(b, e->arg[0]);
        return (quotient){expr_b_neg(b, u.n), u.d};
    }
    if (e->op != EXPR_ADD && e->op != EXPR_SUB && e->op != EXPR_MUL && e->op != EXPR_DIV)
        return (quotient){e, NULL};
    quotient u = as_quotient(b, e->arg[0]), v = as_quotient(b, e->arg[1]);
    if (b->st) return u;
    if (e->op == EXPR_DIV)
        return v.n->op == EXPR_RAT && !v.d && v.n->num ? (quotient){expr_b_div(b, u.n, v.n), u.d}
                                                       : (quotient){times(b, u.n, v.d), times(b, v.n, u.d)};
    expr_node *both = u.d ? times(b, u.d, v.d) : v.d;
    if (e->op == EXPR_MUL) return (quotient){expr_b_mul(b, u.n, v.n), both};
    expr_node *(*join)(expr_builder *, expr_node *, expr_node *) =
        e->op == EXPR_ADD ? expr_b_add : expr_b_sub;
    if (u.d && v.d && expr_same(u.d, v.d)) return (quotient){join(b, u.n, v.n), u.d};
    return (quotient){join(b, times(b, u.n, v.d), times(b, v.n, u.d)), both};
}

/* "replace (side * d) with n by (field; nonzero)" */
static void put_product(coq_writer *c, const expr_node *side, const expr_node *d, const expr_node *n) {
    COQ_PUT(c, "    replace (");
    ver_coq_real(c, side);
    COQ_PUT(c, " * ");
    ver_coq_real(c, d);
    COQ_PUT(c, ") with ");
    ver_coq_real(c, n);
    COQ_PUT(c, " by (field; nonzero)");
}

/* Both sides times the product of their denominators, which `positive` shows to be positive. */
static bool put_without_quotients(coq_writer *c, const expr_node *s) {
    expr_builder *b = &c->b;
    bool strict = s->op == EXPR_LT || s->op == EXPR_GT;
    quotient l = as_quotient(b, s->arg[0]), r = as_quotient(b, s->arg[1]);
    expr_node *d = l.d ? times(b, l.d, r.d) : r.d;
    if (b->st || !d) return false;
    expr_node *x = times(b, l.n, r.d), *y = times(b, r.n, l.d);
    if (b->st) return false;
    COQ_PUT(c, "  first [ order |\n    %s (Rmult_%s_reg_r ",
            s->op == EXPR_GT   ? "apply Rlt_gt; apply"
            : s->op == EXPR_GE ? "apply Rle_ge; apply"
                               : "apply",
            strict ? "lt" : "le");
    ver_coq_real(c, d);
    COQ_PUT(c, "); [ positive | ];\n");
    put_product(c, s->arg[0], d, x);
    COQ_PUT(c, ";\n");
    put_product(c, s->arg[1], d, y);
    COQ_PUT(c, ";\n    order ].\n");
    return true;
}

static bool has(const expr_node *e, expr_op op) {
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has(e->arg[i], op)) return true;
    return e->op == op;
}

/* Of what is not 0 only exponentials, powers and polynomials are seen: no sine is, since Coq's library does not say that pi is irrational. */
static void refuse_unequal(coq_writer *c, const expr_node *s) {
    static const expr_op op[] = {EXPR_SIN, EXPR_COS, EXPR_ABS, EXPR_SQRT, EXPR_FLOOR};
    for (size_t i = 0; i < sizeof op / sizeof *op; i++)
        if (has(s, op[i])) ver_coq_refuse(c, "no certificate for what %s is not", expr_ops[op[i]].name);
}

/* An order that rests on an equation: Coq's arithmetic does not put one into the other. */
static void refuse_equations(coq_writer *c) {
    for (int i = 0; c->conditions && i < c->conditions->n; i++)
        if (c->conditions->item[i]->op == EXPR_EQ)
            ver_coq_refuse(c, "no certificate for an order under an equation");
}

void ver_coq_prove_order(coq_writer *c, expr_node *s) {
    expr_set told = {0};
    refuse_equations(c);
    put_facts(c, &told, s->arg[0]);
    put_facts(c, &told, s->arg[1]);
    if (s->op == EXPR_NE) refuse_unequal(c, s);
    if (!c->b.st && (s->op == EXPR_NE || !put_without_quotients(c, s))) COQ_PUT(c, "  order.\n");
    expr_set_clear(&told);
}
