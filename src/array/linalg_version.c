/* linalg_version.c: which BLAS and which LAPACK this process has found. */
#include "array/linalg.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>
#include <string.h>

/* The configuration is "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": its first two words are name and
 * version. */
char *arr_blas_text(char *buf, size_t cap) {
    const char *config = openblas_get_config();
    size_t n = strcspn(config, " ");
    if (config[n]) n += 1 + strcspn(config + n + 1, " ");
    arr_lin_one_thread();
    int threads = openblas_get_num_threads();
    snprintf(buf, cap, "%.*s %s, %d thread%s", (int)n, config, openblas_get_corename(), threads,
             threads == 1 ? "" : "s");
    return buf;
}

char *arr_lapack_text(char *buf, size_t cap) {
    lapack_int major, minor, patch;
    LAPACK_ilaver(&major, &minor, &patch);
    snprintf(buf, cap, "%d.%d.%d", (int)major, (int)minor, (int)patch);
    return buf;
}
