/* Tables of sines and cosines as other files ask for them: every entry against balls and nothing beside it, wherever the table begins and ends.
 * Sources: encoding/phases.c encoding/phases_kernels.inc */
#include "verify/flint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "encoding/phases.h"

#define GUARD     16 /* rows before the table, which begins on a line of the caches so, and behind it: nobody's */
#define MARGIN    3    /* entries behind each row, likewise */
#define UNTOUCHED 7.25 /* no sine, whatever the scale below */

typedef struct {
    enc_sink to;
    int64_t n, pairs;
    void *sin, *cos; /* with their guards; one block when they alternate */
} table;

static double get(arr_dtype t, const void *at, int64_t k) {
    return t == ARR_F64 ? ((const double *)at)[k] : (double)((const float *)at)[k];
}

static void *guarded(arr_dtype t, int64_t count) {
    void *block = aligned_alloc(64, (size_t)(count + 7) / 8 * 8 * sizeof(double));
    assert_non_null(block);
    for (int64_t k = 0; k < count; k++)
        if (t == ARR_F64) ((double *)block)[k] = UNTOUCHED;
        else ((float *)block)[k] = (float)UNTOUCHED;
    return block;
}

static table new_table(arr_dtype t, int64_t n, int64_t pairs, int64_t step, int64_t margin) {
    int64_t row = pairs * step + margin, before = GUARD * row, count = before + (n + GUARD) * row;
    size_t item = t == ARR_F64 ? sizeof(double) : sizeof(float);
    table a = {{t, NULL, NULL, row, step}, n, pairs, guarded(t, count), NULL};
    a.cos = step == 1 ? guarded(t, count) : a.sin;
    a.to.sin = (char *)a.sin + (size_t)before * item;
    a.to.cos = (char *)a.cos + (size_t)(before + (step == 2)) * item;
    return a;
}

static void drop_table(table *a) {
    if (a->cos != a->sin) free(a->cos);
    free(a->sin);
}

/* Guards and margins hold what they held. */
static void nothing_else_is_written(const table *a) {
    const void *block[] = {a->sin, a->cos};
    for (int b = 0; b < 2; b++)
        for (int64_t r = -GUARD; r < a->n + GUARD; r++)
            for (int64_t k = 0; k < a->to.row; k++) {
                bool entry = r >= 0 && r < a->n && k < a->pairs * a->to.step;
                double seen = get(a->to.dtype, block[b], (r + GUARD) * a->to.row + k);
                if (entry ? seen == UNTOUCHED : seen != UNTOUCHED)
                    fail_msg("row %lld of %lld, column %lld is %g", (long long)r, (long long)a->n,
                             (long long)k, seen);
            }
}

/* |got - exact| in ulps of the exact value; 0 where both are 0. */
static double ulps(double got, const arb_t exact, int digits) {
    double x = arf_get_d(arb_midref(exact), ARF_RND_NEAR), off;
    int e;
    arb_t d;
    if (x == 0) return got == 0 ? 0 : INFINITY;
    arb_init(d);
    arb_set_d(d, got);
    arb_sub(d, d, exact, 300);
    off = isfinite(got) ? fabs(arf_get_d(arb_midref(d), ARF_RND_UP)) : INFINITY;
    arb_clear(d);
    (void)frexp(x, &e);
    return ldexp(off, digits - e);
}

/* Row r against the exact angle t(r) theta: within 1 ulp, a float within 0.51 (phases.h). */
static void row_is_exact(const table *a, const enc_positions *at, const ph_dd *theta, ph_dd scale,
                         int64_t r) {
    arb_t angle, part, s, c;
    arb_init(angle), arb_init(part), arb_init(s), arb_init(c);
    bool wide = a->to.dtype == ARR_F64;
    for (int64_t i = 0; i < a->pairs; i++) {
        arb_set_d(angle, theta[i].hi);
        arb_set_d(part, theta[i].lo);
        arb_add(angle, angle, part, 300);
        arb_set_d(part, at->list ? at->list[r] : at->first);
        arb_set_d(s, at->list ? at->offset : (double)r);
        arb_add(part, part, s, 300);
        arb_mul(angle, angle, part, 300);
        arb_sin_cos(s, c, angle, 300);
        arb_set_d(part, scale.hi);
        arb_set_d(angle, scale.lo);
        arb_add(part, part, angle, 300);
        arb_mul(s, s, part, 300), arb_mul(c, c, part, 300);
        double got_s = get(a->to.dtype, a->to.sin, r * a->to.row + i * a->to.step),
               got_c = get(a->to.dtype, a->to.cos, r * a->to.row + i * a->to.step);
        double off = fmax(ulps(got_s, s, wide ? 53 : 24), ulps(got_c, c, wide ? 53 : 24));
        if (!(off <= (wide ? 1 : 0.51)))
            fail_msg("position %g + %lld of %lld, pair %lld of %lld: %g, %g are off by %g ulps",
                     at->list ? at->list[r] : at->first, (long long)r, (long long)a->n, (long long)i,
                     (long long)a->pairs, got_s, got_c, off);
    }
    arb_clear(angle), arb_clear(part), arb_clear(s), arb_clear(c);
}

