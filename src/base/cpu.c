/* cpu.c: which of the compiled forms of a kernel this machine may run. */
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

static ph_cpu_level hardware(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return PH_CPU_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return PH_CPU_AVX2;
#endif
    return PH_CPU_BASELINE;
}

static ph_cpu_level wanted(void) {
    const char *s = getenv("PHASOR_CPU");
    if (s && strcmp(s, "baseline") == 0) return PH_CPU_BASELINE;
    if (s && strcmp(s, "avx2") == 0) return PH_CPU_AVX2;
    return PH_CPU_AVX512;
}

static bool known;
static ph_cpu_level level;

ph_cpu_level ph_set_cpu(ph_cpu_level highest) {
    ph_cpu_level has = hardware();
    level = highest < has ? highest : has;
    known = true;
    return level;
}

ph_cpu_level ph_cpu(void) { return known ? level : ph_set_cpu(wanted()); }
