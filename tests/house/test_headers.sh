#!/bin/sh
# A file includes the headers of what it calls in the C library: that another library's headers bring them along is true on one system only.
. tests/house/house.sh

lacking() { "${PHASOR:-$build/phasor}" tests/house/headers.lua "$@"; }
every_call_has_its_header() { lacking $(find src tests -name '*.c' | LC_ALL=C sort); }
a_missing_header_is_found() {
    d=$build/house.headers
    rm -rf "$d"
    mkdir -p "$d/room"
    printf '#include <math.h>\n#include "deep.h"\n' > "$d/room/ours.h"
    printf '#include <string.h>\n' > "$d/room/deep.h"
    printf '#include "ours.h"\n/* abs(3) */\nint f(int x) { x = strlen("free(x)") + floor(x); return labs(x) + p->exit(x) + my_abort(x); }\n' > "$d/room/x.c"
    printf '#include <stdlib.h>\nint f(int x) { return labs(x); }\n' > "$d/room/y.c"
    finds "$d/room/x.c: labs wants <stdlib.h>" lacking "$d/room/x.c" "$d/room/y.c"
    rm -r "$d"
}

run_cases every_call_has_its_header a_missing_header_is_found
