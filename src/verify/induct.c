/* induct.c: induction over a recurrence.
 *
 * The given equations are read so: those with n hold for all n from the first start on (from `from` on where none is earlier); those
 * without n are starts. Values between the first start and the base follow from the recurrence. A base value that neither gives is
 * not free: the recurrence may fix it all the same (a[n+1] = a[n] + a[1] at 0 says a[0] = 0), so its absence is no refutation.
 *
 * A statement is refuted by a value that follows from the starts and differs from it. That says something only where the given equations
 * can all hold: each member once on a left side, the right sides defined throughout, made of earlier members and certainly of the
 * family's kind, and no start other than what the recurrence gives there.
 *
 * A proof says nothing where no sequence meets the given equations. The sequence of the statement meets the recurrence, which is the step; so
 * what is left are starts beyond the base, or that the recurrence gives as well, and the family's kind: these are asked for in the end.
 */
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/conditions.h"
#include "verify/exact.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/normal.h"
#include "verify/recurrence.h"
#include "verify/settle.h"
#include "verify/subject.h"
#include "verify/told.h"

#define BEYOND 12 /* values after the base among which one is looked for that refutes */

/* ---- the parts ------------------------------------------------------------------------------------------ */

/* e with what the statements say in place of their members at n + most, …, n. */
static expr_node *stated(ver_recurrence *p, expr_node *e, int64_t most) {
    expr_builder *b = &p->b;
    for (int64_t k = most; k >= 0; k--)
        for (int i = 0; i < p->count; i++) {
            expr_node *h = p->statement[i], *up = expr_b_linear(b, expr_b_add(b, p->n, expr_b_rat(b, k, 1)));
            e = expr_b_replace(b, e, ver_rec_at(b, h->arg[0], p->n, up), ver_rec_at(b, h->arg[1], p->n, up));
        }
    return e;
}

/* The step for statement s: a[n+order] by the given equations, what is then left of a[n], … by the hypothesis. */
static expr_node *step(ver_recurrence *p, expr_node *s) {
    expr_builder *b = &p->b;
    s = ver_rec_at(b, s, p->n, expr_b_add(b, p->n, expr_b_rat(b, p->order, 1)));
    for (int i = 0; i < p->ngiven; i++) {
        expr_node *g = p->given[i];
        if (!ver_rec_is_step(p, i)) continue;
        expr_node *up =
            expr_b_add(b, p->n, expr_b_rat(b, p->order - ver_rec_reach(p, i), 1)); /* all at n + order */
        s = expr_b_replace(b, s, ver_rec_at(b, g->arg[0], p->n, up), ver_rec_at(b, g->arg[1], p->n, up));
    }
    for (int i = 0; i < p->ngiven; i++) /* starting values that the recurrence uses */
        if (!ver_rec_is_step(p, i))
            s = expr_b_replace(b, s, ver_rec_canonical(b, p->given[i]->arg[0], NULL), p->given[i]->arg[1]);
    return stated(p, s, p->order - 1);
}

static expr_node *base(ver_recurrence *p, expr_node *s, int64_t value) {
    return ver_rec_put_known(p, ver_rec_at(&p->b, s, p->n, expr_b_rat(&p->b, value, 1)));
}

/* Is the condition true for all n >= from? By proof; and c·n + d != 0 where its root is no such integer. */
static ph_status always(bool *out, ver_recurrence *p, int64_t from, expr_node *condition) {
    expr_builder *b = &p->b;
    ver_verdict v;
    expr_node *reached = expr_b_2(b, EXPR_GE, p->n, expr_b_rat(b, from, 1)), *c, *d;
    expr_node *u = expr_b_linear(b, expr_b_sub(b, condition->arg[0], condition->arg[1]));
    *out = false;
    if (b->st) return b->st;
    if (condition->op == EXPR_NE && ver_linear_in(b, u, p->n, &c, &d) && c->num && d->op == EXPR_RAT) {
        expr_node *root = expr_b_div(b, expr_b_neg(b, d), c);
        *out = !b->st && root->op == EXPR_RAT && (root->den != 1 || root->num < from);
    }
    if (b->st || *out) return b->st;
    ph_status st = ver_prove(&v, condition, &(ver_assume){&reached, 1}, b->err);
    *out = !st && v.strength == VER_PROVED;
    ver_clear(&v);
    return st;
}

