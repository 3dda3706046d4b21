/* coq_sizes.c: what is known of the sizes of functions, each a lemma of coq_orders.v, and formulas as fractions in them. */
#include <stdio.h>
#include <string.h>

#include "verify/coq_order.h"
#include "verify/wide.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool is_read(const expr_node *e) {
    switch (e->op) {
    case EXPR_RAT:
    case EXPR_PI:
    case EXPR_AT:
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_POW:
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_EXP:
    case EXPR_LOG:
    case EXPR_SQRT:
    case EXPR_TANH:
    case EXPR_COSH:
    case EXPR_ATAN:
    case EXPR_ABS:
    case EXPR_SIGN:
    case EXPR_FLOOR: return true;
    case EXPR_SYM: return e->kind != EXPR_COMPLEX;
    default: return false;
    }
}

/* The first part of e that nothing is known of; NULL: none. */
static const expr_node *unknown_part(const expr_node *e) {
    const expr_node *u = NULL;
    if (!is_read(e) || ver_coq_is_complex(e)) return e;
    for (uint32_t i = 0; e->op != EXPR_AT && i < e->nargs && !u; i++) u = unknown_part(e->arg[i]);
    return u;
}

bool ver_coq_order_reads(const expr_node *e) { return !unknown_part(e); }

static void keep(coq_order *o, ph_status st) {
    if (!st || ver_coq_order_fails(o)) return;
    if (ph_is_open(st) || st == PH_EDOMAIN) ver_coq_refuse(o->c, "a certificate that grows too large");
    else o->c->b.st = st;
}

static slong find(const coq_order *o, const expr_node *e) {
    for (slong g = 1; g < o->ngens; g++)
        if (expr_same(o->gen[g].node, e)) return g;
    return 0;
}

/* Arguments come first, so that a function is above them. */
static slong variable(coq_order *o, expr_node *e) {
    slong g = find(o, e);
    uint32_t n = e->op == EXPR_AT ? 0 : e->nargs;
    ring_frac arg[2];
    if (g || ver_coq_order_fails(o)) return g;
    for (uint32_t i = 0; i < n; i++) {
        ver_ring_frac_init(&arg[i], &o->r);
        ver_coq_order_read(o, &arg[i], e->arg[i]);
    }
    char *text = ver_coq_text(o->c, ver_coq_real, e);
    g = o->ngens;
    if (g > ORDER_GENS) ver_coq_refuse(o->c, "an order of more than %d variables", ORDER_GENS);
    if (ver_coq_order_fails(o)) {
        for (uint32_t i = 0; i < n; i++) ver_ring_frac_clear(&arg[i], &o->r);
        ph_free(text);
        return 0;
    }
    o->gen[g] = (order_gen){.node = e, .text = text, .nargs = (int)n};
    memcpy(o->gen[g].arg, arg, sizeof *arg * n);
    return o->ngens++;
}

static void binary(coq_order *o, ring_frac *out, const expr_node *e) {
    ring_frac v;
    ver_ring_frac_init(&v, &o->r);
    ver_coq_order_read(o, out, e->arg[0]);
    ver_coq_order_read(o, &v, e->arg[1]);
    if (!ver_coq_order_fails(o))
        keep(o, e->op == EXPR_MUL   ? ver_ring_mul(out, out, &v, &o->r)
                : e->op == EXPR_DIV ? ver_ring_div(out, out, &v, &o->r)
                                    : ver_ring_add(out, out, &v, e->op == EXPR_ADD ? 1 : -1, &o->r));
    ver_ring_frac_clear(&v, &o->r);
}

void ver_coq_order_read(coq_order *o, ring_frac *out, expr_node *e) {
    const expr_node *u = unknown_part(e);
    fmpq_t q;
    if (u) ver_coq_refuse(o->c, "no certificate for an order of %s", expr_ops[u->op].name);
    if (ver_coq_order_fails(o)) return;
    switch (e->op) {
    case EXPR_RAT:
        fmpq_init(q);
        ver_fmpq_set(q, e->num, e->den);
        ver_ring_set_fmpq(out, q, &o->r);
        fmpq_clear(q);
        return;
    case EXPR_NEG:
        ver_coq_order_read(o, out, e->arg[0]);
        fmpz_mpoly_neg(out->n, out->n, o->r.ctx);
        return;
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV: binary(o, out, e); return;
    case EXPR_POW:
        if (e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1) {
            ver_coq_order_read(o, out, e->arg[0]);
            if (!ver_coq_order_fails(o)) keep(o, ver_ring_pow(out, out, e->arg[1]->num, &o->r));
            return;
        } /* fall through */
    default: {
        slong g = variable(o, e);
        if (!ver_coq_order_fails(o)) ver_ring_gen(out, g, &o->r);
    }
    }
}

