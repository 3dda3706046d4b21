/* parts.c: the distinct parts of a formula, children first, found by a table. A formula is a tree on paper and a graph in
 * memory; every walk of the normal form is over this list, so that shared parts cost once. */
#include <string.h>

#include "verify/normal_internal.h"

static size_t slot_of(const normal *c, const expr_node *e) {
    size_t mask = c->nslots - 1, i = (size_t)(e->hash * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (c->slot[i] && !expr_same(c->parts[c->slot[i] - 1].node, e)) i = (i + 1) & mask;
    return i;
}

formula_part *ver_part_of(const normal *c, const expr_node *e) {
    if (!c->nslots) return NULL;
    size_t i = slot_of(c, e);
    return c->slot[i] ? &c->parts[c->slot[i] - 1] : NULL;
}

static ph_status grow(normal *c) {
    size_t cap = c->capparts ? 2 * c->capparts : 64, bytes = 2 * cap * sizeof *c->slot;
    formula_part *p = ph_realloc(c->parts, cap * sizeof *p);
    if (!p) return ph_fail_nomem(c->err, cap * sizeof *p);
    c->parts = p;
    uint32_t *slot = ph_calloc(1, bytes);
    if (!slot) return ph_fail_nomem(c->err, bytes);
    ph_free(c->slot);
    c->slot = slot;
    c->nslots = 2 * cap;
    c->capparts = cap;
    for (size_t i = 0; i < c->nparts; i++) c->slot[slot_of(c, c->parts[i].node)] = (uint32_t)i + 1;
    return PH_OK;
}

ph_status ver_find_parts(normal *c, expr_node *e, int *height) {
    ph_status st = PH_OK;
    int h = 0;
    if (e->op == EXPR_RAT) return *height = 0, PH_OK;
    formula_part *known = ver_part_of(c, e);
    if (known) {
        known->uses++;
        return *height = known->height, PH_OK;
    }
    if (ph_interrupted()) return ph_fail_interrupted(c->err);
    for (uint32_t i = 0; !ver_is_atom(e) && i < e->nargs; i++) {
        int k;
        PH_TRY(ver_find_parts(c, e->arg[i], &k));
        if (k > h) h = k;
    }
    if (c->nparts == c->capparts) PH_TRY(grow(c));
    *height = h + ver_is_function(e);
    c->slot[slot_of(c, e)] = (uint32_t)c->nparts + 1;
    c->parts[c->nparts++] = (formula_part){.node = e, .height = *height, .uses = 1, .plan = -1};
done:
    return st;
}

void ver_forget_values(normal *c) {
    for (size_t i = 0; i < c->nparts; i++) {
        if (c->parts[i].known) ver_ring_frac_clear(&c->parts[i].value, &c->r);
        c->parts[i].known = false;
    }
}
