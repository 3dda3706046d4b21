/* Rows that move elements, against the index map that defines each; slices and creation too.
 * Sources: array/loop.c array/move.c array/shape.c array/view.c */
#include "array/views.h"

extern const op arr_shape_ops[], arr_move_ops[];
extern const int arr_shape_nops, arr_move_nops;

/* ---- index maps: which element of x stands at index `to` of the result; false: a zero stands there ----- */

typedef struct {
    const arr *x;
    const op_attrs *attrs;
    int axis;
} call;

typedef bool map(int64_t *from, const int64_t *to, const arr *out, const call *c);

static int64_t flat(const arr *a, const int64_t *index) {
    int64_t k = 0;
    for (int i = 0; i < a->ndim; i++) k = k * a->shape[i] + index[i];
    return k;
}

static bool m_reshape(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    unravel(from, c->x->ndim, c->x->shape, flat(out, to));
    return true;
}
static bool m_permute(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    for (int i = 0; i < out->ndim; i++) from[(c->attrs->ints[i] + out->ndim) % out->ndim] = to[i];
    return true;
}
static bool m_transpose(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    (void)c;
    int n = out->ndim;
    memcpy(from, to, sizeof(int64_t) * (size_t)n);
    from[n - 1] = to[n - 2];
    from[n - 2] = to[n - 1];
    return true;
}
static bool m_broadcast(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    for (int i = 0; i < c->x->ndim; i++) from[i] = c->x->shape[i] == 1 ? 0 : to[i + out->ndim - c->x->ndim];
    return true;
}
static bool m_slice(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    (void)out;
    int k = 0;
    for (int i = 0; i < c->x->ndim; i++) {
        const int64_t *r = &c->attrs->ints[3 * i];
        bool given = 3 * i < c->attrs->nints, drops = given && r[2] == -1;
        from[i] = !given ? to[k] : drops ? r[0] : r[0] + r[1] * to[k];
        k += !drops;
    }
    return true;
}
static bool m_flip(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    for (int i = 0; i < out->ndim; i++)
        from[i] = !c->attrs->has_axis || i == c->axis ? out->shape[i] - 1 - to[i] : to[i];
    return true;
}
static bool m_diag(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    (void)out;
    int64_t k = c->attrs->nints ? c->attrs->ints[0] : 0;
    if (c->x->ndim == 2) {
        from[0] = to[0] + (k < 0 ? -k : 0);
        from[1] = to[0] + (k > 0 ? k : 0);
        return true;
    }
    from[0] = k > 0 ? to[0] : to[1];
    return to[1] - to[0] == k;
}
static bool m_triu(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    int n = out->ndim;
    memcpy(from, to, sizeof(int64_t) * (size_t)n);
    return to[n - 1] - to[n - 2] >= (c->attrs->nints ? c->attrs->ints[0] : 0);
}
static bool m_tril(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    int n = out->ndim;
    memcpy(from, to, sizeof(int64_t) * (size_t)n);
    return to[n - 1] - to[n - 2] <= (c->attrs->nints ? c->attrs->ints[0] : 0);
}
static bool m_tile(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    for (int i = 0; i < c->x->ndim; i++) from[i] = to[i + out->ndim - c->x->ndim] % c->x->shape[i];
    return true;
}
static bool m_roll(int64_t *from, const int64_t *to, const arr *out, const call *c) {
    memcpy(from, to, sizeof(int64_t) * (size_t)out->ndim);
    int64_t n = out->shape[c->axis];
    from[c->axis] = ((to[c->axis] - c->attrs->ints[0] % n) % n + n) % n;
    return true;
}

/* ---- one line a case ----------------------------------------------------------------------------------- */

#define INTS(...) .nints = sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), .ints = {__VA_ARGS__}
#define AXIS(a)   .has_axis = true, .axis = a