/* Gathers the conditions of a part: those with n must hold throughout; *open names one that may not. */
static ph_status gather(expr_node **open, ver_recurrence *p, expr_node *s) {
    expr_set c = {0};
    ph_status st = PH_OK;
    for (int side = 0; side < 2; side++) PH_TRY(ver_conditions_of(&c, s->arg[side], p->b.err));
    for (int i = 0; i < c.n && !*open; i++) {
        bool ok = !expr_has(c.item[i], p->n);
        if (ok) PH_TRY(expr_set_append(&p->conditions, c.item[i], p->b.err));
        else PH_TRY(always(&ok, p, p->from, c.item[i]));
        if (!ok) *open = expr_b_keep(&p->b, expr_ref(c.item[i]));
    }
done:
    expr_set_clear(&c);
    return st;
}

/* "x - 1 != 0"; ph_alloc'ed. */
static ph_status condition_text(char **out, const expr_node *c, ph_err *err) {
    static const char *const sign[] = {"=", "!=", "<", "<=", ">", ">="};
    char *l = NULL, *r = NULL;
    ph_status st = PH_OK;
    PH_TRY(expr_text(&l, c->arg[0], 0, err));
    PH_TRY(expr_text(&r, c->arg[1], 0, err));
    st = ver_set(out, err, "%s %s %s", l, sign[c->op - EXPR_EQ], r);
done:
    ph_free(l);
    ph_free(r);
    return st;
}

static ph_status say_open(ver_verdict *out, expr_node *condition, ph_err *err) {
    char *text = NULL;
    ver_clear(out);
    ph_status st;
    PH_TRY(condition_text(&text, condition, err));
    PH_TRY(ver_say_unknown(out, VER_DOMAIN, "", err));
    st = ver_set(&out->reason_text, err, "%s is not shown to hold throughout", text);
done:
    ph_free(text);
    return st;
}

/* ---- refutations ---------------------------------------------------------------------------------------- */

static bool is_start(const ver_recurrence *p, const expr_node *member) {
    for (int i = 0; i < p->ngiven; i++)
        if (!ver_rec_is_step(p, i) && expr_same(p->given[i]->arg[0], member)) return true;
    return false;
}

/* Are the members in the right side of a recurrence all starts, or earlier than n + r? */
static bool looks_back(ver_recurrence *p, const expr_node *e, int64_t r) {
    if (e->op == EXPR_AT && ver_rec_uses_family(p, e)) {
        expr_node *gap = expr_b_linear(&p->b, expr_b_sub(&p->b, e->arg[1], p->n));
        bool earlier = gap && gap->op == EXPR_RAT && gap->den == 1 && gap->num >= 0 && gap->num < r;
        return earlier ||
               (!expr_has(e->arg[1], p->n) && is_start(p, ver_rec_canonical(&p->b, (expr_node *)e, NULL)));
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!looks_back(p, e->arg[i], r)) return false;
    return true;
}

/* Is a start free, or what the recurrence of its family gives there? */
static bool fits(ver_recurrence *p, expr_node *start) {
    expr_node *member = ver_rec_canonical(&p->b, start, NULL), *index = member ? member->arg[1] : NULL;
    if (!index || index->op != EXPR_RAT || index->den != 1) return false;
    for (int i = 0; i < p->ngiven; i++)
        if (ver_rec_is_step(p, i) && expr_same(p->given[i]->arg[0]->arg[0], member->arg[0]) &&
            index->num < p->first + ver_rec_reach(p, i))
            return true;
    for (int i = 0; i < p->nknown; i++)
        if (expr_same(p->known[i].member, member)) return p->known[i].twice;
    return false;
}

static bool has_other_recurrence(const ver_recurrence *p, int i) {
    for (int k = 0; k < i; k++)
        if (ver_rec_is_step(p, k) && expr_same(p->given[k]->arg[0]->arg[0], p->given[i]->arg[0]->arg[0]))
            return true;
    return false;
}

/* Is e certainly what the members of a family are? */
static bool is_of_kind(const expr_node *e, expr_kind kind) {
    switch (kind) {
    case EXPR_COMPLEX: return true;
    case EXPR_REAL: return expr_is_real(e);
    case EXPR_POSITIVE: return expr_is_positive(e);
    case EXPR_INTEGER: return expr_is_whole(e);
    default: return expr_is_whole(e) && expr_is_positive(e);
    }
}

