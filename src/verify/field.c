/* field.c: values at points of a box, and the range of a formula over a piece of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/box.h"
#include "verify/holes.h"
#include "verify/prove.h"
#include "verify/told.h"
#include "verify/wide.h"

/* ---- points -------------------------------------------------------------------------------------------- */

void ver_point_init(ver_point *p, const ver_box *box) {
    *p = (ver_point){.box = box};
    for (int i = 0; i < box->n; i++) arb_init(p->v[i]);
}

void ver_point_clear(ver_point *p) {
    for (int i = 0; i < p->box->n; i++) arb_clear(p->v[i]);
}

static bool no_atoms(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)ctx, (void)v, (void)atom, (void)prec;
    return false;
}

/* Variable i becomes the exact end that the formula e is. */
static ph_status set_formula(ver_point *p, int i, expr_node *e, slong prec, ph_err *err) {
    acb_t z;
    acb_init(z);
    ph_status st = ver_ball(z, e, no_atoms, NULL, prec, err);
    arb_set(p->v[i], acb_realref(z));
    p->formula[i] = e;
    acb_clear(z);
    return st;
}

static void set_exact(ver_point *p, int i, const arf_t x) {
    arb_set_arf(p->v[i], x);
    p->formula[i] = NULL;
}

ph_status ver_point_piece(ver_point *p, const ver_piece *piece, slong prec, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < p->box->n && !st; i++) {
        const ver_side *s = &piece->side[i];
        if (p->box->fixed[i] && !p->box->integer[i]) st = set_formula(p, i, p->box->range[i].lo, prec, err);
        else if (arf_equal(s->a, s->b)) set_exact(p, i, s->a);
        else {
            ver_set_interval(p->v[i], s->a, s->b, prec);
            p->formula[i] = NULL;
        }
    }
    return st;
}

ph_status ver_point_mid(ver_point *p, const ver_piece *piece, slong prec, ph_err *err) {
    ph_status st = PH_OK;
    arf_t m;
    arf_init(m);
    for (int i = 0; i < p->box->n && !st; i++) {
        if (p->box->fixed[i] && !p->box->integer[i]) st = set_formula(p, i, p->box->range[i].lo, prec, err);
        else {
            ver_side_mid(m, &piece->side[i], p->box->integer[i]);
            set_exact(p, i, m);
        }
    }
    arf_clear(m);
    return st;
}

ph_status ver_point_end(ver_point *p, const ver_piece *piece, int i, int upper, slong prec, ph_err *err) {
    const ver_side *s = &piece->side[i];
    const ver_range *r = &p->box->range[i];
    if (upper ? s->b_end : s->a_end) return set_formula(p, i, upper ? r->hi : r->lo, prec, err);
    set_exact(p, i, upper ? s->b : s->a);
    return PH_OK;
}

ph_status ver_point_corner(ver_point *p, const ver_piece *piece, int corner, slong prec, ph_err *err) {
    ph_status st = ver_point_mid(p, piece, prec, err); /* for the variables that do not vary */
    for (int i = 0; i < p->box->n && !st; i++)
        if (!p->box->fixed[i]) st = ver_point_end(p, piece, i, corner >> i & 1, prec, err);
    return st;
}

static bool point_atom(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    const ver_point *p = ctx;
    (void)prec;
    for (int i = 0; i < p->box->n; i++)
        if (expr_same(p->box->range[i].sym, atom)) {
            acb_set_arb(v, p->v[i]);
            return true;
        }
    return false;
}

ph_status ver_point_ball(acb_t out, ver_mode mode, const expr_node *e, ver_point *p, slong prec,
                         ph_err *err) {
    ph_status st = ver_ball_as(out, mode, e, point_atom, p, prec, err);
    if (ph_is_open(st)) {
        acb_indeterminate(out);
        st = PH_OK;
    }
    return st;
}

/* The exact value of variable i as a fraction, when v is one (and not too long to be read). */
static bool exact_value(fmpq_t q, const ver_point *p, int i) {
    if (!arb_is_exact(p->v[i]) || arf_bits(arb_midref(p->v[i])) > 200 ||
        arf_cmpabs_2exp_si(arb_midref(p->v[i]), 200) > 0 ||
        (!arb_is_zero(p->v[i]) && arf_cmpabs_2exp_si(arb_midref(p->v[i]), -200) < 0))
        return false;
    arf_get_fmpq(q, arb_midref(p->v[i]));
    return true;
}

