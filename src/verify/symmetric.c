/* symmetric.c: symmetry under permutations: one statement for each exchange of neighbours. */
#include <stdio.h>
#include <string.h>

#include "expr/build.h"
#include "verify/exact.h"
#include "verify/internal.h"
#include "verify/meter.h"
#include "verify/subject.h"

/* f with blocks i and i+1 exchanged, by way of symbols that no user can name. */
static expr_node *exchange(expr_builder *b, expr_node *f, expr_node *const *sym, int i, int size) {
    char name[32];
    expr_node *const *x = sym + (ptrdiff_t)i * size, *const *y = x + size;
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; k < size && !b->st; k++) {
            expr_node *aside;
            snprintf(name, sizeof name, "'%d", k);
            if ((b->st = expr_sym(&aside, name, EXPR_REAL, b->err))) return NULL;
            expr_b_keep(b, aside);
            f = pass == 0   ? expr_b_subst(b, f, x[k], aside)
                : pass == 1 ? expr_b_subst(b, f, y[k], x[k])
                            : expr_b_subst(b, f, aside, y[k]);
        }
    return f;
}

static ph_status symmetric(ver_verdict *out, expr_node *f, expr_node *const *sym, int n, int size,
                           ph_err *err) {
    for (int i = 0; i < n * size; i++)
        for (int k = 0; k < i; k++)
            if (expr_same(sym[i], sym[k])) return ph_fail(err, PH_EARG, "one symbol stands twice");
    ph_status st = PH_OK;
    for (int i = 0; i + 1 < n; i++) {
        expr_builder b = EXPR_BUILDER(err);
        expr_node *s = expr_b_2(&b, EXPR_EQ, f, exchange(&b, f, sym, i, size)), *statement = NULL;
        if ((st = expr_b_end(&b, &statement, s)) && ph_is_open(st)) {
            ph_err why = *err;
            return ver_say_unknown(out, st == PH_EOUTSIDE ? VER_OUTSIDE_THEORY : VER_OUT_OF_BUDGET, why.text,
                                   err);
        }
        if (st) goto done;
        ver_clear(out);
        st = ver_prove(out, statement, NULL, err);
        expr_drop(statement);
        if (st || out->strength != VER_PROVED) break;
    }
    if (st) goto done;
    if (n < 2) { /* nothing to exchange */
        expr_node *itself = NULL;
        PH_TRY(expr_make2(&itself, EXPR_EQ, f, f, err));
        st = ver_prove(out, itself, NULL, err);
        expr_drop(itself);
    } else if (out->strength == VER_PROVED) {
        char *method = out->method;
        out->method = NULL;
        st = ver_set(&out->method, err, "%s; the %d exchanges of neighbours generate all permutations",
                     method ? method : "", n - 1);
        ph_free(method);
    }
    ver_subject_give(out, NULL); /* that of the last exchange */
    if (!st && out->strength == VER_PROVED) st = ver_subject_exchange(out, f, sym, n, size, err);
    if (!st) st = ver_set(&out->statement, err, "symmetric under all permutations of %d", n);
done:
    return st;
}

ph_status ver_symmetric(ver_verdict *out, expr_node *f, expr_node *const *sym, int n, int size, ph_err *err) {
    ver_init(out);
    ver_meter_open(1); /* the exchanges share it */
    return ver_meter_end(out, symmetric(out, f, sym, n, size, err), err);
}
