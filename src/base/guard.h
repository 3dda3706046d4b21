/* guard.h: tests only. What lies behind a block, and what is in a small one before anything is written there, is NaN, whatever numbers it is
 * taken for; of a block that was written past its end the test is told when it is given back. So a kernel that reads too far or what it never wrote gives
 * NaN, and one that writes too far is noticed without a sanitizer. */
#ifndef PH_BASE_GUARD_H
#define PH_BASE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef void ph_spoiled(size_t at, size_t bytes); /* byte `at` behind a block of so many was written */

/* NULL: off, as at the start; changed only while nothing is allocated. tests/guard.c switches it on for every test in C. */
void ph_guard(ph_spoiled *tell);

/* Bytes to be allocated for so many. */
size_t ph_guard_more(size_t bytes);
/* What an allocator gave for ph_guard_more(bytes): it, prepared. NULL stays NULL. */
void *ph_guard_lay(void *p, size_t bytes);
/* Before it is given back. NULL is fine. */
void ph_guard_check(const void *p, size_t bytes);
/* The same of what malloc gave, which tells no size when it is given back: how much there is stands at its end. fresh: nothing was written yet. */
void *ph_guard_lay_malloced(void *p, size_t bytes, bool fresh);
void ph_guard_check_malloced(const void *p);

#endif
