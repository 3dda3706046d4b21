/* mutants.c: what becomes of the small changes of a statement, and of all that a proved verdict states. */
#include <stdio.h>

#include "expr/mutate.h"
#include "verify/exact.h"
#include "verify/internal.h"
#include "verify/kept.h"
#include "verify/prove.h"
#include "verify/subject.h"

typedef struct trial trial;
/* Judges what a mutant makes of the statement. */
typedef ph_status ask_fn(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err);

struct trial {
    ver_mutants_report *report;
    ver_on_mutant *on;
    void *ctx;
    int64_t every,
        place; /* of `every` mutants that follow each other the first is judged; how many there were */
    int64_t judged;
    ask_fn *ask;
    expr_node *statement;
    ver_assume assume;
    const expr_set *symbols;    /* that may stand in for each other; NULL: those of what is changed */
    const ver_subject *subject; /* NULL: there is the statement alone */
    int which;                  /* of the subject's statements */
};

/* ---- how a mutant is judged ------------------------------------------------------------------------------ */

static ph_status ask_made(ver_verdict *out, const trial *t, expr_op op, expr_node *l, expr_node *r,
                          ph_err *err) {
    expr_node *s = NULL;
    ph_status st = expr_make2(&s, op, l, r, err);
    if (!st) st = ver_prove_bare(out, s, &t->assume, err);
    expr_drop(s);
    return st;
}

static ph_status ask_left(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err) {
    return ask_made(out, t, t->statement->op, mutant, t->statement->arg[1], err);
}

static ph_status ask_right(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err) {
    return ask_made(out, t, t->statement->op, t->statement->arg[0], mutant, err);
}

static ph_status ask_exchanged(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err) {
    return ask_made(out, t, t->statement->op, mutant, t->statement->arg[0], err);
}

static ph_status ask_equal(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err) {
    return ask_made(out, t, EXPR_EQ, t->statement->arg[0], mutant, err);
}

static ph_status ask_symmetric(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err) {
    const ver_subject *s = t->subject;
    return ver_symmetric(out, mutant, s->blocks.item, s->blocks.n / s->size, s->size, err);
}

/* The other statements stay as they are: they are hypotheses of the step, too. */
static ph_status ask_induct(ver_verdict *out, const trial *t, expr_node *mutant, ph_err *err) {
    const ver_subject *s = t->subject;
    expr_set changed = {0};
    expr_node *own = NULL;
    ph_status st;
    PH_TRY(expr_make2(&own, EXPR_EQ, t->statement->arg[0], mutant, err));
    for (int i = 0; i < s->statements.n; i++)
        PH_TRY(expr_set_append(&changed, i == t->which ? own : s->statements.item[i], err));
    st = ver_induct(out, changed.item, changed.n, s->n, s->from, s->given.item, s->given.n, err);
done:
    expr_set_clear(&changed);
    expr_drop(own);
    return st;
}

static ph_status judge(void *ctx, expr_node *mutant, const char *what, ph_err *err) {
    trial *t = ctx;
    ver_verdict v;
    t->judged++;
    ver_init(&v);
    ph_status st = t->ask(&v, t, mutant, err);
    if (ph_is_open(st)) { /* an induction may come to a value that is undefined */
        char why[sizeof err->text];
        snprintf(why, sizeof why, "%s", err->text);
        st = ver_say_unknown(&v, st == PH_EDOMAIN ? VER_DOMAIN : VER_OUTSIDE_THEORY, why, err);
    }
    if (!st) {
        bool undefined = v.strength == VER_UNKNOWN && v.reason == VER_DOMAIN;
        t->report->total += !undefined;
        t->report->undefined += undefined;
        t->report->refuted += v.strength == VER_REFUTED;
        t->report->equivalent += v.strength == VER_PROVED;
        t->report->undecided += v.strength == VER_UNKNOWN && !undefined;
        if (t->on) t->on(t->ctx, what, &v);
    }
    ver_clear(&v);
    return st;
}

/* ---- the mutants of one statement ------------------------------------------------------------------------- */

static ph_status mutate(trial *t, expr_node *e, ask_fn *ask, ph_err *err) {
    const int64_t place = t->place, judged = t->judged;
    t->ask = ask;
    ph_status st = expr_mutants_sparse(e, t->symbols, t->every, &t->place, judge, t, err);
    t->report->untried += t->place - place - (t->judged - judged);
    return st;
}

