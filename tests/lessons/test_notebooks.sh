#!/bin/sh
# The committed notebooks are those that the lessons make: their cells here, the verdicts in test_notebooks_odd.sh and _even.sh. Pictures
# are never compared.
. tests/house/house.sh

notebooks_are_those_of_the_lessons() { LC_ALL=C.UTF-8 "$PHASOR" tests/lessons/notebooks.lua notebooks sources 2>&1; }
a_notebook_that_differs_is_found() {
    dir=$build/notebooks.planted
    rm -rf "$dir"
    mkdir -p "$dir"
    cp -r notebooks/en notebooks/zh "$dir"
    sed -i.bak 's/"id": "wish"/"id": "wishes"/; s/proved for all real/proved for some real/
        s/"output_type": "stream",/& "text": []}, {"name": "stdout", &/' "$dir/en/teacher/rope.ipynb"
    LC_ALL=C.UTF-8 "$PHASOR" tests/lessons/notebooks.lua "$dir" rope > "$dir/said"
    grep -q 'cell [0-9]* (wish): its id' "$dir/said" || echo "a changed id is not found"
    grep -q 'does not show: proved for all real' "$dir/said" || echo "a changed verdict is not found"
    grep -q 'a stream in pieces' "$dir/said" || echo "a stream in pieces is not found"
    grep -q student "$dir/said" && cat "$dir/said"
    rm -rf "$dir"
}
they_are_small() {
    for f in notebooks/*/*/*.ipynb; do
        [ "$(wc -c < "$f")" -le 307200 ] || echo "$f: $(wc -c < "$f") bytes; at most 307200"
    done
    all=$(cat notebooks/*/*/*.ipynb notebooks/picture.png | wc -c)
    [ "$all" -le 6291456 ] || echo "notebooks: $all bytes; at most 6291456"
}
every_lesson_has_four() {
    for f in lessons/*.lua; do
        name=$(basename "$f" .lua)
        [ "$name" = ledger ] && continue
        for kind in en/teacher en/student zh/teacher zh/student; do
            [ -f "notebooks/$kind/$name.ipynb" ] || echo "no notebooks/$kind/$name.ipynb"
            grep -q "($kind/$name.ipynb)" notebooks/README.md || echo "the index does not name $kind/$name.ipynb"
        done
    done
}

run_cases notebooks_are_those_of_the_lessons a_notebook_that_differs_is_found they_are_small every_lesson_has_four
