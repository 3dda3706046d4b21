/* lines.c: where libFuzzer looks for the lines that Lua ran: what stands in this section it takes for counters of its own. It looks at all of
 * them after every text, so a program without Lua's readers goes without. */
#include "readers.h"

__attribute__((section("__libfuzzer_extra_counters"))) uint8_t reader_lines[READER_LINES];
