/* list.h: lists that grow: by one item at a time, without a capacity to keep, or to a size that is asked for. */
#ifndef PH_LIST_H
#define PH_LIST_H

#include "base/base.h"

/* The list of n items, which has room for one more: as it is, but moved wherever n is 0, 8, 16, 32, …, for it has room for 8 items at
 * first and for twice as many whenever they are full. All that grows it goes through here. NULL: no memory; the list is as it was. */
PH_MUST static inline void *ph_list_more(void *list, size_t n, size_t size) {
    size_t bytes;
    if (n % 8 != 0 || (n & (n - 1)) != 0) return list;
    return ph_mul_size(&bytes, n ? 2 * n : 8, size) ? ph_realloc(list, bytes) : NULL;
}

/* Room for `want` items in the list at *at, which has room for *cap. false: no memory; both are as they were. */
PH_MUST static inline bool ph_list_reserve(void **at, size_t *cap, size_t want, size_t size) {
    size_t next = *cap * 2 > want ? *cap * 2 : want + 16, bytes;
    if (want <= *cap) return true;
    void *grown = ph_mul_size(&bytes, next, size) ? ph_realloc(*at, bytes) : NULL;
    if (!grown) return false;
    *at = grown;
    *cap = next;
    return true;
}

#endif
