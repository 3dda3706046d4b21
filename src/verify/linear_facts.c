/* linear_facts.c: see linear_facts.h. */
#include "verify/linear_facts.h"

#include "verify/meter.h"

#define MAX_ROWS  300
#define MAX_TERMS 40 /* monomials */
#define MAX_BASE  12 /* facts that are multiplied by each other */

typedef struct {
    fmpz_mpoly_struct f; /* f >= 0, strict: > 0 */
    bool strict;
} row;

typedef struct {
    const reading *x;
    row row[MAX_ROWS];
    int n;
} rows;

static void clear(rows *r, int from) {
    for (int i = from; i < r->n; i++) fmpz_mpoly_clear(&r->row[i].f, r->x->r.ctx);
    r->n = from;
}

/* f in lowest terms, unless it is there. false: no room. */
static bool add(rows *r, const fmpz_mpoly_t f, bool strict) {
    fmpz_t c;
    if (r->n == MAX_ROWS || fmpz_mpoly_length(f, r->x->r.ctx) > MAX_TERMS) return false;
    fmpz_init(c);
    row *to = &r->row[r->n];
    fmpz_mpoly_init(&to->f, r->x->r.ctx);
    fmpz_mpoly_set(&to->f, f, r->x->r.ctx);
    _fmpz_vec_content(c, to->f.coeffs, to->f.length);
    if (!fmpz_is_zero(c)) fmpz_mpoly_scalar_divexact_fmpz(&to->f, &to->f, c, r->x->r.ctx);
    fmpz_clear(c);
    to->strict = strict;
    for (int i = 0; i < r->n; i++)
        if (r->row[i].strict >= strict && fmpz_mpoly_equal(&r->row[i].f, &to->f, r->x->r.ctx)) {
            fmpz_mpoly_clear(&to->f, r->x->r.ctx);
            return true;
        }
    r->n++;
    return true;
}

/* A constant row that no point can meet. */
static bool contradicts(const row *r, const reading *x) {
    if (!fmpz_mpoly_is_fmpz(&r->f, x->r.ctx)) return false;
    if (fmpz_mpoly_is_zero(&r->f, x->r.ctx)) return r->strict;
    return fmpz_sgn(r->f.coeffs) < 0;
}

/* out[i]: the coefficient in row i of the leading monomial of `lead`. */
static void coefficients(fmpz *out, const rows *r, const fmpz_mpoly_t lead) {
    ulong e[READ_GENS + 1];
    fmpz_mpoly_get_term_exp_ui(e, lead, 0, r->x->r.ctx);
    for (int i = 0; i < r->n; i++) fmpz_mpoly_get_coeff_fmpz_ui(out + i, &r->row[i].f, e, r->x->r.ctx);
}

#define SUM_COST 2.0 /* of two rows, on the meter */

/* c f + d g of rows f and g, where c, d > 0; nothing is to be had of 0 >= 0. */
static bool add_sum(rows *to, const row *f, const fmpz_t c, const row *g, const fmpz_t d) {
    const reading *x = to->x;
    const bool strict = f->strict || g->strict;
    fmpz_mpoly_t s, t;
    fmpz_mpoly_init(s, x->r.ctx);
    fmpz_mpoly_init(t, x->r.ctx);
    fmpz_mpoly_scalar_mul_fmpz(s, &f->f, c, x->r.ctx);
    fmpz_mpoly_scalar_mul_fmpz(t, &g->f, d, x->r.ctx);
    fmpz_mpoly_add(s, s, t, x->r.ctx);
    bool ok =
        ver_meter_spend(SUM_COST) && ((fmpz_mpoly_is_zero(s, x->r.ctx) && !strict) || add(to, s, strict));
    fmpz_mpoly_clear(s, x->r.ctx);
    fmpz_mpoly_clear(t, x->r.ctx);
    return ok;
}

/* Every row with c > 0 at the monomial and every one with c < 0 are added so that it cancels; the others stay. */
static bool cancel_monomial(rows *to, const rows *r, const fmpz_mpoly_t lead) {
    fmpz *c = _fmpz_vec_init(MAX_ROWS);
    fmpz_t d;
    bool ok = true;
    fmpz_init(d);
    coefficients(c, r, lead);
    for (int i = 0; i < r->n && ok; i++) {
        if (fmpz_is_zero(c + i)) ok = add(to, &r->row[i].f, r->row[i].strict);
        for (int k = 0; k < r->n && ok && fmpz_sgn(c + i) > 0; k++)
            if (fmpz_sgn(c + k) < 0) {
                fmpz_neg(d, c + k);
                ok = add_sum(to, &r->row[i], d, &r->row[k], c + i);
            }
    }
    fmpz_clear(d);
    _fmpz_vec_clear(c, MAX_ROWS);
    return ok;
}

