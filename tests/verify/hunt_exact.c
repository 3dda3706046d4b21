/* hunt_exact.c: symmetry, moments, induction, matrices. */
#include "hunt.h"
#include "hunt_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lua/state.h"

/* ---- symmetric: exchanges of the symbols' values ------------------------------------------------------------- */

static const int pools[][3] = {{S_X, S_Y, S_U}, {S_X, S_Y, -1}, {S_K, S_S, -1}};

void make_symmetric(hunt_case *c) {
    int k = below(4);
    c->number[0] = k;
    tree *x, *y, *z;
    if (k == 3) x = T_at(S_A, INT(1)), y = T_at(S_A, INT(2)), z = T_at(S_A, INT(3));
    else x = T_sym(pools[k][0]), y = T_sym(pools[k][1]), z = k == 0 ? T_sym(S_U) : y;
    tree *i = T_sym(S_I), *t,
         *all = T_sum(S_I, INT(1), one_in(3) ? T_sym(S_N) : INT(3),
                      one_in(2) ? T_at(S_A, i) : MUL(T_at(S_A, i), one_in(2) ? i : T_at(S_A, i)));
    switch (below(6)) {
    case 0: t = ADD(MUL(x, y), MUL(y, z)); break;
    case 1: t = ADD(ADD(POW(x, INT(2)), POW(y, INT(2))), POW(z, INT(2))); break;
    case 2: t = T2(EXPR_MAX, T2(EXPR_MAX, x, y), z); break;
    case 3: t = MUL(MUL(SUB(x, y), SUB(y, z)), SUB(x, z)); break;
    case 4: t = T1(EXPR_ABS, MUL(MUL(SUB(x, y), SUB(y, z)), SUB(x, z))); break;
    default: t = some_term(2, WANT_REAL);
    }
    if (k == 3) t = one_in(2) ? all : ADD(t, all);
    c->part[0] = one_in(3) ? rewritten(t, 1) : t;
    c->part[1] = x, c->part[2] = y, c->part[3] = z;
    c->n = 1;
}

static int symmetric_count(const hunt_case *c) { return c->number[0] == 0 || c->number[0] == 3 ? 3 : 2; }

void ask_symmetric(text *t, const hunt_case *c) {
    put(t, "symmetric(");
    put_tree(t, c->part[0]);
    put(t, ", {");
    for (int i = 0; i < symmetric_count(c); i++) {
        put(t, i ? ", " : "");
        put_tree(t, c->part[1 + i]);
    }
    put(t, "})");
}

static void set_atom(point *p, const tree *atom, const value *v) {
    if (atom->op == EXPR_SYM) value_set(&p->v[atom->sym], v);
    else point_member(p, atom->arg[0]->sym, atom->arg[1]->num, v);
}

/* Does f change when blocks i and i + 1 change places, certainly? */
static bool changes(const hunt_case *c, const point *p, int i) {
    point q;
    value a, b;
    acb_t x, y;
    point_init(&q);
    value_init(&a);
    value_init(&b);
    acb_init(x);
    acb_init(y);
    point_copy(&q, p);
    bool r = evaluate(&a, c->part[1 + i], p, DIGITS60) == DEFINED &&
             evaluate(&b, c->part[2 + i], p, DIGITS60) == DEFINED;
    if (r) {
        set_atom(&q, c->part[1 + i], &b);
        set_atom(&q, c->part[2 + i], &a);
        r = evaluate(&a, c->part[0], p, DIGITS60) == DEFINED &&
            evaluate(&b, c->part[0], &q, DIGITS60) == DEFINED;
    }
    if (r) {
        value_ball(x, &a, DIGITS60);
        value_ball(y, &b, DIGITS60);
        r = !acb_overlaps(x, y);
    }
    acb_clear(x);
    acb_clear(y);
    value_clear(&a);
    value_clear(&b);
    point_clear(&q);
    return r;
}

