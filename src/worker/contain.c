/* contain.c: no_new_privs, Landlock, an allowlist of system calls, limits, no descriptors, no environment. Each forbids alone what
 * the others forbid too, so that a hole in one is none in all. (Landlock: kernel 5.13 and later; each later version knows more.)
 */
#include "worker/contain.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif
enum { BENEATH = 1, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_FOLDER = 1 << 3 };

static int landlock_version(void) {
    enum { ASK_VERSION = 1 };
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    return v < 0 ? 0 : (int)v;
}

/* What is beneath `path` may be read (rights: a set of the kernel's). */
static bool let_through(int ruleset, const char *path, uint64_t rights) {
    struct {
        uint64_t rights;
        int32_t fd;
    } __attribute__((packed)) beneath = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (beneath.fd < 0) return false;
    bool done = syscall(SYS_landlock_add_rule, ruleset, BENEATH, &beneath, 0) == 0;
    close(beneath.fd);
    return done;
}

/* Everything that this version can forbid, with no exception but reading in the folder `readable` (NULL: nowhere). */
static bool lock_files(const char *readable) {
    int version = landlock_version();
    static const int file_rights[] = {0, 13, 14, 15, 15, 16}; /* how many, by version */
    if (version < 1) return false;
    landlock_rules r = {.files = (UINT64_C(1) << file_rights[version < 5 ? version : 5]) - 1};
    if (version >= 4) r.net = 3;    /* bind and connect */
    if (version >= 6) r.scoped = 3; /* abstract sockets and signals to others */
    size_t size = version >= 6 ? sizeof r : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    long fd = syscall(SYS_landlock_create_ruleset, &r, size, 0);
    if (fd < 0) return false;
    bool locked = (!readable || (let_through((int)fd, readable, READ_FILE | READ_FOLDER) &&
                                 let_through((int)fd, "/dev/null", READ_FILE | WRITE_FILE))) &&
                  syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close((int)fd);
    return locked;
}

/* ---- system calls -------------------------------------------------------------------------------------- */

#ifdef PH_SECCOMP

/* What computing and ending take: memory, clocks, random bytes, signals to itself. Machines of 32 bits have some under names of their own;
 * a call that this machine does not have is left out. */
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
    SCMP_SYS(sigreturn),
    SCMP_SYS(futex_time64),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(clock_getres_time64),
    SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(ppoll_time64),
};

/* Where there is an mmap2, mmap has its arguments in memory, where no rule sees them. */
#ifdef SYS_mmap2
#define MAP_CALL SCMP_SYS(mmap2)
#else
#define MAP_CALL SCMP_SYS(mmap)
#endif

static bool allow_calls(scmp_filter_ctx f, const int *keep, int n) {
    int bad = 0;
    for (size_t i = 0; i < sizeof plain_calls / sizeof *plain_calls; i++)
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, plain_calls[i], 0);
    for (int i = 0; i < n; i++) {
        struct scmp_arg_cmp it = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)keep[i]);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(read), 1, it);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, it);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(sendto), 1, it);
        bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(send), 1, it);
    }
    bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, MAP_CALL, 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    bad |=
        seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    bad |= seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                            SCMP_A2(SCMP_CMP_EQ, 0)); /* asking, not setting */
    return bad == 0;
}

/* What reading files, talking and starting copies of oneself take besides; no program, no socket to elsewhere. Which files is
 * Landlock's business. */
static const int wider_calls[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(lseek),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(statx),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64),
    SCMP_SYS(fcntl),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(getcwd),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    SCMP_SYS(umask),
    SCMP_SYS(uname),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(wait4),
    SCMP_SYS(waitid),
    SCMP_SYS(kill),
    SCMP_SYS(setpgid),
    SCMP_SYS(getppid),
    SCMP_SYS(getpgid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(recvmsg),
    SCMP_SYS(recvfrom),
    SCMP_SYS(shutdown),
    SCMP_SYS(setsockopt),
    SCMP_SYS(prctl),
    SCMP_SYS(seccomp),
    SCMP_SYS(landlock_create_ruleset),
    SCMP_SYS(landlock_add_rule),
    SCMP_SYS(landlock_restrict_self),
    SCMP_SYS(getrlimit),
    SCMP_SYS(setrlimit),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(close_range),
    SCMP_SYS(sysinfo),
    SCMP_SYS(tgkill),
    SCMP_SYS(exit_group),
    SCMP_SYS(_llseek),
    SCMP_SYS(fstat64),
    SCMP_SYS(fstatat64),
    SCMP_SYS(stat64),
    SCMP_SYS(lstat64),
    SCMP_SYS(fcntl64),
    SCMP_SYS(ftruncate64),
    SCMP_SYS(_newselect),
    SCMP_SYS(pselect6_time64),
    SCMP_SYS(waitpid),
    SCMP_SYS(send),
    SCMP_SYS(recv),
    SCMP_SYS(ugetrlimit),
    SCMP_SYS(getuid32),
    SCMP_SYS(geteuid32),
    SCMP_SYS(getgid32),
    SCMP_SYS(getegid32),
};

static void allow_more(scmp_filter_ctx f) {
    const scmp_datum_t spaces =
        CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    for (size_t i = 0; i < sizeof wider_calls / sizeof *wider_calls; i++)
        (void)!seccomp_rule_add(f, SCMP_ACT_ALLOW, wider_calls[i], 0);
    (void)!seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, spaces, 0));
    (void)!seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3),
                            0); /* its flags are out of sight: libc takes clone */
    (void)!seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(socketpair), 1, SCMP_A0(SCMP_CMP_EQ, AF_UNIX));
    (void)!seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, TCGETS));
    (void)!seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1, SCMP_A1(SCMP_CMP_EQ, TIOCGWINSZ));
    (void)!seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0));
}

/* Anything else is refused as if it were not permitted, so that the code that asked hears of an error. n < 0: the wider set. */
static bool lock_calls(const int *keep, int n) {
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!f) return false;
    bool locked = allow_calls(f, keep, n);
    if (n < 0) allow_more(f);
    locked = locked && seccomp_attr_set(f, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && seccomp_load(f) == 0;
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

static ph_status lock(const char *readable, const int *keep, int n, ph_err *err) {
    bool privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, files = privileges && lock_files(readable),
         calls = privileges && lock_calls(keep, n);
    if (files && calls) return PH_OK;
    return ph_fail(err, PH_EUNABLE, "this system contains no process wholly: %s missing",
                   files   ? "seccomp is"
                   : calls ? "Landlock is"
                           : "Landlock and seccomp are");
}

ph_status wrk_contain(const int *keep, int n, ph_err *err) {
    tzset(); /* reads its file, now or never */
    if (!wrk_close_others(keep, n)) return ph_fail(err, PH_EIO, "contain: %s", strerror(errno));
    clearenv();
    no_more_than(RLIMIT_CORE, 0);
    no_more_than(RLIMIT_FSIZE, 0);
    no_more_than(RLIMIT_NPROC, 0);
    no_more_than(RLIMIT_MSGQUEUE, 0);
    return lock(NULL, keep, n, err);
}

ph_status wrk_confine(const char *folder, ph_err *err) {
    tzset();
    clearenv();
    no_more_than(RLIMIT_CORE, 0);
    return lock(folder, NULL, -1, err);
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
ph_status wrk_confine(const char *folder, ph_err *err) { return (void)folder, wrk_contain(NULL, 0, err); }
const char *wrk_containment_lacks(void) { return "Landlock and seccomp"; }

#endif
