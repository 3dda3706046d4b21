/* calc.c: symbols of a formula, substitution, derivatives, sums written out, conjugation pushed to the leaves. */
#include "expr/build.h"

#include <string.h>

/* ---- sets of atoms ------------------------------------------------------------------------------------- */

void expr_set_clear(expr_set *s) {
    for (int i = 0; i < s->n; i++) expr_drop(s->item[i]);
    ph_free(s->item);
    *s = (expr_set){0};
}

static const char *base_name(const expr_node *a) { return a->op == EXPR_AT ? a->arg[0]->name : a->name; }

static int set_find(const expr_set *s, const expr_node *e) {
    for (int i = 0; i < s->n; i++)
        if (expr_same(s->item[i], e)) return i;
    return -1;
}

static ph_status set_insert(expr_set *s, int at, expr_node *e, ph_err *err) {
    if (s->n == s->cap) {
        int cap = s->cap ? 2 * s->cap : 8;
        expr_node **item = ph_realloc(s->item, (size_t)cap * sizeof *item);
        if (!item) return ph_fail_nomem(err, (size_t)cap * sizeof *item);
        s->item = item;
        s->cap = cap;
    }
    memmove(s->item + at + 1, s->item + at, (size_t)(s->n - at) * sizeof *s->item);
    s->item[at] = expr_ref(e);
    s->n++;
    return PH_OK;
}

ph_status expr_set_add(expr_set *s, expr_node *e, ph_err *err) {
    int at = 0;
    if (set_find(s, e) >= 0) return PH_OK;
    while (at < s->n && strcmp(base_name(s->item[at]), base_name(e)) <= 0) at++;
    return set_insert(s, at, e, err);
}

ph_status expr_set_append(expr_set *s, expr_node *e, ph_err *err) {
    return set_find(s, e) >= 0 ? PH_OK : set_insert(s, s->n, e, err);
}

typedef struct {
    const expr_node *sym;
    const void *up;
} bound;

/* A chain of bound indices, innermost first. */
static bool is_bound(const bound *b, const expr_node *sym) {
    for (; b; b = b->up)
        if (expr_same(b->sym, sym)) return true;
    return false;
}

static bool uses_bound(const bound *b, const expr_node *e) {
    for (; b; b = b->up)
        if (expr_has(e, b->sym)) return true;
    return false;
}

static ph_status collect(expr_set *out, expr_node *e, const bound *b, ph_err *err) {
    if (e->op == EXPR_SYM) return is_bound(b, e) ? PH_OK : expr_set_add(out, e, err);
    ph_status st = PH_OK;
    if (e->op == EXPR_SUM) {
        bound inner = {e->arg[0], b};
        PH_TRY(collect(out, e->arg[1], b, err));
        PH_TRY(collect(out, e->arg[2], b, err));
        PH_TRY(collect(out, e->arg[3], &inner, err));
    } else if (e->op == EXPR_AT) {
        if (!uses_bound(b, e)) PH_TRY(expr_set_add(out, e, err));
        else PH_TRY(expr_set_add(out, e->arg[0], err)); /* θ_i under Σ_i stands for its family */
        PH_TRY(collect(out, e->arg[1], b, err));
    } else {
        for (uint32_t i = 0; i < e->nargs; i++) PH_TRY(collect(out, e->arg[i], b, err));
    }
done:
    return st;
}

static ph_status check_names(const expr_set *s, ph_err *err) {
    for (int i = 0; i + 1 < s->n; i++) {
        const expr_node *a = s->item[i], *b = s->item[i + 1];
        const expr_node *x = a->op == EXPR_AT ? a->arg[0] : a, *y = b->op == EXPR_AT ? b->arg[0] : b;
        if (strcmp(x->name, y->name) == 0 && x->kind != y->kind)
            return ph_fail(
                err, PH_EARG,
                "the name '%s' stands for two symbols, one %s and one %s; give one of them another name",
                x->name, expr_kind_name(x->kind), expr_kind_name(y->kind));
    }
    return PH_OK;
}