/* A refutation says where: one of the exchanges changes the value there. Points drawn at random may miss the place, as of piecewise(x = y, …). */
static outcome judge_exchange(text *why, const hunt_case *c, lua_State *L) {
    const char *witness = verdict_field(L, 1, "witness");
    bool seen = false;
    point p;
    point_init(&p);
    bool read = point_read(&p, witness);
    for (int i = 0; read && i + 1 < symmetric_count(c) && !seen; i++) seen = changes(c, &p, i);
    point_clear(&p);
    if (!read) return fault(why, "symmetric refuted; the witness cannot be read: %s", witness);
    return seen ? WAS_REFUTED
                : fault(why, "symmetric refuted with %s; but no exchange changes the value there", witness);
}

outcome judge_symmetric(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength");
    if (!strcmp(strength, "refuted")) return judge_exchange(why, c, L);
    tree *condition[40];
    int n = -2, count = symmetric_count(c);
    bool seen = false;
    point p;
    outcome o = WAS_UNKNOWN;
    point_init(&p);
    for (int k = 0; k < 60 && !seen; k++) {
        point_draw(&p, (const tree *const *)c->part, 1);
        for (int i = 0; i + 1 < count && !seen; i++) seen = changes(c, &p, i);
        if (!seen || strcmp(strength, "proved")) continue;
        if (n == -2) n = read_conditions(verdict_field(L, 1, "conditions"), condition, 40);
        for (int i = 0; i < n && seen; i++) seen = truth_at(condition[i], &p) != IS_FALSE;
    }
    text at = {0};
    point_text(&at, &p, (const tree *const *)c->part, 1);
    if (!strcmp(strength, "proved"))
        o = seen ? fault(why, "symmetric proved; but an exchange changes the value at %s",
                         at.s ? at.s : "once")
                 : WAS_PROVED;
    free(at.s);
    point_clear(&p);
    return o;
}

/* ---- moments: averages over two-valued variables of mean 0 and variance 1 -------------------------------------- */

void make_moment(hunt_case *c) {
    tree *x = T_sym(S_X), *y = T_sym(S_Y), *i = T_sym(S_I), *n = one_in(2) ? T_sym(S_P) : INT(between(0, 4));
    tree *a = T_at(S_A, i), *t, *u = T_sym(S_U);
    bool family = one_in(2);
    if (family) {
        tree *f;
        switch (below(6)) {
        case 0: f = a; break;
        case 1: f = POW(a, INT(2)); break;
        case 2: f = MUL(a, T_at(S_D, i)); break;
        case 3: f = MUL(a, T_at(S_A, ADD(i, INT(1)))); break;
        case 4: f = MUL(i, a); break;
        default: f = ADD(MUL(u, a), i);
        }
        t = T_sum(S_I, INT(between(0, 2)), n, f);
        if (one_in(2))
            t = T2(one_in(2) ? EXPR_MUL : EXPR_ADD, t,
                   T_at(S_A, one_in(2) ? INT(between(0, 3)) : T_sym(S_N)));
        if (one_in(4)) t = MUL(T_at(S_A, INT(1)), T_at(S_A, T_sym(S_N)));
    } else {
        t = ADD(MUL(INT(between(-2, 3)), x), MUL(u, y));
        if (one_in(2)) t = MUL(t, ADD(y, INT(between(-1, 1))));
        if (one_in(3)) t = ADD(t, POW(x, INT(2)));
        if (one_in(4)) t = rewritten(t, 1);
    }
    c->part[0] = t;
    c->part[1] = family ? T_sym(S_A) : x; /* the random ones */
    c->part[2] = family ? T_sym(S_A) : y;
    c->n = 1;
    c->number[0] = 1 + below(2);
}

void ask_moment(text *t, const hunt_case *c) {
    put(t, "%s(", c->number[0] == 1 ? "expectation" : "variance");
    put_tree(t, c->part[0]);
    if (c->part[1]->sym == c->part[2]->sym) put(t, ", {%s})", symbols[c->part[1]->sym].name);
    else put(t, ", {%s, %s})", symbols[c->part[1]->sym].name, symbols[c->part[2]->sym].name);
}

#define RANDOM_MEMBERS 10 /* members −1 … 8 of the random family */

