#!/bin/sh
# What is spoiled in the cells of claims is noticed: a seeded sample of two lessons, every kind of token.
# `make spoil` walks through every claim.
name=nothing_spoiled_passes
echo "[ RUN      ] $name"
status=0
for lesson in context rope; do
    out=$(SPOIL_ONLY=$lesson SPOIL_EACH=8 SPOIL_SEED=5 SPOIL_JOBS=1 \
          "${PHASOR:-build/phasor}" "${TEST_SOURCES:-tests}/lessons/spoil.lua" 2>&1)
    case $out in
    *"
0 tried"*) status=1 ;;
    *" 0 not noticed"*) ;;
    *) status=1 ;;
    esac
    [ $status = 0 ] || { echo "$out"; break; }
done
[ $status = 0 ] && echo "[       OK ] $name" || echo "[  FAILED  ] $name"
exit $status
