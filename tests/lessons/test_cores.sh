#!/bin/sh
# What the claims state, bounds to three digits, does not hang on the kernels that OpenBLAS takes: a bound that is computed from rounded products,
# as from a residual, would differ from machine to machine, and the list lessons/stated with it.
name=what_is_stated_is_the_same_under_another_core
echo "[ RUN      ] $name"
out=$(mktemp -d) && : > "$out/differs"
core=Prescott
[ "${OPENBLAS_CORETYPE:-}" != Prescott ] || core=Nehalem
if OPENBLAS_CORETYPE=$core "${PHASOR:-build/phasor}" check --stated "$out/stated" > "$out/report" 2>&1 &&
        diff "${TEST_SOURCES:-tests}/../lessons/stated" "$out/stated" > "$out/differs"; then
    echo "[       OK ] $name"
    status=0
else
    tail -n 1 "$out/report"
    cut -c1-300 "$out/differs"
    echo "[  FAILED  ] $name"
    status=1
fi
rm -rf "$out"
exit $status
