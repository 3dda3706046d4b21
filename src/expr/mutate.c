/* mutate.c: systematic small changes of a formula. A check that survives them all checks nothing. */
#include <stdio.h>
#include <string.h>

#include "expr/build.h"

/* The path from the root to the place that is changed. */
typedef struct place {
    exp_node *node;
    uint32_t which; /* the argument of node on the way down */
    const struct place *up;
} place;

typedef struct {
    exp_node *root;
    exp_set symbols;
    exp_on_mutant *on;
    void *ctx;
    ph_err *err;
} mutation;

/* The root with `node` at the place `p` put in. */
static exp_node *rebuild(exp_builder *b, const place *p, exp_node *node) {
    for (; p && node; p = p->up) {
        exp_node **arg = ph_alloc(p->node->nargs * sizeof *arg);
        if (!arg) {
            b->st = ph_fail_nomem(b->err, p->node->nargs * sizeof *arg);
            return NULL;
        }
        memcpy(arg, p->node->arg, p->node->nargs * sizeof *arg);
        arg[p->which] = node;
        node = exp_b_op(b, p->node->op, (int)p->node->nargs, arg);
        ph_free(arg);
    }
    return node;
}

/* Hands the mutant on, unless it is the same formula or undefined as written. */
static ph_status offer(mutation *m, exp_builder *b, const place *p, const exp_node *was, exp_node *now,
                       const char *how) {
    char what[160], *at = NULL;
    exp_node *mutant = NULL;
    ph_status st = exp_b_end(b, &mutant, rebuild(b, p, now));
    if (st == PH_EDOMAIN || st == PH_EARG) return PH_OK;
    if (st) return ph_fail(m->err, st, "%s", b->err->text);
    if (!exp_same(mutant, m->root) && !(st = exp_text(&at, was, 60, m->err))) {
        snprintf(what, sizeof what, "%s at %s", how, at);
        st = m->on(m->ctx, mutant, what, m->err);
    }
    ph_free(at);
    exp_drop(mutant);
    return st;
}

#define OFFER(expression, how)                                                                               \
    do {                                                                                                     \
        ph_err unheard; /* unless it is about memory */                                                      \
        exp_builder b = EXP_BUILDER(&unheard);                                                               \
        PH_TRY(offer(m, &b, p, e, expression, how));                                                         \
    } while (0)

static ph_status mutate_constant(mutation *m, const place *p, exp_node *e) {
    ph_status st = PH_OK;
    OFFER(exp_b_2(&b, EXP_ADD, e, exp_b_rat(&b, 1, 1)), "+1");
    OFFER(exp_b_2(&b, EXP_SUB, e, exp_b_rat(&b, 1, 1)), "-1");
    OFFER(exp_b_2(&b, EXP_MUL, e, exp_b_rat(&b, 2, 1)), "doubled");
    OFFER(exp_b_2(&b, EXP_DIV, e, exp_b_rat(&b, 2, 1)), "halved");
done:
    return st;
}

static ph_status mutate_symbol(mutation *m, const place *p, exp_node *e) {
    ph_status st = PH_OK;
    for (int i = 0; i < m->symbols.n; i++) {
        exp_node *other = m->symbols.item[i];
        char how[80];
        if (exp_same(other, e) || other->op != e->op || (e->op == EXP_SYM && other->kind != e->kind))
            continue;
        snprintf(how, sizeof how, "%.60s instead", other->op == EXP_SYM ? other->name : other->arg[0]->name);
        OFFER(other, how);
    }
done:
    return st;
}

static ph_status mutate_function(mutation *m, const place *p, exp_node *e) {
    static const struct {
        exp_op from, to;
        const char *how;
    } swap[] = {{EXP_SIN, EXP_COS, "sin -> cos"}, {EXP_COS, EXP_SIN, "cos -> sin"}};
    ph_status st = PH_OK;
    exp_node *u = e->arg[0];
    for (size_t i = 0; i < sizeof swap / sizeof *swap; i++)
        if (e->op == swap[i].from) OFFER(exp_b_1(&b, swap[i].to, u), swap[i].how);
    OFFER(exp_b_1(&b, e->op, exp_b_1(&b, EXP_NEG, u)), "argument negated");
    OFFER(exp_b_1(&b, e->op, exp_b_2(&b, EXP_MUL, exp_b_rat(&b, 2, 1), u)), "argument doubled");
done:
    return st;
}

