/* internal.h: private to diff/. What a value and a trace are. */
#ifndef PH_DIFF_INTERNAL_H
#define PH_DIFF_INTERNAL_H

#include "diff/diff.h"

struct op_val {
    int refs;
    dif_trace *trace; /* holds a reference; NULL: a constant */
    op_val *inner;    /* the value one level further in; for a batch with a leading axis. NULL in a husk */
    int64_t slot;     /* on a tape: where it stands among all results */
    op_spec spec;     /* as everybody sees it; of one member, for a batch */
    arr a;            /* of a constant */
    uint64_t writes;  /* arr_writes(&a) at the beginning */
    op_val *before, *after; /* the living values of a trace, so that closing it reaches them */
};

/* One operation on a tape. An input is a node without a row. */
typedef struct {
    const op *row;
    const op_rule *rule;
    const op_attrs *attrs;
    size_t bytes;     /* of the block it stands in */
    int n, n_out, ny; /* ny: results and what is kept beside them */
    int64_t first;    /* slot of the first result */
    int64_t *from;    /* slot of each operand; -1: a constant to this tape */
    op_val **x, **y;  /* what the rule looks at, one level further in; NULL: not kept */
    op_spec *sx, *sy;
    dif_place at;
} dif_node;

struct dif_trace {
    int refs;
    uint64_t id; /* grows with the time of opening: the innermost trace has the greatest */
    bool closed, watch;
    int64_t batch; /* 0: a tape */
    op_val *values;
    dif_node **nodes;
    int64_t n, cap;
    int64_t *node_of; /* by slot */
    int64_t slots, slot_cap;
    char **sources; /* names of files, each once */
    int n_sources;
};

/* A rule's context: owns what the rule makes. */
typedef struct {
    op_ctx c;
    dif_place at;
    op_val **own;
    int n, cap;
    op_val *few[24];
} dif_ctx;
void dif_ctx_begin(dif_ctx *x, dif_place at);
void dif_ctx_end(dif_ctx *x);
op_val *dif_ctx_take(dif_ctx *x, op_val *v); /* takes a reference over until the end; NULL passes */

/* New values; `inner` is taken over, also on failure. */
PH_MUST ph_status dif_wrap(op_val **out, dif_trace *t, op_val *inner, int64_t slot, ph_err *err);
/* A place for one more node with n_out results; *first is the slot of its first. */
PH_MUST ph_status dif_trace_room(dif_trace *t, int n_out, ph_err *err);
void dif_trace_add(dif_trace *t, dif_node *node);
PH_MUST ph_status dif_node_new(dif_node **out, int n, int n_out, int ny, const op_attrs *attrs, ph_err *err);
/* An element is NaN, in the array behind the tapes. */
bool dif_has_nan(const op_val *v);
/* The same name in the trace's own memory; NULL when there is no memory for it. */
const char *dif_trace_source(dif_trace *t, const char *source);

#endif
