/* expr.c: nodes; rational constants; the caps. */
#include "expr/expr.h"

#include <string.h>

/* clang-format off */
const expr_info expr_ops[EXPR_NOPS] = {
    [EXPR_RAT]   = {"rat", "", 0, 0, 100},          [EXPR_SYM]   = {"sym", "", 0, 0, 100},
    [EXPR_I]     = {"I", "\\mathrm{i}", 0, 0, 100}, [EXPR_PI]    = {"pi", "\\pi", 0, 0, 100},
    [EXPR_AT]    = {"at", "", 2, 2, 100},
    [EXPR_NEG]   = {"-", "-", 1, 1, 25},            [EXPR_ADD]   = {"+", "+", 2, 2, 20},
    [EXPR_SUB]   = {"-", "-", 2, 2, 20},            [EXPR_MUL]   = {"*", "\\cdot", 2, 2, 30},
    [EXPR_DIV]   = {"/", "", 2, 2, 30},             [EXPR_POW]   = {"^", "^", 2, 2, 40},
    [EXPR_MIN]   = {"minimum", "\\min", 2, 2, 0},   [EXPR_MAX]   = {"maximum", "\\max", 2, 2, 0},
    [EXPR_ATAN2] = {"atan2", "\\operatorname{atan2}", 2, 2, 0},
    [EXPR_SIN]   = {"sin", "\\sin", 1, 1, 0},       [EXPR_COS]   = {"cos", "\\cos", 1, 1, 0},
    [EXPR_TAN]   = {"tan", "\\tan", 1, 1, 0},       [EXPR_EXP]   = {"exp", "\\exp", 1, 1, 0},
    [EXPR_LOG]   = {"log", "\\ln", 1, 1, 0},        [EXPR_SQRT]  = {"sqrt", "\\sqrt", 1, 1, 0},
    [EXPR_SINH]  = {"sinh", "\\sinh", 1, 1, 0},     [EXPR_COSH]  = {"cosh", "\\cosh", 1, 1, 0},
    [EXPR_TANH]  = {"tanh", "\\tanh", 1, 1, 0},     [EXPR_ATAN]  = {"atan", "\\arctan", 1, 1, 0},
    [EXPR_ASIN]  = {"asin", "\\arcsin", 1, 1, 0},  [EXPR_ACOS]  = {"acos", "\\arccos", 1, 1, 0},
    [EXPR_CI]    = {"Ci", "\\operatorname{Ci}", 1, 1, 0}, [EXPR_SI] = {"Si", "\\operatorname{Si}", 1, 1, 0},
    [EXPR_ABS]   = {"abs", "", 1, 1, 0},            [EXPR_SIGN]  = {"sign", "\\operatorname{sgn}", 1, 1, 0},
    [EXPR_FLOOR] = {"floor", "", 1, 1, 0},          [EXPR_CONJ]  = {"conj", "", 1, 1, 0},
    [EXPR_RE]    = {"re", "\\operatorname{Re}", 1, 1, 0}, [EXPR_IM] = {"im", "\\operatorname{Im}", 1, 1, 0},
    [EXPR_SUM]   = {"sum", "\\sum", 4, 4, 0},       [EXPR_PIECE] = {"piecewise", "", 3, EXPR_MAX_ARGS, 0},
    [EXPR_INTEGRAL] = {"integral", "\\int", 2, 4, 0},
    [EXPR_EQ]    = {"eq", "=", 2, 2, 5},            [EXPR_NE]    = {"ne", "\\neq", 2, 2, 5},
    [EXPR_LT]    = {"lt", "<", 2, 2, 5},            [EXPR_LE]    = {"le", "\\le", 2, 2, 5},
    [EXPR_GT]    = {"gt", ">", 2, 2, 5},            [EXPR_GE]    = {"ge", "\\ge", 2, 2, 5},
};
/* clang-format on */

