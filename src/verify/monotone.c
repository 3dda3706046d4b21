/* monotone.c: which way a function goes in an interval, by the sign of its derivative. */
#include <string.h>

#include "verify/certify.h"

#include "verify/box.h"
#include "verify/holes.h"
#include "verify/internal.h"
#include "verify/told.h"
#include "verify/words.h"

#define START_PREC 64
#define MAX_BOXES  20000
#define MAX_DEPTH  50 /* cuts of one piece in which the function is not seen to be smooth */

/* A verdict on the derivative in words about the function. */
static ph_status translate(ver_verdict *out, ver_verdict *of, const char *way, expr_node *f, ph_err *err) {
    char *text = NULL;
    ver_clear(out);
    *out = *of;
    ver_init(of);
    ph_status st;
    PH_TRY(expr_text(&text, f, 400, err));
    PH_TRY(ver_set(&out->statement, err, "%s is %s", text, way));
    if (out->strength == VER_CERTIFIED)
        st = ver_set(&out->method, err,
                     "%s: the sign of the derivative, by ball arithmetic with mean-value forms", way);
done:
    ph_free(text);
    return st;
}

static ph_status smooth_but_for(bool *out, ver_field *f, const ver_holes *h, const ver_box *box,
                                const ver_piece *p, ph_err *err) {
    arb_t y;
    arb_init(y);
    ph_status st = ver_field_smooth(out, f, box, p, err);
    if (!st && !*out && h->n) st = ver_holes_range(out, y, VER_SMOOTH, h, box, p, err);
    arb_clear(y);
    return st;
}

/* f must be smooth wherever the sign of its derivative is used: |x| has a derivative >= 0 "away from the kink" of |x| + x.
 * A removable hole counts as smooth: with its limit there f is, so that what holds on both sides of it holds across. */
static ph_status smooth_everywhere(bool *out, ver_holes *holes, expr_node *f, const ver_ranges *r,
                                   const ver_budget *budget, int64_t *boxes, ph_err *err) {
    ver_box box;
    ver_queue q = {.n = 0};
    ver_field *field = NULL;
    int64_t limit = budget && budget->boxes ? budget->boxes : MAX_BOXES;
    *out = false;
    ph_status st = ver_box_open(&box, r, "monotone", err);
    if (st) goto done;
    PH_TRY(ver_field_new(&field, f, err));
    PH_TRY(ver_holes_find(holes, f, &box, err));
    PH_TRY(ver_queue_whole(&q, &box, START_PREC, err));
    *out = true;
    while (q.head < q.end && *out) {
        if (ph_interrupted()) {
            st = ph_fail_interrupted(err);
            goto done;
        }
        bool smooth;
        ver_piece p = ver_queue_take(&q);
        st = smooth_but_for(&smooth, field, holes, &box, &p, err);
        if (++*boxes > limit || p.depth >= MAX_DEPTH) *out = smooth;
        if (!st && !smooth && *out) st = ver_queue_split(&q, &box, &p, 0, err);
        ver_piece_drop(&p, box.n);
        if (st) goto done;
    }
done:
    ver_field_free(field, box.n);
    ver_queue_clear(&q);
    ver_box_close(&box);
    return st;
}

static ph_status check_monotone(const expr_node *f, const ver_ranges *r, ph_err *err) {
    ver_box box;
    if (expr_is_statement(f))
        return ph_fail(err, PH_EARG, "monotone: a statement is given; wanted a formula");
    ph_status st;
    PH_TRY(ver_box_open(&box, r, "monotone", err));
    PH_TRY(ver_box_covers(&box, f, "monotone", err));
    if (box.integer[0])
        PH_TRY(ph_fail(err, PH_EARG,
                       "monotone: the variable is an integer; certify gt(f(n + 1), f(n)) instead"));
    if (box.fixed[0]) st = ph_fail(err, PH_EARG, "monotone: the interval is a single point");
done:
    ver_box_close(&box);
    return st;
}

/* "increasing, x in [a, b] with x != 0": the slope may be constant, or have another hole than f. */
static ph_status name_interval(ver_verdict *out, int way, const ver_ranges *r, const ver_holes *holes,
                               ph_err *err) {
    ver_box box;
    ver_told *told;
    ph_status st = ver_box_open(&box, r, "monotone", err);
    if (!st) st = ver_box_tell(&told, out, &box, VER_COURSE, err);
    if (!st) told->count = way;
    if (!st) st = ver_holes_tell(told, holes, &box, err);
    ver_box_close(&box);
    return st;
}

