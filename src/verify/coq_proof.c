/* coq_proof.c: the certificate of an equation between reals: the units of its angles and exponents, innermost functions first, then how
 * each function is made of them. What is left is a polynomial identity modulo s^2 = 1 - c^2 and e^q = b, which `ring` decides. */
#include <stdio.h>
#include <string.h>

#include "verify/coq_forms.h"
#include "verify/identity_ways.h"

#define MAX_SIZE      60000 /* of a formula, repetitions counted */
#define MAX_FUNCTIONS 600
#define MAX_MULTIPLE  12 /* of a whole number in an exponent of -1 */

static bool failed(const coq_forms *f) { return f->c->b.st != PH_OK; }

/* ---- the functions of the formula ---------------------------------------------------------------------- */

static bool natural_power(const expr_node *e) {
    return e->op == EXPR_POW && e->arg[1]->op == EXPR_RAT && e->arg[1]->den == 1;
}

static bool is_function(const expr_node *e) {
    switch (e->op) {
    case EXPR_POW: return !natural_power(e);
    case EXPR_RAT:
    case EXPR_SYM:
    case EXPR_AT:
    case EXPR_PI:
    case EXPR_I:
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_DIV:
    case EXPR_CONJ:
    case EXPR_RE:
    case EXPR_IM:
    case EXPR_EQ:
    case EXPR_NE:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE: return false;
    default: return true;
    }
}

static bool is_parity(const expr_node *e) {
    return e->op == EXPR_POW && !natural_power(e) && expr_is_rat(e->arg[0], -1, 1) &&
           ver_coq_is_whole(e->arg[1]);
}

static void find_complex_atom(coq_forms *f, expr_node *e) {
    char *text = ver_coq_text(f->c, ver_coq_complex, e);
    (void)ver_coq_gen_new(f, e, "(fst %s)", text ? text : "?");
    (void)ver_coq_gen_new(f, NULL, "(snd %s)", text ? text : "?");
    ph_free(text);
}

static void find_atom(coq_forms *f, expr_node *e) {
    if (ver_coq_gen_find(f, e) >= 0 || failed(f)) return;
    if (ver_coq_is_complex(e->op == EXPR_AT ? e->arg[0] : e)) {
        find_complex_atom(f, e);
        return;
    }
    char *text = ver_coq_text(f->c, ver_coq_real, e);
    slong g = ver_coq_gen_new(f, e, "%s", text ? text : "?");
    ph_free(text);
    if (failed(f)) return;
    f->gens[g].positive = expr_is_positive(e);
    if (e->op != EXPR_PI && ver_coq_is_whole(e)) f->gens[g].whole = ver_coq_text(f->c, ver_coq_whole, e);
}

/* Notes atoms and functions, innermost first; returns how many functions are nested. */
static int find_parts(coq_forms *f, expr_node *e) {
    int height = 0;
    if (failed(f)) return 0;
    if (e->op == EXPR_SYM || e->op == EXPR_AT || e->op == EXPR_PI) find_atom(f, e);
    if (e->op == EXPR_SYM || e->op == EXPR_AT || e->op == EXPR_SUM) return 0; /* a sum has a name by now */
    for (uint32_t i = 0; i < e->nargs; i++) {
        int h = find_parts(f, e->arg[i]);
        if (h > height) height = h;
    }
    if (!is_function(e)) return height;
    for (int i = 0; i < f->nplans; i++)
        if (expr_same(f->plans[i].node, e)) return f->plans[i].height;
    if (f->nplans == MAX_FUNCTIONS) ver_coq_refuse(f->c, "more than %d functions", MAX_FUNCTIONS);
    f->plans = ver_coq_grow(f, f->plans, f->nplans, &f->capplans, sizeof *f->plans);
    if (failed(f)) return 0;
    coq_plan *p = &f->plans[f->nplans++];
    *p = (coq_plan){.node = e, .height = height + 1};
    ver_ring_frac_init(&p->value, &f->r);
    return height + 1;
}

/* ---- a function at a time ------------------------------------------------------------------------------ */

/* f(u) has the name already, and was not yet f(u) when it got it: what it is of was rewritten since. */
static void put_again(coq_forms *f, const char *of, const ring_frac *u, const char *name) {
    COQ_PUT(f->c, "  part %s ", of);
    ver_coq_put_frac(f, u);
    COQ_PUT(f->c, "; repeat rewrite A'%s.\n", name + 2);
}

