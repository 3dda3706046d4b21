/* cells.c: see cells.h. */
#include "verify/cells.h"

#include <flint/fmpq_vec.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly.h>

#include <math.h>

#include "verify/meter.h"
#include "verify/polysign.h"
#include "verify/realroots.h"

#define MAX_LIST   60    /* polynomials of one level */
#define MAX_TERMS  1500  /* of one polynomial */
#define MAX_WORK   60000 /* of one resultant: terms·terms·degrees */
#define MAX_POINTS 4000  /* cells looked at */
#define MAX_DEGREE 60

void ver_cells_init(cell_problem *c, slong nvars) {
    c->nvars = nvars;
    c->nfacts = c->nroots = 0;
    fmpz_mpoly_ctx_init(c->ctx, nvars, ORD_LEX);
    fmpz_mpoly_init(&c->goal, c->ctx);
}

void ver_cells_clear(cell_problem *c) {
    for (int i = 0; i < c->nfacts; i++) fmpz_mpoly_clear(&c->fact[i], c->ctx);
    for (int i = 0; i < c->nroots; i++) fmpz_mpoly_clear(&c->root[i].of, c->ctx);
    fmpz_mpoly_clear(&c->goal, c->ctx);
    fmpz_mpoly_ctx_clear(c->ctx);
}

fmpz_mpoly_struct *ver_cells_fact(cell_problem *c) {
    if (c->nfacts == CELL_FACTS) return NULL;
    fmpz_mpoly_init(&c->fact[c->nfacts], c->ctx);
    return &c->fact[c->nfacts++];
}

fmpz_mpoly_struct *ver_cells_root(cell_problem *c, slong var, slong degree) {
    if (c->nroots == CELL_ROOTS) return NULL;
    cell_root *r = &c->root[c->nroots++];
    *r = (cell_root){.var = var, .degree = degree};
    fmpz_mpoly_init(&r->of, c->ctx);
    return &r->of;
}

/* ---- lists of irreducible polynomials ------------------------------------------------------------------ */

typedef struct {
    fmpz_mpoly_struct item[MAX_LIST];
    int n;
} list;

typedef struct {
    cell_problem *p;
    list level[CELL_VARS]; /* level[k]: those whose last variable is order[k] */
    slong order[CELL_VARS];
    int n; /* variables in use */
    fmpq *at;
    int64_t points, inside;
    cells_answer answer;
    ph_err *err;
} cells;

static bool has_var(const cells *c, const fmpz_mpoly_t f, slong v) {
    return fmpz_mpoly_degree_si(f, v, c->p->ctx) > 0;
}

static bool list_add(cells *c, list *l, const fmpz_mpoly_t f) {
    for (int i = 0; i < l->n; i++)
        if (fmpz_mpoly_equal(&l->item[i], f, c->p->ctx)) return true;
    if (l->n == MAX_LIST || fmpz_mpoly_length(f, c->p->ctx) > MAX_TERMS) return false;
    fmpz_mpoly_init(&l->item[l->n], c->p->ctx);
    fmpz_mpoly_set(&l->item[l->n++], f, c->p->ctx);
    return true;
}

/* The irreducible factors of f that are no constants join l. */
static bool list_add_factors(cells *c, list *l, const fmpz_mpoly_t f) {
    fmpz_mpoly_factor_t fac;
    if (fmpz_mpoly_is_fmpz(f, c->p->ctx)) return true;
    if (fmpz_mpoly_length(f, c->p->ctx) > MAX_TERMS) return false;
    fmpz_mpoly_factor_init(fac, c->p->ctx);
    bool ok = ver_poly_factor(fac, f, c->p->ctx);
    for (slong i = 0; i < fac->num && ok; i++) ok = list_add(c, l, fac->poly + i);
    fmpz_mpoly_factor_clear(fac, c->p->ctx);
    return ok;
}

static void list_clear(cells *c, list *l) {
    for (int i = 0; i < l->n; i++) fmpz_mpoly_clear(&l->item[i], c->p->ctx);
    l->n = 0;
}

/* ---- elimination --------------------------------------------------------------------------------------- */

static bool affordable(const cells *c, const fmpz_mpoly_t f, const fmpz_mpoly_t g, slong v) {
    double a = (double)fmpz_mpoly_length(f, c->p->ctx), b = (double)fmpz_mpoly_length(g, c->p->ctx);
    slong m = fmpz_mpoly_degree_si(f, v, c->p->ctx), n = fmpz_mpoly_degree_si(g, v, c->p->ctx);
    return m + n <= MAX_DEGREE && a * b * (double)(m + n) <= MAX_WORK && ver_poly_affords(f, g, v, c->p->ctx);
}