/* ---- formulas of facts --------------------------------------------------------------------------------- */

#define MAX_STACK 6

static void letter(coq_order *o, ring_frac *out, char x, const order_letters *l) {
    const slong gen[] = {l->a, l->b, l->c};
    ring_frac *arg[] = {&o->gen[l->a].arg[0], &o->gen[l->a].arg[1], &o->gen[l->b].arg[0],
                        &o->gen[l->c].arg[0]};
    expr_node *pi;
    if (x >= 'A' && x <= 'C') ver_ring_gen(out, gen[x - 'A'], &o->r);
    else if (x >= 'u' && x <= 'x') ver_ring_set(out, arg[x - 'u'], &o->r);
    else if (x == 'p' && (pi = expr_b_op(&o->c->b, EXPR_PI, 0, NULL))) ver_coq_order_read(o, out, pi);
    else {
        fmpz_mpoly_set_si(out->n, x - '0', o->r.ctx);
        fmpz_mpoly_one(out->d, o->r.ctx);
    }
}

void ver_coq_order_formula(coq_order *o, ring_frac *out, const char *text, const order_letters *l) {
    ring_frac stack[MAX_STACK];
    int n = 0;
    for (int i = 0; i < MAX_STACK; i++) ver_ring_frac_init(&stack[i], &o->r);
    for (const char *p = text; *p && !ver_coq_order_fails(o); p++) {
        if (*p == ' ') continue;
        if (!strchr("+-*", *p)) {
            letter(o, &stack[n++], *p, l);
            continue;
        }
        ring_frac *x = &stack[n - 2], *y = &stack[n - 1];
        keep(o, *p == '*' ? ver_ring_mul(x, x, y, &o->r) : ver_ring_add(x, x, y, *p == '+' ? 1 : -1, &o->r));
        n--;
    }
    ver_ring_set(out, &stack[0], &o->r);
    for (int i = 0; i < MAX_STACK; i++) ver_ring_frac_clear(&stack[i], &o->r);
}

/* ---- what is known of one variable --------------------------------------------------------------------- */

/* "formula >= 0" by the lemma of these arguments: u, v as they stand, z the whole number v, s the whole symbol itself. What the lemma needs: ">formula", ">=formula",
 * "!u" for u <> 0, "1" for z >= 1, "n" for
 * a natural symbol. */
typedef struct {
    expr_op op;
    order_kind kind;
    const char *formula, *lemma, *args, *need[2];
} size_row;

