#!/bin/sh
# phasor train and phasor experiment, in folders: killed and taken up to the same bits, shared out, two at once, damaged, foreign.
# Sources: course/experiments.lua course/runs.lua course/training.lua train/recipes.lua train/train.lua
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export XDG_STATE_HOME="$dir/state" XDG_CONFIG_HOME="$dir/config" LC_ALL=C.UTF-8 # in English, whatever the user likes

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
    rm whole/losses.csv # as a killed run leaves it
    finds 'phasor: whole holds a run; --resume goes on with it, --out names another folder' sh -c "\"$phasor\" train tiny.lua --out whole 2>&1"
    finds 'phasor: train: --steps with --resume; the run goes on with what it began with' sh -c "\"$phasor\" train tiny.lua --out whole --steps 9 --resume 2>&1"
    sed 's/d = 8/d = 16/' tiny.lua > wide.lua
    finds 'phasor: resume: whole/run.safetensors is of another model: d is 8 there, and 16 here' sh -c "\"$phasor\" train wide.lua --out whole --resume 2>&1"
    finds "phasor: train: no recipe \"ofset\"; there are characters, induction, offset, small-characters; did you mean \`offset\`?" sh -c "\"$phasor\" train ofset 2>&1"
}
two_runs_in_one_folder_are_one_too_many() {
    "$phasor" train tiny.lua --steps 100000 --out shared > /dev/null 2>&1 &
    child=$!
    for _ in $(seq 600); do [ -s shared/run.safetensors ] && break; sleep 0.02; done
    finds 'phasor: shared: another process is writing there' sh -c "\"$phasor\" train tiny.lua --out shared 2>&1"
    finds 'phasor: shared: another process is writing there' sh -c "\"$phasor\" train tiny.lua --out shared --resume 2>&1"
    kill -9 $child 2> /dev/null
    wait $child 2> /dev/null
}
# Files may have 1 KB: what is written is refused as on a full disk, and what was there stays.
a_full_disk_costs_nothing_that_was_there() {
    "$phasor" train tiny.lua --steps 100000 --out full > /dev/null 2>&1 &
    child=$!
    for _ in $(seq 600); do [ -s full/run.safetensors ] && break; sleep 0.02; done
    kill -9 $child 2> /dev/null
    wait $child 2> /dev/null
    cp full/run.safetensors before
    (trap '' XFSZ; ulimit -f 2; "$phasor" train tiny.lua --out full --resume > seen 2>&1) && echo 'its status is 0'
    grep -q '^phasor: write: full/run.safetensors: cannot be written' seen || cat seen
    cmp before full/run.safetensors
    "$phasor" experiment run few.lua --out fuller --only 1/3 > /dev/null
    cp fuller/results-1-of-3.csv before
    (trap '' XFSZ; ulimit -f 0; "$phasor" experiment run few.lua --out fuller > seen 2>&1) && echo 'its status is 0'
    grep -q 'fuller/results.csv' seen || cat seen
    cmp before fuller/results-1-of-3.csv
    [ "$(ls fuller | tr '\n' ' ')" = 'results-1-of-3.csv results-1-of-3.csv.lock results.csv.lock ' ] || ls fuller
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
# rank I of N with its output in rI.txt: as mpirun, MPICH's and srun number them
rank() {
    case $1 in
    0) OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=$2 "$phasor" experiment run "$3" --out "$4" > r0.txt 2>&1 & ;;
    1) PMI_RANK=1 PMI_SIZE=$2 "$phasor" experiment run "$3" --out "$4" > r1.txt 2>&1 & ;;
    *) SLURM_PROCID=$1 SLURM_STEP_NUM_TASKS=$2 "$phasor" experiment run "$3" --out "$4" > "r$1.txt" 2>&1 & ;;
    esac
    child=$!
}
# 2 ranks by mpirun where there is one, else by hand.
launch() {
    if command -v mpirun > /dev/null; then
        mpirun --allow-run-as-root --oversubscribe -n 2 "$phasor" experiment run "$@" 2>&1
    else
        rank 0 2 "$1" "$3"; first=$child
        rank 1 2 "$1" "$3"
        wait $first && wait $child
        status=$?
        cat r0.txt r1.txt
        return $status
    fi
}
only_results_are_left() { # in folder $1
    [ "$(ls -A "$1" | tr '\n' ' ')" = 'results.csv results.csv.lock ' ] || ls -AR "$1"
}
ranks_share_a_folder() {
    launch few.lua --out ranked > said || cat said
    cmp one/results.csv ranked/results.csv
    only_results_are_left ranked
    for r in 0 1; do grep -q "^few: rank $r of 2: 6 runs" said || cat said; done
    [ "$(grep -c '^rank [01]: code' said)" = 6 ] || cat said
    for r in 0 1 2; do rank $r 3 few.lua three; eval "rank$r=$child"; done
    wait $rank0 && wait $rank1 && wait $rank2 || cat r0.txt r1.txt r2.txt
    cmp one/results.csv three/results.csv
    only_results_are_left three
    [ "$(cat r0.txt r1.txt r2.txt | grep -c '^rank [012]: code')" = 6 ] || cat r0.txt r1.txt r2.txt
}
a_dead_rank_leaves_its_run_to_others() {
    sed 's/steps = 20/steps = 300/' few.lua > long.lua
    "$phasor" experiment run long.lua --out longer > /dev/null || echo 'one process failed'
    rank 0 2 long.lua dead; first=$child
    for _ in $(seq 600); do [ -e dead/runs/1.lock ] && break; sleep 0.02; done
    rank 1 2 long.lua dead; second=$child
    sleep 0.1
    kill -9 $first 2> /dev/null
    wait $first 2> /dev/null && echo 'it was not killed in the middle'
    wait $second || cat r1.txt
    grep -q '^rank 1: code rope, seed 1$' r1.txt || cat r1.txt
    cmp longer/results.csv dead/results.csv
    only_results_are_left dead
}
all_ranks_killed_one_process_goes_on() {
    rank 0 2 long.lua severed; first=$child
    rank 1 2 long.lua severed; second=$child
    for _ in $(seq 600); do [ -e severed/runs/1.csv ] || [ -e severed/runs/2.csv ] && break; sleep 0.02; done
    finds 'phasor: severed/results.csv: another process is writing there' sh -c "\"$phasor\" experiment run long.lua --out severed 2>&1"
    kill -9 $first $second 2> /dev/null
    wait $first $second 2> /dev/null
    : > severed/runs/.phasor-1-0.tmp # as one that was killed while it wrote
    [ -e severed/results.csv ] && echo 'they were not killed in the middle'
    "$phasor" experiment report long.lua --out severed | grep -q ' runs are not done; nothing is concluded before$' || echo 'concluded before the end'
    "$phasor" experiment run long.lua --out severed > rest.txt || cat rest.txt
    grep -q '^long: 6 runs, [1-5] to do$' rest.txt || cat rest.txt
    cmp longer/results.csv severed/results.csv
    only_results_are_left severed
}
ranks_say_what_fails() {
    sed 's/local run = /if f.seed == 2 then error("no such luck") end local run = /' few.lua > unlucky.lua
    launch unlucky.lua --out unranked > said && echo 'its status is 0'
    grep -q '^rank [01]: code rope, seed 2: .*no such luck' said || cat said
    [ "$(grep -c '^rope\|^alibi' unranked/results.csv)" = 4 ] || cat unranked/results.csv
    mkdir -p broken/runs
    printf 'rubbish' > broken/runs/3.csv
    rank 0 2 few.lua broken
    wait $child && echo 'damaged results of a rank were taken'
    grep -q 'broken/runs/3.csv: these are no results to go on from' r0.txt || cat r0.txt
    finds 'phasor: experiment: --jobs 2 under a launcher; every rank does one run at a time, so start more of them' sh -c "PMI_RANK=0 PMI_SIZE=2 \"$phasor\" experiment run few.lua --jobs 2 2>&1"
    finds 'phasor: experiment: --jobs 0; wanted a whole number from 1 to 64' sh -c "\"$phasor\" experiment run few.lua --jobs 0 2>&1"
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
# A lesson whose cell asks for an experiment beside it. Its results stand in few.csv; done anew they must say the same.
check_trains_anew_and_compares() {
    cat > asks.lua << 'LUA'
-- %% [markdown] ref="ask" lang="en"
-- # Ask
-- %% [markdown] ref="ask" lang="zh"
-- # 问
-- %% ref="ask"
return experiment "few.lua"
LUA
    rm -f few.csv
    "$phasor" check asks.lua --trust > seen 2>&1
    grep -q 'unknown' seen || cat seen
    cp one/results.csv few.csv
    "$phasor" check asks.lua --trust > seen 2>&1 || cat seen
    grep -q '1 other verdict holds' seen || cat seen
    "$phasor" check asks.lua --trust --train > seen 2>&1 || cat seen
    grep -q '1 other verdict holds' seen || cat seen
    # results under which the mean lies below 1, and sealed
    sed '1d; s/^\(rope,[0-9]*\),[^,]*,/\1,0.1,/; s/^\(rope,2\),0.1,/\1,0.101,/' one/results.csv > low.csv
    { printf '# fingerprint: %s\n' "$(sha256sum < low.csv | cut -d' ' -f1)"; cat low.csv; } > few.csv
    "$phasor" check asks.lua --trust > seen 2>&1 || cat seen
    "$phasor" check asks.lua --trust --train > seen 2>&1 && echo 'other findings were taken'
    grep -q 'experiment: few: done anew it says otherwise: in the results that travel with the program finding 1 lies below 1, and above it anew' seen || cat seen
    rm -f few.csv
}
a_page_is_written() {
    "$phasor" experiment report few.lua --out one --page page.html > /dev/null || echo 'no page'
    grep -q '<li>loss of rope' page.html && grep -q '<td>alibi</td>' page.html || head -c 600 page.html
}

run_cases a_killed_run_goes_on_to_the_same_bits a_folder_with_a_run_is_not_written_over interrupted_it_keeps_the_best \
    two_runs_in_one_folder_are_one_too_many a_full_disk_costs_nothing_that_was_there runs_are_shared_out_and_the_same \
    ranks_share_a_folder a_dead_rank_leaves_its_run_to_others all_ranks_killed_one_process_goes_on ranks_say_what_fails \
    a_killed_experiment_does_the_rest two_in_one_folder_are_one_too_many damaged_and_foreign_results_are_refused a_run_that_fails_is_said_and_left check_trains_anew_and_compares a_page_is_written
