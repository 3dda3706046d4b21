/* reading_variables.c: the variables of a reading: symbols, constants between rationals, other parts; and their units. */
#include "verify/ball.h"
#include "verify/reading_internal.h"

#define MAX_UNIT 60

ph_status ver_read_outside(const reading *x, const char *what) {
    return ph_fail(x->b->err, PH_EOUTSIDE, "%s", what);
}

slong ver_read_var(const reading *x, slong gen) { return x->r.nvars - 1 - gen; }

/* ---- variables ----------------------------------------------------------------------------------------- */

uint64_t ver_read_mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9E3779B97F4A7C15u + (h >> 29); }

/* What a monomial of the variables means, whatever their units are: names an entry of the table of units, no more. */
uint64_t ver_read_meaning(const reading *x, const slong *e) {
    uint64_t h = 7;
    for (slong g = 1; g < x->ngens; g++)
        if (e[g]) {
            const read_gen *v = &x->gen[g];
            uint64_t own = ver_read_mix(v->kind, v->node ? v->node->hash : (uint64_t)v->prime);
            h += ver_read_mix(own, (uint64_t)(e[g] * 5040 / (v->unit ? v->unit : 1)));
        }
    return h;
}

slong *ver_read_unit(reading *x, uint64_t key) {
    for (int i = 0; i < x->nunits; i++)
        if (x->unit[i].key == key) return &x->unit[i].unit;
    if (x->nunits == READ_UNITS) return NULL;
    x->unit[x->nunits] = (read_unit){key, 1};
    return &x->unit[x->nunits++].unit;
}

/* The unit must be a multiple of den: if it is not, it grows, and the formula is read again. */
ph_status ver_read_widen(reading *x, uint64_t key, slong den) {
    slong *unit = ver_read_unit(x, key);
    if (!unit || den > MAX_UNIT) return ver_read_outside(x, "many fractional exponents");
    slong g = (slong)n_gcd((ulong)*unit, (ulong)den);
    if (*unit % den == 0) return PH_OK;
    if (*unit / g * den > MAX_UNIT) return ver_read_outside(x, "fractional exponents of large denominators");
    *unit = *unit / g * den;
    x->again = true;
    return ver_read_outside(x, "read again");
}

ph_status ver_read_new(reading *x, slong *id, const read_gen *g) {
    if (x->ngens == READ_GENS + 1) return ph_fail(x->b->err, PH_EBUDGET, "too many parts");
    x->gen[x->ngens] = *g;
    *id = x->ngens++;
    return PH_OK;
}

void ver_read_gen(fmpz_mpoly_t out, const reading *x, slong id) {
    fmpz_mpoly_gen(out, ver_read_var(x, id), x->r.ctx);
}

/* The fact that a new variable has its sign, or lies between two rationals around the constant it is. */
ph_status ver_read_bound(reading *x, slong id, const expr_node *e, slong root) {
    fmpz_mpoly_t f;
    acb_t v;
    arf_t end;
    fmpq_t q;
    fmpz_mpoly_init(f, x->r.ctx);
    acb_init(v);
    arf_init(end);
    fmpq_init(q);
    uint64_t none = 0;
    ph_status st;
    PH_TRY(ver_ball(v, e, ver_point_atom, &none, 96, x->b->err));
    if (!(acb_is_finite(v) && acb_is_real(v))) PH_TRY(ver_read_outside(x, "a constant that is not real"));
    if (root > 1) arb_root_ui(acb_realref(v), acb_realref(v), (ulong)root, 96);
    for (int upper = 0; upper < 2; upper++) {
        if (upper) arb_get_ubound_arf(end, acb_realref(v), 60);
        else arb_get_lbound_arf(end, acb_realref(v), 60);
        arf_get_fmpq(q, end);
        ver_read_gen(f, x, id);
        fmpz_mpoly_scalar_mul_fmpz(f, f, fmpq_denref(q), x->r.ctx);
        fmpz_mpoly_sub_fmpz(f, f, fmpq_numref(q), x->r.ctx);
        if (upper) fmpz_mpoly_neg(f, f, x->r.ctx);
        ver_reading_fact(x, f, false);
    }
    x->gen[id].sign = arb_is_positive(acb_realref(v)) ? VER_SIGN_POSITIVE : VER_SIGN_OPEN;
done:
    fmpz_mpoly_clear(f, x->r.ctx);
    acb_clear(v);
    arf_clear(end);
    fmpq_clear(q);
    return st;
}

static ph_status find_node(slong *id, reading *x, read_kind kind, expr_node *node, slong unit,
                           ver_sign sign) {
    for (slong g = 1; g < x->ngens; g++)
        if (x->gen[g].kind == kind && expr_same(x->gen[g].node, node)) return *id = g, PH_OK;
    return ver_read_new(x, id, &(read_gen){.kind = kind, .node = node, .unit = unit, .sign = sign});
}

ver_sign ver_read_sign_of(reading *x, expr_node *e) {
    if (expr_is_positive(e) || x->ask(x->ctx, e, true)) return VER_SIGN_POSITIVE;
    return expr_is_nonnegative(e) || x->ask(x->ctx, e, false) ? VER_SIGN_NONNEGATIVE : VER_SIGN_OPEN;
}

ph_status ver_read_symbol(ring_frac *out, reading *x, expr_node *e) {
    slong id = 0, im = 0;
    const expr_node *s = e->op == EXPR_AT ? e->arg[0] : e;
    if (s->kind == EXPR_COMPLEX) { /* x + I·y */
        ring_frac y;
        ph_status st = find_node(&id, x, READ_SYMBOL, e, 1, VER_SIGN_OPEN);
        if (!st) st = find_node(&im, x, READ_IMAGINARY, e, 1, VER_SIGN_OPEN);
        if (st) return st;
        ver_ring_frac_init(&y, &x->r);
        ver_ring_gen(&y, im, &x->r);
        ver_ring_gen(out, 0, &x->r);
        st = ver_ring_mul(&y, &y, out, &x->r);
        ver_ring_gen(out, id, &x->r);
        if (!st) st = ver_ring_add(out, out, &y, 1, &x->r);
        ver_ring_frac_clear(&y, &x->r);
        return st;
    }
    slong *unit = ver_read_unit(x, ver_read_mix(READ_SYMBOL, e->hash));
    if (!unit) return ver_read_outside(x, "many symbols");
    ver_sign sign = ver_read_sign_of(x, e);
    ph_status st = find_node(&id, x, READ_SYMBOL, e, sign ? *unit : 1, sign);
    if (st) return st;
    ver_ring_gen(out, id, &x->r);
    return ver_ring_pow(out, out, x->gen[id].unit, &x->r);
}

ph_status ver_read_atom(ring_frac *out, reading *x, expr_node *e) {
    slong id = 0;
    ph_status st = find_node(&id, x, READ_ATOM, e, 1,
                             expr_is_positive(e)      ? VER_SIGN_POSITIVE
                             : expr_is_nonnegative(e) ? VER_SIGN_NONNEGATIVE
                                                      : VER_SIGN_OPEN);
    if (!st) ver_ring_gen(out, id, &x->r);
    return st;
}

ph_status ver_read_constant(ring_frac *out, reading *x, expr_node *e) {
    slong id = 0, before = x->ngens;
    ph_status st = find_node(&id, x, READ_CONSTANT, e, 1, VER_SIGN_OPEN);
    if (!st && x->ngens > before) st = ver_read_bound(x, id, e, 1);
    if (!st) ver_ring_gen(out, id, &x->r);
    return st;
}
