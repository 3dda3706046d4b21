/* classes.c: the values of a heat map that have names, as verdicts have: what stands in a cell, and the legend that explains it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/text.h"

void plt_drop_classes(plt_heat *h) {
    for (int i = 0; i < h->nclasses; i++) {
        ph_free(h->classes[i].sign);
        ph_free(h->classes[i].name);
    }
    ph_free(h->classes);
    h->classes = NULL;
    h->nclasses = 0;
}

ph_status plt_set_classes(plt_heat *h, int n, const plt_class *classes, ph_err *err) {
    ph_status st = PH_OK;
    plt_drop_classes(h);
    if (n <= 0) return PH_OK;
    if (!(h->classes = ph_calloc((size_t)n, sizeof *classes)))
        return ph_fail_nomem(err, (size_t)n * sizeof *classes);
    h->nclasses = n;
    for (int i = 0; i < n; i++) {
        h->classes[i].value = classes[i].value;
        PH_TRY(plt_set_text(&h->classes[i].sign, classes[i].sign, err));
        PH_TRY(plt_set_text(&h->classes[i].name, classes[i].name, err));
    }
done:
    if (st != PH_OK) plt_drop_classes(h);
    return st;
}

static bool same_value(double a, double b) { return isnan(a) ? isnan(b) : a == b; }

void plt_heat_text(char *out, size_t cap, const plt_heat *h, double v) {
    const char *sign = "";
    if (!h->nclasses) {
        if (isnan(v)) snprintf(out, cap, "nan");
        else plt_cell_text(out, cap, v, h->digits);
        return;
    }
    for (int i = 0; i < h->nclasses; i++)
        if (same_value(h->classes[i].value, v)) sign = h->classes[i].sign;
    snprintf(out, cap, "%s", sign);
}
