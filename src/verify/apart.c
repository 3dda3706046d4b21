/* apart.c: see apart.h. */
#include "verify/apart.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "verify/subject.h"
#include "verify/told.h"

/* ---- other names ----------------------------------------------------------------------------------------- */

typedef struct {
    ver_apart *p;
    const expr_node *s;
    const ver_assume *a;
    const expr_bound *around; /* indices, as they are written */
    struct {
        const expr_node *index;
        bool free;
    } seen[VER_APART];
    int n;
} renaming;

static bool is_free(const renaming *r, const expr_node *sym) {
    bool yes = expr_has(r->s, sym);
    for (int i = 0; r->a && i < r->a->nwhere && !yes; i++) yes = expr_has(r->a->where[i], sym);
    return yes;
}

/* Many sums have one index: each is looked for once. */
static bool is_free_too(renaming *r, const expr_node *index) {
    for (int i = 0; i < r->n; i++)
        if (expr_same(r->seen[i].index, index)) return r->seen[i].free;
    bool yes = is_free(r, index);
    if (r->n < VER_APART) r->seen[r->n].index = index, r->seen[r->n++].free = yes;
    return yes;
}

static int level_of(const renaming *r, const expr_node *index) {
    int level = 0;
    for (const expr_bound *up = r->around; up; up = up->up) level += expr_same(up->sym, index);
    return level;
}

/* A name that no symbol of a user has, nor one that an argument makes: the same for sums beside each other, which stay alike. */
static expr_node *another(const renaming *r, expr_node *own, int level) {
    ver_apart *p = r->p;
    for (int i = 0; i < p->n; i++)
        if (expr_same(p->own[i], own) && p->level[i] == level) return p->fresh[i];
    char name[96];
    expr_node *fresh = NULL;
    if (p->b.st) return NULL;
    if (p->n == VER_APART) {
        p->b.st = ph_fail(p->b.err, PH_EBUDGET, "more than %d sums", VER_APART);
        return NULL;
    }
    for (int k = p->n + 1; !fresh; k++) {
        snprintf(name, sizeof name, "%.60s''%d", own->name, k);
        if ((p->b.st = expr_sym(&fresh, name, own->kind, p->b.err)) || !(fresh = expr_b_keep(&p->b, fresh)))
            return NULL;
        if (is_free(r, fresh)) fresh = NULL; /* a question on the way to another's answer */
    }
    p->own[p->n] = own;
    p->level[p->n] = level;
    return p->fresh[p->n++] = fresh;
}

/* Inner sums first: what is put in place of an index then goes past those of its name. */
static expr_node *renamed(expr_builder *b, expr_node *e, void *ctx) {
    renaming *r = ctx;
    const uint32_t body = expr_body(e);
    if (b->st) return NULL;
    if (!body) return expr_b_rewrite(b, e, 0, renamed, ctx);
    const expr_bound in = {e->arg[0], r->around}, *const around = r->around;
    expr_node *arg[4] = {e->arg[0]};
    const int level = level_of(r, e->arg[0]);
    bool changed = level || is_free_too(r, e->arg[0]);
    if (changed && !(arg[0] = another(r, e->arg[0], level))) return NULL;
    for (uint32_t i = 1; i < e->nargs; i++) {
        r->around = i == body ? &in : around;
        arg[i] = renamed(b, e->arg[i], ctx);
        changed |= arg[i] != e->arg[i];
        r->around = around;
    }
    if (b->st) return NULL;
    if (level || is_free_too(r, e->arg[0])) arg[body] = expr_b_replace(b, arg[body], e->arg[0], arg[0]);
    return changed ? expr_b_op(b, e->op, (int)e->nargs, arg) : e;
}

ph_status ver_apart_make(ver_apart *p, expr_node *s, const ver_assume *a, ph_err *err) {
    renaming r = {.p = p, .s = s, .a = a};
    const int n = a ? a->nwhere : 0;
    *p = (ver_apart){.b = EXPR_BUILDER(err), .assume = {p->where, n}};
    if (n > VER_APART) return ph_fail(err, PH_EBUDGET, "more than %d assumptions", VER_APART);
    p->statement = renamed(&p->b, s, &r);
    for (int i = 0; i < n && !p->b.st; i++) p->where[i] = renamed(&p->b, a->where[i], &r);
    return p->b.st;
}

