#!/bin/sh
# README.md says nothing that does not happen. ```phasor: a session, inputs behind "> " (">> " continues), the rest is
# what it prints. ```console: commands behind "$ ", the rest is what they print. ```sh: commands to be typed; their targets and
# files must be there.
. tests/house/house.sh
dir=$(whole "$build/house.readme")
rm -rf "$dir"
mkdir -p "$dir"

# The blocks of kind $1 in the file $2, one file each: DIR/KIND.1, DIR/KIND.2, ...
blocks() {
    awk -v kind="$1" -v dir="$dir" '
        /^```/ { if (inside) { inside = 0; close(file) } else if ($0 == "```" kind) { inside = 1; file = dir "/" kind "." ++n }; next }
        inside { print > file }' "$2"
}
count() { ls "$dir/$1".[0-9]* 2> /dev/null | wc -l; }
differs() { diff "$1" "$2" | sed -n 's/^</README:/p; s/^>/really:/p'; }

# Runs a session block and says where it differs.
session() {
    sed -n 's/^>>* //p; s/^>>*$//p' "$1" > "$1.in"
    sed '/^>/d; /^$/d' "$1" > "$1.want"
    HOME=$dir XDG_STATE_HOME=$dir NO_COLOR=1 "$PHASOR" -i < "$1.in" 2>&1 | sed '/^$/d' > "$1.out"
    differs "$1.want" "$1.out"
}
console() {
    sed -n 's/^\$ //p' "$1" | sed "s|build/phasor|$PHASOR|g" > "$1.in"
    sed '/^\$ /d; /^$/d' "$1" > "$1.want"
    HOME=$dir sh "$1.in" 2>&1 < /dev/null | sed '/^$/d' > "$1.out"
    differs "$1.want" "$1.out"
}
typed() {
    sed 's/#.*//; s/&&/\n/g' "$1" | while read -r first second rest; do
        case $first in
        make) [ -z "$second" ] || grep -q "^$second:" Makefile || echo "no make target $second" ;;
        git | cd | '') ;;
        build/phasor) [ -x "$PHASOR" ] || echo "no command $PHASOR" ;;
        *) [ -x "$first" ] || echo "no command $first" ;;
        esac
    done
}
each() { for f in "$dir/$1".[0-9]; do [ ! -e "$f" ] || "$2" "$f"; done; }

sessions_go_as_printed() {
    blocks phasor README.md
    [ "$(count phasor)" -ge 1 ] || echo "no session in README.md"
    each phasor session
}
commands_print_what_is_shown() {
    blocks console README.md
    each console console
}
commands_are_there() {
    blocks sh README.md
    [ "$(count sh)" -ge 1 ] || echo "no command in README.md"
    each sh typed
}
a_wrong_readme_is_found() {
    { echo '> 1 + 1'; echo 3; echo '> A = eye(2)'; echo '> A(1, 1)'; echo 1.0; } > "$dir/planted"
    finds 'README: 3
really: 2' session "$dir/planted"
    echo 'make tea' > "$dir/planted"
    finds 'no make target tea' typed "$dir/planted"
    echo '$ echo one' > "$dir/planted"
    finds 'really: one' console "$dir/planted"
}

run_cases sessions_go_as_printed commands_print_what_is_shown commands_are_there a_wrong_readme_is_found
