/* holes.h: places where a quotient reads 0/0 and the formula has a limit: sin(x)/x at 0. Private to verify/.
 *
 * Let N and D be smooth on an interval around or beside c, with N^(i)(c) = D^(i)(c) = 0 for i < k and D^(k) != 0 throughout it. Then
 * D != 0 on it but for c, and by Cauchy's mean-value theorem, k times, N(x)/D(x) = N^(k)(ξ)/D^(k)(ξ) for some ξ of the
 * interval. So a ball of N^(k)/D^(k) over the interval holds every value of N/D there. At c itself the formula stays undefined, and
 * whoever uses this says so.
 */
#ifndef PH_VERIFY_HOLES_H
#define PH_VERIFY_HOLES_H

#include "verify/box.h"

#define VER_HOLES 4
#define VER_MUST  8

typedef struct {
    int var;
    expr_node *at; /* a rational number */
    expr_node *f;  /* the formula with N^(k)/D^(k) in place of each N/D: enclosures of it, never values */
    expr_node *must[VER_MUST]; /* what has to be smooth */
    int nmust;
} ver_hole;

struct ver_holes {
    ver_hole hole[VER_HOLES];
    int n;
};

/* Those of f in the box, of real variables that vary. To be cleared in any case. */
PH_MUST ph_status ver_holes_find(ver_holes *out, expr_node *f, const ver_box *box, ph_err *err);
void ver_holes_clear(ver_holes *h);
/* *seen: one hole touches the piece, and y holds every value of f on the piece but there. VER_SMOOTH: f is smooth there, too, once
 * its limit stands in the hole. */
PH_MUST ph_status ver_holes_range(bool *seen, arb_t y, ver_mode mode, const ver_holes *h, const ver_box *box,
                                  const ver_piece *piece, ph_err *err);
bool ver_holes_touch(const ver_holes *h, const ver_piece *piece); /* one lies in the piece */
bool ver_holes_at(const ver_holes *h, const ver_point *p);        /* the point lies in one */
/* Conditions x != 0, y != 1 of what holds over the box. */
PH_MUST ph_status ver_holes_tell(ver_told *t, const ver_holes *h, const ver_box *box, ph_err *err);

#endif
