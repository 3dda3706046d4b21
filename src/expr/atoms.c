/* atoms.c: the symbols and members of families that a formula is of, as a set. */
#include "base/list.h"
#include "expr/build.h"

#include <string.h>

void expr_set_clear(expr_set *s) {
    for (int i = 0; i < s->n; i++) expr_drop(s->item[i]);
    ph_free(s->item);
    *s = (expr_set){0};
}

static const char *base_name(const expr_node *a) { return a->op == EXPR_AT ? a->arg[0]->name : a->name; }

static int set_find(const expr_set *s, const expr_node *e) {
    for (int i = 0; i < s->n; i++)
        if (s->item[i]->hash == e->hash && expr_same(s->item[i], e)) return i;
    return -1;
}

static ph_status set_insert(expr_set *s, int at, expr_node *e, ph_err *err) {
    expr_node **item = ph_list_more(s->item, (size_t)s->n, sizeof *item);
    if (!item) return ph_fail_nomem(err, (size_t)s->n * sizeof *item);
    s->item = item;
    memmove(s->item + at + 1, s->item + at, (size_t)(s->n - at) * sizeof *s->item);
    s->item[at] = expr_ref(e);
    s->n++;
    return PH_OK;
}

ph_status expr_set_add(expr_set *s, expr_node *e, ph_err *err) {
    int at = 0;
    if (set_find(s, e) >= 0) return PH_OK;
    while (at < s->n && strcmp(base_name(s->item[at]), base_name(e)) <= 0) at++;
    return set_insert(s, at, e, err);
}

ph_status expr_set_append(expr_set *s, expr_node *e, ph_err *err) {
    return set_find(s, e) >= 0 ? PH_OK : set_insert(s, s->n, e, err);
}

typedef struct {
    const expr_node *sym;
    const void *up;
} bound;

/* A chain of bound indices, innermost first. */
static bool is_bound(const bound *b, const expr_node *sym) {
    for (; b; b = b->up)
        if (expr_same(b->sym, sym)) return true;
    return false;
}

static bool uses_bound(const bound *b, const expr_node *e) {
    for (; b; b = b->up)
        if (expr_has(e, b->sym)) return true;
    return false;
}

static ph_status collect(expr_set *out, expr_node *e, const bound *b, ph_err *err) {
    if (e->op == EXPR_SYM) return is_bound(b, e) ? PH_OK : expr_set_add(out, e, err);
    ph_status st = PH_OK;
    uint32_t body = expr_body(e);
    if (body) {
        bound inner = {e->arg[0], b};
        for (uint32_t i = 1; i < e->nargs; i++) PH_TRY(collect(out, e->arg[i], i == body ? &inner : b, err));
    } else if (e->op == EXPR_AT) {
        if (!uses_bound(b, e)) PH_TRY(expr_set_add(out, e, err));
        else PH_TRY(expr_set_add(out, e->arg[0], err)); /* θ_i under Σ_i stands for its family */
        PH_TRY(collect(out, e->arg[1], b, err));
    } else {
        for (uint32_t i = 0; i < e->nargs; i++) PH_TRY(collect(out, e->arg[i], b, err));
    }
done:
    return st;
}

static ph_status check_names(const expr_set *s, ph_err *err) {
    for (int i = 0; i + 1 < s->n; i++) {
        const expr_node *a = s->item[i], *b = s->item[i + 1];
        const expr_node *x = a->op == EXPR_AT ? a->arg[0] : a, *y = b->op == EXPR_AT ? b->arg[0] : b;
        if (strcmp(x->name, y->name) == 0 && x->kind != y->kind)
            return ph_fail(
                err, PH_EARG,
                "the name '%s' stands for two symbols, one %s and one %s; give one of them another name",
                x->name, expr_kind_name(x->kind), expr_kind_name(y->kind));
    }
    return PH_OK;
}

ph_status expr_symbols(expr_set *out, const expr_node *e, ph_err *err) {
    *out = (expr_set){0};
    ph_status st = collect(out, (expr_node *)e, NULL, err);
    if (!st) st = check_names(out, err);
    if (st) expr_set_clear(out);
    return st;
}

ph_status expr_names_agree(expr_node *const *e, int n, ph_err *err) {
    expr_set s = {0};
    ph_status st = PH_OK;
    for (int i = 0; i < n && !st; i++) st = collect(&s, e[i], NULL, err);
    if (!st) st = check_names(&s, err);
    expr_set_clear(&s);
    return st;
}
