/* recurrence.c: the given equations of an induction, read, and the values that follow from their starts. */
#include "verify/recurrence.h"

#include "verify/normal.h"

#define MAX_ORDER 8    /* of a recurrence */
#define MAX_EARLY 64   /* steps from the first start to the base */
#define MAX_SIZE  4000 /* parts of a value that follows */

expr_node *ver_rec_canonical(expr_builder *b, expr_node *e, void *ctx) {
    e = expr_b_rewrite(b, e, e->op == EXPR_AT || e->op == EXPR_SUM ? 1 : 0, ver_rec_canonical, ctx);
    if (!e || e->op != EXPR_AT) return e;
    expr_node *index = expr_b_linear(b, e->arg[1]);
    return index == e->arg[1] ? e : expr_b_2(b, EXPR_AT, e->arg[0], index);
}

expr_node *ver_rec_at(expr_builder *b, expr_node *e, expr_node *n, expr_node *value) {
    e = expr_b_replace(b, e, n, value);
    return e ? ver_rec_canonical(b, e, NULL) : NULL;
}

bool ver_rec_is_step(const ver_recurrence *p, int i) { return expr_has(p->given[i]->arg[0], p->n); }

int64_t ver_rec_reach(ver_recurrence *p, int i) {
    expr_node *gap = expr_b_linear(&p->b, expr_b_sub(&p->b, p->given[i]->arg[0]->arg[1], p->n));
    if (p->b.st) return 0;
    if (gap->op == EXPR_RAT && gap->den == 1 && gap->num >= 1 && gap->num <= MAX_ORDER) return gap->num;
    p->b.st = ph_fail(p->b.err, PH_EARG, "a given equation's left side is not at n+1, …, n+%d", MAX_ORDER);
    return 0;
}

ph_status ver_rec_read(ver_recurrence *p) {
    for (int i = 0; i < p->ngiven; i++) {
        const expr_node *g = p->given[i]; /* a number has no sides */
        if (g->op != EXPR_EQ || g->arg[0]->op != EXPR_AT)
            return ph_fail(p->b.err, PH_EARG, "a given equation is not of the form eq(a[n+1], ...)");
        expr_node *l = g->arg[0];
        int64_t r = ver_rec_is_step(p, i) ? ver_rec_reach(p, i) : 0;
        if (p->b.st) return p->b.st;
        if (r > p->order) p->order = r;
        for (int k = 0; k < i; k++) {
            expr_node *one = ver_rec_canonical(&p->b, l, NULL),
                      *two = ver_rec_canonical(&p->b, p->given[k]->arg[0], NULL);
            if (p->b.st) return p->b.st;
            if (expr_same(one, two))
                return ph_fail(p->b.err, PH_EARG, "two given equations are for the same member");
        }
    }
    for (int i = 0; i < p->count; i++) {
        expr_node *s = p->statement[i];
        if (s->op != EXPR_EQ || s->arg[0]->op != EXPR_AT || !expr_same(s->arg[0]->arg[1], p->n))
            return ph_fail(p->b.err, PH_EARG, "a statement is not of the form eq(a[n], ...)");
    }
    return p->order ? PH_OK : ph_fail(p->b.err, PH_EARG, "no recurrence a[n+1] = ... is given");
}

/* ---- starts, and the values that follow from them ------------------------------------------------------- */

void ver_rec_note_apart(ver_recurrence *p, expr_node *one, expr_node *other) {
    expr_node *both = expr_b_2(&p->b, EXPR_EQ, one, other);
    if (both) p->b.st = expr_set_append(&p->apart, both, p->b.err);
}

static void add_known(ver_recurrence *p, expr_node *member, expr_node *value) {
    if (!member || !value || p->nknown == VER_REC_VALUES) return;
    for (int i = 0; i < p->nknown; i++)
        if (expr_same(p->known[i].member, member)) {
            p->known[i].twice = true;
            if (!ver_normal_equal(&p->b, p->known[i].value, value))
                ver_rec_note_apart(p, p->known[i].value, value);
            return;
        }
    p->known[p->nknown++] = (ver_rec_known){member, value, false};
}

expr_node *ver_rec_put_known(ver_recurrence *p, expr_node *e) {
    for (int i = 0; e && i < p->nknown; i++)
        e = expr_b_replace(&p->b, e, p->known[i].member, p->known[i].value);
    return e;
}

bool ver_rec_uses_family(const ver_recurrence *p, const expr_node *e) {
    if (e->op == EXPR_AT) {
        for (int i = 0; i < p->count; i++)
            if (expr_same(e->arg[0], p->statement[i]->arg[0]->arg[0])) return true;
        for (int i = 0; i < p->ngiven; i++)
            if (expr_same(e->arg[0], p->given[i]->arg[0]->arg[0])) return true;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_rec_uses_family(p, e->arg[i])) return true;
    return false;
}

ph_status ver_rec_follow(ver_recurrence *p, int64_t lo, int64_t hi) {
    expr_builder *b = &p->b;
    for (int64_t v = lo; v < hi && !b->st; v++)
        for (int i = 0; i < p->ngiven && !b->st; i++) {
            int64_t r = ver_rec_is_step(p, i) ? ver_rec_reach(p, i) : 0;
            if (!r || v - r < p->first) continue;
            expr_node *n = expr_b_rat(b, v - r, 1), *l = ver_rec_at(b, p->given[i]->arg[0], p->n, n),
                      *value = ver_rec_put_known(p, ver_rec_at(b, p->given[i]->arg[1], p->n, n));
            if (value && value->size <= MAX_SIZE && !ver_rec_uses_family(p, value)) add_known(p, l, value);
        }
    return b->st;
}

ph_status ver_rec_values(ver_recurrence *p) {
    expr_builder *b = &p->b;
    p->first = p->from;
    for (int i = 0; i < p->ngiven && !b->st; i++) {
        if (ver_rec_is_step(p, i)) continue;
        expr_node *l = ver_rec_canonical(b, p->given[i]->arg[0], NULL), *index = l ? l->arg[1] : NULL;
        add_known(p, l, p->given[i]->arg[1]);
        if (index && index->op == EXPR_RAT && index->den == 1 && index->num < p->first) p->first = index->num;
    }
    if (p->from - p->first > MAX_EARLY) p->first = p->from;
    return ver_rec_follow(p, p->first + 1, p->from + p->order);
}
