/* contain.c: no_new_privs, Landlock, an allowlist of system calls, limits, no descriptors, no environment. Each forbids alone what
 * the others forbid too, so that a hole in one is none in all. (Landlock: kernel 5.13 and later; each later version knows more.)
 */
#include "worker/contain.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef PH_SECCOMP
#include <seccomp.h>
#endif

/* ---- Landlock ------------------------------------------------------------------------------------------ */

/* The kernel's own structure, of which an older kernel takes the beginning. Here, since the headers of a system may be older than its
 * kernel. */
typedef struct {
    uint64_t files, net, scoped;
} landlock_rules;

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444 /* the same on every architecture */
#define SYS_landlock_restrict_self  446
#endif

static int landlock_version(void) {
    enum { ASK_VERSION = 1 };
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    return v < 0 ? 0 : (int)v;
}

/* Everything that this version can forbid, with no exception. */
static bool lock_files(void) {
    int version = landlock_version();
    static const int file_rights[] = {0, 13, 14, 15, 15, 16}; /* how many, by version */
    if (version < 1) return false;
    landlock_rules r = {.files = (UINT64_C(1) << file_rights[version < 5 ? version : 5]) - 1};
    if (version >= 4) r.net = 3;    /* bind and connect */
    if (version >= 6) r.scoped = 3; /* abstract sockets and signals to others */
    size_t size = version >= 6 ? sizeof r : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    long fd = syscall(SYS_landlock_create_ruleset, &r, size, 0);
    if (fd < 0) return false;
    bool locked = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close((int)fd);
    return locked;
}

/* ---- system calls -------------------------------------------------------------------------------------- */

#ifdef PH_SECCOMP

/* What computing and ending take: memory, clocks, random bytes, signals to itself. */
static const int plain_calls[] = {
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(futex),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(getrandom),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getrusage),
    SCMP_SYS(times),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(close),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
};

static bool allow_calls(scmp_filter_ctx f, const int *keep, int n) {
    int bad = 0;
    for (size_t i = 0; i < sizeof plain_calls / sizeof *plain_calls; i++)
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, plain_calls[i], 0);
    for (int i = 0; i < n; i++) {
        struct scmp_arg_cmp it = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)keep[i]);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(read), 1, it);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, it);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, it);
    }
    bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    bad |=
        seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                            SCMP_A2(SCMP_CMP_EQ, 0)); /* asking, not setting */
    return bad == 0;
}

/* Anything else is refused as if it were not permitted, so that the code that asked hears of an error. */
static bool lock_calls(const int *keep, int n) {
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!f) return false;
    bool locked =
        allow_calls(f, keep, n) && seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && seccomp_load(f) == 0;
    seccomp_release(f);
    return locked;
}

static bool knows_seccomp(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

#else

static bool lock_calls(const int *keep, int n) { return (void)keep, (void)n, false; }
static bool knows_seccomp(void) { return false; }

#endif

/* ---- the rest ------------------------------------------------------------------------------------------ */

static void no_more_than(int what, rlim_t most) {
    struct rlimit r = {most, most};
    (void)!setrlimit(what, &r); /* where it fails, the kernel's rules above forbid the same */
}

static bool close_between(int first, int last) {
    if (first > last) return true;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0u) == 0) return true;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd <= last && fd < most; fd++) close(fd);
    return true;
}

static bool is_kept(const int *keep, int n, int fd) {
    for (int i = 0; i < n; i++)
        if (keep[i] == fd) return true;
    return false;
}

bool wrk_close_others(const int *keep, int n) {
    int nowhere = open("/dev/null", O_RDWR), first = 3;
    if (nowhere < 0) return false;
    for (int fd = 0; fd < 3; fd++)
        if (!is_kept(keep, n, fd) && dup2(nowhere, fd) != fd) return false;
    for (;;) { /* up to the next that is kept */
        int next = INT_MAX;
        for (int i = 0; i < n; i++)
            if (keep[i] >= first && keep[i] < next) next = keep[i];
        close_between(first, next == INT_MAX ? next : next - 1);
        if (next == INT_MAX) return true;
        first = next + 1;
    }
}

ph_status wrk_contain(const int *keep, int n, ph_err *err) {
    tzset(); /* reads its file, now or never */
    if (!wrk_close_others(keep, n)) return ph_fail(err, PH_EIO, "contain: %s", strerror(errno));
    clearenv();
    no_more_than(RLIMIT_CORE, 0);
    no_more_than(RLIMIT_FSIZE, 0);
    no_more_than(RLIMIT_NPROC, 0);
    no_more_than(RLIMIT_MSGQUEUE, 0);
    bool privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, files = privileges && lock_files(),
         calls = privileges && lock_calls(keep, n);
    if (files && calls) return PH_OK;
    return ph_fail(err, PH_EUNABLE, "this system contains no process wholly: %s missing",
                   files   ? "seccomp is"
                   : calls ? "Landlock is"
                           : "Landlock and seccomp are");
}

const char *wrk_containment_lacks(void) {
    bool files = landlock_version() >= 1, calls = knows_seccomp();
    return files && calls ? NULL : files ? "seccomp" : calls ? "Landlock" : "Landlock and seccomp";
}

#else

bool wrk_close_others(const int *keep, int n) { return (void)keep, (void)n, true; }

ph_status wrk_contain(const int *keep, int n, ph_err *err) {
    (void)keep, (void)n;
    return ph_fail(err, PH_EUNABLE, "this system contains no process: it has no Landlock and no seccomp");
}
const char *wrk_containment_lacks(void) { return "Landlock and seccomp"; }

#endif
