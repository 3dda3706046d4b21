/* sockets.c: preloaded by test_faults_sockets.sh, disturbs what passes between processes. FAULT_KIND: EINTR (of each function the first call on a socket or a
 * pipe, and every third one), SHORT (no call moves more than three bytes), BOTH.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char asked[16];

/* Before the program begins: it clears the environment of what it contains. */
__attribute__((constructor)) static void learn(void) {
    const char *k = getenv("FAULT_KIND");
    snprintf(asked, sizeof asked, "%s", k ? k : "");
}

static bool is_kind(const char *kind) { return strcmp(asked, kind) == 0 || strcmp(asked, "BOTH") == 0; }

static bool between_processes(int fd) {
    struct stat s;
    return syscall(SYS_fstat, fd, &s) == 0 && (S_ISSOCK(s.st_mode) || S_ISFIFO(s.st_mode));
}

static bool is_third(unsigned long *turn) { return is_kind("EINTR") && (*turn)++ % 3 == 0; }
static size_t cut(int fd, size_t n) { return n > 3 && is_kind("SHORT") && between_processes(fd) ? 3 : n; }

#define INTERRUPT(so)                                                                                        \
    do {                                                                                                     \
        static unsigned long turn_;                                                                          \
        if ((so) && is_third(&turn_)) return errno = EINTR, -1;                                              \
    } while (0)

ssize_t read(int fd, void *b, size_t n) {
    INTERRUPT(between_processes(fd));
    return syscall(SYS_read, fd, b, cut(fd, n));
}
ssize_t write(int fd, const void *b, size_t n) {
    INTERRUPT(between_processes(fd));
    return syscall(SYS_write, fd, b, cut(fd, n));
}
ssize_t send(int fd, const void *b, size_t n, int flags) {
    INTERRUPT(between_processes(fd));
    return syscall(SYS_sendto, fd, b, cut(fd, n), flags, NULL, 0);
}
ssize_t sendmsg(int fd, const struct msghdr *m, int flags) {
    INTERRUPT(between_processes(fd));
    struct msghdr part = *m;
    struct iovec first = m->msg_iov[0]; /* the program sends one piece at a time */
    first.iov_len = cut(fd, first.iov_len);
    part.msg_iov = &first;
    return syscall(SYS_sendmsg, fd, m->msg_iovlen == 1 ? &part : m, flags);
}
ssize_t recvmsg(int fd, struct msghdr *m, int flags) {
    INTERRUPT(between_processes(fd));
    size_t whole = m->msg_iov[0].iov_len;
    m->msg_iov[0].iov_len = cut(fd, whole);
    ssize_t n = syscall(SYS_recvmsg, fd, m, flags);
    m->msg_iov[0].iov_len = whole;
    return n;
}
int poll(struct pollfd *p, nfds_t n, int ms) {
    INTERRUPT(true);
    return ((int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll"))(p, n, ms);
}
pid_t waitpid(pid_t pid, int *status, int options) {
    INTERRUPT(true);
    return ((pid_t(*)(pid_t, int *, int))dlsym(RTLD_NEXT, "waitpid"))(pid, status, options);
}
