/* touching.c: statements on a box whose sides touch, where no piece around the touching point is ever settled.
 *
 * What is left is an exact argument: the prover is asked, with the box as conditions. A proof is stronger than a certificate, and
 * says itself what it needs beyond the box.
 */
#include "verify/touching.h"

#include "expr/build.h"

/* lo <= sym <= hi for every range; sym = lo where the two are one. */
static int conditions_of(expr_builder *b, expr_node **where, const ver_ranges *box) {
    int n = 0;
    for (int i = 0; i < box->n; i++) {
        const ver_range *r = &box->range[i];
        if (expr_same(r->lo, r->hi)) where[n++] = expr_b_2(b, EXPR_EQ, r->sym, r->lo);
        else {
            where[n++] = expr_b_2(b, EXPR_GE, r->sym, r->lo);
            where[n++] = expr_b_2(b, EXPR_LE, r->sym, r->hi);
        }
    }
    return n;
}

ph_status ver_prove_on_box(bool *proved, ver_verdict *out, expr_node *statement, const ver_ranges *box,
                           ph_err *err) {
    expr_builder b = EXPR_BUILDER(err);
    expr_node *where[2 * VER_MAX_VARS];
    ver_assume assume = {where, conditions_of(&b, where, box)};
    ver_init(out);
    *proved = false;
    ph_status st = b.st ? b.st : ver_prove(out, statement, &assume, err);
    *proved = !st && out->strength == VER_PROVED;
    if (!ph_is_fatal(st)) st = PH_OK; /* no answer */
    ph_status end = expr_b_end(&b, NULL, NULL);
    return st ? st : end;
}
