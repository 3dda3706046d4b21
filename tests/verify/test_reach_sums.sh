#!/bin/sh
# As test_reach.sh: sums over residues, integrals with a parameter, limits.
# Sources: verify/by_residues.c verify/tails.c verify/end.c verify/moments.c
. tests/verify/reach/judge.sh
judge reach_sums residues parameters limits

WANTED='24 residues
25 integrals with a parameter
6 limits of sums
11 growth of sums
10 touching at an end'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
