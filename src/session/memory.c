/* memory.c: Lua's allocator, with a limit; what Lua does not use of it is left to the arrays.
 *
 * Not RLIMIT_AS: that counts address space, of which OpenBLAS and thread stacks take gigabytes they never touch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/core.h"

/* Bytes the machine could hand out without swapping; 0 when it does not say. */
static size_t available(void) {
    size_t kb = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %zu kB", &kb) == 1) break;
    if (f) fclose(f);
    size_t bytes;
    if (kb) return ph_mul_size(&bytes, kb, 1024) ? bytes : SIZE_MAX; /* more than 32 bits can say */
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return 0;
    return ph_mul_size(&bytes, (size_t)pages, (size_t)size) ? bytes : SIZE_MAX;
}

/* A container's own limit, where there is one: the kernel kills at that, whatever the machine has. */
static size_t container_limit(void) {
    static const char *const files[] = {"/sys/fs/cgroup/memory.max",
                                        "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t bytes = 0;
        FILE *f = fopen(files[i], "r");
        if (!f) continue;
        int got = fscanf(f, "%zu", &bytes);
        fclose(f);
        if (got == 1) return bytes;
    }
    return SIZE_MAX;
}

void ses_memory_init(ses_memory *m) {
    const char *asked = getenv("PHASOR_MEMORY"); /* in MB */
    char *end = NULL;
    unsigned long long mb = asked ? strtoull(asked, &end, 10) : 0;
    *m = (ses_memory){.limit = SIZE_MAX};
    if (mb > 0 && *end == 0 && mb < SIZE_MAX >> 20) m->limit = (size_t)mb << 20;
    else {
        size_t have = available(), cap = container_limit();
        if (cap < have || have == 0) have = cap;
        if (have != SIZE_MAX) m->limit = have / 10 * 8;
    }
}

/* What a finalizer may take beyond the limit: a call needs a larger stack at times, and the largest has a million values of 16 bytes. */
#define LAST_ROOM ((size_t)16 << 20)

/* A finalizer that cannot be called for want of memory is never called again, and what it would have freed is lost: so a full
 * session would stay full. */
static size_t limit_now(const ses_memory *m) {
    bool more = m->L && m->limit < SIZE_MAX - LAST_ROOM && bind_finalizing(m->L);
    return more ? m->limit + LAST_ROOM : m->limit;
}

/* As ph_realloc, with blocks up to SES_CRUMB bytes from the crumbs. */
static void *resize(ses_crumbs *c, void *p, size_t old, size_t size) {
    bool was = p && old <= SES_CRUMB, is = size <= SES_CRUMB;
    if (!was && !is) return ph_realloc(p, size);
    if (was && is && (old - 1) / SES_CRUMB_STEP == (size - 1) / SES_CRUMB_STEP) return p;
    if (is && ph_alloc_refused()) return NULL;
    void *q = is ? ses_crumb_alloc(c, size) : ph_alloc(size);
    if (!q || !p) return q;
    memcpy(q, p, old < size ? old : size);
    if (was) ses_crumb_free(c, p);
    else ph_free(p);
    return q;
}

static void give_back(ses_crumbs *c, void *p, size_t size) {
    if (p && size <= SES_CRUMB) ses_crumb_free(c, p);
    else ph_free(p);
}

void ses_memory_end(ses_memory *m) { ses_crumbs_end(&m->crumbs); }

/* After each change: what a collection frees, an array that waits for it may take at once. */
static void leave_to_arrays(const ses_memory *m) {
    ph_block_set_limit(m->used < m->limit ? m->limit - m->used : 0);
}

void *ses_memory_alloc(void *memory, void *p, size_t old, size_t size) {
    ses_memory *m = memory;
    if (!p) old = 0; /* it is the kind of what is made */
    if (size == 0) {
        give_back(&m->crumbs, p, old);
        m->used -= old;
        leave_to_arrays(m);
        return NULL;
    }
    size_t arrays = ph_block_live(), rest = m->used - old;
    if (size > old) {
        size_t limit = limit_now(m);
        if (arrays > limit || rest > limit - arrays || size > limit - arrays - rest) return NULL;
    }
    void *q = resize(&m->crumbs, p, old, size);
    if (!q) return NULL;
    m->used = rest + size;
    leave_to_arrays(m);
    return q;
}
