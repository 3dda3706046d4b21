/* calc.c: symbols of a formula, substitution, derivatives, sums written out, conjugation pushed to the leaves. */
#include "expr/build.h"

#include <string.h>

/* ---- sets of atoms ------------------------------------------------------------------------------------- */

void exp_set_clear(exp_set *s) {
    for (int i = 0; i < s->n; i++) exp_drop(s->item[i]);
    ph_free(s->item);
    *s = (exp_set){0};
}

static const char *base_name(const exp_node *a) { return a->op == EXP_AT ? a->arg[0]->name : a->name; }

static int set_find(const exp_set *s, const exp_node *e) {
    for (int i = 0; i < s->n; i++)
        if (exp_same(s->item[i], e)) return i;
    return -1;
}

static ph_status set_insert(exp_set *s, int at, exp_node *e, ph_err *err) {
    if (s->n == s->cap) {
        int cap = s->cap ? 2 * s->cap : 8;
        exp_node **item = ph_realloc(s->item, (size_t)cap * sizeof *item);
        if (!item) return ph_fail_nomem(err, (size_t)cap * sizeof *item);
        s->item = item;
        s->cap = cap;
    }
    memmove(s->item + at + 1, s->item + at, (size_t)(s->n - at) * sizeof *s->item);
    s->item[at] = exp_ref(e);
    s->n++;
    return PH_OK;
}

ph_status exp_set_add(exp_set *s, exp_node *e, ph_err *err) {
    int at = 0;
    if (set_find(s, e) >= 0) return PH_OK;
    while (at < s->n && strcmp(base_name(s->item[at]), base_name(e)) <= 0) at++;
    return set_insert(s, at, e, err);
}

ph_status exp_set_append(exp_set *s, exp_node *e, ph_err *err) {
    return set_find(s, e) >= 0 ? PH_OK : set_insert(s, s->n, e, err);
}

typedef struct {
    const exp_node *sym;
    const void *up;
} bound;

/* A chain of bound indices, innermost first. */
static bool is_bound(const bound *b, const exp_node *sym) {
    for (; b; b = b->up)
        if (exp_same(b->sym, sym)) return true;
    return false;
}

static bool uses_bound(const bound *b, const exp_node *e) {
    for (; b; b = b->up)
        if (exp_has(e, b->sym)) return true;
    return false;
}

static ph_status collect(exp_set *out, exp_node *e, const bound *b, ph_err *err) {
    if (e->op == EXP_SYM) return is_bound(b, e) ? PH_OK : exp_set_add(out, e, err);
    ph_status st = PH_OK;
    if (e->op == EXP_SUM) {
        bound inner = {e->arg[0], b};
        PH_TRY(collect(out, e->arg[1], b, err));
        PH_TRY(collect(out, e->arg[2], b, err));
        PH_TRY(collect(out, e->arg[3], &inner, err));
    } else if (e->op == EXP_AT) {
        if (!uses_bound(b, e)) PH_TRY(exp_set_add(out, e, err));
        else PH_TRY(exp_set_add(out, e->arg[0], err)); /* θ_i under Σ_i stands for its family */
        PH_TRY(collect(out, e->arg[1], b, err));
    } else {
        for (uint32_t i = 0; i < e->nargs; i++) PH_TRY(collect(out, e->arg[i], b, err));
    }
done:
    return st;
}

static ph_status check_names(const exp_set *s, ph_err *err) {
    for (int i = 0; i + 1 < s->n; i++) {
        const exp_node *a = s->item[i], *b = s->item[i + 1];
        const exp_node *x = a->op == EXP_AT ? a->arg[0] : a, *y = b->op == EXP_AT ? b->arg[0] : b;
        if (strcmp(x->name, y->name) == 0 && x->kind != y->kind)
            return ph_fail(
                err, PH_EARG,
                "the name '%s' stands for two symbols, one %s and one %s; give one of them another name",
                x->name, exp_kind_name(x->kind), exp_kind_name(y->kind));
    }
    return PH_OK;
}

ph_status exp_symbols(exp_set *out, const exp_node *e, ph_err *err) {
    *out = (exp_set){0};
    ph_status st = collect(out, (exp_node *)e, NULL, err);
    if (!st) st = check_names(out, err);
    if (st) exp_set_clear(out);
    return st;
}

