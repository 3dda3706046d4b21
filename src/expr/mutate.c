/* mutate.c: systematic small changes of a formula. A check that survives them all checks nothing. */
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "expr/mutate.h"

/* The path from the root to the place that is changed. */
typedef struct place {
    expr_node *node;
    uint32_t which; /* the argument of node on the way down */
    const struct place *up;
} place;

typedef struct {
    expr_node *root;
    const expr_set *symbols; /* that may stand in for each other */
    expr_on_mutant *on;
    void *ctx;
    ph_err *err;
    int64_t every, *place; /* as expr_mutants_sparse says */
    const expr_node *told; /* of which `at` is the text: mutants of one place follow each other */
    char *at;
} mutation;

/* The root with `node` at the place `p` put in. */
static expr_node *rebuild(expr_builder *b, const place *p, expr_node *node) {
    for (; p && node; p = p->up) {
        expr_node **arg = ph_alloc(p->node->nargs * sizeof *arg);
        if (!arg) {
            b->st = ph_fail_nomem(b->err, p->node->nargs * sizeof *arg);
            return NULL;
        }
        memcpy(arg, p->node->arg, p->node->nargs * sizeof *arg);
        arg[p->which] = node;
        node = expr_b_op(b, p->node->op, (int)p->node->nargs, arg);
        ph_free(arg);
    }
    return node;
}

/* Hands the mutant on, unless it is the same formula or undefined as written. */
static ph_status offer(mutation *m, expr_builder *b, const place *p, const expr_node *was, expr_node *now,
                       const char *how) {
    char what[160];
    expr_node *mutant = NULL;
    ph_status st = expr_b_end(b, &mutant, rebuild(b, p, now));
    if (st == PH_EDOMAIN || st == PH_EARG) return PH_OK;
    if (st) return ph_fail(m->err, st, "%s", b->err->text);
    if (expr_same(mutant, m->root) || (*m->place)++ % m->every) goto done;
    if (was != m->told) {
        ph_free(m->at);
        m->at = NULL;
        m->told = NULL;
        PH_TRY(expr_text(&m->at, was, 60, m->err));
        m->told = was;
    }
    snprintf(what, sizeof what, "%s at %s", how, m->at);
    st = m->on(m->ctx, mutant, what, m->err);
done:
    expr_drop(mutant);
    return st;
}

#define OFFER(expression, how)                                                                               \
    do {                                                                                                     \
        ph_err unheard; /* unless it is about memory */                                                      \
        expr_builder b = EXPR_BUILDER(&unheard);                                                             \
        PH_TRY(offer(m, &b, p, e, expression, how));                                                         \
    } while (0)

static ph_status mutate_constant(mutation *m, const place *p, expr_node *e) {
    ph_status st = PH_OK;
    OFFER(expr_b_2(&b, EXPR_ADD, e, expr_b_rat(&b, 1, 1)), "+1");
    OFFER(expr_b_2(&b, EXPR_SUB, e, expr_b_rat(&b, 1, 1)), "-1");
    OFFER(expr_b_2(&b, EXPR_MUL, e, expr_b_rat(&b, 2, 1)), "doubled");
    OFFER(expr_b_2(&b, EXPR_DIV, e, expr_b_rat(&b, 2, 1)), "halved");
done:
    return st;
}

/* A sum may refuse a bound. */
static bool in_bounds(const place *p) {
    for (; p; p = p->up)
        if (p->node->op == EXPR_SUM && p->which < 3) return true;
    return false;
}

static ph_status mutate_symbol(mutation *m, const place *p, expr_node *e) {
    ph_status st = PH_OK;
    for (int i = 0; i < m->symbols->n; i++) {
        expr_node *other = m->symbols->item[i];
        char how[80];
        if (expr_same(other, e) || other->op != e->op || (e->op == EXPR_SYM && other->kind != e->kind))
            continue;
        /* what has another symbol of the same kind in it is a formula, and another one: counted, it need not be built */
        if (e->op == EXPR_SYM && *m->place % m->every && !in_bounds(p)) {
            ++*m->place;
            continue;
        }
        snprintf(how, sizeof how, "%.60s instead", other->op == EXPR_SYM ? other->name : other->arg[0]->name);
        OFFER(other, how);
    }
done:
    return st;
}

static ph_status mutate_function(mutation *m, const place *p, expr_node *e) {
    static const struct {
        expr_op from, to;
        const char *how;
    } swap[] = {{EXPR_SIN, EXPR_COS, "sin -> cos"}, {EXPR_COS, EXPR_SIN, "cos -> sin"}};
    ph_status st = PH_OK;
    expr_node *u = e->arg[0];
    for (size_t i = 0; i < sizeof swap / sizeof *swap; i++)
        if (e->op == swap[i].from) OFFER(expr_b_1(&b, swap[i].to, u), swap[i].how);
    OFFER(expr_b_1(&b, e->op, expr_b_1(&b, EXPR_NEG, u)), "argument negated");
    OFFER(expr_b_1(&b, e->op, expr_b_2(&b, EXPR_MUL, expr_b_rat(&b, 2, 1), u)), "argument doubled");
done:
    return st;
}

