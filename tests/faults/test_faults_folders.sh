#!/bin/sh
# What writes several files (a pack for students, a kernel for Jupyter, grades with their tables and words for each student) or one where none was (a lesson
# to begin with), with failing calls on files: see faults.sh. Either all of it is there and the
# status is 0; or the status is not 0, the words say what cannot be and why, and what is there is whole files and nothing else.
# Sources: course/pack.lua course/totals.lua kernel/install.c
. tests/faults/faults.sh

make() {
    case $1 in
    pack) set -- course pack --student -o "$dir/pack" ;;
    kernel) set -- kernel install --prefix "$dir" ;;
    new) set -- lesson new turns ;;
    grades) set -- grade --lesson "$tmp/turns.lua" --out "$dir/grades.csv" --students "$dir/students.csv" --questions "$dir/questions.csv" \
        --feedback "$dir/words" "$tmp/turns-ada.lua" "$tmp/turns-bob.lua" ;;
    esac
    (cd "$dir" && LD_PRELOAD="$preload" exec "$phasor" "$@") > "$tmp/out" 2>&1 < /dev/null
}
# once_folder WHAT KIND N
once_folder() {
    rm -rf "$dir" "$tmp/hit"
    mkdir "$dir"
    export FAULT_KIND="$2" FAULT_AT="$3"
    if make "$1"; then
        diff -r "$tmp/whole" "$dir" > /dev/null || echo "$1, $2 at call $3: said to be written, and is not"
    else
        case $2 in EINTR | SHORT) echo "$1, $2 at call $3: $(cat "$tmp/out")" ;; esac
        grep -q "\($dir.*\|turns.lua\): cannot be .*: \(No space left\|Read-only\|Input/output\|Too many open\)" "$tmp/out" || echo "$1, $2 at call $3: no reason: $(cat "$tmp/out")"
        (cd "$dir" && find . -type f) | while read -r file; do
            cmp -s "$tmp/whole/$file" "$dir/$file" || echo "$1, $2 at call $3: $file is not whole"
        done
    fi
}
# every_folder WHAT KIND...: the first three calls, then fewer and fewer
every_folder() {
    what=$1
    shift
    rm -rf "$dir" "$tmp/whole"
    mkdir "$dir"
    FAULT_AT=0 make "$what" || cat "$tmp/out"
    mv "$dir" "$tmp/whole"
    for kind; do
        n=1 hits=0
        while once_folder "$what" "$kind" $n && [ -e "$tmp/hit" ] && [ $n -lt 200 ]; do
            hits=$((hits + 1))
            n=$((n < 3 ? n + 1 : n * 2 - 1))
        done
        [ $hits -ge 3 ] || echo "$what, $kind: $hits calls failed"
    done
}
packs_are_whole_or_said() { every_folder pack ENOSPC; }
kernels_are_whole_or_said() { every_folder kernel ENOSPC EIO EMFILE EROFS EINTR SHORT; }
lessons_to_begin_with_are_whole_or_said() { every_folder new ENOSPC EIO EROFS EINTR SHORT; }
grades_are_whole_or_said() {
    (cd "$tmp" && "$phasor" lesson new turns > /dev/null)
    for name in ada bob; do printf -- '-- %%%% role="exercise" ref="first"\nfunction wavelength(i, d) return 1 end\n' > "$tmp/turns-$name.lua"; done
    every_folder grades ENOSPC EIO EROFS SHORT
}

run_cases packs_are_whole_or_said kernels_are_whole_or_said lessons_to_begin_with_are_whole_or_said grades_are_whole_or_said
