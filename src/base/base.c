/* base.c: status and message, the allocation door, checked sizes, the clock. */
#include "base/base.h"
#include "base/guard.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

volatile sig_atomic_t ph_interrupt_flag = 0;

ph_status ph_fail(ph_err *err, ph_status code, const char *fmt, ...) {
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(err->text, sizeof err->text, fmt, ap);
        va_end(ap);
        err->code = code;
    }
    return code;
}

ph_status ph_fail_from(ph_err *err, const char *who) {
    if (!err) return PH_EARG;
    ph_err was = *err;
    size_t n = strlen(who);
    if (strncmp(was.text, who, n) == 0 && was.text[n] == ':') return was.code;
    return ph_fail(err, was.code, "%s: %s", who, was.text);
}

const char *ph_kind(ph_status st) {
    static const char *const kinds[] = {
        [PH_OK] = "ok",
        [PH_ENOMEM] = "out of memory",
        [PH_EARG] = "argument",
        [PH_EDOMAIN] = "undefined",
        [PH_EOUTSIDE] = "outside the theory",
        [PH_EBUDGET] = "out of budget",
        [PH_EUNABLE] = "beyond this machine",
        [PH_EBUG] = "contradiction",
        [PH_EINTR] = "interrupted",
        [PH_EIO] = "input or output",
    };
    return kinds[st];
}

ph_status ph_fail_nomem(ph_err *err, size_t bytes) {
    return ph_fail(err, PH_ENOMEM, "out of memory: %zu bytes wanted", bytes);
}

static atomic_size_t looks;
static size_t blind; /* looks that see nothing yet */

void ph_interrupt_from(size_t n) {
    atomic_store(&looks, 0);
    blind = n ? n - 1 : 0;
    ph_interrupt_flag = n > 0;
}
size_t ph_interrupt_looks(void) { return atomic_load(&looks); }
bool ph_interrupt_due(void) { return atomic_fetch_add(&looks, 1) >= blind; }

ph_status ph_fail_interrupted(ph_err *err) { return ph_fail(err, PH_EINTR, "interrupted"); }

static size_t refuse_in; /* 0: never; n: the n-th allocation from now and all later ones */

void ph_alloc_fail_from(size_t n) { refuse_in = n; }

bool ph_alloc_refused(void) {
    if (refuse_in == 0) return false;
    if (refuse_in > 1) {
        refuse_in--;
        return false;
    }
    return true;
}

/* Less than this is given where the limit is reached, too: for words, for what an error needs. */
#define MUCH ((size_t)1 << 20)

static bool refused(size_t bytes) {
    return ph_alloc_refused() || bytes > PTRDIFF_MAX || (bytes >= MUCH && bytes > ph_block_room());
}

void *ph_alloc(size_t bytes) {
    if (refused(bytes)) return NULL;
    if (bytes == 0) bytes = 1;
    return ph_guard_lay_malloced(malloc(ph_guard_more(bytes)), bytes, true);
}

void *ph_calloc(uint64_t n, size_t size) {
    size_t bytes;
    if (!ph_mul_size(&bytes, n, size) || refused(bytes)) return NULL;
    if (bytes == 0) bytes = 1;
    return ph_guard_lay_malloced(calloc(1, ph_guard_more(bytes)), bytes, false);
}

void *ph_realloc(void *p, size_t bytes) {
    if (ph_alloc_refused()) return NULL;
    if (bytes == 0) bytes = 1;
    ph_guard_check_malloced(p);
    return ph_guard_lay_malloced(realloc(p, ph_guard_more(bytes)), bytes, false);
}

char *ph_strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = ph_alloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

void ph_free(void *p) {
    ph_guard_check_malloced(p);
    free(p);
}
void *ph_zlib_alloc(void *unused, unsigned n, unsigned size) {
    (void)unused;
    return ph_calloc(n, size);
}
void ph_zlib_free(void *unused, void *p) {
    (void)unused;
    ph_free(p);
}

bool ph_mul_size(size_t *out, uint64_t a, uint64_t b) { return !__builtin_mul_overflow(a, b, out); }
bool ph_add_size(size_t *out, size_t a, size_t b) { return !__builtin_add_overflow(a, b, out); }

bool ph_shape_bytes(size_t *out, const int64_t *shape, int n, size_t item) {
    size_t nonzero = item;
    bool zero = false;
    for (int i = 0; i < n; i++) {
        if (shape[i] < 0) return false;
        if (shape[i] == 0) zero = true;
        else if (!ph_mul_size(&nonzero, nonzero, (uint64_t)shape[i])) return false;
    }
    if (nonzero > PTRDIFF_MAX) return false;
    *out = zero ? 0 : nonzero;
    return true;
}

double ph_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
