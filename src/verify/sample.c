/* sample.c: points of every scale, inside the conditions as far as these say something of one symbol. */
#include "verify/sample.h"
#include "verify/solved.h"
#include "verify/wide.h"

#include <math.h>

#define NESTING 4

static uint64_t mix(uint64_t x) { /* the finaliser of splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* ---- hints --------------------------------------------------------------------------------------------- */

static bool is_atom(const expr_node *e) {
    return e->op == EXPR_SYM || (e->op == EXPR_AT && e->arg[1]->op == EXPR_RAT);
}

static const expr_node *symbol_of(const expr_node *atom) { return atom->op == EXPR_AT ? atom->arg[0] : atom; }

static ver_hint *hint_of(ver_sampler *p, const expr_node *atom) {
    for (int i = 0; i < p->n; i++)
        if (expr_same(p->hint[i].atom, atom)) return &p->hint[i];
    return NULL;
}

static ver_hint *hint_for(ver_sampler *p, const expr_node *atom) {
    ver_hint *h = hint_of(p, atom);
    if (h || p->n == VER_HINTS) return h;
    h = &p->hint[p->n++];
    *h = (ver_hint){.atom = atom};
    fmpq_init(h->lo);
    fmpq_init(h->hi);
    return h;
}

static void set_rat(fmpq_t q, const expr_node *e) { ver_fmpq_set(q, e->num, e->den); }

static void at_least(ver_hint *h, const expr_node *e, bool open) {
    fmpq_t q;
    fmpq_init(q);
    set_rat(q, e);
    int c = h->has_lo ? fmpq_cmp(q, h->lo) : 1;
    if (c > 0) fmpq_set(h->lo, q);
    h->lo_open = c > 0 ? open : c == 0 ? h->lo_open || open : h->lo_open;
    h->has_lo = true;
    fmpq_clear(q);
}

static void at_most(ver_hint *h, const expr_node *e, bool open) {
    fmpq_t q;
    fmpq_init(q);
    set_rat(q, e);
    int c = h->has_hi ? fmpq_cmp(q, h->hi) : -1;
    if (c < 0) fmpq_set(h->hi, q);
    h->hi_open = c < 0 ? open : c == 0 ? h->hi_open || open : h->hi_open;
    h->has_hi = true;
    fmpq_clear(q);
}

/* atom op e, mirrored when the atom stands on the right. */
static void read_side(ver_sampler *p, const expr_node *atom, expr_op op, const expr_node *e) {
    bool below = op == EXPR_LT || op == EXPR_LE, above = op == EXPR_GT || op == EXPR_GE;
    if (!is_atom(atom) || expr_has(e, symbol_of(atom))) return;
    if (op != EXPR_EQ && (e->op != EXPR_RAT || (!below && !above))) return;
    ver_hint *h = hint_for(p, atom);
    if (!h) return;
    if (op == EXPR_EQ) h->equals = h->equals ? h->equals : e;
    else if (above) at_least(h, e, op == EXPR_GT);
    else at_most(h, e, op == EXPR_LT);
}

static expr_op mirrored(expr_op op) {
    return op == EXPR_LT   ? EXPR_GT
           : op == EXPR_LE ? EXPR_GE
           : op == EXPR_GT ? EXPR_LT
           : op == EXPR_GE ? EXPR_LE
                           : op;
}

static void note_count(ver_sampler *p, const expr_node *bound) {
    if (bound->op == EXPR_SYM) {
        ver_hint *h = hint_for(p, bound);
        if (h) h->counts = true;
        return;
    }
    for (uint32_t i = 0; i < bound->nargs; i++) note_count(p, bound->arg[i]);
}

/* Bounds of sums, and indices that are written out. Stops where neither can follow. */
static void read_formula(ver_sampler *p, const expr_node *e, int *left) {
    if (--*left < 0) return;
    if (e->op == EXPR_SUM) note_count(p, e->arg[1]), note_count(p, e->arg[2]);
    if (e->op == EXPR_AT && e->arg[1]->op == EXPR_RAT && p->nmembers < VER_MEMBERS) {
        for (int i = 0; i < p->nmembers; i++)
            if (p->member[i] == e->arg[1]->num) return;
        p->member[p->nmembers++] = e->arg[1]->num;
    }
    for (uint32_t i = 0; i < e->nargs; i++) read_formula(p, e->arg[i], left);
}

/* Does a hint's value depend on the symbol? */
static bool is_used(const ver_sampler *p, const expr_node *x) {
    for (int i = 0; i < p->n; i++)
        if (p->hint[i].equals && expr_has(p->hint[i].equals, x)) return true;
    return false;
}

/* An equation of at most so many symbols gives the value of one that is no whole number and that no other equation's value depends on. */
static void solve(ver_sampler *p, const expr_node *equation, int most) {
    expr_set atoms = {0};
    bool few = expr_symbols(&atoms, equation, &p->why) == PH_OK && atoms.n <= most;
    for (int i = 0; few && i < atoms.n; i++) {
        const expr_node *x = atoms.item[i];
        expr_node *one, *other;
        if (x->op != EXPR_SYM || x->kind == EXPR_INTEGER || x->kind == EXPR_NATURAL || is_used(p, x))
            continue;
        ver_hint *h = hint_of(p, x);
        if ((h && h->equals) || !ver_solved(&one, &other, &p->b, equation, x) || !(h = hint_for(p, x)))
            continue;
        h->atom = expr_b_keep(&p->b, expr_ref((expr_node *)x));
        h->equals = one;
        h->other = other;
        h->equation = equation;
        break;
    }
    expr_set_clear(&atoms);
}

void ver_sampler_init(ver_sampler *p, const expr_node *s, expr_node *const *condition, int n) {
    int left = 400;
    p->seed = 0;
    p->scale = VER_NEAR;
    p->nesting = p->n = p->nmembers = 0;
    p->b = (expr_builder)EXPR_BUILDER(&p->why);
    for (int i = 0; i < n; i++)
        if (condition[i]->op == EXPR_EQ) solve(p, condition[i], 1);
    for (int i = 0; i < n; i++) {
        const expr_node *c = condition[i];
        if (ver_sampler_grants(p, c)) continue;
        read_side(p, c->arg[0], c->op, c->arg[1]);
        if (c->op != EXPR_EQ || !ver_sampler_grants(p, c))
            read_side(p, c->arg[1], mirrored(c->op), c->arg[0]);
    }
    for (int i = 0; i < n; i++)
        if (condition[i]->op == EXPR_EQ && !ver_sampler_grants(p, condition[i]) &&
            !ver_sampler_solved(p, condition[i]))
            solve(p, condition[i], VER_HINTS);
    read_formula(p, s, &left);
    for (int i = 0; i < n; i++) read_formula(p, condition[i], &left);
}

void ver_sampler_clear(ver_sampler *p) {
    for (int i = 0; i < p->n; i++) {
        fmpq_clear(p->hint[i].lo);
        fmpq_clear(p->hint[i].hi);
    }
    p->n = 0;
    (void)!expr_b_end(&p->b, NULL, NULL);
}

bool ver_sampler_fix(ver_sampler *p, const expr_node *atom, ver_ratio value) {
    ver_hint *h = hint_for(p, atom);
    if (!h) return false;
    ver_fmpq_set(h->lo, value.num, value.den);
    fmpq_canonicalise(h->lo);
    fmpq_set(h->hi, h->lo);
    h->has_lo = h->has_hi = true;
    return true;
}

bool ver_sampler_solves(const ver_sampler *p, const expr_node *atom) {
    for (int i = 0; i < p->n; i++)
        if (expr_same(p->hint[i].atom, atom)) return p->hint[i].equals != NULL;
    return false;
}

bool ver_sampler_grants(const ver_sampler *p, const expr_node *c) {
    for (int i = 0; i < p->n && c->op == EXPR_EQ; i++) {
        const ver_hint *h = &p->hint[i];
        if (h->equals && !h->equation &&
            ((expr_same(h->atom, c->arg[0]) && expr_same(h->equals, c->arg[1])) ||
             (expr_same(h->atom, c->arg[1]) && expr_same(h->equals, c->arg[0]))))
            return true;
    }
    return false;
}

bool ver_sampler_solved(const ver_sampler *p, const expr_node *c) {
    for (int i = 0; i < p->n; i++)
        if (p->hint[i].equation == c) return true;
    return false;
}

static bool is_whole(const expr_node *atom) {
    expr_kind k = symbol_of(atom)->kind;
    return k == EXPR_INTEGER || k == EXPR_NATURAL;
}

bool ver_sampler_is_empty(const ver_sampler *p) {
    for (int i = 0; i < p->n; i++) {
        const ver_hint *h = &p->hint[i];
        if (!h->has_hi) continue;
        expr_kind k = symbol_of(h->atom)->kind;
        if ((k == EXPR_POSITIVE && fmpq_sgn(h->hi) <= 0) || (k == EXPR_NATURAL && fmpq_cmp_ui(h->hi, 1) < 0))
            return true;
        if (!h->has_lo) continue;
        int c = fmpq_cmp(h->lo, h->hi);
        if (c > 0 ||
            (c == 0 && (h->lo_open || h->hi_open || (is_whole(h->atom) && !fmpz_is_one(fmpq_denref(h->lo))))))
            return true;
    }
    return false;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static bool is_positive(expr_kind k) { return k == EXPR_POSITIVE || k == EXPR_NATURAL; }

static int64_t whole_of(const ver_sampler *p, uint64_t h, bool counts) {
    static const int64_t power[] = {100, 1000, 10000, 100000};
    switch (p->scale) {
    case VER_SMALL: return (int64_t)(h % 5) - 2;
    case VER_FAR: {
        int64_t most = counts ? 40 : (int64_t)(1 + h / 4 % 9) * power[h % 4] + (int64_t)(h / 64 % 97);
        return counts ? (int64_t)(h % (uint64_t)most) + 1 : h >> 40 & 1 ? -most : most;
    }
    case VER_WHOLE:
        if (p->nmembers) return p->member[h % (uint64_t)p->nmembers] + (int64_t)(h / 64 % 3) - 1;
        break;
    default: break;
    }
    return (int64_t)(h % (counts ? 9 : 17)) - (counts ? 1 : 6);
}

/* A fraction of the scale, of either sign. */
static ver_ratio fraction_of(const ver_sampler *p, uint64_t h) {
    static const int64_t power[] = {1000, 10000, 100000, 1000000};
    int64_t sign = h >> 40 & 1 ? -1 : 1, digit = 1 + (int64_t)(h / 8 % 9), den = 1 + (int64_t)(h % 7);
    switch (p->scale) {
    case VER_SMALL: return (ver_ratio){sign * digit, power[h / 128 % 4]};
    case VER_FAR:
        return (ver_ratio){sign * (digit * power[h / 128 % 4] / 10 * den + (int64_t)(h / 1024 % 97)), den};
    case VER_WHOLE: return (ver_ratio){(int64_t)(h % 13) - 5, 1};
    case VER_ALIKE: return (ver_ratio){sign * (int64_t)(h % 25), 4}; /* so short that balls hold it exactly */
    case VER_HALF: return (ver_ratio){sign * (2 * (int64_t)(h % 7) + 1), 2};
    default: return (ver_ratio){sign * (1 + (int64_t)(h / 7 % (6 * (uint64_t)den))), den};
    }
}

static void into_hint(fmpq_t q, const ver_hint *x, bool whole, uint64_t h) {
    fmpq_t t;
    fmpq_init(t);
    if (x->has_lo && x->has_hi) { /* lo + (hi − lo)·t/64 */
        fmpq_sub(t, x->hi, x->lo);
        fmpq_set_si(q, (slong)(h % 65), 64);
        fmpq_mul(q, q, t);
        fmpq_add(q, q, x->lo);
    } else if (x->has_lo || x->has_hi) {
        fmpq_abs(q, q);
        if (h % 8 == 0) fmpq_zero(q); /* the end itself */
        if (x->has_lo) fmpq_add(q, x->lo, q);
        else fmpq_sub(q, x->hi, q);
    }
    if (whole) {
        if (x->has_lo) fmpz_cdiv_q(fmpq_numref(q), fmpq_numref(q), fmpq_denref(q));
        else fmpz_fdiv_q(fmpq_numref(q), fmpq_numref(q), fmpq_denref(q));
        fmpz_one(fmpq_denref(q));
    }
    fmpq_clear(t);
}

static ver_ratio allowed(ver_ratio q, expr_kind kind) {
    if (is_positive(kind) && q.num < 0) q.num = -q.num;
    return is_positive(kind) && q.num == 0 ? (ver_ratio){1, 1} : q;
}

/* The formula of an atom that an equation gives, by turns one or the other. */
static const expr_node *given(const ver_sampler *p, const ver_hint *h) {
    return h->other && p->seed % 2 ? h->other : h->equals;
}

/* The value of an atom that no equation gives: *re + i·(*im). False: it lies between ends, and is in `between`. */
static bool value_of(ver_ratio *re, ver_ratio *im, fmpq_t between, const expr_node *atom,
                     const ver_hint *hint, const ver_sampler *p) {
    expr_kind kind = symbol_of(atom)->kind;
    uint64_t own = p->scale == VER_ALIKE ? 0 : atom->hash;
    uint64_t h = mix(own + 0x9E3779B97F4A7C15u * (p->seed * VER_SCALES + (uint64_t)p->scale + 1));
    *im = kind == EXPR_COMPLEX ? fraction_of(p, mix(h)) : (ver_ratio){0, 1};
    *re = is_whole(atom) ? (ver_ratio){whole_of(p, h, hint && hint->counts), 1} : fraction_of(p, h);
    if (!hint || (!hint->has_lo && !hint->has_hi)) return *re = allowed(*re, kind), true;
    ver_fmpq_set(between, re->num, re->den);
    fmpq_canonicalise(between);
    into_hint(between, hint, is_whole(atom), mix(h));
    if (is_positive(kind) && fmpq_sgn(between) < 0) fmpq_neg(between, between);
    if (is_positive(kind) && fmpq_is_zero(between)) fmpq_one(between);
    return false;
}

/* May the symbol have a value that an equation gives it? What is not certain is no point. */
static bool allows(const expr_node *atom, const acb_t v) {
    expr_kind k = symbol_of(atom)->kind;
    if (k == EXPR_COMPLEX) return true;
    if (!acb_is_real(v) || (is_positive(k) && !arb_is_positive(acb_realref(v)))) return false;
    return !is_whole(atom) || arb_is_int(acb_realref(v));
}

static bool allows_double(const expr_node *atom, double re, double im) {
    expr_kind k = symbol_of(atom)->kind;
    return k == EXPR_COMPLEX ||
           (im == 0 && (!is_positive(k) || re > 0) && (!is_whole(atom) || re == (double)(int64_t)re));
}

bool ver_sample_ball(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    ver_sampler *p = ctx;
    const ver_hint *hint = hint_of(p, atom);
    if (hint && hint->equals) {
        if (p->nesting >= NESTING) return false;
        p->nesting++;
        ph_status st = ver_ball(v, given(p, hint), ver_sample_ball, p, prec, NULL);
        p->nesting--;
        if (!st && !allows(atom, v)) acb_indeterminate(v);
        return st == PH_OK;
    }
    ver_ratio re, im;
    fmpq_t between;
    fmpq_init(between);
    if (value_of(&re, &im, between, atom, hint, p)) ver_arb_set(acb_realref(v), re, prec);
    else arb_set_fmpq(acb_realref(v), between, prec);
    ver_arb_set(acb_imagref(v), im, prec);
    fmpq_clear(between);
    return true;
}

/* The balls of symbols at one point and precision: the first ones are asked for once, as to make one of a fraction takes a division, and symbols
 * stand in a formula many times. A copy is the ball that would be made again, since the point stays; a reference is held, so that no other symbol
 * can come to stand where this one did. */
#define SEEN 8
typedef struct {
    ver_sampler *at;
    int n;
    struct {
        expr_node *atom;
        acb_t v;
    } ball[SEEN];
} seen_balls;

static bool seen_ball(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    seen_balls *s = ctx;
    for (int i = 0; i < s->n; i++)
        if (s->ball[i].atom == atom) return acb_set(v, s->ball[i].v), true;
    if (!ver_sample_ball(s->at, v, atom, prec)) return false;
    if (atom->op == EXPR_SYM && s->n < SEEN) { /* members of families are made for the moment */
        s->ball[s->n].atom = expr_ref((expr_node *)atom);
        acb_init(s->ball[s->n].v);
        acb_set(s->ball[s->n++].v, v);
    }
    return true;
}

ph_status ver_sample_sides(acb_t l, acb_t r, const expr_node *s, const expr_steps *steps, ver_sampler *at,
                           slong prec, ph_err *err) {
    seen_balls seen = {.at = at};
    at->nesting = 0;
    if (steps && steps->n) return ver_ball_steps(l, r, steps, ver_sample_ball, at, prec, err);
    ph_status st = ver_ball(l, s->arg[0], seen_ball, &seen, prec, err);
    if (!st) st = ver_ball(r, s->arg[1], seen_ball, &seen, prec, err);
    for (int i = 0; i < seen.n; i++) {
        acb_clear(seen.ball[i].v);
        expr_drop(seen.ball[i].atom);
    }
    return st;
}

bool ver_sample_double(void *ctx, const expr_node *atom, double _Complex *v) {
    ver_sampler *p = ctx;
    const ver_hint *hint = hint_of(p, atom);
    if (hint && hint->equals) {
        if (p->nesting >= NESTING) return false;
        p->nesting++;
        ph_status st = expr_eval_point(v, given(p, hint), ver_sample_double, p, NULL);
        p->nesting--;
        if (!st && !allows_double(atom, __real__ * v, __imag__ * v)) __real__ *v = NAN;
        return st == PH_OK;
    }
    ver_ratio re, im;
    fmpq_t between;
    fmpq_init(between);
    __real__ *v = value_of(&re, &im, between, atom, hint, p)
                      ? (double)re.num / (double)re.den
                      : fmpz_get_d(fmpq_numref(between)) / fmpz_get_d(fmpq_denref(between));
    __imag__ *v = (double)im.num / (double)im.den;
    fmpq_clear(between);
    return true;
}
