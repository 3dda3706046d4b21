/* past.c: copies that go past the caches. */
#include "base/parallel.h"

#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>

#define COPY(NAME, TARGET, WIDE, LOAD, STREAM)                                                               \
    TARGET static void NAME(char *to, const char *from, size_t bytes) {                                      \
        for (size_t k = 0; k < bytes; k += sizeof(WIDE))                                                     \
            STREAM((WIDE *)(to + k), LOAD((const void *)(from + k)));                                        \
    }
COPY(copy_baseline, , __m128i, _mm_loadu_si128, _mm_stream_si128)
COPY(copy_avx2, __attribute__((target("avx2"))), __m256i, _mm256_loadu_si256, _mm256_stream_si256)
COPY(copy_avx512, __attribute__((target("avx512f"))), __m512i, _mm512_loadu_si512, _mm512_stream_si512)

#define LINE 64 /* of the cache: what is written in part would be read first */

void ph_write_past(void *to, const void *from, size_t bytes) {
    size_t head = -(uintptr_t)to % LINE, lines;
    if (head > bytes) head = bytes;
    lines = (bytes - head) / LINE * LINE;
    char *o = (char *)to + head;
    const char *x = (const char *)from + head;
    if (head) memcpy(to, from, head);
    switch (ph_cpu()) {
    case PH_CPU_AVX512: copy_avx512(o, x, lines); break;
    case PH_CPU_AVX2: copy_avx2(o, x, lines); break;
    default: copy_baseline(o, x, lines);
    }
    if (head + lines < bytes) memcpy(o + lines, x + lines, bytes - head - lines);
}
void ph_written_past(void) { _mm_sfence(); }
#else
void ph_write_past(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
void ph_written_past(void) {}
#endif
