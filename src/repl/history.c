/* history.c: see history.h. */
#include "repl/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    char *s = ph_alloc(n + m + 1);
    if (s) memcpy(s, a, n), memcpy(s + n, b, m + 1);
    return s;
}

char *repl_history_path(void) {
    const char *own = getenv("PHASOR_HISTORY"), *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (own) return *own ? ph_strdup(own) : NULL;
    if (state && *state == '/')
        return join(state, "/phasor/history"); /* a relative one is to be ignored (XDG) */
    return home && *home ? join(home, "/.local/state/phasor/history") : NULL;
}

/* ---- the form of an entry ------------------------------------------------------------------------------ */

/* text → a line with its end; out has room for 2*strlen(text)+1. Returns the length. */
static size_t escape(char *out, const char *text) {
    size_t n = 0;
    for (; *text; text++) {
        if (*text == '\n') out[n++] = '\\', out[n++] = 'n';
        else if (*text == '\\') out[n++] = '\\', out[n++] = '\\';
        else out[n++] = *text;
    }
    out[n++] = '\n';
    return n;
}

/* In place; false when the line is no entry: empty, too long, a NUL or control byte, or an escape that is not
 * ours. */
static bool unescape(char *line, size_t n) {
    size_t out = 0;
    if (n == 0 || n > 2 * HISTORY_MAX_ENTRY) return false;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)line[i];
        if ((c < ' ' && c != '\t') || c == 127) return false;
        if (c == '\\') {
            c = ++i < n ? (unsigned char)line[i] : 0;
            if (c == 'n') c = '\n';
            else if (c != '\\') return false;
        }
        line[out++] = (char)c;
    }
    line[out] = '\0';
    return true;
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static ph_status fail(ph_err *err, const char *path, const char *what) {
    return ph_fail(err, PH_EIO, "history %s: %s: %s", path, what, strerror(errno));
}

static ph_status make_parents(const char *path, ph_err *err) {
    char *dir = ph_strdup(path);
    ph_status st = PH_OK;
    if (!dir) return ph_fail_nomem(err, strlen(path));
    for (char *s = dir + 1; (s = strchr(s, '/')) && st == PH_OK; *s++ = '/') {
        *s = '\0';
        if (mkdir(dir, 0700) != 0 && errno != EEXIST) st = fail(err, dir, "cannot be made");
    }
    ph_free(dir);
    return st;
}

/* Writes all; a write cut short by a full disk is an error. */
static bool write_all(int fd, const char *data, size_t n) {
    while (n > 0) {
        ssize_t w = write(fd, data, n);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) return false;
        data += w, n -= (size_t)w;
    }
    return true;
}

/* A lock that cannot be had (a file system without locks) is done without: O_APPEND still keeps entries
 * apart. */
static void lock(int fd) {
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
    }
}

/* A torn last line (a killed session, a full disk) must not swallow the next entry. */
static bool ends_in_newline(int fd) {
    char c;
    off_t n = lseek(fd, 0, SEEK_END);
    return n <= 0 || pread(fd, &c, 1, n - 1) != 1 || c == '\n';
}

/* A pipe would be waited for. */
static ph_status check_regular(int fd, const char *path, struct stat *s, ph_err *err) {
    if (fstat(fd, s) != 0) return fail(err, path, "cannot be read");
    return S_ISREG(s->st_mode) ? PH_OK : ph_fail(err, PH_EIO, "history %s: not a regular file", path);
}

ph_status repl_history_append(const char *path, const char *text, ph_err *err) {
    size_t n = strlen(text);
    if (n == 0 || n > HISTORY_MAX_ENTRY) return PH_OK;
    char *line = ph_alloc(2 * n + 2);
    int fd = -1;
    struct stat s;
    ph_status st = PH_OK;
    if (!line) return ph_fail_nomem(err, 2 * n + 2);
    PH_TRY(make_parents(path, err));
    fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd < 0) PH_TRY(fail(err, path, "cannot be opened"));
    PH_TRY(check_regular(fd, path, &s, err));
    lock(fd);
    line[0] = '\n';
    n = escape(line + 1, text);
    bool whole = ends_in_newline(fd);
    off_t before = lseek(fd, 0, SEEK_END);
    if (!write_all(fd, line + whole, n + !whole)) {
        st = fail(err, path, "cannot be written");
        if (before >= 0) (void)!ftruncate(fd, before); /* half an entry would be taken for one */
    }
done:
    if (fd >= 0) close(fd);
    ph_free(line);
    return st;
}

/* The whole file, or its last HISTORY_MAX_FILE bytes; *n bytes, and one more for a terminator. */
static ph_status slurp(char **out, size_t *n, int fd, const char *path, ph_err *err) {
    struct stat s;
    ph_status st = check_regular(fd, path, &s, err);
    if (st != PH_OK) return st;
    off_t from = s.st_size > (off_t)HISTORY_MAX_FILE ? s.st_size - (off_t)HISTORY_MAX_FILE : 0;
    size_t size = (size_t)(s.st_size - from), got = 0;
    char *data = ph_alloc(size + 1);
    if (!data) return ph_fail_nomem(err, size + 1);
    while (got < size) {
        ssize_t r = pread(fd, data + got, size - got, from + (off_t)got);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) {
            ph_free(data);
            return fail(err, path, "cannot be read");
        }
        if (r == 0) break; /* shortened by another session meanwhile */
        got += (size_t)r;
    }
    *out = data, *n = got;
    return PH_OK;
}

/* Where the last HISTORY_KEPT lines begin. */
static size_t tail(const char *data, size_t n) {
    size_t i = n, lines = 0;
    if (i > 0 && data[i - 1] == '\n') i--;
    for (; i > 0; i--)
        if (data[i - 1] == '\n' && ++lines == HISTORY_KEPT) break;
    return i;
}

/* Replaces a file grown past HISTORY_MAX_FILE by its last entries, through a temporary beside it. What
 * another session appends between the reading and the renaming may be lost; the lock makes that moment short.
 */
static void shorten(const char *path, const char *data, size_t n) {
    char *temporary = join(path, ".new");
    if (temporary) unlink(temporary); /* a killed session's; ours is under the lock */
    int fd = temporary ? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (fd >= 0) {
        bool ok = write_all(fd, data, n) && fsync(fd) == 0;
        ok = close(fd) == 0 && ok;
        if (!ok || rename(temporary, path) != 0) unlink(temporary);
    }
    ph_free(temporary);
}

ph_status repl_history_load(const char *path, void (*entry)(void *user, const char *text), void *user,
                            ph_err *err) {
    char *data = NULL;
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno == ENOENT ? PH_OK : fail(err, path, "cannot be opened");
    ph_status st;
    lock(fd);
    PH_TRY(slurp(&data, &n, fd, path, err));
    size_t at = tail(data, n);
    if (n >= HISTORY_MAX_FILE) shorten(path, data + at, n - at);
    while (at < n) {
        char *line = data + at, *end = memchr(line, '\n', n - at);
        size_t len = end ? (size_t)(end - line) : n - at;
        if (unescape(line, len)) entry(user, line);
        at += len + 1;
    }
done:
    ph_free(data);
    close(fd);
    return st;
}
