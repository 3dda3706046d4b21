#!/bin/sh
# As test_reach.sh: what verdicts of each sort say in every field, in both languages, and how many changes of a statement are noticed.
# Sources: verify/told.c verify/text.c verify/words.c verify/reasons.c verify/verdict.c verify/trust.c verify/subject.c
# Sources: verify/induct.c verify/mutants.c verify/kept.c verify/symmetric.c verify/prove.c
. tests/verify/reach/judge.sh
said=$build/reach_edges_proofs_words.said
told=$reach/reach_edges_proofs_words.told
"$PHASOR" $reach/edges_proofs_words.lua > "$said" 2>&1
[ "${GOLDEN:-}" != write ] || cp "$said" "$told"

run_cases each_verdict_says_what_it_said