/* Is there a sequence of which all given equations hold, wherever the conditions that join *where do? */
static ph_status can_hold(bool *out, ver_recurrence *p, expr_set *where) {
    expr_set c = {0};
    ph_status st = PH_OK;
    *out = !p->apart.n;
    for (int i = 0; i < p->ngiven && *out; i++) {
        expr_node *l = p->given[i]->arg[0], *r = p->given[i]->arg[1];
        *out = ver_rec_is_step(p, i) ? looks_back(p, r, ver_rec_reach(p, i)) && !has_other_recurrence(p, i)
                                     : !ver_rec_uses_family(p, r) && fits(p, l);
        *out = *out && is_of_kind(r, l->arg[0]->kind);
        if (*out) PH_TRY(ver_conditions_of(&c, r, p->b.err));
    }
    for (int i = 0; i < c.n && *out; i++) {
        if (ver_rec_uses_family(p, c.item[i])) *out = false;
        else if (expr_has(c.item[i], p->n)) PH_TRY(always(out, p, p->first, c.item[i]));
        else PH_TRY(expr_set_append(where, c.item[i], p->b.err));
    }
    st = p->b.st;
done:
    expr_set_clear(&c);
    return st;
}

/* The statement at n = v, where its members are known, is false: *out is refuted, and names v. */
static ph_status refute_value(ver_verdict *out, ver_recurrence *p, expr_node *s, int64_t v,
                              const expr_set *where) {
    ver_verdict seen;
    expr_node *e = base(p, s, v);
    if (!e || ver_rec_uses_family(p, e)) return p->b.st;
    ph_status st = ver_prove(&seen, e, &(ver_assume){where->item, where->n}, p->b.err);
    if (!st && seen.strength == VER_REFUTED) {
        char at[24];
        snprintf(at, sizeof at, "%lld", (long long)v);
        ver_clear(out);
        ver_decide(out, VER_REFUTED);
        out->told = seen.told;
        seen.told = NULL;
        st = ver_tell_value(out->told, p->n->name, at, true, p->b.err);
        if (!st) st = ver_set(&out->method, p->b.err, "a value that follows from the starts");
    }
    ver_clear(&seen);
    return st;
}

/* *out is unknown: perhaps a value that follows from the starts is another than the statement says. */
static ph_status refute(ver_verdict *out, ver_recurrence *p) {
    expr_set where = {0};
    bool can = false;
    ph_status st = PH_OK;
    PH_TRY(ver_rec_follow(p, p->from + p->order, p->from + p->order + BEYOND));
    PH_TRY(can_hold(&can, p, &where));
    for (int64_t v = p->from; can && v < p->from + p->order + BEYOND && out->strength == VER_UNKNOWN; v++)
        for (int i = 0; i < p->count && out->strength == VER_UNKNOWN; i++)
            PH_TRY(refute_value(out, p, p->statement[i], v, &where));
done:
    expr_set_clear(&where);
    if (ph_is_open(st)) p->b.st = st = PH_OK; /* a value that is undefined refutes nothing */
    return st;
}

/* ---- the proof ------------------------------------------------------------------------------------------ */

typedef enum { HOLDS, NEVER, OPEN } fate;

/* Is s proved for n >= from, where what became a condition holds? In *v, which the caller clears. */
static ph_status ask(ver_verdict *v, ver_recurrence *p, expr_node *s) {
    expr_builder *b = &p->b;
    expr_set where = {0};
    expr_node *reached = expr_b_2(b, EXPR_GE, p->n, expr_b_rat(b, p->from, 1));
    if (!b->st) b->st = expr_set_append(&where, reached, b->err);
    for (int i = 0; i < p->conditions.n && !b->st; i++)
        b->st = expr_set_append(&where, p->conditions.item[i], b->err);
    if (!b->st) b->st = ver_prove(v, s, &(ver_assume){where.item, where.n}, b->err);
    expr_set_clear(&where);
    return b->st;
}

/* Of an equation or x > y for n >= from: is it so, is it not so whatever the symbols other than n are, or is neither seen? */
static ph_status fate_of(fate *out, ver_recurrence *p, expr_node *s) {
    expr_builder *b = &p->b;
    ver_verdict v;
    expr_node *at_base = s ? expr_b_replace(b, s, p->n, expr_b_rat(b, p->from, 1)) : NULL;
    *out = OPEN;
    if (b->st || ask(&v, p, s)) return b->st;
    if (v.strength == VER_PROVED) *out = HOLDS;
    if (v.strength == VER_REFUTED && expr_is_constant(at_base)) *out = NEVER;
    ver_clear(&v);
    if (*out != OPEN) return b->st;
    expr_node *against = expr_b_2(b, s->op == EXPR_EQ ? EXPR_NE : EXPR_LE, s->arg[0], s->arg[1]);
    if (!against || ask(&v, p, against)) return b->st;
    if (v.strength == VER_PROVED) *out = NEVER;
    ver_clear(&v);
    return b->st;
}

