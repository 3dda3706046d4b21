/* coq_values.c: formulas read into the ring. */
#include "verify/coq_forms.h"
#include "verify/wide.h"

static slong var_of(const coq_forms *f, slong gen) { return f->r.nvars - 1 - gen; }

static bool failed(const coq_forms *f) { return f->c->b.st != PH_OK; }

/* A ring operation that gives out means that there is no certificate. */
void ver_coq_keep(coq_forms *f, ph_status st) {
    if (!st || failed(f)) return;
    if (ph_is_open(st) || st == PH_EDOMAIN) ver_coq_refuse(f->c, "a certificate that grows too large");
    else f->c->b.st = st;
}
static void binary(coq_forms *f, ring_frac *out, const expr_node *e) {
    ring_frac v;
    ver_ring_frac_init(&v, &f->r);
    ver_coq_value(f, out, e->arg[0]);
    ver_coq_value(f, &v, e->arg[1]);
    if (!failed(f))
        ver_coq_keep(f, e->op == EXPR_MUL   ? ver_ring_mul(out, out, &v, &f->r)
                        : e->op == EXPR_DIV ? ver_ring_div(out, out, &v, &f->r)
                                            : ver_ring_add(out, out, &v, e->op == EXPR_ADD ? 1 : -1, &f->r));
    ver_ring_frac_clear(&v, &f->r);
}

/* x + I·y, whose generators stand one behind the other. */
static void of_complex_atom(coq_forms *f, ring_frac *out, slong g) {
    ring_frac y;
    ver_ring_frac_init(&y, &f->r);
    ver_ring_gen(&y, g + 1, &f->r);
    ver_ring_gen(out, 0, &f->r);
    ver_coq_keep(f, ver_ring_mul(&y, &y, out, &f->r));
    ver_ring_gen(out, g, &f->r);
    ver_coq_keep(f, ver_ring_add(out, out, &y, 1, &f->r));
    ver_ring_frac_clear(&y, &f->r);
}

/* I becomes −I. */
static void conjugate(coq_forms *f, fmpz_mpoly_t p) {
    fmpz_mpoly_t i, out;
    fmpz_mpoly_init(i, f->r.ctx);
    fmpz_mpoly_init(out, f->r.ctx);
    for (slong k = 0; k < fmpz_mpoly_length(p, f->r.ctx); k++) {
        fmpz_mpoly_get_term(i, p, k, f->r.ctx);
        if (fmpz_mpoly_degree_si(i, var_of(f, 0), f->r.ctx) > 0) fmpz_mpoly_neg(i, i, f->r.ctx);
        fmpz_mpoly_add(out, out, i, f->r.ctx);
    }
    fmpz_mpoly_swap(p, out, f->r.ctx);
    fmpz_mpoly_clear(i, f->r.ctx);
    fmpz_mpoly_clear(out, f->r.ctx);
}

static void of_conjugate(coq_forms *f, ring_frac *out, const expr_node *e) {
    ver_coq_value(f, out, e->arg[0]);
    conjugate(f, out->n);
    conjugate(f, out->d);
}

static void of_atom(coq_forms *f, ring_frac *out, const expr_node *e) {
    slong g = ver_coq_gen_find(f, e);
    const expr_node *sym = e->op == EXPR_AT ? e->arg[0] : e;
    if (g >= 0 && sym->op == EXPR_SYM && sym->kind == EXPR_COMPLEX) of_complex_atom(f, out, g);
    else if (g >= 0) ver_ring_gen(out, g, &f->r);
    else ver_coq_refuse(f->c, "%s inside another function", expr_ops[e->op].name);
}

static void of_function(coq_forms *f, ring_frac *out, const expr_node *e) {
    for (int i = 0; i < f->nplans; i++)
        if (f->plans[i].has_value && expr_same(f->plans[i].node, e)) {
            ver_ring_set(out, &f->plans[i].value, &f->r);
            return;
        }
    ver_coq_refuse(f->c, "%s inside another function", expr_ops[e->op].name);
}

