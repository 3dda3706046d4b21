/* hunt_point.c: points to judge at. */
#include "hunt.h"

#include <stdlib.h>
#include <string.h>

/* ---- constants of the trees: where something may happen -------------------------------------------------- */

#define MOST_CONSTANTS 24
typedef struct {
    int64_t num[MOST_CONSTANTS], den[MOST_CONSTANTS];
    int n;
} constants;

static void collect(constants *c, const tree *t) {
    if (t->op == EXPR_RAT && c->n < MOST_CONSTANTS && llabs(t->num) < 1000000000) {
        c->num[c->n] = t->num;
        c->den[c->n++] = t->den;
    }
    for (int i = 0; i < t->n; i++) collect(c, t->arg[i]);
}

/* ---- one number ------------------------------------------------------------------------------------------ */

enum { NEAR, WHOLE, HINT, FAR, TINY, ZERO_ONE, STYLES };

static void draw_rational(fmpq_t q, int style, const constants *c) {
    static const int64_t power[] = {10, 100, 1000, 10000, 100000, 1000000};
    switch (style) {
    case NEAR: fmpq_set_si(q, between(-30, 30), (ulong)between(1, 7)); break;
    case WHOLE: fmpq_set_si(q, between(-8, 12), 1); break;
    case FAR:
        fmpq_set_si(q, (one_in(2) ? -1 : 1) * power[below(6)] * between(1, 9) + between(-1, 1),
                    (ulong)between(1, 2));
        break;
    case TINY: fmpq_set_si(q, one_in(2) ? -1 : 1, (ulong)power[below(6)]); break;
    case ZERO_ONE: fmpq_set_si(q, between(-2, 2), (ulong)between(1, 2)); break;
    default:
        if (c->n == 0) fmpq_set_si(q, between(-8, 12), 1);
        else {
            static const int step[][2] = {{0, 1},  {0, 1},    {1, 1},     {-1, 1}, {1, 2},
                                          {-1, 2}, {1, 1000}, {-1, 1000}, {7, 3},  {-7, 3}};
            int i = below(c->n), k = below(10);
            fmpq_t d;
            fmpq_init(d);
            fmpq_set_si(q, (one_in(4) ? -1 : 1) * c->num[i], (ulong)c->den[i]);
            fmpq_set_si(d, step[k][0], (ulong)step[k][1]);
            fmpq_add(q, q, d);
            fmpq_clear(d);
        }
    }
}

/* Multiples of pi, roots, powers of e: real numbers that no fraction meets. */
static void draw_irrational(value *v) {
    v->exact = false;
    acb_zero(v->z);
    arb_ptr x = acb_realref(v->z);
    switch (below(3)) {
    case 0:
        arb_const_pi(x, 16 * DIGITS60);
        arb_mul_si(x, x, between(-24, 24), 16 * DIGITS60);
        arb_div_ui(x, x, (ulong)between(1, 12), 16 * DIGITS60);
        break;
    case 1:
        arb_sqrt_ui(x, (ulong)between(2, 30), 16 * DIGITS60);
        if (one_in(2)) arb_neg(x, x);
        break;
    default: arb_set_si(x, between(-5, 5)); arb_exp(x, x, 16 * DIGITS60);
    }
}

static void draw_value(value *v, expr_kind kind, int style, const constants *c) {
    v->exact = true;
    fmpq_zero(v->im);
    if ((kind == EXPR_REAL || kind == EXPR_POSITIVE) && one_in(10)) {
        draw_irrational(v);
        if (!acb_is_zero(v->z) && (kind == EXPR_REAL || arb_is_positive(acb_realref(v->z)))) return;
        v->exact = true;
    }
    draw_rational(v->re, style, c);
    if (kind == EXPR_COMPLEX) {
        if (!one_in(4)) draw_rational(v->im, style, c);
        if (one_in(6)) fmpq_zero(v->re);
    }
    if (kind == EXPR_POSITIVE) {
        fmpq_abs(v->re, v->re);
        if (fmpq_is_zero(v->re)) fmpq_one(v->re);
    }
    if (kind != EXPR_INTEGER && kind != EXPR_NATURAL) return;
    fmpz_t n;
    fmpz_init(n);
    fmpz_fdiv_q(n, fmpq_numref(v->re), fmpq_denref(v->re));
    if (kind == EXPR_NATURAL && fmpz_sgn(n) < 1) fmpz_sub(n, (fmpz[]){2}, n);
    fmpq_set_fmpz(v->re, n);
    fmpz_clear(n);
}