void ver_apart_clear(ver_apart *p) { (void)!expr_b_end(&p->b, NULL, NULL); }

/* ---- back again ------------------------------------------------------------------------------------------ */

static expr_node *own_of(const ver_apart *p, expr_node *sym) {
    for (int i = 0; i < p->n; i++)
        if (expr_same(sym, p->fresh[i])) return p->own[i];
    return sym;
}

/* Would another symbol of e have the name that `index` is to have? */
static bool captures(const ver_apart *p, const expr_node *e, const expr_node *own, const expr_node *index) {
    bool yes = !expr_same(index, own) && expr_has(e, own);
    for (int i = 0; i < p->n && !yes; i++)
        yes = expr_same(p->own[i], own) && !expr_same(p->fresh[i], index) && expr_has(e, p->fresh[i]);
    return yes;
}

/* Do the names of before say the same? An argument may have made one formula of both. */
static bool says_the_same(const ver_apart *p, expr_node *e) {
    const uint32_t body = expr_body(e);
    for (int i = 0; body && i < p->n; i++)
        if ((expr_same(e->arg[0], p->fresh[i]) || expr_same(e->arg[0], p->own[i])) &&
            captures(p, e->arg[body], p->own[i], expr_same(e->arg[0], p->own[i]) ? p->own[i] : p->fresh[i]))
            return false;
    for (uint32_t i = body ? 1 : 0; i < e->nargs; i++)
        if (e->arg[i]->nargs && !says_the_same(p, e->arg[i])) return false;
    return true;
}

static expr_node *put_back(expr_builder *b, expr_node *e, void *ctx) {
    return e->op == EXPR_SYM ? own_of(ctx, e) : expr_b_rewrite(b, e, 0, put_back, ctx);
}

static expr_node *as_written(ver_apart *p, expr_node *e) {
    for (int i = 0; i < p->n; i++)
        if (expr_has(e, p->fresh[i]) && captures(p, e, p->own[i], p->fresh[i])) return e;
    return says_the_same(p, e) ? put_back(&p->b, e, p) : e;
}

static ph_status tell_set(expr_set *set, ver_apart *p) {
    for (int i = 0; i < set->n && !p->b.st; i++) {
        expr_node *e = as_written(p, set->item[i]);
        if (!e) return p->b.st;
        expr_ref(e);
        expr_drop(set->item[i]);
        set->item[i] = e;
    }
    return p->b.st;
}

/* Words that name an index. */
static ph_status tell_words(char **words, const ver_apart *p, ph_err *err) {
    for (int i = 0; i < p->n && *words; i++) {
        const char *name = p->fresh[i]->name, *at;
        while ((at = strstr(*words, name))) {
            char *text = NULL;
            ph_status st = ver_set(&text, err, "%.*s%s%s", (int)(at - *words), *words, p->own[i]->name,
                                   at + strlen(name));
            if (st) return st;
            ph_free(*words);
            *words = text;
        }
    }
    return PH_OK;
}

static bool is_assumed(const ver_apart *p, const expr_node *c) {
    for (int i = 0; i < p->assume.nwhere; i++)
        if (expr_same(p->where[i], c)) return true;
    return false;
}

ph_status ver_apart_tell(ver_verdict *v, ver_apart *p, expr_node *s, const ver_assume *a, ph_err *err) {
    ph_status st = PH_OK;
    expr_set found = {0};
    if (v->told) PH_TRY(tell_set(&v->told->conditions, p));
    if (v->told) PH_TRY(tell_set(&v->told->atoms, p));
    PH_TRY(tell_words(&v->reason_text, p, err));
    PH_TRY(tell_words(&v->method, p, err));
    if (v->subject) {
        for (int i = 0; i < v->subject->conditions.n; i++) {
            expr_node *c = v->subject->conditions.item[i];
            if (!is_assumed(p, c)) PH_TRY(expr_set_append(&found, c, err));
        }
        PH_TRY(tell_set(&found, p));
        st = ver_subject_set(v, s, a ? a->where : NULL, a ? a->nwhere : 0, &found, err);
    }
done:
    expr_set_clear(&found);
    return st;
}