/* Are the values that a statement gives of its family's kind? */
static ph_status kind_of(fate *out, ver_recurrence *p, expr_node *s) {
    expr_builder *b = &p->b;
    expr_node *value = s->arg[1], *zero = expr_b_rat(b, 0, 1);
    expr_kind kind = s->arg[0]->arg[0]->kind;
    bool whole = kind == EXPR_INTEGER || kind == EXPR_NATURAL;
    *out = HOLDS;
    if (is_of_kind(value, kind)) return b->st;
    ph_status st = fate_of(out, p, expr_b_2(b, EXPR_EQ, expr_b_1(b, EXPR_IM, value), zero));
    if (!st && *out == HOLDS && whole)
        st = fate_of(out, p, expr_b_2(b, EXPR_EQ, expr_b_1(b, EXPR_FLOOR, value), value));
    if (!st && *out == HOLDS && (kind == EXPR_POSITIVE || kind == EXPR_NATURAL))
        st = fate_of(out, p, expr_b_2(b, EXPR_GT, value, zero));
    return st;
}

/* What is asked of the statements' sequences beyond base and step: by starts that come later, and by a second recurrence of a family. */
static ph_status note_others(ver_recurrence *p) {
    expr_builder *b = &p->b;
    for (int i = 0; i < p->ngiven && !b->st; i++) {
        expr_node *l = p->given[i]->arg[0], *r = p->given[i]->arg[1];
        if (ver_rec_is_step(p, i)) {
            if (has_other_recurrence(p, i))
                ver_rec_note_apart(p, stated(p, ver_rec_canonical(b, l, NULL), p->order),
                                   stated(p, ver_rec_canonical(b, r, NULL), p->order));
            continue;
        }
        expr_node *member = ver_rec_canonical(b, l, NULL), *index = member ? member->arg[1] : NULL;
        if (!index || index->op != EXPR_RAT || index->num < p->from + p->order) continue;
        for (int k = 0; k < p->count && !b->st; k++)
            if (expr_same(p->statement[k]->arg[0]->arg[0], member->arg[0]))
                ver_rec_note_apart(p, ver_rec_put_known(p, r),
                                   ver_rec_put_known(p, ver_rec_at(b, p->statement[k]->arg[1], p->n, index)));
    }
    return b->st;
}

/* Where all is proved: can the given equations all hold? An equation without n that is not seen to hold becomes a
 * condition. One with n cannot: it may hold at no n. Of a value's kind only what is seen to be wrong counts: a symbol in it may make it right. */
typedef enum { MEETS, APART, UNSEEN } meeting;

static ph_status meet(meeting *out, ver_recurrence *p) {
    fate is = OPEN;
    bool unseen = false;
    ph_status st = note_others(p);
    for (int i = 0; i < p->apart.n && is != NEVER && !st; i++) {
        expr_node *same = p->apart.item[i];
        st = fate_of(&is, p, same);
        if (st || is != OPEN) continue;
        if (expr_has(same, p->n)) unseen = true;
        else st = expr_set_append(&p->conditions, same, p->b.err);
    }
    for (int i = 0; i < p->count && is != NEVER && !st; i++) st = kind_of(&is, p, p->statement[i]);
    for (int i = 0; i < p->ngiven && is != NEVER && !st; i++)
        if (!ver_rec_is_step(p, i)) st = kind_of(&is, p, p->given[i]);
    *out = is == NEVER ? APART : unseen ? UNSEEN : MEETS;
    return st;
}

static ph_status say_apart(ver_verdict *out, meeting is, ph_err *err) {
    ver_clear(out);
    if (is == APART)
        return ver_say_unknown(out, VER_DOMAIN, "the given equations contradict each other", err);
    return ver_say_unknown(out, VER_OUTSIDE_THEORY, "it is not seen that the given equations can all hold",
                           err);
}

