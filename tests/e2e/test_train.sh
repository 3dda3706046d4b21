#!/bin/sh
# phasor train and phasor experiment, in folders: killed and taken up to the same bits, shared out, two at once, damaged, foreign.
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
case $phasor in /*) ;; *) phasor=$(pwd)/$phasor ;; esac
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat > tiny.lua << 'LUA'
return {model = {length = 8, d = 8, heads = 2, hidden = 8, position = "rope"}, data = task{name = "offset", vocab = 6}, steps = 400, batch = 2, save_every = 10}
LUA
# Runs of about a tenth of a second, and results that tell factors and seeds apart.
cat > few.lua << 'LUA'
return {
  title = {en = "few", zh = "几次"}, rule = "the mean of x lies above 1", factors = {{"code", {"rope", "alibi"}}, {"seed", {1, 2, 3}}}, measures = {"x", "y"},
  run = function(f)
    local run = trainer{model = {length = 8, d = 8, heads = 2, hidden = 8, position = f.code}, data = task{name = "offset", vocab = 6}, steps = 20, batch = 2, seed = f.seed}
    for _ in run do end
    return {x = run.loss, y = run.losses(1)}
  end,
  findings = function(R)
    local f = statistics.decide(R:values("x", {code = "rope"}), 1, 0.9)
    return {{words = {en = "loss of rope", zh = "旋转编码的损失"}, finding = f}}
  end,
}
LUA

# Started, killed -9 somewhere in the middle, taken up: parameters, moments and losses are those of a run that nobody killed.
a_killed_run_goes_on_to_the_same_bits() {
    "$phasor" train tiny.lua --out whole > /dev/null || echo 'the whole run failed'
    "$phasor" train tiny.lua --out cut > /dev/null 2>&1 &
    child=$!
    for _ in $(seq 600); do [ -s cut/run.safetensors ] && break; sleep 0.02; done
    kill -9 $child 2> /dev/null
    wait $child 2> /dev/null
    [ -e cut/losses.csv ] && echo 'it was not killed in the middle'
    "$phasor" train tiny.lua --out cut --resume > /dev/null || echo 'it does not go on'
    cmp whole/run.safetensors cut/run.safetensors
    cmp whole/losses.csv cut/losses.csv
}
a_folder_with_a_run_is_not_written_over() {
    finds 'phasor: whole holds a run; --resume goes on with it, --out names another folder' sh -c "\"$phasor\" train tiny.lua --out whole 2>&1"
    finds "phasor: train: no recipe \"ofset\"; did you mean \`offset\`?; there are characters, induction, offset, small-characters" sh -c "\"$phasor\" train ofset 2>&1"
}
interrupted_it_keeps_the_best() {
    "$phasor" train tiny.lua --steps 100000 --out long > said 2>&1 &
    child=$!
    for _ in $(seq 600); do [ -s long/run.safetensors ] && break; sleep 0.02; done
    kill -INT $child
    wait $child
    grep -q '^train: interrupted after [0-9]* steps; best training loss' said || cat said
    [ -s long/best.safetensors ] && [ -s long/losses.csv ] || ls long
}
runs_are_shared_out_and_the_same() {
    "$phasor" experiment run few.lua --out one > /dev/null || echo 'one process failed'
    "$phasor" experiment run few.lua --out two --jobs 2 > /dev/null || echo 'two processes failed'
    cmp one/results.csv two/results.csv
    "$phasor" experiment run few.lua --out shares --only 1/2 > /dev/null && "$phasor" experiment run few.lua --out shares --only 2/2 > /dev/null
    "$phasor" experiment report few.lua --out one > whole.txt
    "$phasor" experiment report few.lua --out shares --parts 2 > shares.txt
    cmp whole.txt shares.txt
    grep -q '^loss of rope (mean .* 90 % interval .* 3 seeds): measured: ' whole.txt || cat whole.txt
}
a_killed_experiment_does_the_rest() {
    "$phasor" experiment run few.lua --out killed > /dev/null 2>&1 &
    child=$!
    for _ in $(seq 600); do [ -s killed/results.csv ] && break; sleep 0.02; done
    kill -9 $child 2> /dev/null
    wait $child 2> /dev/null
    "$phasor" experiment report few.lua --out killed > early.txt && [ "$(grep -c ^rope killed/results.csv)" -lt 3 ] && echo 'concluded before the end'
    "$phasor" experiment run few.lua --out killed > rest.txt || cat rest.txt
    cmp one/results.csv killed/results.csv
    finds 'few: 6 runs, 0 to do' "$phasor" experiment run few.lua --out killed
}
two_in_one_folder_are_one_too_many() {
    sed 's/steps = 20/steps = 4000/' few.lua > slow.lua
    "$phasor" experiment run slow.lua --out both > /dev/null 2>&1 &
    child=$!
    for _ in $(seq 600); do [ -e both/results.csv.lock ] && break; sleep 0.02; done
    sleep 0.1
    finds 'phasor: both/results.csv: another process is writing there' sh -c "\"$phasor\" experiment run slow.lua --out both 2>&1"
    kill -9 $child 2> /dev/null
    wait $child 2> /dev/null
}
damaged_and_foreign_results_are_refused() {
    mkdir -p damaged
    for damage in 'head -c -5' 'sed 5s/[0-9]/7/' 'sed $d' 'head -n 5' 'head -c 10'; do # cut in a number, a digit changed, a run lost
        $damage one/results.csv > damaged/results.csv
        cmp -s one/results.csv damaged/results.csv && echo "$damage changes nothing"
        "$phasor" experiment run few.lua --out damaged > seen 2>&1 && echo "$damage: damaged results were taken"
        grep -q 'damaged/results.csv: these are no results to go on from: they were changed or damaged after the runs' seen || cat seen
    done
    sed 's/the mean of x/the mean of all x/' few.lua > other.lua
    "$phasor" experiment run other.lua --out one > seen 2>&1 && echo 'foreign results were taken'
    grep -q 'they are of another experiment' seen || cat seen
}
a_run_that_fails_is_said_and_left() {
    sed 's/local run = /if f.seed == 2 then error("no such luck") end local run = /' few.lua > unlucky.lua
    "$phasor" experiment run unlucky.lua --out unlucky > seen 2>&1 && echo 'its status is 0'
    [ "$(grep -c 'no such luck' seen)" = 2 ] || cat seen
    grep -q ' 2 runs are not done' seen && echo early
    "$phasor" experiment report unlucky.lua --out unlucky | grep -q '^2 runs are not done; nothing is concluded before$' || echo 'concluded without all runs'
}
a_page_is_written() {
    "$phasor" experiment report few.lua --out one --page page.html > /dev/null || echo 'no page'
    grep -q '<li>loss of rope' page.html && grep -q '<td>alibi</td>' page.html || head -c 600 page.html
}

run_cases a_killed_run_goes_on_to_the_same_bits a_folder_with_a_run_is_not_written_over interrupted_it_keeps_the_best runs_are_shared_out_and_the_same \
    a_killed_experiment_does_the_rest two_in_one_folder_are_one_too_many damaged_and_foreign_results_are_refused a_run_that_fails_is_said_and_left a_page_is_written