/* A square root of what may be 0; abs, floor and what else nothing is known of but equal arguments. */
static void opaque(coq_forms *f, coq_plan *p) {
    static const char *const name[EXPR_NOPS] = {
        [EXPR_SQRT] = "sqrt", [EXPR_ABS] = "Rabs", [EXPR_SIGN] = "sgn", [EXPR_FLOOR] = "floor",
        [EXPR_ATAN] = "atan", [EXPR_CI] = "Ci",    [EXPR_SI] = "Si"};
    if (!name[p->node->op]) {
        ver_coq_refuse(f->c, "no certificate with %s", expr_ops[p->node->op].name);
        return;
    }
    if (ver_coq_is_complex(p->node->arg[0])) {
        ver_coq_refuse(f->c, "no certificate with %s of a complex number", expr_ops[p->node->op].name);
        return;
    }
    ring_frac u;
    ver_ring_frac_init(&u, &f->r);
    ver_coq_value(f, &u, p->node->arg[0]);
    if (!failed(f) && ver_ring_cancel(&u, &f->r)) ver_coq_refuse(f->c, "an argument that grows too large");
    slong g = -1;
    for (slong i = 1; i < f->ngens && g < 0; i++) /* the same of the same? */
        if (f->gens[i].base && !strcmp(f->gens[i].base, name[p->node->op]) &&
            fmpz_mpoly_equal(f->gens[i].of.n, u.n, f->r.ctx) &&
            fmpz_mpoly_equal(f->gens[i].of.d, u.d, f->r.ctx))
            g = i;
    if (g >= 0 && p->height > f->gens[g].height) put_again(f, name[p->node->op], &u, f->gens[g].text);
    if (g < 0 && !failed(f)) {
        int id = ++f->c->fresh;
        const char *lemma = p->node->op == EXPR_SQRT  ? "a_square_root"
                            : p->node->op == EXPR_ABS ? "an_abs"
                                                      : NULL;
        COQ_PUT(f->c, "  part %s ", name[p->node->op]);
        ver_coq_put_frac(f, &u);
        if (lemma) {
            COQ_PUT(f->c, ".\n");
            if (p->node->op == EXPR_SQRT) ver_coq_copy_conditions(f->c, p->node->arg[0], id);
            COQ_PUT(f->c, "  destruct (%s ", lemma);
            ver_coq_put_frac(f, &u);
            COQ_PUT(f->c, "%s) as (a'%d & A'%d & Q'%d & P'%d)",
                    p->node->op == EXPR_SQRT ? " ltac:(not_negative)" : "", id, id, id, id);
            ph_putf(&f->relations, " Q'%d", id);
        } else {
            COQ_PUT(f->c, ".\n  destruct (a_value (%s ", name[p->node->op]);
            ver_coq_put_frac(f, &u);
            COQ_PUT(f->c, ")) as (a'%d & A'%d)", id, id);
        }
        COQ_PUT(f->c, "; repeat rewrite A'%d.\n", id);
        g = ver_coq_gen_new(f, NULL, "a'%d", id);
        if (!failed(f)) {
            f->gens[g].base = ph_strdup(name[p->node->op]);
            if (!f->gens[g].base) f->c->b.st = ph_fail_nomem(f->c->b.err, 8);
            f->gens[g].has_of = true;
            f->gens[g].height = p->height;
            ver_ring_frac_init(&f->gens[g].of, &f->r);
            ver_ring_set(&f->gens[g].of, &u, &f->r);
        }
    }
    if (!failed(f)) {
        ver_ring_gen(&p->value, g, &f->r);
        p->has_value = true;
    }
    ver_ring_frac_clear(&u, &f->r);
}

/* A real argument without functions stands in the goal as it is written; else NULL. To be freed. */
static char *as_it_stands(coq_forms *f, const expr_node *e, int height) {
    return height > 1 || ver_coq_is_complex(e) ? NULL : ver_coq_text(f->c, ver_coq_real, e);
}

/* What the goal has by then for the exponent of exp(v·ln b). */
static char *exponent_as_it_stands(coq_forms *f, const expr_node *e, int height, const ring_frac *l) {
    bool root = e->op == EXPR_SQRT;
    char *v = root ? NULL : as_it_stands(f, e->arg[1], height), *out = NULL;
    ph_text kept = f->c->out;
    if (!root && !v) return NULL;
    f->c->out = (ph_text){0};
    COQ_PUT(f->c, "(%s * ", root ? "/ 2" : v);
    ver_coq_put_frac(f, l);
    COQ_PUT(f->c, ")");
    ph_status st = ph_text_take(&out, NULL, &f->c->out, f->c->b.err);
    if (st && !failed(f)) f->c->b.st = st;
    f->c->out = kept;
    ph_free(v);
    return out;
}

