/* coq_pairs.c: what is known of two functions together, and of floors of quotients; the cases of |u|, max and min. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "verify/coq_order.h"

/* The term "lemma …" of texts and terms, to be freed. */
PH_PRINTF(2, 3) static char *term(coq_order *o, const char *fmt, ...) {
    ph_text t = {0};
    char *out = NULL, buf[1000];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    if (n < 0 || n >= (int)sizeof buf) return NULL; /* too long to be of use */
    ph_puts(&t, buf);
    ph_status st = ph_text_take(&out, NULL, &t, o->c->b.err);
    if (st && !ver_coq_order_fails(o)) o->c->b.st = st;
    return out;
}

static char *argument(coq_order *o, slong g, int i) {
    return ver_coq_text(o->c, ver_coq_real, o->gen[g].node->arg[i]);
}

/* formula >= 0 (…) by the lemma of the arguments of a and b, and `rest`. */
static void say(coq_order *o, const order_letters *l, order_kind kind, const char *formula, const char *lemma,
                const char *rest, const int *rests) {
    char *u = argument(o, l->a, 0), *w = argument(o, l->b, 0);
    char *proof = u && w ? term(o, "%s %s %s%s", lemma, u, w, rest) : NULL;
    if (proof) ver_coq_order_say(o, l, kind, formula, proof, rests);
    ph_free(u);
    ph_free(w);
    ph_free(proof);
}

static bool vanishes(coq_order *o, const order_letters *l, const char *formula) {
    ring_frac v;
    ver_ring_frac_init(&v, &o->r);
    ver_coq_order_formula(o, &v, formula, l);
    bool zero = !ver_coq_order_fails(o) && fmpz_mpoly_is_zero(v.n, o->r.ctx);
    ver_ring_frac_clear(&v, &o->r);
    return zero;
}

static bool is_not_0(coq_order *o, const order_letters *l, const char *formula) {
    ring_frac v;
    ver_ring_frac_init(&v, &o->r);
    ver_coq_order_formula(o, &v, formula, l);
    bool found = !ver_coq_order_fails(o) && ver_coq_order_is_not_0(o, v.n);
    ver_ring_frac_clear(&v, &o->r);
    return found;
}

/* What shows formula > 0, as a fact's id; 0: nothing. */
static int shown(coq_order *o, const order_letters *l, const char *formula) {
    ring_frac v;
    ver_ring_frac_init(&v, &o->r);
    ver_coq_order_formula(o, &v, formula, l);
    int id = ver_coq_order_fails(o) || !fmpz_mpoly_is_fmpz(v.d, o->r.ctx)
                 ? 0
                 : ver_coq_order_prove(o, v.n, true, ORDER_LINEAR);
    ver_ring_frac_clear(&v, &o->r);
    return id;
}

/* ---- exponentials, logarithms, powers ------------------------------------------------------------------ */

static void of_exponentials(coq_order *o, const order_letters *l) {
    say(o, l, ORDER_LEAST, "A B 1 u + w - * -", "exp_tangent", "", NULL);
    if (is_not_0(o, l, "u w -"))
        say(o, l, ORDER_ABOVE, "A B 1 u + w - * -", "exp_tangent_lt", " ltac:(nonzero)", NULL);
    if (l->a > l->b) return;
    if (vanishes(o, l, "u w +")) say(o, l, ORDER_EQUAL, "A B * 1 -", "exp_inverse", " ltac:(lra)", NULL);
    for (slong c = 1; c < o->ngens; c++) {
        const order_letters three = {l->a, l->b, c};
        if (o->gen[c].node->op != EXPR_EXP || !vanishes(o, &three, "u w + x -")) continue;
        char *x = argument(o, c, 0), *rest = x ? term(o, " %s ltac:(lra)", x) : NULL;
        if (rest) say(o, &three, ORDER_EQUAL, "A B * C -", "exp_sum", rest, NULL);
        ph_free(x);
        ph_free(rest);
    }
}

