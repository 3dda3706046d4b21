/* Reading at a place, and writing whole or not at all. pread, write, fsync and rename are replaced by ones that can be told
 * to fail; the full disk is real, a limit on the size of files.
 * Sources: base/file.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"

/* ---- system calls that fail when told ---------------------------------------------------------------------- */

static struct {
    int reason;  /* 0: works */
    int times;   /* that many calls fail, then it works again */
    size_t most; /* bytes one call serves; 0: all */
    int calls;
} on_read, on_write, on_sync, on_rename;

static void all_work(void) {
    memset(&on_read, 0, sizeof on_read);
    memset(&on_write, 0, sizeof on_write);
    memset(&on_sync, 0, sizeof on_sync);
    memset(&on_rename, 0, sizeof on_rename);
}

#define FAILS(f) ((f).calls++, (f).times > 0 && (f).times-- && (errno = (f).reason) != 0)

ssize_t pread(int fd, void *buf, size_t n, off_t at) {
    if (FAILS(on_read)) return -1;
    if (on_read.most && n > on_read.most) n = on_read.most;
    return syscall(SYS_pread64, fd, buf, n, at);
}

ssize_t write(int fd, const void *buf, size_t n) {
    if (fd > 2 && FAILS(on_write)) return -1;
    if (fd > 2 && on_write.most && n > on_write.most) n = on_write.most;
    return syscall(SYS_write, fd, buf, n);
}

int fsync(int fd) { return FAILS(on_sync) ? -1 : (int)syscall(SYS_fsync, fd); }

