/* learned.c: learned absolute positions: row t of a table, P[t], is added to the token at position t. */
#include "encoding/rotation.h"

#include <math.h>
#include <string.h>

enum { TABLE, T, OFFSET };

static const enc_param params[] = {
    {"table", ENC_ARRAY, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL,
     "an array (N, d), learned; its first row is position 0"},
    {"T", ENC_POSITIONS, ENC_POSITIONAL, 0, 0, 0, NULL, NULL, NULL, "a count, or an array of positions"},
    {"offset", ENC_NUM, ENC_OPTIONAL, 0, -0x1p52, 0x1p52, NULL, NULL, "positions",
     "what is added to every position; RoBERTa begins at 2, one after its padding index"},
    {0},
};

static ph_status check_table(const arr *table, ph_err *err) {
    char text[200];
    if (table->ndim == 2) return PH_OK;
    return ph_fail(err, PH_EARG, "learned: table has shape %s; wanted (N, d)",
                   arr_shape_text(text, sizeof text, table));
}

static ph_status check(const enc_value *v, ph_err *err) {
    char text[40];
    ph_status st = check_table(v[TABLE].array, err);
    if (st != PH_OK) return st;
    int64_t rows = v[TABLE].array->shape[0], n = v[T].array ? v[T].array->shape[0] : v[T].whole;
    for (int64_t r = 0; r < n; r++) { /* ends at the first, so a count may be any */
        double t = enc_position(&v[T], v[OFFSET].num, r);
        if (t >= 0 && t < (double)rows && t == floor(t)) continue;
        return ph_fail(err, PH_EARG,
                       "learned: position %s is not in the table; it has %lld rows, the positions 0 to %lld",
                       enc_num_text(text, sizeof text, t), (long long)rows, (long long)rows - 1);
    }
    return PH_OK;
}

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    arr table = ARR_NONE;
    int64_t d = v[TABLE].array->shape[1], n = v[T].array ? v[T].array->shape[0] : v[T].whole;
    PH_TRY(arr_contiguous(&table, v[TABLE].array, v[TABLE].array->dtype, err));
    PH_TRY(enc_new_rows(out, table.dtype, n, d, "learned", err));
    size_t row = (size_t)d * arr_itemsize(table.dtype);
    for (int64_t r = 0; r < n; r++) {
        double t = enc_position(&v[T], v[OFFSET].num, r);
        memcpy(out->data + (size_t)r * row, table.data + (size_t)t * row, row);
    }
done:
    arr_drop(&table);
    return st;
}

static void define(const enc_def *d, op_val **y) {
    const op_attrs rows = {.has_axis = true};
    const enc_value *v = d->v;
    if (v[OFFSET].value)
        op_fail(d->c, PH_EARG,
                "learned: offset is traced; it chooses rows, and whole numbers have no derivative "
                "(stop_gradient makes a constant of it)");
    op_val *at = enc_d_positions(d, &v[T], v[T].whole, &v[OFFSET]);
    y[0] = op_do(d->c, "take", &rows, 2, (op_val *[]){enc_d_value(d->c, &v[TABLE]), at});
}

static const enc_function functions[] = {
    {"learned", "Learned absolute positions: rows of a table, (T, d).",
     "A position that is not in the table is an error, never another row. BERT has 512 rows; RoBERTa has "
     "514, because its\n"
     "positions begin at 2.",
     "P = randn(rng(7), 512, 4)\nlearned(P, 3, {offset=2})(1, 1) == P(3, 1)  --> true\n"
     "learned(P, 513)  --> error: position 512 is not in the table\n"
     "learned(P, {-1})  --> error: position -1 is not in the table",
     params, 1, run, check, define},
    {0},
};

const enc_encoding enc_learned = {
    .name = "learned",
    .title = {"learned absolute positions", "可学习的绝对位置"},
    .citation =
        "Devlin et al., BERT: Pre-training of Deep Bidirectional Transformers (2019), arXiv:1810.04805.",
    .kind = ENC_ADDITIVE,
    .layout = "(T, d), a row for each position",
    .laws = ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "learned(T, d), T",
    .model = "learned(L, d), T",
};
