/* coq_units.c: what Coq is told of each unit, and which units make up each angle and exponent. */
#include <stdio.h>
#include <string.h>

#include "verify/coq_forms.h"

#define MAX_MULTIPLE  512 /* of an exponent */
#define MAX_ANGLES    32  /* an angle taken so many times: a polynomial of that degree */
#define MAX_ROOT      100 /* whose power is told: Coq takes long over e^5040 */
#define MAX_MONOMIALS 12  /* of one exponent: beyond it Coq takes minutes */
#define MAX_SUMMANDS  64  /* units in one angle or exponent */
#define MAX_PARTS     24  /* of a turn: the degree of what is known of them is half of that */

static bool failed(const coq_forms *f) { return f->c->b.st != PH_OK; }

/* ---- units --------------------------------------------------------------------------------------------- */

static const coq_gen *log_unit(const coq_forms *f, const coq_unit *u) {
    const coq_key *k = u->form.n == 1 ? &f->keys[u->form.t[0].key] : NULL;
    return k && u->kind == COQ_EXPONENT && k->log >= 0 ? &f->gens[k->log] : NULL;
}

typedef struct {
    slong order;
    expr_node *power;
} other_roots;

/* Roots whose order divides the one given, to any power. */
static expr_node *with_other_roots(expr_builder *b, expr_node *e, void *ctx) {
    const other_roots *o = ctx;
    if (!e || b->st) return NULL;
    e = expr_b_rewrite(b, e, e->op == EXPR_AT ? 1 : 0, with_other_roots, ctx);
    bool root = e && e->op == EXPR_POW && e->arg[1]->op == EXPR_RAT && e->arg[1]->den > 1 &&
                o->order % e->arg[1]->den == 0;
    return root ? expr_b_pow(b, e->arg[0], expr_b_mul(b, e->arg[1], o->power)) : e;
}

/* Does the equation rest on e^q = b, of e = b^(1/q)? Of a high root it may not. */
static bool rests_on_root(coq_forms *f, const coq_unit *u) {
    expr_builder *b = &f->c->b;
    const fmpz *q = fmpq_denref(u->form.t[0].q);
    other_roots o = {.order = fmpz_fits_si(q) ? fmpz_get_si(q) : 0};
    if (fmpz_cmp_si(q, MAX_ROOT) <= 0) return true;
    if (failed(f) || (b->st = expr_sym(&o.power, "'power", EXPR_REAL, b->err)) ||
        !(o.power = expr_b_keep(b, o.power)))
        return true;
    if (!ver_coq_is_zero(f->c, with_other_roots(b, f->e, &o)))
        ver_coq_refuse(f->c, "no certificate for a root beyond the %dth", MAX_ROOT);
    return false;
}

static void new_power(coq_forms *f, const coq_unit *u) {
    const coq_gen *log = log_unit(f, u);
    if (log && fmpz_is_one(fmpq_denref(u->form.t[0].q))) return; /* exp (ln b) is b */
    if (log && !rests_on_root(f, u)) log = NULL;
    COQ_PUT(f->c, log ? "  destruct (a_root " : "  destruct (a_power (");
    if (log) {
        char *q = fmpz_get_str(NULL, 10, fmpq_denref(u->form.t[0].q));
        COQ_PUT(f->c, "%s (", q);
        flint_free(q);
    }
    ver_coq_put_form(f, &u->form);
    COQ_PUT(f->c, ")");
    if (log) COQ_PUT(f->c, " _ _ X%s ltac:(same)", log->text + 1);
    COQ_PUT(f->c, ") as (u'%d & e'%d & U'%d & E'%d & N'%d & P'%d%s", u->id, u->id, u->id, u->id, u->id, u->id,
            log ? " & " : "");
    if (log) COQ_PUT(f->c, "Q'%d", u->id);
    COQ_PUT(f->c, ").\n");
    if (log) ph_putf(&f->relations, " Q'%d", u->id);
    int id = u->id;
    coq_form form = u->form;
    slong g = ver_coq_gen_new(f, NULL, "e'%d", id);
    if (failed(f)) return;
    f->gens[g].positive = f->gens[g].is_power = f->gens[g].has_of = true;
    ver_ring_frac_init(&f->gens[g].of, &f->r);
    for (int i = 0; i < form.n && !failed(f); i++) { /* the exponent, as a value */
        ring_frac t;
        ver_ring_frac_init(&t, &f->r);
        fmpz_mpoly_scalar_mul_fmpz(t.n, f->keys[form.t[i].key].n, fmpq_numref(form.t[i].q), f->r.ctx);
        fmpz_mpoly_scalar_mul_fmpz(t.d, f->keys[form.t[i].key].d, fmpq_denref(form.t[i].q), f->r.ctx);
        if (ver_ring_add(&f->gens[g].of, &f->gens[g].of, &t, 1, &f->r))
            ver_coq_refuse(f->c, "an exponent that grows too large");
        ver_ring_frac_clear(&t, &f->r);
    }
}

