/* file.c: files read at a place, and files written whole or not at all. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#define PIECE  ((size_t)8 << 20) /* between two looks at the interrupt flag: some milliseconds */
#define BUFFER ((size_t)64 << 10)

/* The last bytes of the path that fit, cut at a character, "..." in front. */
static void short_name(char out[PH_FILE_NAME], const char *path) {
    size_t n = strlen(path), room = PH_FILE_NAME - 1;
    if (n <= room) {
        memcpy(out, path, n + 1);
        return;
    }
    const char *tail = path + n - (room - 3);
    while ((*tail & 0xC0) == 0x80) tail++;
    snprintf(out, PH_FILE_NAME, "...%s", tail);
}

/* "x.npy: cannot be opened: No such file or directory" */
static ph_status failed(ph_err *err, const char *name, const char *what, int reason) {
    return ph_fail(err, PH_EIO, "%s: %s: %s", name, what, strerror(reason));
}

static ph_status not_regular(ph_err *err, const char *name, mode_t mode) {
    return ph_fail(err, PH_EIO, "%s: is %s; wanted a file", name,
                   S_ISDIR(mode) ? "a directory" : "a device, pipe or socket");
}

/* ---- reading --------------------------------------------------------------------------------------------- */

ph_status ph_file_open(ph_file *f, const char *path, ph_err *err) {
    struct stat s;
    *f = PH_FILE_NONE;
    if (!*path) return ph_fail(err, PH_EARG, "the file's name is empty");
    short_name(f->name, path);
    f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe's other end is not waited for */
    if (f->fd < 0) return failed(err, f->name, "cannot be opened", errno);
    ph_status st = PH_OK;
    if (fstat(f->fd, &s) != 0) st = failed(err, f->name, "cannot be read", errno);
    else if (!S_ISREG(s.st_mode)) st = not_regular(err, f->name, s.st_mode);
    else f->size = (uint64_t)s.st_size;
    if (st != PH_OK) ph_file_close(f);
    return st;
}

ph_status ph_file_read(const ph_file *f, void *buf, size_t n, uint64_t at, ph_err *err) {
    char *to = buf;
    for (size_t got = 0; got < n;) {
        if (ph_interrupted()) return ph_fail_interrupted(err);
        size_t want = n - got < PIECE ? n - got : PIECE;
        ssize_t r = pread(f->fd, to + got, want, (off_t)(at + got));
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return failed(err, f->name, "cannot be read", errno);
        if (r == 0)
            return ph_fail(err, PH_EIO, "%s: ends at byte %llu; %zu bytes at %llu were wanted", f->name,
                           (unsigned long long)(at + got), n, (unsigned long long)at);
        got += (size_t)r;
    }
    return PH_OK;
}

bool ph_file_missing(const char *path) {
    struct stat s;
    return lstat(path, &s) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

void ph_file_close(ph_file *f) {
    if (f->fd >= 0) close(f->fd);
    f->fd = -1;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

struct ph_writer {
    int fd;
    bool failed;
    size_t used; /* of the buffer */
    char name[PH_FILE_NAME];
    char target[PATH_MAX], temporary[PATH_MAX + 32];
    char buffer[BUFFER];
};

/* The length of the directory part of a path, its slash included; 0 when there is none. */
static int directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path + 1) : 0;
}

/* What is at the target already: refused when it cannot be replaced by a file, its permissions otherwise. */
static ph_status look_at_target(ph_writer *w, const char *path, mode_t *mode, ph_err *err) {
    struct stat s;
    *mode = 0;
    if (!realpath(path, w->target)) {
        if (errno != ENOENT) return failed(err, w->name, "cannot be written", errno);
        if (strlen(path) >= sizeof w->target) return failed(err, w->name, "cannot be written", ENAMETOOLONG);
        snprintf(w->target, sizeof w->target, "%s", path);
        if (path[strlen(path) - 1] == '/') return failed(err, w->name, "cannot be written", EISDIR);
        return PH_OK;
    }
    if (stat(w->target, &s) != 0 || access(w->target, W_OK) != 0)
        return failed(err, w->name, "cannot be written", errno);
    if (!S_ISREG(s.st_mode)) return not_regular(err, w->name, s.st_mode);
    *mode = s.st_mode & 07777;
    return PH_OK;
}