/* `given` are the positions meant. */
static void fill_and_compare(arr_dtype t, const enc_positions *at, const enc_positions *given, int64_t pairs,
                             int64_t step, int64_t margin, ph_dd scale, int64_t skip) {
    ph_err err;
    ph_dd *theta = malloc((size_t)pairs * sizeof *theta);
    assert_non_null(theta);
    enc_frequencies(theta, pairs, ph_dd_log(ph_dd_of(100)), 2 * (double)pairs);
    table a = new_table(t, at->n, pairs, step, margin);
    assert_int_equal(enc_fill(&a.to, at, theta, pairs, scale, &err), PH_OK);
    nothing_else_is_written(&a);
    for (int64_t r = 0; r < at->n; r += r + 40 < at->n && r > 40 ? skip : 1)
        row_is_exact(&a, given, theta, scale, r);
    drop_table(&a);
    free(theta);
}

static void fill_and_look(arr_dtype t, const enc_positions *at, int64_t pairs, int64_t step, int64_t margin,
                          ph_dd scale, int64_t skip) {
    fill_and_compare(t, at, at, pairs, step, margin, scale, skip);
}

/* Tables of one row to more than a piece, of one pair to more than the kernels take at once, that begin and end on each side of 0. */
static void every_entry_and_no_other(void **state) {
    (void)state;
    static const int64_t counts[] = {0, 1, 2, 15, 16, 17, 31, 33, 255, 257, 300},
                         pairs[] = {1, 3, 31, 33, 65};
    for (int t = 0; t < 2; t++)
        for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
            for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
                double N = (double)counts[n], firsts[] = {0, -N, 1 - N, -1, -N / 2 - 0.25, 1000.5};
                for (int k = 0; k < 6; k++) {
                    enc_positions at = {.n = counts[n], .first = firsts[k]};
                    fill_and_look(t ? ARR_F64 : ARR_F32, &at, pairs[p], 1 + (k + (int)n) % 2,
                                  k % 2 ? MARGIN : 0, k % 3 ? ph_dd_of(1) : (ph_dd){0.625, 0x0.fp-54}, 37);
                }
            }
}

/* Tables of more than PH_PAST bytes are written past the caches, in every layout; their first rows, some and the last ones. */
static void large_tables(void **state) {
    (void)state;
    for (int form = 0; form < 8; form++) {
        arr_dtype t = form & 1 ? ARR_F64 : ARR_F32;
        size_t item = t == ARR_F64 ? sizeof(double) : sizeof(float);
        int64_t pairs = form & 4 ? 67 : 64, n = (int64_t)(PH_PAST / (2 * item)) / pairs;
        for (int more = 0; more < 2; more++) {
            enc_positions at = {.n = n + more, .first = form & 2 ? -3 : -(double)n};
            fill_and_look(t, &at, pairs, form & 2 ? 2 : 1, form & 4 ? MARGIN : 0, ph_dd_of(1), 997);
        }
    }
}

static void lists(void **state) {
    (void)state;
    double list[19];
    for (int k = 0; k < 19; k++) list[k] = k % 4 == 0 ? -0.5 * k : k * k;
    for (int64_t n = 0; n <= 19; n++)
        for (int form = 0; form < 4; form++) {
            enc_positions at = {.n = n, .list = list};
            fill_and_look(form & 1 ? ARR_F64 : ARR_F32, &at, 5, 1 + form / 2, MARGIN, ph_dd_of(form ? 1 : 2),
                          1);
        }
}

/* A list plus an offset, where doubles round their sums; also one in which each number is the double next to the one before plus 1,
 * which is no run: 1000.1 is not 0.1 + 1000. */
static void sums_are_not_rounded(void **state) {
    (void)state;
    static const double offset[] = {0, 0.1, -21.7, 1e5 + 1. / 3, 8};
    ph_err err;
    for (int form = 0; form < 4; form++)
        for (size_t k = 0; k < sizeof offset / sizeof *offset; k++) {
            arr list, copy;
            enc_positions at;
            assert_int_equal(arr_new(&list, ARR_F64, 1, (int64_t[]){40}, &err), PH_OK);
            double *t = (double *)list.data;
            for (int r = 0; r < 40; r++)
                t[r] = form == 0 ? 0.1 + r : form == 1 ? 1e5 + r : form == 2 ? r * r * 1e-7 : -20.5 + r;
            enc_positions given = {.n = 40, .list = t, .offset = offset[k]};
            assert_int_equal(
                enc_positions_of(&at, &copy, &(enc_value){.given = true, .array = &list}, offset[k], &err),
                PH_OK);
            if (form == 3 && k == 4) assert_true(at.list == NULL && at.first == -12.5);
            fill_and_compare(ARR_F64, &at, &given, 5, 2, MARGIN, ph_dd_of(1), 1);
            fill_and_compare(ARR_F32, &at, &given, 5, 1, MARGIN, ph_dd_of(1), 1);
            arr_drop(&list);
            arr_drop(&copy);
        }
}

static void at_each_level(void **state) {
    ph_cpu_level top = ph_cpu();
    for (ph_cpu_level l = PH_CPU_BASELINE; l < top; l++) {
        assert_int_equal(ph_set_cpu(l), l);
        large_tables(state);
    }
    ph_set_cpu(PH_CPU_AVX512);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_and_no_other), cmocka_unit_test(large_tables),  cmocka_unit_test(lists),
        cmocka_unit_test(sums_are_not_rounded),     cmocka_unit_test(at_each_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