/* E[f] or Var[f] when each is 2 with probability 1/5 and −1/2 otherwise. What needs a third moment shows. */
static bool average(acb_t out, const hunt_case *c, const point *at, int64_t least, int count) {
    point p;
    value v;
    acb_t z, mean, square;
    arb_t weight, w;
    bool family = c->part[1]->sym == S_A, ok = true;
    int n = family ? count : 2;
    point_init(&p);
    value_init(&v);
    acb_init(z), acb_init(mean), acb_init(square), arb_init(weight), arb_init(w);
    for (int bits = 0; bits < 1 << n && ok; bits++) {
        point_copy(&p, at);
        arb_one(weight);
        for (int k = 0; k < n; k++) {
            bool two = bits >> k & 1;
            if (two) fmpq_set_si(v.re, 2, 1);
            else fmpq_set_si(v.re, -1, 2);
            v.exact = true;
            fmpq_zero(v.im);
            if (family) point_member(&p, S_A, least + k, &v);
            else value_set(&p.v[c->part[1 + k]->sym], &v), p.given[c->part[1 + k]->sym] = true;
            arb_mul_si(weight, weight, two ? 1 : 4, DIGITS60);
            arb_div_ui(weight, weight, 5, DIGITS60);
        }
        ok = evaluate(&v, c->part[0], &p, DIGITS60) == DEFINED;
        value_ball(z, &v, DIGITS60);
        acb_addmul_arb(mean, z, weight, DIGITS60);
        acb_mul(z, z, z, DIGITS60);
        acb_addmul_arb(square, z, weight, DIGITS60);
    }
    if (c->number[0] == 1) acb_set(out, mean);
    else {
        acb_mul(mean, mean, mean, DIGITS60);
        acb_sub(out, square, mean, DIGITS60);
    }
    acb_clear(z), acb_clear(mean), acb_clear(square), arb_clear(weight), arb_clear(w);
    value_clear(&v);
    point_clear(&p);
    return ok;
}

outcome judge_moment(text *why, const hunt_case *c, lua_State *L) {
    expr_node *e = bind_test_expr(L, 1);
    tree *r = e ? tree_of(e) : lua_isinteger(L, 1) ? INT(lua_tointeger(L, 1)) : NULL;
    if (!r) return fault(why, "the moment is no formula");
    point p;
    value v;
    acb_t x, y;
    outcome o = WAS_VALUE;
    point_init(&p);
    value_init(&v);
    acb_init(x);
    acb_init(y);
    for (int k = 0; k < 6 && o == WAS_VALUE; k++) {
        point_draw(&p, (const tree *const *)c->part, 1);
        fmpq_set_si(p.v[S_N].re, between(-1, 5), 1), fmpq_zero(p.v[S_N].im);
        fmpq_set_si(p.v[S_P].re, between(1, 5), 1);
        for (int64_t i = -1; i < 9; i++) { /* integers of the family d are constants */
            fmpq_set_si(v.re, between(-3, 3), 1), fmpq_zero(v.im), v.exact = true;
            point_member(&p, S_D, i, &v);
        }
        p.only_given = true; /* a member beyond those is no value, and the case is passed over */
        if (!average(x, c, &p, -1, RANDOM_MEMBERS - 2) || evaluate(&v, r, &p, DIGITS60) != DEFINED) continue;
        value_ball(y, &v, DIGITS60);
        if (acb_overlaps(x, y)) continue;
        text shown = {0}, at = {0};
        put_tree(&shown, r);
        point_text(&at, &p, (const tree *const *)c->part, 1);
        o = fault(why, "%s; wrong at %.200s", shown.s, at.s ? at.s : "once");
        free(shown.s);
        free(at.s);
    }
    acb_clear(x);
    acb_clear(y);
    value_clear(&v);
    point_clear(&p);
    return o;
}

/* ---- induction: a[n+1] = a[n] + (g(n+1) − g(n)), or a multiple; part 0 is g, part 1 the recurrence's right side --- */