static uint64_t mix(uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

/* NULL, with the message set, when memory is refused. */
static expr_node *node_new(expr_op op, int n, ph_err *err) {
    size_t bytes = sizeof(expr_node) + (size_t)n * sizeof(expr_node *);
    expr_node *e = ph_calloc(1, bytes);
    if (!e) {
        ph_fail_nomem(err, bytes);
        return NULL;
    }
    *e = (expr_node){.refs = 1, .op = op, .depth = 1, .nargs = (uint32_t)n, .size = 1, .den = 1};
    e->hash = mix(0x51ED270B, op);
    return e;
}

expr_node *expr_ref(expr_node *e) {
    e->refs++;
    return e;
}

void expr_drop(expr_node *e) {
    if (!e || --e->refs) return;
    for (uint32_t i = 0; i < e->nargs; i++) expr_drop(e->arg[i]);
    ph_free(e->name);
    ph_free(e);
}

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static uint64_t magnitude(int64_t x) { return x < 0 ? 0 - (uint64_t)x : (uint64_t)x; }

/* num/den in lowest terms with den > 0; false when that does not fit 64 bits. */
static bool lowest(int64_t *num, int64_t *den) {
    uint64_t n = magnitude(*num), d = magnitude(*den), g = gcd(n, d);
    bool neg = (*num < 0) != (*den < 0);
    n /= g;
    d /= g;
    if (n > INT64_MAX || d > INT64_MAX) return false;
    *num = neg ? -(int64_t)n : (int64_t)n;
    *den = (int64_t)d;
    return true;
}

ph_status expr_rat(expr_node **out, int64_t num, int64_t den, ph_err *err) {
    *out = NULL;
    if (den == 0) return ph_fail(err, PH_EDOMAIN, "rat: denominator 0: division by zero is undefined");
    if (!lowest(&num, &den)) return ph_fail(err, PH_EARG, "rat: the fraction does not fit 64 bits");
    expr_node *e = node_new(EXPR_RAT, 0, err);
    if (!e) return PH_ENOMEM;
    e->num = num;
    e->den = den;
    e->hash = mix(mix(e->hash, (uint64_t)num), (uint64_t)den);
    *out = e;
    return PH_OK;
}

ph_status expr_sym(expr_node **out, const char *name, expr_kind kind, ph_err *err) {
    *out = NULL;
    if (!*name) return ph_fail(err, PH_EARG, "sym: the name is empty");
    expr_node *e = node_new(EXPR_SYM, 0, err);
    if (!e) return PH_ENOMEM;
    e->kind = kind;
    e->name = ph_strdup(name);
    if (!e->name) {
        expr_drop(e);
        return ph_fail_nomem(err, strlen(name) + 1);
    }
    e->hash = mix(e->hash, (uint64_t)kind);
    for (const char *p = name; *p; p++) e->hash = mix(e->hash, (unsigned char)*p);
    *out = e;
    return PH_OK;
}

const char *expr_kind_name(expr_kind k) {
    static const char *const names[] = {"real", "positive", "integer", "natural", "complex"};
    return names[k];
}

bool expr_is_rat(const expr_node *e, int64_t num, int64_t den) {
    return e->op == EXPR_RAT && e->num == num && e->den == den;
}

bool expr_is_statement(const expr_node *e) { return e->op >= EXPR_EQ && e->op <= EXPR_GE; }

bool expr_same(const expr_node *a, const expr_node *b) {
    if (a == b) return true;
    if (a->hash != b->hash || a->op != b->op || a->nargs != b->nargs || a->size != b->size) return false;
    if (a->op == EXPR_RAT) return a->num == b->num && a->den == b->den;
    if (a->op == EXPR_SYM) return a->kind == b->kind && strcmp(a->name, b->name) == 0;
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!expr_same(a->arg[i], b->arg[i])) return false;
    return true;
}

uint32_t expr_body(const expr_node *e) { return e->op == EXPR_SUM ? 3 : e->op == EXPR_INTEGRAL ? 1 : 0; }

bool expr_has(const expr_node *e, const expr_node *sym) {
    if (expr_same(e, sym)) return true;
    uint32_t body = expr_body(e), own = body && expr_same(e->arg[0], sym) ? body : 0;
    for (uint32_t i = own ? 1 : 0; i < e->nargs; i++)
        if ((!own || i != own) && expr_has(e->arg[i], sym)) return true;
    return false;
}

bool expr_has_complex(const expr_node *e) {
    if (e->op == EXPR_I || (e->op == EXPR_SYM && e->kind == EXPR_COMPLEX)) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (expr_has_complex(e->arg[i])) return true;
    return false;
}