static bool add_leading(cells *c, list *rest, const fmpz_mpoly_t f, slong v) {
    fmpz_mpoly_univar_t u;
    fmpz_mpoly_t lead;
    fmpz_mpoly_univar_init(u, c->p->ctx);
    fmpz_mpoly_init(lead, c->p->ctx);
    fmpz_mpoly_to_univar(u, f, v, c->p->ctx);
    fmpz_mpoly_univar_get_term_coeff(lead, u, 0, c->p->ctx);
    bool ok = list_add_factors(c, rest, lead);
    fmpz_mpoly_clear(lead, c->p->ctx);
    fmpz_mpoly_univar_clear(u, c->p->ctx);
    return ok;
}

/* Moves what contains v from `rest` to `level`, and adds to `rest` what the cells over the other variables need. */
static bool eliminate(cells *c, list *level, list *rest, slong v) {
    list old = *rest;
    fmpz_mpoly_t t;
    bool ok = true;
    rest->n = level->n = 0;
    for (int i = 0; i < old.n; i++) {
        list *to = has_var(c, &old.item[i], v) ? level : rest;
        to->item[to->n++] = old.item[i];
    }
    fmpz_mpoly_init(t, c->p->ctx);
    for (int i = 0; i < level->n && ok; i++) {
        const fmpz_mpoly_struct *f = &level->item[i];
        ok = !ph_interrupted() && affordable(c, f, f, v) && add_leading(c, rest, f, v) &&
             fmpz_mpoly_discriminant(t, f, v, c->p->ctx) && list_add_factors(c, rest, t);
        for (int k = 0; k < i && ok; k++)
            ok = affordable(c, f, &level->item[k], v) &&
                 fmpz_mpoly_resultant(t, f, &level->item[k], v, c->p->ctx) && list_add_factors(c, rest, t);
    }
    fmpz_mpoly_clear(t, c->p->ctx);
    return ok;
}

/* The variable whose elimination is least: lowest degree, then in the fewest polynomials. -1: none left. */
static slong next_variable(const cells *c, const list *l) {
    slong best = -1;
    double least = 0;
    for (slong v = 0; v < c->p->nvars; v++) {
        double cost = 0;
        for (int i = 0; i < l->n; i++) {
            slong d = fmpz_mpoly_degree_si(&l->item[i], v, c->p->ctx);
            cost += (double)d * (double)d * (double)fmpz_mpoly_length(&l->item[i], c->p->ctx);
        }
        if (cost > 0 && (best < 0 || cost < least)) best = v, least = cost;
    }
    return best;
}

/* The norm of f over the roots, latest first; 0 when f vanishes for some choice of them. */
static bool norm(cells *c, fmpz_mpoly_t out, const fmpz_mpoly_t f) {
    fmpz_mpoly_t rel, t;
    bool ok = true;
    fmpz_mpoly_init(rel, c->p->ctx);
    fmpz_mpoly_init(t, c->p->ctx);
    fmpz_mpoly_set(out, f, c->p->ctx);
    for (int i = c->p->nroots - 1; i >= 0 && ok; i--) {
        const cell_root *r = &c->p->root[i];
        if (!has_var(c, out, r->var)) continue;
        fmpz_mpoly_gen(rel, r->var, c->p->ctx);
        ok = fmpz_mpoly_pow_ui(rel, rel, (ulong)r->degree, c->p->ctx);
        fmpz_mpoly_sub(rel, rel, &r->of, c->p->ctx);
        ok = ok && fmpz_mpoly_length(out, c->p->ctx) <= 200 &&
             ver_poly_affords(rel, out, r->var, c->p->ctx) &&
             fmpz_mpoly_resultant(t, rel, out, r->var, c->p->ctx);
        fmpz_mpoly_swap(out, t, c->p->ctx);
    }
    fmpz_mpoly_clear(rel, c->p->ctx);
    fmpz_mpoly_clear(t, c->p->ctx);
    return ok && !fmpz_mpoly_is_zero(out, c->p->ctx);
}

static bool project(cells *c) {
    list *l = ph_calloc(1, sizeof *l);
    if (!l) return false;
    fmpz_mpoly_t t;
    fmpz_mpoly_init(t, c->p->ctx);
    bool ok = norm(c, t, &c->p->goal) && list_add_factors(c, l, t);
    for (int i = 0; i < c->p->nfacts && ok; i++) ok = norm(c, t, &c->p->fact[i]) && list_add_factors(c, l, t);
    for (int i = 0; i < c->p->nroots && ok; i++)
        ok = norm(c, t, &c->p->root[i].of) && list_add_factors(c, l, t);
    for (slong v; ok && (v = next_variable(c, l)) >= 0; c->n++) {
        c->order[c->n] = v;
        ok = eliminate(c, &c->level[c->n], l, v);
    }
    fmpz_mpoly_clear(t, c->p->ctx);
    list_clear(c, l);
    ph_free(l);
    return ok;
}

