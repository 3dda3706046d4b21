/* sha256.c: FIPS 180-4, section 6.2. The text is padded by a 1 bit, zeros and its length in bits (64, big-endian) to
 * blocks of 64 bytes; each block is expanded to 64 words W and mixed into eight words H in 64 rounds.
 */
#include "base/sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void mix(uint32_t H[8], const uint8_t *block) {
    uint32_t W[64];
    for (int t = 0; t < 16; t++)
        W[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = turn(W[t - 15], 7) ^ turn(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = turn(W[t - 2], 17) ^ turn(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
    uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];
    for (int t = 0; t < 64; t++) {
        uint32_t S1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25), S0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        uint32_t T1 = h + S1 + choice + K[t] + W[t], T2 = S0 + majority;
        h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
    }
    const uint32_t v[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) H[i] += v[i];
}

void ph_sha256_begin(ph_sha256 *s) {
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    *s = (ph_sha256){.H = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                           0x5be0cd19}};
}

void ph_sha256_add(ph_sha256 *s, const void *data, size_t n) {
    const uint8_t *p = data;
    size_t have = s->n % 64;
    if (n == 0) return;
    s->n += n;
    if (have) {
        size_t take = n < 64 - have ? n : 64 - have;
        memcpy(s->block + have, p, take);
        p += take, n -= take;
        if (have + take < 64) return;
        mix(s->H, s->block);
    }
    for (; n >= 64; p += 64, n -= 64) mix(s->H, p);
    memcpy(s->block, p, n);
}

void ph_sha256_end(ph_sha256 *s, uint8_t out[PH_SHA256_BYTES]) {
    uint8_t last[72] = {0x80};
    uint64_t bits = s->n * 8;
    size_t have = s->n % 64, pad = (have < 56 ? 56 : 120) - have;
    for (int i = 0; i < 8; i++) last[pad + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
    ph_sha256_add(s, last, pad + 8);
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(s->H[i / 4] >> (24 - 8 * (i % 4)));
}

void ph_sha256_digits(char out[PH_SHA256_HEX], const uint8_t sum[PH_SHA256_BYTES]) {
    for (int i = 0; i < 64; i++) out[i] = "0123456789abcdef"[sum[i / 2] >> (i % 2 ? 0 : 4) & 15];
    out[64] = '\0';
}

void ph_sha256_hex(char out[PH_SHA256_HEX], const void *data, size_t n) {
    ph_sha256 s;
    uint8_t sum[PH_SHA256_BYTES];
    ph_sha256_begin(&s);
    ph_sha256_add(&s, data, n);
    ph_sha256_end(&s, sum);
    ph_sha256_digits(out, sum);
}
