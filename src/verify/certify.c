/* certify.c: a statement for all points of a box.
 *
 * A piece of the box is settled when the range of lhs − rhs over it decides the statement; else its middle is tried as a
 * witness, and it is cut.
 */
#include "verify/certify.h"

#include <string.h>

#include "verify/box.h"
#include "verify/holes.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/touching.h"
#include "verify/told.h"
#include "verify/trust.h"

#define START_PREC 64
#define MAX_BOXES  20000
#define SHARE      0.6 /* of the meter for boxes; the rest is for a proof where they did not settle */
#define HOLE_DEPTH 24  /* of a piece with a hole: what its limit does not decide by then, it will not */
#define MAX_DEPTH  100 /* cuts of one piece: below 2^-100 of the box, nothing more is expected */
#define POINT_PREC 1024
#define MAX_PREC   4096
#define PROGRESS   256 /* boxes between two reports */

typedef struct {
    expr_node *s; /* as given */
    expr_op op;
    ver_field *g; /* lhs − rhs */
    arb_t radius; /* of an equality */
    ver_box box;
    ver_queue queue;
    int order; /* of derivatives used */
    ver_holes holes;
    int64_t budget, done;
    const ver_budget *asked;
    bool settled; /* the verdict is written */
    bool stuck;   /* … as undecided, for want of boxes */
} search;

/* ---- one range ----------------------------------------------------------------------------------------- */

/* The statement for every value of lhs − rhs in the interval: true, false for every one, or undecided. */
static ver_truth truth_of(const search *s, const ver_hull *g) {
    if (!ver_hull_is_finite(g)) return VER_UNDECIDED;
    int a = arf_sgn(g->a), b = arf_sgn(g->b);
    switch (s->op) {
    case EXPR_LT: return b < 0 ? VER_TRUE : a >= 0 ? VER_FALSE : VER_UNDECIDED;
    case EXPR_LE: return b <= 0 ? VER_TRUE : a > 0 ? VER_FALSE : VER_UNDECIDED;
    case EXPR_GT: return a > 0 ? VER_TRUE : b <= 0 ? VER_FALSE : VER_UNDECIDED;
    case EXPR_GE: return a >= 0 ? VER_TRUE : b < 0 ? VER_FALSE : VER_UNDECIDED;
    case EXPR_NE: return a > 0 || b < 0 ? VER_TRUE : a == 0 && b == 0 ? VER_FALSE : VER_UNDECIDED;
    default: break;
    }
    ver_hull r; /* −radius … radius: r.a is certainly in it, r.b certainly not below it */
    ver_hull_init(&r);
    arb_get_lbound_arf(r.a, s->radius, 256);
    arb_get_ubound_arf(r.b, s->radius, 256);
    bool inside = arf_cmpabs(g->a, r.a) <= 0 && arf_cmpabs(g->b, r.a) <= 0 && arf_sgn(r.a) >= 0;
    bool outside = (a > 0 && arf_cmp(g->a, r.b) > 0) || (b < 0 && arf_cmpabs(g->b, r.b) > 0);
    ver_hull_clear(&r);
    return inside ? VER_TRUE : outside ? VER_FALSE : VER_UNDECIDED;
}

/* eq and ne of values that need not be real. */
static ver_truth complex_truth(const search *s, const acb_t z) {
    if (!acb_is_finite(z)) return VER_UNDECIDED;
    if (s->op == EXPR_NE)
        return !acb_contains_zero(z) ? VER_TRUE : acb_is_zero(z) ? VER_FALSE : VER_UNDECIDED;
    arb_t size;
    arb_init(size);
    acb_abs(size, z, 128);
    ver_truth t = arb_le(size, s->radius) ? VER_TRUE : arb_gt(size, s->radius) ? VER_FALSE : VER_UNDECIDED;
    arb_clear(size);
    return t;
}

/* ---- points -------------------------------------------------------------------------------------------- */

static ph_status undefined_at(ver_verdict *out, search *s, ver_point *p, const char *what, ph_err *err) {
    char *where = NULL;
    ph_status st = ver_point_say(&where, p, err);
    out->strength = VER_UNKNOWN;
    out->reason = VER_DOMAIN;
    s->settled = true;
    if (!st) st = ver_set(&out->reason_text, err, "%s%s%s", what, *where ? " at " : "", where);
    ph_free(where);
    return st;
}

