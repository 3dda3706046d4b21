/* order.c: statements of order: a witness, or an argument from settle.h. */
#include "verify/order.h"

#include "expr/build.h"
#include "verify/ball.h"
#include "verify/cells.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/normal_internal.h"
#include "verify/settle.h"
#include "verify/trust.h"

#define POINTS  200
#define SPECIAL 60   /* points where many things coincide */
#define GOALS   200  /* within one statement */
#define BOTH    0.02 /* of the meter, for an equation that its normal form leaves open */

/* A symbol that the equation l = r fixes, as a formula of the others: put in everywhere. What it was assumed to be stays as a
 * fact. */
static ph_status use_equation(bool *used, ver_goal *g, expr_node **u, const expr_node *s) {
    expr_node *e = expr_b_sub(g->b, s->arg[0], s->arg[1]), *c, *r;
    expr_set set;
    *used = false;
    if (!e) return g->b->st;
    ph_status st = expr_symbols(&set, e, g->b->err);
    for (int i = 0; i < set.n && !st && !*used; i++) {
        expr_node *x = expr_b_keep(g->b, expr_ref(set.item[i]));
        if (!x || x->op != EXPR_SYM || x->kind == EXPR_COMPLEX) continue;
        if (!ver_linear_in(g->b, e, x, &c, &r) || c->num == 0) continue;
        expr_node *v = expr_b_linear(g->b, expr_b_neg(g->b, expr_b_div(g->b, r, c)));
        if (!v || (st = ver_goal_subst(g, u, x, v))) break;
        if (x->kind == EXPR_POSITIVE) ver_goal_add(g, v, true);
        if (x->kind == EXPR_NATURAL) ver_goal_add(g, expr_b_sub(g->b, v, expr_b_rat(g->b, 1, 1)), false);
        *used = true;
    }
    expr_set_clear(&set);
    return st ? st : g->b->st;
}

/* What is assumed, as facts; equations first. */
static ph_status begin_goal(ver_goal *g, expr_node **u, expr_builder *b, ver_effort *left,
                            const ver_assume *a) {
    ver_goal equations = {.b = b, .left = left};
    expr_node *goal = *u, *one = expr_b_rat(b, 1, 1);
    *g = equations;
    for (int i = 0; a && i < a->nwhere; i++)
        if (!ver_goal_assume(g, a->where[i])) break;
    for (int i = 0; a && i < a->nwhere && !b->st; i++) {
        bool used;
        if (a->where[i]->op != EXPR_EQ) continue;
        expr_node *l = expr_b_mul(b, one, a->where[i]->arg[0]);
        expr_node *s = expr_b_2(b, EXPR_EQ, l, a->where[i]->arg[1]);
        ph_status st = s ? use_equation(&used, g, &goal, s) : b->st;
        if (st) return st;
    }
    *u = goal;
    return b->st;
}

/* Facts that contradict each other would prove anything. */
static ph_status contradictory(bool *out, const ver_goal *g) {
    const char *method;
    ver_sign s = VER_SIGN_OPEN;
    expr_node *minus = expr_b_rat(g->b, -1, 1);
    ph_status st = !minus      ? g->b->st
                   : g->nfacts ? ver_by_reading(&s, &method, g, minus, false, false)
                               : PH_OK;
    *out = s != VER_SIGN_OPEN;
    return st;
}

ph_status ver_order_contradictory(bool *out, const ver_assume *a, const expr_set *conditions, ph_err *err) {
    ph_err why = {0};
    expr_builder b = EXPR_BUILDER(&why);
    ver_effort left = {GOALS, CELL_WORK};
    expr_node *u = expr_b_rat(&b, -1, 1);
    ver_goal g;
    *out = false;
    ph_status st = u ? begin_goal(&g, &u, &b, &left, a) : b.st;
    for (int i = 0; i < conditions->n && !st; i++)
        if (!ver_goal_assume(&g, conditions->item[i])) break;
    if (!st) st = contradictory(out, &g);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (!st) st = end;
    return ph_is_fatal(st) ? ph_fail(err, st, "%s", why.text) : PH_OK;
}