void make_induct(hunt_case *c) {
    tree *n = T_sym(S_N), *u = T_sym(S_X), *a = T_at(S_A, n), *next = ADD(n, INT(1)), *g;
    int64_t from = between(-1, 3);
    switch (below(6)) {
    case 0: g = MUL(n, u); break;
    case 1: g = DIV(MUL(n, ADD(n, INT(1))), INT(2)); break;
    case 2: g = POW(INT(2), n); break;
    case 3: g = POW(n, INT(2)); break;
    case 4: g = MUL(u, POW(INT(3), n)); break;
    default: g = ADD(POW(INT(-1), n), n);
    }
    tree *step = ADD(a, SUB(tree_put(g, S_N, next), g));
    if (g->op == EXPR_POW && one_in(2)) step = MUL(g->arg[0], a);
    int64_t start = from + (one_in(5) ? between(-1, 1) : 0);
    c->part[1] = step;
    c->part[2] = one_in(6) ? T_rat(between(-4, 4), 3) : tree_put(g, S_N, INT(start));
    c->part[0] = one_in(3)   ? spoiled(g)
                 : one_in(3) ? ADD(g, SUB(c->part[2], tree_put(g, S_N, INT(start))))
                             : g;
    c->n = 3;
    c->number[0] = from;
    c->number[1] = start;
    c->number[2] = one_in(6); /* no start is given */
}

void ask_induct(text *t, const hunt_case *c) {
    put(t, "induct(eq(a[n], ");
    put_tree(t, c->part[0]);
    put(t, "), n, %" PRId64 ", {eq(a[n + 1], ", c->number[0]);
    put_tree(t, c->part[1]);
    if (!c->number[2]) {
        put(t, "), eq(a[%" PRId64 "], ", c->number[1]);
        put_tree(t, c->part[2]);
    }
    put(t, ")})");
}

static void set_integer(value *v, int64_t n) {
    v->exact = true;
    fmpq_set_si(v->re, n, 1);
    fmpq_zero(v->im);
}

/* How far from the base a sequence is followed: some values of it, or up to the one that a verdict names. */
#define FOLLOWED 8
#define FARTHEST 40

/* One beyond the last value that is looked at: of a refutation the n of its witness. */
static int64_t end_of(const hunt_case *c, const char *witness) {
    int64_t from = c->number[0], end = from + FOLLOWED, n = 0;
    point p;
    point_init(&p);
    if (*witness && point_read(&p, witness) && p.given[S_N] && p.v[S_N].exact &&
        fmpz_is_one(fmpq_denref(p.v[S_N].re)) && fmpz_fits_si(fmpq_numref(p.v[S_N].re)))
        n = fmpz_get_si(fmpq_numref(p.v[S_N].re));
    point_clear(&p);
    if (n >= end) end = n + 1;
    return end > from + FARTHEST ? from + FARTHEST : end;
}

/* A sequence that the given equations allow: does the statement fail on it before n = end? 1 yes, 0 no, −1 cannot say. */
static int sequence_fails(const hunt_case *c, point *p, int64_t end) {
    value v;
    int fails = 0;
    int64_t from = c->number[0], start = c->number[2] ? from : c->number[1];
    tree *s = T2(EXPR_EQ, T_at(S_A, T_sym(S_N)), c->part[0]);
    value_init(&v);
    if (!c->number[2]) {
        if (evaluate(&v, c->part[2], p, DIGITS60) != DEFINED) fails = -1;
        else point_member(p, S_A, start, &v);
    }
    for (int64_t i = start; i < end && fails == 0; i++) { /* the whole sequence first */
        set_integer(&p->v[S_N], i);
        if (evaluate(&v, c->part[1], p, DIGITS60) != DEFINED) fails = -1;
        else point_member(p, S_A, i + 1, &v);
    }
    for (int64_t i = start > from ? start : from; i < end && fails == 0; i++) {
        set_integer(&p->v[S_N], i);
        truth t = truth_at(s, p);
        if (t != IS_TRUE && t != AGREES) fails = t == IS_FALSE ? 1 : -1;
    }
    value_clear(&v);
    return fails;
}

