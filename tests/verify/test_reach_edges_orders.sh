#!/bin/sh
# As test_reach.sh: orders at the edges of the arguments for bounds of parts, signs of slopes, denominators and points that conditions let in.
# Sources: verify/span.c verify/span_ends.c verify/slope.c verify/quotients.c verify/meet.c verify/sample.c verify/points.c verify/by_ranges.c
. tests/verify/reach/judge.sh
judge reach_edges_orders edges_orders

WANTED='60 spans
13 waves without a crest
12 ends of symbols
42 slopes from an end
11 slopes to both sides
13 between two ends
27 denominators
64 what conditions let in
26 functions that go back
18 quotients in quotients
21 points at ends
11 roots of what may be negative
4 conjugates of quotients'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