static ph_status mutate_operator(mutation *m, const place *p, exp_node *e) {
    static const struct {
        exp_op from, to;
        const char *how;
    } swap[] = {{EXP_ADD, EXP_SUB, "+ -> -"}, {EXP_ADD, EXP_MUL, "+ -> *"}, {EXP_SUB, EXP_ADD, "- -> +"},
                {EXP_MUL, EXP_ADD, "* -> +"}, {EXP_MUL, EXP_DIV, "* -> /"}, {EXP_DIV, EXP_MUL, "/ -> *"}};
    ph_status st = PH_OK;
    exp_node *u = e->arg[0], *v = e->arg[1];
    for (size_t i = 0; i < sizeof swap / sizeof *swap; i++)
        if (e->op == swap[i].from) OFFER(exp_b_2(&b, swap[i].to, u, v), swap[i].how);
    if (e->op != EXP_POW) {
        OFFER(u, "right operand dropped");
        OFFER(v, "left operand dropped");
    } else if (v->op != EXP_RAT) { /* a constant exponent is changed as a constant */
        OFFER(exp_b_2(&b, EXP_POW, u, exp_b_2(&b, EXP_ADD, v, exp_b_rat(&b, 1, 1))), "exponent + 1");
        OFFER(exp_b_2(&b, EXP_POW, u, exp_b_2(&b, EXP_SUB, v, exp_b_rat(&b, 1, 1))), "exponent - 1");
    }
done:
    return st;
}

static ph_status mutate_index(mutation *m, const place *p, exp_node *e) {
    ph_status st = PH_OK;
    if (e->arg[1]->op == EXP_RAT) return PH_OK; /* changed as a constant */
    OFFER(exp_b_2(&b, EXP_AT, e->arg[0], exp_b_2(&b, EXP_ADD, e->arg[1], exp_b_rat(&b, 1, 1))), "index + 1");
    OFFER(exp_b_2(&b, EXP_AT, e->arg[0], exp_b_2(&b, EXP_SUB, e->arg[1], exp_b_rat(&b, 1, 1))), "index - 1");
done:
    return st;
}

static ph_status mutate_sum(mutation *m, const place *p, exp_node *e) {
    ph_status st = PH_OK;
    for (int i = 1; i <= 2; i++) {
        if (e->arg[i]->op == EXP_RAT) continue; /* changed as a constant */
        exp_node *arg[4];
        memcpy(arg, e->arg, sizeof arg);
        for (int sign = -1; sign <= 1; sign += 2) {
            ph_err unheard;
            exp_builder b = EXP_BUILDER(&unheard);
            arg[i] = exp_b_2(&b, EXP_ADD, e->arg[i], exp_b_rat(&b, sign, 1));
            PH_TRY(offer(m, &b, p, e, exp_b_op(&b, EXP_SUM, 4, arg), sign < 0 ? "bound - 1" : "bound + 1"));
        }
    }
done:
    return st;
}

static ph_status walk(mutation *m, const place *p, exp_node *e) {
    ph_status st = PH_OK;
    if (ph_interrupted()) return ph_fail_interrupted(m->err);
    if (e->op == EXP_RAT) PH_TRY(mutate_constant(m, p, e));
    if (e->op == EXP_SYM || e->op == EXP_AT) PH_TRY(mutate_symbol(m, p, e));
    if (e->op == EXP_AT) PH_TRY(mutate_index(m, p, e));
    if (e->op == EXP_SUM) PH_TRY(mutate_sum(m, p, e));
    if (e->op == EXP_NEG) OFFER(e->arg[0], "sign dropped");
    if (e->op >= EXP_ADD && e->op <= EXP_POW) PH_TRY(mutate_operator(m, p, e));
    if (e->op >= EXP_SIN && e->op <= EXP_IM) PH_TRY(mutate_function(m, p, e));
    for (uint32_t i = e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0; i < e->nargs; i++)
        PH_TRY(walk(m, &(place){e, i, p}, e->arg[i]));
done:
    return st;
}

ph_status exp_mutants(exp_node *e, exp_on_mutant *on, void *ctx, ph_err *err) {
    mutation m = {.root = e, .on = on, .ctx = ctx, .err = err};
    ph_status st = exp_symbols(&m.symbols, e, err);
    if (!st) st = walk(&m, NULL, e);
    exp_set_clear(&m.symbols);
    return st;
}
