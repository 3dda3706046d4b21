#!/bin/sh
# As test_reach.sh: what facts, cases and bounds settle, and equations solved for a symbol.
# Sources: verify/settle.c verify/solved.c verify/visible.c verify/check.c verify/trust.c verify/reasons.c
. tests/verify/reach/judge.sh
judge reach_edges_proofs_facts edges_proofs_facts

WANTED='21 facts and whole multiples
32 cases
33 functions that rise
16 bounds that are seen
68 equations solved for a symbol
70 conditions that are told
26 branches
59 conditions that bound a symbol'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
