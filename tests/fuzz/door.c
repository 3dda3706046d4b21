/* door.c: the file and the socket from which readers read under libFuzzer: a text in memory, where test_readers.c has real ones. A file
 * costs ten calls of the system for each text, which is most of what reading a short one costs. The linker leads these calls here (DOOR in
 * the Makefile); what is no door goes on to the system. Reads end early now and then, as the system's may.
 */
#include "readers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { DOOR = 0x40000000 }; /* no descriptor of the system's */

static const char name[] = "memory";
static const uint8_t *bytes;
static size_t size, taken; /* taken: by recvmsg */
static unsigned pieces;

const char *reader_file(const uint8_t *text, size_t n) {
    bytes = text, size = n, pieces = (unsigned)n;
    return name;
}

int reader_socket(const uint8_t *text, size_t n) {
    reader_file(text, n);
    taken = 0;
    return DOOR;
}

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
int __real_fstat(int fd, struct stat *s);
int __real_stat(const char *path, struct stat *s);
int __real_flock(int fd, int how);
ssize_t __real_pread(int fd, void *to, size_t n, off_t at);
ssize_t __real_recvmsg(int fd, struct msghdr *m, int flags);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
int __wrap_fstat(int fd, struct stat *s);
int __wrap_stat(const char *path, struct stat *s);
int __wrap_flock(int fd, int how);
ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at);
ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags);

static int describe(struct stat *s) {
    *s = (struct stat){.st_mode = S_IFREG | 0600, .st_size = (off_t)size};
    return 0;
}

/* At most n bytes from `at`; every eighth time only some of them. */
static ssize_t some(void *to, size_t n, size_t at) {
    if (at >= size) return 0;
    if (n > size - at) n = size - at;
    if (++pieces % 8 == 0 && n > 1) n = n / 2;
    memcpy(to, bytes + at, n);
    return (ssize_t)n;
}

int __wrap_open(const char *path, int flags, ...) {
    if (strcmp(path, name) == 0) return DOOR;
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return __real_open(path, flags, mode);
}

int __wrap_close(int fd) { return fd == DOOR ? 0 : __real_close(fd); }
int __wrap_flock(int fd, int how) { return fd == DOOR ? 0 : __real_flock(fd, how); }
int __wrap_fstat(int fd, struct stat *s) { return fd == DOOR ? describe(s) : __real_fstat(fd, s); }
int __wrap_stat(const char *path, struct stat *s) {
    return strcmp(path, name) == 0 ? describe(s) : __real_stat(path, s);
}

ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at) {
    return fd == DOOR ? some(to, n, (size_t)at) : __real_pread(fd, to, n, at);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *m, int flags) {
    if (fd != DOOR) return __real_recvmsg(fd, m, flags);
    ssize_t n = some(m->msg_iov[0].iov_base, m->msg_iov[0].iov_len, taken);
    taken += (size_t)n;
    m->msg_controllen = 0;
    return n;
}