/* π times whole numbers: "a_turn" for an even multiple, "a_half_turn" for another; π/q by what is known of it. */
static const char *known_angle(const coq_forms *f, const coq_unit *u) {
    const coq_key *k = u->form.n == 1 ? &f->keys[u->form.t[0].key] : NULL;
    if (!k || !k->turn) return NULL;
    const fmpq *q = u->form.t[0].q;
    static const char *const of_pi[] = {"pi_1", "pi_2", "pi_3", "pi_4", NULL, "pi_6"};
    if (k->pi) {
        slong d = fmpz_fits_si(fmpq_denref(q)) ? fmpz_get_si(fmpq_denref(q)) : 0;
        return d >= 1 && d <= 6 ? of_pi[d - 1] : NULL;
    }
    if (!fmpz_is_one(fmpq_denref(q))) return NULL;
    return fmpz_is_even(fmpq_numref(q)) ? "a_turn" : "a_half_turn";
}

/* The whole number that a turn is a multiple of, in Z. */
static void put_whole_number(coq_forms *f, const coq_unit *u) {
    const coq_key *k = &f->keys[u->form.t[0].key];
    fmpz_t m;
    fmpz_init(m);
    fmpz_set(m, fmpq_numref(u->form.t[0].q));
    if (fmpz_is_even(m)) fmpz_divexact_si(m, m, 2);
    char *s = fmpz_get_str(NULL, 10, m);
    COQ_PUT(f->c, "(%s", s);
    flint_free(s);
    fmpz_clear(m);
    for (slong g = 1; g < f->ngens; g++)
        for (slong d = f->gens[g].whole ? fmpz_mpoly_degree_si(k->n, f->r.nvars - 1 - g, f->r.ctx) : 0; d > 0;
             d--)
            COQ_PUT(f->c, " * %s", f->gens[g].whole);
    COQ_PUT(f->c, ")%%Z");
}

/* Does the equation hold with any number in the place of pi; with any whole multiple of it? */
static bool holds_beyond_pi(coq_forms *f, expr_kind kind) {
    expr_builder *b = &f->c->b;
    expr_node *pi = expr_b_op(b, EXPR_PI, 0, NULL), *any = NULL;
    if (failed(f) || (b->st = expr_sym(&any, "'angle", kind, b->err)) || !(any = expr_b_keep(b, any)))
        return false;
    return ver_coq_is_zero(f->c,
                           expr_b_exchange(b, f->e, pi, kind == EXPR_REAL ? any : expr_b_mul(b, any, pi)));
}

/* Of an angle that is a whole number of turns over q: q when the equation rests on that; 0 when it holds of any angle. What rests on which number of
 * turns it is has no certificate. */
static slong part_of_turn(coq_forms *f, const coq_unit *u) {
    const coq_key *k = u->form.n == 1 ? &f->keys[u->form.t[0].key] : NULL;
    if (!k || !k->turn || holds_beyond_pi(f, EXPR_REAL)) return 0;
    const fmpq *m = u->form.t[0].q;
    if (fmpz_cmp_si(fmpq_denref(m), MAX_PARTS) <= 0) {
        slong d = (slong)fmpz_get_si(fmpq_denref(m)), q = fmpz_is_even(fmpq_numref(m)) ? d : 2 * d;
        if (q <= MAX_PARTS && (!k->pi || holds_beyond_pi(f, EXPR_INTEGER))) return q;
    }
    if (k->pi) ver_coq_refuse(f->c, "no certificate for a fraction of pi but 1/2, 1/3, 1/4 and 1/6");
    else ver_coq_refuse(f->c, "no certificate for parts of a turn beyond its 1/%d", MAX_PARTS);
    return 0;
}

/* 2 cos(nx) in y = 2 cos x, of which the first is 2; sin(nx)/sin x, of which it is 0. */
static void multiple_angle(fmpz_poly_t out, slong first, slong n) {
    fmpz_poly_t next, t;
    fmpz_poly_init(next);
    fmpz_poly_init(t);
    fmpz_poly_set_si(out, first);
    fmpz_poly_set_coeff_si(next, first ? 1 : 0, 1);
    for (slong i = 0; i < n; i++) {
        fmpz_poly_shift_left(t, next, 1);
        fmpz_poly_sub(t, t, out);
        fmpz_poly_swap(out, next);
        fmpz_poly_swap(next, t);
    }
    fmpz_poly_clear(next);
    fmpz_poly_clear(t);
}

