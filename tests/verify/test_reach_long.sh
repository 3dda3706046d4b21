#!/bin/sh
# As test_reach.sh: statements that take long.
# Sources: verify/certify.c verify/inverse.c verify/lemmas.c verify/slope.c
. tests/verify/reach/judge.sh
judge reach_long long

WANTED='0 encodings, long
2 inverse on intervals, long
1 logs and exponentials, long
1 moments and circles, long
5 known functions, long
4 certificates, long
1 weights, long
2 more angles, long
18 inequalities, long'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was
