#!/bin/sh
# What the prover decides of the statements of the field in reach/ (test_reach_phrases.sh and test_reach_sums.sh have more of them, test_reach_long*.sh those that take long):
# none wrongly, and of each group as many as it did when the group's row was written. A statement that is open is listed in the output of reach/run.lua.
# Sources: verify/by_induction.c verify/by_ranges.c verify/by_sums.c verify/identity.c verify/inverse.c verify/lemmas.c
# Sources: verify/summation.c verify/termwise.c verify/trial.c verify/whole.c verify/moments.c
. tests/verify/reach/judge.sh
judge reach statements products seldom

WANTED='38 angles
44 inverse functions
46 complex
47 roots
36 powers and logarithms
26 softmax and sigmoid
10 layer norm
77 sums
17 encodings
20 polynomials and derivatives
43 functions
14 miscellaneous
28 products
8 ends of integrals
5 smooth integrands
30 inverse on intervals
18 closed forms
47 powers on intervals
25 given sums
11 whole parts
22 logs and exponentials
17 moments and circles
8 given by a function
19 parts of quotients
6 conditions that meet
21 powers of what is no symbol
24 induction on sums
26 joined sums'

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

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said a_witness_names_what_an_equation_fixes
