/* coq_asked.c: what is asked of an inequality, turned round, and its cases: the tactics from the goal to the contradiction that coq_weigh.c finds. */
#include <stdio.h>
#include <string.h>

#include "verify/coq_order.h"
#include "verify/polysign.h"

/* l <= r, or l < r, of which n/d = l − r. */
typedef struct {
    expr_node *l, *r;
    bool strict;
    bool cancels; /* the sides have denominators that their difference has not */
    ring_frac difference;
} asked;

static void put_difference(coq_order *o, const asked *s) {
    COQ_PUT(o->c, "(");
    ver_coq_real(o->c, s->l);
    COQ_PUT(o->c, " - ");
    ver_coq_real(o->c, s->r);
    COQ_PUT(o->c, ")");
}

/* (l − r)·q >= 0, strict where l <= r is asked: from G'. */
static bool suppose(coq_order *o, const asked *s) {
    fmpz_mpoly_t q, p;
    char *text = NULL, *tactic = NULL;
    int id = 0;
    fmpz_mpoly_init(q, o->r.ctx);
    fmpz_mpoly_init(p, o->r.ctx);
    fmpz_mpoly_set(p, s->difference.n, o->r.ctx);
    if (!fmpz_mpoly_is_fmpz(s->difference.d, o->r.ctx)) {
        id = ver_coq_order_clear(o, q, &text, s->difference.d);
        if (id && fmpz_mpoly_divides(q, q, s->difference.d, o->r.ctx)) {
            fmpz_mpoly_mul(p, p, q, o->r.ctx);
            ph_text kept = o->c->out;
            o->c->out = (ph_text){0};
            COQ_PUT(o->c, "(replace ");
            ver_coq_put_order_poly(o, p);
            COQ_PUT(o->c, " with (");
            put_difference(o, s);
            COQ_PUT(o->c, " * %s) by (field; nonzero); exact (times_%s _ _ _ G' F'%d))", text,
                    s->strict ? "le" : "lt", id);
            ph_status st = ph_text_take(&tactic, NULL, &o->c->out, o->c->b.err);
            if (st && !ver_coq_order_fails(o)) o->c->b.st = st;
            o->c->out = kept;
        }
        if (tactic) ver_coq_order_by(o, p, !s->strict, tactic, (int[]){id, 0});
    } else if (s->cancels) {
        ph_text kept = o->c->out;
        o->c->out = (ph_text){0};
        COQ_PUT(o->c, "(replace ");
        ver_coq_put_order_poly(o, p);
        COQ_PUT(o->c, " with ");
        put_difference(o, s);
        COQ_PUT(o->c, " by (field; nonzero); lra)");
        ph_status st = ph_text_take(&tactic, NULL, &o->c->out, o->c->b.err);
        if (st && !ver_coq_order_fails(o)) o->c->b.st = st;
        o->c->out = kept;
        if (tactic) ver_coq_order_by(o, p, !s->strict, tactic, NULL);
    } else ver_coq_order_by(o, p, !s->strict, "lra", NULL);
    bool done = (fmpz_mpoly_is_fmpz(s->difference.d, o->r.ctx) && !s->cancels) || tactic;
    ph_free(text);
    ph_free(tactic);
    fmpz_mpoly_clear(q, o->r.ctx);
    fmpz_mpoly_clear(p, o->r.ctx);
    return done && !ver_coq_order_fails(o);
}

/* The signs of the factors of r − l, which are facts for its product. */
static void find_factors(coq_order *o, const asked *s) {
    fmpz_mpoly_factor_t fac;
    fmpz_mpoly_factor_init(fac, o->r.ctx);
    o->nproduct = 0;
    if (ver_poly_factor(fac, s->difference.n, o->r.ctx) && fac->num > 1)
        for (slong i = 0; i < fac->num && o->nproduct < ORDER_FACTORS && !ver_coq_order_fails(o); i++) {
            if (fmpz_is_even(fac->exp + i)) continue;
            int id = 0;
            for (int k = 0; k < 4 && !id; k++) { /* > 0, then >= 0, of it and of its negative */
                id = ver_coq_order_prove(o, fac->poly + i, k < 2, ORDER_PAIRS);
                fmpz_mpoly_neg(fac->poly + i, fac->poly + i, o->r.ctx);
            }
            for (int k = 0; k < o->nfacts && id; k++)
                if (o->fact[k].id == id) o->product[o->nproduct++] = k;
            if (!id) break;
        }
    fmpz_mpoly_factor_clear(fac, o->r.ctx);
}

/* r² − l², in which squares are looked for. */
static void find_sides(coq_order *o, const asked *s) {
    ring_frac l, r;
    ver_ring_frac_init(&l, &o->r);
    ver_ring_frac_init(&r, &o->r);
    ver_coq_order_read(o, &l, s->l);
    ver_coq_order_read(o, &r, s->r);
    if (!ver_coq_order_fails(o) && !ver_ring_mul(&l, &l, &l, &o->r) && !ver_ring_mul(&r, &r, &r, &o->r) &&
        !ver_ring_add(&r, &r, &l, -1, &o->r)) {
        fmpz_mpoly_set(&o->sides, r.n, o->r.ctx);
        o->has_sides = true;
    }
    ver_ring_frac_clear(&l, &o->r);
    ver_ring_frac_clear(&r, &o->r);
}

