/* t5.c: T5's relative position bias: a learned number for each bucket of distances.
 *
 *     bias[h, m, n] = table[bucket(n - m), h]
 *
 * Of B buckets, bidirectional attention takes the upper half for keys after the query (n > m), and both halves count
 * |n - m|; causal attention counts m - n, and keys after the query fall into bucket 0. With B the buckets of one side, E = floor(B/2), M the largest
 * distance told apart, a distance x falls into bucket
 *     x                                                    for x < E
 *     min(B - 1, E + floor((B - E) ln(x/E) / ln(M/E)))      from there on
 *
 *     32 buckets, M = 128:   bidirectional  [<= 0: 0 1 … 7 8-11 12-15 … | > 0: 16 17 … 31]     causal  [0 1 … 15 16-18 … 113-]
 */
#include "encoding/bias.h"
#include "encoding/buckets.h"

#include <math.h>

#define MOST ENC_MOST_STEPS /* buckets */

/* B and E are of one side. */
typedef struct {
    int64_t buckets, exact, far;
    bool both;
} sides;

/* ---- the bucket of a distance -------------------------------------------------------------------------- */

static int64_t bucket_of_distance(const void *ctx, int64_t x) {
    const sides *s = ctx;
    if (x < s->exact) return x;
    if (x >= s->far) return s->buckets - 1;
    int64_t bucket = s->exact + enc_log_steps(x, s->exact, s->far, s->buckets - s->exact, false);
    return bucket < s->buckets - 1 ? bucket : s->buckets - 1;
}

/* ahead = n - m */
static int64_t bucket_of(const sides *s, int64_t ahead) {
    if (s->both) return bucket_of_distance(s, ahead < 0 ? -ahead : ahead) + (ahead > 0 ? s->buckets : 0);
    return bucket_of_distance(s, ahead < 0 ? -ahead : 0);
}

static ph_status sides_of(sides *s, int64_t buckets, int64_t far, bool both, const char *who, ph_err *err) {
    int64_t least = both ? 4 : 2;
    *s = (sides){both ? buckets / 2 : buckets, (both ? buckets / 2 : buckets) / 2, far, both};
    if (buckets < least || buckets > MOST || (both && buckets % 2))
        return ph_fail(err, PH_EARG, "%s: %lld buckets; wanted %s from %lld to %d", who, (long long)buckets,
                       both ? "an even number" : "a number", (long long)least, MOST);
    if (far <= s->exact)
        return ph_fail(
            err, PH_EARG,
            "%s: max_distance is %lld; wanted more than the %lld distances that have a bucket each", who,
            (long long)far, (long long)s->exact);
    return PH_OK;
}

/* ---- t5(table, T, ...) --------------------------------------------------------------------------------- */

enum { TABLE, T, BOTH, FAR, SPAN };

#define BOTH_ROW                                                                                             \
    {                                                                                                        \
        "direction", ENC_WORD, ENC_NAMED, 0, 0, 0, "causal both", NULL, NULL,                                \
            "\"both\" (encoder) or \"causal\" (decoder): they cut distances differently"                     \
    }
#define FAR_ROW                                                                                              \
    {                                                                                                        \
        "max_distance", ENC_INT, ENC_OPTIONAL, 128, 1, 0x7fffffff, NULL, NULL, "positions",                  \
            "from there on all distances share a bucket"                                                     \
    }

