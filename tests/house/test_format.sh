#!/bin/sh
# Every C file stands as clang-format lays it out by .clang-format (`make format`). Each version of the program lays out some lines in its own way, so
# one is asked; where it is missing the case is skipped by name.
. tests/house/house.sh

VERSION=14

# Lines that it would lay out otherwise, a file a line. What stands between "clang-format off" and "on" is left alone.
unformatted() {
    printf '%s\n' "$@" | xargs clang-format -n 2>&1 | sed -n 's/^\([^ :]*\):\([0-9]*\):.*warning: .*/\1 \2/p' |
        awk '$1 != file { if (file) print text; file = $1; text = $1 ": make format would change line " $2; next } { text = text " " $2 } END { if (file) print text }'
}
c_files_are_formatted() { unformatted src/*.c src/*/*.[ch] tests/*/*.[ch]; }
a_file_that_is_not_is_found() {
    d=$build/house.format
    mkdir -p "$d"
    cp .clang-format "$d"
    printf 'int f(int x) { return x; }\n' > "$d/right.c"
    printf 'int f( int x ) { return x; }\n/* clang-format off */\nint  y;\n/* clang-format on */\n' > "$d/wrong.c"
    finds "$d/wrong.c: make format would change line 1 1" unformatted "$d/right.c" "$d/wrong.c"
    rm -r "$d"
}

cases="c_files_are_formatted a_file_that_is_not_is_found"
if clang-format --version 2> /dev/null | grep -q "version $VERSION\."; then run_cases $cases
else for case in $cases; do printf '[ RUN      ] %s\nno clang-format %s here\n[  SKIPPED ] %s\n' "$case" "$VERSION" "$case"; done; fi
