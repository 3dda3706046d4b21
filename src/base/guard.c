/* guard.c: see guard.h. */
#include "base/guard.h"

#include <stdint.h>
#include <string.h>

/* Half of the block again: some rows of a small matrix, or some cells of a large one. */
#define LEAST ((size_t)64)
#define MOST  ((size_t)1024)
#define FILLED                                                                                               \
    ((size_t)128 << 10) /* larger ones are new pages, which cost nothing until somebody touches them */
#define NO_NUMBER 0xff  /* all bits set: NaN as a float and as a double */

static ph_spoiled *spoiled; /* NULL: off */

void ph_guard(ph_spoiled *tell) { spoiled = tell; }

static size_t behind_of(size_t bytes) {
    return bytes < 2 * LEAST ? LEAST : bytes > 2 * MOST ? MOST : bytes / 2;
}

size_t ph_guard_more(size_t bytes) {
    if (!spoiled) return bytes;
    return bytes <= SIZE_MAX - MOST ? bytes + behind_of(bytes) : SIZE_MAX;
}

static void check(const void *p, size_t bytes, size_t behind) {
    const unsigned char *end = (const unsigned char *)p + bytes;
    if (behind == 0 || (end[0] == NO_NUMBER && memcmp(end, end + 1, behind - 1) == 0)) return;
    for (size_t i = 0; i < behind; i++)
        if (end[i] != NO_NUMBER) spoiled(i, bytes);
}

static void *lay(void *p, size_t bytes, size_t behind, bool fresh) {
    if (fresh && bytes < FILLED) memset(p, NO_NUMBER, bytes);
    memset((char *)p + bytes, NO_NUMBER, behind);
    return p;
}

void *ph_guard_lay(void *p, size_t bytes) { return spoiled && p ? lay(p, bytes, behind_of(bytes), true) : p; }

void ph_guard_check(const void *p, size_t bytes) {
    if (spoiled && p) check(p, bytes, behind_of(bytes));
}

#ifdef __GLIBC__
#include <malloc.h>

void *ph_guard_lay_malloced(void *p, size_t bytes, bool fresh) {
    if (!spoiled || !p) return p;
    size_t behind = malloc_usable_size(p) - bytes - sizeof behind;
    memcpy((char *)lay(p, bytes, behind, fresh) + bytes + behind, &behind, sizeof behind);
    return p;
}

void ph_guard_check_malloced(const void *p) {
    if (!spoiled || !p) return;
    size_t behind, all = malloc_usable_size((void *)(uintptr_t)p) - sizeof behind;
    memcpy(&behind, (const char *)p + all, sizeof behind);
    if (behind > all) spoiled(0, all);
    check(p, all - behind, behind);
}
#else
void *ph_guard_lay_malloced(void *p, size_t bytes, bool fresh) {
    (void)bytes, (void)fresh;
    return p;
}
void ph_guard_check_malloced(const void *p) { (void)p; }
#endif