/* ---- arithmetic between rational constants ------------------------------------------------------------- */

static bool rat_mul(int64_t *n, int64_t *d, int64_t an, int64_t ad, int64_t bn, int64_t bd) {
    int64_t g = (int64_t)gcd(magnitude(an), magnitude(bd)), h = (int64_t)gcd(magnitude(bn), magnitude(ad));
    return !__builtin_mul_overflow(an / g, bn / h, n) && !__builtin_mul_overflow(ad / h, bd / g, d) &&
           lowest(n, d);
}

static bool rat_add(int64_t *n, int64_t *d, int64_t an, int64_t ad, int64_t bn, int64_t bd) {
    int64_t x, y;
    return !__builtin_mul_overflow(an, bd, &x) && !__builtin_mul_overflow(bn, ad, &y) &&
           !__builtin_add_overflow(x, y, n) && !__builtin_mul_overflow(ad, bd, d) && lowest(n, d);
}

static bool rat_pow(int64_t *n, int64_t *d, int64_t an, int64_t ad, int64_t k) {
    if (k < 0) {
        int64_t t = an;
        if (t == INT64_MIN) return false;
        an = t < 0 ? -ad : ad; /* the sign stays above */
        ad = t < 0 ? -t : t;
        k = -k;
    }
    if (k > 64 && magnitude(an) > 1) return false;
    *n = *d = 1;
    for (; k > 0; k--)
        if (!rat_mul(n, d, *n, *d, an, ad)) return false;
        else if (magnitude(*n) <= 1 && *d == 1) { /* ±1: only the parity of the rest matters */
            *n = (k - 1) % 2 ? *n * (an < 0 ? -1 : 1) : *n;
            break;
        }
    return lowest(n, d);
}

/* The value of op on rational constants; false: it stays as written. */
static bool fold(int64_t *n, int64_t *d, expr_op op, const expr_node *a, const expr_node *b) {
    if (a->op != EXPR_RAT || (b && b->op != EXPR_RAT)) return false;
    switch (op) {
    case EXPR_NEG: return a->num != INT64_MIN && (*n = -a->num, *d = a->den, true);
    case EXPR_ADD: return rat_add(n, d, a->num, a->den, b->num, b->den);
    case EXPR_SUB: return b->num != INT64_MIN && rat_add(n, d, a->num, a->den, -b->num, b->den);
    case EXPR_MUL: return rat_mul(n, d, a->num, a->den, b->num, b->den);
    case EXPR_DIV:
        return b->num != 0 && b->num != INT64_MIN &&
               rat_mul(n, d, a->num, a->den, b->num < 0 ? -b->den : b->den, (int64_t)magnitude(b->num));
    case EXPR_POW:
        return b->den == 1 && magnitude(b->num) <= 1024 && (a->num != 0 || b->num > 0) &&
               rat_pow(n, d, a->num, a->den, b->num);
    default: return false;
    }
}

ph_status expr_check_range(const char *who, const expr_node *index, const expr_node *lo, const expr_node *hi,
                           ph_err *err) {
    if (index->kind == EXPR_NATURAL && !expr_is_positive(lo))
        return ph_fail(
            err, PH_EARG,
            "%s: the index '%s' is natural (1, 2, …), and the lower bound may be below 1; make it an "
            "integer: sym(\"%s\", \"integer\")",
            who, index->name, index->name);
    if ((lo->op == EXPR_RAT && lo->den != 1) || (hi->op == EXPR_RAT && hi->den != 1))
        return ph_fail(err, PH_EDOMAIN, "%s: a bound that is no integer is undefined", who);
    return PH_OK;
}

/* Undefined whatever the symbols are: said when the formula is written. */
static ph_status check_domain(expr_op op, expr_node *const *a, ph_err *err) {
    if (op == EXPR_DIV && expr_is_rat(a[1], 0, 1))
        return ph_fail(err, PH_EDOMAIN, "division by zero is undefined");
    if (op == EXPR_POW && expr_is_rat(a[0], 0, 1) && a[1]->op == EXPR_RAT && a[1]->num <= 0)
        return ph_fail(err, PH_EDOMAIN,
                       a[1]->num ? "0 to a negative power is undefined" : "0^0 is undefined");
    if (op == EXPR_LOG && expr_is_rat(a[0], 0, 1)) return ph_fail(err, PH_EDOMAIN, "log(0) is undefined");
    if (op == EXPR_SUM) return expr_check_range("sum", a[0], a[1], a[2], err);
    if (op == EXPR_CI && a[0]->op == EXPR_RAT && a[0]->num <= 0)
        return ph_fail(err, PH_EDOMAIN, "Ci needs a positive argument");
    return PH_OK;
}

