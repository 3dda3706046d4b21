/* attention.h: private to attention/. One problem of scaled dot-product attention, checked and laid out.
 *
 *   s_ij = scale q_i . k_j + sum of terms_ij        alpha_ij = e^s_ij / sum_k e^s_ik        out_i = sum_j alpha_ij v_j
 *
 * Shapes: Q (..., H, T, d), K (..., Hk, S, d), V (..., Hk, S, dv); out (..., H, T, dv), alpha (..., H, T, S). The leading
 * dimensions broadcast; H may be a multiple of Hk, and then key head h / (H / Hk) serves query head h. Terms broadcast to
 * (..., H, T, S): a bool one hides the key where it is false, a real one is added (-inf hides too).
 * Query i stands at position i + S - T, key j at j: the last query at the last key. Causal: j <= position; window w:
 * |position - j| < w.
 *
 * A hidden key takes no part: neither its score nor its value is looked at, were they NaN. A query that sees no key has
 * weights 0 and output 0. A NaN or +inf among the scores that are seen makes the query's weights and output NaN.
 */
#ifndef PH_ATTENTION_H
#define PH_ATTENTION_H

#include "array/op.h"

#define ATT_MAXTERMS 2
#define ATT_TOGETHER 6 /* rows that a panel is multiplied with at once */

typedef struct {
    const char *data;
    int64_t row, col;          /* strides in elements */
    int64_t batch[ARR_MAXDIM]; /* of the leading dimensions, 0 where broadcast */
    arr_dtype type;
    bool keys; /* the query heads of a group share it */
} att_operand;

typedef struct {
    arr_dtype type; /* f32 or f64: of Q, K, V and the result */
    int64_t T, S, d, dv;
    int nlead;
    int64_t lead[ARR_MAXDIM]; /* of the result */
    int64_t count;            /* their product */
    int64_t group; /* query heads to a key head; 1 unless the last leading dimension is shared so */
    double scale;
    bool causal;
    int64_t window; /* 0: none */
    bool finite;    /* every element of V is finite */
    att_operand q, k, v, term[ATT_MAXTERMS];
    att_operand panels; /* the keys in panels, `row` from one to the next; data NULL: use k */
    int nterms;
    char *out; /* contiguous */
    char *
        sums; /* (lead..., T, 2), of each query the greatest score and the sum of e^(s_ij - greatest); NULL: not wanted */
} att_problem;

/* One line of softmax (normalize.c); y == x is allowed. */
void att_softmax_f32(float *y, const float *x, int64_t n);
void att_softmax_f64(double *y, const double *x, int64_t n);

/* Where batch b of an operand begins. */
const char *att_at(const att_problem *p, const att_operand *x, int64_t b);
/* *lo <= j < *hi: the keys that causal and window let at least one of the queries first .. last see. */
void att_keys(const att_problem *p, int64_t first, int64_t last, int64_t *lo, int64_t *hi);
/* *first <= i < *last: the queries that causal and window let see at least one of the keys lo .. hi. */
void att_queries(const att_problem *p, int64_t lo, int64_t hi, int64_t *first, int64_t *last);

/* One call: its problem, and what owns the memory of the operands: Q, K, V (none for attention_weights), terms. */
typedef struct {
    att_problem p;
    arr held[3 + ATT_MAXTERMS], panels;
} att_call;

/* *held: x in the problem's type with rows that BLAS can take as they lie; o: how it lies. keys: it belongs to keys. */
PH_MUST ph_status att_prepare(arr *held, att_operand *o, const att_problem *p, const arr *x, bool keys,
                              ph_err *err);
void att_describe(att_operand *o, const att_problem *p, const arr *x, bool keys);
/* x: f32 or f64, one dimension at least */
PH_MUST ph_status att_all_finite(bool *finite, const arr *x, ph_err *err);

/* The keys are worth packing into panels (array/gemm.h), and panels of the values can be read as they lie. */
bool att_panels_pay(const att_problem *p);
/* k (lead..., S, d), rows contiguous, as an array (lead..., panels, d width). */
PH_MUST ph_status att_pack_panels(arr *out, const arr *k, ph_err *err);

/* out = alpha V without ever storing alpha: memory for blocks only. */
PH_MUST ph_status att_blocked(const att_problem *p, ph_err *err);
/* out = alpha; V is not looked at. */
PH_MUST ph_status att_weigh(const att_problem *p, ph_err *err);
/* out: gQ (lead..., T, d), gK (..., S, d) and gV (..., S, dv) with a head for each key head, gS (lead..., T, S), for a cotangent g
 * (lead..., T, dv) of the output z; those with one dimension are not wanted. The keys are in panels; c's Q and K may be replaced. */
PH_MUST ph_status att_backward(arr *out, att_call *c, const arr *g, const arr *z, const arr *sums,
                               ph_err *err);

extern const op_help att_help[]; /* of the operations */

#endif
