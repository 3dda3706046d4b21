/* What linear algebra refuses, and how: shapes, values, memory, interrupts; and what it makes of nothing.
 * Sources: array/linalg_check.c array/linalg_eig.c array/linalg_factor.c array/linalg_lstsq.c array/linalg_solve.c */
#include "linalg_common.h"

/* ---- refusals ------------------------------------------------------------------------------------------ */

static const char *const square_rows[] = {"inv", "det", "slogdet", "cholesky", "eigh", "eig", "expm"};
static const char *const all_rows[] = {"inv", "det", "slogdet", "cholesky", "eigh", "eig", "expm",
                                       "qr",  "svd", "svdvals", "rank",     "cond", "pinv"};

static void shapes_are_refused_by_name(void **state) {
    (void)state;
    arr wide_one = random_matrix(ARR_F64, 2, 3, 1), v = vector_of(3, (double[]){1, 2, 3}), s,
        sq = identity(3);
    ok(arr_scalar(&s, ARR_F64, (arr_c128){2, 0}, &last_error));
    for (size_t k = 0; k < sizeof square_rows / sizeof *square_rows; k++)
        assert_refused(try_row(square_rows[k], &wide_one, 1), PH_EARG,
                       "A has shape (2, 3); wanted a square matrix");
    for (size_t k = 0; k < sizeof all_rows / sizeof *all_rows; k++) {
        assert_refused(try_row(all_rows[k], &v, 1), PH_EARG, "A has shape (3)");
        assert_refused(try_row(all_rows[k], &s, 1), PH_EARG, "A has shape ()");
    }
    assert_refused(try_row("solve", (arr[]){sq, wide_one}, 2), PH_EARG, "A is (3, 3) and b is (2, 3)");
    assert_refused(try_row("solve", (arr[]){sq, s}, 2), PH_EARG, "b is ()");
    assert_refused(try_row("lstsq", (arr[]){wide_one, v}, 2), PH_EARG, "A is (2, 3) and b is (3)");
    arr out[4];
    assert_refused(op_apply(out, op_find("qr"), &sq, 1, &(op_attrs){.word = "fool"}, &last_error), PH_EARG,
                   "\"fool\"");
    assert_refused(op_apply(out, op_find("rank"), &sq, 1, &(op_attrs){.num = -1}, &last_error), PH_EARG,
                   "tolerance is -1");
    assert_refused(op_apply(out, op_find("pinv"), &sq, 1, &(op_attrs){.num = NAN}, &last_error), PH_EARG,
                   "tolerance is");
    drop_all((arr[]){wide_one, v, s, sq}, 4);
}

static void what_is_not_finite_is_named(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    static const char *const words[] = {"A has nan at (2, 3)", "A has inf at (2, 3)", "A has -inf at (2, 3)"};
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < 3; i++) {
            arr a = random_matrix(types[t], 3, 3, 1), v = random_array(types[t], 1, (int64_t[]){3}, 2);
            if (types[t] == ARR_F32) ((float *)a.data)[5] = (float)bad[i];
            else if (types[t] == ARR_F64) ((double *)a.data)[5] = bad[i];
            else ((arr_c128 *)a.data)[5].im = bad[i];
            for (size_t k = 0; k < sizeof all_rows / sizeof *all_rows; k++)
                assert_refused(try_row(all_rows[k], &a, 1), PH_EARG, words[i]);
            assert_refused(try_row("solve", (arr[]){a, v}, 2), PH_EARG, words[i]);
            assert_refused(try_row("lstsq", (arr[]){a, v}, 2), PH_EARG, words[i]);
            arr sq = random_matrix(types[t], 3, 3, 1), part = matrix_at(&a, 1);
            assert_refused(try_row("solve", (arr[]){sq, part}, 2), PH_EARG, "b, as a column, has ");
            assert_refused(try_row("lstsq", (arr[]){sq, part}, 2), PH_EARG, "b has ");
            drop_all((arr[]){a, v, sq}, 3);
        }
}