/* ---- cases --------------------------------------------------------------------------------------------- */

static slong nth_case(coq_order *o, int n) {
    for (slong g = 1; g < o->ngens; g++) {
        if (ver_coq_order_lemma(o, g) && n-- == 0) return g;
    }
    return 0;
}

static bool in_cases(coq_order *o, int level, order_depth depth);

/* Inside a block: what the case says of its variable, then the cases of the next. */
static bool in_case(coq_order *o, slong g, int level, bool second, order_depth depth) {
    ring_frac sign, relation;
    char proof[32];
    ver_ring_frac_init(&sign, &o->r);
    ver_ring_frac_init(&relation, &o->r);
    ver_coq_order_case(o, g, second, &sign, &relation);
    bool known = !ver_coq_order_fails(o) && fmpz_mpoly_is_fmpz(sign.d, o->r.ctx), found = false;
    if (known) {
        int facts = o->nfacts, rels = o->nrels;
        order_fact supposed = o->fact[facts - 1]; /* stays the last one */
        o->nfacts--;
        snprintf(proof, sizeof proof, "B'%d", level);
        ver_coq_order_fact(o, sign.n, false, proof, NULL);
        snprintf(proof, sizeof proof, "E'%d", level);
        ver_coq_order_relation(o, relation.n, proof, NULL);
        o->fact[o->nfacts++] = supposed;
        found = in_cases(o, level + 1, depth);
        ver_coq_order_back(o, facts, rels);
    }
    ver_ring_frac_clear(&sign, &o->r);
    ver_ring_frac_clear(&relation, &o->r);
    return found;
}

/* Both cases of the variable, a block each. */
static bool in_both(coq_order *o, slong g, int level, order_depth depth) {
    bool found = true;
    order_aside a;
    for (int second = 0; second < 2 && found; second++) {
        ver_coq_order_begin(o, &a);
        found = in_case(o, g, level, second, depth);
        char *text = ver_coq_order_end(o, &a);
        COQ_PUT(o->c, "  {\n%s  }\n", text ? text : "");
        ph_free(text);
    }
    return found;
}

static bool in_cases(coq_order *o, int level, order_depth depth) {
    slong g = nth_case(o, level);
    if (!g) return ver_coq_weigh(o, depth);
    if (level == ORDER_CASES) return false;
    char *term = ver_coq_order_term(o, ver_coq_order_lemma(o, g), o->gen[g].nargs > 1 ? "uv" : "u", g, "");
    COQ_PUT(o->c, "  destruct (%s) as [(B'%d & E'%d) | (B'%d & E'%d)].\n", term ? term : "", level, level,
            level, level);
    ph_free(term);
    return in_both(o, g, level, depth);
}