/* ---- points -------------------------------------------------------------------------------------------- */

/* f with every variable but v at its value in c->at, as an integer polynomial with the same roots and sign. */
static void restrict_to(fmpz_poly_t out, const cells *c, const fmpz_mpoly_t f, slong v) {
    fmpq_t t, w;
    slong n = fmpz_mpoly_degree_si(f, v, c->p->ctx) + 1, *e = flint_calloc((size_t)c->p->nvars, sizeof *e);
    fmpq *coef = _fmpq_vec_init(n);
    fmpz_t lcm;
    fmpz_init_set_ui(lcm, 1);
    fmpq_init(t);
    fmpq_init(w);
    for (slong i = 0; i < fmpz_mpoly_length(f, c->p->ctx); i++) {
        fmpz_mpoly_get_term_exp_si(e, f, i, c->p->ctx);
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(t), f, i, c->p->ctx);
        fmpz_one(fmpq_denref(t));
        for (slong k = 0; k < c->p->nvars; k++)
            if (k != v && e[k]) {
                fmpq_pow_si(w, c->at + k, e[k]);
                fmpq_mul(t, t, w);
            }
        fmpq_add(coef + e[v], coef + e[v], t);
    }
    for (slong i = 0; i < n; i++) fmpz_lcm(lcm, lcm, fmpq_denref(coef + i));
    fmpz_poly_zero(out);
    for (slong i = 0; i < n; i++) {
        fmpq_mul_fmpz(t, coef + i, lcm);
        fmpz_poly_set_coeff_fmpz(out, i, fmpq_numref(t));
    }
    fmpz_clear(lcm);
    fmpq_clear(t);
    fmpq_clear(w);
    _fmpq_vec_clear(coef, n);
    flint_free(e);
}

/* A short fraction strictly between lo and hi; false: lo >= hi. */
static bool between(fmpq_t out, const arf_t lo, const arf_t hi) {
    fmpz_t m;
    arf_t t;
    if (arf_cmp(lo, hi) >= 0) return false;
    fmpz_init(m);
    arf_init(t);
    for (slong k = 0;; k++) {
        arf_mul_2exp_si(t, lo, k);
        arf_get_fmpz(m, t, ARF_RND_FLOOR);
        fmpz_add_ui(m, m, 1);
        arf_set_fmpz(t, m);
        arf_mul_2exp_si(t, t, -k);
        if (arf_cmp(t, hi) >= 0) continue;
        arf_get_fmpq(out, t);
        break;
    }
    fmpz_clear(m);
    arf_clear(t);
    return true;
}

/* Point i of 0 … n, each between two neighbours of the n roots. */
static bool gap(fmpq_t out, arb_srcptr root, slong n, slong i) {
    arf_t lo, hi;
    arf_init(lo);
    arf_init(hi);
    if (n == 0) arf_set_si(lo, -1), arf_set_si(hi, 1);
    else {
        if (i > 0) arb_get_ubound_arf(lo, root + i - 1, 64);
        if (i < n) arb_get_lbound_arf(hi, root + i, 64);
        if (i == 0) arf_sub_ui(lo, hi, 2, 64, ARF_RND_FLOOR);
        if (i == n) arf_add_ui(hi, lo, 2, 64, ARF_RND_CEIL);
    }
    bool ok = between(out, lo, hi);
    arf_clear(lo);
    arf_clear(hi);
    return ok;
}

/* The sign of f at c->at, roots included, by balls; 2: undecided. */
static int sign_at(const cells *c, const fmpz_mpoly_t f) {
    const cell_problem *p = c->p;
    int answer = 2;
    slong *e = flint_calloc((size_t)p->nvars, sizeof *e);
    arb_ptr x = _arb_vec_init(p->nvars);
    arb_t sum, term, w;
    fmpz_t k;
    fmpz_init(k);
    arb_init(sum);
    arb_init(term);
    arb_init(w);
    for (slong prec = 64; prec <= 1024 && answer == 2; prec *= 4) {
        for (slong v = 0; v < p->nvars; v++) arb_set_fmpq(x + v, c->at + v, prec);
        for (int stage = 0; stage <= p->nroots; stage++) { /* the roots in order, then f */
            const fmpz_mpoly_struct *g = stage < p->nroots ? &p->root[stage].of : f;
            arb_zero(sum);
            for (slong i = 0; i < fmpz_mpoly_length(g, p->ctx); i++) {
                fmpz_mpoly_get_term_exp_si(e, g, i, p->ctx);
                fmpz_mpoly_get_term_coeff_fmpz(k, g, i, p->ctx);
                arb_set_fmpz(term, k);
                for (slong v = 0; v < p->nvars; v++)
                    if (e[v]) {
                        arb_pow_ui(w, x + v, (ulong)e[v], prec);
                        arb_mul(term, term, w, prec);
                    }
                arb_add(sum, sum, term, prec);
            }
            if (stage < p->nroots)
                arb_root_ui(x + p->root[stage].var, sum, (ulong)p->root[stage].degree, prec);
        }
        if (arb_is_positive(sum)) answer = 1;
        else if (arb_is_negative(sum)) answer = -1;
        else if (arb_is_zero(sum)) answer = 0;
    }
    fmpz_clear(k);
    arb_clear(sum);
    arb_clear(term);
    arb_clear(w);
    _arb_vec_clear(x, p->nvars);
    flint_free(e);
    return answer;
}

