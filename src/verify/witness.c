/* witness.c: what is told of a point where a statement fails; and such a point, among those that its conditions and its own constants let in (meet.h): x < 1000 where x >= 10. */
#include "verify/internal.h"

#include <string.h>

#include "expr/build.h"
#include "verify/ball.h"
#include "verify/given.h"
#include "verify/implied.h"
#include "verify/kept.h"
#include "verify/meet.h"
#include "verify/meter.h"
#include "verify/told.h"
#include "verify/wide.h"

#define LOOKS     40  /* points that balls look at */
#define LOOK_WORK 2e5 /* parts of the formula, over all of them */
#define LOOK_PREC 512
#define TOLD_PREC 2048 /* of the sides at a witness */

/* ---- what is told ---------------------------------------------------------------------------------------- */

static ph_status tell(ver_verdict *out, const ver_asked *q, uint64_t seed, ph_err *err) {
    const expr_node *s = q->s;
    char *l = NULL, *r = NULL;
    ver_told *told;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    ph_status st = PH_OK;
    PH_TRY(ver_told_of(&told, out, err));
    PH_TRY(ver_point_tell(told, s, seed, err));
    for (int i = 0; q->a && i < q->a->nwhere; i++) /* to check them there takes their symbols, too */
        PH_TRY(ver_point_tell(told, q->a->where[i], seed, err));
    if (q->given) PH_TRY(ver_given_tell(told, q->given, seed, err));
    ver_truth seen = VER_UNDECIDED; /* as many bits as show what was decided */
    for (slong prec = 128; prec <= TOLD_PREC && seen != VER_FALSE; prec *= 2) {
        PH_TRY(ver_kept_ball(x, s->arg[0], seed, prec, err));
        PH_TRY(ver_kept_ball(y, s->arg[1], seed, prec, err));
        seen = ver_ball_compare(s->op, x, y);
    }
    ver_sides_text(&l, &r, x, y, 8);
    st = ver_tell_sides(told, l, r, err);
done:
    acb_clear(x);
    acb_clear(y);
    return st;
}

ph_status ver_refute_at(ver_verdict *out, const ver_asked *q, uint64_t seed, ph_err *err) {
    ver_decide(out, VER_REFUTED);
    if (out->bare) return PH_OK;
    ph_status st = ver_set(&out->method, err, "balls at a rational point");
    return st ? st : tell(out, q, seed, err);
}

/* ---- where conditions point ------------------------------------------------------------------------------ */

typedef struct {
    const ver_asked *q;
    ver_verdict *out;
    const ver_sampler *at;
    int left;
    bool found;
} hunt;

/* May a symbol of that kind be the number? The search leaves 0 to what is positive. */
static bool allows(const expr_node *atom, const fmpq_t q) {
    const expr_kind k = (atom->op == EXPR_AT ? atom->arg[0] : atom)->kind;
    if ((k == EXPR_POSITIVE || k == EXPR_NATURAL) && fmpq_sgn(q) <= 0) return false;
    return (k != EXPR_INTEGER && k != EXPR_NATURAL) || fmpz_is_one(fmpq_denref(q));
}

/* x = the number that the sampler has come to, beside what equations give; false: there is no room, or it may not be that. */
static bool fix(ver_given *g, expr_builder *b, const ver_sampler *at) {
    for (int i = 0; i < at->n; i++) {
        const ver_hint *h = &at->hint[i];
        if (h->equals || !h->has_lo || !h->has_hi || !fmpq_equal(h->lo, h->hi)) continue;
        bool fits = fmpz_fits_si(fmpq_numref(h->lo)) && fmpz_fits_si(fmpq_denref(h->lo));
        if (g->n == VER_GIVEN || !fits || !allows(h->atom, h->lo)) return false;
        expr_node *x = expr_b_keep(b, expr_ref((expr_node *)h->atom)),
                  *v = expr_b_rat(b, fmpz_get_si(fmpq_numref(h->lo)), fmpz_get_si(fmpq_denref(h->lo)));
        for (int k = 0; k < g->n && v; k++)
            if (!(g->value[k] = expr_b_try_subst(b, g->value[k], x, v))) return false;
        g->x[g->n] = x;
        g->value[g->n++] = v;
    }
    return !b->st;
}

