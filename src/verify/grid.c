/* grid.c: a formula at every point of a grid, in balls.
 *
 * In sin(t·b^(−2i/d)) the power depends on i alone: a part that does not see every axis is evaluated once for each point of
 * the axes it does see, and stands in the formula as a symbol of its own. What is left is evaluated at every point, at
 * FIRST_BITS; the few entries that this cannot decide are done again from the whole formula with more bits.
 */
#include "verify/grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/ball.h"
#include "verify/internal.h"
#include "verify/told.h"
#include "verify/trust.h"
#include "verify/wide.h"

#define FIRST_BITS 128
#define LAST_BITS  8192
#define MAX_PARTS  16
#define MAX_HELD   1000000 /* values of one part */
#define POLL       1024    /* entries between two looks at the interrupt flag */

typedef struct {
    expr_node *formula, *name;       /* borrowed from the builder */
    int64_t stride[VER_MAX_AXES], n; /* of value[]; stride 0 along an axis it does not see */
    acb_ptr value;
} part;

typedef struct {
    const ver_axis *axis;
    int naxes;
    int64_t index[VER_MAX_AXES]; /* the point, counted from 0 */
    part part[MAX_PARTS];
    int nparts;
} grid;

/* ---- the point ----------------------------------------------------------------------------------------- */

static bool atom_value(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const grid *g = ctx;
    (void)prec;
    for (int k = 0; k < g->naxes; k++)
        if (expr_same(atom, g->axis[k].sym)) {
            ver_acb_set(v, g->axis[k].from + g->index[k]);
            return true;
        }
    for (int p = 0; p < g->nparts; p++)
        if (atom == g->part[p].name) {
            int64_t at = 0;
            for (int k = 0; k < g->naxes; k++) at += g->part[p].stride[k] * g->index[k];
            acb_set(v, g->part[p].value + at);
            return true;
        }
    return false;
}

/* On to the next point of the axes in `mask`, the last fastest; false after the last point. */
static bool next(grid *g, unsigned mask) {
    for (int k = g->naxes - 1; k >= 0; k--) {
        if (!(mask >> k & 1)) continue;
        if (++g->index[k] < g->axis[k].count) return true;
        g->index[k] = 0;
    }
    return false;
}

/* f there; what is undefined or too dear there is not finite. */
static ph_status value_at(acb_t v, const expr_node *f, grid *g, slong bits, ph_err *err) {
    ph_status st = ver_ball(v, f, atom_value, g, bits, err);
    if (!ph_is_open(st)) return st;
    acb_indeterminate(v);
    return PH_OK;
}

/* ---- parts --------------------------------------------------------------------------------------------- */

static unsigned axes_of(const grid *g, const expr_node *e) {
    unsigned mask = 0;
    for (int k = 0; k < g->naxes; k++) mask |= (unsigned)expr_has(e, g->axis[k].sym) << k;
    return mask;
}

static int64_t lay_out(part *p, const grid *g, unsigned mask) {
    p->n = 1;
    for (int k = g->naxes - 1; k >= 0; k--) {
        p->stride[k] = mask >> k & 1 ? p->n : 0;
        if (p->stride[k] && p->n <= MAX_HELD)
            p->n *= g->axis[k].count < MAX_HELD ? g->axis[k].count : MAX_HELD + 1;
    }
    return p->n;
}

/* The symbol that stands for e, a part that sees the axes in `mask`; e itself when it cannot be held. */
static expr_node *hold(expr_builder *b, grid *g, expr_node *e, unsigned mask) {
    for (int p = 0; p < g->nparts; p++)
        if (expr_same(g->part[p].formula, e)) return g->part[p].name;
    part *p = &g->part[g->nparts];
    if (g->nparts == MAX_PARTS || lay_out(p, g, mask) > MAX_HELD) return e;
    char name[24]; /* with a blank in it: no user's symbol is called so */
    snprintf(name, sizeof name, "part %d", g->nparts);
    expr_node *sym = NULL;
    b->st = expr_sym(&sym, name, EXPR_COMPLEX, b->err);
    p->formula = e;
    p->name = expr_b_keep(b, sym);
    if (p->name) g->nparts++;
    return p->name;
}

