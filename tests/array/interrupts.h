/* interrupts.h: calls that are interrupted at every look at the flag in turn. */
#ifndef TEST_ARRAY_INTERRUPTS_H
#define TEST_ARRAY_INTERRUPTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "array/op.h"
#include "base/parallel.h"

typedef ph_status interruptible(void *ctx, ph_err *err); /* what it makes it gives back itself */

/* With an interrupt at the 1st, 2nd, ... look (at some fifty of them, where there are more) the call ends soon, says why and leaks
 * nothing. Returns how many looks there are. */
static inline size_t survives_interrupts_of(interruptible *call, void *ctx) {
    enum { FURTHER = 64 }; /* looks on the way out */
    ph_err err;
    const size_t live = ph_block_live();
    ph_set_threads(1);
    ph_interrupt_from(SIZE_MAX);
    ph_status st = call(ctx, &err);
    const size_t looks = ph_interrupt_looks();
    ph_interrupt_from(0);
    assert_int_equal(st, PH_OK);
    for (size_t k = 1; k <= looks; k += k < 25 || k + 25 > looks ? 1 : looks / 50 + 1) {
        ph_interrupt_from(k);
        st = call(ctx, &err);
        const size_t seen = ph_interrupt_looks();
        ph_interrupt_from(0);
        if (st != PH_EINTR || seen < k || seen >= k + FURTHER || !strstr(err.text, "interrupted"))
            fail_msg("interrupt at look %zu of %zu: status %d after %zu looks", k, looks, st, seen);
        assert_int_equal(ph_block_live(), live);
    }
    ph_set_threads(0);
    return looks;
}

typedef struct {
    const op *row;
    const arr *in;
    int n;
    const op_attrs *attrs;
} row_call;

static inline ph_status call_row(void *ctx, ph_err *err) {
    const row_call *c = ctx;
    arr out[OP_MAXOUT];
    ph_status st = op_apply(out, c->row, c->in, c->n, c->attrs, err);
    for (int i = 0; i < c->row->n_out; i++) {
        if (st != PH_OK) assert_null(out[i].buf);
        arr_drop(&out[i]);
    }
    return st;
}
static inline size_t survives_interrupts(const op *row, const arr *in, int n, const op_attrs *attrs) {
    return survives_interrupts_of(call_row, &(row_call){row, in, n, attrs});
}

#endif