/* k angles and q - k are a whole turn: cos is the same of both, sin the opposite, which is 0 where they are one. The highest power by the lower ones. */
static void put_turned(coq_forms *f, int id, slong q, bool is_cos) {
    slong k = is_cos ? q / 2 + 1 : (q + 1) / 2, degree = is_cos ? k : k - 1;
    fmpz_poly_t p, rest;
    char y[32];
    fmpz_poly_init(p);
    fmpz_poly_init(rest);
    multiple_angle(p, is_cos ? 2 : 0, k);
    fmpz_poly_set_coeff_si(p, degree, 0);
    if (q != 2 * k) multiple_angle(rest, is_cos ? 2 : 0, q - k);
    if (!is_cos) fmpz_poly_neg(rest, rest);
    fmpz_poly_sub(rest, rest, p);
    snprintf(y, sizeof y, "c'%d", id);
    char *s = fmpz_poly_get_str_pretty(rest, y);
    COQ_PUT(f->c, "  assert (%c'%d : ", is_cos ? 'Q' : 'M', id);
    if (!is_cos) COQ_PUT(f->c, "s'%d * ", id);
    COQ_PUT(f->c, "c'%d ^ %ld = ", id, (long)degree);
    if (!is_cos) COQ_PUT(f->c, "s'%d * ", id);
    COQ_PUT(f->c, "(%s)) by (destruct (T'%d %ld%%nat %ld%%nat eq_refl); cbn [along] in *; lra).\n", s, id,
            (long)k, (long)(q - k));
    flint_free(s);
    fmpz_poly_clear(p);
    fmpz_poly_clear(rest);
    ph_putf(&f->relations, " %c'%d", is_cos ? 'Q' : 'M', id);
}

static void new_part(coq_forms *f, const coq_unit *u, slong q) {
    int id = u->id;
    f->c->whole = f->halves = true;
    COQ_PUT(f->c, "  destruct (a_part_of_turn %ld (", (long)q);
    ver_coq_put_form(f, &u->form);
    COQ_PUT(f->c, ") ");
    put_whole_number(f, u);
    COQ_PUT(f->c,
            " ltac:(rewrite ?mult_IZR; same)) as (u'%d & s'%d & c'%d & U'%d & S'%d & C'%d & P'%d & T'%d).\n",
            id, id, id, id, id, id, id, id);
    ph_putf(&f->relations, " P'%d", id);
    put_turned(f, id, q, true);
    put_turned(f, id, q, false);
}

/* Half turns whose whole numbers have the same factors are even together: n*n and n. */
static bool same_factors(const coq_forms *f, const coq_unit *u, const coq_unit *o) {
    for (slong g = 1; g < f->ngens; g++) {
        slong var = f->r.nvars - 1 - g;
        if (f->gens[g].whole && (fmpz_mpoly_degree_si(f->keys[u->form.t[0].key].n, var, f->r.ctx) > 0) !=
                                    (fmpz_mpoly_degree_si(f->keys[o->form.t[0].key].n, var, f->r.ctx) > 0))
            return false;
    }
    return true;
}

static bool is_half_turn(const coq_forms *f, const coq_unit *u) {
    const char *known = u->kind == COQ_ANGLE ? known_angle(f, u) : NULL;
    return known && !strcmp(known, "a_half_turn");
}

static void put_twin(coq_forms *f, const coq_unit *u) {
    for (const coq_unit *o = f->units; o < u; o++)
        if (is_half_turn(f, o) && same_factors(f, u, o)) {
            f->c->whole = true;
            COQ_PUT(f->c, "  assert (T'%d : c'%d = c'%d) by twins D'%d D'%d.\n", u->id, u->id, o->id, u->id,
                    o->id);
            ph_putf(&f->relations, " T'%d", u->id);
            return;
        }
}

