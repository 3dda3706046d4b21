/* roots.c: all roots of a formula in an interval.
 *
 * A piece without 0 in its range holds none; a piece over which f is smooth with a derivative of one sign holds one exactly
 * when the signs at its ends differ. A root at a cut belongs to the piece on its right. What stays undecided (a multiple root,
 * a pole) is never counted: the verdict is then unknown and names it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "verify/box.h"
#include "verify/holes.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/trust.h"

#define GUARD      32
#define START_PREC 64
#define MAX_PREC   4096
#define MAX_BOXES  20000
#define MAX_DEPTH  60
#define MAX_ROUNDS 20000 /* of refinement: halvings, at the worst */
#define ORDER      2

typedef struct {
    ver_box box;
    ver_field *f;
    ver_holes holes;
    ver_queue queue;
    const ver_budget *asked;
    int64_t budget, done;
    slong bits;
    arb_struct *root; /* found so far */
    int n;
    int64_t undecided;
    bool undefined; /* the first undecided piece has no finite range */
    char *where;    /* that piece */
} finder;

/* ---- signs --------------------------------------------------------------------------------------------- */

enum { UNKNOWN_SIGN = 2 };

static ph_status real_value(arb_t out, ver_field *f, ver_point *p, slong prec, ph_err *err) {
    acb_t z;
    acb_init(z);
    ph_status st = ver_point_ball(z, VER_VALUE, f->f, p, prec, err);
    if (!st && acb_is_real(z)) arb_swap(out, acb_realref(z));
    else arb_indeterminate(out);
    acb_clear(z);
    return st;
}

static int sign_of(const arb_t x) {
    if (!arb_is_finite(x)) return UNKNOWN_SIGN;
    return arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : arb_is_zero(x) ? 0 : UNKNOWN_SIGN;
}

/* The sign of f at the lower (0) or upper (1) end of a piece. */
static ph_status sign_at_end(int *sign, finder *s, const ver_piece *piece, int upper, ph_err *err) {
    ver_point p;
    arb_t y;
    bool zero = false;
    arb_init(y);
    ver_point_init(&p, &s->box);
    ph_status st = PH_OK;
    *sign = UNKNOWN_SIGN;
    for (slong prec = piece->prec; prec <= MAX_PREC && *sign == UNKNOWN_SIGN; prec *= 4) {
        PH_TRY(ver_point_end(&p, piece, 0, upper, prec, err));
        PH_TRY(real_value(y, s->f, &p, prec, err));
        *sign = sign_of(y);
    }
    if (*sign == UNKNOWN_SIGN && arb_is_finite(y)) PH_TRY(ver_point_proves_zero(&zero, s->f->f, &p, err));
    if (zero) *sign = 0;
done:
    ver_point_clear(&p);
    arb_clear(y);
    return st;
}

/* ---- refinement ---------------------------------------------------------------------------------------- */

static ph_status keep(finder *s, const arb_t x, ph_err *err) {
    arb_struct *root = ph_list_more(s->root, (size_t)s->n, sizeof *root);
    if (!root) return ph_fail_nomem(err, (size_t)s->n * sizeof *root);
    s->root = root;
    arb_init(&s->root[s->n]);
    arb_set(&s->root[s->n++], x);
    return PH_OK;
}

static ph_status keep_end(finder *s, const ver_piece *piece, int upper, ph_err *err) {
    ver_point p;
    ver_point_init(&p, &s->box);
    ph_status st = ver_point_end(&p, piece, 0, upper, s->bits + GUARD, err);
    if (!st) st = keep(s, p.v[0], err);
    ver_point_clear(&p);
    return st;
}

static bool fine_enough(const arb_t x, slong bits) {
    return arb_rel_accuracy_bits(x) >= bits ||
           (arb_contains_zero(x) && mag_cmp_2exp_si(arb_radref(x), -bits) < 0);
}

