/* ball.c: formulas in ball arithmetic, and the rational points where witnesses are sought. */
#include "verify/ball.h"

#include <stdio.h>
#include <string.h>

#define MAX_TERMS 1000000 /* of one sum */

/* An index that a sum has bound, innermost first. */
typedef struct frame {
    const exp_node *sym;
    int64_t value;
    const struct frame *up;
} frame;

typedef struct {
    ver_atom_fn *atom;
    void *ctx;
    slong prec;
    ph_err *err;
} balls;

static ph_status ball(acb_t out, const exp_node *e, const frame *f, const balls *b);

ver_truth ver_ball_compare(exp_op op, const acb_t x, const acb_t y) {
    if (!acb_is_finite(x) || !acb_is_finite(y)) return VER_UNDECIDED;
    bool same = acb_equal(x, y) && acb_is_exact(x), apart = !acb_overlaps(x, y);
    if (op == EXP_EQ) return same ? VER_TRUE : apart ? VER_FALSE : VER_UNDECIDED;
    if (op == EXP_NE) return same ? VER_FALSE : apart ? VER_TRUE : VER_UNDECIDED;
    if (!acb_is_real(x) || !acb_is_real(y)) return VER_UNDECIDED;
    arb_srcptr a = acb_realref(x), c = acb_realref(y);
    switch (op) {
    case EXP_LT: return arb_lt(a, c) ? VER_TRUE : arb_ge(a, c) ? VER_FALSE : VER_UNDECIDED;
    case EXP_LE: return arb_le(a, c) ? VER_TRUE : arb_gt(a, c) ? VER_FALSE : VER_UNDECIDED;
    case EXP_GT: return arb_gt(a, c) ? VER_TRUE : arb_le(a, c) ? VER_FALSE : VER_UNDECIDED;
    default: return arb_ge(a, c) ? VER_TRUE : arb_lt(a, c) ? VER_FALSE : VER_UNDECIDED;
    }
}

/* A function of the real line; the value is undetermined off it. */
static void on_real(acb_t out, const acb_t z, void f(arb_t, const arb_t, slong), slong prec) {
    if (!acb_is_real(z)) {
        acb_indeterminate(out);
        return;
    }
    f(acb_realref(out), acb_realref(z), prec);
    arb_zero(acb_imagref(out));
}

static void real_sign(arb_t y, const arb_t x, slong prec) {
    (void)prec;
    arb_sgn(y, x);
}

static void real_ci(arb_t y, const arb_t x, slong prec) {
    if (arb_is_positive(x)) arb_hypgeom_ci(y, x, prec);
    else arb_indeterminate(y);
}

static void unary(acb_t out, exp_op op, const acb_t z, slong p) {
    switch (op) {
    case EXP_NEG: acb_neg(out, z); return;
    case EXP_SIN: acb_sin(out, z, p); return;
    case EXP_COS: acb_cos(out, z, p); return;
    case EXP_TAN: acb_tan(out, z, p); return;
    case EXP_EXP: acb_exp(out, z, p); return;
    case EXP_LOG:
        if (acb_contains_zero(z)) acb_indeterminate(out);
        else acb_log(out, z, p);
        return;
    case EXP_SQRT: acb_sqrt(out, z, p); return;
    case EXP_SINH: acb_sinh(out, z, p); return;
    case EXP_COSH: acb_cosh(out, z, p); return;
    case EXP_TANH: acb_tanh(out, z, p); return;
    case EXP_ATAN: acb_atan(out, z, p); return;
    case EXP_CI: on_real(out, z, real_ci, p); return;
    case EXP_SI: on_real(out, z, arb_hypgeom_si, p); return;
    case EXP_ABS:
        acb_abs(acb_realref(out), z, p);
        arb_zero(acb_imagref(out));
        return;
    case EXP_SIGN: on_real(out, z, real_sign, p); return;
    case EXP_FLOOR: on_real(out, z, arb_floor, p); return;
    case EXP_CONJ: acb_conj(out, z); return;
    case EXP_RE:
        arb_set(acb_realref(out), acb_realref(z));
        arb_zero(acb_imagref(out));
        return;
    default: /* EXP_IM */
        arb_set(acb_realref(out), acb_imagref(z));
        arb_zero(acb_imagref(out));
    }
}

