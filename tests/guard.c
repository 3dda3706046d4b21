/* guard.c: part of every test in C: what lies behind each block is watched (base/guard.h). */
#include "base/guard.h"

#include <stdio.h>
#include <stdlib.h>

static void spoiled(size_t at, size_t bytes) {
    fprintf(stderr, "byte %zu behind a block of %zu was written\n", at, bytes);
    abort();
}

__attribute__((constructor)) static void watch_blocks(void) { ph_guard(spoiled); }