void ver_coq_value(coq_forms *f, ring_frac *out, const expr_node *e) {
    fmpq_t q;
    if (failed(f)) return;
    switch (e->op) {
    case EXPR_RAT:
        fmpq_init(q);
        ver_fmpq_set(q, e->num, e->den);
        ver_ring_set_fmpq(out, q, &f->r);
        fmpq_clear(q);
        return;
    case EXPR_I: ver_ring_gen(out, 0, &f->r); return;
    case EXPR_PI:
    case EXPR_SYM:
    case EXPR_AT: of_atom(f, out, e); return;
    case EXPR_NEG:
        ver_coq_value(f, out, e->arg[0]);
        fmpz_mpoly_neg(out->n, out->n, f->r.ctx);
        return;
    case EXPR_CONJ: of_conjugate(f, out, e); return;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: binary(f, out, e); return;
    case EXPR_POW:
        if (e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1) {
            const expr_node *base = e->arg[0]; /* |u|^2 is u^2: the goal has it so by then */
            bool size = base->op == EXPR_ABS && e->arg[1]->num == 2 && !ver_coq_is_complex(base->arg[0]);
            ver_coq_value(f, out, size ? base->arg[0] : base);
            if (!failed(f)) ver_coq_keep(f, ver_ring_pow(out, out, e->arg[1]->num, &f->r));
            return;
        } /* fall through */
    default: of_function(f, out, e);
    }
}

/* ---- denominators -------------------------------------------------------------------------------------- */

/* By whole numbers and +, -, *, / alone. */
static bool is_of_whole(const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT: return true;
    case EXPR_SYM:
    case EXPR_AT: return ver_coq_is_whole(e);
    case EXPR_NEG: return is_of_whole(e->arg[0]);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: return is_of_whole(e->arg[0]) && is_of_whole(e->arg[1]);
    default: return false;
    }
}

/* Is e never 0, since a number divides all its terms but the constant one, as in 2*k - 1? */
static bool is_odd(coq_forms *f, const expr_node *e) {
    ring_frac v;
    fmpz_mpoly_t last;
    fmpz_t content;
    if (!is_of_whole(e)) return false;
    ver_ring_frac_init(&v, &f->r);
    fmpz_mpoly_init(last, f->r.ctx);
    fmpz_init(content);
    ver_coq_value(f, &v, e);
    slong n = fmpz_mpoly_length(v.n, f->r.ctx);
    if (!failed(f) && n > 1) fmpz_mpoly_get_term(last, v.n, n - 1, f->r.ctx);
    bool odd = !fmpz_mpoly_is_zero(last, f->r.ctx) && fmpz_mpoly_is_fmpz(last, f->r.ctx);
    if (odd) {
        _fmpz_vec_content(content, v.n->coeffs, n - 1);
        odd = !fmpz_divisible(last->coeffs, content);
    }
    fmpz_clear(content);
    fmpz_mpoly_clear(last, f->r.ctx);
    ver_ring_frac_clear(&v, &f->r);
    return odd;
}

static bool is_given(const coq_forms *f, const expr_node *e) {
    const expr_set *k = f->c->conditions;
    for (int i = 0; k && i < k->n; i++)
        if (k->item[i]->op == EXPR_NE && expr_same(k->item[i]->arg[0], e)) return true;
    return false;
}

bool ver_coq_has_odd_denominator(coq_forms *f, const expr_node *e) {
    const expr_node *n = e->nargs > 1 ? e->arg[1] : NULL;
    bool negative = e->op == EXPR_POW && n->op == EXPR_RAT && n->num < 0;
    const expr_node *d = e->op == EXPR_DIV ? n : negative ? e->arg[0] : NULL;
    if (e->op == EXPR_SUM) return false; /* a name by now */
    if (d && is_odd(f, d) && !is_given(f, d)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (ver_coq_has_odd_denominator(f, e->arg[i])) return true;
    return false;
}
