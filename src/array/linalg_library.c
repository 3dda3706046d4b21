/* linalg_library.c: opens BLAS and LAPACK, and chooses OpenBLAS's kernels where its own choice is worse than the machine. */
#include "array/linalg_library.h"

#include "array/gemm.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"

#define CORE    "OPENBLAS_CORETYPE"
#define THREADS "OPENBLAS_NUM_THREADS"

/* ---- the file ------------------------------------------------------------------------------------------ */

#ifdef PH_BLAS_FILE

lin_library arr_lin_library;

/* By its name, as the loader finds libraries; then where the build saw it. */
static ph_status open_file(void **out, ph_err *err) {
    *out = dlopen(PH_BLAS_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!*out) *out = dlopen(PH_BLAS_PATH, RTLD_NOW | RTLD_LOCAL);
    if (*out) return PH_OK;
    return ph_fail(err, PH_EUNABLE,
                   "linear algebra needs OpenBLAS (" PH_BLAS_FILE "), which is not on this machine; "
                   "scripts/install-deps brings it");
}

static ph_status look_up(void *file, ph_err *err) {
    static const char *const names[] = {
#define NAME(f) #f,
        LIN_FUNCTIONS(NAME)
#undef NAME
    };
    void *found[sizeof names / sizeof *names];
    _Static_assert(sizeof found == sizeof arr_lin_library, "a name for each function");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(found[i] = dlsym(file, names[i])))
            return ph_fail(err, PH_EUNABLE,
                           "linear algebra needs a function that " PH_BLAS_FILE " of this machine lacks: %s",
                           names[i]);
    memcpy(&arr_lin_library, found,
           sizeof found); /* ISO C has no cast from data to functions; POSIX has the shape */
    return PH_OK;
}

static ph_status load(void **file, ph_err *err) {
    ph_status st = open_file(file, err);
    return st ? st : look_up(*file, err);
}

#else

/* Linked: the functions are this process's own. */
static ph_status load(void **file, ph_err *err) {
    (void)err;
    *file = dlopen(NULL, RTLD_NOW);
    return PH_OK;
}

#endif

/* ---- its kernels --------------------------------------------------------------------------------------- */

static void *library_file;

static bool is_one_of(const char *name, const char *const *list) {
    for (; *list; list++)
        if (strcmp(name, *list) == 0) return true;
    return false;
}

const char *arr_lin_better_core(const char *core, bool avx2, bool avx512) {
    static const char *const with_avx2[] = {"Haswell",    "Zen",        "Excavator",      "SkylakeX",
                                            "Cooperlake", "COOPERLAKE", "SapphireRapids", NULL};
    /* Only cores of x86 are judged: of others nothing is known here. */
    if (!avx2 || is_one_of(core, with_avx2)) return NULL;
    return avx512 ? "SkylakeX" : "Haswell";
}

/* These two are how OpenBLAS itself starts and ends its choice; it reads CORE once, when it starts. */
bool arr_lin_set_core(const char *core) {
    typedef void start_or_end(void);
    start_or_end *call[2];
    void *found[2] = {dlsym(library_file, "gotoblas_dynamic_quit"),
                      dlsym(library_file, "gotoblas_dynamic_init")};
    if (!found[0] || !found[1] || setenv(CORE, core, 1) != 0) return false;
    memcpy(call, found, sizeof call);
    call[0]();
    call[1]();
    unsetenv(CORE);
    return true;
}

static const char *reason = "its own choice";

static void choose_core(void) {
    char own[64];
    const char *better = NULL;
    static char text[128];
    if (getenv(CORE)) {
        reason = CORE;
        return;
    }
    snprintf(own, sizeof own, "%s", openblas_get_corename());
    if (ph_cpu() >= PH_CPU_AVX2) better = arr_lin_better_core(own, true, ph_cpu() >= PH_CPU_AVX512);
    if (!better || !arr_lin_set_core(better)) return;
    snprintf(text, sizeof text, "for this processor, which it took for %s", own);
    reason = text;
}

/* ---- the door ------------------------------------------------------------------------------------------ */

/* OpenBLAS starts its threads while it is opened; with one, it starts none. The variable is put back: children inherit it. */
static ph_status load_with_one_thread(ph_err *err) {
    const char *users = getenv(THREADS);
    char *kept = users ? ph_strdup(users) : NULL;
    if (users && !kept) return ph_fail_nomem(err, strlen(users) + 1);
    setenv(THREADS, "1", 1);
    ph_status st = load(&library_file, err);
    if (kept) setenv(THREADS, kept, 1);
    else unsetenv(THREADS);
    ph_free(kept);
    return st;
}

ph_status arr_lin_open(ph_err *err) {
    static bool open;
    if (open) return PH_OK;
    ph_status st = load_with_one_thread(err);
    if (st) return st;
    openblas_set_num_threads(1);
    choose_core();
    open = true;
    return PH_OK;
}

ph_status arr_gemm_ready(ph_err *err) { return arr_lin_open(err); }

/* ---- what it is ---------------------------------------------------------------------------------------- */

/* The configuration is "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": its first two words are name and version. */
char *arr_blas_text(char *buf, size_t cap) {
    ph_err err;
    if (arr_lin_open(&err) != PH_OK) {
        snprintf(buf, cap, "%s", err.text);
        return buf;
    }
    const char *config = openblas_get_config();
    size_t n = strcspn(config, " ");
    if (config[n]) n += 1 + strcspn(config + n + 1, " ");
    int threads = openblas_get_num_threads();
    snprintf(buf, cap, "%.*s, core %s (%s), %d thread%s", (int)n, config, openblas_get_corename(), reason,
             threads, threads == 1 ? "" : "s");
    return buf;
}

char *arr_lapack_text(char *buf, size_t cap) {
    lapack_int major, minor, patch;
    ph_err err;
    if (arr_lin_open(&err) != PH_OK) {
        snprintf(buf, cap, "%s", err.text);
        return buf;
    }
    LAPACK_ilaver(&major, &minor, &patch);
    snprintf(buf, cap, "%d.%d.%d", (int)major, (int)minor, (int)patch);
    return buf;
}