ph_status exp_names_agree(exp_node *const *e, int n, ph_err *err) {
    exp_set s = {0};
    ph_status st = PH_OK;
    for (int i = 0; i < n && !st; i++) st = collect(&s, e[i], NULL, err);
    if (!st) st = check_names(&s, err);
    exp_set_clear(&s);
    return st;
}

/* ---- substitution -------------------------------------------------------------------------------------- */

typedef struct {
    exp_node *from, *to;
} subst_ctx;

static exp_node *subst(exp_builder *b, exp_node *e, void *ctx) {
    subst_ctx *s = ctx;
    if (b->st) return NULL;
    if (exp_same(e, s->from)) return s->to;
    if (e->op == EXP_SUM && s->from->op == EXP_AT && exp_has(s->from, e->arg[0])) {
        exp_node *lo = subst(b, e->arg[1], ctx),
                 *hi = subst(b, e->arg[2], ctx); /* a[i] within Σ_i is another */
        return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){e->arg[0], lo, hi, e->arg[3]});
    }
    if (e->op != EXP_SUM) return exp_b_rewrite(b, e, e->op == EXP_AT ? 1 : 0, subst, ctx);
    if (!exp_same(e->arg[0], s->from) && exp_has(s->to, e->arg[0]) && exp_has(e->arg[3], s->from)) {
        b->st = ph_fail(b->err, PH_EARG,
                        "substitution: the index '%s' of a sum would capture the one that is put in",
                        e->arg[0]->name);
        return NULL;
    }
    exp_node *lo = subst(b, e->arg[1], ctx), *hi = subst(b, e->arg[2], ctx);
    exp_node *body = exp_same(e->arg[0], s->from) ? e->arg[3] : subst(b, e->arg[3], ctx);
    return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){e->arg[0], lo, hi, body});
}

ph_status exp_replace(exp_node **out, exp_node *e, exp_node *from, exp_node *to, ph_err *err) {
    *out = NULL;
    if (from->op != EXP_SYM && from->op != EXP_AT)
        return ph_fail(err, PH_EARG, "substitution: only a symbol can be replaced");
    exp_builder b = EXP_BUILDER(err);
    return exp_b_end(&b, out, subst(&b, e, &(subst_ctx){from, to}));
}

ph_status exp_subst(exp_node **out, exp_node *e, exp_node *from, exp_node *to, ph_err *err) {
    *out = NULL;
    if (from->op == EXP_SYM || from->op == EXP_AT) {
        ph_status st = exp_names_agree((exp_node *[]){e, from}, 2, err);
        exp_node *ready = NULL;
        if (!st && from->op == EXP_SYM && exp_has_family(e, from))
            st = ph_fail(err, PH_EARG,
                         "substitution: '%s' is a family here; put values for its members, %s[1] and so on",
                         from->name, from->name);
        if (!st) st = exp_members_apart(&ready, e, from, err);
        if (!st) st = exp_replace(out, ready, from, to, err);
        exp_drop(ready);
        return st;
    }
    return exp_replace(out, e, from, to, err);
}

/* ---- derivatives --------------------------------------------------------------------------------------- */

static exp_node *diff(exp_builder *b, exp_node *e, exp_node *x);