static ph_status mutate_operator(mutation *m, const place *p, expr_node *e) {
    static const struct {
        expr_op from, to;
        const char *how;
    } swap[] = {{EXPR_ADD, EXPR_SUB, "+ -> -"}, {EXPR_ADD, EXPR_MUL, "+ -> *"},
                {EXPR_SUB, EXPR_ADD, "- -> +"}, {EXPR_MUL, EXPR_ADD, "* -> +"},
                {EXPR_MUL, EXPR_DIV, "* -> /"}, {EXPR_DIV, EXPR_MUL, "/ -> *"}};
    ph_status st = PH_OK;
    expr_node *u = e->arg[0], *v = e->arg[1];
    for (size_t i = 0; i < sizeof swap / sizeof *swap; i++)
        if (e->op == swap[i].from) OFFER(expr_b_2(&b, swap[i].to, u, v), swap[i].how);
    if (e->op != EXPR_POW) {
        OFFER(u, "right operand dropped");
        OFFER(v, "left operand dropped");
    } else if (v->op != EXPR_RAT) { /* a constant exponent is changed as a constant */
        OFFER(expr_b_2(&b, EXPR_POW, u, expr_b_2(&b, EXPR_ADD, v, expr_b_rat(&b, 1, 1))), "exponent + 1");
        OFFER(expr_b_2(&b, EXPR_POW, u, expr_b_2(&b, EXPR_SUB, v, expr_b_rat(&b, 1, 1))), "exponent - 1");
    }
done:
    return st;
}

static ph_status mutate_index(mutation *m, const place *p, expr_node *e) {
    ph_status st = PH_OK;
    if (e->arg[1]->op == EXPR_RAT) return PH_OK; /* changed as a constant */
    OFFER(expr_b_2(&b, EXPR_AT, e->arg[0], expr_b_2(&b, EXPR_ADD, e->arg[1], expr_b_rat(&b, 1, 1))),
          "index + 1");
    OFFER(expr_b_2(&b, EXPR_AT, e->arg[0], expr_b_2(&b, EXPR_SUB, e->arg[1], expr_b_rat(&b, 1, 1))),
          "index - 1");
done:
    return st;
}

static ph_status mutate_sum(mutation *m, const place *p, expr_node *e) {
    ph_status st = PH_OK;
    for (int i = 1; i <= 2; i++) {
        if (e->arg[i]->op == EXPR_RAT) continue; /* changed as a constant */
        expr_node *arg[4];
        memcpy(arg, e->arg, sizeof arg);
        for (int sign = -1; sign <= 1; sign += 2) {
            ph_err unheard;
            expr_builder b = EXPR_BUILDER(&unheard);
            arg[i] = expr_b_2(&b, EXPR_ADD, e->arg[i], expr_b_rat(&b, sign, 1));
            PH_TRY(offer(m, &b, p, e, expr_b_op(&b, EXPR_SUM, 4, arg), sign < 0 ? "bound - 1" : "bound + 1"));
        }
    }
done:
    return st;
}

/* In 0·u and u·0: whatever u becomes, the product stays 0, and its mutants would tell nothing. */
static bool counts_nothing(const expr_node *e, uint32_t i) {
    return e->op == EXPR_MUL && expr_is_rat(e->arg[1 - i], 0, 1);
}

static ph_status walk(mutation *m, const place *p, expr_node *e) {
    ph_status st = PH_OK;
    if (ph_interrupted()) return ph_fail_interrupted(m->err);
    if (e->op == EXPR_RAT) PH_TRY(mutate_constant(m, p, e));
    if (e->op == EXPR_SYM || e->op == EXPR_AT) PH_TRY(mutate_symbol(m, p, e));
    if (e->op == EXPR_AT) PH_TRY(mutate_index(m, p, e));
    if (e->op == EXPR_SUM) PH_TRY(mutate_sum(m, p, e));
    if (e->op == EXPR_NEG) OFFER(e->arg[0], "sign dropped");
    if (e->op >= EXPR_ADD && e->op <= EXPR_POW) PH_TRY(mutate_operator(m, p, e));
    if (e->op >= EXPR_SIN && e->op <= EXPR_IM) PH_TRY(mutate_function(m, p, e));
    for (uint32_t i = expr_body(e) || e->op == EXPR_AT ? 1 : 0; i < e->nargs; i++)
        if (!counts_nothing(e, i)) PH_TRY(walk(m, &(place){e, i, p}, e->arg[i]));
done:
    return st;
}

ph_status expr_mutants_sparse(expr_node *e, const expr_set *symbols, int64_t every, int64_t *count,
                              expr_on_mutant *on, void *ctx, ph_err *err) {
    expr_set own = {0};
    ph_status st = symbols ? PH_OK : expr_symbols(&own, e, err);
    mutation m = {.root = e,
                  .symbols = symbols ? symbols : &own,
                  .on = on,
                  .ctx = ctx,
                  .err = err,
                  .every = every,
                  .place = count};
    if (!st) st = walk(&m, NULL, e);
    ph_free(m.at);
    expr_set_clear(&own);
    return st;
}

ph_status expr_mutants(expr_node *e, expr_on_mutant *on, void *ctx, ph_err *err) {
    int64_t count = 0;
    return expr_mutants_sparse(e, NULL, 1, &count, on, ctx, err);
}
