/* meet.c: see meet.h. */
#include "verify/meet.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/meter.h"

#define MAX_SIZE 2000   /* parts of all conditions */
#define ROUNDS   40     /* until intervals stay */
#define POINTS   300    /* that are looked at */
#define TRIES    3000   /* intervals that are tried on the way */
#define UNIT     40     /* of the meter, for one of them */
#define SLACK    1e-12  /* of a bound, for what doubles lose */
#define LARGE    1e12   /* beyond it no number is tried */
#define FAR      20.0   /* from an end, where an interval has one only */
#define MOST_DEN 100000 /* of a number that is tried */

typedef struct {
    double lo, hi;
    bool open; /* perhaps no real number: nothing is known of it */
} range;

typedef struct {
    ver_sampler *at;
    expr_node *const *condition;
    int n, natoms;
    const expr_node *atom[VER_HINTS];
    bool fixed[VER_HINTS]; /* by an equation: no number is tried */
    int points, tries;
    bool wanted;
    ver_at_point *look;
    void *ctx;
    ph_err *err;
} search;

static const range all = {-INFINITY, INFINITY, false}, unknown = {-INFINITY, INFINITY, true};

static bool is_empty(range a) { return !(a.lo <= a.hi); }
static bool is_whole(const expr_node *atom) {
    expr_kind k = (atom->op == EXPR_AT ? atom->arg[0] : atom)->kind;
    return k == EXPR_INTEGER || k == EXPR_NATURAL;
}

/* A little wider. What is no number is unbounded. */
static range wide(double lo, double hi) {
    lo = isnan(lo) ? -INFINITY : fmin(lo, DBL_MAX); /* what overflows stays a number on its side */
    hi = isnan(hi) ? INFINITY : fmax(hi, -DBL_MAX);
    return (range){lo - SLACK * fabs(lo), hi + SLACK * fabs(hi), false};
}

static range meet(range a, range b) { return (range){fmax(a.lo, b.lo), fmin(a.hi, b.hi), a.open || b.open}; }
static range add(range a, range b) { return a.open || b.open ? unknown : wide(a.lo + b.lo, a.hi + b.hi); }
static range minus(range a) { return (range){-a.hi, -a.lo, a.open}; }

static double times(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }
static range mul(range a, range b) {
    if (a.open || b.open) return unknown;
    double p[] = {times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)};
    return wide(fmin(fmin(p[0], p[1]), fmin(p[2], p[3])), fmax(fmax(p[0], p[1]), fmax(p[2], p[3])));
}
static range over(range a, range b) {
    if (a.open || b.open) return unknown;
    if (b.lo <= 0 && b.hi >= 0) return all;
    return mul(a, wide(1 / b.hi, 1 / b.lo));
}
static range size_of(range a) {
    double l = fabs(a.lo), h = fabs(a.hi);
    return (range){a.lo <= 0 && a.hi >= 0 ? 0 : fmin(l, h), fmax(l, h), false};
}

static bool small_power(const expr_node *e, int *n) {
    const expr_node *p = e->arg[1];
    *n = p->op == EXPR_RAT && p->den == 1 && p->num > 0 && p->num <= 10000 ? (int)p->num : 0;
    return *n > 0;
}

static range raised(range a, int n) {
    if (a.open) return unknown;
    if (n % 2 == 0) a = size_of(a);
    return wide(pow(a.lo, n), pow(a.hi, n));
}

/* ---- what a formula can be ------------------------------------------------------------------------------- */

static range value(const search *s, const range *box, const expr_node *e);

static range of_power(const search *s, const range *box, const expr_node *e) {
    int n;
    range u = value(s, box, e->arg[0]);
    if (small_power(e, &n)) return raised(u, n);
    if (u.lo <= 0 || u.lo != u.hi) return unknown;
    range v = mul(value(s, box, e->arg[1]), (range){log(u.lo), log(u.lo), false});
    return v.open ? unknown : wide(exp(v.lo), exp(v.hi));
}

