#!/bin/sh
# Programs in Lua stand in files of Lua, not in strings of C (tests/fixture.h), and those files hold no program that nobody runs.
. tests/house/house.sh

long_programs() { "${PHASOR:-$build/phasor}" tests/house/fixtures.lua "$@"; }
no_program_stands_in_strings() { long_programs $(find tests -name '*.[ch]' | sort); }

# "file: @name" of a program that the C file beside it does not name.
idle_programs() {
    for f; do
        sed -n 's/^-- \(@[a-z_0-9]*\)$/\1/p' "$f" | while read -r name; do
            grep -qF "\"$name\"" "${f%.lua}.c" || echo "$f: $name"
        done
    done
}
every_program_is_run() { idle_programs $(grep -l '^-- @' tests/*/*.lua); }

rules_find_what_breaks_them() {
    d=$build/house.fixtures
    mkdir -p "$d"
    printf '%s\n' 'f("a = 1\nb = 2\nc = 3");' 'g("a\n" /* why */' '  "= \"\\x41\"\n" "b\n" "= 2");' 'h("not\nLua\nat\nall");' "i('\"', \"x\\n\\ny\\n\");" > "$d/x.c"
    finds "$d/x.c:2: a program of 4 lines; it belongs in the .lua file beside it (tests/fixture.h)" long_programs "$d/x.c"
    printf -- '-- @run\nx = 1\n\n-- @idle\ny = 1\n' > "$d/y.lua"
    printf 'run("@run");\n' > "$d/y.c"
    finds "$d/y.lua: @idle" idle_programs "$d/y.lua"
    rm -r "$d"
}

run_cases no_program_stands_in_strings every_program_is_run rules_find_what_breaks_them
