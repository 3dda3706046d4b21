/* crumbs.c: slabs of blocks of one size, cut from chunks; a block finds its slab by its address.
 *
 * Invariants: a slab in an open list has room; one with live blocks and none free is in no list. An empty slab belongs to its chunk again, but for
 * the last open one of its size, which the next block is likely to want. A chunk is in `roomy` while it has a free slab, and goes
 * back when all are free and another one is in `roomy`.
 */
#include "session/crumbs.h"

#define SLAB  ((size_t)32 << 10)
#define CHUNK ((size_t)1 << 20)
#define HEAD  ((size_t)64) /* at least a slab's own fields */

typedef struct ses_slab {
    struct ses_slab *next, *prev; /* of its open list, or of its chunk's free ones (next alone) */
    struct ses_chunk *home;
    void *freed;          /* blocks, each with the address of the next in it */
    unsigned live, fresh; /* blocks in use; bytes that have been cut, the head's too */
    unsigned size, most;  /* of a block; blocks */
} slab;

typedef struct ses_chunk {
    struct ses_chunk *next, *prev;
    slab *free;
    unsigned nfree, n;
    void *block;
} chunk;

_Static_assert(sizeof(slab) <= HEAD, "a slab's fields fit before its blocks");

static slab *slab_of(void *p) { return (slab *)((uintptr_t)p & ~(uintptr_t)(SLAB - 1)); }

/* ---- chunks -------------------------------------------------------------------------------------------- */

static void link_chunk(ses_crumbs *c, chunk *k) {
    k->prev = NULL;
    k->next = c->roomy;
    if (k->next) k->next->prev = k;
    c->roomy = k;
}

static void unlink_chunk(ses_crumbs *c, chunk *k) {
    if (k->next) k->next->prev = k->prev;
    if (k->prev) k->prev->next = k->next;
    else c->roomy = k->next;
}

static chunk *new_chunk(ses_crumbs *c) {
    chunk *k = ph_alloc(sizeof *k);
    char *block = k ? ph_object_alloc(CHUNK) : NULL;
    if (!block) {
        ph_free(k);
        return NULL;
    }
    *k = (chunk){.block = block};
    const size_t skipped = -(uintptr_t)block & (SLAB - 1);
    k->n = (unsigned)((CHUNK - skipped) / SLAB);
    for (unsigned i = k->n; i-- > 0;) { /* the first is taken first */
        slab *s = (slab *)(block + skipped + i * SLAB);
        s->home = k;
        s->next = k->free;
        k->free = s;
    }
    k->nfree = k->n;
    link_chunk(c, k);
    return k;
}

static void drop_chunk(ses_crumbs *c, chunk *k) {
    unlink_chunk(c, k);
    ph_object_free(k->block, CHUNK);
    ph_free(k);
}

/* ---- slabs --------------------------------------------------------------------------------------------- */

static void link_slab(ses_crumbs *c, slab *s) {
    slab **list = &c->open[s->size / SES_CRUMB_STEP];
    s->prev = NULL;
    s->next = *list;
    if (s->next) s->next->prev = s;
    *list = s;
}

static void unlink_slab(ses_crumbs *c, slab *s) {
    if (s->next) s->next->prev = s->prev;
    if (s->prev) s->prev->next = s->next;
    else c->open[s->size / SES_CRUMB_STEP] = s->next;
}

static slab *open_slab(ses_crumbs *c, size_t size) {
    chunk *k = c->roomy ? c->roomy : new_chunk(c);
    if (!k) return NULL;
    slab *s = k->free;
    k->free = s->next;
    if (--k->nfree == 0) unlink_chunk(c, k);
    *s = (slab){.home = k, .fresh = HEAD, .size = (unsigned)size, .most = (unsigned)((SLAB - HEAD) / size)};
    link_slab(c, s);
    return s;
}

static void close_slab(ses_crumbs *c, slab *s) {
    chunk *k = s->home;
    unlink_slab(c, s);
    s->next = k->free;
    k->free = s;
    if (k->nfree++ == 0) link_chunk(c, k);
    if (k->nfree == k->n && (k->next || k->prev)) drop_chunk(c, k);
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static size_t rounded(size_t bytes) { return (bytes + SES_CRUMB_STEP - 1) / SES_CRUMB_STEP * SES_CRUMB_STEP; }

void *ses_crumb_alloc(ses_crumbs *c, size_t bytes) {
    size_t size = rounded(bytes);
    slab *s = c->open[size / SES_CRUMB_STEP];
    if (!s && !(s = open_slab(c, size))) return NULL;
    void *p = s->freed;
    if (p) s->freed = *(void **)p;
    else {
        p = (char *)s + s->fresh;
        s->fresh += s->size;
    }
    if (++s->live == s->most) unlink_slab(c, s);
    return p;
}

void ses_crumb_free(ses_crumbs *c, void *p) {
    slab *s = slab_of(p);
    *(void **)p = s->freed;
    s->freed = p;
    if (s->live-- == s->most) link_slab(c, s);
    if (s->live == 0 && (s->next || s->prev)) close_slab(c, s);
}

void ses_crumbs_end(ses_crumbs *c) {
    for (size_t i = 0; i < sizeof c->open / sizeof *c->open; i++)
        while (c->open[i] && c->open[i]->live == 0) close_slab(c, c->open[i]);
    for (chunk *k = c->roomy, *next; k; k = next) {
        next = k->next;
        if (k->nfree == k->n) drop_chunk(c, k);
    }
}