/* Proves one part; a part that is not proved ends the whole. */
static ph_status part(ver_verdict *out, ver_recurrence *p, expr_node *s, bool is_step) {
    if (p->b.st || !s) return p->b.st;
    expr_node *open = NULL;
    ver_clear(out);
    ph_status st = ver_prove(out, s, NULL, p->b.err);
    if (st) return st;
    if (out->strength == VER_PROVED) {
        st = gather(&open, p, s);
        return st || !open ? st : say_open(out, open, p->b.err);
    }
    if (!is_step && out->strength == VER_UNKNOWN) return st;
    bool given = !ver_rec_uses_family(p, s);
    ver_clear(out); /* a step that fails refutes nothing by itself, nor does a value that is not given */
    return ver_say_unknown(out, VER_OUTSIDE_THEORY,
                           is_step ? "the step does not follow from the given equations and the hypothesis"
                           : given
                               ? "the base does not follow, and the given equations may contradict each other"
                               : "the base does not follow: a value that it needs is not given",
                           p->b.err);
}

/* For all integers n >= 0, when the given equations hold, with x != 0. */
static ph_status tell_conditions(ver_verdict *out, ver_recurrence *p) {
    ph_err *err = p->b.err;
    expr_node *from = NULL;
    ver_told *told;
    ph_status st = ver_told_of(&told, out, err);
    if (!st) st = expr_rat(&from, p->from, 1, err);
    if (!st) {
        ver_tell_no_box(told); /* what was told is of the last part */
        told->unmet = false;
        told->extent = VER_INDUCTION;
        told->count = p->from;
        told->early = p->first;
        st = ver_tell_side(told, p->n, from, NULL, true, err);
    }
    for (int i = 0; i < p->conditions.n && !st; i++)
        st = expr_set_append(&told->conditions, p->conditions.item[i], err);
    expr_drop(from);
    return st;
}

static ph_status run(bool *going, ver_verdict *out, ver_recurrence *p) {
    ph_status st = ver_rec_read(p);
    *going = true;
    if (!st) st = ver_rec_values(p);
    for (int64_t k = 0; k < p->order && !st && *going; k++)
        for (int i = 0; i < p->count && !st && *going; i++) {
            st = part(out, p, base(p, p->statement[i], p->from + k), false);
            *going = out->strength == VER_PROVED;
        }
    for (int i = 0; i < p->count && !st && *going; i++) {
        st = part(out, p, step(p, p->statement[i]), true);
        *going = out->strength == VER_PROVED;
    }
    meeting is = MEETS;
    if (!st && !p->b.st) st = *going ? meet(&is, p) : refute(out, p);
    if (!st && is != MEETS) {
        *going = false;
        st = say_apart(out, is, p->b.err);
    }
    return st ? st : p->b.st;
}

ph_status ver_induct(ver_verdict *out, expr_node *const *statement, int count, expr_node *n, int64_t from,
                     expr_node *const *given, int ngiven, ph_err *err) {
    ver_init(out);
    if (n->op != EXPR_SYM || (n->kind != EXPR_INTEGER && n->kind != EXPR_NATURAL))
        return ph_fail(err, PH_EARG, "the variable is no integer symbol");
    ph_status named = expr_names_agree(&n, 1, err);
    for (int i = 0; i < count + ngiven && !named;
         i++) /* a[n] of another n is a member of no recurrence over this one */
        named = expr_names_agree((expr_node *[]){i < count ? statement[i] : given[i - count], n}, 2, err);
    if (named) return named;
    if (n->kind == EXPR_NATURAL && from < 1)
        return ph_fail(err, PH_EARG, "a natural number starts at 1; the induction at %lld", (long long)from);
    ver_recurrence *p = ph_calloc(1, sizeof *p);
    if (!p) return ph_fail_nomem(err, sizeof *p);
    *p = (ver_recurrence){.b = EXPR_BUILDER(err),
                          .n = n,
                          .statement = statement,
                          .given = given,
                          .count = count,
                          .ngiven = ngiven,
                          .from = from};
    bool going;
    char *text = NULL;
    ver_meter_open(1); /* its parts share it */
    ph_status st = ver_meter_end(out, run(&going, out, p), err);
    ver_subject_give(out, NULL); /* that of the last part */
    if (!st && going) st = ver_subject_recurrent(out, statement, count, n, from, given, ngiven, err);
    if (!st && going)
        st = ver_set(&out->method, err, "induction over %s from %lld: base and step by normal form", n->name,
                     (long long)from);
    if (!st && going) st = tell_conditions(out, p);
    if (!st) st = expr_text(&text, statement[0]->arg[1], 400, err);
    if (!st)
        st = ver_set(&out->statement, err, "%s[%s] = %s", statement[0]->arg[0]->arg[0]->name, n->name, text);
    ph_free(text);
    expr_set_clear(&p->conditions);
    expr_set_clear(&p->apart);
    ph_status end = expr_b_end(&p->b, NULL, NULL);
    ph_free(p);
    return st ? st : end;
}
