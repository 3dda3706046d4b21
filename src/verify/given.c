/* given.c: see given.h. */
#include "verify/given.h"

#include <string.h>

#include "verify/ball.h"
#include "verify/cases.h"
#include "verify/normal.h"
#include "verify/settle.h"

/* A builder of attempts: what fails settles nothing, unless memory is short or the user interrupts. */
static expr_node *attempt(expr_builder *b, expr_node *e) {
    if (b->st && !ph_is_fatal(b->st)) return b->st = PH_OK, NULL;
    return b->st ? NULL : e;
}

static const expr_node *symbol_of(const expr_node *atom) { return atom->op == EXPR_AT ? atom->arg[0] : atom; }

/* ---- one equation -------------------------------------------------------------------------------------- */

/* c or −c is what some assumption says is not 0. */
static bool is_assumed_nonzero(expr_builder *b, expr_node *c, const ver_given *g) {
    for (int i = 0; i < g->nrest; i++) {
        const expr_node *s = g->rest[i];
        if (s->op != EXPR_NE && s->op != EXPR_LT && s->op != EXPR_GT) continue;
        expr_node *u = expr_b_linear(b, expr_b_sub(b, s->arg[0], s->arg[1])),
                  *minus = u ? expr_b_linear(b, expr_b_neg(b, u)) : NULL;
        if (attempt(b, minus) && (expr_same(u, c) || expr_same(minus, c))) return true;
    }
    return false;
}

static bool is_nonzero(expr_builder *b, expr_node *c, const ver_given *g) {
    if (c->op == EXPR_RAT) return c->num != 0;
    expr_node *minus = expr_is_positive(c) ? c : attempt(b, expr_b_neg(b, c));
    return minus && (expr_is_positive(minus) || is_assumed_nonzero(b, c, g));
}

/* e = c·x^p + d with c and d free of x, told by normal form. */
static bool parts_of(expr_builder *b, expr_node *e, expr_node *x, int p, expr_node **c, expr_node **d) {
    expr_node *one = expr_b_rat(b, 1, 1), *at0 = expr_b_try_subst(b, e, x, expr_b_rat(b, 0, 1)),
              *at1 = expr_b_try_subst(b, e, x, one);
    *d = at0;
    *c = at0 && at1 ? attempt(b, expr_b_linear(b, expr_b_sub(b, at1, at0))) : NULL;
    if (!*c || expr_has(*c, x) || expr_has(*d, x)) return false;
    expr_node *power = p == 1 ? x : expr_b_pow(b, x, expr_b_rat(b, p, 1));
    expr_node *form = attempt(b, expr_b_add(b, expr_b_mul(b, *c, power), *d));
    return form && ver_normal_equal(b, e, form) && !b->st;
}

/* Is a value of v one that x may have, apart from what is assumed instead? */
static bool fits(const expr_node *x, const expr_node *v) {
    expr_kind k = symbol_of(x)->kind;
    if (k == EXPR_COMPLEX) return true;
    return k == EXPR_INTEGER || k == EXPR_NATURAL ? expr_is_whole(v) : expr_is_real(v);
}

/* x = *v follows from e = 0, and the other way round; with a root: up to its sign. */
static bool solve_for(ver_given *g, expr_builder *b, expr_node *e, expr_node *x, int sign, expr_node **v) {
    expr_node *c, *d;
    if (!sign && ver_linear_in(b, e, x, &c, &d) && c->num) {
        *v = attempt(b, expr_b_linear(b, expr_b_neg(b, expr_b_div(b, d, c))));
        return *v && !expr_has(*v, x) && fits(x, *v);
    }
    attempt(b, NULL);
    if (b->st || (sign && symbol_of(x)->kind != EXPR_REAL) || !parts_of(b, e, x, sign ? 2 : 1, &c, &d))
        return false;
    if (!is_nonzero(b, c, g)) return false;
    *v = attempt(b, expr_b_neg(b, expr_b_div(b, d, c)));
    if (!*v || expr_has(*v, x) || !fits(x, *v)) return false;
    if (sign) *v = attempt(b, expr_b_1(b, EXPR_SQRT, *v));
    if (sign < 0) *v = attempt(b, expr_b_neg(b, *v));
    return *v != NULL;
}

