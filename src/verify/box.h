/* box.h: boxes, pieces of boxes, and the range of a formula over a piece. Private to verify/.
 *
 * A side of a piece is an interval [a, b] of floating-point numbers that contains the true one; where it still reaches to the
 * end of the whole range, `a_end` or `b_end` is set, and at that corner the exact end, a formula, is put in. Cuts are at
 * short dyadic numbers inside, hence exact.
 */
#ifndef PH_VERIFY_BOX_H
#define PH_VERIFY_BOX_H

#include "verify/ball.h"
#include "verify/certify.h"
#include "verify/told.h"

typedef struct {
    arf_t a, b;
    bool a_end, b_end;
} ver_side;

typedef struct {
    ver_side *side; /* one for each variable */
    int depth;
    slong prec;
} ver_piece;

typedef struct {
    const ver_range *range;
    int n;
    bool integer[VER_MAX_VARS], fixed[VER_MAX_VARS]; /* fixed: lo and hi are one number */
    arf_t a[VER_MAX_VARS], b[VER_MAX_VARS];
} ver_box;

/* Checks and sets up; the ranges are borrowed and must stay. To be closed in any case. */
PH_MUST ph_status ver_box_open(ver_box *box, const ver_ranges *r, const char *who, ph_err *err);
void ver_box_close(ver_box *box);
/* Every atom of e has a range and every range its atom. */
PH_MUST ph_status ver_box_covers(const ver_box *box, const expr_node *e, const char *who, ph_err *err);
/* "x in [0, 1/3], integer n in [1, 10]" */
PH_MUST ph_status ver_box_text(char **out, const ver_box *box, ph_err *err);
/* Of v: `extent` over the box; what was told of another box goes. */
PH_MUST ph_status ver_box_tell(ver_told **out, ver_verdict *v, const ver_box *box, ver_extent extent,
                               ph_err *err);
/* "x in [0.25, 0.5]", in rounded decimals. */
PH_MUST ph_status ver_piece_text(char **out, const ver_box *box, const ver_piece *p, ph_err *err);

/* ---- pieces, first in, first out ----------------------------------------------------------------------- */

typedef struct {
    ver_piece *item;
    int64_t head, end, cap; /* items head … end−1 wait */
    int n;                  /* sides of each */
} ver_queue;

void ver_queue_clear(ver_queue *q);
PH_MUST ph_status ver_queue_whole(ver_queue *q, const ver_box *box, slong prec, ph_err *err);
ver_piece ver_queue_take(ver_queue *q); /* the caller drops it */
void ver_piece_drop(ver_piece *p, int n);
/* Appends the two halves of p cut across variable i. */
PH_MUST ph_status ver_queue_split(ver_queue *q, const ver_box *box, const ver_piece *p, int i, ph_err *err);
PH_MUST ph_status ver_queue_again(ver_queue *q, const ver_piece *p, ph_err *err); /* p itself, once more */
/* A short dyadic number (for an integer side: an integer) in the middle of a side: where it is cut. */
void ver_side_mid(arf_t m, const ver_side *s, bool integer);
/* The variable to cut: the largest weight[i]·width (weights NULL: largest width relative to the whole); −1: none can be. */
int ver_piece_widest(const ver_box *box, const ver_piece *p, const double *weight);

/* ---- evaluation ---------------------------------------------------------------------------------------- */

/* Values of the variables. */
typedef struct {
    const ver_box *box;
    arb_t v[VER_MAX_VARS];
    expr_node *formula[VER_MAX_VARS]; /* what v is exactly, borrowed; NULL: v itself, when it is exact */
} ver_point;
void ver_point_init(ver_point *p, const ver_box *box);
void ver_point_clear(ver_point *p);
/* The whole piece; its middle; the corner where variable i is at its lower (0) or upper (1) end. */
PH_MUST ph_status ver_point_piece(ver_point *p, const ver_piece *piece, slong prec, ph_err *err);
PH_MUST ph_status ver_point_mid(ver_point *p, const ver_piece *piece, slong prec, ph_err *err);
PH_MUST ph_status ver_point_end(ver_point *p, const ver_piece *piece, int i, int upper, slong prec,
                                ph_err *err);
