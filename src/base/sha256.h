/* sha256.h: the fingerprint of a text (FIPS 180-4), at once or piece by piece. */
#ifndef PH_SHA256_H
#define PH_SHA256_H

#include "base/base.h"

#define PH_SHA256_HEX   65
#define PH_SHA256_BYTES 32

typedef struct {
    uint32_t H[8];
    uint64_t n; /* bytes so far; the last n % 64 of them wait in `block` */
    uint8_t block[64];
} ph_sha256;

void ph_sha256_begin(ph_sha256 *s);
void ph_sha256_add(ph_sha256 *s, const void *data, size_t n);
void ph_sha256_end(ph_sha256 *s, uint8_t out[PH_SHA256_BYTES]);

/* 64 lower-case hexadecimal digits and a NUL into out. */
void ph_sha256_hex(char out[PH_SHA256_HEX], const void *data, size_t n);
void ph_sha256_digits(char out[PH_SHA256_HEX], const uint8_t sum[PH_SHA256_BYTES]);

#endif
