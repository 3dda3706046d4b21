#!/bin/sh
# A pipe, a device without an end or a folder stands where a file is looked for: nothing waits for it, nothing reads on and on, nothing is put in
# its place, and who reads a file that was named says what it is.
# Sources: lua/contents.c base/file.c course/progress.lua repl/inputs.c repl/history.c session/disk.c
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" PHASOR_PROGRESS="$tmp/none.json" PHASOR_SETTINGS="$tmp/none" PHASOR_HISTORY="$tmp/none.history"
kinds=pipe all="pipe device folder"
memory=4000000
! sanitized || memory=unlimited # a sanitizer reserves more than there is

# put KIND NAME: such a thing in the place of that file
put() {
    rm -rf "$tmp/at"
    mkdir "$tmp/at"
    at=$tmp/at/$2
    case $1 in pipe) mkfifo "$at" ;; device) ln -s /dev/zero "$at" ;; folder) mkdir "$at" ;; esac
}
# at_door NAME WORDS COMMAND...: COMMAND meets each kind at $tmp/at/NAME; it ends, and says WORDS
at_door() {
    name=$1 words=$2
    shift 2
    for kind in $kinds; do
        put $kind "$name"
        (cd "$tmp/at" && ulimit -v $memory && timeout 30 "$phasor" "$@" < "$tmp/in" > "$tmp/out" 2>&1)
        status=$?
        [ $status -le 2 ] || echo "a $kind as $name: status $status: $*"
        grep -q "$words" "$tmp/out" || echo "a $kind as $name, $*: $(head -c 600 "$tmp/out")"
        case $kind in pipe) [ -p "$at" ] ;; device) [ -L "$at" ] ;; folder) [ -d "$at" ] ;; esac || echo "a $kind as $name is gone: $*"
        [ "$(ls -A "$tmp/at")" = "$name" ] || echo "a $kind as $name, $*: beside it $(ls -A "$tmp/at")"
    done
}
typed() { printf '%s\n' "$@" > "$tmp/in"; }

wanted='is \(a directory\|a device, pipe or socket\); wanted a file'

what_is_kept_between_sessions() {
    kinds=$all
    typed '1 + 1' '2 + 2'
    PHASOR_PROGRESS=$tmp/at/progress.json at_door progress.json "$wanted" lesson
    kinds=pipe
    PHASOR_PROGRESS=$tmp/at/progress.json at_door progress.json "$wanted" lesson export rope --student a --out x.json
    PHASOR_SETTINGS=$tmp/at/settings at_door settings '^2$' -i
    XDG_CONFIG_HOME=$tmp/at at_door phasor '^2$' -i
}
what_a_command_reads() {
    printf -- '-- %%%% role="exercise" ref="x"\nx = 1\n' > "$tmp/answer.lua"
    typed ''
    at_door a.json "$wanted" grade a.json
    at_door a.lua "$wanted" grade --lesson rope a.lua
    at_door lesson.lua "$wanted" grade --lesson lesson.lua "$tmp/answer.lua"
    at_door a.lua "$wanted" lesson a.lua
    at_door a.lua "$wanted" check a.lua
    at_door a.lua "$wanted" notebook a.lua
    at_door a.lua "$wanted" page a.lua -o out
    at_door a.lua "$wanted" train a.lua
    at_door a.lua "$wanted" experiment run a.lua
    at_door results.csv "$wanted" experiment report extrapolation --out .
    at_door a.json "$wanted\|others can read this file" kernel run a.json
}
what_a_call_reads() {
    typed ''
    kinds=$all at_door a.npy "$wanted" -e 'read "a.npy"'
    kinds=pipe
    for call in 'read "a.npz"' 'read "a.safetensors"' 'read "a.csv"' 'read "a.safetensors.index.json"' 'rope_config "a.json"' \
        'corpus{file = "a.txt"}'; do
        file=${call#*\"}
        at_door "${file%%\"*}" "$wanted" -e "$call"
    done
    typed ':load a.lua' '2 + 2'
    at_door a.lua "cannot read a.lua: $wanted" -i
}
what_is_written() {
    typed ''
    at_door a.npy "$wanted" -e 'write("a.npy", 1)'
    at_door a.svg "$wanted" -e 'savefig("a.svg", plot{1, 2})'
    at_door a.csv "$wanted" grade --out a.csv "$phasor"
    at_door a.ipynb "$wanted" notebook rope --out a.ipynb
    at_door a.csv "train: csv: a.csv: $wanted" -e 'train{model = 1, data = 1, steps = 1, csv = "a.csv"}'
    at_door a.lua 'is there already' lesson new a
    typed '1 + 1' ':save a.lua'
    at_door a.lua "$wanted" -i
}

run_cases what_is_kept_between_sessions what_a_command_reads what_a_call_reads what_is_written
