/* matmul beside raw cblas: the same library, as many threads, the same operands, in turns. OpenBLAS's own
 * threads spin for some 25 ms after a call and would take a core from ours, so a turn is several runs, and
 * ours begins with a pause.
 *
 *     bench_matmul [LARGEST]     the largest square (2048)
 *
 * Prints the least, the median and the greatest of each, on one thread and on all. Ours makes its result anew each time; the peer
 * writes into one that is there.
 */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "array/array.h"
#include "array/op.h"
#include "base/parallel.h"
#include "limits.h"

#define TURNS 5
#define RUNS  40 /* of each in a turn, at most */

static void die(const ph_err *err) {
    fprintf(stderr, "bench_matmul: %s\n", err->text);
    exit(1);
}

static arr filled(arr_dtype t, int64_t m, int64_t n, uint32_t *state) {
    ph_err err;
    arr a;
    if (arr_new(&a, t, 2, (int64_t[]){m, n}, &err) != PH_OK) die(&err);
    for (int64_t i = 0; i < m * n; i++) {
        *state = *state * 1664525u + 1013904223u;
        double x = (double)(*state >> 8) * 0x1p-23 - 1;
        if (t == ARR_F32) ((float *)a.data)[i] = (float)x;
        else ((double *)a.data)[i] = x;
    }
    return a;
}

/* On one thread processor time, to which other work adds nothing but what it does to the caches; on all what a clock on the wall shows. */
static double now(void) {
    struct timespec t;
    if (ph_threads() > 1) return ph_clock();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double ours(const arr *a, const arr *b) {
    ph_err err;
    arr c;
    double start = now();
    if (op_call2(&c, "matmul", a, b, &err) != PH_OK) die(&err);
    double seconds = now() - start;
    arr_drop(&c);
    return seconds;
}

static double peer(const arr *c, const arr *a, const arr *b) {
    int m = (int)a->shape[0], k = (int)a->shape[1], n = (int)b->shape[1];
    openblas_set_num_threads(ph_threads());
    double start = now();
    if (c->dtype == ARR_F32)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, (float *)a->data, k,
                    (float *)b->data, n, 0, (float *)c->data, n);
    else
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, (double *)a->data, k,
                    (double *)b->data, n, 0, (double *)c->data, n);
    double seconds = now() - start;
    openblas_set_num_threads(1);
    return seconds;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void pause_for_spinning(void) {
    struct timespec t = {0, 60 * 1000 * 1000};
    nanosleep(&t, NULL);
}

/* TURNS turns of about a quarter second for both together; the first run of every turn is thrown away. */
static void compare_with(const char *id, int threads, const arr *a, const arr *b, const arr *c) {
    double us[TURNS * RUNS], them[TURNS * RUNS];
    ph_set_threads(threads);
    double once = ours(a, b) + peer(c, a, b);
    int runs = once * RUNS < 0.25 ? RUNS : once > 0.25 ? 1 : (int)(0.25 / once), seen = 0;
    for (int turn = 0; turn < TURNS; turn++, seen += runs) {
        if (threads != 1) pause_for_spinning();
        ours(a, b);
        for (int i = 0; i < runs && threads != 1; i++) us[seen + i] = ours(a, b);
        peer(c, a, b);
        for (int i = 0; i < runs; i++) {
            if (threads == 1) us[seen + i] = ours(a, b);
            them[seen + i] = peer(c, a, b);
        }
    }
    const char *one = threads == 1 ? "1" : "";
    qsort(us, (size_t)seen, sizeof *us, by_size);
    qsort(them, (size_t)seen, sizeof *them, by_size);
    for (int i = 0; i<seen; i += seen / 2> 0 ? seen / 2 : 1) /* the least, the median, the greatest */
        printf("%s phasor%s %.9f\n%s cblas%s %.9f\n", id, one, us[i], id, one, them[i]);
    fflush(stdout);
}

static void compare(arr_dtype t, int64_t m, int64_t k, int64_t n) {
    uint32_t state = 1;
    arr a = filled(t, m, k, &state), b = filled(t, k, n, &state), c = filled(t, m, n, &state);
    char id[80];
    snprintf(id, sizeof id, "mm_%s_%lldx%lldx%lld", arr_dtype_name(t), (long long)m, (long long)k,
             (long long)n);
    printf("row %s|matmul %s (%lld, %lld) by (%lld, %lld)|ms|1.02|cblas1\n", id, arr_dtype_name(t),
           (long long)m, (long long)k, (long long)k, (long long)n);
    compare_with(id, 1, &a, &b, &c);
    compare_with(id, 0, &a, &b, &c);
    double rate =
        limit_fma(t == ARR_F32); /* a clear limit where what is read is little beside what is multiplied */
    if (rate > 0 && m > 1 && n > 1) printf("%s fma1 %.12f\n", id, (double)m * (double)n * (double)k / rate);
    arr_drop(&a);
    arr_drop(&b);
    arr_drop(&c);
}

int main(int argc, char **argv) {
    static const int64_t skinny[][3] = {{64, 64, 64},     {10000, 64, 64},  {64, 64, 10000}, {64, 10000, 64},
                                        {4096, 128, 128}, {2048, 64, 2048}, {1000, 1000, 1}, {1, 1000, 1000}};
    int64_t largest = argc > 1 ? strtoll(argv[1], NULL, 10) : 2048;
    for (int t = ARR_F32; t <= ARR_F64; t++) {
        for (int64_t n = 512; n <= largest; n *= 2) compare((arr_dtype)t, n, n, n);
        for (size_t i = 0; i < sizeof skinny / sizeof skinny[0]; i++)
            compare((arr_dtype)t, skinny[i][0], skinny[i][1], skinny[i][2]);
    }
    return 0;
}
