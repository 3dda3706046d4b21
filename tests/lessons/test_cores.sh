#!/bin/sh
# What the claims state, bounds to three digits, does not hang on the kernels that OpenBLAS takes: a bound that is computed from rounded products,
# as from a residual, would differ from machine to machine, and the list lessons/stated with it.
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

what_is_stated_is_the_same_under_another_core() {
    core=Prescott
    [ "${OPENBLAS_CORETYPE:-}" != Prescott ] || core=Nehalem
    rm -f "$build/stated"
    OPENBLAS_CORETYPE=$core "$phasor" check --stated "$build/stated" > "$build/stated.report" 2>&1 || tail -n 1 "$build/stated.report"
    diff lessons/stated "$build/stated" | cut -c1-300
    rm -f "$build/stated" "$build/stated.report"
}

run_cases what_is_stated_is_the_same_under_another_core
