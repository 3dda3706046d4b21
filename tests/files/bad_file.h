/* bad_file.h: a file that must be refused: with these words, and nothing allocated beyond its size and 1 MiB. */
#ifndef PH_TEST_BAD_FILE_H
#define PH_TEST_BAD_FILE_H

#include "temporary.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/files.h"

/* The address space in use; malloc takes memory in steps, so a quarter of a megabyte more is allowed. A sanitizer reserves
 * terabytes: there the words alone are tested. */
static inline void limit_memory(size_t file) {
#ifndef __SANITIZE_ADDRESS__
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld", &pages) != 1) _exit(9);
    fclose(f);
    rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + file + (1 << 20) + (1 << 18);
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) != 0) _exit(9);
#else
    (void)file;
#endif
}

/* Reads everything in the file; *err says what was wrong. */
static inline ph_status read_all(const char *path, ph_err *err) {
    arr a = ARR_NONE;
    file_store *s = NULL;
    char *names = NULL;
    ph_status st;
    if (strstr(path, ".npy")) st = file_npy_read(&a, path, err);
    else if (strstr(path, ".csv")) st = file_csv_read(&a, &names, path, ',', -1, err);
    else st = strstr(path, ".npz") ? file_npz_open(&s, path, err) : file_safetensors_open(&s, path, err);
    for (int64_t i = 0; st == PH_OK && s && i < file_store_count(s); i++) {
        file_entry e;
        st = file_store_entry(&e, s, i, err);
        if (st == PH_OK) st = file_store_read(&a, s, i, err);
        arr_drop(&a);
    }
    arr_drop(&a);
    ph_free(names);
    file_store_close(&s);
    return st;
}

static int wrong_words;

/* The message must be "PATH: WANTED". */
static inline void refused(const char *path, const char *wanted) {
    int pipes[2], status;
    char got[600] = "", full[600];
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        ph_err err = {.text = "it was read"};
        limit_memory((size_t)s.st_size);
        ph_status st = read_all(path, &err);
        if (st != PH_EARG && st != PH_OK) strncat(err.text, " (not EARG)", 20);
        if (write(pipes[1], err.text, strlen(err.text)) < 0) _exit(8);
        _exit(0);
    }
    close(pipes[1]);
    ssize_t n = read(pipes[0], got, sizeof got - 1);
    close(pipes[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0) print_error("%s: the reader ended with status %d\n", wanted, status);
    assert_int_equal(status, 0);
    got[n > 0 ? n : 0] = 0;
    snprintf(full, sizeof full, "%s: %s", path, wanted);
    if (strcmp(got, full) != 0 && ++wrong_words) print_error("gave   %s\nwanted %s\n", got, full);
}

/* The end of every test: words that were not the wanted ones. */
static inline int words_were_right(void **state) {
    int wrong = wrong_words;
    wrong_words = 0;
    return remove_folder(state) != 0 || wrong ? -1 : 0;
}

/* As above, for these bytes under this name. */
static inline void refuses(const char *name, const void *data, size_t n, const char *wanted) {
    put_file(in_folder(name), data, n);
    refused(in_folder(name), wanted);
}

#endif