/* The exact point at t/8 of the interval x. */
static void point_inside(arb_t m, const arb_t x, int t) {
    arf_t a, b;
    arf_init(a);
    arf_init(b);
    arb_get_interval_arf(a, b, x, ARF_PREC_EXACT);
    arf_sub(b, b, a, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_ui(b, b, (ulong)t, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(b, b, -3);
    arf_add(a, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
    arb_set_arf(m, a);
    arf_clear(a);
    arf_clear(b);
}

/* Cuts x at an inner point by the sign there; `left` is f's sign at the lower end. */
static ph_status halve(arb_t x, finder *s, ver_point *p, int left, slong prec, ph_err *err) {
    static const int at[] = {4, 3, 5}; /* the root may be the middle itself, but not all three */
    arb_t y;
    arf_t a, b, m;
    arb_init(y);
    arf_init(a);
    arf_init(b);
    arf_init(m);
    ph_status st = PH_OK;
    int sign = UNKNOWN_SIGN;
    for (int k = 0; k < 3 && sign == UNKNOWN_SIGN; k++) {
        point_inside(p->v[0], x, at[k]);
        PH_TRY(real_value(y, s->f, p, prec, err));
        sign = sign_of(y);
    }
    if (sign == UNKNOWN_SIGN) goto done;
    arb_get_interval_arf(a, b, x, ARF_PREC_EXACT);
    arf_set(m, arb_midref(p->v[0]));
    if (sign == 0) arb_set_arf(x, m);
    else if (sign == left) arb_set_interval_arf(x, m, b, prec);
    else arb_set_interval_arf(x, a, m, prec);
done:
    arb_clear(y);
    arf_clear(a);
    arf_clear(b);
    arf_clear(m);
    return st;
}

/* m − f(m)/f'(x), cut with x: the root is in it, as f' has no zero in x. *better: less than half of x is left. */
static ph_status newton(bool *better, arb_t x, finder *s, ver_point *p, slong prec, ph_err *err) {
    arb_t y, d, m;
    mag_t before;
    ver_field *slope;
    arb_init(y);
    arb_init(d);
    arb_init(m);
    mag_init(before);
    *better = false;
    ph_status st = PH_OK;
    PH_TRY(ver_field_diff(&slope, s->f, &s->box, 0, err));
    arb_set(p->v[0], x);
    PH_TRY(real_value(d, slope, p, prec, err));
    if (!arb_is_finite(d) || arb_contains_zero(d)) goto done;
    point_inside(m, x, 4);
    arb_set(p->v[0], m);
    PH_TRY(real_value(y, s->f, p, prec, err));
    if (!arb_is_finite(y)) goto done;
    arb_div(y, y, d, prec);
    arb_sub(m, m, y, prec);
    mag_mul_2exp_si(before, arb_radref(x), -1);
    if (!arb_overlaps(x, m)) goto done; /* cannot be; the halving is left to decide */
    arb_intersection(x, x, m, prec);
    *better = mag_cmp(arb_radref(x), before) < 0;
done:
    arb_clear(y);
    arb_clear(d);
    arb_clear(m);
    mag_clear(before);
    return st;
}

/* The single root of a piece, to the accuracy asked for. */
static ph_status refine(finder *s, const ver_piece *piece, int left, ph_err *err) {
    slong prec = s->bits + GUARD;
    bool better;
    ver_point p;
    arb_t x;
    arb_init(x);
    ver_point_init(&p, &s->box);
    arb_set_interval_arf(x, piece->side[0].a, piece->side[0].b, prec);
    ph_status st = PH_OK;
    for (int k = 0; k < MAX_ROUNDS && !fine_enough(x, s->bits); k++) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        PH_TRY(newton(&better, x, s, &p, prec, err));
        if (!better) PH_TRY(halve(x, s, &p, left, prec, err));
        if (!better && k % 8 == 7)
            prec = prec * 2 > VER_MAX_BITS ? VER_MAX_BITS : prec * 2; /* f cancels near its root */
        if (k > 4 * s->bits && prec == VER_MAX_BITS) break;
    }
    st = keep(s, x, err);
done:
    ver_point_clear(&p);
    arb_clear(x);
    return st;
}

/* ---- isolation ----------------------------------------------------------------------------------------- */

/* f is smooth over the piece and its derivative has one sign there. */
static ph_status is_monotone(bool *out, finder *s, const ver_piece *piece, ph_err *err) {
    ver_field *slope = NULL;
    ver_hull d;
    ver_hull_init(&d);
    ph_status st;
    PH_TRY(ver_field_smooth(out, s->f, &s->box, piece, err));
    if (*out) PH_TRY(ver_field_diff(&slope, s->f, &s->box, 0, err));
    if (slope) st = ver_field_range(&d, NULL, NULL, slope, &s->box, piece, ORDER - 1, err);
done:
    *out = *out && !st && slope && !ver_hull_contains_zero(&d);
    ver_hull_clear(&d);
    return st;
}

static ph_status leave_undecided(finder *s, const ver_piece *piece, bool finite, ph_err *err) {
    if (s->undecided++) return PH_OK;
    s->undefined = !finite;
    return ver_piece_text(&s->where, &s->box, piece, err);
}

/* Is rounding, not the width of the piece, most of the range? */
static ph_status is_noise(bool *out, finder *s, const ver_piece *piece, const ver_hull *h, ph_err *err) {
    ver_point p;
    arb_t y;
    arf_t width;
    arb_init(y);
    arf_init(width);
    ver_point_init(&p, &s->box);
    ph_status st = ver_point_mid(&p, piece, piece->prec, err);
    if (!st) st = real_value(y, s->f, &p, piece->prec, err);
    mag_mul_2exp_si(arb_radref(y), arb_radref(y), 4);
    arf_sub(width, h->b, h->a, 64, ARF_RND_UP);
    *out = !st && arf_is_finite(width) && arf_cmpabs_mag(width, arb_radref(y)) < 0;
    ver_point_clear(&p);
    arb_clear(y);
    arf_clear(width);
    return st;
}

/* A piece on which f is strictly monotone. *settled stays false when a sign at an end is not decided. */
static ph_status count_by_signs(bool *settled, finder *s, const ver_piece *piece, ph_err *err) {
    int left, right;
    ph_status st = sign_at_end(&left, s, piece, 0, err);
    if (!st) st = sign_at_end(&right, s, piece, 1, err);
    if (st || left == UNKNOWN_SIGN || right == UNKNOWN_SIGN) return st;
    *settled = true;
    if (left == 0) return keep_end(s, piece, 0, err);
    if (right == 0)
        return piece->side[0].b_end ? keep_end(s, piece, 1, err) : PH_OK; /* else its right neighbour's */
    return left * right < 0 ? refine(s, piece, left, err) : PH_OK;
}

static ph_status treat(finder *s, ver_piece *piece, ph_err *err) {
    bool settled = false, noise = false;
    ver_hull y;
    ver_hull_init(&y);
    ph_status st = PH_OK;
    PH_TRY(ver_field_range(&y, NULL, NULL, s->f, &s->box, piece, ORDER, err));
    if (!ver_hull_contains_zero(&y)) goto done;
    PH_TRY(is_monotone(&settled, s, piece, err));
    if (settled) {
        settled = false;
        PH_TRY(count_by_signs(&settled, s, piece, err));
    }
    if (settled) goto done;
    PH_TRY(is_noise(&noise, s, piece, &y, err));
    if (s->done >= s->budget || ver_meter_is_empty() || piece->depth >= MAX_DEPTH)
        st = leave_undecided(s, piece, ver_hull_is_finite(&y), err);
    else if (noise && piece->prec < MAX_PREC) {
        piece->prec *= 2;
        st = ver_queue_again(&s->queue, piece, err);
    } else st = ver_queue_split(&s->queue, &s->box, piece, 0, err);
done:
    ver_hull_clear(&y);
    return st;
}

/* ---- the door ------------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
    return arf_cmp(arb_midref((const arb_struct *)a), arb_midref((const arb_struct *)b));
}

static ph_status say(ver_verdict *out, finder *s, const expr_node *f, ph_err *err) {
    char *text = NULL;
    ver_told *told;
    ph_status st = PH_OK;
    out->size = s->done;
    PH_TRY(expr_text(&text, f, 400, err));
    PH_TRY(ver_set(&out->statement, err, "%s = 0", text));
    PH_TRY(ver_set(&out->method, err,
                   "sign and monotonicity on pieces by ball arithmetic, interval Newton steps"));
    if (!s->undecided) {
        PH_TRY(ver_trust_cover(out, &(ver_cover){s->done, s->queue.end - s->queue.head, s->undecided}, err));
        PH_TRY(ver_box_tell(&told, out, &s->box, VER_ROOTS, err));
        told->count = s->n;
        st = ver_holes_tell(told, &s->holes, &s->box, err);
        goto done;
    }
    out->reason = s->undefined ? VER_DOMAIN : VER_OUT_OF_BUDGET;
    st = ver_set(&out->reason_text, err, "%d simple root%s found; undecided %s%s%s", s->n,
                 s->n == 1 ? "" : "s", s->undefined ? "(perhaps undefined) " : "", s->where,
                 s->undecided > 1 ? " and elsewhere" : "");
done:
    ph_free(text);
    return st;
}

static ph_status hand_over(ver_number ***roots, int *n, finder *s, ph_err *err) {
    size_t bytes = (size_t)(s->n ? s->n : 1) * sizeof **roots;
    *roots = ph_calloc(1, bytes);
    if (!*roots) return ph_fail_nomem(err, bytes);
    *n = s->n;
    for (int i = 0; i < s->n; i++)
        if (!((*roots)[i] = ver_number_new(&s->root[i]))) {
            ver_roots_free(*roots, s->n);
            *roots = NULL;
            *n = 0;
            return ph_fail_nomem(err, sizeof(arb_struct));
        }
    return PH_OK;
}

void ver_roots_free(ver_number **roots, int n) {
    for (int i = 0; roots && i < n; i++) ver_number_free(roots[i]);
    ph_free(roots);
}

ph_status ver_roots(ver_number ***roots, int *n, ver_verdict *out, expr_node *f, const ver_range *x,
                    const ver_budget *budget, ph_err *err) {
    double start = ph_clock();
    finder s = {.asked = budget};
    ver_init(out);
    *roots = NULL;
    *n = 0;
    s.budget = budget && budget->boxes ? budget->boxes : MAX_BOXES;
    ver_meter_open(s.budget > MAX_BOXES ? (double)s.budget / MAX_BOXES : 1);
    s.bits = ver_bits_of(budget);
    ph_status st;
    PH_TRY(ver_box_open(&s.box, &(ver_ranges){x, 1}, "roots", err));
    if (expr_is_statement(f)) PH_TRY(ph_fail(err, PH_EARG, "roots: a statement is given; wanted a formula"));
    PH_TRY(ver_box_covers(&s.box, f, "roots", err));
    if (s.box.integer[0] || s.box.fixed[0])
        PH_TRY(ph_fail(err, PH_EARG, "roots: wanted a real variable and two different ends"));
    PH_TRY(ver_field_new(&s.f, f, err));
    PH_TRY(ver_holes_find(&s.holes, f, &s.box, err));
    if (s.holes.n) s.f->holes = &s.holes; /* where 0 is no value near one, there is no root there */
    PH_TRY(ver_queue_whole(&s.queue, &s.box, START_PREC, err));
    while (s.queue.head < s.queue.end) {
        if (ph_interrupted()) PH_TRY(ph_fail_interrupted(err));
        ver_piece piece = ver_queue_take(&s.queue);
        s.done++;
        st = treat(&s, &piece, err);
        ver_piece_drop(&piece, 1);
        if (st) goto done;
        if (budget && budget->on && s.done % 256 == 0)
            budget->on(budget->ctx, s.done, s.queue.end - s.queue.head);
    }
    if (s.n) qsort(s.root, (size_t)s.n, sizeof *s.root, by_place);
    PH_TRY(say(out, &s, f, err));
    st = hand_over(roots, n, &s, err);
done:
    for (int i = 0; i < s.n; i++) arb_clear(&s.root[i]);
    ph_free(s.root);
    ph_free(s.where);
    ver_field_free(s.f, 1);
    ver_holes_clear(&s.holes);
    ver_queue_clear(&s.queue);
    ver_box_close(&s.box);
    ver_meter_close();
    out->time = ph_clock() - start;
    return st;
}
