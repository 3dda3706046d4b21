/* direct.c: see direct.h. */
#include "verify/direct.h"

#include "verify/laurent.h"

#define MAX_SIZE  300000 /* parts, each as often as it is written */
#define MAX_POWER 64     /* of a polynomial of several terms */

/* A generator: a symbol (or π), or e^M for a monomial M. */
typedef struct {
    const expr_node *node; /* NULL: e^M */
    lau_term of;           /* M */
} generator;

typedef struct {
    lau_stack s;
    generator *gen;
    int64_t ngens, cap;
    uint32_t *slot; /* gen + 1, by hash; as many as cap·2 */
    int64_t terms;  /* of the largest part */
    bool exponentials;
} direct;

/* ---- what is of this kind ------------------------------------------------------------------------------ */

static bool is_symbol(const expr_node *e) {
    if (e->op != EXPR_AT) return e->op == EXPR_SYM || e->op == EXPR_PI;
    return e->arg[1]->op == EXPR_SYM || (e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1);
}

static bool is_whole_power(const expr_node *e) {
    return e->op == EXPR_POW && e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1;
}

static bool is_direct(const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_I: return true;
    case EXPR_SYM:
    case EXPR_PI:
    case EXPR_AT: return is_symbol(e);
    case EXPR_POW: return is_whole_power(e) && is_direct(e->arg[0]);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: return is_direct(e->arg[0]) && is_direct(e->arg[1]);
    case EXPR_NEG:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH: return is_direct(e->arg[0]);
    default: return false;
    }
}

/* ---- generators ---------------------------------------------------------------------------------------- */

static uint64_t hash_of(const generator *g) { return g->node ? g->node->hash : g->of.hash * 3 + g->of.i; }

static bool same(const direct *c, const generator *a, const generator *b) {
    if (!a->node != !b->node) return false;
    return a->node ? expr_same(a->node, b->node) : ver_lau_alike(&c->s, &a->of, &b->of);
}

static uint32_t *slot_of(const direct *c, const generator *g) {
    uint64_t mask = 2 * (uint64_t)c->cap - 1, i = (hash_of(g) * 0x9E3779B97F4A7C15u) >> 20 & mask;
    while (c->slot[i] && !same(c, &c->gen[c->slot[i] - 1], g)) i = (i + 1) & mask;
    return &c->slot[i];
}

static bool grow(direct *c) {
    int64_t cap = c->cap ? 2 * c->cap : 32;
    generator *g = ph_realloc(c->gen, (size_t)cap * sizeof *g);
    if (g) c->gen = g;
    uint32_t *slot = g ? ph_calloc(2 * (size_t)cap, sizeof *slot) : NULL;
    if (!slot) return c->s.st = ph_fail_nomem(c->s.err, (size_t)cap * sizeof *g), c->s.ok = false;
    ph_free(c->slot);
    c->slot = slot;
    c->cap = cap;
    for (int64_t i = 0; i < c->ngens; i++) *slot_of(c, &c->gen[i]) = (uint32_t)i + 1;
    return true;
}

static int64_t number(direct *c, const generator *g) {
    if (c->ngens == c->cap && !grow(c)) return 0;
    uint32_t *slot = slot_of(c, g);
    if (!*slot) {
        c->gen[c->ngens++] = *g;
        *slot = (uint32_t)c->ngens;
    }
    return *slot - 1;
}

/* ---- exponentials -------------------------------------------------------------------------------------- */

/* Of the terms k·M from `from` up to `to`, times I when by_i says so, Π (e^M)^k is pushed. */
static void push_exponential(direct *c, uint32_t from, uint32_t to, bool by_i) {
    lau_stack *s = &c->s;
    uint32_t top = s->n;
    if (from == to) ver_lau_push(s, 1, 1, false, NULL, 0);
    for (uint32_t k = from; k < to && s->ok; k++) {
        lau_term M = s->term[k];
        int64_t units;
        if (by_i && M.i) M.num = -M.num;
        M.i = M.i != by_i;
        if (LAU_UNIT % M.den || __builtin_mul_overflow(M.num, LAU_UNIT / M.den, &units)) s->ok = false;
        int64_t gen = s->ok ? number(c, &(generator){NULL, M}) : 0;
        if (s->ok) ver_lau_push_power(s, gen, units);
        if (s->ok && k > from) ver_lau_multiply(s, top, top + 1);
        c->exponentials = true;
    }
}

/* f of the polynomial from `from` upward, in its place: sin u = −I(W − V)/2, cos u = (W + V)/2 with W = e^(Iu), V = 1/W; sinh and cosh the
 * same without I. */