ph_status ver_point_tell_exact(ver_told *t, const ver_point *p, ph_err *err) {
    ph_status st = PH_OK;
    for (int i = 0; i < p->box->n && !st; i++) {
        char *name = NULL, *value = NULL, *exact = NULL;
        fmpq_t q;
        fmpq_init(q);
        st = expr_text(&name, p->box->range[i].sym, 40, err);
        if (!st && p->formula[i]) st = expr_text(&value, p->formula[i], 80, err);
        else if (!st && exact_value(q, p, i)) exact = fmpq_get_str(NULL, 10, q);
        else if (!st) exact = arb_get_str(p->v[i], 15, ARB_STR_NO_RADIUS);
        if (!st) st = ver_tell_value(t, name, value ? value : exact, false, err);
        flint_free(exact);
        ph_free(value);
        ph_free(name);
        fmpq_clear(q);
    }
    return st;
}

ph_status ver_point_say(char **out, const ver_point *p, ph_err *err) {
    ver_told *t = ph_calloc(1, sizeof *t);
    if (!t) return ph_fail_nomem(err, sizeof *t);
    ph_status st = ver_point_tell_exact(t, p, err);
    if (!st) st = ver_told_point(out, t, err);
    ver_told_drop(t);
    return st;
}

/* e with the exact values put in; *out NULL when one does not fit a formula. */
static ph_status put_in(expr_node **out, expr_node *e, const ver_point *p, ph_err *err) {
    expr_node *now = expr_ref(e), *value = NULL, *next = NULL;
    ph_status st = PH_OK;
    fmpq_t q;
    fmpq_init(q);
    *out = NULL;
    for (int i = 0; i < p->box->n; i++) {
        expr_node *v = p->formula[i];
        if (!v) {
            if (!exact_value(q, p, i) || !ver_fmpz_fits(fmpq_numref(q)) || !ver_fmpz_fits(fmpq_denref(q)))
                goto done;
            PH_TRY(expr_rat(&value, ver_fmpz_get(fmpq_numref(q)), ver_fmpz_get(fmpq_denref(q)), err));
            v = value;
        }
        PH_TRY(expr_subst(&next, now, p->box->range[i].sym, v, err));
        expr_drop(now);
        now = next;
        expr_drop(value);
        value = NULL;
    }
    *out = expr_ref(now);
done:
    expr_drop(now);
    expr_drop(value);
    fmpq_clear(q);
    return st;
}

ph_status ver_point_proves_zero(bool *out, expr_node *f, const ver_point *p, ph_err *err) {
    expr_node *e = NULL, *zero = NULL, *s = NULL;
    ver_verdict v;
    ver_init(&v);
    *out = false;
    ph_status st = put_in(&e, f, p, err);
    if (!st && e) {
        PH_TRY(expr_rat(&zero, 0, 1, err));
        PH_TRY(expr_make2(&s, EXPR_EQ, e, zero, err));
        PH_TRY(ver_prove(&v, s, NULL, err));
        *out = v.strength == VER_PROVED;
    }
done:
    expr_drop(e);
    expr_drop(zero);
    expr_drop(s);
    ver_clear(&v);
    /* the proof is only an attempt: what it cannot do is not an error */
    return ph_is_fatal(st) ? st : PH_OK;
}

/* ---- fields -------------------------------------------------------------------------------------------- */

ph_status ver_field_new(ver_field **out, expr_node *f, ph_err *err) {
    *out = ph_calloc(1, sizeof **out);
    if (!*out) return ph_fail_nomem(err, sizeof **out);
    (*out)->f = expr_ref(f);
    return PH_OK;
}

void ver_field_free(ver_field *f, int n) {
    if (!f) return;
    for (int i = 0; i < n; i++) ver_field_free(f->d[i], n);
    expr_drop(f->f);
    ph_free(f);
}

ph_status ver_field_diff(ver_field **out, ver_field *f, const ver_box *box, int i, ph_err *err) {
    ph_err why = {0};
    expr_node *d = NULL;
    *out = f->d[i];
    if (*out || f->rough) return PH_OK;
    ph_status st = expr_diff(&d, f->f, box->range[i].sym, &why);
    if (!st) st = ver_field_new(&f->d[i], d, err);
    else if (ph_is_fatal(st)) st = ph_fail(err, st, "%s", why.text);
    else {
        f->rough = true;
        st = PH_OK;
    }
    expr_drop(d);
    *out = f->d[i];
    return st;
}

void ver_seen_init(ver_seen *s) {
    arf_init(s->low);
    arf_init(s->high);
    arf_pos_inf(s->low);
    arf_neg_inf(s->high);
}

void ver_seen_clear(ver_seen *s) {
    arf_clear(s->low);
    arf_clear(s->high);
}

#define RIM 64 /* bits of an end of a range, beyond the precision of the piece */

void ver_hull_init(ver_hull *h) {
    arf_init(h->a);
    arf_init(h->b);
    arf_nan(h->a);
    arf_nan(h->b);
}

void ver_hull_clear(ver_hull *h) {
    arf_clear(h->a);
    arf_clear(h->b);
}

