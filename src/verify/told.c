/* told.c: see told.h. Every condition is said in full. */
#include "verify/told.h"

#include "base/list.h"
#include "base/text.h"
#include "verify/conditions.h"
#include "verify/words.h"

#include <stdio.h>
#include <string.h>

#define NAMED      40 /* atoms, of one statement */
#define NAMED_JOIN 12 /* of many: about a line of a terminal */

/* ---- the data ------------------------------------------------------------------------------------------ */

void ver_tell_no_box(ver_told *t) {
    for (int i = 0; i < t->nsides; i++) {
        expr_drop(t->side[i].sym);
        expr_drop(t->side[i].lo);
        expr_drop(t->side[i].hi);
    }
    ph_free(t->side);
    t->side = NULL;
    t->nsides = t->boxed = 0;
    expr_set_clear(&t->conditions);
}

static void drop_values(ver_value *value, int n) {
    for (int i = 0; i < n; i++) ph_free(value[i].name), ph_free(value[i].value);
    ph_free(value);
}

static void unsay(ver_said *s) {
    for (int i = 0; i < VER_LANGS; i++) ph_free(s->form[i]);
    drop_values(s->value, s->n);
    *s = (ver_said){0};
}

void ver_told_drop(ver_told *t) {
    if (!t) return;
    ver_tell_no_box(t);
    expr_set_clear(&t->atoms);
    expr_set_clear(&t->conditions);
    for (int i = 0; i < VER_PARTS; i++) unsay(&t->said[i]);
    drop_values(t->at, t->n);
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

static ph_status more_values(ver_value **list, int *n, const char *name, const char *value, bool first,
                             ph_err *err) {
    ver_value *at = ph_list_more(*list, (size_t)*n, sizeof *at), new = {0};
    if (!at) return ph_fail_nomem(err, (size_t)*n * sizeof *at);
    *list = at;
    new.name = ph_strdup(name);
    new.value = ph_strdup(value);
    if (!new.name || !new.value) {
        ph_free(new.name);
        ph_free(new.value);
        return ph_fail_nomem(err, 64);
    }
    for (int i = *n; first && i > 0; i--) at[i] = at[i - 1];
    at[first ? 0 : *n] = new;
    ++*n;
    return PH_OK;
}

ph_status ver_tell_value(ver_told *t, const char *name, const char *value, bool first, ph_err *err) {
    return more_values(&t->at, &t->n, name, value, first, err);
}

static ph_status tell_number(ver_told *t, const char *name, int64_t number, ph_err *err) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)number);
    return ver_tell_value(t, name, text, false, err);
}

ph_status ver_tell_sample(ver_told *t, int64_t number, ph_err *err) {
    t->kind = VER_SAMPLE;
    return tell_number(t, "sample", number, err);
}

ph_status ver_tell_place(ver_told *t, const int64_t *index, int n, ph_err *err) {
    ph_status st = PH_OK;
    t->kind = VER_PLACE;
    for (int i = 0; i < n && !st; i++) {
        char axis[16];
        snprintf(axis, sizeof axis, "%d", i + 1);
        st = tell_number(t, axis, index[i], err);
    }
    return st;
}

ph_status ver_say(ver_told *t, ver_part part, const char *const form[VER_LANGS], ph_err *err) {
    ver_said *s = &t->said[part];
    unsay(s);
    for (int i = 0; i < VER_LANGS; i++)
        if (!(s->form[i] = ph_strdup(form[i]))) return ph_fail_nomem(err, 64);
    return PH_OK;
}

ph_status ver_say_value(ver_told *t, ver_part part, const char *name, const char *value, ph_err *err) {
    return more_values(&t->said[part].value, &t->said[part].n, name, value, false, err);
}

ph_status ver_say_as(ver_told *t, ver_part part, const ver_told *other, ph_err *err) {
    const ver_said *s = &other->said[part];
    ph_status st = ver_say(t, part, (const char *const *)s->form, err);
    for (int i = 0; i < s->n && !st; i++)
        st = ver_say_value(t, part, s->value[i].name, s->value[i].value, err);
    return st;
}

ph_status ver_tell_condition(ver_told *t, expr_op op, expr_node *l, expr_node *r, ph_err *err) {
    expr_node *s = NULL;
    ph_status st = expr_make2(&s, op, l, r, err);
    if (!st) st = expr_set_append(&t->conditions, s, err);
    expr_drop(s);
    return st;
}

