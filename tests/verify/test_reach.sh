#!/bin/sh
# What the prover decides of the statements of the field in reach/statements.lua: none wrongly, and of each group as many as it did when
# the group's row was written. A statement that is open is listed in the output of reach/run.lua.
. tests/house/house.sh

table=$build/reach.table
"$PHASOR" tests/verify/reach/run.lua > "$table" 2>&1

none_is_wrong() { grep -a -A1 '^WRONG' "$table"; grep -aq '^all .* 0 wrong$' "$table" || echo "no table"; }

each_group_is_decided_as_far_as_it_was() {
    while read -r wanted group; do
        awk -v wanted="$wanted" -v group="$group" \
            'index($0, group " ") == 1 { n = substr($0, 31) + 0; found = 1; if (n < wanted) print group ": " n " decided; wanted " wanted }
             END { if (!found) print group ": not in the table" }' "$table"
    done << 'WANTED'
38 angles
44 inverse functions
45 complex
47 roots
36 powers and logarithms
26 softmax and sigmoid
10 layer norm
75 sums
17 encodings
20 polynomials and derivatives
43 functions
14 miscellaneous
WANTED
}

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was
