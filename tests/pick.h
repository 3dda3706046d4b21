/* pick.h: chance for tests, the same in each run (splitmix64). PICK_SEED, defined before: where it begins. */
#ifndef PH_TEST_PICK_H
#define PH_TEST_PICK_H

#include <stdint.h>

/* From 0 to n - 1. */
static inline int pick(int n) {
    static uint64_t state = PICK_SEED;
    uint64_t x = state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (int)((x ^ (x >> 31)) >> 33) % n;
}

#endif
