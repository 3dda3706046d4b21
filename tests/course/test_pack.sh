#!/bin/sh
# What is packed for students: a program that runs and lessons to read, in which no solution, wrong answer or hidden test stands (pack.lua).
# Sources: course/pack.lua course/shipped.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
dir=$(whole "$build/pack") # four copies of the program: more than a small /tmp may hold
rm -rf "$dir" && mkdir -p "$dir"
trap 'rm -rf "$dir"' EXIT
export HOME=$dir PHASOR_PROGRESS=

"$phasor" course pack --student -o "$dir/bare" > "$dir/said" 2>&1
"$phasor" course pack --student --checks -o "$dir/shown" > "$dir/said-too" 2>&1

nothing_secret_is_in_it() {
    finds "$dir/bare/phasor: 16 lessons without solutions" cat "$dir/said"
    "$phasor" tests/course/pack.lua "$dir/bare"
    "$phasor" tests/course/pack.lua "$dir/shown" shown
}
# The test above sees what is wrong: a check that stays, a line of a solution, a line that is gone.
what_tells_is_found() {
    "$phasor" tests/course/pack.lua "$dir/shown" | grep -q 'rope.lua tells: local function right' || echo "a check passes for nothing"
    mkdir "$dir/spoiled" && cp -r "$dir/bare/." "$dir/spoiled"
    sed -n '/BEGIN SOLUTION/,/END SOLUTION/p' lessons/rope.lua | grep -m 1 'return' >> "$dir/spoiled/lessons/rope.lua"
    sed -i '/^print/d' "$dir/spoiled/lessons/order.lua"
    "$phasor" tests/course/pack.lua "$dir/spoiled" > "$dir/faults"
    grep -q 'rope.lua tells: ' "$dir/faults" || echo "a solution passes"
    grep -q 'order.lua lacks: ' "$dir/faults" || echo "a missing line passes"
    grep -q 'the program has another copy of rope.lua' "$dir/faults" || echo "another copy passes"
}
it_runs_its_lessons() {
    for program in bare shown; do
        "$dir/$program/phasor" lesson lint order absolute | tail -n 1 | grep -q '^2 lessons, 0 to mend$' || echo "$program: lint"
        "$dir/$program/phasor" check order absolute > "$dir/check" || echo "$program: check"
        if grep -q 'exercises tested' "$dir/check"; then echo "$program: exercises were tested without a solution"; fi
        "$dir/$program/phasor" lesson rope < /dev/null > "$dir/rope" || echo "$program: lesson"
        if grep -q '^The solution:' "$dir/rope"; then echo "$program: a solution"; fi
        [ "$(grep -c '^Your turn' "$dir/rope")" = 4 ] || echo "$program: not four exercises"
    done
}
# An answer is taken as far as can be seen, and graded by the whole program as the same lesson's.
answers_are_graded_elsewhere() {
    printf 'check "angle-between"\nbetween = 0.6 + 0.3\ncheck "angle-between"\nbetween = 0.6\ncheck "angle-between"\n' > "$dir/in"
    "$dir/bare/phasor" -i < "$dir/in" > "$dir/out" 2>&1
    grep -q '`between` is not defined yet' "$dir/out" || echo "a missing answer"
    [ "$(grep -c 'Your answer runs; it is judged where it is graded.' "$dir/out")" = 2 ] || echo "an answer is not taken"
    "$dir/shown/phasor" -i < "$dir/in" 2>&1 | grep -q '0.6 is the angle before they are turned' || echo "no feedback of a check that is shown"
    printf -- '-- %%%% role="exercise" ref="angle-between"\nbetween = 0.9\n' > "$dir/rope-ann.lua"
    "$dir/bare/phasor" grade "$dir/rope-ann.lua" 2>&1 | grep -q "a student's copy, without checks" || echo "a copy grades"
    "$dir/bare/phasor" course pack --student -o "$dir/again" 2>&1 | grep -q "student's own" || echo "a copy is packed"
}
mistakes_in_its_use() {
    finds 'phasor: course: wanted pack --student -o DIR, or nothing for the plan' sh -c "'$phasor' course pack 2>&1"
    finds 'phasor: course pack: wanted -o and a folder to write into' sh -c "'$phasor' course pack --student 2>&1"
    "$phasor" course pack --student -o /proc/nowhere 2>&1 | grep -q '^phasor: /proc/nowhere' || echo "a folder that cannot be made"
}

run_cases nothing_secret_is_in_it what_tells_is_found it_runs_its_lessons answers_are_graded_elsewhere mistakes_in_its_use
