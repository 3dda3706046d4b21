/* coq_weigh.c: weights with which facts and their products add up to 0, though one of them is > 0: a system of linear equations in weights >= 0,
 * an equation for each monomial, solved exactly by pivots (the simplex method, whose rule against cycles is Bland's). */
#include <string.h>

#include "verify/coq_order.h"
#include "verify/coq_squares.h"

#define MAX_COLUMNS   700
#define MAX_MONOMIALS 1500
#define MAX_ROWS      160 /* those that can cancel */
#define MAX_PIVOTS    1200
#define MAX_FACTORS   ORDER_FACTORS
#define MAX_PAIRED    22 /* facts that are multiplied by each other */
#define MAX_TRIPLED   12 /* … by what was supposed and by each other */

/* A product of facts and a square: what it is, what is left of it by the relations, and whether it is > 0. */
typedef struct {
    fmpz_mpoly_struct whole, p;
    bool strict, gone;
    int fact[MAX_FACTORS], n, square; /* indices; square −1: none */
    int *mono;                        /* of each term of p */
} column;

typedef struct {
    coq_order *o;
    column col[MAX_COLUMNS];
    int n;
    coq_squares squares;
    ulong *mono[MAX_MONOMIALS];
    int nmono, row[MAX_MONOMIALS], nrows; /* the row of a monomial; −1: it cannot cancel */
    fmpq *t; /* (nrows + 2) × (live + 1): the last column is the right side, the last row the costs */
    int *live, nlive, basis[MAX_ROWS + 1];
} weighing;

static const fmpz_mpoly_ctx_struct *ctx_of(const coq_order *o) { return o->r.ctx; }

/* NULL fails the writer. */
static void *room(weighing *w, size_t size) {
    void *p = ph_alloc(size);
    if (!p && !w->o->c->b.st) w->o->c->b.st = ph_fail_nomem(w->o->c->b.err, size);
    return p;
}

/* ---- columns ------------------------------------------------------------------------------------------- */

static void reduce(const coq_order *o, fmpz_mpoly_t p) {
    fmpz_mpoly_t q;
    fmpz_mpoly_init(q, o->r.ctx);
    bool again = true;
    for (int round = 0; round < 2 * ORDER_RELATIONS && again; round++) {
        again = false;
        for (int i = o->nrels - 1; i >= 0; i--) {
            fmpz_mpoly_divrem(q, p, p, &o->rel[i].p, o->r.ctx);
            again |= !fmpz_mpoly_is_zero(q, o->r.ctx);
        }
    }
    fmpz_mpoly_clear(q, o->r.ctx);
}

static void add_column(weighing *w, const int *fact, int n, int square) {
    coq_order *o = w->o;
    if (w->n == MAX_COLUMNS) return;
    column *c = &w->col[w->n];
    *c = (column){.strict = square < 0, .n = n, .square = square};
    fmpz_mpoly_init(&c->whole, ctx_of(o));
    fmpz_mpoly_init(&c->p, ctx_of(o));
    if (square < 0) fmpz_mpoly_one(&c->whole, ctx_of(o));
    else fmpz_mpoly_mul(&c->whole, &w->squares.s[square], &w->squares.s[square], ctx_of(o));
    for (int i = 0; i < n; i++) {
        c->fact[i] = fact[i];
        c->strict &= o->fact[fact[i]].strict;
        fmpz_mpoly_mul(&c->whole, &c->whole, &o->fact[fact[i]].p, ctx_of(o));
    }
    fmpz_mpoly_set(&c->p, &c->whole, ctx_of(o));
    reduce(o, &c->p);
    bool useless = fmpz_mpoly_is_zero(&c->p, ctx_of(o)) && !c->strict;
    for (int i = 0; i < w->n && !useless; i++)
        useless = w->col[i].strict >= c->strict && fmpz_mpoly_equal(&w->col[i].p, &c->p, ctx_of(o));
    if (useless) {
        fmpz_mpoly_clear(&c->whole, ctx_of(o));
        fmpz_mpoly_clear(&c->p, ctx_of(o));
    } else w->n++;
}

/* Facts of one variable, x >= 0 or x >= c: their numbers, and how many they are. */
static int short_ones(int *few, const coq_order *o) {
    int n = 0;
    for (int i = 0; i + 1 < o->nfacts && n < MAX_TRIPLED; i++) {
        const fmpz_mpoly_struct *p = &o->fact[i].p;
        if (fmpz_mpoly_total_degree_si(p, o->r.ctx) == 1 && fmpz_mpoly_length(p, o->r.ctx) <= 2) few[n++] = i;
    }
    return n;
}

