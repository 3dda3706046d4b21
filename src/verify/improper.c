/* improper.c: finds where an integrand is not finite, cuts there, and adds up. */
#include "verify/improper.h"

#include <math.h>

#include "expr/build.h"
#include "verify/verdict.h"
#include "verify/wide.h"

#define MAX_LOOKS  6000 /* intervals looked at for places where the integrand is not finite */
#define PLACE_BITS 44   /* an interval is cut until it is that small a part of its section */
#define MAX_PLACES 400  /* intervals that stay */
#define LOOK_PREC  128
#define FAR        24 /* beyond ±2^24 no place inside is looked for */
#define MAX_J      20000
#define MAX_DENOM  4096

/* ---- places where the integrand is not finite ---------------------------------------------------------- */

typedef struct {
    const expr_node *f, *x;
    ver_atom_fn *other;
    void *ctx;
    arb_srcptr at;
    int looks, n;
    double a[MAX_PLACES], b[MAX_PLACES]; /* in order */
    ph_err *err;
} looker;

static bool look_atom(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const looker *k = ctx;
    if (expr_same(atom, k->x)) {
        acb_set_arb(v, k->at);
        return true;
    }
    return k->other && k->other(k->ctx, v, atom, prec);
}

/* v contains the values over [a, b]. */
static ph_status values_over(acb_t v, looker *k, double a, double b) {
    arb_t x;
    arf_t p, q;
    arb_init(x);
    arf_init(p), arf_init(q);
    arf_set_d(p, a), arf_set_d(q, b);
    arb_set_interval_arf(x, p, q, LOOK_PREC);
    k->at = x;
    ph_status st = ver_ball(v, k->f, look_atom, k, LOOK_PREC, k->err);
    arb_clear(x);
    arf_clear(p), arf_clear(q);
    return st;
}

static ph_status look(looker *k, double a, double b, int depth) {
    acb_t v;
    if (k->n == MAX_PLACES || k->looks++ >= MAX_LOOKS)
        return ph_fail(k->err, PH_EBUDGET,
                       "integral: the integrand is not decided to be finite in too many places");
    acb_init(v);
    ph_status st = values_over(v, k, a, b);
    bool finite = !st && acb_is_finite(v);
    if (!ph_is_fatal(st) && st != PH_EARG) st = PH_OK;
    acb_clear(v);
    if (st || finite) return st;
    double m = a + (b - a) / 2;
    if (depth == 0 || m <= a || m >= b) {
        k->a[k->n] = a;
        k->b[k->n++] = b;
        return PH_OK;
    }
    st = look(k, a, m, depth - 1);
    return st ? st : look(k, m, b, depth - 1);
}

/* From a to b by sections that grow from either side of 0. */
static ph_status look_all(looker *k, double a, double b) {
    ph_status st = PH_OK;
    while (a < b && !st) {
        double next = a < 0 ? (a < -1 ? a / 2 : 0) : a < 1 ? 1 : 2 * a;
        if (next > b) next = b;
        st = look(k, a, next, PLACE_BITS);
        a = next;
    }
    return st;
}

/* The number in [a, b] that is meant: a short fraction, or one of π. */
static ph_status name_place(expr_node **out, double a, double b, ph_err *err) {
    ph_status st = PH_OK;
    *out = NULL;
    for (int by_pi = 0; by_pi < 2 && !*out && !st; by_pi++) {
        arb_t x, pi;
        arf_t p;
        fmpq_t l, r, q;
        arb_init(x), arb_init(pi);
        arf_init(p);
        fmpq_init(l), fmpq_init(r), fmpq_init(q);
        for (int upper = 0; upper < 2; upper++) {
            arb_set_d(x, upper ? b : a);
            arb_const_pi(pi, LOOK_PREC);
            if (by_pi) arb_div(x, x, pi, LOOK_PREC);
            arf_get_fmpq(upper ? r : l, arb_midref(x));
        }
        fmpq_simplest_between(q, l, r);
        if (fmpz_cmp_si(fmpq_denref(q), MAX_DENOM) <= 0 && fmpz_bits(fmpq_numref(q)) < 40) {
            expr_builder w = EXPR_BUILDER(err);
            expr_node *e = expr_b_rat(&w, ver_fmpz_get(fmpq_numref(q)), ver_fmpz_get(fmpq_denref(q)));
            if (by_pi) e = expr_b_mul(&w, e, expr_b_op(&w, EXPR_PI, 0, NULL));
            st = expr_b_end(&w, out, e);
        }
        arb_clear(x), arb_clear(pi);
        arf_clear(p);
        fmpq_clear(l), fmpq_clear(r), fmpq_clear(q);
    }
    return *out || st
               ? st
               : ph_fail(
                     err, PH_EDOMAIN,
                     "integral: the integrand is undefined or unbounded near %.12g, a place that has no short name; "
                     "make it an end of the interval",
                     a);
}