static expr_node *take_parts(expr_builder *b, expr_node *e, void *ctx) {
    grid *g = ctx;
    unsigned mask = axes_of(g, e), all = (1u << g->naxes) - 1;
    if (b->st || !e->nargs || expr_body(e)) return e; /* the index of a sum is no axis */
    if (mask != all && !expr_is_statement(e)) {
        expr_node *held = hold(b, g, e, mask);
        if (held != e) return held;
    }
    return expr_b_rewrite(b, e, 0, take_parts, ctx);
}

static ph_status evaluate_parts(grid *g, ph_err *err) {
    int n = g->nparts;
    g->nparts = 0; /* a part is a formula in the axes alone */
    for (int k = 0; k < n; k++) {
        part *p = &g->part[k];
        p->value = _acb_vec_init((slong)p->n);
        unsigned mask = axes_of(g, p->formula);
        memset(g->index, 0, sizeof g->index);
        int64_t at = 0;
        do {
            if (at % POLL == 0 && ph_interrupted()) return ph_fail_interrupted(err);
            ph_status st = value_at(p->value + at++, p->formula, g, FIRST_BITS, err);
            if (st) return st;
        } while (next(g, mask));
    }
    g->nparts = n;
    memset(g->index, 0, sizeof g->index);
    return PH_OK;
}

/* ---- one entry ----------------------------------------------------------------------------------------- */

typedef enum { ENTRY_WITHIN, ENTRY_BEYOND, ENTRY_OPEN } entry_answer;

/* Scratch of a comparison, and its outcome: the deviation in ulps, between `least` and `most`, both rounded up for a reader. What is
 * compared is not rounded: a deviation may exceed 1/2 by less than a double tells. */
typedef struct {
    acb_t v;
    arb_t d;
    arf_t end;
    double least, most;
} entry;

/* The exponent of the ulp of a number of that size. */
static slong ulp_exponent(const arf_t size, const ver_table *t) {
    slong e = arf_is_zero(size) ? t->least : arf_abs_bound_lt_2exp_si(size) - t->bits;
    return e < t->least ? t->least : e;
}

static entry_answer compare(entry *x, double a, const ver_table *t, double ulps) {
    if (!isfinite(a)) {
        x->least = x->most = INFINITY;
        return acb_is_finite(x->v) ? ENTRY_BEYOND : ENTRY_OPEN;
    }
    if (!acb_is_finite(x->v) || !acb_is_real(x->v)) return ENTRY_OPEN;
    arb_srcptr v = acb_realref(x->v);
    arf_set_d(x->end, a);
    arb_sub_arf(x->d, v, x->end, LAST_BITS);
    arb_get_abs_lbound_arf(x->end, v, FIRST_BITS);
    slong small = ulp_exponent(x->end, t);
    arb_get_abs_ubound_arf(x->end, v, FIRST_BITS);
    slong large = ulp_exponent(x->end, t);
    arb_get_abs_ubound_arf(x->end, x->d, LAST_BITS);
    arf_mul_2exp_si(x->end, x->end, -small);
    x->most = arf_get_d(x->end, ARF_RND_UP);
    bool within = arf_cmp_d(x->end, ulps) <= 0;
    arb_get_abs_lbound_arf(x->end, x->d, LAST_BITS);
    arf_mul_2exp_si(x->end, x->end, -large);
    x->least = arf_get_d(x->end, ARF_RND_UP);
    return within ? ENTRY_WITHIN : arf_cmp_d(x->end, ulps) > 0 ? ENTRY_BEYOND : ENTRY_OPEN;
}

/* ---- all entries --------------------------------------------------------------------------------------- */

typedef struct {
    int64_t n, beyond, open;
    double most;                                                 /* largest deviation, rounded up */
    double worst;                                                /* of those beyond */
    int64_t worst_index[VER_MAX_AXES], open_index[VER_MAX_AXES]; /* the first that is open */
    double worst_entry;
    bool undefined; /* there */
} scan;

