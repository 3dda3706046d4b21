/* bench_files: arrays from and to files, by the C functions behind read and write. Files are in /tmp and, but for the first
 * reading, in the system's cache: a disk's own speed is nobody's merit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/files.h"

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

/* 400 MB in 212 tensors, twelve of them large: about what a BERT is. */
static void make_model(void) {
    static char names[TENSORS + BIG][64];
    static file_named in[TENSORS + BIG];
    ph_err err;
    arr small, big;
    must(arr_full(&small, ARR_F32, 2, (int64_t[]){64, 64}, (arr_c128){1, 0}, &err), &err);
    must(arr_full(&big, ARR_F32, 2, (int64_t[]){10700, 768}, (arr_c128){2, 0}, &err), &err);
    for (int k = 0; k < TENSORS + BIG; k++) {
        snprintf(names[k], sizeof names[k], "encoder.layer.%d.attention.self.query.weight", k);
        in[k] = (file_named){names[k], k < TENSORS ? &small : &big};
    }
    must(file_safetensors_write(in_folder("model.safetensors"), in, TENSORS + BIG, NULL, NULL, 0, &err),
         &err);
    arr_drop(&small), arr_drop(&big);
}

static const char *model; /* its path */

static void open_model(file_store **s, int64_t *i) {
    ph_err err;
    char name[64];
    must(file_safetensors_open(s, model, &err), &err);
    snprintf(name, sizeof name, "encoder.layer.%d.attention.self.query.weight", TENSORS + 3);
    must(file_store_find(i, *s, name, strlen(name), &err), &err);
}

static void time_model(bool told) {
    ph_err err;
    file_store *s;
    arr a;
    int64_t i;
    double t = ph_clock();
    open_model(&s, &i);
    if (told) printf("st_open phasor %.9f\n", ph_clock() - t);
    t = ph_clock();
    must(file_store_read(&a, s, i, &err), &err);
    if (told) printf("st_read phasor %.9f\n", ph_clock() - t);
    arr_drop(&a);
    file_store_close(&s);
}

/* A line of /proc/self/status in bytes: VmRSS, what is resident; VmHWM, the most that ever was. */
static double status(const char *key) {
    char line[200];
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && kb < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0) kb = atol(line + strlen(key) + 1);
    if (f) fclose(f);
    return (double)kb * 1024;
}

/* The peak while one tensor of the model is found and read, beyond what was there before and the tensor. */
static int read_and_tell(const char *path) {
    ph_err err;
    file_store *s;
    arr a;
    int64_t i;
    model = path;
    double before = status("VmRSS:");
    open_model(&s, &i);
    must(file_store_read(&a, s, i, &err), &err);
    printf("st_memory phasor %.0f\n", status("VmHWM:") - before - (double)arr_size(&a) * 4);
    return 0;
}

/* In a process that begins anew: what a fork has touched already would count. */
static void measure_memory(const char *self) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, model, (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

static void time_npy(bool told) {
    ph_err err;
    arr a, b;
    must(arr_full(&a, ARR_F64, 2, (int64_t[]){1000, 1000}, (arr_c128){1.5, 0}, &err), &err);
    double t = ph_clock();
    must(file_npy_write(in_folder("x.npy"), &a, NULL, &err), &err);
    if (told) printf("npy_write phasor %.9f\n", ph_clock() - t);
    t = ph_clock();
    must(file_npy_read(&b, in_folder("x.npy"), &err), &err);
    if (told) printf("npy_read phasor %.9f\n", ph_clock() - t);
    arr_drop(&b);
    must(arr_convert(&b, &a, ARR_F32, &err), &err);
    must(file_npy_write(in_folder("h.npy"), &b, "f16", &err), &err);
    arr_drop(&b);
    t = ph_clock();
    must(file_npy_read(&b, in_folder("h.npy"), &err), &err);
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
    must(file_csv_write(in_folder("x.csv"), &a, ',', NULL, &err), &err);
    double t = ph_clock();
    must(file_csv_read(&b, &names, in_folder("x.csv"), ',', -1, &err), &err);
    if (told) printf("csv_read phasor %.9f\n", ph_clock() - t);
    arr_drop(&a), arr_drop(&b);
}

int main(int argc, char **argv) {
    if (argc == 2) return read_and_tell(argv[1]);
    if (!mkdtemp(folder)) return 1;
    static char path[80];
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    model = path;
    make_model();
    measure_memory(argv[0]);
    for (int k = 0; k <= SAMPLES; k++) {
        time_model(k > 0);
        time_npy(k > 0);
        time_csv(k > 0);
    }
    static const char *const made[] = {"model.safetensors", "x.npy", "h.npy", "x.csv"};
    for (int k = 0; k < 4; k++) unlink(in_folder(made[k]));
    return rmdir(folder) != 0;
}