static ph_status end_value(double *v, const expr_node *e, double infinite, bool up, ph_err *err) {
    acb_t z;
    arf_t r;
    if (!e) return *v = infinite, PH_OK;
    acb_init(z);
    arf_init(r);
    ph_status st = ver_ball(z, e, NULL, NULL, LOOK_PREC, err);
    if (up) arb_get_ubound_arf(r, acb_realref(z), LOOK_PREC);
    else arb_get_lbound_arf(r, acb_realref(z), LOOK_PREC);
    *v = arf_get_d(r, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    acb_clear(z);
    arf_clear(r);
    return st;
}

static void append(ver_breaks *b, expr_node *owned, bool open) {
    b->at[b->n] = owned;
    b->open[b->n++] = open;
}

static ph_status place_text(char **out, const expr_node *x, const expr_node *c, int side, ph_err *err) {
    char *at = NULL;
    ph_status st = c ? expr_text(&at, c, 60, err) : PH_OK;
    if (!st) st = ver_set(out, err, "%s = %s", x->name ? x->name : "x", c ? at : side > 0 ? "inf" : "-inf");
    ph_free(at);
    return st;
}

static ph_status no_integral(ver_tail how, const expr_node *x, const expr_node *c, int side, ph_err *err) {
    char *place = NULL;
    ph_status st = place_text(&place, x, c, side, err);
    if (!st && how == VER_DIVERGES)
        st = ph_fail(err, PH_EDOMAIN,
                     "integral: it diverges at %s: the integrand is there at least of the size that has no "
                     "integral",
                     place);
    else if (!st)
        st = ph_fail(err, PH_EDOMAIN,
                     "integral: improper at %s, and no bound of the integrand there is known under which it "
                     "converges",
                     place);
    ph_free(place);
    return st;
}

/* From *v on toward that infinity the integrand is finite, since a power form of it is known; beyond `end`. */
static ph_status where_calm(double *v, expr_node *f, expr_node *x, int side, double end, ver_atom_fn *other,
                            void *ctx, ph_err *err) {
    ver_end e = {.x = x, .side = side, .prec = LOOK_PREC, .other = other, .ctx = ctx, .err = err};
    ver_tail how = VER_NO_BOUND;
    acb_t tail;
    ph_status st = PH_OK;
    acb_init(tail);
    for (e.j = 3; e.j < FAR * 4 && how != VER_CONVERGES && !st; e.j++) {
        *v = side * ldexp(1, (int)e.j);
        if (side * (*v - end) > 0) st = ver_end_integral(tail, &how, f, &e);
        if (how == VER_DIVERGES) break;
    }
    if (!st && how != VER_CONVERGES) st = no_integral(how, x, NULL, side, err);
    acb_clear(tail);
    return st;
}

/* Not seen to be real in [a, b]. */
static ph_status unreal(bool *out, looker *k, double a, double b) {
    acb_t v;
    acb_init(v);
    ph_status st = values_over(v, k, a, b);
    *out = st || !acb_is_real(v);
    acb_clear(v);
    return ph_is_fatal(st) ? st : PH_OK;
}

/* Ends near which values are not seen to be real, of an integrand that is real in the middle, are treated as open. */
static ph_status soften(ver_breaks *out, looker *k, double a, double b) {
    bool middle, end;
    double m = a + (b - a) / 2, w = (b - a) * 0x1p-20;
    ph_status st = unreal(&middle, k, m, m);
    for (int i = 0; i < 2 && !st && !middle; i++) {
        bool *open = &out->open[i ? out->n - 1 : 0];
        if (*open) continue;
        st = unreal(&end, k, i ? b - w : a, i ? b : a + w);
        if (st || !end) continue;
        if (ver_breaks_are_proper(out)) out->soft = true;
        *open = true;
    }
    return st;
}

ph_status ver_breaks_find(ver_breaks *out, expr_node *f, expr_node *x, expr_node *lo, expr_node *hi,
                          ver_atom_fn *other, void *ctx, ph_err *err) {
    looker *k = ph_alloc(sizeof *k);
    double a, b;
    *out = (ver_breaks){.n = 0};
    if (!k) return ph_fail_nomem(err, sizeof *k);
    *k = (looker){.f = f, .x = x, .other = other, .ctx = ctx, .err = err};
    ph_status st = PH_OK;
    PH_TRY(end_value(&a, lo, -(double)(1 << FAR), false, err));
    PH_TRY(end_value(&b, hi, 1 << FAR, true, err));
    if (!lo) PH_TRY(where_calm(&a, f, x, -1, lo || hi ? b : 0, other, ctx, err));
    if (!hi) PH_TRY(where_calm(&b, f, x, 1, lo || hi ? a : 0, other, ctx, err));
    PH_TRY(look_all(k, a, b));
    double slack = (b - a) * 0x1p-36;
    if (!lo || !hi) slack = 0x1p-36;
    append(out, lo ? expr_ref(lo) : NULL, !lo);
    for (int i = 0, j; i < k->n; i = j) {
        for (j = i + 1; j < k->n && k->a[j] <= k->b[j - 1] + slack; j++) {
        }
        double l = k->a[i], r = k->b[j - 1];
        if (r - l > 16 * slack + 0x1p-30 * (fabs(l) + fabs(r))) {
            st = ph_fail(
                err, PH_EDOMAIN,
                "integral: the integrand is undefined, or not decided to be defined, from %.6g to %.6g", l,
                r);
            goto done;
        }
        if (lo && l <= a + slack) out->open[0] = true;
        else if (hi && r >= b - slack) out->open[VER_MAX_BREAKS - 1] = true; /* noted for the end */
        else if (out->n == VER_MAX_BREAKS - 1) {
            st = ph_fail(err, PH_EDOMAIN,
                         "integral: the integrand is undefined or unbounded at more than %d points",
                         VER_MAX_BREAKS - 2);
            goto done;
        } else {
            expr_node *place;
            PH_TRY(name_place(&place, l, r, err));
            append(out, place, true);
        }
    }
    append(out, hi ? expr_ref(hi) : NULL, !hi || out->open[VER_MAX_BREAKS - 1]);
    PH_TRY(soften(out, k, a, b));
done:
    ph_free(k);
    return st;
}

void ver_breaks_clear(ver_breaks *b) {
    for (int i = 0; i < b->n; i++) expr_drop(b->at[i]);
    b->n = 0;
}

bool ver_breaks_are_proper(const ver_breaks *b) {
    for (int i = 0; i < b->n; i++)
        if (b->open[i]) return false;
    return true;
}

/* ---- one open end -------------------------------------------------------------------------------------- */

/* Where the part next to the end begins: c ± δ, ±1/δ. */
static ph_status inner_point(acb_t out, const ver_end *e, ph_err *err) {
    arb_t d;
    ph_status st = PH_OK;
    arb_init(d);
    arb_set_si(d, e->side);
    arb_mul_2exp_si(d, d, e->c ? -e->j : e->j);
    acb_zero(out);
    if (e->c) st = ver_ball(out, e->c, NULL, NULL, e->prec, err);
    arb_add(acb_realref(out), acb_realref(out), d, e->prec);
    arb_clear(d);
    return st;
}

/* Does the cut lie on the right side of the middle of the part? */
static bool fits(const acb_t cut, const arb_t middle, int toward) {
    arb_t d;
    arb_init(d);
    arb_sub(d, middle, acb_realref(cut), LOOK_PREC);
    bool ok = toward > 0 ? arb_is_positive(d) : arb_is_negative(d);
    arb_clear(d);
    return ok;
}

/* The integral from an open point to a cut so near that it is known to 2^−bits; toward: +1 when the part lies above the point. */
static ph_status treat_end(acb_t tail, ver_tail *how, acb_t cut, slong *depth, expr_node *f, expr_node *x,
                           expr_node *c, int toward, const arb_t middle, slong bits, ver_atom_fn *other,
                           void *ctx, ph_err *err) {
    ver_end e = {.x = x, .c = c, .side = c ? toward : -toward, .other = other, .ctx = ctx, .err = err};
    mag_t r;
    mag_init(r);
    ph_status st = PH_OK;
    bool done = false;
    *how = VER_NO_BOUND;
    for (e.j = 3; e.j <= MAX_J && !done && !st; e.j += e.j / 2) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            break;
        }
        e.prec = bits + 2 * e.j + 64;
        st = inner_point(cut, &e, err);
        if (st || !fits(cut, middle, toward)) continue;
        st = ver_end_integral(tail, how, f, &e);
        if (st || *how == VER_DIVERGES) break;
        if (*how == VER_NO_BOUND) {
            if (e.j > 400) break;
            continue;
        }
        mag_hypot(r, arb_radref(acb_realref(tail)), arb_radref(acb_imagref(tail)));
        done = mag_cmp_2exp_si(r, -bits) < 0;
        if (done && c && e.j > *depth) *depth = e.j;
    }
    mag_clear(r);
    if (!st && !done)
        st = *how == VER_CONVERGES
                 ? ph_fail(err, PH_EBUDGET, "integral: the integrand falls too slowly for so many digits")
                 : no_integral(*how, x, c, e.side, err);
    return st;
}

