/* block.c: large data blocks and the cache of freed ones.
 *
 * Blocks under 128 KB come from the C library (which gives larger ones back to the system again and again when many are
 * freed together), the smallest by way of slabs, the middle ones by way of lists of freed ones. Larger ones are mappings of
 * their own, rounded up to one of eight classes per power of two (at most 1/8 is unused, and untouched pages cost nothing),
 * so that a freed block serves the next of about its size. `kept` holds freed blocks, oldest first; the oldest go when
 * CACHE_CAP would be passed.
 *
 * Invariant: a kept block is in no one's hands and its class is the size of its mapping. Exception: none.
 * A fork (the snapshot before each cell) does not share the kept blocks: the child forgets them, so the
 * parent writes into them again without a copy of every page.
 */
#include "base/base.h"
#include "base/guard.h"
#include "base/pools.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGN     ((size_t)64)
#define LARGE     ((size_t)128 << 10)
#define CACHE_CAP ((size_t)96 << 20)
#define HUGE_PAGE ((size_t)2 << 20)
#define MAX_KEPT  (CACHE_CAP / LARGE)

typedef struct {
    void *p;
    size_t size;
} block;

static block kept[MAX_KEPT];
static size_t n_kept, kept_bytes, live_bytes, live_limit = SIZE_MAX;

/* The class of a request: rounded up to a multiple of 1/8 of the power of two at or below it. 0: it would
 * wrap. */
static size_t class_of(size_t bytes) {
    size_t step = ((size_t)1 << (63 - __builtin_clzll(bytes))) / 8, up;
    return ph_add_size(&up, bytes, step - 1) ? up / step * step : 0;
}