/* b^v, sqrt b: exp(v·ln b). */
static void general_power(coq_forms *f, int plan) {
    const expr_node *e = f->plans[plan].node;
    int height = f->plans[plan].height;
    char *as;
    ring_frac b, l, v;
    ver_ring_frac_init(&b, &f->r);
    ver_ring_frac_init(&l, &f->r);
    ver_ring_frac_init(&v, &f->r);
    if (e->op == EXPR_POW && !ver_coq_known_sign(f->c, e->arg[0], true))
        ver_coq_refuse(f->c, "no certificate for a power of what may be 0 or negative");
    ver_coq_value(f, &b, e->arg[0]);
    as = failed(f) ? NULL : as_it_stands(f, e->arg[0], height);
    if (!failed(f)) ver_coq_log_of(f, &l, &b, as);
    ph_free(as);
    as = failed(f) ? NULL : exponent_as_it_stands(f, e, height, &l);
    if (e->op == EXPR_POW) ver_coq_value(f, &v, e->arg[1]);
    else {
        fmpz_mpoly_one(v.n, f->r.ctx);
        fmpz_mpoly_set_si(v.d, 2, f->r.ctx);
    }
    if (!failed(f) && ver_ring_mul(&v, &v, &l, &f->r))
        ver_coq_refuse(f->c, "an exponent that grows too large");
    ver_coq_enter(f, plan, COQ_EXPONENT, &v, as);
    ver_ring_frac_clear(&b, &f->r);
    ver_ring_frac_clear(&l, &f->r);
    ver_ring_frac_clear(&v, &f->r);
}

static void logarithm(coq_forms *f, coq_plan *p) {
    ring_frac b;
    ver_ring_frac_init(&b, &f->r);
    ver_coq_value(f, &b, p->node->arg[0]);
    char *as = failed(f) ? NULL : as_it_stands(f, p->node->arg[0], p->height);
    if (!failed(f)) ver_coq_log_of(f, &p->value, &b, as);
    ph_free(as);
    p->has_value = true;
    ver_ring_frac_clear(&b, &f->r);
}

static void parity(coq_forms *f, const expr_node *v);

/* (-1)^(c·z), c a small constant: z + … + z instead. */
static void parity_of_multiple(coq_forms *f, const expr_node *v) {
    bool first = v->arg[0]->op == EXPR_RAT;
    const expr_node *c = v->arg[!first], *z = v->arg[first];
    if (c->op != EXPR_RAT || c->num < 1 || c->num > MAX_MULTIPLE) {
        ver_coq_refuse(f->c, "no certificate for the parity of a product");
        return;
    }
    char *whole = ver_coq_text(f->c, ver_coq_whole, v), *one = ver_coq_text(f->c, ver_coq_whole, z);
    COQ_PUT(f->c, "  replace %s with (%s", whole ? whole : "", one ? one : "");
    for (int64_t i = 1; i < c->num; i++) COQ_PUT(f->c, " + %s", one ? one : "");
    COQ_PUT(f->c, ")%%Z by ring; parities.\n");
    ph_free(whole);
    ph_free(one);
    parity(f, z);
}

/* (-1)^v: the parities of the whole numbers in v. */
static void parity(coq_forms *f, const expr_node *v) {
    if (v->op == EXPR_SYM || v->op == EXPR_AT) {
        char *z = ver_coq_text(f->c, ver_coq_whole, v);
        int id = ++f->c->fresh;
        COQ_PUT(f->c, "  destruct (a_parity %s) as (p'%d & A'%d & Q'%d); repeat rewrite A'%d.\n", z ? z : "",
                id, id, id, id);
        ph_putf(&f->relations, " Q'%d", id);
        ph_free(z);
        return;
    }
    if (v->op == EXPR_MUL) {
        parity_of_multiple(f, v);
        return;
    }
    if (v->op == EXPR_RAT && v->num != 1) {
        f->c->whole = true;
        COQ_PUT(f->c, "  constant_powers.\n");
    }
    for (uint32_t i = 0; i < v->nargs; i++) parity(f, v->arg[i]);
}

static char *negative(coq_forms *f, const char *term) {
    ph_text t = {0};
    char *out = NULL;
    ph_putf(&t, "(- %s)", term);
    ph_status st = ph_text_take(&out, NULL, &t, f->c->b.err);
    if (st && !failed(f)) f->c->b.st = st;
    return out;
}