/* Corner number `corner`: bit i says whether variable i is at its upper end. */
PH_MUST ph_status ver_point_corner(ver_point *p, const ver_piece *piece, int corner, slong prec, ph_err *err);
#define VER_CORNERS 6 /* all corners are looked at in a box of at most so many variables */
/* e there. What is undefined there, or too dear, is not finite; only EINTR, ENOMEM and EARG are errors. */
PH_MUST ph_status ver_point_ball(acb_t out, ver_mode mode, const expr_node *e, ver_point *p, slong prec,
                                 ph_err *err);
struct ver_told;
/* A point of exact values becomes that of a witness; "x = 3/8, n = 2". */
PH_MUST ph_status ver_point_tell_exact(struct ver_told *t, const ver_point *p, ph_err *err);
PH_MUST ph_status ver_point_say(char **out, const ver_point *p, ph_err *err);
/* Is f exactly 0 at a point of exact values, by proof? */
PH_MUST ph_status ver_point_proves_zero(bool *out, expr_node *f, const ver_point *p, ph_err *err);

/* A formula and, as they are asked for, its derivatives. */
typedef struct ver_field ver_field;
typedef struct ver_holes ver_holes; /* holes.h */
struct ver_field {
    expr_node *f;
    const ver_holes *holes; /* borrowed; NULL: none. Where they are the range is that of the other points */
    ver_field *d[VER_MAX_VARS];
    bool rough; /* no derivative formula exists */
};
PH_MUST ph_status ver_field_new(ver_field **out, expr_node *f, ph_err *err);
void ver_field_free(ver_field *f, int n);
/* The derivative along variable i; NULL (with PH_OK) when there is no formula for it. */
PH_MUST ph_status ver_field_diff(ver_field **out, ver_field *f, const ver_box *box, int i, ph_err *err);

/* An interval whose ends are exact, so that its sign is; not finite: unknown. */
typedef struct {
    arf_t a, b;
} ver_hull;
void ver_hull_init(ver_hull *h); /* unknown */
void ver_hull_clear(ver_hull *h);
bool ver_hull_is_finite(const ver_hull *h);
bool ver_hull_contains_zero(const ver_hull *h); /* true when unknown */

/* What is known of the least and the greatest value from points that were seen: least <= low, high <= greatest. */
typedef struct {
    arf_t low, high;
} ver_seen;
void ver_seen_init(ver_seen *s); /* low = inf, high = -inf */
void ver_seen_clear(ver_seen *s);

/* out contains every value of f over the piece; not finite: undecided, or not real. By direct evaluation; by the mean-value
 * form; and, along variables in which f is monotone, from the ends: derivatives up to order `depth`. seen (or NULL) is
 * widened; weight (or NULL) becomes bounds of |∂f/∂x_i|, 0 where unknown. */
PH_MUST ph_status ver_field_range(ver_hull *out, ver_seen *seen, double *weight, ver_field *f,
                                  const ver_box *box, const ver_piece *piece, int depth, ph_err *err);
/* The values at the corners of the piece, which no middle of a piece ever reaches. */
PH_MUST ph_status ver_field_see_corners(ver_seen *seen, ver_field *f, const ver_box *box,
                                        const ver_piece *piece, ph_err *err);
/* f and its derivatives are smooth over the piece. */
PH_MUST ph_status ver_field_smooth(bool *out, ver_field *f, const ver_box *box, const ver_piece *piece,
                                   ph_err *err);

ver_number *ver_number_new(const arb_t x); /* NULL when refused */

/* The digits that a budget asks for, 20 where it says none, and as many bits, with four more. */
int ver_digits_of(const ver_budget *b);
slong ver_bits_of(const ver_budget *b);

#endif