static range of_one(expr_op op, range u) {
    if (op == EXPR_ABS && u.open) return (range){0, INFINITY, false};
    if (op == EXPR_RE || op == EXPR_IM) return op == EXPR_RE && !u.open ? u : all;
    if (u.open) return unknown;
    switch (op) {
    case EXPR_NEG: return minus(u);
    case EXPR_ABS: return size_of(u);
    case EXPR_EXP: return wide(exp(u.lo), exp(u.hi));
    case EXPR_SQRT: return u.lo < 0 ? unknown : wide(sqrt(u.lo), sqrt(u.hi));
    case EXPR_LOG: return u.lo <= 0 ? unknown : wide(log(u.lo), log(u.hi));
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TANH:
    case EXPR_SIGN: return (range){-1, 1, false};
    case EXPR_FLOOR: return (range){floor(u.lo), floor(u.hi), false};
    case EXPR_ATAN: return wide(atan(u.lo), atan(u.hi));
    case EXPR_TAN:
    case EXPR_SINH:
    case EXPR_COSH: return all;
    default: return unknown;
    }
}

static range value(const search *s, const range *box, const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT:
        if (e->den == 1 && llabs(e->num) < INT64_C(1) << 53)
            return (range){(double)e->num, (double)e->num, false};
        return wide((double)e->num / (double)e->den, (double)e->num / (double)e->den);
    case EXPR_PI: return wide(acos(-1), acos(-1));
    case EXPR_SYM:
    case EXPR_AT:
        for (int i = 0; i < s->natoms; i++)
            if (expr_same(s->atom[i], e)) return box[i];
        return unknown;
    case EXPR_ADD: return add(value(s, box, e->arg[0]), value(s, box, e->arg[1]));
    case EXPR_SUB: return add(value(s, box, e->arg[0]), minus(value(s, box, e->arg[1])));
    case EXPR_MUL: return mul(value(s, box, e->arg[0]), value(s, box, e->arg[1]));
    case EXPR_DIV: return over(value(s, box, e->arg[0]), value(s, box, e->arg[1]));
    case EXPR_POW: return of_power(s, box, e);
    default: return e->nargs == 1 ? of_one(e->op, value(s, box, e->arg[0])) : unknown;
    }
}

/* ---- what its parts can be then -------------------------------------------------------------------------- */

static bool narrow(const search *s, range *box, const expr_node *e, range to);

static bool narrow_atom(const search *s, range *box, const expr_node *e, range to) {
    for (int i = 0; i < s->natoms; i++) {
        if (!expr_same(s->atom[i], e)) continue;
        range r = meet(box[i], to);
        if (is_whole(e)) r = (range){ceil(r.lo - 1e-9), floor(r.hi + 1e-9), false};
        box[i] = r;
        return !is_empty(r);
    }
    return true;
}

/* |u| is in `to`: u on either side of 0, or on the one that it is on. */
static bool narrow_size(const search *s, range *box, const expr_node *u, range to) {
    range was = value(s, box, u);
    if (to.hi < 0) return false;
    if (was.lo >= 0 || -to.lo < was.lo) return narrow(s, box, u, to.lo < 0 ? (range){0, to.hi, false} : to);
    if (was.hi <= 0 || to.lo > was.hi) return narrow(s, box, u, (range){-to.hi, fmin(-to.lo, 0), false});
    return narrow(s, box, u, (range){-to.hi, to.hi, false});
}

static bool narrow_power(const search *s, range *box, const expr_node *e, range to) {
    int n;
    range u = value(s, box, e->arg[0]);
    if (small_power(e, &n)) {
        double lo = copysign(pow(fabs(to.lo), 1.0 / n), to.lo),
               hi = copysign(pow(fabs(to.hi), 1.0 / n), to.hi);
        if (n % 2) return narrow(s, box, e->arg[0], wide(lo, hi));
        return narrow_size(s, box, e->arg[0], wide(fmax(lo, 0), hi));
    }
    if (u.lo <= 0 || u.lo != u.hi || u.lo == 1 || to.lo <= 0) return true;
    return narrow(s, box, e->arg[1],
                  over(wide(log(to.lo), log(to.hi)), (range){log(u.lo), log(u.lo), false}));
}