ph_status expr_symbols(expr_set *out, const expr_node *e, ph_err *err) {
    *out = (expr_set){0};
    ph_status st = collect(out, (expr_node *)e, NULL, err);
    if (!st) st = check_names(out, err);
    if (st) expr_set_clear(out);
    return st;
}

ph_status expr_names_agree(expr_node *const *e, int n, ph_err *err) {
    expr_set s = {0};
    ph_status st = PH_OK;
    for (int i = 0; i < n && !st; i++) st = collect(&s, e[i], NULL, err);
    if (!st) st = check_names(&s, err);
    expr_set_clear(&s);
    return st;
}

/* ---- substitution -------------------------------------------------------------------------------------- */

typedef struct {
    expr_node *from, *to;
} subst_ctx;

static expr_node *subst(expr_builder *b, expr_node *e, void *ctx) {
    subst_ctx *s = ctx;
    if (b->st) return NULL;
    if (expr_same(e, s->from)) return s->to;
    if (e->op == EXPR_SUM && s->from->op == EXPR_AT && expr_has(s->from, e->arg[0])) {
        expr_node *lo = subst(b, e->arg[1], ctx),
                  *hi = subst(b, e->arg[2], ctx); /* a[i] within Σ_i is another */
        return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){e->arg[0], lo, hi, e->arg[3]});
    }
    if (e->op != EXPR_SUM) return expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, subst, ctx);
    if (!expr_same(e->arg[0], s->from) && expr_has(s->to, e->arg[0]) && expr_has(e->arg[3], s->from)) {
        b->st = ph_fail(b->err, PH_EARG,
                        "substitution: the index '%s' of a sum would capture the one that is put in",
                        e->arg[0]->name);
        return NULL;
    }
    expr_node *lo = subst(b, e->arg[1], ctx), *hi = subst(b, e->arg[2], ctx);
    expr_node *body = expr_same(e->arg[0], s->from) ? e->arg[3] : subst(b, e->arg[3], ctx);
    return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){e->arg[0], lo, hi, body});
}

ph_status expr_replace(expr_node **out, expr_node *e, expr_node *from, expr_node *to, ph_err *err) {
    *out = NULL;
    if (from->op != EXPR_SYM && from->op != EXPR_AT)
        return ph_fail(err, PH_EARG, "substitution: only a symbol can be replaced");
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, subst(&b, e, &(subst_ctx){from, to}));
}

ph_status expr_subst(expr_node **out, expr_node *e, expr_node *from, expr_node *to, ph_err *err) {
    *out = NULL;
    if (from->op == EXPR_SYM || from->op == EXPR_AT) {
        ph_status st = expr_names_agree((expr_node *[]){e, from}, 2, err);
        expr_node *ready = NULL;
        if (!st && from->op == EXPR_SYM && expr_has_family(e, from))
            st = ph_fail(err, PH_EARG,
                         "substitution: '%s' is a family here; put values for its members, %s[1] and so on",
                         from->name, from->name);
        if (!st) st = expr_members_apart(&ready, e, from, err);
        if (!st) st = expr_replace(out, ready, from, to, err);
        expr_drop(ready);
        return st;
    }
    return expr_replace(out, e, from, to, err);
}

/* ---- derivatives --------------------------------------------------------------------------------------- */

static expr_node *diff(expr_builder *b, expr_node *e, expr_node *x);

