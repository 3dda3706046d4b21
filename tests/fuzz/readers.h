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
    int most; /* bytes of a text that libFuzzer makes: what it takes to say everything of that grammar twice */
} reader;

extern const reader readers_bytes[];                     /* each ends with a name NULL */
extern const reader readers_lua[] __attribute__((weak)); /* not there in a program of readers in C alone */

const reader *reader_find(const char *name); /* NULL: none */
const reader *reader_each(int i);            /* NULL behind the last */

/* Ends the process with these words unless it holds. */
void reader_must(bool holds, const char *reader, const char *what);

/* What brings a reader its text: real files and sockets in test_readers.c, memory under libFuzzer (door.c). The name of a regular file with
 * these bytes, the same one each time. */
const char *reader_file(const uint8_t *text, size_t n);
/* A socket at which these bytes wait, and then its end; the reader closes it. */
int reader_socket(const uint8_t *text, size_t n);

/* The steps from line to line that Lua takes are counted here (lines.c), where libFuzzer looks for what is new, and clears all after each
 * text: few, then; 560 different steps were seen of the largest reader. NULL: nowhere. */
enum { READER_LINES_BITS = 12, READER_LINES = 1 << READER_LINES_BITS };
extern uint8_t reader_lines[] __attribute__((weak));

#endif
