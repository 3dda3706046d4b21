#!/bin/sh
# Printed figures are judged figures: a sample of those in the cells of claims, each spoiled by a digit or its sign, none unnoticed.
# `make spoil` walks through every claim and every kind of token, and lists what passes.
name=no_spoiled_figure_passes
echo "[ RUN      ] $name"
out=$(SPOIL_ONLY=context SPOIL_KIND=figure SPOIL_EACH=10 SPOIL_SEED=5 SPOIL_JOBS=1 \
      "${PHASOR:-build/phasor}" "${TEST_SOURCES:-tests}/lessons/spoil.lua" 2>&1)
case $out in
*"
0 tried"*) ;;
*" 0 not noticed"*) echo "[       OK ] $name"; exit 0 ;;
esac
echo "$out"
echo "[  FAILED  ] $name"
exit 1