/* The outer derivative f'(u) of a function of one argument. */
static expr_node *outer_derivative(expr_builder *b, expr_node *e, expr_node *u) {
    expr_node *one = expr_b_rat(b, 1, 1), *two = expr_b_rat(b, 2, 1);
    switch (e->op) {
    case EXPR_SIN: return expr_b_1(b, EXPR_COS, u);
    case EXPR_COS: return expr_b_neg(b, expr_b_1(b, EXPR_SIN, u));
    case EXPR_TAN: return expr_b_add(b, one, expr_b_2(b, EXPR_POW, e, two));
    case EXPR_EXP: return e;
    case EXPR_LOG: return expr_b_div(b, one, u);
    case EXPR_SQRT: return expr_b_div(b, one, expr_b_mul(b, two, e));
    case EXPR_SINH: return expr_b_1(b, EXPR_COSH, u);
    case EXPR_COSH: return expr_b_1(b, EXPR_SINH, u);
    case EXPR_TANH: return expr_b_sub(b, one, expr_b_2(b, EXPR_POW, e, two));
    case EXPR_ATAN: return expr_b_div(b, one, expr_b_add(b, one, expr_b_2(b, EXPR_POW, u, two)));
    case EXPR_ASIN:
    case EXPR_ACOS: {
        expr_node *d = expr_b_1(b, EXPR_SQRT, expr_b_sub(b, one, expr_b_2(b, EXPR_POW, u, two)));
        return expr_b_div(b, expr_b_rat(b, e->op == EXPR_ASIN ? 1 : -1, 1), d);
    }
    case EXPR_CI: return expr_b_div(b, expr_b_1(b, EXPR_COS, u), u);
    case EXPR_SI: return expr_b_div(b, expr_b_1(b, EXPR_SIN, u), u);
    case EXPR_ABS: return expr_b_1(b, EXPR_SIGN, u);
    default: return expr_b_rat(b, 0, 1); /* sign, floor */
    }
}

/* (u^v)' = u^v·(v'·ln u + v·u'/u), and v·u^(v−1)·u' when v is free of x. */
static expr_node *diff_pow(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node *u = e->arg[0], *v = e->arg[1], *du = diff(b, u, x);
    if (!expr_has(v, x)) {
        expr_node *less = expr_b_2(b, EXPR_SUB, v, expr_b_rat(b, 1, 1));
        expr_node *p = less && expr_is_rat(less, 0, 1)   ? expr_b_rat(b, 1, 1)
                       : less && expr_is_rat(less, 1, 1) ? u
                                                         : expr_b_2(b, EXPR_POW, u, less);
        return expr_b_mul(b, expr_b_mul(b, v, p), du);
    }
    expr_node *left = expr_b_mul(b, diff(b, v, x), expr_b_1(b, EXPR_LOG, u));
    return expr_b_mul(b, e, expr_b_add(b, left, expr_b_div(b, expr_b_mul(b, v, du), u)));
}

static expr_node *diff_sum(expr_builder *b, expr_node *e, expr_node *x) {
    if (expr_has(e->arg[1], x) || expr_has(e->arg[2], x)) {
        b->st = ph_fail(b->err, PH_EARG, "derivative: the bounds of the sum depend on '%s'", x->name);
        return NULL;
    }
    return expr_b_op(b, EXPR_SUM, 4, (expr_node *[]){e->arg[0], e->arg[1], e->arg[2], diff(b, e->arg[3], x)});
}

static expr_node *diff_piece(expr_builder *b, expr_node *e, expr_node *x) {
    expr_node **arg = ph_alloc(e->nargs * sizeof *arg);
    if (!arg) {
        b->st = ph_fail_nomem(b->err, e->nargs * sizeof *arg);
        return NULL;
    }
    for (uint32_t i = 0; i < e->nargs; i++)
        arg[i] = i % 2 == 0 && i + 1 < e->nargs ? e->arg[i] : diff(b, e->arg[i], x);
    expr_node *r = expr_b_op(b, EXPR_PIECE, (int)e->nargs, arg);
    ph_free(arg);
    return r;
}