/* sin, exp and their like: their argument; of the hyperbolic ones, which are made of exp, its negative as well. */
static void meet_function(coq_forms *f, int plan) {
    const expr_node *e = f->plans[plan].node;
    bool angle = e->op == EXPR_SIN || e->op == EXPR_COS || e->op == EXPR_TAN;
    bool hyperbolic = e->op == EXPR_SINH || e->op == EXPR_COSH || e->op == EXPR_TANH;
    bool gives = e->op == EXPR_EXP && !ver_coq_is_complex(e);
    ring_frac u;
    ver_ring_frac_init(&u, &f->r);
    ver_coq_value(f, &u, e->arg[0]);
    char *as = failed(f) ? NULL : as_it_stands(f, e->arg[0], f->plans[plan].height);
    char *minus = as && hyperbolic ? negative(f, as) : NULL;
    ver_coq_enter(f, gives ? plan : -1, angle ? COQ_ANGLE : COQ_EXPONENT, &u, as);
    if (hyperbolic) {
        fmpz_mpoly_neg(u.n, u.n, f->r.ctx);
        ver_coq_enter(f, -1, COQ_EXPONENT, &u, minus);
    }
    ver_ring_frac_clear(&u, &f->r);
}

static void meet(coq_forms *f, int plan) {
    const expr_node *e = f->plans[plan].node;
    if (is_parity(e)) {
        COQ_PUT(f->c, "  parities.\n");
        f->parities = true;
        parity(f, e->arg[1]);
        return;
    }
    switch (e->op) {
    case EXPR_POW: general_power(f, plan); return;
    case EXPR_SQRT:
        if (ver_coq_known_sign(f->c, e->arg[0], true)) general_power(f, plan);
        else opaque(f, &f->plans[plan]);
        return;
    case EXPR_LOG: logarithm(f, &f->plans[plan]); return;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: meet_function(f, plan); return;
    default: opaque(f, &f->plans[plan]);
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static bool uses(const coq_forms *f, expr_op op) {
    for (int i = 0; i < f->nplans; i++)
        if (f->plans[i].node->op == op && !is_parity(f->plans[i].node)) return true;
    return false;
}

static void unfold(coq_forms *f) {
    static const struct {
        expr_op op;
        const char *name;
    } row[] = {{EXPR_TAN, "tan"},
               {EXPR_TANH, "tanh"},
               {EXPR_SINH, "sinh"},
               {EXPR_COSH, "cosh"},
               {EXPR_POW, "Rpower"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (uses(f, row[i].op)) COQ_PUT(f->c, "  unfold %s.\n", row[i].name);
    if (uses(f, EXPR_TANH)) COQ_PUT(f->c, "  unfold sinh, cosh.\n");
    if (uses(f, EXPR_ABS)) COQ_PUT(f->c, "  rewrite ?pow2_abs.\n");
    for (int i = 0; i < f->nplans; i++)
        if (f->plans[i].node->op == EXPR_SQRT && ver_coq_known_sign(f->c, f->plans[i].node->arg[0], true)) {
            COQ_PUT(f->c, "  square_roots.\n");
            return;
        }
}

static bool same_entry(const coq_forms *f, const coq_entry *a, const coq_entry *b) {
    if (a->kind != b->kind || a->form.n != b->form.n) return false;
    for (int i = 0; i < a->form.n; i++) {
        bool found = false;
        for (int k = 0; k < b->form.n && !found; k++)
            found = a->form.t[i].key == b->form.t[k].key && fmpq_equal(a->form.t[i].q, b->form.t[k].q);
        if (!found) return false;
    }
    (void)f;
    return true;
}

/* Quotients, or functions that become quotients: without them `ring` alone is asked, and says what is wrong. */
static bool needs_field(const expr_node *e) {
    if (e->op == EXPR_DIV || (e->op == EXPR_RAT && e->den != 1)) return true;
    if (e->op == EXPR_POW && (!natural_power(e) || e->arg[1]->num < 0)) return true;
    if (is_function(e) && e->op != EXPR_POW && e->op != EXPR_SIN && e->op != EXPR_COS) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (needs_field(e->arg[i])) return true;
    return false;
}

static void put_finish(coq_forms *f, bool field, const char *relations) {
    const char *open = relations ? " [" : "", *list = relations ? relations : "",
               *close = relations ? "]" : "";
    COQ_PUT(f->c, "  settle; ");
    bool odd = field && ver_coq_has_odd_denominator(f, f->e);
    f->c->whole |= odd;
    if (f->halves) COQ_PUT(f->c, "field [%s]; %snonzero.\n", list, odd ? "whole_" : "");
    else if (!field) COQ_PUT(f->c, "ring%s%s%s.\n", open, list, close);
    else
        COQ_PUT(f->c, "first [ ring%s%s%s | field%s%s%s; %snonzero ].\n", open, list, close, open, list,
                close, odd ? "whole_" : "");
}

/* A member with an index that is no symbol or number: two of them may be one. */
static bool has_index_term(const expr_node *e) {
    if (e->op == EXPR_AT && e->arg[1]->op != EXPR_SYM && e->arg[1]->op != EXPR_RAT) return true;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (has_index_term(e->arg[i])) return true;
    return false;
}

/* Conditions of logarithms that are not 0 serve the exponents that are over them: told once the logarithms have names. */
static bool is_of_logs(const expr_node *e) {
    if (is_function(e) && e->op != EXPR_LOG) return false;
    for (uint32_t i = 0; i < e->nargs; i++)
        if (!is_of_logs(e->arg[i])) return false;
    return true;
}

static bool is_log_condition(const expr_node *s) {
    return s->op == EXPR_NE && ver_has_op(s, EXPR_LOG) && is_of_logs(s);
}

static void keep_log_conditions(coq_forms *f, int height) {
    const expr_set *k = f->c->conditions;
    for (int i = 0; height > 1 && k && i < k->n; i++)
        if (is_log_condition(k->item[i])) COQ_PUT(f->c, "  pose proof K'%d as J'%d.\n", i + 1, i + 1);
}

static void name_log_conditions(coq_forms *f, int height) {
    const expr_set *k = f->c->conditions;
    for (int i = 0; height > 1 && k && i < k->n; i++)
        for (slong g = 1; is_log_condition(k->item[i]) && g < f->ngens; g++)
            if (f->gens[g].is_log) COQ_PUT(f->c, "  rewrite ?L%s in J'%d.\n", f->gens[g].text + 1, i + 1);
}

/* What the functions of one height are, then their places in the goal. */
static void say_entries(coq_forms *f, int first) {
    int n = f->nentries;
    for (int i = first; i < n && !failed(f); i++) {
        const coq_entry *told = NULL;
        for (int k = first; k < i && !told; k++)
            if (same_entry(f, &f->entries[k], &f->entries[i])) told = &f->entries[k];
        ver_coq_say_entry(f, &f->entries[i], told);
    }
    for (int i = first; i < n; i++) ver_coq_put_entry(f, &f->entries[i]);
    for (int i = first; i < n; i++) {
        bool again = false;
        for (int k = first; k < i && !again; k++) again = f->entries[k].fact == f->entries[i].fact;
        if (!again) ver_coq_end_entry(f, &f->entries[i]);
    }
}

static void certify(coq_forms *f, expr_node *e, int height) {
    keep_log_conditions(f, height);
    ver_coq_put_conditions(f->c);
    if (has_index_term(e)) COQ_PUT(f->c, "  same_index.\n");
    unfold(f);
    for (int h = 1; h <= height && !failed(f); h++) {
        int first = f->nentries;
        for (int i = 0; i < f->nplans && !failed(f); i++)
            if (f->plans[i].height == h) meet(f, i);
        if (!failed(f)) ver_coq_make_units(f, ver_coq_tell_unit);
        say_entries(f, first);
        if (h == 1) name_log_conditions(f, height);
    }
    ver_coq_put_roots(f);
    const char *relations = f->relations.n ? f->relations.s : NULL;
    put_finish(f, needs_field(e), relations);
}

void ver_coq_prove_zero(coq_writer *c, expr_node *e) {
    coq_forms f = {.c = c, .e = e, .maxgens = 1};
    if (c->b.st) return;
    if (e->size > MAX_SIZE) {
        ver_coq_refuse(c, "a formula of more than %d parts", MAX_SIZE);
        return;
    }
    f.maxgens = 40 + (slong)(e->size < 400 ? e->size : 400);
    c->b.st = ver_ring_init(&f.r, f.maxgens, c->b.err);
    f.open = true;
    f.gens = ph_calloc((size_t)f.maxgens, sizeof *f.gens);
    if (!f.gens && !c->b.st) c->b.st = ph_fail_nomem(c->b.err, 1);
    if (!c->b.st) {
        (void)ver_coq_gen_new(&f, NULL, "?");
        int height = find_parts(&f, e);
        certify(&f, e, height);
    }
    ver_coq_forms_clear(&f);
}