/* The outer derivative f'(u) of a function of one argument. */
static exp_node *outer_derivative(exp_builder *b, exp_node *e, exp_node *u) {
    exp_node *one = exp_b_rat(b, 1, 1), *two = exp_b_rat(b, 2, 1);
    switch (e->op) {
    case EXP_SIN: return exp_b_1(b, EXP_COS, u);
    case EXP_COS: return exp_b_neg(b, exp_b_1(b, EXP_SIN, u));
    case EXP_TAN: return exp_b_add(b, one, exp_b_2(b, EXP_POW, e, two));
    case EXP_EXP: return e;
    case EXP_LOG: return exp_b_div(b, one, u);
    case EXP_SQRT: return exp_b_div(b, one, exp_b_mul(b, two, e));
    case EXP_SINH: return exp_b_1(b, EXP_COSH, u);
    case EXP_COSH: return exp_b_1(b, EXP_SINH, u);
    case EXP_TANH: return exp_b_sub(b, one, exp_b_2(b, EXP_POW, e, two));
    case EXP_ATAN: return exp_b_div(b, one, exp_b_add(b, one, exp_b_2(b, EXP_POW, u, two)));
    case EXP_ASIN:
    case EXP_ACOS: {
        exp_node *d = exp_b_1(b, EXP_SQRT, exp_b_sub(b, one, exp_b_2(b, EXP_POW, u, two)));
        return exp_b_div(b, exp_b_rat(b, e->op == EXP_ASIN ? 1 : -1, 1), d);
    }
    case EXP_CI: return exp_b_div(b, exp_b_1(b, EXP_COS, u), u);
    case EXP_SI: return exp_b_div(b, exp_b_1(b, EXP_SIN, u), u);
    case EXP_ABS: return exp_b_1(b, EXP_SIGN, u);
    default: return exp_b_rat(b, 0, 1); /* sign, floor */
    }
}

/* (u^v)' = u^v·(v'·ln u + v·u'/u), and v·u^(v−1)·u' when v is free of x. */
static exp_node *diff_pow(exp_builder *b, exp_node *e, exp_node *x) {
    exp_node *u = e->arg[0], *v = e->arg[1], *du = diff(b, u, x);
    if (!exp_has(v, x)) {
        exp_node *less = exp_b_2(b, EXP_SUB, v, exp_b_rat(b, 1, 1));
        exp_node *p = less && exp_is_rat(less, 0, 1)   ? exp_b_rat(b, 1, 1)
                      : less && exp_is_rat(less, 1, 1) ? u
                                                       : exp_b_2(b, EXP_POW, u, less);
        return exp_b_mul(b, exp_b_mul(b, v, p), du);
    }
    exp_node *left = exp_b_mul(b, diff(b, v, x), exp_b_1(b, EXP_LOG, u));
    return exp_b_mul(b, e, exp_b_add(b, left, exp_b_div(b, exp_b_mul(b, v, du), u)));
}

static exp_node *diff_sum(exp_builder *b, exp_node *e, exp_node *x) {
    if (exp_has(e->arg[1], x) || exp_has(e->arg[2], x)) {
        b->st = ph_fail(b->err, PH_EARG, "derivative: the bounds of the sum depend on '%s'", x->name);
        return NULL;
    }
    return exp_b_op(b, EXP_SUM, 4, (exp_node *[]){e->arg[0], e->arg[1], e->arg[2], diff(b, e->arg[3], x)});
}

static exp_node *diff_piece(exp_builder *b, exp_node *e, exp_node *x) {
    exp_node **arg = ph_alloc(e->nargs * sizeof *arg);
    if (!arg) {
        b->st = ph_fail_nomem(b->err, e->nargs * sizeof *arg);
        return NULL;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        arg[i] = i % 2 == 0 && i + 1 < e->nargs ? e->arg[i] : diff(b, e->arg[i], x);
    exp_node *r = exp_b_op(b, EXP_PIECE, (int)e->nargs, arg);
    ph_free(arg);
    return r;
}

static exp_node *diff(exp_builder *b, exp_node *e, exp_node *x) {
    if (b->st) return NULL;
    if (exp_same(e, x)) return exp_b_rat(b, 1, 1);
    if (!exp_has(e, x)) return exp_b_rat(b, 0, 1);
    exp_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXP_NEG: return exp_b_neg(b, diff(b, u, x));
    case EXP_ADD: return exp_b_add(b, diff(b, u, x), diff(b, v, x));
    case EXP_SUB: return exp_b_sub(b, diff(b, u, x), diff(b, v, x));
    case EXP_MUL: return exp_b_add(b, exp_b_mul(b, diff(b, u, x), v), exp_b_mul(b, u, diff(b, v, x)));
    case EXP_DIV: {
        exp_node *n = exp_b_sub(b, exp_b_mul(b, diff(b, u, x), v), exp_b_mul(b, u, diff(b, v, x)));
        if (!exp_has(v, x)) return exp_b_div(b, diff(b, u, x), v);
        return exp_b_div(b, n, exp_b_2(b, EXP_POW, v, exp_b_rat(b, 2, 1)));
    }
    case EXP_POW: return diff_pow(b, e, x);
    case EXP_MIN:
    case EXP_MAX: {
        exp_node *c = exp_b_2(b, e->op == EXP_MIN ? EXP_LT : EXP_GT, u, v);
        return exp_b_op(b, EXP_PIECE, 3, (exp_node *[]){c, diff(b, u, x), diff(b, v, x)});
    }
    case EXP_ATAN2: { /* (x·y' − y·x')/(x² + y²) of atan2(y, x) */
        exp_node *two = exp_b_rat(b, 2, 1),
                 *n = exp_b_sub(b, exp_b_mul(b, v, diff(b, u, x)), exp_b_mul(b, u, diff(b, v, x)));
        return exp_b_div(b, n, exp_b_add(b, exp_b_2(b, EXP_POW, u, two), exp_b_2(b, EXP_POW, v, two)));
    }
    case EXP_CONJ:
    case EXP_RE:
    case EXP_IM: return exp_b_1(b, e->op, diff(b, u, x));
    case EXP_SUM: return diff_sum(b, e, x);
    case EXP_PIECE: return diff_piece(b, e, x);
    case EXP_AT:
        b->st = ph_fail(b->err, PH_EARG, "derivative: '%s' stands in an index", x->name);
        return NULL;
    default: return exp_b_mul(b, outer_derivative(b, e, u), diff(b, u, x));
    }
}

