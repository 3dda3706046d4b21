/* Which BLAS is opened, when, and with which kernels.
 * Sources: array/linalg_blas.c array/linalg_lapack.c array/linalg_library.c */
#include "linalg_common.h"

#include <sys/wait.h>
#include <unistd.h>

#include "array/linalg_library.h"

static void a_core_without_avx2_is_worse_than_a_machine_with_it(void **state) {
    (void)state;
    static const char *const old[] = {"Prescott", "Core2", "Nehalem", "Sandybridge", "Bulldozer", "Generic"};
    static const char *const fine[] = {"Haswell",  "Zen",        "Excavator",
                                       "SkylakeX", "Cooperlake", "SapphireRapids"};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        assert_string_equal(arr_lin_better_core(old[i], true, false), "Haswell");
        assert_string_equal(arr_lin_better_core(old[i], true, true), "SkylakeX");
        assert_null(arr_lin_better_core(old[i], false, false));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        assert_null(arr_lin_better_core(fine[i], true, true));
}

/* Every inner sum of 200 integers below 100 is exact in any order, so kernels cannot differ. */
static arr product_of_integers(void) {
    arr a = random_matrix(ARR_F64, 150, 200, 1), b = random_matrix(ARR_F64, 200, 170, 2), c;
    for (int64_t i = 0; i < arr_size(&a); i++) ((double *)a.data)[i] = floor(100 * ((double *)a.data)[i]);
    for (int64_t i = 0; i < arr_size(&b); i++) ((double *)b.data)[i] = floor(100 * ((double *)b.data)[i]);
    ok(op_call2(&c, "matmul", &a, &b, &last_error));
    for (int64_t i = 0; i < 150; i++)
        for (int64_t j = 0; j < 170; j++) {
            double sum = 0;
            for (int64_t l = 0; l < 200; l++)
                sum += ((double *)a.data)[i * 200 + l] * ((double *)b.data)[l * 170 + j];
            assert_true(((double *)c.data)[i * 170 + j] == sum);
        }
    arr_drop(&a);
    arr_drop(&b);
    return c;
}

/* In a child: the kernels of a process are chosen once. Prescott's run on every x86-64. */
static void kernels_can_be_exchanged_before_the_first_product(void **state) {
    (void)state;
    char text[192];
    pid_t child = fork();
    if (child == 0) {
        if (arr_lin_open(&last_error) != PH_OK) _exit(1);
        if (!arr_lin_set_core("Prescott")) _exit(2);
        if (!strstr(arr_blas_text(text, sizeof text), "Prescott")) _exit(3);
        if (getenv("OPENBLAS_CORETYPE")) _exit(4);
        arr c = product_of_integers();
        arr_drop(&c);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* What a user chose stays, and what the environment holds is not changed by opening. */
static void the_users_choice_stands(void **state) {
    (void)state;
    char text[192];
    pid_t child = fork();
    if (child == 0) {
        setenv("OPENBLAS_CORETYPE", "Prescott", 1);
        setenv("OPENBLAS_NUM_THREADS", "3", 1);
        arr_blas_text(text, sizeof text);
        if (!strstr(text, "Prescott (OPENBLAS_CORETYPE)") || !strstr(text, "1 thread")) _exit(1);
        if (strcmp(getenv("OPENBLAS_CORETYPE"), "Prescott") != 0) _exit(2);
        if (strcmp(getenv("OPENBLAS_NUM_THREADS"), "3") != 0) _exit(3);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Each row as the first of its process. The matrix is 3 I and a little, symmetric and definite. */
static void any_row_can_be_the_first(void **state) {
    (void)state;
    static const char *const names[] = {"inv",      "det",   "slogdet", "expm",   "eig",  "eigh",
                                        "cholesky", "svd",   "svdvals", "rank",   "cond", "pinv",
                                        "qr",       "solve", "lstsq",   "matmul", "norm"};
    for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
        pid_t child = fork();
        if (child == 0) {
            const op *row = op_find(names[r]);
            arr a[2] = {random_matrix(ARR_F64, 40, 40, 1), random_matrix(ARR_F64, 40, 40, 2)}, out[OP_MAXOUT];
            for (int64_t i = 0; i < 40; i++)
                for (int64_t j = 0; j < 40; j++) ((double *)a[0].data)[40 * i + j] = i == j ? 3 : 0.01;
            const op_attrs attrs = {.base = 1, .num = strcmp(names[r], "norm") == 0 ? 2 : 0};
            _exit(op_apply(out, row, a, row->min_in, &attrs, &last_error) != PH_OK);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (status) fail_msg("%s ended with %d", names[r], status);
    }
}

/* Is OpenBLAS in this process? */
static bool is_mapped(void) {
    char line[512];
    bool found = false;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) found = found || strstr(line, "libopenblas");
    if (f) fclose(f);
    return found;
}

/* The cases before open it in children only. */
static void it_is_opened_by_the_first_product(void **state) {
    (void)state;
    if (access("/proc/self/maps", R_OK) != 0) return; /* nothing to look at: not Linux */
#ifdef PH_BLAS_FILE
    assert_false(is_mapped());
#endif
    arr c = product_of_integers();
    arr_drop(&c);
    assert_true(is_mapped());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_without_avx2_is_worse_than_a_machine_with_it),
        cmocka_unit_test(kernels_can_be_exchanged_before_the_first_product),
        cmocka_unit_test(the_users_choice_stands),
        cmocka_unit_test(any_row_can_be_the_first),
        cmocka_unit_test(it_is_opened_by_the_first_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
