#!/bin/sh
# Files that somebody made to do harm: results of experiments, progress, students' copies of lessons (hostile_files.lua); settings; and what a stranger
# puts beside a lesson under the names of the program's own lists.
# Sources: course/progress.lua course/runs.lua train/experiment.lua repl/settings.c course/stated.lua verify/coq_known.c
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
script=$(pwd)/tests/course/hostile_files.lua
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" PHASOR_PROGRESS="$tmp/progress.json" PHASOR_SETTINGS="$tmp/settings" PHASOR_HISTORY="$tmp/history"
unset LC_MESSAGES
export LC_ALL=C.UTF-8

each_is_refused_in_words() {
    mkdir "$tmp/by-hand"
    said=$(cd "$tmp/by-hand" && timeout 100 "$phasor" "$script" 2>&1)
    [ "$said" = "all refused" ] || echo "$said"
}
# The map of the course and the hand-in go on behind a progress that is damaged, which is said once and kept.
the_course_goes_on() {
    printf '{"phasor": "progress", "version": 1, "seal": "", "lessons": {"rope": {"step": "x"}}}' > "$PHASOR_PROGRESS"
    "$phasor" lesson > "$tmp/out" 2>&1 || echo "status $?"
    grep -q "progress.json, is damaged (lesson rope: exercises is missing; wanted an object)" "$tmp/out" || head -n 5 "$tmp/out"
    grep -q '10 rope' "$tmp/out" || echo "no map"
    "$phasor" lesson > "$tmp/out" 2>&1
    if grep -q damaged "$tmp/out"; then echo "said twice"; fi
    [ -e "$PHASOR_PROGRESS.damaged" ] || echo "not kept"
}

# spoiled N: the N-th hostile list, on standard output
spoiled() {
    case $1 in
    1) ;;
    2) head -c 100000 /dev/zero ;;
    3) printf '\377\376\001 :: \200' ;;
    4) yes 'pe/absolute-lookup :: proved :: 1 = 2 ::  :: ' | head -n 20000 ;;
    5) awk 'BEGIN { while (i++ < 20000) printf "%064d\n", i }' ;;
    6) printf 'pe/absolute-lookup' ;;
    7) printf '%s' "$(head -c 3000 lessons/stated)" ;;
    8) sed 's/measured/proved/' lessons/stated ;;
    9) sort -r lessons/rechecked ;;
    10) printf 'return os.execute("touch %s/run")\n' "$tmp" ;;
    11) awk 'BEGIN { while (i++ < 1000000) printf "x" }' ;;
    esac
}
# Neither list is read but from the program itself.
lists_beside_a_lesson_are_no_matter() {
    mkdir -p "$tmp/stranger/lessons"
    (cd "$tmp/stranger" && "$phasor" lesson new turns > /dev/null && mv turns.lua lessons/ 2> /dev/null; cd "$tmp/stranger/lessons" && "$phasor" check turns.lua > "$tmp/alone" 2>&1)
    grep -q '0 failed; 1 other verdict holds; 1 exercise tested' "$tmp/alone" || cat "$tmp/alone"
    for n in 1 2 3 4 5 6 7 8 9 10 11 pipe folder; do
        for name in stated rechecked; do
            at=$tmp/stranger/lessons/$name
            case $n in pipe) mkfifo "$at" ;; folder) mkdir "$at" ;; *) spoiled $n > "$at" ;; esac
        done
        (cd "$tmp/stranger/lessons" && timeout 60 "$phasor" check turns.lua > "$tmp/beside" 2>&1)
        diff "$tmp/alone" "$tmp/beside" > "$tmp/out" || { echo "lists $n:"; cat "$tmp/out"; }
        rm -rf "$tmp/stranger/lessons/stated" "$tmp/stranger/lessons/rechecked"
    done
    [ ! -e "$tmp/run" ] || echo "a list was run"
}

# Settings that say nothing of the kind choose nothing; the session goes on in the locale's language.
settings_that_are_none() {
    for text in '' 'lang=tlh' 'lang' 'lang=' 'lang=zhen' 'lang= zh_CN' 'language=zh' '\377\376lang=zh' '\033[31mlang=zh' '{"lang": "zh"}' 'lang=%s%s%n' ' \0lang=zh' '#lang=zh'; do
        printf "$(printf '%s' "$text" | sed 's/%/%%/g')" > "$PHASOR_SETTINGS"
        cp "$PHASOR_SETTINGS" "$tmp/before"
        printf '1 + 1\n:lang\n' | timeout 20 "$phasor" -i > "$tmp/out" 2>&1 || echo "$text: status $?"
        grep -q '^2$' "$tmp/out" || echo "$text: no answer"
        grep -q 'language: English' "$tmp/out" || echo "$text: another language: $(cat "$tmp/out")"
        cmp -s "$PHASOR_SETTINGS" "$tmp/before" || echo "$text: the file was changed"
    done
    { head -c 50000000 /dev/zero; echo; echo lang=zh; } > "$PHASOR_SETTINGS"
    printf '1 + 1\n' | timeout 20 "$phasor" -i 2>&1 | grep -q '^2$' || echo "50 MB of settings: no answer"
    printf 'lang=zh\n' > "$PHASOR_SETTINGS"
    printf ':lang\n' | "$phasor" -i 2>&1 | grep -q '中文' || echo "settings are not read"
}

run_cases each_is_refused_in_words the_course_goes_on lists_beside_a_lesson_are_no_matter settings_that_are_none
