/* laurent.c: see laurent.h. */
#include "verify/laurent.h"

#include <string.h>

#define MAX_TERMS   400000
#define MAX_FACTORS 2000000
#define MAX_WORK    4000000
#define FEW         8 /* terms that are compared in pairs */

void ver_lau_init(lau_stack *s, ph_err *err) { *s = (lau_stack){.ok = true, .err = err}; }

void ver_lau_clear(lau_stack *s) {
    ph_free(s->term);
    ph_free(s->factor);
    ph_free(s->slot);
    *s = (lau_stack){.ok = false};
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool grow(lau_stack *s, void **list, uint32_t *cap, uint32_t want, size_t each, uint32_t most) {
    uint32_t to = *cap ? *cap : 64;
    if (!s->ok || want <= *cap) return s->ok;
    if (want > most) return s->ok = false;
    while (to < want) to *= 2;
    void *p = ph_realloc(*list, to * each);
    if (!p) return s->st = ph_fail_nomem(s->err, to * each), s->ok = false;
    *list = p;
    *cap = to;
    return true;
}

static bool room_for_terms(lau_stack *s, uint32_t more) {
    return grow(s, (void **)&s->term, &s->cap, s->n + more, sizeof *s->term, MAX_TERMS);
}

static bool room_for_factors(lau_stack *s, uint32_t more) {
    return grow(s, (void **)&s->factor, &s->capfactors, s->nfactors + more, sizeof *s->factor, MAX_FACTORS);
}

/* ---- coefficients -------------------------------------------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b) { /* b > 0 */
    if (a == INT64_MIN) return 1;
    for (a = a < 0 ? -a : a; a;) {
        int64_t r = b % a;
        b = a;
        a = r;
    }
    return b;
}

static void add_coefficient(lau_stack *s, lau_term *a, const lau_term *b) {
    int64_t x, y, num, den;
    bool over;
    if (a->den == b->den) {
        over = __builtin_add_overflow(a->num, b->num, &num);
        den = a->den;
    } else {
        int64_t g = gcd(a->den, b->den);
        over = __builtin_mul_overflow(a->num, b->den / g, &x) ||
               __builtin_mul_overflow(b->num, a->den / g, &y) || __builtin_add_overflow(x, y, &num) ||
               __builtin_mul_overflow(a->den, b->den / g, &den);
    }
    if (over || num == INT64_MIN) {
        s->ok = false;
        return;
    }
    int64_t g = den == 1 ? 1 : gcd(num, den);
    a->num = num / g;
    a->den = den / g;
}

static void multiply_coefficient(lau_stack *s, lau_term *out, const lau_term *a, const lau_term *b) {
    int64_t g = b->den == 1 ? 1 : gcd(a->num, b->den), h = a->den == 1 ? 1 : gcd(b->num, a->den);
    if (__builtin_mul_overflow(a->num / g, b->num / h, &out->num) ||
        __builtin_mul_overflow(a->den / h, b->den / g, &out->den) || out->num == INT64_MIN)
        s->ok = false;
}

/* ---- terms --------------------------------------------------------------------------------------------- */