/* A point between the two breaks. */
static ph_status middle_of(arb_t m, const expr_node *a, const expr_node *b, slong prec, ph_err *err) {
    acb_t p, q;
    acb_init(p);
    acb_init(q);
    ph_status st = a ? ver_ball(p, a, NULL, NULL, prec, err) : PH_OK;
    if (!st && b) st = ver_ball(q, b, NULL, NULL, prec, err);
    arb_add(m, acb_realref(p), acb_realref(q), prec);
    if (a && b) arb_mul_2exp_si(m, m, -1);
    else if (a) arb_add_ui(m, m, 1, prec);
    else if (b) arb_sub_ui(m, m, 1, prec);
    acb_clear(p);
    acb_clear(q);
    return st;
}

static ph_status part(acb_t out, ver_tail *how, const ver_breaks *b, int i, expr_node *f, expr_node *x,
                      slong bits, ver_atom_fn *other, void *ctx, ver_proper *proper, void *proper_ctx,
                      ph_err *err) {
    acb_t from, to, tail;
    arb_t middle;
    slong depth = 0;
    ph_status st = PH_OK;
    acb_init(from), acb_init(to), acb_init(tail);
    arb_init(middle);
    acb_zero(out);
    PH_TRY(middle_of(middle, b->at[i], b->at[i + 1], bits + 64, err));
    if (b->open[i]) {
        PH_TRY(treat_end(tail, how, from, &depth, f, x, b->at[i], 1, middle, bits, other, ctx, err));
        acb_add(out, out, tail, bits + 64);
    } else PH_TRY(ver_ball(from, b->at[i], NULL, NULL, bits + 64, err));
    if (b->open[i + 1]) {
        PH_TRY(treat_end(tail, how, to, &depth, f, x, b->at[i + 1], -1, middle, bits, other, ctx, err));
        acb_add(out, out, tail, bits + 64);
    } else PH_TRY(ver_ball(to, b->at[i + 1], NULL, NULL, bits + 64, err));
    PH_TRY(proper(proper_ctx, tail, from, to, bits + depth + 64, err));
    acb_add(out, out, tail, bits + 64);
done:
    acb_clear(from), acb_clear(to), acb_clear(tail);
    arb_clear(middle);
    return st;
}

