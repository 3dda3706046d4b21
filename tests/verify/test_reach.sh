#!/bin/sh
# What the prover decides of the statements of the field in reach/: none wrongly, and of each group as many as it did when
# the group's row was written. A statement that is open is listed in the output of reach/run.lua.
# Sources: verify/by_induction.c verify/by_ranges.c verify/by_residues.c verify/by_sums.c verify/identity.c verify/inverse.c verify/lemmas.c
# Sources: verify/summation.c verify/tails.c verify/termwise.c verify/trial.c verify/whole.c verify/certify.c verify/end.c verify/moments.c
. tests/house/house.sh

table=$build/reach.table
reach=tests/verify/reach
statements=
for part in statements phrases phrases_real products residues parameters limits seldom; do statements="$statements $reach/$part.lua"; done
STATEMENTS=$statements "$PHASOR" $reach/run.lua > "$table" 2>&1

none_is_wrong() { grep -a -A1 "^WRONG" "$table"; grep -aq "^all .* 0 wrong$" "$table" || echo "no table"; }

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
27 rotations and bases
11 Chebyshev
22 derivatives
83 known functions
27 certificates
49 weights
72 more sums
61 values
50 more angles
131 inequalities
28 products
31 residues
20 limits of sums
11 growth of sums
12 touching at an end
37 integrals with a parameter
8 ends of integrals
5 smooth integrands
32 inverse on intervals
18 closed forms
47 powers on intervals
25 given sums
11 whole parts
23 logs and exponentials
18 moments and circles
8 given by a function
19 parts of quotients
6 conditions that meet
WANTED
}

# The symbols that an equation has put out stand in the witness with their values.
a_witness_names_what_an_equation_fixes() {
    says 'refuted: y = 4, x = -3: left side -12.000000, right side 4.0000000' 'x, y = sym "x y"; print(prove(x*y, y, {where = eq(x + y, 1)}))'
    says 'refuted: n = 8, m = 9: left side 17.000000, right side 16.000000' \
        'm, n = sym("m n", "integer"); print(prove(m^2 - n^2, 2*n, {where = eq(m, n + 1)}))'
}
says() {
    seen=$("$PHASOR" -e "$2" 2>&1)
    [ "$seen" = "$1" ] || echo "$2: $seen; wanted $1"
}

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was a_witness_names_what_an_equation_fixes