bool ver_hull_is_finite(const ver_hull *h) { return arf_is_finite(h->a) && arf_is_finite(h->b); }
bool ver_hull_contains_zero(const ver_hull *h) {
    return !ver_hull_is_finite(h) || (arf_sgn(h->a) <= 0 && arf_sgn(h->b) >= 0);
}

static void hull_of(ver_hull *h, const arb_t x, slong prec) {
    if (arb_is_finite(x)) arb_get_interval_arf(h->a, h->b, x, prec + RIM);
    else {
        arf_nan(h->a);
        arf_nan(h->b);
    }
}

/* x contains a value of f. */
static void see(ver_seen *seen, const arb_t x, slong prec) {
    if (!seen || !arb_is_finite(x)) return;
    ver_hull h;
    ver_hull_init(&h);
    hull_of(&h, x, prec);
    if (arf_cmp(h.b, seen->low) < 0) arf_set(seen->low, h.b);
    if (arf_cmp(h.a, seen->high) > 0) arf_set(seen->high, h.a);
    ver_hull_clear(&h);
}

/* f's real value at a point; not finite when it is not real. */
static ph_status value_at(arb_t out, ver_mode mode, ver_field *f, ver_point *p, slong prec, ph_err *err) {
    acb_t z;
    acb_init(z);
    ph_status st = ver_point_ball(z, mode, f->f, p, prec, err);
    if (!st && acb_is_finite(z) && acb_is_real(z)) arb_swap(out, acb_realref(z));
    else arb_indeterminate(out);
    acb_clear(z);
    return st;
}

ph_status ver_field_see_corners(ver_seen *seen, ver_field *f, const ver_box *box, const ver_piece *piece,
                                ph_err *err) {
    ver_point p;
    arb_t y;
    arb_init(y);
    ver_point_init(&p, box);
    ph_status st = PH_OK;
    for (int c = 0; box->n <= VER_CORNERS && c < 1 << box->n; c++) {
        PH_TRY(ver_point_corner(&p, piece, c, piece->prec, err));
        PH_TRY(value_at(y, VER_VALUE, f, &p, piece->prec, err));
        see(seen, y, piece->prec);
    }
done:
    ver_point_clear(&p);
    arb_clear(y);
    return st;
}

/* Cuts away the part of out below (side 0) or above (side 1) the ball x. */
static void trim(ver_hull *out, const arb_t x, int side, slong prec) {
    if (!arb_is_finite(x)) return;
    ver_hull h;
    ver_hull_init(&h);
    hull_of(&h, x, prec);
    if (side == 0 && arf_cmp(h.a, out->a) > 0 && arf_cmp(h.a, out->b) <= 0) arf_set(out->a, h.a);
    if (side == 1 && arf_cmp(h.b, out->b) < 0 && arf_cmp(h.b, out->a) >= 0) arf_set(out->b, h.b);
    ver_hull_clear(&h);
}

typedef struct {
    ver_field *f;
    const ver_box *box;
    const ver_piece *piece;
    int depth;
    ver_point whole, mid;
    ver_hull d[VER_MAX_VARS]; /* the derivatives over the piece */
} ranger;

static bool varies(const ranger *r, int i) {
    return !r->box->fixed[i] && !arf_equal(r->piece->side[i].a, r->piece->side[i].b);
}

/* The derivatives; *ok: all are finite. One that is not, or that was not reached, weighs without bound: it must be cut too. */
static ph_status derivatives(ranger *r, bool *ok, double *weight, ph_err *err) {
    ph_status st = PH_OK;
    *ok = true;
    for (int i = 0; i < r->box->n && weight; i++) weight[i] = varies(r, i) ? INFINITY : 0;
    for (int i = 0; i < r->box->n && *ok; i++) {
        ver_field *d;
        if (!varies(r, i)) continue;
        PH_TRY(ver_field_diff(&d, r->f, r->box, i, err));
        if (!d) {
            *ok = false;
            break;
        }
        PH_TRY(ver_field_range(&r->d[i], NULL, NULL, d, r->box, r->piece, r->depth - 1, err));
        *ok = ver_hull_is_finite(&r->d[i]);
        if (*ok && weight)
            weight[i] = fmax(fabs(arf_get_d(r->d[i].a, ARF_RND_UP)), fabs(arf_get_d(r->d[i].b, ARF_RND_UP)));
    }
done:
    return st;
}