typedef struct {
    ver_sign sign;
    const char *method;
    bool vacuous;
} finding;

/* The sign of a constant, when balls see it. */
static ph_status constant_sign(finding *f, const expr_node *u, ph_err *err) {
    expr_set atoms = {0};
    ph_err why = {0};
    acb_t x;
    ph_status st = expr_symbols(&atoms, u, err);
    acb_init(x);
    for (slong prec = 64; prec <= 1024 && atoms.n == 0 && !st && f->sign == VER_SIGN_OPEN; prec *= 4) {
        ph_status seen = ver_ball(x, u, ver_point_atom, &(uint64_t){0}, prec, &why);
        if (ph_is_fatal(seen)) st = ph_fail(err, seen, "%s", why.text);
        if (!seen && acb_is_real(x) && arb_is_positive(acb_realref(x)))
            *f = (finding){VER_SIGN_POSITIVE, "a ball around a constant", false};
    }
    acb_clear(x);
    expr_set_clear(&atoms);
    return st;
}

/* l != r: l > r or l < r. */
static ph_status either_side(finding *f, const ver_goal *g, expr_node *u, const ver_assume *a, bool strict) {
    const expr_node *s = NULL;
    ver_sign side[2] = {VER_SIGN_OPEN, VER_SIGN_OPEN};
    ph_status st = PH_OK;
    for (int i = 0; a && i < a->nwhere && !s; i++)
        if (a->where[i]->op == EXPR_NE && expr_is_real(a->where[i]->arg[0]) &&
            expr_is_real(a->where[i]->arg[1]))
            s = a->where[i];
    for (int k = 0;
         k < 2 && s && !st && (!k || side[0] >= (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE)); k++) {
        ver_goal h = *g;
        expr_node *order = expr_b_2(g->b, k ? EXPR_LT : EXPR_GT, s->arg[0], s->arg[1]);
        if (order && ver_goal_assume(&h, order)) st = ver_settle_within(&side[k], &h, u, strict);
    }
    ver_sign least = side[0] < side[1] ? side[0] : side[1];
    if (least > f->sign) f->sign = least, f->method = "what is not equal is greater or less";
    return st ? st : g->b->st;
}

static ph_status judge(finding *f, expr_builder *b, expr_node *u, const ver_assume *a, bool strict) {
    ver_effort left = {GOALS, CELL_WORK};
    ver_goal g;
    expr_node *written;
    ph_status st = u ? expr_expand_sums(&written, u, b->err) : b->st;
    if (st) return st;
    if (!(u = expr_b_keep(b, written))) return b->st;
    st = begin_goal(&g, &u, b, &left, a);
    if (!st) st = contradictory(&f->vacuous, &g);
    if (!st && !f->vacuous) st = constant_sign(f, u, b->err);
    if (!st && !f->vacuous && f->sign == VER_SIGN_OPEN) st = ver_goal_know(&g, u);
    if (!st && !f->vacuous && f->sign == VER_SIGN_OPEN) st = ver_settle(&f->sign, &f->method, &g, u, strict);
    if (!st && !f->vacuous && f->sign < (strict ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE))
        st = either_side(f, &g, u, a, strict);
    return st;
}