static expr_node *diff(expr_builder *b, expr_node *e, expr_node *x) {
    if (b->st) return NULL;
    if (expr_same(e, x)) return expr_b_rat(b, 1, 1);
    if (!expr_has(e, x)) return expr_b_rat(b, 0, 1);
    expr_node *u = e->arg[0], *v = e->nargs > 1 ? e->arg[1] : NULL;
    switch (e->op) {
    case EXPR_NEG: return expr_b_neg(b, diff(b, u, x));
    case EXPR_ADD: return expr_b_add(b, diff(b, u, x), diff(b, v, x));
    case EXPR_SUB: return expr_b_sub(b, diff(b, u, x), diff(b, v, x));
    case EXPR_MUL: return expr_b_add(b, expr_b_mul(b, diff(b, u, x), v), expr_b_mul(b, u, diff(b, v, x)));
    case EXPR_DIV: {
        expr_node *n = expr_b_sub(b, expr_b_mul(b, diff(b, u, x), v), expr_b_mul(b, u, diff(b, v, x)));
        if (!expr_has(v, x)) return expr_b_div(b, diff(b, u, x), v);
        return expr_b_div(b, n, expr_b_2(b, EXPR_POW, v, expr_b_rat(b, 2, 1)));
    }
    case EXPR_POW: return diff_pow(b, e, x);
    case EXPR_MIN:
    case EXPR_MAX: {
        expr_node *c = expr_b_2(b, e->op == EXPR_MIN ? EXPR_LT : EXPR_GT, u, v);
        return expr_b_op(b, EXPR_PIECE, 3, (expr_node *[]){c, diff(b, u, x), diff(b, v, x)});
    }
    case EXPR_ATAN2: { /* (x·y' − y·x')/(x² + y²) of atan2(y, x) */
        expr_node *two = expr_b_rat(b, 2, 1),
                  *n = expr_b_sub(b, expr_b_mul(b, v, diff(b, u, x)), expr_b_mul(b, u, diff(b, v, x)));
        return expr_b_div(b, n, expr_b_add(b, expr_b_2(b, EXPR_POW, u, two), expr_b_2(b, EXPR_POW, v, two)));
    }
    case EXPR_CONJ:
    case EXPR_RE:
    case EXPR_IM: return expr_b_1(b, e->op, diff(b, u, x));
    case EXPR_SUM: return diff_sum(b, e, x);
    case EXPR_PIECE: return diff_piece(b, e, x);
    case EXPR_AT:
        b->st = ph_fail(b->err, PH_EARG, "derivative: '%s' stands in an index", x->name);
        return NULL;
    default: return expr_b_mul(b, outer_derivative(b, e, u), diff(b, u, x));
    }
}

ph_status expr_diff(expr_node **out, expr_node *e, expr_node *x, ph_err *err) {
    *out = NULL;
    if (x->op != EXPR_SYM && x->op != EXPR_AT)
        return ph_fail(err, PH_EARG, "derivative: the second argument is no symbol");
    if (expr_is_statement(e))
        return ph_fail(err, PH_EARG, "derivative: a statement has none; wanted a formula");
    const expr_node *s = x->op == EXPR_AT ? x->arg[0] : x;
    if (s->kind != EXPR_REAL && s->kind != EXPR_POSITIVE)
        return ph_fail(err, PH_EARG, "derivative: '%s' is %s; wanted a real symbol", s->name,
                       expr_kind_name(s->kind));
    expr_node *ready = NULL;
    ph_status st = expr_names_agree((expr_node *[]){e, x}, 2, err);
    if (!st) st = expr_members_apart(&ready, e, x, err);
    expr_builder b = EXPR_BUILDER(err);
    if (!st) st = expr_b_end(&b, out, diff(&b, ready, x));
    expr_drop(ready);
    return st;
}

/* ---- sums with integer bounds -------------------------------------------------------------------------- */

/* A balanced tree keeps n terms log n deep. */
static expr_node *add_range(expr_builder *b, expr_node *body, expr_node *index, int64_t lo, int64_t hi) {
    if (b->st) return NULL;
    if (ph_interrupted()) {
        b->st = ph_fail_interrupted(b->err);
        return NULL;
    }
    if (lo == hi) return subst(b, body, &(subst_ctx){index, expr_b_rat(b, lo, 1)});
    int64_t mid = lo + (hi - lo) / 2;
    expr_node *left = add_range(b, body, index, lo, mid);
    return expr_b_2(b, EXPR_ADD, left, add_range(b, body, index, mid + 1, hi));
}

