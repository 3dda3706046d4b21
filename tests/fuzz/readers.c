/* readers.c: see readers.h. */
#include "readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const reader *reader_each(int i) {
    for (const reader *r = readers_bytes; r->name; r++)
        if (i-- == 0) return r;
    for (const reader *r = readers_lua; r && r->name; r++)
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
