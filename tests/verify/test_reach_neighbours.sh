#!/bin/sh
# As test_reach.sh: true statements and false ones beside each other.
# Sources: verify/identity.c verify/monotone.c verify/slope.c verify/whole.c verify/summation.c
. tests/verify/reach/judge.sh
judge reach_neighbours neighbours

WANTED='30 kinks
17 products and roots
8 whole parts of sums
16 sums in closed form
11 equations that are given
12 angles and half turns
202 ends of what rises
13 conditions that contradict
18 multiples of angles
13 sines of multiples'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
