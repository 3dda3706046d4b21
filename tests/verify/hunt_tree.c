/* hunt_tree.c: the hunt's own formulas, and chance. */
#include "hunt.h"

#include <stdlib.h>
#include <string.h>

const symbol symbols[NSYM] = {
    [S_X] = {"x", EXPR_REAL},     [S_Y] = {"y", EXPR_REAL},        [S_U] = {"u", EXPR_REAL},
    [S_K] = {"k", EXPR_POSITIVE}, [S_S] = {"s", EXPR_POSITIVE},    [S_N] = {"n", EXPR_INTEGER},
    [S_M] = {"m", EXPR_INTEGER},  [S_I] = {"i", EXPR_INTEGER},     [S_J] = {"j", EXPR_INTEGER},
    [S_P] = {"p", EXPR_NATURAL},  [S_R] = {"r", EXPR_NATURAL},     [S_Z] = {"z", EXPR_COMPLEX},
    [S_W] = {"w", EXPR_COMPLEX},  [S_PRIME] = {"'", EXPR_INTEGER}, [S_A] = {"a", EXPR_REAL},
    [S_B] = {"b", EXPR_POSITIVE}, [S_C] = {"c", EXPR_COMPLEX},     [S_D] = {"d", EXPR_INTEGER},
};
const char prelude[] = "x, y, u, a = sym \"x y u a\"; k, s, b = sym(\"k s b\", \"positive\"); "
                       "n, m, i, j, d = sym(\"n m i j d\", \"integer\"); p, r = sym(\"p r\", \"natural\"); "
                       "z, w, c = sym(\"z w c\", \"complex\")";

/* ---- chance: splitmix64 -------------------------------------------------------------------------------- */

static uint64_t state;

void chance_seed(uint64_t seed) { state = seed; }
uint64_t chance(void) {
    uint64_t x = state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}
int below(int n) { return (int)(chance() % (uint64_t)n); }
bool one_in(int n) { return below(n) == 0; }
int64_t between(int64_t lo, int64_t hi) { return lo + (int64_t)(chance() % (uint64_t)(hi - lo + 1)); }

/* ---- trees --------------------------------------------------------------------------------------------- */

typedef struct chunk {
    struct chunk *next;
    size_t used;
    char room[1 << 20];
} chunk;
static chunk *chunks;

void tree_reset(void) {
    while (chunks && chunks->next) {
        chunk *c = chunks;
        chunks = c->next;
        free(c);
    }
    if (chunks) chunks->used = 0;
}

static void *take(size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!chunks || chunks->used + size > sizeof chunks->room) {
        chunk *c = malloc(sizeof *c);
        if (!c) abort();
        *c = (chunk){.next = chunks};
        chunks = c;
    }
    void *p = chunks->room + chunks->used;
    chunks->used += size;
    return p;
}

tree *T(expr_op op, int n, tree *const *arg) {
    tree *t = take(sizeof *t + (size_t)n * sizeof *arg);
    *t = (tree){.op = op, .n = n, .den = 1};
    for (int i = 0; i < n; i++) t->arg[i] = arg[i];
    return t;
}
tree *T1(expr_op op, tree *u) { return T(op, 1, &u); }
tree *T2(expr_op op, tree *u, tree *v) { return T(op, 2, (tree *[]){u, v}); }

static int64_t common(int64_t a, int64_t b) { return b ? common(b, a % b) : a < 0 ? -a : a; }

tree *T_rat(int64_t num, int64_t den) {
    tree *t = T(EXPR_RAT, 0, NULL);
    int64_t g = common(num, den);
    t->num = (den < 0 ? -num : num) / g;
    t->den = (den < 0 ? -den : den) / g;
    return t;
}
tree *T_sym(int sym) {
    tree *t = T(EXPR_SYM, 0, NULL);
    t->sym = sym;
    return t;
}
tree *T_at(int family, tree *index) { return T2(EXPR_AT, T_sym(family), index); }
tree *T_sum(int index, tree *lo, tree *hi, tree *body) {
    return T(EXPR_SUM, 4, (tree *[]){T_sym(index), lo, hi, body});
}
tree *T_piece(tree *condition, tree *yes, tree *no) {
    return T(EXPR_PIECE, 3, (tree *[]){condition, yes, no});
}

bool is_int(const tree *t, int64_t n) { return t->op == EXPR_RAT && t->num == n && t->den == 1; }
bool is_statement(const tree *t) { return t->op >= EXPR_EQ && t->op <= EXPR_GE; }

