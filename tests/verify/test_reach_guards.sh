#!/bin/sh
# As test_reach.sh: what an argument must ask before it is used.
# Sources: verify/whole.c verify/settle.c verify/lemmas.c verify/reading_sign.c verify/recurrence.c verify/induct.c
# Sources: verify/implied.c verify/trust.c verify/reading.c verify/cases.c verify/inverse.c verify/slope.c verify/termwise.c verify/quotients.c verify/linear_facts.c
. tests/verify/reach/judge.sh
judge reach_guards guards guards_more

WANTED='22 whole multiples
55 complex and far
30 powers with natural exponents
13 facts about an angle
13 recurrences
9 orders among conditions
4 strict beside weak conditions
5 conjugates of what is not read
13 exponents that conditions name
37 one guard each
6 floors that are multiplied
21 what wants real numbers
15 whole powers
4 sums that count nothing'

run_cases none_is_wrong each_group_is_decided_as_far_as_it_was each_verdict_says_what_it_said
