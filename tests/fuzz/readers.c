/* readers.c: see readers.h. */
#include "readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint8_t *reader_lines;

const reader *reader_each(int i) {
    for (const reader *r = readers_bytes; r->name; r++)
        if (i-- == 0) return r;
    for (const reader *r = readers_lua; r->name; r++)
        if (i-- == 0) return r;
    return NULL;
}

const reader *reader_find(const char *name) {
    const reader *r;
    for (int i = 0; (r = reader_each(i)); i++)
        if (strcmp(r->name, name) == 0) return r;
    return NULL;
}

void reader_must(bool holds, const char *name, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", name, what);
    abort();
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