void point_draw(point *p, const tree *const *about, int n) {
    constants c = {.n = 0};
    static const int often[] = {NEAR, NEAR, WHOLE, WHOLE, HINT, HINT, HINT, FAR, TINY, ZERO_ONE};
    for (int i = 0; i < n; i++) collect(&c, about[i]);
    int style = often[below(10)];
    p->seed = chance();
    p->nmember = 0;
    p->only_given = false;
    for (int s = 0; s < S_FAMILY; s++) {
        bool same = one_in(8) && s > 0 && symbols[s].kind == symbols[s - 1].kind;
        if (same) value_set(&p->v[s], &p->v[s - 1]);
        else draw_value(&p->v[s], symbols[s].kind, one_in(5) ? often[below(10)] : style, &c);
        p->given[s] = true;
    }
}

/* ---- text ------------------------------------------------------------------------------------------------ */

static void put_value(text *out, const value *v) {
    if (!v->exact) {
        char *s = arb_get_str(acb_realref(v->z), 20, ARB_STR_NO_RADIUS);
        put(out, "%s", s);
        flint_free(s);
        return;
    }
    char *re = fmpq_get_str(NULL, 10, v->re), *im = fmpq_get_str(NULL, 10, v->im);
    put(out, "%s", re);
    if (!fmpq_is_zero(v->im)) put(out, " + (%s)*I", im);
    flint_free(re);
    flint_free(im);
}

static bool mentions(const tree *const *about, int n, int sym) {
    for (int i = 0; i < n; i++)
        if (has_sym(about[i], sym)) return true;
    return false;
}

void point_text(text *out, const point *p, const tree *const *about, int n) {
    const char *sep = "";
    for (int s = 0; s < S_FAMILY; s++) {
        if (!p->given[s] || !mentions(about, n, s)) continue;
        put(out, "%s%s = ", sep, symbols[s].name);
        put_value(out, &p->v[s]);
        sep = ", ";
    }
    for (int k = 0; k < p->nmember; k++) {
        put(out, "%s%s[%lld] = ", sep, symbols[p->member[k].family].name, (long long)p->member[k].index);
        put_value(out, &p->member[k].v);
        sep = ", ";
    }
    for (int s = S_FAMILY; s < NSYM && !p->only_given; s++)
        if (mentions(about, n, s)) put(out, " (members of %s drawn)", symbols[s].name);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

bool point_read(point *p, const char *w) {
    point_clear(p);
    point_init(p);
    p->only_given = true;
    value v;
    value_init(&v);
    bool ok = true;
    while (ok && *w) {
        tree *atom = read_formula(&w);
        ok = atom && (atom->op == EXPR_SYM || atom->op == EXPR_AT) && !strncmp(w, "= ", 2);
        if (!ok) break;
        w += 2;
        tree *e = read_formula(&w);
        point none;
        point_init(&none);
        ok = e && evaluate(&v, e, &none, 16 * DIGITS60) == DEFINED;
        point_clear(&none);
        if (!ok) break;
        if (atom->op == EXPR_AT)
            ok = atom->arg[1]->op == EXPR_RAT && point_member(p, atom->arg[0]->sym, atom->arg[1]->num, &v);
        else value_set(&p->v[atom->sym], &v), p->given[atom->sym] = true;
        if (!strncmp(w, ", ", 2)) w += 2;
        else break;
    }
    value_clear(&v);
    return ok && (*w == 0 || *w == ':' || *w == ';' || *w == ' ');
}