static ph_status witness(ver_verdict *out, search *s, ver_point *p, ph_err *err) {
    char *l = NULL, *r = NULL;
    ver_told *told;
    acb_t x, y;
    acb_init(x);
    acb_init(y);
    ph_status st = PH_OK;
    PH_TRY(ver_point_ball(x, VER_VALUE, s->s->arg[0], p, 192, err));
    PH_TRY(ver_point_ball(y, VER_VALUE, s->s->arg[1], p, 192, err));
    if (s->op >= EXPR_LT && (!arb_contains_zero(acb_imagref(x)) || !arb_contains_zero(acb_imagref(y)))) {
        st = undefined_at(out, s, p, "the sides are not both real", err); /* though what they differ by is */
        goto done;
    }
    PH_TRY(ver_told_of(&told, out, err));
    PH_TRY(ver_point_tell_exact(told, p, err));
    ver_decide(out, VER_REFUTED);
    s->settled = true;
    PH_TRY(ver_set(&out->method, err, "balls at an exact point of the box"));
    ver_sides_text(&l, &r, x, y, 10);
    st = ver_tell_sides(told, l, r, err); /* owns them from here on */
done:
    acb_clear(x);
    acb_clear(y);
    return st;
}

/* Tries one exact point, the middle (corner < 0) or a corner: a witness, or a point where lhs or rhs is undefined or not real, settles the verdict. noise (or
 * NULL): the radius of lhs − rhs there, which precision alone would lessen. */