static const struct {
    const char *name;
    map *map;
    int ndim;
    int64_t shape[4];
    op_attrs attrs;
    int out_ndim; /* -1: refused */
    int64_t out[4];
} cases[] = {
    {"reshape", m_reshape, 2, {6, 4}, {INTS(3, 8)}, 2, {3, 8}},
    {"reshape", m_reshape, 3, {2, 3, 4}, {INTS(-1, 2)}, 2, {12, 2}},
    {"reshape", m_reshape, 1, {1}, {.nints = 0}, 0, {0}},
    {"reshape", m_reshape, 2, {0, 3}, {INTS(3, 0, 5)}, 3, {3, 0, 5}},
    {"reshape", m_reshape, 2, {2, 3}, {INTS(4, 2)}, -1, {0}},
    {"permute", m_permute, 3, {2, 3, 4}, {INTS(2, 0, -2)}, 3, {4, 2, 3}},
    {"permute", m_permute, 2, {2, 3}, {INTS(0, 0)}, -1, {0}},
    {"permute", m_permute, 2, {2, 3}, {INTS(0)}, -1, {0}},
    {"permute", m_permute, 2, {2, 3}, {INTS(0, INT64_MAX)}, -1, {0}},
    {"transpose", m_transpose, 3, {2, 3, 4}, {.nints = 0}, 3, {2, 4, 3}},
    {"transpose", m_transpose, 1, {3}, {.nints = 0}, -1, {0}},
    {"broadcast_to", m_broadcast, 2, {3, 1}, {INTS(2, 3, 4)}, 3, {2, 3, 4}},
    {"broadcast_to", m_broadcast, 0, {0}, {INTS(2, 2)}, 2, {2, 2}},
    {"broadcast_to", m_broadcast, 2, {3, 2}, {INTS(3, 4)}, -1, {0}},
    {"broadcast_to", m_broadcast, 1, {1}, {INTS(INT64_MAX, INT64_MAX)}, -1, {0}},
    {"slice", m_slice, 2, {5, 6}, {INTS(4, -2, 3, 1, 2, 2)}, 2, {3, 2}},
    {"slice", m_slice, 3, {3, 4, 5}, {INTS(1, 1, -1, 3, -1, 4)}, 2, {4, 5}},
    {"slice", m_slice, 2, {3, 4}, {INTS(0, 1, 0)}, 2, {0, 4}},
    {"slice", m_slice, 1, {3}, {INTS(0, 2, 3)}, -1, {0}},
    {"slice", m_slice, 1, {3}, {INTS(INT64_MIN, INT64_MIN, INT64_MAX)}, -1, {0}},
    {"squeeze", m_reshape, 4, {1, 3, 1, 2}, {.nints = 0}, 2, {3, 2}},
    {"squeeze", m_reshape, 3, {1, 3, 1}, {AXIS(-1)}, 2, {1, 3}},
    {"squeeze", m_reshape, 2, {2, 3}, {AXIS(0)}, -1, {0}},
    {"unsqueeze", m_reshape, 2, {2, 3}, {AXIS(1)}, 3, {2, 1, 3}},
    {"unsqueeze", m_reshape, 2, {2, 3}, {AXIS(-1)}, 3, {2, 3, 1}},
    {"unsqueeze", m_reshape, 2, {2, 3}, {AXIS(3)}, -1, {0}},
    {"flip", m_flip, 2, {3, 4}, {.nints = 0}, 2, {3, 4}},
    {"flip", m_flip, 2, {3, 4}, {AXIS(1)}, 2, {3, 4}},
    {"flip", m_flip, 2, {0, 4}, {AXIS(0)}, 2, {0, 4}},
    {"diag", m_diag, 1, {3}, {.nints = 0}, 2, {3, 3}},
    {"diag", m_diag, 1, {3}, {INTS(2)}, 2, {5, 5}},
    {"diag", m_diag, 1, {3}, {INTS(-1)}, 2, {4, 4}},
    {"diag", m_diag, 1, {0}, {INTS(1)}, 2, {1, 1}},
    {"diag", m_diag, 1, {3}, {INTS(INT64_MIN)}, -1, {0}},
    {"diag", m_diag, 2, {3, 5}, {.nints = 0}, 1, {3}},
    {"diag", m_diag, 2, {3, 5}, {INTS(3)}, 1, {2}},
    {"diag", m_diag, 2, {5, 3}, {INTS(-3)}, 1, {2}},
    {"diag", m_diag, 2, {3, 5}, {INTS(INT64_MIN)}, 1, {0}},
    {"diag", m_diag, 2, {3, 5}, {INTS(INT64_MAX)}, 1, {0}},
    {"diag", m_diag, 3, {2, 2, 2}, {.nints = 0}, -1, {0}},
    {"triu", m_triu, 2, {4, 5}, {.nints = 0}, 2, {4, 5}},
    {"triu", m_triu, 3, {2, 5, 4}, {INTS(-2)}, 3, {2, 5, 4}},
    {"triu", m_triu, 2, {3, 3}, {INTS(INT64_MAX)}, 2, {3, 3}},
    {"triu", m_triu, 2, {3, 3}, {INTS(INT64_MIN)}, 2, {3, 3}},
    {"tril", m_tril, 2, {4, 5}, {.nints = 0}, 2, {4, 5}},
    {"tril", m_tril, 3, {2, 5, 4}, {INTS(1)}, 3, {2, 5, 4}},
    {"tril", m_tril, 2, {3, 3}, {INTS(INT64_MAX)}, 2, {3, 3}},
    {"tril", m_tril, 2, {3, 3}, {INTS(INT64_MIN)}, 2, {3, 3}},
    {"tril", m_tril, 1, {3}, {.nints = 0}, -1, {0}},
    {"tile", m_tile, 2, {2, 3}, {INTS(2)}, 2, {2, 6}},
    {"tile", m_tile, 2, {2, 3}, {INTS(3, 1, 2)}, 3, {3, 2, 6}},
    {"tile", m_tile, 0, {0}, {INTS(3)}, 1, {3}},
    {"tile", m_tile, 1, {4}, {.nints = 0}, 1, {4}},
    {"tile", m_tile, 0, {0}, {.nints = 0}, 0, {0}},
    {"tile", m_tile, 1, {4}, {INTS(0)}, 1, {0}},
    {"tile", m_tile, 1, {4}, {INTS(-1)}, -1, {0}},
    {"tile", m_tile, 1, {4}, {INTS(INT64_MAX)}, -1, {0}},
    {"roll", m_roll, 2, {3, 4}, {INTS(1)}, 2, {3, 4}},
    {"roll", m_roll, 2, {3, 4}, {INTS(-7), AXIS(0)}, 2, {3, 4}},
    {"roll", m_roll, 2, {3, 0}, {INTS(2)}, 2, {3, 0}},
    {"roll", m_roll, 1, {3}, {INTS(INT64_MIN)}, 1, {3}},
    {"roll", m_roll, 0, {0}, {INTS(1)}, -1, {0}},
};
enum { NCASES = sizeof cases / sizeof cases[0] };

