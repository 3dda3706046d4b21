/* told.c: see told.h. Every condition is said in full. */
#include "verify/told.h"

#include "base/list.h"
#include "base/text.h"
#include "verify/conditions.h"
#include "verify/words.h"

#define NAMED      40 /* atoms, of one statement */
#define NAMED_JOIN 12 /* of many: about a line of a terminal */

/* ---- the data ------------------------------------------------------------------------------------------ */

void ver_told_drop(ver_told *t) {
    if (!t) return;
    expr_set_clear(&t->atoms);
    expr_set_clear(&t->conditions);
    for (int i = 0; i < t->n; i++) ph_free(t->at[i].name), ph_free(t->at[i].value);
    ph_free(t->at);
    ph_free(t->left);
    ph_free(t->right);
    ph_free(t);
}

ph_status ver_told_of(ver_told **out, ver_verdict *v, ph_err *err) {
    if (!v->told && !(v->told = ph_calloc(1, sizeof *v->told))) return ph_fail_nomem(err, sizeof *v->told);
    *out = v->told;
    return PH_OK;
}

static ph_status append_all(expr_set *out, expr_node *const *items, int n, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < n && !st; i++) st = expr_set_append(out, items[i], err);
    return st;
}

static ph_status add_atoms(expr_set *out, const expr_node *e, ph_err *err) {
    expr_set more = {0};
    ph_status st = expr_symbols(&more, e, err);
    for (int k = 0; k < more.n && !st; k++) st = expr_set_add(out, more.item[k], err);
    expr_set_clear(&more);
    return st;
}

ph_status ver_tell_conditions(ver_verdict *v, const expr_node *statement, const expr_set *found,
                              const ver_assume *a, bool unmet, ph_err *err) {
    ver_told *t = NULL;
    ph_status st = ver_told_of(&t, v, err);
    if (!st) st = expr_symbols(&t->atoms, statement, err);
    for (int i = 0; a && i < a->nwhere && !st; i++) st = add_atoms(&t->atoms, a->where[i], err);
    if (!st) st = append_all(&t->conditions, found->item, found->n, err);
    if (!st && a) st = append_all(&t->conditions, a->where, a->nwhere, err);
    if (st || !t) return st;
    t->unmet = unmet;
    t->named = NAMED;
    return PH_OK;
}

ph_status ver_tell_also(ver_verdict *v, const ver_verdict *part, ph_err *err) {
    ver_told *t = NULL;
    const ver_told *p = part->told;
    ph_status st = ver_told_of(&t, v, err);
    for (int i = 0; p && i < p->atoms.n && !st; i++) st = expr_set_add(&t->atoms, p->atoms.item[i], err);
    if (!st && p) st = append_all(&t->conditions, p->conditions.item, p->conditions.n, err);
    if (st || !t) return st;
    t->unmet |= p && p->unmet;
    t->named = NAMED_JOIN;
    return PH_OK;
}

ph_status ver_tell_value(ver_told *t, const char *name, const char *value, bool first, ph_err *err) {
    ver_value *at = ph_list_more(t->at, (size_t)t->n, sizeof *at), new = {0};
    if (!at) return ph_fail_nomem(err, (size_t)t->n * sizeof *at);
    t->at = at;
    new.name = ph_strdup(name);
    new.value = ph_strdup(value);
    if (!new.name || !new.value) {
        ph_free(new.name);
        ph_free(new.value);
        return ph_fail_nomem(err, 64);
    }
    for (int i = t->n; first && i > 0; i--) at[i] = at[i - 1];
    at[first ? 0 : t->n] = new;
    t->n++;
    return PH_OK;
}

ph_status ver_tell_sides(ver_told *t, char *left, char *right, ph_err *err) {
    ph_free(t->left);
    ph_free(t->right);
    t->left = left ? left : ph_strdup("?");
    t->right = right ? right : ph_strdup("?");
    return t->left && t->right ? PH_OK : ph_fail_nomem(err, 2);
}