ph_status ver_tell_side(ver_told *t, expr_node *sym, expr_node *lo, expr_node *hi, bool integer,
                        ph_err *err) {
    ver_told_side *side = ph_realloc(t->side, ((size_t)t->nsides + 1) * sizeof *side);
    if (!side) return ph_fail_nomem(err, ((size_t)t->nsides + 1) * sizeof *side);
    t->side = side;
    side[t->nsides++] = (ver_told_side){expr_ref(sym), expr_ref(lo), hi ? expr_ref(hi) : NULL, integer};
    bool point = hi && expr_same(lo, hi);
    ph_status st = ver_tell_condition(t, point ? EXPR_EQ : EXPR_GE, sym, lo, err);
    if (!st && hi && !point) st = ver_tell_condition(t, EXPR_LE, sym, hi, err);
    t->boxed = t->conditions.n;
    return st;
}

ph_status ver_tell_slopes(ver_told *t, const ver_told *rise, const ver_told *fall, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < rise->n && !st; i++)
        st = ver_tell_value(t, rise->at[i].name, rise->at[i].value, false, err);
    t->turn = t->n;
    for (int i = 0; i < fall->n && !st; i++)
        st = ver_tell_value(t, fall->at[i].name, fall->at[i].value, false, err);
    t->kind = VER_SLOPES;
    return st;
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

/* "x in [0, 1/3]", "y = 2" */
static ph_status put_side(ph_text *t, const ver_told_side *s, ver_lang lang, ph_err *err) {
    char *name = NULL, *lo = NULL, *hi = NULL;
    ph_status st = PH_OK;
    PH_TRY(expr_text(&name, s->sym, 40, err));
    PH_TRY(expr_text(&lo, s->lo, 60, err));
    PH_TRY(expr_text(&hi, s->hi, 60, err));
    if (expr_same(s->lo, s->hi)) ph_putf(t, "%s = %s", name, lo);
    else ph_putf(t, "%s%s%s, %s]", name, ver_word(lang, VER_W_IN), lo, hi);
done:
    ph_free(name);
    ph_free(lo);
    ph_free(hi);
    return st;
}

/* A box of whole numbers alone is named so once, before them. */
static ph_status put_box(ph_text *t, const ver_told *told, ver_lang lang, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < told->nsides && !st; i++) {
        const ver_told_side *s = &told->side[i];
        bool integer = s->integer && told->extent != VER_ENTRIES && !expr_same(s->lo, s->hi);
        if (i) ph_puts(t, integer ? ver_word(lang, VER_W_COMMA) : ", ");
        if (integer) ph_puts(t, ver_word(lang, VER_W_INTEGER));
        st = put_side(t, s, lang, err);
    }
    return st;
}

static void put_count(ph_text *t, const char *before, int64_t n, const char *after) {
    ph_putf(t, "%s%lld%s", before, (long long)n, after);
}

static ph_status put_extent(ph_text *t, const ver_told *told, ver_lang lang, ph_err *err) {
    switch (told->extent) {
    case VER_NO_EXTENT: return PH_OK;
    case VER_WITHIN:
        ph_putf(t, "%s%.3g%s", ver_word(lang, VER_W_WITHIN), told->tolerance, ver_word(lang, VER_W_COMMA));
        ph_puts(t, ver_word(lang, VER_W_FOR_ALL_IN));
        break;
    case VER_OVER:
        if (told->nsides) ph_puts(t, ver_word(lang, VER_W_FOR_ALL_IN));
        break;
    case VER_ENTRIES: ph_puts(t, ver_word(lang, VER_W_FOR_ALL_INTEGERS)); break;
    case VER_ROOTS:
        if (!told->count) ph_puts(t, ver_word(lang, VER_W_NO_ROOT));
        else
            put_count(t, ver_word(lang, VER_W_EXACTLY), told->count,
                      ver_word(lang, told->count == 1 ? VER_W_ROOT : VER_W_ROOTS));
        ph_puts(t, ver_word(lang, VER_W_COMMA));
        break;
    case VER_COURSE:
        ph_puts(t, ver_word(lang, VER_W_INCREASING + (ver_word_id)told->count));
        ph_puts(t, ver_word(lang, VER_W_COMMA));
        break;
    case VER_DIGITS:
    case VER_INTEGRAL:
        put_count(t, ver_word(lang, told->extent == VER_DIGITS ? VER_W_VALUE_TO : VER_W_INTEGRAL_TO),
                  told->count, ver_word(lang, VER_W_DIGITS));
        break;
    case VER_INDUCTION:
        ph_puts(t, ver_word(lang, VER_W_FOR_ALL_INTEGERS));
        ph_putf(t, "%s >= %lld", told->side[0].sym->name, (long long)told->count);
        ph_puts(t, ver_word(lang, VER_W_GIVEN));
        if (told->early < told->count)
            ph_putf(t, "%s%s >= %lld%s", ver_word(lang, VER_W_OPEN), told->side[0].sym->name,
                    (long long)told->early, ver_word(lang, VER_W_CLOSE));
        return PH_OK;
    case VER_SEEDED: put_count(t, ver_word(lang, VER_W_SEED), told->count, ""); return PH_OK;
    }
    return put_box(t, told, lang, err);
}

