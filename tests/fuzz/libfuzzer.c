/* libfuzzer.c: one reader under libFuzzer; scripts/fuzz builds and runs it. READER names the reader. */
#include "readers.h"

#include <sanitizer/lsan_interface.h>
#include <stdlib.h>

/* libFuzzer takes what it finds in this section for counters of its own. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t lines[READER_LINES];

static const reader *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    const char *name = getenv("READER");
    reader_lines = lines;
    chosen = name ? reader_find(name) : NULL;
    reader_must(chosen != NULL, name ? name : "READER", "no reader of that name");
    __lsan_disable(); /* what stays open between texts is no leak */
    chosen->read((const uint8_t *)"", 0);
    __lsan_enable();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *text, size_t n) {
    chosen->read(text, n);
    return 0;
}
