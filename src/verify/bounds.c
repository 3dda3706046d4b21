/* bounds.c: the least and the greatest value of a formula over a box, by branch and bound.
 *
 * The least value is at most every value seen, and at least the least lower end of the ranges of the pieces; a piece whose
 * range lies above a value seen is dropped. The greatest is minus the least of −f.
 */
#include <string.h>

#include "verify/box.h"
#include "verify/holes.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/trust.h"

#define START_PREC 64
#define MAX_PREC   1024
#define MAX_BOXES  20000
#define MAX_DEPTH  100

typedef struct {
    const ver_box *box;
    ver_field *f;
    ver_holes holes;
    ver_queue queue;
    ver_seen seen; /* seen.low: the least value is at most that */
    arf_t low;     /* of the pieces that are settled: the least value there is at least that */
    arf_t tolerance;
    const ver_budget *asked;
    int64_t budget, done;
    double share; /* of the meter */
    bool unfinished, undefined;
} descent;

static void lower_to(arf_t low, const arf_t x) {
    if (arf_cmp(x, low) < 0) arf_set(low, x);
}

/* The piece is settled with the lower end of its range. */
static ph_status treat(descent *s, ver_piece *piece, ph_err *err) {
    double weight[VER_MAX_VARS];
    ver_hull y;
    arf_t goal;
    ver_hull_init(&y);
    arf_init(goal);
    ph_status st = PH_OK;
    PH_TRY(ver_field_range(&y, &s->seen, weight, s->f, s->box, piece, 1, err));
    if (!ver_hull_is_finite(&y)) arf_neg_inf(y.a);
    if (arf_cmp(y.a, s->seen.low) > 0) goto done; /* the least value is not here */
    arf_sub(goal, s->seen.low, s->tolerance, 128, ARF_RND_CEIL);
    int i = ver_piece_widest(s->box, piece, weight);
    if (arf_cmp(y.a, goal) >= 0) lower_to(s->low, y.a);
    else if (s->done >= s->budget || ver_meter_is_beyond(s->share) || piece->depth >= MAX_DEPTH ||
             (i < 0 && piece->prec >= MAX_PREC)) {
        lower_to(s->low, y.a);
        s->unfinished = true;
        s->undefined = s->undefined || !ver_hull_is_finite(&y);
    } else if (i < 0) {
        piece->prec *= 2;
        st = ver_queue_again(&s->queue, piece, err);
    } else st = ver_queue_split(&s->queue, s->box, piece, i, err);
done:
    ver_hull_clear(&y);
    arf_clear(goal);
    return st;
}

/* An enclosure of the least value of f (sign 1), or of the greatest, as minus the least of −f (sign −1). */
static ph_status least(arb_t out, descent *s, expr_node *f, int sign, ph_err *err) {
    expr_node *g = NULL;
    ver_seen_init(&s->seen);
    arf_init(s->low);
    arf_pos_inf(s->low);
    s->f = NULL;
    s->queue = (ver_queue){.n = s->box->n};
    s->done = 0;
    ph_status st = PH_OK;
    if (sign > 0) g = expr_ref(f);
    else PH_TRY(expr_make1(&g, EXPR_NEG, f, err));
    PH_TRY(ver_field_new(&s->f, g, err));
    ver_holes_clear(&s->holes);
    PH_TRY(ver_holes_find(&s->holes, g, s->box, err));
    if (s->holes.n) s->f->holes = &s->holes;
    PH_TRY(ver_queue_whole(&s->queue, s->box, START_PREC, err));
    PH_TRY(ver_field_see_corners(&s->seen, s->f, s->box, &s->queue.item[s->queue.head], err));
    while (s->queue.head < s->queue.end) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        ver_piece piece = ver_queue_take(&s->queue);
        s->done++;
        st = treat(s, &piece, err);
        ver_piece_drop(&piece, s->box->n);
        if (st) goto done;
        if (s->asked && s->asked->on && s->done % 256 == 0)
            s->asked->on(s->asked->ctx, s->done, s->queue.end - s->queue.head);
    }
    if (arf_is_finite(s->low) && arf_is_finite(s->seen.low)) {
        lower_to(s->low, s->seen.low); /* every other piece was dropped */
        arb_set_interval_arf(out, s->low, s->seen.low, 128);
    } else arb_indeterminate(out);
    if (sign < 0) arb_neg(out, out);
