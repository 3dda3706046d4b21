/* parallel.h: the only threads of the laboratory, and CPU dispatch.
 *
 * Work is cut by the caller into `n` pieces whose boundaries depend on the problem alone, never on the number of
 * threads, so results are the same bits on 1 core and on 64. The pool starts at the first use that pays, is alive
 * again after a fork (a child starts its own), and threads never touch Lua, the allocation door or an error.
 */
#ifndef PH_PARALLEL_H
#define PH_PARALLEL_H

#include "base/base.h"

typedef void ph_task(void *ctx, int64_t piece);

/* Runs task(ctx, 0..n-1), each once, on up to ph_threads() threads (the caller is one of them). Polls the interrupt
 * flag between pieces: returns PH_EINTR when it was seen (some pieces then were not run). A nested call runs inline.
 * Which thread runs a piece, and when, is open: pieces must not depend on each other. The pool's threads block every
 * signal. Call it from one thread at a time (the main one). */
PH_MUST ph_status ph_parallel(ph_task *task, void *ctx, int64_t n, ph_err *err);

int ph_threads(
    void); /* PHASOR_THREADS (a number >= 1), else the cores allowed to this process; at most 256 */
void ph_set_threads(int n); /* n >= 1; 0: back to the default */

/* CPU level for kernels compiled in several forms. PHASOR_CPU=baseline|avx2|avx512 lowers it (tests run each). */
typedef enum { PH_CPU_BASELINE, PH_CPU_AVX2, PH_CPU_AVX512 } ph_cpu_level;
ph_cpu_level ph_cpu(void);
ph_cpu_level
ph_set_cpu(ph_cpu_level highest); /* never above what the machine has; returns the level now in force */

/* As memcpy, but past the caches, where the processor can: for what has passed through a small buffer on its way to a result of PH_PAST bytes or
 * more. An ordinary store would first read what it overwrites, and drive out what the caches hold. Measured on a Zen 4:
 * sinusoids of f32 take 0.6 of the time with ordinary stores, of f64 0.73; functions that wait for arithmetic, as exp, take 1.15, and do
 * without. Who has written so calls ph_written_past before another thread may read. */
#define PH_PAST ((size_t)4 << 20)
void ph_write_past(void *to, const void *from, size_t bytes);
void ph_written_past(void);

/* A loop of IEEE operations gives the same bits at any vector width, so the compiler may make it once for each CPU; the loader
 * picks (no PHASOR_CPU here: there is nothing to compare). Sanitizers run before the loader's choice is possible. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) &&                  \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PH_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PH_CLONES
#endif

#endif
