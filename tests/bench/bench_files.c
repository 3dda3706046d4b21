/* bench_files: arrays from and to files, by the C functions behind read and write. Files are in /tmp and, but for the first
 * reading, in the system's cache: a disk's own speed is nobody's merit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array/files.h"

enum { SAMPLES = 7, TENSORS = 200, BIG = 12 };

static char folder[] = "/tmp/phasor-bench-XXXXXX";

static void must(ph_status st, const ph_err *err) {
    if (st == PH_OK) return;
    fprintf(stderr, "bench_files: %s\n", err->text);
    exit(1);
}

static const char *in_folder(const char *name) {
    static char path[2][80];
    static int k;
    char *p = path[k = !k];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static double peak_bytes(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss * 1024;
}

/* 400 MB in 212 tensors, twelve of them large: about what a BERT is. */
static void make_model(void) {
    static char names[TENSORS + BIG][64];
    static arr_named in[TENSORS + BIG];
    ph_err err;
    arr small, big;
    must(arr_full(&small, ARR_F32, 2, (int64_t[]){64, 64}, (arr_c128){1, 0}, &err), &err);
    must(arr_full(&big, ARR_F32, 2, (int64_t[]){10700, 768}, (arr_c128){2, 0}, &err), &err);
    for (int k = 0; k < TENSORS + BIG; k++) {
        snprintf(names[k], sizeof names[k], "encoder.layer.%d.attention.self.query.weight", k);
        in[k] = (arr_named){names[k], k < TENSORS ? &small : &big};
    }
    must(arr_safetensors_write(in_folder("model.safetensors"), in, TENSORS + BIG, NULL, NULL, 0, &err), &err);
    arr_drop(&small), arr_drop(&big);
}

static void open_model(arr_store **s, int64_t *i) {
    ph_err err;
    char name[64];
    must(arr_safetensors_open(s, in_folder("model.safetensors"), &err), &err);
    snprintf(name, sizeof name, "encoder.layer.%d.attention.self.query.weight", TENSORS + 3);
    must(arr_store_find(i, *s, name, strlen(name), &err), &err);
}

static void time_model(bool told) {
    ph_err err;
    arr_store *s;
    arr a;
    int64_t i;
    double t = ph_clock();
    open_model(&s, &i);
    if (told) printf("st_open phasor %.9f\n", ph_clock() - t);
    t = ph_clock();
    must(arr_store_read(&a, s, i, &err), &err);
    if (told) printf("st_read phasor %.9f\n", ph_clock() - t);
    arr_drop(&a);
    arr_store_close(&s);
}

/* In a process of its own, whose peak is what it began with: opening and reading one tensor, beyond that tensor. */
static void measure_memory(void) {
    ph_err err;
    arr_store *s;
    arr a;
    int64_t i;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        double before = peak_bytes();
        open_model(&s, &i);
        must(arr_store_read(&a, s, i, &err), &err);
        printf("st_memory phasor %.0f\n", peak_bytes() - before - (double)arr_size(&a) * 4);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void time_npy(bool told) {
    ph_err err;
    arr a, b;
    must(arr_full(&a, ARR_F64, 2, (int64_t[]){1000, 1000}, (arr_c128){1.5, 0}, &err), &err);
    double t = ph_clock();
    must(arr_npy_write(in_folder("x.npy"), &a, NULL, &err), &err);
    if (told) printf("npy_write phasor %.9f\n", ph_clock() - t);
    t = ph_clock();
    must(arr_npy_read(&b, in_folder("x.npy"), &err), &err);
    if (told) printf("npy_read phasor %.9f\n", ph_clock() - t);
    arr_drop(&b);
    must(arr_convert(&b, &a, ARR_F32, &err), &err);
    must(arr_npy_write(in_folder("h.npy"), &b, "f16", &err), &err);
    arr_drop(&b);
    t = ph_clock();
    must(arr_npy_read(&b, in_folder("h.npy"), &err), &err);
    if (told) printf("npy_half phasor %.9f\n", ph_clock() - t);
    arr_drop(&a), arr_drop(&b);
}

static void time_csv(bool told) {
    ph_err err;
    ph_rng g;
    arr a, b;
    char *names;
    ph_rng_seed(&g, 1);
    must(arr_randn(&a, ARR_F64, 2, (int64_t[]){10000, 10}, &g, &err), &err);
    must(arr_csv_write(in_folder("x.csv"), &a, ',', NULL, &err), &err);
    double t = ph_clock();
    must(arr_csv_read(&b, &names, in_folder("x.csv"), ',', -1, &err), &err);
    if (told) printf("csv_read phasor %.9f\n", ph_clock() - t);
    arr_drop(&a), arr_drop(&b);
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    make_model();
    ph_block_trim();
    measure_memory();
    for (int k = 0; k <= SAMPLES; k++) {
        time_model(k > 0);
        time_npy(k > 0);
        time_csv(k > 0);
    }
    static const char *const made[] = {"model.safetensors", "x.npy", "h.npy", "x.csv"};
    for (int k = 0; k < 4; k++) unlink(in_folder(made[k]));
    return rmdir(folder) != 0;
}