static void gather(weighing *w, order_depth depth) {
    int last = w->o->nfacts - 1, nsq = w->squares.n, pair = last < MAX_PAIRED ? last : MAX_PAIRED;
    add_column(w, NULL, 0, -1);
    for (int i = 0; i <= last; i++) add_column(w, &i, 1, -1);
    if (depth == ORDER_LINEAR) return;
    for (int s = -1; s < nsq && w->o->nproduct; s++) add_column(w, w->o->product, w->o->nproduct, s);
    for (int s = 0; s < nsq; s++) add_column(w, NULL, 0, s);
    for (int i = 0; i <= pair; i++) add_column(w, (int[]){last, i < pair ? i : last}, 2, -1);
    for (int i = 0; i < pair; i++)
        for (int k = 0; k <= i; k++) add_column(w, (int[]){i, k}, 2, -1);
    for (int s = 0; s < nsq; s++)
        for (int i = 0; i < pair; i++) add_column(w, &i, 1, s);
    if (depth == ORDER_PAIRS) return;
    int few[MAX_TRIPLED], n = short_ones(few, w->o);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) add_column(w, (int[]){last, few[i], few[k]}, 3, -1);
    for (int s = 0; s < nsq; s++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++) add_column(w, (int[]){few[i], few[k]}, 2, s);
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int monomial(weighing *w, const fmpz_mpoly_t p, slong term) {
    ulong e[ORDER_GENS + 1];
    size_t size = sizeof(ulong) * (size_t)w->o->r.nvars;
    fmpz_mpoly_get_term_exp_ui(e, p, term, ctx_of(w->o));
    for (int i = 0; i < w->nmono; i++)
        if (!memcmp(w->mono[i], e, size)) return i;
    if (w->nmono == MAX_MONOMIALS || !(w->mono[w->nmono] = room(w, size))) return -1;
    memcpy(w->mono[w->nmono], e, size);
    return w->nmono++;
}

static slong length(const weighing *w, const column *c) { return fmpz_mpoly_length(&c->p, ctx_of(w->o)); }

static void find_monomials(weighing *w) {
    for (int j = 0; j < w->n; j++) {
        column *c = &w->col[j];
        c->mono = room(w, sizeof *c->mono * (size_t)(length(w, c) + 1));
        c->gone = !c->mono;
        for (slong k = 0; k < length(w, c) && !c->gone; k++)
            c->gone = (c->mono[k] = monomial(w, &c->p, k)) < 0;
    }
}

/* A monomial that has one sign wherever it stands cannot cancel: what holds it goes, until nothing goes any more. */
static void remove_lonely(weighing *w) {
    int8_t sign[MAX_MONOMIALS];
    for (bool again = true; again;) {
        again = false;
        memset(sign, 0, sizeof sign);
        for (int j = 0; j < w->n; j++)
            for (slong k = 0; k < length(w, &w->col[j]) && !w->col[j].gone; k++)
                sign[w->col[j].mono[k]] |= fmpz_sgn(w->col[j].p.coeffs + k) > 0 ? 1 : 2;
        for (int j = 0; j < w->n; j++)
            for (slong k = 0; k < length(w, &w->col[j]) && !w->col[j].gone; k++)
                if (sign[w->col[j].mono[k]] != 3) w->col[j].gone = again = true;
    }
    for (int i = 0; i < w->nmono; i++) w->row[i] = sign[i] == 3 ? w->nrows++ : -1;
}

/* ---- weights ------------------------------------------------------------------------------------------- */

static fmpq *at(weighing *w, int row, int col) { return w->t + (size_t)row * (size_t)(w->nlive + 1) + col; }

