/* points.c: the rational points where witnesses are sought, and balls as text. */
#include "verify/ball.h"
#include "verify/told.h"
#include "verify/wide.h"

#include <stdio.h>
#include <string.h>

static uint64_t scramble(uint64_t x) { /* the finaliser of splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* A fraction with denominator up to 7 and |value| up to about 6; early seeds stay near small numbers. */
static ver_ratio small_fraction(uint64_t h, bool positive) {
    int64_t den = 1 + (int64_t)(h % 7), num = 1 + (int64_t)(h / 7 % (6 * (uint64_t)den));
    return (ver_ratio){!positive && (h >> 40 & 1) ? -num : num, den};
}

/* The points of coincidences: 0, ±1, 2, 1/2, at first the same for all atoms, then one or the other for each. */
static void special_value(ver_ratio *re, ver_ratio *im, expr_kind kind, uint64_t h) {
    static const int num[][5] = {
        {0, 1, -1, 2, 1}, {1, 2, 1, 4, 3}, {0, 1, -1, 2, -2}, {1, 2, 3, 4, 5}, {0, 1, -1, 0, 1}};
    int k = (int)(h % 5);
    bool half = (kind == EXPR_REAL && k == 4) || (kind == EXPR_POSITIVE && k == 2);
    *re = (ver_ratio){num[kind][k], half ? 2 : 1};
    *im = (ver_ratio){kind == EXPR_COMPLEX, 1}; /* off the real line: complex numbers have no order */
}

static void point_value(ver_ratio *re, ver_ratio *im, const expr_node *atom, uint64_t seed) {
    const expr_node *s = atom->op == EXPR_AT ? atom->arg[0] : atom;
    uint64_t h = scramble(atom->hash + 0x9E3779B97F4A7C15u * (seed + 1));
    *re = *im = (ver_ratio){0, 1};
    if (seed >= VER_SPECIAL_POINTS) {
        uint64_t k = seed - VER_SPECIAL_POINTS;
        special_value(re, im, s->kind, k < 5 ? k : h >> 20);
        return;
    }
    switch (s->kind) {
    case EXPR_REAL: *re = small_fraction(h, false); return;
    case EXPR_POSITIVE: *re = small_fraction(h, true); return;
    case EXPR_INTEGER: *re = (ver_ratio){(int64_t)(h % 17) - 6, 1}; return;
    case EXPR_NATURAL: *re = (ver_ratio){1 + (int64_t)(h % 12), 1}; return;
    case EXPR_COMPLEX: *re = small_fraction(h, false); *im = small_fraction(scramble(h), false);
    }
}

bool ver_point_atom(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    ver_ratio re, im;
    point_value(&re, &im, atom, *(const uint64_t *)ctx);
    ver_arb_set(acb_realref(v), re, prec);
    ver_arb_set(acb_imagref(v), im, prec);
    return true;
}

bool ver_point_double(void *ctx, const expr_node *atom, double _Complex *v) {
    ver_ratio re, im;
    point_value(&re, &im, atom, *(const uint64_t *)ctx);
    __real__ *v = (double)re.num / (double)re.den;
    __imag__ *v = (double)im.num / (double)im.den;
    return true;
}

static char *fraction_text(ver_ratio q) { /* to be freed by flint_free */
    fmpq_t x;
    fmpq_init(x);
    ver_fmpq_set(x, q.num, q.den);
    fmpq_canonicalise(x);
    char *text = fmpq_get_str(NULL, 10, x);
    fmpq_clear(x);
    return text;
}

#define NAMED 200 /* symbols and members that a witness names */

/* Collects the members of families that an evaluation asks for. */
typedef struct {
    uint64_t seed;
    expr_set used;
    bool more; /* than are named */
    ph_status st;
    ph_err *err;
} recorder;

static bool record(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    recorder *r = ctx;
    if (r->used.n == NAMED) r->more = true;
    else if (!r->st) r->st = expr_set_add(&r->used, (expr_node *)atom, r->err);
    return ver_point_atom(&r->seed, v, atom, prec);
}

/* "1/2", "3 + (1/2)*I" */
static ph_status tell_atom(ver_told *t, const expr_node *atom, uint64_t seed, ph_err *err) {
    ver_ratio re, im;
    char *name = NULL, *value = NULL;
    ph_status st = expr_text(&name, atom, 60, err);
    bool told = false;
    for (int i = 0; i < t->n && !st; i++) told |= strcmp(t->at[i].name, name) == 0;
    if (told) return ph_free(name), PH_OK;
    point_value(&re, &im, atom, seed);
    char *a = fraction_text(re), *b = fraction_text(im);
    if (!st) st = im.num ? ver_set(&value, err, "%s + (%s)*I", a, b) : ver_set(&value, err, "%s", a);
    if (!st) st = ver_tell_value(t, name, value, false, err);
    flint_free(a);
    flint_free(b);
    ph_free(name);
    ph_free(value);
    return st;
}

ph_status ver_point_tell(ver_told *t, const expr_node *e, uint64_t seed, ph_err *err) {
    recorder r = {.seed = seed, .err = err};
    acb_t v;
    acb_init(v);
    ph_status st = PH_OK; /* of a statement, both sides; an undefined point still has its atoms */
    for (uint32_t i = 0; i < (expr_is_statement(e) ? 2 : 1) && !ph_is_fatal(st); i++)
        st = ver_ball(v, expr_is_statement(e) ? e->arg[i] : e, record, &r, 64, err);
    st = ph_is_fatal(st) ? st : r.st;
    for (int i = 0; !st && i < r.used.n; i++) st = tell_atom(t, r.used.item[i], seed, err);
    t->more |= r.more;
    expr_set_clear(&r.used);
    acb_clear(v);
    return st;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static char *arb_text(const arb_t x, slong digits) {
    char *s = arb_get_str(x, digits,
                          arb_is_exact(x) || arb_rel_accuracy_bits(x) > 4 * digits ? ARB_STR_NO_RADIUS : 0);
    char *copy = s ? ph_strdup(s) : NULL;
    flint_free(s);
    return copy;
}

char *ver_acb_text(const acb_t z, slong digits) {
    if (acb_is_real(z)) return arb_text(acb_realref(z), digits);
    char *re = arb_text(acb_realref(z), digits), *im = arb_text(acb_imagref(z), digits), *out = NULL;
    size_t cap = re && im ? strlen(re) + strlen(im) + 8 : 0;
    if (cap && (out = ph_alloc(cap)))
        snprintf(out, cap, "%s%s%s*I", re, im[0] == '-' ? " - " : " + ", im + (im[0] == '-'));
    ph_free(re);
    ph_free(im);
    return out;
}

/* The same digits, whatever the radii: [1.5 +/- 2e-3] and [1.5 +/- 3e-3]. */
static bool looks_the_same(const char *l, const char *r) {
    for (; *l && *l == *r; l++, r++)
        if (strncmp(l, " +/- ", 5) == 0 && strncmp(r, " +/- ", 5) == 0)
            l += strcspn(l, "]"), r += strcspn(r, "]");
    return *l == *r;
}

void ver_sides_text(char **left, char **right, const acb_t x, const acb_t y, slong digits) {
    *left = ver_acb_text(x, digits);
    *right = ver_acb_text(y, digits);
    for (slong more = 2 * digits; more <= 128 * digits; more *= 2) {
        if (!*left || !*right || !looks_the_same(*left, *right) || acb_overlaps(x, y)) return;
        ph_free(*left);
        ph_free(*right);
        *left = ver_acb_text(x, more);
        *right = ver_acb_text(y, more);
    }
}
