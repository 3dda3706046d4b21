#!/bin/sh
# Arrays, pictures and inputs, with failing calls on files: see faults.sh.
# Sources: base/file.c
. tests/faults/faults.sh

arrays_are_saved_whole() {
    every_call a.npy
    every_call a.npz
    every_call a.safetensors ENOSPC
    every_call a.csv ENOSPC
}
pictures_are_saved_whole() { every_call a.svg ENOSPC; }
inputs_are_saved_whole() { every_call a.lua; }
# The other way: what is printed and cannot be.
a_full_disk_behind_a_pipe_is_said() {
    for words in "-e 1" "claims" "check rope --json" "notebook rope" "lesson rope" "--help"; do
        "$phasor" $words > /dev/full 2> "$tmp/out" < /dev/null && echo "$words: status 0"
        grep -q 'stdout: \(No space left\|Input/output\)' "$tmp/out" || echo "$words: $(cat "$tmp/out")"
    done
}

run_cases arrays_are_saved_whole pictures_are_saved_whole inputs_are_saved_whole a_full_disk_behind_a_pipe_is_said