static ph_status try_point(ver_verdict *out, search *s, const ver_piece *piece, int corner, mag_t noise,
                           ph_err *err) {
    ver_point p;
    acb_t z;
    ver_hull h;
    acb_init(z);
    ver_hull_init(&h);
    ver_point_init(&p, &s->box);
    ph_status st = PH_OK;
    bool finite = false, complex = false, zero = false;
    for (slong prec = piece->prec; !finite; prec *= 4) {
        PH_TRY(corner < 0 ? ver_point_mid(&p, piece, prec, err)
                          : ver_point_corner(&p, piece, corner, prec, err));
        PH_TRY(ver_point_ball(z, VER_VALUE, s->g->f, &p, prec, err));
        finite = acb_is_finite(z);
        if (prec >= POINT_PREC) break;
    }
    complex = finite && !arb_contains_zero(acb_imagref(z));
    if (!finite && ver_holes_at(&s->holes, &p)) goto done;
    if (!finite) st = undefined_at(out, s, &p, "a side is undefined, or its value is not decided,", err);
    else if (complex && s->op >= EXPR_LT) st = undefined_at(out, s, &p, "the sides are not both real", err);
    else if (acb_is_real(z)) {
        if (corner >= 0 && arb_contains_zero(acb_realref(z)) && !acb_is_exact(z))
            PH_TRY(ver_point_proves_zero(&zero, s->g->f, &p, err));
        if (zero) acb_zero(z);
        arb_get_interval_arf(h.a, h.b, acb_realref(z), 2 * POINT_PREC);
        if (truth_of(s, &h) == VER_FALSE) st = witness(out, s, &p, err);
    } else if (s->op <= EXPR_NE && complex_truth(s, z) == VER_FALSE) st = witness(out, s, &p, err);
    if (noise) mag_set(noise, arb_radref(acb_realref(z)));
done:
    ver_point_clear(&p);
    ver_hull_clear(&h);
    acb_clear(z);
    return st;
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static ph_status complex_piece(ver_truth *t, search *s, const ver_piece *piece, ph_err *err) {
    ver_point p;
    acb_t z;
    acb_init(z);
    ver_point_init(&p, &s->box);
    ph_status st;
    PH_TRY(ver_point_piece(&p, piece, piece->prec, err));
    PH_TRY(ver_point_ball(z, VER_VALUE, s->g->f, &p, piece->prec, err));
    if (complex_truth(s, z) == VER_TRUE) *t = VER_TRUE;
done:
    ver_point_clear(&p);
    acb_clear(z);
    return st;
}

static ph_status stuck(ver_verdict *out, search *s, const ver_piece *piece, bool finite, ph_err *err) {
    char *where = NULL;
    ph_status st = ver_piece_text(&where, &s->box, piece, err);
    out->strength = VER_UNKNOWN;
    out->reason = finite ? VER_OUT_OF_BUDGET : VER_DOMAIN;
    s->settled = s->stuck = true;
    if (!st)
        st = ver_set(&out->reason_text, err,
                     finite ? "undecided after %lld boxes for %s"
                            : "undefined, or not decided to be defined, after %lld boxes for %s",
                     (long long)s->done, where);
    ph_free(where);
    return st;
}

/* Settles the piece, settles the whole verdict, or cuts the piece; where rounding is most of the ball, precision is doubled
 * in place of a cut. */
static ph_status treat(ver_verdict *out, search *s, ver_piece *piece, ph_err *err) {
    double weight[VER_MAX_VARS];
    ver_hull g;
    arf_t width;
    mag_t noise;
    ver_hull_init(&g);
    arf_init(width);
    mag_init(noise);
    ph_status st = PH_OK;
    PH_TRY(ver_field_range(&g, NULL, weight, s->g, &s->box, piece, s->order, err));
    ver_truth t = truth_of(s, &g);
    if (t == VER_UNDECIDED && s->op <= EXPR_NE && !ver_hull_is_finite(&g))
        PH_TRY(complex_piece(&t, s, piece, err));
    if (t == VER_TRUE) goto done;
    PH_TRY(try_point(out, s, piece, -1, noise, err));
    if (s->settled) goto done;
    int i = ver_piece_widest(&s->box, piece, weight);
    mag_mul_2exp_si(noise, noise, 4);
    arf_sub(width, g.b, g.a, 64, ARF_RND_UP);
    bool rounding = i < 0 || (arf_is_finite(width) && arf_cmpabs_mag(width, noise) < 0);
    bool at_hole = piece->depth >= HOLE_DEPTH && ver_holes_touch(&s->holes, piece);
    if (s->done >= s->budget || ver_meter_is_beyond(SHARE) || piece->depth >= MAX_DEPTH || at_hole ||
        (i < 0 && piece->prec >= MAX_PREC)) {
        st = stuck(out, s, piece, ver_hull_is_finite(&g), err);
        goto done;
    }
    if (rounding && piece->prec < MAX_PREC) {
        piece->prec *= 2;
        st = ver_queue_again(&s->queue, piece, err);
    } else st = ver_queue_split(&s->queue, &s->box, piece, i, err);
done:
    ver_hull_clear(&g);
    arf_clear(width);
    mag_clear(noise);
    return st;
}

static ph_status run(ver_verdict *out, search *s, ph_err *err) {
    ph_status st = ver_queue_whole(&s->queue, &s->box, START_PREC, err);
    for (int c = 0; !st && !s->settled && s->box.n <= VER_CORNERS && c < 1 << s->box.n; c++)
        st = try_point(out, s, &s->queue.item[s->queue.head], c, NULL, err);
    while (!st && !s->settled && s->queue.head < s->queue.end) {
        if (ph_interrupted()) return ph_fail_interrupted(err);
        ver_piece piece = ver_queue_take(&s->queue);
        s->done++;
        st = treat(out, s, &piece, err);
        ver_piece_drop(&piece, s->box.n);
        if (s->asked && s->asked->on && s->done % PROGRESS == 0)
            s->asked->on(s->asked->ctx, s->done, s->queue.end - s->queue.head);
    }
    return st;
}

/* ---- the door ------------------------------------------------------------------------------------------ */

static ph_status check_radius(search *s, expr_node *radius, ph_err *err) {
    acb_t z;
    ver_point none;
    ver_box empty = {.n = 0};
    if (s->op != EXPR_EQ)
        return radius ? ph_fail(err, PH_EARG, "certify: a radius goes with an equality, eq(f, g)") : PH_OK;
    if (!radius)
        return ph_fail(
            err, PH_EARG,
            "certify: balls show an equality up to a radius only; add {radius = rat(\"1e-9\")}, or use prove");
    if (!expr_is_constant(radius))
        return ph_fail(err, PH_EARG,
                       "certify: the radius is no constant; wanted a number such as rat(1, 1000)");
    acb_init(z);
    ver_point_init(&none, &empty);
    ph_status st = ver_point_ball(z, VER_VALUE, radius, &none, 128, err);
    if (!st && !(acb_is_finite(z) && acb_is_real(z) && arb_is_nonnegative(acb_realref(z))))
        st = ph_fail(err, PH_EARG, "certify: the radius is no finite number from 0");
    arb_set(s->radius, acb_realref(z));
    ver_point_clear(&none);
    acb_clear(z);
    return st;
}

static ph_status say_statement(ver_verdict *out, const expr_node *s, expr_node *radius, ph_err *err) {
    static const char *const sign[] = {"=", "!=", "<", "<=", ">", ">="};
    char *l = NULL, *r = NULL, *e = NULL;
    ph_status st = PH_OK;
    PH_TRY(expr_text(&l, s->arg[0], 400, err));
    PH_TRY(expr_text(&r, s->arg[1], 400, err));
    if (s->op == EXPR_EQ) PH_TRY(expr_text(&e, radius, 60, err));
    if (e) st = ver_set(&out->statement, err, "|%s - (%s)| <= %s", l, r, e);
    else st = ver_set(&out->statement, err, "%s %s %s", l, sign[s->op - EXPR_EQ], r);
done:
    ph_free(l);
    ph_free(r);
    ph_free(e);
    return st;
}

static ph_status say_certified(ver_verdict *out, search *s, ph_err *err) {
    ver_told *told;
    ph_status st = ver_trust_cover(out, &(ver_cover){s->done, s->queue.end - s->queue.head, 0}, err);
    if (!st) st = ver_set(&out->method, err, "ball arithmetic with mean-value forms");
    if (!st) st = ver_box_tell(&told, out, &s->box, VER_OVER, err);
    return st ? st : ver_holes_tell(told, &s->holes, &s->box, err);
}

/* Pieces that never settle, everywhere defined as far as was seen: the sides may touch. Takes the proof in place of *out. */
static ph_status try_proof(ver_verdict *out, search *s, const ver_ranges *ranges, ph_err *err) {
    ver_verdict v;
    bool proved;
    ph_status st = ver_prove_on_box(&proved, &v, s->s, ranges, err);
    if (!st && proved) {
        ver_verdict undecided = *out;
        *out = v;
        v = undecided;
        if (s->s->op == EXPR_EQ) st = ver_set(&out->statement, err, "%s", v.statement); /* with its radius */
    }
    ver_clear(&v);
    return st;
}

/* Deeper derivatives pay for one variable, and cost n^order. */
static int order_for(int n) { return n <= 1 ? 3 : n <= 3 ? 2 : 1; }

static ph_status certify(ver_verdict *out, expr_node *statement, const ver_ranges *ranges, expr_node *radius,
                         const ver_budget *budget, ph_err *err) {
    expr_node *g = NULL;
    search s = {.s = statement, .op = statement->op, .asked = budget};
    ver_init(out);
    if (!expr_is_statement(statement))
        return ph_fail(err, PH_EARG, "certify: a formula says nothing; wanted a statement such as ge(f, 0)");
    arb_init(s.radius);
    s.budget = budget && budget->boxes ? budget->boxes : MAX_BOXES;
    ph_status st;
    PH_TRY(ver_box_open(&s.box, ranges, "certify", err));
    PH_TRY(ver_box_covers(&s.box, statement, "certify", err));
    PH_TRY(check_radius(&s, radius, err));
    s.order = order_for(s.box.n);
    PH_TRY(say_statement(out, statement, radius, err));
    PH_TRY(expr_make2(&g, EXPR_SUB, statement->arg[0], statement->arg[1], err));
    PH_TRY(ver_field_new(&s.g, g, err));
    PH_TRY(ver_holes_find(&s.holes, g, &s.box, err));
    if (s.holes.n) s.g->holes = &s.holes;
    PH_TRY(run(out, &s, err));
    if (!s.settled) st = say_certified(out, &s, err);
    else if (s.stuck) st = try_proof(out, &s, ranges, err);
done:
    expr_drop(g);
    ver_field_free(s.g, s.box.n);
    ver_holes_clear(&s.holes);
    ver_queue_clear(&s.queue);
    ver_box_close(&s.box);
    arb_clear(s.radius);
    return st;
}

ph_status ver_certify(ver_verdict *out, expr_node *statement, const ver_ranges *ranges, expr_node *radius,
                      const ver_budget *budget, ph_err *err) {
    double start = ph_clock();
    ver_meter_open(budget && budget->boxes > MAX_BOXES ? (double)budget->boxes / MAX_BOXES : 1);
    ph_status st = ver_meter_end(out, certify(out, statement, ranges, radius, budget, err), err);
    out->time = ph_clock() - start;
    return st;
}