static const double pool[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};

static arr operand(int view, arr_dtype t, int ndim, const int64_t *shape, unsigned seed) {
    return make_view(view, t, ndim, shape, pool, sizeof pool / sizeof pool[0], seed);
}

static void check_map(int k, const arr *x, const arr *out) {
    call c = {x, &cases[k].attrs,
              cases[k].attrs.has_axis ? (cases[k].attrs.axis + x->ndim) % (x->ndim ? x->ndim : 1)
                                      : x->ndim - 1};
    assert_int_equal(out->ndim, cases[k].out_ndim);
    for (int i = 0; i < out->ndim; i++) assert_int_equal(out->shape[i], cases[k].out[i]);
    for (int64_t i = 0; i < arr_size(out); i++) {
        int64_t to[ARR_MAXDIM], from[ARR_MAXDIM];
        unravel(to, out->ndim, out->shape, i);
        wide want = cases[k].map(from, to, out, &c) ? element_at(x, x->ndim, from) : 0;
        if (kth(out, i) != want) fail_msg("case %d (%s), element %d", k, cases[k].name, (int)i);
    }
}

static void every_case_follows_its_index_map(void **state) {
    (void)state;
    ph_err err;
    for (int k = 0; k < NCASES; k++)
        for (int t = 0; t < ARR_NDTYPE; t++)
            for (int v = 0; v < VIEWS; v++) {
                arr x = operand(v, (arr_dtype)t, cases[k].ndim, cases[k].shape, (unsigned)k), out;
                const op *row = op_find(cases[k].name);
                ph_status st = op_apply(&out, row, &x, 1, &cases[k].attrs, &err);
                if (cases[k].out_ndim < 0) {
                    assert_int_equal(st, PH_EARG);
                    assert_true(strncmp(err.text, row->name, strlen(row->name)) == 0);
                    assert_null(out.buf);
                } else {
                    assert_int_equal(st, PH_OK);
                    assert_int_equal(out.dtype, t);
                    check_map(k, &x, &out);
                    survives_refusals(row, &x, 1, &cases[k].attrs);
                }
                arr_drop(&out);
                arr_drop(&x);
            }
}

