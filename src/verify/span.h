/* span.h: two ends between which a formula lies, by how it is built. Private to verify/.
 *
 * The ends may be infinite. Every symbol lies where its assumption and the facts about it alone put it; parts are taken as independent, so
 * the ends are certain, not sharp. Meant, as everything in the prover, at the points where the formula is defined.
 */
#ifndef PH_VERIFY_SPAN_H
#define PH_VERIFY_SPAN_H

#include "verify/flint.h"
#include "verify/prove.h"
#include "verify/settle.h"

#define SPAN_BITS 64 /* of an end */

typedef struct {
    arf_t lo, hi; /* lo <= hi; never NaN */
} ver_span;

/* What facts c·x + r >= 0, c and r rational, say of single symbols. */
typedef struct {
    struct {
        const expr_node *atom;
        arf_t end;
        bool lower;
    } at[SETTLE_FACTS];
    int n;
} ver_ends;
void ver_ends_init(ver_ends *t, const ver_goal *g);
/* From what is assumed; b keeps what the ends mention. */
void ver_ends_assume(ver_ends *t, expr_builder *b, const ver_assume *a);
void ver_ends_clear(ver_ends *t);
/* Where a symbol or a member lies. False: it may be complex. Facts that contradict each other say nothing. */
bool ver_ends_known(ver_span *s, const expr_node *atom, const ver_ends *t);

void ver_span_init(ver_span *s);
void ver_span_clear(ver_span *s);
void ver_span_set_whole(ver_span *s); /* from minus infinity to infinity */
/* False: e is not certainly real there. */
bool ver_span_of(ver_span *s, const expr_node *e, const ver_ends *t);

/* A comparison between real formulas, as far as their spans decide it. */
typedef enum { VER_NEVER, VER_ALWAYS, VER_SOMETIMES } ver_when;
ver_when ver_span_decides(const expr_node *statement, const ver_ends *t);

#endif
