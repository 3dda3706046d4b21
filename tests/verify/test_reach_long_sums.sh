#!/bin/sh
# As test_reach.sh: statements that take long.
# Sources: verify/by_residues.c verify/tails.c verify/end.c verify/quadrature.c
. tests/verify/reach/judge.sh
judge reach_long_sums long_sums

WANTED='7 residues, long
12 parameters, long
14 limits of sums, long
0 growth of sums, long
1 touching at an end, long'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was
