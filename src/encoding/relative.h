/* relative.h: scores of queries and keys that know their distance. Private to encoding/.
 *
 *     s_mn = scale (q_m . k_n + t_m(n - m) + …)
 *
 * A term is looked up in a product with a table of R rows, (T, R) for queries or (S, R) for keys: a few columns instead of a
 * vector for each pair (m, n). Query i stands at m = first + i, key j at n = j.
 *
 *     n - m =    … lo-1   lo   lo+1  …  lo+R-1   lo+R …          distances beyond the table's ends take the row at the end
 *     column      [  0    0     1    …   R-1     R-1  ]
 */
#ifndef PH_ENCODING_RELATIVE_H
#define PH_ENCODING_RELATIVE_H

#include "encoding/waves.h"

#define ENC_Q_ROW                                                                                            \
    { "q", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "an array (..., T, d) of queries" }
#define ENC_K_ROW                                                                                                       \
    {                                                                                                                   \
        "k", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,                                                      \
            "an array (..., S, d) of keys; with fewer heads than q, a divisor, each serves as many heads of q in a row" \
    }
#define ENC_FIRST_ROW                                                                                        \
    {                                                                                                        \
        "offset", ENC_INT, ENC_DERIVED, 0, -0x1p31, 0x1p31, NULL, NULL, "positions",                         \
            "where the first query stands, the first key at 0; left out: S - T, the last query at the last " \
            "key"                                                                                            \
    }
#define ENC_CONTENT_ROW                                                                                      \
    {                                                                                                        \
        "content", ENC_FLAG, ENC_OPTIONAL, 1, 0, 1, NULL, NULL, NULL,                                        \
            "false: leaves out the products with k that know no position; the rest is a bias for attention"  \
    }

/* Of the forms with sinusoids. */
#define ENC_W_ROW                                                                                            \
    {                                                                                                        \
        "W", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,                                           \
            "an array (D, d), or one for each head: maps the D columns of R, an even number, to keys"        \
    }
#define ENC_U_ROW                                                                                            \
    {                                                                                                        \
        "u", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,                                           \
            "a vector (d) or (H, d), learned: meets the keys"                                                \
    }
#define ENC_V_ROW                                                                                            \
    {                                                                                                        \
        "v", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,                                           \
            "a vector (d) or (H, d), learned: meets the distances"                                           \
    }
#define ENC_CLAMP_ROW                                                                                        \
    {                                                                                                        \
        "clamp", ENC_INT, ENC_OPTIONAL, 0, 0, 1e9, NULL, NULL, "positions",                                  \
            "greater distances count as this one; 0: none"                                                   \
    }
#define ENC_WAVE_BASE_ROW                                                                                    \
    { "base", ENC_NUM, ENC_OPTIONAL, 10000, 1e-200, 1e200, NULL, NULL, NULL, "of the frequencies in R" }
/* What Transformer-XL and XLNet begin with; the places are those of ENC_XL_Q and so on. */
#define ENC_XL_ROWS                                                                                          \
    ENC_Q_ROW, ENC_K_ROW, ENC_W_ROW, ENC_U_ROW, ENC_V_ROW, ENC_FIRST_ROW, ENC_CONTENT_ROW, ENC_CLAMP_ROW,    \
        ENC_WAVE_BASE_ROW

/* Queries, keys and what else a score is made of: one dtype, and leading dimensions that broadcast. */
#define ENC_MAXPARTS 8
typedef struct {
    const char *who;
    arr_dtype type; /* f64 unless every part is f32 */
    int64_t T, S, d, first;
    int nlead;
    int64_t lead[ARR_MAXDIM]; /* of the scores */
    arr part[ENC_MAXPARTS];   /* owned: q, k, then the others */
    int parts;
} enc_scores;

/* A further part and its shape: a matrix (..., rows, d), or a vector (d) or (H, d) for each head, which then becomes
 * (..., 1, d). */
typedef struct {
    const char *name;
    const arr *array; /* NULL: no such part; it is skipped */
    bool vector;
    int64_t columns; /* 0: d */
} enc_part;

/* EARG names the part whose shape is wrong. Drop *s after use, also after a failure. */
PH_MUST ph_status enc_scores_of(enc_scores *s, const char *who, const arr *q, const arr *k,
                                const enc_value *offset, const enc_part *parts, int n, ph_err *err);
void enc_scores_drop(enc_scores *s);
/* What a file's own `begin` says of its arguments. */
typedef ph_status enc_scores_fn(enc_scores *s, const enc_value *v, ph_err *err);
PH_MUST ph_status enc_scores_check(enc_scores_fn *begin, const enc_value *v, ph_err *err);
/* EARG unless the dimensions before the last two broadcast. */
PH_MUST ph_status enc_lead_shape(int *nlead, int64_t *lead, const arr *const *in, int n, const char *who,
                                 ph_err *err);

/* Grouped queries: where the heads of q, its last dimension but two, are a multiple of k's, each head of k serves as many of q in a row. How many;
 * 1: k has a head for each, or one for all. */
int64_t enc_group_of(const int64_t *q, int nq, const int64_t *k, int nk);
/* *k with a head for each of q; as it is without groups. */
PH_MUST ph_status enc_share_heads(arr *k, const arr *q, ph_err *err);

/* *out (lead, T, S): left right^T, or zeros without `left`. */
PH_MUST ph_status enc_scores_begin(arr *out, const enc_scores *s, const arr *left, const arr *right,
                                   ph_err *err);
