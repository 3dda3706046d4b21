#!/bin/sh
# Files of the newest readers (halves in .npy and .safetensors, indices of shards, configurations of models) that somebody made to do harm: each is
# refused in words that name the file, the field, what it holds and what was wanted, and the session goes on: see hostile.lua.
# Sources: lib/shards.lua lib/rope_config.lua files/npy.c files/safetensors.c
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
script=$(pwd)/tests/files/hostile.lua
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

each_is_refused_in_words() {
    said=$(cd "$tmp" && timeout 100 "$phasor" "$script" 2>&1)
    [ "$said" = "all refused" ] || echo "$said"
}

run_cases each_is_refused_in_words