/* ---- rows of several operands -------------------------------------------------------------------------- */

static void concat_and_stack_keep_every_operand(void **state) {
    (void)state;
    ph_err err;
    for (int v = 0; v < VIEWS; v++)
        for (int axis = 0; axis < 2; axis++) {
            int64_t other[] = {2, 3};
            other[axis] = 4;
            arr in[3] = {operand(v, ARR_F32, 2, (int64_t[]){2, 3}, 1),
                         operand(VIEWS - 1 - v, ARR_F64, 2, other, 2),
                         operand(v, ARR_BOOL, 2, (int64_t[]){2, 3}, 3)};
            arr out;
            op_attrs attrs = {AXIS(axis)};
            assert_int_equal(op_apply(&out, op_find("concat"), in, 3, &attrs, &err), PH_OK);
            assert_int_equal(out.dtype, ARR_F64);
            assert_int_equal(out.shape[axis], (axis ? 3 + 3 : 2 + 2) + 4);
            for (int64_t i = 0; i < arr_size(&out); i++) {
                int64_t at[2], which = 0;
                unravel(at, 2, out.shape, i);
                while (at[axis] >= in[which].shape[axis]) at[axis] -= in[which++].shape[axis];
                assert_true(kth(&out, i) == element_at(&in[which], 2, at));
            }
            arr_drop(&out);
            survives_refusals(op_find("concat"), in, 3, &attrs);
            assert_int_equal(op_apply(&out, op_find("stack"), in, 2, &attrs, &err),
                             PH_EARG); /* shapes differ */
            arr same[2] = {in[0], in[2]};
            for (int place = -3; place < 3; place++) {
                op_attrs where = {AXIS(place)};
                assert_int_equal(op_apply(&out, op_find("stack"), same, 2, &where, &err), PH_OK);
                int a = place < 0 ? place + 3 : place;
                assert_int_equal(out.ndim, 3);
                assert_int_equal(out.shape[a], 2);
                for (int64_t i = 0; i < arr_size(&out); i++) {
                    int64_t at[3], rest[2];
                    unravel(at, 3, out.shape, i);
                    for (int d = 0, m = 0; d < 3; d++)
                        if (d != a) rest[m++] = at[d];
                    assert_true(kth(&out, i) == element_at(&same[at[a]], 2, rest));
                }
                arr_drop(&out);
                survives_refusals(op_find("stack"), same, 2, &where);
            }
            for (int i = 0; i < 3; i++) arr_drop(&in[i]);
        }
    arr out, zero = operand(PLAIN, ARR_F64, 0, NULL, 1);
    assert_int_equal(op_apply(&out, op_find("concat"), &zero, 1, NULL, &err), PH_EARG);
    assert_int_equal(op_apply(&out, op_find("stack"), (arr[]){zero, zero}, 2, NULL, &err), PH_OK);
    assert_int_equal(out.ndim, 1);
    arr_drop(&out);
    arr_drop(&zero);
}

/* out[a.., s.., b..] = x[a.., index[s..], b..] */
static void take_gathers_along_an_axis(void **state) {
    (void)state;
    ph_err err;
    static const double first_is_0[] = {0, 3, -1, 2, -4, 1}, first_is_1[] = {1, 4, -1, 3, -4, 2};
    for (int base = 0; base < 2; base++)
        for (int axis = 0; axis < 3; axis++)
            for (int v = 0; v < VIEWS; v++) {
                int64_t shape[] = {2, 3, 5};
                shape[axis] = 4;
                arr in[2] = {operand(v, ARR_C128, 3, shape, 1),
                             make_view(v, ARR_F32, 2, (int64_t[]){2, 3}, base ? first_is_1 : first_is_0, 6,
                                       (unsigned)v)};
                arr out;
                op_attrs attrs = {AXIS(axis), .base = base};
                assert_int_equal(op_apply(&out, op_find("take"), in, 2, &attrs, &err), PH_OK);
                assert_int_equal(out.ndim, 4);
                for (int64_t i = 0; i < arr_size(&out); i++) {
                    int64_t at[4], from[3];
                    unravel(at, 4, out.shape, i);
                    for (int d = 0; d < axis; d++) from[d] = at[d];
                    for (int d = axis + 1; d < 3; d++) from[d] = at[d + 1];
                    int index = (int)creall(element_at(&in[1], 2, &at[axis]));
                    from[axis] = index < 0 ? index + 4 : index - base;
                    assert_true(kth(&out, i) == element_at(&in[0], 3, from));
                }
                arr_drop(&out);
                survives_refusals(op_find("take"), in, 2, &attrs);
                arr_drop(&in[0]);
                arr_drop(&in[1]);
            }
}