static bool narrow_one(const search *s, range *box, const expr_node *e, range to) {
    const expr_node *u = e->arg[0];
    switch (e->op) {
    case EXPR_NEG: return narrow(s, box, u, minus(to));
    case EXPR_ABS: return narrow_size(s, box, u, to);
    case EXPR_EXP: return narrow(s, box, u, wide(to.lo > 0 ? log(to.lo) : -INFINITY, log(to.hi)));
    case EXPR_SQRT:
        if (value(s, box, u).lo < 0) return true;
        return narrow(s, box, u, wide(to.lo > 0 ? to.lo * to.lo : 0, to.hi * to.hi));
    case EXPR_LOG: return value(s, box, u).lo <= 0 || narrow(s, box, u, wide(exp(to.lo), exp(to.hi)));
    case EXPR_FLOOR: return narrow(s, box, u, (range){ceil(to.lo), floor(to.hi) + 1, false});
    default: return true;
    }
}

static bool narrow(const search *s, range *box, const expr_node *e, range to) {
    to = meet(to, value(s, box, e));
    if (to.open) return true;
    if (is_empty(to)) return false;
    if (e->op == EXPR_SYM || e->op == EXPR_AT) return narrow_atom(s, box, e, to);
    if (e->nargs == 1) return narrow_one(s, box, e, to);
    if (e->nargs != 2) return true;
    const expr_node *a = e->arg[0], *b = e->arg[1];
    switch (e->op) {
    case EXPR_ADD:
        return narrow(s, box, a, add(to, minus(value(s, box, b)))) &&
               narrow(s, box, b, add(to, minus(value(s, box, a))));
    case EXPR_SUB:
        return narrow(s, box, a, add(to, value(s, box, b))) &&
               narrow(s, box, b, add(value(s, box, a), minus(to)));
    case EXPR_MUL:
        return narrow(s, box, a, over(to, value(s, box, b))) && narrow(s, box, b, over(to, value(s, box, a)));
    case EXPR_DIV:
        return narrow(s, box, a, mul(to, value(s, box, b))) && narrow(s, box, b, over(value(s, box, a), to));
    case EXPR_POW: return narrow_power(s, box, e, to);
    default: return true;
    }
}

/* e is real, as what has an order is: then so is what is under its roots and logarithms, and not below 0. */
static bool narrow_real(const search *s, range *box, const expr_node *e) {
    if ((e->op == EXPR_SQRT || e->op == EXPR_LOG) && !value(s, box, e->arg[0]).open)
        return narrow(s, box, e->arg[0], (range){0, INFINITY, false});
    if (e->op < EXPR_NEG || e->op > EXPR_DIV) return true;
    for (uint32_t i = 0; i < e->nargs; i++) {
        bool others = e->nargs == 1 || !value(s, box, e->arg[1 - i]).open;
        if (others && !narrow_real(s, box, e->arg[i])) return false;
    }
    return true;
}

static bool narrow_by(const search *s, range *box, const expr_node *c) {
    const expr_node *l = c->arg[0], *r = c->arg[1];
    if (c->op == EXPR_NE) return true;
    if (c->op == EXPR_GT || c->op == EXPR_GE) l = c->arg[1], r = c->arg[0];
    range a = value(s, box, l), b = value(s, box, r);
    if (c->op == EXPR_EQ) return narrow(s, box, l, b) && narrow(s, box, r, a);
    if (!narrow_real(s, box, l) || !narrow_real(s, box, r)) return false;
    return narrow(s, box, l, (range){-INFINITY, b.hi, false}) &&
           narrow(s, box, r, (range){a.lo, INFINITY, false});
}

