/* Products of two words: both ways of making them, against those of FLINT's integers.
 * Sources: base/dd.c base/rng.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <flint/fmpz.h>

#include "base/product.h"

static uint64_t seed = 20260101;
static uint64_t bits64(void) { /* splitmix64 */
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Words at which carries begin and end, then words of every length. */
static uint64_t word(int i) {
    static const uint64_t edge[] = {0,
                                    1,
                                    2,
                                    UINT32_MAX,
                                    UINT64_C(1) << 32,
                                    (UINT64_C(1) << 32) + 1,
                                    INT64_MAX,
                                    UINT64_C(1) << 63,
                                    (UINT64_C(1) << 63) + 1,
                                    UINT64_MAX << 32,
                                    UINT64_MAX - 1,
                                    UINT64_MAX};
    if (i < 12) return edge[i];
    uint64_t w = bits64() >> (bits64() & 63);
    return i & 1 ? w : 0 - w;
}

/* a b in 32 hexadecimal digits; of words with a sign, modulo 2^128. */
static const char *digits(const char *a, const char *b) {
    static char text[80];
    fmpz_t x, y;
    fmpz_init(x);
    fmpz_init(y);
    fmpz_set_str(x, a, 10);
    fmpz_set_str(y, b, 10);
    fmpz_mul(x, x, y);
    fmpz_fdiv_r_2exp(x, x, 128);
    memset(text, '0', 32);
    fmpz_get_str(text + 32, 16, x);
    fmpz_clear(x);
    fmpz_clear(y);
    return text + strlen(text) - 32;
}

static void wanted(const char *what, uint64_t hi, uint64_t lo, const char *a, const char *b) {
    char got[40];
    snprintf(got, sizeof got, "%016llx%016llx", (unsigned long long)hi, (unsigned long long)lo);
    if (strcmp(got, digits(a, b)) != 0)
        fail_msg("%s: %s times %s is %s, not %s", what, a, b, digits(a, b), got);
}

static void products_are_those_of_integers(void **state) {
    (void)state;
    for (int i = 0; i < 300; i++)
        for (int k = 0; k < 300; k++) {
            uint64_t a = word(i), b = word(k);
            char x[32], y[32];
            snprintf(x, sizeof x, "%llu", (unsigned long long)a);
            snprintf(y, sizeof y, "%llu", (unsigned long long)b);
            ph_product p = ph_product_of(a, b), q = ph_product_by_halves(a, b);
            wanted("ph_product_of", p.hi, p.lo, x, y);
            wanted("ph_product_by_halves", q.hi, q.lo, x, y);
            snprintf(x, sizeof x, "%lld", (long long)a);
            snprintf(y, sizeof y, "%lld", (long long)b);
            ph_product_signed s = ph_product_of_signed((int64_t)a, (int64_t)b);
            wanted("ph_product_of_signed", (uint64_t)s.hi, s.lo, x, y);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
