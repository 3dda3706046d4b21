/* crumbs.h: Lua's small blocks, of which it makes and frees millions: tables, strings, closures, boxes.
 *
 * The C library keeps seven freed blocks of a size at hand and sorts, joins and splits the others; a collection frees thousands at once. Lua says
 * at the end how large a block was, so none needs a head: a slab holds blocks of one size, and what is empty goes back. */
#ifndef PH_SES_CRUMBS_H
#define PH_SES_CRUMBS_H

#include "base/base.h"
#include "base/pools.h"

/* Blocks up to so many bytes; 0 where the C library is to see each one's end. */
#ifdef PH_NO_POOLS
#define SES_CRUMB ((size_t)0)
#else
#define SES_CRUMB ((size_t)512)
#endif

#define SES_CRUMB_STEP ((size_t)16) /* sizes are multiples of it, and blocks aligned to it */

typedef struct {
    struct ses_slab *open[SES_CRUMB / SES_CRUMB_STEP + 1]; /* by size / SES_CRUMB_STEP: slabs with room */
    struct ses_chunk *roomy;                               /* chunks with a free slab */
} ses_crumbs;

/* 1 to SES_CRUMB bytes; NULL: no memory. */
PH_MUST void *ses_crumb_alloc(ses_crumbs *c, size_t bytes);
void ses_crumb_free(ses_crumbs *c, void *p);
/* Gives back what is kept for the next ones, once all are freed. */
void ses_crumbs_end(ses_crumbs *c);

#endif
