#!/bin/sh
# What the functions that look at boxes and at points say on the edges of their arguments.
# Sources: verify/box.c verify/field.c verify/holes.c verify/certify.c verify/bounds.c verify/roots.c verify/monotone.c verify/integral.c verify/quadrature.c verify/improper.c
# Sources: verify/end.c verify/end_power.c verify/ball.c verify/ball_functions.c verify/ball_steps.c verify/grid.c verify/number.c verify/measure.c verify/rational.c
. tests/verify/reach/judge.sh
said=$build/boxes.said
told=$reach/boxes.told
STATEMENTS="$reach/boxes_ranges.lua $reach/boxes_values.lua" "$PHASOR" $reach/boxes.lua > "$said" 2>&1
[ "${GOLDEN:-}" != write ] || cp "$said" "$told"

run_cases each_verdict_says_what_it_said
