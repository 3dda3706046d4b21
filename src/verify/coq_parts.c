/* coq_parts.c: has an equation a certificate? Coq's `field` knows of floors, signs, inverse tangents, Ci, Si, roots and absolute values that equal
 * arguments give equal values, and that sqrt(u)^2 = u and |u|^2 = u^2. What needs more (residue by residue, case by case, an inverse function, logarithms of
 * both sides, an induction) is refused: the equation with such parts as arbitrary numbers must be 0 by one normal form. */
#include <stdio.h>

#include "verify/coq_internal.h"
#include "verify/normal.h"

#define MAX_PARTS 40

typedef struct {
    coq_writer *c;
    expr_node *of[MAX_PARTS], *name[MAX_PARTS];
    int n;
} parts;

bool ver_coq_is_zero(coq_writer *c, expr_node *e) {
    normal_form f;
    ph_err why = {0};
    if (c->b.st || !e) return false;
    if (!c->proved) return true;
    ph_status st = ver_normal_decide(&f, e, &why);
    if (ph_is_fatal(st)) c->b.st = ph_fail(c->b.err, st, "%s", why.text);
    bool zero = !st && f.answer == NORMAL_ZERO;
    ver_normal_clear(&f);
    return zero;
}

static bool is_part(const coq_writer *c, const expr_node *e) {
    switch (e->op) {
    case EXPR_FLOOR:
    case EXPR_SIGN:
    case EXPR_ATAN:
    case EXPR_CI:
    case EXPR_SI:
    case EXPR_ABS: return true;
    case EXPR_SQRT: return !ver_coq_is_complex(e) && !ver_coq_known_sign(c, e->arg[0], true);
    default: return false;
    }
}

static expr_node *name_of(parts *p, expr_node *e) {
    coq_writer *c = p->c;
    char name[16];
    expr_node *s;
    for (int i = 0; i < p->n; i++)
        if (p->of[i]->op == e->op && ver_normal_equal(&c->b, p->of[i]->arg[0], e->arg[0])) return p->name[i];
    if (p->n == MAX_PARTS) ver_coq_refuse(c, "more than %d parts", MAX_PARTS);
    snprintf(name, sizeof name, "'c%d", p->n);
    if (c->b.st || (c->b.st = expr_sym(&s, name, EXPR_REAL, c->b.err))) return NULL;
    p->of[p->n] = e;
    return p->name[p->n++] = expr_b_keep(&c->b, s);
}

static expr_node *with_names(expr_builder *b, expr_node *e, void *ctx) {
    parts *p = ctx;
    if (!e || b->st) return NULL;
    const expr_node *u = e->nargs ? e->arg[0] : NULL, *v = e->nargs > 1 ? e->arg[1] : NULL;
    bool square = e->op == EXPR_POW && v->op == EXPR_RAT && v->den == 1 && v->num % 2 == 0;
    if (square && is_part(p->c, u) && (u->op == EXPR_ABS || u->op == EXPR_SQRT)) {
        expr_node *x = with_names(b, u->arg[0], ctx);
        if (u->op == EXPR_ABS && x)
            x = expr_b_mul(b, x, ver_coq_is_complex(x) ? expr_b_1(b, EXPR_CONJ, x) : x);
        return expr_b_pow(b, x, expr_b_rat(b, v->num / 2, 1));
    }
    e = expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, with_names, ctx);
    return e && is_part(p->c, e) ? name_of(p, e) : e;
}

bool ver_coq_has_certificate(coq_writer *c, expr_node *e) {
    parts p = {.c = c};
    expr_node *named = with_names(&c->b, e, &p);
    return ver_coq_is_zero(c, named);
}