static void of_logarithms(coq_order *o, const order_letters *l) {
    const int rests[3] = {shown(o, l, "u"), shown(o, l, "w")};
    if (rests[0] && rests[1])
        say(o, l, ORDER_LEAST, "u w - w A B - * -", "ln_tangent", " ltac:(lra) ltac:(lra)", rests);
}

/* exp w beside ln u, which is a number whose exponential is u. */
static void of_logarithm_and_exponential(coq_order *o, const order_letters *l) {
    const int rests[2] = {shown(o, l, "u")};
    char *u = argument(o, l->a, 0), *w = argument(o, l->b, 0);
    for (int i = 0; i < 2 && rests[0] && u && w; i++) {
        char *proof = term(o, "%s %s %s ltac:(lra)", i ? "exp_over_ln" : "ln_under_exp", w, u);
        if (proof)
            ver_coq_order_say(o, l, ORDER_LEAST, i ? "B u 1 w + A - * -" : "u B 1 A + w - * -", proof, rests);
        ph_free(proof);
    }
    ph_free(u);
    ph_free(w);
}

/* a^v < b^v of 0 < a < b and v > 0. */
static void of_powers(coq_order *o, const order_letters *l) {
    const expr_node *a = o->gen[l->a].node, *b = o->gen[l->b].node;
    if (!expr_same(a->arg[1], b->arg[1]) || !ver_coq_known_sign(o->c, a->arg[0], true) ||
        !ver_coq_known_sign(o->c, b->arg[0], true))
        return;
    const int rests[3] = {shown(o, l, "v"), shown(o, l, "w u -")};
    if (!rests[0] || !rests[1] || !shown(o, l, "u")) return;
    char *v = argument(o, l->a, 1),
         *rest = v ? term(o, " %s ltac:(lra) ltac:(positive) ltac:(lra)", v) : NULL;
    if (rest) say(o, l, ORDER_ABOVE, "B A -", "power_in_base", rest, rests);
    ph_free(v);
    ph_free(rest);
}

/* ---- sines --------------------------------------------------------------------------------------------- */

/* p in whole symbols as a term of Z; false: it is none. */
static bool put_whole(coq_order *o, const fmpz_mpoly_t p) {
    slong n = o->r.nvars;
    ulong e[ORDER_GENS + 1];
    fmpz_t c;
    bool whole = true;
    fmpz_init(c);
    COQ_PUT(o->c, "(0");
    for (slong k = 0; k < fmpz_mpoly_length(p, o->r.ctx) && whole; k++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, p, k, o->r.ctx);
        fmpz_mpoly_get_term_exp_ui(e, p, k, o->r.ctx);
        char *text = fmpz_get_str(NULL, 10, c);
        COQ_PUT(o->c, " + (%s)", text);
        flint_free(text);
        for (slong v = 0; v < n && whole; v++)
            for (ulong m = 0; m < e[v] && whole; m++) {
                const expr_node *sym = o->gen[n - 1 - v].node;
                whole = sym && sym->op == EXPR_SYM && ver_coq_is_whole(sym) && e[v] < 5;
                COQ_PUT(o->c, " * ");
                if (whole) ver_coq_whole(o->c, sym);
            }
    }
    COQ_PUT(o->c, ")%%Z");
    fmpz_clear(c);
    return whole;
}