/* f(m) + Σ ∂f/∂x_i·(x_i − m_i): by the mean-value theorem it contains f. */
static ph_status mean_value(ver_hull *out, ranger *r, ver_seen *seen, ph_err *err) {
    slong prec = r->piece->prec;
    arb_t t, m, d;
    arb_init(t);
    arb_init(m);
    arb_init(d);
    ph_status st = PH_OK;
    PH_TRY(ver_point_mid(&r->mid, r->piece, prec, err));
    PH_TRY(value_at(m, VER_VALUE, r->f, &r->mid, prec, err));
    see(seen, m, prec);
    for (int i = 0; i < r->box->n; i++) {
        if (!varies(r, i)) continue;
        ver_set_interval(d, r->d[i].a, r->d[i].b, prec);
        arb_sub(t, r->whole.v[i], r->mid.v[i], prec);
        arb_addmul(m, t, d, prec);
    }
    for (int side = 0; side < 2; side++) trim(out, m, side, prec);
done:
    arb_clear(t);
    arb_clear(m);
    arb_clear(d);
    return st;
}

/* Along variables with a derivative of one sign the least (side 0) or greatest (side 1) value is at an end. */
static ph_status from_ends(ver_hull *out, ranger *r, ver_seen *seen, int side, ph_err *err) {
    slong prec = r->piece->prec;
    bool corner = true, zero = false;
    arb_t x;
    arb_init(x);
    ph_status st = PH_OK;
    PH_TRY(ver_point_piece(&r->mid, r->piece, prec, err));
    for (int i = 0; i < r->box->n; i++) {
        if (!varies(r, i)) continue;
        bool up = arf_sgn(r->d[i].a) >= 0;
        if (up || arf_sgn(r->d[i].b) <= 0)
            PH_TRY(ver_point_end(&r->mid, r->piece, i, up == (side == 1), prec, err));
        else corner = false;
    }
    PH_TRY(value_at(x, VER_VALUE, r->f, &r->mid, prec, err));
    if (corner && arb_contains_zero(x) && !arb_is_zero(x) && arb_is_finite(x) &&
        mag_cmp_2exp_si(arb_radref(x), -prec / 2) < 0) {
        PH_TRY(ver_point_proves_zero(&zero, r->f->f, &r->mid, err));
        if (zero) arb_zero(x);
    }
    see(seen, x, prec);
    trim(out, x, side, prec);
done:
    arb_clear(x);
    return st;
}

ph_status ver_field_range(ver_hull *out, ver_seen *seen, double *weight, ver_field *f, const ver_box *box,
                          const ver_piece *piece, int depth, ph_err *err) {
    ranger r = {.f = f, .box = box, .piece = piece, .depth = depth};
    bool smooth, one_sign = false;
    arb_t y;
    arb_init(y);
    ver_point_init(&r.whole, box);
    ver_point_init(&r.mid, box);
    for (int i = 0; i < box->n; i++) {
        ver_hull_init(&r.d[i]);
        if (weight) weight[i] = 0;
    }
    ph_status st = PH_OK;
    if (f->holes) {
        bool hole;
        PH_TRY(ver_holes_range(&hole, y, VER_VALUE, f->holes, box, piece, err));
        if (hole) {
            for (int i = 0; i < box->n && weight; i++) weight[i] = varies(&r, i) ? INFINITY : 0;
            see(seen, y, piece->prec);
            hull_of(out, y, piece->prec);
            goto done;
        }
    }
    PH_TRY(ver_point_piece(&r.whole, piece, piece->prec, err));
    PH_TRY(value_at(y, VER_SMOOTH, f, &r.whole, piece->prec, err));
    smooth = arb_is_finite(y);
    if (!smooth) PH_TRY(value_at(y, VER_VALUE, f, &r.whole, piece->prec, err));
    see(seen, y, piece->prec);
    hull_of(out, y, piece->prec);
    if (!smooth || depth <= 0) goto done;
    if (!seen && !weight && !ver_hull_contains_zero(out))
        goto done; /* only the sign is wanted, and it is known */
    PH_TRY(derivatives(&r, &smooth, weight, err));
    if (!smooth) goto done;
    PH_TRY(mean_value(out, &r, seen, err));
    for (int i = 0; i < box->n; i++)
        one_sign = one_sign || (varies(&r, i) && (arf_sgn(r.d[i].a) >= 0 || arf_sgn(r.d[i].b) <= 0));
    for (int side = 0; side < 2 && one_sign; side++) PH_TRY(from_ends(out, &r, seen, side, err));
done:
    for (int i = 0; i < box->n; i++) ver_hull_clear(&r.d[i]);
    ver_point_clear(&r.whole);
    ver_point_clear(&r.mid);
    arb_clear(y);
    return st;
}

ph_status ver_field_smooth(bool *out, ver_field *f, const ver_box *box, const ver_piece *piece, ph_err *err) {
    ver_point p;
    arb_t x;
    arb_init(x);
    ver_point_init(&p, box);
    ph_status st = ver_point_piece(&p, piece, piece->prec, err);
    if (!st) st = value_at(x, VER_SMOOTH, f, &p, piece->prec, err);
    *out = !st && arb_is_finite(x);
    ver_point_clear(&p);
    arb_clear(x);
    return st;
}