ph_status ver_prove_order_of(ver_verdict *out, const ver_claim *c, const ver_asked *q, ph_err *err) {
    expr_node *s = q->s;
    const ver_assume *a = q->a;
    bool found, strict = s->op == EXPR_LT || s->op == EXPR_GT || s->op == EXPR_NE;
    ph_status st = ver_search(out, &found, q, VER_SPECIAL_POINTS, SPECIAL, 256, err);
    if (!st && !found) st = ver_search(out, &found, q, 0, POINTS, 256, err);
    if (st || found) return st;
    if (s->op == EXPR_NE) st = ver_trust_irrational(out, c, err);
    if (!st && s->op == EXPR_NE && out->strength == VER_UNKNOWN && !out->reason)
        st = ver_trust_turns(out, c, err);
    if (st || out->strength == VER_PROVED || out->reason) return st;
    ph_err why = {0};
    finding f = {.sign = VER_SIGN_OPEN};
    expr_builder b = EXPR_BUILDER(&why);
    bool less = s->op == EXPR_LT || s->op == EXPR_LE;
    st = judge(&f, &b, expr_b_sub(&b, s->arg[less], s->arg[!less]), a, strict);
    if (!st && s->op == EXPR_NE && f.sign != VER_SIGN_POSITIVE) /* u < 0 everywhere will do as well */
        st = judge(&f, &b, expr_b_sub(&b, s->arg[1], s->arg[0]), a, strict);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (ph_is_fatal(st) || ph_is_fatal(end)) return ph_fail(err, st ? st : end, "%s", why.text);
    if (f.sign == VER_SIGN_POSITIVE || (f.sign == VER_SIGN_NONNEGATIVE && !strict))
        return ver_trust_sign(out, c, f.sign, f.method, err);
    st = f.vacuous ? PH_OK : ver_search_met(out, &found, q, err);
    if (st || found) return st;
    return ver_say_unknown(out, VER_OUTSIDE_THEORY,
                           f.vacuous ? "the conditions contradict each other"
                                     : "no exact argument for this inequality; certify it on a box",
                           err);
}

/* A part by which an order shows more of an equation than its normal form does. */
static bool has_parts_in_cases(const expr_node *e) {
    bool here = e->op == EXPR_PIECE || e->op == EXPR_MIN || e->op == EXPR_MAX || e->op == EXPR_ABS ||
                e->op == EXPR_SIGN || e->op == EXPR_FLOOR;
    for (uint32_t i = 0; i < e->nargs && !here; i++) here = has_parts_in_cases(e->arg[i]);
    return here;
}

static ph_status both_orders(ver_verdict *out, const ver_claim *c, ph_err *err) {
    const expr_node *s = c->statement;
    bool known = c->assume && c->assume->nwhere;
    if (!expr_is_real(s->arg[0]) || !expr_is_real(s->arg[1]) || !(known || has_parts_in_cases(s)))
        return PH_OK;
    ph_err why = {0};
    finding f[2] = {{.sign = VER_SIGN_OPEN}, {.sign = VER_SIGN_OPEN}};
    expr_builder b = EXPR_BUILDER(&why);
    ph_status st = PH_OK;
    const double before = ver_meter_lower(BOTH);
    bool seen = true;
    for (int k = 0; k < 2 && !st && seen; k++) {
        expr_node *u = expr_b_sub(&b, s->arg[k], s->arg[!k]);
        st = judge(&f[k], &b, u ? ver_take_roots(&b, u) : NULL, c->assume, false);
        seen = f[k].sign == VER_SIGN_NONNEGATIVE; /* > 0: it holds nowhere */
    }
    ver_meter_restore(before);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (ph_is_fatal(st) || ph_is_fatal(end)) return ph_fail(err, st ? st : end, "%s", why.text);
    if (st || end || !seen) return PH_OK;
    return ver_trust_both_signs(out, c, (ver_sign[]){f[0].sign, f[1].sign},
                                (const char *[]){f[0].method, f[1].method}, err);
}

/* Only a verdict that decides takes the place of what the normal form said, which is what it lacks. */
ph_status ver_prove_both_orders(ver_verdict *out, const ver_claim *c, ph_err *err) {
    ver_verdict v;
    ver_init(&v);
    v.bare = out->bare;
    ph_status st = both_orders(&v, c, err);
    if (!st) ver_take_decided(out, &v);
    ver_clear(&v);
    return st;
}

ph_status ver_prove_order(ver_verdict *out, expr_node *s, const ver_assume *a, ph_err *err) {
    return ver_prove_order_of(out, &(ver_claim){s, a}, &(ver_asked){s, a, NULL}, err);
}