/* sin(k w)^2 <= k^2 sin(w)^2, k whole. */
static void of_multiple(coq_order *o, const order_letters *l) {
    ring_frac k;
    fmpz_mpoly_t p;
    ph_text kept = o->c->out;
    char *z = NULL, *real = NULL;
    ver_ring_frac_init(&k, &o->r);
    fmpz_mpoly_init(p, o->r.ctx);
    o->c->out = (ph_text){0};
    bool whole = !ver_ring_div(&k, &o->gen[l->a].arg[0], &o->gen[l->b].arg[0], &o->r) &&
                 !ver_ring_cancel(&k, &o->r) && fmpz_mpoly_is_one(k.d, o->r.ctx) && put_whole(o, k.n);
    ph_status st = ph_text_take(&z, NULL, &o->c->out, o->c->b.err);
    if (whole) ver_coq_put_order_poly(o, k.n);
    if (!st) st = ph_text_take(&real, NULL, &o->c->out, o->c->b.err);
    o->c->out = kept;
    char *u = argument(o, l->a, 0), *w = argument(o, l->b, 0), *proof = NULL;
    if (whole && z && real && u && w)
        proof = term(
            o, "sin_multiple %s %s %s %s ltac:(rewrite ?plus_IZR, ?mult_IZR; ring) ltac:(field; nonzero)", z,
            real, w, u);
    if (proof) {
        fmpz_mpoly_gen(p, o->r.nvars - 1 - l->b, o->r.ctx);
        fmpz_mpoly_mul(p, p, k.n, o->r.ctx);
        fmpz_mpoly_mul(k.n, p, p, o->r.ctx);
        fmpz_mpoly_gen(p, o->r.nvars - 1 - l->a, o->r.ctx);
        fmpz_mpoly_mul(p, p, p, o->r.ctx);
        fmpz_mpoly_sub(p, k.n, p, o->r.ctx);
        ver_coq_order_fact(o, p, false, proof, NULL);
    }
    ph_free(u);
    ph_free(w);
    ph_free(z);
    ph_free(real);
    ph_free(proof);
    fmpz_mpoly_clear(p, o->r.ctx);
    ver_ring_frac_clear(&k, &o->r);
}

static void of_sine_and_cosine(coq_order *o, const order_letters *l) {
    if (!vanishes(o, l, "u w -")) return;
    char *u = argument(o, l->a, 0), *proof = u ? term(o, "squares_are_one %s", u) : NULL;
    if (proof) ver_coq_order_say(o, l, ORDER_EQUAL, "A A * B B * + 1 -", proof, NULL);
    ph_free(u);
    ph_free(proof);
}

/* ---- floors -------------------------------------------------------------------------------------------- */