/* Until nothing changes; false: no point is left. */
static bool settle(const search *s, range *box) {
    for (int round = 0; round < ROUNDS; round++) {
        range before[VER_HINTS];
        memcpy(before, box, (size_t)s->natoms * sizeof *box);
        for (int i = 0; i < s->n; i++)
            if (!narrow_by(s, box, s->condition[i])) return false;
        if (!memcmp(before, box, (size_t)s->natoms * sizeof *box)) break;
    }
    return true;
}

/* ---- numbers that are tried ------------------------------------------------------------------------------ */

/* The fraction of the smallest denominator within. */
static bool simplest(ver_ratio *out, range r) {
    if (is_empty(r) || r.hi < -LARGE || r.lo > LARGE) return false;
    for (int64_t den = 1; den <= MOST_DEN; den = den < 64 ? den + 1 : den + den / 8) {
        double up = ceil(fmax(r.lo, -LARGE) * (double)den), down = floor(fmin(r.hi, LARGE) * (double)den);
        if (up > down) continue;
        *out = (ver_ratio){(int64_t)(up > 0 ? up : down < 0 ? down : 0), den};
        return true;
    }
    return false;
}

/* Far out, where an interval has no end; false: there are no more. */
static bool far_out(range *out, range r, int k) {
    static const double from[] = {64, 900, 9e3, 9e4};
    int way = k % 2, n = k / 2;
    if (n >= 4) return false;
    double near = way ? fmin(r.hi, 0) : fmax(r.lo, 0);
    *out = way ? (range){near - 2 * from[n], near - from[n], false}
               : (range){near + from[n], near + 2 * from[n], false};
    *out = meet(*out, r);
    return true;
}

/* The part of an interval that is looked at closely: all of it, or what is not far from its end. */
static range window(range r) {
    return (range){fmax(r.lo, fmin(r.hi, FAR / 2) - FAR), fmin(r.hi, fmax(r.lo, -FAR / 2) + FAR), false};
}

/* Candidate k of the interval; false: there are no more. The inside comes before the ends, and what is far comes last. */
static bool candidate(ver_ratio *out, bool *none, range r, bool whole, int k) {
    const range near = window(r);
    const double lo = near.lo, hi = near.hi, w = hi - lo;
    const range part[] = {{lo + w / 4, hi - w / 4, false},
                          {lo + w / 16, lo + w / 3, false},
                          {hi - w / 3, hi - w / 16, false},
                          {lo, lo + w / 64, false},
                          {hi - w / 64, hi, false},
                          {lo, lo + 3 * SLACK * fabs(lo), false},
                          {hi - 3 * SLACK * fabs(hi), hi, false}};
    const int parts = (int)(sizeof part / sizeof *part);
    *none = false;
    if (whole && w <= 8) {
        double v = ceil(lo) + (double)((k + (int)(w / 2)) % ((int)w + 1));
        *out = (ver_ratio){(int64_t)v, 1};
        return k <= (int)w;
    }
    range p;
    if (k < parts) p = part[k];
    else if (!far_out(&p, r, k - parts)) return false;
    if (whole && !is_empty(p)) p = (range){ceil(p.lo), fmax(ceil(p.lo), floor(p.hi)), false};
    *none = !simplest(out, p);
    return true;
}

/* ---- the search ------------------------------------------------------------------------------------------ */

static ph_status at_point(search *s, const ver_ratio *number) {
    ph_status st = PH_OK;
    for (int i = 0; i < s->natoms; i++)
        if (!s->fixed[i] && !ver_sampler_fix(s->at, s->atom[i], number[i])) return PH_OK;
    s->points++;
    for (s->at->seed = 0; s->at->seed < 2 && !s->wanted && !st; s->at->seed++)
        st = s->look(&s->wanted, s->ctx, s->err);
    return st;
}

/* The narrowest interval of those without a number; −1: all have one. */
static int next(const search *s, const range *box, const bool *done) {
    int best = -1;
    for (int i = 0; i < s->natoms; i++)
        if (!done[i] && !s->fixed[i] && (best < 0 || box[i].hi - box[i].lo < box[best].hi - box[best].lo))
            best = i;
    return best;
}

