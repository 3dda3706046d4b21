/* shim.c: preloaded by test_faults.sh, fails calls on files below FAULT_DIR. FAULT_KIND: ENOSPC (writing, from the FAULT_AT-th call on),
 * EROFS (anything that changes the folder, from there on), EIO (that call alone), EMFILE (the FAULT_AT-th that opens), EINTR (that call, and every second one after it),
 * SHORT (from there on no call moves more than three bytes). Once a call was failed, the file FAULT_HIT is there.
 * What stdio opens there goes the same way, through a cookie.
 */
#if __SIZEOF_POINTER__ == 4 /* the program calls open64 there, which the headers then call open */
#define _FILE_OFFSET_BITS 64
#define WIDE              "64"
#else
#define WIDE ""
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READS = 1, WRITES = 2, CHANGES = 4, OPENS = 8 };

static long count;

static int below(const char *path) {
    const char *dir = getenv("FAULT_DIR");
    char here[PATH_MAX];
    if (path && *path != '/') path = getcwd(here, sizeof here);
    return dir && path && strncmp(path, dir, strlen(dir)) == 0;
}

static int fd_below(int fd) {
    char link[40], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = syscall(SYS_readlink, link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return *path == '/' && below(path); /* a pipe has no place */
}

static void hit(void) {
    const char *path = getenv("FAULT_HIT");
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0) syscall(SYS_close, fd);
}

/* Whether this call, of that sort, fails: 0, or its errno; *n (may be NULL) is made short. */
static int fault(int sort, size_t *n) {
    const char *kind = getenv("FAULT_KIND"), *at = getenv("FAULT_AT");
    long first = at ? atol(at) : 0;
    if (!kind || first <= 0) return 0;
    if (strcmp(kind, "EMFILE") == 0 && !(sort & OPENS)) return 0;
    long now = ++count;
    int why = 0;
    if (strcmp(kind, "ENOSPC") == 0 && sort & (WRITES | CHANGES) && now >= first) why = ENOSPC;
    if (strcmp(kind, "EROFS") == 0 && sort & CHANGES && now >= first) why = EROFS;
    if (strcmp(kind, "EIO") == 0 && now == first) why = EIO;
    if (strcmp(kind, "EMFILE") == 0 && now == first) why = EMFILE;
    if (strcmp(kind, "EINTR") == 0 && sort & (READS | WRITES) && now >= first && (now - first) % 2 == 0)
        why = EINTR;
    if (strcmp(kind, "SHORT") == 0 && n && *n > 3 && now >= first) *n = 3, hit();
    if (why) hit();
    return why;
}

#define NEXT(name)      ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define NEXT_WIDE(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name WIDE))
#define FAIL(concerned, sort, n)                                                                             \
    do {                                                                                                     \
        int why_ = (concerned) ? fault(sort, n) : 0;                                                         \
        if (why_) return errno = why_, -1;                                                                   \
    } while (0)

ssize_t read(int fd, void *b, size_t n) {
    FAIL(fd_below(fd), READS, &n);
    return NEXT(read)(fd, b, n);
}
ssize_t write(int fd, const void *b, size_t n) {
    FAIL(fd_below(fd), WRITES, &n);
    return NEXT(write)(fd, b, n);
}
ssize_t pread(int fd, void *b, size_t n, off_t at) {
    FAIL(fd_below(fd), READS, &n);
    return NEXT_WIDE(pread)(fd, b, n, at);
}
int fsync(int fd) {
    FAIL(fd_below(fd), WRITES, NULL);
    return NEXT(fsync)(fd);
}
int fstat(int fd, struct stat *s) {
    FAIL(fd_below(fd), 0, NULL);
    return NEXT_WIDE(fstat)(fd, s);
}
int rename(const char *a, const char *b) {
    FAIL(below(a) || below(b), CHANGES, NULL);
    return NEXT(rename)(a, b);
}
int mkdir(const char *path, mode_t mode) {
    FAIL(below(path), CHANGES, NULL);
    return NEXT(mkdir)(path, mode);
}
int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    int mode = flags & O_CREAT ? va_arg(list, int) : 0;
    va_end(list);
    FAIL(below(path), OPENS | (flags & (O_CREAT | O_TRUNC) ? CHANGES : 0), NULL);
    return NEXT_WIDE(open)(path, flags, mode);
}

/* ---- stdio --------------------------------------------------------------------------------------------------- */

static ssize_t cookie_read(void *c, char *b, size_t n) { return read((int)(long)c, b, n); }
static ssize_t cookie_write(void *c, const char *b, size_t n) {
    ssize_t r = write((int)(long)c, b, n);
    return r < 0 ? 0 : r; /* how a cookie says it */
}
static int cookie_seek(void *c, off64_t *at, int whence) {
    *at = lseek((int)(long)c, *at, whence);
    return *at < 0 ? -1 : 0;
}
static int cookie_close(void *c) { return close((int)(long)c); }

FILE *fopen(const char *path, const char *mode) {
    if (!below(path)) return NEXT_WIDE(fopen)(path, mode);
    int change = mode[0] != 'r' || strchr(mode, '+');
    int flags = !change ? O_RDONLY : (strchr(mode, '+') ? O_RDWR : O_WRONLY) | (mode[0] != 'r' ? O_CREAT : 0);
    int fd = open(path, flags | (mode[0] == 'w' ? O_TRUNC : mode[0] == 'a' ? O_APPEND : 0), 0666);
    if (fd < 0) return NULL;
    return fopencookie((void *)(long)fd, mode,
                       (cookie_io_functions_t){cookie_read, cookie_write, cookie_seek, cookie_close});
}
