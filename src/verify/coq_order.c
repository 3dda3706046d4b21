/* coq_order.c: the certificate of an inequality: see coq_order.h. */
#include <string.h>

#include "verify/coq_order.h"
#include "verify/polysign.h"

bool ver_coq_order_fails(const coq_order *o) { return o->c->b.st != PH_OK; }

/* ---- polynomials as Coq has them ----------------------------------------------------------------------- */

static void put_term(coq_order *o, const fmpz_mpoly_t p, slong k) {
    ulong e[ORDER_GENS + 1];
    fmpz_t c;
    fmpz_init(c);
    fmpz_mpoly_get_term_coeff_fmpz(c, p, k, o->r.ctx);
    fmpz_mpoly_get_term_exp_ui(e, p, k, o->r.ctx);
    char *text = fmpz_get_str(NULL, 10, c);
    bool alone = true;
    for (slong v = 0; v < o->r.nvars; v++) alone &= !e[v];
    if (alone || !fmpz_is_one(c)) COQ_PUT(o->c, "%s%s", text, alone ? "" : " * ");
    bool first = true;
    for (slong v = 0; v < o->r.nvars; v++) {
        if (!e[v]) continue;
        COQ_PUT(o->c, first ? "%s" : " * %s", o->gen[o->r.nvars - 1 - v].text);
        if (e[v] > 1) COQ_PUT(o->c, " ^ %lu", e[v]);
        first = false;
    }
    flint_free(text);
    fmpz_clear(c);
}

/* From term `from` on. */
static void put_terms(coq_order *o, const fmpz_mpoly_t p, slong from) {
    COQ_PUT(o->c, "(");
    if (fmpz_mpoly_length(p, o->r.ctx) <= from) COQ_PUT(o->c, "0");
    for (slong k = from; k < fmpz_mpoly_length(p, o->r.ctx); k++) {
        if (k > from) COQ_PUT(o->c, " + ");
        put_term(o, p, k);
    }
    COQ_PUT(o->c, ")");
}

void ver_coq_put_order_poly(coq_order *o, const fmpz_mpoly_t p) { put_terms(o, p, 0); }

/* ---- text set aside ------------------------------------------------------------------------------------ */

void ver_coq_order_begin(coq_order *o, order_aside *a) {
    a->out = o->c->out;
    o->c->out = (ph_text){0};
    for (int i = 0; i < o->nfacts; i++) {
        a->fact[i] = o->fact[i].told;
        o->fact[i].told = false;
    }
    for (int i = 0; i < o->nrels; i++) {
        a->relation[i] = o->rel[i].told;
        o->rel[i].told = false;
    }
}

char *ver_coq_order_end(coq_order *o, order_aside *a) {
    char *text = NULL;
    ph_status st = ph_text_take(&text, NULL, &o->c->out, o->c->b.err);
    if (st && !ver_coq_order_fails(o)) o->c->b.st = st;
    o->c->out = a->out;
    for (int i = 0; i < o->nfacts; i++) o->fact[i].told = a->fact[i];
    for (int i = 0; i < o->nrels; i++) o->rel[i].told = a->relation[i];
    return text;
}

/* ---- facts --------------------------------------------------------------------------------------------- */

/* What holds inside a block alone has no number for the facts outside. */
static void collect(coq_order *o, int id) {
    int n = 0;
    while (n < ORDER_RESTS && o->collected[n] && o->collected[n] != id) n++;
    if (n == ORDER_RESTS) ver_coq_refuse(o->c, "a certificate that grows too large");
    else o->collected[n] = id;
}

void ver_coq_order_tell(coq_order *o, int id) {
    if (!id) return;
    if (o->collected && id != o->fact[o->nfacts - 1].id) {
        collect(o, id);
        return;
    }
    for (int i = 0; i < o->nfacts; i++) {
        order_fact *f = &o->fact[i];
        if (f->id != id || f->told) continue;
        f->told = true;
        for (int k = 0; f->rests[k]; k++) ver_coq_order_tell(o, f->rests[k]);
        COQ_PUT(o->c, "%s", f->text);
    }
    for (int i = 0; i < o->nrels; i++) {
        order_relation *r = &o->rel[i];
        if (r->id != id || r->told) continue;
        r->told = true;
        for (int k = 0; r->rests[k]; k++) ver_coq_order_tell(o, r->rests[k]);
        COQ_PUT(o->c, "%s", r->text);
    }
}

/* Joins the facts with a text, which is taken over. */
static void push(coq_order *o, const fmpz_mpoly_t p, bool strict, int id, char *text, const int *rests) {
    if (!text || o->nfacts == ORDER_FACTS) {
        ph_free(text);
        return;
    }
    order_fact *f = &o->fact[o->nfacts++];
    *f = (order_fact){.strict = strict, .id = id, .text = text};
    for (int k = 0; rests && rests[k]; k++) f->rests[k] = rests[k];
    fmpz_mpoly_init(&f->p, o->r.ctx);
    fmpz_mpoly_set(&f->p, p, o->r.ctx);
}