static const enc_param params[] = {
    {"table", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (buckets, H), learned; 32 buckets in T5"},
    {"T", ENC_INT, ENC_POSITIONAL, 0, 0, 1e15, NULL, NULL, "queries", "how many positions"},
    BOTH_ROW,
    FAR_ROW,
    ENC_SPAN_ROWS,
    {0},
};

static ph_status check_table(sides *s, const enc_value *v, ph_err *err) {
    char text[200];
    const arr *table = v[TABLE].array;
    if (table->ndim != 2)
        return ph_fail(err, PH_EARG, "t5: table has shape %s; wanted (buckets, H)",
                       arr_shape_text(text, sizeof text, table));
    return sides_of(s, table->shape[0], v[FAR].whole, v[BOTH].whole == 1, "t5", err);
}

static ph_status check(const enc_value *v, ph_err *err) {
    sides s = {0};
    return check_table(&s, v, err);
}

typedef struct {
    const arr *table;
    int64_t first, count; /* ahead = first + k */
    const int16_t *bucket;
} lookup;

static double value(const void *ctx, int64_t head, int64_t distance) {
    const lookup *l = ctx;
    int64_t at[] = {l->bucket[-distance - l->first], head};
    return arr_get_num(l->table, arr_at(l->table, at));
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    sides s = {0};
    size_t bytes = 0;
    ph_status st = check_table(&s, v, err);
    if (st != PH_OK) return st;
    enc_span span = enc_span_of("t5", v[TABLE].array->shape[1], v[T].whole, v + SPAN);
    lookup l = {v[TABLE].array, 1 - span.offset - span.queries, span.queries + span.keys, NULL};
    if (!ph_shape_bytes(&bytes, &l.count, 1, sizeof *l.bucket)) return ph_fail_nomem(err, SIZE_MAX);
    int16_t *bucket = span.queries && span.keys ? ph_block_alloc(bytes) : NULL;
    if (!bucket && span.queries && span.keys) return ph_fail_nomem(err, bytes);
    for (int64_t k = 0; bucket && k < l.count; k++) bucket[k] = (int16_t)bucket_of(&s, l.first + k);
    l.bucket = bucket;
    st = enc_fill_bias(out, &span, value, &l, err);
    ph_block_free(bucket, bytes);
    return st;
}

/* ---- in operations ------------------------------------------------------------------------------------- */

/* The bucket of x >= 0 on a side, and `first` more. */
static op_val *buckets_of(op_ctx *c, const sides *s, op_val *x, int64_t first) {
    return enc_d_stairs(c, x, bucket_of_distance, s, 0, s->far, first);
}

static void define(const enc_def *d, op_val **y) {
    const op_attrs rows = {.has_axis = true};
    op_ctx *c = d->c;
    const enc_value *v = d->v;
    op_val *table = enc_d_value(c, &v[TABLE]), *place, *bucket, *zero = op_num(c, 0);
    bool both = v[BOTH].whole == 1;
    enc_span span = enc_span_of("t5", 1, v[T].whole, v + SPAN);
    int64_t buckets = enc_d_size(c, table, 1) / (both ? 2 : 1);
    sides s = {buckets, buckets / 2, v[FAR].whole, both};
    op_val *ahead = enc_d_ahead(d, span.queries, span.keys, span.offset, &place);
    op_val *behind = op_do1(c, "neg", ahead);
    if (!both) bucket = buckets_of(c, &s, op_do2(c, "maximum", behind, zero), 0);
    else {
        op_val *far = op_do1(c, "abs", behind);
        bucket = op_do3(c, "where", op_do2(c, "gt", ahead, zero), buckets_of(c, &s, far, buckets),
                        buckets_of(c, &s, far, 0));
    }
    op_val *by_distance = op_do(c, "take", &rows, 2, (op_val *[]){table, bucket}); /* (distances, H) */
    op_val *bias = op_do(c, "take", &rows, 2, (op_val *[]){by_distance, place});   /* (T, keys, H) */
    y[0] = enc_d_bias(d, op_do_ints(c, "permute", bias, 3, (int64_t[]){2, 0, 1}), v + SPAN);
}

/* ---- t5_bucket(ahead, ...) ----------------------------------------------------------------------------- */

enum { AHEAD, BUCKET_BOTH, BUCKET_FAR, BUCKETS };
static const enc_param bucket_params[] = {
    {"ahead", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, "positions",
     "key minus query: a whole number, or an array of them"},
    BOTH_ROW,
    FAR_ROW,
    {"buckets", ENC_INT, ENC_OPTIONAL, 32, 2, MOST, NULL, NULL, NULL, "how many, of both sides together"},
    {0},
};

static ph_status run_bucket(arr *out, const enc_value *v, ph_err *err) {
    sides s = {0};
    char text[40];
    arr ahead = ARR_NONE;
    ph_status st =
        sides_of(&s, v[BUCKETS].whole, v[BUCKET_FAR].whole, v[BUCKET_BOTH].whole == 1, "t5_bucket", err);
    if (st != PH_OK) return st;
    PH_TRY(arr_contiguous(&ahead, v[AHEAD].array, ARR_F64, err));
    PH_TRY(arr_new(out, ARR_F64, ahead.ndim, ahead.shape, err));
    for (int64_t k = 0; k < arr_size(&ahead); k++) {
        double x = ((double *)ahead.data)[k];
        if (!(fabs(x) <= 0x1p53) || x != floor(x)) {
            st = ph_fail(err, PH_EARG, "t5_bucket: ahead has the value %s; wanted whole numbers",
                         enc_num_text(text, sizeof text, x));
            break;
        }
        ((double *)out->data)[k] = (double)bucket_of(&s, (int64_t)x);
    }
done:
    arr_drop(&ahead);
    return st;
}

static const enc_function functions[] = {
    {"t5", "T5's score biases (H, T, keys) from a learned table of buckets.",
     "bias[h, m, n] = table[bucket(n - m) + 1, h]; query m is position offset, offset+1, ...; key n is 0, 1, "
     "...\n"
     "T5 adds it to logits that are not divided by sqrt(d), and all layers share it; a causal mask is not "
     "included.\n"
     "Where a bucket begins is decided in whole numbers.",
     "table = reshape(range(0, 31), 32, 1)\nt5(table, 3, {direction=\"both\"})(1, 1, 3)  --> 18.0\n"
     "t5(table, 3, {direction=\"causal\"})(1, 3, 1)  --> 2.0\n"
     "t5(table, 3)  --> error: no direction given",
     params, 1, run, check, define},
    {"t5_bucket", "The bucket of a relative position in T5, counted from 0.",
     "The result has the shape of ahead. Row bucket + 1 of a table belongs to it.",
     "t5_bucket({-91, 0, 8}, {direction=\"both\"}):totable()  --> {15.0, 0.0, 24.0}\nt5_bucket(-16, "
     "{direction=\"causal\"})  --> 16.0\n"
     "t5_bucket(-12, {direction=\"both\"})  --> 9.0",
     bucket_params, 1, run_bucket, NULL, NULL},
    {0},
};

const enc_encoding enc_t5 = {
    .name = "t5",
    .title = {"bucketed relative position bias", "分桶的相对位置偏置"},
    .citation = "Raffel et al., Exploring the Limits of Transfer Learning (T5, 2020), arXiv:1910.10683; "
                "buckets as in its code.",
    .kind = ENC_BIAS,
    .layout = "(H, T, keys)",
    .laws = ENC_IS_RELATIVE | ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "learned(32, H), T, {direction=\"both\"}\n"
              "causal: learned(32, H), T, {direction=\"causal\"}",
    .model = "learned(32, H), T, {direction = causal and 'causal' or 'both'}",
};