ph_status exp_diff(exp_node **out, exp_node *e, exp_node *x, ph_err *err) {
    *out = NULL;
    if (x->op != EXP_SYM && x->op != EXP_AT)
        return ph_fail(err, PH_EARG, "derivative: the second argument is no symbol");
    if (exp_is_statement(e))
        return ph_fail(err, PH_EARG, "derivative: a statement has none; wanted a formula");
    const exp_node *s = x->op == EXP_AT ? x->arg[0] : x;
    if (s->kind != EXP_REAL && s->kind != EXP_POSITIVE)
        return ph_fail(err, PH_EARG, "derivative: '%s' is %s; wanted a real symbol", s->name,
                       exp_kind_name(s->kind));
    exp_node *ready = NULL;
    ph_status st = exp_names_agree((exp_node *[]){e, x}, 2, err);
    if (!st) st = exp_members_apart(&ready, e, x, err);
    exp_builder b = EXP_BUILDER(err);
    if (!st) st = exp_b_end(&b, out, diff(&b, ready, x));
    exp_drop(ready);
    return st;
}

/* ---- sums with integer bounds -------------------------------------------------------------------------- */

/* A balanced tree keeps n terms log n deep. */
static exp_node *add_range(exp_builder *b, exp_node *body, exp_node *index, int64_t lo, int64_t hi) {
    if (b->st) return NULL;
    if (ph_interrupted()) {
        b->st = ph_fail_interrupted(b->err);
        return NULL;
    }
    if (lo == hi) return subst(b, body, &(subst_ctx){index, exp_b_rat(b, lo, 1)});
    int64_t mid = lo + (hi - lo) / 2;
    exp_node *left = add_range(b, body, index, lo, mid);
    return exp_b_2(b, EXP_ADD, left, add_range(b, body, index, mid + 1, hi));
}

static exp_node *expand(exp_builder *b, exp_node *e, void *ctx) {
    e = exp_b_rewrite(b, e, e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0, expand, ctx);
    if (!e || e->op != EXP_SUM || e->arg[1]->op != EXP_RAT || e->arg[2]->op != EXP_RAT) return e;
    if (e->arg[1]->den != 1 || e->arg[2]->den != 1) {
        b->st = ph_fail(b->err, PH_EARG, "sum: the bounds are not integers");
        return NULL;
    }
    int64_t lo = e->arg[1]->num, hi = e->arg[2]->num, n;
    if (hi < lo && lo - hi == 1) return exp_b_rat(b, 0, 1);
    if (hi < lo) {
        b->st = ph_fail(b->err, PH_EDOMAIN,
                        "sum: undefined: the upper bound %lld is more than one below the lower bound %lld",
                        (long long)hi, (long long)lo);
        return NULL;
    }
    if (__builtin_sub_overflow(hi, lo, &n) || n >= EXP_MAX_SIZE / (int64_t)e->arg[3]->size) {
        b->st = ph_fail(b->err, PH_EBUDGET, "sum: written out it has more than %d parts", EXP_MAX_SIZE);
        return NULL;
    }
    return add_range(b, e->arg[3], e->arg[0], lo, hi);
}