/* 0^s is undefined unless s is a positive number; Arb's own 0^0 = 1 is another convention. */
static void power(acb_t out, const acb_t a, const acb_t s, slong p) {
    if (acb_contains_zero(a) && !(acb_is_real(s) && arb_is_positive(acb_realref(s)))) {
        acb_indeterminate(out);
        return;
    }
    if (acb_is_int(s) && arf_cmpabs_2exp_si(arb_midref(acb_realref(s)), 40) < 0) {
        fmpz_t k;
        fmpz_init(k);
        arf_get_fmpz(k, arb_midref(acb_realref(s)), ARF_RND_DOWN);
        acb_pow_fmpz(out, a, k, p);
        fmpz_clear(k);
    } else acb_pow(out, a, s, p);
}

static void binary(acb_t out, exp_op op, const acb_t a, const acb_t b, slong p) {
    switch (op) {
    case EXP_ADD: acb_add(out, a, b, p); return;
    case EXP_SUB: acb_sub(out, a, b, p); return;
    case EXP_MUL: acb_mul(out, a, b, p); return;
    case EXP_DIV: acb_div(out, a, b, p); return;
    case EXP_POW: power(out, a, b, p); return;
    default: break;
    }
    if ((op != EXP_MIN && op != EXP_MAX) || !acb_is_real(a) || !acb_is_real(b)) {
        acb_indeterminate(out);
        return;
    }
    if (op == EXP_MIN) arb_min(acb_realref(out), acb_realref(a), acb_realref(b), p);
    else arb_max(acb_realref(out), acb_realref(a), acb_realref(b), p);
    arb_zero(acb_imagref(out));
}

/* The exact integer that e is, as a bound or an index. */
static ph_status integer(int64_t *k, const exp_node *e, const frame *f, const balls *b, const char *what) {
    acb_t v;
    acb_init(v);
    ph_status st = ball(v, e, f, b);
    fmpz_t n;
    fmpz_init(n);
    if (!st && !(arb_is_zero(acb_imagref(v)) && arb_get_unique_fmpz(n, acb_realref(v)) && arb_is_int(acb_realref(v)) &&
                 fmpz_fits_si(n)))
        st = ph_fail(b->err, PH_EDOMAIN, "%s is no integer", what);
    *k = st ? 0 : fmpz_get_si(n);
    fmpz_clear(n);
    acb_clear(v);
    return st;
}

static ph_status ball_at(acb_t out, const exp_node *e, const frame *f, const balls *b) {
    int64_t k;
    exp_node *index = NULL, *at = NULL;
    ph_status st = integer(&k, e->arg[1], f, b, "an index");
    if (st) return st;
    PH_TRY(exp_rat(&index, k, 1, b->err));
    PH_TRY(exp_make2(&at, EXP_AT, e->arg[0], index, b->err));
    if (!b->atom(b->ctx, out, at, b->prec))
        st = ph_fail(b->err, PH_EARG, "no value for %s[%lld]", e->arg[0]->name, (long long)k);
done:
    exp_drop(index);
    exp_drop(at);
    return st;
}

static ph_status ball_sum(acb_t out, const exp_node *e, const frame *f, const balls *b) {
    int64_t lo, hi;
    ph_status st = PH_OK;
    acb_t term, sum;
    acb_init(term);
    acb_init(sum);
    PH_TRY(integer(&lo, e->arg[1], f, b, "a bound of the sum"));
    PH_TRY(integer(&hi, e->arg[2], f, b, "a bound of the sum"));
    if (hi < lo && (uint64_t)lo - (uint64_t)hi > 1) {
        st = ph_fail(b->err, PH_EDOMAIN, "the upper bound of a sum is more than one below its lower bound");
        goto done;
    }
    if (hi >= lo && (uint64_t)hi - (uint64_t)lo >= MAX_TERMS) {
        st = ph_fail(b->err, PH_EUNABLE, "a sum of more than %d terms", MAX_TERMS);
        goto done;
    }
    for (int64_t i = lo; i <= hi; i++) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(b->err);
            goto done;
        }
        PH_TRY(ball(term, e->arg[3], &(frame){e->arg[0], i, f}, b));
        acb_add(sum, sum, term, b->prec);
    }
    acb_swap(out, sum);