static ph_status step(search *s, const range *box, bool *done, ver_ratio *number) {
    ph_status st = PH_OK;
    int i = next(s, box, done);
    if (i < 0) return at_point(s, number);
    done[i] = true;
    for (int k = 0; !st && !s->wanted; k++) {
        range inner[VER_HINTS];
        bool none;
        if (s->points >= POINTS || s->tries++ >= TRIES || !ver_meter_spend(UNIT)) break;
        if (ph_interrupted()) return ph_fail_interrupted(s->err);
        if (!candidate(&number[i], &none, box[i], is_whole(s->atom[i]), k)) break;
        if (none) continue;
        memcpy(inner, box, (size_t)s->natoms * sizeof *box);
        double v = (double)number[i].num / (double)number[i].den;
        inner[i] = (range){v, v, false};
        if (settle(s, inner)) st = step(s, inner, done, number);
    }
    done[i] = false;
    return st;
}

/* All symbols next to their lower ends, or their upper ones: where each has to be near an end, those that are tried one by one meet there late. */
static ph_status corner(search *s, const range *start, bool upper) {
    range box[VER_HINTS];
    bool done[VER_HINTS] = {false};
    ver_ratio number[VER_HINTS];
    memcpy(box, start, (size_t)s->natoms * sizeof *box);
    for (int i; (i = next(s, box, done)) >= 0; done[i] = true) {
        const range near = window(box[i]);
        const double w = near.hi - near.lo;
        const range p = upper ? (range){near.hi - w / 64, near.hi - w / 128, false}
                              : (range){near.lo + w / 128, near.lo + w / 64, false};
        s->tries++;
        if (is_whole(s->atom[i]) || !ver_meter_spend(UNIT) || !simplest(&number[i], p)) return PH_OK;
        const double v = (double)number[i].num / (double)number[i].den;
        box[i] = (range){v, v, false};
        if (!settle(s, box)) return PH_OK;
    }
    return at_point(s, number);
}

static void begin(search *s, range *box, const expr_set *atoms) {
    for (int i = 0; i < atoms->n; i++) {
        const expr_node *a = atoms->item[i], *sym = a->op == EXPR_AT ? a->arg[0] : a;
        if (sym->kind == EXPR_COMPLEX || (a->op == EXPR_AT && a->arg[1]->op != EXPR_RAT) ||
            s->natoms == VER_HINTS)
            continue;
        s->fixed[s->natoms] = ver_sampler_solves(s->at, a);
        box[s->natoms] = sym->kind == EXPR_NATURAL    ? (range){1, INFINITY, false}
                         : sym->kind == EXPR_POSITIVE ? (range){0, INFINITY, false}
                                                      : all;
        s->atom[s->natoms++] = a;
    }
}

ph_status ver_meet(bool *empty, ver_sampler *at, expr_node *const *condition, int n, ver_at_point *look,
                   void *ctx, ph_err *err) {
    search s = {.at = at, .condition = condition, .n = n, .look = look, .ctx = ctx, .err = err};
    range box[VER_HINTS];
    bool done[VER_HINTS] = {false};
    ver_ratio number[VER_HINTS];
    expr_set atoms = {0};
    ph_status st = PH_OK;
    uint64_t size = 0;
    *empty = false;
    for (int i = 0; i < n && !st; i++) {
        expr_set more = {0};
        size += condition[i]->size;
        st = expr_symbols(&more, condition[i], err);
        for (int k = 0; k < more.n && !st; k++) st = expr_set_add(&atoms, more.item[k], err);
        expr_set_clear(&more);
    }
    if (!st && size <= MAX_SIZE) {
        begin(&s, box, &atoms);
        *empty = !settle(&s, box);
        for (int upper = 0; upper < 2 && !*empty && !s.wanted && !st && s.natoms > 1; upper++)
            st = corner(&s, box, upper);
        if (!*empty && !s.wanted && !st) st = step(&s, box, done, number);
    }
    expr_set_clear(&atoms);
    return st;
}