bool has_sym(const tree *t, int sym) {
    if (t->op == EXPR_SYM) return t->sym == sym;
    for (int i = 0; i < t->n; i++)
        if (has_sym(t->arg[i], sym)) return true;
    return false;
}

int tree_size(const tree *t) {
    int s = 1;
    for (int i = 0; i < t->n; i++) s += tree_size(t->arg[i]);
    return s;
}

tree *tree_put(tree *t, int sym, tree *to) {
    if (t->op == EXPR_SYM) return t->sym == sym ? to : t;
    if (t->n == 0) return t;
    bool bound = t->op == EXPR_SUM && t->arg[0]->sym == sym;
    tree *r = T(t->op, t->n, t->arg);
    for (int i = t->op == EXPR_SUM || t->op == EXPR_AT; i < t->n; i++)
        if (!(bound && i == 3)) r->arg[i] = tree_put(t->arg[i], sym, to);
    return r;
}

/* ---- what is certain ----------------------------------------------------------------------------------- */

static bool all(const tree *t, bool (*f)(const tree *), int from) {
    for (int i = from; i < t->n; i++)
        if (!f(t->arg[i])) return false;
    return true;
}

static bool branches(const tree *t, bool (*f)(const tree *)) {
    for (int i = 1; i < t->n; i += 2)
        if (!f(t->arg[i])) return false;
    return f(t->arg[t->n - 1]);
}

bool surely_real(const tree *t) {
    switch (t->op) {
    case EXPR_SYM: return symbols[t->sym].kind != EXPR_COMPLEX;
    case EXPR_AT: return surely_real(t->arg[0]);
    case EXPR_I: return false;
    case EXPR_LOG: return surely_positive(t->arg[0]);
    case EXPR_SQRT: return surely_positive(t->arg[0]);
    case EXPR_POW:
        return surely_real(t->arg[0]) &&
               (surely_integer(t->arg[1]) || (surely_positive(t->arg[0]) && surely_real(t->arg[1])));
    case EXPR_ABS:
    case EXPR_RE:
    case EXPR_IM:
    case EXPR_SIGN:
    case EXPR_FLOOR:
    case EXPR_CI:
    case EXPR_SI:
    case EXPR_MIN:
    case EXPR_MAX: return true;
    case EXPR_SUM: return surely_real(t->arg[3]);
    case EXPR_PIECE: return branches(t, surely_real);
    default: return all(t, surely_real, 0);
    }
}

bool surely_integer(const tree *t) {
    switch (t->op) {
    case EXPR_RAT: return t->den == 1;
    case EXPR_SYM: return symbols[t->sym].kind == EXPR_INTEGER || symbols[t->sym].kind == EXPR_NATURAL;
    case EXPR_AT: return surely_integer(t->arg[0]);
    case EXPR_FLOOR:
    case EXPR_SIGN: return true;
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_MIN:
    case EXPR_MAX: return all(t, surely_integer, 0);
    case EXPR_ABS: return surely_integer(t->arg[0]);
    case EXPR_POW:
        return surely_integer(t->arg[0]) && t->arg[1]->op == EXPR_RAT && t->arg[1]->den == 1 &&
               t->arg[1]->num > 0;
    case EXPR_SUM: return surely_integer(t->arg[3]);
    case EXPR_PIECE: return branches(t, surely_integer);
    default: return false;
    }
}

bool surely_positive(const tree *t) {
    switch (t->op) {
    case EXPR_RAT: return t->num > 0;
    case EXPR_PI: return true;
    case EXPR_SYM: return symbols[t->sym].kind == EXPR_POSITIVE || symbols[t->sym].kind == EXPR_NATURAL;
    case EXPR_AT: return surely_positive(t->arg[0]);
    case EXPR_ADD:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_MIN: return all(t, surely_positive, 0);
    case EXPR_POW: return surely_positive(t->arg[0]) && surely_real(t->arg[1]);
    case EXPR_EXP:
    case EXPR_COSH: return surely_real(t->arg[0]);
    case EXPR_SQRT: return surely_positive(t->arg[0]);
    default: return false;
    }
}

/* ---- from the laboratory -------------------------------------------------------------------------------- */

tree *tree_of(const expr_node *e) {
    if (e->op == EXPR_RAT) return T_rat(e->num, e->den);
    if (e->op == EXPR_SYM) {
        for (int s = 0; s < NSYM; s++)
            if (!strcmp(symbols[s].name, e->name)) return T_sym(s);
        return NULL;
    }
    tree *t = T(e->op, (int)e->nargs, (tree *const *)e->arg);
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!(t->arg[i] = tree_of(e->arg[i]))) return NULL;
    return t;
}