int rename(const char *from, const char *to) {
    return FAILS(on_rename) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

/* ---- a folder of its own ----------------------------------------------------------------------------------- */

static char folder[64], target[96];

static int set_up(void **state) {
    (void)state;
    all_work();
    ph_interrupt_flag = 0;
    snprintf(folder, sizeof folder, "/tmp/phasor-file-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(target, sizeof target, "%s/x", folder);
    return 0;
}

static int entries(void) {
    DIR *d = opendir(folder);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d) closedir(d);
    return n;
}

static int tear_down(void **state) {
    (void)state;
    char command[96];
    all_work();
    ph_interrupt_flag = 0;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char *contents(const char *path) {
    static char text[64];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) fclose(f);
    text[n] = 0;
    return text;
}

static ph_status save(const char *path, const char *data, size_t n, ph_err *err) {
    ph_writer *w = NULL;
    ph_status st;
    PH_TRY(ph_writer_open(&w, path, err));
    PH_TRY(ph_writer_put(w, data, n, err));
    st = ph_writer_commit(&w, err);
    assert_null(w);
done:
    ph_writer_drop(&w);
    return st;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static void what_is_asked_is_read(void **state) {
    (void)state;
    ph_file f;
    char buf[8] = "";
    put(target, "0123456789");
    assert_int_equal(ph_file_open(&f, target, NULL), PH_OK);
    assert_int_equal(f.size, 10);
    assert_string_equal(f.name, target);
    assert_int_equal(ph_file_read(&f, buf, 4, 3, NULL), PH_OK);
    assert_string_equal(buf, "3456");
    assert_int_equal(ph_file_read(&f, buf, 0, 10, NULL), PH_OK);
    ph_file_close(&f);
    ph_file_close(&f);
    assert_int_equal(f.fd, -1);
}

/* The three cases of a read: an error of the device, an end too early, an interruption that goes on. */
static void an_error_a_short_read_and_eintr_differ(void **state) {
    (void)state;
    ph_file f;
    ph_err err;
    char buf[8] = "", wanted[200];
    put(target, "0123456789");
    assert_int_equal(ph_file_open(&f, target, &err), PH_OK);
    on_read.reason = EIO, on_read.times = 1;
    assert_int_equal(ph_file_read(&f, buf, 4, 0, &err), PH_EIO);
    snprintf(wanted, sizeof wanted, "%s: cannot be read: %s", target, strerror(EIO));
    assert_string_equal(err.text, wanted);
    assert_int_equal(ph_file_read(&f, buf, 4, 8, &err), PH_EIO);
    snprintf(wanted, sizeof wanted, "%s: ends at byte 10; 4 bytes at 8 were wanted", target);
    assert_string_equal(err.text, wanted);
    on_read.reason = EINTR, on_read.times = 2, on_read.most = 3, on_read.calls = 0;
    assert_int_equal(ph_file_read(&f, buf, 5, 1, &err), PH_OK);
    assert_string_equal(buf, "12345");
    assert_int_equal(on_read.calls, 4); /* two interrupted, then 3 bytes and 2 */
    ph_interrupt_flag = 1;
    assert_int_equal(ph_file_read(&f, buf, 5, 1, &err), PH_EINTR);
    ph_file_close(&f);
}

static void what_is_no_file_is_not_opened(void **state) {
    (void)state;
    ph_file f;
    ph_err err;
    char path[96];
    assert_int_equal(ph_file_open(&f, target, &err), PH_EIO);
    assert_non_null(strstr(err.text, "x: cannot be opened: "));
    assert_int_equal(ph_file_open(&f, folder, &err), PH_EIO);
    assert_non_null(strstr(err.text, ": is a directory; wanted a file"));
    assert_int_equal(ph_file_open(&f, "", &err), PH_EARG);
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(ph_file_open(&f, path, &err), PH_EIO); /* and does not wait for a writer */
    assert_non_null(strstr(err.text, ": is a device, pipe or socket; wanted a file"));
    assert_int_equal(f.fd, -1);
}

static void a_long_name_keeps_its_end(void **state) {
    (void)state;
    ph_file f;
    char path[400];
    memset(path, 'a', sizeof path);
    memcpy(path + 380, "\xe4\xbd\x8d/end.npy", 12);
    assert_int_equal(ph_file_open(&f, path, NULL), PH_EIO);
    assert_int_equal(strlen(f.name), PH_FILE_NAME - 1);
    assert_memory_equal(f.name, "...a", 4);
    assert_string_equal(f.name + strlen(f.name) - 8, "/end.npy");
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static void a_file_is_written_and_replaced(void **state) {
    (void)state;
    struct stat s;
    assert_int_equal(save(target, "one", 3, NULL), PH_OK);
    assert_string_equal(contents(target), "one");
    assert_int_equal(chmod(target, 0640), 0);
    assert_int_equal(save(target, "two!", 4, NULL), PH_OK);
    assert_string_equal(contents(target), "two!");
    assert_int_equal(stat(target, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0640);
    assert_int_equal(entries(), 1);
}

static void a_program_may_be_run_by_who_may_read_it(void **state) {
    (void)state;
    struct stat s;
    mode_t before = umask(027);
    ph_err err;
    ph_writer *w;
    assert_int_equal(ph_writer_open(&w, target, &err), PH_OK);
    assert_int_equal(ph_writer_text(w, "#!/bin/sh\n", &err), PH_OK);
    assert_int_equal(ph_writer_runnable(w, &err), PH_OK);
    assert_int_equal(ph_writer_commit(&w, &err), PH_OK);
    umask(before);
    assert_int_equal(stat(target, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0750);
}

static void large_and_small_pieces_keep_their_order(void **state) {
    (void)state;
    enum { N = 300000 };
    ph_writer *w;
    ph_file f;
    char *data = malloc(N), *back = malloc(N);
    for (int i = 0; i < N; i++) data[i] = (char)(i * 7 + i / 251);
    on_write.most = 70000;
    assert_int_equal(ph_writer_open(&w, target, NULL), PH_OK);
    for (size_t at = 0, n = 1; at < N; at += n, n = n * 3 + 1) {
        if (n > N - at) n = N - at;
        assert_int_equal(ph_writer_put(w, data + at, n, NULL), PH_OK);
    }
    assert_int_equal(entries(), 1); /* the temporary; the target is not there yet */
    assert_int_not_equal(access(target, F_OK), 0);
    assert_int_equal(ph_writer_commit(&w, NULL), PH_OK);
    assert_int_equal(ph_file_open(&f, target, NULL), PH_OK);
    assert_int_equal(f.size, N);
    assert_int_equal(ph_file_read(&f, back, N, 0, NULL), PH_OK);
    assert_memory_equal(data, back, N);
    ph_file_close(&f);
    free(data), free(back);
}

static void a_link_is_followed(void **state) {
    (void)state;
    char link[96];
    struct stat s;
    snprintf(link, sizeof link, "%s/link", folder);
    put(target, "old");
    assert_int_equal(symlink("x", link), 0);
    assert_int_equal(save(link, "new", 3, NULL), PH_OK);
    assert_string_equal(contents(target), "new");
    assert_int_equal(lstat(link, &s), 0);
    assert_true(S_ISLNK(s.st_mode));
}

static void every_failure_leaves_the_old_file_whole(void **state) {
    (void)state;
    ph_err err;
    char *data = calloc(1, 200000);
    put(target, "old");
    for (int k = 0; k < 6; k++) {
        all_work();
        if (k == 0) on_write.reason = ENOSPC, on_write.times = 1;
        if (k == 1) on_write.reason = EIO, on_write.times = 1;
        if (k == 2) on_sync.reason = EIO, on_sync.times = 1;
        if (k == 3) on_rename.reason = EACCES, on_rename.times = 1;
        ph_interrupt_flag = k == 4;
        ph_alloc_fail_from(k == 5);
        ph_status st = save(target, data, 200000, &err);
        ph_alloc_fail_from(0);
        assert_int_equal(st, k == 4 ? PH_EINTR : k == 5 ? PH_ENOMEM : PH_EIO);
        assert_string_equal(contents(target), "old");
        assert_int_equal(entries(), 1);
    }
    free(data);
}

static void an_interrupted_write_goes_on(void **state) {
    (void)state;
    on_write.reason = on_sync.reason = EINTR, on_write.times = on_sync.times = 2;
    assert_int_equal(save(target, "whole", 5, NULL), PH_OK);
    assert_string_equal(contents(target), "whole");
}

/* The disk is full after 100 KB. */
static void a_full_disk_leaves_the_old_file_whole(void **state) {
    (void)state;
    ph_err err;
    struct rlimit old, small;
    char *data = calloc(1, 200000), wanted[200];
    put(target, "old");
    signal(SIGXFSZ, SIG_IGN); /* as phasor does: the write fails then, the process lives */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old, small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    ph_status st = save(target, data, 200000, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(st, PH_EIO);
    snprintf(wanted, sizeof wanted, "%s: cannot be written: %s", target, strerror(EFBIG));
    assert_string_equal(err.text, wanted);
    assert_string_equal(contents(target), "old");
    assert_int_equal(entries(), 1);
    free(data);
}

static void what_cannot_be_replaced_is_refused(void **state) {
    (void)state;
    ph_err err;
    char path[128];
    assert_int_equal(save(folder, "x", 1, &err), PH_EIO);
    assert_non_null(strstr(err.text, "is a directory; wanted a file"));
    assert_int_equal(save("/dev/null", "x", 1, &err), PH_EIO);
    assert_non_null(strstr(err.text, "/dev/null: is a device, pipe or socket"));
    snprintf(path, sizeof path, "%s/none/x", folder);
    assert_int_equal(save(path, "x", 1, &err), PH_EIO);
    assert_non_null(strstr(err.text, "none/x: cannot be written: "));
    snprintf(path, sizeof path, "%s/new/", folder);
    assert_int_equal(save(path, "x", 1, &err), PH_EIO);
    assert_int_equal(save("", "x", 1, &err), PH_EARG);
    assert_int_equal(entries(), 0);
}

static void a_failed_writer_stays_failed(void **state) {
    (void)state;
    ph_err err;
    ph_writer *w;
    char data[1 << 17] = "";
    assert_int_equal(ph_writer_open(&w, target, &err), PH_OK);
    on_write.reason = ENOSPC, on_write.times = 1;
    assert_int_equal(ph_writer_put(w, data, sizeof data, &err), PH_EIO);
    assert_int_equal(ph_writer_text(w, "more", &err), PH_EIO);
    assert_int_equal(ph_writer_commit(&w, &err), PH_EIO);
    assert_null(w);
    assert_int_equal(entries(), 0);
}

static void what_a_killed_process_was_writing_is_swept(void **state) {
    (void)state;
    char like[200];
    assert_int_equal(save(target, "one", 3, NULL), PH_OK);
    snprintf(like, sizeof like, "%s/.phasor.tmp", folder);
    assert_int_equal(save(like, "mine", 4, NULL), PH_OK);
    pid_t child = fork();
    if (child == 0) {
        ph_writer *w;
        if (ph_writer_open(&w, target, NULL) == PH_OK && ph_writer_text(w, "half", NULL) == PH_OK) _exit(0);
        _exit(1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    assert_int_equal(entries(), 3);
    ph_writer_sweep(folder);
    assert_int_equal(entries(), 2);
    assert_string_equal(contents(target), "one");
    ph_writer_sweep("/no/such/folder");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(what_is_asked_is_read),
        CASE(an_error_a_short_read_and_eintr_differ),
        CASE(what_is_no_file_is_not_opened),
        CASE(a_long_name_keeps_its_end),
        CASE(a_file_is_written_and_replaced),
        CASE(a_program_may_be_run_by_who_may_read_it),
        CASE(large_and_small_pieces_keep_their_order),
        CASE(a_link_is_followed),
        CASE(every_failure_leaves_the_old_file_whole),
        CASE(an_interrupted_write_goes_on),
        CASE(a_full_disk_leaves_the_old_file_whole),
        CASE(what_cannot_be_replaced_is_refused),
        CASE(a_failed_writer_stays_failed),
        CASE(what_a_killed_process_was_writing_is_swept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
