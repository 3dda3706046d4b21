#!/bin/sh
# The readers of strangers' texts on spoiled ones, for a second with a fixed seed; `make fuzz TIME=SECONDS` goes on with others.
. tests/house/house.sh
no_reader_raises() {
    "${PHASOR:-$build/phasor}" tests/fuzz/parsers.lua 1 7 > "$out" || LC_ALL=C cut -c1-300 "$out"
    grep -q "11 readers; 0 faults" "$out" || echo "no figures"
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
run_cases no_reader_raises