/* One equation a monomial, and the weights of what is > 0 add up to 1. */
static bool fill(weighing *w) {
    w->live = room(w, sizeof *w->live * (size_t)(w->n + 1));
    if (!w->live || w->nrows > MAX_ROWS) return false;
    for (int j = 0; j < w->n; j++)
        if (!w->col[j].gone) w->live[w->nlive++] = j;
    w->t = _fmpq_vec_init((slong)(w->nrows + 2) * (w->nlive + 1));
    int one = w->nrows, cost = w->nrows + 1;
    for (int j = 0; j < w->nlive; j++) {
        const column *c = &w->col[w->live[j]];
        for (slong k = 0; k < length(w, c); k++) fmpq_set_fmpz(at(w, w->row[c->mono[k]], j), c->p.coeffs + k);
        if (c->strict) fmpq_one(at(w, one, j));
        for (int i = 0; i <= one; i++) fmpq_sub(at(w, cost, j), at(w, cost, j), at(w, i, j));
    }
    fmpq_one(at(w, one, w->nlive));
    fmpq_set_si(at(w, cost, w->nlive), -1, 1);
    for (int i = 0; i <= one; i++) w->basis[i] = -1; /* an artificial one */
    return true;
}

static void pivot(weighing *w, int row, int col) {
    fmpq_t f, t;
    fmpq_init(f);
    fmpq_init(t);
    fmpq_inv(f, at(w, row, col));
    for (int j = 0; j <= w->nlive; j++)
        if (!fmpq_is_zero(at(w, row, j))) fmpq_mul(at(w, row, j), at(w, row, j), f);
    for (int i = 0; i < w->nrows + 2; i++) {
        if (i == row || fmpq_is_zero(at(w, i, col))) continue;
        fmpq_set(f, at(w, i, col));
        for (int j = 0; j <= w->nlive; j++)
            if (!fmpq_is_zero(at(w, row, j))) {
                fmpq_mul(t, f, at(w, row, j));
                fmpq_sub(at(w, i, j), at(w, i, j), t);
            }
    }
    fmpq_clear(f);
    fmpq_clear(t);
    w->basis[row] = col;
}

/* The row that leaves when col enters: the least ratio, then the least number in the basis, an artificial one first. */
static int leaving(weighing *w, int col) {
    int best = -1;
    fmpq_t q, least;
    fmpq_init(q);
    fmpq_init(least);
    for (int i = 0; i <= w->nrows; i++) {
        if (fmpq_sgn(at(w, i, col)) <= 0) continue;
        fmpq_div(q, at(w, i, w->nlive), at(w, i, col));
        int c = best < 0 ? -1 : fmpq_cmp(q, least);
        if (c < 0 || (c == 0 && w->basis[i] < w->basis[best])) {
            best = i;
            fmpq_set(least, q);
        }
    }
    fmpq_clear(q);
    fmpq_clear(least);
    return best;
}

static bool solve(weighing *w) {
    int cost = w->nrows + 1;
    for (int k = 0; k < MAX_PIVOTS && !ph_interrupted(); k++) {
        int col = 0;
        if (fmpq_is_zero(at(w, cost, w->nlive))) return true;
        while (col < w->nlive && fmpq_sgn(at(w, cost, col)) >= 0) col++;
        int row = col < w->nlive ? leaving(w, col) : -1;
        if (row < 0) return false;
        pivot(w, row, col);
    }
    return false;
}

/* ---- what Coq is told ---------------------------------------------------------------------------------- */

/* The sum of what was used, in whole numbers, must be 0 by the relations: sum = Σ q·relation. Told as equations q·relation = 0. */
static bool put_relations(weighing *w) {
    coq_order *o = w->o;
    fmpz_mpoly_t sum, term, q;
    fmpz_t common, k;
    fmpz_mpoly_init(sum, o->r.ctx);
    fmpz_mpoly_init(term, o->r.ctx);
    fmpz_mpoly_init(q, o->r.ctx);
    fmpz_init_set_ui(common, 1);
    fmpz_init(k);
    for (int i = 0; i <= w->nrows; i++) fmpz_lcm(common, common, fmpq_denref(at(w, i, w->nlive)));
    for (int i = 0; i <= w->nrows; i++) {
        if (w->basis[i] < 0 || fmpq_is_zero(at(w, i, w->nlive))) continue;
        fmpz_divexact(k, common, fmpq_denref(at(w, i, w->nlive)));
        fmpz_mul(k, k, fmpq_numref(at(w, i, w->nlive)));
        fmpz_mpoly_scalar_mul_fmpz(term, &w->col[w->live[w->basis[i]]].whole, k, o->r.ctx);
        fmpz_mpoly_add(sum, sum, term, o->r.ctx);
    }
    for (int round = 0; round < 2 * ORDER_RELATIONS && !fmpz_mpoly_is_zero(sum, o->r.ctx); round++)
        for (int i = o->nrels - 1; i >= 0; i--) {
            fmpz_mpoly_divrem(q, sum, sum, &o->rel[i].p, o->r.ctx);
            if (fmpz_mpoly_is_zero(q, o->r.ctx)) continue;
            ver_coq_order_tell(o, o->rel[i].id);
            COQ_PUT(o->c, "  pose proof (times_0 ");
            ver_coq_put_order_poly(o, q);
            COQ_PUT(o->c, " _ _ R'%d).\n", o->rel[i].id);
        }
    bool done = fmpz_mpoly_is_zero(sum, o->r.ctx);
    fmpz_mpoly_clear(sum, o->r.ctx);
    fmpz_mpoly_clear(term, o->r.ctx);
    fmpz_mpoly_clear(q, o->r.ctx);
    fmpz_clear(common);
    fmpz_clear(k);
    return done;
}