static expr_node *expand(expr_builder *b, expr_node *e, void *ctx) {
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, expand, ctx);
    if (!e || e->op != EXPR_SUM || e->arg[1]->op != EXPR_RAT || e->arg[2]->op != EXPR_RAT) return e;
    if (e->arg[1]->den != 1 || e->arg[2]->den != 1) {
        b->st = ph_fail(b->err, PH_EARG, "sum: the bounds are not integers");
        return NULL;
    }
    int64_t lo = e->arg[1]->num, hi = e->arg[2]->num, n;
    if (hi < lo && lo - hi == 1) return expr_b_rat(b, 0, 1);
    if (hi < lo) {
        b->st = ph_fail(b->err, PH_EDOMAIN,
                        "sum: undefined: the upper bound %lld is more than one below the lower bound %lld",
                        (long long)hi, (long long)lo);
        return NULL;
    }
    if (__builtin_sub_overflow(hi, lo, &n) || n >= EXPR_MAX_SIZE / (int64_t)e->arg[3]->size) {
        b->st = ph_fail(b->err, PH_EBUDGET, "sum: written out it has more than %d parts", EXPR_MAX_SIZE);
        return NULL;
    }
    return add_range(b, e->arg[3], e->arg[0], lo, hi);
}

ph_status expr_expand_sums(expr_node **out, expr_node *e, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, expand(&b, e, NULL));
}

/* ---- conj, re, im -------------------------------------------------------------------------------------- */

static expr_node *push(expr_builder *b, expr_node *e, void *ctx);

/* Is e real on its branch cut's side, or without a cut? conj(f(u)) = f(conj u) then. */
static bool commutes_with_conj(const expr_node *e) {
    const expr_node *u = e->nargs ? e->arg[0] : NULL;
    switch (e->op) {
    case EXPR_LOG: return expr_is_positive(u);
    case EXPR_SQRT: return expr_is_nonnegative(u);
    case EXPR_POW: return (e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1) || expr_is_positive(u);
    case EXPR_ASIN: /* cut along the real axis beyond ±1 */
    case EXPR_ACOS: return false;
    case EXPR_ATAN:
    case EXPR_CI:
    case EXPR_SI: return expr_is_real(u);
    default: return true;
    }
}

/* conj of an already pushed formula. */
static expr_node *conjugate(expr_builder *b, expr_node *e, void *ctx) {
    if (b->st) return NULL;
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_PI:
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_FLOOR:
    case EXPR_ATAN2:
    case EXPR_MIN:
    case EXPR_MAX: return e; /* real wherever they are defined */
    case EXPR_I: return expr_b_neg(b, e);
    case EXPR_SYM: return e->kind == EXPR_COMPLEX ? expr_b_1(b, EXPR_CONJ, e) : e;
    case EXPR_AT: return e->arg[0]->kind == EXPR_COMPLEX ? expr_b_1(b, EXPR_CONJ, e) : e;
    case EXPR_CONJ: return e->arg[0];
    case EXPR_SUM:
        return expr_b_op(b, EXPR_SUM, 4,
                         (expr_node *[]){e->arg[0], e->arg[1], e->arg[2], conjugate(b, e->arg[3], ctx)});
    case EXPR_PIECE:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE: return expr_is_statement(e) ? e : expr_b_rewrite(b, e, 0, conjugate, ctx);
    default:
        return commutes_with_conj(e) ? expr_b_rewrite(b, e, 0, conjugate, ctx) : expr_b_1(b, EXPR_CONJ, e);
    }
}

/* re z = (z + z̄)/2, im z = (z − z̄)/(2i) */
static expr_node *push(expr_builder *b, expr_node *e, void *ctx) {
    e = expr_b_rewrite(b, e, e->op == EXPR_SUM || e->op == EXPR_AT ? 1 : 0, push, ctx);
    if (!e || (e->op != EXPR_CONJ && e->op != EXPR_RE && e->op != EXPR_IM)) return e;
    expr_node *z = e->arg[0], *c = conjugate(b, z, ctx);
    if (e->op == EXPR_CONJ) return c;
    bool real = c && expr_same(z, c);
    if (e->op == EXPR_RE) return real ? z : expr_b_div(b, expr_b_add(b, z, c), expr_b_rat(b, 2, 1));
    if (real) return expr_b_rat(b, 0, 1);
    expr_node *i = expr_b_op(b, EXPR_I, 0, NULL);
    return expr_b_div(b, expr_b_sub(b, z, c), expr_b_mul(b, expr_b_rat(b, 2, 1), i));
}

ph_status expr_push_conj(expr_node **out, expr_node *e, ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    return expr_b_end(&b, out, push(&b, e, NULL));
}
