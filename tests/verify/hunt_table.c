/* hunt_table.c: tables of doubles held against their formula. Each entry is the nearest double, or one that is far beyond the bound: the first
 * table must not be refuted, the second not certified. */
#include "hunt.h"
#include "hunt_groups.h"

#include <math.h>
#include <string.h>

/* part 0: the formula in i, which runs from number[0] through number[1] values; number[2]: which entry is wrong, -1: none; number[3]: by how many
 * units in the last place */
void make_table(hunt_case *c) {
    do c->part[0] = tree_put(some_term(3, WANT_REAL), one_in(2) ? S_N : S_M, T_sym(S_I));
    while (!has_sym(c->part[0], S_I));
    for (int s = 0; s < S_FAMILY; s++)
        if (s != S_I && has_sym(c->part[0], s))
            c->part[0] =
                tree_put(c->part[0], s, symbols[s].kind == EXPR_COMPLEX ? INT(2) : INT(between(1, 3)));
    c->n = 1;
    c->number[0] = between(-3, 5);
    c->number[1] = between(1, 8);
    c->number[2] = one_in(2) ? -1 : between(0, c->number[1] - 1);
    c->number[3] = one_in(3) ? between(3, 9) : one_in(2) ? -between(3, 9) : INT64_C(1) << between(4, 40);
}

/* The nearest double of the value of entry k; false: it has none that is known. */
static bool entry(double *out, const hunt_case *c, int64_t k) {
    point p;
    value v;
    acb_t z;
    point_init(&p);
    value_init(&v);
    acb_init(z);
    p.given[S_I] = p.v[S_I].exact = true;
    p.only_given = true;
    fmpq_set_si(p.v[S_I].re, c->number[0] + k, 1);
    fmpq_zero(p.v[S_I].im);
    bool known = evaluate(&v, c->part[0], &p, DIGITS60) == DEFINED;
    if (known) {
        value_ball(z, &v, DIGITS60);
        *out = arf_get_d(arb_midref(acb_realref(z)), ARF_RND_NEAR);
        known = acb_is_real(z) && isfinite(*out) &&
                (fabs(*out) > 1e-30 || (v.exact && *out == 0)); /* else 60 digits of 0 */
    }
    acb_clear(z);
    value_clear(&v);
    point_clear(&p);
    return known;
}

static double off(double x, int64_t units) {
    double unit = x == 0 ? 1 : ldexp(1, ilogb(x) - 52);
    return x + (double)units * unit;
}

void ask_table(text *t, const hunt_case *c) {
    put(t, "certify_table(");
    put_tree(t, c->part[0]);
    put(t, ", {{i, %lld, %lld}}, array{", (long long)c->number[0],
        (long long)(c->number[0] + c->number[1] - 1));
    for (int64_t k = 0; k < c->number[1]; k++) {
        double x = 0;
        (void)entry(&x, c, k);
        put(t, "%s%a", k ? ", " : "", k == c->number[2] ? off(x, c->number[3]) : x);
    }
    put(t, "})");
}

outcome judge_table(text *why, const hunt_case *c, lua_State *L) {
    const char *strength = verdict_field(L, 1, "strength");
    bool certified = !strcmp(strength, "certified"), refuted = !strcmp(strength, "refuted"), known = true;
    double x;
    for (int64_t k = 0; k < c->number[1]; k++) known = known && entry(&x, c, k);
    if (certified && c->number[2] >= 0 && known)
        return fault(why, "certified; entry %lld is wrong", (long long)c->number[2] + 1);
    if (refuted && c->number[2] < 0 && known)
        return fault(why, "refuted at %s; every entry is the nearest", verdict_field(L, 1, "witness"));
    return certified ? WAS_PROVED : refuted ? WAS_REFUTED : WAS_UNKNOWN;
}
