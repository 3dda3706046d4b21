/* The history file: multi-line entries, damage, several writers, modes, growth.
 * Sources: repl/history.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repl/history.h"

static char directory[64], path[128];

static int set_up(void **state) {
    (void)state;
    strcpy(directory, "/tmp/phasor-history-XXXXXX");
    if (!mkdtemp(directory)) return -1;
    snprintf(path, sizeof path, "%s/state/phasor/history", directory);
    return 0;
}

static int tear_down(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

typedef struct {
    char *text[HISTORY_KEPT + 1];
    int n;
} entries;

static void collect(void *user, const char *text) {
    entries *e = user;
    assert_true(e->n < HISTORY_KEPT);
    e->text[e->n++] = ph_strdup(text);
}

static entries *load(void) {
    entries *e = ph_calloc(1, sizeof *e);
    ph_err err;
    assert_non_null(e);
    assert_int_equal(repl_history_load(path, collect, e, &err), PH_OK);
    return e;
}

static void drop(entries *e) {
    for (int i = 0; i < e->n; i++) ph_free(e->text[i]);
    ph_free(e);
}

static void append(const char *text) {
    ph_err err = {0};
    if (repl_history_append(path, text, &err) != PH_OK) fail_msg("%s", err.text);
}

static void write_raw(const void *data, size_t n) {
    append("first");
    FILE *f = fopen(path, "ab");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void test_round_trip(void **state) {
    (void)state;
    const char *texts[] = {"x = 1", "for i = 1, 3 do\n  print(i, '\\n', \"\\\\\")\nend", "\tθ = 位置",
                           "a\n\nb\\"};
    for (int i = 0; i < 4; i++) append(texts[i]);
    entries *e = load();
    assert_int_equal(e->n, 4);
    for (int i = 0; i < 4; i++) assert_string_equal(e->text[i], texts[i]);
    drop(e);
}

static void test_no_file_is_empty(void **state) {
    (void)state;
    entries *e = load();
    assert_int_equal(e->n, 0);
    drop(e);
}

static void test_modes(void **state) {
    (void)state;
    struct stat s;
    char parent[128];
    append("x");
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0600);
    snprintf(parent, sizeof parent, "%s/state/phasor", directory);
    assert_int_equal(stat(parent, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0700);
}

static void test_damage_is_skipped(void **state) {
    (void)state;
    static const char damage[] = "bad \\x escape\nNUL \0 byte\n\nhalf \\\n\x1b[31mred\ngood\ntorn";
    write_raw(damage, sizeof damage - 1);
    append("after");
    entries *e = load();
    assert_int_equal(e->n, 4);
    assert_string_equal(e->text[0], "first");
    assert_string_equal(e->text[1], "good");
    assert_string_equal(e->text[2], "torn");
    assert_string_equal(e->text[3], "after");
    drop(e);
}

static void test_concurrent_sessions(void **state) {
    (void)state;
    enum { WRITERS = 4, EACH = 50 };
    for (int w = 0; w < WRITERS; w++) {
        if (fork() != 0) continue;
        for (int i = 0; i < EACH; i++) {
            char text[64];
            snprintf(text, sizeof text, "writer %d\nentry %d", w, i);
            if (repl_history_append(path, text, NULL) != PH_OK) _exit(1);
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    entries *e = load();
    int next[WRITERS] = {0};
    assert_int_equal(e->n, WRITERS * EACH);
    for (int i = 0; i < e->n; i++) {
        int w, k;
        assert_int_equal(sscanf(e->text[i], "writer %d\nentry %d", &w, &k), 2);
        assert_int_equal(k, next[w]++);
    }
    drop(e);
}

static void test_grown_file_is_shortened(void **state) {
    (void)state;
    enum { LINES = 3000, LENGTH = 1500 };
    char line[LENGTH + 2];
    append("x");
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    for (int i = 0; i < LINES; i++) {
        memset(line, 'x', LENGTH);
        line[sprintf(line, "%d", i)] = ' ';
        line[LENGTH] = '\n', line[LENGTH + 1] = '\0';
        fputs(line, f);
    }
    assert_int_equal(fclose(f), 0);
    entries *e = load();
    assert_int_equal(e->n, HISTORY_KEPT);
    assert_int_equal(atoi(e->text[0]), LINES - HISTORY_KEPT);
    assert_int_equal(atoi(e->text[HISTORY_KEPT - 1]), LINES - 1);
    drop(e);
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_size, (off_t)HISTORY_KEPT * (LENGTH + 1));
    assert_int_equal(s.st_mode & 07777, 0600);
}

static void test_not_a_file(void **state) {
    (void)state;
    ph_err err;
    append("x");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(repl_history_load(path, collect, NULL, &err), PH_EIO);
    assert_non_null(strstr(err.text, "regular file"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(repl_history_append(path, "x", &err), PH_EIO);
    assert_non_null(strstr(err.text, "cannot be opened"));
}

static void test_where(void **state) {
    (void)state;
    setenv("HOME", "/home/s", 1);
    setenv("XDG_STATE_HOME", "/state", 1);
    char *p = repl_history_path();
    assert_string_equal(p, "/state/phasor/history");
    ph_free(p);
    setenv("XDG_STATE_HOME", "relative", 1);
    assert_string_equal(p = repl_history_path(), "/home/s/.local/state/phasor/history");
    ph_free(p);
    setenv("PHASOR_HISTORY", "/else", 1);
    assert_string_equal(p = repl_history_path(), "/else");
    ph_free(p);
    setenv("PHASOR_HISTORY", "", 1);
    assert_null(repl_history_path());
    unsetenv("PHASOR_HISTORY");
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_null(repl_history_path());
}

static void test_no_memory(void **state) {
    (void)state;
    append("x");
    for (size_t n = 1; n <= 2; n++) {
        ph_err err = {0};
        ph_alloc_fail_from(n);
        ph_status st = repl_history_append(path, "y", &err);
        ph_alloc_fail_from(0);
        assert_int_equal(st, PH_ENOMEM);
    }
    ph_alloc_fail_from(1);
    ph_status st = repl_history_load(path, collect, NULL, NULL);
    ph_alloc_fail_from(0);
    assert_int_equal(st, PH_ENOMEM);
    entries *e = load();
    assert_int_equal(e->n, 1);
    drop(e);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
/* A full disk, as the system's limit of a file's size: half an entry would be taken for one later. */
static void a_full_disk_leaves_no_half_of_an_entry(void **state) {
    (void)state;
    append("before = 1");
    pid_t child = fork();
    if (child == 0) {
        ph_err err = {0};
        struct rlimit few = {15, 15};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &few);
        _exit(repl_history_append(path, "too_long_for_the_disk = 1", &err) == PH_EIO &&
                      strstr(err.text, "written")
                  ? 0
                  : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    append("after = 2");
    entries *e = load();
    assert_int_equal(e->n, 2);
    assert_string_equal(e->text[0], "before = 1");
    assert_string_equal(e->text[1], "after = 2");
    drop(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(test_round_trip),
        CASE(test_no_file_is_empty),
        CASE(test_modes),
        CASE(test_damage_is_skipped),
        CASE(test_concurrent_sessions),
        CASE(test_grown_file_is_shortened),
        CASE(test_not_a_file),
        CASE(test_where),
        CASE(test_no_memory),
        CASE(a_full_disk_leaves_no_half_of_an_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