static ph_status open_temporary(ph_writer *w, ph_err *err) {
    for (int k = 0; k < 1000; k++) {
        snprintf(w->temporary, sizeof w->temporary, "%.*s.phasor-%ld-%d.tmp", directory_length(w->target),
                 w->target, (long)getpid(), k);
        w->fd = open(w->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (w->fd >= 0) return PH_OK;
        if (errno != EEXIST) break;
    }
    return failed(err, w->name, "cannot be written", errno);
}

ph_status ph_writer_open(ph_writer **out, const char *path, ph_err *err) {
    ph_status st;
    mode_t mode;
    *out = NULL;
    if (!*path) return ph_fail(err, PH_EARG, "the file's name is empty");
    ph_writer *w = ph_alloc(sizeof *w);
    if (!w) return ph_fail_nomem(err, sizeof *w);
    w->fd = -1, w->failed = false, w->used = 0;
    short_name(w->name, path);
    PH_TRY(look_at_target(w, path, &mode, err));
    PH_TRY(open_temporary(w, err));
    if (mode && fchmod(w->fd, mode) != 0) st = failed(err, w->name, "cannot be written", errno);
done:
    if (st != PH_OK) ph_writer_drop(&w);
    *out = w;
    return st;
}

static ph_status write_through(ph_writer *w, const char *data, size_t n, ph_err *err) {
    for (size_t done = 0; done < n;) {
        if (ph_interrupted()) return ph_fail_interrupted(err);
        size_t want = n - done < PIECE ? n - done : PIECE;
        ssize_t r = write(w->fd, data + done, want);
        if (r < 0 && errno == EINTR) continue;
        if (r <= 0) return failed(err, w->name, "cannot be written", r < 0 ? errno : ENOSPC);
        done += (size_t)r;
    }
    return PH_OK;
}

static ph_status flush(ph_writer *w, ph_err *err) {
    ph_status st = write_through(w, w->buffer, w->used, err);
    w->used = 0;
    return st;
}

ph_status ph_writer_put(ph_writer *w, const void *data, size_t n, ph_err *err) {
    ph_status st = PH_OK;
    if (w->failed) return ph_fail(err, PH_EIO, "%s: an earlier write failed", w->name);
    if (n > BUFFER - w->used) st = flush(w, err);
    if (st == PH_OK && n >= BUFFER) st = write_through(w, data, n, err);
    else if (st == PH_OK && n > 0) {
        memcpy(w->buffer + w->used, data, n);
        w->used += n;
    }
    w->failed = st != PH_OK;
    return st;
}

ph_status ph_writer_text(ph_writer *w, const char *text, ph_err *err) {
    return ph_writer_put(w, text, strlen(text), err);
}

/* A file system that cannot sync says EINVAL or ENOTSUP: no failure of this file. */
static bool synced(int fd) {
    int r;
    do r = fsync(fd);
    while (r != 0 && errno == EINTR);
    return r == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* The new name is on the disk when its directory is; the renaming stands whatever this says. */
static void sync_directory(const char *target) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s.", directory_length(target), target);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (fd < 0) return;
    (void)synced(fd);
    close(fd);
}

ph_status ph_writer_commit(ph_writer **wp, ph_err *err) {
    ph_writer *w = *wp;
    ph_status st;
    if (w->failed) PH_TRY(ph_fail(err, PH_EIO, "%s: an earlier write failed", w->name));
    PH_TRY(flush(w, err));
    if (!synced(w->fd)) PH_TRY(failed(err, w->name, "cannot be written", errno));
    int fd = w->fd;
    w->fd = -1; /* closed even when close complains */
    if (close(fd) != 0 && errno != EINTR) st = failed(err, w->name, "cannot be written", errno);
    else if (rename(w->temporary, w->target) != 0) st = failed(err, w->name, "cannot be renamed", errno);
    if (st != PH_OK) {
        unlink(w->temporary);
        goto done;
    }
    sync_directory(w->target);
done:
    if (w->fd < 0) ph_free(w), *wp = NULL;
    else ph_writer_drop(wp);
    return st;
}

ph_status ph_writer_runnable(ph_writer *w, ph_err *err) {
    struct stat s;
    if (fstat(w->fd, &s) != 0 || fchmod(w->fd, s.st_mode | (s.st_mode & 0444) >> 2) != 0)
        return failed(err, w->name, "cannot be made a program", errno);
    return PH_OK;
}

void ph_writer_drop(ph_writer **w) {
    if (!*w) return;
    if ((*w)->fd >= 0) {
        close((*w)->fd);
        unlink((*w)->temporary);
    }
    ph_free(*w);
    *w = NULL;
}

void ph_writer_sweep(const char *folder) {
    static const char begin[] = ".phasor-", end[] = ".tmp";
    char path[PATH_MAX];
    struct dirent *e;
    DIR *d = opendir(folder);
    while (d && (e = readdir(d)) != NULL) {
        size_t n = strlen(e->d_name), least = sizeof begin + sizeof end - 2;
        if (n <= least || strncmp(e->d_name, begin, sizeof begin - 1) != 0 ||
            strcmp(e->d_name + n - (sizeof end - 1), end) != 0)
            continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < sizeof path) (void)unlink(path);
    }
    if (d) closedir(d);
}

ph_status ph_file_make_parents(const char *path, unsigned mode, ph_err *err) {
    char *dir = ph_strdup(path);
    ph_status st = PH_OK;
    if (!dir) return ph_fail_nomem(err, strlen(path));
    for (char *s = dir + (*dir != 0); st == PH_OK && (s = strchr(s, '/')); *s++ = '/') {
        *s = '\0';
        if (mkdir(dir, (mode_t)mode) != 0 && errno != EEXIST)
            st = ph_fail(err, PH_EIO, "%s: cannot be made: %s", dir, strerror(errno));
    }
    ph_free(dir);
    return st;
}

ph_status ph_own_path(char out[PATH_MAX], ph_err *err) {
#ifdef __APPLE__
    uint32_t size = PATH_MAX;
    if (_NSGetExecutablePath(out, &size) == 0) return PH_OK;
#else
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (n > 0) return out[n] = '\0', PH_OK;
#endif
    return ph_fail(err, PH_EIO, "this system does not say which file runs: %s", strerror(errno));
}
