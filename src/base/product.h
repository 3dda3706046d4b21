/* product.h: the product of two words in full, 128 bits. Compilers have such a type for machines of 64 bits only; elsewhere halves are
 * multiplied.
 */
#ifndef PH_PRODUCT_H
#define PH_PRODUCT_H

#include <stdint.h>

typedef struct {
    uint64_t hi, lo;
} ph_product;
typedef struct {
    int64_t hi; /* the product is hi 2^64 + lo */
    uint64_t lo;
} ph_product_signed;

/*        a.hi a.lo        none of the three sums of halves reaches 2^64: (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1
 *      x b.hi b.lo */
static inline ph_product ph_product_by_halves(uint64_t a, uint64_t b) {
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, middle = ah * bl + (low >> 32), other = al * bh + (uint32_t)middle;
    return (ph_product){ah * bh + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
}

static inline ph_product ph_product_of(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 p = (unsigned __int128)a * b;
    return (ph_product){(uint64_t)(p >> 64), (uint64_t)p};
#else
    return ph_product_by_halves(a, b);
#endif
}

/* A negative a is a + 2^64 as a word, which adds b 2^64 to the product. */
static inline ph_product_signed ph_product_of_signed(int64_t a, int64_t b) {
    ph_product p = ph_product_of((uint64_t)a, (uint64_t)b);
    return (ph_product_signed){(int64_t)(p.hi - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0)), p.lo};
}

#endif
