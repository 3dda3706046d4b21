#!/bin/sh
# As test_reach.sh: the edges of each argument, where nothing else stands between a false statement and `proved`.
# Sources: verify/by_induction.c verify/by_ranges.c verify/by_residues.c verify/by_sums.c verify/cases.c verify/conditions.c verify/angles.c
# Sources: verify/identity.c verify/inverse.c verify/implied.c verify/given.c verify/lemmas.c verify/linear_facts.c verify/logarithms.c
# Sources: verify/order.c verify/parts.c verify/prepare.c verify/direct.c verify/tails.c verify/termwise.c verify/touching.c verify/turns.c
# Sources: verify/under.c verify/unity.c verify/values.c verify/waves.c verify/whole.c verify/generators.c verify/normal.c verify/laurent.c
. tests/verify/reach/judge.sh
judge reach_edges edges edges_more

WANTED='14 ends of inverse functions
26 known of inverse functions
49 roots of unity of prime powers
98 further ways to identities
55 floors and residues
115 normal form and conditions
33 pieces
44 false by a hair
15 complex and by a hair
41 lengths of sums
14 sums termwise
1 sums that grow to a limit
9 waves between their zeros
66 equations put in
27 lemmas and integers
9 false far out
43 powers of one term
12 no whole turn
9 sides that touch on a box
33 conditions that others imply
11 whole numbers
32 what a sum asks of its index
20 sums by a hair
15 facts and their sums
22 signs by a hair
33 polynomials by a hair
13 cases in sums, solved symbols'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
