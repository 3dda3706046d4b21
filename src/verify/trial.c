/* trial.c: see trial.h. */
#include "verify/trial.h"

#include "verify/ball.h"

#define MAX_INTEGERS 4

/* A point of the first kind, but for the integer symbols that have a value of their own. */
typedef struct {
    uint64_t seed;
    const expr_node *symbol[MAX_INTEGERS];
    slong value[MAX_INTEGERS];
    int n;
} trial;

static bool atom_at(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    trial *t = ctx;
    for (int i = 0; i < t->n; i++)
        if (expr_same(t->symbol[i], atom)) {
            acb_set_si(v, t->value[i]);
            return true;
        }
    return ver_point_atom(&t->seed, v, atom, prec);
}

/* Do the assumptions hold at the point, so far as balls see? */
static bool holds(const ver_assume *where, trial *t) {
    bool yes = true;
    acb_t l, r;
    acb_init(l);
    acb_init(r);
    for (int i = 0; where && i < where->nwhere && yes; i++) {
        const expr_node *s = where->where[i];
        yes = !ver_ball(l, s->arg[0], atom_at, t, 128, NULL) &&
              !ver_ball(r, s->arg[1], atom_at, t, 128, NULL) &&
              (ver_ball_compare(s->op, l, r) == VER_TRUE ||
               (s->op != EXPR_NE && s->op != EXPR_LT && s->op != EXPR_GT && acb_is_exact(l) &&
                acb_equal(l, r)));
    }
    acb_clear(l);
    acb_clear(r);
    return yes;
}

static bool fails_at(const expr_node *e, const ver_assume *where, trial *t, slong prec) {
    acb_t v;
    acb_init(v);
    bool fails = !ver_ball(v, e, atom_at, t, prec, NULL) && acb_is_finite(v) && !acb_contains_zero(v) &&
                 holds(where, t);
    acb_clear(v);
    return fails;
}

bool ver_fails_somewhere(const expr_node *e, const ver_assume *where, uint64_t n, long prec) {
    bool fails = false;
    for (uint64_t seed = 0; seed < n && !fails; seed++)
        fails = fails_at(e, where, &(trial){.seed = seed}, prec);
    return fails;
}

/* The integer symbols of e, not those of families. */
static void integers_of(trial *t, const expr_node *e) {
    expr_set s = {0};
    if (expr_symbols(&s, e, NULL)) return;
    for (int i = 0; i < s.n && t->n < MAX_INTEGERS; i++) {
        const expr_node *x = s.item[i];
        if (x->op == EXPR_SYM && (x->kind == EXPR_INTEGER || x->kind == EXPR_NATURAL)) t->symbol[t->n++] = x;
    }
    expr_set_clear(&s);
}

/* Goes through the values of symbol i and those after it. */
static bool any_fails(const expr_node *e, const ver_assume *where, trial *t, int i, slong count) {
    if (i >= t->n || i >= MAX_INTEGERS) return fails_at(e, where, t, 128);
    slong from = t->symbol[i]->kind == EXPR_NATURAL ? 1 : -(count - 1) / 3;
    for (slong k = 0; k < count; k++) {
        t->value[i] = from + k;
        if (any_fails(e, where, t, i + 1, count)) return true;
    }
    return false;
}

bool ver_fails_among_small_integers(const expr_node *e, const ver_assume *where) {
    static const slong count[] = {1, 40, 24, 10, 5};
    trial t = {0};
    integers_of(&t, e);
    return any_fails(e, where, &t, 0, count[t.n]);
}