ph_status exp_expand_sums(exp_node **out, exp_node *e, ph_err *err) {
    exp_builder b = EXP_BUILDER(err);
    return exp_b_end(&b, out, expand(&b, e, NULL));
}

/* ---- conj, re, im -------------------------------------------------------------------------------------- */

static exp_node *push(exp_builder *b, exp_node *e, void *ctx);

/* Is e real on its branch cut's side, or without a cut? conj(f(u)) = f(conj u) then. */
static bool commutes_with_conj(const exp_node *e) {
    const exp_node *u = e->nargs ? e->arg[0] : NULL;
    switch (e->op) {
    case EXP_LOG: return exp_is_positive(u);
    case EXP_SQRT: return exp_is_nonnegative(u);
    case EXP_POW: return (e->arg[1]->op == EXP_RAT && e->arg[1]->den == 1) || exp_is_positive(u);
    case EXP_ASIN: /* cut along the real axis beyond ±1 */
    case EXP_ACOS: return false;
    case EXP_ATAN:
    case EXP_CI:
    case EXP_SI: return exp_is_real(u);
    default: return true;
    }
}

/* conj of an already pushed formula. */
static exp_node *conjugate(exp_builder *b, exp_node *e, void *ctx) {
    if (b->st) return NULL;
    switch (e->op) {
    case EXP_RAT:
    case EXP_PI:
    case EXP_ABS:
    case EXP_SIGN:
    case EXP_FLOOR:
    case EXP_ATAN2:
    case EXP_MIN:
    case EXP_MAX: return e; /* real wherever they are defined */
    case EXP_I: return exp_b_neg(b, e);
    case EXP_SYM: return e->kind == EXP_COMPLEX ? exp_b_1(b, EXP_CONJ, e) : e;
    case EXP_AT: return e->arg[0]->kind == EXP_COMPLEX ? exp_b_1(b, EXP_CONJ, e) : e;
    case EXP_CONJ: return e->arg[0];
    case EXP_SUM:
        return exp_b_op(b, EXP_SUM, 4,
                        (exp_node *[]){e->arg[0], e->arg[1], e->arg[2], conjugate(b, e->arg[3], ctx)});
    case EXP_PIECE:
    case EXP_EQ:
    case EXP_NE:
    case EXP_LT:
    case EXP_LE:
    case EXP_GT:
    case EXP_GE: return exp_is_statement(e) ? e : exp_b_rewrite(b, e, 0, conjugate, ctx);
    default: return commutes_with_conj(e) ? exp_b_rewrite(b, e, 0, conjugate, ctx) : exp_b_1(b, EXP_CONJ, e);
    }
}

/* re z = (z + z̄)/2, im z = (z − z̄)/(2i) */
static exp_node *push(exp_builder *b, exp_node *e, void *ctx) {
    e = exp_b_rewrite(b, e, e->op == EXP_SUM || e->op == EXP_AT ? 1 : 0, push, ctx);
    if (!e || (e->op != EXP_CONJ && e->op != EXP_RE && e->op != EXP_IM)) return e;
    exp_node *z = e->arg[0], *c = conjugate(b, z, ctx);
    if (e->op == EXP_CONJ) return c;
    bool real = c && exp_same(z, c);
    if (e->op == EXP_RE) return real ? z : exp_b_div(b, exp_b_add(b, z, c), exp_b_rat(b, 2, 1));
    if (real) return exp_b_rat(b, 0, 1);
    exp_node *i = exp_b_op(b, EXP_I, 0, NULL);
    return exp_b_div(b, exp_b_sub(b, z, c), exp_b_mul(b, exp_b_rat(b, 2, 1), i));
}

ph_status exp_push_conj(exp_node **out, exp_node *e, ph_err *err) {
    exp_builder b = EXP_BUILDER(err);
    return exp_b_end(&b, out, push(&b, e, NULL));
}