static const size_row sizes[] = {
    {EXPR_PI, ORDER_ABOVE, "A 3 -", "pi_bounds", "", {0}},
    {EXPR_PI, ORDER_LEAST, "4 A -", "pi_bounds", "", {0}},
    {EXPR_EXP, ORDER_ABOVE, "A", "exp_pos", "u", {0}},
    {EXPR_EXP, ORDER_LEAST, "A 1 - u -", "exp_above", "u", {0}},
    {EXPR_EXP, ORDER_LEAST, "1 A 1 u - * -", "exp_below", "u", {0}},
    {EXPR_EXP, ORDER_ABOVE, "A 1 - u -", "exp_above_lt", "u", {"!u"}},
    {EXPR_EXP, ORDER_ABOVE, "1 A 1 u - * -", "exp_below_lt", "u", {"!u"}},
    {EXPR_EXP, ORDER_LEAST, "A 1 - u - 2 * u u * -", "exp_second", "u", {">=u"}},
    {EXPR_LOG, ORDER_LEAST, "u 1 - A -", "ln_below", "u", {">u"}},
    {EXPR_LOG, ORDER_LEAST, "u A * u - 1 +", "ln_above", "u", {">u"}},
    {EXPR_SQRT, ORDER_LEAST, "A", "sqrt_pos", "u", {0}},
    {EXPR_SQRT, ORDER_ABOVE, "A", "root_positive", "u", {">u"}},
    {EXPR_SQRT, ORDER_EQUAL, "A A * u -", "root_square", "u", {">=u"}},
    {EXPR_ABS, ORDER_LEAST, "A", "Rabs_pos", "u", {0}},
    {EXPR_ABS, ORDER_LEAST, "A u -", "abs_bounds", "u", {0}},
    {EXPR_ABS, ORDER_LEAST, "A u +", "abs_bounds", "u", {0}},
    {EXPR_ABS, ORDER_EQUAL, "A A * u u * -", "abs_square", "u", {0}},
    {EXPR_SIGN, ORDER_LEAST, "1 A -", "sign_bounds", "u", {0}},
    {EXPR_SIGN, ORDER_LEAST, "1 A +", "sign_bounds", "u", {0}},
    {EXPR_SIGN, ORDER_LEAST, "u A *", "sign_not_negative", "u", {0}},
    {EXPR_MAX, ORDER_LEAST, "A u -", "Rmax_l", "uv", {0}},
    {EXPR_MAX, ORDER_LEAST, "A v -", "Rmax_r", "uv", {0}},
    {EXPR_MIN, ORDER_LEAST, "u A -", "Rmin_l", "uv", {0}},
    {EXPR_MIN, ORDER_LEAST, "v A -", "Rmin_r", "uv", {0}},
    {EXPR_FLOOR, ORDER_LEAST, "u A -", "floor_below", "u", {0}},
    {EXPR_FLOOR, ORDER_ABOVE, "A u - 1 +", "floor_above", "u", {0}},
    {EXPR_TANH, ORDER_ABOVE, "1 A -", "tanh_bounds", "u", {0}},
    {EXPR_TANH, ORDER_ABOVE, "1 A +", "tanh_bounds", "u", {0}},
    {EXPR_COSH, ORDER_LEAST, "A 1 -", "cosh_above", "u", {0}},
    {EXPR_ATAN, ORDER_ABOVE, "p A 2 * -", "atan_between", "u", {0}},
    {EXPR_ATAN, ORDER_ABOVE, "p A 2 * +", "atan_between", "u", {0}},
    {EXPR_SIN, ORDER_ABOVE, "u A -", "sin_lt_x", "u", {">u"}},
    {EXPR_SIN, ORDER_LEAST, "u A -", "sin_upto", "u", {">=u"}},
    {EXPR_SIN, ORDER_LEAST, "A u +", "sin_above_minus", "u", {">=u"}},
    {EXPR_SIN, ORDER_ABOVE, "A u -", "sin_above", "u", {">0 u -"}},
    {EXPR_SIN, ORDER_LEAST, "A u -", "sin_from", "u", {">=0 u -"}},
    {EXPR_SIN, ORDER_ABOVE, "A", "sin_positive", "u", {">u", ">p u -"}},
    {EXPR_SIN, ORDER_LEAST, "A", "sin_not_negative", "u", {">=u", ">=p u -"}},
    {EXPR_SIN, ORDER_LEAST, "u u * A A * -", "sin_square", "u", {0}},
    {EXPR_SIN, ORDER_ABOVE, "u u * A A * -", "sin_square_lt", "u", {"!u"}},
    {EXPR_SIN, ORDER_LEAST, "1 A -", "SIN_bound", "u", {0}},
    {EXPR_SIN, ORDER_LEAST, "1 A +", "SIN_bound", "u", {0}},
    {EXPR_COS, ORDER_ABOVE, "A", "cos_positive", "u", {">u 2 * p +", ">p u 2 * -"}},
    {EXPR_COS, ORDER_LEAST, "A", "cos_not_negative", "u", {">=u 2 * p +", ">=p u 2 * -"}},
    {EXPR_COS, ORDER_LEAST, "A 1 - 2 * u u * +", "cos_above", "u", {0}},
    {EXPR_COS, ORDER_ABOVE, "A 1 - 2 * u u * +", "cos_above_lt", "u", {"!u"}},
    {EXPR_COS, ORDER_LEAST, "1 A -", "COS_bound", "u", {0}},
    {EXPR_COS, ORDER_LEAST, "1 A +", "COS_bound", "u", {0}},
};

