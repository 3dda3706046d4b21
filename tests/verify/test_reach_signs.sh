#!/bin/sh
# As test_reach.sh: equations where conditions say of a symbol that it is positive, or not negative; products by the sign of a factor.
# Sources: verify/positive.c verify/factors.c verify/lemmas.c verify/quotients.c verify/whole.c
. tests/verify/reach/judge.sh
judge reach_signs signs

WANTED='24 positive symbols
16 what may be 0
24 the sign of a factor
14 strict tangents
12 inductions that begin later'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