/* Of floor(m/n): both bounds times n, and of whole m and n the remainder m − n·floor(m/n) <= n − 1. */
static void of_quotient(coq_order *o, slong g) {
    static const struct {
        const char *formula, *difference, *lemma;
        bool strict;
    } row[] = {{"u A -", "%s - floor %s", "floor_below", false},
               {"A u - 1 +", "floor %s - (%s - 1)", "floor_above", true}};
    const order_letters l = {.a = g};
    ring_frac v;
    fmpz_mpoly_t q;
    char *d = NULL, *u = argument(o, g, 0);
    ver_ring_frac_init(&v, &o->r);
    fmpz_mpoly_init(q, o->r.ctx);
    int id = u ? ver_coq_order_clear(o, q, &d, o->gen[g].arg[0].d) : 0;
    for (int i = 0; i < 2 && id; i++) {
        ver_coq_order_formula(o, &v, row[i].formula, &l);
        if (ver_coq_order_fails(o) || !fmpz_mpoly_divides(v.d, q, v.d, o->r.ctx)) break;
        fmpz_mpoly_mul(v.n, v.n, v.d, o->r.ctx);
        ph_text kept = o->c->out;
        char *tactic = NULL;
        o->c->out = (ph_text){0};
        COQ_PUT(o->c, "(replace ");
        ver_coq_put_order_poly(o, v.n);
        COQ_PUT(o->c, " with ((");
        COQ_PUT(o->c, i ? "floor %s - (%s - 1)" : "%s - floor %s", u, u);
        COQ_PUT(o->c, ") * %s) by (field; nonzero); apply times_%s; [pose proof (%s %s); lra | assumption])",
                d, i ? "lt" : "le", row[i].lemma, u);
        ph_status st = ph_text_take(&tactic, NULL, &o->c->out, o->c->b.err);
        o->c->out = kept;
        if (st && !ver_coq_order_fails(o)) o->c->b.st = st;
        if (tactic) ver_coq_order_by(o, v.n, row[i].strict, tactic, (int[]){id, 0});
        ph_free(tactic);
    }
    const expr_node *e = o->gen[g].node->arg[0];
    if (id && e->op == EXPR_DIV && e->arg[0]->op == EXPR_SYM && e->arg[1]->op == EXPR_SYM &&
        ver_coq_is_whole(e->arg[0]) && ver_coq_is_whole(e->arg[1])) {
        char *m = ver_coq_text(o->c, ver_coq_whole, e->arg[0]),
             *n = ver_coq_text(o->c, ver_coq_whole, e->arg[1]),
             *proof = m && n ? term(o, "whole_remainder %s %s ltac:(lra)", m, n) : NULL;
        /* n − 1 − (m − n·floor) = n·(floor − m/n + 1) − 1 */
        ver_coq_order_formula(o, &v, "A u - 1 +", &l);
        if (proof && fmpz_mpoly_divides(v.d, q, v.d, o->r.ctx)) {
            fmpz_mpoly_mul(v.n, v.n, v.d, o->r.ctx);
            fmpz_mpoly_sub_si(v.n, v.n, 1, o->r.ctx);
            ver_coq_order_fact(o, v.n, false, proof, (int[]){id, 0});
        }
        ph_free(m);
        ph_free(n);
        ph_free(proof);
    }
    ph_free(d);
    ph_free(u);
    fmpz_mpoly_clear(q, o->r.ctx);
    ver_ring_frac_clear(&v, &o->r);
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static void of_two(coq_order *o, const order_letters *l) {
    expr_op a = o->gen[l->a].node->op, b = o->gen[l->b].node->op;
    if (a == EXPR_EXP && b == EXPR_EXP) of_exponentials(o, l);
    if (a == EXPR_LOG && b == EXPR_LOG) of_logarithms(o, l);
    if (a == EXPR_LOG && b == EXPR_EXP) of_logarithm_and_exponential(o, l);
    if (a == EXPR_POW && b == EXPR_POW) of_powers(o, l);
    if (a == EXPR_SIN && b == EXPR_SIN) of_multiple(o, l);
    if (a == EXPR_SIN && b == EXPR_COS) of_sine_and_cosine(o, l);
}

void ver_coq_order_pairs(coq_order *o) {
    slong n = o->ngens;
    for (slong a = 1; a < n; a++)
        for (slong b = 1; b < n && !ver_coq_order_fails(o); b++)
            if (a != b) of_two(o, &(order_letters){.a = a, .b = b});
    for (slong g = 1; g < n; g++)
        if (o->gen[g].node->op == EXPR_FLOOR && !fmpz_mpoly_is_fmpz(o->gen[g].arg[0].d, o->r.ctx))
            of_quotient(o, g);
}

static const struct {
    expr_op op;
    const char *lemma, *sign[2], *relation[2];
} cases[] = {
    {EXPR_ABS, "abs_cases", {"u", "0 u -"}, {"A u -", "A u +"}},
    {EXPR_MAX, "max_cases", {"u v -", "v u -"}, {"A u -", "A v -"}},
    {EXPR_MIN, "min_cases", {"v u -", "u v -"}, {"A u -", "A v -"}},
};
#define CASES ((int)(sizeof cases / sizeof *cases))

const char *ver_coq_order_lemma(const coq_order *o, slong g) {
    for (int i = 0; i < CASES; i++)
        if (o->gen[g].node->op == cases[i].op) return cases[i].lemma;
    return NULL;
}

void ver_coq_order_case(coq_order *o, slong g, bool second, ring_frac *sign, ring_frac *relation) {
    const order_letters l = {.a = g};
    for (int i = 0; i < CASES; i++)
        if (o->gen[g].node->op == cases[i].op) {
            ver_coq_order_formula(o, sign, cases[i].sign[second], &l);
            ver_coq_order_formula(o, relation, cases[i].relation[second], &l);
        }
}