/* Of powers: of a positive base (Rpower), else of a whole exponent (powerRZ). */
static const size_row
    powers[] =
        {
            {EXPR_POW, ORDER_ABOVE, "A", "power_positive", "uv", {0}},
            {EXPR_POW, ORDER_LEAST, "A 1 - u 1 - v * -", "power_above", "uz", {">u", "1"}},
            {EXPR_POW, ORDER_LEAST, "A u 1 u 1 - v 1 - * + * -", "power_above_next", "uz", {">u", "1"}},
},
    whole_powers[] = {
        {EXPR_POW, ORDER_LEAST, "A", "whole_power_not_negative", "uz", {">=u", "1"}},
        {EXPR_POW, ORDER_LEAST, "A 1 - u 1 - v * -", "bernoulli", "uz", {">=u", "1"}},
        {EXPR_POW, ORDER_LEAST, "A u 1 u 1 - v 1 - * + * -", "bernoulli_next", "uz", {">=u", "1"}},
};

/* Of symbols and members that are whole. */
static const size_row wholes[] = {
    {EXPR_SYM, ORDER_LEAST, "A 1 -", "natural_positive", "s", {"n"}},
    {EXPR_SYM, ORDER_LEAST, "A A * A -", "whole_square", "s", {0}},
    {EXPR_SYM, ORDER_LEAST, "A A * A +", "whole_square", "s", {0}},
    {EXPR_SYM, ORDER_LEAST, "A A * A A * * A A * -", "whole_fourth", "s", {0}},
};

/* u <> 0 by a condition "v <> 0", v a multiple of u. */
static bool is_not_0(coq_order *o, const ring_frac *u) {
    const expr_set *k = o->c->conditions;
    bool found = false;
    ring_frac v;
    ver_ring_frac_init(&v, &o->r);
    for (int i = 0; k && i < k->n && !found; i++) {
        if (k->item[i]->op != EXPR_NE || !expr_is_rat(k->item[i]->arg[1], 0, 1)) continue;
        if (unknown_part(k->item[i]->arg[0])) continue;
        ver_coq_order_read(o, &v, k->item[i]->arg[0]);
        if (ver_coq_order_fails(o) || ver_ring_div(&v, &v, u, &o->r)) break;
        found = fmpz_mpoly_is_fmpz(v.n, o->r.ctx) && fmpz_mpoly_is_fmpz(v.d, o->r.ctx);
    }
    ver_ring_frac_clear(&v, &o->r);
    return found;
}

bool ver_coq_order_is_not_0(coq_order *o, const fmpz_mpoly_t p) {
    ring_frac u;
    ver_ring_frac_init(&u, &o->r);
    fmpz_mpoly_set(u.n, p, o->r.ctx);
    bool found = is_not_0(o, &u);
    ver_ring_frac_clear(&u, &o->r);
    return found;
}

/* Is it so? Its proof term for the lemma follows in `proof`. What it rests on joins the facts, as number *id. */
static bool meets(coq_order *o, const char *need, const order_letters *l, const char **proof, int *id) {
    ring_frac v;
    bool met = false, strict = need[0] == '>' && need[1] != '=';
    *id = 0;
    if (need[0] == 'n') { /* a natural symbol */
        *proof = " ltac:(lia)";
        return o->gen[l->a].node->op == EXPR_SYM && o->gen[l->a].node->kind == EXPR_NATURAL;
    }
    ver_ring_frac_init(&v, &o->r);
    if (need[0] == '1') ver_coq_order_formula(o, &v, "v 1 -", l);
    else ver_coq_order_formula(o, &v, need + (need[0] == '>' && !strict ? 2 : 1), l);
    if (ver_coq_order_fails(o) || !fmpz_mpoly_is_fmpz(v.d, o->r.ctx)) met = false;
    else if (need[0] == '!') {
        *proof = " ltac:(nonzero)";
        met = is_not_0(o, &v);
    } else {
        *proof = need[0] == '1' ? " ltac:(in_range)" : " ltac:(lra)";
        expr_op op = o->gen[l->a].node->op; /* the domains of roots and logarithms are worth a search */
        *id = ver_coq_order_prove(o, v.n, strict,
                                  op == EXPR_SQRT || op == EXPR_LOG ? ORDER_PAIRS : ORDER_LINEAR);
        met = *id > 0;
    }
    ver_ring_frac_clear(&v, &o->r);
    return met;
}