/* Rather what stands alone on a side, and rather a symbol of which nothing is known. */
static int rank(const expr_node *x, const expr_node *s) {
    static const int of_kind[] = {
        [EXPR_REAL] = 0, [EXPR_COMPLEX] = 1, [EXPR_INTEGER] = 2, [EXPR_POSITIVE] = 3, [EXPR_NATURAL] = 4};
    bool alone = expr_same(s->arg[0], x) || expr_same(s->arg[1], x);
    return of_kind[symbol_of(x)->kind] - (alone ? 10 : 0);
}

static bool solve(ver_given *g, expr_builder *b, const expr_node *s, int sign, expr_node **x, expr_node **v) {
    expr_set set;
    expr_node *e = expr_b_sub(b, s->arg[0], s->arg[1]), *value, *written;
    *x = NULL;
    if (!(e = attempt(b, e)) || expr_expand_sums(&written, e, NULL) || !(e = expr_b_keep(b, written)) ||
        expr_symbols(&set, e, NULL))
        return false;
    for (int i = 0; i < set.n && !b->st; i++) {
        expr_node *y = expr_b_keep(b, expr_ref(set.item[i]));
        if (!y || (y->op == EXPR_AT && y->arg[1]->op != EXPR_RAT) || (*x && rank(y, s) >= rank(*x, s)) ||
            !solve_for(g, b, e, y, sign, &value))
            continue;
        *x = y, *v = value;
    }
    expr_set_clear(&set);
    return *x && !b->st;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

static bool assume(ver_given *g, expr_builder *b, expr_op op, expr_node *v, int64_t end) {
    if (g->nrest == VER_REST) return false;
    expr_node *s = attempt(b, expr_b_2(b, op, v, expr_b_rat(b, end, 1)));
    if (s) g->rest[g->nrest++] = s;
    return s != NULL;
}

/* x = v in everything that is known so far; what x is by its kind is assumed of v, and that its root is real. */
static bool use(ver_given *g, expr_builder *b, int at, expr_node *x, expr_node *v, bool root) {
    ver_given h = *g;
    expr_node *radicand = !root ? NULL : v->op == EXPR_NEG ? v->arg[0]->arg[0] : v->arg[0];
    expr_kind k = symbol_of(x)->kind;
    if (h.n == VER_GIVEN) return false;
    h.rest[at] = h.rest[--h.nrest];
    for (int i = 0; i < h.n; i++)
        if (!(h.value[i] = expr_b_try_subst(b, h.value[i], x, v))) return false;
    for (int i = 0; i < h.nrest; i++)
        if (!(h.rest[i] = expr_b_try_subst(b, h.rest[i], x, v))) return false;
    if (k == EXPR_POSITIVE && !expr_is_positive(v) && !assume(&h, b, EXPR_GT, v, 0)) return false;
    if (k == EXPR_NATURAL && !assume(&h, b, EXPR_GE, v, 1)) return false;
    if (radicand && !assume(&h, b, EXPR_GE, radicand, 0)) return false;
    h.x[h.n] = x;
    h.value[h.n++] = v;
    *g = h;
    return true;
}

bool ver_given_solve(ver_given *g, expr_builder *b, const ver_assume *a, int sign) {
    *g = (ver_given){.n = 0};
    if (!a || a->nwhere > VER_REST) return false;
    for (int i = 0; i < a->nwhere; i++) g->rest[g->nrest++] = a->where[i];
    for (int pass = 0; pass < (sign ? 2 : 1) && !b->st; pass++) /* squares last */
        for (int i = 0; i < g->nrest && !b->st && !g->root; i++) {
            expr_node *x, *v;
            if (g->rest[i]->op != EXPR_EQ || !solve(g, b, g->rest[i], pass ? sign : 0, &x, &v)) continue;
            if (!use(g, b, i, x, v, pass)) continue;
            g->root = pass;
            i = -1; /* what was none may be an equation for a symbol now */
        }
    for (int i = 0; i < g->nrest; i++) /* and what is left of others may say nothing any more */
        if (g->rest[i]->op == EXPR_EQ && expr_same(g->rest[i]->arg[0], g->rest[i]->arg[1]))
            g->rest[i--] = g->rest[--g->nrest];
    return g->n > 0 && !b->st;
}

expr_node *ver_given_put(const ver_given *g, expr_builder *b, expr_node *e) {
    for (int i = 0; i < g->n && e; i++) e = expr_b_try_subst(b, e, g->x[i], g->value[i]);
    return e;
}

/* Is a symbol of u an index in e? What is put in place of another formula must not be caught there. */
static bool catches(const expr_node *e, const expr_node *u) {
    if (e->op == EXPR_SUM && expr_has(u, e->arg[0])) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (catches(e->arg[i], u)) return true;
    return false;
}

/* e with `to` wherever `from` stands as written; e itself where it does not. */
static expr_node *replaced(expr_builder *b, expr_node *e, expr_node *from, expr_node *to) {
    if (from->nargs == 0 || catches(e, to)) return e;
    expr_node *r = attempt(b, ver_take_case(b, e, from, to));
    return r ? r : e;
}

expr_node *ver_given_replace(const ver_given *g, expr_builder *b, expr_node *e) {
    for (int i = 0; i < g->nrest && e && !b->st; i++) {
        const expr_node *s = g->rest[i];
        if (s->op != EXPR_EQ) continue;
        bool longer = s->arg[0]->size >= s->arg[1]->size;
        e = replaced(b, e, s->arg[!longer], s->arg[longer]);
    }
    return b->st ? NULL : e;
}

/* ---- a witness ----------------------------------------------------------------------------------------- */

/* v with the numbers that the witness names, a number as exact as they are, log(2) too: its digits would be another point, at which what is
 * assumed does not hold. NULL: not all of them are rational. */
static expr_node *at_witness(expr_builder *b, const ver_told *t, expr_node *v) {
    expr_set atoms;
    bool more = true;
    for (int pass = 0; pass < 2 && v && more; pass++) { /* a[m] is told as a[3]: first m, then the member */
        if (expr_symbols(&atoms, v, NULL)) return NULL;
        more = false;
        for (int i = 0; i < atoms.n && v; i++) {
            char *name = NULL;
            expr_node *number = NULL;
            if (expr_text(&name, atoms.item[i], 60, NULL)) more = true;
            for (int k = 0; k < t->n && name && !number; k++)
                if (!strcmp(t->at[k].name, name) && expr_rat_text(&number, t->at[k].value, NULL)) break;
            if (number) v = expr_b_try_subst(b, v, atoms.item[i], expr_b_keep(b, number));
            else more = true;
            ph_free(name);
        }
        expr_set_clear(&atoms);
    }
    return v && !more ? attempt(b, expr_b_linear(b, v)) : NULL;
}

ph_status ver_given_tell(ver_told *t, const ver_given *g, uint64_t seed, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    acb_t z;
    acb_init(z);
    for (int i = 0; i < g->n && !b.st; i++) {
        char *name = NULL, *value = NULL;
        expr_node *exact;
        b.st = ver_point_tell(t, g->value[i], seed, err);
        if (!b.st) b.st = expr_text(&name, g->x[i], 60, err);
        exact = b.st ? NULL : at_witness(&b, t, g->value[i]);
        if (exact) b.st = expr_text(&value, exact, 0, err);
        else if (!b.st && !(b.st = ver_ball(z, g->value[i], ver_point_atom, &seed, 128, err)))
            value = ver_acb_text(z, 12);
        if (!b.st) b.st = value ? ver_tell_value(t, name, value, false, err) : ph_fail_nomem(err, 1);
        ph_free(name);
        ph_free(value);
    }
    acb_clear(z);
    return expr_b_end(&b, NULL, NULL);
}