/* ---- the words ----------------------------------------------------------------------------------------- */

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

static ph_status put_atoms(ph_text *t, const ver_told *told, ver_lang lang, ph_err *err) {
    static const expr_kind order[] = {EXPR_REAL, EXPR_POSITIVE, EXPR_INTEGER, EXPR_NATURAL, EXPR_COMPLEX};
    const expr_set *atoms = &told->atoms;
    int shown = 0;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        bool first = true;
        for (int i = 0; i < atoms->n && shown <= told->named; i++) {
            const expr_node *sym = atoms->item[i]->op == EXPR_AT ? atoms->item[i]->arg[0] : atoms->item[i];
            char *name = NULL;
            if (sym->kind != order[k]) continue;
            if (++shown > told->named) {
                ph_puts(t, ", …");
                break;
            }
            ph_status st = expr_text(&name, atoms->item[i], 40, err);
            if (st) return st;
            if (!t->n) ph_puts(t, ver_word(lang, VER_W_FOR_ALL));
            else ph_puts(t, first ? ver_word(lang, VER_W_COMMA) : ", ");
            if (first) ph_puts(t, ver_word(lang, VER_W_REAL + (ver_word_id)k));
            ph_puts(t, name);
            ph_free(name);
            first = false;
        }
    }
    return PH_OK;
}

static ph_status put_conditions(ph_text *t, const ver_told *told, ver_lang lang, ph_err *err) {
    ph_status st = put_atoms(t, told, lang, err);
    for (int i = 0; i < told->conditions.n && !st; i++) {
        ph_puts(t, i ? ", " : ver_word(lang, t->n ? VER_W_AND_WITH : VER_W_WITH));
        st = put_condition(t, told->conditions.item[i], err);
    }
    if (told->unmet) ph_puts(t, ver_word(lang, VER_W_UNMET));
    return st;
}

static void put_point(ph_text *t, const ver_told *told) {
    for (int i = 0; i < told->n; i++)
        ph_putf(t, "%s%s = %s", i ? ", " : "", told->at[i].name, told->at[i].value);
    if (told->more) ph_puts(t, ", …");
}

static void put_piece(void *t, const char *s, size_t n) { ph_put(t, s, n); }

/* What was put, unless it is nothing. */
static ph_status take(char **out, ph_text *t, ph_status st, ph_err *err) {
    *out = NULL;
    if (!st && (t->n || t->failed)) return ph_text_take(out, NULL, t, err);
    ph_text_drop(t);
    return st;
}

ph_status ver_conditions(char **out, const ver_verdict *v, ver_lang lang, ph_err *err) {
    ph_text t = {0};
    ph_status st = PH_OK;
    if (v->conditions) ver_translate(v->conditions, VER_CONDITIONS, lang, put_piece, &t);
    else if (v->told) st = put_conditions(&t, v->told, lang, err);
    return take(out, &t, st, err);
}

ph_status ver_witness(char **out, const ver_verdict *v, ver_lang lang, ph_err *err) {
    ph_text t = {0};
    const ver_told *told = v->told;
    if (v->witness) ver_translate(v->witness, VER_WITNESS, lang, put_piece, &t);
    else if (told && told->left) {
        put_point(&t, told);
        if (t.n) ph_puts(&t, ver_word(lang, VER_W_COLON));
        ph_puts(&t, ver_word(lang, VER_W_LEFT));
        ph_puts(&t, told->left);
        ph_puts(&t, ver_word(lang, VER_W_COMMA));
        ph_puts(&t, ver_word(lang, VER_W_RIGHT));
        ph_puts(&t, told->right);
    }
    return take(out, &t, PH_OK, err);
}

ph_status ver_told_point(char **out, const ver_told *told, ph_err *err) {
    ph_text t = {0};
    ph_puts(&t, "");
    if (told) put_point(&t, told);
    return ph_text_take(out, NULL, &t, err);
}
