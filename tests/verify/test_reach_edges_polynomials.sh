#!/bin/sh
# As test_reach.sh: orders at the edges of what is read as polynomials, of their roots and signs, and of squares under roots.
# Sources: verify/reading.c verify/reading_sign.c verify/reading_powers.c verify/reading_variables.c verify/cells.c verify/polysign.c verify/realroots.c verify/ring.c verify/radicand.c
. tests/verify/reach/judge.sh
judge reach_edges_polynomials edges_polynomials

WANTED='77 polynomials of one sign
51 cells
47 constants and exponents
40 angles
28 squares under roots
51 facts
26 real and imaginary parts
18 exponents and symbols'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
