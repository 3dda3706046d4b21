/* op.c: finds a row by name and runs it. */
#include "array/op.h"

#include <string.h>

extern const op arr_arith_ops[], arr_math_ops[], arr_reduce_ops[], arr_scan_ops[], arr_shape_ops[],
    arr_move_ops[], arr_quantize_ops[];
extern const op arr_adjoint_ops[], arr_rule_ops[];
extern const int arr_adjoint_nops, arr_rule_nops;
extern const int arr_arith_nops, arr_math_nops, arr_reduce_nops, arr_scan_nops, arr_shape_nops, arr_move_nops,
    arr_quantize_nops;

extern const op arr_product_ops[], arr_affine_ops[], arr_solve_ops[], arr_factor_ops[], arr_lstsq_ops[],
    arr_eig_ops[], arr_expm_ops[], arr_close_ops[];
extern const int arr_product_nops, arr_affine_nops, arr_solve_nops, arr_factor_nops, arr_lstsq_nops,
    arr_eig_nops, arr_expm_nops, arr_close_nops;

extern const op att_normalize_ops[], att_attention_ops[], enc_ops[];
extern const int att_normalize_nops, att_attention_nops, enc_nops;

const op_table op_tables[] = {
    {arr_arith_ops, &arr_arith_nops}, /* one table a file */
    {arr_math_ops, &arr_math_nops},
    {arr_reduce_ops, &arr_reduce_nops},
    {arr_scan_ops, &arr_scan_nops},
    {arr_shape_ops, &arr_shape_nops},
    {arr_move_ops, &arr_move_nops},
    {arr_quantize_ops, &arr_quantize_nops},
    {arr_adjoint_ops, &arr_adjoint_nops},
    {arr_product_ops, &arr_product_nops},
    {arr_affine_ops, &arr_affine_nops},
    {arr_solve_ops, &arr_solve_nops},
    {arr_factor_ops, &arr_factor_nops},
    {arr_lstsq_ops, &arr_lstsq_nops},
    {arr_eig_ops, &arr_eig_nops},
    {arr_expm_ops, &arr_expm_nops},
    {arr_close_ops, &arr_close_nops},
    {arr_rule_ops, &arr_rule_nops},
    {att_normalize_ops, &att_normalize_nops},
    {att_attention_ops, &att_attention_nops},
    {enc_ops, &enc_nops},
    {NULL, NULL},
};

/* ---- finding ------------------------------------------------------------------------------------------- */

static const char *name_of(const void *row) { return *(const char *const *)row; }

static const void **slot(op_index *ix, const char *name) {
    uint32_t h = 2166136261u; /* FNV-1a */
    for (const char *p = name; *p; p++) h = (h ^ (unsigned char)*p) * 16777619u;
    h %= OP_SLOTS;
    while (ix->slots[h] && strcmp(name_of(ix->slots[h]), name) != 0) h = (h + 1) % OP_SLOTS;
    return &ix->slots[h];
}

void op_index_add(op_index *ix, const void *rows, int n, size_t size) {
    const char *row = rows;
    for (; n-- > 0 && ix->count < OP_SLOTS / 2; row += size, ix->count++) *slot(ix, name_of(row)) = row;
}

const void *op_index_find(op_index *ix, const char *name) {
    uintptr_t at = (uintptr_t)name;
    const void **recent = &ix->recent[(at ^ at / OP_RECENT) % OP_RECENT];
    if (*recent && strcmp(name_of(*recent), name) == 0) return *recent;
    const void *row = *slot(ix, name);
    if (row) *recent = row;
    return row;
}

const op *op_find(const char *name) {
    static op_index index;
    if (!index.count)
        for (const op_table *t = op_tables; t->rows; t++)
            op_index_add(&index, t->rows, *t->n, sizeof *t->rows);
    return op_index_find(&index, name);
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Every message starts with the row's name; words from below the row do not yet. */
static ph_status named(const op *row, ph_status st, ph_err *err) {
    if (st == PH_OK || st == PH_EINTR || !err) return st;
    err->code = st;
    return ph_fail_from(err, op_title(row));
}

static ph_status check_count(const op *row, int n, ph_err *err) {
    if (n >= row->min_in && (row->max_in < 0 || n <= row->max_in)) return PH_OK;
    return ph_fail(err, PH_EARG, "%s: %d operands; wanted %s%d", row->name, n,
                   row->max_in < 0 ? "at least " : "", n < row->min_in ? row->min_in : row->max_in);
}

ph_status op_apply(arr *out, const op *row, const arr *in, int n, const op_attrs *attrs, ph_err *err) {
    static const op_attrs none;
    op_spec spec[OP_MAXOUT];
    ph_status st;
    if (!attrs) attrs = &none;
    for (int i = 0; i < row->n_out; i++) out[i] = ARR_NONE;
    PH_TRY(check_count(row, n, err));
    memset(spec, 0, (size_t)row->n_out * sizeof *spec);
    PH_TRY(row->shape(spec, row, in, n, attrs, err));
    if (!(row->flags & OP_VIEW))
        for (int i = 0; i < row->n_out; i++)
            PH_TRY(arr_new(&out[i], spec[i].dtype, spec[i].ndim, spec[i].shape, err));
    st = row->forward(out, row, in, n, attrs, err);
done:
    if (st != PH_OK)
        for (int i = 0; i < row->n_out; i++) arr_drop(&out[i]);
    return named(row, st, err);
}

static ph_status call(arr *out, const char *name, const arr *in, int n, ph_err *err) {
    const op *row = op_find(name);
    *out = ARR_NONE;
    if (!row || row->n_out != 1)
        return ph_fail(err, PH_EARG, "no operation of one result is called %s", name);
    return op_apply(out, row, in, n, NULL, err);
}

ph_status op_call1(arr *out, const char *name, const arr *x, ph_err *err) {
    return call(out, name, x, 1, err);
}

ph_status op_call2(arr *out, const char *name, const arr *x, const arr *y, ph_err *err) {
    arr in[2] = {*x, *y}; /* borrowed */
    return call(out, name, in, 2, err);
}

arr op_outline(const op_spec *s) {
    arr a = {.dtype = s->dtype, .ndim = s->ndim};
    memcpy(a.shape, s->shape, sizeof a.shape);
    return a;
}
