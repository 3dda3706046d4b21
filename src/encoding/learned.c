/* learned.c: learned absolute positions: row t of a table, P[t], is added to the token at position t. */
#include "encoding/phases.h"

#include <math.h>
#include <string.h>

enum { TABLE, T, OFFSET };

static const enc_param params[] = {
    {"table", ENC_ARRAY, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL,
     "an array (N, d), learned; its first row is position 0"},
    {"T", ENC_POSITIONS, ENC_PLACED, 0, 0, 0, NULL, NULL, NULL, "a count, or an array of positions"},
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

static ph_status run(arr *out, const enc_value *v, ph_err *err) {
    ph_status st;
    char text[40];
    enc_positions at;
    arr copy = ARR_NONE, table = ARR_NONE;
    PH_TRY(check_table(v[TABLE].array, err));
    PH_TRY(enc_positions_of(&at, &copy, &v[T], v[OFFSET].num, err));
    int64_t rows = v[TABLE].array->shape[0], d = v[TABLE].array->shape[1];
    for (int64_t r = 0; r < at.n; r++) { /* before anything of their size is made */
        double t = at.list ? at.list[r] : at.first + (double)r;
        if (t >= 0 && t < (double)rows && t == floor(t)) continue;
        st = ph_fail(err, PH_EARG,
                     "learned: position %s is not in the table; it has %lld rows, the positions 0 to %lld",
                     enc_num_text(text, sizeof text, t), (long long)rows, (long long)rows - 1);
        goto done;
    }
    PH_TRY(arr_contiguous(&table, v[TABLE].array, v[TABLE].array->dtype, err));
    PH_TRY(enc_new_rows(out, table.dtype, at.n, d, "learned", err));
    size_t row = (size_t)d * arr_itemsize(table.dtype);
    for (int64_t r = 0; r < at.n; r++) {
        double t = at.list ? at.list[r] : at.first + (double)r;
        memcpy(out->data + (size_t)r * row, table.data + (size_t)t * row, row);
    }
done:
    arr_drop(&copy);
    arr_drop(&table);
    return st;
}

/* Column j: a case for each row of the table but the last. */
static ph_status formula(exp_node **out, const enc_value *v, int64_t j, ph_err *err) {
    const arr *table = v[TABLE].array;
    ph_status st = check_table(table, err);
    if (st == PH_OK) st = enc_check_column("learned", j, table->shape[1], err);
    if (st != PH_OK) return st;
    int64_t rows = table->shape[0];
    exp_node *piece[EXP_MAX_ARGS];
    if (rows < 1 || rows > EXP_MAX_ARGS / 2)
        return ph_fail(err, PH_EUNABLE, "learned: a formula holds tables of 1 to %d rows; this one has %lld",
                       EXP_MAX_ARGS / 2, (long long)rows);
    exp_builder b = EXP_BUILDER(err);
    int n = 0;
    for (int64_t t = 0; t < rows; t++) {
        int64_t at[] = {t, j};
        if (t < rows - 1) piece[n++] = exp_b_2(&b, EXP_EQ, enc_b_sym(&b, "t"), exp_b_rat(&b, t, 1));
        piece[n++] = enc_b_num(&b, arr_get_num(table, arr_at(table, at)));
    }
    return exp_b_end(&b, out, n == 1 ? piece[0] : exp_b_op(&b, EXP_PIECE, n, piece));
}

static const enc_function functions[] = {
    {"learned", "Learned absolute positions: rows of a table, (T, d).",
     "A position that is not in the table is an error, never another row. BERT has 512 rows; RoBERTa has "
     "514, because its\n"
     "positions begin at 2.",
     "P = randn(rng(7), 512, 4)\nlearned(P, 3, {offset=2})(1, 1) == P(3, 1)  --> true\n"
     "learned(P, 513)  --> error: position 512 is not in the table\n"
     "learned(P, {-1})  --> error: position -1 is not in the table",
     params, 1, run, NULL, NULL},
    {0},
};

const enc_encoding enc_learned = {
    .name = "learned",
    .title = "learned absolute positions",
    .citation =
        "Devlin et al., BERT: Pre-training of Deep Bidirectional Transformers (2019), arXiv:1810.04805.",
    .kind = ENC_ADDITIVE,
    .layout = "(T, d), a row for each position",
    .laws = ENC_IS_BOUNDED,
    .functions = functions,
    .sample = "learned(T, d), T",
    .formula = formula,
};