static bool known_from(const cells *c, const fmpz_mpoly_t f, int k) {
    for (int i = 0; i < k; i++)
        if (has_var(c, f, c->order[i])) return false;
    for (int i = 0; i < c->p->nroots; i++)
        if (has_var(c, f, c->p->root[i].var)) return k == 0;
    return true;
}

/* Does the point violate a fact whose variables all have values? Values exist for order[k] and above. */
static bool outside(const cells *c, int k) {
    for (int i = 0; i < c->p->nfacts; i++)
        if (known_from(c, &c->p->fact[i], k)) {
            int s = sign_at(c, &c->p->fact[i]);
            if (s == 0 || s == -1) return true;
        }
    return false;
}

static void look(cells *c) {
    for (int i = 0; i < c->p->nfacts; i++)
        if (sign_at(c, &c->p->fact[i]) == 2) c->answer = CELLS_UNDECIDED;
    for (int i = 0; i < c->p->nroots; i++)
        if (sign_at(c, &c->p->root[i].of) != 1) c->answer = CELLS_UNDECIDED;
    if (c->answer == CELLS_UNDECIDED) return;
    int s = sign_at(c, &c->p->goal);
    c->inside++;
    if (s == 2 || s == 0) c->answer = CELLS_UNDECIDED;
    if (s == -1) c->answer = CELLS_FAIL;
}

/* A square-free polynomial with the roots of all polynomials of level k over the point. */
static void over(fmpz_poly_t out, const cells *c, int k) {
    fmpz_poly_t t, g;
    fmpz_poly_init(t);
    fmpz_poly_init(g);
    fmpz_poly_one(out);
    for (int i = 0; i < c->level[k].n; i++) {
        restrict_to(t, c, &c->level[k].item[i], c->order[k]);
        if (!fmpz_poly_is_zero(t)) fmpz_poly_mul(out, out, t);
    }
    fmpz_poly_derivative(t, out);
    fmpz_poly_gcd(g, out, t);
    fmpz_poly_div(out, out, g);
    fmpz_poly_clear(t);
    fmpz_poly_clear(g);
}

/* All cells over the point whose coordinates order[k+1], … are set. */
static void lift(cells *c, int k) {
    if (c->answer != CELLS_HOLD) return;
    if (outside(c, k + 1)) return;
    if (k < 0) {
        look(c);
        return;
    }
    fmpz_poly_t f;
    slong n = 0;
    fmpz_poly_init(f);
    over(f, c, k);
    slong degree = fmpz_poly_degree(f);
    double cost = (double)degree * (double)degree * (1 + fabs((double)fmpz_poly_max_bits(f)) / 64);
    *c->p->work -= cost;
    if (*c->p->work < 0 || degree > 4 * MAX_DEGREE || !ver_meter_spend(4 * cost)) {
        c->answer = CELLS_UNDECIDED;
        fmpz_poly_clear(f);
        return;
    }
    arb_ptr root = ver_real_roots(&n, f);
    for (slong i = 0; i <= n && c->answer == CELLS_HOLD; i++) {
        if (++c->points > MAX_POINTS || ph_interrupted() || !gap(c->at + c->order[k], root, n, i))
            c->answer = CELLS_UNDECIDED;
        lift(c, k - 1);
    }
    fmpq_zero(c->at + c->order[k]);
    _arb_vec_clear(root, degree);
    fmpz_poly_clear(f);
}

ph_status ver_cells_decide(cells_answer *out, cell_problem *p, ph_err *err) {
    *out = CELLS_UNDECIDED;
    cells *c = ph_calloc(1, sizeof *c);
    if (!c) return ph_fail_nomem(err, sizeof *c);
    c->p = p;
    c->err = err;
    c->at = _fmpq_vec_init(p->nvars);
    if (project(c)) {
        c->answer = CELLS_HOLD;
        lift(c, c->n - 1);
        *out = c->answer == CELLS_HOLD && c->inside == 0 ? CELLS_EMPTY : c->answer;
    }
    for (int k = 0; k < CELL_VARS; k++) list_clear(c, &c->level[k]);
    _fmpq_vec_clear(c->at, p->nvars);
    ph_free(c);
    return ph_interrupted() ? ph_fail_interrupted(err) : PH_OK;
}
