#!/bin/sh
# phasor check su/embedding-covariance --model FILE: on models that are made here, for which the answer is known.
# Sources: course/model.lua
. tests/house/house.sh
phasor=$(whole "${PHASOR:-$build/phasor}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
id=su/embedding-covariance

# Independent coordinates, and 32 that are made of 4: their covariance has rank 4, so by |C|^2 >= (sum of the diagonal)^2 / 4
# the rest is at least (32^2/4 - 32)/(32*31) = 0.226 of the squared diagonal, 0.47 of it.
"$phasor" -e 'g = rng(1)
tables = {word = randn(g, 3000, 32), pos = 0.2 * randn(g, 512, 32), four = matmul(randn(g, 500, 4), randn(g, 4, 32)), odd = eye(3), one = ones(4)}
write("m.npz", tables)
write("m.safetensors", tables, {dtype = "f32"})
for name, t in pairs(tables) do write(name .. ".npy", t) end
write("few.npy", randn(rng(2), 60, 32)) -- independent, but 60 rows show 1/sqrt(59) = 0.13 of covariance all the same'

status() { "$@" > out 2>&1; echo "status $?: $(cat out)"; }
without_a_model_an_experiment_is_asked() {
    status "$phasor" check $id --strict > seen
    grep -q "^status 0: $id *\(measured\|unknown\) *" seen || cat seen
    grep -q 'seeds)\|phasor experiment run covariance' seen || cat seen
}
a_model_that_agrees() {
    for file in m.npz m.safetensors; do
        status "$phasor" check $id --model $file --word word --position=pos --strict > seen
        grep -q "^status 0: $id *holds *measured: " seen && grep -q '^1 claim checked: 1 holds, 0 failed; 1 other verdict holds$' seen || cat seen
    done
}
tables_in_files_of_their_own() {
    for words in word few; do
        status "$phasor" check $id --word $words.npy --position pos.npy --strict > seen
        grep -q "^status 0: $id *holds *measured: " seen || cat seen
    done
    status "$phasor" check $id --word word.npy --position four.npy > seen
    grep -q "^status 1: $id *failed *refuted: " seen || cat seen
    status "$phasor" check $id --word word.npy --position odd.npy > seen
    grep -qF "words have 32 columns and positions 3 in odd.npy" seen || cat seen
    status "$phasor" check $id --word word.npy --position pos > seen
    grep -q "^status 2: phasor: check: --word and --position name embeddings in a --model FILE, or are two files .npy" seen || cat seen
}
a_model_that_does_not() {
    status "$phasor" check $id --model m.npz --word word --position four > seen
    grep -q "^status 1: $id *failed *refuted: " seen || cat seen
    status "$phasor" check $id --model m.npz --word pos --position word > seen # longer positions than words
    grep -q "^status 1: $id *failed *refuted: .* > 1 " seen || cat seen
}
what_is_no_model_is_refused() {
    for words in "m.npz word pso|unknown tensor 'pso' in m.npz; did you mean 'pos'?" \
        "m.npz word odd|words have 32 columns and positions 3 in m.npz" "none.npz word pos|none.npz: cannot be opened" \
        'm.npz word one|position "one" in m.npz has shape {4}; wanted a row for each position' "m.pt word pos|wanted a .safetensors"; do
        set -- ${words%%|*}
        status "$phasor" check $id --model "$1" --word "$2" --position "$3" > seen
        grep -q '^status 1: ' seen && grep -qF "${words#*|}" seen || cat seen
    done
}
options_come_together() {
    finds "status 2: phasor: check: --model wants --word KEY and --position KEY, the names of the two embeddings in it" \
        status "$phasor" check $id --model m.npz --word word
    finds "status 2: phasor: check: --word and --position name embeddings in a --model FILE, or are two files .npy" status "$phasor" check --word=word
    finds "status 2: phasor: check: --model wants a value" status "$phasor" check --model
    finds 'status 2: phasor: check: no option --modle; did you mean `--model`?' status "$phasor" check --modle m.npz
}

run_cases without_a_model_an_experiment_is_asked a_model_that_agrees tables_in_files_of_their_own a_model_that_does_not what_is_no_model_is_refused options_come_together