void ver_coq_order_pop(coq_order *o) {
    order_fact *f = &o->fact[--o->nfacts];
    fmpz_mpoly_clear(&f->p, o->r.ctx);
    ph_free(f->text);
}

void ver_coq_order_by(coq_order *o, const fmpz_mpoly_t p, bool strict, const char *tactic, const int *rests) {
    order_aside a;
    int id = ++o->c->fresh;
    if (ver_coq_order_fails(o)) return;
    ver_coq_order_begin(o, &a);
    COQ_PUT(o->c, "  assert (F'%d : 0 %s ", id, strict ? "<" : "<=");
    ver_coq_put_order_poly(o, p);
    COQ_PUT(o->c, ") by %s.\n", tactic);
    push(o, p, strict, id, ver_coq_order_end(o, &a), rests);
}

/* The id of a fact that says so already; 0: none. */
static int there(const coq_order *o, const fmpz_mpoly_t p, bool strict) {
    for (int i = 0; i < o->nfacts; i++)
        if (o->fact[i].strict >= strict && fmpz_mpoly_equal(&o->fact[i].p, p, o->r.ctx)) return o->fact[i].id;
    return 0;
}

static char *by_lra(coq_order *o, const char *proof) {
    ph_text t = {0};
    char *out = NULL;
    ph_putf(&t, "(pose proof (%s); lra)", proof);
    ph_status st = ph_text_take(&out, NULL, &t, o->c->b.err);
    if (st && !ver_coq_order_fails(o)) o->c->b.st = st;
    return out;
}

/* p without the content of its coefficients. */
static void primitive(coq_order *o, fmpz_mpoly_t out, const fmpz_mpoly_t p) {
    fmpz_t c;
    fmpz_init(c);
    _fmpz_vec_content(c, p->coeffs, fmpz_mpoly_length(p, o->r.ctx));
    if (fmpz_is_zero(c)) fmpz_mpoly_zero(out, o->r.ctx);
    else fmpz_mpoly_scalar_divexact_fmpz(out, p, c, o->r.ctx);
    fmpz_clear(c);
}

void ver_coq_order_fact(coq_order *o, const fmpz_mpoly_t p, bool strict, const char *proof,
                        const int *rests) {
    fmpz_mpoly_t u;
    if (ver_coq_order_fails(o)) return;
    fmpz_mpoly_init(u, o->r.ctx);
    primitive(o, u, p);
    char *tactic = fmpz_mpoly_is_fmpz(u, o->r.ctx) || there(o, u, strict) ? NULL : by_lra(o, proof);
    if (tactic) ver_coq_order_by(o, u, strict, tactic, rests);
    ph_free(tactic);
    fmpz_mpoly_clear(u, o->r.ctx);
}

void ver_coq_order_relation(coq_order *o, const fmpz_mpoly_t p, const char *proof, const int *rests) {
    fmpz_mpoly_t u;
    order_aside a;
    if (ver_coq_order_fails(o) || fmpz_mpoly_is_fmpz(p, o->r.ctx)) return;
    fmpz_mpoly_init(u, o->r.ctx);
    primitive(o, u, p);
    if (fmpz_sgn(u->coeffs) < 0) fmpz_mpoly_neg(u, u, o->r.ctx);
    if (!fmpz_is_one(u->coeffs) || o->nrels == ORDER_RELATIONS) {
        ver_coq_order_fact(o, u, false, proof, rests);
        fmpz_mpoly_neg(u, u, o->r.ctx);
        ver_coq_order_fact(o, u, false, proof, rests);
    } else {
        int id = ++o->c->fresh;
        char *tactic = by_lra(o, proof);
        ver_coq_order_begin(o, &a);
        COQ_PUT(o->c, "  assert (R'%d : ", id);
        put_term(o, u, 0);
        fmpz_mpoly_neg(u, u, o->r.ctx);
        COQ_PUT(o->c, " = ");
        put_terms(o, u, 1);
        fmpz_mpoly_neg(u, u, o->r.ctx);
        COQ_PUT(o->c, ") by %s.\n", tactic ? tactic : "");
        order_relation *r = &o->rel[o->nrels];
        *r = (order_relation){.id = id, .text = ver_coq_order_end(o, &a)};
        ph_free(tactic);
        for (int k = 0; rests && rests[k]; k++) r->rests[k] = rests[k];
        fmpz_mpoly_init(&r->p, o->r.ctx);
        fmpz_mpoly_set(&r->p, u, o->r.ctx);
        o->nrels++;
    }
    fmpz_mpoly_clear(u, o->r.ctx);
}

void ver_coq_order_back(coq_order *o, int nfacts, int nrels) {
    order_fact last = o->fact[--o->nfacts];
    while (o->nfacts >= nfacts) ver_coq_order_pop(o);
    o->fact[o->nfacts++] = last;
    while (o->nrels > nrels) {
        order_relation *r = &o->rel[--o->nrels];
        fmpz_mpoly_clear(&r->p, o->r.ctx);
        ph_free(r->text);
    }
}

/* ---- what follows from them ---------------------------------------------------------------------------- */