static void new_angle(coq_forms *f, const coq_unit *u) {
    const char *known = known_angle(f, u);
    bool turn = known && known[0] == 'a', half = turn && !strcmp(known, "a_half_turn");
    slong part = known ? 0 : part_of_turn(f, u);
    if (part) {
        new_part(f, u, part);
        return;
    }
    COQ_PUT(f->c, "  destruct (%s (", known ? known : "an_angle");
    ver_coq_put_form(f, &u->form);
    COQ_PUT(f->c, ")");
    if (turn) {
        COQ_PUT(f->c, " ");
        put_whole_number(f, u);
    }
    COQ_PUT(f->c, "%s) as (u'%d & s'%d & c'%d & U'%d & S'%d & C'%d & P'%d",
            turn    ? " ltac:(rewrite ?mult_IZR; same)"
            : known ? " ltac:(same)"
                    : "",
            u->id, u->id, u->id, u->id, u->id, u->id, u->id);
    if (known) COQ_PUT(f->c, " & Q'%d", u->id);
    if (half) COQ_PUT(f->c, " & D'%d", u->id);
    COQ_PUT(f->c, ").\n");
    if (!known) ph_putf(&f->relations, " P'%d", u->id);
    else COQ_PUT(f->c, "  known P'%d Q'%d.\n", u->id, u->id);
    if (half) put_twin(f, u);
    if (half) ph_putf(&f->relations, " Q'%d", u->id);
    if (half && f->parities) { /* (-1)^n is cos(n*pi) */
        COQ_PUT(f->c, "  parity_in D'%d.\n", u->id);
        ph_putf(&f->relations, " D'%d", u->id);
    }
    if (known && (!strcmp(known, "pi_3") || !strcmp(known, "pi_4") || !strcmp(known, "pi_6"))) {
        int root = strcmp(known, "pi_4") ? 3 : 2;
        f->roots |= 1 << root;
        COQ_PUT(f->c, "  pose proof root_%d as R'%d.\n", root, u->id);
        ph_putf(&f->relations, " R'%d", u->id);
    }
}

void ver_coq_tell_unit(coq_forms *f, const coq_unit *u) {
    if (u->kind == COQ_ANGLE) new_angle(f, u);
    else new_power(f, u);
}

/* The roots that sines of fractions of pi bring in are those that the formula has as powers: sqrt 2 is e^k of e^(2k) = 2. */
void ver_coq_put_roots(coq_forms *f) {
    for (int i = 0; i < f->nunits && f->roots && !failed(f); i++) {
        const coq_unit *u = &f->units[i];
        const coq_gen *log = log_unit(f, u);
        for (int root = 2; root <= 3 && log; root++) {
            const fmpz *k = fmpq_denref(u->form.t[0].q);
            if (!(f->roots >> root & 1) || !fmpz_mpoly_equal_si(log->of.n, root, f->r.ctx) ||
                !fmpz_mpoly_is_one(log->of.d, f->r.ctx) || fmpz_is_odd(k) || fmpz_cmp_si(k, 64) > 0)
                continue;
            COQ_PUT(f->c, "  rewrite ?(root_is %d e'%d %ld P'%d Q'%d).\n", root, u->id,
                    (long)fmpz_get_si(k) / 2, u->id, u->id);
        }
    }
}

/* ---- what each function is made of --------------------------------------------------------------------- */

static void put_unit(coq_forms *f, const coq_unit *u) {
    const coq_gen *log = log_unit(f, u);
    if (log && fmpz_is_one(fmpq_denref(u->form.t[0].q))) COQ_PUT(f->c, "%s", log->text);
    else COQ_PUT(f->c, "u'%d", u->id);
}

/* m·u by doubling, so that sine and cosine of it stay short. */
static void put_multiple(coq_forms *f, const coq_unit *u, long m) {
    if (m < 0) {
        COQ_PUT(f->c, "(- ("); /* Coq reads - 2 * u as (-2) * u */
        put_multiple(f, u, -m);
        COQ_PUT(f->c, "))");
    } else if (m == 1) put_unit(f, u);
    else {
        COQ_PUT(f->c, m % 2 ? "(2 * " : "2 * ");
        COQ_PUT(f->c, "(");
        put_multiple(f, u, m / 2);
        COQ_PUT(f->c, ")");
        if (m % 2) {
            COQ_PUT(f->c, " + ");
            put_unit(f, u);
            COQ_PUT(f->c, ")");
        }
    }
}

static slong gen_called(const coq_forms *f, const char *prefix, int id) {
    char name[32];
    snprintf(name, sizeof name, "%s'%d", prefix, id);
    for (slong g = 1; g < f->ngens; g++)
        if (!strcmp(f->gens[g].text, name)) return g;
    return 0;
}

/* What exp of the unit is, in the ring. */
static void power_value(coq_forms *f, ring_frac *out, const coq_unit *u) {
    const coq_gen *log = log_unit(f, u);
    if (log && fmpz_is_one(fmpq_denref(u->form.t[0].q))) ver_ring_set(out, &log->of, &f->r);
    else ver_ring_gen(out, gen_called(f, "e", u->id), &f->r);
}