/* The row whose leading monomial is next to go; NULL: only constants are left. */
static const row *next(const rows *r) {
    const row *best = NULL;
    for (int i = 0; i < r->n; i++)
        if (!fmpz_mpoly_is_fmpz(&r->row[i].f, r->x->r.ctx) &&
            (!best ||
             fmpz_mpoly_length(&r->row[i].f, r->x->r.ctx) < fmpz_mpoly_length(&best->f, r->x->r.ctx)))
            best = &r->row[i];
    return best;
}

static bool inconsistent(rows *r) {
    rows *next_rows = ph_alloc(sizeof *next_rows);
    bool found = false, going = next_rows != NULL;
    for (int round = 0; going && !found; round++) {
        const row *lead = next(r);
        for (int i = 0; i < r->n && !found; i++) found = contradicts(&r->row[i], r->x);
        if (found || !lead || round > 200 || ph_interrupted()) break;
        next_rows->x = r->x;
        next_rows->n = 0;
        going = cancel_monomial(next_rows, r, &lead->f);
        clear(r, 0);
        *r = *next_rows;
    }
    ph_free(next_rows);
    return found;
}

/* The facts, the signs of the variables, and the products of two of these. How many of them may be multiplied. */
static int gather(rows *r, bool products) {
    const reading *x = r->x;
    fmpz_mpoly_t f;
    fmpz_mpoly_init(f, x->r.ctx);
    for (int i = 0; i < x->nfacts; i++) add(r, &x->fact[i], x->strict[i]);
    for (slong g = 1; g < x->ngens; g++)
        if (x->gen[g].sign != VER_SIGN_OPEN) {
            fmpz_mpoly_gen(f, x->r.nvars - 1 - g, x->r.ctx);
            add(r, f, x->gen[g].sign == VER_SIGN_POSITIVE);
        }
    int n = r->n < MAX_BASE ? r->n : MAX_BASE;
    for (int i = 0; i < n && products; i++)
        for (int k = 0; k <= i; k++) {
            fmpz_mpoly_mul(f, &r->row[i].f, &r->row[k].f, x->r.ctx);
            add(r, f, r->row[i].strict && r->row[k].strict);
        }
    fmpz_mpoly_clear(f, x->r.ctx);
    return n;
}

/* The last row times each of the first n, and itself: of x·y >= 0, x + y >= 0 and -y > 0 the products (x + y)·(−y) >= 0 and y² > 0 contradict it. */
static void multiply_last(rows *r, int n) {
    const reading *x = r->x;
    const int last = r->n - 1;
    fmpz_mpoly_t f;
    fmpz_mpoly_init(f, x->r.ctx);
    for (int i = 0; i <= n; i++) {
        const int k = i < n ? i : last;
        fmpz_mpoly_mul(f, &r->row[last].f, &r->row[k].f, x->r.ctx);
        add(r, f, r->row[last].strict && r->row[k].strict);
    }
    fmpz_mpoly_clear(f, x->r.ctx);
}

ph_status ver_linear_facts(ver_sign *out, const char **method, reading *x, const ring_frac *f, bool strict) {
    ver_sign s[READ_GENS + 1] = {VER_SIGN_OPEN};
    for (slong g = 1; g < x->ngens; g++) s[x->r.nvars - 1 - g] = x->gen[g].sign;
    if (x->nfacts == 0 || ver_poly_visible(f->d, s, x->r.ctx) != VER_SIGN_POSITIVE) return PH_OK;
    if (fmpz_mpoly_length(f->n, x->r.ctx) > MAX_TERMS) return PH_OK;
    rows *r = ph_alloc(sizeof *r);
    if (!r) return ph_fail_nomem(x->b->err, sizeof *r);
    /* What is to be contradicted: n/d <= 0; or n/d < 2^(−20), since n/d >= 2^(−20) is > 0 at an angle of π, too. */
    fmpz_mpoly_t minus, below;
    fmpz_mpoly_init(minus, x->r.ctx);
    fmpz_mpoly_init(below, x->r.ctx);
    fmpz_mpoly_neg(minus, f->n, x->r.ctx);
    fmpz_mpoly_scalar_mul_si(below, minus, 1 << 20, x->r.ctx);
    fmpz_mpoly_add(below, below, f->d, x->r.ctx);
    /* > 0 first where it is wanted; without products first, then with those of the facts, then with those of what is contradicted */
    for (int pass = 0; pass < 6 && *out == VER_SIGN_OPEN; pass++) {
        bool above = pass / 3 == 0;
        if (above && !strict) continue;
        r->x = x;
        r->n = 0;
        int n = gather(r, pass % 3 == 1);
        if (add(r, above && x->angles ? below : minus, !above || x->angles) && pass % 3 == 2)
            multiply_last(r, n);
        if (inconsistent(r)) *out = above ? VER_SIGN_POSITIVE : VER_SIGN_NONNEGATIVE;
        clear(r, 0);
    }
    *method = "a combination of the conditions and their products, found by elimination";
    fmpz_mpoly_clear(minus, x->r.ctx);
    fmpz_mpoly_clear(below, x->r.ctx);
    ph_free(r);
    return ph_interrupted() ? ph_fail_interrupted(x->b->err) : PH_OK;
}
