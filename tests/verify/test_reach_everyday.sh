#!/bin/sh
# As test_reach.sh: equations under conditions, and statements whose conditions and constants say where they fail.
# Sources: verify/realness.c verify/apart.c verify/implied.c verify/meet.c verify/points.c verify/told.c verify/witness.c
# Sources: verify/linear_facts.c expr/derive.c verify/order.c verify/prepare.c verify/trust.c verify/coq.c verify/waves.c
. tests/verify/reach/judge.sh
judge reach_everyday everyday

WANTED='51 equations under conditions
31 witnesses far out
7 what is told
13 names that are bound and free
17 derivatives at kinks
3 witnesses next to ends
18 where sides are real
11 products with a denial'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
