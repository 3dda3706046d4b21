/* holes.c: see holes.h. */
#include "verify/holes.h"

#include "base/text.h"
#include "expr/build.h"
#include "verify/normal.h"
#include "verify/wide.h"

#define MAX_ORDER      4
#define MAX_CANDIDATES 24
#define MAX_SIZE       400 /* parts of a formula that is looked through */

typedef struct {
    expr_builder *b;
    const ver_box *box;
    expr_node *f;
    ver_holes *out;
} finder;

/* ---- what is 0 there ----------------------------------------------------------------------------------- */

/* Is e identically 0 where x = c, whatever the other variables are? */
static bool vanishes(const finder *d, expr_node *e, expr_node *x, expr_node *c) {
    expr_node *there = NULL;
    normal_form form;
    ph_err why = {0};
    ph_status st = expr_subst(&there, e, x, c, &why);
    if (!st) st = ver_normal_decide(&form, there, &why);
    bool zero = !st && form.answer == NORMAL_ZERO && form.conditions.n == 0;
    if (!st) ver_normal_clear(&form);
    expr_drop(there);
    if (ph_is_fatal(st) && !d->b->st) d->b->st = ph_fail(d->b->err, st, "%s", why.text);
    return zero;
}

static expr_node *slope(const finder *d, expr_node *e, expr_node *x) {
    expr_node *s = NULL;
    ph_err why = {0};
    ph_status st = expr_diff(&s, e, x, &why);
    if (ph_is_fatal(st)) d->b->st = ph_fail(d->b->err, st, "%s", why.text);
    return st ? NULL : expr_b_keep(d->b, s);
}

/* N^(k)/D^(k) for the k at which the denominator is no longer 0 at c; NULL: no 0/0, or none that is told. */
static expr_node *limit_form(const finder *d, const expr_node *q, expr_node *x, expr_node *c) {
    expr_node *n = q->arg[0], *m = q->arg[1];
    if (!vanishes(d, m, x, c)) return NULL;
    for (int k = 0; k < MAX_ORDER && n && m && !d->b->st; k++) {
        if (!vanishes(d, n, x, c)) return NULL;
        n = slope(d, n, x);
        m = n ? slope(d, m, x) : NULL;
        if (m && !vanishes(d, m, x, c)) return expr_b_2(d->b, EXPR_DIV, n, m);
    }
    return NULL;
}

/* ---- where to look ------------------------------------------------------------------------------------- */

typedef struct {
    expr_node *at[MAX_CANDIDATES];
    int n;
} candidates;

static void add_candidate(const finder *d, candidates *c, int64_t num, int64_t den) {
    expr_node *r = c->n < MAX_CANDIDATES ? expr_b_rat(d->b, num, den) : NULL;
    for (int i = 0; i < c->n && r; i++)
        if (expr_same(c->at[i], r)) return;
    if (r) c->at[c->n++] = r;
}

/* Numbers that stand in a denominator, of either sign: x − 2, log(x), e^x − 1, cos(x) + … */
static void gather(const finder *d, candidates *c, const expr_node *e) {
    if (e->op == EXPR_RAT && e->num != INT64_MIN) {
        add_candidate(d, c, e->num, e->den);
        add_candidate(d, c, -e->num, e->den);
    }
    for (uint32_t i = 0; i < e->nargs; i++) gather(d, c, e->arg[i]);
}

/* 2·x − 1 is 0 at 1/2. */
static void add_quotients(const finder *d, candidates *c) {
    int n = c->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const expr_node *a = c->at[i], *b = c->at[k];
            if (a->den == 1 && b->den == 1 && b->num > 1) add_candidate(d, c, a->num, b->num);
        }
}

/* a <= c <= b, for the ends as they are rounded outwards. */
static bool within(const arf_t a, const arf_t b, const expr_node *c) {
    arb_t x;
    arf_t t;
    arb_init(x);
    arf_init(t);
    ver_arb_set(x, (ver_ratio){c->num, c->den}, 128);
    arb_get_ubound_arf(t, x, 128);
    bool in = arf_cmp(a, t) <= 0;
    arb_get_lbound_arf(t, x, 128);
    in = in && arf_cmp(t, b) <= 0;
    arb_clear(x);
    arf_clear(t);
    return in;
}

static ver_hole *hole_for(const finder *d, int var, expr_node *at) {
    ver_holes *all = d->out;
    for (int i = 0; i < all->n; i++)
        if (all->hole[i].var == var && expr_same(all->hole[i].at, at)) return &all->hole[i];
    if (all->n == VER_HOLES) return NULL;
    ver_hole *h = &all->hole[all->n++];
    *h = (ver_hole){.var = var, .at = expr_ref(at), .f = expr_ref(d->f)};
    return h;
}

static void note(const finder *d, ver_hole *h, expr_node *q, expr_node *limit) {
    if (d->b->st || !h || h->nmust + 2 > VER_MUST) return;
    expr_node *f = expr_b_exchange(d->b, expr_b_keep(d->b, expr_ref(h->f)), q, limit);
    if (!f) return;
    expr_drop(h->f);
    h->f = expr_ref(f);
    h->must[h->nmust++] = expr_ref(q->arg[0]);
    h->must[h->nmust++] = expr_ref(q->arg[1]);
}