static ph_status check_arguments(expr_op op, int n, expr_node *const *a, ph_err *err) {
    const expr_info *info = &expr_ops[op];
    if (n < info->min || n > info->max)
        return ph_fail(err, PH_EARG, "%s: %d arguments; wanted %d", info->name, n, info->min);
    if (op == EXPR_PIECE && n % 2 == 0)
        return ph_fail(err, PH_EARG,
                       "piecewise: wanted condition, value, …, and a last value for all other cases");
    if ((op == EXPR_AT || op == EXPR_SUM || op == EXPR_INTEGRAL) && a[0]->op != EXPR_SYM)
        return ph_fail(err, PH_EARG, "%s: wanted a symbol first", info->name);
    if (op == EXPR_INTEGRAL && a[0]->kind != EXPR_REAL && a[0]->kind != EXPR_POSITIVE)
        return ph_fail(err, PH_EARG, "integral: the variable '%s' is %s; wanted a real symbol", a[0]->name,
                       expr_kind_name(a[0]->kind));
    if (op == EXPR_INTEGRAL && n == 2 && a[0]->kind == EXPR_POSITIVE)
        return ph_fail(err, PH_EARG, "integral: '%s' is positive, and the interval begins at -inf",
                       a[0]->name);
    for (int i = 0; i < n; i++) {
        bool condition = op == EXPR_PIECE && i % 2 == 0 && i < n - 1;
        if (expr_is_statement(a[i]) != condition)
            return ph_fail(err, PH_EARG,
                           condition ? "piecewise: argument %d is no statement; write lt(x, 0) or the like"
                                     : "%2$s: argument %1$d is a statement; wanted a value",
                           i + 1, info->name);
    }
    return check_domain(op, a, err);
}

ph_status expr_make(expr_node **out, expr_op op, int n, expr_node *const *args, ph_err *err) {
    *out = NULL;
    ph_status st = check_arguments(op, n, args, err);
    if (st) return st;
    int64_t num, den;
    if ((n == 1 || n == 2) && fold(&num, &den, op, args[0], n == 2 ? args[1] : NULL))
        return expr_rat(out, num, den, err);
    uint32_t depth = 0;
    uint64_t size = 1;
    for (int i = 0; i < n; i++) {
        if (args[i]->depth > depth) depth = args[i]->depth;
        size += args[i]->size; /* each is at most EXPR_MAX_SIZE, n at most EXPR_MAX_ARGS: no overflow */
    }
    if (depth + 1 > EXPR_MAX_DEPTH)
        return ph_fail(err, PH_EARG,
                       "%s: the formula is nested %d deep; at most %d. Add long sums with sum(f, i, lo, hi)",
                       expr_ops[op].name, depth + 1, EXPR_MAX_DEPTH);
    if (size > EXPR_MAX_SIZE)
        return ph_fail(err, PH_EARG, "%s: the formula written out has %llu parts; at most %d",
                       expr_ops[op].name, (unsigned long long)size, EXPR_MAX_SIZE);
    expr_node *e = node_new(op, n, err);
    if (!e) return PH_ENOMEM;
    e->depth = depth + 1;
    e->size = size;
    for (int i = 0; i < n; i++) {
        e->arg[i] = expr_ref(args[i]);
        e->hash = mix(e->hash, args[i]->hash);
    }
    *out = e;
    return PH_OK;
}

ph_status expr_make1(expr_node **out, expr_op op, expr_node *a, ph_err *err) {
    return expr_make(out, op, 1, &a, err);
}

ph_status expr_make2(expr_node **out, expr_op op, expr_node *a, expr_node *b, ph_err *err) {
    return expr_make(out, op, 2, (expr_node *[]){a, b}, err);
}
