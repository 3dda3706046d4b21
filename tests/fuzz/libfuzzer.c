/* libfuzzer.c: one reader under libFuzzer; scripts/fuzz builds and runs it. READER names the reader. With SHORT=N its texts
 * are a part in N as long as the longest. */
#include "readers.h"

#include <sanitizer/lsan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const reader *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static char *with[64], most[32];
    const char *name = getenv("READER"), *part = getenv("SHORT");
    chosen = name ? reader_find(name) : NULL;
    reader_must(chosen != NULL, name ? name : "READER", "no reader of that name");
    __lsan_disable(); /* what stays open between texts is no leak */
    chosen->read((const uint8_t *)"", 0);
    __lsan_enable();
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], "-max_len=", 9) == 0) return 0;
    reader_must(*argc < 60, name, "too many arguments");
    memcpy(with, *argv, (size_t)*argc * sizeof **argv);
    snprintf(most, sizeof most, "-max_len=%d", chosen->most / (part ? atoi(part) : 1));
    with[(*argc)++] = most;
    *argv = with;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *text, size_t n) {
    chosen->read(text, n);
    return 0;
}