static void singular_and_indefinite_are_said_in_words(void **state) {
    (void)state;
    arr s = matrix_of(3, 3, (double[]){1, 2, 3, 2, 4, 6, 1, 0, 1}), b = vector_of(3, (double[]){1, 1, 1}),
        indefinite = matrix_of(2, 2, (double[]){1, 2, 2, 1}), skew = matrix_of(2, 2, (double[]){1, 2, -2, 1}),
        stack = random_array(ARR_F64, 3, (int64_t[]){2, 2, 2}, 1), tiny = matrix_of(1, 1, (double[]){1e-310});
    assert_refused(try_row("solve", (arr[]){s, b}, 2), PH_EDOMAIN, "A is singular: pivot 3 is exactly 0");
    assert_refused(try_row("inv", &s, 1), PH_EDOMAIN, "pivot 3 is exactly 0");
    memset(stack.data + 4 * sizeof(double), 0, 4 * sizeof(double));
    assert_refused(try_row("inv", &stack, 1), PH_EDOMAIN, "(matrix 2 of the stack): pivot 1");
    assert_refused(try_row("cholesky", &indefinite, 1), PH_EDOMAIN,
                   "leading minor of order 2 is not positive");
    assert_refused(try_row("cholesky", &skew, 1), PH_EARG,
                   "A is not symmetric: its elements (2, 1) and (1, 2)");
    assert_refused(try_row("eigh", &skew, 1), PH_EARG, "A is not symmetric");
    assert_refused(try_row("inv", &tiny, 1), PH_EUNABLE, "passes the largest f64");
    arr huge = matrix_of(2, 2, (double[]){1e300, 0, 0, 1e300});
    assert_refused(try_row("det", &huge, 1), PH_EUNABLE, "take slogdet");
    drop_all((arr[]){s, b, indefinite, skew, stack, tiny, huge}, 7);
}

/* Sizes whose workspaces wrap around in 32 bits are refused before anything is allocated: these operands are
 * one number, stretched. 4 n^2 passes INT_MAX from n = 23170, 2 n^2 from n = 32767; values alone need only 10
 * n. */
static void workspaces_beyond_int_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int64_t n;
    } cases[] = {{"svd", 23171},  {"svd", 26754},         {"svd", 100000},
                 {"pinv", 26754}, {"svdvals", 300000000}, {"eigh", 32768}};
    arr one, big;
    ok(arr_scalar(&one, ARR_F64, (arr_c128){1, 0}, &last_error));
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ph_status st = arr_broadcast_to(&big, &one, 2, (int64_t[]){cases[k].n, cases[k].n}, &last_error);
        if (SIZE_MAX == UINT32_MAX) { /* its bytes have no addresses there */
            assert_int_equal(st, PH_EARG);
            continue;
        }
        ok(st);
        assert_refused(try_row(cases[k].name, &big, 1), PH_EUNABLE, "LAPACK counts to 2147483647");
        arr_drop(&big);
    }
    arr_drop(&one);
}