static void apply(direct *c, expr_op f, uint32_t from) {
    lau_stack *s = &c->s;
    bool by_i = f == EXPR_SIN || f == EXPR_COS, odd = f == EXPR_SIN || f == EXPR_SINH;
    uint32_t end = s->n;
    push_exponential(c, from, end, by_i);
    if (f != EXPR_EXP) {
        ver_lau_push_copy(s, end, end + 1);
        ver_lau_power_of_term(s, -1);
    }
    if (!s->ok) return;
    for (uint32_t k = end; k < s->n; k++) {
        lau_term *t = &s->term[from + k - end];
        *t = s->term[k];
        if (f == EXPR_EXP) continue;
        t->den = 2;
        t->i = by_i && odd;
        t->num = odd && (k == end) == by_i ? -1 : 1;
    }
    s->n = from + s->n - end;
    ver_lau_combine(s, from);
}

/* ---- the walk ------------------------------------------------------------------------------------------ */

static void convert(direct *c, const expr_node *e);

static void convert_terms(direct *c, const expr_node *e, bool minus) {
    if (e->op == EXPR_ADD || e->op == EXPR_SUB) {
        convert_terms(c, e->arg[0], minus);
        convert_terms(c, e->arg[1], minus != (e->op == EXPR_SUB));
        return;
    }
    uint32_t from = c->s.n;
    convert(c, e);
    if (minus) ver_lau_negate(&c->s, from);
}

static void convert_power(direct *c, const expr_node *e) {
    lau_stack *s = &c->s;
    uint32_t from = s->n;
    int64_t k = e->arg[1]->num;
    convert(c, e->arg[0]);
    if (!s->ok || s->n == from + 1) {
        ver_lau_power_of_term(s, k);
        return;
    }
    if (k < 1 || k > MAX_POWER || s->n == from) s->ok = false;
    uint32_t to = s->n;
    for (int64_t j = 1; j < k && s->ok; j++) { /* the base, then what has been multiplied so far */
        uint32_t top = s->n;
        ver_lau_push_copy(s, from, to);
        if (j > 1) ver_lau_multiply(s, to, top);
    }
    if (k > 1) ver_lau_multiply(s, from, to);
}

static void convert_two(direct *c, const expr_node *e) {
    uint32_t from = c->s.n, middle;
    convert(c, e->arg[0]);
    middle = c->s.n;
    convert(c, e->arg[1]);
    if (e->op == EXPR_DIV) {
        if (c->s.n != middle + 1) c->s.ok = false; /* 0, or several terms */
        ver_lau_power_of_term(&c->s, -1);
    }
    ver_lau_multiply(&c->s, from, middle);
}

static void convert_sum(direct *c, const expr_node *e) {
    uint32_t from = c->s.n;
    convert_terms(c, e, false);
    ver_lau_combine(&c->s, from);
}

static void convert(direct *c, const expr_node *e) {
    uint32_t from = c->s.n;
    if (!c->s.ok) return;
    switch (e->op) {
    case EXPR_RAT:
        if (e->num) ver_lau_push(&c->s, e->num, e->den, false, NULL, 0);
        return;
    case EXPR_I: ver_lau_push(&c->s, 1, 1, true, NULL, 0); return;
    case EXPR_SYM:
    case EXPR_PI:
    case EXPR_AT: ver_lau_push_power(&c->s, number(c, &(generator){.node = e}), LAU_UNIT); return;
    case EXPR_ADD:
    case EXPR_SUB: convert_sum(c, e); break;
    case EXPR_MUL:
    case EXPR_DIV: convert_two(c, e); break;
    case EXPR_POW: convert_power(c, e); break;
    case EXPR_NEG:
        convert(c, e->arg[0]);
        ver_lau_negate(&c->s, from);
        break;
    default:
        convert(c, e->arg[0]);
        if (c->s.ok) apply(c, e->op, from);
    }
    if ((int64_t)(c->s.n - from) > c->terms) c->terms = c->s.n - from;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static ph_status conditions(expr_set *out, expr_node *e, ph_err *err) {
    ph_status st = PH_OK;
    if (is_symbol(e)) return st;
    for (uint32_t i = 0; i < e->nargs && !st; i++)
        if (e->arg[i]->nargs) st = conditions(out, e->arg[i], err);
    return st || (e->op != EXPR_DIV && e->op != EXPR_POW) ? st : ver_normal_condition(out, e, err);
}

ph_status ver_direct_decide(normal_form *out, bool *zero, expr_node *e, ph_err *err) {
    direct c = {.terms = 0};
    *out = (normal_form){0};
    *zero = false;
    if (e->size > MAX_SIZE || !is_direct(e)) return PH_OK;
    ver_lau_init(&c.s, err);
    convert(&c, e);
    *zero = c.s.ok && c.s.n == 0;
    ph_status st = c.s.st;
    ver_lau_clear(&c.s);
    ph_free(c.gen);
    ph_free(c.slot);
    if (!*zero || st) return st;
    *out = (normal_form){.answer = NORMAL_ZERO, .terms = c.terms, .exponentials = c.exponentials};
    st = conditions(&out->conditions, e, err);
    if (st) ver_normal_clear(out);
    return st;
}