static void set_value(coq_forms *f, coq_plan *p, const int *unit, const long *m, int n) {
    ring_frac v;
    ver_ring_frac_init(&v, &f->r);
    fmpz_mpoly_one(p->value.n, f->r.ctx);
    fmpz_mpoly_one(p->value.d, f->r.ctx);
    for (int i = 0; i < n && !failed(f); i++) {
        power_value(f, &v, &f->units[unit[i]]);
        if (ver_ring_pow(&v, &v, m[i], &f->r) || ver_ring_mul(&p->value, &p->value, &v, &f->r))
            ver_coq_refuse(f->c, "a power that grows too large");
    }
    p->has_value = true;
    ver_ring_frac_clear(&v, &f->r);
}

static void put_powers(coq_forms *f, const int *unit, const long *m, int n) {
    ring_frac v;
    ver_ring_frac_init(&v, &f->r);
    COQ_PUT(f->c, " (1");
    for (int i = 0; i < n && !failed(f); i++) {
        power_value(f, &v, &f->units[unit[i]]);
        COQ_PUT(f->c, m[i] < 0 ? " * / (" : " * (");
        ver_coq_put_frac(f, &v);
        COQ_PUT(f->c, " ^ %ld)", m[i] < 0 ? -m[i] : m[i]);
    }
    COQ_PUT(f->c, ")");
    ver_ring_frac_clear(&v, &f->r);
}

static bool is_one(const coq_forms *f, const coq_form *a) {
    const coq_key *k = a->n == 1 && fmpq_is_one(a->t[0].q) ? &f->keys[a->t[0].key] : NULL;
    return k && fmpz_mpoly_is_one(k->n, f->r.ctx) && fmpz_mpoly_is_one(k->d, f->r.ctx);
}

void ver_coq_say_entry(coq_forms *f, coq_entry *e, const coq_entry *told) {
    int unit[MAX_SUMMANDS], n;
    long m[MAX_SUMMANDS];
    n = ver_coq_in_units(f, e, unit, m, MAX_SUMMANDS);
    if (n < 0) ver_coq_refuse(f->c, "an angle of more than %d parts", MAX_SUMMANDS);
    long most = e->kind == COQ_ANGLE ? MAX_ANGLES : MAX_MULTIPLE;
    for (int i = 0; i < n; i++)
        if (m[i] > most || m[i] < -most) ver_coq_refuse(f->c, "an angle taken %ld times", m[i]);
    if (e->form.n > MAX_MONOMIALS)
        ver_coq_refuse(f->c, "an exponent of more than %d monomials", MAX_MONOMIALS);
    if (failed(f)) return;
    if (e->plan >= 0) set_value(f, &f->plans[e->plan], unit, m, n);
    if (told) {
        e->fact = told->fact;
        return;
    }
    e->fact = ++f->c->fresh;
    COQ_PUT(f->c, e->kind == COQ_ANGLE ? "  angle (" : "  power (");
    if (e->kind == COQ_EXPONENT && is_one(f, &e->form)) COQ_PUT(f->c, "1 * 1"); /* the value has 1s too */
    else ver_coq_put_form(f, &e->form);
    COQ_PUT(f->c, ") (");
    if (n == 0) COQ_PUT(f->c, "0");
    for (int i = 0; i < n; i++) {
        COQ_PUT(f->c, "%s", i ? " + " : "");
        put_multiple(f, &f->units[unit[i]], m[i]);
    }
    COQ_PUT(f->c, ")");
    if (e->kind == COQ_EXPONENT) put_powers(f, unit, m, n);
    if (e->kind == COQ_EXPONENT) COQ_PUT(f->c, " W'%d.\n", e->fact);
    else COQ_PUT(f->c, " S'%d C'%d.\n", e->fact, e->fact);
}

void ver_coq_put_entry(coq_forms *f, const coq_entry *e) {
    if (!e->as || failed(f)) return;
    if (e->kind == COQ_EXPONENT) COQ_PUT(f->c, "  here exp %s W'%d.\n", e->as, e->fact);
    else COQ_PUT(f->c, "  here sin %s S'%d; here cos %s C'%d.\n", e->as, e->fact, e->as, e->fact);
}

void ver_coq_end_entry(coq_forms *f, const coq_entry *e) {
    if (failed(f)) return;
    if (e->kind == COQ_EXPONENT) COQ_PUT(f->c, "  elsewhere exp W'%d.\n", e->fact);
    else COQ_PUT(f->c, "  elsewhere sin S'%d; elsewhere cos C'%d.\n", e->fact, e->fact);
}