static void take_refuses_what_is_no_index(void **state) {
    (void)state;
    ph_err err;
    static const double bad[] = {4, -5, 0.5, NAN, INFINITY, -INFINITY, 1e300};
    arr x = operand(PLAIN, ARR_F64, 1, (int64_t[]){4}, 1), out;
    size_t live = ph_block_live();
    for (int i = 0; i < 7; i++) {
        arr index = make_view(PLAIN, ARR_F64, 0, NULL, bad + i, 1, 0);
        assert_int_equal(op_call2(&out, "take", &x, &index, &err), PH_EARG);
        assert_null(out.buf);
        arr_drop(&index);
    }
    arr zero = operand(PLAIN, ARR_BOOL, 1, (int64_t[]){4}, 1);
    assert_int_equal(op_call2(&out, "take", &x, &zero, &err), PH_EARG);
    arr_drop(&zero);
    zero = make_view(PLAIN, ARR_F64, 0, NULL, (double[]){0}, 1, 0);
    assert_int_equal(op_apply(&out, op_find("take"), (arr[]){x, zero}, 2, &(op_attrs){.base = 1}, &err),
                     PH_EARG);
    assert_string_equal(err.text, "take: index is 0; the axis has size 4 and its first is 1");
    arr_drop(&zero);
    assert_int_equal(ph_block_live(), live);
    arr_drop(&x);
}

static void no_row_is_left_out(void **state) {
    (void)state;
    for (int i = 0; i < arr_shape_nops + arr_move_nops; i++) {
        const char *name = i < arr_shape_nops ? arr_shape_ops[i].name : arr_move_ops[i - arr_shape_nops].name;
        bool found = strcmp(name, "concat") == 0 || strcmp(name, "stack") == 0 || strcmp(name, "take") == 0;
        for (int k = 0; k < NCASES; k++) found |= strcmp(cases[k].name, name) == 0;
        if (!found) fail_msg("no index map for %s", name);
    }
}

/* Rows that move or rework one long line look at the interrupt within it. */
static void long_lines_can_be_stopped(void **state) {
    (void)state;
    static const char *const rows[] = {"take", "tile", "cumsum", "cumprod", "sort", "argsort"};
    ph_err err;
    arr in[2], out;
    assert_int_equal(arr_arange(&in[0], ARR_F64, 1, 100000, 1, &err), PH_OK);
    in[1] = arr_ref(&in[0]);
    for (int k = 0; k < 6; k++) {
        op_attrs attrs = {.base = 1, .nints = k == 1, .ints = {3}};
        ph_interrupt_flag = 1;
        ph_status st = op_apply(&out, op_find(rows[k]), in, k == 0 ? 2 : 1, &attrs, &err);
        ph_interrupt_flag = 0;
        assert_int_equal(st, PH_EINTR);
        assert_int_equal(op_apply(&out, op_find(rows[k]), in, k == 0 ? 2 : 1, &attrs, &err), PH_OK);
        arr_drop(&out);
    }
    arr_drop(&in[0]);
    arr_drop(&in[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lines_can_be_stopped),
        cmocka_unit_test(every_case_follows_its_index_map),
        cmocka_unit_test(concat_and_stack_keep_every_operand),
        cmocka_unit_test(take_gathers_along_an_axis),
        cmocka_unit_test(take_refuses_what_is_no_index),
        cmocka_unit_test(no_row_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