int ver_coq_order_prove(coq_order *o, const fmpz_mpoly_t p, bool strict, order_depth depth) {
    int id = there(o, p, strict), rests[ORDER_RESTS + 1] = {0};
    order_aside a;
    fmpz_mpoly_t minus;
    if (id || ver_coq_order_fails(o) || o->nfacts + 1 >= ORDER_FACTS) return id;
    fmpz_mpoly_init(minus, o->r.ctx);
    fmpz_mpoly_neg(minus, p, o->r.ctx);
    id = ++o->c->fresh;
    ver_coq_order_begin(o, &a);
    COQ_PUT(o->c, "  assert (F'%d : 0 %s ", id, strict ? "<" : "<=");
    ver_coq_put_order_poly(o, p);
    COQ_PUT(o->c, ").\n  { apply Rnot_%s; intro D'%d.\n", strict ? "le_lt" : "lt_le", id);
    ver_coq_order_by(o, minus, !strict, "lra", NULL);
    o->collected = rests;
    bool found = ver_coq_weigh(o, depth);
    o->collected = NULL;
    ver_coq_order_pop(o);
    COQ_PUT(o->c, "  }\n");
    char *text = ver_coq_order_end(o, &a);
    if (found) push(o, p, strict, id, text, rests);
    else ph_free(text);
    fmpz_mpoly_clear(minus, o->r.ctx);
    return found ? id : 0;
}

/* ---- denominators -------------------------------------------------------------------------------------- */

/* f^e > 0 by its own sign, that of -f, or as a square of what is not 0: the factor that is >  0, its power, and the fact's id. */
static int positive_factor(coq_order *o, fmpz_mpoly_t f, ulong *e) {
    int id = ver_coq_order_prove(o, f, true, ORDER_PAIRS);
    if (id) return id;
    fmpz_mpoly_neg(f, f, o->r.ctx);
    if ((id = ver_coq_order_prove(o, f, true, ORDER_PAIRS))) return id;
    if (!ver_coq_order_is_not_0(o, f)) return 0;
    fmpz_mpoly_t square;
    order_aside a;
    id = ++o->c->fresh;
    fmpz_mpoly_init(square, o->r.ctx);
    fmpz_mpoly_mul(square, f, f, o->r.ctx);
    ver_coq_order_begin(o, &a);
    COQ_PUT(o->c, "  assert (F'%d : 0 < ", id);
    ver_coq_put_order_poly(o, square);
    COQ_PUT(o->c, ") by (replace ");
    ver_coq_put_order_poly(o, square);
    COQ_PUT(o->c, " with (");
    ver_coq_put_order_poly(o, f);
    COQ_PUT(o->c, " ^ 2) by ring; apply square_positive; nonzero).\n");
    push(o, square, true, id, ver_coq_order_end(o, &a), NULL);
    fmpz_mpoly_swap(f, square, o->r.ctx);
    fmpz_mpoly_clear(square, o->r.ctx);
    *e = (*e + 1) / 2;
    return id;
}

int ver_coq_order_clear(coq_order *o, fmpz_mpoly_t q, char **text, const fmpz_mpoly_t d) {
    fmpz_mpoly_factor_t fac;
    order_aside a;
    int id = 0, used[ORDER_RESTS + 1] = {0};
    bool known = true;
    *text = NULL;
    fmpz_mpoly_factor_init(fac, o->r.ctx);
    known = ver_poly_factor(fac, d, o->r.ctx) && fac->num <= ORDER_FACTORS;
    fmpz_mpoly_one(q, o->r.ctx);
    if (known) {
        fmpz_abs(fac->constant, fac->constant);
        fmpz_mpoly_scalar_mul_fmpz(q, q, fac->constant, o->r.ctx);
    }
    for (slong i = 0; i < fac->num && known; i++) {
        ulong e = fmpz_get_ui(fac->exp + i);
        known = e < 40 && (used[i] = positive_factor(o, fac->poly + i, &e)) > 0;
        fmpz_set_ui(fac->exp + i, e);
        for (ulong k = 0; k < e && known; k++) fmpz_mpoly_mul(q, q, fac->poly + i, o->r.ctx);
    }
    if (known && !ver_coq_order_fails(o)) {
        ver_coq_order_begin(o, &a);
        ver_coq_put_order_poly(o, q);
        *text = ver_coq_order_end(o, &a);
        id = ++o->c->fresh;
        ver_coq_order_begin(o, &a);
        char *number = fmpz_get_str(NULL, 10, fac->constant);
        COQ_PUT(o->c, "  assert (F'%d : 0 < %s) by (replace %s with (%s", id, *text, *text, number);
        flint_free(number);
        for (slong i = 0; i < fac->num; i++)
            for (ulong k = fmpz_get_ui(fac->exp + i); k > 0; k--) {
                COQ_PUT(o->c, " * ");
                ver_coq_put_order_poly(o, fac->poly + i);
            }
        COQ_PUT(o->c, ") by ring; products).\n");
        push(o, q, true, id, ver_coq_order_end(o, &a), used);
    }
    fmpz_mpoly_factor_clear(fac, o->r.ctx);
    return *text ? id : 0;
}
