#!/bin/sh
# Each source file has tests that name it, so that they are found: the head of a test file says in lines "Sources: room/file.c room/other.lua" what
# it tests (scripts/tests-of FILE). Every .c, .inc and .lua of src/ stands in one head or more; headers are tested with their .c files.
. tests/house/house.sh

# "test source" of every line "Sources:" in the head, the comment that a test file begins with.
named() {
    for t in "$1"/*/test_*.c "$1"/*/test_*.sh; do
        [ -f "$t" ] || continue
        awk -v test="$t" '
            FILENAME ~ /c$/ ? FNR == 1 && !/^\/\*/ : FNR > 1 && !/^#/ { exit }
            /^[ *#]*Sources:/ {
                sub(/.*Sources: */, ""); sub(/ *\*\/$/, "")
                n = split($0, file, / +/)
                for (i = 1; i <= n; i++) if (file[i] != "") print test, file[i]
            }
            FILENAME ~ /c$/ && /\*\// { exit }' "$t"
    done
}
sources() { (cd "$1" && find . -name '*.c' -o -name '*.inc' -o -name '*.lua') | sed 's|^\./||' | LC_ALL=C sort; }

# untested SRC TESTS, strange SRC TESTS, estranged SRC TESTS
untested() {
    named "$2" | sed 's/.* //' | LC_ALL=C sort -u > "$build/house.named"
    sources "$1" | LC_ALL=C comm -23 - "$build/house.named" |
        sed 's|.*|src/&: no test names it; write "Sources: &" in the head of its test|'
}
strange() { named "$2" | while read -r t file; do [ -f "$1/$file" ] || echo "$t names $file: there is no $1/$file"; done; }
# A test that is called as a file of its room is that file's test.
estranged() {
    named "$2" > "$build/house.named"
    sources "$1" | while read -r file; do
        name=${file##*/}
        for t in "$2/${file%/*}/test_${name%.*}".c "$2/${file%/*}/test_${name%.*}".sh; do
            [ ! -f "$t" ] || grep -qxF "$t $file" "$build/house.named" || echo "$t is called as $file and does not name it"
        done
    done
}

every_source_is_named_by_a_test() { untested src tests; }
every_file_that_is_named_is_there() { strange src tests; }
namesakes_name_each_other() { estranged src tests; }
the_tests_of_a_file_are_found() {
    finds tests/e2e/test_command_line.c scripts/tests-of src/main.c
    [ -z "$(scripts/tests-of src/base/nothing.c)" ] || echo 'tests of a file that is not there'
    scripts/tests-of src/base/nothing.c && echo 'no test, yet status 0'
    finds "$(scripts/tests-of src/base/text.c)" scripts/tests-of base/text.h
}
what_breaks_these_rules_is_found() {
    d=$build/house.sources
    rm -rf "$d"
    mkdir -p "$d/src/a" "$d/tests/a"
    : > "$d/src/a/x.c"
    : > "$d/src/a/y.lua"
    : > "$d/src/a/z.h"
    printf '/* Of much.\n * Sources: a/gone.c a/y.lua\n */\n/* Sources: a/x.c */\n' > "$d/tests/a/test_x.c"
    printf '#!/bin/sh\n# Of more.\n. it\n# Sources: a/x.c\n' > "$d/tests/a/test_z.sh"
    finds "$d/tests/a/test_x.c names a/gone.c: there is no $d/src/a/gone.c" strange "$d/src" "$d/tests"
    finds 'src/a/x.c: no test names it; write "Sources: a/x.c" in the head of its test' untested "$d/src" "$d/tests"
    finds "$d/tests/a/test_x.c is called as a/x.c and does not name it" estranged "$d/src" "$d/tests"
    rm -r "$d"
}

run_cases every_source_is_named_by_a_test every_file_that_is_named_is_there namesakes_name_each_other the_tests_of_a_file_are_found \
    what_breaks_these_rules_is_found
