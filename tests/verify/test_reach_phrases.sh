#!/bin/sh
# As test_reach.sh: statements as lessons have them.
# Sources: verify/certify.c verify/identity.c verify/inverse.c verify/summation.c
. tests/verify/reach/judge.sh
judge reach_phrases phrases phrases_real

WANTED='27 rotations and bases
11 Chebyshev
22 derivatives
79 known functions
23 certificates
0 parameters
48 weights
72 more sums
61 values
48 more angles
119 inequalities'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
