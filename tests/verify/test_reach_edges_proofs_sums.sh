#!/bin/sh
# As test_reach.sh: sums, inductions and moments, and what is one off.
# Sources: verify/coq_sums.c verify/induct.c verify/recurrence.c verify/summation.c verify/sums.c verify/moments.c verify/symmetric.c
# Sources: verify/subject.c
. tests/verify/reach/judge.sh
judge reach_edges_proofs_sums edges_proofs_sums

WANTED='54 sums and their certificates
20 sums one off
20 closed forms and their ranges
30 products of sums
71 false by 10^-45
92 inductions
43 moments
38 symmetry'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
