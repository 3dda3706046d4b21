/* readers.h: everything that reads what a stranger wrote, each as a function of some bytes, for random texts (test_readers.c) and for
 * libFuzzer (libfuzzer.c). A reader gives a value or says what is wrong; it neither ends the process nor breaks a promise of its header.
 */
#ifndef PH_TEST_READERS_H
#define PH_TEST_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name; /* of its row, and of its folder in tests/fuzz/corpus */
    void (*read)(const uint8_t *text, size_t n);
} reader;

extern const reader readers_bytes[], readers_lua[]; /* each ends with a name NULL */

const reader *reader_find(const char *name); /* NULL: none */
const reader *reader_each(int i);            /* NULL behind the last */

/* Ends the process with these words unless it holds. */
void reader_must(bool holds, const char *reader, const char *what);

/* The name of a regular file with these bytes, the same one each time. */
const char *reader_file(const uint8_t *text, size_t n);

/* The lines that Lua runs are counted here, where libFuzzer looks for what is new; NULL: nowhere. */
extern uint8_t *reader_lines;
enum { READER_LINES = 1 << 14 };

#endif
