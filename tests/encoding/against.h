/* against.h: an encoding held against its own formula, evaluated by balls. Shared by the tests of this folder. */
#ifndef PH_TEST_AGAINST_H
#define PH_TEST_AGAINST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "diff/diff.h"
#include "encoding/encoding.h"
#include "verify/ball.h"

#define BITS 300

/* The values of a formula's symbols: by name, and of the families x[j], m[axis], q[j] and k[j]. */
typedef struct {
    double t, m, n;
    const double *x, *axes; /* x[0], x[1], …; m[0], m[1], … */
    const double *q, *k;
} at_point;

static inline bool point_value(void *ctx, acb_t v, const expr_node *atom, slong prec) {
    (void)prec;
    const at_point *p = ctx;
    if (atom->op == EXPR_AT) {
        char name = atom->arg[0]->name[0];
        const double *family = name == 'x' ? p->x : name == 'q' ? p->q : name == 'k' ? p->k : p->axes;
        if (!family || atom->arg[1]->op != EXPR_RAT) return false;
        acb_set_d(v, family[atom->arg[1]->num]);
        return true;
    }
    if (atom->op != EXPR_SYM || strlen(atom->name) != 1) return false;
    acb_set_d(v, atom->name[0] == 't' ? p->t : atom->name[0] == 'm' ? p->m : p->n);
    return strchr("tmn", atom->name[0]) != NULL;
}

/* |got - formula|, from above; NaN when the formula has no value. *exponent: of the exact value, as by frexp. */
static inline double off_by(double got, const expr_node *formula, at_point p, int *exponent) {
    acb_t want;
    arb_t d;
    mag_t m;
    ph_err err;
    acb_init(want);
    arb_init(d);
    mag_init(m);
    assert_int_equal(ver_ball(want, formula, point_value, &p, BITS, &err), PH_OK);
    assert_true(acb_is_real(want));
    (void)frexp(arf_get_d(arb_midref(acb_realref(want)), ARF_RND_DOWN), exponent);
    arb_set_d(d, got);
    arb_sub(d, d, acb_realref(want), BITS);
    arb_get_mag(m, d);
    double off = isfinite(got) ? mag_get_d(m) : NAN;
    mag_clear(m);
    arb_clear(d);
    acb_clear(want);
    return off;
}

/* The same in units of the last place of the exact value as a double. */
static inline double ulps_off(double got, const expr_node *formula, at_point p) {
    int e;
    double off = off_by(got, formula, p, &e);
    return ldexp(off, 53 - e);
}

static inline enc_call call_of(const char *function) {
    enc_call c = {0};
    for (const enc_encoding *const *e = enc_registry; *e; e++)
        for (const enc_function *f = (*e)->functions; f->name; f++)
            if (strcmp(f->name, function) == 0) {
                enc_begin(&c, f);
                return c;
            }
    fail_msg("no function %s", function);
    return c;
}
static inline void set_int(enc_call *c, const char *name, int64_t x) { enc_set(c, name)->whole = x; }
static inline void set_num(enc_call *c, const char *name, double x) { enc_set(c, name)->num = x; }
static inline void set_word(enc_call *c, const char *name, const char *w) { enc_set(c, name)->word = w; }
static inline void set_array(enc_call *c, const char *name, const arr *a) { enc_set(c, name)->array = a; }

static inline arr run_call(enc_call *c) {
    arr out[ENC_MAXOUT];
    ph_err err;
    if (enc_run(out, c, &err) != PH_OK) fail_msg("%s", err.text);
    for (int k = 1; k < c->fn->n_out; k++) arr_drop(&out[k]);
    return out[0];
}

static inline void run_definition(op_ctx *c, const void *ctx, op_val **y) {
    const enc_call *call = ctx;
    call->fn->define(&(enc_def){.c = c, .v = call->v}, y);
}

/* The slow way: by the definition, on arrays of f64. */
static inline arr run_defined(const enc_call *c) {
    enc_call wide = *c;
    arr copy[ENC_MAXPAR] = {ARR_NONE}, out;
    op_val *y[ENC_MAXOUT];
    ph_err err;
    for (int k = 0; c->fn->params[k].name; k++) {
        if (!c->v[k].array || c->v[k].array->dtype != ARR_F32) continue;
        assert_int_equal(arr_convert(&copy[k], c->v[k].array, ARR_F64, &err), PH_OK);
        wide.v[k].array = &copy[k];
    }
    if (enc_check(&wide, &err) != PH_OK) fail_msg("%s", err.text);
    if (dif_define(y, c->fn->n_out, c->fn->name, run_definition, &wide, (dif_place){0}, &err) != PH_OK)
        fail_msg("%s", err.text);
    out = arr_ref(dif_array(y[0]));
    for (int k = 0; k < c->fn->n_out; k++) dif_drop(y[k]);
    for (int k = 0; k < ENC_MAXPAR; k++) arr_drop(&copy[k]);
    return out;
}

static inline double entry(const arr *a, int64_t i, int64_t j) {
    int64_t at[ARR_MAXDIM] = {i, j};
    return arr_get_num(a, arr_at(a, at));
}

static inline bool same_bits(const arr *a, const arr *b) {
    return a->dtype == b->dtype && arr_same_shape(a, b) &&
           memcmp(a->data, b->data, (size_t)arr_size(a) * arr_itemsize(a->dtype)) == 0;
}

/* The call gives the same bits at every CPU level and with 1 and 3 threads. */
static inline void same_everywhere(enc_call *c) {
    arr want = run_call(c);
    ph_cpu_level top = ph_cpu();
    for (int threads = 1; threads <= 3; threads += 2)
        for (ph_cpu_level l = PH_CPU_BASELINE; l <= top; l++) {
            ph_set_threads(threads);
            assert_int_equal(ph_set_cpu(l), l);
            arr got = run_call(c);
            assert_true(same_bits(&want, &got));
            arr_drop(&got);
        }
    ph_set_threads(0);
    ph_set_cpu(PH_CPU_AVX512);
    arr_drop(&want);
}

/* Every allocation of the call refused in turn: an ENOMEM, and nothing left behind. */
static inline void leaks_nothing(enc_call *c) {
    arr out[ENC_MAXOUT];
    ph_err err;
    size_t live = ph_block_live();
    for (size_t n = 1;; n++) {
        assert_true(n < 1000);
        ph_alloc_fail_from(n);
        ph_status st = enc_run(out, c, &err);
        ph_alloc_fail_from(0);
        bool done = st == PH_OK;
        if (!done) assert_int_equal(st, PH_ENOMEM);
        for (int k = 0; k < c->fn->n_out; k++) {
            if (!done) assert_null(out[k].buf);
            arr_drop(&out[k]);
        }
        assert_true(ph_block_live() == live);
        if (done) {
            assert_true(n > 1);
            return;
        }
    }
}

#endif