static ph_status judge(scan *s, entry *x, grid *g, expr_node *rest, expr_node *whole, double a,
                       const ver_table *t, double ulps, ph_err *err) {
    ph_status st = value_at(x->v, rest, g, FIRST_BITS, err);
    entry_answer answer = st ? ENTRY_OPEN : compare(x, a, t, ulps);
    for (slong bits = 2 * FIRST_BITS; !st && answer == ENTRY_OPEN && bits <= LAST_BITS; bits *= 2) {
        st = value_at(x->v, whole, g, bits, err);
        if (!st) answer = compare(x, a, t, ulps);
    }
    if (st) return st;
    if (answer == ENTRY_OPEN && !s->open++) {
        memcpy(s->open_index, g->index, sizeof g->index);
        s->undefined = !acb_is_finite(x->v) || !acb_is_real(x->v);
    } else if (answer == ENTRY_BEYOND && (!s->beyond++ || x->least > s->worst)) {
        s->worst = x->least;
        s->worst_entry = a;
        memcpy(s->worst_index, g->index, sizeof g->index);
    }
    if (answer != ENTRY_OPEN && x->most > s->most) s->most = x->most;
    return PH_OK;
}

static ph_status scan_all(scan *s, grid *g, expr_node *rest, expr_node *whole, const ver_table *t,
                          double ulps, ph_err *err) {
    entry x;
    ph_status st = PH_OK;
    acb_init(x.v);
    arb_init(x.d);
    arf_init(x.end);
    for (int64_t at = 0; at < s->n && !st; at++, next(g, ~0u)) {
        if (at % POLL == 0 && ph_interrupted()) st = ph_fail_interrupted(err);
        else st = judge(s, &x, g, rest, whole, t->value[at], t, ulps, err);
        if (s->open && s->undefined) break; /* nothing will mend it */
    }
    acb_clear(x.v);
    arb_clear(x.d);
    arf_clear(x.end);
    return st;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* "t = 3, i = 0" */
static void point_text(char *text, size_t cap, const ver_axis *axis, int naxes, const int64_t *index) {
    size_t n = 0;
    for (int k = 0; k < naxes && n < cap; k++)
        n += (size_t)snprintf(text + n, cap - n, "%s%s = %lld", k ? ", " : "", axis[k].sym->name,
                              (long long)(axis[k].from + index[k]));
}

/* For all integers t in [0, 4096], i in [0, 63]. */
static ph_status tell_axes(ver_verdict *out, const grid *g, ph_err *err) {
    ver_told *told;
    ph_status st = ver_told_of(&told, out, err);
    if (st) return st;
    told->extent = VER_ENTRIES;
    for (int k = 0; k < g->naxes && !st; k++) {
        const ver_axis *x = &g->axis[k];
        expr_node *lo = NULL, *hi = NULL;
        st = expr_rat(&lo, x->from, 1, err);
        if (!st) st = expr_rat(&hi, x->from + x->count - 1, 1, err);
        if (!st) st = ver_tell_side(told, x->sym, lo, hi, true, err);
        expr_drop(lo);
        expr_drop(hi);
    }
    return st;
}

/* The worst entry: where it is, what it is and what it should be. */
static ph_status tell_worst(ver_verdict *out, const scan *s, const grid *g, char *value, ph_err *err) {
    char number[40];
    ver_told *told;
    ph_status st = ver_told_of(&told, out, err);
    for (int k = 0; k < g->naxes && !st; k++) {
        snprintf(number, sizeof number, "%lld", (long long)(g->axis[k].from + s->worst_index[k]));
        st = ver_tell_value(told, g->axis[k].sym->name, number, false, err);
    }
    if (st) {
        ph_free(value);
        return st;
    }
    told->kind = VER_ENTRY;
    told->beyond = s->beyond;
    snprintf(number, sizeof number, "%.17g", isnan(s->worst_entry) ? NAN : s->worst_entry); /* not "-nan" */
    return ver_tell_sides(told, ph_strdup(number), value, err);
}

static ph_status say_refuted(ver_verdict *out, const scan *s, grid *g, expr_node *whole, ph_err *err) {
    acb_t v;
    acb_init(v);
    memcpy(g->index, s->worst_index, sizeof g->index);
    ph_status st = value_at(v, whole, g, 2 * FIRST_BITS, err);
    if (!st) st = tell_worst(out, s, g, ver_acb_text(v, 20), err);
    acb_clear(v);
    ver_decide(out, VER_REFUTED);
    out->has_value = true;
    out->value = s->worst;
    return st;
}

static ph_status say(ver_verdict *out, const scan *s, grid *g, expr_node *whole, ph_err *err) {
    char text[800], point[600];
    if (s->beyond) return say_refuted(out, s, g, whole, err);
    if (s->open) {
        point_text(point, sizeof point, g->axis, g->naxes, s->open_index);
        snprintf(text, sizeof text,
                 s->undefined ? "no real number at %s" : "%s is not decided with 8192 bits", point);
        return ver_say_unknown(out, s->undefined ? VER_DOMAIN : VER_OUT_OF_BUDGET, text, err);
    }
    ph_status st = ver_trust_cover(out, &(ver_cover){s->n, 0, s->beyond + s->open}, err);
    if (st) return st;
    out->has_value = true;
    out->value = s->most;
    return tell_axes(out, g, err);
}

/* ---- the door ------------------------------------------------------------------------------------------ */

static ph_status check_axes(int64_t *n, const expr_node *f, const ver_axis *axis, int naxes, ph_err *err) {
    expr_set atoms = {0};
    ph_status st = PH_OK;
    *n = 1;
    if (naxes < 1 || naxes > VER_MAX_AXES)
        return ph_fail(err, PH_EARG, "certify_table: %d axes; wanted 1 to %d", naxes, VER_MAX_AXES);
    if (expr_is_statement(f))
        return ph_fail(err, PH_EARG, "certify_table: the formula is a statement; wanted its value");
    for (int k = 0; k < naxes; k++) {
        expr_kind kind = axis[k].sym->kind;
        if (axis[k].count < 0 || (axis[k].count && *n > INT64_MAX / axis[k].count))
            return ph_fail(err, PH_EARG, "certify_table: too many points");
        if ((kind == EXPR_NATURAL || kind == EXPR_POSITIVE) && axis[k].from < 1)
            return ph_fail(err, PH_EARG, "certify_table: %s is %s, yet its axis begins at %lld",
                           axis[k].sym->name, expr_kind_name(kind), (long long)axis[k].from);
        for (int j = 0; j < k; j++)
            if (expr_same(axis[j].sym, axis[k].sym))
                return ph_fail(err, PH_EARG, "certify_table: %s has two axes", axis[k].sym->name);
        *n *= axis[k].count;
    }
    PH_TRY(expr_symbols(&atoms, f, err));
    for (int i = 0; i < atoms.n && !st; i++) {
        bool known = false;
        for (int k = 0; k < naxes; k++) known = known || expr_same(atoms.item[i], axis[k].sym);
        const expr_node *sym = atoms.item[i]->op == EXPR_AT ? atoms.item[i]->arg[0] : atoms.item[i];
        if (!known) st = ph_fail(err, PH_EARG, "certify_table: the symbol %s has no axis", sym->name);
    }
done:
    expr_set_clear(&atoms);
    return st;
}

static ph_status state(ver_verdict *out, const expr_node *f, double ulps, int64_t n, ph_err *err) {
    char *text = NULL;
    ph_status st;
    PH_TRY(expr_text(&text, f, 400, err));
    PH_TRY(ver_set(&out->statement, err, "the table is %s within %.6g ulp", text, ulps));
    st = ver_set(&out->method, err, "a ball for every entry");
done:
    ph_free(text);
    out->bound = ulps;
    out->size = n;
    out->unit = "ulp";
    return st;
}

ph_status ver_certify_table(ver_verdict *out, expr_node *f, const ver_axis *axis, int naxes,
                            const ver_table *table, double ulps, ph_err *err) {
    double start = ph_clock();
    grid g = {.axis = axis, .naxes = naxes};
    scan s = {0};
    expr_node *rest = NULL;
    ver_init(out);
    ph_status st = check_axes(&s.n, f, axis, naxes, err);
    if (!st && !(isfinite(ulps) && ulps >= 0))
        st = ph_fail(err, PH_EARG, "certify_table: the bound is no finite number from 0");
    if (!st) st = state(out, f, ulps, s.n, err);
    if (st) return st;
    if (!s.n) return ver_say_unknown(out, VER_NEEDS_DATA, "the table has no entry", err);
    expr_builder b = EXPR_BUILDER(err);
    rest = take_parts(&b, f, &g);
    PH_TRY(b.st);
    PH_TRY(evaluate_parts(&g, err));
    PH_TRY(scan_all(&s, &g, rest, f, table, ulps, err));
    st = say(out, &s, &g, f, err);
done:
    for (int p = 0; p < MAX_PARTS; p++)
        if (g.part[p].value) _acb_vec_clear(g.part[p].value, (slong)g.part[p].n);
    ph_status end = expr_b_end(&b, NULL, NULL);
    out->time = ph_clock() - start;
    return st ? st : end;
}