/* What is assumed, with the numbers put in, as far as balls have to look; false: it does not hold there, or that is not seen. */
static bool put_assumed(ver_assume *a, expr_node **where, expr_builder *b, const ver_given *g,
                        const ver_assume *assumed) {
    *a = (ver_assume){where, 0};
    for (int i = 0; assumed && i < assumed->nwhere; i++) {
        bool holds = true;
        expr_node *c = ver_given_put(g, b, assumed->where[i]);
        if (!c) return false;
        if (!ver_decided(&holds, b, c)) where[a->nwhere++] = c;
        if (!holds) return false;
    }
    return true;
}

/* The statement and its conditions with the numbers put in: a witness, when balls see that these hold and that does not. */
static ph_status look(bool *wanted, void *ctx, ph_err *err) {
    hunt *h = ctx;
    ph_err unheard = {0};
    expr_builder b = EXPR_BUILDER(&unheard);
    ver_given g = {.n = 0};
    ver_assume a;
    expr_node *where[VER_REST];
    if (h->at->seed) return PH_OK; /* the same numbers */
    if (h->q->given) g = *h->q->given;
    expr_node *s = fix(&g, &b, h->at) ? ver_given_put(&g, &b, h->q->s) : NULL;
    ph_status st = PH_OK;
    if (s && put_assumed(&a, where, &b, &g, h->q->a) && !b.st)
        st = ver_search(h->out, &h->found, &(ver_asked){s, &a, &g}, 0, 1, LOOK_PREC, err);
    ph_status end = expr_b_end(&b, NULL, NULL);
    if (!st && ph_is_fatal(end)) st = ph_fail(err, end, "%s", unheard.text);
    *wanted = h->found || --h->left <= 0;
    return st;
}

/* Points that meet the conditions and l op r. */
static ph_status among(hunt *h, expr_op op, ph_err *err) {
    const ver_assume *a = h->q->a;
    expr_node *list[VER_REST + 1], *denial = NULL;
    ver_sampler at;
    bool empty;
    int n = a ? a->nwhere : 0;
    if (n > VER_REST) return PH_OK;
    ph_status st = expr_make2(&denial, op, h->q->s->arg[0], h->q->s->arg[1], err);
    if (st) return st;
    if (n) memcpy(list, a->where, (size_t)n * sizeof *list);
    list[n] = denial;
    ver_sampler_init(&at, h->q->s, NULL,
                     0); /* every symbol is to get a number, also where an equation gives it */
    h->at = &at;
    st = ver_meet(&empty, &at, list, n + 1, look, h, err);
    ver_sampler_clear(&at);
    expr_drop(denial);
    return st;
}

ph_status ver_search_met(ver_verdict *out, bool *found, const ver_asked *q, ph_err *err) {
    static const expr_op denials[][2] = {{EXPR_LT, EXPR_GT}, {EXPR_EQ}, {EXPR_GE},
                                         {EXPR_GT},          {EXPR_LE}, {EXPR_LT}};
    const expr_node *s = q->s;
    const expr_op *denial = denials[s->op - EXPR_EQ];
    const double work = ver_work_of(s, LOOK_WORK);
    hunt h = {.q = q, .out = out};
    ph_status st = PH_OK;
    *found = false;
    if (!ver_looks_at_points || out->bare || expr_is_constant(s) || work >= LOOK_WORK) return PH_OK;
    for (int k = 0; k < (s->op == EXPR_EQ ? 2 : 1) && !st && !h.found && !ver_meter_is_empty(); k++) {
        h.left = work * LOOKS < LOOK_WORK ? LOOKS : 1 + (int)(LOOK_WORK / work);
        st = among(&h, denial[k], err);
    }
    *found = h.found;
    return st;
}