/* ' ' of u, v, z and s of variable g. */
static void put_args(coq_order *o, const char *args, slong g) {
    const order_gen *x = &o->gen[g];
    for (const char *a = args; *a; a++) {
        COQ_PUT(o->c, " ");
        if (*a == 'z') ver_coq_whole(o->c, x->node->arg[1]);
        else if (*a == 's') ver_coq_whole(o->c, x->node);
        else ver_coq_real(o->c, x->node->arg[*a - 'u']);
    }
}

void ver_coq_order_say(coq_order *o, const order_letters *l, order_kind kind, const char *formula,
                       const char *proof, const int *rests) {
    ring_frac v;
    ver_ring_frac_init(&v, &o->r);
    ver_coq_order_formula(o, &v, formula, l);
    if (!ver_coq_order_fails(o) && kind == ORDER_EQUAL) {
        if (fmpz_mpoly_is_fmpz(v.d, o->r.ctx)) ver_coq_order_relation(o, v.n, proof, rests);
    } else if (!ver_coq_order_fails(o)) {
        if (fmpz_mpoly_is_fmpz(v.d, o->r.ctx)) ver_coq_order_fact(o, v.n, kind == ORDER_ABOVE, proof, rests);
    }
    ver_ring_frac_clear(&v, &o->r);
}

char *ver_coq_order_term(coq_order *o, const char *lemma, const char *args, slong g, const char *rest) {
    ph_text kept = o->c->out;
    char *proof = NULL;
    o->c->out = (ph_text){0};
    COQ_PUT(o->c, "%s", lemma);
    put_args(o, args, g);
    COQ_PUT(o->c, "%s", rest);
    keep(o, ph_text_take(&proof, NULL, &o->c->out, o->c->b.err));
    o->c->out = kept;
    return proof;
}

static void say_row(coq_order *o, const size_row *row, const order_letters *l) {
    const char *need[2] = {"", ""};
    int rests[3] = {0}, n = 0;
    char rest[64];
    for (int i = 0; i < 2 && row->need[i]; i++) {
        if (!meets(o, row->need[i], l, &need[i], &rests[n])) return;
        n += rests[n] > 0;
    }
    snprintf(rest, sizeof rest, "%s%s", need[0], need[1]);
    char *proof = ver_coq_order_term(o, row->lemma, row->args, l->a, rest);
    if (proof) ver_coq_order_say(o, l, row->kind, row->formula, proof, rests);
    ph_free(proof);
}

static void say_rows(coq_order *o, const size_row *row, size_t n, expr_op op, slong g) {
    const order_letters l = {.a = g};
    for (size_t i = 0; i < n; i++)
        if (row[i].op == op) say_row(o, &row[i], &l);
}

#define SAY_ROWS(o, table, op, g) say_rows(o, table, sizeof(table) / sizeof *(table), op, g)

static void of_symbol(coq_order *o, slong g) {
    const expr_node *e = o->gen[g].node, *sym = e->op == EXPR_AT ? e->arg[0] : e;
    const order_letters l = {.a = g};
    char proof[300];
    if (sym->kind == EXPR_POSITIVE &&
        snprintf(proof, sizeof proof, "(ltac:(positive) : 0 < %s)", o->gen[g].text) < (int)sizeof proof)
        ver_coq_order_say(o, &l, ORDER_ABOVE, "A", proof, NULL);
    if (ver_coq_is_whole(e)) SAY_ROWS(o, wholes, EXPR_SYM, g);
}

static void of_variable(coq_order *o, slong g) {
    expr_node *e = o->gen[g].node;
    if (e->op == EXPR_SYM || e->op == EXPR_AT) of_symbol(o, g);
    else if (e->op != EXPR_POW) SAY_ROWS(o, sizes, e->op, g);
    else if (ver_coq_known_sign(o->c, e->arg[0], true)) {
        say_row(o, &powers[0], &(order_letters){.a = g});
        for (size_t i = 1; i < sizeof powers / sizeof *powers && ver_coq_is_whole(e->arg[1]); i++)
            say_row(o, &powers[i], &(order_letters){.a = g});
    } else if (ver_coq_is_whole(e->arg[1])) SAY_ROWS(o, whole_powers, EXPR_POW, g);
}

/* Symbols first, since what is known of a function rests on them. */
void ver_coq_order_sizes(coq_order *o) {
    for (int functions = 0; functions < 2; functions++)
        for (slong g = 1; g < o->ngens; g++)
            if ((o->gen[g].nargs > 0) == functions) of_variable(o, g);
    ver_coq_order_pairs(o);
}