static bool attempt(coq_order *o, bool cases, order_depth depth) {
    order_aside a;
    ver_coq_order_begin(o, &a);
    bool found = cases ? in_cases(o, 0, depth) : ver_coq_weigh(o, depth);
    char *text = ver_coq_order_end(o, &a);
    if (found && text) COQ_PUT(o->c, "%s", text);
    ph_free(text);
    return found && !ver_coq_order_fails(o);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static bool contradicted(coq_order *o, const asked *s) {
    if (!suppose(o, s)) return false;
    if (attempt(o, false, ORDER_LINEAR)) return true;
    ver_coq_order_pop(o);
    find_factors(o, s);
    find_sides(o, s);
    if (!suppose(o, s)) return false;
    bool cases = nth_case(o, 0) > 0;
    for (order_depth d = ORDER_PAIRS; d <= ORDER_TRIPLES; d++)
        if (attempt(o, false, d) || (cases && attempt(o, true, d))) return true;
    return false;
}

/* Conditions that are orders or equations of what can be read. */
static void take_conditions(coq_order *o) {
    const expr_set *k = o->c->conditions;
    char proof[32];
    ring_frac l, r;
    for (int i = 0; k && i < k->n && !ver_coq_order_fails(o); i++) {
        const expr_node *s = k->item[i];
        bool up = s->op == EXPR_GT || s->op == EXPR_GE, strict = s->op == EXPR_GT || s->op == EXPR_LT;
        if (!expr_is_statement(s) || s->op == EXPR_NE || !ver_coq_order_reads(s->arg[0]) ||
            !ver_coq_order_reads(s->arg[1]))
            continue;
        ver_ring_frac_init(&l, &o->r);
        ver_ring_frac_init(&r, &o->r);
        ver_coq_order_read(o, &l, s->arg[!up]);
        ver_coq_order_read(o, &r, s->arg[up]);
        snprintf(proof, sizeof proof, "K'%d", i + 1);
        bool done = ver_coq_order_fails(o) || ver_ring_add(&l, &l, &r, -1, &o->r);
        if (!done && fmpz_mpoly_is_fmpz(l.d, o->r.ctx)) {
            ver_coq_order_fact(o, l.n, strict, proof, NULL);
            fmpz_mpoly_neg(l.n, l.n, o->r.ctx);
            if (s->op == EXPR_EQ) ver_coq_order_fact(o, l.n, false, proof, NULL);
        }
        ver_ring_frac_clear(&l, &o->r);
        ver_ring_frac_clear(&r, &o->r);
    }
}

static void clear(coq_order *o) {
    while (o->nfacts) ver_coq_order_pop(o);
    for (int i = 0; i < o->nrels; i++) {
        fmpz_mpoly_clear(&o->rel[i].p, o->r.ctx);
        ph_free(o->rel[i].text);
    }
    for (slong g = 1; g < o->ngens; g++) {
        for (int i = 0; i < o->gen[g].nargs; i++) ver_ring_frac_clear(&o->gen[g].arg[i], &o->r);
        ph_free(o->gen[g].text);
    }
    fmpz_mpoly_clear(&o->sides, o->r.ctx);
    ver_ring_clear(&o->r);
    ph_free(o);
}

/* Outside of functions, which are read by their names. */
static bool divides(const expr_node *e) {
    if (e->op == EXPR_DIV && e->arg[1]->op != EXPR_RAT) return true;
    if (e->op >= EXPR_MIN) return false;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (divides(e->arg[i])) return true;
    return false;
}

/* l <= r, strict: l < r, from the goal on. What is not shown is refused, or, where Coq is to refuse it, left to Coq with all that is known. */
static bool prove(coq_order *o, asked *s, bool forced) {
    ring_frac r;
    ver_ring_frac_init(&s->difference, &o->r);
    ver_ring_frac_init(&r, &o->r);
    ver_coq_order_read(o, &s->difference, s->l);
    ver_coq_order_read(o, &r, s->r);
    take_conditions(o);
    if (!ver_coq_order_fails(o) && ver_ring_add(&s->difference, &s->difference, &r, -1, &o->r))
        ver_coq_refuse(o->c, "a certificate that grows too large");
    ver_coq_order_sizes(o);
    if (!ver_coq_order_fails(o) && ver_ring_cancel(&s->difference, &o->r))
        ver_coq_refuse(o->c, "a certificate that grows too large");
    s->cancels = (divides(s->l) || divides(s->r)) && fmpz_mpoly_is_fmpz(s->difference.d, o->r.ctx);
    COQ_PUT(o->c, "  apply Rnot_%s; intro G'.\n", s->strict ? "le_lt" : "lt_le");
    bool found = !ver_coq_order_fails(o) && contradicted(o, s);
    if (!found && forced && !ver_coq_order_fails(o)) {
        for (int i = 0; i < o->nfacts; i++) ver_coq_order_tell(o, o->fact[i].id);
        for (int i = 0; i < o->nrels; i++) ver_coq_order_tell(o, o->rel[i].id);
        COQ_PUT(o->c, "  first [ lra | timeout 20 nra ].\n");
        found = true;
    }
    ver_ring_frac_clear(&s->difference, &o->r);
    ver_ring_frac_clear(&r, &o->r);
    return found;
}

static bool try_order(coq_writer *c, asked s, bool forced) {
    coq_order *o = c->b.st ? NULL : ph_calloc(1, sizeof *o);
    if (!o) {
        if (!c->b.st) c->b.st = ph_fail_nomem(c->b.err, sizeof *o);
        return false;
    }
    o->c = c;
    o->ngens = 1;
    c->b.st = ver_ring_init(&o->r, ORDER_GENS + 1, c->b.err);
    fmpz_mpoly_init(&o->sides, o->r.ctx);
    bool found = !c->b.st && prove(o, &s, forced);
    clear(o);
    return found;
}

/* What is not equal is above or below. */
static bool prove_unequal(coq_writer *c, expr_node *s) {
    for (int above = 1; above >= 0; above--) {
        ph_text kept = c->out;
        char *text = NULL;
        c->out = (ph_text){0};
        COQ_PUT(c, "  apply R%s_not_eq.\n", above ? "gt" : "lt");
        if (above) COQ_PUT(c, "  apply Rlt_gt.\n");
        bool found = try_order(c, (asked){.l = s->arg[above], .r = s->arg[!above], .strict = true},
                               !above && !c->proved);
        ph_status st = ph_text_take(&text, NULL, &c->out, c->b.err);
        if (st && !c->b.st) c->b.st = st;
        c->out = kept;
        if (found && text) COQ_PUT(c, "%s", text);
        ph_free(text);
        if (found || c->b.st) return found;
    }
    return false;
}

void ver_coq_prove_order(coq_writer *c, expr_node *s) {
    bool up = s->op == EXPR_GT || s->op == EXPR_GE, strict = s->op == EXPR_GT || s->op == EXPR_LT, found;
    if (s->op == EXPR_NE) found = prove_unequal(c, s);
    else {
        if (up) COQ_PUT(c, "  apply %s.\n", strict ? "Rlt_gt" : "Rle_ge");
        found = try_order(c, (asked){.l = s->arg[up], .r = s->arg[!up], .strict = strict}, !c->proved);
    }
    if (!found) ver_coq_refuse(c, "no certificate for an order by %s", c->method ? c->method : "cases");
}