/* Where no bound is known at some point, it may be another at which the integral is seen to diverge: then that one is named. */
static ph_status name_divergence(const ver_breaks *b, expr_node *f, expr_node *x, slong bits,
                                 ver_atom_fn *other, void *ctx, ph_err *err) {
    acb_t tail, cut;
    arb_t middle;
    slong depth = 0;
    ver_tail how = VER_NO_BOUND;
    ph_err why;
    ph_status st = PH_OK;
    acb_init(tail), acb_init(cut);
    arb_init(middle);
    for (int i = 0; i + 1 < b->n && how != VER_DIVERGES && !ph_is_fatal(st); i++)
        for (int end = 0; end < 2 && how != VER_DIVERGES && !ph_is_fatal(st); end++) {
            if (!b->open[i + end] || middle_of(middle, b->at[i], b->at[i + 1], bits + 64, &why)) continue;
            st = treat_end(tail, &how, cut, &depth, f, x, b->at[i + end], end ? -1 : 1, middle, bits, other,
                           ctx, &why);
        }
    acb_clear(tail), acb_clear(cut);
    arb_clear(middle);
    if (ph_is_fatal(st) || how == VER_DIVERGES) return ph_fail(err, st, "%s", why.text);
    return PH_EDOMAIN; /* as it was said */
}

ph_status ver_improper(acb_t out, const ver_breaks *b, expr_node *f, expr_node *x, slong bits,
                       ver_atom_fn *other, void *ctx, ver_proper *proper, void *proper_ctx, ph_err *err) {
    acb_t one;
    ph_status st = PH_OK;
    ver_tail how = VER_NO_BOUND;
    acb_init(one);
    acb_zero(out);
    for (int i = 0; i + 1 < b->n && !st; i++) {
        how = VER_CONVERGES;
        st = part(one, &how, b, i, f, x, bits, other, ctx, proper, proper_ctx, err);
        acb_add(out, out, one, bits + 64);
    }
    if (st == PH_EDOMAIN && how == VER_NO_BOUND) st = name_divergence(b, f, x, bits, other, ctx, err);
    acb_clear(one);
    return st;
}
