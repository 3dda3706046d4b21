#!/bin/sh
# As test_reach.sh: orders at the edge of each fact that a certificate is made of.
# Sources: verify/coq_asked.c verify/coq_order.c verify/coq_pairs.c verify/coq_sizes.c verify/coq_squares.c verify/coq_weigh.c
# Sources: verify/coq_term.c
. tests/verify/reach/judge.sh
judge reach_edges_proofs_orders edges_proofs_orders

WANTED='67 sizes of one function
35 sizes of two functions
26 cases of orders
25 denominators
29 squares
31 conditions of orders'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