static void put_column(weighing *w, const column *c) {
    coq_order *o = w->o;
    for (int i = 0; i < c->n; i++) ver_coq_order_tell(o, o->fact[c->fact[i]].id);
    if (c->n < 2 && c->square < 0) return; /* a fact stands there already */
    COQ_PUT(o->c, "  assert (P'%d : 0 %s ", ++o->c->fresh, c->strict ? "<" : "<=");
    for (int i = 0; i < c->n; i++) {
        if (i) COQ_PUT(o->c, " * ");
        ver_coq_put_order_poly(o, &o->fact[c->fact[i]].p);
    }
    if (c->square >= 0) {
        if (c->n) COQ_PUT(o->c, " * ");
        ver_coq_put_order_poly(o, &w->squares.s[c->square]);
        COQ_PUT(o->c, " ^ 2");
    }
    COQ_PUT(o->c, ") by products.\n");
}

static bool use(weighing *w) {
    for (int i = 0; i <= w->nrows; i++)
        if (w->basis[i] >= 0 && !fmpq_is_zero(at(w, i, w->nlive)))
            put_column(w, &w->col[w->live[w->basis[i]]]);
    return put_relations(w);
}

static void drop(weighing *w) {
    const fmpz_mpoly_ctx_struct *ctx = ctx_of(w->o);
    if (w->t) _fmpq_vec_clear(w->t, (slong)(w->nrows + 2) * (w->nlive + 1));
    for (int i = 0; i < w->nmono; i++) ph_free(w->mono[i]);
    for (int j = 0; j < w->n; j++) {
        fmpz_mpoly_clear(&w->col[j].whole, ctx);
        fmpz_mpoly_clear(&w->col[j].p, ctx);
        ph_free(w->col[j].mono);
    }
    ver_coq_drop_squares(&w->squares, ctx);
    ph_free(w->live);
    ph_free(w);
}

/* Of what was turned round, −p, and of r² − l² of its sides. */
static void find_squares(weighing *w) {
    coq_order *o = w->o;
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, o->r.ctx);
    fmpz_mpoly_neg(p, &o->fact[o->nfacts - 1].p, o->r.ctx);
    reduce(o, p);
    ver_coq_find_squares(&w->squares, p, o->r.ctx);
    if (o->has_sides) {
        fmpz_mpoly_set(p, &o->sides, o->r.ctx);
        reduce(o, p);
        ver_coq_find_squares(&w->squares, p, o->r.ctx);
    }
    fmpz_mpoly_clear(p, o->r.ctx);
}

bool ver_coq_weigh(coq_order *o, order_depth depth) {
    weighing *w = ver_coq_order_fails(o) ? NULL : ph_calloc(1, sizeof *w);
    if (!w) {
        if (!o->c->b.st) o->c->b.st = ph_fail_nomem(o->c->b.err, sizeof *w);
        return false;
    }
    w->o = o;
    if (depth > ORDER_LINEAR) find_squares(w);
    gather(w, depth);
    find_monomials(w);
    remove_lonely(w);
    ph_text kept = o->c->out;
    char *text = NULL;
    o->c->out = (ph_text){0};
    bool found = fill(w) && solve(w) && use(w);
    ph_status st = ph_text_take(&text, NULL, &o->c->out, o->c->b.err);
    if (st && !o->c->b.st) o->c->b.st = st;
    o->c->out = kept;
    if (found && text) COQ_PUT(o->c, "%s  lra.\n", text);
    ph_free(text);
    drop(w);
    return found && !ver_coq_order_fails(o);
}