static void empty_matrices_have_results(void **state) {
    (void)state;
    static const int64_t empty[][2] = {{0, 0}, {0, 3}, {3, 0}};
    for (int t = 0; t < 4; t++)
        for (int s = 0; s < 3; s++) {
            int64_t m = empty[s][0], n = empty[s][1];
            arr a = random_matrix(types[t], m, n, 1), out[OP_MAXOUT], b = random_array(types[t], 1, &m, 2);
            for (int full = 0; full < 2; full++) {
                op_attrs attrs = {.word = full ? "full" : NULL};
                run_with(out, "qr", &a, 1, &attrs);
                assert_true(out[0].shape[0] == m && out[0].shape[1] == (full ? m : 0) &&
                            out[1].shape[1] == n);
                check_orthonormal(&out[0]);
                drop_all(out, 2);
                run_with(out, "svd", &a, 1, &attrs);
                assert_true(out[0].shape[1] == (full ? m : 0) && out[1].shape[0] == 0 &&
                            out[2].shape[0] == (full ? n : 0));
                check_orthonormal(&out[0]);
                arr v = adjoint(&out[2]);
                check_orthonormal(&v);
                arr_drop(&v);
                drop_all(out, 3);
            }
            assert_true(number_of("rank", &a) == 0);
            assert_refused(try_row("cond", &a, 1), PH_EDOMAIN, "empty");
            run_row(out, "pinv", &a);
            assert_true(out[0].shape[0] == n && out[0].shape[1] == m);
            drop_all(out, 1);
            run_with(out, "lstsq", (arr[]){a, b}, 2, &from_one);
            assert_true(out[0].shape[0] == n && number(&out[2]) == 0);
            for (int64_t i = 0; i < n; i++) assert_true(at1(&out[0], i) == 0);
            assert_within(number(&out[1]) - frobenius(&b), 8 * unit(ARR_F64));
            drop_all(out, 4);
            if (m == n) {
                static const char *const rows[] = {"inv", "cholesky", "eigh", "eig", "expm"};
                for (int k = 0; k < 5; k++) {
                    run_row(out, rows[k], &a);
                    assert_int_equal(arr_size(&out[0]), 0);
                    drop_all(out, op_find(rows[k])->n_out);
                }
                run_with(out, "solve", (arr[]){a, b}, 2, &from_one);
                assert_int_equal(arr_size(&out[0]), 0);
                drop_all(out, 1);
            }
            drop_all((arr[]){a, b}, 2);
        }
}

/* Every allocation refused in turn: the call says so and leaves nothing. */
static void memory_that_runs_out_leaves_nothing(void **state) {
    (void)state;
    for (int t = 0; t < 3; t++) {
        arr a = definite(types[t], 5, 2), b = random_matrix(types[t], 5, 2, 3), in[] = {a, b}, out[OP_MAXOUT];
        for (const op_table *table = op_tables; table->rows; table++)
            for (int r = 0; r < *table->n; r++) {
                const op *row = &table->rows[r];
                bool two = strcmp(row->name, "solve") == 0 || strcmp(row->name, "lstsq") == 0, ours = two;
                for (size_t k = 0; k < sizeof all_rows / sizeof *all_rows; k++)
                    ours |= strcmp(row->name, all_rows[k]) == 0;
                if (!ours) continue;
                size_t live = ph_block_live();
                int refusals = 0;
                for (size_t from = 1;; from++) {
                    ph_alloc_fail_from(from);
                    ph_status st = op_apply(out, row, in, 1 + two, &from_one, &last_error);
                    ph_alloc_fail_from(0);
                    if (st == PH_OK) break;
                    assert_int_equal(st, PH_ENOMEM);
                    assert_int_equal(ph_block_live(), live);
                    refusals++;
                }
                assert_true(refusals >= 2);
                drop_all(out, row->n_out);
            }
        drop_all((arr[]){a, b}, 2);
    }
}

static void a_stack_stops_between_matrices(void **state) {
    (void)state;
    static const char *const rows[] = {"inv", "qr", "svd", "eig", "expm"};
    arr a = random_array(ARR_F64, 3, (int64_t[]){4, 6, 6}, 1);
    ph_interrupt_flag = 1;
    for (int k = 0; k < 5; k++) assert_refused(try_row(rows[k], &a, 1), PH_EINTR, "interrupted");
    ph_interrupt_flag = 0;
    arr_drop(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_refused_by_name),
        cmocka_unit_test(what_is_not_finite_is_named),
        cmocka_unit_test(singular_and_indefinite_are_said_in_words),
        cmocka_unit_test(workspaces_beyond_int_are_refused),
        cmocka_unit_test(empty_matrices_have_results),
        cmocka_unit_test(memory_that_runs_out_leaves_nothing),
        cmocka_unit_test(a_stack_stops_between_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
