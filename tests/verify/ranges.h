/* ranges.h: formulas over ranges that are written as text. */
#ifndef TEST_VERIFY_RANGES_H
#define TEST_VERIFY_RANGES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "formula.h"
#include "verify/certify.h"

/* "x 0 1, y 1/3 pi/2": ranges; the formulas are the caller's to drop. */
typedef struct {
    ver_range range[VER_MAX_VARS];
    ver_ranges all;
} box;

static inline void make_box(box *b, const char *text) {
    char name[40], lo[40], hi[40];
    int used;
    b->all = (ver_ranges){b->range, 0};
    while (sscanf(text, " %39[^ ] %39[^ ] %39[^ ,]%n", name, lo, hi, &used) == 3) {
        b->range[b->all.n++] = (ver_range){formula(name), formula(lo), formula(hi)};
        text += used;
        if (*text == ',') text++;
    }
}

static inline void drop_box(box *b) {
    for (int i = 0; i < b->all.n; i++) {
        expr_drop(b->range[i].sym);
        expr_drop(b->range[i].lo);
        expr_drop(b->range[i].hi);
    }
}

/* What ver_certify says of a statement over such ranges. */
static inline void certify_on(ver_verdict *out, const char *text, const char *ranges,
                              const ver_budget *budget) {
    box b;
    ph_err err = {0};
    expr_node *s = formula(text);
    make_box(&b, ranges);
    if (ver_certify(out, s, &b.all, NULL, budget, &err)) fail_msg("%s: %s", text, err.text);
    drop_box(&b);
    expr_drop(s);
}

static inline ver_strength strength_on(const char *text, const char *ranges, const ver_budget *budget) {
    ver_verdict v;
    certify_on(&v, text, ranges, budget);
    ver_strength got = v.strength;
    ver_clear(&v);
    return got;
}

#endif