static ph_status mutate_statement(trial *t, ph_err *err) {
    expr_node *s = t->statement;
    ver_keep(s->arg[1]);
    ph_status st = mutate(t, s->arg[0], ask_left, err);
    ver_keep(s->arg[0]);
    if (!st) st = mutate(t, s->arg[1], ask_right, err);
    ver_keep(NULL);
    if (!st && s->op > EXPR_NE) {
        t->ask = ask_exchanged;
        st = judge(t, s->arg[1], "the sides exchanged", err);
    }
    return st;
}

static ph_status judge_original(ver_strength *out, expr_node *s, const ver_assume *assume, ph_err *err) {
    ver_verdict v;
    ver_init(&v);
    ph_status st = ver_prove(&v, s, assume, err);
    *out = v.strength;
    ver_clear(&v);
    return st;
}

ph_status ver_mutants(ver_mutants_report *out, expr_node *s, const ver_assume *assume, ver_on_mutant *on,
                      void *ctx, ph_err *err) {
    double start = ph_clock();
    *out = (ver_mutants_report){0};
    trial t = {.report = out, .on = on, .ctx = ctx, .every = 1, .statement = s};
    if (assume) t.assume = *assume;
    ph_status st = judge_original(&out->original, s, assume, err);
    if (!st) st = mutate_statement(&t, err);
    out->time = ph_clock() - start;
    return st;
}

/* ---- those of a verdict ----------------------------------------------------------------------------------- */

static ph_status ignore(void *ctx, expr_node *mutant, const char *what, ph_err *err) {
    (void)ctx, (void)mutant, (void)what, (void)err;
    return PH_OK;
}

static ph_status count(int64_t *n, const trial *t, ph_err *err) {
    expr_node *s = t->statement, *all[] = {s, NULL};
    *n = 0;
    if (t->subject->shape != VER_EXCHANGE) all[0] = s->arg[1];
    if (t->subject->shape == VER_EACH) all[1] = s->arg[0];
    ph_status st = PH_OK;
    for (int i = 0; i < 2 && all[i] && !st; i++)
        st = expr_mutants_sparse(all[i], t->symbols, INT64_MAX, n, ignore, NULL, err);
    return st;
}

static ph_status mutate_one(trial *t, int64_t most, ph_err *err) {
    expr_node *s = t->statement;
    if (t->subject->shape == VER_EACH && s->op == EXPR_NE) {
        t->ask = ask_equal;
        return judge(t, s->arg[1], "= instead", err);
    }
    int64_t n;
    ph_status st = count(&n, t, err);
    if (st) return st;
    t->every = n > most ? (n + most - 1) / most : 1;
    t->place = 0;
    if (t->subject->shape == VER_EACH) return mutate_statement(t, err);
    return t->subject->shape == VER_EXCHANGE ? mutate(t, s, ask_symmetric, err)
                                             : mutate(t, s->arg[1], ask_induct, err);
}

/* The symbols of several statements, as those of one entry of a matrix may be few; none where a name has two kinds. */
static ph_status symbols_of(expr_set *out, const expr_set *statements, ph_err *err) {
    ph_err unheard;
    ph_status st = expr_names_agree(statements->item, statements->n, &unheard);
    if (st == PH_EARG) return PH_OK;
    if (st) return ph_fail(err, st, "%s", unheard.text);
    for (int k = 0; k < statements->n && !st; k++) {
        expr_set own;
        st = expr_symbols(&own, statements->item[k], err);
        for (int i = 0; i < own.n && !st; i++) st = expr_set_add(out, own.item[i], err);
        expr_set_clear(&own);
    }
    return st;
}

ph_status ver_mutants_of(ver_mutants_report *out, const ver_verdict *v, const bool *but, int64_t most,
                         ver_on_mutant *on, void *ctx, ph_err *err) {
    double start = ph_clock();
    const ver_subject *s = v->subject;
    *out = (ver_mutants_report){.original = v->strength};
    if (v->strength != VER_PROVED || !s) return PH_OK;
    int64_t each = most / s->statements.n;
    expr_set symbols = {0};
    ph_status st =
        s->shape == VER_EACH && s->statements.n > 1 ? symbols_of(&symbols, &s->statements, err) : PH_OK;
    for (int k = 0; k < s->statements.n && !st; k++) {
        trial t = {.report = out,
                   .on = on,
                   .ctx = ctx,
                   .every = 1,
                   .statement = s->statements.item[k],
                   .subject = s,
                   .which = k};
        t.symbols = symbols.n ? &symbols : NULL;
        t.assume = (ver_assume){s->conditions.item, s->conditions.n};
        if (!but || !but[k]) st = mutate_one(&t, each > 0 ? each : 1, err);
    }
    expr_set_clear(&symbols);
    out->time = ph_clock() - start;
    return st;
}
