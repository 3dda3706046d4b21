/* conditions_text.c: what a proof holds for, in words: "for all real a, b, positive k with x - 1 != 0". Every condition is said in full. */
#include "base/text.h"
#include "verify/conditions.h"
#include "verify/internal.h"

#define SYMBOLS 40 /* of which a line says the names */

/* "x - 1 != 0"; of a condition over an index "k - 2 != 0 (k = 1, …, N)" */
static ph_status put_condition(ph_text *t, const expr_node *e, ph_err *err) {
    static const char *const sign[] = {"=", "!=", "<", "<=", ">", ">="};
    const expr_node *sum, *counted;
    char *l = NULL, *r = NULL;
    ph_status st = PH_OK;
    if (ver_condition_counts(e, &sum, &counted)) {
        PH_TRY(put_condition(t, counted, err));
        PH_TRY(expr_text(&l, sum->arg[1], 0, err));
        PH_TRY(expr_text(&r, sum->arg[2], 0, err));
        ph_putf(t, " (%s = %s, …, %s)", sum->arg[0]->name, l, r);
    } else {
        PH_TRY(expr_text(&l, e->arg[0], 0, err));
        PH_TRY(expr_text(&r, e->arg[1], 0, err));
        ph_putf(t, "%s %s %s", l, sign[e->op - EXPR_EQ], r);
    }
done:
    ph_free(l);
    ph_free(r);
    return st;
}

static ph_status put_atoms(ph_text *t, const expr_set *atoms, ph_err *err) {
    static const expr_kind order[] = {EXPR_REAL, EXPR_POSITIVE, EXPR_INTEGER, EXPR_NATURAL, EXPR_COMPLEX};
    static const char *const word[] = {"real", "positive", "integer", "natural", "complex"};
    int shown = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        bool first = true;
        for (int i = 0; i < atoms->n && shown <= SYMBOLS; i++) {
            const expr_node *sym = atoms->item[i]->op == EXPR_AT ? atoms->item[i]->arg[0] : atoms->item[i];
            char *name = NULL;
            if (sym->kind != order[k]) continue;
            if (++shown > SYMBOLS) {
                ph_puts(t, ", …");
                break;
            }
            ph_status st = expr_text(&name, atoms->item[i], 40, err);
            if (st) return st;
            ph_puts(t, t->n ? ", " : "for all ");
            if (first) ph_puts(t, word[order[k]]), ph_puts(t, " ");
            ph_puts(t, name);
            ph_free(name);
            first = false;
        }
    }
    return PH_OK;
}

/* The symbols of the statement and of what is assumed, each once. */
static ph_status all_atoms(expr_set *out, const expr_node *s, const ver_assume *a, ph_err *err) {
    ph_status st = expr_symbols(out, s, err);
    for (int i = 0; a && i < a->nwhere && !st; i++) {
        expr_set more = {0};
        st = expr_symbols(&more, a->where[i], err);
        for (int k = 0; k < more.n && !st; k++) st = expr_set_add(out, more.item[k], err);
        expr_set_clear(&more);
    }
    return st;
}

ph_status ver_conditions_text(char **out, const expr_node *s, const expr_set *conditions, const ver_assume *a,
                              bool unmet, ph_err *err) {
    expr_set atoms = {0}, all = {0};
    ph_text t = {0};
    int nc = conditions->n, n = nc + (a ? a->nwhere : 0);
    ph_status st = PH_OK;
    PH_TRY(all_atoms(&atoms, s, a, err));
    PH_TRY(put_atoms(&t, &atoms, err));
    for (int i = 0; i < n; i++)
        PH_TRY(expr_set_append(&all, i < nc ? conditions->item[i] : a->where[i - nc], err)); /* each once */
    for (int i = 0; i < all.n; i++) {
        ph_puts(&t, i ? ", " : t.n ? " with " : "with ");
        PH_TRY(put_condition(&t, all.item[i], err));
    }
    if (unmet) ph_puts(&t, " (no point was found that meets this)");
    if (t.n || t.failed) {
        ph_free(*out);
        *out = NULL;
        st = ph_text_take(out, NULL, &t, err);
    }
done:
    ph_text_drop(&t);
    expr_set_clear(&atoms);
    expr_set_clear(&all);
    return st;
}