static void look_at(const finder *d, expr_node *q) {
    for (int v = 0; v < d->box->n && !d->b->st; v++) {
        expr_node *x = d->box->range[v].sym;
        candidates c = {.n = 0};
        if (d->box->fixed[v] || d->box->integer[v] || !expr_has(q->arg[1], x)) continue;
        add_candidate(d, &c, 0, 1);
        add_candidate(d, &c, 1, 1);
        gather(d, &c, q->arg[1]);
        add_quotients(d, &c);
        for (int i = 0; i < c.n && !d->b->st; i++) {
            if (!within(d->box->a[v], d->box->b[v], c.at[i])) continue;
            expr_node *limit = limit_form(d, q, x, c.at[i]);
            if (limit) note(d, hole_for(d, v, c.at[i]), q, limit);
        }
    }
}

static void look_through(const finder *d, expr_node *e) {
    if (expr_body(e) || e->op == EXPR_PIECE || d->b->st) return;
    if (e->op == EXPR_DIV && e->arg[1]->op != EXPR_RAT) look_at(d, e);
    for (uint32_t i = 0; i < e->nargs; i++) look_through(d, e->arg[i]);
}

ph_status ver_holes_find(ver_holes *out, expr_node *f, const ver_box *box, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    *out = (ver_holes){.n = 0};
    if (f->size <= MAX_SIZE) look_through(&(finder){&b, box, f, out}, f);
    if (b.st == PH_EDOMAIN || b.st == PH_EBUDGET) b.st = PH_OK; /* no hole, then */
    return expr_b_end(&b, NULL, NULL);
}

void ver_holes_clear(ver_holes *h) {
    for (int i = 0; i < h->n; i++) {
        expr_drop(h->hole[i].at);
        expr_drop(h->hole[i].f);
        for (int k = 0; k < h->hole[i].nmust; k++) expr_drop(h->hole[i].must[k]);
    }
    h->n = 0;
}

/* ---- use ----------------------------------------------------------------------------------------------- */

static ph_status real_ball(arb_t out, ver_mode mode, const expr_node *e, ver_point *p, slong prec,
                           ph_err *err) {
    acb_t z;
    acb_init(z);
    ph_status st = ver_point_ball(z, mode, e, p, prec, err);
    if (!st && acb_is_finite(z) && acb_is_real(z)) arb_swap(out, acb_realref(z));
    else arb_indeterminate(out);
    acb_clear(z);
    return st;
}

ph_status ver_holes_range(bool *seen, arb_t y, ver_mode mode, const ver_holes *h, const ver_box *box,
                          const ver_piece *piece, ph_err *err) {
    const ver_hole *one = NULL;
    int touched = 0;
    ver_point p;
    *seen = false;
    for (int i = 0; i < h->n; i++) {
        const ver_side *s = &piece->side[h->hole[i].var];
        if (!within(s->a, s->b, h->hole[i].at)) continue;
        one = &h->hole[i];
        touched++;
    }
    if (touched != 1) return PH_OK;
    ver_point_init(&p, box);
    ph_status st = ver_point_piece(&p, piece, piece->prec, err);
    bool smooth = true;
    for (int k = 0; k < one->nmust && smooth && !st; k++) {
        st = real_ball(y, VER_SMOOTH, one->must[k], &p, piece->prec, err);
        smooth = arb_is_finite(y);
    }
    if (!st && smooth) st = real_ball(y, mode, one->f, &p, piece->prec, err);
    *seen = !st && smooth && arb_is_finite(y);
    ver_point_clear(&p);
    return st;
}

bool ver_holes_touch(const ver_holes *h, const ver_piece *piece) {
    for (int i = 0; i < h->n; i++) {
        const ver_side *s = &piece->side[h->hole[i].var];
        if (within(s->a, s->b, h->hole[i].at)) return true;
    }
    return false;
}

bool ver_holes_at(const ver_holes *h, const ver_point *p) {
    bool in = false;
    fmpq_t q, c;
    fmpq_init(q);
    fmpq_init(c);
    for (int i = 0; h && i < h->n && !in; i++) {
        int v = h->hole[i].var;
        const expr_node *at = h->hole[i].at;
        if (p->formula[v]) in = expr_same(p->formula[v], at);
        else if (arb_is_exact(p->v[v]) && arf_bits(arb_midref(p->v[v])) < 200 &&
                 arf_cmpabs_2exp_si(arb_midref(p->v[v]), 200) < 0) {
            arf_get_fmpq(q, arb_midref(p->v[v]));
            ver_fmpq_set(c, at->num, at->den);
            in = fmpq_equal(q, c);
        }
    }
    fmpq_clear(q);
    fmpq_clear(c);
    return in;
}

ph_status ver_holes_tell(ver_told *t, const ver_holes *h, const ver_box *box, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < h->n && !st; i++)
        st = ver_tell_condition(t, EXPR_NE, box->range[h->hole[i].var].sym, h->hole[i].at, err);
    return st;
}
