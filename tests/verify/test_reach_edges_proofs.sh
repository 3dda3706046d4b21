#!/bin/sh
# As test_reach.sh: equations at the edge of each way in which a certificate is written.
# Sources: verify/coq.c verify/coq_forms.c verify/coq_logs.c verify/coq_pairs.c verify/coq_parts.c verify/coq_proof.c
# Sources: verify/coq_term.c verify/coq_units.c verify/coq_values.c verify/prove.c verify/trust.c
. tests/verify/reach/judge.sh
judge reach_edges_proofs edges_proofs

WANTED='54 angles and their units
54 exponentials and powers
25 logarithms
16 parts that stay names
41 complex pairs'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