done:
    acb_clear(term);
    acb_clear(sum);
    return st;
}

static ph_status ball_piece(acb_t out, const exp_node *e, const frame *f, const balls *b) {
    ph_status st = PH_OK;
    bool any = false; /* `out` holds the union of the branches that could be the one */
    acb_t l, r, v;
    acb_init(l);
    acb_init(r);
    acb_init(v);
    for (uint32_t i = 0; i < e->nargs; i += 2) {
        bool last = i + 1 == e->nargs;
        ver_truth t = VER_TRUE;
        if (!last) {
            PH_TRY(ball(l, e->arg[i]->arg[0], f, b));
            PH_TRY(ball(r, e->arg[i]->arg[1], f, b));
            t = ver_ball_compare(e->arg[i]->op, l, r);
        }
        if (t == VER_FALSE) continue;
        PH_TRY(ball(v, e->arg[last ? i : i + 1], f, b));
        if (any) acb_union(out, out, v, b->prec);
        else acb_swap(out, v);
        any = true;
        if (t == VER_TRUE) break;
    }
done:
    acb_clear(l);
    acb_clear(r);
    acb_clear(v);
    return st;
}

static ph_status ball_symbol(acb_t out, const exp_node *e, const frame *f, const balls *b) {
    for (; f; f = f->up)
        if (exp_same(f->sym, e)) {
            acb_set_si(out, f->value);
            return PH_OK;
        }
    return b->atom(b->ctx, out, e, b->prec) ? PH_OK
                                            : ph_fail(b->err, PH_EARG, "no value for the symbol '%s'", e->name);
}

static ph_status ball(acb_t out, const exp_node *e, const frame *f, const balls *b) {
    switch (e->op) {
    case EXP_RAT:
        acb_set_si(out, e->num);
        if (e->den != 1) acb_div_si(out, out, e->den, b->prec);
        return PH_OK;
    case EXP_I: acb_onei(out); return PH_OK;
    case EXP_PI: acb_const_pi(out, b->prec); return PH_OK;
    case EXP_SYM: return ball_symbol(out, e, f, b);
    case EXP_AT: return ball_at(out, e, f, b);
    case EXP_SUM: return ball_sum(out, e, f, b);
    case EXP_PIECE: return ball_piece(out, e, f, b);
    default: break;
    }
    if (exp_is_statement(e)) return ph_fail(b->err, PH_EARG, "a statement stands where a value is wanted");
    ph_status st = PH_OK;
    acb_t x, y, r; /* a result of its own: not every function of a part of a ball may write over it */
    acb_init(x);
    acb_init(y);
    acb_init(r);
    PH_TRY(ball(x, e->arg[0], f, b));
    if (e->nargs == 2) {
        PH_TRY(ball(y, e->arg[1], f, b));
        binary(r, e->op, x, y, b->prec);
    } else unary(r, e->op, x, b->prec);
    acb_swap(out, r);
done:
    acb_clear(x);
    acb_clear(y);
    acb_clear(r);
    return st;
}

ph_status ver_ball(acb_t out, const exp_node *e, ver_atom_fn *atom, void *ctx, slong prec, ph_err *err) {
    return ball(out, e, NULL, &(balls){atom, ctx, prec, err});
}

/* ---- rational points -------------------------------------------------------------------------------------------------- */

