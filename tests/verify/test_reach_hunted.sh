#!/bin/sh
# As test_reach.sh: random statements, which no one thought of.
# Sources: verify/by_sums.c verify/conditions.c verify/identity.c verify/normal.c verify/order.c verify/sums.c
. tests/verify/reach/judge.sh
judge reach_hunted hunted

WANTED='22 bounds of sums
60 branches
60 certify
60 conditions
49 counterexample
51 encodings
60 equal
60 equal, where
39 floors
60 induct
60 intervals
24 matrices
40 monotone
60 mutants
60 not equal
60 order
60 order, where
26 parameters
26 products
60 sums
54 symmetric
23 tables
30 touching'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