static ph_status put_conditions(ph_text *t, const ver_told *told, ver_lang lang, ph_err *err) {
    ph_status st = told->extent ? put_extent(t, told, lang, err) : put_atoms(t, told, lang, err);
    for (int i = told->boxed; i < told->conditions.n && !st; i++) {
        ph_puts(t, i > told->boxed ? ", " : ver_word(lang, t->n ? VER_W_AND_WITH : VER_W_WITH));
        st = put_condition(t, told->conditions.item[i], err);
    }
    if (told->unmet) ph_puts(t, ver_word(lang, VER_W_UNMET));
    return st;
}

static void put_values(ph_text *t, const ver_value *at, int n) {
    for (int i = 0; i < n; i++) ph_putf(t, "%s%s = %s", i ? ", " : "", at[i].name, at[i].value);
}

static void put_point(ph_text *t, const ver_told *told) {
    put_values(t, told->at, told->n);
    if (told->more) ph_puts(t, ", …");
}

static void put_slopes(ph_text *t, const ver_told *told, ver_lang lang) {
    ph_puts(t, ver_word(lang, VER_W_RISES));
    put_values(t, told->at, told->turn);
    ph_puts(t, ver_word(lang, VER_W_FALLS));
    put_values(t, told->at + told->turn, told->n - told->turn);
}

/* What the sides are at the point, or a table's entry and the value. */
static void put_sides(ph_text *t, const ver_told *told, ver_lang lang) {
    bool entry = told->kind == VER_ENTRY;
    put_point(t, told);
    if (t->n) ph_puts(t, ver_word(lang, VER_W_COLON));
    ph_puts(t, ver_word(lang, entry ? VER_W_ENTRY : VER_W_LEFT));
    ph_puts(t, told->left);
    ph_puts(t, ver_word(lang, VER_W_COMMA));
    ph_puts(t, ver_word(lang, entry ? VER_W_TRUE_VALUE : VER_W_RIGHT));
    ph_puts(t, told->right);
    if (entry && told->beyond > 1)
        put_count(t, ver_word(lang, VER_W_WORST_OF), told->beyond, ver_word(lang, VER_W_BEYOND));
}

static void put_place(ph_text *t, const ver_told *told, ver_lang lang) {
    ph_puts(t, ver_word(lang, told->n ? VER_W_AT : VER_W_THE_VALUE));
    for (int i = 0; i < told->n; i++) ph_putf(t, "%s%s", i ? ", " : "", told->at[i].value);
    if (told->n) ph_puts(t, "]");
}

/* A form, its gaps filled. */
static void put_said(ph_text *t, const ver_said *s, ver_lang lang) {
    for (const char *f = s->form[lang]; *f;) {
        size_t n = strcspn(f, "{");
        ph_put(t, f, n);
        if (!f[n]) return;
        size_t name = strcspn(f += n + 1, "}");
        for (int i = 0; i < s->n; i++) {
            if (strlen(s->value[i].name) != name || strncmp(s->value[i].name, f, name) != 0) continue;
            ph_puts(t, s->value[i].value);
            break;
        }
        f += name + (f[name] == '}');
    }
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
    if (v->told && v->told->said[VER_CONDITIONS].form[lang])
        put_said(&t, &v->told->said[VER_CONDITIONS], lang);
    else if (v->told) st = put_conditions(&t, v->told, lang, err);
    return take(out, &t, st, err);
}

ph_status ver_witness(char **out, const ver_verdict *v, ver_lang lang, ph_err *err) {
    ph_text t = {0};
    const ver_told *told = v->told;
    if (v->witness) ph_puts(&t, v->witness);
    else if (told && told->said[VER_WITNESS].form[lang]) put_said(&t, &told->said[VER_WITNESS], lang);
    else if (told && told->kind == VER_SLOPES) put_slopes(&t, told, lang);
    else if (told && told->kind == VER_SAMPLE)
        ph_puts(&t, ver_word(lang, VER_W_SAMPLE_NUMBER)), ph_puts(&t, told->at[0].value);
    else if (told && told->kind == VER_PLACE) put_place(&t, told, lang);
    else if (told && told->left) put_sides(&t, told, lang);
    return take(out, &t, PH_OK, err);
}

ph_status ver_reason_words(char **out, const ver_verdict *v, ver_lang lang, ph_err *err) {
    ph_text t = {0};
    if (v->told && v->told->said[VER_REASON].form[lang]) put_said(&t, &v->told->said[VER_REASON], lang);
    else if (v->reason_text) ver_put_reason(v->reason_text, lang, put_piece, &t);
    return take(out, &t, PH_OK, err);
}

ph_status ver_told_point(char **out, const ver_told *told, ph_err *err) {
    ph_text t = {0};
    ph_puts(&t, "");
    if (told) put_point(&t, told);
    return ph_text_take(out, NULL, &t, err);
}
