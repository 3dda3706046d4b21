/* list.h: lists that grow by one item at a time, without a capacity to keep. */
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

#endif