/* x (…, rows, columns) as a view (lead, rows, columns), and where its batch b begins, in elements. */
PH_MUST ph_status enc_spread(arr *out, const enc_scores *s, const arr *x, ph_err *err);
int64_t enc_batch_at(const enc_scores *s, const arr *x, int64_t b);
const char *enc_row_at(const enc_scores *s, const arr *x, int64_t b, int64_t row);
/* a b^T over the last two dimensions */
PH_MUST ph_status enc_times_transposed(arr *out, const arr *a, const arr *b, ph_err *err);

static inline int64_t enc_clamp(int64_t x, int64_t lo, int64_t hi) { return x < lo ? lo : x > hi ? hi : x; }

typedef struct {
    const arr *column; /* (..., T, R), or (..., S, R) when of keys */
    bool of_keys;
    int64_t lo; /* n - m at column 0 */
} enc_by_distance;
/* The same for one query at m and keys first .. end-1, unchecked. key, step: elements from key to key, column to column. */
typedef struct {
    arr_dtype type;
    void *out;          /* of key 0 */
    const void *column; /* column 0 of key 0 */
    int64_t key, step, m, lo, R;
    double scale;
} enc_line;
void enc_add_line(const enc_line *l, int64_t first, int64_t end);

/* A view of rows skip .. skip+count-1, the last one first when `turned`. */
PH_MUST ph_status enc_rows_of(arr *out, const arr *x, int64_t skip, int64_t count, bool turned, ph_err *err);
/* out = scale (out + the column of each n - m). R >= 1. */
PH_MUST ph_status enc_add_by_distance(const arr *out, const enc_scores *s, const enc_by_distance *by,
                                      double scale, ph_err *err);

/* Sines and cosines of the distance: t = m - n, or n - m when `ahead`; beyond `clamp` (0: none) the distance stays. */
typedef struct {
    enc_waves waves;
    bool ahead;
    int64_t clamp;
} enc_distances;
/* Of m - n, with as many columns [sin ‖ cos] as W has rows: EARG for an odd number. */
PH_MUST ph_status enc_distances_of(enc_distances *r, const char *who, const arr *W, double base,
                                   int64_t clamp, ph_err *err);

/* The frame of Transformer-XL, which XLNet and TENER keep:
 *
 *     s_mn = scale ((q_m + u) . k_n + more + (q_m + v) . (R_t W))        scale: 1/sqrt(d), or 1
 *
 * A file's `begin` says what is in it: W or NULL for none, what it adds or NULL, and calls
 * enc_xl_begin for the parts, its own last. */
typedef struct {
    const arr *W, *u, *v;
    bool content; /* false: without the first product */
    bool scaled;
    ph_status (*add)(const arr *out, const enc_scores *s, const enc_value *v,
                     ph_err *err); /* NULL: nothing */
    enc_distances r;
    enc_scores s;
} enc_xl;
enum {
    ENC_XL_Q,
    ENC_XL_K,
    ENC_XL_W,
    ENC_XL_U,
    ENC_XL_V,
    ENC_XL_OWN
}; /* its parts, and the first of ENC_XL_ROWS */
enum { ENC_XL_OFFSET = ENC_XL_OWN, ENC_XL_CONTENT, ENC_XL_CLAMP, ENC_XL_BASE, ENC_XL_MORE }; /* the others */
enc_xl enc_xl_of(const enc_value *v); /* of ENC_XL_ROWS */
typedef ph_status enc_xl_fn(enc_xl *x, const enc_value *v, ph_err *err);
PH_MUST ph_status enc_xl_begin(enc_xl *x, const char *who, const arr *q, const arr *k,
                               const enc_value *offset, const enc_part *own, int n, ph_err *err);
PH_MUST ph_status enc_xl_run(arr *out, enc_xl_fn *begin, const enc_value *v, ph_err *err);
PH_MUST ph_status enc_xl_check(enc_xl_fn *begin, const enc_value *v, ph_err *err);

/* ---- in operations ------------------------------------------------------------------------------------- */

/* q and k, of the call's first two arguments, and where they stand: m (T, 1), n (S). */
typedef struct {
    const enc_def *def;
    op_ctx *c;
    op_val *q, *k, *m, *n;
    int64_t T, S, d, first;
} enc_d_scores;
enc_d_scores enc_d_scores_of(const enc_def *d, const enc_value *offset);

op_val *enc_d_share_heads(op_ctx *c, op_val *q, op_val *k); /* k, as by enc_share_heads */
op_val *enc_d_dot(op_ctx *c, op_val *a, op_val *b);         /* a b^T over the last two dimensions */
op_val *enc_d_vector(op_ctx *c, op_val *v);                 /* (d), or (H, d) as (H, 1, d) */
op_val *enc_d_over_root(op_ctx *c, op_val *x, int64_t n);   /* x / sqrt(n) */
op_val *enc_d_content(const enc_d_scores *s, op_val *sum, bool content); /* q k^T + sum, or sum */
/* (..., T, S): of columns (..., T, R), or (..., S, R) of keys, that of the index (T, S); */
op_val *enc_d_by_index(const enc_d_scores *s, op_val *columns, op_val *index, bool of_keys);
/* of columns for n - m = lo, lo + 1, …, the ends beyond. */
op_val *enc_d_by_distance(const enc_d_scores *s, op_val *columns, int64_t lo, bool of_keys);

/* The frame of Transformer-XL. W NULL: none; ahead: of n - m; `more` is added. */
typedef struct {
    op_val *W, *u, *v, *base, *more;
    bool ahead, content, scaled;
    enc_waves waves;
    int64_t clamp;
} enc_d_xl;
enc_d_xl enc_d_xl_of(const enc_def *d); /* of ENC_XL_ROWS */
op_val *enc_d_xl_scores(const enc_d_scores *s, const enc_d_xl *x);

#endif
