#!/bin/sh
# Every error that a test expects is told in Chinese, or in English with a line on the function: none is half of each. A new message stands
# with its Chinese in lib/fault_sentences.lua, lib/fault_sentences_more.lua, lib/fault_phrases.lua or, of an encoding's argument, lib/fault_encodings.lua.
# Sources: lib/faults.lua lib/fault_phrases.lua lib/fault_sentences.lua lib/fault_sentences_more.lua lib/fault_encodings.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
WHOLE=829 # so many are wholly Chinese at least: it only grows
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

told() { "$phasor" tests/house/messages.lua "$@"; }
all_of_them() { find tests src -name '*.c' -o -name '*.lua' | xargs "$phasor" tests/house/messages.lua; }

# What two tests quote of a message is not the whole of it.
none_is_half_and_none_stays_english() {
    all_of_them | grep -v '^whole: ' > "$home/wrong"
    grep -vx -e 'english: rope_config: the table' -e 'english: seven. This is an error of phasor, not of yours: please report it.' "$home/wrong"
}
the_share_does_not_fall() {
    whole=$(all_of_them | sed -n 's/^whole: //p')
    [ "$whole" -ge $WHOLE ] || echo "$whole messages are wholly Chinese, of at least $WHOLE"
}
those_without_are_found() {
    # shellcheck disable=SC1003 # a backslash, as C has it
    printf '{"f(2)", "error: t:1: matmul: the moon is \\"full\\"\\nand more"},\n{"g()", "error: t:1: zeros: a size is 2; "\n "wanted a smaller moon"},\n' > "$home/x.c"
    printf '{"error: t:1: zeros: a size is 2; wanted an integer"} {"error: t:1: zeros: a size is "}\n' >> "$home/x.c"
    finds 'english: matmul: the moon is "full"
english: zeros: a size is 2; wanted a smaller moon
whole: 1' told "$home/x.c"
}
# The rule for halves must speak up too: it is shown a laboratory that tells one.
halves_are_found() {
    printf 'package.loaded["phasor.lib.faults"] = {told = function(m) return m == "a" and "gain 是 (3) and x is (2)" or m .. "（f：of the moon）" end}\n' > "$home/half.lua"
    cat tests/house/messages.lua >> "$home/half.lua"
    printf '"error: t:1: a" "error: t:1: b"' | sed 's/" "/", "/' > "$home/y.c"
    finds 'half: gain 是 (3) and x is (2)
half: b（f：of the moon）
whole: 0' "$phasor" "$home/half.lua" "$home/y.c"
}
run_cases none_is_half_and_none_stays_english the_share_does_not_fall those_without_are_found halves_are_found