static void *map(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* A mapping that starts on a huge page and asks for such pages. Measured on 8 MB: first touch 0.3 ms instead
 * of 4; on 512 MB: fork 0.2 ms instead of 15. */
static void *map_huge(size_t size) {
#ifdef MADV_HUGEPAGE
    size_t more;
    char *p = ph_add_size(&more, size, HUGE_PAGE) ? map(more) : NULL;
    if (!p) return NULL;
    size_t before = -(uintptr_t)p % HUGE_PAGE, after = HUGE_PAGE - before;
    if (before) munmap(p, before);
    munmap(p + before + size, after);
    (void)madvise(p + before, size, MADV_HUGEPAGE);
    return p + before;
#else
    return map(size);
#endif
}

static void forget(size_t i) {
    kept_bytes -= kept[i].size;
    n_kept--;
    memmove(kept + i, kept + i + 1, (n_kept - i) * sizeof *kept);
}

static void unmap_oldest(void) {
    munmap(kept[0].p, kept[0].size);
    forget(0);
}

static void advise_kept(int advice) {
    for (size_t i = 0; i < n_kept; i++) (void)madvise(kept[i].p, kept[i].size, advice);
}

#ifdef MADV_DONTFORK
static void before_fork(void) { advise_kept(MADV_DONTFORK); }
static void after_fork_parent(void) { advise_kept(MADV_DOFORK); }
static void after_fork_child(void) { n_kept = kept_bytes = 0; }

static void watch_forks(void) {
    static bool watching;
    if (!watching) watching = pthread_atfork(before_fork, after_fork_parent, after_fork_child) == 0;
}
#else
static void watch_forks(void) {}
#endif

/* The youngest kept block of that class (its pages are the likeliest to be in a cache), or NULL. */
static void *take_kept(size_t size) {
    for (size_t i = n_kept; i-- > 0;)
        if (kept[i].size == size) {
            void *p = kept[i].p;
            forget(i);
            return p;
        }
    return NULL;
}

static void *large_alloc(size_t bytes) {
    size_t size = class_of(bytes);
    if (size == 0) return NULL;
    void *p = take_kept(size);
    if (!p && size >= 2 * HUGE_PAGE) p = map_huge(size);
    if (!p) p = map(size);
    if (!p) {
        ph_block_trim();
        p = map(size);
    }
    return p;
}

static void large_free(void *p, size_t bytes) {
    size_t size = class_of(bytes);
    if (size > CACHE_CAP) {
        munmap(p, size);
        return;
    }
    watch_forks();
    while (kept_bytes + size > CACHE_CAP) unmap_oldest();
    kept[n_kept++] = (block){p, size};
    kept_bytes += size;
}

/* ---- small blocks ------------------------------------------------------------------------------------------
 *
 * A 2 by 2 product lives for a microsecond, and an aligned malloc and free take a third of that. So blocks up
 * to SMALL bytes are cut from slabs, in multiples of 64, and freed ones wait in a list for the next of their
 * size. Slabs are never given back: they hold at most what was once alive together. */
#ifdef PH_NO_POOLS
#define SMALL ((size_t)0)
#else
#define SMALL ((size_t)1024)
#define KEEPS
#endif
#define SLAB ((size_t)64 << 10)

typedef struct small_block {
    struct small_block *next;
} small_block;

static small_block *freed[1024 / ALIGN + 1]; /* by size / ALIGN */
static char *slab, *slab_end;

static void *small_alloc(size_t size) {
    small_block *b = freed[size / ALIGN];
    if (b) {
        freed[size / ALIGN] = b->next;
        return b;
    }
    if ((size_t)(slab_end - slab) < size) {
        char *more =
            aligned_alloc(ALIGN, SLAB); /* what is left of the last slab, under SMALL, stays unused */
        if (!more) return NULL;
        slab = more;
        slab_end = more + SLAB;
    }
    void *p = slab;
    slab += size;
    return p;
}

static void small_free(void *p, size_t size) {
    small_block *b = p;
    b->next = freed[size / ALIGN];
    freed[size / ALIGN] = b;
}

/* ---- middle blocks -----------------------------------------------------------------------------------------
 *
 * The C library cuts an aligned block of some 10 KB out of a larger one and joins it with its neighbours when it is freed: a
 * quarter of a microsecond or more, as much as adding a thousand numbers. So blocks between SMALL and LARGE are rounded up to
 * the classes of large ones, and freed ones wait in a list for the next of their class, MIDDLE_CAP bytes of them at most. */
#define OCTAVE 10 /* SMALL is 2^10 */
#define MIDDLE ((size_t)1 << OCTAVE)
#ifdef KEEPS
#define MIDDLE_CAP ((size_t)8 << 20)
#else
#define MIDDLE_CAP ((size_t)0)
#endif

static small_block *middle[8 * (17 - OCTAVE) + 1]; /* by class; LARGE is 2^17 */
static size_t middle_bytes;

static small_block **middle_list(size_t class) {
    int octave = 63 - __builtin_clzll(class);
    return &middle[8 * (octave - OCTAVE) + (int)(class >> (octave - 3) & 7)];
}

static void *middle_alloc(size_t class) {
    small_block **list = middle_list(class), *b = *list;
    if (!b) return aligned_alloc(ALIGN, class);
    *list = b->next;
    middle_bytes -= class;
    return b;
}

static void trim_middle(void) {
    for (size_t i = 0; i < sizeof middle / sizeof *middle; i++)
        while (middle[i]) {
            small_block *b = middle[i];
            middle[i] = b->next;
            free(b);
        }
    middle_bytes = 0;
}

/* A full list is emptied as a whole: what waits may be of a class that nobody asks for any more. */
static void middle_free(void *p, size_t class) {
    small_block **list = middle_list(class), *b = p;
    if (middle_bytes + class > MIDDLE_CAP) {
        trim_middle();
        free(p);
        return;
    }
    b->next = *list;
    *list = b;
    middle_bytes += class;
}

static size_t rounded(size_t bytes) { return ((bytes ? bytes : 1) + (ALIGN - 1)) / ALIGN * ALIGN; }

/* ---- the door ------------------------------------------------------------------------------------------ */

static void *any_alloc(size_t bytes) {
    if (bytes >= LARGE) return large_alloc(bytes);
    size_t size = rounded(bytes);
    if (size <= SMALL) return small_alloc(size);
    return size > MIDDLE ? middle_alloc(class_of(size)) : aligned_alloc(ALIGN, size);
}

static void any_free(void *p, size_t bytes) {
    if (bytes >= LARGE) large_free(p, bytes);
    else if (rounded(bytes) <= SMALL) small_free(p, rounded(bytes));
    else if (rounded(bytes) > MIDDLE) middle_free(p, class_of(rounded(bytes)));
    else free(p);
}

void *ph_object_alloc(size_t bytes) {
    return ph_alloc_refused() ? NULL : ph_guard_lay(any_alloc(ph_guard_more(bytes)), bytes);
}

void ph_object_free(void *p, size_t bytes) {
    ph_guard_check(p, bytes);
    if (p) any_free(p, ph_guard_more(bytes));
}

void *ph_block_alloc(size_t bytes) {
    if (bytes > PTRDIFF_MAX || bytes > ph_block_room()) return NULL;
    void *p = ph_object_alloc(bytes);
    if (p) live_bytes += bytes;
    return p;
}

void ph_block_free(void *p, size_t bytes) {
    if (p) live_bytes -= bytes;
    ph_object_free(p, bytes);
}

void ph_block_set_limit(size_t bytes) { live_limit = bytes; }
size_t ph_block_live(void) { return live_bytes; }
size_t ph_block_room(void) { return live_bytes < live_limit ? live_limit - live_bytes : 0; }
size_t ph_block_cached(void) { return kept_bytes + middle_bytes; }

void ph_block_trim(void) {
    while (n_kept > 0) unmap_oldest();
    trim_middle();
}
