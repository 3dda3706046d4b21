/* coverage.c: in a build that counts, the counters of gcov live in memory that a process shares with all copies it makes of itself. So what ran in a
 * copy counts, too, though it ends by _exit, is killed, or may open no file. They lie together, in pages of their own (coverage.ld); and fork is the
 * system's own, as gcov's would set the counters of the copy to 0.
 */
#include <sys/mman.h>
#include <unistd.h>

extern __attribute__((visibility("hidden"))) char counters_begin[], counters_end[];

__attribute__((constructor(101))) static void share(void) {
    (void)!mmap(counters_begin, (unsigned long)(counters_end - counters_begin), PROT_READ | PROT_WRITE,
                MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS, -1, 0); /* where it fails, only the process itself counts */
}

pid_t __gcov_fork(void);
pid_t __gcov_fork(void) { return fork(); } /* what gcc calls in place of fork */