static uint64_t scramble(uint64_t x) { /* the finaliser of splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* A fraction with denominator up to 7 and |value| up to about 6; early seeds stay near small numbers. */
static void small_fraction(fmpq_t q, uint64_t h, bool positive) {
    slong den = 1 + (slong)(h % 7), num = 1 + (slong)(h / 7 % (6 * (uint64_t)den));
    fmpq_set_si(q, !positive && (h >> 40 & 1) ? -num : num, (ulong)den);
}

void ver_point_value(fmpq_t re, fmpq_t im, const exp_node *atom, uint64_t seed) {
    const exp_node *s = atom->op == EXP_AT ? atom->arg[0] : atom;
    uint64_t h = scramble(atom->hash + 0x9E3779B97F4A7C15u * (seed + 1));
    fmpq_zero(im);
    switch (s->kind) {
    case EXP_REAL: small_fraction(re, h, false); return;
    case EXP_POSITIVE: small_fraction(re, h, true); return;
    case EXP_INTEGER: fmpq_set_si(re, (slong)(h % 17) - 6, 1); return;
    case EXP_NATURAL: fmpq_set_si(re, 1 + (slong)(h % 12), 1); return;
    case EXP_COMPLEX:
        small_fraction(re, h, false);
        small_fraction(im, scramble(h), false);
    }
}

bool ver_point_atom(void *ctx, acb_t v, const exp_node *atom, slong prec) {
    fmpq_t re, im;
    fmpq_init(re);
    fmpq_init(im);
    ver_point_value(re, im, atom, *(const uint64_t *)ctx);
    arb_set_fmpq(acb_realref(v), re, prec);
    arb_set_fmpq(acb_imagref(v), im, prec);
    fmpq_clear(re);
    fmpq_clear(im);
    return true;
}

/* Collects the members of families that an evaluation asks for. */
typedef struct {
    uint64_t seed;
    exp_set used;
    ph_status st;
    ph_err *err;
} recorder;

static bool record(void *ctx, acb_t v, const exp_node *atom, slong prec) {
    recorder *r = ctx;
    if (!r->st) r->st = exp_set_add(&r->used, (exp_node *)atom, r->err);
    return ver_point_atom(&r->seed, v, atom, prec);
}

ph_status ver_point_text(char **out, const exp_node *e, uint64_t seed, ph_err *err) {
    recorder r = {.seed = seed, .err = err};
    size_t cap = 1, n = 0;
    acb_t v;
    fmpq_t re, im;
    acb_init(v);
    fmpq_init(re);
    fmpq_init(im);
    ph_status st = PH_OK; /* of a statement, both sides; an undefined point still has its atoms */
    for (uint32_t i = 0; i < (exp_is_statement(e) ? 2 : 1) && st != PH_ENOMEM; i++)
        st = ver_ball(v, exp_is_statement(e) ? e->arg[i] : e, record, &r, 64, NULL);
    st = st == PH_ENOMEM ? st : r.st;
    if (!st && !(*out = ph_alloc(cap = 64 + 160 * (size_t)r.used.n))) st = ph_fail_nomem(err, cap);
    if (!st) (*out)[0] = 0;
    for (int i = 0; !st && i < r.used.n; i++) {
        char *name = NULL;
        st = exp_text(&name, r.used.item[i], 60, err);
        if (st) break;
        ver_point_value(re, im, r.used.item[i], seed);
        char *a = fmpq_get_str(NULL, 10, re), *b = fmpq_get_str(NULL, 10, im);
        n += (size_t)snprintf(*out + n, cap - n, "%s%s = %s", i ? ", " : "", name, a);
        if (!fmpq_is_zero(im)) n += (size_t)snprintf(*out + n, cap - n, " + (%s)*I", b);
        flint_free(a);
        flint_free(b);
        ph_free(name);
    }
    exp_set_clear(&r.used);
    acb_clear(v);
    fmpq_clear(re);
    fmpq_clear(im);
    return st;
}

/* ---- text ------------------------------------------------------------------------------------------------------------- */

static char *arb_text(const arb_t x, slong digits) {
    char *s = arb_get_str(x, digits, arb_is_exact(x) || arb_rel_accuracy_bits(x) > 4 * digits ? ARB_STR_NO_RADIUS : 0);
    char *copy = s ? ph_strdup(s) : NULL;
    flint_free(s);
    return copy;
}

char *ver_acb_text(const acb_t z, slong digits) {
    if (acb_is_real(z)) return arb_text(acb_realref(z), digits);
    char *re = arb_text(acb_realref(z), digits), *im = arb_text(acb_imagref(z), digits), *out = NULL;
    size_t cap = re && im ? strlen(re) + strlen(im) + 8 : 0;
    if (cap && (out = ph_alloc(cap))) snprintf(out, cap, "%s%s%s*I", re, im[0] == '-' ? " - " : " + ", im + (im[0] == '-'));
    ph_free(re);
    ph_free(im);
    return out;
}
