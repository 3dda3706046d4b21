/* Each reader on the texts of its folder in tests/fuzz/corpus and on spoiled ones, from a seeded generator, for a quarter of a second of
 * processor time or FUZZ_TIME seconds. A text that ends the process, breaks a promise (readers_*.c) or takes a second is a fault, and is
 * left in $BUILD/fuzz-READER. `make fuzz` goes on from the same texts with libFuzzer.
 * Sources: lib/json.lua */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "readers.h"

enum { TEXTS = 64, TEXT_MAX = 16384 };

static struct {
    uint8_t bytes[TEXT_MAX];
    size_t n;
} corpus[TEXTS];
static int texts;

static uint8_t now[2 * TEXT_MAX]; /* what is being read */
static size_t now_n;
static char fault_path[200];

static void keep_text(int signal) {
    int fd = open(fault_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd >= 0 && write(fd, now, now_n) == (ssize_t)now_n) (void)!write(2, "\nthe text is kept\n", 18);
    _exit(128 + signal);
}

static void take_file(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(texts < TEXTS);
    corpus[texts].n = fread(corpus[texts].bytes, 1, TEXT_MAX, f);
    assert_true(corpus[texts].n < TEXT_MAX);
    texts++;
    fclose(f);
}

const char *reader_file(const uint8_t *text, size_t n) {
    static char name[40];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("reader", MFD_CLOEXEC);
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    }
    bool there = fd >= 0 && ftruncate(fd, 0) == 0 && pwrite(fd, text, n, 0) == (ssize_t)n;
    reader_must(there, "file", "cannot be written");
    return name;
}

int reader_socket(const uint8_t *text, size_t n) {
    int pair[2];
    if (n > 60000) n = 60000; /* what a socket holds without a reader */
    reader_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0, "socket", "no pair");
    reader_must(write(pair[1], text, n) == (ssize_t)n, "socket", "it is full");
    close(pair[1]);
    return pair[0];
}

/* In the order of their names, so that a seed gives the same texts everywhere. */
static void take_corpus(const char *name) {
    struct dirent **list;
    char path[300];
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s", name);
    int n = scandir(path, &list, NULL, alphasort);
    texts = 0;
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "tests/fuzz/corpus/%s/%.200s", name, list[i]->d_name);
        if (list[i]->d_name[0] != '.') take_file(path);
        free(list[i]);
    }
    free(list);
    assert_true(texts > 0);
}

/* n bytes at `at` give way to m others. */
static void replace(size_t at, size_t n, const uint8_t *with, size_t m) {
    if (now_n - n + m > TEXT_MAX) return;
    memmove(now + at + m, now + at + n, now_n - at - n);
    if (m) memmove(now + at, with, m);
    now_n += m - n;
}

static size_t pick(ph_rng *g, size_t n) { return (size_t)ph_rng_below(g, n); }

static void spoil_once(ph_rng *g) {
    static const char *const pieces[] = {"{",          "}",      "[",
                                         "]",          "\"",     "\\",
                                         "$",          "\n",     "-- %%",
                                         "1e999",      "\\frac", "_",
                                         "^",          "-",      "\xff\xff\xff\xff",
                                         "\x80\0\0\0", "\u202e", "\xed\xa0\x80",
                                         ",",          "é",      "0"};
    size_t at = pick(g, now_n + 1), n = pick(g, 8);
    if (n > now_n - at) n = now_n - at;
    uint8_t byte = (uint8_t)pick(g, 256), other[256];
    const char *piece = pieces[pick(g, sizeof pieces / sizeof *pieces)];
    int from = (int)pick(g, (size_t)texts);
    size_t size = corpus[from].n, begin = pick(g, size + 1),
           length = pick(g, size - begin + 1) % sizeof other;
    switch (pick(g, 6)) {
    case 0: replace(at, n > 0, &byte, 1); break;
    case 1: replace(at, n, (const uint8_t *)piece, piece[0] == '\x80' ? 4 : strlen(piece)); break;
    case 2: replace(at, n * n < now_n - at ? n * n : n, NULL, 0); break;
    case 3: memcpy(other, corpus[from].bytes + begin, length), replace(at, n, other, length); break;
    case 4:
        if (at < now_n) now[at] ^= (uint8_t)(1u << pick(g, 8));
        break;
    default: now_n = pick(g, 4) ? now_n : at;
    }
}

static void make_text(ph_rng *g) {
    int from = (int)pick(g, (size_t)texts);
    memcpy(now, corpus[from].bytes, now_n = corpus[from].n);
    for (size_t k = pick(g, 5); k > 0; k--) spoil_once(g);
}

static void read_now(const reader *r) {
    clock_t began = clock();
    r->read(now, now_n);
    reader_must(clock() - began < CLOCKS_PER_SEC, r->name, "more than a second for one text");
}

static void reads_anything(void **state) {
    const reader *r = *state;
    const char *build = getenv("BUILD"), *time = getenv("FUZZ_TIME");
    double seconds = time && atof(time) > 0 ? atof(time) : .25;
    long count = 0;
    ph_rng g;
    snprintf(fault_path, sizeof fault_path, "%s/fuzz-%s", build ? build : "build", r->name);
    take_corpus(r->name);
    for (int i = 0; i < texts; i++, count++) {
        memcpy(now, corpus[i].bytes, now_n = corpus[i].n);
        read_now(r);
    }
    ph_rng_seed(&g, 20261122);
    for (clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC); clock() < end; count++) {
        make_text(&g);
        read_now(r);
    }
    print_message("%s: %ld texts\n", r->name, count);
}

int main(void) {
    struct CMUnitTest tests[64];
    size_t n = 0;
    const reader *r;
    for (; (r = reader_each((int)n)); n++)
        tests[n] = (struct CMUnitTest){r->name, reads_anything, NULL, NULL, (void *)(uintptr_t)r};
    const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], keep_text);
    return _cmocka_run_group_tests("readers", tests, n, NULL, NULL);
}