done:
    expr_drop(g);
    ver_field_free(s->f, s->box->n);
    ver_queue_clear(&s->queue);
    ver_seen_clear(&s->seen);
    arf_clear(s->low);
    return st;
}

static ph_status say(ver_verdict *out, const descent *s, const expr_node *f, double tolerance, ph_err *err) {
    char *text = NULL;
    ver_told *told;
    ph_status st = PH_OK;
    PH_TRY(expr_text(&text, f, 400, err));
    PH_TRY(ver_set(&out->statement, err, "least and greatest value of %s", text));
    PH_TRY(ver_set(&out->method, err, "branch and bound with mean-value forms in ball arithmetic"));
    if (!s->unfinished) {
        PH_TRY(ver_trust_cover(out, &(ver_cover){out->size, 0, 0}, err));
        PH_TRY(ver_box_tell(&told, out, s->box, VER_WITHIN, err));
        told->tolerance = tolerance;
        st = ver_holes_tell(told, &s->holes, s->box, err);
    } else {
        out->reason = VER_OUT_OF_BUDGET;
        st = ver_set(&out->reason_text, err, "enclosed, but not within %.3g, after %lld boxes", tolerance,
                     (long long)out->size);
    }
done:
    ph_free(text);
    return st;
}

ph_status ver_bounds(ver_number **lo, ver_number **hi, ver_verdict *out, expr_node *f,
                     const ver_ranges *ranges, double tolerance, const ver_budget *budget, ph_err *err) {
    double start = ph_clock();
    ver_box box;
    descent s = {.box = &box, .asked = budget};
    arb_t a, b;
    *lo = *hi = NULL;
    ver_init(out);
    arb_init(a);
    arb_init(b);
    arf_init(s.tolerance);
    s.budget = budget && budget->boxes ? budget->boxes : MAX_BOXES;
    ver_meter_open(s.budget > MAX_BOXES ? (double)s.budget / MAX_BOXES : 1);
    ph_status st;
    PH_TRY(ver_box_open(&box, ranges, "bounds", err));
    if (expr_is_statement(f)) PH_TRY(ph_fail(err, PH_EARG, "bounds: a statement is given; wanted a formula"));
    PH_TRY(ver_box_covers(&box, f, "bounds", err));
    if (!(tolerance > 0 && tolerance < 1e300))
        PH_TRY(ph_fail(err, PH_EARG, "bounds: the tolerance is no finite number above 0"));
    arf_set_d(s.tolerance, tolerance);
    s.share = 0.5;
    PH_TRY(least(a, &s, f, 1, err));
    out->size = s.done;
    s.share = 1;
    PH_TRY(least(b, &s, f, -1, err));
    out->size += s.done;
    if (!arb_is_finite(a) || !arb_is_finite(b))
        PH_TRY(
            ph_fail(err, PH_EDOMAIN,
                    "bounds: the formula is undefined, unbounded or not real in the box, or not decided to "
                    "be otherwise within %lld boxes",
                    (long long)s.budget));
    PH_TRY(say(out, &s, f, tolerance, err));
    *lo = ver_number_new(a);
    *hi = ver_number_new(b);
    if (!*lo || !*hi) {
        ver_number_free(*lo);
        ver_number_free(*hi);
        *lo = *hi = NULL;
        st = ph_fail_nomem(err, sizeof(arb_struct));
    }
done:
    ver_holes_clear(&s.holes);
    ver_box_close(&box);
    arb_clear(a);
    arb_clear(b);
    arf_clear(s.tolerance);
    ver_meter_close();
    out->time = ph_clock() - start;
    return st;
}