static uint64_t number_of(int64_t gen) { /* the finaliser of splitmix64 */
    uint64_t x = (uint64_t)gen * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

void ver_lau_push(lau_stack *s, int64_t num, int64_t den, bool i, const lau_factor *f, uint32_t n) {
    if (num == INT64_MIN) s->ok = false;
    if (!room_for_terms(s, 1) || !room_for_factors(s, n)) return;
    uint64_t hash = 0;
    for (uint32_t k = 0; k < n; k++) {
        hash += (uint64_t)f[k].exp * number_of(f[k].gen);
        s->factor[s->nfactors + k] = f[k];
    }
    s->term[s->n++] = (lau_term){.hash = hash, .num = num, .den = den, .at = s->nfactors, .n = n, .i = i};
    s->nfactors += n;
}

void ver_lau_push_power(lau_stack *s, int64_t gen, int64_t exp) {
    ver_lau_push(s, 1, 1, false, &(lau_factor){gen, exp}, 1);
}

void ver_lau_push_copy(lau_stack *s, uint32_t from, uint32_t to) {
    if (!room_for_terms(s, to - from)) return;
    memcpy(s->term + s->n, s->term + from,
           (to - from) * sizeof *s->term); /* factors never change: they are shared */
    s->n += to - from;
}

bool ver_lau_alike(const lau_stack *s, const lau_term *a, const lau_term *b) {
    if (a->hash != b->hash || a->n != b->n || a->i != b->i) return false;
    const lau_factor *f = s->factor + a->at, *g = s->factor + b->at;
    for (uint32_t k = 0; k < a->n; k++)
        if (f[k].gen != g[k].gen || f[k].exp != g[k].exp) return false;
    return true;
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static void drop_zeros(lau_stack *s, uint32_t from) {
    uint32_t to = from;
    for (uint32_t k = from; k < s->n; k++)
        if (s->term[k].num) s->term[to++] = s->term[k];
    s->n = to;
}

static void combine_few(lau_stack *s, uint32_t from) {
    for (uint32_t k = from + 1; k < s->n; k++)
        for (uint32_t j = from; j < k; j++) {
            if (!ver_lau_alike(s, &s->term[j], &s->term[k])) continue;
            add_coefficient(s, &s->term[j], &s->term[k]);
            s->term[k].num = 0;
            break;
        }
}

static void combine_many(lau_stack *s, uint32_t from) {
    uint32_t want = 2;
    while (want < 2 * (s->n - from)) want *= 2;
    if (!grow(s, (void **)&s->slot, &s->nslots, want, sizeof *s->slot, 4 * MAX_TERMS)) return;
    memset(s->slot, 0, want * sizeof *s->slot);
    for (uint32_t k = from; k < s->n; k++) {
        uint32_t i = (uint32_t)((s->term[k].hash * 0x9E3779B97F4A7C15u) >> 32) & (want - 1);
        while (s->slot[i] && !ver_lau_alike(s, &s->term[s->slot[i] - 1], &s->term[k]))
            i = (i + 1) & (want - 1);
        if (!s->slot[i]) s->slot[i] = k + 1;
        else {
            add_coefficient(s, &s->term[s->slot[i] - 1], &s->term[k]);
            s->term[k].num = 0;
        }
    }
}

void ver_lau_combine(lau_stack *s, uint32_t from) {
    if (!s->ok) return;
    if (s->n - from <= FEW) combine_few(s, from);
    else combine_many(s, from);
    drop_zeros(s, from);
}

void ver_lau_negate(lau_stack *s, uint32_t from) {
    for (uint32_t k = from; k < s->n && s->ok; k++) s->term[k].num = -s->term[k].num;
}

/* ---- products ------------------------------------------------------------------------------------------ */

/* Factors in order of gen from two lists in that order. */
static void merge(lau_stack *s, lau_term *out, const lau_term *a, const lau_term *b) {
    if (!room_for_factors(s, a->n + b->n)) return;
    const lau_factor *f = s->factor + a->at, *fe = f + a->n, *g = s->factor + b->at, *ge = g + b->n;
    lau_factor *to = s->factor + s->nfactors;
    out->at = s->nfactors;
    while (f < fe || g < ge) {
        if (g == ge || (f < fe && f->gen < g->gen)) *to++ = *f++;
        else if (f == fe || g->gen < f->gen) *to++ = *g++;
        else {
            to->gen = f->gen;
            if (__builtin_add_overflow(f++->exp, g++->exp, &to->exp)) s->ok = false;
            to += to->exp != 0;
        }
    }
    s->nfactors = (uint32_t)(to - s->factor);
    out->n = s->nfactors - out->at;
    out->hash = a->hash + b->hash;
}

static void push_product(lau_stack *s, uint32_t a, uint32_t b) {
    lau_term t = {.i = s->term[a].i != s->term[b].i};
    multiply_coefficient(s, &t, &s->term[a], &s->term[b]);
    if (s->term[a].i && s->term[b].i) t.num = -t.num;
    merge(s, &t, &s->term[a], &s->term[b]);
    s->term[s->n++] = t;
}

void ver_lau_multiply(lau_stack *s, uint32_t a, uint32_t b) {
    uint32_t end = s->n;
    if (!s->ok) return;
    s->work += (uint64_t)(b - a) * (end - b);
    if (s->work > MAX_WORK) s->ok = false;
    if (s->ok && ph_interrupted()) s->st = ph_fail_interrupted(s->err), s->ok = false;
    if (!s->ok || !room_for_terms(s, (b - a) * (end - b))) return;
    for (uint32_t i = a; i < b; i++)
        for (uint32_t j = b; j < end && s->ok; j++) push_product(s, i, j);
    if (!s->ok) return;
    if (b - a > 1 && end - b > 1) ver_lau_combine(s, end); /* a single term makes no two terms alike */
    memmove(s->term + a, s->term + end, (s->n - end) * sizeof *s->term);
    s->n -= end - a;
}

void ver_lau_power_of_term(lau_stack *s, int64_t k) {
    if (!s->ok) return;
    lau_term t = s->term[s->n - 1], one = {.num = 1, .den = 1};
    int64_t turns = k % 4 < 0 ? k % 4 + 4 : k % 4; /* I^k */
    if (k > 64 || k < -64 || !room_for_factors(s, t.n)) {
        s->ok = false;
        return;
    }
    lau_term base =
        k < 0 ? (lau_term){.num = t.num < 0 ? -t.den : t.den, .den = t.num < 0 ? -t.num : t.num} : t;
    for (int64_t j = k < 0 ? -k : k; j > 0 && s->ok; j--) multiply_coefficient(s, &one, &one, &base);
    if (t.i && turns >= 2) one.num = -one.num;
    one.i = t.i && turns % 2;
    one.hash = t.hash * (uint64_t)k;
    one.at = s->nfactors;
    one.n = k ? t.n : 0;
    for (uint32_t f = 0; f < one.n; f++) {
        lau_factor *to = &s->factor[s->nfactors++];
        to->gen = s->factor[t.at + f].gen;
        if (__builtin_mul_overflow(s->factor[t.at + f].exp, k, &to->exp)) s->ok = false;
    }
    s->term[s->n - 1] = one;
}
