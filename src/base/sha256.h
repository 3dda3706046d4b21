/* sha256.h: the fingerprint of a text (FIPS 180-4). */
#ifndef PH_SHA256_H
#define PH_SHA256_H

#include "base/base.h"

#define PH_SHA256_HEX 65

/* 64 lower-case hexadecimal digits and a NUL into out. */
void ph_sha256_hex(char out[PH_SHA256_HEX], const void *data, size_t n);

#endif
