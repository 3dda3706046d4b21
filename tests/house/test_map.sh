#!/bin/sh
# The map in CONTRIBUTING.md: its rooms, its arrows and the files on its paths are those of the tree, and it fits on a page.
. tests/house/house.sh

LINES=60
section() { awk '/^## /{on = ($0 == "## The house")} on' "$1"; }

# Rooms of the table against folders of src.
rooms() { section "$1" | sed -n 's/^| `\([a-z]*\)\/` .*/\1/p' | sort; }
the_table_has_every_room() {
    rooms CONTRIBUTING.md > "$build/house.rooms"
    ls -d src/*/ | sed 's|^src/||; s|/$||' | sort | comm -3 "$build/house.rooms" - | sed 's/^/not both in the table and in src: /'
}

# "room: what it may include" of both tables of test_arrows.sh, and of the block of arrows, one edge a line.
edges_of_rules() {
    awk '/<< .ROOMS.$/{on = 1; next} /^ROOMS$/{on = 0}
         on { split($0, a, / *: */); n = split(a[2], to, " "); for (i = 1; i <= n; i++) print to[i], a[1] }' tests/house/test_arrows.sh | sort -u
}
edges_of_map() {
    section "$1" | awk '/^```/{on = !on; next} on' | sed 's/ *Lua: */   /; s/main\.c//' | awk '
        BEGIN { RS = "   +|\n" }
        /<-/ {
            n = split($0, side, / *<- */)
            for (i = 1; i < n; i++) {
                if (side[i] ~ /all of these/) { side[i] = ""; for (r in seen) side[i] = side[i] (side[i] == "" ? "" : ", ") r }
                a = split(side[i], low, /[, ]+/); b = split(side[i + 1], high, /[, ]+/)
                for (j = 1; j <= a; j++) for (k = 1; k <= b; k++) if (low[j] != "" && high[k] != "") print low[j], high[k]
            }
            for (i = 1; i <= n; i++) { a = split(side[i], low, /[, ]+/); for (j = 1; j <= a; j++) if (low[j] != "") seen[low[j]] = 1 }
        }' | sort -u
}
the_arrows_are_the_rules() {
    edges_of_rules | grep -v 'lua$' > "$build/house.rules" # what lua/ may open is said in words below
    edges_of_map CONTRIBUTING.md | grep -v 'lua$' > "$build/house.map"
    comm -23 "$build/house.rules" "$build/house.map" | sed 's/^/a rule that is no arrow: /'
    comm -13 "$build/house.rules" "$build/house.map" | sed 's/^/an arrow that is no rule: /'
}

# Files named in backquotes behind "paths": with a room, in it; without one, in the room named last before it.
lost_files() {
    section "$1" | awk '/paths, each/{on = 1} on' | grep -o '`[a-z_/]*\.\(c\|h\|lua\)`' | tr -d '`' | while read -r f; do
        case $f in
        lessons/*) continue ;;
        */*) room=${f%/*} ;;
        *) f=$room/$f ;;
        esac
        [ -f "src/$f" ] || echo "no src/$f"
    done
}
the_paths_name_files_that_are_there() { lost_files CONTRIBUTING.md; }

# Tests stand in the folder of their room; those of the whole program, of its lessons and of these rules have folders of their own.
strange_folders() {
    for folder in "$1"/*/; do
        room=$(basename "$folder")
        case $room in bench | e2e | faults | fuzz | house | lessons) continue ;; esac
        [ -d "src/$room" ] || echo "tests/$room: no such room"
    done
}
tests_stand_in_their_room() { strange_folders tests; }

it_fits_on_a_page() {
    n=$(section CONTRIBUTING.md | wc -l)
    [ "$n" -le $LINES ] || echo "$n lines; wanted at most $LINES"
}

a_wrong_map_is_found() {
    printf '%s\n' '## The house' '```' 'base <- array   array, expr <- lib <- repl' '```' 'Two paths, each' \
        '`base/base.h` -> `nothing.c` -> `lua/expr.c` -> `base.h`' > "$build/house.wrong"
    finds 'array lib
base array
expr lib
lib repl' edges_of_map "$build/house.wrong"
    mkdir -p "$build/house.tests/cellar" "$build/house.tests/array"
    finds 'tests/cellar: no such room' strange_folders "$build/house.tests"
    rm -r "$build/house.tests"
    finds 'no src/base/nothing.c
no src/lua/base.h' lost_files "$build/house.wrong"
}

run_cases the_table_has_every_room the_arrows_are_the_rules the_paths_name_files_that_are_there tests_stand_in_their_room it_fits_on_a_page a_wrong_map_is_found