outcome judge_induct(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength"), *witness = verdict_field(L, 1, "witness");
    point p;
    int failing = 0, holding = 0;
    int64_t end = end_of(c, witness);
    outcome o = WAS_UNKNOWN;
    point_init(&p);
    for (int k = 0; k < 12; k++) {
        point_draw(&p, (const tree *const *)c->part, c->n);
        int f = sequence_fails(c, &p, end);
        failing += f == 1;
        holding += f == 0;
    }
    bool at_witness =
        !strcmp(strength, "refuted") && point_read(&p, witness) && sequence_fails(c, &p, end) != 0;
    bool before = !c->number[2] && c->number[1] > c->number[0]; /* the start fixes nothing before it */
    if (!strcmp(strength, "proved"))
        o = failing ? fault(why, "induct proved; but the sequence differs (%s)",
                            verdict_field(L, 1, "conditions"))
                    : WAS_PROVED;
    if (!strcmp(strength, "refuted"))
        o = !failing && !at_witness && holding >= 6 && !before && !c->number[2]
                ? fault(why, "induct refuted with %s; but the sequence agrees", witness)
                : WAS_REFUTED;
    point_clear(&p);
    return o;
}

/* ---- matrices: det, rank and products of integer matrices by the rules of school ------------------------------- */

static int64_t entry(const hunt_case *c, int k) {
    uint64_t h = (uint64_t)c->number[0] * 0x9E3779B97F4A7C15u + (uint64_t)k * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 29)) * 0x94D049BB133111EBu;
    return (int64_t)((h >> 33) % 5) - 2;
}

void make_matrix(hunt_case *c) {
    c->number[0] = between(0, 1 << 30);
    c->number[1] = between(1, 4);
    c->number[2] = below(4);
    c->part[0] = some_term(1, WANT_REAL);
    c->part[1] = one_in(2) ? rewritten(c->part[0], 2) : spoiled(c->part[0]);
    c->n = c->number[2] >= 2 ? 2 : 0;
}

static void put_matrix(text *t, const hunt_case *c, const tree *last) {
    int n = (int)c->number[1];
    put(t, "matrix{");
    for (int i = 0; i < n; i++) {
        put(t, "%s{", i ? ", " : "");
        for (int j = 0; j < n; j++) {
            if (j) put(t, ", ");
            if (last && i == n - 1 && j == n - 1) put_tree(t, last);
            else put(t, "%" PRId64, entry(c, n * i + j));
        }
        put(t, "}");
    }
    put(t, "}");
}

void ask_matrix(text *t, const hunt_case *c) {
    static const char *const head[] = {"det(", "rank(", "prove(", "prove("};
    put(t, "%s", head[c->number[2]]);
    if (c->number[2] < 2) put_matrix(t, c, NULL);
    else {
        put_matrix(t, c, c->part[0]);
        put(t, c->number[2] == 3 ? ".T.T, " : ", ");
        put_matrix(t, c, c->part[1]);
    }
    put(t, ")");
}

static void fill(fmpq_mat_t m, const hunt_case *c) {
    for (int k = 0; k < c->number[1] * c->number[1]; k++)
        fmpq_set_si(fmpq_mat_entry(m, k / c->number[1], k % c->number[1]), entry(c, k), 1);
}

outcome judge_matrix(text *why, const hunt_case *c, lua_State *L) {
    if (c->number[2] >= 2) return judge_verdict(why, L, 1, T2(EXPR_EQ, c->part[0], c->part[1]), NULL, 0);
    fmpq_mat_t m;
    fmpq_t d;
    outcome o = WAS_VALUE;
    fmpq_mat_init(m, c->number[1], c->number[1]);
    fmpq_init(d);
    fill(m, c);
    if (c->number[2] == 1) {
        slong rank = fmpq_mat_rref(m, m);
        if (rank != lua_tointeger(L, 1))
            o = fault(why, "rank %lld; it is %ld", (long long)lua_tointeger(L, 1), (long)rank);
    } else {
        expr_node *e = bind_test_expr(L, 1);
        fmpq_mat_det(d, m);
        if (!e || e->op != EXPR_RAT || e->den != 1 || !fmpz_equal_si(fmpq_numref(d), e->num))
            o = fault(why, "the determinant is wrong");
    }
    fmpq_mat_clear(m);
    fmpq_clear(d);
    return o;
}