/* What becomes known of the slope d of f, a way after the other. */
typedef struct {
    expr_node *f, *d, *zero;
    ver_verdict v;         /* of the way asked last */
    ver_verdict open;      /* of one that is not decided */
    ver_told *rise, *fall; /* where the slope is positive, and negative; NULL: not seen */
    ver_holes holes;       /* of f */
    int64_t boxes;
} slope;

static void drop_slope(slope *s) {
    expr_drop(s->d);
    expr_drop(s->zero);
    ver_holes_clear(&s->holes);
    ver_told_drop(s->rise);
    ver_told_drop(s->fall);
    ver_clear(&s->v);
    ver_clear(&s->open);
}

/* *way: in which f goes, counted from VER_W_INCREASING on, NO_WAY when none is certified. */
enum { INCREASING, DECREASING, NEVER_DECREASING, NEVER_INCREASING, NO_WAY };
static ph_status ask_ways(int *way, slope *s, const ver_ranges *r, const ver_budget *budget, ph_err *err) {
    static const expr_op sign[] = {EXPR_GT, EXPR_LT, EXPR_GE, EXPR_LE}; /* of the derivative, for each way */
    ph_status st = PH_OK;
    *way = NO_WAY;
    for (int w = 0; w < NO_WAY && !st; w++) {
        expr_node *statement = NULL;
        ver_clear(&s->v);
        st = expr_make2(&statement, sign[w], s->d, s->zero, err);
        if (!st) st = ver_certify(&s->v, statement, r, NULL, budget, err);
        expr_drop(statement);
        s->boxes += s->v.size;
        if (!st && (s->v.strength == VER_CERTIFIED || s->v.strength == VER_PROVED)) {
            *way = w;
            break;
        }
        ver_told **keep = w == NEVER_DECREASING   ? &s->fall
                          : w == NEVER_INCREASING ? &s->rise
                                                  : NULL; /* not f' >= 0: it falls somewhere */
        if (!st && keep && s->v.strength == VER_REFUTED) {
            *keep = s->v.told;
            s->v.told = NULL;
        } else if (!st && keep) {
            ver_clear(&s->open);
            s->open = s->v;
            ver_init(&s->v);
        }
    }
    return st;
}

static ph_status say_way(ver_verdict *out, slope *s, int way, const ver_ranges *r, ph_err *err) {
    ph_status st;
    if (way != NO_WAY) {
        st = translate(out, &s->v, ver_word(VER_EN, VER_W_INCREASING + (ver_word_id)way), s->f, err);
        out->size = s->boxes;
        if (!st) st = name_interval(out, way, r, &s->holes, err);
        return st;
    }
    if (!s->rise || !s->fall) return translate(out, &s->open, "monotone", s->f, err);
    ver_told *told;
    ver_decide(out, VER_REFUTED);
    st = ver_set(&out->method, err, "the derivative at two exact points");
    if (!st) st = ver_told_of(&told, out, err);
    return st ? st : ver_tell_slopes(told, s->rise, s->fall, err);
}

ph_status ver_monotone(ver_verdict *out, expr_node *f, const ver_range *x, const ver_budget *budget,
                       ph_err *err) {
    double start = ph_clock();
    ver_ranges r = {x, 1}, of_slope = r;
    slope s = {.f = f};
    int way;
    bool smooth = false;
    ver_init(out);
    ver_init(&s.v);
    ver_init(&s.open);
    ph_status st = check_monotone(f, &r, err);
    if (st) return st;
    PH_TRY(smooth_everywhere(&smooth, &s.holes, f, &r, budget, &s.boxes, err));
    if (!smooth) {
        st =
            ver_say_unknown(out, VER_OUTSIDE_THEORY,
                            "the function is not smooth, or not decided to be, throughout the interval", err);
        goto done;
    }
    PH_TRY(expr_diff(&s.d, f, x->sym, err));
    PH_TRY(expr_rat(&s.zero, 0, 1, err));
    if (!expr_has(s.d, x->sym)) of_slope.n = 0; /* constant: an empty box of variables suits certify */
    PH_TRY(ask_ways(&way, &s, &of_slope, budget, err));
    st = say_way(out, &s, way, &r, err);
done:
    drop_slope(&s);
    out->time = ph_clock() - start;
    return st;
}
